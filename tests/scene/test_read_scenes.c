/* SPDX-License-Identifier: MIT */
/* Every scene of scenes/ is read, compiled and moved a little. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "touchstone/sim.h"

static void try_scene(const char *path)
{
    ts_scene *scene = NULL;
    ts_model *model = NULL;
    ts_state *state = NULL;
    ts_workspace *work = NULL;
    ts_error error = {0};
    ts_status status = ts_scene_load(path, NULL, &scene, &error);
    /* exact maps need no making; scenes of space have none */
    ts_map_options exact = {.kind = TS_MAP_EXACT};
    if (status == TS_OK && !ts_scene_is_space(scene))
        status = ts_scene_set_map(scene, &exact, &error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &model, &error);
    if (status == TS_OK)
        status = ts_model_prepare(model, NULL, &error);
    if (status == TS_OK)
        status = ts_state_create(model, &state, &error);
    if (status == TS_OK)
        status = ts_workspace_create(model, 1, &work, &error);
    if (status == TS_OK)
        status = ts_step(model, state, work, 20, &error);
    if (status != TS_OK)
        fail_msg("%s: %s:%d:%d: %s", path, error.file, error.line, error.column, error.message);
    assert_true(ts_model_body_count(model) > 0);
    assert_true(ts_model_time_step(model) <= ts_model_stable_step(model));
    ts_workspace_free(work);
    ts_state_free(state);
    ts_model_free(model);
    ts_scene_free(scene);
}

static void test_scenes(void **unused)
{
    (void)unused;
    const char *root = getenv("SOURCE_DIR");
    char folder[2048], path[4096];
    snprintf(folder, sizeof folder, "%s/scenes", root ? root : ".");
    DIR *list = opendir(folder);
    assert_non_null(list);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(list));) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        try_scene(path);
        count++;
    }
    closedir(list);
    assert_true(count >= 5);
}

int main(void)
{
    const struct CMUnitTest test[] = {cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(test, NULL, NULL);
}
