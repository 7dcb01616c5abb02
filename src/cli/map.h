/* SPDX-License-Identifier: MIT */
/* What the parts of `touchstone map` share: the command line's wishes, making a map while showing how far it is, and
 * words for what came out. map.c has the command, with build and info; map_wish.c what is asked for, map_pairing.c of
 * whom; map_tell.c the words; map_scene.c all maps of a scene; map_query.c, map_compare.c and map_plot.c what their
 * names say. */
#pragma once

#include "cli/cli.h"
#include "cli/format.h"
#include "cli/progress.h"
#include "cli/subjects.h"
#include "contact/worst_map.h"
#include "cspace/map.h"
#include "record/jsonwriter.h"

/* Values of the options; 0 and NULL: not given. */
typedef struct ts_map_wish {
    int kind, encoding; /* -1: not given */
    double error, smoothing, seconds, scale_a, scale_b;
    uint64_t bytes, depth, width, samples, seed, grid, threads, pixels;
    bool no_folding, refine, rebuild, no_cache, quick, quiet;
    const char *out, *json, *kinds, *poses;
    ts_texts set, search_path;
} ts_map_wish;

/* Puts what the command line says over what `options` have. */
void ts_map_wish_apply(const ts_map_wish *wish, ts_map_options *options);

/* What is to be done. */
typedef enum ts_map_verb {
    TS_MAP_BUILD = 1,
    TS_MAP_BUILD_SCENE = 2,
    TS_MAP_INFO = 4,
    TS_MAP_COMPARE = 8,
    TS_MAP_PLOT = 16,
    TS_MAP_QUERY = 32,
    TS_MAP_INFO_FILE = 64, /* of a map's file: there is nothing to be made */
    TS_MAP_QUERY_FILE = 128,
    TS_MAP_PLOT_FILE = 256
} ts_map_verb;

/* Refuses what is out of range, and what `verb` would pass over in silence. */
ts_status ts_map_wish_check(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error);
/* Refuses options that say something to other kinds of maps only; `kinds` has a bit 1 << kind for each that will be
 * made. */
ts_status ts_map_wish_suits(const ts_map_wish *wish, ts_map_verb bit, unsigned kinds, ts_error *error);

/* --kinds: words with commas between them, each once. */
typedef struct ts_map_kinds {
    ts_map_kind kind[TS_MAP_TABLE + 1]; /* as they were named (count) */
    size_t count;
    bool has[TS_MAP_TABLE + 1]; /* by kind */
} ts_map_kinds;

/* At least one. */
ts_status ts_map_kinds_parse(const char *list, ts_map_kinds *kinds, ts_error *error);

/* ---- Of whom ---- */

/* The two outlines that the command line names, or the map that has them. */
typedef struct ts_map_pairing {
    ts_subject a, b;  /* at the scales that were asked for */
    bool alone;       /* one shape, which meets its like */
    ts_map *map;      /* read from `file`; NULL: none was given */
    const char *file; /* borrowed */
} ts_map_pairing;

/* Whatever its name: a map begins as maps do. What is called a map is taken for one, so that its reader says what is
 * wrong. */
bool ts_is_map_file(const char *path);
/* `b` NULL: one shape alone, or a map's file. Says so when the sizes are so far apart that a unit was overlooked. */
ts_status ts_map_pairing_find(const ts_map_wish *wish, const char *a, const char *b, ts_map_pairing *pairing,
                              ts_error *error);
void ts_map_pairing_free(ts_map_pairing *pairing);

/* ---- Making ---- */

/* Several maps, one after the other, under one progress line. Ctrl-C stops it, and leaves nothing half-written. */
typedef struct ts_map_task {
    const ts_map_wish *wish;
    ts_progress progress;
    char label[80];    /* of the map that is being made */
    double done, next; /* shares of all the work: before it, and after it */
    bool warned;       /* of a cache that cannot be written */
} ts_map_task;

void ts_map_task_begin(ts_map_task *task, const ts_map_wish *wish);
void ts_map_task_end(ts_map_task *task);
/* The map number `index` of `count`; its `label` joins the progress line. */
void ts_map_task_step(ts_map_task *task, const char *label, size_t index, size_t count);
/* The same for work that goes from one share of all to another. */
void ts_map_task_part(ts_map_task *task, const char *label, double from, double to);
/* Makes it, or finds it; the first that the cache could not keep is told. */
ts_status ts_map_task_make(ts_map_task *task, const ts_outline *a, const ts_outline *b, const ts_map_options *wanted,
                           ts_map **map, ts_error *error);
/* A ts_map_progress; `user` is the task. */
bool ts_map_task_report(void *user, double done, const char *what);

/* ---- What came out ---- */

/* A map, and what the user called its outlines. */
typedef struct ts_told_map {
    const ts_map *map;
    const ts_map_pairing *of;
    const char *file; /* that it was read from or written to; may be NULL */
} ts_told_map;

/* Whether a map is as good as was asked: false for an `auto` that became exact, and for one whose mean error is larger
 * than wanted. */
bool ts_map_reached(const ts_map_info *info);
/* Why an auto map is exact, as a clause: "no table of at most 524 kB …". */
const char *ts_map_lack_text(ts_map_lack lack, const ts_map_options *options, char *text, size_t capacity);
void ts_print_map(const ts_told_map *told, FILE *stream);
/* For ts_output_json: an object. `subject` is a ts_told_map. */
void ts_write_map(ts_json *json, const void *subject);
/* The part of it that is known without a map. */
void ts_print_map_pair(ts_listing *listing, const ts_pair *pair, const ts_fold *fold, const ts_map_pairing *of);
void ts_write_map_pair(ts_json *json, const ts_pair *pair, const ts_fold *fold, const ts_map_pairing *of);
/* A listing row for each thing that was mended while an outline was read. */
void ts_print_repairs(ts_listing *listing, const char *label, const ts_outline *outline);
/* An object of its own; null when nothing was measured. */
void ts_map_errors_json(ts_json *json, const char *name, const ts_map_errors *errors);
/* "0.31 %" of a share, with the digits that matter. */
typedef struct ts_percent {
    char text[24];
} ts_percent;
ts_percent ts_show_percent(double share);
/* "worst map hash × hash: mean error 1.7 % of a radius, right sign 95.6 %" */
const char *ts_worst_map_text(const ts_worst_map *worst, char *text, size_t capacity);

/* What a query of one pose near contact takes, on one thread (map_compare.c). */
ts_status ts_map_time(const ts_map *map, double *seconds, ts_error *error);

/* ---- What is done ---- */

ts_status ts_map_build_scene(const ts_map_wish *wish, const char *path, ts_error *error);     /* map_scene.c */
ts_status ts_map_compare(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error); /* map_compare.c */
ts_status ts_map_plot(const ts_map_wish *wish, const ts_map_pairing *of, ts_error *error);    /* map_plot.c */
/* `number`: x, y and angle as they were typed; NULL: poses come from --poses (map_query.c). */
ts_status ts_map_ask(const ts_map_wish *wish, const ts_map_pairing *of, const char *const *number, ts_error *error);
