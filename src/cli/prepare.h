/* SPDX-License-Identifier: MIT */
/* Contact maps before a run, with a progress line. */
#pragma once

#include <stdbool.h>

#include "touchstone/sim.h"

/* Makes the maps that a model needs, or finds them in the cache; says so when that cannot keep them. TS_INTERRUPTED when the user stops it. */
ts_status ts_cli_prepare(ts_model *model, int threads, bool quiet, ts_error *error);
