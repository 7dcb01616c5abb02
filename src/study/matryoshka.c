/* SPDX-License-Identifier: MIT */
/* The study `matryoshka`: nested dolls fall on a table with a restitution of 0.8 (Smith et al. 2012, section 10.5, Fig. 2). Each doll but the
 * innermost is of two half shells that stand on each other, and the next stands on the floor of its cavity. Reflections hand the blow on, so that
 * halves and dolls part at the first impact; complementarity cannot part what touches, and they rise as one. */
#include <stdio.h>
#include <stdlib.h>

#include "shape/mesh_make.h"
#include "shape/solid_mass.h"
#include "base/clock.h"
#include "study/plot.h"
#include "study/space_run.h"
#include "study/studies.h"

#define RUNS   2
#define DOLLS  4
#define BODIES (2 * DOLLS - 1) /* lower, upper, lower, upper, …, the innermost */
#define FALL   1.0             /* of the outermost's base [m] */
#define STEP  env("STEP", 0.01)
#define STEPS  (1.2/STEP)

static const char *const by[RUNS] = {"gr", "lcp"};
static double env(const char *n, double d) { const char *t = getenv(n); return t ? atof(t) : d; }

static ts_status add_body(ts_space_run *run, const ts_mesh *mesh, double seam, int cells, ts_error *error)
{
    ts_solid_mass mass;
    ts_body3_def body = ts_default_body3();
    TS_TRY(ts_solid_mass_of_mesh(mesh, &mass, error));
    TS_TRY(ts_space_run_mesh(run, mesh, cells, &body.solid, error));
    body.position[2] = seam + mass.centre.z;
    return ts_scene_add_body3(run->rig.scene, &body, NULL, error);
}

static ts_status build(ts_space_run *run, ts_error *error)
{
    const ts_doll doll = {.height = 1, .hollow = env("HOLLOW", 0.75), .cells = (int)env("CELLS", 12), .sectors = (int)env("SECT", 16), .slack = env("SLACK", 0.08)};
    const double press = env("PRESS", 1e-3);
    double seam = 0;
    for (int i = 0; i < BODIES; i++) {
        const int number = i / 2;
        const bool upper = i % 2 == 1;
        ts_mesh *mesh = NULL;
        if (number == DOLLS - 1)
            TS_TRY(ts_mesh_make_doll_whole(&doll, number, &mesh, error));
        else
            TS_TRY(ts_mesh_make_doll(&doll, number, upper, &mesh, error));
        if (i == 0)
            seam = FALL - ts_mesh_bounds(mesh).low.z;
        else if (!upper)
            seam += ts_doll_drop(&doll, number) - press;
        ts_status status = add_body(run, mesh, upper ? seam - press : seam, (int)env("FIELD", 64), error);
        ts_mesh_free(mesh);
        TS_TRY(status);
    }
    ts_wall3_def table = ts_default_wall3();
    table.kind = TS_WALL3_PLANE;
    return ts_scene_add_wall3(run->rig.scene, &table, NULL, error);
}

static ts_status run_one(ts_space_run *run, ts_study *study, const char *name, ts_error *error)
{
    const ts_space_wish wish = {.name = name,
                                .by = name,
                                .restitution = 0.8,
.uncorrected = true,
                                .gravity = -9.81,
                                .step = STEP,
                                .duration = STEP * STEPS,
                                .frame = STEP};
    TS_TRY(ts_space_run_open(run, study, &wish, error));
    TS_TRY(build(run, error));
    TS_TRY(ts_space_run_start(run, error));
    const ts_contact3 *c; size_t n;
    TS_TRY(ts_find_contacts3(run->rig.model, run->rig.state, run->rig.work, &c, &n, error));
    double least[BODIES][BODIES]={0}; int cnt[BODIES][BODIES]={0};
    for (size_t k=0;k<n;k++) if (c[k].a>=0) { cnt[c[k].a][c[k].b]++; if (c[k].gap<least[c[k].a][c[k].b]) least[c[k].a][c[k].b]=c[k].gap; }
    for (int i=0;i<BODIES;i++) for(int j=0;j<BODIES;j++) if(cnt[i][j]) fprintf(stderr,"pair %d %d: %d deepest %g\n",i,j,cnt[i][j],least[i][j]);
    for (int k = 0; k < STEPS && run->stopped == TS_OK; k++) {
        double since = ts_clock_seconds();
        TS_TRY(ts_space_run_step(run, 1, error));
        if (ts_clock_seconds() - since > 0.5) fprintf(stderr, "step %d took %.2f\n", k, ts_clock_seconds() - since);
        if (ts_state_time(run->rig.state)>0.435 && ts_state_time(run->rig.state)<env("LAST",0.5)) {
        fprintf(stderr, "%s %.2f:", name, ts_state_time(run->rig.state));
        for (size_t i = 0; i < BODIES; i++)
            fprintf(stderr, " %.3f", ts_space_run_body(run, i)->velocity[2]);
        fprintf(stderr, "\n");}
    }
    fprintf(stderr, "stopped %d: %s\n", run->stopped, run->why);
    return TS_OK;
}

ts_status ts_study_matryoshka(ts_study *study, ts_error *error)
{
    ts_space_run run[RUNS] = {0};
    ts_status status = TS_OK;
    for (int i = 0; i < RUNS && status == TS_OK; i++) {
        ts_study_report(study, (double)i / RUNS, by[i]);
        status = run_one(&run[i], study, by[i], error);
    }
    for (int i = 0; i < RUNS; i++)
        ts_space_run_close(&run[i]);
    return status;
}
