/* SPDX-License-Identifier: MIT */
/* Outlines measured the slow way, for the study of outlines: by throwing points, and by looking at every edge for every
 * point.
 *
 * Nothing here uses the engine's mass properties, distance, winding rule or even its formulas for arcs: from the
 * vertices and bulges of touchstone/shape.h everything is worked out anew, in long double. */
#pragma once

#include "base/status.h"
#include "base/threads.h"
#include "touchstone/shape.h"

/* Area, centre and polar second moment about the centre by Monte Carlo: one point at random in each cell of a grid of
 * rows and columns over the bounding box of the outline turned by some angle. */
ts_status ts_truth_mass(const ts_outline *outline, int rows, int columns, uint64_t seed, ts_pool *pool,
                        ts_outline_mass *mass, ts_error *error);

/* The farthest that any point of the boundary lies from (x, y). */
ts_status ts_truth_radius(const ts_outline *outline, double x, double y, double *radius, ts_error *error);

/* How far the engine's distances are from the truth, over random points of the box twice as large as the outline,
 * of which a quarter lie next to the boundary and an eighth around its vertices. */
typedef struct ts_truth_distance {
    double line_error;  /* largest error where the nearest edge is a line, as a share of the radius */
    double arc_error;   /* the same where it is an arc */
    double point_error; /* |distance from the point to the nearest point given| against the distance, as a share */
    size_t wrong_sides; /* points whose sign is wrong, of those farther than 1e-9 radii from the boundary */
    size_t lines, arcs; /* points that were nearest to a line, to an arc */
} ts_truth_distance;

ts_status ts_truth_compare(const ts_outline *outline, size_t count, uint64_t seed, ts_pool *pool,
                           ts_truth_distance *result, ts_error *error);
