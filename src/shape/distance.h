/* SPDX-License-Identifier: MIT */
/* Distance from points to a set of lines and arcs.
 *
 * Exact up to rounding: no grid value is interpolated. A grid of cells only says which edges can be nearest anywhere in
 * a cell, and kernels look at four of those edges at a time (distance.simd.c). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "shape/segment.h"

typedef struct ts_distance ts_distance;

/* Copies the segments. At least one; all finite. Neighbours need not be given in order: an end point that two segments
 * share must be the same to the bit. */
ts_status ts_distance_create(const ts_segment *segment, size_t count, ts_distance **distance, ts_error *error);
void ts_distance_free(ts_distance *distance); /* NULL is fine */
TS_RELEASE_AT(ts_distance, ts_distance_free)
size_t ts_distance_bytes(const ts_distance *distance);

/* For each of `count` points: signed distance (negative to the left of the segments: inside of a clean outline; for an
 * open curve only the size means something), the nearest point, and which segment it lies on. Every output may be NULL.
 * A point gives the same bits alone and in a batch, on every instruction set. */
void ts_distance_query(const ts_distance *distance, size_t count, const double *x, const double *y, double *out,
                       double *closest_x, double *closest_y, int32_t *segment);
