/* SPDX-License-Identifier: MIT */
/* Kinds of walls by the names that the plane's own files still have for them. */
#pragma once

#include "touchstone/scene.h"

typedef ts_wall_kind ts_boundary_kind;
#define TS_BOUNDARY_HALF_PLANE TS_WALL_FLAT
#define TS_BOUNDARY_CIRCLE     TS_WALL_CIRCLE
#define TS_BOUNDARY_POLYLINE   TS_WALL_POLYLINE
#define TS_BOUNDARY_OUTLINE    TS_WALL_OUTLINE
