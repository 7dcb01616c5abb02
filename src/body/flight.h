/* SPDX-License-Identifier: MIT */
/* Free flight of a rigid body in space: exact translation under gravity, rotation by Discrete Moser–Veselov (DMV).
 *
 * The body's attitude q turns body vectors into world vectors; L is its angular momentum about its centre of mass in
 * the world frame, y = q⁻¹L the same in the body's. One step of length h turns the body by a unit quaternion (e₀, e) in
 * its own frame, q⁺ = q·(e₀, e), with
 *
 *     2 (e₀ I e + e × I e) = h y           Moser and Veselov 1991, written in quaternions
 *
 * for the solution that grows out of (1, 0) as h grows from 0. Then  h y⁺ = 2 (e₀ I e − e × I e),  and this is what follows:
 *
 *   - L is not touched: y is worked out from q and L in every step, so angular momentum in space is kept to the last bit.
 *   - ½ y·I⁻¹y, the energy itself and no modified one, is the same before and after: the two squares differ by 4e₀ e·(e × I e) = 0. It is kept
 *     at any h, not only for small ones; what remains is rounding, which wanders like the root of the number of steps: at
 *     most 4e-13 of the energy after 10⁶ steps of eight thick and thin bodies at h|ω| from 0.01 to 0.5.
 *   - y stays on the exact top's curve (its two invariants fix it); only the pace on it is off, by a factor 1 + O(h²). Order 2.
 *   - (h, e) → (−h, −e) swaps y and y⁺: a step back undoes a step.
 *   - Only h·I⁻¹y counts: units and sizes drop out.
 *
 * A ball turns by asin(h|ω|) about a fixed axis instead of h|ω|. There the equation has no solution beyond h|ω| = 1,
 * and that is the worst case: on 20,000 random bodies and momenta the solution never ended before h|ω| = 1, and for
 * asymmetric ones it goes on farther. |ω| changes in flight but is at most |L| / (smallest moment), so
 * ts_flight_safe_step holds for a whole flight.
 *
 * DMV conserves only as well as its equation is solved: Newton's method goes on until its step is so small that its
 * square is below rounding; a body with three equal moments needs one root, one with two equal moments an equation in
 * one unknown. Where Newton's method fails, the solution is followed from h = 0; where it ends, the step fails and the
 * message names the longest step that there is from here.
 *
 * How the pieces make a step. Flight alone is exact for uniform gravity as well: energy and both momenta are kept.
 * Forces that depend on the pose (springs) are kicks in the middle, so a step is symmetric and of order 2:
 *
 *       impulses of impacts at the beginning's poses          p ← p + impulse,  L ← L + (point − position) × impulse
 *       drift h/2        ts_flight_drift                      position and attitude, velocity by gravity
 *       kick  h          ts_flight_kick(h · force)            velocity and L only: all bodies' forces at the same poses
 *       drift h/2
 *
 * Which contacts an impact must settle shows at the end of a flight without impulses and without kicks, by the
 * velocities of the beginning and gravity alone. Impacts keep energy at the moment of impact, drift and kick do so over
 * long times, up to an oscillation of O(h²): but the two do not meet at the same instants of that oscillation, so their
 * composition walks (Smith et al. 2012, section 12). Without kicks drift(h/2)·drift(h/2) should be one drift(h): it is
 * cheaper, and DMV's paces differ. */
#pragma once

#include "base/status.h"
#include "base/vec.h"

/* A step is split so that no part turns a body by more than about this angle: DMV's pace is then within 5 %. [rad] */
#define TS_FLIGHT_TURN 0.5

typedef enum ts_inertia_kind {
    TS_INERTIA_ASYMMETRIC = 0,
    TS_INERTIA_SYMMETRIC, /* two equal moments */
    TS_INERTIA_BALL       /* three */
} ts_inertia_kind;

/* How a body resists turning. */
typedef struct ts_inertia {
    ts_vec3 moment; /* principal moments, all positive [kg m²] */
    ts_quat axes;   /* turns vectors of the principal frame into vectors of the body's */
    bool aligned;   /* the two are the same: axes is the identity */
    ts_inertia_kind kind;
    int axis;           /* symmetric: which principal axis is the one of its own */
    ts_vec3 share;      /* moments over the largest one */
    ts_vec3 inv_moment; /* [1/(kg m²)] */
} ts_inertia;

/* A body in flight. */
typedef struct ts_rigid {
    ts_pose3 pose;            /* of the centre of mass */
    ts_vec3 velocity;         /* of the centre of mass, world frame [m/s] */
    ts_vec3 angular_momentum; /* about the centre of mass, world frame [kg m²/s] */
} ts_rigid;

/* From a full inertia about the centre of mass, in the body's frame, or from its moments when the axes are principal.
 * Moments equal to rounding are taken as equal. Refuses what no body has: an unsymmetric matrix, moments that are not
 * positive, one larger than the two others together. */
ts_status ts_inertia_make(ts_mat3 inertia, ts_inertia *top, ts_error *error);
ts_status ts_inertia_of_moments(ts_vec3 moment, ts_inertia *top, ts_error *error);

/* Angular velocity, angular momentum [world frame], energy of rotation, and the inverse inertia in the world frame,
 * of a body that stands so. */
ts_vec3 ts_inertia_spin(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum);
ts_vec3 ts_inertia_momentum(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_velocity);
double ts_inertia_energy(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum);
ts_mat3 ts_inertia_inverse(const ts_inertia *top, ts_quat attitude);

/* One step of DMV, backwards for step < 0; the attitude comes out of unit length. Fails (TS_DIVERGED) when the step is
 * longer than there is a solution for, and when something is not finite; the attitude is then as it was. */
ts_status ts_flight_turn(const ts_inertia *top, ts_vec3 angular_momentum, double step, ts_quat *attitude,
                         ts_error *error);
/* The longest step that ts_flight_turn has a solution for, from here [s]; infinite for a body at rest. Slow: it
 * follows the solution to its end. */
double ts_flight_longest_step(const ts_inertia *top, ts_quat attitude, ts_vec3 angular_momentum);
/* A step that has a solution all through a flight: smallest moment / |L| [s]. */
double ts_flight_safe_step(const ts_inertia *top, ts_vec3 angular_momentum);
/* The fewest equal parts of a step that turn by at most TS_FLIGHT_TURN each, even about the worst axis; at least 1. Of
 * constants of the flight alone: a way back is split like the way there. */
double ts_flight_parts(const ts_inertia *top, ts_vec3 angular_momentum, double step);

/* Flies for `step`: position and velocity exactly, x + h v + ½h²g and v + h g, attitude by DMV, in ts_flight_parts
 * parts. Fails, and changes nothing, when the result would not be finite or the body turns more than 10⁵ rad. */
ts_status ts_flight_drift(const ts_inertia *top, ts_vec3 gravity, double step, ts_rigid *rigid, ts_error *error);
/* An impulse at a point of the world. */
void ts_flight_kick(double mass, ts_vec3 impulse, ts_vec3 point, ts_rigid *rigid);
