/* SPDX-License-Identifier: MIT */
/* The true depth: the shortest shift that takes B out of A.
 *
 * The balanced gap falls by at most the length of a shift, so around a shift after which it is -d, no shift nearer than d is a way
 * out. Squares of shifts are looked at in order of how near to zero they come; the first one that holds a way out has the shortest. */
#include <math.h>

#include "cspace/exact.h"

enum { squares_most = 4096 };

typedef struct square {
    double x, y, half, least; /* least: a lower bound of the length of a way out within it */
} square;

static double least_length(double x, double y, double half)
{
    double dx = fmax(fabs(x) - half, 0), dy = fmax(fabs(y) - half, 0);
    return sqrt(dx * dx + dy * dy);
}

double ts_exact_true_gap(const ts_exact *exact, double x, double y, double angle, double tolerance)
{
    double gap = ts_exact_at(exact, x, y, angle, HUGE_VAL).gap;
    if (gap >= 0)
        return gap;
    square queue[squares_most];
    int count = 0;
    /* out for certain once the circles are apart; the best way known is the straight one, away from A's centre */
    double best = 8;
    queue[count++] = (square){0, 0, 4, -gap};
    while (count > 0) {
        int low = 0;
        for (int i = 1; i < count; i++)
            if (queue[i].least < queue[low].least)
                low = i;
        square s = queue[low];
        queue[low] = queue[--count];
        if (s.least >= best - tolerance)
            break;
        double here = ts_exact_at(exact, x + s.x, y + s.y, angle, HUGE_VAL).gap;
        double length = sqrt(s.x * s.x + s.y * s.y);
        if (here >= 0) /* back towards zero as far as the gap allows */
            best = fmin(best, fmax(length - here, -gap));
        double reach = 1.4142135623730951 * s.half;
        if (here < -reach || count + 4 > squares_most)
            continue;
        for (int k = 0; k < 4; k++) {
            double half = 0.5 * s.half, qx = s.x + (k & 1 ? half : -half), qy = s.y + (k & 2 ? half : -half);
            double least = fmax(least_length(qx, qy, half), -gap);
            if (least < best - tolerance)
                queue[count++] = (square){qx, qy, half, least};
        }
    }
    return -best;
}
