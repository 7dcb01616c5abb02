/* SPDX-License-Identifier: MIT */
/* Friction for given normal impulses: of all impulses along tangents that Coulomb's bounds allow those that take most energy,
 *
 *     min ½ |w + D z|²   over  |z| ≤ μ λ of each contact
 *
 * In the plane that is a program with bounds (ts_impact_rub). In space z has two components, and what is allowed is a disc. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_memory.h"

bool ts_impact_bound(const ts_impact_hand *m, const double *lambda)
{
    bool any = false;
    for (size_t k = 0; k < m->count; k++) {
        m->bound.item[k] = m->mu.item[k] * lambda[k];
        any |= m->bound.item[k] > 0;
    }
    return any;
}

/* ---- By programs ----
 *
 * Programs know boxes alone. The first box is the square around the disc; then each is the rectangle within the disc that has a corner where
 * the answer pointed. The corner of a contact that slides goes to where friction is straight against it, and what is left of the way there
 * after some rounds is the direction of friction, never its size. Each round is a program of its own from the same w, so none gains energy. */

#define ROUNDS_MAX 6
static const double turned_enough = 1e-3; /* of μ λ */

/* Returns whether another round is worth it. */
static bool turn_boxes(const ts_impact_hand *m, bool first)
{
    const double *z = m->z_both.item;
    double *bound = m->bound_both.item;
    bool again = false;
    for (size_t k = 0; k < m->count; k++) {
        const double most = m->bound.item[k], length = hypot(z[k], z[m->count + k]);
        const double share = length > 0 ? most / length : 0;
        const double next[2] = {length > 0 ? share * fabs(z[k]) : most * sqrt(0.5),
                                length > 0 ? share * fabs(z[m->count + k]) : most * sqrt(0.5)};
        again |= first ? length > most * (1 + 1e-12)
                       : length > most * (1 - 1e-9) && fabs(next[0] - bound[k]) > turned_enough * most;
        bound[k] = next[0];
        bound[m->count + k] = next[1];
    }
    return again;
}

static ts_status rub_boxes(ts_impact_hand *m, const ts_impact_options *options, const ts_impact_rubbed *to,
                           ts_error *error)
{
    const size_t count = m->count, bytes = (size_t)m->dof * m->blocks * sizeof(double);
    ts_instant tangent = ts_impact_tangents(m), across = ts_impact_across(m), both;
    ts_impact_report report;
    double *z = m->z_both.item, *bound = m->bound_both.item;
    bool again = true;
    TS_TRY(ts_array_reserve(&m->work->w_before, (size_t)m->dof * m->blocks, error));
    TS_TRY(ts_impact_join(m->work, &tangent, &across, &both, error));
    memcpy(m->work->w_before.item, to->w, bytes);
    for (size_t k = 0; k < 2 * count; k++)
        bound[k] = m->bound.item[k % count];
    for (int round = 0; round < ROUNDS_MAX && again; round++) {
        memcpy(to->w, m->work->w_before.item, bytes);
        TS_TRY(ts_impact_rub(&(ts_impact){&both, options, m->work, to->w, z, &report}, bound, error));
        again = turn_boxes(m, round == 0);
    }
    memcpy(to->rub, z, count * sizeof *z);
    memcpy(to->rub_x, z + count, count * sizeof *z);
    return TS_OK;
}

/* ---- By sweeps ----
 *
 * A contact goes downhill as far as is safe, and back into its disc; no step of that gains energy, so neither do sweeps that end early. */

static const double sweep_tolerance = 1e-4; /* of the fastest slip */

/* What both tangents do to slip at a contact: (tt, tx; tx, xx). */
typedef struct response {
    double tt, tx, xx;
} response;

static response response_of(const ts_instant *t, const ts_instant *x, size_t k)
{
    const size_t dof = (size_t)t->dof;
    response r = {ts_instant_square(t, k), 0, ts_instant_square(x, k)};
    for (size_t d = k * dof; d < (k + 1) * dof; d++) {
        r.tx += t->a[k] >= 0 ? t->ga[d] * x->ga[d] : 0;
        r.tx += t->b[k] >= 0 ? t->gb[d] * x->gb[d] : 0;
    }
    return r;
}

/* The best impulses of one contact while the others stay; returns by how much they changed its slip. */
static double treat(const ts_impact_hand *m, const ts_instant *t, const ts_instant *x, size_t k,
                    const ts_impact_rubbed *to)
{
    const double bound = m->bound.item[k], from[2] = {to->rub[k], to->rub_x[k]};
    const response r = response_of(t, x, k);
    const double det = r.tt * r.xx - r.tx * r.tx, half = 0.5 * (r.tt + r.xx), apart = 0.5 * (r.tt - r.xx);
    const double most = half + sqrt(apart * apart + r.tx * r.tx); /* the larger eigenvalue */
    double s[2] = {ts_instant_rate(t, k, to->w), ts_instant_rate(x, k, to->w)}, z[2] = {from[0], from[1]};
    if (!(bound > 0) || !(most > 0))
        return 0;
    if (det > 1e-12 * r.tt * r.xx) { /* where it would stop */
        z[0] -= (r.xx * s[0] - r.tx * s[1]) / det;
        z[1] -= (r.tt * s[1] - r.tx * s[0]) / det;
    }
    if (!(det > 1e-12 * r.tt * r.xx) || hypot(z[0], z[1]) > bound) {
        z[0] = from[0] - s[0] / most;
        z[1] = from[1] - s[1] / most;
        const double share = fmin(bound / hypot(z[0], z[1]), 1);
        z[0] *= share;
        z[1] *= share;
    }
    ts_instant_push(t, k, z[0] - from[0], to->w);
    ts_instant_push(x, k, z[1] - from[1], to->w);
    to->rub[k] = z[0];
    to->rub_x[k] = z[1];
    return most * hypot(z[0] - from[0], z[1] - from[1]);
}

static void rub_discs(const ts_impact_hand *m, uint64_t sweeps, const ts_impact_rubbed *to)
{
    const ts_instant t = ts_impact_tangents(m), x = ts_impact_across(m);
    double fastest = 0, change = HUGE_VAL;
    memset(to->rub, 0, m->count * sizeof *to->rub);
    memset(to->rub_x, 0, m->count * sizeof *to->rub_x);
    for (size_t k = 0; k < m->count; k++)
        if (m->bound.item[k] > 0)
            fastest = fmax(fastest, hypot(ts_instant_rate(&t, k, to->w), ts_instant_rate(&x, k, to->w)));
    for (uint64_t round = 0; round < sweeps && change > sweep_tolerance * fastest; round++) {
        change = 0;
        for (size_t k = 0; k < m->count; k++)
            change = fmax(change, treat(m, &t, &x, round % 2 ? m->count - 1 - k : k, to));
    }
}

ts_status ts_impact_rub_hand(ts_impact_hand *m, const ts_impact_options *options, uint64_t sweeps,
                             const ts_impact_rubbed *to, ts_error *error)
{
    ts_instant tangent = ts_impact_tangents(m);
    ts_impact_report report;
    if (!ts_impact_has_across(m))
        return ts_impact_rub(&(ts_impact){&tangent, options, m->work, to->w, to->rub, &report}, m->bound.item, error);
    if (sweeps == 0)
        return rub_boxes(m, options, to, error);
    rub_discs(m, sweeps, to);
    return TS_OK;
}
