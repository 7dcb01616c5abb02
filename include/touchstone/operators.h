/* SPDX-License-Identifier: MIT */
/**
 * @file operators.h
 * Smooth operators: comparison, sign, relu, clip, maximum, shares and the K largest, which have jumps and kinks, as
 * functions with derivatives. Smooth contact manifolds (manifold.h) are made of them.
 *
 *     τ > 0    smooth; differs from the hard one by a few τ about a kink, and by e^(−distance / τ) further away
 *     τ = 0    the hard one; its derivative, and ½ of both sides at a jump or kink
 *
 * τ has the unit of x. `slope` is the derivative by x; it may be NULL. NaN gives NaN, infinities give limits. With
 * σ(x) = 1 / (1 + e^(−x)), tanh(x) = 2σ(2x) − 1. The bits are the same on every machine.
 */
#pragma once

#include <stddef.h>

#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** [x > y]: σ((x − y) / τ). The slope by y is the negative one. */
TS_API double ts_op_greater(double x, double y, double tau, double *slope);
/** [x < y]. */
TS_API double ts_op_less(double x, double y, double tau, double *slope);
/** [low < x < high]: [x > low] [x < high]. */
TS_API double ts_op_within(double x, double low, double high, double tau, double *slope);
/** −1, 0 or 1: tanh(x / τ). */
TS_API double ts_op_sign(double x, double tau, double *slope);
/** max(x, 0): τ log(1 + e^(x / τ)). At 0 it is τ log 2. */
TS_API double ts_op_relu(double x, double tau, double *slope);
/** x within low … high: low + relu(x − low) − relu(x − high). */
TS_API double ts_op_clip(double x, double low, double high, double tau, double *slope);

/** Shares of numbers (count) that sum up to 1: softmax(x / τ). Hard: all to the largest, equally to equal ones. */
TS_API void ts_op_shares(size_t count, const double *x, double tau, double *share);
/** Adds the adjoints of x to x_bar, from those of shares. Hard: nothing. */
TS_API void ts_op_shares_vjp(size_t count, const double *share, double tau, const double *share_bar, double *x_bar);
/** The largest of numbers (count ≥ 1): τ log Σ e^(x / τ), up to τ log(count) too large. Its slopes are ts_op_shares. */
TS_API double ts_op_largest(size_t count, const double *x, double tau);
/** The least: −ts_op_largest of −x. */
TS_API double ts_op_least(size_t count, const double *x, double tau);

/**
 * The K = keep ≤ count largest scores, in falling order, by SoftSort: row k of `share` (keep · count) is
 * softmax(−|s_(k) − s_i| / τ) over i, s_(k) being the score of rank k. Σ share x chooses from any column x. `rank` (keep):
 * whose score that is; of equal ones the first comes first. Hard: 1 for it, 0 for all others.
 */
TS_API void ts_op_top(size_t count, const double *score, size_t keep, double tau, size_t *rank, double *share);
/** Adds the adjoints of scores to score_bar, from those of shares (keep · count). Hard: nothing. */
TS_API void ts_op_top_vjp(size_t count, const double *score, size_t keep, double tau, const size_t *rank,
                          const double *share, const double *share_bar, double *score_bar);

#ifdef __cplusplus
}
#endif
