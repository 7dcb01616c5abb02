/* SPDX-License-Identifier: MIT */
/* Scripted motions: where a driven body or wall is at a time, as a pure function of time.
 *
 * A motion maps the rest pose of its target to the pose at time t:
 *
 *     position(t) = pivot + d(t) + R(axis, α(t)) (rest - pivot),     attitude(t) = R(axis, α(t)) · rest attitude
 *
 * In the plane the axis is +z or -z, and the angle of the target grows by α(t) or falls by it.
 *
 * Nothing about a motion is state: restarting at any time gives the same poses. */
#pragma once

#include <stddef.h>

#include "base/vec.h"
#include "touchstone/scene.h"

typedef struct ts_motion {
    ts_drive_kind kind;
    double start, end; /* active in [start, end], frozen before and after [s] */
    ts_vec3 pivot;     /* [m] */
    ts_vec3 axis;      /* unit; in the plane +z or -z */
    double rate;       /* [rad/s] */
    ts_vec3 velocity;  /* [m/s] */
    ts_vec3 amplitude; /* [m] */
    double angle_amplitude;
    double frequency, phase; /* [Hz], [rad] */
    ts_keyframe *key;        /* ascending in time (key_count) */
    size_t key_count;
} ts_motion;

/* Times between which a target is absent: absent while open <= t < close. */
typedef struct ts_gate {
    double open, close; /* [s] */
} ts_gate;

/* The motion that a drive asks for, without its keyframes, which the caller copies. Fields of other kinds stay 0. */
ts_motion ts_motion_of(const ts_drive_def *def);

/* Pose at time t of something of the plane whose rest pose is `rest`, and the same in space. Keyframes are joined by
 * cubic Hermite curves with the velocity of the neighbouring chords (Catmull–Rom), at rest at both ends. */
ts_pose2 ts_motion_pose(const ts_motion *motion, ts_pose2 rest, double time);
ts_pose3 ts_motion_pose3(const ts_motion *motion, ts_pose3 rest, double time);
/* Velocities in space that take it from its pose at `time` to that at time + step, constant over the step: of its
 * origin, and angular, world frame. */
void ts_motion_velocity(const ts_motion *motion, ts_pose3 rest, double time, double step, ts_vec3 *linear,
                        ts_vec3 *angular);
/* Upper bound of the speed of a point at distance `reach` from the rest position, at any time [m/s]. */
double ts_motion_speed_bound(const ts_motion *motion, ts_vec3 rest, double reach);
