/* SPDX-License-Identifier: MIT */
/* What already lies where, while a scene is being filled: a hash grid of discs, or of balls in space.
 *
 * Discs of very different sizes live in one grid: each is kept on the level whose cells, of 2^e metres, are just larger
 * than its diameter, and a search looks at the few cells around it on every level that is in use.
 *
 *     level 3   ┌───────────┐
 *               │    (◯)    │      A search costs O(1) a level as long as it is not for a disc much larger than those
 *     level 1   ├──┬──┬──┬──┤      that are there: add large discs first where there is a choice. (It is never wrong, and
 *               │o │  │ o│  │      never more than one look at each disc.)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"

typedef struct ts_occupant {
    ts_vec3 centre;     /* z = 0 in the plane [m] */
    double radius;      /* [m] */
    int32_t owner;      /* body id */
    int32_t next;       /* in the same bucket, -1: none */
    int32_t level_next; /* on the same level, -1: none */
} ts_occupant;

typedef struct ts_occupancy_level {
    int exponent; /* cells of 2^exponent m */
    int32_t first;
    size_t count;
} ts_occupancy_level;

/* Zero but for the axes is an empty one. */
typedef struct ts_occupancy {
    int axes; /* 2; 3: cells have a height, too */
    TS_ARRAY(ts_occupant) disc;
    TS_ARRAY(ts_occupancy_level) level;
    int32_t *bucket;     /* first disc whose cell hashes here, -1: none */
    size_t bucket_count; /* power of two, or 0 */
} ts_occupancy;

/* The level of a disc: larger discs have higher ones. */
int ts_occupancy_level_of(double radius);
ts_status ts_occupancy_add(ts_occupancy *o, ts_vec3 centre, double radius, int32_t owner, ts_error *error);
/* Shows to `hit` every disc that comes nearer to a point than `reach`, and perhaps others, perhaps twice, until it says
 * true; returns that disc or NULL. */
typedef bool ts_occupancy_hit(void *context, const ts_occupant *near);
const ts_occupant *ts_occupancy_find(const ts_occupancy *o, ts_vec3 point, double reach, ts_occupancy_hit *hit,
                                     void *context);
void ts_occupancy_free(ts_occupancy *o);
