/* SPDX-License-Identifier: MIT */
/* What a contact map looks like: slices through pose space at a few angles of B, and where the map is wrong.
 *
 *     ┌────────────────────────────────────────────────────────────┐
 *     │ title                                                      │
 *     │  A   B      0°          45°         90°         135°       │
 *     │  legend    ┌─────────┐ ┌─────────┐ ┌─────────┐ ┌─────────┐ │
 *     │            │ gap by  │ │ B's     │ │ centre  │ │         │ bar
 *     │            └─────────┘ └─────────┘ └─────────┘ └─────────┘ │
 *     │  numbers   ┌─────────┐ ┌─────────┐ ┌─────────┐ ┌─────────┐ │
 *     │  of a map  │ |error| │ │         │ │         │ │         │ bar
 *     │            └─────────┘ └─────────┘ └─────────┘ └─────────┘ │
 *     └────────────────────────────────────────────────────────────┘
 *
 * Inside the bold line, where the true gap is zero, B's centre cannot be. Thin lines are the maps' zeros. There is a
 * row of errors for each map that is not exact. */
#pragma once

#include "base/status.h"
#include "base/threads.h"
#include "cspace/map.h"

#define TS_MAP_PICTURE_MORE   3 /* maps beside the first, at most */
#define TS_MAP_PICTURE_SLICES 8

typedef struct ts_map_picture {
    const char *title;                        /* may be NULL */
    const char *name_a, *name_b;              /* under the two outlines; NULL: A, B */
    int width;                                /* [px], 400 to 8192; 0: 1600 */
    int slices;                               /* angles of B, 2 to 8; 0: 4 */
    double query_seconds;                     /* what one query takes; 0: not told */
    const ts_map *more[TS_MAP_PICTURE_MORE];  /* other maps of the same pair, until NULL; borrowed */
    double more_seconds[TS_MAP_PICTURE_MORE]; /* what a query of theirs takes; 0: not told */
    ts_pool *pool;                            /* may be NULL; borrowed */
} ts_map_picture;

/* Writes a PNG file, atomically. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_map(const char *path, const ts_map *map, const ts_map_picture *about, ts_error *error);
