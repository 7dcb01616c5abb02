/* SPDX-License-Identifier: MIT */
#include "scene/script.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "scene/compile.h"
#include "scene/derive.h"

/* How far a driven thing may move in a step, as a share of the smallest free radius: what it meets must overlap it on the
 * near side of its centre, with room for a motion of its own. */
#define DRIVEN_SHARE_MAX        0.5

#define FAIL(error, drive, ...) ts_fail_at(error, TS_BAD_INPUT, (drive)->place, __VA_ARGS__)

/* What a drive moves: a boundary, or the bodies begin … end-1. */
typedef struct target {
    int32_t boundary; /* -1: bodies */
    size_t begin, end;
} target;

/* The message for an unknown target, with the name that was perhaps meant. */
static ts_status unknown_target(const ts_scene *scene, const ts_scene_drive *drive, ts_error *error)
{
    const ts_names *names = &scene->target_name;
    const char *nearest = NULL;
    for (size_t i = 0; i < names->capacity && !nearest; i++)
        if (names->slot[i].text)
            nearest = ts_nearest_name(drive->def.target, &names->slot[i].text, 1);
    if (nearest)
        return FAIL(error, drive, "drive: nothing is named \"%s\"; did you mean \"%s\"?", drive->def.target, nearest);
    return FAIL(error, drive, "drive: nothing is named \"%s\"; name the body, boundary or generator that it moves",
                drive->def.target);
}

static ts_status find_target(const ts_scene *scene, const ts_scene_drive *drive, const size_t *generator_begin,
                             target *out, ts_error *error)
{
    const ts_name *name = ts_names_find(&scene->target_name, drive->def.target);
    if (!name)
        return unknown_target(scene, drive, error);
    size_t i = (size_t)name->index;
    bool fixed = true;
    if (name->kind == TS_NAME_BOUNDARY) {
        *out = (target){name->index, 0, 0};
    } else if (name->kind == TS_NAME_BODY) {
        fixed = scene->body.item[i].def.fixed;
        *out = (target){-1, i, i + 1};
    } else {
        fixed = scene->generator.item[i].def.fixed;
        *out = (target){-1, generator_begin[i], generator_begin[i + 1]};
    }
    if (!fixed)
        return FAIL(error, drive, "drive: \"%s\" moves by itself; make it fixed to move it by a drive",
                    drive->def.target);
    return TS_OK;
}

/* An index for each body, -1 at first. */
static ts_status need_indices(ts_model *m, int32_t **index, ts_error *error)
{
    if (*index)
        return TS_OK;
    *index = ts_model_take(m, m->body_count, sizeof **index);
    if (!*index)
        return ts_fail_memory(error, m->body_count * sizeof **index);
    memset(*index, 0xff, m->body_count * sizeof **index);
    return TS_OK;
}

/* Gives the target's bodies their index, unless one has an index already. */
static ts_status set_indices(int32_t *index, target t, size_t value, const ts_scene_drive *drive, ts_error *error)
{
    for (size_t i = t.begin; i < t.end; i++)
        if (index[i] >= 0)
            return FAIL(error, drive, "drive: \"%s\" has two %s; leave one", drive->def.target,
                        drive->def.kind == TS_DRIVE_GATE ? "gates" : "drives that move it");
    for (size_t i = t.begin; i < t.end; i++)
        index[i] = (int32_t)value;
    return TS_OK;
}

static ts_status add_gate(ts_model *m, target t, const ts_scene_drive *drive, ts_error *error)
{
    if (t.boundary >= 0) {
        ts_boundary *b = &m->boundary[t.boundary];
        if (isfinite(b->open))
            return FAIL(error, drive, "drive: \"%s\" has two gates; leave one", drive->def.target);
        b->open = drive->def.start;
        b->close = drive->def.end;
        return TS_OK;
    }
    TS_TRY(need_indices(m, &m->body_gate, error));
    TS_TRY(set_indices(m->body_gate, t, m->gate_count, drive, error));
    m->gate[m->gate_count++] = (ts_gate){drive->def.start, drive->def.end};
    return TS_OK;
}

static ts_status add_motion(ts_model *m, target t, const ts_scene_drive *drive, ts_error *error)
{
    const ts_drive_def *d = &drive->def;
    ts_motion motion = {
        .kind = d->kind, .start = d->start, .end = d->end, .pivot_x = d->pivot[0], .pivot_y = d->pivot[1]};
    switch (d->kind) { /* fields of other kinds stay 0: they were not checked */
    case TS_DRIVE_ROTATION:
        motion.rate = d->rate;
        break;
    case TS_DRIVE_OSCILLATION:
        motion.amplitude_x = d->amplitude[0];
        motion.amplitude_y = d->amplitude[1];
        motion.angle_amplitude = d->angle_amplitude;
        motion.frequency = d->frequency;
        motion.phase = d->phase;
        break;
    case TS_DRIVE_VELOCITY:
        motion.vx = d->velocity[0];
        motion.vy = d->velocity[1];
        break;
    case TS_DRIVE_KEYFRAMES:
    case TS_DRIVE_GATE:
        break;
    }
    if (t.boundary >= 0) {
        if (m->boundary[t.boundary].motion >= 0)
            return FAIL(error, drive, "drive: \"%s\" has two drives that move it; leave one", d->target);
        m->boundary[t.boundary].motion = (int32_t)m->motion_count;
    } else {
        TS_TRY(need_indices(m, &m->body_motion, error));
        TS_TRY(set_indices(m->body_motion, t, m->motion_count, drive, error));
    }
    if (d->key_count > 0) {
        motion.key = ts_model_take(m, d->key_count, sizeof *motion.key);
        if (!motion.key)
            return ts_fail_memory(error, d->key_count * sizeof *motion.key);
        memcpy(motion.key, d->key, d->key_count * sizeof *motion.key);
        motion.key_count = d->key_count;
    }
    m->motion[m->motion_count++] = motion;
    return TS_OK;
}

ts_status ts_script_compile(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error)
{
    size_t n = scene->drive.count;
    if (n == 0)
        return TS_OK;
    model->motion = ts_model_take(model, n, sizeof *model->motion);
    model->gate = ts_model_take(model, n, sizeof *model->gate);
    if (!model->motion || !model->gate)
        return ts_fail_memory(error, n * (sizeof *model->motion + sizeof *model->gate));
    for (size_t i = 0; i < n; i++) {
        const ts_scene_drive *drive = &scene->drive.item[i];
        target t = {-1, 0, 0};
        TS_TRY(find_target(scene, drive, generator_begin, &t, error));
        TS_TRY(drive->def.kind == TS_DRIVE_GATE ? add_gate(model, t, drive, error)
                                                : add_motion(model, t, drive, error));
    }
    return TS_OK;
}

void ts_script_pivots(const ts_scene *scene, const size_t *generator_begin, ts_model *model)
{
    size_t motion_count = 0;
    for (size_t d = 0; d < scene->drive.count; d++) {
        const ts_scene_drive *drive = &scene->drive.item[d];
        if (drive->def.kind == TS_DRIVE_GATE)
            continue;
        ts_motion *motion = &model->motion[motion_count++];
        target t = {-1, 0, 0};
        if (!isnan(motion->pivot_x) || find_target(scene, drive, generator_begin, &t, NULL) != TS_OK)
            continue;
        double x = 0, y = 0, count = (double)(t.end - t.begin);
        for (size_t i = t.begin; i < t.end; i++) {
            x += model->body[i].x / count;
            y += model->body[i].y / count;
        }
        motion->pivot_x = t.boundary >= 0 ? model->boundary[t.boundary].x : x;
        motion->pivot_y = t.boundary >= 0 ? model->boundary[t.boundary].y : y;
    }
}

double ts_script_body_speed(const ts_model *m, size_t i)
{
    if (!m->body_motion || m->body_motion[i] < 0)
        return 0;
    ts_pose2 rest = {m->body[i].x, m->body[i].y, m->body[i].angle};
    return ts_motion_speed_bound(&m->motion[m->body_motion[i]], rest, m->body[i].radius);
}

double ts_script_boundary_speed(const ts_model *m, size_t k)
{
    const ts_boundary *wall = &m->boundary[k];
    if (wall->motion < 0)
        return 0;
    double reach = wall->radius;
    for (size_t i = 0; i < m->body_count && wall->kind == TS_BOUNDARY_HALF_PLANE; i++)
        if (m->body[i].inv_mass > 0)
            reach = fmax(reach, hypot(m->body[i].x - wall->x, m->body[i].y - wall->y) + m->body[i].radius);
    return ts_motion_speed_bound(&m->motion[wall->motion], (ts_pose2){wall->x, wall->y, 0}, reach);
}

ts_status ts_script_check_speeds(const ts_scene *scene, const size_t *generator_begin, const ts_model *model,
                                 ts_error *error)
{
    if (model->motion_count == 0)
        return TS_OK;
    double radius = ts_derive_smallest_free(model), step = model->settings.time_step;
    for (size_t d = 0; d < scene->drive.count; d++) {
        const ts_scene_drive *drive = &scene->drive.item[d];
        if (drive->def.kind == TS_DRIVE_GATE)
            continue;
        target t = {-1, 0, 0};
        TS_TRY(find_target(scene, drive, generator_begin, &t, error));
        double speed = t.boundary >= 0 ? ts_script_boundary_speed(model, (size_t)t.boundary) : 0;
        for (size_t i = t.begin; i < t.end; i++)
            speed = fmax(speed, ts_script_body_speed(model, i));
        if (speed * step > DRIVEN_SHARE_MAX * radius)
            return FAIL(
                error, drive,
                "drive: \"%s\" moves at up to %g m/s, %g m in a time step of %g s, and could pass through bodies "
                "with discs of radius %g m; slow it down, or take a time_step of at most %g s",
                drive->def.target, speed, speed * step, step, radius, DRIVEN_SHARE_MAX * radius / speed);
    }
    return TS_OK;
}
