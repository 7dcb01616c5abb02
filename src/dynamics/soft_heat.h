/* SPDX-License-Identifier: MIT */
/* Pairs that an impact still changes (ts_soft_heat, soft_pass.h), eight side by side. */
#pragma once

#include "base/simd8.h"
#include "dynamics/soft.h"

/* Lanes with a body that the last pass has changed, or this one. Others beside them in a group are left alone, for they
 * may be of another island. */
TS_SIMD ts_i64x8 ts_soft_hot_lanes(const ts_soft_heat *heat, const int32_t a[8], const int32_t b[8])
{
    const uint8_t last = (uint8_t)(heat->pass - 1), *stamp = heat->stamp;
    const ts_i64x8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
    int64_t hot = 0;
    for (int lane = 0; lane < 8; lane++)
        hot |= (int64_t)(stamp[a[lane]] >= last || stamp[b[lane]] >= last) << lane;
    return (bit & hot) != 0;
}

/* Notes the bodies of lanes in which the normal impulse of a row changes by more than what lasts may: `held` is that with
 * which the sub-step began, `mass` what resists along the normal. */
TS_SIMD void ts_soft_note_heat(ts_soft_heat *heat, const int32_t a[8], const int32_t b[8], const double inv_mass_a[8],
                               const double inv_mass_b[8], ts_f64x8 change, ts_f64x8 mass, ts_f64x8 held)
{
    const ts_f64x8 most = mass * ts_f64x8_broadcast(heat->speed) + ts_f64x8_broadcast(TS_SOFT_LASTING_CHANGE) * held;
    const ts_i64x8 hot = (ts_i64x8)(ts_f64x8_max(change, -change) > most);
    if (!ts_mask8_any(hot))
        return;
    for (int lane = 0; lane < 8; lane++) {
        if (hot[lane] && inv_mass_a[lane] > 0) /* other threads read those of walls */
            heat->stamp[a[lane]] = heat->pass;
        if (hot[lane] && inv_mass_b[lane] > 0)
            heat->stamp[b[lane]] = heat->pass;
    }
    if (!atomic_load_explicit(&heat->any, memory_order_relaxed)) /* a line of memory that all threads read */
        atomic_store_explicit(&heat->any, true, memory_order_relaxed);
}
