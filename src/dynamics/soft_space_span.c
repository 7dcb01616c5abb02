/* SPDX-License-Identifier: MIT */
/* Soft-step in space: how often places are found, and for which list of pairs. */
#include <math.h>

#include "dynamics/soft.h"
#include "dynamics/soft_space_parts.h"

/* What is looked for, of what the closest look needs: a heap at rest has few places that may close. */
static const double reach_level[] = {1.0 / 64, 1.0 / 16, 1.0 / 4, 1};
/* At least, of the farthest reach of all pairs. */
static const double least_reach = 0.25;
/* How much farther places may go than they do by themselves. */
static const double margin = 1.5;
/* How far apart pairs are listed where bodies are quick, in ways. */
static const double far_ways = 4;
/* A list for places this many times as far off as needed is made anew: it is long. */
static const double reach_most = 8;

/* A bound of the speeds of a frame's points, as far as they matter to others. */
static double fastest_point(const ts_soft3 *m, size_t frame)
{
    const ts_soft3_velocity *v = &m->velocity[frame];
    const double spin = ts_vec3_length((ts_vec3){v->wx, v->wy, v->wz}),
                 speed = ts_vec3_length((ts_vec3){v->x, v->y, v->z});
    if (!(spin > 0) || m->list.place[frame].radius > 0)
        return speed;
    double radius = m->list.radius[frame];
    if (isinf(radius)) { /* as far as bodies are */
        radius = 0;
        for (size_t i = 0; i < m->list.body_count; i++)
            radius = fmax(radius, m->list.radius[i] + ts_vec3_distance(ts_soft3_pose_of(m, (int32_t)i).position,
                                                                       ts_soft3_pose_of(m, (int32_t)frame).position));
    }
    return speed + spin * radius;
}

static double mean_speed(const ts_soft3 *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->list.body_count; i++) {
        const ts_soft3_velocity *v = &m->velocity[i];
        sum += v->x * v->x + v->y * v->y + v->z * v->z;
    }
    return sqrt(sum / (double)(m->list.body_count > 0 ? m->list.body_count : 1));
}

ts_status ts_soft3_list(ts_soft3 *m, ts_workspace *work, double reach, ts_error *error)
{
    if (ts_verlet3_holds(&m->list, HUGE_VAL) && reach <= m->list.reach && m->list.reach <= reach_most * reach)
        return TS_OK;
    m->list.reach = reach;
    work->rebuild_count++;
    return ts_verlet3_make(&m->list, work->pool, mean_speed(m) * work->model->settings.time_step, error);
}

double ts_soft3_fastest(const ts_soft3 *m)
{
    double first = 0, second = 0;
    for (size_t f = 0; f < m->list.frame_count; f++) {
        const double speed = fastest_point(m, f);
        second = fmax(second, fmin(first, speed));
        first = fmax(first, speed);
    }
    return first + second;
}

ts_status ts_soft3_span(const ts_model *model, ts_workspace *work, int64_t left, double h, int64_t *span,
                        ts_soft3_reach *reach, ts_error *error)
{
    ts_soft3 *m = work->own;
    const double way = ts_soft_param_of(model)->way, far = far_ways * way;
    double speed = ts_soft3_fastest(m);
    *span = left;
    const bool quick = ts_soft_way(model, speed, (double)left * h) > way;
    if (quick) {
        while (*span > 1 && ts_soft_way(model, speed, (double)*span * h) > far)
            --*span;
        TS_TRY(ts_soft3_list(m, work, far, error));
        speed = ts_soft3_approach(m, far);
        while (*span > 1 && ts_soft_way(model, speed, (double)*span * h) > way)
            --*span;
    }
    const double time = (double)*span * h, need = margin * ts_soft_way(model, speed, time);
    const size_t levels = sizeof reach_level / sizeof *reach_level;
    size_t level = 0;
    while (level + 1 < levels && reach_level[level] * model->reach < need)
        level++;
    const double most = reach_level[level] * model->reach;
    *reach = (ts_soft3_reach){fmax(reach_level[0] * model->reach, least_reach * most), most, margin * time,
                              margin * ts_soft_way(model, 0, time)};
    return quick ? TS_OK : ts_soft3_list(m, work, most, error);
}

ts_status ts_soft3_list_now(ts_soft3 *m, ts_workspace *work, double *reach, ts_error *error)
{
    *reach = reach_level[0] * work->model->reach;
    return ts_soft3_list(m, work, *reach, error);
}

/* A bound of the way of a body's points. */
static double way_of(const ts_body3 *from, const ts_body3 *to)
{
    double way = 0, turn = 0, back = 0;
    for (int k = 0; k < 3; k++)
        way += (to->position[k] - from->position[k]) * (to->position[k] - from->position[k]);
    for (int k = 0; k < 4; k++) {
        turn += (to->attitude[k] - from->attitude[k]) * (to->attitude[k] - from->attitude[k]);
        back += (to->attitude[k] + from->attitude[k]) * (to->attitude[k] + from->attitude[k]);
    }
    /* two unit quaternions at a distance of d are an angle of 4 asin(d/2) apart */
    return sqrt(way) + 2.5 * sqrt(fmin(turn, back)) * to->radius;
}

double ts_soft3_gone(const ts_soft3 *m, const ts_model *model, const ts_state *state)
{
    double most = 0, driven = 0;
    for (size_t i = 0; i < model->body_count; i++) {
        const double way = way_of(&m->saved[i], &state->body3[i]);
        most = way > most ? way : most;
    }
    for (size_t f = m->list.body_count; f < m->list.frame_count; f++)
        driven = fmax(driven, fastest_point(m, f));
    return 2 * most + driven * model->settings.time_step;
}
