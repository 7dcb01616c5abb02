/* SPDX-License-Identifier: MIT */
/* Grains of any sizes against each other, exact, with no map made for the pair: for mixtures in which no two grains
 * have one size, so that every pair would need a map of its own. What the exact gap needs of an outline is kept once
 * for each grain's form; a pair is two of them.
 *
 * All forms are in one unit, about the largest radius of the scene: what is far smaller loses digits beside it
 * (rounding is about 1e-13 of the unit). Records are those of touchstone/map.h, as of a map of kind exact. */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "touchstone/map.h"
#include "touchstone/shape.h"

typedef struct ts_loose ts_loose; /* never changes, shared by threads */

/* An outline that is `scale` times as large as given, about its centre of mass; lengths in `unit` [m] inside. */
ts_status ts_loose_create(const ts_outline *outline, double scale, double unit, ts_loose **loose, ts_error *error);
void ts_loose_free(ts_loose *loose); /* NULL is fine */
TS_RELEASE_AT(ts_loose, ts_loose_free)
size_t ts_loose_bytes(const ts_loose *loose);

/* A pose of each pair (a[i], b[i]), which are of one unit; the poses' scales are taken as 1. */
void ts_loose_query(size_t count, const ts_loose *const *a, const ts_loose *const *b, const ts_map_pose *pose,
                    ts_map_contact *contact);
