/* SPDX-License-Identifier: MIT */
/* Signed distances of smooth bodies: against exact distances, blends against their limits, culling, instruction sets, batches,
 * scales, and what is refused. Derivatives: tests/grad/test_sdf.c. */
#include "shape/sdf.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/simd_exp.h"
#include "shape/sdf_kernel.h"
#include "support/check.h"
#include "support/isa.h"

TS_TEST_TABLES(ts_sdf_kernels, ts_sdf);
TS_TEST_TABLES(ts_sdf_vjp_kernels, ts_sdf_vjp);

enum { POINTS = 203, MANY = 24, COLUMNS = 7 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(3, stream, i);
}
static ts_vec3 vector(uint64_t stream, uint64_t i)
{
    return (ts_vec3){number(stream, 3 * i), number(stream, 3 * i + 1), number(stream, 3 * i + 2)};
}

/* ---- Bodies ---- */

static ts_primitive superquadric(ts_vec3 size, double e1, double e2)
{
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = size, .exponent = {e1, e2}};
}
static ts_primitive ball(double radius, ts_vec3 at)
{
    ts_primitive p = superquadric((ts_vec3){radius, radius, radius}, 1, 1);
    p.pose.position = at;
    return p;
}
static ts_primitive subtracted(ts_primitive p)
{
    p.subtract = true;
    return p;
}

static const ts_vec3 box_normal[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/* The box's planes stand in `point` (6). */
static ts_primitive box(ts_vec3 half, ts_vec3 *point)
{
    for (int i = 0; i < 6; i++)
        point[i] = ts_vec3_times(box_normal[i], half);
    return (ts_primitive){.kind = TS_PRIMITIVE_POLYHEDRON,
                          .pose = ts_pose3_identity(),
                          .point = point,
                          .normal = (ts_vec3 *)box_normal,
                          .count = 6};
}

/* Points of a ball, spread by the golden angle. */
static ts_primitive cloud(double radius, ts_vec3 *point, ts_vec3 *normal, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double z = 1 - (2 * (double)i + 1) / (double)count, r = sqrt(1 - z * z),
                     angle = 2.399963229728653 * (double)i;
        normal[i] = (ts_vec3){r * cos(angle), r * sin(angle), z};
        point[i] = ts_vec3_scale(normal[i], radius);
    }
    return (ts_primitive){
        .kind = TS_PRIMITIVE_CLOUD, .pose = ts_pose3_identity(), .point = point, .normal = normal, .count = count};
}

static ts_sdf *made(const ts_primitive *primitive, size_t count)
{
    ts_sdf *sdf;
    OK(ts_sdf_create(primitive, count, &sdf, ERROR));
    return sdf;
}

/* Many primitives of all families, all lengths times `scale`. */
static ts_sdf *crowd(double scale)
{
    static ts_vec3 plane[6], point[100], normal[100];
    ts_primitive p[MANY];
    for (uint64_t i = 0; i < MANY; i++) {
        const ts_vec3 u = vector(1, i);
        if (i % 8 == 6)
            p[i] = box((ts_vec3){0.2 * scale, 0.3 * scale, 0.25 * scale}, plane);
        else if (i % 8 == 7)
            p[i] = cloud(0.3 * scale, point, normal, 100);
        else
            p[i] = superquadric(ts_vec3_scale((ts_vec3){0.1 + 0.2 * fabs(u.x), 0.1 + 0.2 * fabs(u.y), 0.2}, scale),
                                0.1 + 0.3 * (double)(i % 7), 0.1 + 0.36 * (double)(i % 6));
        p[i].pose = (ts_pose3){ts_vec3_scale(vector(2, i), 0.6 * scale), ts_quat_exp(vector(3, i))};
        p[i].subtract = i % 6 == 5;
    }
    return made(p, MANY);
}

/* ---- Questions ---- */

typedef struct columns {
    double of[COLUMNS][POINTS];
} columns;

static ts_sdf_answers into(columns *c)
{
    return (ts_sdf_answers){c->of[0], {c->of[1], c->of[2], c->of[3]}, {c->of[4], c->of[5], c->of[6]}};
}
static ts_sdf_points points_of(columns *c)
{
    return (ts_sdf_points){POINTS, c->of[0], c->of[1], c->of[2]};
}

/* Within and about a body, some far from it, the last three beyond all numbers. */
static columns some_points(double scale)
{
    columns c;
    for (int k = 0; k < 3; k++)
        for (uint64_t i = 0; i < POINTS; i++)
            c.of[k][i] = number(4 + (uint64_t)k, i) * scale * (i % 9 == 8 ? 10 : 0.8);
    c.of[0][POINTS - 1] = (double)NAN;
    c.of[1][POINTS - 2] = (double)INFINITY;
    c.of[2][POINTS - 3] = 1e200;
    return c;
}

static ts_sdf_rule sharp(const ts_sdf *sdf)
{
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    rule.tau = 1e-5 * ts_sdf_length(sdf);
    return rule;
}

/* ---- Exact distances ---- */

static void a_ball_is_exact(void **state)
{
    (void)state;
    const ts_primitive one = ball(0.7, (ts_vec3){1, 2, 3});
    ts_sdf *sdf = made(&one, 1);
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    for (uint64_t i = 0; i < 200; i++) {
        const ts_vec3 d = ts_vec3_scale(vector(10, i), i % 2 ? 0.5 : 30);
        const double r = ts_vec3_length(d);
        if (r > 0.3 * 0.7)
            NEAR(ts_sdf_at(sdf, &rule, ts_vec3_add(one.pose.position, d)), r - 0.7, 1e-14 * (1 + r));
    }
    ts_sdf_free(sdf);
}

static void a_box_is_exact_beside_its_faces(void **state)
{
    (void)state;
    ts_vec3 plane[6];
    const ts_vec3 half = {0.5, 0.3, 0.4};
    const ts_primitive one = box(half, plane);
    ts_sdf *sdf = made(&one, 1);
    const ts_sdf_rule rule = sharp(sdf);
    for (uint64_t i = 0; i < 200; i++) { /* inside everywhere, outside above one face alone */
        const ts_vec3 p = vector(11, i);
        const double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z;
        if ((x > 0) + (y > 0) + (z > 0) <= 1)
            NEAR(ts_sdf_at(sdf, &rule, p), fmax(x, fmax(y, z)), rule.tau);
    }
    ts_sdf_free(sdf);
}

/* A superquadric is on a gauge surface: its zero set is where f = 1, and to first order φ / |∇φ| is the distance. */
static void superquadrics_near_their_surfaces(void **state)
{
    (void)state;
    const double exponent[] = {0.1, 0.5, 1};
    const ts_vec3 size = {0.7, 0.4, 0.5};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double e1 = exponent[i], e2 = exponent[j];
            const ts_primitive one = superquadric(size, e1, e2);
            ts_sdf *sdf = made(&one, 1);
            const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
            for (uint64_t k = 0; k < 50; k++) {
                const ts_vec3 u = ts_vec3_unit(vector(12, k));
                const double xy = pow(pow(fabs(u.x), 2 / e2) + pow(fabs(u.y), 2 / e2), e2 / e1);
                const double gauge = pow(xy + pow(fabs(u.z), 2 / e1), e1 / 2);
                const ts_vec3 at = ts_vec3_times(ts_vec3_scale(u, 1 / gauge), size);
                double g[3], n[3], value;
                NEAR(ts_sdf_at(sdf, &rule, at), 0, 1e-14);
                ts_sdf_ask(sdf, &rule, &(ts_sdf_points){1, &at.x, &at.y, &at.z},
                           &(ts_sdf_answers){&value, {&g[0], &g[1], &g[2]}, {&n[0], &n[1], &n[2]}});
                const ts_vec3 gradient = ts_vec3_of(g), normal = ts_vec3_of(n);
                NEAR(ts_vec3_length(normal), 1, 1e-10);
                NEAR(ts_vec3_length(ts_vec3_cross(gradient, normal)), 0, 1e-9 * ts_vec3_length(gradient));
                const double h = 1e-6; /* off the surface, whose normal is the ellipsoid's own where ε = 1 */
                const ts_vec3 away = e1 == 1 && e2 == 1
                                         ? ts_vec3_unit((ts_vec3){at.x / (size.x * size.x), at.y / (size.y * size.y),
                                                                  at.z / (size.z * size.z)})
                                         : normal;
                const double off = ts_sdf_at(sdf, &rule, ts_vec3_add_scaled(at, away, h));
                NEAR(off / ts_vec3_length(gradient), h, 1e-8);
            }
            ts_sdf_free(sdf);
        }
}

/* ---- Blends ---- */

/* Of L equal balls the zero set stays, or moves out by τ log L. */
static void equal_bodies(void **state)
{
    (void)state;
    ts_primitive p[7];
    for (size_t count = 1; count <= 7; count++) {
        p[count - 1] = ball(1, (ts_vec3){0, 0, 0});
        ts_sdf *sdf = made(p, count);
        ts_sdf_rule rule = ts_sdf_default_rule(sdf);
        rule.tau = 0.05;
        const ts_vec3 at = ts_vec3_unit(vector(13, count));
        NEAR(ts_sdf_at(sdf, &rule, at), 0, 1e-14);
        rule.published = true;
        NEAR(ts_sdf_at(sdf, &rule, at), -rule.tau * log((double)count), 1e-14);
        ts_sdf_free(sdf);
    }
}

/* Where two balls cross, and where one is cut by another: corrected, the zero set goes through the crossing. Elsewhere the
 * answer is the hard one up to 0.28 τ more (less, with what is subtracted), or, as published, up to τ log 2. */
static void crossings(void **state)
{
    (void)state;
    for (int cut = 0; cut < 2; cut++) {
        ts_primitive p[2] = {ball(1, (ts_vec3){-0.5, 0, 0}), ball(1, (ts_vec3){0.5, 0, 0})};
        p[1].subtract = cut;
        ts_sdf *sdf = made(p, 2);
        ts_sdf_rule rule = ts_sdf_default_rule(sdf), published;
        rule.tau = 0.05;
        published = rule;
        published.published = true;
        const double r = sqrt(0.75), way = cut ? -1 : 1;
        for (uint64_t i = 0; i < 50; i++) {
            const double angle = (double)i;
            const ts_vec3 at = {0, r * cos(angle), r * sin(angle)};
            NEAR(ts_sdf_at(sdf, &rule, at), 0, 1e-14);
            NEAR(ts_sdf_at(sdf, &published, at), -way * rule.tau * TS_LN2, 1e-14);
        }
        for (uint64_t i = 0; i < 300; i++) {
            const ts_vec3 at = vector(14, i);
            const double a = ts_vec3_length(ts_vec3_sub(at, p[0].pose.position)) - 1,
                         b = ts_vec3_length(ts_vec3_sub(at, p[1].pose.position)) - 1;
            if (fmin(a, b) < -0.7)
                continue; /* within a core */
            const double hard = cut ? fmax(a, -b) : fmin(a, b);
            const double more = way * (ts_sdf_at(sdf, &rule, at) - hard),
                         less = way * (hard - ts_sdf_at(sdf, &published, at));
            assert_true(more >= -1e-12 && more <= 0.28 * rule.tau);
            assert_true(less >= -1e-12 && less <= TS_LN2 * rule.tau + 1e-12);
        }
        ts_sdf_free(sdf);
    }
}

/* τ → 0: the least of what is added, and the greatest of that and minus what is subtracted. */
static void hard_limit(void **state)
{
    (void)state;
    ts_vec3 plane[6];
    ts_primitive p[5] = {superquadric((ts_vec3){0.6, 0.4, 0.5}, 0.3, 1.4), ball(0.5, (ts_vec3){0.6, 0.2, 0}),
                         box((ts_vec3){0.3, 0.4, 0.5}, plane), subtracted(ball(0.4, (ts_vec3){0.2, 0.5, 0.1})),
                         subtracted(superquadric((ts_vec3){0.2, 0.2, 0.9}, 0.2, 0.2))};
    p[2].pose.position = (ts_vec3){-0.5, 0, 0.2};
    ts_sdf *all = made(p, 5), *one[5];
    for (int i = 0; i < 5; i++) {
        ts_primitive alone = p[i];
        alone.subtract = false;
        one[i] = made(&alone, 1);
    }
    for (int published = 0; published < 2; published++)
        for (uint64_t i = 0; i < 300; i++) {
            ts_sdf_rule rule = ts_sdf_default_rule(all);
            rule.tau = 1e-7;
            rule.published = published;
            const ts_vec3 at = vector(15, i);
            double hard = HUGE_VAL;
            for (int k = 0; k < 3; k++)
                hard = fmin(hard, ts_sdf_at(one[k], &rule, at));
            for (int k = 3; k < 5; k++)
                hard = fmax(hard, -ts_sdf_at(one[k], &rule, at));
            NEAR(ts_sdf_at(all, &rule, at), hard, 10 * rule.tau);
        }
    for (int i = 0; i < 5; i++)
        ts_sdf_free(one[i]);
    ts_sdf_free(all);
}

/* ---- Sameness ---- */

static void culled_is_everything(void **state)
{
    (void)state;
    ts_sdf *sdf = crowd(1);
    columns at = some_points(1), answer[2];
    const ts_sdf_points points = points_of(&at);
    const double taus[] = {1e-4, 0.003, 0.1};
    for (int published = 0; published < 2; published++)
        for (int t = 0; t < 3; t++) {
            for (int everything = 0; everything < 2; everything++) {
                const ts_sdf_answers to = into(&answer[everything]);
                const ts_sdf_rule rule = {taus[t], 1e-12, published, everything};
                ts_sdf_ask(sdf, &rule, &points, &to);
            }
            for (size_t i = 0; i + 3 < POINTS; i++) {
                NEAR(answer[0].of[0][i], answer[1].of[0][i], 1e-9 * ts_sdf_length(sdf));
                for (int k = 1; k < COLUMNS; k++)
                    NEAR(answer[0].of[k][i], answer[1].of[k][i], 1e-9);
            }
        }
    ts_sdf_free(sdf);
}

/* What ask_vjp gives: adjoints of points, then of primitives. */
typedef struct adjoints {
    columns point;
    ts_primitive_bar primitive[MANY];
} adjoints;

static void same_bits_by_every_instruction_set(void **state)
{
    (void)state;
    ts_sdf *sdf = crowd(1);
    columns at = some_points(1), bar = some_points(3);
    for (int k = 3; k < COLUMNS; k++)
        for (uint64_t i = 0; i < POINTS; i++)
            bar.of[k][i] = number(30 + (uint64_t)k, i);
    for (size_t i = POINTS - 3; i < POINTS; i++)
        bar.of[0][i] = bar.of[1][i] = bar.of[2][i] = 1;
    const ts_sdf_points points = points_of(&at);
    const ts_sdf_answers bars = into(&bar);
    for (int published = 0; published < 2; published++) {
        const ts_sdf_rule rule = {0.02, 1e-12, published, false};
        static columns answer[2];
        static adjoints back[2], plain[2];
        for (int isa = 0; isa < ts_test_isa_count(); isa++) {
            columns *const c = &answer[isa > 0];
            adjoints *const b = &back[isa > 0], *const p = &plain[isa > 0];
            memset(c, 0, sizeof *c);
            memset(b, 0, sizeof *b);
            memset(p, 0, sizeof *p);
            const ts_sdf_answers to = into(c);
            double *const to_b[3] = {b->point.of[0], b->point.of[1], b->point.of[2]}, *const to_p[3] = {p->point.of[0],
                                                                                                        p->point.of[1],
                                                                                                        p->point.of[2]};
            ts_sdf_table[isa]->ask(ts_sdf_packs_of(sdf), &rule, &points, &to);
            ts_sdf_vjp_table[isa]->ask_vjp(ts_sdf_packs_of(sdf), &rule, &points, &bars, to_b, b->primitive);
            ts_sdf_vjp_table[isa]->ask_vjp(ts_sdf_packs_of(sdf), &rule, &points, &bars, to_p, NULL);
            if (isa == 0)
                continue;
            assert_memory_equal(&answer[0], c, sizeof *c);
            assert_memory_equal(&back[0], b, sizeof *b);
            assert_memory_equal(&plain[0], p, sizeof *p);
        }
        assert_memory_equal(&back[0].point, &plain[0].point, sizeof back[0].point);
    }
    ts_sdf_free(sdf);
}

/* A point alone has the bits that it has in any batch. */
static void alone_or_in_a_batch(void **state)
{
    (void)state;
    ts_sdf *sdf = crowd(1);
    static columns at, answer, bar, back;
    at = some_points(1);
    for (int k = 0; k < COLUMNS; k++)
        for (uint64_t i = 0; i < POINTS; i++)
            bar.of[k][i] = number(40 + (uint64_t)k, i);
    memset(&back, 0, sizeof back);
    const ts_sdf_points points = points_of(&at);
    const ts_sdf_answers to = into(&answer), bars = into(&bar);
    double *const to_back[3] = {back.of[0], back.of[1], back.of[2]};
    const ts_sdf_rule rule = {0.02, 1e-12, false, false};
    ts_sdf_ask(sdf, &rule, &points, &to);
    ts_sdf_ask_vjp(sdf, &rule, &points, &bars, to_back, NULL);
    for (size_t i = 0; i < POINTS; i++) {
        double one[COLUMNS], alone[3] = {0}, in[COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            in[k] = bar.of[k][i];
        const ts_sdf_points single = {1, &at.of[0][i], &at.of[1][i], &at.of[2][i]};
        ts_sdf_ask(sdf, &rule, &single,
                   &(ts_sdf_answers){&one[0], {&one[1], &one[2], &one[3]}, {&one[4], &one[5], &one[6]}});
        ts_sdf_ask_vjp(sdf, &rule, &single,
                       &(ts_sdf_answers){&in[0], {&in[1], &in[2], &in[3]}, {&in[4], &in[5], &in[6]}},
                       (double *const[3]){&alone[0], &alone[1], &alone[2]}, NULL);
        for (int k = 0; k < COLUMNS; k++)
            assert_memory_equal(&one[k], &answer.of[k][i], sizeof(double));
        for (int k = 0; k < 3; k++)
            assert_memory_equal(&alone[k], &back.of[k][i], sizeof(double));
    }
    ts_sdf_free(sdf);
}

static void scales(void **state)
{
    (void)state;
    ts_sdf *sdf = crowd(1);
    columns at = some_points(1), answer;
    const ts_sdf_points points = points_of(&at);
    ts_sdf_answers to = into(&answer);
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    ts_sdf_ask(sdf, &rule, &points, &to);
    for (int k = 0; k < 2; k++) {
        const double scale = k ? 1e3 : 1e-3;
        ts_sdf *other = crowd(scale);
        columns more = some_points(scale), scaled;
        const ts_sdf_points them = points_of(&more);
        to = into(&scaled);
        rule = ts_sdf_default_rule(other);
        ts_sdf_ask(other, &rule, &them, &to);
        NEAR(ts_sdf_length(other), scale * ts_sdf_length(sdf), 1e-12 * scale);
        for (size_t i = 0; i + 3 < POINTS; i++) {
            NEAR(scaled.of[0][i], scale * answer.of[0][i], 1e-10 * scale);
            for (int c = 1; c < COLUMNS; c++)
                NEAR(scaled.of[c][i], answer.of[c][i], 1e-8);
        }
        ts_sdf_free(other);
    }
    ts_sdf_free(sdf);
}

/* At centres, on axes, and on coordinate planes; lost points are NaN. */
static void finite_everywhere(void **state)
{
    (void)state;
    const double exponent[] = {0.1, 0.5, 1, 1.0001, 1.5, 1.9};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            const ts_primitive one = superquadric((ts_vec3){3, 0.002, 0.5}, exponent[i], exponent[j]);
            ts_sdf *sdf = made(&one, 1);
            const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
            const double far[] = {0, 1e-300, 1e-150, 1e-60, 1e-9, 1, 1e12, 1e60};
            for (int a = 0; a < 8; a++)
                for (int b = 0; b < 8; b++) {
                    const double x = far[a], y = far[b], z = far[(a + b) % 8];
                    double out[COLUMNS], bar[COLUMNS] = {1, -1, 2, 0.5, 1, 0.3, -1}, back[3] = {0};
                    ts_primitive_bar numbers = {0};
                    const ts_sdf_points at = {1, &x, &y, &z};
                    ts_sdf_ask(sdf, &rule, &at,
                               &(ts_sdf_answers){&out[0], {&out[1], &out[2], &out[3]}, {&out[4], &out[5], &out[6]}});
                    for (int k = 0; k < COLUMNS; k++)
                        assert_true(isfinite(out[k]));
                    ts_sdf_ask_vjp(sdf, &rule, &at,
                                   &(ts_sdf_answers){&bar[0], {&bar[1], &bar[2], &bar[3]}, {&bar[4], &bar[5], &bar[6]}},
                                   (double *const[3]){&back[0], &back[1], &back[2]}, &numbers);
                    double all[11], sum = back[0] + back[1] + back[2];
                    memcpy(all, &numbers, sizeof all);
                    for (int k = 0; k < 11; k++)
                        sum += all[k];
                    if (!isfinite(sum))
                        fail_msg("exponents %g %g at %g %g %g", exponent[i], exponent[j], x, y, z);
                }
            const double lost[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
            for (int k = 0; k < 3; k++)
                assert_true(isnan(ts_sdf_at(sdf, &rule, (ts_vec3){0, lost[k], 0})));
            ts_sdf_free(sdf);
        }
}

/* ---- What is refused ---- */

static void refused(const ts_primitive *primitive, size_t count, const char *word)
{
    ts_sdf *sdf = NULL;
    ts_error error = {.message = ""};
    assert_int_equal(ts_sdf_create(primitive, count, &sdf, &error), TS_BAD_INPUT);
    assert_null(sdf);
    if (!strstr(error.message, word))
        fail_msg("\"%s\" does not say \"%s\"", error.message, word);
}

static void bad_superquadrics(void **state)
{
    (void)state;
    ts_primitive p = superquadric((ts_vec3){1, 1, 1}, 1, 1);
    refused(&p, 0, "no primitives");
    refused(&p, 100000, "keep to");
    const double sizes[] = {0, -1, (double)NAN, (double)INFINITY, 1e-9};
    for (int i = 0; i < 5; i++) {
        p.size.y = sizes[i];
        refused(&p, 1, i < 4 ? "half axis b" : "ratio");
    }
    p.size.y = 1;
    const double exponents[] = {0, 0.0999, 1.91, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 6; i++) {
        p.exponent[1] = exponents[i];
        refused(&p, 1, "exponent 2");
    }
    p.exponent[1] = 1;
    p.pose.position.z = (double)NAN;
    refused(&p, 1, "position");
    p.pose.position.z = 0;
    p.pose.quat.w = 1.1;
    refused(&p, 1, "quaternion");
    p.pose.quat.w = (double)NAN;
    refused(&p, 1, "quaternion");
    p.pose.quat.w = 1;
    p.subtract = true;
    refused(&p, 1, "subtracted");
    p.kind = (ts_primitive_kind)7;
    refused(&p, 1, "kind");
}

static void bad_polyhedra(void **state)
{
    (void)state;
    ts_vec3 point[6], normal[6];
    ts_primitive p = box((ts_vec3){1, 1, 1}, point);
    memcpy(normal, box_normal, sizeof normal);
    p.normal = normal;
    p.count = 5;
    refused(&p, 1, "unbounded");
    p.count = 3;
    refused(&p, 1, "planes");
    p.count = 6;
    normal[2] = (ts_vec3){0, 1.01, 0};
    refused(&p, 1, "normal 3");
    normal[2] = (ts_vec3){0, (double)NAN, 0};
    refused(&p, 1, "normal 3");
    normal[2] = (ts_vec3){0, 1, 0};
    point[4].x = (double)INFINITY;
    refused(&p, 1, "point 5");
    point[4].x = 0;
    for (int i = 0; i < 6; i++)
        normal[i] = ts_vec3_neg(normal[i]);
    refused(&p, 1, "outwards");
    p.normal = NULL;
    refused(&p, 1, "normals");
}

static void bad_clouds(void **state)
{
    (void)state;
    ts_vec3 point[100], normal[100];
    ts_primitive p = cloud(1, point, normal, 100);
    p.width = 1e-12;
    refused(&p, 1, "width");
    p.width = -1;
    refused(&p, 1, "width");
    p.width = 0;
    p.count = 0;
    refused(&p, 1, "points");
    p.count = 100;
    normal[7] = ts_vec3_scale(normal[7], 2);
    refused(&p, 1, "normal 8");
    normal[7] = ts_vec3_scale(normal[7], 0.5);
    for (int i = 0; i < 100; i++)
        normal[i] = ts_vec3_neg(normal[i]);
    refused(&p, 1, "inside out");
    for (int i = 0; i < 100; i++)
        normal[i] = ts_vec3_neg(normal[i]);
    point[3].y = (double)NAN;
    refused(&p, 1, "point 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_is_exact),
                                       cmocka_unit_test(a_box_is_exact_beside_its_faces),
                                       cmocka_unit_test(superquadrics_near_their_surfaces),
                                       cmocka_unit_test(equal_bodies),
                                       cmocka_unit_test(crossings),
                                       cmocka_unit_test(hard_limit),
                                       cmocka_unit_test(culled_is_everything),
                                       cmocka_unit_test(same_bits_by_every_instruction_set),
                                       cmocka_unit_test(alone_or_in_a_batch),
                                       cmocka_unit_test(scales),
                                       cmocka_unit_test(finite_everywhere),
                                       cmocka_unit_test(bad_superquadrics),
                                       cmocka_unit_test(bad_polyhedra),
                                       cmocka_unit_test(bad_clouds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
