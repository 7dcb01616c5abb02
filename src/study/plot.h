/* SPDX-License-Identifier: MIT */
/* Line plots as SVG, for the figures of studies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct ts_plot_line {
    const char *name; /* in the legend; NULL: none */
    const double *x;  /* (count) */
    const double *y;  /* (count); what is not finite, or not positive on a logarithmic axis, is left out */
    size_t count;
    bool thin; /* dashed and grey: a control, a bound */
} ts_plot_line;

typedef struct ts_plot {
    const char *title, *x_title, *y_title;
    bool log_y;
    const ts_plot_line *line;
    size_t line_count;
} ts_plot;

/* Writes `path`, a file of about 800 × 500 units. */
ts_status ts_plot_write(const ts_plot *plot, const char *path, ts_error *error);
/* Several plots side by side, row by row, in one file. */
ts_status ts_plot_write_sheet(const ts_plot *plot, size_t count, int columns, const char *path, ts_error *error);
