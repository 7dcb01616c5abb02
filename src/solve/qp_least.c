/* SPDX-License-Identifier: MIT */
/* The solution of least norm.
 *
 * All solutions have the same Gy and so the same slacks s: rows with s ≠ 0 stay at their bound in all of them, the
 * others, E, may share their load in many ways. Least norm over those is
 *
 *     min ½|y|²   with   G_E y = c,  low ≤ y ≤ high          ⟺          y = clip(G_Eᵀ z),   G_E clip(G_Eᵀ z) = c
 *
 * an equation in z, as many numbers as the bodies have, piecewise linear and monotone: the gradient of a convex
 * function of z. Newton's method with the matrix εI + Σ gᵢgᵢᵀ over the rows inside their bounds, and a step that makes
 * the function smaller, ends after a few steps. The norm is that of √Aᵢᵢ yᵢ, so that it does not depend on units, and
 * rows of different bodies compare. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"

#define ROUNDS 60
/* ε, of a diagonal of 1 */
#define EPSILON  1e-9
#define HALVINGS 30

typedef struct least {
    ts_qp_island *q;
    ts_sparse *sparse;
    double *y, *s, *weight, *line; /* rows */
    bool *in;                      /* rows of E */
    double *c, *z, *r, *d, *trial; /* blocks' numbers */
    size_t numbers;
} least;

/* y ← clip(Gᵀz) in E; the rest stays. r ← c − Gy. Returns the function whose gradient −r is. */
static double evaluate(least *t, const double *z)
{
    ts_qp_island *q = t->q;
    double value = 0, compensation = 0;
    ts_qp_slack(q, z, true, t->line);
    for (size_t i = 0; i < q->count; i++)
        if (t->in[i]) {
            double x = t->line[i], y = ts_qp_clip(x, q->low[i], q->high[i]);
            t->y[i] = y;
            value += y * (x - 0.5 * y);
        }
    ts_qp_velocity(q, t->y, t->r);
    for (size_t k = 0; k < t->numbers; k++) {
        compensation += t->c[k] * z[k];
        t->r[k] = t->c[k] - t->r[k];
    }
    /* rows outside E take no part in the function, and their part of c is constant */
    for (size_t i = 0; i < q->count; i++)
        if (!t->in[i])
            compensation -= t->y[i] * t->line[i];
    return value - compensation;
}

static double size_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

static ts_status descend(least *t, ts_qp_outcome *outcome, ts_error *error)
{
    ts_qp_island *q = t->q;
    double value = evaluate(t, t->z), size = size_of(t->r, t->numbers), best = size;
    double enough = 1e-3 * q->tolerance;
    for (int round = 0; round < ROUNDS && size > enough; round++) {
        for (size_t i = 0; i < q->count; i++)
            t->weight[i] = t->in[i] && t->line[i] > q->low[i] && t->line[i] < q->high[i];
        TS_TRY(ts_sparse_factor(t->sparse, EPSILON, t->weight, NULL, error));
        outcome->factorisations++;
        memcpy(t->d, t->r, t->numbers * sizeof *t->d);
        ts_sparse_solve(t->sparse, t->d);
        double slope = 0, step = 1;
        for (size_t k = 0; k < t->numbers; k++)
            slope -= t->r[k] * t->d[k];
        double now = HUGE_VAL;
        for (int h = 0; h < HALVINGS; h++) {
            for (size_t k = 0; k < t->numbers; k++)
                t->trial[k] = t->z[k] + step * t->d[k];
            now = evaluate(t, t->trial);
            size = size_of(t->r, t->numbers);
            if (now <= value + 1e-4 * step * slope || size < 0.5 * best)
                break;
            step *= 0.5;
        }
        value = now;
        memcpy(t->z, t->trial, t->numbers * sizeof *t->z);
        if (size > 0.9 * best && round > ROUNDS / 2)
            break;
        best = fmin(best, size);
    }
    return TS_OK;
}

static ts_status solve(least *t, ts_qp_outcome *outcome, ts_error *error)
{
    ts_qp_island *q = t->q;
    ts_qp_velocity(q, q->y, t->c);
    ts_qp_slack(q, t->c, false, t->s);
    double before = ts_qp_natural(q, q->y, t->s), zero = fmax(before, 0.5 * q->tolerance);
    for (size_t i = 0; i < q->count; i++) {
        t->in[i] = q->measure[i] * fabs(t->s[i]) <= zero || (q->y[i] > q->low[i] && q->y[i] < q->high[i]);
        t->y[i] = q->y[i];
    }
    memset(t->z, 0, t->numbers * sizeof *t->z);
    TS_TRY(descend(t, outcome, error));
    evaluate(t, t->z);
    ts_qp_velocity(q, t->y, t->r);
    ts_qp_slack(q, t->r, false, t->s);
    double after = ts_qp_natural(q, t->y, t->s);
    outcome->residual = before;
    if (after <= fmax(before, q->tolerance)) {
        memcpy(q->y, t->y, q->count * sizeof *q->y);
        outcome->residual = after;
    }
    return TS_OK;
}

ts_status ts_qp_least(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error)
{
    size_t n = island->count, m = island->block_count * (size_t)island->dof;
    TS_TRY(ts_qp_analyse(island, error));
    TS_AUTO_FREE double *room = NULL;
    TS_TRY(ts_new_raw(&room, 5 * n + 5 * m, error));
    least t = {.q = island, .sparse = island->sparse, .numbers = m};
    double **row[] = {&t.y, &t.s, &t.weight, &t.line}, **block[] = {&t.c, &t.z, &t.r, &t.d, &t.trial};
    for (size_t k = 0; k < 4; k++)
        *row[k] = room + k * n;
    for (size_t k = 0; k < 5; k++)
        *block[k] = room + 4 * n + k * m;
    t.in = (bool *)(room + 4 * n + 5 * m);
    return solve(&t, outcome, error);
}
