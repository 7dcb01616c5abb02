/* SPDX-License-Identifier: MIT */
#include "shape/fit_reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shape/fit_eigen.h"

enum { REMOVALS = 3, MERGERS = 5, TRIAL_STEPS = 4, STEPS_AFTER = 3 };

/* What may be done: `other` < 0: `index` goes. */
typedef struct change {
    int index, other;
    double cost;
} change;

static int compare(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->index != y->index ? x->index - y->index : x->other - y->other;
}

/* Second moments of the ellipsoid of the same half axes, about `about`, times its volume. */
static ts_mat3 moment_of(const ts_primitive *p, ts_vec3 about, double volume)
{
    const ts_mat3 turn = ts_quat_to_matrix(p->pose.quat);
    const ts_mat3 own = ts_mat3_diagonal(ts_vec3_scale(ts_vec3_times(p->size, p->size), 0.2));
    const ts_vec3 d = ts_vec3_sub(p->pose.position, about);
    const ts_mat3 sum = ts_mat3_add(ts_mat3_mul(turn, ts_mat3_mul(own, ts_mat3_transpose(turn))), ts_mat3_outer(d, d));
    return ts_mat3_scale(sum, volume);
}

/* One with the moments of both. */
static ts_primitive merged(const ts_primitive *a, const ts_primitive *b, const ts_fit_bounds *bounds)
{
    const double va = a->size.x * a->size.y * a->size.z, vb = b->size.x * b->size.y * b->size.z, all = va + vb;
    const ts_vec3 middle = ts_vec3_lerp(a->pose.position, b->pose.position, vb / all);
    const ts_mat3 moment = ts_mat3_add(moment_of(a, middle, va / all), moment_of(b, middle, vb / all));
    double value[3], size[3];
    ts_mat3 axes;
    ts_fit_diagonalise(moment, value, &axes);
    for (int k = 0; k < 3; k++)
        size[k] = fmin(fmax(sqrt(fmax(5 * value[k], 0)), bounds->size[0]), bounds->size[1]);
    return (ts_primitive){.kind = TS_PRIMITIVE_SUPERQUADRIC,
                          .pose = {middle, ts_quat_from_matrix(axes)},
                          .size = ts_vec3_of(size),
                          .exponent = {0.8, 0.8}};
}

static void drop(ts_fit_list *list, int index)
{
    list->count--;
    memmove(&list->item[index], &list->item[index + 1], (size_t)(list->count - index) * sizeof list->item[0]);
}

/* Makes the change and polishes what it touches. */
static double make_change(ts_fit_polish *polish, const change *c)
{
    ts_fit_list *list = &polish->fit->list;
    bool free[TS_FIT_COUNT_MAX] = {false};
    bool near[TS_FIT_COUNT_MAX] = {false};
    for (int i = 0; i < list->count; i++)
        near[i] = ts_fit_polish_meet(polish, i, c->index) || (c->other >= 0 && ts_fit_polish_meet(polish, i, c->other));
    if (c->other >= 0) {
        list->item[c->other] = merged(&list->item[c->index], &list->item[c->other], &polish->fit->bounds);
        near[c->other] = true;
    }
    drop(list, c->index);
    for (int i = 0; i < list->count; i++)
        free[i] = near[i + (i >= c->index)];
    return ts_fit_polish_run(polish, free, TRIAL_STEPS);
}

/* The cheapest removals, and mergers of those that could go most cheaply with a neighbour. */
static int candidates(const ts_fit_polish *polish, double cost, change *to)
{
    const int count = polish->fit->list.count;
    change removal[TS_FIT_COUNT_MAX] = {{0}};
    int found = 0;
    for (int i = 0; i < count; i++)
        removal[i] = (change){i, -1, ts_fit_polish_cost_without(polish, i)};
    qsort(removal, (size_t)count, sizeof *removal, compare);
    for (int i = 0; i < count && i < REMOVALS; i++)
        to[found++] = removal[i];
    if (removal[0].cost < 1.01 * cost)
        return 1; /* nobody would miss it */
    int mergers = 0;
    for (int high = 1; high < count && mergers < MERGERS; high++)
        for (int low = 0; low < high && mergers < MERGERS; low++)
            if (ts_fit_polish_meet(polish, removal[low].index, removal[high].index)) {
                to[found++] = (change){removal[low].index, removal[high].index, 0};
                mergers++;
            }
    return found;
}

ts_status ts_fit_reduce(ts_fit_polish *polish, double *cost, ts_error *error)
{
    change option[REMOVALS + MERGERS] = {{0}};
    ts_fit_list *list = &polish->fit->list;
    TS_AUTO_FREE ts_fit_list *saved = NULL;
    TS_TRY(ts_new_raw(&saved, 2, error));
    ts_fit_list *old = &saved[0], *best = &saved[1];
    *old = *list;
    const double before = ts_fit_polish_run(polish, NULL, 1);
    *old = *list;
    double least = HUGE_VAL;
    const int count = candidates(polish, before, option);
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            *list = *old;
            ts_fit_polish_refresh(polish);
        }
        const double reached = make_change(polish, &option[i]);
        if (reached < least) {
            least = reached;
            *best = *list;
        }
    }
    *list = *best;
    *cost = ts_fit_polish_run(polish, NULL, STEPS_AFTER);
    return TS_OK;
}

double ts_fit_drop_idle(ts_fit_polish *polish)
{
    ts_fit_list *list = &polish->fit->list;
    double cost = ts_fit_polish_refresh(polish);
    for (int i = list->count; i-- > 0 && list->count > 1;)
        if (ts_fit_polish_cost_without(polish, i) <= cost) {
            drop(list, i);
            cost = ts_fit_polish_refresh(polish);
        }
    return cost;
}
