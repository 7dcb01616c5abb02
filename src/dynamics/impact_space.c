/* SPDX-License-Identifier: MIT */
/* Impact in space: strikes become rows over bodies that can move, with six velocities each, and are resolved like
 * those of the plane.
 *
 * Velocities are scaled by the roots of masses. Of a body with principal moments D along the columns of R (world frame)
 *
 *     w = (√m v, D^-½ Rᵀ L)        ½ |w|² is its energy        L = R D^½ w
 *
 * so a direction d at a point with arm r has the row (d / √m, D^-½ Rᵀ (r × d)). Rows are used to find impulses; momenta
 * then change by the impulses themselves, the same at one point for both bodies, so that linear and angular momentum
 * are kept whatever is rounded in rows.
 *
 * Friction lies in the plane of two tangents. The first is that of the sliding there by the mean velocity of the
 * flight, or, where next to nothing slides, of the friction in the last step. (Smith et al. 2012, section 6, have that
 * of the sliding alone. What rests has none: two boxes on a slope, one on the other, fall alike until the lower one is
 * held, and the upper one would creep down.) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/impact_space.h"
#include "model.h"
#include "placed.h"
#include "workspace.h"

#define DOF 6
/* As in the plane (impact_step.c), and a little more: heaps that impact has settled overlap so. */
#define OVERLAP_AT_START 0.02

/* Stream of random numbers: orders of contacts. */
#define ORDERS 0x0de6

static void close_memory(void *own)
{
    ts_impact_space *m = own;
    if (!m)
        return;
    ts_hits3_free(&m->hits);
    ts_impact_scratch_free(&m->scratch);
    ts_impact_blocks_free(&m->blocks);
    ts_array_free(&m->tangent);
    ts_array_free(&m->past);
    ts_free(m->wall);
    ts_free(m);
}

static ts_status create(ts_impact_space *m, const ts_model *model, ts_error *error)
{
    for (size_t i = 0; i < model->material_count * model->material_count; i++)
        m->scratch.rough |= model->law[i].friction > 0;
    TS_TRY(ts_impact_blocks_create(&m->blocks, &ts_space_block, model->body_count, error));
    TS_TRY(ts_hits3_create(&m->hits, model, error));
    m->wall = ts_alloc(model->wall_count + 1, sizeof *m->wall);
    if (!m->wall)
        return ts_fail_memory(error, model->wall_count * sizeof *m->wall);
    return ts_impact_scratch_create(&m->scratch, ts_impact_param_of(model)->operator_name, DOF, error);
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
    return sizeof *m + ts_hits3_bytes(&m->hits, model) + ts_impact_scratch_bytes(&m->scratch) +
           ts_impact_blocks_bytes(&m->blocks, model->body_count) + m->tangent.capacity * sizeof *m->tangent.item +
           m->past.capacity * sizeof *m->past.item + model->wall_count * sizeof *m->wall;
}

/* ---- What contacts have been through ---- */

static int compare_past(const ts_hit3 *s, const ts_history *p)
{
    return ts_hit3_compare(s, &(ts_hit3){.a = p->a, .b = p->b, .key = p->key});
}

/* What a contact has been through; NULL: nothing. `at` goes along with the contacts. */
static const ts_history *past_of(const ts_history_array *past, const ts_hit3 *s, size_t *at)
{
    int side = -1;
    while (*at < past->count && (side = compare_past(s, &past->item[*at])) > 0)
        ++*at;
    return *at < past->count && side == 0 ? &past->item[*at] : NULL;
}

/* ---- Rows ---- */

static const ts_frame3 *owner_frame(const ts_impact_space *m, const ts_model *model, int64_t owner)
{
    return &m->hits.frame[owner >= 0 ? (size_t)owner : model->body_count + (size_t)(-1 - owner)];
}

typedef struct frames {
    const ts_impact_space *m;
    const ts_model *model;
    const ts_state *state;
} frames;

static ts_vec3 frame_of(const void *context, int64_t owner, ts_block *to)
{
    const frames *f = context;
    const ts_frame3 *c = owner_frame(f->m, f->model, owner);
    const ts_body3 *b = owner >= 0 ? &f->state->body3[owner] : NULL;
    to->origin = c->pose.position;
    to->velocity = c->velocity;
    to->spin = c->spin;
    if (!b || !(b->inv_mass > 0))
        return to->spin;
    ts_space_block.mass(&(ts_block_mass){b->inv_mass, 0, &f->model->inertia[owner], c->pose.quat}, to);
    to->velocity = (ts_vec3){b->velocity[0], b->velocity[1], b->velocity[2]};
    return (ts_vec3){b->angular_momentum[0], b->angular_momentum[1], b->angular_momentum[2]};
}

/* How B's surface slides on A's, by the mean velocities of the flight; zero where it is rounding. */
static ts_vec3 sliding(const ts_impact_space *m, const ts_model *model, const ts_hit3 *s, const ts_impact_side side[2])
{
    const ts_vec3 half = ts_vec3_scale(model->gravity, 0.5 * model->settings.time_step);
    ts_vec3 at[2];
    for (int i = 0; i < 2; i++) {
        const ts_frame3 *c = owner_frame(m, model, i == 0 ? s->a : s->b);
        at[i] = ts_vec3_add(c->velocity, ts_vec3_cross(c->spin, ts_vec3_sub(s->point, c->pose.position)));
        at[i] = side[i].number >= 0 ? ts_vec3_add(at[i], half) : at[i];
    }
    ts_vec3 v = ts_vec3_sub(at[1], at[0]), along = ts_vec3_add_scaled(v, s->normal, -ts_vec3_dot(v, s->normal));
    double least = 1e-12 * (ts_vec3_length(at[0]) + ts_vec3_length(at[1]));
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
static ts_vec3 tangent_of(const ts_model *model, const ts_hit3 *s, ts_vec3 slip, const ts_history *past)
{
    const double rest = ts_vec3_length(model->gravity) * model->settings.time_step;
    ts_vec3 way = slip;
    if (past && ts_vec3_length_squared(slip) < rest * rest) {
        ts_vec3 held = ts_impact_held(past);
        held = ts_vec3_add_scaled(held, s->normal, -ts_vec3_dot(held, s->normal));
        if (ts_vec3_length(held) > 1e-6 * past->value[TS_HELD_NORMAL])
            way = held;
    }
    return ts_vec3_length_squared(way) > 0 ? ts_vec3_unit(way) : aside_of(s->normal);
}

static double size_of(const ts_model *model, const ts_hit3 *s)
{
    const double size = model->form[model->body_form[s->b]].inner;
    return s->a >= 0 ? fmin(size, model->form[model->body_form[s->a]].inner) : size;
}

static double friction_of(const ts_model *model, const ts_hit3 *s)
{
    size_t a = s->a >= 0 ? model->body_material[s->a] : (size_t)model->wall[-1 - s->a].material,
           b = model->body_material[s->b];
    return model->law[a * model->material_count + b].friction;
}

/* The piece of a wall that a contact is with. */
static const ts_piece *wall_piece(const ts_model *model, const ts_hit3 *s)
{
    return &model->piece[model->wall[-1 - s->a].piece_begin + (size_t)ts_hit3_piece(s->key, 0)];
}

/* A ball that goes along the inside of a vessel comes nearer to it than its rate tells: from ρ off the axis, by a way w
 * across it in a step of flight,
 *
 *     gap at the end − (gap + n·w) = ρ − n·w − |ρ n − w| ≤ 0
 */
static double bend_of(const ts_impact_space *m, const ts_model *model, const ts_hit3 *s, const ts_block *wall)
{
    if (s->a >= 0 || !(m->hits.ball[s->b].radius > 0))
        return 0;
    const ts_piece *piece = wall_piece(model, s);
    const ts_quat turned = ts_quat_mul(owner_frame(m, model, s->a)->pose.quat, piece->pose.quat);
    const ts_vec3 axis = ts_quat_apply(turned, (ts_vec3){0, 0, 1}), n = s->normal;
    if (piece->solid.kind != TS_SOLID_VESSEL || fabs(ts_vec3_dot(n, axis)) > 0.5) /* its lids are flat */
        return 0;
    const ts_vec3 along = ts_vec3_add(wall->velocity, ts_vec3_cross(wall->spin, ts_vec3_sub(s->point, wall->origin))),
                  way = ts_vec3_add_scaled(m->hits.ball[s->b].way, along, -model->settings.time_step),
                  across = ts_vec3_add_scaled(way, axis, -ts_vec3_dot(way, axis));
    const double off = piece->solid.radius - m->hits.ball[s->b].radius - s->gap;
    return fmin(off - ts_vec3_dot(n, across) - ts_vec3_distance(ts_vec3_scale(n, off), across), 0);
}

static void add_hit(ts_impact_space *m, const ts_impact_setting *setting, const ts_model *model, ts_hit3 *s,
                    const ts_history *past)
{
    const size_t k = m->scratch.count;
    ts_impact_side side[2];
    ts_impact_find_sides(&m->scratch, &m->blocks, setting, s->a, s->b, side);
    s->point = ts_vec3_add_scaled(s->point, s->normal, ts_impact_aside(side, s->gap));
    const ts_vec3 tangent = tangent_of(model, s, sliding(m, model, s, side), past);
    m->tangent.item[2 * k] = tangent;
    m->tangent.item[2 * k + 1] = ts_vec3_cross(s->normal, tangent);
    ts_impact_add(&m->scratch, &m->blocks, setting, side,
                  &(ts_impact_place){.gap = s->gap,
                                     .normal = s->normal,
                                     .point = s->point,
                                     .tangent = tangent,
                                     .weight = 1,
                                     .friction = friction_of(model, s),
                                     .size = size_of(model, s),
                                     .waits = s->how != TS_CLOSING});
    ts_impact_bend(&m->scratch, setting->time_step, bend_of(m, model, s, side[0].block));
}

/* The instant of what is struck. */
static ts_status gather(ts_impact_space *m, const ts_model *model, const ts_state *state, ts_workspace *work,
                        ts_error *error)
{
    double since = ts_timer_begin(&work->timers);
    const size_t n = m->hits.hit.count;
    TS_TRY(ts_array_reserve(&m->tangent, 2 * n, error));
    TS_TRY(ts_array_reserve(&m->past, n, error));
    TS_TRY(ts_impact_begin(&m->scratch, &m->blocks, n, error));
    const frames f = {m, model, state};
    const ts_impact_setting setting = {frame_of, &f, model->gravity, ts_impact_pull_of(work),
                                       model->settings.time_step};
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        ts_hit3 *s = &m->hits.hit.item[i];
        add_hit(m, &setting, model, s, past_of(&state->history, s, &at));
    }
    ts_timer_end(&work->timers, TS_PHASE_CONTACTS, since);
    return TS_OK;
}

/* ---- Guesses ---- */

/* Impulses of the last step, or of an earlier solve: sweeps begin with them, and rounds that run out go on from them.
 * */
static void guess(ts_impact_space *m, const ts_history_array *from)
{
    size_t at = 0;
    for (size_t k = 0; k < m->hits.hit.count; k++) {
        const ts_history *p = past_of(from, &m->hits.hit.item[k], &at);
        m->scratch.lambda.item[k] = m->scratch.rub.item[k] = m->scratch.rub_x.item[k] = 0;
        if (!p)
            continue;
        const ts_vec3 held = ts_impact_held(p);
        const double along = ts_vec3_dot(held, m->tangent.item[2 * k]),
                     across = ts_vec3_dot(held, m->tangent.item[2 * k + 1]), length = hypot(along, across),
                     most = m->scratch.mu.item[k] * p->value[TS_HELD_NORMAL], share = length > most ? most / length : 1;
        m->scratch.lambda.item[k] = p->value[TS_HELD_NORMAL];
        m->scratch.rub.item[k] = share * along;
        m->scratch.rub_x.item[k] = share * across;
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
    TS_TRY(ts_impact_tell_growth(&m->scratch, ts_state_time(state), error));
    const ts_hit3 *s = &m->hits.hit.item[ts_impact_worst(&m->scratch, &rate)];
    return ts_fail(error, TS_DIVERGED,
                   "the impact at t = %.9g s did not end: after %llu passes by \"%s\" %s and %s still close at %.3g "
                   "m/s; either there is no room for both, or it would take longer yet: try %sa shorter time_step",
                   ts_state_time(state), (unsigned long long)m->scratch.report.passes, m->scratch.by->name,
                   name_of(s->a, (char[32]){0}, 32), name_of(s->b, (char[32]){0}, 32), -rate,
                   ts_impact_else(&m->scratch));
}

/* Half-spaces and vessels have no other side, and push the right way however deep a body is. */
static bool has_far_side(const ts_model *model, const ts_hit3 *s)
{
    if (s->a >= 0)
        return true;
    const ts_solid_kind kind = wall_piece(model, s)->solid.kind;
    return kind != TS_SOLID_PLANE && kind != TS_SOLID_VESSEL;
}

/* TS_DIVERGED when a body is half-way through something that cannot move. */
static ts_status check_depth(const ts_impact_space *m, const ts_model *model, const ts_state *state, ts_error *error)
{
    for (size_t k = 0; k < m->scratch.count; k++) {
        const ts_hit3 *s = &m->hits.hit.item[k];
        const bool scripted = m->scratch.a.item[k] < 0 || m->scratch.b.item[k] < 0;
        if (scripted && -s->gap > m->scratch.size.item[k] && has_far_side(model, s))
            return ts_fail(
                error, TS_DIVERGED,
                "at t = %.9g s %s is %.3g m deep in %s, more than half-way through: what pushes it leaves no "
                "room, or the time step of %g s is too long",
                ts_state_time(state), name_of(s->b, (char[32]){0}, 32), -s->gap, name_of(s->a, (char[32]){0}, 32),
                model->settings.time_step);
    }
    return TS_OK;
}

/* Momentum is exact: the same impulse at one point for both. */
static void push(const ts_impact_space *m, ts_state *state, int32_t number, ts_vec3 impulse, ts_vec3 point)
{
    if (number < 0)
        return;
    const ts_block *block = &m->blocks.block.item[number];
    ts_body3 *body = &state->body3[block->body];
    double *v = body->velocity, *L = body->angular_momentum;
    ts_vec3 velocity = {v[0], v[1], v[2]}, momentum = {L[0], L[1], L[2]};
    ts_space_block.kick(block, impulse, point, (ts_vec3){0, 0, 0}, &velocity, &momentum);
    memcpy(v, (double[3]){velocity.x, velocity.y, velocity.z}, 3 * sizeof *v);
    memcpy(L, (double[3]){momentum.x, momentum.y, momentum.z}, 3 * sizeof *L);
}

static ts_vec3 friction_at(const ts_impact_space *m, size_t k)
{
    return ts_vec3_add_scaled(ts_vec3_scale(m->tangent.item[2 * k], m->scratch.rub.item[k]), m->tangent.item[2 * k + 1],
                              m->scratch.rub_x.item[k]);
}

/* Fills m->past with the impulses that there are. */
static void remember(ts_impact_space *m)
{
    m->past.count = 0;
    for (size_t k = 0; k < m->hits.hit.count; k++) {
        const ts_hit3 *s = &m->hits.hit.item[k];
        const double normal = m->scratch.lambda.item[k];
        const ts_vec3 rub = friction_at(m, k);
        if (normal > 0)
            m->past.item[m->past.count++] =
                (ts_history){.a = s->a, .b = s->b, .key = s->key, .value = {normal, rub.x, rub.y, rub.z}};
    }
}

/* The mean force of an impulse over the step, on wall `i`; impulses act at the beginning's poses. */
static void push_wall(ts_impact_space *m, const ts_state *state, size_t i, ts_vec3 impulse, ts_vec3 point)
{
    const ts_model *model = state->model;
    const ts_vec3 force = ts_vec3_scale(impulse, 1 / model->settings.time_step),
                  origin = ts_placed_wall(model, i, ts_time_of_step(model, state->step)).pose.position;
    m->wall[i][0] = ts_vec3_add(m->wall[i][0], force);
    m->wall[i][1] = ts_vec3_add(m->wall[i][1], ts_vec3_cross(ts_vec3_sub(point, origin), force));
}

/* Momenta take the impulses up; the state keeps them. */
static void write_impulses(ts_impact_space *m, ts_state *state)
{
    memset(m->wall, 0, (state->model->wall_count + 1) * sizeof *m->wall);
    for (size_t k = 0; k < m->hits.hit.count; k++) {
        const ts_hit3 *s = &m->hits.hit.item[k];
        const ts_vec3 impulse = ts_vec3_add_scaled(friction_at(m, k), s->normal, m->scratch.lambda.item[k]);
        push(m, state, m->scratch.b.item[k], impulse, s->point);
        push(m, state, m->scratch.a.item[k], ts_vec3_neg(impulse), s->point);
        if (s->a < 0)
            push_wall(m, state, (size_t)(-1 - s->a), ts_vec3_neg(impulse), s->point);
    }
    remember(m);
    /* the state's becomes scratch, and the other way round: both are of the same kind */
    ts_history_array kept = state->history;
    state->history = m->past;
    m->past = kept;
}

/* Returns the work that it takes. */
static double write_shifts(const ts_impact_space *m, const ts_model *model, ts_state *state, const ts_workspace *work)
{
    const ts_vec3 g = model->gravity;
    double lift = 0;
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        const double *by = m->scratch.shift.item + DOF * i;
        ts_body3 *body = &state->body3[block->body];
        ts_quat q = {body->attitude[0], body->attitude[1], body->attitude[2], body->attitude[3]};
        ts_vec3 way, turn;
        ts_impact_way(&m->scratch, &m->blocks, i, &way, &turn);
        body->position[0] += way.x;
        body->position[1] += way.y;
        body->position[2] += way.z;
        if (ts_vec3_length_squared(turn) > 0) {
            /* momentum stays as it is, so that the energy of turning does not */
            const ts_inertia *top = &model->inertia[block->body];
            const ts_vec3 L = {body->angular_momentum[0], body->angular_momentum[1], body->angular_momentum[2]};
            lift -= ts_inertia_energy(top, q, L);
            q = ts_quat_unit(ts_quat_mul(ts_quat_exp(turn), q));
            lift += ts_inertia_energy(top, q, L);
            memcpy(body->attitude, (double[4]){q.w, q.x, q.y, q.z}, sizeof body->attitude);
        }
        lift -= (by[0] * g.x + by[1] * g.y + by[2] * g.z) / block->root;
        lift += ts_impact_lift(&m->scratch, &m->blocks, work, i);
    }
    return lift;
}

/* Contacts that were struck, or that press though it was only likely. */
static size_t count_met(const ts_impact_space *m)
{
    size_t count = 0;
    for (size_t k = 0; k < m->scratch.count; k++)
        count += m->hits.hit.item[k].how == TS_CLOSING || m->scratch.lambda.item[k] > 0;
    return count;
}

/* ---- What impulses bring about ---- */

/* Times that an instant is put together anew with contacts that its own impulses would make overlap: a row of bodies is
 * gone through by one each time. Few take more than two. */
#define AGAIN_MAX 12
/* Overlaps of this share of a body's size are no reason to. */
static const double overlap_ignored = 2e-3;

/* The mean velocity of a point in the flight that the impulses lead to. */
static ts_vec3 velocity_ahead(const ts_impact_space *m, const ts_model *model, int64_t owner, ts_vec3 point)
{
    const ts_frame3 *c = owner_frame(m, model, owner);
    const bool struck = owner >= 0 && m->blocks.numbered[owner] == m->blocks.now;
    ts_vec3 v = c->velocity, spin = c->spin;
    if (struck) {
        const size_t number = (size_t)m->blocks.number[owner];
        double mean[DOF];
        for (size_t d = 0; d < DOF; d++)
            mean[d] =
                m->scratch.w.item[DOF * number + d] + m->scratch.lag.item[DOF * number + d] / model->settings.time_step;
        if (model->spring_count > 0)
            for (size_t d = 0; d < DOF; d++)
                mean[d] += m->scratch.flight.item[DOF * number + d];
        ts_space_block.unscale(&m->blocks.block.item[number], mean, &v, &spin);
    }
    /* the flight of what is struck has gravity where it has springs */
    if (owner >= 0 && model->body3[owner].inv_mass > 0 && !(struck && model->spring_count > 0))
        v = ts_vec3_add_scaled(v, model->gravity, 0.5 * model->settings.time_step);
    return ts_vec3_add(v, ts_vec3_cross(spin, ts_vec3_sub(point, c->pose.position)));
}

/* Contacts beyond `most` that the impulses turn into hits. Returns whether there are any. */
static bool find_more(ts_impact_space *m, const ts_model *model, ts_meeting3 most)
{
    bool any = false;
    for (size_t i = 0; i < m->hits.any.count; i++) {
        ts_hit3 *s = &m->hits.any.item[i];
        if (s->how <= most)
            continue;
        ts_vec3 relative =
            ts_vec3_sub(velocity_ahead(m, model, s->b, s->point), velocity_ahead(m, model, s->a, s->point));
        double ahead = s->gap + model->settings.time_step * ts_vec3_dot(s->normal, relative);
        if (ahead < -overlap_ignored * size_of(model, s)) {
            s->how = TS_CLOSING;
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
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        const ts_frame3 *c = &m->hits.frame[block->body];
        const double radius = model->body3[block->body].radius;
        ts_vec3 v, spin;
        ts_space_block.unscale(block, m->scratch.w.item + DOF * i, &v, &spin);
        const double way = h * (ts_vec3_distance(v, c->velocity) + radius * ts_vec3_distance(spin, c->spin));
        any |= ts_hits3_send(&m->hits, model, (size_t)block->body, way);
    }
    return any;
}

/* Looks for contacts of those once more, farther off; what was struck in the last solve still is. */
static ts_status find_again(ts_impact_space *m, const ts_model *model, ts_workspace *work, ts_error *error)
{
    TS_TRY(ts_hits3_find_sent(&m->hits, model, work->pool, &work->timers, error));
    const ts_hit3_array *last = &m->hits.hit;
    size_t at = 0;
    for (size_t i = 0; i < m->hits.any.count; i++) {
        ts_hit3 *s = &m->hits.any.item[i];
        while (at < last->count && ts_hit3_compare(s, &last->item[at]) > 0)
            at++;
        if (at < last->count && ts_hit3_compare(s, &last->item[at]) == 0 && last->item[at].how < s->how)
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

/* Strikes and what becomes of them. What they bring about is struck as well, at the same instant: from the velocities
 * of the beginning, so that what an impact keeps is kept. Those that are likely are there from the start, and wait
 * until they close as fast as their gap allows (impact.h). */
static ts_status collide(ts_impact_space *m, const ts_model *model, ts_state *state, ts_workspace *work,
                         const ts_impact_rules *rules, ts_impact_energy *energy, ts_error *error)
{
    ts_pulls_swap(model, state, work);
    ts_hits3_place(&m->hits, model, state);
    ts_pulls_swap(model, state, work);
    TS_TRY(ts_hits3_find(&m->hits, model, work->pool, &work->timers, false, error));
    m->scratch.waits = m->scratch.by->waits || rules->restitution == 0;
    const ts_meeting3 most = m->scratch.waits ? TS_LIKELY : TS_CLOSING;
    ts_impact_report earlier = {0};
    for (int again = 0;; again++) {
        TS_TRY(ts_hits3_choose(&m->hits, most, error));
        TS_TRY(gather(m, model, state, work, error));
        TS_TRY(check_depth(m, model, state, error));
        if (rules->sweeps > 0 || rules->staggered > 0)
            guess(m, again > 0 ? &m->past : &state->history);
        double since = ts_timer_begin(&work->timers);
        *energy = (ts_impact_energy){0};
        TS_TRY(ts_impact_solve(&m->scratch, rules, energy, error));
        ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);
        if (!m->scratch.report.finished)
            return fail_unfinished(m, state, error);
        add_work(&m->scratch.report, &earlier);
        earlier = m->scratch.report;
        if (are_sent_on(m, model))
            TS_TRY(find_again(m, model, work, error));
        if (!find_more(m, model, most))
            return TS_OK;
        if (again == AGAIN_MAX) { /* contacts are left closing */
            m->scratch.report.disagreed = true;
            m->scratch.report.disagreement = fmax(m->scratch.report.disagreement, TS_IMPACT_TOLD);
            return TS_OK;
        }
        remember(m);
    }
}

static ts_status resolve(const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error)
{
    ts_impact_space *m = work->own;
    ts_impact_rules rules = ts_impact_rules_of(model, state, work, ORDERS);
    rules.nearly = rules.sweeps > 0;
    ts_impact_energy energy;
    TS_TRY(collide(m, model, state, work, &rules, &energy, error));
    if (state->onward)
        TS_TRY(ts_impact_find_held(&m->scratch, &rules, error));
    if (rules.correction > 0) {
        double since = ts_timer_begin(&work->timers);
        TS_TRY(ts_impact_correct(&m->scratch, &rules, error));
        ts_timer_end(&work->timers, TS_PHASE_RESOLVE, since);
    }

    /* nothing can fail any more */
    ts_impact_book(&m->scratch, &m->blocks, &energy, count_met(m), state, work);
    work->query_sum += m->hits.near.pair_count;
    work->light_sum += m->hits.light_count;
    m->hits.light_count = 0;
    write_impulses(m, state);
    if (ts_impact_param_of(model)->correction > 0)
        state->budget.work += write_shifts(m, model, state, work);
    return TS_OK;
}

static void hold(const ts_model *model, ts_state *state, ts_workspace *work)
{
    const ts_impact_space *m = work->own;
    for (size_t i = 0; i < m->blocks.block.count; i++) {
        const ts_block *block = &m->blocks.block.item[i];
        double *v = state->body3[block->body].velocity, *L = state->body3[block->body].angular_momentum;
        ts_vec3 velocity, spin;
        ts_space_block.unscale(block, m->scratch.held.item + DOF * i, &velocity, &spin);
        /* of the poses at the beginning, where impulses act */
        const ts_vec3 momentum =
            ts_inertia_momentum(&model->inertia[block->body], m->hits.frame[block->body].pose.quat, spin);
        memcpy(v, (double[3]){v[0] + velocity.x, v[1] + velocity.y, v[2] + velocity.z}, 3 * sizeof *v);
        memcpy(L, (double[3]){L[0] + momentum.x, L[1] + momentum.y, L[2] + momentum.z}, 3 * sizeof *L);
    }
}

/* ---- The problem by itself ---- */

/* Of the contacts that the step hits, and of those that its impulses bring about: so the step is worked out
 * first. */
static ts_status copy_problem(const ts_model *model, ts_state *state, ts_workspace *work, ts_problem *to,
                              ts_error *error)
{
    ts_impact_space *m = work->own;
    ts_impact_rules rules = ts_impact_rules_of(model, state, work, ORDERS);
    ts_impact_energy energy;
    rules.nearly = rules.sweeps > 0;
    TS_TRY(collide(m, model, state, work, &rules, &energy, error));
    size_t at = 0;
    for (size_t i = 0; i < m->hits.any.count && at < m->hits.hit.count; i++) {
        ts_hit3 *s = &m->hits.any.item[i];
        if (ts_hit3_compare(s, &m->hits.hit.item[at]) != 0)
            continue;
        if (m->scratch.lambda.item[at++] > 0)
            s->how = TS_CLOSING;
    }
    TS_TRY(ts_hits3_choose(&m->hits, TS_CLOSING, error));
    TS_TRY(gather(m, model, state, work, error));
    return ts_impact_copy_problem(&m->scratch, &m->blocks, &rules, ts_state_time(state), to, error);
}

/* ---- Looking ---- */

/* Friction of the last step as it lies along a contact that has turned since: as long as it was. */
static ts_vec3 laid_flat(const ts_history *p, ts_vec3 normal)
{
    const ts_vec3 was = ts_impact_held(p);
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
    ts_hits3_place(&m->hits, model, state);
    TS_TRY(ts_hits3_find(&m->hits, model, work->pool, NULL, true, error));
    TS_TRY(ts_hits3_choose(&m->hits, TS_CLOSING, error));
    for (size_t k = 0; k < m->hits.hit.count; k++) {
        const ts_hit3 *s = &m->hits.hit.item[k];
        const ts_history *p = past_of(&state->history, s, &at);
        if (s->gap > 0 && !(p && p->value[TS_HELD_NORMAL] > 0)) /* open, and it did not press */
            continue;
        const ts_vec3 n = s->normal, a = ts_vec3_add_scaled(s->point, n, -0.5 * s->gap),
                      b = ts_vec3_add_scaled(s->point, n, 0.5 * s->gap);
        ts_contact c = {.a = s->a,
                        .b = s->b,
                        .key = s->key,
                        .gap = s->gap,
                        .normal = {n.x, n.y, n.z},
                        .point_a = {a.x, a.y, a.z},
                        .point_b = {b.x, b.y, b.z},
                        .weight = s->weight};
        if (p) {
            const ts_vec3 force =
                ts_vec3_scale(ts_vec3_add_scaled(laid_flat(p, n), n, p->value[TS_HELD_NORMAL]), per_time);
            memcpy(c.force, (double[3]){force.x, force.y, force.z}, sizeof c.force);
        }
        sink(context, &c, 1);
    }
    return TS_OK;
}

static void wall_force(const ts_workspace *work, size_t wall, double force[3], double torque[3])
{
    const ts_impact_space *m = work->own;
    const ts_vec3 f = m->wall[wall][0], t = m->wall[wall][1];
    memcpy(force, (double[3]){f.x, f.y, f.z}, 3 * sizeof *force);
    memcpy(torque, (double[3]){t.x, t.y, t.z}, 3 * sizeof *torque);
}

const ts_resolver ts_impact_in_space = {.search = TS_IMPACT_SEARCH,
                                        .overlap_at_start = OVERLAP_AT_START,
                                        .time_step = ts_impact_time_step_space,
                                        .wall_force = wall_force,
                                        .resolve = resolve,
                                        .holds = ts_impact_holds,
                                        .hold = hold,
                                        .look = look,
                                        .problem = copy_problem,
                                        .open = open_memory,
                                        .close = close_memory,
                                        .bytes = memory_bytes};
