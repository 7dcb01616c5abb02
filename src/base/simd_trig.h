/* SPDX-License-Identifier: MIT */
/* Sine, cosine, arc tangent and floor of four doubles at a time.
 *
 * Written in the operations of base/simd.h alone, so the bits agree between instruction sets and with a single lane.
 * Errors against the true value, where nothing else is said: below 2e-16 for sine and cosine, below 5e-16 for the arc
 * tangent.
 *
 *     sine, cosine    x = k π/2 + r with π/2 in three parts, and a polynomial in r on [-π/4, π/4] (coefficients: fdlibm)
 *     arc tangent     the ratio is folded into [-tan π/8, tan π/8], and a quotient of polynomials (coefficients: Cephes)
 */
#pragma once

#include "base/simd.h"

/* Adding and taking away 1.5 · 2^52 rounds to the nearest integer, which then also stands in the low bits. */
#define TS_ROUNDER 6755399441055744.0

/* The largest integer not above a; |a| ≥ 2^51 is handed back as it is. */
TS_SIMD ts_f64x4 ts_f64x4_floor(ts_f64x4 a)
{
    ts_f64x4 near = (a + TS_ROUNDER) - TS_ROUNDER;
    ts_f64x4 below = near - ts_f64x4_select((ts_i64x4)(near > a), ts_f64x4_broadcast(1), ts_f64x4_broadcast(0));
    return ts_f64x4_select((ts_i64x4)(ts_f64x4_abs(a) < 2251799813685248.0), below, a);
}

/* The sign of `sign` on the magnitude of `a`. */
TS_SIMD ts_f64x4 ts_f64x4_copysign(ts_f64x4 a, ts_f64x4 sign)
{
    const ts_i64x4 magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    return (ts_f64x4)(((ts_i64x4)a & magnitude) | ((ts_i64x4)sign & ~magnitude));
}

/* Beyond 1.6e6 (260,000 turns), where three parts of π/2 no longer do, the C library is asked. Not finite: NaN. */
TS_SIMD void ts_f64x4_sincos(ts_f64x4 x, ts_f64x4 *sine, ts_f64x4 *cosine)
{
    ts_f64x4 shifted = x * 0.63661977236758134308 + TS_ROUNDER, k = shifted - TS_ROUNDER;
    ts_f64x4 r = x - k * 1.57079632673412561417e+00;
    r = r - k * 6.07710050630396597660e-11;
    r = r - k * 2.02226624879595063154e-21;
    ts_f64x4 z = r * r, half = 0.5 * z, one = 1.0 - half;
    ts_f64x4 s = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
    s = -1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * s));
    s = r + r * z * s;
    ts_f64x4 c = -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11);
    c = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * c));
    c = one + (((1.0 - one) - half) + z * z * c);
    /* a quarter turn exchanges the two, half a turn changes signs */
    ts_i64x4 quarter = (ts_i64x4)shifted, odd = -(quarter & 1);
    ts_i64x4 sign_s = (ts_i64x4)((quarter & 2) << 62), sign_c = (ts_i64x4)(((quarter + 1) & 2) << 62);
    *sine = (ts_f64x4)((ts_i64x4)ts_f64x4_select(odd, c, s) ^ sign_s);
    *cosine = (ts_f64x4)((ts_i64x4)ts_f64x4_select(odd, s, c) ^ sign_c);
    if (__builtin_expect(ts_mask_bits((ts_i64x4)(ts_f64x4_abs(x) < 1.6e6)) != 15, 0))
        for (int i = 0; i < 4; i++)
            if (!(fabs(x[i]) < 1.6e6)) {
                (*sine)[i] = sin(x[i]);
                (*cosine)[i] = cos(x[i]);
            }
}

/* The direction of (x, y) in [-π, π]; 0 for (0, 0). */
TS_SIMD ts_f64x4 ts_f64x4_atan2(ts_f64x4 y, ts_f64x4 x)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0);
    ts_f64x4 ax = ts_f64x4_abs(x), ay = ts_f64x4_abs(y);
    ts_f64x4 low = ts_f64x4_min(ax, ay), high = ts_f64x4_max(ax, ay);
    /* t = low / high in [0, 1]; from tan π/8 on  atan t = π/4 + atan (t - 1) / (t + 1) */
    ts_i64x4 upper = (ts_i64x4)(low > 0.41421356237309503 * high);
    ts_f64x4 t = ts_f64x4_select(upper, low - high, low) / ts_f64x4_select(upper, low + high, high);
    t = ts_f64x4_select((ts_i64x4)(high > 0.0), t, zero);
    ts_f64x4 z = t * t;
    ts_f64x4 p = -1.228866684490136173410e2 +
                 z * (-7.500855792314704667340e1 + z * (-1.615753718733365076637e1 + z * -8.750608600031904122785e-1));
    p = -6.485021904942025371773e1 + z * p;
    ts_f64x4 q = 4.328810604912902668951e2 + z * (1.650270098316988542046e2 + z * (2.485846490142306297962e1 + z));
    q = 1.945506571482613964425e2 + z * (4.853903996359136964868e2 + z * q);
    ts_f64x4 angle = t + t * (z * p / q);
    angle = angle + ts_f64x4_select(upper, ts_f64x4_broadcast(0.78539816339744830962), zero);
    angle = ts_f64x4_select((ts_i64x4)(ay > ax), 1.57079632679489661923 - angle, angle);
    angle = ts_f64x4_select((ts_i64x4)(x < 0.0), 3.14159265358979323846 - angle, angle);
    return ts_f64x4_copysign(angle, y);
}
