/* SPDX-License-Identifier: MIT */
/* The pairs of outlines that meet in the scenes of the CEM paper (section 8, Table 1), each once.
 *
 * m types make m (m + 1) / 2 pairs: each with each other, and with itself. Where walls are fixed and every grain is of
 * one type, the wall never meets itself. The half-plane of the validations is five times as large as what meets it: a
 * table only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "study/grains.h"

typedef struct ts_map_pair {
    const char *scene;            /* the first that has it */
    const char *a, *b;            /* names in the grain library */
    const ts_outline *outline[2]; /* the library's */
    bool large;                   /* learned by 5×64 networks */
    bool small;                   /* learned by 3×32 networks as well */
    bool drum;                    /* one of the drum's */
} ts_map_pair;

typedef TS_ARRAY(ts_map_pair) ts_map_pairs;

/* The distinct ones of every scene, or those of the quick study. `pairs` is the caller's to ts_array_free, also on
 * failure. */
ts_status ts_map_pairs_list(const ts_grains *grains, bool full, ts_map_pairs *pairs, ts_error *error);

/* Types of the drum, and how many distinct pairs they make, by their outlines: two letters of one form would make
 * fewer. */
ts_status ts_map_pairs_drum(const ts_grains *grains, size_t *types, size_t *pairs, ts_error *error);
