/* SPDX-License-Identifier: MIT */
/* The pairs of shapes whose contact a scene needs a map for.
 *
 * Discs and clusters of discs meet each other without one; every pair with an outline in it has a map, whether the two are
 * different or the same. */
#pragma once

#include "base/memory.h"
#include "cli/options.h"
#include "model.h"
#include "scene/scene.h"

typedef struct ts_form_of_shape {
    char name[64];
    ts_outline *outline; /* own */
    bool discs;          /* the shape is made of discs */
} ts_form_of_shape;

typedef struct ts_shape_pair {
    size_t a, b; /* index into form */
} ts_shape_pair;

typedef struct ts_shape_pairs {
    TS_ARRAY(ts_form_of_shape) form;
    TS_ARRAY(ts_shape_pair) pair;
    ts_map_options options; /* the scene's */
    bool sizes_vary;        /* some shape has bodies of different scale: two of different scale are another pair */
} ts_shape_pairs;

/* Of the shapes that bodies have. */
ts_status ts_shape_pairs_of_model(const ts_model *model, ts_shape_pairs *pairs, ts_error *error);
/* Of the shapes that bodies and generators name; of all shapes of a file that has neither. */
ts_status ts_shape_pairs_of_scene(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error);
void ts_shape_pairs_free(ts_shape_pairs *pairs);
