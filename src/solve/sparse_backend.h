/* SPDX-License-Identifier: MIT */
/* What stands behind sparse.h: the same calls, once for each library. */
#pragma once

#include "base/memory.h"
#include "solve/sparse.h"

typedef struct ts_sparse_own ts_sparse_own;
ts_status ts_sparse_own_create(const ts_sparse_rows *rows, ts_pool *pool, ts_sparse_own **sparse, ts_error *error);
ts_status ts_sparse_own_create_blocks(const ts_blocks *blocks, ts_pool *pool, ts_sparse_own **sparse, ts_error *error);
void ts_sparse_own_attach(ts_sparse_own *sparse, const ts_sparse_rows *rows);
void ts_sparse_own_free(ts_sparse_own *sparse);
TS_RELEASE_AT(ts_sparse_own, ts_sparse_own_free)
void ts_sparse_own_factor(ts_sparse_own *sparse, double shift, const double *weight, size_t *mended);
/* Returns how many pivots were replaced. */
size_t ts_sparse_own_factor_blocks(ts_sparse_own *sparse, const double *value);
void ts_sparse_own_solve(ts_sparse_own *sparse, double *x);
ts_sparse_size ts_sparse_own_measure(const ts_sparse_own *sparse);

/* In a build without it, create fails with TS_UNSUPPORTED and the others are never called. */
typedef struct ts_sparse_cholmod ts_sparse_cholmod;
ts_status ts_sparse_cholmod_create(const ts_sparse_rows *rows, ts_sparse_cholmod **sparse, ts_error *error);
void ts_sparse_cholmod_attach(ts_sparse_cholmod *sparse, const ts_sparse_rows *rows);
void ts_sparse_cholmod_free(ts_sparse_cholmod *sparse);
ts_status ts_sparse_cholmod_factor(ts_sparse_cholmod *sparse, double shift, const double *weight, ts_error *error);
void ts_sparse_cholmod_solve(ts_sparse_cholmod *sparse, double *x);
ts_sparse_size ts_sparse_cholmod_measure(const ts_sparse_cholmod *sparse);
