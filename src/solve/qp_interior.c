/* SPDX-License-Identifier: MIT */
/* A primal–dual interior point in velocity space, after Mehrotra and Gondzio.
 *
 *     Ay + b − λ + μ = 0      λ (y − low) = τ      μ (high − y) = τ      all four positive, τ → 0
 *
 * Newton's step in y needs (A + D⁻¹)⁻¹ with D⁻¹ = λ/(y − low) + μ/(high − y). A row a contact would make that matrix
 * large and A makes it singular; with velocities instead of impulses it is as small as the bodies are few, and positive
 * definite always:
 *
 *     (A + D⁻¹)⁻¹ r = D (r − Gᵀ (I + G D Gᵀ)⁻¹ G D r)
 *
 * Its pattern is the graph of the bodies, analysed once. Redundant contacts need no special care: impulses go to the
 * middle of what is possible. One factorisation serves several directions: the first shows how far a straight step
 * goes, the second aims at products that this makes likely, and a few more pull products that lag behind or run ahead
 * towards the others, as long as that makes steps longer.
 *
 * Passes over the rows are dealt out to threads in chunks; sums and minima of chunks are put together in order. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"

#define ITERATIONS 80
/* How much of the way to the nearest bound a step may go. */
#define FRACTION 0.999
/* Gondzio's corrections: at most so many, each reaching for a step longer by REACH; products outside BAND of τ are
 * pulled; a correction stays when it gains GAIN of what it reached for. */
#define CORRECTIONS 2
#define REACH       0.3
#define BAND        10.0
#define GAIN        0.1
/* Stands for a bound that is infinite: its multiplier comes out as nothing. */
#define FAR 1e100
/* The start: (A + I/START) y = −b shows the size of impulses, and START_MULTIPLIER is a slack that no row is at first
 * below. */
#define START            1e3
#define START_MULTIPLIER 0.1
/* A warm start keeps this times the guess's residual away from bounds, and never less than the other. */
#define WARM       3.0
#define WARM_LEAST 1e-5
#define CHUNK      4096

/* A direction. */
typedef struct way {
    double *y, *lambda, *mu; /* changes (count) */
    double reach;            /* how far it may go, at most 1 */
} way;

typedef struct interior {
    ts_qp_island *q;
    bool two_sided;          /* some upper bound is finite */
    double *y, *lambda, *mu; /* where we stand (count) */
    double *low, *high;      /* bounds, FAR where infinite (count) */
    double *s;               /* Ay + b (count) */
    double *d;               /* D (count) */
    double *aim, *aim_high;  /* products that a direction aims at, less its curvature (count) */
    double *r;               /* right side (count) */
    double *load;            /* D r (count) */
    double *w;               /* blocks' numbers */
    way now, next;           /* the direction so far, and one that may replace it */
    double tau;              /* mean product */
    double *part;            /* what chunks tell (2 · chunks) */
    int chunks;
    /* of the pass under way */
    double target, step;
    way *made;
} interior;

typedef void pass(interior *t, size_t begin, size_t end, double *part);

typedef struct passing {
    interior *t;
    pass *run;
} passing;

static void run_chunk(void *context, int task, int thread)
{
    (void)thread;
    passing *p = context;
    size_t begin = (size_t)task * CHUNK, end = begin + CHUNK < p->t->q->count ? begin + CHUNK : p->t->q->count;
    p->run(p->t, begin, end, p->t->part + 2 * task);
}

static void over_rows(interior *t, pass *run)
{
    ts_pool_run(t->q->pool, t->chunks, run_chunk, &(passing){t, run});
}

static double sum_of_parts(const interior *t)
{
    double sum = 0;
    for (int k = 0; k < t->chunks; k++)
        sum += t->part[2 * k];
    return sum;
}

static double least_of_parts(const interior *t)
{
    double least = 1 / FRACTION;
    for (int k = 0; k < t->chunks; k++)
        least = fmin(least, t->part[2 * k]);
    return least;
}

/* ---- Passes ---- */

/* D, and the right side of the straight step. */
static void pass_weigh(interior *t, size_t begin, size_t end, double *part)
{
    (void)part;
    for (size_t i = begin; i < end; i++) {
        double inverse = 1e-14 + t->lambda[i] / (t->y[i] - t->low[i]);
        if (t->two_sided)
            inverse += t->mu[i] / (t->high[i] - t->y[i]);
        t->d[i] = 1 / inverse;
        t->aim[i] = 0;
        t->r[i] = -t->s[i];
        t->load[i] = t->d[i] * t->r[i];
        if (t->two_sided)
            t->aim_high[i] = 0;
    }
}

static inline __attribute__((always_inline)) double limit(double most, double value, double change)
{
    return value < -most * change ? -value / change : most;
}

/* The direction, once w = G Δy is known: Δy, Δλ, Δμ, and how far they may go. */
static void pass_direction(interior *t, size_t begin, size_t end, double *part)
{
    const double *gw = t->load; /* Gᵀ w, put there by the caller */
    double *dy = t->made->y, *dl = t->made->lambda, *dm = t->made->mu, reach = 1 / FRACTION;
    for (size_t i = begin; i < end; i++) {
        double step = t->d[i] * (t->r[i] - gw[i]), gap = t->y[i] - t->low[i];
        double change = (t->aim[i] - t->lambda[i] * step) / gap - t->lambda[i];
        dy[i] = step;
        dl[i] = change;
        reach = limit(reach, gap, step);
        reach = limit(reach, t->lambda[i], change);
        if (t->two_sided) {
            gap = t->high[i] - t->y[i];
            change = (t->aim_high[i] + t->mu[i] * step) / gap - t->mu[i];
            dm[i] = change;
            reach = limit(reach, gap, -step);
            reach = limit(reach, t->mu[i], change);
        }
    }
    part[0] = reach;
}

/* Sum of products after t->step of the direction t->made. */
static void pass_products(interior *t, size_t begin, size_t end, double *part)
{
    const way *m = t->made;
    double sum = 0, a = t->step;
    for (size_t i = begin; i < end; i++)
        sum += (t->y[i] + a * m->y[i] - t->low[i]) * (t->lambda[i] + a * m->lambda[i]);
    for (size_t i = begin; t->two_sided && i < end; i++)
        sum += (t->high[i] - t->y[i] - a * m->y[i]) * (t->mu[i] + a * m->mu[i]);
    part[0] = sum;
}

static inline __attribute__((always_inline)) void aim_at(interior *t, size_t i)
{
    double r = t->aim[i] / (t->y[i] - t->low[i]) - t->s[i];
    if (t->two_sided)
        r -= t->aim_high[i] / (t->high[i] - t->y[i]);
    t->r[i] = r;
    t->load[i] = t->d[i] * r;
}

/* Aims at products of t->target, less the curvature of the straight step. */
static void pass_aim(interior *t, size_t begin, size_t end, double *part)
{
    (void)part;
    const way *m = t->made;
    for (size_t i = begin; i < end; i++) {
        t->aim[i] = t->target - m->y[i] * m->lambda[i];
        if (t->two_sided)
            t->aim_high[i] = t->target + m->y[i] * m->mu[i];
        aim_at(t, i);
    }
}

static inline __attribute__((always_inline)) double pull(double product, double target)
{
    double low = target / BAND, high = target * BAND,
           change = product < low    ? low - product
                    : product > high ? high - product
                                     : 0;
    return change > -high ? change : -high;
}

/* Adds to the aims what pulls products that stray, at a step of t->step, back into the band. */
static void pass_pull(interior *t, size_t begin, size_t end, double *part)
{
    (void)part;
    const way *m = t->made;
    double a = t->step;
    for (size_t i = begin; i < end; i++) {
        t->aim[i] += pull((t->y[i] + a * m->y[i] - t->low[i]) * (t->lambda[i] + a * m->lambda[i]), t->target);
        if (t->two_sided)
            t->aim_high[i] += pull((t->high[i] - t->y[i] - a * m->y[i]) * (t->mu[i] + a * m->mu[i]), t->target);
        aim_at(t, i);
    }
}

static void pass_go(interior *t, size_t begin, size_t end, double *part)
{
    (void)part;
    const way *m = t->made;
    double a = t->step;
    for (size_t i = begin; i < end; i++) {
        t->y[i] += a * m->y[i];
        t->lambda[i] += a * m->lambda[i];
        if (t->two_sided)
            t->mu[i] += a * m->mu[i];
    }
}

/* ---- Steps ---- */

static void find_slack(interior *t)
{
    ts_qp_velocity(t->q, t->y, t->w);
    ts_qp_slack(t->q, t->w, false, t->s);
}

static double mean_product(interior *t, way *direction, double step)
{
    t->made = direction;
    t->step = step;
    over_rows(t, pass_products);
    return sum_of_parts(t) / (double)(t->q->count * (t->two_sided ? 2 : 1));
}

/* The direction for the right side that stands in r and load. */
static void find_direction(interior *t, way *made)
{
    ts_qp_velocity(t->q, t->load, t->w);
    ts_sparse_solve(t->q->sparse, t->w);
    ts_qp_slack(t->q, t->w, true, t->load);
    t->made = made;
    over_rows(t, pass_direction);
    made->reach = FRACTION * least_of_parts(t);
}

static ts_status factor(interior *t, ts_qp_outcome *outcome, ts_error *error)
{
    outcome->factorisations++;
    return ts_sparse_factor(t->q->sparse, 1, t->d, NULL, error);
}

static ts_status advance(interior *t, ts_qp_outcome *outcome, ts_error *error)
{
    outcome->iterations++;
    over_rows(t, pass_weigh);
    TS_TRY(factor(t, outcome, error));
    /* straight for the solution, to see how far that would go */
    find_direction(t, &t->now);
    double ratio = mean_product(t, &t->now, t->now.reach) / t->tau;
    t->target = ratio * ratio * ratio * t->tau;
    t->made = &t->now;
    over_rows(t, pass_aim);
    find_direction(t, &t->now);
    /* corrections, as long as they pay */
    for (int k = 0; k < CORRECTIONS && t->now.reach < 0.9; k++) {
        t->step = fmin(1, t->now.reach + REACH);
        t->made = &t->now;
        over_rows(t, pass_pull);
        find_direction(t, &t->next);
        if (t->next.reach < t->now.reach + GAIN * REACH)
            break;
        way swap = t->now;
        t->now = t->next;
        t->next = swap;
    }
    t->made = &t->now;
    t->step = fmin(1, t->now.reach);
    over_rows(t, pass_go);
    find_slack(t);
    t->tau = mean_product(t, &t->now, 0);
    return TS_OK;
}

/* Near a guess: its impulses and slacks, none nearer to its bound than the guess is wrong. */
static void begin_warm(interior *t)
{
    ts_qp_island *q = t->q;
    memcpy(t->y, q->y, q->count * sizeof *t->y);
    find_slack(t);
    double away = ts_qp_clip(WARM * ts_qp_natural(q, t->y, t->s), WARM_LEAST, 1);
    for (size_t i = 0; i < q->count; i++) {
        double margin = fmin(away, 0.25 * (t->high[i] - t->low[i]));
        t->y[i] = ts_qp_clip(t->y[i], t->low[i] + margin, t->high[i] - margin);
        t->lambda[i] = q->low[i] > -HUGE_VAL ? fmax(t->s[i], away) : away / FAR;
        t->mu[i] = q->high[i] < HUGE_VAL ? fmax(-t->s[i], away) : away / FAR;
        t->now.y[i] = t->now.lambda[i] = t->now.mu[i] = 0;
    }
    find_slack(t);
    t->tau = mean_product(t, &t->now, 0);
}

/* A point well inside, from the solution of (A + I/START) y = −b. */
static ts_status begin(interior *t, ts_qp_outcome *outcome, ts_error *error)
{
    ts_qp_island *q = t->q;
    for (size_t i = 0; i < q->count; i++) {
        t->low[i] = fmax(q->low[i], -FAR);
        t->high[i] = fmin(q->high[i], FAR);
        t->two_sided = t->two_sided || q->high[i] < HUGE_VAL;
        t->y[i] = t->lambda[i] = t->mu[i] = t->aim[i] = t->aim_high[i] = 0;
        t->d[i] = START;
        t->r[i] = -q->linear[i];
        t->load[i] = t->d[i] * t->r[i];
    }
    if (q->warm) {
        begin_warm(t);
        return TS_OK;
    }
    TS_TRY(factor(t, outcome, error));
    find_direction(t, &t->now);
    double sum = 0;
    for (size_t i = 0; i < q->count; i++)
        sum += fabs(t->now.y[i]);
    double inside = sum / (double)q->count + 1e-3;
    for (size_t i = 0; i < q->count; i++) {
        double margin = fmin(inside, 0.25 * (t->high[i] - t->low[i]));
        t->y[i] = ts_qp_clip(t->now.y[i], t->low[i] + margin, t->high[i] - margin);
    }
    find_slack(t);
    for (size_t i = 0; i < q->count; i++) {
        t->lambda[i] = q->low[i] > -HUGE_VAL ? fmax(t->s[i], 0) + START_MULTIPLIER : inside / FAR;
        t->mu[i] = q->high[i] < HUGE_VAL ? fmax(-t->s[i], 0) + START_MULTIPLIER : inside / FAR;
        t->now.lambda[i] = t->now.mu[i] = 0;
    }
    t->tau = mean_product(t, &t->now, 0);
    return TS_OK;
}

/* Puts into island->y the point, with rows at a bound put there; tells its residual. */
static double take(interior *t, double *y)
{
    ts_qp_island *q = t->q;
    for (size_t i = 0; i < q->count; i++) {
        double next = t->y[i] - t->lambda[i] + (t->two_sided ? t->mu[i] : 0);
        y[i] = next <= q->low[i] ? q->low[i] : next >= q->high[i] ? q->high[i] : t->y[i];
    }
    ts_qp_velocity(q, y, t->w);
    ts_qp_slack(q, t->w, false, t->load);
    return ts_qp_natural(q, y, t->load);
}

static ts_status follow(interior *t, ts_qp_outcome *outcome, ts_error *error)
{
    ts_qp_island *q = t->q;
    int most = q->iterations_max > 0 ? q->iterations_max : ITERATIONS, stale = 0;
    TS_TRY(begin(t, outcome, error));
    double best = HUGE_VAL;
    for (int k = 0; k < most && stale < 3; k++) {
        TS_TRY(advance(t, outcome, error));
        if (!isfinite(t->tau))
            break;
        /* a residual is about the root of the products; near the end it is worth a look */
        if (t->tau > 1e4 * q->tolerance * q->tolerance && t->tau > 1e-14 && k + 1 < most)
            continue;
        double residual = take(t, t->r);
        stale = residual < 0.5 * best ? 0 : stale + 1;
        if (residual < best) {
            best = residual;
            memcpy(q->y, t->r, q->count * sizeof *q->y);
        }
        if (best <= q->tolerance)
            break;
    }
    outcome->residual = best;
    return best <= q->tolerance ? TS_OK : ts_qp_polish(q, 6, outcome, error);
}

/* The guess may have the right rows at their bounds, or nearly: then a factorisation or two are all that is needed. */
static ts_status try_guess(ts_qp_island *q, ts_qp_outcome *outcome, ts_error *error)
{
    double before;
    int rounds = 0;
    do {
        before = outcome->residual;
        TS_TRY(ts_qp_polish(q, 1, outcome, error));
    } while (outcome->residual > q->tolerance && outcome->residual < 0.1 * before && ++rounds < 4);
    return TS_OK;
}

ts_status ts_qp_interior(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error)
{
    size_t n = island->count, m = island->block_count * (size_t)island->dof, chunks = (n + CHUNK - 1) / CHUNK;
    TS_TRY(ts_qp_analyse(island, error));
    outcome->middle =
        true; /* of what is possible, or like the guess; polishing adds nothing along which Gy stays the same */
    if (island->warm) {
        TS_TRY(try_guess(island, outcome, error));
        if (outcome->residual <= island->tolerance)
            return TS_OK;
    }
    interior t = {.q = island, .chunks = (int)chunks};
    double **row[] = {&t.y,          &t.lambda, &t.mu,       &t.low,         &t.high,   &t.s,
                      &t.d,          &t.aim,    &t.aim_high, &t.r,           &t.load,   &t.now.y,
                      &t.now.lambda, &t.now.mu, &t.next.y,   &t.next.lambda, &t.next.mu};
    size_t rows = sizeof row / sizeof row[0];
    double *room;
    TS_TRY(ts_new_raw(&room, rows * n + m + 2 * chunks, error));
    for (size_t k = 0; k < rows; k++)
        *row[k] = room + k * n;
    t.w = room + rows * n;
    t.part = t.w + m;
    ts_status status = follow(&t, outcome, error);
    if (status == TS_OK && island->warm && !(outcome->residual <= island->tolerance)) {
        /* a guess that is far off can leave products so uneven that no step is long: begin in the middle instead */
        island->warm = false;
        status = follow(&t, outcome, error);
    }
    ts_free(room);
    return status;
}
