/* SPDX-License-Identifier: MIT */
/* What the readers of meshes share; nobody else includes it.
 *
 *     mesh_read.c           which format; from a file to a closed mesh
 *     mesh_read_text.c      words and numbers of a text
 *     mesh_read_polygon.c   polygons into triangles
 *     mesh_read_obj.c, mesh_read_stl.c, mesh_read_ply.c */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "shape/mesh_read.h"

/* ---- Text (mesh_read_text.c) ---- */

typedef struct ts_mesh_text {
    const char *at, *end;
    const char *line_begin; /* of the line that `at` is in */
    const char *name;       /* of the file; may be NULL */
    int line;               /* from 1 */
    bool joins;             /* a backslash at the end of a line joins the next one to it */
    char newline; /* what ends a line: '\n', or '\r' in files that have no other; '\r' before '\n' is a blank */
} ts_mesh_text;

typedef struct ts_mesh_word {
    const char *at;
    size_t length;
} ts_mesh_word;

/* A word as it may stand in a message: cut when long, '?' for what does not print. */
typedef struct ts_mesh_shown {
    char text[44];
} ts_mesh_shown;

/* A byte-order mark is passed over. */
ts_mesh_text ts_mesh_text_of(const void *bytes, size_t size, const char *name);
/* The next word of this line, or of those on which it goes on after a backslash; false at its end or at a comment
 * (#). */
bool ts_mesh_word_in_line(ts_mesh_text *text, ts_mesh_word *word);
/* To the start of the next line, whatever is left of this one. */
void ts_mesh_end_line(ts_mesh_text *text);
/* The next word on whatever line; false at the end of the text. */
bool ts_mesh_word_next(ts_mesh_text *text, ts_mesh_word *word);
bool ts_mesh_word_is(ts_mesh_word word, const char *expected); /* whatever the case of ASCII letters */
ts_mesh_shown ts_mesh_show(ts_mesh_word word);
ts_place ts_mesh_place(const ts_mesh_text *text, ts_mesh_word word);
/* Where the text has ended too early. */
ts_place ts_mesh_place_here(const ts_mesh_text *text);
/* A finite number; `what` is named in the error. */
ts_status ts_mesh_number(const ts_mesh_text *text, ts_mesh_word word, const char *what, double *value, ts_error *error);

/* ---- Soup ---- */

typedef struct ts_mesh_corners {
    int32_t v[3];
} ts_mesh_corners;

typedef struct ts_mesh_soup {
    TS_ARRAY(ts_vec3) vertex;
    TS_ARRAY(ts_mesh_corners) triangle;
    TS_ARRAY(int32_t) corner; /* of the polygon that is being read */
    TS_ARRAY(ts_vec2) point;  /* the same, in a plane */
} ts_mesh_soup;

/* The triangles of the polygon soup->corner, whose indices are valid (mesh_read_polygon.c). `place` is for the
 * error. */
ts_status ts_mesh_add_polygon(ts_mesh_soup *soup, ts_place place, ts_error *error);

/* ---- Formats ---- */

ts_status ts_mesh_read_obj(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error);
ts_status ts_mesh_read_stl(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error);
ts_status ts_mesh_read_ply(const void *bytes, size_t size, const char *name, ts_mesh_soup *soup, ts_error *error);
/* The size is what the count in the header of a binary STL asks for. */
bool ts_mesh_is_binary_stl(const void *bytes, size_t size);
