/* SPDX-License-Identifier: MIT */
/* Convex quadratic programs with bounds, of the kind that contacts make:
 *
 *     min  ½ yᵀ A y + bᵀ y    over  low ≤ y ≤ high,     A = GᵀG
 *
 * A row is a contact: it ties two *blocks* (bodies) of `dof` numbers each, so column i of G has 2·dof entries, in the
 * blocks a[i] and b[i]. Physics has gone into the numbers: G is scaled by the square roots of inverse masses, y are
 * impulses, b velocities. A is never formed unless a method wants it, and is singular wherever contacts are redundant:
 * y is then not unique, Gy is.
 *
 *     problem ─▶ islands (rows that share no block, however indirectly) ─▶ each by the method for its size ─▶ residual of the whole
 *
 * Every answer carries its *natural residual*, worked out anew from these numbers and nothing else:
 *
 *     max |y − clip(y − (Ay + b), low, high)|          with low = 0, high = ∞: max |min(y, Ay + b)|
 *
 * That compares impulses with velocities, so a change of the unit of mass would change what is small. Methods therefore
 * work to the residual with every impulse counted as the velocity that it makes at its own contact, Aᵢᵢ y: max |min(Aᵢᵢ
 * yᵢ, (Ay + b)ᵢ)|. Both are reported; where all Aᵢᵢ are at least 1 the second is the larger. docs/solvers.md has the
 * mathematics.
 *
 * The same bits on any number of threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

#define TS_QP_DOF_MAX 6

typedef struct ts_qp {
    size_t count;         /* rows */
    size_t block_count;   /* bodies */
    int dof;              /* numbers a block: 2 discs without spin, 3 in the plane, 6 in space */
    const int32_t *a;     /* block of each row; -1: what cannot move (count) */
    const int32_t *b;     /* the same (count) */
    const double *ga;     /* its entries there; nothing is read where a is -1 (count · dof) */
    const double *gb;     /* (count · dof) */
    const double *linear; /* b (count) */
    const double *low;    /* NULL: 0 (count) */
    const double *high;   /* NULL: infinite (count) */
} ts_qp;

typedef enum ts_qp_method {
    TS_QP_AUTO = 0,
    TS_QP_DENSE,     /* active set; for small islands */
    TS_QP_INTERIOR,  /* primal–dual interior point on a sparse factorisation of I + G D Gᵀ */
    TS_QP_PROJECTED, /* matrix-free; for what a factor would not fit, and as a check */
    TS_QP_CONJUGATE, /* matrix-free; for a few digits, and then the quickest for large islands in space */
    TS_QP_METHODS
} ts_qp_method;

typedef struct ts_qp_options {
    ts_qp_method method;
    double
        tolerance; /* of the natural residual, in the unit of y and b as they are given; 0: 1e-10 of the largest |b| */
    int iterations_max; /* of each island, in the method's own unit; 0: a generous default */
    bool warm;          /* y holds a guess */
    /* Among the y that are solutions take the one of least norm: symmetric problems then have symmetric answers. Costs
     * a second, smaller problem where contacts are redundant. */
    bool least;
    /* Only that: any symmetric answer to a symmetric problem. The interior point is in the middle by itself; after an
     * active set, least norm. */
    bool fair;
    /* A tolerance of a few digits: islands too large for an active set go by conjugate gradients, and what those do not
     * reach is left. */
    bool quick;
    ts_pool *pool; /* NULL: one thread */
} ts_qp_options;

typedef struct ts_qp_report {
    bool reached;    /* the tolerance; otherwise y is the best that was found */
    double residual; /* of the whole problem, in velocities */
    double natural;  /* the natural residual as it stands */
    size_t islands;
    size_t largest;               /* rows of the largest island */
    size_t solved[TS_QP_METHODS]; /* islands by each method */
    uint64_t iterations;          /* of all islands */
    uint64_t factorisations;
} ts_qp_report;

/* Memory that grows with the problems it has seen. */
typedef struct ts_qp_work ts_qp_work;

ts_status ts_qp_work_create(ts_qp_work **work, ts_error *error);
void ts_qp_work_free(ts_qp_work *work); /* NULL is fine */
TS_RELEASE_AT(ts_qp_work, ts_qp_work_free)
size_t ts_qp_work_bytes(const ts_qp_work *work);

/* Solves it. TS_OK also when the tolerance was not reached: the report says so. Fails for want of memory, and for
 * numbers that are not finite, indices out of range, or low > high (TS_BAD_INPUT). */
ts_status ts_qp_solve(const ts_qp *qp, const ts_qp_options *options, ts_qp_work *work, double *y, ts_qp_report *report,
                      ts_error *error);

/* The residual in velocities, and the natural one as it stands (NULL: not wanted); `velocity` gets Gy (block_count ·
 * dof; NULL: not wanted). */
ts_status ts_qp_residual(const ts_qp *qp, const double *y, double *velocity, double *residual, double *natural,
                         ts_error *error);
