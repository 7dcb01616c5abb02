/* SPDX-License-Identifier: MIT */
/* The N-th allocation fails, for all N, while an outline is mended: the caller gets TS_OUT_OF_MEMORY and every byte
 * back. */
#include "support/check.h"

#include "shape/repair.h"
#include "support/heap.h"

/* An open contour that crosses itself, another that overlaps it, a speck, an arc of more than a half circle. */
static const ts_vertex one[] = {{2, 2, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 0}};
static const ts_vertex two[] = {{1, 1, 1}, {3, 1, 1}};
static const ts_vertex three[] = {{5, 5, 0}, {5 + 1e-8, 5, 0}, {5, 5 + 1e-8, 0}};
static const ts_vertex four[] = {{6, 0, 2}, {7, 0, 0}};
static const ts_contour drawing[] = {{one, 4, true}, {two, 2, false}, {three, 3, false}, {four, 2, false}};

/* So many that rays are prepared for: boxes in a row, four vertices each. */
enum { MANY = 240 };
static ts_vertex row_vertex[4 * MANY];
static ts_contour row[MANY];

static void draw_row(void)
{
    for (int i = 0; i < MANY; i++) {
        ts_vertex *v = &row_vertex[4 * i];
        v[0] = (ts_vertex){2 * i, 0, 0};
        v[1] = (ts_vertex){2 * i + 1, 0, 0};
        v[2] = (ts_vertex){2 * i + 1, 1, 0};
        v[3] = (ts_vertex){2 * i, 1, 0};
        row[i] = (ts_contour){v, 4, false};
    }
}

static void fail_each(const ts_contour *contour, size_t count)
{
    long before = ts_test_heap_live();
    for (long n = 1;; n++) {
        ts_repaired r = {0};
        ts_test_heap_fail_at(n);
        ts_status status = ts_repair(contour, count, TS_RULE_NONZERO, &r, ERROR);
        ts_test_heap_fail_at(0);
        if (status == TS_OK) {
            assert_true(n > 10);
            ts_repaired_free(&r);
            assert_int_equal(ts_test_heap_live(), before);
            return;
        }
        assert_int_equal(status, TS_OUT_OF_MEMORY);
        assert_null(r.vertex.item);
        assert_int_equal(ts_test_heap_live(), before);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    fail_each(drawing, sizeof drawing / sizeof *drawing);
    draw_row();
    fail_each(row, MANY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
