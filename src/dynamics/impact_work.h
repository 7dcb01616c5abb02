/* SPDX-License-Identifier: MIT */
/* What impact operators share: rates, neighbours, and programs over some of the contacts. */
#pragma once

#include "base/memory.h"
#include "dynamics/impact.h"
#include "solve/anderson.h"

typedef TS_ARRAY(int32_t) ts_index_array;
typedef TS_ARRAY(double) ts_double_array;

struct ts_impact_work {
    ts_qp_work *qp;

    /* contacts of each block: row[begin[i]] … row[begin[i + 1] - 1] */
    ts_index_array begin, row;

    /* which contacts close now, and marks of what was seen in this pass */
    ts_index_array closing, touched;
    TS_ARRAY(uint64_t) row_seen;
    TS_ARRAY(uint64_t) block_seen;
    uint64_t pass; /* never falls, so that marks need no clearing */

    /* a program over some of the contacts */
    ts_index_array a, b, number_of; /* number_of: what a block is called there */
    ts_double_array ga, gb, linear, low, high, y, velocity;
    ts_double_array size; /* of the rows, which have length 1 there */

    ts_double_array w_other, lambda_other; /* of the inelastic half */
    /* of staggered friction: rows along normals and then along tangents, velocities before, bounds and the best round */
    ts_index_array both_a, both_b;
    ts_double_array both_ga, both_gb, both_drift, w_before, bound, gain, best, z_other;
    ts_anderson anderson; /* of the bounds */
    ts_index_array order;
};

/* The rate at which contact k opens. */
static inline double ts_instant_rate(const ts_instant *n, size_t k, const double *w)
{
    double rate = n->drift ? n->drift[k] : 0;
    const double *ga = n->ga + k * (size_t)n->dof, *gb = n->gb + k * (size_t)n->dof;
    if (n->a[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            rate += ga[d] * w[n->a[k] * n->dof + d];
    if (n->b[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            rate += gb[d] * w[n->b[k] * n->dof + d];
    return rate;
}

static inline void ts_instant_push(const ts_instant *n, size_t k, double impulse, double *w)
{
    const double *ga = n->ga + k * (size_t)n->dof, *gb = n->gb + k * (size_t)n->dof;
    if (n->a[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            w[n->a[k] * n->dof + d] += ga[d] * impulse;
    if (n->b[k] >= 0)
        for (int d = 0; d < n->dof; d++)
            w[n->b[k] * n->dof + d] += gb[d] * impulse;
}

/* |column k of G|²: what an impulse of 1 changes of the contact's own rate. */
static inline double ts_instant_square(const ts_instant *n, size_t k)
{
    double sum = 0;
    for (int d = 0; d < n->dof; d++) {
        if (n->a[k] >= 0)
            sum += n->ga[k * (size_t)n->dof + (size_t)d] * n->ga[k * (size_t)n->dof + (size_t)d];
        if (n->b[k] >= 0)
            sum += n->gb[k * (size_t)n->dof + (size_t)d] * n->gb[k * (size_t)n->dof + (size_t)d];
    }
    return sum;
}

/* Notes that a block's velocity changed; work->pass was raised before the first. */
static inline void ts_impact_touch(ts_impact_work *work, int32_t block)
{
    if (block < 0 || work->block_seen.item[block] == work->pass)
        return;
    work->block_seen.item[block] = work->pass;
    work->touched.item[work->touched.count++] = block;
}

/* Room for this instant, and the contacts of each block if wanted. */
ts_status ts_impact_prepare(ts_impact_work *work, const ts_instant *n, bool neighbours, ts_error *error);
/* A contact that closes faster than this counts [scaled rate]. */
double ts_impact_threshold(const ts_impact *impact);
/* Fills work->closing with all contacts that close. */
void ts_impact_find_all(const ts_impact *impact, double threshold);
/* The same for those whose blocks are among work->touched (blocks that changed): all others did not close before. In order of rows. */
void ts_impact_find_near(const ts_impact *impact, double threshold);

/* A program over some contacts, NULL: all, with rows of length 1 (work->size has what they had). Its blocks are in work->touched. `linear` is
 * the caller's to fill in. */
ts_status ts_impact_program(ts_impact_work *work, const ts_instant *n, const int32_t *row, size_t count, ts_qp *qp,
                            ts_error *error);

/* Reflects the contacts of work->closing together: y = argmin ½|Gy + (1 + c) w|² over y ≥ 0 of these; w and λ take it up, the blocks that
 * changed are in work->touched. */
ts_status ts_impact_reflect(const ts_impact *impact, double c, ts_error *error);

extern const ts_impact_operator ts_impact_gr, ts_impact_lcp, ts_impact_gauss_seidel, ts_impact_gauss_seidel_random,
    ts_impact_jacobi;
