/* SPDX-License-Identifier: MIT */
/* Smooth operators against their definitions in extended precision, their hard limits, and central differences. */
#include "touchstone/operators.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "support/check.h"

/* Definitions in long double take doubles. */
#pragma GCC diagnostic ignored "-Wdouble-promotion"

enum { TRIALS = 2000, COUNT = 9, KEEP = 4 };

static double number(uint64_t stream, uint64_t i)
{
    return ts_random_normal(21, stream, i);
}

/* ---- Of one number ---- */

typedef double (*one)(double x, double tau, double *slope);
typedef long double (*exact)(long double x, long double tau);

#define LOW  (-0.4)
#define HIGH 0.7

static double greater(double x, double tau, double *slope)
{
    return ts_op_greater(x, 0.3, tau, slope);
}
static double less(double x, double tau, double *slope)
{
    return ts_op_less(x, 0.3, tau, slope);
}
static double within(double x, double tau, double *slope)
{
    return ts_op_within(x, LOW, HIGH, tau, slope);
}
static double clip(double x, double tau, double *slope)
{
    return ts_op_clip(x, LOW, HIGH, tau, slope);
}
static long double sigma(long double x)
{
    return 1 / (1 + expl(-x));
}
static long double relu_exact(long double x, long double tau)
{
    return fmaxl(x, 0) + tau * log1pl(expl(-fabsl(x) / tau));
}
static long double greater_exact(long double x, long double tau)
{
    return sigma((x - 0.3) / tau);
}
static long double less_exact(long double x, long double tau)
{
    return sigma((0.3 - x) / tau);
}
static long double within_exact(long double x, long double tau)
{
    return sigma((x - LOW) / tau) * sigma((HIGH - x) / tau);
}
static long double sign_exact(long double x, long double tau)
{
    return 2 * sigma(2 * x / tau) - 1;
}
static long double clip_exact(long double x, long double tau)
{
    return LOW + relu_exact(x - LOW, tau) - relu_exact(x - HIGH, tau);
}
static double hard_greater(double x)
{
    return x > 0.3 ? 1 : x < 0.3 ? 0 : 0.5;
}
static double hard_less(double x)
{
    return 1 - hard_greater(x);
}
static double hard_within(double x)
{
    return x == LOW || x == HIGH ? 0.5 : x > LOW && x < HIGH;
}
static double hard_sign(double x)
{
    return (x > 0) - (x < 0);
}
static double hard_relu(double x)
{
    return fmax(x, 0);
}
static double hard_clip(double x)
{
    return fmin(fmax(x, LOW), HIGH);
}

static const struct {
    one smooth;
    exact definition;
    double (*hard)(double x);
} operators[] = {{greater, greater_exact, hard_greater}, {less, less_exact, hard_less},
                 {within, within_exact, hard_within},    {ts_op_sign, sign_exact, hard_sign},
                 {ts_op_relu, relu_exact, hard_relu},    {clip, clip_exact, hard_clip}};

#define OPERATORS (sizeof operators / sizeof *operators)

static void as_defined(void **state)
{
    (void)state;
    const double taus[] = {1, 0.1, 0.003};
    for (size_t k = 0; k < OPERATORS; k++)
        for (int t = 0; t < 3; t++)
            for (uint64_t i = 0; i < TRIALS; i++) {
                const double x = i < 4 ? (double[]){0, 0.3, LOW, HIGH}[i] : number(1, i), tau = taus[t];
                const double value = operators[k].smooth(x, tau, NULL);
                const long double right = operators[k].definition(x, tau), h = 1e-6L * tau;
                NEAR(value, (double)right, 1e-14);
                double slope;
                assert_true(operators[k].smooth(x, tau, &slope) == value);
                const long double by_difference =
                    (operators[k].definition(x + h, tau) - operators[k].definition(x - h, tau)) / (2 * h);
                NEAR(slope, (double)by_difference, 1e-10 / tau);
            }
}

static void hard_limits(void **state)
{
    (void)state;
    for (size_t k = 0; k < OPERATORS; k++)
        for (uint64_t i = 0; i < TRIALS; i++) {
            const double x = i < 4 ? (double[]){0, 0.3, LOW, HIGH}[i] : number(2, i);
            NEAR(operators[k].smooth(x, 0, NULL), operators[k].hard(x), 0);
            NEAR(operators[k].smooth(x, 1e-14, NULL), operators[k].hard(x), 1e-12);
            double slope, h = 1e-9;
            (void)operators[k].smooth(x, 0, &slope);
            if (i >= 4 && fabs(x) > 1e-6 && fabs(x - 0.3) > 1e-6 && fabs(x - LOW) > 1e-6 && fabs(x - HIGH) > 1e-6)
                NEAR(slope, (operators[k].hard(x + h) - operators[k].hard(x - h)) / (2 * h), 1e-6);
        }
    double slope;
    (void)ts_op_relu(0, 0, &slope);
    NEAR(slope, 0.5, 0);
}

static void extremes(void **state)
{
    (void)state;
    const double taus[] = {0, 1e-300, 0.1, 1e300};
    for (size_t k = 0; k < OPERATORS; k++)
        for (size_t t = 0; t < 4; t++) {
            double slope;
            assert_true(isnan(operators[k].smooth((double)NAN, taus[t], &slope)) != 0);
            for (int side = -1; side <= 1; side += 2) {
                const double far = operators[k].smooth(side * 1e200, taus[t] > 1 ? 0.1 : taus[t], &slope);
                NEAR(far, operators[k].hard(side * 1e200), fabs(far) * 1e-15);
                assert_true(!isnan(slope));
                const double limit = operators[k].smooth(side * (double)INFINITY, taus[t] > 1 ? 0.1 : taus[t], &slope);
                assert_true(limit == operators[k].hard(side * (double)INFINITY) && !isnan(slope));
            }
        }
}

/* ---- Of many ---- */

static void shares(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        double x[COUNT], share[COUNT], bar[COUNT], x_bar[COUNT] = {0};
        const double tau = 0.02 + 0.5 * fabs(number(3, i));
        long double sum = 0, top = -(double)INFINITY;
        for (uint64_t k = 0; k < COUNT; k++) {
            x[k] = i % 4 == 3 ? floor(2 * number(4, COUNT * i + k)) : number(4, COUNT * i + k); /* ties, too */
            bar[k] = number(5, COUNT * i + k);
            top = fmaxl(top, x[k]);
        }
        for (int k = 0; k < COUNT; k++)
            sum += expl((x[k] - top) / tau);
        ts_op_shares(COUNT, x, tau, share);
        NEAR(ts_op_largest(COUNT, x, tau), (double)(top + tau * logl(sum)), 1e-14 * (1 + fabs((double)top)));
        ts_op_shares_vjp(COUNT, share, tau, bar, x_bar);
        double minus[COUNT];
        for (int k = 0; k < COUNT; k++)
            minus[k] = -x[k];
        NEAR(ts_op_least(COUNT, minus, tau), -ts_op_largest(COUNT, x, tau), 1e-15);
        for (int k = 0; k < COUNT; k++) {
            NEAR(share[k], (double)(expl((x[k] - top) / tau) / sum), 1e-14);
            double other[2][COUNT], slope = 0, bar_slope = 0;
            const double h = 1e-6 * tau, at = x[k];
            for (int side = 0; side < 2; side++) {
                x[k] = at + (side ? h : -h);
                ts_op_shares(COUNT, x, tau, other[side]);
                slope += (side ? 1 : -1) * ts_op_largest(COUNT, x, tau) / (2 * h);
            }
            x[k] = at;
            for (int j = 0; j < COUNT; j++)
                bar_slope += bar[j] * (other[1][j] - other[0][j]) / (2 * h);
            NEAR(slope, share[k], 1e-7);
            NEAR(x_bar[k], bar_slope, 1e-7 / tau);
        }
    }
    const double x[4] = {1, 3, 3, -2};
    double share[4], bar[4] = {1, 2, 3, 4}, x_bar[4] = {0};
    ts_op_shares(4, x, 0, share);
    const double half[4] = {0, 0.5, 0.5, 0}, zero[4] = {0};
    assert_memory_equal(share, half, sizeof half);
    ts_op_shares_vjp(4, share, 0, bar, x_bar);
    assert_memory_equal(x_bar, zero, sizeof zero);
    assert_true(ts_op_largest(4, x, 0) == 3 && ts_op_least(4, x, 0) == -2);
    const double far[2] = {-(double)INFINITY, 5};
    ts_op_shares(2, far, 0.1, share);
    assert_true(share[0] == 0 && share[1] == 1 && ts_op_largest(2, far, 0.1) == 5);
}

static void largest_few(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        double score[COUNT], share[KEEP * COUNT], bar[KEEP * COUNT], score_bar[COUNT] = {0};
        size_t rank[KEEP];
        const double tau = 0.02 + 0.2 * fabs(number(6, i));
        for (uint64_t k = 0; k < COUNT; k++)
            score[k] = number(7, COUNT * i + k);
        for (uint64_t k = 0; k < KEEP * COUNT; k++)
            bar[k] = number(8, KEEP * COUNT * i + k);
        ts_op_top(COUNT, score, KEEP, tau, rank, share);
        for (size_t k = 0; k < KEEP; k++) {
            long double sum = 0;
            size_t above = 0;
            for (size_t j = 0; j < COUNT; j++) {
                sum += expl(-fabsl((long double)score[rank[k]] - score[j]) / tau);
                above += score[j] > score[rank[k]];
            }
            assert_int_equal(above, k);
            for (size_t j = 0; j < COUNT; j++)
                NEAR(share[k * COUNT + j], (double)(expl(-fabsl((long double)score[rank[k]] - score[j]) / tau) / sum),
                     1e-14);
        }
        ts_op_top_vjp(COUNT, score, KEEP, tau, rank, share, bar, score_bar);
        for (int k = 0; k < COUNT; k++) {
            const double at = score[k], h = 1e-7 * tau;
            double sum = 0, other[KEEP * COUNT];
            for (int side = -1; side <= 1; side += 2) {
                score[k] = at + side * h;
                ts_op_top(COUNT, score, KEEP, tau, rank, other);
                for (int j = 0; j < KEEP * COUNT; j++)
                    sum += side * bar[j] * other[j] / (2 * h);
            }
            score[k] = at;
            NEAR(score_bar[k], sum, 1e-6 / tau);
        }
    }
    const double tied[5] = {1, 4, 2, 4, 3};
    double share[15];
    size_t rank[3];
    for (int soft = 0; soft < 2; soft++) {
        ts_op_top(5, tied, 3, soft ? 1e-6 : 0, rank, share);
        assert_true(rank[0] == 1 && rank[1] == 3 && rank[2] == 4);
        const double hard[15] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1},
                     equal[15] = {0, 0.5, 0, 0.5, 0, 0, 0.5, 0, 0.5, 0, 0, 0, 0, 0, 1};
        for (int k = 0; k < 15; k++)
            NEAR(share[k], soft ? equal[k] : hard[k], 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_defined), cmocka_unit_test(hard_limits),
                                       cmocka_unit_test(extremes), cmocka_unit_test(shares),
                                       cmocka_unit_test(largest_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
