/* SPDX-License-Identifier: MIT */
/* Anderson's acceleration: an affine map of few dimensions is solved in one step more than it has dimensions, whether
 * or not the map by itself would get there. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "solve/anderson.h"

#define MOST 7

/* g(x) − x for g(x) = x* + A (x − x*). */
static void residual(size_t n, double a[MOST][MOST], const double *goal, const double *x, double *f)
{
    for (size_t i = 0; i < n; i++) {
        f[i] = goal[i] - x[i];
        for (size_t j = 0; j < n; j++)
            f[i] += a[i][j] * (x[j] - goal[j]);
    }
}

static double length(size_t n, const double *f)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += f[i] * f[i];
    return sqrt(sum);
}

static void affine_maps_end(void **state)
{
    (void)state;
    ts_anderson a = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        ts_random r = ts_random_make(seed, 3);
        size_t n = 1 + seed % MOST;
        double matrix[MOST][MOST], goal[MOST], x[MOST] = {0}, f[MOST], size = seed % 2 ? 0.3 : 3;
        for (size_t i = 0; i < n; i++) {
            goal[i] = ts_random_next_range(&r, -1, 1);
            for (size_t j = 0; j < n; j++)
                matrix[i][j] = ts_random_next_range(&r, -size, size) - (i == j) * size;
        }
        OK(ts_anderson_begin(&a, n, ERROR));
        residual(n, matrix, goal, x, f);
        double first = length(n, f);
        for (size_t step = 0; step <= n; step++) {
            ts_anderson_step(&a, f, 1, x);
            residual(n, matrix, goal, x, f);
        }
        NEAR(length(n, f), 0, 1e-6 * first);
    }
    ts_anderson_free(&a);
}

/* What is a fixed point stays one; and a beginning knows nothing of what was before. */
static void fixed_points_stay(void **state)
{
    (void)state;
    ts_anderson a = {0};
    double x[2] = {0.5, -2}, f[2] = {0, 0}, y[2] = {1, 1}, g[2] = {0.5, 0.25};
    OK(ts_anderson_begin(&a, 2, ERROR));
    for (int step = 0; step < 20; step++)
        ts_anderson_step(&a, f, 1, x);
    assert_true(x[0] == 0.5 && x[1] == -2);
    ts_anderson_restart(&a);
    ts_anderson_step(&a, g, 0.5, y);
    assert_true(y[0] == 1.25 && y[1] == 1.125);
    ts_anderson_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_maps_end),
        cmocka_unit_test(fixed_points_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
