/* SPDX-License-Identifier: MIT */
/* The sampled gap against closed forms, and against a plain loop over the whole grid. */
#include "cspace/sampled.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "support/check.h"

static ts_outline *disc(double radius)
{
    ts_outline *o;
    OK(ts_outline_disc(radius, &o, ERROR));
    return o;
}

static ts_outline *box(double width, double height)
{
    ts_outline *o;
    OK(ts_outline_box(width, height, 0, &o, ERROR));
    return o;
}

static ts_outline *crescent(void)
{
    ts_outline *o;
    OK(ts_outline_arc(1, 0.4, 4, true, &o, ERROR));
    return o;
}

/* Takes the outlines over. */
static ts_pair *pair_of(ts_outline *a, ts_outline *b)
{
    ts_pair *pair;
    OK(ts_pair_create(a, b, &pair, ERROR));
    ts_outline_free(a);
    ts_outline_free(b);
    return pair;
}

static void ask(const ts_pair *pair, int32_t grid, bool refine, size_t count, ts_fields *f)
{
    ts_sampled *sampled;
    OK(ts_sampled_create(pair, grid, refine, &sampled, ERROR));
    ts_sampled_query(sampled, count, f);
    ts_sampled_free(sampled);
}

static void set_pose(ts_fields *f, size_t k, double x, double y, double angle)
{
    f->x[k] = x;
    f->y[k] = y;
    f->angle[k] = angle;
}

/* Two discs: gap = distance of centres - 2, normal along them, no torque, contact midway. */
static void discs(void **state)
{
    (void)state;
    ts_pair *pair = pair_of(disc(3), disc(3));
    ts_fields f;
    const double far[] = {0.7, 1.3, 1.9, 1.999999, 2, 2.000001, 2.1, 2.7};
    for (size_t k = 0; k < 8; k++)
        set_pose(&f, k, far[k] * cos(0.3 + (double)k), far[k] * sin(0.3 + (double)k), (double)k);
    ask(pair, 201, true, 8, &f);
    for (size_t k = 0; k < 8; k++) {
        double angle = 0.3 + (double)k;
        NEAR(f.gap[k], far[k] - 2, 1e-8);
        NEAR(f.gx[k], cos(angle), 1e-4);
        NEAR(f.gy[k], sin(angle), 1e-4);
        NEAR(f.gangle[k], 0, 1e-4);
        NEAR(f.arm[k], 0.5 * far[k], 1e-7);
    }
    /* from the grid alone: the larger distance is off by at most half a diagonal of a cell, the sum of both by no more
     * than twice that */
    for (int32_t grid = 51; grid <= 201; grid += 50) {
        ask(pair, grid, false, 8, &f);
        for (size_t k = 0; k < 8; k++)
            NEAR(f.gap[k], far[k] - 2, 2 * (2 + far[k]) / (grid - 1));
    }
    ts_pair_free(pair);
}

/* Two squares of half side h: face to face, and a corner against a face. */
static void boxes(void **state)
{
    (void)state;
    ts_pair *pair = pair_of(box(1, 1), box(1, 1));
    const double h = sqrt(0.5); /* half a side, when the corners are 1 away */
    ts_fields f;
    set_pose(&f, 0, 2 * h + 0.1, 0.3, 0);
    set_pose(&f, 1, 2 * h - 0.2, 0.11, TS_PI / 2);
    set_pose(&f, 2, h + 1 + 0.05, 0.2, TS_PI / 4);
    /* corner 0.1 deep in a face: the disc touches the face, and both sides of the corner at √2 radii from its tip: r (1
     * + √2) = 0.1 */
    set_pose(&f, 3, h + 1 - 0.1, 0.2, TS_PI / 4);
    /* corner to corner */
    set_pose(&f, 4, 2 * h + 0.03, 2 * h + 0.04, 0);
    ask(pair, 201, true, 5, &f);
    const double gap[] = {0.1, -0.2, 0.05, -2 * 0.1 / (1 + sqrt(2)), 0.05};
    for (size_t k = 0; k < 5; k++)
        NEAR(f.gap[k], gap[k], 1e-8);
    for (size_t k = 0; k < 3; k++) {
        NEAR(f.gx[k], 1, 1e-8);
        NEAR(f.gy[k], 0, 1e-4); /* where the minimum is smooth, its place is known to the root of rounding */
    }
    NEAR(f.gangle[2], 0, 1e-4); /* the corner lies on the line through B's centre along the normal */
    NEAR(f.arm[2], h + 0.025, 1e-6);
    NEAR(f.gx[4], 0.6, 1e-6);
    NEAR(f.gy[4], 0.8, 1e-6);
    NEAR(f.gangle[4], -h * 0.8 + h * 0.6, 1e-6); /* r = (-h, -h): r × n */
    ts_pair_free(pair);
}

/* All points of the grid, one after the other. */
static double plain(const ts_pair *p, int32_t grid, double x, double y, double angle, double *larger)
{
    double low_x = fmin(-p->radius_a, x - p->radius_b), low_y = fmin(-p->radius_a, y - p->radius_b);
    double step_x = (fmax(p->radius_a, x + p->radius_b) - low_x) / (grid - 1);
    double step_y = (fmax(p->radius_a, y + p->radius_b) - low_y) / (grid - 1);
    double least = HUGE_VAL, gap = 0, c = cos(angle), s = sin(angle);
    for (int32_t j = 0; j < grid; j++)
        for (int32_t i = 0; i < grid; i++) {
            double px = low_x + step_x * i, py = low_y + step_y * j, a, b;
            double dx = px - x, dy = py - y, qx = c * dx + s * dy, qy = c * dy - s * dx;
            ts_outline_distance(p->a, 1, &px, &py, &a, NULL, NULL);
            ts_outline_distance(p->b, 1, &qx, &qy, &b, NULL, NULL);
            if (fmax(a, b) < least) {
                least = fmax(a, b);
                gap = a + b;
            }
        }
    *larger = least;
    return gap;
}

/* What is skipped cannot be the minimum: the same bits as without skipping. */
static void skipping_changes_nothing(void **state)
{
    (void)state;
    const int32_t grid[] = {2, 9, 40, 65};
    for (int shape = 0; shape < 3; shape++) {
        ts_pair *pair = shape == 0   ? pair_of(crescent(), box(1, 0.4))
                        : shape == 1 ? pair_of(box(1, 1), box(1, 1))
                                     : pair_of(crescent(), crescent());
        ts_fields f;
        for (uint64_t k = 0; k < 24; k++)
            set_pose(&f, k, ts_random_range(7, k, 0, -2, 2), k % 4 ? ts_random_range(7, k, 1, -2, 2) : 0,
                     k % 4 ? ts_random_range(7, k, 2, -4, 4) : 0);
        for (size_t g = 0; g < 4; g++) {
            ask(pair, grid[g], false, 24, &f);
            for (size_t k = 0; k < 24; k++) {
                double least, gap = plain(pair, grid[g], f.x[k], f.y[k], f.angle[k], &least);
                assert_memory_equal(&gap, &f.gap[k], sizeof gap);
            }
        }
        ts_pair_free(pair);
    }
}

/* Refined, the gap is twice the larger distance at its least: never above the grid's best point, and no farther below
 * the best of a finer grid than half a diagonal of its cells. */
static void refined_is_least(void **state)
{
    (void)state;
    ts_pair *pair = pair_of(crescent(), box(1, 0.6));
    for (uint64_t k = 0; k < 12; k++) {
        ts_fields f;
        double coarse, fine;
        set_pose(&f, 0, ts_random_range(3, k, 0, -1.6, 1.6), ts_random_range(3, k, 1, -1.6, 1.6), (double)k);
        plain(pair, 61, f.x[0], f.y[0], f.angle[0], &coarse);
        plain(pair, 241, f.x[0], f.y[0], f.angle[0], &fine);
        ask(pair, 61, true, 1, &f);
        assert_true(f.gap[0] <= 2 * coarse);
        NEAR(f.gap[0], 2 * fine, 2 * 0.71 * 3.6 / 240);
        NEAR(hypot(f.gx[0], f.gy[0]), 1, 1e-12);
    }
    ts_pair_free(pair);
}

static void one_or_many(void **state)
{
    (void)state;
    ts_pair *pair = pair_of(crescent(), box(1, 0.6));
    ts_fields all, one;
    for (uint64_t k = 0; k < 10; k++)
        set_pose(&all, k, ts_random_range(4, k, 0, -1.6, 1.6), ts_random_range(4, k, 1, -1.6, 1.6), (double)k);
    ask(pair, 33, false, 10, &all);
    for (size_t k = 0; k < 10; k++) {
        set_pose(&one, 0, all.x[k], all.y[k], all.angle[k]);
        ask(pair, 33, false, 1, &one);
        assert_memory_equal(&one.gap[0], &all.gap[k], 8);
        assert_memory_equal(&one.gangle[0], &all.gangle[k], 8);
        assert_memory_equal(&one.arm[0], &all.arm[k], 8);
    }
    ts_pair_free(pair);
}

static void bad_grids(void **state)
{
    (void)state;
    ts_pair *pair = pair_of(disc(1), disc(1));
    ts_sampled *sampled;
    assert_int_equal(ts_sampled_create(pair, 1, false, &sampled, ERROR), TS_BAD_INPUT);
    assert_null(sampled);
    assert_non_null(strstr(ERROR->message, "2 to 4096"));
    assert_int_equal(ts_sampled_create(pair, 5000, false, &sampled, ERROR), TS_BAD_INPUT);
    ts_sampled_free(NULL);
    ts_pair_free(pair);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(discs),
        cmocka_unit_test(boxes),
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(refined_is_least),
        cmocka_unit_test(one_or_many),
        cmocka_unit_test(bad_grids),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
