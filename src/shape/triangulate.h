/* SPDX-License-Identifier: MIT */
/* Triangles of a region bounded by polygons.
 *
 *      ┌─────────┐      outer contours run counter-clockwise, holes clockwise; there may be several pieces, also one in the
 *      │  ┌──┐   │      hole of another
 *      │  │  │   │
 *      │  └──┘···│      each hole is joined to what lies left of it by a bridge, in order from left to right (Eberly 2002);
 *      └─────────┘      then ears are cut off, one triangle each (Meisters 1975)
 *
 * Signs of areas are exact (Shewchuk 1997), so a polygon without crossings always comes apart: each vertex is a corner of some
 * triangle, each triangle has a positive area, and there are n + 2 h - 2 of them for a piece of n vertices and h holes. Vertices
 * on a straight edge and holes that touch their surroundings in single points are fine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"

/* Contour i owns points begin[i] … begin[i + 1] - 1; at least three of them, no two neighbours the same. `triangle` gets three
 * indices into `point` for each triangle, counter-clockwise, to be freed with ts_free. TS_BAD_INPUT when contours cross
 * or a hole lies in no piece. Time grows as n log n for shapes that people draw, n² at worst. Deterministic. */
ts_status ts_triangulate(const ts_vec2 *point, const size_t *begin, size_t contour_count, uint32_t **triangle,
                         size_t *triangle_count, ts_error *error);

/* Sign of twice the area of abc: positive when they turn left. Exact unless a product under- or overflows. */
int ts_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c);
