/* SPDX-License-Identifier: MIT */
/* Velocities at the time of the poses. A body at rest leaves a step with ½ g h upwards and comes back with as much
 * downwards (impact_solve.c): its mean velocity is 0, but where the step ends it has −½ g h, which the next step's
 * impulses will take. Contact forces act all the time, half of them before an instant that is between two steps: so half
 * of a step's impulse of contacts that press belongs to the velocity at its end,
 *
 *     v + s p + t q        p = ½ Σ λ_k M⁻¹ n_k        q = ½ Σ z_k M⁻¹ t_k        s = t = 1 for what rests, rolls or slides
 *
 * Where an impact came to its end in the step, half of the impulse would be far too much. So s and t, 0 ≤ t ≤ s ≤ 2, are
 * such that normal impulses do no work on the rates that are left, and nor does friction, unless t = s: then it slides.
 * Contacts that open, as after a bounce, do not press, nor do those that close faster than what rests: they have just come
 * to touch, and the next step's impact will stop them. A contact that springs part while others press it together rests
 * as well, and opens at the end by what springs do in half a step. This is only what is told of velocities; the next
 * step begins with those that there were. */
#include <math.h>

#include "dynamics/impact_memory.h"

/* Share of the rate of what rests: beyond it is more than rounding. */
static const double rounding = 1e-3;

/* Of an island, at the number of its root: p·p, p·q, q·q, and the work of half of the impulses on the rates at the end. */
enum { PP, PQ, QQ, PW, QW, SUMS };
/* In place of them: */
enum { S, T };

/* What to take of p and of q. */
static void shares_of(double sum[SUMS])
{
    const double a = sum[PP], b = sum[PQ], c = sum[QQ], e = sum[PW], f = sum[QW], det = a * c - b * b;
    double s = a > 0 ? -e / a : 0, t = 0;
    if (det > 1e-12 * a * c) {
        s = (b * f - c * e) / det;
        t = (b * e - a * f) / det;
        if (t > s) /* it slides: along p + q */
            s = t = a + b > 1e-6 * a ? -e / (a + b) : 0;
        else if (t < 0) {
            s = -e / a;
            t = 0;
        }
    } else if (c > 0)
        s = t = a + b > 1e-6 * a ? -e / (a + b) : 0;
    sum[S] = fmin(fmax(s, 0), 2);
    sum[T] = fmin(fmax(t, 0), sum[S]);
}

/* Half of the friction of contact k. */
static double rub(const ts_impact_scratch *m, const ts_rows *tangent, const ts_rows *across, size_t k,
                  const double *end, double *to)
{
    double work = 0.5 * m->rub.item[k] * ts_rows_rate(tangent, k, end);
    ts_rows_push(tangent, k, 0.5 * m->rub.item[k], to);
    if (ts_impact_has_across(m)) {
        work += 0.5 * m->rub_x.item[k] * ts_rows_rate(across, k, end);
        ts_rows_push(across, k, 0.5 * m->rub_x.item[k], to);
    }
    return work;
}

ts_status ts_impact_find_held(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error)
{
    const ts_rows normal = ts_impact_normals(m), tangent = ts_impact_tangents(m), across = ts_impact_across(m);
    const size_t dof = (size_t)m->dof, numbers = dof * m->blocks;
    double *p = m->held.item, *q = m->held_rub.item, *end = m->before.item, *sums; /* two are scratch */
    if (m->count == 0)
        return TS_OK;
    TS_TRY(ts_array_reserve(&m->shift, SUMS * m->blocks, error));
    sums = m->shift.item;
    TS_TRY(ts_impact_find_islands(m->work, &normal, error));
    const int32_t *root = m->work->root.item;
    for (size_t i = 0; i < numbers; i++) {
        p[i] = q[i] = 0;
        end[i] = m->w.item[i] + 2 * m->flight.item[i];
    }
    for (size_t i = 0; i < SUMS * m->blocks; i++)
        sums[i] = 0;
    for (size_t k = 0; k < m->count; k++) {
        const int32_t block = ts_impact_mover(&normal, k);
        /* a surface that bends by d in the step closes at 2 d / h at its end */
        const double rate = ts_rows_rate(&normal, k, end) + 2 * m->bend.item[k] / rules->time_step,
                     rest = ts_impact_rest_rate(m, rules, k),
                     parted = m->pulled ? fmax(m->fall.item[k] / rules->time_step, 0) : 0;
        if (block < 0 || !(m->lambda.item[k] > 0) || rate - parted > rounding * rest || rate < -(1 + rounding) * rest)
            continue;
        double *sum = sums + SUMS * (size_t)root[block];
        ts_rows_push(&normal, k, 0.5 * m->lambda.item[k], p);
        sum[PW] += 0.5 * m->lambda.item[k] * rate;
        sum[QW] += rub(m, &tangent, &across, k, end, q);
    }
    for (size_t i = 0; i < numbers; i++) {
        double *sum = sums + SUMS * (size_t)root[i / dof];
        sum[PP] += p[i] * p[i];
        sum[PQ] += p[i] * q[i];
        sum[QQ] += q[i] * q[i];
    }
    for (size_t i = 0; i < m->blocks; i++)
        if (root[i] == (int32_t)i)
            shares_of(sums + SUMS * i);
    for (size_t i = 0; i < numbers; i++) {
        const double *sum = sums + SUMS * (size_t)root[i / dof];
        p[i] = sum[S] * p[i] + sum[T] * q[i];
    }
    return TS_OK;
}
