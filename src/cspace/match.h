/* SPDX-License-Identifier: MIT */
/* Whether a map that is at hand is the one of a pair.
 *
 * One map serves all sizes of a pair, and both orders: what has to agree are both outlines, vertex by vertex and to
 * rounding, and the ratio of their sizes. Hashes are no part of it; they are names, and rounding may change one. */
#pragma once

#include <stdbool.h>

#include "cspace/map.h"

/* Whether x is y made `scale` times as large. Both are about their centres. */
bool ts_same_outline(const ts_outline *x, const ts_outline *y, double scale);
/* An outline about its centre of mass, made `scale` times as large. */
typedef struct ts_sized_outline {
    const ts_outline *outline;
    double scale;
} ts_sized_outline;

/* Whether a map is of these two; `turned` (may be NULL): its first is b. Cheap: nothing is made. */
bool ts_map_is_of(const ts_map *map, ts_sized_outline a, ts_sized_outline b, bool *turned);
/* Gives a map that is of this pair the pair's size, and its A and B; false, and untouched, when it is of another
 * one. */
bool ts_map_fit(ts_map *map, const ts_pair *pair);
