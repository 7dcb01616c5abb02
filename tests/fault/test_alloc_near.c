/* SPDX-License-Identifier: MIT */
/* The N-th allocation of a search for near boxes fails, for all N: there are no pairs then, and the same search finds
 * them all once there is memory. A second search takes none. */
#include <math.h>

#include "support/check.h"

#include "base/random.h"
#include "contact/near.h"
#include "support/heap.h"

#define COUNT 400

static void fill(ts_box3 box[COUNT])
{
    ts_random r = ts_random_make(1, 1);
    for (size_t i = 0; i < COUNT; i++) {
        double size = i % 50 == 0 ? 0.5 : 0.05;
        double x = ts_random_next_uniform(&r), y = ts_random_next_uniform(&r), z = ts_random_next_uniform(&r);
        box[i] = (ts_box3){{x, y, z}, {x + size, y + size, z + size}};
    }
    box[7].high.z = (double)INFINITY;
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    ts_box3 box[COUNT];
    fill(box);
    const ts_near_query query = {.box = box, .count = COUNT};
    ts_near near = {0};
    ts_test_heap_fail_at(0);
    OK(ts_near_find(&near, &query, ERROR));
    const long calls = ts_test_heap_calls();
    const size_t pairs = near.pair_count;
    assert_true(calls > 5 && pairs > COUNT / 2);

    ts_test_heap_fail_at(0);
    OK(ts_near_find(&near, &query, ERROR));
    assert_int_equal(ts_test_heap_calls(), 0);
    ts_near_free(&near);

    const long live = ts_test_heap_live();
    for (long n = 1; n <= calls; n++) {
        ts_test_heap_fail_at(n);
        assert_int_equal(ts_near_find(&near, &query, ERROR), TS_OUT_OF_MEMORY);
        assert_int_equal(near.pair_count, 0);
        ts_test_heap_fail_at(0);
        OK(ts_near_find(&near, &query, ERROR));
        assert_int_equal(near.pair_count, pairs);
        ts_near_free(&near);
        assert_int_equal(ts_test_heap_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
