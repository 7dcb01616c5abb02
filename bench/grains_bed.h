/* SPDX-License-Identifier: MIT */
/* Part of the bench `grains`: outlines that have come to rest in a bin, by this engine.
 *
 * A bed of 1,000 grains falls from a loose grid and is then slowed down until nothing moves. Larger beds are copies of
 * it side by side, settled once more; so all are equally deep, and one stiffness and one time step suit every size.
 * Beds of other kinds of map, or of another stiffness, begin where the one with tables ended, and are settled once
 * more, too.
 *
 * Settled states are kept on disk, under the hash of their model, and found again by the next run. */
#pragma once

#include "grains_peer.h"
#include "study/bench.h"
#include "touchstone/measure.h"
#include "touchstone/sim.h"

#define TS_BED_RESTITUTION 0.3
#define TS_BED_TOLERATED \
    0.04 /* in the fall, of the smallest radius: so that beds at rest overlap by less than 0.2% of the size */

/* What a bed is to be. */
typedef struct ts_bed_plan {
    const ts_grain_bin *loose; /* the grid that the grains stand on in the scene; not where they begin */
    ts_map_options map;        /* the kind of map … */
    ts_map_making making;      /* … and how it is made */
    double stiffness;          /* k_n [N/m]; 0: derived, from the fall from the grid */
    double time_step;          /* [s]; 0: derived */
} ts_bed_plan;

typedef struct ts_bed {
    ts_model *model;
    ts_state *state; /* at rest */
    double unrest;   /* kinetic energy, of moving and turning, over Σ m g r */
} ts_bed;

/* How to settle. */
typedef struct ts_bed_times {
    double fall;   /* free motion at first [s] */
    uint64_t most; /* then so many steps at most, with velocities cut down by a fifth every 50; at least 1 */
} ts_bed_times;

/* A model of the plan with its maps, and a state with the grains of the plan at `pose` (NULL: on the grid), at rest,
 * springs at zero. */
ts_status ts_bed_open(const ts_bed_plan *plan, const ts_pose2 *pose, ts_bed *bed, ts_error *error);
/* The same, settled, or recalled from disk. */
ts_status ts_bed_settled(ts_bench *bench, const ts_bed_plan *plan, const ts_pose2 *pose, const ts_bed_times *times,
                         ts_bed *bed, ts_error *error);
void ts_bed_close(ts_bed *bed);
/* A bin like `loose` whose grains stand where the bed has them; ts_grain_bin_free frees it. */
ts_status ts_bed_bin(const ts_bed *bed, const ts_grain_bin *loose, ts_grain_bin *bin, ts_error *error);
/* k_n between two grains [N/m]. */
double ts_bed_stiffness(const ts_bed *bed);
/* Overlaps of grains at these poses by the intersections of their outlines: no map and no contact has a part in it. */
ts_status ts_bed_overlaps(const ts_grain_bin *bin, const ts_pose2 *pose, ts_overlaps *overlaps, ts_error *error);
