/* SPDX-License-Identifier: MIT */
/* The true depth against closed forms: convex outlines by their supports, rings and discs. */
#include <math.h>

#include "base/random.h"
#include "cspace/exact.h"
#include "forms.h"

typedef struct subject {
    ts_pair *pair;
    ts_exact *exact;
} subject;

/* Takes the outlines over. */
static subject make(ts_outline *a, ts_outline *b)
{
    subject s;
    OK(ts_pair_create(a, b, &s.pair, ERROR));
    OK(ts_exact_create(s.pair, &s.exact, ERROR));
    ts_outline_free(a);
    ts_outline_free(b);
    return s;
}

static void drop(subject *s)
{
    ts_exact_free(s->exact);
    ts_pair_free(s->pair);
}

static double true_gap(const subject *s, double x, double y, double angle, double tolerance)
{
    double unit = s->pair->unit;
    return ts_exact_true_gap(s->exact, x / unit, y / unit, angle, tolerance / unit) * unit;
}

static double balanced_gap(const subject *s, double x, double y, double angle)
{
    double unit = s->pair->unit;
    return ts_exact_at(s->exact, x / unit, y / unit, angle, HUGE_VAL).gap * unit;
}

static ts_outline *box(double width, double height)
{
    ts_outline *o;
    OK(ts_outline_box(width, height, 0, &o, ERROR));
    return o;
}

static ts_outline *ring_or_disc(double outer, double inner)
{
    ts_outline *o;
    OK(inner > 0 ? ts_outline_ring(outer, inner, &o, ERROR) : ts_outline_disc(outer, &o, ERROR));
    return o;
}

/* Convex outlines part along a normal of one of their faces: the shortest of h_A(n) + h_B(-n) - n · x. */
static double boxes_depth(const double a[2], const double b[2], double x, double y, double angle)
{
    double least = HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        double f = i * TS_PI / 2 + (i < 4 ? 0 : angle), nx = cos(f), ny = sin(f);
        double mx = cos(f - angle), my = sin(f - angle);
        double reach = a[0] * fabs(nx) + a[1] * fabs(ny) + b[0] * fabs(mx) + b[1] * fabs(my);
        least = fmin(least, reach - nx * x - ny * y);
    }
    return least;
}

static void boxes(void **state)
{
    (void)state;
    const double a[2] = {0.5, 0.3}, b[2] = {0.25, 0.4};
    subject s = make(box(2 * a[0], 2 * a[1]), box(2 * b[0], 2 * b[1]));
    int overlaps = 0;
    for (uint64_t i = 0; i < 60; i++) {
        double x = ts_random_range(1, 0, i, -0.7, 0.7), y = ts_random_range(1, 1, i, -0.7, 0.7);
        double angle = i % 3 ? ts_random_range(1, 2, i, -4, 4) : 0, depth = boxes_depth(a, b, x, y, angle);
        double tolerance = i % 2 ? 1e-3 : 1e-5, gap = true_gap(&s, x, y, angle, tolerance);
        if (depth <= 0) {
            assert_true(gap == balanced_gap(&s, x, y, angle) && gap >= 0);
            continue;
        }
        overlaps++;
        NEAR(gap, -depth, tolerance + 1e-12);
        assert_true(gap <= -depth + 1e-12);                        /* a way out is never too short, */
        assert_true(gap <= balanced_gap(&s, x, y, angle) + 1e-12); /* so it leaves the disc that fits into both */
    }
    assert_true(overlaps > 20);
    drop(&s);
}

static void discs(void **state)
{
    (void)state;
    subject s = make(ring_or_disc(1, 0), ring_or_disc(0.4, 0));
    for (int i = 0; i <= 15; i++) {
        double d = 0.1 * i;
        NEAR(true_gap(&s, d * cos(i), d * sin(i), 0.3 * i, 1e-3), d - 1.4, 1.001e-3);
    }
    drop(&s);
}

/* Out through the hole or to the outside, whichever is nearer; and when the disc no longer fits in the hole, all of a
 * sudden only to the outside. */
static void pockets(void **state)
{
    (void)state;
    subject s = make(ring_or_disc(1, 0.6), ring_or_disc(0.15, 0));
    for (int i = 0; i < 20; i++) {
        double d = 0.46 + 0.03 * i;
        NEAR(true_gap(&s, d * cos(i), d * sin(i), i, 1e-4), -fmin(d + 0.15 - 0.6, 1 - (d - 0.15)), 1.001e-4);
    }
    drop(&s);
    const double radius[2] = {0.59, 0.61}, expected[2] = {-0.02, -(1.61 - 0.03)}, balanced[2] = {-0.02, -0.04};
    for (int k = 0; k < 2; k++) {
        s = make(ring_or_disc(1, 0.6), ring_or_disc(radius[k], 0));
        NEAR(true_gap(&s, 0.03, 0, 0, 1e-2), expected[k], 1.001e-2);
        NEAR(balanced_gap(&s, 0.03, 0, 0), balanced[k], 1e-12);
        drop(&s);
    }
}

/* Whatever the shapes: no shift that is shorter by more than the tolerance leads out, and one of that length does. */
static void nothing_shorter_leads_out(void **state)
{
    (void)state;
    subject s = make(form_make(HASH, 1), form_make(ZED, 0.8));
    const double tolerance = 0.01;
    double unit = s.pair->unit;
    for (uint64_t i = 0; i < 12; i++) {
        double x = unit * ts_random_range(2, 0, i, -1, 1), y = unit * ts_random_range(2, 1, i, -1, 1);
        double angle = ts_random_range(2, 2, i, -3, 3), depth = -true_gap(&s, x, y, angle, tolerance);
        if (depth <= 0)
            continue;
        assert_true(depth >= -balanced_gap(&s, x, y, angle) - 1e-12);
        bool leads_out = false;
        for (int k = 0; k < 720; k++) {
            double c = cos(k * TS_PI / 360), n = sin(k * TS_PI / 360);
            for (double share = 0.1; share < 0.95; share += 0.2) {
                double shorter = share * (depth - tolerance);
                assert_true(balanced_gap(&s, x + shorter * c, y + shorter * n, angle) < 0);
            }
            /* a direction between these leads out: this near it the depth left is no more than the arc between them */
            leads_out |= balanced_gap(&s, x + depth * c, y + depth * n, angle) > -depth * TS_PI / 720 - 1e-9;
        }
        assert_true(leads_out);
    }
    drop(&s);
}

/* Where every direction is as good as the next, a fine tolerance asks for more squares than there is time for. That is
 * said. */
static void too_fine_is_said(void **state)
{
    (void)state;
    subject s = make(ring_or_disc(1, 0), ring_or_disc(0.4, 0));
    NEAR(true_gap(&s, 0, 0, 0, 1e-2), -1.4, 1.001e-2);
    assert_true(isnan(true_gap(&s, 0, 0, 0, 1e-9)));
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(discs),
        cmocka_unit_test(pockets),
        cmocka_unit_test(nothing_shorter_leads_out),
        cmocka_unit_test(too_fine_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
