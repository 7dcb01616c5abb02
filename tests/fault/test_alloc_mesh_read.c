/* SPDX-License-Identifier: MIT */
/* The N-th allocation fails, for all N, while a mesh is read and mended: the caller gets TS_OUT_OF_MEMORY and every
 * byte back. */
#include <string.h>

#include "support/check.h"

#include "shape/mesh_read.h"
#include "support/heap.h"

/* A box with an arrow, not convex, as its base, doubled vertices, and a hollow tetrahedron in it. */
static const char obj[] =
    "v 0 0 0\nv 4 -3 0\nv 1 0 0\nv 4 3 0\nv 0 0 2\nv 4 -3 2\nv 1 0 2\nv 4 3 2\n"
    "v 0 0 0\nv 4 -3 0\nv 1 0 2\n"
    "f 4 3 2 1\nf 5 6 11 8\nf 9 10 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
    "v 0.5 0 1\nv 0.6 0 1\nv 0.5 0.1 1\nv 0.5 0 1.1\nf 12 14 13\nf 12 13 15\nf 13 14 15\nf 14 12 15\n";
static const char ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0 1 0 0 0 1 0 0 0 1 3 0 2 1 3 0 1 3 3 1 2 3 3 2 0 3\n";

static void fail_each(const char *text)
{
    long before = ts_test_heap_live();
    for (long n = 1;; n++) {
        ts_mesh *mesh;
        ts_mesh_report report;
        ts_test_heap_fail_at(n);
        ts_status status = ts_mesh_read(text, strlen(text), TS_MESH_AUTO, "test", &report, &mesh, ERROR);
        ts_test_heap_fail_at(0);
        if (status == TS_OK) {
            assert_true(n > 20);
            ts_mesh_free(mesh);
            assert_int_equal(ts_test_heap_live(), before);
            return;
        }
        assert_int_equal(status, TS_OUT_OF_MEMORY);
        assert_null(mesh);
        assert_int_equal(ts_test_heap_live(), before);
    }
}

static void every_allocation(void **state)
{
    (void)state;
    fail_each(obj);
    fail_each(ply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
