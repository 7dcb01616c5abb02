/* SPDX-License-Identifier: MIT */
#include "scene/read.h"
#include "base/release.h"

static ts_status apply_overrides(ts_arena *arena, ts_json_value *root, const ts_load_options *options, ts_error *error)
{
    for (size_t i = 0; options && i < options->override_count; i++)
        TS_TRY(ts_read_override(arena, root, options->override[i], error));
    return TS_OK;
}

static ts_status check_options(const ts_load_options *options, ts_error *error)
{
    if (!options)
        return TS_OK;
    bool missing = (!options->override && options->override_count > 0) ||
                   (!options->search_path && options->search_path_count > 0) ||
                   (!options->file && options->file_count > 0);
    for (size_t i = 0; !missing && i < options->override_count; i++)
        missing = !options->override[i];
    for (size_t i = 0; !missing && i < options->search_path_count; i++)
        missing = !options->search_path[i];
    for (size_t i = 0; !missing && i < options->file_count; i++)
        missing = !options->file[i].name || !options->file[i].text;
    if (missing)
        return ts_fail(error, TS_BAD_INPUT,
                       "an override, a search path or a file of the load options is NULL; give a text");
    return TS_OK;
}

ts_status ts_read_resolve(ts_reader *reader, ts_json_value *root)
{
    TS_TRY(ts_read_dimension(reader, root, &reader->in));
    TS_TRY(ts_read_spelling(reader, root));
    return ts_read_embed(reader, root);
}

/* Builds the scene that the tree describes; the arena is the tree's. */
static ts_status build(ts_arena *arena, ts_json_value *root, const ts_load_options *options, bool from_text,
                       ts_scene **scene, ts_error *error)
{
    TS_TRY(apply_overrides(arena, root, options, error));
    TS_AUTO(ts_scene_free_at) ts_scene *built = NULL;
    TS_TRY(ts_scene_create(&built, error));
    ts_reader reader = {
        .in = &ts_in_plane, .arena = arena, .scene = built, .error = error, .options = options, .from_text = from_text};
    TS_TRY(ts_read_resolve(&reader, root));
    TS_TRY(ts_read_scene(&reader, root));
    *scene = ts_give(&built);
    return TS_OK;
}

ts_status ts_scene_load(const char *path, const ts_load_options *options, ts_scene **scene, ts_error *error)
{
    if (!path || !scene)
        return ts_fail(error, TS_BAD_INPUT, "path or scene is NULL; pass both");
    TS_TRY(check_options(options, error));
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root = NULL;
    TS_TRY(ts_read_file(&arena, path, options, &root, error));
    return build(&arena, root, options, false, scene, error);
}

ts_status ts_scene_parse(const char *text, size_t length, const char *name, const ts_load_options *options,
                         ts_scene **scene, ts_error *error)
{
    if ((!text && length > 0) || !scene)
        return ts_fail(error, TS_BAD_INPUT, "text or scene is NULL; pass both");
    TS_TRY(check_options(options, error));
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root = NULL;
    TS_TRY(ts_read_text(&arena, text ? text : "", length, name ? name : "scene", options, &root, error));
    return build(&arena, root, options, true, scene, error);
}

/* The text of a merged tree, as ts_scene_resolve has it. */
static ts_status write_resolved(ts_arena *arena, ts_json_value *root, const ts_load_options *options, char **text,
                                size_t *length, ts_error *error)
{
    ts_reader reader = {.in = &ts_in_plane, .arena = arena, .error = error, .options = options};
    TS_TRY(apply_overrides(arena, root, options, error));
    TS_TRY(ts_read_resolve(&reader, root));
    return ts_json_write(root, text, length, error);
}

ts_status ts_scene_resolve(const char *path, const ts_load_options *options, char **text, size_t *length,
                           ts_error *error)
{
    if (!path || !text || !length)
        return ts_fail(error, TS_BAD_INPUT, "path, text or length is NULL; pass all three");
    TS_TRY(check_options(options, error));
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root = NULL;
    TS_TRY(ts_read_file(&arena, path, options, &root, error));
    return write_resolved(&arena, root, options, text, length, error);
}

ts_status ts_scene_resolve_text(const ts_text_file *file, const ts_load_options *options, char **text, size_t *length,
                                ts_error *error)
{
    TS_TRY(check_options(options, error));
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root = NULL;
    TS_TRY(ts_read_text(&arena, file->text, file->length, file->name, options, &root, error));
    return write_resolved(&arena, root, options, text, length, error);
}
