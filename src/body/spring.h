/* SPDX-License-Identifier: MIT */
/* Springs between two points, of two bodies or of one and the world, in the plane (z = 0) and in space. With x =
 * length − rest:
 *
 *     linear   energy ½ k x²   force k x        cubic   energy ¼ k x⁴   force k x³
 */
#pragma once

#include <stdint.h>

#include "base/vec.h"
#include "touchstone/scene.h"
#include "touchstone/sim.h"

typedef struct ts_spring {
    ts_spring_kind kind;
    int32_t a, b;               /* bodies; a = -1: the world */
    ts_vec3 anchor_a, anchor_b; /* in the frames of the two bodies, or of the world [m] */
    double stiffness;           /* k [N/m], of cubic ones [N/m³] */
    double rest;                /* length without force [m] */
} ts_spring;

typedef struct ts_pull {
    ts_vec3 point_a, point_b; /* the anchors, world frame [m] */
    ts_vec3 force;            /* on A at point_a; B feels the opposite at point_b [N] */
    double energy;            /* [J] */
} ts_pull;

/* Energy [J], force [N] and slope of the force [N/m] at stretch x. */
typedef struct ts_spring_law {
    double energy, force, slope;
} ts_spring_law;

ts_spring_law ts_spring_law_at(const ts_spring *spring, double stretch);
/* What a spring between bodies at these poses does; the identity pose stands for the world. */
ts_pull ts_spring_pull(const ts_spring *spring, ts_pose3 a, ts_pose3 b);
/* The same between bodies of the plane, body[spring->a] and body[spring->b], where they are after `ahead` of time at
 * their velocities [s]. */
ts_pull ts_spring_pull_in_plane(const ts_spring *spring, const ts_body *body, double ahead);
