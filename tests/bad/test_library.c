/* SPDX-License-Identifier: MIT */
/* Every bad scene of this folder is refused where expected.txt says, with the words it says; and so are things that
 * cannot be kept in a folder: 100 MB of brackets, links that lead away, files that cannot be read. Runs under the
 * sanitizers. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "touchstone/sim.h"

static char folder[2048];

static ts_status load_and_compile(const char *path, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    ts_status status = ts_scene_load(path, NULL, &scene, error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &model, error);
    ts_model_free(model);
    ts_scene_free(scene);
    return status;
}

/* `place` is "line:column", or "file:line:column" in another file, or "-" when there is none. */
static void refuse(const char *path, const char *place, const char *fragment)
{
    ts_error error = {0};
    ts_status status = load_and_compile(path, &error);
    if (status != TS_BAD_INPUT && status != TS_UNSUPPORTED)
        fail_msg("%s: status %d: %s", path, (int)status, error.message);
    if (!strstr(error.message, fragment))
        fail_msg("%s: expected \"%s\", got \"%s\"", path, fragment, error.message);
    char expected[1024], got[1024] = "-";
    bool here = strspn(place, "0123456789:") == strlen(place);
    snprintf(expected, sizeof expected, "%s%s%s", here ? path : "", here ? ":" : "", place);
    if (error.line > 0)
        snprintf(got, sizeof got, "%s:%d:%d", error.file, error.line, error.column);
    if (strcmp(expected, got) != 0)
        fail_msg("%s: expected at %s, got at %s: %s", path, expected, got, error.message);
}

static void test_files(void **state)
{
    (void)state;
    char home[2048];
    assert_non_null(getcwd(home, sizeof home));
    assert_int_equal(chdir(folder), 0);
    FILE *list = fopen("expected.txt", "r");
    assert_non_null(list);
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, list)) {
        char name[256], place[256], fragment[512];
        if (line[0] == '#' || line[0] == '\n')
            continue;
        assert_int_equal(sscanf(line, "%255s %255s %511[^\n]", name, place, fragment), 3);
        refuse(name, place, fragment);
        count++;
    }
    fclose(list);

    /* none is left out */
    DIR *files = opendir(".");
    assert_non_null(files);
    for (struct dirent *entry; (entry = readdir(files));)
        count -= strstr(entry->d_name, ".json") != NULL;
    closedir(files);
    assert_int_equal(count, 0);
    assert_int_equal(chdir(home), 0);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(ts_file_write(path, text, strlen(text), NULL), TS_OK);
}

static void test_brackets(void **state)
{
    (void)state;
    size_t length = 100 << 20;
    char *text = ts_alloc_raw(length, 1);
    assert_non_null(text);
    memset(text, '[', length);
    assert_int_equal(ts_file_write("brackets.json", text, length, NULL), TS_OK);
    ts_free(text);
    double since = ts_clock_seconds();
    refuse("brackets.json", "1:65", "nested more than 64 deep");
    assert_true(ts_clock_seconds() - since < 20);
    assert_int_equal(truncate("brackets.json", 200 << 20), 0); /* with zeros, which take no room on the disk */
    refuse("brackets.json", "-", "larger than the 134217728 bytes allowed");
    unlink("brackets.json");
}

static void test_links(void **state)
{
    (void)state;
    mkdir("outside", 0777);
    mkdir("inside", 0777);
    write_text("outside/secret.json", "{}");
    write_text("inside/scene.json", "{\"touchstone\": 1, \"include\": [\"link.json\"]}");
    assert_int_equal(symlink("../outside/secret.json", "inside/link.json"), 0);
    refuse("inside/scene.json", "1:31", "leaves the folder of the scene");
}

static void test_unreadable(void **state)
{
    (void)state;
    refuse("no-such-file.json", "-", "cannot open no-such-file.json");
    refuse(".", "-", "cannot read .");
    refuse("", "-", "cannot open");
    write_text("locked.json", "{\"touchstone\": 1}");
    assert_int_equal(chmod("locked.json", 0), 0);
    if (access("locked.json", R_OK) != 0) /* root may read everything */
        refuse("locked.json", "-", "cannot open locked.json");
}

int main(void)
{
    const char *root = getenv("SOURCE_DIR");
    snprintf(folder, sizeof folder, "%s/tests/bad", root ? root : ".");
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
