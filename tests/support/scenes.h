/* SPDX-License-Identifier: MIT */
/* The scenes on which runs are compared bit by bit. Between them they have discs and clusters, one level of the grid
 * and several, one block of pairs and many, one chunk of bodies and several, fixed bodies, every kind of wall and
 * of drive, and enough motion that the pair list is made anew many times. */
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
/* Soft, so that a few hundred steps are a long time. The numbers are given, not derived: what a test does then
 * depends on the law alone. 3e5 N/m lets a disc of 1 cm and 1 m/s overlap its like by a tenth. */
void ts_test_soften(ts_scene *scene, double stiffness, double time_step);
