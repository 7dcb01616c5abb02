/* SPDX-License-Identifier: MIT */
/* The functions of simd_exp.h for one width of vector. No header of its own: simd_exp.h includes it once for each width, with
 *
 *     REAL, WORD     the vector of doubles, and that of 64-bit integers which holds its masks
 *     NAME(f)        the full name of a function, such as ts_f64x4_##f */

/* 2^k for k in [-1022, 1023], of k + TS_ROUNDER. */
TS_SIMD REAL NAME(power_of_two)(REAL shifted)
{
    return (REAL)(((WORD)shifted << 52) + ((int64_t)1023 << 52));
}

/* e^r - 1 for |r| ≤ ln 2 / 2: r + r² Q(r). */
TS_SIMD REAL NAME(expm1_small)(REAL r)
{
    const REAL z = r * r, z2 = z * z;
    const REAL a = TS_EXP_2 + r * TS_EXP_3, b = TS_EXP_4 + r * TS_EXP_5, c = TS_EXP_6 + r * TS_EXP_7,
               d = TS_EXP_8 + r * TS_EXP_9, e = TS_EXP_10 + r * TS_EXP_11;
    return r + z * ((a + z * b) + z2 * ((c + z * d) + z2 * e));
}

/* x - k ln 2, and k + TS_ROUNDER. */
TS_SIMD REAL NAME(exp_reduce)(REAL x, REAL *shifted)
{
    *shifted = x * TS_LOG2_E + TS_ROUNDER;
    const REAL k = *shifted - TS_ROUNDER;
    return (x - k * TS_LN2_HIGH) - k * TS_LN2_LOW;
}

TS_SIMD REAL NAME(exp_core)(REAL x)
{
    REAL shifted, r = NAME(exp_reduce)(NAME(max)(x, NAME(broadcast)(-708)), &shifted);
    return (1.0 + NAME(expm1_small)(r)) * NAME(power_of_two)(shifted);
}

TS_SIMD REAL NAME(exp2_core)(REAL x)
{
    const REAL bounded = NAME(max)(x, NAME(broadcast)(-1020)), shifted = bounded + TS_ROUNDER;
    const REAL r = (bounded - (shifted - TS_ROUNDER)) * TS_LN2;
    return (1.0 + NAME(expm1_small)(r)) * NAME(power_of_two)(shifted);
}

TS_SIMD REAL NAME(exp)(REAL x)
{
    /* 2^k in two steps, so that results below the normal numbers are reached, and infinity */
    REAL shifted, bounded = NAME(min)(NAME(max)(x, NAME(broadcast)(-746)), NAME(broadcast)(710));
    REAL p = 1.0 + NAME(expm1_small)(NAME(exp_reduce)(bounded, &shifted));
    REAL half = (shifted - TS_ROUNDER) * 0.5 + TS_ROUNDER, rest = (shifted - TS_ROUNDER) - (half - TS_ROUNDER);
    p = (p * NAME(power_of_two)(half)) * NAME(power_of_two)(rest + TS_ROUNDER);
    return NAME(select)((WORD)(x == x), p, x); // NOLINT(misc-redundant-expression): only a NaN differs from itself
}

/* log(1 + f) + k ln 2 for 1 + f in [√½, √2], with s = f / (2 + f). */
TS_SIMD REAL NAME(log_of_quotient)(REAL f, REAL s, REAL k)
{
    const REAL z = s * s, w = z * z, half = 0.5 * f * f;
    const REAL even = w * (TS_LOG_2 + w * (TS_LOG_4 + w * TS_LOG_6));
    const REAL odd = z * ((TS_LOG_1 + w * TS_LOG_3) + (w * w) * (TS_LOG_5 + w * TS_LOG_7));
    return k * TS_LN2_HIGH + (((s * (half + (even + odd)) + k * TS_LN2_LOW) - half) + f);
}

TS_SIMD REAL NAME(log_reduced)(REAL f, REAL k)
{
    return NAME(log_of_quotient)(f, f / (2.0 + f), k);
}

/* x = 2^k m with m in [√½, √2]. */
TS_SIMD REAL NAME(log_split)(REAL x, REAL *k)
{
    /* k stands above the mantissa after this addition */
    const WORD bits = (WORD)x + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
    /* a whole number below 2^52 as the low bits of 2^52 */
    const WORD biased = ((bits >> 52) & 0xfff) | 0x4330000000000000;
    *k = (REAL)biased - (4503599627370496.0 + 1023.0);
    return (REAL)((bits & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
}

TS_SIMD REAL NAME(log_core)(REAL x)
{
    REAL k;
    const REAL m = NAME(log_split)(x, &k);
    return NAME(log_reduced)(m - 1.0, k);
}

TS_SIMD REAL NAME(log)(REAL x)
{
    const WORD small = (WORD)(x < 0x1p-1022);
    const REAL zero = NAME(broadcast)(0);
    REAL y = NAME(log_core)(NAME(select)(small, x * 0x1p54, x));
    y = y - NAME(select)(small, NAME(broadcast)(54 * TS_LN2), zero);
    y = NAME(select)((WORD)(x < (double)INFINITY), y, x);
    y = NAME(select)((WORD)(x == 0.0), NAME(broadcast)(-(double)INFINITY), y);
    return NAME(select)((WORD)(x < 0.0), NAME(broadcast)((double)NAN), y);
}

TS_SIMD REAL NAME(log1p_core)(REAL e)
{
    const WORD upper = (WORD)(e > 0.41421356237309503);
    const REAL f = NAME(select)(upper, (e - 1.0) * 0.5, e),
               k = NAME(select)(upper, NAME(broadcast)(1), NAME(broadcast)(0));
    return NAME(log_reduced)(f, k);
}

TS_SIMD REAL NAME(softplus)(REAL x)
{
    REAL y = NAME(max)(x, NAME(broadcast)(0)) + NAME(log1p_core)(NAME(exp)(-NAME(abs)(x)));
    return NAME(select)((WORD)(x == x), y, x); // NOLINT(misc-redundant-expression): only a NaN differs from itself
}

TS_SIMD REAL NAME(sigmoid)(REAL x)
{
    REAL e = NAME(exp)(-NAME(abs)(x)), one = NAME(broadcast)(1);
    return NAME(select)((WORD)(x < 0.0), e, one) / (one + e);
}

TS_SIMD REAL NAME(tanh)(REAL x)
{
    /* of magnitude (1 - e^(-2|x|)) / (1 + e^(-2|x|)), with the difference free of cancellation near 0 */
    REAL twice = -2.0 * NAME(abs)(x), e = NAME(exp)(twice) - 1.0;
    WORD small = (WORD)(twice > -0.34657359027997264);
    e = NAME(select)(small, NAME(expm1_small)(NAME(max)(twice, NAME(broadcast)(-0.35))), e);
    REAL y = NAME(abs)(e / (2.0 + e));
    const WORD sign = (WORD)NAME(broadcast)(-0.0);
    y = (REAL)((WORD)y | ((WORD)x & sign));
    return NAME(select)((WORD)(x == x), y, x); // NOLINT(misc-redundant-expression): only a NaN differs from itself
}
