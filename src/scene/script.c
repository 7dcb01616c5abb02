/* SPDX-License-Identifier: MIT */
#include "scene/script.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "dynamics/derive.h"
#include "dynamics/dynamics.h"
#include "scene/compile.h"
#include "world.h"

/* How far a driven thing may move in a step, as a share of the smallest free radius: what it meets must overlap it on
 * the near side of its centre, with room for a motion of its own. */
#define DRIVEN_SHARE_MAX        0.5

#define FAIL(error, drive, ...) ts_fail_at(error, TS_BAD_INPUT, (drive)->place, __VA_ARGS__)

/* What a drive moves: a wall of the scene, or the bodies begin … end-1. */
typedef struct target {
    int32_t wall; /* of the scene: a room is six of the model; -1: bodies */
    size_t begin, end;
} target;

typedef struct script {
    const ts_scene *scene;
    const size_t *generator_begin;
    ts_model *model;
    ts_error *error;
} script;

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
    return FAIL(error, drive, "drive: nothing is named \"%s\"; name the body, wall or generator that it moves",
                drive->def.target);
}

static ts_status find_target(const script *s, const ts_scene_drive *drive, target *out)
{
    const ts_scene *scene = s->scene;
    const ts_name *name = ts_names_find(&scene->target_name, drive->def.target);
    if (!name)
        return unknown_target(scene, drive, s->error);
    size_t i = (size_t)name->index;
    bool fixed = true;
    if (name->kind == TS_NAME_WALL) {
        *out = (target){name->index, 0, 0};
    } else if (name->kind == TS_NAME_BODY) {
        fixed = scene->body.item[i].def.fixed;
        *out = (target){-1, i, i + 1};
    } else {
        fixed = scene->generator.item[i].def.fixed;
        *out = (target){-1, s->generator_begin[i], s->generator_begin[i + 1]};
    }
    if (!fixed)
        return FAIL(s->error, drive, "drive: \"%s\" moves by itself; make it fixed to move it by a drive",
                    drive->def.target);
    return TS_OK;
}

static ts_status has_two(const script *s, const ts_scene_drive *drive)
{
    return FAIL(s->error, drive, "drive: \"%s\" has two %s; leave one", drive->def.target,
                drive->def.kind == TS_DRIVE_GATE ? "gates" : "drives that move it");
}

/* Gives the target's bodies their index, unless one has an index already. The indices of all bodies are -1 at first. */
static ts_status set_indices(const script *s, int32_t **index, target t, size_t value, const ts_scene_drive *drive)
{
    const size_t n = s->model->body_count;
    if (!*index) {
        TS_TRY(ts_model_take(s->model, index, n, s->error));
        memset(*index, 0xff, n * sizeof **index);
    }
    for (size_t i = t.begin; i < t.end; i++)
        if ((*index)[i] >= 0)
            return has_two(s, drive);
    for (size_t i = t.begin; i < t.end; i++)
        (*index)[i] = (int32_t)value;
    return TS_OK;
}

static ts_status add_gate(const script *s, target t, const ts_scene_drive *drive)
{
    for (size_t i = 0; i < s->model->wall_count; i++) {
        ts_wall *wall = &s->model->wall[i];
        if (wall->source != t.wall)
            continue;
        if (isfinite(wall->open))
            return has_two(s, drive);
        wall->open = drive->def.start;
        wall->close = drive->def.end;
    }
    if (t.wall >= 0)
        return TS_OK;
    TS_TRY(set_indices(s, &s->model->body_gate, t, s->model->gate_count, drive));
    s->model->gate[s->model->gate_count++] = (ts_gate){drive->def.start, drive->def.end};
    return TS_OK;
}

static ts_status add_motion(const script *s, target t, const ts_scene_drive *drive)
{
    const ts_drive_def *d = &drive->def;
    const size_t own = s->model->motion_count;
    ts_motion *motion = &s->model->motion[own];
    for (size_t i = 0; i < s->model->wall_count; i++) {
        ts_wall *wall = &s->model->wall[i];
        if (wall->source != t.wall)
            continue;
        if (wall->motion >= 0)
            return has_two(s, drive);
        wall->motion = (int32_t)own;
    }
    if (t.wall < 0)
        TS_TRY(set_indices(s, &s->model->body_motion, t, own, drive));
    *motion = ts_motion_of(d);
    if (d->key_count > 0) {
        TS_TRY(ts_model_take(s->model, &motion->key, d->key_count, s->error));
        memcpy(motion->key, d->key, d->key_count * sizeof *motion->key);
        motion->key_count = d->key_count;
    }
    s->model->motion_count++;
    return TS_OK;
}

ts_status ts_script_compile(const ts_scene *scene, const size_t *generator_begin, ts_model *model, ts_error *error)
{
    const script s = {scene, generator_begin, model, error};
    size_t n = scene->drive.count;
    if (n == 0)
        return TS_OK;
    TS_TRY(ts_model_take(model, &model->motion, n, error));
    TS_TRY(ts_model_take(model, &model->gate, n, error));
    for (size_t i = 0; i < n; i++) {
        const ts_scene_drive *drive = &scene->drive.item[i];
        target t = {-1, 0, 0};
        TS_TRY(find_target(&s, drive, &t));
        TS_TRY(drive->def.kind == TS_DRIVE_GATE ? add_gate(&s, t, drive) : add_motion(&s, t, drive));
    }
    return TS_OK;
}

/* Of bodies their mean position; of walls that of their own, so that of a room its middle. */
static ts_vec3 middle_of(const ts_model *m, target t)
{
    ts_vec3 sum = {0, 0, 0};
    size_t count = 0;
    const double bodies = (double)(t.end - t.begin);
    for (size_t i = t.begin; i < t.end; i++) {
        ts_vec3 p = m->world->start(m, i).position;
        sum = ts_vec3_add(sum, (ts_vec3){p.x / bodies, p.y / bodies, p.z / bodies});
    }
    for (size_t i = 0; i < m->wall_count; i++)
        if (m->wall[i].source == t.wall) {
            sum = ts_vec3_add(sum, m->wall[i].pose.position);
            count++;
        }
    return count > 1 ? ts_vec3_scale(sum, 1 / (double)count) : sum;
}

void ts_script_pivots(const ts_scene *scene, const size_t *generator_begin, ts_model *model)
{
    const script s = {scene, generator_begin, model, NULL};
    size_t motion_count = 0;
    for (size_t d = 0; d < scene->drive.count; d++) {
        const ts_scene_drive *drive = &scene->drive.item[d];
        if (drive->def.kind == TS_DRIVE_GATE)
            continue;
        ts_motion *motion = &model->motion[motion_count++];
        target t = {-1, 0, 0};
        if (isnan(motion->pivot.x) && find_target(&s, drive, &t) == TS_OK)
            motion->pivot = middle_of(model, t);
    }
}

ts_pose2 ts_script_pose_at_start(const ts_motion *motion, ts_pose2 rest, bool *known)
{
    ts_motion own = *motion;
    bool open = isnan(own.pivot.x);
    if (open)
        own.pivot = (ts_vec3){rest.x, rest.y, 0};
    ts_pose2 pose = ts_motion_pose(&own, rest, 0);
    if (known)
        *known = !open || pose.angle == rest.angle;
    return pose;
}

static double body_speed(const ts_model *m, size_t i)
{
    if (!m->body_motion || m->body_motion[i] < 0)
        return 0;
    return ts_motion_speed_bound(&m->motion[m->body_motion[i]], m->world->start(m, i).position, ts_model_radius(m, i));
}

/* Of a wall that bodies reach anywhere: as far as they are now. */
static double wall_speed(const ts_model *m, size_t k)
{
    const ts_wall *wall = &m->wall[k];
    if (wall->motion < 0)
        return 0;
    const bool ends = wall->radius > 0;
    double reach = wall->radius;
    for (size_t i = 0; i < m->body_count && !ends; i++)
        if (ts_model_moves(m, i)) {
            const ts_vec3 way = ts_vec3_sub(m->world->start(m, i).position, wall->pose.position);
            reach = fmax(reach, hypot(hypot(way.x, way.y), way.z) + ts_model_radius(m, i));
        }
    return ts_motion_speed_bound(&m->motion[wall->motion], wall->pose.position, reach);
}

double ts_script_speed(const ts_model *m)
{
    double speed = 0;
    for (size_t i = 0; m->body_motion && i < m->body_count; i++)
        speed = fmax(speed, body_speed(m, i));
    for (size_t k = 0; k < m->wall_count; k++)
        speed = fmax(speed, wall_speed(m, k));
    return speed;
}

ts_status ts_script_check_speeds(const ts_scene *scene, const size_t *generator_begin, const ts_model *model,
                                 ts_error *error)
{
    if (model->motion_count == 0)
        return TS_OK;
    const script s = {.scene = scene, .generator_begin = generator_begin, .error = error};
    const double radius = ts_smallest_free(model), whole = model->settings.time_step,
                 step = model->resolver->finest_step ? model->resolver->finest_step(model) : whole;
    for (size_t d = 0; d < scene->drive.count; d++) {
        const ts_scene_drive *drive = &scene->drive.item[d];
        if (drive->def.kind == TS_DRIVE_GATE)
            continue;
        target t = {-1, 0, 0};
        TS_TRY(find_target(&s, drive, &t));
        double speed = t.wall >= 0 ? wall_speed(model, (size_t)t.wall) : 0;
        for (size_t i = t.begin; i < t.end; i++)
            speed = fmax(speed, body_speed(model, i));
        if (speed * step > DRIVEN_SHARE_MAX * radius)
            return FAIL(
                error, drive,
                "drive: \"%s\" moves at up to %g m/s, %g m in a time step of %g s, and could pass through bodies "
                "with discs of radius %g m; slow it down, or take a time_step of at most %g s",
                drive->def.target, speed, speed * whole, whole, radius,
                DRIVEN_SHARE_MAX * radius / speed * (whole / step));
    }
    return TS_OK;
}
