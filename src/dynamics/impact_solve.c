/* SPDX-License-Identifier: MIT */
/* Resolving what a step strikes: operator and restitution, friction, what keeps apart bodies that rest.
 *
 * At rest. Where impacts are not elastic, bodies come to rest, and a step has to leave them where they are. With
 * velocities v = 0 at its beginning they fall by ½ g h² in it. What counts for a contact is how far it closes in the
 * whole step, and that is h times the *mean* velocity of the flight,
 *
 *     u = v + ½ g h        x(h) = x + h u
 *
 * (g with what springs pull by, here and below: pull.h)
 *
 * so impacts and friction of what rests are worked out for u: it leaves with ½ g h upwards, and comes back to the same
 * place. Nor are bodies stopped where a step happens to find them: they may come as far as they touch, r(u) ≥ −gap / h.
 *
 * Islands of contacts in which something closes faster than rest does, and which bounce, are worked out for v, as
 * published: one contact then has Newton's law to the last digit. So is all where there is no restitution below 1
 * (dynamics.correction = 0). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "dynamics/impact_check.h"
#include "dynamics/impact_memory.h"

/* Passes after which grains count as locked; impacts of loose ones take some tens, of a crystal of 100 layers some
 * hundreds. */
static const uint64_t locked_after = 20000;

/* And after which an elastic impact has failed: what is locked in costs a program in each of them. */
static const uint64_t passes_most = 100000;

/* ---- Memory ---- */

ts_status ts_impact_scratch_create(ts_impact_scratch *scratch, const char *operator_name, int dof, ts_error *error)
{
    scratch->by = ts_impact_find(operator_name);
    scratch->dof = dof;
    return ts_impact_work_create(&scratch->work, error);
}

void ts_impact_scratch_free(ts_impact_scratch *scratch)
{
    ts_impact_work_free(scratch->work);
    ts_array_free(&scratch->a);
    ts_array_free(&scratch->b);
    for (size_t i = 0; i < TS_HAND_NUMBERS; i++)
        ts_array_free(&scratch->all[i]);
    for (size_t i = 0; i < TS_HAND_ACROSS; i++)
        ts_array_free(&scratch->across[i]);
    ts_array_free(&scratch->rubbing);
    ts_array_free(&scratch->left);
    ts_array_free(&scratch->left_a);
    ts_array_free(&scratch->left_b);
    ts_array_free(&scratch->left_number);
}

size_t ts_impact_scratch_bytes(const ts_impact_scratch *scratch)
{
    size_t numbers = 0;
    for (size_t i = 0; i < TS_HAND_NUMBERS; i++)
        numbers += scratch->all[i].capacity;
    for (size_t i = 0; i < TS_HAND_ACROSS; i++)
        numbers += scratch->across[i].capacity;
    return ts_impact_work_bytes(scratch->work) + (scratch->a.capacity + scratch->b.capacity) * sizeof(int32_t) +
           3 * scratch->left.capacity * sizeof(int32_t) + (numbers + scratch->left_number.capacity) * sizeof(double) +
           scratch->rubbing.capacity;
}

ts_status ts_impact_scratch_reserve(ts_impact_scratch *scratch, size_t contacts, ts_error *error)
{
    const size_t dof = (size_t)scratch->dof;
    TS_TRY(ts_array_reserve(&scratch->a, contacts, error));
    TS_TRY(ts_array_reserve(&scratch->b, contacts, error));
    for (size_t i = 0; i < TS_HAND_NUMBERS; i++) {
        size_t each = i < TS_HAND_ROWS ? dof : i < TS_HAND_ROWS + TS_HAND_BLOCKS ? 2 * dof : 1;
        TS_TRY(ts_array_reserve(&scratch->all[i], contacts * each, error));
    }
    for (size_t i = 0; i < TS_HAND_ACROSS && ts_impact_has_across(scratch); i++)
        TS_TRY(ts_array_reserve(&scratch->across[i], contacts * (i < 2 ? dof : 2), error));
    return TS_OK;
}

ts_rows ts_impact_normals(const ts_impact_scratch *scratch)
{
    return (ts_rows){scratch->count,  scratch->blocks,  scratch->dof,     scratch->a.item,
                     scratch->b.item, scratch->ga.item, scratch->gb.item, scratch->drift.item};
}

ts_rows ts_impact_tangents(const ts_impact_scratch *scratch)
{
    ts_rows tangent = ts_impact_normals(scratch);
    tangent.ga = scratch->ta.item;
    tangent.gb = scratch->tb.item;
    tangent.drift = scratch->slip.item;
    return tangent;
}

ts_rows ts_impact_across(const ts_impact_scratch *scratch)
{
    ts_rows across = ts_impact_normals(scratch);
    across.ga = scratch->xa.item;
    across.gb = scratch->xb.item;
    across.drift = scratch->slip_x.item;
    return across;
}

double ts_impact_gap_ahead(const ts_impact_scratch *scratch, double time_step, size_t k)
{
    ts_rows n = ts_impact_normals(scratch);
    return scratch->gap.item[k] + time_step * ts_rows_rate(&n, k, scratch->w.item) + scratch->fall.item[k] +
           scratch->bend.item[k];
}

const char *ts_impact_else(const ts_impact_scratch *scratch)
{
    return strcmp(scratch->by->name, "gr") == 0 ? "" : "\"gr\", or ";
}

ts_status ts_impact_tell_growth(const ts_impact_scratch *scratch, double time, ts_error *error)
{
    for (size_t i = 0; i < (size_t)scratch->dof * scratch->blocks; i++)
        if (!isfinite(scratch->w.item[i]))
            return ts_fail(error, TS_DIVERGED,
                           "the impact at t = %.9g s did not end: after %llu passes by \"%s\" velocities are beyond "
                           "all numbers: try %sa shorter time_step",
                           time, (unsigned long long)scratch->report.passes, scratch->by->name,
                           ts_impact_else(scratch));
    return TS_OK;
}

size_t ts_impact_worst(const ts_impact_scratch *scratch, double *rate)
{
    const ts_rows n = ts_impact_normals(scratch);
    size_t worst = 0;
    *rate = 0;
    for (size_t k = 0; k < n.count; k++) {
        double own = ts_rows_rate(&n, k, scratch->w.item);
        if (own < *rate) {
            *rate = own;
            worst = k;
        }
    }
    return worst;
}

static size_t velocities_of(const ts_impact_scratch *m)
{
    return (size_t)m->dof * m->blocks;
}

static double energy_of(const ts_impact_scratch *m)
{
    double sum = 0;
    for (size_t i = 0; i < velocities_of(m); i++)
        sum += m->w.item[i] * m->w.item[i];
    return 0.5 * sum;
}

static ts_impact_options options_of(const ts_impact_scratch *m, const ts_impact_rules *rules)
{
    ts_impact_options options = {.restitution = rules->restitution,
                                 .pool = rules->pool,
                                 .fair = m->rough,
                                 .nearly = rules->nearly,
                                 .give_up = locked_after,
                                 .passes_max = passes_most,
                                 .wait = m->waits ? m->wait.item : NULL,
                                 .seed = rules->seed};
    if (ts_impact_rests(rules)) {
        options.flight = m->flight.item;
        options.room = m->room.item;
        options.rest = 2 * rules->time_step * rules->gravity;
        options.press = m->pulled ? m->press.item : NULL;
    }
    return options;
}

/* ---- Friction ---- */

/* For sweeps and rounds: along one tangent or along two. */
static ts_impact_friction rubbing(const ts_impact_scratch *m, const ts_rows *tangent, const ts_rows *across,
                                  double *z_across)
{
    const bool two = ts_impact_has_across(m);
    return (ts_impact_friction){
        .tangent = tangent, .mu = m->mu.item, .across = two ? across : NULL, .z_across = two ? z_across : NULL};
}

/* ---- Keeping apart what rests ---- */

/* Shares of the smaller body's radius. Overlaps that are left alone: moving bodies goes without friction, and a heap in
 * which that never ends creeps apart. And what a gap may be asked to grow by at once: as much as moving the bodies that
 * far makes; beyond that a slope says little, and where it nearly vanishes (grains that are wedged) it would ask for
 * leaps. */
static const double overlap_left = 5e-4, shift_most = 0.02;

/* In space sweeps end when they move nothing any more by this share of the farthest: what is left is a small share
 * of a small overlap. */
static const double correct_tolerance = 0.01;

/* How much a contact's gap lacks at the end of the step; ≥ 0: nothing. `n` has no drift. */
static double lack(const ts_impact_scratch *m, const ts_impact_rules *rules, const ts_rows *n, size_t k)
{
    const double radius = m->size.item[k];
    double slope = fmin(sqrt(ts_rows_square(n, k) / m->inverse.item[k]), 1), left = -overlap_left * radius;
    double goal = left + (1 - rules->correction) * fmin(m->gap.item[k] - left, 0);
    const double ahead = ts_impact_gap_ahead(m, rules->time_step, k) + ts_rows_rate(n, k, m->lag.item);
    return fmax(ahead - goal, -shift_most * radius * slope);
}

/* Where bodies hold each other from all sides no shift does what is asked, and the program's answer is as large as
 * it pleases. */
static const double leap = 0.1; /* of the smaller radius: the farthest that bodies are moved at once */

/* The shifts of islands in which a body would leap, made smaller. */
static ts_status no_leaps(ts_impact_scratch *m, double *shift, double *factor, ts_error *error)
{
    const ts_rows n = ts_impact_normals(m);
    const size_t dof = (size_t)m->dof;
    TS_TRY(ts_impact_find_islands(m->work, &n, error));
    const int32_t *root = m->work->root.item;
    for (size_t i = 0; i < m->blocks; i++)
        factor[i] = 1;
    for (size_t k = 0; k < n.count; k++) {
        const int32_t side[2] = {n.a[k], n.b[k]};
        for (int i = 0; i < 2; i++) {
            double square = 0; /* m |x|² + I |θ|² */
            for (size_t d = 0; side[i] >= 0 && d < dof; d++)
                square += shift[dof * (size_t)side[i] + d] * shift[dof * (size_t)side[i] + d];
            double way = sqrt(square * m->inverse.item[k]), most = leap * m->size.item[k];
            if (!(way <= most))
                factor[root[side[i]]] = isfinite(way) ? fmin(factor[root[side[i]]], most / way) : 0;
        }
    }
    for (size_t i = 0; i < m->blocks; i++)
        for (size_t d = dof * i; d < dof * (i + 1); d++)
            shift[d] = factor[root[i]] > 0 ? factor[root[i]] * shift[d] : 0;
    return TS_OK;
}

/* Bodies that turn touch elsewhere at the end of a step than at its beginning, and overlap a little. So bodies are
 * moved, by as little as it takes, so that contacts that overlap too much do so by less, and none comes to. Velocities
 * are left alone. */
ts_status ts_impact_correct(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error)
{
    const size_t count = m->count;
    ts_rows n = ts_impact_normals(m);
    double *need = m->slip.item, *push = m->lambda_other.item; /* both were used for the last time */
    bool any = false;
    double *shift = m->shift.item;
    if (count > 0)
        memset(shift, 0, velocities_of(m) * sizeof *shift);
    n.drift = NULL;
    for (size_t k = 0; k < count; k++) {
        need[k] = lack(m, rules, &n, k);
        any |= need[k] < 0;
    }
    if (!any)
        return TS_OK;
    n.drift = need;
    ts_impact_options dull = options_of(m, rules);
    ts_impact_report report;
    dull.restitution = 0;
    dull.room = dull.flight = dull.wait = NULL;
    if (rules->sweeps > 0) {
        if (ts_impact_has_across(m))
            dull.tolerance = correct_tolerance;
        ts_rows tangent = ts_impact_tangents(m), across = ts_impact_across(m);
        ts_impact_friction friction = rubbing(m, &tangent, &across, m->rub_x_other.item);
        tangent.drift = across.drift = NULL;
        memset(push, 0, count * sizeof *push);
        memset(m->rub_other.item, 0, count * sizeof *push);
        if (friction.across)
            memset(friction.z_across, 0, count * sizeof *push);
        TS_TRY(ts_impact_sweep(&(ts_impact){&n, &dull, m->work, shift, push, &report}, &friction, m->rub_other.item,
                               rules->sweeps, error));
    } else {
        TS_TRY(ts_impact_resolve(&(ts_impact){&n, &dull, m->work, shift, push, &report}, m->by, error));
    }
    m->report.corrected = rules->sweeps > 0 ? report.rounds : report.passes;
    return no_leaps(m, shift, m->before.item, error); /* `before` was used for the last time, too */
}

/* ---- Normals and friction ---- */

/* Each impulse along a normal does its work at the mean of the velocities before and after: so what is lost to normals
 * and to friction can be told apart. */
static double work_of_normals(const ts_impact_scratch *m)
{
    ts_rows normal = ts_impact_normals(m);
    double sum = 0;
    normal.drift = NULL;
    for (size_t k = 0; k < normal.count; k++)
        sum +=
            0.5 * m->lambda.item[k] * (ts_rows_rate(&normal, k, m->before.item) + ts_rows_rate(&normal, k, m->w.item));
    return sum;
}

/* Rounds of what bounces, over those of what does not: each is the operator's work, with no bounds to be found. */
static const uint64_t bounces_factor = 20;

/* Normals and friction until they agree. `between` becomes the energy that the normal impulses alone leave. */
static ts_status settle(ts_impact_scratch *m, const ts_impact_rules *rules, const ts_impact_options *options,
                        double *between, ts_error *error)
{
    ts_rows normal = ts_impact_normals(m), tangent = ts_impact_tangents(m), across = ts_impact_across(m);
    for (size_t i = 0; i < velocities_of(m); i++)
        m->before.item[i] = m->w.item[i];
    ts_impact_friction friction = rubbing(m, &tangent, &across, m->rub_x.item);
    friction.z = m->rub.item;
    friction.rounds_max = rules->staggered;
    friction.bounces_max = bounces_factor * rules->staggered;
    friction.warm = true;
    TS_TRY(ts_impact_stagger(&(ts_impact){&normal, options, m->work, m->w.item, m->lambda.item, &m->report}, m->by,
                             &friction, error));
    *between += work_of_normals(m);
    return TS_OK;
}

/* The elastic half of sweeps: the operator, then friction once, in m->shift, m->lambda_other, m->rub_other and
 * m->rub_x_other. */
static ts_status bounce(ts_impact_scratch *m, const ts_impact_rules *rules, const ts_impact_options *options,
                        ts_error *error)
{
    ts_rows normal = ts_impact_normals(m);
    ts_impact_options elastic = ts_impact_elastic(options);
    elastic.restitution = 1;
    memcpy(m->shift.item, m->w.item, velocities_of(m) * sizeof(double));
    TS_TRY(ts_impact_resolve(&(ts_impact){&normal, &elastic, m->work, m->shift.item, m->lambda_other.item, &m->report},
                             m->by, error));
    ts_impact_bound(m, m->lambda_other.item);
    return ts_impact_rub_scratch(m, options, rules->sweeps,
                                 &(ts_impact_rubbed){m->shift.item, m->rub_other.item, m->rub_x_other.item}, error);
}

/* What a contact with something that no impulse can move pushes its body by; NULL: both can move, or none. */
static const double *push_of(const ts_impact_scratch *m, size_t k)
{
    const int32_t a = m->a.item[k], b = m->b.item[k];
    if ((a < 0) == (b < 0))
        return NULL;
    return (a < 0 ? m->gb.item : m->ga.item) + (size_t)m->dof * k;
}

static double along(const double *push, ts_vec3 u)
{
    return push[0] * u.x + push[1] * u.y + push[2] * u.z;
}

/* Whether bodies in space have somewhere to go, u, that all walls which close push them to and that no wall is in the
 * way of: then none is jammed, for impulses that hold each other would have to add up to nothing along u. (As over a
 * floor that rises between upright walls; the question itself, ts_impact_jammed, takes a program that is solved to the
 * last digit.) */
static bool have_way_out(const ts_impact_scratch *m)
{
    ts_vec3 u = {0, 0, 0};
    for (size_t k = 0; k < m->count; k++) {
        const double *push = push_of(m, k);
        if (push && m->drift.item[k] < 0)
            u = ts_vec3_add(u, ts_vec3_unit((ts_vec3){push[0], push[1], push[2]}));
    }
    for (size_t k = 0; k < m->count; k++) {
        const double *push = push_of(m, k);
        if (push && (m->drift.item[k] < 0 ? along(push, u) <= 0 : along(push, u) < 0))
            return false;
    }
    return m->dof == 6;
}

static ts_status sweep(ts_impact_scratch *m, const ts_impact_rules *rules, const ts_impact_options *options,
                       double *between, ts_error *error)
{
    ts_rows normal = ts_impact_normals(m), tangent = ts_impact_tangents(m), across = ts_impact_across(m);
    const ts_impact impact = {&normal, options, m->work, m->w.item, m->lambda.item, &m->report};
    ts_impact_report elastic = {.finished = true};
    bool bounces;
    m->report = elastic;
    if (m->count == 0)
        return TS_OK;
    memcpy(m->before.item, m->w.item, velocities_of(m) * sizeof(double));
    TS_TRY(ts_impact_shares(&impact, m->w.item, options->restitution, &bounces, error));
    if (bounces) {
        TS_TRY(bounce(m, rules, options, error));
        elastic = m->report;
        if (!elastic.finished) /* what is locked in cannot bounce */
            ts_impact_lock(&(ts_impact){.rows = &normal, .work = m->work, .w = m->shift.item});
    }
    ts_impact_friction friction = rubbing(m, &tangent, &across, m->rub_x.item);
    friction.rounds_max = rules->sweeps;
    TS_TRY(ts_impact_sweep(&impact, &friction, m->rub.item, rules->sweeps, error));
    TS_TRY(ts_impact_settle_left(m, options, &friction, error));
    if (m->report.disagreed && !(rules->nearly && have_way_out(m))) {
        bool jammed;
        TS_TRY(ts_impact_jammed(&impact, NULL, &jammed, error));
        m->report.finished &= !jammed;
    }
    if (bounces) {
        ts_impact_blend_blocks(&impact, m->w.item, m->shift.item);
        ts_impact_blend_contacts(&impact, m->lambda.item, m->lambda_other.item);
        ts_impact_blend_contacts(&impact, m->rub.item, m->rub_other.item);
        if (friction.across)
            ts_impact_blend_contacts(&impact, m->rub_x.item, m->rub_x_other.item);
        TS_TRY(ts_impact_rub_mixed(&impact, &friction, m->rub.item, error));
        m->report.passes = elastic.passes;
        m->report.touched += elastic.touched;
        m->report.disagreed |= elastic.disagreed;
        m->report.disagreement = fmax(m->report.disagreement, elastic.disagreement);
    }
    m->report.locked = !elastic.finished;
    *between += work_of_normals(m);
    return TS_OK;
}

static ts_status rub(ts_impact_scratch *m, const ts_impact_options *options, ts_error *error)
{
    ts_rows tangent = ts_impact_tangents(m);
    const ts_impact rubbed = {.rows = &tangent, .options = options, .work = m->work, .w = m->w.item};
    if (m->count == 0)
        return TS_OK;
    memset(m->rub.item, 0, m->count * sizeof *m->rub.item);
    if (ts_impact_has_across(m))
        memset(m->rub_x.item, 0, m->count * sizeof *m->rub_x.item);
    if (!ts_impact_bound(m, m->lambda.item))
        return TS_OK;
    ts_impact_add_flight(&rubbed, 1, m->w.item);
    TS_TRY(ts_impact_rub_scratch(m, options, 0, &(ts_impact_rubbed){m->w.item, m->rub.item, m->rub_x.item}, error));
    ts_impact_add_flight(&rubbed, -1, m->w.item);
    return TS_OK;
}

/* Springs press through what lies between: a contact's `press` becomes the most of its island. (A heap whose inner
 * contacts bounced would not count as at rest, and be pressed into its floor.) */
static ts_status share_press(ts_impact_scratch *m, ts_error *error)
{
    const ts_rows n = ts_impact_normals(m);
    double *most = m->late.item, *press = m->press.item; /* `late` is scratch as yet */
    TS_TRY(ts_impact_find_islands(m->work, &n, error));
    const int32_t *root = m->work->root.item;
    for (size_t i = 0; i < m->blocks; i++)
        most[i] = 0;
    for (size_t k = 0; k < n.count; k++) {
        const int32_t block = ts_impact_mover(&n, k);
        if (block >= 0)
            most[root[block]] = fmax(most[root[block]], press[k]);
    }
    for (size_t k = 0; k < n.count; k++) {
        const int32_t block = ts_impact_mover(&n, k);
        if (block >= 0)
            press[k] = most[root[block]];
    }
    return TS_OK;
}

ts_status ts_impact_solve(ts_impact_scratch *m, const ts_impact_rules *rules, ts_impact_energy *energy, ts_error *error)
{
    const ts_impact_options options = options_of(m, rules);
    ts_rows rows = ts_impact_normals(m);
    if (m->pulled)
        TS_TRY(share_press(m, error));
    TS_TRY(ts_impact_late_begin(m, rules, error));
    double before = energy_of(m), between = before, push = 0, pull = 0;
    const bool together = rules->staggered > 0 || (rules->sweeps > 0 && rules->restitution < 1);
    if (rules->staggered > 0)
        TS_TRY(settle(m, rules, &options, &between, error));
    else if (together)
        TS_TRY(sweep(m, rules, &options, &between, error));
    else
        TS_TRY(ts_impact_resolve(&(ts_impact){&rows, &options, m->work, m->w.item, m->lambda.item, &m->report}, m->by,
                                 error));
    if (!m->report.finished)
        return TS_OK;
    if (!together) {
        between = energy_of(m);
        TS_TRY(rub(m, &options, error));
    }
    for (size_t k = 0; k < m->count; k++) { /* what scripts do: impulse times their velocity */
        push -= m->lambda.item[k] * m->drift.item[k];
        pull -= m->rub.item[k] * m->slip.item[k];
        if (ts_impact_has_across(m))
            pull -= m->rub_x.item[k] * m->slip_x.item[k];
    }
    *energy = (ts_impact_energy){push + pull, before + push - between, between + pull - energy_of(m)};
    energy->work += ts_impact_late_end(m, rules);
    return TS_OK;
}
