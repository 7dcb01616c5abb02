/* SPDX-License-Identifier: MIT */
/* Accelerated projected gradients, restarted (Nesterov 1983; Beck and Teboulle 2009; O'Donoghue and Candès 2015).
 *
 *     y⁺ = clip(z − (Az + b)/L)       z⁺ = y⁺ + β (y⁺ − y)       back to z = y⁺ whenever the last move went uphill
 *
 * Needs two passes over the rows a step and nothing but them, so it serves where a factor would not fit, and near a
 * solution. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "solve/qp_parts.h"

#define ITERATIONS 20000
/* Steps of the power method for the largest eigenvalue, and what it may still lack. */
#define POWER_STEPS  12
#define POWER_MARGIN 1.1
#define CHUNK        4096

typedef struct projected {
    ts_qp_island *q;
    double *y, *z, *s;
    double *w;
    double l;        /* upper bound of the largest eigenvalue */
    double beta;     /* of the step under way */
    double *uphill;  /* of each chunk */
    double *largest; /* residual of each chunk */
} projected;

static double largest_eigenvalue(projected *t)
{
    ts_qp_island *q = t->q;
    double norm = 1, value = 1;
    for (size_t i = 0; i < q->count; i++)
        t->z[i] = 1 + ts_random_uniform(0, 0, i);
    for (int k = 0; k < POWER_STEPS; k++) {
        norm = sqrt(ts_qp_dot(q, t->z, t->z));
        if (!(norm > 0))
            break;
        for (size_t i = 0; i < q->count; i++)
            t->z[i] /= norm;
        ts_qp_velocity(q, t->z, t->w);
        ts_qp_slack(q, t->w, true, t->s);
        value = sqrt(ts_qp_dot(q, t->s, t->s));
        memcpy(t->z, t->s, q->count * sizeof *t->z);
    }
    return POWER_MARGIN * fmax(value, 1);
}

/* y ← clip(z − s/L), and what tells whether that went uphill. */
static void step_chunk(void *context, int task, int thread)
{
    (void)thread;
    projected *t = context;
    const ts_qp_island *q = t->q;
    size_t begin = (size_t)task * CHUNK, end = begin + CHUNK < q->count ? begin + CHUNK : q->count;
    double uphill = 0, largest = 0;
    for (size_t i = begin; i < end; i++) {
        double z = t->z[i], y = ts_qp_clip(z - t->s[i] / t->l, q->low[i], q->high[i]), change = y - t->y[i];
        uphill += (z - y) * change;
        largest = fmax(largest, q->measure[i] * fabs(z - y));
        t->z[i] = change;
        t->y[i] = y;
    }
    t->uphill[task] = uphill;
    t->largest[task] = largest;
}

static void extrapolate_chunk(void *context, int task, int thread)
{
    (void)thread;
    projected *t = context;
    size_t begin = (size_t)task * CHUNK, end = begin + CHUNK < t->q->count ? begin + CHUNK : t->q->count;
    for (size_t i = begin; i < end; i++)
        t->z[i] = t->y[i] + t->beta * t->z[i];
}

/* The true residual of t->y; keeps y when it is the best. */
static void judge(projected *t, ts_qp_outcome *outcome)
{
    ts_qp_velocity(t->q, t->y, t->w);
    ts_qp_slack(t->q, t->w, false, t->s);
    double residual = ts_qp_natural(t->q, t->y, t->s);
    if (residual < outcome->residual) {
        outcome->residual = residual;
        memcpy(t->q->y, t->y, t->q->count * sizeof *t->y);
    }
}

static void iterate(projected *t, ts_qp_outcome *outcome)
{
    ts_qp_island *q = t->q;
    int chunks = (int)((q->count + CHUNK - 1) / CHUNK), most = q->iterations_max > 0 ? q->iterations_max : ITERATIONS;
    t->l = largest_eigenvalue(t);
    memcpy(t->y, q->y, q->count * sizeof *t->y);
    memcpy(t->z, q->y, q->count * sizeof *t->z);
    outcome->residual = HUGE_VAL;
    judge(t, outcome);
    double theta = 1;
    for (int k = 0; k < most && outcome->residual > q->tolerance; k++) {
        outcome->iterations++;
        ts_qp_velocity(q, t->z, t->w);
        ts_qp_slack(q, t->w, false, t->s);
        ts_pool_run(q->pool, chunks, step_chunk, t);
        double uphill = 0, largest = 0;
        for (int c = 0; c < chunks; c++) {
            uphill += t->uphill[c];
            largest = fmax(largest, t->largest[c]);
        }
        double next = 0.5 * (1 + sqrt(1 + 4 * theta * theta));
        t->beta = uphill > 0 ? 0 : (theta - 1) / next;
        theta = uphill > 0 ? 1 : next;
        ts_pool_run(q->pool, chunks, extrapolate_chunk, t);
        if (largest <= q->tolerance || k == most - 1)
            judge(t, outcome);
    }
}

ts_status ts_qp_projected(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error)
{
    size_t n = island->count, m = island->block_count * (size_t)island->dof, chunks = n / CHUNK + 1;
    double *room;
    TS_TRY(ts_new_raw(&room, 3 * n + m + 2 * chunks, error));
    projected t = {.q = island, .y = room, .z = room + n, .s = room + 2 * n, .w = room + 3 * n};
    t.uphill = t.w + m;
    t.largest = t.uphill + chunks;
    iterate(&t, outcome);
    ts_free(room);
    return TS_OK;
}
