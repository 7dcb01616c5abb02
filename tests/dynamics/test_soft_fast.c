/* SPDX-License-Identifier: MIT */
/* Soft-step with bodies that are quick for their size: nothing passes through walls without thickness, whatever the
 * distance that it comes from and however far lists look, and a blow gives no energy back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "model.h"
#include "support/world.h"
#include "workspace.h"

static void open_scene(ts_test_world *w, const char *settings, const char *rest)
{
    char text[8000];
    *w = (ts_test_world){0};
    snprintf(text, sizeof text,
             "{\"touchstone\": 1, \"duration\": 100, %s "
             "\"dynamics\": {\"kind\": \"soft-step\", \"restitution\": 0, \"friction\": 0.3}, %s}",
             settings, rest);
    OK(ts_scene_parse(text, strlen(text), "fast", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

/* Flies at a wall without thickness at x = 0; tells where it is afterwards, and the most kinetic energy on the way, of
 * what it had. */
static ts_body fly(const char *shape, const char *settings, double distance, double speed, double *most)
{
    ts_test_world w;
    char rest[600];
    snprintf(rest, sizeof rest,
             "\"gravity\": [0, 0], \"shapes\": {\"d\": %s}, "
             "\"walls\": [{\"kind\": \"polyline\", \"points\": [[0, -10], [0, 10]]}], "
             "\"bodies\": [{\"shape\": \"d\", \"position\": [%g, 0], \"velocity\": [%g, 0]}]",
             shape, -distance, speed);
    open_scene(&w, settings, rest);
    ts_measures m;
    *most = 0;
    while (ts_state_time(w.state) < 2 * distance / speed) {
        ts_test_step(&w, 1);
        OK(ts_measure(w.model, w.state, w.work, &m, ERROR));
        *most = fmax(*most, m.kinetic);
    }
    const ts_body b = *ts_state_bodies(w.state);
    *most /= 0.5 / b.inv_mass * speed * speed;
    ts_test_close(&w);
    return b;
}

static const char *const bodies[] = {"{\"kind\": \"disc\", \"radius\": 0.05}",
                                     "{\"kind\": \"box\", \"width\": 0.01, \"height\": 0.1}"};

static void nothing_passes_a_wall(void **state)
{
    (void)state;
    static const double speed[] = {5, 15, 40, 100};
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 8; k++) {
                double most;
                const ts_body b = fly(bodies[i], "", 0.2 + 0.061 * k, speed[v], &most);
                assert_true(b.x < 0);
                assert_true(most < 1.001);
            }
}

/* With a long step that is given, sub-steps get shorter near the wall. */
static void long_steps_take_more_sub_steps(void **state)
{
    (void)state;
    static const double speed[] = {10, 20, 40, 50};
    for (int i = 0; i < 2; i++)
        for (int v = 0; v < 4; v++)
            for (int k = 0; k < 4; k++) {
                double most;
                const ts_body b = fly(bodies[i], "\"time_step\": 0.005,", 0.444 + 0.056 * k, speed[v], &most);
                assert_true(b.x < 0);
                assert_true(most < 1.001);
            }
}

/* How far lists look changes nothing for one body. */
static void skin_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        double most;
        const ts_body near = fly(bodies[i], "\"time_step\": 0.005,", 0.5, 30, &most),
                      far = fly(bodies[i], "\"time_step\": 0.005, \"skin\": 3,", 0.5, 30, &most);
        assert_memory_equal(&near, &far, sizeof near);
    }
}

/* Small grains in an ordinary fall: discs and rods of 2 mm from up to 1.2 m onto a polyline. */
static void small_grains_stay_above_a_floor(void **state)
{
    (void)state;
    static const char *const grain[] = {"{\"kind\": \"disc\", \"radius\": 0.001}",
                                        "{\"kind\": \"box\", \"width\": 0.002, \"height\": 0.0002}"};
    for (int i = 0; i < 2; i++) {
        ts_test_world w;
        char rest[6000];
        int at =
            snprintf(rest, sizeof rest,
                     "\"shapes\": {\"d\": %s}, \"walls\": [{\"kind\": \"polyline\", \"points\": [[-1, 0], [1, 0]]}], "
                     "\"bodies\": [",
                     grain[i]);
        for (int k = 0; k < 30; k++)
            at += snprintf(rest + at, sizeof rest - (size_t)at,
                           "%s{\"shape\": \"d\", \"position\": [%g, %g], \"angle\": %g}", k ? ", " : "", 0.01 * k,
                           0.8 + 0.4 * fmod(0.618034 * k, 1), 2.4 * k);
        snprintf(rest + at, sizeof rest - (size_t)at, "]");
        open_scene(&w, "", rest);
        ts_test_step(&w, (uint64_t)ceil(0.6 / w.model->settings.time_step));
        for (size_t k = 0; k < w.model->body_count; k++)
            assert_true(ts_state_bodies(w.state)[k].y > 0);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_wall),
        cmocka_unit_test(long_steps_take_more_sub_steps),
        cmocka_unit_test(skin_changes_nothing),
        cmocka_unit_test(small_grains_stay_above_a_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
