/* SPDX-License-Identifier: MIT */
/* Carrying tangential springs from an old pair list to a new one.
 *
 * Springs are stored in the order of the list; a new list has another order. Those that hold something are written down
 * by the parts they belong to, in a row for each part, and looked up when the new list stands:
 *
 *     row of part p:  (partner, spring), …      partner: a part with a higher number, or -1 - i for face i of the walls
 */
#pragma once

#include "contact/pairs.h"

typedef struct ts_carried {
    double spring; /* [m] */
    int32_t partner;
} ts_carried;

typedef struct ts_carry {
    uint32_t *begin; /* first entry of each part's row (part_count + 1) */
    ts_carried *item;
    size_t capacity;
    size_t bytes; /* on the heap */
} ts_carry;

ts_status ts_carry_create(ts_carry *carry, size_t part_count, ts_error *error);
void ts_carry_free(ts_carry *carry);
/* Writes down the springs of a list. */
ts_status ts_carry_collect(ts_carry *carry, const ts_pairs *pairs, size_t part_count, const double *spring,
                           const double *wall_spring, ts_error *error);
/* Gives a new list its springs: those written down, 0 for pairs that are new. */
void ts_carry_deliver(const ts_carry *carry, const ts_pairs *pairs, double *spring, double *wall_spring, ts_pool *pool);
