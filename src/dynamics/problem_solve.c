/* SPDX-License-Identifier: MIT */
#include "dynamics/problem_solve.h"

#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"
#include "solve/anderson.h"

ts_status ts_solution_create(ts_solution *s, const ts_problem *p, ts_error *error)
{
    size_t numbers = p->block_count * (size_t)p->dof;
    ts_solution_free(s);
    s->v = ts_arena_alloc(&s->memory, numbers + 1, sizeof *s->v);
    s->u = ts_arena_alloc(&s->memory, (size_t)p->rows * p->count + 1, sizeof *s->u);
    s->r = ts_arena_alloc(&s->memory, (size_t)p->rows * p->count + 1, sizeof *s->r);
    if (s->v && s->u && s->r)
        return TS_OK;
    ts_solution_free(s);
    return ts_fail_memory(error, (numbers + 2 * (size_t)p->rows * p->count) * sizeof *s->v);
}

void ts_solution_free(ts_solution *s)
{
    ts_arena_free(&s->memory);
    *s = (ts_solution){0};
}

double ts_problem_shift(const ts_problem *p, size_t k)
{
    ts_rows normal = ts_problem_rows(p);
    return p->drift[k] + (p->restitution > 0 ? p->restitution * ts_rows_rate(&normal, k, p->w) : 0);
}

/* A problem of space is solved when it is no farther from the laws than this share of the fastest rate. */
static const double space_tolerance = 1e-6;
/* The fewest digits that sweeps of space leave out: rates change by no more than this share of the fastest in the
 * last one. */
static const double sweep_tolerance = 1e-12;

/* Scratch of one solve. */
typedef struct scratch {
    double *w, *lambda, *z, *z_across, *drift;
    ts_arena memory;
} scratch;

static ts_status make_scratch(scratch *s, const ts_problem *p, ts_error *error)
{
    size_t numbers = p->block_count * (size_t)p->dof;
    *s = (scratch){0};
    s->w = ts_arena_alloc(&s->memory, numbers + 1, sizeof *s->w);
    double **const single[] = {&s->lambda, &s->z, &s->z_across, &s->drift};
    bool got = s->w;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
        *single[i] = ts_arena_alloc(&s->memory, p->count + 1, sizeof **single[i]);
        got = got && *single[i];
    }
    if (!got)
        return ts_fail_memory(error, (numbers + 4 * p->count) * sizeof *s->w);
    if (numbers > 0)
        memcpy(s->w, p->w, numbers * sizeof *s->w);
    for (size_t k = 0; k < p->count; k++)
        s->drift[k] = ts_problem_shift(p, k);
    return TS_OK;
}

/* Along normals with what restitution adds, and along tangents. */
static ts_rows along_of(const ts_problem *p, const scratch *s, int row)
{
    ts_rows along = ts_problem_along(p, row);
    if (row == 0)
        along.drift = s->drift;
    return along;
}

/* ---- Space: sweeps, accelerated ---- */

/* Sweeps between two extrapolations; even, since they go forwards and backwards by turns. */
#define SWEEPS_AT_ONCE 40

/* Sweeps that still change this many times as much as the best did have gone astray. */
static const double astray = 10;

/* Sweeps in progress. */
typedef struct swept {
    const ts_problem *p;
    scratch *s;
    ts_impact impact;
    ts_impact_friction friction;
    ts_impact_report report;
    double *x, *f, *best; /* impulses of all contacts: λ, then z, then z across (3 · count) */
    double least;         /* what sweeps still changed from `best` on */
    uint64_t sweeps;      /* so far */
} swept;

static void take_impulses(const swept *t, const double *x)
{
    const size_t n = t->p->count;
    memcpy(t->s->lambda, x, n * sizeof *x);
    memcpy(t->s->z, x + n, n * sizeof *x);
    memcpy(t->s->z_across, x + 2 * n, n * sizeof *x);
}

/* Back into the cone, where an extrapolation may have left it. */
static void into_cones(const ts_problem *p, double *x)
{
    const size_t n = p->count;
    for (size_t k = 0; k < n; k++) {
        x[k] = fmax(x[k], 0);
        const double length = hypot(x[n + k], x[2 * n + k]), most = p->friction[k] * x[k];
        const double share = length > most ? most / length : 1;
        x[n + k] *= share;
        x[2 * n + k] *= share;
    }
}

/* Some sweeps from x on: f becomes by how much they changed it. */
static ts_status sweep_some(swept *t, uint64_t count, ts_error *error)
{
    const size_t n = t->p->count;
    memcpy(t->s->w, t->p->w, t->p->block_count * (size_t)t->p->dof * sizeof *t->s->w);
    take_impulses(t, t->x);
    TS_TRY(ts_impact_sweep(&t->impact, &t->friction, t->s->z, count, error));
    for (size_t k = 0; k < n; k++) {
        t->f[k] = t->s->lambda[k] - t->x[k];
        t->f[n + k] = t->s->z[k] - t->x[n + k];
        t->f[2 * n + k] = t->s->z_across[k] - t->x[2 * n + k];
    }
    return TS_OK;
}

static ts_status sweep_all(swept *t, ts_anderson *anderson, uint64_t rounds, ts_error *error)
{
    const size_t numbers = 3 * t->p->count;
    uint64_t plain = 0, alone = 1; /* rounds without extrapolation: still to go, and as many the last time */
    t->least = HUGE_VAL;
    TS_TRY(ts_anderson_begin(anderson, numbers, error));
    for (;;) {
        const uint64_t left = rounds - t->sweeps;
        TS_TRY(sweep_some(t, left < SWEEPS_AT_ONCE ? left : SWEEPS_AT_ONCE, error));
        t->sweeps += t->report.rounds;
        const bool better = t->report.disagreement < t->least;
        if (better) {
            t->least = t->report.disagreement;
            for (size_t i = 0; i < numbers; i++)
                t->best[i] = t->x[i] + t->f[i];
        }
        if (!t->report.finished || !t->report.disagreed || t->sweeps >= rounds)
            return TS_OK;
        if (plain == 0 && t->report.disagreement > astray * t->least) {
            /* back to the best, and on from there by sweeps alone, longer each time, before it is tried again */
            memcpy(t->x, t->best, numbers * sizeof *t->x);
            ts_anderson_restart(anderson);
            plain = alone = 2 * alone;
            continue;
        }
        if (plain > 0) {
            plain--;
            for (size_t i = 0; i < numbers; i++)
                t->x[i] += t->f[i];
            continue;
        }
        ts_anderson_step(anderson, t->f, 1, t->x);
        into_cones(t->p, t->x);
    }
}

/* Nonlinear Gauss–Seidel converges slowly where contacts are redundant; Anderson's acceleration of it needs some
 * tens of times fewer sweeps. */
static ts_status solve_space(const ts_problem *p, scratch *s, ts_impact impact, ts_impact_friction friction,
                             uint64_t rounds, ts_error *error)
{
    ts_anderson anderson = {0};
    const size_t numbers = 3 * p->count;
    ts_impact_report *to = impact.report;
    swept t = {.p = p, .s = s, .impact = impact, .friction = friction};
    t.impact.report = &t.report;
    t.x = ts_arena_alloc(&s->memory, numbers + 1, sizeof *t.x);
    t.f = ts_arena_alloc(&s->memory, numbers + 1, sizeof *t.f);
    t.best = ts_arena_alloc(&s->memory, numbers + 1, sizeof *t.best);
    if (!t.x || !t.f || !t.best)
        return ts_fail_memory(error, 3 * numbers * sizeof *t.x);
    ts_status status = sweep_all(&t, &anderson, rounds, error);
    ts_anderson_free(&anderson);
    TS_TRY(status);
    *to = t.report;
    to->rounds = t.sweeps;
    take_impulses(&t, t.best);
    memcpy(s->w, p->w, p->block_count * (size_t)p->dof * sizeof *s->w);
    const double *impulse[3] = {s->lambda, s->z, s->z_across};
    for (int d = 0; d < 3; d++) {
        const ts_rows along = along_of(p, s, d);
        for (size_t k = 0; k < p->count; k++)
            ts_rows_push(&along, k, impulse[d][k], s->w);
    }
    return TS_OK;
}

static ts_status solve(const ts_problem *p, scratch *s, uint64_t rounds, ts_pool *pool, ts_impact_report *report,
                       ts_error *error)
{
    ts_impact_work *work;
    ts_impact_options options = {.fair = true, .pool = pool};
    const ts_rows normal = along_of(p, s, 0), tangent = along_of(p, s, 1), across = along_of(p, s, 2);
    ts_impact_friction friction = {.tangent = &tangent, .mu = p->friction, .z = s->z, .rounds_max = rounds};
    TS_TRY(ts_impact_work_create(&work, error));
    const ts_impact impact = {&normal, &options, work, s->w, s->lambda, report};
    ts_status status;
    if (p->rows == 2) {
        status = ts_impact_stagger(&impact, ts_impact_find("lcp"), &friction, error);
    } else {
        options.tolerance = sweep_tolerance;
        friction.across = &across;
        friction.z_across = s->z_across;
        status = solve_space(p, s, impact, friction, rounds, error);
    }
    ts_impact_work_free(work);
    return status;
}

static void fill(const ts_problem *p, const scratch *s, ts_solution *solution)
{
    const double *impulse[3] = {s->lambda, s->z, s->z_across};
    const size_t rows = (size_t)p->rows;
    for (size_t i = 0; i < p->block_count * (size_t)p->dof; i++)
        solution->v[i] = p->root[i] * s->w[i];
    for (size_t d = 0; d < rows; d++) {
        const ts_rows along = along_of(p, s, (int)d);
        for (size_t k = 0; k < p->count; k++) {
            solution->r[rows * k + d] = impulse[d][k];
            solution->u[rows * k + d] = ts_rows_rate(&along, k, s->w);
        }
    }
}

/* ---- Residuals ---- */

/* How far an impulse along the surface is from the nearest of those that friction may have, when it goes against u;
 * as velocities. */
static double friction_residual(const double *rub, const double *u, size_t count, double bound)
{
    double length = 0, off = 0;
    for (size_t d = 0; d < count; d++)
        length += (rub[d] - u[d]) * (rub[d] - u[d]);
    const double share = sqrt(length) > bound ? bound / sqrt(length) : 1;
    for (size_t d = 0; d < count; d++) {
        const double miss = rub[d] - share * (rub[d] - u[d]);
        off += miss * miss;
    }
    return sqrt(off);
}

/* One contact; `along` are the instants of its rows. */
static void measure_contact(const ts_problem *p, const scratch *s, const ts_solution *solution, size_t k,
                            const ts_rows along[3], ts_residuals *to)
{
    const size_t rows = (size_t)p->rows;
    const double *r = solution->r + rows * k;
    double u[3] = {0}, rub[2] = {0}, own = 0, friction = 0;
    for (size_t d = 0; d < rows; d++) {
        u[d] = ts_rows_rate(&along[d], k, s->w);
        to->balance = fmax(to->balance, fabs(u[d] - solution->u[rows * k + d]));
        if (d > 0) {
            own = fmax(own, ts_rows_square(&along[d], k)); /* one unit for both tangents */
            friction += r[d] * r[d];
        }
    }
    for (size_t d = 1; d < rows; d++)
        rub[d - 1] = own * r[d];
    to->closing = fmax(to->closing, -u[0]);
    to->complementarity = fmax(to->complementarity, fabs(fmin(ts_rows_square(&along[0], k) * r[0], u[0])));
    to->friction = fmax(to->friction, friction_residual(rub, u + 1, rows - 1, own * p->friction[k] * fmax(r[0], 0)));
    to->cone = fmax(to->cone, sqrt(friction) - p->friction[k] * r[0]);
}

static void measure(const ts_problem *p, const scratch *s, const ts_solution *solution, ts_residuals *to)
{
    const ts_rows along[3] = {along_of(p, s, 0), along_of(p, s, 1), along_of(p, s, 2)};
    double largest = 0;
    for (size_t k = 0; k < p->count; k++) {
        largest = fmax(largest, solution->r[(size_t)p->rows * k]);
        measure_contact(p, s, solution, k, along, to);
    }
    for (size_t i = 0; i < p->block_count * (size_t)p->dof; i++)
        to->balance = fmax(to->balance, fabs(p->root[i] * s->w[i] - solution->v[i]));
    to->cone = largest > 0 ? to->cone / largest : to->cone;
}

/* The fastest rate before, and w after the solution's impulses. */
static double push_all(const ts_problem *p, scratch *s, const ts_solution *solution)
{
    double fastest = 0;
    for (int d = 0; d < p->rows; d++) {
        const ts_rows along = along_of(p, s, d);
        for (size_t k = 0; k < p->count; k++)
            fastest = fmax(fastest, fabs(ts_rows_rate(&along, k, p->w)));
        for (size_t k = 0; k < p->count; k++)
            ts_rows_push(&along, k, solution->r[(size_t)p->rows * k + (size_t)d], s->w);
    }
    return fastest;
}

ts_status ts_problem_residuals(const ts_problem *p, const ts_solution *solution, ts_residuals *residuals,
                               ts_error *error)
{
    scratch s;
    ts_status status = make_scratch(&s, p, error);
    *residuals = (ts_residuals){0};
    if (status == TS_OK) {
        const double fastest = push_all(p, &s, solution), unit = fastest > 0 ? 1 / fastest : 1;
        measure(p, &s, solution, residuals);
        residuals->fastest = fastest;
        residuals->closing *= unit;
        residuals->complementarity *= unit;
        residuals->friction *= unit;
        residuals->balance *= unit;
    }
    ts_arena_free(&s.memory);
    return status;
}

/* ---- Solving ---- */

/* In space: what sweeps still change tells too little where they converge slowly, so the laws themselves are asked. */
static ts_status judge(const ts_problem *p, const ts_solution *solution, ts_impact_report *report, ts_error *error)
{
    ts_residuals r;
    TS_TRY(ts_problem_residuals(p, solution, &r, error));
    report->disagreement = fmax(fmax(r.closing, r.complementarity), r.friction);
    report->disagreed = !(report->disagreement <= space_tolerance);
    return TS_OK;
}

ts_status ts_problem_solve(const ts_problem *p, uint64_t rounds, ts_pool *pool, ts_solution *solution,
                           ts_impact_report *report, ts_error *error)
{
    scratch s;
    if (p->rows == 3 && p->dof != 6)
        return ts_fail(error, TS_UNSUPPORTED,
                       "the problem is of space, but its bodies have %d velocities; only bodies with 6 are solved for",
                       p->dof);
    ts_status status = make_scratch(&s, p, error);
    if (status == TS_OK)
        status = solve(p, &s, rounds > 0 ? rounds : 1, pool, report, error);
    if (status == TS_OK)
        status = ts_solution_create(solution, p, error);
    if (status == TS_OK)
        fill(p, &s, solution);
    ts_arena_free(&s.memory);
    return status == TS_OK && p->rows == 3 ? judge(p, solution, report, error) : status;
}
