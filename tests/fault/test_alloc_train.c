/* SPDX-License-Identifier: MIT */
/* Training with the N-th allocation failing, for all N: an error that says so, nothing handed out, nothing leaked. */
#include "support/check.h"

#include "cspace/train.h"
#include "support/heap.h"

static ts_status train(const ts_exact *exact, const ts_pair *pair, ts_error *error)
{
    ts_fold fold = ts_fold_make(pair, true);
    ts_map_options options = {
        .depth = 1, .width = 4, .samples = 1000, .seconds = 0.001}; /* a limit: both ways to samples */
    ts_network n = {.frequency = 12345};
    ts_status status = ts_network_train(exact, pair, &fold, &options, NULL, &n, error);
    if (status == TS_OK)
        ts_network_free(&n);
    else
        assert_int_equal(n.frequency, 12345);
    return status;
}

static void training(void **state)
{
    (void)state;
    ts_outline *disc;
    ts_pair *pair;
    ts_exact *exact;
    OK(ts_outline_disc(1, &disc, ERROR));
    OK(ts_pair_create(disc, disc, &pair, ERROR));
    OK(ts_exact_create(pair, &exact, ERROR));
    ts_outline_free(disc);
    OK(train(exact, pair, ERROR));
    long before = ts_test_heap_live(), n = 1;
    for (bool done = false; !done; n++) {
        ts_error error = {0};
        ts_test_heap_fail_at(n);
        ts_status status = train(exact, pair, &error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        assert_int_equal(status, done ? TS_OK : TS_OUT_OF_MEMORY);
        assert_true(done || error.message[0] != 0);
        assert_int_equal(ts_test_heap_live(), before);
    }
    assert_true(n > 8); /* samples, rows, two networks with their packing, and what fits them */
    ts_exact_free(exact);
    ts_pair_free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(training)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
