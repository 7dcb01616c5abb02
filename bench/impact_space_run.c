/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "dynamics/impact_dynamics.h"
#include "impact_space.h"
#include "workspace.h"

ts_status ts_timed_run_open(const ts_scene *scene, int threads, ts_timed_run *run, ts_error *error)
{
    TS_TRY(ts_model_compile(scene, &run->model, error));
    TS_TRY(ts_state_create(run->model, &run->state, error));
    TS_TRY(ts_workspace_create(run->model, threads, &run->work, error));
    ts_workspace_time_phases(run->work, true);
    return TS_OK;
}

void ts_timed_run_close(ts_timed_run *run)
{
    ts_workspace_free(run->work);
    ts_state_free(run->state);
    ts_model_free(run->model);
    *run = (ts_timed_run){0};
}

/* One step, added to the sums. */
static ts_status step(ts_timed_run *run, bool by_processor, ts_timed_figures *sum, ts_error *error)
{
    const ts_timers before = *ts_workspace_timers(run->work), *after = ts_workspace_timers(run->work);
    const uint64_t contacts_before = run->work->contact_sum;
    double (*const clock)(void) = by_processor ? ts_clock_processor_seconds : ts_clock_seconds;
    const double since = clock(), begin = ts_clock_seconds();
    TS_TRY(ts_step(run->model, run->state, run->work, 1, error));
    const double took = clock() - since, wall = ts_clock_seconds() - begin;
    const double share = wall > 0 ? took / wall : 1; /* of the wall's time that is counted */
    const double resolve = share * (after->seconds[TS_PHASE_RESOLVE] - before.seconds[TS_PHASE_RESOLVE]);
    const double contacts = (double)(run->work->contact_sum - contacts_before);
    const ts_impact_report *report = ts_impact_last(run->work);
    sum->steps++;
    sum->seconds += took;
    sum->longest = fmax(sum->longest, took);
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        sum->phase[k] += share * (after->seconds[k] - before.seconds[k]);
    sum->resolve_longest = fmax(sum->resolve_longest, resolve);
    sum->contacts += contacts;
    sum->contacts_most = fmax(sum->contacts_most, contacts);
    if (report && contacts > 0) {
        sum->passes += (double)report->passes;
        sum->passes_most = fmax(sum->passes_most, (double)report->passes);
        sum->sweeps += (double)(report->rounds + report->corrected);
    }
    return TS_OK;
}

ts_status ts_timed_run_walk(ts_bench *bench, ts_timed_run *run, const ts_timed_walk *walk, ts_timed_figures *figures,
                            ts_error *error)
{
    const double begin = ts_clock_seconds();
    *figures = (ts_timed_figures){0};
    while (figures->steps < walk->steps && ts_clock_seconds() - begin < walk->budget) {
        char what[128];
        snprintf(what, sizeof what, "%.80s, step %llu", walk->what, (unsigned long long)figures->steps);
        if (figures->steps % 8 == 0)
            ts_bench_report(bench, TS_NONE, what);
        ts_status status = step(run, walk->by_processor, figures, error);
        if (status == TS_DIVERGED) {
            figures->stopped = true;
            snprintf(figures->why, sizeof figures->why, "%.250s", error ? error->message : "");
            break;
        }
        TS_TRY(status);
    }
    const double n = fmax(1, (double)figures->steps);
    figures->seconds /= n;
    figures->passes /= n;
    figures->sweeps /= n;
    figures->contacts /= n;
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        figures->phase[k] /= n;
    return TS_OK;
}

/* Means of `steps` and of `more`. */
static double mean_of(double mean, double steps, double other, double more)
{
    return steps + more > 0 ? (mean * steps + other * more) / (steps + more) : 0;
}

void ts_timed_figures_add(ts_timed_figures *to, const ts_timed_figures *walk)
{
    const double n = (double)to->steps, more = (double)walk->steps;
    to->seconds = mean_of(to->seconds, n, walk->seconds, more);
    to->passes = mean_of(to->passes, n, walk->passes, more);
    to->sweeps = mean_of(to->sweeps, n, walk->sweeps, more);
    to->contacts = mean_of(to->contacts, n, walk->contacts, more);
    for (int k = 0; k < TS_PHASE_COUNT; k++)
        to->phase[k] = mean_of(to->phase[k], n, walk->phase[k], more);
    to->longest = fmax(to->longest, walk->longest);
    to->resolve_longest = fmax(to->resolve_longest, walk->resolve_longest);
    to->passes_most = fmax(to->passes_most, walk->passes_most);
    to->contacts_most = fmax(to->contacts_most, walk->contacts_most);
    to->steps += walk->steps;
    if (walk->stopped && !to->stopped) {
        to->stopped = true;
        snprintf(to->why, sizeof to->why, "%s", walk->why);
    }
}

const char *ts_timed_phases(const ts_timed_figures *figures, char text[160])
{
    const double *p = figures->phase, ms = 1e3;
    snprintf(text, 160, "pairs %.3g, contacts %.3g, resolving %.3g, moving %.3g ms", ms * p[TS_PHASE_PAIRS],
             ms * p[TS_PHASE_CONTACTS], ms * p[TS_PHASE_RESOLVE], ms * (p[TS_PHASE_ADVANCE] + p[TS_PHASE_DRIVE]));
    return text;
}
