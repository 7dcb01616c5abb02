/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_rows.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "model.h"

ts_status ts_impact_blocks_create(ts_impact_blocks *b, const ts_block_ops *ops, size_t body_count, ts_error *error)
{
    b->ops = ops;
    b->number = ts_alloc(body_count, sizeof *b->number);
    b->numbered = ts_alloc(body_count, sizeof *b->numbered);
    return b->number && b->numbered ? TS_OK
                                    : ts_fail_memory(error, body_count * (sizeof *b->number + sizeof *b->numbered));
}

void ts_impact_blocks_free(ts_impact_blocks *b)
{
    ts_array_free(&b->block);
    ts_free(b->number);
    ts_free(b->numbered);
}

size_t ts_impact_blocks_bytes(const ts_impact_blocks *b, size_t body_count)
{
    return b->block.capacity * sizeof *b->block.item + body_count * (sizeof *b->number + sizeof *b->numbered);
}

ts_status ts_impact_begin(ts_impact_scratch *scratch, ts_impact_blocks *b, size_t contacts, ts_error *error)
{
    TS_TRY(ts_array_reserve(&b->block, 2 * contacts, error));
    TS_TRY(ts_impact_scratch_reserve(scratch, contacts, error));
    b->now++;
    b->block.count = scratch->count = scratch->blocks = 0;
    scratch->pulled = false;
    return TS_OK;
}

/* What springs add to w in half a step. */
static void scale_pull(const ts_block_ops *ops, const ts_block *block, const double *pull, double *w)
{
    const double *p = pull + (size_t)ops->dof * (size_t)block->body;
    if (ops->dof == 6)
        ops->scale(block, (ts_vec3){p[0], p[1], p[2]}, (ts_vec3){p[3], p[4], p[5]}, w);
    else
        ops->scale(block, (ts_vec3){p[0], p[1], 0}, (ts_vec3){0, 0, p[2]}, w);
}

/* A body that comes up for the first time becomes a block. */
static void find_side(ts_impact_scratch *scratch, ts_impact_blocks *b, const ts_impact_setting *setting, int64_t owner,
                      ts_impact_side *side)
{
    if (owner >= 0 && b->numbered[owner] == b->now) {
        side->number = b->number[owner];
        side->block = &b->block.item[side->number];
        return;
    }
    ts_block *own = &side->own;
    *own = (ts_block){.body = owner};
    const ts_vec3 turning = setting->frame(setting->context, owner, own);
    side->number = -1;
    side->block = own;
    if (!(own->root > 0))
        return;
    const size_t dof = (size_t)b->ops->dof, at = b->block.count++;
    side->number = (int32_t)at;
    b->numbered[owner] = b->now;
    b->number[owner] = side->number;
    b->block.item[at] = *own;
    side->block = &b->block.item[at];
    scratch->blocks = b->block.count;
    b->ops->scale(own, own->velocity, turning, scratch->w.item + dof * at);
    const double half = 0.5 * setting->time_step / own->root;
    double *flight = scratch->flight.item + dof * at;
    const double fall[6] = {half * setting->gravity.x, half * setting->gravity.y,
                            dof == 6 ? half * setting->gravity.z : 0};
    memcpy(flight, fall, dof * sizeof *flight);
    if (!setting->pull)
        return;
    double pull[6];
    scale_pull(b->ops, own, setting->pull, pull);
    for (size_t d = 0; d < dof; d++)
        flight[d] += pull[d];
}

void ts_impact_find_sides(ts_impact_scratch *scratch, ts_impact_blocks *b, const ts_impact_setting *setting,
                          int64_t owner_a, int64_t owner_b, ts_impact_side side[2])
{
    find_side(scratch, b, setting, owner_a, &side[0]);
    find_side(scratch, b, setting, owner_b, &side[1]);
}

/* Both sides along a direction: their rows, or, of what cannot be moved, what it adds to the rate, which is
 * returned. */
static double add_sides(const ts_block_ops *ops, const ts_impact_side side[2], const ts_impact_place *touch,
                        ts_vec3 along, ts_vec3 couple, double *row_a, double *row_b)
{
    double *const row[2] = {row_a, row_b}, rate[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? -1 : 1;
        if (side[i].number >= 0)
            ops->row(side[i].block, touch->point, along, couple, sign, row[i]);
        else
            rate[i] = sign * ts_block_rate(side[i].block, touch->point, along, couple);
    }
    return rate[0] + rate[1];
}

void ts_impact_add(ts_impact_scratch *scratch, const ts_impact_blocks *b, const ts_impact_setting *setting,
                   const ts_impact_side side[2], const ts_impact_place *touch)
{
    const size_t k = scratch->count++, at = (size_t)b->ops->dof * k;
    const double h = setting->time_step,
                 fall = 0.5 * h * h * touch->weight * ts_vec3_dot(touch->normal, setting->gravity);
    const ts_vec3 none = {0, 0, 0}, normal = ts_vec3_scale(touch->normal, touch->weight);
    scratch->a.item[k] = side[0].number;
    scratch->b.item[k] = side[1].number;
    scratch->drift.item[k] = add_sides(b->ops, side, touch, normal, (ts_vec3){0, 0, touch->couple},
                                       scratch->ga.item + at, scratch->gb.item + at);
    scratch->slip.item[k] =
        add_sides(b->ops, side, touch, touch->tangent, none, scratch->ta.item + at, scratch->tb.item + at);
    if (ts_impact_has_across(scratch))
        scratch->slip_x.item[k] = add_sides(b->ops, side, touch, ts_vec3_cross(touch->normal, touch->tangent), none,
                                            scratch->xa.item + at, scratch->xb.item + at);
    scratch->mu.item[k] = touch->friction * touch->weight; /* the force along the normal is λ times the weight */
    scratch->gap.item[k] = touch->gap;
    scratch->fall.item[k] = (side[1].number >= 0 ? fall : 0) - (side[0].number >= 0 ? fall : 0);
    if (setting->pull) {
        ts_rows normals = ts_impact_normals(scratch);
        normals.drift = NULL;
        const double rate = ts_rows_rate(&normals, k, scratch->flight.item);
        scratch->fall.item[k] = h * rate;
        scratch->press.item[k] = -4 * rate;
        scratch->pulled = true;
    }
    scratch->bend.item[k] = 0;
    scratch->room.item[k] = fmax(touch->gap, 0) / h;
    scratch->wait.item[k] = touch->waits ? scratch->room.item[k] : 0;
    scratch->size.item[k] = touch->size;
    scratch->inverse.item[k] = side[1].block->inv_mass + side[0].block->inv_mass;
}

void ts_impact_bend(ts_impact_scratch *scratch, double time_step, double bend)
{
    const size_t k = scratch->count - 1;
    scratch->bend.item[k] = bend;
    scratch->room.item[k] += bend / time_step;
}

void ts_impact_drop(ts_impact_scratch *scratch, ts_impact_blocks *blocks, size_t before)
{
    for (size_t i = before; i < blocks->block.count; i++)
        blocks->numbered[blocks->block.item[i].body] = 0; /* instants are counted from 1 */
    scratch->blocks = blocks->block.count = before;
    scratch->count--;
}

ts_impact_rules ts_impact_rules_of(const ts_model *model, const ts_state *state, const ts_workspace *work,
                                   uint64_t stream)
{
    const ts_impact_param *p = ts_impact_param_of(model);
    return (ts_impact_rules){.restitution = p->restitution,
                             .correction = p->correction,
                             .staggered = p->staggered,
                             .sweeps = p->sweeps,
                             .time_step = model->settings.time_step,
                             .gravity = ts_vec3_length(model->gravity),
                             .seed = ts_random_u64(model->settings.seed, stream, state->step),
                             .pool = work->pool};
}

/* The smaller body of a contact that can move, or -1. */
static int64_t smaller_of(const ts_impact_scratch *scratch, const ts_impact_blocks *blocks, const ts_model *model,
                          size_t k)
{
    const int32_t number[2] = {scratch->a.item[k], scratch->b.item[k]};
    int64_t found = -1;
    for (int i = 0; i < 2; i++) {
        const int64_t body = number[i] >= 0 ? (int64_t)blocks->block.item[number[i]].body : -1;
        if (body >= 0 && (found < 0 || ts_model_radius(model, (size_t)body) < ts_model_radius(model, (size_t)found)))
            found = body;
    }
    return found;
}

void ts_impact_book(ts_impact_scratch *scratch, const ts_impact_blocks *blocks, const ts_impact_energy *energy,
                    size_t contacts, ts_state *state, ts_workspace *work)
{
    const ts_impact_report *report = &scratch->report;
    state->budget.work += energy->work;
    state->budget.lost_normal += energy->lost_normal;
    state->budget.lost_friction += energy->lost_friction;
    work->contact_sum += contacts;
    if (ts_impact_unsettled(report)) {
        double rate;
        const size_t worst = ts_impact_worst(scratch, &rate);
        ts_tally_add(&work->tally[TS_WARN_UNSETTLED], state->step + 1,
                     rate < 0 ? smaller_of(scratch, blocks, work->model, worst) : -1, report->disagreement);
    }
    if (report->locked)
        ts_tally_add(&work->tally[TS_WARN_LOCKED], state->step + 1, -1, 0);
    scratch->count_of.unsettled += ts_impact_unsettled(report);
    scratch->count_of.locked += report->locked;
    size_t deepest = 0;
    for (size_t k = 1; k < scratch->count; k++)
        deepest = scratch->gap.item[k] < scratch->gap.item[deepest] ? k : deepest;
    if (scratch->count > 0)
        ts_note_overlap(work, -scratch->gap.item[deepest], -scratch->gap.item[deepest] / scratch->size.item[deepest],
                        smaller_of(scratch, blocks, work->model, deepest));
}

void ts_impact_way(const ts_impact_scratch *scratch, const ts_impact_blocks *b, size_t i, ts_vec3 *way, ts_vec3 *turn)
{
    const size_t dof = (size_t)b->ops->dof;
    double by[6];
    for (size_t d = 0; d < dof; d++)
        by[d] = scratch->shift.item[dof * i + d] + scratch->lag.item[dof * i + d];
    b->ops->unscale(&b->block.item[i], by, way, turn);
}

double ts_impact_lift(const ts_impact_scratch *scratch, const ts_impact_blocks *b, const ts_workspace *work, size_t i)
{
    const size_t dof = (size_t)b->ops->dof;
    double pull[6], sum = 0;
    if (!work->pulls)
        return 0;
    scale_pull(b->ops, &b->block.item[i], work->pulls->half, pull);
    for (size_t d = 0; d < dof; d++)
        sum -= scratch->shift.item[dof * i + d] * pull[d];
    return 2 / work->model->settings.time_step * sum;
}

/* ---- The problem by itself ---- */

static void copy_rows(const ts_impact_scratch *scratch, size_t k, const double *from_a, const double *from_b,
                      double *to_a, double *to_b)
{
    for (size_t d = (size_t)scratch->dof * k; d < (size_t)scratch->dof * (k + 1); d++) {
        to_a[d] = scratch->a.item[k] >= 0 ? from_a[d] : 0; /* rows of what cannot move are never written */
        to_b[d] = scratch->b.item[k] >= 0 ? from_b[d] : 0;
    }
}

ts_status ts_impact_copy_problem(const ts_impact_scratch *scratch, const ts_impact_blocks *b,
                                 const ts_impact_rules *rules, double time, ts_problem *to, ts_error *error)
{
    const size_t dof = (size_t)scratch->dof;
    const bool across = ts_impact_has_across(scratch);
    TS_TRY(ts_problem_create(to, scratch->count, scratch->blocks, scratch->dof, across ? 3 : 2, error));
    to->time = time;
    to->restitution = rules->restitution;
    /* without restitution everything is worked out for the mean velocity of the flight */
    const bool still = ts_impact_rests(rules) && rules->restitution == 0;
    for (size_t i = 0; i < scratch->blocks; i++) {
        to->body[i] = (int32_t)b->block.item[i].body;
        b->ops->roots(&b->block.item[i], to->root + dof * i);
        for (size_t d = dof * i; d < dof * (i + 1); d++)
            to->w[d] = scratch->w.item[d] + (still ? scratch->flight.item[d] : 0);
    }
    for (size_t k = 0; k < scratch->count; k++) {
        to->a[k] = scratch->a.item[k];
        to->b[k] = scratch->b.item[k];
        to->drift[k] = scratch->drift.item[k] + (still ? scratch->room.item[k] : 0);
        to->slip[k] = scratch->slip.item[k];
        to->friction[k] = scratch->mu.item[k];
        copy_rows(scratch, k, scratch->ga.item, scratch->gb.item, to->ga, to->gb);
        copy_rows(scratch, k, scratch->ta.item, scratch->tb.item, to->ta, to->tb);
        if (!across)
            continue;
        to->slip_x[k] = scratch->slip_x.item[k];
        copy_rows(scratch, k, scratch->xa.item, scratch->xb.item, to->xa, to->xb);
    }
    return TS_OK;
}
