/* SPDX-License-Identifier: MIT */
/* The box that most benches have. */
#pragma once

#include "touchstone/scene.h"

/* A floor at y = 0 and two side walls, at x = 0 and x = width. */
ts_status ts_bench_walls(ts_scene *scene, double width, ts_error *error);
