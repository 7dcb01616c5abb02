/* SPDX-License-Identifier: MIT */
/* A small scene with all that recording knows: two shapes, materials, walls of both kinds, a driven wall, a gate. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "state.h"
#include "touchstone/touchstone.h"
#include "workspace.h"

/* Fails the test with the library's own words. */
#define must(call)                                         \
    do {                                                   \
        ts_error must_error = {0}, *e = &must_error;       \
        (void)e;                                           \
        if ((call) != TS_OK)                               \
            fail_msg("%s: %s", #call, must_error.message); \
    } while (0)

typedef struct sample {
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
} sample;

typedef struct sample_options {
    double gravity;   /* downwards; 0: 9.81 */
    double time_step; /* 0: 1e-4 */
    double shift;     /* of the first body */
    bool no_contacts; /* do not record them */
    bool no_gates;
    double frame_steps; /* frame interval in time steps; 0: 10 */
    double row_steps;   /* likewise of the table; 0: 4 */
} sample_options;

static inline void sample_add_walls(ts_scene *scene, int32_t rubber, bool gates)
{
    ts_wall_def floor = ts_default_wall(), drum = ts_default_wall();
    floor.name = "floor";
    floor.kind = TS_WALL_FLAT;
    floor.normal[0] = 0;
    floor.normal[1] = 2;
    floor.material = rubber;
    must(ts_scene_add_wall(scene, &floor, NULL, e));
    drum.name = "drum, \"large\"";
    drum.kind = TS_WALL_CIRCLE;
    drum.position[1] = 0.5;
    drum.radius = 1;
    must(ts_scene_add_wall(scene, &drum, NULL, e));
    ts_drive_def shake = ts_default_drive();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.target = "floor";
    shake.amplitude[0] = 0.01;
    shake.amplitude[1] = 0.002;
    shake.frequency = 5;
    must(ts_scene_add_drive(scene, &shake, NULL, e));
    if (!gates)
        return;
    ts_drive_def gate = ts_default_drive();
    gate.kind = TS_DRIVE_GATE;
    gate.target = "post";
    gate.start = 0.002;
    gate.end = 0.004;
    must(ts_scene_add_drive(scene, &gate, NULL, e));
    gate.target = "drum, \"large\"";
    gate.start = 0.003;
    must(ts_scene_add_drive(scene, &gate, NULL, e));
}

static inline ts_model *sample_model(sample_options options)
{
    ts_scene *scene;
    must(ts_scene_create(&scene, e));
    ts_settings settings = ts_default_settings();
    double dt = options.time_step > 0 ? options.time_step : 1e-4;
    settings.gravity[1] = options.gravity > 0 ? -options.gravity : -9.81;
    settings.time_step = dt;
    settings.duration = 100 * dt;
    settings.frame_interval = (options.frame_steps > 0 ? options.frame_steps : 10) * dt;
    settings.energy_interval = (options.row_steps > 0 ? options.row_steps : 4) * dt;
    settings.record_contacts = !options.no_contacts;
    must(ts_scene_set(scene, &settings, e));

    ts_material_def soft = ts_default_material(), rubber = ts_default_material();
    soft.stiffness = 2e5; /* so that the time step above is stable, and contacts last for some frames */
    must(ts_scene_set_default_material(scene, &soft, e));
    rubber.friction = 0.9;
    int32_t material, disc, pair, grain;
    must(ts_scene_add_material(scene, "rubber", &rubber, &material, e));
    must(ts_scene_add_disc(scene, 0.05, &disc, e));
    const ts_disc two[] = {{0, 0, 0.04}, {0.05, 0, 0.03}};
    ts_shape_def peanut = ts_default_shape();
    peanut.name = "peanut";
    peanut.disc = two;
    peanut.disc_count = 2;
    must(ts_scene_add_shape(scene, &peanut, &pair, e));

    ts_body_def post = ts_default_body();
    post.name = "post";
    post.shape = disc;
    post.position[0] = options.shift;
    post.position[1] = 0.05;
    post.fixed = true;
    must(ts_scene_add_body(scene, &post, &grain, e));
    for (int i = 0; i < 6; i++) {
        ts_body_def body = ts_default_body();
        body.shape = i % 2 ? pair : disc;
        body.material = i % 3 == 0 ? material : 0;
        body.scale = 1 - 0.05 * i;
        body.position[0] = 0.02 * i - 0.02;
        body.position[1] = 0.149 + 0.1 * i;
        body.angle = 0.7 * i;
        body.velocity[1] = -1;
        body.spin[2] = i;
        must(ts_scene_add_body(scene, &body, &grain, e));
    }
    sample_add_walls(scene, material, !options.no_gates);
    ts_model *model;
    must(ts_model_compile(scene, &model, e));
    ts_scene_free(scene);
    return model;
}

static inline sample sample_make(sample_options options)
{
    sample s;
    s.model = sample_model(options);
    must(ts_state_create(s.model, &s.state, e));
    must(ts_workspace_create(s.model, 1, &s.work, e));
    return s;
}

static inline void sample_free(sample *s)
{
    ts_workspace_free(s->work);
    ts_state_free(s->state);
    ts_model_free(s->model);
}

/* The bytes of a file; free with ts_free. */
static inline char *sample_read(const char *path, size_t *size)
{
    char *data = NULL;
    must(ts_file_read(path, (size_t)1 << 30, &data, size, e));
    return data;
}

static inline void sample_assert_same_file(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *data_a = sample_read(a, &size_a), *data_b = sample_read(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(data_a, data_b, size_a);
    ts_free(data_a);
    ts_free(data_b);
}

static inline void sample_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
