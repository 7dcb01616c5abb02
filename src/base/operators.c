/* SPDX-License-Identifier: MIT */
#include "touchstone/operators.h"

#include <math.h>
#include <stdbool.h>

#include "base/simd_exp.h"

static void put(double *slope, double value)
{
    if (slope)
        *slope = value;
}

/* ½ (sign + 1), NaN for NaN. */
static double step(double x)
{
    return x > 0 ? 1 : x < 0 ? 0 : x == 0 ? 0.5 : x;
}

/* ---- Of one number ---- */

double ts_op_greater(double x, double y, double tau, double *slope)
{
    const double d = x == y ? 0 : x - y; /* infinities, too */
    if (tau == 0) {
        put(slope, 0);
        return step(d);
    }
    const double above = ts_sigmoid(d / tau);
    put(slope, above * ts_sigmoid(-d / tau) / tau);
    return above;
}

double ts_op_less(double x, double y, double tau, double *slope)
{
    const double value = ts_op_greater(y, x, tau, slope);
    if (slope)
        *slope = -*slope;
    return value;
}

double ts_op_within(double x, double low, double high, double tau, double *slope)
{
    double rise, fall;
    const double above = ts_op_greater(x, low, tau, &rise), below = ts_op_less(x, high, tau, &fall);
    put(slope, rise * below + above * fall);
    return above * below;
}

double ts_op_sign(double x, double tau, double *slope)
{
    if (tau == 0) {
        put(slope, 0);
        return 2 * step(x) - 1;
    }
    /* 1 − tanh² = 4 σ(2x) σ(−2x), without cancellation where it vanishes */
    put(slope, 4 * ts_sigmoid(2 * x / tau) * ts_sigmoid(-2 * x / tau) / tau);
    return ts_tanh(x / tau);
}

double ts_op_relu(double x, double tau, double *slope)
{
    if (tau == 0) {
        put(slope, step(x));
        return x < 0 ? 0 : x;
    }
    put(slope, ts_sigmoid(x / tau));
    return x > 0 && isinf(x) ? x : tau * ts_softplus(x / tau);
}

double ts_op_clip(double x, double low, double high, double tau, double *slope)
{
    const double sharp = x < low ? low : x > high ? high : x;
    put(slope, ts_op_greater(x, low, tau, NULL) - ts_op_greater(x, high, tau, NULL));
    if (tau == 0)
        return sharp;
    /* relu(d) = max(d, 0) + τ log(1 + e^(−|d| / τ)): the maxima are the sharp clip, and nothing large is subtracted */
    return sharp + tau * (ts_softplus(-fabs(x - low) / tau) - ts_softplus(-fabs(x - high) / tau));
}

/* ---- Of many ---- */

static double highest(size_t count, const double *x)
{
    double top = x[0];
    for (size_t i = 1; i < count; i++)
        top = x[i] > top || isnan(x[i]) ? x[i] : top;
    return top;
}

/* e^((x − top) / τ), also of infinities; hard: whether it is on top. */
static double power(double x, double top, double tau)
{
    if (x == top)
        return 1;
    return tau == 0 ? x - x : ts_exp((x - top) / tau); /* NaN stays */
}

void ts_op_shares(size_t count, const double *x, double tau, double *share)
{
    if (count == 0)
        return;
    const double top = highest(count, x);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += share[i] = power(x[i], top, tau);
    for (size_t i = 0; i < count; i++)
        share[i] /= sum;
}

void ts_op_shares_vjp(size_t count, const double *share, double tau, const double *share_bar, double *x_bar)
{
    if (tau == 0)
        return;
    double mean = 0;
    for (size_t i = 0; i < count; i++)
        mean += share[i] * share_bar[i];
    for (size_t i = 0; i < count; i++)
        x_bar[i] += share[i] * (share_bar[i] - mean) / tau;
}

double ts_op_largest(size_t count, const double *x, double tau)
{
    const double top = highest(count, x);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += power(x[i], top, tau);
    return tau == 0 ? top : top + tau * ts_log(sum);
}

double ts_op_least(size_t count, const double *x, double tau)
{
    double low = x[0], sum = 0;
    for (size_t i = 1; i < count; i++)
        low = x[i] < low || isnan(x[i]) ? x[i] : low;
    for (size_t i = 0; i < count; i++)
        sum += power(-x[i], -low, tau);
    return tau == 0 ? low : low - tau * ts_log(sum);
}

/* ---- The K largest ---- */

/* Falling; of equal scores the first comes first. */
static void find_ranks(size_t count, const double *score, size_t keep, size_t *rank)
{
    size_t have = 0;
    for (size_t i = 0; i < count && keep > 0; i++) {
        if (have == keep && !(score[i] > score[rank[have - 1]]))
            continue;
        size_t at = have < keep ? have++ : have - 1;
        for (; at > 0 && score[i] > score[rank[at - 1]]; at--)
            rank[at] = rank[at - 1];
        rank[at] = i;
    }
}

void ts_op_top(size_t count, const double *score, size_t keep, double tau, size_t *rank, double *share)
{
    find_ranks(count, score, keep, rank);
    for (size_t k = 0; k < keep; k++) {
        double *row = share + k * count, sum = 0;
        const double target = score[rank[k]];
        for (size_t i = 0; i < count; i++) {
            if (tau == 0)
                row[i] = i == rank[k];
            else
                row[i] = score[i] == target ? 1 : ts_exp(-fabs(target - score[i]) / tau);
            sum += row[i];
        }
        for (size_t i = 0; i < count; i++)
            row[i] /= sum;
    }
}

void ts_op_top_vjp(size_t count, const double *score, size_t keep, double tau, const size_t *rank, const double *share,
                   const double *share_bar, double *score_bar)
{
    if (tau == 0)
        return;
    for (size_t k = 0; k < keep; k++) {
        const double *row = share + k * count, *bar = share_bar + k * count, target = score[rank[k]];
        double mean = 0;
        for (size_t i = 0; i < count; i++)
            mean += row[i] * bar[i];
        for (size_t i = 0; i < count; i++) { /* −|target − score| / τ by the score; by the target the opposite */
            const double slope = target > score[i] ? 1 / tau : target < score[i] ? -1 / tau : 0;
            const double go = row[i] * (bar[i] - mean) * slope;
            score_bar[i] += go;
            score_bar[rank[k]] -= go;
        }
    }
}
