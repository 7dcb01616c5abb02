/* SPDX-License-Identifier: MIT */
/* The N-th allocation fails, for all N, while clusters of vertices and edges are made and contacts are found:
 * TS_OUT_OF_MEMORY, no output, every byte back. */
#include "contact/touch.h"
#include "shape/mesh_make.h"
#include "support/check.h"
#include "support/heap.h"

static ts_mesh *ball;

static ts_status clusters(ts_error *error)
{
    ts_mesh_clusters *made = NULL;
    ts_status status = ts_mesh_clusters_create(ball, &made, error);
    assert_true((status == TS_OK) == (made != NULL));
    ts_mesh_clusters_free(made);
    return status;
}

static ts_status edges(ts_error *error)
{
    ts_mesh_edges *made = NULL;
    ts_status status = ts_mesh_edges_create(ball, &made, error);
    assert_true((status == TS_OK) == (made != NULL));
    ts_mesh_edges_free(made);
    return status;
}

/* Enough contacts for the array to grow several times. */
static ts_status contacts(ts_error *error)
{
    ts_solid mesh = {.kind = TS_SOLID_MESH, .mesh = ball}, plane = {.kind = TS_SOLID_PLANE};
    ts_solid box = {.kind = TS_SOLID_BOX, .half = {1, 1, 1}}, drum = {TS_SOLID_CYLINDER, .radius = 1, .half_length = 1};
    ts_placed_solid at = {&plane, ts_pose3_identity()}, up = {&box, {{0, 0, 1.9}, {1, 0, 0, 0}}};
    ts_touch_array found = {0};
    ts_status status = ts_touch_find(at, (ts_placed_solid){&mesh, ts_pose3_identity()}, 2, &found, error);
    if (status == TS_OK)
        status = ts_touch_find((ts_placed_solid){&drum, ts_pose3_identity()}, up, 2, &found, error);
    if (status == TS_OK)
        status = ts_touch_find((ts_placed_solid){&box, ts_pose3_identity()}, up, 2, &found, error);
    ts_array_free(&found);
    return status;
}

static void every_allocation(void **state)
{
    (void)state;
    static ts_status (*const make[])(ts_error *) = {clusters, edges, contacts};
    for (size_t i = 0; i < sizeof make / sizeof *make; i++) {
        ts_test_heap_fail_at(0);
        OK(make[i](ERROR));
        long calls = ts_test_heap_calls(), before = ts_test_heap_live();
        assert_true(calls >= 3);
        for (long n = 1; n <= calls; n++) {
            ts_test_heap_fail_at(n);
            ts_status status = make[i](ERROR);
            ts_test_heap_fail_at(0);
            assert_int_equal(status, TS_OUT_OF_MEMORY);
            assert_int_equal(ts_test_heap_live(), before);
        }
    }
}

static int setup(void **state)
{
    (void)state;
    return ts_mesh_make_uv_sphere(1, 16, 16, &ball, ERROR) == TS_OK ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    ts_mesh_free(ball);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
