/* SPDX-License-Identifier: MIT */
/* A contact problem without bodies, for solvers that know contacts alone: u = W r + q, with W = Hᵀ M⁻¹ H and q = Hᵀ
 * v⁻ + w. */
#pragma once

#include "dynamics/problem_solve.h"

/* A sparse matrix by columns, with indices as FCLIB has them. */
typedef struct ts_fclib_matrix {
    int32_t rows, columns;
    int32_t *begin; /* of each column, and the end (columns + 1) */
    int32_t *row;   /* ascending in each column (begin[columns]) */
    double *x;
} ts_fclib_matrix;

/* Arrays from the arena, zeroed; false: out of memory. */
bool ts_fclib_matrix_make(ts_arena *memory, size_t rows, size_t columns, size_t entries, ts_fclib_matrix *matrix);

/* W and q (rows · count), from the arena. *fits is false, and nothing is made, when W would have more than 1e8 entries:
 * a body with very many contacts ties them all together. */
ts_status ts_fclib_local(const ts_problem *problem, ts_arena *memory, ts_fclib_matrix *w, double **q, bool *fits,
                         ts_error *error);
