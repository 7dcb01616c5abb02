/* SPDX-License-Identifier: MIT */
/* Places of soft-step in the plane that come from contact maps: outlines with each other and with discs.
 *
 * A map is asked about a pair at its pose and around it (contact/probed.h). What shows becomes lines and points, which
 * go along with the bodies: A carries a line and its normal, B a point that touches it.
 *
 *        n ▲
 *          │  • B's point          gap = n · (point − line)
 *     ─────┴────────── A's line
 *
 * They stay as they were found until the pair has moved by a share of the distance at which it was probed: a pair that
 * rests keeps its places, whatever the map's errors are. So they are part of the state (ts_state.found), in the order of
 * their records, which are the last of the history. */
#pragma once

#include "contact/find.h"
#include "state.h"
#include "workspace.h"

/* The largest mean error of maps, as a share of the smaller radius. Measured: a stack of five boxes on a table of 0.03%
 * stood upright and crept by less than a nanometre in 10 s; at 0.08% the fifth box leant by 0.06 rad and crept by 1 mm,
 * at 0.23% by 0.08 rad and 10 mm; with 0.2% asked for, 1 of 16 heaps of 64 grains did not come to rest. */
#define TS_SOFT_MAP_ERROR 0.0005
/* How far two may move against each other between two findings, likewise. */
#define TS_SOFT_MAP_WAY 0.03

/* Marks keys of such records, beside TS_FEATURE_RECORD; what is below is a number of the place, which lasts while the
 * place is found again. */
#define TS_SOFT_MAP_RECORD (UINT64_C(1) << 61)

/* ts_found.number: where B stood in the frame of A when the place was found [m, m, rad]; in the frame of A a point of
 * the line, and its unit normal, from A to B; in the frame of B the point. */
enum { TS_SOFT_STOOD, TS_SOFT_LINE = 3, TS_SOFT_NORMAL_OF_LINE = 5, TS_SOFT_POINT = 7 };

typedef struct ts_soft_mapped {
    ts_history record;
    ts_found found;
    size_t which; /* number of its pair in the list */
} ts_soft_mapped;

typedef TS_ARRAY(ts_soft_mapped) ts_soft_mapped_array;

/* Whether a batch is of pairs that meet by a map. */
bool ts_soft_is_mapped(const ts_workspace *work, const ts_contact_batch *batch, const ts_batch_source *source);
/* Adds the places of the batch's pairs, which may touch by its map. Those that hold are the state's; others are found
 * anew. */
ts_status ts_soft_map_places(const ts_state *state, const ts_workspace *work, const ts_contact_batch *batch,
                             const ts_batch_source *source, ts_soft_mapped_array *to);
/* What belongs to a record of the state's history; NULL: nothing does. */
const ts_found *ts_soft_found(const ts_state *state, const ts_history *record);
