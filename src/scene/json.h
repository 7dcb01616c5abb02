/* SPDX-License-Identifier: MIT */
/* A JSON text as a tree that knows where everything stood.
 *
 * JSON (RFC 8259) with two additions, comments (// to the end of the line, and between slash-star and star-slash) and a
 * comma after the last item of a list or an object; strict in everything else: UTF-8 without a byte-order mark, no
 * control characters, no duplicate keys, finite numbers only, no zero byte inside a text.
 *
 * The text is not trusted. Size, depth and the number of values are capped, so that 100 MB of brackets fail at the
 * first one too many; every error has its line and column (bytes from 1). A list of n items costs O(n), an object O(n
 * log n).
 *
 *     object ──first──▶ member ──next──▶ member ──next──▶ NULL      member->key, and the member is itself the value
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Above 100 MB, so that even a huge file of nonsense is told where it goes wrong rather than that it is large. */
#define TS_JSON_BYTES_MAX ((size_t)128 << 20)
/* A scene is some eight levels deep; the reader and the writer may therefore recurse. */
#define TS_JSON_NESTING_MAX 64
/* A million bodies written out one by one are some five million values; a value costs 64 bytes. */
#define TS_JSON_VALUES_MAX 10000000

typedef enum ts_json_kind {
    TS_JSON_NULL,
    TS_JSON_BOOLEAN,
    TS_JSON_NUMBER,
    TS_JSON_TEXT,
    TS_JSON_ARRAY,
    TS_JSON_OBJECT
} ts_json_kind;

typedef struct ts_json_value ts_json_value;
struct ts_json_value {
    ts_json_value *next; /* the item or member after this one, or NULL */
    const char *key;     /* of a member; NULL for an item of a list and for the root */
    const char *file;    /* where it was written; borrowed from the caller of ts_json_parse */
    union {
        bool boolean;
        double number;        /* finite */
        const char *text;     /* UTF-8, ends in zero */
        ts_json_value *first; /* first item or member; NULL when there is none */
    };
    int32_t line, column;         /* of the value's first byte */
    int32_t key_line, key_column; /* of the key's opening quote */
    uint32_t count;               /* items or members */
    ts_json_kind kind;
};

/* Parses a whole text into a tree that lives in the arena. `file` stands in every place and is borrowed for as long as
 * the tree is used. `root` is untouched on failure. */
ts_status ts_json_parse(ts_arena *arena, const char *text, size_t length, const char *file, ts_json_value **root,
                        ts_error *error);

/* The member of that key, or NULL; also NULL when `object` is NULL or not an object. O(members). */
ts_json_value *ts_json_get(const ts_json_value *object, const char *key);
/* Item `index` of a list, or NULL. O(index). */
ts_json_value *ts_json_item(const ts_json_value *array, size_t index);
/* Where the value stands, and where its key does. */
ts_place ts_json_place(const ts_json_value *value);
ts_place ts_json_key_place(const ts_json_value *member);
/* "a number", "text", "a list", "an object", "true or false" or "null", for messages. */
const char *ts_json_kind_name(ts_json_kind kind);

/* A new value for a tree, of kind null, at `place` (whose file is borrowed); NULL when out of memory. */
ts_json_value *ts_json_new(ts_arena *arena, ts_place place);
/* Appends an item, or a member whose key is already set. */
void ts_json_append(ts_json_value *list, ts_json_value *value);
/* Takes one child out of a list or an object. */
void ts_json_remove(ts_json_value *list, const ts_json_value *value);

/* The tree as canonical text: four spaces of indent, lists of plain values on one line, numbers that read back as the
 * same bits, no comments. Freed with ts_free; a zero byte follows the end. */
ts_status ts_json_write(const ts_json_value *root, char **text, size_t *length, ts_error *error);

/* A user's text made fit for a message: at most `capacity` - 1 bytes, cut with an ellipsis between characters, control
 * characters shown as "?". Returns `out`. */
const char *ts_quote(const char *text, char *out, size_t capacity);
#define TS_QUOTE_SIZE 80
