/* SPDX-License-Identifier: MIT */
#include "dynamics/problem.h"

ts_status ts_problem_create(ts_problem *p, size_t count, size_t block_count, int dof, ts_error *error)
{
    size_t numbers = block_count * (size_t)dof, rows = count * (size_t)dof;
    ts_problem_free(p);
    *p = (ts_problem){.count = count, .block_count = block_count, .dof = dof};
    struct {
        void *place;
        size_t count, size;
    } all[] = {
        {&p->body, block_count, sizeof *p->body},
        {&p->root, numbers, sizeof *p->root},
        {&p->w, numbers, sizeof *p->w},
        {&p->a, count, sizeof *p->a},
        {&p->b, count, sizeof *p->b},
        {&p->ga, rows, sizeof *p->ga},
        {&p->gb, rows, sizeof *p->gb},
        {&p->drift, count, sizeof *p->drift},
        {&p->ta, rows, sizeof *p->ta},
        {&p->tb, rows, sizeof *p->tb},
        {&p->slip, count, sizeof *p->slip},
        {&p->friction, count, sizeof *p->friction},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *block = ts_arena_alloc(&p->memory, all[i].count + 1, all[i].size);
        if (!block) {
            ts_problem_free(p);
            return ts_fail_memory(error, all[i].count * all[i].size);
        }
        *(void **)all[i].place = block;
    }
    return TS_OK;
}

void ts_problem_free(ts_problem *p)
{
    ts_arena_free(&p->memory);
    *p = (ts_problem){0};
}

ts_instant ts_problem_instant(const ts_problem *p)
{
    return (ts_instant){p->count, p->block_count, p->dof, p->a, p->b, p->ga, p->gb, p->drift};
}

ts_instant ts_problem_tangents(const ts_problem *p)
{
    return (ts_instant){p->count, p->block_count, p->dof, p->a, p->b, p->ta, p->tb, p->slip};
}
