/* SPDX-License-Identifier: MIT */
/* Impact in space: strikes become rows over bodies that can move, with six velocities each, and are resolved like those of the plane.
 *
 * Velocities are scaled by the roots of masses. Of a body with principal moments D along the columns of R (world frame)
 *
 *     w = (√m v, D^-½ Rᵀ L)        ½ |w|² is its energy        L = R D^½ w
 *
 * so a direction d at a point with arm r has the row (d / √m, D^-½ Rᵀ (r × d)). Rows are used to find impulses; momenta then change by the
 * impulses themselves, the same at one point for both bodies, so that linear and angular momentum are kept whatever is rounded in rows.
 *
 * Friction has one direction a contact, that of the sliding there (Smith et al. 2012, section 6), by the mean velocity of the flight: so
 * what rests on a slope is held against the way it would go. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact_space.h"
#include "model.h"
#include "workspace.h"

#define DOF 6

/* Stream of random numbers: orders of contacts. */
#define ORDERS 0x0de6

static void close_memory(void *own)
{
    ts_impact_space *m = own;
    if (!m)
        return;
    ts_strikes3_free(&m->strikes);
    ts_impact_hand_free(&m->hand);
    ts_array_free(&m->block);
    ts_array_free(&m->tangent);
    ts_array_free(&m->past);
    ts_free(m->number);
    ts_free(m->numbered);
    ts_free(m);
}

static ts_status create(ts_impact_space *m, const ts_model *model, ts_error *error)
{
    const size_t bodies = model->space->body_count;
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        m->hand.rough |= model->law[i].friction > 0;
    m->number = ts_alloc(bodies, sizeof *m->number);
    m->numbered = ts_alloc(bodies, sizeof *m->numbered);
    if (!m->number || !m->numbered)
        return ts_fail_memory(error, bodies * (sizeof *m->number + sizeof *m->numbered));
    TS_TRY(ts_strikes3_create(&m->strikes, model, error));
    return ts_impact_hand_create(&m->hand, model->impact_operator, DOF, error);
}

static ts_status open_memory(const ts_model *model, void **own, ts_error *error)
{
    *own = ts_alloc(1, sizeof(ts_impact_space));
    if (!*own)
        return ts_fail_memory(error, sizeof(ts_impact_space));
    ts_status status = create(*own, model, error);
    if (status != TS_OK) {
        close_memory(*own);
        *own = NULL;
    }
    return status;
}

static size_t memory_bytes(const void *own, const ts_model *model)
{
    const ts_impact_space *m = own;
    return sizeof *m + ts_strikes3_bytes(&m->strikes, model) + ts_impact_hand_bytes(&m->hand) +
           m->block.capacity * sizeof *m->block.item + m->tangent.capacity * sizeof *m->tangent.item +
           m->past.capacity * sizeof *m->past.item +
           model->space->body_count * (sizeof *m->number + sizeof *m->numbered);
}

/* ---- Rows ---- */

/* What turns a torque in the world frame into a row: D^-½ Rᵀ. */
static ts_mat3 root_of(const ts_top *top, ts_quat attitude)
{
    ts_vec3 root = {sqrt(top->inv_moment.x), sqrt(top->inv_moment.y), sqrt(top->inv_moment.z)};
    if (top->kind == TS_TOP_BALL)
        return ts_mat3_diagonal(root);
    ts_quat q = top->aligned ? attitude : ts_quat_mul(attitude, top->axes);
    ts_mat3 turned = ts_mat3_transpose(ts_quat_to_matrix(q));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned.m[i][j] *= i == 0 ? root.x : i == 1 ? root.y : root.z;
    return turned;
}

static int32_t number_body(ts_impact_space *m, const ts_model *model, const ts_state *state, int64_t body)
{
    if (body < 0 || !(model->space->body[body].inv_mass > 0))
        return -1;
    if (m->numbered[body] != m->now) {
        m->numbered[body] = m->now;
        m->number[body] = (int32_t)m->block.count;
        const ts_body3 *b = &state->body3[body];
        const ts_carrier3 *c = &m->strikes.carrier[body];
        const double root = sqrt(b->inv_mass), half = 0.5 * model->settings.time_step / root;
        ts_impact_block3 *block = &m->block.item[m->block.count];
        *block = (ts_impact_block3){body, root, root_of(&model->space->top[body], c->pose.quat)};
        const ts_vec3 L = {b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]},
                      turn = ts_mat3_apply(block->turn, L), g = model->space->gravity;
        double *w = m->hand.w.item + DOF * m->block.count, *flight = m->hand.flight.item + DOF * m->block.count;
        memcpy(
            w,
            (double[DOF]){b->velocity[0] / root, b->velocity[1] / root, b->velocity[2] / root, turn.x, turn.y, turn.z},
            DOF * sizeof *w);
        memcpy(flight, (double[DOF]){half * g.x, half * g.y, half * g.z}, DOF * sizeof *flight);
        m->block.count++;
    }
    return m->number[body];
}

static const ts_carrier3 *carrier_of(const ts_impact_space *m, const ts_model *model, int64_t owner)
{
    return &m->strikes.carrier[owner >= 0 ? (size_t)owner : model->space->body_count + (size_t)(-1 - owner)];
}

/* A side of a contact along a direction: its row, or, for what cannot be moved, what it adds to the rate. `sign`: 1 for B, -1 for A. */
static double add_side(const ts_impact_space *m, int32_t block, const ts_carrier3 *c, ts_vec3 point, ts_vec3 direction,
                       double sign, double *row)
{
    ts_vec3 turn = ts_vec3_cross(ts_vec3_sub(point, c->pose.position), direction);
    if (block < 0)
        return sign * (ts_vec3_dot(direction, c->velocity) + ts_vec3_dot(turn, c->spin));
    const ts_impact_block3 *b = &m->block.item[block];
    ts_vec3 along = ts_vec3_scale(direction, sign * b->root),
            around = ts_vec3_scale(ts_mat3_apply(b->turn, turn), sign);
    memcpy(row, (double[DOF]){along.x, along.y, along.z, around.x, around.y, around.z}, DOF * sizeof *row);
    return 0;
}

/* The way that B's surface slides on A's, by the mean velocities of the flight. */
static ts_vec3 sliding(const ts_model *model, const ts_strike3 *s, const ts_carrier3 *a, const ts_carrier3 *b,
                       const int32_t block[2])
{
    const ts_vec3 half = ts_vec3_scale(model->space->gravity, 0.5 * model->settings.time_step);
    ts_vec3 va = ts_vec3_add(a->velocity, ts_vec3_cross(a->spin, ts_vec3_sub(s->point, a->pose.position)));
    ts_vec3 vb = ts_vec3_add(b->velocity, ts_vec3_cross(b->spin, ts_vec3_sub(s->point, b->pose.position)));
    va = block[0] >= 0 ? ts_vec3_add(va, half) : va;
    vb = block[1] >= 0 ? ts_vec3_add(vb, half) : vb;
    ts_vec3 v = ts_vec3_sub(vb, va), along = ts_vec3_add_scaled(v, s->normal, -ts_vec3_dot(v, s->normal));
    /* what is left of a fall straight down is rounding: it has no direction, and rubs nothing */
    double speed = ts_vec3_length(along), least = 1e-12 * (ts_vec3_length(va) + ts_vec3_length(vb));
    return speed > least ? ts_vec3_scale(along, 1 / speed) : (ts_vec3){0, 0, 0};
}

static double friction_of(const ts_model *model, const ts_strike3 *s)
{
    const ts_space *space = model->space;
    size_t a = s->a >= 0 ? space->body_material[s->a] : (size_t)space->wall[-1 - s->a].material,
           b = space->body_material[s->b];
    return model->law[a * model->material_count + b].friction;
}

static void add_strike(ts_impact_space *m, const ts_model *model, const ts_state *state, const ts_strike3 *s)
{
    ts_impact_hand *hand = &m->hand;
    const size_t k = hand->count++;
    const ts_space *space = model->space;
    const double h = model->settings.time_step, fall = 0.5 * h * h * ts_vec3_dot(s->normal, space->gravity);
    const ts_carrier3 *a = carrier_of(m, model, s->a), *b = carrier_of(m, model, s->b);
    const int32_t block[2] = {number_body(m, model, state, s->a), number_body(m, model, state, s->b)};
    const ts_vec3 tangent = sliding(model, s, a, b, block);
    const bool slides = ts_vec3_length_squared(tangent) > 0;
    m->tangent.item[k] = tangent;
    hand->a.item[k] = block[0];
    hand->b.item[k] = block[1];
    hand->drift.item[k] = add_side(m, block[0], a, s->point, s->normal, -1, hand->ga.item + DOF * k) +
                          add_side(m, block[1], b, s->point, s->normal, 1, hand->gb.item + DOF * k);
    hand->slip.item[k] = add_side(m, block[0], a, s->point, tangent, -1, hand->ta.item + DOF * k) +
                         add_side(m, block[1], b, s->point, tangent, 1, hand->tb.item + DOF * k);
    hand->mu.item[k] = slides ? friction_of(model, s) : 0;
    hand->gap.item[k] = s->gap;
    hand->fall.item[k] = (block[1] >= 0 ? fall : 0) - (block[0] >= 0 ? fall : 0);
    hand->room.item[k] = fmax(s->gap, 0) / h;
    hand->size.item[k] = space->form[space->body_form[s->b]].inner;
    hand->inverse.item[k] = block[1] >= 0 ? space->body[s->b].inv_mass : 0;
    if (s->a >= 0) {
        hand->size.item[k] = fmin(hand->size.item[k], space->form[space->body_form[s->a]].inner);
        hand->inverse.item[k] += space->body[s->a].inv_mass;
    }
}

static ts_status gather(ts_impact_space *m, const ts_model *model, const ts_state *state, ts_workspace *work,
                        ts_error *error)
{
    ts_strikes3_place(&m->strikes, model, state);
    TS_TRY(ts_strikes3_find(&m->strikes, model, work->pool, &work->timers, false, error));
    double since = ts_timer_begin(&work->timers);
    const size_t n = m->strikes.strike.count;
    TS_TRY(ts_array_reserve(&m->block, 2 * n, error));
    TS_TRY(ts_array_reserve(&m->tangent, n, error));
    TS_TRY(ts_array_reserve(&m->past, n, error));
    TS_TRY(ts_impact_hand_reserve(&m->hand, n, error));
    m->now++;
    m->hand.count = m->block.count = 0;
    for (size_t i = 0; i < n; i++)
        add_strike(m, model, state, &m->strikes.strike.item[i]);
    m->hand.blocks = m->block.count;
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* ---- What contacts have been through ---- */

/* Contacts are in the order of parts, by the first of the two and then by the second. Walls come after all bodies, and are A. */
typedef struct order {
    int64_t owner[2];
    uint64_t piece[2];
    uint64_t feature;
} order;

static order order_of(int64_t a, int64_t b, uint64_t key)
{
    const uint64_t piece_a = key >> 48, piece_b = key >> 32 & 0xffff, feature = key & 0xffffffff;
    if (a < 0)
        return (order){{b, INT64_MAX / 2 - a}, {piece_b, piece_a}, feature};
    return (order){{a, b}, {piece_a, piece_b}, feature};
}

static int compare(const ts_strike3 *s, const ts_past3 *p)
{
    const order x = order_of(s->a, s->b, s->key), y = order_of(p->a, p->b, p->key);
    for (int i = 0; i < 2; i++) {
        if (x.owner[i] != y.owner[i])
            return x.owner[i] < y.owner[i] ? -1 : 1;
        if (x.piece[i] != y.piece[i])
            return x.piece[i] < y.piece[i] ? -1 : 1;
    }
    return (x.feature > y.feature) - (x.feature < y.feature);
}

/* What a contact has been through; NULL: nothing. `at` goes along with the contacts. */
static const ts_past3 *past_of(const ts_state *state, const ts_strike3 *s, size_t *at)
{
    int side = -1;
    while (*at < state->past3.count && (side = compare(s, &state->past3.item[*at])) > 0)
        ++*at;
    return *at < state->past3.count && side == 0 ? &state->past3.item[*at] : NULL;
}

/* The last step's impulses: sweeps begin with them. */
static void guess(ts_impact_space *m, const ts_state *state)
{
    size_t at = 0;
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_past3 *p = past_of(state, &m->strikes.strike.item[k], &at);
        m->hand.lambda.item[k] = m->hand.rub.item[k] = 0;
        if (!p)
            continue;
        double most = m->hand.mu.item[k] * p->normal;
        ts_vec3 along = {p->tangent[0], p->tangent[1], p->tangent[2]};
        m->hand.lambda.item[k] = p->normal;
        m->hand.rub.item[k] = fmax(-most, fmin(most, ts_vec3_dot(along, m->tangent.item[k])));
    }
}

/* ---- Resolving ---- */

static const char *name_of(int64_t owner, char *text, size_t capacity)
{
    if (owner >= 0)
        snprintf(text, capacity, "body %lld", (long long)owner);
    else
        snprintf(text, capacity, "wall %lld", (long long)(-1 - owner));
    return text;
}

static ts_status fail_unfinished(const ts_impact_space *m, const ts_state *state, ts_error *error)
{
    double rate;
    const ts_strike3 *s = &m->strikes.strike.item[ts_impact_worst(&m->hand, &rate)];
    return ts_fail(error, TS_DIVERGED,
                   "the impact at t = %.9g s did not end: after %llu passes %s and %s still close at %.3g m/s; either "
                   "walls leave bodies no room, or the operator \"%s\" does not settle: try \"gr\", or a shorter "
                   "time_step",
                   ts_state_time(state), (unsigned long long)m->hand.report.passes, name_of(s->a, (char[32]){0}, 32),
                   name_of(s->b, (char[32]){0}, 32), -rate, m->hand.by->name);
}

/* TS_DIVERGED when two bodies are half-way through each other. */
static ts_status check_depth(const ts_impact_space *m, const ts_model *model, const ts_state *state, ts_error *error)
{
    for (size_t k = 0; k < m->hand.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const bool scripted = m->hand.a.item[k] < 0 || m->hand.b.item[k] < 0;
        if (scripted && -s->gap > m->hand.size.item[k])
            return ts_fail(
                error, TS_DIVERGED,
                "at t = %.9g s %s is %.3g m deep in %s, more than half-way through: what pushes it leaves no "
                "room, or the time step of %g s is too long",
                ts_state_time(state), name_of(s->b, (char[32]){0}, 32), -s->gap, name_of(s->a, (char[32]){0}, 32),
                model->settings.time_step);
    }
    return TS_OK;
}

static void push(ts_body3 *body, ts_vec3 impulse, ts_vec3 point)
{
    if (!(body->inv_mass > 0))
        return;
    ts_vec3 arm = {point.x - body->position[0], point.y - body->position[1], point.z - body->position[2]};
    ts_vec3 turn = ts_vec3_cross(arm, impulse);
    double *v = body->velocity, *L = body->angular_momentum;
    v[0] += body->inv_mass * impulse.x;
    v[1] += body->inv_mass * impulse.y;
    v[2] += body->inv_mass * impulse.z;
    L[0] += turn.x;
    L[1] += turn.y;
    L[2] += turn.z;
}

/* Momenta take the impulses up; the state keeps them. */
static void write_impulses(ts_impact_space *m, ts_state *state)
{
    const ts_strike3_array *strike = &m->strikes.strike;
    m->past.count = 0;
    for (size_t k = 0; k < strike->count; k++) {
        const ts_strike3 *s = &strike->item[k];
        const double normal = m->hand.lambda.item[k];
        const ts_vec3 rub = ts_vec3_scale(m->tangent.item[k], m->hand.rub.item[k]),
                      impulse = ts_vec3_add_scaled(rub, s->normal, normal);
        push(&state->body3[s->b], impulse, s->point);
        if (s->a >= 0)
            push(&state->body3[s->a], ts_vec3_neg(impulse), s->point);
        if (normal > 0)
            m->past.item[m->past.count++] = (ts_past3){s->a, s->b, s->key, normal, {rub.x, rub.y, rub.z}};
    }
    /* the state's becomes scratch, and the other way round: both are of the same kind */
    ts_past3_array kept = state->past3;
    state->past3 = m->past;
    m->past = kept;
}

/* Returns the work that it takes against gravity. */
static double write_shifts(const ts_impact_space *m, const ts_model *model, ts_state *state)
{
    const ts_vec3 g = model->space->gravity;
    double lift = 0;
    for (size_t i = 0; i < m->block.count; i++) {
        const ts_impact_block3 *block = &m->block.item[i];
        const double *by = m->hand.shift.item + DOF * i;
        ts_body3 *body = &state->body3[block->body];
        ts_vec3 turn = ts_mat3_apply_transposed(block->turn, (ts_vec3){by[3], by[4], by[5]});
        ts_quat q = {body->attitude[0], body->attitude[1], body->attitude[2], body->attitude[3]};
        for (int d = 0; d < 3; d++)
            body->position[d] += block->root * by[d];
        if (ts_vec3_length_squared(turn) > 0) {
            q = ts_quat_unit(ts_quat_mul(ts_quat_exp(turn), q));
            memcpy(body->attitude, (double[4]){q.w, q.x, q.y, q.z}, sizeof body->attitude);
        }
        lift -= (by[0] * g.x + by[1] * g.y + by[2] * g.z) / block->root;
    }
    return lift;
}

static void note_overlap(const ts_impact_space *m, ts_workspace *work)
{
    for (size_t k = 0; k < m->hand.count; k++)
        if (-m->hand.gap.item[k] > work->max_overlap) {
            work->max_overlap = -m->hand.gap.item[k];
            work->max_overlap_ratio = -m->hand.gap.item[k] / m->hand.size.item[k];
        }
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_impact_space *m = work->own;
    const ts_impact_rules rules = {.restitution = model->restitution,
                                   .correction = model->correction,
                                   .staggered = model->staggered,
                                   .sweeps = model->sweeps,
                                   .nearly = model->sweeps > 0,
                                   .time_step = model->settings.time_step,
                                   .gravity = ts_vec3_length(model->space->gravity),
                                   .seed = ts_random_u64(model->settings.seed, ORDERS, state->step),
                                   .pool = work->pool};
    ts_impact_energy energy = {0};
    TS_TRY(gather(m, model, state, work, error));
    TS_TRY(check_depth(m, model, state, error));
    if (rules.sweeps > 0)
        guess(m, state);
    double since = ts_timer_begin(&work->timers);
    TS_TRY(ts_impact_solve(&m->hand, &rules, &energy, error));
    ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);
    if (!m->hand.report.finished)
        return fail_unfinished(m, state, error);

    /* nothing can fail any more */
    state->budget.work += energy.work;
    state->budget.lost_normal += energy.lost_normal;
    state->budget.lost_friction += energy.lost_friction;
    work->contact_sum += m->hand.count;
    work->query_sum += m->strikes.near.pair_count;
    work->unsettled_count += m->hand.report.disagreed;
    work->locked_count += m->hand.report.locked;
    note_overlap(m, work);
    write_impulses(m, state);
    if (model->correction > 0)
        state->budget.work += write_shifts(m, model, state);
    return TS_OK;
}

/* ---- Looking ---- */

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact3_array *to,
                      ts_error *error)
{
    ts_impact_space *m = work->own;
    const double per_time = 1 / model->settings.time_step;
    size_t at = 0;
    to->count = 0;
    ts_strikes3_place(&m->strikes, model, state);
    TS_TRY(ts_strikes3_find(&m->strikes, model, work->pool, NULL, true, error));
    TS_TRY(ts_array_reserve(to, m->strikes.strike.count, error));
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const ts_past3 *p = past_of(state, s, &at);
        const ts_vec3 n = s->normal, a = ts_vec3_add_scaled(s->point, n, -0.5 * s->gap),
                      b = ts_vec3_add_scaled(s->point, n, 0.5 * s->gap);
        ts_contact3 *c = &to->item[to->count++];
        *c = (ts_contact3){.a = s->a,
                           .b = s->b,
                           .key = s->key,
                           .gap = s->gap,
                           .normal = {n.x, n.y, n.z},
                           .point_a = {a.x, a.y, a.z},
                           .point_b = {b.x, b.y, b.z}};
        for (int d = 0; p && d < 3; d++)
            c->force[d] = per_time * (p->normal * c->normal[d] + p->tangent[d]);
    }
    return TS_OK;
}

const ts_impact_report *ts_impact_space_last(const ts_workspace *work)
{
    const ts_impact_space *m = work->own;
    return &m->hand.report;
}

const ts_dynamics_space ts_impact_in_space = {
    .resolve = resolve, .look = look, .open = open_memory, .close = close_memory, .bytes = memory_bytes};
