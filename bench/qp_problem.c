/* SPDX-License-Identifier: MIT */
#include "qp_problem.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"

typedef struct maker {
    const ts_qp_pile *pile;
    ts_qp_problem *p;
    double *place;
    size_t count;
    double weight; /* 1 / √mass */
} maker;

static void add(maker *m, int32_t a, int32_t b, double nx, double ny)
{
    ts_qp_problem *p = m->p;
    size_t i = m->count++;
    p->a[i] = a;
    p->b[i] = b;
    double n[2] = {nx, ny};
    p->linear[i] = 0;
    for (int k = 0; k < 2; k++) {
        p->ga[2 * i + (size_t)k] = a >= 0 ? -m->weight * n[k] : 0;
        p->gb[2 * i + (size_t)k] = m->weight * n[k];
        if (a >= 0)
            p->linear[i] += p->ga[2 * i + (size_t)k] * p->velocity[2 * a + k];
        p->linear[i] += p->gb[2 * i + (size_t)k] * p->velocity[2 * b + k];
    }
}

static void touch(maker *m, int32_t a, int32_t b)
{
    double x = m->place[2 * b] - m->place[2 * a], y = m->place[2 * b + 1] - m->place[2 * a + 1],
           r = sqrt(x * x + y * y);
    add(m, a, b, x / r, y / r);
}

static void stack(maker *m, int32_t wide, int32_t high)
{
    /* row j has `wide` discs, shifted by one radius in every other row */
    for (int32_t j = 0; j < high; j++)
        for (int32_t i = 0; i < wide; i++) {
            int32_t k = j * wide + i, shift = j & 1;
            if (j == 0)
                add(m, -1, k, 0, 1);
            if (i == 0 && !shift && !m->pile->open)
                add(m, -1, k, 1, 0);
            if (i == wide - 1 && shift && !m->pile->open)
                add(m, -1, k, -1, 0);
            if (i + 1 < wide)
                touch(m, k, k + 1);
            if (j + 1 < high) {
                int32_t left = k + wide - 1 + shift;
                if (i > 0 || shift)
                    touch(m, k, left);
                if (i + 1 < wide || !shift)
                    touch(m, k, left + 1);
            }
        }
}

ts_status ts_qp_problem_pile(const ts_qp_pile *pile, ts_qp_problem *problem, ts_error *error)
{
    double aspect = pile->aspect > 0 ? pile->aspect : 1, jitter = pile->jitter > 0 ? pile->jitter : 0.003;
    double gravity = pile->gravity > 0 ? pile->gravity : 0.1, root = sqrt(pile->mass > 0 ? pile->mass : 1);
    double discs = fmax(1, (double)pile->rows / 3);
    int32_t high = (int32_t)fmax(1, sqrt(discs / aspect * 2 / sqrt(3)) + 0.5),
            wide = (int32_t)fmax(1, discs / high + 0.5);
    size_t n = (size_t)wide * (size_t)high, rows = 3 * n + (size_t)wide + (size_t)high;
    *problem = (ts_qp_problem){0};
    double *place = ts_alloc_raw(2 * n, sizeof *place);
    problem->a = ts_alloc_raw(rows, sizeof *problem->a);
    problem->b = ts_alloc_raw(rows, sizeof *problem->b);
    problem->ga = ts_alloc_raw(2 * rows, sizeof *problem->ga);
    problem->gb = ts_alloc_raw(2 * rows, sizeof *problem->gb);
    problem->linear = ts_alloc_raw(rows, sizeof *problem->linear);
    problem->velocity = ts_alloc_raw(2 * n, sizeof *problem->velocity);
    if (!place || !problem->a || !problem->b || !problem->ga || !problem->gb || !problem->linear ||
        !problem->velocity) {
        ts_free(place);
        ts_qp_problem_free(problem);
        return ts_fail_memory(error, 0);
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = k % (size_t)wide, j = k / (size_t)wide;
        place[2 * k] = 2 * (double)i + (double)(j & 1) + jitter * ts_random_normal(pile->seed, 0, 2 * k);
        place[2 * k + 1] = sqrt(3) * (double)j + jitter * ts_random_normal(pile->seed, 0, 2 * k + 1);
        double noise = pile->noise * gravity;
        problem->velocity[2 * k] = root * noise * ts_random_normal(pile->seed, 1, 2 * k);
        problem->velocity[2 * k + 1] = root * (noise * ts_random_normal(pile->seed, 1, 2 * k + 1) - gravity);
    }
    maker m = {pile, problem, place, 0, 1 / root};
    stack(&m, wide, high);
    ts_free(place);
    problem->qp = (ts_qp){.count = m.count,
                          .block_count = n,
                          .dof = 2,
                          .a = problem->a,
                          .b = problem->b,
                          .ga = problem->ga,
                          .gb = problem->gb,
                          .linear = problem->linear};
    return TS_OK;
}

void ts_qp_problem_free(ts_qp_problem *problem)
{
    ts_free(problem->a);
    ts_free(problem->b);
    ts_free(problem->ga);
    ts_free(problem->gb);
    ts_free(problem->linear);
    ts_free(problem->velocity);
    *problem = (ts_qp_problem){0};
}
