/* SPDX-License-Identifier: MIT */
/* Nested dissection and its tree of fronts; between sparse_order.c (tree), sparse_own.c (numbers), sparse_blocks.c
 * (blocks of any sizes) and sparse_front.simd.c (arithmetic).
 *
 *     ┌───────┬─┬───────┐         C            A front is the dense matrix of its own blocks and of all later ones that these touch:
 *     │   A   │C│   B   │        ╱ ╲
 *     │       │ │       │       A   B              own │ L11            own blocks are eliminated: L11, L21 are kept;
 *     └───────┴─┴───────┘                         rest │ L21  U         U = what that does to the rest goes to the parent.
 *
 * Blocks are renumbered so that children stand before parents and a front's own blocks are consecutive. */
#pragma once

#include <stdbool.h>

#include "solve/sparse.h"
#include "solve/sparse_backend.h"

typedef struct ts_front {
    int32_t first;                     /* own blocks: first … first + own - 1, in the new order */
    int32_t own;                       /* may be 0, where a graph falls in two by itself */
    int32_t rest;                      /* later blocks that it touches */
    int32_t parent;                    /* -1: a root */
    int32_t child[2];                  /* -1: none */
    int32_t own_numbers, rest_numbers; /* of those blocks */
    int32_t first_row;                 /* into `row`, or into `block` */
    int32_t rows;                      /* whose first eliminated block is its own */
    size_t carry_at;                   /* into `carry` */
    size_t rest_at;                    /* into `rest` and `place` */
    size_t panel_at;                   /* into `panel`: L11 over L21, by columns */
    size_t update_at; /* U, into a stack of its task or, for tops and roots of tasks, into storage of its own */
    int32_t stack;    /* which of a task's two: a front's children are on the other one */
    int32_t task;     /* the subtree that one thread works on by itself; -1: the top, where all threads share a front */
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
/* Where block number x stands in front f. */
int32_t ts_front_stand(const ts_fronts *tree, const ts_front *f, int32_t x);

/* Columns that are finished before the rest of a panel hears of them: 64 columns of a tall front fill half of a 512
 * KB cache. */
#define TS_FRONT_STRIP 64

/* ---- Dense arithmetic. Matrices stand by columns, `ld` numbers apart, a multiple of 4; the lower triangle counts.
 * ---- */
typedef struct ts_front_kernels {
    /* Factors columns from … to-1 of a panel with `height` rows in place, all earlier columns having been applied.
     * Pivots not above `floor[j]` are replaced by it. Returns how many. */
    int (*factor)(double *panel, int ld, int height, int from, int to, const double *floor);
    /* C -= A Bᵀ on and below the diagonal of columns from … to-1, with `depth` columns of A and B. C is square in its
     * columns and has `height` rows; A and B are the same rows of one panel. */
    void (*update)(double *c, int ldc, const double *a, int lda, int depth, int height, int from, int to);
    /* t ← what is left of it after elimination; its first `own` numbers become L11⁻¹ t. */
    void (*forward)(const double *panel, int ld, int own, int height, double *t);
    /* t's first `own` numbers ← L11⁻ᵀ (t − L21ᵀ t_rest). */
    void (*backward)(const double *panel, int ld, int own, int height, double *t);
} ts_front_kernels;

const ts_front_kernels *ts_front_choose(void);

/* ---- The factorisation ---- */

/* A row in the front that holds it. */
typedef struct ts_placed {
    uint32_t first;  /* its entries there begin at g[first · dof] */
    uint32_t second; /* and the other's here; same as first where there is none */
    int32_t row;
    int32_t at;    /* block in the front of the first */
    int32_t other; /* and of the second; -1: none */
} ts_placed;

/* A stored block in the front that eliminates the earlier one of its two. */
typedef struct ts_placed_block {
    size_t value;          /* where its values begin */
    int32_t column, row;   /* numbers of the front at which it begins there */
    int32_t width, height; /* as stored: of its column and of its row */
    bool turned;           /* its row is eliminated first */
} ts_placed_block;

/* Of one thread. */
typedef struct ts_front_scratch {
    double *stack[2];
    double *t; /* one front's numbers */
    size_t mended;
} ts_front_scratch;

struct ts_sparse_own {
    ts_fronts tree;
    const ts_front_kernels *kernel;
    ts_pool *pool;
    int dof; /* numbers of a block; 0: each has its own */

    /* what is factored: rows, or blocks of any sizes */
    ts_sparse_rows rows;
    ts_placed *row;         /* by front (rows.count) */
    ts_placed_block *block; /* by front (block_count); NULL: rows */
    size_t block_count;
    int32_t *base;   /* of blocks: first number of each in the new order (tree.block_count + 1) */
    size_t *first;   /* and in the order given (tree.block_count + 1) */
    int32_t *offset; /* of each of tree.rest: where it begins in its front's rest (tree.rest_count) */
    int32_t *spot;   /* and in the parent's front (tree.rest_count) */

    int32_t *task;  /* root of each task (task_count) */
    int32_t *begin; /* first front of each task: a subtree is a range (task_count) */
    int32_t *top;   /* fronts of the top, children first (top_count) */
    size_t task_count, top_count;
    double *panel;
    double *update;           /* of tops and of roots of tasks */
    double *carry;            /* what a solve passes from front to parent (carry_count) */
    double *x;                /* in the new order (number_count) */
    double *floor;            /* smallest pivot, in the new order (number_count) */
    ts_front_scratch *thread; /* of each thread */
    int threads;
    size_t panel_count, update_count, stack_count[2], t_count, carry_count, number_count;
    double entries, flops;
    /* of the factorisation under way */
    const double *weight, *value;
    double shift;
};

/* A front's panel and update while it is worked on. */
typedef struct ts_dense {
    double *panel, *update;
    int ld, ldu, own, rest; /* numbers */
} ts_dense;

/* Fronts and their numbers, for sizes and a pattern; then where each stored block goes. */
ts_status ts_sparse_blocks_analyse(ts_sparse_own *sparse, const ts_blocks *blocks, ts_error *error);
ts_status ts_sparse_blocks_place(ts_sparse_own *sparse, const ts_blocks *blocks, ts_error *error);
/* Adds the stored blocks of a front to it. */
void ts_sparse_blocks_add(const ts_sparse_own *sparse, const ts_front *f, const ts_dense *d);
/* Its smallest pivots: rounding's share of the diagonal. */
void ts_sparse_blocks_floors(ts_sparse_own *sparse, const ts_front *f);
/* The first block in the order of elimination whose pivot was replaced. */
size_t ts_sparse_blocks_failed(const ts_sparse_own *sparse);
