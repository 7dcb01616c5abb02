/* SPDX-License-Identifier: MIT */
#include "scene/occupancy.h"

#include <math.h>

/* Cell numbers stay exact integers in a double below this. */
#define CELL_NUMBER_MAX 4503599627370496.0 /* 2^52 */

int ts_occupancy_level_of(double radius)
{
    return ilogb(radius) + 2; /* 2^level > 2 · radius */
}

static size_t bucket_of(const ts_occupancy *o, int exponent, const int64_t cell[3])
{
    /* odd multipliers and the finaliser of splitmix64: a third of the time of a general hash, nine times a search */
    uint64_t key = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u + (uint64_t)cell[1] * 0xc2b2ae3d27d4eb4fu +
                   (uint64_t)cell[2] * 0x165667b19e3779f9u + (uint64_t)(int64_t)exponent;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return (size_t)(key ^ (key >> 31)) & (o->bucket_count - 1);
}

/* The bucket of a disc of this level; discs beyond the range of cell numbers are found through their level alone. */
static bool disc_bucket(const ts_occupancy *o, const ts_occupant *d, size_t *bucket)
{
    int exponent = ts_occupancy_level_of(d->radius);
    const double x[3] = {d->centre.x, d->centre.y, d->centre.z};
    int64_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
        const double number = floor(ldexp(x[axis], -exponent));
        if (!(fabs(number) < CELL_NUMBER_MAX))
            return false;
        cell[axis] = (int64_t)number;
    }
    *bucket = bucket_of(o, exponent, cell);
    return true;
}

static void link_bucket(ts_occupancy *o, int32_t i)
{
    size_t bucket;
    o->disc.item[i].next = -1;
    if (disc_bucket(o, &o->disc.item[i], &bucket)) {
        o->disc.item[i].next = o->bucket[bucket];
        o->bucket[bucket] = i;
    }
}

/* As many buckets as there is room for discs, so that chains stay short. */
static ts_status grow(ts_occupancy *o, ts_error *error)
{
    if (o->disc.count < o->bucket_count)
        return TS_OK;
    size_t count = o->bucket_count ? 2 * o->bucket_count : 64;
    TS_TRY(ts_array_reserve(&o->disc, count, error));
    int32_t *bucket;
    TS_TRY(ts_new_raw(&bucket, count, error));
    for (size_t i = 0; i < count; i++)
        bucket[i] = -1;
    ts_free(o->bucket);
    o->bucket = bucket;
    o->bucket_count = count;
    for (size_t i = 0; i < o->disc.count; i++)
        link_bucket(o, (int32_t)i);
    return TS_OK;
}

static ts_status find_level(ts_occupancy *o, int exponent, ts_occupancy_level **level, ts_error *error)
{
    for (size_t i = 0; i < o->level.count; i++)
        if (o->level.item[i].exponent == exponent) {
            *level = &o->level.item[i];
            return TS_OK;
        }
    ts_occupancy_level fresh = {exponent, -1, 0};
    TS_TRY(ts_array_push(&o->level, fresh, error));
    *level = &o->level.item[o->level.count - 1];
    return TS_OK;
}

ts_status ts_occupancy_add(ts_occupancy *o, ts_vec3 centre, double radius, int32_t owner, ts_error *error)
{
    ts_occupancy_level *level;
    TS_TRY(grow(o, error));
    TS_TRY(find_level(o, ts_occupancy_level_of(radius), &level, error));
    int32_t i = (int32_t)o->disc.count++;
    o->disc.item[i] = (ts_occupant){centre, radius, owner, -1, level->first};
    level->first = i;
    level->count++;
    link_bucket(o, i);
    return TS_OK;
}

/* Looks at the cells of one level; the caller has seen to it that they are not too many. */
static const ts_occupant *find_in_cells(const ts_occupancy *o, int exponent, const int64_t low[3],
                                        const int64_t high[3], ts_occupancy_hit *hit, void *context)
{
    int64_t cell[3];
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                for (int32_t i = o->bucket[bucket_of(o, exponent, cell)]; i >= 0; i = o->disc.item[i].next)
                    if (hit(context, &o->disc.item[i]))
                        return &o->disc.item[i];
    return NULL;
}

static const ts_occupant *find_on_level(const ts_occupancy *o, const ts_occupancy_level *level, ts_occupancy_hit *hit,
                                        void *context)
{
    for (int32_t i = level->first; i >= 0; i = o->disc.item[i].level_next)
        if (hit(context, &o->disc.item[i]))
            return &o->disc.item[i];
    return NULL;
}

const ts_occupant *ts_occupancy_find(const ts_occupancy *o, ts_vec3 point, double reach, ts_occupancy_hit *hit,
                                     void *context)
{
    const ts_occupant *found = NULL;
    const double at[3] = {point.x, point.y, point.z};
    if (!o->bucket || !o->disc.item)
        return NULL;
    for (size_t i = 0; i < o->level.count && !found; i++) {
        const ts_occupancy_level *level = &o->level.item[i];
        /* cells whose discs, of a radius up to half a cell, may come within reach */
        double inverse = ldexp(1, -level->exponent), wide = reach * inverse + 0.5;
        int64_t low[3] = {0}, high[3] = {0};
        double cells = 1;
        for (int axis = 0; axis < 3 && axis < o->axes; axis++) {
            const double from = floor(at[axis] * inverse - wide), to = floor(at[axis] * inverse + wide);
            const bool countable = fmax(-from, to) < CELL_NUMBER_MAX;
            low[axis] = countable ? (int64_t)from : 0;
            high[axis] = countable ? (int64_t)to : 0;
            cells *= countable ? to - from + 1 : HUGE_VAL;
        }
        found = cells > (double)level->count ? find_on_level(o, level, hit, context)
                                             : find_in_cells(o, level->exponent, low, high, hit, context);
    }
    return found;
}

void ts_occupancy_free(ts_occupancy *o)
{
    ts_array_free(&o->disc);
    ts_array_free(&o->level);
    ts_free(o->bucket);
    *o = (ts_occupancy){.axes = o->axes};
}
