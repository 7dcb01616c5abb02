/* SPDX-License-Identifier: MIT */
/* The study `box-drop`: a cube falls flat on a floor, elastically (Smith et al. 2012, Fig. 1). Its four corners strike
 * at the same instant. Struck together they send it straight up; struck one after the other, the first one turns it. A
 * second cube is turned about the vertical, so that no number is round. */
#include "base/memory.h"
#include "study/space_draw.h"
#include "study/space_run.h"
#include "study/studies.h"

#define RUNS   4
#define SIDE   1.0
#define HEIGHT 1.0 /* of its lower face above the floor [m] */
TS_RELEASE_EACH(ts_space_run, RUNS, ts_space_run_close)

static const char *const name[RUNS] = {"gr", "gauss-seidel", "lcp", "gr-turned"};
static const char *const by[RUNS] = {"gr", "gauss-seidel", "lcp", "gr"};
static const double turned[RUNS] = {0, 0, 0, 0.3}; /* about the vertical [rad] */

typedef struct outcome {
    int bounces;   /* from down to up */
    double lowest; /* height of its lowest corner [m] */
    double spin;   /* fastest [rad/s] */
    double aside;  /* farthest from the vertical through its start [m] */
} outcome;

static double lowest_corner(const ts_body3 *b)
{
    ts_mat3 r = ts_quat_to_matrix((ts_quat){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]});
    return b->position[2] - 0.5 * SIDE * (fabs(r.m[2][0]) + fabs(r.m[2][1]) + fabs(r.m[2][2]));
}

static ts_status run_one(ts_space_run *run, ts_study *study, int which, outcome *out, ts_error *error)
{
    const double duration = ts_study_full(study) ? 100 : 10, step = 0.01;
    TS_TRY(
        ts_space_run_open(run, study,
                          &(ts_space_wish){.name = name[which],
                                           .rules = {.by = by[which], .restitution = 1, .gravity = 9.81, .step = step},
                                           .duration = duration,
                                           .frame = 0.05},
                          error));
    TS_TRY(ts_space_run_cube(run, SIDE, error));
    ts_body_def body = ts_default_body();
    body.position[2] = 0.5 * SIDE + HEIGHT;
    body.attitude[0] = cos(0.5 * turned[which]);
    body.attitude[3] = sin(0.5 * turned[which]);
    TS_TRY(ts_scene_add_body(run->rig.scene, &body, NULL, error));
    TS_TRY(ts_space_run_floor(run, error));
    TS_TRY(ts_space_run_start(run, error));
    out->lowest = HEIGHT;
    for (int k = 0; k < (int)lround(duration / step) && run->stop.status == TS_OK; k++) {
        double v[6], *spin = v + 3, before = ts_space_run_body(run, 0)->velocity[2];
        TS_TRY(ts_space_run_step(run, 1, error));
        TS_TRY(ts_state_velocity(run->rig.state, 0, v, error));
        const ts_body3 *b = ts_space_run_body(run, 0);
        out->spin = fmax(out->spin, hypot(hypot(spin[0], spin[1]), spin[2]));
        out->bounces += before < 0 && b->velocity[2] > 0;
        out->lowest = fmin(out->lowest, lowest_corner(b));
        out->aside = fmax(out->aside, hypot(b->position[0], b->position[1]));
    }
    return ts_space_run_finish(run, error);
}

static ts_status claim(ts_study *study, const ts_space_run *run, const outcome *out, ts_error *error)
{
    for (int i = 0; i < RUNS; i++)
        TS_TRY(ts_space_run_claim_end(study, &run[i], error));
    /* a fall of 1 m takes 0.45 s */
    TS_TRY(ts_claim_at_least(study, out[0].bounces, floor(run[0].wish.duration), "1", error, "gr: bounces"));
    TS_TRY(ts_claim_at_least(study, out[0].lowest, -1e-9, "m", error, "gr: lowest height of a corner"));
    TS_TRY(ts_claim_at_most(study, out[0].spin, 1e-9, "rad/s", error, "gr: fastest spin"));
    TS_TRY(ts_claim_at_most(study, out[3].spin, 1e-9, "rad/s", error, "gr, turned by 0.3 rad: fastest spin"));
    TS_TRY(
        ts_claim_at_most(study, fmax(out[0].aside, out[3].aside), 1e-9, "m", error, "gr: farthest from the vertical"));
    TS_TRY(ts_claim_at_least(study, out[1].spin, 0.1, "rad/s", error, "gauss-seidel: fastest spin"));
    TS_TRY(ts_claim_at_most(study, out[2].spin, 1e-9, "rad/s", error, "lcp: fastest spin"));
    for (int i = 0; i < RUNS; i++)
        TS_TRY(ts_claim_at_most(study, ts_space_run_drift(&run[i], run[i].wish.duration), 1e-10, "1", error,
                                "%s: change of energy, as a share", name[i]));
    return TS_OK;
}

static ts_status draw(ts_study *study, const ts_space_run *run, ts_error *error)
{
    const double at[4] = {0, 0.45, 0.8, 1.1};
    ts_space_panel panel[8];
    for (int i = 0; i < 8; i++)
        panel[i] = (ts_space_panel){.folder = run[i / 4].folder, .time = at[i % 4], .label = name[i / 4]};
    return ts_space_draw(
        study,
        &(ts_space_figure){
            .file = "box-drop", .title = "A cube falls flat on a floor", .panel = panel, .columns = 4, .rows = 2},
        error);
}

ts_status ts_study_box_drop(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_space_run_close_each) ts_space_run run[RUNS] = {0};
    outcome out[RUNS] = {0};
    for (int i = 0; i < RUNS; i++) {
        ts_study_report(study, (double)i / RUNS, name[i]);
        TS_TRY(run_one(&run[i], study, i, &out[i], error));
    }
    TS_TRY(claim(study, run, out, error));
    return draw(study, run, error);
}
