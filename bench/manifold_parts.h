/* SPDX-License-Identifier: MIT */
/* The parts of the bench `manifold`. */
#pragma once

#include "study/bench.h"

ts_status ts_manifold_rows_programs(ts_bench *bench, ts_error *error); /* manifold_programs.c: nearest points */
ts_status ts_manifold_rows_pairs(ts_bench *bench, ts_error *error);    /* manifold_pairs.c: two bodies, beside peers */
