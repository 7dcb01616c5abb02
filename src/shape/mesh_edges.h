/* SPDX-License-Identifier: MIT */
/* The edges of a mesh that something else can be hit with: those where its surface turns away. Between two long ones
 * that cross there is no vertex near, so that contacts look along them, too (contact/touch_edge.c).
 *
 *            ╱╲  turn δ        convex: kept        ─────  flat, as between the two triangles of a square: not kept
 *           ╱  ╲ sharp = tan δ/2                   ╲  ╱
 *                                                   ╲╱    hollow: not kept, for what comes there meets the faces first
 */
#pragma once

#include "shape/mesh_clusters.h"

typedef struct ts_mesh_edge {
    int32_t a, b; /* vertices, a < b */
} ts_mesh_edge;

typedef struct ts_mesh_edges {
    ts_mesh_edge *edge; /* by a, then b (count) */
    size_t count;
    double longest;             /* [m] */
    double sharp;               /* tan δ/2 of the sharpest */
    ts_mesh_clusters *clusters; /* of their middles; NULL when there are none */
    double *half;               /* of the longest edge in each cluster [m] (clusters->node_count) */
} ts_mesh_edges;

/* Of a closed mesh; edges that do not have two triangles are left out. Deterministic. */
ts_status ts_mesh_edges_create(const ts_mesh *mesh, ts_mesh_edges **edges, ts_error *error);
void ts_mesh_edges_free(ts_mesh_edges *edges); /* NULL is fine */
size_t ts_mesh_edges_bytes(const ts_mesh_edges *edges);
