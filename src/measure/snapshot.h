/* SPDX-License-Identifier: MIT */
/* For those who fill a snapshot. */
#pragma once

#include "base/status.h"
#include "placed.h"
#include "touchstone/measure.h"

/* Makes room; counts are set, contents are the caller's to fill. On failure the snapshot is still one that can be
 * freed. */
ts_status ts_snapshot_reserve(ts_snapshot *snapshot, size_t bodies, size_t shapes, size_t contacts, ts_error *error);
/* A body with pose and motion, all else zero. */
void ts_snapshot_place(const ts_placed *at, ts_snapshot_body *body);
/* Sets its inertia from the one in its own frame. */
void ts_snapshot_turn_inertia(const ts_mat3 *own, ts_snapshot_body *body);
/* Shapes of space; those without a form are left alone. */
void ts_snapshot_set_forms(ts_snapshot *snapshot, const ts_form3 *form, size_t count, const ts_piece *piece);
