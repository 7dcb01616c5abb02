/* SPDX-License-Identifier: MIT */
/* The vertices of a mesh in clusters, with a ball around each: who looks for vertices near something skips what is far.
 *
 *     0 ───┬─ 1 ─┬─ 2      a tree in the order of a walk; `next` of a node is the first one after all that hang on it:
 *          │     └─ 3
 *          └─ 4            for (i = 0; i < node_count; i = far(i) || leaf(i) ? node[i].next : i + 1) …
 *
 * Clusters are halved at the median of their longest side until they hold TS_CLUSTER_VERTICES or fewer. */
#pragma once

#include "shape/mesh.h"

#define TS_CLUSTER_VERTICES 32

typedef struct ts_mesh_cluster {
    ts_vec3 centre;      /* of a ball that holds its vertices, in the mesh's frame [m] */
    double radius;       /* [m] */
    uint32_t begin, end; /* in `vertex` */
    uint32_t next;       /* node after its last one; a leaf's is the one after itself */
    uint32_t leaf;
} ts_mesh_cluster;

typedef struct ts_mesh_clusters {
    uint32_t *vertex; /* of the mesh, cluster by cluster (vertex_count) */
    size_t vertex_count;
    ts_mesh_cluster *node;
    size_t node_count;
} ts_mesh_clusters;

/* Of any mesh. Deterministic; equal coordinates are ordered by index. */
ts_status ts_mesh_clusters_create(const ts_mesh *mesh, ts_mesh_clusters **clusters, ts_error *error);
void ts_mesh_clusters_free(ts_mesh_clusters *clusters); /* NULL is fine */
