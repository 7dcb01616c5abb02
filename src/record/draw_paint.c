/* SPDX-License-Identifier: MIT */
#include "record/draw_paint.h"

#include <math.h>

#include "base/vec.h"

/* Kinds of which each has its own tones (three rounds of the palette), and lightnesses of each. */
#define KIND_TONES   (3 * TS_PALETTE_COUNT)
#define SHADES       5
#define MIDDLE_SHADE 2

/* What is nearer than this to a pixel is drawn; what is farther could overflow integers. */
#define PIXELS_MAX 1e8

static const ts_theme_colours theme_colours[] = {
    [TS_THEME_LIGHT] = {.paper = 0xFBFAF7,
                        .ink = 0x24282F,
                        .muted = 0x7B8088,
                        .solid = 0xE3E0D8,
                        .hatch = 0xCBC7BC,
                        .edge = 0x8A877F,
                        .fixed = 0xA8AAAD,
                        .chain = 0x8E1515},
    [TS_THEME_DARK] = {.paper = 0x14171C,
                       .ink = 0xE9EBEE,
                       .muted = 0x8E96A1,
                       .solid = 0x242932,
                       .hatch = 0x363D48,
                       .edge = 0x717B89,
                       .fixed = 0x676D76,
                       .chain = 0xFF8A66},
};

const ts_theme_colours *ts_theme_get(ts_theme theme)
{
    return &theme_colours[theme == TS_THEME_DARK ? TS_THEME_DARK : TS_THEME_LIGHT];
}

void ts_paint_free(ts_paint *paint)
{
    ts_array_free(&paint->grain);
    ts_array_free(&paint->wall);
    ts_array_free(&paint->reach);
    ts_array_free(&paint->row);
    ts_array_free(&paint->disc);
}

/* ---- Colours ---- */

typedef struct tone_style {
    ts_colour paper;
    bool faded; /* pale and nearly grey */
} tone_style;

/* Rims are darker than their grain; but the darker a grain on dark paper, the lighter its rim, or it would be lost. */
static void set_tone(uint32_t *fill, uint32_t *rim, ts_colour colour, const tone_style *style)
{
    double lab[3], paper[3];
    ts_colour_oklab(colour, lab);
    ts_colour_oklab(style->paper, paper);
    double darker = paper[0] < 0.5 ? fmin(fmax((lab[0] - 0.3) / 0.3, 0), 1) : 1;
    ts_colour edge = ts_colour_lighten(colour, 0.08 * (1 - darker) - 0.17 * darker);
    if (style->faded) {
        ts_colour grey = ts_colour_of(0x8C9096);
        colour = ts_colour_mix(ts_colour_mix(colour, grey, 0.45), style->paper, 0.66);
        edge = ts_colour_mix(ts_colour_mix(edge, grey, 0.45), style->paper, 0.5);
    }
    *fill = ts_colour_pixel(colour);
    *rim = ts_colour_pixel(edge);
}

static void set_tones(ts_paint *paint, const ts_picture *picture, const ts_picture_key *key,
                      const ts_draw_options *options)
{
    const ts_theme_colours *theme = ts_theme_get(options->theme);
    tone_style style = {.paper = ts_colour_of(theme->paper), .faded = picture->faded};
    set_tone(&paint->fixed.fill, &paint->fixed.rim, ts_colour_of(theme->fixed), &style);
    for (int i = 0; i < 256; i++) {
        ts_colour colour;
        if (key->kind == TS_KEY_SCALE) {
            colour = ts_colour_map_at(key->map, i / 255.0);
        } else {
            colour = ts_colour_kind((size_t)(i / SHADES));
            if (options->variation)
                colour = ts_colour_lighten(colour, 0.022 * (i % SHADES - MIDDLE_SHADE));
        }
        set_tone(&paint->tone[i].fill, &paint->tone[i].rim, colour, &style);
    }
}

static uint8_t tone_of(const ts_picture_body *body, size_t index, const ts_picture_key *key)
{
    if (key->kind == TS_KEY_SCALE) {
        double t = (body->value - key->low) / (key->high - key->low);
        if (key->map == TS_MAP_WHEEL)
            t -= floor(t);
        return t > 0 ? (t < 1 ? (uint8_t)lround(t * 255) : 255) : 0; /* a NaN gives 0 */
    }
    size_t kind = 0;
    if (key->kind == TS_KEY_KINDS && body->value >= 0 && body->value < 4294967296.0)
        kind = (size_t)body->value % KIND_TONES;
    /* the golden ratio spreads shades evenly over neighbours in the order of bodies */
    double spread = (double)index * 0.6180339887498949;
    return (uint8_t)(kind * SHADES + (size_t)((spread - floor(spread)) * SHADES));
}

/* ---- Preparing: metres to pixels, and what is worth drawing ---- */

static ts_status measure_shapes(ts_paint *paint, const ts_picture *picture, size_t *most_discs, ts_error *error)
{
    TS_TRY(ts_array_reserve(&paint->reach, picture->shape_count, error));
    *most_discs = 1;
    for (size_t s = 0; s < picture->shape_count; s++) {
        const ts_picture_shape *shape = &picture->shape[s];
        double reach = 0;
        for (size_t k = 0; k < shape->disc_count; k++)
            reach = fmax(reach, hypot(shape->disc[k].x, shape->disc[k].y) + shape->disc[k].radius);
        paint->reach.item[s] = reach;
        if (shape->disc_count > *most_discs)
            *most_discs = shape->disc_count;
    }
    return TS_OK;
}

static ts_status place_grains(ts_paint *paint, const ts_image *image, const ts_picture *picture,
                              const ts_picture_key *key, ts_mapping mapping, ts_error *error)
{
    TS_TRY(ts_array_reserve(&paint->grain, picture->body_count, error));
    paint->grain.count = 0;
    for (size_t i = 0; i < picture->body_count; i++) {
        const ts_picture_body *body = &picture->body[i];
        if (body->hidden || body->shape < 0 || (size_t)body->shape >= picture->shape_count)
            continue;
        double x = mapping.x + mapping.scale * body->x, y = mapping.y - mapping.scale * body->y;
        double reach = mapping.scale * body->scale * paint->reach.item[body->shape];
        /* written so that a NaN anywhere leaves the body out */
        bool seen = x + reach > -1 && x - reach < image->width + 1 && y + reach > -1 && y - reach < image->height + 1;
        if (!seen || !(reach > 0) || !(reach < PIXELS_MAX) || !(fabs(x) + fabs(y) < 4 * PIXELS_MAX) ||
            !isfinite(body->angle))
            continue;
        paint->grain.item[paint->grain.count++] = (ts_paint_grain){
            .x = x, .y = y, .reach = reach, .body = (uint32_t)i, .tone = tone_of(body, i, key), .fixed = body->fixed};
    }
    return TS_OK;
}

/* Whether an outline wall keeps bodies inside: then what lies beyond its bounding circle is solid. */
static bool is_solid_far_away(const ts_picture_wall *wall)
{
    double x = 2 * wall->radius, y = 0, distance;
    ts_distance_query(wall->reach, 1, &x, &y, &distance, NULL, NULL, NULL);
    return distance < 0;
}

/* `stroke`: half of the width of thin walls [px]. */
static ts_status place_walls(ts_paint *paint, const ts_picture *picture, ts_mapping mapping, double stroke,
                             ts_error *error)
{
    TS_TRY(ts_array_reserve(&paint->wall, picture->wall_count, error));
    paint->wall.count = 0;
    for (size_t i = 0; i < picture->wall_count; i++) {
        const ts_picture_wall *wall = &picture->wall[i];
        double length = hypot(wall->nx, wall->ny);
        ts_raster_wall placed = {.kind = wall->kind,
                                 .x = mapping.x + mapping.scale * wall->x,
                                 .y = mapping.y - mapping.scale * wall->y,
                                 .radius = mapping.scale * wall->radius,
                                 .angle = isfinite(wall->angle) ? -wall->angle : 0};
        if (!isfinite(placed.x) || !isfinite(placed.y))
            continue;
        if (wall->kind == TS_WALL_POLYLINE || wall->kind == TS_WALL_OUTLINE) {
            if (!wall->reach || !(placed.radius < PIXELS_MAX) || !(fabs(placed.x) + fabs(placed.y) < 4 * PIXELS_MAX))
                continue;
            placed.scale = mapping.scale;
            placed.reach = wall->reach;
            placed.half_width = wall->kind == TS_WALL_POLYLINE ? stroke : 0;
            placed.solid_outside = wall->kind == TS_WALL_OUTLINE && is_solid_far_away(wall);
        } else if (wall->kind == TS_WALL_FLAT) {
            if (!(length > 0) || !isfinite(length))
                continue;
            placed.nx = wall->nx / length;
            placed.ny = -wall->ny / length;
        } else if (!(placed.radius > 0) || !isfinite(placed.radius)) {
            continue;
        }
        paint->wall.item[paint->wall.count++] = placed;
    }
    return TS_OK;
}

/* ---- Painting, band by band ---- */

typedef struct band_context {
    ts_paint *paint;
    const ts_image *image;
    const ts_picture *picture;
    const ts_draw_options *options;
    ts_mapping mapping;
    ts_wall_ink wall_ink;
    double unit, ui;
    int band_count;
    size_t most_discs; /* of any shape */
} band_context;

static uint32_t mix_pixels(uint32_t a, uint32_t b, double t)
{
    return ts_colour_pixel(ts_colour_mix(ts_colour_of(a), ts_colour_of(b), t));
}

/* Rims appear between 2 and 4 pixels of radius, so that sizes on either side of a limit do not look different in
 * kind. */
static ts_ink grain_ink(const band_context *c, const ts_paint_grain *grain, double largest)
{
    ts_ink ink = {.opacity = 1};
    ink.fill = grain->fixed ? c->paint->fixed.fill : c->paint->tone[grain->tone].fill;
    uint32_t rim = grain->fixed ? c->paint->fixed.rim : c->paint->tone[grain->tone].rim;
    double radius = fmax(largest, 0.7 * grain->reach), shown = fmin((radius / c->unit - 2) / 2, 1);
    if (c->options->outline && shown > 0) {
        ink.rim_width = fmin(fmax(0.1 * largest, 0.75 * c->unit), 1.8 * c->unit * fmax(c->ui, 1));
        ink.rim = shown < 1 ? mix_pixels(ink.fill, rim, shown) : rim;
    }
    return ink;
}

/* A spoke that ends in the rim. */
static void draw_mark(const band_context *c, ts_rows rows, const ts_paint_grain *grain, double angle)
{
    double shown = fmin((grain->reach / c->unit - 4) / 3, 1);
    if (!c->options->mark || grain->fixed || shown <= 0)
        return;
    double dx = cos(angle), dy = -sin(angle), from = 0.42 * grain->reach;
    double width = fmin(fmax(0.1 * grain->reach, 0.9 * c->unit), 2.2 * c->unit * fmax(c->ui, 1));
    double to = grain->reach - width;
    ts_raster_stroke spoke = {grain->x + from * dx,
                              grain->y + from * dy,
                              grain->x + to * dx,
                              grain->y + to * dy,
                              width,
                              c->paint->tone[grain->tone].rim,
                              0.8 * shown};
    ts_raster_line(c->image, rows, &spoke);
}

static void draw_outline(const band_context *c, ts_rows rows, const ts_paint_grain *grain)
{
    const ts_picture_body *body = &c->picture->body[grain->body];
    const ts_outline *outline = c->picture->shape[body->shape].outline;
    double scale = c->mapping.scale * body->scale;
    ts_raster_outline placed = {.outline = outline,
                                .x = grain->x,
                                .y = grain->y,
                                .scale = scale,
                                .cosine = cos(body->angle),
                                .sine = sin(body->angle),
                                .reach = grain->reach};
    /* as wide a rim as a disc of the same area would have */
    ts_ink ink = grain_ink(c, grain, scale * sqrt(outline->mass.area / TS_PI));
    ts_raster_outline_fill(c->image, rows, &placed, &ink);
}

static void draw_grain(const band_context *c, ts_rows rows, const ts_paint_grain *grain, ts_raster_disc *disc,
                       double *row)
{
    const ts_picture_body *body = &c->picture->body[grain->body];
    const ts_picture_shape *shape = &c->picture->shape[body->shape];
    if (shape->outline && grain->reach >= 0.75) {
        draw_outline(c, rows, grain);
        return;
    }
    double scale = c->mapping.scale * body->scale, cosine = 1, sine = 0, largest = 0;
    if (shape->disc_count > 1 || shape->disc[0].x != 0 || shape->disc[0].y != 0) {
        cosine = cos(body->angle);
        sine = sin(body->angle);
    }
    for (size_t k = 0; k < shape->disc_count; k++) {
        const ts_disc *part = &shape->disc[k];
        disc[k].x = grain->x + scale * (cosine * part->x - sine * part->y);
        disc[k].y = grain->y - scale * (sine * part->x + cosine * part->y);
        disc[k].radius = scale * part->radius;
        largest = fmax(largest, disc[k].radius);
    }
    ts_ink ink = grain_ink(c, grain, largest);
    /* a cluster that is less than a pixel is a dot like any other */
    if (grain->reach < 0.75) {
        disc[0] = (ts_raster_disc){grain->x, grain->y, grain->reach};
        ts_raster_discs(c->image, rows, disc, 1, &ink, row);
        return;
    }
    ts_raster_discs(c->image, rows, disc, shape->disc_count, &ink, row);
    if (shape->disc_count == 1)
        draw_mark(c, rows, grain, body->angle);
}

static void draw_lines(const band_context *c, ts_rows rows)
{
    uint32_t colour = ts_theme_get(c->options->theme)->chain;
    double limit = 4 * PIXELS_MAX;
    for (size_t i = 0; i < c->picture->line_count; i++) {
        const ts_picture_line *line = &c->picture->line[i];
        double x0 = c->mapping.x + c->mapping.scale * line->x0, y0 = c->mapping.y - c->mapping.scale * line->y0;
        double x1 = c->mapping.x + c->mapping.scale * line->x1, y1 = c->mapping.y - c->mapping.scale * line->y1;
        double width = c->mapping.scale * line->width;
        if (!(fabs(x0) + fabs(y0) + fabs(x1) + fabs(y1) < limit) || !(width > 0) || !(width < PIXELS_MAX))
            continue;
        if (fmax(y0, y1) + width < rows.y0 || fmin(y0, y1) - width > rows.y1)
            continue;
        ts_raster_line(c->image, rows, &(ts_raster_stroke){x0, y0, x1, y1, width, colour, 0.92});
    }
}

static void draw_band(void *context, int task, int thread)
{
    const band_context *c = context;
    ts_rows rows = {(int)((int64_t)c->image->height * task / c->band_count),
                    (int)((int64_t)c->image->height * (task + 1) / c->band_count)};
    double *row = c->paint->row.item + (size_t)thread * (size_t)c->image->width;
    ts_raster_disc *disc = c->paint->disc.item + (size_t)thread * c->most_discs;

    ts_raster_walls(c->image, rows, c->paint->wall.item, c->paint->wall.count, &c->wall_ink, row);
    for (size_t i = 0; i < c->paint->grain.count; i++) {
        const ts_paint_grain *grain = &c->paint->grain.item[i];
        if (grain->y + grain->reach + 1 > rows.y0 && grain->y - grain->reach - 1 < rows.y1)
            draw_grain(c, rows, grain, disc, row);
    }
    draw_lines(c, rows);
}

ts_status ts_paint_picture(ts_paint *paint, const ts_image *image, const ts_picture *picture, const ts_picture_key *key,
                           ts_mapping mapping, const ts_draw_options *options, ts_paint_size size, ts_error *error)
{
    const ts_theme_colours *theme = ts_theme_get(options->theme);
    int thread_count = ts_pool_thread_count(options->pool);
    size_t threads = (size_t)thread_count, most_discs;
    TS_TRY(measure_shapes(paint, picture, &most_discs, error));
    TS_TRY(place_grains(paint, image, picture, key, mapping, error));
    double line = size.unit * fmax(size.ui, 0.6);
    TS_TRY(place_walls(paint, picture, mapping, 1.1 * line, error));
    TS_TRY(ts_array_reserve(&paint->row, (size_t)image->width * threads, error));
    TS_TRY(ts_array_reserve(&paint->disc, most_discs * threads, error));
    set_tones(paint, picture, key, options);

    band_context context = {.paint = paint,
                            .image = image,
                            .picture = picture,
                            .options = options,
                            .mapping = mapping,
                            .unit = size.unit,
                            .ui = size.ui,
                            .wall_ink = {.paper = theme->paper,
                                         .solid = theme->solid,
                                         .hatch = theme->hatch,
                                         .edge = theme->edge,
                                         .edge_width = 1.6 * line,
                                         .hatch_period = 7 * line,
                                         .hatch_width = 1.1 * line,
                                         .fade = 34 * line,
                                         .top = size.top * size.unit},
                            .band_count = thread_count > 1 ? 4 * thread_count : 1,
                            .most_discs = most_discs};
    ts_pool_run(options->pool, context.band_count, draw_band, &context);
    return TS_OK;
}
