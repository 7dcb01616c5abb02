/* SPDX-License-Identifier: MIT */
/* Contacts of two smooth bodies as a step asks for them: exact places, and what must not change them. */
#include <math.h>
#include <stdlib.h>

#include "manifold/touch.h"
#include "support/check.h"
#include "support/smooth.h"

static const ts_quat straight = {1, 0, 0, 0};

static ts_manifold_place_array touch(const ts_sdf_body *a, ts_pose3 p, const ts_sdf_body *b, ts_pose3 q, double reach)
{
    const ts_manifold_options options = ts_manifold_default_options();
    ts_manifold_place_array to = {0};
    OK(ts_manifold_touch(a, p, b, q, &options, reach, &to, ERROR));
    return to;
}

static ts_quat about_z(double angle)
{
    return ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle);
}

static bool is_edge(const ts_manifold_place *p)
{
    return (p->feature >> 30) == 1;
}

/* The crossings of the square |x|, |y| ≤ half with itself turned by an angle: each of them is met once, weighs 1, and no other pair of
 * edges weighs anything. */
static void crossed_boxes(void **state)
{
    (void)state;
    const double overlap = 0.004, angles[] = {TS_PI / 6, TS_PI / 4, 1.1};
    ts_sdf_body *smooth = ts_test_superquadric((ts_vec3){0.5, 0.5, 0.5}, 0.1, 0.1, 1),
                *flat = ts_test_polyhedron_box(0.5, 1);
    const double half_of[] = {0.5 * pow(3, -0.05), 0.5};
    for (int kind = 0; kind < 2; kind++) {
        const ts_sdf_body *body = kind == 0 ? smooth : flat;
        const double half = half_of[kind];
        for (int k = 0; k < 3; k++) {
            const double angle = angles[k], c = cos(angle), s = sin(angle);
            ts_manifold_place_array at = touch(body, (ts_pose3){{0, 0, 0}, straight}, body,
                                               (ts_pose3){{0, 0, 2 * half - overlap}, about_z(angle)}, 0.001);
            double sum = 0;
            for (size_t i = 0; i < at.count; i++) {
                const ts_manifold_place *p = &at.item[i];
                if (!is_edge(p) || p->activity < 0.01)
                    continue;
                sum += p->activity;
                NEAR(p->gap, -overlap, 1e-9);
                NEAR(p->normal.z, 1, 1e-9);
                /* on the border of both squares */
                const double x = fabs(p->point_a.x), y = fabs(p->point_a.y);
                const double u = fabs(c * p->point_a.x + s * p->point_a.y),
                             v = fabs(c * p->point_a.y - s * p->point_a.x);
                NEAR(fmax(x, y), half, 2e-4);
                NEAR(fmax(u, v), half, 2e-4);
            }
            NEAR(sum, 8, 0.01 * 8);
            ts_array_free(&at);
        }
    }
    ts_sdf_body_free(smooth);
    ts_sdf_body_free(flat);
}

/* `large` is a thousand times `one`. Returns how many contacts were of edges. */
static size_t check_invariances(const ts_sdf_body *one, const ts_sdf_body *large, ts_pose3 p, ts_pose3 q)
{
    const ts_quat turn = ts_quat_from_axis_angle((ts_vec3){1, 2, -1}, 0.9);
    const ts_vec3 shift = {3, -4, 7};
    const ts_pose3 p_moved = {ts_vec3_add(shift, ts_quat_apply(turn, p.position)), ts_quat_mul(turn, p.quat)},
                   q_moved = {ts_vec3_add(shift, ts_quat_apply(turn, q.position)), ts_quat_mul(turn, q.quat)},
                   p_large = {ts_vec3_scale(p.position, 1000), p.quat},
                   q_large = {ts_vec3_scale(q.position, 1000), q.quat};
    ts_manifold_place_array at = touch(one, p, one, q, 0.05), moved = touch(one, p_moved, one, q_moved, 0.05),
                            bigger = touch(large, p_large, large, q_large, 50), turned = touch(one, q, one, p, 0.05);
    assert_true(at.count > 2);
    assert_int_equal(moved.count, at.count);
    assert_int_equal(bigger.count, at.count);
    assert_int_equal(turned.count, at.count);
    size_t edges = 0;
    for (size_t i = 0; i < at.count; i++) {
        const ts_manifold_place *c = &at.item[i], *m = &moved.item[i], *b = &bigger.item[i], *t = NULL;
        edges += is_edge(c);
        /* lowest points are where a search ends */
        NEAR(m->gap, c->gap, c->feature & TS_MANIFOLD_LOWEST ? 1e-8 : 1e-11);
        NEAR(m->activity, c->activity, 1e-8);
        NEAR(ts_vec3_distance(m->normal, ts_quat_apply(turn, c->normal)), 0,
             c->feature & TS_MANIFOLD_LOWEST ? 1e-6 : 1e-9);
        NEAR(ts_vec3_distance(m->point_a, ts_vec3_add(shift, ts_quat_apply(turn, c->point_a))), 0,
             c->feature & TS_MANIFOLD_LOWEST ? 1e-7 : 1e-11);
        NEAR(b->gap, 1000 * c->gap, c->feature & TS_MANIFOLD_LOWEST ? 1e-5 : 1e-8);
        NEAR(b->activity, c->activity, 1e-8);
        NEAR(b->area, 1e6 * c->area, 1e-6);
        assert_int_equal(b->feature, c->feature);
        NEAR(ts_vec3_distance(ts_vec3_add_scaled(c->point_a, c->normal, c->gap), c->point_b), 0, 1e-12);
        const double off = c->feature & TS_MANIFOLD_LOWEST ? 1e-7 : 1e-12; /* of a search that ends */
        for (size_t k = 0; k < turned.count; k++)
            if (ts_vec3_distance(turned.item[k].point_a, c->point_b) < off)
                t = &turned.item[k];
        assert_non_null(t);
        NEAR(t->gap, c->gap, off);
        NEAR(t->activity, c->activity, 1e-10);
        NEAR(ts_vec3_distance(t->normal, ts_vec3_neg(c->normal)), 0, off);
    }
    ts_array_free(&at);
    ts_array_free(&moved);
    ts_array_free(&bigger);
    ts_array_free(&turned);
    return edges;
}

/* Nothing depends on where the two stand together, on their size, or on which is first. */
static void invariances(void **state)
{
    (void)state;
    ts_sdf_body *blob[2] = {ts_test_blob(1), ts_test_blob(1000)},
                *box[2] = {ts_test_polyhedron_box(0.5, 1), ts_test_polyhedron_box(500, 1)};
    check_invariances(blob[0], blob[1], (ts_pose3){{0.1, 0, 0.2}, ts_quat_from_axis_angle((ts_vec3){0, 1, 3}, 0.4)},
                      (ts_pose3){{0.95, 0.35, 0.1}, ts_quat_from_axis_angle((ts_vec3){1, 0, 1}, 2.1)});
    const ts_pose3 crossed = {{0.07, 0.02, 0.99}, ts_quat_mul(about_z(0.7), ts_quat_exp((ts_vec3){0.01, 0.02, 0}))};
    assert_true(check_invariances(box[0], box[1], (ts_pose3){{0, 0, 0}, straight}, crossed) > 0);
    for (int i = 0; i < 2; i++) {
        ts_sdf_body_free(blob[i]);
        ts_sdf_body_free(box[i]);
    }
}

/* A flat plate under a cube: gaps to first order are distances, although φ is measured along rays from the centre. */
static void flat_bodies(void **state)
{
    (void)state;
    ts_sdf_body *plate = ts_test_superquadric((ts_vec3){1, 1, 0.05}, 0.2, 0.2, 6),
                *cube = ts_test_superquadric((ts_vec3){0.1, 0.1, 0.1}, 0.1, 0.1, 1);
    const double low = 0.1 * pow(3, -0.05), gap = 0.001;
    /* beside the middle by 0.6: the plate's height there is c (1 − 0.6^10)^0.1 */
    ts_manifold_place_array at =
        touch(plate, (ts_pose3){{0, 0, 0}, straight}, cube, (ts_pose3){{0.6, 0, 0.05 + low + gap}, straight}, 0.01);
    int met = 0;
    for (size_t i = 0; i < at.count; i++) {
        const ts_manifold_place *p = &at.item[i];
        /* the cube's faces bulge by 5 mm beyond its corners, into the plate: others than its corners touch there */
        if (p->feature < TS_MANIFOLD_OTHER_SIDE || (p->feature & TS_MANIFOLD_LOWEST))
            continue;
        const double x = fmax(fabs(p->point_b.x), fabs(p->point_b.y)), top = 0.05 * pow(1 - pow(x, 10), 0.1);
        NEAR(p->gap, 0.05 + gap - top, 0.02 * gap);
        NEAR(p->normal.z, 1, 0.01);
        met++;
    }
    assert_int_equal(met, 4);
    ts_array_free(&at);
    ts_sdf_body_free(plate);
    ts_sdf_body_free(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crossed_boxes), cmocka_unit_test(invariances),
                                       cmocka_unit_test(flat_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
