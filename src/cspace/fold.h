/* SPDX-License-Identifier: MIT */
/* Folding: poses that symmetry makes equal become one.
 *
 * Let g map A onto itself and h map B onto itself, both turns or both mirrors. Then B at pose q touches A exactly as B
 * at g q h⁻¹ does, seen in a turned or mirrored frame. For two equal outlines, q⁻¹ (B seen from A becomes A seen from
 * B) is a third such map. Folding picks one pose of each class, in a domain that is smaller by the number of maps:
 *
 *     u, the direction of (x, y) from A's axis (0: from the x axis)     [0, 2π / n_A); [0, π / n_A] where both have mirrors
 *     the angle of B                                                     [0, 2π / n_B)
 *     equal outlines, which can be exchanged                             angle ≤ π / n without mirrors; with mirrors
 *                                                                        2 u ≤ (angle - π) mod 2π / n
 *
 * n = 0 (disc, ring): the direction, or the angle, is always 0. A folded pose is a pose like any other: the gap there
 * is the gap of the pose that was folded. Rounding may leave it a few ulps outside of the domain. Unfolding takes the
 * gradient and the arm back.
 *
 *     (u, angle) of two equal D_n, n even:       angle 0        2π/n
 *     kept: below the line                     u π/n ┌─────────╱┐
 *                                                    │      ╱···│
 *                                                    │   ╱······│
 *                                                  0 └╱─────────┘
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cspace/field.h"
#include "cspace/pair.h"

typedef struct ts_fold {
    bool active;           /* false: poses pass as they are, but for the angle, which comes into [-π, π) */
    int32_t turns_a;       /* n_A; 0: any */
    int32_t turns_b;       /* n_B */
    bool mirror;           /* both have mirrors, and A is no disc: directions are mirrored at A's axes */
    bool exchange;         /* equal outlines, no discs */
    double axis_a, axis_b; /* mirror axes, where `mirror`, else 0 [rad] */
    double sector;         /* folded directions lie in [axis_a, axis_a + sector]; 2π: not folded; 0: disc */
    double period;         /* folded angles lie in [0, period); 2π: not folded; 0: disc */
    double order;          /* how many times smaller the domain is; for discs counted as 1 */
} ts_fold;

/* How one pose was folded: enough to go back. One cache line. */
typedef struct ts_folding {
    double cosine, sine; /* (x, y) became R (x, flip · y), R the turn with this cosine and sine */
    double flip;         /* -1: mirrored; 1: not */
    double swapped;      /* 1: A and B were exchanged; 0: not */
    double x, y, angle;  /* the pose before folding */
    double spare;
} ts_folding;

ts_fold ts_fold_make(const ts_pair *pair, bool active);
/* For a table: only the maps that take its lattice onto itself, quarter and half turns of A and mirrors. On a wall of
 * the domain two folded poses stand for one configuration; a lattice that other maps do not leave as it is would have
 * two gaps for it. */
ts_fold ts_fold_for_table(const ts_pair *pair, bool active);
/* Folds poses in place (x, y, angle of `fields`), remembering how in `folding` (count). */
void ts_fold_apply(const ts_fold *fold, size_t count, ts_fields *fields, ts_folding *folding);
/* Takes gap, gradient and arm of the folded poses back, and puts the poses back as they were. A disc feels no torque:
 * for a disc B ∂gap/∂angle is set to 0; for a disc A, where poses lie on the x axis, ∂gap/∂y follows from
 * ∂gap/∂angle. */
void ts_fold_undo(const ts_fold *fold, size_t count, ts_fields *fields, const ts_folding *folding);

/* ∂gap/∂y at (x, 0) beside a disc A, from turn = ∂gap/∂angle: turning both outlines changes nothing, so turn + x
 * ∂gap/∂y = 0. No true slope is above 1; an error at the centre may not become a huge one. */
#define TS_FOLD_SLOPE_MOST 4.0
static inline double ts_fold_slide(double x, double turn)
{
    double slide = x > 0 ? turn / x : 0;
    return slide > TS_FOLD_SLOPE_MOST ? -TS_FOLD_SLOPE_MOST : slide < -TS_FOLD_SLOPE_MOST ? TS_FOLD_SLOPE_MOST : -slide;
}

/* One pair of loops for each instruction set (fold.simd.c). */
typedef struct ts_fold_kernels {
    void (*apply)(const ts_fold *fold, size_t count, ts_fields *fields, ts_folding *folding);
    void (*undo)(const ts_fold *fold, size_t count, ts_fields *fields, const ts_folding *folding);
} ts_fold_kernels;
const ts_fold_kernels *ts_fold_choose(void);
