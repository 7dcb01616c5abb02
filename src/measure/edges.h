/* SPDX-License-Identifier: MIT */
/* Shapes as closed curves, and how much of one lies in a box.
 *
 * Green's theorem makes an area of a line integral. With clamp(x) = min(max(x, x0), x1),
 *
 *     ∂/∂x [ (clamp(x) − x0) · 1(y0 ≤ y ≤ y1) ]  =  1 within the box, 0 outside
 *
 *     area of shape ∩ box  =  ∮ (clamp(x) − x0) · 1(y0 ≤ y ≤ y1) dy
 *
 * counter-clockwise around the shape, clockwise around its holes. On a line or an arc the integrand is elementary
 * between the places where the curve meets the box's four lines, so the result is exact up to rounding, without any
 * polygon. A disc is one arc, a cluster of discs the arcs that no other disc covers, an outline its own edges. */
#pragma once

#include "base/memory.h"
#include "measure/kind.h"
#include "shape/segment.h"

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
/* The smallest upright box around body i of the plane. */
ts_region ts_body_region_plane(const ts_snapshot *snapshot, size_t i);

/* A grain: there, and not a wall. */
static inline bool ts_is_grain(const ts_snapshot_body *body)
{
    return body->present && !body->fixed;
}

/* 2 or 3. */
static inline int ts_dimension_of(const ts_snapshot *snapshot)
{
    return ts_kind_of(snapshot)->axes;
}

/* The axis that is up: y in the plane, z in space. */
static inline int ts_up_of(const ts_snapshot *snapshot)
{
    return ts_dimension_of(snapshot) - 1;
}

/* Edges of a region along an axis. */
static inline double ts_region_low(const ts_region *region, int axis)
{
    return axis == 0 ? region->x0 : axis == 1 ? region->y0 : region->z0;
}
static inline double ts_region_high(const ts_region *region, int axis)
{
    return axis == 0 ? region->x1 : axis == 1 ? region->y1 : region->z1;
}

static inline bool ts_region_holds(const ts_snapshot *snapshot, const ts_region *region, const double point[3])
{
    for (int k = 0; k < ts_dimension_of(snapshot); k++)
        if (!(point[k] >= ts_region_low(region, k) && point[k] <= ts_region_high(region, k)))
            return false;
    return true;
}

/* Area, or volume in space. */
static inline double ts_region_volume(const ts_snapshot *snapshot, const ts_region *region)
{
    double volume = 1;
    for (int k = 0; k < ts_dimension_of(snapshot); k++)
        volume *= ts_region_high(region, k) - ts_region_low(region, k);
    return volume;
}

/* Whether body i is a grain whose centre lies in the region; NULL: anywhere. */
static inline bool ts_counts(const ts_snapshot *snapshot, const ts_region *region, size_t i)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    return ts_is_grain(body) && (!region || ts_region_holds(snapshot, region, body->position));
}

/* Half-way between the two points of a contact. */
static inline void ts_contact_point(const ts_contact *contact, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = 0.5 * (contact->point_a[k] + contact->point_b[k]);
}

/* A body's moment of inertia: the mean of those about the axes that it turns about. */
static inline double ts_moment(const ts_snapshot *snapshot, const ts_snapshot_body *body)
{
    const int turns = ts_kind_of(snapshot)->turns;
    double sum = 0;
    for (int k = 3 - turns; k < 3; k++)
        sum += body->inertia[k][k];
    return sum / turns;
}

/* Refuses bodies in space; `what` begins the sentence. */
ts_status ts_need_plane(const ts_snapshot *snapshot, const char *what, ts_error *error);

/* The region that is meant: the given one, which must have an area (a volume in space), or that of the grains. Checks
 * the snapshot: every measure comes by here before it looks anything up. */
ts_status ts_region_given(const ts_snapshot *snapshot, const ts_region *given, ts_region *region, ts_error *error);
/* Slice k of a region, and the slice that holds a coordinate (clamped: the caller has checked that it is within). */
ts_region ts_bin_region(const ts_snapshot *snapshot, const ts_region *region, const ts_bins *bins, size_t k);
size_t ts_bin_of(const ts_snapshot *snapshot, const ts_region *region, const ts_bins *bins, const double point[3]);
/* The axis along which slices follow each other. */
static inline int ts_bin_axis(const ts_snapshot *snapshot, const ts_bins *bins)
{
    return bins->along_x ? 0 : ts_up_of(snapshot);
}
ts_status ts_bins_given(const ts_snapshot *snapshot, const ts_bins *bins, ts_region *region, ts_error *error);
