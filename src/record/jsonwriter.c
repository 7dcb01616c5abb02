/* SPDX-License-Identifier: MIT */
#include "record/jsonwriter.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

/* ---- Bytes ---- */

static void put(ts_json *json, const char *bytes, size_t count)
{
    if (json->status == TS_OK && fwrite(bytes, 1, count, json->stream) != count)
        json->status = TS_IO;
}

static void put_text(ts_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void new_line(ts_json *json)
{
    put(json, "\n", 1);
    for (int i = 0; i < json->depth; i++)
        put(json, "  ", 2);
}

static void put_string(ts_json *json, const char *text)
{
    put(json, "\"", 1);
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        const char *escape = "\"\\\b\f\n\r\t", *found = strchr(escape, *c);
        size_t length = ts_utf8_length((const char *)c);
        char code[8];
        if (found) {
            snprintf(code, sizeof code, "\\%c", "\"\\bfnrt"[found - escape]);
            put_text(json, code);
        } else if (*c < 0x20 || *c == 0x7f) {
            snprintf(code, sizeof code, "\\u%04x", *c);
            put_text(json, code);
        } else if (length == 0) {
            put_text(json, "\\ufffd");
        } else {
            put(json, (const char *)c, length);
        }
        c += length ? length : 1;
    }
    put(json, "\"", 1);
}

/* ---- Values ---- */

/* Comma, line and name: all that stands before a value. `line`: the value wants a line of its own even in an array. */
static void before_value(ts_json *json, const char *name, bool line)
{
    bool inside = json->depth > 0;
    bool array = inside && json->level[json->depth - 1].array;
    bool misplaced = inside ? array == (name != NULL) : name != NULL || json->level[0].count > 0;
    assert(!misplaced);
    if (misplaced && json->status == TS_OK)
        json->status = TS_BAD_INPUT;
    if (!inside) {
        json->level[0].count = 1; /* one outermost value; the object or array that it opens starts from 0 again */
        return;
    }
    if (json->level[json->depth - 1].count++ > 0)
        put(json, ",", 1);
    if (!array || line || json->level[json->depth - 1].lines) {
        json->level[json->depth - 1].lines = true;
        new_line(json);
    } else if (json->level[json->depth - 1].count > 1) {
        put(json, " ", 1);
    }
    if (name) {
        put_string(json, name);
        put(json, ": ", 2);
    }
}

static void begin(ts_json *json, const char *name, bool array)
{
    before_value(json, name, true);
    assert(json->depth < TS_JSON_DEPTH_MAX);
    if (json->depth >= TS_JSON_DEPTH_MAX) {
        if (json->status == TS_OK)
            json->status = TS_BAD_INPUT;
        return;
    }
    put(json, array ? "[" : "{", 1);
    json->level[json->depth].array = array;
    json->level[json->depth].lines = false;
    json->level[json->depth].count = 0;
    json->depth++;
}

void ts_json_to_stream(ts_json *json, FILE *stream)
{
    *json = (ts_json){.stream = stream};
}

void ts_json_begin_object(ts_json *json, const char *name)
{
    begin(json, name, false);
}

void ts_json_begin_array(ts_json *json, const char *name)
{
    begin(json, name, true);
}

void ts_json_end(ts_json *json)
{
    assert(json->depth > 0);
    if (json->depth == 0) {
        if (json->status == TS_OK)
            json->status = TS_BAD_INPUT;
        return;
    }
    json->depth--;
    if (json->level[json->depth].lines)
        new_line(json);
    put(json, json->level[json->depth].array ? "]" : "}", 1);
    if (json->depth == 0)
        json->level[0].count = 1;
}

void ts_json_number(ts_json *json, const char *name, double value)
{
    char text[TS_DOUBLE_TEXT_SIZE] = "null";
    before_value(json, name, false);
    if (isfinite(value))
        ts_format_double(value, text);
    put_text(json, text);
}

void ts_json_numbers(ts_json *json, const char *name, const double *value, size_t count)
{
    ts_json_begin_array(json, name);
    for (size_t i = 0; i < count; i++)
        ts_json_number(json, NULL, value[i]);
    ts_json_end(json);
}

void ts_json_members(ts_json *json, const ts_json_member *member, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ts_json_number(json, member[i].name, member[i].value);
}

void ts_json_uint(ts_json *json, const char *name, uint64_t value)
{
    char text[24];
    before_value(json, name, false);
    snprintf(text, sizeof text, "%" PRIu64, value);
    put_text(json, text);
}

void ts_json_int(ts_json *json, const char *name, int64_t value)
{
    char text[24];
    before_value(json, name, false);
    snprintf(text, sizeof text, "%" PRId64, value);
    put_text(json, text);
}

void ts_json_bool(ts_json *json, const char *name, bool value)
{
    before_value(json, name, false);
    put_text(json, value ? "true" : "false");
}

void ts_json_text(ts_json *json, const char *name, const char *text)
{
    before_value(json, name, false);
    if (text)
        put_string(json, text);
    else
        put_text(json, "null");
}

void ts_json_null(ts_json *json, const char *name)
{
    ts_json_text(json, name, NULL);
}

void ts_json_hash(ts_json *json, const char *name, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    ts_json_text(json, name, text);
}

/* ---- The end ---- */

ts_status ts_json_finish(ts_json *json, ts_error *error)
{
    assert(json->depth == 0 || json->status != TS_OK);
    if (json->depth != 0 && json->status == TS_OK)
        json->status = TS_BAD_INPUT;
    put(json, "\n", 1);
    errno = 0;
    if (json->status == TS_OK && fflush(json->stream) != 0)
        json->status = TS_IO;
    switch (json->status) {
    case TS_OK:
        return TS_OK;
    case TS_IO:
        return ts_fail(error, TS_IO, "cannot write JSON%s%s; is the disk full?", errno ? ": " : "",
                       errno ? strerror(errno) : "");
    default:
        return ts_fail(error, json->status, "JSON was written with a missing or superfluous end; report this");
    }
}
