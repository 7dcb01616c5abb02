/* SPDX-License-Identifier: MIT */
/* The point at which the largest of a few signed distances is least.
 *
 * A *feature* is a piece of an outline as a distance sees it: the line of an edge, the circle of an arc, a corner. Its signed distance
 *
 *     line      n · x - offset               n points out of the outline
 *     circle    side · (|x - c| - r)         side +1: the outline is within the circle; -1: around it
 *     corner    a circle with r = 0          side +1: seen from outside, -1: a re-entrant corner, seen from inside
 *
 * is smooth away from c. At the minimum of the largest of them two or three are equal, and positive multiples of their gradients
 * (the weights, whose sum is 1) cancel. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef struct ts_feature {
    ts_vec2 c;     /* centre; of a line, n */
    double r;      /* radius; of a line, offset */
    double side;   /* 0: a line */
    int32_t which; /* its place in the outline; of B, the complement */
} ts_feature;

static inline bool ts_feature_of_b(const ts_feature *f)
{
    return f->which < 0;
}

double ts_feature_value(const ts_feature *f, ts_vec2 x);
ts_vec2 ts_feature_gradient(const ts_feature *f, ts_vec2 x);

#define TS_MINIMAX_FEATURES 8

typedef struct ts_minimax {
    ts_vec2 x;
    double value;
    int count; /* features that are equal there: 2 or 3, or 1 at the centre of a circle */
    int active[3];
    double weight[3];
} ts_minimax;

/* The lowest local minimum of max over `count` features that lies within `radius` of x; false when there is none. */
bool ts_minimax_solve(const ts_feature *feature, int count, ts_vec2 x, double radius, ts_minimax *solution);
/* About the lowest point of max over the features on the circle of `radius` about x; x itself when that is lower. */
ts_vec2 ts_minimax_step(const ts_feature *feature, int count, ts_vec2 x, double radius);
