/* SPDX-License-Identifier: MIT */
/* Free surface, angle of repose, front. */
#include <math.h>
#include <stdlib.h>

#include "base/given.h"
#include "base/memory.h"
#include "measure/edges.h"
#include "measure/links.h"
#include "solve/union_find.h"

static const double nothing = (double)NAN;

/* ---- Surface ---- */

static ts_status find_surface(const ts_snapshot *snapshot, const ts_bins *given, ts_region *region,
                              ts_surface_point *out, ts_error *error)
{
    ts_bins columns = {given->region, given->count, true};
    TS_TRY(ts_need_plane(snapshot, "the free surface, with the angle of repose,", error));
    TS_TRY(ts_bins_given(snapshot, &columns, region, error));
    for (size_t k = 0; k < columns.count; k++)
        out[k] = (ts_surface_point){nothing, nothing};
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        if (!ts_is_grain(body) || !ts_region_holds(snapshot, region, body->position))
            continue;
        ts_surface_point *point = &out[ts_bin_of(snapshot, region, &columns, body->position)];
        double top = ts_kind_of(snapshot)->region(snapshot, i).y1;
        if (!(point->top >= top))
            *point = (ts_surface_point){body->position[0], top};
    }
    return TS_OK;
}

ts_status ts_measure_surface(const ts_snapshot *snapshot, const ts_bins *bins, ts_surface_point *out, ts_error *error)
{
    TS_GIVEN(bins, "surface", error);
    TS_GIVEN(out, "surface", error);
    ts_region region;
    return find_surface(snapshot, bins, &region, out, error);
}

/* ---- Angle of repose ---- */

/* Slope of the straight line through points with low <= top <= high by least squares, and its standard error; NaN below
 * three points. */
static double fit_slope(const ts_surface_point *point, size_t count, double low, double high, double *deviation)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int pass = 0; pass < 2; pass++) { /* the means first: sums of squares about them lose no digits */
        double mean_x = pass ? x / n : 0, mean_y = pass ? y / n : 0;
        for (size_t k = 0; k < count; k++) {
            if (!(point[k].top >= low && point[k].top <= high))
                continue;
            if (pass == 0) {
                n++;
                x += point[k].x;
                y += point[k].top;
                continue;
            }
            double u = point[k].x - mean_x, v = point[k].top - mean_y;
            xx += u * u;
            xy += u * v;
            yy += v * v;
        }
        if (n < 3)
            return *deviation = nothing;
    }
    double slope = xy / xx, rest = fmax(yy - slope * xy, 0);
    *deviation = sqrt(rest / (n - 2) / xx);
    return slope;
}

static ts_repose repose_of(const ts_surface_point *point, size_t count, double base)
{
    size_t apex = 0;
    for (size_t k = 1; k < count; k++)
        if (point[k].top > point[apex].top || isnan(point[apex].top))
            apex = k;
    ts_repose out = {.height = point[apex].top - base};
    double low = base + 0.1 * out.height, high = base + 0.9 * out.height;
    double slope = fit_slope(point, apex, low, high, &out.left_error);
    out.left = atan(slope);
    out.left_error /= 1 + slope * slope; /* d atan(s) = ds / (1 + s²) */
    slope = fit_slope(point + apex + 1, count - apex - 1, low, high, &out.right_error);
    out.right = atan(-slope);
    out.right_error /= 1 + slope * slope;
    return out;
}

ts_status ts_measure_repose(const ts_snapshot *snapshot, const ts_bins *bins, ts_repose *out, ts_error *error)
{
    TS_GIVEN(bins, "angle of repose", error);
    TS_GIVEN(out, "angle of repose", error);
    ts_region region;
    TS_AUTO_FREE ts_surface_point *point = NULL;
    TS_TRY(ts_new_raw(&point, bins->count + 1, error));
    TS_TRY(find_surface(snapshot, bins, &region, point, error));
    *out = repose_of(point, bins->count, region.y0);
    return TS_OK;
}

/* ---- Front ---- */

static int by_value(const void *p, const void *q)
{
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

/* The value below which `share` of the sorted numbers lie, linear between them. */
static double quantile(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1), below = floor(at);
    size_t k = (size_t)below;
    return k + 1 < count ? sorted[k] + (at - below) * (sorted[k + 1] - sorted[k]) : sorted[count - 1];
}

static ts_status find_quantiles(const ts_snapshot *s, const ts_region *region, double share, ts_front *out,
                                ts_error *error)
{
    size_t count = 0;
    double *x;
    TS_TRY(ts_new_raw(&x, s->body_count + 1, error));
    for (size_t i = 0; i < s->body_count; i++)
        if (ts_counts(s, region, i))
            x[count++] = s->body[i].position[0];
    qsort(x, count, sizeof *x, by_value);
    if (count > 0) {
        out->right = quantile(x, count, 1 - share);
        out->left = quantile(x, count, share);
    }
    ts_free(x);
    return TS_OK;
}

/* Who hangs together: the links, and room for a number a body. */
typedef struct touching {
    const ts_snapshot *snapshot;
    const ts_region *region; /* NULL: all grains */
    ts_link *link;
    size_t link_count;
    int32_t *parent;
    size_t *size;
} touching;

/* The group of touching grains with the most members; SIZE_MAX when no two touch. */
static size_t largest_group(const touching *t)
{
    const ts_snapshot *s = t->snapshot;
    const ts_link *link = t->link;
    int32_t *parent = t->parent;
    size_t *size = t->size, best = SIZE_MAX;
    for (size_t i = 0; i < s->body_count; i++)
        parent[i] = (int32_t)i;
    for (size_t k = 0; k < t->link_count; k++)
        if (link[k].a >= 0 && ts_counts(s, t->region, (size_t)link[k].a) && ts_counts(s, t->region, (size_t)link[k].b))
            ts_unite(parent, (int32_t)link[k].a, (int32_t)link[k].b);
    for (size_t i = 0; i < s->body_count; i++)
        size[ts_root_of(parent, (int32_t)i)]++;
    for (size_t i = 0; i < s->body_count; i++)
        if (size[i] >= 2 && (best == SIZE_MAX || size[i] > size[best]))
            best = i;
    return best;
}

static ts_status find_connected(const ts_snapshot *s, const ts_region *region, ts_front *out, ts_error *error)
{
    touching t = {.snapshot = s, .region = region};
    TS_TRY(ts_links_make(s, &t.link, &t.link_count, error));
    t.parent = ts_alloc_raw(s->body_count + 1, sizeof *t.parent);
    t.size = ts_alloc(s->body_count + 1, sizeof *t.size);
    bool good = t.parent && t.size;
    if (good) {
        size_t group = largest_group(&t);
        for (size_t i = 0; i < s->body_count && group != SIZE_MAX; i++)
            if ((size_t)ts_root_of(t.parent, (int32_t)i) == group) {
                ts_region box = ts_kind_of(s)->region(s, i);
                out->right_connected = fmax(out->right_connected, box.x1); /* fmax and fmin pass over a NaN */
                out->left_connected = fmin(out->left_connected, box.x0);
            }
    }
    ts_free(t.link);
    ts_free(t.parent);
    ts_free(t.size);
    return good ? TS_OK : ts_fail_memory(error, (s->body_count + 1) * 2 * sizeof *t.size);
}

ts_status ts_measure_front(const ts_snapshot *snapshot, const ts_region *given, double share, ts_front *out,
                           ts_error *error)
{
    TS_GIVEN(out, "front", error);
    ts_region box;
    if (share == 0)
        share = 0.01;
    if (!(share > 0 && share < 1))
        return ts_fail(error, TS_BAD_INPUT, "the share of grains beyond a front is %g; give one between 0 and 1",
                       share);
    TS_TRY(ts_region_given(snapshot, given, &box, error));
    const ts_region *region = given ? &box : NULL;
    ts_front front = {nothing, nothing, nothing, nothing};
    TS_TRY(find_quantiles(snapshot, region, share, &front, error));
    if (snapshot->has_contacts)
        TS_TRY(find_connected(snapshot, region, &front, error));
    *out = front;
    return TS_OK;
}
