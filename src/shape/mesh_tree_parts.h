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

/* Triangles and their features are in the order of the leaves. A normal of zero: not known. */
struct ts_mesh_tree {
    ts_mesh_tree_node *node;     /* (node_count); 0 is the root, children come after parents */
    ts_mesh_tree_dipole *dipole; /* (node_count) */
    size_t node_count;
    ts_mesh_tree_triangle *triangle; /* (triangle_count) */
    ts_mesh_tree_features *feature;  /* (triangle_count) */
    size_t triangle_count;
    int32_t *place;         /* of the mesh's triangles among those of the tree (triangle_count) */
    ts_vec3 *vertex_normal; /* unit (vertex_count) */
    size_t vertex_count;
    ts_vec3 *edge_normal; /* unit (edge_count) */
    size_t edge_count;
    double extent; /* largest coordinate: what rounding is relative to [m] */
    double volume; /* [m³] */
};
