/* SPDX-License-Identifier: MIT */
/* Parts of the bench `rest`. Depths of overlap are compared with closed forms and with the smallest of many directions;
 * heaps are given to every program that is there, ours among them, and fall as bodies fall. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../bench/rest_runner.h"
#include "base/random.h"
#include "support/check.h"

#define G TS_HEAP_GRAVITY

static ts_heap heap_of(ts_heap_kind kind, size_t count)
{
    ts_heap heap;
    OK(ts_heap_make(kind, count, 7, &heap, ERROR));
    return heap;
}

static ts_pose3 turned(double x, double y, double angle)
{
    return (ts_pose3){{x, y, 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}};
}

/* ---- Depths ---- */

static void test_depths_of_closed_forms(void **state)
{
    (void)state;
    ts_heap octagons = heap_of(TS_HEAP_OCTAGONS, 1), discs = heap_of(TS_HEAP_DISCS, 1),
            boxes = heap_of(TS_HEAP_BOXES, 1);
    const ts_pose3 origin = ts_pose3_identity();
    /* discs: r + r - d */
    NEAR(ts_convex_depth(discs.piece, origin, discs.piece, turned(0.6, 0.6, 1)), 1 - 0.6 * sqrt(2), 1e-12);
    assert_true(ts_convex_depth(discs.piece, origin, discs.piece, turned(0.8, 0.8, 1)) == 0);
    /* octagons face to face, at twice the inner radius less 3 mm; corner to face */
    const double inner = 0.5 * cos(TS_PI / 8);
    const double c = cos(TS_PI / 8), s = sin(TS_PI / 8), d = 2 * inner - 0.003;
    NEAR(ts_convex_depth(octagons.piece, origin, octagons.piece, turned(d * c, d * s, 0)), 0.003, 1e-12);
    const double e = inner + 0.5 - 0.004;
    NEAR(ts_convex_depth(octagons.piece, turned(0, 0, TS_PI / 8), octagons.piece, turned(e, 0, 0)), 0.004, 1e-12);
    assert_true(ts_convex_depth(octagons.piece, origin, octagons.piece, turned(1.001, 0, 0)) == 0);
    /* boxes: face on face; edge across edge, turned by 45° about x and about y, which meet along z at √2/2 each */
    NEAR(ts_convex_depth(boxes.piece, origin, boxes.piece, (ts_pose3){{0.1, 0.2, 0.99}, {1, 0, 0, 0}}), 0.01, 1e-12);
    const double k = cos(TS_PI / 8), t = sin(TS_PI / 8);
    NEAR(ts_convex_depth(boxes.piece, (ts_pose3){{0, 0, 0}, {k, t, 0, 0}}, boxes.piece,
                         (ts_pose3){{0, 0, sqrt(2) - 0.02}, {k, 0, t, 0}}),
         0.02, 1e-12);
    ts_heap_free(&octagons);
    ts_heap_free(&discs);
    ts_heap_free(&boxes);
}

static ts_quat random_attitude(ts_random *random)
{
    const double w = ts_random_next_normal(random), x = ts_random_next_normal(random);
    const double y = ts_random_next_normal(random), z = ts_random_next_normal(random);
    return ts_quat_unit((ts_quat){w, x, y, z});
}

/* How far B has to go along a direction to be clear of A. */
static double way_out(const ts_convex *piece, ts_pose3 a, ts_pose3 b, ts_vec3 direction)
{
    double high = -HUGE_VAL, low = HUGE_VAL;
    for (size_t i = 0; i < piece->point_count; i++) {
        high = fmax(high, ts_vec3_dot(direction, ts_pose3_apply(a, piece->point[i])));
        low = fmin(low, ts_vec3_dot(direction, ts_pose3_apply(b, piece->point[i])));
    }
    return high - low;
}

/* No direction of many is shorter, and the best of them is hardly longer. */
static void test_depth_is_the_shortest_way_out(void **state)
{
    (void)state;
    const ts_heap_kind kind[] = {TS_HEAP_BOXES, TS_HEAP_HULLS};
    for (int k = 0; k < 2; k++) {
        ts_heap heap = heap_of(kind[k], 1);
        ts_random random = ts_random_make(3, (uint64_t)k);
        int overlapping = 0;
        for (int trial = 0; trial < 60; trial++) {
            const ts_pose3 a = {{0, 0, 0}, random_attitude(&random)};
            const double x = ts_random_next_range(&random, -1, 1), y = ts_random_next_range(&random, -1, 1);
            const ts_pose3 b = {{x, y, ts_random_next_range(&random, -1, 1)}, random_attitude(&random)};
            const double depth = ts_convex_depth(heap.piece, a, heap.piece, b);
            double best = HUGE_VAL;
            ts_vec3 along = {0, 0, 0};
            for (int i = 0; i < 3000; i++) { /* at random, then around the best */
                const double wide = i < 1000 ? 1 : pow(0.995, i - 1000);
                const ts_vec3 by = {ts_random_next_normal(&random), ts_random_next_normal(&random),
                                    ts_random_next_normal(&random)};
                const ts_vec3 direction =
                    ts_vec3_unit(i < 1000 ? by : ts_vec3_add_scaled(along, ts_vec3_unit(by), wide));
                const double way = way_out(heap.piece, a, b, direction);
                if (way < best) {
                    best = way;
                    along = direction;
                }
            }
            if (depth > 0) {
                overlapping++;
                assert_true(depth <= best + 1e-12);
                assert_true(best <= 1.1 * depth + 0.02);
            } else {
                assert_true(best < 0.02); /* an axis parts them, or nearly so */
            }
        }
        assert_true(overlapping > 10);
        ts_heap_free(&heap);
    }
}

/* Two `#` whose bars cross have passed through each other; beside each other they have not. Walls count, too. */
static void test_crossed_bars_are_through(void **state)
{
    (void)state;
    ts_heap heap = heap_of(TS_HEAP_HASH, 2);
    ts_depths d;
    NEAR(heap.mass, 360, 1e-9); /* 4 bars of 0.1 m², 4 crossings of 0.01 m² twice */
    ts_pose3 pose[2] = {turned(0.6, 1, 0), turned(1.599, 1, 0)};
    OK(ts_depths_measure(&heap.crowd, pose, &d, ERROR));
    assert_int_equal(d.pairs, 2); /* ends of the two level bars of each */
    NEAR(d.mean, 0.001, 1e-12);
    NEAR(d.most, 0.001, 1e-12);
    assert_int_equal(d.through, 0);
    assert_true(d.wall == 0);
    pose[1] = turned(1.1, 1.4, 0.3);
    OK(ts_depths_measure(&heap.crowd, pose, &d, ERROR));
    assert_true(d.through > 0);
    pose[1] = turned(5, 0.49, 0); /* 10 mm into the floor, and outside of the walls, which are 2.3 m apart */
    OK(ts_depths_measure(&heap.crowd, pose, &d, ERROR));
    assert_int_equal(d.pairs, 0);
    assert_int_equal(d.through, 1);
    NEAR(d.wall, 5.5 - 2.3, 1e-12);
    ts_heap_free(&heap);
}

/* ---- Programs ---- */

/* One body in the middle of a wide bin, high above the floor. */
static ts_heap lone_body(ts_heap_kind kind)
{
    ts_heap heap = heap_of(kind, 1);
    const bool plane = heap.dimension == 2;
    heap.width = 20;
    heap.wall[2].offset = heap.wall[4].offset = -20;
    heap.pose[0].position = (ts_vec3){10, plane ? 20 : 10, plane ? 0 : 20};
    return heap;
}

/* Gravity leans over: the way is that of ½ g t² within what a step adds, and so is the energy, ½ g² t². */
static void check_fall(ts_runner *r)
{
    const ts_heap *heap = r->heap;
    const double lean = 0.3;
    ts_pose3 pose;
    ts_twist3 rate;
    ts_window w;
    OK(ts_runner_walk(r, 0.25, (ts_lean){lean, 0}, &w, ERROR));
    assert_false(r->stopped);
    assert_true(w.seconds > 0 && w.seconds == r->seconds && fabs(w.simulated - 0.25) <= r->step);
    OK(ts_runner_look(r, &pose, &rate, ERROR));
    const double t = w.simulated, fallen = 0.5 * G * t * t, slack = 0.5 * G * t * r->step + 1e-5;
    const ts_vec3 by = ts_vec3_sub(pose.position, heap->pose[0].position);
    NEAR(by.x, fallen * sin(lean), slack);
    NEAR(heap->dimension == 2 ? by.y : by.z, -fallen * cos(lean), slack);
    NEAR(fabs(ts_quat_dot(pose.quat, heap->pose[0].quat)), 1, 1e-6);
    NEAR(ts_heap_energy(heap, &pose, &rate), 0.5 * G * G * t * t, G * G * t * r->step + 1e-5);
    /* gravity that turns by 2π comes back, and has moved nothing sideways in the sum of its velocities */
    const ts_vec3 before = rate.linear;
    OK(ts_runner_walk(r, 0.5, (ts_lean){0, 2 * TS_PI / 0.5}, &w, ERROR));
    OK(ts_runner_look(r, &pose, &rate, ERROR));
    NEAR(ts_vec3_distance(rate.linear, before), 0, 2 * G * r->step + 1e-5);
}

static void test_all_programs_let_bodies_fall(void **state)
{
    (void)state;
    const char *const dynamics[] = {"soft-step", "impact", "penalty"};
    for (int kind = TS_HEAP_HASH; kind <= TS_HEAP_HULLS; kind++) {
        ts_heap heap = lone_body((ts_heap_kind)kind);
        for (int k = 0; k < 5; k++) {
            ts_runner r;
            if (k < 3)
                OK(ts_runner_open(&heap, dynamics[k], 1, &r, ERROR));
            else
                OK(ts_runner_open_peer(".", &heap, k - 3, &r, ERROR));
            if (r.name[0])
                check_fall(&r);
            ts_runner_close(&r);
        }
        ts_heap_free(&heap);
    }
}

/* Another dynamics goes on from where soft-step has brought the bodies, a copy on two threads with the same bits. */
static void test_heaps_are_handed_on(void **state)
{
    (void)state;
    ts_heap heap = heap_of(TS_HEAP_HASH, 9);
    ts_runner soft, copy, other;
    ts_window w;
    ts_pose3 pose[2][9];
    ts_twist3 rate[2][9];
    OK(ts_runner_open(&heap, "soft-step", 1, &soft, ERROR));
    OK(ts_runner_open(&heap, "impact", 1, &other, ERROR));
    OK(ts_runner_walk(&soft, 1, (ts_lean){0}, &w, ERROR));
    other.stopped = true;
    OK(ts_runner_take(&other, &soft, ERROR));
    assert_false(other.stopped);
    OK(ts_runner_look(&soft, pose[0], rate[0], ERROR));
    OK(ts_runner_look(&other, pose[1], rate[1], ERROR));
    for (int i = 0; i < 9; i++) {
        assert_true(ts_vec3_distance(pose[0][i].position, pose[1][i].position) == 0);
        assert_true(ts_vec3_distance(rate[0][i].linear, rate[1][i].linear) == 0);
    }
    OK(ts_runner_open_copy(&soft, 2, &copy, ERROR));
    OK(ts_runner_walk(&soft, 0.5, (ts_lean){0}, &w, ERROR));
    OK(ts_runner_walk(&copy, 0.5, (ts_lean){0}, &w, ERROR));
    assert_true(ts_state_hash(soft.state) == ts_state_hash(copy.state));
    ts_runner_close(&copy);
    ts_runner_close(&soft);
    ts_runner_close(&other);
    ts_heap_free(&heap);
}

/* What takes too long stops and says how long it would take; a program that breaks down stops, too. */
static void test_runners_stop(void **state)
{
    (void)state;
    ts_heap heap = heap_of(TS_HEAP_HASH, 9);
    ts_runner r;
    ts_window w;
    OK(ts_runner_open(&heap, "soft-step", 1, &r, ERROR));
    r.bound = 1e-6;
    r.until = 10;
    OK(ts_runner_walk(&r, 1, (ts_lean){0}, &w, ERROR));
    assert_true(r.stopped && r.slow && w.simulated < 0.1);
    assert_non_null(strstr(r.why, "10 s would take at least"));
    OK(ts_runner_walk(&r, 1, (ts_lean){0}, &w, ERROR));
    assert_true(w.simulated == 0);
    ts_runner_close(&r);
    ts_heap boxes = heap_of(TS_HEAP_BOXES, 1);
    boxes.mass = -1; /* refused by the program */
    OK(ts_runner_open_peer(".", &boxes, 0, &r, ERROR));
    assert_true(r.stopped || !r.name[0]);
    ts_runner_close(&r);
    ts_heap_free(&boxes);
    ts_heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths_of_closed_forms),   cmocka_unit_test(test_depth_is_the_shortest_way_out),
        cmocka_unit_test(test_crossed_bars_are_through), cmocka_unit_test(test_all_programs_let_bodies_fall),
        cmocka_unit_test(test_heaps_are_handed_on),      cmocka_unit_test(test_runners_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
