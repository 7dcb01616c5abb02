/* SPDX-License-Identifier: MIT */
#include "grains_measure.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/release.h"
#include "control.h"
#include "workspace.h"

#define BATCH 64 /* as a step asks */
#define WARM  3  /* steps after a list was made: the first asks about every pair */

double ts_grain_size(const ts_grain_bin *bin)
{
    double half = 0;
    for (size_t k = 0; k < ts_outline_contour_count(bin->outline); k++) {
        ts_contour c = ts_outline_get_contour(bin->outline, k);
        for (size_t i = 0; i < c.vertex_count; i++)
            half = fmax(half, fmax(fabs(c.vertex[i].x), fabs(c.vertex[i].y)));
    }
    return 2 * half * bin->scale;
}

/* A bed on so many threads. */
typedef struct runner {
    const ts_model *model;
    ts_state *state;
    ts_workspace *work;
    double wall[TS_GRAIN_REPEATS_MAX], processor[TS_GRAIN_REPEATS_MAX]; /* of each run [s] */
} runner;

static void close_runner(runner *r)
{
    ts_workspace_free(r->work);
    ts_state_free(r->state);
}

static ts_status open_runner(const ts_bed *bed, int threads, runner *r, ts_error *error)
{
    r->model = bed->model;
    TS_TRY(ts_state_create(bed->model, &r->state, error));
    TS_TRY(ts_state_copy(r->state, bed->state, error));
    TS_TRY(ts_workspace_create(bed->model, threads, &r->work, error));
    return ts_step(r->model, r->state, r->work, WARM, error);
}

static ts_status run(runner *r, uint64_t steps, int repeat, ts_error *error)
{
    double wall = ts_clock_seconds(), processor = ts_clock_processor_seconds();
    TS_TRY(ts_step(r->model, r->state, r->work, steps, error));
    r->processor[repeat] = ts_clock_processor_seconds() - processor;
    r->wall[repeat] = ts_clock_seconds() - wall;
    return TS_OK;
}

/* How many steps take about that long. */
static ts_status find_steps(runner *r, double seconds, uint64_t *steps, ts_error *error)
{
    for (*steps = 1;; *steps *= 2) {
        TS_TRY(run(r, *steps, 0, error));
        if (r->processor[0] >= 0.5 * seconds)
            return TS_OK;
    }
}

/* ---- Speed ---- */

static ts_status measure_speed(const ts_grain_timing *timing, runner one_two[2], size_t count, uint64_t steps,
                               ts_grain_figures *f, ts_error *error)
{
    double control[TS_GRAIN_REPEATS_MAX], speed_up[TS_GRAIN_REPEATS_MAX], rate[TS_GRAIN_REPEATS_MAX];
    size_t repeats = (size_t)timing->repeats;
    double work = (double)count * (double)steps;
    for (int i = 0; i < timing->repeats; i++) {
        TS_TRY(run(&one_two[0], steps, i, error));
        rate[i] = work / one_two[0].processor[i];
        if (!timing->two_threads)
            continue;
        TS_TRY(run(&one_two[1], steps, i, error));
        TS_TRY(ts_bench_control(&control[i], error));
        speed_up[i] = one_two[0].wall[i] / one_two[1].wall[i];
    }
    f->rate[0] = ts_bench_median(rate, repeats, &f->spread[0]);
    f->rate[1] = f->speed_up = f->control = TS_NONE;
    if (!timing->two_threads)
        return TS_OK;
    for (int i = 0; i < timing->repeats; i++)
        rate[i] = work / one_two[1].wall[i];
    f->rate[1] = ts_bench_median(rate, repeats, &f->spread[1]);
    f->speed_up = ts_bench_median(speed_up, repeats, &f->speed_up_spread);
    f->control = ts_bench_median(control, repeats, NULL);
    return TS_OK;
}

/* ---- Where the time goes ---- */

/* Poses of pairs that touch, in the order in which a step meets them. */
static ts_status touching_poses(const ts_grain_bin *bin, runner *r, ts_map_pose **pose, size_t *count, ts_error *error)
{
    const ts_contact *contact;
    size_t contacts;
    TS_TRY(ts_find_contacts(r->model, r->state, r->work, &contact, &contacts, error));
    *pose = ts_alloc(contacts + 1, sizeof **pose);
    if (!*pose)
        return ts_fail_memory(error, (contacts + 1) * sizeof **pose);
    const ts_body *body = ts_state_bodies(r->state);
    *count = 0;
    for (size_t i = 0; i < contacts; i++)
        if (contact[i].a >= 0) {
            const ts_body *a = &body[contact[i].a], *b = &body[contact[i].b];
            (*pose)[(*count)++] = (ts_map_pose){{a->x, a->y, a->angle}, {b->x, b->y, b->angle}, bin->scale};
        }
    return TS_OK;
}

/* Seconds of one query, asked about as long as a run of steps takes. */
static double time_queries(const ts_map *map, const ts_map_pose *pose, size_t count, double seconds)
{
    ts_map_contact contact[BATCH];
    size_t asked = 0;
    double begin = ts_clock_processor_seconds(), taken;
    do {
        for (size_t i = 0; i < count; i += BATCH) {
            size_t n = count - i < BATCH ? count - i : BATCH;
            ts_map_query(map, n, pose + i, contact);
            asked += n;
        }
        taken = ts_clock_processor_seconds() - begin;
    } while (taken < 0.3 * seconds);
    return taken / (double)asked;
}

static ts_status measure_query(const ts_bed_plan *plan, runner *r, double seconds, ts_grain_figures *f, ts_error *error)
{
    TS_AUTO(ts_map_free_at) ts_map *map = NULL;
    TS_AUTO_FREE ts_map_pose *pose = NULL;
    size_t count = 0;
    TS_TRY(ts_map_create(plan->loose->outline, plan->loose->outline, &plan->map, &plan->making, &map, error));
    TS_TRY(touching_poses(plan->loose, r, &pose, &count, error));
    if (count > 0)
        f->query = time_queries(map, pose, count, seconds);
    f->map_bytes = (double)ts_map_get_info(map).bytes / (double)plan->loose->count;
    f->bytes += f->map_bytes;
    return TS_OK;
}

static ts_status measure_shares(const ts_bed_plan *plan, runner *r, uint64_t steps, double seconds, ts_grain_figures *f,
                                ts_error *error)
{
    double count = (double)plan->loose->count;
    uint64_t queries = r->work->query_sum;
    ts_workspace_time_phases(r->work, true);
    TS_TRY(ts_step(r->model, r->state, r->work, steps, error));
    ts_workspace_time_phases(r->work, false);
    f->queries = (double)(r->work->query_sum - queries) / (double)steps / count;
    const double *phase = ts_workspace_timers(r->work)->seconds;
    double pairs = phase[TS_PHASE_PAIRS], resolve = phase[TS_PHASE_CONTACTS] + phase[TS_PHASE_RESOLVE];
    double moving = phase[TS_PHASE_ADVANCE] + phase[TS_PHASE_DRIVE], all = pairs + resolve + moving;
    f->bytes = (double)ts_memory_bytes(r->model, r->state, r->work) / count; /* before anyone asks for contacts */
    TS_TRY(measure_query(plan, r, seconds, f, error));
    /* a wall clock timed the phases, the processor's the queries: both as shares of what a step took by the same
     * clock */
    double asking = fmin(f->query * f->queries * f->rate[0], resolve / all);
    f->share[TS_SHARE_PAIRS] = pairs / all;
    f->share[TS_SHARE_QUERIES] = asking;
    f->share[TS_SHARE_FORCES] = resolve / all - asking;
    f->share[TS_SHARE_MOVING] = moving / all;
    return TS_OK;
}

/* ---- All of it ---- */

static ts_status look_at_end(const ts_bed_plan *plan, ts_bed *bed, runner *r, ts_grain_figures *f, ts_error *error)
{
    ts_measures measures;
    TS_TRY(ts_measure(r->model, r->state, r->work, &measures, error));
    ts_grain_mass m = ts_grain_bin_mass(plan->loose);
    double count = (double)plan->loose->count;
    f->contacts = (double)measures.contact_count / count;
    f->unrest = (measures.kinetic + measures.rotational) / (count * m.mass * plan->loose->gravity * m.radius);
    f->time_step = ts_model_time_step(r->model);
    TS_TRY(ts_state_copy(bed->state, r->state, error));
    ts_grain_bin bin;
    TS_TRY(ts_bed_bin(bed, plan->loose, &bin, error));
    ts_status status = ts_bed_overlaps(&bin, bin.pose, &f->overlaps, error);
    ts_grain_bin_free(&bin);
    return status;
}

ts_status ts_grain_measure(const ts_bed_plan *plan, ts_bed *bed, const ts_grain_timing *timing,
                           ts_grain_figures *figures, ts_error *error)
{
    *figures = (ts_grain_figures){0};
    runner one_two[2] = {0};
    uint64_t steps = 1;
    ts_status status = open_runner(bed, 1, &one_two[0], error);
    if (status == TS_OK && timing->two_threads)
        status = open_runner(bed, 2, &one_two[1], error);
    if (status == TS_OK)
        status = find_steps(&one_two[0], timing->seconds, &steps, error);
    if (status == TS_OK)
        status = measure_speed(timing, one_two, plan->loose->count, steps, figures, error);
    if (status == TS_OK)
        status = measure_shares(plan, &one_two[0], steps, timing->seconds, figures, error);
    if (status == TS_OK)
        status = look_at_end(plan, bed, &one_two[0], figures, error);
    for (int t = 0; t < 2; t++)
        close_runner(&one_two[t]);
    return status;
}
