/* SPDX-License-Identifier: MIT */
/* Closed meshes for tests, and distances from them by looking at every triangle. */
#pragma once

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "shape/mesh.h"
#include "support/check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Made by hand ---- */

static inline ts_mesh *mesh_of(const ts_vec3 *vertex, size_t vertices, const int32_t (*triangle)[3], size_t triangles)
{
    ts_mesh *mesh;
    OK(ts_mesh_create(vertices, triangles, &mesh, ERROR));
    memcpy(mesh->vertex, vertex, vertices * sizeof *vertex);
    memcpy(mesh->triangle, triangle, triangles * sizeof *triangle);
    return mesh;
}

/* Four points that are not in a plane, turned outwards. */
static inline ts_mesh *tetrahedron(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d)
{
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
    bool left = ts_vec3_dot(n, ts_vec3_sub(d, a)) > 0; /* d is above (a, b, c), so that must be turned */
    const ts_vec3 vertex[] = {a, left ? c : b, left ? b : c, d};
    const int32_t triangle[][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    return mesh_of(vertex, COUNT(vertex), triangle, COUNT(triangle));
}

/* All corners low + (high − low) · (0 or 1, …). */
static inline ts_mesh *box_mesh(ts_vec3 low, ts_vec3 high)
{
    ts_vec3 vertex[8];
    for (int i = 0; i < 8; i++)
        vertex[i] = (ts_vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    static const int32_t triangle[][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                          {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh_of(vertex, 8, triangle, COUNT(triangle));
}

/* Both together; `turned`: the second inside out. Frees both. */
static inline ts_mesh *both(ts_mesh *a, ts_mesh *b, bool turned)
{
    ts_mesh *mesh;
    OK(ts_mesh_create(a->vertex_count + b->vertex_count, a->triangle_count + b->triangle_count, &mesh, ERROR));
    memcpy(mesh->vertex, a->vertex, a->vertex_count * sizeof *a->vertex);
    memcpy(mesh->vertex + a->vertex_count, b->vertex, b->vertex_count * sizeof *b->vertex);
    memcpy(mesh->triangle, a->triangle, a->triangle_count * sizeof *a->triangle);
    for (size_t i = 0; i < b->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            mesh->triangle[a->triangle_count + i][turned ? 2 - k : k] = b->triangle[i][k] + (int32_t)a->vertex_count;
    ts_mesh_free(a);
    ts_mesh_free(b);
    return mesh;
}

/* A torus about z, of n × m quadrangles. */
static inline ts_mesh *torus_mesh(double ring, double tube, int n, int m)
{
    ts_mesh *mesh;
    OK(ts_mesh_create((size_t)(n * m), (size_t)(2 * n * m), &mesh, ERROR));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double a = 2 * TS_PI * i / n, b = 2 * TS_PI * j / m, r = ring + tube * cos(b);
            int32_t v = i * m + j, w = (i + 1) % n * m + j, vv = i * m + (j + 1) % m,
                    ww = (i + 1) % n * m + (j + 1) % m;
            mesh->vertex[v] = (ts_vec3){r * cos(a), r * sin(a), tube * sin(b)};
            memcpy(mesh->triangle[2 * v], (int32_t[]){v, w, ww}, sizeof *mesh->triangle);
            memcpy(mesh->triangle[2 * v + 1], (int32_t[]){v, ww, vv}, sizeof *mesh->triangle);
        }
    return mesh;
}

/* A ball by latitude and longitude: all vertices are on the sphere. */
static inline ts_mesh *ball_mesh(double radius, int n)
{
    int rings = n / 2 - 1;
    ts_mesh *mesh;
    OK(ts_mesh_create((size_t)(rings * n + 2), (size_t)(2 * rings * n), &mesh, ERROR));
    int32_t south = rings * n, north = south + 1;
    mesh->vertex[south] = (ts_vec3){0, 0, -radius};
    mesh->vertex[north] = (ts_vec3){0, 0, radius};
    size_t count = 0;
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < n; j++) {
            double a = TS_PI * (i + 1) / (rings + 1) - TS_PI / 2, b = 2 * TS_PI * j / n;
            int32_t v = i * n + j, w = i * n + (j + 1) % n;
            mesh->vertex[v] = (ts_vec3){radius * cos(a) * cos(b), radius * cos(a) * sin(b), radius * sin(a)};
            memcpy(mesh->triangle[count++], i == 0 ? (int32_t[]){v, south, w} : (int32_t[]){v, v - n, w},
                   sizeof *mesh->triangle);
            memcpy(mesh->triangle[count++], i == rings - 1 ? (int32_t[]){v, w, north} : (int32_t[]){w, w + n, v},
                   sizeof *mesh->triangle);
        }
    /* each quadrangle between rings: (v, v − n, w) of the upper ring, (w, w + n, v) of the lower */
    assert_int_equal(count, mesh->triangle_count);
    return mesh;
}

/* ---- By looking at every triangle ---- */

static inline double brute_segment(ts_vec3 a, ts_vec3 b, ts_vec3 p)
{
    ts_vec3 u = ts_vec3_sub(b, a);
    double all = ts_vec3_dot(u, u), t = all > 0 ? ts_vec3_dot(ts_vec3_sub(p, a), u) / all : 0;
    return ts_vec3_distance(p, ts_vec3_lerp(a, b, t < 0 ? 0 : t > 1 ? 1 : t));
}

/* To the plane where p is above the triangle, else to the nearest edge. */
static inline double brute_triangle(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 p)
{
    ts_vec3 n = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
    const ts_vec3 corner[] = {a, b, c};
    bool above = ts_vec3_length(n) > 0;
    double d = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        ts_vec3 q = corner[k], u = ts_vec3_sub(corner[(k + 1) % 3], q);
        above = above && ts_vec3_dot(ts_vec3_cross(n, u), ts_vec3_sub(p, q)) >= 0;
        d = fmin(d, brute_segment(q, corner[(k + 1) % 3], p));
    }
    return above ? fmin(d, fabs(ts_vec3_dot(n, ts_vec3_sub(p, a)))) : d;
}

static inline double brute_distance(const ts_mesh *mesh, ts_vec3 p)
{
    double d = HUGE_VAL;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        d = fmin(d, brute_triangle(mesh->vertex[t[0]], mesh->vertex[t[1]], mesh->vertex[t[2]], p));
    }
    return d;
}

/* Along a ray in any direction from p: times that it leaves the body, less times that it enters. Solves p + s d = a + u
 * (b − a) + v (c − a) by Cramer's rule. *first is the least s > 0. */
static inline int brute_leaving(const ts_mesh *mesh, ts_vec3 p, ts_vec3 d, double *first)
{
    int count = 0;
    *first = HUGE_VAL;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        ts_vec3 a = mesh->vertex[t[0]], x = ts_vec3_sub(mesh->vertex[t[1]], a), y = ts_vec3_sub(mesh->vertex[t[2]], a);
        ts_vec3 r = ts_vec3_sub(p, a), n = ts_vec3_cross(x, y);
        double det = -ts_vec3_dot(d, n);
        double s = ts_vec3_dot(r, n) / det, u = ts_vec3_dot(ts_vec3_cross(y, d), r) / -det;
        double v = ts_vec3_dot(ts_vec3_cross(d, x), r) / -det;
        if (det != 0 && s > 0 && u >= 0 && v >= 0 && u + v <= 1) {
            count += det < 0 ? 1 : -1;
            *first = fmin(*first, s);
        }
    }
    return count;
}

/* ---- At random ---- */

static inline ts_vec3 random_vector(ts_random *r)
{
    double x = ts_random_next_normal(r), y = ts_random_next_normal(r), z = ts_random_next_normal(r);
    return (ts_vec3){x, y, z};
}

/* A point near a vertex, an edge or a face, at a distance from 1e-6 of the size to some times it. */
static inline ts_vec3 random_near(const ts_mesh *mesh, double size, ts_random *r)
{
    const int32_t *t = mesh->triangle[ts_random_next_below(r, mesh->triangle_count)];
    double w[3] = {ts_random_next_uniform(r), ts_random_next_uniform(r), ts_random_next_uniform(r)};
    uint64_t kind = ts_random_next_below(r, 3);
    for (uint64_t k = 0; k < kind; k++)
        w[k] = 0;
    double sum = w[0] + w[1] + w[2];
    ts_vec3 p = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        p = ts_vec3_add_scaled(p, mesh->vertex[t[k]], w[k] / sum);
    return ts_vec3_add_scaled(p, random_vector(r), size * pow(10, -6 * ts_random_next_uniform(r)));
}
