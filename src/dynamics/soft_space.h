/* SPDX-License-Identifier: MIT */
/* Sub-stepped soft contacts in space: rows of eight pairs side by side (soft.h has the method, soft_plane.h the same
 * for the plane).
 *
 * A *row* is one place of a pair, and goes along with both bodies: between two findings its gap and normal follow from
 * the poses. Each body carries a point and a radius about it, and the normal is that of a plane that one of them
 * carries, or the direction between the two points, across an axis where one of them is long:
 *
 *     flat     gap = n · δ - r, n turns with A or with B        δ: from A's point to B's
 *     round    gap = |δ| - r, n = δ/|δ|                         r: the radii of both; below 0 of what is hollow
 *     hollow   gap = -|δ| - r, n = -δ/|δ|                       a point within a vessel
 *     axial    the same two with δ - u (u · δ) for δ            u: an axis that turns with A or with B
 *     rim      flat, and the point is one of a circle           that the body which does not carry n has
 *
 * A rim rolls: its lowest point is another point of the body at every moment. Of a circle about c with the axis u and
 * the radius r, the point is
 *
 *     c + r (cos φ d + sin φ u × d)      d: along m - u (u · m), where m is n or -n, away from the circle's body
 *
 * with φ = 0 for the point that reaches farthest, and quarter turns from there for the three others that a place may
 * be at. Where u and m are parallel, the four go along with the body.
 *
 * A *lane* is a pair with all its rows. Lanes of one colour share no body that can move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dynamics/soft.h"

enum { TS_SOFT3_LANES = 8 };

/* Sine of the tilt of a rim below which it has no lowest point but by rounding (contact/touch_wall.c has the same). */
#define TS_SOFT3_LEVEL 1e-6

/* Of a centre of mass, and angular, world frame [m/s], [rad/s]. Frames (contact/verlet3.h): bodies by their slots, then
 * walls, then one that stands still for lanes that are empty. */
typedef struct ts_soft3_velocity {
    double x, y, z, unused, wx, wy, wz, unused_too;
} ts_soft3_velocity;

typedef struct ts_soft3_pose {
    double x, y, z, unused; /* [m] */
    double qw, qx, qy, qz;  /* unit quaternion: from the body's frame to the world's */
} ts_soft3_pose;

/* What a row is in its bodies' frames: set when it is found. */
typedef struct ts_soft3_form {
    double a[3][TS_SOFT3_LANES], b[3][TS_SOFT3_LANES]; /* the points that they carry [m] */
    double n[3][TS_SOFT3_LANES];                       /* unit normal from A to B, or the axis; 0: no row */
    double ra[TS_SOFT3_LANES], rb[TS_SOFT3_LANES];     /* radii [m] */
    double of_b[TS_SOFT3_LANES];                       /* 1: normal or axis turn with B; 0: with A */
    double round[TS_SOFT3_LANES];                      /* 0: flat, 1: round, -1: hollow */
    double axial[TS_SOFT3_LANES];                      /* 1: n is an axis */
    /* of a rim: its axis, unit, the centre, and the quarter turns from the point that reaches farthest; 0: no rim */
    double rim_axis[3][TS_SOFT3_LANES], rim_centre[3][TS_SOFT3_LANES];
    double rim_cos[TS_SOFT3_LANES], rim_sin[TS_SOFT3_LANES];
    double restitution[TS_SOFT3_LANES];
} ts_soft3_form;

/* A row as it stands, in the world's frame. */
typedef struct ts_soft3_row {
    double gap[TS_SOFT3_LANES];                                /* [m] */
    double n[3][TS_SOFT3_LANES];                               /* unit normal from A to B */
    double arm_a[3][TS_SOFT3_LANES], arm_b[3][TS_SOFT3_LANES]; /* of the place, about both centres of mass [m] */
    double mass_n[TS_SOFT3_LANES], mass_t[TS_SOFT3_LANES];     /* that an impulse along it, or across, meets [kg] */
    double share[TS_SOFT3_LANES]; /* of a hard row's answer (weight.h); 1 but between ridges of smooth bodies */
    double friction[TS_SOFT3_LANES];
    double held[TS_SOFT3_LANES]; /* impulse along the normal with which the sub-step began [N·s] */
    double normal[TS_SOFT3_LANES], tangent[3][TS_SOFT3_LANES]; /* impulse of the sub-step on B [N·s] */
} ts_soft3_row;

/* What is added up while a row lasts. */
typedef struct ts_soft3_sum {
    double approach[TS_SOFT3_LANES]; /* speed at which it closed in this sub-step, if it bounces; otherwise 0 [m/s] */
    double fall[TS_SOFT3_LANES];     /* what gravity and springs did to it in the first half of the sub-step [m/s] */
    double taken[TS_SOFT3_LANES];    /* energy that its normal impulses took in this sub-step, if it bounces [J] */
    double normal[TS_SOFT3_LANES], tangent[3][TS_SOFT3_LANES]; /* impulses on B, also those that do not last [N·s] */
    /* of rows against what nothing can move: impulses on B, and their moments about the centre of what does not
     * move [N·s], [N·m·s] */
    double impulse[3][TS_SOFT3_LANES], moment[3][TS_SOFT3_LANES];
    double work[TS_SOFT3_LANES]; /* of what does not move but by its script, on the other [J] */
} ts_soft3_sum;

typedef struct ts_soft3_group {
    int32_t a[TS_SOFT3_LANES], b[TS_SOFT3_LANES]; /* of velocity[], pose[] */
    int32_t row, count;                           /* the first of its rows, how many */
    double inv_mass_a[TS_SOFT3_LANES], inv_mass_b[TS_SOFT3_LANES];
    /* world frame, as of the finding: xx, yy, zz, xy, xz, yz */
    double inv_inertia_a[6][TS_SOFT3_LANES], inv_inertia_b[6][TS_SOFT3_LANES];
    double heavier[TS_SOFT3_LANES]; /* mass of the heavier one, of those that can move [kg] */
    double stiffer[TS_SOFT3_LANES]; /* 1: against something that nothing can move */
    bool bounces;                   /* some restitution of it is not 0 */
    bool closes;                    /* something of it closes in this sub-step that bounces */
    bool fixed;                     /* some lane is stiffer */
} ts_soft3_group;

typedef struct ts_soft3_task {
    ts_soft3_group *group;
    ts_soft3_form *form;
    ts_soft3_row *row;
    ts_soft3_sum *sum;
    ts_soft3_velocity *velocity;
    const ts_soft3_velocity *before; /* at the beginning of the sub-step, without gravity and springs */
    const ts_soft3_velocity *mean;   /* where something is driven: in the sub-step, with which it did; otherwise NULL */
    const ts_soft3_pose *pose;
    double gravity[3];
    double step; /* of a sub-step [s] */
    ts_soft_pace pace;
    ts_soft_heat *heat;
} ts_soft3_task;

typedef struct ts_soft3_kernels {
    ts_soft_kernel *pass[TS_SOFT_PASSES]; /* task: a ts_soft3_task */
    /* frames begin … end - 1: v ← v + h g where `falls`, and poses go on at the velocities where `goes` */
    void (*kick)(const ts_soft3_task *task, const uint8_t *falls, int32_t begin, int32_t end);
    void (*drift)(const ts_soft3_task *task, const uint8_t *goes, ts_soft3_pose *pose, int32_t begin, int32_t end);
} ts_soft3_kernels;
