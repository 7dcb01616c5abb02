/* SPDX-License-Identifier: MIT */
/* A step's contact problem by itself: what an impact operator would be given, to be looked at, solved by others or kept
 * (impact.h has the units: velocities are scaled by the roots of masses).
 *
 *     ts_problem problem = {0};
 *     ts_step_problem(model, state, work, &problem, error);      of the step that comes next; the state is left alone
 *     ts_rows rows = ts_problem_rows(&problem);
 *     …
 *     ts_problem_free(&problem);                                 whatever happened
 */
#pragma once

#include "base/memory.h"
#include "dynamics/impact.h"
#include "touchstone/sim.h"

typedef struct ts_problem {
    double time;        /* of the beginning of the step [s] */
    double restitution; /* of the whole system */
    size_t count;       /* contacts */
    size_t block_count; /* bodies that can move and are struck */
    int dof;  /* velocities of a block: 3 in the plane; 6 in space, the last three of turning about principal axes */
    int rows; /* of a contact: normal and tangent, 2; in space a second tangent, 3 */
    int32_t *body;    /* of each block: its number in the model (block_count) */
    double *root;     /* v = root · w: roots of inverse masses and inertias; 0: it cannot turn (block_count · dof) */
    double *w;        /* velocities before (block_count · dof) */
    int32_t *a, *b;   /* block of each contact; -1: none that can be moved (count) */
    double *ga, *gb;  /* rows along the normal (count · dof) */
    double *drift;    /* what scripted things add to the rate along the normal [m/s] (count) */
    double *ta, *tb;  /* along the tangent (count · dof) */
    double *slip;     /* the same for the rate along the tangent [m/s] (count) */
    double *xa, *xb;  /* along the second tangent, at right angles; only where rows is 3 (count · dof) */
    double *slip_x;   /* the same for the rate there [m/s] (count) */
    double *friction; /* an impulse λ along the normal bears this times λ along the tangent (count) */
    ts_arena memory;  /* of all arrays */
} ts_problem;

/* Empty arrays of these sizes, in place of what was there. */
ts_status ts_problem_create(ts_problem *problem, size_t count, size_t block_count, int dof, int rows, ts_error *error);
void ts_problem_free(ts_problem *problem);

/* As operators take it, along normals (0), tangents (1) or second tangents (2); the arrays stay the problem's. */
ts_rows ts_problem_along(const ts_problem *problem, int row);
/* Along the normals. */
ts_rows ts_problem_rows(const ts_problem *problem);

/* The problem of the next step. Dynamics without one say so. */
ts_status ts_step_problem(const ts_model *model, const ts_state *state, ts_workspace *work, ts_problem *problem,
                          ts_error *error);
