/* SPDX-License-Identifier: MIT */
/* The stable time step of springs, in the plane and in space.
 *
 * Leapfrog is stable up to 2/ω of the fastest oscillation. With the compliance of a body at an anchor r,
 *
 *     w = 1/m + the largest eigenvalue of S I⁻¹ Sᵀ,  S = [r]×   (velocity for an impulse; in the plane 1/m + r²/I),
 *
 * a spring between A and B has at most ω² = k (w_A + w_B), in whatever direction and attitude; k is the slope of its force at the largest
 * stretch to be expected. It also turns what it pulls at, F |r| / I at most. Where several springs hold one body their ω² add up:
 *
 *     ω² ≤ largest over bodies of Σ of its springs (k (w_A + w_B) + F |r| / I),
 *
 * for (x_A − x_B)² ≤ (w_A + w_B) (x_A²/w_A + x_B²/w_B). It is the limit itself for one spring between two centres. */
#pragma once

#include "model.h"

/* Largest stable time step, infinite when no spring holds anything that moves [s]; `spring` is the fastest one, or -1. */
ts_status ts_derive_springs(const ts_model *model, double *step, int64_t *spring, ts_error *error);
