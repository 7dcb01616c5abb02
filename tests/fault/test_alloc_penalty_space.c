/* SPDX-License-Identifier: MIT */
/* The penalty law in space and the heap: a steady step calls it not once, and a step whose N-th allocation fails, for
 * all N, can be tried again and leads to the same bits. */
#include "support/check.h"

#include "support/heap.h"
#include "support/world3.h"
#include "workspace.h"

/* Balls and boxes over a floor. */
static void open_heap(ts_test_world *w, double speed)
{
    ts_test_space(w, -9.81);
    ts_test_penalty3(w->scene, 1e5, 0.3, 0.5, 0);
    ts_test_floor(w->scene);
    const int32_t solid[] = {ts_test_ball(w->scene, 0.05), ts_test_block(w->scene, 0.1, 0.08, 0.06)};
    ts_test_fill3(w->scene, (double[3]){0, 0, 0}, (double[3]){0.5, 0.5, 0.8}, 40, solid, 2, speed);
    ts_test_compile(w);
}

static void steady_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        ts_test_world w = {0};
        open_heap(&w, 0.2);
        OK(ts_state_create(w.model, &w.state, ERROR));
        OK(ts_workspace_create(w.model, threads, &w.work, ERROR));
        ts_test_step(&w, 30000);
        int steady = 0;
        for (int i = 0; i < 1000 && steady < 100; i++) {
            const uint64_t lists = w.work->rebuild_count, contacts = w.work->contact_sum;
            ts_test_heap_fail_at(0);
            ts_test_step(&w, 1);
            if (w.work->rebuild_count != lists)
                continue;
            assert_int_equal(ts_test_heap_calls(), 0);
            assert_true(w.work->contact_sum > contacts + 20);
            steady++;
        }
        assert_int_equal(steady, 100);
        ts_test_close(&w);
    }
}

enum { CALLS = 100 }; /* of 20 steps */

static ts_model *model;
static uint64_t right; /* hash of the run that never failed */

/* A step that failed is tried again, until the run has gone as far as one that never failed. */
static ts_status attempt(ts_error *error)
{
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    const ts_contact *contact;
    size_t count;
    ts_status status = ts_state_create(model, &state, error), tried = TS_OK;
    if (status == TS_OK)
        status = ts_workspace_create(model, 1, &work, error);
    for (int i = 0; status == TS_OK && i < CALLS;) {
        const ts_status now = ts_step(model, state, work, 20, error);
        assert_true(now == TS_OK || now == TS_OUT_OF_MEMORY);
        tried = now != TS_OK ? now : tried;
        if (now != TS_OK) /* to the next whole twenty: calls may end anywhere */
            for (tried = now; ts_state_steps(state) % 20 != 0;)
                OK(ts_step(model, state, work, 1, ERROR));
        i = (int)(ts_state_steps(state) / 20);
    }
    if (status == TS_OK) {
        status = ts_find_contacts(model, state, work, &contact, &count, error);
        assert_true(status != TS_OK || (count > 0 && work->contact_sum > 500));
        const uint64_t hash = ts_state_hash(state);
        assert_true(right == 0 || (ts_state_steps(state) == 20 * CALLS && hash == right));
        right = hash;
    }
    ts_workspace_free(work);
    ts_state_free(state);
    return tried != TS_OK ? tried : status;
}

static void failures_are_survived(void **state)
{
    (void)state;
    ts_test_world w = {0};
    open_heap(&w, 3); /* they meet at once */
    model = w.model;
    OK(attempt(ERROR));
    const long before = ts_test_heap_live();
    bool done = false;
    for (long n = 1; !done; n++) {
        ts_error error;
        ts_test_heap_fail_at(n);
        const ts_status status = attempt(&error);
        done = ts_test_heap_calls() < n;
        ts_test_heap_fail_at(0);
        assert_true(status == TS_OUT_OF_MEMORY || status == TS_OK);
        assert_int_equal(ts_test_heap_live(), before);
        assert_true(n < 1000);
    }
    ts_test_close(&w);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(steady_steps_allocate_nothing),
        cmocka_unit_test(failures_are_survived),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
