/* SPDX-License-Identifier: MIT */
/* Small text helpers: numbers that read and print the same in every locale, names a user may have meant, and paths.
 *
 * strtod and printf follow the process's locale, so in a German program "0.5" reads as 0. These never do. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Numbers ---- */

/* Reads a decimal number, [+-] digits [. digits] [e [+-] digits], from the start of `text` (at most `length` bytes,
 * need not end in zero): the nearest double. Returns the bytes it took, or 0 when no number stands there, when it
 * overflows, or when it is longer than 1023 bytes; then `value` is untouched. No spaces, hexadecimal, inf or nan. */
size_t ts_parse_number(const char *text, size_t length, double *value);
/* The whole text is one number. */
bool ts_parse_double(const char *text, double *value);
/* The whole text is one decimal integer, [+-] digits, that fits. */
bool ts_parse_int64(const char *text, int64_t *value);
bool ts_parse_uint64(const char *text, uint64_t *value);

/* The shortest of %.15g, %.16g and %.17g that reads back as the same bits ("0.1", not "0.10000000000000001"); inf, -inf
 * and nan as such. Returns the length. */
#define TS_DOUBLE_TEXT_SIZE 32
int ts_format_double(double value, char text[TS_DOUBLE_TEXT_SIZE]);

/* ---- Names ---- */

/* Edits (insert, delete, replace, swap neighbours) that turn a into b: the optimal string alignment distance, in bytes.
 * Returns limit + 1 as soon as it is known to be more than `limit`, or when a name is longer than 127 bytes. */
int ts_edit_distance(const char *a, const char *b, int limit);
/* The candidate that a user who typed `name` most likely meant, whatever the case of its letters; NULL when none is
 * near enough (a third of the letters, at least one). The first of equals wins. */
const char *ts_nearest_name(const char *name, const char *const *candidate, size_t count);

/* ---- Paths, with '/' ---- */

/* Each writes at most `capacity` bytes with the terminating zero and returns the length the whole result has, as
 * snprintf does: a result ≥ capacity was cut. `out` must not overlap the inputs. */

/* folder/path; just `path` when it is absolute or the folder is empty or ".". */
size_t ts_path_join(const char *folder, const char *path, char *out, size_t capacity);
/* The folder that holds path: "a/b/c" → "a/b", "c" → ".", "/c" → "/", "a/b/" → "a". */
size_t ts_path_folder(const char *path, char *out, size_t capacity);
/* The last component, within `path`: "a/b.json" → "b.json". */
const char *ts_path_name(const char *path);
/* Whether a path from a scene stays inside the scene's folder: relative, not empty, and no ".." that climbs above the
 * start. Lexical: links in the folder are the user's own. */
bool ts_path_stays_inside(const char *path);

/* ---- UTF-8 ---- */

/* Bytes of the well-formed sequence at `text` (Unicode, table 3-7), or 0. The text ends in zero, so it may look
 * ahead. */
size_t ts_utf8_length(const char *text);
/* The character there; U+FFFD with length 0 when it is not well formed. */
uint32_t ts_utf8_decode(const char *text, size_t *length);
