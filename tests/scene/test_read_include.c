/* SPDX-License-Identifier: MIT */
/* Includes: what lies over what, which files may be read, and that the resolved text is the scene itself. Runs in an
 * empty directory of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "scene/read.h"
#include "scene/scene.h"
#include "touchstone/sim.h"

static void write_file(const char *path, const char *text)
{
    assert_int_equal(ts_file_write(path, text, strlen(text), NULL), TS_OK);
}

static ts_scene *load(const char *path, const ts_load_options *options)
{
    ts_scene *scene = NULL;
    ts_error error = {0};
    if (ts_scene_load(path, options, &scene, &error) != TS_OK)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    return scene;
}

/* Loads a file that must be refused, at this place with these words. */
static void refuse(const char *path, const ts_load_options *options, const char *file, int line, int column,
                   const char *fragment)
{
    ts_scene *scene = NULL;
    ts_error error = {0};
    if (ts_scene_load(path, options, &scene, &error) != TS_BAD_INPUT)
        fail_msg("%s was not refused", path);
    if (!strstr(error.message, fragment) || strcmp(error.file, file) != 0 || error.line != line ||
        error.column != column)
        fail_msg("expected %s:%d:%d: …%s…, got %s:%d:%d: %s", file, line, column, fragment, error.file, error.line,
                 error.column, error.message);
    assert_null(scene);
}

#define GRAIN "\"shapes\": {\"grain\": {\"kind\": \"disc\", \"radius\": 1}}"

/* ---- What lies over what ---- */

static void test_merge(void **state)
{
    (void)state;
    mkdir("parts", 0777);
    write_file("parts/low.json", "{\"gravity\": [0, -1], \"duration\": 10, \"seed\": 3,\n"
                                 "\"materials\": {\"m\": {\"friction\": 0.1, \"density\": 5}, \"low\": {}},\n"
                                 "\"shapes\": {\"grain\": {\"kind\": \"disc\", \"radius\": 1},"
                                 " \"other\": {\"kind\": \"disc\", \"radius\": 7}},\n"
                                 "\"bodies\": [{\"shape\": \"grain\", \"position\": [0, 0]}]}");
    write_file("parts/mid.json", "{\"touchstone\": 1, \"duration\": 20, \"seed\": 4, \"include\": [\"low.json\"],\n"
                                 "\"bodies\": [{\"shape\": \"grain\", \"position\": [10, 0]}]}");
    write_file("top.json",
               "{\"touchstone\": 1, \"include\": [\"parts/mid.json\", \"parts/low.json\"], \"duration\": 30,\n"
               "\"materials\": {\"m\": {\"friction\": 0.2}, \"new\": {}},\n"
               "\"shapes\": {\"other\": {\"kind\": \"cluster\", \"discs\": [{\"at\": [0, 0], \"radius\": 2}]}},\n"
               "\"bodies\": [{\"shape\": \"other\", \"position\": [20, 0]}]}");
    ts_scene *scene = load("top.json", NULL);
    ts_settings settings = ts_scene_settings(scene);
    assert_true(settings.duration == 30 && settings.seed == 4 && settings.gravity[1] == -1);
    /* objects are merged key by key */
    const ts_material_def *m = &scene->material.item[ts_scene_find_material(scene, "m")].def;
    assert_true(m->friction == 0.2 && m->density == 5);
    assert_true(ts_scene_find_material(scene, "low") > 0 && ts_scene_find_material(scene, "new") > 0);
    /* ... but not with an object of another kind */
    assert_true(scene->shape.item[ts_scene_find_shape(scene, "other")].disc[0].radius == 2);
    /* lists of things are joined, the included first; a file included twice counts once */
    assert_int_equal(scene->body.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(scene->body.item[i].def.position[0] == 10.0 * (double)i);
    /* everything keeps the place where it was written */
    assert_string_equal(scene->body.item[0].place.file, "parts/low.json");
    assert_int_equal(scene->body.item[0].place.line, 4);
    assert_string_equal(scene->body.item[1].place.file, "parts/mid.json");
    assert_string_equal(scene->body.item[2].place.file, "top.json");
    ts_scene_free(scene);
}

static void test_errors_in_included(void **state)
{
    (void)state;
    write_file("broken.json", "{\"bodies\": [\n}");
    write_file("wrong.json", "{\n\"gravty\": 1}");
    write_file("future.json", "{\n\"touchstone\": 2}");
    write_file("list.json", "[]");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [\"broken.json\"]}");
    refuse("a.json", NULL, "broken.json", 2, 1, "expected");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [\"wrong.json\"]}");
    refuse("a.json", NULL, "wrong.json", 2, 1, "did you mean \"gravity\"?");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [\"future.json\"]}");
    refuse("a.json", NULL, "future.json", 2, 15, "version 2");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [\"list.json\"]}");
    refuse("a.json", NULL, "list.json", 1, 1, "a scene is an object");
    write_file("a.json", "{\"touchstone\": 1, \"include\": \"list.json\"}");
    refuse("a.json", NULL, "a.json", 1, 30, "wants a list of paths");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [5]}");
    refuse("a.json", NULL, "a.json", 1, 31, "wanted the path of a file");
    write_file("a.json", "{\"touchstone\": 1, \"include\": [\"\"]}");
    refuse("a.json", NULL, "a.json", 1, 31, "the path is empty");
    /* a part needs no version, the scene itself does */
    write_file("part.json", "{\"touchstone\": 1}");
    write_file("a.json", "{\"include\": [\"part.json\"]}");
    ts_scene *scene = load("a.json", NULL);
    ts_scene_free(scene);
}

static void test_cycles(void **state)
{
    (void)state;
    mkdir("c", 0777);
    write_file("c/a.json", "{\"touchstone\": 1, \"include\": [\"b.json\"]}");
    write_file("c/b.json", "{\"include\": [\"./c.json\"]}");
    write_file("c/c.json", "{\"include\":\n [\"b.json\"]}");
    refuse("c/a.json", NULL, "c/./c.json", 2, 3, "in a circle: c/b.json → c/./c.json → c/b.json");
    write_file("self.json", "{\"include\": [\"self.json\"]}");
    refuse("self.json", NULL, "self.json", 1, 14, "in a circle: self.json → self.json");

    /* from a text, which is no file; paths are relative to the working folder */
    const char *text = "{\"touchstone\": 1, \"include\": [\"c/a.json\"]}";
    ts_scene *scene = NULL;
    ts_error error = {0};
    assert_int_equal(ts_scene_parse(text, strlen(text), "text", NULL, &scene, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "in a circle: c/b.json → c/./c.json → c/b.json"));

    /* a long chain that is no cycle ends at the cap */
    for (int i = 0; i < 20; i++) {
        char path[32], link[64];
        snprintf(path, sizeof path, "chain%d.json", i);
        snprintf(link, sizeof link, "{\"include\": [\"chain%d.json\"]}", i + 1);
        write_file(path, link);
    }
    refuse("chain0.json", NULL, "chain15.json", 1, 14, "nested more than 16 deep");
}

/* ---- Which files may be read ---- */

static void test_escapes(void **state)
{
    (void)state;
    mkdir("home", 0777);
    mkdir("home/sub", 0777);
    mkdir("outside", 0777);
    write_file("outside/secret.json", "{\"duration\": 42}");
    write_file("home/sub/in.json", "{\"duration\": 7}");
    char absolute[8192], text[16384], folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(absolute, sizeof absolute, "%s/outside/secret.json", folder);
    assert_int_equal(symlink("../outside/secret.json", "home/link.json"), 0);
    assert_int_equal(symlink("../outside", "home/folder"), 0);
    assert_int_equal(symlink("sub/in.json", "home/inner.json"), 0);

    const char *const path[] = {"../outside/secret.json",
                                "sub/../../outside/secret.json",
                                absolute,
                                "link.json",
                                "folder/secret.json",
                                "/etc/passwd",
                                ".."};
    const char *const search[] = {"no such folder", "outside"};
    ts_load_options allowed = {.search_path = search, .search_path_count = 2};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        snprintf(text, sizeof text, "{\"touchstone\": 1,\n\"include\": [\"%s\"]}", path[i]);
        write_file("home/scene.json", text);
        refuse("home/scene.json", NULL, "home/scene.json", 2, 13, "leaves the folder of the scene");
        /* the user may allow the folder */
        if (i < 5) {
            ts_scene *scene = load("home/scene.json", &allowed);
            assert_true(ts_scene_settings(scene).duration == 42);
            ts_scene_free(scene);
        } else {
            refuse("home/scene.json", &allowed, "home/scene.json", 2, 13, "leaves the folder of the scene");
        }
    }

    /* links that stay inside are the user's own affair */
    write_file("home/scene.json", "{\"touchstone\": 1, \"include\": [\"inner.json\"]}");
    ts_scene *scene = load("home/scene.json", NULL);
    assert_true(ts_scene_settings(scene).duration == 7);
    ts_scene_free(scene);

    /* a plain name is also looked for in the search path */
    write_file("home/scene.json", "{\"touchstone\": 1, \"include\": [\"secret.json\"]}");
    scene = load("home/scene.json", &allowed);
    assert_true(ts_scene_settings(scene).duration == 42);
    ts_scene_free(scene);
    refuse("home/scene.json", NULL, "home/scene.json", 1, 31, "there is no file \"secret.json\"");

    /* a folder whose name begins like ours is another folder */
    mkdir("homely", 0777);
    write_file("homely/x.json", "{}");
    assert_int_equal(symlink("../homely/x.json", "home/near.json"), 0);
    write_file("home/scene.json", "{\"touchstone\": 1, \"include\": [\"near.json\"]}");
    refuse("home/scene.json", NULL, "home/scene.json", 1, 31, "leaves the folder of the scene");
}

static void test_not_files(void **state)
{
    (void)state;
    mkdir("things", 0777);
    mkdir("things/folder", 0777);
    assert_int_equal(mkfifo("things/pipe", 0666), 0); /* reading it would wait for ever */
    write_file("things/a.json", "{\"touchstone\": 1, \"include\": [\"folder\"]}");
    refuse("things/a.json", NULL, "things/a.json", 1, 31, "not a regular file");
    write_file("things/a.json", "{\"touchstone\": 1, \"include\": [\"pipe\"]}");
    refuse("things/a.json", NULL, "things/a.json", 1, 31, "not a regular file");
    refuse("things", NULL, "", 0, 0, "things");
    refuse("things/none.json", NULL, "", 0, 0, "cannot open things/none.json");
}

/* ---- The resolved text ---- */

static uint64_t hash_of(ts_scene *scene)
{
    ts_model *model = NULL;
    ts_error error = {0};
    if (ts_model_compile(scene, &model, &error) != TS_OK)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    uint64_t hash = ts_model_hash(model);
    ts_model_free(model);
    ts_scene_free(scene);
    return hash;
}

/* Reading the resolved text gives the same model as the files with their overrides, and resolving it again the same
 * text. */
static void test_resolve(void **state)
{
    (void)state;
    write_file("lib.json", "{\"materials\": {\"m\": {\"friction\": 0.123456789012345678}},\n" GRAIN "}");
    write_file("run.json",
               "{\"touchstone\": 1, /* a comment */ \"title\": \"\\u00e9\\n\\\"\", \"include\": [\"lib.json\"],\n"
               "\"time_step\": 1.1e-5, \"dynamics\": {\"stiffness\": \"100 kN/m\"},\n"
               "\"bodies\": [{\"shape\": \"grain\", \"position\": [0.1, \"2.5 m\"]}, // another\n"
               "{\"shape\": \"grain\", \"position\": [5, 0.30000000000000004]},],}");
    const char *const override[] = {"bodies[1].velocity=[0.1, 0.7]", "materials.m.restitution=0.77", "seed=9"};
    ts_load_options options = {.override = override, .override_count = 3};
    char *text = NULL, *again = NULL;
    size_t length = 0, again_length = 0;
    assert_int_equal(ts_scene_resolve("run.json", &options, &text, &length, NULL), TS_OK);
    assert_int_equal(strlen(text), length);
    assert_null(strstr(text, "include"));

    ts_scene *scene = NULL;
    assert_int_equal(ts_scene_parse(text, length, "resolved", NULL, &scene, NULL), TS_OK);
    uint64_t resolved = hash_of(scene), direct = hash_of(load("run.json", &options)),
             plain = hash_of(load("run.json", NULL));
    assert_true(resolved == direct);
    assert_true(resolved != plain);

    mkdir("elsewhere", 0777);
    write_file("elsewhere/copy.json", text);
    assert_int_equal(ts_scene_resolve("elsewhere/copy.json", NULL, &again, &again_length, NULL), TS_OK);
    assert_string_equal(text, again);
    ts_free(text);
    ts_free(again);
}

/* Files that the caller holds go before those on disk, and count once like any other. */
static void test_texts(void **state)
{
    (void)state;
    mkdir("held", 0777);
    write_file("held/a.json", "{\"duration\": 1}");
    const char *a = "{\"include\": [\"held/b.json\"], \"duration\": 5}",
               *b = "{\"seed\": 9, \"duration\": 2, \"boundaries\": [{\"kind\": \"circle\", \"centre\": [0, 0], "
                    "\"radius\": 1}]}",
               *circle = "{\"include\": [\"held/c.json\"]}";
    const ts_text_file file[] = {
        {"held/a.json", a, strlen(a)}, {"held/b.json", b, strlen(b)}, {"held/c.json", circle, strlen(circle)}};
    ts_load_options options = {.file = file, .file_count = 3};
    const char *text = "{\"touchstone\": 1, \"include\": [\"held/b.json\", \"held/a.json\"]}";
    ts_scene *scene = NULL;
    ts_error error = {0};
    assert_int_equal(ts_scene_parse(text, strlen(text), "here", &options, &scene, &error), TS_OK);
    assert_true(ts_scene_settings(scene).duration == 5);
    assert_true(ts_scene_settings(scene).seed == 9);
    assert_int_equal(scene->wall.count, 1);
    ts_scene_free(scene);

    char *resolved, *again;
    size_t length, again_length;
    const ts_text_file whole = {"here", text, strlen(text)};
    assert_int_equal(ts_scene_resolve_text(&whole, &options, &resolved, &length, &error), TS_OK);
    const ts_text_file copy = {"copy", resolved, length};
    assert_int_equal(ts_scene_resolve_text(&copy, NULL, &again, &again_length, &error), TS_OK);
    assert_string_equal(resolved, again);
    assert_null(strstr(resolved, "include"));
    ts_free(resolved);
    ts_free(again);

    text = "{\"touchstone\": 1, \"include\": [\"held/c.json\"]}";
    assert_int_equal(ts_scene_parse(text, strlen(text), "here", &options, &scene, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "in a circle"));
    options.file = NULL;
    assert_int_equal(ts_scene_parse(text, strlen(text), "here", &options, &scene, &error), TS_BAD_INPUT);
    assert_non_null(strstr(error.message, "is NULL"));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_merge),   cmocka_unit_test(test_errors_in_included), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_escapes), cmocka_unit_test(test_not_files),          cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
