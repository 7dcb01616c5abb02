/* SPDX-License-Identifier: MIT */
/* Slices as the options ask for them. */
#pragma once

#include "measure/columns.h"

/* Slices of about two mean diameters unless the options give a number; along y, or along x. */
ts_bins ts_bins_of(const ts_snapshot *snapshot, const ts_measure_options *options, bool along_x);
