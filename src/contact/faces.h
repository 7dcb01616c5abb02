/* SPDX-License-Identifier: MIT */
/* Faces: what a wall of lines and arcs is made of, and which of them a disc may touch.
 *
 * Every edge and every corner of a polyline or an outline is a face; a half-plane and a circle are one face each. A
 * disc touches the curve where the distance from its centre has a local minimum along it:
 *
 *        │  edge  │corner╱        At a joint the planes across the two tangents part the plane, and each
 *        │        │    ╱          region belongs to one edge, to the corner, or (in the inner angle) to both.
 *        │   in ──▶•╱  edge       The same two products decide for all of them, so that nothing is counted
 *        │          ╲   out       twice and nothing is lost between two edges, whatever the rounding.
 *          both      ╲▼
 *
 *     outer corner   edge, corner, edge, one after the other: one contact at any time
 *     inner corner   two contacts
 *     tangents agree the two planes are one: one contact at any time, and no face for the corner
 *     inner, shallow the bisector parts the two edges: a curve given as many short lines would otherwise be held twice
 *                    near each joint, twice as stiffly
 *
 * Sides. A polyline has no inside: its normal points to the disc's centre. An outline has its solid on the left of
 * every edge; a centre that has got into the solid by less than the disc's radius is pushed out through the nearest
 * face.
 *
 * A contact that passes from a face to the next one takes its tangential spring along.
 *
 * Geometry is kept in the wall's own frame: world = (x, y) + turned(local). All of this is made once from the model's
 * walls and never changes. */
#pragma once

#include <stdbool.h>

#include "contact/analytic.h"
#include "contact/contact.h"
#include "shape/segment.h"

/* Where edges meet, or a polyline ends. Unit tangents in the direction of travel. */
typedef struct ts_face_joint {
    double x, y;
    double in_x, in_y;   /* of the edge that ends here */
    double out_x, out_y; /* of the edge that begins here */
    bool first, last;    /* no edge ends here; no edge begins here */
    bool shallow;        /* the bisector parts the two edges in the inner angle */
} ts_face_joint;

typedef enum ts_face_kind {
    TS_FACE_WHOLE, /* all of a half-plane or of a circle */
    TS_FACE_EDGE,  /* a line, or an arc of at most a third of a turn */
    TS_FACE_CORNER
} ts_face_kind;

typedef struct ts_face {
    ts_face_kind kind;
    int32_t wall;
    int32_t before, next; /* faces along the curve, -1: none */
    int32_t begin, end;   /* joints of an edge; of a corner both are the one it stands on */
    double nx, ny;        /* unit normal to the right of the edge at its begin: out of the solid */
    double radius;        /* of an arc [m]; 0: a line */
    double turn; /* 1: turns to the left (an arc that bulges out of the solid, an outer corner); -1: to the right */
} ts_face;

/* A node of the tree of one wall's faces. */
typedef struct ts_face_node {
    double low[2], high[2]; /* box around its faces */
    int32_t first;          /* leaf: first entry of order[]; else the second child (the first one follows the node) */
    int32_t count;          /* of faces in a leaf; 0: not a leaf */
} ts_face_node;

typedef struct ts_faces {
    size_t count, joint_count, node_count;
    ts_face *face;        /* wall by wall, along the curve (count) */
    int32_t *begin;       /* first face of each wall (wall_count + 1) */
    ts_face_joint *joint; /* (joint_count) */
    ts_face_node *node;   /* (node_count) */
    int32_t *root;        /* of each wall's tree, -1: one face, no tree (wall_count) */
    int32_t *order;       /* faces in the order of leaves (count) */
    size_t bytes;         /* on the heap */
} ts_faces;

/* The faces of the model's walls; *faces is NULL when all of them are half-planes and circles, whose face is then the
 * wall itself. */
ts_status ts_faces_create(const ts_model *model, ts_faces **faces, ts_error *error);
void ts_faces_free(ts_faces *faces); /* NULL is fine */

/* The faces of a wall nearer than `reach` to (x, y) in the wall's frame, as candidates with this slot; `out` may
 * be NULL to count them. It never misses one; the order depends on the model alone. */
size_t ts_faces_near(const ts_faces *faces, size_t wall, double x, double y, double reach, int32_t slot,
                     ts_candidate *out);

/* Contacts of up to TS_BATCH candidates; like ts_analytic_kernels.walls, but pair.a is a face, and out->a its wall.
 * Candidates of one slot should come in one batch: springs are handed over within a batch only. */
void ts_find_faces(const ts_model *model, const ts_wall_frame *wall, const ts_frame2 *part, const ts_candidate *pair,
                   int count, double open, double *spring, ts_contact_batch *out);

/* Distance of a point from a face, both in the wall's frame, and its sign: negative on the solid's side of an outline's
 * face. Of an edge the whole of its line or circle counts. */
double ts_face_height(const ts_faces *faces, const ts_face *face, double x, double y, double *nx, double *ny);

/* Distance of a point from a face itself, an edge being as long as it is. */
double ts_face_distance(const ts_faces *faces, const ts_face *face, double x, double y);

/* The box around a segment. */
void ts_segment_box(const ts_segment *segment, double low[2], double high[2]);

/* World to wall frame. A wall of faces keeps the cosine and the sine of its angle where a half-plane keeps its
 * normal. */
static inline ts_vec2 ts_wall_local(const ts_wall_frame *wall, double dx, double dy)
{
    return (ts_vec2){wall->nx * dx + wall->ny * dy, wall->nx * dy - wall->ny * dx};
}
