/* SPDX-License-Identifier: MIT */
/* Friction for given normal impulses: of all impulses along tangents that Coulomb's bounds allow those that take most
 * energy,
 *
 *     min ½ |w + D z|²   over  |z| ≤ μ λ of each contact
 *
 * In the plane that is a program with bounds (ts_impact_rub). In space z has two components, and what is allowed is a
 * disc. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_memory.h"

bool ts_impact_bound(const ts_impact_scratch *m, const double *lambda)
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
 * Programs know boxes alone. The first box is the square around the disc; then each is the rectangle within the disc
 * that has a corner where the answer pointed. The corner of a contact that slides goes to where friction is straight
 * against it, and what is left of the way there after some rounds is the direction of friction, never its size. Each
 * round is a program of its own from the same w, so none gains energy. */

#define ROUNDS_MAX 6
static const double turned_enough = 1e-3; /* of μ λ */

/* Returns whether another round is worth it. */
static bool turn_boxes(const ts_impact_scratch *m, bool first)
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

static ts_status rub_boxes(ts_impact_scratch *m, const ts_impact_options *options, const ts_impact_rubbed *to,
                           ts_error *error)
{
    const size_t count = m->count, bytes = (size_t)m->dof * m->blocks * sizeof(double);
    ts_rows tangent = ts_impact_tangents(m), across = ts_impact_across(m), both;
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
    ts_impact_note_short(&m->report, &report);
    memcpy(to->rub, z, count * sizeof *z);
    memcpy(to->rub_x, z + count, count * sizeof *z);
    return TS_OK;
}

/* ---- By sweeps ----
 *
 * A contact goes downhill as far as is safe, and back into its disc; no step of that gains energy, so neither do sweeps
 * that end early. */

static const double sweep_tolerance = 1e-4; /* of the fastest slip */

/* In space, where alone there are two tangents. */
enum { dof = 6 };

/* A contact that rubs, with all that a sweep reads of it but w. */
typedef struct rubbing {
    int32_t contact;
    int32_t a, b;
    double bound;          /* μ λ */
    double slip[2];        /* along both tangents, that is not w's */
    double tt, tx, xx;     /* what both tangents do to slip: (tt, tx; tx, xx) */
    double inverse;        /* 1 / its determinant; 0: it is singular */
    double step;           /* 1 / its larger eigenvalue */
    double row[2][2][dof]; /* along each tangent: in a, in b; zero where there is none */
} rubbing;

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (size_t d = 0; d < dof; d++)
        sum += x[d] * y[d];
    return sum;
}

static void set_rubbing(const ts_impact_scratch *m, size_t k, rubbing *r)
{
    const ts_rows along[2] = {ts_impact_tangents(m), ts_impact_across(m)};
    *r = (rubbing){.contact = (int32_t)k, .a = m->a.item[k], .b = m->b.item[k], .bound = m->bound.item[k]};
    for (int i = 0; i < 2; i++) {
        r->slip[i] = along[i].drift ? along[i].drift[k] : 0;
        if (r->a >= 0)
            memcpy(r->row[i][0], along[i].ga + k * dof, sizeof r->row[i][0]);
        if (r->b >= 0)
            memcpy(r->row[i][1], along[i].gb + k * dof, sizeof r->row[i][1]);
    }
    for (int side = 0; side < 2; side++) {
        r->tt += dot(r->row[0][side], r->row[0][side]);
        r->tx += dot(r->row[0][side], r->row[1][side]);
        r->xx += dot(r->row[1][side], r->row[1][side]);
    }
    const double det = r->tt * r->xx - r->tx * r->tx, half = 0.5 * (r->tt + r->xx), apart = 0.5 * (r->tt - r->xx);
    const double most = half + sqrt(apart * apart + r->tx * r->tx);
    r->inverse = det > 1e-12 * r->tt * r->xx ? 1 / det : 0;
    r->step = most > 0 ? 1 / most : 0;
}

static void slip_of(const rubbing *r, const double *w, double s[2])
{
    for (int i = 0; i < 2; i++) {
        s[i] = r->slip[i];
        if (r->a >= 0)
            s[i] += dot(r->row[i][0], w + (size_t)r->a * dof);
        if (r->b >= 0)
            s[i] += dot(r->row[i][1], w + (size_t)r->b * dof);
    }
}

static void push(const rubbing *r, const double more[2], double *w)
{
    for (size_t d = 0; r->a >= 0 && d < dof; d++)
        w[(size_t)r->a * dof + d] += r->row[0][0][d] * more[0] + r->row[1][0][d] * more[1];
    for (size_t d = 0; r->b >= 0 && d < dof; d++)
        w[(size_t)r->b * dof + d] += r->row[0][1][d] * more[0] + r->row[1][1][d] * more[1];
}

/* The best impulses of one contact while the others stay; returns the square of by how much they changed its slip, at
 * most. */
static double treat(const rubbing *r, const ts_impact_rubbed *to)
{
    const double from[2] = {to->rub[r->contact], to->rub_x[r->contact]};
    double s[2], z[2] = {from[0], from[1]};
    if (!(r->step > 0))
        return 0;
    slip_of(r, to->w, s);
    if (r->inverse > 0) { /* where it would stop */
        z[0] -= (r->xx * s[0] - r->tx * s[1]) * r->inverse;
        z[1] -= (r->tt * s[1] - r->tx * s[0]) * r->inverse;
    }
    if (!(r->inverse > 0) || z[0] * z[0] + z[1] * z[1] > r->bound * r->bound) {
        z[0] = from[0] - s[0] * r->step;
        z[1] = from[1] - s[1] * r->step;
        const double square = z[0] * z[0] + z[1] * z[1];
        const double share = square > r->bound * r->bound ? r->bound / sqrt(square) : 1;
        z[0] *= share;
        z[1] *= share;
    }
    const double more[2] = {z[0] - from[0], z[1] - from[1]};
    push(r, more, to->w);
    to->rub[r->contact] = z[0];
    to->rub_x[r->contact] = z[1];
    return (more[0] * more[0] + more[1] * more[1]) / (r->step * r->step);
}

static ts_status rub_discs(ts_impact_scratch *m, uint64_t sweeps, const ts_impact_rubbed *to, ts_error *error)
{
    size_t count = 0;
    double fastest = 0, change = HUGE_VAL; /* squares of slips */
    memset(to->rub, 0, m->count * sizeof *to->rub);
    memset(to->rub_x, 0, m->count * sizeof *to->rub_x);
    for (size_t k = 0; k < m->count; k++)
        count += m->bound.item[k] > 0;
    TS_TRY(ts_array_reserve(&m->rubbing, count * sizeof(rubbing), error));
    rubbing *each = (rubbing *)m->rubbing.item;
    for (size_t k = 0, i = 0; k < m->count; k++)
        if (m->bound.item[k] > 0) {
            double s[2];
            set_rubbing(m, k, &each[i]);
            slip_of(&each[i++], to->w, s);
            fastest = fmax(fastest, s[0] * s[0] + s[1] * s[1]);
        }
    const double least = sweep_tolerance * sweep_tolerance * fastest;
    for (uint64_t round = 0; round < sweeps && change > least; round++) {
        change = 0;
        for (size_t i = 0; i < count; i++) {
            const double own = treat(&each[round % 2 ? count - 1 - i : i], to);
            change = own > change ? own : change;
        }
    }
    return TS_OK;
}

ts_status ts_impact_rub_scratch(ts_impact_scratch *m, const ts_impact_options *options, uint64_t sweeps,
                                const ts_impact_rubbed *to, ts_error *error)
{
    ts_rows tangent = ts_impact_tangents(m);
    ts_impact_report report;
    if (!ts_impact_has_across(m)) {
        TS_TRY(ts_impact_rub(&(ts_impact){&tangent, options, m->work, to->w, to->rub, &report}, m->bound.item, error));
        ts_impact_note_short(&m->report, &report);
        return TS_OK;
    }
    if (sweeps == 0)
        return rub_boxes(m, options, to, error);
    return rub_discs(m, sweeps, to, error);
}
