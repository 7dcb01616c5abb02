/* SPDX-License-Identifier: MIT */
/* What a step of impact has in hand: the contacts that it strikes, as an instant for operators. */
#pragma once

#include "contact/strikes.h"
#include "dynamics/impact_work.h"
#include "state.h"

#define DOF 3 /* of a body in the plane */

/* Arrays that grow: all of each type, and of numbers those with a row a contact, or one number. */
enum { INDEXES = 3, NUMBERS = 16, ROWS = 4, SINGLES = 8 };

typedef struct ts_impact_memory {
    ts_strikes strikes;
    ts_impact_work *work;
    const ts_impact_operator *by;

    /* an instant: its contacts in the order of strikes, bodies that can move in the order in which they come up */
    TS_ARRAY(ts_strike) strike;
    ts_index_array a, b, body;
    union {
        struct {
            ts_double_array ga, gb, ta, tb, w, flight, shift, before;
            ts_double_array drift, slip, lambda, rub, bound, room, lambda_other, rub_other; /* one number a contact */
        };
        ts_double_array all[NUMBERS];
    };
    int32_t *number;    /* of each body in the instant (body_count) */
    uint64_t *numbered; /* in which step it got that (body_count) */
    uint64_t now;
    bool rough;              /* somewhere is friction, so that it matters which of several λ is taken */
    ts_impact_report report; /* of the last step */
} ts_impact_memory;

/* Pairs keep the impulses of this step, in the state (impact_history.c). */
void ts_impact_note_histories(const ts_impact_memory *m, const ts_model *model, ts_state *state);
/* λ and z of this step's contacts, as the pairs kept them; m->bound has μ of each. */
void ts_impact_guess(ts_impact_memory *m, const ts_model *model, const ts_state *state);
