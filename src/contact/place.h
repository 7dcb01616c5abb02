/* SPDX-License-Identifier: MIT */
/* Contacts of discs in the plane, one by one, with their derivatives: the scalar twins of the kernels in analytic.h.
 *
 *     gap, unit normal n from A to B, and the point half-way between the two surfaces, world frame
 */
#pragma once

#include "contact/analytic.h"

typedef struct ts_place2 {
    double gap;       /* [m] */
    double normal[2]; /* unit, from A to B */
    double point[2];  /* [m] */
} ts_place2;

/* Adjoint of a frame: x, y, angle. */
typedef struct ts_frame2_bar {
    double x, y, angle;
} ts_frame2_bar;

/* Two discs. */
ts_place2 ts_discs_place(const ts_frame2 *a, const ts_frame2 *b);
/* Its derivative, transposed: `bar` has the adjoints of the place; those of both frames are added to. */
void ts_discs_place_vjp(const ts_frame2 *a, const ts_frame2 *b, const ts_place2 *bar, ts_frame2_bar *to_a,
                        ts_frame2_bar *to_b);

/* A half-plane or a circle that holds a disc. A half-plane turns about its frame's origin; its normal is the wall's
 * (nx, ny). */
ts_place2 ts_wall_place(const ts_wall_frame *wall, const ts_frame2 *b);
typedef void ts_wall_vjp(const ts_wall_frame *wall, const ts_frame2 *b, const ts_place2 *bar, ts_frame2_bar *to_wall,
                         ts_frame2_bar *to_b);
/* The derivative for a kind of wall; NULL: contacts with it jump from edge to edge, and have none. */
ts_wall_vjp *ts_wall_place_vjp(ts_wall_kind kind);
