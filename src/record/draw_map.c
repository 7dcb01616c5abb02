/* SPDX-License-Identifier: MIT */
#include "record/draw_map.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/vec.h"
#include "record/draw_label.h"
#include "record/draw_pen.h"
#include "record/draw_slice.h"

enum { WIDTH_DEFAULT = 1600, SLICES_DEFAULT = 4, MAPS = 1 + TS_MAP_PICTURE_MORE };

/* Colours of the paper theme. */
static const uint32_t paper = 0xFBFAF7, ink = 0x24282F, muted = 0x6B7078, fill = 0xDCE3EA;
/* Of the maps' zeros: apart for any colour vision, and seen on paper as well as on the bold line below. */
static const uint32_t map_colour[MAPS] = {0xFF5A1F, 0x1FA7F0, 0x14B87A, 0xE07BC0};

typedef struct job {
    const ts_map_picture *about;
    const ts_map *map[MAPS]; /* those that are not exact */
    double seconds[MAPS];
    int map_count, slice_count;
    const ts_pair *pair;
    const ts_exact *exact;
    bool turned; /* the caller's A is the pair's B */
    ts_slice slice[TS_MAP_PICTURE_SLICES];
    double *gap[MAPS][TS_MAP_PICTURE_SLICES]; /* of each map at the nodes of each slice */
    ts_slice_ink look;
    ts_image image;
    /* where things are [px] */
    double size; /* of words */
    int margin, column, space, side, top, bar;
} job;

/* ---- Gaps ---- */

static void ask_row(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    int nodes = ts_slice_nodes(&j->slice[0]), row = task % nodes;
    const ts_slice *s = &j->slice[task / nodes];
    size_t begin = (size_t)row * (size_t)nodes;
    ts_slice_ask(s, j->exact, NULL, row, s->truth + begin);
    for (int m = 0; m < j->map_count; m++)
        ts_slice_ask(s, j->exact, j->map[m], row, j->gap[m][task / nodes] + begin);
}

static void find_touch(void *context, int task, int thread)
{
    (void)thread;
    job *j = context;
    ts_slice_touch(&j->slice[task], j->exact, j->pair);
}

/* Full colours at the deepest and the farthest, and some six lines inside. */
static void set_look(job *j)
{
    size_t nodes = (size_t)ts_slice_nodes(&j->slice[0]);
    double deepest = 0, farthest = 0;
    for (int k = 0; k < j->slice_count; k++)
        for (size_t i = 0; i < nodes * nodes; i++) {
            deepest = fmax(deepest, -j->slice[k].truth[i]);
            farthest = fmax(farthest, j->slice[k].truth[i]);
        }
    j->look = (ts_slice_ink){.paper = paper,
                             .ink = ink,
                             .inside = 0x2F6DA8,
                             .outside = 0xC97B2E,
                             .step = ts_nice_below(fmax(deepest / 4, farthest / 9)),
                             .deepest = fmax(deepest, 1e-9),
                             .farthest = fmax(farthest, 1e-9),
                             .line = fmax(j->size / 14, 1)};
}

/* ---- Panels ---- */

static int panel_left(const job *j, int slice)
{
    return j->margin + j->column + j->space + slice * (j->side + j->space);
}

static int panel_top(const job *j, int row)
{
    return j->top + row * (j->side + j->space);
}

static void paint_slice(void *context, int task, int thread)
{
    (void)thread;
    const job *j = context;
    const ts_slice *s = &j->slice[task];
    int left = panel_left(j, task), top = panel_top(j, 0);
    ts_slice_paint_gap(s, j->pair, &j->look, &j->image, left, top);
    ts_slice_paint_zero(s, s->truth, 3.6 * j->look.line, ink, &j->image, left, top);
    for (int m = j->map_count - 1; m >= 0; m--)
        ts_slice_paint_zero(s, j->gap[m][task], 1.5 * j->look.line, map_colour[m], &j->image, left, top);
    for (int m = 0; m < j->map_count; m++) {
        ts_slice_paint_error(s, j->gap[m][task], &j->look, &j->image, left, panel_top(j, m + 1));
        ts_slice_paint_zero(s, s->truth, j->look.line, ink, &j->image, left, panel_top(j, m + 1));
    }
}

/* ---- Words ---- */

static const char *percent(double share, char text[TS_LABEL_SIZE])
{
    snprintf(text, TS_LABEL_SIZE, share != 0 && share < 1e-6 ? "%.0e %%" : "%.2g %%", 100 * share);
    return text;
}

/* A name at the left and its value at the right of the column; the next baseline. */
static double tell(const job *j, ts_pen *pen, double y, const char *name, const char *value)
{
    ts_font plain = {0.86 * j->size, false, muted}, strong = {0.86 * j->size, false, ink};
    double used = ts_pen_text(pen, j->margin, y, TS_ALIGN_LEFT, plain, 0.62 * j->column, name);
    ts_pen_text(pen, j->margin + j->column, y, TS_ALIGN_RIGHT, strong, j->column - used - 6, value);
    return y + 1.4 * j->size;
}

/* The numbers of one map, beside its row of errors. */
static void write_numbers(const job *j, ts_pen *pen, int m)
{
    const ts_map_info *info = &j->map[m]->info;
    const ts_map_errors *e = &info->errors;
    char text[TS_LABEL_SIZE];
    double y = panel_top(j, m + 1) + 1.1 * j->size, swatch = 1.6 * j->size;
    ts_pen_box(pen, j->margin, y - 0.45 * j->size, swatch, 3 * j->look.line, map_colour[m]);
    ts_pen_text(pen, j->margin + swatch + 0.5 * j->size, y, TS_ALIGN_LEFT, (ts_font){1.05 * j->size, true, ink},
                j->column - swatch, ts_map_kind_name(info->kind));
    y += 1.75 * j->size;
    snprintf(text, sizeof text, "%d × %d", (int)info->options.grid, (int)info->options.grid);
    if (info->kind == TS_MAP_SAMPLED)
        y = tell(j, pen, y, info->options.refine ? "points, refined" : "points", text);
    snprintf(text, sizeof text, "%d × %d", (int)info->options.depth, (int)info->options.width);
    if (info->kind == TS_MAP_NETWORK)
        y = tell(j, pen, y, "layers × neurons", text);
    if (info->bytes > 0)
        y = tell(j, pen, y, "size", ts_label_quantity((double)info->bytes, "B", text));
    if (e->samples > 0) {
        y = tell(j, pen, y, "mean error", percent(e->mean, text));
        y = tell(j, pen, y, "99 % are below", percent(e->high, text));
        y = tell(j, pen, y, "worst", percent(e->worst, text));
        snprintf(text, sizeof text, "%.2g°", e->normal_mean * 180 / TS_PI);
        y = tell(j, pen, y, "normal, mean", text);
        snprintf(text, sizeof text, "%.4g %%", floor(1e6 * e->sign) / 1e4);
        y = tell(j, pen, y, "right sign", text);
    }
    if (j->seconds[m] > 0)
        tell(j, pen, y, "one query", ts_label_quantity(j->seconds[m], "s", text));
}

/* Which line is which, from `y` on. */
static void write_legend(const job *j, ts_pen *pen, double y)
{
    ts_font plain = {0.86 * j->size, false, ink};
    char text[TS_LABEL_SIZE];
    double swatch = 1.6 * j->size, x = j->margin + swatch + 0.5 * j->size, room = j->column - swatch - 0.5 * j->size;
    ts_pen_box(pen, j->margin, y - 0.5 * j->size, swatch, 3.6 * j->look.line, ink);
    ts_pen_text(pen, x, y, TS_ALIGN_LEFT, plain, room, "exact gap is 0");
    for (int m = 0; m < j->map_count; m++) {
        y += 1.4 * j->size;
        ts_pen_box(pen, j->margin, y - 0.45 * j->size, swatch, 2 * j->look.line, map_colour[m]);
        snprintf(text, sizeof text, "gap of the %s is 0",
                 j->map[m]->info.kind == TS_MAP_SAMPLED ? "grid" : ts_map_kind_name(j->map[m]->info.kind));
        ts_pen_text(pen, x, y, TS_ALIGN_LEFT, plain, room, text);
    }
    y += 1.4 * j->size;
    ts_pen_box(pen, j->margin, y - 0.4 * j->size, swatch, 0.8 * j->look.line, muted);
    snprintf(text, sizeof text, "lines every %.2g", j->look.step);
    ts_pen_text(pen, x, y, TS_ALIGN_LEFT, plain, room, text);
}

/* A colour bar right of a row: `colour` of a share from 0 (bottom) to 1. */
static void paint_bar(const job *j, int row, uint32_t (*colour)(const job *j, double share))
{
    int left = j->bar, top = panel_top(j, row), width = (int)lround(0.8 * j->size);
    for (int y = 0; y < j->side; y++)
        for (int x = 0; x < width; x++)
            j->image.pixel[(size_t)(top + y) * j->image.stride + (size_t)(left + x)] =
                colour(j, 1 - (y + 0.5) / j->side);
}

static uint32_t gap_share_colour(const job *j, double share)
{
    return ts_slice_gap_colour(&j->look, -j->look.deepest + share * (j->look.deepest + j->look.farthest));
}

static uint32_t error_share_colour(const job *j, double share)
{
    (void)j;
    return ts_slice_error_colour(ts_slice_error_low * pow(ts_slice_error_high / ts_slice_error_low, share));
}

static void write_tick(const job *j, ts_pen *pen, int row, double share, const char *text)
{
    double y = panel_top(j, row) + j->side * (1 - share), x = j->bar + 0.8 * j->size;
    double low = panel_top(j, row) + 0.6 * j->size, high = panel_top(j, row) + j->side;
    ts_pen_box(pen, x, y - 0.5 * j->look.line, 0.3 * j->size, j->look.line, ink);
    ts_pen_text(pen, x + 0.5 * j->size, fmin(fmax(y + 0.3 * j->size, low), high), TS_ALIGN_LEFT,
                (ts_font){0.78 * j->size, false, ink}, j->image.width - 4 - (x + 0.5 * j->size), text);
}

static void write_bars(const job *j, ts_pen *pen)
{
    char text[TS_LABEL_SIZE];
    double span = j->look.deepest + j->look.farthest, step = ts_nice_below(span / 4);
    for (int k = -(int)(j->look.deepest / step); k <= (int)(j->look.farthest / step); k++) {
        snprintf(text, sizeof text, "%.3g", k * step);
        write_tick(j, pen, 0, (k * step + j->look.deepest) / span, text);
    }
    for (int m = 0; m < j->map_count; m++)
        for (int k = 0; k <= 3; k++)
            write_tick(j, pen, m + 1, k / 3.0, percent(ts_slice_error_low * pow(10, k), text));
}

/* Dots where the centres of A and B are. */
static void write_centres(const job *j, ts_pen *pen)
{
    for (int k = 0; k < j->slice_count; k++) {
        const ts_slice *s = &j->slice[k];
        double x = panel_left(j, k) + 0.5 * j->side, y = j->top + 0.5 * j->side, scale = ts_slice_scale(s);
        ts_pen_dot(pen, x, y, 0.2 * j->size, paper, ink);
        ts_pen_dot(pen, x + scale * s->touching[0], y - scale * s->touching[1], 0.24 * j->size, paper, ink);
    }
}

static void write_words(const job *j, ts_pen *pen)
{
    double size = j->size, left = panel_left(j, 0), right = j->image.width - j->margin;
    const char *title = j->about->title ? j->about->title : "contact map";
    double used =
        ts_pen_text(pen, j->margin, 2 * size, TS_ALIGN_LEFT, (ts_font){1.35 * size, true, ink}, right / 2, title);
    ts_pen_text(pen, fmax(left, j->margin + used + size), 2 * size, TS_ALIGN_LEFT, (ts_font){0.9 * size, false, muted},
                right - fmax(left, j->margin + used + size),
                "gap between A, in the middle, and B, by the place of B's centre; blue: they overlap");
    for (int k = 0; k < j->slice_count; k++) {
        char text[TS_LABEL_SIZE];
        snprintf(text, sizeof text, "B turned by %.4g°", j->slice[k].angle * 180 / TS_PI);
        ts_pen_text(pen, panel_left(j, k), j->top - 0.5 * size, TS_ALIGN_LEFT, (ts_font){0.9 * size, true, ink},
                    j->side, text);
    }
    write_centres(j, pen);
    ts_font plain = {0.8 * size, false, muted};
    ts_pen_text(pen, j->bar, j->top - 0.5 * size, TS_ALIGN_LEFT, plain, right - j->bar + 0.5 * j->margin, "gap");
    /* names of the outlines */
    double box = 0.5 * j->column, y = j->top + box + 0.9 * size;
    ts_font name = {0.9 * size, true, ink};
    const char *name_a = j->about->name_a ? j->about->name_a : "A", *name_b = j->about->name_b ? j->about->name_b : "B";
    ts_pen_text(pen, j->margin + 0.5 * box, y, TS_ALIGN_CENTRE, name, box, j->turned ? name_b : name_a);
    ts_pen_text(pen, j->margin + 1.5 * box, y, TS_ALIGN_CENTRE, name, box, j->turned ? name_a : name_b);
    write_legend(j, pen, y + 1.8 * size);
    for (int m = 0; m < j->map_count; m++)
        write_numbers(j, pen, m);
    write_bars(j, pen);
    ts_pen_text(
        pen, right, j->image.height - 0.8 * size, TS_ALIGN_RIGHT, plain, right - j->margin,
        j->map_count
            ? "lower rows: |gap - exact gap|, faint farther than 0.1 from contact; lengths as shares of the larger "
              "radius, percentages of the smaller one"
            : "lengths as shares of the larger radius");
}

/* The two outlines, to one scale. */
static void paint_outlines(const job *j)
{
    double box = 0.5 * j->column, scale = 0.44 * box;
    const ts_outline *outline[2] = {j->pair->a, j->pair->b};
    for (int i = 0; i < 2; i++) {
        ts_raster_outline placed = {.outline = outline[i],
                                    .x = j->margin + (i + 0.5) * box,
                                    .y = j->top + 0.5 * box,
                                    .scale = scale,
                                    .cosine = 1,
                                    .reach = scale * (i ? j->pair->radius_b : j->pair->radius_a)};
        ts_ink look = {fill, ink, 1.6 * j->look.line, 1};
        ts_raster_outline_fill(&j->image, (ts_rows){0, j->image.height}, &placed, &look);
    }
}

/* ---- All together ---- */

static void set_layout(job *j, int width)
{
    int n = j->slice_count;
    j->size = 17.0 * width / WIDTH_DEFAULT;
    j->margin = (int)lround(1.5 * j->size);
    j->space = (int)lround(0.9 * j->size);
    j->column = (int)lround(12.5 * j->size);
    int bar = (int)lround(3.6 * j->size);
    j->side = (width - 2 * j->margin - j->column - bar - (n + 1) * j->space) / n;
    j->side -= j->side % TS_SLICE_PITCH;
    j->bar = panel_left(j, n);
    j->top = (int)lround(4.6 * j->size);
    j->image.width = width;
    j->image.stride = (size_t)width;
    j->image.height = panel_top(j, j->map_count) + j->side + (int)lround(2.4 * j->size);
}

/* Angles over one period of B's symmetry. */
static void set_slices(job *j)
{
    int turns = j->pair->symmetry_b.rotations;
    double period = 2 * TS_PI / (turns > 0 ? turns : 1);
    for (int k = 0; k < j->slice_count; k++) {
        j->slice[k].angle = period * k / j->slice_count;
        j->slice[k].half = 1.22 * j->pair->reach;
        j->slice[k].side = j->side;
    }
}

static ts_status draw(job *j, const char *path, ts_error *error)
{
    ts_pen *pen;
    TS_TRY(ts_pen_create(&j->image, &pen, error));
    ts_pool *pool = j->about->pool;
    ts_pool_run(pool, j->slice_count * ts_slice_nodes(&j->slice[0]), ask_row, j);
    ts_pool_run(pool, j->slice_count, find_touch, j);
    set_look(j);
    ts_pool_run(pool, j->slice_count, paint_slice, j);
    paint_outlines(j);
    paint_bar(j, 0, gap_share_colour);
    for (int m = 0; m < j->map_count; m++)
        paint_bar(j, m + 1, error_share_colour);
    ts_pen_begin(pen);
    write_words(j, pen);
    ts_status status = ts_pen_end(pen, error);
    if (status == TS_OK)
        status = ts_pen_write_png(pen, path, error);
    ts_pen_free(pen);
    return status;
}

static void add_map(job *j, const ts_map *map, double seconds)
{
    if (map->info.kind == TS_MAP_EXACT)
        return;
    j->map[j->map_count] = map;
    j->seconds[j->map_count++] = seconds;
}

ts_status ts_draw_map(const char *path, const ts_map *map, const ts_map_picture *about, ts_error *error)
{
    int width = about->width ? about->width : WIDTH_DEFAULT, slices = about->slices ? about->slices : SLICES_DEFAULT;
    if (width < 400 || width > 8192)
        return ts_fail(error, TS_BAD_INPUT, "a picture %d pixels wide cannot be drawn; choose 400 to 8192", width);
    if (slices < 2 || slices > TS_MAP_PICTURE_SLICES)
        return ts_fail(error, TS_BAD_INPUT, "%d slices cannot be drawn; choose 2 to %d", slices, TS_MAP_PICTURE_SLICES);
    job j = {.about = about, .slice_count = slices, .pair = map->pair, .exact = map->exact, .turned = map->turned};
    add_map(&j, map, about->query_seconds);
    for (int m = 0; m < TS_MAP_PICTURE_MORE && about->more[m]; m++)
        add_map(&j, about->more[m], about->more_seconds[m]);
    set_layout(&j, width);
    set_slices(&j);
    size_t nodes = (size_t)ts_slice_nodes(&j.slice[0]), pixels = (size_t)j.side * (size_t)j.side,
           count = (size_t)slices;
    size_t fields = 1 + (size_t)j.map_count, all = (size_t)width * (size_t)j.image.height;
    double *gap = ts_alloc(count * fields * nodes * nodes, sizeof *gap);
    float *cover = ts_alloc(count * pixels, sizeof *cover);
    j.image.pixel = ts_alloc_raw(all, sizeof *j.image.pixel);
    ts_status status = gap && cover && j.image.pixel ? TS_OK : ts_fail_memory(error, all * sizeof *j.image.pixel);
    if (status == TS_OK) {
        for (size_t k = 0; k < count; k++) {
            j.slice[k].truth = gap + k * nodes * nodes;
            j.slice[k].cover = cover + k * pixels;
            for (size_t m = 1; m < fields; m++)
                j.gap[m - 1][k] = gap + (m * count + k) * nodes * nodes;
        }
        for (size_t i = 0; i < all; i++)
            j.image.pixel[i] = paper;
        status = draw(&j, path, error);
    }
    ts_free(gap);
    ts_free(cover);
    ts_free(j.image.pixel);
    return status;
}
