/* SPDX-License-Identifier: MIT */
/* The N-th allocation fails, for all N, along the life of a simulation: from an empty scene to a loaded state.
 *
 * Whoever gives up then gets TS_OUT_OF_MEMORY, untouched outputs and every byte back. Whoever tries the same call
 * again, once there is memory, gets the bits of one who never ran out: a failed call has changed nothing. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "base/status.h"
#include "support/heap.h"
#include "touchstone/touchstone.h"

typedef struct trial {
    ts_scene *scene, *parsed;
    ts_model *model, *parsed_model;
    ts_state *state, *copy;
    ts_workspace *work;
    size_t contact_count; /* of the last look */
    double energy;
} trial;

/* ---- A life, call by call ---- */

static char untouched; /* what outputs point to before a call, and still after one that failed */

/* Makes t->field by a call that writes to `made`. */
#define MAKE(t, field, call)                              \
    do {                                                  \
        __typeof__((t)->field) made = (void *)&untouched; \
        ts_status status = (call);                        \
        if (status == TS_OK)                              \
            (t)->field = made;                            \
        else                                              \
            assert_ptr_equal((void *)made, &untouched);   \
        return status;                                    \
    } while (0)

static ts_status create_scene(trial *t, ts_error *error)
{
    MAKE(t, scene, ts_scene_create(&made, error));
}

static ts_status set_settings(trial *t, ts_error *error)
{
    ts_settings settings = ts_default_settings();
    settings.skin = 0.0005; /* small, so that lists are made anew every few steps */
    return ts_scene_set(t->scene, &settings, error);
}

static ts_status set_dynamics(trial *t, ts_error *error)
{
    ts_dynamics_def def = ts_default_dynamics();
    ts_dynamics_set(&def, "tolerated_overlap", 0.1);
    ts_dynamics_set(&def, "expected_speed", 1);
    return ts_scene_set_dynamics(t->scene, &def, error);
}

static ts_status set_default_material(trial *t, ts_error *error)
{
    ts_material_def def = ts_default_material();
    def.friction = 0.4;
    return ts_scene_set_default_material(t->scene, &def, error);
}

static ts_status add_material(trial *t, ts_error *error)
{
    ts_material_def def = ts_default_material();
    def.restitution = 0.9;
    return ts_scene_add_material(t->scene, "steel", &def, NULL, error);
}

static ts_status set_pair(trial *t, ts_error *error)
{
    ts_material_def def = ts_default_material();
    def.friction = 0.05;
    return ts_scene_set_pair(t->scene, 0, 1, &def, error);
}

static ts_status add_disc(trial *t, ts_error *error)
{
    return ts_scene_add_disc(t->scene, 0.01, NULL, error);
}

static ts_status add_cluster(trial *t, ts_error *error)
{
    const ts_disc disc[] = {{0, 0, 0.01}, {0.015, 0, 0.01}, {0.007, 0.012, 0.008}};
    ts_shape_def def = ts_default_shape();
    def.name = "cluster";
    def.disc = disc;
    def.disc_count = 3;
    return ts_scene_add_shape(t->scene, &def, NULL, error);
}

/* With a hole, an arc and something to mend: the contours cross. */
static ts_status add_outline(trial *t, ts_error *error)
{
    const ts_vertex outer[] = {{0, 0, 0}, {0.04, 0, 0.3}, {0.04, 0.03, 0}, {0, 0.03, 0}},
                    inner[] = {{0.03, 0.01, 0}, {0.01, 0.01, 0}, {0.01, 0.02, 0}},
                    other[] = {{-0.01, 0.005, 0}, {0.02, 0.005, 0}, {0.005, 0.05, 0}};
    const ts_contour contour[] = {{outer, 4, false}, {inner, 3, false}, {other, 3, false}};
    ts_outline *outline = (void *)&untouched;
    ts_status status = ts_outline_create(contour, 3, TS_RULE_EVEN_ODD, &outline, error);
    if (status != TS_OK)
        return status;
    status = ts_scene_add_outline(t->scene, "plate", outline, NULL, error);
    ts_outline_free(outline);
    return status;
}

/* A dozen calls, so that arrays grow. Each of them may fail, and is then tried again by itself. */
static ts_status add_bodies(trial *t, ts_error *error)
{
    static const char *const name[12] = {"paddle", "stirrer", "door"};
    static int next; /* where to go on */
    for (; next < 12; next++) {
        ts_body_def def = ts_default_body();
        def.name = name[next];
        def.shape = next % 2;
        def.material = next % 2;
        def.position[0] = 0.05 * (next % 4);
        def.position[1] = 0.3 + 0.05 * (next / 4);
        def.fixed = next < 3;
        TS_TRY(ts_scene_add_body(t->scene, &def, NULL, error));
    }
    next = 0;
    return TS_OK;
}

static ts_status add_floor(trial *t, ts_error *error)
{
    ts_wall_def def = ts_default_wall();
    def.name = "floor";
    return ts_scene_add_wall(t->scene, &def, NULL, error);
}

static ts_status add_drum(trial *t, ts_error *error)
{
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_CIRCLE;
    def.position[1] = 0.2;
    def.radius = 0.7;
    return ts_scene_add_wall(t->scene, &def, NULL, error);
}

static ts_status add_polyline(trial *t, ts_error *error)
{
    const ts_vertex vertex[] = {{2, 0, 0.5}, {3, 0, 0}, {3, 1, 0}};
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_POLYLINE;
    def.name = "polyline";
    def.line = (ts_contour){vertex, 3, true};
    return ts_scene_add_wall(t->scene, &def, NULL, error);
}

static ts_status add_outline_wall(trial *t, ts_error *error)
{
    ts_wall_def def = ts_default_wall();
    def.kind = TS_WALL_OUTLINE;
    def.shape = ts_scene_find_shape(t->scene, "plate");
    def.position[0] = 9;
    def.position[1] = 9;
    return ts_scene_add_wall(t->scene, &def, NULL, error);
}

static ts_status add_rotation(trial *t, ts_error *error)
{
    ts_drive_def def = ts_default_drive();
    def.kind = TS_DRIVE_ROTATION;
    def.target = "paddle";
    def.rate = 30;
    return ts_scene_add_drive(t->scene, &def, NULL, error);
}

static ts_status add_keyframes(trial *t, ts_error *error)
{
    const ts_keyframe key[] = {{0, {0, 0}, 0}, {0.1, {0.05, 0}, 1}, {0.2, {0, 0}, 0}};
    ts_drive_def def = ts_default_drive();
    def.kind = TS_DRIVE_KEYFRAMES;
    def.target = "stirrer";
    def.key = key;
    def.key_count = 3;
    return ts_scene_add_drive(t->scene, &def, NULL, error);
}

static ts_status add_gate(trial *t, ts_error *error)
{
    ts_drive_def def = ts_default_drive();
    def.kind = TS_DRIVE_GATE;
    def.target = "door";
    def.start = 0.0005;
    return ts_scene_add_drive(t->scene, &def, NULL, error);
}

static ts_status add_generator(trial *t, ts_error *error)
{
    const ts_mix_entry mix[] = {{.weight = 1, .scale_min = 0.5, .scale_max = 1},
                                {.shape = 1, .material = 1, .weight = 1, .scale_min = 0.5, .scale_max = 0.8}};
    ts_generator_def def = ts_default_generator();
    def.name = "grains";
    def.low[0] = -0.15;
    def.high[0] = 0.15;
    def.high[1] = 0.25;
    def.count = 60;
    def.mix = mix;
    def.mix_count = 2;
    def.velocity_spread = 0.7;
    return ts_scene_add_generator(t->scene, &def, NULL, error);
}

static const char json[] =
    "{\"touchstone\": 1, // a comment\n"
    " \"duration\": \"20 ms\", \"gravity\": [0, -9.81],\n"
    " \"dynamics\": {\"kind\": \"penalty\", \"friction\": 0.4},\n"
    " \"materials\": {\"steel\": {\"density\": 7800}},\n"
    " \"shapes\": {\"ball\": {\"kind\": \"disc\", \"radius\": \"2 cm\"},\n"
    "  \"nut\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [0, 0], \"radius\": 0.02},\n"
    "   {\"at\": [\"3 cm\", 0], \"radius\": 0.02}]},\n"
    "  \"pair\": {\"kind\": \"composite\", \"parts\": [{\"shape\": \"nut\"},\n"
    "   {\"shape\": \"nut\", \"angle\": \"90 deg\"}]},\n"
    "  \"hoop\": {\"kind\": \"ring\", \"outer\": 0.02, \"inner\": 0.01},\n"
    "  \"tile\": {\"kind\": \"polygon\", \"points\": [[0, 0], [0.03, 0, 0.2], [0, 0.03]], \"notes\": [\"closed\"]},\n"
    "  \"set\": {\"kind\": \"group\", \"members\": {\"hoop\": 1, \"tile\": 2}}},\n"
    " \"boundaries\": [{\"kind\": \"half-plane\", \"point\": [0, 0], \"normal\": [0, 1]}],\n"
    " \"bodies\": [{\"shape\": \"ball\", \"material\": \"steel\", \"position\": [0, 0.2]},\n"
    "  {\"name\": \"post\", \"shape\": \"pair\", \"position\": [0.3, 0.2], \"fixed\": true}],\n"
    " \"generators\": [{\"kind\": \"random\", \"region\": {\"box\": [0, 0.4, 1, 1]}, \"count\": 9,\n"
    "  \"mix\": [{\"shape\": \"ball\"}, {\"shape\": \"nut\", \"scale\": [0.8, 1]}, {\"shape\": \"set\"}]}],\n"
    " \"drives\": [{\"target\": \"post\", \"kind\": \"rotation\", \"rate\": 1}]}\n";

static ts_status parse_scene(trial *t, ts_error *error)
{
    const char *const override[] = {"seed=5", "dynamics.friction=0.3"};
    ts_load_options options = {.override = override, .override_count = 2};
    MAKE(t, parsed, ts_scene_parse(json, strlen(json), "small.json", &options, &made, error));
}

static ts_status compile_parsed(trial *t, ts_error *error)
{
    MAKE(t, parsed_model, ts_model_compile(t->parsed, &made, error));
}

static ts_status compile(trial *t, ts_error *error)
{
    MAKE(t, model, ts_model_compile(t->scene, &made, error));
}

static ts_status create_state(trial *t, ts_error *error)
{
    MAKE(t, state, ts_state_create(t->model, &made, error));
}

static ts_status create_workspace(trial *t, ts_error *error)
{
    MAKE(t, work, ts_workspace_create(t->model, 2, &made, error));
}

static ts_status look(trial *t, ts_error *error)
{
    const ts_contact *contact = (const void *)&untouched;
    size_t count = 12345;
    ts_status status = ts_find_contacts(t->model, t->state, t->work, &contact, &count, error);
    if (status == TS_OK)
        t->contact_count = count;
    else
        assert_true((const void *)contact == &untouched && count == 12345);
    return status;
}

/* Fifty steps in all; each call of ts_step is tried again by itself. */
static ts_status step(trial *t, ts_error *error)
{
    uint64_t goal = (ts_state_steps(t->state) / 50 + 1) * 50;
    while (ts_state_steps(t->state) < goal)
        TS_TRY(ts_step(t->model, t->state, t->work, 1, error));
    return TS_OK;
}

static ts_status measure(trial *t, ts_error *error)
{
    ts_measures measures = {.time = -1};
    ts_status status = ts_measure(t->model, t->state, t->work, &measures, error);
    if (status == TS_OK)
        t->energy = measures.kinetic + measures.rotational + measures.gravitational + measures.elastic;
    else
        assert_true(measures.time == -1);
    return status;
}

static ts_status create_copy(trial *t, ts_error *error)
{
    MAKE(t, copy, ts_state_create(t->model, &made, error));
}

static ts_status copy(trial *t, ts_error *error)
{
    return ts_state_copy(t->copy, t->state, error);
}

static ts_status save(trial *t, ts_error *error)
{
    return ts_state_save(t->model, t->state, "alloc.tsc", error);
}

static ts_status load(trial *t, ts_error *error)
{
    return ts_state_load(t->model, t->state, "alloc.tsc", error);
}

static const struct {
    const char *name;
    ts_status (*call)(trial *t, ts_error *error);
} life[] = {
    {"create the scene", create_scene},
    {"set settings", set_settings},
    {"set dynamics", set_dynamics},
    {"set the default material", set_default_material},
    {"add a material", add_material},
    {"set a pair", set_pair},
    {"add a disc", add_disc},
    {"add a cluster", add_cluster},
    {"add an outline", add_outline},
    {"add bodies", add_bodies},
    {"add a half-plane", add_floor},
    {"add a circle", add_drum},
    {"add a polyline", add_polyline},
    {"add an outline as a wall", add_outline_wall},
    {"add a rotation", add_rotation},
    {"add keyframes", add_keyframes},
    {"add a gate", add_gate},
    {"add a generator", add_generator},
    {"parse a scene", parse_scene},
    {"compile the parsed scene", compile_parsed},
    {"compile", compile},
    {"create the state", create_state},
    {"create the workspace", create_workspace},
    {"look before the first step", look},
    {"step", step},
    {"look", look},
    {"measure", measure},
    {"step on", step},
    {"create another state", create_copy},
    {"copy", copy},
    {"save", save},
    {"load", load},
    {"step after loading", step},
    {"look again", look},
};
enum { CALLS = sizeof life / sizeof *life };

static void end(trial *t)
{
    ts_workspace_free(t->work);
    ts_state_free(t->state);
    ts_state_free(t->copy);
    ts_model_free(t->model);
    ts_model_free(t->parsed_model);
    ts_scene_free(t->scene);
    ts_scene_free(t->parsed);
    *t = (trial){0};
}

/* ---- With and without a second try ---- */

typedef struct outcome {
    uint64_t model, parsed, state, copy;
    size_t contact_count;
    double energy;
} outcome;

static outcome outcome_of(const trial *t)
{
    return (outcome){ts_model_hash(t->model), ts_model_hash(t->parsed_model),
                     ts_state_hash(t->state), ts_state_hash(t->copy),
                     t->contact_count,        t->energy};
}

/* What differs, or NULL. */
static const char *difference(const outcome *a, const outcome *b)
{
    if (a->model != b->model || a->parsed != b->parsed)
        return a->model != b->model ? "the model" : "the parsed model";
    if (a->copy != b->copy || a->state != b->state)
        return a->copy != b->copy ? "the copied state" : "the state";
    return a->contact_count != b->contact_count || a->energy != b->energy ? "what was seen" : NULL;
}

/* An untroubled life; returns the number of allocations in it. */
static long untroubled(outcome *out)
{
    trial t = {0};
    long before = ts_test_heap_live();
    ts_test_heap_fail_at(0);
    for (int i = 0; i < CALLS; i++)
        OK(life[i].call(&t, ERROR));
    long calls = ts_test_heap_calls();
    *out = outcome_of(&t);
    end(&t);
    assert_int_equal(ts_test_heap_live(), before);
    assert_true(out->contact_count > 0);
    return calls;
}

static void whoever_gives_up_gets_everything_back(void **state)
{
    (void)state;
    outcome right;
    long calls = untroubled(&right);
    assert_true(calls > 150);
    int helped = 0;
    for (long n = 1; n <= calls; n++) {
        trial t = {0};
        long before = ts_test_heap_live();
        ts_status status = TS_OK;
        ts_test_heap_fail_at(n);
        int i = 0;
        trial old = t;
        for (; i < CALLS && status == TS_OK; i++) {
            old = t;
            memset(ERROR, 0, sizeof *ERROR);
            status = life[i].call(&t, ERROR);
        }
        ts_test_heap_fail_at(0);
        if (status == TS_OK) { /* the library helped itself (a file's name in later messages is all it may lose) */
            outcome got = outcome_of(&t);
            assert_null(difference(&got, &right));
            end(&t);
            helped++;
            continue;
        }
        if (status != TS_OUT_OF_MEMORY)
            fail_msg("\"%s\" with allocation %ld failing: %s: %s", life[i - 1].name, n, ts_status_name(status),
                     ts_test_error.message);
        assert_int_equal(ts_test_error.status, TS_OUT_OF_MEMORY);
        assert_true(strlen(ts_test_error.message) > 0);
        assert_memory_equal(&old, &t, sizeof t); /* what the call was to make is untouched */
        if (life[i - 1].call == add_bodies) {    /* it counts in a static: bring it to its end */
            while (life[i - 1].call(&t, NULL) != TS_OK)
                ;
        }
        end(&t);
        if (ts_test_heap_live() != before)
            fail_msg("\"%s\" with allocation %ld failing leaks %ld blocks", life[i - 1].name, n,
                     ts_test_heap_live() - before);
    }
    assert_true(helped <= 1);
}

static void whoever_tries_again_has_lost_nothing(void **state)
{
    (void)state;
    outcome right;
    long calls = untroubled(&right);
    for (long n = 1; n <= calls; n++) {
        trial t = {0};
        int failed = -1;
        ts_test_heap_fail_at(n);
        for (int i = 0; i < CALLS; i++) {
            ts_status status = life[i].call(&t, ERROR);
            if (status == TS_OUT_OF_MEMORY && failed < 0) {
                failed = i;
                status = life[i].call(&t, ERROR);
            }
            if (status != TS_OK)
                fail_msg("\"%s\" after \"%s\" failed: %s: %s", life[i].name,
                         failed >= 0 ? life[failed].name : "nothing", ts_status_name(status), ts_test_error.message);
        }
        outcome got = outcome_of(&t);
        const char *what = difference(&got, &right);
        end(&t);
        if (what)
            fail_msg("\"%s\" failed at allocation %ld and was tried again: %s differs",
                     failed >= 0 ? life[failed].name : "nothing", n, what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_gives_up_gets_everything_back),
        cmocka_unit_test(whoever_tries_again_has_lost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
