/* SPDX-License-Identifier: MIT */
/* A contact problem by itself (problem.h), solved: normals by complementarity, with Coulomb's friction that agrees
 * with them.
 *
 *     M v = H r + M v⁻        u = Hᵀ v + drift, slip, and c u⁻ along normals
 *     0 ≤ r_N ⊥ u_N ≥ 0       |r_T| ≤ μ r_N,  opposite to u_T where that is not 0
 *
 * Restitution is Newton's here, contact by contact, since that is what other programs can be asked for as well. */
#pragma once

#include "dynamics/problem.h"

/* One answer, ours or another program's. Contacts have two numbers each: along the normal, along the tangent; in
 * space three. */
typedef struct ts_solution {
    double *v;       /* velocities afterwards [m/s, rad/s] (block_count · dof) */
    double *u;       /* rates, along normals with what restitution adds [m/s] (rows · count) */
    double *r;       /* impulses; the force along the normal is the contact's weight times this (rows · count) */
    ts_arena memory; /* of all arrays */
} ts_solution;

/* What is added to the rate of contact k along its normal: by scripts, and by restitution, which wants it to be at
 * least −c times what it was. */
double ts_problem_shift(const ts_problem *problem, size_t k);

/* Zeroes, of the problem's sizes, in place of what was there. */
ts_status ts_solution_create(ts_solution *solution, const ts_problem *problem, ts_error *error);
void ts_solution_free(ts_solution *solution);

/* Solves it in at most `rounds` rounds (impact.h), in space by as many sweeps; `pool` may be NULL. The report tells
 * whether it is Coulomb's law to the last digits, in space to 1e-6 of the fastest rate; that it is not is no failure.
 * Problems of space have blocks of 6 velocities. */
ts_status ts_problem_solve(const ts_problem *problem, uint64_t rounds, ts_pool *pool, ts_solution *solution,
                           ts_impact_report *report, ts_error *error);

/* How far impulses are from the laws, worked out anew from r and the problem alone. Velocities are shares of the
 * fastest rate before, u with r = 0; where an impulse is compared with one, it counts as the velocity that it makes at
 * its own contact. */
typedef struct ts_residuals {
    double fastest;         /* [m/s] */
    double closing;         /* largest −u_N */
    double complementarity; /* largest |min(r_N, u_N)| */
    double
        friction; /* largest |r_T − P(r_T − u_T)|, P: the nearest point of the disc, in the plane the interval, |r_T| ≤ μ r_N */
    double cone;    /* largest |r_T| − μ r_N, as a share of the largest r_N */
    double balance; /* by how much v and u miss what r makes of them */
} ts_residuals;

ts_status ts_problem_residuals(const ts_problem *problem, const ts_solution *solution, ts_residuals *residuals,
                               ts_error *error);
