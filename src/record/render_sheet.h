/* SPDX-License-Identifier: MIT */
/* Several pictures of space in one figure, of one run or of several.
 *
 *     ts_sheet3_create(&options, columns, rows, &sheet, &error);
 *     for each panel in order:  ts_sheet3_panel(sheet, index, painter, &frame, "spheres", &error);
 *     ts_sheet3_write_png(sheet, path, &error);
 *
 * The words above all panels explain the colours of the first one. A sheet is kept from frame to frame of a video:
 * going back to an earlier panel begins anew. */
#pragma once

#include "base/memory.h"
#include "record/render_space.h"

typedef struct ts_sheet3 ts_sheet3;

/* Of the options width, height, theme, labels, scale_bar (here: the spacing of the grid), title and pool are heeded, as
 * for ts_canvas_create. */
ts_status ts_sheet3_create(const ts_draw_options *options, int columns, int rows, ts_sheet3 **sheet, ts_error *error);
void ts_sheet3_free(ts_sheet3 *sheet); /* NULL is fine */
TS_RELEASE_AT(ts_sheet3, ts_sheet3_free)
/* The words on colours are left out: colours of panels do not mean the same. Before the first panel. */
void ts_sheet3_no_key(ts_sheet3 *sheet);
/* Places the painter's camera, and draws. Above the panel stand the label, if there is one, the time, and how far apart
 * the lines of the floor are, in the first panel and wherever that changes. */
ts_status ts_sheet3_panel(ts_sheet3 *sheet, int index, ts_painter3 *painter, const ts_frame *frame, const char *label,
                          ts_error *error);
const void *ts_sheet3_pixels(const ts_sheet3 *sheet); /* as ts_canvas_pixels */
ts_status ts_sheet3_write_png(ts_sheet3 *sheet, const char *path, ts_error *error);
