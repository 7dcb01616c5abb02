/* SPDX-License-Identifier: MIT */
/* Bodies in space: the same bits on any number of threads, from a copied or a saved state, and whether pairs are
 * listed anew or not. */
#include <stdio.h>
#include <string.h>

#include "support/check.h"

#include "dynamics/impact_space.h"
#include "state.h"
#include "support/world3.h"
#include "workspace.h"

enum { STEPS = 140, MOMENT = 110 };

/* Balls, boxes, hammers and hulls fall on a floor that shakes; a spring holds one of them. Some have ended before
 * others meet. */
static void open_crowd(ts_test_world *w, uint64_t sweeps)
{
    ts_drive_def drive = ts_default_drive();
    ts_spring_def spring = ts_default_spring();
    ts_body_def bob = ts_default_body();
    ts_test_space(w, -9.81);
    ts_test_impact3(w->scene, "gr", 0.3, 0.4, 1.0 / 400);
    if (sweeps > 0)
        ts_test_sweeps3(w->scene, sweeps);
    ts_test_floor(w->scene);
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.target = "floor";
    drive.amplitude[2] = 0.01;
    drive.frequency = 6;
    OK(ts_scene_add_drive(w->scene, &drive, NULL, ERROR));
    const int32_t solid[] = {ts_test_ball(w->scene, 0.1), ts_test_block(w->scene, 0.2, 0.15, 0.1),
                             ts_test_hammer(w->scene, 0.12), ts_test_wedge(w->scene, 0.2)};
    ts_test_fill3(w->scene, (double[3]){0, 0, 0.05}, (double[3]){1.4, 1.4, 1.7}, 48, solid, 4, 0.5);
    bob.name = spring.b = "bob";
    bob.shape = solid[1];
    bob.position[0] = -0.5;
    bob.position[2] = 0.5;
    OK(ts_scene_add_body(w->scene, &bob, NULL, ERROR));
    spring.anchor_a[0] = -0.4;
    spring.anchor_a[2] = 1;
    spring.anchor_b[1] = 0.05;
    spring.stiffness = 2000;
    OK(ts_scene_add_spring(w->scene, &spring, NULL, ERROR));
    ts_test_compile(w);
}

static uint64_t run(const ts_test_world *w, int threads, bool anew)
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    ts_impact_space *own = work->own;
    for (int i = 0; i < STEPS; i++) {
        if (anew)
            own->hits.listed = false;
        OK(ts_step(w->model, state, work, 1, ERROR));
    }
    assert_true(work->contact_sum > 3 * STEPS);
    assert_true(anew ? own->hits.list_count == STEPS : own->hits.list_count < STEPS);
    const uint64_t hash = ts_test_hash(state);
    ts_workspace_free(work);
    ts_state_free(state);
    return hash;
}

static void threads_and_lists_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t sweeps = 0; sweeps <= 20; sweeps += 20) {
        ts_test_world w = {0};
        open_crowd(&w, sweeps);
        const uint64_t hash = run(&w, 1, false);
        assert_int_equal(run(&w, 2, false), hash);
        assert_int_equal(run(&w, 3, false), hash);
        assert_int_equal(run(&w, 1, true), hash);
        ts_test_close(&w);
    }
}

static void copies_and_files_go_on(void **state)
{
    (void)state;
    ts_test_world w = {0};
    ts_state *copy, *read;
    open_crowd(&w, 20);
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    ts_test_step(&w, MOMENT);
    OK(ts_state_create(w.model, &copy, ERROR));
    OK(ts_state_create(w.model, &read, ERROR));
    OK(ts_state_copy(copy, w.state, ERROR));
    OK(ts_state_save(w.model, w.state, "space.state", ERROR));
    OK(ts_state_load(w.model, read, "space.state", ERROR));
    assert_true(w.state->history.count > 5); /* what contacts have been through goes along */
    ts_state *twin[] = {w.state, copy, read};
    for (int i = 0; i < 3; i++) {
        ts_workspace *work;
        OK(ts_workspace_create(w.model, 1, &work, ERROR));
        OK(ts_step(w.model, twin[i], work, STEPS - MOMENT, ERROR));
        assert_int_equal(ts_test_hash(twin[i]), ts_test_hash(w.state));
        ts_workspace_free(work);
    }
    assert_int_equal(ts_test_hash(w.state), run(&w, 1, false)); /* and saving changed nothing */
    ts_state_free(copy);
    ts_state_free(read);
    remove("space.state");
    ts_test_close(&w);
}

/* Contacts come in one order, with the same bits, whoever finds them; and looking at them changes nothing. */
static void contacts_in_one_order(void **state)
{
    (void)state;
    ts_test_world w = {0};
    const ts_contact *first, *contact;
    size_t first_count, count;
    open_crowd(&w, 20);
    OK(ts_state_create(w.model, &w.state, ERROR));
    OK(ts_workspace_create(w.model, 1, &w.work, ERROR));
    ts_test_step(&w, STEPS);
    const uint64_t hash = ts_test_hash(w.state);
    OK(ts_find_contacts(w.model, w.state, w.work, &first, &first_count, ERROR));
    assert_true(first_count > 5);
    for (int threads = 2; threads <= 3; threads++) {
        ts_workspace *work;
        OK(ts_workspace_create(w.model, threads, &work, ERROR));
        OK(ts_find_contacts(w.model, w.state, work, &contact, &count, ERROR));
        assert_int_equal(count, first_count);
        assert_memory_equal(contact, first, count * sizeof *contact);
        ts_workspace_free(work);
    }
    assert_int_equal(ts_test_hash(w.state), hash);
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_and_lists_do_not_matter),
                                       cmocka_unit_test(copies_and_files_go_on),
                                       cmocka_unit_test(contacts_in_one_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
