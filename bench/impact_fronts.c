/* SPDX-License-Identifier: MIT */
/* Part of the bench `impact`: what a pass of Generalized Reflections costs, against how many contacts it works on.
 *
 *     o o o o o o o      A triangular lattice of balls that touch, closed to a ring; the lowest row is struck, and the shock goes up a row
 *      o o o o o o o     a pass. All lattices have as many balls, but other widths: so the same number of contacts is worked on,
 *     ↑ ↑ ↑ ↑ ↑ ↑ ↑      in many passes with short fronts or in few with long ones, and every front is one island.
 *
 * All balls and speeds are alike, so that the front stays one row thick: a crowd that is uneven goes on colliding
 * behind it. What is there once for the whole instant (lists of neighbours, a first look at all contacts) is left out:
 * it is what one pass takes, which is measured by itself. One thread, by the processor's time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "dynamics/impact.h"
#include "impact_parts.h"

#define FRONTS_MAX    4
#define REPEATS_MAX   5
#define GOAL_EXPONENT 1.1 /* of the cost of a pass in the length of its front */

typedef struct lattice {
    ts_bench *bench;
    size_t wide, tall;
    ts_rows rows;
    int32_t *a, *b;
    double *ga, *gb, *w, *lambda;
    ts_impact_work *work;
    ts_impact_report report;
} lattice;

static void close_lattice(lattice *l)
{
    ts_free(l->a);
    ts_free(l->b);
    ts_free(l->ga);
    ts_free(l->gb);
    ts_free(l->w);
    ts_free(l->lambda);
    ts_impact_work_free(l->work);
}

static void touch(lattice *l, size_t a, size_t b, double nx, double ny)
{
    size_t k = l->rows.count++;
    l->a[k] = (int32_t)a;
    l->b[k] = (int32_t)b;
    l->ga[2 * k] = -nx;
    l->ga[2 * k + 1] = -ny;
    l->gb[2 * k] = nx;
    l->gb[2 * k + 1] = ny;
}

static ts_status open_lattice(lattice *l, ts_error *error)
{
    size_t n = l->wide * l->tall, most = 3 * n;
    TS_TRY(ts_new_raw(&l->a, most, error));
    TS_TRY(ts_new_raw(&l->b, most, error));
    TS_TRY(ts_new_raw(&l->ga, 2 * most, error));
    TS_TRY(ts_new_raw(&l->gb, 2 * most, error));
    TS_TRY(ts_new_raw(&l->w, 2 * n, error));
    TS_TRY(ts_new_raw(&l->lambda, most, error));
    for (size_t j = 0; j < l->tall; j++)
        for (size_t i = 0; i < l->wide; i++) {
            size_t own = j * l->wide + i, above = own + l->wide - i;
            size_t left = (i + l->wide - 1 + j % 2) % l->wide, right = (left + 1) % l->wide;
            touch(l, own, j * l->wide + (i + 1) % l->wide, 1, 0);
            if (j + 1 == l->tall)
                continue;
            touch(l, own, above + left, -0.5, sqrt(0.75));
            touch(l, own, above + right, 0.5, sqrt(0.75));
        }
    l->rows.block_count = n;
    l->rows.dof = 2;
    l->rows.a = l->a;
    l->rows.b = l->b;
    l->rows.ga = l->ga;
    l->rows.gb = l->gb;
    return ts_impact_work_create(&l->work, error);
}

static ts_status strike(lattice *l, uint64_t passes, double *seconds, ts_error *error)
{
    ts_impact_options options = {.restitution = 1, .passes_max = passes};
    memset(l->w, 0, 2 * l->rows.block_count * sizeof *l->w);
    for (size_t i = 0; i < l->wide; i++)
        l->w[2 * i + 1] = 1;
    double begin = ts_clock_processor_seconds();
    TS_TRY(ts_impact_resolve(&(ts_impact){&l->rows, &options, l->work, l->w, l->lambda, &l->report},
                             ts_impact_find("gr"), error));
    *seconds = ts_clock_processor_seconds() - begin;
    return TS_OK;
}

/* Seconds of a contact that a pass works on, and the mean front. */
typedef struct cost {
    double front;
    double contact, spread;
    double passes;
    size_t most; /* the longest front */
} cost;

static ts_status measure(lattice *l, int repeats, cost *to, ts_error *error)
{
    double contact[REPEATS_MAX], once, all;
    TS_TRY(strike(l, 1, &once, error)); /* warm */
    for (int i = 0; i < repeats; i++) {
        TS_TRY(strike(l, 1, &once, error));
        uint64_t first = l->report.touched;
        TS_TRY(strike(l, l->tall - 1, &all, error));
        double touched = (double)(l->report.touched - first);
        to->passes = (double)l->report.passes;
        to->front = touched / (to->passes - 1);
        to->most = l->report.front;
        contact[i] = (all - once) / touched;
    }
    to->contact = ts_bench_median(contact, (size_t)repeats, &to->spread);
    return TS_OK;
}

static ts_status add_cost(const lattice *l, const cost *c, ts_error *error)
{
    char name[128], note[160];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "a pass of gr, mean front %.0f: a contact", c->front);
    row.name = name;
    row.unit = "ns";
    row.ours = 1e9 * c->contact;
    row.spread = c->spread;
    snprintf(note, sizeof note, "%.0f passes through %zu balls, %.3g ms each; longest %zu", c->passes,
             l->rows.block_count, 1e3 * c->contact * c->front, c->most);
    row.note = note;
    return ts_bench_add(l->bench, &row, error);
}

static ts_status add_exponent(ts_bench *bench, const cost *few, const cost *many, ts_error *error)
{
    char note[160];
    ts_bench_row row = ts_bench_row_empty();
    row.name = "a pass of gr: exponent of its cost in its front";
    row.unit = "1";
    row.ours = row.judged =
        log(many->contact * many->front / (few->contact * few->front)) / log(many->front / few->front);
    row.goal = GOAL_EXPONENT;
    row.goal_is_most = true;
    snprintf(note, sizeof note, "1: proportional; a contact costs %.2f times as much at %.0f as at %.0f",
             many->contact / few->contact, many->front, few->front);
    row.note = note;
    return ts_bench_add(bench, &row, error);
}

ts_status ts_impact_rows_fronts(ts_bench *bench, ts_error *error)
{
    bool quick = ts_bench_quick(bench);
    size_t balls = quick ? 20000 : 500000;
    int fronts = quick ? 2 : FRONTS_MAX, repeats = quick ? 1 : ts_bench_full(bench) ? REPEATS_MAX : 3;
    cost found[FRONTS_MAX];
    size_t wide = 50;
    for (int i = 0; i < fronts; i++, wide *= 10) {
        TS_AUTO(close_lattice) lattice l = {.bench = bench, .wide = wide, .tall = balls / wide};
        char what[96];
        snprintf(what, sizeof what, "fronts of %zu contacts", 2 * wide);
        ts_bench_report(bench, 0.5 + 0.2 * i / fronts, what);
        TS_TRY(open_lattice(&l, error));
        TS_TRY(measure(&l, repeats, &found[i], error));
        TS_TRY(add_cost(&l, &found[i], error));
    }
    return add_exponent(bench, &found[0], &found[fronts - 1], error);
}
