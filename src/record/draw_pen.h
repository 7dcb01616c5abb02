/* SPDX-License-Identifier: MIT */
/* Words, plain figures and PNG files, through Cairo: the only file that knows it.
 *
 * A pen draws on pixels that somebody else owns. Calls after a failure do nothing; ts_pen_check tells. Coordinates are
 * pixels from the upper left corner, y down. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "record/draw_raster.h"

typedef struct ts_pen ts_pen;

/* A pen for this image, whose stride must be its width. TS_UNSUPPORTED in a build without Cairo. */
ts_status ts_pen_create(const ts_image *image, ts_pen **pen, ts_error *error);
void ts_pen_free(ts_pen *pen); /* NULL is fine */

typedef enum ts_align { TS_ALIGN_LEFT, TS_ALIGN_CENTRE, TS_ALIGN_RIGHT } ts_align;

typedef struct ts_font {
    double size; /* [px] */
    bool bold;
    uint32_t colour; /* 0xRRGGBB */
} ts_font;

/* Somebody else has written pixels: tell Cairo before drawing, and finish before they are read. */
void ts_pen_begin(ts_pen *pen);
/* TS_OUT_OF_MEMORY or TS_IO when something went wrong since the beginning. */
ts_status ts_pen_end(ts_pen *pen, ts_error *error);

/* Text on a baseline, cut with an ellipsis to fit `room` [px] (0: no limit). Bytes that are not UTF-8 become U+FFFD.
 * Returns the width drawn. */
double ts_pen_text(ts_pen *pen, double x, double baseline, ts_align align, ts_font font, double room, const char *text);
double ts_pen_text_width(ts_pen *pen, ts_font font, const char *text);
void ts_pen_box(ts_pen *pen, double x, double y, double width, double height, uint32_t colour);
void ts_pen_dot(ts_pen *pen, double x, double y, double radius, uint32_t fill, uint32_t rim);
void ts_pen_triangle(ts_pen *pen, const double x[3], const double y[3], uint32_t colour);

/* The image as a PNG file, written atomically. */
ts_status ts_pen_write_png(ts_pen *pen, const char *path, ts_error *error);
