/* SPDX-License-Identifier: MIT */
/* Triangles of a region bounded by polygons.
 *
 *      ┌─────────┐      outer contours run counter-clockwise, holes clockwise; there may be several pieces, also one in the
 *      │  ┌──┐   │      hole of another
 *      │  │  │   │
 *      │  └──┘···│      each hole is joined to what lies left of it by a bridge, in order from left to right (Eberly 2002);
 *      └─────────┘      then ears are cut off, one triangle each (Meisters 1975)
 *
 * Signs of areas are exact (Shewchuk 1997), so a polygon without crossings always comes apart: each vertex is a corner
 * of some triangle, each triangle has a positive area, and there are n + 2 h - 2 of them for a piece of n vertices and
 * h holes. Vertices on a straight edge are fine.
 *
 *     ┌────●────┐      Contours may meet, also themselves, at points that all of them have as a vertex, to the bit. There edges
 *     │  ╱   ╲  │      are joined anew, so that each ring bounds one piece of the inside: this square with a hole that reaches
 *     │ ╱     ╲ │      its rim is one ring. Edges that are run through there and back bound nothing and are dropped. (Where a
 *     │ ╲─────╱ │      vertex lies on another's edge, or edges cross: mesh2_meet.h makes vertices.)
 *     └─────────┘
 *
 * Whatever is cut, ears have positive areas and their sum, as a chain, has the contours as its boundary: a success is
 * right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"

typedef struct ts_triangles {
    uint32_t *index; /* into the points, counter-clockwise, to be freed with ts_free (3 · count) */
    size_t count;
} ts_triangles;

/* Contour i owns points begin[i] … begin[i + 1] - 1; at least three of them, no two neighbours the same. TS_BAD_INPUT
 * when contours cross or a hole lies in no piece; `lenient`: rings without area, and holes that lie in no piece, are
 * left out (such specks remain where edges crossed by a little). Time grows as n log n for shapes that people draw, n²
 * at worst. Deterministic. */
ts_status ts_triangulate(const ts_vec2 *point, const size_t *begin, size_t contour_count, bool lenient,
                         ts_triangles *out, ts_error *error);

/* Sign of twice the area of abc: positive when they turn left. Exact unless a product under- or overflows. */
int ts_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c);
