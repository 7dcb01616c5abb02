/* SPDX-License-Identifier: MIT */
/* Philox against Random123's published answers; moments and evenness of what is made from it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"

/* kat_vectors of Random123 1.09, lines "philox4x32 10". */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ts_random_block block = ts_random_philox(known[i].counter, known[i].key);
        for (int j = 0; j < 4; j++)
            assert_int_equal(block.word[j], known[i].answer[j]);
    }
    /* the same answers through (seed, stream, index) */
    assert_true(ts_random_u64(0, 0, 0) == 0xe169c58d6627e8d5u);
    assert_true(ts_random_u64(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u) == 0x94fdccebd16cfe09u);
}

static void a_cursor_reads_the_same_numbers_as_the_function(void **state)
{
    (void)state;
    ts_random r = ts_random_make(7, 3);
    for (uint64_t i = 0; i < 100; i += 5) {
        assert_true(ts_random_next_u64(&r) == ts_random_u64(7, 3, i));
        assert_true(ts_random_next_uniform(&r) == ts_random_uniform(7, 3, i + 1));
        assert_true(ts_random_next_normal(&r) == ts_random_normal(7, 3, i + 2));
        assert_true(ts_random_next_below(&r, 17) == ts_random_below(7, 3, i + 3, 17));
        assert_true(ts_random_next_range(&r, 1, 2) == ts_random_range(7, 3, i + 4, 1, 2));
    }
    assert_true(r.counter == 100);
    assert_true(ts_random_u64(7, 3, 0) != ts_random_u64(7, 4, 0));
    assert_true(ts_random_u64(7, 3, 0) != ts_random_u64(8, 3, 0));
}

/* Means of n independent numbers lie within 5 standard errors of the law's, which fails once in a million seeds. */
static void uniform_numbers_have_the_right_moments(void **state)
{
    (void)state;
    int n = 200000;
    double sum = 0, square = 0, product = 0, before = 0.5;
    for (int i = 0; i < n; i++) {
        double u = ts_random_uniform(1, 2, (uint64_t)i);
        assert_true(u >= 0 && u < 1);
        assert_true(ldexp(u, 53) == floor(ldexp(u, 53)));
        sum += u;
        square += u * u;
        product += (u - 0.5) * (before - 0.5);
        before = u;
    }
    assert_true(fabs(sum / n - 0.5) < 5 * sqrt(1.0 / 12 / n));
    assert_true(fabs(square / n - 1.0 / 3) < 5 * sqrt(4.0 / 45 / n));
    assert_true(fabs(product / n) < 5 * (1.0 / 12) / sqrt(n)); /* neighbours are not correlated */
}

static void ranges_are_half_open(void **state)
{
    (void)state;
    double low = 1, high = nextafter(1, 2); /* one double wide: rounding must not give `high` */
    for (uint64_t i = 0; i < 1000; i++) {
        assert_true(ts_random_range(1, 1, i, low, high) == low);
        double x = ts_random_range(1, 1, i, -3, 5);
        assert_true(x >= -3 && x < 5);
    }
    assert_true(ts_random_range(1, 1, 0, 2, 2) == 2);
    assert_true(ts_random_range(1, 1, 0, 2, 1) == 2);
}

static void normal_numbers_have_the_right_moments(void **state)
{
    (void)state;
    int n = 200000, inside = 0;
    double sum = 0, square = 0, fourth = 0;
    for (int i = 0; i < n; i++) {
        double x = ts_random_normal(5, 6, (uint64_t)i);
        assert_true(isfinite(x));
        sum += x;
        square += x * x;
        fourth += x * x * x * x;
        inside += fabs(x) < 1;
    }
    assert_true(fabs(sum / n) < 5 / sqrt(n));
    assert_true(fabs(square / n - 1) < 5 * sqrt(2.0 / n));
    assert_true(fabs(fourth / n - 3) < 5 * sqrt(96.0 / n));
    double p = erf(sqrt(0.5)); /* 0.6827 */
    assert_true(fabs((double)inside / n - p) < 5 * sqrt(p * (1 - p) / n));
}

static void integers_below_n_are_even(void **state)
{
    (void)state;
    /* χ² of 7 values: mean 6, variance 12; 40 is beyond one in a million */
    int n = 70000, seen[7] = {0};
    for (int i = 0; i < n; i++)
        seen[ts_random_below(9, 9, (uint64_t)i, 7)]++;
    double chi = 0;
    for (int j = 0; j < 7; j++)
        chi += (seen[j] - n / 7.0) * (seen[j] - n / 7.0) / (n / 7.0);
    assert_true(chi < 40);
    /* with n = 3·2^62 a method that takes remainders makes the lower third twice as likely as the rest */
    uint64_t wide = (uint64_t)3 << 62, third = (uint64_t)1 << 62;
    int count[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint64_t x = ts_random_below(9, 10, (uint64_t)i, wide);
        assert_true(x < wide);
        count[x / third]++;
    }
    for (int j = 0; j < 3; j++)
        assert_true(abs(count[j] - 10000) < 5 * 82); /* √(30000·⅓·⅔) = 82 */
    assert_true(ts_random_below(1, 1, 1, 0) == 0);
    assert_true(ts_random_below(1, 1, 1, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(a_cursor_reads_the_same_numbers_as_the_function),
        cmocka_unit_test(uniform_numbers_have_the_right_moments),
        cmocka_unit_test(ranges_are_half_open),
        cmocka_unit_test(normal_numbers_have_the_right_moments),
        cmocka_unit_test(integers_below_n_are_even),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
