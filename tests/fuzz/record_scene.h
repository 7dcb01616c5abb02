/* SPDX-License-Identifier: MIT */
/* The scene whose recordings are the seeds of fuzz_trajectory and fuzz_checkpoint: one of everything, few of each. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "touchstone/touchstone.h"

/* For what cannot fail unless the target itself is wrong. */
static inline void need(ts_status status)
{
    if (status != TS_OK)
        abort();
}

static inline ts_model *record_scene(bool gates)
{
    ts_scene *scene;
    ts_model *model;
    need(ts_scene_create(&scene, NULL));
    ts_settings settings = ts_default_settings();
    settings.time_step = 1e-4;
    settings.duration = 1;
    need(ts_scene_set(scene, &settings, NULL));
    ts_material_def soft = ts_default_material();
    soft.stiffness = 1e5;
    need(ts_scene_set_default_material(scene, &soft, NULL));
    const ts_disc two[] = {{0, 0, 0.05}, {0.05, 0, 0.04}};
    ts_shape_def pair = ts_default_shape();
    pair.name = "pair";
    pair.disc = two;
    pair.disc_count = 2;
    need(ts_scene_add_shape(scene, &pair, NULL, NULL));
    need(ts_scene_add_disc(scene, 0.05, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        ts_body_def body = ts_default_body();
        body.name = i == 0 ? "post" : NULL;
        body.shape = i == 1 ? 0 : 1;
        body.position[0] = 0.02 * i;
        body.position[1] = 0.05 + 0.101 * i;
        body.velocity[1] = i == 0 ? 0 : -1;
        body.fixed = i == 0;
        need(ts_scene_add_body(scene, &body, NULL, NULL));
    }
    ts_wall_def floor = ts_default_wall(), drum = ts_default_wall();
    floor.kind = TS_WALL_FLAT;
    floor.normal[0] = 0;
    floor.normal[1] = 1;
    drum.kind = TS_WALL_CIRCLE;
    drum.name = "drum";
    drum.position[1] = 0.5;
    drum.radius = 1;
    need(ts_scene_add_wall(scene, &floor, NULL, NULL));
    need(ts_scene_add_wall(scene, &drum, NULL, NULL));
    if (gates) {
        ts_drive_def gate = ts_default_drive();
        gate.kind = TS_DRIVE_GATE;
        gate.target = "post";
        gate.start = 0.001;
        need(ts_scene_add_drive(scene, &gate, NULL, NULL));
    }
    need(ts_model_compile(scene, &model, NULL));
    ts_scene_free(scene);
    return model;
}

/* Outlines, with arcs, a hole and two pieces, and a wall of lines. It cannot be stepped yet. */
static inline ts_model *record_outlines(void)
{
    static const ts_vertex frame[] = {{0, 0, 0}, {4, 0, 0.5}, {4, 3, 0}, {0, 3, 0}},
                           hole[] = {{1, 1, 0}, {1, 2, 0}, {3, 2, 0}}, dot[] = {{6, 0, 1}, {7, 0, 1}},
                           wall[] = {{-9, -9, 0}, {0, -9, 0.2}, {9, -8, 0}};
    const ts_contour contour[] = {{frame, 4, false}, {hole, 3, false}, {dot, 2, false}};
    ts_scene *scene;
    ts_model *model;
    ts_outline *ring, *shape;
    need(ts_scene_create(&scene, NULL));
    need(ts_outline_ring(2, 1.5, &ring, NULL));
    need(ts_outline_create(contour, 3, TS_RULE_EVEN_ODD, &shape, NULL));
    need(ts_scene_add_outline(scene, "ring", ring, NULL, NULL));
    need(ts_scene_add_outline(scene, "frame", shape, NULL, NULL));
    need(ts_scene_add_disc(scene, 0.5, NULL, NULL));
    ts_outline_free(ring);
    ts_outline_free(shape);
    for (int i = 0; i < 3; i++) {
        ts_body_def body = ts_default_body();
        body.shape = i;
        body.position[0] = 10 * i;
        need(ts_scene_add_body(scene, &body, NULL, NULL));
    }
    ts_wall_def line = ts_default_wall();
    line.kind = TS_WALL_POLYLINE;
    line.name = "line";
    line.line = (ts_contour){wall, 3, true};
    need(ts_scene_add_wall(scene, &line, NULL, NULL));
    need(ts_model_compile(scene, &model, NULL));
    ts_scene_free(scene);
    return model;
}

/* Makes `path` a file of these bytes that lives in memory, until the descriptor is closed. */
static inline int memory_file(const uint8_t *data, size_t size, char path[64])
{
    int file = memfd_create("input", MFD_CLOEXEC);
    if (file < 0 || (size > 0 && write(file, data, size) != (ssize_t)size))
        abort();
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}
