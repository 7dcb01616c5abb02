/* SPDX-License-Identifier: MIT */
/* Sub-stepped soft contacts in the plane: rows of eight pairs side by side (soft.h has the method).
 *
 * A *row* is one place of a pair, and goes along with both bodies: between two findings its gap and normal follow
 * exactly from the poses. Each body carries a point, and the normal is that of a line that one of them carries, or
 * the direction between two centres:
 *
 *     line     gap = n · δ - r, n turns with A or with B        δ: from A's point to B's
 *     round    gap = |δ| - r, n = δ/|δ|                         r: the radii of both; below 0 of what is hollow
 *     hollow   gap = -|δ| - r, n = -δ/|δ|                       a point within an arc of the other body
 *
 * A *lane* is a pair with all its rows. Lanes of one colour share no body that can move, so that eight of them
 * are worked on side by side, and groups of eight on any number of threads, with the same bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dynamics/soft.h"

enum { TS_SOFT_LANES = 8 };

/* Bodies, then walls, then one that stands still for lanes that are empty. */
typedef struct ts_soft_velocity {
    double x, y, spin, unused; /* of the centre of mass [m/s], [rad/s] */
} ts_soft_velocity;

typedef struct ts_soft_pose {
    double x, y; /* [m] */
    double c, s; /* cosine and sine of the angle */
} ts_soft_pose;

/* What a row is in its bodies' frames: set when it is found. */
typedef struct ts_soft_form {
    double ax[TS_SOFT_LANES], ay[TS_SOFT_LANES]; /* the point that A carries [m] */
    double bx[TS_SOFT_LANES], by[TS_SOFT_LANES];
    double nx[TS_SOFT_LANES], ny[TS_SOFT_LANES]; /* unit normal of a line, from A to B; 0 of rows that are not there */
    double ra[TS_SOFT_LANES], rb[TS_SOFT_LANES]; /* radii [m] */
    double kind[TS_SOFT_LANES];                  /* one of those below */
    /* Of two points, nx, ny is the middle of A's cone of normals, and this one that of B's; and the cosines of half of
     * their openings, below -1: all round. */
    double mx[TS_SOFT_LANES], my[TS_SOFT_LANES], cone_a[TS_SOFT_LANES], cone_b[TS_SOFT_LANES];
} ts_soft_form;

/* A row that does not count: two corners whose normal is out of a cone by then [m]. */
#define TS_SOFT_FAR 1e30

/* 0: a line that A carries, and a point of B's; 2: the other way round; 1: round; -1: hollow. */
enum { TS_SOFT_LINE_OF_A = 0, TS_SOFT_LINE_OF_B = 2, TS_SOFT_ROUND = 1, TS_SOFT_HOLLOW = -1 };

/* A row as it stands, in the world's frame. */
typedef struct ts_soft_row {
    double gap[TS_SOFT_LANES];                   /* [m] */
    double nx[TS_SOFT_LANES], ny[TS_SOFT_LANES]; /* unit normal from A to B */
    /* arms of the normal and of the tangent, n turned by +90°, about both centres of mass [m] */
    double na[TS_SOFT_LANES], nb[TS_SOFT_LANES], ta[TS_SOFT_LANES], tb[TS_SOFT_LANES];
    double mass_n[TS_SOFT_LANES], mass_t[TS_SOFT_LANES];  /* that an impulse along it meets [kg] */
    double room[TS_SOFT_LANES];                           /* what it may close by, as an impulse [N·s] */
    double normal[TS_SOFT_LANES], tangent[TS_SOFT_LANES]; /* impulse of the sub-step on B [N·s] */
} ts_soft_row;

/* What is added up while a row lasts. */
typedef struct ts_soft_sum {
    double normal[TS_SOFT_LANES], tangent[TS_SOFT_LANES]; /* impulses of the step [N·s] */
    double held[TS_SOFT_LANES];     /* impulse along the normal with which the sub-step began [N·s] */
    double approach[TS_SOFT_LANES]; /* speed at which it closed in this sub-step, if it bounces; otherwise 0 [m/s] */
    double fall[TS_SOFT_LANES];     /* what gravity and springs did to it in this sub-step [m/s] */
    double taken[TS_SOFT_LANES];    /* energy that its normal impulses took in this sub-step, if it bounces [J] */
} ts_soft_sum;

typedef struct ts_soft_group {
    int32_t a[TS_SOFT_LANES], b[TS_SOFT_LANES]; /* of velocity[], pose[] */
    double inv_mass_a[TS_SOFT_LANES], inv_inertia_a[TS_SOFT_LANES];
    double inv_mass_b[TS_SOFT_LANES], inv_inertia_b[TS_SOFT_LANES];
    double share_a[TS_SOFT_LANES], share_b[TS_SOFT_LANES]; /* of a change of B's velocity against A's; signs left out */
    double friction[TS_SOFT_LANES], restitution[TS_SOFT_LANES];
    double heavier[TS_SOFT_LANES]; /* mass of the heavier one, of those that can move [kg] */
    double stiffer[TS_SOFT_LANES]; /* 1: against something that nothing can move */
    int32_t row, count;            /* the first of its rows, how many */
    bool straight;                 /* all its rows are lines, and points without a radius */
    bool bounces;                  /* some restitution of it is not 0 */
    bool closes;                   /* something of it closes in this sub-step that bounces */
    bool fixed;                    /* some lane is stiffer */
} ts_soft_group;

typedef struct ts_soft_task {
    ts_soft_group *group;
    ts_soft_form *form;
    ts_soft_row *row;
    ts_soft_sum *sum;
    ts_soft_velocity *velocity;
    const ts_soft_velocity *before; /* at the beginning of the sub-step, without gravity and springs */
    const ts_soft_pose *pose;
    double gravity[2];
    double step; /* of a sub-step [s] */
    ts_soft_pace pace;
    ts_soft_heat *heat;
} ts_soft_task;

typedef struct ts_soft_kernels {
    ts_soft_kernel *pass[TS_SOFT_PASSES]; /* task: a ts_soft_task */
    /* bodies begin … end - 1: v ← v + h g, noted in `unloaded` as well */
    void (*kick)(const ts_soft_task *task, const double *inv_mass, ts_soft_velocity *unloaded, int32_t begin,
                 int32_t end);
    /* poses go on at the velocities; angle[] as well. What no contact has pushed falls exactly */
    void (*drift)(const ts_soft_task *task, const ts_soft_velocity *unloaded, const double *inv_mass,
                  ts_soft_pose *pose, double *angle, int32_t begin, int32_t end);
} ts_soft_kernels;
