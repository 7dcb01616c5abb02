/* SPDX-License-Identifier: MIT */
/* A run's trajectory: an append-only log of checksummed frames (docs/formats.md has the bytes).
 *
 *     prefix │ header: shapes, materials, boundaries, bodies │ frame │ frame │ frame │ … (torn tail)
 *
 * The header holds all that drawing and exporting need, so that a reader needs no scene. A kill at any moment leaves
 * whole frames and at most one torn one at the end: the reader stops there and says so, and a resumed writer cuts it
 * off. Ids are 64-bit on disk. Positions and angles are doubles; velocities, normals and forces are floats.
 *
 * The reader trusts nothing: each size is checked against the file before anything is allocated. It holds one frame and
 * a sparse index in memory, whatever the length of the file. One thread at a time may use a reader. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "record/append.h"
#include "shape/outline.h"
#include "touchstone/sim.h"

/* Version 2 added areas, outlines and the lines of walls; files of version 1 are read as well. Version 3 is of bodies in space; runs of the
 * plane go on writing version 2. */
#define TS_TRAJECTORY_VERSION       3
#define TS_TRAJECTORY_PLANE_VERSION 2

/* ---- What the header says ---- */

typedef struct ts_trajectory_shape {
    const char *name;    /* "" when it has none */
    const ts_disc *disc; /* about the centre of mass, at scale 1; of an outline its bounding circle (disc_count) [m] */
    size_t disc_count;   /* at least 1 */
    const ts_outline
        *outline;   /* about the centre of mass, at scale 1; NULL: the union of the discs. The reader's own */
    double area;    /* at scale 1 [m²] */
    double inertia; /* polar second moment of area about the centre of mass, at scale 1 [m⁴] */
} ts_trajectory_shape;

typedef struct ts_trajectory_body {
    double scale;     /* of the shape's lengths [1] */
    double radius;    /* bounding circle about the centre of mass, scale included [m] */
    double mass;      /* [kg]; also of fixed bodies */
    int32_t shape;    /* index into shape[] */
    int32_t material; /* index into material_name[] */
    bool fixed;       /* moves by a script if at all */
} ts_trajectory_body;

typedef struct ts_trajectory_boundary {
    const char *name; /* "" when it has none */
    ts_boundary_kind kind;
    int32_t material;       /* index into material_name[] */
    double x, y;            /* rest: a point of the edge, or the centre [m]. A frame says where it is. */
    double nx, ny;          /* half-plane: unit normal towards the bodies, at angle 0 */
    double radius;          /* circle; polyline, outline: bounding circle about (x, y) [m] */
    const ts_contour *line; /* polyline, outline: as in model.h's ts_boundary, in its local frame (line_count) [m] */
    size_t line_count;
    const ts_distance *reach; /* of the same */
} ts_trajectory_boundary;

/* A wall in space. */
typedef struct ts_trajectory_wall3 {
    const char *name;   /* "" when it has none */
    ts_pose3 pose;      /* rest; a frame says where it is */
    size_t piece_begin; /* into piece[] */
    size_t piece_count; /* at least 1 */
    int32_t source;     /* walls of the same number are one wall of the scene: a room has six */
    int32_t material;   /* index into material_name[] */
} ts_trajectory_wall3;

typedef struct ts_trajectory_body3 {
    double radius;    /* bounding sphere about the centre of mass [m] */
    double mass;      /* [kg]; also of fixed bodies */
    int32_t form;     /* index into form[] */
    int32_t material; /* index into material_name[] */
    bool fixed;       /* moves by a script if at all */
} ts_trajectory_body3;

/* What is of space alone. Hulls have vertices, faces, normals and offsets, but neither edges nor neighbours; meshes have no field. */
typedef struct ts_trajectory_space {
    double gravity[3]; /* [m/s²] */
    ts_camera camera;

    size_t shape_count;
    const char *const *shape_name; /* "" where there is none */
    size_t form_count;
    const ts_form3 *form; /* `inner` is 0: it is not recorded */
    size_t piece_count;
    const ts_piece *piece; /* of forms and walls */
    size_t wall_count;
    const ts_trajectory_wall3 *wall;
    size_t body_count;
    const ts_trajectory_body3 *body;
    size_t spring_count;
    const ts_spring *spring;
} ts_trajectory_space;

typedef struct ts_trajectory_header {
    uint32_t version;      /* of the format */
    bool has_contacts;     /* frames carry contacts */
    bool has_body_gates;   /* some bodies are absent at times */
    bool has_springs;      /* of space: springs are in the header */
    const char *producer;  /* version of the program that wrote it */
    const char *title;     /* what the scene calls itself; may be "" */
    uint64_t model_hash;   /* ts_model_hash */
    double time_step;      /* [s] */
    double duration;       /* asked for when the run began [s] */
    double frame_interval; /* simulated time between frames [s] */
    double gravity[2];     /* [m/s²] */

    size_t material_count;
    const char *const *material_name; /* "" where there is none */
    const ts_trajectory_space *space; /* NULL: the run is of the plane. Otherwise all below is empty, and gravity 0 */
    size_t shape_count;
    const ts_trajectory_shape *shape;
    size_t boundary_count;
    const ts_trajectory_boundary *boundary;
    size_t body_count;
    const ts_trajectory_body *body;
} ts_trajectory_header;

/* ---- One frame ---- */

typedef struct ts_frame_body {
    double x, y;  /* centre of mass [m] */
    double angle; /* [rad], not wrapped */
    float vx, vy; /* [m/s] */
    float spin;   /* [rad/s] */
    bool present; /* false while a gate holds it away */
} ts_frame_body;

/* Where a boundary is: the world normal of a half-plane is (nx, ny) of the header turned by `angle`. */
typedef struct ts_frame_boundary {
    double x, y;  /* a point of the edge, or the centre [m] */
    double angle; /* [rad] */
    bool present; /* false while its gate is open */
} ts_frame_boundary;

typedef struct ts_frame_contact {
    int64_t a;       /* body id, or -1 - i for boundary i */
    int64_t b;       /* body id */
    uint64_t key;    /* which parts touch */
    double point[2]; /* on A, world frame [m]; the point on B is point + gap · normal */
    float gap;       /* [m]; negative: overlap */
    float normal[2]; /* unit, from A to B */
    float force[2];  /* on B [N] */
    float spring;    /* tangential [m] */
    float weight;    /* [1] */
} ts_frame_contact;

typedef struct ts_frame_body3 {
    ts_pose3 pose;     /* of the centre of mass; the quaternion is of unit length */
    float velocity[3]; /* [m/s] */
    float spin[3];     /* angular velocity, world frame [rad/s] */
    bool present;      /* false while a gate holds it away */
} ts_frame_body3;

typedef struct ts_frame_wall3 {
    ts_pose3 pose;
    bool present; /* false while its gate is open */
} ts_frame_wall3;

typedef struct ts_frame_contact3 {
    int64_t a;       /* body id, or -1 - i for wall i */
    int64_t b;       /* body id */
    uint64_t key;    /* which pieces touch, and where */
    double point[3]; /* on A, world frame [m]; the point on B is point + gap · normal */
    float gap;       /* [m]; negative: overlap */
    float normal[3]; /* unit, from A to B */
    float force[3];  /* on B [N] */
} ts_frame_contact3;

/* What a frame says about energy besides what bodies and gravity do [J]. NaN: not known. */
typedef struct ts_frame_energy {
    double
        elastic; /* in contact springs, known when contacts are recorded; of space: in the scene's springs, known always */
    double work;                                        /* done by what is driven, since time 0 */
    double lost_normal, lost_tangential, lost_friction; /* to dashpots and to sliding, since time 0 */
} ts_frame_energy;

/* Arrays belong to the reader and are valid until its next read. */
typedef struct ts_frame {
    uint64_t index; /* of the frame in the file, from 0 */
    uint64_t step;
    double time; /* [s] */
    ts_frame_energy energy;
    const ts_frame_body *body;         /* (header's body_count) */
    const ts_frame_boundary *boundary; /* (header's boundary_count) */
    const ts_frame_contact *contact;   /* (contact_count); NULL in space */
    size_t contact_count;              /* of the plane's or of space's */
    const ts_frame_body3 *body3;       /* (header's space->body_count) */
    const ts_frame_wall3 *wall3;       /* (header's space->wall_count) */
    const ts_frame_contact3 *contact3; /* (contact_count); NULL in the plane */
} ts_frame;

/* ---- Reading ---- */

typedef struct ts_trajectory ts_trajectory; /* a reader */

/* Opens and scans the frames' headers. A torn tail is no error. TS_CORRUPT when even the header is not whole. */
ts_status ts_trajectory_open(const char *path, ts_trajectory **reader, ts_error *error);
void ts_trajectory_close(ts_trajectory *reader); /* NULL is fine */
const ts_trajectory_header *ts_trajectory_get_header(const ts_trajectory *reader);
/* Refuses a run in space for what is made for the plane: `what` begins a sentence, as in "an svg drawing". */
ts_status ts_trajectory_need_plane(const ts_trajectory *reader, const char *what, ts_error *error);
/* Whole frames. */
uint64_t ts_trajectory_frame_count(const ts_trajectory *reader);
/* Bytes after the last whole frame: 0 for a trajectory that ended in good order. */
uint64_t ts_trajectory_torn_bytes(const ts_trajectory *reader);
/* Reads frame `index` and checks its checksum. TS_CORRUPT names the frame; other frames stay readable. */
ts_status ts_trajectory_read(ts_trajectory *reader, uint64_t index, ts_frame *frame, ts_error *error);
/* Step and time of a frame without its contents. `step`, `time` may be NULL. */
ts_status ts_trajectory_peek(ts_trajectory *reader, uint64_t index, uint64_t *step, double *time, ts_error *error);
/* Index of the last frame at or before `time` (0 when there is none before). */
ts_status ts_trajectory_find(ts_trajectory *reader, double time, uint64_t *index, ts_error *error);

/* ---- Writing ---- */

typedef struct ts_trajectory_writer ts_trajectory_writer;

/* Creates or replaces the file and writes its header. `title` may be NULL. */
ts_status ts_trajectory_create(const char *path, const ts_model *model, const char *title,
                               ts_trajectory_writer **writer, ts_error *error);
/* Opens an existing trajectory of this model, checks that a frame ends at `mark`, and cuts off all that follows. */
ts_status ts_trajectory_resume(const char *path, const ts_model *model, const ts_mark *mark,
                               ts_trajectory_writer **writer, ts_error *error);
/* Appends one frame. `contact` is ignored unless the model's settings ask for contacts. When the disk refuses, what was
 * written of the frame is cut off again. Deterministic: the same state gives the same bytes. */
ts_status ts_trajectory_append(ts_trajectory_writer *writer, const ts_state *state, const ts_contact *contact,
                               size_t contact_count, ts_error *error);
ts_mark ts_trajectory_here(const ts_trajectory_writer *writer);
/* Returns when the disk has it all. */
ts_status ts_trajectory_sync(ts_trajectory_writer *writer, ts_error *error);
void ts_trajectory_writer_free(ts_trajectory_writer *writer); /* NULL is fine */
