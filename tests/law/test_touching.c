/* SPDX-License-Identifier: MIT */
/* Bodies that exactly touch are in contact: of three balls of radius ½ at a distance of 1, the last one leaves when
 * the first is struck. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

static void a_cradle_passes_the_blow_on(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_test_open(&w, 0);
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_material_def material = ts_default_material();
    ts_settings settings = ts_scene_settings(w.scene);
    dynamics.kind = "impact";
    material.restitution = 1;
    material.friction = 0;
    settings.time_step = 0.01;
    OK(ts_scene_set(w.scene, &settings, ERROR));
    OK(ts_scene_set_dynamics(w.scene, &dynamics, ERROR));
    OK(ts_scene_set_default_material(w.scene, &material, ERROR));
    int32_t ball = ts_test_disc(w.scene, 0.5);
    ts_test_body_moving(w.scene, ball, 0, 0, 1, 0, 0);
    for (int i = 1; i < 4; i++)
        ts_test_body(w.scene, ball, i == 1 ? 1.0 : i, 0);
    ts_test_start(&w, 1);
    ts_test_step(&w, 1); /* all of it within one step */
    for (int i = 0; i < 4; i++)
        NEAR(w.state->body[i].vx, i == 3 ? 1 : 0, 1e-12);
    ts_test_close(&w);
}

static void so_it_does_in_space(void **state)
{
    (void)state;
    static const char text[] =
        "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 10, \"time_step\": 0.01, \"gravity\": [0, 0, 0], "
        "\"dynamics\": {\"kind\": \"impact\", "
        "\"restitution\": 1, \"friction\": 0}, \"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.5}}, "
        "\"bodies\": ["
        "{\"shape\": \"ball\", \"position\": [0, 0, 0], \"velocity\": [1, 0, 0]}, {\"shape\": \"ball\", \"position\": "
        "[1, 0, 0]}, "
        "{\"shape\": \"ball\", \"position\": [2, 0, 0]}, {\"shape\": \"ball\", \"position\": [3, 0, 0]}]}";
    ts_test_world w = {0};
    OK(ts_scene_parse(text, strlen(text), "cradle", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    ts_test_step(&w, 1);
    for (int i = 0; i < 4; i++)
        NEAR(w.state->body3[i].velocity[0], i == 3 ? 1 : 0, 1e-12);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cradle_passes_the_blow_on),
                                       cmocka_unit_test(so_it_does_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
