/* SPDX-License-Identifier: MIT */
/* What a tree over triangles is made of: written by mesh_tree.c, read by mesh_tree_query.c. */
#pragma once

#include "shape/mesh_tree.h"

/* Deeper than this, ranges are halved by number, whatever the geometry: so no tree is deeper than 40 + 31. */
#define TS_MESH_TREE_DEPTH_FREE 40
#define TS_MESH_TREE_DEPTH_MAX  (TS_MESH_TREE_DEPTH_FREE + 32)

typedef struct ts_mesh_tree_node {
    ts_box3 box;
    int32_t first; /* leaf: first triangle; else: first of two children, which lie side by side */
    int32_t count; /* leaf: triangles; else 0 */
    int32_t block; /* leaf: first of its blocks */
} ts_mesh_tree_node;

/* A node from far away: Σ area · normal, at the centre of area. */
typedef struct ts_mesh_tree_dipole {
    ts_vec3 centre, moment;
    double radius; /* of a ball about the centre that holds all its triangles */
} ts_mesh_tree_dipole;

/* All that distances need. */
typedef struct ts_mesh_tree_triangle {
    ts_vec3 corner[3];
    ts_vec3 normal; /* unit; zero without area */
} ts_mesh_tree_triangle;

/* Edge k runs from corner k to corner k + 1. */
typedef struct ts_mesh_tree_features {
    int32_t vertex[3]; /* corners at the same place have the same number */
    int32_t edge[3];
    int32_t triangle; /* of the mesh */
} ts_mesh_tree_features;

/* Four triangles of a leaf, side by side. Where a leaf has no more, the last one again. */
typedef struct ts_mesh_tree_block {
    double corner[3][3][4]; /* of each corner x, y, z */
    double normal[3][4];    /* zero also of thin ones, whose normals rounding has spoilt: these are always near */
    double per_edge[3][4];  /* 1 / length²; 0 without length */
} ts_mesh_tree_block;

typedef struct ts_mesh_tree_kernels {
    /* Bits of the triangles whose squared distance from p may be this or less. Rounding may make it miss one by
     * TS_MESH_TREE_MISS of the extent of all coordinates: ask for that much more. */
    int (*near)(const ts_mesh_tree_block *block, ts_vec3 p, double squared);
} ts_mesh_tree_kernels;

/* Twice the area over the longest edge squared is above 1e-6 for all that are not thin, so that the normal is right to
 * 1e-10. */
#define TS_MESH_TREE_THIN 1e-6
#define TS_MESH_TREE_MISS 1e-9

const ts_mesh_tree_kernels *ts_mesh_tree_choose(void);

/* Triangles and their features are in the order of the leaves. A normal of zero: not known. */
struct ts_mesh_tree {
    ts_mesh_tree_node *node;     /* (node_count); 0 is the root, children come after parents */
    ts_mesh_tree_dipole *dipole; /* (node_count) */
    size_t node_count;
    ts_mesh_tree_triangle *triangle; /* (triangle_count) */
    ts_mesh_tree_features *feature;  /* (triangle_count) */
    size_t triangle_count;
    ts_mesh_tree_block *block; /* (block_count) */
    size_t block_count;
    int32_t *place;         /* of the mesh's triangles among those of the tree (triangle_count) */
    ts_vec3 *vertex_normal; /* unit (vertex_count) */
    size_t vertex_count;
    ts_vec3 *edge_normal; /* unit (edge_count) */
    size_t edge_count;
    bool flawed;   /* the surface need not be closed: only winding numbers tell inside from outside */
    double extent; /* largest coordinate: what rounding is relative to [m] */
    double volume; /* [m³] */
    const ts_mesh_tree_kernels *kernel;
};
