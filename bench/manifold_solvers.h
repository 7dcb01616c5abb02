/* SPDX-License-Identifier: MIT */
/* Iterative solvers of the programs of two edges, and of a vertex and a face, for comparison with the closed forms of
 * manifold/edge_program.h. Both are written in the usual way for one small dense program at a time.
 *
 *     interior point   min ½ xᵀQx + cᵀx,  Gx ≤ h     primal–dual, Mehrotra's predictor and corrector, dense Cholesky
 *     L-BFGS           min ½ |r(x)|² + ½ λ |x − ½|² − μ Σ log(xᵢ (1 − xᵢ)),  0 ≤ x ≤ 1, with μ falling tenfold from 0.1
 *                      and the step chosen by backtracking (Armijo)
 *
 * A face is asked by L-BFGS as a bilinear patch one side of which has shrunk to a corner, so that bounds are all the
 * constraints there are: p(u, w) = (1 − w) ((1 − u) a + u b) + w c. */
#pragma once

#include <stdbool.h>

#include "base/vec.h"

#define TS_INTERIOR_VARIABLES 4
#define TS_INTERIOR_ROWS      8

typedef struct ts_interior_program {
    int variables, rows;
    double q[TS_INTERIOR_VARIABLES][TS_INTERIOR_VARIABLES], c[TS_INTERIOR_VARIABLES];
    double g[TS_INTERIOR_ROWS][TS_INTERIOR_VARIABLES], h[TS_INTERIOR_ROWS];
} ts_interior_program;

/* From a strictly feasible x (overwritten by the answer) until residuals and complementarity are at most `tolerance`. Returns
 * iterations, negative when they ran out. */
int ts_interior_solve(const ts_interior_program *program, double tolerance, double *x);

/* Two edges, or a vertex (in p0) and a face (q0, q1, q2). */
typedef struct ts_nearest_query {
    bool face;
    double centre; /* λ of two edges [m²] */
    ts_vec3 p0, p1, q0, q1, q2;
} ts_nearest_query;

/* As the program above: places on both edges, or the second and third barycentric coordinate. */
ts_interior_program ts_nearest_program(const ts_nearest_query *query, double x[2]);
/* Squared distance of the points at x, and λ's part. */
double ts_nearest_cost(const ts_nearest_query *query, const double x[2]);

/* With μ down to `least`; x are places on both edges, or barycentric coordinates as above. Returns iterations. */
int ts_barrier_solve(const ts_nearest_query *query, double least, double tolerance, double x[2]);
