/* SPDX-License-Identifier: MIT */
/* An outline grain at a wall: on a half-plane, or inside a circle. Closed forms over the grain's convex hull (hull.h):
 * no table, no network, no search over the outline. Any outline will do: arcs, holes, several pieces, not convex.
 *
 *     half-plane y ≤ 0      gap = y - h(-π/2 - angle)               h: how far the grain reaches, as seen from its centre of mass
 *     inside a circle       gap = R - max over p of |x + turned p|  the farthest point of the grain from the circle's centre
 *
 * The wall is A and stands still at the origin; the grain is B. Records are those of touchstone/map.h, closed in the
 * same way (query.h): normal from the wall to the grain, (0, 1) or inward; slope 1, or less where a circle is touched
 * in several places at once.
 *
 * Smoothing. Where a face lies on the wall, the contact jumps from corner to corner as the grain tilts: the gap has a
 * kink, and a grain at rest there would be thrown from one torque to the other. So what is answered is the mean of the
 * gap over all angles within ± width/2 of the grain's: C¹, and gradient and turn are its true derivatives, so that a
 * contact law keeps energy.
 *
 *     turn                          the lever goes from corner to corner while the grain turns by `width`,
 *      L/2 ┤──╮                     evenly on a half-plane: a well without a kink,
 *          │   ╲                    and even about the flat face, so that a block lies flat to rounding
 *     -L/2 ┼────╰───── angle
 *            ◀─▶ width
 *
 * A mean over turns is even in all directions, has no lattice, and on a half-plane it is the exact gap of another
 * grain: the Minkowski mean of the turned ones, its faces slightly bulged, with L / width for radius. The level of the
 * gap changes by
 *
 *     a corner at distance d from the centre of mass     up to + d width²/24: the gap is larger, d (1 - sin(w/2)/(w/2)) at most
 *     a face of length L that lies flat                  - L width/8 on a half-plane
 *     an arc about the centre of mass                    not at all
 *
 * so 2.5 mm at a face of 1 m and 0.02 mm at a corner 1 m away, for a width of 0.02. A grain whose centre of mass is not
 * above the middle of a face rests tilted by up to half of the width, where the point of contact is below the centre of
 * mass. The lever changes by L over `width`: at a normal force N a face adds N L / width to the stiffness against
 * turning.
 *
 * In a circle the mean is worked out from the corners and arcs that are farthest at some angle in the window, split
 * where one takes over from another: Gauss's formula of five points between, off by rounding for widths up to 0.1, by
 * less than 1e-9 of the radius up to 0.5. For R → ∞ it becomes that of the half-plane. The one place where a kink stays
 * is a grain whose centre of mass is the circle's centre.
 *
 * Rejected: the lattice of smooth.h (27 questions, and uneven about a face); the logarithm of a sum of exponentials
 * over corners (raises the level by the number of corners that are about as far, many for a curve; has no place for
 * arcs that end); the farthest point of the bulged grain (its faces are flatter than the circle, so that the kink
 * stays).
 *
 * Deterministic; a pose gives the same bits alone and in a batch. */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "touchstone/map.h"
#include "touchstone/shape.h"

/* Widest smoothing [rad]. */
#define TS_WALL_SMOOTHING_MAX 0.5

typedef struct ts_wall_map ts_wall_map; /* never changes, shared by threads */

/* A grain in the wall's frame. */
typedef struct ts_wall_pose {
    double x, y;  /* of its centre of mass [m] */
    double angle; /* [rad] */
    double scale; /* times as large as its outline; as in ts_map_pose: a bad pose has a record of NaN */
} ts_wall_pose;

/* For one outline, about its centre of mass. `smoothing`: width over which kinks are rounded, as a share of the
 * outline's radius: an angle [rad], since the grain turns about its centre of mass; 0: none. TS_BAD_INPUT unless 0 ≤
 * smoothing ≤ TS_WALL_SMOOTHING_MAX. */
ts_status ts_wall_map_create(const ts_outline *outline, double smoothing, ts_wall_map **map, ts_error *error);
void ts_wall_map_free(ts_wall_map *map); /* NULL is fine */
TS_RELEASE_AT(ts_wall_map, ts_wall_map_free)
/* Bytes on the heap. */
size_t ts_wall_map_bytes(const ts_wall_map *map);

/* Where y ≤ 0 is solid. gap: of the lowest point. */
void ts_wall_plane(const ts_wall_map *map, size_t count, const ts_wall_pose *pose, ts_map_contact *contact);
/* Inside a circle of `radius` > 0 about the origin [m]. */
void ts_wall_circle(const ts_wall_map *map, double radius, size_t count, const ts_wall_pose *pose,
                    ts_map_contact *contact);

/* A piece of a wall as an outline, to be asked through a ts_map: what lies within `thickness` behind an edge from
 * (-length/2, 0) to (length/2, 0) whose free side is +y, the left of it. `bulge` as in ts_vertex: 0: a box; > 0: the
 * edge sags to -y, as the bottom of a bowl; < 0: it bulges to +y, and `thickness` must be less than its radius. Ends
 * are cut square.
 *
 *     (-length/2, 0) ●━━━━━━━━━▶● (length/2, 0)          free side
 *                    │          │ thickness
 *                    └──────────┘
 *
 * The outline stands in this frame; `centre` gets its centre of mass there [m], of which poses in a ts_map speak. A
 * depth is never more than the thickness, and a grain that is pressed in by more comes out at the other side. */
ts_status ts_wall_piece(double length, double bulge, double thickness, ts_outline **outline, double centre[2],
                        ts_error *error);
