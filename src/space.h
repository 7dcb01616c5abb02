/* SPDX-License-Identifier: MIT */
/* The spatial half of a model and of a state (model.h, state.h): bodies with six degrees of freedom.
 *
 * A model of space has no bodies, parts, boundaries or forms of the plane; settings, materials, laws and dynamics are the same. Bodies and
 * walls are *carriers* of pieces: a piece is a solid (shape/solid.h) in a pose of its carrier's frame. All pieces of all carriers are
 * *parts*, the unit that the broad phase knows: those of bodies first, in the order of bodies, then those of walls.
 *
 *     shape (a solid as the scene has it) ─ at a scale ─▶ form: pieces, volume, inertia ─▶ many bodies
 *     owner of part k:  part_owner[k] ≥ 0: a body;  −1 − i: wall i
 */
#pragma once

#include "base/memory.h"
#include "body/drive.h"
#include "body/flight.h"
#include "body/spring.h"
#include "shape/solid.h"
#include "touchstone/space.h"

typedef struct ts_piece {
    ts_solid solid;
    ts_pose3 pose; /* in the frame of its carrier, whose origin is the centre of mass */
} ts_piece;

/* A solid of the scene at one scale. */
typedef struct ts_form3 {
    int32_t shape;      /* index into shape_name[] */
    double scale;       /* [1] */
    size_t piece_begin; /* into piece[] */
    size_t piece_count; /* at least 1 */
    double radius;      /* of the bounding sphere about the centre of mass [m] */
    double inner;       /* of a ball that surely fits: overlaps are small beside it [m] */
    double volume;      /* [m³] */
    ts_mat3 inertia;    /* at unit density, about the centre of mass, in the solid's frame [m⁵] */
} ts_form3;

/* A mesh, and what contacts ask it by. Entries may be NULL while a model is made. */
typedef struct ts_body_mesh {
    ts_mesh *mesh;
    ts_mesh_field *field;
    ts_mesh_clusters *clusters;
    ts_mesh_tree *tree;
    ts_mesh_edges *edges;
} ts_body_mesh;

typedef struct ts_note3 {
    int32_t shape; /* index into shape_name[] */
    char *text;    /* "cup.stl: 3 triangles turned over" */
} ts_note3;

typedef struct ts_wall3 {
    char *name;         /* of the wall in the scene that it is of; may be NULL */
    ts_pose3 pose;      /* at displacement zero */
    size_t piece_begin; /* into piece[] */
    size_t piece_count;
    int32_t source; /* index of the wall in the scene: a room has six */
    int32_t material;
    int32_t motion;     /* index into motion[], -1: none */
    double open, close; /* absent while open <= t < close [s]; both infinite: always there */
} ts_wall3;

typedef struct ts_space {
    ts_vec3 gravity; /* [m/s²] */
    ts_camera camera;

    size_t shape_count;
    char **shape_name; /* entries may be NULL */
    size_t note_count;
    ts_note3 *note; /* what was mended in meshes, in the order of shapes */
    size_t form_count;
    ts_form3 *form;
    size_t piece_count;
    ts_piece *piece;

    /* bodies (body_count) */
    size_t body_count;
    ts_body3 *body; /* at time 0 */
    ts_top *top;    /* how each resists turning; also of fixed ones */
    double *mass;   /* also of fixed ones [kg] */
    int32_t *body_form;
    uint8_t *body_material;
    int32_t *body_motion; /* index into motion[], -1: none; NULL when no body is driven */
    int32_t *body_gate;   /* index into gate[], -1: none; NULL when no body has a gate */

    size_t wall_count;
    ts_wall3 *wall;

    size_t part_count;
    int32_t *part_owner;
    int32_t *part_piece; /* index into piece[] */

    size_t motion_count;
    ts_motion *motion;
    size_t gate_count;
    ts_gate *gate;
    size_t spring_count;
    ts_spring *spring;

    /* what pieces refer to */
    size_t hull_count, mesh_count;
    ts_hull **hull;
    ts_body_mesh *mesh; /* (mesh_count) */
} ts_space;

/* What a contact has been through: sweeps begin with it. In the order of contacts, which is that of (a, b, key). */
typedef struct ts_past3 {
    int64_t a, b;
    uint64_t key;
    double normal;     /* impulse along the normal in the last step [N·s] */
    double tangent[3]; /* and along the surface, world frame [N·s] */
} ts_past3;

typedef TS_ARRAY(ts_past3) ts_past3_array;
typedef TS_ARRAY(ts_contact3) ts_contact3_array;

/* Frees all of it; NULL is fine. */
void ts_space_free(ts_space *space);
