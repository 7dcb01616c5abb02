/* SPDX-License-Identifier: MIT */
/* What a step of impact in the plane has in hand besides the rows (impact_memory.h). */
#pragma once

#include "contact/hits.h"
#include "dynamics/dynamics.h"
#include "dynamics/impact_rows.h"
#include "state.h"

#define TS_PLANE_DOF 3 /* of a body in the plane */

typedef struct ts_impact_memory {
    ts_impact_scratch
        scratch; /* contacts in the order of hits, bodies that can move in the order in which they come up */
    ts_hits hits;
    TS_ARRAY(ts_hit) hit; /* those that count */
    ts_impact_blocks blocks;
} ts_impact_memory;

/* Contacts keep the impulses of this step, in the state (impact_history.c). Room is there: state->history has as many
 * as contacts. */
void ts_impact_note_histories(const ts_impact_memory *m, const ts_model *model, ts_state *state);
/* λ and z of this step's contacts, as the last step left them. */
void ts_impact_guess(ts_impact_memory *m, const ts_model *model, const ts_state *state);
/* The whole impulse on B of contact k, normal and friction, world frame [N·s]. */
void ts_impact_contact_impulse(const ts_impact_memory *m, size_t k, double impulse[2]);
/* Records of the candidate whose number in the pair list's history is `held`. Returns how many. */
size_t ts_impact_records(const ts_state *state, double held, const ts_history **first);
/* The dynamics' look (dynamics.h), with forces of normals and friction: impact_look.c. */
ts_status ts_impact_look(const ts_model *model, const ts_state *state, ts_workspace *work, ts_contact_sink *sink,
                         void *context, ts_error *error);
