/* SPDX-License-Identifier: MIT */
/* column-collapse: columns of O, U, N and # lose a wall. The more a grain's shape can catch in its neighbours, the
 * steeper is what is left. */
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "study/figure.h"
#include "study/pile_measures.h"
#include "study/studies.h"

#define KINDS      4
#define SEEDS_MAX  8 /* of a quick study */
#define SEEDS_FULL 2
#define DEGREE     (3.14159265358979323846 / 180)
#define PROFILE    128 /* columns of a profile */

static const char *const grain[KINDS] = {"O", "U", "N", "hash"};
static const char *const sign[KINDS] = {"O", "U", "N", "#"};

/* A quick study's: a column 20 m wide. Steps are eight times as long, for which grains have to be softer: by 80, where
 * the lower heap alone would leave overlaps as they are with 8. At 14 s one # in fifteen still slides, and rings roll. */
static const char *const quick[] = {"generators[0].points=[[-1.2, -0.75], [80, -0.75], [80, 6.05]]",
                                    "generators[0].count=93",
                                    "generators[1].points=[[-0.75, 0], [-0.75, 30.4]]",
                                    "generators[1].count=32",
                                    "generators[2].points=[[20.75, 0], [20.75, 30.4]]",
                                    "generators[2].count=32",
                                    "generators[3].region.box=[0, 0, 20, 32]",
                                    "generators[3].count=260",
                                    "dynamics.stiffness=1.25e7",
                                    "time_step=4e-4",
                                    "drives[0].opens=4",
                                    "duration=20",
                                    "map.error=0.005"};
/* A full study also runs each column once by networks of the paper's size, which know nothing of the grains' symmetry.
 * The angle comes to them as a point on a circle, not as a number that jumps after a turn. No bound says how fast their
 * gaps can fall, so that every pair is asked in every step, and a run takes some ten times as long as by a table. */
static const char *const learned[] = {"map={\"kind\": \"network\", \"depth\": 5, \"width\": 64, \"folding\": false}"};
static const ts_collapse_plan quick_plan = {20, 78, 4, 6};
static const ts_collapse_plan full_plan = {100, 380, 12, 16};

typedef struct work {
    ts_study *study;
    bool full;
    int seeds;
    ts_collapse_plan plan;
    int tables; /* runs by tables, KINDS · seeds */
    int count;  /* of runs */
    ts_cem_run
        run[KINDS * (SEEDS_MAX + 1)]; /* all grains of the first seed, of the second, …; by networks in a full study */
    ts_collapse found[KINDS * (SEEDS_MAX + 1)];
    int got[KINDS];         /* runs by tables */
    ts_spread angle[KINDS]; /* of the surface [°] */
    ts_spread wedge[KINDS]; /* of the triangle with the heap's centre of mass [°] */
    ts_spread front[KINDS]; /* of the density there, over that of the column [1] */
} work;

static void plan_runs(work *w)
{
    w->tables = KINDS * w->seeds;
    w->count = w->tables + (w->full ? KINDS : 0);
    for (int i = 0; i < w->count; i++) {
        ts_cem_run *run = &w->run[i];
        int k = i % KINDS, s = i / KINDS;
        bool network = i >= w->tables;
        run->wish = (ts_cem_wish){.scene = "column-collapse", .grain = grain[k], .quick = !w->full};
        run->wish.seed = ts_study_seed(w->study) + (network ? 0 : (uint64_t)s);
        run->wish.override = network ? learned : w->full ? NULL : quick;
        run->wish.override_count = network   ? sizeof learned / sizeof *learned
                                   : w->full ? 0
                                             : sizeof quick / sizeof *quick;
        if (network)
            snprintf(run->name, sizeof run->name, "%s-network", grain[k]);
        else
            snprintf(run->name, sizeof run->name, "%s-%d", grain[k], s + 1);
    }
}

static ts_status run_all(work *w, ts_error *error)
{
    plan_runs(w);
    TS_TRY(ts_cem_runs(w->study, w->run, (size_t)w->count, (double[2]){0, 0.95}, error));
    for (int i = 0; i < w->count; i++)
        if (ts_cem_ran(&w->run[i], 1))
            TS_TRY(ts_collapse_measure(&w->run[i], &w->plan, &w->found[i], error));
    return TS_OK;
}

static bool ran(const work *w, int i)
{
    return ts_cem_ran(&w->run[i], 1);
}

/* Of the tables' runs that there are. */
static void average(work *w)
{
    for (int k = 0; k < KINDS; k++) {
        double angle[SEEDS_MAX], wedge[SEEDS_MAX], front[SEEDS_MAX];
        for (int i = k; i < w->tables; i += KINDS)
            if (ran(w, i)) {
                angle[w->got[k]] = w->found[i].angle / DEGREE;
                wedge[w->got[k]] = w->found[i].wedge / DEGREE;
                front[w->got[k]++] = w->found[i].front / w->found[i].column;
            }
        w->angle[k] = ts_spread_of(angle, (size_t)w->got[k]);
        w->wedge[k] = ts_spread_of(wedge, (size_t)w->got[k]);
        w->front[k] = ts_spread_of(front, (size_t)w->got[k]);
    }
}

/* ---- Claims ---- */

/* The line through the surface of a quick study's heaps scatters by 3° from seed to seed: too much to tell N from #. */
static ts_status claim_order(work *w, ts_error *error)
{
    const ts_spread *slope = w->full ? w->angle : w->wedge;
    for (int k = 1; k < KINDS; k++) {
        const ts_spread *a = &slope[k - 1], *b = &slope[k];
        if (w->got[k - 1] == 0 || w->got[k] == 0)
            continue;
        const double chance = w->full ? 0 : 2 * hypot(a->error, b->error);
        TS_TRY(ts_claim_at_least(w->study, b->mean - a->mean, chance, "°", error,
                                 "%s: %s above %s by (%.1f ± %.1f° over %.1f ± %.1f°, %d seeds)",
                                 w->full ? "angle of repose" : "slope by the centre of mass", sign[k], sign[k - 1],
                                 b->mean, b->error, a->mean, a->error, w->got[k]));
    }
    return TS_OK;
}

static ts_status claim_front(work *w, ts_error *error)
{
    for (int k = 0; k < 2; k++)
        for (int m = 2; m < KINDS; m++)
            if (w->got[k] > 0 && w->got[m] > 0)
                TS_TRY(ts_claim_at_least(w->study, w->front[k].mean - w->front[m].mean, 0, "1", error,
                                         "density of the falling front over that of the column: %s above %s by (%.3f ± "
                                         "%.3f over %.3f ± %.3f)",
                                         sign[k], sign[m], w->front[k].mean, w->front[k].error, w->front[m].mean,
                                         w->front[m].error));
    return TS_OK;
}

static ts_status claim_learned(work *w, ts_error *error)
{
    for (int k = 1; k < KINDS; k++) {
        int above = w->tables + k, below = above - 1;
        if (ran(w, below) && ran(w, above))
            TS_TRY(ts_claim_at_least(w->study, (w->found[above].angle - w->found[below].angle) / DEGREE, 0, "°", error,
                                     "angle of repose with 5×64 networks: %s above %s by (%.1f° over %.1f°)", sign[k],
                                     sign[k - 1], w->found[above].angle / DEGREE, w->found[below].angle / DEGREE));
    }
    for (int k = 0; k < KINDS; k++) {
        const ts_collapse *c = &w->found[w->tables + k];
        if (ran(w, w->tables + k))
            TS_TRY(ts_claim_at_most(w->study, (double)c->overlaps.through, 0, "1", error,
                                    "%s, 5×64 networks: pairs pushed half-way through each other at the end (angle "
                                    "%.1f°, speed %.2g √(g m))",
                                    sign[k], c->angle / DEGREE, c->speed));
    }
    return TS_OK;
}

/* Of all runs: grains that came to rest, and none that went through another. */
static ts_status claim_sound(work *w, ts_error *error)
{
    size_t through = 0, pairs = 0;
    double depth = 0, count = 0;
    for (int i = 0; i < w->tables; i++)
        if (ran(w, i)) {
            through += w->found[i].overlaps.through;
            pairs += w->found[i].overlaps.pairs;
            depth += w->found[i].overlaps.mean_depth;
            count++;
        }
    for (int k = 0; k < KINDS; k++) {
        double most = 0;
        for (int i = k; i < w->tables; i += KINDS)
            most = fmax(most, ran(w, i) ? w->found[i].speed : 0);
        if (w->got[k] > 0)
            TS_TRY(ts_claim_at_most(w->study, most, 0.1, "√(g m)", error, "%s: speed that is left, root mean square",
                                    sign[k]));
    }
    if (count == 0)
        return TS_OK;
    return ts_claim_at_most(
        w->study, (double)through, 0, "1", error,
        "pairs pushed half-way through each other at the end (of %zu that overlap, by %.2g m in the "
        "mean)",
        pairs, depth / count);
}

/* ---- Figures ---- */

static ts_status write_table(work *w, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(w->study, "column-collapse.csv", &draft, error));
    fprintf(draft.stream, "run,angle_deg,wedge_deg,column_density,front_density,front_solid,reach,speed,mean_overlap,"
                          "maps_seconds,seconds,steps,queries_per_step\n");
    for (int i = 0; i < w->count; i++) {
        const ts_collapse *c = &w->found[i];
        const ts_cem_run *r = &w->run[i];
        if (!ts_cem_ran(r, 1))
            continue;
        fprintf(draft.stream, "%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.3f,%.3f,%.0f,%.6g\n", r->name,
                c->angle / DEGREE, c->wedge / DEGREE, c->column, c->front, c->solid, c->reach, c->speed,
                c->overlaps.mean_depth, r->prepared, r->seconds, r->steps, r->queries_per_step);
    }
    return ts_study_sheet_close(w->study, &draft, error);
}

/* The surface at the end, the mean over seeds; what is bare counts as floor. */
static ts_status profile_of(const work *w, int k, double x[PROFILE], double y[PROFILE], ts_error *error)
{
    ts_region region = {0, 0, w->plan.far, 1000, 0, 0};
    ts_pile_column column[PROFILE];
    for (int i = 0; i < PROFILE; i++) {
        x[i] = w->plan.far * (i + 0.5) / PROFILE;
        y[i] = 0;
    }
    for (int run = k; run < w->tables; run += KINDS) {
        TS_AUTO(ts_cem_look_end) ts_cem_look look = {0};
        if (!ran(w, run))
            continue;
        TS_TRY(ts_cem_look_at(&w->run[run], TS_NONE, &look, error));
        TS_TRY(ts_measure_pile(&look.snapshot, &(ts_bins){&region, PROFILE, true}, column, error));
        for (int i = 0; i < PROFILE; i++)
            y[i] += isnan(column[i].mean) ? 0 : column[i].mean * column[i].cover / w->got[k];
    }
    return TS_OK;
}

static ts_status plot_profiles(work *w, ts_error *error)
{
    double x[KINDS][PROFILE], y[KINDS][PROFILE];
    ts_plot_line line[KINDS];
    size_t lines = 0;
    for (int k = 0; k < KINDS; k++)
        if (w->got[k] > 0) {
            TS_TRY(profile_of(w, k, x[k], y[k], error));
            line[lines++] = (ts_plot_line){sign[k], x[k], y[k], PROFILE, false};
        }
    if (lines == 0)
        return TS_OK;
    ts_plot plot = {"What is left of a column", "x [m]", "height [m], mean over seeds", false, line, lines};
    return ts_figure_plot(w->study, &plot, "profiles", error);
}

/* Like Fig. 4: each grain before, during and after. */
static ts_status draw(work *w, ts_error *error)
{
    const double time[3] = {w->plan.opens, w->plan.falling, TS_NONE};
    ts_cem_panel panel[3 * KINDS], last[KINDS];
    ts_box view = {-2, -2, w->plan.far + 2, w->full ? 134 : 29};
    for (int k = 0; k < KINDS; k++) {
        int shown =
            w->full && !ran(w, k) && ran(w, w->tables + k) ? w->tables + k : k; /* by networks, for want of tables */
        for (int t = 0; t < 3; t++)
            panel[3 * k + t] = (ts_cem_panel){&w->run[shown], time[t], sign[k]};
        last[k] = panel[3 * k + 2];
    }
    ts_cem_figure figure = {"column-collapse", "Columns of grains collapse", panel, 3, KINDS, view, 1600};
    ts_cem_figure film = {"column-collapse", "Columns of grains collapse", last, 2, 2, view, 0};
    TS_TRY(ts_cem_draw(w->study, &figure, error));
    return w->full ? ts_cem_film(w->study, &film, error) : TS_OK;
}

ts_status ts_study_column_collapse(ts_study *study, ts_error *error)
{
    work w = {.study = study, .full = ts_study_full(study), .seeds = ts_study_full(study) ? SEEDS_FULL : SEEDS_MAX};
    w.plan = w.full ? full_plan : quick_plan;
    TS_TRY(run_all(&w, error));
    average(&w);
    TS_TRY(claim_order(&w, error));
    TS_TRY(claim_front(&w, error));
    TS_TRY(claim_sound(&w, error));
    TS_TRY(plot_profiles(&w, error));
    if (w.full)
        TS_TRY(claim_learned(&w, error));
    TS_TRY(write_table(&w, error));
    return draw(&w, error);
}
