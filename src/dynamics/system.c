/* SPDX-License-Identifier: MIT */
#include "dynamics/system.h"

#include <string.h>

void ts_system_free(ts_system *s)
{
    ts_arena_free(&s->memory);
    *s = (ts_system){0};
}

static ts_status make(ts_system *s, size_t numbers, size_t entries, ts_error *error)
{
    const size_t rows = (size_t)s->rows * s->contact_count;
    struct {
        void *place;
        size_t count, size;
    } all[] = {
        {&s->v_begin, s->block_count + 1, sizeof *s->v_begin},
        {&s->row_begin, rows + 1, sizeof *s->row_begin},
        {&s->column, entries + 1, sizeof *s->column},
        {&s->value, entries + 1, sizeof *s->value},
        {&s->drift, rows + 1, sizeof *s->drift},
        {&s->friction, s->contact_count + 1, sizeof *s->friction},
        {&s->w, numbers + 1, sizeof *s->w},
        {&s->impulse, rows + 1, sizeof *s->impulse},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *block = ts_arena_alloc(&s->memory, all[i].count, all[i].size);
        if (!block) {
            ts_system_free(s);
            return ts_fail_memory(error, all[i].count * all[i].size);
        }
        *(void **)all[i].place = block;
    }
    return TS_OK;
}

/* Both sides of a row; the lower block first. */
static size_t add_row(ts_system *s, const ts_rows *along, size_t k, size_t at)
{
    const size_t dof = (size_t)along->dof;
    const int first = along->a[k] > along->b[k];
    for (int i = 0; i < 2; i++) {
        const bool is_b = i != first;
        const int32_t block = is_b ? along->b[k] : along->a[k];
        for (size_t d = 0; block >= 0 && d < dof; d++, at++) {
            s->column[at] = (int32_t)(dof * (size_t)block + d);
            s->value[at] = (is_b ? along->gb : along->ga)[dof * k + d];
        }
    }
    return at;
}

ts_status ts_system_of(const ts_problem *p, const double *normal_drift, ts_system *s, ts_error *error)
{
    const size_t dof = (size_t)p->dof, rows = (size_t)p->rows, numbers = dof * p->block_count;
    ts_system_free(s);
    *s = (ts_system){.block_count = p->block_count, .contact_count = p->count, .rows = p->rows};
    TS_TRY(make(s, numbers, 2 * dof * rows * p->count, error));
    for (size_t i = 0; i <= p->block_count; i++)
        s->v_begin[i] = dof * i;
    if (numbers > 0)
        memcpy(s->w, p->w, numbers * sizeof *s->w);
    const ts_rows along[3] = {ts_problem_along(p, 0), ts_problem_along(p, 1), ts_problem_along(p, 2)};
    for (size_t k = 0; k < p->count; k++) {
        s->friction[k] = p->friction[k];
        for (size_t d = 0; d < rows; d++) {
            const size_t i = rows * k + d;
            s->drift[i] = d == 0 && normal_drift ? normal_drift[k] : along[d].drift[k];
            s->row_begin[i + 1] = add_row(s, &along[d], k, s->row_begin[i]);
        }
    }
    return TS_OK;
}

double ts_system_rate(const ts_system *s, size_t i, const double *w)
{
    double sum = s->drift[i];
    for (size_t e = s->row_begin[i]; e < s->row_begin[i + 1]; e++)
        sum += s->value[e] * w[s->column[e]];
    return sum;
}

void ts_system_push(const ts_system *s, size_t i, double impulse, double *w)
{
    for (size_t e = s->row_begin[i]; e < s->row_begin[i + 1]; e++)
        w[s->column[e]] += s->value[e] * impulse;
}
