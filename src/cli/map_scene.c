/* SPDX-License-Identifier: MIT */
/* touchstone map build SCENE: the maps of all pairs of bodies that can meet, into the cache. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/map.h"
#include "cli/shape_pairs.h"
#include "cspace/cache.h"
#include "study/output.h"

/* What is kept of each map of a scene: the map itself would be too much. */
typedef struct made_map {
    ts_map_info info;
    ts_map_lack lack;
    const char *name_a, *name_b;
    const char *file; /* that the scene names for it; NULL: none */
} made_map;

typedef struct scene_maps {
    const char *scene;
    ts_shape_pairs pairs;
    ts_map_options options; /* the scene's, with what the command line says */
    TS_ARRAY(made_map) made;
} scene_maps;

/* ---- What came out ---- */

/* Pairs that stayed exact, by what tables lacked. */
static void print_exact(const scene_maps *all, FILE *stream)
{
    for (int lack = TS_LACK_UNKNOWN; lack <= TS_LACK_OPEN; lack++) {
        char text[512], why[256];
        size_t count = 0;
        const ts_map_options *o = NULL;
        for (size_t i = 0; i < all->made.count; i++) {
            const made_map *m = &all->made.item[i];
            if (m->info.kind == TS_MAP_EXACT && m->info.options.kind == TS_MAP_AUTO && (int)m->lack == lack) {
                o = &m->info.options;
                count++;
            }
        }
        if (count == 0)
            continue;
        snprintf(text, sizeof text, "For %s %s: exact, right but slow to ask.", ts_show_counted(count, "pair").text,
                 ts_map_lack_text((ts_map_lack)lack, o, why, sizeof why));
        ts_print_wrapped(stream, text, 0, 0);
    }
}

/* What was mended, once a shape, whatever its sizes. */
static void print_repairs(const ts_shape_pairs *pairs, FILE *stream)
{
    ts_listing listing = ts_listing_make("ll");
    for (size_t i = 0; i < pairs->form.count; i++) {
        const ts_form_of_shape *f = &pairs->form.item[i];
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen |= pairs->form.item[k].shape == f->shape;
        char label[80];
        snprintf(label, sizeof label, "repairs of %.40s", f->name);
        if (!seen)
            ts_print_repairs(&listing, label, f->outline);
    }
    ts_listing_print(&listing, stream);
}

static void print_made(const scene_maps *all, FILE *stream)
{
    double bytes = 0, seconds = 0;
    size_t cached = 0, files = 0, short_of = 0;
    char from_files[40] = "";
    ts_listing listing = ts_listing_make("llrrrr");
    ts_listing_row(&listing, "pair\tkind\tsize\tmean error\tworst\tmade in, or from");
    for (size_t i = 0; i < all->made.count; i++) {
        const made_map *m = &all->made.item[i];
        bool measured = m->info.errors.samples > 0;
        bytes += (double)m->info.bytes;
        seconds += m->info.from_cache || m->file ? 0 : m->info.build_seconds;
        cached += m->info.from_cache;
        files += m->file != NULL;
        short_of += !ts_map_reached(&m->info) && m->info.kind != TS_MAP_EXACT;
        ts_listing_row(&listing, "%.20s × %.20s\t%s\t%s\t%s\t%s\t%s", m->name_a, m->name_b,
                       ts_map_kind_name(m->info.kind), ts_show_bytes((double)m->info.bytes).text,
                       measured ? ts_show_percent(m->info.errors.mean).text : "–",
                       measured ? ts_show_percent(m->info.errors.worst).text : "–",
                       m->file              ? ts_path_name(m->file)
                       : m->info.from_cache ? "the cache"
                                            : ts_show_wall(m->info.build_seconds).text);
    }
    ts_listing_print(&listing, stream);
    if (files > 0)
        snprintf(from_files, sizeof from_files, ", %zu from files", files);
    fprintf(stream, "%s, %s; %s made in %s, %zu from the cache%s\n", ts_show_counted(all->made.count, "map").text,
            ts_show_bytes(bytes).text, ts_show_count(all->made.count - cached - files).text, ts_show_wall(seconds).text,
            cached, from_files);
    print_exact(all, stream);
    if (short_of > 0) {
        char text[256];
        snprintf(text, sizeof text, "The mean error of %s is larger than was asked for.",
                 ts_show_counted(short_of, "map").text);
        ts_print_wrapped(stream, text, 0, 0);
    }
}

static void write_made(ts_json *json, const void *subject)
{
    const scene_maps *all = subject;
    ts_json_begin_object(json, NULL);
    ts_json_text(json, "scene", all->scene);
    ts_json_begin_array(json, "maps");
    for (size_t i = 0; i < all->made.count; i++) {
        const made_map *m = &all->made.item[i];
        ts_json_begin_object(json, NULL);
        ts_json_text(json, "a", m->name_a);
        ts_json_text(json, "b", m->name_b);
        ts_json_number(json, "radius_a", m->info.radius_a);
        ts_json_number(json, "radius_b", m->info.radius_b);
        ts_json_text(json, "kind", ts_map_kind_name(m->info.kind));
        ts_json_bool(json, "reached", ts_map_reached(&m->info));
        ts_json_uint(json, "bytes", m->info.bytes);
        ts_json_number(json, "build_seconds", m->info.build_seconds);
        ts_json_bool(json, "from_cache", m->info.from_cache);
        if (m->file)
            ts_json_text(json, "file", m->file);
        ts_map_errors_json(json, "errors", &m->info.errors);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_uint(json, "shapes_without_maps", all->pairs.many.count);
    ts_json_end(json);
}

/* ---- The cache, without which all this is for nothing ---- */

/* Whether a file can be made in the folder. */
static ts_status try_folder(const char *folder, ts_error *error)
{
    char path[4096];
    ts_draft draft;
    if (!folder[0])
        return ts_fail(error, TS_BAD_INPUT, "there is none, as neither TOUCHSTONE_CACHE nor HOME is set");
    TS_TRY(ts_folder_make(folder, error));
    if (ts_path_join(folder, "trial", path, sizeof path) >= sizeof path)
        return ts_fail(error, TS_BAD_INPUT, "the path of %s is too long", folder);
    ts_status status = ts_draft_open(&draft, path, error);
    ts_draft_discard(&draft);
    return status;
}

static ts_status fail_unkept(ts_status status, const char *why, ts_error *error)
{
    return ts_fail(error, status,
                   "maps of a scene are made for the cache, which cannot have them: %.300s; set TOUCHSTONE_CACHE to "
                   "another folder, or add --no-cache to make them for nothing but their errors",
                   why);
}

/* A map that is there already needs no place. */
static ts_status is_there(const char *folder, const ts_form_of_shape *a, const ts_form_of_shape *b,
                          const ts_map_options *options, bool *there, ts_error *error)
{
    ts_map_options complete;
    ts_pair *pair;
    ts_map *map = NULL;
    TS_TRY(ts_map_options_complete(options, &complete, error));
    TS_TRY(ts_pair_create(a->outline, b->outline, &pair, error));
    ts_status status = ts_cache_find(folder, pair, &complete, &map, error);
    *there = map != NULL;
    ts_map_free(map);
    ts_pair_free(pair);
    return status;
}

/* ---- Making ---- */

/* One map: made and kept, or there. */
static ts_status build_one(ts_map_task *task, scene_maps *all, size_t index, ts_error *error)
{
    const ts_form_of_shape *a = &all->pairs.form.item[all->pairs.pair.item[index].a];
    const ts_form_of_shape *b = &all->pairs.form.item[all->pairs.pair.item[index].b];
    char label[160], folder[4096];
    ts_map *map = NULL;
    ts_error why;
    bool kept = !task->wish->no_cache && all->options.kind != TS_MAP_EXACT && all->options.kind != TS_MAP_SAMPLED;
    bool there = false;
    const ts_shape_pair *pair = &all->pairs.pair.item[index];
    if (pair->file[0])
        return ts_array_push(&all->made,
                             ((made_map){.info = pair->info, .name_a = a->name, .name_b = b->name, .file = pair->file}),
                             error);
    snprintf(label, sizeof label, "%zu/%zu %.24s × %.24s", index + 1, all->pairs.pair.count, a->name, b->name);
    ts_map_task_step(task, label, index, all->pairs.pair.count);
    /* before the time is spent */
    ts_map_cache_folder(folder, sizeof folder);
    if (kept && try_folder(folder, &why) != TS_OK) {
        if (!task->wish->rebuild)
            TS_TRY(is_there(folder, a, b, &all->options, &there, error));
        if (!there)
            return fail_unkept(TS_BAD_INPUT, why.message, error);
    }
    task->warned = true; /* here it is a failure */
    TS_TRY(ts_map_task_make(task, a->outline, b->outline, &all->options, &map, error));
    ts_status status = map->unkept[0] ? fail_unkept(TS_IO, map->unkept, error) : TS_OK;
    if (status == TS_OK)
        status = ts_array_push(&all->made, ((made_map){map->info, map->lack, a->name, b->name, NULL}), error);
    ts_map_free(map);
    return status;
}

static ts_status build_all(const ts_map_wish *wish, scene_maps *all, ts_error *error)
{
    ts_map_task task;
    ts_status status = TS_OK;
    all->options = all->pairs.options;
    ts_map_wish_apply(wish, &all->options);
    TS_TRY(ts_map_wish_suits(wish, TS_MAP_BUILD_SCENE, 1u << all->options.kind, error));
    ts_map_task_begin(&task, wish);
    for (size_t i = 0; i < all->pairs.pair.count && status == TS_OK; i++)
        status = build_one(&task, all, i, error);
    ts_map_task_end(&task);
    if (status == TS_INTERRUPTED && all->made.count > 0)
        ts_cli_note("%zu of %zu maps were made%s", all->made.count, all->pairs.pair.count,
                    wish->no_cache ? "" : " and are in the cache");
    return status;
}

ts_status ts_map_build_scene(const ts_map_wish *wish, const char *path, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_load_options how = {.override = wish->set.item,
                           .override_count = wish->set.count,
                           .search_path = wish->search_path.item,
                           .search_path_count = wish->search_path.count};
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a scene, or two shapes", path);
    if (ts_is_folder(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a folder; give a scene, or two shapes", path);
    TS_TRY(ts_scene_load(path, &how, &scene, error));
    scene_maps all = {.scene = path};
    ts_status status = ts_shape_pairs_of_scene(scene, &all.pairs, error);
    if (status == TS_OK)
        status = build_all(wish, &all, error);
    if (status == TS_OK && !wish->quiet) {
        FILE *stream = ts_output_stream(wish->json);
        if (all.made.count == 0)
            fprintf(stream,
                    all.pairs.many.count ? "%s has no pairs whose maps can be made beforehand\n"
                                         : "%s needs no maps: it has no outlines that meet\n",
                    path);
        else
            print_made(&all, stream);
        print_repairs(&all.pairs, stream);
        char note[320];
        if (ts_shape_pairs_note(&all.pairs, note, sizeof note)[0])
            ts_print_wrapped(stream, note, 0, 0);
    }
    if (status == TS_OK)
        status = ts_output_json(wish->json, write_made, &all, error);
    ts_array_free(&all.made);
    ts_shape_pairs_free(&all.pairs);
    ts_scene_free(scene);
    return status;
}
