/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_colour.h"

#include <string.h>

/* Counts that are told apart within a colour. */
enum { COUNTS = 32, KEYS = TS_COLOURS * COUNTS };

void ts_colouring_free(ts_colouring *c)
{
    ts_array_free(&c->pair);
    ts_array_free(&c->order);
    ts_array_free(&c->used);
    ts_array_free(&c->key);
}

size_t ts_colouring_bytes(const ts_colouring *c)
{
    return c->pair.capacity * sizeof *c->pair.item + c->order.capacity * sizeof *c->order.item +
           c->used.capacity * sizeof *c->used.item + c->key.capacity * sizeof *c->key.item;
}

ts_status ts_colouring_make(ts_colouring *c, size_t body_count, ts_error *error)
{
    const size_t pairs = c->pair.count;
    uint32_t first[KEYS + 1] = {0};
    TS_TRY(ts_array_reserve(&c->order, pairs + 1, error));
    TS_TRY(ts_array_reserve(&c->key, pairs + 1, error));
    TS_TRY(ts_array_reserve(&c->used, body_count + 1, error));
    memset(c->used.item, 0, body_count * sizeof *c->used.item);
    for (size_t i = 0; i < pairs; i++) {
        const ts_coloured_pair *p = &c->pair.item[i];
        const uint64_t used = (p->a >= 0 ? c->used.item[p->a] : 0) | (p->b >= 0 ? c->used.item[p->b] : 0);
        const uint64_t open = ~used & (((uint64_t)1 << TS_COLOUR_ALONE) - 1);
        const int colour = open ? __builtin_ctzll(open) : TS_COLOUR_ALONE;
        if (colour < TS_COLOUR_ALONE) {
            if (p->a >= 0)
                c->used.item[p->a] |= (uint64_t)1 << colour;
            if (p->b >= 0)
                c->used.item[p->b] |= (uint64_t)1 << colour;
        }
        const uint32_t count = p->count < COUNTS ? p->count : COUNTS - 1;
        c->key.item[i] = (uint16_t)(colour * COUNTS + (int)(COUNTS - 1 - count));
        first[c->key.item[i] + 1]++;
    }
    c->colour_count = 0;
    for (int k = 0; k < KEYS; k++) {
        if (first[k + 1] > 0)
            c->colour_count = k / COUNTS + 1;
        first[k + 1] += first[k];
    }
    for (int colour = 0; colour <= TS_COLOURS; colour++)
        c->begin[colour] = first[colour * COUNTS];
    for (size_t i = 0; i < pairs; i++)
        c->order.item[first[c->key.item[i]]++] = (uint32_t)i;
    c->order.count = pairs;
    return TS_OK;
}
