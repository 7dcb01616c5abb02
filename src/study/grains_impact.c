/* SPDX-License-Identifier: MIT */
/* grains-impact: columns of # and of octagons lose a wall, once by impulses (Generalized Reflections, in steps of 1/240
 * s) and once by springs: the same grains in the same places, the same friction and restitution. What is left is
 * compared, as in maps-matter. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/order.h"
#include "study/cem_walk.h"
#include "study/pile_measures.h"
#include "study/studies.h"

#define SHAPES     2
#define LAWS       2
#define SEEDS_MAX  16 /* of a quick study */
#define SEEDS_FULL 6
#define RUNS_MAX   (SHAPES * LAWS * SEEDS_MAX)
#define DEGREE     (3.14159265358979323846 / 180)
#define BAR        0.16 /* thickness of a stroke of # [m] */
#define APART      7.0  /* that angles of the two laws may be [°] */

enum { OCTAGON, HASH };
enum { GR, PENALTY };

static const char *const grain[SHAPES] = {"octagon", "hash"};
static const char *const sign[SHAPES] = {"octagons", "#"};
static const char *const law[LAWS] = {"gr", "penalty"};

/* Friction, restitution and density stay the scene's. Octagons roll for a while. */
#define REST "duration=12"
static const char *const springs[] = {REST};
static const char *const impulses[] = {REST,
                                       "dynamics.kind=\"impact\"",
                                       "dynamics.operator=\"gr\"",
                                       "time_step=0.004166666666666667",
                                       "dynamics.sweeps=50",
                                       "dynamics.places=\"map\""};

/* What is read off all frames of a run. */
typedef struct watch {
    double first, last; /* energy of motion and height, at the beginning and at the end [J] */
    double least;       /* so far */
    double growth;      /* the most by which it was above an earlier one [J] */
    size_t outside;     /* grains below the floor or behind the wall, in the worst frame */
} watch;

typedef struct work {
    ts_study *study;
    bool full;
    int seeds;
    ts_cem_run run[RUNS_MAX]; /* by seed, shape, law: see of() */
    ts_collapse found[RUNS_MAX];
    ts_cem_overlaps worst[RUNS_MAX];
    watch seen[RUNS_MAX];
    ts_spread angle[SHAPES][LAWS]; /* [°] */
} work;

static int of(int seed, int shape, int which)
{
    return (seed * SHAPES + shape) * LAWS + which;
}

static int run_count(const work *w)
{
    return SHAPES * LAWS * w->seeds;
}

/* A full study's scene has time enough. */
static void override(const work *w, int which, ts_cem_wish *wish)
{
    size_t skip = w->full ? 1 : 0;
    wish->override = (which == GR ? impulses : springs) + skip;
    wish->override_count = (which == GR ? sizeof impulses / sizeof *impulses : sizeof springs / sizeof *springs) - skip;
}

static void plan_runs(work *w)
{
    for (int s = 0; s < w->seeds; s++)
        for (int g = 0; g < SHAPES; g++)
            for (int l = 0; l < LAWS; l++) {
                ts_cem_run *run = &w->run[of(s, g, l)];
                snprintf(run->name, sizeof run->name, "%s-%s-%d", grain[g], law[l], s + 1);
                run->wish = (ts_cem_wish){.scene = w->full ? "column-collapse" : "column-small",
                                          .grain = grain[g],
                                          .quick = true,
                                          .seed = ts_study_seed(w->study) + (uint64_t)s};
                override(w, l, &run->wish);
            }
}

/* ---- What is measured ---- */

static double energy_of(const ts_snapshot *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->body_count; i++) {
        const ts_snapshot_body *b = &s->body[i];
        if (!b->fixed)
            sum += b->mass * (0.5 * (b->velocity[0] * b->velocity[0] + b->velocity[1] * b->velocity[1]) -
                              s->gravity[0] * b->position[0] - s->gravity[1] * b->position[1]) +
                   0.5 * b->inertia[2][2] * b->spin[2] * b->spin[2];
    }
    return sum;
}

static ts_status look(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error)
{
    watch *seen = user;
    double energy = energy_of(now);
    size_t outside = 0;
    (void)error;
    if (!before)
        *seen = (watch){.first = energy, .least = energy};
    seen->growth = fmax(seen->growth, energy - seen->least);
    seen->least = fmin(seen->least, energy);
    seen->last = energy;
    /* floor and wall are grains whose centres lie 0.75 m beyond the axes: a centre that has come to theirs went in
     * between */
    for (size_t i = 0; i < now->body_count; i++)
        outside += !now->body[i].fixed && (now->body[i].position[1] < -0.75 || now->body[i].position[0] < -0.75);
    seen->outside = outside > seen->outside ? outside : seen->outside;
    return TS_OK;
}

static ts_status measure(work *w, ts_error *error)
{
    const ts_collapse_plan *plan = w->full ? &ts_collapse_quick : &ts_collapse_small;
    for (int i = 0; i < run_count(w); i++) {
        TS_TRY(ts_collapse_measure(&w->run[i], plan, &w->found[i], error));
        TS_TRY(ts_cem_worst_overlaps(&w->run[i], 4, &w->worst[i], error));
        TS_TRY(ts_cem_walk(&w->run[i], look, &w->seen[i], error));
    }
    for (int g = 0; g < SHAPES; g++)
        for (int l = 0; l < LAWS; l++) {
            double angle[SEEDS_MAX];
            for (int s = 0; s < w->seeds; s++)
                angle[s] = w->found[of(s, g, l)].angle / DEGREE;
            w->angle[g][l] = ts_spread_of(angle, (size_t)w->seeds);
        }
    return TS_OK;
}

/* ---- Claims ---- */

static ts_status claim_angles(work *w, ts_error *error)
{
    for (int g = 0; g < SHAPES; g++) {
        const ts_spread *a = &w->angle[g][GR], *b = &w->angle[g][PENALTY];
        ts_pooled pooled = ts_spread_pool(w->angle[g], LAWS, (size_t)w->seeds);
        TS_TRY(ts_claim_at_most(w->study, fabs(a->mean - b->mean), APART, "°", error,
                                "%s: angle of repose, impulses beside springs (%.1f ± %.1f° and %.1f ± %.1f°; %d "
                                "seeds, which differ by %.1f°: up to %.1f° would be chance)",
                                sign[g], a->mean, a->error, b->mean, b->error, w->seeds, pooled.deviation,
                                pooled.chance));
    }
    for (int l = 0; l < LAWS; l++) {
        const ts_spread *low = &w->angle[OCTAGON][l], *high = &w->angle[HASH][l];
        TS_TRY(ts_claim_at_least(w->study, high->mean - low->mean, 0, "°", error,
                                 "%s: angle of repose of # above that of octagons (%.1f ± %.1f° over %.1f ± %.1f°)",
                                 law[l], high->mean, high->error, low->mean, low->error));
    }
    return TS_OK;
}

/* The mean over seeds of the mean depth of pairs that overlap at the end [m]. */
static double mean_overlap(const work *w, int shape, int which)
{
    double sum = 0;
    for (int s = 0; s < w->seeds; s++)
        sum += w->found[of(s, shape, which)].overlaps.mean_depth;
    return sum / w->seeds;
}

static ts_status claim_overlaps(work *w, ts_error *error)
{
    size_t through = 0, outside = 0;
    double deepest = 0;
    for (int g = 0; g < SHAPES; g++)
        TS_TRY(ts_claim_at_most(w->study, mean_overlap(w, g, GR) / BAR, 0.02, "bar", error,
                                "%s, impulses: mean depth of true overlaps at the end, over a stroke of # (springs: "
                                "%.2g)",
                                sign[g], mean_overlap(w, g, PENALTY) / BAR));
    for (int s = 0; s < w->seeds; s++)
        for (int g = 0; g < SHAPES; g++) {
            const ts_cem_overlaps *worst = &w->worst[of(s, g, GR)];
            through += worst->through;
            outside += w->seen[of(s, g, GR)].outside;
            deepest = fmax(deepest, worst->depth);
        }
    TS_TRY(ts_claim_at_most(w->study, (double)through, 0, "1", error,
                            "impulses: pairs pushed half-way through each other, in any frame (deepest overlap %.2g of "
                            "a stroke)",
                            deepest / BAR));
    return ts_claim_at_most(w->study, (double)outside, 0, "1", error, "impulses: grains that got through the walls");
}

static ts_status claim_rest(work *w, ts_error *error)
{
    for (int g = 0; g < SHAPES; g++) {
        double growth = 0, speed[SEEDS_MAX];
        for (int s = 0; s < w->seeds; s++) {
            const watch *seen = &w->seen[of(s, g, GR)];
            growth = fmax(growth, seen->growth / (seen->first - seen->last));
            speed[s] = w->found[of(s, g, GR)].speed;
        }
        qsort(speed, (size_t)w->seeds, sizeof *speed, ts_ascending_f64);
        /* nothing but moving apart what overlaps can lift a grain */
        TS_TRY(ts_claim_at_most(w->study, growth, 1e-3, "1", error,
                                "%s, impulses: energy above an earlier frame's, over what is lost in all", sign[g]));
        /* half of the heaps or more lie still; now and then one slips once more, whenever one looks */
        TS_TRY(ts_claim_at_most(w->study, speed[w->seeds / 2], 0.05, "√(g m)", error,
                                "%s, impulses: speed that is left, root mean square, median of the seeds (most %.2g)",
                                sign[g], speed[w->seeds - 1]));
    }
    return TS_OK;
}

/* ---- Figures ---- */

static ts_status write_table(work *w, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(w->study, "grains-impact.csv", &draft, error));
    fprintf(draft.stream, "run,angle_deg,reach,speed,overlapping_pairs,mean_overlap,most_overlap,through,energy_growth,"
                          "seconds,steps\n");
    for (int i = 0; i < run_count(w); i++) {
        const ts_collapse *c = &w->found[i];
        const ts_cem_run *r = &w->run[i];
        fprintf(draft.stream, "%s,%.6g,%.6g,%.6g,%zu,%.6g,%.6g,%zu,%.3g,%.3f,%.0f\n", r->name, c->angle / DEGREE,
                c->reach, c->speed, c->overlaps.pairs, c->overlaps.mean_depth, w->worst[i].depth, w->worst[i].through,
                w->seen[i].growth / (w->seen[i].first - w->seen[i].last), r->seconds, r->steps);
    }
    return ts_study_sheet_close(w->study, &draft, error);
}

/* Both laws side by side, octagons above #. */
static ts_status draw(work *w, ts_error *error)
{
    ts_cem_panel panel[SHAPES * LAWS];
    char caption[SHAPES * LAWS][64];
    for (int i = 0; i < SHAPES * LAWS; i++) {
        snprintf(caption[i], sizeof caption[i], "%s, %s", sign[i / LAWS], law[i % LAWS]);
        panel[i] = (ts_cem_panel){&w->run[i], TS_NONE, caption[i]};
    }
    ts_box view = {-2, -2, w->full ? 97 : 40, w->full ? 33 : 17};
    ts_cem_figure figure = {
        "grains-impact", "What is left of a column, by impulses and by springs", panel, LAWS, SHAPES, view, 1600};
    TS_TRY(ts_cem_draw(w->study, &figure, error));
    return w->full ? ts_cem_film(w->study, &figure, error) : TS_OK;
}

ts_status ts_study_grains_impact(ts_study *study, ts_error *error)
{
    work w = {.study = study, .full = ts_study_full(study)};
    w.seeds = w.full ? SEEDS_FULL : SEEDS_MAX;
    plan_runs(&w);
    TS_TRY(ts_cem_runs(study, w.run, (size_t)run_count(&w), (double[2]){0, 0.95}, error));
    TS_TRY(measure(&w, error));
    TS_TRY(claim_angles(&w, error));
    TS_TRY(claim_overlaps(&w, error));
    TS_TRY(claim_rest(&w, error));
    TS_TRY(write_table(&w, error));
    return draw(&w, error);
}
