/* SPDX-License-Identifier: MIT */
/* The parts of the bench `impact`. */
#pragma once

#include "study/bench.h"

ts_status ts_impact_rows_programs(ts_bench *bench, ts_error *error); /* impact_programs.c: beside Ipopt */
ts_status ts_impact_rows_fronts(ts_bench *bench, ts_error *error);   /* impact_fronts.c: what a pass costs */
ts_status ts_impact_rows_drum(ts_bench *bench, ts_error *error);     /* impact_drum.c: as published */
ts_status ts_impact_rows_grains(ts_bench *bench, ts_error *error);   /* impact_grains.c: `#` beside Box2D */
