/* SPDX-License-Identifier: MIT */
/* What every kind of map computes, for many poses at a time: scalar fields over the relative pose.
 *
 *     gap                     signed distance
 *     gx, gy, gangle          its gradient in the pose (x, y, angle) of B in A's frame
 *     arm                     m · n, m the contact point as seen from A's centre, midway between the two bodies' points; n the unit
 *                             vector along (gx, gy). As seen from B it is arm - (x, y) · n.
 *
 * Lengths in the pair's unit (pair.h). Where the gradient vanishes (several places touch, or one outline lies within
 * the other) gx = gy = 0 and the arm means nothing, but all are finite. */
#pragma once

#include <stddef.h>

#define TS_FIELD_BATCH 256 /* poses of one call, at most */

typedef struct ts_fields {
    /* in */
    _Alignas(64) double x[TS_FIELD_BATCH];
    double y[TS_FIELD_BATCH], angle[TS_FIELD_BATCH];
    /* out */
    double gap[TS_FIELD_BATCH], gx[TS_FIELD_BATCH], gy[TS_FIELD_BATCH], gangle[TS_FIELD_BATCH], arm[TS_FIELD_BATCH];
} ts_fields;

/* Fills the outputs of poses 0 … count - 1, count ≤ TS_FIELD_BATCH. A pose gives the same bits alone and in a batch. */
typedef void ts_field_query(const void *field, size_t count, ts_fields *fields);
