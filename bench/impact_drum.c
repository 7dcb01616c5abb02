/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: what the impacts of a step take of many balls in a drum, beside the published times
 * (Smith et al. 2012, Table 2). 10,201 balls; with --full 100,489 as well. */
#include <stdio.h>

#include "impact_parts.h"
#include "study/impact_drum.h"
#include "workspace.h"

static ts_status add_row(ts_bench *bench, const char *what, int scene, int side, double ours, double paper,
                         ts_error *error)
{
    char name[128];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s, %d balls: impact a step, %s", ts_drum_name[scene], side * side, what);
    row.name = name;
    row.unit = "s";
    row.ours = ours;
    row.peer = "GR, one core of 2009";
    if (paper > 0) {
        row.peer_value = row.goal = paper;
        row.ratio = ours / paper;
        row.judged = ours;
        row.goal_is_most = true;
    }
    return ts_bench_add(bench, &row, error);
}

ts_status ts_impact_rows_drum(ts_bench *bench, ts_error *error)
{
    const int sizes = ts_bench_full(bench) ? 2 : 1;
    for (int size = 0; size < sizes; size++)
        for (int scene = 0; scene < TS_DRUM_SCENES; scene++) {
            TS_AUTO(ts_balls_close) ts_balls balls = {0};
            const int side = ts_drum_side[size];
            double sum = 0, most = 0;
            ts_bench_report(bench, (double)NAN, "balls in a drum");
            TS_TRY(ts_drum_start(&balls, scene, side, ts_bench_threads(bench), ts_bench_seed(bench), error));
            for (int k = 0; k < TS_DRUM_STEPS; k++) {
                const double before = ts_workspace_timers(balls.rig.work)->seconds[TS_PHASE_RESOLVE];
                TS_TRY(ts_balls_step(&balls, 1, error));
                const double took = ts_workspace_timers(balls.rig.work)->seconds[TS_PHASE_RESOLVE] - before;
                sum += took;
                most = fmax(most, took);
            }
            const ts_drum_paper *paper = &ts_drum_published[scene][size];
            TS_TRY(add_row(bench, "mean", scene, side, sum / TS_DRUM_STEPS, paper->mean, error));
            TS_TRY(add_row(bench, "longest", scene, side, most, paper->most, error));
        }
    return TS_OK;
}
