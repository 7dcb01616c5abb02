/* SPDX-License-Identifier: MIT */
/* The study `scale`: a thing and its model of another size do the same.
 *
 * Let every length be s times as long, under the same gravity and with the same mass per area. Then times must be √s times as
 * long (a fall through h takes √(2h/g)), velocities √s, masses s², energies s³. A contact's overlap is a length, and its force
 * a weight, so stiffness goes as s, and the time step, like every time, as √s. The scene below gives only lengths, and the
 * times of its moving wall; stiffness, damping, time step and skin are what the engine makes of it. If any threshold in it
 * were an absolute length or speed, the sizes would differ.
 *
 * How equal can they be? Where s and √s are powers of two, scaling commutes with rounding: every bit must be the same. At
 * 1e-3 and 1e3 each number is rounded anew, and granular matter is chaotic: paths part, however slowly. So the study also runs
 * the middle size with the grains nudged by 1e-12 of their radius, a bit more than rounding adds up to: sizes may not differ by
 * more than these twins do. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "study/rig.h"
#include "study/studies.h"

#define SAMPLES 100
#define RADIUS  0.01 /* of a grain at s = 1, about [m] */
#define WIDTH   0.4  /* of the box [m] */
#define PERIOD  0.6  /* of the moving wall [s] */
#define NUDGE   1e-12

#define PATH_TWINS 4

/* One run at one size; all numbers without dimension, or as at s = 1. */
typedef struct run {
    double scale;
    double nudge;     /* of the first positions, in grain radii */
    double time_step; /* Δt/√s [s] */
    size_t body_count;
    double *x, *y;    /* of each body at each sample, over s [m] (SAMPLES · body_count) */
    double kinetic[SAMPLES];  /* with rotation, over s³ [J] */
    double height[SAMPLES];   /* of the centre of mass, over s [m] */
    double contacts[SAMPLES]; /* touching */
    double apart[SAMPLES];    /* farthest that a body is from where the first run has it, in grain radii */
} run;

/* ---- The scene ---- */

static ts_status add_walls(ts_rig *rig, double s, ts_error *error)
{
    TS_TRY(ts_rig_plane(rig, 0, 0, 0, 1, error));
    TS_TRY(ts_rig_plane(rig, 0, 0, 1, 0, error));
    ts_boundary_def wall = ts_default_boundary();
    wall.name = "piston";
    wall.kind = TS_BOUNDARY_HALF_PLANE;
    wall.point[0] = WIDTH * s;
    wall.normal[0] = -1;
    wall.normal[1] = 0;
    TS_TRY(ts_scene_add_boundary(rig->scene, &wall, NULL, error));
    ts_drive_def drive = ts_default_drive();
    drive.kind = TS_DRIVE_OSCILLATION;
    drive.target = "piston";
    drive.amplitude[0] = 0.05 * WIDTH * s;
    drive.frequency = 1 / (PERIOD * sqrt(s));
    return ts_scene_add_drive(rig->scene, &drive, NULL, error);
}

static ts_status add_grains(ts_rig *rig, double s, size_t count, ts_error *error)
{
    const double r = RADIUS * s;
    const ts_disc pair[] = {{-0.7 * r, 0, 0.8 * r}, {0.7 * r, 0, 0.8 * r}};
    const ts_disc three[] = {{-0.6 * r, 0, 0.7 * r}, {0.6 * r, 0, 0.7 * r}, {0, r, 0.6 * r}};
    ts_shape_def two_discs = ts_default_shape(), three_discs = ts_default_shape();
    two_discs.disc = pair;
    two_discs.disc_count = 2;
    three_discs.disc = three;
    three_discs.disc_count = 3;
    ts_mix_entry mix[3] = {{0, 0, 2, 0.7, 1.3}, {0, 0, 1, 0.8, 1.2}, {0, 0, 1, 0.8, 1.2}};
    TS_TRY(ts_scene_add_disc(rig->scene, r, &mix[0].shape, error));
    TS_TRY(ts_scene_add_shape(rig->scene, &two_discs, &mix[1].shape, error));
    TS_TRY(ts_scene_add_shape(rig->scene, &three_discs, &mix[2].shape, error));
    ts_generator_def fill = ts_default_generator();
    fill.fill = TS_FILL_LATTICE;
    fill.region = TS_REGION_BOX;
    fill.a[0] = 0.05 * WIDTH * s;
    fill.a[1] = 0.02 * WIDTH * s;
    fill.b[0] = 0.90 * WIDTH * s;
    fill.b[1] = 0.02 * WIDTH * s + (double)count * 20 * r * r / (0.85 * WIDTH * s);
    fill.count = count;
    fill.mix = mix;
    fill.mix_count = 3;
    return ts_scene_add_generator(rig->scene, &fill, NULL, error);
}

static ts_status build(ts_study *study, double s, ts_rig *rig, ts_error *error)
{
    TS_TRY(ts_rig_open(rig, -9.81, 0, error));
    ts_settings settings = ts_scene_settings(rig->scene);
    settings.seed = ts_study_seed(study);
    settings.duration = 2 * PERIOD * sqrt(s);
    TS_TRY(ts_scene_set(rig->scene, &settings, error));
    TS_TRY(add_walls(rig, s, error));
    TS_TRY(add_grains(rig, s, ts_study_full(study) ? 3000 : 300, error));
    return ts_rig_start(rig, ts_study_threads(study), error);
}

/* ---- Running it ---- */

static ts_status nudge_bodies(ts_rig *rig, double length, uint64_t seed, ts_error *error)
{
    for (size_t i = 0; i < ts_model_body_count(rig->model); i++) {
        const ts_body *b = ts_rig_body(rig, i);
        double dx = length * ts_random_range(seed, i, 0, -1, 1), dy = length * ts_random_range(seed, i, 1, -1, 1);
        TS_TRY(ts_state_set_pose(rig->state, i, b->x + dx, b->y + dy, b->angle, error));
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
    ts_rig rig = {0};
    char what[64];
    snprintf(what, sizeof what, "size %g", r->scale);
    ts_status status = build(study, r->scale, &rig, error);
    if (status == TS_OK && r->nudge > 0)
        status = nudge_bodies(&rig, r->nudge * RADIUS * r->scale, seed, error);
    if (status == TS_OK) {
        r->time_step = ts_model_time_step(rig.model) / sqrt(r->scale);
        r->body_count = ts_model_body_count(rig.model);
        r->x = ts_alloc(SAMPLES * r->body_count, sizeof *r->x);
        r->y = ts_alloc(SAMPLES * r->body_count, sizeof *r->y);
        if (!r->x || !r->y)
            status = ts_fail_memory(error, 2 * SAMPLES * r->body_count * sizeof *r->x);
    }
    uint64_t stride = (uint64_t)(2 * PERIOD / SAMPLES / (first ? first->time_step : r->time_step)) + 1;
    for (int k = 0; k < SAMPLES && status == TS_OK; k++) {
        status = ts_rig_step(&rig, stride, error);
        if (status == TS_OK)
            status = take_sample(&rig, r, k, first, error);
        ts_study_report(study, begin + share * (k + 1) / SAMPLES, what);
    }
    ts_rig_close(&rig);
    return status;
}

ts_status ts_study_scale(ts_study *study, ts_error *error)
{
    run all[8] = {{.scale = 1}, {.scale = 1e-3}, {.scale = 1e3}, {.scale = 1.0/1024}, {.scale = 1024}, {.scale = 1, .nudge = NUDGE},{.scale = 1, .nudge = NUDGE},{.scale = 1, .nudge = NUDGE}};
    for (int i = 0; i < 8; i++)
        TS_TRY(perform(study, &all[i], 100 + (uint64_t)i, i ? &all[0] : NULL, i / 8.0, 1 / 8.0, error));
    for (int i = 0; i < 8; i++) printf("s %g dt %.17g\n", all[i].scale, all[i].time_step);
    for (int k = 0; k < SAMPLES; k += 3) {
        printf("%3d ke %.4g h %.4g z %g |", k, all[0].kinetic[k], all[0].height[k], all[0].contacts[k]);
        for (int i = 1; i < 8; i++) printf(" %.2e", all[i].apart[k]);
        printf("\n");
    }
    return TS_OK;
}
