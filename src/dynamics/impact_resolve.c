/* SPDX-License-Identifier: MIT */
/* Restitution around an operator, and friction after it. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_check.h"
#include "dynamics/impact_work.h"

/* Of the fastest rate: to what the reflection of all locked contacts together must be solved. */
static const double turned_to = 1e-6;

static const double friction_tolerance = 1e-10, friction_nearly = 1e-4; /* of the fastest slip */

ts_status ts_impact_check_start(const ts_rows *n, const double *w, ts_error *error)
{
    for (size_t i = 0; i < n->block_count * (size_t)n->dof; i++)
        if (!isfinite(w[i]))
            return ts_fail(error, TS_DIVERGED, "an impact begins with a velocity of body %zu that is not finite",
                           i / (size_t)n->dof);
    return TS_OK;
}

void ts_impact_add_report(ts_impact_report *to, const ts_impact_report *from)
{
    to->finished &= from->finished;
    to->touched += from->touched;
    to->problems += from->problems;
    to->iterations += from->iterations;
    to->front = from->front > to->front ? from->front : to->front;
    to->closing = fmax(to->closing, from->closing);
    to->residual = fmax(to->residual, from->residual);
    to->rounds = from->rounds > to->rounds ? from->rounds : to->rounds;
    to->disagreed |= from->disagreed;
    to->disagreement = fmax(to->disagreement, from->disagreement);
}

ts_status ts_impact_stop(const ts_impact *impact, ts_error *error)
{
    ts_impact_options options = *impact->options;
    ts_rows n = *impact->rows;
    ts_impact_work *work = impact->work;
    options.restitution = 0;
    options.model = TS_RESTITUTION_NEWTONIAN;
    if (options.room || options.wait) {
        TS_TRY(ts_array_reserve(&work->drift_other, n.count, error));
        for (size_t k = 0; k < n.count; k++)
            work->drift_other.item[k] = (n.drift ? n.drift[k] : 0) + ts_impact_room(impact, k);
        n.drift = work->drift_other.item;
        options.wait = NULL;
    }
    return ts_impact_lcp.apply(&(ts_impact){&n, &options, work, impact->w, impact->lambda, impact->report}, error);
}

bool ts_impact_give_up(const ts_impact *impact)
{
    if (impact->options->give_up == 0 || impact->report->finished)
        return false;
    ts_impact_lock(impact);
    impact->report->finished = true;
    return true;
}

/* With c = 1 what is locked in must keep its energy, but reflections one after the other have no end. So it is
 * reflected once, all its contacts together: w⁺ = 2 w₀ − w⁻ with the inelastic w₀. That turns the rates of contacts
 * that hold each other round; those that close by it are left to the next step. `before`: w⁻. */
static ts_status turn_round(const ts_impact *impact, const double *before, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t dof = (size_t)n->dof;
    const double earlier = report->residual;
    bool jammed;
    TS_TRY(ts_impact_jammed(impact, NULL, &jammed, error));
    if (jammed)
        return TS_OK;
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(ts_array_reserve(&work->locked, n->block_count, error));
    char *locked = work->locked.item; /* at the numbers of roots */
    memset(locked, 0, n->block_count * sizeof *locked);
    for (size_t i = 0; i < work->closing.count; i++)
        locked[work->root.item[ts_impact_mover(n, (size_t)work->closing.item[i])]] = true;
    for (size_t i = 0; i < n->block_count; i++)
        if (locked[work->root.item[i]])
            memcpy(impact->w + dof * i, before + dof * i, dof * sizeof *before);
    work->closing.count = 0;
    for (size_t k = 0; k < n->count; k++) {
        const int32_t block = ts_impact_mover(n, k);
        if (block < 0 || !locked[work->root.item[block]])
            continue;
        impact->lambda[k] = 0;
        if (ts_impact_wait(impact, k) == 0)
            work->closing.item[work->closing.count++] = (int32_t)k;
    }
    report->residual = 0;
    TS_TRY(ts_impact_reflect(impact, 1, error));
    report->finished = report->residual < turned_to;
    report->residual = fmax(report->residual, earlier);
    report->locked = true;
    report->closing = 0;
    return TS_OK;
}

/* c = 1, for its own sake: of the elastic half of another impact (may_lock) whoever asks for it takes care. */
static ts_status bounce(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    if (by != &ts_impact_gr || impact->options->give_up == 0 || impact->options->may_lock)
        return by->apply(impact, error);
    ts_impact_work *work = impact->work;
    const size_t numbers = impact->rows->block_count * (size_t)impact->rows->dof;
    const ts_impact_options options = ts_impact_elastic(impact->options);
    ts_impact elastic = *impact;
    elastic.options = &options;
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    memcpy(work->w_other.item, impact->w, numbers * sizeof *impact->w);
    TS_TRY(by->apply(&elastic, error));
    return impact->report->finished ? TS_OK : turn_round(&elastic, work->w_other.item, error);
}

/* w⁺ = c w₁ + (1 − c) w₀: rates are linear in w, so both being ≥ 0 makes the mixture so; and energy is convex. */
static ts_status mix(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    size_t numbers = n->block_count * (size_t)n->dof;
    double c = impact->options->restitution;
    bool bounces;
    if (c == 1)
        return bounce(impact, by, error);
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    TS_TRY(ts_array_reserve(&work->lambda_other, n->count, error));
    double *w = work->w_other.item, *lambda = work->lambda_other.item;
    memcpy(w, impact->w, numbers * sizeof *w);
    memset(lambda, 0, n->count * sizeof *lambda);
    TS_TRY(ts_impact_shares(impact, w, c, &bounces, error));
    if (bounces) {
        const ts_impact_options options = ts_impact_elastic(impact->options);
        ts_impact elastic = *impact;
        elastic.options = &options;
        TS_TRY(by->apply(&elastic, error));
    }
    bool locked = ts_impact_give_up(impact);
    ts_impact_report report = {0};
    ts_impact_add_flight(impact, 1, w);
    TS_TRY(ts_impact_stop(&(ts_impact){n, impact->options, work, w, lambda, &report}, error));
    ts_impact_add_flight(impact, -1, w);
    if (bounces) {
        ts_impact_add_report(impact->report, &report);
        ts_impact_blend_blocks(impact, w, impact->w);
        ts_impact_blend_contacts(impact, lambda, impact->lambda);
    } else
        *impact->report = report;
    impact->report->locked = locked;
    memcpy(impact->w, w, numbers * sizeof *w);
    memcpy(impact->lambda, lambda, n->count * sizeof *lambda);
    return TS_OK;
}

ts_status ts_impact_resolve(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_rows *n = impact->rows;
    *impact->report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, n->count * sizeof *impact->lambda);
    TS_TRY(ts_impact_check_start(n, impact->w, error));
    if (impact->options->model == TS_RESTITUTION_ENERGETIC)
        return mix(impact, by, error);
    return by->apply(impact, error);
}

/* ---- Friction ---- */

/* Friction of some of the rows; row NULL: of the first ones. */
static ts_status rub_rows(const ts_impact *impact, const double *bound, const int32_t *row, size_t count,
                          ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    ts_qp qp;
    ts_qp_report found;
    double most = 0;
    *report = (ts_impact_report){.finished = true};
    TS_TRY(ts_impact_prepare(work, n, error));
    TS_TRY(ts_impact_program(work, n, row, count, &qp, error));
    TS_TRY(ts_array_reserve(&work->low, count, error));
    TS_TRY(ts_array_reserve(&work->high, count, error));
    for (size_t i = 0; i < count; i++) {
        const size_t k = row ? (size_t)row[i] : i;
        double size = work->size.item[i], z = impact->lambda[k];
        work->linear.item[i] = ts_rows_rate(n, k, impact->w) / size;
        work->high.item[i] = (bound[k] - z) * size;
        work->low.item[i] = (-bound[k] - z) * size;
        most = fmax(most, fabs(work->linear.item[i]));
    }
    qp.low = work->low.item;
    qp.high = work->high.item;
    const ts_impact_options *options = impact->options;
    ts_qp_options how = {.tolerance = (options->nearly ? friction_nearly : friction_tolerance) * most,
                         .fair = options->fair && !options->nearly,
                         .quick = options->nearly,
                         .pool = options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    for (size_t i = 0; i < count; i++) {
        const size_t k = row ? (size_t)row[i] : i;
        double impulse = work->y.item[i] / work->size.item[i];
        impact->lambda[k] += impulse;
        ts_rows_push(n, k, impulse, impact->w);
    }
    report->finished = found.reached;
    report->passes = 1;
    report->problems = 1;
    report->iterations = found.iterations;
    report->touched = report->front = count;
    report->residual = most > 0 ? found.residual / most : 0;
    return TS_OK;
}

ts_status ts_impact_rub_more(const ts_impact *impact, const double *bound, ts_error *error)
{
    return rub_rows(impact, bound, NULL, impact->rows->count, error);
}

/* One tangent: within what the other one leaves of μ λ. */
static ts_status rub_bouncing(const ts_impact *impact, const ts_rows *along, const ts_impact_friction *friction,
                              double *z, const double *other, ts_error *error)
{
    ts_impact_work *work = impact->work;
    ts_impact_report report;
    double *bound = work->bound.item;
    size_t count = 0;
    for (size_t k = 0; k < along->count; k++) {
        const double most = friction->mu[k] * impact->lambda[k], rest = other ? other[k] : 0;
        const int32_t block = ts_impact_mover(along, k);
        bound[k] = sqrt(fmax(most * most - rest * rest, 0));
        if (block >= 0 && work->share.item[block] > 0 && bound[k] > 0)
            work->closing.item[count++] = (int32_t)k;
    }
    if (count == 0)
        return TS_OK;
    return rub_rows(&(ts_impact){along, impact->options, work, impact->w, z, &report}, bound, work->closing.item, count,
                    error);
}

ts_status ts_impact_rub_mixed(const ts_impact *impact, const ts_impact_friction *friction, double *z, ts_error *error)
{
    const size_t count = impact->rows->count;
    TS_TRY(ts_array_reserve(&impact->work->bound, count, error));
    TS_TRY(ts_array_reserve(&impact->work->closing, count, error));
    TS_TRY(rub_bouncing(impact, friction->tangent, friction, z, friction->across ? friction->z_across : NULL, error));
    return friction->across ? rub_bouncing(impact, friction->across, friction, friction->z_across, z, error) : TS_OK;
}

ts_status ts_impact_rub(const ts_impact *impact, const double *bound, ts_error *error)
{
    *impact->report = (ts_impact_report){.finished = true};
    if (impact->rows->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, impact->rows->count * sizeof *impact->lambda);
    return ts_impact_rub_more(impact, bound, error);
}
