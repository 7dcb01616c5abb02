/* SPDX-License-Identifier: MIT */
/* What `touchstone check` says of plane and space alike. */
#pragma once

#include <stdio.h>

#include "cli/format.h"
#include "model.h"

enum { ts_check_rows_most = 20 }; /* of a list, before it says how many more there are */

/* Its name, or what it is and its index. */
ts_shown ts_check_name(const char *name, const char *what, size_t index);
ts_shown ts_check_material(const ts_model *model, size_t index);
const char *ts_check_drive(ts_drive_kind drive);
/* How many bodies drives of each kind move, and how many are behind a gate. */
void ts_check_print_drives(const uint64_t moved[TS_DRIVE_VELOCITY + 1], uint64_t gated, FILE *stream);
