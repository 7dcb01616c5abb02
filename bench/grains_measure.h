/* SPDX-License-Identifier: MIT */
/* Part of the bench `grains`: what one bed at rest costs, and where the time goes.
 *
 *     broad phase    timed where it stands: the list of pairs
 *     queries        asking the maps is one loop with the forces, and a clock within it would cost as much as it measures. So the touching
 *                    pairs are asked once more by themselves, in batches of 64, and the time of a query is multiplied by
 *                    how many a step had
 *     forces         the rest of that loop: choosing pairs, the law, summing up
 *     integration    timed where it stands: placing and moving bodies
 *
 * One thread is timed by what it had of a processor, two by the clock on the wall, speed-ups by that clock for both. */
#pragma once

#include "grains_bed.h"

#define TS_GRAIN_REPEATS_MAX 11

enum { TS_SHARE_PAIRS, TS_SHARE_QUERIES, TS_SHARE_FORCES, TS_SHARE_MOVING, TS_SHARES };

typedef struct ts_grain_timing {
    int repeats;      /* at most TS_GRAIN_REPEATS_MAX */
    double seconds;   /* that a run shall take, about [s] */
    bool two_threads; /* measure with two as well */
} ts_grain_timing;

typedef struct ts_grain_figures {
    double rate[2];   /* grain-steps a second on one thread, on two; NaN: not measured */
    double spread[2]; /* of the same */
    double speed_up;  /* NaN: not measured */
    double speed_up_spread;
    double control;          /* speed-up of arithmetic alone at the same time */
    double contacts;         /* that touch, a grain */
    double queries;          /* a step, a grain */
    double query;            /* one by itself [s] */
    double share[TS_SHARES]; /* of a step's time on one thread */
    double bytes;            /* a grain: model, state and workspace on one thread, and the map */
    double map_bytes;        /* of these */
    double time_step;        /* [s] */
    double unrest;           /* kinetic energy over Σ m g r at the end */
    ts_overlaps overlaps;    /* at the end */
} ts_grain_figures;

/* Goes on from the bed's state, which it leaves where it ends. */
ts_status ts_grain_measure(const ts_bed_plan *plan, ts_bed *bed, const ts_grain_timing *timing,
                           ts_grain_figures *figures, ts_error *error);
/* The grain's size: the side of the smallest upright square about its centre that holds the outline, at the bin's scale
 * [m]. */
double ts_grain_size(const ts_grain_bin *bin);
