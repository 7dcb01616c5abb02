/* SPDX-License-Identifier: MIT */
/* The true depth: the shortest shift that takes B out of A.
 *
 * The balanced gap changes by at most the length of a shift, so around a shift after which it is -d, no shift nearer than d is a way
 * out. Squares of shifts are looked at in order of how near to zero they come; the first one that holds a way out has the shortest. */
#include <math.h>

#include "base/vec.h"
#include "cspace/exact.h"

enum { squares_most = 2048 };

typedef struct square {
    double x, y, half, least; /* least: a lower bound of the length of a way out within it */
} square;

typedef struct way_out {
    const ts_exact *exact;
    double x, y, angle, tolerance;
    double least; /* no way out is shorter */
    double best;  /* there is one of this length */
    int count;
    square queue[squares_most];
} way_out;

static double least_length(double x, double y, double half)
{
    double dx = fmax(fabs(x) - half, 0), dy = fmax(fabs(y) - half, 0);
    return sqrt(dx * dx + dy * dy);
}

/* Squares that can no longer matter. */
static void forget(way_out *w)
{
    int kept = 0;
    for (int i = 0; i < w->count; i++)
        if (w->queue[i].least < w->best - w->tolerance)
            w->queue[kept++] = w->queue[i];
    w->count = kept;
}

static square take_nearest(way_out *w)
{
    int low = 0;
    for (int i = 1; i < w->count; i++)
        if (w->queue[i].least < w->queue[low].least)
            low = i;
    square s = w->queue[low];
    w->queue[low] = w->queue[--w->count];
    return s;
}

/* The gap after a shift; one that leads out may be shortened by the gap that it leaves. */
static double gap_after(way_out *w, double x, double y, double band)
{
    double gap = ts_exact_at(w->exact, w->x + x, w->y + y, w->angle, band).gap;
    if (gap >= 0)
        w->best = fmin(w->best, fmax(sqrt(x * x + y * y) - gap, w->least));
    return gap;
}

/* Straight out in eight directions, each step as long as it must be: a first bound. */
static void march(way_out *w)
{
    for (int i = 0; i < 8; i++) {
        double cosine = cos(i * TS_PI / 4), sine = sin(i * TS_PI / 4), length = w->least;
        for (int k = 0; k < 64 && length < w->best - w->tolerance; k++) {
            double gap = gap_after(w, length * cosine, length * sine, HUGE_VAL);
            if (gap >= 0)
                break;
            length += fmax(-gap, w->tolerance);
        }
    }
}

static void quarter(way_out *w, const square *s)
{
    if (w->count + 4 > squares_most)
        forget(w);
    for (int k = 0; k < 4 && w->count < squares_most; k++) {
        double half = 0.5 * s->half, x = s->x + (k & 1 ? half : -half), y = s->y + (k & 2 ? half : -half);
        double least = fmax(least_length(x, y, half), w->least);
        if (least < w->best - w->tolerance)
            w->queue[w->count++] = (square){x, y, half, least};
    }
}

double ts_exact_true_gap(const ts_exact *exact, double x, double y, double angle, double tolerance)
{
    double gap = ts_exact_at(exact, x, y, angle, HUGE_VAL).gap;
    if (gap >= 0)
        return gap;
    way_out w = {.exact = exact, .x = x, .y = y, .angle = angle, .least = -gap, .best = 4};
    w.tolerance = fmax(tolerance, 1e-12);
    march(&w);
    /* both radii are at most 1: nothing is farther than 4 */
    w.queue[w.count++] = (square){0, 0, w.best, w.least};
    while (w.count > 0) {
        square s = take_nearest(&w);
        if (s.least >= w.best - w.tolerance)
            break;
        double reach = 1.4142135623730951 * s.half;
        if (gap_after(&w, s.x, s.y, 2 * reach) >= -reach)
            quarter(&w, &s);
    }
    return -w.best;
}
