/* SPDX-License-Identifier: MIT */
#include "study/layer_draw.h"

#include <math.h>

#include "base/memory.h"
#include "record/colour.h"
#include "record/draw_pen.h"
#include "study/figure.h"

TS_RELEASE_AT(ts_pen, ts_pen_free)

static const size_t field_width = 400, margin = 8, caption_height = 26; /* [px] */
static const ts_font caption_font = {14, false, 0x202020};

/* A field as pixels: two standard deviations to either side. */
static void paint(const ts_layer_field *f, uint32_t *pixel, size_t stride, size_t zoom)
{
    const size_t cells = f->columns * f->rows;
    double mean = 0, square = 0;
    for (size_t i = 0; i < cells; i++)
        mean += f->height[i] / (double)cells;
    for (size_t i = 0; i < cells; i++)
        square += (f->height[i] - mean) * (f->height[i] - mean) / (double)cells;
    const double unit = square > 0 ? 0.25 / sqrt(square) : 0;
    for (size_t y = 0; y < f->rows * zoom; y++)
        for (size_t x = 0; x < f->columns * zoom; x++) {
            const double h = f->height[(f->rows - 1 - y / zoom) * f->columns + x / zoom];
            pixel[y * stride + x] = ts_colour_pixel(ts_colour_map_at(TS_MAP_VIRIDIS, 0.5 + unit * (h - mean)));
        }
}

/* Pictures side by side with captions above them. */
typedef struct sheet {
    ts_image image;
    const ts_layer_picture *picture;
    size_t count, each;
} sheet;

static ts_status write(ts_study *study, const void *user, const char *path, ts_error *error)
{
    const sheet *s = user;
    TS_AUTO(ts_pen_free_at) ts_pen *pen = NULL;
    (void)study;
    TS_TRY(ts_pen_create(&s->image, &pen, error));
    ts_pen_begin(pen);
    for (size_t k = 0; k < s->count; k++)
        ts_pen_text(pen, (double)(margin + k * (s->each + margin)), 0.7 * (double)caption_height, TS_ALIGN_LEFT,
                    caption_font, (double)s->each, s->picture[k].caption);
    TS_TRY(ts_pen_end(pen, error));
    return ts_pen_write_png(pen, path, error);
}

ts_status ts_layer_draw(ts_study *study, const char *name, const ts_layer_picture *picture, size_t count,
                        ts_error *error)
{
    const size_t columns = picture[0].field->columns, zoom = field_width / columns > 1 ? field_width / columns : 1,
                 each = columns * zoom, width = margin + count * (each + margin),
                 height = caption_height + picture[0].field->rows * zoom + margin;
    TS_AUTO_FREE uint32_t *pixel = NULL;
    TS_TRY(ts_new(&pixel, width * height, error));
    for (size_t i = 0; i < width * height; i++)
        pixel[i] = 0xffffff;
    for (size_t k = 0; k < count; k++)
        paint(picture[k].field, pixel + caption_height * width + margin + k * (each + margin), width, zoom);
    const sheet s = {{pixel, width, (int)width, (int)height}, picture, count, each};
    return ts_figure_write(study, name, "png", write, &s, error);
}
