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

static void load_on(ts_test_world *w, const char *text, int threads)
{
    OK(ts_scene_parse(text, strlen(text), "defaults", NULL, &w->scene, ERROR));
    ts_test_start(w, threads);
}

static void load(ts_test_world *w, const char *text)
{
    load_on(w, text, 1);
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

enum { BRICKS = 57, BRICK_TEXT = 100 };

/* A wall of 57 bricks of 20 cm, a tenth of a millimetre apart in a row, and a box of `ratio` times their mass on top. */
static void load_wall(ts_test_world *w, bool space, int ratio, int threads)
{
    static char text[1024 + (BRICKS + 1) * BRICK_TEXT];
    const char *zero = space ? "0, " : "";
    int end =
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, %s\"duration\": 100, \"dynamics\": {\"kind\": \"impact\", \"friction\": 0.5, "
                 "\"restitution\": 0}, \"materials\": {\"heavy\": {\"density\": %d}}, \"shapes\": {\"it\": {\"kind\": "
                 "\"box\", %s}}, \"walls\": [%s], \"bodies\": [",
                 space ? "\"space\": \"space\", " : "", 1000 * ratio,
                 space ? "\"size\": [0.2, 0.2, 0.2]" : "\"width\": 0.2, \"height\": 0.2",
                 space ? "{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}"
                       : "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}");
    for (int row = 0; row < 6; row++)
        for (int i = 0; i < 10 - row % 2; i++)
            end += snprintf(text + end, BRICK_TEXT, "{\"shape\": \"it\", \"position\": [%.17g, %s%.17g]}, ",
                            0.2001 * (i + 0.5 * (row % 2)), zero, 0.1 + 0.2 * row);
    snprintf(text + end, BRICK_TEXT, "{\"shape\": \"it\", \"material\": \"heavy\", \"position\": [0.9, %s1.3]}]}",
             zero);
    load_on(w, text, threads);
}

/* It stays there, by the sweeps that more than 40 bodies have: 1 mm at most in a second, where it once went through all
 * bricks onto the floor. Steps that do not settle are few, of 100 times the mass none; and threads make no
 * difference, as a tenth of that time shows. */
static void a_wall_of_light_bricks_holds_a_heavy_box(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const bool space = i & 1;
        const int ratio = i & 2 ? 1000 : 100;
        ts_test_world w = {0}, other = {0};
        double q[7];
        load_wall(&w, space, ratio, 1);
        load_wall(&other, space, ratio, 2);
        while (ts_state_time(w.state) < 1) {
            ts_test_step(&w, 1);
            OK(ts_state_pose(w.state, BRICKS, q, ERROR));
            NEAR(q[1 + space], 1.3, 1e-3);
            if (ts_state_time(w.state) < 0.1) {
                ts_test_step(&other, 1);
                assert_true(ts_state_hash(w.state) == ts_state_hash(other.state));
            }
        }
        const uint64_t steps = (uint64_t)(1 / ts_model_time_step(w.model)), off = ts_impact_counts_of(w.work).unsettled;
        assert_true(off <= (ratio == 100 ? 0 : steps / 8));
        ts_test_close(&w);
        ts_test_close(&other);
    }
}

/* Two boxes that touch and fall as one have rates that are rounding; what impacts leave of them is nothing to be told. */
static void a_stack_that_falls_is_settled(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        ts_test_world w = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, \"duration\": 1.5, \"dynamics\": {\"kind\": \"impact\", \"friction\": 0.5, "
                 "\"restitution\": %g}, \"shapes\": {\"it\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}}, "
                 "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}], \"bodies\": "
                 "[{\"shape\": \"it\", \"position\": [0, 1.1]}, {\"shape\": \"it\", \"position\": [0, 1.3]}]}",
                 0.3 + 0.3 * i);
        load(&w, text);
        while (ts_state_time(w.state) < 1.5)
            ts_test_step(&w, 1);
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

#define HEAD "{\"touchstone\": 1, \"dynamics\": {\"kind\": \"impact\"}, \"duration\": 60, \"time_step\": \"5 ms\", "
#define BOX                                                                       \
    "\"shapes\": {\"it\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.1}, " \
    "\"plate\": {\"kind\": \"box\", \"width\": 50, \"height\": 0.1}}, "

/* What nothing slows falls for a minute, many of its lengths in a step, while others rest on each other; their lists
 * stay as they are. */
static void what_falls_for_ever_goes_on(void **unused)
{
    (void)unused;
    ts_test_world w = {0};
    const double seconds = 60;
    const char *const falling =
        HEAD BOX "\"walls\": [{\"kind\": \"outline\", \"shape\": \"plate\", \"position\": [-26, -0.05]}], \"bodies\": ["
                 "{\"shape\": \"it\", \"position\": [0, 0], \"velocity\": [1, 3]}, "
                 "{\"shape\": \"it\", \"position\": [0.4, 0], \"velocity\": [1, 3]}, "
                 "{\"shape\": \"it\", \"position\": [-26, 0.05]}, {\"shape\": \"it\", \"position\": [-26, 0.15]}]}";
    double q[7];
    load(&w, falling);
    ts_test_step(&w, 6000);
    const uint64_t lists = w.work->rebuild_count;
    ts_test_step(&w, 6000);
    for (size_t i = 0; i < 2; i++) {
        OK(ts_state_pose(w.state, i, q, ERROR));
        NEAR(q[0], 0.4 * (double)i + seconds, 1e-9 * seconds);
        NEAR(q[1], 3 * seconds - 0.5 * 9.81 * seconds * seconds, 1e-6);
        OK(ts_state_pose(w.state, 2 + i, q, ERROR));
        NEAR(q[1], 0.05 + 0.1 * (double)i, 1e-4);
    }
    assert_true(w.work->rebuild_count - lists < 10);
    const uint64_t hash = ts_state_hash(w.state);
    ts_test_close(&w);

    /* the bits do not depend on when a workspace was made */
    load(&w, falling);
    for (int part = 0; part < 16; part++) {
        ts_workspace_free(w.work);
        w.work = NULL;
        OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
        ts_test_step(&w, 750);
    }
    assert_true(ts_state_hash(w.state) == hash);
    ts_test_close(&w);
}

/* At several lengths in a step: half-planes stop bodies, for they are solid behind. Where a body could jump through a
 * thin plate or another body, the run ends before it does. */
static void what_is_too_quick_jumps_through_nothing(void **unused)
{
    (void)unused;
    const char *const way[] = {
        "\"walls\": [{\"kind\": \"half-plane\", \"position\": [0, -200], \"normal\": [0, 1]}], \"bodies\": [",
        "\"walls\": [{\"kind\": \"outline\", \"shape\": \"plate\", \"position\": [0, -200]}], \"bodies\": [",
        "\"bodies\": [{\"shape\": \"it\", \"position\": [0, -200], \"fixed\": true}, ",
        "\"bodies\": [{\"shape\": \"it\", \"position\": [0, -400], \"velocity\": [0, 62.64]}, "};
    for (int i = 0; i < 4; i++) {
        ts_test_world w = {0};
        char text[1024];
        ts_error error;
        double q[7];
        snprintf(text, sizeof text, HEAD BOX "%s{\"shape\": \"it\", \"position\": [0, 0]}]}", way[i]);
        load(&w, text);
        const ts_status status = ts_step(w.model, w.state, w.work, 1600, &error);
        OK(ts_state_pose(w.state, i > 1, q, ERROR));
        assert_int_equal(status, i > 0 ? TS_DIVERGED : TS_OK);
        assert_true(q[1] >= -200 + 0.05 - 1e-3);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_box_holds_a_heavy_one), cmocka_unit_test(a_wall_of_light_bricks_holds_a_heavy_box),
        cmocka_unit_test(a_stack_that_falls_is_settled), cmocka_unit_test(a_rod_that_spins_has_a_short_step),
        cmocka_unit_test(what_falls_for_ever_goes_on),   cmocka_unit_test(what_is_too_quick_jumps_through_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
