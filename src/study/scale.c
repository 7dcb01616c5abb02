/* SPDX-License-Identifier: MIT */
/* The study `scale`: a thing and its model of another size do the same.
 *
 * Let every length be s times as long, under the same gravity and with the same mass per area. Then times must be √s
 * times as long (a fall through h takes √(2h/g)), velocities √s, masses s², energies s³. A contact's overlap is a
 * length, and its force a weight, so stiffness goes as s, and the time step, like every time, as √s. The scene below
 * gives only lengths, and the times of its moving wall; stiffness, damping, time step and skin are what the engine
 * makes of it. If any threshold in it were an absolute length or speed, the sizes would differ.
 *
 * How equal can they be? Where s and √s are powers of two, scaling commutes with rounding: every bit must be the same.
 * At 1e-3 and 1e3 each number is rounded anew, and granular matter is chaotic: paths part, however slowly. So the study
 * also runs the middle size with the grains nudged by 1e-12 of their radius, a bit more than rounding adds up to: sizes
 * may not differ by much more than these twins do: paths by a factor of three, what is left when they have parted
 * (energy, height, contacts) by three times the twins' spread, and 1%. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "study/figure.h"
#include "study/rig.h"
#include "study/studies.h"

#define SAMPLES 100
#define TWINS   3
#define RADIUS  0.01  /* of a grain at s = 1, about [m] */
#define NUDGE   1e-12 /* in radii */

/* What is run, at s = 1. A larger crowd needs a larger box and, by the same law of similarity, more time. */
typedef struct setting {
    size_t count;    /* grains */
    double width;    /* of the box [m] */
    double period;   /* of the moving wall [s] */
    double duration; /* of a run [s] */
} setting;

static setting setting_of(ts_study *study)
{
    return ts_study_full(study) ? (setting){3000, 1.8, 0.9, 1.4} : (setting){300, 0.6, 0.5, 0.75};
}

/* One run at one size; all numbers without dimension, or as at s = 1. */
typedef struct run {
    double scale;
    double nudge;     /* of the first positions, in grain radii */
    double time_step; /* Δt/√s [s] */
    size_t body_count;
    double *x, *y;            /* of each body at each sample, over s [m] (SAMPLES · body_count) */
    double kinetic[SAMPLES];  /* with rotation, over s³ [J] */
    double height[SAMPLES];   /* of the centre of mass, over s [m] */
    double contacts[SAMPLES]; /* touching */
    double apart[SAMPLES];    /* farthest that a body is from where the first run has it, in grain radii */
} run;

static void run_free(run *r)
{
    ts_free(r->x);
    ts_free(r->y);
}

/* ---- The scene ---- */

static ts_status add_walls(ts_rig *rig, setting at, double s, ts_error *error)
{
    TS_TRY(ts_rig_plane(rig, 0, 0, 0, 1, error));
    TS_TRY(ts_rig_plane(rig, 0, 0, 1, 0, error));
    ts_wall_def wall = ts_default_wall();
    wall.name = "piston";
    wall.kind = TS_WALL_FLAT;
    wall.position[0] = at.width * s;
    wall.normal[0] = -1;
    wall.normal[1] = 0;
    TS_TRY(ts_scene_add_wall(rig->scene, &wall, NULL, error));
    ts_drive_def drive = ts_default_drive();
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.target = "piston";
    drive.amplitude[0] = 0.05 * at.width * s;
    drive.frequency = 1 / (at.period * sqrt(s));
    return ts_scene_add_drive(rig->scene, &drive, NULL, error);
}

static ts_status add_grains(ts_rig *rig, setting at, double s, ts_error *error)
{
    const double r = RADIUS * s;
    const ts_disc pair[] = {{-0.7 * r, 0, 0.8 * r}, {0.7 * r, 0, 0.8 * r}};
    const ts_disc three[] = {{-0.6 * r, 0, 0.7 * r}, {0.6 * r, 0, 0.7 * r}, {0, r, 0.6 * r}};
    ts_shape_def two_discs = ts_default_shape(), three_discs = ts_default_shape();
    two_discs.disc = pair;
    two_discs.disc_count = 2;
    three_discs.disc = three;
    three_discs.disc_count = 3;
    ts_mix_entry mix[3] = {{.weight = 2, .scale_min = 0.7, .scale_max = 1.3},
                           {.weight = 1, .scale_min = 0.8, .scale_max = 1.2},
                           {.weight = 1, .scale_min = 0.8, .scale_max = 1.2}};
    TS_TRY(ts_scene_add_disc(rig->scene, r, &mix[0].shape, error));
    TS_TRY(ts_scene_add_shape(rig->scene, &two_discs, &mix[1].shape, error));
    TS_TRY(ts_scene_add_shape(rig->scene, &three_discs, &mix[2].shape, error));
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    fill.region = TS_REGION_BOX;
    fill.low[0] = 0.05 * at.width * s;
    fill.low[1] = 0.02 * at.width * s;
    fill.high[0] = 0.90 * at.width * s;
    fill.high[1] = 0.02 * at.width * s + (double)at.count * 20 * r * r / (0.85 * at.width * s);
    fill.count = at.count;
    fill.mix = mix;
    fill.mix_count = 3;
    return ts_scene_add_generator(rig->scene, &fill, NULL, error);
}

static ts_status build(ts_study *study, double s, ts_rig *rig, ts_error *error)
{
    setting at = setting_of(study);
    TS_TRY(ts_rig_open(rig, -9.81, 0, error));
    ts_settings settings = ts_scene_settings(rig->scene);
    settings.seed = ts_study_seed(study);
    settings.duration = at.duration * sqrt(s);
    TS_TRY(ts_scene_set(rig->scene, &settings, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.tolerated_overlap = 0.2; /* soft grains, so that a run takes seconds */
    TS_TRY(ts_scene_set_dynamics(rig->scene, &dynamics, error));
    TS_TRY(add_walls(rig, at, s, error));
    TS_TRY(add_grains(rig, at, s, error));
    return ts_rig_start(rig, ts_study_threads(study), error);
}

/* ---- Running it ---- */

static ts_status nudge_bodies(ts_rig *rig, double length, uint64_t seed, ts_error *error)
{
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++) {
        const ts_body *b = ts_rig_body(rig, i);
        double dx = length * ts_random_range(seed, i, 0, -1, 1), dy = length * ts_random_range(seed, i, 1, -1, 1);
        TS_TRY(ts_state_set_pose(rig->state, i, (double[]){b->x + dx, b->y + dy, b->angle}, error));
    }
    return TS_OK;
}

/* Takes sample k; `first` is the run to compare with, or NULL. */
static ts_status take_sample(ts_rig *rig, run *r, int k, const run *first, ts_error *error)
{
    ts_measures measures;
    TS_TRY(ts_measure(rig->model, rig->state, rig->work, &measures, error));
    double s = r->scale, mass = 0, moment = 0, apart = 0;
    for (size_t i = 0; i < r->body_count; i++) {
        const ts_body *b = ts_rig_body(rig, i);
        size_t at = (size_t)k * r->body_count + i;
        r->x[at] = b->x / s;
        r->y[at] = b->y / s;
        mass += ts_model_mass(rig->model, i);
        moment += ts_model_mass(rig->model, i) * b->y;
        if (first)
            apart = fmax(apart, hypot(r->x[at] - first->x[at], r->y[at] - first->y[at]) / RADIUS);
    }
    r->kinetic[k] = (measures.kinetic + measures.rotational) / (s * s * s);
    r->height[k] = moment / mass / s;
    r->contacts[k] = (double)measures.contact_count;
    r->apart[k] = apart;
    return TS_OK;
}

/* Runs one size, sampled at the same steps as all others. */
static ts_status perform(ts_study *study, run *r, uint64_t seed, const run *first, double begin, double share,
                         ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    char what[64];
    snprintf(what, sizeof what, "size %g", r->scale);
    TS_TRY(build(study, r->scale, &rig, error));
    if (r->nudge > 0)
        TS_TRY(nudge_bodies(&rig, r->nudge * RADIUS * r->scale, seed, error));
    r->time_step = ts_model_time_step(rig.model) / sqrt(r->scale);
    r->body_count = ts_model_body_count(rig.model);
    r->x = ts_alloc(SAMPLES * r->body_count, sizeof *r->x);
    r->y = ts_alloc(SAMPLES * r->body_count, sizeof *r->y);
    if (!r->x || !r->y)
        TS_TRY(ts_fail_memory(error, 2 * SAMPLES * r->body_count * sizeof *r->x));
    uint64_t stride = (uint64_t)(setting_of(study).duration / SAMPLES / (first ? first->time_step : r->time_step)) + 1;
    for (int k = 0; k < SAMPLES; k++) {
        TS_TRY(ts_rig_step(&rig, stride, error));
        TS_TRY(take_sample(&rig, r, k, first, error));
        ts_study_report(study, begin + share * (k + 1) / SAMPLES, what);
    }
    return TS_OK;
}

/* ---- Judging it ---- */

/* The runs, in this order. */
enum { MIDDLE, SMALL, LARGE, SMALL_BINARY, LARGE_BINARY, FIRST_TWIN, RUNS = FIRST_TWIN + TWINS };
TS_RELEASE_EACH(run, RUNS, run_free)

static double largest(const double *value, int from, int to)
{
    double most = value[from];
    for (int k = from; k < to; k++)
        most = fmax(most, value[k]);
    return most;
}

static double mean(const double *value, int from, int to)
{
    double sum = 0;
    for (int k = from; k < to; k++)
        sum += value[k];
    return sum / (to - from);
}

/* How much farther a run strays from the first than the farthest twin does, in decades: the mean over the time in which
 * paths are still paths. (At a single moment a run may be decades ahead, when one collision falls one step earlier.) */
static double straying(const run *all, int size)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double twins = 0;
        for (int t = FIRST_TWIN; t < RUNS; t++)
            twins = fmax(twins, all[t].apart[k]);
        if (twins > 0.1)
            break;
        sum += log10(fmax(all[size].apart[k], 1e-16) / twins);
        count++;
    }
    return count > 0 ? sum / count : TS_NONE;
}

/* What remains when paths have parted: one number a run, for each of three curves. */
typedef struct statistic {
    const char *name;
    const char *unit;
    double value[RUNS];
} statistic;

static void take_statistics(const run *all, statistic s[3])
{
    s[0] = (statistic){"most kinetic energy / s³", "J", {0}};
    s[1] = (statistic){"mean height, second half / s", "m", {0}};
    s[2] = (statistic){"mean contacts, second half", "1", {0}};
    for (int i = 0; i < RUNS; i++) {
        s[0].value[i] = largest(all[i].kinetic, 0, SAMPLES);
        s[1].value[i] = mean(all[i].height, SAMPLES / 2, SAMPLES);
        s[2].value[i] = mean(all[i].contacts, SAMPLES / 2, SAMPLES);
    }
}

/* 1% and three times as far as any twin went: what chaos makes of a nudge. But never more than 10%: twins that differ
 * by more than a few per cent would say that the scene is too small to be judged by. */
static double tolerance_of(const statistic *s)
{
    double spread = 0;
    for (int t = FIRST_TWIN; t < RUNS; t++)
        spread = fmax(spread, fabs(s->value[t] / s->value[MIDDLE] - 1));
    return fmin(0.01 + 3 * spread, 0.1);
}

static ts_status claim_sizes(ts_study *study, const run *all, ts_error *error)
{
    static const struct {
        int run;
        const char *name;
    } size[] = {{SMALL, "1e-3"}, {LARGE, "1e3"}, {SMALL_BINARY, "2^-10"}, {LARGE_BINARY, "2^10"}};
    for (int i = 2; i < 4; i++) {
        const run *r = &all[size[i].run];
        TS_TRY(ts_claim_at_most(study, fabs(r->time_step / all[MIDDLE].time_step - 1), 0, "1", error,
                                "size %s: time step / √s, difference", size[i].name));
        TS_TRY(ts_claim_at_most(study, largest(r->apart, 0, SAMPLES), 0, "radii", error,
                                "size %s: paths apart at any time", size[i].name));
        double energy = 0;
        for (int k = 0; k < SAMPLES; k++)
            energy = fmax(energy, fabs(r->kinetic[k] / all[MIDDLE].kinetic[k] - 1));
        TS_TRY(
            ts_claim_at_most(study, energy, 0, "1", error, "size %s: kinetic energy / s³, difference", size[i].name));
    }
    statistic s[3];
    take_statistics(all, s);
    for (int i = 0; i < 2; i++) {
        int r = size[i].run;
        TS_TRY(ts_claim_near(study, all[r].time_step, all[MIDDLE].time_step, 1e-12, "s", error,
                             "size %s: time step / √s", size[i].name));
        TS_TRY(ts_claim_at_most(study, straying(all, r), 0.5, "1", error, "size %s: decades that paths part faster",
                                size[i].name));
        for (int k = 0; k < 3; k++)
            TS_TRY(ts_claim_near(study, s[k].value[r], s[k].value[MIDDLE], tolerance_of(&s[k]), s[k].unit, error,
                                 "size %s: %s", size[i].name, s[k].name));
    }
    return TS_OK;
}

/* ---- Figures ---- */

static ts_status draw(ts_study *study, const run *all, ts_error *error)
{
    static const char *const name[] = {"size 1", "size 1e-3", "size 1e3", NULL, NULL, "size 1, nudged"};
    double time[SAMPLES];
    for (int k = 0; k < SAMPLES; k++)
        time[k] = (k + 1) * setting_of(study).duration / SAMPLES;
    ts_plot_line energy[RUNS], apart[RUNS];
    size_t count = 0;
    for (int i = 0; i < RUNS; i++) {
        if (i == SMALL_BINARY || i == LARGE_BINARY)
            continue;
        bool twin = i >= FIRST_TWIN;
        energy[count] = (ts_plot_line){i <= FIRST_TWIN ? name[i] : NULL, time, all[i].kinetic, SAMPLES, twin};
        apart[count] =
            (ts_plot_line){i <= FIRST_TWIN && i != MIDDLE ? name[i] : NULL, time, all[i].apart, SAMPLES, twin};
        count++;
    }
    ts_plot plot = {"Kinetic energy at three sizes", "time / √s [s]", "kinetic energy / s³ [J]", false, energy, count};
    TS_TRY(ts_figure_plot(study, &plot, "kinetic-energy", error));
    plot = (ts_plot){
        "How far paths part from those at size 1", "time / √s [s]", "farthest grain [radii]", true, apart, count};
    return ts_figure_plot(study, &plot, "paths", error);
}

ts_status ts_study_scale(ts_study *study, ts_error *error)
{
    TS_AUTO(run_free_each) run all[RUNS] = {0};
    static const double scale[] = {1, 1e-3, 1e3, 1.0 / 1024, 1024};
    for (int i = 0; i < RUNS; i++) {
        bool twin = i >= FIRST_TWIN;
        all[i].scale = twin ? 1 : scale[i];
        all[i].nudge = twin ? NUDGE : 0;
        TS_TRY(perform(study, &all[i], (uint64_t)i, i ? &all[MIDDLE] : NULL, (double)i / RUNS, 1.0 / RUNS, error));
    }
    TS_TRY(claim_sizes(study, all, error));
    return draw(study, all, error);
}
