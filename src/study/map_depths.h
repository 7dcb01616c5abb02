/* SPDX-License-Identifier: MIT */
/* Two depths of overlapping outlines beside each other (cspace/exact.h): balanced, the width of the largest disc in the
 * overlap, which is simulated; and true, the shortest way out. */
#pragma once

#include <stdint.h>

#include "base/threads.h"
#include "touchstone/shape.h"

/* To which the true depth is worked out, as a share of the larger radius. */
#define TS_MAP_DEPTHS_TOLERANCE 1e-4

/* Lengths as shares of the smaller radius; NaN when the true depth could not be found at some pose. */
typedef struct ts_map_depths {
    double mean, most; /* true minus balanced depth */
    double below;    /* the largest balanced minus true depth, at least 0: a disc in both must be left entirely, so 0 */
    double beyond;   /* the largest true depth minus that of the bounding circles, whose way out is one for all: 0 */
    double steepest; /* balanced: the largest change over the length of a shift: 1 or less */
} ts_map_depths;

/* On `count` overlapping poses. Deterministic for a seed. */
ts_status ts_map_depths_measure(const ts_outline *a, const ts_outline *b, size_t count, uint64_t seed, ts_pool *pool,
                                ts_map_depths *depths, ts_error *error);

/* Both depths where they are known: two equal squares, face on face, one pressed into the other by a hundredth to a
 * tenth of its side and shifted along the face by up to 0.6 of it. The overlap is a rectangle as thick as that depth,
 * which is the way out as well. */
typedef struct ts_map_faces {
    double balanced, truth; /* the largest |depth / known depth - 1| */
} ts_map_faces;
ts_status ts_map_depths_faces(const ts_outline *square, ts_map_faces *faces, ts_error *error);
