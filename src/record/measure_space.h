/* SPDX-License-Identifier: MIT */
/* What can be said of a frame of a run in space: energies, momenta, speeds, overlaps. Of bodies that move and are there.
 *
 *     group      columns
 *     energy     kinetic_J … lost_friction_J        as in energies.csv; velocities of a frame are floats, so to seven digits
 *     velocity   momentum_x_Ns … max_speed_m_per_s  angular momentum about the origin
 *     overlap    contacts, max_overlap_m, mean_overlap_m
 *
 * Groups are bits of ts_settings.measures (TS_MEASURE_ENERGY, …); all others are of the plane. What a run did not record is NaN. */
#pragma once

#include "record/trajectory.h"

#define TS_SPACE_MEASURES ((uint32_t)TS_MEASURE_ENERGY | (uint32_t)TS_MEASURE_VELOCITY | (uint32_t)TS_MEASURE_OVERLAP)

enum { TS_SPACE_COLUMNS_MAX = 19 };

/* Columns of these groups; names carry units. */
size_t ts_space_column_count(uint32_t groups);
const char *ts_space_column_name(uint32_t groups, size_t column);
/* The group of a column, as a bit. */
uint32_t ts_space_column_group(uint32_t groups, size_t column);
/* Their values in a frame (ts_space_column_count). */
void ts_space_measure_row(const ts_trajectory_header *header, const ts_frame *frame, uint32_t groups, double *value);
