/* SPDX-License-Identifier: MIT */
/* What the builder calls of scenes of space share: build_space.c, build_solid.c. Inside scene/ only. */
#pragma once

#include "scene/build.h"

/* Makes a vector (3) or a quaternion (4) of any length but zero one of unit length; false: it is zero. */
bool ts_build_unit(double *value, int count);
/* An attitude of any length but zero, made one of unit length. */
ts_status ts_build_attitude(const ts_check *c, const char *field, double attitude[4]);
/* A solid of the scene by its index, at a scale at which its mass can be computed. */
ts_status ts_build_scaled(const ts_check *c, const ts_scene *scene, int32_t solid, double scale);
