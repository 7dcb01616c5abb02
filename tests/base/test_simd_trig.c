/* SPDX-License-Identifier: MIT */
/* Sine, cosine and arc tangent of four lanes against the C library in extended precision. */
#include <math.h>

#include "base/random.h"
#include "base/simd_trig.h"
#include "support/check.h"

#define TRIALS 50000

static void sines_and_cosines(void **state)
{
    (void)state;
    const double range[] = {0.8, 4, 1e3, 1.5e6};
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x[4], worst = range[i % 4];
        for (uint64_t k = 0; k < 4; k++)
            x[k] = i % 5 ? ts_random_range(1, k, i, -worst, worst) /* or a multiple of π/4, nearly */
                         : floor(ts_random_range(1, k, i, -worst, worst)) * 0.78539816339744830962;
        ts_f64x4 s, c;
        ts_f64x4_sincos(ts_f64x4_load(x), &s, &c);
        for (int k = 0; k < 4; k++) {
            NEAR((double)((long double)s[k] - sinl((long double)x[k])), 0, 2e-16);
            NEAR((double)((long double)c[k] - cosl((long double)x[k])), 0, 2e-16);
        }
    }
}

/* Lanes that the polynomials cannot serve are the C library's; their neighbours do not notice. */
static void large_and_not_finite(void **state)
{
    (void)state;
    ts_f64x4 s, c, t, d;
    ts_f64x4_sincos(ts_f64x4_make(1, 1e9, (double)NAN, (double)INFINITY), &s, &c);
    ts_f64x4_sincos(ts_f64x4_make(1, 2, 3, 4), &t, &d);
    NEAR(s[0], t[0], 0);
    NEAR(c[0], d[0], 0);
    NEAR(s[1], sin(1e9), 1e-15);
    NEAR(c[1], cos(1e9), 1e-15);
    assert_true(isnan(s[2]) && isnan(c[2]) && isnan(s[3]) && isnan(c[3]));
    ts_f64x4_sincos(ts_f64x4_make(0, -0.0, 1.6e6, -1.6e6), &s, &c);
    NEAR(s[0], 0, 0);
    NEAR(c[0], 1, 0);
    NEAR(s[3], -s[2], 0);
    NEAR(c[3], c[2], 0);
}

static void directions(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x[4], y[4];
        for (uint64_t k = 0; k < 4; k++) {
            x[k] = ts_random_range(2, k, i, -1, 1) * (i % 3 ? 1 : 1e-9);
            y[k] = ts_random_range(2, k + 4, i, -1, 1) * (i % 4 ? 1 : 1e-5);
        }
        ts_f64x4 a = ts_f64x4_atan2(ts_f64x4_load(y), ts_f64x4_load(x));
        for (int k = 0; k < 4; k++)
            NEAR((double)((long double)a[k] - atan2l((long double)y[k], (long double)x[k])), 0, 5e-16);
    }
    ts_f64x4 a = ts_f64x4_atan2(ts_f64x4_make(0, 0, 1, -1), ts_f64x4_make(0, -1, 0, 0));
    const double right[4] = {0, acos(-1), acos(0), -acos(0)};
    for (int k = 0; k < 4; k++)
        NEAR(a[k], right[k], 0);
    a = ts_f64x4_atan2(ts_f64x4_make(1, -1, 1, -1), ts_f64x4_make(1, 1, -1, -1));
    for (int k = 0; k < 4; k++)
        NEAR(a[k], (k % 2 ? -1 : 1) * (k < 2 ? 0.25 : 0.75) * acos(-1), 5e-16);
}

static void floors(void **state)
{
    (void)state;
    const double value[] = {0, -0.0, 0.5, -0.5, 1, -1, 2.5, -2.5, 1e15 + 0.5, -1e15 - 0.5, 4e18, -4e18};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        NEAR(ts_f64x4_floor(ts_f64x4_broadcast(value[i]))[3], floor(value[i]), 0);
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x = ts_random_range(3, 0, i, -1e3, 1e3);
        NEAR(ts_f64x4_floor(ts_f64x4_broadcast(x))[1], floor(x), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_and_cosines),
        cmocka_unit_test(large_and_not_finite),
        cmocka_unit_test(directions),
        cmocka_unit_test(floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
