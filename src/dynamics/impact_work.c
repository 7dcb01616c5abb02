/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_work.h"

#include <math.h>
#include <string.h>

#include "solve/union_find.h"

/* Of the fastest rate: from where on a contact closes, and to what programs are solved; and the same where it is done
 * nearly. */
static const double tolerance_default = 1e-10, solved_to = 1e-13;
static const double tolerance_nearly = 1e-5, solved_nearly = 2e-6;

/* ---- Tasks ----
 * Small enough that fronts of a thousand are shared among threads, which hardly costs more than a call. What is found
 * goes into a place of the task's own, and then all of it into one list, so that lists are the same on any number of
 * threads. */
#define TASK 256

static int tasks_of(size_t count)
{
    return (int)((count + TASK - 1) / TASK);
}
static size_t task_end(size_t begin, size_t count)
{
    return begin + TASK < count ? begin + TASK : count;
}

/* Fills work->closing with what tasks left in `from`, which may be it. */
static void join_parts(ts_impact_work *work, const int32_t *from, int tasks)
{
    size_t count = 0;
    for (int t = 0; t < tasks; t++) {
        const ts_impact_part *part = &work->part.item[t];
        memmove(work->closing.item + count, from + part->start, part->count * sizeof *from);
        count += part->count;
    }
    work->closing.count = count;
}

/* ---- Memory ---- */

/* Arrays that grow. */
enum { INDEXES = 17, NUMBERS = 21 };

ts_status ts_impact_work_create(ts_impact_work **work, ts_error *error)
{
    *work = ts_alloc(1, sizeof **work);
    if (!*work)
        return ts_fail_memory(error, sizeof **work);
    ts_status status = ts_qp_work_create(&(*work)->qp, error);
    if (status != TS_OK) {
        ts_impact_work_free(*work);
        *work = NULL;
    }
    return status;
}

static void list_arrays(ts_impact_work *work, ts_index_array *index[INDEXES], ts_double_array *number[NUMBERS])
{
    ts_index_array *const indexes[INDEXES] = {
        &work->begin, &work->row,  &work->closing, &work->touched, &work->found,    &work->a,
        &work->b,     &work->root, &work->both_a,  &work->both_b,  &work->chunk_of, &work->stuck,
        &work->order, &work->slot, &work->open,    &work->filled,  &work->last};
    ts_double_array *const numbers[NUMBERS] = {
        &work->ga,      &work->gb,       &work->linear,     &work->low,          &work->high,        &work->size,
        &work->y,       &work->velocity, &work->w_other,    &work->lambda_other, &work->drift_other, &work->share,
        &work->both_ga, &work->both_gb,  &work->both_drift, &work->w_before,     &work->bound,       &work->best,
        &work->z_other, &work->gain,     &work->guess};
    memcpy(index, indexes, sizeof indexes);
    memcpy(number, numbers, sizeof numbers);
}

void ts_impact_work_free(ts_impact_work *work)
{
    if (!work)
        return;
    ts_index_array *index[INDEXES];
    ts_double_array *number[NUMBERS];
    list_arrays(work, index, number);
    for (size_t i = 0; i < INDEXES; i++)
        ts_array_free(index[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        ts_array_free(number[i]);
    ts_array_free(&work->packed);
    ts_array_free(&work->places);
    ts_array_free(&work->islands);
    ts_array_free(&work->locked);
    ts_array_free(&work->mark);
    ts_array_free(&work->part);
    ts_anderson_free(&work->anderson);
    ts_qp_work_free(work->qp);
    ts_free(work);
}

size_t ts_impact_work_bytes(const ts_impact_work *work)
{
    ts_index_array *index[INDEXES];
    ts_double_array *number[NUMBERS];
    ts_impact_work copy = *work;
    list_arrays(&copy, index, number);
    size_t bytes = sizeof *work + ts_qp_work_bytes(work->qp) +
                   work->anderson.capacity * (2 * TS_ANDERSON_DEPTH + 2) * sizeof(double);
    for (size_t i = 0; i < INDEXES; i++)
        bytes += index[i]->capacity * sizeof(int32_t);
    for (size_t i = 0; i < NUMBERS; i++)
        bytes += number[i]->capacity * sizeof(double);
    return bytes + work->packed.capacity + work->places.capacity + work->locked.capacity +
           work->islands.capacity * sizeof *work->islands.item + work->mark.capacity * sizeof *work->mark.item +
           work->part.capacity * sizeof *work->part.item;
}

/* ---- Neighbours ---- */

ts_status ts_impact_neighbours(ts_impact_work *work, const ts_rows *n, ts_error *error)
{
    TS_TRY(ts_array_reserve(&work->begin, n->block_count + 1, error));
    TS_TRY(ts_array_reserve(&work->row, 2 * n->count, error));
    TS_TRY(ts_array_reserve(&work->found, 2 * n->count, error));
    int32_t *begin = work->begin.item;
    memset(begin, 0, (n->block_count + 1) * sizeof *begin);
    for (size_t k = 0; k < n->count; k++) {
        if (n->a[k] >= 0)
            begin[n->a[k] + 1]++;
        if (n->b[k] >= 0)
            begin[n->b[k] + 1]++;
    }
    for (size_t i = 0; i < n->block_count; i++)
        begin[i + 1] += begin[i];
    /* each block's begin moves to its end while rows are put there, and is one place off afterwards */
    for (size_t k = 0; k < n->count; k++) {
        if (n->a[k] >= 0)
            work->row.item[begin[n->a[k]]++] = (int32_t)k;
        if (n->b[k] >= 0)
            work->row.item[begin[n->b[k]]++] = (int32_t)k;
    }
    memmove(begin + 1, begin, n->block_count * sizeof *begin);
    begin[0] = 0;
    return TS_OK;
}

static size_t row_bytes(int dof)
{
    return sizeof(ts_impact_row) + 2 * (size_t)dof * sizeof(double);
}

static ts_impact_row *row_at(const ts_impact_work *work, int dof, size_t k)
{
    return (ts_impact_row *)(work->packed.item + k * row_bytes(dof));
}

static double rate_of(const ts_impact_row *row, int dof, const double *w)
{
    double rate = row->drift;
    for (int d = 0; row->a >= 0 && d < dof; d++)
        rate += row->g[d] * w[row->a * dof + d];
    for (int d = 0; row->b >= 0 && d < dof; d++)
        rate += row->g[dof + d] * w[row->b * dof + d];
    return rate;
}

static void pack_rows(void *context, int task, int thread)
{
    (void)thread;
    const ts_impact *impact = context;
    const ts_rows *n = impact->rows;
    const size_t dof = (size_t)n->dof, begin = (size_t)task * TASK, end = task_end(begin, n->count);
    for (size_t k = begin; k < end; k++) {
        ts_impact_row *row = row_at(impact->work, n->dof, k);
        row->a = n->a[k];
        row->b = n->b[k];
        row->drift = n->drift ? n->drift[k] : 0;
        row->wait = ts_impact_wait(impact, k);
        for (size_t d = 0; d < dof; d++) {
            row->g[d] = row->a >= 0 ? n->ga[k * dof + d] : 0;
            row->g[dof + d] = row->b >= 0 ? n->gb[k * dof + d] : 0;
        }
    }
}

ts_status ts_impact_prepare(ts_impact_work *work, const ts_rows *n, ts_error *error)
{
    size_t before = work->mark.capacity;
    TS_TRY(ts_array_reserve(&work->mark, n->block_count, error));
    if (work->mark.capacity > before)
        memset(work->mark.item + before, 0, (work->mark.capacity - before) * sizeof *work->mark.item);
    TS_TRY(ts_array_reserve(&work->closing, n->count, error));
    TS_TRY(
        ts_array_reserve(&work->part, (size_t)tasks_of(n->count > n->block_count ? n->count : n->block_count), error));
    return ts_array_reserve(&work->touched, n->block_count, error);
}

ts_status ts_impact_pack(const ts_impact *impact, ts_error *error)
{
    const ts_rows *n = impact->rows;
    TS_TRY(ts_array_reserve(&impact->work->packed, n->count * row_bytes(n->dof), error));
    ts_pool_run(impact->options->pool, tasks_of(n->count), pack_rows, (void *)impact);
    return TS_OK;
}

/* ---- Which contacts close ---- */

/* The sizes of what a rate is the sum of, added up. */
static double terms(const ts_rows *n, size_t k, const double *w)
{
    double sum = n->drift ? fabs(n->drift[k]) : 0;
    for (int d = 0; d < n->dof; d++) {
        size_t at = k * (size_t)n->dof + (size_t)d;
        sum += n->a[k] >= 0 ? fabs(n->ga[at] * w[n->a[k] * n->dof + d]) : 0;
        sum += n->b[k] >= 0 ? fabs(n->gb[at] * w[n->b[k] * n->dof + d]) : 0;
    }
    return sum;
}

double ts_impact_threshold(const ts_impact *impact)
{
    const ts_rows *n = impact->rows;
    double most = 0, rounding = 0;
    for (size_t k = 0; k < n->count; k++) {
        double rate = fabs(ts_rows_rate(n, k, impact->w)), sum = terms(n, k, impact->w);
        most = rate > most ? rate : most;
        rounding = sum > rounding ? sum : rounding;
    }
    const ts_impact_options *options = impact->options;
    double tolerance = options->nearly ? tolerance_nearly : tolerance_default;
    /* where a crowd moves as one, all rates are rounding of velocities */
    return fmax(1e-14 * rounding, most * (options->tolerance > 0 ? options->tolerance : tolerance));
}

typedef struct search {
    const ts_impact *impact;
    double threshold;
} search;

static void search_all(void *context, int task, int thread)
{
    (void)thread;
    const search *s = context;
    const ts_rows *n = s->impact->rows;
    const size_t begin = (size_t)task * TASK, end = task_end(begin, n->count);
    int32_t *to = s->impact->work->closing.item + begin;
    size_t count = 0;
    for (size_t k = begin; k < end; k++)
        if (ts_rows_rate(n, k, s->impact->w) + ts_impact_wait(s->impact, k) < -s->threshold)
            to[count++] = (int32_t)k;
    s->impact->work->part.item[task] = (ts_impact_part){begin, count};
}

void ts_impact_find_all(const ts_impact *impact, double threshold)
{
    const int tasks = tasks_of(impact->rows->count);
    ts_pool_run(impact->options->pool, tasks, search_all, &(search){impact, threshold});
    join_parts(impact->work, impact->work->closing.item, tasks);
}

/* Where contacts of a touched block are to be found comes out of three arrays, one after the other: it is looked up
 * ahead of time. */
#define AHEAD 6

static void fetch_rows(const ts_impact_work *work, int dof, size_t i)
{
    if (i >= work->touched.count)
        return;
    const int32_t block = work->touched.item[i];
    for (int32_t at = work->begin.item[block]; at < work->begin.item[block + 1]; at++)
        __builtin_prefetch(row_at(work, dof, (size_t)work->row.item[at]));
}

static void search_near(void *context, int task, int thread)
{
    (void)thread;
    const search *s = context;
    const ts_impact_work *work = s->impact->work;
    const int dof = s->impact->rows->dof;
    const size_t begin = (size_t)task * TASK, end = task_end(begin, work->touched.count);
    ts_impact_part *part = &work->part.item[task];
    int32_t *to = work->found.item + part->start;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        fetch_rows(work, dof, i + AHEAD);
        const int32_t block = work->touched.item[i];
        for (int32_t at = work->begin.item[block]; at < work->begin.item[block + 1]; at++) {
            const int32_t k = work->row.item[at];
            const ts_impact_row *row = row_at(work, dof, (size_t)k);
            if (block == row->b && row->a >= 0 && work->mark.item[row->a].pass >= work->moved)
                continue; /* the other block has it */
            if (rate_of(row, dof, s->impact->w) + row->wait < -s->threshold)
                to[count++] = k;
        }
    }
    part->count = count;
}

void ts_impact_find_near(const ts_impact *impact, double threshold)
{
    ts_impact_work *work = impact->work;
    const size_t touched = work->touched.count;
    if (8 * touched > impact->rows->block_count) { /* nearly all: one row after the other is quicker */
        ts_impact_find_all(impact, threshold);
        return;
    }
    const int tasks = tasks_of(touched);
    size_t start = 0;
    for (int t = 0; t < tasks; t++) {
        work->part.item[t].start = start;
        for (size_t i = (size_t)t * TASK, end = task_end(i, touched); t + 1 < tasks && i < end; i++)
            start += (size_t)(work->begin.item[work->touched.item[i] + 1] - work->begin.item[work->touched.item[i]]);
    }
    ts_pool_run(impact->options->pool, tasks, search_near, &(search){impact, threshold});
    join_parts(work, work->found.item, tasks);
}

/* ---- Islands at rest ---- */

ts_status ts_impact_find_islands(ts_impact_work *work, const ts_rows *n, ts_error *error)
{
    TS_TRY(ts_array_reserve(&work->root, n->block_count, error));
    int32_t *root = work->root.item;
    for (size_t i = 0; i < n->block_count; i++)
        root[i] = (int32_t)i;
    for (size_t k = 0; k < n->count; k++)
        if (n->a[k] >= 0 && n->b[k] >= 0) {
            ts_unite(root, n->a[k], n->b[k]);
        }
    for (size_t i = 0; i < n->block_count; i++)
        root[i] = ts_root_of(root, (int32_t)i);
    return TS_OK;
}

ts_status ts_impact_shares(const ts_impact *impact, const double *w, double c, bool *any, ts_error *error)
{
    const ts_rows *n = impact->rows;
    ts_impact_work *work = impact->work;
    TS_TRY(ts_array_reserve(&work->share, n->block_count, error));
    TS_TRY(ts_impact_find_islands(work, n, error));
    const int32_t *root = work->root.item;
    double *share = work->share.item;
    for (size_t i = 0; i < n->block_count; i++)
        share[i] = c;
    for (size_t k = 0; k < n->count; k++)
        if ((n->a[k] < 0) != (n->b[k] < 0) && ts_impact_wait(impact, k) == 0)
            share[root[ts_impact_mover(n, k)]] = 0;
    const double *press = impact->options->press;
    for (size_t k = 0; k < n->count; k++)
        if (ts_impact_mover(n, k) >= 0 &&
            ts_rows_rate(n, k, w) + ts_impact_wait(impact, k) < -fmax(impact->options->rest, press ? press[k] : 0))
            share[root[ts_impact_mover(n, k)]] = c;
    *any = false;
    for (size_t i = 0; i < n->block_count; i++) {
        share[i] = share[root[i]];
        *any |= share[i] > 0;
    }
    return TS_OK;
}

void ts_impact_lock(const ts_impact *impact)
{
    const ts_rows *n = impact->rows;
    const ts_impact_work *work = impact->work;
    double *share = work->share.item;
    bool finite = true;
    for (size_t i = 0; i < n->block_count * (size_t)n->dof; i++)
        finite &= isfinite(impact->w[i]) != 0;
    for (size_t i = 0; i < work->closing.count; i++)
        share[work->root.item[ts_impact_mover(n, (size_t)work->closing.item[i])]] = 0;
    for (size_t i = 0; i < n->block_count; i++) /* a root is the first of its island */
        share[i] = finite ? share[work->root.item[i]] : 0;
}

void ts_impact_add_flight(const ts_impact *impact, double factor, double *w)
{
    const size_t dof = (size_t)impact->rows->dof;
    const double *flight = impact->options->flight, *share = impact->work->share.item;
    for (size_t i = 0; flight && i < impact->rows->block_count; i++)
        for (size_t d = dof * i; share[i] == 0 && d < dof * (i + 1); d++)
            w[d] += factor * flight[d];
}

double ts_impact_room(const ts_impact *impact, size_t k)
{
    const int32_t block = ts_impact_mover(impact->rows, k);
    const bool rests = impact->options->room && block >= 0 && impact->work->share.item[block] == 0;
    return rests ? impact->options->room[k] : ts_impact_wait(impact, k);
}

/* (What is elastic need not be finite where it does not count.) */
void ts_impact_blend_blocks(const ts_impact *impact, double *to, const double *elastic)
{
    const size_t dof = (size_t)impact->rows->dof;
    const double *share = impact->work->share.item;
    for (size_t i = 0; i < impact->rows->block_count * dof; i++)
        if (share[i / dof] > 0)
            to[i] = share[i / dof] * elastic[i] + (1 - share[i / dof]) * to[i];
}

void ts_impact_blend_contacts(const ts_impact *impact, double *to, const double *elastic)
{
    const ts_rows *n = impact->rows;
    for (size_t k = 0; k < n->count; k++) {
        double share = ts_impact_mover(n, k) >= 0 ? impact->work->share.item[ts_impact_mover(n, k)] : 0;
        if (share > 0)
            to[k] = share * elastic[k] + (1 - share) * to[k];
    }
}

/* ---- Reflecting some of them together ---- */

static ts_status reserve_program(ts_impact_work *work, size_t rows, int dof, ts_error *error)
{
    TS_TRY(ts_array_reserve(&work->a, rows, error));
    TS_TRY(ts_array_reserve(&work->b, rows, error));
    TS_TRY(ts_array_reserve(&work->ga, rows * (size_t)dof, error));
    TS_TRY(ts_array_reserve(&work->gb, rows * (size_t)dof, error));
    TS_TRY(ts_array_reserve(&work->linear, rows, error));
    TS_TRY(ts_array_reserve(&work->size, rows, error));
    return ts_array_reserve(&work->y, rows, error);
}

/* The number that a block has in the program. */
static int32_t number_block(ts_impact_work *work, int32_t block)
{
    if (block < 0)
        return -1;
    ts_impact_mark *mark = &work->mark.item[block];
    if (mark->pass != work->pass)
        *mark = (ts_impact_mark){work->pass, work->numbered++};
    return mark->number;
}

/* Rows of length 1, so that impulses and rates have one unit, and the residual means something. */
static void add_row(ts_impact_work *work, const ts_rows *n, size_t k, size_t to, size_t used)
{
    size_t dof = (size_t)n->dof;
    double size = sqrt(ts_rows_square(n, k));
    size = size > 0 ? size : 1;
    work->size.item[to] = size;
    work->a.item[to] = number_block(work, n->a[k]);
    work->b.item[to] = number_block(work, n->b[k]);
    for (size_t d = 0; d < used; d++) {
        work->ga.item[to * used + d] = n->a[k] >= 0 ? n->ga[k * dof + d] / size : 0;
        work->gb.item[to * used + d] = n->b[k] >= 0 ? n->gb[k * dof + d] / size : 0;
    }
}

/* How many of a block's velocities any of these rows has a part in, counted from the first: balls without friction do
 * not turn. */
static size_t used_dof(const ts_rows *n, const int32_t *row, size_t count)
{
    size_t dof = (size_t)n->dof, used = 1;
    for (size_t i = 0; i < count && used < dof; i++) {
        size_t k = row ? (size_t)row[i] : i;
        for (size_t d = dof; d > used; d--)
            if ((n->a[k] >= 0 && n->ga[k * dof + d - 1] != 0) || (n->b[k] >= 0 && n->gb[k * dof + d - 1] != 0))
                used = d;
    }
    return used;
}

ts_status ts_impact_program(ts_impact_work *work, const ts_rows *n, const int32_t *row, size_t count, ts_qp *qp,
                            ts_error *error)
{
    TS_TRY(reserve_program(work, count, n->dof, error));
    work->pass++;
    work->numbered = 0;
    size_t used = used_dof(n, row, count);
    for (size_t i = 0; i < count; i++)
        add_row(work, n, row ? (size_t)row[i] : i, i, used);
    *qp = (ts_qp){.count = count,
                  .block_count = (size_t)work->numbered,
                  .dof = (int)used,
                  .a = work->a.item,
                  .b = work->b.item,
                  .ga = work->ga.item,
                  .gb = work->gb.item,
                  .linear = work->linear.item};
    return TS_OK;
}

/* Along its own ray the solution is the best when yᵀ(Ay + b) = 0; that is also what keeps energy to the last digits,
 * however well the program was solved. One factor for all keeps signs, momentum and symmetry. */
static double ray(const ts_qp *qp, const double *y, double *velocity)
{
    double gain = 0, square = 0;
    memset(velocity, 0, qp->block_count * (size_t)qp->dof * sizeof *velocity);
    for (size_t i = 0; i < qp->count; i++) {
        for (int d = 0; d < qp->dof; d++) {
            if (qp->a[i] >= 0)
                velocity[qp->a[i] * qp->dof + d] += qp->ga[i * (size_t)qp->dof + (size_t)d] * y[i];
            if (qp->b[i] >= 0)
                velocity[qp->b[i] * qp->dof + d] += qp->gb[i * (size_t)qp->dof + (size_t)d] * y[i];
        }
        gain -= qp->linear[i] * y[i];
    }
    for (size_t i = 0; i < qp->block_count * (size_t)qp->dof; i++)
        square += velocity[i] * velocity[i];
    /* far from 1 there was no solution, and what is left of Gy is rounding */
    return gain > 0.5 * square && gain < 2 * square ? gain / square : 1;
}

/* A contact whose blocks have no other in this pass. */
static bool is_alone(const ts_impact_work *work, const ts_impact_row *row)
{
    return (row->a < 0 || work->mark.item[row->a].number == 1) && (row->b < 0 || work->mark.item[row->b].number == 1);
}

typedef struct reflection {
    const ts_impact *impact;
    double c;
} reflection;

/* Contacts that are alone get their impulses at once; the others stay in work->closing. */
static void reflect_alone(void *context, int task, int thread)
{
    (void)thread;
    const reflection *r = context;
    ts_impact_work *work = r->impact->work;
    const int dof = r->impact->rows->dof;
    double *w = r->impact->w;
    const size_t begin = (size_t)task * TASK, end = task_end(begin, work->closing.count);
    size_t left = begin;
    for (size_t i = begin; i < end; i++) {
        const int32_t k = work->closing.item[i];
        const ts_impact_row *row = row_at(work, dof, (size_t)k);
        if (!is_alone(work, row)) {
            work->closing.item[left++] = k;
            continue;
        }
        double square = 0;
        for (int d = 0; d < 2 * dof; d++)
            square += row->g[d] * row->g[d];
        double impulse = square > 0 ? fmax(-(1 + r->c) * rate_of(row, dof, w) / square, 0) : 0;
        for (int d = 0; row->a >= 0 && d < dof; d++)
            w[row->a * dof + d] += row->g[d] * impulse;
        for (int d = 0; row->b >= 0 && d < dof; d++)
            w[row->b * dof + d] += row->g[dof + d] * impulse;
        r->impact->lambda[k] += impulse;
    }
    work->part.item[task] = (ts_impact_part){begin, left - begin};
}

/* The contacts of work->closing that hang together. */
static ts_status reflect_together(const ts_impact *impact, double c, ts_error *error)
{
    const ts_rows *n = impact->rows;
    const ts_impact_options *options = impact->options;
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const int32_t *row = work->closing.item;
    const size_t count = work->closing.count;
    ts_qp qp;
    ts_qp_report found;
    double most = 0;
    TS_TRY(ts_impact_program(work, n, row, count, &qp, error));
    for (size_t i = 0; i < count; i++) {
        work->linear.item[i] = (1 + c) * ts_rows_rate(n, (size_t)row[i], impact->w) / work->size.item[i];
        most = fmax(most, fabs(work->linear.item[i]));
    }
    TS_TRY(ts_array_reserve(&work->velocity, qp.block_count * (size_t)n->dof, error));
    ts_qp_options how = {.tolerance = (options->nearly ? solved_nearly : solved_to) * most,
                         .fair = options->fair && !options->nearly,
                         .quick = options->nearly,
                         .pool = options->pool};
    double *y = work->y.item;
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, y, &found, error));
    double factor = ray(&qp, y, work->velocity.item);
    for (size_t i = 0; i < count; i++) {
        double impulse = factor * y[i] / work->size.item[i];
        ts_rows_push(n, (size_t)row[i], impulse, impact->w);
        impact->lambda[row[i]] += impulse;
    }
    report->iterations += found.iterations;
    report->residual = fmax(report->residual, most > 0 ? found.residual / most : 0);
    return TS_OK;
}

ts_status ts_impact_reflect(const ts_impact *impact, double c, ts_error *error)
{
    ts_impact_work *work = impact->work;
    ts_impact_report *report = impact->report;
    const size_t count = work->closing.count;
    report->problems++;
    report->touched += count;
    report->front = count > report->front ? count : report->front;
    ts_impact_begin_pass(work);
    for (size_t i = 0; i < count; i++) {
        const ts_impact_row *row = row_at(work, impact->rows->dof, (size_t)work->closing.item[i]);
        ts_impact_touch(work, row->a);
        ts_impact_touch(work, row->b);
    }
    ts_pool_run(impact->options->pool, tasks_of(count), reflect_alone, &(reflection){impact, c});
    join_parts(work, work->closing.item, tasks_of(count));
    return work->closing.count > 0 ? reflect_together(impact, c, error) : TS_OK;
}
