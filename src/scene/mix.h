/* SPDX-License-Identifier: MIT */
/* Who of a generator's bodies is of which entry of its mix. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "base/status.h"
#include "touchstone/scene.h"

/* The entry of each body (count): as many of each as its weight's share, rounded so that the sum is right (largest
 * remainders), in random order. At least one weight must be above 0. */
ts_status ts_mix_deal(const ts_mix_entry *mix, size_t mix_count, size_t count, ts_random order, int32_t *entry,
                      ts_error *error);
