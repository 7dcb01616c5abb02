/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "space_step.h"

/* Scripted bodies begin where their script has them at time 0, which need not be their rest pose. */
static void place_driven(const ts_model *model, ts_body *body)
{
    for (size_t i = 0; model->body_motion && i < model->body_count; i++) {
        if (model->body_motion[i] < 0)
            continue;
        const ts_motion *motion = &model->motion[model->body_motion[i]];
        ts_pose2 pose = ts_motion_pose(motion, (ts_pose2){body[i].x, body[i].y, body[i].angle}, 0);
        body[i].x = pose.x;
        body[i].y = pose.y;
        body[i].angle = pose.angle;
    }
}

ts_status ts_state_create(const ts_model *model, ts_state **out, ts_error *error)
{
    ts_state *state = ts_alloc(1, sizeof *state);
    if (!state)
        return ts_fail_memory(error, sizeof *state);
    state->model = model;
    state->drift_bound = (double)INFINITY;
    state->reference_skin = model->settings.skin;
    state->body = ts_alloc_raw(model->body_count, sizeof *state->body);
    state->reference = ts_alloc(model->body_count, sizeof *state->reference);
    if (model->body_count > 0 && (!state->body || !state->reference)) {
        ts_state_free(state);
        return ts_fail_memory(error, model->body_count * (sizeof *state->body + sizeof *state->reference));
    }
    if (model->body_count > 0)
        memcpy(state->body, model->body, model->body_count * sizeof *state->body);
    place_driven(model, state->body);
    ts_status status = model->space ? ts_space_state_create(state, error) : TS_OK;
    if (status != TS_OK) {
        ts_state_free(state);
        return status;
    }
    *out = state;
    return TS_OK;
}

void ts_state_free(ts_state *state)
{
    if (!state)
        return;
    ts_free(state->body);
    ts_free(state->reference);
    ts_free(state->spring);
    ts_free(state->wall_spring);
    ts_free(state->body3);
    ts_array_free(&state->past3);
    ts_free(state);
}

static ts_status reserve_springs(double **spring, size_t *capacity, size_t count, size_t needed, ts_error *error)
{
    if (*spring && needed <= *capacity)
        return TS_OK;
    /* a little room: the count of pairs wavers from list to list; never NULL, even for none */
    size_t room = needed + needed / 8 + 1;
    double *grown = ts_realloc(*spring, count * sizeof *grown, room * sizeof *grown);
    if (!grown)
        return ts_fail_memory(error, room * sizeof *grown);
    *spring = grown;
    *capacity = room;
    return TS_OK;
}

ts_status ts_state_reserve(ts_state *state, size_t pair_count, size_t wall_count, ts_error *error)
{
    TS_TRY(reserve_springs(&state->spring, &state->pair_capacity, state->pair_count, pair_count, error));
    return reserve_springs(&state->wall_spring, &state->wall_capacity, state->wall_count, wall_count, error);
}

ts_status ts_state_copy(ts_state *to, const ts_state *from, ts_error *error)
{
    if (to->model != from->model && to->model->hash != from->model->hash)
        return ts_fail(error, TS_BAD_INPUT,
                       "the two states belong to different models; copy only between states of one");
    TS_TRY(ts_state_reserve(to, from->pair_count, from->wall_count, error));
    TS_TRY(ts_array_reserve(&to->past3, from->past3.count, error));
    size_t n = from->model->body_count;
    to->step = from->step;
    to->reference_time = from->reference_time;
    to->reference_skin = from->reference_skin;
    to->reference_hash = from->reference_hash;
    to->drift_bound = from->drift_bound;
    to->budget = from->budget;
    to->pair_count = from->pair_count;
    to->wall_count = from->wall_count;
    if (n > 0) {
        memcpy(to->body, from->body, n * sizeof *to->body);
        memcpy(to->reference, from->reference, n * sizeof *to->reference);
    }
    if (from->model->space)
        memcpy(to->body3, from->body3, from->model->space->body_count * sizeof *to->body3);
    if (from->past3.count > 0)
        memcpy(to->past3.item, from->past3.item, from->past3.count * sizeof *to->past3.item);
    to->past3.count = from->past3.count;
    if (from->pair_count > 0)
        memcpy(to->spring, from->spring, from->pair_count * sizeof *to->spring);
    if (from->wall_count > 0)
        memcpy(to->wall_spring, from->wall_spring, from->wall_count * sizeof *to->wall_spring);
    return TS_OK;
}

uint64_t ts_state_hash(const ts_state *state)
{
    size_t n = state->model->body_count;
    ts_hash_stream stream;
    ts_hash_begin(&stream, 0);
    ts_hash_add(&stream, &state->step, sizeof state->step);
    ts_hash_add(&stream, state->body, n * sizeof *state->body);
    ts_hash_add(&stream, state->reference, n * sizeof *state->reference);
    ts_hash_add(&stream, &state->reference_time, sizeof state->reference_time);
    ts_hash_add(&stream, state->spring, state->pair_count * sizeof *state->spring);
    ts_hash_add(&stream, state->wall_spring, state->wall_count * sizeof *state->wall_spring);
    if (state->model->space)
        ts_hash_add(&stream, state->body3, state->model->space->body_count * sizeof *state->body3);
    if (state->past3.count > 0 || state->model->space)
        ts_hash_add(&stream, state->past3.item, state->past3.count * sizeof *state->past3.item);
    return ts_hash_end(&stream);
}

ts_advice ts_step_advice(const ts_model *model)
{
    ts_advice a;
    const bool springs = model->space && model->space->spring_count > 0;
    if (isfinite(model->stable_step))
        snprintf(a.text, sizeof a.text, "the time step is %.3g s, the stable limit %s%.3g s: lower time_step or %s",
                 model->settings.time_step, springs ? "of the springs " : "", model->stable_step,
                 springs ? "the springs' stiffness" : "the stiffness");
    else
        snprintf(a.text, sizeof a.text, "the time step is %.3g s: lower time_step", model->settings.time_step);
    return a;
}

double ts_state_time(const ts_state *state)
{
    return ts_time_of_step(state->model, state->step);
}

uint64_t ts_state_steps(const ts_state *state)
{
    return state->step;
}

const ts_body *ts_state_bodies(const ts_state *state)
{
    return state->body;
}

/* Three finite numbers of sane size for a body that exists. */
static ts_status check_setter(const ts_state *state, size_t body, const char *what, double a, double b, double c,
                              ts_error *error)
{
    if (body >= state->model->body_count)
        return ts_fail(error, TS_BAD_INPUT, "there is no body %zu; the model has %zu, numbered from 0", body,
                       state->model->body_count);
    if (!(fabs(a) <= 1e150 && fabs(b) <= 1e150 && fabs(c) <= 1e150))
        return ts_fail(error, TS_BAD_INPUT,
                       "the %s (%g, %g, %g) of body %zu is not finite or absurdly large; nothing was changed", what, a,
                       b, c, body);
    if (state->model->body_motion && state->model->body_motion[body] >= 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "body %zu is moved by a drive, which sets its %s in every step; change the drive instead", body,
                       what);
    return TS_OK;
}

ts_status ts_state_set_pose(ts_state *state, size_t body, double x, double y, double angle, ts_error *error)
{
    TS_TRY(check_setter(state, body, "pose", x, y, angle, error));
    state->body[body].x = x;
    state->body[body].y = y;
    state->body[body].angle = angle;
    state->drift_bound = (double)INFINITY; /* it may have left the reach of the pair list */
    return TS_OK;
}

ts_status ts_state_set_velocity(ts_state *state, size_t body, double vx, double vy, double spin, ts_error *error)
{
    TS_TRY(check_setter(state, body, "velocity", vx, vy, spin, error));
    state->body[body].vx = vx;
    state->body[body].vy = vy;
    state->body[body].spin = spin;
    return TS_OK;
}
