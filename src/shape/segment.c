/* SPDX-License-Identifier: MIT */
#include "shape/segment.h"

int ts_bulge_series_terms(double bulge)
{
    return fabs(bulge) < 0.01 ? 5 : fabs(bulge) < 0.1 ? 10 : 30;
}

double ts_bulge_area(double b)
{
    if (fabs(b) > TS_BULGE_SERIES) {
        double h = 0.5 * (1 / b - b), r = 0.5 * (1 / b + b); /* distance of the centre from the chord, radius */
        return 2 * r * r * atan(b) - h;
    }
    /* Σ (-1)ᵏ 4 bⁿ⁻¹ / ((n+1)(n-1)(n-3)) with n = 2k, k = 1, 2, …; the last terms first */
    double area = 0, q = -b * b;
    for (int k = b == 0 ? 0 : ts_bulge_series_terms(b); k >= 1; k--) {
        double n = 2 * k, d = (n + 1) * (n - 1) * (n - 3);
        area = area * q - 4 / d;
    }
    return area * b;
}

void ts_vertices_reverse(ts_vertex *vertex, size_t count)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < count / 2; i++) {
        ts_vertex swap = vertex[i];
        vertex[i] = vertex[count - 1 - i];
        vertex[count - 1 - i] = swap;
    }
    /* a bulge goes with the edge, which now begins at its other end */
    double first = vertex[0].bulge;
    for (size_t i = 0; i + 1 < count; i++)
        vertex[i].bulge = -vertex[i + 1].bulge;
    vertex[count - 1].bulge = -first;
}
