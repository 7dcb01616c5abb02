/* SPDX-License-Identifier: MIT */
#include "grains_beside.h"

#include <math.h>
#include <stdio.h>

#include "contact/law.h"
#include "grains_lammps.h"
#include "model.h"

#define VISCOSITY     10.0  /* while clumps find their places [1/s] */
#define RIVAL_WORK    1.5e6 /* grain-steps of LAMMPS that are timed: some seconds */
#define RIVAL_REPEATS 3
#define SOFT_STEPS    20000 /* at most, to come to rest with another stiffness */

/* ---- LAMMPS ---- */

/* Grain-steps a second of one run; NaN when it broke down, and the note says why. */
static double run_clumps(ts_bench *bench, const ts_clump_case *c, ts_grain_rival *rival)
{
    ts_clump_result result;
    ts_bench_report(bench, TS_NONE, "clumps of discs in LAMMPS");
    if (ts_clump_run(c, &result, NULL) != TS_OK) {
        snprintf(rival->note, sizeof rival->note, "LAMMPS broke down; its last words are in clumps-%zu.out",
                 c->bin->count);
        return TS_NONE;
    }
    snprintf(rival->name, sizeof rival->name, "LAMMPS %s", result.version);
    snprintf(rival->note, sizeof rival->note,
             "clumps of %d discs, skin %.2g radii, %.0f lists in %.0f steps, unrest %.1g", TS_CLUMP_DISCS, c->skin,
             result.builds, (double)c->steps, result.unrest);
    ts_clump_result_free(&result);
    return (double)c->bin->count * (double)c->steps / result.seconds;
}

/* The skin with which it is fastest. */
static double find_skin(ts_bench *bench, const ts_clump_case *wanted, ts_grain_rival *rival)
{
    static const double skin[] = {0.3, 0.1, 0.03};
    double best = skin[0], most = 0;
    ts_clump_case c = *wanted;
    c.warm = 5;
    c.steps = wanted->steps / 3 + 1;
    for (size_t i = 0; i < (ts_bench_quick(bench) ? 1 : sizeof skin / sizeof *skin); i++) {
        c.skin = skin[i];
        double rate = run_clumps(bench, &c, rival);
        if (rate > most) {
            most = rate;
            best = skin[i];
        }
    }
    return best;
}

ts_status ts_grain_rival_measure(ts_bench *bench, const ts_bed_plan *plan, const ts_bed *bed, ts_grain_rival *rival,
                                 ts_error *error)
{
    *rival = (ts_grain_rival){.rate = TS_NONE, .spread = TS_NONE};
    if (!ts_clump_installed())
        return TS_OK;
    const char *folder;
    char work[4096];
    ts_grain_bin bin;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    TS_TRY(ts_bed_bin(bed, plan->loose, &bin, error));
    snprintf(work, sizeof work, "%s/clumps-%zu", folder, bin.count);
    uint64_t steps = (uint64_t)((ts_bench_quick(bench) ? 0.05 : 1) * RIVAL_WORK / (double)bin.count) + 1;
    ts_clump_case c = {.bin = &bin,
                       .stiffness = ts_bed_stiffness(bed),
                       .ratio = bed->model->law[0].kt / bed->model->law[0].kn,
                       .damping_ratio = ts_damping_ratio(TS_BED_RESTITUTION, false),
                       .time_step = ts_model_time_step(bed->model),
                       .viscosity = VISCOSITY,
                       .warm = steps,
                       .steps = steps,
                       .work = work};
    double rate[RIVAL_REPEATS];
    size_t repeats = ts_bench_quick(bench) ? 1 : RIVAL_REPEATS;
    bool fine = true;
    c.skin = find_skin(bench, &c, rival);
    for (size_t i = 0; i < repeats && fine; i++) {
        rate[i] = run_clumps(bench, &c, rival);
        fine = !isnan(rate[i]);
    }
    if (fine)
        rival->rate = ts_bench_median(rate, repeats, &rival->spread);
    ts_grain_bin_free(&bin);
    return TS_OK;
}

/* ---- Box2D and Chipmunk ---- */

/* One peer on one bin. */
typedef struct contest {
    ts_bench *bench;
    const char *name; /* of the grains */
    const ts_bed_plan *plan;
    const ts_bed *bed;
    ts_grain_result result;
    ts_overlaps theirs;
} contest;

static ts_status add_row(const contest *c, const char *what, const char *unit, double ours, double theirs,
                         const char *note, ts_error *error)
{
    char name[160];
    snprintf(name, sizeof name, "%zu %s, %s, beside %s", c->plan->loose->count, c->name, what, c->result.version);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = unit;
    row.ours = ours;
    row.peer = c->result.version;
    row.peer_value = theirs;
    row.ratio = ours / theirs; /* NaN: none */
    row.note = note;
    return ts_bench_add(c->bench, &row, error);
}

/* This engine, so soft that grains overlap as much as the peer's. An overlap at rest is as 1/k. */
static ts_status add_equal_overlap(const contest *c, const ts_grain_figures *ours, ts_error *error)
{
    ts_bed_plan plan = *c->plan;
    ts_bed soft;
    ts_grain_bin bin;
    ts_grain_figures figures;
    char note[200];
    plan.stiffness = ts_bed_stiffness(c->bed) * ours->overlaps.mean_depth / c->theirs.mean_depth;
    TS_TRY(ts_bed_bin(c->bed, plan.loose, &bin, error));
    ts_status status = ts_bed_settled(c->bench, &plan, bin.pose,
                                      &(ts_bed_times){0, ts_bench_quick(c->bench) ? 500 : SOFT_STEPS}, &soft, error);
    ts_grain_bin_free(&bin);
    TS_TRY(status);
    status = ts_grain_measure(&plan, &soft, &(ts_grain_timing){3, ts_bench_quick(c->bench) ? 0.02 : 0.3, false},
                              &figures, error);
    ts_bed_close(&soft);
    TS_TRY(status);
    double size = ts_grain_size(plan.loose);
    snprintf(note, sizeof note, "mean overlaps %.2f%% and %.2f%%; steps of %.2g and %.2g ms",
             100 * figures.overlaps.mean_depth / size, 100 * c->theirs.mean_depth / size, 1e3 * figures.time_step,
             1e3 / 60);
    double step = (double)plan.loose->count / figures.rate[0];
    return add_row(c, "a simulated second at equal overlap", "s", step / figures.time_step, c->result.seconds * 60,
                   note, error);
}

static ts_status add_rows(contest *c, const ts_grain_figures *ours, ts_error *error)
{
    char note[200];
    double count = (double)c->plan->loose->count, size = ts_grain_size(c->plan->loose);
    snprintf(note, sizeof note, "steps of %.2g and %.2g ms; theirs %s", 1e3 * ours->time_step, 1e3 / 60,
             c->result.at_rest ? "at rest" : "not yet at rest");
    TS_TRY(add_row(c, "a step", "s", count / ours->rate[0], c->result.seconds, note, error));
    snprintf(note, sizeof note, "through: %zu of %zu, and %zu of %zu; deepest %.2g%% and %.2g%%",
             ours->overlaps.through, ours->overlaps.pairs, c->theirs.through, c->theirs.pairs,
             100 * ours->overlaps.most_depth / size, 100 * c->theirs.most_depth / size);
    TS_TRY(add_row(c, "mean overlap over size", "1", ours->overlaps.mean_depth / size, c->theirs.mean_depth / size,
                   note, error));
    /* Box2D holds polygons apart by a skin of 2 cm: a shallow bed of it has no overlaps to be equal to */
    return c->theirs.pairs > 0 && ours->overlaps.pairs > 0 ? add_equal_overlap(c, ours, error) : TS_OK;
}

/* A row of ours alone that says why there is none beside it. */
static ts_status add_breakdown(const contest *c, ts_grain_peer peer, const ts_grain_figures *ours, ts_error *error)
{
    char name[160], note[256];
    snprintf(name, sizeof name, "%zu %s, a step, without %s", c->plan->loose->count, c->name, ts_grain_peer_name(peer));
    snprintf(note, sizeof note, "%s broke down; its last words are in grains-%s-%zu-%d.out", ts_grain_peer_name(peer),
             c->name, c->plan->loose->count, (int)peer);
    ts_bench_row row = ts_bench_row_empty();
    row.name = name;
    row.unit = "s";
    row.ours = (double)c->plan->loose->count / ours->rate[0];
    row.note = note;
    return ts_bench_add(c->bench, &row, error);
}

ts_status ts_grain_rows_beside(ts_bench *bench, const char *name, const ts_bed_plan *plan, const ts_bed *bed,
                               const ts_grain_figures *figures, ts_error *error)
{
    const char *folder;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    for (int i = 0; i < TS_GRAIN_PEER_COUNT; i++) {
        ts_grain_peer peer = (ts_grain_peer)i;
        if (!ts_grain_peer_installed(peer))
            continue;
        contest c = {.bench = bench, .name = name, .plan = plan, .bed = bed};
        char work[4096];
        snprintf(work, sizeof work, "%s/grains-%s-%zu-%d", folder, name, plan->loose->count, i);
        ts_grain_job job = ts_grain_job_usual(peer, plan->loose);
        ts_bench_report(bench, TS_NONE, ts_grain_peer_name(peer));
        ts_status status = ts_grain_peer_run(peer, plan->loose, &job, work, &c.result, NULL);
        if (status != TS_OK) {
            TS_TRY(add_breakdown(&c, peer, figures, error));
            continue;
        }
        status = ts_bed_overlaps(plan->loose, c.result.pose, &c.theirs, error);
        if (status == TS_OK)
            status = add_rows(&c, figures, error);
        ts_grain_result_free(&c.result);
        TS_TRY(status);
    }
    return TS_OK;
}
