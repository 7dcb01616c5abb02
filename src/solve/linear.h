/* SPDX-License-Identifier: MIT */
/* Linear programs in few unknowns and many rows:
 *
 *     maximise c·x  where  a_i·x ≤ b_i  for every row, and |x_k| ≤ bound
 *
 * by Seidel's incremental method: rows are taken one by one in a shuffled order, and where one is violated, the optimum lies on
 * it, which is a program with one unknown less. Expected time O(dimension! · rows). */
#pragma once

#include <stddef.h>

#include "base/memory.h"

#define TS_LINEAR_DIMENSION_MAX 4

typedef enum ts_linear_outcome { TS_LINEAR_SOLVED, TS_LINEAR_EMPTY } ts_linear_outcome;

/* Rows one after another: a_1 … a_dimension, b. Numbers should be about 1; a row may be violated by 1e-12. Deterministic. */
ts_status ts_linear_solve(int dimension, const double *row, size_t row_count, const double *objective, double bound,
                          double *x, ts_linear_outcome *outcome, ts_error *error);
