/* SPDX-License-Identifier: MIT */
/* Discs that have come to rest in a box under gravity: what the benches start from.
 *
 *     ▏◯◯o◯◯o◯◯▕    Radii are uniform in 0.8 … 1.2 of the mean, the bed is 50 discs deep, whatever their number, so that the
 *     ▏o◯◯◯o◯◯o▕    same stiffness and time step suit every size. 10,000 discs are settled from a lattice: they fall, and
 *     ▏◯◯o◯◯◯◯◯▕    their velocities are cut down until nothing moves. More are made of copies of these side by side, settled
 *     ▔▔▔▔▔▔▔▔▔▔    once more.
 *
 * Settled states are kept on disk, under the hash of their model, and found again by the next run. */
#pragma once

#include <stddef.h>

#include "study/bench.h"
#include "touchstone/sim.h"

#define TS_PACKING_RADIUS      0.005     /* mean [m] */
#define TS_PACKING_DENSITY     1000.0    /* [kg/m²] */
#define TS_PACKING_GRAVITY     9.81      /* [m/s²] */
#define TS_PACKING_STIFFNESS   1e6       /* k_n: overlaps of 1% of the radius at the bottom [N/m] */
#define TS_PACKING_RATIO       (2.0 / 7) /* k_t / k_n */
#define TS_PACKING_FRICTION    0.5
#define TS_PACKING_RESTITUTION 0.5

typedef struct ts_packing {
    size_t count;
    double width;   /* between the side walls, x = 0 and x = width [m] */
    double *radius; /* (count) [m] */
    ts_body *body;  /* where each is and how it moves (count) */
} ts_packing;

/* A model of these discs (bodies in the same order) between a floor and two side walls under a gravity of 9.81 m/s²
 * that is tilted by `tilt` [rad] towards +x; and a state in which they are where the packing has them, with tangential
 * springs at zero. */
ts_status ts_packing_model(const ts_packing *packing, double tilt, ts_model **model, ts_state **state, ts_error *error);

/* `count` settled discs. More than 10,000 must be a multiple of it. */
ts_status ts_packing_settled(ts_bench *bench, size_t count, ts_packing *packing, ts_error *error);
/* The same, `seconds` after gravity was tilted by `tilt`: they slide and tumble to one side. */
ts_status ts_packing_flowing(ts_bench *bench, size_t count, double tilt, double seconds, ts_packing *packing,
                             ts_error *error);
void ts_packing_free(ts_packing *packing);
/* Kinetic energy, of moving and turning, over Σ m g r. */
double ts_packing_unrest(const ts_packing *packing);
