/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact-space`: the shaken layer of the study `patterns` (hexagons: f* = 0.38, Γ = 4), one cycle of
 * which is timed.
 *
 *     o   o   o      the layer is thrown up, and all of it is struck when it comes down: resolving that is what
 *    ooo ooo ooo     the longest step takes
 *     ===================
 *
 * Steps are 250 a cycle: the paper's smallest, 1e-4 s, of a cycle of 25 ms (src/study/patterns.c says why). The cycles
 * before are kept on disk. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/release.h"
#include "impact_space.h"
#include "study/shaken_layer.h"

#define GOAL 5.0 /* times as fast as the paper's */

static ts_status open_run(ts_bench *bench, const ts_shaken_layer *layer, ts_timed_run *run, ts_error *error)
{
    TS_AUTO(ts_scene_free_at) ts_scene *scene = NULL;
    TS_TRY(ts_scene_create(&scene, error));
    TS_TRY(ts_shaken_layer_fill(scene, layer, ts_bench_seed(bench), error));
    return ts_timed_run_open(scene, ts_bench_threads(bench), run, error);
}

/* One cycle from the lattice, or what an earlier run has kept of it. */
static ts_status first_cycle(ts_bench *bench, const ts_shaken_layer *layer, ts_timed_run *run, ts_timed_figures *f,
                             ts_error *error)
{
    const char *folder;
    char path[4200];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(path, sizeof path, "%.4000s/layer-%zu-%016" PRIx64 ".state", folder, ts_shaken_layer_count(layer),
             ts_model_hash(run->model));
    if (ts_file_exists(path) && ts_state_load(run->model, run->state, path, &ignored) == TS_OK)
        return TS_OK;
    const ts_timed_walk walk = {.what = "shaken layer, before", .steps = (uint64_t)layer->steps, .budget = HUGE_VAL};
    TS_TRY(ts_timed_run_walk(bench, run, &walk, f, error));
    return f->stopped ? TS_OK : ts_state_save(run->model, run->state, path, error);
}

static ts_status add_rows(ts_bench *bench, const ts_timed_figures *f, size_t count, ts_error *error)
{
    const bool goals = !ts_bench_quick(bench) && !f->stopped;
    char name[128], note[400], phases[160];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu spheres shaken, gr: impact + friction of a step", count);
    snprintf(note, sizeof note, "%d threads; longest %.3g s; %.3g contacts, most %.3g%s%s", ts_bench_threads(bench),
             f->resolve_longest, f->contacts, f->contacts_most, f->stopped ? "; stopped: " : "", f->why);
    row.name = name;
    row.note = note;
    row.unit = "s";
    row.ours = f->phase[TS_PHASE_RESOLVE];
    if (goals) {
        row.peer = "Smith et al. 2012";
        row.peer_value = TS_LAYER_PAPER_IMPACT;
        row.ratio = row.judged = row.ours / TS_LAYER_PAPER_IMPACT;
        row.goal = 1 / GOAL;
        row.goal_is_most = true;
    }
    TS_TRY(ts_bench_add(bench, &row, error));
    row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu spheres shaken, gr: a step", count);
    snprintf(note, sizeof note, "%s; longest %.3g s; passes %.3g, most %.0f", ts_timed_phases(f, phases), f->longest,
             f->passes, f->passes_most);
    row.name = name;
    row.note = note;
    row.unit = "s";
    row.ours = f->seconds;
    return ts_bench_add(bench, &row, error);
}

ts_status ts_impact_space_layer(ts_bench *bench, ts_error *error)
{
    const double across = ts_bench_quick(bench) ? 13 : 100;
    const ts_shaken_layer layer = {.size = {across, across}, .pitch = 0.38, .strength = 4, .steps = 250, .cycles = 2};
    const ts_timed_walk walk = {.what = "shaken layer", .steps = (uint64_t)layer.steps, .budget = HUGE_VAL};
    TS_AUTO(ts_timed_run_close) ts_timed_run run = {0};
    ts_timed_figures figures = {0};
    TS_TRY(open_run(bench, &layer, &run, error));
    TS_TRY(first_cycle(bench, &layer, &run, &figures, error));
    ts_bench_report(bench, 0.9, walk.what);
    if (!figures.stopped)
        TS_TRY(ts_timed_run_walk(bench, &run, &walk, &figures, error));
    return add_rows(bench, &figures, ts_shaken_layer_count(&layer), error);
}
