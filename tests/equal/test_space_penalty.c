/* SPDX-License-Identifier: MIT */
/* The penalty law in space: the same bits on any number of threads, from a copied or a saved state, in one call or
 * many, and whether pairs are listed anew or not. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/penalty.h"
#include "dynamics/penalty_space_parts.h"
#include "support/world3.h"

enum { STEPS = 120, MOMENT = 70 };

/* More balls than a tile holds, with boxes, hammers and hulls among them, fall on a floor that shakes beside a
 * turning wall; a spring holds one of them. */
static void open_crowd(ts_test_world *w)
{
    ts_drive_def drive = ts_default_drive();
    ts_spring_def spring = ts_default_spring();
    ts_body_def bob = ts_default_body();
    ts_test_space(w, -9.81);
    ts_test_penalty3(w->scene, 1e5, 0.5, 0.4, 0);
    ts_test_floor(w->scene);
    ts_test_plane3(w->scene, "side", (double[3]){0, 0, 0}, (double[3]){1, 0, 0});
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.target = "floor";
    drive.amplitude[2] = 0.01;
    drive.frequency = 20;
    OK(ts_scene_add_drive(w->scene, &drive, NULL, ERROR));
    drive = ts_default_drive();
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.target = "side";
    drive.angle_amplitude = 0.02;
    drive.axis[0] = drive.axis[2] = 0;
    drive.axis[1] = 1;
    drive.frequency = 20;
    OK(ts_scene_add_drive(w->scene, &drive, NULL, ERROR));
    const int32_t ball = ts_test_ball(w->scene, 0.05),
                  mixed[] = {ts_test_block(w->scene, 0.2, 0.15, 0.1), ts_test_hammer(w->scene, 0.12),
                             ts_test_wedge(w->scene, 0.2), ball};
    ts_test_fill3(w->scene, (double[3]){0, 0, 0}, (double[3]){1.5, 1.5, 0.7}, 1200, &ball, 1, 2);
    ts_test_fill3(w->scene, (double[3]){0, 0, 0.7}, (double[3]){1.5, 1.5, 1.5}, 40, mixed, 4, 2);
    bob.name = spring.b = "bob";
    bob.shape = ball;
    bob.position[0] = 2;
    bob.position[2] = 0.5;
    OK(ts_scene_add_body(w->scene, &bob, NULL, ERROR));
    spring.anchor_a[0] = 2.1;
    spring.anchor_a[2] = 1;
    spring.anchor_b[1] = 0.02;
    spring.stiffness = 2000;
    OK(ts_scene_add_spring(w->scene, &spring, NULL, ERROR));
    ts_test_compile(w);
}

typedef enum way { AT_ONCE, BY_ONE, ANEW, LOOKING } way;

static uint64_t run(const ts_test_world *w, int threads, way how)
{
    ts_state *state;
    ts_workspace *work;
    const ts_contact *contact;
    size_t count;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    ts_penalty3 *own = work->own;
    for (int i = 0; how != AT_ONCE && i < STEPS; i++) {
        if (how == ANEW)
            own->list.listed = false;
        OK(ts_step(w->model, state, work, 1, ERROR));
        if (how == LOOKING && i % 10 == 0)
            OK(ts_find_contacts(w->model, state, work, &contact, &count, ERROR));
    }
    if (how == AT_ONCE)
        OK(ts_step(w->model, state, work, STEPS, ERROR));
    assert_true(work->contact_sum > 100 * STEPS && own->list.tile_count > 1);
    assert_true(how == ANEW ? own->list.list_count == STEPS : own->list.list_count < STEPS);
    size_t tied = 0; /* springs that are stretched: friction was at work */
    for (size_t i = 0; i < state->history.count; i++)
        tied += state->history.item[i].value[TS_KEPT_SPRING] != 0;
    assert_true(tied > 100);
    const uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

static void threads_and_lists_do_not_matter(void **state)
{
    (void)state;
    ts_test_world w = {0};
    open_crowd(&w);
    const uint64_t hash = run(&w, 1, AT_ONCE);
    assert_int_equal(run(&w, 2, AT_ONCE), hash);
    assert_int_equal(run(&w, 3, BY_ONE), hash);
    assert_int_equal(run(&w, 1, ANEW), hash);
    assert_int_equal(run(&w, 1, LOOKING), hash);
    ts_test_close(&w);
}

static void copies_and_files_go_on(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_state *copy, *read;
    open_crowd(&w);
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    ts_test_step(&w, MOMENT);
    OK(ts_state_create(w.model, &copy, ERROR));
    OK(ts_state_create(w.model, &read, ERROR));
    OK(ts_state_copy(copy, w.state, ERROR));
    OK(ts_state_save(w.model, w.state, "space-penalty.state", ERROR));
    OK(ts_state_load(w.model, read, "space-penalty.state", ERROR));
    ts_state *twin[] = {w.state, copy, read};
    for (int i = 0; i < 3; i++) {
        ts_workspace *work;
        OK(ts_workspace_create(w.model, 1, &work, ERROR));
        OK(ts_step(w.model, twin[i], work, STEPS - MOMENT, ERROR));
        assert_int_equal(ts_test_hash(twin[i]), ts_test_hash(w.state));
        ts_workspace_free(work);
    }
    assert_int_equal(ts_test_hash(w.state), run(&w, 1, AT_ONCE)); /* and saving changed nothing */
    ts_state_free(copy);
    ts_state_free(read);
    remove("space-penalty.state");
    ts_test_close(&w);
}

/* A workspace that steps one state and then another does not mix up their springs. */
static void one_workspace_for_two_states(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_state *other;
    open_crowd(&w);
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_state_create(w.model, &other, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    for (int i = 0; i < STEPS; i += 10) {
        OK(ts_step(w.model, w.state, w.work, 10, ERROR));
        OK(ts_step(w.model, other, w.work, 10, ERROR));
    }
    assert_int_equal(ts_test_hash(w.state), ts_test_hash(other));
    assert_int_equal(ts_test_hash(other), run(&w, 1, AT_ONCE));
    ts_state_free(other);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(threads_and_lists_do_not_matter),
        cmocka_unit_test(copies_and_files_go_on),
        cmocka_unit_test(one_workspace_for_two_states),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
