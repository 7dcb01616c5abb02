/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/release.h"
#include "dynamics/dynamics.h"
#include "world.h"

ts_status ts_state_create(const ts_model *model, ts_state **out, ts_error *error)
{
    TS_AUTO(ts_state_free_at) ts_state *state = NULL;
    TS_TRY(ts_new(&state, 1, error));
    state->model = model;
    state->drift_bound = (double)INFINITY;
    state->reference_skin = model->settings.skin;
    TS_TRY(model->world->create_state(state, error));
    if (ts_model_holds(model)) {
        TS_TRY(ts_new_raw(&state->onward, model->body_count * (size_t)model->world->v_size, error));
        ts_state_keep_motion(state);
    }
    *out = ts_give(&state);
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
    ts_free(state->onward);
    ts_array_free(&state->history);
    ts_array_free(&state->impulses);
    ts_array_free(&state->still);
    ts_array_free(&state->found);
    ts_free(state);
}

static size_t motion_bytes(const ts_state *state)
{
    return (size_t)state->model->world->v_size * sizeof(double);
}

static size_t onward_bytes(const ts_state *state)
{
    return state->model->body_count * motion_bytes(state);
}

static double *onward_of(ts_state *state, size_t i)
{
    return state->onward + i * (size_t)state->model->world->v_size;
}

void ts_state_let_go(ts_state *state)
{
    for (size_t i = 0; i < state->model->body_count; i++)
        memcpy(ts_state_motion(state, i), onward_of(state, i), motion_bytes(state));
}

void ts_state_keep_motion(ts_state *state)
{
    for (size_t i = 0; i < state->model->body_count; i++)
        memcpy(onward_of(state, i), ts_state_motion(state, i), motion_bytes(state));
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
    TS_TRY(ts_array_reserve(&to->history, from->history.count, error));
    TS_TRY(ts_array_reserve(&to->impulses, from->impulses.count, error));
    TS_TRY(ts_array_reserve(&to->still, from->still.count, error));
    TS_TRY(ts_array_reserve(&to->found, from->found.count, error));
    const size_t n = from->model->body_count;
    to->step = from->step;
    to->reference_time = from->reference_time;
    to->reference_skin = from->reference_skin;
    to->reference_hash = from->reference_hash;
    to->drift_bound = from->drift_bound;
    to->places_room = from->places_room;
    to->places_mark = from->places_mark;
    to->budget = from->budget;
    to->pair_count = from->pair_count;
    to->wall_count = from->wall_count;
    if (from->body) {
        memcpy(to->body, from->body, n * sizeof *to->body);
        memcpy(to->reference, from->reference, n * sizeof *to->reference);
    }
    if (from->body3)
        memcpy(to->body3, from->body3, n * sizeof *to->body3);
    if (from->onward)
        memcpy(to->onward, from->onward, onward_bytes(from));
    if (from->history.count > 0)
        memcpy(to->history.item, from->history.item, from->history.count * sizeof *to->history.item);
    to->history.count = from->history.count;
    if (from->impulses.count > 0)
        memcpy(to->impulses.item, from->impulses.item, from->impulses.count * sizeof *to->impulses.item);
    to->impulses.count = from->impulses.count;
    if (from->still.count > 0)
        memcpy(to->still.item, from->still.item, from->still.count * sizeof *to->still.item);
    to->still.count = from->still.count;
    if (from->found.count > 0)
        memcpy(to->found.item, from->found.item, from->found.count * sizeof *to->found.item);
    to->found.count = from->found.count;
    if (from->pair_count > 0)
        memcpy(to->spring, from->spring, from->pair_count * sizeof *to->spring);
    if (from->wall_count > 0)
        memcpy(to->wall_spring, from->wall_spring, from->wall_count * sizeof *to->wall_spring);
    return TS_OK;
}

uint64_t ts_state_hash(const ts_state *state)
{
    const size_t n = state->model->body_count;
    ts_hash_stream stream;
    ts_hash_begin(&stream, 0);
    ts_hash_add(&stream, &state->step, sizeof state->step);
    if (state->body) {
        ts_hash_add(&stream, state->body, n * sizeof *state->body);
        ts_hash_add(&stream, state->reference, n * sizeof *state->reference);
    }
    ts_hash_add(&stream, &state->reference_time, sizeof state->reference_time);
    ts_hash_add(&stream, state->spring, state->pair_count * sizeof *state->spring);
    ts_hash_add(&stream, state->wall_spring, state->wall_count * sizeof *state->wall_spring);
    if (state->body3)
        ts_hash_add(&stream, state->body3, n * sizeof *state->body3);
    if (state->onward)
        ts_hash_add(&stream, state->onward, onward_bytes(state));
    if (state->history.count > 0)
        ts_hash_add(&stream, state->history.item, state->history.count * sizeof *state->history.item);
    if (state->impulses.count > 0)
        ts_hash_add(&stream, state->impulses.item, state->impulses.count * sizeof *state->impulses.item);
    if (state->places_room > 0)
        ts_hash_add(&stream, &state->places_room, sizeof state->places_room);
    if (state->still.count > 0)
        ts_hash_add(&stream, state->still.item, state->still.count * sizeof *state->still.item);
    if (state->found.count > 0)
        ts_hash_add(&stream, state->found.item, state->found.count * sizeof *state->found.item);
    return ts_hash_end(&stream);
}

ts_advice ts_step_advice(const ts_model *model)
{
    ts_advice a;
    const bool springs = model->spring_count > 0;
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

const ts_body3 *ts_state_bodies3(const ts_state *state)
{
    return state->body3;
}

/* ---- q and v ---- */

static ts_status check_body(const ts_state *state, size_t body, ts_error *error)
{
    if (body < state->model->body_count)
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "there is no body %zu; the model has %zu, numbered from 0", body,
                   state->model->body_count);
}

/* Numbers of sane size for a body that exists and that no script moves. */
static ts_status check_setter(const ts_state *state, size_t body, const char *what, const double *value, int count,
                              ts_error *error)
{
    TS_TRY(check_body(state, body, error));
    for (int i = 0; i < count; i++)
        if (!(fabs(value[i]) <= 1e150))
            return ts_fail(
                error, TS_BAD_INPUT,
                "the %s of body %zu has a number, %g, that is not finite or absurdly large; nothing was changed", what,
                body, value[i]);
    if (state->model->body_motion && state->model->body_motion[body] >= 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "body %zu is moved by a drive, which sets its %s in every step; change the drive instead", body,
                       what);
    return TS_OK;
}

/* What a user was told of the body's velocity is what the next step begins with. It is awake, and places that it had in
 * its sleep may be old. */
static void go_on_from_here(ts_state *state, size_t body)
{
    if (state->onward)
        memcpy(onward_of(state, body), ts_state_motion(state, body), motion_bytes(state));
    if (body >= state->still.count)
        return;
    state->still.item[body] = 0;
    state->places_room = 0;
}

ts_status ts_state_set_pose(ts_state *state, size_t body, const double *q, ts_error *error)
{
    TS_TRY(check_setter(state, body, "pose", q, state->model->world->q_size, error));
    TS_TRY(state->model->world->set_q(state, body, q, error));
    go_on_from_here(state, body);
    return TS_OK;
}

ts_status ts_state_set_velocity(ts_state *state, size_t body, const double *v, ts_error *error)
{
    TS_TRY(check_setter(state, body, "velocity", v, state->model->world->v_size, error));
    state->model->world->set_v(state, body, v);
    go_on_from_here(state, body);
    return TS_OK;
}

ts_status ts_state_pose(const ts_state *state, size_t body, double *q, ts_error *error)
{
    TS_TRY(check_body(state, body, error));
    state->model->world->get_q(state, body, q);
    return TS_OK;
}

ts_status ts_state_velocity(const ts_state *state, size_t body, double *v, ts_error *error)
{
    TS_TRY(check_body(state, body, error));
    state->model->world->get_v(state, body, v);
    return TS_OK;
}

void ts_state_positions(const ts_state *state, double *q)
{
    const ts_world *world = state->model->world;
    for (size_t i = 0; i < state->model->body_count; i++)
        world->get_q(state, i, q + i * (size_t)world->q_size);
}

void ts_state_velocities(const ts_state *state, double *v)
{
    const ts_world *world = state->model->world;
    for (size_t i = 0; i < state->model->body_count; i++)
        world->get_v(state, i, v + i * (size_t)world->v_size);
}
