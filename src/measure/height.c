/* SPDX-License-Identifier: MIT */
/* How high grains reach: the surface of a pile by true outlines, and the height of a column. */
#include <math.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/amount.h"

static const double nothing = (double)NAN;

/* Upright lines in each column, along which the surface is looked at. */
enum { LINES = 16 };

/* ---- Surface, seen from above ---- */

typedef struct pile {
    const ts_snapshot *snapshot;
    ts_bins columns;
    ts_region region;
    ts_edges edges;
    double *line; /* height of the surface on each line, −∞ where there is none (LINES a column) */
} pile;

static double line_at(const pile *p, size_t k)
{
    double n = (double)(p->columns.count * LINES);
    return p->region.x0 + ((double)k + 0.5) / n * (p->region.x1 - p->region.x0);
}

static void add_grain(const pile *p, size_t i, ts_pile_column *out)
{
    const ts_snapshot_body *body = &p->snapshot->body[i];
    double left = body->position[0] - body->radius, right = body->position[0] + body->radius,
           high = body->position[1] + body->radius;
    if (right < p->region.x0 || left > p->region.x1)
        return;
    size_t first = ts_bin_of(p->snapshot, &p->region, &p->columns, (const double[]){left, 0, 0}),
           last = ts_bin_of(p->snapshot, &p->region, &p->columns, (const double[]){right, 0, 0});
    for (size_t k = first; k <= last; k++) {
        ts_region column = ts_bin_region(p->snapshot, &p->region, &p->columns, k);
        if (high > out[k].top)
            out[k].top = fmax(out[k].top, ts_edges_top(p->snapshot, &p->edges, i, column.x0, column.x1));
        for (size_t j = k * LINES; j < (k + 1) * LINES; j++) {
            double x = line_at(p, j);
            if (x >= left && x <= right && high > p->line[j])
                p->line[j] = fmax(p->line[j], ts_edges_top(p->snapshot, &p->edges, i, x, x));
        }
    }
}

static void find_pile(const pile *p, ts_pile_column *out)
{
    const ts_snapshot *s = p->snapshot;
    for (size_t k = 0; k < p->columns.count; k++)
        out[k].top = -HUGE_VAL;
    for (size_t k = 0; k < p->columns.count * LINES; k++)
        p->line[k] = -HUGE_VAL;
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_is_grain(&s->body[i]) && s->body[i].position[1] >= p->region.y0 &&
            s->body[i].position[1] <= p->region.y1)
            add_grain(p, i, out);
    for (size_t k = 0; k < p->columns.count; k++) {
        double sum = 0, lines = 0;
        for (size_t j = k * LINES; j < (k + 1) * LINES; j++)
            if (p->line[j] > -HUGE_VAL) {
                sum += p->line[j];
                lines++;
            }
        out[k].mean = lines > 0 ? sum / lines : nothing;
        out[k].cover = lines / LINES;
        if (!(out[k].top > -HUGE_VAL))
            out[k].top = nothing;
    }
}

ts_status ts_measure_pile(const ts_snapshot *snapshot, const ts_bins *bins, ts_pile_column *out, ts_error *error)
{
    TS_GIVEN(bins, "pile", error);
    TS_GIVEN(out, "pile", error);
    TS_TRY(ts_need_plane(snapshot, "the surface of a pile", error));
    pile p = {.snapshot = snapshot, .columns = {bins->region, bins->count, true}};
    TS_TRY(ts_bins_given(snapshot, &p.columns, &p.region, error));
    TS_TRY(ts_edges_make(snapshot, &p.edges, error));
    p.line = ts_alloc_raw(p.columns.count, LINES * sizeof *p.line);
    if (p.line)
        find_pile(&p, out);
    bool good = p.line;
    ts_free(p.line);
    ts_edges_free(&p.edges);
    return good ? TS_OK : ts_fail_memory(error, bins->count * LINES * sizeof(double));
}

/* ---- Height ---- */

static double amount_below(const ts_amount *amount, ts_region below, double height)
{
    const ts_snapshot *s = amount->snapshot;
    double sum = 0;
    *(ts_up_of(s) == 2 ? &below.z1 : &below.y1) = height;
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_is_grain(&s->body[i]))
            sum += ts_amount_inside(amount, i, &below, NULL);
    return sum;
}

/* The height below which `part` of the area or volume lies, by halving: it grows with the height. */
static ts_status find_top(const ts_snapshot *s, const ts_region *region, double part, double *top, ts_error *error)
{
    ts_amount amount;
    const int up = ts_up_of(s);
    const ts_region all = ts_snapshot_region(s);
    double base = ts_region_low(region, up), low = fmax(ts_region_low(&all, up), base),
           high = fmin(ts_region_high(&all, up), ts_region_high(region, up));
    TS_TRY(ts_amount_make(s, &amount, error));
    double whole = low < high ? amount_below(&amount, *region, high) : 0;
    for (int k = 0; k < 52 && whole > 0; k++) { /* as many bits as a double has */
        double middle = 0.5 * (low + high);
        if (amount_below(&amount, *region, middle) < part * whole)
            low = middle;
        else
            high = middle;
    }
    *top = whole > 0 ? high - base : nothing;
    ts_amount_free(&amount);
    return TS_OK;
}

static double surface_of(const ts_pile_column *column, size_t count, double base)
{
    double sum = 0, cover = 0;
    for (size_t k = 0; k < count; k++)
        if (column[k].cover > 0) {
            sum += column[k].cover * (column[k].mean - base);
            cover += column[k].cover;
        }
    return cover > 0 ? sum / cover : nothing;
}

static ts_status find_surface_height(const ts_snapshot *snapshot, const ts_bins *bins, const ts_region *region,
                                     double *height, ts_error *error)
{
    TS_AUTO_FREE ts_pile_column *column = NULL;
    TS_TRY(ts_new(&column, bins->count, error));
    TS_TRY(ts_measure_pile(snapshot, bins, column, error));
    *height = surface_of(column, bins->count, region->y0);
    return TS_OK;
}

ts_status ts_measure_height(const ts_snapshot *snapshot, const ts_bins *bins, double share, ts_height *out,
                            ts_error *error)
{
    TS_GIVEN(bins, "height", error);
    TS_GIVEN(out, "height", error);
    ts_region region;
    if (share == 0)
        share = 0.01;
    if (!(share > 0 && share < 1))
        return ts_fail(error, TS_BAD_INPUT, "the share of grains above a height is %g; give one between 0 and 1",
                       share);
    TS_TRY(ts_bins_given(snapshot, bins, &region, error));
    ts_height height = {nothing, nothing, nothing};
    const int up = ts_up_of(snapshot);
    if (ts_kind_of(snapshot)->outlines)
        TS_TRY(find_surface_height(snapshot, bins, &region, &height.surface, error));
    TS_TRY(find_top(snapshot, &region, 1 - share, &height.top, error));
    double mass = 0, moment = 0;
    for (size_t i = 0; i < snapshot->body_count; i++)
        if (ts_counts(snapshot, bins->region ? &region : NULL, i)) {
            mass += snapshot->body[i].mass;
            moment += snapshot->body[i].mass * (snapshot->body[i].position[up] - ts_region_low(&region, up));
        }
    height.centre = mass > 0 ? moment / mass : nothing;
    *out = height;
    return TS_OK;
}
