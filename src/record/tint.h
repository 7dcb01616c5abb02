/* SPDX-License-Identifier: MIT */
/* What colours mean in pictures of a run, in the plane and in space: a value for each body, one scale for a whole
 * trajectory, and the words that explain them.
 *
 *     ts_tint_create(header, &style, &tint, &error);
 *     for a sample of frames:  ts_tint_survey(tint, &frame, &error);    finds the scale
 *     for each frame:          ts_tint_set(tint, &frame);               tint->value[i], tint->key, tint->time_text, tint->note */
#pragma once

#include "base/memory.h"
#include "record/draw_frame.h"
#include "record/draw_label.h"

/* Quantiles are taken of at most this many values, evenly picked. */
#define TS_TINT_SAMPLE 16384

typedef struct ts_tint {
    const ts_trajectory_header *header;
    ts_frame_style style;
    size_t body_count;
    double typical_radius;    /* median of the moving bodies [m] */
    double smallest, largest; /* radius of the moving bodies [m] */

    /* of the frame that was set last */
    double *value; /* a kind's number or a quantity, as the key says (body_count) */
    ts_picture_key key;
    const char *time_text;
    const char *note; /* how fast a video is; NULL: as fast as the world */

    /* the tint's own */
    ts_arena arena; /* names */
    const char **kind_name;
    int32_t *kind; /* of each body */
    size_t kind_count;
    TS_ARRAY(double) value_high; /* high quantile of the values of each frame surveyed */
    double value_max;
    bool layered;   /* kind[] was set from heights */
    double *sample; /* (TS_TINT_SAMPLE) */
    char time_buffer[2 * TS_LABEL_SIZE], note_buffer[2 * TS_LABEL_SIZE];
} ts_tint;

/* The header must outlive the tint. TS_BAD_INPUT when the style needs contacts and the trajectory has none, or an
 * angle in space. */
ts_status ts_tint_create(const ts_trajectory_header *header, const ts_frame_style *style, ts_tint **tint,
                         ts_error *error);
void ts_tint_free(ts_tint *tint); /* NULL is fine */
TS_RELEASE_AT(ts_tint, ts_tint_free)
ts_status ts_tint_survey(ts_tint *tint, const ts_frame *frame, ts_error *error);
void ts_tint_set(ts_tint *tint, const ts_frame *frame);
/* The colour of body `i` in the frame that was set last; kinds differ a little in lightness from neighbour to
 * neighbour. */
ts_colour ts_tint_colour(const ts_tint *tint, size_t i);

/* Sorts `value` in place; `share` from 0 (least) to 1. */
double ts_tint_quantile(double *value, size_t count, double share);
/* |normal force| of a contact, 0 where it is not finite [N]. */
double ts_tint_force(const ts_frame_contact *contact);
