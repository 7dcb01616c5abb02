/* SPDX-License-Identifier: MIT */
#include "study/balls.h"

#include <stdio.h>
#include <string.h>

#include "base/threads.h"

/* ---- Building ---- */

ts_status ts_balls_open(ts_balls *balls, const ts_balls_wish *wish, ts_error *error)
{
    *balls = (ts_balls){.wish = *wish};
    TS_TRY(ts_rig_open(&balls->rig, wish->gravity, wish->step, error));
    ts_dynamics_def dynamics = ts_default_dynamics();
    dynamics.kind = "impact";
    ts_dynamics_set_text(&dynamics, "operator", wish->by);
    ts_dynamics_set(&dynamics, "staggered", 0); /* friction once, as published */
    TS_TRY(ts_scene_set_dynamics(balls->rig.scene, &dynamics, error));
    ts_material_def material = ts_default_material();
    material.friction = 0;
    material.restitution = wish->restitution;
    TS_TRY(ts_scene_set_default_material(balls->rig.scene, &material, error));
    return ts_scene_add_disc(balls->rig.scene, wish->radius, NULL, error);
}

ts_status ts_balls_add(ts_balls *balls, double x, double y, double vx, double vy, ts_error *error)
{
    ts_body_def body = ts_default_body();
    body.position[0] = x;
    body.position[1] = y;
    body.velocity[0] = vx;
    body.velocity[1] = vy;
    TS_TRY(ts_array_push(&balls->ball, body, error));
    TS_TRY(ts_array_push(&balls->kind, 0, error));
    balls->count++;
    return ts_scene_add_body(balls->rig.scene, &body, NULL, error);
}

ts_status ts_balls_drum(ts_balls *balls, double radius, ts_error *error)
{
    ts_wall_def drum = ts_default_wall();
    drum.kind = TS_WALL_CIRCLE;
    drum.radius = radius;
    return ts_scene_add_wall(balls->rig.scene, &drum, NULL, error);
}

ts_status ts_balls_start(ts_balls *balls, ts_error *error)
{
    TS_TRY(ts_array_reserve(&balls->twin, balls->count, error));
    for (size_t i = 0; i < balls->count; i++)
        balls->twin.item[i] = -1;
    return ts_rig_start(&balls->rig, balls->wish.threads > 0 ? balls->wish.threads : 1, error);
}

void ts_balls_close(ts_balls *balls)
{
    ts_rig_close(&balls->rig);
    ts_array_free(&balls->ball);
    ts_array_free(&balls->kind);
    ts_array_free(&balls->twin);
    ts_array_free(&balls->shot);
    ts_array_free(&balls->shot_time);
}

/* ---- Running ---- */

ts_status ts_balls_step(ts_balls *balls, uint64_t count, ts_error *error)
{
    if (balls->stopped != TS_OK)
        return TS_OK;
    ts_status status = ts_rig_step(&balls->rig, count, error);
    if (status != TS_DIVERGED)
        return status;
    balls->stopped = status;
    snprintf(balls->why, sizeof balls->why, "%.250s", error->message);
    return TS_OK;
}

ts_status ts_balls_shoot(ts_balls *balls, ts_error *error)
{
    TS_TRY(ts_array_push(&balls->shot_time, ts_state_time(balls->rig.state), error));
    TS_TRY(ts_array_reserve(&balls->shot, balls->shot.count + balls->count, error));
    memcpy(balls->shot.item + balls->shot.count, ts_state_bodies(balls->rig.state),
           balls->count * sizeof *balls->shot.item);
    balls->shot.count += balls->count;
    return TS_OK;
}

double ts_balls_kinetic(const ts_balls *balls)
{
    double sum = 0;
    for (size_t i = 0; i < balls->count; i++) {
        const ts_body *b = ts_rig_body(&balls->rig, i);
        sum += 0.5 * ts_model_mass(balls->rig.model, i) * (b->vx * b->vx + b->vy * b->vy);
    }
    return sum;
}

void ts_balls_mirror(ts_balls *balls, bool left_right)
{
    double sx = left_right ? -1 : 1, sy = -sx;
    for (size_t i = 0; i < balls->count; i++)
        for (size_t j = 0; j < balls->count; j++) {
            const ts_body_def *a = &balls->ball.item[i], *b = &balls->ball.item[j];
            if (a->position[0] == sx * b->position[0] && a->position[1] == sy * b->position[1] &&
                a->velocity[0] == sx * b->velocity[0] && a->velocity[1] == sy * b->velocity[1])
                balls->twin.item[i] = (int32_t)j;
        }
}

double ts_balls_asymmetry(const ts_balls *balls, bool left_right)
{
    double sx = left_right ? -1 : 1, sy = -sx, most = 0;
    for (size_t i = 0; i < balls->count; i++) {
        if (balls->twin.item[i] < 0)
            return TS_NONE;
        const ts_body *a = ts_rig_body(&balls->rig, i), *b = ts_rig_body(&balls->rig, (size_t)balls->twin.item[i]);
        most = fmax(most, hypot(a->x - sx * b->x, a->y - sy * b->y));
    }
    return most;
}

/* ---- Side by side ---- */

#define TASKS_MAX 64

typedef struct side_by_side {
    ts_balls_task *task;
    void *context;
    ts_status status[TASKS_MAX];
    ts_error error[TASKS_MAX];
} side_by_side;

static void run_task(void *context, int task, int thread)
{
    (void)thread;
    side_by_side *all = context;
    all->status[task] = all->task(all->context, task, &all->error[task]);
}

ts_status ts_balls_side_by_side(ts_study *study, int count, ts_balls_task *task, void *context, ts_error *error)
{
    if (count > TASKS_MAX)
        return ts_fail(error, TS_BAD_INPUT, "%d runs side by side are more than %d", count, TASKS_MAX);
    ts_pool *pool;
    side_by_side *all;
    TS_TRY(ts_new(&all, 1, error));
    all->task = task;
    all->context = context;
    ts_status status = ts_pool_create(ts_study_threads(study), &pool, error);
    if (status == TS_OK) {
        ts_pool_run(pool, count, run_task, all);
        ts_pool_free(pool);
    }
    for (int i = 0; i < count && status == TS_OK; i++) {
        status = all->status[i];
        if (status != TS_OK)
            *error = all->error[i];
    }
    ts_free(all);
    return status;
}
