/* SPDX-License-Identifier: MIT */
/* The edges of an outline as closed forms want them, and how two edges lie to each other. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"
#include "touchstone/shape.h"

typedef struct ts_rim_edge {
    ts_vec2 p, q;   /* ends */
    double bulge;   /* 0: a line */
    ts_vec2 c;      /* of an arc: centre */
    double r;       /* radius */
    ts_vec2 middle; /* unit vector from the centre to the middle of the arc */
    double half;    /* cosine of half the angle that the arc spans */
    double sine;    /* its sine */
    ts_vec2 about;  /* a circle that holds the edge */
    double around;  /* its radius */
    bool corner;    /* re-entrant at p: points inside may be nearest to it */
} ts_rim_edge;

/* Edges in groups of eight neighbours, each within a circle. */
typedef struct ts_rim {
    size_t count, group_count, contour_count;
    ts_rim_edge *edge;    /* (count) */
    size_t *begin;        /* contour i has edges begin[i] … begin[i + 1] - 1 (contour_count + 1) */
    ts_vec2 *group_about; /* (group_count): edges 8 g … 8 g + 7 */
    double *group_around;
} ts_rim;

enum { ts_edge_group = 8 };

ts_status ts_rim_create(const ts_outline *outline, ts_rim *edges, ts_error *error);
void ts_rim_free(ts_rim *edges);

/* Turned by (cosine, sine), then shifted. */
ts_rim_edge ts_edge_placed(const ts_rim_edge *e, ts_vec2 shift, double cosine, double sine);

/* Whether a direction d of `length` from the centre meets the arc: by the sine when the angle is too small for a
 * cosine. */
static inline bool ts_edge_meets(const ts_rim_edge *e, ts_vec2 d, double length)
{
    double along = ts_vec2_dot(d, e->middle);
    return e->half < 0.7 ? along >= e->half * length
                         : along > 0 && fabs(ts_vec2_cross(d, e->middle)) <= e->sine * length;
}

/* The point of an edge that is nearest to x. */
ts_vec2 ts_edge_nearest(const ts_rim_edge *e, ts_vec2 x);
/* Where a point of the edge lies on it: 0 at p, 1 at q, monotonic between. */
double ts_edge_parameter(const ts_rim_edge *e, ts_vec2 x);
ts_vec2 ts_edge_point(const ts_rim_edge *e, double t);
/* The parameter of the middle, by length, of the part from t0 to t1. */
double ts_edge_between(const ts_rim_edge *e, double t0, double t1);
/* Unit vector from p towards q at a point x of the edge; what lies inside is to its left. */
ts_vec2 ts_edge_direction(const ts_rim_edge *e, ts_vec2 x);

/* Shortest way between two edges: its length, from `a` on the first to `b` on the second. Crossing edges are not
 * recognised. */
double ts_edge_distance(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 *a, ts_vec2 *b);
/* Points that two edges share: at most 2. Edges that lie on each other share none here. */
int ts_edge_crossings(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 at[2]);
