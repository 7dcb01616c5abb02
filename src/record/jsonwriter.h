/* SPDX-License-Identifier: MIT */
/* Writes JSON, piece by piece, to a stream.
 *
 *     ts_json json;
 *     ts_json_to_stream(&json, stdout);
 *     ts_json_begin_object(&json, NULL);
 *     ts_json_text(&json, "study", "scale");
 *     ts_json_begin_array(&json, "claims");
 *     ts_json_number(&json, NULL, 0.1);           inside an array names are NULL
 *     ts_json_end(&json);
 *     ts_json_end(&json);
 *     status = ts_json_finish(&json, &error);     one check at the end: errors stick
 *
 * Numbers are the shortest that read back as the same bits, in every locale; NaN and infinities, which JSON cannot say,
 * become null. Text is escaped; bytes that are not UTF-8 become U+FFFD. Objects are indented by two spaces; arrays of
 * plain values stay on one line. Wrong nesting is a programmer's error: asserted, and reported by ts_json_finish. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

#define TS_JSON_DEPTH_MAX 32

typedef struct ts_json {
    FILE *stream;
    ts_status status; /* first failure; later calls do nothing */
    int depth;
    struct {
        bool array;
        bool lines;   /* something in it began a line of its own */
        size_t count; /* of values so far */
    } level[TS_JSON_DEPTH_MAX];
} ts_json;

void ts_json_to_stream(ts_json *json, FILE *stream); /* the stream stays the caller's */

/* `name` is the member's in an object, NULL in an array and for the outermost value. */
void ts_json_begin_object(ts_json *json, const char *name);
void ts_json_begin_array(ts_json *json, const char *name);
void ts_json_end(ts_json *json); /* of the innermost object or array */
void ts_json_number(ts_json *json, const char *name, double value);
void ts_json_numbers(ts_json *json, const char *name, const double *value, size_t count); /* an array */
/* Several members of an object: TS_JSON_NUMBERS(json, {"mean", mean}, {"worst", worst}). */
typedef struct ts_json_member {
    const char *name;
    double value;
} ts_json_member;
void ts_json_members(ts_json *json, const ts_json_member *member, size_t count);
#define TS_JSON_NUMBERS(json, ...)                               \
    ts_json_members(json, (const ts_json_member[]){__VA_ARGS__}, \
                    sizeof((const ts_json_member[]){__VA_ARGS__}) / sizeof(ts_json_member))
void ts_json_uint(ts_json *json, const char *name, uint64_t value);
void ts_json_int(ts_json *json, const char *name, int64_t value);
void ts_json_bool(ts_json *json, const char *name, bool value);
void ts_json_text(ts_json *json, const char *name, const char *text); /* NULL becomes null */
void ts_json_null(ts_json *json, const char *name);
/* 64 bits as 16 hexadecimal digits in a string: a JSON number would be rounded to a double by most readers. */
void ts_json_hash(ts_json *json, const char *name, uint64_t hash);

/* Ends the line and returns the first error. A stream is flushed, not closed. */
ts_status ts_json_finish(ts_json *json, ts_error *error);
