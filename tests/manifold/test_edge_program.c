/* SPDX-License-Identifier: MIT */
/* Programs of two edges, and of a vertex and a face, against their definitions in terms of softplus and sigmoid, worked out in
 * long double; the hard ones against a search; derivatives against central differences; all instruction sets. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "manifold/edge_program.h"
#include "support/check.h"
#include "support/isa.h"

/* Definitions in long double take doubles. */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

TS_TEST_TABLES(ts_edge_kernels, ts_edge);

enum { COUNT = 400, INPUTS = 12 };

typedef long double wide_real;

/* Four points each: p₀ p₁ q₀ q₁, or v a b c. */
typedef struct points {
    double x[INPUTS][COUNT];
} points;

/* Ends in the cube of side 2; some edges are parallel, equal, square to each other, or of no length. */
static points some_points(uint64_t seed)
{
    points p;
    for (size_t c = 0; c < INPUTS; c++)
        for (size_t i = 0; i < COUNT; i++)
            p.x[c][i] = ts_random_range(seed, c, i, -1, 1);
    for (size_t i = 0; i < COUNT; i += 20)
        for (size_t k = 0; k < 3; k++) {
            p.x[9 + k][i] = p.x[6 + k][i] + (p.x[3 + k][i] - p.x[k][i]); /* parallel */
            p.x[6 + k][i + 1] = p.x[k][i + 1], p.x[9 + k][i + 1] = p.x[3 + k][i + 1];
            p.x[3 + k][i + 2] = p.x[k][i + 2] + (k == 0), p.x[9 + k][i + 2] = p.x[6 + k][i + 2] + (k == 1);
        }
    return p;
}

#define GROUP(p, k)                                               \
    {                                                             \
        (p)->x[3 * (k)], (p)->x[3 * (k) + 1], (p)->x[3 * (k) + 2] \
    }

static ts_edge_pairs edges_of(const points *p)
{
    return (ts_edge_pairs){COUNT, GROUP(p, 0), GROUP(p, 1), GROUP(p, 2), GROUP(p, 3)};
}
static ts_face_pairs faces_of(const points *p)
{
    return (ts_face_pairs){COUNT, GROUP(p, 0), GROUP(p, 1), GROUP(p, 2), GROUP(p, 3)};
}

/* ---- Definitions ---- */

static wide_real softplus(wide_real x, wide_real tau)
{
    return x > 0 ? x + tau * log1pl(expl(-x / tau)) : tau * log1pl(expl(x / tau));
}
static wide_real sigmoid(wide_real x, wide_real tau)
{
    return 1 / (1 + expl(-x / tau));
}
static wide_real soft_clip(wide_real x, wide_real tau)
{
    return softplus(x, tau) - softplus(x - 1, tau);
}
static wide_real soft_within(wide_real x, wide_real tau)
{
    return sigmoid(x, tau) * sigmoid(1 - x, tau);
}
static void soft_least(const wide_real *cost, int count, wide_real tau, wide_real *share)
{
    wide_real low = cost[0], sum = 0;
    for (int i = 1; i < count; i++)
        low = fminl(low, cost[i]);
    for (int i = 0; i < count; i++)
        sum += share[i] = expl((low - cost[i]) / tau);
    for (int i = 0; i < count; i++)
        share[i] /= sum;
}

static wide_real at(const points *p, int column, size_t i)
{
    return (wide_real)p->x[column][i];
}

static wide_real product(const points *p, size_t i, int a, int b, int c, int d)
{
    wide_real sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (at(p, 3 * a + k, i) - at(p, 3 * b + k, i)) * (at(p, 3 * c + k, i) - at(p, 3 * d + k, i));
    return sum;
}

/* α₁, α₂ and γ. */
static void define_edges(const ts_edge_rule *rule, const points *p, size_t i, wide_real out[3])
{
    const wide_real l = (wide_real)rule->centre, q1 = product(p, i, 1, 0, 1, 0) + l, q3 = product(p, i, 3, 2, 3, 2) + l,
                    q2 = -product(p, i, 1, 0, 3, 2), c1 = product(p, i, 0, 2, 1, 0) - l / 2,
                    c2 = -product(p, i, 0, 2, 3, 2) - l / 2;
    const wide_real det = q1 * q3 - q2 * q2, u1 = (q2 * c2 - q3 * c1) / det, u2 = (q2 * c1 - q1 * c2) / det;
    const wide_real x[4][2] = {{1, soft_clip(-(q2 + c2) / q3, (wide_real)rule->clip)},
                               {0, soft_clip(-c2 / q3, (wide_real)rule->clip)},
                               {soft_clip(-(q2 + c1) / q1, (wide_real)rule->clip), 1},
                               {soft_clip(-c1 / q1, (wide_real)rule->clip), 0}};
    wide_real cost[4], share[4], bound[2] = {0, 0};
    for (int k = 0; k < 4; k++)
        cost[k] = 0.5L * (q1 * x[k][0] * x[k][0] + 2 * q2 * x[k][0] * x[k][1] + q3 * x[k][1] * x[k][1]) + c1 * x[k][0] +
                  c2 * x[k][1];
    soft_least(cost, 4, (wide_real)rule->minimum, share);
    for (int k = 0; k < 4; k++)
        for (int d = 0; d < 2; d++)
            bound[d] += share[k] * x[k][d];
    out[2] = soft_within(u1, (wide_real)rule->inside) * soft_within(u2, (wide_real)rule->inside);
    out[0] = out[2] * u1 + (1 - out[2]) * bound[0];
    out[1] = out[2] * u2 + (1 - out[2]) * bound[1];
}

/* The point, and how far its foot lies in the triangle. */
static void define_face(const ts_edge_rule *rule, const points *p, size_t i, wide_real out[4])
{
    wide_real foot[3][3], cost[3], share[3];
    for (int k = 0; k < 3; k++) {
        const int a = 1 + k, b = 1 + (k + 1) % 3;
        const wide_real along = soft_clip(product(p, i, 0, a, b, a) / product(p, i, b, a, b, a), (wide_real)rule->clip);
        cost[k] = 0;
        for (int d = 0; d < 3; d++) {
            foot[k][d] = at(p, 3 * a + d, i) + along * (at(p, 3 * b + d, i) - at(p, 3 * a + d, i));
            cost[k] += 0.5L * (at(p, d, i) - foot[k][d]) * (at(p, d, i) - foot[k][d]);
        }
    }
    soft_least(cost, 3, (wide_real)rule->minimum, share);
    const wide_real e11 = product(p, i, 2, 1, 2, 1), e12 = product(p, i, 2, 1, 3, 1), e22 = product(p, i, 3, 1, 3, 1),
                    r1 = product(p, i, 0, 1, 2, 1), r2 = product(p, i, 0, 1, 3, 1), det = e11 * e22 - e12 * e12,
                    s = (e22 * r1 - e12 * r2) / det, t = (e11 * r2 - e12 * r1) / det;
    out[3] = soft_within(s, (wide_real)rule->inside) * soft_within(t, (wide_real)rule->inside) *
             soft_within(1 - s - t, (wide_real)rule->inside);
    for (int d = 0; d < 3; d++) {
        const wide_real a = at(p, 3 + d, i), b = at(p, 6 + d, i), c = at(p, 9 + d, i);
        out[d] = out[3] * (a + s * (b - a) + t * (c - a));
        for (int k = 0; k < 3; k++)
            out[d] += (1 - out[3]) * share[k] * foot[k][d];
    }
}

/* ---- Tests ---- */

static const double tau_of[] = {1, 0.1, 0.01, 0.003, 1e-3, 1e-5};
enum { TAUS = sizeof tau_of / sizeof *tau_of };

static ts_edge_rule rule_of(double tau)
{
    return (ts_edge_rule){.clip = tau, .minimum = tau, .inside = tau, .centre = 0.01};
}

static void definitions(void **state)
{
    (void)state;
    const points p = some_points(1);
    const ts_edge_pairs edges = edges_of(&p);
    const ts_face_pairs faces = faces_of(&p);
    for (size_t k = 0; k < TAUS; k++) {
        const ts_edge_rule rule = rule_of(tau_of[k]);
        double a1[COUNT], a2[COUNT], within[COUNT], x[COUNT], y[COUNT], z[COUNT], in[COUNT];
        double *const point[3] = {x, y, z};
        /* rounding, which small τ and flat triangles magnify */
        const double near = 1e-11 + 1e-13 / tau_of[k];
        ts_edge_program(&rule, &edges, a1, a2, within);
        ts_face_program(&rule, &faces, point, in);
        for (size_t i = 0; i < COUNT; i++) {
            wide_real edge[3], face[4];
            define_edges(&rule, &p, i, edge);
            NEAR(a1[i], (double)edge[0], near);
            NEAR(a2[i], (double)edge[1], near);
            NEAR(within[i], (double)edge[2], near);
            if (i % 20 < 3)
                continue;
            define_face(&rule, &p, i, face);
            for (int d = 0; d < 3; d++)
                NEAR(point[d][i], (double)face[d], near);
            NEAR(in[i], (double)face[3], near);
        }
    }
}

static double squared(const points *p, size_t i, double a, double b)
{
    double sum = 0.01 * ((a - 0.5) * (a - 0.5) + (b - 0.5) * (b - 0.5));
    for (int k = 0; k < 3; k++) {
        const double d =
            p->x[k][i] + a * (p->x[3 + k][i] - p->x[k][i]) - p->x[6 + k][i] - b * (p->x[9 + k][i] - p->x[6 + k][i]);
        sum += d * d;
    }
    return sum;
}

/* No point of a fine grid is nearer, and the answer lies within the edges. */
static void hard_edges(void **state)
{
    (void)state;
    enum { GRID = 50 };
    const points p = some_points(2);
    const ts_edge_pairs edges = edges_of(&p);
    const ts_edge_rule rule = {.centre = 0.01, .hard = true};
    double a1[COUNT], a2[COUNT], within[COUNT];
    ts_edge_program(&rule, &edges, a1, a2, within);
    for (size_t i = 0; i < COUNT; i++) {
        const double found = squared(&p, i, a1[i], a2[i]);
        assert_true(a1[i] >= 0 && a1[i] <= 1 && a2[i] >= 0 && a2[i] <= 1);
        for (int k = 0; k <= GRID; k++)
            for (int l = 0; l <= GRID; l++)
                assert_true(found <= squared(&p, i, (double)k / GRID, (double)l / GRID) + 1e-14);
    }
}

static ts_vec3 point_at(const points *p, int group, size_t i)
{
    return (ts_vec3){p->x[3 * group][i], p->x[3 * group + 1][i], p->x[3 * group + 2][i]};
}

static double to_segment(ts_vec3 v, ts_vec3 a, ts_vec3 b)
{
    const ts_vec3 t = ts_vec3_sub(b, a);
    const double square = ts_vec3_dot(t, t), x = square > 0 ? ts_vec3_dot(ts_vec3_sub(v, a), t) / square : 0;
    return ts_vec3_distance(v, ts_vec3_add_scaled(a, t, fmin(fmax(x, 0), 1)));
}

/* To the plane where the foot lies within all three sides, else to the nearest side. */
static double to_triangle(ts_vec3 v, ts_vec3 a, ts_vec3 b, ts_vec3 c)
{
    const ts_vec3 corner[4] = {a, b, c, a}, n = ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a));
    double least = HUGE_VAL, area = ts_vec3_length(n);
    bool inside = area > 1e-12;
    for (int k = 0; k < 3; k++) {
        const ts_vec3 t = ts_vec3_sub(corner[k + 1], corner[k]);
        inside &= ts_vec3_dot(ts_vec3_cross(n, t), ts_vec3_sub(v, corner[k])) >= 0;
        least = fmin(least, to_segment(v, corner[k], corner[k + 1]));
    }
    return inside ? fabs(ts_vec3_dot(n, ts_vec3_sub(v, a))) / area : least;
}

/* Where two segments do not cross as seen along their common normal, the nearest point of one is an end. */
static double between_segments(ts_vec3 p0, ts_vec3 p1, ts_vec3 q0, ts_vec3 q1)
{
    const ts_vec3 t = ts_vec3_sub(p1, p0), u = ts_vec3_sub(q1, q0), n = ts_vec3_cross(t, u), d = ts_vec3_sub(q0, p0);
    const double square = ts_vec3_dot(n, n);
    double least = fmin(fmin(to_segment(p0, q0, q1), to_segment(p1, q0, q1)),
                        fmin(to_segment(q0, p0, p1), to_segment(q1, p0, p1)));
    if (square > 1e-20) {
        const double a = ts_vec3_dot(ts_vec3_cross(d, u), n) / square, b = ts_vec3_dot(ts_vec3_cross(d, t), n) / square;
        if (a >= 0 && a <= 1 && b >= 0 && b <= 1)
            least = fmin(least, fabs(ts_vec3_dot(n, d)) / sqrt(square));
    }
    return least;
}

/* Hard, and for τ → 0, both programs give exact distances; without λ, for parallel edges and triangles of no area, too. */
static void exact_distances(void **state)
{
    (void)state;
    points p = some_points(4);
    for (size_t i = 0; i < COUNT; i += 20)
        for (int k = 0; k < 3; k++)
            p.x[6 + k][i + 4] = p.x[3 + k][i + 4]; /* a triangle with two corners in one */
    const ts_edge_pairs edges = edges_of(&p);
    const ts_face_pairs faces = faces_of(&p);
    for (int hard = 0; hard < 2; hard++) {
        const double tau = 1e-9;
        const ts_edge_rule rule = {tau, tau, tau, 0, hard};
        double a1[COUNT], a2[COUNT], within[COUNT], x[COUNT], y[COUNT], z[COUNT], in[COUNT];
        ts_edge_program(&rule, &edges, a1, a2, within);
        ts_face_program(&rule, &faces, (double *const[3]){x, y, z}, in);
        for (size_t i = 0; i < COUNT; i++) {
            const ts_vec3 at[4] = {point_at(&p, 0, i), point_at(&p, 1, i), point_at(&p, 2, i), point_at(&p, 3, i)};
            const double apart = ts_vec3_distance(ts_vec3_lerp(at[0], at[1], a1[i]), ts_vec3_lerp(at[2], at[3], a2[i]));
            NEAR(apart, between_segments(at[0], at[1], at[2], at[3]), hard ? 1e-6 : 1e-4);
            NEAR(ts_vec3_distance(at[0], (ts_vec3){x[i], y[i], z[i]}), to_triangle(at[0], at[1], at[2], at[3]),
                 hard ? 1e-7 : 1e-4);
        }
    }
}

/* A weighted sum of all that comes out. */
static double sum_of(const ts_edge_rule *rule, const points *p, bool face, size_t i)
{
    double out[4][COUNT], sum = 0;
    if (face) {
        const ts_face_pairs faces = faces_of(p);
        ts_face_program(rule, &faces, (double *const[3]){out[0], out[1], out[2]}, out[3]);
    } else {
        const ts_edge_pairs edges = edges_of(p);
        ts_edge_program(rule, &edges, out[0], out[1], out[2]);
    }
    for (int k = 0; k < (face ? 4 : 3); k++)
        sum += (0.7 - 0.4 * k) * out[k][i];
    return sum;
}

static void derivatives(void **state)
{
    (void)state;
    const double taus[] = {0.1, 0.03};
    points p = some_points(3);
    for (size_t t = 0; t < 2; t++)
        for (int face = 0; face < 2; face++) {
            const ts_edge_rule rule = rule_of(taus[t]);
            double bar[4][COUNT];
            points to;
            memset(&to, 0, sizeof to);
            for (int k = 0; k < 4; k++)
                for (size_t i = 0; i < COUNT; i++)
                    bar[k][i] = 0.7 - 0.4 * k;
            if (face) {
                const ts_face_pairs faces = faces_of(&p);
                const ts_face_pairs_bar out = {GROUP(&to, 0), GROUP(&to, 1), GROUP(&to, 2), GROUP(&to, 3)};
                ts_face_program_vjp(&rule, &faces, (const double *const[3]){bar[0], bar[1], bar[2]}, bar[3], &out);
            } else {
                const ts_edge_pairs edges = edges_of(&p);
                const ts_edge_pairs_bar out = {GROUP(&to, 0), GROUP(&to, 1), GROUP(&to, 2), GROUP(&to, 3)};
                ts_edge_program_vjp(&rule, &edges, bar[0], bar[1], bar[2], &out);
            }
            /* no flat triangles: their determinant is cut off */
            for (size_t i = face ? 3 : 0; i < COUNT; i += 4)
                for (int c = 0; c < INPUTS; c++) {
                    const double h = 1e-6, x = p.x[c][i];
                    p.x[c][i] = x + h;
                    const double high = sum_of(&rule, &p, face == 1, i);
                    p.x[c][i] = x - h;
                    const double low = sum_of(&rule, &p, face == 1, i);
                    p.x[c][i] = x;
                    NEAR(to.x[c][i], (high - low) / (2 * h), 1e-6 * (1 + fabs(to.x[c][i])));
                }
        }
}

static void instruction_sets(void **state)
{
    (void)state;
    const points p = some_points(4);
    const ts_edge_pairs edges = edges_of(&p);
    const ts_face_pairs faces = faces_of(&p);
    for (size_t k = 0; k < TAUS; k++) {
        const ts_edge_rule rule = rule_of(tau_of[k]);
        static double first[7][COUNT], out[7][COUNT];
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            const ts_edge_kernels *kernels = ts_edge_table[isa];
            kernels->edges(&rule, &edges, out[0], out[1], out[2]);
            kernels->faces(&rule, &faces, (double *const[3]){out[3], out[4], out[5]}, out[6]);
            if (isa == 0)
                memcpy(first, out, sizeof out);
            assert_memory_equal(first, out, sizeof out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definitions), cmocka_unit_test(hard_edges),
                                       cmocka_unit_test(exact_distances), cmocka_unit_test(derivatives),
                                       cmocka_unit_test(instruction_sets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
