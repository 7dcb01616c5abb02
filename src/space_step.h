/* SPDX-License-Identifier: MIT */
/* Steps and states of bodies in space; step.c, state.c and measure.c come here for a model of space. */
#pragma once

#include "workspace.h"

/* Steps: scripts, then what the dynamics does; for impact that is impulses at the beginning's poses, and free flight with kicks of springs in the
 * middle (body/flight.h). */
ts_status ts_space_steps(const ts_model *model, ts_state *state, ts_workspace *work, uint64_t count, ts_error *error);
/* Bodies as they are at time 0. */
ts_status ts_space_state_create(ts_state *state, ts_error *error);
/* Energies, momenta and overlaps. */
ts_status ts_space_measure(const ts_model *model, const ts_state *state, ts_workspace *work, ts_measures *out,
                           ts_error *error);
