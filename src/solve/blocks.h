/* SPDX-License-Identifier: MIT */
/* A symmetric sparse matrix of dense blocks of any sizes: the Hessian of an energy, or the matrix of a Newton step over
 * bodies (3 or 6 numbers), trees of links (n) and nodes of a grid (3).
 *
 *     ┌────┐
 *     │ 0,0│                 blocks stand by columns; of each column the diagonal block comes first, then those below it, by ascending rows.
 *     ├────┼──┐              A block has size[row] × size[column] numbers, by columns. Only the lower triangle is stored; of a diagonal
 *     │    │11│              block only the lower triangle is read.
 *     ├────┼──┼───┐
 *     │ 2,0│  │2,2│
 *     └────┴──┴───┘
 *
 *     ts_blocks m = {0};
 *     ts_blocks_create(&m, count, size, pair_count, pair, error);      the pattern; values are zero
 *     ts_blocks_add(&m, i, j, part);                                   again and again
 *     ts_sparse_create_blocks(&m, pool, &sparse, error);               analysis, once for a pattern (solve/sparse.h)
 *     ts_sparse_factor_blocks(sparse, &m, error);                      for each set of values
 *     ts_sparse_solve(sparse, x);
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct ts_blocks {
    size_t block_count; /* in a row or a column */
    int32_t *size;      /* numbers of each block row, at least 1 (block_count) */
    size_t *begin;      /* stored blocks of column j: begin[j] … begin[j + 1] - 1 (block_count + 1) */
    int32_t *row;       /* of each stored block (begin[block_count]) */
    size_t *at;         /* where its values begin (begin[block_count] + 1) */
    double *value;      /* (at[begin[block_count]]) */
} ts_blocks;

/* A matrix of zeros with all diagonal blocks, and one block for each pair of different block numbers, in any order and
 * as often as it comes. Sizes are copied. TS_BAD_INPUT for sizes below 1 and numbers out of range. On failure nothing
 * is kept. */
ts_status ts_blocks_create(ts_blocks *blocks, size_t block_count, const int32_t *size, size_t pair_count,
                           const int32_t (*pair)[2], ts_error *error);
void ts_blocks_free(ts_blocks *blocks); /* a zeroed one is fine */
/* All values zero again. */
void ts_blocks_clear(ts_blocks *blocks);

/* The stored block of row i and column j ≤ i; NULL: the pattern has none. */
double *ts_blocks_find(const ts_blocks *blocks, int32_t i, int32_t j);
/* Adds a dense matrix of size[i] × size[j] numbers, by columns, at block row i and block column j, transposed where j >
 * i. The pattern must have that block. */
void ts_blocks_add(ts_blocks *blocks, int32_t i, int32_t j, const double *part);
/* y ← M x. */
void ts_blocks_apply(const ts_blocks *blocks, const double *x, double *y);
/* Numbers in a row of the whole matrix. */
size_t ts_blocks_numbers(const ts_blocks *blocks);
