/* SPDX-License-Identifier: MIT */
/* As test_hash.c, under soft-step: discs with friction in the plane, and smooth balls in space. Four operations and
 * square roots are all there is to it, so that the bits are the same on every machine: discs have no arm that turns with
 * them, restitution is 0, and smooth balls never turn. */
#include "support/check.h"

#include "support/world3.h"

static void soften(ts_scene *scene, double friction, double time_step)
{
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(scene);
    dynamics.kind = "soft-step";
    material.restitution = 0;
    material.friction = friction;
    settings.time_step = time_step;
    OK(ts_scene_set(scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(scene, &material, ERROR));
}

/* Steps, and compares now and then. They must have come to lie on one another. */
static void compare(ts_test_world *w, uint64_t each, const uint64_t *golden, int count, size_t contacts)
{
    ts_measures measures;
    for (int i = 0; i < count; i++) {
        ts_test_step(w, each);
        if (ts_state_hash(w->state) != golden[i])
            fail_msg("after %d steps the hash is 0x%016llx, not 0x%016llx", (int)ts_state_steps(w->state),
                     (unsigned long long)ts_state_hash(w->state), (unsigned long long)golden[i]);
    }
    OK(ts_measure(w->model, w->state, w->work, &measures, ERROR));
    assert_true(measures.contact_count > contacts && measures.max_speed < 0.05);
    ts_test_close(w);
}

static void discs_in_a_box(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_open(&w, -9.75);
    soften(w.scene, 0.5, 1.0 / 512);
    const int32_t disc = ts_test_disc(w.scene, 1.0 / 64);
    for (int i = 0; i < 200; i++) {
        ts_body_def body = ts_default_body();
        body.shape = disc;
        body.scale = 0.5 + 0.125 * (i % 4);
        body.position[0] = (i % 10 + 1) / 32.0 + (i / 10 % 2) / 128.0;
        body.position[1] = (i / 10 + 1) / 32.0;
        body.velocity[0] = (i % 7 - 3) / 8.0;
        body.spin[2] = i % 5 - 2;
        OK(ts_scene_add_body(w.scene, &body, NULL, ERROR));
    }
    ts_test_plane(w.scene, NULL, 0, 0, 0, 1);
    ts_test_plane(w.scene, NULL, 0, 0, 1, 0);
    ts_test_plane(w.scene, NULL, 0.375, 0, -1, 0);
    ts_test_start(&w, 2);
    const uint64_t golden[] = {0xa51ea5a04fc96411, 0x26852d5f503857bd, 0x69ddd2bc544eea32};
    compare(&w, 1000, golden, 3, 250);
}

static void balls_in_a_vessel(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_wall_def vessel = ts_default_wall();
    ts_test_space(&w, -9.75);
    soften(w.scene, 0, 1.0 / 256);
    vessel.kind = TS_WALL_CYLINDER;
    vessel.position[2] = 2;
    vessel.length = 4;
    vessel.radius = 0.75;
    OK(ts_scene_add_wall(w.scene, &vessel, NULL, ERROR));
    const int32_t ball = ts_test_ball(w.scene, 0.125);
    for (int i = 0; i < 60; i++) {
        ts_body_def body = ts_default_body();
        body.shape = ball;
        body.scale = 0.5 + 0.125 * (i % 5);
        body.position[0] = (i % 3 - 1) * 0.375;
        body.position[1] = (i / 3 % 3 - 1) * 0.375;
        const int layer = i / 9;
        body.position[2] = 0.25 + layer * 0.3125;
        body.velocity[0] = (i % 7 - 3) / 8.0;
        body.velocity[1] = (i % 4 - 1) / 8.0;
        OK(ts_scene_add_body(w.scene, &body, NULL, ERROR));
    }
    ts_test_start(&w, 2);
    const uint64_t golden[] = {0xc61cb6ff13ea6f6e, 0x07a57079c75fdc96, 0x76d3c0fba91d7fd9};
    compare(&w, 600, golden, 3, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(discs_in_a_box), cmocka_unit_test(balls_in_a_vessel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
