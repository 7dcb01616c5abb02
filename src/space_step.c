/* SPDX-License-Identifier: MIT */
#include "space_step.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"

/* ---- Bodies as the flight knows them ---- */

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

static void put_vec(double to[3], ts_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static ts_pose3 pose_of(const ts_body3 *b)
{
    return (ts_pose3){vec_of(b->position), {b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]}};
}

static void put_pose(ts_body3 *b, ts_pose3 pose)
{
    put_vec(b->position, pose.position);
    memcpy(b->attitude, (double[4]){pose.quat.w, pose.quat.x, pose.quat.y, pose.quat.z}, sizeof b->attitude);
}

static ts_flyer flyer_of(const ts_body3 *b)
{
    return (ts_flyer){pose_of(b), vec_of(b->velocity), vec_of(b->angular_momentum)};
}

static void put_flyer(ts_body3 *b, const ts_flyer *f)
{
    put_pose(b, f->pose);
    put_vec(b->velocity, f->velocity);
    put_vec(b->angular_momentum, f->angular_momentum);
}

/* ---- Scripts ---- */

/* Scripted bodies stand where their script has them when a step begins, with the velocities that take them to where it has them at its end. */
static void drive(const ts_model *model, ts_state *state)
{
    const ts_space *space = model->space;
    const double time = ts_time_of_step(model, state->step);
    for (size_t i = 0; space->body_motion && i < space->body_count; i++) {
        if (space->body_motion[i] < 0)
            continue;
        const ts_motion *motion = &space->motion[space->body_motion[i]];
        ts_pose3 rest = pose_of(&space->body[i]);
        ts_vec3 linear, angular;
        ts_motion_velocity(motion, rest, time, model->settings.time_step, &linear, &angular);
        put_pose(&state->body3[i], ts_motion_pose3(motion, rest, time));
        put_vec(state->body3[i].velocity, linear);
        put_vec(state->body3[i].angular_momentum, angular);
    }
}

/* ---- Flight ---- */

typedef struct flight {
    const ts_model *model;
    ts_state *state;
    double step;
    ts_chunk_report *report;
} flight;

static void fly_task(void *context, int task, int thread)
{
    (void)thread;
    const flight *f = context;
    const ts_space *space = f->model->space;
    size_t begin = (size_t)task * TS_BODY_CHUNK, end = begin + TS_BODY_CHUNK;
    end = end < space->body_count ? end : space->body_count;
    f->report[task].runaway = -1;
    for (size_t i = begin; i < end; i++) {
        ts_body3 *b = &f->state->body3[i];
        if (!(b->inv_mass > 0))
            continue;
        ts_flyer flyer = flyer_of(b);
        ts_error error;
        if (ts_flight_drift(&space->top[i], space->gravity, f->step, &flyer, &error) != TS_OK)
            f->report[task].runaway = (int64_t)i;
        else
            put_flyer(b, &flyer);
    }
}

static ts_status fly(const ts_model *model, ts_state *state, ts_workspace *work, double step, ts_error *error)
{
    const size_t tasks = work->chunk_count;
    flight f = {model, state, step, work->chunk};
    ts_pool_run(work->pool, (int)tasks, fly_task, &f);
    for (size_t i = 0; i < tasks; i++)
        if (work->chunk[i].runaway >= 0) {
            const int64_t id = work->chunk[i].runaway;
            const ts_body3 *b = &state->body3[id];
            return ts_fail(
                error, TS_DIVERGED,
                "body %lld cannot fly on at t = %.9g s (step %llu), at %.4g m/s and %.4g rad/s: numbers are not "
                "finite any more, or it turns too fast for a time step of %.3g s; set a smaller time_step",
                (long long)id, ts_state_time(state), (unsigned long long)state->step,
                ts_vec3_length(vec_of(b->velocity)),
                ts_vec3_length(ts_top_spin(&model->space->top[id], pose_of(b).quat, vec_of(b->angular_momentum))),
                model->settings.time_step);
        }
    return TS_OK;
}

/* ---- Springs ---- */

static ts_pull pull_of(const ts_state *state, const ts_spring *s)
{
    ts_pose3 a = s->a >= 0 ? pose_of(&state->body3[s->a]) : ts_pose3_identity();
    return ts_spring_pull(s, a, pose_of(&state->body3[s->b]));
}

static void kick_body(const ts_space *space, ts_state *state, int32_t i, ts_vec3 impulse, ts_vec3 point)
{
    ts_body3 *b = &state->body3[i];
    if (!(b->inv_mass > 0))
        return;
    ts_flyer flyer = flyer_of(b);
    ts_flight_kick(space->mass[i], impulse, point, &flyer);
    put_flyer(b, &flyer);
}

/* All at the same poses, which kicks leave alone. */
static void kick(const ts_model *model, ts_state *state)
{
    const ts_space *space = model->space;
    for (size_t i = 0; i < space->spring_count; i++) {
        const ts_spring *s = &space->spring[i];
        ts_pull pull = pull_of(state, s);
        ts_vec3 impulse = ts_vec3_scale(pull.force, model->settings.time_step);
        if (s->a >= 0)
            kick_body(space, state, s->a, impulse, pull.point_a);
        kick_body(space, state, s->b, ts_vec3_neg(impulse), pull.point_b);
    }
}

/* ---- One step ---- */

ts_status ts_space_step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    const double h = model->settings.time_step;
    double since = ts_timer_begin(timers);
    drive(model, state);
    ts_timer_end(timers, TS_PHASE_DRIVE, since);

    TS_TRY(model->dynamics->space->resolve(model, state, work, error));

    since = ts_timer_begin(timers);
    if (model->space->spring_count == 0)
        TS_TRY(fly(model, state, work, h, error));
    else {
        TS_TRY(fly(model, state, work, 0.5 * h, error));
        kick(model, state);
        TS_TRY(fly(model, state, work, 0.5 * h, error));
    }
    state->step++;
    work->step_count++;
    drive(model, state); /* so that between steps scripted bodies are where they belong */
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);
    return TS_OK;
}

/* ---- States ---- */

ts_status ts_space_state_create(ts_state *state, ts_error *error)
{
    const ts_space *space = state->model->space;
    state->body3 = ts_alloc_raw(space->body_count, sizeof *state->body3);
    if (!state->body3)
        return ts_fail_memory(error, space->body_count * sizeof *state->body3);
    memcpy(state->body3, space->body, space->body_count * sizeof *state->body3);
    drive(state->model, state);
    return TS_OK;
}

const ts_body3 *ts_state_bodies3(const ts_state *state)
{
    return state->body3;
}

static ts_status check_body(const ts_state *state, size_t body, ts_error *error)
{
    if (!state->model->space)
        return ts_fail(error, TS_BAD_INPUT, "this model is of the plane; ask ts_state_bodies instead");
    if (body >= state->model->space->body_count)
        return ts_fail(error, TS_BAD_INPUT, "there is no body %zu; the model has %zu, numbered from 0", body,
                       state->model->space->body_count);
    return TS_OK;
}

static ts_vec3 spin_of(const ts_state *state, size_t i)
{
    const ts_body3 *b = &state->body3[i];
    ts_vec3 turn = vec_of(b->angular_momentum);
    return b->inv_mass > 0 ? ts_top_spin(&state->model->space->top[i], pose_of(b).quat, turn) : turn;
}

ts_status ts_state_spin3(const ts_state *state, size_t body, double spin[3], ts_error *error)
{
    TS_TRY(check_body(state, body, error));
    put_vec(spin, spin_of(state, body));
    return TS_OK;
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
    const ts_space *space = state->model->space;
    if (space->body_motion && space->body_motion[body] >= 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "body %zu is moved by a drive, which sets its %s in every step; change the drive instead", body,
                       what);
    return TS_OK;
}

ts_status ts_state_set_pose3(ts_state *state, size_t body, const double position[3], const double attitude[4],
                             ts_error *error)
{
    TS_TRY(check_setter(state, body, "position", position, 3, error));
    TS_TRY(check_setter(state, body, "attitude", attitude, 4, error));
    ts_quat q = {attitude[0], attitude[1], attitude[2], attitude[3]};
    if (!(ts_quat_dot(q, q) > 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "the attitude of body %zu is zero; give a quaternion (w, x, y, z) of any other length", body);
    ts_body3 *b = &state->body3[body];
    ts_vec3 spin = ts_quat_apply_inverse(pose_of(b).quat, spin_of(state, body));
    put_pose(b, (ts_pose3){vec_of(position), ts_quat_unit(q)});
    spin = ts_quat_apply(pose_of(b).quat, spin);
    put_vec(b->angular_momentum,
            b->inv_mass > 0 ? ts_top_momentum(&state->model->space->top[body], pose_of(b).quat, spin) : spin);
    return TS_OK;
}

ts_status ts_state_set_velocity3(ts_state *state, size_t body, const double velocity[3], const double spin[3],
                                 ts_error *error)
{
    TS_TRY(check_setter(state, body, "velocity", velocity, 3, error));
    TS_TRY(check_setter(state, body, "spin", spin, 3, error));
    ts_body3 *b = &state->body3[body];
    memcpy(b->velocity, velocity, sizeof b->velocity);
    put_vec(b->angular_momentum, b->inv_mass > 0
                                     ? ts_top_momentum(&state->model->space->top[body], pose_of(b).quat, vec_of(spin))
                                     : vec_of(spin));
    return TS_OK;
}

/* ---- Looking ---- */

ts_status ts_find_contacts3(const ts_model *model, const ts_state *state, ts_workspace *work,
                            const ts_contact3 **contact, size_t *count, ts_error *error)
{
    if (!model->space)
        return ts_fail(error, TS_BAD_INPUT, "this model is of the plane; ask ts_find_contacts instead");
    if (state->model != model || work->model != model)
        return ts_fail(error, TS_BAD_INPUT, "the %s was not created for this model; create it from the model you pass",
                       state->model == model ? "workspace" : "state");
    TS_TRY(model->dynamics->space->look(model, state, work, &work->contact3, error));
    *contact = work->contact3.item;
    *count = work->contact3.count;
    return TS_OK;
}

static void measure_bodies(const ts_model *model, const ts_state *state, ts_measures *out)
{
    const ts_space *space = model->space;
    ts_vec3 momentum = {0, 0, 0}, angular = {0, 0, 0};
    for (size_t i = 0; i < space->body_count; i++) {
        const ts_body3 *b = &state->body3[i];
        if (!(b->inv_mass > 0))
            continue;
        const double mass = space->mass[i];
        const ts_vec3 v = vec_of(b->velocity), x = vec_of(b->position), L = vec_of(b->angular_momentum);
        out->kinetic += 0.5 * mass * ts_vec3_length_squared(v);
        out->rotational += ts_top_energy(&space->top[i], pose_of(b).quat, L);
        out->gravitational -= mass * ts_vec3_dot(space->gravity, x);
        momentum = ts_vec3_add_scaled(momentum, v, mass);
        angular = ts_vec3_add(angular, ts_vec3_add_scaled(L, ts_vec3_cross(x, v), mass));
        out->max_speed = fmax(out->max_speed, ts_vec3_length(v));
    }
    for (size_t i = 0; i < space->spring_count; i++)
        out->elastic += pull_of(state, &space->spring[i]).energy;
    put_vec(out->momentum, momentum);
    out->angular_xy[0] = angular.x;
    out->angular_xy[1] = angular.y;
    out->angular = angular.z;
}

ts_status ts_space_measure(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                           ts_error *error)
{
    const ts_contact3 *contact;
    const ts_space *space = model->space;
    size_t count;
    double sum = 0;
    TS_TRY(ts_find_contacts3(model, state, work, &contact, &count, error));
    measure_bodies(model, state, out);
    out->contact_count = count;
    for (size_t k = 0; k < count; k++) {
        double overlap = -contact[k].gap, size = space->form[space->body_form[contact[k].b]].inner;
        if (contact[k].a >= 0)
            size = fmin(size, space->form[space->body_form[contact[k].a]].inner);
        sum += overlap;
        out->max_overlap = fmax(out->max_overlap, overlap);
        out->overlap_ratio = fmax(out->overlap_ratio, overlap / size);
    }
    out->mean_overlap = count > 0 ? sum / (double)count : 0;
    return TS_OK;
}

/* ---- Models ---- */

bool ts_model_is_space(const ts_model *model)
{
    return model->space != NULL;
}

size_t ts_model_wall_count(const ts_model *model)
{
    return model->space ? model->space->wall_count : 0;
}

void ts_model_inertia3(const ts_model *model, size_t body, double inertia[9])
{
    for (int i = 0; i < 9; i++)
        inertia[i] = (double)NAN;
    if (!model->space || body >= model->space->body_count)
        return;
    const ts_space *space = model->space;
    const ts_form3 *form = &space->form[space->body_form[body]];
    for (int i = 0; i < 9; i++)
        inertia[i] = space->mass[body] / form->volume * form->inertia.m[i / 3][i % 3];
}
