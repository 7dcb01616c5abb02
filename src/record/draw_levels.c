/* SPDX-License-Identifier: MIT */
#include "record/draw_levels.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "record/draw_label.h"
#include "record/draw_paint.h"
#include "record/draw_slice.h"

enum { WIDTH_DEFAULT = 1400, PANELS_MOST = 8, BATCH = 64 };

/* Of the thin line. */
static const uint32_t beside_colour = 0xE0451F;

typedef struct job {
    const ts_levels_picture *picture;
    const ts_theme_colours *theme;
    ts_image image;
    ts_slice slice;      /* what all panels share */
    double *node[2];     /* φ of a panel, and of what is beside it, for each panel (panels · nodes²) */
    float *cover;        /* (panels · side²) */
    size_t nodes, cells; /* of one panel */
    ts_slice_ink ink;
    double size; /* of words [px] */
    int margin, space, caption, top;
} job;

/* ---- Values ---- */

static void ask_row(const job *j, const ts_sdf *sdf, const ts_sdf_rule *rule, int row, double *value)
{
    const ts_levels_picture *p = j->picture;
    const int nodes = ts_slice_nodes(&j->slice);
    const double pitch = TS_SLICE_PITCH / ts_slice_scale(&j->slice), height = p->half - pitch * row;
    double x[BATCH], y[BATCH], z[BATCH];
    for (int begin = 0; begin < nodes; begin += BATCH) {
        const int count = nodes - begin < BATCH ? nodes - begin : BATCH;
        for (int k = 0; k < count; k++) {
            const ts_vec3 at = ts_vec3_add_scaled(ts_vec3_add_scaled(p->middle, p->up, height), p->across,
                                                  -p->half + pitch * (begin + k));
            x[k] = at.x;
            y[k] = at.y;
            z[k] = at.z;
        }
        ts_sdf_ask(sdf, rule, &(ts_sdf_points){(size_t)count, x, y, z}, &(ts_sdf_answers){.value = value + begin});
    }
}

static void ask(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    const int nodes = ts_slice_nodes(&j->slice), row = task % nodes, index = task / nodes;
    const ts_levels_panel *panel = &j->picture->panel[index];
    const size_t at = (size_t)index * j->nodes + (size_t)row * (size_t)nodes;
    if (panel->sdf)
        ask_row(j, panel->sdf, &panel->rule, row, j->node[0] + at);
    if (panel->sdf && panel->beside)
        ask_row(j, panel->beside, &panel->beside_rule, row, j->node[1] + at);
}

/* Full colours at the deepest and the farthest. */
static void set_ink(job *j)
{
    const size_t count = (size_t)(j->picture->columns * j->picture->rows) * j->nodes;
    double deepest = 0, farthest = 0;
    for (size_t i = 0; i < count; i++) {
        deepest = fmax(deepest, -j->node[0][i]);
        farthest = fmax(farthest, j->node[0][i]);
    }
    const double step = j->picture->step > 0 ? j->picture->step : ts_nice_below((deepest + farthest) / 8);
    j->ink = (ts_slice_ink){.paper = j->theme->paper,
                            .ink = j->theme->ink,
                            .inside = 0x2F6DA8,
                            .outside = 0xC97B2E,
                            .step = step,
                            .deepest = fmax(deepest, 1e-300),
                            .farthest = fmax(farthest, 1e-300),
                            .line = fmax(j->size / 12, 1)};
}

/* ---- Panels ---- */

static int left_of(const job *j, int index)
{
    return j->margin + index % j->picture->columns * (j->slice.side + j->space);
}
static int top_of(const job *j, int index)
{
    return j->top + index / j->picture->columns * (j->slice.side + j->space + j->caption);
}

static void paint(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    const ts_levels_panel *panel = &j->picture->panel[task];
    const int left = left_of(j, task), top = top_of(j, task);
    const double *value = j->node[0] + (size_t)task * j->nodes, *beside = j->node[1] + (size_t)task * j->nodes;
    ts_slice slice = j->slice;
    slice.cover = j->cover + (size_t)task * j->cells;
    if (!panel->sdf)
        return;
    ts_slice_paint_levels(&slice, value, &j->ink, &j->image, left, top);
    ts_slice_paint_zero(&slice, value, 3 * j->ink.line, j->theme->ink, &j->image, left, top);
    if (panel->beside)
        ts_slice_paint_zero(&slice, beside, 1.5 * j->ink.line, beside_colour, &j->image, left, top);
}

/* ---- Words ---- */

/* A short line and its meaning, right of x. Returns where it ends. */
static double legend(const job *j, ts_pen *pen, double x, double thick, uint32_t colour, const char *text)
{
    const ts_font font = {0.95 * j->size, false, j->theme->ink};
    const double length = 1.8 * j->size, baseline = 2 * j->size;
    ts_pen_box(pen, x, baseline - 0.35 * j->size - 0.5 * thick, length, thick, colour);
    x += length + 0.5 * j->size;
    return x + ts_pen_text(pen, x, baseline, TS_ALIGN_LEFT, font, 0, text) + 1.6 * j->size;
}

static void write_words(const job *j, ts_pen *pen, const char *title)
{
    const ts_levels_picture *p = j->picture;
    char text[128], number[TS_LABEL_SIZE];
    double x = j->margin;
    if (title)
        x += ts_pen_text(pen, x, 2 * j->size, TS_ALIGN_LEFT, (ts_font){1.3 * j->size, true, j->theme->ink}, 0, title) +
             2.5 * j->size;
    x = legend(j, pen, x, 3 * j->ink.line, j->theme->ink, "φ = 0");
    if (p->beside)
        x = legend(j, pen, x, 1.5 * j->ink.line, beside_colour, p->beside);
    snprintf(text, sizeof text, "φ every %s, blue: inside", ts_label_quantity(j->ink.step, "m", number));
    legend(j, pen, x, 0.8 * j->ink.line, j->theme->muted, text);
    for (int i = 0; i < p->columns * p->rows; i++)
        if (p->panel[i].sdf && p->panel[i].text)
            ts_pen_text(pen, left_of(j, i), top_of(j, i) - 0.5 * j->size, TS_ALIGN_LEFT,
                        (ts_font){j->size, false, j->theme->ink}, j->slice.side, p->panel[i].text);
}

/* ---- All together ---- */

static void set_layout(job *j, int width)
{
    const ts_levels_picture *p = j->picture;
    j->size = 16.0 * width / WIDTH_DEFAULT;
    j->margin = (int)lround(1.3 * j->size);
    j->space = (int)lround(0.9 * j->size);
    j->caption = (int)lround(1.5 * j->size);
    j->top = (int)lround(3 * j->size) + j->caption;
    j->slice.side = (width - 2 * j->margin - (p->columns - 1) * j->space) / p->columns;
    j->slice.side -= j->slice.side % TS_SLICE_PITCH;
    j->slice.half = p->half;
    const size_t nodes = (size_t)ts_slice_nodes(&j->slice), side = (size_t)j->slice.side;
    j->nodes = nodes * nodes;
    j->cells = side * side;
    j->image.width = width;
    j->image.stride = (size_t)width;
    j->image.height = top_of(j, p->columns * p->rows - 1) + j->slice.side + j->margin;
}

TS_RELEASE_AT(ts_pen, ts_pen_free)

static ts_status draw(job *j, const char *path, const ts_smooth_look *look, ts_error *error)
{
    const int panels = j->picture->columns * j->picture->rows;
    TS_AUTO(ts_pen_free_at) ts_pen *pen = NULL;
    TS_TRY(ts_pen_create(&j->image, &pen, error));
    ts_pool_run(look->pool, panels * ts_slice_nodes(&j->slice), ask, j);
    set_ink(j);
    ts_pool_run(look->pool, panels, paint, j);
    ts_pen_begin(pen);
    write_words(j, pen, look->title);
    TS_TRY(ts_pen_end(pen, error));
    return ts_pen_write_png(pen, path, error);
}

ts_status ts_draw_levels(const char *path, const ts_levels_picture *picture, const ts_smooth_look *look,
                         ts_error *error)
{
    const int width = look->width ? look->width : WIDTH_DEFAULT, panels = picture->columns * picture->rows;
    if (width < 400 || width > 8192)
        return ts_fail(error, TS_BAD_INPUT, "a picture %d pixels wide cannot be drawn; choose 400 to 8192", width);
    if (picture->columns < 1 || picture->rows < 1 || picture->columns > PANELS_MOST || picture->rows > PANELS_MOST)
        return ts_fail(error, TS_BAD_INPUT, "%d × %d slices cannot be drawn; choose 1 to %d each way", picture->columns,
                       picture->rows, PANELS_MOST);
    if (!(picture->half > 0) || !isfinite(picture->half))
        return ts_fail(error, TS_BAD_INPUT, "slices %g m wide cannot be drawn; choose a size above 0",
                       2 * picture->half);
    job j = {.picture = picture, .theme = ts_theme_get(look->theme)};
    set_layout(&j, width);
    const size_t all = (size_t)width * (size_t)j.image.height;
    TS_AUTO_FREE double *node = NULL;
    TS_AUTO_FREE float *cover = NULL;
    TS_AUTO_FREE uint32_t *pixel = NULL;
    TS_TRY(ts_new(&node, 2 * (size_t)panels * j.nodes, error));
    TS_TRY(ts_new(&cover, (size_t)panels * j.cells, error));
    TS_TRY(ts_new(&pixel, all, error));
    j.node[0] = node;
    j.node[1] = node + (size_t)panels * j.nodes;
    j.cover = cover;
    j.image.pixel = pixel;
    for (size_t i = 0; i < all; i++)
        pixel[i] = j.theme->paper;
    return draw(&j, path, look, error);
}
