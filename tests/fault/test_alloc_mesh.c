/* SPDX-License-Identifier: MIT */
/* Trees and distance fields of meshes with the N-th allocation failing, for all N: an error that says so, nothing
 * handed out, nothing leaked. */
#include <string.h>

#include "support/check.h"

#include "base/file.h"
#include "base/memory.h"
#include "shape/closed_meshes.h"
#include "shape/mesh_field.h"
#include "shape/mesh_tree.h"
#include "support/heap.h"

static const ts_field_wish small = {.cells = 4};
static ts_mesh *mesh;
static unsigned char *bytes;
static size_t size;

typedef ts_status attempt(ts_error *error);

static ts_status plant(ts_error *error)
{
    ts_mesh_tree *tree;
    ts_status status = ts_mesh_tree_create(mesh, &tree, error);
    assert_true((status == TS_OK) == (tree != NULL));
    ts_mesh_tree_free(tree);
    return status;
}

static ts_status finish(ts_status status, ts_mesh_field *field)
{
    assert_true((status == TS_OK) == (field != NULL));
    ts_mesh_field_free(field);
    return status;
}

static ts_status create(ts_error *error)
{
    ts_mesh_field *field;
    ts_status status = ts_mesh_field_create(mesh, &small, NULL, &field, error);
    return finish(status, field);
}

static ts_status decode(ts_error *error)
{
    ts_mesh_field *field;
    ts_status status = ts_mesh_field_decode(bytes, size, "it", &field, error);
    return finish(status, field);
}

/* It is there: want of memory is no reason to make it anew. */
static ts_status find(ts_error *error)
{
    ts_mesh_field *field;
    ts_status status = ts_mesh_field_obtain(mesh, &small, NULL, "cache", &field, error);
    return finish(status, field);
}

static void survives(attempt *try)
{
    OK(try(ERROR));
    long before = ts_test_heap_live(), n = 1;
    for (bool done = false; !done; n++) {
        assert_true(n < 1000);
        ts_test_heap_fail_at(n);
        ts_status status = try(ERROR);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        assert_int_equal(status, done ? TS_OK : TS_OUT_OF_MEMORY);
        assert_int_equal(ts_test_heap_live(), before);
    }
    assert_true(n > 2);
}

static void without_memory(void **state)
{
    (void)state;
    attempt *const each[] = {plant, create, decode, find};
    for (size_t i = 0; i < COUNT(each); i++)
        survives(each[i]);
}

int main(void)
{
    mesh = box_mesh((ts_vec3){0, 0, 0}, (ts_vec3){1, 2, 3});
    ts_mesh_field *field;
    if (ts_mesh_field_obtain(mesh, &small, NULL, "cache", &field, NULL) != TS_OK ||
        ts_mesh_field_encode(field, &bytes, &size, NULL) != TS_OK)
        return 1;
    ts_mesh_field_free(field);
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_memory)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ts_free(bytes);
    ts_mesh_free(mesh);
    return failed;
}
