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
 * Friction lies in the plane of two tangents. The first is that of the sliding there by the mean velocity of the flight, or, where next to nothing
 * slides, of the friction in the last step. (Smith et al. 2012, section 6, have that of the sliding alone. What rests has none: two
 * boxes on a slope, one on the other, fall alike until the lower one is held, and the upper one would creep down.) */
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
    const size_t bodies = model->body_count;
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
           m->past.capacity * sizeof *m->past.item + model->body_count * (sizeof *m->number + sizeof *m->numbered);
}

/* ---- What contacts have been through ---- */

static int compare_past(const ts_strike3 *s, const ts_past3 *p)
{
    return ts_strike3_compare(s, &(ts_strike3){.a = p->a, .b = p->b, .key = p->key});
}

/* What a contact has been through; NULL: nothing. `at` goes along with the contacts. */
static const ts_past3 *past_of(const ts_past3_array *past, const ts_strike3 *s, size_t *at)
{
    int side = -1;
    while (*at < past->count && (side = compare_past(s, &past->item[*at])) > 0)
        ++*at;
    return *at < past->count && side == 0 ? &past->item[*at] : NULL;
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
    if (body < 0 || !(model->body3[body].inv_mass > 0))
        return -1;
    if (m->numbered[body] != m->now) {
        m->numbered[body] = m->now;
        m->number[body] = (int32_t)m->block.count;
        const ts_body3 *b = &state->body3[body];
        const ts_carrier3 *c = &m->strikes.carrier[body];
        const double root = sqrt(b->inv_mass), half = 0.5 * model->settings.time_step / root;
        ts_impact_block3 *block = &m->block.item[m->block.count];
        *block = (ts_impact_block3){body, root, root_of(&model->top[body], c->pose.quat)};
        const ts_vec3 L = {b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]},
                      turn = ts_mat3_apply(block->turn, L), g = model->gravity;
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
    return &m->strikes.carrier[owner >= 0 ? (size_t)owner : model->body_count + (size_t)(-1 - owner)];
}

/* A wall that slides in its own plane closes in on nobody: what is left of that rate is rounding, but would count as closing. */
static const double rounding = 1e-14;

/* A side of a contact along a direction: its row, or, for what cannot be moved, what it adds to the rate. `sign`: 1 for B, -1 for A. */
static double add_side(const ts_impact_space *m, int32_t block, const ts_carrier3 *c, ts_vec3 point, ts_vec3 direction,
                       double sign, double *row)
{
    ts_vec3 turn = ts_vec3_cross(ts_vec3_sub(point, c->pose.position), direction);
    if (block < 0) {
        const double rate = ts_vec3_dot(direction, c->velocity) + ts_vec3_dot(turn, c->spin);
        const double terms = ts_vec3_length(c->velocity) + ts_vec3_length(turn) * ts_vec3_length(c->spin);
        return fabs(rate) > rounding * terms ? sign * rate : 0;
    }
    const ts_impact_block3 *b = &m->block.item[block];
    ts_vec3 along = ts_vec3_scale(direction, sign * b->root),
            around = ts_vec3_scale(ts_mat3_apply(b->turn, turn), sign);
    memcpy(row, (double[DOF]){along.x, along.y, along.z, around.x, around.y, around.z}, DOF * sizeof *row);
    return 0;
}

/* How B's surface slides on A's, by the mean velocities of the flight; zero where it is rounding. */
static ts_vec3 sliding(const ts_model *model, const ts_strike3 *s, const ts_carrier3 *a, const ts_carrier3 *b,
                       const int32_t block[2])
{
    const ts_vec3 half = ts_vec3_scale(model->gravity, 0.5 * model->settings.time_step);
    ts_vec3 va = ts_vec3_add(a->velocity, ts_vec3_cross(a->spin, ts_vec3_sub(s->point, a->pose.position)));
    ts_vec3 vb = ts_vec3_add(b->velocity, ts_vec3_cross(b->spin, ts_vec3_sub(s->point, b->pose.position)));
    va = block[0] >= 0 ? ts_vec3_add(va, half) : va;
    vb = block[1] >= 0 ? ts_vec3_add(vb, half) : vb;
    ts_vec3 v = ts_vec3_sub(vb, va), along = ts_vec3_add_scaled(v, s->normal, -ts_vec3_dot(v, s->normal));
    double least = 1e-12 * (ts_vec3_length(va) + ts_vec3_length(vb));
    return ts_vec3_length(along) > least ? along : (ts_vec3){0, 0, 0};
}

/* Some direction at right angles to a unit vector. */
static ts_vec3 aside_of(ts_vec3 n)
{
    ts_vec3 axis = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? (ts_vec3){1, 0, 0}
                   : fabs(n.y) <= fabs(n.z)                         ? (ts_vec3){0, 1, 0}
                                                                    : (ts_vec3){0, 0, 1};
    return ts_vec3_unit(ts_vec3_cross(n, axis));
}

/* The first tangent. `past` may be NULL. */
static ts_vec3 tangent_of(const ts_model *model, const ts_strike3 *s, ts_vec3 slip, const ts_past3 *past)
{
    const double rest = ts_vec3_length(model->gravity) * model->settings.time_step;
    ts_vec3 way = slip;
    if (past && ts_vec3_length_squared(slip) < rest * rest) {
        ts_vec3 held = {past->tangent[0], past->tangent[1], past->tangent[2]};
        held = ts_vec3_add_scaled(held, s->normal, -ts_vec3_dot(held, s->normal));
        if (ts_vec3_length(held) > 1e-6 * past->normal)
            way = held;
    }
    return ts_vec3_length_squared(way) > 0 ? ts_vec3_unit(way) : aside_of(s->normal);
}

static double size_of(const ts_model *model, const ts_strike3 *s)
{
    const double size = model->form[model->body_form[s->b]].inner;
    return s->a >= 0 ? fmin(size, model->form[model->body_form[s->a]].inner) : size;
}

static double friction_of(const ts_model *model, const ts_strike3 *s)
{
    size_t a = s->a >= 0 ? model->body_material[s->a] : (size_t)model->wall[-1 - s->a].material,
           b = model->body_material[s->b];
    return model->law[a * model->material_count + b].friction;
}

static void add_strike(ts_impact_space *m, const ts_model *model, const ts_state *state, const ts_strike3 *s,
                       const ts_past3 *past)
{
    ts_impact_hand *hand = &m->hand;
    const size_t k = hand->count++;
    const double h = model->settings.time_step, fall = 0.5 * h * h * ts_vec3_dot(s->normal, model->gravity);
    const ts_carrier3 *a = carrier_of(m, model, s->a), *b = carrier_of(m, model, s->b);
    const int32_t block[2] = {number_body(m, model, state, s->a), number_body(m, model, state, s->b)};
    const ts_vec3 tangent = tangent_of(model, s, sliding(model, s, a, b, block), past),
                  across = ts_vec3_cross(s->normal, tangent);
    m->tangent.item[2 * k] = tangent;
    m->tangent.item[2 * k + 1] = across;
    hand->a.item[k] = block[0];
    hand->b.item[k] = block[1];
    hand->drift.item[k] = add_side(m, block[0], a, s->point, s->normal, -1, hand->ga.item + DOF * k) +
                          add_side(m, block[1], b, s->point, s->normal, 1, hand->gb.item + DOF * k);
    hand->slip.item[k] = add_side(m, block[0], a, s->point, tangent, -1, hand->ta.item + DOF * k) +
                         add_side(m, block[1], b, s->point, tangent, 1, hand->tb.item + DOF * k);
    hand->slip_x.item[k] = add_side(m, block[0], a, s->point, across, -1, hand->xa.item + DOF * k) +
                           add_side(m, block[1], b, s->point, across, 1, hand->xb.item + DOF * k);
    hand->mu.item[k] = friction_of(model, s);
    hand->gap.item[k] = s->gap;
    hand->fall.item[k] = (block[1] >= 0 ? fall : 0) - (block[0] >= 0 ? fall : 0);
    hand->room.item[k] = fmax(s->gap, 0) / h;
    hand->wait.item[k] = s->how == TS_STRUCK ? 0 : hand->room.item[k];
    hand->size.item[k] = size_of(model, s);
    hand->inverse.item[k] =
        (block[1] >= 0 ? model->body3[s->b].inv_mass : 0) + (s->a >= 0 ? model->body3[s->a].inv_mass : 0);
}

/* The instant of what is struck. */
static ts_status gather(ts_impact_space *m, const ts_model *model, const ts_state *state, ts_workspace *work,
                        ts_error *error)
{
    double since = ts_timer_begin(&work->timers);
    const size_t n = m->strikes.strike.count;
    TS_TRY(ts_array_reserve(&m->block, 2 * n, error));
    TS_TRY(ts_array_reserve(&m->tangent, 2 * n, error));
    TS_TRY(ts_array_reserve(&m->past, n, error));
    TS_TRY(ts_impact_hand_reserve(&m->hand, n, error));
    m->now++;
    m->hand.count = m->block.count = 0;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const ts_strike3 *s = &m->strikes.strike.item[i];
        add_strike(m, model, state, s, past_of(&state->past3, s, &at));
    }
    m->hand.blocks = m->block.count;
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* ---- Guesses ---- */

/* Impulses of the last step, or of an earlier solve: sweeps begin with them. */
static void guess(ts_impact_space *m, const ts_past3_array *from)
{
    size_t at = 0;
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_past3 *p = past_of(from, &m->strikes.strike.item[k], &at);
        m->hand.lambda.item[k] = m->hand.rub.item[k] = m->hand.rub_x.item[k] = 0;
        if (!p)
            continue;
        const ts_vec3 held = {p->tangent[0], p->tangent[1], p->tangent[2]};
        const double along = ts_vec3_dot(held, m->tangent.item[2 * k]),
                     across = ts_vec3_dot(held, m->tangent.item[2 * k + 1]), length = hypot(along, across),
                     most = m->hand.mu.item[k] * p->normal, share = length > most ? most / length : 1;
        m->hand.lambda.item[k] = p->normal;
        m->hand.rub.item[k] = share * along;
        m->hand.rub_x.item[k] = share * across;
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
    TS_TRY(ts_impact_tell_growth(&m->hand, ts_state_time(state), error));
    const ts_strike3 *s = &m->strikes.strike.item[ts_impact_worst(&m->hand, &rate)];
    return ts_fail(error, TS_DIVERGED,
                   "the impact at t = %.9g s did not end: after %llu passes by \"%s\" %s and %s still close at %.3g "
                   "m/s; either there is no room for both, or it would take longer yet: try %sa shorter time_step",
                   ts_state_time(state), (unsigned long long)m->hand.report.passes, m->hand.by->name,
                   name_of(s->a, (char[32]){0}, 32), name_of(s->b, (char[32]){0}, 32), -rate, ts_impact_else(&m->hand));
}

/* Half-spaces and vessels have no other side, and push the right way however deep a body is. */
static bool has_far_side(const ts_model *model, const ts_strike3 *s)
{
    if (s->a >= 0)
        return true;
    const ts_wall3 *wall = &model->wall[-1 - s->a];
    const ts_solid_kind kind = model->piece[wall->piece_begin + (size_t)ts_strike3_piece(s->key, 0)].solid.kind;
    return kind != TS_SOLID_PLANE && kind != TS_SOLID_VESSEL;
}

/* TS_DIVERGED when a body is half-way through something that cannot move. */
static ts_status check_depth(const ts_impact_space *m, const ts_model *model, const ts_state *state, ts_error *error)
{
    for (size_t k = 0; k < m->hand.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const bool scripted = m->hand.a.item[k] < 0 || m->hand.b.item[k] < 0;
        if (scripted && -s->gap > m->hand.size.item[k] && has_far_side(model, s))
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

static ts_vec3 friction_at(const ts_impact_space *m, size_t k)
{
    return ts_vec3_add_scaled(ts_vec3_scale(m->tangent.item[2 * k], m->hand.rub.item[k]), m->tangent.item[2 * k + 1],
                              m->hand.rub_x.item[k]);
}

/* Fills m->past with the impulses that there are. */
static void remember(ts_impact_space *m)
{
    m->past.count = 0;
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const double normal = m->hand.lambda.item[k];
        const ts_vec3 rub = friction_at(m, k);
        if (normal > 0)
            m->past.item[m->past.count++] = (ts_past3){s->a, s->b, s->key, normal, {rub.x, rub.y, rub.z}};
    }
}

/* Momenta take the impulses up; the state keeps them. */
static void write_impulses(ts_impact_space *m, ts_state *state)
{
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const ts_vec3 impulse = ts_vec3_add_scaled(friction_at(m, k), s->normal, m->hand.lambda.item[k]);
        push(&state->body3[s->b], impulse, s->point);
        if (s->a >= 0)
            push(&state->body3[s->a], ts_vec3_neg(impulse), s->point);
    }
    remember(m);
    /* the state's becomes scratch, and the other way round: both are of the same kind */
    ts_past3_array kept = state->past3;
    state->past3 = m->past;
    m->past = kept;
}

/* Returns the work that it takes. */
static double write_shifts(const ts_impact_space *m, const ts_model *model, ts_state *state)
{
    const ts_vec3 g = model->gravity;
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
            /* momentum stays as it is, so that the energy of turning does not */
            const ts_top *top = &model->top[block->body];
            const ts_vec3 L = {body->angular_momentum[0], body->angular_momentum[1], body->angular_momentum[2]};
            lift -= ts_top_energy(top, q, L);
            q = ts_quat_unit(ts_quat_mul(ts_quat_exp(turn), q));
            lift += ts_top_energy(top, q, L);
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

/* Contacts that were struck, or that press though it was only likely. */
static size_t count_met(const ts_impact_space *m)
{
    size_t count = 0;
    for (size_t k = 0; k < m->hand.count; k++)
        count += m->strikes.strike.item[k].how == TS_STRUCK || m->hand.lambda.item[k] > 0;
    return count;
}

/* ---- What impulses bring about ---- */

/* Times that an instant is put together anew with contacts that its own impulses would make overlap: a row of bodies is gone through by one each time. Few take more
 * than two. */
#define AGAIN_MAX 12
/* Overlaps of this share of a body's size are no reason to. */
static const double overlap_ignored = 2e-3;

/* The mean velocity of a point in the flight that the impulses lead to. */
static ts_vec3 velocity_ahead(const ts_impact_space *m, const ts_model *model, int64_t owner, ts_vec3 point)
{
    const ts_carrier3 *c = carrier_of(m, model, owner);
    const bool struck = owner >= 0 && m->numbered[owner] == m->now;
    ts_vec3 v = c->velocity, spin = c->spin;
    if (struck) {
        const ts_impact_block3 *block = &m->block.item[m->number[owner]];
        const double *w = m->hand.w.item + DOF * (size_t)m->number[owner];
        v = (ts_vec3){block->root * w[0], block->root * w[1], block->root * w[2]};
        spin = ts_mat3_apply_transposed(block->turn, (ts_vec3){w[3], w[4], w[5]});
    }
    if (owner >= 0 && model->body3[owner].inv_mass > 0)
        v = ts_vec3_add_scaled(v, model->gravity, 0.5 * model->settings.time_step);
    return ts_vec3_add(v, ts_vec3_cross(spin, ts_vec3_sub(point, c->pose.position)));
}

/* Contacts beyond `most` that the impulses turn into strikes. Returns whether there are any. */
static bool find_more(ts_impact_space *m, const ts_model *model, ts_meeting3 most)
{
    bool any = false;
    for (size_t i = 0; i < m->strikes.any.count; i++) {
        ts_strike3 *s = &m->strikes.any.item[i];
        if (s->how <= most)
            continue;
        ts_vec3 relative =
            ts_vec3_sub(velocity_ahead(m, model, s->b, s->point), velocity_ahead(m, model, s->a, s->point));
        double ahead = s->gap + model->settings.time_step * ts_vec3_dot(s->normal, relative);
        if (ahead < -overlap_ignored * size_of(model, s)) {
            s->how = TS_STRUCK;
            any = true;
        }
    }
    return any;
}

/* Whether impulses send a body farther than others were looked for around it. */
static bool are_sent_on(ts_impact_space *m, const ts_model *model)
{
    const double h = model->settings.time_step;
    bool any = false;
    for (size_t i = 0; i < m->block.count; i++) {
        const ts_impact_block3 *block = &m->block.item[i];
        const ts_carrier3 *c = &m->strikes.carrier[block->body];
        const double *w = m->hand.w.item + DOF * i, radius = model->body3[block->body].radius;
        const ts_vec3 v = ts_vec3_scale((ts_vec3){w[0], w[1], w[2]}, block->root),
                      spin = ts_mat3_apply_transposed(block->turn, (ts_vec3){w[3], w[4], w[5]});
        const double way = h * (ts_vec3_distance(v, c->velocity) + radius * ts_vec3_distance(spin, c->spin));
        any |= ts_strikes3_send(&m->strikes, model, (size_t)block->body, way);
    }
    return any;
}

/* Looks for contacts of those once more, farther off; what was struck in the last solve still is. */
static ts_status find_again(ts_impact_space *m, const ts_model *model, ts_workspace *work, ts_error *error)
{
    TS_TRY(ts_strikes3_find_sent(&m->strikes, model, work->pool, &work->timers, error));
    const ts_strike3_array *last = &m->strikes.strike;
    size_t at = 0;
    for (size_t i = 0; i < m->strikes.any.count; i++) {
        ts_strike3 *s = &m->strikes.any.item[i];
        while (at < last->count && ts_strike3_compare(s, &last->item[at]) > 0)
            at++;
        if (at < last->count && ts_strike3_compare(s, &last->item[at]) == 0 && last->item[at].how < s->how)
            s->how = last->item[at].how;
    }
    return TS_OK;
}

/* The work of an earlier solve of the same step. */
static void add_work(ts_impact_report *to, const ts_impact_report *from)
{
    to->passes += from->passes;
    to->touched += from->touched;
    to->problems += from->problems;
    to->iterations += from->iterations;
    to->rounds += from->rounds;
}

/* Strikes and what becomes of them. What they bring about is struck as well, at the same instant: from the velocities of the beginning, so that what an
 * impact keeps is kept.
 * Those that are likely are there from the start, and wait until they close as fast as their gap allows (impact.h). */
static ts_status strike(ts_impact_space *m, const ts_model *model, const ts_state *state, ts_workspace *work,
                        const ts_impact_rules *rules, ts_impact_energy *energy, ts_error *error)
{
    ts_strikes3_place(&m->strikes, model, state);
    TS_TRY(ts_strikes3_find(&m->strikes, model, work->pool, &work->timers, false, error));
    m->hand.waits = rules->staggered == 0 && (m->hand.by->waits || rules->restitution == 0);
    const ts_meeting3 most = m->hand.waits ? TS_LIKELY : TS_STRUCK;
    ts_impact_report earlier = {0};
    for (int again = 0;; again++) {
        TS_TRY(ts_strikes3_choose(&m->strikes, most, error));
        TS_TRY(gather(m, model, state, work, error));
        TS_TRY(check_depth(m, model, state, error));
        if (rules->sweeps > 0)
            guess(m, again > 0 ? &m->past : &state->past3);
        double since = ts_timer_begin(&work->timers);
        *energy = (ts_impact_energy){0};
        TS_TRY(ts_impact_solve(&m->hand, rules, energy, error));
        ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);
        if (!m->hand.report.finished)
            return fail_unfinished(m, state, error);
        add_work(&m->hand.report, &earlier);
        earlier = m->hand.report;
        if (again == AGAIN_MAX)
            return TS_OK;
        if (are_sent_on(m, model))
            TS_TRY(find_again(m, model, work, error));
        if (!find_more(m, model, most))
            return TS_OK;
        remember(m);
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
                                   .gravity = ts_vec3_length(model->gravity),
                                   .seed = ts_random_u64(model->settings.seed, ORDERS, state->step),
                                   .pool = work->pool};
    ts_impact_energy energy;
    TS_TRY(strike(m, model, state, work, &rules, &energy, error));
    if (rules.correction > 0) {
        double since = ts_timer_begin(&work->timers);
        TS_TRY(ts_impact_correct(&m->hand, &rules, error));
        ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);
    }

    /* nothing can fail any more */
    state->budget.work += energy.work;
    state->budget.lost_normal += energy.lost_normal;
    state->budget.lost_friction += energy.lost_friction;
    work->contact_sum += count_met(m);
    work->query_sum += m->strikes.near.pair_count;
    work->unsettled_count += ts_impact_unsettled(&m->hand.report);
    work->locked_count += m->hand.report.locked;
    note_overlap(m, work);
    write_impulses(m, state);
    if (model->correction > 0)
        state->budget.work += write_shifts(m, model, state);
    return TS_OK;
}

/* ---- Looking ---- */

/* Friction of the last step as it lies along a contact that has turned since: as long as it was. */
static ts_vec3 laid_flat(const ts_past3 *p, ts_vec3 normal)
{
    const ts_vec3 was = {p->tangent[0], p->tangent[1], p->tangent[2]};
    const ts_vec3 flat = ts_vec3_add_scaled(was, normal, -ts_vec3_dot(was, normal));
    const double length = ts_vec3_length(flat);
    return length > 0 ? ts_vec3_scale(flat, ts_vec3_length(was) / length) : flat;
}

static ts_status look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                      void *context, ts_error *error)
{
    ts_impact_space *m = work->own;
    const double per_time = 1 / model->settings.time_step;
    size_t at = 0;
    ts_strikes3_place(&m->strikes, model, state);
    TS_TRY(ts_strikes3_find(&m->strikes, model, work->pool, NULL, true, error));
    TS_TRY(ts_strikes3_choose(&m->strikes, TS_STRUCK, error));
    for (size_t k = 0; k < m->strikes.strike.count; k++) {
        const ts_strike3 *s = &m->strikes.strike.item[k];
        const ts_past3 *p = past_of(&state->past3, s, &at);
        const ts_vec3 n = s->normal, a = ts_vec3_add_scaled(s->point, n, -0.5 * s->gap),
                      b = ts_vec3_add_scaled(s->point, n, 0.5 * s->gap);
        ts_contact c = {.a = s->a,
                        .b = s->b,
                        .key = s->key,
                        .gap = s->gap,
                        .normal = {n.x, n.y, n.z},
                        .point_a = {a.x, a.y, a.z},
                        .point_b = {b.x, b.y, b.z},
                        .weight = 1};
        if (p) {
            const ts_vec3 force = ts_vec3_scale(ts_vec3_add_scaled(laid_flat(p, n), n, p->normal), per_time);
            memcpy(c.force, (double[3]){force.x, force.y, force.z}, sizeof c.force);
        }
        sink(context, &c, 1);
    }
    return TS_OK;
}

const ts_impact_report *ts_impact_space_last(const ts_workspace *work)
{
    const ts_impact_space *m = work->own;
    return &m->hand.report;
}

const ts_resolver ts_impact_in_space = {.contacts_at = TS_AT_END,
                                        .resolve = resolve,
                                        .look = look,
                                        .open = open_memory,
                                        .close = close_memory,
                                        .bytes = memory_bytes};
