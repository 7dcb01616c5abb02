/* SPDX-License-Identifier: MIT */
/* Stiffness and stable step of the penalty law in space, by the rules of derive.h and docs/penalty.md. */
#pragma once

#include "model.h"
#include "scene/scene.h"

/* Fills model->law, with a stiffness for materials that leave theirs open. Bodies and walls are in their places. */
ts_status ts_derive_laws3(const ts_scene *scene, ts_model *model, ts_error *error);
/* Largest stable time step of contacts, infinite when nothing moves or impulses need none [s]; `body` is the one
 * that sets it, or -1. */
double ts_derive_stable_contacts3(const ts_model *model, int64_t *body);
