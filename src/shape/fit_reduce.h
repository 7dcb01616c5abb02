/* SPDX-License-Identifier: MIT */
/* Fewer superquadrics, by what that costs on the surface. */
#pragma once

#include "shape/fit_polish.h"

/* Takes one away, or merges two that meet, whichever costs less after a short polish of its neighbours; then polishes all.
 * *cost: what is reached. */
ts_status ts_fit_reduce(ts_fit_polish *polish, double *cost, ts_error *error);
/* Takes away those that nobody misses: without them the cost is no higher. */
double ts_fit_drop_idle(ts_fit_polish *polish);
