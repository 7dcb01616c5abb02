/* SPDX-License-Identifier: MIT */
/* The truth: distance and depth of two outlines from their edges.
 *
 * Apart, the gap is the distance between the boundaries. Overlapping, two depths are in use:
 *
 *     balanced   minus the diameter of the largest disc that fits in the overlap: 2 min over x of max(φ_A(x), φ_B(x)), which apart is
 *                the distance as well. Continuous in the pose, so this is what is simulated.
 *     true       minus the length of the shortest shift that takes B out of A. Jumps with the angle where a pocket that B fits
 *                in closes; for comparison.
 */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "cspace/field.h"
#include "cspace/pair.h"

typedef struct ts_exact ts_exact;

/* The pair must outlive it. May be asked by many threads at once. */
ts_status ts_exact_create(const ts_pair *pair, ts_exact **exact, ts_error *error);
void ts_exact_free(ts_exact *exact);
TS_RELEASE_AT(ts_exact, ts_exact_free)

/* The balanced gap with gradient and arm; a ts_field_query. */
void ts_exact_query(const void *exact, size_t count, ts_fields *fields);

/* One pose; where |gap| > band it may stop early, and the gap is then only known to be beyond the band on its side. */
typedef struct ts_exact_contact {
    double gap;
    double gradient[3]; /* in x, y, angle */
    double arm;
    double point[2]; /* m, in A's frame */
} ts_exact_contact;
ts_exact_contact ts_exact_at(const ts_exact *exact, double x, double y, double angle, double band);

/* Radius of the largest disc within an outline: what fits into the overlap of the outline with itself. */
ts_status ts_exact_inner_radius(const ts_outline *outline, double *radius, ts_error *error);

/* The true gap: the distance apart, minus the shortest way out when overlapping, which is too long by `tolerance` at
 * most and never too short. NaN: so small a tolerance takes too long. */
double ts_exact_true_gap(const ts_exact *exact, double x, double y, double angle, double tolerance);
