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
#include "dynamics/impact_memory.h"
#include "dynamics/impact_work.h"
#include "dynamics/problem.h"
#include "workspace.h"

/* ---- At rest ----
 *
 * Where impacts are not elastic, bodies come to rest, and a step has to leave them where they are. With velocities v = 0 at its beginning they
 * fall by ½ g h² in it. What counts for a contact is how far it closes in the whole step, and that is h times the *mean* velocity of the flight,
 *
 *     u = v + ½ g h        x(h) = x + h u
 *
 * so impacts and friction of what rests are worked out for u: it leaves with ½ g h upwards, and comes back to the same place. Nor are
 * bodies stopped where a step happens to find them: they may come as far as they touch, r(u) ≥ −gap / h.
 *
 * Islands of contacts in which something closes faster than rest does, and which bounce, are worked out for v, as published: one contact
 * then has Newton's law to the last digit. So is all where there is no restitution below 1 (dynamics.correction = 0). */

/* Passes after which grains count as locked; impacts of loose ones take some tens, of a crystal of 100 layers some hundreds. */
static const uint64_t locked_after = 20000;

/* What closes more slowly than gravity makes it in so many steps is at rest: what lies comes back with half a step's worth, and elastic
 * impacts scatter that among grains, which a heap would creep by. */
static const double rest_steps = 2;

/* Stream of random numbers: orders of contacts. */
#define ORDERS 0x0de5

static void close_memory(void *own)
{
    ts_impact_memory *m = own;
    if (!m)
        return;
    ts_strikes_free(&m->strikes);
    ts_impact_work_free(m->work);
    ts_array_free(&m->strike);
    ts_index_array *index[INDEXES] = {&m->a, &m->b, &m->body};
    for (size_t i = 0; i < INDEXES; i++)
        ts_array_free(index[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        ts_array_free(&m->all[i]);
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
    m->by = ts_impact_find(model->impact_operator);
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        m->rough |= model->law[i].friction > 0;
    m->number = ts_alloc(model->body_count, sizeof *m->number);
    m->numbered = ts_alloc(model->body_count, sizeof *m->numbered);
    ts_status status = m->number && m->numbered
                           ? TS_OK
                           : ts_fail_memory(error, model->body_count * (sizeof *m->number + sizeof *m->numbered));
    if (status == TS_OK)
        status = ts_strikes_create(&m->strikes, model, error);
    if (status == TS_OK)
        status = ts_impact_work_create(&m->work, error);
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
    size_t numbers = 0;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers += m->all[i].capacity;
    return sizeof *m + ts_strikes_bytes(&m->strikes, model) + ts_impact_work_bytes(m->work) +
           m->strike.capacity * sizeof(ts_strike) +
           (m->a.capacity + m->b.capacity + m->body.capacity + model->body_count) * sizeof(int32_t) +
           numbers * sizeof(double) + model->body_count * sizeof *m->numbered;
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
        double *w = m->w.item + DOF * m->body.count, *flight = m->flight.item + DOF * m->body.count;
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
    TS_TRY(ts_array_reserve(&m->a, n, error));
    TS_TRY(ts_array_reserve(&m->b, n, error));
    TS_TRY(ts_array_reserve(&m->body, 2 * n, error));
    TS_TRY(ts_array_reserve(&m->w, 2 * n * DOF, error));
    TS_TRY(ts_array_reserve(&m->flight, 2 * n * DOF, error));
    TS_TRY(ts_array_reserve(&m->before, 2 * n * DOF, error));
    TS_TRY(ts_array_reserve(&m->shift, 2 * n * DOF, error));
    ts_double_array *rows[ROWS] = {&m->ga, &m->gb, &m->ta, &m->tb},
                    *one[SINGLES] = {&m->drift, &m->slip, &m->lambda,       &m->rub,
                                     &m->bound, &m->room, &m->lambda_other, &m->rub_other};
    for (size_t i = 0; i < ROWS; i++)
        TS_TRY(ts_array_reserve(rows[i], n * DOF, error));
    for (size_t i = 0; i < SINGLES; i++)
        TS_TRY(ts_array_reserve(one[i], n, error));
    return TS_OK;
}

static ts_instant instant_of(const ts_impact_memory *m)
{
    return (ts_instant){m->strike.count, m->body.count, DOF,        m->a.item,
                        m->b.item,       m->ga.item,    m->gb.item, m->drift.item};
}

static ts_instant tangents_of(const ts_impact_memory *m)
{
    ts_instant tangent = instant_of(m);
    tangent.ga = m->ta.item;
    tangent.gb = m->tb.item;
    tangent.drift = m->slip.item;
    return tangent;
}

/* The gap that a contact would have at the end of the step, with velocities as they are now. */
static double gap_ahead(const ts_impact_memory *m, const ts_model *model, size_t k)
{
    const ts_strike *s = &m->strike.item[k];
    const double *g = model->settings.gravity, h = model->settings.time_step;
    double fall = 0.5 * h * h * s->weight * (s->nx * g[0] + s->ny * g[1]);
    double own = (m->b.item[k] >= 0 ? fall : 0) - (m->a.item[k] >= 0 ? fall : 0);
    ts_instant n = instant_of(m);
    return s->gap + h * ts_instant_rate(&n, k, m->w.item) + own;
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
    size_t k = m->strike.count++;
    const double normal[3] = {s->weight * s->nx, s->weight * s->ny, s->couple}, tangent[3] = {-s->ny, s->nx, 0};
    m->strike.item[k] = *s;
    m->a.item[k] = number_body(m, model, s->a, &a);
    m->b.item[k] = number_body(m, model, s->b, &b);
    m->drift.item[k] =
        add_side(&a, s, normal, -1, m->ga.item + DOF * k) + add_side(&b, s, normal, 1, m->gb.item + DOF * k);
    m->room.item[k] = fmax(s->gap, 0) / model->settings.time_step;
    m->slip.item[k] =
        add_side(&a, s, tangent, -1, m->ta.item + DOF * k) + add_side(&b, s, tangent, 1, m->tb.item + DOF * k);
    /* a second place of a pair, which stays open */
    if (s->more && gap_ahead(m, model, k) > 0)
        m->strike.count--;
}

static void add_strikes(ts_impact_memory *m, const ts_model *model, const ts_state *state)
{
    m->now++;
    m->strike.count = m->body.count = 0;
    for (size_t i = 0; i < m->strikes.block_count; i++)
        for (size_t k = 0; k < m->strikes.block[i].count; k++)
            add_strike(m, model, state, &m->strikes.block[i].item[k]);
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

/* Whether bodies can come to rest: flight and room count then. */
static bool rests(const ts_model *model)
{
    return model->correction > 0 && model->restitution < 1;
}

static double energy_of(const ts_impact_memory *m)
{
    double sum = 0;
    for (size_t i = 0; i < DOF * m->body.count; i++)
        sum += m->w.item[i] * m->w.item[i];
    return 0.5 * sum;
}

static ts_status fail_unfinished(const ts_impact_memory *m, const ts_state *state, const ts_impact_report *report,
                                 ts_error *error)
{
    const ts_instant n = instant_of(m);
    TS_TRY(ts_impact_tell_jam(&(ts_impact){.instant = &n, .options = &(ts_impact_options){0}, .work = m->work},
                              m->strike.item, state, error));
    size_t worst = 0;
    double rate = 0;
    for (size_t k = 0; k < n.count; k++) {
        double own = ts_instant_rate(&n, k, m->w.item);
        if (own < rate) {
            rate = own;
            worst = k;
        }
    }
    const ts_strike *s = &m->strike.item[worst];
    char other[64];
    if (s->a >= 0)
        snprintf(other, sizeof other, "body %d", s->a);
    else
        snprintf(other, sizeof other, "boundary %d", -1 - s->a);
    return ts_fail(
        error, TS_DIVERGED,
        "the impact at t = %.9g s did not end: after %llu passes %s and body %d still close at %.3g m/s; the "
        "operator \"%s\" does not settle: try \"gr\", or a shorter time_step",
        ts_state_time(state), (unsigned long long)report->passes, other, s->b, -rate, m->by->name);
}

static void write_velocities(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    for (size_t i = 0; i < m->body.count; i++) {
        int32_t body = m->body.item[i];
        const double *w = m->w.item + DOF * i;
        ts_body *to = &state->body[body];
        double root = sqrt(to->inv_mass);
        to->vx = root * w[0];
        to->vy = root * w[1];
        to->spin = sqrt(model->inv_inertia[body]) * w[2];
    }
}

/* ---- Keeping apart what rests ---- */

/* Shares of the smaller body's radius. Overlaps that are left alone: moving bodies goes without friction, and a heap in which that never ends
 * creeps apart. And what a gap may be asked to grow by at once: as much as moving the bodies that far makes; beyond that a slope says
 * little, and where it nearly vanishes (grains that are wedged) it would ask for leaps. */
static const double overlap_left = 5e-4, shift_most = 0.02;

/* How much a contact's gap lacks at the end of the step; ≥ 0: nothing. */
static double lack(const ts_impact_memory *m, const ts_model *model, const ts_instant *n, size_t k)
{
    const ts_strike *s = &m->strike.item[k];
    double inverse = model->body[s->b].inv_mass, radius = model->body[s->b].radius;
    if (s->a >= 0) {
        inverse += model->body[s->a].inv_mass;
        radius = fmin(radius, model->body[s->a].radius);
    }
    double slope = fmin(sqrt(ts_instant_square(n, k) / inverse), 1), left = -overlap_left * radius;
    double goal = left + (1 - model->correction) * fmin(s->gap - left, 0);
    return fmax(gap_ahead(m, model, k) - goal, -shift_most * radius * slope);
}

/* Bodies that turn touch elsewhere at the end of a step than at its beginning, and overlap a little. So bodies are moved, by as little as it
 * takes, so that contacts that overlap too much do so by less, and none comes to. Velocities are left alone. */
static ts_status correct(ts_impact_memory *m, const ts_model *model, const ts_impact_options *options, ts_error *error)
{
    const size_t count = m->strike.count;
    ts_instant n = instant_of(m);
    double *need = m->slip.item, *push = m->lambda_other.item; /* both were used for the last time */
    bool any = false;
    double *shift = m->shift.item;
    if (count > 0)
        memset(shift, 0, DOF * m->body.count * sizeof *shift);
    for (size_t k = 0; k < count; k++) {
        need[k] = lack(m, model, &n, k);
        any |= need[k] < 0;
    }
    if (!any)
        return TS_OK;
    n.drift = need;
    ts_impact_options dull = *options;
    ts_impact_report report;
    dull.restitution = 0;
    dull.room = dull.flight = NULL;
    if (model->sweeps > 0) {
        ts_instant tangent = tangents_of(m);
        tangent.drift = NULL;
        for (size_t k = 0; k < count; k++) {
            m->bound.item[k] = m->strike.item[k].friction * m->strike.item[k].weight;
            push[k] = m->rub_other.item[k] = 0;
        }
        return ts_impact_sweep(&(ts_impact){&n, &dull, m->work, shift, push, &report},
                               &(ts_impact_friction){.tangent = &tangent, .mu = m->bound.item}, m->rub_other.item,
                               model->sweeps, error);
    }
    return ts_impact_resolve(&(ts_impact){&n, &dull, m->work, shift, push, &report}, m->by, error);
}

/* Returns the work that it takes against gravity. */
static double write_shifts(const ts_impact_memory *m, const ts_model *model, ts_state *state)
{
    const double *gravity = model->settings.gravity;
    double lift = 0;
    for (size_t i = 0; i < m->body.count; i++) {
        ts_body *body = &state->body[m->body.item[i]];
        const double *by = m->shift.item + DOF * i, root = sqrt(body->inv_mass);
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
        double normal = m->lambda.item[k], along = m->rub.item[k];
        if (s->a >= 0)
            continue;
        ts_wrench *to = &work->boundary_wrench[-1 - s->a];
        const ts_frame2 *f = &m->strikes.wall[-1 - s->a].frame;
        double fx = -per_time * (normal * s->weight * s->nx - along * s->ny),
               fy = -per_time * (normal * s->weight * s->ny + along * s->nx);
        to->fx += fx;
        to->fy += fy;
        to->torque += (s->px - f->x) * fy - (s->py - f->y) * fx - per_time * normal * s->couple;
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

/* Each impulse along a normal does its work at the mean of the velocities before and after: so what is lost to normals and to friction can
 * be told apart. */
static double work_of_normals(const ts_impact_memory *m)
{
    ts_instant normal = instant_of(m);
    double sum = 0;
    normal.drift = NULL;
    for (size_t k = 0; k < normal.count; k++)
        sum += 0.5 * m->lambda.item[k] *
               (ts_instant_rate(&normal, k, m->before.item) + ts_instant_rate(&normal, k, m->w.item));
    return sum;
}

/* Normals and friction until they agree. `between` becomes the energy that the normal impulses alone leave. */
static ts_status settle(ts_impact_memory *m, const ts_model *model, const ts_impact_options *options, double *between,
                        ts_error *error)
{
    ts_instant normal = instant_of(m), tangent = tangents_of(m);
    for (size_t i = 0; i < DOF * m->body.count; i++)
        m->before.item[i] = m->w.item[i];
    for (size_t k = 0; k < normal.count; k++)
        m->bound.item[k] = m->strike.item[k].friction * m->strike.item[k].weight;
    ts_impact_friction friction = {&tangent, m->bound.item, m->rub.item, model->staggered};
    TS_TRY(ts_impact_stagger(&(ts_impact){&normal, options, m->work, m->w.item, m->lambda.item, &m->report}, m->by,
                             &friction, error));
    *between += work_of_normals(m);
    return TS_OK;
}

/* ---- By sweeps ---- */

/* The elastic half: the operator, then friction once, in m->shift, m->lambda_other and m->rub_other. */
static ts_status bounce(ts_impact_memory *m, const ts_impact_options *options, ts_error *error)
{
    const size_t n = m->strike.count;
    ts_instant normal = instant_of(m), tangent = tangents_of(m);
    ts_impact_options elastic = *options;
    ts_impact_report rubbed;
    double *bound = m->bound.item;
    elastic.restitution = 1;
    elastic.passes_max = options->give_up;
    memcpy(m->shift.item, m->w.item, DOF * m->body.count * sizeof(double));
    TS_TRY(ts_impact_resolve(&(ts_impact){&normal, &elastic, m->work, m->shift.item, m->lambda_other.item, &m->report},
                             m->by, error));
    for (size_t k = 0; k < n; k++)
        bound[k] = m->strike.item[k].friction * m->strike.item[k].weight * m->lambda_other.item[k];
    return ts_impact_rub(&(ts_impact){&tangent, options, m->work, m->shift.item, m->rub_other.item, &rubbed}, bound,
                         error);
}

static ts_status sweep(ts_impact_memory *m, const ts_model *model, const ts_impact_options *options, ts_state *state,
                       double *between, ts_error *error)
{
    const size_t n = m->strike.count, numbers = DOF * m->body.count;
    ts_instant normal = instant_of(m), tangent = tangents_of(m);
    const ts_impact impact = {&normal, options, m->work, m->w.item, m->lambda.item, &m->report};
    ts_impact_report elastic = {.finished = true};
    bool bounces;
    m->report = elastic;
    if (n == 0)
        return TS_OK;
    memcpy(m->before.item, m->w.item, numbers * sizeof(double));
    TS_TRY(ts_impact_shares(&impact, m->w.item, options->restitution, &bounces, error));
    if (bounces) {
        TS_TRY(bounce(m, options, error));
        elastic = m->report;
        if (!elastic.finished) /* what is locked in cannot bounce */
            ts_impact_lock(&(ts_impact){.instant = &normal, .work = m->work, .w = m->shift.item});
    }
    for (size_t k = 0; k < n; k++)
        m->bound.item[k] = m->strike.item[k].friction * m->strike.item[k].weight;
    ts_impact_guess(m, model, state);
    ts_impact_friction friction = {.tangent = &tangent, .mu = m->bound.item};
    TS_TRY(ts_impact_sweep(&impact, &friction, m->rub.item, model->sweeps, error));
    if (m->report.disagreed) {
        bool jammed;
        TS_TRY(ts_impact_jammed(&impact, NULL, &jammed, error));
        m->report.finished &= !jammed;
    }
    if (bounces) {
        ts_impact_blend_blocks(&impact, m->w.item, m->shift.item);
        ts_impact_blend_contacts(&impact, m->lambda.item, m->lambda_other.item);
        ts_impact_blend_contacts(&impact, m->rub.item, m->rub_other.item);
        m->report.passes = elastic.passes;
        m->report.touched += elastic.touched;
    }
    m->report.locked = !elastic.finished;
    *between += work_of_normals(m);
    return TS_OK;
}

static ts_status rub(ts_impact_memory *m, const ts_impact_options *options, ts_impact_report *report, ts_error *error)
{
    size_t n = m->strike.count;
    bool any = false;
    if (n == 0)
        return TS_OK;
    memset(m->rub.item, 0, n * sizeof *m->rub.item);
    for (size_t k = 0; k < n; k++) {
        /* the force along the normal is λ times the weight */
        const ts_strike *s = &m->strike.item[k];
        m->bound.item[k] = s->friction * s->weight * m->lambda.item[k];
        any |= m->bound.item[k] > 0;
    }
    if (!any)
        return TS_OK;
    ts_instant tangent = tangents_of(m);
    const ts_impact rubbed = {&tangent, options, m->work, m->w.item, m->rub.item, report};
    ts_impact_add_flight(&rubbed, 1, m->w.item);
    TS_TRY(ts_impact_rub(&rubbed, m->bound.item, error));
    ts_impact_add_flight(&rubbed, -1, m->w.item);
    return TS_OK;
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_impact_memory *m = work->own;
    ts_impact_options options = {.restitution = model->restitution,
                                 .pool = work->pool,
                                 .fair = m->rough,
                                 .give_up = locked_after,
                                 .seed = ts_random_u64(model->settings.seed, ORDERS, state->step)};
    ts_impact_report *report = &m->report, friction = {.finished = true};
    TS_TRY(gather(m, model, state, work, error));
    if (rests(model)) {
        options.flight = m->flight.item;
        options.room = m->room.item;
        options.rest =
            rest_steps * model->settings.time_step * hypot(model->settings.gravity[0], model->settings.gravity[1]);
    }
    TS_TRY(ts_impact_tell_deep(m->strike.item, m->strike.count, state, error));
    ts_instant instant = instant_of(m);
    double before = energy_of(m), between = before, push = 0, pull = 0;
    const bool together = model->staggered > 0 || (model->sweeps > 0 && model->restitution < 1);
    if (model->staggered > 0)
        TS_TRY(settle(m, model, &options, &between, error));
    else if (together)
        TS_TRY(sweep(m, model, &options, state, &between, error));
    else
        TS_TRY(ts_impact_resolve(&(ts_impact){&instant, &options, m->work, m->w.item, m->lambda.item, report}, m->by,
                                 error));
    if (!report->finished)
        return fail_unfinished(m, state, report, error);
    if (!together) {
        between = energy_of(m);
        TS_TRY(rub(m, &options, &friction, error));
    }
    for (size_t k = 0; k < m->strike.count; k++) { /* what scripts do: impulse times their velocity */
        push -= m->lambda.item[k] * m->drift.item[k];
        pull -= m->rub.item[k] * m->slip.item[k];
    }
    if (model->correction > 0)
        TS_TRY(correct(m, model, &options, error));

    /* nothing can fail any more */
    state->budget.work += push + pull;
    state->budget.lost_normal += before + push - between;
    state->budget.lost_friction += between + pull - energy_of(m);
    work->contact_sum += m->strike.count;
    work->unsettled_count += report->disagreed;
    work->locked_count += report->locked;
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
    const bool still = rests(model) && model->restitution == 0;
    for (size_t i = 0; i < blocks; i++) {
        to->body[i] = m->body.item[i];
        to->root[DOF * i] = to->root[DOF * i + 1] = sqrt(state->body[to->body[i]].inv_mass);
        to->root[DOF * i + 2] = sqrt(model->inv_inertia[to->body[i]]);
        for (size_t d = DOF * i; d < DOF * (i + 1); d++)
            to->w[d] = m->w.item[d] + (still ? m->flight.item[d] : 0);
    }
    for (size_t k = 0; k < count; k++) {
        const ts_strike *s = &m->strike.item[k];
        to->a[k] = m->a.item[k];
        to->b[k] = m->b.item[k];
        to->drift[k] = m->drift.item[k] + (still ? m->room.item[k] : 0);
        to->slip[k] = m->slip.item[k];
        to->friction[k] = s->friction * s->weight;
        for (size_t d = DOF * k; d < DOF * (k + 1); d++) { /* rows of what cannot move are never written */
            to->ga[d] = to->a[k] >= 0 ? m->ga.item[d] : 0;
            to->ta[d] = to->a[k] >= 0 ? m->ta.item[d] : 0;
            to->gb[d] = to->b[k] >= 0 ? m->gb.item[d] : 0;
            to->tb[d] = to->b[k] >= 0 ? m->tb.item[d] : 0;
        }
    }
    return TS_OK;
}

const ts_impact_report *ts_impact_last(const ts_workspace *work)
{
    const ts_impact_memory *m = work->model->dynamics == &ts_impact_dynamics ? work->own : NULL;
    return m ? &m->report : NULL;
}

/* ---- Looking ---- */

typedef struct look_job {
    const ts_model *model;
    const ts_workspace *work;
    ts_contact_sink *sink;
    void *context;
} look_job;

/* What overlaps, with the mean force of the last step. */
static void look_batch(void *context, const ts_contact_batch *batch, const ts_batch_source *source)
{
    const look_job *job = context;
    ts_contact contact[TS_BATCH];
    double force[2 * TS_BATCH];
    for (int k = 0; k < batch->count; k++) {
        double push = source->spring[batch->history[k]] / job->model->settings.time_step;
        if (batch->weighted)
            push *= batch->weight[k];
        force[2 * k] = push * batch->nx[k];
        force[2 * k + 1] = push * batch->ny[k];
    }
    ts_fill_contacts(job->model, job->work, batch, source, force, contact);
    for (int k = 0; k < batch->count; k++)
        contact[k].spring = 0; /* there is none */
    job->sink(job->context, contact, batch->count);
}

static void look(const ts_model *model, const double *spring, const double *wall_spring, const ts_workspace *work,
                 ts_contact_sink *sink, void *context)
{
    look_job job = {model, work, sink, context};
    for (int32_t block = 0; block < work->pairs.block_count; block++)
        ts_block_look(work, block, spring, wall_spring, look_batch, &job);
}

static double energy(const ts_model *model, const ts_contact *contact)
{
    (void)model;
    (void)contact;
    return 0;
}

const ts_dynamics ts_impact_dynamics = {.name = "impact",
                                        .moment = TS_AT_END,
                                        .resolve = resolve,
                                        .look = look,
                                        .energy = energy,
                                        .problem = copy_problem,
                                        .open = open_memory,
                                        .close = close_memory,
                                        .bytes = memory_bytes};
