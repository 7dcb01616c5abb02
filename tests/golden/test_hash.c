/* SPDX-License-Identifier: MIT */
/* One run whose final bits are written down. It notices a change of the physics that every thread count and every
 * restart shares.
 *
 * The scene uses the four operations and square roots only, which IEEE 754 fixes to the bit: plain discs, half-planes
 * and damping given as such (no sine, no exponential). So the hash is the same on every machine and with every
 * compiler.
 *
 * When a change is meant to change results, say so in CHANGELOG.md and write the new hash down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "touchstone/touchstone.h"

#define OK(call)                                      \
    do {                                              \
        if ((call) != TS_OK)                          \
            fail_msg("%s: %s", #call, error.message); \
    } while (0)

static ts_error error;

static void add_wall(ts_scene *scene, double x, double y, double nx, double ny)
{
    ts_wall_def wall = ts_default_wall();
    wall.position[0] = x;
    wall.position[1] = y;
    wall.normal[0] = nx;
    wall.normal[1] = ny;
    OK(ts_scene_add_wall(scene, &wall, NULL, &error));
}

/* 400 discs of four sizes on a leaning grid fall into a box and come to rest. */
static ts_model *make_model(void)
{
    ts_scene *scene;
    ts_model *model;
    OK(ts_scene_create(&scene, &error));
    ts_settings settings = ts_default_settings();
    settings.time_step = 1.0 / 16384;
    settings.skin = 1.0 / 512;
    OK(ts_scene_set(scene, &settings, &error));
    ts_material_def material = ts_default_material();
    material.friction = 0.5;
    material.stiffness = 131072;
    material.stiffness_ratio = 0.25;
    material.normal_damping = 64;
    material.tangential_damping = 32;
    OK(ts_scene_set_default_material(scene, &material, &error));
    int32_t disc;
    OK(ts_scene_add_disc(scene, 1.0 / 128, &disc, &error));
    for (int i = 0; i < 400; i++) {
        ts_body_def body = ts_default_body();
        body.shape = disc;
        body.scale = 0.5 + 0.125 * (i % 4);
        body.position[0] = (i % 20 + 1) / 64.0 + (i / 20 % 2) / 256.0;
        body.position[1] = (i / 20 + 1) / 64.0;
        body.velocity[0] = (i % 7 - 3) / 8.0;
        body.spin[2] = i % 5 - 2;
        OK(ts_scene_add_body(scene, &body, NULL, &error));
    }
    add_wall(scene, 0, 0, 0, 1);
    add_wall(scene, 0, 0, 1, 0);
    add_wall(scene, 22 / 64.0, 0, -1, 0);
    OK(ts_model_compile(scene, &model, &error));
    ts_scene_free(scene);
    return model;
}

static void the_bits_are_as_they_were(void **unused)
{
    (void)unused;
    ts_model *model = make_model();
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(model, &state, &error));
    OK(ts_workspace_create(model, 2, &work, &error));
    const uint64_t golden[] = {0x154212193dde1f7b, 0x9d2d2cd03c1ad61b, 0x7bce39c46f5ac456};
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        OK(ts_step(model, state, work, 2000, &error));
        if (ts_state_hash(state) != golden[i])
            fail_msg("after %d steps the hash is 0x%016llx, not 0x%016llx", (int)ts_state_steps(state),
                     (unsigned long long)ts_state_hash(state), (unsigned long long)golden[i]);
    }
    /* it did come to rest, in contact: the hashes are of physics, not of an empty box */
    ts_measures measures;
    OK(ts_step(model, state, work, 20000, &error));
    OK(ts_measure(model, state, work, &measures, &error));
    assert_true(measures.contact_count > 500 && measures.max_speed < 0.05);
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_bits_are_as_they_were)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
