/* SPDX-License-Identifier: MIT */
/* Watches that a run does not gain energy.
 *
 * Where nothing is driven and no gate opens or closes, contact and friction only take energy away: the total
 *
 *     H = kinetic + rotational + gravitational + elastic
 *
 * never rises above an earlier value. A run whose steps are too long breaks this law long before a body runs away.
 * What is measured at the end of a step is not quite that H: in a mode that the time step resolves with p = Δt /
 * stable step, leapfrog lets the measured energy swing between S / (1 + p) and S / (1 - p) about what it keeps, the
 * more so as a tangential spring was measured half a step earlier. Of the share T = kinetic + rotational + elastic of
 * a row, therefore, no later row may have more than (1 + p) / (1 - p) times as much, and H is compared with the lowest
 *
 *     U = H + 2p / (1 - p) · T
 *
 * of all rows before. An elastic ball that is squeezed flat at one row and at rest at its highest point at the next
 * obeys it. The run is stopped when H - U is above a quarter of
 *
 *     the largest T of any row + Σ m |g| r + Σ ½ m (ε r / Δt)²,        ε = 1e-9
 *
 * That is far more than the error of impacts that begin and end within a step, also where T happens to be nil at a
 * row, and far more than the rounding of heights, whatever the origin and the units. Without gravity the last sum alone
 * stands for rounding: bodies that touch and rest have contacts in the last digits of their places. An instability grows
 * exponentially and passes any such bound; a slow gain of less is not noticed.
 *
 * A law of one function (dynamics/force.h) that does not say what it stores is not watched: H lacks that. */
#pragma once

#include <stdbool.h>

#include "touchstone/sim.h"

typedef struct ts_energy_guard {
    const ts_model *model;
    bool on;       /* the law holds for this model */
    double swing;  /* 2p / (1 - p) */
    double lift;   /* Σ m |g| r of the bodies that move [J] */
    double noise;  /* Σ ½ m (ε r / Δt)² of the same [J] */
    double bound;  /* the lowest U [J] */
    double lowest; /* H at that row [J] */
    double since;  /* its time [s] */
    double peak;   /* the largest T [J] */
    double excess; /* H - U of the last row, as a share of the largest T + the lift + the noise; below 0: none [1] */
} ts_energy_guard;

/* A guard that has seen nothing yet. The model must outlive it. */
ts_energy_guard ts_energy_guard_of(const ts_model *model);
/* Takes the next row. TS_DIVERGED when energy came from nowhere, or is not finite. */
ts_status ts_energy_guard_check(ts_energy_guard *guard, const ts_measures *row, ts_error *error);
