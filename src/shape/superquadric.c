/* SPDX-License-Identifier: MIT */
#include "shape/superquadric.h"

#include <assert.h>
#include <string.h>

#include "base/simd_exp.h"

/* ---- Mass ----
 * Slices of constant z are superellipses, all alike, of area A s² where s is their size: s = (1 − |z/c|^p)^(1/p), p = 2/ε₁. By Dirichlet,
 * ∫ x^(k−1) y^(l−1) dx dy over x^q + y^q ≤ 1, x, y ≥ 0, is Γ(k/q) Γ(l/q) / (q² Γ((k + l)/q + 1)), here with q = 2/ε₂; then ∫ z^(m−1) s^n dz
 * over 0 … 1 is B(m/p, n/p + 1) / p. */

static double superellipse(double epsilon, double k, double l)
{
    const double h = 0.5 * epsilon;
    return 4 * h * h * tgamma(k * h) * tgamma(l * h) / tgamma((k + l) * h + 1);
}

static double along(double epsilon, double m, double n)
{
    const double h = 0.5 * epsilon;
    return 2 * h * tgamma(m * h) * tgamma(n * h + 1) / tgamma((m + n) * h + 1);
}

ts_solid_mass ts_superquadric_mass(const ts_primitive *primitive)
{
    const ts_vec3 s = primitive->size;
    const double e1 = primitive->exponent[0], e2 = primitive->exponent[1], box = s.x * s.y * s.z;
    const double volume = box * superellipse(e2, 1, 1) * along(e1, 1, 2);
    const double across = box * superellipse(e2, 3, 1) * along(e1, 1, 4);
    const ts_vec3 second = {s.x * s.x * across, s.y * s.y * across,
                            s.z * s.z * box * superellipse(e2, 1, 1) * along(e1, 3, 2)};
    const ts_solid_mass own = {
        volume, {0, 0, 0}, ts_mat3_diagonal((ts_vec3){second.y + second.z, second.z + second.x, second.x + second.y})};
    return ts_solid_mass_moved(&own, primitive->pose);
}

/* ---- Where lines go ---- */

/* Places on a quarter of |x|^p + |y|^p = 1, from the x axis to the diagonal, as ratios y/x. */
enum { SAMPLES = 256 };
typedef struct profile {
    double ratio[SAMPLES + 1], share[SAMPLES + 1]; /* how far along a ratio is, from 0 to 1 */
} profile;

/* u^e for u ≥ 0 */
static double power(double u, double e)
{
    return u > 0 ? ts_exp(e * ts_log(u)) : 0;
}

/* Half of it by length, half by how far the normal has turned, where the corner on the diagonal is round (ε < 1). */
static void make_profile(double epsilon, profile *p)
{
    const double e = 2 / epsilon, by_turn = epsilon < 1 ? 0.5 : 0;
    double turn[SAMPLES + 1], length = 0, x0 = 1, y0 = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        const double angle = 0.25 * TS_PI * i / SAMPLES, u = i == SAMPLES ? 1 : tan(angle);
        const double x = power(1 + power(u, e), -1 / e), y = u * x;
        length += hypot(x - x0, y - y0);
        x0 = x;
        y0 = y;
        p->ratio[i] = u;
        p->share[i] = length;
        turn[i] = atan2(power(u, e - 1), 1) / (0.25 * TS_PI);
    }
    for (int i = 0; i <= SAMPLES; i++)
        p->share[i] = i == 0 ? 0 : i == SAMPLES ? 1 : (1 - by_turn) * p->share[i] / length + by_turn * turn[i];
}

/* The ratio that is so far along, 0 to 1. */
static double ratio_at(const profile *p, double share)
{
    int low = 0, high = SAMPLES;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(p->share[middle] <= share ? &low : &high) = middle;
    }
    const double t = (share - p->share[low]) / (p->share[high] - p->share[low]);
    return share >= 1 ? 1 : p->ratio[low] + t * (p->ratio[high] - p->ratio[low]);
}

/* ---- Mesh ---- */

typedef struct maker {
    profile along, across; /* by ε₁, and by ε₂ */
    double exponent;       /* 2 / ε₂ */
    ts_vec3 size;
    int half[3]; /* cells from the middle to a side */
    const ts_sdf *sdf;
    ts_sdf_rule rule;
    ts_mesh *mesh;
    int32_t *number; /* of lattice points; -1: not on the surface */
} maker;

/* Along the ray from the centre, on which φ is a distance, to where it is 0. */
static ts_vec3 on_surface(const maker *m, ts_vec3 p)
{
    double last = HUGE_VAL;
    for (int i = 0; i < 20; i++) {
        const double off = ts_sdf_at(m->sdf, &m->rule, p);
        if (!(fabs(off) < last))
            break;
        last = fabs(off);
        p = ts_vec3_scale(p, 1 - off / ts_vec3_length(p));
    }
    return p;
}

/* The lattice point (i, j, k) steps from the middle, all ≥ 0, one of them at its end. */
static ts_vec3 corner_of(const maker *m, const int at[3])
{
    const double u = (double)at[0] / m->half[0], v = (double)at[1] / m->half[1], w = (double)at[2] / m->half[2];
    const double ring = fmax(u, v);
    /* y/x, or x/y where that is below 1, and likewise r and z */
    const double share = ring > 0 ? fmin(u, v) / ring : 0, minor = ratio_at(&m->across, share);
    const double x = u >= v ? 1 : minor, y = u >= v ? minor : 1;
    const double gauge = power(power(x, m->exponent) + power(y, m->exponent), 1 / m->exponent);
    const double r = ring < 1 ? ratio_at(&m->along, ring) : 1, z = ring < 1 ? 1 : ratio_at(&m->along, w);
    return on_surface(m, ts_vec3_times(m->size, (ts_vec3){r * x / gauge, r * y / gauge, z}));
}

static int32_t *number_at(const maker *m, const int at[3])
{
    const int *h = m->half;
    const size_t across = 2 * (size_t)h[0] + 1, deep = 2 * (size_t)h[1] + 1;
    return &m->number[((size_t)(at[2] + h[2]) * deep + (size_t)(at[1] + h[1])) * across + (size_t)(at[0] + h[0])];
}

/* Mirror images of one corner, each where it is the first time. */
static void put_corner(maker *m, const int at[3])
{
    const ts_vec3 p = corner_of(m, at);
    for (int image = 0; image < 8; image++) {
        const int sign[3] = {image & 1 ? -1 : 1, image & 2 ? -1 : 1, image & 4 ? -1 : 1};
        const int there[3] = {sign[0] * at[0], sign[1] * at[1], sign[2] * at[2]};
        int32_t *number = number_at(m, there);
        if (*number >= 0)
            continue;
        *number = (int32_t)m->mesh->vertex_count++;
        m->mesh->vertex[*number] =
            (ts_vec3){at[0] ? sign[0] * p.x : 0, at[1] ? sign[1] * p.y : 0, at[2] ? sign[2] * p.z : 0};
    }
}

static void put_triangle(maker *m, int32_t a, int32_t b, int32_t c, bool turned)
{
    int32_t *t = m->mesh->triangle[m->mesh->triangle_count++];
    t[0] = a;
    t[1] = turned ? c : b;
    t[2] = turned ? b : c;
}

static ts_vec3 first_octant(ts_vec3 v)
{
    return (ts_vec3){fabs(v.x), fabs(v.y), fabs(v.z)};
}

/* A cell of one side: two triangles by the diagonal that lies farther out, which is an edge of the convex hull. It is
 * chosen in the first octant for all of its images. `low` is the cell's corner next to the middle of the side. */
static void put_cell(maker *m, int axis, const int low[3], const int sign[3])
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int32_t corner[4]; /* around the cell */
    ts_vec3 p[4];
    for (int k = 0; k < 4; k++) {
        int at[3] = {low[0], low[1], low[2]};
        at[u] += k == 1 || k == 2;
        at[v] += k >= 2;
        for (int i = 0; i < 3; i++)
            at[i] *= sign[i];
        corner[k] = *number_at(m, at);
        p[k] = first_octant(m->mesh->vertex[corner[k]]);
    }
    const bool turned = sign[0] * sign[1] * sign[2] < 0;
    const ts_vec3 normal = ts_vec3_cross(ts_vec3_sub(p[1], p[0]), ts_vec3_sub(p[2], p[0]));
    if (ts_vec3_dot(normal, ts_vec3_sub(p[3], p[0])) <= 0) { /* below the plane of the others: 0–2 is outside */
        put_triangle(m, corner[0], corner[1], corner[2], turned);
        put_triangle(m, corner[0], corner[2], corner[3], turned);
    } else {
        put_triangle(m, corner[0], corner[1], corner[3], turned);
        put_triangle(m, corner[1], corner[2], corner[3], turned);
    }
}

static void put_side(maker *m, int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int image = 0; image < 8; image++) {
        const int sign[3] = {image & 1 ? -1 : 1, image & 2 ? -1 : 1, image & 4 ? -1 : 1};
        for (int i = 0; i < m->half[u]; i++)
            for (int k = 0; k < m->half[v]; k++) {
                int low[3];
                low[axis] = m->half[axis];
                low[u] = i;
                low[v] = k;
                put_cell(m, axis, low, sign);
            }
    }
}

static size_t vertices_of(const int half[3])
{
    const size_t x = 2 * (size_t)half[0], y = 2 * (size_t)half[1], z = 2 * (size_t)half[2];
    return 2 * (x * y + y * z + z * x) + 2;
}

/* Cells in proportion to the half axes, at least two from the middle, for about so many vertices. */
static void choose_cells(ts_vec3 size, size_t vertices, int half[3])
{
    const double length[3] = {size.x, size.y, size.z}, longest = fmax(size.x, fmax(size.y, size.z));
    const int least = vertices < 98 ? 1 : 2;
    size_t nearest = SIZE_MAX;
    for (int n = least; n <= 4096; n++) {
        int tried[3];
        for (int i = 0; i < 3; i++)
            tried[i] = (int)fmax(least, floor(n * length[i] / longest + 0.5));
        const size_t count = vertices_of(tried), off = count > vertices ? count - vertices : vertices - count;
        if (off > nearest || count > TS_SDF_BODY_VERTICES_MAX)
            break;
        nearest = off;
        memcpy(half, tried, sizeof tried);
    }
}

static ts_status fill(maker *m, ts_error *error)
{
    const int *h = m->half;
    const size_t points = (2 * (size_t)h[0] + 1) * (2 * (size_t)h[1] + 1) * (2 * (size_t)h[2] + 1),
                 vertices = vertices_of(h);
    TS_TRY(ts_new_raw(&m->number, points, error));
    memset(m->number, -1, points * sizeof *m->number);
    TS_TRY(ts_mesh_create(vertices, 2 * vertices - 4, &m->mesh, error));
    m->mesh->vertex_count = m->mesh->triangle_count = 0;
    for (int k = 0; k <= h[2]; k++)
        for (int j = 0; j <= h[1]; j++)
            for (int i = 0; i <= h[0]; i++)
                if (i == h[0] || j == h[1] || k == h[2])
                    put_corner(m, (const int[3]){i, j, k});
    for (int axis = 0; axis < 3; axis++)
        put_side(m, axis);
    return TS_OK;
}

ts_status ts_superquadric_mesh(const ts_primitive *primitive, size_t vertices, ts_mesh **mesh, ts_error *error)
{
    assert(primitive->kind == TS_PRIMITIVE_SUPERQUADRIC);
    ts_primitive own = *primitive;
    own.pose = ts_pose3_identity();
    own.subtract = false;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_sdf_create(&own, 1, &sdf, error));
    maker m = {.size = own.size, .exponent = 2 / own.exponent[1], .sdf = sdf, .rule = ts_sdf_default_rule(sdf)};
    make_profile(own.exponent[0], &m.along);
    make_profile(own.exponent[1], &m.across);
    choose_cells(own.size, vertices, m.half);
    const ts_status status = fill(&m, error);
    ts_free(m.number);
    if (status != TS_OK) {
        ts_mesh_free(m.mesh);
        return status;
    }
    ts_mesh_move(m.mesh, 1, primitive->pose);
    *mesh = m.mesh;
    return TS_OK;
}
