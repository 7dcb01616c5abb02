/* SPDX-License-Identifier: MIT */
/* A fit of superquadrics with the N-th allocation failing: an error that says so, nothing handed out, nothing leaked. */
#include <string.h>

#include "support/check.h"

#include "shape/closed_meshes.h"
#include "shape/superquadric_fit.h"
#include "support/heap.h"

/* The first ones each, then one in so many: what comes later repeats what came before, with other numbers. */
enum { EACH = 60, STRIDE = 17 };

static ts_status attempt(const ts_mesh *mesh, ts_error *error)
{
    ts_sdf *sdf;
    const ts_status status = ts_superquadric_fit(mesh, &(ts_fit_wish){.count = 1, .cells = 16}, &sdf, error);
    assert_true((status == TS_OK) == (sdf != NULL));
    ts_fit_errors errors;
    const ts_fit_measure how = {.cells = 12, .points = 50, .thrown = 50};
    const ts_status after = status == TS_OK ? ts_fit_measure_errors(mesh, sdf, &how, &errors, error) : status;
    ts_sdf_free(sdf);
    return after;
}

static void survives(void **state)
{
    (void)state;
    ts_mesh *closed = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
    for (int open = 0; open < 2; open++) {
        closed->triangle_count -= (size_t)open;
        OK(attempt(closed, ERROR));
        const long before = ts_test_heap_live();
        long n = 1;
        for (bool done = false; !done; n += n < EACH ? 1 : STRIDE) {
            ts_test_heap_fail_at(n);
            const ts_status status = attempt(closed, ERROR);
            done = ts_test_heap_calls() < n; /* it never came to the n-th */
            ts_test_heap_fail_at(0);
            assert_int_equal(status, done ? TS_OK : TS_OUT_OF_MEMORY);
            assert_int_equal(ts_test_heap_live(), before);
        }
        assert_true(n > EACH);
    }
    ts_mesh_free(closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
