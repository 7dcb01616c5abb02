/* SPDX-License-Identifier: MIT */
/* A scene as the commands need it: compiled, with its title and the self-contained text that a run folder keeps. */
#pragma once

#include <stddef.h>

#include "cli/options.h"
#include "touchstone/sim.h"

typedef struct ts_loaded {
    ts_settings settings; /* as written: 0 still means "derive it" */
    ts_model *model;
    char *text; /* includes merged, overrides applied; ends in zero (length) */
    size_t length;
    char title[256]; /* "" when it has none */
} ts_loaded;

/* Overrides are applied in their order. `loaded` is untouched on failure. A file that cannot be read is TS_BAD_INPUT.
 * */
ts_status ts_cli_load(const char *path, const ts_load_options *options, ts_loaded *loaded, ts_error *error);
/* Frees model and text; a zeroed one is fine. */
void ts_cli_unload(ts_loaded *loaded);

/* The options that every command with a SCENE has: --set, --duration, --seed, --search-path. */
typedef struct ts_scene_options {
    ts_texts set, search_path;
    const char *duration, *seed; /* may be NULL */
} ts_scene_options;

ts_status ts_cli_load_with(const char *path, const ts_scene_options *given, ts_loaded *loaded, ts_error *error);
