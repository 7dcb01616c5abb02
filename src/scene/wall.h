/* SPDX-License-Identifier: MIT */
/* Walls of lines and arcs, from a scene to a model: scaled, turned, in the frame of their motion, with the solid on the
 * left of every edge of an outline. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Lines and bounding circle of a polyline or an outline; of a polyline the position as well. `bytes` grows by what it
 * takes on the heap. On failure `wall` is to be freed all the same. */
ts_status ts_wall_set_lines(const ts_scene *scene, const ts_wall_def *def, ts_wall *wall, size_t *bytes,
                            ts_error *error);
/* Frees its lines; one that was only zeroed is fine. */
void ts_wall_free(ts_wall *wall);
