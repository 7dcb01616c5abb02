/* SPDX-License-Identifier: MIT */
/* Nearest points of a vertex and a face, and of two edges, with ends at random in the unit cube: the closed forms, smooth
 * and hard, beside an interior point and L-BFGS, which solve the hard programs (manifold_solvers.h).
 *
 * Closed forms take whole columns, the solvers one query after another. Times are of one thread, the fastest of some
 * runs; more queries than there are in the pool go through it again. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "manifold/edge_program.h"
#include "manifold_parts.h"
#include "manifold_solvers.h"

enum { POOL = 1 << 16, COLUMNS = 4, DECADES = 8, CHECKED = 20000 };

#define TAU            0.1 /* as published */
#define CENTRE         0.01
#define TOLERANCE      1e-9
#define BARRIER        1e-7
#define GOAL_SMOOTH    30.0
#define GOAL_HARD      10.0
#define GOAL_PEER      50.0
#define GOAL_AGREEMENT 1e-7

typedef struct queries {
    bool face;
    double *column[COLUMNS][3]; /* of points (POOL) */
    double *answer[4];          /* (POOL) */
    double *memory;
} queries;

static void close_queries(queries *q)
{
    ts_free(q->memory);
}

static ts_status open_queries(uint64_t seed, bool face, queries *q, ts_error *error)
{
    const size_t columns = 3 * COLUMNS + 4;
    q->face = face;
    TS_TRY(ts_new(&q->memory, columns * POOL, error));
    for (size_t c = 0; c < 3 * COLUMNS; c++) {
        double *column = q->column[c / 3][c % 3] = q->memory + c * POOL;
        for (size_t i = 0; i < POOL; i++)
            column[i] = ts_random_uniform(seed, 40 + c + (face ? 100 : 0), i);
    }
    for (size_t c = 0; c < 4; c++)
        q->answer[c] = q->memory + (3 * COLUMNS + c) * POOL;
    return TS_OK;
}

static ts_vec3 point_of(const queries *q, int column, size_t i)
{
    return (ts_vec3){q->column[column][0][i], q->column[column][1][i], q->column[column][2][i]};
}

static ts_nearest_query query_of(const queries *q, size_t i)
{
    ts_nearest_query query = {.face = q->face, .centre = q->face ? 0 : CENTRE, .p0 = point_of(q, 0, i)};
    ts_vec3 *const rest[] = {q->face ? &query.q0 : &query.p1, q->face ? &query.q1 : &query.q0,
                             q->face ? &query.q2 : &query.q1};
    for (int k = 0; k < 3; k++)
        *rest[k] = point_of(q, k + 1, i);
    return query;
}

/* ---- The four ways ---- */

typedef enum way { SMOOTH, HARD, INTERIOR, LBFGS, WAYS } way;
static const char *const way_name[WAYS] = {"smooth [ns]", "hard [ns]", "interior point [ns]", "L-BFGS [ns]"};

#define COLUMN(c)              \
    {                          \
        (c)[0], (c)[1], (c)[2] \
    }

static void run_closed(const queries *q, bool hard, size_t count)
{
    const ts_edge_rule rule = {
        .clip = TAU, .minimum = TAU, .inside = TAU, .centre = q->face ? 0 : CENTRE, .hard = hard};
    if (q->face) {
        const ts_face_pairs pairs = {count, COLUMN(q->column[0]), COLUMN(q->column[1]), COLUMN(q->column[2]),
                                     COLUMN(q->column[3])};
        ts_face_program(&rule, &pairs, q->answer, q->answer[3]);
    } else {
        const ts_edge_pairs pairs = {count, COLUMN(q->column[0]), COLUMN(q->column[1]), COLUMN(q->column[2]),
                                     COLUMN(q->column[3])};
        ts_edge_program(&rule, &pairs, q->answer[0], q->answer[1], q->answer[2]);
    }
}

static void solve_one(const queries *q, way how, size_t i, double x[2])
{
    const ts_nearest_query query = query_of(q, i);
    if (how == INTERIOR) {
        const ts_interior_program program = ts_nearest_program(&query, x);
        ts_interior_solve(&program, TOLERANCE, x);
    } else {
        ts_barrier_solve(&query, BARRIER, TOLERANCE, x);
    }
}

static void run_some(const queries *q, way how, size_t count)
{
    if (how == SMOOTH || how == HARD) {
        run_closed(q, how == HARD, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double x[2];
        solve_one(q, how, i, x);
        q->answer[0][i] = x[0];
        q->answer[1][i] = x[1];
    }
}

static void run_all(const queries *q, way how, size_t count)
{
    for (; count > POOL; count -= POOL)
        run_some(q, how, POOL);
    run_some(q, how, count);
}

/* A query, fastest of `repeats` spells that are long enough for the clock [ns]. */
static double time_of(const queries *q, way how, size_t count, int repeats)
{
    size_t rounds = 1;
    double best = HUGE_VAL;
    for (int k = 0; k < repeats;) {
        const double since = ts_clock_processor_seconds();
        for (size_t i = 0; i < rounds; i++)
            run_all(q, how, count);
        const double took = ts_clock_processor_seconds() - since;
        if (took < 2e-4) { /* too short to be measured */
            rounds *= 4;
            continue;
        }
        best = fmin(best, 1e9 * took / (double)(rounds * count));
        k++;
    }
    return best;
}

/* ---- Agreement ---- */

static double cost_of_ours(const queries *q, const ts_nearest_query *query, size_t i)
{
    if (!q->face)
        return ts_nearest_cost(query, (const double[2]){q->answer[0][i], q->answer[1][i]});
    const ts_vec3 r = ts_vec3_sub(query->p0, (ts_vec3){q->answer[0][i], q->answer[1][i], q->answer[2][i]});
    return ts_vec3_dot(r, r);
}

/* Largest difference of squared distances between a solver and the hard closed form [1]. */
static double differ(const queries *q, way how, size_t count)
{
    double most = 0;
    run_closed(q, true, count);
    for (size_t i = 0; i < count; i++) {
        const ts_nearest_query query = query_of(q, i);
        double x[2];
        solve_one(q, how, i, x);
        most = fmax(most, fabs(ts_nearest_cost(&query, x) - cost_of_ours(q, &query, i)));
    }
    return most;
}

/* ---- Rows ---- */

static ts_status add_time(ts_bench *bench, const queries *q, const char *what, double ours, double goal,
                          ts_error *error)
{
    char name[96];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s, %s, 1 thread", q->face ? "vertex–face" : "edge–edge", what);
    row.name = name;
    row.unit = "ns/query";
    row.ours = row.judged = ours;
    row.goal = goal;
    row.goal_is_most = true;
    return ts_bench_add(bench, &row, error);
}

static ts_status add_peer(ts_bench *bench, const queries *q, way how, double ours, double theirs, ts_error *error)
{
    char name[96], note[160];
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s, smooth, beside %s", q->face ? "vertex–face" : "edge–edge",
             how == INTERIOR ? "an interior point" : "L-BFGS");
    snprintf(note, sizeof note, "%.0f times as fast; peer to %g, one program at a time", theirs / ours,
             how == INTERIOR ? TOLERANCE : BARRIER);
    row.name = name;
    row.unit = "ns/query";
    row.ours = ours;
    row.peer = how == INTERIOR ? "interior point" : "L-BFGS, log barrier";
    row.peer_value = theirs;
    row.ratio = ours / theirs;
    row.note = note;
    if (how == INTERIOR && !q->face) {
        row.judged = theirs / ours;
        row.goal = GOAL_PEER;
    }
    return ts_bench_add(bench, &row, error);
}

static ts_status add_agreement(ts_bench *bench, const queries *q, way how, ts_error *error)
{
    char name[128];
    const size_t count = ts_bench_quick(bench) ? CHECKED / 10 : CHECKED;
    ts_bench_row row = ts_bench_row_empty();
    snprintf(name, sizeof name, "%s, squared distance: hard closed form less %s, largest",
             q->face ? "vertex–face" : "edge–edge", how == INTERIOR ? "interior point" : "L-BFGS");
    row.name = name;
    row.unit = "1";
    row.ours = row.judged = differ(q, how, count);
    row.goal = how == INTERIOR ? GOAL_AGREEMENT : 20 * BARRIER;
    row.goal_is_most = true;
    return ts_bench_add(bench, &row, error);
}

/* One table: how long a query takes in a batch of 1 to 10⁷. Solvers are not asked for more than they do in a second or two. */
static ts_status add_table(ts_bench *bench, const queries *q, double *last, ts_error *error)
{
    const bool quick = ts_bench_quick(bench);
    const int decades = quick ? 4 : DECADES, repeats = quick ? 2 : 5;
    TS_TRY(ts_bench_table_begin(bench, q->face ? "vertex–face queries" : "edge–edge queries", way_name, WAYS, error));
    size_t count = 1;
    for (int d = 0; d < decades; d++, count *= 10) {
        char name[32];
        double value[WAYS];
        snprintf(name, sizeof name, "%zu", count);
        ts_bench_report(bench, TS_NONE, name);
        for (way how = SMOOTH; how < WAYS; how++) {
            const bool solver = how == INTERIOR || how == LBFGS;
            const size_t most = solver ? (how == INTERIOR ? 1000000 : 100000) : 10000000;
            value[how] = count > most ? TS_NONE : time_of(q, how, count, count >= 100000 ? 2 : repeats);
            if (!isnan(value[how]))
                last[how] = count > 10 ? fmin(last[how], value[how]) : HUGE_VAL;
        }
        TS_TRY(ts_bench_table_add(bench, name, value, NULL, error));
    }
    return TS_OK;
}

ts_status ts_manifold_rows_programs(ts_bench *bench, ts_error *error)
{
    for (int face = 1; face >= 0; face--) {
        TS_AUTO(close_queries) queries q = {0};
        double best[WAYS];
        TS_TRY(open_queries(ts_bench_seed(bench), face == 1, &q, error));
        TS_TRY(add_table(bench, &q, best, error));
        TS_TRY(add_time(bench, &q, "smooth", best[SMOOTH], face ? TS_NONE : GOAL_SMOOTH, error));
        TS_TRY(add_time(bench, &q, "hard", best[HARD], face ? TS_NONE : GOAL_HARD, error));
        for (way how = INTERIOR; how <= LBFGS; how++) {
            TS_TRY(add_peer(bench, &q, how, best[SMOOTH], best[how], error));
            TS_TRY(add_agreement(bench, &q, how, error));
        }
    }
    return TS_OK;
}
