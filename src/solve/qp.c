/* SPDX-License-Identifier: MIT */
/* Checks, islands, the choice of a method, and the residual of the whole. */
#include "solve/qp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/qp_parts.h"
#include "solve/union_find.h"

/* ---- The chooser: all of its numbers, measured on jittered piles of discs (docs/solvers.md has the table) ---- */
/* Islands of at most this many rows are dense: there an active set costs less than a sparse analysis. */
#define DENSE_MAX 64
/* Islands of at least this many rows are worked on one after the other by all threads; smaller ones one to a thread. */
#define SHARED_MIN 3000
/* Rows of islands that make one task; a row alone, which is solved on the spot, counts for a sixteenth. */
#define TASK_ROWS 512
#define ALONE     16

struct ts_qp_work {
    char *block; /* everything below is cut from it */
    size_t size;
    size_t used;
    /* The last large island's analysis, and the graph that it belongs to: in a run the same one often comes again. */
    ts_sparse *sparse;
    int32_t *graph; /* a, then b (2 · graph_count) */
    size_t graph_count, graph_blocks;
    int graph_dof;
    const ts_pool *graph_pool;
};

/* One solve. */
typedef struct solve {
    const ts_qp *qp;
    const ts_qp_options *options;
    double tolerance;     /* in the caller's velocities */
    int32_t *root;        /* union-find over blocks (block_count) */
    int32_t *island_of;   /* of each block that is a root; -1: none (block_count) */
    int32_t *local;       /* number of each block in its island (block_count) */
    int32_t *row;         /* rows by island (live) */
    double *fixed;        /* G y of the rows that cannot move (block_count · dof) */
    ts_qp_island *island; /* (island_count) */
    double *scale;        /* β of each island (island_count) */
    ts_qp_outcome *outcome;
    ts_qp_method *method;
    ts_status *status; /* (island_count) */
    ts_error *failure; /* of each thread */
    int32_t *task;     /* first island of each task, and the end (task_count + 1) */
    size_t live, island_count, task_count;
    ts_pool *pool;
} solve;

/* ---- Memory ---- */

ts_status ts_qp_work_create(ts_qp_work **work, ts_error *error)
{
    ts_qp_work *made;
    TS_TRY(ts_new(&made, 1, error));
    *work = made;
    return TS_OK;
}

void ts_qp_work_free(ts_qp_work *work)
{
    if (work) {
        ts_free(work->block);
        ts_free(work->graph);
        ts_sparse_free(work->sparse);
    }
    ts_free(work);
}

size_t ts_qp_work_bytes(const ts_qp_work *work)
{
    size_t sparse =
        work->sparse ? ts_sparse_measure(work->sparse).bytes + 2 * work->graph_count * sizeof *work->graph : 0;
    return sizeof *work + work->size + sparse;
}

/* Gives the island the analysis that is kept, if it is of the same graph. */
static void recall(ts_qp_work *work, ts_qp_island *q)
{
    size_t bytes = q->count * sizeof *q->a;
    bool same = work->sparse && work->graph_count == q->count && work->graph_blocks == q->block_count &&
                work->graph_dof == q->dof && work->graph_pool == q->pool && memcmp(work->graph, q->a, bytes) == 0 &&
                memcmp(work->graph + q->count, q->b, bytes) == 0;
    if (same) {
        q->sparse = work->sparse;
        work->sparse = NULL;
        ts_sparse_attach(q->sparse, &(ts_sparse_rows){q->count, q->block_count, q->dof, q->a, q->b, q->g});
    }
}

/* Keeps the island's analysis in place of the last one. */
static ts_status remember(ts_qp_work *work, ts_qp_island *q, ts_error *error)
{
    size_t bytes = q->count * sizeof *q->a;
    ts_sparse_free(work->sparse);
    ts_free(work->graph);
    work->sparse = NULL;
    TS_TRY(ts_new_raw(&work->graph, 2 * q->count, error));
    memcpy(work->graph, q->a, bytes);
    memcpy(work->graph + q->count, q->b, bytes);
    work->graph_count = q->count;
    work->graph_blocks = q->block_count;
    work->graph_dof = q->dof;
    work->graph_pool = q->pool;
    work->sparse = q->sparse;
    q->sparse = NULL;
    return TS_OK;
}

static ts_status work_reserve(ts_qp_work *work, size_t bytes, ts_error *error)
{
    work->used = 0;
    if (bytes <= work->size)
        return TS_OK;
    ts_free(work->block);
    work->size = 0;
    work->block = ts_alloc_raw(bytes, 1);
    if (!work->block)
        return ts_fail_memory(error, bytes);
    work->size = bytes;
    return TS_OK;
}

/* Room for one array in `bytes`, rounded up to a cache line. */
static size_t room(size_t count, size_t size)
{
    return (count * size + 63) & ~(size_t)63;
}

static void *take(ts_qp_work *work, size_t count, size_t size)
{
    void *at = work->block + work->used;
    work->used += room(count, size);
    return at;
}

/* ---- Checks ---- */

static double low_of(const ts_qp *qp, size_t i)
{
    return qp->low ? qp->low[i] : 0;
}
static double high_of(const ts_qp *qp, size_t i)
{
    return qp->high ? qp->high[i] : HUGE_VAL;
}

static ts_status check_row(const ts_qp *qp, size_t i, ts_error *error)
{
    if (qp->a[i] < -1 || qp->a[i] >= (int64_t)qp->block_count || qp->b[i] < -1 || qp->b[i] >= (int64_t)qp->block_count)
        return ts_fail(error, TS_BAD_INPUT,
                       "row %zu ties blocks %d and %d, but there are %zu; give -1 for what cannot move", i, qp->a[i],
                       qp->b[i], qp->block_count);
    if (qp->a[i] >= 0 && qp->a[i] == qp->b[i])
        return ts_fail(error, TS_BAD_INPUT,
                       "row %zu ties block %d to itself; add up its entries and give -1 for the other block", i,
                       qp->a[i]);
    bool good = isfinite(qp->linear[i]);
    for (size_t k = 0; k < (size_t)qp->dof; k++)
        good = good && (qp->a[i] < 0 || isfinite(qp->ga[i * (size_t)qp->dof + k])) &&
               (qp->b[i] < 0 || isfinite(qp->gb[i * (size_t)qp->dof + k]));
    if (!good)
        return ts_fail(error, TS_BAD_INPUT,
                       "row %zu has entries that are not finite; look at the contact it was made from", i);
    double low = low_of(qp, i), high = high_of(qp, i);
    if (!(low <= high) || low == HUGE_VAL || high == -HUGE_VAL)
        return ts_fail(error, TS_BAD_INPUT, "row %zu has bounds %g and %g; the lower must not exceed the upper", i, low,
                       high);
    return TS_OK;
}

static ts_status check(const ts_qp *qp, const ts_qp_options *options, const double *y, ts_error *error)
{
    if (qp->dof < 1 || qp->dof > TS_QP_DOF_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a block has %d numbers, but may have 1 to %d", qp->dof, TS_QP_DOF_MAX);
    if (qp->count >= (size_t)1 << 30 || qp->block_count >= (size_t)1 << 30)
        return ts_fail(error, TS_UNSUPPORTED, "%zu rows and %zu blocks are more than the 2^30 that indices allow",
                       qp->count, qp->block_count);
    if (options && (!(options->tolerance >= 0) || options->method >= TS_QP_METHODS || options->iterations_max < 0))
        return ts_fail(error, TS_BAD_INPUT,
                       "tolerance %g, method %d or at most %d iterations make no sense; give 0 for defaults",
                       options->tolerance, (int)options->method, options->iterations_max);
    for (size_t i = 0; i < qp->count; i++)
        TS_TRY(check_row(qp, i, error));
    for (size_t i = 0; y && i < qp->count; i++)
        if (!isfinite(y[i]))
            return ts_fail(error, TS_BAD_INPUT, "the guess for row %zu is not finite; solve without a guess", i);
    return TS_OK;
}

/* ---- The residual of the whole ---- */

static double diagonal_of(const ts_qp *qp, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < (size_t)qp->dof; k++) {
        double ga = qp->a[i] >= 0 ? qp->ga[i * (size_t)qp->dof + k] : 0,
               gb = qp->b[i] >= 0 ? qp->gb[i * (size_t)qp->dof + k] : 0;
        sum += ga * ga + gb * gb;
    }
    return sum;
}

static void add_row(const ts_qp *qp, size_t i, double y, double *velocity)
{
    size_t dof = (size_t)qp->dof;
    for (size_t k = 0; qp->a[i] >= 0 && k < dof; k++)
        velocity[(size_t)qp->a[i] * dof + k] += qp->ga[i * dof + k] * y;
    for (size_t k = 0; qp->b[i] >= 0 && k < dof; k++)
        velocity[(size_t)qp->b[i] * dof + k] += qp->gb[i * dof + k] * y;
}

static double along(const ts_qp *qp, size_t i, const double *velocity)
{
    size_t dof = (size_t)qp->dof;
    double sum = 0;
    for (size_t k = 0; qp->a[i] >= 0 && k < dof; k++)
        sum += qp->ga[i * dof + k] * velocity[(size_t)qp->a[i] * dof + k];
    for (size_t k = 0; qp->b[i] >= 0 && k < dof; k++)
        sum += qp->gb[i * dof + k] * velocity[(size_t)qp->b[i] * dof + k];
    return sum;
}

static void measure(const ts_qp *qp, const double *y, double *velocity, double *residual, double *natural)
{
    memset(velocity, 0, qp->block_count * (size_t)qp->dof * sizeof *velocity);
    for (size_t i = 0; i < qp->count; i++)
        add_row(qp, i, y[i], velocity);
    *residual = *natural = 0;
    for (size_t i = 0; i < qp->count; i++) {
        double s = along(qp, i, velocity) + qp->linear[i], low = low_of(qp, i), high = high_of(qp, i),
               d = diagonal_of(qp, i);
        double r = fabs(ts_qp_natural_of(y[i], s, low, high));
        *natural = r > *natural || isnan(r) ? r : *natural;
        /* a row without entries has no velocity of its own to measure its impulse by: its slack alone tells */
        r = d > 0 ? fabs(ts_qp_natural_of(d * y[i], s, d * low, d * high)) : r;
        *residual = r > *residual || isnan(r) ? r : *residual;
    }
}

ts_status ts_qp_residual(const ts_qp *qp, const double *y, double *velocity, double *residual, double *natural,
                         ts_error *error)
{
    TS_TRY(check(qp, NULL, NULL, error));
    double *room_for = velocity ? velocity : ts_alloc_raw(qp->block_count * (size_t)qp->dof + 1, sizeof *velocity),
           other;
    if (!room_for)
        return ts_fail_memory(error, qp->block_count * (size_t)qp->dof * sizeof *velocity);
    measure(qp, y, room_for, residual, natural ? natural : &other);
    if (!velocity)
        ts_free(room_for);
    return TS_OK;
}

/* ---- Islands ---- */

/* Whether a row takes part: it has entries, and room between its bounds. */
static bool is_live(const ts_qp *qp, size_t i)
{
    return low_of(qp, i) < high_of(qp, i) && diagonal_of(qp, i) > 0;
}

/* The answer of a row that does not. */
static double still(const ts_qp *qp, size_t i)
{
    double low = low_of(qp, i), high = high_of(qp, i), b = qp->linear[i], y = ts_qp_clip(0, low, high);
    if (b > 0 && low > -HUGE_VAL)
        y = low;
    if (b < 0 && high < HUGE_VAL)
        y = high;
    return y;
}

/* Unites blocks, counts rows and blocks of every island, in the order of their first rows; adds up what rows that take
 * no part do. */
static void find_islands(solve *s)
{
    const ts_qp *qp = s->qp;
    size_t n = qp->block_count;
    for (size_t k = 0; k < n; k++) {
        s->root[k] = (int32_t)k;
        s->island_of[k] = -1;
    }
    memset(s->fixed, 0, n * (size_t)qp->dof * sizeof *s->fixed);
    for (size_t i = 0; i < qp->count; i++) {
        if (!is_live(qp, i)) {
            add_row(qp, i, still(qp, i), s->fixed);
            continue;
        }
        s->live++;
        if (qp->a[i] >= 0 && qp->b[i] >= 0) {
            ts_unite(s->root, qp->a[i], qp->b[i]);
        }
    }
    for (size_t i = 0; i < qp->count; i++)
        if (is_live(qp, i)) {
            int32_t root = ts_root_of(s->root, qp->a[i] >= 0 ? qp->a[i] : qp->b[i]);
            if (s->island_of[root] < 0) {
                s->island_of[root] = (int32_t)s->island_count;
                s->island[s->island_count++] = (ts_qp_island){0};
            }
            s->island[s->island_of[root]].count++;
        }
    for (size_t k = 0; k < n; k++) {
        int32_t island = s->island_of[ts_root_of(s->root, (int32_t)k)];
        if (island >= 0)
            s->local[k] = (int32_t)s->island[island].block_count++;
    }
}

static int32_t island_of_row(solve *s, size_t i)
{
    return s->island_of[ts_root_of(s->root, s->qp->a[i] >= 0 ? s->qp->a[i] : s->qp->b[i])];
}

/* Copies a row into its island. */
static void copy_row(solve *s, ts_qp_island *q, size_t to, size_t i, double y)
{
    const ts_qp *qp = s->qp;
    size_t dof = (size_t)qp->dof;
    double root = sqrt(diagonal_of(qp, i));
    q->a[to] = qp->a[i] >= 0 ? s->local[qp->a[i]] : -1;
    q->b[to] = qp->b[i] >= 0 ? s->local[qp->b[i]] : -1;
    for (size_t k = 0; k < dof; k++) {
        q->g[2 * to * dof + k] = qp->a[i] >= 0 ? qp->ga[i * dof + k] / root : 0;
        q->g[(2 * to + 1) * dof + k] = qp->b[i] >= 0 ? qp->gb[i * dof + k] / root : 0;
    }
    q->measure[to] = root;
    q->linear[to] = (qp->linear[i] + along(qp, i, s->fixed)) / root;
    q->low[to] = low_of(qp, i) * root;
    q->high[to] = high_of(qp, i) * root;
    q->y[to] = ts_qp_clip(s->options->warm ? y * root : 0, q->low[to], q->high[to]);
}

/* Gives islands their arrays and rows. */
static void fill_islands(solve *s, ts_qp_work *work, const double *y)
{
    const ts_qp *qp = s->qp;
    size_t dof = (size_t)qp->dof, at = 0;
    int32_t *a = take(work, s->live, sizeof *a), *b = take(work, s->live, sizeof *b);
    double *g = take(work, s->live * 2 * dof, sizeof *g), *linear = take(work, s->live, sizeof *linear);
    double *low = take(work, s->live, sizeof *low), *high = take(work, s->live, sizeof *high);
    double *unknown = take(work, s->live, sizeof *unknown), *root = take(work, s->live, sizeof *root);
    for (size_t k = 0; k < s->island_count; k++) {
        ts_qp_island *q = &s->island[k];
        size_t count = q->count;
        *q = (ts_qp_island){.block_count = q->block_count,
                            .dof = qp->dof,
                            .a = a + at,
                            .b = b + at,
                            .g = g + 2 * dof * at,
                            .linear = linear + at,
                            .low = low + at,
                            .high = high + at,
                            .y = unknown + at,
                            .measure = root + at,
                            .warm = s->options->warm,
                            .least = s->options->least,
                            .fair = s->options->fair,
                            .iterations_max = s->options->iterations_max};
        at += count;
    }
    for (size_t i = 0; i < qp->count; i++)
        if (is_live(qp, i)) {
            ts_qp_island *q = &s->island[island_of_row(s, i)];
            s->row[(size_t)(q->y - unknown) + q->count] = (int32_t)i;
            copy_row(s, q, q->count++, i, y[i]);
        }
}

/* In its own measure: the largest |b|, or bound that keeps a row from 0, is 1. */
static void normalise(solve *s, size_t island)
{
    ts_qp_island *q = &s->island[island];
    double beta = 0;
    for (size_t i = 0; i < q->count; i++)
        beta = fmax(beta, fmax(fabs(q->linear[i]), fabs(ts_qp_clip(0, q->low[i], q->high[i]))));
    beta = beta > 0 ? beta : 1;
    for (size_t i = 0; i < q->count; i++) {
        q->linear[i] /= beta;
        q->low[i] /= beta;
        q->high[i] /= beta;
        q->y[i] /= beta;
    }
    s->scale[island] = beta;
    q->tolerance = s->tolerance / beta;
}

/* ---- Solving ---- */

static ts_qp_method choose(const solve *s, const ts_qp_island *q)
{
    if (s->options->method != TS_QP_AUTO)
        return s->options->method;
    if (q->count <= DENSE_MAX)
        return TS_QP_DENSE;
    return s->options->quick ? TS_QP_CONJUGATE : TS_QP_INTERIOR;
}

/* One row by itself, as most contacts of a sparse crowd are: b is ±1 or less, A is 1. */
static void solve_alone(ts_qp_island *q, ts_qp_outcome *outcome)
{
    q->y[0] = ts_qp_clip(-q->linear[0], q->low[0], q->high[0]);
    outcome->residual = q->measure[0] * fabs(ts_qp_natural_of(q->y[0], q->y[0] + q->linear[0], q->low[0], q->high[0]));
}

static ts_status run_method(ts_qp_island *q, ts_qp_method method, ts_qp_outcome *outcome, ts_error *error)
{
    switch (method) {
    case TS_QP_DENSE:
        return ts_qp_dense(q, outcome, error);
    case TS_QP_PROJECTED:
        return ts_qp_projected(q, outcome, error);
    case TS_QP_CONJUGATE:
        return ts_qp_conjugate(q, outcome, error);
    default:
        return ts_qp_interior(q, outcome, error);
    }
}

static ts_status look(ts_qp_island *q, double *residual, ts_error *error)
{
    size_t n = q->count, m = q->block_count * (size_t)q->dof;
    double *w;
    TS_TRY(ts_new_raw(&w, n + m, error));
    ts_qp_velocity(q, q->y, w);
    ts_qp_slack(q, w, false, w + m);
    *residual = ts_qp_natural(q, q->y, w + m);
    ts_free(w);
    return TS_OK;
}

/* Another method, from what there is; the better of the two is kept. */
static ts_status improve(ts_qp_island *q, ts_qp_method by, ts_qp_method *method, ts_qp_outcome *outcome,
                         ts_error *error)
{
    const ts_qp_outcome first = *outcome;
    TS_AUTO_FREE double *y = NULL;
    TS_TRY(ts_new_raw(&y, q->count, error));
    memcpy(y, q->y, q->count * sizeof *y);
    TS_TRY(run_method(q, by, outcome, error));
    if (outcome->residual < first.residual) {
        *method = by;
        return TS_OK;
    }
    outcome->residual = first.residual;
    outcome->unique = first.unique;
    outcome->middle = first.middle;
    memcpy(q->y, y, q->count * sizeof *y);
    return TS_OK;
}

/* `work` is given to large islands only, which are solved one at a time. */
static ts_status solve_island(solve *s, size_t island, ts_qp_work *work, ts_error *error)
{
    ts_qp_island *q = &s->island[island];
    ts_qp_outcome *outcome = &s->outcome[island];
    *outcome = (ts_qp_outcome){0};
    normalise(s, island);
    ts_status status = TS_OK;
    if (q->count == 1 && s->options->method == TS_QP_AUTO) {
        s->method[island] = TS_QP_DENSE;
        solve_alone(q, outcome);
        return TS_OK;
    }
    if (work) {
        q->pool = s->pool;
        recall(work, q);
        status = ts_pool_thread_count(q->pool) > 1 ? ts_qp_gather(q, error) : TS_OK;
    }
    s->method[island] = choose(s, q);
    if (status == TS_OK)
        status = look(q, &outcome->residual, error);
    if (status == TS_OK && !(outcome->residual <= q->tolerance))
        status = run_method(q, s->method[island], outcome, error);
    if (status == TS_OK && !(outcome->residual <= q->tolerance) && s->method[island] == TS_QP_DENSE &&
        s->options->method == TS_QP_AUTO)
        status = run_method(q, s->method[island] = TS_QP_INTERIOR, outcome, error);
    /* where an interior point stalls */
    if (status == TS_OK && !(outcome->residual <= q->tolerance) && s->method[island] == TS_QP_INTERIOR &&
        s->options->method == TS_QP_AUTO)
        status =
            improve(q, q->count <= 8 * DENSE_MAX ? TS_QP_DENSE : TS_QP_PROJECTED, &s->method[island], outcome, error);
    if (status == TS_OK && !outcome->unique && (q->least || (q->fair && !outcome->middle)))
        status = ts_qp_least(q, outcome, error);
    if (status == TS_OK && work && q->sparse)
        status = remember(work, q, error);
    ts_sparse_free(q->sparse);
    ts_free(q->incident);
    ts_free(q->start);
    q->sparse = NULL;
    q->incident = q->start = NULL;
    return status;
}

static void solve_task(void *context, int task, int thread)
{
    solve *s = context;
    for (int32_t k = s->task[task]; k < s->task[task + 1]; k++)
        if (s->island[k].count < SHARED_MIN)
            s->status[k] = solve_island(s, (size_t)k, NULL, &s->failure[thread]);
}

static ts_status solve_all(solve *s, ts_qp_work *work, ts_error *error)
{
    size_t cost = 0;
    s->task[0] = 0;
    for (size_t k = 0; k < s->island_count; k++) {
        s->status[k] = TS_OK;
        size_t rows = s->island[k].count;
        cost += rows == 1 ? 1 : rows < SHARED_MIN ? ALONE * rows : 0;
        if (cost >= ALONE * TASK_ROWS || k + 1 == s->island_count) {
            s->task[++s->task_count] = (int32_t)k + 1;
            cost = 0;
        }
    }
    ts_pool_run(s->pool, (int)s->task_count, solve_task, s);
    for (size_t k = 0; k < s->island_count; k++) {
        if (s->status[k] != TS_OK)
            return ts_fail_memory(error, 0); /* nothing else can fail */
        if (s->island[k].count >= SHARED_MIN)
            TS_TRY(solve_island(s, k, work, error));
    }
    return TS_OK;
}

static ts_status make_room(solve *s, ts_qp_work *work, ts_error *error)
{
    const ts_qp *qp = s->qp;
    size_t n = qp->block_count, rows = qp->count, numbers = n * (size_t)qp->dof,
           threads = (size_t)ts_pool_thread_count(s->pool);
    size_t islands = rows < n ? rows : n; /* at most: each has a row and a block */
    size_t bytes = 3 * room(n, sizeof(int32_t)) + 3 * room(rows, sizeof(int32_t)) + room(islands + 1, sizeof(int32_t)) +
                   room(numbers, sizeof(double)) + 5 * room(rows, sizeof(double)) +
                   room(2 * rows * (size_t)qp->dof, sizeof(double)) + room(islands, sizeof(double)) +
                   room(islands, sizeof(ts_qp_island)) + room(islands, sizeof(ts_qp_outcome)) +
                   room(islands, sizeof(ts_qp_method)) + room(islands, sizeof(ts_status)) +
                   room(threads, sizeof(ts_error));
    TS_TRY(work_reserve(work, bytes, error));
    s->root = take(work, n, sizeof *s->root);
    s->island_of = take(work, n, sizeof *s->island_of);
    s->local = take(work, n, sizeof *s->local);
    s->row = take(work, rows, sizeof *s->row);
    s->task = take(work, islands + 1, sizeof *s->task);
    s->fixed = take(work, numbers, sizeof *s->fixed);
    s->scale = take(work, islands, sizeof *s->scale);
    s->island = take(work, islands, sizeof *s->island);
    s->outcome = take(work, islands, sizeof *s->outcome);
    s->method = take(work, islands, sizeof *s->method);
    s->status = take(work, islands, sizeof *s->status);
    s->failure = take(work, threads, sizeof *s->failure);
    return TS_OK;
}

/* 1e-10 of the largest |b|, or of the largest velocity that a bound forces. */
static double default_tolerance(const ts_qp *qp)
{
    double most = 0;
    for (size_t i = 0; i < qp->count; i++)
        most = fmax(most,
                    fmax(fabs(qp->linear[i]), diagonal_of(qp, i) * fabs(ts_qp_clip(0, low_of(qp, i), high_of(qp, i)))));
    return 1e-10 * most;
}

static void tell(const solve *s, double *y, ts_qp_report *report)
{
    *report = (ts_qp_report){.islands = s->island_count};
    size_t at = 0;
    for (size_t i = 0; i < s->qp->count; i++)
        if (!is_live(s->qp, i))
            y[i] = still(s->qp, i);
    for (size_t k = 0; k < s->island_count; k++) {
        const ts_qp_island *q = &s->island[k];
        for (size_t i = 0; i < q->count; i++, at++) {
            /* exactly at a bound stays so */
            double value = q->y[i], low = low_of(s->qp, (size_t)s->row[at]), high = high_of(s->qp, (size_t)s->row[at]);
            value = value <= q->low[i] ? low : value >= q->high[i] ? high : value * s->scale[k] / q->measure[i];
            y[s->row[at]] = ts_qp_clip(value, low, high);
        }
        report->largest = q->count > report->largest ? q->count : report->largest;
        report->solved[s->method[k]]++;
        report->iterations += s->outcome[k].iterations;
        report->factorisations += s->outcome[k].factorisations;
    }
    measure(s->qp, y, s->fixed, &report->residual, &report->natural);
    report->reached = report->residual <= s->tolerance;
}

ts_status ts_qp_solve(const ts_qp *qp, const ts_qp_options *options, ts_qp_work *work, double *y, ts_qp_report *report,
                      ts_error *error)
{
    static const ts_qp_options defaults = {0};
    options = options ? options : &defaults;
    TS_TRY(check(qp, options, options->warm ? y : NULL, error));
    solve s = {.qp = qp, .options = options, .pool = options->pool};
    s.tolerance = options->tolerance > 0 ? options->tolerance : default_tolerance(qp);
    TS_TRY(make_room(&s, work, error));
    find_islands(&s);
    fill_islands(&s, work, y);
    TS_TRY(solve_all(&s, work, error));
    ts_qp_report told;
    tell(&s, y, &told);
    if (report)
        *report = told;
    return TS_OK;
}
