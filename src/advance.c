/* SPDX-License-Identifier: MIT */
#include "advance.h"

#include <math.h>

#include "base/kernel.h"
#include "contact/featured.h"

TS_KERNEL_CHOOSER(ts_advance_kernels, ts_advance)

/* ---- Scripts ---- */

void ts_place_walls(const ts_model *model, ts_workspace *work, double time, double part)
{
    for (size_t i = 0; i < model->wall_count; i++) {
        ts_wall_at(model, i, time, model->settings.time_step, part, &work->wall[i]);
        work->wall_frame[i] = work->wall[i].frame;
    }
}

void ts_drive(const ts_model *model, ts_state *state, ts_workspace *work)
{
    double step = model->settings.time_step;
    double next = ts_time_of_step(model, state->step + 1);
    ts_place_walls(model, work, ts_time_of_step(model, state->step), model->search.at);
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
    const ts_state *state;
    ts_state *changing; /* NULL while only placing */
    ts_workspace *work;
    double h, fall;
} advance_job;

static ts_body_range chunk_range(const ts_model *model, int chunk)
{
    size_t begin = (size_t)chunk * TS_BODY_CHUNK, end = begin + TS_BODY_CHUNK;
    return (ts_body_range){begin, end < model->body_count ? end : model->body_count};
}

static void place_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const advance_job *job = context;
    ts_body_range range = chunk_range(job->model, chunk);
    job->work->chunk[chunk].max_speed =
        job->work->advance->place(job->model, job->state, job->work, range, job->h, job->fall);
}

static void advance_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const advance_job *job = context;
    job->work->chunk[chunk] =
        job->work->advance->advance(job->model, job->changing, job->work, chunk_range(job->model, chunk));
}

/* How far the fastest point gets in h adds to what any can have moved since the pair list was made. */
static void widen(double *drift_bound, const ts_workspace *work, double h)
{
    double fastest = 0;
    for (size_t c = 0; c < work->chunk_count; c++)
        fastest = fmax(fastest, work->chunk[c].max_speed);
    /* a hair more, so that rounding never makes the bound too small */
    *drift_bound += h * fastest * (1 + 1e-9);
}

void ts_place_parts(const ts_model *model, const ts_state *state, ts_workspace *work, double h, double *drift_bound)
{
    double fall = model->search.falling ? 0.5 * h * h : 0;
    advance_job job = {model, state, NULL, work, h, fall};
    ts_pool_run(work->pool, (int)work->chunk_count, place_chunk, &job);
    if (work->featured)
        ts_featured_place(work);
    widen(drift_bound, work, h);
}

int64_t ts_advance(const ts_model *model, ts_state *state, ts_workspace *work)
{
    advance_job job = {model, state, state, work, 0, 0};
    ts_pool_run(work->pool, (int)work->chunk_count, advance_chunk, &job);
    widen(&state->drift_bound, work, 0.5 * model->settings.time_step);
    for (size_t c = 0; c < work->chunk_count; c++)
        if (work->chunk[c].runaway >= 0)
            return work->chunk[c].runaway;
    return -1;
}
