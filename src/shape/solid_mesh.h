/* SPDX-License-Identifier: MIT */
/* Surfaces of solids as triangles, for pictures and other programs.
 *
 *     sphere     rings of latitude, n corners around, n/2 bands from pole to pole
 *     capsule    the same, cut at the equator, the halves apart
 *     cylinder   two rims of n corners, and a fan on each
 *     vessel     the same surface, turned inside out: its outside is the room that it encloses
 *     box, hull  their own corners; each face is a fan
 *     mesh       a copy
 *     plane      has no end: refused (TS_UNSUPPORTED)
 *
 * Every vertex lies on the solid's surface, every mesh is closed (mesh.h) and counter-clockwise from outside. So round
 * solids come out too small: a sphere lacks 5π²/(3n²) of its volume, 1.3 % at n = 36. */
#pragma once

#include "shape/mesh2.h"
#include "shape/solid.h"

/* Corners of a circle, least and most; an odd number becomes the next even one. */
#define TS_SOLID_SEGMENTS_LEAST 4
#define TS_SOLID_SEGMENTS_MOST  256

/* In the solid's own frame; `segments` beyond its limits is taken as the limit. Deterministic. Free with
 * ts_mesh_free. */
ts_status ts_solid_mesh(const ts_solid *solid, int segments, ts_mesh **mesh, ts_error *error);
/* Corners of a circle whose edges stay within `share` of its radius, even and within the limits. */
int ts_solid_segments(double share);
/* Triangles that ts_solid_mesh makes; 0 for a plane. */
size_t ts_solid_mesh_triangles(const ts_solid *solid, int segments);

/* A mesh for renderers: a normal at each vertex, smooth over edges that turn by less than 30°, which are thus seen as
 * round. Vertices are doubled along the others. Free with ts_mesh3_free. */
ts_status ts_mesh_shade(const ts_mesh *mesh, ts_mesh3 *out, ts_error *error);
