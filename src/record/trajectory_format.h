/* SPDX-License-Identifier: MIT */
/* The bytes of a trajectory, for its reader and its writer alone; docs/formats.md is the description. */
#pragma once

#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "record/append.h"
#include "record/trajectory.h"

/* A first byte above 127 and two kinds of line end show up a file that went through a text conversion, as in PNG. */
static const unsigned char ts_trajectory_magic[8] = {0x89, 'T', 'S', 'T', '\r', '\n', 0x1a, '\n'};

#define TS_TRAJECTORY_HAS_CONTACTS   1u
#define TS_TRAJECTORY_HAS_BODY_GATES 2u
#define TS_TRAJECTORY_IS_SPACE       4u /* with version 3, and only there */
#define TS_TRAJECTORY_HAS_SPRINGS    8u /* of space */

enum {
    TS_PREFIX_BYTES = 32,         /* magic, version, flags, size of the header, checksum */
    TS_CHECKSUM_BYTES = 8,        /* after the header and after each frame */
    TS_HEADER_BODY_BYTES = 36,    /* one body in the header */
    TS_CONTOUR_HEAD_BYTES = 12,   /* a curve in the header: number of vertices, whether it is open */
    TS_VERTEX_BYTES = 24,         /* one of them: x, y, bulge */
    TS_FRAME_HEAD_BYTES = 40,     /* magic, type, size of the payload, step, time, checksum of these */
    TS_FRAME_COUNT_BYTES = 8,     /* contacts in the frame, first in the payload */
    TS_FRAME_ENERGY_BYTES = 40,   /* energies, after it; not in version 1 */
    TS_FRAME_BOUNDARY_BYTES = 25, /* one boundary in a frame */
    TS_FRAME_BODY_BYTES = 36,     /* one body in a frame, and one byte more where bodies have gates */
    TS_FRAME_CONTACT_BYTES = 68,  /* one contact in a frame */

    /* of space, in the header … */
    TS_PIECE3_BYTES = 104,  /* kind, hull or mesh, radius, half length, half extents, pose */
    TS_FORM3_BYTES = 84,    /* shape, scale, radius, volume, inertia, number of pieces; those follow */
    TS_WALL3_BYTES = 76,    /* after its name: source, material, pose, number of pieces, in all with an empty name */
    TS_HULL_BYTES = 24,     /* numbers of vertices, faces and corners */
    TS_MESH_BYTES = 16,     /* numbers of vertices and triangles */
    TS_POINT3_BYTES = 24,   /* a vertex */
    TS_TRIANGLE_BYTES = 12, /* of a mesh */
    TS_HEADER_BODY3_BYTES = 28,
    TS_SPRING3_BYTES = 76, /* kind, a, b, anchors, stiffness, rest; before all of them their number */
    /* … and in a frame */
    TS_FRAME_WALL3_BYTES = 57,
    TS_FRAME_BODY3_BYTES = 80, /* and one more where bodies have gates */
    TS_FRAME_CONTACT3_BYTES = 76
};

#define TS_FRAME_MAGIC 0x4d415246u /* "FRAM" */
#define TS_FRAME_STATE 1u          /* the one type of frame so far */

/* Where frame `index` begins in the file; for index = frame count, where the last one ends. */
ts_status ts_trajectory_offset(ts_trajectory *reader, uint64_t index, uint64_t *offset, ts_error *error);

/* Reads the header's bytes, whose checksum was right, into `header`, whose version and has_springs are set; `space`: the file is of bodies in space. What that points to is put into
 * the arena, but for outlines and distances, which ts_trajectory_release_header frees, also after a failure. */
ts_status ts_trajectory_parse_header(ts_bytes from, bool space, ts_arena *arena, ts_trajectory_header *header,
                                     const char *path, ts_error *error);
void ts_trajectory_release_header(ts_trajectory_header *header);

/* ---- Pieces that the two kinds of header share ---- */

const char *ts_trajectory_take_text(ts_arena *arena, ts_bytes *from);
/* Room for `count` things that take at least `disk_bytes` each in the file; NULL with bad set when they cannot all be
 * there, so that no count from the file can ask for more memory than a multiple of the file's size. */
void *ts_trajectory_take_array(ts_arena *arena, ts_bytes *from, uint64_t count, size_t disk_bytes, size_t size);
/* That many texts; NULL when memory is short or the bytes make no sense (then from->bad is set). */
const char *const *ts_trajectory_take_texts(ts_arena *arena, ts_bytes *from, uint64_t count);
size_t ts_trajectory_text_length(const char *text); /* NULL is "" */
ts_status ts_trajectory_put_text(ts_append *log, const char *text, ts_error *error);

/* A double too large for a float becomes the largest float: converting it would be undefined. */
float ts_trajectory_float(double value);
/* What is written can be read: the reader refuses numbers that are not finite. */
bool ts_trajectory_all_finite(const double *value, int count);

/* ---- Space: trajectory_space.c writes, trajectory_space_read.c reads ---- */

/* What follows producer and title in the header of a run in space. */
uint64_t ts_trajectory_space_bytes(const ts_model *model);
ts_status ts_trajectory_put_space(ts_append *log, const ts_model *model, ts_error *error);
/* False when memory is short or the bytes make no sense (then from->bad is set). */
bool ts_trajectory_take_space(ts_arena *arena, ts_trajectory_header *header, ts_bytes *from);

/* Walls, bodies and contacts of a frame. */
ts_status ts_trajectory_put_frame3(ts_append *log, const ts_state *state, bool gates, const ts_contact *contact,
                                   size_t contact_count, ts_error *error);
/* Energy in the scene's springs [J]. */
double ts_trajectory_spring_energy(const ts_state *state);
/* One record each; false: a number makes no sense. */
bool ts_trajectory_take_wall3(ts_bytes *from, ts_frame_wall3 *wall);
bool ts_trajectory_take_body3(ts_bytes *from, bool gates, ts_frame_body3 *body);
bool ts_trajectory_take_contact3(ts_bytes *from, const ts_trajectory_space *space, ts_frame_contact3 *contact);
