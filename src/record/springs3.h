/* SPDX-License-Identifier: MIT */
/* Where the springs of a run in space are in a frame, for pictures and exports. */
#pragma once

#include "record/trajectory.h"

/* Its two ends in the world, A first; false while a body that it holds is away, or nowhere any more. */
bool ts_springs3_ends(const ts_trajectory_header *header, const ts_frame *frame, size_t spring, ts_vec3 end[2]);
/* How wide it is to be drawn, as a radius: a share of the smaller body that it holds [m]. Springs themselves have no
 * width. */
double ts_springs3_width(const ts_trajectory_header *header, size_t spring);
/* The pose whose origin is in the middle of two points, which lie on its z axis. */
ts_pose3 ts_springs3_pose(ts_vec3 a, ts_vec3 b);
