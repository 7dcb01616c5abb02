/* SPDX-License-Identifier: MIT */
/* One wide type: four doubles side by side.
 *
 * ts_f64x4 is a GNU vector: + - * / and comparisons are written as for scalars and compile for every instruction set;
 * without AVX the compiler uses two SSE2 halves. Only what the language lacks stands here. Each operation rounds once,
 * as its scalar twin does, and nothing is contracted to FMA (-ffp-contract=off in the build), so the bits agree between
 * lanes and scalars and between instruction sets.
 *
 *     ts_f64x4 x = ts_f64x4_load(p), y = ts_f64x4_sqrt(x * x + 1.0);
 *     ts_i64x4 near = (ts_i64x4)(y < limit);          all ones where true, zero where false
 *     ts_f64x4_store(q, ts_f64x4_select(near, y, limit));
 *
 * Keep ts_f64x4 inside static inline functions: as a parameter of a real function it changes the ABI with -mavx. */
#pragma once

#include <math.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* The compilers warn about that ABI even for functions which are always inlined; gcc adds a note that only the build's
 * -Wno-psabi silences. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double ts_f64x4 __attribute__((vector_size(32)));
typedef int64_t ts_i64x4 __attribute__((vector_size(32)));

#define TS_SIMD static inline __attribute__((always_inline, unused))

TS_SIMD ts_f64x4 ts_f64x4_make(double a, double b, double c, double d)
{
    return (ts_f64x4){a, b, c, d};
}
TS_SIMD ts_f64x4 ts_f64x4_broadcast(double a)
{
    return (ts_f64x4){a, a, a, a};
}
/* From and to any address. A type of its own and not memcpy: gcc 12 takes a memcpy of 32 bytes through the stack, in
 * four integer registers, and a kernel then waits for its own stores. */
typedef double ts_f64x4_anywhere __attribute__((vector_size(32), aligned(8), may_alias));
TS_SIMD ts_f64x4 ts_f64x4_load(const double *from)
{
    return *(const ts_f64x4_anywhere *)from;
}
TS_SIMD void ts_f64x4_store(double *to, ts_f64x4 v)
{
    *(ts_f64x4_anywhere *)to = v;
}
/* from[index[0]], …: a gather written plainly; the hardware's is no faster for four lanes */
TS_SIMD ts_f64x4 ts_f64x4_gather(const double *from, const int32_t index[4])
{
    return (ts_f64x4){from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
}

/* a where the mask is all ones, b where it is zero */
TS_SIMD ts_f64x4 ts_f64x4_select(ts_i64x4 mask, ts_f64x4 a, ts_f64x4 b)
{
#if defined(__AVX__)
    return (ts_f64x4)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
    return (ts_f64x4)((mask & (ts_i64x4)a) | (~mask & (ts_i64x4)b));
#endif
}
TS_SIMD ts_i64x4 ts_f64x4_less(ts_f64x4 a, ts_f64x4 b)
{
    return (ts_i64x4)(a < b);
}
TS_SIMD ts_i64x4 ts_f64x4_less_equal(ts_f64x4 a, ts_f64x4 b)
{
    return (ts_i64x4)(a <= b);
}
TS_SIMD ts_i64x4 ts_f64x4_equal(ts_f64x4 a, ts_f64x4 b)
{
    return (ts_i64x4)(a == b);
}
/* bit i set where lane i of the mask is all ones: 0 … 15 */
TS_SIMD int ts_mask_bits(ts_i64x4 mask)
{
#if defined(__AVX__)
    return _mm256_movemask_pd((__m256d)mask);
#else
    return (int)(mask[0] & 1) | (int)(mask[1] & 2) | (int)(mask[2] & 4) | (int)(mask[3] & 8);
#endif
}

TS_SIMD ts_f64x4 ts_f64x4_sqrt(ts_f64x4 a)
{
#if defined(__AVX__)
    return (ts_f64x4)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__)
    __m128d low = _mm_sqrt_pd(_mm_setr_pd(a[0], a[1])), high = _mm_sqrt_pd(_mm_setr_pd(a[2], a[3]));
    return (ts_f64x4){low[0], low[1], high[0], high[1]};
#else
    return (ts_f64x4){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}
/* Exactly a < b ? a : b, so b when either is NaN; that is also what minpd does. */
TS_SIMD ts_f64x4 ts_f64x4_min(ts_f64x4 a, ts_f64x4 b)
{
#if defined(__AVX__)
    return (ts_f64x4)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return ts_f64x4_select((ts_i64x4)(a < b), a, b);
#endif
}
/* Exactly a > b ? a : b. */
TS_SIMD ts_f64x4 ts_f64x4_max(ts_f64x4 a, ts_f64x4 b)
{
#if defined(__AVX__)
    return (ts_f64x4)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return ts_f64x4_select((ts_i64x4)(a > b), a, b);
#endif
}
TS_SIMD ts_f64x4 ts_f64x4_abs(ts_f64x4 a)
{
    const ts_i64x4 magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    return (ts_f64x4)((ts_i64x4)a & magnitude);
}
/* The lanes' sum in a fixed order, (a0 + a1) + (a2 + a3). */
TS_SIMD double ts_f64x4_sum(ts_f64x4 a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* Rows become columns. Loads four structs of four doubles into structure-of-arrays form, and back:
 *
 *     ts_f64x4 x = ts_f64x4_load(&s[0].x), y = ts_f64x4_load(&s[1].x), z = …(&s[2].x), w = …(&s[3].x);
 *     ts_f64x4_transpose(&x, &y, &z, &w);      now x holds the four x, y the four y, … */
TS_SIMD void ts_f64x4_transpose(ts_f64x4 *a, ts_f64x4 *b, ts_f64x4 *c, ts_f64x4 *d)
{
    ts_f64x4 ab0 = __builtin_shufflevector(*a, *b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
    ts_f64x4 cd0 = __builtin_shufflevector(*c, *d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
    *a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    *b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    *c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    *d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}
