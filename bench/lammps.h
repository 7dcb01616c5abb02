/* SPDX-License-Identifier: MIT */
/* The peer LAMMPS: the same discs, law and time step, run by `lmp` as a process of its own.
 *
 * How our law is said to it (docs/results.md has the table): `pair_style gran/hooke/history` with limit_damping has
 *
 *     f_n = k_n d - m_eff γ_n v_n, not below 0       f_t = -(k_t s + m_eff γ_t v_t), at most μ f_n
 *
 * so k_n, k_t and μ are ours. Its dashpot is m_eff γ; ours, for a given restitution, is 2 ζ √(k m_eff): they are made
 * equal for two discs of the mean mass, and for one of the mean mass at a wall. A sphere of radius r has our disc's
 * mass when its density is ρ·3/(4r), and a disc's inertia by `fix nve/sphere … disc`.
 *
 * What counts is LAMMPS's own "Loop time", which leaves out reading, set-up and output. */
#pragma once

#include "packing.h"

typedef struct ts_lammps_case {
    const ts_packing *packing;
    double tilt;          /* of gravity towards +x [rad] */
    double time_step;     /* [s] */
    double damping_ratio; /* ζ */
    double skin;          /* of its neighbour list [m] */
    int processes;        /* MPI ranks; 1: without mpirun */
    uint64_t warm;        /* steps before the clock runs */
    uint64_t steps;       /* steps that are timed */
    const char *data;     /* path of the packing as ts_lammps_write left it */
    const char *work;     /* path of its input and output, without extension */
} ts_lammps_case;

typedef struct ts_lammps_result {
    double seconds;   /* "Loop time" of the timed steps */
    double kinetic;   /* translational, at the end [J] */
    double height;    /* of the centre of mass at the end [m] */
    double bytes;     /* "Per MPI rank memory allocation", all ranks */
    double builds;    /* of the neighbour list in the timed steps */
    char version[64]; /* "29 Sep 2021 - Update 2" */
} ts_lammps_result;

/* Whether `lmp` is installed, and `mpirun` besides. */
bool ts_lammps_installed(void);
bool ts_lammps_mpi_installed(void);
/* Writes a packing as a LAMMPS data file. */
ts_status ts_lammps_write(const ts_packing *packing, const char *path, ts_error *error);
/* Runs a case and waits for it. */
ts_status ts_lammps_run(const ts_lammps_case *c, ts_lammps_result *result, ts_error *error);

/* From what LAMMPS said: the number after the last `key`, NaN when there is none; and its version, "" when it does not
 * say. */
double ts_lammps_number(const char *text, const char *key);
void ts_lammps_version(const char *text, char version[64]);
