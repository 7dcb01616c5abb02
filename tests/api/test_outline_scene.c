/* SPDX-License-Identifier: MIT */
/* A user's program: an outline is drawn, added to a scene, asked about, and its scene compiled. What the manual shows
 * is what compiles here. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "touchstone/touchstone.h"

static void a_plate_with_a_hole(void **unused)
{
    (void)unused;
    /* a plate of 40 mm × 30 mm with a round hole of radius 10 mm: two half circles, drawn either way round */
    const ts_vertex edge[] = {{-0.02, -0.015, 0}, {0.02, -0.015, 0}, {0.02, 0.015, 0}, {-0.02, 0.015, 0}};
    const ts_vertex hole[] = {{-0.01, 0, 1}, {0.01, 0, 1}};
    const ts_contour contour[] = {{edge, 4, false}, {hole, 2, false}};
    ts_outline *plate = NULL;
    OK(ts_outline_create(contour, 2, TS_RULE_EVEN_ODD, &plate, ERROR));

    ts_scene *scene = NULL;
    ts_model *model = NULL;
    int32_t shape = -1;
    OK(ts_scene_create(&scene, ERROR));
    OK(ts_scene_add_outline(scene, "plate", plate, &shape, ERROR));
    assert_int_equal(ts_scene_find_shape(scene, "plate"), shape);
    ts_outline_free(plate); /* the scene has its own */

    ts_body_def body = ts_default_body();
    body.shape = shape;
    OK(ts_scene_add_body(scene, &body, NULL, ERROR));
    OK(ts_model_compile(scene, &model, ERROR));
    ts_scene_free(scene); /* and the model has its own */

    const double pi = 3.14159265358979323846, density = 1000;
    double area = 0.04 * 0.03 - pi * 1e-4;
    double inertia = 0.04 * 0.03 * (0.04 * 0.04 + 0.03 * 0.03) / 12 - pi / 2 * 1e-8;
    NEAR(ts_model_mass(model, 0), density * area, 1e-12 * density * area);
    NEAR(ts_test_inertia(model, 0), density * inertia, 1e-12 * density * inertia);

    /* it can be looked at, but not stepped before its maps are there */
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    ts_measures measures;
    OK(ts_state_create(model, &state, ERROR));
    OK(ts_workspace_create(model, 1, &work, ERROR));
    OK(ts_measure(model, state, work, &measures, ERROR));
    assert_true(measures.kinetic == 0 && measures.contact_count == 0);
    assert_int_equal(ts_step(model, state, work, 1, ERROR), TS_BAD_INPUT);
    assert_non_null(strstr(ts_test_error.message, "ts_model_prepare"));
    OK(ts_model_prepare(model, NULL, ERROR));
    OK(ts_step(model, state, work, 10, ERROR));
    NEAR(ts_state_bodies(state)[0].vy, -9.81 * ts_state_time(state), 1e-12);
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
}

int main(void)
{
    const struct CMUnitTest test[] = {cmocka_unit_test(a_plate_with_a_hole)};
    return cmocka_run_group_tests(test, NULL, NULL);
}
