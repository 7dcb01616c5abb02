/* SPDX-License-Identifier: MIT */
/* Nested dissection and its tree of fronts; between sparse_order.c (tree), sparse_own.c (numbers) and sparse_front.simd.c (arithmetic).
 *
 *     ┌───────┬─┬───────┐         C            A front is the dense matrix of its own blocks and of all later ones that these touch:
 *     │   A   │C│   B   │        ╱ ╲
 *     │       │ │       │       A   B              own │ L11            own blocks are eliminated: L11, L21 are kept;
 *     └───────┴─┴───────┘                         rest │ L21  U         U = what that does to the rest goes to the parent.
 *
 * Blocks are renumbered so that children stand before parents and a front's own blocks are consecutive. */
#pragma once

#include "solve/sparse.h"

typedef struct ts_front {
    int32_t first;     /* own blocks: first … first + own - 1, in the new order */
    int32_t own;       /* may be 0, where a graph falls in two by itself */
    int32_t rest;      /* later blocks that it touches */
    int32_t parent;    /* -1: a root */
    int32_t child[2];  /* -1: none */
    int32_t first_row; /* into `row` */
    int32_t rows;      /* whose first eliminated block is its own */
    size_t rest_at;    /* into `rest` and `place` */
    size_t panel_at;   /* into `panel`: L11 over L21, by columns */
    size_t update_at;  /* U, into a stack of its task or, for tops and roots of tasks, into storage of its own */
    int32_t stack;     /* which of a task's two: a front's children are on the other one */
    int32_t task; /* the subtree that one thread works on by itself; -1: the top, where all threads share a front */
} ts_front;

typedef struct ts_fronts {
    size_t block_count;
    size_t count;
    ts_front *front; /* children before parents (count) */
    int32_t *order;  /* new number → block (block_count) */
    int32_t *number; /* block → new number (block_count) */
    int32_t *rest;   /* new numbers, ascending, of each front in turn */
    int32_t *place;  /* where each of them stands in the parent's front */
    size_t rest_count;
    size_t rest_capacity;
} ts_fronts;

/* Orders the blocks and makes the tree. On failure nothing is kept. */
ts_status ts_fronts_create(const ts_sparse_rows *rows, ts_pool *pool, ts_fronts *fronts, ts_error *error);
void ts_fronts_free(ts_fronts *fronts);

/* Columns that are finished before the rest of a panel hears of them: 64 columns of a tall front fill half of a 512 KB cache. */
#define TS_FRONT_STRIP 64

/* ---- Dense arithmetic. Matrices stand by columns, `ld` numbers apart, a multiple of 4; the lower triangle counts. ---- */
typedef struct ts_front_kernels {
    /* Factors columns from … to-1 of a panel with `height` rows in place, all earlier columns having been applied. Pivots not above
     * `floor[j]` are replaced by it. Returns how many. */
    int (*factor)(double *panel, int ld, int height, int from, int to, const double *floor);
    /* C -= A Bᵀ on and below the diagonal of columns from … to-1, with `depth` columns of A and B. C is square in its columns and has
     * `height` rows; A and B are the same rows of one panel. */
    void (*update)(double *c, int ldc, const double *a, int lda, int depth, int height, int from, int to);
    /* t ← what is left of it after elimination; its first `own` numbers become L11⁻¹ t. */
    void (*forward)(const double *panel, int ld, int own, int height, double *t);
    /* t's first `own` numbers ← L11⁻ᵀ (t − L21ᵀ t_rest). */
    void (*backward)(const double *panel, int ld, int own, int height, double *t);
} ts_front_kernels;

const ts_front_kernels *ts_front_choose(void);
