/* SPDX-License-Identifier: MIT */
/* For those who fill a snapshot. */
#pragma once

#include "base/status.h"
#include "touchstone/measure.h"

/* Makes room; counts are set, contents are the caller's to fill. On failure the snapshot is still one that can be freed. */
ts_status ts_snapshot_reserve(ts_snapshot *snapshot, size_t bodies, size_t shapes, size_t contacts, ts_error *error);
