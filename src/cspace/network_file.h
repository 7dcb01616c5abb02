/* SPDX-License-Identifier: MIT */
/* Networks as bytes, two for each parameter.
 *
 * Each row of weights, and the biases of a layer, share a power of two, of which every number is a whole multiple in
 * [-32767, 32767]: the step is at most 1/16384 of the largest, finer than half precision has it for all but small
 * numbers beside it. A network is rounded to this when it is trained (ts_network_round), before its errors are
 * measured, so what is stored is what is used, to the bit. One that was not rounded is stored in four bytes each. */
#pragma once

#include <stdbool.h>

#include "base/bytes.h"
#include "base/status.h"
#include "cspace/network.h"

/* Rounds all parameters to what a file holds in two bytes, and packs them for the kernels. Again does nothing more. */
ts_status ts_network_round(ts_network *network, ts_error *error);

/* Bytes that it takes in a file, and writing them. */
size_t ts_network_file_bytes(const ts_network *network);
unsigned char *ts_network_put(unsigned char *to, const ts_network *network);
/* A new network from a file's bytes; `problem` is NULL, or a few words on what is wrong with them (then TS_CORRUPT,
 * without a message). A network that could overflow within reach of the outlines is refused. */
ts_status ts_network_take(ts_bytes *from, ts_network **network, const char **problem, ts_error *error);
