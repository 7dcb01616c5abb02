/* SPDX-License-Identifier: MIT */
/* CHOLMOD behind sparse.h: its simplicial factorisation, which is under the LGPL and calls no BLAS, so that its bits
 * depend on no thread. The pattern is made once; each row knows which numbers of the matrix it adds to. */
#include "solve/sparse_backend.h"

#if defined(TS_SUITESPARSE) && TS_SUITESPARSE

#include <cholmod.h>
#include <string.h>

#include "base/memory.h"

struct ts_sparse_cholmod {
    ts_sparse_rows rows;
    cholmod_common common;
    cholmod_sparse *matrix; /* lower triangle */
    cholmod_factor *factor;
    size_t *diagonal; /* of each block: where its dof · dof numbers begin, by columns (block_count · dof) */
    size_t *off;      /* of each row with two blocks: where each of dof columns begins (count · dof) */
};

static int compare(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Pairs (column block, row block, row), sorted, give the pattern; equal pairs share their numbers. */
static ts_status make_pattern(ts_sparse_cholmod *s, int32_t (*pair)[3], size_t pairs, ts_error *error)
{
    size_t dof = (size_t)s->rows.dof, n = s->rows.block_count, blocks = 0;
    qsort(pair, pairs, sizeof *pair, compare);
    for (size_t k = 0; k < pairs; k++)
        blocks += k == 0 || compare(pair[k - 1], pair[k]) != 0;
    size_t entries = blocks * dof * dof + n * dof * (dof + 1) / 2;
    s->matrix = cholmod_allocate_sparse(n * dof, n * dof, entries, 1, 1, -1, CHOLMOD_REAL, &s->common);
    if (!s->matrix)
        return ts_fail_memory(error, entries * sizeof(double));
    int *start = s->matrix->p, *index = s->matrix->i, at = 0;
    size_t k = 0;
    for (size_t j = 0; j < n; j++) {
        size_t first = k;
        for (size_t c = 0; c < dof; c++) {
            start[j * dof + c] = at;
            s->diagonal[j * dof + c] = (size_t)at;
            for (size_t r = c; r < dof; r++)
                index[at++] = (int)(j * dof + r);
            for (k = first; k < pairs && (size_t)pair[k][0] == j; k++) {
                bool again = k > first && pair[k - 1][1] == pair[k][1];
                if (!again)
                    for (size_t r = 0; r < dof; r++)
                        index[at++] = pair[k][1] * (int)dof + (int)r;
                s->off[(size_t)pair[k][2] * dof + c] = (size_t)at - dof;
            }
        }
    }
    start[n * dof] = at;
    return TS_OK;
}

ts_status ts_sparse_cholmod_create(const ts_sparse_rows *rows, ts_sparse_cholmod **sparse, ts_error *error)
{
    ts_sparse_cholmod *s;
    TS_TRY(ts_new(&s, 1, error));
    s->rows = *rows;
    cholmod_start(&s->common);
    s->common.print = 0;
    s->common.supernodal = CHOLMOD_SIMPLICIAL;
    s->diagonal = ts_alloc_raw(rows->block_count * (size_t)rows->dof + 1, sizeof *s->diagonal);
    s->off = ts_alloc_raw(rows->count * (size_t)rows->dof + 1, sizeof *s->off);
    int32_t(*pair)[3] = ts_alloc_raw(rows->count + 1, sizeof *pair);
    size_t pairs = 0;
    ts_status status = s->diagonal && s->off && pair ? TS_OK : ts_fail_memory(error, rows->count * sizeof *pair);
    for (size_t i = 0; status == TS_OK && i < rows->count; i++)
        if (rows->a[i] >= 0 && rows->b[i] >= 0) {
            bool up = rows->a[i] < rows->b[i];
            pair[pairs][0] = up ? rows->a[i] : rows->b[i];
            pair[pairs][1] = up ? rows->b[i] : rows->a[i];
            pair[pairs++][2] = (int32_t)i;
        }
    if (status == TS_OK)
        status = make_pattern(s, pair, pairs, error);
    ts_free(pair);
    if (status == TS_OK && !(s->factor = cholmod_analyze(s->matrix, &s->common)))
        status = ts_fail_memory(error, 0);
    if (status != TS_OK) {
        ts_sparse_cholmod_free(s);
        return status;
    }
    *sparse = s;
    return TS_OK;
}

void ts_sparse_cholmod_attach(ts_sparse_cholmod *s, const ts_sparse_rows *rows)
{
    s->rows = *rows;
}

void ts_sparse_cholmod_free(ts_sparse_cholmod *s)
{
    if (!s)
        return;
    cholmod_free_factor(&s->factor, &s->common);
    cholmod_free_sparse(&s->matrix, &s->common);
    cholmod_finish(&s->common);
    ts_free(s->diagonal);
    ts_free(s->off);
    ts_free(s);
}

/* Adds w g hᵀ, or its lower triangle where that is a diagonal block. */
static void add(double *x, const size_t *column, size_t dof, const double *down, const double *across, double w,
                bool lower)
{
    for (size_t c = 0; c < dof; c++)
        for (size_t r = lower ? c : 0; r < dof; r++)
            x[column[c] + r - (lower ? c : 0)] += w * down[r] * across[c];
}

ts_status ts_sparse_cholmod_factor(ts_sparse_cholmod *s, double shift, const double *weight, ts_error *error)
{
    size_t dof = (size_t)s->rows.dof;
    double *x = s->matrix->x;
    memset(x, 0, s->matrix->nzmax * sizeof *x);
    for (size_t k = 0; k < s->rows.block_count * dof; k++)
        x[s->diagonal[k]] = shift;
    for (size_t i = 0; i < s->rows.count; i++) {
        int32_t a = s->rows.a[i], b = s->rows.b[i];
        const double *ga = s->rows.g + 2 * i * dof, *gb = ga + dof;
        if (a >= 0)
            add(x, s->diagonal + (size_t)a * dof, dof, ga, ga, weight[i], true);
        if (b >= 0)
            add(x, s->diagonal + (size_t)b * dof, dof, gb, gb, weight[i], true);
        if (a >= 0 && b >= 0)
            add(x, s->off + i * dof, dof, a < b ? gb : ga, a < b ? ga : gb, weight[i], false);
    }
    if (!cholmod_factorize(s->matrix, s->factor, &s->common))
        return ts_fail_memory(error, 0);
    return TS_OK;
}

void ts_sparse_cholmod_solve(ts_sparse_cholmod *s, double *x)
{
    size_t n = s->rows.block_count * (size_t)s->rows.dof;
    cholmod_dense right = {
        .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
    cholmod_dense *solved = cholmod_solve(CHOLMOD_A, s->factor, &right, &s->common);
    if (solved)
        memcpy(x, solved->x, n * sizeof *x);
    cholmod_free_dense(&solved, &s->common);
}

ts_sparse_size ts_sparse_cholmod_measure(const ts_sparse_cholmod *s)
{
    return (ts_sparse_size){s->common.lnz, s->common.fl, s->common.memory_inuse};
}

#else

ts_status ts_sparse_cholmod_create(const ts_sparse_rows *rows, ts_sparse_cholmod **sparse, ts_error *error)
{
    (void)rows, (void)sparse;
    return ts_fail(error, TS_UNSUPPORTED, "this build has no CHOLMOD; build with -DTS_SUITESPARSE=ON");
}
void ts_sparse_cholmod_attach(ts_sparse_cholmod *sparse, const ts_sparse_rows *rows)
{
    (void)sparse, (void)rows;
}
void ts_sparse_cholmod_free(ts_sparse_cholmod *sparse)
{
    (void)sparse;
}
ts_status ts_sparse_cholmod_factor(ts_sparse_cholmod *sparse, double shift, const double *weight, ts_error *error)
{
    (void)sparse, (void)shift, (void)weight, (void)error;
    return TS_UNSUPPORTED;
}
void ts_sparse_cholmod_solve(ts_sparse_cholmod *sparse, double *x)
{
    (void)sparse, (void)x;
}
ts_sparse_size ts_sparse_cholmod_measure(const ts_sparse_cholmod *sparse)
{
    (void)sparse;
    return (ts_sparse_size){0};
}

#endif
