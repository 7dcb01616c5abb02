/* SPDX-License-Identifier: MIT */
/* Exponentials and logarithms of vectors against the C library in extended precision, and one against four against eight
 * lanes. test_simd_exp_avx2.c and its like run the same for other instruction sets. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/simd_exp.h"

#define TRIALS 40000

typedef long double (*exact)(long double);
typedef double (*one)(double);

static long double softplusl(long double x)
{
    return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}
static long double sigmoidl(long double x)
{
    return x < 0 ? expl(x) / (1 + expl(x)) : 1 / (1 + expl(-x));
}

/* Error in units in the last place of the true value. */
static double units(double got, long double want)
{
    int exponent;
    frexpl(want, &exponent);
    exponent = exponent < -1021 ? -1021 : exponent;
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - 53));
}

static void check(one f, exact g, uint64_t stream, double low, double high, double limit)
{
    double worst = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x = ts_random_range(3, stream, i, low, high);
        if (i % 8 == 0)
            x *= 1e-8;
        double error = units(f(x), g((long double)x));
        worst = error > worst ? error : worst;
    }
    if (worst > limit)
        fail_msg("stream %d: %g units in the last place", (int)stream, worst);
}

static void close_to_the_true_value(void **state)
{
    (void)state;
    check(ts_exp, expl, 1, -1, 1, 1);
    check(ts_exp, expl, 2, -745, 709.7, 1);
    check(ts_log, logl, 3, 0, 2, 1);
    check(ts_log, logl, 4, 0, 1e300, 1);
    check(ts_softplus, softplusl, 5, -40, 40, 3);
    check(ts_softplus, softplusl, 6, -740, 1, 3);
    check(ts_sigmoid, sigmoidl, 7, -40, 40, 3);
    check(ts_sigmoid, sigmoidl, 8, -740, 1, 3);
    check(ts_tanh, tanhl, 9, -1, 1, 3);
    check(ts_tanh, tanhl, 10, -30, 30, 3);
}

static void ends_of_the_range(void **state)
{
    (void)state;
    const double inf = (double)INFINITY, nan = (double)NAN;
    assert_true(ts_exp(0) == 1 && ts_exp(-inf) == 0 && ts_exp(inf) == inf && ts_exp(-1e300) == 0 &&
                ts_exp(1e300) == inf);
    assert_true(ts_exp(709.79) == inf && ts_exp(709.78) < inf && ts_exp(-745.2) == 0 && ts_exp(-745.1) == 0x1p-1074);
    assert_true(ts_log(1) == 0 && ts_log(0) == -inf && ts_log(-0.0) == -inf && ts_log(inf) == inf && isnan(ts_log(-1)));
    assert_true(isnan(ts_log(-inf)));
    NEAR(ts_log(0x1p-1074), log(0x1p-1074), 1e-13);
    NEAR(ts_log(DBL_MAX), log(DBL_MAX), 1e-13);
    assert_true(ts_softplus(-inf) == 0 && ts_softplus(inf) == inf && ts_softplus(1e300) == 1e300 &&
                ts_softplus(-1e300) == 0);
    assert_true(ts_sigmoid(-inf) == 0 && ts_sigmoid(inf) == 1 && ts_sigmoid(0) == 0.5);
    assert_true(ts_tanh(-inf) == -1 && ts_tanh(inf) == 1 && ts_tanh(0) == 0 && signbit(ts_tanh(-0.0)));
    assert_true(isnan(ts_exp(nan)) && isnan(ts_log(nan)) && isnan(ts_softplus(nan)) && isnan(ts_sigmoid(nan)) &&
                isnan(ts_tanh(nan)));
}

static void cores_agree_where_they_may_be_used(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x = ts_random_range(3, 11, i, -707, 709), y = ts_exp(x), e = ts_random_range(3, 12, i, 0, 1);
        NEAR(ts_f64x4_exp_core(ts_f64x4_broadcast(x))[0], y, 0);
        NEAR(ts_f64x4_log_core(ts_f64x4_broadcast(y))[0], ts_log(y), 0);
        assert_true(units(ts_f64x4_log1p_core(ts_f64x4_broadcast(e))[0], log1pl((long double)e)) <= 1.5);
        const double two = ts_random_range(3, 13, i, -1020, 1023),
                     power = ts_f64x4_exp2_core(ts_f64x4_broadcast(two))[0];
        assert_true(units(power, exp2l((long double)two)) <= 1.1);
        NEAR(ts_f64x8_exp2_core(ts_f64x8_broadcast(two))[5], power, 0);
    }
    NEAR(ts_f64x4_exp2_core(ts_f64x4_broadcast(-1e9))[0], 0x1p-1020, 0);
}

/* All widths have the same bits, and every compiler and instruction set the same hash. */
static void widths_agree(void **state)
{
    (void)state;
    ts_hash_stream hash;
    ts_hash_begin(&hash, 0);
    for (uint64_t i = 0; i < TRIALS; i++) {
        double x[8], wide[5][8], half[5][4];
        for (uint64_t k = 0; k < 8; k++)
            x[k] = ts_random_range(3, 20 + k, i, -1, 1) * (i % 4 ? 30 : 800);
        const ts_f64x8 v = ts_f64x8_load(x);
        const ts_f64x4 u = ts_f64x4_load(x);
        ts_f64x8_store(wide[0], ts_f64x8_exp(v));
        ts_f64x8_store(wide[1], ts_f64x8_log(ts_f64x8_abs(v)));
        ts_f64x8_store(wide[2], ts_f64x8_softplus(v));
        ts_f64x8_store(wide[3], ts_f64x8_sigmoid(v));
        ts_f64x8_store(wide[4], ts_f64x8_tanh(v));
        ts_f64x4_store(half[0], ts_f64x4_exp(u));
        ts_f64x4_store(half[1], ts_f64x4_log(ts_f64x4_abs(u)));
        ts_f64x4_store(half[2], ts_f64x4_softplus(u));
        ts_f64x4_store(half[3], ts_f64x4_sigmoid(u));
        ts_f64x4_store(half[4], ts_f64x4_tanh(u));
        for (int f = 0; f < 5; f++)
            assert_memory_equal(wide[f], half[f], sizeof half[f]);
        for (int k = 0; k < 8; k++) {
            const double single[5] = {ts_exp(x[k]), ts_log(fabs(x[k])), ts_softplus(x[k]), ts_sigmoid(x[k]),
                                      ts_tanh(x[k])};
            for (int f = 0; f < 5; f++)
                assert_memory_equal(&wide[f][k], &single[f], sizeof single[f]);
        }
        ts_hash_add(&hash, wide, sizeof wide);
    }
    /* recorded with gcc 12 for SSE2 */
    assert_true(ts_hash_end(&hash) == 0x572e9096e1651db8u);
}

int main(void)
{
#if defined(__AVX512F__)
    if (ts_cpu_detected() < TS_CPU_AVX512)
        return 77; /* skipped: this machine cannot run it */
#elif defined(__AVX__)
    if (ts_cpu_detected() < TS_CPU_AVX2)
        return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_to_the_true_value),
        cmocka_unit_test(ends_of_the_range),
        cmocka_unit_test(cores_agree_where_they_may_be_used),
        cmocka_unit_test(widths_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
