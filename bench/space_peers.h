/* SPDX-License-Identifier: MIT */
/* The peers of the bench `space`: LAMMPS and LIGGGHTS run the same spheres, law and time step as processes of their
 * own.
 *
 * LAMMPS: `pair_style gran/hooke/history … limit_damping`, as in lammps.h: k_n, k_t and μ are ours; its dashpot m_eff γ
 * is made equal to our 2 ζ √(k m_eff) for two spheres of the mean mass, and for one of the mean mass at a wall.
 * LIGGGHTS: `model hooke/stiffness tangential history limitForce on`, with the same numbers. Neither turns a sphere's
 * attitude; we do. */
#pragma once

#include "space_bed.h"

typedef enum ts_space_peer { TS_PEER_LAMMPS, TS_PEER_LIGGGHTS, TS_SPACE_PEERS } ts_space_peer;

typedef struct ts_space_peer_case {
    ts_space_peer peer;
    const ts_bed3 *bed;
    double time_step;     /* [s] */
    double damping_ratio; /* ζ */
    double skin;          /* of its neighbour list [m] */
    uint64_t warm, steps; /* before the clock runs, and while it does */
    const char *folder;   /* for its files */
} ts_space_peer_case;

typedef struct ts_space_peer_result {
    double seconds;  /* of the processor: its "Loop time" of the timed steps times its "CPU use", where it tells that */
    double kinetic;  /* translational, at the end [J] */
    double height;   /* of the centre of mass at the end [m] */
    double contacts; /* at the end; NaN: not told */
    char name[96];   /* with its version */
} ts_space_peer_result;

bool ts_space_peer_installed(ts_space_peer peer);
/* Runs a case and waits for it. */
ts_status ts_space_peer_run(const ts_space_peer_case *c, ts_space_peer_result *result, ts_error *error);
