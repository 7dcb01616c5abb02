/* SPDX-License-Identifier: MIT */
/* Part of the bench `grains`: `#` grains in LAMMPS, as rigid clumps of 36 discs.
 *
 *     ◯ ◯       Ten discs as thick as a bar stand along each of the four bars, and the four at crossings belong to two: 36. They
 *     ◯ ◯       touch or overlap, so that nothing slips between them, and lie within the outline; what they miss of it are the
 *   ◯◯◯◯◯◯◯     corners of its ends and notches along the bars, an eighth of it.
 *     ◯ ◯
 *   ◯◯◯◯◯◯◯     `fix rigid/small` moves them; mass and inertia are the outline's own, from a file. Contacts of discs have the law
 *     ◯ ◯       that bench/lammps.h explains (`gran/hooke/history`, friction, damping that never pulls), with the clump's mass
 *     ◯ ◯       as m_eff; discs of one clump leave each other alone.
 *
 * Clumps lie within the outline, so a bin that has settled with outlines can be handed over as it is; but they lack its
 * corners, slip into each other and settle anew, for seconds of simulated time. `warm` steps and `viscosity` are for
 * that; `unrest` tells whether they were enough. What counts is LAMMPS's "Loop time" of the steps after them, times the
 * share of it that it had a processor for. */
#pragma once

#include "grains_peer.h"

#define TS_CLUMP_DISCS 36

typedef struct ts_clump_case {
    const ts_grain_bin *bin; /* of `#` grains, at rest */
    double stiffness;        /* k_n [N/m] */
    double ratio;            /* k_t / k_n [1] */
    double damping_ratio;    /* ζ of two grains [1] */
    double time_step;        /* [s] */
    double skin;             /* of its neighbour list, in radii of a disc; 0: 0.3 */
    double viscosity;        /* drag while warming up, so that a bin which moves comes to rest: -viscosity m v [1/s] */
    uint64_t warm;           /* steps before the clock runs */
    uint64_t steps;          /* steps that are timed */
    const char *work;        /* path of its files, without extension */
} ts_clump_case;

typedef struct ts_clump_result {
    double seconds;   /* of processor time in the timed steps: count × steps / seconds are grain-steps a second */
    double wall;      /* the same by the clock on the wall, LAMMPS's "Loop time" [s] */
    double unrest;    /* kinetic energy, of moving and turning, over Σ m g r at the end */
    double builds;    /* of the neighbour list in the timed steps */
    char version[64]; /* "29 Sep 2021 - Update 2" */
    ts_pose2 *pose;   /* at the end (bin->count); ts_clump_result_free frees it */
} ts_clump_result;

/* Centres of the discs in the outline's frame and scale, and their radius. TS_UNSUPPORTED when the outline is no
 * `#`. */
ts_status ts_clump_discs(const ts_outline *outline, ts_vec2 disc[TS_CLUMP_DISCS], double *radius, ts_error *error);
/* Whether `lmp` is installed. */
bool ts_clump_installed(void);
/* Runs a case on one core and waits for it. */
ts_status ts_clump_run(const ts_clump_case *c, ts_clump_result *result, ts_error *error);
void ts_clump_result_free(ts_clump_result *result);
