/* SPDX-License-Identifier: MIT */
/* The widest vector that a processor has, for kernels of signed distances: eight points with AVX-512, else four. */
#pragma once

#include "base/simd_exp.h"

#if defined(__AVX512F__)
#define LANES   8
#define WIDE(f) ts_f64x8_##f
typedef ts_f64x8 wide;
typedef ts_i64x8 mask;
TS_SIMD bool any(mask m)
{
    return ts_mask8_any(m);
}
#else
#define LANES   4
#define WIDE(f) ts_f64x4_##f
typedef ts_f64x4 wide;
typedef ts_i64x4 mask;
TS_SIMD bool any(mask m)
{
    return ts_mask_bits(m) != 0;
}
#endif

/* Large functions are inlined, since what is asked for is known where they are called, and loops over the vectors of a
 * stage vanish, so that these stay in registers. Sanitizers would take minutes to compile all of these copies. */
#if defined(TS_SANITIZED) && TS_SANITIZED
#define TS_SIMD_LARGE static __attribute__((noinline, unused))
#define UNROLL
#else
#define TS_SIMD_LARGE TS_SIMD
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#endif

typedef struct wide3 {
    wide v[3];
} wide3;

TS_SIMD wide all(double a)
{
    return WIDE(broadcast)(a);
}
TS_SIMD wide either(mask m, wide a, wide b)
{
    return WIDE(select)(m, a, b);
}
TS_SIMD wide dot(wide3 a, wide3 b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
TS_SIMD wide3 scaled(wide3 a, wide s)
{
    return (wide3){{a.v[0] * s, a.v[1] * s, a.v[2] * s}};
}
TS_SIMD wide3 plus(wide3 a, wide3 b)
{
    return (wide3){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]}};
}
TS_SIMD wide3 minus(wide3 a, wide3 b)
{
    return (wide3){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]}};
}
TS_SIMD wide3 cross(wide3 a, wide3 b)
{
    return (wide3){
        {a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
TS_SIMD wide3 none(void)
{
    return (wide3){{all(0), all(0), all(0)}};
}
/* turn · a, and turnᵀ · a */
TS_SIMD wide3 turned(const double turn[3][3], wide3 a)
{
    wide3 b;
    UNROLL
    for (int i = 0; i < 3; i++)
        b.v[i] = turn[i][0] * a.v[0] + turn[i][1] * a.v[1] + turn[i][2] * a.v[2];
    return b;
}
TS_SIMD wide3 turned_back(const double turn[3][3], wide3 a)
{
    wide3 b;
    UNROLL
    for (int i = 0; i < 3; i++)
        b.v[i] = turn[0][i] * a.v[0] + turn[1][i] * a.v[1] + turn[2][i] * a.v[2];
    return b;
}
/* n = h / √(τ_n + |h|²), and one over that root */
TS_SIMD wide3 unit(wide3 h, double soft, wide *inverse)
{
    *inverse = 1.0 / WIDE(sqrt)(soft + dot(h, h));
    return scaled(h, *inverse);
}
/* Adjoint of h from that of n. */
TS_SIMD wide3 unit_vjp(wide3 n, wide inverse, wide3 bar)
{
    const wide along = dot(n, bar);
    return scaled(minus(bar, scaled(n, along)), inverse);
}

/* `count` values from `from` on, where fewer than LANES are left the last one again. */
TS_SIMD wide load_some(const double *from, size_t count)
{
    if (count >= LANES)
        return WIDE(load)(from);
    double v[LANES];
    for (size_t i = 0; i < LANES; i++)
        v[i] = from[i < count ? i : count - 1];
    return WIDE(load)(v);
}
/* The same, with zeros. */
TS_SIMD wide load_bar(const double *from, size_t at, size_t count)
{
    if (!from)
        return all(0);
    if (count >= LANES)
        return WIDE(load)(from + at);
    double v[LANES];
    for (size_t i = 0; i < LANES; i++)
        v[i] = i < count ? from[at + i] : 0;
    return WIDE(load)(v);
}
TS_SIMD void store_some(double *to, size_t count, wide v)
{
    if (count >= LANES) {
        WIDE(store)(to, v);
        return;
    }
    for (size_t i = 0; i < count; i++)
        to[i] = v[i];
}
/* Of all lanes; the bits of a minimum do not depend on the order. */
TS_SIMD double smallest(wide a)
{
    double least = a[0];
    for (int i = 1; i < LANES; i++)
        least = a[i] < least ? a[i] : least;
    return least;
}

/* log2(1 + f) = (2 s + s R(s²)) / ln 2 for s = f / (2 + f), 1 + f in [√½, √2]. */
TS_SIMD wide log2_of_quotient(wide s)
{
    const wide z = s * s, w = z * z;
    const wide even = w * (TS_LOG_2 / TS_LN2 + w * (TS_LOG_4 / TS_LN2 + w * (TS_LOG_6 / TS_LN2)));
    const wide odd =
        z * ((TS_LOG_1 / TS_LN2 + w * (TS_LOG_3 / TS_LN2)) + (w * w) * (TS_LOG_5 / TS_LN2 + w * (TS_LOG_7 / TS_LN2)));
    return s * (2 / TS_LN2 + (even + odd));
}
