/* SPDX-License-Identifier: MIT */
/* What the machine has free: a loop without memory, on one thread and on two. Beside every speed-up stands this
 * one's. */
#pragma once

#include "base/status.h"

/* How much faster two threads are than one at arithmetic alone: 2 on an idle machine. Takes some 60 ms. */
ts_status ts_bench_control(double *speed_up, ts_error *error);
