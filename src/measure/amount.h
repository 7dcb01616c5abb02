/* SPDX-License-Identifier: MIT */
/* How much of a body lies in a box: its area in the plane (edges.h), its volume in space (solids.h). */
#pragma once

#include "measure/edges.h"
#include "measure/solids.h"

typedef struct ts_amount {
    const ts_snapshot *snapshot;
    ts_edges edges;     /* plane */
    ts_volumes volumes; /* space */
} ts_amount;

static inline ts_status ts_amount_make(const ts_snapshot *snapshot, ts_amount *amount, ts_error *error)
{
    *amount = (ts_amount){.snapshot = snapshot};
    return ts_kind_of(snapshot)->amounts(amount, error);
}

static inline void ts_amount_free(ts_amount *amount)
{
    ts_volumes_free(&amount->volumes);
    ts_edges_free(&amount->edges);
}

/* [m²] or [m³]; `off` (NULL: not wanted) grows by what it may be off. */
static inline double ts_amount_inside(const ts_amount *amount, size_t i, const ts_region *box, double *off)
{
    return ts_kind_of(amount->snapshot)->inside(amount, i, box, off);
}
