/* SPDX-License-Identifier: MIT */
/* The last digits: a primal–dual active set, which is Newton's method on the natural residual.
 *
 *     guess the rows at a bound ─▶ put them there ─▶ solve A_FF d = −s_F for the free rows F ─▶ look at signs ─▶ guess again
 *
 * A_FF is singular where contacts are redundant. With M = εI + G_F G_Fᵀ, which one sparse factorisation gives,
 *
 *     (A_FF + εI)⁻¹ r = (r − G_Fᵀ M⁻¹ G_F r) / ε
 *
 * leads conjugate gradients on A_FF itself to the answer in a few steps; what A_FF cannot reach it leaves alone. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"

/* ε, of a diagonal that is 1. Eigenvalues far above it are solved for at once; those of long piles go down to about
 * 1e-7. */
#define EPSILON 1e-8
/* Steps of conjugate gradients in a round. Two or three do it unless a pile is very long. */
#define STEPS_MAX 12
/* Rounds without a new best residual after which a guess is as good as it will get. */
#define PATIENCE 4

typedef struct polish {
    ts_qp_island *q;
    ts_sparse *sparse;
    double *y, *s, *best;            /* rows */
    double *weight, *r, *z, *p, *ap; /* rows */
    double *w, *u;                   /* blocks' numbers */
} polish;

static void slack_of(polish *t, const double *y, double *s)
{
    ts_qp_velocity(t->q, y, t->w);
    ts_qp_slack(t->q, t->w, false, s);
}

/* Rows at a bound go there; the others are free. Returns how many are. */
static size_t guess(polish *t)
{
    const ts_qp_island *q = t->q;
    size_t free_count = 0;
    for (size_t i = 0; i < q->count; i++) {
        double next = t->y[i] - t->s[i];
        bool inside = next > q->low[i] && next < q->high[i];
        t->weight[i] = inside;
        free_count += inside;
        if (!inside)
            t->y[i] = next <= q->low[i] ? q->low[i] : q->high[i];
    }
    return free_count;
}

/* z ← (A_FF + εI)⁻¹ r */
static void precondition(polish *t)
{
    size_t n = t->q->count;
    ts_qp_velocity(t->q, t->r, t->u);
    ts_sparse_solve(t->sparse, t->u);
    ts_qp_slack(t->q, t->u, true, t->z);
    for (size_t i = 0; i < n; i++)
        t->z[i] = t->weight[i] * (t->r[i] - t->z[i]) / EPSILON;
}

/* y_F ← y_F − A_FF⁺ s_F by preconditioned conjugate gradients. */
static void solve_free(polish *t)
{
    const ts_qp_island *q = t->q;
    size_t n = q->count;
    slack_of(t, t->y, t->s);
    for (size_t i = 0; i < n; i++)
        t->r[i] = -t->weight[i] * t->s[i];
    double before = 0, first = ts_qp_dot(q, t->r, t->r);
    for (int step = 0; step < STEPS_MAX && first > 0; step++) {
        precondition(t);
        double rz = ts_qp_dot(q, t->r, t->z);
        if (!(rz > 0))
            break;
        double beta = step ? rz / before : 0;
        before = rz;
        for (size_t i = 0; i < n; i++)
            t->p[i] = t->z[i] + (step ? beta * t->p[i] : 0);
        ts_qp_velocity(q, t->p, t->w);
        ts_qp_slack(q, t->w, true, t->ap);
        double curvature = ts_qp_dot(q, t->p, t->ap), alpha = ts_qp_dot(q, t->r, t->p) / curvature, most = 0;
        if (!(curvature > 0))
            break;
        for (size_t i = 0; i < n; i++) {
            t->y[i] += alpha * t->p[i];
            t->r[i] -= t->weight[i] * alpha * t->ap[i];
            most = fmax(most, q->measure[i] * fabs(t->r[i]));
        }
        /* the recurrence's r drifts from the true one by rounding only: far below the tolerance is far enough */
        if (most <= 1e-3 * q->tolerance)
            break;
    }
    slack_of(t, t->y, t->s);
}

static ts_status polish_rounds(polish *t, int rounds, ts_qp_outcome *outcome, ts_error *error)
{
    ts_qp_island *q = t->q;
    int stale = 0;
    slack_of(t, t->y, t->s);
    outcome->residual = ts_qp_natural(q, t->y, t->s);
    for (int round = 0; round < rounds && stale < PATIENCE && outcome->residual > q->tolerance; round++) {
        if (guess(t)) {
            TS_TRY(ts_sparse_factor(t->sparse, EPSILON, t->weight, NULL, error));
            outcome->factorisations++;
            solve_free(t);
        } else {
            slack_of(t, t->y, t->s);
        }
        outcome->iterations++;
        /* what counts is y within its bounds */
        for (size_t i = 0; i < q->count; i++)
            t->best[i] = ts_qp_clip(t->y[i], q->low[i], q->high[i]);
        slack_of(t, t->best, t->ap);
        double residual = ts_qp_natural(q, t->best, t->ap);
        if (residual < outcome->residual) {
            stale = residual < 0.5 * outcome->residual ? 0 : stale + 1;
            outcome->residual = residual;
            memcpy(q->y, t->best, q->count * sizeof *q->y);
        } else {
            stale++;
        }
    }
    return TS_OK;
}

ts_status ts_qp_polish(ts_qp_island *island, int rounds, ts_qp_outcome *outcome, ts_error *error)
{
    size_t n = island->count, m = island->block_count * (size_t)island->dof;
    TS_TRY(ts_qp_analyse(island, error));
    TS_AUTO_FREE double *room = NULL;
    TS_TRY(ts_new_raw(&room, 8 * n + 2 * m, error));
    polish t = {.q = island, .sparse = island->sparse};
    double **row[] = {&t.y, &t.s, &t.best, &t.weight, &t.r, &t.z, &t.p, &t.ap};
    for (size_t k = 0; k < 8; k++)
        *row[k] = room + k * n;
    t.w = room + 8 * n;
    t.u = t.w + m;
    memcpy(t.y, island->y, n * sizeof *t.y);
    return polish_rounds(&t, rounds, outcome, error);
}
