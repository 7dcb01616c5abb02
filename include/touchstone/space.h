/* SPDX-License-Identifier: MIT */
/**
 * @file space.h
 * Bodies in space: what their model and their state can be asked. What a scene of them is made of is in scene.h.
 *
 * Frames. Vectors are (x, y, z), SI units. An attitude is a unit quaternion (w, x, y, z) that turns vectors of the body into vectors of the
 * world; (1, 0, 0, 0) leaves them alone. A shape's own frame has its origin in the centre of mass and the axes that it was given with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/sim.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One rigid body in space: two cache lines. */
typedef struct ts_body3 {
    double position[3]; /**< centre of mass [m] */
    double attitude[4]; /**< unit quaternion w, x, y, z: from the solid's frame to the world's */
    double velocity[3]; /**< of the centre of mass [m/s] */
    double angular_momentum
        [3]; /**< about the centre of mass, world frame [kg·m²/s]; of what is scripted: angular velocity [rad/s] */
    double radius;   /**< of the bounding sphere about the centre of mass [m] */
    double inv_mass; /**< [1/kg]; 0 for fixed and driven bodies */
    double unused;   /**< 0 */
} ts_body3;

/** One contact in space. */
typedef struct ts_contact3 {
    int64_t a;         /**< body id, or -1 - i for wall i (rooms have six: see ts_model_wall_count) */
    int64_t b;         /**< body id */
    uint64_t key;      /**< which pieces of the two touch, and where: stable from step to step */
    double gap;        /**< signed distance [m]; negative: overlap */
    double normal[3];  /**< unit, world frame, from A to B */
    double point_a[3]; /**< on A, world frame [m] */
    double point_b[3]; /**< on B, world frame [m] */
    double force[3];   /**< on B: the impulse of the last step over its time; A feels the opposite [N] */
} ts_contact3;

/** Whether the model is of space. */
TS_API bool ts_model_is_space(const ts_model *model);
/** Walls, where a room counts as six. */
TS_API size_t ts_model_wall_count(const ts_model *model);
/** A body's inertia about its centre of mass in the solid's frame, also of a fixed one [kg·m²]; row-major. NaN when there is no such body. */
TS_API void ts_model_inertia3(const ts_model *model, size_t body, double inertia[9]);

/** body[i] is body i; valid until the state is freed, updated by ts_step. No copy. NULL for a model of the plane. */
TS_API const ts_body3 *ts_state_bodies3(const ts_state *state);
/** Angular velocity of a body, world frame [rad/s]. */
TS_API ts_status ts_state_spin3(const ts_state *state, size_t body, double spin[3], ts_error *error);
/** Sets a body's pose; its angular velocity in its own frame stays. A number that is not finite, or a body that a drive moves, is an error and changes nothing. */
TS_API ts_status ts_state_set_pose3(ts_state *state, size_t body, const double position[3], const double attitude[4],
                                    ts_error *error);
/** Sets a body's velocity and angular velocity (world frame), likewise. */
TS_API ts_status ts_state_set_velocity3(ts_state *state, size_t body, const double velocity[3], const double spin[3],
                                        ts_error *error);
/** The contacts of the state as it stands that touch, in an order that does not depend on threads. No copy: valid until the workspace's next use. */
TS_API ts_status ts_find_contacts3(const ts_model *model, const ts_state *state, ts_workspace *work,
                                   const ts_contact3 **contact, size_t *count, ts_error *error);

#ifdef __cplusplus
}
#endif
