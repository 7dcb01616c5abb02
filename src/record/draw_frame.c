/* SPDX-License-Identifier: MIT */
#include "record/draw_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "record/draw_label.h"

/* Quantiles are taken of at most this many values, evenly picked. */
#define SAMPLE_MAX 16384
/* Bands of TS_COLOUR_LAYER. */
#define LAYER_COUNT 6
/* Forces below this share of the widest line's are not drawn. */
#define FAINT 0.02

typedef TS_ARRAY(double) double_array;

struct ts_painter {
    const ts_trajectory_header *header;
    ts_frame_style style;
    ts_arena arena; /* names */

    /* of the picture: same for all frames */
    ts_picture_shape *shape;
    const char **kind_name;
    int32_t *kind; /* of each body */
    size_t kind_count;
    double typical_radius;    /* median of the moving bodies [m] */
    double smallest, largest; /* radius of the moving bodies [m] */

    /* found by the survey */
    ts_box view;
    double_array value_high; /* high quantile of the values of each frame surveyed */
    double_array force_high; /* the same of contact forces */
    double value_max;
    bool layered; /* kind[] was set from heights */
    size_t surveyed;

    /* of the current frame */
    ts_picture picture;
    ts_picture_key key;
    ts_picture_body *body;
    ts_picture_wall *wall;
    TS_ARRAY(ts_picture_line) line;
    double *value;  /* speed or force (body_count); NULL when neither is shown */
    double *sample; /* (SAMPLE_MAX) */
    char time_text[2 * TS_LABEL_SIZE], note[2 * TS_LABEL_SIZE], line_label[2 * TS_LABEL_SIZE];
};

/* ---- Names ---- */

static const char *const by_name[TS_COLOUR_COUNT] = {"type", "speed", "force", "size", "angle", "material", "layer"};

const char *ts_colour_by_name(ts_colour_by by)
{
    return (unsigned)by < TS_COLOUR_COUNT ? by_name[by] : "unknown";
}

ts_status ts_colour_by_parse(const char *name, ts_colour_by *by, ts_error *error)
{
    for (int i = 0; i < TS_COLOUR_COUNT; i++) {
        if (strcmp(name, by_name[i]) == 0) {
            *by = (ts_colour_by)i;
            return TS_OK;
        }
    }
    const char *near = ts_nearest_name(name, by_name, TS_COLOUR_COUNT);
    if (near)
        return ts_fail(error, TS_BAD_INPUT, "cannot colour by '%s'; did you mean '%s'?", name, near);
    return ts_fail(error, TS_BAD_INPUT,
                   "cannot colour by '%s'; choose type, speed, force, size, angle, material or layer", name);
}

/* ---- Quantiles ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts `value` in place. */
static double quantile(double *value, size_t count, double share)
{
    if (count == 0)
        return 0;
    qsort(value, count, sizeof *value, compare);
    size_t place = (size_t)(share * (double)(count - 1) + 0.5);
    return value[place < count ? place : count - 1];
}

/* Up to SAMPLE_MAX of the moving bodies' values that are finite, into painter->sample. */
typedef double value_of(const ts_painter *painter, const ts_frame *frame, size_t body);

static size_t sample_bodies(ts_painter *painter, const ts_frame *frame, value_of *of)
{
    const ts_trajectory_header *header = painter->header;
    size_t stride = header->body_count / SAMPLE_MAX + 1, count = 0, seen = 0;
    for (size_t i = 0; i < header->body_count && count < SAMPLE_MAX; i++) {
        bool absent = frame && !frame->body[i].present;
        if (header->body[i].fixed || absent || seen++ % stride != 0)
            continue;
        double value = of(painter, frame, i);
        if (isfinite(value))
            painter->sample[count++] = value;
    }
    return count;
}

static double radius_value(const ts_painter *painter, const ts_frame *frame, size_t body)
{
    (void)frame;
    return painter->header->body[body].radius;
}

static double shown_value(const ts_painter *painter, const ts_frame *frame, size_t body)
{
    (void)frame;
    return painter->value[body];
}

/* Height against gravity, or along y where there is none. */
static double height_value(const ts_painter *painter, const ts_frame *frame, size_t body)
{
    const double *g = painter->header->gravity;
    const ts_frame_body *b = &frame->body[body];
    return g[0] == 0 && g[1] == 0 ? b->y : -(g[0] * b->x + g[1] * b->y);
}

/* ---- Kinds ---- */

/* What a shape is called in a legend. */
static const char *shape_name(ts_painter *painter, size_t index)
{
    const ts_trajectory_shape *shape = &painter->header->shape[index];
    if (shape->name && shape->name[0])
        return shape->name;
    char text[128], radius[TS_LABEL_SIZE];
    if (shape->disc_count == 1)
        snprintf(text, sizeof text, "disc of %s", ts_label_quantity(2 * shape->disc[0].radius, "m", radius));
    else
        snprintf(text, sizeof text, "cluster of %zu", shape->disc_count);
    return ts_arena_text(&painter->arena, text, strlen(text));
}

static const char *material_name(ts_painter *painter, size_t index)
{
    const char *name = painter->header->material_name[index];
    if (name && name[0])
        return name;
    char text[32];
    snprintf(text, sizeof text, "material %zu", index);
    return index == 0 ? "default" : ts_arena_text(&painter->arena, text, strlen(text));
}

/* Numbers the shapes or materials that moving bodies have, in their order, without gaps. `number` has `count` entries;
 * returns how many there are. */
static size_t number_kinds(const ts_painter *painter, bool by_material, int32_t *number, size_t count)
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++)
        number[k] = -1;
    for (size_t i = 0; i < painter->header->body_count; i++) {
        const ts_trajectory_body *body = &painter->header->body[i];
        int32_t what = by_material ? body->material : body->shape;
        if (!body->fixed && what >= 0 && (size_t)what < count)
            number[what] = 0;
    }
    for (size_t k = 0; k < count; k++) {
        if (number[k] == 0)
            number[k] = (int32_t)used++;
    }
    return used;
}

static ts_status set_kinds(ts_painter *painter, bool by_material, ts_error *error)
{
    const ts_trajectory_header *header = painter->header;
    size_t count = by_material ? header->material_count : header->shape_count;
    int32_t *number = ts_alloc(count + 1, sizeof *number);
    if (!number)
        return ts_fail_memory(error, (count + 1) * sizeof *number);
    painter->kind_count = number_kinds(painter, by_material, number, count);
    ts_free(painter->kind_name);
    painter->kind_name = ts_alloc(painter->kind_count + 1, sizeof *painter->kind_name);
    bool complete = painter->kind_name != NULL;
    for (size_t k = 0; complete && k < count; k++) {
        if (number[k] < 0)
            continue;
        const char *name = by_material ? material_name(painter, k) : shape_name(painter, k);
        painter->kind_name[number[k]] = name;
        complete = name != NULL;
    }
    for (size_t i = 0; i < header->body_count; i++) {
        int32_t what = by_material ? header->body[i].material : header->body[i].shape;
        painter->kind[i] = what >= 0 && (size_t)what < count && number[what] > 0 ? number[what] : 0;
    }
    ts_free(number);
    return complete ? TS_OK : ts_fail_memory(error, (painter->kind_count + 1) * sizeof *painter->kind_name);
}

/* Bands of equal height from the lowest to the highest grain; of the first frame that is seen. */
static void set_layers(ts_painter *painter, const ts_frame *frame)
{
    size_t count = sample_bodies(painter, frame, height_value);
    double low = quantile(painter->sample, count, 0.005), high = quantile(painter->sample, count, 0.995);
    for (size_t i = 0; i < painter->header->body_count; i++) {
        double t = LAYER_COUNT * (height_value(painter, frame, i) - low) / (high - low);
        painter->kind[i] = t > 0 ? (t < LAYER_COUNT ? (int32_t)t : LAYER_COUNT - 1) : 0;
    }
    painter->kind_count = LAYER_COUNT;
    painter->layered = true;
}

/* ---- Values of a frame ---- */

static double normal_force(const ts_frame_contact *contact)
{
    double force =
        (double)contact->force[0] * (double)contact->normal[0] + (double)contact->force[1] * (double)contact->normal[1];
    return isfinite(force) ? fabs(force) : 0;
}

static bool is_body(const ts_painter *painter, int64_t id)
{
    return id >= 0 && (uint64_t)id < painter->header->body_count;
}

static void set_values(ts_painter *painter, const ts_frame *frame)
{
    size_t body_count = painter->header->body_count;
    if (painter->style.colour == TS_COLOUR_SPEED) {
        for (size_t i = 0; i < body_count; i++)
            painter->value[i] = hypot((double)frame->body[i].vx, (double)frame->body[i].vy);
    } else if (painter->style.colour == TS_COLOUR_FORCE) {
        memset(painter->value, 0, body_count * sizeof *painter->value);
        for (size_t k = 0; k < frame->contact_count; k++) {
            double force = normal_force(&frame->contact[k]);
            if (is_body(painter, frame->contact[k].a))
                painter->value[frame->contact[k].a] += force;
            if (is_body(painter, frame->contact[k].b))
                painter->value[frame->contact[k].b] += force;
        }
    }
}

static bool has_values(const ts_painter *painter)
{
    return painter->style.colour == TS_COLOUR_SPEED || painter->style.colour == TS_COLOUR_FORCE;
}

static void place_bodies(ts_painter *painter, const ts_frame *frame)
{
    const ts_trajectory_header *header = painter->header;
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_frame_body *from = &frame->body[i];
        const ts_trajectory_body *about = &header->body[i];
        double value = painter->kind[i];
        if (has_values(painter))
            value = painter->value[i];
        else if (painter->style.colour == TS_COLOUR_SIZE)
            value = about->radius;
        else if (painter->style.colour == TS_COLOUR_ANGLE)
            value = remainder(from->angle, 2 * TS_PI) * (180 / TS_PI);
        painter->body[i] = (ts_picture_body){.x = from->x,
                                             .y = from->y,
                                             .angle = from->angle,
                                             .scale = about->scale,
                                             .value = value,
                                             .shape = about->shape,
                                             .fixed = about->fixed,
                                             .hidden = !from->present};
    }
    painter->picture.wall_count = 0;
    for (size_t i = 0; i < header->boundary_count; i++) {
        const ts_trajectory_boundary *about = &header->boundary[i];
        const ts_frame_boundary *from = &frame->boundary[i];
        if (!from->present)
            continue;
        double c = cos(from->angle), s = sin(from->angle);
        painter->wall[painter->picture.wall_count++] = (ts_picture_wall){.kind = about->kind,
                                                                         .x = from->x,
                                                                         .y = from->y,
                                                                         .nx = c * about->nx - s * about->ny,
                                                                         .ny = s * about->nx + c * about->ny,
                                                                         .radius = about->radius,
                                                                         .angle = from->angle,
                                                                         .line = about->line,
                                                                         .line_count = about->line_count,
                                                                         .reach = about->reach};
    }
}

/* ---- Force chains ---- */

/* The force of the widest line; 0 when there is none. */
static double chain_high(const ts_painter *painter)
{
    double high = quantile(painter->force_high.item, painter->force_high.count, 0.75);
    return high > 0 ? ts_nice_above(high) : 0;
}

static bool is_disc(const ts_painter *painter, int64_t id)
{
    int32_t shape = painter->header->body[id].shape;
    return shape >= 0 && (size_t)shape < painter->header->shape_count &&
           painter->header->shape[shape].disc_count == 1 && !painter->header->shape[shape].outline;
}

/* A contact of two discs is one line from centre to centre; others go through the point where they touch. */
static ts_status place_lines(ts_painter *painter, const ts_frame *frame, ts_error *error)
{
    double high = chain_high(painter);
    painter->line.count = 0;
    if (!(high > 0))
        return TS_OK;
    TS_TRY(ts_array_reserve(&painter->line, 2 * frame->contact_count, error));
    for (size_t k = 0; k < frame->contact_count; k++) {
        const ts_frame_contact *contact = &frame->contact[k];
        double share = fmin(normal_force(contact) / high, 1);
        if (share < FAINT || !is_body(painter, contact->b))
            continue;
        double width = 0.9 * share * painter->typical_radius;
        const ts_frame_body *b = &frame->body[contact->b];
        bool wall = !is_body(painter, contact->a);
        const ts_frame_body *a = wall ? b : &frame->body[contact->a];
        bool straight = !wall && is_disc(painter, contact->a) && is_disc(painter, contact->b);
        ts_picture_line line = {
            .x0 = b->x, .y0 = b->y, .x1 = contact->point[0], .y1 = contact->point[1], .width = width};
        if (straight) {
            line.x1 = a->x;
            line.y1 = a->y;
        }
        painter->line.item[painter->line.count++] = line;
        if (!wall && !straight) {
            line.x0 = a->x;
            line.y0 = a->y;
            painter->line.item[painter->line.count++] = line;
        }
    }
    return TS_OK;
}

/* ---- Words ---- */

/* Seconds, or what suits a shorter run; decimals enough to tell frames apart, the same for all frames. */
static void set_time_text(ts_painter *painter, double time)
{
    const ts_trajectory_header *header = painter->header;
    double duration = header->duration, unit = 1;
    const char *name = "s";
    if (duration > 0 && duration < 0.5e-3) {
        unit = 1e-6;
        name = "\xC2\xB5s";
    } else if (duration > 0 && duration < 0.5) {
        unit = 1e-3;
        name = "ms";
    }
    double step = header->frame_interval / unit;
    int decimals = step > 0 && isfinite(step) ? (int)fmin(fmax(ceil(-log10(step) - 1e-9), 0), 3) : 2;
    char number[TS_LABEL_SIZE];
    snprintf(painter->time_text, sizeof painter->time_text, "t = %s %s", ts_label_number(time / unit, decimals, number),
             name);
    painter->picture.time_text = painter->time_text;

    double playback = painter->style.playback;
    painter->picture.note = NULL;
    if (playback > 0 && isfinite(playback) && fabs(playback - 1) > 0.005) {
        double times = playback < 1 ? 1 / playback : playback;
        snprintf(painter->note, sizeof painter->note, "%s\xC3\x97 %s",
                 ts_label_number(times, times < 10 ? 1 : 0, number), playback < 1 ? "slower" : "faster");
        painter->picture.note = painter->note;
    }
}

/* The top of a scale: a round number that all but a few values of most frames lie below. */
static double scale_high(ts_painter *painter, double share)
{
    if (painter->style.high > 0)
        return painter->style.high;
    double high = quantile(painter->value_high.item, painter->value_high.count, share);
    return high > 0 ? ts_nice_above(high) : 1;
}

static void set_key(ts_painter *painter)
{
    bool dark = painter->style.theme == TS_THEME_DARK;
    ts_picture_key key = {.kind = TS_KEY_KINDS, .name = painter->kind_name, .name_count = painter->kind_count};
    switch (painter->style.colour) {
    case TS_COLOUR_SPEED:
        key = (ts_picture_key){.kind = TS_KEY_SCALE,
                               .map = TS_MAP_VIRIDIS,
                               .high = scale_high(painter, 0.9),
                               .label = "speed",
                               .unit = "m/s"};
        break;
    case TS_COLOUR_FORCE:
        key = (ts_picture_key){.kind = TS_KEY_SCALE,
                               .map = dark ? TS_MAP_MAGMA : TS_MAP_MAGMA_REVERSED,
                               .high = scale_high(painter, 0.75),
                               .label = "\xCE\xA3 normal force",
                               .unit = "N"};
        break;
    case TS_COLOUR_SIZE:
        key = (ts_picture_key){.kind = TS_KEY_SCALE,
                               .map = TS_MAP_VIRIDIS,
                               .low = painter->smallest,
                               .high = painter->style.high > 0 ? painter->style.high : painter->largest,
                               .label = "radius",
                               .unit = "m"};
        break;
    case TS_COLOUR_ANGLE:
        key = (ts_picture_key){.kind = TS_KEY_SCALE,
                               .map = TS_MAP_WHEEL,
                               .low = -180,
                               .high = 180,
                               .label = "orientation",
                               .unit = "\xC2\xB0"};
        break;
    case TS_COLOUR_LAYER:
        key.name_count = 0; /* layers explain themselves */
        break;
    default:
        break;
    }
    key.beyond = has_values(painter) && painter->value_max > key.high * (1 + 1e-6);
    if (painter->style.chains && chain_high(painter) > 0) {
        char force[TS_LABEL_SIZE];
        snprintf(painter->line_label, sizeof painter->line_label, "force \xE2\x89\xA5 %s",
                 ts_label_quantity(chain_high(painter), "N", force));
        key.line_label = painter->line_label;
        key.line_width = 0.9 * painter->typical_radius;
    }
    painter->key = key;
}

/* ---- The interface ---- */

static ts_status prepare(ts_painter *painter, ts_error *error)
{
    const ts_trajectory_header *header = painter->header;
    painter->shape = ts_alloc(header->shape_count + 1, sizeof *painter->shape);
    painter->body = ts_alloc(header->body_count + 1, sizeof *painter->body);
    painter->wall = ts_alloc(header->boundary_count + 1, sizeof *painter->wall);
    painter->kind = ts_alloc(header->body_count + 1, sizeof *painter->kind);
    painter->sample = ts_alloc(SAMPLE_MAX, sizeof *painter->sample);
    painter->value = has_values(painter) ? ts_alloc(header->body_count + 1, sizeof *painter->value) : NULL;
    if (!painter->shape || !painter->body || !painter->wall || !painter->kind || !painter->sample ||
        (has_values(painter) && !painter->value))
        return ts_fail_memory(error, header->body_count * (sizeof *painter->body + sizeof *painter->kind));

    for (size_t s = 0; s < header->shape_count; s++)
        painter->shape[s] =
            (ts_picture_shape){header->shape[s].disc, header->shape[s].disc_count, header->shape[s].outline};
    painter->smallest = HUGE_VAL;
    for (size_t i = 0; i < header->body_count; i++) {
        if (header->body[i].fixed)
            continue;
        painter->smallest = fmin(painter->smallest, header->body[i].radius);
        painter->largest = fmax(painter->largest, header->body[i].radius);
    }
    size_t count = sample_bodies(painter, NULL, radius_value);
    painter->typical_radius = quantile(painter->sample, count, 0.5);

    TS_TRY(set_kinds(painter, painter->style.colour == TS_COLOUR_MATERIAL, error));
    if (painter->style.colour == TS_COLOUR_TYPE && painter->kind_count < 2)
        TS_TRY(set_kinds(painter, true, error));
    painter->picture = (ts_picture){.shape = painter->shape,
                                    .shape_count = header->shape_count,
                                    .body = painter->body,
                                    .body_count = header->body_count,
                                    .wall = painter->wall,
                                    .faded = painter->style.chains};
    return TS_OK;
}

ts_status ts_painter_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_painter **painter,
                            ts_error *error)
{
    if ((style->chains || style->colour == TS_COLOUR_FORCE) && !header->has_contacts)
        return ts_fail(
            error, TS_BAD_INPUT,
            "this run recorded no contacts, so there are no forces to draw; run it again with contacts recorded");
    if (!(style->high >= 0) || !isfinite(style->high))
        return ts_fail(error, TS_BAD_INPUT, "the top of the colour scale is %g, but must be positive", style->high);
    ts_painter *made = ts_alloc(1, sizeof *made);
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    made->header = header;
    made->style = *style;
    made->view = TS_BOX_NONE;
    ts_status status = prepare(made, error);
    if (status != TS_OK) {
        ts_painter_free(made);
        return status;
    }
    *painter = made;
    return TS_OK;
}

void ts_painter_free(ts_painter *painter)
{
    if (!painter)
        return;
    ts_arena_free(&painter->arena);
    ts_free(painter->shape);
    ts_free(painter->kind_name);
    ts_free(painter->kind);
    ts_array_free(&painter->value_high);
    ts_array_free(&painter->force_high);
    ts_free(painter->body);
    ts_free(painter->wall);
    ts_array_free(&painter->line);
    ts_free(painter->value);
    ts_free(painter->sample);
    ts_free(painter);
}

ts_status ts_painter_survey(ts_painter *painter, const ts_frame *frame, ts_error *error)
{
    if (painter->style.colour == TS_COLOUR_LAYER && !painter->layered)
        set_layers(painter, frame);
    set_values(painter, frame);
    place_bodies(painter, frame);
    ts_box box;
    TS_TRY(ts_picture_box(&painter->picture, &box, error));
    painter->view = ts_box_union(painter->view, box);

    if (has_values(painter)) {
        size_t count = sample_bodies(painter, frame, shown_value);
        TS_TRY(ts_array_push(&painter->value_high, quantile(painter->sample, count, 0.99), error));
        for (size_t i = 0; i < painter->header->body_count; i++) {
            bool counts = !painter->header->body[i].fixed && frame->body[i].present && isfinite(painter->value[i]);
            painter->value_max = counts ? fmax(painter->value_max, painter->value[i]) : painter->value_max;
        }
    }
    if (painter->style.chains) {
        size_t stride = frame->contact_count / SAMPLE_MAX + 1, count = 0;
        for (size_t k = 0; k < frame->contact_count; k += stride)
            painter->sample[count++] = normal_force(&frame->contact[k]);
        /* frames in free flight have no say in how strong a strong force is */
        if (count > 0)
            TS_TRY(ts_array_push(&painter->force_high, quantile(painter->sample, count, 0.99), error));
    }
    painter->surveyed++;
    return TS_OK;
}

ts_box ts_painter_view(const ts_painter *painter)
{
    return painter->view;
}

ts_status ts_painter_picture(ts_painter *painter, const ts_frame *frame, const ts_picture **picture,
                             const ts_picture_key **key, ts_error *error)
{
    if (painter->surveyed == 0)
        TS_TRY(ts_painter_survey(painter, frame, error));
    set_values(painter, frame);
    place_bodies(painter, frame);
    if (painter->style.chains)
        TS_TRY(place_lines(painter, frame, error));
    painter->picture.line = painter->line.item;
    painter->picture.line_count = painter->line.count;
    set_time_text(painter, frame->time);
    set_key(painter);
    *picture = &painter->picture;
    *key = &painter->key;
    return TS_OK;
}

ts_status ts_painter_draw(ts_painter *painter, const ts_frame *frame, ts_canvas *canvas, ts_box view, ts_error *error)
{
    const ts_picture *picture;
    const ts_picture_key *key;
    TS_TRY(ts_painter_picture(painter, frame, &picture, &key, error));
    return ts_canvas_draw(canvas, picture, key, ts_box_given(view) ? view : painter->view, error);
}
