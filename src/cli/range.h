/* SPDX-License-Identifier: MIT */
/* Which frames a user means: A:B:N, as in Python. */
#pragma once

#include <stdint.h>

#include "base/status.h"

typedef struct ts_range {
    uint64_t first, count, every; /* first, first + every, … below first + count */
} ts_range;

/* Frames that it chooses. */
static inline uint64_t ts_range_size(const ts_range *range)
{
    return (range->count + range->every - 1) / range->every;
}

/* Reads the argument of --frames, of `total` frames; NULL: all of them. Each part may be left out, negative ones count
 * from the end, and one number alone is one frame. A choice of nothing is TS_BAD_INPUT. */
ts_status ts_range_read(const char *text, uint64_t total, ts_range *out, ts_error *error);
