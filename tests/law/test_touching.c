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

/* A corner that lies on a face, but for rounding, is not half a box deep inside. */
static void a_box_on_two_others_overlaps_neither(void **state)
{
    (void)state;
    const double above[] = {0.5, nextafter(0.5, 1), nextafter(0.5, 0), 0.5 + 1e-12};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        char text[700];
        double deepest = 0;
        ts_test_world w = {0};
        snprintf(
            text, sizeof text,
            "{\"touchstone\": 1, \"duration\": 1, \"dynamics\": {\"kind\": \"penalty\", \"stiffness\": 1e5}, "
            "\"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}}, \"bodies\": [{\"shape\": "
            "\"box\", \"position\": [-0.84, 0.3]}, {\"shape\": \"box\", \"position\": [-0.63, 0.3]}, {\"shape\": "
            "\"box\", \"position\": [-0.735, %.17g]}]}",
            above[i]);
        OK(ts_scene_parse(text, strlen(text), "touching", NULL, &w.scene, ERROR));
        ts_test_start(&w, 1);
        const ts_contact *contact;
        size_t count;
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        for (size_t k = 0; k < count; k++)
            deepest = fmin(deepest, contact[k].gap);
        NEAR(deepest, 0, 1e-15);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cradle_passes_the_blow_on),
                                       cmocka_unit_test(so_it_does_in_space),
                                       cmocka_unit_test(a_box_on_two_others_overlaps_neither)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
