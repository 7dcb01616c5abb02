/* SPDX-License-Identifier: MIT */
/* Rigid blocks that lean, by hand: what statics and dynamics say of the validations in the CEM paper, section 8.1.
 *
 *       │                     A block of length L and thickness W leans in a corner, its long side inclined by θ from the wall.
 *     Q ●╲                    It touches with the two corners of its under side, P on the floor and Q on the wall. The centre of
 *       │ ╲╲  W               mass G lies W/2 off the middle of PQ, away from the corner:
 *       │  ╲ ╲
 *       │ θ ╲G╲                   P = (L sin θ, 0)   Q = (0, L cos θ)   G = ½ (L sin θ + W cos θ, L cos θ + W sin θ)
 *       │    ╲ ╲
 *       │   L ╲╱              It can only move if both corners slide, P outwards and Q downwards. On the point of sliding both
 *       └──────●─────         frictions are full: (-μ, 1) N_P and (1, μ) N_Q. Sideways N_Q = μ N_P; upright
 *              P              N_P + μ N_Q = m g; moments about P
 *
 *           ½ m g (L sin θ - W cos θ) = N_Q L (cos θ + μ sin θ)
 *
 * Put in, with μ = tan φ and r = W/L, this is tan θ cos 2φ - sin 2φ = r, so
 *
 *           sin(θ - 2φ) = r cos θ       limit angle  tan θ = (r + sin 2φ) / cos 2φ
 *
 * A thin ladder (r = 0) slips beyond θ = 2φ; a thicker one holds farther out, since its weight lies nearer to the wall.
 *
 * Two such blocks lean against each other: what meets at the top is horizontal by symmetry, H, whatever the friction
 * there. Moments about P give H L cos θ = ½ m g (L sin θ - W cos θ), and the foot must hold it: μ ≥ H/(m g) = ½ (tan θ
 * - r). */
#pragma once

/* A block that leans in a corner. */
typedef struct ts_leaning {
    double length;    /* L [m] */
    double thickness; /* W [m] */
    double angle;     /* θ, from the wall [rad] */
} ts_leaning;

/* The least friction at both corners that holds it; 0 when it needs none. */
double ts_leaning_critical(const ts_leaning *block);
/* The largest angle at which a block of these sides holds with this friction; block->angle is not looked at. π/2 when
 * it holds at any. */
double ts_leaning_limit(const ts_leaning *block, double friction);
/* Angular acceleration [rad/s²] while both corners slide down and out, at the block's angle and this spin [rad/s].
 * Negative from rest: it holds. */
double ts_leaning_acceleration(const ts_leaning *block, double friction, double gravity, double spin);
/* Spin after sliding from rest by `turn` [rad], by Runge and Kutta; 0 when it holds. */
double ts_leaning_spin(const ts_leaning *block, double friction, double gravity, double turn);

/* The least friction on the floor that holds two such blocks against each other. */
double ts_tent_critical(const ts_leaning *block);

/* On a slope: the least friction that holds, and the acceleration down it with less. */
double ts_slope_critical(double angle);
double ts_slope_acceleration(double angle, double friction, double gravity);
