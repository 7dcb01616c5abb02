/* SPDX-License-Identifier: MIT */
#include "control.h"

#include <stdint.h>

#include "base/clock.h"
#include "base/threads.h"

#define CONTROL_ROUNDS 5000000 /* some 20 ms of dependent multiplications */

static void control_task(void *context, int task, int thread)
{
    (void)thread;
    volatile double *result = context;
    double x = 1 + 1e-9 * task;
    for (int i = 0; i < CONTROL_ROUNDS; i++)
        x = x * 0.999999 + 1e-6;
    result[task] = x;
}

ts_status ts_bench_control(double *speed_up, ts_error *error)
{
    volatile double result[2];
    ts_pool *pool;
    TS_TRY(ts_pool_create(2, &pool, error));
    double begin = ts_clock_seconds();
    ts_pool_run(NULL, 2, control_task, (void *)(uintptr_t)result);
    double middle = ts_clock_seconds();
    ts_pool_run(pool, 2, control_task, (void *)(uintptr_t)result);
    *speed_up = (middle - begin) / (ts_clock_seconds() - middle);
    ts_pool_free(pool);
    return TS_OK;
}
