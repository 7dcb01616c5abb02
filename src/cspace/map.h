/* SPDX-License-Identifier: MIT */
/* A map in memory (touchstone/map.h says what it is): a pair, how poses fold, and one kind of field.
 *
 *     poses in metres ─▶ relative pose ─▶ fold ─▶ field of the kind ─▶ unfold ─▶ records in metres       query.c
 */
#pragma once

#include "cspace/exact.h"
#include "cspace/fold.h"
#include "cspace/network.h"
#include "cspace/pair.h"
#include "cspace/sampled.h"
#include "cspace/smooth.h"
#include "cspace/table.h"
#include "touchstone/map.h"

/* Why an auto map is exact. */
typedef enum ts_map_lack {
    TS_LACK_UNKNOWN = 0, /* from the cache, which does not say; or nothing is lacking */
    TS_LACK_ROOM,        /* no table fits into the bytes, or there is none at all */
    TS_LACK_ERROR,       /* none reaches the error */
    TS_LACK_WORST,       /* none reaches it with its worst errors and its signs in order */
    TS_LACK_OPEN         /* the best one closes pockets */
} ts_map_lack;

struct ts_map {
    ts_map_info info;
    ts_pair *pair;
    ts_fold fold;        /* inactive for exact and sampled */
    ts_exact *exact;     /* always there: it costs little, and is what errors are measured against */
    ts_sampled *sampled; /* sampled alone */
    ts_network *network; /* network alone */
    ts_table *table;     /* table alone */
    ts_smoothed smooth;  /* exact and sampled with smoothing */
    const void *field;   /* what `query` is asked with: one of the five */
    ts_field_query *query;
    bool turned;      /* the caller's A is the pair's B; info has sides as the caller gave them */
    char made_by[32]; /* version of the program that made it; empty: this one */
    int64_t made_at;  /* when [s since 1970]; 0: the time at which it is first written */
    ts_map_lack lack; /* of the table that auto gave up */
    char unkept[512]; /* why the cache does not have it, a sentence; empty: it has, or need not */
};

/* Asks the kind's field at poses of B in A's frame, in the pair's unit: folds, asks, unfolds. count ≤
 * TS_FIELD_BATCH. */
void ts_map_fields(const ts_map *map, size_t count, ts_fields *fields);
/* Bytes on the heap, outlines included. */
size_t ts_map_memory(const ts_map *map);
/* Exchanges what the caller calls A and B. */
void ts_map_turn(ts_map *map);
/* B at a pose (pair's frame and unit) as seen from A, as two poses in metres: the pair's A at `at` in the world. */
ts_map_pose ts_map_place(const ts_map *map, const double at[3], const double pose[3]);
/* Options with every default filled in, or TS_BAD_INPUT with the field that is wrong. */
ts_status ts_map_options_complete(const ts_map_options *given, ts_map_options *complete, ts_error *error);
/* A map around parts that are there already (readers, tests); takes over whatever is not NULL, also on failure. */
ts_status ts_map_assemble(ts_pair *pair, const ts_map_options *options, ts_network *network, ts_table *table,
                          ts_map **map, ts_error *error);
/* How poses fold for a map of this kind, when it is made and when it is read: a table's lattice shares less symmetry
 * than the pair has, exact and sampled maps need none. The pair must be in the order of its map (ts_pair_is_turned). */
ts_fold ts_map_fold(ts_map_kind kind, const ts_pair *pair, bool folding);

/* Who measures, and who is told how far it is. */
typedef struct ts_assessing {
    ts_pool *pool;             /* NULL: one thread */
    ts_map_progress *progress; /* may be NULL; TS_INTERRUPTED when it returns false */
    void *user;
} ts_assessing;

/* Measures errors against the exact gap (assess.c). `how`: NULL is fine. */
ts_status ts_map_assess(const ts_map *map, uint64_t samples, uint64_t seed, const ts_assessing *how,
                        ts_map_errors *errors, ts_error *error);
