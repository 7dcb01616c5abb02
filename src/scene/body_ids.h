/* SPDX-License-Identifier: MIT */
/* Which body is which: those of the scene in their order, then each generator's. */
#pragma once

#include "scene/scene.h"

/* Ids of generators' first bodies, begin[g] … begin[g + 1] - 1 for generator g (generator count + 1; freed by the
 * caller), and how many bodies there are. None, and more than ids can name, are errors. */
ts_status ts_body_ids(const ts_scene *scene, size_t **begin, size_t *count, ts_error *error);

/* What messages call a body, and where it stands in the scene's file. */
typedef struct ts_body_label {
    char text[160]; /* body 3 ("peg"), body 7 (of generator "grains") */
    ts_place place;
} ts_body_label;

ts_body_label ts_body_label_of(const ts_scene *scene, const size_t *begin, size_t body);
