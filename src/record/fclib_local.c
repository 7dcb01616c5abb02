/* SPDX-License-Identifier: MIT */
#include "record/fclib_local.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/impact_work.h"

static const size_t entries_most = 100000000;

bool ts_fclib_matrix_make(ts_arena *memory, size_t rows, size_t columns, size_t entries, ts_fclib_matrix *m)
{
    *m = (ts_fclib_matrix){(int32_t)rows, (int32_t)columns, ts_arena_alloc(memory, columns + 1, sizeof *m->begin),
                           ts_arena_alloc(memory, entries + 1, sizeof *m->row),
                           ts_arena_alloc(memory, entries + 1, sizeof *m->x)};
    return m->begin && m->row && m->x;
}

/* Who meets whom. */
typedef struct meeting {
    const ts_problem *problem;
    int32_t *begin;   /* contacts of each block: contact[begin[i]] … (block_count + 1) */
    int32_t *contact; /* (2 · count) */
    int32_t *seen;    /* by which contact, plus one, a contact was met last (count) */
    int32_t *near;    /* those that share a block with a contact, itself among them (count) */
} meeting;

static bool make_meeting(meeting *m, const ts_problem *p, ts_arena *memory)
{
    *m = (meeting){p, ts_arena_alloc(memory, p->block_count + 2, sizeof *m->begin),
                   ts_arena_alloc(memory, 2 * p->count + 1, sizeof *m->contact),
                   ts_arena_alloc(memory, p->count + 1, sizeof *m->seen),
                   ts_arena_alloc(memory, p->count + 1, sizeof *m->near)};
    if (!m->begin || !m->contact || !m->seen || !m->near)
        return false;
    /* counted two places on, so that filling in leaves begins */
    for (size_t k = 0; k < p->count; k++)
        for (int i = 0; i < 2; i++)
            if ((i ? p->b : p->a)[k] >= 0)
                m->begin[(i ? p->b : p->a)[k] + 2]++;
    for (size_t i = 0; i <= p->block_count; i++)
        m->begin[i + 1] += m->begin[i];
    for (size_t k = 0; k < p->count; k++)
        for (int i = 0; i < 2; i++)
            if ((i ? p->b : p->a)[k] >= 0)
                m->contact[m->begin[(i ? p->b : p->a)[k] + 1]++] = (int32_t)k;
    return true;
}

static int compare(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Fills m->near, in order, and counts it. */
static size_t find_near(meeting *m, size_t k)
{
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        int32_t block = (i ? m->problem->b : m->problem->a)[k];
        for (int32_t at = block < 0 ? 0 : m->begin[block]; block >= 0 && at < m->begin[block + 1]; at++) {
            int32_t other = m->contact[at];
            if (m->seen[other] == (int32_t)k + 1)
                continue;
            m->seen[other] = (int32_t)k + 1;
            m->near[count++] = other;
        }
    }
    qsort(m->near, count, sizeof *m->near, compare);
    return count;
}

/* One entry: rows are scaled by the roots of masses already, so that their product is it. */
static double product(const ts_rows *x, size_t i, const ts_rows *y, size_t j)
{
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            int32_t block = (s ? x->b : x->a)[i];
            const double *gx = (s ? x->gb : x->ga) + i * (size_t)x->dof, *gy = (t ? y->gb : y->ga) + j * (size_t)y->dof;
            for (int d = 0; block >= 0 && (t ? y->b : y->a)[j] == block && d < x->dof; d++)
                sum += gx[d] * gy[d];
        }
    return sum;
}

static void fill(meeting *m, ts_fclib_matrix *w)
{
    const ts_rows part[3] = {ts_problem_along(m->problem, 0), ts_problem_along(m->problem, 1),
                             ts_problem_along(m->problem, 2)};
    const size_t rows = (size_t)m->problem->rows;
    int32_t at = 0;
    memset(m->seen, 0, m->problem->count * sizeof *m->seen);
    for (size_t j = 0; j < m->problem->count; j++) {
        size_t count = find_near(m, j);
        for (size_t t = 0; t < rows; t++) {
            for (size_t i = 0; i < rows * count; i++) {
                size_t other = (size_t)m->near[i / rows];
                w->row[at] = (int32_t)(rows * other + i % rows);
                w->x[at++] = product(&part[i % rows], other, &part[t], j);
            }
            w->begin[rows * j + t + 1] = at;
        }
    }
}

ts_status ts_fclib_local(const ts_problem *p, ts_arena *memory, ts_fclib_matrix *w, double **q, bool *fits,
                         ts_error *error)
{
    meeting m;
    const size_t rows = (size_t)p->rows, numbers = rows * p->count;
    size_t entries = 0;
    if (!make_meeting(&m, p, memory))
        return ts_fail_memory(error, 5 * p->count * sizeof(int32_t));
    *fits = true;
    for (size_t k = 0; *fits && k < p->count; k++) {
        entries += rows * rows * find_near(&m, k);
        *fits = entries <= entries_most;
    }
    if (!*fits)
        return TS_OK;
    *q = ts_arena_alloc(memory, numbers, sizeof **q);
    if (!*q || !ts_fclib_matrix_make(memory, numbers, numbers, entries, w))
        return ts_fail_memory(error, entries * (sizeof(double) + sizeof(int32_t)));
    fill(&m, w);
    for (size_t d = 0; d < rows; d++) {
        ts_rows along = ts_problem_along(p, (int)d);
        along.drift = d == 0 ? NULL : along.drift;
        for (size_t k = 0; k < p->count; k++)
            (*q)[rows * k + d] = ts_rows_rate(&along, k, p->w) + (d == 0 ? ts_problem_shift(p, k) : 0);
    }
    return TS_OK;
}
