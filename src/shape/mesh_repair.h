/* SPDX-License-Identifier: MIT */
/* From a soup of triangles, as files hold it, to a closed mesh that bounds a body.
 *
 *     soup ──▶ vertices that coincide are one (exactly, or within 1e-9 of the box's diagonal); triangles on fewer than three vertices,
 *              repeated triangles and vertices that nothing uses are dropped
 *          ──▶ each edge has two triangles; neighbours run through it in opposite directions: whole pieces are turned over where needed
 *          ──▶ triangles without area give way: their longest edge is flipped, which leaves the surface as a set of points as it is
 *          ──▶ no two triangles meet, except in the vertices and edges that they share
 *          ──▶ a piece inside of an even number of others bounds matter (volume > 0), of an odd number a cavity (volume < 0)
 *
 *       ╭───────────╮        a ray from a piece crosses the other pieces as often, up to an even number, as there are pieces around it:
 *       │   ╭───╮   │
 *       │   │ ●─┼───┼──▶     two crossings: matter in the cavity of a body
 *       │   ╰───╯   │
 *       ╰───────────╯
 *
 * Nothing is invented: holes are not filled, crossings not cut. What is open, has edges of three or more triangles, is
 * one-sided, crosses or touches itself, or encloses no volume, is refused by a sentence with counts and the first
 * places. Sheets may touch at vertices, and along edges that each has as its own: files round coordinates. They stay
 * apart by their indices, then, not welded. Whether triangles meet is decided exactly (orientation3.h).
 * Deterministic. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "shape/mesh.h"

typedef struct ts_mesh_report {
    size_t vertices_read, triangles_read;
    size_t welded;     /* vertices that became one with another */
    size_t unused;     /* vertices of no triangle, dropped */
    size_t degenerate; /* triangles on fewer than three vertices, dropped */
    size_t duplicate;  /* triangles on the same three vertices as another, dropped */
    size_t flat;       /* triangles without area whose longest edge was flipped */
    size_t turned;     /* triangles whose order of corners was reversed */
    size_t pieces;     /* sets of triangles that hang together by edges */
    size_t cavities;   /* of these, pieces that bound a hollow */
    double volume;     /* enclosed, cavities taken off [m³] */
} ts_mesh_report;

/* A mesh of its own from triangles in any order; `soup` stays as it is. `name` (may be NULL) says in errors where it
 * comes from. `report` may be NULL. TS_BAD_INPUT when it bounds no body, TS_OUT_OF_MEMORY; then `*mesh` is NULL. Some
 * two seconds for 10⁶ triangles; a vertex of n triangles takes time as n². */
ts_status ts_mesh_repair(const ts_mesh *soup, const char *name, ts_mesh_report *report, ts_mesh **mesh,
                         ts_error *error);

/* What was mended, with commas between: "3 triangles turned over, 1 unused vertex dropped"; empty when nothing was.
 * Returns the length the whole text has, as snprintf does. */
size_t ts_mesh_report_repairs(const ts_mesh_report *report, char *text, size_t capacity);
