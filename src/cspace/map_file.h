/* SPDX-License-Identifier: MIT */
/* Map files (docs/formats.md): tables and networks with the outlines they were made for. ts_map_write and ts_map_read
 * (touchstone/map.h) are these two and a file. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "touchstone/map.h"

#define TS_MAP_FILE_MAGIC     "\x89TSM\r\n\x1a\n" /* the first bytes of one */
#define TS_MAP_FILE_VERSION   2
#define TS_MAP_FILE_BYTES_MAX ((size_t)64 << 20) /* a larger one is no map of ours */

/* All of a map as bytes, the caller's to ts_free. Unlike ts_map_write it takes an exact map as well: the cache notes
 * with one that no table would do. */
ts_status ts_map_encode(const ts_map *map, unsigned char **bytes, size_t *size, ts_error *error);
/* And back; trusts nothing. `name` stands for the file in messages. What it accepts answers queries with finite
 * numbers. */
ts_status ts_map_decode(const unsigned char *bytes, size_t size, const char *name, ts_map **map, ts_error *error);
