/* SPDX-License-Identifier: MIT */
/* What all builder calls share: build.c, build_shape.c, build_generator.c, build_space.c. Inside scene/ only. */
#pragma once

#include "scene/check.h"
#include "scene/scene.h"

/* Refuses a NULL scene or definition. */
ts_status ts_build_arguments(const void *scene, const void *def, const char *what, ts_error *error);
/* Whether a new thing may have this name; NULL may always. Makes room for it. */
ts_status ts_build_name(const ts_check *c, ts_names *names, const char *name);
/* A copy of `count` items of `size` bytes in the scene's arena; `copy` is the address of the pointer that is set. */
ts_status ts_build_keep(ts_scene *scene, const void *data, size_t count, size_t size, void *copy, ts_error *error);
/* The same for a text, in place; NULL stays NULL. */
ts_status ts_build_text(ts_scene *scene, const char **text, ts_error *error);

/* Refuses things of the plane in a scene of space, and the other way round. */
ts_status ts_build_belongs(const ts_check *c, const ts_scene *scene, bool of_space);
/* What all drives have: a target, and a span of time. */
ts_status ts_build_span(const ts_check *c, const char *target, double start, double end);
/* A mix of grains whose shapes are numbered below shape_count; then its copy in the arena, with its tables. */
ts_status ts_build_mix(const ts_check *c, const ts_scene *scene, size_t shape_count, const ts_mix_entry *mix,
                       size_t count);
ts_status ts_build_keep_mix(ts_scene *scene, size_t count, const ts_mix_entry **mix, ts_error *error);
