/* SPDX-License-Identifier: MIT */
/* The words around a picture: title, time, legend, colour bar, scale bar; and numbers as people write them. */
#pragma once

#include "record/draw.h"
#include "record/draw_pen.h"

/* ---- Numbers, in every locale with a point ---- */

/* `value` with `decimals` (0 to 9) digits after the point. Returns `text`. */
#define TS_LABEL_SIZE 64
char *ts_label_number(double value, int decimals, char text[TS_LABEL_SIZE]);
/* With a prefix and up to three significant digits: 0.0123, "m" gives "12.3 mm". Returns `text`. */
char *ts_label_quantity(double value, const char *unit, char text[TS_LABEL_SIZE]);
/* The prefix that suits values up to `value`, and what it stands for: 0.02 gives "m" and 1e-3; 0.2 stays as it is. */
const char *ts_label_prefix(double value, double *factor);
/* The largest of 1, 2, 5 times a power of ten that is not above `value`; 1 for what is not positive and finite. */
double ts_nice_below(double value);
/* The smallest of 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten that is not below `value`. */
double ts_nice_above(double value);

/* ---- The parts of a figure ---- */

typedef struct ts_figure {
    ts_pen *pen;
    const ts_draw_options *options;
    double width, height; /* [px] */
    double ui;            /* size of words relative to a 1280 × 720 figure */
} ts_figure;

/* Heights of the strips above and below the view [px]: as much as their words need. */
double ts_figure_header_height(const ts_draw_options *options, double ui, const ts_picture_key *key, bool has_time);
double ts_figure_footer_height(const ts_draw_options *options, double ui);

/* Title, time and note at the left, legend or colour bar at the right. `time_text`, `note` may be NULL. `scale` [px/m]
 * is that of the view; `with_bar` sets a scale bar beside the legend. */
void ts_figure_header(const ts_figure *figure, const ts_picture_key *key, const char *time_text, const char *note,
                      double scale, bool with_bar);
/* A scale bar of a round length of at most `room` pixels, with its words right of it. x is the left or the right end of
 * all. Returns the width of all. */
double ts_figure_scale_bar(const ts_figure *figure, double x, ts_align align, double baseline, double room,
                           double scale);
