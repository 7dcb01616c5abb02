/* SPDX-License-Identifier: MIT */
/* Between metres and the pair's unit: relative poses in, records out (query.c, query.simd.c). */
#pragma once

#include "cspace/field.h"
#include "touchstone/map.h"

/* Poses that are worked on together: few enough that all of it stays in the nearest cache. */
#define TS_QUERY_BATCH 64

/* What the way back needs of each pose. */
typedef struct ts_query_frame {
    double cosine[TS_QUERY_BATCH], sine[TS_QUERY_BATCH];       /* of A's angle */
    double across_x[TS_QUERY_BATCH], across_y[TS_QUERY_BATCH]; /* from A's centre to B's, in the world [m] */
    double length[TS_QUERY_BATCH];                             /* of the pair's unit [m] */
    double bad[TS_QUERY_BATCH]; /* NaN: a pose that is not finite, or whose scale is below 0; 0: a good one */
} ts_query_frame;

typedef struct ts_query_kernels {
    /* poses of B in A's frame; `unit` is that of the pair, count ≤ TS_QUERY_BATCH */
    void (*relative)(double unit, size_t count, const ts_map_pose *pose, ts_fields *fields, ts_query_frame *frame);
    /* `radius_b` in the pair's unit */
    void (*records)(double radius_b, size_t count, const ts_map_pose *pose, const ts_fields *fields,
                    const ts_query_frame *frame, ts_map_contact *contact);
} ts_query_kernels;

const ts_query_kernels *ts_query_choose(void);
