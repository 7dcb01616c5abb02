/* SPDX-License-Identifier: MIT */
#include "contact/carry.h"

#include <string.h>

#include "base/memory.h"

/* A pair as carried: the row it stands in, and the partner. */
typedef struct name {
    int32_t row, partner;
} name;

static inline name pair_name(const ts_pairs *pairs, ts_candidate pair)
{
    int32_t a = pairs->part_of_slot[pair.a], b = pairs->part_of_slot[pair.b];
    return a < b ? (name){a, b} : (name){b, a};
}

static inline name wall_name(const ts_pairs *pairs, ts_candidate pair)
{
    return (name){pairs->part_of_slot[pair.b], -1 - pair.a};
}

ts_status ts_carry_create(ts_carry *carry, size_t part_count, ts_error *error)
{
    *carry = (ts_carry){0};
    TS_TRY(ts_new(&carry->begin, part_count + 2, error));
    carry->bytes = (part_count + 2) * sizeof *carry->begin;
    return TS_OK;
}

void ts_carry_free(ts_carry *carry)
{
    ts_free(carry->begin);
    ts_free(carry->item);
    *carry = (ts_carry){0};
}

ts_status ts_carry_collect(ts_carry *carry, const ts_pairs *pairs, size_t part_count, const double *spring,
                           const double *wall_spring, ts_error *error)
{
    /* counts, two places on: after the prefix sum and the filling, begin[p] is where row p begins */
    uint32_t *begin = carry->begin;
    memset(begin, 0, (part_count + 2) * sizeof *begin);
    size_t count = 0;
    for (size_t k = 0; k < pairs->pair_count; k++)
        if (spring[k] != 0) {
            begin[pair_name(pairs, pairs->pair[k]).row + 2]++;
            count++;
        }
    for (size_t k = 0; k < pairs->wall_count; k++)
        if (wall_spring[k] != 0) {
            begin[wall_name(pairs, pairs->wall[k]).row + 2]++;
            count++;
        }
    if (count > carry->capacity) {
        size_t room = count + count / 8;
        ts_carried *grown;
        TS_TRY(ts_new_raw(&grown, room, error));
        ts_free(carry->item);
        carry->item = grown;
        carry->bytes += (room - carry->capacity) * sizeof *grown;
        carry->capacity = room;
    }
    for (size_t p = 2; p < part_count + 2; p++)
        begin[p] += begin[p - 1];
    for (size_t k = 0; k < pairs->pair_count; k++)
        if (spring[k] != 0) {
            name n = pair_name(pairs, pairs->pair[k]);
            carry->item[begin[n.row + 1]++] = (ts_carried){spring[k], n.partner};
        }
    for (size_t k = 0; k < pairs->wall_count; k++)
        if (wall_spring[k] != 0) {
            name n = wall_name(pairs, pairs->wall[k]);
            carry->item[begin[n.row + 1]++] = (ts_carried){wall_spring[k], n.partner};
        }
    return TS_OK;
}

static double find(const ts_carry *carry, name n)
{
    for (uint32_t k = carry->begin[n.row]; k < carry->begin[n.row + 1]; k++)
        if (carry->item[k].partner == n.partner)
            return carry->item[k].spring;
    return 0;
}

typedef struct delivery {
    const ts_carry *carry;
    const ts_pairs *pairs;
    double *spring, *wall_spring;
} delivery;

static void deliver_block(void *context, int block, int thread)
{
    (void)thread;
    const delivery *to = context;
    const ts_pairs *pairs = to->pairs;
    for (size_t k = pairs->block_pair[block]; k < pairs->block_pair[block + 1]; k++)
        to->spring[k] = find(to->carry, pair_name(pairs, pairs->pair[k]));
    for (size_t k = pairs->block_wall[block]; k < pairs->block_wall[block + 1]; k++)
        to->wall_spring[k] = find(to->carry, wall_name(pairs, pairs->wall[k]));
}

void ts_carry_deliver(const ts_carry *carry, const ts_pairs *pairs, double *spring, double *wall_spring, ts_pool *pool)
{
    delivery to = {carry, pairs, spring, wall_spring};
    ts_pool_run(pool, pairs->block_count, deliver_block, &to);
}
