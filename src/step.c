/* SPDX-License-Identifier: MIT */
/* One step, and what can be asked between two. The shop window: everything else stands below. */
#include <math.h>

#include "advance.h"
#include "dynamics/dynamics.h"
#include "workspace.h"

/* Says which body ran away, when, and what time step would have been stable. */
static ts_status report_runaway(const ts_model *model, const ts_state *state, int64_t id, ts_error *error)
{
    const ts_body *body = &state->body[id];
    double time = ts_state_time(state), dt = model->settings.time_step;
    double speed = hypot(body->vx, body->vy);
    if (!isfinite(speed) || !isfinite(body->spin))
        return ts_fail(
            error, TS_DIVERGED,
            "body %lld has no finite velocity any more at t = %.9g s (step %llu); the time step is %.3g s, the stable "
            "limit %.3g s: lower time_step or the stiffness",
            (long long)id, time, (unsigned long long)state->step, dt, model->stable_step);
    return ts_fail(
        error, TS_DIVERGED,
        "body %lld moves at %.4g m/s at t = %.9g s (step %llu), more than its radius %.3g m in one time step of "
        "%.3g s; the stable limit is %.3g s and this speed asks for %.3g s: lower time_step or the stiffness",
        (long long)id, speed, time, (unsigned long long)state->step, body->radius, dt, model->stable_step,
        0.1 * body->radius / speed);
}

static ts_status step_once(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    double half = 0.5 * model->settings.time_step;
    double middle = ts_time_of_step(model, state->step) + half;

    double since = ts_timer_begin(timers);
    ts_drive(model, state, work);
    ts_timer_end(timers, TS_PHASE_DRIVE, since);

    /* contacts are found at the middle of the step */
    since = ts_timer_begin(timers);
    if (ts_pairs_fit(work, state))
        ts_place_parts(model, state, work, half, &state->drift_bound);
    else
        state->drift_bound = HUGE_VAL;
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);

    since = ts_timer_begin(timers);
    bool made = false;
    ts_status status = ts_refresh_pairs(model, state, work, middle, half, &made, error);
    if (status == TS_OK && made)
        ts_place_parts(model, state, work, half, &(double){0});
    ts_timer_end(timers, TS_PHASE_PAIRS, since);
    if (status != TS_OK)
        return status;

    since = ts_timer_begin(timers);
    model->dynamics->resolve(model, state, work);
    ts_timer_end(timers, TS_PHASE_RESOLVE, since);

    since = ts_timer_begin(timers);
    int64_t runaway = ts_advance(model, state, work);
    state->step++;
    work->step_count++;
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);
    return runaway < 0 ? TS_OK : report_runaway(model, state, runaway, error);
}

ts_status ts_step(const ts_model *model, ts_state *state, ts_workspace *work, uint64_t count, ts_error *error)
{
    for (uint64_t i = 0; i < count; i++)
        TS_TRY(step_once(model, state, work, error));
    return TS_OK;
}

ts_status ts_find_contacts(const ts_model *model, const ts_state *state, ts_workspace *work, const ts_contact **contact,
                           size_t *count, ts_error *error)
{
    double time = ts_state_time(state);
    ts_place_walls(model, work, time, 0);
    TS_TRY(ts_view_pairs(model, state, work, time, error));
    ts_place_parts(model, state, work, 0, &(double){0});
    work->contact_count = 0;
    TS_TRY(model->dynamics->list(model, work->view_spring, work->view_wall_spring, work, error));
    *contact = work->contact;
    *count = work->contact_count;
    return TS_OK;
}
