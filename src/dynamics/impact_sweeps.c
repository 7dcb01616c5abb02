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
 * In space a contact has a second tangent, W is 3×3, and what slides does so in some direction of the plane. There one with r₀ ≥ 0 is open only if it
 * did not press before: friction may press it (Wₙₜ ≠ 0), which is tried from the impulses that it has.
 *
 * Sweeps go forwards and backwards by turns, so that what a heap weighs reaches its floor, and the floor's answer its top, in one of each. They
 * end when no rate changes any more by a small share of the fastest: that is no exact solution, but each sweep costs next to nothing,
 * and what one step leaves over the next begins with. Contacts that hang together are an island; islands end by themselves, each by its own
 * fastest rate, and what is bounded is the energy of each. impact_swept.h says how threads share them. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_swept.h"

static const double sweep_tolerance = 1e-4; /* of the fastest rate */

typedef ts_impact_island island;

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static inline void push(const ts_swept *p, size_t dof, double normal, double tangent, double *w)
{
    for (size_t d = 0; p->a >= 0 && d < dof; d++)
        w[(size_t)p->a * dof + d] += p->row[d] * normal + p->row[2 * dof + d] * tangent;
    for (size_t d = 0; p->b >= 0 && d < dof; d++)
        w[(size_t)p->b * dof + d] += p->row[dof + d] * normal + p->row[3 * dof + d] * tangent;
}

/* Along `row`, where `more` is not w's. */
static inline double rate_along(const ts_swept *p, const double *row, double more, size_t dof, const double *w)
{
    if (p->a >= 0)
        more += ts_dot(row, w + (size_t)p->a * dof, dof);
    if (p->b >= 0)
        more += ts_dot(row + dof, w + (size_t)p->b * dof, dof);
    return more;
}
static inline double rate_normal(const ts_swept *p, size_t dof, const double *w)
{
    return rate_along(p, p->row, p->drift, dof, w);
}
static inline double rate_tangent(const ts_swept *p, size_t dof, const double *w)
{
    return rate_along(p, p->row + 2 * dof, p->slip, dof, w);
}

/* Coulomb's law for one contact that rubs, whose rates without impulses are r < 0 and s. */
static inline void settle_one(const ts_swept *p, double r, double s, double *lambda, double *z)
{
    double against = s > 0 ? -1 : 1;
    if (p->inverse > 0) {
        double stuck = (s * p->nt - r * p->tt) * p->inverse, held = (r * p->nt - s * p->nn) * p->inverse;
        if (stuck >= 0 && fabs(held) <= p->mu * stuck) {
            *lambda = stuck;
            *z = held;
            return;
        }
        against = held < 0 ? -1 : 1;
    }
    const double slope = p->nn + against * p->mu * p->nt;
    if (slope > 1e-6 * p->nn) {
        *lambda = -r / slope;
        *z = against * p->mu * *lambda;
    } else /* friction would press harder than it is pressed: without it, then */
        *lambda = -r / p->nn;
}

/* Returns by how much it changed a rate of its own. */
static inline double treat(ts_swept *p, size_t dof, double *w)
{
    double normal = 0, tangent = 0;
    if (!(p->nn > 0))
        return 0;
    const double r = rate_normal(p, dof, w) - (p->nn * p->lambda + p->nt * p->z),
                 s = rate_tangent(p, dof, w) - (p->nt * p->lambda + p->tt * p->z);
    if (r < 0 && p->mu > 0)
        settle_one(p, r, s, &normal, &tangent);
    else if (r < 0)
        normal = -r / p->nn;
    const double more = normal - p->lambda, along = tangent - p->z;
    if (more == 0 && along == 0)
        return 0;
    push(p, dof, more, along, w);
    p->lambda = normal;
    p->z = tangent;
    return larger(fabs(p->nn * more), fabs(p->tt * along));
}

/* ---- Contacts of space ---- */

static inline void push_across(const ts_swept_across *x, const ts_swept *p, size_t dof, double impulse, double *w)
{
    for (size_t d = 0; p->a >= 0 && d < dof; d++)
        w[(size_t)p->a * dof + d] += x->row[d] * impulse;
    for (size_t d = 0; p->b >= 0 && d < dof; d++)
        w[(size_t)p->b * dof + d] += x->row[dof + d] * impulse;
}

static inline double rate_across(const ts_swept_across *x, const ts_swept *p, size_t dof, const double *w)
{
    return rate_along(p, x->row, x->slip, dof, w);
}

/* Impulses λ, z and z across that stop a contact altogether: W · them = −rate, by elimination. False: W is singular. */
static inline bool hold(const ts_swept *p, const ts_swept_across *x, const double rate[3], double impulse[3])
{
    if (!(x->over[2] > 0))
        return false;
    const double t = -rate[1] + x->lt * rate[0];
    impulse[2] = (-rate[2] + x->lx * rate[0] - x->mx * t) * x->over[2];
    impulse[1] = (t - x->left_tx * impulse[2]) * x->over[1];
    impulse[0] = (-rate[0] - p->nt * impulse[1] - x->nx * impulse[2]) * x->over[0];
    return true;
}

/* A contact that slides, from the friction that it has: λ follows from the normal rate, z goes downhill and back into its disc,
 *
 *     λ = −(r + nt z + nx z') / nn        (z, z') ← the nearest of |·| ≤ μ λ to (z, z') − step · slip
 *
 * which ends where friction is μ λ straight against the slip. Where W is round, as for balls, the first turn is the last; elsewhere the next sweep goes on
 * from where this one ends, so that few turns will do. */
#define TURNS 2
static inline void slide(const ts_swept *p, const ts_swept_across *x, const double rate[3], double impulse[3])
{
    for (int i = 0; i < TURNS; i++) {
        const double lambda = larger(-(rate[0] + p->nt * impulse[1] + x->nx * impulse[2]) * x->over[0], 0);
        const double s = rate[1] + p->nt * lambda + p->tt * impulse[1] + x->tx * impulse[2],
                     s_x = rate[2] + x->nx * lambda + x->tx * impulse[1] + x->xx * impulse[2];
        const double z = impulse[1] - x->step * s, z_x = impulse[2] - x->step * s_x, square = z * z + z_x * z_x,
                     most = p->mu * lambda, part = square > most * most ? most / sqrt(square) : 1;
        const double change = larger(fabs(part * z - impulse[1]), fabs(part * z_x - impulse[2]));
        impulse[1] = part * z;
        impulse[2] = part * z_x;
        if (change <= 1e-9 * most)
            break;
    }
    /* the bound is that of the λ that goes with it, as nearly as it may be */
    impulse[0] = larger(-(rate[0] + p->nt * impulse[1] + x->nx * impulse[2]) * x->over[0], 0);
    const double square = impulse[1] * impulse[1] + impulse[2] * impulse[2], most = p->mu * impulse[0];
    if (square > most * most) {
        const double part = most / sqrt(square);
        impulse[1] *= part;
        impulse[2] *= part;
    }
}

/* As `treat`. */
static inline __attribute__((always_inline)) double treat_across(ts_swept *p, size_t dof, double *w)
{
    ts_swept_across *x = ts_swept_across_of(p, dof);
    double rate[3], impulse[3] = {0, 0, 0};
    if (!(p->nn > 0))
        return 0;
    rate[0] = rate_normal(p, dof, w);
    if (rate[0] >= 0 && p->lambda == 0) /* open, as many are */
        return 0;
    rate[0] -= p->nn * p->lambda + p->nt * p->z + x->nx * x->z;
    if (p->mu > 0) {
        rate[1] = rate_tangent(p, dof, w) - (p->nt * p->lambda + p->tt * p->z + x->tx * x->z);
        rate[2] = rate_across(x, p, dof, w) - (x->nx * p->lambda + x->tx * p->z + x->xx * x->z);
        if (rate[0] < 0 || p->lambda > 0) {
            const bool held = hold(p, x, rate, impulse);
            const double most = p->mu * impulse[0];
            if (!held || !(impulse[0] >= 0) || impulse[1] * impulse[1] + impulse[2] * impulse[2] > most * most) {
                impulse[1] = p->z;
                impulse[2] = x->z;
                slide(p, x, rate, impulse);
            }
        }
    } else if (rate[0] < 0)
        impulse[0] = -rate[0] / p->nn;
    const double more = impulse[0] - p->lambda, along = impulse[1] - p->z, aside = impulse[2] - x->z;
    if (more == 0 && along == 0 && aside == 0)
        return 0;
    push(p, dof, more, along, w);
    if (aside != 0)
        push_across(x, p, dof, aside, w);
    p->lambda = impulse[0];
    p->z = impulse[1];
    x->z = impulse[2];
    return larger(fabs(p->nn * more), larger(fabs(p->tt * along), fabs(x->xx * aside)));
}

/* ---- Islands ---- */

/* What tasks find at the same time: the largest counts, whoever comes first. */
static void raise_change(island *of, double change)
{
    uint64_t bits, now = atomic_load_explicit(&of->change, memory_order_relaxed);
    memcpy(&bits, &change, sizeof bits); /* numbers that are not negative have the order of their bits */
    while (bits > now &&
           !atomic_compare_exchange_weak_explicit(&of->change, &now, bits, memory_order_relaxed, memory_order_relaxed))
        ;
}

static double change_of(island *of)
{
    uint64_t bits = atomic_load_explicit(&of->change, memory_order_relaxed);
    double change;
    memcpy(&change, &bits, sizeof change);
    return change;
}

static void set_islands(const ts_impact *impact)
{
    const ts_instant *n = impact->instant;
    island *of = impact->work->islands.item;
    for (size_t i = 0; i < n->block_count; i++)
        of[i] = (island){0};
    for (size_t i = 0; i < n->count; i++) {
        ts_swept *p = ts_swept_at(impact->work, n->dof, i);
        const double r = rate_normal(p, (size_t)n->dof, impact->w);
        double s = rate_tangent(p, (size_t)n->dof, impact->w);
        if (impact->work->across) {
            const ts_swept_across *x = ts_swept_across_of(p, (size_t)n->dof);
            s = hypot(s, rate_across(x, p, (size_t)n->dof, impact->w));
        }
        of[p->island].fastest = fmax(of[p->island].fastest, fmax(-r, p->mu > 0 ? fabs(s) : 0));
    }
}

/* Where nothing closes and nothing slips no impulses are needed, and the guess is wrong. */
static void take_guess(const ts_impact *impact, const ts_impact_friction *friction, const double *z)
{
    const ts_instant *n = impact->instant;
    for (size_t i = 0; i < n->count; i++) {
        ts_swept *p = ts_swept_at(impact->work, n->dof, i);
        if (impact->work->islands.item[p->island].fastest == 0)
            continue;
        p->lambda = impact->lambda[p->contact];
        p->z = p->mu > 0 ? z[p->contact] : 0;
        push(p, (size_t)n->dof, p->lambda, p->z, impact->w);
        if (impact->work->across) {
            ts_swept_across *x = ts_swept_across_of(p, (size_t)n->dof);
            x->z = p->mu > 0 ? friction->z_across[p->contact] : 0;
            push_across(x, p, (size_t)n->dof, x->z, impact->w);
        }
    }
}

/* The islands that are not done give up the impulses that they have. */
static void forget(const ts_impact *impact, const double *before)
{
    const ts_instant *n = impact->instant;
    const size_t dof = (size_t)n->dof;
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; i < n->block_count * dof; i++)
        if (!work->islands.item[work->root.item[i / dof]].done)
            impact->w[i] = before[i];
    for (size_t i = 0; i < n->count; i++) {
        ts_swept *p = ts_swept_at(work, n->dof, i);
        if (work->islands.item[p->island].done)
            continue;
        p->lambda = p->z = 0;
        if (work->across)
            ts_swept_across_of(p, dof)->z = 0;
    }
}

/* What impulses did to each island, and what walls did through them: impulses at what the walls add to rates. */
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
    for (size_t i = 0; i < n->count; i++) {
        ts_swept *p = ts_swept_at(impact->work, n->dof, i);
        of[p->island].along += (n->drift ? p->lambda * n->drift[p->contact] : 0) + p->z * p->slip;
        if (impact->work->across)
            of[p->island].along += ts_swept_across_of(p, dof)->z * ts_swept_across_of(p, dof)->slip;
    }
}

/* The share of its impulses that leaves an island no more energy than it had and walls gave: ½ |w + θ p|² ≤ ½ |w|² − θ (λ·drift + z·slip). */
static double lawful_share(const island *of)
{
    return of->square <= -2 * of->along ? 1 : fmax(-2 * of->along / of->square, 0);
}

/* λ and z are handed over. Sweeps that end early may leave energy that came with the guess: all impulses of such an island are made smaller. */
static void keep_energy(const ts_impact *impact, const double *before, double *z, double *z_across)
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
    for (size_t i = 0; i < n->count; i++) {
        ts_swept *p = ts_swept_at(work, n->dof, i);
        double share = lawful_share(&work->islands.item[p->island]);
        impact->lambda[p->contact] = share * p->lambda;
        z[p->contact] = share * p->z;
        if (z_across)
            z_across[p->contact] = share * ts_swept_across_of(p, dof)->z;
    }
}

/* ---- Sweeps ---- */

typedef struct round_of {
    const ts_impact *impact;
    bool backwards;
} round_of;

/* A part's contacts once, as far as their islands are not done. `dof` is a constant where it is called: loops over it are unrolled. */
static inline __attribute__((always_inline)) void sweep_part(const round_of *r, ts_impact_part part, size_t dof,
                                                             bool across)
{
    island *of = r->impact->work->islands.item;
    double *w = r->impact->w, change = 0;
    int32_t now = -1; /* the island that `change` is of */
    for (size_t i = 0; i < part.count; i++) {
        ts_swept *p = ts_swept_in(r->impact->work, dof, across, part.start + (r->backwards ? part.count - 1 - i : i));
        if (of[p->island].done)
            continue;
        if (p->island != now) {
            if (change > 0)
                raise_change(&of[now], change);
            now = p->island;
            change = 0;
        }
        change = larger(change, across ? treat_across(p, dof, w) : treat(p, dof, w));
    }
    if (change > 0)
        raise_change(&of[now], change);
}

static void sweep_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const round_of *r = context;
    const ts_impact_part part = r->impact->work->part.item[chunk];
    const bool across = r->impact->work->across;
    if (r->impact->instant->dof == 3 && !across)
        sweep_part(r, part, 3, false);
    else if (r->impact->instant->dof == 6 && across)
        sweep_part(r, part, 6, true);
    else if (r->impact->instant->dof == 6)
        sweep_part(r, part, 6, false);
    else
        sweep_part(r, part, (size_t)r->impact->instant->dof, across);
}

static void sweep_once(const ts_impact *impact, int chunks, bool backwards)
{
    round_of r = {impact, backwards};
    if (backwards)
        sweep_chunk(&r, chunks, 0);
    ts_pool_run(impact->options->pool, chunks, sweep_chunk, &r);
    if (!backwards)
        sweep_chunk(&r, chunks, 0);
}

/* Returns whether any island is left. */
static bool end_round(const ts_impact *impact)
{
    island *of = impact->work->islands.item;
    ts_impact_report *report = impact->report;
    const double tolerance = impact->options->tolerance > 0 ? impact->options->tolerance : sweep_tolerance;
    report->disagreement = 0;
    for (size_t i = 0; i < impact->instant->block_count; i++) {
        if (of[i].done)
            continue;
        of[i].done = change_of(&of[i]) <= tolerance * of[i].fastest;
        if (!of[i].done)
            report->disagreement = fmax(report->disagreement, change_of(&of[i]) / of[i].fastest);
    }
    report->disagreed = report->disagreement > 0;
    return report->disagreed;
}

static void sweep(const ts_impact *impact, int chunks, uint64_t sweeps_max)
{
    for (uint64_t round = 1; round <= sweeps_max; round++) {
        for (size_t i = 0; i < impact->instant->block_count; i++)
            atomic_store_explicit(&impact->work->islands.item[i].change, 0, memory_order_relaxed);
        sweep_once(impact, chunks, round % 2 == 0);
        impact->report->rounds++;
        if (!end_round(impact))
            return;
    }
}

/* A guess that is far off brings energy with it, if sweeps end before that is gone: islands that have gained some begin with none. */
static void try_again(const ts_impact *impact, const double *before, int chunks, uint64_t sweeps_max)
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
            left = fmax(left, change_of(&of[i]) / of[i].fastest);
            of[i].done = true;
        }
        any |= !of[i].done;
    }
    if (!any)
        return;
    forget(impact, before);
    sweep(impact, chunks, sweeps_max);
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
    int chunks;
    *report = (ts_impact_report){.finished = true, .passes = 1, .touched = n->count, .front = n->count};
    if (n->count == 0)
        return TS_OK;
    TS_TRY(ts_array_reserve(&work->w_before, numbers, error));
    TS_TRY(ts_array_reserve(&work->islands, n->block_count, error));
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(ts_swept_make(impact, friction, &chunks, error));
    ts_impact_add_flight(impact, 1, impact->w);
    double *before = work->w_before.item;
    memcpy(before, impact->w, numbers * sizeof *before);
    set_islands(impact);
    take_guess(impact, friction, z);
    sweep(impact, chunks, sweeps_max);
    if (report->disagreed)
        try_again(impact, before, chunks, sweeps_max);
    keep_energy(impact, before, z, friction ? friction->z_across : NULL);
    ts_impact_add_flight(impact, -1, impact->w);
    for (size_t i = 0; i < numbers; i++)
        report->finished &= isfinite(impact->w[i]) != 0;
    return TS_OK;
}
