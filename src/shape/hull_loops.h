/* SPDX-License-Identifier: MIT */
/* Between hull.c and whoever finds hulls (hull_qhull.c): faces as loops of points. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct ts_hull_loops {
    TS_ARRAY(int32_t) corner; /* of all faces, counter-clockwise from outside: indices of points */
    TS_ARRAY(int32_t) begin;  /* where each face begins, and the end (faces + 1) */
} ts_hull_loops;

void ts_hull_loops_free(ts_hull_loops *loops); /* a zeroed one is fine */

/* Of points whose extent is 1, about the origin. `point` is not changed, but Qhull does not say so. */
ts_status ts_hull_find_loops(double (*point)[3], size_t count, ts_hull_loops *loops, ts_error *error);
