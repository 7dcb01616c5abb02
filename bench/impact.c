/* SPDX-License-Identifier: MIT */
/* The bench `impact`: contacts that are resolved together (docs/impact.md, docs/solvers.md).
 *
 *     impact_programs.c   the quadratic programs of a settling pile, beside Ipopt with MUMPS
 *     impact_fronts.c     what a pass of Generalized Reflections costs
 *     impact_drum.c       many balls in a drum, beside the published times
 *     impact_grains.c     `#` grains at rest and in flow, beside Box2D
 */
#include "bench.h"
#include "impact_parts.h"

ts_status ts_bench_impact(ts_bench *bench, ts_error *error)
{
    TS_TRY(ts_impact_rows_programs(bench, error));
    TS_TRY(ts_impact_rows_fronts(bench, error));
    TS_TRY(ts_impact_rows_drum(bench, error));
    return ts_impact_rows_grains(bench, error);
}
