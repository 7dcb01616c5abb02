/* SPDX-License-Identifier: MIT */
/* Corners on straight edges, four at a time: what contact/features.h says of each, in world axes.
 *
 * A lane is a pair of features: a point (a corner or a disc) of one shape and a line of the other. The arithmetic is that
 * of ts_feature_contact_at, and so are the answers, up to rounding. Lanes whose point is deep are left to that function,
 * which asks the whole shape. */
#pragma once

#include "contact/contact.h"
#include "contact/features.h"

/* How a shape with points stands to one with edges. */
typedef struct ts_feature_stance {
    ts_relative to;         /* pose of the points in the edges' frame */
    double c, s;            /* turns the edges' axes into the world's */
    double x, y;            /* the origin of the edges, from that of B [m] */
    double tolerance, most; /* for feet (features.h) [m] */
    double sign;            /* 1: the edges are those of A; -1: of B */
    double onto;            /* of the gap, from the edge to B's surface: 1 or 0 */
} ts_feature_stance;

typedef struct ts_feature_lane {
    const ts_feature_point *point;
    const ts_feature_edge *edge;
    const ts_feature_stance *side;
} ts_feature_lane;

#define TS_FEATURE_LANES 64

/* As ts_facing, and one more. */
#define TS_FACING_UNSURE 3 /* it is deep: ts_feature_contact_at knows */

typedef struct ts_feature_answers {
    double gap[TS_FEATURE_LANES];
    double nx[TS_FEATURE_LANES], ny[TS_FEATURE_LANES]; /* unit normal from A to B, world axes */
    double x[TS_FEATURE_LANES], y[TS_FEATURE_LANES];   /* point on B, from B's origin, world axes [m] */
    uint8_t is[TS_FEATURE_LANES];                      /* ts_facing */
} ts_feature_answers;

typedef struct ts_feature_kernels {
    /* `count` ≤ TS_FEATURE_LANES */
    void (*ask)(const ts_feature_lane *lane, int count, ts_feature_answers *out);
    /* cosine and sine of each frame's angle */
    void (*turn)(const ts_frame2 *part, size_t count, double (*turn)[2]);
} ts_feature_kernels;

const ts_feature_kernels *ts_feature_choose(void);
