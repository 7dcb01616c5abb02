/* SPDX-License-Identifier: MIT */
/* Packing fraction: how much of a region grains cover. */
#include <math.h>

#include "base/given.h"
#include "measure/amount.h"

ts_status ts_measure_packing(const ts_snapshot *snapshot, const ts_region *given, ts_packing *out, ts_error *error)
{
    TS_GIVEN(out, "packing", error);
    ts_region region;
    ts_amount amount;
    TS_TRY(ts_region_given(snapshot, given, &region, error));
    TS_TRY(ts_amount_make(snapshot, &amount, error));
    ts_packing packing = {.region_volume = ts_region_volume(snapshot, &region)};
    for (size_t i = 0; i < snapshot->body_count; i++)
        if (ts_is_grain(&snapshot->body[i]))
            packing.grain_volume +=
                given ? ts_amount_inside(&amount, i, &region, &packing.error) : snapshot->body[i].volume;
    ts_amount_free(&amount);
    bool empty = !(packing.region_volume > 0);
    packing.fraction = empty ? (double)NAN : packing.grain_volume / packing.region_volume;
    packing.error = empty ? (double)NAN : packing.error / packing.region_volume;
    *out = packing;
    return TS_OK;
}

ts_status ts_measure_packing_profile(const ts_snapshot *snapshot, const ts_bins *bins, double *fraction,
                                     ts_error *error)
{
    TS_GIVEN(fraction, "packing profile", error);
    ts_region region;
    ts_amount amount;
    TS_TRY(ts_bins_given(snapshot, bins, &region, error));
    TS_TRY(ts_amount_make(snapshot, &amount, error));
    for (size_t k = 0; k < bins->count; k++)
        fraction[k] = 0;
    for (size_t i = 0; i < snapshot->body_count; i++) {
        const ts_snapshot_body *body = &snapshot->body[i];
        const double r = body->radius, *p = body->position;
        if (!ts_is_grain(body))
            continue;
        size_t first = ts_bin_of(snapshot, &region, bins, (const double[]){p[0] - r, p[1] - r, p[2] - r});
        size_t last = ts_bin_of(snapshot, &region, bins, (const double[]){p[0] + r, p[1] + r, p[2] + r});
        for (size_t k = first; k <= last; k++) {
            ts_region bin = ts_bin_region(snapshot, &region, bins, k);
            fraction[k] += ts_amount_inside(&amount, i, &bin, NULL);
        }
    }
    double volume = ts_region_volume(snapshot, &region) / (double)bins->count;
    for (size_t k = 0; k < bins->count; k++)
        fraction[k] = volume > 0 ? fraction[k] / volume : (double)NAN;
    ts_amount_free(&amount);
    return TS_OK;
}
