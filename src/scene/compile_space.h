/* SPDX-License-Identifier: MIT */
/* From a scene of space to the spatial half of a model (space.h); shared by the files that do it.
 *
 *     solids ─▶ forms (a solid at a scale) ─▶ walls ─▶ bodies ─▶ generators ─▶ drives, springs ─▶ parts ─▶ overlaps at the start ─▶ time step
 */
#pragma once

#include "model.h"
#include "scene/scene.h"

typedef struct ts_space_compiler {
    const ts_scene *scene;
    ts_model *model;
    ts_error *error;
    size_t *generator_begin; /* id of each generator's first body (generator count + 1) */
    TS_ARRAY(ts_form3) form; /* grow as scales come up */
    TS_ARRAY(ts_piece) piece;
    ts_hull **hull; /* (hull_count) */
    size_t hull_count, hull_capacity;
    TS_ARRAY(ts_body_mesh) mesh;
} ts_space_compiler;

/* A model of space from a scene of it: materials and dynamics are in the model already. */
ts_status ts_space_compile(const ts_scene *scene, ts_model *model, ts_error *error);

/* The form of a solid at a scale, made when it is first asked for. */
ts_status ts_space_form(ts_space_compiler *c, int32_t solid, double scale, ts_place place, int32_t *form);
/* Appends a piece of a wall. */
ts_status ts_space_add_piece(ts_space_compiler *c, ts_solid solid, ts_pose3 pose);

/* A body on its way into the model. */
typedef struct ts_grain3 {
    ts_pose3 pose;
    ts_vec3 velocity;
    int32_t form;
    int32_t material;
} ts_grain3;

/* Fills grain[0 … count-1] of generator g, clear of `taken` bodies that are in the model and of its walls. */
ts_status ts_space_generate(ts_space_compiler *c, size_t g, size_t taken, ts_grain3 *grain, size_t count);
