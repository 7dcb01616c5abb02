/* SPDX-License-Identifier: MIT */
/* Restitution of soft contacts, for the kernels of the plane and of space.
 *
 * Normals bring a place that closes to a stop: pushing and relaxing, which is the compression of an impact. The bounce
 * is its expansion. As in Poisson's hypothesis its impulses are those of the compression, e times each, all scaled by
 * one number s for the pair; and as in Stronge's it is energy that decides: s is such that they do e² times the work
 * which the compression took,
 *
 *     Σ w uₖ s + ½ Σ w (uₖ' - uₖ) s² = Σ e² Tₖ        w = e λₖ        u, u': speeds without them, and with s = 1
 *
 * For a pair on its own s = 1. So a bounce never gives back more than was taken, whatever normals and arms did within the
 * sub-step and whatever else the two bodies touch. What an impulse takes is its change times the mean of the speeds
 * before and after. One that acts before bodies move on keeps them from falling by h v, too: gravity had counted on it. */
#pragma once

#include "base/simd8.h"

/* What a change of an impulse takes; `fall`: speed that gravity and springs gave in the sub-step where bodies have yet to
 * move on (all of it in the plane, half in space), otherwise 0. */
TS_SIMD ts_f64x8 ts_soft_taken(ts_f64x8 change, ts_f64x8 before, ts_f64x8 after, ts_f64x8 fall)
{
    return change * (fall - ts_f64x8_broadcast(0.5) * (before + after));
}

/* s, from Σ w u, Σ w u', Σ e² T. What others have pushed together by now is taken as well, before it is given back. */
TS_SIMD ts_f64x8 ts_soft_bounce_share(ts_f64x8 power, ts_f64x8 power_after, ts_f64x8 energy, ts_f64x8 restitution)
{
    const ts_f64x8 zero = ts_f64x8_broadcast(0), one = ts_f64x8_broadcast(1), two = ts_f64x8_broadcast(2);
    const ts_f64x8 stiff = power_after - power;
    const ts_i64x8 does = (ts_i64x8)(stiff > zero), apart = (ts_i64x8)(power > zero);
    const ts_f64x8 inverse = one / ts_f64x8_select(does, stiff, one), square = power * power,
                   kept = ts_f64x8_select(apart, square, restitution * restitution * square);
    const ts_f64x8 share = (ts_f64x8_sqrt(kept + two * stiff * ts_f64x8_max(energy, zero)) - power) * inverse;
    return ts_f64x8_select(does, ts_f64x8_max(share, zero), zero);
}
