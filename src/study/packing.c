/* SPDX-License-Identifier: MIT */
/* packing: parts of a circle fall into a column; the farther they reach around, the less they nest, and the higher
 * it stands. */
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "study/cem_run.h"
#include "study/studies.h"

#define KINDS 4

static const char *const grain[KINDS] = {"arc-25", "arc-50", "arc-75", "arc-100"};
static const char *const percent[KINDS] = {"25 %", "50 %", "75 %", "100 %"};

/* A quick study's: fewer arcs, softer by as much as lets its steps be twice as long. */
static const char *const quick[] = {"generators[1].points=[[-0.75, -1.5], [-0.75, 30]]",
                                    "generators[1].count=21",
                                    "generators[2].points=[[15.75, -1.5], [15.75, 30]]",
                                    "generators[2].count=21",
                                    "generators[3].region.box=[0, 0, 15, 31]",
                                    "generators[3].count=120",
                                    "dynamics.stiffness=1.5e8",
                                    "time_step=2e-4",
                                    "duration=12",
                                    "map.error=0.005"};

/* What is read off one column. */
typedef struct column {
    ts_height height;
    double fraction; /* share of what is below the surface that arcs fill [1] */
    double speed;    /* root of the mean square, over √(g D), D the middle line's diameter [1] */
    ts_overlaps overlaps;
} column;

/* The inside of the column, as high as may be. */
static ts_region inside(const ts_study *study)
{
    return (ts_region){0, 0, ts_study_full(study) ? 33 : 15, 1000, 0, 0};
}

static ts_status measure(const ts_study *study, const ts_snapshot *s, column *to, ts_error *error)
{
    ts_region region = inside(study);
    ts_packing packing;
    double squares = 0, count = 0;
    TS_TRY(ts_measure_height(s, &(ts_bins){&region, 200, true}, 0, &to->height, error));
    TS_TRY(ts_measure_packing(s, &region, &packing, error));
    TS_TRY(ts_measure_overlaps(s, NULL, &to->overlaps, error));
    for (size_t i = 0; i < s->body_count; i++)
        if (!s->body[i].fixed) {
            squares +=
                s->body[i].velocity[0] * s->body[i].velocity[0] + s->body[i].velocity[1] * s->body[i].velocity[1];
            count++;
        }
    to->fraction = packing.grain_volume / ((region.x1 - region.x0) * to->height.surface);
    to->speed = sqrt(squares / count / (9.81 * 1.4));
    return TS_OK;
}

static ts_status claim(ts_study *study, const column *c, ts_error *error)
{
    for (int i = 1; i < KINDS; i++)
        TS_TRY(ts_claim_at_least(study, c[i].height.surface / c[i - 1].height.surface, 1.02, "1", error,
                                 "column of %s over that of %s: mean height (%.2f m over %.2f m; arcs fill %.0f %% and "
                                 "%.0f %% of it)",
                                 percent[i], percent[i - 1], c[i].height.surface, c[i - 1].height.surface,
                                 100 * c[i].fraction, 100 * c[i - 1].fraction));
    for (int i = 0; i < KINDS; i++) {
        TS_TRY(ts_claim_at_most(study, c[i].speed, 0.02, "√(g D)", error, "%s: speed that is left", percent[i]));
        TS_TRY(ts_claim_at_most(study, (double)c[i].overlaps.through, 0, "1", error,
                                "%s: pairs hooked through each other (of %zu that overlap, by %.2g of the bar's "
                                "thickness in the mean, by %.2g at most)",
                                percent[i], c[i].overlaps.pairs, c[i].overlaps.mean_depth / 0.14,
                                c[i].overlaps.most_depth / 0.14));
    }
    return TS_OK;
}

static ts_status write_table(ts_study *study, const ts_cem_run *run, const column *c, ts_error *error)
{
    ts_draft draft;
    TS_TRY(ts_study_sheet_open(study, "packing.csv", &draft, error));
    fprintf(draft.stream, "grain,surface,top,centre,fraction,speed,mean_overlap,most_overlap,maps_seconds,seconds,"
                          "steps,queries_per_step\n");
    for (int i = 0; i < KINDS; i++)
        fprintf(draft.stream, "%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.3f,%.3f,%.0f,%.6g\n", grain[i],
                c[i].height.surface, c[i].height.top, c[i].height.centre, c[i].fraction, c[i].speed,
                c[i].overlaps.mean_depth, c[i].overlaps.most_depth, run[i].prepared, run[i].seconds, run[i].steps,
                run[i].queries_per_step);
    return ts_study_sheet_close(study, &draft, error);
}

static ts_status draw(ts_study *study, const ts_cem_run *run, ts_error *error)
{
    ts_cem_panel panel[KINDS];
    bool full = ts_study_full(study);
    for (int i = 0; i < KINDS; i++)
        panel[i] = (ts_cem_panel){&run[i], TS_NONE, percent[i]};
    ts_cem_figure figure = {.file = "packing",
                            .title = "Parts of a circle pack",
                            .panel = panel,
                            .columns = KINDS,
                            .rows = 1,
                            .view = {-1.6, -1.6, full ? 34.6 : 16.6, full ? 99 : 30}};
    TS_TRY(ts_cem_draw(study, &figure, error));
    return full ? ts_cem_film(study, &figure, error) : TS_OK;
}

ts_status ts_study_packing(ts_study *study, ts_error *error)
{
    bool full = ts_study_full(study);
    ts_cem_run run[KINDS] = {0};
    column found[KINDS] = {0};
    for (int i = 0; i < KINDS; i++) {
        snprintf(run[i].name, sizeof run[i].name, "%s", grain[i]);
        run[i].wish = (ts_cem_wish){.scene = "packing",
                                    .grain = grain[i],
                                    .quick = !full,
                                    .seed = ts_study_seed(study),
                                    .override = full ? NULL : quick,
                                    .override_count = full ? 0 : sizeof quick / sizeof *quick};
    }
    TS_TRY(ts_cem_runs(study, run, KINDS, (double[2]){0, 0.95}, error));
    for (int i = 0; i < KINDS; i++) {
        TS_AUTO(ts_cem_look_end) ts_cem_look look = {0};
        TS_TRY(ts_cem_look_at(&run[i], TS_NONE, &look, error));
        TS_TRY(measure(study, &look.snapshot, &found[i], error));
    }
    TS_TRY(claim(study, found, error));
    TS_TRY(write_table(study, run, found, error));
    return draw(study, run, error);
}
