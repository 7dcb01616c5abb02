/* SPDX-License-Identifier: MIT */
/* Nested dissection by levels of a breadth-first walk.
 *
 * A walk from a far end of a part visits it in levels; any one level separates what came before from what comes after.
 * The one taken is narrow and near the middle. In the plane it holds about √n of n bodies, which keeps a factor at n
 * log n numbers. No coordinates are needed, and the result depends on the graph alone. */
#include "solve/sparse_own.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

/* Parts of at most this many numbers are one front: smaller ones cost more in bookkeeping than their zeros cost in
 * arithmetic. Measured on piles of discs at 1e4 and 1e5 contacts, flat between 24 and 48. */
#define LEAF_NUMBERS 24
/* Far beyond what cuts near the middle reach: 2^64 parts. */
#define DEPTH_MAX 64

typedef TS_ARRAY(ts_front) front_array;

typedef struct cutter {
    const int32_t *start; /* neighbours of block i: next[start[i]] … (block_count + 1) */
    const int32_t *next;
    int32_t *order; /* blocks; a part is a range of it (block_count) */
    int32_t *queue; /* of a walk, same range (block_count) */
    int32_t *level; /* where each level begins in it (block_count + 1) */
    int32_t *stamp; /* what last visited a block (block_count) */
    int32_t *depth; /* its level in the last walk (block_count) */
    int32_t stamps;
    int32_t leaf; /* blocks */
    front_array fronts;
    ts_error *error;
} cutter;

/* Visits everything marked `from` that can be reached from `begin`, in levels; marks it `to`. Returns the end of the
 * queue. */
static int32_t walk(cutter *c, int32_t begin, int32_t tail, int32_t from, int32_t to, int32_t *levels)
{
    int32_t head = tail, level_end;
    c->queue[tail++] = begin;
    c->stamp[begin] = to;
    while (head < tail) {
        level_end = tail;
        c->level[*levels] = head;
        for (; head < level_end; head++) {
            int32_t v = c->queue[head];
            c->depth[v] = *levels;
            for (int32_t e = c->start[v]; e < c->start[v + 1]; e++) {
                int32_t u = c->next[e];
                if (c->stamp[u] == from) {
                    c->stamp[u] = to;
                    c->queue[tail++] = u;
                }
            }
        }
        ++*levels;
    }
    return tail;
}

/* Levels of the whole part, from a far end of it; a piece that hangs together with nothing before it is a level of its
 * own and those after. Returns how many; c->level has them from `first` on. */
static int32_t walk_part(cutter *c, int32_t low, int32_t high)
{
    int32_t fresh = ++c->stamps, seen = ++c->stamps, done = ++c->stamps;
    for (int32_t i = low; i < high; i++)
        c->stamp[c->order[i]] = fresh;
    int32_t levels = low;
    int32_t tail = walk(c, c->order[low], low, fresh, seen, &levels);
    int32_t end = c->queue[tail - 1];
    levels = low;
    tail = walk(c, end, low, seen, done, &levels);
    for (int32_t i = low; tail < high; i++)
        if (c->stamp[c->order[i]] == fresh)
            tail = walk(c, c->order[i], tail, fresh, done, &levels);
    c->level[levels] = high;
    return levels - low;
}

/* The level that costs least: its width over the balance of what it leaves. 0 when there is none. */
static int32_t choose_level(const cutter *c, int32_t low, int32_t high, int32_t levels)
{
    int32_t best = 0;
    double least = 0;
    for (int32_t l = low + 1; l + 1 < low + levels; l++) {
        double before = c->level[l] - low, after = high - c->level[l + 1], width = c->level[l + 1] - c->level[l];
        double cost = width / (before * after);
        if (!best || cost < least) {
            best = l;
            least = cost;
        }
    }
    return best;
}

/* Puts the part in the order before, after, separator. */
static void split(cutter *c, int32_t low, int32_t high, int32_t l, int32_t *before, int32_t *after)
{
    int32_t begin = c->level[l], end = c->level[l + 1], left = begin;
    memcpy(c->order + low, c->queue + low, (size_t)(begin - low) * sizeof *c->order);
    /* what touches nothing of the next level needs no separating */
    int32_t kept = 0;
    for (int32_t i = begin; i < end; i++) {
        int32_t v = c->queue[i];
        bool touches = false;
        for (int32_t e = c->start[v]; e < c->start[v + 1] && !touches; e++)
            touches = c->stamp[c->next[e]] == c->stamps && c->depth[c->next[e]] == l + 1;
        if (touches)
            c->queue[begin + kept++] = v;
        else
            c->order[left++] = v;
    }
    int32_t right = left + (high - end), last = right;
    memcpy(c->order + left, c->queue + end, (size_t)(high - end) * sizeof *c->order);
    for (int32_t i = 0; i < kept; i++)
        c->order[last++] = c->queue[begin + i];
    *before = left;
    *after = right;
}

/* Cuts order[low … high-1]; *root gets the front at its top. */
static ts_status cut(cutter *c, int32_t low, int32_t high, int depth, int32_t *root)
{
    ts_front front = {.first = low, .own = high - low, .parent = -1, .child = {-1, -1}};
    if (high - low > c->leaf && depth < DEPTH_MAX) {
        int32_t levels = walk_part(c, low, high), l = choose_level(c, low, high, levels);
        if (l) {
            int32_t before, after;
            split(c, low, high, l, &before, &after);
            TS_TRY(cut(c, low, before, depth + 1, &front.child[0]));
            TS_TRY(cut(c, before, after, depth + 1, &front.child[1]));
            front.first = after;
            front.own = high - after;
        }
    }
    TS_TRY(ts_array_push(&c->fronts, front, c->error));
    *root = (int32_t)c->fronts.count - 1;
    for (int k = 0; k < 2; k++)
        if (front.child[k] >= 0)
            c->fronts.item[front.child[k]].parent = *root;
    return TS_OK;
}

static ts_status make_graph(const ts_sparse_rows *rows, int32_t **start, int32_t **next, ts_error *error)
{
    size_t n = rows->block_count;
    *start = ts_alloc(n + 2, sizeof **start);
    *next = ts_alloc_raw(2 * rows->count + 1, sizeof **next);
    if (!*start || !*next)
        return ts_fail_memory(error, (n + 2 * rows->count) * sizeof **next);
    int32_t *end = *start + 1; /* shifted by one: after filling, it is where the next block's begin */
    for (size_t i = 0; i < rows->count; i++)
        if (rows->a[i] >= 0 && rows->b[i] >= 0 && rows->a[i] != rows->b[i]) {
            end[rows->a[i] + 1]++;
            end[rows->b[i] + 1]++;
        }
    for (size_t i = 1; i <= n; i++)
        end[i] += end[i - 1];
    for (size_t i = 0; i < rows->count; i++)
        if (rows->a[i] >= 0 && rows->b[i] >= 0 && rows->a[i] != rows->b[i]) {
            (*next)[end[rows->a[i]]++] = rows->b[i];
            (*next)[end[rows->b[i]]++] = rows->a[i];
        }
    return TS_OK;
}

/* ---- What each front touches ---- */

static void sort(int32_t *item, int32_t count)
{
    /* Shell's, with Ciura's gaps and then powers: lists are short and half sorted */
    static const int32_t gaps[] = {262913, 116850, 51933, 23081, 10258, 4559, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (int32_t gap = gaps[g], i = gap; i < count; i++) {
            int32_t x = item[i], j = i;
            for (; j >= gap && item[j - gap] > x; j -= gap)
                item[j] = item[j - gap];
            item[j] = x;
        }
}

static ts_status collect(ts_fronts *f, const int32_t *start, const int32_t *next, int32_t *seen, ts_error *error)
{
    for (size_t k = 0; k < f->count; k++) {
        ts_front *front = &f->front[k];
        int32_t end = front->first + front->own, stamp = (int32_t)k + 1;
        size_t most = 0;
        for (int c = 0; c < 2; c++)
            most += front->child[c] >= 0 ? (size_t)f->front[front->child[c]].rest : 0;
        for (int32_t i = front->first; i < end; i++)
            most += (size_t)(start[f->order[i] + 1] - start[f->order[i]]);
        TS_TRY(ts_array_reserve_bytes((void **)&f->rest, &f->rest_capacity, f->rest_count + most + 1, sizeof *f->rest,
                                      error));
        front->rest_at = f->rest_count;
        int32_t *rest = f->rest + front->rest_at;
        for (int c = 0; c < 2; c++) {
            const ts_front *child = front->child[c] >= 0 ? &f->front[front->child[c]] : NULL;
            for (int32_t i = 0; child && i < child->rest; i++) {
                int32_t x = f->rest[child->rest_at + (size_t)i];
                if (x >= end && seen[x] != stamp) {
                    seen[x] = stamp;
                    rest[front->rest++] = x;
                }
            }
        }
        for (int32_t i = front->first; i < end; i++)
            for (int32_t e = start[f->order[i]]; e < start[f->order[i] + 1]; e++) {
                int32_t x = f->number[next[e]];
                if (x >= end && seen[x] != stamp) {
                    seen[x] = stamp;
                    rest[front->rest++] = x;
                }
            }
        sort(rest, front->rest);
        f->rest_count += (size_t)front->rest;
    }
    return TS_OK;
}

/* Where a child's blocks stand in the parent's front: both lists ascend. */
static void find_places(ts_fronts *f)
{
    for (size_t k = 0; k < f->count; k++) {
        const ts_front *child = &f->front[k];
        if (child->parent < 0)
            continue;
        const ts_front *parent = &f->front[child->parent];
        const int32_t *above = f->rest + parent->rest_at;
        int32_t at = 0;
        for (int32_t i = 0; i < child->rest; i++) {
            int32_t x = f->rest[child->rest_at + (size_t)i];
            if (x < parent->first + parent->own) {
                f->place[child->rest_at + (size_t)i] = x - parent->first;
            } else {
                while (above[at] != x)
                    at++;
                f->place[child->rest_at + (size_t)i] = parent->own + at;
            }
        }
    }
}

static ts_status make_tree(const ts_sparse_rows *rows, cutter *c, ts_fronts *f, ts_error *error)
{
    size_t n = rows->block_count;
    int32_t *start = NULL, *next = NULL, *scratch = ts_alloc_raw(4 * n + 2, sizeof *scratch);
    f->order = ts_alloc_raw(n + 1, sizeof *f->order);
    f->number = ts_alloc_raw(n + 1, sizeof *f->number);
    ts_status status = TS_OK;
    if (!scratch || !f->order || !f->number)
        status = ts_fail_memory(error, 6 * n * sizeof *scratch);
    if (status == TS_OK)
        status = make_graph(rows, &start, &next, error);
    int32_t root;
    if (status == TS_OK) {
        for (size_t i = 0; i < n; i++)
            f->order[i] = (int32_t)i;
        memset(scratch, 0, (4 * n + 2) * sizeof *scratch);
        c->start = start;
        c->next = next;
        c->order = f->order;
        c->queue = scratch;
        c->stamp = scratch + n;
        c->depth = scratch + 2 * n;
        c->level = scratch + 3 * n;
        c->leaf = LEAF_NUMBERS / rows->dof;
        c->error = error;
        status = n ? cut(c, 0, (int32_t)n, 0, &root) : TS_OK;
    }
    f->front = c->fronts.item;
    f->count = c->fronts.count;
    if (status == TS_OK) {
        for (size_t i = 0; i < n; i++)
            f->number[f->order[i]] = (int32_t)i;
        memset(scratch, 0, n * sizeof *scratch);
        status = collect(f, start, next, scratch, error);
    }
    ts_free(start);
    ts_free(next);
    ts_free(scratch);
    return status;
}

ts_status ts_fronts_create(const ts_sparse_rows *rows, ts_pool *pool, ts_fronts *fronts, ts_error *error)
{
    (void)pool;
    ts_fronts f = {.block_count = rows->block_count};
    cutter c = {0};
    ts_status status = make_tree(rows, &c, &f, error);
    if (status == TS_OK) {
        f.place = ts_alloc_raw(f.rest_count + 1, sizeof *f.place);
        if (!f.place)
            status = ts_fail_memory(error, f.rest_count * sizeof *f.place);
    }
    if (status != TS_OK) {
        ts_fronts_free(&f);
        return status;
    }
    find_places(&f);
    *fronts = f;
    return TS_OK;
}

void ts_fronts_free(ts_fronts *fronts)
{
    ts_free(fronts->front);
    ts_free(fronts->order);
    ts_free(fronts->number);
    ts_free(fronts->rest);
    ts_free(fronts->place);
    *fronts = (ts_fronts){0};
}
