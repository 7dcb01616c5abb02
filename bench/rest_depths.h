/* SPDX-License-Identifier: MIT */
/* Part of the bench `rest`: how deep bodies are in each other, from poses alone. No contact of any program has a part
 * in it, and all programs are measured by this one code.
 *
 *       ╭─────╮        Of two convex pieces the depth is the shortest way that parts them: the least overlap of their
 *       │  A ┌┼────╮   projections, over the normals of faces and, in space, the cross products of edges (separating
 *       ╰────┼╯  B │   axes). Of two discs it is the sum of radii without the distance.
 *            ╰─────╯
 *
 * A body of several pieces, such as a `#` of four bars, counts pair of pieces by pair of pieces. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "base/vec.h"

#define TS_CONVEX_POINTS_MAX 32

/* A piece of a body, in the body's frame; in the plane z is 0. */
typedef struct ts_convex {
    size_t point_count, normal_count, edge_count;
    ts_vec3 point[TS_CONVEX_POINTS_MAX];  /* corners [m] */
    ts_vec3 normal[TS_CONVEX_POINTS_MAX]; /* of faces, in the plane of edges; one of two that are opposite is enough */
    ts_vec3 edge[TS_CONVEX_POINTS_MAX];   /* directions of edges, unit; none in the plane */
    double radius;                        /* of a disc or ball, whose centre is its only point; otherwise 0 [m] */
} ts_convex;

/* Overlap of two pieces [m]; 0: none. */
double ts_convex_depth(const ts_convex *a, ts_pose3 at_a, const ts_convex *b, ts_pose3 at_b);

/* Where bodies stay: normal · x ≥ offset. */
typedef struct ts_bound {
    ts_vec3 normal; /* unit */
    double offset;  /* [m] */
} ts_bound;

/* Equal bodies between walls. */
typedef struct ts_crowd {
    const ts_convex *piece; /* of each body */
    size_t piece_count;
    const ts_bound *wall;
    size_t wall_count;
    double thin; /* half of what is thinnest: a pair that overlaps by more has passed through [m] */
    size_t count;
} ts_crowd;

typedef struct ts_depths {
    size_t pairs;                  /* of pieces that overlap */
    double mean, most_of_99, most; /* of these: mean, 99th percentile, largest; 0 without pairs [m] */
    size_t through;                /* pairs that have passed through each other, and bodies whose centre is in a wall */
    double wall;                   /* deepest in a wall [m] */
} ts_depths;

ts_status ts_depths_measure(const ts_crowd *crowd, const ts_pose3 *pose, ts_depths *depths, ts_error *error);
