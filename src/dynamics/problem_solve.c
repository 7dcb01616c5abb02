/* SPDX-License-Identifier: MIT */
#include "dynamics/problem_solve.h"

#include <math.h>
#include <string.h>

#include "dynamics/impact_work.h"

ts_status ts_solution_create(ts_solution *s, const ts_problem *p, ts_error *error)
{
    size_t numbers = p->block_count * (size_t)p->dof;
    ts_solution_free(s);
    s->v = ts_arena_alloc(&s->memory, numbers + 1, sizeof *s->v);
    s->u = ts_arena_alloc(&s->memory, 2 * p->count + 1, sizeof *s->u);
    s->r = ts_arena_alloc(&s->memory, 2 * p->count + 1, sizeof *s->r);
    if (s->v && s->u && s->r)
        return TS_OK;
    ts_solution_free(s);
    return ts_fail_memory(error, (numbers + 4 * p->count) * sizeof *s->v);
}

void ts_solution_free(ts_solution *s)
{
    ts_arena_free(&s->memory);
    *s = (ts_solution){0};
}

double ts_problem_shift(const ts_problem *p, size_t k)
{
    ts_instant normal = ts_problem_instant(p);
    return p->drift[k] + (p->restitution > 0 ? p->restitution * ts_instant_rate(&normal, k, p->w) : 0);
}

/* Scratch of one solve. */
typedef struct scratch {
    double *w, *lambda, *z, *drift;
    ts_arena memory;
} scratch;

static ts_status make_scratch(scratch *s, const ts_problem *p, ts_error *error)
{
    size_t numbers = p->block_count * (size_t)p->dof;
    *s = (scratch){0};
    s->w = ts_arena_alloc(&s->memory, numbers + 1, sizeof *s->w);
    s->lambda = ts_arena_alloc(&s->memory, p->count + 1, sizeof *s->lambda);
    s->z = ts_arena_alloc(&s->memory, p->count + 1, sizeof *s->z);
    s->drift = ts_arena_alloc(&s->memory, p->count + 1, sizeof *s->drift);
    if (!s->w || !s->lambda || !s->z || !s->drift)
        return ts_fail_memory(error, (numbers + 3 * p->count) * sizeof *s->w);
    if (numbers > 0)
        memcpy(s->w, p->w, numbers * sizeof *s->w);
    for (size_t k = 0; k < p->count; k++)
        s->drift[k] = ts_problem_shift(p, k);
    return TS_OK;
}

static ts_status solve(const ts_problem *p, scratch *s, const ts_impact_friction *friction, ts_pool *pool,
                       ts_impact_report *report, ts_error *error)
{
    ts_impact_work *work;
    ts_impact_options options = {.fair = true, .pool = pool};
    ts_instant normal = ts_problem_instant(p);
    normal.drift = s->drift;
    TS_TRY(ts_impact_work_create(&work, error));
    ts_status status = ts_impact_stagger(&(ts_impact){&normal, &options, work, s->w, s->lambda, report},
                                         ts_impact_find("lcp"), friction, error);
    ts_impact_work_free(work);
    return status;
}

static void fill(const ts_problem *p, const scratch *s, ts_solution *solution)
{
    ts_instant normal = ts_problem_instant(p), tangent = ts_problem_tangents(p);
    normal.drift = s->drift;
    for (size_t i = 0; i < p->block_count * (size_t)p->dof; i++)
        solution->v[i] = p->root[i] * s->w[i];
    for (size_t k = 0; k < p->count; k++) {
        solution->r[2 * k] = s->lambda[k];
        solution->r[2 * k + 1] = s->z[k];
        solution->u[2 * k] = ts_instant_rate(&normal, k, s->w);
        solution->u[2 * k + 1] = ts_instant_rate(&tangent, k, s->w);
    }
}

ts_status ts_problem_solve(const ts_problem *p, uint64_t rounds, ts_pool *pool, ts_solution *solution,
                           ts_impact_report *report, ts_error *error)
{
    scratch s;
    ts_instant tangent = ts_problem_tangents(p);
    ts_status status = make_scratch(&s, p, error);
    if (status == TS_OK)
        status = solve(p, &s,
                       &(ts_impact_friction){
                           .tangent = &tangent, .mu = p->friction, .z = s.z, .rounds_max = rounds > 0 ? rounds : 1},
                       pool, report, error);
    if (status == TS_OK)
        status = ts_solution_create(solution, p, error);
    if (status == TS_OK)
        fill(p, &s, solution);
    ts_arena_free(&s.memory);
    return status;
}

/* ---- Residuals ---- */

static double clip(double x, double bound)
{
    return fmax(-bound, fmin(bound, x));
}

static void measure(const ts_problem *p, const scratch *s, const ts_solution *solution, ts_residuals *to)
{
    ts_instant normal = ts_problem_instant(p), tangent = ts_problem_tangents(p);
    normal.drift = s->drift;
    double largest = 0;
    for (size_t k = 0; k < p->count; k++)
        largest = fmax(largest, solution->r[2 * k]);
    for (size_t k = 0; k < p->count; k++) {
        const double *r = solution->r + 2 * k;
        double u[2] = {ts_instant_rate(&normal, k, s->w), ts_instant_rate(&tangent, k, s->w)};
        double own[2] = {ts_instant_square(&normal, k), ts_instant_square(&tangent, k)};
        double push = own[0] * r[0], rub = own[1] * r[1], bound = own[1] * p->friction[k] * fmax(r[0], 0);
        to->closing = fmax(to->closing, -u[0]);
        to->complementarity = fmax(to->complementarity, fabs(fmin(push, u[0])));
        to->friction = fmax(to->friction, fabs(rub - clip(rub - u[1], bound)));
        to->cone = fmax(to->cone, fabs(r[1]) - p->friction[k] * r[0]);
        for (size_t d = 0; d < 2; d++)
            to->balance = fmax(to->balance, fabs(u[d] - solution->u[2 * k + d]));
    }
    for (size_t i = 0; i < p->block_count * (size_t)p->dof; i++)
        to->balance = fmax(to->balance, fabs(p->root[i] * s->w[i] - solution->v[i]));
    to->cone = largest > 0 ? to->cone / largest : to->cone;
}

ts_status ts_problem_residuals(const ts_problem *p, const ts_solution *solution, ts_residuals *residuals,
                               ts_error *error)
{
    scratch s;
    ts_status status = make_scratch(&s, p, error);
    *residuals = (ts_residuals){0};
    if (status == TS_OK) {
        ts_instant normal = ts_problem_instant(p), tangent = ts_problem_tangents(p);
        double fastest = 0;
        for (size_t k = 0; k < p->count; k++) {
            normal.drift = s.drift;
            fastest = fmax(fastest, fabs(ts_instant_rate(&normal, k, p->w)));
            fastest = fmax(fastest, fabs(ts_instant_rate(&tangent, k, p->w)));
        }
        for (size_t k = 0; k < p->count; k++) {
            ts_instant_push(&normal, k, solution->r[2 * k], s.w);
            ts_instant_push(&tangent, k, solution->r[2 * k + 1], s.w);
        }
        measure(p, &s, solution, residuals);
        residuals->fastest = fastest;
        double unit = fastest > 0 ? 1 / fastest : 1;
        residuals->closing *= unit;
        residuals->complementarity *= unit;
        residuals->friction *= unit;
        residuals->balance *= unit;
    }
    ts_arena_free(&s.memory);
    return status;
}
