/* SPDX-License-Identifier: MIT */
/* Drives of a scene, compiled: which body or wall follows which motion and which gate. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Fills motion, gate, body_motion, body_gate and the walls' own, of the plane or of space. Generator g's bodies are
 * generator_begin[g] … generator_begin[g + 1] - 1. Pivots that are NaN stay so for ts_script_pivots. */
ts_status ts_script_compile(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error);
/* Puts the pivots that the scene left open at the position of what they drive: a body, a wall, or the mean position of
 * a generator's bodies. The bodies are in their places. */
void ts_script_pivots(const ts_scene *scene, const size_t *generator_begin, ts_model *model);
/* Where a motion has its target when the run begins, in the plane. A pivot that is still open is taken at the target
 * itself; then the pose is
 * `known` (may be NULL) only if the motion has not turned it: the centre of a generator's bodies comes later. */
ts_pose2 ts_script_pose_at_start(const ts_motion *motion, ts_pose2 rest, bool *known);
/* The fastest that scripts move any point of a body, or any point of a wall that bodies reach where they are now [m/s]:
 * a bound, at any time. Pivots are in their places. */
double ts_script_speed(const ts_model *m);
/* Refuses a drive so fast that it may step through a free body: one that moves its target by more than half of the
 * smallest free radius in a time step. The time step is in its place. */
ts_status ts_script_check_speeds(const ts_scene *scene, const size_t *generator_begin, const ts_model *model,
                                 ts_error *error);
