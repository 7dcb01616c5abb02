/* SPDX-License-Identifier: MIT */
/* Beds of spheres or boxes at rest in a square vessel: what the bench `space` starts from.
 *
 * Sizes are uniform in 0.8 … 1.2 of the mean, and a bed is DEPTH bodies deep whatever their number, so that one
 * stiffness and time step suit all. A base is settled from a lattice: bodies fall, and their velocities are cut down
 * until nothing moves. More are made of copies side by side, settled once more. Settled beds are kept on disk. */
#pragma once

#include "study/bench.h"
#include "touchstone/sim.h"

#define TS_BED3_RADIUS      0.005     /* mean; of a box: half its edge [m] */
#define TS_BED3_DENSITY     2500.0    /* [kg/m³] */
#define TS_BED3_GRAVITY     9.81      /* [m/s²] */
#define TS_BED3_STIFFNESS   1e5       /* k_n: overlaps of 1% of the radius at the bottom [N/m] */
#define TS_BED3_RATIO       (2.0 / 7) /* k_t / k_n */
#define TS_BED3_FRICTION    0.5
#define TS_BED3_RESTITUTION 0.5

typedef struct ts_bed3 {
    bool boxes;
    size_t count;
    double size[3];    /* of the vessel, which begins at 0 [m] */
    double *radius;    /* or half edge (count) [m] */
    ts_body3 *body;    /* where each is and how it moves (count) */
    double (*spin)[3]; /* [rad/s] */
} ts_bed3;

/* `count` settled bodies; more than a base (10,000 spheres, 200 boxes) must be a multiple of it. */
ts_status ts_bed3_settled(ts_bench *bench, bool boxes, size_t count, ts_bed3 *bed, ts_error *error);
/* A model with the bodies where the bed has them, and a state with their velocities; springs are at zero. */
ts_status ts_bed3_model(const ts_bed3 *bed, ts_model **model, ts_state **state, ts_error *error);
void ts_bed3_free(ts_bed3 *bed);
double ts_bed3_mass(const ts_bed3 *bed, size_t i);
