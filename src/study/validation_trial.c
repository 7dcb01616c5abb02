/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/memory.h"
#include "base/release.h"
#include "study/rig.h"
#include "study/validation.h"

const char *ts_ground_name(ts_ground ground)
{
    static const char *const name[TS_GROUND_COUNT] = {"half-planes", "exact", "sampled"};
    return name[ground];
}

/* ---- The scene ---- */

static ts_status set_scene(const ts_trial *trial, ts_rig *rig, ts_error *error)
{
    double mass = HUGE_VAL, step = VALIDATION_STEP / (trial->finer > 0 ? trial->finer : 1),
           unit = VALIDATION_STEPS * step;
    for (size_t i = 0; i < trial->block_count; i++)
        mass = fmin(mass, VALIDATION_DENSITY * trial->block[i].width * trial->block[i].height);
    TS_TRY(ts_rig_open(rig, -VALIDATION_GRAVITY, step, error));
    ts_material_def material = ts_default_material();
    material.density = VALIDATION_DENSITY;
    material.friction = trial->friction;
    material.restitution = VALIDATION_RESTITUTION;
    material.stiffness = mass / (unit * unit);
    TS_TRY(ts_scene_set_default_material(rig->scene, &material, error));
    bool sampled = trial->ground == TS_GROUND_SAMPLED;
    ts_map_options map = {
        .kind = sampled ? TS_MAP_SAMPLED : TS_MAP_EXACT, .smoothing = trial->smoothing, .refine = sampled};
    return ts_scene_set_map(rig->scene, &map, error);
}

static ts_status add_box(ts_rig *rig, const ts_block *block, bool fixed, ts_error *error)
{
    TS_AUTO(ts_outline_free_at) ts_outline *outline = NULL;
    ts_body_def body = ts_default_body();
    TS_TRY(ts_outline_box(block->width, block->height, 0, &outline, error));
    TS_TRY(ts_scene_add_outline(rig->scene, NULL, outline, &body.shape, error));
    body.position[0] = block->x;
    body.position[1] = block->y;
    body.angle = block->angle;
    body.fixed = fixed;
    return ts_scene_add_body(rig->scene, &body, NULL, error);
}

static ts_status add_plane(const ts_trial *trial, const ts_plane *plane, ts_rig *rig, ts_error *error)
{
    if (trial->ground == TS_GROUND_PLANES)
        return ts_rig_plane(rig, plane->x, plane->y, plane->nx, plane->ny, error);
    double below = 0.5 * trial->slab[1];
    ts_block slab = {trial->slab[0], trial->slab[1], plane->x - below * plane->nx, plane->y - below * plane->ny,
                     atan2(-plane->nx, plane->ny)};
    return add_box(rig, &slab, true, error);
}

static ts_status build(const ts_trial *trial, ts_rig *rig, ts_error *error)
{
    TS_TRY(set_scene(trial, rig, error));
    for (size_t i = 0; i < trial->block_count; i++)
        TS_TRY(add_box(rig, &trial->block[i], false, error));
    for (size_t i = 0; i < trial->plane_count; i++)
        TS_TRY(add_plane(trial, &trial->plane[i], rig, error));
    return ts_rig_start(rig, 1, error);
}

/* ---- The run ---- */

static void record(ts_trial *trial, const ts_rig *rig, size_t step)
{
    for (size_t i = 0; i < trial->block_count; i++)
        trial->body[step * trial->block_count + i] = *ts_rig_body(rig, i);
}

static ts_status run_built(ts_trial *trial, ts_rig *rig, ts_error *error)
{
    trial->step = ts_model_time_step(rig->model);
    trial->count = (size_t)lround(trial->duration / trial->step) + 1;
    size_t bodies = trial->count * trial->block_count;
    TS_TRY(ts_new(&trial->body, bodies, error));
    TS_TRY(ts_new(&trial->progress, trial->count, error));
    record(trial, rig, 0);
    for (size_t k = 1; k < trial->count; k++) {
        TS_TRY(ts_rig_step(rig, 1, error));
        record(trial, rig, k);
    }
    return TS_OK;
}

/* Runs from where the blocks of `start` stand, or from where the scene puts them (NULL). */
static ts_status run_from(ts_trial *trial, const ts_body *start, ts_error *error)
{
    TS_AUTO(ts_rig_close) ts_rig rig = {0};
    TS_TRY(build(trial, &rig, error));
    for (size_t i = 0; i < trial->block_count && start; i++)
        TS_TRY(ts_state_set_pose(rig.state, i, (double[]){start[i].x, start[i].y, start[i].angle}, error));
    return run_built(trial, &rig, error);
}

ts_status ts_trial_run(ts_trial *trial, ts_error *error)
{
    TS_AUTO(ts_trial_free) ts_trial settling = *trial;
    settling.friction = VALIDATION_SETTLING_FRICTION;
    settling.duration = VALIDATION_SETTLING;
    settling.body = NULL;
    settling.progress = NULL;
    ts_trial_free(trial);
    TS_TRY(run_from(&settling, NULL, error));
    return run_from(trial, ts_trial_at(&settling, settling.count - 1, 0), error);
}

void ts_trial_free(ts_trial *trial)
{
    ts_free(trial->body);
    ts_free(trial->progress);
    trial->body = NULL;
    trial->progress = NULL;
    trial->count = 0;
}

const ts_body *ts_trial_at(const ts_trial *trial, size_t step, size_t block)
{
    return &trial->body[step * trial->block_count + block];
}

/* The farthest that block i gets from where it was after step `from`. */
static double way_from(const ts_trial *trial, size_t from, size_t i)
{
    double farthest = 0;
    const ts_body *begin = ts_trial_at(trial, from, i);
    for (size_t k = from; k < trial->count; k++) {
        const ts_body *b = ts_trial_at(trial, k, i);
        farthest = fmax(farthest, hypot(b->x - begin->x, b->y - begin->y));
    }
    return farthest;
}

double ts_trial_drift(const ts_trial *trial)
{
    double drift = 0, fall = 0.5 * VALIDATION_GRAVITY * trial->duration * trial->duration;
    for (size_t i = 0; i < trial->block_count; i++) {
        double side = fmax(trial->block[i].width, trial->block[i].height), way = way_from(trial, 0, i);
        drift = fmax(drift, way_from(trial, trial->count - 1 - trial->count / 8, i) / (fall * (15.0 / 64)));
        if (way > VALIDATION_AWAY * side)
            drift = fmax(drift, way / fall);
    }
    return drift;
}

ts_status ts_trial_bisect(ts_study *study, const ts_trial *trial, int halvings, const double done[2], double *critical,
                          ts_error *error)
{
    double low = 0, high = 1;
    for (int i = 0; i < halvings; i++) {
        ts_trial probe = *trial;
        probe.body = NULL;
        probe.progress = NULL;
        probe.friction = 0.5 * (low + high);
        char what[64];
        snprintf(what, sizeof what, "%s, μ = %.5f", ts_ground_name(trial->ground), probe.friction);
        ts_study_report(study, done[0] + (done[1] - done[0]) * i / halvings, what);
        ts_status status = ts_trial_run(&probe, error);
        bool holds = status == TS_OK && ts_trial_drift(&probe) <= VALIDATION_HELD;
        ts_trial_free(&probe);
        TS_TRY(status);
        *(holds ? &high : &low) = probe.friction;
    }
    *critical = 0.5 * (low + high);
    return TS_OK;
}
