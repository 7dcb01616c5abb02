/* SPDX-License-Identifier: MIT */
#include "record/draw_label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/draw_paint.h"

/* Sizes at ui = 1 [px]. */
#define MARGIN     22.0
#define TITLE_SIZE 19.0
#define WORD_SIZE  16.0
#define TICK_SIZE  13.0

/* Of the time behind the title. */
#define TIME_ROOM 170.0
/* Kinds that a legend names at most; the rest is "…". */
#define LEGEND_MAX 10
/* Ticks of a colour bar; a step of a third of its length or less, in round numbers, makes eight at most. */
#define TICKS_MAX 10

/* ---- Numbers ---- */

char *ts_label_number(double value, int decimals, char text[TS_LABEL_SIZE])
{
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    double unit = pow(10, decimals), whole = round(fabs(value) * unit);
    if (!(whole < 1e17)) { /* too large to be a label; also a NaN */
        snprintf(text, TS_LABEL_SIZE, "%s%.0e", value < 0 ? "\xE2\x88\x92" : "", fabs(value));
        return text;
    }
    unsigned long long digits = (unsigned long long)whole, one = (unsigned long long)unit;
    const char *sign = value < 0 && digits > 0 ? "\xE2\x88\x92" : ""; /* a minus as wide as a digit */
    if (decimals == 0)
        snprintf(text, TS_LABEL_SIZE, "%s%llu", sign, digits);
    else
        snprintf(text, TS_LABEL_SIZE, "%s%llu.%0*llu", sign, digits / one, decimals, digits % one);
    return text;
}

/* Power of ten of a positive number, where 999.9999999 is a thousand. */
static int magnitude(double value)
{
    return (int)floor(log10(value) + 1e-9);
}

const char *ts_label_prefix(double value, double *factor)
{
    static const char *const prefix[] = {"p", "n", "\xC2\xB5", "m", "", "k", "M", "G", "T"};
    value = fabs(value);
    *factor = 1;
    if (!(value > 0) || !isfinite(value) || (value >= 0.0999999 && value < 1))
        return "";
    int power = magnitude(value), group = (power >= 0 ? power : power - 2) / 3;
    if (group < -4 || group > 4)
        return "";
    *factor = pow(1000, group);
    return prefix[group + 4];
}

/* Decimals that show `step` exactly, as long as it has no more than two digits. */
static int decimals_of(double step)
{
    int power = magnitude(step);
    int decimals = power < 0 ? -power : 0;
    double digits = step * pow(10, decimals);
    if (fabs(digits - round(digits)) > 1e-6)
        decimals++;
    return decimals > 9 ? 9 : decimals;
}

char *ts_label_quantity(double value, const char *unit, char text[TS_LABEL_SIZE])
{
    double factor;
    const char *prefix = ts_label_prefix(value, &factor);
    double shown = value / factor;
    int decimals = 0;
    if (shown != 0 && isfinite(shown)) {
        decimals = 2 - magnitude(fabs(shown)); /* three significant digits, without zeros at the end */
        decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
        while (decimals > 0 && fabs(shown * pow(10, decimals - 1) - round(shown * pow(10, decimals - 1))) < 0.05)
            decimals--;
    }
    char number[TS_LABEL_SIZE];
    snprintf(text, TS_LABEL_SIZE, "%.32s %s%.16s", ts_label_number(shown, decimals, number), prefix, unit);
    return text;
}

double ts_nice_below(double value)
{
    if (!(value > 0) || !isfinite(value))
        return 1;
    double power = pow(10, magnitude(value)), lead = value / power * (1 + 1e-9);
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

double ts_nice_above(double value)
{
    static const double step[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    if (!(value > 0) || !isfinite(value))
        return 1;
    double power = pow(10, magnitude(value)), lead = value / power * (1 - 1e-9);
    size_t i = 0;
    while (i + 1 < sizeof step / sizeof *step && step[i] < lead)
        i++;
    return power * step[i];
}

/* ---- Colours and fonts ---- */

static ts_font words(const ts_figure *figure, double size, bool bold, bool muted)
{
    const ts_theme_colours *theme = ts_theme_get(figure->options->theme);
    return (ts_font){.size = size * figure->ui, .bold = bold, .colour = muted ? theme->muted : theme->ink};
}

/* ---- Legend ---- */

static bool named(const ts_picture_key *key, size_t kind)
{
    return key->name[kind] && key->name[kind][0];
}

static size_t count_named(const ts_picture_key *key)
{
    size_t count = 0;
    for (size_t i = 0; i < key->name_count; i++)
        count += named(key, i);
    return count;
}

/* One kind needs no legend: there is nothing to tell apart. */
static bool has_legend(const ts_picture_key *key)
{
    return key->kind == TS_KEY_KINDS && count_named(key) > 1;
}

/* Draws (or measures) the kinds from left to right; returns the width. */
static double legend(const ts_figure *figure, const ts_picture_key *key, double x, double baseline, double room,
                     bool draw)
{
    double ui = figure->ui, radius = 6.5 * ui, start = x;
    ts_font font = words(figure, WORD_SIZE, false, false);
    const char *const more = "\xE2\x80\xA6";
    const double rest = 20 * ui + ts_pen_text_width(figure->pen, font, more);
    size_t shown = 0, left = count_named(key);
    for (size_t i = 0; i < key->name_count; i++) {
        if (!named(key, i))
            continue;
        double width = fmin(ts_pen_text_width(figure->pen, font, key->name[i]), 220 * ui);
        if (shown > 0)
            x += 20 * ui;
        left--;
        const double end = x - start + 2 * radius + 7 * ui + width + (left > 0 ? rest : 0);
        if (shown > 0 && (shown >= LEGEND_MAX || end > room)) {
            return x - start +
                   (draw ? ts_pen_text(figure->pen, x, baseline, TS_ALIGN_LEFT, font, 0, more)
                         : ts_pen_text_width(figure->pen, font, more));
        }
        if (draw) {
            ts_colour colour = ts_colour_kind(i);
            ts_pen_dot(figure->pen, x + radius, baseline - 0.36 * font.size, radius, ts_colour_pixel(colour),
                       ts_colour_pixel(ts_colour_lighten(colour, -0.17)));
            ts_pen_text(figure->pen, x + 2 * radius + 7 * ui, baseline, TS_ALIGN_LEFT, font, 220 * ui, key->name[i]);
        }
        x += 2 * radius + 7 * ui + width;
        shown++;
    }
    return x - start;
}

/* ---- Colour bar ---- */

/* A horizontal bar with its ticks below and its name at its left; its right end at `right`. Returns the width in
 * all. */
static double colour_bar(const ts_figure *figure, const ts_picture_key *key, double right, double top)
{
    const ts_theme_colours *theme = ts_theme_get(figure->options->theme);
    double ui = figure->ui, length = fmin(260 * ui, 0.3 * figure->width), height = 12 * ui;
    double arrow = key->beyond ? 0.75 * height : 0, x = right - length - arrow;

    int steps = (int)ceil(length);
    for (int i = 0; i < steps; i++) {
        double from = i * length / steps;
        /* strips overlap, so that no seam of background shines through */
        ts_pen_box(figure->pen, x + from, top, fmin(length / steps + 1, length - from), height,
                   ts_colour_pixel(ts_colour_map_at(key->map, (i + 0.5) / steps)));
    }
    if (key->beyond) {
        double tip_x[3] = {x + length, x + length, x + length + arrow},
               tip_y[3] = {top, top + height, top + height / 2};
        ts_pen_triangle(figure->pen, tip_x, tip_y, ts_colour_pixel(ts_colour_map_at(key->map, 1)));
    }

    double factor = 1;
    bool plain = strcmp(key->unit, "\xC2\xB0") == 0 || key->unit[0] == 0;
    const char *prefix = plain ? "" : ts_label_prefix(fmax(fabs(key->low), fabs(key->high)), &factor);
    double low = key->low / factor, high = key->high / factor;
    double step = strcmp(key->unit, "\xC2\xB0") == 0 ? 90 : ts_nice_below((high - low) / 3);
    ts_font font = words(figure, TICK_SIZE, false, true);
    int decimals = decimals_of(step);
    double first = ceil(low / step - 1e-6) * step;
    for (int i = 0; i < TICKS_MAX && first + i * step <= high + 1e-6 * step; i++) {
        char text[TS_LABEL_SIZE];
        double tick = first + i * step, at = x + length * (tick - low) / (high - low);
        ts_pen_box(figure->pen, at - 0.6 * ui, top + height, 1.2 * ui, 4 * ui, theme->muted);
        ts_pen_text(figure->pen, at, top + height + 5 * ui + font.size, TS_ALIGN_CENTRE, font, 0,
                    ts_label_number(tick, decimals, text));
    }

    char label[128];
    if (key->unit[0])
        snprintf(label, sizeof label, "%.64s (%s%.32s)", key->label, prefix, key->unit);
    else
        snprintf(label, sizeof label, "%.64s", key->label);
    ts_font name = words(figure, WORD_SIZE, false, false);
    double gap = 14 * ui;
    return length + arrow + gap +
           ts_pen_text(figure->pen, x - gap, top + 0.5 * height + 0.36 * name.size, TS_ALIGN_RIGHT, name, 300 * ui,
                       label);
}

/* ---- Scale bar ---- */

double ts_figure_scale_bar(const ts_figure *figure, double x, ts_align align, double baseline, double room,
                           double scale)
{
    const ts_theme_colours *theme = ts_theme_get(figure->options->theme);
    double ui = figure->ui, length = ts_nice_below(fmin(room, 160 * ui) / scale), width = length * scale;
    if (!(width > 0) || !(width <= room) || !isfinite(width))
        return 0;
    ts_font font = words(figure, TICK_SIZE + 1, false, false);
    double middle = baseline - 0.36 * font.size, line = 2 * ui, cap = 9 * ui, gap = 9 * ui;
    char text[TS_LABEL_SIZE];
    double all = width + gap + ts_pen_text_width(figure->pen, font, ts_label_quantity(length, "m", text));
    if (align == TS_ALIGN_RIGHT)
        x -= all;
    ts_pen_box(figure->pen, x, middle - line / 2, width, line, theme->ink);
    ts_pen_box(figure->pen, x, middle - cap / 2, line, cap, theme->ink);
    ts_pen_box(figure->pen, x + width - line, middle - cap / 2, line, cap, theme->ink);
    ts_pen_text(figure->pen, x + width + gap, baseline, TS_ALIGN_LEFT, font, 0, text);
    return all;
}

/* A sample of a force chain with what its width means; its right end at `right`. Returns the width. */
static double line_sample(const ts_figure *figure, const ts_picture_key *key, double right, double baseline,
                          double scale)
{
    const ts_theme_colours *theme = ts_theme_get(figure->options->theme);
    double ui = figure->ui, length = 30 * ui, thick = fmin(fmax(key->line_width * scale, 1.5 * ui), 12 * ui);
    ts_font font = words(figure, WORD_SIZE, false, false);
    double width = ts_pen_text(figure->pen, right, baseline, TS_ALIGN_RIGHT, font, 0, key->line_label);
    double x = right - width - 9 * ui - length, middle = baseline - 0.36 * font.size;
    ts_pen_box(figure->pen, x, middle - thick / 2, length, thick, theme->chain);
    return right - x;
}

/* ---- Strips ---- */

double ts_figure_header_height(const ts_draw_options *options, double ui, const ts_picture_key *key, bool has_time)
{
    if (!options->labels)
        return MARGIN * 0.5 * ui;
    bool bar = key->kind == TS_KEY_SCALE;
    bool any = bar || has_time || (options->title && options->title[0]) || has_legend(key) || key->line_label;
    return any ? (bar ? 66 : 56) * ui : MARGIN * 0.5 * ui;
}

double ts_figure_footer_height(const ts_draw_options *options, double ui)
{
    return options->labels && options->scale_bar ? 46 * ui : MARGIN * 0.5 * ui;
}

void ts_figure_header(const ts_figure *figure, const ts_picture_key *key, const char *time_text, const char *note,
                      double scale, bool with_bar)
{
    double ui = figure->ui, x = MARGIN * ui, right = figure->width - MARGIN * ui, baseline = 36 * ui;
    double half = 0.5 * figure->width - 2 * MARGIN * ui;

    /* right to left: what colours mean, what lines mean, how large */
    if (key->kind == TS_KEY_SCALE) {
        right -= colour_bar(figure, key, right, 22 * ui) + 34 * ui;
    } else if (has_legend(key)) {
        /* a short title leaves it more room */
        const char *title = figure->options->title;
        const double title_width =
            title ? ts_pen_text_width(figure->pen, words(figure, TITLE_SIZE, true, false), title) : 0;
        const double most = fmax(1.2 * half, right - x - title_width - TIME_ROOM * ui);
        double width = legend(figure, key, 0, 0, most, false);
        legend(figure, key, right - width, baseline, most, true);
        right -= width + 34 * ui;
    }
    if (key->line_label)
        right -= line_sample(figure, key, right, baseline, scale) + 34 * ui;
    if (with_bar)
        right -= ts_figure_scale_bar(figure, right, TS_ALIGN_RIGHT, baseline, 0.3 * figure->width, scale) + 34 * ui;

    double room = right - x;
    if (figure->options->title && figure->options->title[0] && room > 80 * ui) {
        double time_room = time_text ? TIME_ROOM * ui : 0;
        x += ts_pen_text(figure->pen, x, baseline, TS_ALIGN_LEFT, words(figure, TITLE_SIZE, true, false),
                         fmax(room - time_room, 60 * ui), figure->options->title) +
             22 * ui;
    }
    if (time_text)
        x += ts_pen_text(figure->pen, x, baseline, TS_ALIGN_LEFT, words(figure, TITLE_SIZE - 1, false, false),
                         fmax(right - x, 60 * ui), time_text) +
             14 * ui;
    if (note && right - x > 60 * ui)
        ts_pen_text(figure->pen, x, baseline, TS_ALIGN_LEFT, words(figure, TICK_SIZE, false, true), right - x, note);
}
