/* SPDX-License-Identifier: MIT */
/* Scripted motions in space: where a driven body or wall is at a time, as a pure function of time.
 *
 *     pose(t) = pivot + d(t) + R(axis, α(t)) (rest − pivot),     attitude(t) = R(axis, α(t)) · rest attitude
 *
 * Displacement and angle are numbers that two scripts of the plane (body/drive.h) give: one has d.x, d.y and α, the other d.z as its x. */
#pragma once

#include "body/drive.h"

typedef struct ts_motion3 {
    ts_motion across; /* d.x, d.y, α; its own pivot is 0 */
    ts_motion along;  /* d.z as x; turns nothing */
    ts_vec3 pivot;    /* [m] */
    ts_vec3 axis;     /* unit */
} ts_motion3;

/* Pose at time t of something whose rest pose is `rest`. */
ts_pose3 ts_motion3_pose(const ts_motion3 *motion, ts_pose3 rest, double time);
/* Velocities that take it from its pose at `time` to that at time + step, constant over the step: of its origin, and angular, world frame. */
void ts_motion3_velocity(const ts_motion3 *motion, ts_pose3 rest, double time, double step, ts_vec3 *linear,
                         ts_vec3 *angular);
