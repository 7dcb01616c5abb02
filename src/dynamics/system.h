/* SPDX-License-Identifier: MIT */
/* The velocity problem of a step in its general form: rows over any number of blocks of any sizes (body/block.h), as a
 * contact between trees of links or over nodes of a grid has. It is the form in which problems are exchanged; impact
 * keeps its own rows in a layout for two blocks of one size (docs/design.md).
 *
 *     rates    u = G w + drift        of contact k: rows rows·k … rows·k + rows − 1: normal, tangent, and in space a second tangent
 *     impulses w⁺ = w + Gᵀ r          0 ≤ r_N ⊥ u_N ≥ 0,   |r_T| ≤ μ r_N, against u_T where that is not 0
 *
 * in velocities that are scaled by mass factors, so that masses do not show. */
#pragma once

#include "dynamics/problem.h"

typedef struct ts_system {
    size_t block_count, contact_count;
    int rows;          /* of a contact: 2 in the plane, 3 in space */
    size_t *v_begin;   /* velocities of block i: v_begin[i] … v_begin[i + 1] - 1 (block_count + 1) */
    size_t *row_begin; /* entries of row i: row_begin[i] … row_begin[i + 1] - 1 (rows · contact_count + 1) */
    int32_t *column;   /* of each entry: a velocity, ascending in a row */
    double *value;
    double *drift;    /* what is not of the velocities [m/s] (rows · contact_count) */
    double *friction; /* μ (contact_count) */
    double *w;        /* velocities before (v_begin[block_count]) */
    double *impulse;  /* r; a guess where it is solved (rows · contact_count) */
    ts_arena memory;  /* of all arrays */
} ts_system;

/* A problem as a system: block for block, row for row; `drift` along normals is `normal_drift` where that is not
 * NULL (count). In place of what was there. */
ts_status ts_system_of(const ts_problem *problem, const double *normal_drift, ts_system *system, ts_error *error);
void ts_system_free(ts_system *system);

/* The rate of row i with these velocities. */
double ts_system_rate(const ts_system *system, size_t i, const double *w);
/* w += the row times an impulse. */
void ts_system_push(const ts_system *system, size_t i, double impulse, double *w);
