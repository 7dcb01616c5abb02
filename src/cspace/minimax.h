/* SPDX-License-Identifier: MIT */
/* Points at which the largest of a few signed distances can be least.
 *
 * A *feature* is a piece of an outline as a distance sees it: the line of an edge, the circle of an arc, a corner. Its
 * signed distance
 *
 *     line      n · x - offset               n points out of the outline
 *     circle    side · (|x - c| - r)         side +1: the outline is within the circle; -1: around it
 *     corner    a circle with r = 0          side -1: a re-entrant corner, seen from inside
 *
 * is smooth away from c. Where the largest of them is least, positive multiples of the gradients of those that are
 * equal (the weights, whose sum is 1) cancel: it is the centre of a circle, or lies on a common normal of two features,
 * or is as far from one as from two others. All three kinds have closed forms, so all such points can be listed. */
#pragma once

#include <stdbool.h>

#include "base/vec.h"

typedef struct ts_feature {
    ts_vec2 c;   /* centre; of a line, n */
    double r;    /* radius; of a line, offset */
    double side; /* 0: a line */
    ts_vec2 p;   /* of a circle, a point on it: near it distances lose nothing, however far the centre */
} ts_feature;

double ts_feature_value(const ts_feature *f, ts_vec2 x);
ts_vec2 ts_feature_gradient(const ts_feature *f, ts_vec2 x);

/* Centres of discs inside, and their radii. */
typedef struct ts_critical {
    int count;
    ts_vec2 x[2];
    double radius[2];
} ts_critical;

/* Discs that touch both features at the ends of a diameter. Where there are as many as points on a line or a circle,
 * the one that is nearest to `near`. */
ts_critical ts_critical_pair(const ts_feature *f, const ts_feature *g, ts_vec2 near);
/* Where discs are wanted. */
typedef struct ts_wanted {
    ts_vec2 near;
    double reach; /* no farther from there */
    double least; /* no smaller */
} ts_wanted;

/* Discs that touch all three; such as are not wanted may be left out. */
ts_critical ts_critical_three(const ts_feature *const f[3], const ts_wanted *wanted);

/* Weights ≥ 0 with sum 1 on at most three of `count` unit vectors, so that what they add up to is short; returns its
 * length. The rest of `weight` gets zeros. */
double ts_minimax_weights(const ts_vec2 *n, int count, double *weight);
