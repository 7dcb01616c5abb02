/* SPDX-License-Identifier: MIT */
#include "record/draw_frame.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "record/tint.h"

/* Forces below this share of the widest line's are not drawn. */
#define FAINT 0.02

struct ts_painter {
    const ts_trajectory_header *header;
    ts_tint *tint; /* what colours mean */
    bool chains;
    ts_picture_shape *shape;

    /* found by the survey */
    ts_box view;
    TS_ARRAY(double) force_high; /* high quantile of the contact forces of each frame surveyed */
    size_t surveyed;

    /* of the current frame */
    ts_picture picture;
    ts_picture_key key;
    ts_picture_body *body;
    ts_picture_wall *wall;
    TS_ARRAY(ts_picture_line) line;
    double *sample; /* (TS_TINT_SAMPLE) */
    char line_label[2 * TS_LABEL_SIZE];
};

/* ---- A frame ---- */

static bool is_body(const ts_painter *painter, int64_t id)
{
    return id >= 0 && (uint64_t)id < painter->header->body_count;
}

static void place_bodies(ts_painter *painter, const ts_frame *frame)
{
    const ts_trajectory_header *header = painter->header;
    for (size_t i = 0; i < header->body_count; i++) {
        const ts_frame_body *from = &frame->body[i];
        const ts_trajectory_body *about = &header->body[i];
        painter->body[i] = (ts_picture_body){.x = from->pose.position.x,
                                             .y = from->pose.position.y,
                                             .angle = from->angle,
                                             .scale = about->scale,
                                             .value = painter->tint->value[i],
                                             .shape = about->shape,
                                             .fixed = about->fixed,
                                             .hidden = !from->present};
    }
    painter->picture.wall_count = 0;
    for (size_t i = 0; i < header->wall_count; i++) {
        const ts_trajectory_wall *about = &header->wall[i];
        const ts_frame_wall *from = &frame->wall[i];
        if (!from->present)
            continue;
        double c = cos(from->angle), s = sin(from->angle);
        painter->wall[painter->picture.wall_count++] = (ts_picture_wall){.kind = about->kind,
                                                                         .x = from->pose.position.x,
                                                                         .y = from->pose.position.y,
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
    double high = ts_tint_quantile(painter->force_high.item, painter->force_high.count, 0.75);
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
        double share = fmin(ts_tint_force(contact) / high, 1);
        if (share < FAINT || !is_body(painter, contact->b))
            continue;
        double width = 0.9 * share * painter->tint->typical_radius;
        const ts_frame_body *b = &frame->body[contact->b];
        bool wall = !is_body(painter, contact->a);
        const ts_frame_body *a = wall ? b : &frame->body[contact->a];
        bool straight = !wall && is_disc(painter, contact->a) && is_disc(painter, contact->b);
        ts_picture_line line = {.x0 = b->pose.position.x,
                                .y0 = b->pose.position.y,
                                .x1 = contact->point[0],
                                .y1 = contact->point[1],
                                .width = width};
        if (straight) {
            line.x1 = a->pose.position.x;
            line.y1 = a->pose.position.y;
        }
        painter->line.item[painter->line.count++] = line;
        if (!wall && !straight) {
            line.x0 = a->pose.position.x;
            line.y0 = a->pose.position.y;
            painter->line.item[painter->line.count++] = line;
        }
    }
    return TS_OK;
}

/* What the tint says, and what lines mean. */
static void set_words(ts_painter *painter)
{
    painter->picture.time_text = painter->tint->time_text;
    painter->picture.note = painter->tint->note;
    painter->key = painter->tint->key;
    if (painter->chains && chain_high(painter) > 0) {
        char force[TS_LABEL_SIZE];
        snprintf(painter->line_label, sizeof painter->line_label, "force \xE2\x89\xA5 %s",
                 ts_label_quantity(chain_high(painter), "N", force));
        painter->key.line_label = painter->line_label;
        painter->key.line_width = 0.9 * painter->tint->typical_radius;
    }
}

/* ---- The interface ---- */

static ts_status prepare(ts_painter *painter, ts_error *error)
{
    const ts_trajectory_header *header = painter->header;
    painter->shape = ts_alloc(header->shape_count + 1, sizeof *painter->shape);
    painter->body = ts_alloc(header->body_count + 1, sizeof *painter->body);
    painter->wall = ts_alloc(header->wall_count + 1, sizeof *painter->wall);
    painter->sample = painter->chains ? ts_alloc(TS_TINT_SAMPLE, sizeof *painter->sample) : NULL;
    if (!painter->shape || !painter->body || !painter->wall || (painter->chains && !painter->sample))
        return ts_fail_memory(error, header->body_count * sizeof *painter->body);
    for (size_t s = 0; s < header->shape_count; s++)
        painter->shape[s] =
            (ts_picture_shape){header->shape[s].disc, header->shape[s].disc_count, header->shape[s].outline};
    painter->picture = (ts_picture){.shape = painter->shape,
                                    .shape_count = header->shape_count,
                                    .body = painter->body,
                                    .body_count = header->body_count,
                                    .wall = painter->wall,
                                    .faded = painter->chains};
    return TS_OK;
}

ts_status ts_painter_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_painter **painter,
                            ts_error *error)
{
    if (style->contacts)
        return ts_fail(error, TS_BAD_INPUT,
                       "contacts are drawn as arrows in space only; leave out --contacts, or draw force chains with "
                       "--chains");
    TS_AUTO(ts_painter_free_at) ts_painter *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->header = header;
    made->chains = style->chains;
    made->view = TS_BOX_NONE;
    TS_TRY(ts_tint_create(header, style, &made->tint, error));
    TS_TRY(prepare(made, error));
    *painter = ts_give(&made);
    return TS_OK;
}

void ts_painter_free(ts_painter *painter)
{
    if (!painter)
        return;
    ts_tint_free(painter->tint);
    ts_free(painter->shape);
    ts_array_free(&painter->force_high);
    ts_free(painter->body);
    ts_free(painter->wall);
    ts_array_free(&painter->line);
    ts_free(painter->sample);
    ts_free(painter);
}

ts_status ts_painter_survey(ts_painter *painter, const ts_frame *frame, ts_error *error)
{
    TS_TRY(ts_tint_survey(painter->tint, frame, error));
    place_bodies(painter, frame);
    ts_box box;
    TS_TRY(ts_picture_box(&painter->picture, &box, error));
    painter->view = ts_box_union(painter->view, box);

    if (painter->chains) {
        size_t stride = frame->contact_count / TS_TINT_SAMPLE + 1, count = 0;
        for (size_t k = 0; k < frame->contact_count; k += stride)
            painter->sample[count++] = ts_tint_force(&frame->contact[k]);
        /* frames in free flight have no say in how strong a strong force is */
        if (count > 0)
            TS_TRY(ts_array_push(&painter->force_high, ts_tint_quantile(painter->sample, count, 0.99), error));
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
    ts_tint_set(painter->tint, frame);
    place_bodies(painter, frame);
    if (painter->chains)
        TS_TRY(place_lines(painter, frame, error));
    painter->picture.line = painter->line.item;
    painter->picture.line_count = painter->line.count;
    set_words(painter);
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
