/* SPDX-License-Identifier: MIT */
/* Contact maps before a run, with a progress line. */
#pragma once

#include <stdbool.h>

#include "touchstone/map.h"
#include "touchstone/sim.h"

/* Makes the maps that a model needs, or finds them in the cache; says so when that cannot keep them. TS_INTERRUPTED
 * when the user stops it. */
ts_status ts_cli_prepare(ts_model *model, int threads, bool quiet, ts_error *error);

/* "map.grid is for sampled maps and changes nothing here", of the first key that the kind has no use for; NULL: there
 * is none. Only a note: scenes keep what they say of one kind when --set chooses another. */
const char *ts_cli_unused_map_key(const ts_map_options *options, char *text, size_t capacity);
