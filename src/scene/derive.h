/* SPDX-License-Identifier: MIT */
/* What a scene leaves open and its compiled bodies decide: stiffness, contact laws, time step, skin.
 *
 * The rules, and the reasons for them, stand in docs/penalty.md. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Replaces NaN in a material of the scene by the default material's value. */
ts_material_def ts_scene_material_of(const ts_scene *scene, size_t index);
/* The stiffness that keeps overlaps of impacts and of loads near the tolerated share [N/m]. */
ts_status ts_derive_stiffness(const ts_scene *scene, const ts_model *model, double *stiffness, ts_error *error);
/* Fills model->law. */
ts_status ts_derive_laws(const ts_scene *scene, ts_model *model, ts_error *error);
/* The same with a stiffness for those materials that leave theirs open. */
void ts_combine_laws(const ts_scene *scene, ts_model *model, double stiffness);
/* Largest stable time step, infinite when nothing moves [s]; `body` is the one that sets it, or -1. */
double ts_derive_stable_step(const ts_model *model, int64_t *body);
/* The time step that a scene gets when it asks for none [s]. */
ts_status ts_derive_time_step(const ts_scene *scene, const ts_model *model, double *time_step, ts_error *error);
/* Radius of the smallest disc of a free body; infinite when none is free [m]. */
double ts_derive_smallest_free(const ts_model *model);
/* How much farther than touching the broad phase looks [m]. */
ts_status ts_derive_skin(const ts_scene *scene, const ts_model *model, double *skin, ts_error *error);
