/* SPDX-License-Identifier: MIT */
/* A thread pool for loops of microseconds.
 *
 * A simulation step is a few parallel loops of some 25 µs each, so starting and joining a loop must cost about 1 µs.
 * Workers therefore spin for a moment after a loop before they sleep; a pool with more threads than processors gives up
 * its time slice at once instead, since there a spinning thread keeps the working one from running.
 *
 *     caller   publish ticket ─▶ take tasks ───────────────▶ wait until all are done ─▶ return
 *     worker   see ticket     ─▶ take tasks ─▶ report done ─▶ spin, then sleep
 *
 * Which thread runs a task is not determined; what a task writes must therefore depend on the task's number alone, and
 * no two tasks may write the same place. `thread` (0 for the caller, below ts_pool_thread_count) selects scratch.
 *
 * One caller at a time: a pool belongs to one simulation. A task that calls ts_pool_run on its own pool gets its loop
 * run inline on its own thread, under its own thread number. */
#pragma once

#include <stddef.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct ts_pool ts_pool;

typedef void ts_task(void *context, int task, int thread);

/* More threads than this are refused as a mistyped option. */
#define TS_POOL_THREADS_MAX 1024

/* Starts thread_count - 1 workers; 0 means one thread for each processor this process may use (its affinity mask). */
ts_status ts_pool_create(int thread_count, ts_pool **pool, ts_error *error);
/* Stops and joins the workers. NULL is fine. */
void ts_pool_free(ts_pool *pool);
TS_RELEASE_AT(ts_pool, ts_pool_free)
/* Threads including the caller; 1 for NULL. */
int ts_pool_thread_count(const ts_pool *pool);

/* Runs tasks 0 … task_count-1, each once, and returns when all are done. A thread takes tasks of its own contiguous
 * share first, so that it meets the same part of an array in loop after loop, then of the others'. Everything written
 * before the call is visible to the tasks, and everything the tasks wrote is visible after it. With one task, one
 * thread or a NULL pool the tasks run inline, in order, without any synchronisation. */
void ts_pool_run(ts_pool *pool, int task_count, ts_task *run, void *context);

/* Σ over 0 … count-1, where term(context, begin, end) returns the sum of one range. Ranges depend on `count` alone and
 * partial sums are added in order, so the bits are the same for any number of threads. */
typedef double ts_term(void *context, size_t begin, size_t end);
double ts_pool_sum(ts_pool *pool, size_t count, ts_term *term, void *context);

/* Processors this process may use, at least 1. */
int ts_processor_count(void);
