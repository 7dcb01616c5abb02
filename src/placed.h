/* SPDX-License-Identifier: MIT */
/* Bodies and walls of a state in one form for plane and space: for all that looks at them and does not step them
 * (recorders, measures).
 *
 * In the plane positions have z = 0, and attitudes and spins are about z. */
#pragma once

#include "state.h"

typedef struct ts_placed {
    ts_pose3 pose;    /* of the centre of mass, or of a wall's frame */
    double angle;     /* plane: the same attitude, not wrapped [rad]; space: 0 */
    ts_vec3 velocity; /* [m/s]; of walls 0 */
    ts_vec3 spin;     /* angular velocity, world frame [rad/s]; of walls 0 */
    bool present;     /* false while a gate holds it away */
} ts_placed;

ts_placed ts_placed_body(const ts_state *state, size_t body);
ts_placed ts_placed_wall(const ts_model *model, size_t wall, double time);

/* Energy in the scene's springs [J]. */
double ts_placed_spring_energy(const ts_state *state);
