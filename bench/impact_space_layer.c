/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact-space`: the shaken layer of the study `patterns` (hexagons: f* = 0.38, Γ = 4), one cycle of which is timed.
 *
 *     o   o   o      the layer is thrown up, and all of it is struck when it comes down: resolving that is what
 *    ooo ooo ooo     the longest step takes
 *     ===================
 *
 * Steps are 250 a cycle: the paper's smallest, 1e-4 s, of a cycle of 25 ms (src/study/patterns.c). The cycles before are kept on disk. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"
#include "impact_space.h"

#define DIAMETER 1e-3
#define GRAVITY  9.81
#define DEPTH    5.4  /* of the layer over the diameter … */
#define PACKING  0.58 /* … for this share of it that is spheres */
#define PITCH    0.38 /* f* = f √(depth / g) */
#define STRENGTH 4.0  /* Γ = amplitude (2πf)² / g */
#define STEPS    250  /* of a cycle */
#define SWEEPS   30
#define PAPER    (1.48 + 0.81) /* impact and friction, mean of a step [s]: Table 3's last row */
#define GOAL     5.0           /* times as fast */

static double period(void)
{
    return sqrt(DEPTH * DIAMETER / GRAVITY) / PITCH;
}

static ts_status set_rules(ts_scene *scene, uint64_t seed, ts_error *error)
{
    const ts_space_def space = ts_default_space();
    TS_TRY(ts_scene_set_space(scene, &space, error));
    ts_settings settings = ts_default_settings();
    settings.time_step = period() / STEPS;
    settings.seed = seed;
    TS_TRY(ts_scene_set(scene, &settings, error));
    ts_material_def material = ts_default_material();
    material.restitution = 0.7;
    material.friction = 0.5;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    dynamics.sweeps = SWEEPS;
    return ts_scene_set_dynamics(scene, &dynamics, error);
}

/* Four walls stand still, and a floor begins at its lowest. */
static ts_status add_box(ts_scene *scene, double width, ts_error *error)
{
    for (int i = 0; i < 4; i++) {
        ts_wall3_def wall = ts_default_wall3();
        const double inwards = i < 2 ? 1 : -1;
        wall.normal[2] = 0;
        wall.normal[i % 2] = inwards;
        wall.point[i % 2] = i < 2 ? 0 : width;
        TS_TRY(ts_scene_add_wall3(scene, &wall, NULL, error));
    }
    ts_wall3_def ground = ts_default_wall3();
    ground.name = "floor";
    TS_TRY(ts_scene_add_wall3(scene, &ground, NULL, error));
    ts_drive3_def shake = ts_default_drive3();
    const double turn = 2 * TS_PI / period();
    shake.kind = TS_DRIVE_OSCILLATION;
    shake.target = "floor";
    shake.frequency = 1 / period();
    shake.phase = -TS_PI / 2;
    shake.amplitude[2] = STRENGTH * GRAVITY / (turn * turn);
    return ts_scene_add_drive3(scene, &shake, NULL, error);
}

/* On a loose lattice, with velocities of their own. */
static ts_status add_spheres(ts_scene *scene, double width, size_t count, ts_error *error)
{
    const ts_piece_def ball = {.kind = TS_PIECE_SPHERE, .radius = DIAMETER / 2};
    const ts_mix_entry mix = {.weight = 1, .scale_min = 1, .scale_max = 1};
    const double apart = 1.02 * DIAMETER, across = floor(width / apart) - 1;
    ts_solid_def solid = ts_default_solid();
    solid.piece = &ball;
    solid.piece_count = 1;
    TS_TRY(ts_scene_add_solid(scene, &solid, NULL, error));
    ts_generator3_def fill = ts_default_generator3();
    fill.mix = &mix;
    fill.mix_count = 1;
    fill.count = count;
    fill.gap = 0.02 * DIAMETER;
    fill.velocity_spread = 0.05 * sqrt(GRAVITY * DIAMETER);
    fill.low[2] = DIAMETER / 1000;
    fill.high[0] = fill.high[1] = width;
    fill.high[2] = (2 + ceil((double)count / (across * across))) * apart;
    return ts_scene_add_generator3(scene, &fill, NULL, error);
}

static ts_status open_layer(ts_bench *bench, double width, size_t count, ts_timed_run *run, ts_error *error)
{
    ts_scene *scene = NULL;
    TS_TRY(ts_scene_create(&scene, error));
    ts_status status = set_rules(scene, ts_bench_seed(bench), error);
    if (status == TS_OK)
        status = add_box(scene, width, error);
    if (status == TS_OK)
        status = add_spheres(scene, width, count, error);
    if (status == TS_OK)
        status = ts_timed_run_open(scene, ts_bench_threads(bench), run, error);
    ts_scene_free(scene);
    return status;
}

/* One cycle from the lattice, or what an earlier run has kept of it. */
static ts_status first_cycle(ts_bench *bench, size_t count, ts_timed_run *run, ts_timed_figures *f, ts_error *error)
{
    const char *folder;
    char path[4200];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    snprintf(path, sizeof path, "%.4000s/layer-%zu-%016" PRIx64 ".state", folder, count, ts_model_hash(run->model));
    if (ts_file_exists(path) && ts_state_load(run->model, run->state, path, &ignored) == TS_OK)
        return TS_OK;
    const ts_timed_walk walk = {.what = "shaken layer, before", .steps = STEPS, .budget = HUGE_VAL};
    TS_TRY(ts_timed_run_walk(bench, run, &walk, f, error));
    return f->stopped ? TS_OK : ts_state_save(run->model, run->state, path, error);
}

static ts_status add_rows(ts_bench *bench, const ts_timed_figures *f, size_t count, ts_error *error)
{
    const bool goals = !ts_bench_quick(bench) && !f->stopped;
    char name[128], note[400], phases[160];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu spheres shaken, gr: impact + friction of a step", count);
    snprintf(note, sizeof note, "%d threads; longest %.3g s; %.3g contacts, most %.3g%s%s", ts_bench_threads(bench),
             f->resolve_longest, f->contacts, f->contacts_most, f->stopped ? "; stopped: " : "", f->why);
    row.name = name;
    row.note = note;
    row.unit = "s";
    row.ours = f->phase[TS_PHASE_RESOLVE];
    if (goals) {
        row.peer = "Smith et al. 2012";
        row.peer_value = PAPER;
        row.ratio = row.judged = row.ours / PAPER;
        row.goal = 1 / GOAL;
        row.goal_is_most = true;
    }
    TS_TRY(ts_bench_add(bench, &row, error));
    row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu spheres shaken, gr: a step", count);
    snprintf(note, sizeof note, "%s; longest %.3g s; passes %.3g, most %.0f", ts_timed_phases(f, phases), f->longest,
             f->passes, f->passes_most);
    row.name = name;
    row.note = note;
    row.unit = "s";
    row.ours = f->seconds;
    return ts_bench_add(bench, &row, error);
}

ts_status ts_impact_space_layer(ts_bench *bench, ts_error *error)
{
    const double across = ts_bench_quick(bench) ? 13 : 100;
    const size_t count = (size_t)(across * across * DEPTH * PACKING * 6 / TS_PI);
    const ts_timed_walk walk = {.what = "shaken layer", .steps = STEPS, .budget = HUGE_VAL};
    ts_timed_run run = {0};
    ts_timed_figures figures = {0};
    ts_status status = open_layer(bench, across * DIAMETER, count, &run, error);
    if (status == TS_OK)
        status = first_cycle(bench, count, &run, &figures, error);
    ts_bench_report(bench, 0.9, walk.what);
    if (status == TS_OK && !figures.stopped)
        status = ts_timed_run_walk(bench, &run, &walk, &figures, error);
    ts_timed_run_close(&run);
    TS_TRY(status);
    return add_rows(bench, &figures, count, error);
}
