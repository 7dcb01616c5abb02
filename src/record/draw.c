/* SPDX-License-Identifier: MIT */
#include "record/draw.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/draw_label.h"
#include "record/draw_paint.h"
#include "record/draw_pen.h"

/* [px] */
#define SIDE_MIN 16
#define SIDE_MAX 16384
/* Below this there is no room for words. */
#define LABEL_WIDTH_MIN  300
#define LABEL_HEIGHT_MIN 180

struct ts_canvas {
    ts_draw_options options;
    ts_image image; /* the figure */
    ts_image fine;  /* where grains are drawn when supersampling; grown as needed */
    size_t fine_capacity;
    ts_pen *pen;
    ts_paint paint;
    double ui;
    /* the sheet begun last */
    int columns, rows;
    ts_box view;
};

ts_draw_options ts_default_draw_options(void)
{
    return (ts_draw_options){.width = 1280,
                             .height = 720,
                             .supersample = 1,
                             .theme = TS_THEME_LIGHT,
                             .outline = true,
                             .mark = true,
                             .variation = true,
                             .labels = true,
                             .scale_bar = true};
}

/* Size of words and lines relative to 1280 × 720. */
static double ui_of(double width, double height)
{
    return fmin(fmax(fmin(width / 1280, sqrt(width * height / (1280.0 * 720))), 0.62), 12);
}

ts_status ts_canvas_create(const ts_draw_options *options, ts_canvas **canvas, ts_error *error)
{
    if (options->width < SIDE_MIN || options->width > SIDE_MAX || options->height < SIDE_MIN ||
        options->height > SIDE_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a picture of %d × %d pixels is not possible; give %d to %d for each side",
                       options->width, options->height, SIDE_MIN, SIDE_MAX);
    if (options->supersample < 1 || options->supersample > 4)
        return ts_fail(error, TS_BAD_INPUT, "supersampling by %d is not possible; give 1 to 4", options->supersample);
    size_t pixels = (size_t)options->width * (size_t)options->height;
    TS_AUTO(ts_canvas_free_at) ts_canvas *made = NULL;
    TS_TRY(ts_new(&made, 1, error));
    made->options = *options;
    made->ui = ui_of(options->width, options->height);
    if (options->width < LABEL_WIDTH_MIN || options->height < LABEL_HEIGHT_MIN)
        made->options.labels = false;
    made->image =
        (ts_image){ts_alloc(pixels, sizeof(uint32_t)), (size_t)options->width, options->width, options->height};
    if (!made->image.pixel)
        return ts_fail_memory(error, pixels * sizeof(uint32_t));
    TS_TRY(ts_pen_create(&made->image, &made->pen, error));
    *canvas = ts_give(&made);
    return TS_OK;
}

void ts_canvas_free(ts_canvas *canvas)
{
    if (!canvas)
        return;
    ts_pen_free(canvas->pen);
    ts_paint_free(&canvas->paint);
    ts_free(canvas->image.pixel);
    ts_free(canvas->fine.pixel);
    ts_free(canvas);
}

/* ---- Painting a part of the canvas ---- */

/* The view in a frame of pixels, as large as fits. Room that is left over goes to both sides, and more to the top than
 * to the bottom, because what lies has nothing but ground below it. */
static ts_mapping fit(ts_box view, double x0, double y0, double x1, double y1)
{
    double width = fmax(x1 - x0, 1), height = fmax(y1 - y0, 1);
    double across = view.x1 - view.x0, up = view.y1 - view.y0;
    double scale = fmin(across > 0 ? width / across : HUGE_VAL, up > 0 ? height / up : HUGE_VAL);
    if (!(scale < HUGE_VAL)) /* a box without size, given by hand */
        scale = fmin(width, height);
    return (ts_mapping){.scale = scale,
                        .x = 0.5 * (x0 + x1) - scale * (0.5 * view.x0 + 0.5 * view.x1),
                        .y = y1 - 0.2 * fmax(height - scale * up, 0) + scale * view.y0};
}

typedef struct shrink_context {
    const ts_image *from, *to;
    int factor, band_count;
} shrink_context;

static void shrink_band(void *context, int task, int thread)
{
    (void)thread;
    const shrink_context *c = context;
    ts_rows rows = {(int)((int64_t)c->to->height * task / c->band_count),
                    (int)((int64_t)c->to->height * (task + 1) / c->band_count)};
    ts_raster_shrink(c->from, c->to, rows, c->factor);
}

/* `mapping` is relative to the part. */
static ts_status paint_part(ts_canvas *canvas, const ts_image *part, const ts_picture *picture,
                            const ts_picture_key *key, ts_mapping mapping, double top, ts_error *error)
{
    int factor = canvas->options.supersample;
    ts_paint_size size = {.unit = factor, .ui = canvas->ui, .top = top};
    if (factor == 1)
        return ts_paint_picture(&canvas->paint, part, picture, key, mapping, &canvas->options, size, error);

    size_t needed = (size_t)part->width * (size_t)part->height * (size_t)(factor * factor);
    TS_TRY(
        ts_array_reserve_bytes((void **)&canvas->fine.pixel, &canvas->fine_capacity, needed, sizeof(uint32_t), error));
    canvas->fine.width = part->width * factor;
    canvas->fine.height = part->height * factor;
    canvas->fine.stride = (size_t)canvas->fine.width;
    ts_mapping fine = {mapping.scale * factor, mapping.x * factor, mapping.y * factor};
    TS_TRY(ts_paint_picture(&canvas->paint, &canvas->fine, picture, key, fine, &canvas->options, size, error));
    shrink_context context = {&canvas->fine, part, factor, 4 * ts_pool_thread_count(canvas->options.pool)};
    ts_pool_run(canvas->options.pool, context.band_count, shrink_band, &context);
    return TS_OK;
}

static void fill_paper(ts_canvas *canvas, int rows)
{
    uint32_t paper = ts_theme_get(canvas->options.theme)->paper;
    for (size_t i = 0; i < canvas->image.stride * (size_t)rows; i++)
        canvas->image.pixel[i] = paper;
}

static ts_figure figure_of(const ts_canvas *canvas)
{
    return (ts_figure){canvas->pen, &canvas->options, canvas->image.width, canvas->image.height, canvas->ui};
}

static bool has_extent(const ts_picture_key *key)
{
    return key->high > key->low && isfinite(key->high - key->low);
}

/* Refuses what a map cannot be drawn with; a scale without extent gets some. */
static ts_picture_key checked(const ts_picture_key *key)
{
    ts_picture_key mended = *key;
    if (mended.kind == TS_KEY_SCALE && !has_extent(key)) {
        mended.low = isfinite(mended.low) ? mended.low : 0;
        mended.high = mended.low + fmax(fabs(mended.low), 1e-300);
        if (mended.low == 0)
            mended.high = 1;
    }
    mended.label = mended.label ? mended.label : "";
    mended.unit = mended.unit ? mended.unit : "";
    return mended;
}

/* ---- One picture ---- */

ts_status ts_canvas_draw(ts_canvas *canvas, const ts_picture *picture, const ts_picture_key *key, ts_box view,
                         ts_error *error)
{
    const ts_draw_options *options = &canvas->options;
    if (!ts_box_given(view))
        TS_TRY(ts_picture_box(picture, &view, error));
    ts_picture_key shown = checked(key);
    double ui = canvas->ui, side = 26 * ui;
    double header = ts_figure_header_height(options, ui, &shown, picture->time_text != NULL);
    double footer = ts_figure_footer_height(options, ui);
    /* words stand on plain paper: walls begin below them */
    int top = options->labels ? (int)(header - 8 * ui) : 0;
    ts_image part = {canvas->image.pixel + (size_t)top * canvas->image.stride, canvas->image.stride,
                     canvas->image.width, canvas->image.height - top};
    fill_paper(canvas, top);
    ts_mapping mapping =
        fit(view, side, header - top + (options->labels ? 12 * ui : 0), part.width - side, part.height - footer);
    TS_TRY(paint_part(canvas, &part, picture, &shown, mapping, options->labels ? 30 * ui : 0, error));

    if (options->labels) {
        ts_figure figure = figure_of(canvas);
        ts_pen_begin(canvas->pen);
        ts_figure_header(&figure, &shown, picture->time_text, picture->note, mapping.scale, false);
        if (options->scale_bar)
            ts_figure_scale_bar(&figure, 22 * ui, TS_ALIGN_LEFT, canvas->image.height - 17 * ui,
                                0.4 * canvas->image.width, mapping.scale);
    }
    return ts_pen_end(canvas->pen, error);
}

double ts_canvas_header_height(const ts_canvas *canvas, const ts_picture_key *key, bool has_time)
{
    return canvas->options.labels ? ts_figure_header_height(&canvas->options, canvas->ui, key, has_time) : 0;
}

const ts_image *ts_canvas_image(const ts_canvas *canvas)
{
    return &canvas->image;
}

ts_status ts_canvas_words(ts_canvas *canvas, const ts_picture_key *key, const char *time_text, const char *note,
                          const char *footnote, ts_error *error)
{
    const ts_figure figure = figure_of(canvas);
    const double ui = canvas->ui;
    ts_picture_key shown = checked(key);
    if (key->kind == TS_KEY_SCALE && !has_extent(key))
        shown.kind = TS_KEY_NONE; /* nothing to explain */
    if (!canvas->options.labels)
        return TS_OK;
    ts_pen_begin(canvas->pen);
    ts_figure_header(&figure, &shown, time_text, note, 1, false);
    if (footnote) {
        ts_font font = {.size = 13 * ui, .colour = ts_theme_get(canvas->options.theme)->muted};
        ts_pen_text(canvas->pen, 22 * ui, canvas->image.height - 17 * ui, TS_ALIGN_LEFT, font, 0, footnote);
    }
    return ts_pen_end(canvas->pen, error);
}

/* ---- Sheets ---- */

typedef struct sheet_layout {
    double gap;           /* between panels and around them [px] */
    double header;        /* [px] */
    double caption;       /* above each panel, for its time [px] */
    double width, height; /* of a panel [px] */
} sheet_layout;

static sheet_layout sheet_of(const ts_draw_options *options, double ui, double width, double height, int columns,
                             int rows, const ts_picture_key *key)
{
    sheet_layout sheet = {.gap = 22 * ui, .caption = options->labels ? 26 * ui : 0};
    sheet.header = options->labels ? ts_figure_header_height(options, ui, key, options->scale_bar) : sheet.gap;
    sheet.width = floor((width - sheet.gap * (columns + 1)) / columns);
    sheet.height = floor((height - sheet.header - (sheet.gap + sheet.caption) * rows) / rows);
    return sheet;
}

ts_status ts_canvas_sheet_begin(ts_canvas *canvas, int columns, int rows, const ts_picture_key *key, ts_box view,
                                ts_error *error)
{
    if (columns < 1 || rows < 1 || columns > 64 || rows > 64)
        return ts_fail(error, TS_BAD_INPUT, "a sheet of %d × %d panels is not possible; give 1 to 64 for each", columns,
                       rows);
    if (!ts_box_given(view))
        return ts_fail(error, TS_BAD_INPUT, "a sheet needs a view for all of its panels; give a finite box");
    ts_picture_key shown = checked(key);
    sheet_layout sheet =
        sheet_of(&canvas->options, canvas->ui, canvas->image.width, canvas->image.height, columns, rows, &shown);
    if (sheet.width < SIDE_MIN || sheet.height < SIDE_MIN)
        return ts_fail(error, TS_BAD_INPUT, "%d × %d panels do not fit into %d × %d pixels; make the picture larger",
                       columns, rows, canvas->image.width, canvas->image.height);
    canvas->columns = columns;
    canvas->rows = rows;
    canvas->view = view;

    fill_paper(canvas, canvas->image.height);
    ts_pen_begin(canvas->pen);
    if (canvas->options.labels) {
        ts_figure figure = figure_of(canvas);
        ts_mapping mapping = fit(view, 0, 0, sheet.width - sheet.gap, sheet.height - sheet.gap);
        ts_figure_header(&figure, &shown, NULL, NULL, mapping.scale, canvas->options.scale_bar);
    }
    return ts_pen_end(canvas->pen, error);
}

/* Where a panel is, its pixels; TS_BAD_INPUT when there is no such panel. */
static ts_status panel_part(const ts_canvas *canvas, int index, const ts_picture_key *key, ts_image *part,
                            sheet_layout *layout, ts_error *error)
{
    if (index < 0 || index >= canvas->columns * canvas->rows)
        return ts_fail(error, TS_BAD_INPUT, "panel %d of a sheet of %d × %d does not exist", index, canvas->columns,
                       canvas->rows);
    sheet_layout sheet = sheet_of(&canvas->options, canvas->ui, canvas->image.width, canvas->image.height,
                                  canvas->columns, canvas->rows, key);
    int column = index % canvas->columns, row = index / canvas->columns;
    double x = sheet.gap + column * (sheet.width + sheet.gap);
    double y = sheet.header + row * (sheet.height + sheet.gap + sheet.caption) + sheet.caption;
    *part = (ts_image){canvas->image.pixel + (size_t)(int)y * canvas->image.stride + (size_t)(int)x,
                       canvas->image.stride, (int)sheet.width, (int)sheet.height};
    *layout = sheet;
    return TS_OK;
}

/* A thin frame, and words above it. */
static ts_status frame_panel(ts_canvas *canvas, const ts_image *part, const char *text, ts_error *error)
{
    size_t offset = (size_t)(part->pixel - canvas->image.pixel);
    int x0 = (int)(offset % canvas->image.stride), y0 = (int)(offset / canvas->image.stride);
    const ts_theme_colours *theme = ts_theme_get(canvas->options.theme);
    double line = fmax(1, round(canvas->ui)), width = part->width, height = part->height;
    ts_pen_begin(canvas->pen);
    ts_pen_box(canvas->pen, x0, y0, width, line, theme->solid);
    ts_pen_box(canvas->pen, x0, y0 + height - line, width, line, theme->solid);
    ts_pen_box(canvas->pen, x0, y0, line, height, theme->solid);
    ts_pen_box(canvas->pen, x0 + width - line, y0, line, height, theme->solid);
    if (canvas->options.labels && text) {
        ts_font font = {.size = 15 * canvas->ui, .colour = theme->ink};
        ts_pen_text(canvas->pen, x0, y0 - 8 * canvas->ui, TS_ALIGN_LEFT, font, width, text);
    }
    return ts_pen_end(canvas->pen, error);
}

ts_status ts_canvas_sheet_panel(ts_canvas *canvas, int index, const ts_picture *picture, const ts_picture_key *key,
                                ts_error *error)
{
    ts_picture_key shown = checked(key);
    sheet_layout sheet;
    ts_image part;
    TS_TRY(panel_part(canvas, index, &shown, &part, &sheet, error));
    double inside = 0.5 * sheet.gap;
    ts_mapping mapping = fit(canvas->view, inside, inside, sheet.width - inside, sheet.height - inside);
    TS_TRY(paint_part(canvas, &part, picture, &shown, mapping, 0, error));
    return frame_panel(canvas, &part, picture->time_text, error);
}

ts_status ts_canvas_sheet_part(const ts_canvas *canvas, int index, const ts_picture_key *key, ts_image *part,
                               ts_error *error)
{
    ts_picture_key shown = checked(key);
    sheet_layout sheet;
    return panel_part(canvas, index, &shown, part, &sheet, error);
}

ts_status ts_canvas_sheet_frame(ts_canvas *canvas, const ts_image *part, const char *text, ts_error *error)
{
    return frame_panel(canvas, part, text, error);
}

int ts_canvas_fitting_height(const ts_draw_options *options, int columns, int rows, ts_box view)
{
    double across = view.x1 - view.x0, up = view.y1 - view.y0, aspect = across > 0 ? up / across : 1;
    double width = options->width, ui = ui_of(width, width * 9 / 16), height;
    ts_picture_key key = {.kind = TS_KEY_SCALE, .label = "", .unit = ""}; /* the highest header there is */
    if (columns == 1 && rows == 1) {
        height = ts_figure_header_height(options, ui, &key, true) + ts_figure_footer_height(options, ui) + 12 * ui +
                 (width - 52 * ui) * aspect;
    } else {
        sheet_layout sheet = sheet_of(options, ui, width, 1000, columns, rows, &key);
        double panel = (sheet.width - sheet.gap) * aspect + sheet.gap;
        height = sheet.header + rows * (panel + sheet.gap + sheet.caption);
    }
    return isfinite(height) ? (int)fmin(fmax(ceil(height), SIDE_MIN), SIDE_MAX) : options->width;
}

/* ---- Out of the canvas ---- */

const void *ts_canvas_pixels(const ts_canvas *canvas)
{
    return canvas->image.pixel;
}

ts_status ts_canvas_write_png(ts_canvas *canvas, const char *path, ts_error *error)
{
    return ts_pen_write_png(canvas->pen, path, error);
}
