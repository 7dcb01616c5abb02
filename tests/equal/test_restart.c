/* SPDX-License-Identifier: MIT */
/* A run that was interrupted, copied, saved, looked at or given another workspace ends with the bits of one that was
 * not. */
#include <math.h>
#include <stdio.h>

#include "support/check.h"

#include "support/scenes.h"
#include "workspace.h"

/* The hash after a straight run. */
static uint64_t straight(const ts_test_world *w, uint64_t steps)
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, 1, &work, ERROR));
    OK(ts_step(w->model, state, work, steps, ERROR));
    uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

static void open_scene(ts_test_world *w, const ts_test_scene *scene)
{
    ts_test_open_scene(w, scene);
    ts_test_start(w, 1);
}

/* A workspace is thrown away every few steps; the pair list is found again each time, in the middle of its life. */
static void with_fresh_workspaces(void **state)
{
    const ts_test_scene *scene = *state;
    ts_test_world w;
    open_scene(&w, scene);
    for (uint64_t step = 0, count = 1; step < scene->steps; step += count, count = 1 + (7 * count + step) % 13) {
        if (step + count > scene->steps)
            count = scene->steps - step;
        ts_workspace_free(w.work);
        w.work = NULL;
        OK(ts_workspace_create(w.model, 1 + (int)(step % 2), &w.work, ERROR));
        ts_test_step(&w, count);
    }
    assert_true(ts_test_hash(w.state) == straight(&w, scene->steps));
    ts_test_close(&w);
}

/* Saved to a file and loaded into a new state at odd moments, by a workspace that knows the list of pairs and by one
 * that does not. */
static void with_saving_and_loading(void **state)
{
    const ts_test_scene *scene = *state;
    ts_test_world w;
    open_scene(&w, scene);
    for (uint64_t step = 0, count = 1; step < scene->steps; step += count, count = 53 + (5 * count + step) % 61) {
        if (step + count > scene->steps)
            count = scene->steps - step;
        OK(ts_state_save(w.model, w.state, "state.tsc", ERROR));
        uint64_t hash = ts_test_hash(w.state);
        ts_state_free(w.state);
        w.state = NULL;
        OK(ts_state_create(w.model, &w.state, ERROR));
        OK(ts_state_load(w.model, w.state, "state.tsc", ERROR));
        assert_true(ts_test_hash(w.state) == hash);
        if (step % 2 == 1) {
            ts_workspace_free(w.work);
            w.work = NULL;
            OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
        }
        ts_test_step(&w, count);
    }
    assert_true(ts_test_hash(w.state) == straight(&w, scene->steps));
    ts_test_close(&w);
}

/* Two copies go on from the middle, in turns and with one workspace: each finds its own list. */
static void with_copies_in_turns(void **state)
{
    const ts_test_scene *scene = *state;
    ts_test_world w;
    open_scene(&w, scene);
    ts_state *copy;
    OK(ts_state_create(w.model, &copy, ERROR));
    ts_test_step(&w, scene->steps / 2);
    OK(ts_state_copy(copy, w.state, ERROR));
    assert_true(ts_test_hash(copy) == ts_test_hash(w.state));
    uint64_t left = scene->steps - scene->steps / 2;
    for (uint64_t done = 0; done < left;) {
        uint64_t count = left - done < 17 ? left - done : 17;
        ts_test_step(&w, count);
        OK(ts_step(w.model, copy, w.work, count, ERROR));
        done += count;
    }
    uint64_t hash = straight(&w, scene->steps);
    assert_true(ts_test_hash(w.state) == hash);
    assert_true(ts_test_hash(copy) == hash);
    ts_state_free(copy);
    ts_test_close(&w);
}

/* Contacts and measures are asked for after every step: looking changes nothing. */
static void with_an_onlooker(void **state)
{
    const ts_test_scene *scene = *state;
    ts_test_world w;
    open_scene(&w, scene);
    for (uint64_t step = 0; step < scene->steps; step++) {
        const ts_contact *contact;
        size_t count;
        ts_measures measures;
        uint64_t hash = ts_test_hash(w.state);
        OK(ts_find_contacts(w.model, w.state, w.work, &contact, &count, ERROR));
        OK(ts_measure(w.model, w.state, w.work, &measures, ERROR));
        assert_int_equal(measures.contact_count, count);
        assert_true(ts_test_hash(w.state) == hash);
        ts_test_step(&w, 1);
    }
    assert_true(ts_test_hash(w.state) == straight(&w, scene->steps));
    ts_test_close(&w);
}

/* Every part of a state changes its hash, and the copy has them all. */
static void hash_covers_the_state(void **state)
{
    (void)state;
    ts_test_world w;
    open_scene(&w, &ts_test_scenes[2]);
    ts_test_step(&w, 300);
    ts_state *s = w.state, *copy;
    assert_true(s->pair_count > 10 && s->wall_count > 1);
    double *number[] = {&s->body[3].x,      &s->body[699].spin,     &s->body[5].angle,  &s->body[0].vy,
                        &s->reference[7].x, &s->reference[9].angle, &s->reference_time, &s->spring[s->pair_count - 1],
                        &s->wall_spring[0], &s->spring[0]};
    OK(ts_state_create(w.model, &copy, ERROR));
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        uint64_t before = ts_test_hash(s);
        double old = *number[i];
        *number[i] = nextafter(old, 1e3);
        assert_true(ts_test_hash(s) != before);
        OK(ts_state_copy(copy, s, ERROR));
        assert_true(ts_test_hash(copy) == ts_test_hash(s));
        *number[i] = old;
        assert_true(ts_test_hash(s) == before);
    }
    uint64_t before = ts_test_hash(s);
    s->step++;
    assert_true(ts_test_hash(s) != before);
    ts_state_free(copy);
    ts_test_close(&w);
}

/* What loading does: nothing is known of how far bodies have moved since the list was made. */
static void forget_drift(ts_test_world *w)
{
    w->state->drift_bound = (double)INFINITY;
}

/* A body far from the origin, where the rounding of positions is not small against the skin: the moment at which the
 * list is made anew must not depend on how the run was cut up. */
static void far_from_the_origin(void **state)
{
    (void)state;
    for (int seed = 0; seed < 25; seed++) {
        ts_test_world w;
        ts_test_open(&w, 0);
        double speed = 0.3 + 0.01 * seed;
        ts_test_soften(w.scene, 1e4, 1e-5 / speed);
        ts_settings settings = ts_scene_settings(w.scene);
        settings.skin = 0.002 * (1 + 2e-6 * seed); /* half of it is a hundred steps and a little */
        OK(ts_scene_set(w.scene, &settings, ERROR));
        ts_test_body_moving(w.scene, ts_test_disc(w.scene, 0.01), 8e6 + 0.4 * seed, -7e6, speed, 0, 0);
        ts_test_start(&w, 1);
        for (uint64_t step = 0; step < 500; step++) {
            if (step % 3 == 0)
                forget_drift(&w);
            ts_test_step(&w, 1);
        }
        assert_true(w.work->rebuild_count > 3);
        assert_true(ts_test_hash(w.state) == straight(&w, 500));
        ts_test_close(&w);
    }
}

/* A half-plane turns about a far point, under bodies that rattle on the spot. */
static void under_a_turning_boundary(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open(&w, 0);
    ts_test_soften(w.scene, 3e5, 1e-4);
    ts_settings settings = ts_scene_settings(w.scene);
    settings.skin = 0.6; /* so that the blade alone wears the list out */
    OK(ts_scene_set(w.scene, &settings, ERROR));
    ts_test_box(w.scene, 0.2);
    ts_test_plane(w.scene, NULL, 0, 0.1, 0, -1);
    ts_test_plane(w.scene, "blade", -1, -0.6, 1, 0);
    ts_drive_def turn = ts_default_drive();
    turn.kind = TS_DRIVE_OSCILLATION;
    turn.target = "blade";
    turn.angle_amplitude = 0.5;
    turn.frequency = 5;
    OK(ts_scene_add_drive(w.scene, &turn, NULL, ERROR));
    int32_t disc = ts_test_disc(w.scene, 0.02);
    for (int i = 0; i < 4; i++)
        ts_test_body_moving(w.scene, disc, 0.03 + 0.045 * i, 0.05, i % 2 ? 1 : -0.7, -0.3 * i, 0);
    ts_test_start(&w, 1);
    uint64_t steps = 4000;
    for (uint64_t step = 0; step < steps; step++) {
        if (step % 10 == 0)
            forget_drift(&w);
        ts_test_step(&w, 1);
    }
    assert_true(w.work->rebuild_count > 3);
    assert_true(ts_test_hash(w.state) == straight(&w, steps));
    ts_test_close(&w);
}

int main(void)
{
    struct CMUnitTest tests[64];
    size_t count = 0;
    char name[64][64];
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } kind[] = {{"with fresh workspaces", with_fresh_workspaces},
                {"with saving and loading", with_saving_and_loading},
                {"with copies in turns", with_copies_in_turns},
                {"with an onlooker", with_an_onlooker}};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (size_t s = 1; s < ts_test_scene_count; s++) { /* the first is for threads: large */
            snprintf(name[count], sizeof name[count], "%s %s", ts_test_scenes[s].name, kind[k].name);
            tests[count] = (struct CMUnitTest){name[count], kind[k].run, NULL, NULL, (void *)&ts_test_scenes[s]};
            count++;
        }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(hash_covers_the_state);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(far_from_the_origin);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(under_a_turning_boundary);
    return _cmocka_run_group_tests("restart", tests, count, NULL, NULL);
}
