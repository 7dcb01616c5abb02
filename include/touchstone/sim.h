/* SPDX-License-Identifier: MIT */
/**
 * @file sim.h
 * Model, state and step.
 *
 * - A ts_model is a compiled scene. It never changes; many states and threads may share it.
 * - A ts_state is everything that changes during a run, and nothing else.
 * - A ts_workspace is scratch memory and threads, allocated once. It holds nothing that a result depends on: a state
 * may
 *   be stepped with any workspace of its model, on any number of threads, and gives the same bits.
 *
 *     ts_model_compile(scene, &model, &error);
 *     ts_state_create(model, &state, &error);
 *     ts_workspace_create(model, 0, &work, &error);
 *     ts_step(model, state, work, 1000, &error);
 *     const ts_body *body = ts_state_bodies(state);   // body[i] is body i, no copy
 *
 * Order of bodies: those that ts_scene_add_body added, in that order, then each generator's in its order of adding.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "touchstone/scene.h"
#include "touchstone/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ts_model ts_model;         /**< what never changes */
typedef struct ts_state ts_state;         /**< what does */
typedef struct ts_workspace ts_workspace; /**< scratch memory and threads */

/** One rigid body in the plane: a cache line that every hot loop reads. */
typedef struct ts_body {
    double x;        /**< centre of mass [m] */
    double y;        /**< centre of mass [m] */
    double angle;    /**< [rad], not wrapped */
    double radius;   /**< of the bounding circle about the centre of mass [m] */
    double vx;       /**< [m/s] */
    double vy;       /**< [m/s] */
    double spin;     /**< angular velocity [rad/s] */
    double inv_mass; /**< [1/kg]; 0 for fixed and driven bodies */
} ts_body;

/** One rigid body in space: two cache lines. */
typedef struct ts_body3 {
    double position[3];         /**< centre of mass [m] */
    double attitude[4];         /**< unit quaternion w, x, y, z: from the body's own frame to the world's */
    double velocity[3];         /**< of the centre of mass [m/s] */
    double angular_momentum[3]; /**< about the centre of mass, world frame [kg·m²/s] */
    double radius;              /**< of the bounding sphere about the centre of mass [m] */
    double inv_mass;            /**< [1/kg]; 0 for fixed and driven bodies */
    double unused;              /**< 0 */
} ts_body3;

/** One contact point, in the plane (z is 0) or in space: what every geometry hands over and every dynamics reads, with
 * the force that acts. */
typedef struct ts_contact {
    int64_t a;    /**< body id, or -1 - i for wall i */
    int64_t b;    /**< body id */
    uint64_t key; /**< which parts and features of the two touch: the same from step to step. In the plane A's part, or
                            the face of a wall, is in the upper 32 bits, B's part in the lower */
    double gap;   /**< signed distance [m]; negative: overlap */
    double normal[3];  /**< unit, world frame, from A to B */
    double point_a[3]; /**< on A, world frame [m] */
    double point_b[3]; /**< on B, world frame [m] */
    double weight;     /**< share of the contact's force that this point carries [1] */
    double
        force[3]; /**< on B, normal force and friction together; A feels the opposite [N]. Under impact it is the mean
                            of the last step */
    double
        history[4]; /**< what the dynamics keeps from step to step: penalty has the tangential spring, in the plane its
                            length along the tangent, in space a vector [m]; otherwise 0 */
} ts_contact;

/** Energies, momentum and overlap of a state. */
typedef struct ts_measures {
    double time;            /**< [s] */
    double kinetic;         /**< translational [J] */
    double rotational;      /**< [J] */
    double gravitational;   /**< relative to the origin [J] */
    double elastic;         /**< in normal and tangential contact springs [J] */
    double momentum[3];     /**< of all moving bodies; z is 0 in the plane [kg·m/s] */
    double angular;         /**< angular momentum about the origin, of space its z [kg·m²/s] */
    double max_overlap;     /**< deepest overlap [m] */
    double mean_overlap;    /**< over touching contacts [m] */
    double overlap_ratio;   /**< deepest overlap as a share of the smaller radius [1] */
    double max_speed;       /**< fastest body [m/s] */
    double work;            /**< done by what is driven and by impact's correction, since time 0 [J] */
    double lost_normal;     /**< to the normal dashpots, since time 0 [J] */
    double lost_tangential; /**< to the tangential dashpots, since time 0 [J] */
    double lost_friction;   /**< to sliding, since time 0 [J] */
    uint64_t contact_count; /**< touching */
    double angular_xy[2];   /**< of space: its x and y [kg·m²/s] */
} ts_measures;

/** Compiles a scene: runs its generators, derives parameters, checks everything that can be checked. */
TS_API ts_status ts_model_compile(const ts_scene *scene, ts_model **model, ts_error *error);
/**
 * Makes the contact maps that a model with outlines needs, or finds them in the cache (map.h); does nothing for discs
 * alone. To be called once, before the first step (until then no contacts are found): training may take minutes, so it
 * is not a part of compiling. `making` may be NULL.
 */
TS_API ts_status ts_model_prepare(ts_model *model, const ts_map_making *making, ts_error *error);
/** Frees a model; NULL is allowed. Its states and workspaces must be freed before. */
TS_API void ts_model_free(ts_model *model);

/** Number of bodies. */
TS_API size_t ts_model_body_count(const ts_model *model);
/** 2: bodies in the plane, 3: bodies in space. */
TS_API int ts_model_dimension(const ts_model *model);
/** Number of walls; a room counts as six. */
TS_API size_t ts_model_wall_count(const ts_model *model);
/** Δt in use [s]. */
TS_API double ts_model_time_step(const ts_model *model);
/** Largest Δt that is stable, by the rule of docs/penalty.md [s]. */
TS_API double ts_model_stable_step(const ts_model *model);
/** Simulated time of a run [s]. */
TS_API double ts_model_duration(const ts_model *model);
/** A body's mass, also of a fixed one [kg]; NaN when there is no such body. */
TS_API double ts_model_mass(const ts_model *model, size_t body);
/** A body's inertia about its centre of mass in its own frame, also of a fixed one [kg·m²]; row-major. In the plane
 * only inertia[8], about z, is not 0. NaN when there is no such body. */
TS_API void ts_model_inertia(const ts_model *model, size_t body, double inertia[9]);
/** Index of a body's shape; -1 when there is no such body. */
TS_API int32_t ts_model_shape(const ts_model *model, size_t body);
/** Changes when anything that a result depends on changes. */
TS_API uint64_t ts_model_hash(const ts_model *model);

/** The state at time 0, as the scene describes it. */
TS_API ts_status ts_state_create(const ts_model *model, ts_state **state, ts_error *error);
/** Frees a state; NULL is allowed. */
TS_API void ts_state_free(ts_state *state);
/** Makes `to` equal to `from`, bit for bit. Both are of the same model. */
TS_API ts_status ts_state_copy(ts_state *to, const ts_state *from, ts_error *error);
/** Hash of all bits that the motion depends on (the energy budget is not among them). Equal states have equal hashes on
 * every machine. */
TS_API uint64_t ts_state_hash(const ts_state *state);

/** Simulated time [s]. */
TS_API double ts_state_time(const ts_state *state);
/** Steps taken since time 0. */
TS_API uint64_t ts_state_steps(const ts_state *state);
/** body[i] is body i; valid until the state is freed, updated by ts_step. No copy. NULL in space. */
TS_API const ts_body *ts_state_bodies(const ts_state *state);

/** The same in space. NULL in the plane, as ts_state_bodies is in space. */
TS_API const ts_body3 *ts_state_bodies3(const ts_state *state);

/**
 * Poses and velocities as plain vectors, for plane and space alike. A body has
 *
 *              q                                          v
 *     plane    x, y, angle                                vx, vy, spin
 *     space    x, y, z, quaternion w, x, y, z             vx, vy, vz, angular velocity in the world frame
 *
 * These are the numbers that a body has in q and in v.
 */
TS_API int ts_model_q_size(const ts_model *model);
/** Numbers of a body in v. */
TS_API int ts_model_v_size(const ts_model *model);
/** All poses, body after body (body count · ts_model_q_size). */
TS_API void ts_state_positions(const ts_state *state, double *q);
/** All velocities, body after body (body count · ts_model_v_size). */
TS_API void ts_state_velocities(const ts_state *state, double *v);
/** One body's pose. */
TS_API ts_status ts_state_pose(const ts_state *state, size_t body, double *q, ts_error *error);
/** One body's velocity. */
TS_API ts_status ts_state_velocity(const ts_state *state, size_t body, double *v, ts_error *error);
/** Sets a body's pose; a quaternion may have any length but zero. In space the angular velocity in the body's own frame
 * stays. A number that is not finite, or a body that a drive moves, is an error and changes nothing. */
TS_API ts_status ts_state_set_pose(ts_state *state, size_t body, const double *q, ts_error *error);
/** Sets a body's velocity, likewise. A fixed body without a drive keeps the velocity it is given. */
TS_API ts_status ts_state_set_velocity(ts_state *state, size_t body, const double *v, ts_error *error);

/** q of a body in space from arrays of its position and its quaternion. */
#define TS_POSE3(position, attitude)                                                                             \
    ((const double[7]){(position)[0], (position)[1], (position)[2], (attitude)[0], (attitude)[1], (attitude)[2], \
                       (attitude)[3]})
/** v of a body in space from arrays of its velocity and its angular velocity. */
#define TS_VELOCITY3(velocity, spin) \
    ((const double[6]){(velocity)[0], (velocity)[1], (velocity)[2], (spin)[0], (spin)[1], (spin)[2]})

/** Scratch memory for states of `model`. thread_count 0: one a core, but no more than a small scene has work for. */
TS_API ts_status ts_workspace_create(const ts_model *model, int thread_count, ts_workspace **work, ts_error *error);
/** Frees a workspace; NULL is allowed. */
TS_API void ts_workspace_free(ts_workspace *work);
/** Threads in use. */
TS_API int ts_workspace_threads(const ts_workspace *work);
/** Bytes that model, state and workspace hold on the heap for this simulation. */
TS_API size_t ts_memory_bytes(const ts_model *model, const ts_state *state, const ts_workspace *work);

/**
 * Advances by `count` steps. Deterministic: the same bits on any number of threads.
 * TS_DIVERGED names the body, the time and a stable time step; the state is then as after the step that went astray.
 * TS_BAD_INPUT when a body is an outline and ts_model_prepare was not called.
 */
TS_API ts_status ts_step(const ts_model *model, ts_state *state, ts_workspace *work, uint64_t count, ts_error *error);

/** Something about the steps taken that puts their result in doubt, or should be known. */
typedef struct ts_warning {
    const char *kind;    /**< "deep_overlap", …: docs/cli.md lists them; never freed */
    uint64_t count;      /**< steps in which it was noticed; 0: it is of all steps together */
    uint64_t first_step; /**< the first of them, counted from 1; 0: it is of the scene or of all steps together */
    int64_t body;        /**< a body that had to do with it then, or -1 */
    bool doubtful;       /**< the result is not to be trusted */
    char text[480];      /**< a sentence or two: what was noticed, and what helps */
} ts_warning;

/**
 * What is to be said about the steps that this workspace has taken. Fills at most `capacity` of `warning`, the gravest
 * first, and returns how many there are: at most 16. The same on any number of threads.
 */
TS_API size_t ts_workspace_warnings(const ts_workspace *work, ts_warning *warning, size_t capacity);

/**
 * The contacts of the state as it stands, with the forces that act, in an order that is the same on any number of
 * threads. No copy: the array belongs to the workspace and is valid until its next use. None before
 * ts_model_prepare when a body is an outline; ts_measure then counts none either.
 */
TS_API ts_status ts_find_contacts(const ts_model *model, const ts_state *state, ts_workspace *work,
                                  const ts_contact **contact, size_t *count, ts_error *error);
/**
 * Force of all contacts on a wall in the last step that `work` took, and torque about the wall's point or centre, where
 * it was in that step [N, N·m]. In the plane the force has z = 0, and the torque is about z. `torque` may be NULL.
 */
TS_API ts_status ts_wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3],
                               ts_error *error);
/** Energies, momentum and overlaps of the state as it stands. */
TS_API ts_status ts_measure(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                            ts_error *error);

/** Writes the state to a file: atomically, checksummed. */
TS_API ts_status ts_state_save(const ts_model *model, const ts_state *state, const char *path, ts_error *error);
/** Reads it back, bit for bit. A damaged file, or one of another model, is refused and leaves the state as it was. */
TS_API ts_status ts_state_load(const ts_model *model, ts_state *state, const char *path, ts_error *error);

#ifdef __cplusplus
}
#endif
