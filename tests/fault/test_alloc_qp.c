/* SPDX-License-Identifier: MIT */
/* QPs with the N-th allocation failing, for all N: every method, an island for each, and one that threads share. */
#include <math.h>
#include <string.h>

#include "support/check.h"

#include "solve/qp.h"
#include "support/heap.h"

/* Three stacks of discs: 3, 60 and 3100 high. */
enum { SMALL = 3, MIDDLE = 60, LARGE = 3100, ALL = SMALL + MIDDLE + LARGE };

static int32_t a[ALL], b[ALL];
static double ga[ALL], gb[ALL], linear[ALL], y[ALL], before[ALL];
static ts_pool *pool;
static ts_qp_method method;

static ts_status solve_once(ts_error *error)
{
    ts_qp qp = {ALL, ALL, 1, a, b, ga, gb, linear, NULL, NULL};
    if (method == TS_QP_DENSE)
        qp.count = SMALL + MIDDLE;
    ts_qp_work *work;
    ts_status status = ts_qp_work_create(&work, error);
    if (status != TS_OK)
        return status;
    const bool slow = method == TS_QP_PROJECTED || method == TS_QP_CONJUGATE;
    ts_qp_options options = {.method = method, .least = true, .pool = pool, .iterations_max = slow ? 5 : 0};
    memcpy(y, before, sizeof y);
    status = ts_qp_solve(&qp, &options, work, y, NULL, error);
    if (status != TS_OK)
        assert_memory_equal(y, before, sizeof y);
    ts_qp_work_free(work);
    return status;
}

static void survives(void **state)
{
    (void)state;
    int32_t height[3] = {SMALL, MIDDLE, LARGE}, n = 0;
    for (int k = 0; k < 3; k++)
        for (int32_t i = 0; i < height[k]; i++, n++) {
            a[n] = i ? n - 1 : -1;
            b[n] = n;
            ga[n] = -1;
            gb[n] = 1;
            linear[n] = i ? 0 : -1;
            before[n] = n;
        }
    OK(ts_pool_create(2, &pool, ERROR));
    for (int m = TS_QP_AUTO; m < TS_QP_METHODS; m++) {
        method = (ts_qp_method)m;
        OK(solve_once(ERROR));
        long live = ts_test_heap_live();
        bool done = false;
        for (long count = 1; !done; count++) {
            ts_error error;
            assert_true(count < 1000);
            ts_test_heap_fail_at(count);
            ts_status status = solve_once(&error);
            done = ts_test_heap_calls() < count; /* it never came to the n-th */
            ts_test_heap_fail_at(0);
            if (status != (done ? TS_OK : TS_OUT_OF_MEMORY))
                fail_msg("method %d, allocation %ld: %s: %s", m, count, ts_status_name(status), error.message);
            if (ts_test_heap_live() != live)
                fail_msg("method %d, allocation %ld: %ld blocks leaked", m, count, ts_test_heap_live() - live);
        }
    }
    ts_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
