/* SPDX-License-Identifier: MIT */
/* Soft-step and the heap, in the plane and in space: a step whose N-th allocation fails, for all N, says so, leaves
 * bodies as they were and leaks nothing, and the next one goes on. In space it leads to the same bits; in the plane a
 * step that fails after it has found places may leave other impulses for the next one to begin with. */
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "state.h"
#include "support/heap.h"
#include "support/soft.h"
#include "workspace.h"

enum { STEPS = 96 };

typedef struct trial {
    const ts_model *model;
    void *before;   /* bodies before a step */
    uint64_t right; /* hash of the run that never failed; 0: it is to come */
} trial;

static size_t bytes_of(const ts_model *model)
{
    return model->body_count * (model->dimension == 2 ? sizeof(ts_body) : sizeof(ts_body3));
}

static const void *bodies_of(const ts_state *state)
{
    return state->body3 ? (const void *)state->body3 : state->body;
}

/* A step that failed is made again. */
static ts_status run(const trial *t, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_status failed = TS_OK;
    for (int i = 0; i < STEPS; i++) {
        memcpy(t->before, bodies_of(state), bytes_of(t->model));
        const ts_status status = ts_step(t->model, state, work, 1, error);
        if (status == TS_OK)
            continue;
        assert_int_equal(status, TS_OUT_OF_MEMORY);
        assert_memory_equal(bodies_of(state), t->before, bytes_of(t->model));
        OK(ts_step(t->model, state, work, 1, ERROR));
        failed = status;
    }
    return failed;
}

static ts_status attempt(trial *t, ts_error *error)
{
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    const ts_contact *contact;
    size_t count;
    ts_status status = ts_state_create(t->model, &state, error);
    if (status == TS_OK)
        status = ts_workspace_create(t->model, 1, &work, error);
    if (status == TS_OK) {
        status = run(t, state, work, error);
        const uint64_t hash = ts_test_hash(state);
        const ts_status looked = ts_find_contacts(t->model, state, work, &contact, &count, error);
        assert_true(looked == TS_OUT_OF_MEMORY || count > 10);
        assert_true(ts_test_hash(state) == hash);
        assert_true(work->contact_sum > 500);
        if (t->right == 0)
            t->right = hash;
        assert_true(hash == t->right || (status != TS_OK && t->model->dimension == 2));
        status = status == TS_OK ? looked : status;
    }
    ts_workspace_free(work);
    ts_state_free(state);
    return status;
}

static void survive(bool space)
{
    ts_test_world w;
    ts_test_soft_heap(&w, space, ", \"sleeping\": true");
    trial t = {.model = w.model, .before = malloc(bytes_of(w.model))};
    assert_non_null(t.before);
    OK(attempt(&t, ERROR));
    const long before = ts_test_heap_live();
    long failures = 0;
    for (bool done = false; !done; failures += !done) {
        ts_error error;
        ts_test_heap_fail_at(failures + 1);
        const ts_status status = attempt(&t, &error);
        done = ts_test_heap_calls() <= failures;
        ts_test_heap_fail_at(0);
        assert_int_equal(status, done ? TS_OK : TS_OUT_OF_MEMORY);
        assert_int_equal(ts_test_heap_live(), before);
    }
    assert_true(failures > 50);
    free(t.before);
    ts_test_close(&w);
}

static void failures_in_the_plane(void **state)
{
    (void)state;
    survive(false);
}

static void failures_in_space(void **state)
{
    (void)state;
    survive(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(failures_in_the_plane), cmocka_unit_test(failures_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
