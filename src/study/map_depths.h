/* SPDX-License-Identifier: MIT */
/* Two depths of overlapping outlines beside each other (cspace/exact.h): balanced, the width of the largest disc in the overlap, which is
 * simulated; and true, the shortest way out. */
#pragma once

#include <stdint.h>

#include "base/threads.h"
#include "touchstone/shape.h"

/* To which the true depth is worked out, as a share of the larger radius. */
#define TS_MAP_DEPTHS_TOLERANCE 1e-4

/* Lengths as shares of the larger radius. */
typedef struct ts_map_depths {
    double mean, most; /* true minus balanced depth */
    double below;      /* the largest balanced minus true depth: a disc in both must be left entirely, so 0 */
    double beyond;     /* the largest true depth minus that of the bounding circles, whose way out is one for all: 0 */
    double steepest;   /* balanced: the largest change over the length of a shift: 1 or less */
} ts_map_depths;

/* On `count` overlapping poses. Deterministic for a seed. */
ts_status ts_map_depths_measure(const ts_outline *a, const ts_outline *b, size_t count, uint64_t seed, ts_pool *pool,
                                ts_map_depths *depths, ts_error *error);
