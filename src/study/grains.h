/* SPDX-License-Identifier: MIT */
/* The grain library (scenes/shapes) inside the program, so that the study and the bench of contact maps run from
 * anywhere and speak of the very outlines that scenes use: the build puts the files' bytes into it (CMakeLists.txt). */
#pragma once

#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"
#include "touchstone/shape.h"

typedef struct ts_grains_file {
    const char *name;
    const char *text;
    size_t size;
} ts_grains_file;

extern const ts_grains_file ts_grains_files[];
extern const size_t ts_grains_file_count;

typedef struct ts_grains ts_grains;

ts_status ts_grains_create(ts_grains **grains, ts_error *error);
void ts_grains_free(ts_grains *grains); /* NULL is fine */
TS_RELEASE_AT(ts_grains, ts_grains_free)
/* The outline of that name, about its centre of mass [m]; TS_BAD_INPUT when the library has none. */
ts_status ts_grains_find(const ts_grains *grains, const char *name, const ts_outline **outline, ts_error *error);
/* The names of all, in the order of the library; borrowed. At most `capacity`; returns how many. */
size_t ts_grains_names(const ts_grains *grains, const char **name, size_t capacity);
