/* SPDX-License-Identifier: MIT */
/* Forms of space: what a body or a wall in space is made of.
 *
 *     shape (as the scene has it) ─ at a scale ─▶ form: pieces, volume, inertia ─▶ many bodies
 *
 * A piece is a solid (shape/solid.h) in a pose of the frame of its owner, a body or a wall. */
#pragma once

#include "base/memory.h"
#include "shape/solid.h"

typedef struct ts_piece {
    ts_solid solid;
    ts_pose3 pose; /* in the frame of its owner; a body's origin is its centre of mass */
} ts_piece;

/* A shape of the scene at one scale. */
typedef struct ts_form3 {
    int32_t shape;      /* index into the model's shapes */
    double scale;       /* [1] */
    size_t piece_begin; /* into the model's pieces */
    size_t piece_count; /* at least 1 */
    double radius;      /* of the bounding sphere about the centre of mass [m] */
    double inner;       /* of a ball that surely fits: overlaps are small beside it [m] */
    double volume;      /* [m³] */
    ts_mat3 inertia;    /* at unit density, about the centre of mass, in the shape's frame [m⁵] */
} ts_form3;

/* A mesh, and what contacts ask it by. Entries may be NULL while a model is made. */
typedef struct ts_body_mesh {
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
    ts_mesh_edges *edges;
} ts_body_mesh;

void ts_body_mesh_free(ts_body_mesh *mesh); /* what it holds */
