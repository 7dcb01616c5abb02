/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "dynamics/impact_work.h"

/* Λ, in the fastest drifts. What a narrow wedge squeezes out goes as much faster as its impulses are larger: beyond
 * this it is stuck. */
#define SPEEDS 1e6
/* −drift·λ over |Gλ|² is 1 with room, and about SPEEDS without. */
#define RATIO 1e3
/* Of locks: the same ratio, which is 1 to some digits where Λ bounds nothing, and how exactly that is asked. */
#define LOCK_RATIO     2
#define LOCK_TOLERANCE 1e-3
/* Contacts with less than this share of the largest impulse do not count among those that jam. */
#define SHARE 0.01
/* How many bodies and walls a sentence names. */
#define BODIES_NAMED 3
#define WALLS_NAMED  2

/* ---- Is there room? ---- */

/* −drift·λ and |Gλ|², with rows of length 1. */
static ts_status weigh(const ts_qp *qp, ts_impact_work *work, double *gain, double *square, ts_error *error)
{
    size_t numbers = qp->block_count * (size_t)qp->dof;
    double residual;
    TS_TRY(ts_array_reserve(&work->velocity, numbers, error));
    TS_TRY(ts_qp_residual(qp, work->y.item, work->velocity.item, &residual, NULL, error));
    *gain = *square = 0;
    for (size_t i = 0; i < qp->count; i++)
        *gain -= qp->linear[i] * work->y.item[i];
    for (size_t i = 0; i < numbers; i++)
        *square += work->velocity.item[i] * work->velocity.item[i];
    return TS_OK;
}

/* The program: its λ, of rows of length 1, in work->y. */
static ts_status look_for_room(const ts_impact *impact, bool *jammed, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_qp qp;
    double most = 0, gain, square;
    TS_TRY(ts_impact_prepare(work, n, error));
    TS_TRY(ts_impact_program(work, n, NULL, n->count, &qp, error));
    TS_TRY(ts_array_reserve(&work->high, n->count, error));
    for (size_t k = 0; k < n->count; k++) {
        work->linear.item[k] = (n->drift[k] + ts_impact_wait(impact, k)) / work->size.item[k];
        most = fmax(most, fabs(work->linear.item[k]));
    }
    for (size_t k = 0; k < n->count; k++)
        work->high.item[k] = SPEEDS * most;
    qp.high = work->high.item;
    ts_qp_options how = {.tolerance = most / SPEEDS, .pool = impact->options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, NULL, error));
    TS_TRY(weigh(&qp, work, &gain, &square, error));
    *jammed = gain > RATIO * square;
    return TS_OK;
}

ts_status ts_impact_jammed(const ts_impact *impact, double *share, bool *jammed, ts_error *error)
{
    const ts_rows *n = impact->rows;
    const ts_impact_work *work = impact->work;
    double least = 0, largest = 0;
    *jammed = false;
    if (!n->drift)
        return TS_OK;
    for (size_t k = 0; k < n->count; k++)
        least = fmin(least, n->drift[k]);
    if (!(least < 0))
        return TS_OK; /* nothing pushes: bodies may stand still */
    TS_TRY(look_for_room(impact, jammed, error));
    if (!share)
        return TS_OK;
    for (size_t k = 0; k < n->count; k++) {
        share[k] = work->y.item[k] / work->size.item[k]; /* an impulse again */
        largest = fmax(largest, share[k]);
    }
    for (size_t k = 0; k < n->count && largest > 0; k++)
        share[k] /= largest;
    return TS_OK;
}

/* ---- Is there a way out? ---- */

/* The contacts of islands in which something closes, without those that wait still: `row` (count). Returns how many. */
static size_t pick_rows(const ts_impact *impact, bool *closes, int32_t *row)
{
    const ts_rows *n = impact->rows;
    const ts_impact_work *work = impact->work;
    size_t count = 0;
    for (size_t i = 0; i < work->closing.count; i++)
        closes[work->root.item[ts_impact_mover(n, (size_t)work->closing.item[i])]] = true;
    for (size_t k = 0; k < n->count; k++) {
        const int32_t block = ts_impact_mover(n, k);
        const bool struck = ts_impact_wait(impact, k) == 0 || impact->lambda[k] > 0;
        if (block >= 0 && closes[work->root.item[block]] && struck)
            row[count++] = (int32_t)k;
    }
    return count;
}

/* Adds −drift·λ and |Gλ|² of each island up, at the number of its root. */
static void weigh_islands(const ts_rows *n, const ts_impact_work *work, const ts_qp *qp, const int32_t *row,
                          double (*weight)[2])
{
    const size_t dof = (size_t)qp->dof;
    for (size_t i = 0; i < qp->count; i++) {
        const int32_t island = work->root.item[ts_impact_mover(n, (size_t)row[i])], side[2] = {qp->a[i], qp->b[i]};
        weight[island][0] -= qp->linear[i] * work->y.item[i];
        for (int k = 0; k < 2; k++)
            for (size_t d = 0; side[k] >= 0 && d < dof; d++) {
                double *v = &work->velocity.item[dof * (size_t)side[k] + d];
                weight[island][1] += *v * *v;
                *v = 0; /* once for each block */
            }
    }
}

/* Solves for the rows that were picked, and marks islands. */
static ts_status mark_locked(const ts_impact *impact, const int32_t *row, size_t count, double (*weight)[2], bool *any,
                             ts_error *error)
{
    const ts_rows *n = impact->rows;
    const ts_impact_options *options = impact->options;
    ts_impact_work *work = impact->work;
    const double turns = (double)options->passes_max / TS_PI, most = turns * turns;
    ts_qp qp;
    ts_qp_report found;
    double residual;
    TS_TRY(ts_impact_program(work, n, row, count, &qp, error));
    TS_TRY(ts_array_reserve(&work->high, count, error));
    TS_TRY(ts_array_reserve(&work->velocity, qp.block_count * (size_t)qp.dof, error));
    for (size_t i = 0; i < count; i++) {
        work->linear.item[i] = -1;
        work->high.item[i] = most;
    }
    qp.high = work->high.item;
    ts_qp_options how = {.tolerance = LOCK_TOLERANCE, .quick = options->nearly, .pool = options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    if (!found.reached)
        return TS_OK; /* it cannot be said */
    TS_TRY(ts_qp_residual(&qp, work->y.item, work->velocity.item, &residual, NULL, error));
    weigh_islands(n, work, &qp, row, weight);
    for (size_t i = 0; i < n->block_count; i++) {
        const double *own = weight[work->root.item[i]];
        work->locked.item[i] = own[0] > LOCK_RATIO * own[1];
        *any |= work->locked.item[i];
    }
    return TS_OK;
}

ts_status ts_impact_locked(const ts_impact *impact, uint64_t contacts_most, bool *any, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    *any = false;
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(ts_array_reserve(&work->locked, n->block_count, error));
    memset(work->locked.item, 0, n->block_count * sizeof *work->locked.item);
    bool *closes = ts_alloc(n->block_count, sizeof *closes); /* islands, at the numbers of their roots */
    double(*weight)[2] = ts_alloc(n->block_count, sizeof *weight);
    int32_t *row = ts_alloc(n->count, sizeof *row);
    ts_status status = TS_OK;
    if (closes && weight && row) {
        const size_t count = pick_rows(impact, closes, row);
        if (count <= contacts_most)
            status = mark_locked(impact, row, count, weight, any, error);
    } else {
        status = ts_fail_memory(error, n->block_count * (sizeof *closes + sizeof *weight) + n->count * sizeof *row);
    }
    ts_free(closes);
    ts_free(weight);
    ts_free(row);
    return status;
}

/* ---- Who has none ---- */

/* Different numbers, in the order in which they come up. */
typedef struct roll {
    int32_t who[BODIES_NAMED + WALLS_NAMED];
    size_t named, most; /* how many are there, and how many may be */
    size_t others;      /* contacts of further ones */
} roll;

static void call(roll *r, int32_t who)
{
    for (size_t i = 0; i < r->named; i++)
        if (r->who[i] == who)
            return;
    if (r->named < r->most)
        r->who[r->named++] = who;
    else
        r->others++;
}

static void write_roll(const roll *r, const ts_model *model, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < r->named && used < capacity; i++) {
        int32_t who = r->who[i];
        const char *name = who < 0 ? model->wall[-1 - who].name : NULL;
        const char *joint = i == 0 ? "" : i + 1 < r->named || r->others > 0 ? ", " : " and ";
        used += (size_t)snprintf(text + used, capacity - used, "%s%s %d%s%.60s%s", joint, who < 0 ? "wall" : "body",
                                 who < 0 ? -1 - who : who, name ? " (\"" : "", name ? name : "", name ? "\")" : "");
    }
    if (r->others > 0 && used < capacity)
        snprintf(text + used, capacity - used, " and others");
}

static ts_status tell(const ts_impact *impact, const ts_hit *hit, const ts_state *state, const double *share,
                      ts_error *error)
{
    const ts_model *model = state->model;
    roll body = {.most = BODIES_NAMED}, wall = {.most = WALLS_NAMED};
    double push = 0, load = 0;
    for (size_t k = 0; k < impact->rows->count; k++) {
        if (share[k] < SHARE)
            continue;
        int32_t side[2] = {hit[k].a, hit[k].b};
        for (int i = 0; i < 2; i++) {
            bool moves = side[i] >= 0 && model->body[side[i]].inv_mass > 0;
            call(moves ? &body : &wall, side[i]);
            load += moves ? 0 : 0.5 * share[k]; /* walls on one side hold those on the other */
        }
        push -= share[k] * impact->rows->drift[k];
    }
    char bodies[256], walls[256];
    write_roll(&body, model, bodies, sizeof bodies);
    write_roll(&wall, model, walls, sizeof walls);
    return ts_fail(error, TS_DIVERGED,
                   "at t = %.9g s there is no room for %s: %s close in by %.3g m/s; let them stop or part before that, "
                   "or leave a way out",
                   ts_state_time(state), bodies, walls, push / load);
}

ts_status ts_impact_tell_jam(const ts_impact *impact, const ts_hit *hit, const ts_state *state, ts_error *error)
{
    size_t count = impact->rows->count;
    double *share = ts_alloc(count, sizeof *share);
    bool jammed;
    if (!share)
        return ts_fail_memory(error, count * sizeof *share);
    ts_status status = ts_impact_jammed(impact, share, &jammed, error);
    if (status == TS_OK && jammed)
        status = tell(impact, hit, state, share, error);
    ts_free(share);
    return status;
}

/* ---- Who is through ---- */

static bool is_driven(const ts_model *model, const ts_hit *s)
{
    if (s->a < 0 && model->wall[-1 - s->a].motion >= 0)
        return true;
    return model->body_motion && (model->body_motion[s->b] >= 0 || (s->a >= 0 && model->body_motion[s->a] >= 0));
}

ts_status ts_impact_tell_deep(const ts_hit *hit, size_t count, const ts_state *state, ts_error *error)
{
    const ts_model *model = state->model;
    for (size_t k = 0; k < count && model->motion_count > 0; k++) {
        const ts_hit *s = &hit[k];
        double room = model->shape[model->body_shape[s->b]].inner * model->body_scale[s->b];
        if (s->a >= 0)
            room = fmin(room, model->shape[model->body_shape[s->a]].inner * model->body_scale[s->a]);
        if (-s->gap <= room || !is_driven(model, s))
            continue;
        roll both = {.who = {s->a, s->b}, .named = 2, .most = 2};
        char text[256];
        write_roll(&both, model, text, sizeof text);
        return ts_fail(
            error, TS_DIVERGED,
            "at t = %.9g s %s overlap by %.3g m, half-way through each other; give them more room, slow down "
            "what is driven, or shorten time_step",
            ts_state_time(state), text, -s->gap);
    }
    return TS_OK;
}
