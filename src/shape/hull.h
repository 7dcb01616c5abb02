/* SPDX-License-Identifier: MIT */
/* Convex polyhedra: the hull of points in space, with what contact between polyhedra asks for (ts_hull in solid.h).
 *
 *         ●───────────●
 *        ╱ ╲         ╱ ╲        vertices   those points that are corners, as they were given, in the order they were given
 *       ╱   ╲  face ╱   ╲       faces      as large as they are flat: a cube has 6 squares, not 12 triangles
 *      ●─────●─────●     ●      edges      between two faces; Euler: vertices − edges + faces = 2
 *       ╲         ╱     ╱
 *
 * Lengths count in units of the points' extent (the longest side of their box). Faces that are one but for 1e-8 of it
 * become one; then a corner may lie below the plane of its face, whose offset is that of the highest corner of all, by
 * about as much, never more than 1e-6. Points nearer to a plane than 1e-6 are flat and refused.
 *
 * The hull itself is Qhull's (Barber, Dobkin and Huhdanpaa, "The Quickhull algorithm for convex hulls", 1996); builds
 * without it answer TS_UNSUPPORTED and name the package. Faces begin with their smallest corner and are sorted by their
 * corners, so that a hull with clear faces does not depend on how Qhull came to it. */
#pragma once

#include "base/memory.h"
#include "shape/solid.h"

#define TS_HULL_POINTS_MAX ((size_t)10000000)

/* Of finite points, at least 4 that do not lie in a plane, in any order, inner ones and equal ones among them.
 * Deterministic. */
ts_status ts_hull_create(const ts_vec3 *point, size_t count, ts_hull **hull, ts_error *error);
/* A box about the origin with these half extents, made directly; it has 8 vertices and 6 faces. */
ts_status ts_hull_box(ts_vec3 half, ts_hull **hull, ts_error *error);
void ts_hull_free(ts_hull *hull); /* NULL is fine */
TS_RELEASE_AT(ts_hull, ts_hull_free)

/* The vertex farthest along `direction` (of any length), by climbing from vertex `start` to the best neighbour until
 * none is better. Near the answer already, that is one look around. Where merged faces are not quite flat it may be
 * short by that much. */
int32_t ts_hull_support(const ts_hull *hull, ts_vec3 direction, int32_t start);
