/* SPDX-License-Identifier: MIT */
/* When the pair list is kept, found again or made anew. See workspace.h. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "contact/featured.h"
#include "contact/forms.h"
#include "workspace.h"

/* ---- How far things have moved since the list was made ---- */

typedef struct drift_job {
    const ts_model *model;
    const ts_state *state;
    ts_workspace *work;
    ts_poses from, poses;
} drift_job;

/* Farthest that any point of a body gets from `from`. */
static double move_of(const ts_model *model, const ts_state *state, const ts_poses *from, const ts_poses *to, size_t i)
{
    ts_reference begin = ts_pose_of(from, i), at = ts_pose_of(to, i);
    double dx = at.x - begin.x, dy = at.y - begin.y;
    double moved = sqrt(dx * dx + dy * dy);
    if (!model->parts_are_bodies)
        moved += fabs(at.angle - begin.angle) * state->body[i].radius;
    return moved;
}

static void measure_drift(void *context, int chunk, int thread)
{
    (void)thread;
    const drift_job *job = context;
    const ts_model *model = job->model;
    size_t begin = (size_t)chunk * TS_BODY_CHUNK;
    size_t end = begin + TS_BODY_CHUNK < model->body_count ? begin + TS_BODY_CHUNK : model->body_count;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        const double moved = move_of(model, job->state, &job->from, &job->poses, i);
        most = moved > most ? moved : most;
    }
    job->work->chunk[chunk].max_drift = most;
}

/* Farthest that any point of any body will have moved in h, from `from` [m]. */
static double largest_move(const ts_model *model, const ts_state *state, ts_workspace *work, ts_poses from, double h)
{
    drift_job job = {model, state, work, from, {NULL, state->body, h}};
    ts_pool_run(work->pool, (int)work->chunk_count, measure_drift, &job);
    double most = 0;
    for (size_t c = 0; c < work->chunk_count; c++)
        most = fmax(most, work->chunk[c].max_drift);
    return most;
}

static double largest_drift(const ts_model *model, const ts_state *state, ts_workspace *work, double h)
{
    return largest_move(model, state, work, (ts_poses){state->reference, state->body, 0}, h);
}

/* How far apart pairs are that must be listed. */
static double reach_of(const ts_model *model, const ts_state *state)
{
    return model->search.reach ? model->search.reach(model, state) : model->reach;
}

/* The same of bodies that may meet something in the step whose middle is at `time`. Those that move by more than
 * `enough` are looked at one by one, as far as they are few: a body that falls for ever needs no list for its way. */
static double largest_risky_move(const ts_model *model, const ts_state *state, ts_workspace *work, ts_poses from,
                                 double h, double time, double enough)
{
    const size_t few = 64;
    const ts_poses to = {NULL, state->body, h};
    double most = largest_move(model, state, work, from, h);
    if (most <= enough)
        return most;
    size_t quick = 0;
    most = enough;
    for (size_t i = 0; i < model->body_count; i++) {
        const double moved = move_of(model, state, &from, &to, i);
        if (!(moved <= most) && (++quick > few || !ts_goes_clear(model, state, i, time, TS_CLEAR_OF_ALL)))
            most = moved;
    }
    return most;
}

/* How far apart a new list has to look, for a step from the bodies as they are. Where velocities change at once, a
 * quick body widens the list instead of being missed, within reason. */
static double skin_of_list(const ts_model *model, const ts_state *state, ts_workspace *work, double time)
{
    const double room = 1.5, most = 32;
    const ts_settings *s = &model->settings;
    if (!model->search.throughout) {
        const double more = reach_of(model, state) - model->reach;
        return s->skin + (more > 0 ? 1.25 * more : 0);
    }
    const double dt = s->time_step, fall = dt * dt * hypot(s->gravity[0], s->gravity[1]);
    const double way = largest_risky_move(model, state, work, (ts_poses){NULL, state->body, 0}, dt, time,
                                          fmax(s->skin / room - fall, 0));
    return fmin(fmax(s->skin, room * (way + fall)), most * s->skin);
}

/* Farthest that any wall has come towards any part since the reference [m]. */
static double largest_wall_shift(const ts_model *model, const ts_state *state, const ts_workspace *work, double time,
                                 double drift)
{
    double most = 0;
    for (size_t i = 0; i < model->wall_count; i++) {
        if (model->wall[i].motion < 0)
            continue;
        ts_wall_frame then, now;
        ts_wall_around(model, i, state->reference_time, &then);
        ts_wall_around(model, i, time, &now);
        double shift = hypot(now.frame.x - then.frame.x, now.frame.y - then.frame.y);
        /* turning a half-plane moves it past far parts; turning a circle about its centre moves nothing */
        if (now.kind == TS_WALL_FLAT)
            shift += fabs(now.frame.angle - then.frame.angle) * (work->pairs.extent + drift);
        else if (now.kind != TS_WALL_CIRCLE) /* what ends moves no farther than its farthest point */
            shift += fabs(now.frame.angle - then.frame.angle) * now.radius;
        most = fmax(most, shift);
    }
    return most;
}

/* ---- Lists ---- */

/* Per-slot data that only changes with the list, and per-block memory. */
static ts_status fit_workspace(const ts_model *model, ts_workspace *work, ts_error *error)
{
    const ts_pairs *pairs = &work->pairs;
    size_t blocks = (size_t)pairs->block_count;
    if (blocks > work->block_capacity) {
        size_t room = blocks + blocks / 4;
        ts_block_report *report = ts_alloc(room, sizeof *report);
        ts_wrench *wrench = ts_alloc(room * model->wall_count, sizeof *wrench);
        if (!report || (!wrench && model->wall_count > 0)) {
            ts_free(report);
            ts_free(wrench);
            return ts_fail_memory(error, room * (sizeof *report + model->wall_count * sizeof *wrench));
        }
        ts_free(work->block);
        ts_free(work->block_wall_wrench);
        work->block = report;
        work->block_wall_wrench = wrench;
        work->block_capacity = room;
    }
    if (work->material)
        for (size_t slot = 0; slot < model->part_count; slot++) {
            int32_t part = pairs->part_of_slot[slot];
            int32_t body = model->parts_are_bodies ? part : model->part_body[part];
            work->material[slot] = model->body_material[body];
        }
    for (size_t slot = 0; work->form && slot < model->part_count; slot++) {
        work->form[slot] = model->forms->of_part[pairs->part_of_slot[slot]];
        work->path[slot] = -1; /* not placed yet */
    }
    return work->featured ? ts_featured_fit(work->featured, pairs, error) : TS_OK;
}

static ts_status build(const ts_model *model, const ts_poses *poses, double time, double skin, ts_workspace *work,
                       ts_error *error)
{
    work->pairs.skin = skin;
    TS_TRY(ts_pairs_build(&work->pairs, model, poses, time, work->spot, work->partners, work->pool, error));
    return fit_workspace(model, work, error);
}

/* Of the poses and of the list that they gave: a list that another version of this file would order otherwise has
 * another hash, so springs never find the wrong pairs. */
static uint64_t hash_list(const ts_model *model, const ts_reference *reference, double time, const ts_pairs *pairs)
{
    ts_hash_stream stream;
    ts_hash_begin(&stream, 0);
    ts_hash_add(&stream, &time, sizeof time);
    ts_hash_add(&stream, reference, model->body_count * sizeof *reference);
    ts_hash_add(&stream, pairs->part_of_slot, model->part_count * sizeof *pairs->part_of_slot);
    ts_hash_add(&stream, pairs->pair, pairs->pair_count * sizeof *pairs->pair);
    ts_hash_add(&stream, pairs->wall, pairs->wall_count * sizeof *pairs->wall);
    uint64_t hash = ts_hash_end(&stream);
    return hash ? hash : 1; /* 0 means: no list yet */
}

bool ts_pairs_fit(const ts_workspace *work, const ts_state *state)
{
    return state->reference_hash != 0 && work->pairs.reference_hash == state->reference_hash &&
           work->pairs.pair_count == state->pair_count && work->pairs.wall_count == state->wall_count;
}

/* The list that the state's springs belong to, for a workspace that does not have it. */
static ts_status find_again(const ts_model *model, const ts_state *state, ts_workspace *work, ts_error *error)
{
    TS_TRY(build(model, &(ts_poses){state->reference, NULL, 0}, state->reference_time, state->reference_skin, work,
                 error));
    if (hash_list(model, state->reference, state->reference_time, &work->pairs) != state->reference_hash ||
        work->pairs.pair_count != state->pair_count || work->pairs.wall_count != state->wall_count)
        return ts_fail(
            error, TS_CORRUPT,
            "the state's %zu and %zu contact springs do not fit the %zu and %zu pairs that its reference poses "
            "give; it was written by another version of the program: start the run anew",
            state->pair_count, state->wall_count, work->pairs.pair_count, work->pairs.wall_count);
    work->pairs.reference_hash = state->reference_hash;
    return TS_OK;
}

/* Whether the list holds every pair that can touch at any time of a step whose middle is at `time`, for contacts that
 * are looked for at its end. A bound is of no use here: impulses change velocities between where bodies would be and
 * where they will be. */
static bool list_holds_throughout(const ts_model *model, const ts_state *state, ts_workspace *work, double time)
{
    const ts_settings *s = &model->settings;
    double dt = s->time_step, half_skin = 0.5 * state->reference_skin,
           fall = 0.5 * dt * dt * hypot(s->gravity[0], s->gravity[1]);
    double begin = time - 0.5 * dt, end = time + 0.5 * dt;
    if (ts_gate_epoch(model, time) != ts_gate_epoch(model, state->reference_time))
        return false;
    const ts_poses from = {state->reference, state->body, 0};
    const double enough = fmax(half_skin - fall, 0);
    return largest_risky_move(model, state, work, from, 0, time, half_skin) <= half_skin &&
           largest_risky_move(model, state, work, from, dt, time, enough) + fall <= half_skin &&
           largest_wall_shift(model, state, work, begin, half_skin) <= half_skin &&
           largest_wall_shift(model, state, work, end, half_skin) <= half_skin;
}

/* Whether the list of the state's reference holds every pair that can touch when bodies have moved on by h, to
 * `time`. */
static bool list_holds(const ts_model *model, const ts_state *state, ts_workspace *work, double time, double h,
                       double *drift_bound)
{
    double half_skin = 0.5 * (state->reference_skin - reach_of(model, state));
    if (ts_gate_epoch(model, time) != ts_gate_epoch(model, state->reference_time))
        return false;
    /* the bound does not know of the rounding of poses, at most half an ulp each half step: unless it is good with that
     * to spare, look, or a run that looked (after a restart) would decide otherwise */
    double steps = fabs(time - state->reference_time) / model->settings.time_step + 1;
    double rounding = steps * 0x1p-51 * (work->pairs.reach + state->reference_skin);
    if (!(*drift_bound + rounding <= half_skin))
        *drift_bound = largest_drift(model, state, work, h);
    /* half the skin, not the bound: what is decided here must not depend on how good a bound is at hand */
    return *drift_bound <= half_skin && largest_wall_shift(model, state, work, time, half_skin) <= half_skin;
}

/* A list in the workspace for bodies that have moved on by h, at `time`; the old springs are written down in
 * work->carry, if there are any. The state is left alone, whatever happens. */
static ts_status make_anew(const ts_model *model, const ts_state *state, ts_workspace *work, double time, double h,
                           ts_error *error)
{
    if (state->reference_hash != 0)
        TS_TRY(
            ts_carry_collect(&work->carry, &work->pairs, model->part_count, state->spring, state->wall_spring, error));
    double skin = h > 0 || model->search.reach ? skin_of_list(model, state, work, time) : model->settings.skin;
    return build(model, &(ts_poses){NULL, state->body, h}, time, skin, work, error);
}

/* The springs of the list just made. */
static void deliver(const ts_state *state, const ts_workspace *work, double *spring, double *wall_spring)
{
    if (state->reference_hash != 0) {
        ts_carry_deliver(&work->carry, &work->pairs, spring, wall_spring, work->pool);
        return;
    }
    memset(spring, 0, work->pairs.pair_count * sizeof *spring);
    memset(wall_spring, 0, work->pairs.wall_count * sizeof *wall_spring);
}

ts_status ts_refresh_pairs(const ts_model *model, ts_state *state, ts_workspace *work, double time, double h,
                           bool *made, ts_error *error)
{
    *made = !ts_pairs_fit(work, state);
    if (state->reference_hash != 0) {
        if (*made)
            TS_TRY(find_again(model, state, work, error));
        if (model->search.throughout ? list_holds_throughout(model, state, work, time)
                                     : list_holds(model, state, work, time, h, &state->drift_bound))
            return TS_OK;
    }
    *made = true;
    state->drift_bound = HUGE_VAL; /* what was measured is of the middle of the step: void if that is not reached */
    TS_TRY(make_anew(model, state, work, time, h, error));
    TS_TRY(ts_state_reserve(state, work->pairs.pair_count, work->pairs.wall_count, error));

    /* nothing that is kept depends on what may fail any more */
    deliver(state, work, state->spring, state->wall_spring);
    ts_poses poses = {NULL, state->body, h};
    for (size_t i = 0; i < model->body_count; i++)
        state->reference[i] = ts_pose_of(&poses, i);
    state->reference_time = time;
    state->reference_skin = work->pairs.skin;
    state->reference_hash = hash_list(model, state->reference, time, &work->pairs);
    work->pairs.reference_hash = state->reference_hash;
    state->pair_count = work->pairs.pair_count;
    state->wall_count = work->pairs.wall_count;
    state->drift_bound = 0;
    work->rebuild_count++;
    if (model->search.throughout && !list_holds_throughout(model, state, work, time))
        return ts_fail(error, TS_DIVERGED,
                       "something moves more than half the skin, %.3g m, in half a time step at t = %.9g s, so that "
                       "contacts could be missed: give a shorter time_step or a larger \"skin\"",
                       0.5 * state->reference_skin, time);
    return TS_OK;
}

/* ---- Looking at a state without changing it ---- */

static ts_status reserve_view(ts_workspace *work, ts_error *error)
{
    size_t needed = work->pairs.pair_count + work->pairs.wall_count + 1;
    if (needed <= work->view_capacity)
        return TS_OK;
    double *grown;
    TS_TRY(ts_new_raw(&grown, needed + needed / 8, error));
    ts_free(work->view_spring);
    work->view_spring = grown;
    work->view_capacity = needed + needed / 8;
    return TS_OK;
}

ts_status ts_view_pairs(const ts_model *model, const ts_state *state, ts_workspace *work, double time,
                        const double **spring, const double **wall_spring, ts_error *error)
{
    double drift = state->drift_bound;
    if (state->reference_hash != 0) {
        if (!ts_pairs_fit(work, state))
            TS_TRY(find_again(model, state, work, error));
        if (list_holds(model, state, work, time, 0, &drift)) {
            *spring = state->spring;
            *wall_spring = state->wall_spring;
            return TS_OK;
        }
    }
    /* the last half step carried something beyond the list: make one for looking, and let the next step find its own
     * again */
    TS_TRY(make_anew(model, state, work, time, 0, error));
    TS_TRY(reserve_view(work, error));
    deliver(state, work, work->view_spring, work->view_spring + work->pairs.pair_count);
    *spring = work->view_spring;
    *wall_spring = work->view_spring + work->pairs.pair_count;
    return TS_OK;
}
