/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "workspace.h"

/* ---- Scripts ---- */

void ts_place_walls(const ts_model *model, ts_workspace *work, double time, double part)
{
    for (size_t i = 0; i < model->boundary_count; i++) {
        ts_wall_at(model, i, time, model->settings.time_step, part, &work->wall[i]);
        work->wall_frame[i] = work->wall[i].frame;
    }
}

void ts_drive(const ts_model *model, ts_state *state, ts_workspace *work)
{
    double step = model->settings.time_step;
    double next = ts_time_of_step(model, state->step + 1);
    ts_place_walls(model, work, ts_time_of_step(model, state->step), 0.5);
    for (size_t k = 0; k < work->driven_count; k++) {
        size_t i = work->driven[k];
        ts_body *body = &state->body[i];
        const ts_body *rest = &model->body[i];
        ts_pose2 goal =
            ts_motion_pose(&model->motion[model->body_motion[i]], (ts_pose2){rest->x, rest->y, rest->angle}, next);
        /* from where it is, not from where it should be: rounding does not add up */
        body->vx = (goal.x - body->x) / step;
        body->vy = (goal.y - body->y) / step;
        body->spin = (goal.angle - body->angle) / step;
    }
}

/* ---- Loops over bodies ---- */

typedef struct advance_job {
    const ts_model *model;
    ts_state *state;
    ts_workspace *work;
    bool place;
} advance_job;

typedef struct range {
    size_t begin, end;
} range;

static range chunk_range(const ts_model *model, int chunk)
{
    size_t begin = (size_t)chunk * TS_BODY_CHUNK, end = begin + TS_BODY_CHUNK;
    return (range){begin, end < model->body_count ? end : model->body_count};
}

/* Moves a body by h and returns the square of its fastest point's speed. */
static inline double drift_body(ts_body *body, double h, bool turning)
{
    body->x += h * body->vx;
    body->y += h * body->vy;
    body->angle += h * body->spin;
    double speed2 = body->vx * body->vx + body->vy * body->vy;
    if (turning) {
        double speed = sqrt(speed2) + fabs(body->spin) * body->radius;
        speed2 = speed * speed;
    }
    return speed2;
}

/* Frames of the parts of bodies in a range. */
static void place_range(const ts_model *model, const ts_state *state, ts_workspace *work, range r)
{
    const int32_t *slot = work->pairs.slot_of_part;
    if (model->parts_are_bodies) {
        for (size_t i = r.begin; i < r.end; i++) {
            work->part[slot[i]] = state->body[i];
            work->wrench[slot[i]] = (ts_wrench){0};
        }
        return;
    }
    for (size_t i = r.begin; i < r.end; i++) {
        const ts_body *body = &state->body[i];
        double c = cos(body->angle), s = sin(body->angle);
        for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
            double ox = c * model->part_x[p] - s * model->part_y[p], oy = s * model->part_x[p] + c * model->part_y[p];
            work->part[slot[p]] = (ts_frame2){.x = body->x + ox,
                                              .y = body->y + oy,
                                              .angle = body->angle,
                                              .radius = model->part_radius[p],
                                              .vx = body->vx - body->spin * oy,
                                              .vy = body->vy + body->spin * ox,
                                              .spin = body->spin,
                                              .inv_mass = body->inv_mass};
            work->wrench[slot[p]] = (ts_wrench){0};
        }
    }
}

static void first_half(void *context, int chunk, int thread)
{
    (void)thread;
    const advance_job *job = context;
    const ts_model *model = job->model;
    range r = chunk_range(model, chunk);
    double h = 0.5 * model->settings.time_step, most = 0;
    for (size_t i = r.begin; i < r.end; i++) {
        double speed2 = drift_body(&job->state->body[i], h, !model->parts_are_bodies);
        most = speed2 > most ? speed2 : most;
    }
    job->work->chunk[chunk].max_speed = sqrt(most);
    if (job->place)
        place_range(model, job->state, job->work, r);
}

static void place_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const advance_job *job = context;
    place_range(job->model, job->state, job->work, chunk_range(job->model, chunk));
}

/* The force and torque on a body from its parts, in the order of the parts. */
static inline ts_wrench body_wrench(const ts_model *model, const ts_body *body, const ts_workspace *work, size_t i)
{
    const int32_t *slot = work->pairs.slot_of_part;
    if (model->parts_are_bodies)
        return work->wrench[slot[i]];
    ts_wrench sum = {0};
    for (size_t p = model->part_begin[i]; p < model->part_begin[i + 1]; p++) {
        const ts_wrench *w = &work->wrench[slot[p]];
        const ts_frame2 *part = &work->part[slot[p]];
        sum.fx += w->fx;
        sum.fy += w->fy;
        sum.torque += w->torque + (part->x - body->x) * w->fy - (part->y - body->y) * w->fx;
    }
    return sum;
}

static void second_half(void *context, int chunk, int thread)
{
    (void)thread;
    const advance_job *job = context;
    const ts_model *model = job->model;
    range r = chunk_range(model, chunk);
    double dt = model->settings.time_step, most = 0;
    double gx = model->settings.gravity[0], gy = model->settings.gravity[1];
    int64_t runaway = -1;
    for (size_t i = r.begin; i < r.end; i++) {
        ts_body *body = &job->state->body[i];
        if (body->inv_mass > 0) {
            ts_wrench w = body_wrench(model, body, job->work, i);
            body->vx += dt * (w.fx * body->inv_mass + gx);
            body->vy += dt * (w.fy * body->inv_mass + gy);
            body->spin += dt * (w.torque * model->inv_inertia[i]);
        }
        double speed2 = drift_body(body, 0.5 * dt, !model->parts_are_bodies);
        most = speed2 > most ? speed2 : most;
        /* a body that moves by its own radius in a step jumps through others; a NaN fails the comparison too */
        if (!(speed2 * dt * dt <= body->radius * body->radius) || !isfinite(body->spin))
            runaway = runaway < 0 && body->inv_mass > 0 ? (int64_t)i : runaway;
    }
    job->work->chunk[chunk].max_speed = sqrt(most);
    job->work->chunk[chunk].runaway = runaway;
}

/* How far the fastest body got in half a step adds to what any body can have moved since the pair list was made. */
static void widen_drift_bound(const ts_model *model, ts_state *state, const ts_workspace *work)
{
    double fastest = 0;
    for (size_t c = 0; c < work->chunk_count; c++)
        fastest = fmax(fastest, work->chunk[c].max_speed);
    /* a hair more, so that rounding never makes the bound too small */
    state->drift_bound += 0.5 * model->settings.time_step * fastest * (1 + 1e-9);
}

void ts_advance_to_middle(const ts_model *model, ts_state *state, ts_workspace *work, bool place)
{
    advance_job job = {model, state, work, place};
    ts_pool_run_static(work->pool, (int)work->chunk_count, first_half, &job);
    widen_drift_bound(model, state, work);
}

void ts_place_parts(const ts_model *model, const ts_state *state, ts_workspace *work)
{
    advance_job job = {model, (ts_state *)state, work, true};
    ts_pool_run_static(work->pool, (int)work->chunk_count, place_chunk, &job);
}

int64_t ts_advance_to_end(const ts_model *model, ts_state *state, ts_workspace *work)
{
    advance_job job = {model, state, work, false};
    ts_pool_run_static(work->pool, (int)work->chunk_count, second_half, &job);
    widen_drift_bound(model, state, work);
    for (size_t c = 0; c < work->chunk_count; c++)
        if (work->chunk[c].runaway >= 0)
            return work->chunk[c].runaway;
    return -1;
}
