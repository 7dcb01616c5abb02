/* SPDX-License-Identifier: MIT */
#include "grains_bed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/release.h"
#include "model.h"
#include "walls.h"

#define SETTLED 1e-6 /* kinetic energy over Σ m g r of a bed at rest */
#define EVERY   50   /* steps from one cut of velocities to the next */
#define CUT     0.8

/* ---- Scenes ---- */

static ts_status fill_scene(ts_scene *scene, const ts_bed_plan *plan, ts_error *error)
{
    const ts_grain_bin *bin = plan->loose;
    ts_settings settings = ts_default_settings();
    settings.gravity[1] = -bin->gravity;
    settings.time_step = plan->time_step;
    TS_TRY(ts_scene_set(scene, &settings, error));
    TS_TRY(ts_scene_set_map(scene, &plan->map, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    ts_dynamics_set(&dynamics, "tolerated_overlap", TS_BED_TOLERATED);
    dynamics.places = "one"; /* the published law */
    TS_TRY(ts_scene_set_dynamics(scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.density = bin->density;
    material.friction = bin->friction;
    material.restitution = TS_BED_RESTITUTION;
    material.stiffness = plan->stiffness;
    TS_TRY(ts_scene_set_default_material(scene, &material, error));
    TS_TRY(ts_bench_walls(scene, bin->width, error));
    ts_body_def body = ts_default_body();
    TS_TRY(ts_scene_add_outline(scene, "grain", bin->outline, &body.shape, error));
    body.scale = bin->scale;
    for (size_t i = 0; i < bin->count; i++) {
        body.position[0] = bin->pose[i].x;
        body.position[1] = bin->pose[i].y;
        body.angle = bin->pose[i].angle;
        TS_TRY(ts_scene_add_body(scene, &body, NULL, error));
    }
    return TS_OK;
}

static ts_status place(ts_state *state, size_t count, const ts_pose2 *pose, ts_error *error)
{
    for (size_t i = 0; i < count; i++)
        TS_TRY(ts_state_set_pose(state, i, (double[]){pose[i].x, pose[i].y, pose[i].angle}, error));
    return TS_OK;
}

ts_status ts_bed_open(const ts_bed_plan *plan, const ts_pose2 *pose, ts_bed *bed, ts_error *error)
{
    *bed = (ts_bed){0};
    ts_scene *scene = NULL;
    ts_status status = ts_scene_create(&scene, error);
    if (status == TS_OK)
        status = fill_scene(scene, plan, error);
    if (status == TS_OK)
        status = ts_model_compile(scene, &bed->model, error);
    ts_scene_free(scene);
    if (status == TS_OK)
        status = ts_model_prepare(bed->model, &plan->making, error);
    if (status == TS_OK)
        status = ts_state_create(bed->model, &bed->state, error);
    if (status == TS_OK && pose)
        status = place(bed->state, plan->loose->count, pose, error);
    if (status != TS_OK)
        ts_bed_close(bed);
    return status;
}

void ts_bed_close(ts_bed *bed)
{
    ts_state_free(bed->state);
    ts_model_free(bed->model);
    *bed = (ts_bed){0};
}

/* ---- Settling ---- */

static double unrest_of(const ts_bed *bed, const ts_grain_bin *bin)
{
    ts_grain_mass m = ts_grain_bin_mass(bin);
    const ts_body *body = ts_state_bodies(bed->state);
    double energy = 0;
    for (size_t i = 0; i < bin->count; i++)
        energy += 0.5 * m.mass * (body[i].vx * body[i].vx + body[i].vy * body[i].vy) +
                  0.5 * m.inertia * body[i].spin * body[i].spin;
    return energy / ((double)bin->count * m.mass * bin->gravity * m.radius);
}

static ts_status slow_down(ts_bed *bed, size_t count, ts_error *error)
{
    const ts_body *body = ts_state_bodies(bed->state);
    for (size_t i = 0; i < count; i++) {
        const ts_body b = body[i];
        TS_TRY(ts_state_set_velocity(bed->state, i, (double[]){CUT * b.vx, CUT * b.vy, CUT * b.spin}, error));
    }
    return TS_OK;
}

static ts_status settle(ts_bench *bench, const ts_bed_plan *plan, const ts_bed_times *times, ts_bed *bed,
                        ts_workspace *work, ts_error *error)
{
    double dt = ts_model_time_step(bed->model);
    uint64_t left = times->most, every = left < EVERY ? left : EVERY;
    size_t count = plan->loose->count;
    for (;;) {
        char what[96];
        double time = ts_state_time(bed->state);
        snprintf(what, sizeof what, "settling %zu grains, %.2f s", count, time);
        ts_bench_report(bench, TS_NONE, what);
        if (time < times->fall) {
            TS_TRY(ts_step(bed->model, bed->state, work, (uint64_t)(0.02 * times->fall / dt) + 1, error));
            continue;
        }
        TS_TRY(ts_step(bed->model, bed->state, work, every, error));
        bed->unrest = unrest_of(bed, plan->loose);
        left = left > every ? left - every : 0;
        if (bed->unrest < SETTLED || left == 0)
            return TS_OK;
        TS_TRY(slow_down(bed, count, error));
    }
}

static ts_status settle_and_save(ts_bench *bench, const ts_bed_plan *plan, const ts_bed_times *times, ts_bed *bed,
                                 const char *path, ts_error *error)
{
    TS_AUTO(ts_workspace_free_at) ts_workspace *work = NULL;
    TS_TRY(ts_workspace_create(bed->model, ts_bench_threads(bench), &work, error));
    TS_TRY(settle(bench, plan, times, bed, work, error));
    return ts_state_save(bed->model, bed->state, path, error);
}

ts_status ts_bed_settled(ts_bench *bench, const ts_bed_plan *plan, const ts_pose2 *pose, const ts_bed_times *times,
                         ts_bed *bed, ts_error *error)
{
    const char *folder;
    char path[4096];
    ts_error ignored;
    TS_TRY(ts_bench_out_dir(bench, &folder, error));
    TS_TRY(ts_bed_open(plan, pose, bed, error));
    /* the times are no part of the model, but of what the file holds */
    snprintf(path, sizeof path, "%s/grains-%zu-%g-%" PRIu64 "-%016" PRIx64 ".state", folder, plan->loose->count,
             times->fall, times->most, ts_model_hash(bed->model));
    ts_status status = TS_OK;
    if (!ts_file_exists(path) || ts_state_load(bed->model, bed->state, path, &ignored) != TS_OK)
        status = settle_and_save(bench, plan, times, bed, path, error);
    if (status == TS_OK)
        bed->unrest = unrest_of(bed, plan->loose);
    else
        ts_bed_close(bed);
    return status;
}

/* ---- What a bed has become ---- */

ts_status ts_bed_bin(const ts_bed *bed, const ts_grain_bin *loose, ts_grain_bin *bin, ts_error *error)
{
    *bin = *loose;
    TS_TRY(ts_new(&bin->pose, bin->count, error));
    const ts_body *body = ts_state_bodies(bed->state);
    for (size_t i = 0; i < bin->count; i++)
        bin->pose[i] = (ts_pose2){body[i].x, body[i].y, body[i].angle};
    return TS_OK;
}

double ts_bed_stiffness(const ts_bed *bed)
{
    return bed->model->law[0].kn;
}

ts_status ts_bed_overlaps(const ts_grain_bin *bin, const ts_pose2 *pose, ts_overlaps *overlaps, ts_error *error)
{
    ts_grain_mass m = ts_grain_bin_mass(bin);
    ts_snapshot_shape shape = {.outline = bin->outline};
    TS_AUTO_FREE ts_snapshot_body *body = NULL;
    TS_TRY(ts_new(&body, bin->count, error));
    for (size_t i = 0; i < bin->count; i++)
        body[i] = (ts_snapshot_body){.position = {pose[i].x, pose[i].y},
                                     .angle = pose[i].angle,
                                     .radius = m.radius,
                                     .scale = bin->scale,
                                     .volume = m.mass / bin->density,
                                     .mass = m.mass,
                                     .inertia = {[2] = {[2] = m.inertia}},
                                     .present = true};
    ts_snapshot snapshot = {.body_count = bin->count, .body = body, .shape_count = 1, .shape = &shape};
    return ts_measure_overlaps(&snapshot, NULL, overlaps, error);
}
