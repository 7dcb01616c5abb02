/* SPDX-License-Identifier: MIT */
/* The bytes of a trajectory, for its reader and its writer alone; docs/formats.md is the description. */
#pragma once

#include <stdint.h>

#include "base/memory.h"
#include "record/append.h"
#include "record/archive.h"
#include "record/kind.h"

/* A first byte above 127 and two kinds of line end show up a file that went through a text conversion, as in PNG. */
static const unsigned char ts_trajectory_magic[8] = {0x89, 'T', 'S', 'T', '\r', '\n', 0x1a, '\n'};

#define TS_TRAJECTORY_HAS_CONTACTS   1u
#define TS_TRAJECTORY_HAS_BODY_GATES 2u
#define TS_TRAJECTORY_IS_SPACE       4u  /* with version 3, and only there */
#define TS_TRAJECTORY_HAS_SPRINGS    8u  /* after the bodies, in the header */
#define TS_TRAJECTORY_HAS_WEIGHTS    16u /* of space: at the end of contacts; some bodies are smooth */

enum {
    TS_PREFIX_BYTES = 32,       /* magic, version, flags, size of the header, checksum */
    TS_CHECKSUM_BYTES = 8,      /* after the header and after each frame */
    TS_CONTOUR_HEAD_BYTES = 12, /* a curve in the header: number of vertices, whether it is open */
    TS_VERTEX_BYTES = 24,       /* one of them: x, y, bulge */
    TS_FRAME_HEAD_BYTES = 40,   /* magic, type, size of the payload, step, time, checksum of these */
    TS_FRAME_COUNT_BYTES = 8,   /* contacts in the frame, first in the payload */
    TS_FRAME_ENERGY_BYTES = 40, /* energies, after it; not in version 1 */

    /* of space, in the header */
    TS_PIECE3_BYTES = 104,  /* kind, hull or mesh, radius, half length, half extents, pose */
    TS_FORM3_BYTES = 84,    /* shape, scale, radius, volume, inertia, number of pieces; those follow */
    TS_WALL3_BYTES = 76,    /* after its name: source, material, pose, number of pieces, in all with an empty name */
    TS_HULL_BYTES = 24,     /* numbers of vertices, faces and corners */
    TS_MESH_BYTES = 16,     /* numbers of vertices and triangles */
    TS_POINT3_BYTES = 24,   /* a vertex */
    TS_TRIANGLE_BYTES = 12, /* of a mesh */
    TS_SPRING3_BYTES = 76,  /* kind, a, b, anchors, stiffness, rest; before all of them their number */

    /* one body in the header: in the plane shape, material, scale, radius, mass, fixed; in space the form instead of
     * shape and scale */
    TS_HEADER_BODY_BYTES = 36,
    TS_HEADER_BODY3_BYTES = 28,
    TS_FRAME_RECORD_MOST = 96 /* no record of a frame has more bytes */
};

#define TS_FRAME_MAGIC 0x4d415246u /* "FRAM" */
#define TS_FRAME_STATE 1u          /* the one type of frame so far */

/* Where frame `index` begins in the file; for index = frame count, where the last one ends. */
ts_status ts_trajectory_offset(ts_trajectory *reader, uint64_t index, uint64_t *offset, ts_error *error);

/* ---- The header: trajectory_header.c ---- */

/* Reads the header's bytes, whose checksum was right, into `header`, whose version, kind and has_springs are set.
 * What that points to is put into the arena, but for outlines and distances, which ts_trajectory_release_header frees,
 * also after a failure. */
ts_status ts_trajectory_parse_header(ts_bytes from, ts_arena *arena, ts_trajectory_header *header, const char *path,
                                     ts_error *error);
void ts_trajectory_release_header(ts_trajectory_header *header);
/* The header's bytes, to be freed with ts_free, and how many there will be (0 when memory is short). */
ts_status ts_trajectory_write_header(const ts_model *model, const char *title, unsigned char **bytes, size_t *size,
                                     ts_error *error);
uint64_t ts_trajectory_header_bytes(const ts_model *model, const char *title);

/* ---- Records of a frame: trajectory_record.c ---- */

void ts_record_wall(ts_archive *a, const ts_record_kind *kind, ts_frame_wall *wall);
void ts_record_body(ts_archive *a, const ts_record_kind *kind, bool gates, ts_frame_body *body);
void ts_record_contact(ts_archive *a, const ts_record_kind *kind, bool weights, ts_frame_contact *contact);
/* A pose in seven numbers, as the header of space has them, too. */
void ts_record_pose(ts_archive *a, ts_pose3 *pose);
