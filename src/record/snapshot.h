/* SPDX-License-Identifier: MIT */
/* A recorded frame as a snapshot, for the measures of touchstone/measure.h. */
#pragma once

#include "record/trajectory.h"
#include "touchstone/measure.h"

/* Fills a snapshot, zeroed or used before; freed with ts_snapshot_free. It borrows the header's shapes. Velocities and
 * forces have the precision of the file, single; the elastic energy is not recorded and NaN. */
ts_status ts_snapshot_of_frame(const ts_trajectory_header *header, const ts_frame *frame, ts_snapshot *snapshot,
                               ts_error *error);
