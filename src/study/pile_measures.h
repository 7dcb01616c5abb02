/* SPDX-License-Identifier: MIT */
/* What studies of collapsing columns read off: angle of repose and density of the front; and means over seeds. */
#pragma once

#include "study/cem_run.h"

/* One collapse. */
typedef struct ts_collapse {
    double angle;  /* of the slope that is left [rad] */
    double wedge;  /* slope of the triangle in the corner of wall and floor with the heap's centre of mass [rad] */
    double column; /* grains to a square metre below the surface before the gate opens [1/m²] */
    double front;  /* the same beyond the gate, while the column falls [1/m²] */
    double solid;  /* share of that which grains fill [1] */
    double reach;  /* where all but a hundredth of the grains are at the end [m] */
    double speed;  /* left at the end: root of the mean square, over √(g · 1 m) [1] */
    ts_overlaps overlaps;
} ts_collapse;

/* Where and when to look. */
typedef struct ts_collapse_plan {
    double width;   /* of the column, from x = 0 [m] */
    double far;     /* end of the floor [m] */
    double opens;   /* when the gate does [s] */
    double falling; /* when the front is looked at [s] */
} ts_collapse_plan;

/* Of column-small, and of the quick column-collapse (cem_scenes.h). */
extern const ts_collapse_plan ts_collapse_small, ts_collapse_quick;

ts_status ts_collapse_measure(const ts_cem_run *run, const ts_collapse_plan *plan, ts_collapse *to, ts_error *error);

/* Of `count` numbers; below two the deviation is NaN. */
typedef struct ts_spread {
    double mean;
    double deviation; /* of one number, with n - 1 */
    double error;     /* standard error of the mean */
} ts_spread;

ts_spread ts_spread_of(const double *value, size_t count);

/* Groups of equally many numbers beside each other. Pooled, so that one that scatters little by chance does not
 * decide. */
typedef struct ts_pooled {
    double deviation; /* of one number */
    double chance;    /* how far apart two means may be: twice the standard error of their difference, s √(2/n) */
} ts_pooled;

/* `count` numbers in each group. */
ts_pooled ts_spread_pool(const ts_spread *group, size_t groups, size_t count);
