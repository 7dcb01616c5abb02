/* SPDX-License-Identifier: MIT */
#include "solve/sparse.h"

#include <math.h>

#include "base/memory.h"
#include "solve/sparse_own.h"

struct ts_sparse {
    ts_sparse_own *own;
    ts_sparse_cholmod *cholmod;
};

ts_status ts_sparse_create(const ts_sparse_rows *rows, ts_sparse_kind kind, ts_pool *pool, ts_sparse **sparse,
                           ts_error *error)
{
    /* indices of entries are 32 bits wide */
    if (rows->count >= (size_t)1 << 30 || rows->block_count >= (size_t)1 << 30)
        return ts_fail(error, TS_UNSUPPORTED,
                       "%zu contacts hang together, but a factorisation takes at most 2^30; use the projected method",
                       rows->count);
    TS_AUTO_FREE ts_sparse *s = NULL;
    TS_TRY(ts_new(&s, 1, error));
    TS_TRY(kind == TS_SPARSE_OWN ? ts_sparse_own_create(rows, pool, &s->own, error)
                                 : ts_sparse_cholmod_create(rows, &s->cholmod, error));
    *sparse = ts_give(&s);
    return TS_OK;
}

void ts_sparse_attach(ts_sparse *sparse, const ts_sparse_rows *rows)
{
    if (sparse->cholmod)
        ts_sparse_cholmod_attach(sparse->cholmod, rows);
    else
        ts_sparse_own_attach(sparse->own, rows);
}

void ts_sparse_free(ts_sparse *sparse)
{
    if (!sparse)
        return;
    ts_sparse_own_free(sparse->own);
    ts_sparse_cholmod_free(sparse->cholmod);
    ts_free(sparse);
}

ts_status ts_sparse_factor(ts_sparse *sparse, double shift, const double *weight, size_t *mended, ts_error *error)
{
    size_t count = 0;
    if (sparse->cholmod)
        TS_TRY(ts_sparse_cholmod_factor(sparse->cholmod, shift, weight, error));
    else
        ts_sparse_own_factor(sparse->own, shift, weight, &count);
    if (mended)
        *mended = count;
    return TS_OK;
}

ts_status ts_sparse_create_blocks(const ts_blocks *blocks, ts_pool *pool, ts_sparse **sparse, ts_error *error)
{
    TS_AUTO_FREE ts_sparse *s = NULL;
    TS_TRY(ts_new(&s, 1, error));
    TS_TRY(ts_sparse_own_create_blocks(blocks, pool, &s->own, error));
    *sparse = ts_give(&s);
    return TS_OK;
}

ts_status ts_sparse_factor_blocks(ts_sparse *sparse, const ts_blocks *blocks, ts_error *error)
{
    const size_t count = blocks->at[blocks->begin[blocks->block_count]];
    for (size_t i = 0; i < count; i++)
        if (!isfinite(blocks->value[i]))
            return ts_fail(error, TS_BAD_INPUT, "a matrix of blocks has a number that is not finite: value %zu", i);
    if (ts_sparse_own_factor_blocks(sparse->own, blocks->value) > 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the matrix is not positive definite: elimination stops at block %zu; add to its diagonal",
                       ts_sparse_blocks_failed(sparse->own));
    return TS_OK;
}

void ts_sparse_solve(ts_sparse *sparse, double *x)
{
    if (sparse->cholmod)
        ts_sparse_cholmod_solve(sparse->cholmod, x);
    else
        ts_sparse_own_solve(sparse->own, x);
}

ts_sparse_size ts_sparse_measure(const ts_sparse *sparse)
{
    return sparse->cholmod ? ts_sparse_cholmod_measure(sparse->cholmod) : ts_sparse_own_measure(sparse->own);
}
