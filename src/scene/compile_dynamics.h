/* SPDX-License-Identifier: MIT */
/* The dynamics of a scene, and what it leaves open that compiled bodies decide: contact laws, time step, skin.
 *
 * What depends on the dynamics it does itself (dynamics/dynamics.h); here is what all of them share. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Replaces NaN in a material of the scene by the default material's value. */
ts_material_def ts_scene_material_of(const ts_scene *scene, size_t index);
/* The dynamics and its parameters. Materials are in the model, bodies are not. */
ts_status ts_compile_dynamics(const ts_scene *scene, ts_model *model, ts_error *error);
/* Laws, stable step, time step and intervals of output. Bodies, walls, springs and motions are in their places. */
ts_status ts_compile_times(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error);
