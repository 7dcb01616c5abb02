/* SPDX-License-Identifier: MIT */
/* The widest vector of doubles that an instruction set has for code that is written once: eight lanes with AVX-512, four
 * elsewhere. (gcc lowers wider vectors lane by lane.) Lanes never meet, so the bits are the same for both widths.
 *
 *     for (size_t i = 0; i < count; i += TS_WIDE)
 *         ts_wide_store(to + i, ts_wide_exp(ts_wide_load(from + i)));        columns are padded to a multiple of TS_WIDE_MOST
 */
#pragma once

#include "base/simd8.h"
#include "base/simd_exp.h"

#define TS_WIDE_MOST 8 /* lanes of any instruction set */

#if defined(__AVX512F__)
#define TS_WIDE 8
typedef ts_f64x8 ts_wide;
typedef ts_i64x8 ts_wide_mask;
#define TS_WIDE_OP(name) ts_f64x8_##name
#else
#define TS_WIDE          4
typedef ts_f64x4 ts_wide;
typedef ts_i64x4 ts_wide_mask;
#define TS_WIDE_OP(name) ts_f64x4_##name
#endif

#define ts_wide_load      TS_WIDE_OP(load)
#define ts_wide_store     TS_WIDE_OP(store)
#define ts_wide_broadcast TS_WIDE_OP(broadcast)
#define ts_wide_select    TS_WIDE_OP(select)
#define ts_wide_min       TS_WIDE_OP(min)
#define ts_wide_max       TS_WIDE_OP(max)
#define ts_wide_sqrt      TS_WIDE_OP(sqrt)
#define ts_wide_exp       TS_WIDE_OP(exp)
#define ts_wide_log       TS_WIDE_OP(log)

typedef struct ts_wide3 {
    ts_wide x, y, z;
} ts_wide3;

TS_SIMD ts_wide3 ts_wide3_add(ts_wide3 a, ts_wide3 b)
{
    return (ts_wide3){a.x + b.x, a.y + b.y, a.z + b.z};
}
TS_SIMD ts_wide3 ts_wide3_sub(ts_wide3 a, ts_wide3 b)
{
    return (ts_wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}
TS_SIMD ts_wide3 ts_wide3_scale(ts_wide3 a, ts_wide s)
{
    return (ts_wide3){a.x * s, a.y * s, a.z * s};
}
TS_SIMD ts_wide3 ts_wide3_add_scaled(ts_wide3 a, ts_wide3 b, ts_wide s)
{
    return (ts_wide3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}
TS_SIMD ts_wide ts_wide3_dot(ts_wide3 a, ts_wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* Of three columns. */
TS_SIMD ts_wide3 ts_wide3_load(const double *const column[3], size_t at)
{
    return (ts_wide3){ts_wide_load(column[0] + at), ts_wide_load(column[1] + at), ts_wide_load(column[2] + at)};
}
TS_SIMD void ts_wide3_store(double *const column[3], size_t at, ts_wide3 v)
{
    ts_wide_store(column[0] + at, v.x);
    ts_wide_store(column[1] + at, v.y);
    ts_wide_store(column[2] + at, v.z);
}
TS_SIMD void ts_wide3_add_to(double *const column[3], size_t at, ts_wide3 v)
{
    ts_wide_store(column[0] + at, ts_wide_load(column[0] + at) + v.x);
    ts_wide_store(column[1] + at, ts_wide_load(column[1] + at) + v.y);
    ts_wide_store(column[2] + at, ts_wide_load(column[2] + at) + v.z);
}
