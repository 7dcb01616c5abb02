/* SPDX-License-Identifier: MIT */
#include "record/render_sheet.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

struct ts_sheet3 {
    int columns, rows;
    ts_canvas *canvas;
    ts_trace *trace;
    bool keyless, begun, tell_grid;
    char grid[TS_GRID_TEXT_SIZE]; /* as it was told last */
    int last;                     /* panel that was drawn last */
    ts_picture_key key;           /* as at the beginning: it says where panels are */
};

ts_status ts_sheet3_create(const ts_draw_options *options, int columns, int rows, ts_sheet3 **sheet, ts_error *error)
{
    ts_draw_options draw = *options;
    draw.scale_bar = false; /* lengths depend on the distance from the eye */
    TS_AUTO(ts_sheet3_free_at) ts_sheet3 *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->columns = columns;
    made->rows = rows;
    made->tell_grid = options->scale_bar;
    TS_TRY(ts_canvas_create(&draw, &made->canvas, error));
    TS_TRY(ts_trace_create(draw.pool, &made->trace, error));
    *sheet = ts_give(&made);
    return TS_OK;
}

void ts_sheet3_free(ts_sheet3 *sheet)
{
    if (!sheet)
        return;
    ts_canvas_free(sheet->canvas);
    ts_trace_free(sheet->trace);
    ts_free(sheet);
}

void ts_sheet3_no_key(ts_sheet3 *sheet)
{
    sheet->keyless = true;
}

static ts_status begin(ts_sheet3 *sheet, const ts_picture_key *key, ts_error *error)
{
    const ts_box any = {0, 0, 1, 1};
    sheet->key = sheet->keyless ? (ts_picture_key){.kind = TS_KEY_NONE} : *key;
    TS_TRY(ts_canvas_sheet_begin(sheet->canvas, sheet->columns, sheet->rows, &sheet->key, any, error));
    sheet->begun = true;
    sheet->grid[0] = 0;
    return TS_OK;
}

ts_status ts_sheet3_panel(ts_sheet3 *sheet, int index, ts_painter3 *painter, const ts_frame *frame, const char *label,
                          ts_error *error)
{
    const ts_tint *tint = ts_painter3_tint(painter);
    ts_picture_key key;
    const ts_view *view;
    char text[256], grid[sizeof sheet->grid];
    ts_image part;
    /* what colours mean is known when a frame has been looked at */
    if (!sheet->begun)
        TS_TRY(ts_painter3_view(painter, frame, &view, error));
    key = ts_painter3_key(painter);
    if (!sheet->begun || index <= sheet->last)
        TS_TRY(begin(sheet, &key, error));
    sheet->last = index;
    TS_TRY(ts_canvas_sheet_part(sheet->canvas, index, &sheet->key, &part, error));
    ts_painter3_look(painter, (double)part.width / part.height, TS_WHOLE_IMAGE);
    TS_TRY(ts_painter3_view(painter, frame, &view, error));
    TS_TRY(ts_trace_draw(sheet->trace, view, &part, error));
    snprintf(grid, sizeof grid, "%s", sheet->grid);
    if (sheet->tell_grid)
        ts_trace_grid_text(sheet->trace, grid);
    bool new_grid = strcmp(grid, sheet->grid) != 0;
    snprintf(text, sizeof text, "%.120s%s%.60s%s%s", label ? label : "", label && label[0] ? ", " : "", tint->time_text,
             new_grid ? ", " : "", new_grid ? grid : "");
    memcpy(sheet->grid, grid, sizeof grid);
    return ts_canvas_sheet_frame(sheet->canvas, &part, text, error);
}

const void *ts_sheet3_pixels(const ts_sheet3 *sheet)
{
    return ts_canvas_pixels(sheet->canvas);
}

ts_status ts_sheet3_write_png(ts_sheet3 *sheet, const char *path, ts_error *error)
{
    return ts_canvas_write_png(sheet->canvas, path, error);
}
