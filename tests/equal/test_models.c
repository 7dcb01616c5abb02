/* SPDX-License-Identifier: MIT */
/* Nothing is shared behind the API: two models in two threads, and two states of one model in two threads, do what
 * each does alone. */
#include "support/check.h"

#include <pthread.h>

#include "support/scenes.h"

typedef struct job {
    const ts_test_scene *scene;
    const ts_model *model;
    ts_state *state;
    ts_workspace *work;
    ts_status status;
    ts_error error;
    uint64_t hash;
} job;

static void open_job(job *j, const ts_test_world *w, const ts_test_scene *scene)
{
    *j = (job){.scene = scene, .model = w->model};
    OK(ts_state_create(j->model, &j->state, ERROR));
    OK(ts_workspace_create(j->model, 2, &j->work, ERROR));
}

/* Steps, with looks between: everything that a simulation in a thread does. No cmocka here: this is not its thread. */
static void *run_job(void *context)
{
    job *j = context;
    for (uint64_t step = 0; step < j->scene->steps && j->status == TS_OK; step += 20) {
        ts_measures measures;
        j->status = ts_step(j->model, j->state, j->work, 20, &j->error);
        if (j->status == TS_OK)
            j->status = ts_measure(j->model, j->state, j->work, &measures, &j->error);
    }
    j->hash = ts_test_hash(j->state);
    return NULL;
}

static void close_job(job *j)
{
    ts_workspace_free(j->work);
    ts_state_free(j->state);
}

static uint64_t alone(const ts_test_world *w, const ts_test_scene *scene)
{
    job j;
    open_job(&j, w, scene);
    run_job(&j);
    close_job(&j);
    assert_int_equal(j.status, TS_OK);
    return j.hash;
}

static void compare(const ts_test_scene *first, const ts_test_scene *second)
{
    ts_test_world w[2];
    job j[2];
    const ts_test_scene *scene[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        ts_test_open_scene(&w[i], scene[i]);
        ts_test_compile(&w[i]);
        open_job(&j[i], first == second ? &w[0] : &w[i], scene[i]);
    }
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &j[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 2; i++) {
        ts_test_error = j[i].error;
        OK(j[i].status);
        assert_true(j[i].hash == alone(&w[i], scene[i]));
        close_job(&j[i]);
    }
    for (int i = 0; i < 2; i++)
        ts_test_close(&w[i]);
}

static void two_models_at_once(void **state)
{
    (void)state;
    compare(&ts_test_scenes[1], &ts_test_scenes[2]);
}

static void two_states_of_one_model_at_once(void **state)
{
    (void)state;
    compare(&ts_test_scenes[4], &ts_test_scenes[4]);
}

/* Compiling is a function of the scene: the same model, with the same hash, twice. */
static void compiling_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < ts_test_scene_count; i++) {
        ts_test_world w[2];
        for (int k = 0; k < 2; k++) {
            ts_test_open_scene(&w[k], &ts_test_scenes[i]);
            ts_test_start(&w[k], 1);
        }
        assert_true(ts_model_hash(w[0].model) == ts_model_hash(w[1].model));
        assert_true(ts_test_hash(w[0].state) == ts_test_hash(w[1].state));
        ts_test_close(&w[0]);
        ts_test_close(&w[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_models_at_once),
        cmocka_unit_test(two_states_of_one_model_at_once),
        cmocka_unit_test(compiling_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
