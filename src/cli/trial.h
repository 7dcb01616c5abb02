/* SPDX-License-Identifier: MIT */
/* How long a run will take, by a trial of some steps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "touchstone/sim.h"

typedef struct ts_trial {
    double seconds;    /* of wall time that the whole run will take, without recording; NaN: not known [s] */
    uint64_t steps;    /* taken on trial */
    double contacts;   /* touching, mean over these */
    int threads;       /* on which */
    bool whole;        /* they are all steps of the run */
    bool failed;       /* a step could not be computed, and trouble says why */
    char trouble[512]; /* why it is not known; "" */
} ts_trial;

/* Takes steps from time 0 for at most about half a second of wall time: one at least. A model that lacks contact maps is
 * not tried. Changes the state alone. */
ts_trial ts_try_steps(const ts_model *model, ts_state *state, ts_workspace *work);
