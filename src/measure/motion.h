/* SPDX-License-Identifier: MIT */
/* How velocities fluctuate about the profile: for temperature and kinetic stress alike.
 *
 * A slice's mean velocity comes from the grains whose deviation from it is asked for, so the deviations come out too
 * small: of n equal grains by (n − 1)/n. Grain i, of mass m_i in slice k, deviates from α V_k + β V_l, α + β = 1. If
 * velocities fluctuate independently with variance T, the deviation's variance is
 *
 *     T f_i        f_i = 1 − 2 α m_i / M_k + α² S_k + β² S_l        S = Σ m² / (Σ m)² of a slice
 *
 * so Σ m_i d_i² / Σ m_i f_i is T on average, however few grains a slice has. Without interpolation, α = 1, the lower
 * sum is Σ m − Σ m² / Σ m of the slice. A grain alone in its slice says nothing: f_i is 0. */
#pragma once

#include "base/status.h"
#include "touchstone/measure.h"

typedef struct ts_fluctuation {
    double mass;         /* of all grains of the slice [kg] */
    double square[3][3]; /* Σ m d_i d_j of those that are not alone in their slice [kg m²/s²] */
    double weight;       /* Σ m f of the same [kg] */
} ts_fluctuation;

/* Of each slice (bins->count; NULL: not wanted) and of all together. */
ts_status ts_fluctuations(const ts_snapshot *snapshot, const ts_bins *bins, ts_fluctuation *each, ts_fluctuation *all,
                          ts_error *error);

/* Stress of the bins' region; the kinetic part about the profile of the bins. */
ts_status ts_stress_about(const ts_snapshot *snapshot, const ts_bins *bins, ts_stress *out, ts_error *error);

/* M ⟨d_i d_j⟩: what makes a kinetic stress when divided by an area or a volume. NaN: nothing known of them. */
double ts_momentum_flux(const ts_fluctuation *of, int i, int j);
