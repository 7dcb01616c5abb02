/* SPDX-License-Identifier: MIT */
/* maps-matter: the same columns and silos of grains with contacts from `network`, `table` and `exact` maps: does it
 * matter which?
 *
 * Paths of grains part within a second, whatever small thing is different, so that runs are compared by what is left in
 * the end; and the measure of a difference is how much that varies from seed to seed with one kind of map. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "study/cem_walk.h"
#include "study/pile_measures.h"
#include "study/studies.h"

#define KINDS     3
#define SEEDS_MAX 5
#define SILOS     2
#define DEGREE    (3.14159265358979323846 / 180)

static const char *const kind[KINDS] = {"exact", "table", "network"};
static const char *const quick_map[KINDS] = {"map={\"kind\": \"exact\"}", "map={\"kind\": \"table\", \"error\": 0.002}",
                                             "map={\"kind\": \"network\", \"depth\": 3, \"width\": 32}"};
static const char *const full_map[KINDS] = {"map={\"kind\": \"exact\"}", "map={\"kind\": \"table\", \"error\": 0.002}",
                                            "map={\"kind\": \"network\", \"depth\": 5, \"width\": 64}"};

/* ---- A small silo over nothing: what falls out is gone ---- */

static const char *const silo[] = {
    "generators=["
    "{\"name\": \"left\", \"kind\": \"line\", \"points\": [[-9.75, 42], [-9.75, 21], [-4.55, 12]], \"count\": 51,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"name\": \"right\", \"kind\": \"line\", \"points\": [[9.75, 42], [9.75, 21], [4.55, 12]], \"count\": 51,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"name\": \"plug\", \"kind\": \"line\", \"points\": [[-4.2, 12], [4.2, 12]], \"count\": 13,"
    " \"shape\": \"grain\", \"angles\": \"zero\", \"fixed\": true},"
    "{\"kind\": \"lattice\", \"region\": {\"box\": [-9, 21.5, 9, 45]}, \"count\": 140, \"gap\": 0.1,"
    " \"shape\": \"grain\", \"velocity_spread\": 1}]",
    "output.measures.line=[-12, 10.5, 12, 10.5]",
    "output.frame_rate=10",
    "dynamics.stiffness=5.6e6",
    "time_step=6e-4",
    "drives[0].opens=2.4",
    "duration=7.2"};
static const char *const silo_grain[SILOS] = {"octagon", "hash"};
#define SILO_GRAINS 140.0
#define JAM_SECONDS 2.0 /* without a passage */

typedef struct work {
    ts_study *study;
    bool full;
    int seeds;
    ts_cem_run column[KINDS * SEEDS_MAX]; /* all kinds of the first seed, then of the second */
    ts_collapse found[KINDS * SEEDS_MAX];
    ts_cem_run
        silo[KINDS * SILOS * SEEDS_MAX]; /* all kinds of octagons, then of #, of the first seed, then of the second */
    ts_clogging flow[KINDS * SILOS * SEEDS_MAX];
    double made[KINDS * SEEDS_MAX]; /* energy that contacts of columns made, over what was lost [1] */
    const char *map[KINDS];         /* overrides of columns */
    const char *silo_override[KINDS][16];
} work;

static const char *map_of(const work *w, int k)
{
    return w->full ? full_map[k] : quick_map[k];
}

static void plan_runs(work *w)
{
    size_t silos = sizeof silo / sizeof *silo;
    for (int k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < silos; i++)
            w->silo_override[k][i] = silo[i];
        w->map[k] = w->silo_override[k][silos] = map_of(w, k);
        for (int s = 0; s < w->seeds; s++) {
            ts_cem_run *run = &w->column[s * KINDS + k];
            snprintf(run->name, sizeof run->name, "column-%s-%d", kind[k], s + 1);
            run->wish = (ts_cem_wish){.scene = w->full ? "column-collapse" : "column-small",
                                      .grain = "hash",
                                      .quick = true,
                                      .seed = ts_study_seed(w->study) + (uint64_t)s,
                                      .override = &w->map[k],
                                      .override_count = 1};
        }
        for (int i = 0; i < SILOS * w->seeds; i++) {
            const char *grain = silo_grain[i % SILOS];
            ts_cem_run *run = &w->silo[i * KINDS + k];
            snprintf(run->name, sizeof run->name, "silo-%s-%s-%d", grain, kind[k], i / SILOS + 1);
            run->wish = (ts_cem_wish){.scene = "silo",
                                      .grain = grain,
                                      .quick = true,
                                      .seed = ts_study_seed(w->study) + (uint64_t)(i / SILOS),
                                      .override = w->silo_override[k],
                                      .override_count = silos + 1};
        }
    }
}

/* ---- What came through the opening ---- */

static ts_status add_passages(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    const double a[2] = {-12, 10.5}, b[2] = {12, 10.5}; /* its left is above */
    return before ? ts_passages_add(user, before, now, a, b, error) : TS_OK;
}

static ts_status measure_flow(const ts_cem_run *run, ts_clogging *to, ts_error *error)
{
    ts_passages passages = {0};
    ts_status status = ts_cem_walk(run, add_passages, &passages, error);
    if (status == TS_OK)
        *to = ts_passages_clogging(&passages, JAM_SECONDS);
    ts_passages_free(&passages);
    return status;
}

/* ---- Energy from nowhere ---- */

/* Where a normal jumps in the middle of a step, springs give back more than was put in. */
typedef struct budget {
    double first, last, lost; /* balance of all energies at the first frame and now, and losses so far [J] */
} budget;

static ts_status add_budget(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    (void)error;
    budget *b = user;
    ts_energies e;
    ts_measure_energies(now, &e);
    b->first = before ? b->first : e.balance;
    b->last = e.balance;
    b->lost = e.lost_normal + e.lost_tangential + e.lost_friction;
    return TS_OK;
}

static ts_status measure_made(const ts_cem_run *run, double *made, ts_error *error)
{
    budget b = {0};
    TS_TRY(ts_cem_walk(run, add_budget, &b, error));
    *made = (b.last - b.first) / b.lost;
    return TS_OK;
}

/* ---- Claims ---- */

/* Tables are smooth; exact contacts and networks have kinks, and make energy in proportion to the time step. */
static ts_status claim_energy(work *w, ts_error *error)
{
    double made[KINDS] = {0};
    for (int i = 0; i < KINDS * w->seeds; i++)
        made[i % KINDS] += w->made[i] / w->seeds;
    TS_TRY(ts_claim_at_most(w->study, fabs(made[1]), 0.01, "1", error,
                            "# column, table: energy that contacts made, over what was lost (exact: %.3f, network: "
                            "%.3f)",
                            made[0], made[2]));
    return ts_claim_at_most(w->study, fabs(made[1]) / fmax(fabs(made[0]), fabs(made[2])), 0.5, "1", error,
                            "# column: energy that contacts made by tables, over that by exact contacts or networks");
}

/* Values of all seeds, kind by kind, of which the first is exact. */
typedef struct comparison {
    ts_spread spread[KINDS];
    ts_pooled pooled;
} comparison;

static comparison compare(const double value[KINDS][SEEDS_MAX], int seeds)
{
    comparison c = {0};
    for (int k = 0; k < KINDS; k++)
        c.spread[k] = ts_spread_of(value[k], (size_t)seeds);
    c.pooled = ts_spread_pool(c.spread, KINDS, (size_t)seeds);
    return c;
}

static ts_status claim_columns(work *w, ts_error *error)
{
    double angle[KINDS][SEEDS_MAX];
    for (int i = 0; i < KINDS * w->seeds; i++)
        angle[i % KINDS][i / KINDS] = w->found[i].angle / DEGREE;
    comparison c = compare(angle, w->seeds);
    for (int k = 1; k < KINDS; k++)
        TS_TRY(ts_claim_at_most(w->study, fabs(c.spread[k].mean - c.spread[0].mean), c.pooled.chance, "°", error,
                                "# column: angle of repose, %s beside exact (%.1f ± %.1f° and %.1f ± %.1f°; %d seeds, "
                                "which differ by %.1f°)",
                                kind[k], c.spread[k].mean, c.spread[k].error, c.spread[0].mean, c.spread[0].error,
                                w->seeds, c.pooled.deviation));
    for (int k = 0; k < KINDS; k++) {
        size_t through = 0;
        double depth = 0;
        for (int s = 0; s < w->seeds; s++) {
            through += w->found[s * KINDS + k].overlaps.through;
            depth += w->found[s * KINDS + k].overlaps.mean_depth / w->seeds;
        }
        TS_TRY(ts_claim_at_most(w->study, (double)through, 0, "1", error,
                                "# column, %s: pairs pushed half-way through each other (true overlap %.2g m in the "
                                "mean)",
                                kind[k], depth));
    }
    return TS_OK;
}

static ts_status claim_silos(work *w, ts_error *error)
{
    static const char *const sign[SILOS] = {"octagons", "#"};
    for (int g = 0; g < SILOS; g++) {
        double share[KINDS][SEEDS_MAX];
        int jams[KINDS] = {0};
        for (int s = 0; s < w->seeds; s++)
            for (int k = 0; k < KINDS; k++) {
                const ts_clogging *flow = &w->flow[(s * SILOS + g) * KINDS + k];
                share[k][s] = (double)flow->passed / SILO_GRAINS;
                jams[k] += flow->jammed;
            }
        comparison c = compare(share, w->seeds);
        for (int k = 1; k < KINDS; k++)
            TS_TRY(ts_claim_at_most(w->study, fabs(c.spread[k].mean - c.spread[0].mean), c.pooled.chance, "1", error,
                                    "silo, %s: share that came out, %s beside exact (%.2f ± %.2f, %d of %d jam, and "
                                    "%.2f ± %.2f, %d jam)",
                                    sign[g], kind[k], c.spread[k].mean, c.spread[k].error, jams[k], w->seeds,
                                    c.spread[0].mean, c.spread[0].error, jams[0]));
    }
    return TS_OK;
}

/* ---- Figures ---- */

static ts_status write_table(work *w, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(w->study, "maps-matter.csv", &draft, error));
    fprintf(draft.stream,
            "run,angle_deg,passed,jammed,mean_overlap,energy_made,maps_seconds,seconds,steps,queries_per_step\n");
    for (int i = 0; i < KINDS * w->seeds; i++) {
        const ts_cem_run *r = &w->column[i];
        fprintf(draft.stream, "%s,%.6g,,,%.6g,%.3g,%.3f,%.3f,%.0f,%.6g\n", r->name, w->found[i].angle / DEGREE,
                w->found[i].overlaps.mean_depth, w->made[i], r->prepared, r->seconds, r->steps, r->queries_per_step);
    }
    for (int i = 0; i < KINDS * SILOS * w->seeds; i++) {
        const ts_cem_run *r = &w->silo[i];
        fprintf(draft.stream, "%s,,%zu,%d,,,%.3f,%.3f,%.0f,%.6g\n", r->name, w->flow[i].passed, w->flow[i].jammed,
                r->prepared, r->seconds, r->steps, r->queries_per_step);
    }
    return ts_study_sheet_close(w->study, &draft, error);
}

static ts_status draw(work *w, ts_error *error)
{
    ts_cem_panel column[KINDS], out[KINDS * SILOS];
    for (int k = 0; k < KINDS; k++)
        column[k] = (ts_cem_panel){&w->column[k], TS_NONE, kind[k]};
    for (int i = 0; i < KINDS * SILOS; i++)
        out[i] = (ts_cem_panel){&w->silo[i], i < KINDS ? 4.0 : TS_NONE, kind[i % KINDS]};
    ts_box wide = {-2, -2, w->full ? 97 : 40, w->full ? 33 : 17}, high = {-12, 0, 12, 43};
    ts_cem_figure columns = {"columns", "What is left of a column of #, by kind of map", column, KINDS, 1, wide, 1600};
    ts_cem_figure silos = {"silos", "An opening of 8 m, by kind of map", out, KINDS, SILOS, high, 0};
    TS_TRY(ts_cem_draw(w->study, &columns, error));
    TS_TRY(ts_cem_draw(w->study, &silos, error));
    return w->full ? ts_cem_film(w->study, &silos, error) : TS_OK;
}

ts_status ts_study_maps_matter(ts_study *study, ts_error *error)
{
    work w = {.study = study, .full = ts_study_full(study)};
    w.seeds = w.full ? SEEDS_MAX : 3;
    plan_runs(&w);
    TS_TRY(ts_cem_runs(study, w.column, (size_t)(KINDS * w.seeds), (double[2]){0, 0.4}, error));
    TS_TRY(ts_cem_runs(study, w.silo, (size_t)(KINDS * SILOS * w.seeds), (double[2]){0.4, 0.95}, error));
    for (int i = 0; i < KINDS * w.seeds; i++)
        TS_TRY(ts_collapse_measure(&w.column[i], w.full ? &ts_collapse_quick : &ts_collapse_small, &w.found[i], error));
    for (int i = 0; i < KINDS * SILOS * w.seeds; i++)
        TS_TRY(measure_flow(&w.silo[i], &w.flow[i], error));
    for (int i = 0; i < KINDS * w.seeds; i++)
        TS_TRY(measure_made(&w.column[i], &w.made[i], error));
    TS_TRY(claim_columns(&w, error));
    TS_TRY(claim_energy(&w, error));
    TS_TRY(claim_silos(&w, error));
    TS_TRY(write_table(&w, error));
    return draw(&w, error);
}
