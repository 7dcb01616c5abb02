/* SPDX-License-Identifier: MIT */
/* touchstone map: contact maps, made, looked at, asked, compared and drawn. */
#include "cli/map.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/format.h"
#include "cli/signals.h"
#include "cspace/cache.h"
#include "study/output.h"

typedef ts_map_wish options;

static const options defaults = {.kind = -1, .encoding = -1};

static const ts_option option[] = {
    TS_CHOICE("kind", 'k', "KIND", "auto|exact|sampled|network|table", kind,
              "how the map knows (default auto: the smallest table that is good enough, else exact)"),
    TS_NUMBER("error", 'e', "SHARE", error,
              "auto, table, network: mean error near contact that will do, as a share of the smaller radius (default "
              "0.002, or with --bytes the least that they allow; network: it trains to the end)"),
    TS_COUNT("bytes", 0, "N", 1, 0, bytes,
             "auto, table: at most this many; without --error, the best table within them (default 524288)"),
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
    TS_NUMBER("scale-a", 0, "FACTOR", scale_a,
              "A is this many times as large as it is drawn: 0.001 makes metres of millimetres (default 1)"),
    TS_NUMBER("scale-b", 0, "FACTOR", scale_b, "the same of B"),
    TS_TEXT("poses", 0, "FILE", poses,
            "query: poses from here, x, y and angle a line with commas between them; answers are CSV, or JSON; '-' is "
            "standard input"),
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
    ts_map_task_part(task, label, (double)index / (double)count, (double)(index + 1) / (double)count);
}

void ts_map_task_part(ts_map_task *task, const char *label, double from, double to)
{
    snprintf(task->label, sizeof task->label, "%.79s", label);
    task->done = from;
    task->next = to;
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
    TS_TRY(ts_map_create(a, b, wanted, &making, map, error));
    if ((*map)->unkept[0] && !task->warned) {
        ts_progress_clear(&task->progress);
        ts_cli_note("the map was made, but the cache cannot keep it: %s", (*map)->unkept);
        task->warned = true;
    }
    return TS_OK;
}

/* ---- build A B ---- */

static ts_status build_pair(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error)
{
    ts_map_options o = {0};
    ts_map *map = NULL;
    ts_map_wish_apply(wish, &o);
    ts_map_task task;
    ts_map_task_begin(&task, wish);
    ts_status status = ts_map_task_make(&task, of->a.outline, of->b.outline, &o, &map, error);
    ts_map_task_end(&task);
    if (status == TS_OK && wish->out)
        status = ts_map_write(map, wish->out, error);
    ts_told_map told = {map, of, wish->out};
    if (status == TS_OK && !wish->quiet)
        ts_print_map(&told, ts_output_stream(wish->json));
    if (status == TS_OK)
        status = ts_output_json(wish->json, ts_write_map, &told, error);
    ts_map_free(map);
    return status;
}

/* ---- info ---- */

static ts_status tell_map(const ts_map_wish *wish, const ts_told_map *told, ts_error *error)
{
    if (!wish->quiet)
        ts_print_map(told, ts_output_stream(wish->json));
    return ts_output_json(wish->json, ts_write_map, told, error);
}

/* What is known of a pair before its map is made. */
typedef struct known_pair {
    const ts_pair *pair;
    const ts_map_pairing *of;
    ts_fold fold; /* of the map that would be made */
} known_pair;

static void write_known(ts_json *json, const void *subject)
{
    const known_pair *known = subject;
    ts_json_begin_object(json, NULL);
    ts_write_map_pair(json, known->pair, &known->fold, known->of);
    ts_json_null(json, "kind");
    ts_json_end(json);
}

static ts_status tell_pair(const ts_map_wish *wish, const known_pair *known, ts_error *error)
{
    if (!wish->quiet) {
        FILE *stream = ts_output_stream(wish->json);
        fprintf(stream, "%s × %s\n", known->of->a.name, known->of->b.name);
        ts_listing listing = ts_listing_make("ll");
        ts_print_map_pair(&listing, known->pair, &known->fold, known->of);
        ts_listing_row(&listing, "  map\tnot in the cache; `touchstone map build` makes it");
        ts_listing_print(&listing, stream);
    }
    return ts_output_json(wish->json, write_known, known, error);
}

/* As the map that would be made folds, with A and B in its order. */
static ts_fold fold_wanted(const ts_pair *pair, const ts_map_options *wanted)
{
    ts_pair ordered = *pair;
    if (ts_pair_is_turned(&ordered))
        ts_pair_turn(&ordered);
    return ts_map_fold(wanted->kind, &ordered, !wanted->no_folding);
}

static ts_status info_pair(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error)
{
    char folder[4096];
    ts_map_options given = {0}, complete;
    ts_pair *pair = NULL;
    ts_map *map = NULL;
    if (of->map)
        return tell_map(wish, &(ts_told_map){of->map, of, of->file}, error);
    ts_map_wish_apply(wish, &given);
    TS_TRY(ts_map_options_complete(&given, &complete, error));
    TS_TRY(ts_pair_create(of->a.outline, of->b.outline, &pair, error));
    ts_status status = TS_OK;
    if (complete.kind == TS_MAP_EXACT || complete.kind == TS_MAP_SAMPLED) { /* nothing to be made: at hand at once */
        ts_map_making making = {.cache = "", .threads = (int)wish->threads};
        status = ts_map_create(of->a.outline, of->b.outline, &given, &making, &map, error);
    } else if (!wish->no_cache) {
        status = ts_cache_find(ts_map_cache_folder(folder, sizeof folder), pair, &complete, &map, error);
    }
    if (status == TS_OK && map)
        status = tell_map(wish, &(ts_told_map){map, of, NULL}, error);
    else if (status == TS_OK)
        status = tell_pair(wish, &(known_pair){pair, of, fold_wanted(pair, &complete)}, error);
    ts_map_free(map);
    ts_pair_free(pair);
    return status;
}

/* ---- The command ---- */

/* A word before the shapes. */
typedef struct verb {
    const char *name;
    ts_map_verb bit, bit_of_file; /* 0: a map's file is no use to it */
    ts_status (*act)(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error);
} verb;

static const verb verbs[] = {
    {"build", TS_MAP_BUILD, 0, build_pair},
    {"info", TS_MAP_INFO, TS_MAP_INFO_FILE, info_pair},
    {"query", TS_MAP_QUERY, TS_MAP_QUERY_FILE, NULL}, /* has more to be told */
    {"compare", TS_MAP_COMPARE, TS_MAP_COMPARE, ts_map_compare},
    {"plot", TS_MAP_PLOT, TS_MAP_PLOT_FILE, ts_map_plot},
};
enum { verb_count = sizeof verbs / sizeof *verbs };

/* Where the shapes end and a pose begins. */
static ts_status count_shapes(const verb *what, const ts_map_wish *wish, const ts_operands *operands, size_t *shapes,
                              ts_error *error)
{
    bool asks = what->bit == TS_MAP_QUERY;
    size_t given = operands->count - 1, numbers = asks && !wish->poses ? 3 : 0;
    *shapes = given - numbers;
    if (given < numbers + 1)
        return ts_fail(error, TS_BAD_INPUT,
                       "which pose? Give x, y [m] and angle [rad] of B in A's frame after the shapes, as in "
                       "`touchstone map query hash octagon 1.5 0 0.3`, or --poses FILE");
    if (given > numbers + 2)
        return ts_fail(error, TS_BAD_INPUT, "'%s' is one argument too many%s", operands->item[numbers + 3],
                       asks && wish->poses ? ": poses come from --poses" : "");
    return TS_OK;
}

static ts_status act(const verb *what, const ts_map_wish *wish, const ts_operands *operands, ts_error *error)
{
    size_t shapes;
    char title[32];
    TS_TRY(count_shapes(what, wish, operands, &shapes, error));
    const char *a = operands->item[1], *b = shapes == 2 ? operands->item[2] : NULL;
    bool builds = what->bit == TS_MAP_BUILD, file = !b && ts_is_map_file(a);
    if (builds && file)
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a map already; build makes one of two shapes, or all of a scene",
                       a);
    if (builds && !b && ts_path_ends_in(a, ".json")) {
        TS_TRY(ts_map_wish_check(wish, "build SCENE", TS_MAP_BUILD_SCENE, error));
        return ts_map_build_scene(wish, a, error);
    }
    snprintf(title, sizeof title, "%s%s", what->name, builds ? " A B" : file ? " FILE" : "");
    TS_TRY(ts_map_wish_check(wish, title, file ? what->bit_of_file : what->bit, error));
    ts_map_pairing pairing;
    ts_status status = ts_map_pairing_find(wish, a, b, &pairing, error);
    if (status == TS_OK && what->act)
        status = what->act(wish, &pairing, error);
    else if (status == TS_OK)
        status = ts_map_ask(wish, &pairing, wish->poses ? NULL : operands->item + 1 + shapes, error);
    ts_map_pairing_free(&pairing);
    return status;
}

static ts_exit run(const void *values, const ts_operands *operands)
{
    const char *given = operands->count ? operands->item[0] : NULL, *name[verb_count];
    size_t known = 0;
    ts_error error;
    for (size_t i = 0; i < verb_count; i++)
        name[i] = verbs[i].name;
    while (given && known < verb_count && strcmp(name[known], given) != 0)
        known++;
    if (!given)
        ts_fail(&error, TS_BAD_INPUT,
                "what shall be done? Write build, info, query, compare or plot before the shapes");
    else if (known == verb_count) {
        const char *near = ts_nearest_name(given, name, verb_count);
        ts_fail(&error, TS_BAD_INPUT, "it knows build, info, query, compare and plot, not '%s'%s%s%s", given,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    } else if (operands->count == 1)
        ts_fail(&error, TS_BAD_INPUT,
                "which shapes? Give two, as in `touchstone map %s hash octagon%s`; `touchstone shape` lists the grains",
                given, verbs[known].act ? "" : " 1.5 0 0.3");
    else
        return act(&verbs[known], values, operands, &error) == TS_OK ? TS_EXIT_OK : ts_cli_fail(&error);
    return ts_cli_misuse(&ts_command_map, &error);
}

const ts_command ts_command_map = {
    .name = "map",
    .usage = "build A [B] [OPTIONS]\nbuild SCENE [OPTIONS]\ninfo A [B] | FILE [OPTIONS]\n"
             "query A [B] | FILE X Y ANGLE [OPTIONS]\nquery A [B] | FILE --poses FILE [OPTIONS]\n"
             "compare A [B] | FILE [OPTIONS]\nplot A [B] | FILE [-o FILE.png] [OPTIONS]",
    .summary = "contact maps of pairs of outlines: make, tell, ask, compare, draw",
    .text =
        "A contact map knows, for two outlines in any relative pose, how far apart they are or how deep they overlap, "
        "in which direction that changes, and where they touch. It is worked out from the outlines (exact, sampled) or "
        "beforehand and looked up (network, table). Maps that took time to make are kept in a cache folder, "
        "$TOUCHSTONE_CACHE or ~/.cache/touchstone, and found there by the form of the outlines.\n\n"
        "A and B are drawing.svg or drawing.svg:id, font.ttf:G, scene.json:shape, or a grain of the library, such as "
        "hash or arc-50; `touchstone shape` lists them. One shape alone meets its like. One unit of a drawing and the "
        "em of a font count as a metre; --scale-a and --scale-b make others of them. FILE is a map that build -o "
        "wrote. Of a scene, build makes the maps of all pairs.\n\n"
        "query prints what the map answers when A stands at the origin and B's centre of mass at X, Y [m], turned by "
        "ANGLE [rad]: gap (and the exact one beside it), normal, slope, turns, arms and points.",
    .example = "touchstone map build hash octagon\n"
               "touchstone map build scenes/outlines.json\n"
               "touchstone map query hash octagon 1.5 0 0.3\n"
               "touchstone map compare hash --quick\n"
               "touchstone map plot U N -o map.png",
    TS_OPTIONS(option, defaults),
    .operand_most = 6,
    .run = run,
};
