/* SPDX-License-Identifier: MIT */
/* How deep two shapes lie in each other where at least one is an outline, for bodies that a person placed.
 *
 * Points along the boundary of one, a fraction of its thickness apart, are held against the distance of the other, both
 * ways round. That finds every overlap deeper than the points are apart; a corner that barely touches may go unseen,
 * which is what a check for mistakes needs. Circles around outlines would be too strict: boxes stand side by side. */
#pragma once

#include "model.h"

typedef struct ts_placed_shape {
    const ts_shape *shape;
    ts_pose2 pose;
    double scale; /* of the shape's lengths */
} ts_placed_shape;

/* Half of what one could call its thickness: 2 · area / perimeter, the radius for a disc; of a shape of discs the
 * smallest disc's radius [m]. */
double ts_placed_size(const ts_placed_shape *p);
/* Deepest point of either in the other; negative when they are apart [m]. `at` gets that point. */
double ts_placed_overlap(const ts_placed_shape *a, const ts_placed_shape *b, ts_vec2 *at);
/* Whether they keep `gap` from each other, for sure: exact where one is made of discs; of two outlines points along one
 * boundary are asked, with half of their spacing to spare. One may lie in a hole of the other [m]. */
bool ts_placed_apart(const ts_placed_shape *a, const ts_placed_shape *b, double gap);
/* Deepest point of a body beyond a wall at displacement zero, or of a polyline in the body; negative when it is clear
 * of it [m]. */
double ts_placed_beyond(const ts_placed_shape *a, const ts_wall *wall, ts_vec2 *at);
