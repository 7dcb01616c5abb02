/* SPDX-License-Identifier: MIT */
/* Folding: poses that symmetry makes equal become one.
 *
 * Let g map A onto itself and h map B onto itself, both turns or both mirrors. Then B at pose q touches A exactly as B at g q h⁻¹
 * does, seen in a turned or mirrored frame. For two equal outlines, q⁻¹ (B seen from A becomes A seen from B) is a third such
 * map. Folding picks one pose of each class, in a domain that is smaller by the number of maps:
 *
 *     the direction of (x, y)    in [0, 2π / n_A), in [0, π / n_A] where both have mirrors (measured from A's axis)
 *     the angle of B             in [0, 2π / n_B) (measured from B's axis where both have mirrors)
 *     the exchange               the one of q, q⁻¹ (each folded) that comes first in a fixed order
 *
 * n = 0 (disc, ring): the direction, or the angle, is always 0. Unfolding takes the gradient and the arm back. */
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
    bool mirror;           /* both have mirrors */
    bool exchange;         /* equal outlines */
    double axis_a, axis_b; /* mirror axes, where `mirror` [rad] */
    double sector;         /* folded directions lie in [0, sector]; 2π: not folded */
    double period;         /* folded angles lie in [0, period) */
    double order;          /* how many times smaller the domain is; for discs counted as 1 */
} ts_fold;

/* How one pose was folded: enough to go back. */
typedef struct ts_folding {
    double cosine, sine; /* of the turn that took A's frame to the folded one */
    double x, y;         /* the pose before folding */
    double angle;
    bool mirrored, exchanged;
    bool still_a, still_b; /* n = 0: no torque about this outline's centre */
} ts_folding;

ts_fold ts_fold_make(const ts_pair *pair, bool active);
/* Folds poses in place (x, y, angle of `fields`), remembering how. */
void ts_fold_apply(const ts_fold *fold, size_t count, ts_fields *fields, ts_folding *folding);
/* Takes gap, gradient and arm of the folded poses back, and puts the poses back as they were. */
void ts_fold_undo(const ts_fold *fold, size_t count, ts_fields *fields, const ts_folding *folding);
