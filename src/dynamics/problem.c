/* SPDX-License-Identifier: MIT */
#include "dynamics/problem.h"

ts_status ts_problem_create(ts_problem *p, size_t count, size_t block_count, int dof, int rows, ts_error *error)
{
    const size_t numbers = block_count * (size_t)dof, entries = count * (size_t)dof, across = rows > 2 ? entries : 0;
    ts_problem_free(p);
    *p = (ts_problem){.count = count, .block_count = block_count, .dof = dof, .rows = rows};
    struct {
        void *place;
        size_t count, size;
    } all[] = {
        {&p->body, block_count, sizeof *p->body},
        {&p->root, numbers, sizeof *p->root},
        {&p->w, numbers, sizeof *p->w},
        {&p->a, count, sizeof *p->a},
        {&p->b, count, sizeof *p->b},
        {&p->ga, entries, sizeof *p->ga},
        {&p->gb, entries, sizeof *p->gb},
        {&p->drift, count, sizeof *p->drift},
        {&p->ta, entries, sizeof *p->ta},
        {&p->tb, entries, sizeof *p->tb},
        {&p->slip, count, sizeof *p->slip},
        {&p->xa, across, sizeof *p->xa},
        {&p->xb, across, sizeof *p->xb},
        {&p->slip_x, rows > 2 ? count : 0, sizeof *p->slip_x},
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

ts_rows ts_problem_along(const ts_problem *p, int row)
{
    ts_rows along = {p->count, p->block_count, p->dof, p->a, p->b, p->ga, p->gb, p->drift};
    if (row == 1)
        along.ga = p->ta, along.gb = p->tb, along.drift = p->slip;
    else if (row == 2)
        along.ga = p->xa, along.gb = p->xb, along.drift = p->slip_x;
    return along;
}

ts_rows ts_problem_rows(const ts_problem *p)
{
    return ts_problem_along(p, 0);
}
