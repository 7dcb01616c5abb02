/* SPDX-License-Identifier: MIT */
/* Blocks: velocities that share one mass matrix, as contacts see them.
 *
 * A block has `dof` velocities v and a mass matrix M = L Lᵀ. Contacts are worked on in scaled velocities
 *
 *     w = Lᵀ v        ½ |w|² is the block's energy        a row of L⁻¹Jᵀ, times w, is a rate        a row times λ is what an impulse λ adds to w
 *
 * so that solvers know neither masses nor kinds of bodies. One table of operations for each kind:
 *
 *     plane body   3   (v, ω): w = (√m v, √I ω)
 *     space body   6   (v, ω): w = (√m v, D^-½ Rᵀ L)      principal moments D along the columns of R; L: angular momentum
 *
 * A tree of links (n velocities) and a node of a grid (3) will have tables of their own. A row is dense over its block;
 * a contact that touches several blocks, as one between trees or over nodes of a grid does, has a row in each.
 *
 * Directions d, couples c and points p are vectors of the world; in the plane z of points and directions is 0, and
 * couples are along z:
 *
 *     rate of a row = d · (velocity at p) + c · (angular velocity)
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "body/flight.h"

/* A block where it stands, or a wall: what no impulse can move has root 0. */
typedef struct ts_block {
    int64_t body;     /* which it is */
    ts_vec3 origin;   /* centre of mass, or the point that `velocity` is of [m] */
    ts_vec3 velocity; /* of the origin [m/s] */
    ts_vec3 spin;     /* [rad/s] */
    double inv_mass;  /* [1/kg] */
    double root;      /* √(1/m) [kg^-½]; 0: nothing can move it */
    ts_mat3 turn; /* D^-½ Rᵀ: takes a torque about the origin to the row's last numbers; in the plane √(1/I) for z */
    bool round;   /* all moments are alike: `turn` does not depend on the attitude */
} ts_block;

/* What a mass factor depends on. */
typedef struct ts_block_mass {
    double inv_mass;       /* [1/kg]; 0: nothing can move it */
    double inv_inertia;    /* plane [1/(kg m²)]; 0: it cannot turn */
    const ts_inertia *top; /* space: how it resists turning; not read where inv_mass is 0 */
    ts_quat attitude;      /* space */
} ts_block_mass;

/* Where the adjoints of a row go; all are added to. */
typedef struct ts_row_bar {
    ts_vec3 origin; /* of the centre of mass */
    ts_vec3 turn;   /* of a small rotation of the block, a vector of the world: R → exp([θ]×) R */
    ts_vec3 point, along, couple;
} ts_row_bar;

typedef struct ts_block_ops {
    const char *name;
    int dof; /* velocities; 0: each block has a number of its own */

    /* The mass factor, L⁻¹ as root and turn. */
    void (*mass)(const ts_block_mass *mass, ts_block *block);
    /* The row of a direction at a point, with a couple, times `sign`: dof numbers. The block can be moved. */
    void (*row)(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign, double *value);
    /* Its derivative, transposed: row_bar has dof numbers. The masses are constants. NULL: there is none. */
    void (*row_vjp)(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple, double sign,
                    const double *row_bar, ts_row_bar *to);
    /* w of a velocity and of what the state keeps of turning: in the plane the spin about z, in space the angular
     * momentum. */
    void (*scale)(const ts_block *block, ts_vec3 velocity, ts_vec3 turning, double *w);
    /* v of a w: velocity and spin. */
    void (*unscale)(const ts_block *block, const double *w, ts_vec3 *velocity, ts_vec3 *spin);
    /* Roots of the inverse masses of velocities in which M is diagonal, dof numbers: w is those velocities over these.
     * In space the spin is then about the principal axes. */
    void (*roots)(const ts_block *block, double *root);
    /* An impulse at a point with a couple changes the velocity and what the state keeps of turning. */
    void (*kick)(const ts_block *block, ts_vec3 impulse, ts_vec3 point, ts_vec3 couple, ts_vec3 *velocity,
                 ts_vec3 *turning);
} ts_block_ops;

extern const ts_block_ops ts_plane_block, ts_space_block;

/* The rate of a direction at a point, with a couple, of a block or wall that moves as it does. */
double ts_block_rate(const ts_block *block, ts_vec3 point, ts_vec3 along, ts_vec3 couple);
