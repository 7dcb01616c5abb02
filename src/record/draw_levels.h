/* SPDX-License-Identifier: MIT */
/* Slices of signed distances as a sheet of squares: lines of equal φ, the zero set bold.
 *
 *     ┌────────────────────────────────────────┐
 *     │ Title              — φ = 0   — hard    │       blue: inside; orange: outside; lines every `step`
 *     │ τ = 0.01     τ = 0.1      τ = 0.3      │
 *     │ ┌────────┐   ┌────────┐   ┌────────┐   │
 *     │ └────────┘   └────────┘   └────────┘   │
 *     └────────────────────────────────────────┘ */
#pragma once

#include "record/draw_smooth.h"

typedef struct ts_levels_panel {
    const ts_sdf *sdf; /* NULL: the place stays empty */
    ts_sdf_rule rule;
    const ts_sdf *beside; /* whose zero set is drawn as a thin line; NULL: none */
    ts_sdf_rule beside_rule;
    const char *text; /* above it; may be NULL */
} ts_levels_panel;

typedef struct ts_levels_picture {
    const ts_levels_panel *panel; /* row by row (columns · rows) */
    int columns, rows;
    ts_vec3 middle, across, up; /* of the slice; across, up: unit, at right angles */
    double half;                /* of a panel's width [m] */
    double step;                /* between lines; 0: some eight of them in a panel [m] */
    const char *beside;         /* what the thin line is, for the legend; NULL: none is drawn */
} ts_levels_picture;

/* Writes a PNG file, atomically. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_draw_levels(const char *path, const ts_levels_picture *picture, const ts_smooth_look *look,
                         ts_error *error);
