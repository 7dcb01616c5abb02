/* SPDX-License-Identifier: MIT */
/* Maps that were made before, in a folder of files named by what they hold: <16 hexadecimal digits>.tsmap.
 *
 *     find ─▶ there: done
 *       └───▶ not there: lock ─▶ find again, another process may have made it ─▶ make ─▶ keep ─▶ unlock
 *
 * The digits are a hash of both forms, the options that matter to the kind, and the generation of the algorithms. A
 * file that is damaged, of another version or of other outlines counts as not there, and is replaced. Nothing here is
 * needed: where there is no folder, no room or no right to write, a map is made each time. An empty or NULL folder
 * means no cache. */
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "base/store.h"
#include "cspace/pair.h"
#include "touchstone/map.h"

/* To be raised when what is stored would come out otherwise: old maps are then made anew. */
#define TS_MAP_GENERATION 6

/* What a map is filed under; A with B and B with A under one name. `options` are completed ones, as asked (kind auto
 * stays auto). */
uint64_t ts_cache_key(const ts_pair *pair, const ts_map_options *options);

/* The map of these options, at the size of this pair, with A and B as they are here; NULL when there is none. Fails
 * only for want of memory. */
ts_status ts_cache_find(const char *folder, const ts_pair *pair, const ts_map_options *options, ts_map **map,
                        ts_error *error);
/* Files a map under its info.options, making the folder if need be. An auto map that came out exact is remembered as
 * such; other exact and sampled ones are passed over. A failure leaves the folder as it was; callers may go on
 * without. */
ts_status ts_cache_keep(const char *folder, const ts_map *map, ts_error *error);

/* Held while a map is made, so that others who want the same one wait. The system lets go of it when a process dies. */
typedef struct ts_cache_lock {
    int file; /* descriptor; -1: not held */
    char path[TS_STORE_PATH_BYTES];
} ts_cache_lock;

/* Waits for whoever makes the map of this key, some minutes at most. Where locking does not work it goes on without:
 * two then make the same map, and the later file stays. TS_INTERRUPTED when `progress` (may be NULL) said so
 * meanwhile. */
ts_status ts_cache_begin(const char *folder, uint64_t key, ts_map_progress *progress, void *user, ts_cache_lock *lock,
                         ts_error *error);
void ts_cache_end(ts_cache_lock *lock);
