/* SPDX-License-Identifier: MIT */
/* Area, centroid and second moment of unions of discs against closed forms and against counting points. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "shape/discs.h"
#include "support/check.h"

static ts_disc_union measure(const ts_disc *disc, size_t count)
{
    ts_disc_union u;
    OK(ts_discs_measure(disc, count, &u, ERROR));
    return u;
}

static void one_disc(void **state)
{
    (void)state;
    const double radius[] = {1, 0.013, 1e-30, 1e30};
    for (size_t i = 0; i < sizeof radius / sizeof *radius; i++) {
        double r = radius[i];
        ts_disc disc = {3 * r, -2 * r, r};
        ts_disc_union u = measure(&disc, 1);
        NEAR(u.area / (TS_PI * r * r), 1, 1e-14);
        NEAR(u.inertia / (TS_PI * r * r * r * r / 2), 1, 1e-14);
        NEAR(u.x / r, 3, 1e-15);
        NEAR(u.y / r, -2, 1e-15);
        NEAR(u.radius / r, 1, 1e-15);
    }
}

/* Steiner: J = Σ (½ π rᵢ⁴ + π rᵢ² dᵢ²) about the common centroid. */
static void two_apart(void **state)
{
    (void)state;
    ts_disc disc[2] = {{0, 0, 1}, {5, 0, 2}};
    ts_disc_union u = measure(disc, 2);
    double area = 5 * TS_PI, x = 5 * 4.0 / 5;
    double inertia = TS_PI / 2 * (1 + 16) + TS_PI * x * x + 4 * TS_PI * (5 - x) * (5 - x);
    NEAR(u.area, area, 1e-13 * area);
    NEAR(u.x, x, 1e-14 * x);
    NEAR(u.y, 0, 1e-14);
    NEAR(u.inertia, inertia, 1e-13 * inertia);
    NEAR(u.radius, 4 + 1, 1e-13);
    /* just touching is no overlap */
    disc[1].x = 3;
    NEAR(measure(disc, 2).area, area, 1e-13 * area);
}

/* The lens of two equal circles, and with it the union: by inclusion and exclusion. */
static void two_overlapping(void **state)
{
    (void)state;
    for (double d = 0.05; d < 2; d += 0.05) {
        double lens = 2 * acos(d / 2) - d / 2 * sqrt(4 - d * d);
        ts_disc disc[2] = {{-d / 2, 0.7, 1}, {d / 2, 0.7, 1}};
        ts_disc_union u = measure(disc, 2);
        NEAR(u.area, 2 * TS_PI - lens, 1e-13);
        NEAR(u.x, 0, 1e-14);
        NEAR(u.y, 0.7, 1e-14);
        NEAR(u.radius, 1 + d / 2, 1e-14);
    }
    /* unequal: r = 3, R = 4, distance 5, whose circles cross at a right angle */
    double lens = 9 * acos(3.0 / 5) + 16 * acos(4.0 / 5) - 12;
    ts_disc disc[2] = {{1, 1, 3}, {4, 5, 4}};
    NEAR(measure(disc, 2).area, 25 * TS_PI - lens, 1e-12);
}

static void contained_and_repeated(void **state)
{
    (void)state;
    ts_disc disc[] = {{0.2, 0, 0.5}, {0, 0, 1}, {0, 0, 1}, {0, 0.5, 0.5}, {3, 0, 1}, {3, 0, 1}, {3 - 1e-17, 0, 1}};
    ts_disc_union u = measure(disc, sizeof disc / sizeof *disc);
    NEAR(u.area, 2 * TS_PI, 1e-13);
    NEAR(u.x, 1.5, 1e-14);
    NEAR(u.inertia, 2 * (TS_PI / 2 + TS_PI * 2.25), 1e-12);
    assert_int_equal(ts_discs_outermost(disc, sizeof disc / sizeof *disc), 2);
    assert_true(disc[0].x == 0 && disc[0].radius == 1);
    assert_true(disc[1].x == 3 && disc[1].radius == 1);
}

static bool covers(const ts_disc *disc, size_t count, double x, double y)
{
    for (size_t i = 0; i < count; i++)
        if (hypot(x - disc[i].x, y - disc[i].y) < disc[i].radius)
            return true;
    return false;
}

/* Midpoint sums over rows, exact along x where the union of intervals is: an independent way to the same integrals. */
static ts_disc_union by_rows(const ts_disc *disc, size_t count, int rows)
{
    double low = HUGE_VAL, high = -HUGE_VAL, a = 0, mx = 0, my = 0, polar = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, disc[i].y - disc[i].radius);
        high = fmax(high, disc[i].y + disc[i].radius);
    }
    double h = (high - low) / rows;
    for (int row = 0; row < rows; row++) {
        double y = low + (row + 0.5) * h, at = -HUGE_VAL;
        for (;;) { /* next interval to the right of `at` */
            double from = HUGE_VAL, to;
            for (size_t i = 0; i < count; i++) {
                double w2 = disc[i].radius * disc[i].radius - (y - disc[i].y) * (y - disc[i].y);
                if (w2 > 0 && disc[i].x + sqrt(w2) > at)
                    from = fmin(from, fmax(disc[i].x - sqrt(w2), at));
            }
            if (!(from < HUGE_VAL))
                break;
            to = from;
            for (size_t pass = 0; pass < count; pass++)
                for (size_t i = 0; i < count; i++) {
                    double w2 = disc[i].radius * disc[i].radius - (y - disc[i].y) * (y - disc[i].y);
                    if (w2 > 0 && disc[i].x - sqrt(w2) <= to)
                        to = fmax(to, disc[i].x + sqrt(w2));
                }
            a += h * (to - from);
            mx += h * (to * to - from * from) / 2;
            my += h * (to - from) * y;
            polar += h * ((to * to * to - from * from * from) / 3 + (to - from) * y * y);
            at = to;
        }
    }
    double x = mx / a, y = my / a;
    return (ts_disc_union){a, x, y, polar - a * (x * x + y * y), 0};
}

static void many_at_random(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 40; trial++) {
        ts_random random = ts_random_make(7, trial);
        ts_disc disc[12];
        size_t count = 2 + (size_t)ts_random_next_below(&random, 11);
        for (size_t i = 0; i < count; i++)
            disc[i] = (ts_disc){ts_random_next_range(&random, -2, 2), ts_random_next_range(&random, -2, 2),
                                ts_random_next_range(&random, 0.1, 1.2)};
        ts_disc_union u = measure(disc, count), v = by_rows(disc, count, 20000);
        NEAR(u.area, v.area, 1e-5 * v.area);
        NEAR(u.x, v.x, 1e-5);
        NEAR(u.y, v.y, 1e-5);
        NEAR(u.inertia, v.inertia, 1e-5 * v.inertia);
        /* the bounding circle holds every point of the union and touches its outline */
        double reach = 0;
        for (int k = 0; k < 20000; k++) {
            double x = ts_random_next_range(&random, -4, 4), y = ts_random_next_range(&random, -4, 4);
            if (covers(disc, count, x, y))
                reach = fmax(reach, hypot(x - u.x, y - u.y));
        }
        assert_true(reach <= u.radius && reach > 0.9 * u.radius);
    }
}

/* Where no disc covers another, dropping, doubling or reordering discs that do not count changes nothing. */
static void order_does_not_matter(void **state)
{
    (void)state;
    ts_disc a[4] = {{0, 0, 1}, {1.2, 0.1, 0.8}, {-0.7, 0.9, 0.6}, {0.3, -1.1, 0.5}};
    ts_disc b[6] = {a[3], a[1], {0, 0, 0.5}, a[0], a[1], a[2]};
    ts_disc_union u = measure(a, 4), v = measure(b, 6);
    NEAR(u.area, v.area, 1e-14 * u.area);
    NEAR(u.inertia, v.inertia, 1e-14 * u.inertia);
    NEAR(u.x, v.x, 1e-14);
    NEAR(u.y, v.y, 1e-14);
}

/* Far from the origin the second moment keeps its digits. */
static void far_away(void **state)
{
    (void)state;
    ts_disc near[2] = {{-1, 0, 1}, {0.5, 0, 1}}, far[2] = {{1e6 - 1, 1e6, 1}, {1e6 + 0.5, 1e6, 1}};
    ts_disc_union u = measure(near, 2), v = measure(far, 2);
    NEAR(v.area, u.area, 1e-9);
    NEAR(v.inertia, u.inertia, 1e-9);
    NEAR(v.x - 1e6, u.x, 1e-9);
}

static void absurd_sizes_are_errors(void **state)
{
    (void)state;
    ts_disc_union u = {.area = 42};
    const double radius[] = {1e-160, 1e100};
    for (int i = 0; i < 2; i++) {
        ts_disc disc = {0, 0, radius[i]};
        assert_int_equal(ts_discs_measure(&disc, 1, &u, ERROR), TS_BAD_INPUT);
        assert_true(u.area == 42);
    }
    assert_int_equal(ts_discs_measure(NULL, 0, &u, ERROR), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_disc),        cmocka_unit_test(two_apart),
        cmocka_unit_test(two_overlapping), cmocka_unit_test(contained_and_repeated),
        cmocka_unit_test(many_at_random),  cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(far_away),        cmocka_unit_test(absurd_sizes_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
