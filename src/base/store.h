/* SPDX-License-Identifier: MIT */
/* Results that were worked out before, in a folder of files named by what they hold: <16 hexadecimal digits>.<ending>.
 *
 * The digits are a hash of all that the result depends on. Nothing here is needed: where there is no folder, no room or
 * no right to write, results are worked out each time. An empty or NULL folder means no store. Readers must check what
 * they get: a file may be damaged, or another one under the same name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define TS_STORE_PATH_BYTES 4096

/* Where results are kept unless somebody says otherwise: $TOUCHSTONE_CACHE, else $XDG_CACHE_HOME/touchstone, else
 * ~/.cache/touchstone; empty when there is no such place. Writes at most `capacity` bytes with the terminating zero,
 * and returns `text`. */
char *ts_store_folder(char *text, size_t capacity);

/* One file of a store. */
typedef struct ts_stored {
    const char *folder; /* NULL or "": no store */
    uint64_t key;
    const char *ending; /* of the name, without the dot */
} ts_stored;

/* folder/<key>.<ending>; false when there is no folder, or when the path is too long. */
bool ts_store_name(ts_stored what, char path[TS_STORE_PATH_BYTES]);
/* The bytes of that file, to be freed with ts_free; NULL when there is none, or only one of more than `cap` bytes.
 * Fails only for want of memory. */
ts_status ts_store_find(ts_stored what, size_t cap, char **bytes, size_t *size, ts_error *error);
/* Replaces that file, atomically, making the folder if need be. A failure leaves the folder as it was; callers may go
 * on without. No folder is no failure. */
ts_status ts_store_keep(ts_stored what, const void *bytes, size_t size, ts_error *error);
