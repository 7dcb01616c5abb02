/* SPDX-License-Identifier: MIT */
/* The pairs of shapes whose contact a scene needs a map for: those that a run would make or find (contact/forms.h),
 * with their outlines. */
#pragma once

#include "base/memory.h"
#include "cli/options.h"
#include "model.h"
#include "scene/scene.h"

/* A shape at a scale. */
typedef struct ts_form_of_shape {
    char name[80];       /* the shape's, with the scale where it has several: "hash (0.5)" */
    int32_t shape;       /* its index; -1: a disc */
    ts_outline *outline; /* own, at that scale */
} ts_form_of_shape;

typedef struct ts_shape_pair {
    size_t a, b;      /* index into form */
    char file[80];    /* the map file that the scene names for it; "": none */
    ts_map_info info; /* of the map in that file */
} ts_shape_pair;

/* A shape of so many sizes that it has no maps. */
typedef struct ts_shape_many {
    char name[64];
    size_t sizes;
} ts_shape_many;

typedef struct ts_shape_pairs {
    TS_ARRAY(ts_form_of_shape) form;
    TS_ARRAY(ts_shape_pair) pair; /* each has a map of its own */
    TS_ARRAY(ts_shape_many) many; /* these use `exact` */
    ts_map_options options;       /* the scene's */
} ts_shape_pairs;

/* Of the bodies of a model. */
ts_status ts_shape_pairs_of_model(const ts_model *model, ts_shape_pairs *pairs, ts_error *error);
/* Of the bodies of a scene, those of generators included; of all shapes at scale 1, as if each met each, of a file that
 * has no bodies. */
ts_status ts_shape_pairs_of_scene(const ts_scene *scene, ts_shape_pairs *pairs, ts_error *error);
void ts_shape_pairs_free(ts_shape_pairs *pairs);

/* One sentence on `many`, or "" when there is none. */
const char *ts_shape_pairs_note(const ts_shape_pairs *pairs, char *text, size_t capacity);
