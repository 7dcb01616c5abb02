/* SPDX-License-Identifier: MIT */
/* Contact problems to try QP solvers on: a jittered triangular pile.
 *
 *     o o o o      discs of radius 1 and mass 1 on a triangular lattice in a box; every disc is moved a little, neighbours stay
 *      o o o       contacts, so that normals point every which way by about the jitter; wider than high, `aspect` to one
 *     o o o o
 *     ───────      v = one step of gravity and a little noise, b = Gᵀv
 *
 * With noise small against gravity the box holds everything: the discs come to rest, and the impulses are those of a
 * statically loaded pile. Without walls the pile slides apart and about two contacts a disc stay, which is as many as
 * hold it: the harder problem, and the nearer to what a simulation asks. */
#pragma once

#include "solve/qp.h"

typedef struct ts_qp_pile {
    size_t rows;    /* contacts, about */
    double aspect;  /* width over height; 0: 1 */
    double jitter;  /* standard deviation of a place, in radii; 0: 0.003 */
    double gravity; /* speed of one step; 0: 0.1 */
    double noise;   /* standard deviation of a velocity, in units of `gravity` */
    double mass;    /* of a disc; 0: 1 */
    bool open;      /* no walls at the sides */
    uint64_t seed;
} ts_qp_pile;

/* A problem that owns its arrays. */
typedef struct ts_qp_problem {
    ts_qp qp;
    int32_t *a, *b;
    double *ga, *gb, *linear;
    double *velocity; /* v · √mass of every disc, so that b = Gᵀ velocity */
} ts_qp_problem;

ts_status ts_qp_problem_pile(const ts_qp_pile *pile, ts_qp_problem *problem, ts_error *error);
void ts_qp_problem_free(ts_qp_problem *problem);
