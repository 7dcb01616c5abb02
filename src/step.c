/* SPDX-License-Identifier: MIT */
/* One step, and what can be asked between two. The shop window: everything else stands below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advance.h"
#include "base/memory.h"
#include "contact/forms.h"
#include "dynamics/dynamics.h"
#include "dynamics/problem.h"
#include "space_step.h"
#include "workspace.h"

/* Says which body ran away, when, and what time step would have been stable. */
static ts_status report_runaway(const ts_model *model, const ts_state *state, int64_t id, ts_error *error)
{
    char limit[48] = "";
    const ts_body *body = &state->body[id];
    double time = ts_state_time(state), dt = model->settings.time_step;
    double speed = hypot(body->vx, body->vy);
    if (!isfinite(speed) || !isfinite(body->spin))
        return ts_fail(error, TS_DIVERGED, "body %lld has no finite velocity any more at t = %.9g s (step %llu); %s",
                       (long long)id, time, (unsigned long long)state->step, ts_step_advice(model).text);
    double enough = 0.1 * body->radius / speed;
    if (isfinite(model->stable_step))
        snprintf(limit, sizeof limit, " (stable limit %.3g s)", model->stable_step);
    return ts_fail(
        error, TS_DIVERGED,
        "body %lld moves at %.4g m/s at t = %.9g s (step %llu), more than its radius %.3g m in one time step of "
        "%.3g s%s: set time_step to %.2g s or less",
        (long long)id, speed, time, (unsigned long long)state->step, body->radius, dt, limit,
        enough < 0.5 * dt ? enough : 0.5 * dt);
}

/* Everything up to contacts: scripts, where bodies are when contacts are looked for, and pairs. */
static ts_status approach(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    double half = 0.5 * model->settings.time_step;
    double middle = ts_time_of_step(model, state->step) + half;
    double ahead = model->moment * model->settings.time_step;

    double since = ts_timer_begin(timers);
    ts_drive(model, state, work);
    ts_timer_end(timers, TS_PHASE_DRIVE, since);

    /* where contacts are found: at the middle of the step or at its end */
    since = ts_timer_begin(timers);
    if (ts_pairs_fit(work, state))
        ts_place_parts(model, state, work, ahead, &state->drift_bound);
    else
        state->drift_bound = HUGE_VAL;
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);

    since = ts_timer_begin(timers);
    bool made = false;
    ts_status status = ts_refresh_pairs(model, state, work, middle, half, &made, error);
    if (status == TS_OK && made)
        ts_place_parts(model, state, work, ahead, &(double){0});
    ts_timer_end(timers, TS_PHASE_PAIRS, since);
    return status;
}

static ts_status step_once(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    TS_TRY(approach(model, state, work, error));

    double since = ts_timer_begin(timers);
    double contacts = timers->seconds[TS_PHASE_CONTACTS]; /* a dynamics that looks for them first counts them there */
    ts_status status = model->dynamics->resolve(model, state, work, error);
    ts_timer_end(timers, TS_PHASE_RESOLVE, since + timers->seconds[TS_PHASE_CONTACTS] - contacts);
    if (status != TS_OK)
        return status;

    since = ts_timer_begin(timers);
    int64_t runaway = ts_advance(model, state, work);
    state->step++;
    work->step_count++;
    if (model->moment == TS_AT_END)
        state->drift_bound = HUGE_VAL; /* impulses came between where bodies would have been and where they are */
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);
    return runaway < 0 ? TS_OK : report_runaway(model, state, runaway, error);
}

/* A model, a state and a workspace that do not belong together would write beyond each other's arrays. */
static ts_status check_kin(const ts_model *model, const ts_state *state, const ts_workspace *work, ts_error *error)
{
    if (state->model == model && work->model == model)
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "the %s was not created for this model; create it from the model you pass",
                   state->model == model ? "workspace" : "state");
}

ts_status ts_step(const ts_model *model, ts_state *state, ts_workspace *work, uint64_t count, ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    TS_TRY(ts_model_can_run(model, error));
    if (model->space)
        return ts_space_steps(model, state, work, count, error);
    for (uint64_t i = 0; i < count; i++)
        TS_TRY(step_once(model, state, work, error));
    return TS_OK;
}

ts_status ts_step_problem(const ts_model *model, const ts_state *state, ts_workspace *work, ts_problem *problem,
                          ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    TS_TRY(ts_model_can_run(model, error));
    if (model->space)
        return ts_fail(error, TS_UNSUPPORTED, "contact problems of bodies in space cannot be written yet");
    if (!model->dynamics->problem)
        return ts_fail(error, TS_UNSUPPORTED,
                       "dynamics \"%s\" has no contact problem to be solved at once; \"impact\" has",
                       model->dynamics->name);
    ts_state *next;
    TS_TRY(ts_state_create(model, &next, error));
    ts_status status = ts_state_copy(next, state, error);
    if (status == TS_OK)
        status = approach(model, next, work, error);
    if (status == TS_OK)
        status = model->dynamics->problem(model, next, work, problem, error);
    ts_state_free(next);
    return status;
}

ts_status ts_look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                  void *context, ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    if (model->space) /* its contacts are ts_find_contacts3's */
        return TS_OK;
    if (model->forms && !model->forms->ready) /* without maps nothing is known of contacts */
        return TS_OK;
    double time = ts_state_time(state);
    const double *spring, *wall_spring;
    ts_place_walls(model, work, time, 0);
    TS_TRY(ts_view_pairs(model, state, work, time, &spring, &wall_spring, error));
    ts_place_parts(model, state, work, 0, &(double){0});
    model->dynamics->look(model, spring, wall_spring, work, sink, context);
    return TS_OK;
}

typedef struct contact_list {
    ts_workspace *work;
    ts_status status;
    ts_error *error;
} contact_list;

static void append(void *context, const ts_contact *contact, int count)
{
    contact_list *list = context;
    ts_workspace *work = list->work;
    size_t needed = work->contact_count + (size_t)count;
    if (list->status == TS_OK && needed > work->contact_capacity) {
        size_t room = needed + needed / 2;
        ts_contact *grown = ts_realloc(work->contact, work->contact_count * sizeof *grown, room * sizeof *grown);
        if (!grown) {
            list->status = ts_fail_memory(list->error, room * sizeof *grown);
            return;
        }
        work->contact = grown;
        work->contact_capacity = room;
    }
    if (list->status != TS_OK)
        return;
    memcpy(work->contact + work->contact_count, contact, (size_t)count * sizeof *contact);
    work->contact_count = needed;
}

ts_status ts_find_contacts(const ts_model *model, const ts_state *state, ts_workspace *work, const ts_contact **contact,
                           size_t *count, ts_error *error)
{
    contact_list list = {work, TS_OK, error};
    work->contact_count = 0;
    TS_TRY(ts_look(model, state, work, append, &list, error));
    TS_TRY(list.status);
    *contact = work->contact;
    *count = work->contact_count;
    return TS_OK;
}

ts_status ts_boundary_force(const ts_workspace *work, size_t boundary, double force[2], double *torque, ts_error *error)
{
    if (boundary >= work->model->boundary_count)
        return ts_fail(error, TS_BAD_INPUT, "there is no boundary %zu; the model has %zu, numbered from 0", boundary,
                       work->model->boundary_count);
    const ts_wrench *wrench = &work->boundary_wrench[boundary];
    force[0] = wrench->fx;
    force[1] = wrench->fy;
    if (torque)
        *torque = wrench->torque;
    return TS_OK;
}
