/* SPDX-License-Identifier: MIT */
/* What the parts of mesh repair share; nobody else includes it.
 *
 *     mesh_repair.c         the order of things, numbers, volumes, the report
 *     mesh_repair_weld.c    vertices that coincide, triangles to be dropped
 *     mesh_repair_edges.c   who shares an edge with whom: open, doubled and one-sided surfaces; triangles without area
 *     mesh_repair_boxes.c   a tree of boxes around triangles
 *     mesh_repair_cross.c   triangles that meet, pieces that lie inside of others
 *
 * Half-edge 3 t + k runs from corner k of triangle t to corner k + 1; its twin is the other triangle's half-edge
 * between the same vertices. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "shape/mesh_repair.h"

/* As shares of the box's diagonal, and of the largest coordinate. */
#define TS_MESH_WELD  1e-9  /* vertices nearer than this are one */
#define TS_MESH_AWAY  1e-6  /* a smaller box, so far from the origin, has too few digits left */
#define TS_MESH_LEAST 1e-30 /* largest coordinate, either way [m]: fifth powers of it are still numbers */
#define TS_MESH_MOST  1e30

typedef struct ts_mesh_mend {
    const char *name; /* for errors; may be NULL */
    ts_mesh *mesh;    /* what is worked on */
    ts_mesh_report report;
    ts_box3 box; /* of the vertices that triangles use [m] */
    ts_vec3 *
        point; /* vertices times a power of two, so that all lie within ±1: products of them neither under- nor overflow */
    double scale;   /* that power */
    int32_t *place; /* the first vertex at the same point: two sheets may touch there (vertex_count) */
    int32_t *twin;  /* of each half-edge (3 · triangle_count) */
    int32_t *piece; /* of each triangle; hanging together by edges (triangle_count) */
    bool *turned;   /* triangles that run the other way than in the soup (triangle_count) */
} ts_mesh_mend;

/* Vertices and triangles of the mesh are replaced by fewer. */
ts_status ts_mesh_weld(ts_mesh_mend *m, ts_error *error);
/* The first vertex at each one's point. */
ts_status ts_mesh_find_places(const ts_mesh *mesh, int32_t *place, ts_error *error);

/* Each edge belongs to two triangles. */
ts_status ts_mesh_is_closed(const ts_mesh *mesh, bool *closed, ts_error *error);
/* Fills twin and piece, and lets all triangles of a piece run the same way round. */
ts_status ts_mesh_join(ts_mesh_mend *m, ts_error *error);
/* Turns over the triangles of the pieces that are marked. Twins are not kept: this comes last. */
void ts_mesh_turn(ts_mesh_mend *m, const bool *piece);
/* Flips the longest edges of triangles without area. */
ts_status ts_mesh_flip_flat(ts_mesh_mend *m, ts_error *error);

/* Refuses triangles that meet but for what they share, and finds which pieces lie in an odd number of others
 * (piece_count). */
ts_status ts_mesh_check_crossings(ts_mesh_mend *m, bool *inside, ts_error *error);

/* ---- Boxes ---- */

typedef TS_ARRAY(int32_t) ts_mesh_hits;

/* Heap order: node i has children 2 i and 2 i + 1; leaves hold four boxes each, along a Morton curve. */
typedef struct ts_mesh_boxes {
    size_t count;   /* boxes */
    size_t leaves;  /* a power of two */
    ts_box3 *node;  /* (2 · leaves); the first is not used */
    ts_box3 *box;   /* in the order of the curve (count) */
    int32_t *order; /* whose it is (count) */
} ts_mesh_boxes;

ts_status ts_mesh_boxes_make(ts_mesh_boxes *tree, const ts_vec3 *point, const ts_mesh *mesh, ts_error *error);
void ts_mesh_boxes_free(ts_mesh_boxes *tree);
/* Places in the order, from `from` on, of all boxes that touch this one. */
ts_status ts_mesh_boxes_find(const ts_mesh_boxes *tree, ts_box3 box, size_t from, ts_mesh_hits *hits, ts_error *error);

/* ---- Words ---- */

/* "(0, 0, 0)–(1, 0, 0), …": the first places of a list, for messages. */
typedef struct ts_mesh_places {
    char text[480];
    size_t length;
    size_t count; /* of places asked for; those that find no room are counted only */
} ts_mesh_places;

void ts_mesh_add_edge(ts_mesh_places *places, ts_vec3 a, ts_vec3 b);
void ts_mesh_add_place(ts_mesh_places *places, ts_vec3 p);
