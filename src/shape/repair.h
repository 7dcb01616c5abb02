/* SPDX-License-Identifier: MIT */
/* From contours as people draw them to contours that bound a region.
 *
 *     drawn ──▶ points checked, doubled ones and specks dropped, open ends closed
 *           ──▶ edges cut where they cross; pieces kept that have inside on one side and outside on the other
 *           ──▶ pieces joined to contours with the interior on the left ──▶ verified: closed, free of crossings
 *
 * Contours that are clean already go through unchanged, to the bit. What the last check does not pass is refused. */
#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "shape/segment.h"

typedef struct ts_repaired {
    TS_ARRAY(ts_vertex) vertex;
    TS_ARRAY(size_t) begin; /* first vertex of each contour, and the end: contours + 1 entries */
    TS_ARRAY(char *) note;  /* what was done, for the user */
} ts_repaired;

/* `out` comes zeroed. Contours are numbered from 1 in messages, as a person counts them. */
ts_status ts_repair(const ts_contour *contour, size_t count, ts_fill_rule rule, ts_repaired *out, ts_error *error);
void ts_repaired_free(ts_repaired *repaired);
