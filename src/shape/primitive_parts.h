/* SPDX-License-Identifier: MIT */
/* What primitive.c and sdf.c share about single primitives. */
#pragma once

#include "shape/primitive.h"

/* The largest ball below all planes, in the polyhedron's frame; radius ≤ 0 when there is none. */
ts_status ts_polyhedron_ball(const ts_primitive *p, ts_vec3 *centre, double *radius, ts_error *error);

/* The blended tangent planes of a cloud, at a point of its frame. */
double ts_cloud_distance(const ts_primitive *p, double width, ts_vec3 at);
