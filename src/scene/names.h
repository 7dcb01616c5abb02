/* SPDX-License-Identifier: MIT */
/* Names of things in a scene: a hash table from a name to a kind and an index.
 *
 * The texts belong to the scene's arena. Adding is split in two, so that a caller can make all room first and then
 * change the scene without a way to fail. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum ts_name_kind {
    TS_NAME_NONE,
    TS_NAME_SHAPE,
    TS_NAME_MATERIAL,
    TS_NAME_BODY,
    TS_NAME_WALL,
    TS_NAME_GENERATOR
} ts_name_kind;

typedef struct ts_name {
    const char *text; /* NULL: a free slot */
    ts_name_kind kind;
    int32_t index; /* of the thing among its kind */
} ts_name;

typedef struct ts_names {
    ts_name *slot;   /* open addressing (capacity, a power of two or 0) */
    size_t count;    /* slots in use */
    size_t capacity; /* at least twice the count */
} ts_names;

/* NULL when nothing has that name. */
const ts_name *ts_names_find(const ts_names *names, const char *text);
/* Makes room for one more name. */
ts_status ts_names_reserve(ts_names *names, ts_error *error);
/* Adds a name that is not there yet, after ts_names_reserve. */
void ts_names_add(ts_names *names, const char *text, ts_name_kind kind, int32_t index);
void ts_names_free(ts_names *names);
