/* SPDX-License-Identifier: MIT */
/* Measuring with the N-th allocation failing, for all N: an error that says so, and nothing leaked. */
#include "support/check.h"
#include "support/heap.h"
#include "support/world.h"

#include "measure/columns.h"

static ts_test_world world;
static ts_outline *ring, *box;
static ts_snapshot now;

static int start(void **unused)
{
    (void)unused;
    ts_test_open(&world, -9.81);
    ts_test_box(world.scene, 1);
    int32_t disc = ts_test_disc(world.scene, 0.1), triad = ts_test_triad(world.scene, 0.05);
    for (int i = 0; i < 5; i++) {
        ts_test_body(world.scene, disc, 0.1 + 0.199 * i, 0.0999);
        ts_test_body(world.scene, triad, 0.1 + 0.19 * i, 0.5);
    }
    ts_test_start(&world, 1);
    OK(ts_snapshot_take(world.model, world.state, world.work, &now, ERROR));
    assert_true(now.contact_count > 3);
    OK(ts_outline_ring(1, 0.5, &ring, ERROR));
    OK(ts_outline_box(1, 0.5, 0.1, &box, ERROR));
    return 0;
}

static int finish(void **unused)
{
    (void)unused;
    ts_snapshot_free(&now);
    ts_outline_free(ring);
    ts_outline_free(box);
    ts_test_close(&world);
    return 0;
}

typedef ts_status attempt(int number, ts_error *error);

static ts_status measure_all(int number, ts_error *error)
{
    (void)number;
    double value[TS_MEASURE_COLUMNS_MAX];
    return ts_measure_row(&now, NULL, &(ts_measure_options){0}, TS_MEASURE_ALL, value, error);
}

static ts_status make_profile(int number, ts_error *error)
{
    ts_profile profile;
    ts_region region = {0, 0, 1, 0.3, 0, 0};
    ts_status status =
        ts_profile_make(&now, (ts_profile_kind)number, &(ts_measure_options){.region = &region}, &profile, error);
    if (status == TS_OK)
        ts_profile_free(&profile);
    return status;
}

static ts_status take(int number, ts_error *error)
{
    (void)number;
    ts_snapshot fresh = {0};
    ts_status status = ts_snapshot_take(world.model, world.state, world.work, &fresh, error);
    ts_snapshot_free(&fresh);
    return status;
}

/* Chords of lines, arcs and discs; cells of a search; a line that grains cross. */
static ts_status find_overlap(int number, ts_error *error)
{
    (void)number;
    ts_overlap out;
    const ts_outline_pose a = {0, 0, 0, 1}, b = {0.6, 0.3, 0.5, 1};
    return ts_outline_overlap(ring, &a, box, &b, &out, error);
}

static ts_status count_passages(int number, ts_error *error)
{
    (void)number;
    ts_snapshot before = now;
    ts_passages passages = {0};
    ts_snapshot_body body[16];
    assert_true(now.body_count <= 16);
    before.body = body;
    before.time = now.time - 1;
    for (size_t i = 0; i < now.body_count; i++) {
        body[i] = now.body[i];
        body[i].position[1] += 1;
    }
    ts_status status = ts_passages_add(&passages, &before, &now, (double[2]){-9, 1}, (double[2]){9, 1}, error);
    assert_true(status != TS_OK || passages.count > 5);
    ts_passages_free(&passages);
    return status;
}

static void fail_at_each(attempt *work, int number)
{
    ts_error error = {0};
    long live = ts_test_heap_live(), failures = 0;
    for (long n = 1;; n++) {
        ts_test_heap_fail_at(n);
        ts_status status = work(number, &error);
        bool reached = ts_test_heap_calls() >= n;
        ts_test_heap_fail_at(0);
        assert_int_equal(ts_test_heap_live(), live);
        if (!reached) {
            assert_int_equal(status, TS_OK);
            break;
        }
        assert_int_equal(status, TS_OUT_OF_MEMORY);
        assert_int_equal(error.status, TS_OUT_OF_MEMORY);
        failures++;
    }
    assert_true(failures > 0);
}

static void every_measure(void **unused)
{
    (void)unused;
    fail_at_each(measure_all, 0);
}

static void every_profile(void **unused)
{
    (void)unused;
    for (int i = 0; i < TS_PROFILE_COUNT; i++)
        fail_at_each(make_profile, i);
}

static void overlaps_and_passages(void **unused)
{
    (void)unused;
    fail_at_each(find_overlap, 0);
    fail_at_each(count_passages, 0);
}

static void a_snapshot(void **unused)
{
    (void)unused;
    fail_at_each(take, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_measure),
        cmocka_unit_test(every_profile),
        cmocka_unit_test(overlaps_and_passages),
        cmocka_unit_test(a_snapshot),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
