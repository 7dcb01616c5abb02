/* SPDX-License-Identifier: MIT */
#include "shape/mesh.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

ts_status ts_mesh_create(size_t vertex_count, size_t triangle_count, ts_mesh **mesh, ts_error *error)
{
    *mesh = NULL;
    if (triangle_count > TS_MESH_TRIANGLES_MAX || vertex_count > 3 * TS_MESH_TRIANGLES_MAX)
        return ts_fail(error, TS_UNSUPPORTED,
                       "a mesh of %zu vertices and %zu triangles is too large; %zu triangles is the most", vertex_count,
                       triangle_count, TS_MESH_TRIANGLES_MAX);
    ts_mesh *made;
    TS_TRY(ts_new(&made, 1, error));
    made->vertex = ts_alloc_raw(vertex_count + 1, sizeof *made->vertex);
    made->triangle = ts_alloc_raw(triangle_count + 1, sizeof *made->triangle);
    if (!made->vertex || !made->triangle) {
        ts_mesh_free(made);
        return ts_fail_memory(error, vertex_count * sizeof *made->vertex + triangle_count * sizeof *made->triangle);
    }
    made->vertex_count = vertex_count;
    made->triangle_count = triangle_count;
    *mesh = made;
    return TS_OK;
}

ts_status ts_mesh_copy(const ts_mesh *from, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(ts_mesh_create(from->vertex_count, from->triangle_count, mesh, error));
    memcpy((*mesh)->vertex, from->vertex, from->vertex_count * sizeof *from->vertex);
    memcpy((*mesh)->triangle, from->triangle, from->triangle_count * sizeof *from->triangle);
    return TS_OK;
}

void ts_mesh_free(ts_mesh *mesh)
{
    if (!mesh)
        return;
    ts_free(mesh->vertex);
    ts_free(mesh->triangle);
    ts_free(mesh);
}

ts_box3 ts_mesh_bounds(const ts_mesh *mesh)
{
    ts_box3 box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        box.low = ts_vec3_min(box.low, mesh->vertex[i]);
        box.high = ts_vec3_max(box.high, mesh->vertex[i]);
    }
    return box;
}

void ts_mesh_move(ts_mesh *mesh, double scale, ts_pose3 pose)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->vertex[i] = ts_pose3_apply(pose, ts_vec3_scale(mesh->vertex[i], scale));
}

uint64_t ts_mesh_hash(const ts_mesh *mesh)
{
    uint64_t hash = ts_hash(mesh->vertex, mesh->vertex_count * sizeof *mesh->vertex, mesh->triangle_count);
    return ts_hash(mesh->triangle, mesh->triangle_count * sizeof *mesh->triangle, hash);
}
