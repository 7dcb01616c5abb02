/* SPDX-License-Identifier: MIT */
/* The study `pool-break`: a rack of 55 balls and a cue ball on its axis, elastic, for ten seconds (Smith et al. 2012,
 * Fig. 5). The start is its own mirror image to the last bit; what is not at the end is the operator's doing. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/balls.h"
#include "study/studies.h"

#define RUNS   4
#define STEPS  100
#define RADIUS 0.500001 /* a hair over contact, so that neighbours count as touching */
TS_RELEASE_EACH(ts_balls, RUNS, ts_balls_close)

static const char *const by[RUNS] = {"gr", "gauss-seidel", "lcp", "jacobi"};

static ts_status build(ts_balls *balls, const char *name, ts_error *error)
{
    TS_TRY(ts_balls_open(balls, &(ts_balls_wish){.by = name, .restitution = 1, .step = 0.1, .radius = RADIUS}, error));
    TS_TRY(ts_balls_add(balls, -4, 0, 1, 0, error));
    for (int row = 0; row < 10; row++)
        for (int i = 0; i <= row; i++) {
            TS_TRY(ts_balls_add(balls, row * 0.8660254037844387, 0.5 * row - i, 0, 0, error));
            balls->kind.item[balls->count - 1] = 1 + row % 5;
        }
    TS_TRY(ts_balls_start(balls, error));
    ts_balls_mirror(balls, false);
    return TS_OK;
}

typedef struct outcome {
    double asymmetry; /* at the end, in radii */
    double energy;    /* farthest from the start, as a share */
} outcome;

static ts_status run(ts_balls *balls, const char *name, outcome *out, ts_error *error)
{
    TS_TRY(build(balls, name, error));
    double first = ts_balls_kinetic(balls);
    for (int k = 0; k < STEPS && balls->stopped == TS_OK; k++) {
        TS_TRY(ts_balls_shoot(balls, error));
        TS_TRY(ts_balls_step(balls, 1, error));
        out->energy = fmax(out->energy, fabs(ts_balls_kinetic(balls) / first - 1));
    }
    out->asymmetry = ts_balls_asymmetry(balls, false) / RADIUS;
    return ts_balls_shoot(balls, error);
}

static ts_status claim(ts_study *study, const outcome *out, ts_error *error)
{
    TS_TRY(ts_claim_at_most(study, out[0].asymmetry, 1e-6, "radii", error,
                            "gr: farthest from its mirror image after 10 s"));
    TS_TRY(ts_claim_at_least(study, out[1].asymmetry, 0.1, "radii", error,
                             "gauss-seidel: farthest from its mirror image after 10 s"));
    for (int i = 0; i < 2; i++)
        TS_TRY(ts_claim_at_most(study, out[i].energy, 1e-12, "1", error, "%s: change of energy, as a share", by[i]));
    return ts_claim_at_least(study, out[3].energy, 0.01, "1", error, "jacobi: change of energy, as a share");
}

static ts_status draw(ts_study *study, const ts_balls *balls, ts_error *error)
{
    ts_balls_panel panel[RUNS];
    for (int i = 0; i < RUNS; i++)
        panel[i] = (ts_balls_panel){&balls[i], balls[i].shot_time.count - 1, by[i], TS_BALLS_PLAIN};
    ts_balls_figure figure = {.file = "pool-break",
                              .title = "A pool break",
                              .panel = panel,
                              .columns = 2,
                              .rows = 2,
                              .view = {-5, -8, 12, 8}};
    TS_TRY(ts_balls_draw(study, &figure, error));
    return ts_study_full(study) ? ts_balls_film(study, &figure, error) : TS_OK;
}

ts_status ts_study_pool_break(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_balls_close_each) ts_balls balls[RUNS] = {0};
    outcome out[RUNS] = {0};
    for (int i = 0; i < RUNS; i++) {
        ts_study_report(study, (double)i / RUNS, by[i]);
        TS_TRY(run(&balls[i], by[i], &out[i], error));
    }
    TS_TRY(claim(study, out, error));
    return draw(study, balls, error);
}
