/* SPDX-License-Identifier: MIT */
/* One step, and what can be asked between two. The shop window: everything else stands below. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/release.h"
#include "contact/forms.h"
#include "dynamics/dynamics.h"
#include "dynamics/problem.h"
#include "world.h"

/* Scripts, and pairs of parts that may touch. */
static ts_status begin_step(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    double since = ts_timer_begin(&work->timers);
    if (state->onward)
        ts_state_let_go(state);
    model->world->drive(model, state, work);
    ts_timer_end(&work->timers, TS_PHASE_DRIVE, since);
    return model->world->find_pairs(model, state, work, error);
}

static double phases_sum(const ts_timers *timers)
{
    double sum = 0;
    for (int i = 0; i < TS_PHASE_COUNT; i++)
        sum += timers->seconds[i];
    return sum;
}

/* What the deepest overlap of a step tells. */
static void judge_overlap(const ts_model *model, const ts_state *state, ts_workspace *work)
{
    const ts_deepest d = work->deepest;
    work->deepest.step = state->step;
    if (!(d.overlap > 0))
        return;
    if (d.overlap > work->max_overlap) {
        work->max_overlap = d.overlap;
        work->max_overlap_ratio = d.ratio;
    }
    const ts_dynamics *dynamics = model->dynamics;
    const double inner = d.body >= 0 && d.ratio > TS_THIN_RATIO ? model->world->start(model, (size_t)d.body).inner
                                                                : (double)INFINITY,
                 aim = d.body >= 0 && dynamics->aimed_overlap ? dynamics->aimed_overlap(model, (size_t)d.body)
                                                              : (double)INFINITY;
    ts_tally *stiffness = &work->tally[TS_WARN_STIFFNESS];
    if (d.overlap > aim)
        ts_tally_add(stiffness, state->step, d.body, d.overlap / aim);
    else
        stiffness->worst = fmax(stiffness->worst, d.overlap / aim);
    if (d.ratio > TS_DEEP_RATIO)
        ts_tally_add(&work->tally[TS_WARN_DEEP], state->step, d.body, d.ratio);
    /* a thin body is through long before half of its radius: overlaps above the disc that fits into it */
    if (d.ratio > TS_THROUGH_RATIO || d.overlap > inner)
        ts_tally_add(&work->tally[TS_WARN_THROUGH], state->step, d.body, d.ratio);
}

static ts_status step_once(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_timers *timers = &work->timers;
    work->deepest = (ts_deepest){.body = -1};
    TS_TRY(begin_step(model, state, work, error));

    double since = ts_timer_begin(timers);
    double counted = phases_sum(timers); /* a resolver may count pairs, contacts and its own phases itself */
    TS_TRY(model->resolver->resolve(model, state, work, error));
    ts_timer_end(timers, TS_PHASE_RESOLVE, since + phases_sum(timers) - counted);

    since = ts_timer_begin(timers);
    if (!model->resolver->advances)
        TS_TRY(model->world->advance(model, state, work, error));
    if (state->onward) {
        ts_state_keep_motion(state);
        model->resolver->hold(model, state, work);
    }
    state->step++;
    work->step_count++;
    judge_overlap(model, state, work);
    ts_timer_end(timers, TS_PHASE_ADVANCE, since);
    return model->world->end_step(model, state, work, error);
}

/* A model, a state and a workspace that do not belong together would write beyond each other's arrays. */
static ts_status check_kin(const ts_model *model, const ts_state *state, const ts_workspace *work, ts_error *error)
{
    if (state->model == model && work->model == model)
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "the %s was not created for this model; create it from the model you pass",
                   state->model == model ? "workspace" : "state");
}

/* Which body ran away, where one did. */
static void note_divergence(const ts_state *state, ts_workspace *work)
{
    int64_t runaway = -1;
    for (size_t i = 0; i < work->chunk_count && runaway < 0; i++)
        runaway = work->chunk[i].runaway;
    ts_tally_add(&work->tally[runaway >= 0 ? TS_WARN_FAST : TS_WARN_DIVERGED], state->step + 1, runaway, 0);
}

ts_status ts_step(const ts_model *model, ts_state *state, ts_workspace *work, uint64_t count, ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    TS_TRY(ts_model_can_run(model, error));
    const ts_resolver *resolver = model->resolver;
    ts_status status = TS_OK;
    if (resolver->begin && count > 0)
        resolver->begin(model, state, work);
    for (uint64_t i = 0; i < count && status == TS_OK; i++)
        status = step_once(model, state, work, error);
    /* the history of steps that were taken, also when one failed */
    if (resolver->end && count > 0) {
        ts_error other;
        ts_status ended = resolver->end(model, state, work, status == TS_OK ? error : &other);
        status = status == TS_OK ? ended : status;
    }
    if (status == TS_DIVERGED)
        note_divergence(state, work);
    return status;
}

ts_status ts_step_problem(const ts_model *model, const ts_state *state, ts_workspace *work, ts_problem *problem,
                          ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    TS_TRY(ts_model_can_run(model, error));
    if (!model->resolver->problem)
        return ts_fail(error, TS_UNSUPPORTED,
                       "dynamics \"%s\" has no contact problem to be solved at once; these have: %s",
                       model->dynamics->name, ts_dynamics_with_problems(model->dimension, (char[256]){0}, 256));
    TS_AUTO(ts_state_free_at) ts_state *next = NULL;
    TS_TRY(ts_state_create(model, &next, error));
    TS_TRY(ts_state_copy(next, state, error));
    TS_TRY(begin_step(model, next, work, error));
    return model->resolver->problem(model, next, work, problem, error);
}

ts_status ts_look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                  void *context, ts_error *error)
{
    TS_TRY(check_kin(model, state, work, error));
    if (model->forms && !model->forms->ready) /* without maps nothing is known of contacts */
        return TS_OK;
    return model->resolver->look(model, state, work, sink, context, error);
}

typedef struct contact_list {
    ts_contact_array *to;
    ts_status status;
    ts_error *error;
} contact_list;

static void append(void *context, const ts_contact *contact, int count)
{
    contact_list *list = context;
    ts_contact_array *to = list->to;
    if (list->status == TS_OK)
        list->status = ts_array_reserve(to, to->count + (size_t)count, list->error);
    if (list->status != TS_OK)
        return;
    memcpy(to->item + to->count, contact, (size_t)count * sizeof *contact);
    to->count += (size_t)count;
}

ts_status ts_find_contacts(const ts_model *model, const ts_state *state, ts_workspace *work, const ts_contact **contact,
                           size_t *count, ts_error *error)
{
    contact_list list = {&work->contact, TS_OK, error};
    work->contact.count = 0;
    TS_TRY(ts_look(model, state, work, append, &list, error));
    TS_TRY(list.status);
    *contact = work->contact.item;
    *count = work->contact.count;
    return TS_OK;
}

ts_status ts_wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3], ts_error *error)
{
    const ts_model *model = work->model;
    double none[3];
    if (wall >= ts_model_wall_count(model))
        return ts_fail(error, TS_BAD_INPUT, "there is no wall %zu; the model has %zu, numbered from 0", wall,
                       ts_model_wall_count(model));
    if (model->resolver->wall_force) {
        model->resolver->wall_force(work, wall, force, torque ? torque : none);
        return TS_OK;
    }
    const ts_wrench *wrench = &work->wall_wrench[wall];
    force[0] = wrench->fx;
    force[1] = wrench->fy;
    force[2] = 0;
    if (torque)
        memcpy(torque, (double[3]){0, 0, wrench->torque}, 3 * sizeof *torque);
    return TS_OK;
}
