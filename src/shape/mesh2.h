/* SPDX-License-Identifier: MIT */
/* Meshes of grains for other programs: flat triangles, and the same with a thickness.
 *
 *     outline ──▶ straight edges within a tolerance ──▶ triangles ──▶ front, back and sides
 *
 * A union of discs is meshed disc by disc: where discs overlap, so do their polygons. That looks the same when it is
 * filled, and keeps every disc whole; areas must be taken from the shape, not from the mesh. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec.h"
#include "shape/outline.h"
#include "touchstone/scene.h"

/* A flat mesh. */
typedef struct ts_mesh2 {
    ts_vec2 *point;        /* of the boundary, contour by contour (begin[contour_count]) [m] */
    size_t *begin;         /* where each contour begins, and the end (contour_count + 1) */
    size_t contour_count;  /* outer ones counter-clockwise, holes clockwise */
    uint32_t *triangle;    /* indices of points, counter-clockwise (3 · triangle_count) */
    size_t triangle_count; /* at least 1 */
    bool convex;           /* every contour is a convex polygon by itself: no holes; triangles are fans then */
} ts_mesh2;

/* Vertices lie on the boundary, edges within `tolerance` [m] of it; a finer one is taken where edges would cross
 * otherwise. Outlines that touch themselves get vertices where they do (mesh2_meet.h), to 2e-9 of the radius, and where
 * touching arcs make edges cross. */
ts_status ts_mesh2_of_outline(const ts_outline *outline, double tolerance, ts_mesh2 *mesh, ts_error *error);
/* One regular polygon a disc, inscribed, with a multiple of four corners, the first at angle 0. */
ts_status ts_mesh2_of_discs(const ts_disc *disc, size_t count, double tolerance, ts_mesh2 *mesh, ts_error *error);
void ts_mesh2_free(ts_mesh2 *mesh);         /* a zeroed one is fine */
double ts_mesh2_area(const ts_mesh2 *mesh); /* sum over triangles [m²] */

/* A mesh in space, for renderers: floats, a normal at each vertex. */
typedef struct ts_mesh3 {
    float (*position)[3]; /* (vertex_count) [m] */
    float (*normal)[3];   /* unit (vertex_count) */
    size_t vertex_count;
    uint32_t *index; /* triangles, counter-clockwise seen from outside (index_count) */
    size_t index_count;
} ts_mesh3;

/* The mesh between z = -depth / 2 and depth / 2; depth 0 gives its front alone, at z = 0. Sides are shaded smoothly
 * where the boundary turns by less than 30° at a point. */
ts_status ts_mesh2_extrude(const ts_mesh2 *mesh, double depth, ts_mesh3 *out, ts_error *error);
void ts_mesh3_free(ts_mesh3 *mesh); /* a zeroed one is fine */
