/* SPDX-License-Identifier: MIT */
/* Time of impact. Contacts of a step are struck at one instant. For what rests that is the beginning of the step; a ball
 * that bounces there would do so in the air, `gap` above the floor, and rise too high by (1 − e²)·gap. So an island of
 * contacts that bounces is struck at the time t at which the first of its contacts touches:
 *
 *     gap + r t + ½ a t² = 0              r, a: rate of the contact and what gravity and springs add to it
 *     v(t) = v + t g      ─▶ impact ─▶     v⁺(t)
 *
 * The state knows the beginning of the step only. A body that leaves there with v⁺ = v⁺(t) − t g, from a place that is
 * off by t (v − v⁺), is in the right place at t and from then on:
 *
 *     x + t (v − v⁺) + t v⁺ + ½ t² g = x + t v + ½ t² g
 *
 * This displacement keeps the centre of mass, and what it changes of potential energy is what v⁺ differs from v⁺(t) by in
 * kinetic energy: total energy changes by what the impact takes, and by nothing else.
 *
 * Bodies whose velocity hardly changes lie on something, and stay where they are. */
#include <math.h>

#include "dynamics/impact_memory.h"

/* A touch at the very end of a step is within it, whatever rounding says: what strikes it counts it in. */
#define ROUNDING 1e-9

/* When a contact touches, as far as its rate tells; infinite: not in the step. */
static double touch_time(const ts_impact_scratch *m, const ts_impact_rules *rules, double rate, size_t k)
{
    const double h = rules->time_step, gap = m->gap.item[k], square = rate * rate - 4 * m->fall.item[k] * gap / (h * h);
    if (gap <= 0)
        return 0;
    const double t = square >= 0 ? 2 * gap / (sqrt(square) - rate) : HUGE_VAL;
    return t <= h * (1 + ROUNDING) ? fmin(t, h) : HUGE_VAL;
}

/* w ← w + factor · t g */
static void fly(ts_impact_scratch *m, const ts_impact_rules *rules, size_t i, double factor)
{
    const size_t dof = (size_t)m->dof;
    const double halves = factor * 2 * m->late.item[i] / rules->time_step;
    for (size_t d = dof * i; d < dof * (i + 1); d++)
        m->w.item[d] += halves * m->flight.item[d];
}

ts_status ts_impact_late_begin(ts_impact_scratch *m, const ts_impact_rules *rules, ts_error *error)
{
    const ts_rows n = ts_impact_normals(m);
    const size_t dof = (size_t)m->dof;
    double *late = m->late.item, *lag = m->lag.item;
    for (size_t i = 0; i < dof * m->blocks; i++)
        lag[i] = 0;
    for (size_t i = 0; i < m->blocks; i++)
        late[i] = 0;
    if (!ts_impact_rests(rules) || rules->restitution == 0)
        return TS_OK;
    TS_TRY(ts_impact_find_islands(m->work, &n, error));
    const int32_t *root = m->work->root.item;
    for (size_t i = 0; i < m->blocks; i++)
        late[i] = HUGE_VAL;
    for (size_t k = 0; k < n.count; k++) {
        const int32_t block = ts_impact_mover(&n, k);
        const double rate = ts_rows_rate(&n, k, m->w.item);
        if (block >= 0 && rate < -ts_impact_rest_rate(m, rules, k))
            late[root[block]] = fmin(late[root[block]], touch_time(m, rules, rate, k));
    }
    for (size_t i = 0; i < m->blocks; i++) { /* a root is the first of its island */
        late[i] = root[i] == (int32_t)i && isinf(late[i]) ? 0 : late[root[i]];
        if (late[i] == 0)
            continue;
        fly(m, rules, i, 1);
        for (size_t d = dof * i; d < dof * (i + 1); d++)
            lag[d] = m->w.item[d];
    }
    return TS_OK;
}

double ts_impact_late_end(ts_impact_scratch *m, const ts_impact_rules *rules)
{
    const size_t dof = (size_t)m->dof;
    double work = 0;
    for (size_t i = 0; i < m->blocks; i++) {
        const double t = m->late.item[i], halves = 2 * t / rules->time_step;
        double square = 0, fallen = 0, gravity = 0;
        if (t == 0)
            continue;
        for (size_t d = dof * i; d < dof * (i + 1); d++) {
            const double change = m->w.item[d] - m->lag.item[d], fall = halves * m->flight.item[d];
            square += change * change;
            fallen += change * fall;
            gravity += fall * fall;
            m->lag.item[d] = -t * change;
        }
        fly(m, rules, i, -1);
        /* √m g t: a velocity of 2 g h, in these units */
        const double still = 2 * rules->time_step / t * sqrt(gravity);
        if (m->work->share.item[i] > 0 && (gravity == 0 || square > still * still))
            continue;
        for (size_t d = dof * i; d < dof * (i + 1); d++)
            m->lag.item[d] = 0;
        work -= fallen;
    }
    return work;
}
