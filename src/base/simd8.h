/* SPDX-License-Identifier: MIT */
/* Eight doubles side by side, for kernels whose rows wait for each other: two vectors of AVX2, or one of AVX-512, hide
 * what one of simd.h would wait for. The same rules and the same bits as there. */
#pragma once

#include <stdbool.h>

#include "base/simd.h"

typedef double ts_f64x8 __attribute__((vector_size(64)));
typedef int64_t ts_i64x8 __attribute__((vector_size(64)));
typedef double ts_f64x8_anywhere __attribute__((vector_size(64), aligned(8), may_alias));

TS_SIMD ts_f64x8 ts_f64x8_load(const double *from)
{
    return *(const ts_f64x8_anywhere *)from;
}
TS_SIMD void ts_f64x8_store(double *to, ts_f64x8 v)
{
    *(ts_f64x8_anywhere *)to = v;
}
TS_SIMD ts_f64x8 ts_f64x8_broadcast(double a)
{
    return (ts_f64x8){a, a, a, a, a, a, a, a};
}
TS_SIMD ts_f64x8 ts_f64x8_join(ts_f64x4 low, ts_f64x4 high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
TS_SIMD ts_f64x4 ts_f64x8_low(ts_f64x8 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}
TS_SIMD ts_f64x4 ts_f64x8_high(ts_f64x8 a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

/* a where the mask is all ones, b where it is zero */
TS_SIMD ts_f64x8 ts_f64x8_select(ts_i64x8 mask, ts_f64x8 a, ts_f64x8 b)
{
#if defined(__AVX512DQ__)
    return (ts_f64x8)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)mask), (__m512d)b, (__m512d)a);
#else
    return (ts_f64x8)((mask & (ts_i64x8)a) | (~mask & (ts_i64x8)b));
#endif
}
/* Whether any lane of the mask is all ones. */
TS_SIMD bool ts_mask8_any(ts_i64x8 mask)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask) != 0;
#else
    const ts_i64x4 half =
        __builtin_shufflevector(mask, mask, 0, 1, 2, 3) | __builtin_shufflevector(mask, mask, 4, 5, 6, 7);
    return (half[0] | half[1] | half[2] | half[3]) != 0;
#endif
}
/* Exactly a < b ? a : b. */
TS_SIMD ts_f64x8 ts_f64x8_min(ts_f64x8 a, ts_f64x8 b)
{
#if defined(__AVX512F__)
    return (ts_f64x8)_mm512_min_pd((__m512d)a, (__m512d)b);
#else
    return ts_f64x8_join(ts_f64x4_min(ts_f64x8_low(a), ts_f64x8_low(b)),
                         ts_f64x4_min(ts_f64x8_high(a), ts_f64x8_high(b)));
#endif
}
/* Exactly a > b ? a : b. */
TS_SIMD ts_f64x8 ts_f64x8_max(ts_f64x8 a, ts_f64x8 b)
{
#if defined(__AVX512F__)
    return (ts_f64x8)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
    return ts_f64x8_join(ts_f64x4_max(ts_f64x8_low(a), ts_f64x8_low(b)),
                         ts_f64x4_max(ts_f64x8_high(a), ts_f64x8_high(b)));
#endif
}
TS_SIMD ts_f64x8 ts_f64x8_sqrt(ts_f64x8 a)
{
#if defined(__AVX512F__)
    return (ts_f64x8)_mm512_sqrt_pd((__m512d)a);
#else
    return ts_f64x8_join(ts_f64x4_sqrt(ts_f64x8_low(a)), ts_f64x4_sqrt(ts_f64x8_high(a)));
#endif
}

/* Eight structs of four doubles as four columns, and back. With AVX-512 two structs share a vector: half the shuffles. */
TS_SIMD void ts_f64x8_columns(const double *const from[8], ts_f64x8 column[4])
{
#if defined(__AVX512F__)
    __m512d two[4]; /* structs i and i + 4 */
    for (int i = 0; i < 4; i++)
        two[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(from[i])), _mm256_loadu_pd(from[4 + i]), 1);
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    const __m512d ab0 = _mm512_unpacklo_pd(two[0], two[1]), ab1 = _mm512_unpackhi_pd(two[0], two[1]),
                  cd0 = _mm512_unpacklo_pd(two[2], two[3]), cd1 = _mm512_unpackhi_pd(two[2], two[3]);
    column[0] = (ts_f64x8)_mm512_permutex2var_pd(ab0, low, cd0);
    column[1] = (ts_f64x8)_mm512_permutex2var_pd(ab1, low, cd1);
    column[2] = (ts_f64x8)_mm512_permutex2var_pd(ab0, high, cd0);
    column[3] = (ts_f64x8)_mm512_permutex2var_pd(ab1, high, cd1);
#else
    ts_f64x4 low[4], high[4];
    for (int i = 0; i < 4; i++) {
        low[i] = ts_f64x4_load(from[i]);
        high[i] = ts_f64x4_load(from[4 + i]);
    }
    ts_f64x4_transpose(&low[0], &low[1], &low[2], &low[3]);
    ts_f64x4_transpose(&high[0], &high[1], &high[2], &high[3]);
    for (int i = 0; i < 4; i++)
        column[i] = ts_f64x8_join(low[i], high[i]);
#endif
}
TS_SIMD void ts_f64x8_rows(const ts_f64x8 column[4], ts_f64x4 row[8])
{
#if defined(__AVX512F__)
    const __m512d x = (__m512d)column[0], y = (__m512d)column[1], z = (__m512d)column[2], w = (__m512d)column[3];
    const __m512d xy0 = _mm512_unpacklo_pd(x, y), xy1 = _mm512_unpackhi_pd(x, y), zw0 = _mm512_unpacklo_pd(z, w),
                  zw1 = _mm512_unpackhi_pd(z, w);
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    const __m512d two[4] = {_mm512_permutex2var_pd(xy0, low, zw0), _mm512_permutex2var_pd(xy1, low, zw1),
                            _mm512_permutex2var_pd(xy0, high, zw0), _mm512_permutex2var_pd(xy1, high, zw1)};
    for (int i = 0; i < 4; i++) {
        row[i] = (ts_f64x4)_mm512_castpd512_pd256(two[i]);
        row[4 + i] = (ts_f64x4)_mm512_extractf64x4_pd(two[i], 1);
    }
#else
    for (int i = 0; i < 4; i++) {
        row[i] = ts_f64x8_low(column[i]);
        row[4 + i] = ts_f64x8_high(column[i]);
    }
    ts_f64x4_transpose(&row[0], &row[1], &row[2], &row[3]);
    ts_f64x4_transpose(&row[4], &row[5], &row[6], &row[7]);
#endif
}
