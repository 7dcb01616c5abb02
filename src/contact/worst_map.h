/* SPDX-License-Identifier: MIT */
/* Of the contact maps of a scene, the one that is farthest from the truth by the errors that are kept with it. Exact
 * and sampled maps have none and do not count. */
#pragma once

#include "touchstone/map.h"
#include "touchstone/sim.h"

typedef struct ts_worst_map {
    ts_map_info info; /* errors.samples 0: the errors of no map are known */
    char a[80], b[80];
} ts_worst_map;

/* Keeps the worse one, by mean error. */
void ts_worst_map_take(ts_worst_map *worst, const ts_map_info *info, const char *a, const char *b);
/* Of the maps that a prepared model has. */
ts_worst_map ts_worst_map_of(const ts_model *model);
/* Whether an overlap, as a share of the smaller radius, may be no more than an error of the map. */
bool ts_worst_map_explains(const ts_worst_map *worst, double overlap_ratio);
/* What to change for a better map, as in "raise map.samples". */
const char *ts_worst_map_remedy(const ts_worst_map *worst);
