/* SPDX-License-Identifier: MIT */
/* The true depth: the shortest shift that takes B out of A.
 *
 * The balanced gap changes by at most the length of a shift, so around a shift after which it is -d, no shift nearer
 * than d is a way out. Squares of shifts that may hold a shorter one than is known are quartered, the nearest first,
 * down to the tolerance. What is found is a way out, so it is never too short; too long by the tolerance at most. That
 * no way out is shorter than the balanced depth is not made use of: it is to be seen (study/map_depths.h). */
#include <math.h>
#include <stdbool.h>

#include "base/vec.h"
#include "cspace/exact.h"

/* Squares that wait: three a level, and far below the smallest tolerance nothing changes any more. Looks: some 0.1
 * s. */
enum { squares_most = 256, looks_most = 1 << 17 };

typedef struct square {
    double x, y, half, least; /* least: a lower bound of the length of a way out within it */
} square;

typedef struct way_out {
    const ts_exact *exact;
    double x, y, angle, tolerance;
    double best; /* there is one of this length */
    bool lost;   /* a square that might matter was not looked at */
    int looks;
    int count;
    square stack[squares_most]; /* the nearest of a quartered square on top */
} way_out;

static double least_length(double x, double y, double half)
{
    double dx = fmax(fabs(x) - half, 0), dy = fmax(fabs(y) - half, 0);
    return sqrt(dx * dx + dy * dy);
}

/* The gap after a shift; one that leads out may be shortened by the gap that it leaves. */
static double gap_after(way_out *w, double x, double y, double band)
{
    double gap = ts_exact_at(w->exact, w->x + x, w->y + y, w->angle, band).gap;
    if (gap >= 0)
        w->best = fmin(w->best, sqrt(x * x + y * y) - gap);
    return gap;
}

/* Straight out in eight directions, each step as long as it must be: a first bound. */
static void march(way_out *w)
{
    for (int i = 0; i < 8; i++) {
        double cosine = cos(i * TS_PI / 4), sine = sin(i * TS_PI / 4), length = 0;
        for (int k = 0; k < 64 && length < w->best - w->tolerance; k++) {
            double gap = gap_after(w, length * cosine, length * sine, HUGE_VAL);
            if (gap >= 0)
                break;
            length += fmax(-gap, w->tolerance);
        }
    }
}

/* Those of its quarters that may matter, in the place of a square. */
static void quarter(way_out *w, const square *s)
{
    int first = w->count;
    for (int k = 0; k < 4; k++) {
        double half = 0.5 * s->half, x = s->x + (k & 1 ? half : -half), y = s->y + (k & 2 ? half : -half);
        double least = least_length(x, y, half);
        if (!(least < w->best - w->tolerance))
            continue;
        if (w->count == squares_most) {
            w->lost = true;
            return;
        }
        int at = w->count++;
        for (; at > first && w->stack[at - 1].least < least; at--)
            w->stack[at] = w->stack[at - 1];
        w->stack[at] = (square){x, y, half, least};
    }
}

double ts_exact_true_gap(const ts_exact *exact, double x, double y, double angle, double tolerance)
{
    double gap = ts_exact_at(exact, x, y, angle, HUGE_VAL).gap;
    if (gap >= 0)
        return gap;
    way_out w = {.exact = exact, .x = x, .y = y, .angle = angle, .best = 4};
    w.tolerance = fmax(tolerance, 1e-12);
    march(&w);
    /* both radii are at most 1: nothing is farther than 4 */
    w.stack[w.count++] = (square){0, 0, w.best, 0};
    while (w.count > 0 && !w.lost) {
        square s = w.stack[--w.count];
        if (s.least >= w.best - w.tolerance)
            continue;
        double reach = 1.4142135623730951 * s.half;
        w.lost = ++w.looks > looks_most;
        if (gap_after(&w, s.x, s.y, 2 * reach) >= -reach)
            quarter(&w, &s);
    }
    return w.lost ? (double)NAN : -w.best;
}
