/* SPDX-License-Identifier: MIT */
/* Impact as a dynamics: contacts that the step would strike are resolved at its beginning, all at once, by an operator (impact.h); what
 * follows is free flight (advance.h), exact under gravity.
 *
 *     strikes (contact/strikes.h) ─▶ rows over bodies that can move ─▶ operator, restitution ─▶ friction ─▶ velocities
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "contact/strikes.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact_check.h"
#include "dynamics/impact_plane.h"
#include "dynamics/impact_space.h"
#include "dynamics/problem.h"
#include "workspace.h"

/* Stream of random numbers: orders of contacts. */
#define ORDERS 0x0de5

#define DOF    TS_PLANE_DOF

static void close_memory(void *own)
{
    ts_impact_memory *m = own;
    if (!m)
        return;
    ts_strikes_free(&m->strikes);
    ts_impact_hand_free(&m->hand);
    ts_array_free(&m->strike);
    ts_array_free(&m->body);
    ts_free(m->number);
    ts_free(m->numbered);
    ts_free(m);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    ts_impact_memory *m = ts_alloc(1, sizeof *m);
    *own = NULL;
    if (!m)
        return ts_fail_memory(error, sizeof *m);
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        m->hand.rough |= model->law[i].friction > 0;
    m->number = ts_alloc(model->body_count, sizeof *m->number);
    m->numbered = ts_alloc(model->body_count, sizeof *m->numbered);
    ts_status status = m->number && m->numbered
                           ? TS_OK
                           : ts_fail_memory(error, model->body_count * (sizeof *m->number + sizeof *m->numbered));
    if (status == TS_OK)
        status = ts_strikes_create(&m->strikes, model, error);
    if (status == TS_OK)
        status = ts_impact_hand_create(&m->hand, model->impact_operator, DOF, error);
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
    return sizeof *m + ts_strikes_bytes(&m->strikes, model) + ts_impact_hand_bytes(&m->hand) +
           m->strike.capacity * sizeof(ts_strike) + (m->body.capacity + model->body_count) * sizeof(int32_t) +
           model->body_count * sizeof *m->numbered;
}

/* ---- Rows ---- */

/* A side of a contact: the body's row, or what it adds to the rate when nothing can move it. */
typedef struct side {
    double x, y;      /* of the body, or of the wall's origin */
    double vx, vy;    /* its velocity */
    double spin;      /* [rad/s] */
    double root_mass; /* √(1/m); 0: it cannot be moved */
    double root_inertia;
} side;

static side side_of_body(const ts_model *model, const ts_state *state, int32_t i)
{
    const ts_body *b = &state->body[i];
    return (side){b->x, b->y, b->vx, b->vy, b->spin, sqrt(b->inv_mass), sqrt(model->inv_inertia[i])};
}

static side side_of(const ts_model *model, const ts_state *state, const ts_strikes *strikes, int32_t a)
{
    if (a >= 0)
        return side_of_body(model, state, a);
    const ts_frame2 *f = &strikes->wall[-1 - a].frame;
    return (side){f->x, f->y, f->vx, f->vy, f->spin, 0, 0};
}

/* Along direction (dx, dy) at the strike's point, with the couple `turn`: the row scaled by masses, or, for what cannot be moved, what
 * it adds to the rate. `sign`: 1 for B, -1 for A. */
static double add_side(const side *s, const ts_strike *strike, const double direction[3], double sign, double *row)
{
    double rx = strike->px - s->x, ry = strike->py - s->y;
    double turn = rx * direction[1] - ry * direction[0] + direction[2];
    if (s->root_mass == 0)
        return sign * (direction[0] * s->vx + direction[1] * s->vy + turn * s->spin);
    row[0] = sign * s->root_mass * direction[0];
    row[1] = sign * s->root_mass * direction[1];
    row[2] = sign * s->root_inertia * turn;
    return 0;
}

static int32_t number_body(ts_impact_memory *m, const ts_model *model, int32_t body, const side *s)
{
    if (s->root_mass == 0)
        return -1;
    if (m->numbered[body] != m->now) {
        m->numbered[body] = m->now;
        m->number[body] = (int32_t)m->body.count;
        const double *g = model->settings.gravity, half = 0.5 * model->settings.time_step;
        double *w = m->hand.w.item + DOF * m->body.count, *flight = m->hand.flight.item + DOF * m->body.count;
        w[0] = s->vx / s->root_mass;
        w[1] = s->vy / s->root_mass;
        w[2] = s->root_inertia > 0 ? s->spin / s->root_inertia : 0;
        flight[0] = half * g[0] / s->root_mass;
        flight[1] = half * g[1] / s->root_mass;
        flight[2] = 0;
        m->body.item[m->body.count++] = body;
    }
    return m->number[body];
}

static ts_status reserve(ts_impact_memory *m, ts_error *error)
{
    size_t n = m->strikes.count;
    TS_TRY(ts_array_reserve(&m->strike, n, error));
    TS_TRY(ts_array_reserve(&m->body, 2 * n, error));
    return ts_impact_hand_reserve(&m->hand, n, error);
}

/* A strike without a slope cannot be opened by any impulse, and one between what cannot move is nobody's business. */
static bool counts(const ts_strike *s, const side *a, const side *b)
{
    return (a->root_mass > 0 || b->root_mass > 0) && (s->weight > 0 || s->couple != 0);
}

static void add_strike(ts_impact_memory *m, const ts_model *model, const ts_state *state, const ts_strike *s)
{
    side a = side_of(model, state, &m->strikes, s->a), b = side_of_body(model, state, s->b);
    if (!counts(s, &a, &b))
        return;
    ts_impact_hand *hand = &m->hand;
    const size_t k = m->strike.count++;
    const double normal[3] = {s->weight * s->nx, s->weight * s->ny, s->couple}, tangent[3] = {-s->ny, s->nx, 0};
    const double *g = model->settings.gravity, h = model->settings.time_step;
    double fall = 0.5 * h * h * s->weight * (s->nx * g[0] + s->ny * g[1]);
    m->strike.item[k] = *s;
    hand->a.item[k] = number_body(m, model, s->a, &a);
    hand->b.item[k] = number_body(m, model, s->b, &b);
    hand->drift.item[k] =
        add_side(&a, s, normal, -1, hand->ga.item + DOF * k) + add_side(&b, s, normal, 1, hand->gb.item + DOF * k);
    hand->room.item[k] = fmax(s->gap, 0) / h;
    hand->slip.item[k] =
        add_side(&a, s, tangent, -1, hand->ta.item + DOF * k) + add_side(&b, s, tangent, 1, hand->tb.item + DOF * k);
    hand->mu.item[k] = s->friction * s->weight; /* the force along the normal is λ times the weight */
    hand->gap.item[k] = s->gap;
    hand->fall.item[k] = (hand->b.item[k] >= 0 ? fall : 0) - (hand->a.item[k] >= 0 ? fall : 0);
    hand->size.item[k] = model->body[s->b].radius;
    hand->inverse.item[k] = model->body[s->b].inv_mass;
    if (s->a >= 0) {
        hand->size.item[k] = fmin(hand->size.item[k], model->body[s->a].radius);
        hand->inverse.item[k] += model->body[s->a].inv_mass;
    }
    /* a second place of a pair, which stays open */
    hand->count = m->strike.count;
    if (s->more && ts_impact_gap_ahead(hand, h, k) > 0)
        m->strike.count--;
}

static void add_strikes(ts_impact_memory *m, const ts_model *model, const ts_state *state)
{
    m->now++;
    m->strike.count = m->body.count = 0;
    for (size_t i = 0; i < m->strikes.block_count; i++)
        for (size_t k = 0; k < m->strikes.block[i].count; k++)
            add_strike(m, model, state, &m->strikes.block[i].item[k]);
    m->hand.count = m->strike.count;
    m->hand.blocks = m->body.count;
}

/* The instant of this step. */
static ts_status gather(ts_impact_memory *m, const ts_model *model, ts_state *state, ts_workspace *work,
                        ts_error *error)
{
    double since = ts_timer_begin(&work->timers);
    TS_TRY(ts_strikes_find(&m->strikes, model, state, work, error));
    TS_TRY(reserve(m, error));
    add_strikes(m, model, state);
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* ---- Resolving ---- */

static ts_status fail_unfinished(const ts_impact_memory *m, const ts_state *state, ts_error *error)
{
    const ts_instant n = ts_impact_normals(&m->hand);
    TS_TRY(ts_impact_tell_jam(&(ts_impact){.instant = &n, .options = &(ts_impact_options){0}, .work = m->hand.work},
                              m->strike.item, state, error));
    TS_TRY(ts_impact_tell_growth(&m->hand, ts_state_time(state), error));
    double rate;
    size_t worst = ts_impact_worst(&m->hand, &rate);
    const ts_strike *s = &m->strike.item[worst];
    char other[64];
    if (s->a >= 0)
        snprintf(other, sizeof other, "body %d", s->a);
    else
        snprintf(other, sizeof other, "boundary %d", -1 - s->a);
    return ts_fail(
        error, TS_DIVERGED,
        "the impact at t = %.9g s did not end: after %llu passes by \"%s\" %s and body %d still close at %.3g m/s: "
        "try %sa shorter time_step",
        ts_state_time(state), (unsigned long long)m->hand.report.passes, m->hand.by->name, other, s->b, -rate,
        ts_impact_else(&m->hand));
}

static void write_velocities(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    for (size_t i = 0; i < m->body.count; i++) {
        int32_t body = m->body.item[i];
        const double *w = m->hand.w.item + DOF * i;
        ts_body *to = &state->body[body];
        double root = sqrt(to->inv_mass);
        to->vx = root * w[0];
        to->vy = root * w[1];
        to->spin = sqrt(model->inv_inertia[body]) * w[2];
    }
}

/* Returns the work that it takes against gravity. */
static double write_shifts(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    const double *gravity = model->settings.gravity;
    double lift = 0;
    for (size_t i = 0; i < m->body.count; i++) {
        ts_body *body = &state->body[m->body.item[i]];
        const double *by = m->hand.shift.item + DOF * i, root = sqrt(body->inv_mass);
        body->x += root * by[0];
        body->y += root * by[1];
        body->angle += sqrt(model->inv_inertia[m->body.item[i]]) * by[2];
        lift -= (by[0] * gravity[0] + by[1] * gravity[1]) / root;
    }
    return lift;
}

/* Impulses go to the contacts' histories, and to the forces on boundaries. */
static void note_impulses(ts_impact_memory *m, const ts_model *model, ts_state *state, ts_workspace *work)
{
    double per_time = 1 / model->settings.time_step;
    if (model->boundary_count > 0)
        memset(work->boundary_wrench, 0, model->boundary_count * sizeof *work->boundary_wrench);
    ts_impact_note_histories(m, model, state);
    for (size_t k = 0; k < m->strike.count; k++) {
        const ts_strike *s = &m->strike.item[k];
        double impulse[2];
        if (s->a >= 0)
            continue;
        ts_wrench *to = &work->boundary_wrench[-1 - s->a];
        const ts_frame2 *f = &m->strikes.wall[-1 - s->a].frame;
        ts_impact_contact_impulse(m, k, impulse);
        const double fx = -per_time * impulse[0], fy = -per_time * impulse[1];
        to->fx += fx;
        to->fy += fy;
        to->torque += (s->px - f->x) * fy - (s->py - f->y) * fx - per_time * m->hand.lambda.item[k] * s->couple;
    }
}

static void note_overlap(const ts_impact_memory *m, const ts_model *model, ts_workspace *work)
{
    for (size_t k = 0; k < m->strike.count; k++) {
        const ts_strike *s = &m->strike.item[k];
        if (-s->gap <= work->max_overlap)
            continue;
        double radius = model->body[s->b].radius;
        if (s->a >= 0 && model->body[s->a].radius < radius)
            radius = model->body[s->a].radius;
        work->max_overlap = -s->gap;
        work->max_overlap_ratio = -s->gap / radius;
    }
}

static ts_impact_rules rules_of(const ts_model *model, const ts_state *state, const ts_workspace *work)
{
    return (ts_impact_rules){.restitution = model->restitution,
                             .correction = model->correction,
                             .staggered = model->staggered,
                             .sweeps = model->sweeps,
                             .time_step = model->settings.time_step,
                             .gravity = hypot(model->settings.gravity[0], model->settings.gravity[1]),
                             .seed = ts_random_u64(model->settings.seed, ORDERS, state->step),
                             .pool = work->pool};
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_impact_memory *m = work->own;
    const ts_impact_rules rules = rules_of(model, state, work);
    ts_impact_energy energy;
    TS_TRY(gather(m, model, state, work, error));
    TS_TRY(ts_impact_tell_deep(m->strike.item, m->strike.count, state, error));
    if (rules.sweeps > 0)
        ts_impact_guess(m, model, state);
    TS_TRY(ts_impact_solve(&m->hand, &rules, &energy, error));
    if (!m->hand.report.finished)
        return fail_unfinished(m, state, error);
    if (rules.correction > 0)
        TS_TRY(ts_impact_correct(&m->hand, &rules, error));
    TS_TRY(ts_array_reserve(&state->past3, m->strike.count, error));

    /* nothing can fail any more */
    state->budget.work += energy.work;
    state->budget.lost_normal += energy.lost_normal;
    state->budget.lost_friction += energy.lost_friction;
    work->contact_sum += m->strike.count;
    work->unsettled_count += ts_impact_unsettled(&m->hand.report);
    work->locked_count += m->hand.report.locked;
    note_overlap(m, model, work);
    write_velocities(m, model, state);
    note_impulses(m, model, state, work);
    if (model->correction > 0)
        state->budget.work += write_shifts(m, model, state);
    return TS_OK;
}

/* ---- The problem by itself ---- */

static ts_status copy_problem(const ts_model *model, ts_state *state, ts_workspace *work, ts_problem *to,
                              ts_error *error)
{
    ts_impact_memory *m = work->own;
    TS_TRY(gather(m, model, state, work, error));
    size_t count = m->strike.count, blocks = m->body.count;
    TS_TRY(ts_problem_create(to, count, blocks, DOF, error));
    to->time = ts_state_time(state);
    to->restitution = model->restitution;
    /* without restitution everything is worked out for the mean velocity of the flight */
    const ts_impact_rules rules = rules_of(model, state, work);
    const bool still = ts_impact_rests(&rules) && model->restitution == 0;
    for (size_t i = 0; i < blocks; i++) {
        to->body[i] = m->body.item[i];
        to->root[DOF * i] = to->root[DOF * i + 1] = sqrt(state->body[to->body[i]].inv_mass);
        to->root[DOF * i + 2] = sqrt(model->inv_inertia[to->body[i]]);
        for (size_t d = DOF * i; d < DOF * (i + 1); d++)
            to->w[d] = m->hand.w.item[d] + (still ? m->hand.flight.item[d] : 0);
    }
    for (size_t k = 0; k < count; k++) {
        to->a[k] = m->hand.a.item[k];
        to->b[k] = m->hand.b.item[k];
        to->drift[k] = m->hand.drift.item[k] + (still ? m->hand.room.item[k] : 0);
        to->slip[k] = m->hand.slip.item[k];
        to->friction[k] = m->hand.mu.item[k];
        for (size_t d = DOF * k; d < DOF * (k + 1); d++) { /* rows of what cannot move are never written */
            to->ga[d] = to->a[k] >= 0 ? m->hand.ga.item[d] : 0;
            to->ta[d] = to->a[k] >= 0 ? m->hand.ta.item[d] : 0;
            to->gb[d] = to->b[k] >= 0 ? m->hand.gb.item[d] : 0;
            to->tb[d] = to->b[k] >= 0 ? m->hand.tb.item[d] : 0;
        }
    }
    return TS_OK;
}

const ts_impact_report *ts_impact_last(const ts_workspace *work)
{
    if (work->model->dimension == 3)
        return ts_impact_space_last(work);
    const ts_impact_memory *m = work->model->dynamics == &ts_impact_dynamics ? work->own : NULL;
    return m ? &m->hand.report : NULL;
}

static const ts_resolver in_plane = {.contacts_at = TS_AT_END,
                                     .resolve = resolve,
                                     .look = ts_impact_look,
                                     .problem = copy_problem,
                                     .open = open_memory,
                                     .close = close_memory,
                                     .bytes = memory_bytes};

const ts_dynamics ts_impact_dynamics = {.name = "impact", .plane = &in_plane, .space = &ts_impact_in_space};
