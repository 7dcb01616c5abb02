/* SPDX-License-Identifier: MIT */
/* Where two solids touch: contacts of any pair of shapes in space.
 *
 *            A                 n ──▶               B
 *           point_a • ◀── gap ──▶ • point_b              gap < 0: the two overlap
 *
 * A pair has as many contacts as it takes to hold it still: one for round things, up to eight for box on box (the
 * corners of what two faces share), many for meshes. Which function answers for which two kinds is one table in
 * touch.c; a pair without an entry is refused when a scene is loaded (ts_touch_known).
 *
 * Contacts are as symmetric as the question. Neither body is preferred: where several directions are equally good
 * (mirror images that meet edge on edge, corner on corner) the normal is their mean. How exact they are:
 *
 *     spheres, planes, vessels     closed forms: rounding
 *     boxes, hulls                 the shortest way, apart or out: rounding. Normals of one pair are all the same
 *     capsules, cylinders          gap 1e-6 of the size at worst, mostly 1e-9; nothing is replaced by a prism. Bodies that overlap by a third
 *                                  of their radius or more find a way out, but it may not be the shortest
 *     meshes                       what the distance field interpolates; long edges that cross: the shortest way, by
 *                                  exact distances; long flat faces that lie on each other: rounding
 *
 * A capsule that stands askew on a plane touches with both ends; the point of the higher one then lies inside it, below
 * its ball. Features are those of the bodies (corners, crossing edges, quarters of a rim), so they last while the same
 * places touch. Two bodies of the same shape are told apart by where they stand: when they pass each other along an odd
 * direction, features of their contacts change once. */
#pragma once

#include "base/memory.h"
#include "shape/solid.h"

typedef struct ts_touch {
    double gap;               /* signed distance along the normal [m] */
    ts_vec3 normal;           /* unit, from A to B, world frame */
    ts_vec3 point_a, point_b; /* on the two surfaces, world frame [m] */
    uint32_t feature;         /* which place of the pair it is: the same from step to step while it lasts */
    double weight;            /* how much of a contact it is, in [0, 1]; below 1 between smooth bodies alone [1] */
    double share;             /* what part of a patch of the surface it stands for; 1 but of smooth bodies [1] */
} ts_touch;

typedef TS_ARRAY(ts_touch) ts_touch_array;

/* A solid where it stands. */
typedef struct ts_placed_solid {
    const ts_solid *solid;
    ts_pose3 pose;
} ts_placed_solid;

/* Appends all contacts with a gap of at most `reach` ≥ 0. Swapping the two swaps points and turns normals, and nothing
 * else. Fails for want of memory, and TS_UNSUPPORTED for a pair that is not in the table. */
ts_status ts_touch_find(ts_placed_solid a, ts_placed_solid b, double reach, ts_touch_array *to, ts_error *error);
bool ts_touch_known(ts_solid_kind a, ts_solid_kind b);

/* ---- Derivatives ---- */

/* Adjoint of a contact's record. */
typedef struct ts_touch_bar {
    double gap;
    ts_vec3 normal, point_a, point_b;
} ts_touch_bar;

/* Adjoint of a pose: of its position, and of a small rotation, a vector of the world: R → exp([θ]×) R. */
typedef struct ts_pose_bar {
    ts_vec3 position, turn;
} ts_pose_bar;

/* Whether contacts of the two kinds depend smoothly on the poses while they last: spheres with each other, and
 * spheres, capsules, boxes and hulls with planes. */
bool ts_touch_smooth(ts_solid_kind a, ts_solid_kind b);
/* The derivative, transposed, of one of the contacts that ts_touch_find has found at these poses: adds to the adjoints
 * of both. False, and nothing is added: the pair is not smooth. */
bool ts_touch_find_vjp(ts_placed_solid a, ts_placed_solid b, const ts_touch *touch, const ts_touch_bar *bar,
                       ts_pose_bar *to_a, ts_pose_bar *to_b);
