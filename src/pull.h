/* SPDX-License-Identifier: MIT */
/* What springs do in a step, told ahead. Impact looks for contacts where free flight ends and resolves them for its mean
 * velocity (dynamics/impact_solve.c): springs belong to that flight, as gravity does, or nothing could rest against one.
 *
 *     x(h) = x + h u        u = v + ½ h (g + F / m)        F where velocities change: in the middle of the step
 *
 * Where that middle is, impulses have a say in, which are not known yet: F is taken where what contacts hold passes it.
 * Such a body leaves the beginning with −½ h a, whichever velocity ½ h a it comes back with, so F is that at v − h a;
 * what flies freely has it to order h², and only what is struck asks. The springs themselves kick in the middle that
 * there is then, as without contacts. */
#pragma once

#include "workspace.h"

typedef struct ts_pulls {
    double *half; /* what springs add to velocities in half a step, laid out as they are (ts_state_motion) */
    double *mean; /* velocities with that, or, while they are lent to the state, those without */
} ts_pulls;

/* Makes work->pulls, or leaves it NULL where nothing asks for it. */
ts_status ts_pulls_create(const ts_model *model, ts_workspace *work, ts_error *error);
void ts_pulls_free(ts_pulls *pulls);
/* For the step that the state begins. */
void ts_pulls_foresee(const ts_model *model, ts_state *state, ts_workspace *work);
/* Gives bodies the mean velocity of a flight with springs, or takes it back, to the bit. */
void ts_pulls_swap(const ts_model *model, ts_state *state, const ts_workspace *work);
