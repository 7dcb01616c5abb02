/* SPDX-License-Identifier: MIT */
/* Signed distance to a closed mesh: exact by a tree over its triangles (mesh_tree.h), and on a grid, for queries in a step.
 *
 * The grid covers the mesh's box and a margin around it; in between, values are interpolated by a C¹ spline, and the gradient is the
 * gradient of what is interpolated, so that the two belong together. Outside of the grid the distance is at least the distance to the grid's
 * box, and that bound is what is handed out, with `exact` false.
 *
 *     distance > 0 outside, < 0 inside;   the gradient points outwards, and has about unit length */
#pragma once

#include "base/threads.h"
#include "shape/mesh.h"

typedef struct ts_mesh_field ts_mesh_field;

typedef struct ts_field_wish {
    int cells;     /* along the longest side of the box; 0: 64 */
    double margin; /* around the box, over its longest side; 0: 0.1 */
} ts_field_wish;

/* Where a mesh is and how far: what a query answers. */
typedef struct ts_field_answer {
    double distance;  /* [m] */
    ts_vec3 gradient; /* of the distance */
    bool inside_grid; /* otherwise distance is a bound from below, and the gradient points away from the grid's box */
} ts_field_answer;

/* Fills the grid in parallel from exact distances; the same bits on any number of threads. The mesh must be closed. */
ts_status ts_mesh_field_create(const ts_mesh *mesh, const ts_field_wish *wish, ts_pool *pool, ts_mesh_field **field,
                               ts_error *error);
void ts_mesh_field_free(ts_mesh_field *field); /* NULL is fine */
size_t ts_mesh_field_bytes(const ts_mesh_field *field);

/* At a point in the mesh's own coordinates. */
ts_field_answer ts_mesh_field_at(const ts_mesh_field *field, ts_vec3 point);
