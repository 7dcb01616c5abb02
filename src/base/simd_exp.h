/* SPDX-License-Identifier: MIT */
/* Exponential, logarithm, softplus, sigmoid and hyperbolic tangent of four or eight doubles at a time, and of one.
 *
 * Written in the operations of base/simd.h alone, so the bits agree between instruction sets, widths and a single value.
 * F stands for ts_f64x4 or ts_f64x8; the scalar twin of F_exp is ts_exp, and so on.
 *
 *     F_exp(x)       e^x; underflows to 0 through the subnormal numbers, overflows to infinity
 *     F_log(x)       natural; log 0 = -infinity, NaN below 0; subnormal numbers are served
 *     F_softplus(x)  log(1 + e^x), with its small relative error where it tends to 0, too
 *     F_sigmoid(x)   1 / (1 + e^(-x))
 *     F_tanh(x)
 *
 * Errors: below 1 unit in the last place for exp and log, below 3 for the others. NaN gives NaN.
 *
 * For kernels there are cores that leave out what their arguments never need:
 *
 *     F_exp_core(x)      x ≤ 709; below -708 the result stays at 3e-308
 *     F_exp2_core(x)     2^x for x ≤ 1023; below -1020 the result stays at 9e-308; error below 1.1 units
 *     F_log_core(x)      x normal, positive and finite
 *     F_log1p_core(e)    log(1 + e) for e in [0, 1]
 *
 *     e^x      x = k ln 2 + r, ln 2 in two parts; r + r² Q(r), Q of degree 9 (Chebyshev fit, 2e-17)
 *     log x    x = 2^k (1 + f); s = f / (2 + f), and a polynomial in s² (coefficients: fdlibm) */
#pragma once

#include "base/simd8.h"
#include "base/simd_trig.h"

#define TS_LOG2_E   1.44269504088896340736
#define TS_LN2      0.69314718055994530942
#define TS_LN2_HIGH 6.93147180369123816490e-01 /* its last 21 bits are 0, so that k · TS_LN2_HIGH is exact */
#define TS_LN2_LOW  1.90821492927058770002e-10

#define TS_EXP_2    0.5000000000000001
#define TS_EXP_3    0.16666666666666669
#define TS_EXP_4    0.04166666666662399
#define TS_EXP_5    0.008333333333330051
#define TS_EXP_6    0.0013888888917281794
#define TS_EXP_7    0.00019841269863105968
#define TS_EXP_8    2.480152119021773e-05
#define TS_EXP_9    2.7557268378684192e-06
#define TS_EXP_10   2.7620138719733994e-07
#define TS_EXP_11   2.5100424157005067e-08

#define TS_LOG_1    6.666666666666735130e-01
#define TS_LOG_2    3.999999999940941908e-01
#define TS_LOG_3    2.857142874366239149e-01
#define TS_LOG_4    2.222219843214978396e-01
#define TS_LOG_5    1.818357216161805012e-01
#define TS_LOG_6    1.531383769920937332e-01
#define TS_LOG_7    1.479819860511658591e-01

TS_SIMD ts_f64x8 ts_f64x8_abs(ts_f64x8 a)
{
    const ts_i64x8 magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    return (ts_f64x8)((ts_i64x8)a & magnitude);
}

#define REAL    ts_f64x4
#define WORD    ts_i64x4
#define NAME(f) ts_f64x4_##f
#include "base/simd_exp_lanes.h"
#undef REAL
#undef WORD
#undef NAME

#define REAL    ts_f64x8
#define WORD    ts_i64x8
#define NAME(f) ts_f64x8_##f
#include "base/simd_exp_lanes.h" // NOLINT(readability-duplicate-include): once for each width
#undef REAL
#undef WORD
#undef NAME

/* One value, as a vector with the same value in all lanes. */
static inline double ts_exp(double x)
{
    return ts_f64x4_exp(ts_f64x4_broadcast(x))[0];
}
static inline double ts_log(double x)
{
    return ts_f64x4_log(ts_f64x4_broadcast(x))[0];
}
static inline double ts_softplus(double x)
{
    return ts_f64x4_softplus(ts_f64x4_broadcast(x))[0];
}
static inline double ts_sigmoid(double x)
{
    return ts_f64x4_sigmoid(ts_f64x4_broadcast(x))[0];
}
static inline double ts_tanh(double x)
{
    return ts_f64x4_tanh(ts_f64x4_broadcast(x))[0];
}
