/* SPDX-License-Identifier: MIT */
/* Inelastic impact with Coulomb's law, by sweeps: the nonlinear Gauss–Seidel method of contact dynamics (Jean and Moreau 1992).
 *
 * A contact is settled exactly while all others stay as they are: with r₀ and s₀ its rates without its own impulses, and W the 2×2 matrix of
 * what these do to it,
 *
 *     r₀ ≥ 0                     open     λ = z = 0
 *     W (λ, z) = −(r₀, s₀)       sticks   if |z| ≤ μ λ
 *     (Wₙₙ ± μ Wₙₜ) λ = −r₀      slides   z = ± μ λ against the slip
 *
 * Sweeps go forwards and backwards by turns, so that what a heap weighs reaches its floor, and the floor's answer its top, in one of each. They
 * end when no rate changes any more by a small share of the fastest: that is no exact solution, but each sweep costs next to nothing,
 * and what one step leaves over the next begins with. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"

static const double sweep_tolerance = 1e-4; /* of the fastest rate */

/* A contact with all that a sweep reads of it. */
typedef struct place {
    int32_t a, b;
    double drift, slip; /* that is not w's */
    double mu;
    double nn, nt, tt; /* W */
    double row[]; /* along the normal: in a, in b; along the tangent: in a, in b; zero where there is none (4 · dof) */
} place;

static size_t place_bytes(int dof)
{
    return sizeof(place) + 4 * (size_t)dof * sizeof(double);
}
static place *place_at(const ts_impact_work *work, int dof, size_t k)
{
    return (place *)(work->places.item + k * place_bytes(dof));
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static inline double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

static void copy_side(const ts_instant *n, size_t k, double *row)
{
    const size_t dof = (size_t)n->dof;
    for (size_t d = 0; d < dof; d++) {
        row[d] = n->a[k] >= 0 ? n->ga[k * dof + d] : 0;
        row[dof + d] = n->b[k] >= 0 ? n->gb[k * dof + d] : 0;
    }
}

static ts_status make_places(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    const ts_instant *n = impact->instant, *t = friction ? friction->tangent : NULL;
    ts_impact_work *work = impact->work;
    const size_t dof = (size_t)n->dof;
    TS_TRY(ts_array_reserve(&work->places, n->count * place_bytes(n->dof), error));
    for (size_t k = 0; k < n->count; k++) {
        place *p = place_at(work, n->dof, k);
        *p = (place){.a = n->a[k], .b = n->b[k]};
        p->drift = (n->drift ? n->drift[k] : 0) + ts_impact_room(impact, k);
        copy_side(n, k, p->row);
        for (size_t d = 2 * dof; d < 4 * dof; d++)
            p->row[d] = 0;
        p->nn = dot(p->row, p->row, 2 * dof);
        if (t && friction->mu[k] > 0) {
            p->slip = t->drift ? t->drift[k] : 0;
            p->mu = friction->mu[k];
            copy_side(t, k, p->row + 2 * dof);
            p->nt = dot(p->row, p->row + 2 * dof, 2 * dof);
            p->tt = dot(p->row + 2 * dof, p->row + 2 * dof, 2 * dof);
        }
    }
    return TS_OK;
}

static inline void push(const place *p, size_t dof, double normal, double tangent, double *w)
{
    for (size_t d = 0; p->a >= 0 && d < dof; d++)
        w[(size_t)p->a * dof + d] += p->row[d] * normal + p->row[2 * dof + d] * tangent;
    for (size_t d = 0; p->b >= 0 && d < dof; d++)
        w[(size_t)p->b * dof + d] += p->row[dof + d] * normal + p->row[3 * dof + d] * tangent;
}

static inline void rates(const place *p, size_t dof, const double *w, double *normal, double *tangent)
{
    *normal = p->drift;
    *tangent = p->slip;
    if (p->a >= 0) {
        *normal += dot(p->row, w + (size_t)p->a * dof, dof);
        *tangent += dot(p->row + 2 * dof, w + (size_t)p->a * dof, dof);
    }
    if (p->b >= 0) {
        *normal += dot(p->row + dof, w + (size_t)p->b * dof, dof);
        *tangent += dot(p->row + 3 * dof, w + (size_t)p->b * dof, dof);
    }
}

/* Coulomb's law for one contact whose rates without impulses are r < 0 and s. */
static void settle_one(const place *p, double r, double s, double *lambda, double *z)
{
    const double det = p->nn * p->tt - p->nt * p->nt;
    *lambda = -r / p->nn;
    *z = 0;
    if (!(p->mu > 0) || !(p->tt > 0))
        return;
    double against = s > 0 ? -1 : 1;
    if (det > 1e-12 * p->nn * p->tt) {
        double stuck = (s * p->nt - r * p->tt) / det, held = (r * p->nt - s * p->nn) / det;
        if (stuck >= 0 && fabs(held) <= p->mu * stuck) {
            *lambda = stuck;
            *z = held;
            return;
        }
        against = held < 0 ? -1 : 1;
    }
    const double slope = p->nn + against * p->mu * p->nt;
    if (slope > 1e-6 * p->nn) { /* otherwise friction would press harder than it is pressed: without it, then */
        *lambda = -r / slope;
        *z = against * p->mu * *lambda;
    }
}

/* Returns by how much it changed a rate of its own. */
static inline double treat(const place *p, size_t dof, double *w, double *lambda, double *z)
{
    double r, s, normal = 0, tangent = 0;
    if (!(p->nn > 0))
        return 0;
    rates(p, dof, w, &r, &s);
    r -= p->nn * *lambda + p->nt * *z;
    s -= p->nt * *lambda + p->tt * *z;
    if (r < 0)
        settle_one(p, r, s, &normal, &tangent);
    const double more = normal - *lambda, along = tangent - *z;
    if (more == 0 && along == 0)
        return 0;
    push(p, dof, more, along, w);
    *lambda = normal;
    *z = tangent;
    return larger(fabs(p->nn * more), fabs(p->tt * along));
}

/* w takes up the guess, or comes from none. */
static double begin(const ts_impact *impact, const double *before, double *z, bool guess)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    double fastest = 0;
    memcpy(impact->w, before, n->block_count * dof * sizeof *before);
    for (size_t k = 0; k < n->count; k++) {
        const place *p = place_at(impact->work, n->dof, k);
        double r, s;
        rates(p, dof, before, &r, &s);
        fastest = fmax(fastest, fmax(-r, p->mu > 0 ? fabs(s) : 0));
        if (!guess)
            impact->lambda[k] = z[k] = 0;
    }
    for (size_t k = 0; guess && k < n->count; k++)
        push(place_at(impact->work, n->dof, k), dof, impact->lambda[k], z[k], impact->w);
    return fastest;
}

/* All contacts once; returns by how much a rate changed at most. `dof` is a constant where it is called: loops over it are unrolled. */
static inline double sweep_once(const ts_impact *impact, double *z, bool backwards, size_t dof)
{
    const size_t count = impact->instant->count, bytes = place_bytes((int)dof);
    const char *places = impact->work->places.item;
    double change = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t k = backwards ? count - 1 - i : i;
        change = larger(change, treat((const place *)(places + k * bytes), dof, impact->w, &impact->lambda[k], &z[k]));
    }
    return change;
}

static void sweep(const ts_impact *impact, double *z, uint64_t sweeps_max, double fastest)
{
    const ts_instant *n = impact->instant;
    ts_impact_report *report = impact->report;
    double change = 0;
    for (uint64_t round = 1; round <= sweeps_max; round++) {
        const bool backwards = round % 2 == 0;
        change = n->dof == 3 ? sweep_once(impact, z, backwards, 3) : sweep_once(impact, z, backwards, (size_t)n->dof);
        report->rounds = round;
        if (change <= sweep_tolerance * fastest)
            break;
    }
    report->disagreement = fastest > 0 ? change / fastest : 0;
    report->disagreed = report->disagreement > sweep_tolerance;
}

static double square(const double *w, size_t count)
{
    return dot(w, w, count);
}

ts_status ts_impact_sweep(const ts_impact *impact, const ts_impact_friction *friction, double *z, uint64_t sweeps_max,
                          ts_error *error)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t numbers = n->block_count * (size_t)n->dof;
    *report = (ts_impact_report){.finished = true, .passes = 1, .touched = n->count, .front = n->count};
    if (n->count == 0)
        return TS_OK;
    TS_TRY(ts_array_reserve(&work->w_before, numbers, error));
    TS_TRY(make_places(impact, friction, error));
    double *before = work->w_before.item;
    memcpy(before, impact->w, numbers * sizeof *before);
    ts_impact_add_flight(impact, 1, before);
    double fastest = begin(impact, before, z, true);
    sweep(impact, z, sweeps_max, fastest);
    bool driven = false;
    for (size_t k = 0; k < n->count; k++)
        driven |= (n->drift && n->drift[k] != 0) || place_at(work, n->dof, k)->slip != 0;
    /* a guess that is far off brings energy with it, if sweeps end before that is gone */
    if (report->disagreed && !driven && square(impact->w, numbers) > square(before, numbers)) {
        begin(impact, before, z, false);
        sweep(impact, z, sweeps_max, fastest);
    }
    ts_impact_add_flight(impact, -1, impact->w);
    for (size_t i = 0; i < numbers; i++)
        report->finished &= isfinite(impact->w[i]) != 0;
    return TS_OK;
}
