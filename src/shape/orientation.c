/* SPDX-License-Identifier: MIT */
/* On which side of a line a point lies, exactly: a quick answer where rounding cannot spoil it, else sums that round
 * nothing (Shewchuk 1997). */
#include <math.h>

#include "shape/triangulate.h"

/* Adds x to an expansion of n terms that do not overlap, smallest first; returns n + 1. */
static int grow(double *term, int n, double x)
{
    for (int i = 0; i < n; i++) {
        double sum = x + term[i], back = sum - x;
        term[i] = (x - (sum - back)) + (term[i] - back);
        x = sum;
    }
    term[n] = x;
    return n + 1;
}

static int exact_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c)
{
    const double p[6][2] = {{a.x, b.y}, {-a.x, c.y}, {-c.x, b.y}, {-a.y, b.x}, {a.y, c.x}, {c.y, b.x}};
    double term[12];
    int n = 0;
    for (int i = 0; i < 6; i++) {
        double product = p[i][0] * p[i][1];
        n = grow(term, n, fma(p[i][0], p[i][1], -product));
        n = grow(term, n, product);
    }
    while (n > 0 && term[n - 1] == 0)
        n--; /* the last term that is not zero outweighs all others */
    return n == 0 ? 0 : (term[n - 1] > 0) - (term[n - 1] < 0);
}

int ts_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c)
{
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), area = left - right;
    /* Shewchuk's bound on the rounding of the line above: (3 + 16 ε) ε */
    double bound = 3.3306690738754716e-16 * (fabs(left) + fabs(right));
    if (area > bound || -area > bound)
        return area > 0 ? 1 : -1;
    return exact_orientation(a, b, c);
}
