/* SPDX-License-Identifier: MIT */
/* The surface where a function is zero, as a closed mesh: marching tetrahedra.
 *
 *     value < 0 inside, ≥ 0 outside                  ●───────────●        each cube of a lattice is cut into five tetrahedra, by one diagonal
 *                                                    │╲       ╱  │        of each face; neighbours are mirror images of each other, so that
 *     a tetrahedron with one corner inside or        │  ╲   ╱    │        their diagonals agree
 *     outside is cut in a triangle, one with two     │    ╳      │
 *     of each in a quadrilateral                     │  ╱        │
 *
 * The faces of all tetrahedra fit together, so the surface closes by construction, and each of its vertices stands on
 * one edge, where the function's root is found (a few steps of false position). No vertex comes nearer to the end of
 * its edge than 2 % of it: that keeps all triangles from degenerating, and moves the surface by 2 % of a cell at most,
 * where it passes a corner of the lattice.
 *
 * The lattice is symmetric about the middle of the box, and so is what is done with it: a function with f(x, −y, z) =
 * f(x, y, z) to the last bit gives a mesh whose vertices are mirror images to the last bit, and likewise for x and z,
 * when the box's middle is 0 there. */
#pragma once

#include "shape/mesh.h"

/* Lattice cells along one side of the box, at most. */
#define TS_MESH_ISO_CELLS_MAX 2000

/* Negative inside; continuous. Called for lattice points and again for points near the surface. */
typedef double (*ts_iso_function)(void *user, ts_vec3 point);

/* Inside of `box`, with `cells` ≥ 2 cells along its longest side, all of them cubes. The box must hold the surface
 * whole: the function is positive on its sides. TS_BAD_INPUT when it is not, when there is no surface at all, or when a
 * value is no number. */
ts_status ts_mesh_iso(ts_iso_function value, void *user, ts_box3 box, int cells, ts_mesh **mesh, ts_error *error);

/* The same, asked for many points at once: value[i] of point[i]. */
typedef void (*ts_iso_batch)(void *user, const ts_vec3 *point, size_t count, double *value);
ts_status ts_mesh_iso_batch(ts_iso_batch value, void *user, ts_box3 box, int cells, ts_mesh **mesh, ts_error *error);
