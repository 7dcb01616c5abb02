/* SPDX-License-Identifier: MIT */
/* The edges of a mesh that something else can be hit with, those where its surface turns away, and its flat faces.
 * Between two long edges that cross there is no vertex near, so that contacts look along them, too
 * (contact/touch_edge.c).
 *
 *            ╱╲  turn δ        convex: kept        ─────  flat, as between the two triangles of a square: not kept
 *           ╱  ╲ sharp = tan δ/2                   ╲  ╱
 *                                                   ╲╱    hollow: not kept, for what comes there meets the faces first
 */
#pragma once

#include "shape/mesh_clusters.h"

/* A triangle as part of a flat face: where two long ones of two meshes lie on each other there may be no vertex of
 * either in the other's (contact/touch_flush.c). */
typedef struct ts_mesh_face {
    int32_t corner[3]; /* of vertices in one place the first */
    uint8_t inner;     /* bit k: the face goes on flat beyond the side from corner k to the next */
    uint8_t hollow;    /* bit k: the surface rises there */
    double longest;    /* side [m] */
    ts_vec3 normal;    /* unit; 0 for a triangle without area */
} ts_mesh_face;

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
    ts_mesh_face *face;         /* every triangle (face_count) */
    size_t face_count;
    ts_mesh_clusters *face_clusters; /* of their centroids; NULL when there are none */
    double *face_longest;            /* side in each of these clusters [m] (face_clusters->node_count) */
} ts_mesh_edges;

/* Of a closed mesh; edges that do not have two triangles are left out. Deterministic. */
ts_status ts_mesh_edges_create(const ts_mesh *mesh, ts_mesh_edges **edges, ts_error *error);
void ts_mesh_edges_free(ts_mesh_edges *edges); /* NULL is fine */
size_t ts_mesh_edges_bytes(const ts_mesh_edges *edges);
