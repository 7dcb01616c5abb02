/* SPDX-License-Identifier: MIT */
/* Moving bodies: drift, kick, drift.
 *
 *     x ← x + ½Δt v            to the middle of the step, where contacts are found
 *     v ← v + Δt (f/m + g)
 *     x ← x + ½Δt v            to its end
 *
 * Symplectic, second order, exact for constant acceleration; and no force has to be kept from step to step, so the
 * state is poses and velocities alone. */
#pragma once

#include "workspace.h"

/* Scripted bodies get the velocity that takes them to where their script wants them at the end of the step; walls are
 * placed where contacts are looked for. */
void ts_drive(const ts_model *model, ts_state *state, ts_workspace *work);
/* Walls in the step that begins at `time`, at its beginning (part 0), middle (part 0.5) or end (part 1). */
void ts_place_walls(const ts_model *model, ts_workspace *work, double time, double part);
/* Frames of all parts where the bodies will be after h of time at their velocities, with wrenches at zero: half a step,
 * or a whole one with gravity, to find contacts (model.h: moment), 0 to look. Widens the drift bound by as much.
 * Changes no body, so that a step that fails for want of memory has changed nothing but the velocity of driven bodies,
 * which the next try sets again. */
void ts_place_parts(const ts_model *model, const ts_state *state, ts_workspace *work, double h, double *drift_bound);
/* The whole advance of a step: drift, kick by work->wrench and gravity, drift. Returns a body whose motion makes no
 * sense any more, or -1. */
int64_t ts_advance(const ts_model *model, ts_state *state, ts_workspace *work);

typedef struct ts_body_range {
    size_t begin, end;
} ts_body_range;

/* The loops over bodies begin … end-1 behind these, compiled for each instruction set. */
typedef struct ts_advance_kernels {
    /* `fall`: how much of gravity [m/s²] bodies have fallen, ½h² or 0 [s²]. Returns the largest speed of any point (|v|, and |spin|·radius
     * where bodies are clusters) [m/s] */
    double (*place)(const ts_model *model, const ts_state *state, ts_workspace *work, ts_body_range range, double h,
                    double fall);
    ts_chunk_report (*advance)(const ts_model *model, ts_state *state, ts_workspace *work, ts_body_range range);
} ts_advance_kernels;

const ts_advance_kernels *ts_advance_choose(void);
