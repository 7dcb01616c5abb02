/* SPDX-License-Identifier: MIT */
/* What tests of walls share. */
#pragma once

#include "support/check.h"
#include "support/world.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline ts_outline *box(double width, double height)
{
    ts_outline *outline;
    OK(ts_outline_box(width, height, 0, &outline, ERROR));
    return outline;
}

typedef struct matter {
    double stiffness, friction, restitution, time_step;
} matter;

static inline void set_matter(ts_scene *scene, matter m)
{
    ts_material_def material = ts_default_material();
    material.stiffness = m.stiffness;
    material.friction = m.friction;
    material.restitution = m.restitution;
    OK(ts_scene_set_default_material(scene, &material, ERROR));
    ts_settings settings = ts_scene_settings(scene);
    settings.time_step = m.time_step;
    OK(ts_scene_set(scene, &settings, ERROR));
}

static inline size_t contacts_of(const ts_test_world *w, const ts_contact **contact)
{
    size_t count;
    OK(ts_find_contacts(w->model, w->state, w->work, contact, &count, ERROR));
    return count;
}
