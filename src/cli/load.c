/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text.h"
#include "record/runfolder.h"
#include "scene/read.h"

/* One reading serves all three: the scene, its text and its title. */
static ts_status read_tree(ts_arena *arena, const char *path, const ts_load_options *options, ts_loaded *made,
                           ts_scene *scene, ts_error *error)
{
    ts_json_value *root;
    TS_TRY(ts_read_file(arena, path, options, &root, error));
    for (size_t i = 0; i < options->override_count; i++)
        TS_TRY(ts_read_override(arena, root, options->override[i], error));
    ts_reader reader = {.arena = arena, .scene = scene, .error = error, .options = options};
    TS_TRY(ts_read_resolve(&reader, root));
    TS_TRY(ts_read_scene(&reader, root));

    const ts_json_value *title = ts_json_get(root, "title");
    if (title && title->kind == TS_JSON_TEXT)
        snprintf(made->title, sizeof made->title, "%s", title->text);
    return ts_json_write(root, &made->text, &made->length, error);
}

/* A folder in place of a scene's file, and the nearest name to one that is not there. */
static void explain_missing(const char *path, ts_error *error)
{
    enum { MOST = 4096 };
    char inside[4096];
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        const bool run =
            ts_path_join(path, TS_RUN_TRAJECTORY, inside, sizeof inside) < sizeof inside && stat(inside, &about) == 0;
        ts_fail(error, TS_BAD_INPUT,
                run ? "%s is the folder of a run, not a scene; to go on with it: --resume %s"
                    : "%s is a folder; give the file of a scene%.0s",
                path, path);
        return;
    }
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const int length = (int)(name - path);
    snprintf(inside, sizeof inside, "%.*s", length, path);
    DIR *folder = errno == ENOENT ? opendir(length > 0 ? inside : ".") : NULL;
    ts_arena arena = {0};
    const char *candidate[MOST];
    size_t count = 0;
    /* without ".json", which all have: it would make any two names alike */
    const char *wanted = ts_arena_text(&arena, name, dot ? (size_t)(dot - name) : strlen(name));
    for (struct dirent *entry; folder && count < MOST && (entry = readdir(folder));) {
        const size_t size = strlen(entry->d_name);
        const bool scene = size > 5 && strcmp(entry->d_name + size - 5, ".json") == 0;
        candidate[count] = scene ? ts_arena_text(&arena, entry->d_name, size - 5) : NULL;
        count += candidate[count] != NULL;
    }
    if (folder)
        closedir(folder);
    const char *near = wanted ? ts_nearest_name(wanted, candidate, count) : NULL;
    if (near)
        ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; did you mean '%.*s%s.json'?", path, length, path, near);
    ts_arena_free(&arena);
}

ts_status ts_cli_load(const char *path, const ts_load_options *options, ts_loaded *loaded, ts_error *error)
{
    ts_loaded made = {0};
    ts_scene *scene;
    struct stat about;
    TS_TRY(ts_scene_create(&scene, error));
    ts_arena arena = {0};
    ts_status status = read_tree(&arena, path, options, &made, scene, error);
    ts_arena_free(&arena);
    if (status == TS_OK) {
        made.settings = ts_scene_settings(scene);
        status = ts_model_compile(scene, &made.model, error);
    }
    ts_scene_free(scene);
    if (status == TS_OK)
        *loaded = made;
    else
        ts_cli_unload(&made);
    /* to whoever named the file, one that cannot be read is a wrong name */
    if (status == TS_IO)
        error->status = status = TS_BAD_INPUT;
    if (status == TS_BAD_INPUT && strcmp(path, "-") != 0 && (stat(path, &about) != 0 || S_ISDIR(about.st_mode)))
        explain_missing(path, error);
    return status;
}

void ts_cli_unload(ts_loaded *loaded)
{
    ts_model_free(loaded->model);
    ts_free(loaded->text);
    *loaded = (ts_loaded){0};
}

/* "name=value" in the arena. */
static ts_status add_override(ts_arena *arena, const char **list, size_t *count, const char *name, const char *value,
                              ts_error *error)
{
    if (!value)
        return TS_OK;
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = ts_arena_alloc(arena, size, 1);
    if (!text)
        return ts_fail_memory(error, size);
    snprintf(text, size, "%s=%s", name, value);
    list[(*count)++] = text;
    return TS_OK;
}

/* Behind --duration and --seed stands a --set, but an error names what was typed. */
static void name_as_typed(ts_error *error, const char *name, const char *value)
{
    char set[sizeof error->file];
    if (!value)
        return;
    snprintf(set, sizeof set, "--set %s=%s", name, value);
    if (strcmp(error->file, set) == 0)
        snprintf(error->file, sizeof error->file, "--%s %s", name, value);
}

static ts_status load_in(ts_arena *arena, const char *path, const ts_scene_options *given, ts_loaded *loaded,
                         ts_error *error)
{
    size_t room = given->set.count + 2, count = given->set.count;
    const char **list = ts_arena_alloc(arena, room, sizeof *list);
    if (!list)
        return ts_fail_memory(error, room * sizeof *list);
    if (count)
        memcpy(list, given->set.item, count * sizeof *list);
    TS_TRY(add_override(arena, list, &count, "duration", given->duration, error));
    TS_TRY(add_override(arena, list, &count, "seed", given->seed, error));
    ts_load_options options = {
        .override = list,
        .override_count = count,
        .search_path = given->search_path.item,
        .search_path_count = given->search_path.count,
    };
    ts_status status = ts_cli_load(path, &options, loaded, error);
    if (status != TS_OK) {
        name_as_typed(error, "duration", given->duration);
        name_as_typed(error, "seed", given->seed);
    }
    return status;
}

ts_status ts_cli_load_with(const char *path, const ts_scene_options *given, ts_loaded *loaded, ts_error *error)
{
    ts_arena arena = {0};
    ts_status status = load_in(&arena, path, given, loaded, error);
    ts_arena_free(&arena);
    return status;
}
