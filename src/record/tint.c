/* SPDX-License-Identifier: MIT */
#include "record/tint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "record/draw_paint.h"
#include "record/kind.h"

/* Bands of TS_COLOUR_LAYER. */
#define LAYER_COUNT 6
/* Lightnesses of one kind, and how far apart they are. */
#define SHADES     5
#define SHADE_STEP 0.02

/* ---- Names ---- */

static const char *const by_name[TS_COLOUR_COUNT] = {"type", "speed", "force", "size", "angle", "material", "layer"};

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

/* ---- What a frame says of a body ---- */

/* Height against gravity; where there is none against what is down by habit. */
static double height_of(const ts_tint *tint, const ts_frame *frame, size_t i)
{
    const double *g = tint->header->gravity;
    ts_vec3 p = frame->body[i].pose.position;
    if (g[0] == 0 && g[1] == 0 && g[2] == 0)
        g = tint->header->kind->down;
    return -(g[0] * p.x + g[1] * p.y + g[2] * p.z);
}

static double speed_of(const ts_frame *frame, size_t i)
{
    const float *v = frame->body[i].velocity;
    return ts_vec3_length((ts_vec3){(double)v[0], (double)v[1], (double)v[2]});
}

/* ---- Quantiles ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ts_tint_quantile(double *value, size_t count, double share)
{
    if (count == 0)
        return 0;
    qsort(value, count, sizeof *value, compare);
    size_t place = (size_t)(share * (double)(count - 1) + 0.5);
    return value[place < count ? place : count - 1];
}

/* Up to TS_TINT_SAMPLE of the moving bodies' values that are finite, into tint->sample. */
typedef double value_of(const ts_tint *tint, const ts_frame *frame, size_t body);

static size_t sample_bodies(ts_tint *tint, const ts_frame *frame, value_of *of)
{
    size_t stride = tint->body_count / TS_TINT_SAMPLE + 1, count = 0, seen = 0;
    for (size_t i = 0; i < tint->body_count && count < TS_TINT_SAMPLE; i++) {
        if (tint->header->body[i].fixed || !frame->body[i].present || seen++ % stride != 0)
            continue;
        double value = of(tint, frame, i);
        if (isfinite(value))
            tint->sample[count++] = value;
    }
    return count;
}

static double shown_value(const ts_tint *tint, const ts_frame *frame, size_t body)
{
    (void)frame;
    return tint->value[body];
}

/* ---- Kinds ---- */

void ts_tint_name_plane(const ts_trajectory_header *header, size_t index, char text[128])
{
    char length[TS_LABEL_SIZE];
    const ts_trajectory_shape *shape = &header->shape[index];
    if (shape->disc_count == 1)
        snprintf(text, 128, "disc of %s", ts_label_quantity(2 * shape->disc[0].radius, "m", length));
    else
        snprintf(text, 128, "cluster of %zu", shape->disc_count);
}

void ts_tint_name_space(const ts_trajectory_header *header, size_t index, char text[128])
{
    snprintf(text, 128, "shape %zu", index);
    for (size_t f = 0; f < header->form_count; f++) {
        const ts_form3 *form = &header->form[f];
        if ((size_t)form->shape != index)
            continue;
        if (form->piece_count == 1)
            snprintf(text, 128, "%s", ts_solid_name(header->piece[form->piece_begin].solid.kind));
        else
            snprintf(text, 128, "compound of %zu", form->piece_count);
        return;
    }
}

static const char *shape_name(ts_tint *tint, size_t index)
{
    const ts_trajectory_header *header = tint->header;
    const char *name = header->shape[index].name;
    char text[128];
    if (name && name[0])
        return name;
    header->kind->shape_name(header, index, text);
    return ts_arena_text(&tint->arena, text, strlen(text));
}

static const char *material_name(ts_tint *tint, size_t index)
{
    const char *name = tint->header->material_name[index];
    if (name && name[0])
        return name;
    char text[32];
    snprintf(text, sizeof text, "material %zu", index);
    return index == 0 ? "default" : ts_arena_text(&tint->arena, text, strlen(text));
}

/* Numbers the shapes or materials that moving bodies have, in their order, without gaps. `number` has `count` entries;
 * returns how many there are. */
static size_t number_kinds(const ts_tint *tint, bool by_material, int32_t *number, size_t count)
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++)
        number[k] = -1;
    for (size_t i = 0; i < tint->body_count; i++) {
        const ts_trajectory_body *body = &tint->header->body[i];
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

static ts_status set_kinds(ts_tint *tint, bool by_material, ts_error *error)
{
    const ts_trajectory_header *header = tint->header;
    size_t count = by_material ? header->material_count : header->shape_count;
    TS_AUTO_FREE int32_t *number = NULL;
    TS_TRY(ts_new(&number, count + 1, error));
    tint->kind_count = number_kinds(tint, by_material, number, count);
    ts_free(tint->kind_name);
    TS_TRY(ts_new(&tint->kind_name, tint->kind_count + 1, error)); // NOLINT(bugprone-sizeof-expression): of pointers
    for (size_t k = 0; k < count; k++) {
        if (number[k] < 0)
            continue;
        const char *name = by_material ? material_name(tint, k) : shape_name(tint, k);
        if (!name)
            return ts_fail_memory(error, 0);
        tint->kind_name[number[k]] = name;
    }
    for (size_t i = 0; i < tint->body_count; i++) {
        int32_t what = by_material ? header->body[i].material : header->body[i].shape;
        tint->kind[i] = what >= 0 && (size_t)what < count && number[what] > 0 ? number[what] : 0;
    }
    return TS_OK;
}

/* Bands of equal height from the lowest to the highest grain; of the first frame that is seen. */
static void set_layers(ts_tint *tint, const ts_frame *frame)
{
    size_t count = sample_bodies(tint, frame, height_of);
    double low = ts_tint_quantile(tint->sample, count, 0.005), high = ts_tint_quantile(tint->sample, count, 0.995);
    for (size_t i = 0; i < tint->body_count; i++) {
        double t = LAYER_COUNT * (height_of(tint, frame, i) - low) / (high - low);
        tint->kind[i] = t > 0 ? (t < LAYER_COUNT ? (int32_t)t : LAYER_COUNT - 1) : 0;
    }
    tint->kind_count = LAYER_COUNT;
    tint->layered = true;
}

/* ---- Values of a frame ---- */

double ts_tint_force(const ts_frame_contact *contact)
{
    double force = ts_frame_normal_force(contact);
    return isfinite(force) ? fabs(force) : 0;
}

static void add_force(ts_tint *tint, int64_t id, double force)
{
    if (id >= 0 && (uint64_t)id < tint->body_count)
        tint->value[id] += force;
}

static void set_forces(ts_tint *tint, const ts_frame *frame)
{
    memset(tint->value, 0, tint->body_count * sizeof *tint->value);
    for (size_t k = 0; k < frame->contact_count; k++) {
        const ts_frame_contact *contact = &frame->contact[k];
        double force = ts_tint_force(contact);
        add_force(tint, contact->a, force);
        add_force(tint, contact->b, force);
    }
}

static bool has_values(const ts_tint *tint)
{
    return tint->style.colour == TS_COLOUR_SPEED || tint->style.colour == TS_COLOUR_FORCE;
}

static void set_values(ts_tint *tint, const ts_frame *frame)
{
    if (tint->style.colour == TS_COLOUR_FORCE) {
        set_forces(tint, frame);
        return;
    }
    for (size_t i = 0; i < tint->body_count; i++) {
        switch (tint->style.colour) {
        case TS_COLOUR_SPEED:
            tint->value[i] = speed_of(frame, i);
            break;
        case TS_COLOUR_SIZE:
            tint->value[i] = tint->header->body[i].radius;
            break;
        case TS_COLOUR_ANGLE:
            tint->value[i] = remainder(frame->body[i].angle, 2 * TS_PI) * (180 / TS_PI);
            break;
        default:
            tint->value[i] = tint->kind[i];
            break;
        }
    }
}

ts_colour ts_tint_colour(const ts_tint *tint, size_t i)
{
    const ts_picture_key *key = &tint->key;
    if (tint->header->body[i].fixed)
        return ts_colour_of(ts_theme_get(tint->style.theme)->fixed);
    if (key->kind == TS_KEY_SCALE)
        return ts_colour_map_at(key->map,
                                key->high > key->low ? (tint->value[i] - key->low) / (key->high - key->low) : 0);
    /* the golden ratio spreads shades evenly over neighbours in the order of bodies */
    double spread = (double)i * 0.6180339887498949;
    double shade = floor((spread - floor(spread)) * SHADES) - 0.5 * (SHADES - 1);
    return ts_colour_lighten(ts_colour_kind((size_t)tint->kind[i]), SHADE_STEP * shade);
}

/* ---- Words ---- */

/* Seconds, or what suits a shorter run; decimals enough to tell frames apart, the same for all frames. */
static void set_time_text(ts_tint *tint, double time)
{
    const ts_trajectory_header *header = tint->header;
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
    snprintf(tint->time_buffer, sizeof tint->time_buffer, "t = %s %s", ts_label_number(time / unit, decimals, number),
             name);
    tint->time_text = tint->time_buffer;

    double playback = tint->style.playback;
    tint->note = NULL;
    if (playback > 0 && isfinite(playback) && fabs(playback - 1) > 0.005) {
        double times = playback < 1 ? 1 / playback : playback;
        snprintf(tint->note_buffer, sizeof tint->note_buffer, "%s\xC3\x97 %s",
                 ts_label_number(times, times < 10 ? 1 : 0, number), playback < 1 ? "slower" : "faster");
        tint->note = tint->note_buffer;
    }
}

/* The top of a scale: a round number that all but a few values of most frames lie below. */
static double scale_high(ts_tint *tint, double share)
{
    if (tint->style.high > 0)
        return tint->style.high;
    double high = ts_tint_quantile(tint->value_high.item, tint->value_high.count, share);
    return high > 0 ? ts_nice_above(high) : 1;
}

static ts_picture_key scale_key(ts_colour_map map, double low, double high, const char *label, const char *unit)
{
    return (ts_picture_key){.kind = TS_KEY_SCALE, .map = map, .low = low, .high = high, .label = label, .unit = unit};
}

static void set_key(ts_tint *tint)
{
    const ts_frame_style *style = &tint->style;
    const ts_colour_map strong = style->theme == TS_THEME_DARK ? TS_MAP_MAGMA : TS_MAP_MAGMA_REVERSED;
    ts_picture_key key = {.kind = TS_KEY_KINDS, .name = tint->kind_name, .name_count = tint->kind_count};
    if (style->colour == TS_COLOUR_SPEED)
        key = scale_key(TS_MAP_VIRIDIS, 0, scale_high(tint, 0.9), "speed", "m/s");
    else if (style->colour == TS_COLOUR_FORCE)
        key = scale_key(strong, 0, scale_high(tint, 0.75), "\xCE\xA3 normal force", "N");
    else if (style->colour == TS_COLOUR_SIZE)
        key = scale_key(TS_MAP_VIRIDIS, tint->smallest, style->high > 0 ? style->high : tint->largest, "radius", "m");
    else if (style->colour == TS_COLOUR_ANGLE)
        key = scale_key(TS_MAP_WHEEL, -180, 180, "orientation", "\xC2\xB0");
    else if (style->colour == TS_COLOUR_LAYER)
        key.name_count = 0; /* layers explain themselves */
    key.beyond = has_values(tint) && tint->value_max > key.high * (1 + 1e-6);
    tint->key = key;
}

/* ---- The interface ---- */

static ts_status prepare(ts_tint *tint, ts_error *error)
{
    size_t count = tint->body_count;
    TS_TRY(ts_new(&tint->kind, count + 1, error));
    TS_TRY(ts_new(&tint->value, count + 1, error));
    TS_TRY(ts_new(&tint->sample, TS_TINT_SAMPLE, error));
    tint->smallest = HUGE_VAL;
    size_t stride = count / TS_TINT_SAMPLE + 1, seen = 0, sampled = 0;
    for (size_t i = 0; i < count; i++) {
        const ts_trajectory_body *body = &tint->header->body[i];
        if (body->fixed)
            continue;
        tint->smallest = fmin(tint->smallest, body->radius);
        tint->largest = fmax(tint->largest, body->radius);
        if (seen++ % stride == 0)
            tint->sample[sampled++] = body->radius;
    }
    tint->typical_radius = ts_tint_quantile(tint->sample, sampled, 0.5);

    TS_TRY(set_kinds(tint, tint->style.colour == TS_COLOUR_MATERIAL, error));
    if (tint->style.colour == TS_COLOUR_TYPE && tint->kind_count < 2)
        TS_TRY(set_kinds(tint, true, error));
    return TS_OK;
}

ts_status ts_tint_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_tint **tint,
                         ts_error *error)
{
    if (style->colour == TS_COLOUR_ANGLE && header->kind->turns > 1)
        return ts_fail(
            error, TS_BAD_INPUT,
            "bodies in space have no single angle to be coloured by; choose type, speed, force, size, material "
            "or layer");
    if ((style->chains || style->contacts || style->colour == TS_COLOUR_FORCE) && !header->has_contacts)
        return ts_fail(
            error, TS_BAD_INPUT,
            "this run recorded no contacts, so there are no forces to draw; run it again with contacts recorded");
    if (!(style->high >= 0) || !isfinite(style->high))
        return ts_fail(error, TS_BAD_INPUT, "the top of the colour scale is %g, but must be positive", style->high);
    TS_AUTO(ts_tint_free_at) ts_tint *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->header = header;
    made->style = *style;
    made->body_count = header->body_count;
    TS_TRY(prepare(made, error));
    *tint = ts_give(&made);
    return TS_OK;
}

void ts_tint_free(ts_tint *tint)
{
    if (!tint)
        return;
    ts_arena_free(&tint->arena);
    ts_free(tint->kind_name);
    ts_free(tint->kind);
    ts_array_free(&tint->value_high);
    ts_free(tint->value);
    ts_free(tint->sample);
    ts_free(tint);
}

ts_status ts_tint_survey(ts_tint *tint, const ts_frame *frame, ts_error *error)
{
    if (tint->style.colour == TS_COLOUR_LAYER && !tint->layered)
        set_layers(tint, frame);
    set_values(tint, frame);
    if (!has_values(tint))
        return TS_OK;
    size_t count = sample_bodies(tint, frame, shown_value);
    TS_TRY(ts_array_push(&tint->value_high, ts_tint_quantile(tint->sample, count, 0.99), error));
    for (size_t i = 0; i < tint->body_count; i++) {
        bool counts = !tint->header->body[i].fixed && frame->body[i].present && isfinite(tint->value[i]);
        tint->value_max = counts ? fmax(tint->value_max, tint->value[i]) : tint->value_max;
    }
    return TS_OK;
}

void ts_tint_set(ts_tint *tint, const ts_frame *frame)
{
    set_values(tint, frame);
    set_time_text(tint, frame->time);
    set_key(tint);
}
