/* SPDX-License-Identifier: MIT */
#include "record/draw_pen.h"

#if TS_WITH_CAIRO

#include <cairo.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "record/colour.h"

/* Longest text drawn [bytes]. */
#define TEXT_MAX 512

struct ts_pen {
    cairo_surface_t *surface;
    cairo_t *cairo;
};

static ts_status fail_cairo(ts_error *error, cairo_status_t status)
{
    if (status == CAIRO_STATUS_NO_MEMORY)
        return ts_fail(error, TS_OUT_OF_MEMORY, "out of memory while drawing; ask for a smaller picture");
    return ts_fail(error, TS_IO, "Cairo cannot draw the picture: %s", cairo_status_to_string(status));
}

ts_status ts_pen_create(const ts_image *image, ts_pen **pen, ts_error *error)
{
    ts_pen *made;
    TS_TRY(ts_new(&made, 1, error));
    made->surface = cairo_image_surface_create_for_data((unsigned char *)image->pixel, CAIRO_FORMAT_RGB24, image->width,
                                                        image->height, 4 * image->width);
    made->cairo = cairo_create(made->surface);
    cairo_status_t status = cairo_status(made->cairo);
    if (status != CAIRO_STATUS_SUCCESS) {
        ts_pen_free(made);
        return fail_cairo(error, status);
    }
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(made->cairo, options);
    cairo_font_options_destroy(options);
    *pen = made;
    return TS_OK;
}

void ts_pen_free(ts_pen *pen)
{
    if (!pen)
        return;
    cairo_destroy(pen->cairo);
    cairo_surface_destroy(pen->surface);
    ts_free(pen);
}

void ts_pen_begin(ts_pen *pen)
{
    cairo_surface_mark_dirty(pen->surface);
}

ts_status ts_pen_end(ts_pen *pen, ts_error *error)
{
    cairo_surface_flush(pen->surface);
    cairo_status_t status = cairo_status(pen->cairo);
    return status == CAIRO_STATUS_SUCCESS ? TS_OK : fail_cairo(error, status);
}

/* ---- Text ---- */

/* A copy that Cairo accepts: an invalid string would put the whole context out of order. */
static void clean(const char *text, char out[TEXT_MAX])
{
    size_t used = 0;
    for (const char *c = text; *c && used + 5 < TEXT_MAX;) {
        size_t length = ts_utf8_length(c);
        bool control = (unsigned char)*c < 0x20 || *c == 0x7F;
        const char *from = length == 0 ? "\xEF\xBF\xBD" : control ? " " : c;
        size_t bytes = length == 0 ? 3 : length;
        memcpy(out + used, from, bytes);
        used += bytes;
        c += length == 0 ? 1 : length;
    }
    out[used] = 0;
}

static void choose_font(ts_pen *pen, ts_font font)
{
    cairo_select_font_face(pen->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen->cairo, font.size);
}

static double advance(ts_pen *pen, const char *clean_text)
{
    cairo_text_extents_t extents = {0};
    cairo_text_extents(pen->cairo, clean_text, &extents);
    return extents.x_advance;
}

static void set_colour(ts_pen *pen, uint32_t colour)
{
    ts_colour c = ts_colour_of(colour);
    cairo_set_source_rgb(pen->cairo, c.r, c.g, c.b);
}

/* Cuts whole characters from the end until text and ellipsis fit. */
static void cut(ts_pen *pen, char text[TEXT_MAX], double room)
{
    size_t length = strlen(text);
    while (length > 0) {
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        memcpy(text + length, "\xE2\x80\xA6", 4); /* clean() left room for it */
        if (advance(pen, text) <= room)
            return;
    }
}

double ts_pen_text(ts_pen *pen, double x, double baseline, ts_align align, ts_font font, double room, const char *text)
{
    char shown[TEXT_MAX];
    clean(text, shown);
    choose_font(pen, font);
    double width = advance(pen, shown);
    if (room > 0 && width > room) {
        cut(pen, shown, room);
        width = advance(pen, shown);
    }
    set_colour(pen, font.colour);
    cairo_move_to(pen->cairo, x - width * (align == TS_ALIGN_CENTRE ? 0.5 : align == TS_ALIGN_RIGHT ? 1 : 0), baseline);
    cairo_show_text(pen->cairo, shown);
    cairo_new_path(pen->cairo);
    return width;
}

double ts_pen_text_width(ts_pen *pen, ts_font font, const char *text)
{
    char shown[TEXT_MAX];
    clean(text, shown);
    choose_font(pen, font);
    return advance(pen, shown);
}

/* ---- Figures ---- */

void ts_pen_box(ts_pen *pen, double x, double y, double width, double height, uint32_t colour)
{
    set_colour(pen, colour);
    cairo_rectangle(pen->cairo, x, y, width, height);
    cairo_fill(pen->cairo);
}

void ts_pen_dot(ts_pen *pen, double x, double y, double radius, uint32_t fill, uint32_t rim)
{
    set_colour(pen, rim);
    cairo_arc(pen->cairo, x, y, radius, 0, 6.283185307179586);
    cairo_fill(pen->cairo);
    set_colour(pen, fill);
    cairo_arc(pen->cairo, x, y, radius * 0.84, 0, 6.283185307179586);
    cairo_fill(pen->cairo);
}

void ts_pen_triangle(ts_pen *pen, const double x[3], const double y[3], uint32_t colour)
{
    set_colour(pen, colour);
    cairo_move_to(pen->cairo, x[0], y[0]);
    cairo_line_to(pen->cairo, x[1], y[1]);
    cairo_line_to(pen->cairo, x[2], y[2]);
    cairo_fill(pen->cairo);
}

/* ---- PNG ---- */

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned int length)
{
    FILE *stream = closure;
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

ts_status ts_pen_write_png(ts_pen *pen, const char *path, ts_error *error)
{
    TS_AUTO(ts_draft_discard) ts_draft draft = {0};
    TS_TRY(ts_draft_open(&draft, path, error));
    cairo_status_t status = cairo_surface_write_to_png_stream(pen->surface, write_bytes, draft.stream);
    /* a write error is known to the stream: the commit reports it with the path */
    if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_WRITE_ERROR)
        return fail_cairo(error, status);
    return ts_draft_commit(&draft, error);
}

#else /* without Cairo there are no pens, so that the rest is never called */

ts_status ts_pen_create(const ts_image *image, ts_pen **pen, ts_error *error)
{
    (void)image, (void)pen;
    return ts_fail(
        error, TS_UNSUPPORTED,
        "this build of Touchstone cannot draw pictures; install libcairo2-dev and build with -DTS_WITH_CAIRO=ON");
}

void ts_pen_free(ts_pen *pen)
{
    (void)pen;
}

void ts_pen_begin(ts_pen *pen)
{
    (void)pen;
}

ts_status ts_pen_end(ts_pen *pen, ts_error *error)
{
    (void)pen, (void)error;
    return TS_OK;
}

double ts_pen_text(ts_pen *pen, double x, double baseline, ts_align align, ts_font font, double room, const char *text)
{
    (void)pen, (void)x, (void)baseline, (void)align, (void)font, (void)room, (void)text;
    return 0;
}

double ts_pen_text_width(ts_pen *pen, ts_font font, const char *text)
{
    (void)pen, (void)font, (void)text;
    return 0;
}

void ts_pen_box(ts_pen *pen, double x, double y, double width, double height, uint32_t colour)
{
    (void)pen, (void)x, (void)y, (void)width, (void)height, (void)colour;
}

void ts_pen_dot(ts_pen *pen, double x, double y, double radius, uint32_t fill, uint32_t rim)
{
    (void)pen, (void)x, (void)y, (void)radius, (void)fill, (void)rim;
}

void ts_pen_triangle(ts_pen *pen, const double x[3], const double y[3], uint32_t colour)
{
    (void)pen, (void)x, (void)y, (void)colour;
}

ts_status ts_pen_write_png(ts_pen *pen, const char *path, ts_error *error)
{
    (void)pen, (void)path;
    return ts_fail(error, TS_UNSUPPORTED, "this build of Touchstone cannot write pictures");
}

#endif
