/* SPDX-License-Identifier: MIT */
/* A mesh as rays meet it: triangles in the order of a tree, and smooth normals at their corners. */
#include "record/trace_work.h"

#include <string.h>

/* Faces that meet at a larger angle have an edge between them: cos 40°. */
#define CREASE 0.76604444311897803
/* Where more triangles meet than this, they are averaged without a look at each pair. */
#define FAN_MAX 256

/* Triangles around each vertex: around[begin[v]] … around[begin[v + 1] - 1]. */
typedef struct corners {
    size_t *begin;
    int32_t *around;
    ts_vec3 *face; /* normals, as long as twice the area */
} corners;

static void corners_free(corners *c)
{
    ts_free(c->begin);
    ts_free(c->around);
    ts_free(c->face);
}

static ts_status find_corners(const ts_mesh *mesh, corners *c, ts_error *error)
{
    TS_TRY(ts_new(&c->begin, mesh->vertex_count + 2, error));
    TS_TRY(ts_new_raw(&c->around, 3 * mesh->triangle_count + 1, error));
    TS_TRY(ts_new_raw(&c->face, mesh->triangle_count + 1, error));
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        ts_vec3 a = mesh->vertex[v[0]];
        c->face[t] = ts_vec3_cross(ts_vec3_sub(mesh->vertex[v[1]], a), ts_vec3_sub(mesh->vertex[v[2]], a));
        for (int k = 0; k < 3; k++)
            c->begin[v[k] + 2]++;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++)
        c->begin[v + 2] += c->begin[v + 1];
    /* begin[v + 1] runs from where v's triangles begin to where they end */
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            c->around[c->begin[mesh->triangle[t][k] + 1]++] = (int32_t)t;
    return TS_OK;
}

/* At a corner of triangle t: of all triangles there that do not turn away from it by more than a crease, by area. */
static ts_vec3 corner_normal(const corners *c, size_t t, int32_t vertex)
{
    ts_vec3 own = ts_vec3_unit(c->face[t]), sum = {0, 0, 0};
    size_t begin = c->begin[vertex], end = c->begin[vertex + 1];
    if (end - begin > FAN_MAX) /* a tip, or the middle of a flat fan */
        return own;
    for (size_t i = begin; i < end; i++) {
        ts_vec3 other = c->face[c->around[i]];
        if (ts_vec3_dot(own, other) >= CREASE * ts_vec3_length(other))
            sum = ts_vec3_add(sum, other);
    }
    sum = ts_vec3_unit(sum);
    return ts_vec3_dot(sum, own) > 0 ? sum : own;
}

static ts_status fill_triangles(ts_trace_mesh *made, const ts_mesh *mesh, const corners *c, ts_error *error)
{
    TS_TRY(ts_new_raw(&made->triangle, mesh->triangle_count + 1, error));
    TS_TRY(ts_new_raw(&made->normal, mesh->triangle_count + 1, error));
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        size_t t = (size_t)made->tree.order.item[i];
        const int32_t *v = mesh->triangle[t];
        ts_vec3 a = mesh->vertex[v[0]];
        made->triangle[i] =
            (ts_trace_triangle){a, ts_vec3_sub(mesh->vertex[v[1]], a), ts_vec3_sub(mesh->vertex[v[2]], a)};
        for (int k = 0; k < 3; k++) {
            ts_vec3 n = corner_normal(c, t, v[k]);
            made->normal[i][k][0] = (float)n.x;
            made->normal[i][k][1] = (float)n.y;
            made->normal[i][k][2] = (float)n.z;
        }
    }
    return TS_OK;
}

static ts_status build(ts_trace_mesh *made, const ts_mesh *mesh, ts_error *error)
{
    ts_box3 *box;
    TS_TRY(ts_new_raw(&box, mesh->triangle_count + 1, error));
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        ts_vec3 a = mesh->vertex[v[0]], b = mesh->vertex[v[1]], c = mesh->vertex[v[2]];
        box[t] = (ts_box3){ts_vec3_min(ts_vec3_min(a, b), c), ts_vec3_max(ts_vec3_max(a, b), c)};
    }
    ts_status status = ts_trace_tree_build(&made->tree, box, mesh->triangle_count, 4, error);
    ts_free(box);
    TS_TRY(status);
    corners c = {0};
    status = find_corners(mesh, &c, error);
    if (status == TS_OK)
        status = fill_triangles(made, mesh, &c, error);
    corners_free(&c);
    return status;
}

/* Indices and coordinates that make sense. */
static ts_status check(const ts_mesh *mesh, ts_error *error)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (!ts_vec3_is_finite(mesh->vertex[i]))
            return ts_fail(error, TS_BAD_INPUT, "vertex %zu of a mesh is not finite; it cannot be drawn", i);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangle[t][k] < 0 || (size_t)mesh->triangle[t][k] >= mesh->vertex_count)
                return ts_fail(error, TS_BAD_INPUT, "triangle %zu of a mesh has corner %d, but there are %zu vertices",
                               t, (int)mesh->triangle[t][k], mesh->vertex_count);
    return TS_OK;
}

ts_status ts_trace_mesh_create(const ts_mesh *mesh, uint64_t hash, ts_trace_mesh **made, ts_error *error)
{
    *made = NULL;
    TS_TRY(check(mesh, error));
    TS_AUTO(ts_trace_mesh_free_at) ts_trace_mesh *m = NULL;
    TS_TRY(ts_new(&m, 1, error));
    m->mesh = mesh;
    m->hash = hash;
    m->box = ts_mesh_bounds(mesh);
    TS_TRY(build(m, mesh, error));
    *made = ts_give(&m);
    return TS_OK;
}

void ts_trace_mesh_free(ts_trace_mesh *mesh)
{
    if (!mesh)
        return;
    ts_trace_tree_free(&mesh->tree);
    ts_free(mesh->triangle);
    ts_free(mesh->normal);
    ts_free(mesh);
}
