/* SPDX-License-Identifier: MIT */
/* Corners on straight edges, four at a time: what contact/features.h says of each, in world axes.
 *
 * A lane is a pair of features: a point (a corner or a disc) of one shape and a line of the other. The arithmetic is
 * that of ts_feature_contact_at, and so are the answers, up to rounding. Lanes whose point is deep are left to that
 * function, which asks the whole shape. */
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
    double reach;           /* gaps below this count [m] */
} ts_feature_stance;

typedef struct ts_feature_lane {
    const ts_feature_point *point;
    const ts_feature_edge *edge;
    const ts_feature_stance *side;
} ts_feature_lane;

/* The most near keys of a pair whose places are found by lanes: rivals are bits of a word. */
#define TS_FEATURE_LANES 64

typedef struct ts_feature_answers {
    double gap[2 * TS_FEATURE_LANES];
    double nx[2 * TS_FEATURE_LANES], ny[2 * TS_FEATURE_LANES]; /* unit normal from A to B, world axes */
    double x[2 * TS_FEATURE_LANES], y[2 * TS_FEATURE_LANES];   /* point on B, from B's origin, world axes [m] */
    /* bit i of word w: lane 64 w + i has a gap below its reach, and is */
    uint64_t facing[2]; /* a place */
    uint64_t behind[2]; /* none, but may hide others */
    uint64_t unsure[2]; /* facing, but deep: ts_feature_contact_at knows */
} ts_feature_answers;

/* The lanes from `first` on, up to `end`, as the low bits of a word. */
static inline uint64_t ts_feature_bits(const uint64_t word[2], int first, int end)
{
    const uint64_t low = first < 64 ? word[0] >> first : 0;
    const uint64_t high = first == 0 ? 0 : first < 64 ? word[1] << (64 - first) : word[1] >> (first - 64);
    return (low | high) & (end - first == 64 ? UINT64_MAX : (UINT64_C(1) << (end - first)) - 1);
}

typedef struct ts_feature_kernels {
    /* `count` ≤ 2 TS_FEATURE_LANES */
    void (*ask)(const ts_feature_lane *lane, int count, ts_feature_answers *out);
    /* Shares of a batch's contacts in their pairs: `begin` has the first contact of each of `count` pairs, and the
     * last one's end. */
    void (*share)(ts_contact_batch *batch, const uint8_t *begin, int count);
    /* cosine and sine of each frame's angle */
    void (*turn)(const ts_frame2 *part, size_t count, double (*turn)[2]);
} ts_feature_kernels;

const ts_feature_kernels *ts_feature_choose(void);
