/* SPDX-License-Identifier: MIT */
/* Four lanes against one: the bits of every operation equal those of the scalar expression, and all results together
 * have one hash, which every compiler and instruction set must reproduce. test_simd_avx2.c runs the same for AVX2. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cpu.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/simd.h"

#define TRIALS 20000

/* Random bits hit every exponent, a range near 1 makes roundings matter, and one in eight is awkward. */
static double any(uint64_t index)
{
    static const double awkward[] = {0.0,        -0.0, (double)INFINITY, -(double)INFINITY, 5e-324,
                                     -0x1p-1022, 1.0,  (double)NAN};
    uint64_t bits = ts_random_u64(11, 0, index);
    if (bits % 8 == 0)
        return awkward[(bits >> 8) % 8];
    if (bits % 8 < 4)
        return ts_random_range(11, 1, index, -10, 10);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Fails unless both have the same bits; a NaN's own bits are the processor's choice and do not count. */
static void same(ts_hash_stream *hash, double lane, double scalar)
{
    if (isnan(lane) && isnan(scalar))
        lane = scalar = 0.5;
    assert_memory_equal(&lane, &scalar, sizeof lane);
    ts_hash_add(hash, &lane, sizeof lane);
}

static void lanes_have_the_bits_of_scalars(void **state)
{
    (void)state;
    ts_hash_stream hash;
    ts_hash_begin(&hash, 0);
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        double p[5], q[4], r[4], s[4];
        for (uint64_t j = 0; j < 4; j++) {
            p[j + 1] = any(12 * trial + j); /* off by one: loads need no alignment */
            q[j] = any(12 * trial + 4 + j);
            r[j] = any(12 * trial + 8 + j);
        }
        ts_f64x4 a = ts_f64x4_load(p + 1), b = ts_f64x4_load(q), c = ts_f64x4_load(r);
        ts_f64x4 fused = a * b + c, quotient = a / b, root = ts_f64x4_sqrt(ts_f64x4_abs(a)), low = ts_f64x4_min(a, b),
                 high = ts_f64x4_max(a, b), chosen = ts_f64x4_select(ts_f64x4_less(a, b), c, a);
        ts_i64x4 less = ts_f64x4_less(a, b), not_more = ts_f64x4_less_equal(a, b), equal = ts_f64x4_equal(a, b);
        int less_bits = 0, not_more_bits = 0, equal_bits = 0;
        for (int j = 0; j < 4; j++) {
            double x = p[j + 1], y = q[j], z = r[j];
            volatile double product = x * y; /* rounded by itself, whatever the compiler would like */
            same(&hash, fused[j], product + z);
            same(&hash, quotient[j], x / y);
            same(&hash, root[j], sqrt(fabs(x)));
            same(&hash, low[j], x < y ? x : y);
            same(&hash, high[j], x > y ? x : y);
            same(&hash, chosen[j], x < y ? z : x);
            less_bits |= (x < y) << j;
            not_more_bits |= (x <= y) << j;
            equal_bits |= (x == y) << j;
        }
        assert_int_equal(ts_mask_bits(less), less_bits);
        assert_int_equal(ts_mask_bits(not_more), not_more_bits);
        assert_int_equal(ts_mask_bits(equal), equal_bits);
        ts_f64x4_store(s, a);
        for (int j = 0; j < 4; j++)
            same(&hash, s[j], p[j + 1]);
        same(&hash, ts_f64x4_sum(a), (p[1] + p[2]) + (p[3] + p[4]));
    }
    /* recorded with gcc 12 for SSE2; clang 14, AVX2 and every level of optimisation agree */
    assert_true(ts_hash_end(&hash) == 0xa873021a95beb6dcu);
}

static void signs_and_masks_are_exact(void **state)
{
    (void)state;
    ts_f64x4 a = ts_f64x4_abs(ts_f64x4_make(-0.0, -(double)INFINITY, -5e-324, 2));
    assert_false(signbit(a[0]));
    assert_true(isinf(a[1]) && a[1] > 0 && a[2] == 5e-324 && a[3] == 2);
    ts_f64x4 zero = ts_f64x4_broadcast(0);
    assert_int_equal(ts_mask_bits(ts_f64x4_less(zero, a)), 14);
    assert_int_equal(ts_mask_bits(ts_f64x4_equal(zero, a)), 1);
    const double table[5] = {10, 11, 12, 13, 14};
    ts_f64x4 g = ts_f64x4_gather(table, (const int32_t[4]){4, 0, 3, 3});
    assert_true(g[0] == 14 && g[1] == 10 && g[2] == 13 && g[3] == 13);
}

static void transposing_swaps_rows_and_columns(void **state)
{
    (void)state;
    double m[4][4];
    for (int i = 0; i < 16; i++)
        m[i / 4][i % 4] = i;
    ts_f64x4 a = ts_f64x4_load(m[0]), b = ts_f64x4_load(m[1]), c = ts_f64x4_load(m[2]), d = ts_f64x4_load(m[3]);
    ts_f64x4_transpose(&a, &b, &c, &d);
    for (int j = 0; j < 4; j++)
        assert_true(a[j] == m[j][0] && b[j] == m[j][1] && c[j] == m[j][2] && d[j] == m[j][3]);
    ts_f64x4_transpose(&a, &b, &c, &d);
    for (int j = 0; j < 4; j++)
        assert_true(a[j] == m[0][j] && b[j] == m[1][j] && c[j] == m[2][j] && d[j] == m[3][j]);
}

int main(void)
{
#if defined(__AVX__)
    if (ts_cpu_detected() < TS_CPU_AVX2)
        return 77; /* skipped: this machine cannot run it */
#endif
    const struct CMUnitTest test[] = {
        cmocka_unit_test(lanes_have_the_bits_of_scalars),
        cmocka_unit_test(signs_and_masks_are_exact),
        cmocka_unit_test(transposing_swaps_rows_and_columns),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
