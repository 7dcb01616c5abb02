/* SPDX-License-Identifier: MIT */
/* The scenes on which runs are compared bit by bit. Between them they have discs and clusters, one level of the grid and
 * several, one block of pairs and many, one chunk of bodies and several, fixed bodies, every kind of boundary and of drive,
 * and enough motion that the pair list is made anew many times. */
#pragma once

#include "support/world.h"

typedef struct ts_test_scene {
    const char *name;
    void (*build)(ts_scene *scene);
    uint64_t steps; /* in which the list is made anew at least eight times */
} ts_test_scene;

extern const ts_test_scene ts_test_scenes[];
extern const size_t ts_test_scene_count;

/* A world of this scene, as yet without a model. */
void ts_test_open_scene(ts_test_world *w, const ts_test_scene *scene);
/* Soft and slow, so that a few hundred steps are a long time: impacts of `speed` overlap by a tenth of a radius. */
void ts_test_soften(ts_scene *scene, double speed);
