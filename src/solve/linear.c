/* SPDX-License-Identifier: MIT */
#include "solve/linear.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"

#define TOLERANCE 1e-12

enum { WIDTH = TS_LINEAR_DIMENSION_MAX + 1 };

typedef double row_of[WIDTH]; /* a, then b at [dimension] */

/* One unknown: an interval. */
static bool solve_line(const row_of *row, size_t count, double objective, double bound, double *x)
{
    double low = -bound, high = bound;
    for (size_t i = 0; i < count; i++) {
        const double a = row[i][0], b = row[i][1];
        if (fabs(a) < TOLERANCE) {
            if (b < -TOLERANCE)
                return false;
        } else if (a > 0)
            high = fmin(high, b / a);
        else
            low = fmax(low, b / a);
    }
    if (low > high + TOLERANCE * (1 + fabs(low)))
        return false;
    *x = objective > 0 ? high : objective < 0 ? low : fmin(fmax(0, low), high);
    return true;
}

static bool solve(int dimension, const row_of *row, size_t count, const double *objective, double bound, double *x,
                  row_of *spare);

/* The optimum on the hyperplane of row[at], among the rows before it; unknown k is eliminated. */
static bool solve_on(int dimension, const row_of *row, size_t at, const double *objective, double bound, double *x,
                     row_of *spare)
{
    const double *on = row[at];
    int k = 0;
    for (int j = 1; j < dimension; j++)
        if (fabs(on[j]) > fabs(on[k]))
            k = j;
    if (fabs(on[k]) < TOLERANCE)
        return false; /* 0·x ≤ b < 0 */
    size_t count = 0;
    for (size_t i = 0; i < at + 2; i++) {
        /* x_k ≤ bound and -x_k ≤ bound are rows, too, now */
        row_of whole = {0};
        if (i < at)
            memcpy(whole, row[i], sizeof whole);
        else {
            whole[k] = i == at ? 1 : -1;
            whole[dimension] = bound;
        }
        const double ratio = whole[k] / on[k];
        for (int j = 0, to = 0; j <= dimension; j++)
            if (j != k)
                spare[count][to++] = whole[j] - ratio * on[j];
        count++;
    }
    double goal[WIDTH] = {0}, y[WIDTH] = {0};
    for (int j = 0, to = 0; j < dimension; j++)
        if (j != k)
            goal[to++] = objective[j] - objective[k] * on[j] / on[k];
    if (!solve(dimension - 1, (const row_of *)spare, count, goal, bound, y, spare + count))
        return false;
    double sum = on[dimension];
    for (int j = 0, from = 0; j < dimension; j++)
        if (j != k) {
            x[j] = y[from++];
            sum -= on[j] * x[j];
        }
    x[k] = sum / on[k];
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): at most four deep
static bool solve(int dimension, const row_of *row, size_t count, const double *objective, double bound, double *x,
                  row_of *spare)
{
    if (dimension == 1)
        return solve_line(row, count, objective[0], bound, x);
    for (int j = 0; j < dimension; j++)
        x[j] = objective[j] > 0 ? bound : objective[j] < 0 ? -bound : 0;
    for (size_t i = 0; i < count; i++) {
        double sum = -row[i][dimension], size = fabs(row[i][dimension]);
        for (int j = 0; j < dimension; j++) {
            sum += row[i][j] * x[j];
            size += fabs(row[i][j] * x[j]);
        }
        if (sum > TOLERANCE * (1 + size) && !solve_on(dimension, row, i, objective, bound, x, spare))
            return false;
    }
    return true;
}

ts_status ts_linear_solve(int dimension, const double *row, size_t row_count, const double *objective, double bound,
                          double *x, ts_linear_outcome *outcome, ts_error *error)
{
    assert(dimension >= 1 && dimension <= TS_LINEAR_DIMENSION_MAX);
    TS_AUTO_FREE row_of *work = NULL;
    /* each unknown that goes leaves a copy of all rows, and two more */
    TS_TRY(ts_new(&work, (row_count + 8) * (size_t)dimension, error));
    for (size_t i = 0; i < row_count; i++)
        memcpy(work[i], row + i * (size_t)(dimension + 1), sizeof(double) * (size_t)(dimension + 1));
    for (size_t i = row_count; i > 1; i--) {
        const size_t other = (size_t)ts_random_below(17, 0, i, i);
        row_of kept;
        memcpy(kept, work[i - 1], sizeof kept);
        memcpy(work[i - 1], work[other], sizeof kept);
        memcpy(work[other], kept, sizeof kept);
    }
    double found[WIDTH];
    const bool solved = solve(dimension, (const row_of *)work, row_count, objective, bound, found, work + row_count);
    *outcome = solved ? TS_LINEAR_SOLVED : TS_LINEAR_EMPTY;
    if (solved)
        memcpy(x, found, sizeof(double) * (size_t)dimension);
    return TS_OK;
}
