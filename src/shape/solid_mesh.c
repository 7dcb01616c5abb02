/* SPDX-License-Identifier: MIT */
#include "shape/solid_mesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* ---- Surfaces of revolution about z: rings of n vertices between two poles ---- */

static int even_segments(int segments)
{
    if (segments < TS_SOLID_SEGMENTS_LEAST)
        return TS_SOLID_SEGMENTS_LEAST;
    return segments > TS_SOLID_SEGMENTS_MOST ? TS_SOLID_SEGMENTS_MOST : segments + segments % 2;
}

int ts_solid_segments(double share)
{
    if (!(share < 1)) /* also NaN */
        return TS_SOLID_SEGMENTS_LEAST;
    double n = share > 0 ? TS_PI / acos(1 - share) : TS_SOLID_SEGMENTS_MOST;
    return even_segments(n < TS_SOLID_SEGMENTS_MOST ? (int)ceil(n) : TS_SOLID_SEGMENTS_MOST);
}

/* Where a solid of revolution has its rings, from the lower pole to the upper one. */
typedef struct profile {
    size_t ring_count;
    double radius[TS_SOLID_SEGMENTS_MOST], height[TS_SOLID_SEGMENTS_MOST]; /* (ring_count) */
    double low, high;                                                      /* of the poles */
} profile;

static profile profile_of(const ts_solid *solid, int n)
{
    profile p = {0};
    double half = solid->kind == TS_SOLID_SPHERE ? 0 : solid->half_length, r = solid->radius;
    if (solid->kind == TS_SOLID_CYLINDER || solid->kind == TS_SOLID_VESSEL) {
        p = (profile){.ring_count = 2, .low = -half, .high = half};
        p.radius[0] = p.radius[1] = r;
        p.height[0] = -half;
        p.height[1] = half;
        return p;
    }
    int bands = n / 2 + n / 2 % 2; /* even: a ring lies on the equator, which a capsule has twice */
    for (int i = 1; i < bands; i++) {
        double angle = TS_PI * i / bands - 0.5 * TS_PI;
        bool equator = 2 * i == bands;
        for (int twice = 0; twice < (equator && half > 0 ? 2 : 1); twice++) {
            p.radius[p.ring_count] = equator ? r : r * cos(angle);
            p.height[p.ring_count] = equator ? (twice ? half : -half) : r * sin(angle) + (2 * i < bands ? -half : half);
            p.ring_count++;
        }
    }
    p.low = -half - r;
    p.high = half + r;
    return p;
}

static bool is_round(const ts_solid *solid)
{
    return solid->kind == TS_SOLID_SPHERE || solid->kind == TS_SOLID_CAPSULE || solid->kind == TS_SOLID_CYLINDER ||
           solid->kind == TS_SOLID_VESSEL;
}

static void put_triangle(ts_mesh *mesh, size_t *at, size_t a, size_t b, size_t c)
{
    int32_t *t = mesh->triangle[(*at)++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
}

static ts_status mesh_of_round(const ts_solid *solid, int n, ts_mesh **mesh, ts_error *error)
{
    profile p = profile_of(solid, n);
    size_t m = (size_t)n, rings = p.ring_count, low = rings * m, high = low + 1, at = 0;
    TS_TRY(ts_mesh_create(rings * m + 2, 2 * m * rings, mesh, error));
    for (size_t k = 0; k < m; k++) {
        double angle = 2 * TS_PI * (double)k / n, c = cos(angle), s = sin(angle);
        for (size_t i = 0; i < rings; i++)
            (*mesh)->vertex[i * m + k] = (ts_vec3){p.radius[i] * c, p.radius[i] * s, p.height[i]};
    }
    (*mesh)->vertex[low] = (ts_vec3){0, 0, p.low};
    (*mesh)->vertex[high] = (ts_vec3){0, 0, p.high};
    for (size_t k = 0; k < m; k++) {
        size_t next = (k + 1) % m, top = (rings - 1) * m;
        put_triangle(*mesh, &at, low, next, k);
        for (size_t i = 0; i + 1 < rings; i++) {
            put_triangle(*mesh, &at, i * m + k, i * m + next, (i + 1) * m + next);
            put_triangle(*mesh, &at, i * m + k, (i + 1) * m + next, (i + 1) * m + k);
        }
        put_triangle(*mesh, &at, high, top + k, top + next);
    }
    return TS_OK;
}

/* ---- Polyhedra ---- */

static ts_status mesh_of_box(const ts_solid *solid, ts_mesh **mesh, ts_error *error)
{
    /* corner i has bit k set where it lies on the positive side of axis k */
    static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    TS_TRY(ts_mesh_create(8, 12, mesh, error));
    for (int i = 0; i < 8; i++)
        (*mesh)->vertex[i] = (ts_vec3){i & 1 ? solid->half.x : -solid->half.x, i & 2 ? solid->half.y : -solid->half.y,
                                       i & 4 ? solid->half.z : -solid->half.z};
    size_t at = 0;
    for (int f = 0; f < 6; f++)
        for (int k = 1; k < 3; k++)
            put_triangle(*mesh, &at, (size_t)face[f][0], (size_t)face[f][k], (size_t)face[f][k + 1]);
    return TS_OK;
}

static size_t hull_triangles(const ts_hull *hull)
{
    return (size_t)hull->face_begin[hull->face_count] - 2 * hull->face_count;
}

static ts_status mesh_of_hull(const ts_hull *hull, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(ts_mesh_create(hull->vertex_count, hull_triangles(hull), mesh, error));
    memcpy((*mesh)->vertex, hull->vertex, hull->vertex_count * sizeof *hull->vertex);
    size_t at = 0;
    for (size_t f = 0; f < hull->face_count; f++) {
        const int32_t *c = hull->corner + hull->face_begin[f];
        int32_t count = hull->face_begin[f + 1] - hull->face_begin[f];
        for (int32_t k = 1; k + 1 < count; k++)
            put_triangle(*mesh, &at, (size_t)c[0], (size_t)c[k], (size_t)c[k + 1]);
    }
    return TS_OK;
}

/* ---- Any solid ---- */

static void turn_inside_out(ts_mesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        int32_t corner = mesh->triangle[i][1];
        mesh->triangle[i][1] = mesh->triangle[i][2];
        mesh->triangle[i][2] = corner;
    }
}

size_t ts_solid_mesh_triangles(const ts_solid *solid, int segments)
{
    int n = even_segments(segments);
    if (is_round(solid))
        return 2 * (size_t)n * profile_of(solid, n).ring_count;
    if (solid->kind == TS_SOLID_BOX)
        return 12;
    if (solid->kind == TS_SOLID_HULL)
        return hull_triangles(solid->hull);
    const ts_mesh *surface = ts_solid_surface(solid);
    return surface ? surface->triangle_count : 0;
}

ts_status ts_solid_mesh(const ts_solid *solid, int segments, ts_mesh **mesh, ts_error *error)
{
    if (is_round(solid)) {
        TS_TRY(mesh_of_round(solid, even_segments(segments), mesh, error));
        if (solid->kind == TS_SOLID_VESSEL)
            turn_inside_out(*mesh);
        return TS_OK;
    }
    if (solid->kind == TS_SOLID_BOX)
        return mesh_of_box(solid, mesh, error);
    if (solid->kind == TS_SOLID_HULL)
        return mesh_of_hull(solid->hull, mesh, error);
    if (ts_solid_surface(solid))
        return ts_mesh_copy(ts_solid_surface(solid), mesh, error);
    return ts_fail(error, TS_UNSUPPORTED, "a plane has no end, so it has no closed surface; cut a piece out of it");
}

/* ---- Shading ---- */

static const double smooth_turn = 0.86602540378443865; /* cos 30° */
enum { FAN_MOST = 2 * TS_SOLID_SEGMENTS_MOST }; /* triangles at a vertex beyond which nothing is smoothed there */

/* Triangles at each vertex: corner[begin[v]] … are 3 · triangle + corner. */
typedef struct fans {
    size_t *begin;  /* (vertex_count + 1) */
    size_t *corner; /* (3 · triangle_count) */
    double *angle;  /* of each corner: what its triangle counts there, however large it is (3 · triangle_count) */
    ts_vec3 *unit;  /* normal of each triangle; zero for one without area */
    uint32_t *made; /* of each corner: the vertex of the result */
} fans;

static void fans_free(fans *f)
{
    ts_free(f->begin);
    ts_free(f->corner);
    ts_free(f->angle);
    ts_free(f->unit);
    ts_free(f->made);
}

static ts_status find_fans(const ts_mesh *mesh, fans *f, ts_error *error)
{
    size_t triangles = mesh->triangle_count;
    TS_TRY(ts_new(&f->begin, mesh->vertex_count + 2, error));
    TS_TRY(ts_new_raw(&f->corner, 3 * triangles + 1, error));
    TS_TRY(ts_new_raw(&f->angle, 3 * triangles + 1, error));
    TS_TRY(ts_new_raw(&f->unit, triangles + 1, error));
    TS_TRY(ts_new_raw(&f->made, 3 * triangles + 1, error));
    for (size_t t = 0; t < triangles; t++) {
        const int32_t *c = mesh->triangle[t];
        for (int k = 0; k < 3; k++) {
            ts_vec3 p = mesh->vertex[c[k]], u = ts_vec3_sub(mesh->vertex[c[(k + 1) % 3]], p),
                    v = ts_vec3_sub(mesh->vertex[c[(k + 2) % 3]], p), cross = ts_vec3_cross(u, v);
            double length = ts_vec3_length(cross);
            bool real = length > 0 && isfinite(length);
            f->angle[3 * t + (size_t)k] = real ? atan2(length, ts_vec3_dot(u, v)) : 0;
            if (k == 0)
                f->unit[t] = real ? ts_vec3_scale(cross, 1 / length) : (ts_vec3){0, 0, 0};
            f->begin[c[k] + 2]++;
        }
    }
    for (size_t v = 2; v <= mesh->vertex_count + 1; v++)
        f->begin[v] += f->begin[v - 1];
    for (size_t i = 0; i < 3 * triangles; i++)
        f->corner[f->begin[mesh->triangle[i / 3][i % 3] + 1]++] = i;
    return TS_OK;
}

/* The normal at a corner: of all triangles at its vertex that its own one meets smoothly, in their order, so that
 * corners with the same ones get the same bits. */
static ts_vec3 corner_normal(const fans *f, size_t v, size_t corner)
{
    ts_vec3 own = f->unit[corner / 3], sum = {0, 0, 0};
    size_t begin = f->begin[v], end = f->begin[v + 1];
    for (size_t i = begin; i < end && end - begin <= FAN_MOST; i++)
        if (ts_vec3_dot(f->unit[f->corner[i] / 3], own) >= smooth_turn)
            sum = ts_vec3_add_scaled(sum, f->unit[f->corner[i] / 3], f->angle[f->corner[i]]);
    double length = ts_vec3_length(sum);
    if (length > 0 && isfinite(length))
        return ts_vec3_scale(sum, 1 / length);
    return ts_vec3_length(own) > 0 ? own : (ts_vec3){0, 0, 1};
}

/* Too large for a float: the largest one. */
static float to_float(double value)
{
    return (float)fmin(fmax(value, -(double)FLT_MAX), (double)FLT_MAX);
}

static bool is_same(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void shade_vertex(const ts_mesh *mesh, const fans *f, size_t v, ts_mesh3 *out)
{
    size_t first = out->vertex_count, begin = f->begin[v], end = f->begin[v + 1];
    const ts_vec3 p = mesh->vertex[v];
    const float position[3] = {to_float(p.x), to_float(p.y), to_float(p.z)};
    for (size_t i = begin; i < end; i++) {
        ts_vec3 n = corner_normal(f, v, f->corner[i]);
        const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
        size_t k = end - begin > FAN_MOST ? out->vertex_count : first;
        while (k < out->vertex_count && !is_same(out->normal[k], normal))
            k++;
        if (k == out->vertex_count) {
            memcpy(out->position[k], position, sizeof position);
            memcpy(out->normal[k], normal, sizeof normal);
            out->vertex_count++;
        }
        f->made[f->corner[i]] = (uint32_t)k;
    }
}

ts_status ts_mesh_shade(const ts_mesh *mesh, ts_mesh3 *out, ts_error *error)
{
    fans f = {0};
    size_t corners = 3 * mesh->triangle_count;
    *out = (ts_mesh3){.index_count = corners};
    ts_status status = find_fans(mesh, &f, error);
    if (status == TS_OK) {
        out->position = ts_alloc_raw(corners + 1, sizeof *out->position);
        out->normal = ts_alloc_raw(corners + 1, sizeof *out->normal);
        out->index = ts_alloc_raw(corners + 1, sizeof *out->index);
        if (!out->position || !out->normal || !out->index)
            status = ts_fail_memory(error, corners * (2 * sizeof *out->position + sizeof *out->index));
    }
    for (size_t v = 0; status == TS_OK && v < mesh->vertex_count; v++)
        shade_vertex(mesh, &f, v, out);
    for (size_t i = 0; status == TS_OK && i < corners; i++)
        out->index[i] = f.made[i];
    fans_free(&f);
    if (status != TS_OK)
        ts_mesh3_free(out);
    return status;
}
