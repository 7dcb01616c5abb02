/* SPDX-License-Identifier: MIT */
/* Part of the bench `grains`: rows with peers. A peer that is not installed has no row; one that breaks down has one
 * that says so. */
#pragma once

#include "grains_measure.h"

/* Rate of LAMMPS with clumps on a bed of `#`, with the bed's stiffness and time step and the skin that suits it best.
 * Clumps lack the outline's corners, so that fewer of them touch than would after seconds of settling anew; that is in
 * LAMMPS's favour. */
typedef struct ts_grain_rival {
    char name[96];  /* "" when there is none */
    char note[240]; /* how it ran, or why it did not */
    double rate;    /* grain-steps a second on one core; NaN: none */
    double spread;
} ts_grain_rival;
ts_status ts_grain_rival_measure(ts_bench *bench, const ts_bed_plan *plan, const ts_bed *bed, ts_grain_rival *rival,
                                 ts_error *error);

/* Rows beside Box2D and Chipmunk: dropped from the same grid, time a step at rest, mean overlap, and time a simulated
 * second with this engine's stiffness chosen so that grains overlap as much. `name` is the grains', `figures` those of
 * the bed. */
ts_status ts_grain_rows_beside(ts_bench *bench, const char *name, const ts_bed_plan *plan, const ts_bed *bed,
                               const ts_grain_figures *figures, ts_error *error);
