/* SPDX-License-Identifier: MIT */
#include "study/pile_measures.h"

#include "base/memory.h"

#define COLUMNS_OF_METRE 2 /* in which surfaces are looked at */
#define COLUMNS_MAX      1024
#define SURFACE_WIDTH    1.5 /* of a column of the slope: a grain and a bit [m] */
#define GRAIN            1.4 /* how high the largest of them are that lie on the floor [m] */

const ts_collapse_plan ts_collapse_small = {9, 38, 2.1, 3.3};
const ts_collapse_plan ts_collapse_quick = {26, 95, 6, 8};

static size_t columns_of(double width)
{
    double count = ceil(width * COLUMNS_OF_METRE);
    return count < 1 ? 1 : count > COLUMNS_MAX ? COLUMNS_MAX : (size_t)count;
}

/* Grains to a square metre, and share filled, of what lies below the surface between x0 and x1. */
static ts_status measure_density(const ts_snapshot *s, double x0, double x1, double *density, double *solid,
                                 ts_error *error)
{
    ts_region region = {x0, 0, x1, 1000, 0, 0};
    ts_pile_column column[COLUMNS_MAX];
    ts_packing packing;
    size_t count = columns_of(x1 - x0), grains = 0;
    double below = 0, width = (x1 - x0) / (double)count;
    TS_TRY(ts_measure_pile(s, &(ts_bins){&region, count, true}, column, error));
    TS_TRY(ts_measure_packing(s, &region, &packing, error));
    for (size_t k = 0; k < count; k++)
        below += isnan(column[k].mean) ? 0 : column[k].mean * column[k].cover * width;
    for (size_t i = 0; i < s->body_count; i++)
        grains += !s->body[i].fixed && s->body[i].position[0] >= x0 && s->body[i].position[0] < x1;
    *density = below > 0 ? (double)grains / below : TS_NONE;
    *solid = below > 0 ? packing.grain_volume / below : TS_NONE;
    return TS_OK;
}

static double speed_of(const ts_snapshot *s)
{
    double squares = 0, count = 0;
    for (size_t i = 0; i < s->body_count; i++)
        if (!s->body[i].fixed) {
            squares +=
                s->body[i].velocity[0] * s->body[i].velocity[0] + s->body[i].velocity[1] * s->body[i].velocity[1];
            count++;
        }
    return sqrt(squares / count / 9.81);
}

/* A triangle of height H on a base of length L, in the corner at the origin, has its centre of mass at (L/3, H/3): the
 * ratio of the two is its slope. All grains count, where a line through the surface rests on a dozen of them. */
static double wedge_of(const ts_snapshot *s)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < s->body_count; i++)
        if (!s->body[i].fixed) {
            x += s->body[i].mass * s->body[i].position[0];
            y += s->body[i].mass * s->body[i].position[1];
        }
    return atan2(y, x);
}

static ts_status measure_end(const ts_snapshot *s, const ts_collapse_plan *plan, ts_collapse *to, ts_error *error)
{
    ts_region region = {0, GRAIN, plan->far, 1000, 0, 0}; /* a grain that lies by itself on the floor is no slope */
    ts_repose repose;
    ts_front front;
    size_t count = (size_t)fmax(4, plan->far / SURFACE_WIDTH);
    TS_TRY(ts_measure_repose(s, &(ts_bins){&region, count, true}, &repose, error));
    TS_TRY(ts_measure_front(s, NULL, 0, &front, error));
    TS_TRY(ts_measure_overlaps(s, NULL, &to->overlaps, error));
    to->angle = repose.right;
    to->wedge = wedge_of(s);
    to->reach = front.right;
    to->speed = speed_of(s);
    return TS_OK;
}

static ts_status measure_then(const ts_cem_run *run, int which, const ts_collapse_plan *plan, ts_collapse *to,
                              ts_error *error)
{
    const double time[3] = {plan->opens, plan->falling, TS_NONE};
    double unused;
    TS_AUTO(ts_cem_look_end) ts_cem_look look = {0};
    TS_TRY(ts_cem_look_at(run, time[which], &look, error));
    const ts_snapshot *s = &look.snapshot;
    return which == 0   ? measure_density(s, 0, plan->width, &to->column, &unused, error)
           : which == 1 ? measure_density(s, plan->width + 1.5, plan->far, &to->front, &to->solid, error)
                        : measure_end(s, plan, to, error);
}

ts_status ts_collapse_measure(const ts_cem_run *run, const ts_collapse_plan *plan, ts_collapse *to, ts_error *error)
{
    for (int which = 0; which < 3; which++)
        TS_TRY(measure_then(run, which, plan, to, error));
    return TS_OK;
}

ts_spread ts_spread_of(const double *value, size_t count)
{
    double sum = 0, squares = 0, n = (double)count;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    for (size_t i = 0; i < count; i++)
        squares += (value[i] - sum / n) * (value[i] - sum / n);
    double deviation = count > 1 ? sqrt(squares / (n - 1)) : TS_NONE;
    return (ts_spread){sum / n, deviation, deviation / sqrt(n)};
}

ts_pooled ts_spread_pool(const ts_spread *group, size_t groups, size_t count)
{
    double square = 0;
    for (size_t k = 0; k < groups; k++)
        square += group[k].deviation * group[k].deviation / (double)groups;
    double deviation = sqrt(square);
    return (ts_pooled){deviation, 2 * deviation * sqrt(2.0 / (double)count)};
}
