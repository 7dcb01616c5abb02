/* SPDX-License-Identifier: MIT */
#include "dynamics/impact_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance_default = 1e-10;

/* ---- Memory ---- */

/* Arrays that grow. */
enum { INDEXES = 10, NUMBERS = 18 };

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

void ts_impact_work_free(ts_impact_work *work)
{
    if (!work)
        return;
    ts_qp_work_free(work->qp);
    ts_anderson_free(&work->anderson);
    ts_index_array *index[INDEXES] = {&work->begin, &work->row,       &work->closing, &work->touched, &work->a,
                                      &work->b,     &work->number_of, &work->order,   &work->both_a,  &work->both_b};
    ts_double_array *number[NUMBERS] = {
        &work->ga,         &work->gb,       &work->linear,  &work->low,          &work->high,    &work->size,
        &work->y,          &work->velocity, &work->w_other, &work->lambda_other, &work->both_ga, &work->both_gb,
        &work->both_drift, &work->w_before, &work->bound,   &work->best,         &work->z_other, &work->gain};
    for (size_t i = 0; i < INDEXES; i++)
        ts_array_free(index[i]);
    for (size_t i = 0; i < NUMBERS; i++)
        ts_array_free(number[i]);
    ts_array_free(&work->row_seen);
    ts_array_free(&work->block_seen);
    ts_free(work);
}

size_t ts_impact_work_bytes(const ts_impact_work *work)
{
    const ts_index_array *index[INDEXES] = {&work->begin,  &work->row,   &work->closing,   &work->touched,
                                            &work->a,      &work->b,     &work->number_of, &work->order,
                                            &work->both_a, &work->both_b};
    const ts_double_array *number[NUMBERS] = {
        &work->ga,         &work->gb,       &work->linear,  &work->low,          &work->high,    &work->size,
        &work->y,          &work->velocity, &work->w_other, &work->lambda_other, &work->both_ga, &work->both_gb,
        &work->both_drift, &work->w_before, &work->bound,   &work->best,         &work->z_other, &work->gain};
    size_t bytes = sizeof *work + ts_qp_work_bytes(work->qp) +
                   work->anderson.capacity * (2 * TS_ANDERSON_DEPTH + 2) * sizeof(double);
    for (size_t i = 0; i < INDEXES; i++)
        bytes += index[i]->capacity * sizeof(int32_t);
    for (size_t i = 0; i < NUMBERS; i++)
        bytes += number[i]->capacity * sizeof(double);
    return bytes + (work->row_seen.capacity + work->block_seen.capacity) * sizeof(uint64_t);
}

/* ---- Neighbours ---- */

static ts_status list_neighbours(ts_impact_work *work, const ts_instant *n, ts_error *error)
{
    TS_TRY(ts_array_reserve(&work->begin, n->block_count + 1, error));
    TS_TRY(ts_array_reserve(&work->row, 2 * n->count, error));
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

ts_status ts_impact_prepare(ts_impact_work *work, const ts_instant *n, bool neighbours, ts_error *error)
{
    size_t rows_before = work->row_seen.capacity, blocks_before = work->block_seen.capacity;
    TS_TRY(ts_array_reserve(&work->row_seen, n->count, error));
    TS_TRY(ts_array_reserve(&work->block_seen, n->block_count, error));
    if (work->row_seen.capacity > rows_before)
        memset(work->row_seen.item + rows_before, 0, (work->row_seen.capacity - rows_before) * sizeof(uint64_t));
    if (work->block_seen.capacity > blocks_before)
        memset(work->block_seen.item + blocks_before, 0,
               (work->block_seen.capacity - blocks_before) * sizeof(uint64_t));
    TS_TRY(ts_array_reserve(&work->closing, n->count, error));
    TS_TRY(ts_array_reserve(&work->touched, n->block_count, error));
    TS_TRY(ts_array_reserve(&work->number_of, n->block_count, error));
    return neighbours ? list_neighbours(work, n, error) : TS_OK;
}

/* ---- Which contacts close ---- */

/* The sizes of what a rate is the sum of, added up. */
static double terms(const ts_instant *n, size_t k, const double *w)
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
    const ts_instant *n = impact->instant;
    double most = 0, rounding = 0;
    for (size_t k = 0; k < n->count; k++) {
        double rate = fabs(ts_instant_rate(n, k, impact->w)), sum = terms(n, k, impact->w);
        most = rate > most ? rate : most;
        rounding = sum > rounding ? sum : rounding;
    }
    /* where a crowd moves as one, all rates are rounding of velocities */
    return fmax(1e-14 * rounding,
                most * (impact->options->tolerance > 0 ? impact->options->tolerance : tolerance_default));
}

void ts_impact_find_all(const ts_impact *impact, double threshold)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    work->closing.count = 0;
    for (size_t k = 0; k < n->count; k++)
        if (ts_instant_rate(n, k, impact->w) < -threshold)
            work->closing.item[work->closing.count++] = (int32_t)k;
}

static int compare(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

void ts_impact_find_near(const ts_impact *impact, double threshold)
{
    const ts_instant *n = impact->instant;
    ts_impact_work *work = impact->work;
    if (8 * work->touched.count > n->block_count) { /* nearly all: looking at all is cheaper than sorting */
        ts_impact_find_all(impact, threshold);
        return;
    }
    work->pass++;
    work->closing.count = 0;
    for (size_t i = 0; i < work->touched.count; i++) {
        int32_t block = work->touched.item[i];
        for (int32_t at = work->begin.item[block]; at < work->begin.item[block + 1]; at++) {
            int32_t k = work->row.item[at];
            if (work->row_seen.item[k] == work->pass)
                continue;
            work->row_seen.item[k] = work->pass;
            if (ts_instant_rate(n, (size_t)k, impact->w) < -threshold)
                work->closing.item[work->closing.count++] = k;
        }
    }
    qsort(work->closing.item, work->closing.count, sizeof(int32_t), compare);
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
    if (work->block_seen.item[block] != work->pass) {
        work->block_seen.item[block] = work->pass;
        work->number_of.item[block] = (int32_t)work->touched.count;
        work->touched.item[work->touched.count++] = block;
    }
    return work->number_of.item[block];
}

/* Rows of length 1, so that impulses and rates have one unit, and the residual means something. */
static void add_row(ts_impact_work *work, const ts_instant *n, size_t k, size_t to, size_t used)
{
    size_t dof = (size_t)n->dof;
    double size = sqrt(ts_instant_square(n, k));
    work->size.item[to] = size;
    work->a.item[to] = number_block(work, n->a[k]);
    work->b.item[to] = number_block(work, n->b[k]);
    for (size_t d = 0; d < used; d++) {
        work->ga.item[to * used + d] = n->a[k] >= 0 ? n->ga[k * dof + d] / size : 0;
        work->gb.item[to * used + d] = n->b[k] >= 0 ? n->gb[k * dof + d] / size : 0;
    }
}

/* How many of a block's velocities any of these rows has a part in, counted from the first: balls without friction do not turn. */
static size_t used_dof(const ts_instant *n, const int32_t *row, size_t count)
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

ts_status ts_impact_program(ts_impact_work *work, const ts_instant *n, const int32_t *row, size_t count, ts_qp *qp,
                            ts_error *error)
{
    TS_TRY(reserve_program(work, count, n->dof, error));
    work->pass++;
    work->touched.count = 0;
    size_t used = used_dof(n, row, count);
    for (size_t i = 0; i < count; i++)
        add_row(work, n, row ? (size_t)row[i] : i, i, used);
    *qp = (ts_qp){.count = count,
                  .block_count = work->touched.count,
                  .dof = (int)used,
                  .a = work->a.item,
                  .b = work->b.item,
                  .ga = work->ga.item,
                  .gb = work->gb.item,
                  .linear = work->linear.item};
    return TS_OK;
}

/* Along its own ray the solution is the best when yᵀ(Ay + b) = 0; that is also what keeps energy to the last digits, however well the
 * program was solved. One factor for all keeps signs, momentum and symmetry. */
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

ts_status ts_impact_reflect(const ts_impact *impact, double c, ts_error *error)
{
    const ts_instant *n = impact->instant;
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
        work->linear.item[i] = (1 + c) * ts_instant_rate(n, (size_t)row[i], impact->w) / work->size.item[i];
        most = fmax(most, fabs(work->linear.item[i]));
    }
    TS_TRY(ts_array_reserve(&work->velocity, qp.block_count * (size_t)n->dof, error));
    ts_qp_options how = {.tolerance = 1e-13 * most, .fair = options->fair, .pool = options->pool};
    double *y = work->y.item;
    TS_TRY(ts_qp_solve(&qp, &how, work->qp, y, &found, error));
    double factor = ray(&qp, y, work->velocity.item);
    for (size_t i = 0; i < count; i++) {
        double impulse = factor * y[i] / work->size.item[i];
        ts_instant_push(n, (size_t)row[i], impulse, impact->w);
        impact->lambda[row[i]] += impulse;
    }
    report->problems++;
    report->iterations += found.iterations;
    report->touched += count;
    report->front = count > report->front ? count : report->front;
    report->residual = fmax(report->residual, most > 0 ? found.residual / most : 0);
    return TS_OK;
}
