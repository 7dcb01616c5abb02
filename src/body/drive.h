/* SPDX-License-Identifier: MIT */
/* Scripted motions: where a driven body or boundary is at a time, as a pure function of time.
 *
 * A motion maps the rest pose of its target to the pose at time t:
 *
 *     pose(t) = pivot + d(t) + R(α(t)) (rest - pivot),     angle(t) = rest angle + α(t)
 *
 * Nothing about a motion is state: restarting at any time gives the same poses. */
#pragma once

#include <stddef.h>

#include "base/vec.h"
#include "touchstone/scene.h"

typedef struct ts_motion {
    ts_drive_kind kind;
    double start, end;                                /* active in [start, end], frozen before and after [s] */
    double pivot_x, pivot_y;                          /* [m] */
    double rate;                                      /* [rad/s] */
    double vx, vy;                                    /* [m/s] */
    double amplitude_x, amplitude_y, angle_amplitude; /* [m], [m], [rad] */
    double frequency, phase;                          /* [Hz], [rad] */
    ts_keyframe *key;                                 /* ascending in time (key_count) */
    size_t key_count;
} ts_motion;

/* Times between which a target is absent: absent while open <= t < close. */
typedef struct ts_gate {
    double open, close; /* [s] */
} ts_gate;

/* Pose at time t of something whose rest pose is `rest`. Keyframes are joined by cubic Hermite curves with the velocity of
 * the neighbouring chords (Catmull–Rom), at rest at both ends. */
ts_pose2 ts_motion_pose(const ts_motion *motion, ts_pose2 rest, double time);
/* Upper bound of the speed of a point at distance `reach` from the rest position, at any time [m/s]. */
double ts_motion_speed_bound(const ts_motion *motion, ts_pose2 rest, double reach);
