/* SPDX-License-Identifier: MIT */
#include "scene/script3.h"

#include <math.h>
#include <string.h>

#include "scene/compile.h"

#define FAIL(c, drive, ...) ts_fail_at((c)->error, TS_BAD_INPUT, (drive)->place, __VA_ARGS__)

/* What a drive moves: the walls of a wall in the scene, or the bodies begin … end-1. */
typedef struct target {
    int32_t wall; /* -1: bodies */
    size_t begin, end;
} target;

static ts_status find_target(ts_space_compiler *c, const ts_scene_drive3 *drive, target *out)
{
    const ts_scene *scene = c->scene;
    const ts_name *name = ts_names_find(&scene->target_name, drive->def.target);
    bool fixed = true;
    if (!name)
        return FAIL(c, drive, "drive: nothing is named \"%.100s\"; name the body, boundary or generator that it moves",
                    drive->def.target);
    size_t i = (size_t)name->index;
    *out = (target){-1, i, i + 1};
    if (name->kind == TS_NAME_BOUNDARY) {
        *out = (target){name->index, 0, 0};
    } else if (name->kind == TS_NAME_BODY) {
        fixed = scene->body3.item[i].def.fixed;
    } else {
        fixed = scene->generator3.item[i].def.fixed;
        *out = (target){-1, c->generator_begin[i], c->generator_begin[i + 1]};
    }
    return fixed ? TS_OK
                 : FAIL(c, drive, "drive: \"%.100s\" moves by itself; make it fixed to move it by a drive",
                        drive->def.target);
}

/* Gives the target's bodies an index, unless one has one already. */
static ts_status set_indices(ts_space_compiler *c, int32_t **index, target t, size_t value,
                             const ts_scene_drive3 *drive)
{
    const size_t n = c->model->body_count;
    if (!*index) {
        *index = ts_model_take(c->model, n, sizeof **index);
        if (!*index)
            return ts_fail_memory(c->error, n * sizeof **index);
        memset(*index, 0xff, n * sizeof **index);
    }
    for (size_t i = t.begin; i < t.end; i++)
        if ((*index)[i] >= 0)
            return FAIL(c, drive, "drive: \"%.100s\" has two %s; leave one", drive->def.target,
                        drive->def.kind == TS_DRIVE_GATE ? "gates" : "drives that move it");
    for (size_t i = t.begin; i < t.end; i++)
        (*index)[i] = (int32_t)value;
    return TS_OK;
}

static ts_status add_gate(ts_space_compiler *c, target t, const ts_scene_drive3 *drive)
{
    ts_model *model = c->model;
    for (size_t i = 0; t.wall >= 0 && i < model->wall_count; i++) {
        ts_wall3 *wall = &model->wall[i];
        if (wall->source != t.wall)
            continue;
        if (isfinite(wall->open))
            return FAIL(c, drive, "drive: \"%.100s\" has two gates; leave one", drive->def.target);
        wall->open = drive->def.start;
        wall->close = drive->def.end;
    }
    if (t.wall >= 0)
        return TS_OK;
    TS_TRY(set_indices(c, &model->body_gate, t, model->gate_count, drive));
    model->gate[model->gate_count++] = (ts_gate){drive->def.start, drive->def.end};
    return TS_OK;
}

/* Two copies of the keyframes: one with x, y and the angle, one with z as its x. */
static ts_status copy_keys(ts_space_compiler *c, const ts_drive3_def *def, ts_motion3 *motion)
{
    const size_t n = def->key_count;
    if (n == 0)
        return TS_OK;
    motion->across.key = ts_model_take(c->model, n, sizeof *motion->across.key);
    motion->along.key = ts_model_take(c->model, n, sizeof *motion->along.key);
    if (!motion->across.key || !motion->along.key)
        return ts_fail_memory(c->error, 2 * n * sizeof *motion->across.key);
    for (size_t i = 0; i < n; i++) {
        const ts_keyframe3 *key = &def->key[i];
        motion->across.key[i] = (ts_keyframe){key->time, {key->displacement[0], key->displacement[1]}, key->angle};
        motion->along.key[i] = (ts_keyframe){key->time, {key->displacement[2], 0}, 0};
    }
    motion->across.key_count = motion->along.key_count = n;
    return TS_OK;
}

/* Of bodies their mean position; of walls that of their poses, so that of a room its middle. */
static ts_vec3 middle_of(const ts_model *model, target t)
{
    ts_vec3 sum = {0, 0, 0};
    size_t count = 0;
    for (size_t i = t.begin; i < t.end; i++, count++) {
        const double *p = model->body3[i].position;
        sum = ts_vec3_add(sum, (ts_vec3){p[0], p[1], p[2]});
    }
    for (size_t i = 0; t.wall >= 0 && i < model->wall_count; i++)
        if (model->wall[i].source == t.wall) {
            sum = ts_vec3_add(sum, model->wall[i].pose.position);
            count++;
        }
    return count > 0 ? ts_vec3_scale(sum, 1 / (double)count) : sum;
}

static ts_status add_motion(ts_space_compiler *c, target t, const ts_scene_drive3 *drive)
{
    ts_model *model = c->model;
    const ts_drive3_def *d = &drive->def;
    const ts_motion common = {.kind = d->kind, .start = d->start, .end = d->end};
    ts_motion3 *motion = &model->motion3[model->motion3_count];
    *motion =
        (ts_motion3){common, common, {d->pivot[0], d->pivot[1], d->pivot[2]}, {d->axis[0], d->axis[1], d->axis[2]}};
    if (isnan(d->pivot[0]) || isnan(d->pivot[1]) || isnan(d->pivot[2]))
        motion->pivot = middle_of(model, t);
    if (d->kind == TS_DRIVE_ROTATION)
        motion->across.rate = d->rate;
    if (d->kind == TS_DRIVE_VELOCITY) {
        motion->across.vx = d->velocity[0];
        motion->across.vy = d->velocity[1];
        motion->along.vx = d->velocity[2];
    }
    if (d->kind == TS_DRIVE_OSCILLATION) {
        motion->across.amplitude_x = d->amplitude[0];
        motion->across.amplitude_y = d->amplitude[1];
        motion->across.angle_amplitude = d->angle_amplitude;
        motion->along.amplitude_x = d->amplitude[2];
        motion->across.frequency = motion->along.frequency = d->frequency;
        motion->across.phase = motion->along.phase = d->phase;
    }
    model->motion3_count++; /* from here on the model frees it */
    if (d->kind == TS_DRIVE_KEYFRAMES)
        TS_TRY(copy_keys(c, d, motion));
    for (size_t i = 0; t.wall >= 0 && i < model->wall_count; i++) {
        ts_wall3 *wall = &model->wall[i];
        if (wall->source != t.wall)
            continue;
        if (wall->motion >= 0)
            return FAIL(c, drive, "drive: \"%.100s\" has two drives that move it; leave one", d->target);
        wall->motion = (int32_t)(model->motion3_count - 1);
    }
    return t.wall >= 0 ? TS_OK : set_indices(c, &model->body_motion, t, model->motion3_count - 1, drive);
}

ts_status ts_script3_compile(ts_space_compiler *c)
{
    const size_t n = c->scene->drive3.count;
    c->model->motion3 = ts_model_take(c->model, n, sizeof *c->model->motion3);
    c->model->gate = ts_model_take(c->model, n, sizeof *c->model->gate);
    if (!c->model->motion3 || !c->model->gate)
        return ts_fail_memory(c->error, n * sizeof *c->model->motion3);
    for (size_t i = 0; i < n; i++) {
        const ts_scene_drive3 *drive = &c->scene->drive3.item[i];
        target t;
        TS_TRY(find_target(c, drive, &t));
        TS_TRY(drive->def.kind == TS_DRIVE_GATE ? add_gate(c, t, drive) : add_motion(c, t, drive));
    }
    return TS_OK;
}
