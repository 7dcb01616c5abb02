/* SPDX-License-Identifier: MIT */
/* What the parts of `touchstone map` share: the command line's wishes, making a map while showing how far it is, and words
 * for what came out. map.c has the command, with build, info and plot; map_wish.c what is asked for; map_tell.c the words;
 * map_compare.c sets the kinds side by side. */
#pragma once

#include "cli/cli.h"
#include "cli/format.h"
#include "cli/progress.h"
#include "cli/subjects.h"
#include "cspace/map.h"
#include "record/jsonwriter.h"

/* Values of the options; 0 and NULL: not given. */
typedef struct ts_map_wish {
    int kind, encoding; /* -1: not given */
    double error, smoothing, seconds;
    uint64_t bytes, depth, width, samples, seed, grid, threads, pixels;
    bool no_folding, refine, rebuild, no_cache, quick, quiet;
    const char *out, *json, *kinds;
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
    TS_MAP_PLOT = 16
} ts_map_verb;

/* Refuses what is out of range, and what `verb` would pass over in silence. */
ts_status ts_map_wish_check(const ts_map_wish *wish, const char *verb, ts_map_verb bit, ts_error *error);

/* --kinds: words with commas between them, each once. */
typedef struct ts_map_kinds {
    ts_map_kind kind[TS_MAP_TABLE + 1]; /* as they were named (count) */
    size_t count;
    bool has[TS_MAP_TABLE + 1]; /* by kind */
} ts_map_kinds;

/* At least one. */
ts_status ts_map_kinds_parse(const char *list, ts_map_kinds *kinds, ts_error *error);

/* Several maps, one after the other, under one progress line. Ctrl-C stops it, and leaves nothing half-written. */
typedef struct ts_map_task {
    const ts_map_wish *wish;
    ts_progress progress;
    char label[80];    /* of the map that is being made */
    double done, next; /* shares of all the work: before it, and after it */
} ts_map_task;

void ts_map_task_begin(ts_map_task *task, const ts_map_wish *wish);
void ts_map_task_end(ts_map_task *task);
/* The map number `index` of `count`; its `label` joins the progress line. */
void ts_map_task_step(ts_map_task *task, const char *label, size_t index, size_t count);
ts_status ts_map_task_make(ts_map_task *task, const ts_outline *a, const ts_outline *b, const ts_map_options *wanted,
                           ts_map **map, ts_error *error);
/* A ts_map_progress; `user` is the task. */
bool ts_map_task_report(void *user, double done, const char *what);

/* ---- What came out ---- */

/* A map with the names that the user gave its outlines. */
typedef struct ts_told_map {
    const ts_map *map;
    const char *name_a, *name_b;
    const char *file; /* that it was read from or written to; may be NULL */
    bool read;        /* from it */
} ts_told_map;

/* Whether a map is as good as was asked: false for an `auto` that became exact, and for one whose mean error is larger than wanted. */
bool ts_map_reached(const ts_map_info *info);
void ts_print_map(const ts_told_map *told, FILE *stream);
/* For ts_output_json: an object. `subject` is a ts_told_map. */
void ts_write_map(ts_json *json, const void *subject);
/* The part of it that is known without a map. */
void ts_print_map_pair(ts_listing *listing, const ts_pair *pair, const ts_fold *fold);
void ts_write_map_pair(ts_json *json, const ts_pair *pair, const ts_fold *fold, const char *name_a, const char *name_b);
/* An object of its own; null when nothing was measured. */
void ts_map_errors_json(ts_json *json, const char *name, const ts_map_errors *errors);
/* "0.31 %" of a share, with the digits that matter. */
typedef struct ts_percent {
    char text[24];
} ts_percent;
ts_percent ts_show_percent(double share);

/* What a query of one pose near contact takes, on one thread (map_compare.c). */
ts_status ts_map_time(const ts_map *map, double *seconds, ts_error *error);
/* touchstone map compare (map_compare.c). */
ts_status ts_map_compare(const ts_map_wish *wish, const ts_subject *a, const ts_subject *b, ts_error *error);
