/* SPDX-License-Identifier: MIT */
/* The study `matryoshka`: nested dolls fall on a table with a restitution of 0.8 (Smith et al. 2012, section 10.5, Fig.
 * 2). Each doll but the innermost is of two half shells that stand on each other, and the next stands on the floor of
 * its cavity. Reflections hand the blow on, so that halves and dolls part at the first impact; complementarity cannot
 * part what touches, and they rise as one.
 *
 * All parts are pressed into each other by a hair, so that they count as touching when the blow comes, and overlaps are
 * not corrected: otherwise they would be out of touch by then. A step is short enough that nothing goes from one side
 * of a cavity to the other in it. */
#include <stdio.h>

#include "base/memory.h"
#include "shape/mesh_make.h"
#include "shape/solid_mass.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/space_draw.h"
#include "study/space_run.h"
#include "study/studies.h"

#define RUNS   2
#define GR     0
#define LCP    1
#define DOLLS  4
#define BODIES (2 * DOLLS - 1) /* lower, upper, lower, upper, …, the innermost */
#define FALL   1.0             /* of the outermost's base [m] */
#define PRESS  2e-4            /* [m] */
#define STEP   0.005
#define STEPS  160

TS_RELEASE_EACH(ts_space_run, RUNS, ts_space_run_close)

static const char *const by[RUNS] = {"gr", "lcp"};
static const ts_doll doll = {.height = 1, .hollow = 0.75, .slack = 0.08, .cells = 12, .sectors = 16};

typedef struct outcome {
    double before;                    /* speed of the fall right before the blow [m/s] */
    double spread;                    /* of velocities right after it, largest less smallest [m/s] */
    double part[DOLLS - 1];           /* of these, upper half less lower half [m/s] */
    double bounce;                    /* mean velocity upwards right after it, by mass [m/s] */
    double gap[DOLLS - 1];            /* largest between halves, in heights of the doll */
    double time[STEPS + 1];           /* [s] */
    double height[BODIES][STEPS + 1]; /* risen since the start [m] */
} outcome;

static const char *const part[BODIES] = {"1, lower", "1, upper", "2, lower", "2, upper", "3, lower", "3, upper", "4"};

static ts_status add_body(ts_space_run *run, const char *name, const ts_mesh *mesh, double seam, ts_error *error)
{
    ts_solid_mass mass;
    ts_body_def body = ts_default_body();
    TS_TRY(ts_solid_mass_of_mesh(mesh, &mass, error));
    TS_TRY(ts_space_rig_mesh(&run->rig, name, mesh, 0, &body.shape, error));
    body.position[2] = seam + mass.centre.z;
    return ts_scene_add_body(run->rig.scene, &body, NULL, error);
}

static ts_status build(ts_space_run *run, ts_error *error)
{
    double seam = 0;
    for (int i = 0; i < BODIES; i++) {
        const int number = i / 2;
        const bool upper = i % 2 == 1, whole = number == DOLLS - 1;
        TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
        TS_TRY(whole ? ts_mesh_make_doll_whole(&doll, number, &mesh, error)
                     : ts_mesh_make_doll(&doll, number, upper, &mesh, error));
        if (i == 0)
            seam = FALL - ts_mesh_bounds(mesh).low.z;
        else if (!upper)
            seam += ts_doll_drop(&doll, number) - PRESS;
        TS_TRY(add_body(run, part[i], mesh, upper ? seam - PRESS : seam, error));
    }
    return ts_space_run_floor(run, error);
}

/* Right after the blow. */
static void look(const ts_space_run *run, outcome *out)
{
    double low = (double)INFINITY, high = -low, mass = 0;
    for (size_t i = 0; i < BODIES; i++) {
        double own = ts_model_mass(run->rig.model, i), v = ts_space_run_body(run, i)->velocity[2];
        low = fmin(low, v);
        high = fmax(high, v);
        mass += own;
        out->bounce += own * v;
    }
    out->bounce = out->bounce / mass + 9.81 * STEP; /* a step of flight ago */
    out->spread = high - low;
    for (size_t n = 0; n < DOLLS - 1; n++)
        out->part[n] = ts_space_run_body(run, 2 * n + 1)->velocity[2] - ts_space_run_body(run, 2 * n)->velocity[2];
}

static ts_status run_one(ts_space_run *run, ts_study *study, const char *name, outcome *out, ts_error *error)
{
    const ts_space_wish wish = {
        .name = name,
        .rules = {.by = name, .restitution = 0.8, .uncorrected = true, .gravity = 9.81, .step = STEP},
        .duration = STEP * STEPS,
        .frame = 2 * STEP};
    double start[BODIES];
    bool struck = false;
    TS_TRY(ts_space_run_open(run, study, &wish, error));
    TS_TRY(build(run, error));
    TS_TRY(ts_space_run_start(run, error));
    for (size_t i = 0; i < BODIES; i++)
        start[i] = ts_space_run_body(run, i)->position[2];
    for (int k = 1; k <= STEPS; k++) {
        double falls = -ts_space_run_body(run, 0)->velocity[2];
        TS_TRY(ts_space_run_step(run, 1, error));
        if (run->stop.status != TS_OK)
            return ts_fail(error, TS_DIVERGED, "%s: %s", name, run->stop.why);
        if (!struck && ts_space_run_body(run, 0)->velocity[2] > 0) {
            struck = true;
            out->before = falls;
            look(run, out);
        }
        out->time[k] = STEP * k;
        for (size_t i = 0; i < BODIES; i++)
            out->height[i][k] = ts_space_run_body(run, i)->position[2] - start[i];
        for (int n = 0; n < DOLLS - 1; n++)
            out->gap[n] = fmax(out->gap[n], (out->height[2 * n + 1][k] - out->height[2 * n][k]) /
                                                (doll.height * ts_doll_size(&doll, n)));
    }
    return ts_space_run_finish(run, error);
}

static ts_status claim(ts_study *study, const outcome *out, ts_error *error)
{
    TS_TRY(ts_claim_near(study, out[LCP].bounce / out[LCP].before, 0.8, 1e-9, "1", error,
                         "lcp: mean velocity, over the fall's"));
    TS_TRY(ts_claim_at_most(study, out[LCP].spread / out[LCP].before, 1e-9, "1", error,
                            "lcp: spread of velocities, over the fall's"));
    for (int n = 0; n < DOLLS - 1; n++)
        TS_TRY(ts_claim_at_most(study, out[LCP].gap[n], 1e-9, "heights", error, "lcp: doll %d opens by", n + 1));
    for (int n = 0; n < DOLLS - 1; n++)
        TS_TRY(ts_claim_at_least(study, out[GR].part[n] / out[GR].before, 0.1, "1", error,
                                 "gr: halves of doll %d part, over the fall's", n + 1));
    for (int n = 0; n < DOLLS - 1; n++)
        TS_TRY(ts_claim_at_least(study, out[GR].gap[n], 0.5, "heights", error, "gr: doll %d opens by", n + 1));
    return TS_OK;
}

static ts_status draw(ts_study *study, const ts_space_run *run, const outcome *out, ts_error *error)
{
    for (int i = 0; i < RUNS; i++) {
        ts_plot_line line[BODIES];
        char file[64], title[64];
        for (size_t b = 0; b < BODIES; b++)
            line[b] = (ts_plot_line){part[b], out[i].time, out[i].height[b], STEPS + 1, false};
        snprintf(file, sizeof file, "matryoshka-%s", by[i]);
        snprintf(title, sizeof title, "Nested dolls, by %s", by[i]);
        TS_TRY(ts_figure_plot(study, &(ts_plot){title, "time [s]", "height over the start [m]", false, line, BODIES},
                              file, error));
    }
    const double at[3] = {0, 0.52, STEP * STEPS};
    ts_space_panel panel[6];
    for (int i = 0; i < 6; i++)
        panel[i] = (ts_space_panel){.folder = run[i / 3].folder, .time = at[i % 3], .label = by[i / 3]};
    ts_space_figure figure = {
        .file = "matryoshka", .title = "Nested dolls fall on a table", .panel = panel, .columns = 3, .rows = 2};
    TS_TRY(ts_space_draw(study, &figure, error));
    if (!ts_study_full(study))
        return TS_OK;
    panel[1] = panel[3];
    figure.columns = 2;
    figure.rows = 1;
    return ts_space_film(study, &figure, error);
}

ts_status ts_study_matryoshka(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_space_run_close_each) ts_space_run run[RUNS] = {0};
    TS_AUTO_FREE outcome *out = NULL;
    TS_TRY(ts_new(&out, RUNS, error));
    for (int i = 0; i < RUNS; i++) {
        ts_study_report(study, (double)i / RUNS, by[i]);
        TS_TRY(run_one(&run[i], study, by[i], &out[i], error));
    }
    TS_TRY(claim(study, out, error));
    return draw(study, run, out, error);
}
