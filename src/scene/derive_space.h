/* SPDX-License-Identifier: MIT */
/* Time steps of scenes of space: what bodies and springs ask for.
 *
 * Impulses need no time, springs do: leapfrog is stable up to 2/ω of the fastest oscillation. With the compliance of a body at an anchor
 * at r,
 *
 *     w = 1/m + largest eigenvalue of −[r]× I⁻¹ [r]×,
 *
 * a spring between A and B has at most ω² = k (w_A + w_B), in whatever direction and attitude; k is the slope of its force at the largest
 * stretch to be expected. It also turns what it pulls at, F |r| / I at most. Where several springs hold one body their ω² add up:
 *
 *     ω² ≤ largest over bodies of Σ of its springs (k (w_A + w_B) + F |r| / I),
 *
 * for (x_A − x_B)² ≤ (w_A + w_B) (x_A²/w_A + x_B²/w_B). It is the limit itself for one spring between two centres. */
#pragma once

#include "model.h"

typedef enum ts_step_reason {
    TS_STEP_DURATION = 0, /* so that there are some steps at all */
    TS_STEP_FALL,         /* a fall through the smallest body takes many steps */
    TS_STEP_SPEED,        /* the fastest body takes many steps through the smallest */
    TS_STEP_SPRING,       /* so does the fastest oscillation of springs */
    TS_STEP_FRAME,        /* frames come that often */
    TS_STEP_CONTACT       /* the penalty law: an impact of the lightest body takes many steps */
} ts_step_reason;

/* Largest stable time step, infinite when no spring holds anything that moves [s]; `spring` is the fastest one, or -1. */
ts_status ts_derive_stable_step3(const ts_model *model, double *step, int64_t *spring, ts_error *error);
/* The time step that a scene gets when it asks for none [s], and what made it so short. Settings are as written; `springs` is
 * the largest stable step of springs. Laws and the model's stable step are known. */
double ts_derive_time_step3(const ts_model *model, const ts_settings *settings, double springs, ts_step_reason *reason);
