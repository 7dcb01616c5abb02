/* SPDX-License-Identifier: MIT */
/* The bytes of a trajectory, for its reader and its writer alone; docs/formats.md is the description. */
#pragma once

#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "record/trajectory.h"

/* A first byte above 127 and two kinds of line end show up a file that went through a text conversion, as in PNG. */
static const unsigned char ts_trajectory_magic[8] = {0x89, 'T', 'S', 'T', '\r', '\n', 0x1a, '\n'};

#define TS_TRAJECTORY_HAS_CONTACTS   1u
#define TS_TRAJECTORY_HAS_BODY_GATES 2u

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
    TS_FRAME_CONTACT_BYTES = 68   /* one contact in a frame */
};

#define TS_FRAME_MAGIC 0x4d415246u /* "FRAM" */
#define TS_FRAME_STATE 1u          /* the one type of frame so far */

/* Where frame `index` begins in the file; for index = frame count, where the last one ends. */
ts_status ts_trajectory_offset(ts_trajectory *reader, uint64_t index, uint64_t *offset, ts_error *error);

/* Reads the header's bytes, whose checksum was right, into `header`, whose version is set; what that points to is put into
 * the arena, but for outlines and distances, which ts_trajectory_release_header frees, also after a failure. */
ts_status ts_trajectory_parse_header(ts_bytes from, ts_arena *arena, ts_trajectory_header *header, const char *path,
                                     ts_error *error);
void ts_trajectory_release_header(ts_trajectory_header *header);
