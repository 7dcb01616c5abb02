/* SPDX-License-Identifier: MIT */
/* Contacts of two boxes. How far they are apart, or how deep they overlap, comes from the set of all differences of
 * their points, by brute force; which points touch, from closed forms; and symmetric questions must have symmetric
 * answers. */
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

static ts_placed_solid at(const ts_solid *solid, double x, double y, double z)
{
    return (ts_placed_solid){solid, {{x, y, z}, {1, 0, 0, 0}}};
}

/* The smallest gap is the signed distance, at random. */
static void gap_is_the_distance(void **state)
{
    (void)state;
    ts_solid one = box_of(0.5, 0.8, 0.3), two = box_of(0.6, 0.2, 0.4);
    ts_random random = ts_random_make(11, 1);
    int overlapping = 0, apart = 0;
    for (int i = 0; i < 90; i++) {
        ts_placed_solid a = {&one, random_pose(&random, 0.6)}, b = {&two, random_pose(&random, 0.9)};
        double distance = placed_distance(a, b);
        find(a, b, 3);
        assert_in_range(found.count, 1, 8);
        NEAR(smallest_gap(&found), distance, 1e-10);
        check_laws(a, b, 3, 1e-9);
        *(distance < 0 ? &overlapping : &apart) += 1;
        if (fabs(distance) > 1e-3)
            check_derivative(a, b, 3, 1e-7, 1e-4);
    }
    assert_true(overlapping > 15 && apart > 15);
}

/* No contact is made up: none beyond reach, and none missed, when boxes come near with corners, edges and faces. */
static void reach_is_kept(void **state)
{
    (void)state;
    ts_solid one = box_of(0.5, 0.8, 0.3);
    ts_random random = ts_random_make(12, 1);
    for (int i = 0; i < 100; i++) {
        ts_placed_solid a = {&one, random_pose(&random, 0)}, b = {&one, random_pose(&random, 1)};
        double distance = placed_distance(a, b);
        if (distance < 0.01)
            continue;
        assert_int_equal(find(a, b, distance - 1e-6)->count, 0);
        assert_int_not_equal(find(a, b, distance + 1e-6)->count, 0);
    }
}

/* A box on a larger one: its four corners, all with the same gap. */
static void face_on_face(void **state)
{
    (void)state;
    ts_solid table = box_of(2, 3, 0.5), box = box_of(0.3, 0.4, 0.5);
    for (int i = 0; i < 5; i++)
        for (int step = -1; step < 2; step++) {
            double turn = 0.4 * i, gap = 0.01 * step;
            ts_placed_solid a = at(&table, 0, 0, 0), b = at(&box, 0.1, -0.2, 1 + gap);
            b.pose.quat = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, turn);
            find(a, b, 0.02);
            assert_int_equal(found.count, 4);
            for (size_t k = 0; k < 4; k++) {
                NEAR(found.item[k].gap, gap, 1e-14);
                NEAR(found.item[k].normal.z, 1, 1e-15);
                ts_vec3 p = ts_pose3_apply_inverse(b.pose, found.item[k].point_b);
                NEAR(fabs(p.x), 0.3, 1e-14);
                NEAR(fabs(p.y), 0.4, 1e-14);
            }
            check_laws(a, b, 0.02, 1e-13);
        }
    /* a square on a square turned by 45°: eight, where edges cross; halves that overlap: the rectangle they share */
    ts_solid square = box_of(1, 1, 0.5);
    ts_placed_solid a = at(&square, 0, 0, 0), b = at(&square, 0, 0, 1);
    b.pose.quat = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, TS_PI / 4);
    assert_int_equal(find(a, b, 0.01)->count, 8);
    check_mirror(&found, (ts_vec3){1, 0, 0}, false, 1e-12);
    check_mirror(&found, (ts_vec3){0, 1, 0}, false, 1e-12);
    b = at(&square, 0.5, 1.2, 1);
    assert_int_equal(find(a, b, 0.01)->count, 4);
    for (size_t i = 0; i < 4; i++) {
        NEAR(fabs(found.item[i].point_a.x - 0.25), 0.75, 1e-14);
        NEAR(fabs(found.item[i].point_a.y - 0.6), 0.4, 1e-14);
    }
    /* equal boxes exactly on each other: four, not eight; also when rounding has moved one */
    b = at(&square, 1e-13, -1e-13, 1 + 1e-13);
    assert_int_equal(find(a, b, 0.01)->count, 4);
}

/* An edge down on a face: two contacts; a corner down: one; crossed edges: one, between them. */
static void edges_and_corners(void **state)
{
    (void)state;
    ts_solid table = box_of(2, 3, 0.5), box = box_of(0.5, 0.5, 0.5);
    ts_placed_solid a = at(&table, 0, 0, 0), b = at(&box, 0.1, 0.2, 0.5 + sqrt(0.5) - 1e-3);
    b.pose.quat = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 4);
    assert_int_equal(find(a, b, 0.01)->count, 2);
    for (size_t i = 0; i < 2; i++) {
        NEAR(found.item[i].gap, -1e-3, 1e-14);
        NEAR(found.item[i].point_b.y, 0.2, 1e-14);
    }
    /* standing on a corner */
    b.pose.quat = ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){1, -1, 0}, acos(1 / sqrt(3))), ts_quat_identity());
    b.pose.position.z = 0.5 + sqrt(0.75) - 1e-3;
    assert_int_equal(find(a, b, 0.01)->count, 1);
    NEAR(found.item[0].gap, -1e-3, 1e-12);
    NEAR(found.item[0].point_b.x, 0.1, 1e-12);
    NEAR(found.item[0].point_b.y, 0.2, 1e-12);
    /* two beams with their edges crossed */
    ts_solid beam = box_of(2, 0.1, 0.1);
    ts_quat edge = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, TS_PI / 4);
    a = (ts_placed_solid){&beam, {{0, 0, 0}, edge}};
    b = (ts_placed_solid){
        &beam,
        {{0.3, 0, 2 * sqrt(0.02) - 1e-4}, ts_quat_mul(ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, TS_PI / 3), edge)}};
    assert_int_equal(find(a, b, 0.001)->count, 1);
    NEAR(found.item[0].gap, -1e-4, 1e-14);
    NEAR(found.item[0].normal.z, 1, 1e-14);
    NEAR(found.item[0].point_a.x, 0.3, 1e-14);
    NEAR(found.item[0].point_a.y, 0, 1e-14);
}

/* Two boxes lean towards each other like a roof, and meet edge on edge, side by side: the normal lies in the mirror's,
 * not in a face's. The same with two corners. Apart, touching and overlapping. */
static void mirror_images_collide(void **state)
{
    (void)state;
    ts_solid box = box_of(0.5, 0.4, 0.3);
    const ts_vec3 x = {1, 0, 0};
    for (int corner = 0; corner < 2; corner++)
        for (int i = 0; i < 7; i++)
            for (int step = -1; step < 2; step++) {
                double lean = 0.13 * i, gap = 1e-3 * step;
                ts_quat right = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, lean);
                if (corner)
                    right = ts_quat_mul(right, ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, 0.3));
                /* a reflection in x turns a rotation about (x, y, z) into one about (x, −y, −z) */
                ts_quat left = {right.w, right.x, -right.y, -right.z};
                ts_placed_solid a = {&box, {{0, 0.1, 0.2}, left}}, b = {&box, {{0, 0.1, 0.2}, right}};
                double reach = ts_vec3_dot(support_of(a, x), x);
                a.pose.position.x = -reach - 0.5 * gap;
                b.pose.position.x = reach + 0.5 * gap;
                find(a, b, 2e-3);
                assert_int_not_equal(found.count, 0);
                NEAR(smallest_gap(&found), gap, 1e-9);
                NEAR(found.item[0].normal.x, 1, 1e-9);
                check_mirror(&found, x, true, 1e-8);
            }
}

/* Features stay the same while a box slides and rocks on another. */
static void features_last(void **state)
{
    (void)state;
    ts_solid table = box_of(2, 3, 0.5), box = box_of(0.3, 0.4, 0.5);
    uint32_t before[4] = {0};
    for (int step = 0; step < 50; step++) {
        ts_placed_solid a = at(&table, 0, 0, 0), b = at(&box, -1 + 0.04 * step, 0.01 * step, 1);
        b.pose.quat = ts_quat_from_axis_angle((ts_vec3){0.3, 1, 20}, 1e-3 * step);
        find(a, b, 0.02);
        assert_int_equal(found.count, 4);
        for (size_t i = 0; i < 4; i++) {
            if (step > 0)
                assert_int_equal(found.item[i].feature, before[i]);
            before[i] = found.item[i].feature;
        }
    }
}

/* The same scene a thousand times smaller, far from the origin: the same contacts. */
static void any_size(void **state)
{
    (void)state;
    ts_random random = ts_random_make(13, 1);
    for (int i = 0; i < 50; i++) {
        ts_solid one = box_of(0.5, 0.8, 0.3), small = box_of(0.5e-3, 0.8e-3, 0.3e-3);
        ts_placed_solid a = {&one, random_pose(&random, 0.4)}, b = {&one, random_pose(&random, 0.6)}, c = a, d = b;
        find(a, b, 0.1);
        size_t count = found.count;
        double least = smallest_gap(&found);
        c.solid = d.solid = &small;
        c.pose.position = ts_vec3_scale(a.pose.position, 1e-3);
        d.pose.position = ts_vec3_scale(b.pose.position, 1e-3);
        find(c, d, 0.1e-3);
        assert_int_equal(found.count, count);
        if (count > 0)
            NEAR(smallest_gap(&found), least * 1e-3, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_is_the_distance),
        cmocka_unit_test(reach_is_kept),
        cmocka_unit_test(face_on_face),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(mirror_images_collide),
        cmocka_unit_test(features_last),
        cmocka_unit_test(any_size),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
