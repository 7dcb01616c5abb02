/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/sdf.h"

/* Points that are asked for together. */
enum { BATCH = 64 };

/* Where the sine of the angle between two triangles is less, their common edge is no edge of the surface. */
static const double flat = 1e-6;

/* A side of a triangle, a < b; `back`: the triangle goes from b to a. */
typedef struct side {
    int32_t a, b, triangle;
    bool back;
} side;

static int by_vertices(const void *x, const void *y)
{
    const side *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

static ts_vec3 normal_of(const ts_mesh *mesh, int32_t triangle)
{
    const int32_t *t = mesh->triangle[triangle];
    const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
    return ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
}

/* Each edge once, but not those that cut a flat face in two. In a closed mesh every one is a side of two triangles. */
static ts_status find_edges(ts_sdf_body *body, ts_error *error)
{
    const ts_mesh *mesh = body->mesh;
    TS_AUTO_FREE side *list = NULL;
    TS_TRY(ts_new_raw(&list, 3 * mesh->triangle_count, error));
    TS_TRY(ts_new_raw(&body->edge, 3 * mesh->triangle_count / 2 + 1, error));
    size_t count = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = mesh->triangle[i][k], b = mesh->triangle[i][(k + 1) % 3];
            list[count++] = (side){a < b ? a : b, a < b ? b : a, (int32_t)i, a > b};
        }
    qsort(list, count, sizeof *list, by_vertices);
    for (size_t i = 0; i < count; i += 2) {
        const side *s = &list[i], *t = &list[i + 1];
        const bool more = i + 2 < count && s->a == list[i + 2].a && s->b == list[i + 2].b;
        if (i + 1 == count || s->a != t->a || s->b != t->b || more)
            return ts_fail(error, TS_BAD_INPUT,
                           "the mesh of a smooth body is not closed: the edge from vertex %d to vertex %d has %s; "
                           "repair it",
                           (int)s->a, (int)s->b, more ? "more than two triangles" : "one triangle");
        if (s->back == t->back)
            return ts_fail(error, TS_BAD_INPUT,
                           "the mesh of a smooth body turns over: both triangles of the edge from vertex %d to vertex "
                           "%d go the same way along it; repair it",
                           (int)s->a, (int)s->b);
        const ts_vec3 turn = ts_vec3_cross(normal_of(mesh, s->triangle), normal_of(mesh, t->triangle));
        if (ts_vec3_length(turn) <= flat)
            continue;
        body->edge[body->edge_count][0] = s->a;
        body->edge[body->edge_count++][1] = s->b;
        const double length = ts_vec3_distance(mesh->vertex[s->a], mesh->vertex[s->b]);
        body->edge_squares += length * length;
        body->longest = fmax(body->longest, length);
    }
    return TS_OK;
}

/* Six times the volume that it encloses, from its first vertex. */
static double volume6(const ts_mesh *mesh)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 o = mesh->vertex[0];
        sum += ts_vec3_dot(ts_vec3_sub(mesh->vertex[t[0]], o),
                           ts_vec3_cross(ts_vec3_sub(mesh->vertex[t[1]], o), ts_vec3_sub(mesh->vertex[t[2]], o)));
    }
    return sum;
}

static void find_areas(ts_sdf_body *body)
{
    const ts_mesh *mesh = body->mesh;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 a = mesh->vertex[t[0]], b = mesh->vertex[t[1]], c = mesh->vertex[t[2]];
        const double area = 0.5 * ts_vec3_length(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
        for (int k = 0; k < 3; k++)
            body->area[t[k]] += area / 3;
    }
}

static ts_vec3 probe(const ts_sdf_body *body, size_t i)
{
    const ts_vec3 *vertex = body->mesh->vertex;
    if (i < body->mesh->vertex_count)
        return vertex[i];
    const int32_t *edge = body->edge[i - body->mesh->vertex_count];
    return ts_vec3_lerp(vertex[edge[0]], vertex[edge[1]], 0.5);
}

static void measure_off(ts_sdf_body *body)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    const size_t count = body->mesh->vertex_count + body->edge_count;
    for (size_t i = 0; i < count; i += BATCH) {
        double x[BATCH], y[BATCH], z[BATCH], value[BATCH];
        const size_t n = count - i < BATCH ? count - i : BATCH;
        for (size_t k = 0; k < n; k++) {
            const ts_vec3 p = probe(body, i + k);
            x[k] = p.x;
            y[k] = p.y;
            z[k] = p.z;
        }
        ts_sdf_ask(body->sdf, &rule, &(ts_sdf_points){n, x, y, z}, &(ts_sdf_answers){.value = value});
        for (size_t k = 0; k < n; k++) {
            body->off = fmax(body->off, fabs(value[k]));
            body->off_mean += fabs(value[k]) / (double)count;
        }
    }
}

ts_status ts_sdf_body_create(ts_sdf *sdf, ts_mesh *mesh, ts_sdf_body **body, ts_error *error)
{
    if (mesh->vertex_count > TS_SDF_BODY_VERTICES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "the mesh of a smooth body has %zu vertices; keep to %d",
                       mesh->vertex_count, TS_SDF_BODY_VERTICES_MAX);
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->mesh = mesh;
    ts_status status = find_edges(made, error);
    if (status == TS_OK && !(volume6(mesh) > 0))
        status = ts_fail(error, TS_BAD_INPUT,
                         "the mesh of a smooth body encloses no volume, or is inside out; let its triangles go "
                         "counter-clockwise seen from outside");
    if (status == TS_OK)
        status = ts_new(&made->area, mesh->vertex_count, error);
    if (status != TS_OK) {
        made->mesh = NULL; /* stays the caller's */
        return status;
    }
    made->sdf = sdf;
    find_areas(made);
    measure_off(made);
    *body = ts_give(&made);
    return TS_OK;
}

void ts_sdf_body_free(ts_sdf_body *body)
{
    if (!body)
        return;
    ts_sdf_free(body->sdf);
    ts_mesh_free(body->mesh);
    ts_free(body->edge);
    ts_free(body->area);
    ts_free(body);
}

size_t ts_sdf_body_bytes(const ts_sdf_body *body)
{
    const ts_mesh *mesh = body->mesh;
    return sizeof *body + ts_sdf_bytes(body->sdf) + sizeof *mesh + mesh->vertex_count * sizeof *mesh->vertex +
           mesh->triangle_count * sizeof *mesh->triangle + body->edge_count * sizeof *body->edge +
           mesh->vertex_count * sizeof *body->area;
}
