/* SPDX-License-Identifier: MIT */
/* How large the grains of a mix are.
 *
 *     uniform       evenly between scale_min and scale_max
 *     log-normal    ln(scale) normal about ln(median), what falls outside of [scale_min, scale_max] drawn again
 *     table         the cumulative share F of grains up to each size, linear between the points; a sieve gives shares of
 *                   mass, and a grain of scale s weighs s² times as much, so the density of numbers is F'(s) / s²
 */
#pragma once

#include "base/random.h"
#include "base/status.h"
#include "touchstone/scene.h"

#define TS_SIZE_TABLE_MAX 10000

/* Ascending positive sizes, shares from 0 to 1; TS_BAD_INPUT says which point is wrong, at `place`. */
ts_status ts_size_table_check(const ts_size_step *step, size_t count, ts_place place, ts_error *error);
/* What an entry says about sizes, all of it. */
ts_status ts_sizes_check(const ts_mix_entry *entry, ts_place place, ts_error *error);

/* One scale. */
double ts_size_draw(const ts_mix_entry *entry, ts_random *random);
/* The mean over all grains. */
double ts_size_mean(const ts_mix_entry *entry);

/* A table from a CSV file: a line of names, then two columns. The first is `scale` or `diameter_m`, `_cm`, `_mm` or
 * `_um`, the second `share` (0 to 1) or `percent` (0 to 100). Lines that are empty or begin with # are skipped.
 * *of_diameter: sizes are diameters in metres. `step` is to be freed with ts_free. */
ts_status ts_size_table_parse(const char *text, size_t length, const char *name, ts_size_step **step, size_t *count,
                              bool *of_diameter, ts_error *error);
