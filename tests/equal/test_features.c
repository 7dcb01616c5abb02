/* SPDX-License-Identifier: MIT */
/* Contacts by features: a result depends on the state alone, not on threads, on what was found before, or on a restart;
 * and bodies that meet in free space keep their momentum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

#include "support/world.h"
#include "workspace.h"

#define HASH                                                                                                         \
    "{\"kind\": \"polygon\", \"points\": [[0.64, -0.28], [0.64, -0.12], [0.28, -0.12], [0.28, 0.12], [0.64, 0.12], " \
    "[0.64, 0.28], [0.28, 0.28], [0.28, 0.64], [0.12, 0.64], [0.12, 0.28], [-0.12, 0.28], [-0.12, 0.64], [-0.28, "   \
    "0.64], "                                                                                                        \
    "[-0.28, 0.28], [-0.64, 0.28], [-0.64, 0.12], [-0.28, 0.12], [-0.28, -0.12], [-0.64, -0.12], [-0.64, -0.28], "   \
    "[-0.28, -0.28], [-0.28, -0.64], [-0.12, -0.64], [-0.12, -0.28], [0.12, -0.28], [0.12, -0.64], [0.28, -0.64], "  \
    "[0.28, -0.28]]}"

/* Grains of several kinds on every kind of wall, one of which moves. */
static const char heap[] = "{\"touchstone\": 1, \"duration\": 100, \"gravity\": [0, -9.81], \"time_step\": %s, "
                           "\"dynamics\": {\"kind\": \"%s\", \"friction\": 0.4, "
                           "\"restitution\": 0.3, \"stiffness\": 1e6}, \"shapes\": {\"hash\": " HASH
                           ", \"round\": {\"kind\": \"box\", \"width\": 0.8, "
                           "\"height\": 0.5, \"corner\": 0.1}, \"ball\": {\"kind\": \"disc\", \"radius\": 0.3}, "
                           "\"slab\": {\"kind\": \"box\", \"width\": 1, \"height\": 0.4}}, "
                           "\"walls\": [{\"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [0.05, 1]}, "
                           "{\"kind\": \"polyline\", \"points\": [[-3, 9], "
                           "[-3, 0.5], [-2, 0]]}, {\"kind\": \"half-plane\", \"point\": [3, 0], \"normal\": [-1, 0]}, "
                           "{\"name\": \"slab\", \"kind\": \"outline\", "
                           "\"shape\": \"slab\", \"position\": [0, 1]}], \"drives\": [{\"kind\": \"rotation\", "
                           "\"target\": \"slab\", \"rate\": 0.5}], \"generators\": ["
                           "{\"kind\": \"lattice\", \"region\": {\"box\": [-2.5, 2, 2.5, 12]}, \"count\": 8, "
                           "\"shape\": \"hash\", \"velocity_spread\": 1},"
                           "{\"kind\": \"lattice\", \"region\": {\"box\": [-2.5, 12, 2.5, 17]}, \"count\": 8, "
                           "\"shape\": \"round\", \"velocity_spread\": 1},"
                           "{\"kind\": \"lattice\", \"region\": {\"box\": [-2.5, 17, 2.5, 20]}, \"count\": 6, "
                           "\"shape\": \"ball\", \"velocity_spread\": 1}]}";

static const char *const kind[] = {"penalty", "impact"}, *const step[] = {"1e-4", "0.004"};
static const uint64_t count[] = {24000, 600};

static void open_heap(ts_test_world *w, int which, int threads)
{
    char text[6000];
    snprintf(text, sizeof text, heap, step[which], kind[which]);
    *w = (ts_test_world){0};
    OK(ts_scene_parse(text, strlen(text), "heap", NULL, &w->scene, ERROR));
    ts_test_start(w, threads);
    assert_true(w->model->places == TS_PLACES_FEATURES);
}

static void a_result_depends_on_the_state_alone(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        ts_test_world w, other;
        open_heap(&w, which, 1);
        ts_test_step(&w, count[which]);
        assert_true(w.state->history.count > 10); /* contacts that remember */
        ts_test_step(&w, count[which] / 4);
        const uint64_t hash = ts_test_hash(w.state);

        open_heap(&other, which, 4);
        ts_test_step(&other, count[which] + count[which] / 4);
        assert_int_equal(hash, ts_test_hash(other.state));
        ts_test_close(&other);

        open_heap(&other, which, 1);
        other.work->no_culling = true; /* features are looked through in every step */
        ts_test_step(&other, count[which] + count[which] / 4);
        assert_int_equal(hash, ts_test_hash(other.state));
        ts_test_close(&other);

        /* stopped, written down and taken up by another workspace, with looks in between */
        char path[] = "/tmp/touchstone-features-XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        open_heap(&other, which, 1);
        ts_test_step(&other, count[which]);
        const ts_contact *contact;
        size_t contacts;
        OK(ts_find_contacts(other.model, other.state, other.work, &contact, &contacts, ERROR));
        assert_true(contacts > 10);
        OK(ts_state_save(other.model, other.state, path, ERROR));
        ts_test_close(&other);
        open_heap(&other, which, 2);
        ts_test_step(&other, 3);
        OK(ts_state_load(other.model, other.state, path, ERROR));
        ts_test_step(&other, count[which] / 4);
        assert_int_equal(hash, ts_test_hash(other.state));
        ts_test_close(&other);
        unlink(path);
        ts_test_close(&w);
    }
}

/* Two # that fly at each other, off centre and turning. */
static void momentum_is_kept(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        char text[4000];
        ts_test_world w = {0};
        snprintf(text, sizeof text,
                 "{\"touchstone\": 1, \"duration\": 100, \"gravity\": [0, 0], \"time_step\": %s, \"dynamics\": "
                 "{\"kind\": \"%s\", %s"
                 "\"friction\": 0.5, \"restitution\": 0.5, \"stiffness\": 1e6}, \"shapes\": "
                 "{\"hash\": " HASH "}, \"bodies\": ["
                 "{\"shape\": \"hash\", \"position\": [-1, 0.2], \"velocity\": [2, 0], \"spin\": 1.5},"
                 "{\"shape\": \"hash\", \"position\": [1, 0], \"angle\": 0.4, \"velocity\": [-1, 0.3], \"spin\": -2}]}",
                 which == 0 ? "5e-5" : "0.001", kind[which], which == 0 ? "" : "\"correction\": 0, ");
        OK(ts_scene_parse(text, strlen(text), "pair", NULL, &w.scene, ERROR));
        ts_test_start(&w, 1);
        ts_measures before, after;
        OK(ts_measure(w.model, w.state, w.work, &before, ERROR));
        ts_test_step(&w, which == 0 ? 20000 : 1000);
        OK(ts_measure(w.model, w.state, w.work, &after, ERROR));
        assert_true(fabs(w.state->body[0].vx - 2) > 0.1); /* they have met */
        const double size = w.model->body[0].inv_mass > 0 ? 2 / w.model->body[0].inv_mass : 1;
        NEAR(after.momentum[0], before.momentum[0], 1e-12 * size);
        NEAR(after.momentum[1], before.momentum[1], 1e-12 * size);
        NEAR(after.angular, before.angular, 1e-12 * size);
        /* where energy went adds up */
        const double lost = after.lost_normal + after.lost_tangential + after.lost_friction;
        const double was = before.kinetic + before.rotational, is = after.kinetic + after.rotational + after.elastic;
        assert_true(is < was);
        NEAR(was - is, lost, 0.01 * was);
        ts_test_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_result_depends_on_the_state_alone),
                                       cmocka_unit_test(momentum_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
