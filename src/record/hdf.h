/* SPDX-License-Identifier: MIT */
/* Files of HDF5, as far as exchange with other programs needs them: groups, and arrays and texts in them.
 *
 * A file is worked on in memory and read or written as a whole, so that a crash leaves the old file or the new one
 * (base/file.h), and HDF5 itself never touches the disk. Nothing is trusted that is read: an array must be where it
 * belongs (no links into other files), of numbers, and of the size that is asked for. HDF5's own messages are kept off
 * the screen.
 *
 * Paths inside a file are "group/group/name". Builds without HDF5 have none of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct ts_hdf ts_hdf;

/* An empty one. `path` is where it will be saved. */
ts_status ts_hdf_create(const char *path, ts_hdf **file, ts_error *error);
/* What is there. TS_BAD_INPUT when it is no HDF5, or cannot be read. */
ts_status ts_hdf_open(const char *path, ts_hdf **file, ts_error *error);
/* Writes it where it came from or is to go. */
ts_status ts_hdf_save(ts_hdf *file, ts_error *error);
void ts_hdf_close(ts_hdf *file); /* NULL is fine */
TS_RELEASE_AT(ts_hdf, ts_hdf_close)
/* "file.hdf5: " …, for messages about what it holds. */
const char *ts_hdf_path(const ts_hdf *file);

bool ts_hdf_has(ts_hdf *file, const char *path);
/* How many numbers an array has. */
ts_status ts_hdf_count(ts_hdf *file, const char *path, size_t *count, ts_error *error);
/* Exactly `count` numbers, or it fails. */
ts_status ts_hdf_get_ints(ts_hdf *file, const char *path, int32_t *to, size_t count, ts_error *error);
ts_status ts_hdf_get_doubles(ts_hdf *file, const char *path, double *to, size_t count, ts_error *error);
/* As much of a text as fits; "" when there is none. */
void ts_hdf_get_text(ts_hdf *file, const char *path, char *to, size_t capacity);

/* A new group; its parent is there. */
ts_status ts_hdf_put_group(ts_hdf *file, const char *path, ts_error *error);
ts_status ts_hdf_put_ints(ts_hdf *file, const char *path, const int32_t *from, size_t count, ts_error *error);
ts_status ts_hdf_put_doubles(ts_hdf *file, const char *path, const double *from, size_t count, ts_error *error);
ts_status ts_hdf_put_text(ts_hdf *file, const char *path, const char *text, ts_error *error);
/* Removes a group or an array, if it is there. */
ts_status ts_hdf_remove(ts_hdf *file, const char *path, ts_error *error);
