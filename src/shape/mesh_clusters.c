/* SPDX-License-Identifier: MIT */
#include "shape/mesh_clusters.h"

#include <stdlib.h>

#include "base/memory.h"

typedef struct keyed_vertex {
    double key;
    uint32_t index;
} keyed_vertex;

typedef TS_ARRAY(ts_mesh_cluster) cluster_array;

static int compare_keys(const void *a, const void *b)
{
    const keyed_vertex *p = a, *q = b;
    return p->key != q->key ? (p->key < q->key ? -1 : 1) : (p->index > q->index) - (p->index < q->index);
}

static ts_box3 box_of(const ts_mesh *mesh, const uint32_t *vertex, size_t count)
{
    ts_box3 box = {mesh->vertex[vertex[0]], mesh->vertex[vertex[0]]};
    for (size_t i = 1; i < count; i++) {
        box.low = ts_vec3_min(box.low, mesh->vertex[vertex[i]]);
        box.high = ts_vec3_max(box.high, mesh->vertex[vertex[i]]);
    }
    return box;
}

/* A node about vertices begin … end − 1, in the middle of their box. */
static ts_mesh_cluster node_of(const ts_mesh *mesh, const uint32_t *vertex, uint32_t begin, uint32_t end, ts_box3 box)
{
    ts_vec3 centre = ts_vec3_lerp(box.low, box.high, 0.5);
    double most = 0;
    for (uint32_t i = begin; i < end; i++)
        most = fmax(most, ts_vec3_distance(centre, mesh->vertex[vertex[i]]));
    return (ts_mesh_cluster){centre, most, begin, end, 0, end - begin <= TS_CLUSTER_VERTICES};
}

/* Sorts a cluster along the longest side of its box. */
static void sort_along(const ts_mesh *mesh, uint32_t *vertex, uint32_t count, ts_box3 box, keyed_vertex *key)
{
    ts_vec3 side = ts_vec3_sub(box.high, box.low);
    int axis = side.x >= side.y ? (side.x >= side.z ? 0 : 2) : (side.y >= side.z ? 1 : 2);
    for (uint32_t i = 0; i < count; i++) {
        ts_vec3 p = mesh->vertex[vertex[i]];
        key[i] = (keyed_vertex){axis == 0 ? p.x : axis == 1 ? p.y : p.z, vertex[i]};
    }
    qsort(key, count, sizeof *key, compare_keys);
    for (uint32_t i = 0; i < count; i++)
        vertex[i] = key[i].index;
}

/* Depth first, so that nodes lie in the order of a walk. A stack of 64 will do: halves of 2³² vertices are used up
 * after 32 levels. */
static ts_status split_all(const ts_mesh *mesh, ts_mesh_clusters *c, keyed_vertex *key, cluster_array *node,
                           ts_error *error)
{
    struct {
        uint32_t begin, end;
    } todo[64] = {{0, (uint32_t)c->vertex_count}};
    for (int depth = 1; depth > 0;) {
        uint32_t begin = todo[--depth].begin, end = todo[depth].end;
        ts_box3 box = box_of(mesh, c->vertex + begin, end - begin);
        ts_mesh_cluster made = node_of(mesh, c->vertex, begin, end, box);
        TS_TRY(ts_array_push(node, made, error));
        if (made.leaf)
            continue;
        sort_along(mesh, c->vertex + begin, end - begin, box, key);
        uint32_t middle = begin + (end - begin) / 2;
        todo[depth].begin = middle;
        todo[depth++].end = end;
        todo[depth].begin = begin;
        todo[depth++].end = middle;
    }
    /* what hangs on a node are the nodes behind it that end no later */
    for (size_t i = node->count; i-- > 0;) {
        size_t next = i + 1;
        while (next < node->count && node->item[next].end <= node->item[i].end)
            next = node->item[next].next;
        node->item[i].next = (uint32_t)next;
    }
    return TS_OK;
}

ts_status ts_mesh_clusters_create(const ts_mesh *mesh, ts_mesh_clusters **clusters, ts_error *error)
{
    *clusters = NULL;
    if (mesh->vertex_count == 0 || mesh->vertex_count > INT32_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a mesh of %zu vertices has no clusters; give it between 1 and 2³¹ − 1",
                       mesh->vertex_count);
    ts_mesh_clusters *made = ts_alloc(1, sizeof *made);
    keyed_vertex *key = ts_alloc_raw(mesh->vertex_count, sizeof *key);
    cluster_array node = {0};
    ts_status status = TS_OUT_OF_MEMORY;
    if (made && key) {
        made->vertex_count = mesh->vertex_count;
        made->vertex = ts_alloc_raw(mesh->vertex_count, sizeof *made->vertex);
    }
    if (made && key && made->vertex) {
        for (size_t i = 0; i < mesh->vertex_count; i++)
            made->vertex[i] = (uint32_t)i;
        status = split_all(mesh, made, key, &node, error);
        made->node = node.item;
        made->node_count = node.count;
    } else {
        ts_fail_memory(error, mesh->vertex_count * sizeof *key);
    }
    ts_free(key);
    if (status != TS_OK)
        ts_mesh_clusters_free(made);
    else
        *clusters = made;
    return status;
}

void ts_mesh_clusters_free(ts_mesh_clusters *clusters)
{
    if (!clusters)
        return;
    ts_free(clusters->vertex);
    ts_free(clusters->node);
    ts_free(clusters);
}
