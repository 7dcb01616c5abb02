/* SPDX-License-Identifier: MIT */
/* Shapes as closed curves, and how much of one lies in a box.
 *
 * Green's theorem makes an area of a line integral. With clamp(x) = min(max(x, x0), x1),
 *
 *     ∂/∂x [ (clamp(x) − x0) · 1(y0 ≤ y ≤ y1) ]  =  1 within the box, 0 outside
 *
 *     area of shape ∩ box  =  ∮ (clamp(x) − x0) · 1(y0 ≤ y ≤ y1) dy
 *
 * counter-clockwise around the shape, clockwise around its holes. On a line or an arc the integrand is elementary between the
 * places where the curve meets the box's four lines, so the result is exact up to rounding, without any polygon. A disc is one
 * arc, a cluster of discs the arcs that no other disc covers, an outline its own edges. */
#pragma once

#include "base/memory.h"
#include "shape/segment.h"
#include "touchstone/measure.h"

/* An edge of an outline, or an arc of a disc, at scale 1 about the centre of mass. */
typedef struct ts_edge {
    ts_segment line; /* with its bulge, unless arc.radius > 0 */
    ts_arc arc;
} ts_edge;

/* The edges of every shape of a snapshot: those of shape i are edge[begin[i]] … edge[begin[i + 1] - 1]. */
typedef struct ts_edges {
    TS_ARRAY(ts_edge) edge;
    size_t *begin;
    ts_status status; /* while it is filled */
    ts_error *error;
} ts_edges;

ts_status ts_edges_make(const ts_snapshot *snapshot, ts_edges *edges, ts_error *error);
void ts_edges_free(ts_edges *edges);

/* Area of body i within the box [m²]. */
double ts_edges_area(const ts_snapshot *snapshot, const ts_edges *edges, size_t i, const ts_region *box);
/* The highest point of body i with x0 <= x <= x1 (which may be equal: an upright line) [m]; −∞: it has none. */
double ts_edges_top(const ts_snapshot *snapshot, const ts_edges *edges, size_t i, double x0, double x1);
/* The smallest upright box around body i. */
ts_region ts_body_region(const ts_snapshot *snapshot, size_t i);

/* A grain: there, and not a wall. */
static inline bool ts_is_grain(const ts_snapshot_body *body)
{
    return body->present && !body->fixed;
}

static inline bool ts_region_holds(const ts_region *region, double x, double y)
{
    return x >= region->x0 && x <= region->x1 && y >= region->y0 && y <= region->y1;
}

/* Whether body i is a grain whose centre lies in the region; NULL: anywhere. */
static inline bool ts_counts(const ts_snapshot *snapshot, const ts_region *region, size_t i)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    return ts_is_grain(body) && (!region || ts_region_holds(region, body->x, body->y));
}

/* The region that is meant: the given one, which must have an area, or that of the grains. Checks the snapshot: every measure
 * comes by here before it looks anything up. */
ts_status ts_region_given(const ts_snapshot *snapshot, const ts_region *given, ts_region *region, ts_error *error);
/* Slice k of a region, and the slice that holds a coordinate (clamped: the caller has checked that it is within). */
ts_region ts_bin_region(const ts_region *region, const ts_bins *bins, size_t k);
size_t ts_bin_of(const ts_region *region, const ts_bins *bins, double x, double y);
ts_status ts_bins_given(const ts_snapshot *snapshot, const ts_bins *bins, ts_region *region, ts_error *error);
