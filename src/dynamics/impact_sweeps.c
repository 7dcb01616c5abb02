/* SPDX-License-Identifier: MIT */
/* Inelastic impact with Coulomb's law, by sweeps: the nonlinear Gauss–Seidel method of contact dynamics (Jean and
 * Moreau 1992).
 *
 * A contact is settled exactly while all others stay as they are: with r₀ and s₀ its rates without its own impulses,
 * and W the 2×2 matrix of what these do to it,
 *
 *     r₀ ≥ 0                     open     λ = z = 0
 *     W (λ, z) = −(r₀, s₀)       sticks   if |z| ≤ μ λ
 *     (Wₙₙ ± μ Wₙₜ) λ = −r₀      slides   z = ± μ λ against the slip
 *
 * In space a contact has a second tangent, W is 3×3, and what slides does so in some direction of the plane
 * (impact_sweeps.simd.c). There one with r₀ ≥ 0 is open only if it did not press before: friction may press it (Wₙₜ ≠
 * 0), which is tried from the impulses that it has.
 *
 * Sweeps go forwards and backwards by turns, so that what a heap weighs reaches its floor, and the floor's answer its
 * top, in one of each. They end when no rate changes any more by a small share of the fastest: that is no exact
 * solution, but each sweep costs next to nothing, and what one step leaves over the next begins with. Contacts that
 * hang together are an island; islands end by themselves, each by its own fastest rate, and what is bounded is the
 * energy of each. impact_swept.h says how threads share them. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "dynamics/impact_swept.h"

static const double sweep_tolerance = 1e-4; /* of the fastest rate */

typedef ts_impact_island island;

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
    const double r = rate_along(p, p->row, p->drift, dof, w) - (p->nn * p->lambda + p->nt * p->z),
                 s = rate_along(p, p->row + 2 * dof, p->slip, dof, w) - (p->nt * p->lambda + p->tt * p->z);
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
    return ts_larger(fabs(p->nn * more), fabs(p->tt * along));
}

/* ---- Islands ---- */

static double change_of(island *of)
{
    uint64_t bits = atomic_load_explicit(&of->change, memory_order_relaxed);
    double change;
    memcpy(&change, &bits, sizeof change);
    return change;
}

/* Whether friction has a part in a contact. */
static bool rubs(const ts_impact_friction *friction, size_t k)
{
    return friction && friction->mu[k] > 0 && ts_rows_square(friction->tangent, k) > 0;
}

static double slip_of(const ts_impact_friction *friction, size_t k, const double *w)
{
    const double s = ts_rows_rate(friction->tangent, k, w);
    const double x = friction->across ? ts_rows_rate(friction->across, k, w) : 0;
    return sqrt(s * s + x * x);
}

static island *island_of(const ts_impact *impact, size_t k)
{
    return &impact->work->islands.item[ts_impact_island_of(impact, k)];
}

static void set_islands(const ts_impact *impact, const ts_impact_friction *friction)
{
    const ts_rows *n = impact->rows;
    for (size_t i = 0; i < n->block_count; i++)
        impact->work->islands.item[i] = (island){0};
    for (size_t k = 0; k < n->count; k++) {
        island *of = island_of(impact, k);
        const double r = ts_rows_rate(n, k, impact->w) + ts_impact_room(impact, k);
        of->fastest = fmax(of->fastest, fmax(-r, rubs(friction, k) ? slip_of(friction, k, impact->w) : 0));
    }
}

/* Where nothing closes and nothing slips no impulses are needed, and the guess is wrong. */
static void take_guess(const ts_impact *impact, const ts_impact_friction *friction, double *z, double *z_across)
{
    const ts_rows *n = impact->rows;
    for (size_t k = 0; k < n->count; k++) {
        const bool moves = island_of(impact, k)->fastest > 0, rubbed = moves && rubs(friction, k);
        impact->lambda[k] = moves ? impact->lambda[k] : 0;
        z[k] = rubbed ? z[k] : 0;
        ts_rows_push(n, k, impact->lambda[k], impact->w);
        if (rubbed)
            ts_rows_push(friction->tangent, k, z[k], impact->w);
        if (!z_across || !friction->across)
            continue;
        z_across[k] = rubbed ? z_across[k] : 0;
        if (rubbed)
            ts_rows_push(friction->across, k, z_across[k], impact->w);
    }
}

/* The islands that are not done give up the impulses that they have. */
static void forget(const ts_impact *impact, const double *before, double *z, double *z_across)
{
    const ts_rows *n = impact->rows;
    const size_t dof = (size_t)n->dof;
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; i < n->block_count * dof; i++)
        if (!work->islands.item[work->root.item[i / dof]].done)
            impact->w[i] = before[i];
    for (size_t k = 0; k < n->count; k++) {
        if (island_of(impact, k)->done)
            continue;
        impact->lambda[k] = z[k] = 0;
        if (z_across)
            z_across[k] = 0;
    }
}

/* What impulses did to each island, and what walls did through them: impulses at what the walls add to rates. */
static void weigh(const ts_impact *impact, const ts_impact_friction *friction, const double *before, const double *z,
                  const double *z_across)
{
    const ts_rows *n = impact->rows, *t = friction ? friction->tangent : NULL, *x = friction ? friction->across : NULL;
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
    for (size_t k = 0; k < n->count; k++) {
        double *along = &island_of(impact, k)->along;
        *along += (n->drift ? impact->lambda[k] * n->drift[k] : 0) + (t && t->drift ? z[k] * t->drift[k] : 0);
        *along += x && x->drift ? z_across[k] * x->drift[k] : 0;
    }
}

/* The share of its impulses that leaves an island no more energy than it had and walls gave: ½ |w + θ p|² ≤ ½ |w|² − θ
 * (λ·drift + z·slip). */
static double lawful_share(const island *of)
{
    return of->square <= -2 * of->along ? 1 : fmax(-2 * of->along / of->square, 0);
}

/* Sweeps that end early may leave energy that came with the guess: all impulses of such an island are made smaller. */
static void keep_energy(const ts_impact *impact, const double *before, double *z, double *z_across)
{
    const ts_rows *n = impact->rows;
    const size_t dof = (size_t)n->dof;
    const ts_impact_work *work = impact->work;
    for (size_t i = 0; i < n->block_count * dof; i++) {
        double share = lawful_share(&work->islands.item[work->root.item[i / dof]]);
        if (share < 1)
            impact->w[i] = before[i] + share * (impact->w[i] - before[i]);
    }
    for (size_t k = 0; k < n->count; k++) {
        double share = lawful_share(island_of(impact, k));
        impact->lambda[k] *= share;
        z[k] *= share;
        if (z_across)
            z_across[k] *= share;
    }
}

/* ---- Sweeps ---- */

TS_KERNEL_CHOOSER(ts_sweep_kernels, ts_sweep)

typedef struct round_of {
    const ts_impact *impact;
    const ts_sweep_kernels *kernels;
    bool backwards;
} round_of;

/* A part's contacts once, as far as their islands are not done. `dof` is a constant where it is called: loops over it
 * are unrolled. */
static inline __attribute__((always_inline)) void sweep_part(const round_of *r, ts_impact_part part, size_t dof)
{
    island *of = r->impact->work->islands.item;
    double *w = r->impact->w, change = 0;
    int32_t now = -1; /* the island that `change` is of */
    for (size_t i = 0; i < part.count; i++) {
        ts_swept *p = ts_swept_at(r->impact->work, dof, part.start + (r->backwards ? part.count - 1 - i : i));
        if (of[p->island].done)
            continue;
        if (p->island != now) {
            if (change > 0)
                ts_island_changes(&of[now], change);
            now = p->island;
            change = 0;
        }
        change = ts_larger(change, treat(p, dof, w));
    }
    if (change > 0)
        ts_island_changes(&of[now], change);
}

static void sweep_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const round_of *r = context;
    const ts_impact *impact = r->impact;
    const ts_impact_part part = impact->work->part.item[chunk];
    if (impact->work->four_count > 0)
        r->kernels->sweep(impact->work, part, r->backwards, impact->w);
    else if (impact->rows->dof == 3)
        sweep_part(r, part, 3);
    else
        sweep_part(r, part, (size_t)impact->rows->dof);
}

static void sweep_once(const ts_impact *impact, int chunks, bool backwards)
{
    round_of r = {impact, ts_sweep_choose(), backwards};
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
    for (size_t i = 0; i < impact->rows->block_count; i++) {
        if (of[i].done)
            continue;
        of[i].done = change_of(&of[i]) <= tolerance * of[i].fastest;
        if (!of[i].done)
            report->disagreement = fmax(report->disagreement, change_of(&of[i]) / of[i].fastest);
    }
    report->disagreed = report->disagreement > 0;
    return report->disagreed;
}

static void sweep(const ts_impact *impact, int chunks, uint64_t sweeps_max, double *z, double *z_across)
{
    ts_swept_take(impact, z, z_across);
    for (uint64_t round = 1; round <= sweeps_max; round++) {
        for (size_t i = 0; i < impact->rows->block_count; i++)
            atomic_store_explicit(&impact->work->islands.item[i].change, 0, memory_order_relaxed);
        sweep_once(impact, chunks, round % 2 == 0);
        impact->report->rounds++;
        if (!end_round(impact))
            break;
    }
    ts_swept_give(impact, z, z_across);
}

/* A guess that is far off brings energy with it, if sweeps end before that is gone: islands that have gained some,
 * which weigh has said, begin with none. */
static bool try_again(const ts_impact *impact, const double *before, int chunks, uint64_t sweeps_max, double *z,
                      double *z_across)
{
    island *of = impact->work->islands.item;
    ts_impact_report *report = impact->report;
    double left = 0;
    bool any = false;
    for (size_t i = 0; i < impact->rows->block_count; i++) {
        if (of[i].done)
            continue;
        if (lawful_share(&of[i]) == 1) {
            left = fmax(left, change_of(&of[i]) / of[i].fastest);
            of[i].done = true;
        }
        any |= !of[i].done;
    }
    if (!any)
        return false;
    forget(impact, before, z, z_across);
    sweep(impact, chunks, sweeps_max, z, z_across);
    report->disagreement = fmax(report->disagreement, left);
    report->disagreed = report->disagreement > 0;
    return true;
}

ts_status ts_impact_sweep(const ts_impact *impact, const ts_impact_friction *friction, double *z, uint64_t sweeps_max,
                          ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t numbers = n->block_count * (size_t)n->dof;
    double *z_across = friction && friction->across ? friction->z_across : NULL;
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
    set_islands(impact, friction);
    take_guess(impact, friction, z, z_across);
    sweep(impact, chunks, sweeps_max, z, z_across);
    weigh(impact, friction, before, z, z_across);
    if (report->disagreed && try_again(impact, before, chunks, sweeps_max, z, z_across))
        weigh(impact, friction, before, z, z_across);
    keep_energy(impact, before, z, z_across);
    ts_impact_add_flight(impact, -1, impact->w);
    for (size_t i = 0; i < numbers; i++)
        report->finished &= isfinite(impact->w[i]) != 0;
    return TS_OK;
}

/* ---- Sweeps that go on ----
 *
 * Where something heavy lies on something light, each sweep takes a small share of what is left, always of the same few
 * motions. So sweeps are taken for steps downhill, f = sweep(x) − x, of a nonlinear conjugate gradient method (Silcowitz,
 * Niebe and Erleben 2010, after Fletcher and Reeves), x being impulses as velocities:
 *
 *     β = |f|² / |f of the sweep before|²        x ← sweep(x) + β p        p ← β p + f          β > 1: x ← sweep(x), p ← f
 *
 * x is put back into Coulomb's bounds, and the nearest result of a sweep counts. */

static const double onward_tolerance = 1e-8;

/* How far the normals of any island are from 0 ≤ λ ⊥ r ≥ 0, over its fastest rate. */
static double normals_off(const ts_impact *impact)
{
    double worst = 0;
    for (size_t k = 0; k < impact->rows->count; k++) {
        const double rate = ts_rows_rate(impact->rows, k, impact->w) + ts_impact_room(impact, k);
        const double off = impact->lambda[k] > 0 ? fabs(rate) : -rate, most = island_of(impact, k)->fastest;
        worst = most > 0 ? fmax(worst, off / most) : worst;
    }
    return worst;
}

/* All impulses, one kind after the other. */
typedef struct impulses {
    const ts_rows *row[3];
    double *of[3];
    size_t kinds;       /* 2: there is no second tangent */
    const double *size; /* of each row (kinds · count) */
} impulses;

/* As velocities. */
static void read_impulses(const impulses *from, double *x)
{
    const size_t count = from->row[0]->count;
    for (size_t i = 0; i < from->kinds; i++)
        for (size_t k = 0; k < count; k++)
            x[i * count + k] = from->of[i][k] * from->size[i * count + k];
}

/* And back, within Coulomb's bounds; w is what they make of `before`. */
static void write_impulses(const ts_impact *impact, const ts_impact_friction *friction, const double *before,
                           const impulses *to, const double *x)
{
    const size_t count = impact->rows->count;
    memcpy(impact->w, before, impact->rows->block_count * (size_t)impact->rows->dof * sizeof *before);
    for (size_t k = 0; k < count; k++) {
        double square = 0;
        for (size_t i = 0; i < to->kinds; i++) {
            const double size = to->size[i * count + k];
            to->of[i][k] = size > 0 ? x[i * count + k] / size : 0;
            square += i > 0 ? to->of[i][k] * to->of[i][k] : 0;
        }
        impact->lambda[k] = fmax(impact->lambda[k], 0);
        const double z = sqrt(square), most = friction->mu[k] * impact->lambda[k], share = z > most ? most / z : 1;
        for (size_t i = 0; i < to->kinds; i++) {
            to->of[i][k] *= i > 0 ? share : 1;
            ts_rows_push(to->row[i], k, to->of[i][k], impact->w);
        }
    }
}

/* From x and sweep(x) = g to the next x, in g. Returns |f|². `last`: that of the sweep before. */
static double go_downhill(const double *x, double last, size_t numbers, double *g, double *p)
{
    double square = 0;
    for (size_t i = 0; i < numbers; i++)
        square += (g[i] - x[i]) * (g[i] - x[i]);
    const double beta = last > 0 && square <= last ? square / last : 0;
    for (size_t i = 0; i < numbers; i++) {
        const double f = g[i] - x[i];
        g[i] += beta * p[i];
        p[i] = beta * p[i] + f;
    }
    return square;
}

/* Ends with the nearest impulses. */
static ts_status go_onward(const ts_impact *impact, const ts_impact_friction *friction, const double *before,
                           const impulses *all, int chunks, uint64_t sweeps_max, double enough, ts_error *error)
{
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t numbers = all->kinds * impact->rows->count;
    double least = HUGE_VAL, square = HUGE_VAL, *z_across = all->kinds > 2 ? all->of[2] : NULL;
    TS_TRY(ts_array_reserve(&work->guess, numbers, error));
    TS_TRY(ts_array_reserve(&work->gain, numbers, error));
    TS_TRY(ts_array_reserve(&work->best, numbers, error));
    TS_TRY(ts_array_reserve(&work->bound, numbers, error));
    double *x = work->guess.item, *g = work->gain.item, *best = work->best.item, *p = work->bound.item;
    memset(p, 0, numbers * sizeof *p);
    for (uint64_t swept = 0; swept < sweeps_max; swept++) {
        read_impulses(all, x);
        for (size_t i = 0; i < impact->rows->block_count; i++)
            work->islands.item[i].done = false;
        sweep(impact, chunks, 1, all->of[1], z_across);
        read_impulses(all, g);
        const double off = normals_off(impact);
        if (off < least) {
            least = off;
            memcpy(best, g, numbers * sizeof *best);
        }
        if (off <= enough || !report->disagreed)
            break;
        square = go_downhill(x, square, numbers, g, p);
        write_impulses(impact, friction, before, all, g);
    }
    write_impulses(impact, friction, before, all, best);
    report->disagreement = least;
    report->disagreed = least > enough;
    return TS_OK;
}

ts_status ts_impact_sweep_onward(const ts_impact *impact, const ts_impact_friction *friction, uint64_t sweeps_max,
                                 double enough, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    const size_t numbers = n->block_count * (size_t)n->dof;
    ts_impact_options options = *impact->options;
    ts_impact onward = *impact;
    impulses all = {.row = {n, friction->tangent, friction->across},
                    .of = {impact->lambda, friction->z, friction->z_across},
                    .kinds = friction->across ? 3 : 2};
    int chunks;
    *impact->report = (ts_impact_report){.finished = true, .passes = 1, .touched = n->count, .front = n->count};
    options.tolerance = onward_tolerance;
    onward.options = &options;
    TS_TRY(ts_array_reserve(&work->w_before, numbers, error));
    TS_TRY(ts_array_reserve(&work->islands, n->block_count, error));
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(ts_array_reserve(&work->size, all.kinds * n->count, error));
    TS_TRY(ts_swept_make(&onward, friction, &chunks, error));
    ts_impact_add_flight(impact, 1, impact->w);
    double *before = work->w_before.item;
    memcpy(before, impact->w, numbers * sizeof *before);
    set_islands(impact, NULL);
    take_guess(impact, friction, friction->z, friction->z_across);
    for (size_t i = 0; i < all.kinds * n->count; i++)
        work->size.item[i] = sqrt(ts_rows_square(all.row[i / n->count], i % n->count));
    all.size = work->size.item;
    TS_TRY(go_onward(&onward, friction, before, &all, chunks, sweeps_max, enough, error));
    weigh(impact, friction, before, friction->z, friction->z_across);
    keep_energy(impact, before, friction->z, friction->z_across);
    ts_impact_add_flight(impact, -1, impact->w);
    for (size_t i = 0; i < numbers; i++)
        impact->report->finished &= isfinite(impact->w[i]) != 0;
    return TS_OK;
}
