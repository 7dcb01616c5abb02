/* SPDX-License-Identifier: MIT */
#include "dynamics/soft_pass.h"

#include "base/vec.h"

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
    const bool back = runner->relaxes_back && (pass == TS_SOFT_RELAX || pass == TS_SOFT_RELAX_LAST);
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

ts_soft_answer ts_soft_answer_of(double frequency, double damping_ratio, double step)
{
    const double omega = 2 * TS_PI * frequency, a1 = 2 * damping_ratio + step * omega, a2 = step * omega * a1,
                 a3 = 1 / (1 + a2);
    return (ts_soft_answer){omega / a1, a2 * a3, a3};
}
