/* SPDX-License-Identifier: MIT */
/* Restitution around an operator, and friction after it. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"

static const double friction_tolerance = 1e-10; /* of the fastest slip */

static ts_status check(const ts_instant *n, const double *w, ts_error *error)
{
    for (size_t i = 0; i < n->block_count * (size_t)n->dof; i++)
        if (!isfinite(w[i]))
            return ts_fail(error, TS_DIVERGED, "an impact begins with a velocity of body %zu that is not finite",
                           i / (size_t)n->dof);
    return TS_OK;
}

static void add_report(ts_impact_report *to, const ts_impact_report *from)
{
    to->finished &= from->finished;
    to->touched += from->touched;
    to->problems += from->problems;
    to->iterations += from->iterations;
    to->front = from->front > to->front ? from->front : to->front;
    to->closing = fmax(to->closing, from->closing);
    to->residual = fmax(to->residual, from->residual);
}

/* w⁺ = c w₁ + (1 − c) w₀: rates are linear in w, so both being ≥ 0 makes the mixture so; and energy is convex. */
static ts_status mix(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    size_t numbers = n->block_count * (size_t)n->dof;
    double c = impact->options->restitution;
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    TS_TRY(ts_array_reserve(&work->lambda_other, n->count, error));
    double *w = work->w_other.item, *lambda = work->lambda_other.item;
    memcpy(w, impact->w, numbers * sizeof *w);
    memset(lambda, 0, n->count * sizeof *lambda);
    if (c > 0)
        TS_TRY(by->apply(impact, error));
    if (c == 1)
        return TS_OK;
    ts_impact_options options = *impact->options;
    ts_impact_report report = {0};
    options.restitution = 0;
    options.model = TS_RESTITUTION_NEWTONIAN;
    TS_TRY(ts_impact_lcp.apply(&(ts_impact){n, &options, work, w, lambda, &report}, error));
    if (c == 0)
        *impact->report = report;
    else
        add_report(impact->report, &report);
    for (size_t i = 0; i < numbers; i++)
        impact->w[i] = c * impact->w[i] + (1 - c) * w[i];
    for (size_t k = 0; k < n->count; k++)
        impact->lambda[k] = c * impact->lambda[k] + (1 - c) * lambda[k];
    return TS_OK;
}

ts_status ts_impact_resolve(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_instant *n = impact->instant;
    *impact->report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, n->count * sizeof *impact->lambda);
    TS_TRY(check(n, impact->w, error));
    if (impact->options->model == TS_RESTITUTION_ENERGETIC)
        return mix(impact, by, error);
    return by->apply(impact, error);
}

/* ---- Friction ---- */

ts_status ts_impact_rub(const ts_impact *impact, const double *bound, ts_error *error)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    ts_qp qp;
    ts_qp_report found;
    double most = 0;
    *report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    TS_TRY(ts_impact_prepare(work, n, false, error));
    TS_TRY(ts_impact_program(work, n, NULL, n->count, &qp, error));
    TS_TRY(ts_array_reserve(&work->low, n->count, error));
    TS_TRY(ts_array_reserve(&work->high, n->count, error));
    for (size_t k = 0; k < n->count; k++) {
        double size = work->size.item[k];
        work->linear.item[k] = ts_instant_rate(n, k, impact->w) / size;
        work->high.item[k] = bound[k] * size;
        work->low.item[k] = -work->high.item[k];
        most = fmax(most, fabs(work->linear.item[k]));
    }
    qp.low = work->low.item;
    qp.high = work->high.item;
    ts_qp_options how = {
        .tolerance = friction_tolerance * most, .least = impact->options->least, .pool = impact->options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    for (size_t k = 0; k < n->count; k++) {
        impact->lambda[k] = work->y.item[k] / work->size.item[k];
        ts_instant_push(n, k, impact->lambda[k], impact->w);
    }
    report->finished = found.reached;
    report->passes = 1;
    report->problems = 1;
    report->iterations = found.iterations;
    report->touched = report->front = n->count;
    report->residual = most > 0 ? found.residual / most : 0;
    return TS_OK;
}
