/* SPDX-License-Identifier: MIT */
/* Two outlines in the frame and the unit in which maps work.
 *
 * Both are moved to their centres of mass and scaled by one factor, so that the larger has radius 1. A stands at the
 * origin, B at a pose (x, y, angle): q_AB = q_A⁻¹ q_B. Everything in this folder below map.c is in this unit; map.c
 * alone knows metres. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "touchstone/shape.h"

typedef struct ts_pair {
    ts_outline *a, *b;         /* own */
    double radius_a, radius_b; /* the larger is 1 */
    double small;              /* the smaller of the two: errors, and what counts as near, are shares of it */
    double reach;              /* radius_a + radius_b: centres farther apart do not touch */
    double unit;               /* what is 1 here, in the unit of the outlines that were given */
    ts_symmetry symmetry_a, symmetry_b;
    bool same;               /* one form and one size: A and B may be exchanged */
    uint64_t hash_a, hash_b; /* of the forms, each in its own radius, and of that radius beside the larger one */
} ts_pair;

ts_status ts_pair_create(const ts_outline *a, const ts_outline *b, ts_pair **pair, ts_error *error);
/* From outlines that are in the pair's frame and unit already (a reader's); takes them over, also on failure. */
ts_status ts_pair_adopt(ts_outline *a, ts_outline *b, double unit, ts_pair **pair, ts_error *error);
/* Whether B comes first in the order that A with B and B with A have in common. */
bool ts_pair_is_turned(const ts_pair *pair);
/* Exchanges A and B. */
void ts_pair_turn(ts_pair *pair);
void ts_pair_free(ts_pair *pair); /* NULL is fine */
TS_RELEASE_AT(ts_pair, ts_pair_free)
