/* SPDX-License-Identifier: MIT */
/* Triangle meshes: surfaces of bodies in space.
 *
 *     triangle (a, b, c) is seen counter-clockwise from outside:     normal ∝ (b − a) × (c − a)  points out of the body
 *
 * A mesh that bounds a body is *closed*: every edge (i, j) of a triangle is an edge (j, i) of exactly one other.
 * Readers (mesh_read.h) hand out closed meshes only, or say which edges are in the way; what is made here (mesh_make.h)
 * is closed by construction. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"

/* More would not fit 32-bit indices of corners. */
#define TS_MESH_TRIANGLES_MAX ((size_t)500000000)

typedef struct ts_mesh {
    ts_vec3 *vertex; /* [m] (vertex_count) */
    size_t vertex_count;
    int32_t (*triangle)[3]; /* corners (triangle_count) */
    size_t triangle_count;
} ts_mesh;

typedef struct ts_box3 {
    ts_vec3 low, high;
} ts_box3;

/* The box that holds nothing: low > high. */
static inline ts_box3 ts_box3_none(void)
{
    return (ts_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}
static inline ts_box3 ts_box3_join(ts_box3 a, ts_box3 b)
{
    return (ts_box3){ts_vec3_min(a.low, b.low), ts_vec3_max(a.high, b.high)};
}

/* Room for so many, not filled in. */
ts_status ts_mesh_create(size_t vertex_count, size_t triangle_count, ts_mesh **mesh, ts_error *error);
ts_status ts_mesh_copy(const ts_mesh *from, ts_mesh **mesh, ts_error *error);
void ts_mesh_free(ts_mesh *mesh); /* NULL is fine */
TS_RELEASE_AT(ts_mesh, ts_mesh_free)

/* Of all vertices. */
ts_box3 ts_mesh_bounds(const ts_mesh *mesh);
/* Every vertex p becomes scale · R p + t. scale > 0. */
void ts_mesh_move(ts_mesh *mesh, double scale, ts_pose3 pose);
/* The same for the same surface, whatever memory it lies in: of vertices and triangles as they are. */
uint64_t ts_mesh_hash(const ts_mesh *mesh);
