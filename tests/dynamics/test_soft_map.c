/* SPDX-License-Identifier: MIT */
/* Soft-step with places from contact maps: what rests with exact places rests with exact maps and with good tables;
 * maps that are not good enough are refused; the same bits on any number of threads and after a restart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "model.h"
#include "support/world.h"
#include "workspace.h"

#define G     9.81
#define EXACT "\"kind\": \"exact\""
#define TABLE "\"kind\": \"table\""

/* A table's gaps at two corners, 1.4 radii apart, may differ by 1% of the radius. */
#define TILT 0.01

static void write_scene(char *text, size_t size, const char *dynamics, const char *map, const char *rest)
{
    snprintf(text, size,
             "{\"touchstone\": 1, \"duration\": 100, \"dynamics\": {\"kind\": \"soft-step\", %s}, \"map\": {%s}, %s}",
             dynamics, map, rest);
}

static void open_scene(ts_test_world *w, const char *dynamics, const char *map, const char *rest)
{
    char text[8000];
    *w = (ts_test_world){0};
    write_scene(text, sizeof text, dynamics, map, rest);
    OK(ts_scene_parse(text, strlen(text), "soft", NULL, &w->scene, ERROR));
    ts_test_start(w, 1);
}

static void run_for(ts_test_world *w, double seconds)
{
    ts_test_step(w, (uint64_t)ceil(seconds / w->model->settings.time_step));
}

/* Of what moves [J/kg]. */
static double energy_of(ts_test_world *w)
{
    ts_measures m;
    double mass = 0;
    OK(ts_measure(w->model, w->state, w->work, &m, ERROR));
    for (size_t i = 0; i < w->model->body_count; i++)
        mass += ts_model_moves(w->model, i) ? w->model->mass[i] : 0;
    return (m.kinetic + m.rotational) / mass;
}

/* A box that falls by a little onto what is level or inclined by 30°, along whose surface the x axis goes, stays there:
 * walls of every kind, and fixed bodies, which it meets by a map. */
static void box_rests_on(const char *map, const char *wall, const char *below, double angle)
{
    char rest[1500];
    ts_test_world w;
    const double c = cos(angle), s = sin(angle);
    int used =
        snprintf(rest, sizeof rest,
                 "\"gravity\": [%.17g, %.17g], \"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, "
                 "\"height\": 0.2}}, \"walls\": [%s], \"bodies\": [{\"shape\": \"box\", \"position\": [0, 0.11]}%s]",
                 -G * s, -G * c, wall, below);
    assert_in_range(used, 1, (int)sizeof rest - 1);
    open_scene(&w, "\"friction\": 0.9, \"restitution\": 0", map, rest);
    run_for(&w, 2);
    const ts_body before = *ts_state_bodies(w.state);
    NEAR(energy_of(&w), 0, 1e-12);
    NEAR(before.angle, 0, TILT);
    NEAR(before.x, -0.01 * tan(angle), 1e-3); /* it falls down straight */
    NEAR(before.y, 0.1, 1e-3);
    run_for(&w, 2);
    const ts_body *after = ts_state_bodies(w.state);
    NEAR(hypot(after->x - before.x, after->y - before.y), 0, 1e-7);
    ts_test_close(&w);
}

static void box_rests_on_everything(void **state)
{
    (void)state;
    static const char *const wall[] = {
        "{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}",
        "{\"kind\": \"polyline\", \"points\": [[-1, 0], [1, 0]]}",
        "{\"kind\": \"outline\", \"shape\": \"box\", \"position\": [0, -0.1]}",
    };
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof wall / sizeof *wall; k++)
            box_rests_on(EXACT, wall[k], "", i * 0.5235987755982988);
    for (int i = 0; i < 4; i++)
        box_rests_on(i < 2 ? EXACT : TABLE, "", ", {\"shape\": \"box\", \"position\": [0.02, -0.1], \"fixed\": true}",
                     i % 2 * 0.5235987755982988);
}

/* Five boxes stand; what a box presses on the one below is what lies above. */
static void stack_stands_and_carries(void **state)
{
    (void)state;
    static const char *const map[] = {EXACT, TABLE};
    for (size_t k = 0; k < 2; k++) {
        char rest[1000];
        ts_test_world w;
        int used = snprintf(rest, sizeof rest,
                            "\"shapes\": {\"box\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.2}}, \"walls\": "
                            "[{\"kind\": \"half-plane\", \"position\": [0, 0], \"normal\": [0, 1]}], \"bodies\": [");
        for (int i = 0; i < 5; i++)
            used += snprintf(rest + used, sizeof rest - (size_t)used,
                             "%s{\"shape\": \"box\", \"position\": [0, %.17g]}", i ? ", " : "", 0.1 + 0.2 * i);
        snprintf(rest + used, sizeof rest - (size_t)used, "]");
        open_scene(&w, "\"friction\": 0.5", map[k], rest);
        run_for(&w, 4);
        NEAR(energy_of(&w), 0, 1e-12);
        for (int i = 0; i < 5; i++) {
            NEAR(ts_state_bodies(w.state)[i].y, 0.1 + 0.2 * i, 1e-3);
            NEAR(ts_state_bodies(w.state)[i].angle, 0, TILT * (i + 1));
        }
        const ts_contact *contact;
        size_t count;
        double force[5] = {0};
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        for (size_t i = 0; i < count; i++)
            force[contact[i].b] += contact[i].force[1];
        for (int i = 0; i < 5; i++)
            NEAR(force[i] / (w.model->mass[0] * G), 5 - i, 1e-6);
        ts_test_close(&w);
    }
}

/* Grains of two bars across two, dropped into a bin, hook into each other. */
#define HASHES                                                                                                    \
    "\"shapes\": {\"hash\": {\"kind\": \"polygon\", \"points\": [[0.64, -0.28], [0.64, -0.12], [0.28, -0.12], "   \
    "[0.28, 0.12], [0.64, 0.12], [0.64, 0.28], [0.28, 0.28], [0.28, 0.64], [0.12, 0.64], [0.12, 0.28], "          \
    "[-0.12, 0.28], [-0.12, 0.64], [-0.28, 0.64], [-0.28, 0.28], [-0.64, 0.28], [-0.64, 0.12], [-0.28, 0.12], "   \
    "[-0.28, -0.12], [-0.64, -0.12], [-0.64, -0.28], [-0.28, -0.28], [-0.28, -0.64], [-0.12, -0.64], "            \
    "[-0.12, -0.28], [0.12, -0.28], [0.12, -0.64], [0.28, -0.64], [0.28, -0.28]], \"holes\": [[[-0.12, -0.12], "  \
    "[-0.12, 0.12], [0.12, 0.12], [0.12, -0.12]]]}}, \"walls\": [{\"kind\": \"polyline\", \"points\": [[0, 30], " \
    "[0, 0], [6, 0], [6, 30]]}], \"bodies\": ["

static void write_hashes(char *text, size_t size, int count)
{
    int used = snprintf(text, size, HASHES);
    for (int i = 0; i < count; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s{\"shape\": \"hash\", \"position\": [%g, %g], \"angle\": %g}",
                     i ? ", " : "", 0.75 + 1.5 * (i % 4), 1 + 1.5 * (i / 4), 0.37 * i * i);
    snprintf(text + used, size - (size_t)used, "]");
}

/* Nothing but a file is left after every `cut` steps. */
static uint64_t hash_of(const ts_test_world *w, int threads, uint64_t steps, uint64_t cut)
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    for (uint64_t done = 0; done < steps; done += cut) {
        OK(ts_step(w->model, state, work, cut, ERROR));
        OK(ts_state_save(w->model, state, "soft-map.tsc", ERROR));
        ts_state_free(state);
        ts_workspace_free(work);
        OK(ts_state_create(w->model, &state, ERROR));
        OK(ts_state_load(w->model, state, "soft-map.tsc", ERROR));
        OK(ts_workspace_create(w->model, threads, &work, ERROR));
    }
    const uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

/* It comes to rest; while it falls and lands, bits are the same on any number of threads and after restarts. */
static void heap_comes_to_rest(void **state)
{
    (void)state;
    static const char *const map[] = {EXACT, TABLE};
    for (size_t k = 0; k < 2; k++) {
        char rest[4000];
        ts_test_world w;
        write_hashes(rest, sizeof rest, 24);
        open_scene(&w, "\"friction\": 0.4", map[k], rest);
        const uint64_t steps = 120, hash = hash_of(&w, 1, steps, steps);
        assert_true(hash_of(&w, 3, steps, steps) == hash);
        assert_true(hash_of(&w, 1, steps, 24) == hash);
        ts_test_step(&w, 600);
        NEAR(energy_of(&w), 0, 1e-8);
        w.work->max_overlap_ratio = 0; /* while falling it may be more */
        ts_test_step(&w, 1);
        NEAR(w.work->max_overlap_ratio, 0, 0.01);
        ts_test_close(&w);
    }
}

/* A scene of two bricks that is refused with these words. */
static void expect_refusal(const char *dynamics, const char *map, const char *words)
{
    char text[1000];
    ts_test_world w = {0};
    ts_error error;
    write_scene(
        text, sizeof text, dynamics, map,
        "\"shapes\": {\"brick\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.1}}, \"bodies\": [{\"shape\": "
        "\"brick\", \"position\": [0, 0]}, {\"shape\": \"brick\", \"position\": [0, 1]}]");
    OK(ts_scene_parse(text, strlen(text), "soft", NULL, &w.scene, ERROR));
    ts_status status = ts_model_compile(w.scene, &w.model, &error);
    if (status == TS_OK)
        status = ts_model_prepare(w.model, &(ts_map_making){.cache = ""}, &error);
    assert_int_equal(status, TS_BAD_INPUT);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" lacks \"%s\"", error.message, words);
    ts_test_close(&w);
}

static void bad_maps_are_refused(void **state)
{
    (void)state;
    expect_refusal("\"places\": \"one\"", EXACT, "places \"one\"");
    expect_refusal("\"places\": \"map\"", "\"error\": 0.01", "map: error is 0.01");
    expect_refusal("\"places\": \"map\"", "\"kind\": \"table\", \"bytes\": 12000",
                   "map of brick×brick: its mean error");
    expect_refusal("\"places\": \"map\"", "\"kind\": \"sampled\", \"grid\": 21", "map of brick×brick: its mean error");
    expect_refusal("\"places\": \"map\"", "\"kind\": \"exact\", \"smoothing\": 0.1",
                   "map of brick×brick: its mean error");
}

/* Who does not say how good maps shall be gets some that are good enough. */
static void maps_are_good_enough_by_themselves(void **state)
{
    (void)state;
    ts_test_world w;
    open_scene(
        &w, "\"places\": \"map\"", "",
        "\"shapes\": {\"brick\": {\"kind\": \"box\", \"width\": 0.2, \"height\": 0.1}}, \"bodies\": [{\"shape\": "
        "\"brick\", \"position\": [0, 0]}, {\"shape\": \"brick\", \"position\": [0, 1]}]");
    assert_true(w.model->places == TS_PLACES_MAP && w.model->map.error > 0 && w.model->map.error <= w.model->map_error);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_rests_on_everything),
        cmocka_unit_test(stack_stands_and_carries),
        cmocka_unit_test(heap_comes_to_rest),
        cmocka_unit_test(bad_maps_are_refused),
        cmocka_unit_test(maps_are_good_enough_by_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
