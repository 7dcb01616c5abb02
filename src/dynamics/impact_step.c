/* SPDX-License-Identifier: MIT */
/* Impact as a dynamics: contacts that the step would strike are resolved at its beginning, all at once, by an operator
 * (impact.h); what follows is free flight (advance.h), exact under gravity.
 *
 *     strikes (contact/hits.h) ─▶ rows over bodies that can move ─▶ operator, restitution ─▶ friction ─▶ velocities
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/hits.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact_check.h"
#include "dynamics/impact_plane.h"
#include "dynamics/impact_space.h"
#include "dynamics/problem.h"
#include "workspace.h"

/* Stream of random numbers: orders of contacts. */
#define ORDERS 0x0de5

#define DOF    TS_PLANE_DOF

/* Bodies touch when a run begins, and nothing pushes out what overlaps: room for coordinates that were rounded, and for
 * a heap that impact has settled. A share of the smaller radius. */
#define OVERLAP_AT_START 0.01

static void close_memory(void *own)
{
    ts_impact_memory *m = own;
    if (!m)
        return;
    ts_hits_free(&m->hits);
    ts_impact_scratch_free(&m->scratch);
    ts_impact_blocks_free(&m->blocks);
    ts_array_free(&m->hit);
    ts_free(m);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    ts_impact_memory *m = ts_alloc(1, sizeof *m);
    *own = NULL;
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        m->scratch.rough |= model->law[i].friction > 0;
    ts_status status = ts_impact_blocks_create(&m->blocks, &ts_plane_block, model->body_count, error);
    if (status == TS_OK)
        status = ts_hits_create(&m->hits, model, error);
    if (status == TS_OK)
        status = ts_impact_scratch_create(&m->scratch, ts_impact_param_of(model)->operator_name, DOF, error);
    if (status != TS_OK) {
        close_memory(m);
        return status;
    }
    *own = m;
    return TS_OK;
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const ts_impact_memory *m = own;
    return sizeof *m + ts_hits_bytes(&m->hits, model) + ts_impact_scratch_bytes(&m->scratch) +
           ts_impact_blocks_bytes(&m->blocks, model->body_count) + m->hit.capacity * sizeof(ts_hit);
}

/* ---- Rows ---- */

typedef struct frames {
    const ts_model *model;
    const ts_state *state;
    const ts_wall_frame *wall; /* at the beginning of the step */
} frames;

static ts_vec3 frame_of(const void *context, int64_t owner, ts_block *to)
{
    const frames *f = context;
    const ts_frame2 *b = owner >= 0 ? &f->state->body[owner] : &f->wall[-1 - owner].frame;
    to->origin = (ts_vec3){b->x, b->y, 0};
    to->velocity = (ts_vec3){b->vx, b->vy, 0};
    to->spin = (ts_vec3){0, 0, b->spin};
    if (owner >= 0)
        ts_plane_block.mass(&(ts_block_mass){b->inv_mass, f->model->inv_inertia[owner], NULL, {0, 0, 0, 0}}, to);
    return to->spin;
}

/* A strike without a slope cannot be opened by any impulse, and one between what cannot move is nobody's business. */
static bool counts(const ts_model *model, const ts_hit *s)
{
    const bool moves = model->body[s->b].inv_mass > 0 || (s->a >= 0 && model->body[s->a].inv_mass > 0);
    return moves && (s->weight > 0 || s->couple != 0);
}

static void add_hit(ts_impact_memory *m, const ts_impact_setting *setting, const ts_model *model, const ts_hit *s)
{
    if (!counts(model, s))
        return;
    const size_t k = m->hit.count++, before = m->blocks.block.count;
    const double size = model->body[s->b].radius;
    ts_impact_side side[2];
    ts_impact_find_sides(&m->scratch, &m->blocks, setting, s->a, s->b, side);
    const double aside = ts_impact_aside(side, s->gap);
    m->hit.item[k] = *s;
    m->hit.item[k].px += aside * s->nx;
    m->hit.item[k].py += aside * s->ny;
    s = &m->hit.item[k];
    ts_impact_add(&m->scratch, &m->blocks, setting, side,
                  &(ts_impact_place){.gap = s->gap,
                                     .normal = {s->nx, s->ny, 0},
                                     .point = {s->px, s->py, 0},
                                     .tangent = {-s->ny, s->nx, 0},
                                     .weight = s->weight,
                                     .couple = s->couple,
                                     .friction = s->friction,
                                     .size = s->a >= 0 ? fmin(size, model->body[s->a].radius) : size});
    if (s->curved)
        ts_impact_bend(&m->scratch, setting->time_step,
                       fmin(s->end - ts_impact_gap_ahead(&m->scratch, setting->time_step, k), 0));
    if (!s->more && !s->featured)
        return;
    /* A second place of a pair that stays open does not count. One by features that is open at the end of the step may
     * touch when others are struck: it waits. */
    const double ahead = ts_impact_gap_ahead(&m->scratch, setting->time_step, k);
    const bool open = s->featured ? ahead > TS_TOUCH_SLACK * size : ahead > 0;
    if (open && !(s->featured && m->scratch.waits && ahead < s->reach)) {
        ts_impact_drop(&m->scratch, &m->blocks, before);
        m->hit.count--;
    } else if (open)
        m->scratch.wait.item[k] = m->scratch.room.item[k];
}

/* The instant of this step. */
static ts_status gather(ts_impact_memory *m, const ts_model *model, ts_state *state, ts_workspace *work,
                        ts_error *error)
{
    double since = ts_timer_begin(&work->timers);
    TS_TRY(ts_hits_find(&m->hits, model, state, work, error));
    TS_TRY(ts_array_reserve(&m->hit, m->hits.count, error));
    TS_TRY(ts_impact_begin(&m->scratch, &m->blocks, m->hits.count, error));
    const frames f = {model, state, m->hits.wall};
    const ts_impact_setting setting = {frame_of, &f, model->gravity, ts_impact_pull_of(work),
                                       model->settings.time_step};
    m->hit.count = 0;
    for (size_t i = 0; i < m->hits.block_count; i++)
        for (size_t k = 0; k < m->hits.block[i].count; k++)
            add_hit(m, &setting, model, &m->hits.block[i].item[k]);
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* ---- Resolving ---- */

static ts_status fail_unfinished(const ts_impact_memory *m, const ts_state *state, ts_error *error)
{
    const ts_rows n = ts_impact_normals(&m->scratch);
    TS_TRY(ts_impact_tell_jam(&(ts_impact){.rows = &n, .options = &(ts_impact_options){0}, .work = m->scratch.work},
                              m->hit.item, state, error));
    TS_TRY(ts_impact_tell_growth(&m->scratch, ts_state_time(state), error));
    double rate;
    size_t worst = ts_impact_worst(&m->scratch, &rate);
    const ts_hit *s = &m->hit.item[worst];
    char other[64];
    if (s->a >= 0)
        snprintf(other, sizeof other, "body %d", s->a);
    else
        snprintf(other, sizeof other, "wall %d", -1 - s->a);
    return ts_fail(
        error, TS_DIVERGED,
        "the impact at t = %.9g s did not end: after %llu passes by \"%s\" %s and body %d still close at %.3g m/s: "
        "try %sa shorter time_step",
        ts_state_time(state), (unsigned long long)m->scratch.report.passes, m->scratch.by->name, other, s->b, -rate,
        ts_impact_else(&m->scratch));
}

static void write_velocities(const ts_impact_memory *m, ts_state *state)
{
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        ts_body *to = &state->body[block->body];
        ts_vec3 velocity, spin;
        ts_plane_block.unscale(block, m->scratch.w.item + DOF * i, &velocity, &spin);
        to->vx = velocity.x;
        to->vy = velocity.y;
        to->spin = spin.z;
    }
}

/* Returns the work that it takes against gravity and springs. */
static double write_shifts(const ts_impact_memory *m, const ts_model *model, ts_state *state, const ts_workspace *work)
{
    const ts_vec3 gravity = model->gravity;
    double lift = 0;
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        const double *by = m->scratch.shift.item + DOF * i;
        ts_body *body = &state->body[block->body];
        ts_vec3 way, turn;
        ts_impact_way(&m->scratch, &m->blocks, i, &way, &turn);
        body->x += way.x;
        body->y += way.y;
        body->angle += turn.z;
        lift -= (by[0] * gravity.x + by[1] * gravity.y) / block->root;
        lift += ts_impact_lift(&m->scratch, &m->blocks, work, i);
    }
    return lift;
}

/* Impulses go to the contacts' histories, and to the forces on boundaries. */
static void note_impulses(ts_impact_memory *m, const ts_model *model, ts_state *state, ts_workspace *work)
{
    double per_time = 1 / model->settings.time_step;
    if (model->wall_count > 0)
        memset(work->wall_wrench, 0, model->wall_count * sizeof *work->wall_wrench);
    ts_impact_note_histories(m, model, state);
    for (size_t k = 0; k < m->hit.count; k++) {
        const ts_hit *s = &m->hit.item[k];
        double impulse[2];
        if (s->a >= 0)
            continue;
        ts_wrench *to = &work->wall_wrench[-1 - s->a];
        const ts_frame2 *f = &m->hits.wall[-1 - s->a].frame;
        ts_impact_contact_impulse(m, k, impulse);
        const double fx = -per_time * impulse[0], fy = -per_time * impulse[1];
        to->fx += fx;
        to->fy += fy;
        to->torque += (s->px - f->x) * fy - (s->py - f->y) * fx - per_time * m->scratch.lambda.item[k] * s->couple;
    }
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_impact_memory *m = work->own;
    const ts_impact_rules rules = ts_impact_rules_of(model, state, work, ORDERS);
    ts_impact_energy energy;
    /* Contacts that wait are heeded by operators, and without restitution by what comes to rest, which leaves them
     * the room that they have. */
    m->scratch.waits = work->featured && (m->scratch.by->waits || rules.restitution == 0);
    TS_TRY(gather(m, model, state, work, error));
    TS_TRY(ts_impact_tell_deep(m->hit.item, m->hit.count, state, error));
    if (rules.sweeps > 0 || rules.staggered > 0)
        ts_impact_guess(m, model, state);
    TS_TRY(ts_impact_solve(&m->scratch, &rules, &energy, error));
    if (!m->scratch.report.finished)
        return fail_unfinished(m, state, error);
    if (state->onward)
        TS_TRY(ts_impact_find_held(&m->scratch, &rules, error));
    if (rules.correction > 0)
        TS_TRY(ts_impact_correct(&m->scratch, &rules, error));
    TS_TRY(ts_array_reserve(&state->history, m->hit.count, error));

    /* nothing can fail any more */
    ts_impact_book(&m->scratch, &m->blocks, &energy, m->hit.count, state, work);
    write_velocities(m, state);
    note_impulses(m, model, state, work);
    if (ts_impact_param_of(model)->correction > 0)
        state->budget.work += write_shifts(m, model, state, work);
    return TS_OK;
}

static void hold(const ts_model *model, ts_state *state, ts_workspace *work)
{
    const ts_impact_memory *m = work->own;
    (void)model;
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        ts_body *body = &state->body[block->body];
        ts_vec3 velocity, spin;
        ts_plane_block.unscale(block, m->scratch.held.item + DOF * i, &velocity, &spin);
        body->vx += velocity.x;
        body->vy += velocity.y;
        body->spin += spin.z;
    }
}

/* ---- The problem by itself ---- */

static ts_status copy_problem(const ts_model *model, ts_state *state, ts_workspace *work, ts_problem *to,
                              ts_error *error)
{
    ts_impact_memory *m = work->own;
    const ts_impact_rules rules = ts_impact_rules_of(model, state, work, ORDERS);
    TS_TRY(gather(m, model, state, work, error));
    return ts_impact_copy_problem(&m->scratch, &m->blocks, &rules, ts_state_time(state), to, error);
}

/* ---- What it tells ---- */

_Static_assert(offsetof(ts_impact_memory, scratch) == 0 && offsetof(ts_impact_space, scratch) == 0, "see below");

static const ts_impact_scratch *scratch_of(const ts_workspace *work)
{
    return work->model->dynamics == &ts_impact_dynamics ? work->own : NULL; /* it comes first in either memory */
}

const ts_impact_report *ts_impact_last(const ts_workspace *work)
{
    const ts_impact_scratch *scratch = scratch_of(work);
    return scratch ? &scratch->report : NULL;
}

ts_impact_counts ts_impact_counts_of(const ts_workspace *work)
{
    const ts_impact_scratch *scratch = scratch_of(work);
    return scratch ? scratch->count_of : (ts_impact_counts){0};
}

static double restitution(const ts_model *model, const ts_contact_law *law)
{
    (void)law;
    return ts_impact_param_of(model)->restitution;
}

static const char *remark(const ts_model *model)
{
    const ts_impact_param *p = ts_impact_param_of(model);
    bool rough = false;
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        rough |= model->law[i].friction > 0;
    return rough && p->sweeps == 0 && p->staggered == 0
               ? "  friction is applied once, after the normals, as published; where bodies slide\n"
                 "  or lie on each other, \"sweeps\": 100 comes nearer to Coulomb's law\n"
               : NULL;
}

/* Impacts that were not resolved as the scene asks. */
static bool tell(const ts_model *model, ts_warning_kind kind, const ts_tally *tally, uint64_t step_count, char *text,
                 size_t capacity)
{
    const ts_impact_param *p = ts_impact_param_of(model);
    const unsigned long long steps = step_count, count = tally->count, most = p->sweeps > 0 ? p->sweeps : p->staggered;
    if (kind == TS_WARN_LOCKED) {
        snprintf(
            text, capacity,
            "%llu of %llu steps had grains that are locked in each other and cannot bounce; their impacts were %s.",
            count, steps, p->restitution < 1 ? "taken as inelastic" : "reflected once, and some contacts left closing");
        return true;
    }
    if (kind == TS_WARN_UNSETTLED && most == 0) {
        snprintf(
            text, capacity,
            "In %llu of %llu steps friction or contacts that impulses brought about did not settle, and were left as "
            "near as they came: shorten time_step.",
            count, steps);
        return true;
    }
    if (kind == TS_WARN_UNSETTLED) {
        snprintf(
            text, capacity,
            "In %llu of %llu steps normal impulses and friction did not settle within %llu %s, and were left as near "
            "as they came: %s.",
            count, steps, most,
            p->sweeps > 1   ? "sweeps"
            : p->sweeps > 0 ? "sweep"
            : most > 1      ? "rounds"
                            : "round",
            p->sweeps > 0 ? "raise dynamics.sweeps or shorten time_step"
                          : "dynamics.sweeps = 50 is faster and settles more; or shorten time_step");
        return true;
    }
    return false;
}

/* ---- The row of the table ---- */

/* More rounds than that in a step are a slip of the pen. */
static const uint64_t rounds_most = 1000000;

static const ts_field field[] = {
    TS_KEY(ts_impact_param, "operator", operator_name, TEXT, NONE, ANY, 0),
    TS_KEY(ts_impact_param, "correction", correction, NUMBER, NONE, SHARE, 0),
    TS_KEY(ts_impact_param, "sweeps", sweeps, INTEGER, NONE, ANY, 0),
    TS_KEY(ts_impact_param, "staggered", staggered, INTEGER, NONE, ANY, 0),
    TS_KEY(ts_impact_param, "expected_speed", expected_speed, NUMBER, SPEED, POSITIVE,
           TS_FIELD_AUTO | TS_FIELD_DERIVES),
    TS_KEY(ts_impact_param, "weight_least", weight_least, NUMBER, NONE, SHARE, 0),
};

static ts_status check(const ts_check *c, const void *param)
{
    const ts_impact_param *p = param;
    const bool rounds = p->staggered != TS_ROUNDS_AUTO;
    if (rounds && p->staggered > rounds_most)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "dynamics: staggered is %llu; give the most rounds of a step, at most %llu, or 0 for none",
                          (unsigned long long)p->staggered, (unsigned long long)rounds_most);
    const bool sweeps = p->sweeps != TS_SWEEPS_AUTO;
    if (sweeps && p->sweeps > rounds_most)
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "dynamics: sweeps is %llu; give the most sweeps of a step, at most %llu, or 0 for exact programs",
            (unsigned long long)p->sweeps, (unsigned long long)rounds_most);
    if (rounds && p->staggered > 0 && sweeps && p->sweeps > 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "dynamics: both staggered (exact) and sweeps (nearly) are given; leave out one of them");
    return TS_OK;
}

static const ts_resolver in_plane = {.search = TS_IMPACT_SEARCH,
                                     .overlap_at_start = OVERLAP_AT_START,
                                     .time_step = ts_impact_time_step_plane,
                                     .resolve = resolve,
                                     .holds = ts_impact_holds,
                                     .hold = hold,
                                     .look = ts_impact_look,
                                     .problem = copy_problem,
                                     .open = open_memory,
                                     .close = close_memory,
                                     .bytes = memory_bytes};

const ts_dynamics ts_impact_dynamics = {.name = "impact",
                                        .plane = &in_plane,
                                        .space = &ts_impact_in_space,
                                        .field = field,
                                        .field_count = sizeof field / sizeof *field,
                                        .param_bytes = sizeof(ts_impact_param),
                                        .defaults = &(const ts_impact_param){.operator_name = "gr",
                                                                             .correction = (double)NAN,
                                                                             .weight_least = 0.5,
                                                                             .staggered = TS_ROUNDS_AUTO,
                                                                             .sweeps = TS_SWEEPS_AUTO},
                                        .check = check,
                                        .compile = ts_impact_compile,
                                        .derive = ts_impact_derive,
                                        .hash = ts_impact_hash,
                                        .restitution = restitution,
                                        .remark = remark,
                                        .tell = tell,
                                        .against_overlap = "shorten time_step or raise dynamics.sweeps or correction"};
