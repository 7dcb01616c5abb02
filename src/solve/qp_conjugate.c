/* SPDX-License-Identifier: MIT */
/* Conjugate gradients among the rows that are free, projected where they meet a bound: MPRGP (Dostál and Schöberl
 * 2005).
 *
 *     free gradient φ: that of rows between their bounds      chopped gradient β: of rows at one that want to leave it
 *
 *     |β|² ≤ φ·φ̃   a step of conjugate gradients; one that would leave the bounds ends there, and a projected gradient step follows
 *     else         a step along −β, which lets rows go
 *
 * φ̃ is as much of φ as a gradient step may follow. Nothing but passes over the rows is needed, some tens to hundreds
 * for a few digits: that is where it is quicker than an interior point, above all in space, where factors fill up. The
 * last digits of barely rigid networks take it thousands, which is why it is not asked for them. It begins with the
 * guess and stays in the range of G, so that symmetric problems keep symmetric answers. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "solve/qp_parts.h"

#define ITERATIONS 3000
/* Steps of the power method for the largest eigenvalue, what it may still lack, and the length of a gradient step over
 * its inverse (below 2). */
#define POWER_STEPS  5
#define POWER_MARGIN 1.15
#define STEP         1.7
#define CHUNK        4096
/* What chunks of a pass tell. */
#define PARTS 4

typedef struct conjugate {
    ts_qp_island *q;
    double *y, *s;        /* where we stand, and its gradient Ay + b (count) */
    double *p, *ap;       /* direction, and A times it (count) */
    double *w;            /* blocks' numbers */
    double gradient_step; /* of a projected gradient */
    double length, turn;  /* of the pass under way: how far along p, and how much of p stays */
    bool along_bounds;    /* … the direction is the chopped gradient */
    double *part;         /* (PARTS · chunks) */
    int chunks;
} conjugate;

typedef void pass(conjugate *t, size_t begin, size_t end, double *part);

typedef struct passing {
    conjugate *t;
    pass *run;
} passing;

static void run_chunk(void *context, int task, int thread)
{
    (void)thread;
    passing *p = context;
    size_t begin = (size_t)task * CHUNK, end = begin + CHUNK < p->t->q->count ? begin + CHUNK : p->t->q->count;
    p->run(p->t, begin, end, p->t->part + PARTS * task);
}

static void over_rows(conjugate *t, pass *run)
{
    ts_pool_run(t->q->pool, t->chunks, run_chunk, &(passing){t, run});
}

static double sum_of(const conjugate *t, int which)
{
    double sum = 0;
    for (int k = 0; k < t->chunks; k++)
        sum += t->part[PARTS * k + which];
    return sum;
}

/* ---- Parts of the gradient ---- */

static inline double free_part(const ts_qp_island *q, size_t i, double y, double s)
{
    return y > q->low[i] && y < q->high[i] ? s : 0;
}

static inline double chopped_part(const ts_qp_island *q, size_t i, double y, double s)
{
    if (y <= q->low[i])
        return fmin(s, 0);
    return y >= q->high[i] ? fmax(s, 0) : 0;
}

/* ---- Passes ---- */

/* Residual, |β|², φ·φ̃. */
static void pass_look(conjugate *t, size_t begin, size_t end, double *part)
{
    const ts_qp_island *q = t->q;
    double residual = 0, chopped = 0, reduced = 0;
    for (size_t i = begin; i < end; i++) {
        double y = t->y[i], s = t->s[i], r = q->measure[i] * fabs(ts_qp_natural_of(y, s, q->low[i], q->high[i]));
        double free = free_part(q, i, y, s), beta = chopped_part(q, i, y, s);
        residual = r > residual || isnan(r) ? r : residual;
        chopped += beta * beta;
        reduced += free * ts_qp_natural_of(y, t->gradient_step * free, q->low[i], q->high[i]) / t->gradient_step;
    }
    part[0] = residual;
    part[1] = chopped;
    part[2] = reduced;
}

/* p·Ap, s·p, and how far p may be followed downhill: y − length · p. */
static void pass_measure(conjugate *t, size_t begin, size_t end, double *part)
{
    const ts_qp_island *q = t->q;
    double curvature = 0, slope = 0, reach = HUGE_VAL;
    for (size_t i = begin; i < end; i++) {
        double p = t->p[i];
        curvature += p * t->ap[i];
        slope += p * t->s[i];
        if (p > 0)
            reach = fmin(reach, (t->y[i] - q->low[i]) / p);
        else if (p < 0)
            reach = fmin(reach, (t->y[i] - q->high[i]) / p);
    }
    part[0] = curvature;
    part[1] = slope;
    part[2] = reach;
}

/* Goes there, and tells φ·Ap. */
static void pass_go(conjugate *t, size_t begin, size_t end, double *part)
{
    const ts_qp_island *q = t->q;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        t->y[i] = ts_qp_clip(t->y[i] - t->length * t->p[i], q->low[i], q->high[i]);
        t->s[i] -= t->length * t->ap[i];
        sum += free_part(q, i, t->y[i], t->s[i]) * t->ap[i];
    }
    part[0] = sum;
}

static void pass_direct(conjugate *t, size_t begin, size_t end, double *part)
{
    (void)part;
    for (size_t i = begin; i < end; i++)
        t->p[i] = t->along_bounds ? chopped_part(t->q, i, t->y[i], t->s[i])
                                  : free_part(t->q, i, t->y[i], t->s[i]) - t->turn * t->p[i];
}

/* A gradient step of the free rows, projected. */
static void pass_project(conjugate *t, size_t begin, size_t end, double *part)
{
    (void)part;
    const ts_qp_island *q = t->q;
    for (size_t i = begin; i < end; i++)
        t->y[i] = ts_qp_clip(t->y[i] - t->gradient_step * free_part(q, i, t->y[i], t->s[i]), q->low[i], q->high[i]);
}

/* ---- Steps ---- */

static void find_slack(conjugate *t)
{
    ts_qp_velocity(t->q, t->y, t->w);
    ts_qp_slack(t->q, t->w, false, t->s);
}

static void direct(conjugate *t, bool along_bounds, double turn)
{
    t->along_bounds = along_bounds;
    t->turn = turn;
    over_rows(t, pass_direct);
}

static double largest_eigenvalue(conjugate *t)
{
    ts_qp_island *q = t->q;
    double value = 1;
    for (size_t i = 0; i < q->count; i++)
        t->p[i] = 1 + ts_random_uniform(0, 0, i);
    for (int k = 0; k < POWER_STEPS; k++) {
        double norm = sqrt(ts_qp_dot(q, t->p, t->p));
        if (!(norm > 0))
            break;
        for (size_t i = 0; i < q->count; i++)
            t->p[i] /= norm;
        ts_qp_velocity(q, t->p, t->w);
        ts_qp_slack(q, t->w, true, t->ap);
        value = sqrt(ts_qp_dot(q, t->ap, t->ap));
        memcpy(t->p, t->ap, q->count * sizeof *t->p);
    }
    return POWER_MARGIN * fmax(value, 1);
}

/* Along p, at most to the first bound. */
static void step(conjugate *t)
{
    ts_qp_velocity(t->q, t->p, t->w);
    ts_qp_slack(t->q, t->w, true, t->ap);
    over_rows(t, pass_measure);
    double curvature = sum_of(t, 0), slope = sum_of(t, 1), reach = HUGE_VAL;
    for (int k = 0; k < t->chunks; k++)
        reach = fmin(reach, t->part[PARTS * k + 2]);
    double best = curvature > 0 ? slope / curvature : reach;
    t->length = fmin(best, reach);
    if (!isfinite(t->length))
        t->length = 0;
    over_rows(t, pass_go);
    double turn = curvature > 0 ? sum_of(t, 0) / curvature : 0;
    if (!t->along_bounds && best > reach) { /* a bound is met: on with a gradient step, which may meet many */
        over_rows(t, pass_project);
        find_slack(t);
    }
    direct(t, false, t->along_bounds || best > reach ? 0 : turn);
}

/* Returns the residual of where we stand. */
static double look(conjugate *t, bool *proportional)
{
    over_rows(t, pass_look);
    double residual = 0;
    for (int k = 0; k < t->chunks; k++)
        residual = t->part[PARTS * k] > residual || isnan(t->part[PARTS * k]) ? t->part[PARTS * k] : residual;
    *proportional = sum_of(t, 1) <= sum_of(t, 2);
    return residual;
}

static void iterate(conjugate *t, ts_qp_outcome *outcome)
{
    ts_qp_island *q = t->q;
    const int most = q->iterations_max > 0 ? q->iterations_max : ITERATIONS;
    t->gradient_step = STEP / largest_eigenvalue(t);
    memcpy(t->y, q->y, q->count * sizeof *t->y);
    memset(t->p, 0, q->count * sizeof *t->p);
    find_slack(t);
    direct(t, false, 0);
    bool fresh = true, proportional;
    outcome->residual = HUGE_VAL;
    for (int k = 0;; k++) {
        double residual = look(t, &proportional);
        if (!(residual > q->tolerance) || k >= most) {
            if (!fresh) { /* what was carried along may have drifted */
                find_slack(t);
                residual = look(t, &proportional);
                direct(t, false, 0);
            }
            if (!(residual > q->tolerance) || k >= most) {
                outcome->residual = residual;
                break;
            }
        }
        if (!proportional)
            direct(t, true, 0);
        step(t);
        fresh = false;
        outcome->iterations++;
    }
    memcpy(q->y, t->y, q->count * sizeof *q->y);
}

ts_status ts_qp_conjugate(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error)
{
    const size_t n = island->count, m = island->block_count * (size_t)island->dof, chunks = (n + CHUNK - 1) / CHUNK;
    double *room;
    TS_TRY(ts_new_raw(&room, 4 * n + m + PARTS * chunks, error));
    conjugate t = {.q = island, .y = room, .s = room + n, .p = room + 2 * n, .ap = room + 3 * n, .chunks = (int)chunks};
    t.w = room + 4 * n;
    t.part = t.w + m;
    iterate(&t, outcome);
    outcome->middle = true;
    ts_free(room);
    return TS_OK;
}
