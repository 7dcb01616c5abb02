/* SPDX-License-Identifier: MIT */
/* The bench `manifold`: smooth contact manifolds. */
#include "bench.h"
#include "manifold_parts.h"

ts_status ts_bench_manifold(ts_bench *bench, ts_error *error)
{
    TS_TRY(ts_manifold_rows_programs(bench, error));
    return ts_manifold_rows_pairs(bench, error);
}
