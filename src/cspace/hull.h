/* SPDX-License-Identifier: MIT */
/* The convex hull of an outline, arcs included, as its support function.
 *
 * How far does an outline reach in the direction u(ψ) = (cos ψ, sin ψ)? That is h(ψ) = max p · u over all of its points
 * p. A wall feels nothing else of it: dents and holes lie behind the hull. At a corner h = c · u, on an arc that bulges
 * outward h = c · u + r, c its centre. One corner or arc follows the other, each for the directions of its normals; a
 * face is the jump from one to the next:
 *
 *                ↑             ↑ from_2
 *             c2 ●─────────────● c1 ─▶ from_1
 *
 *     h(ψ) = c_k · u(ψ) + r_k      for from_k ≤ ψ < from_(k+1)
 *
 * It is made as the upper envelope of the support functions of all edges, two halves at a time: O(n log n). Where two
 * of them are equal up to rounding it does not matter which is taken. An arc that is flatter than a bulge of 1e-8
 * counts as a line (it is off from one by 5e-9 of its length): its centre lies too far away to be worked with. */
#pragma once

#include "base/status.h"
#include "base/vec.h"
#include "touchstone/shape.h"

typedef struct ts_hull2_piece {
    double from; /* direction of its first normal, in [0, 2π) [rad] */
    ts_vec2 c;   /* corner, or centre of an arc, as seen from the centre of mass [m] */
    double r;    /* radius of an arc; 0: a corner [m] */
} ts_hull2_piece;

typedef struct ts_hull2 {
    size_t count;          /* at least 1; neighbours differ, but the last one may go on as the first */
    ts_hull2_piece *piece; /* by direction, from 0 on; one more ends them at 2π (count + 1) */
} ts_hull2;

ts_status ts_hull2_create(const ts_outline *outline, ts_hull2 *hull, ts_error *error);
void ts_hull2_free(ts_hull2 *hull);
/* The piece of a direction in [0, 2π). */
size_t ts_hull2_find(const ts_hull2 *hull, double direction);
