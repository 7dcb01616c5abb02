/* SPDX-License-Identifier: MIT */
/* A few things in space from four sides, in one sheet:
 *
 *     ┌─────────────────────────────────────────┐
 *     │ Title                     legend  ├──┤   │
 *     │ from the front right   from the left    │       one scale for all four; the eye is far away, so that the scale
 *     │ ┌─────────────────┐   ┌───────────────┐ │       bar holds for all that is drawn, to a few percent
 *     │ └─────────────────┘   └───────────────┘ │
 *     │ from behind            from above       │
 *     └─────────────────────────────────────────┘ */
#pragma once

#include "record/trace.h"

/* Where an eye stands, seen from the things, where z is up. */
enum { TS_SIDES_COLUMNS = 2, TS_SIDES_ROWS = 2, TS_SIDES = TS_SIDES_COLUMNS * TS_SIDES_ROWS };
typedef struct ts_side {
    const char *text;
    ts_vec3 from, up;
} ts_side;
extern const ts_side ts_side_of[TS_SIDES];

typedef struct ts_sides {
    const ts_thing *thing; /* borrowed (thing_count) */
    size_t thing_count;
    ts_box3 focus;      /* what is to be seen; low > high: all things [m] */
    ts_picture_key key; /* what colours mean */
    const char *title;  /* may be NULL */
    const char *note;   /* in small words above the first side; may be NULL */
    int width;          /* [px]; 0: 1400 */
    ts_theme theme;
    ts_pool *pool; /* may be NULL; borrowed */
} ts_sides;

/* Writes a PNG file, atomically. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_sides(const char *path, const ts_sides *sides, ts_error *error);
