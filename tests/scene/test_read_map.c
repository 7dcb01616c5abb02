/* SPDX-License-Identifier: MIT */
/* The key "map": every value arrives, what is wrong is told with its place, and a result depends on it exactly when
 * there are outlines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "touchstone/sim.h"

static ts_error error;

static ts_status parse(const char *map, const char *shape, ts_scene **scene)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "{\"touchstone\": 1, %s\n \"shapes\": {\"a\": %s},\n \"bodies\": [{\"shape\": \"a\", \"position\": [0, 0]}]}",
        map, shape);
    return ts_scene_parse(text, strlen(text), "scene", NULL, scene, &error);
}

#define BOX  "{\"kind\": \"box\", \"width\": 1, \"height\": 1}"
#define DISC "{\"kind\": \"disc\", \"radius\": 1}"

static ts_map_options options_of(const char *map)
{
    ts_scene *scene;
    assert_int_equal(parse(map, BOX, &scene), TS_OK);
    ts_map_options options = ts_scene_map(scene);
    ts_scene_free(scene);
    return options;
}

static void test_values(void **state)
{
    (void)state;
    ts_map_options none = options_of("");
    assert_int_equal(none.kind, TS_MAP_AUTO);
    assert_true(none.error == 0 && none.bytes == 0 && !none.no_folding);
    ts_map_options o =
        options_of("\"map\": {\"kind\": \"network\", \"error\": 0.01, \"bytes\": 1000, \"folding\": false, "
                   "\"grid\": 51, \"refine\": true, \"depth\": 3, \"width\": 32, \"encoding\": \"raw\", "
                   "\"samples\": 5000000, \"seed\": 7},");
    assert_int_equal(o.kind, TS_MAP_NETWORK);
    assert_true(o.error == 0.01);
    assert_int_equal(o.bytes, 1000);
    assert_true(o.no_folding && o.refine);
    assert_int_equal(o.grid, 51);
    assert_int_equal(o.depth, 3);
    assert_int_equal(o.width, 32);
    assert_int_equal(o.encoding, TS_ENCODING_RAW);
    assert_int_equal(o.samples, 5000000);
    assert_int_equal(o.seed, 7);
    static const struct {
        const char *name;
        ts_map_kind kind;
    } kind[] = {{"auto", TS_MAP_AUTO}, {"exact", TS_MAP_EXACT}, {"sampled", TS_MAP_SAMPLED}, {"table", TS_MAP_TABLE}};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        char text[64];
        snprintf(text, sizeof text, "\"map\": {\"kind\": \"%s\"},", kind[i].name);
        assert_int_equal(options_of(text).kind, kind[i].kind);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *map, *says;
    } bad[] = {
        {"\"map\": 3,", "wanted an object"},
        {"\"map\": {\"kind\": \"tabel\"},", "did you mean \"table\"?"},
        {"\"map\": {\"kind\": \"oracle\"},", "choose \"auto\", \"exact\", \"sampled\", \"network\" or \"table\""},
        {"\"map\": {\"kind\": 1},", "kind wants"},
        {"\"map\": {\"encoding\": \"cooked\"},", "encoding"},
        {"\"map\": {\"error\": 0},", "error"},
        {"\"map\": {\"error\": -0.1},", "error"},
        {"\"map\": {\"bytes\": -1},", "bytes"},
        {"\"map\": {\"bytes\": 1.5},", "bytes"},
        {"\"map\": {\"depth\": 99},", "depth"},
        {"\"map\": {\"width\": 5000000000},", "width"},
        {"\"map\": {\"grid\": 1},", "grid"},
        {"\"map\": {\"smoothing\": -1},", "smoothing"},
        {"\"map\": {\"folding\": 1},", "folding"},
        {"\"map\": {\"sise\": 1},", "unknown key \"sise\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ts_scene *scene = NULL;
        if (parse(bad[i].map, BOX, &scene) == TS_OK)
            fail_msg("accepted: %s", bad[i].map);
        if (!strstr(error.message, bad[i].says))
            fail_msg("%s: '%s' does not say '%s'", bad[i].map, error.message, bad[i].says);
        assert_int_equal(error.line, 1);
        assert_null(scene);
    }
}

/* By code, it is the same. */
static void test_code(void **state)
{
    (void)state;
    ts_scene *scene;
    assert_int_equal(ts_scene_create(&scene, &error), TS_OK);
    ts_map_options wrong = {.depth = -1}, good = {.kind = TS_MAP_TABLE, .error = 0.002};
    assert_int_equal(ts_scene_set_map(scene, &good, &error), TS_OK);
    assert_int_equal(ts_scene_set_map(scene, &wrong, &error), TS_BAD_INPUT);
    assert_int_equal(ts_scene_map(scene).kind, TS_MAP_TABLE); /* a refusal changes nothing */
    assert_int_equal(ts_scene_set_map(scene, NULL, &error), TS_BAD_INPUT);
    assert_int_equal(ts_scene_set_map(NULL, &good, &error), TS_BAD_INPUT);
    assert_true(ts_scene_map(NULL).error == 0);
    ts_scene_free(scene);
}

static uint64_t hash_of(const char *map, const char *shape)
{
    ts_scene *scene;
    ts_model *model;
    assert_int_equal(parse(map, shape, &scene), TS_OK);
    assert_int_equal(ts_model_compile(scene, &model, &error), TS_OK);
    uint64_t hash = ts_model_hash(model);
    ts_model_free(model);
    ts_scene_free(scene);
    return hash;
}

static void test_fingerprint(void **state)
{
    (void)state;
    const char *table = "\"map\": {\"kind\": \"table\"},";
    assert_true(hash_of("", BOX) == hash_of("\"map\": {\"kind\": \"auto\"},", BOX));
    assert_true(hash_of("", BOX) != hash_of(table, BOX));
    assert_true(hash_of(table, BOX) != hash_of("\"map\": {\"kind\": \"table\", \"error\": 0.01},", BOX));
    assert_true(hash_of(table, BOX) != hash_of("\"map\": {\"kind\": \"table\", \"folding\": false},", BOX));
    assert_true(hash_of("", DISC) == hash_of(table, DISC));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_fingerprint),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
