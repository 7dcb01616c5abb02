/* SPDX-License-Identifier: MIT */
#include "record/draw_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "record/colour.h"
#include "record/draw_pen.h"
#include "record/draw_raster.h"
#include "shape/outline.h"

enum { PANELS = 3, WIDTH_DEFAULT = 1500 };

/* Colours of the paper theme. */
static const uint32_t paper = 0xFBFAF7, ink = 0x24282F, muted = 0x7B8088, fill = 0xDCE3EA, line_colour = 0x1F5A92,
                      arc_colour = 0xC4530F, inside_colour = 0x2F6DA8, outside_colour = 0xC97B2E;

/* Two nearest points count as different when they are seen from the pixel under more than this angle; it fades in up to
 * twice that, so that the faint ridges of rounded corners do not end abruptly. */
static const double ridge_angle = 0.35;

/* Square panels: where they are, and how metres become pixels: (px + scale · (x - cx), py - scale · (y - cy)). */
typedef struct panel {
    int left, top, side; /* [px] */
    double cx, cy;       /* what is in the middle [m] */
    double scale;        /* [px/m] */
} panel;

typedef struct job {
    const ts_outline *outline;
    const ts_image *image;
    panel at[PANELS];
    double *distance;              /* of each pixel of a panel [m] */
    double *nearest_x, *nearest_y; /* nearest point of the boundary [m] */
    double step;                   /* between contour lines [m] */
    double deepest, farthest;      /* distances inside and outside, in the panel [m] */
} job;

static ts_vec2 pixel_of(const panel *p, double x, double y)
{
    return (ts_vec2){p->left + 0.5 * p->side + p->scale * (x - p->cx), p->top + 0.5 * p->side - p->scale * (y - p->cy)};
}

/* ---- Fields ---- */

static void ask_row(void *context, int row, int thread)
{
    (void)thread;
    const job *j = context;
    const panel *p = &j->at[1];
    size_t begin = (size_t)row * (size_t)p->side;
    double y = p->cy - (row + 0.5 - 0.5 * p->side) / p->scale;
    for (int i = 0; i < p->side; i += 64) {
        double px[64], py[64];
        int count = p->side - i < 64 ? p->side - i : 64;
        for (int k = 0; k < count; k++) {
            px[k] = p->cx + (i + k + 0.5 - 0.5 * p->side) / p->scale;
            py[k] = y;
        }
        size_t at = begin + (size_t)i;
        ts_outline_distance(j->outline, (size_t)count, px, py, j->distance + at, j->nearest_x + at, j->nearest_y + at);
    }
}

static double smooth(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static uint32_t mix(uint32_t a, uint32_t b, double t)
{
    return ts_colour_pixel(ts_colour_mix(ts_colour_of(a), ts_colour_of(b), smooth(t)));
}

static uint32_t *panel_row(const job *j, int which, int row)
{
    const panel *p = &j->at[which];
    return j->image->pixel + (size_t)(p->top + row) * j->image->stride + p->left;
}

/* Blue inside, orange outside, deeper with distance; a thin line at every step, a thick one at zero. */
static void paint_distance(const job *j, int row)
{
    const panel *p = &j->at[1];
    uint32_t *pixel = panel_row(j, 1, row);
    const double *distance = j->distance + (size_t)row * (size_t)p->side;
    for (int i = 0; i < p->side; i++) {
        double d = distance[i], px = d * p->scale;
        uint32_t colour = mix(paper, d < 0 ? inside_colour : outside_colour,
                              0.12 + 0.7 * fabs(d) / (d < 0 ? j->deepest : j->farthest));
        double off = fabs(d - j->step * round(d / j->step)) * p->scale;
        colour = mix(colour, ink, 0.35 * smooth(1 - off));
        pixel[i] = mix(colour, ink, smooth(1.6 - fabs(px)));
    }
}

/* How much of a ridge of the distance lies between two neighbouring pixels, 0 to 1. */
static double ridge(const job *j, size_t a, size_t b, ts_vec2 at_a, ts_vec2 at_b)
{
    double ux = j->nearest_x[a] - at_a.x, uy = j->nearest_y[a] - at_a.y;
    double vx = j->nearest_x[b] - at_b.x, vy = j->nearest_y[b] - at_b.y;
    double angle = atan2(fabs(ux * vy - uy * vx), ux * vx + uy * vy);
    return smooth((angle - ridge_angle) / ridge_angle);
}

static void paint_medial(const job *j, int row)
{
    const panel *p = &j->at[2];
    uint32_t *pixel = panel_row(j, 2, row);
    size_t side = (size_t)p->side, begin = (size_t)row * side;
    double y = p->cy - (row + 0.5 - 0.5 * p->side) / p->scale, pitch = 1 / p->scale;
    for (size_t i = 0; i < side; i++) {
        size_t at = begin + i;
        double d = j->distance[at] * p->scale;
        uint32_t colour = mix(paper, fill, 0.5 - d);
        if (d < -1 && i + 1 < side && row + 1 < p->side && i > 0 && row > 0) {
            /* a ridge between this pixel and any neighbour: lines come out two pixels wide */
            ts_vec2 here = {p->cx + ((double)i + 0.5 - 0.5 * p->side) / p->scale, y};
            double most = ridge(j, at, at + 1, here, (ts_vec2){here.x + pitch, y});
            most = fmax(most, ridge(j, at, at - 1, here, (ts_vec2){here.x - pitch, y}));
            most = fmax(most, ridge(j, at, at + side, here, (ts_vec2){here.x, y - pitch}));
            most = fmax(most, ridge(j, at, at - side, here, (ts_vec2){here.x, y + pitch}));
            colour = mix(colour, inside_colour, most);
        }
        pixel[i] = mix(colour, ink, smooth(1.6 - fabs(d)));
    }
}

static void paint_fill(const job *j, int row)
{
    const panel *p = &j->at[0];
    uint32_t *pixel = panel_row(j, 0, row);
    const double *distance = j->distance + (size_t)row * (size_t)p->side;
    for (int i = 0; i < p->side; i++)
        pixel[i] = mix(paper, fill, 0.5 - distance[i] * p->scale);
}

static void paint_row(void *context, int row, int thread)
{
    (void)thread;
    paint_fill(context, row);
    paint_distance(context, row);
    paint_medial(context, row);
}

/* ---- Lines ---- */

static void stroke(const job *j, ts_vec2 a, ts_vec2 b, double width, uint32_t colour, double opacity)
{
    ts_rows rows = {j->at[0].top, j->at[0].top + j->at[0].side};
    ts_raster_line(j->image, rows, &(ts_raster_stroke){a.x, a.y, b.x, b.y, width, colour, opacity});
}

static void draw_segment(const job *j, const ts_segment *s, double width)
{
    const panel *p = &j->at[0];
    double length = ts_segment_length(s) * p->scale;
    int pieces = s->bulge == 0 ? 1 : (int)fmin(fmax(length / 3, 2), 400);
    ts_vec2 from = pixel_of(p, s->x0, s->y0);
    for (int i = 1; i <= pieces; i++) {
        ts_vec2 point = ts_segment_point(s, (double)i / pieces), to = pixel_of(p, point.x, point.y);
        stroke(j, from, to, width, s->bulge == 0 ? line_colour : arc_colour, 1);
        from = to;
    }
}

static void draw_edges(const job *j)
{
    const ts_outline *o = j->outline;
    for (size_t c = 0; c < o->contour_count; c++) {
        ts_contour contour = ts_outline_get_contour(o, c);
        for (size_t i = 0; i < contour.vertex_count; i++) {
            ts_segment s = ts_contour_segment(&contour, i);
            draw_segment(j, &s, 2);
        }
    }
    const panel *p = &j->at[0];
    ts_vec2 centre = pixel_of(p, o->mass.centre[0], o->mass.centre[1]);
    double radius = o->mass.radius * p->scale;
    for (int i = 0; i < 90; i++) { /* dashes */
        double a = i * TS_PI / 45, b = a + TS_PI / 90;
        stroke(j, (ts_vec2){centre.x + radius * cos(a), centre.y + radius * sin(a)},
               (ts_vec2){centre.x + radius * cos(b), centre.y + radius * sin(b)}, 1, muted, 0.8);
    }
    stroke(j, (ts_vec2){centre.x - 7, centre.y}, (ts_vec2){centre.x + 7, centre.y}, 1.6, ink, 1);
    stroke(j, (ts_vec2){centre.x, centre.y - 7}, (ts_vec2){centre.x, centre.y + 7}, 1.6, ink, 1);
}

static void draw_vertices(const job *j, ts_pen *pen)
{
    const ts_outline *o = j->outline;
    size_t count = ts_outline_vertex_count(o);
    double size = count <= 60 ? 3 : count <= 250 ? 2.2 : 0;
    for (size_t i = 0; i < count && size > 0; i++) {
        ts_vec2 at = pixel_of(&j->at[0], o->vertex[i].x, o->vertex[i].y);
        ts_pen_dot(pen, at.x, at.y, size, paper, ink);
    }
}

/* ---- Words ---- */

/* 1, 2 or 5 times a power of ten, near `value`. */
static double round_step(double value)
{
    double power = pow(10, floor(log10(value))), share = value / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

/* A length with its unit; metres take prefixes. */
static const char *length_text(double value, const char *unit, char *text, size_t capacity)
{
    static const struct {
        const char *name;
        double size;
    } prefix[] = {{"km", 1e3}, {"m", 1}, {"mm", 1e-3}, {"µm", 1e-6}, {"nm", 1e-9}};
    size_t i = 0;
    if (strcmp(unit, "m") != 0) {
        snprintf(text, capacity, "%.3g %s", value, unit);
        return text;
    }
    while (i + 1 < sizeof prefix / sizeof *prefix && value < 0.9999 * prefix[i].size)
        i++;
    snprintf(text, capacity, "%.3g %s", value / prefix[i].size, prefix[i].name);
    return text;
}

static void write_words(const job *j, ts_pen *pen, const ts_shape_picture *about, double size)
{
    static const char *const name[PANELS] = {"outline", "signed distance", "medial axis"};
    char text[PANELS][96], number[48];
    size_t lines = 0, arcs = 0;
    for (size_t i = 0; i < ts_outline_vertex_count(j->outline); i++)
        *(j->outline->vertex[i].bulge == 0 ? &lines : &arcs) += 1;
    snprintf(text[0], sizeof text[0], "%zu lines (blue), %zu arcs (orange)", lines, arcs);
    snprintf(text[1], sizeof text[1], "a line every %s, blue inside",
             length_text(j->step, about->unit, number, sizeof number));
    snprintf(text[2], sizeof text[2], "points nearest to two edges");
    ts_font strong = {size, true, ink}, plain = {0.85 * size, false, muted};
    for (int i = 0; i < PANELS; i++) {
        const panel *p = &j->at[i];
        double baseline = p->top - 0.55 * size,
               used = ts_pen_text(pen, p->left, baseline, TS_ALIGN_LEFT, strong, 0, name[i]);
        ts_pen_text(pen, p->left + used + 0.7 * size, baseline, TS_ALIGN_LEFT, plain, p->side - used - 0.7 * size,
                    text[i]);
    }
    if (about->title)
        ts_pen_text(pen, j->at[0].left, 1.9 * size, TS_ALIGN_LEFT, (ts_font){1.25 * size, true, ink},
                    j->image->width - 2.0 * j->at[0].left, about->title);
    /* a scale bar under the first panel */
    const panel *p = &j->at[0];
    double bar = round_step(0.25 * p->side / p->scale), y = p->top + p->side + 0.9 * size;
    ts_pen_box(pen, p->left, y - 0.35 * size, bar * p->scale, 2.5, ink);
    ts_pen_text(pen, p->left + bar * p->scale + 0.5 * size, y, TS_ALIGN_LEFT, plain, 0,
                length_text(bar, about->unit, number, sizeof number));
}

/* ---- All together ---- */

/* The view that shows all of the outline in a square, with a margin. */
static void set_panels(job *j, double size)
{
    const ts_outline *o = j->outline;
    double low[2] = {o->mass.centre[0] - o->mass.radius, o->mass.centre[1] - o->mass.radius},
           extent = 2 * o->mass.radius;
    int margin = (int)lround(1.6 * size), gap = margin;
    int side = (j->image->width - 2 * margin - (PANELS - 1) * gap) / PANELS;
    for (int i = 0; i < PANELS; i++)
        j->at[i] = (panel){.left = margin + i * (side + gap),
                           .top = (int)lround(4.6 * size),
                           .side = side,
                           .cx = low[0] + 0.5 * extent,
                           .cy = low[1] + 0.5 * extent,
                           .scale = side / (1.12 * extent)};
}

static ts_status draw(job *j, const ts_shape_picture *about, double size, const char *path, ts_error *error)
{
    ts_pen *pen;
    TS_TRY(ts_pen_create(j->image, &pen, error));
    int side = j->at[0].side;
    ts_pool_run(about->pool, side, ask_row, j);
    for (size_t i = 0; i < (size_t)side * (size_t)side; i++) {
        j->deepest = fmax(j->deepest, -j->distance[i]);
        j->farthest = fmax(j->farthest, j->distance[i]);
    }
    /* a few lines inside, and not too many outside of something thin */
    j->step = round_step(fmax(j->deepest / 4, j->farthest / 20));
    ts_pool_run(about->pool, side, paint_row, j);
    draw_edges(j);
    ts_pen_begin(pen);
    draw_vertices(j, pen);
    write_words(j, pen, about, size);
    ts_status status = ts_pen_end(pen, error);
    if (status == TS_OK)
        status = ts_pen_write_png(pen, path, error);
    ts_pen_free(pen);
    return status;
}

ts_status ts_draw_shape(const char *path, const ts_outline *outline, const ts_shape_picture *about, ts_error *error)
{
    int width = about->width ? about->width : WIDTH_DEFAULT;
    if (width < 300 || width > 8192)
        return ts_fail(error, TS_BAD_INPUT, "a picture %d pixels wide cannot be drawn; choose 300 to 8192", width);
    double size = 17.0 * width / WIDTH_DEFAULT;
    job j = {.outline = outline};
    ts_image image = {.stride = (size_t)width, .width = width};
    j.image = &image;
    set_panels(&j, size);
    int side = j.at[0].side;
    image.height = j.at[0].top + side + (int)lround(1.7 * size);
    size_t pixels = (size_t)side * (size_t)side;
    image.pixel = ts_alloc_raw((size_t)width * (size_t)image.height, sizeof *image.pixel);
    j.distance = ts_alloc(3 * pixels, sizeof *j.distance);
    ts_status status = image.pixel && j.distance ? TS_OK : ts_fail_memory(error, 3 * pixels * sizeof *j.distance);
    if (status == TS_OK) {
        j.nearest_x = j.distance + pixels;
        j.nearest_y = j.nearest_x + pixels;
        for (size_t i = 0; i < (size_t)width * (size_t)image.height; i++)
            image.pixel[i] = paper;
        status = draw(&j, about, size, path, error);
    }
    ts_free(image.pixel);
    ts_free(j.distance);
    return status;
}
