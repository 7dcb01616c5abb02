/* SPDX-License-Identifier: MIT */
/* touchstone map: contact maps, made, looked at, compared and drawn. */
#include "cli/map.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/format.h"
#include "cli/shape_pairs.h"
#include "cli/signals.h"
#include "cspace/cache.h"
#include "cspace/map_file.h"
#include "record/draw_map.h"
#include "study/output.h"

typedef ts_map_wish options;

static const options defaults = {.kind = -1, .encoding = -1};

static const ts_option option[] = {
    TS_CHOICE("kind", 'k', "KIND", "auto|exact|sampled|network|table", kind,
              "how the map knows (default auto: the smallest table that is good enough, else exact)"),
    TS_NUMBER("error", 'e', "SHARE", error,
              "auto, table, network: mean error near contact that will do, as a share of the smaller radius (default "
              "0.002; network: it trains to the end)"),
    TS_COUNT("bytes", 0, "N", 1, 0, bytes, "auto, table: at most this many (default 524288)"),
    TS_COUNT("depth", 0, "N", 1, TS_NETWORK_DEPTH_MAX, depth, "network: hidden layers (default 5)"),
    TS_COUNT("width", 0, "N", 1, TS_NETWORK_WIDTH_MAX, width, "network: neurons a layer (default 64)"),
    TS_CHOICE("encoding", 0, "CODE", "circle|raw", encoding,
              "network: told cosine and sine of the angle, or the angle itself (default circle)"),
    TS_FLAG("no-folding", 0, no_folding, "network, table: make no use of symmetry"),
    TS_WALL("seconds", 0, "T", seconds, "network: train for about this long, which ends determinism"),
    TS_COUNT("samples", 0, "N", 1, 0, samples, "network: how many training looks at (default: by the network's size)"),
    TS_COUNT("seed", 0, "N", 0, 0, seed, "network: of data and weights (default 0)"),
    TS_COUNT("grid", 0, "N", 3, 2001, grid, "sampled: points a side (default 201)"),
    TS_FLAG("refine", 0, refine, "sampled: from the best point of the grid down to the minimum"),
    TS_NUMBER("smoothing", 0, "SHARE", smoothing,
              "exact, sampled: width over which corners are rounded, as a share of the larger radius (default 0)"),
    TS_TEXT("out", 'o', "FILE", out, "build: write the map here; plot: the picture (default: out/map-A-B.png)"),
    TS_COUNT("pixels", 0, "N", 400, 8192, pixels, "plot: width of the picture (default 1600)"),
    TS_FLAG("rebuild", 0, rebuild, "make it anew even if the cache has it"),
    TS_FLAG("no-cache", 0, no_cache, "neither look in the cache nor keep the map there"),
    TS_TEXT(
        "kinds", 0, "LIST", kinds,
        "compare, plot: these, with commas between them: exact, sampled, network, table, auto (default: compare all; "
        "plot the one of --kind)"),
    TS_FLAG("quick", 0, quick, "compare: train for seconds, measure on few poses"),
    TS_TEXTS("set", 's', "PATH=VALUE", set, "build SCENE: change a value of the scene; may be repeated"),
    TS_TEXTS("search-path", 'I', "DIR", search_path, "build SCENE: files that it names may lie here too; repeatable"),
    TS_JSON_OPTION(json, "write the result as JSON"),
    TS_THREADS_OPTION(threads),
    TS_QUIET_OPTION(quiet, "no table and no progress"),
};

/* ---- What the parts share ---- */

static ts_signals old_signals;

void ts_map_task_begin(ts_map_task *task, const ts_map_wish *wish)
{
    *task = (ts_map_task){.wish = wish, .next = 1};
    ts_progress_begin(&task->progress, stderr, wish->quiet, 0, 1, ts_clock_seconds());
    ts_signals_catch(&old_signals);
}

void ts_map_task_end(ts_map_task *task)
{
    ts_progress_clear(&task->progress);
    ts_signals_release(&old_signals);
}

void ts_map_task_step(ts_map_task *task, const char *label, size_t index, size_t count)
{
    snprintf(task->label, sizeof task->label, "%.79s", label);
    task->done = (double)index / (double)count;
    task->next = (double)(index + 1) / (double)count;
}

bool ts_map_task_report(void *user, double done, const char *what)
{
    ts_map_task *task = user;
    double all = task->done + (task->next - task->done) * fmin(fmax(done, 0), 1);
    char text[200];
    snprintf(text, sizeof text, "%s%s%s", task->label, task->label[0] && what && *what ? ": " : "", what ? what : "");
    /* the line is removed when all is done, not when one map is */
    ts_progress_report(&task->progress, fmin(all, 0.9999), text);
    return !ts_stop_requested();
}

ts_status ts_map_task_make(ts_map_task *task, const ts_outline *a, const ts_outline *b, const ts_map_options *wanted,
                           ts_map **map, ts_error *error)
{
    ts_map_making making = {.threads = (int)task->wish->threads,
                            .cache = task->wish->no_cache ? "" : NULL,
                            .rebuild = task->wish->rebuild,
                            .progress = ts_map_task_report,
                            .progress_user = task};
    return ts_map_create(a, b, wanted, &making, map, error);
}

/* ---- build A B ---- */

static ts_status build_pair(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error)
{
    ts_map_options o = {0};
    ts_map *map = NULL;
    ts_map_wish_apply(wish, &o);
    ts_map_task task;
    ts_map_task_begin(&task, wish);
    ts_status status = ts_map_task_make(&task, a->outline, b->outline, &o, &map, error);
    ts_map_task_end(&task);
    if (status == TS_OK && wish->out)
        status = ts_map_write(map, wish->out, error);
    ts_told_map told = {map, a->name, b->name, wish->out, false};
    if (status == TS_OK && !wish->quiet)
        ts_print_map(&told, ts_output_stream(wish->json));
    if (status == TS_OK)
        status = ts_output_json(wish->json, ts_write_map, &told, error);
    ts_map_free(map);
    return status;
}

/* ---- build SCENE ---- */

/* What is kept of each map of a scene: the map itself would be too much. */
typedef struct made_map {
    ts_map_info info;
    const char *name_a, *name_b;
} made_map;

typedef struct scene_maps {
    const char *scene;
    ts_shape_pairs pairs;
    TS_ARRAY(made_map) made;
} scene_maps;

static void print_made(const scene_maps *all, FILE *stream)
{
    double bytes = 0, seconds = 0;
    size_t cached = 0, short_of = 0, exact = 0;
    ts_listing listing = ts_listing_make("llrrrr");
    ts_listing_row(&listing, "pair\tkind\tsize\tmean error\tworst\tmade in, or from");
    for (size_t i = 0; i < all->made.count; i++) {
        const made_map *m = &all->made.item[i];
        bool measured = m->info.errors.samples > 0;
        bytes += (double)m->info.bytes;
        seconds += m->info.from_cache ? 0 : m->info.build_seconds;
        cached += m->info.from_cache;
        exact += !ts_map_reached(&m->info) && m->info.kind == TS_MAP_EXACT;
        short_of += !ts_map_reached(&m->info) && m->info.kind != TS_MAP_EXACT;
        ts_listing_row(&listing, "%.20s × %.20s\t%s\t%s\t%s\t%s\t%s", m->name_a, m->name_b,
                       ts_map_kind_name(m->info.kind), ts_show_bytes((double)m->info.bytes).text,
                       measured ? ts_show_percent(m->info.errors.mean).text : "–",
                       measured ? ts_show_percent(m->info.errors.worst).text : "–",
                       m->info.from_cache ? "the cache" : ts_show_wall(m->info.build_seconds).text);
    }
    ts_listing_print(&listing, stream);
    fprintf(stream, "%s, %s; %s made in %s, %zu from the cache\n", ts_show_counted(all->made.count, "map").text,
            ts_show_bytes(bytes).text, ts_show_count(all->made.count - cached).text, ts_show_wall(seconds).text,
            cached);
    char text[256];
    if (exact > 0) {
        snprintf(text, sizeof text, "For %s no table was good enough: exact, right but slow to ask.",
                 ts_show_counted(exact, "pair").text);
        ts_print_wrapped(stream, text, 0, 0);
    }
    if (short_of > 0) {
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
        ts_map_errors_json(json, "errors", &m->info.errors);
        ts_json_end(json);
    }
    ts_json_end(json);
    ts_json_uint(json, "pairs_without_maps", all->pairs.many.count);
    ts_json_end(json);
}

static ts_status build_all(const ts_map_wish *wish, scene_maps *all, ts_error *error)
{
    ts_map_task task;
    ts_status status = TS_OK;
    ts_map_options o = all->pairs.options;
    ts_map_wish_apply(wish, &o);
    ts_map_task_begin(&task, wish);
    for (size_t i = 0; i < all->pairs.pair.count && status == TS_OK; i++) {
        const ts_form_of_shape *a = &all->pairs.form.item[all->pairs.pair.item[i].a];
        const ts_form_of_shape *b = &all->pairs.form.item[all->pairs.pair.item[i].b];
        char label[160];
        ts_map *map = NULL;
        snprintf(label, sizeof label, "%zu/%zu %.24s × %.24s", i + 1, all->pairs.pair.count, a->name, b->name);
        ts_map_task_step(&task, label, i, all->pairs.pair.count);
        status = ts_map_task_make(&task, a->outline, b->outline, &o, &map, error);
        if (status == TS_OK)
            status = ts_array_push(&all->made, ((made_map){map->info, a->name, b->name}), error);
        ts_map_free(map);
    }
    ts_map_task_end(&task);
    if (status == TS_INTERRUPTED && all->made.count > 0)
        ts_cli_note("%zu of %zu maps were made%s", all->made.count, all->pairs.pair.count,
                    wish->no_cache ? "" : " and are in the cache");
    return status;
}

static ts_status build_scene(const ts_map_wish *wish, const char *path, ts_error *error)
{
    ts_scene *scene = NULL;
    ts_load_options how = {.override = wish->set.item,
                           .override_count = wish->set.count,
                           .search_path = wish->search_path.item,
                           .search_path_count = wish->search_path.count};
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a scene, or two shapes", path);
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

/* ---- info ---- */

static ts_status info_file(const ts_map_wish *wish, const char *path, ts_error *error)
{
    ts_map *map = NULL;
    if (!ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; give a map, or two shapes", path);
    TS_TRY(ts_map_read(path, &map, error));
    ts_told_map told = {map, "A", "B", path, true};
    if (!wish->quiet)
        ts_print_map(&told, ts_output_stream(wish->json));
    ts_status status = ts_output_json(wish->json, ts_write_map, &told, error);
    ts_map_free(map);
    return status;
}

/* What is known of a pair before its map is made. */
typedef struct known_pair {
    const ts_pair *pair;
    const char *name_a, *name_b;
} known_pair;

static void write_known(ts_json *json, const void *subject)
{
    const known_pair *known = subject;
    ts_fold fold = ts_fold_make(known->pair, true);
    ts_json_begin_object(json, NULL);
    ts_write_map_pair(json, known->pair, &fold, known->name_a, known->name_b);
    ts_json_null(json, "kind");
    ts_json_end(json);
}

static ts_status tell_pair(const ts_map_wish *wish, const known_pair *known, ts_error *error)
{
    ts_fold fold = ts_fold_make(known->pair, true);
    if (!wish->quiet) {
        FILE *stream = ts_output_stream(wish->json);
        fprintf(stream, "%s × %s\n", known->name_a, known->name_b);
        ts_listing listing = ts_listing_make("ll");
        ts_print_map_pair(&listing, known->pair, &fold);
        ts_listing_row(&listing, "  map\tnot in the cache; `touchstone map build` makes it");
        ts_listing_print(&listing, stream);
    }
    return ts_output_json(wish->json, write_known, known, error);
}

static ts_status info_pair(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error)
{
    char folder[4096];
    ts_map_options given = {0}, complete;
    ts_pair *pair = NULL;
    ts_map *map = NULL;
    ts_map_wish_apply(wish, &given);
    TS_TRY(ts_map_options_complete(&given, &complete, error));
    TS_TRY(ts_pair_create(a->outline, b->outline, &pair, error));
    ts_status status = TS_OK;
    if (complete.kind == TS_MAP_EXACT || complete.kind == TS_MAP_SAMPLED) { /* nothing to be made: at hand at once */
        ts_map_making making = {.cache = "", .threads = (int)wish->threads};
        status = ts_map_create(a->outline, b->outline, &given, &making, &map, error);
    } else if (!wish->no_cache) {
        status = ts_cache_find(ts_map_cache_folder(folder, sizeof folder), pair, &complete, &map, error);
    }
    if (status == TS_OK && map) {
        ts_told_map told = {map, a->name, b->name, NULL, false};
        if (!wish->quiet)
            ts_print_map(&told, ts_output_stream(wish->json));
        status = ts_output_json(wish->json, ts_write_map, &told, error);
    } else if (status == TS_OK) {
        status = tell_pair(wish, &(known_pair){pair, a->name, b->name}, error);
    }
    ts_map_free(map);
    ts_pair_free(pair);
    return status;
}

/* ---- plot ---- */

enum { path_size = 4096 };

/* Names of shapes may hold anything; those of files may not. */
static void plain_name(char *name)
{
    for (char *c = name; *c; c++)
        *c = *c == '/' || *c == ' ' || *c == '\'' || (unsigned char)*c < 32 ? '-' : *c;
}

static ts_status picture_path(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, char path[path_size],
                              ts_error *error)
{
    char name_a[72], name_b[72];
    if (wish->out && !ts_path_ends_in(wish->out, ".png"))
        return ts_fail(error, TS_BAD_INPUT, "-o '%s' does not end in .png; pictures are PNG files", wish->out);
    if (wish->out && strlen(wish->out) >= path_size)
        return ts_fail(error, TS_BAD_INPUT, "the path of the picture is too long; shorten it");
    if (wish->out) {
        snprintf(path, path_size, "%s", wish->out);
        return TS_OK;
    }
    snprintf(name_a, sizeof name_a, "%s", a->part[0] ? a->part : "A");
    snprintf(name_b, sizeof name_b, "%s", b->part[0] ? b->part : "B");
    plain_name(name_a);
    plain_name(name_b);
    snprintf(path, path_size, "out/map-%s-%s.png", name_a, name_b);
    return ts_folder_make("out", error);
}

/* The kinds that are drawn: --kinds, else --kind, else auto. */
static ts_status plotted_kinds(const ts_map_wish *wish, ts_map_kinds *kinds, ts_error *error)
{
    if (!wish->kinds) {
        *kinds = (ts_map_kinds){.kind = {wish->kind >= 0 ? (ts_map_kind)wish->kind : TS_MAP_AUTO}, .count = 1};
        return TS_OK;
    }
    TS_TRY(ts_map_kinds_parse(wish->kinds, kinds, error));
    if (kinds->count > TS_MAP_PICTURE_MORE + 1)
        return ts_fail(error, TS_BAD_INPUT, "--kinds names more than %d; a picture has room for as many",
                       TS_MAP_PICTURE_MORE + 1);
    return TS_OK;
}

typedef struct plot {
    ts_map *map[TS_MAP_PICTURE_MORE + 1];
    size_t count;
    ts_pool *pool;
} plot;

static ts_status draw(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, plot *p, const char *path,
                      ts_error *error)
{
    char title[400];
    snprintf(title, sizeof title, "%s × %s", a->name, b->name);
    ts_map_picture about = {.title = title,
                            .name_a = a->part[0] ? a->part : a->name,
                            .name_b = b->part[0] ? b->part : b->name,
                            .width = wish->pixels ? (int)wish->pixels : 1600};
    TS_TRY(ts_map_time(p->map[0], &about.query_seconds, error));
    for (size_t i = 1; i < p->count; i++) {
        about.more[i - 1] = p->map[i];
        TS_TRY(ts_map_time(p->map[i], &about.more_seconds[i - 1], error));
    }
    TS_TRY(ts_pool_create((int)wish->threads, &p->pool, error));
    about.pool = p->pool;
    TS_TRY(ts_draw_map(path, p->map[0], &about, error));
    if (!wish->quiet)
        fprintf(ts_output_stream(wish->json), "picture: %s\n", path);
    return ts_output_json(wish->json, ts_write_map, &(ts_told_map){p->map[0], a->name, b->name, path, false}, error);
}

static ts_status plot_pair(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error)
{
    char path[path_size];
    ts_map_kinds kinds;
    plot p = {0};
    TS_TRY(plotted_kinds(wish, &kinds, error));
    TS_TRY(picture_path(wish, a, b, path, error));
    ts_map_options o = {0};
    ts_map_wish_apply(wish, &o);
    ts_map_task task;
    ts_status status = TS_OK;
    ts_map_task_begin(&task, wish);
    for (; p.count < kinds.count && status == TS_OK; p.count += status == TS_OK) {
        o.kind = kinds.kind[p.count];
        ts_map_task_step(&task, ts_map_kind_name(o.kind), p.count, kinds.count);
        status = ts_map_task_make(&task, a->outline, b->outline, &o, &p.map[p.count], error);
    }
    ts_map_task_end(&task);
    if (status == TS_OK)
        status = draw(wish, a, b, &p, path, error);
    for (size_t i = 0; i < p.count; i++)
        ts_map_free(p.map[i]);
    ts_pool_free(p.pool);
    return status;
}

/* ---- The command ---- */

typedef ts_status on_pair(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error);

/* One shape alone meets its like. */
static ts_status with_pair(on_pair *act, const ts_map_wish *wish, const char *a, const char *b, ts_error *error)
{
    ts_subject one = {0}, other = {0};
    ts_status status = ts_subject_find(a, &one, error);
    if (status == TS_OK)
        status = ts_subject_find(b, &other, error);
    if (status == TS_OK)
        status = act(wish, &one, &other, error);
    ts_subject_free(&one);
    ts_subject_free(&other);
    return status;
}

/* Whatever its name: a map begins as maps do. One that is called a map is taken for one, so that its reader says what is wrong. */
static bool is_map_file(const char *path)
{
    char begin[sizeof TS_MAP_FILE_MAGIC - 1];
    FILE *file = ts_path_ends_in(path, ".tsmap") ? NULL : fopen(path, "rb");
    if (!file)
        return ts_path_ends_in(path, ".tsmap");
    bool is =
        fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, TS_MAP_FILE_MAGIC, sizeof begin) == 0;
    fclose(file);
    return is;
}

static ts_status act(const ts_map_wish *wish, const ts_operands *operands, ts_error *error)
{
    const char *verb = operands->item[0], *a = operands->item[1];
    bool alone = operands->count == 2;
    const char *b = alone ? a : operands->item[2];
    if (strcmp(verb, "build") == 0 && alone && ts_path_ends_in(a, ".json")) {
        TS_TRY(ts_map_wish_check(wish, "build SCENE", TS_MAP_BUILD_SCENE, error));
        return build_scene(wish, a, error);
    }
    if (strcmp(verb, "build") == 0) {
        TS_TRY(ts_map_wish_check(wish, "build A B", TS_MAP_BUILD, error));
        return with_pair(build_pair, wish, a, b, error);
    }
    if (strcmp(verb, "info") == 0) {
        TS_TRY(ts_map_wish_check(wish, verb, TS_MAP_INFO, error));
        return alone && is_map_file(a) ? info_file(wish, a, error) : with_pair(info_pair, wish, a, b, error);
    }
    bool plots = strcmp(verb, "plot") == 0;
    TS_TRY(ts_map_wish_check(wish, verb, plots ? TS_MAP_PLOT : TS_MAP_COMPARE, error));
    return with_pair(plots ? plot_pair : ts_map_compare, wish, a, b, error);
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    static const char *const verb[] = {"build", "info", "compare", "plot"};
    enum { verb_count = sizeof verb / sizeof verb[0] };
    const char *given = operands->count ? operands->item[0] : NULL;
    size_t known = 0;
    ts_error error;
    while (given && known < verb_count && strcmp(verb[known], given) != 0)
        known++;
    if (!given)
        ts_fail(&error, TS_BAD_INPUT, "what shall be done? Write build, info, compare or plot before the shapes");
    else if (known == verb_count) {
        const char *near = ts_nearest_name(given, verb, verb_count);
        ts_fail(&error, TS_BAD_INPUT, "it knows build, info, compare and plot, not '%s'%s%s%s", given,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    } else if (operands->count == 1)
        ts_fail(&error, TS_BAD_INPUT, "which shapes? Give two, as in `touchstone map %s hash octagon`", given);
    else
        return act(values, operands, &error) == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
    return ts_cli_misuse(&ts_command_map, &error);
}

const ts_command ts_command_map = {
    .name = "map",
    .usage = "build A [B] [OPTIONS]\nbuild SCENE [OPTIONS]\ninfo A [B] | FILE [OPTIONS]\ncompare A [B] [OPTIONS]\n"
             "plot A [B] [-o FILE.png] [OPTIONS]",
    .summary = "contact maps of pairs of outlines: make, tell, compare, draw",
    .text =
        "A contact map knows, for two outlines in any relative pose, how far apart they are or how deep they overlap, "
        "in "
        "which direction that changes, and where they touch. It is worked out from the outlines (exact, sampled) or "
        "beforehand and looked up (network, table). Maps that took time to make are kept in a cache folder, "
        "$TOUCHSTONE_CACHE or ~/.cache/touchstone, and found there by the form of the outlines.\n\n"
        "A and B are drawing.svg or drawing.svg:id, font.ttf:G, scene.json:shape, or a grain of the library, such as "
        "hash or arc-50. One shape alone meets its like. Of a scene, build makes the maps of all pairs.",
    .example = "touchstone map build hash octagon\n"
               "touchstone map build scenes/outlines.json\n"
               "touchstone map compare hash --quick\n"
               "touchstone map plot U N -o map.png",
    .table = {option, sizeof option / sizeof option[0]},
    .defaults = &defaults,
    .size = sizeof defaults,
    .operand_most = 3,
    .run = run,
};
