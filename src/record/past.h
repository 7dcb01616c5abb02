/* SPDX-License-Identifier: MIT */
/* Where bodies were at the newest row of the energy table, for the flow from there to the next one.
 *
 * A checkpoint carries it, so that the first row after a resume has the flow of a run that never stopped. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "touchstone/measure.h"

typedef struct ts_past_place {
    double position[3]; /* z is 0 in the plane */
    bool present;
} ts_past_place;

typedef struct ts_past {
    double time;          /* of that row [s] */
    ts_past_place *place; /* of each body, to be freed with ts_free; NULL: not kept */
} ts_past;

ts_status ts_past_keep(ts_past *past, const ts_snapshot *now, ts_error *error);
/* A snapshot that will do as the earlier one of a flow, and for nothing else. */
ts_status ts_past_recall(const ts_past *past, const ts_model *model, ts_snapshot *before, ts_error *error);
