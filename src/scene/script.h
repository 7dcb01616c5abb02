/* SPDX-License-Identifier: MIT */
/* Drives of a scene, compiled: which body or boundary follows which motion and which gate. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Fills motion, gate, body_motion, body_gate and the boundaries' own. Generator g's bodies are generator_begin[g] …
 * generator_begin[g + 1] - 1. Pivots that are NaN stay so for ts_script_pivots. */
ts_status ts_script_compile(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error);
/* Puts the pivots that the scene left open at the position of what they drive: a body, a boundary, or the mean position of
 * a generator's bodies. The bodies are in their places. */
void ts_script_pivots(const ts_scene *scene, const size_t *generator_begin, ts_model *model);
