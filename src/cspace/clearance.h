/* SPDX-License-Identifier: MIT */
/* Clearance: how far bodies may move before a map's gap can be 0 or less.
 *
 * Motion of a pair is measured as
 *
 *     m = |dx_A| + |dx_B| + R_A |dangle_A| + R_B |dangle_B|          path lengths of the centres; R: radii about them
 *
 * and the true gap never falls by more than m. A map's own gap may fall faster: a table is steeper than the truth
 * beside a kink, and a little rough from its bytes. Here stands what is certain of it, so a pair that was asked once
 * need not be asked again for a while, and nobody can tell:
 *
 *     distance │            ╱  gap - loss                        as long as m is less than `distance`, the gap that
 *              │   ________╱                                     the map would answer is above 0
 *              │ ╱ (min(gap, cap) - margin) / rate
 *              └──────────────── gap
 *
 * exact       the gap falls as the truth does, up to rounding.
 * smoothed    values of the exact gap at nodes of a lattice, blended: what differs from the truth is bounded by how far nodes lie (loss),
 *             and the slope by differences between nodes (rate).
 * table       every cell of the spline is looked at: its gradient is a blend of differences of stored values (clearance_table.c).
 * others      nothing is certain. */
#pragma once

#include "cspace/fold.h"
#include "cspace/pair.h"
#include "cspace/table.h"
#include "touchstone/map.h"

/* All but what rounding may do to m, which is a sum of many steps. */
#define TS_CLEARANCE_SURE 0.999999

typedef struct ts_clearance {
    double rate;   /* the gap falls by no more for each 1 of m, where it is below `cap`; HUGE_VAL: nothing is certain */
    double cap;    /* gaps above it are as good as this one [m at scale 1] */
    double margin; /* what rounding may take from a gap [m at scale 1] */
    double loss;   /* a gap of g lasts for g - loss at least; HUGE_VAL: that is not known [m at scale 1] */
} ts_clearance;

/* Of a table it is worked out from all its values, some hundred nanoseconds each: ask once and keep the answer. */
ts_clearance ts_map_clearance(const ts_map *map);

/* How far a pair with this gap may move, in the measure above, at the scale at which it was asked [m]: while m is less,
 * the gap stays above `least`, 0 or more. 0: not at all. scale > 0. */
static inline double ts_clearance_above(const ts_clearance *c, double gap, double least, double scale)
{
    if (!(gap > least))
        return 0;
    const double g = gap / scale, l = least / scale, near = ((g < c->cap ? g : c->cap) - l - c->margin) / c->rate,
                 far = g - l - c->loss;
    const double most = near > far ? near : far;
    return most > 0 ? TS_CLEARANCE_SURE * most * scale : 0;
}
/* The same for a gap above 0. */
static inline double ts_clearance_distance(const ts_clearance *c, double gap, double scale)
{
    return ts_clearance_above(c, gap, 0, scale);
}

/* What is certain of an exact gap in a unit [m]. */
ts_clearance ts_exact_clearance(double unit);
/* What is certain of a table under its fold, in the pair's unit. */
ts_clearance ts_table_clearance(const ts_table *table, const ts_fold *fold, const ts_pair *pair);
