/* SPDX-License-Identifier: MIT */
/* Contact problems as FCLIB files, the exchange format of solvers of friction (V. Acary, M. Brémond, T. Koziara, F.
 * Pérignon: FCLIB: a collection of discrete 3D frictional contact problems, 2014), which Siconos and others read.
 *
 * What is written is a *global* problem, of the plane (spacedim 2) or of space (3). Per contact along the normal,
 * then along one tangent or two:
 *
 *     M v = H r + f      masses and inertias on the diagonal, body after body: x, y, angle, or x, y, z and the principal axes;  f = M v⁻, so r are impulses [N·s]
 *     u = Hᵀ v + w       opening and sliding [m/s];  w: scripted walls, and along normals c u_N⁻ of Newton's restitution
 *     |r_T| ≤ mu r_N
 *
 * A contact of outlines may have a *weight* (contact/contact.h): a unit of λ presses with that much force. Columns of H
 * are rows of the problem as they are, so r_N is λ, and mu holds the coefficient of friction times the weight. For
 * discs the weight is 1.
 *
 * The same problem stands there as a *local* one as well, u = W r + q, which Siconos solves.
 *
 * Reading takes what other programs write too, as long as it is a global problem with a diagonal M and contacts of at
 * most two bodies, in space of six velocities each; files may be in triplets, by columns or by rows. What is otherwise
 * is refused in a sentence. Restitution cannot be told from other terms of w: what is read has none, and the same
 * solution.
 *
 * We read and write through HDF5 alone: FCLIB's own library ends the program when something is wrong with a file. A
 * test has it read what we wrote, and we read what it wrote. */
#pragma once

#include "dynamics/problem_solve.h"

typedef struct ts_fclib_info {
    char title[256];
    char description[1024];
} ts_fclib_info;

/* Replaces `path`, atomically. A problem without contacts is refused: FCLIB knows none. */
ts_status ts_fclib_write(const char *path, const ts_problem *problem, const ts_fclib_info *info, ts_error *error);
/* Fills the problem; `info` may be NULL. TS_CORRUPT: damaged, or numbers that make no sense; TS_UNSUPPORTED: well
 * formed, but of another kind. The problem is unchanged then. */
ts_status ts_fclib_read(const char *path, ts_problem *problem, ts_fclib_info *info, ts_error *error);

/* Adds a solution to the file that the problem was read from or written to, in place of one that is there. */
ts_status ts_fclib_write_solution(const char *path, const ts_problem *problem, const ts_solution *solution,
                                  ts_error *error);
/* The solution in a file, ours or another program's; *has is false when there is none. */
ts_status ts_fclib_read_solution(const char *path, const ts_problem *problem, ts_solution *solution, bool *has,
                                 ts_error *error);
