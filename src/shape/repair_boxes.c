/* SPDX-License-Identifier: MIT */
/* A tree of boxes, packed: leaves lie along a Morton curve, each node above holds the next eight. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "shape/repair_work.h"

enum { FAN = TS_MEND_FAN };

/* abcd → 0a0b0c0d */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

static ts_mend_box join(ts_mend_box a, ts_mend_box b)
{
    return (ts_mend_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

static uint32_t cell(double low, double high, double at)
{
    double share = high > low ? (at - low) / (high - low) : 0;
    return (uint32_t)(65535 * fmin(fmax(share, 0), 1));
}

/* Sorted keys: place on the curve, then number, so that the order is one only. */
static void make_keys(uint64_t *key, const ts_mend_box *box, size_t count)
{
    ts_mend_box all = box[0];
    for (size_t i = 1; i < count; i++)
        all = join(all, box[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t x = cell(all.x0, all.x1, 0.5 * (box[i].x0 + box[i].x1));
        uint32_t y = cell(all.y0, all.y1, 0.5 * (box[i].y0 + box[i].y1));
        key[i] = (uint64_t)(spread(x) | spread(y) << 1) << 32 | i;
    }
    qsort(key, count, sizeof *key, ts_ascending_u64);
}

ts_status ts_mend_tree_make(ts_mend_tree *tree, const ts_mend_box *box, size_t count, ts_error *error)
{
    *tree = (ts_mend_tree){.count = count};
    if (count == 0)
        return TS_OK;
    size_t total = 0, level = count;
    for (;;) {
        tree->begin[tree->level_count++] = total;
        total += level;
        if (level == 1)
            break;
        level = (level + FAN - 1) / FAN;
    }
    tree->begin[tree->level_count] = total;
    TS_AUTO_FREE uint64_t *key = NULL;
    TS_TRY(ts_new_raw(&key, count, error));
    tree->order = ts_alloc_raw(count, sizeof *tree->order);
    tree->node = ts_alloc_raw(total, sizeof *tree->node);
    if (!tree->order || !tree->node) {
        ts_mend_tree_free(tree);
        return ts_fail_memory(error, total * sizeof *tree->node);
    }
    make_keys(key, box, count);
    for (size_t i = 0; i < count; i++) {
        tree->order[i] = (uint32_t)key[i];
        tree->node[i] = box[tree->order[i]];
    }
    for (int k = 1; k < tree->level_count; k++)
        for (size_t i = tree->begin[k]; i < tree->begin[k + 1]; i++) {
            size_t child = tree->begin[k - 1] + FAN * (i - tree->begin[k]);
            tree->node[i] = tree->node[child];
            for (size_t c = child + 1; c < child + FAN && c < tree->begin[k]; c++)
                tree->node[i] = join(tree->node[i], tree->node[c]);
        }
    return TS_OK;
}

void ts_mend_tree_free(ts_mend_tree *tree)
{
    ts_free(tree->order);
    ts_free(tree->node);
    *tree = (ts_mend_tree){0};
}

ts_mend_walk ts_mend_tree_walk(const ts_mend_tree *tree, ts_mend_box box)
{
    ts_mend_walk walk;
    walk.tree = tree;
    walk.box = box;
    walk.depth = 0;
    if (tree->count > 0) {
        walk.stack[0].node = 0;
        walk.stack[0].level = (uint32_t)tree->level_count - 1;
        walk.depth = 1;
    }
    return walk;
}

uint32_t ts_mend_tree_next(ts_mend_walk *walk)
{
    const ts_mend_tree *tree = walk->tree;
    while (walk->depth > 0) {
        walk->depth--;
        size_t i = walk->stack[walk->depth].node, level = walk->stack[walk->depth].level;
        const ts_mend_box *n = &tree->node[tree->begin[level] + i], *q = &walk->box;
        if (n->x0 > q->x1 || n->x1 < q->x0 || n->y0 > q->y1 || n->y1 < q->y0)
            continue;
        if (level == 0)
            return tree->order[i];
        size_t size = tree->begin[level] - tree->begin[level - 1], end = FAN * (i + 1) < size ? FAN * (i + 1) : size;
        for (size_t c = end; c-- > FAN * i;) {
            walk->stack[walk->depth].node = (uint32_t)c;
            walk->stack[walk->depth].level = (uint32_t)level - 1;
            walk->depth++;
        }
    }
    return TS_MEND_NONE;
}
