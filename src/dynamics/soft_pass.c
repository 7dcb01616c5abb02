/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_pass.h"

#include <string.h>

/* Passes in which an impact may settle: what is left is the next sub-step's. A byte counts them. */
enum { SETTLE_MOST = 128 };

typedef struct range {
    ts_soft_kernel *kernel;
    const void *task;
    int32_t begin, end;
} range;

static void run_chunk(void *context, int chunk, int thread)
{
    (void)thread;
    const range *r = context;
    const int32_t begin = r->begin + chunk * TS_SOFT_GROUP_CHUNK, end = begin + TS_SOFT_GROUP_CHUNK;
    r->kernel(r->task, begin, end < r->end ? end : r->end);
}

static void run_range(const ts_soft_runner *runner, ts_soft_pass pass, int32_t begin, int32_t end)
{
    range r = {runner->kernel[pass], runner->task, begin, end};
    if (end > begin)
        ts_pool_run(runner->pool, (end - begin + TS_SOFT_GROUP_CHUNK - 1) / TS_SOFT_GROUP_CHUNK, run_chunk, &r);
}

void ts_soft_run(const ts_soft_runner *runner, ts_soft_pass pass)
{
    const int32_t *begin = runner->group_begin;
    if (pass == TS_SOFT_PLACE || pass == TS_SOFT_NOTE ||
        (pass == TS_SOFT_FOLLOW && !runner->follow_strikes)) { /* velocities stay as they are */
        run_range(runner, pass, 0, begin[TS_COLOURS]);
        return;
    }
    const bool back = runner->relaxes_back && pass >= TS_SOFT_RELAX && pass <= TS_SOFT_RELAX_LAST;
    const int last = runner->colour_count < TS_COLOUR_ALONE ? runner->colour_count : TS_COLOUR_ALONE;
    for (int i = 0; i <= last; i++) {
        const int colour = back ? last - i : i;
        if (colour < last)
            run_range(runner, pass, begin[colour], begin[colour + 1]);
        else
            for (int32_t group = begin[TS_COLOUR_ALONE]; group < begin[TS_COLOURS]; group++)
                runner->kernel[pass](runner->task, group, group + 1); /* kernels may mix the groups that they get */
    }
}

static void settle(const ts_soft_runner *runner, ts_soft_heat *heat, ts_soft_pass first, ts_soft_pass again)
{
    memset(heat->stamp, 0, heat->count);
    for (int i = 0; i <= SETTLE_MOST; i++) {
        atomic_store_explicit(&heat->any, false, memory_order_relaxed);
        heat->pass = (uint8_t)(i + 1);
        ts_soft_run(runner, i == 0 ? first : again);
        if (!atomic_load_explicit(&heat->any, memory_order_relaxed))
            return;
    }
}

void ts_soft_push(const ts_soft_runner *runner, ts_soft_heat *heat)
{
    settle(runner, heat, TS_SOFT_PUSH, TS_SOFT_PUSH_AGAIN);
}

void ts_soft_relax(const ts_soft_runner *runner, ts_soft_heat *heat, uint64_t relaxations)
{
    for (uint64_t i = 0; i + 2 < relaxations; i++)
        ts_soft_run(runner, TS_SOFT_RELAX);
    if (relaxations > 1)
        settle(runner, heat, TS_SOFT_RELAX_NOTE, TS_SOFT_RELAX_AGAIN);
    ts_soft_run(runner, TS_SOFT_RELAX_LAST);
}
