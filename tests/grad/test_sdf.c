/* SPDX-License-Identifier: MIT */
/* The signed distance's derivatives against central differences of the function itself: by points, and by sizes, exponents
 * and poses of primitives; for all families, blended both ways, at random points and where derivatives are delicate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/smooth.h"

enum { POINTS = 40, PRIMITIVES = 6, CLOUD = 150 };

/* Numbers of a primitive, in the order of ts_primitive_bar. */
enum { SIZE = 0, EXPONENT = 3, POSITION = 5, TURN = 8, NUMBERS = 11 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(11, stream, i);
}
static ts_vec3 vector(uint64_t stream, uint64_t i)
{
    return (ts_vec3){number(stream, 3 * i), number(stream, 3 * i + 1), number(stream, 3 * i + 2)};
}

/* ---- Bodies ---- */

typedef struct body {
    ts_primitive primitive[PRIMITIVES];
    size_t count;
    ts_vec3 point[CLOUD], normal[CLOUD], plane_point[8], plane_normal[8];
} body;

static ts_primitive superquadric(ts_vec3 size, double e1, double e2)
{
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC, .pose = ts_pose3_identity(), .size = size, .exponent = {e1, e2}};
}

static ts_pose3 pose_at(ts_vec3 position, ts_vec3 turn)
{
    return (ts_pose3){position, ts_quat_exp(turn)};
}

/* A wedge of eight planes. */
static ts_primitive polyhedron(body *b)
{
    const ts_vec3 direction[8] = {{1, 0.2, 0}, {-1, 0, 0.3}, {0, 1, 0.1},     {0.2, -1, 0},
                                  {0, 0.2, 1}, {0, 0, -1},   {0.6, 0.6, 0.5}, {-0.5, 0.7, -0.6}};
    for (size_t i = 0; i < 8; i++) {
        b->plane_normal[i] = ts_vec3_unit(direction[i]);
        b->plane_point[i] = ts_vec3_scale(b->plane_normal[i], 0.4 + 0.02 * (double)i);
    }
    return (ts_primitive){.kind = TS_PRIMITIVE_POLYHEDRON,
                          .pose = ts_pose3_identity(),
                          .point = b->plane_point,
                          .normal = b->plane_normal,
                          .count = 8};
}

/* Points of an ellipsoid, spread by the golden angle. */
static ts_primitive cloud(body *b)
{
    const ts_vec3 half = {0.5, 0.4, 0.3};
    for (size_t i = 0; i < CLOUD; i++) {
        const double z = 1 - (2 * (double)i + 1) / CLOUD, r = sqrt(1 - z * z), angle = 2.399963229728653 * (double)i;
        const ts_vec3 u = {r * cos(angle), r * sin(angle), z};
        b->point[i] = ts_vec3_times(u, half);
        b->normal[i] = ts_vec3_unit((ts_vec3){u.x / half.x, u.y / half.y, u.z / half.z});
    }
    return (ts_primitive){.kind = TS_PRIMITIVE_CLOUD,
                          .pose = ts_pose3_identity(),
                          .point = b->point,
                          .normal = b->normal,
                          .count = CLOUD,
                          .width = 0.1};
}

static void add(body *b, ts_primitive primitive, ts_pose3 pose, bool subtract)
{
    primitive.pose = pose;
    primitive.subtract = subtract;
    b->primitive[b->count++] = primitive;
}

/* All three families, added and subtracted. */
static void fill_mixed(body *b)
{
    b->count = 0;
    add(b, superquadric((ts_vec3){0.6, 0.4, 0.3}, 0.4, 1.3), pose_at((ts_vec3){0.1, 0, 0}, (ts_vec3){0.2, 0.5, -0.3}),
        false);
    add(b, superquadric((ts_vec3){0.2, 0.3, 0.5}, 1, 0.8), pose_at((ts_vec3){-0.4, 0.2, 0.1}, (ts_vec3){1, 0, 0.4}),
        false);
    add(b, polyhedron(b), pose_at((ts_vec3){0.3, -0.3, 0.1}, (ts_vec3){0.3, 0.1, 0.7}), false);
    add(b, cloud(b), pose_at((ts_vec3){0, 0.35, -0.2}, (ts_vec3){-0.2, 0.9, 0}), false);
    add(b, superquadric((ts_vec3){0.25, 0.2, 0.3}, 1.6, 1.2), pose_at((ts_vec3){0.4, 0.1, 0.2}, (ts_vec3){0, 0.4, 0.4}),
        true);
    add(b, superquadric((ts_vec3){0.2, 0.2, 0.2}, 0.3, 0.3), pose_at((ts_vec3){-0.2, -0.2, 0}, (ts_vec3){0.5, 0, 0}),
        true);
}

/* ---- Trials ---- */

typedef struct trial {
    ts_sdf_rule rule;
    size_t count;
    double at[3][POINTS], bar[7][POINTS]; /* adjoints of value, gradient and normal */
} trial;

static void draw_bars(trial *t, bool normals)
{
    for (uint64_t k = 0; k < 7; k++)
        for (uint64_t i = 0; i < t->count; i++)
            t->bar[k][i] = k >= 4 && !normals ? 0 : number(20 + k, i);
}

static void put(trial *t, ts_vec3 p)
{
    t->at[0][t->count] = p.x;
    t->at[1][t->count] = p.y;
    t->at[2][t->count++] = p.z;
}

/* Answers times their adjoints, point by point. */
static void products(const ts_sdf *sdf, const trial *t, double *product)
{
    double answer[7][POINTS];
    const ts_sdf_points at = {t->count, t->at[0], t->at[1], t->at[2]};
    ts_sdf_ask(sdf, &t->rule, &at,
               &(ts_sdf_answers){answer[0], {answer[1], answer[2], answer[3]}, {answer[4], answer[5], answer[6]}});
    for (size_t i = 0; i < t->count; i++) {
        product[i] = 0;
        for (int k = 0; k < 7; k++)
            product[i] += t->bar[k][i] * answer[k][i];
    }
}

static ts_sdf *made(const body *b)
{
    ts_sdf *sdf;
    OK(ts_sdf_create(b->primitive, b->count, &sdf, ERROR));
    return sdf;
}

/* Weights of f(x + k h) / h, k = -2 … 2: fourth order. */
static const double stencil[5] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};

static void by_points(const ts_sdf *sdf, const trial *t, double h, double *expected)
{
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 5; k++) {
            trial moved = *t;
            double product[POINTS];
            for (size_t i = 0; i < t->count; i++)
                moved.at[axis][i] += (k - 2) * h;
            products(sdf, &moved, product);
            for (size_t i = 0; i < t->count; i++)
                expected[3 * i + (size_t)axis] += stencil[k] * product[i] / h;
        }
}

/* One number of a primitive, moved. */
static ts_primitive changed(const ts_primitive *from, int which, double by)
{
    ts_primitive p = *from;
    double turn[3] = {0};
    double *const at[NUMBERS] = {
        &p.size.x,          &p.size.y,          &p.size.z, &p.exponent[0], &p.exponent[1], &p.pose.position.x,
        &p.pose.position.y, &p.pose.position.z, &turn[0],  &turn[1],       &turn[2]};
    *at[which] += by;
    p.pose.quat = ts_quat_mul(ts_quat_exp((ts_vec3){turn[0], turn[1], turn[2]}), from->pose.quat);
    return p;
}

static double by_number(const body *b, const trial *t, size_t primitive, int which, double h)
{
    double sum = 0;
    for (int k = 0; k < 5; k++) {
        body moved = *b;
        double product[POINTS];
        if (k == 2)
            continue;
        moved.primitive[primitive] = changed(&b->primitive[primitive], which, (k - 2) * h);
        ts_sdf *sdf = made(&moved);
        products(sdf, t, product);
        ts_sdf_free(sdf);
        for (size_t i = 0; i < t->count; i++)
            sum += stencil[k] * product[i] / h;
    }
    return sum;
}

typedef struct precision {
    double step, tolerance;
} precision;

/* Each derivative by points to `tolerance` of the largest of its point. */
static void check_points(const ts_sdf *sdf, const trial *t, precision how)
{
    double expected[3 * POINTS] = {0}, bar[3][POINTS] = {{0}};
    const ts_sdf_points at = {t->count, t->at[0], t->at[1], t->at[2]};
    double *const to[3] = {bar[0], bar[1], bar[2]};
    ts_sdf_answers bars = {(double *)t->bar[0], {NULL, NULL, NULL}, {NULL, NULL, NULL}};
    for (int k = 0; k < 3; k++) {
        bars.gradient[k] = (double *)t->bar[1 + k];
        bars.normal[k] = (double *)t->bar[4 + k];
    }
    ts_sdf_ask_vjp(sdf, &t->rule, &at, &bars, to, NULL);
    by_points(sdf, t, how.step, expected);
    for (size_t i = 0; i < t->count; i++) {
        const double *e = &expected[3 * i], size = 1 + fmax(fabs(e[0]), fmax(fabs(e[1]), fabs(e[2])));
        for (int k = 0; k < 3; k++)
            NEAR(bar[k][i], e[k], how.tolerance * size);
    }
}

static void check_numbers(const body *b, const ts_sdf *sdf, const trial *t, precision how)
{
    ts_primitive_bar bar[PRIMITIVES];
    double bars[3][POINTS] = {{0}}, *const to[3] = {bars[0], bars[1], bars[2]};
    const ts_sdf_points at = {t->count, t->at[0], t->at[1], t->at[2]};
    const ts_sdf_answers from = {(double *)t->bar[0],
                                 {(double *)t->bar[1], (double *)t->bar[2], (double *)t->bar[3]},
                                 {(double *)t->bar[4], (double *)t->bar[5], (double *)t->bar[6]}};
    memset(bar, 0, sizeof bar);
    ts_sdf_ask_vjp(sdf, &t->rule, &at, &from, to, bar);
    for (size_t i = 0; i < b->count; i++) {
        double found[NUMBERS], expected[NUMBERS], size = 1;
        memcpy(found, &bar[i], sizeof found);
        const bool sized = b->primitive[i].kind == TS_PRIMITIVE_SUPERQUADRIC;
        for (int k = 0; k < NUMBERS; k++) {
            expected[k] = sized || k >= POSITION ? by_number(b, t, i, k, how.step) : 0;
            size = fmax(size, fabs(expected[k]));
        }
        for (int k = 0; k < NUMBERS; k++)
            NEAR(found[k], expected[k], how.tolerance * size);
    }
}

static ts_sdf_rule rule_of(const ts_sdf *sdf, double tau, bool published)
{
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    rule.tau = tau;
    rule.published = published;
    return rule;
}

/* ---- Tests ---- */

/* One superquadric of every pair of exponents, tilted: about its surface, and far away. */
static void superquadrics(void **state)
{
    (void)state;
    const double exponent[] = {0.101, 0.45, 1, 1.04, 1.899};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            body b = {.count = 0};
            trial t = {.count = 0};
            add(&b, superquadric((ts_vec3){0.8, 0.5, 0.6}, exponent[i], exponent[j]),
                pose_at((ts_vec3){0.3, -0.2, 0.1}, (ts_vec3){0.4, 0.3, -0.6}), false);
            for (uint64_t k = 0; k < 30; k++)
                put(&t, ts_vec3_scale(vector(1, k), k < 20 ? 0.5 : k < 25 ? 5 : 100));
            draw_bars(&t, true);
            ts_sdf *sdf = made(&b);
            t.rule = rule_of(sdf, 0.01, false);
            check_points(sdf, &t, (precision){3e-6, 1e-6});
            check_numbers(&b, sdf, &t, (precision){3e-6, 1e-6});
            ts_sdf_free(sdf);
        }
}

/* In the core, at the centre, on axes, on coordinate planes. Powers there are not whole, so steps are short. Where ε₁ = 1 and
 * ε₂ ≠ 1 the Hessian has no limit on the z axis. */
static void superquadrics_at_special_points(void **state)
{
    (void)state;
    const double exponent[] = {0.101, 0.7, 1, 1.04, 1.899};
    const ts_vec3 size = {0.8, 0.5, 0.6};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            body b = {.count = 0};
            trial t = {.count = 0}, centre = {.count = 0};
            add(&b, superquadric(size, exponent[i], exponent[j]), pose_at((ts_vec3){0.3, -0.2, 0.1}, (ts_vec3){0}),
                false);
            const ts_pose3 pose = b.primitive[0].pose;
            for (uint64_t k = 0; k < 8; k++) /* in the core, and about its border */
                put(&t, ts_pose3_apply(pose, ts_vec3_scale(ts_vec3_times(ts_vec3_unit(vector(2, k)), size),
                                                           0.04 + 0.04 * (double)k)));
            for (int axis = 0; axis < 3; axis++)
                for (int k = 0; k < 4; k++) {
                    const double far = (double[]){-0.2, 0.55, 1, 3}[k];
                    if (axis < 2 || exponent[i] != 1 || exponent[j] == 1)
                        put(&t,
                            ts_pose3_apply(pose, (ts_vec3){(axis == 0) * far, (axis == 1) * far, (axis == 2) * far}));
                    put(&t, ts_pose3_apply(pose, (ts_vec3){(axis != 0) * far, (axis != 1) * 0.4, (axis != 2) * 0.3}));
                }
            draw_bars(&t, true);
            ts_sdf *sdf = made(&b);
            t.rule = rule_of(sdf, 0.01, false);
            check_points(sdf, &t, (precision){1e-8, 1e-5});
            check_numbers(&b, sdf, &t, (precision){1e-8, 1e-5});
            put(&centre, pose.position); /* normals have no direction there */
            draw_bars(&centre, false);
            centre.rule = t.rule;
            check_points(sdf, &centre, (precision){1e-8, 1e-5});
            check_numbers(&b, sdf, &centre, (precision){1e-8, 1e-5});
            ts_sdf_free(sdf);
        }
}

/* A polyhedron or a cloud alone: beside, inside, far away, and where two planes tie. */
static void planes_and_points(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        body b = {.count = 0};
        trial t = {.count = 0};
        add(&b, kind < 2 ? polyhedron(&b) : cloud(&b), pose_at((ts_vec3){0.3, -0.2, 0.1}, (ts_vec3){0.4, 0.3, -0.6}),
            false);
        for (uint64_t k = 0; k < 30; k++)
            put(&t, ts_vec3_scale(vector(3, k), k < 20 ? 0.4 : k < 25 ? 0.1 : 3));
        put(&t, b.primitive[0].pose.position);
        /* as far from two planes */
        const ts_vec3 n = ts_vec3_unit(ts_vec3_sub(b.plane_normal[0], b.plane_normal[2]));
        const ts_vec3 p = {0.5, 0.4, 0};
        const double off = ts_vec3_dot(b.plane_normal[0], ts_vec3_sub(p, b.plane_point[0])) -
                           ts_vec3_dot(b.plane_normal[2], ts_vec3_sub(p, b.plane_point[2]));
        const double rate = ts_vec3_dot(ts_vec3_sub(b.plane_normal[0], b.plane_normal[2]), n);
        if (kind < 2)
            put(&t, ts_pose3_apply(b.primitive[0].pose, ts_vec3_add_scaled(p, n, -off / rate)));
        draw_bars(&t, true);
        ts_sdf *sdf = made(&b);
        t.rule = rule_of(sdf, 0.05, kind % 2 == 1);
        check_points(sdf, &t, (precision){2e-6, 1e-6});
        check_numbers(&b, sdf, &t, (precision){2e-6, 1e-6});
        ts_sdf_free(sdf);
    }
}

/* All families together, added and subtracted, corrected and as published, soft and sharp. */
static void blends(void **state)
{
    (void)state;
    static body b; /* its primitives point into it */
    fill_mixed(&b);
    ts_sdf *sdf = made(&b);
    for (int published = 0; published < 2; published++)
        for (int sharp = 0; sharp < 2; sharp++) {
            trial t = {.count = 0};
            for (uint64_t k = 0; k < POINTS; k++)
                put(&t, ts_vec3_scale(vector(4, k), k < 25 ? 0.4 : k < 35 ? 0.15 : 3));
            draw_bars(&t, true);
            t.rule = rule_of(sdf, sharp ? 0.003 : 0.06, published);
            for (int everything = 0; everything < 2; everything++) {
                t.rule.everything = everything;
                check_points(sdf, &t, (precision){sharp ? 3e-6 : 1e-5, 1e-6});
                check_numbers(&b, sdf, &t, (precision){sharp ? 3e-6 : 1e-5, 1e-6});
            }
        }
    ts_sdf_free(sdf);
}

/* Two equal bodies: one on the other, and side by side with points halfway between; the same with what is subtracted. */
static void ties(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        body b = {.count = 0};
        trial t = {.count = 0};
        const double apart = kind & 2 ? 0.35 : 0;
        const ts_primitive one = superquadric((ts_vec3){0.5, 0.4, 0.3}, 0.5, 0.4);
        add(&b, one, pose_at((ts_vec3){-apart, 0, 0}, (ts_vec3){0}), false);
        add(&b, one, pose_at((ts_vec3){apart, 0, 0}, (ts_vec3){0}), false);
        if (kind & 4) {
            add(&b, one, pose_at((ts_vec3){0, 0.3, 0}, (ts_vec3){0}), true);
            add(&b, one, pose_at((ts_vec3){0, 0.3, 0}, (ts_vec3){0}), true);
        }
        for (uint64_t k = 0; k < 20; k++) {
            const ts_vec3 p = ts_vec3_scale(vector(5, k), 0.4);
            put(&t, (ts_vec3){apart > 0 ? 0 : p.x, p.y, p.z});
        }
        draw_bars(&t, true);
        ts_sdf *sdf = made(&b);
        t.rule = rule_of(sdf, 0.02, kind & 1);
        check_points(sdf, &t, (precision){1e-8, 1e-5});
        check_numbers(&b, sdf, &t, (precision){1e-8, 1e-5});
        ts_sdf_free(sdf);
    }
}

/* Adjoints are added to what is there; NULL columns are zeros; lost points are NaN and spoil no primitive. */
static void adjoints_add_up(void **state)
{
    (void)state;
    static body b;
    fill_mixed(&b);
    ts_sdf *sdf = made(&b);
    trial t = {.count = 0};
    for (uint64_t k = 0; k < 13; k++)
        put(&t, ts_vec3_scale(vector(6, k), 0.4));
    memset(t.bar, 0, sizeof t.bar);
    for (uint64_t k = 0; k < t.count; k++)
        t.bar[0][k] = number(7, k);
    t.rule = rule_of(sdf, 0.05, false);
    double bars[3][3][POINTS];
    ts_primitive_bar numbers[2][PRIMITIVES];
    memset(bars, 0, sizeof bars);
    memset(numbers, 0, sizeof numbers);
    const ts_sdf_points at = {t.count, t.at[0], t.at[1], t.at[2]};
    const ts_sdf_answers value = {t.bar[0], {NULL, NULL, NULL}, {NULL, NULL, NULL}},
                         zeros = {t.bar[0], {t.bar[1], t.bar[2], t.bar[3]}, {t.bar[4], t.bar[5], t.bar[6]}};
    for (int way = 0; way < 3; way++) {
        double *const to[3] = {bars[way][0], bars[way][1], bars[way][2]};
        for (int twice = 0; twice < 2; twice++)
            ts_sdf_ask_vjp(sdf, &t.rule, &at, way == 1 ? &zeros : &value, to, way < 2 ? NULL : numbers[0]);
    }
    double once[POINTS], gradient[3][POINTS];
    ts_sdf_ask(sdf, &t.rule, &at, &(ts_sdf_answers){once, {gradient[0], gradient[1], gradient[2]}, {NULL, NULL, NULL}});
    for (int way = 0; way < 3; way++)
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < t.count; i++)
                NEAR(bars[way][k][i], 2 * t.bar[0][i] * gradient[k][i], 1e-12);
    t.at[1][4] = (double)NAN;
    t.at[2][9] = (double)INFINITY;
    double lost[3][POINTS] = {{0}}, *const to[3] = {lost[0], lost[1], lost[2]};
    t.bar[0][4] = t.bar[0][9] = 3;
    ts_sdf_ask_vjp(sdf, &t.rule, &at, &zeros, to, numbers[1]);
    for (int k = 0; k < 3; k++)
        assert_true(isnan(lost[k][4]) && isnan(lost[k][9]) && isfinite(lost[k][3]) && isfinite(lost[k][12]));
    for (size_t i = 0; i < b.count; i++) {
        assert_true(isfinite(numbers[1][i].position.x) && isfinite(numbers[1][i].size.z));
        assert_true(fabs(numbers[0][i].position.x) < 1e3);
    }
    ts_sdf_free(sdf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(superquadrics),
                                       cmocka_unit_test(superquadrics_at_special_points),
                                       cmocka_unit_test(planes_and_points),
                                       cmocka_unit_test(blends),
                                       cmocka_unit_test(ties),
                                       cmocka_unit_test(adjoints_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
