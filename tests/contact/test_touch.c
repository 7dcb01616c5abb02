/* SPDX-License-Identifier: MIT */
/* Contacts of spheres, planes and vessels, against closed forms and dense samples of surfaces; and the laws that all
 * contacts obey (tests/support/touches.h). */
#include <math.h>
#include <string.h>

#include "support/touches.h"

static ts_touch_array found;

static int teardown(void **state)
{
    (void)state;
    ts_array_free(&found);
    return 0;
}

static const ts_touch_array *find(ts_placed_solid a, ts_placed_solid b, double reach)
{
    found.count = 0;
    OK(ts_touch_find(a, b, reach, &found, ERROR));
    return &found;
}

/* ---- Spheres ---- */

static void two_spheres(void **state)
{
    (void)state;
    ts_random random = ts_random_make(1, 1);
    for (int i = 0; i < 100; i++) {
        ts_solid a = sphere_of(0.7), b = sphere_of(1.1);
        ts_placed_solid pa = {&a, random_pose(&random, 1)}, pb = {&b, random_pose(&random, 1)};
        find(pa, pb, 10);
        assert_int_equal(found.count, 1);
        NEAR(found.item[0].gap, ts_vec3_distance(pa.pose.position, pb.pose.position) - 1.8, 1e-14);
        check_laws(pa, pb, 10, 1e-12);
    }
    /* out of reach; at the very same place some normal must still come out */
    ts_solid s = sphere_of(1);
    ts_placed_solid p = {&s, ts_pose3_identity()}, q = {&s, {{2.5, 0, 0}, {1, 0, 0, 0}}};
    assert_int_equal(find(p, q, 0.499)->count, 0);
    assert_int_equal(find(p, q, 0.501)->count, 1);
    find(p, p, 0);
    NEAR(found.item[0].gap, -2, 0);
    NEAR(ts_vec3_length(found.item[0].normal), 1, 0);
}

/* A sphere's gap is the distance of its centre less its radius: here the distance to a dense sample of the other's
 * surface. */
static void sphere_with_each(void **state)
{
    (void)state;
    test_hull hull;
    test_hull_rock(&hull, 3);
    ts_random random = ts_random_make(2, 1);
    const ts_solid other[] = {box_of(0.5, 0.8, 0.3), capsule_of(0.4, 0.6), cylinder_of(0.5, 0.4), hull_of(&hull)};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 60; i++) {
            ts_solid s = sphere_of(0.2);
            ts_placed_solid a = {&s, random_pose(&random, 0.9)}, b = {&other[k], random_pose(&random, 0.2)};
            find(a, b, 10);
            assert_int_equal(found.count, 1);
            ts_vec3 centre = ts_pose3_apply_inverse(b.pose, a.pose.position);
            double far = sampled_distance(&other[k], centre);
            if (inside(&other[k], centre))
                far = -far;
            /* samples are 0.02 apart: far from them the surface is as near as the nearest of them to second order,
             * close by to first */
            NEAR(found.item[0].gap + 0.2, far, fabs(far) > 0.1 ? 4e-3 : 0.015);
            check_laws(a, b, 10, 1e-12);
        }
}

/* ---- Planes ---- */

static void box_lands_flat(void **state)
{
    (void)state;
    ts_solid plane = plane_of(), box = box_of(0.5, 1, 2);
    ts_placed_solid a = {&plane, ts_pose3_identity()}, b = {&box, {{3, 4, 2 - 1e-3}, {1, 0, 0, 0}}};
    find(a, b, 0.01);
    assert_int_equal(found.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(found.item[i].gap == found.item[0].gap);
        NEAR(found.item[i].gap, -1e-3, 1e-15);
        NEAR(found.item[i].normal.z, 1, 0);
        NEAR(found.item[i].point_a.z, 0, 1e-15);
    }
    check_laws(a, b, 0.01, 1e-13);
}

static void plane_with_each(void **state)
{
    (void)state;
    test_hull hull;
    test_hull_rock(&hull, 4);
    ts_random random = ts_random_make(3, 1);
    ts_solid plane = plane_of();
    const ts_solid other[] = {sphere_of(0.5), box_of(0.5, 0.8, 0.3), capsule_of(0.4, 0.6), cylinder_of(0.5, 0.4),
                              hull_of(&hull)};
    const size_t most[] = {1, 8, 2, 8, 99};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 60; i++) {
            ts_placed_solid a = {&plane, random_pose(&random, 1)}, b = {&other[k], random_pose(&random, 1)};
            find(a, b, 10);
            assert_in_range(found.count, 1, most[k]);
            /* the deepest point of a solid is its support against the plane's normal */
            ts_vec3 up = ts_pose3_apply_vector(a.pose, (ts_vec3){0, 0, 1});
            ts_vec3 low = support_of(b, ts_vec3_neg(up));
            NEAR(smallest_gap(&found), ts_vec3_dot(up, ts_vec3_sub(low, a.pose.position)), 1e-13);
            check_laws(a, b, 10, 1e-12);
        }
}

/* Standing: four equal contacts a quarter turn apart. Lying: one at each end, right below, whatever the roll. */
static void cylinder_stands_and_rolls(void **state)
{
    (void)state;
    ts_solid plane = plane_of(), drum = cylinder_of(0.5, 0.8);
    ts_placed_solid a = {&plane, ts_pose3_identity()}, b = {&drum, {{0, 0, 0.8}, {1, 0, 0, 0}}};
    find(a, b, 0.01);
    assert_int_equal(found.count, 4);
    ts_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < 4; i++) {
        sum = ts_vec3_add(sum, found.item[i].point_b);
        NEAR(hypot(found.item[i].point_b.x, found.item[i].point_b.y), 0.5, 1e-15);
    }
    NEAR(ts_vec3_length(sum), 0, 1e-15);
    for (int step = 0; step < 19; step++) {
        double roll = 0.37 * step;
        b.pose.quat = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 2),
                                  ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, roll));
        b.pose.position.z = 0.5;
        find(a, b, 0.01);
        assert_int_equal(found.count, 2);
        for (size_t i = 0; i < 2; i++) {
            NEAR(found.item[i].gap, 0, 1e-15);
            NEAR(found.item[i].point_b.x, 0, 1e-15);
            NEAR(fabs(found.item[i].point_b.y), 0.8, 1e-15);
        }
    }
}

/* ---- Vessels ---- */

/* How far outside of the room a dense sample of a solid gets is what the contacts say. */
static void vessel_with_each(void **state)
{
    (void)state;
    test_hull hull;
    test_hull_rock(&hull, 5);
    ts_random random = ts_random_make(4, 1);
    ts_solid room = vessel_of(1.5, 2);
    const ts_solid other[] = {sphere_of(0.5), box_of(0.5, 0.8, 0.3), capsule_of(0.4, 0.6), cylinder_of(0.5, 0.4),
                              hull_of(&hull)};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        for (int i = 0; i < 40; i++) {
            ts_placed_solid a = {&room, random_pose(&random, 0.5)}, b = {&other[k], random_pose(&random, 1.3)};
            find(a, b, 10);
            double barrel = HUGE_VAL, lids = HUGE_VAL, seen_barrel = HUGE_VAL, seen_lids = HUGE_VAL;
            ts_vec3 axis = ts_pose3_apply_vector(a.pose, (ts_vec3){0, 0, 1});
            for (size_t c = 0; c < found.count; c++) {
                double *least = fabs(ts_vec3_dot(found.item[c].normal, axis)) < 0.5 ? &barrel : &lids;
                *least = fmin(*least, found.item[c].gap);
            }
            const ts_vec3 *point;
            size_t count = samples_of(&other[k], &point);
            for (size_t c = 0; c < count; c++) {
                ts_vec3 p = ts_pose3_apply_inverse(a.pose, ts_pose3_apply(b.pose, point[c]));
                seen_barrel = fmin(seen_barrel, 1.5 - hypot(p.x, p.y));
                seen_lids = fmin(seen_lids, 2 - fabs(p.z));
            }
            NEAR(barrel, seen_barrel, 2e-3);
            NEAR(lids, seen_lids, 2e-3);
            check_laws(a, b, 10, 1e-12);
        }
}

/* A cylinder that lies across the floor of a lying drum rests on four points of its rims, two at each end, mirror
 * images. */
static void cylinder_lies_across_a_drum(void **state)
{
    (void)state;
    ts_solid room = vessel_of(2, 5), roller = cylinder_of(0.5, 1.2);
    ts_placed_solid a = {&room, {{0, 0, 0}, ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, TS_PI / 2)}};
    ts_placed_solid b = {&roller, {{0, 0, -0.9}, ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 2)}};
    /* its ends at |y| = 1.2 are circles in planes of constant y: the lowest points are farthest from the x axis */
    find(a, b, 0.3);
    double depth = 2 - hypot(1.2, 1.4);
    size_t deep = 0;
    for (size_t i = 0; i < found.count; i++)
        if (fabs(found.item[i].gap - depth) < 1e-12) {
            deep++;
            NEAR(fabs(found.item[i].point_b.y), 1.2, 1e-12);
            NEAR(found.item[i].point_b.x, 0, 1e-7);
        }
    assert_int_equal(deep, 2);
    /* the same one along the axis, lying on the floor: two points below it */
    ts_placed_solid c = {&roller, {{0, 0, -1.5}, a.pose.quat}};
    find(a, c, 0.01);
    assert_int_equal(found.count, 2);
    NEAR(found.item[0].gap, 0, 1e-14);
    NEAR(found.item[1].gap, 0, 1e-14);
}

/* ---- The table ---- */

static void what_is_refused(void **state)
{
    (void)state;
    assert_false(ts_touch_known(TS_SOLID_PLANE, TS_SOLID_PLANE));
    assert_false(ts_touch_known(TS_SOLID_VESSEL, TS_SOLID_PLANE));
    assert_false(ts_touch_known(TS_SOLID_VESSEL, TS_SOLID_VESSEL));
    assert_false(ts_touch_known((ts_solid_kind)-1, TS_SOLID_SPHERE));
    assert_false(ts_touch_known(TS_SOLID_SPHERE, TS_SOLID_KINDS));
    for (int a = 0; a < TS_SOLID_KINDS; a++)
        for (int b = 0; b < TS_SOLID_KINDS; b++)
            assert_true(ts_touch_known((ts_solid_kind)a, (ts_solid_kind)b) ==
                        ts_touch_known((ts_solid_kind)b, (ts_solid_kind)a));
    ts_solid plane = plane_of(), ball = sphere_of(1);
    ts_placed_solid p = {&plane, ts_pose3_identity()}, b = {&ball, ts_pose3_identity()};
    assert_int_equal(ts_touch_find(p, p, 1, &found, ERROR), TS_UNSUPPORTED);
    assert_int_equal(ts_touch_find(p, b, -1, &found, ERROR), TS_BAD_INPUT);
    assert_int_equal(ts_touch_find(p, b, HUGE_VAL, &found, ERROR), TS_BAD_INPUT);
    b.pose.position.x = (double)NAN;
    assert_int_equal(ts_touch_find(p, b, 1, &found, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres),
        cmocka_unit_test(sphere_with_each),
        cmocka_unit_test(box_lands_flat),
        cmocka_unit_test(plane_with_each),
        cmocka_unit_test(cylinder_stands_and_rolls),
        cmocka_unit_test(vessel_with_each),
        cmocka_unit_test(cylinder_lies_across_a_drum),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
