/* SPDX-License-Identifier: MIT */
/* Exact mass properties of a union of discs.
 *
 * By Green's theorem, area integrals over the union are sums over the arcs of its outline. Circle i contributes the
 * arcs of it that no other disc covers:
 *
 *        .--.  .--.       arc of circle (cx, cy, r) from angle u to angle v, counter-clockwise:
 *       /    \/    \      area   ½ ∮ x dy - y dx  =  ½ [ r²(v-u) + r cx (sin v - sin u) - r cy (cos v - cos u) ]
 *      |     /\     |     and likewise ∮ of x²/2 dy, of -y²/2 dx, and of ⅓(x³ dy - y³ dx).
 *       \    \/    /
 *        '--'  '--'       Discs may overlap in any way, lie inside each other, or be the same disc twice.
 *
 * Lengths are taken relative to the bounding box, so the result scales exactly with the shape. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "touchstone/scene.h"

typedef struct ts_disc_union {
    double area;    /* [m²] */
    double x, y;    /* centroid [m] */
    double inertia; /* polar second moment of area about the centroid [m⁴] */
    double radius;  /* of the smallest circle about the centroid that holds every disc [m] */
} ts_disc_union;

/* Fails only when memory runs out or the result is not a finite, positive number (TS_BAD_INPUT). */
ts_status ts_discs_measure(const ts_disc *disc, size_t count, ts_disc_union *out, ts_error *error);
/* Drops discs that lie inside another one, keeping the order of the rest and the first of equal ones; returns how many
 * are left, at least 1 for a count of at least 1. */
size_t ts_discs_outermost(ts_disc *disc, size_t count);

/* Takes an arc of a disc's circle, counter-clockwise, 0 <= from < to <= 2π. */
typedef void ts_disc_arc_sink(void *context, const ts_disc *disc, double from, double to);
/* Hands over the arcs that bound the union, disc by disc. Fails only when memory runs out; then none was handed
 * over. */
ts_status ts_discs_arcs(const ts_disc *disc, size_t count, ts_disc_arc_sink *sink, void *context, ts_error *error);
