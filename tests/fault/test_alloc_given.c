/* SPDX-License-Identifier: MIT */
/* A scene that brings a map along, read and compiled with the N-th allocation failing, for all N: an error that says
 * so, or the model that it always is; nothing leaked. And a scene whose map is of other shapes: that sentence, or want
 * of memory. */
#include <string.h>

#include "support/check.h"

#include "base/file.h"
#include "cspace/map.h"
#include "support/heap.h"
#include "touchstone/touchstone.h"

#define SCENE(box)                                                                     \
    "{\"touchstone\": 1, \"map\": {\"files\": [\"a.tsmap\"]}, \"time_step\": 1e-5,\n"  \
    "\"shapes\": {\"a\": {\"kind\": \"box\", \"width\": 0.2, \"height\": " box "}},\n" \
    "\"bodies\": [{\"shape\": \"a\", \"position\": [0, 0]}, {\"shape\": \"a\", \"position\": [1, 0]}]}"

static void write_map(void)
{
    ts_outline *box;
    ts_pair *pair;
    ts_exact *exact;
    ts_table *table;
    ts_map *map;
    OK(ts_outline_box(2, 1, 0, &box, ERROR));
    OK(ts_pair_create(box, box, &pair, ERROR));
    ts_outline_free(box);
    OK(ts_exact_create(pair, &exact, ERROR));
    ts_fold fold = ts_map_fold(TS_MAP_TABLE, pair, true);
    OK(ts_table_create(exact, pair, &fold, &(ts_table_form){.spacing = 0.3, .turn = 0.5, .bits = 8}, NULL, NULL, NULL,
                       &table, ERROR));
    ts_exact_free(exact);
    OK(ts_map_assemble(pair, &(ts_map_options){.kind = TS_MAP_TABLE}, NULL, table, &map, ERROR));
    OK(ts_map_write(map, "a.tsmap", ERROR));
    ts_map_free(map);
}

static ts_status load(const char *path, uint64_t *hash, ts_error *error)
{
    ts_scene *scene;
    ts_model *model;
    ts_status status = ts_scene_load(path, NULL, &scene, error);
    if (status != TS_OK)
        return status;
    status = ts_model_compile(scene, &model, error);
    if (status == TS_OK) {
        *hash = ts_model_hash(model);
        ts_model_free(model);
    }
    ts_scene_free(scene);
    return status;
}

static void survives(const char *path, const char *text, ts_status wanted)
{
    uint64_t right = 1, hash;
    OK(ts_file_write(path, text, strlen(text), ERROR));
    assert_int_equal(load(path, &right, ERROR), wanted);
    long before = ts_test_heap_live(), failed = 0;
    bool done = false;
    for (long n = 1; !done; n++) {
        ts_error error = {0};
        assert_true(n < 5000);
        hash = right;
        ts_test_heap_fail_at(n);
        ts_status status = load(path, &hash, &error);
        done = ts_test_heap_calls() < n; /* it never came to the n-th */
        ts_test_heap_fail_at(0);
        failed += status == TS_OUT_OF_MEMORY;
        if (status != TS_OUT_OF_MEMORY && !(status == wanted && hash == right))
            fail_msg("allocation %ld: %s: %s", n, ts_status_name(status), error.message);
        assert_true(status == TS_OK || error.message[0] != 0);
        if (ts_test_heap_live() != before)
            fail_msg("allocation %ld: %ld blocks leaked", n, ts_test_heap_live() - before);
    }
    assert_true(failed > 50);
}

static void maps_of_the_scene(void **state)
{
    (void)state;
    write_map();
    survives("good.json", SCENE("0.1"), TS_OK);
}

static void maps_of_other_shapes(void **state)
{
    (void)state;
    survives("bad.json", SCENE("0.15"), TS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_of_the_scene), cmocka_unit_test(maps_of_other_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
