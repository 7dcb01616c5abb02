/* SPDX-License-Identifier: MIT */
/* Sparse Cholesky of symmetric positive definite matrices, in two forms:
 *
 *     rows      M = shift·I + Σ wᵢ gᵢ gᵢᵀ        what contacts make; gᵢ: a row's entries in the blocks (bodies) a[i] and b[i]
 *     blocks    any matrix of dense blocks of any sizes (blocks.h)
 *
 * Its pattern is the graph of the blocks. Analyse once, factor for many weights or values, solve.
 *
 *     graph ─▶ nested dissection ─▶ a tree of fronts ─▶ factor, leaves first ─▶ solve, up and down
 *
 * Our own factorisation is multifrontal: dissection cuts the graph in two by a thin layer of bodies, again and again;
 * each layer, and each small rest, is one dense front (sparse_own.h has the picture). It has the same bits on any
 * number of threads and instruction sets. CHOLMOD's simplicial factorisation stands behind the same calls, as a second
 * opinion. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/threads.h"
#include "solve/blocks.h"

#define TS_SPARSE_DOF_MAX 6

typedef struct ts_sparse_rows {
    size_t count;
    size_t block_count;
    int dof;          /* numbers a block */
    const int32_t *a; /* block of each row; -1: none (count) */
    const int32_t *b; /* (count) */
    const double *g;  /* entries in a, then in b; zero where there is none (count · 2 · dof) */
} ts_sparse_rows;

typedef enum ts_sparse_kind {
    TS_SPARSE_OWN,
    TS_SPARSE_CHOLMOD, /* TS_UNSUPPORTED in a build without it */
} ts_sparse_kind;

typedef struct ts_sparse ts_sparse;

/* Orders and analyses. The rows are borrowed and must live as long as this does, or until others are attached. */
ts_status ts_sparse_create(const ts_sparse_rows *rows, ts_sparse_kind kind, ts_pool *pool, ts_sparse **sparse,
                           ts_error *error);
/* Other arrays with the same numbers and indices, and any entries. */
void ts_sparse_attach(ts_sparse *sparse, const ts_sparse_rows *rows);
void ts_sparse_free(ts_sparse *sparse); /* NULL is fine */

/* Factors with the weights given (count), each ≥ 0, and shift > 0. A pivot that rounding has eaten is replaced by the
 * smallest that rounding can tell from zero; `mended` counts them (NULL: not wanted). */
ts_status ts_sparse_factor(ts_sparse *sparse, double shift, const double *weight, size_t *mended, ts_error *error);

/* The same for a matrix of blocks, always by our own factorisation. Sizes and pattern are read here and not kept. */
ts_status ts_sparse_create_blocks(const ts_blocks *blocks, ts_pool *pool, ts_sparse **sparse, ts_error *error);
/* Factors the values of a matrix of the same sizes and pattern; nothing of it is kept. TS_BAD_INPUT, with the block
 * named, when it is not positive definite as far as rounding can tell: a pivot is not above 4 ε of its diagonal number,
 * or something is not finite. There is nothing to solve with then. */
ts_status ts_sparse_factor_blocks(ts_sparse *sparse, const ts_blocks *blocks, ts_error *error);

/* x ← M⁻¹ x (all numbers, block after block). After a factorisation. The same bits on any number of threads. */
void ts_sparse_solve(ts_sparse *sparse, double *x);

/* Numbers in the factor, and the arithmetic that one factorisation takes. */
typedef struct ts_sparse_size {
    double entries;
    double flops;
    size_t bytes;
} ts_sparse_size;
ts_sparse_size ts_sparse_measure(const ts_sparse *sparse);
