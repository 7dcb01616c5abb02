/* SPDX-License-Identifier: MIT */
/* The N-th allocation fails, for all N, while hulls and meshes are made: TS_OUT_OF_MEMORY, no output, every byte back.
 * */
#include <math.h>

#include "shape/hull.h"
#include "shape/mesh_make.h"
#include "support/check.h"
#include "support/heap.h"

static ts_status hull(ts_error *error)
{
    ts_vec3 point[40];
    for (int i = 0; i < 40; i++)
        point[i] = (ts_vec3){cos(i), sin(i), 0.1 * i};
    ts_hull *made = NULL;
    ts_status status =
        TS_WITH_QHULL ? ts_hull_create(point, 40, &made, error) : ts_hull_box((ts_vec3){1, 2, 3}, &made, error);
    assert_true((status == TS_OK) == (made != NULL));
    ts_hull_free(made);
    return status;
}

/* What made a mesh is well only if it is there, and gone when not. */
static ts_status end(ts_status status, ts_mesh *made)
{
    assert_true((status == TS_OK) == (made != NULL));
    ts_mesh_free(made);
    return status;
}

static ts_status trefoil(ts_error *error)
{
    ts_mesh *made = NULL;
    ts_status status = ts_mesh_make_trefoil(1, 0.1, 24, 3, &made, error);
    return end(status, made);
}

static ts_status sphere(ts_error *error)
{
    ts_mesh *made = NULL;
    ts_status status = ts_mesh_make_uv_sphere(1, 4, 4, &made, error);
    return end(status, made);
}

static ts_status doll(ts_error *error)
{
    ts_mesh *made = NULL;
    const ts_doll def = {.height = 1, .cells = 4, .sectors = 3};
    ts_status status = ts_mesh_make_doll(&def, 1, true, &made, error);
    return end(status, made);
}

static ts_status teapot(ts_error *error)
{
    ts_mesh *made = NULL;
    ts_status status = ts_mesh_make_teapot(1, 32, &made, error);
    return end(status, made);
}

static void every_allocation(void **state)
{
    (void)state;
    ts_status (*const life[])(ts_error *) = {hull, trefoil, sphere, doll, teapot};
    for (size_t k = 0; k < sizeof life / sizeof *life; k++) {
        long before = ts_test_heap_live();
        ts_test_heap_fail_at(0);
        OK(life[k](ERROR));
        long calls = ts_test_heap_calls();
        assert_true(calls > 1);
        for (long n = 1; n <= calls; n += life[k] == teapot && n > 3 ? 7 : 1) { /* the teapot takes its time */
            ts_test_heap_fail_at(n);
            ts_status status = life[k](ERROR);
            ts_test_heap_fail_at(0);
            assert_int_equal(status, TS_OUT_OF_MEMORY);
            assert_int_equal(ERROR->status, TS_OUT_OF_MEMORY);
            assert_int_equal(ts_test_heap_live(), before);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
