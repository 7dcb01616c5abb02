/* SPDX-License-Identifier: MIT */
/* Packing fraction: how much of a region grains cover. */
#include <math.h>

#include "base/given.h"
#include "measure/edges.h"

static double area_of(const ts_region *region)
{
    return (region->x1 - region->x0) * (region->y1 - region->y0);
}

ts_status ts_measure_packing(const ts_snapshot *snapshot, const ts_region *given, ts_packing *out, ts_error *error)
{
    TS_GIVEN(out, "packing", error);
    ts_region region;
    ts_edges edges;
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    TS_TRY(ts_edges_make(snapshot, &edges, error));
    ts_packing packing = {.region_area = area_of(&region)};
    for (size_t i = 0; i < snapshot->body_count; i++)
        if (ts_is_grain(&snapshot->body[i]))
            packing.grain_area += given ? ts_edges_area(snapshot, &edges, i, &region) : snapshot->body[i].area;
    ts_edges_free(&edges);
    packing.fraction = packing.region_area > 0 ? packing.grain_area / packing.region_area : (double)NAN;
    *out = packing;
    return TS_OK;
}

ts_status ts_measure_packing_profile(const ts_snapshot *snapshot, const ts_bins *bins, double *fraction,
                                     ts_error *error)
{
    TS_GIVEN(fraction, "packing profile", error);
    ts_region region;
    ts_edges edges;
    TS_TRY(ts_bins_given(snapshot, bins, &region, error));
    TS_TRY(ts_edges_make(snapshot, &edges, error));
    for (size_t k = 0; k < bins->count; k++)
        fraction[k] = 0;
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        if (!ts_is_grain(body))
            continue;
        size_t first = ts_bin_of(&region, bins, body->x - body->radius, body->y - body->radius);
        size_t last = ts_bin_of(&region, bins, body->x + body->radius, body->y + body->radius);
        for (size_t k = first; k <= last; k++) {
            ts_region bin = ts_bin_region(&region, bins, k);
            fraction[k] += ts_edges_area(snapshot, &edges, i, &bin);
        }
    }
    double area = area_of(&region) / (double)bins->count;
    for (size_t k = 0; k < bins->count; k++)
        fraction[k] = area > 0 ? fraction[k] / area : (double)NAN;
    ts_edges_free(&edges);
    return TS_OK;
}
