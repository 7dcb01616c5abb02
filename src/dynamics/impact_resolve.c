/* SPDX-License-Identifier: MIT */
/* Restitution around an operator, friction after it, and both until they agree. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_check.h"
#include "dynamics/impact_work.h"

/* Of the fastest rate: to what the reflection of all locked contacts together must be solved. */
static const double turned_to = 1e-6;

static const double friction_tolerance = 1e-10, friction_nearly = 1e-4; /* of the fastest slip */

/* Staggered friction, as shares of the fastest rate: when it agrees, to what its programs are to be solved, and to
 * what they must be. */
static const double agree_tolerance = 1e-11, agree_solve = 1e-13, agree_solved = 1e-6;
/* After so many rounds without much of an improvement acceleration pauses, for the second number of rounds at first
 * and then for twice as many
 * each time. In them bounds go at least this share of the way. */
static const uint64_t agree_patience = 12, agree_rest = 20;
static const double agree_improved = 0.9, agree_part_min = 1.0 / 16;

static ts_status check(const ts_rows *n, const double *w, ts_error *error)
{
    for (size_t i = 0; i < n->block_count * (size_t)n->dof; i++)
        if (!isfinite(w[i]))
            return ts_fail(error, TS_DIVERGED, "an impact begins with a velocity of body %zu that is not finite",
                           i / (size_t)n->dof);
    return TS_OK;
}

static void add_report(ts_impact_report *to, const ts_impact_report *from)
{
    to->finished &= from->finished;
    to->touched += from->touched;
    to->problems += from->problems;
    to->iterations += from->iterations;
    to->front = from->front > to->front ? from->front : to->front;
    to->closing = fmax(to->closing, from->closing);
    to->residual = fmax(to->residual, from->residual);
    to->rounds = from->rounds > to->rounds ? from->rounds : to->rounds;
    to->disagreed |= from->disagreed;
    to->disagreement = fmax(to->disagreement, from->disagreement);
}

/* Inelastic, by the linear complementarity, w with the flight in it. */
static ts_status stop(const ts_impact *impact, ts_error *error)
{
    ts_impact_options options = *impact->options;
    ts_rows n = *impact->rows;
    ts_impact_work *work = impact->work;
    options.restitution = 0;
    options.model = TS_RESTITUTION_NEWTONIAN;
    if (options.room || options.wait) {
        TS_TRY(ts_array_reserve(&work->drift_other, n.count, error));
        for (size_t k = 0; k < n.count; k++)
            work->drift_other.item[k] = (n.drift ? n.drift[k] : 0) + ts_impact_room(impact, k);
        n.drift = work->drift_other.item;
        options.wait = NULL;
    }
    return ts_impact_lcp.apply(&(ts_impact){&n, &options, work, impact->w, impact->lambda, impact->report}, error);
}

/* What is locked in, as a grain that hooks into others, cannot bounce: elastic reflections do not end there. Returns
 * whether that is so. */
static bool give_up(const ts_impact *impact)
{
    if (impact->options->give_up == 0 || impact->report->finished)
        return false;
    ts_impact_lock(impact);
    impact->report->finished = true;
    return true;
}

/* With c = 1 what is locked in must keep its energy, but reflections one after the other have no end. So it is
 * reflected once, all its contacts
 * together: w⁺ = 2 w₀ − w⁻ with the inelastic w₀. That turns the rates of contacts that hold each other round; those
 * that close by it are left to
 * the next step. `before`: w⁻. */
static ts_status turn_round(const ts_impact *impact, const double *before, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t dof = (size_t)n->dof;
    const double earlier = report->residual;
    bool jammed;
    TS_TRY(ts_impact_jammed(impact, NULL, &jammed, error));
    if (jammed)
        return TS_OK;
    TS_TRY(ts_impact_find_islands(work, n, error));
    TS_TRY(ts_array_reserve(&work->locked, n->block_count, error));
    char *locked = work->locked.item; /* at the numbers of roots */
    memset(locked, 0, n->block_count * sizeof *locked);
    for (size_t i = 0; i < work->closing.count; i++)
        locked[work->root.item[ts_impact_mover(n, (size_t)work->closing.item[i])]] = true;
    for (size_t i = 0; i < n->block_count; i++)
        if (locked[work->root.item[i]])
            memcpy(impact->w + dof * i, before + dof * i, dof * sizeof *before);
    work->closing.count = 0;
    for (size_t k = 0; k < n->count; k++) {
        const int32_t block = ts_impact_mover(n, k);
        if (block < 0 || !locked[work->root.item[block]])
            continue;
        impact->lambda[k] = 0;
        if (ts_impact_wait(impact, k) == 0)
            work->closing.item[work->closing.count++] = (int32_t)k;
    }
    report->residual = 0;
    TS_TRY(ts_impact_reflect(impact, 1, error));
    report->finished = report->residual < turned_to;
    report->residual = fmax(report->residual, earlier);
    report->locked = true;
    report->closing = 0;
    return TS_OK;
}

/* c = 1, for its own sake: of the elastic half of another impact (may_lock) whoever asks for it takes care. */
static ts_status bounce(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    if (by != &ts_impact_gr || impact->options->give_up == 0 || impact->options->may_lock)
        return by->apply(impact, error);
    ts_impact_work *work = impact->work;
    const size_t numbers = impact->rows->block_count * (size_t)impact->rows->dof;
    const ts_impact_options options = ts_impact_elastic(impact->options);
    ts_impact elastic = *impact;
    elastic.options = &options;
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    memcpy(work->w_other.item, impact->w, numbers * sizeof *impact->w);
    TS_TRY(by->apply(&elastic, error));
    return impact->report->finished ? TS_OK : turn_round(&elastic, work->w_other.item, error);
}

/* w⁺ = c w₁ + (1 − c) w₀: rates are linear in w, so both being ≥ 0 makes the mixture so; and energy is convex. */
static ts_status mix(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    size_t numbers = n->block_count * (size_t)n->dof;
    double c = impact->options->restitution;
    bool bounces;
    if (c == 1)
        return bounce(impact, by, error);
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    TS_TRY(ts_array_reserve(&work->lambda_other, n->count, error));
    double *w = work->w_other.item, *lambda = work->lambda_other.item;
    memcpy(w, impact->w, numbers * sizeof *w);
    memset(lambda, 0, n->count * sizeof *lambda);
    TS_TRY(ts_impact_shares(impact, w, c, &bounces, error));
    if (bounces) {
        const ts_impact_options options = ts_impact_elastic(impact->options);
        ts_impact elastic = *impact;
        elastic.options = &options;
        TS_TRY(by->apply(&elastic, error));
    }
    bool locked = give_up(impact);
    ts_impact_report report = {0};
    ts_impact_add_flight(impact, 1, w);
    TS_TRY(stop(&(ts_impact){n, impact->options, work, w, lambda, &report}, error));
    ts_impact_add_flight(impact, -1, w);
    if (bounces) {
        add_report(impact->report, &report);
        ts_impact_blend_blocks(impact, w, impact->w);
        ts_impact_blend_contacts(impact, lambda, impact->lambda);
    } else
        *impact->report = report;
    impact->report->locked = locked;
    memcpy(impact->w, w, numbers * sizeof *w);
    memcpy(impact->lambda, lambda, n->count * sizeof *lambda);
    return TS_OK;
}

ts_status ts_impact_resolve(const ts_impact *impact, const ts_impact_operator *by, ts_error *error)
{
    const ts_rows *n = impact->rows;
    *impact->report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, n->count * sizeof *impact->lambda);
    TS_TRY(check(n, impact->w, error));
    if (impact->options->model == TS_RESTITUTION_ENERGETIC)
        return mix(impact, by, error);
    return by->apply(impact, error);
}

/* ---- Friction ---- */

/* Adds to the z that there are. */
static ts_status rub_more(const ts_impact *impact, const double *bound, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    ts_qp qp;
    ts_qp_report found;
    double most = 0;
    *report = (ts_impact_report){.finished = true};
    TS_TRY(ts_impact_prepare(work, n, error));
    TS_TRY(ts_impact_program(work, n, NULL, n->count, &qp, error));
    TS_TRY(ts_array_reserve(&work->low, n->count, error));
    TS_TRY(ts_array_reserve(&work->high, n->count, error));
    for (size_t k = 0; k < n->count; k++) {
        double size = work->size.item[k], z = impact->lambda[k];
        work->linear.item[k] = ts_rows_rate(n, k, impact->w) / size;
        work->high.item[k] = (bound[k] - z) * size;
        work->low.item[k] = (-bound[k] - z) * size;
        most = fmax(most, fabs(work->linear.item[k]));
    }
    qp.low = work->low.item;
    qp.high = work->high.item;
    const ts_impact_options *options = impact->options;
    ts_qp_options how = {.tolerance = (options->nearly ? friction_nearly : friction_tolerance) * most,
                         .fair = options->fair && !options->nearly,
                         .quick = options->nearly,
                         .pool = options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    for (size_t k = 0; k < n->count; k++) {
        double impulse = work->y.item[k] / work->size.item[k];
        impact->lambda[k] += impulse;
        ts_rows_push(n, k, impulse, impact->w);
    }
    report->finished = found.reached;
    report->passes = 1;
    report->problems = 1;
    report->iterations = found.iterations;
    report->touched = report->front = n->count;
    report->residual = most > 0 ? found.residual / most : 0;
    return TS_OK;
}

ts_status ts_impact_rub(const ts_impact *impact, const double *bound, ts_error *error)
{
    *impact->report = (ts_impact_report){.finished = true};
    if (impact->rows->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, impact->rows->count * sizeof *impact->lambda);
    return rub_more(impact, bound, error);
}

/* ---- Normals and friction that agree: inelastic ----
 *
 * Coulomb's bounds hang on what they are to bound. With the bounds of the round before, both kinds of impulses are
 * one convex program,
 *
 *     min ½ |w + G λ + D z|²   over  λ ≥ 0,  −β ≤ z ≤ β         then  β ← μ λ
 *
 * and where β = μ λ it is Coulomb's law. (Kaufman et al. 2008 solve for λ and for z by turns. That ends in the same
 * places, but on the way
 * what sticks creeps there, by a share of the rest in each round.) The program's own optimum is below what λ = z = 0
 * gives, so no round
 * gains energy. */

/* One try. */
typedef struct coulomb {
    const ts_impact *impact; /* its λ and w are written */
    const ts_impact_friction *friction;
    ts_rows both;     /* rows along normals, then along tangents */
    double *w_before; /* (block_count · dof) */
    double *bound;    /* β times the size of its row: a velocity (count) */
    double most;      /* largest |rate| before, over its row's size */
    double residual;  /* of the last program, over that */
    uint64_t idle;    /* rounds without much of an improvement */
    uint64_t plain;   /* rounds to go without acceleration, … */
    uint64_t rest;    /* … how many there will be the next time, … */
    double part;      /* … and the share of the way that bounds then go */
} coulomb;

ts_status ts_impact_join(ts_impact_work *work, const ts_rows *n, const ts_rows *t, ts_rows *both, ts_error *error)
{
    const size_t count = n->count, rows = count * (size_t)n->dof;
    TS_TRY(ts_array_reserve(&work->both_a, 2 * count, error));
    TS_TRY(ts_array_reserve(&work->both_b, 2 * count, error));
    TS_TRY(ts_array_reserve(&work->both_ga, 2 * rows, error));
    TS_TRY(ts_array_reserve(&work->both_gb, 2 * rows, error));
    TS_TRY(ts_array_reserve(&work->both_drift, 2 * count, error));
    const ts_rows *part[2] = {n, t};
    for (size_t i = 0; i < 2; i++) {
        memcpy(work->both_a.item + i * count, part[i]->a, count * sizeof *n->a);
        memcpy(work->both_b.item + i * count, part[i]->b, count * sizeof *n->b);
        memcpy(work->both_ga.item + i * rows, part[i]->ga, rows * sizeof *n->ga);
        memcpy(work->both_gb.item + i * rows, part[i]->gb, rows * sizeof *n->gb);
        for (size_t k = 0; k < count; k++)
            work->both_drift.item[i * count + k] = part[i]->drift ? part[i]->drift[k] : 0;
    }
    *both = (ts_rows){2 * count,          n->block_count,       n->dof,
                      work->both_a.item,  work->both_b.item,    work->both_ga.item,
                      work->both_gb.item, work->both_drift.item};
    return TS_OK;
}

/* w, λ and z of these impulses, along normals and then along tangents. */
static void take_up(const coulomb *c, const double *impulse)
{
    const ts_rows *n = &c->both;
    const size_t count = n->count / 2;
    memcpy(c->impact->w, c->w_before, n->block_count * (size_t)n->dof * sizeof *c->w_before);
    memcpy(c->impact->lambda, impulse, count * sizeof *impulse);
    memcpy(c->friction->z, impulse + count, count * sizeof *impulse);
    for (size_t k = 0; k < n->count; k++)
        ts_rows_push(n, k, impulse[k], c->impact->w);
}

/* One round: both kinds for these bounds. Impulses are left in work->y. */
static ts_status solve_both(coulomb *c, ts_error *error)
{
    const ts_rows *n = &c->both;
    const size_t count = n->count / 2;
    ts_impact_work *work = c->impact->work;
    ts_impact_report *report = c->impact->report;
    ts_qp qp;
    ts_qp_report found;
    TS_TRY(ts_array_reserve(&work->low, n->count, error));
    TS_TRY(ts_array_reserve(&work->high, n->count, error));
    TS_TRY(ts_impact_program(work, n, NULL, n->count, &qp, error));
    c->most = 0;
    for (size_t k = 0; k < n->count; k++) {
        double size = work->size.item[k];
        work->linear.item[k] = ts_rows_rate(n, k, c->w_before) / size;
        work->high.item[k] = k < count ? HUGE_VAL : c->bound[k - count];
        work->low.item[k] = k < count ? 0 : -work->high.item[k];
        c->most = fmax(c->most, fabs(work->linear.item[k]));
    }
    qp.low = work->low.item;
    qp.high = work->high.item;
    ts_qp_options how = {
        .tolerance = agree_solve * c->most, .fair = c->impact->options->fair, .pool = c->impact->options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    for (size_t k = 0; k < n->count; k++)
        work->y.item[k] /= work->size.item[k];
    take_up(c, work->y.item);
    report->problems++;
    report->iterations += found.iterations;
    report->touched += n->count;
    c->residual = c->most > 0 ? found.residual / c->most : 0;
    return TS_OK;
}

/* How far z is from what Coulomb allows for this λ and leaves to choose: the natural residual with the true bounds,
 * over the largest rate. */
static double disagreement(const coulomb *c)
{
    const ts_rows *t = c->friction->tangent;
    double worst = 0;
    for (size_t k = 0; k < t->count; k++) {
        double size = c->impact->work->size.item[t->count + k];
        double bound = c->friction->mu[k] * c->impact->lambda[k] * size, z = c->friction->z[k] * size;
        double without = z - ts_rows_rate(t, k, c->impact->w) / size;
        worst = fmax(worst, fabs(z - fmax(-bound, fmin(bound, without))));
    }
    return c->most > 0 ? worst / c->most : 0;
}

/* The next bounds. Acceleration has to be watched: where it gets nowhere for long, bounds go for a while where they
 * lead, but only part of
 * the way; that is slow, but rarely goes astray. */
static void move_bounds(coulomb *c)
{
    ts_impact_work *work = c->impact->work;
    const size_t count = c->friction->tangent->count;
    double *f = work->gain.item;
    for (size_t k = 0; k < count; k++)
        f[k] = c->friction->mu[k] * c->impact->lambda[k] * work->size.item[count + k] - c->bound[k];
    if (c->idle > agree_patience) {
        c->part = fmax(c->part / 2, agree_part_min);
        c->idle = 0;
        if (c->plain == 0) {
            ts_anderson_restart(&work->anderson);
            c->plain = c->rest;
            c->rest *= 2;
        }
    }
    if (c->plain == 0)
        ts_anderson_step(&work->anderson, f, 1, c->bound);
    for (size_t k = 0; k < count; k++)
        c->bound[k] = fmax(c->plain > 0 ? c->bound[k] + c->part * f[k] : c->bound[k], 0);
    c->plain -= c->plain > 0;
}

/* Round after round. */
static ts_status approach(coulomb *c, ts_error *error)
{
    const size_t count = c->friction->tangent->count;
    ts_impact_work *work = c->impact->work;
    ts_impact_report *report = c->impact->report;
    double least = HUGE_VAL;
    TS_TRY(ts_array_reserve(&work->best, 2 * count, error));
    TS_TRY(ts_array_reserve(&work->gain, count, error));
    TS_TRY(ts_anderson_begin(&work->anderson, count, error));
    c->part = 1;
    c->rest = agree_rest;
    for (uint64_t round = 1;; round++) {
        TS_TRY(solve_both(c, error));
        double now = disagreement(c);
        if (c->residual > agree_solved) /* of no use */
            now = fmax(now, c->residual);
        c->idle = now < agree_improved * least ? 0 : c->idle + 1;
        if (now < least) {
            least = now;
            report->residual = c->residual;
            memcpy(work->best.item, work->y.item, 2 * count * sizeof *work->best.item);
        }
        report->rounds = round;
        report->disagreement = least;
        report->disagreed = !(least <= agree_tolerance);
        if (!report->disagreed || round >= c->friction->rounds_max)
            break;
        move_bounds(c);
    }
    /* the last digits of the bounds, if that is all that is missing */
    for (size_t k = 0; !report->disagreed && k < count; k++) {
        double bound = c->friction->mu[k] * work->best.item[k], *z = &work->best.item[count + k];
        *z = fmax(-bound, fmin(bound, *z));
    }
    take_up(c, work->best.item);
    report->finished = report->residual < agree_solved;
    return TS_OK;
}

static ts_status agree_inelastic(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    const size_t numbers = n->block_count * (size_t)n->dof;
    coulomb c = {.impact = impact, .friction = friction};
    TS_TRY(ts_array_reserve(&work->w_before, numbers, error));
    TS_TRY(ts_array_reserve(&work->bound, n->count, error));
    c.w_before = work->w_before.item;
    c.bound = work->bound.item;
    ts_impact_add_flight(impact, 1, impact->w);
    memcpy(c.w_before, impact->w, numbers * sizeof *c.w_before);

    /* without friction first: that gives the first bounds, and tells whether there is room at all */
    TS_TRY(stop(impact, error));
    bool any = false;
    for (size_t k = 0; k < n->count; k++) {
        c.bound[k] = friction->mu[k] * impact->lambda[k] * sqrt(ts_rows_square(friction->tangent, k));
        any |= c.bound[k] > 0;
    }
    if (any && impact->report->finished) {
        TS_TRY(ts_impact_join(work, n, friction->tangent, &c.both, error));
        for (size_t k = 0; k < n->count; k++)
            work->both_drift.item[k] += ts_impact_room(impact, k);
        TS_TRY(approach(&c, error));
    }
    ts_impact_add_flight(impact, -1, impact->w);
    return TS_OK;
}

/* ---- The same, elastic: what friction closes is struck again ---- */

static double fastest_closing(const ts_impact *impact)
{
    double most = 0;
    for (size_t k = 0; k < impact->rows->count; k++)
        most = fmax(most, -ts_rows_rate(impact->rows, k, impact->w) - ts_impact_wait(impact, k));
    return most;
}

static double fastest(const ts_impact *impact)
{
    double most = 0;
    for (size_t k = 0; k < impact->rows->count; k++)
        most = fmax(most, fabs(ts_rows_rate(impact->rows, k, impact->w)));
    return most;
}

static ts_status agree_elastic(const ts_impact *impact, const ts_impact_operator *by,
                               const ts_impact_friction *friction, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report, rubbed;
    const ts_impact rub = {friction->tangent, impact->options, work, impact->w, friction->z, &rubbed};
    TS_TRY(ts_array_reserve(&work->bound, n->count, error));
    double slack = ts_impact_threshold(impact), most = fastest(impact);
    for (uint64_t round = 1; round <= friction->rounds_max; round++) {
        ts_impact_report struck = {.finished = true};
        TS_TRY(by->apply(&(ts_impact){n, impact->options, work, impact->w, impact->lambda, &struck}, error));
        report->passes += struck.passes;
        add_report(report, &struck);
        report->closing = struck.closing;
        if (!struck.finished)
            return TS_OK;
        double before = fastest_closing(impact);
        for (size_t k = 0; k < n->count; k++)
            work->bound.item[k] = friction->mu[k] * impact->lambda[k];
        TS_TRY(rub_more(&rub, work->bound.item, error));
        report->problems += rubbed.problems;
        report->iterations += rubbed.iterations;
        report->rounds = round;
        double closed = fastest_closing(impact) - before;
        report->disagreement = most > 0 ? fmax(closed, 0) / most : 0;
        report->disagreed = closed > slack;
        if (!report->disagreed)
            break;
    }
    return TS_OK;
}

ts_status ts_impact_stagger(const ts_impact *impact, const ts_impact_operator *by, const ts_impact_friction *friction,
                            ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    const size_t numbers = n->block_count * (size_t)n->dof;
    const bool energetic = impact->options->model == TS_RESTITUTION_ENERGETIC;
    double c = energetic ? impact->options->restitution : 1;
    *impact->report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    memset(impact->lambda, 0, n->count * sizeof *impact->lambda);
    memset(friction->z, 0, n->count * sizeof *friction->z);
    TS_TRY(check(n, impact->w, error));
    if (c == 1)
        return agree_elastic(impact, by, friction, error);
    bool bounces;
    TS_TRY(ts_impact_shares(impact, impact->w, c, &bounces, error));
    if (!bounces)
        return agree_inelastic(impact, friction, error);

    /* w⁺ = c w₁ + (1 − c) w₀ as without friction: both halves keep to λ ≥ 0, |z| ≤ μ λ and rates ≥ 0, so the mixture
     * does */
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    TS_TRY(ts_array_reserve(&work->lambda_other, n->count, error));
    TS_TRY(ts_array_reserve(&work->z_other, n->count, error));
    double *w = work->w_other.item, *lambda = work->lambda_other.item, *z = work->z_other.item;
    ts_impact_report report = {.finished = true};
    ts_impact_friction inelastic = *friction;
    inelastic.z = z;
    memcpy(w, impact->w, numbers * sizeof *w);
    memset(lambda, 0, n->count * sizeof *lambda);
    memset(z, 0, n->count * sizeof *z);
    const ts_impact_options options = ts_impact_elastic(impact->options);
    ts_impact elastic = *impact;
    elastic.options = &options;
    TS_TRY(agree_elastic(&elastic, by, friction, error));
    impact->report->locked = give_up(impact);
    TS_TRY(agree_inelastic(&(ts_impact){n, impact->options, work, w, lambda, &report}, &inelastic, error));
    ts_impact_blend_blocks(impact, w, impact->w);
    ts_impact_blend_contacts(impact, lambda, impact->lambda);
    ts_impact_blend_contacts(impact, z, friction->z);
    add_report(impact->report, &report);
    memcpy(impact->w, w, numbers * sizeof *w);
    memcpy(impact->lambda, lambda, n->count * sizeof *lambda);
    memcpy(friction->z, z, n->count * sizeof *z);
    return TS_OK;
}
