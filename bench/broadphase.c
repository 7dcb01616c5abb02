#include "study/bench.h"
ts_status ts_bench_broadphase(ts_bench *bench, ts_error *error) { (void)bench; (void)error; return TS_OK; }
