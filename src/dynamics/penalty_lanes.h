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

/* The first `lanes` of four; 0 in the others. */
TS_SIMD ts_f64x4 first_lanes(ts_f64x4 a, int lanes)
{
    const ts_f64x4 number = {0, 1, 2, 3};
    return ts_f64x4_select(ts_f64x4_less(number, ts_f64x4_broadcast(lanes)), a, ts_f64x4_broadcast(0));
}
