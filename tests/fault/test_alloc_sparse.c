/* SPDX-License-Identifier: MIT */
/* A sparse factorisation of blocks with the N-th allocation failing, for all N. */
#include "support/check.h"

#include "solve/sparse.h"
#include "support/heap.h"

enum { COUNT = 60 };

static ts_status solve_once(ts_pool *pool, ts_error *error)
{
    int32_t size[COUNT], pair[COUNT][2];
    double x[4 * COUNT];
    ts_blocks m = {0};
    ts_sparse *sparse = NULL;
    for (int32_t i = 0; i < COUNT; i++) {
        size[i] = 1 + i % 4;
        pair[i][0] = i;
        pair[i][1] = i > 0 ? i - 1 : i;
    }
    for (size_t i = 0; i < 4 * COUNT; i++)
        x[i] = 1;
    ts_status status = ts_blocks_create(&m, COUNT, size, COUNT, (const int32_t(*)[2])pair, error);
    for (int32_t i = 0; status == TS_OK && i < COUNT; i++)
        for (int32_t k = 0; k < size[i]; k++)
            ts_blocks_find(&m, i, i)[k * size[i] + k] = 1;
    if (status == TS_OK)
        status = ts_sparse_create_blocks(&m, pool, &sparse, error);
    if (status == TS_OK)
        status = ts_sparse_factor_blocks(sparse, &m, error);
    if (status == TS_OK)
        ts_sparse_solve(sparse, x);
    ts_sparse_free(sparse);
    ts_blocks_free(&m);
    return status;
}

static void survives(void **state)
{
    (void)state;
    ts_pool *pool;
    OK(ts_pool_create(2, &pool, ERROR));
    OK(solve_once(pool, ERROR));
    const long live = ts_test_heap_live();
    bool done = false;
    for (long count = 1; !done; count++) {
        ts_error error;
        assert_true(count < 1000);
        ts_test_heap_fail_at(count);
        ts_status status = solve_once(pool, &error);
        done = ts_test_heap_calls() < count; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
            fail_msg("allocation %ld: %s: %s", count, ts_status_name(status), error.message);
        assert_int_equal(ts_test_heap_live(), live);
    }
    ts_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
