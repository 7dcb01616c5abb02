/* SPDX-License-Identifier: MIT */
/* one-heap: the same grains in the same places fall into a column and lose its wall, under every dynamics, with nothing
 * set but friction and restitution. What is left is compared, and drawn side by side. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "study/cem_walk.h"
#include "study/pile_measures.h"
#include "study/studies.h"

#define STROKE 0.16 /* thickness of a bar of # [m] */
#define DEGREE (3.14159265358979323846 / 180)

enum { KINDS = 3 };
static const char *const kind[KINDS] = {"penalty", "impact", "soft-step"};

#define DEFAULTS(kind) \
    "duration=14", "time_step=\"auto\"", "dynamics={\"kind\": \"" kind "\", \"friction\": 0.4, \"restitution\": 0.2}"
static const char *const chosen[KINDS][3] = {{DEFAULTS("penalty")}, {DEFAULTS("impact")}, {DEFAULTS("soft-step")}};

typedef struct work {
    ts_study *study;
    ts_cem_run run[KINDS];
    ts_collapse found[KINDS];
    ts_cem_overlaps worst[KINDS];
} work;

static ts_status claim(work *w, ts_error *error)
{
    for (int k = 0; k < KINDS; k++) {
        const ts_collapse *c = &w->found[k];
        TS_TRY(ts_claim_at_most(w->study, c->overlaps.mean_depth / STROKE, 0.02, "bar", error,
                                "%s: mean depth of true overlaps at the end (in %zu pairs)", kind[k],
                                c->overlaps.pairs));
        TS_TRY(ts_claim_at_most(w->study, (double)w->worst[k].through, 0, "1", error,
                                "%s: pairs pushed half-way through each other, in any frame", kind[k]));
        TS_TRY(ts_claim_at_most(w->study, c->speed, 0.01, "√(g m)", error,
                                "%s: speed that is left, root mean square (slope %.0f°)", kind[k], c->angle / DEGREE));
    }
    return TS_OK;
}

static ts_status write_table(work *w, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(w->study, "one-heap.csv", &draft, error));
    fprintf(draft.stream,
            "dynamics,slope_deg,speed,overlapping_pairs,mean_overlap_m,largest_overlap_m,seconds,steps\n");
    for (int k = 0; k < KINDS; k++) {
        const ts_collapse *c = &w->found[k];
        fprintf(draft.stream, "%s,%.6g,%.6g,%zu,%.6g,%.6g,%.3f,%.0f\n", kind[k], c->angle / DEGREE, c->speed,
                c->overlaps.pairs, c->overlaps.mean_depth, w->worst[k].depth, w->run[k].seconds, w->run[k].steps);
    }
    return ts_study_sheet_close(w->study, &draft, error);
}

static ts_status draw(work *w, ts_error *error)
{
    ts_cem_panel panel[KINDS];
    char caption[KINDS][80];
    for (int k = 0; k < KINDS; k++) {
        snprintf(caption[k], sizeof caption[k], "%s: %.0f steps", kind[k], w->run[k].steps);
        panel[k] = (ts_cem_panel){&w->run[k], TS_NONE, caption[k]};
    }
    const ts_cem_figure figure = {"one-heap", "One heap under every dynamics", panel, KINDS, 1, {-1.5, -1.5, 24, 11},
                                  1600};
    return ts_cem_draw(w->study, &figure, error);
}

ts_status ts_study_one_heap(ts_study *study, ts_error *error)
{
    work w = {.study = study};
    for (int k = 0; k < KINDS; k++) {
        snprintf(w.run[k].name, sizeof w.run[k].name, "%s", kind[k]);
        w.run[k].wish = (ts_cem_wish){.scene = "column-small",
                                      .grain = "hash",
                                      .quick = !ts_study_full(study),
                                      .seed = ts_study_seed(study),
                                      .override = chosen[k],
                                      .override_count = 3};
    }
    TS_TRY(ts_cem_runs(study, w.run, KINDS, (double[2]){0, 0.9}, error));
    if (!ts_cem_ran(w.run, KINDS))
        return TS_OK;
    for (int k = 0; k < KINDS; k++) {
        TS_TRY(ts_collapse_measure(&w.run[k], &ts_collapse_small, &w.found[k], error));
        TS_TRY(ts_cem_worst_overlaps(&w.run[k], 4, &w.worst[k], error));
    }
    TS_TRY(claim(&w, error));
    TS_TRY(write_table(&w, error));
    return draw(&w, error);
}
