/* SPDX-License-Identifier: MIT */
/* A tree of boxes: each node is divided where the sum of (area · items) of the two parts is least, of 16 places on each
 * axis. */
#include "record/trace_work.h"

#include <math.h>
#include <string.h>

#define BINS 16

/* Half of the surface: how likely a ray meets the box. */
static double area_of(ts_box3 box)
{
    ts_vec3 d = ts_vec3_sub(box.high, box.low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static double component(ts_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Twice the middle of a box. */
static ts_vec3 middle2(const ts_box3 *box)
{
    return ts_vec3_add(box->low, box->high);
}

typedef struct part {
    int32_t begin, end; /* in order[] */
    int32_t parent;     /* whose second child this is; -1: none */
    int32_t depth;
} part;

typedef struct divide {
    int axis;
    double low, scale; /* bin = (middle2 - low) · scale */
    int bin;           /* the first part's last */
    double cost;
} divide;

static int bin_of(const divide *d, const ts_box3 *box)
{
    int bin = (int)((component(middle2(box), d->axis) - d->low) * d->scale);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

/* The best place on one axis, if it is better than `best`. */
static void try_axis(const ts_box3 *box, const int32_t *order, part p, divide try, divide *best)
{
    ts_box3 bin_box[BINS];
    int32_t bin_count[BINS] = {0};
    for (int b = 0; b < BINS; b++)
        bin_box[b] = ts_box3_none();
    for (int32_t i = p.begin; i < p.end; i++) {
        int b = bin_of(&try, &box[order[i]]);
        bin_box[b] = ts_box3_join(bin_box[b], box[order[i]]);
        bin_count[b]++;
    }
    double right_cost[BINS];
    ts_box3 side = ts_box3_none();
    int32_t count = 0;
    for (int b = BINS - 1; b > 0; b--) {
        side = ts_box3_join(side, bin_box[b]);
        count += bin_count[b];
        right_cost[b] = count ? area_of(side) * count : 0;
    }
    side = ts_box3_none();
    count = 0;
    for (int b = 0; b + 1 < BINS; b++) {
        side = ts_box3_join(side, bin_box[b]);
        count += bin_count[b];
        if (count == 0 || count == p.end - p.begin)
            continue;
        try.bin = b;
        try.cost = area_of(side) * count + right_cost[b + 1];
        if (try.cost < best->cost)
            *best = try;
    }
}

/* Puts the items of the first part first; returns where the second begins. The order within the parts stays determined.
 * */
static int32_t divide_order(const ts_box3 *box, int32_t *order, part p, const divide *d)
{
    int32_t i = p.begin, j = p.end;
    while (i < j) {
        if (bin_of(d, &box[order[i]]) <= d->bin) {
            i++;
        } else {
            int32_t swap = order[i];
            order[i] = order[--j];
            order[j] = swap;
        }
    }
    return i;
}

/* Where a part is divided; its begin when it becomes a leaf. */
static int32_t divide_part(const ts_box3 *box, int32_t *order, part p, ts_box3 bounds, int leaf_max, int16_t *axis)
{
    int32_t count = p.end - p.begin;
    *axis = 0;
    if (count == 1)
        return p.begin;
    ts_box3 middles = ts_box3_none();
    for (int32_t i = p.begin; i < p.end; i++) {
        ts_vec3 m = middle2(&box[order[i]]);
        middles = ts_box3_join(middles, (ts_box3){m, m});
    }
    divide best = {.axis = -1, .cost = HUGE_VAL};
    for (int k = 0; k < 3 && p.depth < TS_TRACE_HALVING_DEPTH; k++) {
        double low = component(middles.low, k), extent = component(middles.high, k) - low;
        if (extent > 0 && isfinite(BINS / extent))
            try_axis(box, order, p, (divide){.axis = k, .low = low, .scale = BINS / extent}, &best);
    }
    /* one more box to try costs about as much as an item */
    if (count <= leaf_max && !(best.cost < area_of(bounds) * (count - 1)))
        return p.begin;
    if (best.axis < 0) /* all in one place, or too deep */
        return p.begin + count / 2;
    *axis = (int16_t)best.axis;
    return divide_order(box, order, p, &best);
}

ts_status ts_trace_tree_build(ts_trace_tree *tree, const ts_box3 *box, size_t count, int leaf_max, ts_error *error)
{
    tree->node.count = tree->order.count = 0;
    if (count == 0)
        return TS_OK;
    if (count > (size_t)INT32_MAX / 2)
        return ts_fail(error, TS_UNSUPPORTED, "a picture of %zu things or triangles is too large; draw fewer", count);
    TS_TRY(ts_array_reserve(&tree->order, count, error));
    TS_TRY(ts_array_reserve(&tree->node, 2 * count, error));
    for (size_t i = 0; i < count; i++)
        tree->order.item[i] = (int32_t)i;
    tree->order.count = count;

    part stack[TS_TRACE_STACK];
    int height = 0;
    stack[height++] = (part){0, (int32_t)count, -1, 0};
    while (height > 0) {
        part p = stack[--height];
        int32_t self = (int32_t)tree->node.count++;
        if (p.parent >= 0)
            tree->node.item[p.parent].first = self;
        ts_box3 bounds = ts_box3_none();
        for (int32_t i = p.begin; i < p.end; i++)
            bounds = ts_box3_join(bounds, box[tree->order.item[i]]);
        ts_trace_node *node = &tree->node.item[self];
        *node = (ts_trace_node){.low = {bounds.low.x, bounds.low.y, bounds.low.z},
                                .high = {bounds.high.x, bounds.high.y, bounds.high.z}};
        int32_t cut = divide_part(box, tree->order.item, p, bounds, leaf_max, &node->axis);
        if (cut == p.begin) {
            node->first = p.begin;
            node->count = (int16_t)(p.end - p.begin);
            continue;
        }
        stack[height++] = (part){cut, p.end, self, p.depth + 1};
        stack[height++] = (part){p.begin, cut, -1, p.depth + 1};
    }
    return TS_OK;
}

void ts_trace_tree_free(ts_trace_tree *tree)
{
    ts_array_free(&tree->node);
    ts_array_free(&tree->order);
}
