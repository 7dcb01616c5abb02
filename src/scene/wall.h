/* SPDX-License-Identifier: MIT */
/* Walls of lines and arcs, from a scene to a model: scaled, turned, in the frame of their motion, with the solid on
 * the left of
 * every edge of an outline. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Wall i of the scene, a polyline or an outline. Only the name is left to fill in. `bytes` grows by what it takes on
 * the heap.
 * On failure `wall` is to be freed all the same. */
ts_status ts_wall_compile(const ts_scene *scene, size_t i, ts_wall *wall, size_t *bytes, ts_error *error);
/* Frees its lines; one that was only zeroed is fine. */
void ts_wall_free(ts_wall *wall);
