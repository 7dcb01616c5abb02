/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "shape/mesh_repair_work.h"

enum { LEAF = 4, BITS = 10 }; /* boxes of a leaf; of a place on the curve, along each axis */

/* A bit of ten, and two zeros after it. */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

static uint32_t cell(double at, double low, double high)
{
    double share = high > low ? (at - low) / (high - low) : 0;
    return (uint32_t)(((1 << BITS) - 1) * share);
}

static ts_box3 join(ts_box3 a, ts_box3 b)
{
    return (ts_box3){ts_vec3_min(a.low, b.low), ts_vec3_max(a.high, b.high)};
}

static ts_box3 box_of(const ts_vec3 *point, const int32_t *corner)
{
    ts_vec3 a = point[corner[0]], b = point[corner[1]], c = point[corner[2]];
    return (ts_box3){ts_vec3_min(a, ts_vec3_min(b, c)), ts_vec3_max(a, ts_vec3_max(b, c))};
}

static const ts_box3 nothing = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

/* Place on the curve, then number, so that the order is one only. */
static void sort_boxes(uint64_t *key, const ts_vec3 *point, const ts_mesh *mesh)
{
    ts_box3 all = nothing;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        all = join(all, box_of(point, mesh->triangle[i]));
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        ts_box3 box = box_of(point, mesh->triangle[i]);
        ts_vec3 p = ts_vec3_lerp(box.low, box.high, 0.5);
        uint32_t place = spread(cell(p.x, all.low.x, all.high.x)) | spread(cell(p.y, all.low.y, all.high.y)) << 1 |
                         spread(cell(p.z, all.low.z, all.high.z)) << 2;
        key[i] = (uint64_t)place << 32 | i;
    }
    qsort(key, mesh->triangle_count, sizeof *key, ts_ascending_u64);
}

ts_status ts_mesh_boxes_make(ts_mesh_boxes *tree, const ts_vec3 *point, const ts_mesh *mesh, ts_error *error)
{
    size_t count = mesh->triangle_count, leaves = 1;
    while (leaves * LEAF < count)
        leaves *= 2;
    uint64_t *key = ts_alloc_raw(count, sizeof *key);
    *tree = (ts_mesh_boxes){.count = count, .leaves = leaves};
    tree->node = ts_alloc_raw(2 * leaves, sizeof *tree->node);
    tree->box = ts_alloc_raw(count, sizeof *tree->box);
    tree->order = ts_alloc_raw(count, sizeof *tree->order);
    if (!key || !tree->node || !tree->box || !tree->order) {
        ts_free(key);
        ts_mesh_boxes_free(tree);
        return ts_fail_memory(error, count * (sizeof *key + sizeof *tree->box));
    }
    sort_boxes(key, point, mesh);
    for (size_t i = 0; i < 2 * leaves; i++)
        tree->node[i] = nothing;
    for (size_t i = 0; i < count; i++) {
        tree->order[i] = (int32_t)(uint32_t)key[i];
        tree->box[i] = box_of(point, mesh->triangle[tree->order[i]]);
        ts_box3 *leaf = &tree->node[leaves + i / LEAF];
        *leaf = join(*leaf, tree->box[i]);
    }
    for (size_t i = leaves; i-- > 1;)
        tree->node[i] = join(tree->node[2 * i], tree->node[2 * i + 1]);
    ts_free(key);
    return TS_OK;
}

void ts_mesh_boxes_free(ts_mesh_boxes *tree)
{
    ts_free(tree->node);
    ts_free(tree->box);
    ts_free(tree->order);
    *tree = (ts_mesh_boxes){0};
}

static bool touch(const ts_box3 *a, const ts_box3 *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

ts_status ts_mesh_boxes_find(const ts_mesh_boxes *tree, ts_box3 box, size_t from, ts_mesh_hits *hits, ts_error *error)
{
    enum { DEPTH_MAX = 64 };
    struct {
        size_t node, end; /* `end`: first leaf after those below it */
    } stack[DEPTH_MAX];
    int depth = 0;
    hits->count = 0;
    stack[depth].node = 1;
    stack[depth++].end = tree->leaves;
    while (depth > 0) {
        size_t node = stack[--depth].node, end = stack[depth].end;
        if (end * LEAF <= from || !touch(&tree->node[node], &box))
            continue;
        if (node < tree->leaves) {
            size_t width = tree->leaves; /* leaves below each child */
            for (size_t n = node; n > 0; n /= 2)
                width /= 2;
            stack[depth].node = 2 * node + 1;
            stack[depth++].end = end;
            stack[depth].node = 2 * node;
            stack[depth++].end = end - width;
            continue;
        }
        size_t first = (node - tree->leaves) * LEAF;
        for (size_t i = first > from ? first : from; i < first + LEAF && i < tree->count; i++)
            if (touch(&tree->box[i], &box))
                TS_TRY(ts_array_push(hits, (int32_t)i, error));
    }
    return TS_OK;
}
