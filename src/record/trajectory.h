/* SPDX-License-Identifier: MIT */
/* A run's trajectory: an append-only log of checksummed frames (docs/formats.md has the bytes).
 *
 *     prefix │ header: shapes, materials, walls, bodies │ frame │ frame │ frame │ … (torn tail)
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

#include "base/memory.h"
#include "model.h"
#include "record/append.h"
#include "shape/outline.h"
#include "touchstone/sim.h"

/* Version 2 added areas, outlines and the lines of walls; files of version 1 are read as well. Version 3 is of bodies
 * in space; runs of the plane go on writing version 2. */
#define TS_TRAJECTORY_VERSION       3
#define TS_TRAJECTORY_PLANE_VERSION 2

/* ---- What the header says ---- */

typedef struct ts_trajectory_shape {
    const char *name; /* "" when it has none */
    /* in the plane, about the centre of mass and at scale 1; in space forms have the solids */
    const ts_disc *disc;       /* of an outline its bounding circle (disc_count) [m] */
    size_t disc_count;         /* at least 1 in the plane */
    const ts_outline *outline; /* NULL: the union of the discs. The reader's own */
    double area;               /* [m²] */
    double inertia;            /* polar second moment of area about the centre of mass [m⁴] */
} ts_trajectory_shape;

typedef struct ts_trajectory_body {
    double scale;     /* of the shape's lengths [1] */
    double radius;    /* bounding circle or sphere about the centre of mass, scale included [m] */
    double mass;      /* [kg]; also of fixed bodies */
    int32_t shape;    /* index into shape[] */
    int32_t form;     /* space: index into form[] */
    int32_t material; /* index into material_name[] */
    bool fixed;       /* moves by a script if at all */
} ts_trajectory_body;

typedef struct ts_trajectory_wall {
    const char *name; /* "" when it has none */
    int32_t source;   /* walls of the same number are one wall of the scene: a room in space has six */
    int32_t material; /* index into material_name[] */
    ts_pose3 pose;    /* at rest: a point of the edge, or the centre; a frame says where it is */
    /* in the plane */
    ts_wall_kind kind;
    double nx, ny;          /* half-plane: unit normal towards the bodies, at angle 0 */
    double radius;          /* circle; polyline, outline: bounding circle about its position [m] */
    const ts_contour *line; /* polyline, outline: as in model.h, in its local frame (line_count) [m] */
    size_t line_count;
    const ts_distance *reach; /* of the same */
    /* in space */
    size_t piece_begin; /* into piece[] */
    size_t piece_count; /* at least 1 */
} ts_trajectory_wall;

typedef struct ts_trajectory_header {
    uint32_t version;                  /* of the format */
    int dimension;                     /* 2: the plane, 3: space */
    const struct ts_record_kind *kind; /* the row of that (record/kind.h) */
    bool has_contacts;                 /* frames carry contacts */
    bool has_body_gates;               /* some bodies are absent at times */
    bool has_springs;                  /* springs are in the header */
    bool has_weights;                  /* of space: contacts have weights; else they are 1 */
    const char *producer;              /* version of the program that wrote it */
    const char *title;                 /* what the scene calls itself; may be "" */
    uint64_t model_hash;               /* ts_model_hash */
    double time_step;                  /* [s] */
    double duration;                   /* asked for when the run began [s] */
    double frame_interval;             /* simulated time between frames [s] */
    double gravity[3];                 /* [m/s²]; z is 0 in the plane */
    ts_camera camera;                  /* space */

    size_t material_count;
    const char *const *material_name; /* "" where there is none */
    size_t shape_count;
    const ts_trajectory_shape *shape;
    size_t wall_count;
    const ts_trajectory_wall *wall;
    size_t body_count;
    const ts_trajectory_body *body;

    /* Empty in the plane. Hulls have vertices, faces, normals and offsets, but neither edges nor neighbours; meshes
     * have no field. */
    size_t form_count;
    const ts_form3 *form; /* `inner` is 0: it is not recorded */
    size_t piece_count;
    const ts_piece *piece; /* of forms and walls */
    size_t spring_count;
    const ts_spring *spring;
} ts_trajectory_header;

/* ---- One frame ---- */

/* In the plane positions have z = 0, and attitudes and spins are about z. */
typedef struct ts_frame_body {
    ts_pose3 pose;     /* of the centre of mass; the quaternion is of unit length */
    double angle;      /* plane: the same attitude, not wrapped [rad]; space: 0 */
    float velocity[3]; /* [m/s] */
    float spin[3];     /* angular velocity, world frame [rad/s] */
    bool present;      /* false while a gate holds it away */
} ts_frame_body;

/* Where a wall is: the world normal of a half-plane is (nx, ny) of the header turned by `angle`. */
typedef struct ts_frame_wall {
    ts_pose3 pose;
    double angle; /* plane: the same attitude, not wrapped [rad]; space: 0 */
    bool present; /* false while its gate is open */
} ts_frame_wall;

typedef struct ts_frame_contact {
    int64_t a;       /* body id, or -1 - i for wall i */
    int64_t b;       /* body id */
    uint64_t key;    /* which parts touch, and where */
    double point[3]; /* on A, world frame [m]; the point on B is point + gap · normal */
    float gap;       /* [m]; negative: overlap */
    float normal[3]; /* unit, from A to B */
    float force[3];  /* on B [N] */
    float spring;    /* plane: tangential [m]; space: 0 */
    float weight;    /* [1] */
} ts_frame_contact;

/* Along the normal; positive: it pushes [N]. */
static inline double ts_frame_normal_force(const ts_frame_contact *c)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (double)c->force[k] * (double)c->normal[k];
    return sum;
}

/* What a frame says about energy besides what bodies and gravity do [J]. NaN: not known. */
typedef struct ts_frame_energy {
    double elastic; /* in contact springs, if contacts are recorded; in space also in the scene's, known always */
    double work;    /* done by what is driven, since time 0 */
    double lost_normal, lost_tangential, lost_friction; /* to dashpots and to sliding, since time 0 */
} ts_frame_energy;

/* Arrays belong to the reader and are valid until its next read. */
typedef struct ts_frame {
    uint64_t index; /* of the frame in the file, from 0 */
    uint64_t step;
    double time; /* [s] */
    ts_frame_energy energy;
    const ts_frame_body *body;       /* (header's body_count) */
    const ts_frame_wall *wall;       /* (header's wall_count) */
    const ts_frame_contact *contact; /* (contact_count) */
    size_t contact_count;
} ts_frame;

/* ---- Reading ---- */

typedef struct ts_trajectory ts_trajectory; /* a reader */

/* Opens and scans the frames' headers. A torn tail is no error. TS_CORRUPT when even the header is not whole. */
ts_status ts_trajectory_open(const char *path, ts_trajectory **reader, ts_error *error);
void ts_trajectory_close(ts_trajectory *reader); /* NULL is fine */
TS_RELEASE_AT(ts_trajectory, ts_trajectory_close)
const ts_trajectory_header *ts_trajectory_get_header(const ts_trajectory *reader);
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
TS_RELEASE_AT(ts_trajectory_writer, ts_trajectory_writer_free)
