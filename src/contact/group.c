/* SPDX-License-Identifier: MIT */
/* Pairs by map: in each block those that one map answers for stand together, so that its kernel works on full batches.
 * Part of making the list, and as pure a function of the reference poses as the rest (pairs.h). */
#include <string.h>

#include "base/memory.h"
#include "contact/forms.h"
#include "contact/pairs.h"

static ts_status reserve(ts_pairs *pairs, ts_error *error)
{
    if (pairs->map && pairs->pair_count <= pairs->form_capacity)
        return TS_OK;
    size_t room = pairs->pair_capacity + 1;
    uint16_t *map = ts_alloc_raw(room, sizeof *map);
    double *until = ts_alloc_raw(room, sizeof *until);
    ts_candidate *sorting = ts_alloc_raw(room, sizeof *sorting);
    size_t each = sizeof *map + sizeof *until + sizeof *sorting;
    if (!map || !until || !sorting) {
        ts_free(map);
        ts_free(until);
        ts_free(sorting);
        return ts_fail_memory(error, room * each);
    }
    ts_free(pairs->map);
    ts_free(pairs->until);
    ts_free(pairs->sorting);
    pairs->map = map;
    pairs->until = until;
    pairs->sorting = sorting;
    pairs->bytes += (room - pairs->form_capacity) * each;
    pairs->form_capacity = room;
    return TS_OK;
}

typedef struct grouping {
    ts_pairs *pairs;
    const ts_forms *forms;
} grouping;

/* As the map has them, the earlier form first as a rule; of one form the part with the lower number, so that a new list
 * never exchanges the two. */
static uint16_t turn_pair(const grouping *g, ts_candidate *pair)
{
    const int32_t *part = g->pairs->part_of_slot;
    size_t a = g->forms->of_part[part[pair->a]], b = g->forms->of_part[part[pair->b]];
    const ts_form_meeting *meeting = &g->forms->meeting[a * g->forms->count + b];
    if (a == b ? part[pair->a] > part[pair->b] : (a > b) != meeting->turned)
        *pair = (ts_candidate){pair->b, pair->a};
    return (uint16_t)meeting->map;
}

/* By counting, in order within a map. */
static void group_block(void *context, int block, int thread)
{
    (void)thread;
    const grouping *g = context;
    ts_pairs *pairs = g->pairs;
    size_t begin = pairs->block_pair[block], end = pairs->block_pair[block + 1];
    uint16_t low = UINT16_MAX, high = 0;
    for (size_t k = begin; k < end; k++) {
        uint16_t map = turn_pair(g, &pairs->pair[k]);
        pairs->map[k] = map;
        pairs->until[k] = -1;
        low = map < low ? map : low;
        high = map > high ? map : high;
    }
    if (low >= high)
        return;
    /* one pass a map: there are few in a block, and this is done at a new list only */
    size_t to = begin;
    for (uint16_t map = low; to < end;) {
        uint16_t next = UINT16_MAX;
        for (size_t k = begin; k < end; k++)
            if (pairs->map[k] == map)
                pairs->sorting[to++] = pairs->pair[k];
            else if (pairs->map[k] > map && pairs->map[k] < next)
                next = pairs->map[k];
        map = next;
    }
    memcpy(pairs->pair + begin, pairs->sorting + begin, (end - begin) * sizeof *pairs->pair);
    for (size_t k = begin; k < end; k++)
        pairs->map[k] = turn_pair(g, &pairs->pair[k]);
}

ts_status ts_pairs_group(ts_pairs *pairs, const ts_model *model, ts_pool *pool, ts_error *error)
{
    TS_TRY(reserve(pairs, error));
    grouping g = {pairs, model->forms};
    ts_pool_run(pool, pairs->block_count, group_block, &g);
    return TS_OK;
}
