/* SPDX-License-Identifier: MIT */
/* Contacts of hulls, capsules and cylinders with each other and with boxes. The signed distance comes from its
 * definition: the direction of largest separation, sought over the whole sphere with nothing but the farthest points of
 * the two solids. */
#include <math.h>

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

static double separation(ts_placed_solid a, ts_placed_solid b, ts_vec3 n)
{
    return ts_vec3_dot(n, ts_vec3_sub(support_of(b, ts_vec3_neg(n)), support_of(a, n)));
}

/* Largest separation over all directions: a coarse sphere, then from its best places ever smaller steps to the side. */
static double largest_separation(ts_placed_solid a, ts_placed_solid b)
{
    enum { COARSE = 800, BEST = 12 };
    ts_vec3 n[COARSE];
    double s[COARSE], largest = -HUGE_VAL;
    for (int i = 0; i < COARSE; i++) { /* Fibonacci's spiral */
        double z = 1 - (2 * i + 1.0) / COARSE, r = sqrt(1 - z * z), phi = i * TS_PI * (3 - sqrt(5));
        n[i] = (ts_vec3){r * cos(phi), r * sin(phi), z};
        s[i] = separation(a, b, n[i]);
    }
    for (int k = 0; k < BEST; k++) {
        int best = 0;
        for (int i = 1; i < COARSE; i++)
            if (s[i] > s[best])
                best = i;
        ts_vec3 at = n[best];
        double value = s[best];
        s[best] = -HUGE_VAL;
        uint64_t tries = 0;
        double step = 0.1;
        for (int shorter = 0; shorter < 52 * 14; shorter++) {
            step *= shorter % 14 ? 1 : 0.7;
            ts_random random = ts_random_make(tries++, 7);
            ts_vec3 to = ts_vec3_unit(ts_vec3_add_scaled(at, random_direction(&random), step));
            double there = separation(a, b, to);
            if (there > value) {
                value = there;
                at = to;
            }
        }
        largest = fmax(largest, value);
    }
    return largest;
}

/* ---- Hulls ---- */

/* Small hulls by brute force over all differences; a box as a hull is a box. */
static void hulls(void **state)
{
    (void)state;
    ts_random random = ts_random_make(21, 1);
    test_hull one, two;
    int overlapping = 0, apart = 0;
    for (int i = 0; i < 60; i++) {
        ts_vec3 p[8];
        for (int k = 0; k < 8; k++)
            p[k] = ts_vec3_scale(random_direction(&random), 0.6);
        test_hull_make(&one, p, 8);
        for (int k = 0; k < 7; k++)
            p[k] = ts_vec3_scale(random_direction(&random), 0.5);
        test_hull_make(&two, p, 7);
        ts_solid sa = hull_of(&one), sb = hull_of(&two), box = box_of(0.3, 0.5, 0.4);
        ts_placed_solid a = {i % 2 ? &sa : &box, random_pose(&random, 0.3)}, b = {&sb, random_pose(&random, 0.6)};
        double distance = placed_distance(a, b);
        find(a, b, 3);
        assert_true(found.count >= 1);
        NEAR(smallest_gap(&found), distance, 1e-10);
        check_laws(a, b, 3, 1e-8);
        if (fabs(distance) > 1e-3)
            check_derivative(a, b, 3, 1e-7, 1e-4);
        if (distance > 0.01) {
            assert_int_equal(find(a, b, distance - 1e-6)->count, 0);
            assert_int_not_equal(find(a, b, distance + 1e-6)->count, 0);
        }
        *(distance < 0 ? &overlapping : &apart) += 1;
    }
    assert_true(overlapping > 15 && apart > 15);
}

/* A hull with the corners of a box has the contacts of the box. */
static void hull_of_a_box(void **state)
{
    (void)state;
    test_hull hull;
    test_hull_box(&hull, 0.5, 0.8, 0.3);
    ts_solid box = box_of(0.5, 0.8, 0.3), same = hull_of(&hull), other = box_of(0.3, 0.3, 0.6);
    ts_random random = ts_random_make(22, 1);
    for (int i = 0; i < 100; i++) {
        ts_placed_solid a = {&box, random_pose(&random, 0.3)}, b = {&other, random_pose(&random, 0.8)},
                        c = {&same, a.pose};
        find(a, b, 0.1);
        ts_touch_array want = {0};
        for (size_t k = 0; k < found.count; k++)
            OK(ts_array_push(&want, found.item[k], ERROR));
        find(c, b, 0.1);
        assert_int_equal(found.count, want.count);
        for (size_t k = 0; k < want.count; k++) {
            double best = HUGE_VAL;
            for (size_t j = 0; j < want.count; j++)
                best = fmin(best, ts_vec3_distance(want.item[k].point_a, found.item[j].point_a) +
                                      fabs(want.item[k].gap - found.item[j].gap));
            NEAR(best, 0, 1e-10);
        }
        ts_array_free(&want);
    }
}

/* ---- Round ones ---- */

static void round_pairs(void **state)
{
    (void)state;
    test_hull rock;
    test_hull_rock(&rock, 3);
    const ts_solid solid[] = {box_of(0.5, 0.8, 0.3), capsule_of(0.3, 0.6), cylinder_of(0.5, 0.4), hull_of(&rock)};
    ts_random random = ts_random_make(23, 1);
    int overlapping = 0, apart = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++) {
            if ((i == 0 || i == 3) && (j == 0 || j == 3))
                continue;
            for (int k = 0; k < 12; k++) {
                ts_placed_solid a = {&solid[i], random_pose(&random, 0.3)}, b = {&solid[j], random_pose(&random, 0.9)};
                double distance = largest_separation(a, b);
                if (distance < -0.25) /* deep inside each other: a way out is found, but it may not be the shortest */
                    continue;
                find(a, b, 3);
                assert_true(found.count >= 1);
                /* a separation that is at least as large as all that were tried, and a real one */
                double gap = smallest_gap(&found);
                assert_true(gap >= distance - 1e-7);
                NEAR(gap, separation(a, b, found.item[0].normal), 2e-6);
                check_laws(a, b, fmax(distance + 1e-3, 0), 2e-6);
                if (fabs(distance) > 1e-3)
                    check_derivative(a, b, 3, 1e-5, 1e-3);
                *(distance < 0 ? &overlapping : &apart) += 1;
            }
        }
    assert_true(overlapping > 10 && apart > 10);
}

/* ---- What must come out exactly ---- */

static ts_quat lying(double yaw, double roll)
{
    ts_quat down = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 2);
    return ts_quat_mul(ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, yaw), down),
                       ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, roll));
}

/* A capsule or a cylinder that lies on a box, or on a hull, whatever its yaw and roll: the two ends of the line below
 * it. Standing: four points of a lid, a quarter turn apart. Apart, touching and overlapping. */
static void lying_and_standing(void **state)
{
    (void)state;
    test_hull block;
    test_hull_box(&block, 2, 3, 0.5);
    const ts_solid table[] = {box_of(2, 3, 0.5), hull_of(&block)};
    const ts_solid roller[] = {capsule_of(0.2, 0.7), cylinder_of(0.2, 0.7)};
    ts_quat tilt = ts_quat_from_axis_angle((ts_vec3){3, 1, 2}, 0.7);
    for (int t = 0; t < 2; t++)
        for (int r = 0; r < 2; r++)
            for (int step = 0; step < 16; step++) {
                const double gap = (double[]){-1e-3, 0, 1e-3, 0.05}[step % 4];
                /* all of it tilted, so that nothing is aligned by chance */
                ts_placed_solid a = {&table[t], {{0, 0, 0}, tilt}};
                ts_placed_solid b = {&roller[r],
                                     {ts_quat_apply(tilt, (ts_vec3){0.3, -0.4, 0.7 + gap}),
                                      ts_quat_mul(tilt, lying(0.4 * step, 0.9 * step))}};
                find(a, b, 0.06);
                assert_int_equal(found.count, 2);
                for (size_t i = 0; i < 2; i++) {
                    NEAR(found.item[i].gap, gap, 1e-13);
                    NEAR(ts_vec3_distance(found.item[i].normal, ts_quat_apply(tilt, (ts_vec3){0, 0, 1})), 0, 1e-12);
                    ts_vec3 p = ts_pose3_apply_inverse(b.pose, found.item[i].point_b);
                    NEAR(fabs(p.z), 0.7, 1e-12);
                    NEAR(ts_pose3_apply_inverse(a.pose, found.item[i].point_b).z, 0.5 + gap, 1e-12);
                }
                check_laws(a, b, 0.06, 1e-11);
                if (r == 0)
                    continue;
                b.pose.quat = ts_quat_mul(tilt, ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.4 * step));
                b.pose.position = ts_quat_apply(tilt, (ts_vec3){0.3, -0.4, 1.2 + gap});
                find(a, b, 0.06);
                assert_int_equal(found.count, 4);
                ts_vec3 middle = {0, 0, 0};
                for (size_t i = 0; i < 4; i++) {
                    NEAR(found.item[i].gap, gap, 1e-13);
                    middle = ts_vec3_add_scaled(middle, ts_pose3_apply_inverse(b.pose, found.item[i].point_b), 0.25);
                }
                NEAR(hypot(middle.x, middle.y), 0, 1e-12);
            }
}

/* A capsule that leans, low end on the table, high end beyond its edge: where it passes over the edge, its point is
 * below its side, r/cos τ under the middle line. */
static void leaning_capsule(void **state)
{
    (void)state;
    ts_solid table = box_of(1, 1, 0.5), rod = capsule_of(0.2, 0.7);
    const double tilt = 0.2, low = 0.7 * sin(tilt);
    ts_placed_solid a = {&table, ts_pose3_identity()};
    ts_placed_solid b = {&rod, {{0.8, 0.1, 0.7 + low}, ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, TS_PI / 2 - tilt)}};
    find(a, b, 1);
    assert_int_equal(found.count, 2);
    for (size_t i = 0; i < 2; i++) {
        bool end = found.item[i].point_a.x < 0.5;
        double line = low + 0.2 * tan(tilt); /* of the middle line above where it lies at its low end, over the edge */
        NEAR(found.item[i].gap, end ? 0 : 0.2 + line - 0.2 / cos(tilt), 1e-12);
        NEAR(found.item[i].point_a.x, end ? 0.8 - 0.7 * cos(tilt) : 1, 1e-12);
    }
    check_laws(a, b, 1, 1e-11);
}

/* A lid that reaches beyond the edge of a table touches in what is left of it: up to where its rim crosses the edge. */
static void lid_over_an_edge(void **state)
{
    (void)state;
    ts_solid table = box_of(1, 1, 0.5), drum = cylinder_of(0.5, 0.3);
    ts_placed_solid a = {&table, ts_pose3_identity()}, b = {&drum, {{1.1, 0, 0.8}, {1, 0, 0, 0}}};
    find(a, b, 0.01);
    /* one quarter on the table, the two beside it over its edge by 0.1; and two crossings */
    assert_int_equal(found.count, 3);
    double across = sqrt(0.25 - 0.01);
    int crossings = 0;
    for (size_t i = 0; i < 3; i++) {
        ts_vec3 p = found.item[i].point_a;
        NEAR(found.item[i].gap, 0, 1e-14);
        assert_true(p.x <= 1 + 1e-6);
        crossings += fabs(p.x - 1) < 1e-9 && fabs(fabs(p.y) - across) < 1e-9;
    }
    assert_int_equal(crossings, 2);
    check_mirror(&found, (ts_vec3){0, 1, 0}, false, 1e-9);
}

/* Two capsules side by side touch at both ends of what they share; crossed, in one point; end to end, in one. */
static void two_capsules(void **state)
{
    (void)state;
    ts_solid one = capsule_of(0.2, 1), two = capsule_of(0.3, 0.5);
    ts_placed_solid a = {&one, {{0, 0, 0}, lying(0, 0)}}, b = {&two, {{0, 0.8, 0.51}, lying(0, 1)}};
    assert_int_equal(find(a, b, 0.1)->count, 2);
    for (size_t i = 0; i < 2; i++) {
        NEAR(found.item[i].gap, 0.01, 1e-14);
        assert_true(fabs(found.item[i].point_a.y - 0.3) < 1e-12 || fabs(found.item[i].point_a.y - 1) < 1e-12);
    }
    b.pose.quat = lying(1, 0);
    b.pose.position = (ts_vec3){0, 0.1, 0.49};
    assert_int_equal(find(a, b, 0.1)->count, 1);
    NEAR(found.item[0].gap, -0.01, 1e-14);
    NEAR(found.item[0].point_a.y, 0.1, 1e-13);
    b.pose = (ts_pose3){{0, 1 + 0.5 + 0.5 + 0.01, 0}, lying(0, 0)};
    assert_int_equal(find(a, b, 0.1)->count, 1);
    NEAR(found.item[0].gap, 0.01, 1e-14);
    NEAR(found.item[0].normal.y, 1, 1e-14);
    /* their middle lines cross: any way out will do, but it must be one */
    b.pose = (ts_pose3){{0, 0, 0}, lying(1, 0)};
    find(a, b, 0.1);
    NEAR(smallest_gap(&found), -0.5, 1e-12);
    NEAR(fabs(found.item[0].normal.z), 1, 1e-12);
}

/* Lid on lid: within both. Side on side, crossed: one point between the axes; parallel: the ends of what they share. */
static void two_cylinders(void **state)
{
    (void)state;
    ts_solid one = cylinder_of(0.5, 0.3), two = cylinder_of(0.2, 0.4);
    for (int step = -1; step < 2; step++) {
        double gap = 1e-3 * step;
        ts_placed_solid a = {&one, {{0, 0, 0}, {1, 0, 0, 0}}}, b = {&two, {{0.1, 0.05, 0.7 + gap}, {1, 0, 0, 0}}};
        assert_int_equal(find(a, b, 0.01)->count, 4);
        for (size_t i = 0; i < 4; i++) {
            NEAR(found.item[i].gap, gap, 1e-13);
            NEAR(hypot(found.item[i].point_b.x - 0.1, found.item[i].point_b.y - 0.05), 0.2, 1e-12);
        }
        check_laws(a, b, 0.01, 1e-11);
        a.pose.quat = lying(0, 0);
        b.pose = (ts_pose3){{0.05, 0.03, 0.7 + gap}, lying(1.1, 2)};
        assert_int_equal(find(a, b, 0.001)->count, 1);
        NEAR(found.item[0].gap, gap, 1e-13);
        NEAR(found.item[0].normal.z, 1, 1e-13);
        NEAR(found.item[0].point_a.x, 0, 1e-9);
        b.pose = (ts_pose3){{0, 0.5, 0.7 + gap}, lying(0, 2)};
        assert_int_equal(find(a, b, 0.01)->count, 2);
        for (size_t i = 0; i < 2; i++) {
            NEAR(found.item[i].gap, gap, 1e-13);
            NEAR(found.item[i].point_a.x, 0, 1e-9);
            NEAR(fabs(found.item[i].point_a.y - 0.2), 0.1, 1e-9);
        }
    }
}

/* Mirror images that lean like a roof: the normal is the mirror's. */
static void mirror_images_collide(void **state)
{
    (void)state;
    test_hull rock;
    const ts_vec3 tip[5] = {{0.5, 0, 0}, {-0.3, 0.3, 0.3}, {-0.3, -0.3, 0.3}, {-0.3, 0.3, -0.3}, {-0.3, -0.3, -0.3}};
    test_hull_make(&rock, tip, 5);
    const ts_solid solid[] = {capsule_of(0.2, 0.5), cylinder_of(0.3, 0.4), hull_of(&rock)};
    const ts_vec3 x = {1, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int step = 0; step < 12; step++) {
            double gap = 1e-3 * (step % 3 - 1), lean = 0.3 + 0.1 * step;
            if (k == 2)
                lean *= 0.3;
            ts_quat right = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, k == 2 ? TS_PI + lean : lean);
            ts_quat left = {right.w, right.x, -right.y, -right.z};
            if (k ==
                2) /* the tip points along x: its image is made with a turn, since the hull is its own mirror image only in y and z */
                left = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, -lean);
            ts_placed_solid a = {&solid[k], {{0, 0.1, 0.2}, left}}, b = {&solid[k], {{0, 0.1, 0.2}, right}};
            a.pose.position.x = -ts_vec3_dot(support_of(a, x), x) - 0.5 * gap;
            b.pose.position.x = -a.pose.position.x;
            find(a, b, 2e-3);
            assert_int_not_equal(found.count, 0);
            NEAR(smallest_gap(&found), gap, 1e-7);
            NEAR(found.item[0].normal.x, 1, 1e-7);
            check_mirror(&found, x, true, 1e-5);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls),
        cmocka_unit_test(hull_of_a_box),
        cmocka_unit_test(round_pairs),
        cmocka_unit_test(lying_and_standing),
        cmocka_unit_test(leaning_capsule),
        cmocka_unit_test(lid_over_an_edge),
        cmocka_unit_test(two_capsules),
        cmocka_unit_test(two_cylinders),
        cmocka_unit_test(mirror_images_collide),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
