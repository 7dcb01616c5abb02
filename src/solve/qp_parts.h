/* SPDX-License-Identifier: MIT */
/* An island: rows that hang together, by themselves and in their own measure; what every method works on.
 *
 * Rows are scaled so that A has ones on its diagonal and the largest |b| is 1. With dᵢ = Aᵢᵢ and β that largest:
 *
 *     ĝᵢ = gᵢ / √dᵢ     b̂ᵢ = bᵢ / (β √dᵢ)     ŷᵢ = yᵢ √dᵢ / β     ŝᵢ = (Aŷ + b̂)ᵢ = sᵢ / (β √dᵢ)
 *
 * So no method needs to know the unit of anything, and the natural residual of a row in the caller's velocities is β
 * √dᵢ times ours. */
#pragma once

#include "solve/qp.h"
#include "solve/sparse.h"

typedef struct ts_qp_island {
    size_t count;       /* rows */
    size_t block_count; /* blocks */
    int dof;
    int32_t *a, *b;     /* blocks, -1: none (count) */
    double *g;          /* entries in a, then in b; zero where there is none (count · 2 · dof) */
    double *linear;     /* b̂ (count) */
    double *low, *high; /* may be infinite (count) */
    double *y;          /* guess and answer (count) */
    double *measure;    /* √dᵢ, so that residuals of rows compare (count) */
    int32_t *
        incident; /* of block k: incident[start[k]] …, each 2 · row + side, ascending; NULL: rows are scattered instead */
    int32_t *start;   /* (block_count + 2) */
    double tolerance; /* of the largest measureᵢ · |natural residual| */
    bool warm;        /* y is a guess */
    bool least, fair; /* as in qp.h */
    int iterations_max;
    ts_pool *pool;     /* NULL inside a task */
    ts_sparse *sparse; /* analysis of its graph; NULL until somebody asks (ts_qp_analyse) */
} ts_qp_island;

typedef struct ts_qp_outcome {
    double residual; /* largest measureᵢ · |natural residual| of y */
    uint64_t iterations;
    uint64_t factorisations;
    bool unique; /* known to be the only solution */
    bool middle; /* found from inside, so that no row is at a bound without need */
} ts_qp_outcome;

/* Each leaves in island->y the best it found. Fails for want of memory only. */
ts_status ts_qp_dense(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error);
ts_status ts_qp_interior(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error);
ts_status ts_qp_projected(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error);
ts_status ts_qp_conjugate(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error);

/* From y, by guessing which rows are at a bound, solving for the others, and guessing again; keeps the best y. Ends
 * when the tolerance is reached, after `rounds`, or when nothing is gained any more. */
ts_status ts_qp_polish(ts_qp_island *island, int rounds, ts_qp_outcome *outcome, ts_error *error);
/* Among the solutions with the same Gy the one of least norm. y must be a solution; it stays where a better one would
 * cost residual. */
ts_status ts_qp_least(ts_qp_island *island, ts_qp_outcome *outcome, ts_error *error);

/* Makes island->incident, so that threads can share G y. Whoever made the island frees it, and start. */
ts_status ts_qp_gather(ts_qp_island *island, ts_error *error);
/* Makes island->sparse where it is missing. Whoever made the island frees it. */
ts_status ts_qp_analyse(ts_qp_island *island, ts_error *error);

/* ---- Arithmetic on an island; the same bits on any number of threads ---- */

/* w ← G y (block_count · dof) */
void ts_qp_velocity(const ts_qp_island *island, const double *y, double *w);
/* s ← Gᵀ w + b̂; without b̂ where `plain` (count) */
void ts_qp_slack(const ts_qp_island *island, const double *w, bool plain, double *s);
/* Largest measureᵢ · |y − clip(y − s, low, high)|. */
double ts_qp_natural(const ts_qp_island *island, const double *y, const double *s);
double ts_qp_dot(const ts_qp_island *island, const double *x, const double *y);
/* About the largest eigenvalue of A, or 1 if that is more: `steps` of the power method from the same start always. x
 * and ax (count) and w (blocks' numbers) are overwritten. */
double ts_qp_largest_eigenvalue(const ts_qp_island *island, int steps, double *x, double *ax, double *w);

/* y − clip(y − s, low, high), without the rounding of y − s */
static inline double ts_qp_natural_of(double y, double s, double low, double high)
{
    double r = s < y - low ? s : y - low;
    return r > y - high ? r : y - high;
}
static inline double ts_qp_clip(double y, double low, double high)
{
    y = y > low ? y : low;
    return y < high ? y : high;
}
