/* SPDX-License-Identifier: MIT */
/* Pairs in order: those that threads have found, each in the order in which it came upon them, become one sorted list.
 *
 *     found      ▇▇▃▇▁▇▃  ▃▁▇▇▃        by thread
 *     in runs    ▁▁│▃▃▃▃│▇▇▇▇▇▇        by the run of boxes that a is in: a run's pairs fit a near cache
 *     in lists   by a, then by b, once each
 *
 * Every pass is spread over threads: the first two by where pairs come from, the others by run. Each is given its place
 * by counting, and what is in a run does not depend on who found it: the list is the same for any number of threads. */
#include <string.h>

#include "contact/near.h"

/* Boxes of a run. */
#define RUN_SHIFT 11
#define RUN       (1 << RUN_SHIFT)
/* Lists longer than this are sorted by heap. */
#define LIST_SHORT 24

typedef struct sorting {
    ts_near *near;
    size_t box_count, run_count;
} sorting;

/* ---- One list ---- */

static void sift_down(int32_t *list, size_t root, size_t count)
{
    int32_t value = list[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && list[child + 1] > list[child];
        if (list[child] <= value)
            break;
        list[root] = list[child];
    }
    list[root] = value;
}

static void heap_sort(int32_t *list, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift_down(list, i, count);
    for (size_t end = count; end-- > 1;) {
        int32_t last = list[end];
        list[end] = list[0];
        list[0] = last;
        sift_down(list, 0, end);
    }
}

static void sort_list(int32_t *list, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && list[sorted - 1] <= list[sorted])
        sorted++;
    if (sorted < count && count > LIST_SHORT) {
        heap_sort(list, count);
        return;
    }
    if (sorted >= count)
        return;
    /* each goes where as many are smaller: n² comparisons, but none that a processor has to guess */
    int32_t copy[LIST_SHORT];
    memcpy(copy, list, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        for (size_t k = 0; k < i; k++)
            place += copy[k] <= copy[i];
        for (size_t k = i + 1; k < count; k++)
            place += copy[k] < copy[i];
        list[place] = copy[i];
    }
}

/* ---- Passes ---- */

/* Turns a thread's pairs so that a ≤ b, and counts them by run. */
static void count_found(void *context, int source, int thread)
{
    (void)thread;
    const sorting *s = context;
    ts_near_found *found = &s->near->found.item[source];
    size_t *count = s->near->run_begin.item + (size_t)source * s->run_count;
    memset(count, 0, s->run_count * sizeof *count);
    for (size_t k = 0; k < found->pair.count; k++) {
        ts_near_pair *pair = &found->pair.item[k];
        int32_t least = pair->a < pair->b ? pair->a : pair->b;
        *pair = (ts_near_pair){least, pair->a ^ pair->b ^ least}; /* no branch that would have to be guessed */
        count[least >> RUN_SHIFT]++;
    }
}

/* Brings a thread's pairs to their runs. */
static void move_found(void *context, int source, int thread)
{
    (void)thread;
    const sorting *s = context;
    const ts_near_found *found = &s->near->found.item[source];
    size_t *place = s->near->run_begin.item + (size_t)source * s->run_count;
    for (size_t k = 0; k < found->pair.count; k++) {
        ts_near_pair pair = found->pair.item[k];
        s->near->pair[place[pair.a >> RUN_SHIFT]++] = pair;
    }
}

static size_t run_end(const sorting *s, size_t run)
{
    size_t end = (run + 1) << RUN_SHIFT;
    return end < s->box_count ? end : s->box_count;
}

/* Partners of a run of boxes: sorted, each once, none its own, and those of all boxes close together. */
static void sort_run(void *context, int run, int thread)
{
    (void)thread;
    const sorting *s = context;
    const size_t *kept_begin = s->near->kept.item;
    const ts_near_pair *pair = s->near->pair + kept_begin[run];
    const size_t pair_count = kept_begin[run + 1] - kept_begin[run], first_box = (size_t)run << RUN_SHIFT;
    int32_t *partner = s->near->partner.item + kept_begin[run], *kept = partner;

    /* counts two places up become starts, and ends once all are in */
    uint32_t start[RUN + 2] = {0};
    for (size_t k = 0; k < pair_count; k++)
        start[(pair[k].a & (RUN - 1)) + 2]++;
    for (size_t i = 2; i < RUN + 2; i++)
        start[i] += start[i - 1];
    for (size_t k = 0; k < pair_count; k++)
        partner[start[(pair[k].a & (RUN - 1)) + 1]++] = pair[k].b;

    const size_t count = run_end(s, (size_t)run) - first_box;
    for (size_t i = 0; i < count; i++) {
        int32_t *list = partner + start[i], *list_kept = kept, before = (int32_t)(first_box + i);
        size_t length = start[i + 1] - start[i];
        sort_list(list, length);
        for (size_t k = 0; k < length; k++)
            if (list[k] != before)
                *kept++ = before = list[k];
        s->near->partners.item[first_box + i] = (int32_t)(kept - list_kept);
    }
    s->near->run_begin.item[run] = (size_t)(kept - partner);
}

/* Writes the pairs of a run where they belong. */
static void write_run(void *context, int run, int thread)
{
    (void)thread;
    const sorting *s = context;
    const int32_t *partner = s->near->partner.item + s->near->kept.item[run];
    ts_near_pair *pair = s->near->pair + s->near->run_begin.item[run];
    for (size_t i = (size_t)run << RUN_SHIFT; i < run_end(s, (size_t)run); i++)
        for (int32_t k = 0; k < s->near->partners.item[i]; k++)
            *pair++ = (ts_near_pair){(int32_t)i, *partner++};
}

/* Counts by thread and run become first places, run by run. */
static void place_runs(const sorting *s)
{
    size_t place = 0;
    for (size_t run = 0; run < s->run_count; run++) {
        s->near->kept.item[run] = place;
        for (size_t t = 0; t < s->near->found.count; t++) {
            size_t *count = &s->near->run_begin.item[t * s->run_count + run], begin = place;
            place += *count;
            *count = begin;
        }
    }
    s->near->kept.item[s->run_count] = place;
}

ts_status ts_near_order(ts_near *near, size_t box_count, ts_pool *pool, ts_error *error)
{
    sorting s = {near, box_count, (box_count + RUN - 1) >> RUN_SHIFT};
    size_t total = 0;
    for (size_t t = 0; t < near->found.count; t++)
        total += near->found.item[t].pair.count;
    TS_TRY(ts_array_reserve(&near->run_begin, near->found.count * s.run_count, error));
    TS_TRY(ts_array_reserve(&near->kept, s.run_count + 1, error));
    TS_TRY(ts_array_reserve(&near->partner, total, error));
    TS_TRY(ts_array_reserve(&near->partners, box_count, error));
    TS_TRY(ts_array_reserve_bytes((void **)&near->pair, &near->pair_capacity, total, sizeof *near->pair, error));
    if (total == 0)
        return TS_OK;
    ts_pool_run(pool, (int)near->found.count, count_found, &s);
    place_runs(&s);
    ts_pool_run(pool, (int)near->found.count, move_found, &s);
    ts_pool_run(pool, (int)s.run_count, sort_run, &s);
    for (size_t run = 0; run < s.run_count; run++) {
        size_t kept = near->run_begin.item[run];
        near->run_begin.item[run] = near->pair_count;
        near->pair_count += kept;
    }
    ts_pool_run(pool, (int)s.run_count, write_run, &s);
    return TS_OK;
}
