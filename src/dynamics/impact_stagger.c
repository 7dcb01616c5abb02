/* SPDX-License-Identifier: MIT */
/* Normals and friction until they agree. */
#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"

/* Staggered friction, as shares of the fastest rate: when it agrees, to what its programs are to be solved, and to
 * what they must be. */
static const double agree_tolerance = 1e-11, agree_solve = 1e-13, agree_solved = 1e-6;
/* After so many rounds without much of an improvement acceleration pauses, for the second number of rounds at first and
 * then for twice as many each time. In them bounds go at least this share of the way. */
static const uint64_t agree_patience = 12, agree_rest = 20;
static const double agree_improved = 0.9, agree_part_min = 1.0 / 16;

/* Rates below this share of the speeds that they are differences of are rounding: bodies that fly as one. */
static const double rounding = 1e-12;

/* The first rounds are solved to fewer digits: where there are no more, what is missing to agree is far larger. */
static const uint64_t quick_rounds = 3;
static const double quick_solve = 1e-9;
/* Where there is no room, contacts go on closing at about the fastest rate. Below this share of it a program without
 * friction has stalled near its solution. */
static const double room_from = 1e-4;

/* Where rounds run out, as shares of the fastest rate: what is too far from agreement, the change of a rate at which
 * sweeps end, and their number, at most. */
static const double polish_from = 1e-8, polish_tolerance = 1e-6;
static const uint64_t polish_sweeps = 200;

/* ---- Normals and friction that agree: inelastic ----
 *
 * Coulomb's bounds hang on what they are to bound. With the bounds of the round before, both kinds of impulses are
 * one convex program,
 *
 *     min ½ |w + G λ + D z|²   over  λ ≥ 0,  −β ≤ z ≤ β         then  β ← μ λ
 *
 * and where β = μ λ it is Coulomb's law. (Kaufman et al. 2008 solve for λ and for z by turns. That ends in the same
 * places, but on the way what sticks creeps there, by a share of the rest in each round.) The program's own optimum is
 * below what λ = z = 0 gives, so no round gains energy. */

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
static ts_status solve_both(coulomb *c, bool quick, ts_error *error)
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
    ts_qp_options how = {.tolerance = (quick ? quick_solve : agree_solve) * c->most,
                         .fair = c->impact->options->fair,
                         .pool = c->impact->options->pool};
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
 * lead, but only part of the way; that is slow, but rarely goes astray. */
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
        TS_TRY(solve_both(c, round <= quick_rounds, error));
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
    for (size_t k = 0; least <= polish_from && k < count; k++) {
        double bound = c->friction->mu[k] * work->best.item[k], *z = &work->best.item[count + k];
        *z = fmax(-bound, fmin(bound, *z));
    }
    take_up(c, work->best.item);
    report->finished = report->residual < agree_solved;
    return TS_OK;
}

/* ---- Where rounds run out ----
 *
 * The best round then has friction for bounds that are not quite μ λ. Sweeps over the contacts go on from there
 * (impact_sweeps.c): each contact gets Coulomb's law exactly while the others stay as they are, along both tangents in
 * space, so that |z| ≤ μ λ holds whenever they end. What they leave closing is opened by normal impulses for the
 * friction that there is,
 *
 *     min ½ |w + G δ|²   over  λ + δ ≥ |z| / μ
 *
 * which keeps friction within its bounds, gains no energy, and has no rates below zero. */

static double friction_of(const ts_impact_friction *friction, size_t k)
{
    return friction->across ? hypot(friction->z[k], friction->z_across[k]) : fabs(friction->z[k]);
}

/* Opens what closes faster than `least`, a rate over its row's size; w contains the flight. `fewer`: normal impulses
 * may also become smaller. */
static ts_status open_closing(const ts_impact *impact, const ts_impact_friction *friction, double least, bool fewer,
                              ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_qp qp;
    ts_qp_report found;
    double closing = 0;
    for (size_t k = 0; k < n->count; k++) {
        const double rate = ts_rows_rate(n, k, impact->w) + ts_impact_room(impact, k);
        if (rate < 0 && ts_rows_square(n, k) > 0)
            closing = fmax(closing, -rate / sqrt(ts_rows_square(n, k)));
    }
    if (closing <= least)
        return TS_OK;
    TS_TRY(ts_impact_prepare(work, n, error));
    TS_TRY(ts_impact_program(work, n, NULL, n->count, &qp, error));
    TS_TRY(ts_array_reserve(&work->low, n->count, error));
    for (size_t k = 0; k < n->count; k++) {
        const double size = work->size.item[k], z = friction_of(friction, k);
        const double needed = z > 0 ? z / friction->mu[k] : 0;
        work->linear.item[k] = (ts_rows_rate(n, k, impact->w) + ts_impact_room(impact, k)) / size;
        work->low.item[k] = fewer ? fmin(needed - impact->lambda[k], 0) * size : 0;
    }
    qp.low = work->low.item;
    const ts_qp_options how = {.tolerance = least, .fair = impact->options->fair, .pool = impact->options->pool};
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, work->y.item, &found, error));
    for (size_t k = 0; k < n->count; k++) {
        const double impulse = work->y.item[k] / work->size.item[k];
        impact->lambda[k] += impulse;
        ts_rows_push(n, k, impulse, impact->w);
    }
    impact->report->problems++;
    impact->report->iterations += found.iterations;
    impact->report->touched += n->count;
    if (!found.reached) { /* contacts are left closing */
        impact->report->disagreed = true;
        impact->report->disagreement = fmax(impact->report->disagreement, found.residual / closing);
    }
    return TS_OK;
}

/* How far impulses are from Coulomb's law, of normals and of friction along both tangents: the natural residual, over
 * the largest rate. */
static double law_residual(const coulomb *c)
{
    const ts_impact *impact = c->impact;
    const ts_impact_friction *friction = c->friction;
    const ts_rows *n = impact->rows, *t = friction->tangent, *x = friction->across;
    double worst = 0;
    for (size_t k = 0; k < n->count; k++) {
        const double size = sqrt(ts_rows_square(n, k)), along = sqrt(ts_rows_square(t, k)), lambda = impact->lambda[k];
        const double rate = ts_rows_rate(n, k, impact->w) + ts_impact_room(impact, k);
        const double z[2] = {friction->z[k] * along, x ? friction->z_across[k] * along : 0};
        if (size > 0)
            worst = fmax(worst, fabs(fmin(lambda * size, rate / size)));
        if (!(along > 0))
            continue;
        const double bound = friction->mu[k] * lambda * along;
        double to[2] = {z[0] - ts_rows_rate(t, k, impact->w) / along,
                        x ? z[1] - ts_rows_rate(x, k, impact->w) / along : 0};
        const double length = hypot(to[0], to[1]), share = length > bound ? bound / length : 1;
        worst = fmax(worst, hypot(z[0] - share * to[0], z[1] - share * to[1]));
    }
    return c->most > 0 ? worst / c->most : 0;
}

/* w with these impulses, after w_before. */
static void apply(const coulomb *c)
{
    const ts_impact_friction *friction = c->friction;
    const ts_rows *n = c->impact->rows;
    double *w = c->impact->w;
    memcpy(w, c->w_before, n->block_count * (size_t)n->dof * sizeof *w);
    for (size_t k = 0; k < n->count; k++) {
        ts_rows_push(n, k, c->impact->lambda[k], w);
        ts_rows_push(friction->tangent, k, friction->z[k], w);
        if (friction->across)
            ts_rows_push(friction->across, k, friction->z_across[k], w);
    }
}

/* Takes the guess instead of the best round if it is nearer to Coulomb's law: in a heap at rest it is what the last
 * step came to, and steps together come nearer than each. */
static void choose_start(coulomb *c)
{
    const ts_impact_friction *friction = c->friction;
    const size_t count = c->impact->rows->count;
    double *const part[3] = {c->impact->lambda, friction->z, friction->z_across}, *guess = c->impact->work->guess.item;
    if (!friction->warm)
        return;
    for (int swap = 0; swap < 2; swap++) { /* and back, if it is not */
        for (size_t i = 0; i < (friction->across ? 3 : 2); i++)
            for (size_t k = 0; k < count; k++) {
                const double other = guess[i * count + k];
                guess[i * count + k] = part[i][k];
                part[i][k] = other;
            }
        apply(c);
        if (law_residual(c) < c->impact->report->disagreement)
            return;
    }
}

static ts_status polish(coulomb *c, ts_error *error)
{
    const ts_impact *impact = c->impact;
    const ts_rows *n = impact->rows;
    ts_impact_options options = *impact->options;
    ts_impact_report swept;
    ts_impact sweeping = *impact;
    choose_start(c);
    for (size_t k = 0; k < n->count; k++) { /* sweeps pass over contacts that are open and have no normal impulse */
        const double z = friction_of(c->friction, k), most = c->friction->mu[k] * impact->lambda[k];
        if (!(z > most))
            continue;
        c->friction->z[k] *= most / z;
        if (c->friction->across)
            c->friction->z_across[k] *= most / z;
    }
    options.tolerance = polish_tolerance;
    sweeping.options = &options;
    sweeping.report = &swept;
    memcpy(impact->w, c->w_before, n->block_count * (size_t)n->dof * sizeof *impact->w);
    ts_impact_add_flight(impact, -1, impact->w);
    TS_TRY(ts_impact_sweep(&sweeping, c->friction, c->friction->z, polish_sweeps, error));
    ts_impact_add_flight(impact, 1, impact->w);
    impact->report->touched += swept.rounds * n->count;
    return open_closing(impact, c->friction, quick_solve * c->most, true, error);
}

static double fastest(const ts_impact *impact)
{
    double most = 0;
    for (size_t k = 0; k < impact->rows->count; k++)
        most = fmax(most, fabs(ts_rows_rate(impact->rows, k, impact->w)));
    return most;
}

static ts_status agree_inelastic(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t numbers = n->block_count * (size_t)n->dof;
    coulomb c = {.impact = impact, .friction = friction};
    TS_TRY(ts_array_reserve(&work->w_before, numbers, error));
    TS_TRY(ts_array_reserve(&work->bound, n->count, error));
    c.w_before = work->w_before.item;
    c.bound = work->bound.item;
    ts_impact_add_flight(impact, 1, impact->w);
    memcpy(c.w_before, impact->w, numbers * sizeof *c.w_before);

    /* without friction first: that gives the first bounds, and tells whether there is room at all */
    const double most = fastest(impact);
    TS_TRY(ts_impact_stop(impact, error));
    report->disagreed = !report->finished;
    report->disagreement = most > 0 ? report->closing / most : 0;
    report->finished |= report->disagreement < room_from;
    bool any = false;
    for (size_t k = 0; k < n->count; k++) {
        c.bound[k] = friction->mu[k] * impact->lambda[k] * sqrt(ts_rows_square(friction->tangent, k));
        any |= c.bound[k] > 0;
    }
    if (any && report->finished) {
        TS_TRY(ts_impact_join(work, n, friction->tangent, &c.both, error));
        for (size_t k = 0; k < n->count; k++)
            work->both_drift.item[k] += ts_impact_room(impact, k);
        TS_TRY(approach(&c, error));
        report->disagreement = law_residual(&c);
        if (report->disagreement > polish_from && report->finished) {
            TS_TRY(polish(&c, error));
            report->disagreement = law_residual(&c);
        }
        report->disagreed = report->disagreement > agree_tolerance;
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

/* Along the second tangent friction acts once, after the rounds, within what the cone leaves. */
static ts_status rub_across(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    ts_impact_report rubbed;
    for (size_t k = 0; k < impact->rows->count; k++) {
        const double most = friction->mu[k] * impact->lambda[k], z = friction->z[k];
        impact->work->bound.item[k] = sqrt(fmax(most * most - z * z, 0));
    }
    return ts_impact_rub_more(
        &(ts_impact){friction->across, impact->options, impact->work, impact->w, friction->z_across, &rubbed},
        impact->work->bound.item, error);
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
    const uint64_t rounds_max = friction->bounces_max > 0 ? friction->bounces_max : friction->rounds_max;
    for (uint64_t round = 1; round <= rounds_max; round++) {
        ts_impact_report struck = {.finished = true};
        TS_TRY(by->apply(&(ts_impact){n, impact->options, work, impact->w, impact->lambda, &struck}, error));
        report->passes += struck.passes;
        ts_impact_add_report(report, &struck);
        report->closing = struck.closing;
        if (!struck.finished)
            return TS_OK;
        double before = fastest_closing(impact);
        for (size_t k = 0; k < n->count; k++)
            work->bound.item[k] = friction->mu[k] * impact->lambda[k];
        TS_TRY(ts_impact_rub_more(&rub, work->bound.item, error));
        report->problems += rubbed.problems;
        report->iterations += rubbed.iterations;
        report->rounds = round;
        double closed = fastest_closing(impact) - before;
        report->disagreement = most > 0 ? fmax(closed, 0) / most : 0;
        report->disagreed = closed > slack;
        if (!report->disagreed)
            break;
    }
    return friction->across ? rub_across(impact, friction, error) : TS_OK;
}

/* Both halves: w⁺ = c w₁ + (1 − c) w₀ as without friction. Both keep to λ ≥ 0 and |z| ≤ μ λ, so the mixture does. */
static ts_status agree_mixed(const ts_impact *impact, const ts_impact_operator *by, const ts_impact_friction *friction,
                             ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    const size_t numbers = n->block_count * (size_t)n->dof, bytes = n->count * sizeof(double);
    TS_TRY(ts_array_reserve(&work->w_other, numbers, error));
    TS_TRY(ts_array_reserve(&work->lambda_other, n->count, error));
    TS_TRY(ts_array_reserve(&work->z_other, 2 * n->count, error));
    double *w = work->w_other.item, *lambda = work->lambda_other.item, *z = work->z_other.item;
    ts_impact_report report = {.finished = true};
    ts_impact_friction inelastic = *friction;
    inelastic.z = z;
    inelastic.z_across = friction->across ? z + n->count : NULL;
    memcpy(w, impact->w, numbers * sizeof *w);
    memset(lambda, 0, bytes);
    memset(z, 0, 2 * bytes);
    const ts_impact_options options = ts_impact_elastic(impact->options);
    ts_impact elastic = *impact;
    elastic.options = &options;
    TS_TRY(agree_elastic(&elastic, by, friction, error));
    impact->report->locked = ts_impact_give_up(impact);
    TS_TRY(agree_inelastic(&(ts_impact){n, impact->options, work, w, lambda, &report}, &inelastic, error));
    ts_impact_blend_blocks(impact, w, impact->w);
    ts_impact_blend_contacts(impact, lambda, impact->lambda);
    ts_impact_blend_contacts(impact, z, friction->z);
    if (friction->across) {
        ts_impact_blend_contacts(impact, inelastic.z_across, friction->z_across);
        memcpy(friction->z_across, inelastic.z_across, bytes);
    }
    ts_impact_add_report(impact->report, &report);
    memcpy(impact->w, w, numbers * sizeof *w);
    memcpy(impact->lambda, lambda, bytes);
    memcpy(friction->z, z, bytes);
    return ts_impact_rub_mixed(impact, friction, friction->z, error);
}

/* λ and z become a guess, and zero. */
static ts_status keep_guess(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    const size_t count = impact->rows->count;
    TS_TRY(ts_array_reserve(&impact->work->guess, 3 * count, error));
    double *const part[3] = {impact->lambda, friction->z, friction->z_across};
    for (size_t i = 0; i < (friction->across ? 3 : 2); i++) {
        memcpy(impact->work->guess.item + i * count, part[i], count * sizeof(double));
        memset(part[i], 0, count * sizeof(double));
    }
    return TS_OK;
}

/* |w| of what a contact touches. */
static double speed_of(const ts_rows *n, size_t k, const double *w)
{
    double square = 0;
    for (size_t d = 0; d < (size_t)n->dof; d++) {
        const double a = n->a[k] >= 0 ? w[(size_t)n->a[k] * (size_t)n->dof + d] : 0;
        const double b = n->b[k] >= 0 ? w[(size_t)n->b[k] * (size_t)n->dof + d] : 0;
        square += a * a + b * b;
    }
    return sqrt(square);
}

/* Whether no contact moves with these velocities: what their rates say is rounding. */
static bool are_one(const ts_rows *n, const double *w)
{
    for (size_t k = 0; k < n->count; k++)
        if (fabs(ts_rows_rate(n, k, w)) > rounding * sqrt(ts_rows_square(n, k)) * speed_of(n, k, w))
            return false;
    return true;
}

/* Bodies that touch and fly as one, as a stack that falls. */
static bool fly_as_one(const ts_impact *impact, const ts_impact_friction *friction)
{
    const ts_rows *row[3] = {impact->rows, friction->tangent, friction->across};
    bool one = true;
    for (size_t i = 0; i < (friction->across ? 3 : 2); i++) {
        ts_rows still = *row[i];
        still.drift = NULL;
        one &= are_one(row[i], impact->w) && (!impact->options->flight || are_one(&still, impact->options->flight));
    }
    return one;
}

ts_status ts_impact_stagger_inelastic(const ts_impact *impact, const ts_impact_friction *friction, ts_error *error)
{
    *impact->report = (ts_impact_report){.finished = true};
    TS_TRY(keep_guess(impact, friction, error));
    return agree_inelastic(impact, friction, error);
}

static ts_status stagger(const ts_impact *impact, const ts_impact_operator *by, const ts_impact_friction *friction,
                         ts_error *error)
{
    const ts_rows *n = impact->rows;
    const bool energetic = impact->options->model == TS_RESTITUTION_ENERGETIC;
    const double c = energetic ? impact->options->restitution : 1;
    double most = 0; /* rate, over its row's size */
    bool bounces = true;
    *impact->report = (ts_impact_report){.finished = true};
    if (n->count == 0)
        return TS_OK;
    TS_TRY(keep_guess(impact, friction, error));
    TS_TRY(ts_impact_check_start(n, impact->w, error));
    if (c < 1)
        TS_TRY(ts_impact_shares(impact, impact->w, c, &bounces, error));
    if (!bounces)
        return agree_inelastic(impact, friction, error);
    for (size_t k = 0; k < n->count; k++)
        if (ts_rows_square(n, k) > 0)
            most = fmax(most, fabs(ts_rows_rate(n, k, impact->w)) / sqrt(ts_rows_square(n, k)));
    TS_TRY((c < 1 ? agree_mixed : agree_elastic)(impact, by, friction, error));
    if (!impact->report->finished || by == &ts_impact_lcp) /* by whose law contacts may close */
        return TS_OK;
    if (c < 1)
        ts_impact_add_flight(impact, 1, impact->w);
    TS_TRY(open_closing(impact, friction, quick_solve * most, false, error));
    if (c < 1)
        ts_impact_add_flight(impact, -1, impact->w);
    return TS_OK;
}

ts_status ts_impact_stagger(const ts_impact *impact, const ts_impact_operator *by, const ts_impact_friction *friction,
                            ts_error *error)
{
    const bool one = fly_as_one(impact, friction);
    TS_TRY(stagger(impact, by, friction, error));
    if (one) { /* over rates that are rounding all shares are large */
        impact->report->disagreed = false;
        impact->report->disagreement = 0;
    }
    return TS_OK;
}
