/* SPDX-License-Identifier: MIT */
/* The published way to a training sample: both distance fields on a grid of points, and the point where the larger is
 * least. */
#pragma once

#include "base/status.h"
#include "cspace/field.h"
#include "cspace/pair.h"

typedef struct ts_sampled ts_sampled;

/* `grid` points a side; `refine`: from the best one down to the minimum. The pair must outlive it. */
ts_status ts_sampled_create(const ts_pair *pair, int32_t grid, bool refine, ts_sampled **sampled, ts_error *error);
void ts_sampled_free(ts_sampled *sampled);
/* A ts_field_query. The gradient is that of the two nearest points' normals. */
void ts_sampled_query(const void *field, size_t count, ts_fields *fields);
