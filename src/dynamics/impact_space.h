/* SPDX-License-Identifier: MIT */
/* What a step of impact in space has in hand (impact_memory.h has the rows). */
#pragma once

#include "contact/strikes3.h"
#include "dynamics/impact_memory.h"

/* A body that can move and is struck. */
typedef struct ts_impact_block3 {
    int64_t body;
    double root;  /* √(1/m) */
    ts_mat3 turn; /* D^-½ Rᵀ (impact_space.c) */
} ts_impact_block3;

typedef struct ts_impact_space {
    ts_impact_hand hand; /* contacts in the order of strikes */
    ts_strikes3 strikes;
    TS_ARRAY(ts_impact_block3) block;
    TS_ARRAY(ts_vec3) tangent; /* two of each contact: unit, at right angles */
    ts_past3_array past;       /* the state's next, while it is written */
    int32_t *number;           /* of each body: its block (body_count) */
    uint64_t *numbered;        /* in which step it got that (body_count) */
    uint64_t now;
} ts_impact_space;

extern const struct ts_resolver ts_impact_in_space;

/* What became of the last step (impact.h's ts_impact_last asks here). */
const ts_impact_report *ts_impact_space_last(const struct ts_workspace *work);
