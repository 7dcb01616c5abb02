/* SPDX-License-Identifier: MIT */
/* Numbers in the tree of fronts.
 *
 * The tree falls into subtrees of about equal work, a *task* each, and a top. A task is worked through by one thread,
 * its updates on two stacks of that thread: a front's update goes on one, its children's are on the other and leave it.
 * In the top, fronts are few and large, and all threads share each. Which fronts are which depends on the tree alone,
 * and every sum has one order. */
#include "solve/sparse_own.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/kernel.h"
#include "base/memory.h"

TS_KERNEL_CHOOSER(ts_front_kernels, ts_front)

/* Subtrees with at most this share of all work are tasks: enough of them for a few threads to end together. */
#define TASK_SHARE (1.0 / 24)
/* Columns that a thread takes at once in the top; a multiple of 4. */
#define CHUNK 48

static int round4(int n)
{
    return (n + 3) & ~3;
}
static int ld_of(const ts_front *f)
{
    return round4(f->own_numbers + f->rest_numbers);
}
/* Where the numbers of a block begin, by its new number, and those of a front's own blocks. */
static size_t base_of(const ts_sparse_own *s, int32_t x)
{
    return s->dof > 0 ? (size_t)x * (size_t)s->dof : (size_t)s->base[x];
}
static size_t first_number(const ts_sparse_own *s, const ts_front *f)
{
    return base_of(s, f->first);
}

/* ---- Analysis ---- */

/* How many numbers fronts have, where blocks have as many each. */
static void count_numbers(ts_sparse_own *s)
{
    for (size_t k = 0; k < s->tree.count; k++) {
        ts_front *f = &s->tree.front[k];
        f->own_numbers = f->own * s->dof;
        f->rest_numbers = f->rest * s->dof;
        f->carry_at = f->rest_at * (size_t)s->dof;
    }
    s->number_count = s->tree.block_count * (size_t)s->dof;
    s->carry_count = s->tree.rest_count * (size_t)s->dof;
}

static double work_of(const ts_front *f)
{
    double p = f->own_numbers, h = p + f->rest_numbers;
    return p * h * h - p * p * h + p * p * p / 3 + 200 * p; /* and some for bookkeeping */
}

/* Which subtrees are tasks, and where updates go. */
static ts_status deal(ts_sparse_own *s, ts_error *error)
{
    size_t n = s->tree.count;
    ts_front *front = s->tree.front;
    double *work = ts_alloc(n, sizeof *work);
    s->task = ts_alloc_raw(n, sizeof *s->task);
    s->begin = ts_alloc_raw(n, sizeof *s->begin);
    s->top = ts_alloc_raw(n, sizeof *s->top);
    int32_t *from = ts_alloc_raw(n, sizeof *from); /* first front of a subtree */
    if (!work || !s->task || !s->begin || !s->top || !from) {
        ts_free(work);
        ts_free(from);
        return ts_fail_memory(error, 3 * n * sizeof *work);
    }
    for (size_t k = 0; k < n; k++) {
        work[k] += work_of(&front[k]);
        from[k] = front[k].child[0] >= 0 ? from[front[k].child[0]] : (int32_t)k;
        if (front[k].parent >= 0)
            work[front[k].parent] += work[k];
        s->flops += work_of(&front[k]);
    }
    for (size_t k = n; k-- > 0;) {
        bool above = front[k].parent < 0 || front[front[k].parent].task < 0;
        if (!above) {
            front[k].task = front[front[k].parent].task;
        } else if (work[k] > TASK_SHARE * s->flops) {
            front[k].task = -1;
        } else {
            s->task[s->task_count] = (int32_t)k;
            s->begin[s->task_count] = from[k];
            front[k].task = (int32_t)s->task_count++;
        }
    }
    for (size_t k = 0; k < n; k++)
        if (front[k].task < 0)
            s->top[s->top_count++] = (int32_t)k;
    ts_free(work);
    ts_free(from);
    return TS_OK;
}

static void lay_out(ts_sparse_own *s)
{
    ts_front *front = s->tree.front;
    for (size_t k = s->tree.count; k-- > 0;)
        front[k].stack = front[k].parent < 0 ? 0 : 1 - front[front[k].parent].stack;
    size_t used[2] = {0, 0};
    for (size_t k = 0; k < s->tree.count; k++) {
        ts_front *f = &front[k];
        size_t p = (size_t)f->own_numbers, q = (size_t)f->rest_numbers, ld = (size_t)ld_of(f),
               size = q * (size_t)round4((int)q);
        f->panel_at = s->panel_count;
        s->panel_count += p * ld;
        s->entries += (double)p * (double)(p + 1) / 2 + (double)p * (double)q;
        s->t_count = ld > s->t_count ? ld : s->t_count;
        bool stored = f->task < 0 || (f->parent >= 0 && front[f->parent].task < 0) || f->parent < 0;
        if (stored) {
            f->update_at = s->update_count;
            s->update_count += size;
        } else {
            f->update_at = used[f->stack];
            used[f->stack] += size;
            if (used[f->stack] > s->stack_count[f->stack])
                s->stack_count[f->stack] = used[f->stack];
        }
        if (f->task >= 0)
            for (int c = 0; c < 2; c++)
                if (f->child[c] >= 0) {
                    const ts_front *child = &front[f->child[c]];
                    size_t rest = (size_t)child->rest_numbers;
                    used[child->stack] -= rest * (size_t)round4((int)rest);
                }
    }
}

int32_t ts_front_stand(const ts_fronts *tree, const ts_front *f, int32_t x)
{
    if (x < f->first + f->own)
        return x - f->first;
    const int32_t *rest = tree->rest + f->rest_at;
    int32_t low = 0, high = f->rest - 1;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (rest[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return f->own + low;
}

static ts_status place_rows(ts_sparse_own *s, ts_error *error)
{
    const ts_sparse_rows *r = &s->rows;
    size_t n = s->tree.count;
    int32_t *home = ts_alloc_raw(r->block_count + 1, sizeof *home);
    s->row = ts_alloc_raw(r->count + 1, sizeof *s->row);
    if (!home || !s->row) {
        ts_free(home);
        return ts_fail_memory(error, r->count * sizeof *s->row);
    }
    for (size_t k = 0; k < n; k++)
        for (int32_t i = 0; i < s->tree.front[k].own; i++)
            home[s->tree.front[k].first + i] = (int32_t)k;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < r->count; i++) {
            int32_t x = r->a[i] >= 0 ? s->tree.number[r->a[i]] : -1, y = r->b[i] >= 0 ? s->tree.number[r->b[i]] : -1;
            uint32_t first = 2 * (uint32_t)i, second = first + 1;
            if (x < 0 || (y >= 0 && y < x)) {
                int32_t swap = x;
                x = y;
                y = swap;
                first = second;
                second = 2 * (uint32_t)i;
            }
            if (x < 0)
                continue;
            ts_front *f = &s->tree.front[home[x]];
            if (pass) {
                int32_t other = y >= 0 ? ts_front_stand(&s->tree, f, y) : -1;
                s->row[f->first_row + f->rows] = (ts_placed){first, second, (int32_t)i, x - f->first, other};
            }
            f->rows++;
        }
        int32_t at = 0;
        for (size_t k = 0; k < n && !pass; k++) {
            s->tree.front[k].first_row = at;
            at += s->tree.front[k].rows;
            s->tree.front[k].rows = 0;
        }
    }
    ts_free(home);
    return TS_OK;
}

static ts_status make_room(ts_sparse_own *s, ts_error *error)
{
    const size_t numbers = s->number_count;
    s->threads = ts_pool_thread_count(s->pool);
    s->panel = ts_alloc(s->panel_count + 8, sizeof *s->panel); /* tiles read a little past the end */
    s->update = ts_alloc_raw(s->update_count + 8, sizeof *s->update);
    s->carry = ts_alloc_raw(s->carry_count + 1, sizeof *s->carry);
    s->x = ts_alloc_raw(numbers + 1, sizeof *s->x);
    s->floor = ts_alloc_raw(numbers + 1, sizeof *s->floor);
    s->thread = ts_alloc((size_t)s->threads, sizeof *s->thread);
    bool ok = s->panel && s->update && s->carry && s->x && s->floor && s->thread;
    for (int t = 0; ok && t < s->threads; t++) {
        s->thread[t].stack[0] = ts_alloc_raw(s->stack_count[0] + 8, sizeof(double));
        s->thread[t].stack[1] = ts_alloc_raw(s->stack_count[1] + 8, sizeof(double));
        s->thread[t].t = ts_alloc_raw(s->t_count + 8, sizeof(double));
        ok = s->thread[t].stack[0] && s->thread[t].stack[1] && s->thread[t].t;
    }
    return ok ? TS_OK : ts_fail_memory(error, (s->panel_count + s->update_count) * sizeof(double));
}

/* What is left of an analysis once fronts and their numbers are known. */
static ts_status finish(ts_sparse_own *s, ts_error *error)
{
    TS_TRY(deal(s, error));
    lay_out(s);
    return make_room(s, error);
}

static ts_status analyse_rows(ts_sparse_own *s, const ts_sparse_rows *rows, ts_error *error)
{
    s->rows = *rows;
    s->dof = rows->dof;
    TS_TRY(ts_fronts_create(rows, s->pool, &s->tree, error));
    count_numbers(s);
    TS_TRY(finish(s, error));
    return place_rows(s, error);
}

static ts_status analyse_blocks(ts_sparse_own *s, const ts_blocks *blocks, ts_error *error)
{
    TS_TRY(ts_sparse_blocks_analyse(s, blocks, error));
    TS_TRY(finish(s, error));
    return ts_sparse_blocks_place(s, blocks, error);
}

static ts_status create(const ts_sparse_rows *rows, const ts_blocks *blocks, ts_pool *pool, ts_sparse_own **sparse,
                        ts_error *error)
{
    TS_AUTO(ts_sparse_own_free_at) ts_sparse_own *s = NULL;
    TS_TRY(ts_new(&s, 1, error));
    s->pool = pool;
    s->kernel = ts_front_choose();
    TS_TRY(rows ? analyse_rows(s, rows, error) : analyse_blocks(s, blocks, error));
    *sparse = ts_give(&s);
    return TS_OK;
}

ts_status ts_sparse_own_create(const ts_sparse_rows *rows, ts_pool *pool, ts_sparse_own **sparse, ts_error *error)
{
    return create(rows, NULL, pool, sparse, error);
}

ts_status ts_sparse_own_create_blocks(const ts_blocks *blocks, ts_pool *pool, ts_sparse_own **sparse, ts_error *error)
{
    return create(NULL, blocks, pool, sparse, error);
}

void ts_sparse_own_attach(ts_sparse_own *s, const ts_sparse_rows *rows)
{
    s->rows = *rows;
}

void ts_sparse_own_free(ts_sparse_own *s)
{
    if (!s)
        return;
    for (int t = 0; s->thread && t < s->threads; t++) {
        ts_free(s->thread[t].stack[0]);
        ts_free(s->thread[t].stack[1]);
        ts_free(s->thread[t].t);
    }
    ts_fronts_free(&s->tree);
    ts_free(s->row);
    ts_free(s->block);
    ts_free(s->base);
    ts_free(s->first);
    ts_free(s->offset);
    ts_free(s->spot);
    ts_free(s->task);
    ts_free(s->begin);
    ts_free(s->top);
    ts_free(s->panel);
    ts_free(s->update);
    ts_free(s->carry);
    ts_free(s->x);
    ts_free(s->floor);
    ts_free(s->thread);
    ts_free(s);
}

ts_sparse_size ts_sparse_own_measure(const ts_sparse_own *s)
{
    size_t numbers = s->panel_count + s->update_count + (s->stack_count[0] + s->stack_count[1]) * (size_t)s->threads;
    return (ts_sparse_size){s->entries, s->flops,
                            numbers * sizeof(double) + s->rows.count * sizeof *s->row +
                                s->block_count * sizeof *s->block};
}

/* Numbers of a front's rest block i, where they begin in its rest, and where in its parent's front. */
typedef struct span {
    int count, from, to;
} span;

static inline span span_of(const ts_sparse_own *s, const ts_front *f, size_t i)
{
    const size_t at = f->rest_at + i;
    if (s->dof > 0)
        return (span){s->dof, (int)i * s->dof, s->tree.place[at] * s->dof};
    const int32_t x = s->tree.rest[at];
    return (span){s->base[x + 1] - s->base[x], s->offset[at], s->spot[at]};
}

/* Adds to a front's numbers what its children carry up. */
static void gather_carried(const ts_sparse_own *s, const ts_front *f, double *t)
{
    for (int c = 0; c < 2; c++)
        if (f->child[c] >= 0) {
            const ts_front *child = &s->tree.front[f->child[c]];
            const double *from = s->carry + child->carry_at;
            for (size_t i = 0; i < (size_t)child->rest; i++) {
                const span at = span_of(s, child, i);
                for (int k = 0; k < at.count; k++)
                    t[at.to + k] += from[at.from + k];
            }
        }
}

/* ---- Assembly ---- */

static double *update_of(const ts_sparse_own *s, const ts_front *f, const ts_front_scratch *mine)
{
    bool stored = f->task < 0 || f->parent < 0 || s->tree.front[f->parent].task < 0;
    return stored ? s->update + f->update_at : mine->stack[f->stack] + f->update_at;
}

static ts_dense dense_of(const ts_sparse_own *s, const ts_front *f, const ts_front_scratch *mine)
{
    return (ts_dense){s->panel + f->panel_at,  update_of(s, f, mine), ld_of(f),
                      round4(f->rest_numbers), f->own_numbers,        f->rest_numbers};
}

/* Once for each number of a block's numbers that matters, so that its loops are unrolled. */
#define UNROLLED(call)    \
    do {                  \
        switch (s->dof) { \
        case 1:           \
            call(1);      \
            break;        \
        case 2:           \
            call(2);      \
            break;        \
        case 3:           \
            call(3);      \
            break;        \
        case 6:           \
            call(6);      \
            break;        \
        default:          \
            call(s->dof); \
            break;        \
        }                 \
    } while (0)

static inline __attribute__((always_inline)) void add_rows_of(const ts_sparse_own *s, const ts_front *f,
                                                              const ts_dense *d, const int dof)
{
    for (int32_t k = 0; k < f->rows; k++) {
        const ts_placed *r = &s->row[f->first_row + k];
        double w = s->weight[r->row];
        if (w == 0)
            continue;
        const double *g = s->rows.g + (size_t)r->first * (size_t)dof, *h = s->rows.g + (size_t)r->second * (size_t)dof;
        double *diagonal = d->panel + (size_t)(r->at * dof) * (size_t)d->ld + r->at * dof;
        for (int j = 0; j < dof; j++)
            for (int i = j; i < dof; i++)
                diagonal[j * d->ld + i] += w * g[j] * g[i];
        if (r->other < 0)
            continue;
        double *off = d->panel + (size_t)(r->at * dof) * (size_t)d->ld + r->other * dof;
        for (int j = 0; j < dof; j++)
            for (int i = 0; i < dof; i++)
                off[j * d->ld + i] += w * g[j] * h[i];
        int at = r->other * dof, ld = d->ld;
        double *second = d->panel + (size_t)at * (size_t)ld + at;
        if (at >= d->own) {
            ld = d->ldu;
            at -= d->own;
            second = d->update + (size_t)at * (size_t)ld + at;
        }
        for (int j = 0; j < dof; j++)
            for (int i = j; i < dof; i++)
                second[j * ld + i] += w * h[j] * h[i];
    }
}

static void add_rows(const ts_sparse_own *s, const ts_front *f, const ts_dense *d)
{
    if (s->block) {
        ts_sparse_blocks_add(s, f, d);
        return;
    }
#define CALL(dof) add_rows_of(s, f, d, dof)
    UNROLLED(CALL);
#undef CALL
}

static inline __attribute__((always_inline)) void add_child_of(const ts_sparse_own *s, const ts_front *child,
                                                               const double *u, const ts_dense *d,
                                                               const int32_t range[2], const int dof)
{
    int ldu = round4(child->rest * dof);
    const int32_t *place = s->tree.place + child->rest_at;
    for (int32_t j = range[0]; j < range[1]; j++) {
        const double *source = u + (size_t)(j * dof) * (size_t)ldu;
        int column = place[j] * dof, ld = column < d->own ? d->ld : d->ldu;
        double *target = column < d->own ? d->panel + (size_t)column * (size_t)ld
                                         : d->update + (size_t)(column - d->own) * (size_t)ld - d->own;
        for (int32_t i = j; i < child->rest; i++)
            for (int c = 0; c < dof; c++)
                for (int k = 0; k < dof; k++)
                    target[(size_t)c * (size_t)ld + (size_t)(place[i] * dof + k)] +=
                        source[(size_t)c * (size_t)ldu + (size_t)(i * dof + k)];
    }
}

static void add_child_mixed(const ts_sparse_own *s, const ts_front *child, const double *u, const ts_dense *d,
                            const int32_t range[2])
{
    const size_t ldu = (size_t)round4(child->rest_numbers);
    for (int32_t j = range[0]; j < range[1]; j++) {
        const span column = span_of(s, child, (size_t)j);
        const size_t ld = (size_t)(column.to < d->own ? d->ld : d->ldu);
        double *target = column.to < d->own ? d->panel + (size_t)column.to * ld
                                            : d->update + (size_t)(column.to - d->own) * ld - d->own;
        for (int32_t i = j; i < child->rest; i++) {
            const span row = span_of(s, child, (size_t)i);
            for (int c = 0; c < column.count; c++)
                for (int k = 0; k < row.count; k++)
                    target[(size_t)c * ld + (size_t)(row.to + k)] +=
                        u[(size_t)(column.from + c) * ldu + (size_t)(row.from + k)];
        }
    }
}

/* Adds a child's update, columns of its blocks from … to-1. */
static void add_child(const ts_sparse_own *s, const ts_front *child, const double *u, const ts_dense *d, int32_t from,
                      int32_t to)
{
    const int32_t range[2] = {from, to};
    if (s->dof == 0) {
        add_child_mixed(s, child, u, d, range);
        return;
    }
#define CALL(dof) add_child_of(s, child, u, d, range, dof)
    UNROLLED(CALL);
#undef CALL
}

/* Own blocks' diagonals begin with the shift; everything else with nothing. */
static void clear(const ts_sparse_own *s, const ts_dense *d)
{
    for (int j = 0; j < d->own; j++) {
        double *column = d->panel + (size_t)j * (size_t)d->ld;
        memset(column + (j & ~3), 0, (size_t)(d->ld - (j & ~3)) * sizeof(double));
        column[j] = s->shift;
    }
    for (int j = 0; j < d->rest; j++)
        memset(d->update + (size_t)j * (size_t)d->ldu + (j & ~3), 0, (size_t)(d->ldu - (j & ~3)) * sizeof(double));
}

/* The smallest pivots: rounding's share of M's diagonal, which goes up the tree as updates do. */
static void find_floors(ts_sparse_own *s, const ts_front *f, ts_front_scratch *mine)
{
    if (s->block) {
        ts_sparse_blocks_floors(s, f);
        return;
    }
    int dof = s->dof, own = f->own_numbers, height = own + f->rest_numbers;
    double *t = mine->t, *floor = s->floor + first_number(s, f);
    for (int i = 0; i < height; i++)
        t[i] = i < own ? s->shift : 0;
    for (int32_t k = 0; k < f->rows; k++) {
        const ts_placed *r = &s->row[f->first_row + k];
        const double *g = s->rows.g + (size_t)r->first * (size_t)dof, *h = s->rows.g + (size_t)r->second * (size_t)dof;
        for (int i = 0; i < dof; i++)
            t[r->at * dof + i] += s->weight[r->row] * g[i] * g[i];
        for (int i = 0; r->other >= 0 && i < dof; i++)
            t[r->other * dof + i] += s->weight[r->row] * h[i] * h[i];
    }
    gather_carried(s, f, t);
    for (int i = 0; i < own; i++)
        floor[i] = 4 * DBL_EPSILON * t[i];
    memcpy(s->carry + f->carry_at, t + own, (size_t)(height - own) * sizeof *t);
}

/* ---- Factorisation ---- */

static void factor_task(void *context, int task, int thread)
{
    ts_sparse_own *s = context;
    ts_front_scratch *mine = &s->thread[thread];
    for (int32_t k = s->begin[task]; k <= s->task[task]; k++) {
        const ts_front *f = &s->tree.front[k];
        ts_dense d = dense_of(s, f, mine);
        clear(s, &d);
        find_floors(s, f, mine);
        add_rows(s, f, &d);
        for (int c = 0; c < 2; c++)
            if (f->child[c] >= 0) {
                const ts_front *child = &s->tree.front[f->child[c]];
                add_child(s, child, update_of(s, child, mine), &d, 0, child->rest);
            }
        const double *floor = s->floor + first_number(s, f);
        mine->mended += (size_t)s->kernel->factor(d.panel, d.ld, d.own + d.rest, 0, d.own, floor);
        s->kernel->update(d.update, d.ldu, d.panel + d.own, d.ld, d.own, d.rest, 0, d.rest);
    }
}

/* A front of the top, its columns dealt out to all threads. */
typedef struct shared {
    ts_sparse_own *s;
    const ts_dense *d;
    const ts_front *child;
    const double *source;
    double *c;
    const double *a;
    int ldc, lda, depth, height, from, to;
} shared;

static void add_chunk(void *context, int task, int thread)
{
    (void)thread;
    const shared *w = context;
    int32_t from = task * CHUNK, to = from + CHUNK < w->child->rest ? from + CHUNK : w->child->rest;
    add_child(w->s, w->child, w->source, w->d, from, to);
}

static void update_chunk(void *context, int task, int thread)
{
    (void)thread;
    const shared *w = context;
    int from = w->from + task * CHUNK, to = from + CHUNK < w->to ? from + CHUNK : w->to;
    w->s->kernel->update(w->c, w->ldc, w->a, w->lda, w->depth, w->height, from, to);
}

static void update_shared(shared *w)
{
    ts_pool_run(w->s->pool, (w->to - w->from + CHUNK - 1) / CHUNK, update_chunk, w);
}

static void factor_top(ts_sparse_own *s, const ts_front *f)
{
    ts_front_scratch *mine = &s->thread[0];
    ts_dense d = dense_of(s, f, mine);
    clear(s, &d);
    find_floors(s, f, mine);
    add_rows(s, f, &d);
    for (int c = 0; c < 2; c++)
        if (f->child[c] >= 0) {
            shared w = {.s = s, .d = &d, .child = &s->tree.front[f->child[c]]};
            w.source = update_of(s, w.child, mine);
            ts_pool_run(s->pool, (w.child->rest + CHUNK - 1) / CHUNK, add_chunk, &w);
        }
    const double *floor = s->floor + first_number(s, f);
    for (int j = 0; j < d.own; j += TS_FRONT_STRIP) {
        int end = d.own - j < TS_FRONT_STRIP ? d.own : j + TS_FRONT_STRIP;
        mine->mended += (size_t)s->kernel->factor(d.panel, d.ld, d.own + d.rest, j, end, floor);
        update_shared(&(shared){.s = s,
                                .c = d.panel,
                                .ldc = d.ld,
                                .a = d.panel + (size_t)j * (size_t)d.ld,
                                .lda = d.ld,
                                .depth = end - j,
                                .height = d.own + d.rest,
                                .from = end,
                                .to = d.own});
    }
    update_shared(&(shared){.s = s,
                            .c = d.update,
                            .ldc = d.ldu,
                            .a = d.panel + d.own,
                            .lda = d.ld,
                            .depth = d.own,
                            .height = d.rest,
                            .from = 0,
                            .to = d.rest});
}

static size_t factor(ts_sparse_own *s)
{
    size_t mended = 0;
    for (int t = 0; t < s->threads; t++)
        s->thread[t].mended = 0;
    ts_pool_run(s->pool, (int)s->task_count, factor_task, s);
    for (size_t k = 0; k < s->top_count; k++)
        factor_top(s, &s->tree.front[s->top[k]]);
    for (int t = 0; t < s->threads; t++)
        mended += s->thread[t].mended;
    return mended;
}

void ts_sparse_own_factor(ts_sparse_own *s, double shift, const double *weight, size_t *mended)
{
    s->shift = shift;
    s->weight = weight;
    *mended = factor(s);
}

size_t ts_sparse_own_factor_blocks(ts_sparse_own *s, const double *value)
{
    s->value = value;
    return factor(s);
}

/* ---- Solve ---- */

static void forward_front(ts_sparse_own *s, const ts_front *f, ts_front_scratch *mine)
{
    int own = f->own_numbers, rest = f->rest_numbers;
    double *t = mine->t, *x = s->x + first_number(s, f);
    memcpy(t, x, (size_t)own * sizeof *t);
    memset(t + own, 0, (size_t)rest * sizeof *t);
    gather_carried(s, f, t);
    s->kernel->forward(s->panel + f->panel_at, ld_of(f), own, own + rest, t);
    memcpy(x, t, (size_t)own * sizeof *t);
    memcpy(s->carry + f->carry_at, t + own, (size_t)rest * sizeof *t);
}

static void backward_front(ts_sparse_own *s, const ts_front *f, ts_front_scratch *mine)
{
    int own = f->own_numbers, rest = f->rest_numbers;
    double *t = mine->t, *x = s->x + first_number(s, f);
    memcpy(t, x, (size_t)own * sizeof *t);
    for (size_t i = 0; i < (size_t)f->rest; i++) {
        const span at = span_of(s, f, i);
        const double *from = s->x + base_of(s, s->tree.rest[f->rest_at + i]);
        for (int k = 0; k < at.count; k++)
            t[own + at.from + k] = from[k];
    }
    s->kernel->backward(s->panel + f->panel_at, ld_of(f), own, own + rest, t);
    memcpy(x, t, (size_t)own * sizeof *t);
}

static void forward_task(void *context, int task, int thread)
{
    ts_sparse_own *s = context;
    for (int32_t k = s->begin[task]; k <= s->task[task]; k++)
        forward_front(s, &s->tree.front[k], &s->thread[thread]);
}

static void backward_task(void *context, int task, int thread)
{
    ts_sparse_own *s = context;
    for (int32_t k = s->task[task]; k >= s->begin[task]; k--)
        backward_front(s, &s->tree.front[k], &s->thread[thread]);
}

/* x in the new order, or back. */
static void reorder(const ts_sparse_own *s, double *x, bool back)
{
    for (size_t i = 0; i < s->tree.block_count; i++) {
        const size_t at = base_of(s, (int32_t)i), size = base_of(s, (int32_t)i + 1) - at;
        double *theirs = x + (s->dof > 0 ? (size_t)s->tree.order[i] * size : s->first[s->tree.order[i]]);
        memcpy(back ? theirs : s->x + at, back ? s->x + at : theirs, size * sizeof *x);
    }
}

void ts_sparse_own_solve(ts_sparse_own *s, double *x)
{
    reorder(s, x, false);
    ts_pool_run(s->pool, (int)s->task_count, forward_task, s);
    for (size_t k = 0; k < s->top_count; k++)
        forward_front(s, &s->tree.front[s->top[k]], &s->thread[0]);
    for (size_t k = s->top_count; k-- > 0;)
        backward_front(s, &s->tree.front[s->top[k]], &s->thread[0]);
    ts_pool_run(s->pool, (int)s->task_count, backward_task, s);
    reorder(s, x, true);
}
