/* SPDX-License-Identifier: MIT */
/* A run gives the same bits on any number of threads. */
#include "support/check.h"

#include "support/scenes.h"
#include "workspace.h"

enum { LOOKS = 4 }; /* hashes are compared this many times along a run, so that a difference is found near its cause */

static void run(const ts_test_world *w, int threads, uint64_t steps, uint64_t hash[LOOKS])
{
    ts_state *state;
    ts_workspace *work;
    OK(ts_state_create(w->model, &state, ERROR));
    OK(ts_workspace_create(w->model, threads, &work, ERROR));
    assert_int_equal(ts_workspace_threads(work), threads);
    for (int i = 0; i < LOOKS; i++) {
        OK(ts_step(w->model, state, work, steps / LOOKS, ERROR));
        hash[i] = ts_test_hash(state);
    }
    /* the run was worth comparing: lists were made anew and springs carried over */
    assert_true(work->rebuild_count >= 8);
    assert_true(work->contact_sum > steps);
    ts_workspace_free(work);
    ts_state_free(state);
}

static void any_number_of_threads(void **state)
{
    const ts_test_scene *scene = *state;
    static const int threads[] = {2, 3, 8};
    ts_test_world w;
    ts_test_open_scene(&w, scene);
    ts_test_compile(&w);
    uint64_t first[LOOKS], hash[LOOKS];
    run(&w, 1, scene->steps, first);
    for (int i = 1; i < LOOKS; i++)
        assert_true(first[i] != first[i - 1]);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        run(&w, threads[t], scene->steps, hash);
        for (int i = 0; i < LOOKS; i++)
            if (hash[i] != first[i])
                fail_msg("%s: %d threads differ from one after %llu steps", scene->name, threads[t],
                         (unsigned long long)(scene->steps / LOOKS * (uint64_t)(i + 1)));
    }
    ts_test_close(&w);
}

/* Contacts come in one order, with the same bits, whoever finds them. */
static void contacts_in_one_order(void **state)
{
    (void)state;
    ts_test_world w;
    ts_test_open_scene(&w, &ts_test_scenes[1]);
    ts_test_start(&w, 1);
    ts_test_step(&w, 200);
    const ts_contact *first, *contact;
    size_t first_count, count;
    OK(ts_find_contacts(w.model, w.state, w.work, &first, &first_count, ERROR));
    assert_true(first_count > 5);
    for (int threads = 2; threads <= 5; threads += 3) {
        ts_workspace *work;
        OK(ts_workspace_create(w.model, threads, &work, ERROR));
        OK(ts_find_contacts(w.model, w.state, work, &contact, &count, ERROR));
        assert_int_equal(count, first_count);
        assert_memory_equal(contact, first, count * sizeof *contact);
        ts_workspace_free(work);
    }
    ts_test_close(&w);
}

int main(void)
{
    struct CMUnitTest tests[16];
    size_t count = 0;
    for (; count < ts_test_scene_count; count++)
        tests[count] = (struct CMUnitTest){ts_test_scenes[count].name, any_number_of_threads, NULL, NULL,
                                           (void *)&ts_test_scenes[count]};
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(contacts_in_one_order);
    return _cmocka_run_group_tests("threads", tests, count, NULL, NULL);
}
