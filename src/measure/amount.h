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
    return ts_dimension_of(snapshot) == 3 ? ts_volumes_make(snapshot, &amount->volumes, error)
                                          : ts_edges_make(snapshot, &amount->edges, error);
}

static inline void ts_amount_free(ts_amount *amount)
{
    if (ts_dimension_of(amount->snapshot) == 3)
        ts_volumes_free(&amount->volumes);
    else
        ts_edges_free(&amount->edges);
}

/* [m²] or [m³]; `off` (NULL: not wanted) grows by what it may be off. */
static inline double ts_amount_inside(const ts_amount *amount, size_t i, const ts_region *box, double *off)
{
    return ts_dimension_of(amount->snapshot) == 3 ? ts_volumes_inside(amount->snapshot, &amount->volumes, i, box, off)
                                                  : ts_edges_area(amount->snapshot, &amount->edges, i, box);
}
