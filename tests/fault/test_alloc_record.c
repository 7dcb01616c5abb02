/* SPDX-License-Identifier: MIT */
/* Recording with the N-th allocation failing, for all N: an error that says so, nothing leaked, and what is on the disk
 * can still be read. */
#include "record/sample.h"

#include "record/export_csv.h"
#include "record/runfolder.h"
#include "record/trajectory.h"
#include "support/heap.h"

typedef ts_status attempt(sample *s, ts_error *error);

static ts_status record_a_run(sample *s, ts_error *error)
{
    ts_recorder *recorder;
    TS_TRY(ts_recorder_create("run", s->model, &(ts_recorder_options){.title = "t", .scene_text = "{}", .force = true},
                              &recorder, error));
    ts_status status = ts_recorder_write(recorder, s->state, s->work, error);
    if (status == TS_OK)
        status = ts_recorder_checkpoint(recorder, s->state, error);
    if (status == TS_OK)
        status = ts_recorder_finish(recorder, s->state, s->work, &(ts_run_end){.outcome = "finished"}, NULL, error);
    ts_recorder_free(recorder);
    return status;
}

static ts_status resume_a_run(sample *s, ts_error *error)
{
    ts_recorder *recorder;
    uint64_t before = ts_state_hash(s->state);
    ts_status status = ts_recorder_resume("stopped", s->model, s->state, NULL, &recorder, error);
    if (status != TS_OK) {
        assert_int_equal(ts_state_hash(s->state), before);
        return status;
    }
    ts_recorder_free(recorder);
    return TS_OK;
}

static ts_status save_and_load(sample *s, ts_error *error)
{
    TS_TRY(ts_state_save(s->model, s->state, "state", error));
    uint64_t before = ts_state_hash(s->state);
    ts_status status = ts_state_load(s->model, s->state, "state", error);
    assert_int_equal(ts_state_hash(s->state), before);
    return status;
}

static ts_status read_and_export(sample *s, ts_error *error)
{
    (void)s;
    ts_trajectory *reader;
    TS_TRY(ts_trajectory_open("stopped/trajectory.tst", &reader, error));
    FILE *sink = fopen("/dev/null", "w");
    ts_status status = ts_export_csv(reader, &(ts_export_options){.quantity = "contacts"}, sink, NULL, NULL, error);
    fclose(sink);
    ts_trajectory_close(reader);
    return status;
}

/* A header with outlines and a wall of lines. */
static ts_status read_outlines(sample *s, ts_error *error)
{
    (void)s;
    ts_trajectory *reader;
    char path[2048];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/trajectory/outlines.tst",
             getenv("SOURCE_DIR") ? getenv("SOURCE_DIR") : ".");
    TS_TRY(ts_trajectory_open(path, &reader, error));
    assert_non_null(ts_trajectory_get_header(reader)->shape[0].outline);
    ts_trajectory_close(reader);
    return TS_OK;
}

/* A run with frames, contacts and one checkpoint. */
static void make_stopped(void)
{
    sample s = sample_make((sample_options){0});
    ts_recorder *recorder;
    must(ts_recorder_create("stopped", s.model, &(ts_recorder_options){.force = true}, &recorder, e));
    for (int i = 0; i < 5; i++) {
        must(ts_recorder_write(recorder, s.state, s.work, e));
        must(ts_step(s.model, s.state, s.work, 10, e));
    }
    must(ts_recorder_checkpoint(recorder, s.state, e));
    ts_recorder_free(recorder);
    sample_free(&s);
}

static void try_all(attempt *tried, long least)
{
    make_stopped();
    long before = ts_test_heap_live();
    bool refused = true;
    for (long n = 1; refused; n++) {
        sample s = sample_make((sample_options){0});
        ts_error error = {0};
        ts_test_heap_fail_at(n);
        ts_status status = tried(&s, &error);
        refused = ts_test_heap_calls() >= n;
        ts_test_heap_fail_at(0);
        sample_free(&s);
        assert_int_equal(ts_test_heap_live(), before);
        if (status != TS_OK) {
            /* a failed write may name lack of memory as the system's reason */
            bool told = status == TS_OUT_OF_MEMORY || (status == TS_IO && strstr(error.message, "allocate memory"));
            if (!told)
                fail_msg("allocation %ld failed, and the error is: %s", n, error.message);
            assert_int_equal(error.status, status);
        }
        if (!refused) {
            assert_int_equal(status, TS_OK);
            assert_true(n > least); /* else nothing was tried */
        }
    }
}

static void recording(void **unused)
{
    (void)unused;
    try_all(record_a_run, 10);
}
static void resuming(void **unused)
{
    (void)unused;
    try_all(resume_a_run, 10);
}
static void saving_and_loading(void **unused)
{
    (void)unused;
    try_all(save_and_load, 3);
}
static void reading(void **unused)
{
    (void)unused;
    try_all(read_and_export, 6);
}
static void reading_outlines(void **unused)
{
    (void)unused;
    try_all(read_outlines, 12);
}
static void writing_json(void **unused)
{
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recording), cmocka_unit_test(resuming),         cmocka_unit_test(saving_and_loading),
        cmocka_unit_test(reading),   cmocka_unit_test(reading_outlines), cmocka_unit_test(writing_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
