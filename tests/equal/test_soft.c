/* SPDX-License-Identifier: MIT */
/* Soft-step in the plane and in space gives the same bits on any number of threads, and when a run is cut up by
 * checkpoints: while bodies fall and bounce, while they lie still, and while they sleep. */
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "state.h"
#include "support/soft.h"
#include "workspace.h"

enum { LOOKS = 6 };

static const char *const dynamics[] = {", \"restitution\": 0.5", "", ", \"sleeping\": true"};
enum { KINDS = sizeof dynamics / sizeof *dynamics };

static uint64_t steps_of(const ts_test_world *w, double seconds)
{
    return (uint64_t)(seconds / w->model->settings.time_step);
}

/* Hashes at equal distances along a run of six seconds. */
static void run(ts_test_world *w, int threads, uint64_t hash[LOOKS])
{
    OK(ts_state_create(w->model, &w->state, ERROR));
    OK(ts_workspace_create(w->model, threads, &w->work, ERROR));
    for (int i = 0; i < LOOKS; i++) {
        ts_test_step(w, steps_of(w, 1));
        hash[i] = ts_test_hash(w->state);
    }
    assert_true(w->work->contact_sum > 10000);
    ts_workspace_free(w->work);
    ts_state_free(w->state);
    w->work = NULL;
    w->state = NULL;
}

static void any_number_of_threads(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * KINDS; k++) {
        uint64_t one[LOOKS], hash[LOOKS];
        ts_test_world w;
        ts_test_soft_heap(&w, k % 2, dynamics[k / 2]);
        run(&w, 1, one);
        for (int i = 1; i < LOOKS; i++)
            assert_true(one[i] != one[i - 1]);
        for (int threads = 2; threads <= 3; threads++) {
            run(&w, threads, hash);
            for (int i = 0; i < LOOKS; i++)
                if (hash[i] != one[i])
                    fail_msg("%s%s: %d threads differ from one after %d s", k % 2 ? "space" : "plane", dynamics[k / 2],
                             threads, i + 1);
        }
        ts_test_close(&w);
    }
}

/* All that is left goes through a file, and scratch is lost. */
static void restart(ts_test_world *w)
{
    OK(ts_state_save(w->model, w->state, "soft.tsc", ERROR));
    ts_state_free(w->state);
    ts_workspace_free(w->work);
    OK(ts_state_create(w->model, &w->state, ERROR));
    OK(ts_state_load(w->model, w->state, "soft.tsc", ERROR));
    OK(ts_workspace_create(w->model, 1, &w->work, ERROR));
}

/* Both runs go on from `begin` for so many steps, one of them cut up. */
static void compare(ts_test_world *straight, ts_test_world *cut, uint64_t steps, uint64_t each)
{
    ts_test_step(straight, steps);
    for (uint64_t done = 0; done < steps; done += each) {
        restart(cut);
        ts_test_step(cut, each);
    }
    assert_true(ts_test_hash(straight->state) == ts_test_hash(cut->state));
}

static void any_cut(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * KINDS; k++) {
        ts_test_world w[2];
        ts_measures m;
        for (int i = 0; i < 2; i++) {
            ts_test_soft_heap(&w[i], k % 2, dynamics[k / 2]);
            OK(ts_state_create(w[i].model, &w[i].state, ERROR));
            OK(ts_workspace_create(w[i].model, 1, &w[i].work, ERROR));
        }
        /* the heap falls */
        compare(&w[0], &w[1], 60, 1);
        OK(ts_measure(w[0].model, w[0].state, w[0].work, &m, ERROR));
        assert_true(m.max_speed > 1 && m.contact_count > 5);
        /* it lies; the late one has landed 1.4 s after the beginning */
        for (int i = 0; i < 2; i++)
            ts_test_step(&w[i], steps_of(&w[i], 8));
        compare(&w[0], &w[1], 60, 3);
        OK(ts_measure(w[0].model, w[0].state, w[0].work, &m, ERROR));
        assert_true(m.max_speed < 1e-2 && m.contact_count > 20);
        assert_true(ts_state_asleep_count(w[0].state) == (k / 2 == 2 ? w[0].model->body_count : 0));
        ts_test_close(&w[0]);
        ts_test_close(&w[1]);
    }
    remove("soft.tsc");
}

/* Where boxes of an island of `boxes`, let fall onto the floor and each other, are after 2 s; `others` more such islands
 * stand 5 m apart. */
static void drop_island(int boxes, int others, double q[3][7])
{
    static const char *const where[] = {", 0, 0.11], \"attitude\": {\"axis\": [1, 2, 0], \"angle\": 0.05}",
                                        ".03, 0.01, 0.33], \"attitude\": {\"axis\": [2, 1, 0], \"angle\": 0.05}",
                                        ", 0.02, 0.56]"};
    char text[2000];
    ts_test_world w = {0};
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "{\"touchstone\": 1, \"space\": \"space\", \"duration\": 100, \"dynamics\": {\"kind\": \"soft-step\", "
        "\"friction\": 0.4}, \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}}, "
        "\"walls\": [{\"kind\": \"plane\", \"position\": [0, 0, 0], \"normal\": [0, 0, 1]}], \"bodies\": [");
    for (int i = 0; i < boxes * (others + 1); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"shape\": \"box\", \"position\": [%d%s}",
                                 i ? ", " : "", 5 * (i / boxes), where[i % boxes]);
    snprintf(text + used, sizeof text - used, "]}");
    OK(ts_scene_parse(text, strlen(text), "islands", NULL, &w.scene, ERROR));
    ts_test_start(&w, 1);
    ts_test_step(&w, steps_of(&w, 2));
    for (size_t i = 0; i < (size_t)boxes; i++)
        OK(ts_state_pose(w.state, i, q[i], ERROR));
    ts_test_close(&w);
}

/* Bodies that touch nothing of others move as if they were alone. (test_soft.c of dynamics has the plane.) The others do
 * the same at the same time, since places are found when the fastest bodies of a scene need it. A single pair has the
 * same bits; several are worked on in an order that depends on all bodies: boxes that tumble end within 0.5% of their
 * size. */
static void islands_are_on_their_own(void **unused)
{
    (void)unused;
    double alone[3][7], among[3][7];
    drop_island(1, 0, alone);
    for (int others = 1; others < 4; others++) {
        drop_island(1, others, among);
        assert_memory_equal(among[0], alone[0], sizeof alone[0]);
    }
    drop_island(3, 0, alone);
    drop_island(3, 1, among);
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < 7; d++)
            NEAR(among[i][d], alone[i][d], 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_threads), cmocka_unit_test(any_cut),
                                       cmocka_unit_test(islands_are_on_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
