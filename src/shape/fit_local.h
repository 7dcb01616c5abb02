/* SPDX-License-Identifier: MIT */
/* One superquadric and the nodes of the grid around it. */
#pragma once

#include "shape/fit_parts.h"

/* Columns (count). */
typedef struct ts_fit_nodes {
    size_t count, capacity;
    int32_t *index;            /* of the node in the grid */
    double *block;             /* what the columns lie in */
    double *x, *y, *z, *value; /* value: φ */
    double *slope[TS_FIT_PARAMETERS];
} ts_fit_nodes;

void ts_fit_nodes_free(ts_fit_nodes *nodes);
/* Those within the box along its axes, made larger by a share and by cells; every n-th so that there are at most `most`. */
ts_status ts_fit_nodes_near(const ts_fit_grid *grid, const ts_primitive *primitive, double share, double cells,
                            size_t most, ts_fit_nodes *nodes, ts_error *error);
void ts_fit_nodes_ask(ts_fit_nodes *nodes, const ts_primitive *primitive, bool slopes);

/* Moves a superquadric until its truncated distances agree with those of the grid where they can: least squares with inlier
 * weights, in boxes that grow with it; then tries other axes and exponents of the same body. */
ts_status ts_fit_local(ts_fit *fit, ts_primitive *primitive, ts_error *error);
