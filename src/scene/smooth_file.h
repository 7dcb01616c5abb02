/* SPDX-License-Identifier: MIT */
/* Files of smooth bodies: what a fit found, to be used in scenes and by programs (docs/formats.md).
 *
 *     {
 *         "touchstone_smooth": 1,
 *         "notes": ["fitted to drill.obj: 17 superquadrics, mean error 0.4%"],
 *         "smoothing": 0.003,
 *         "pieces": [{"kind": "superquadric", "size": [0.02, 0.02, 0.06], "exponents": [0.3, 1], "position": [0, 0, 0.1]}, …],
 *         "points": [[0.02, 0, 0.1], …],
 *         "triangles": [[0, 1, 2], …]
 *     }
 *
 * JSON as scenes are (comments and a last comma are allowed); pieces are those of the shape "smooth". Lengths in
 * metres. Numbers are written so that they read back as the same bits. */
#pragma once

#include "scene/json.h"
#include "shape/sdf.h"

/* The version of the format: the value of "touchstone_smooth". */
#define TS_SMOOTH_FILE_FORMAT 1
/* Larger files are refused. */
#define TS_SMOOTH_FILE_BYTES_MAX ((size_t)64 << 20)

/* Reads a file; errors have their line and column. Trusts nothing: numbers are finite, indices in range, the mesh is
 * closed and turned outwards. */
ts_status ts_smooth_file_read(const char *path, ts_sdf_body **body, ts_error *error);
/* The same of a text; `name` stands for the file in messages. */
ts_status ts_smooth_file_parse(const char *text, size_t length, const char *name, ts_sdf_body **body, ts_error *error);

/* The same as a tree in the arena, whose places are those in the file; all of it has been checked. */
ts_status ts_smooth_file_tree(ts_arena *arena, const char *path, ts_json_value **root, ts_error *error);

/* Writes a body, atomically (base/file.h). `note`: where it came from, sentences for people; may be NULL. */
ts_status ts_smooth_file_write(const char *path, const ts_sdf_body *body, const char *const *note, size_t note_count,
                               ts_error *error);
/* The same as a text, to be freed with ts_free; a zero byte follows the end. */
ts_status ts_smooth_file_text(const ts_sdf_body *body, const char *const *note, size_t note_count, char **text,
                              size_t *length, ts_error *error);
