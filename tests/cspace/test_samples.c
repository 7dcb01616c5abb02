/* SPDX-License-Identifier: MIT */
/* Training data: nine of ten samples near contact, the tenth anywhere; each a function of (seed, i) alone. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "cspace/train.h"
#include "support/check.h"

typedef struct forms {
    ts_pair *pair;
    ts_exact *exact;
} forms;

/* An L against a box: no symmetry that would fold it all away. */
static forms make_forms(void)
{
    const ts_vertex vertex[] = {{0, 0, 0}, {1, 0, 0}, {1, 0.3, 0}, {0.3, 0.3, 0}, {0.3, 1.4, 0}, {0, 1.4, 0}};
    forms f;
    ts_outline *a, *b;
    OK(ts_outline_create(&(ts_contour){vertex, 6, false}, 1, TS_RULE_NONZERO, &a, ERROR));
    OK(ts_outline_box(1, 0.5, 0, &b, ERROR));
    OK(ts_pair_create(a, b, &f.pair, ERROR));
    OK(ts_exact_create(f.pair, &f.exact, ERROR));
    ts_outline_free(a);
    ts_outline_free(b);
    return f;
}

static void free_forms(forms *f)
{
    ts_exact_free(f->exact);
    ts_pair_free(f->pair);
}

static ts_samples make(const forms *f, bool folded, size_t count, uint64_t seed, int threads)
{
    ts_fold fold = ts_fold_make(f->pair, folded);
    ts_pool *pool;
    ts_samples s;
    OK(ts_pool_create(threads, &pool, ERROR));
    OK(ts_samples_create(f->exact, f->pair, &fold, count, seed, &(ts_training){.pool = pool}, &s, ERROR));
    ts_pool_free(pool);
    return s;
}

/* Each is what the exact gap says of its pose, and is where it should be. */
static void test_true(void **state)
{
    (void)state;
    forms f = make_forms();
    for (int folded = 0; folded < 2; folded++) {
        ts_samples s = make(&f, folded, 1000, 5, 1);
        for (size_t i = 0; i < s.count; i++) {
            ts_exact_contact c = ts_exact_at(f.exact, (double)s.x[i], (double)s.y[i], (double)s.angle[i], HUGE_VAL);
            NEAR((double)s.gap[i], c.gap, 1e-7);
            double band = 0.1 * f.pair->small, reach = f.pair->reach + (ts_samples_near(i) ? band : 0);
            assert_true(hypot((double)s.x[i], (double)s.y[i]) <= reach * (1 + 1e-6));
            if (ts_samples_near(i))
                assert_true(fabs((double)s.gap[i]) <= band + 1e-6);
            /* the point lies half a gap from both outlines: outside of both, or inside both by as much */
            double distance, x = (double)s.point_x[i], y = (double)s.point_y[i];
            ts_outline_distance(f.pair->a, 1, &x, &y, &distance, NULL, NULL);
            NEAR(distance, 0.5 * c.gap, 1e-5);
            double length = hypot((double)s.normal_x[i], (double)s.normal_y[i]);
            assert_true(length == 0 || fabs(length - 1) < 1e-6);
        }
        ts_samples_free(&s);
    }
    free_forms(&f);
}

/* Chi-square of counts in equal cells, of the tenth that is anywhere; 20 cells: 43.8 is passed once in 1000. */
static double chi_square(const size_t *cell, size_t cells, size_t count)
{
    double expected = (double)count / (double)cells, sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += pow((double)cell[i] - expected, 2) / expected;
    return sum;
}

static void test_uniform(void **state)
{
    (void)state;
    enum { cells = 20 };
    forms f = make_forms();
    ts_samples s = make(&f, false, 20000, 11, 2);
    size_t radius[cells] = {0}, direction[cells] = {0}, angle[cells] = {0}, near = 0, far = 0, within = 0;
    for (size_t i = 0; i < s.count; i++) {
        double x = (double)s.x[i], y = (double)s.y[i], r = (x * x + y * y) / (f.pair->reach * f.pair->reach);
        if (ts_samples_near(i)) {
            near++;
            continue;
        }
        far++;
        within += fabs((double)s.gap[i]) <= 0.1 * f.pair->small;
        radius[(size_t)fmin(r * cells, cells - 1)]++;
        direction[(size_t)fmin((atan2(y, x) / (2 * TS_PI) + 0.5) * cells, cells - 1)]++;
        angle[(size_t)fmin(fmax((double)s.angle[i] / (2 * TS_PI) + 0.5, 0) * cells, cells - 1)]++;
    }
    assert_int_equal(near, 18000);
    assert_int_equal(far, 2000);
    assert_true(within < far / 2); /* the others are really elsewhere */
    assert_true(chi_square(radius, cells, far) < 43.8);
    assert_true(chi_square(direction, cells, far) < 43.8);
    assert_true(chi_square(angle, cells, far) < 43.8);
    ts_samples_free(&s);
    free_forms(&f);
}

/* Those near contact are spread evenly over that region: for two discs, r² is uniform between the band's two circles.
 * */
static void test_uniform_near(void **state)
{
    (void)state;
    enum { cells = 20 };
    forms f;
    ts_outline *a;
    OK(ts_outline_disc(2, &a, ERROR));
    OK(ts_pair_create(a, a, &f.pair, ERROR));
    OK(ts_exact_create(f.pair, &f.exact, ERROR));
    ts_outline_free(a);
    ts_samples s = make(&f, false, 5000, 2, 1);
    size_t radius[cells] = {0}, near = 0;
    double low = pow(2 - 0.1, 2), high = pow(2 + 0.1, 2); /* apart as well as overlapping */
    for (size_t i = 0; i < s.count; i++)
        if (ts_samples_near(i)) {
            double r = pow((double)s.x[i], 2) + pow((double)s.y[i], 2), share = (r - low) / (high - low);
            assert_true(share > -1e-5 && share < 1 + 1e-5);
            radius[(size_t)fmin(fmax(share, 0) * cells, cells - 1)]++;
            near++;
        }
    assert_true(chi_square(radius, cells, near) < 43.8);
    ts_samples_free(&s);
    free_forms(&f);
}

/* Neither the number of threads nor that of samples matters; the seed does. */
static void test_pure(void **state)
{
    (void)state;
    forms f = make_forms();
    ts_samples s = make(&f, true, 700, 5, 1), longer = make(&f, true, 1100, 5, 3), other = make(&f, true, 700, 6, 1);
    const float *first[] = {s.x, s.y, s.angle, s.gap, s.point_x, s.point_y, s.normal_x, s.normal_y};
    const float *second[] = {longer.x,       longer.y,       longer.angle,    longer.gap,
                             longer.point_x, longer.point_y, longer.normal_x, longer.normal_y};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_memory_equal(first[i], second[i], s.count * sizeof **first);
    assert_memory_not_equal(s.x, other.x, s.count * sizeof *s.x);
    ts_samples_free(&s);
    ts_samples_free(&longer);
    ts_samples_free(&other);
    free_forms(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_uniform_near),
        cmocka_unit_test(test_pure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
