/* SPDX-License-Identifier: MIT */
/* The studies `four-balls` and `drum-energy`: elastic balls in a circular drum, without gravity, for a long time (Smith
 * et al. 2012, section 9, Fig. 7). */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "study/balls.h"
#include "study/figure.h"
#include "study/studies.h"

#define RUNS 4
static const char *const by[RUNS] = {"gr", "lcp", "gauss-seidel", "jacobi"};

TS_RELEASE_EACH(ts_balls, RUNS, ts_balls_close)

/* ---- Four balls ---- */

#define DRUM  4.0
#define SHOTS 400  /* of the picture, 40 s */
#define LONG  1000 /* steps that claims are about, 100 s */
#define STEPS \
    3000 /* of the plot: paths part from their images as any two near ones do, by a factor of ten in some 20 s */

typedef struct trace {
    double asymmetry; /* largest in LONG steps, in radii */
    double apart[STEPS + 1];
    double path;   /* of all balls together [m] */
    double energy; /* at the end over at the start */
} trace;

static ts_status four_start(ts_balls *balls, const char *name, ts_error *error)
{
    const double at = sqrt(2);
    TS_TRY(ts_balls_open(balls, &(ts_balls_wish){.by = name, .restitution = 1, .step = 0.1, .radius = 1}, error));
    TS_TRY(ts_balls_add(balls, 0, at, 0, 1, error));
    TS_TRY(ts_balls_add(balls, 0, -at, 0, 0, error));
    TS_TRY(ts_balls_add(balls, at, 0, 0, 0, error));
    TS_TRY(ts_balls_add(balls, -at, 0, 0, 0, error));
    for (int i = 0; i < 4; i++)
        balls->kind.item[i] = i < 2 ? i : 2;
    TS_TRY(ts_balls_drum(balls, DRUM, error));
    TS_TRY(ts_balls_start(balls, error));
    ts_balls_mirror(balls, true);
    return TS_OK;
}

static ts_status four_run(ts_balls *balls, const char *name, trace *out, ts_error *error)
{
    TS_TRY(four_start(balls, name, error));
    double first = ts_balls_kinetic(balls);
    TS_TRY(ts_balls_shoot(balls, error));
    for (int k = 0; k < STEPS && balls->stopped == TS_OK; k++) {
        TS_TRY(ts_balls_step(balls, 1, error));
        out->apart[k + 1] = ts_balls_asymmetry(balls, true);
        if (k < LONG)
            out->asymmetry = fmax(out->asymmetry, out->apart[k + 1]);
        for (size_t i = 0; i < 4; i++)
            out->path += 0.1 * hypot(ts_rig_body(&balls->rig, i)->vx, ts_rig_body(&balls->rig, i)->vy);
        if (k < SHOTS)
            TS_TRY(ts_balls_shoot(balls, error));
    }
    out->energy = ts_balls_kinetic(balls) / first;
    return TS_OK;
}

static ts_status four_draw(ts_study *study, const ts_balls *balls, ts_error *error)
{
    const ts_picture_wall drum = {.kind = TS_WALL_CIRCLE, .radius = DRUM};
    ts_balls_panel panel[RUNS];
    for (int i = 0; i < RUNS; i++)
        panel[i] = (ts_balls_panel){&balls[i], balls[i].shot_time.count - 1, by[i], TS_BALLS_TRACED};
    ts_balls_figure figure = {.file = "four-balls",
                              .title = "Four balls in a drum",
                              .panel = panel,
                              .columns = 2,
                              .rows = 2,
                              .view = {-4.2, -4.2, 4.2, 4.2},
                              .wall = &drum,
                              .wall_count = 1};
    TS_TRY(ts_balls_draw(study, &figure, error));
    return ts_study_full(study) ? ts_balls_film(study, &figure, error) : TS_OK;
}

static ts_status four_plot(ts_study *study, const trace *out, ts_error *error)
{
    static double time[STEPS + 1];
    ts_plot_line line[RUNS];
    for (int k = 0; k <= STEPS; k++)
        time[k] = 0.1 * k;
    for (int i = 0; i < RUNS; i++)
        line[i] = (ts_plot_line){by[i], time, out[i].apart, STEPS + 1, false};
    return ts_figure_plot(
        study, &(ts_plot){"Four balls in a drum", "time [s]", "farthest from the mirror image [m]", true, line, RUNS},
        "four-balls-asymmetry", error);
}

static ts_status four_claim(ts_study *study, const trace *out, ts_error *error)
{
    const double seconds = 0.1 * LONG;
    for (int i = 0; i < RUNS; i++)
        if (i == 2)
            TS_TRY(ts_claim_at_least(study, out[i].asymmetry, 0.1, "radii", error,
                                     "%s: farthest from its mirror image in %g s", by[i], seconds));
        else
            TS_TRY(ts_claim_at_most(study, out[i].asymmetry, 1e-6, "radii", error,
                                    "%s: farthest from its mirror image in %g s", by[i], seconds));
    for (int i = 0; i < 3; i++)
        TS_TRY(ts_claim_at_most(study, fabs(out[i].energy - 1), 1e-10, "1", error, "%s: change of energy, as a share",
                                by[i]));
    return ts_claim_at_most(study, out[3].path / out[0].path, 0.5, "1", error, "jacobi: length of its paths over gr's");
}

ts_status ts_study_four_balls(ts_study *study, ts_error *error)
{
    TS_AUTO(ts_balls_close_each) ts_balls balls[RUNS] = {0};
    TS_AUTO_FREE trace *out = NULL;
    TS_TRY(ts_new(&out, RUNS, error));
    for (int i = 0; i < RUNS; i++)
        TS_TRY(four_run(&balls[i], by[i], &out[i], error));
    TS_TRY(four_claim(study, out, error));
    TS_TRY(four_plot(study, out, error));
    return four_draw(study, balls, error);
}

/* ---- Energy of 81 balls ---- */

#define SAMPLES 200

typedef struct energies {
    ts_study *study;
    uint64_t steps;
    ts_balls balls[RUNS];
    double time[SAMPLES + 1], kinetic[RUNS][SAMPLES + 1]; /* over the first */
    double off[RUNS];                                     /* farthest from 1 */
    size_t samples[RUNS];
} energies;

static ts_status energy_start(ts_balls *balls, const char *name, uint64_t seed, ts_error *error)
{
    ts_random r = ts_random_make(seed, 51);
    TS_TRY(ts_balls_open(balls, &(ts_balls_wish){.by = name, .restitution = 1, .step = 0.01, .radius = 0.5}, error));
    for (int j = -4; j <= 4; j++)
        for (int i = -4; i <= 4; i++) {
            double vx = ts_random_next_range(&r, -1, 1), vy = ts_random_next_range(&r, -1, 1);
            TS_TRY(ts_balls_add(balls, 1.1 * i, 1.1 * j, vx, vy, error));
            balls->kind.item[balls->count - 1] = 4 + j;
        }
    TS_TRY(ts_balls_drum(balls, 8, error));
    return ts_balls_start(balls, error);
}

static ts_status energy_run(void *context, int run, ts_error *error)
{
    energies *all = context;
    ts_balls *balls = &all->balls[run];
    TS_TRY(energy_start(balls, by[run], ts_study_seed(all->study), error));
    double first = ts_balls_kinetic(balls);
    TS_TRY(ts_balls_shoot(balls, error));
    all->kinetic[run][0] = 1;
    all->samples[run] = 1;
    for (int k = 1; k <= SAMPLES && balls->stopped == TS_OK; k++) {
        for (uint64_t i = 0; i < all->steps / SAMPLES && balls->stopped == TS_OK; i++) {
            TS_TRY(ts_balls_step(balls, 1, error));
            all->off[run] = fmax(all->off[run], fabs(ts_balls_kinetic(balls) / first - 1));
        }
        all->kinetic[run][k] = ts_balls_kinetic(balls) / first;
        all->samples[run]++;
    }
    return ts_balls_shoot(balls, error);
}

static ts_status energy_tell(ts_study *study, const energies *all, ts_error *error)
{
    for (int i = 0; i < RUNS - 1; i++)
        TS_TRY(ts_claim_at_most(study, all->off[i], 1e-10, "1", error, "%s: change of energy in %llu steps, as a share",
                                by[i], (unsigned long long)all->steps));
    TS_TRY(ts_claim_at_least(study, all->off[RUNS - 1], 0.01, "1", error,
                             "jacobi: change of energy in %llu steps, as a share",
                             (unsigned long long)ts_state_steps(all->balls[RUNS - 1].rig.state)));
    ts_plot_line line[RUNS];
    for (int i = 0; i < RUNS; i++)
        line[i] = (ts_plot_line){by[i], all->time, all->kinetic[i], all->samples[i], false};
    TS_TRY(ts_figure_plot(study, &(ts_plot){"81 balls in a drum", "time [s]", "energy / at first", false, line, RUNS},
                          "drum-energy", error));
    const ts_picture_wall drum = {.kind = TS_WALL_CIRCLE, .radius = 8};
    ts_balls_panel panel[2] = {{&all->balls[0], 0, "gr", TS_BALLS_PLAIN}, {&all->balls[0], 1, "gr", TS_BALLS_PLAIN}};
    ts_balls_figure figure = {.file = "drum-energy",
                              .title = "81 balls in a drum",
                              .panel = panel,
                              .columns = 2,
                              .rows = 1,
                              .view = {-8.2, -8.2, 8.2, 8.2},
                              .wall = &drum,
                              .wall_count = 1};
    return ts_balls_draw(study, &figure, error);
}

static void close_energies(energies *all)
{
    ts_balls_close_each(&all->balls);
}

ts_status ts_study_drum_energy(ts_study *study, ts_error *error)
{
    TS_AUTO(close_energies) energies all = {0};
    all.study = study;
    all.steps = ts_study_full(study) ? 100000 : 10000;
    for (int k = 0; k <= SAMPLES; k++)
        all.time[k] = 0.01 * (double)all.steps * k / SAMPLES;
    TS_TRY(ts_balls_side_by_side(study, RUNS, energy_run, &all, error));
    return energy_tell(study, &all, error);
}
