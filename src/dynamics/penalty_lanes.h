/* SPDX-License-Identifier: MIT */
/* Contact laws of four contacts side by side: what the penalty kernels of the plane and of space share. */
#pragma once

#include "base/simd.h"
#include "contact/law.h"

typedef struct law4 {
    ts_f64x4 kn, kt, inv_kt, cn, ct, cn_mass, ct_mass, friction;
} law4;

TS_SIMD law4 same_law(const ts_contact_law *law)
{
    return (law4){ts_f64x4_broadcast(law->kn),      ts_f64x4_broadcast(law->kt),      ts_f64x4_broadcast(law->inv_kt),
                  ts_f64x4_broadcast(law->cn),      ts_f64x4_broadcast(law->ct),      ts_f64x4_broadcast(law->cn_mass),
                  ts_f64x4_broadcast(law->ct_mass), ts_f64x4_broadcast(law->friction)};
}

_Static_assert(sizeof(ts_contact_law) == 8 * sizeof(double), "load_laws reads a law as two vectors");

/* table[material_a[a] * count + material_b[b]] of each lane. */
TS_SIMD law4 load_laws(const ts_contact_law *table, size_t count, const uint8_t *material_a, const int32_t *a,
                       const uint8_t *material_b, const int32_t *b)
{
    const ts_contact_law *law[4];
    for (int lane = 0; lane < 4; lane++)
        law[lane] = &table[material_a[a[lane]] * count + material_b[b[lane]]];
    law4 out = {ts_f64x4_load(&law[0]->kn), ts_f64x4_load(&law[1]->kn), ts_f64x4_load(&law[2]->kn),
                ts_f64x4_load(&law[3]->kn), ts_f64x4_load(&law[0]->ct), ts_f64x4_load(&law[1]->ct),
                ts_f64x4_load(&law[2]->ct), ts_f64x4_load(&law[3]->ct)};
    ts_f64x4_transpose(&out.kn, &out.kt, &out.inv_kt, &out.cn);
    ts_f64x4_transpose(&out.ct, &out.cn_mass, &out.ct_mass, &out.friction);
    return out;
}

/* Dashpots of a step. Forces take the velocity at its beginning, half a step behind their overlaps, which is as if the
 * mass were smaller by ½ c Δt and the damping ratio larger. So much smaller a c has the damping ratio that is asked for:
 *
 *     c' = c / (1 + ¼ c Δt / m)                     m: effective mass of the pair */
typedef struct dashpots4 {
    ts_f64x4 cn, ct;
} dashpots4;

TS_SIMD bool is_damped(const ts_contact_law *law)
{
    return law->cn != 0 || law->ct != 0 || law->cn_mass != 0 || law->ct_mass != 0;
}

/* inverse: 1/m */
TS_SIMD dashpots4 dashpots_of_step(const law4 *law, ts_f64x4 inverse, ts_f64x4 dt)
{
    const ts_f64x4 root = ts_f64x4_sqrt(inverse), normal = law->cn * root + law->cn_mass,
                   to = 1.0 / (root + 0.25 * dt * normal * inverse);
    return (dashpots4){normal * to, (law->ct * root + law->ct_mass) * to};
}

/* A contact that was open in the middle of the step before began somewhere on the way from there to here, s steps ago: 0
 * < s < 1. Its dashpot acts from then to the end of this step, which is ½ + s steps. Where the beginning falls into the
 * middle of a step, rounding decides on whether that one counts. So the factor begins with 0, and what it lacks for s <
 * 0.1 is made up for in the step that follows:
 *
 *     1.5 ┤        ⟋╲
 *         │      ⟋   ╲
 *     1.0 ┤    ⟋      ╲─────────────    s = gap / (rate Δt)
 *         │  ⟋
 *     0.5 ┤ ╱
 *         └┴──────────┴─────────
 *         0           1           s */
TS_SIMD ts_f64x4 steps_since_touch(ts_f64x4 gap, ts_f64x4 rate, ts_f64x4 dt)
{
    const ts_f64x4 way = rate * dt, one = ts_f64x4_broadcast(1);
    const ts_i64x4 young = ts_f64x4_less(1.1 * way, gap);
    if (!ts_mask_bits(young))
        return one;
    const ts_f64x4 s = gap / ts_f64x4_select(young, way, one), early = ts_f64x4_min(6.0 * s, 0.5 + s),
                   late = ts_f64x4_max(one, 6.5 - 5.0 * s);
    return ts_f64x4_select(young, ts_f64x4_min(early, late), one);
}

/* The first `lanes` of four; 0 in the others. */
TS_SIMD ts_f64x4 first_lanes(ts_f64x4 a, int lanes)
{
    const ts_f64x4 number = {0, 1, 2, 3};
    return ts_f64x4_select(ts_f64x4_less(number, ts_f64x4_broadcast(lanes)), a, ts_f64x4_broadcast(0));
}
