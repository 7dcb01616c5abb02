/* SPDX-License-Identifier: MIT */
/* Measures as columns of a table: what `touchstone measure` prints and what a run adds to its energy table.
 *
 * A table of columns, each with its group, its name with the unit, and where its value stands in ts_measure_values, is
 * all there is: names, rows and summaries come from it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "touchstone/measure.h"

enum { TS_MEASURE_COLUMNS_MAX = 128 };

/* How to measure. Zero is a good default for every field. */
typedef struct ts_measure_options {
    const ts_region *region; /* NULL: that of the grains */
    size_t bins;             /* of profiles; 0: slices of two mean diameters */
    bool along_x;            /* profiles follow x, not what is up */
    int least;               /* contacts of a grain that is no rattler; 0: 2 */
    const double *line;      /* x0, y0, x1, y1 for the flow, in space x0, y0, z0, x1, y1, z1; NULL: no flow */
    double share;            /* of grains beyond the front, of their area above the height; 0: 0.01 */
    ts_kind_by kind_by;      /* of grains that segregate */
    bool no_walls;           /* fabric and rose: contacts between grains alone */
} ts_measure_options;

/* As a scene's output.measures says. What it points to is in the settings. */
ts_measure_options ts_measure_options_of(const ts_settings *settings);

/* Columns of the groups in the set `groups`, in one order, of snapshots in the plane (2) or in space (3). */
size_t ts_measure_column_count(uint32_t groups, int dimension);
const char *ts_measure_column_name(uint32_t groups, int dimension, size_t index);
/* The group that a column belongs to, as an index for ts_measure_name. */
size_t ts_measure_column_group(uint32_t groups, int dimension, size_t index);

/* One row of values (ts_measure_column_count). `before` is an earlier snapshot of the run, for the flow; NULL: not
 * known. */
ts_status ts_measure_row(const ts_snapshot *now, const ts_snapshot *before, const ts_measure_options *options,
                         uint32_t groups, double *value, ts_error *error);

/* ---- Profiles and histograms: many rows of one moment ---- */

typedef enum ts_profile_kind {
    TS_PROFILE_PACKING,
    TS_PROFILE_VELOCITY,
    TS_PROFILE_STRESS,
    TS_PROFILE_ROSE,
    TS_PROFILE_FORCES,
    TS_PROFILE_SURFACE,
    TS_PROFILE_PILE,
    TS_PROFILE_COUNT
} ts_profile_kind;

enum { TS_PROFILE_COLUMNS_MAX = 20 };

typedef struct ts_profile {
    size_t column_count, row_count;
    const char *column[TS_PROFILE_COLUMNS_MAX]; /* names with units */
    double *value;                              /* row by row; freed with ts_profile_free */
} ts_profile;

const char *ts_profile_name(ts_profile_kind kind);
ts_status ts_profile_make(const ts_snapshot *snapshot, ts_profile_kind kind, const ts_measure_options *options,
                          ts_profile *out, ts_error *error);
void ts_profile_free(ts_profile *profile);
