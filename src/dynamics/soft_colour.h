/* SPDX-License-Identifier: MIT */
/* Colours: pairs of one colour share no body that can move, so that they can be worked on at the same time.
 *
 * Greedy, in the order of the list: the first colour that neither body has. A heap in the plane takes five to seven.
 * Pairs that find no colour, those of a body with very many neighbours, get the last one, whose pairs come one after
 * the other. */
#pragma once

#include "base/memory.h"
#include "base/status.h"

enum { TS_COLOURS = 64, TS_COLOUR_ALONE = TS_COLOURS - 1 };

typedef struct ts_coloured_pair {
    int32_t a, b;   /* bodies; -1: one that nothing can move */
    uint32_t first; /* of its contacts */
    uint32_t count; /* how many, at least 1 */
} ts_coloured_pair;

typedef struct ts_colouring {
    TS_ARRAY(ts_coloured_pair) pair; /* to be filled in, in any order that does not depend on threads */
    TS_ARRAY(uint32_t) order;        /* pairs by colour, in each by falling count, up to some 30 */
    uint32_t begin[TS_COLOURS + 1];  /* the first of each colour in `order` */
    int colour_count;                /* colours that have pairs are below this */
    /* scratch */
    TS_ARRAY(uint64_t) used; /* colours of each body */
    TS_ARRAY(uint16_t) key;  /* of each pair: colour and count */
} ts_colouring;

/* The most rows that a pair of these has: the first, but pairs with very many are in no order. */
static inline uint32_t ts_coloured_rows(const ts_coloured_pair *pair, const uint32_t *order, uint32_t count)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++)
        rows = pair[order[i]].count > rows ? pair[order[i]].count : rows;
    return rows;
}

void ts_colouring_free(ts_colouring *c);
size_t ts_colouring_bytes(const ts_colouring *c);
ts_status ts_colouring_make(ts_colouring *c, size_t body_count, ts_error *error);
