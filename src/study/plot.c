/* SPDX-License-Identifier: MIT */
#include "study/plot.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"

#define WIDTH  800
#define HEIGHT 500
#define LEFT   90
#define RIGHT  20
#define TOP    50
#define BOTTOM 60

/* colours that people with any colour vision tell apart (Okabe and Ito) */
static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
#define COLOURS (sizeof colour / sizeof colour[0])

typedef struct axis {
    double low, high; /* in the units of the axis: logarithms on a logarithmic one */
    bool log;
} axis;

static bool shown(const axis *a, double value)
{
    return isfinite(value) && (!a->log || value > 0);
}

static double on_axis(const axis *a, double value)
{
    return a->log ? log10(value) : value;
}

static void widen(axis *a, double value)
{
    if (!shown(a, value))
        return;
    a->low = fmin(a->low, on_axis(a, value));
    a->high = fmax(a->high, on_axis(a, value));
}

/* A span that is not empty, with a little room. */
static void settle(axis *a)
{
    if (!(a->low <= a->high)) {
        a->low = 0;
        a->high = 1;
    }
    if (a->low == a->high) {
        double room = a->low != 0 ? 0.5 * fabs(a->low) : 1;
        a->low -= room;
        a->high += room;
    }
    if (a->log) {
        a->low = floor(a->low);
        a->high = ceil(a->high);
    } else if (a->low > 0 && a->low < 0.3 * a->high) {
        a->low = 0;
    }
}

/* Distance between ticks: 1, 2 or 5 times a power of ten, for about six of them; whole decades on a logarithmic
 * axis. */
static double tick_step(const axis *a)
{
    double rough = (a->high - a->low) / 6, power = pow(10, floor(log10(rough))), share = rough / power;
    double step = (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10) * power;
    return a->log ? fmax(1, floor(step)) : step;
}

static double at(const axis *a, double place, double from, double to)
{
    return from + (to - from) * (place - a->low) / (a->high - a->low);
}

/* The ticks of an axis: tick i stands at first + i · step. */
typedef struct ticks {
    double first, step;
    int count;
} ticks;

static ticks ticks_of(const axis *a)
{
    double step = tick_step(a), first = ceil(a->low / step) * step;
    return (ticks){first, step, (int)((a->high - first) / step + 1e-9) + 1};
}

static double tick_at(const ticks *t, int i)
{
    double value = t->first + i * t->step;
    return fabs(value) < 1e-9 * t->step ? 0 : value; /* not 1e-17 */
}

static void draw_axes(FILE *f, const ts_plot *plot, const axis *x, const axis *y)
{
    ticks tx = ticks_of(x), ty = ticks_of(y);
    fprintf(f, "<g stroke=\"#dddddd\">\n");
    for (int i = 0; i < tx.count; i++)
        fprintf(f, "<path d=\"M%.2f %dV%d\"/>\n", at(x, tick_at(&tx, i), LEFT, WIDTH - RIGHT), TOP, HEIGHT - BOTTOM);
    for (int i = 0; i < ty.count; i++)
        fprintf(f, "<path d=\"M%d %.2fH%d\"/>\n", LEFT, at(y, tick_at(&ty, i), HEIGHT - BOTTOM, TOP), WIDTH - RIGHT);
    fprintf(f, "</g>\n<g fill=\"#333333\" font-size=\"13\" text-anchor=\"middle\">\n");
    for (int i = 0; i < tx.count; i++)
        fprintf(f, "<text x=\"%.2f\" y=\"%d\">%.4g</text>\n", at(x, tick_at(&tx, i), LEFT, WIDTH - RIGHT),
                HEIGHT - BOTTOM + 20, tick_at(&tx, i));
    for (int i = 0; i < ty.count; i++)
        fprintf(f, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 8,
                at(y, tick_at(&ty, i), HEIGHT - BOTTOM, TOP) + 4, y->log ? pow(10, tick_at(&ty, i)) : tick_at(&ty, i));
    fprintf(f, "<text x=\"%d\" y=\"%d\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 15, plot->x_title);
    fprintf(f, "<text transform=\"translate(20 %d) rotate(-90)\">%s</text>\n", (TOP + HEIGHT - BOTTOM) / 2,
            plot->y_title);
    fprintf(f, "<text x=\"%d\" y=\"26\" font-size=\"16\">%s</text>\n</g>\n", WIDTH / 2, plot->title);
}

static void draw_line(FILE *f, const ts_plot_line *line, size_t index, const axis *x, const axis *y)
{
    const char *stroke = line->thin ? "#888888" : colour[index % COLOURS];
    fprintf(f, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s d=\"", stroke, line->thin ? "1" : "2",
            line->thin ? " stroke-dasharray=\"4 3\"" : "");
    bool pen_down = false;
    for (size_t i = 0; i < line->count; i++) {
        bool good = shown(x, line->x[i]) && shown(y, line->y[i]);
        if (good)
            fprintf(f, "%s%.2f %.2f", pen_down ? "L" : "M", at(x, on_axis(x, line->x[i]), LEFT, WIDTH - RIGHT),
                    at(y, on_axis(y, line->y[i]), HEIGHT - BOTTOM, TOP));
        pen_down = good;
    }
    fprintf(f, "\"/>\n");
}

static void draw_legend(FILE *f, const ts_plot *plot)
{
    int row = 0, rows = 0;
    for (size_t i = 0; i < plot->line_count; i++)
        rows += plot->line[i].name != NULL;
    fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"175\" height=\"%d\" fill=\"white\" fill-opacity=\"0.8\"/>\n",
            WIDTH - RIGHT - 180, TOP + 2, 18 * rows + 8);
    for (size_t i = 0; i < plot->line_count; i++) {
        const ts_plot_line *line = &plot->line[i];
        if (!line->name)
            continue;
        int y = TOP + 18 + 18 * row++;
        fprintf(f, "<path stroke=\"%s\" stroke-width=\"2\"%s d=\"M%d %dh24\"/>\n",
                line->thin ? "#888888" : colour[i % COLOURS], line->thin ? " stroke-dasharray=\"4 3\"" : "",
                WIDTH - RIGHT - 170, y - 4);
        fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#333333\">%s</text>\n", WIDTH - RIGHT - 140, y,
                line->name);
    }
}

static void draw_plot(FILE *f, const ts_plot *plot)
{
    const double none = (double)INFINITY;
    axis x = {none, -none, false}, y = {none, -none, plot->log_y};
    for (size_t k = 0; k < plot->line_count; k++)
        for (size_t i = 0; i < plot->line[k].count; i++) {
            widen(&x, plot->line[k].x[i]);
            widen(&y, plot->line[k].y[i]);
        }
    settle(&x);
    settle(&y);
    draw_axes(f, plot, &x, &y);
    for (size_t i = 0; i < plot->line_count; i++)
        draw_line(f, &plot->line[i], i, &x, &y);
    draw_legend(f, plot);
}

ts_status ts_plot_write_sheet(const ts_plot *plot, size_t count, int columns, const char *path, ts_error *error)
{
    const int rows = ((int)count + columns - 1) / columns;
    ts_draft draft;
    TS_TRY(ts_draft_open(&draft, path, error));
    FILE *f = draft.stream;
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n",
            WIDTH * columns, HEIGHT * rows);
    fprintf(f, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", WIDTH * columns, HEIGHT * rows);
    for (size_t i = 0; i < count; i++) {
        const int at = (int)i;
        fprintf(f, "<g transform=\"translate(%d %d)\">\n", WIDTH * (at % columns), HEIGHT * (at / columns));
        draw_plot(f, &plot[i]);
        fprintf(f, "</g>\n");
    }
    fprintf(f, "</svg>\n");
    return ts_draft_commit(&draft, error);
}

ts_status ts_plot_write(const ts_plot *plot, const char *path, ts_error *error)
{
    return ts_plot_write_sheet(plot, 1, 1, path, error);
}
