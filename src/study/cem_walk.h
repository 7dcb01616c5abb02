/* SPDX-License-Identifier: MIT */
/* Frame by frame through a finished run (cem_run.h), for what no single frame tells: who passed, who met whom, what
 * broke.
 *
 * Everything is read from the recorded frames, so that a run that was interrupted and continued is judged as a
 * whole. */
#pragma once

#include "study/cem_run.h"

/* Told of each frame. `before` is the one before it, NULL at the first. */
typedef ts_status ts_cem_visit(void *user, const ts_snapshot *before, const ts_snapshot *now, ts_error *error);

ts_status ts_cem_walk(const ts_cem_run *run, ts_cem_visit *visit, void *user, ts_error *error);

/* The worst overlaps of all frames that were looked at, by the outlines themselves. */
typedef struct ts_cem_overlaps {
    size_t through; /* pairs pushed half-way through each other, in the worst frame */
    double share;   /* of the smaller body that lies in the other [1] */
    double depth;   /* [m] */
} ts_cem_overlaps;

/* Looks at every `stride`th frame. */
ts_status ts_cem_worst_overlaps(const ts_cem_run *run, size_t stride, ts_cem_overlaps *worst, ts_error *error);
/* Claims that no grain, in any frame, was pushed half-way through another or through a block of the walls; looks at
 * every `stride`th frame. */
ts_status ts_cem_claim_never_through(ts_study *study, const ts_cem_run *run, size_t stride, ts_error *error);
/* Claims that no overlap, in these frames, is deeper than half of the thinnest stroke [m]. For shapes with corners
 * below 60°, of which any overlap counts as half-way through: no disc twice as wide lies in such a corner. */
ts_status ts_cem_claim_shallow(ts_study *study, const ts_cem_run *run, size_t stride, double stroke, ts_error *error);
