/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: the quadratic programs of a settling pile (impact_pile.h), beside Ipopt with MUMPS.
 *
 *     step n      ours ─▶ y ─┐ by pairs of bodies
 *     step n + 1  ours, cold │     a workspace that has seen nothing, no guess
 *                 ours, warm ◀     the workspace and the y of step n, as inside a run
 *                 Ipopt, cold      the way of asking that was quickest on programs of up to 10,000 contacts
 *
 * Runs go by turns. Two threads and Ipopt are timed by the clock on the wall, one thread by the processor's for both.
 * Residuals of all answers are worked out here, from the program's own numbers: max |min(y, Ay + b)|. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "impact_parts.h"
#include "impact_peer.h"
#include "impact_pile.h"

#define REPEATS_MAX   11
#define GOAL_COLD     (1.0 / 10)
#define GOAL_WARM     (1.0 / 20)
#define GOAL_RESIDUAL 1e-8
#define TRIED_MAX     20000 /* rows of programs on which every way of asking Ipopt is tried */
/* Its own criterion is about products y · (Ay + b): 1e-8 leaves residuals of 1e-5, and 1e-12, for two more iterations,
 * some 1e-9. */
#define IPOPT_TOLERANCE 1e-12

static const ts_ipopt_way way_table[] = {
    {"impulses", "monotone"},
    {"impulses", "adaptive"},
    {"impulses", "mehrotra"},
    {"velocities", "mehrotra"},
};

/* One kind of solve. */
typedef struct series {
    double wall[REPEATS_MAX], processor[REPEATS_MAX]; /* [s] */
    double residual;                                  /* natural, the largest */
    uint64_t iterations;
    bool solved; /* every time, as the solver itself sees it */
} series;

typedef struct contest {
    ts_bench *bench;
    ts_pile pile;
    ts_qp qp[2];        /* of the two steps */
    double *linear[2];  /* their b */
    double *y, *before; /* answers: of a run, of the step before */
    size_t guessed;     /* rows that had a partner in the step before */
    double active;      /* share of rows whose impulse is not small */
    ts_pool *pool;      /* two threads, if there are so many */
    double tolerance;   /* that makes the natural residual at most GOAL_RESIDUAL */
    int repeats;
    series one, two, warm, peer;
    char file[4096]; /* where Ipopt reads the program; "": not installed */
    const ts_ipopt_way *way;
    char version[64];
} contest;

static void close_contest(contest *c)
{
    for (int i = 0; i < 2; i++)
        ts_free(c->linear[i]);
    ts_free(c->y);
    ts_free(c->before);
    ts_pool_free(c->pool);
    ts_pile_free(&c->pile);
}

/* ---- Programs ---- */

static double rate_of(const ts_problem *p, size_t k)
{
    size_t dof = (size_t)p->dof;
    double rate = p->drift[k];
    for (size_t d = 0; d < dof; d++) {
        rate += p->a[k] >= 0 ? p->ga[k * dof + d] * p->w[(size_t)p->a[k] * dof + d] : 0;
        rate += p->b[k] >= 0 ? p->gb[k * dof + d] * p->w[(size_t)p->b[k] * dof + d] : 0;
    }
    return rate;
}

static double diagonal_of(const ts_problem *p, size_t k)
{
    size_t dof = (size_t)p->dof;
    double sum = 0;
    for (size_t d = k * dof; d < (k + 1) * dof; d++)
        sum += (p->a[k] >= 0 ? p->ga[d] * p->ga[d] : 0) + (p->b[k] >= 0 ? p->gb[d] * p->gb[d] : 0);
    return sum;
}

/* As the engine does: where nothing rubs, balls do not turn, and their third velocity is no part of the program.
 * (Tangents are not looked at any more.) */
static void leave_spins(ts_problem *p)
{
    bool turning = p->dof != 3;
    for (size_t k = 0; k < p->count && !turning; k++)
        turning = (p->a[k] >= 0 && p->ga[3 * k + 2] != 0) || (p->b[k] >= 0 && p->gb[3 * k + 2] != 0);
    if (turning)
        return;
    for (size_t k = 0; k < p->count; k++)
        for (size_t d = 0; d < 2; d++) {
            p->ga[2 * k + d] = p->ga[3 * k + d];
            p->gb[2 * k + d] = p->gb[3 * k + d];
        }
    for (size_t i = 0; i < p->block_count; i++)
        for (size_t d = 0; d < 2; d++)
            p->w[2 * i + d] = p->w[3 * i + d];
    p->dof = 2;
}

/* b are the rates: nothing closes any more afterwards, and nothing pulls. */
static ts_status pose(contest *c, int step, ts_error *error)
{
    ts_problem *p = &c->pile.problem[step];
    leave_spins(p);
    TS_TRY(ts_new_raw(&c->linear[step], p->count + 1, error));
    for (size_t k = 0; k < p->count; k++)
        c->linear[step][k] = rate_of(p, k);
    c->qp[step] = (ts_qp){.count = p->count,
                          .block_count = p->block_count,
                          .dof = p->dof,
                          .a = p->a,
                          .b = p->b,
                          .ga = p->ga,
                          .gb = p->gb,
                          .linear = c->linear[step]};
    return TS_OK;
}

/* ---- A guess from the step before ---- */

typedef struct pair {
    int32_t low, high; /* bodies; -1: a wall */
    int32_t row;
} pair;

static int32_t body_of(const ts_problem *p, int32_t block)
{
    return block >= 0 ? p->body[block] : -1;
}

static pair pair_of(const ts_problem *p, size_t k)
{
    int32_t a = body_of(p, p->a[k]), b = body_of(p, p->b[k]);
    return (pair){a < b ? a : b, a < b ? b : a, (int32_t)k};
}

static int compare(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

/* How well two rows of one pair agree: a disc in a corner touches two walls. */
static double likeness(const ts_problem *p, size_t k, const ts_problem *q, size_t l)
{
    double sum = 0;
    for (size_t d = 0; d < (size_t)p->dof; d++)
        sum += p->gb[k * (size_t)p->dof + d] * q->gb[l * (size_t)q->dof + d];
    return sum;
}

/* Into y. */
static ts_status make_guess(contest *c, ts_error *error)
{
    const ts_problem *p = &c->pile.problem[0], *q = &c->pile.problem[1];
    pair *known;
    TS_TRY(ts_new_raw(&known, p->count + 1, error));
    for (size_t k = 0; k < p->count; k++)
        known[k] = pair_of(p, k);
    qsort(known, p->count, sizeof *known, compare);
    c->guessed = 0;
    for (size_t l = 0; l < q->count; l++) {
        pair wanted = pair_of(q, l);
        const pair *at = bsearch(&wanted, known, p->count, sizeof *known, compare);
        c->y[l] = 0;
        if (!at)
            continue;
        while (at > known && compare(at - 1, &wanted) == 0)
            at--;
        double most = -HUGE_VAL;
        for (; at < known + p->count && compare(at, &wanted) == 0; at++) {
            double like = likeness(p, (size_t)at->row, q, l);
            if (like > most) {
                most = like;
                c->y[l] = c->before[at->row];
            }
        }
        c->guessed++;
    }
    ts_free(known);
    return TS_OK;
}

/* ---- Runs ---- */

static ts_status note_residual(const contest *c, series *s, ts_error *error)
{
    double residual, natural;
    TS_TRY(ts_qp_residual(&c->qp[1], c->y, NULL, &residual, &natural, error));
    s->residual = fmax(s->residual, natural);
    return TS_OK;
}

/* Solves step n + 1 with what `work` and, when warm, y have from before. */
static ts_status solve_ours(contest *c, ts_qp_work *work, const ts_qp_options *options, series *s, int repeat,
                            ts_error *error)
{
    ts_qp_report report;
    double wall = ts_clock_seconds(), processor = ts_clock_processor_seconds();
    TS_TRY(ts_qp_solve(&c->qp[1], options, work, c->y, &report, error));
    s->processor[repeat] = ts_clock_processor_seconds() - processor;
    s->wall[repeat] = ts_clock_seconds() - wall;
    s->solved &= report.reached;
    s->iterations = report.iterations;
    return note_residual(c, s, error);
}

static ts_status run_cold(contest *c, ts_pool *pool, series *s, int repeat, ts_error *error)
{
    TS_AUTO(ts_qp_work_free_at) ts_qp_work *work = NULL;
    ts_qp_options options = {.tolerance = c->tolerance, .pool = pool};
    TS_TRY(ts_qp_work_create(&work, error));
    return solve_ours(c, work, &options, s, repeat, error);
}

static ts_status run_warm(contest *c, int repeat, ts_error *error)
{
    TS_AUTO(ts_qp_work_free_at) ts_qp_work *work = NULL;
    ts_qp_report report;
    ts_qp_options options = {.tolerance = c->tolerance, .pool = c->pool};
    TS_TRY(ts_qp_work_create(&work, error));
    TS_TRY(ts_qp_solve(&c->qp[0], &options, work, c->before, &report, error));
    TS_TRY(make_guess(c, error));
    options.warm = true;
    return solve_ours(c, work, &options, &c->warm, repeat, error);
}

static ts_status run_peer(contest *c, const ts_ipopt_way *way, series *s, int repeat, ts_error *error)
{
    ts_ipopt_result result;
    TS_TRY(ts_ipopt_run(c->file, way, IPOPT_TOLERANCE, c->qp[1].count, c->y, &result, error));
    s->wall[repeat] = result.wall;
    s->processor[repeat] = result.processor;
    s->iterations = (uint64_t)result.iterations;
    s->solved &= result.solved;
    snprintf(c->version, sizeof c->version, "%s", result.version);
    return note_residual(c, s, error);
}

/* The quickest way of those that Ipopt calls solved; on large programs the one that was quickest on a smaller. */
static ts_status choose_way(contest *c, const ts_ipopt_way **best, ts_error *error)
{
    if (*best && c->qp[1].count > TRIED_MAX)
        return TS_OK;
    double least = HUGE_VAL;
    for (size_t i = 0; i < sizeof way_table / sizeof *way_table; i++) {
        series s = {.solved = true};
        ts_bench_report(c->bench, TS_NONE, "how Ipopt is best asked");
        TS_TRY(run_peer(c, &way_table[i], &s, 0, error));
        if (s.solved && s.processor[0] < least) {
            least = s.processor[0];
            *best = &way_table[i];
        }
    }
    if (!*best)
        *best = &way_table[0];
    return TS_OK;
}

/* Rows whose impulse is not small. */
static double active_share(const contest *c)
{
    double most = 0;
    size_t active = 0;
    for (size_t k = 0; k < c->qp[1].count; k++)
        most = fmax(most, c->y[k]);
    for (size_t k = 0; k < c->qp[1].count; k++)
        active += c->y[k] > 1e-6 * most;
    return (double)active / (double)c->qp[1].count;
}

static ts_status run_all(contest *c, const ts_ipopt_way **way, ts_error *error)
{
    char what[96];
    c->one.solved = c->two.solved = c->warm.solved = c->peer.solved = true;
    if (c->file[0]) {
        TS_TRY(ts_ipopt_write(&c->qp[1], c->file, error));
        TS_TRY(choose_way(c, way, error));
        c->way = *way;
    }
    for (int i = 0; i < c->repeats; i++) {
        snprintf(what, sizeof what, "%zu contacts, run %d of %d", c->qp[1].count, i + 1, c->repeats);
        ts_bench_report(c->bench, TS_NONE, what);
        TS_TRY(run_cold(c, NULL, &c->one, i, error));
        TS_TRY(run_cold(c, c->pool, &c->two, i, error));
        TS_TRY(run_warm(c, i, error));
        c->active = active_share(c);
        if (c->file[0])
            TS_TRY(run_peer(c, c->way, &c->peer, i, error));
    }
    return TS_OK;
}

/* ---- Rows ---- */

/* Times of ours and of Ipopt, to be compared. */
typedef struct times {
    const char *what;
    double *ours, *theirs; /* of each run [s] */
    double goal;           /* for their ratio; NaN: none */
} times;

static ts_status add_time(contest *c, const times *t, const char *note, ts_error *error)
{
    char name[128], text[320];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu contacts, %s", c->qp[1].count, t->what);
    row.name = name;
    row.unit = "s";
    row.ours = ts_bench_median(t->ours, (size_t)c->repeats, &row.spread);
    snprintf(text, sizeof text, "%s", note);
    if (c->file[0]) {
        row.peer = c->version;
        row.peer_value = ts_bench_median(t->theirs, (size_t)c->repeats, &row.peer_spread);
        row.ratio = row.judged = row.ours / row.peer_value;
        row.goal = t->goal;
        row.goal_is_most = true;
        snprintf(text, sizeof text, "%.1f times as fast; %s", row.peer_value / row.ours, note);
    }
    row.note = text;
    return ts_bench_add(c->bench, &row, error);
}

static ts_status add_residual(contest *c, const char *what, const series *s, ts_error *error)
{
    char name[128], note[160];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%zu contacts, %s: max |min(y, Ay + b)|", c->qp[1].count, what);
    row.name = name;
    row.unit = "1";
    row.ours = row.judged = s->residual;
    row.goal = GOAL_RESIDUAL;
    row.goal_is_most = true;
    if (c->file[0]) {
        row.peer = c->version;
        row.peer_value = c->peer.residual;
        row.ratio = row.ours / row.peer_value;
    }
    snprintf(note, sizeof note, "%s%s", s->solved ? "tolerance reached" : "tolerance NOT reached",
             !c->file[0] || c->peer.solved ? "" : "; Ipopt did not call it solved");
    row.note = note;
    return ts_bench_add(c->bench, &row, error);
}

static ts_status add_rows(contest *c, ts_error *error)
{
    char note[256];
    series *peer = &c->peer;
    snprintf(note, sizeof note, "%zu discs, %zu deep, unrest %.2g, %.0f%% carry", c->pile.discs, c->pile.tall,
             c->pile.unrest, 100 * c->active);
    TS_TRY(add_time(c, &(times){"cold, 1 thread", c->one.processor, peer->processor, TS_NONE}, note, error));
    if (c->pool) {
        if (c->file[0])
            snprintf(note, sizeof note, "%llu iterations; Ipopt %llu, by %s, %s", (unsigned long long)c->two.iterations,
                     (unsigned long long)peer->iterations, c->way->form, c->way->strategy);
        else
            snprintf(note, sizeof note, "no peer: install coinor-libipopt-dev and build again");
        TS_TRY(add_time(c, &(times){"cold, 2 threads", c->two.wall, peer->wall, GOAL_COLD}, note, error));
    }
    snprintf(note, sizeof note, "%llu iterations; %.1f%% of contacts known; Ipopt cold",
             (unsigned long long)c->warm.iterations, 100 * (double)c->guessed / (double)c->qp[1].count);
    TS_TRY(add_time(c,
                    &(times){c->pool ? "warm, 2 threads" : "warm, 1 thread", c->pool ? c->warm.wall : c->warm.processor,
                             c->pool ? peer->wall : peer->processor, GOAL_WARM},
                    note, error));
    TS_TRY(add_residual(c, "cold", &c->two, error));
    return add_residual(c, "warm", &c->warm, error);
}

/* ---- All sizes ---- */

static ts_status open_contest(contest *c, size_t contacts, ts_error *error)
{
    const char *folder;
    TS_TRY(ts_pile_capture(c->bench, contacts, &c->pile, error));
    for (int step = 0; step < 2; step++)
        TS_TRY(pose(c, step, error));
    size_t before = c->qp[0].count, now = c->qp[1].count;
    TS_TRY(ts_new_raw(&c->y, now + 1, error));
    TS_TRY(ts_new_raw(&c->before, before + 1, error));
    /* methods work to a residual in velocities, which is the smaller where Aᵢᵢ < 1 */
    c->tolerance = GOAL_RESIDUAL;
    for (size_t k = 0; k < now; k++)
        c->tolerance = fmin(c->tolerance, GOAL_RESIDUAL * diagonal_of(&c->pile.problem[1], k));
    if (ts_bench_threads(c->bench) > 1)
        TS_TRY(ts_pool_create(2, &c->pool, error));
    if (ts_ipopt_installed()) {
        TS_TRY(ts_bench_out_dir(c->bench, &folder, error));
        snprintf(c->file, sizeof c->file, "%s/impact-%zu.qp", folder, contacts);
    }
    return TS_OK;
}

static int repeats_of(const ts_bench *bench, size_t contacts)
{
    if (ts_bench_quick(bench) || contacts >= 1000000)
        return 1;
    int usual = contacts >= 100000 ? 3 : contacts >= 10000 ? 5 : 9;
    return ts_bench_full(bench) ? usual + 2 : usual;
}

ts_status ts_impact_rows_programs(ts_bench *bench, ts_error *error)
{
    static const size_t size[] = {1000, 10000, 100000, 1000000};
    size_t sizes = ts_bench_quick(bench) ? 1 : ts_bench_full(bench) ? 4 : 3;
    const ts_ipopt_way *way = NULL;
    for (size_t i = 0; i < sizes; i++) {
        TS_AUTO(close_contest) contest c = {.bench = bench, .repeats = repeats_of(bench, size[i])};
        ts_bench_report(bench, 0.5 * (double)i / (double)sizes, "a pile");
        TS_TRY(open_contest(&c, size[i], error));
        TS_TRY(run_all(&c, &way, error));
        TS_TRY(add_rows(&c, error));
    }
    return TS_OK;
}
