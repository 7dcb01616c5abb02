/* SPDX-License-Identifier: MIT */
#include "record/trace_figure.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_label.h"
#include "record/draw_paint.h"
#include "record/trace_work.h"

/* [px] */
#define SIDE_MIN 16
#define SIDE_MAX 16384
/* Below this there is no room for words. */
#define LABEL_WIDTH_MIN  300
#define LABEL_HEIGHT_MIN 180

struct ts_figure3 {
    ts_draw_options options;
    ts_image image;
    ts_pen *pen;
    ts_trace *trace;
    double ui; /* size of words relative to a 1280 × 720 figure */
};

ts_status ts_figure3_create(const ts_draw_options *options, ts_figure3 **figure, ts_error *error)
{
    int width = options->width, height = options->height;
    *figure = NULL;
    if (width < SIDE_MIN || height < SIDE_MIN || width > SIDE_MAX || height > SIDE_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a figure of %d × %d pixels cannot be made; each side is %d to %d", width,
                       height, SIDE_MIN, SIDE_MAX);
    ts_figure3 *made = ts_alloc(1, sizeof *made);
    if (!made)
        return ts_fail_memory(error, sizeof *made);
    made->options = *options;
    made->options.labels = options->labels && width >= LABEL_WIDTH_MIN && height >= LABEL_HEIGHT_MIN;
    made->ui = fmin(fmax(fmin(width / 1280.0, sqrt((double)width * height / (1280.0 * 720))), 0.62), 12);
    made->image = (ts_image){ts_alloc((size_t)width * (size_t)height, sizeof(uint32_t)), (size_t)width, width, height};
    ts_status status = made->image.pixel ? ts_pen_create(&made->image, &made->pen, error) : ts_fail_memory(error, 0);
    if (status == TS_OK)
        status = ts_trace_create(options->pool, &made->trace, error);
    if (status != TS_OK) {
        ts_figure3_free(made);
        return status;
    }
    *figure = made;
    return TS_OK;
}

void ts_figure3_free(ts_figure3 *figure)
{
    if (!figure)
        return;
    ts_pen_free(figure->pen);
    ts_trace_free(figure->trace);
    ts_free(figure->image.pixel);
    ts_free(figure);
}

ts_image_part ts_figure3_part(const ts_figure3 *figure, const ts_picture_key *key, bool has_time)
{
    ts_image_part part = TS_WHOLE_IMAGE;
    if (figure->options.labels)
        part.top = ts_figure_header_height(&figure->options, figure->ui, key, has_time) / figure->image.height;
    return part;
}

bool ts_figure3_grid_text(const ts_trace *trace, char *text, size_t capacity)
{
    char length[TS_LABEL_SIZE];
    if (!(trace->scene.grid > 0) || trace->scene.floor_count == 0)
        return false;
    snprintf(text, capacity, "grid %s", ts_label_quantity(trace->scene.grid, "m", length));
    return true;
}

/* At the lower left. */
static void write_grid(const ts_figure3 *figure)
{
    char text[TS_LABEL_SIZE + 16];
    if (!ts_figure3_grid_text(figure->trace, text, sizeof text))
        return;
    ts_font font = {.size = 13 * figure->ui, .colour = ts_theme_get(figure->options.theme)->muted};
    ts_pen_text(figure->pen, 22 * figure->ui, figure->image.height - 17 * figure->ui, TS_ALIGN_LEFT, font, 0, text);
}

ts_status ts_figure3_draw(ts_figure3 *figure, const ts_view *view, const ts_picture_key *key, const char *time_text,
                          const char *note, ts_error *error)
{
    ts_view shown = *view;
    shown.theme = figure->options.theme;
    TS_TRY(ts_trace_draw(figure->trace, &shown, &figure->image, error));
    if (!figure->options.labels)
        return TS_OK;
    ts_figure words = {figure->pen, &figure->options, figure->image.width, figure->image.height, figure->ui};
    ts_picture_key mended = *key;
    mended.label = key->label ? key->label : "";
    mended.unit = key->unit ? key->unit : "";
    if (mended.kind == TS_KEY_SCALE && !(mended.high > mended.low && isfinite(mended.high - mended.low)))
        mended.kind = TS_KEY_NONE; /* nothing to explain */
    ts_pen_begin(figure->pen);
    ts_figure_header(&words, &mended, time_text, note, 1, false);
    if (figure->options.scale_bar)
        write_grid(figure);
    return ts_pen_end(figure->pen, error);
}

const void *ts_figure3_pixels(const ts_figure3 *figure)
{
    return figure->image.pixel;
}

ts_status ts_figure3_write_png(ts_figure3 *figure, const char *path, ts_error *error)
{
    return ts_pen_write_png(figure->pen, path, error);
}
