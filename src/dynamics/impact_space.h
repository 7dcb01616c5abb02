/* SPDX-License-Identifier: MIT */
/* What a step of impact in space has in hand (impact_memory.h has the rows). */
#pragma once

#include "contact/hits3.h"
#include "dynamics/impact_rows.h"

typedef struct ts_impact_space {
    ts_impact_scratch scratch; /* contacts in the order of strikes */
    ts_hits3 hits;
    ts_impact_blocks blocks;
    TS_ARRAY(ts_vec3) tangent; /* two of each contact: unit, at right angles */
    ts_history_array past;     /* the state's next, while it is written */
    ts_vec3 (*wall)[2]; /* force on each wall in the last step, and torque about its origin (wall_count) [N, N·m] */
} ts_impact_space;

extern const struct ts_resolver ts_impact_in_space;
