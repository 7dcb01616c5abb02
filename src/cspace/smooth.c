/* SPDX-License-Identifier: MIT */
#include "cspace/smooth.h"

#include <math.h>

#include "base/vec.h"

enum { nodes = 3, cube = nodes * nodes * nodes, together = TS_FIELD_BATCH / cube };

static int32_t common_multiple(int32_t a, int32_t b)
{
    int32_t x = a, y = b;
    while (y != 0) {
        int32_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

ts_status ts_smoothed_create(const ts_pair *pair, const void *field, ts_field_query *query, double width,
                             ts_smoothed *smooth, ts_error *error)
{
    const ts_symmetry *a = &pair->symmetry_a, *b = &pair->symmetry_b;
    const double full = 6.283185307179586;
    /* a whole number of nodes a turn, so that the field stays periodic, and for each of the symmetries */
    int32_t share = 4;
    if (a->rotations > 0 && a->rotations <= 64)
        share = common_multiple(share, a->rotations);
    if (b->rotations > 0 && b->rotations <= 64)
        share = common_multiple(share, b->rotations);
    double count = share * ceil(full * fmin(pair->radius_a, pair->radius_b) / (width * share));
    bool mirrors = a->mirror && b->mirror && a->rotations > 0 && b->rotations > 0;
    *smooth = (ts_smoothed){NULL, width, full / count, mirrors ? a->mirror_axis - b->mirror_axis : 0};
    return ts_recall_create(field, query, &smooth->nodes, error);
}

void ts_smoothed_free(ts_smoothed *smooth)
{
    ts_recall_free(smooth->nodes);
    smooth->nodes = NULL;
}

/* The three nodes about a coordinate, with the B-splines' values and slopes there. */
typedef struct stencil {
    double at[nodes], weight[nodes], slope[nodes];
} stencil;

static stencil stencil_at(double x, double spacing)
{
    double middle = floor(x / spacing + 0.5), s = x / spacing - middle; /* s in [-1/2, 1/2] */
    return (stencil){{(middle - 1) * spacing, middle * spacing, (middle + 1) * spacing},
                     {0.5 * (0.5 - s) * (0.5 - s), 0.75 - s * s, 0.5 * (0.5 + s) * (0.5 + s)},
                     {(s - 0.5) / spacing, -2 * s / spacing, (s + 0.5) / spacing}};
}

typedef struct stencils {
    stencil x, y, angle;
} stencils;

static void gather(const stencils *s, double first, ts_fields *ask, size_t begin)
{
    for (int k = 0; k < cube; k++) {
        ask->x[begin + (size_t)k] = s->x.at[k % nodes];
        ask->y[begin + (size_t)k] = s->y.at[k / nodes % nodes];
        ask->angle[begin + (size_t)k] = first + s->angle.at[k / (nodes * nodes)];
    }
}

/* The contact point m, as seen from A, in full: arm = m · n, and gangle = (m - x) × (gx, gy). Arms along different
 * normals have no mean that says anything, points have. */
static ts_vec2 point_of(const ts_fields *f, size_t i)
{
    double per_slope = 1 / sqrt(f->gx[i] * f->gx[i] + f->gy[i] * f->gy[i]);
    ts_vec2 n = {f->gx[i] * per_slope, f->gy[i] * per_slope}, t = ts_vec2_perp(n);
    double across = f->x[i] * t.x + f->y[i] * t.y - f->gangle[i] * per_slope;
    return (ts_vec2){f->arm[i] * n.x + across * t.x, f->arm[i] * n.y + across * t.y};
}

static void blend(const stencils *s, const ts_fields *ask, size_t begin, ts_fields *fields, size_t i)
{
    double gap = 0, gx = 0, gy = 0, gangle = 0, known = 0;
    ts_vec2 point = {0, 0};
    for (int k = 0; k < cube; k++) {
        int kx = k % nodes, ky = k / nodes % nodes, kz = k / (nodes * nodes);
        size_t at = begin + (size_t)k;
        double wx = s->x.weight[kx], wy = s->y.weight[ky], wz = s->angle.weight[kz], w = wx * wy * wz;
        gap += w * ask->gap[at];
        gx += s->x.slope[kx] * wy * wz * ask->gap[at];
        gy += wx * s->y.slope[ky] * wz * ask->gap[at];
        gangle += wx * wy * s->angle.slope[kz] * ask->gap[at];
        if (ask->gx[at] != 0 || ask->gy[at] != 0) { /* elsewhere the arm means nothing */
            point = ts_vec2_add_scaled(point, point_of(ask, at), w);
            known += w;
        }
    }
    double slope = sqrt(gx * gx + gy * gy);
    fields->gap[i] = gap;
    fields->gx[i] = gx;
    fields->gy[i] = gy;
    fields->gangle[i] = gangle;
    fields->arm[i] = known > 0 && slope > 0 ? (point.x * gx + point.y * gy) / (known * slope) : 0;
}

void ts_smoothed_query(const void *smooth, size_t count, ts_fields *fields)
{
    const ts_smoothed *s = smooth;
    for (size_t begin = 0; begin < count; begin += together) {
        size_t n = count - begin < together ? count - begin : together;
        ts_fields ask;
        stencils each[together];
        for (size_t i = 0; i < n; i++) {
            each[i] = (stencils){stencil_at(fields->x[begin + i], s->width), stencil_at(fields->y[begin + i], s->width),
                                 stencil_at(fields->angle[begin + i] - s->first, s->turn)};
            gather(&each[i], s->first, &ask, cube * i);
        }
        ts_recall_query(s->nodes, cube * n, &ask);
        for (size_t i = 0; i < n; i++)
            blend(&each[i], &ask, cube * i, fields, begin + i);
    }
}
