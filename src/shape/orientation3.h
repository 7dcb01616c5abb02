/* SPDX-License-Identifier: MIT */
/* On which side of a plane a point lies, exactly. */
#pragma once

#include "base/vec.h"

/* Sign of (b − a) × (c − a) · (d − a): positive when d lies on the side that the triangle abc, seen counter-clockwise
 * from there, faces. Exact unless a product under- or overflows: fine for coordinates within 1e-60 … 1e60, and 0. */
int ts_orientation3(ts_vec3 a, ts_vec3 b, ts_vec3 c, ts_vec3 d);
