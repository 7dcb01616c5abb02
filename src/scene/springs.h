/* SPDX-License-Identifier: MIT */
/* Springs of a scene, compiled, and their stable time step, in the plane and in space.
 *
 * Leapfrog is stable up to 2/ω of the fastest oscillation. With the compliance of a body at an anchor r,
 *
 *     w = 1/m + the largest eigenvalue of S I⁻¹ Sᵀ,  S = [r]×   (velocity for an impulse; in the plane 1/m + r²/I),
 *
 * a spring between A and B has at most ω² = k (w_A + w_B), in whatever direction and attitude; k is the slope of its
 * force at the largest stretch to be expected. It also turns what it pulls at, F |r| / I at most. Where several springs
 * hold one body their ω² add up:
 *
 *     ω² ≤ largest over bodies of Σ of its springs (k (w_A + w_B) + F |r| / I),
 *
 * for (x_A − x_B)² ≤ (w_A + w_B) (x_A²/w_A + x_B²/w_B). It is the limit itself for one spring between two centres. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Of that, the time step of a scene that asks for none: 63 steps an oscillation, whose energy then swings by some
 * 0.1 %. */
#define TS_SPRING_STEP_SHARE 0.05

/* Fills spring[]: bodies have their ids. */
ts_status ts_springs_compile(const ts_scene *scene, ts_model *model, ts_error *error);
/* Largest stable time step, infinite when no spring holds anything that moves [s]; `spring` is the fastest one, or
 * -1. */
ts_status ts_springs_stable_step(const ts_model *model, double *step, int64_t *spring, ts_error *error);
/* Refuses a time step above that. */
ts_status ts_springs_check_step(const ts_scene *scene, const ts_model *model, double stable, int64_t spring,
                                ts_error *error);
