/* SPDX-License-Identifier: MIT */
/* Soft-step in the plane: for how long the places that were found may be followed, and which pairs keep theirs when
 * places are looked for again within a step.
 *
 *     a step    ├── span ──┼─ span ─┼┼┼┼─ span ─┤      a finding at the beginning of each; sub-steps are shorter where
 *                                                      something would go through something thin in one
 *
 * Two that can touch within a span, or nearly do, move against each other by no more than `way` in it. Two that are
 * farther apart may come as close as that. What is not listed at all is farther apart than ts_soft_plane_reach. */
#pragma once

#include "base/memory.h"
#include "workspace.h"

typedef struct ts_soft_span {
    int64_t count; /* of sub-steps */
    int64_t units; /* that it takes, of the step's shortest sub-steps */
    double h;      /* of a sub-step [s] */
} ts_soft_span;

/* Of the shortest sub-steps: how many make up a step. */
int64_t ts_soft_units(const ts_model *model);

/* How far apart pairs must be listed to be listed before they can touch; of ts_contact_search (model.h) [m]. */
double ts_soft_plane_reach(const ts_model *model, const ts_state *state);

/* The span that begins now, with `left` units of the step to go, if places are found now: work->reach is how far open
 * those are that count in it. */
ts_soft_span ts_soft_plane_span(const ts_model *model, const ts_state *state, ts_workspace *work, int64_t left);

/* Whether places that the state has will do for a whole step. */
bool ts_soft_plane_holds(const ts_model *model, const ts_state *state, const ts_workspace *work);

/* Places of a step's first finding that still hold at a later one. All of it is scratch. */
typedef struct ts_soft_hold {
    TS_ARRAY(ts_frame2) then;          /* parts at the first finding (part_count) */
    ts_reach reach;                    /* how far places were looked for then */
    TS_ARRAY(uint8_t) held, wall_held; /* workspace.h */
} ts_soft_hold;

void ts_soft_hold_free(ts_soft_hold *hold);
size_t ts_soft_hold_bytes(const ts_soft_hold *hold);

/* At the first finding of a step that will have more. */
ts_status ts_soft_hold_note(ts_soft_hold *hold, const ts_model *model, const ts_workspace *work, ts_error *error);
/* Before a finding: sets work->held and wall_held. Pairs that sleep keep their places; at later findings, with `time`
 * ≥ 0, also those that have not moved since the first, and will not in this time, as far as places were looked for. */
ts_status ts_soft_hold_choose(ts_soft_hold *hold, const ts_state *state, ts_workspace *work, bool sleeps, double time,
                              ts_error *error);
