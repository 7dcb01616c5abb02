/* SPDX-License-Identifier: MIT */
/* What an outline looks like from the inside: three panels in one picture.
 *
 *     ┌─────────────────────────────────────────────┐
 *     │ title                                       │
 *     │  outline        distance        medial axis │
 *     │  lines, arcs,   contour lines   points that │
 *     │  vertices,      every so much,  are nearest │
 *     │  centre, circle sign by colour  to two edges│
 *     └─────────────────────────────────────────────┘
 */
#pragma once

#include "base/status.h"
#include "base/threads.h"
#include "touchstone/shape.h"

typedef struct ts_shape_picture {
    const char *title; /* may be NULL */
    const char *unit;  /* of lengths, "m" (takes prefixes), or a word of its own such as "em" */
    int width;         /* [px], 300 to 8192; 0: 1500 */
    ts_pool *pool;     /* may be NULL; borrowed */
} ts_shape_picture;

/* Writes a PNG file, atomically. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_shape(const char *path, const ts_outline *outline, const ts_shape_picture *about, ts_error *error);
