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
 * and what one step leaves over the next begins with. Contacts that hang together are an island; islands end by themselves, each by its own
 * fastest rate, and what is bounded is the energy of each. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"

static const double sweep_tolerance = 1e-4; /* of the fastest rate */

typedef ts_impact_island island;

/* A contact with all that a sweep reads of it. */
typedef struct place {
    int32_t a, b;
    int32_t island;
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
        const int32_t mover = ts_impact_mover(n, k);
        *p = (place){.a = n->a[k], .b = n->b[k], .island = mover >= 0 ? work->root.item[mover] : 0};
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

/* ---- Islands ---- */

static void set_islands(const ts_impact *impact)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    island *of = impact->work->islands.item;
    for (size_t i = 0; i < n->block_count; i++)
        of[i] = (island){0};
    for (size_t k = 0; k < n->count; k++) {
        const place *p = place_at(impact->work, n->dof, k);
        double r, s;
        rates(p, dof, impact->w, &r, &s);
        of[p->island].fastest = fmax(of[p->island].fastest, fmax(-r, p->mu > 0 ? fabs(s) : 0));
        of[p->island].driven |= (n->drift && n->drift[k] != 0) || p->slip != 0;
    }
}

/* Where nothing closes and nothing slips no impulses are needed, and the guess is wrong. */
static void take_guess(const ts_impact *impact, double *z)
{
    const ts_instant *n = impact->instant;
    for (size_t k = 0; k < n->count; k++) {
        const place *p = place_at(impact->work, n->dof, k);
        if (impact->work->islands.item[p->island].fastest == 0)
            impact->lambda[k] = z[k] = 0;
        else
            push(p, (size_t)n->dof, impact->lambda[k], z[k], impact->w);
    }
}

/* The islands that are not done give up the impulses that they have. */
static void forget(const ts_impact *impact, const double *before, double *z)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; i < n->block_count * dof; i++)
        if (!work->islands.item[work->root.item[i / dof]].done)
            impact->w[i] = before[i];
    for (size_t k = 0; k < n->count; k++)
        if (!work->islands.item[place_at(work, n->dof, k)->island].done)
            impact->lambda[k] = z[k] = 0;
}

/* What impulses did to each island. */
static void weigh(const ts_impact *impact, const double *before)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    island *of = impact->work->islands.item;
    for (size_t i = 0; i < n->block_count; i++)
        of[i].along = of[i].square = 0;
    for (size_t i = 0; i < n->block_count * dof; i++) {
        island *own = &of[impact->work->root.item[i / dof]];
        double more = impact->w[i] - before[i];
        own->along += before[i] * more;
        own->square += more * more;
    }
}

/* The share of its impulses that leaves an island no more energy than it had: |w + θ p|² ≤ |w|². */
static double lawful_share(const island *of)
{
    return of->driven || of->square <= -2 * of->along ? 1 : fmax(-2 * of->along / of->square, 0);
}

/* Sweeps that end early may leave energy that came with the guess: all impulses of such an island are made smaller. */
static void keep_energy(const ts_impact *impact, const double *before, double *z)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    const ts_impact_work *work = impact->work;
    weigh(impact, before);
    for (size_t i = 0; i < n->block_count * dof; i++) {
        double share = lawful_share(&work->islands.item[work->root.item[i / dof]]);
        if (share < 1)
            impact->w[i] = before[i] + share * (impact->w[i] - before[i]);
    }
    for (size_t k = 0; k < n->count; k++) {
        double share = lawful_share(&work->islands.item[place_at(work, n->dof, k)->island]);
        impact->lambda[k] *= share;
        z[k] *= share;
    }
}

/* ---- Sweeps ---- */

/* All contacts of islands that are not done, once. `dof` is a constant where it is called: loops over it are unrolled. */
static inline void sweep_once(const ts_impact *impact, double *z, bool backwards, size_t dof)
{
    const size_t count = impact->instant->count, bytes = place_bytes((int)dof);
    const char *places = impact->work->places.item;
    island *of = impact->work->islands.item;
    for (size_t i = 0; i < count; i++) {
        const size_t k = backwards ? count - 1 - i : i;
        const place *p = (const place *)(places + k * bytes);
        island *own = &of[p->island];
        if (!own->done)
            own->change = larger(own->change, treat(p, dof, impact->w, &impact->lambda[k], &z[k]));
    }
}

/* Returns whether any island is left. */
static bool end_round(const ts_impact *impact)
{
    island *of = impact->work->islands.item;
    ts_impact_report *report = impact->report;
    report->disagreement = 0;
    for (size_t i = 0; i < impact->instant->block_count; i++) {
        of[i].done |= of[i].change <= sweep_tolerance * of[i].fastest;
        if (!of[i].done)
            report->disagreement = fmax(report->disagreement, of[i].change / of[i].fastest);
    }
    report->disagreed = report->disagreement > 0;
    return report->disagreed;
}

static void sweep(const ts_impact *impact, double *z, uint64_t sweeps_max)
{
    const ts_instant *n = impact->instant;
    for (uint64_t round = 1; round <= sweeps_max; round++) {
        const bool backwards = round % 2 == 0;
        for (size_t i = 0; i < n->block_count; i++)
            impact->work->islands.item[i].change = 0;
        if (n->dof == 3)
            sweep_once(impact, z, backwards, 3);
        else
            sweep_once(impact, z, backwards, (size_t)n->dof);
        impact->report->rounds = round;
        if (!end_round(impact))
            return;
    }
}

/* A guess that is far off brings energy with it, if sweeps end before that is gone: islands that have gained some begin with none. */
static void try_again(const ts_impact *impact, const double *before, double *z, uint64_t sweeps_max)
{
    island *of = impact->work->islands.item;
    ts_impact_report *report = impact->report;
    double left = 0;
    bool any = false;
    weigh(impact, before);
    for (size_t i = 0; i < impact->instant->block_count; i++) {
        if (of[i].done)
            continue;
        if (lawful_share(&of[i]) == 1) {
            left = fmax(left, of[i].change / of[i].fastest);
            of[i].done = true;
        }
        any |= !of[i].done;
    }
    if (!any)
        return;
    forget(impact, before, z);
    sweep(impact, z, sweeps_max);
    report->disagreement = fmax(report->disagreement, left);
    report->disagreed = report->disagreement > 0;
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
    TS_TRY(ts_array_reserve(&work->islands, n->block_count, error));
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(make_places(impact, friction, error));
    ts_impact_add_flight(impact, 1, impact->w);
    double *before = work->w_before.item;
    memcpy(before, impact->w, numbers * sizeof *before);
    set_islands(impact);
    take_guess(impact, z);
    sweep(impact, z, sweeps_max);
    if (report->disagreed)
        try_again(impact, before, z, sweeps_max);
    keep_energy(impact, before, z);
    ts_impact_add_flight(impact, -1, impact->w);
    for (size_t i = 0; i < numbers; i++)
        report->finished &= isfinite(impact->w[i]) != 0;
    return TS_OK;
}
