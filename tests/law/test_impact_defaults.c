/* SPDX-License-Identifier: MIT */
/* What a user need not know of impact: sweeps are enough for what is heavy on what is light, and a derived time step is
 * short enough for what spins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/impact_dynamics.h"
#include "support/world.h"
#include "workspace.h"

static void load(ts_test_world *w, const char *text)
{
    OK(ts_scene_parse(text, strlen(text), "defaults", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

/* A box of 20 cm on one of 1/100 and 1/1000 of its mass: neither sinks by more than a hundredth of a millimetre in a
 * second, and the steps say that they have settled. */
static void a_light_box_holds_a_heavy_one(void **unused)
{
    (void)unused;
    const char *const box[] = {"{\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}",
                               "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}"};
    const char *const wall[] = {"{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}",
                                "{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}"};
    for (int i = 0; i < 12; i++) {
        const int space = i & 1, sweeps = 50 * (i / 4);
        ts_test_world w = {0};
        char text[1024], mode[32] = "";
        const char *zero = space ? "0, " : "";
        double q[2][7];
        if (sweeps > 0)
            snprintf(mode, sizeof mode, ", \"sweeps\": %d", sweeps);
        snprintf(
            text, sizeof text,
            "{\"touchstone\": 1, %s\"duration\": 100, \"dynamics\": {\"kind\": \"impact\", \"friction\": 0.5, "
            "\"restitution\": 0%s}, \"materials\": {\"heavy\": {\"density\": %d}, \"light\": {\"density\": 1000}}, "
            "\"shapes\": {\"it\": %s}, \"walls\": [%s], \"bodies\": [{\"shape\": \"it\", \"material\": \"light\", "
            "\"position\": [0, %s0.1]}, {\"shape\": \"it\", \"material\": \"heavy\", \"position\": [0, %s0.3]}]}",
            space ? "\"space\": \"space\", " : "", mode, i & 2 ? 1000000 : 100000, box[space], wall[space], zero, zero);
        load(&w, text);
        while (ts_state_time(w.state) < 1) {
            ts_test_step(&w, 1);
            for (size_t k = 0; k < 2; k++) {
                OK(ts_state_pose(w.state, k, q[k], ERROR));
                NEAR(q[k][1 + space], 0.1 + 0.2 * (double)k, 1e-5);
            }
        }
        assert_true(ts_impact_counts_of(w.work).unsettled == 0);
        ts_test_close(&w);
    }
}

/* The ends of a rod go at most a tenth of its thickness, the smallest length, in a derived step, however it moves. */
static void a_rod_that_spins_has_a_short_step(void **unused)
{
    (void)unused;
    ts_test_world w = {0};
    load(&w,
         "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 1, \"gravity\": [0, 0, 0], \"dynamics\": {\"kind\": "
         "\"impact\", \"restitution\": 0.5}, \"shapes\": {\"rod\": {\"kind\": \"box\", \"size\": [1, 0.04, 0.04]}}, "
         "\"bodies\": [{\"shape\": \"rod\", \"position\": [0, 0, 0], \"spin\": [0, 0, 100]}]}");
    assert_true(ts_model_time_step(w.model) * 100 * 0.5 <= 0.1 * 0.02);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_box_holds_a_heavy_one),
        cmocka_unit_test(a_rod_that_spins_has_a_short_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
