/* SPDX-License-Identifier: MIT */
/* Polygons that nearly touch, made to touch.
 *
 *        ●                 ●           Outlines may meet at points. Rounding, or straight edges in the place of arcs, moves such points
 *       ╱ ╲               ╱ ╲          off the edge on which they lay, or beyond it. Here vertices within a small distance of each
 *     ─╱───╲──  ──▶  ●──●───●──●       other become one point, edges get a vertex where another's lies on them, and where they still
 *     ●     ●        ●           ●     cross each gets one at the crossing: afterwards contours meet at common vertices alone.
 */
#pragma once

#include "shape/mesh2.h"

/* Changes `point` and `begin` of a mesh; points within `reach` [m] become one. Contours of which nothing is left are
 * dropped. `cross`: crossings become vertices as well; else they stay. Deterministic. */
ts_status ts_mesh2_meet(ts_mesh2 *mesh, double reach, bool cross, ts_error *error);
