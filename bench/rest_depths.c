/* SPDX-License-Identifier: MIT */
#include "rest_depths.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"

#define PARALLEL 1e-9 /* edges whose cross product is shorter have no axis of their own */

/* ---- Two pieces ---- */

typedef struct range {
    double low, high;
} range;

static range range_along(ts_vec3 axis, const ts_vec3 *point, size_t count)
{
    range r = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const double at = ts_vec3_dot(axis, point[i]);
        r.low = fmin(r.low, at);
        r.high = fmax(r.high, at);
    }
    return r;
}

/* Takes one more axis into account; false: it parts the two. */
static bool try_axis(ts_vec3 axis, const ts_convex *a, const ts_convex *b, double *depth)
{
    const range ra = range_along(axis, a->point, a->point_count), rb = range_along(axis, b->point, b->point_count);
    *depth = fmin(*depth, fmin(ra.high - rb.low, rb.high - ra.low));
    return *depth > 0;
}

/* In A's frame: B's vectors turned, its points placed. */
static ts_convex placed(const ts_convex *b, ts_pose3 at)
{
    const ts_mat3 turn = ts_quat_to_matrix(at.quat);
    ts_convex to = {.point_count = b->point_count,
                    .normal_count = b->normal_count,
                    .edge_count = b->edge_count,
                    .radius = b->radius};
    for (size_t i = 0; i < b->point_count; i++)
        to.point[i] = ts_vec3_add(ts_mat3_apply(turn, b->point[i]), at.position);
    for (size_t i = 0; i < b->normal_count; i++)
        to.normal[i] = ts_mat3_apply(turn, b->normal[i]);
    for (size_t i = 0; i < b->edge_count; i++)
        to.edge[i] = ts_mat3_apply(turn, b->edge[i]);
    return to;
}

static double depth_of_placed(const ts_convex *a, const ts_convex *b)
{
    double depth = HUGE_VAL;
    if (a->radius > 0 || b->radius > 0)
        return fmax(0, a->radius + b->radius - ts_vec3_distance(a->point[0], b->point[0]));
    for (size_t i = 0; i < a->normal_count; i++)
        if (!try_axis(a->normal[i], a, b, &depth))
            return 0;
    for (size_t i = 0; i < b->normal_count; i++)
        if (!try_axis(b->normal[i], a, b, &depth))
            return 0;
    for (size_t i = 0; i < a->edge_count; i++)
        for (size_t j = 0; j < b->edge_count; j++) {
            const ts_vec3 axis = ts_vec3_cross(a->edge[i], b->edge[j]);
            const double length = ts_vec3_length(axis);
            if (length > PARALLEL && !try_axis(ts_vec3_scale(axis, 1 / length), a, b, &depth))
                return 0;
        }
    return depth;
}

static ts_pose3 seen_from(ts_pose3 a, ts_pose3 b)
{
    return (ts_pose3){ts_pose3_apply_inverse(a, b.position), ts_quat_mul(ts_quat_conjugate(a.quat), b.quat)};
}

double ts_convex_depth(const ts_convex *a, ts_pose3 at_a, const ts_convex *b, ts_pose3 at_b)
{
    const ts_convex near = placed(b, seen_from(at_a, at_b));
    return depth_of_placed(a, &near);
}

/* ---- All pairs ---- */

typedef struct sweep {
    const ts_crowd *crowd;
    const ts_pose3 *pose;
    double reach; /* of a body about its centre [m] */
    TS_ARRAY(double) depth;
} sweep;

static double reach_of(const ts_crowd *crowd)
{
    double most = 0;
    for (size_t k = 0; k < crowd->piece_count; k++)
        for (size_t i = 0; i < crowd->piece[k].point_count; i++)
            most = fmax(most, ts_vec3_length(crowd->piece[k].point[i]) + crowd->piece[k].radius);
    return most;
}

static ts_status meet(sweep *s, size_t i, size_t j, ts_error *error)
{
    const ts_crowd *c = s->crowd;
    const ts_pose3 between = seen_from(s->pose[i], s->pose[j]);
    if (ts_vec3_length(between.position) >= 2 * s->reach)
        return TS_OK;
    for (size_t q = 0; q < c->piece_count; q++) {
        const ts_convex b = placed(&c->piece[q], between);
        for (size_t p = 0; p < c->piece_count; p++) {
            const double depth = depth_of_placed(&c->piece[p], &b);
            if (depth > 0)
                TS_TRY(ts_array_push(&s->depth, depth, error));
        }
    }
    return TS_OK;
}

typedef struct spot {
    double x;
    size_t body;
} spot;

static int by_place(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->body > q->body) - (p->body < q->body);
}

/* Along x: bodies that follow within reach. */
static ts_status find_pairs(sweep *s, ts_error *error)
{
    const size_t count = s->crowd->count;
    TS_AUTO_FREE spot *order = NULL;
    TS_TRY(ts_new(&order, count, error));
    for (size_t i = 0; i < count; i++)
        order[i] = (spot){s->pose[i].position.x, i};
    qsort(order, count, sizeof *order, by_place);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && order[j].x - order[i].x < 2 * s->reach; j++)
            TS_TRY(meet(s, order[i].body, order[j].body, error));
    return TS_OK;
}

static void look_at_walls(const ts_crowd *c, const ts_pose3 *pose, ts_depths *depths)
{
    for (size_t i = 0; i < c->count; i++) {
        bool inside = true;
        for (size_t w = 0; w < c->wall_count; w++) {
            const ts_bound *wall = &c->wall[w];
            inside = inside && ts_vec3_dot(wall->normal, pose[i].position) >= wall->offset;
            for (size_t k = 0; k < c->piece_count; k++)
                for (size_t p = 0; p < c->piece[k].point_count; p++) {
                    const ts_vec3 point = ts_pose3_apply(pose[i], c->piece[k].point[p]);
                    depths->wall =
                        fmax(depths->wall, wall->offset + c->piece[k].radius - ts_vec3_dot(wall->normal, point));
                }
        }
        depths->through += !inside;
    }
}

static ts_status measure(sweep *s, ts_depths *depths, ts_error *error)
{
    TS_TRY(find_pairs(s, error));
    const size_t n = s->depth.count;
    double sum = 0;
    if (n > 0)
        qsort(s->depth.item, n, sizeof *s->depth.item, ts_ascending_f64);
    for (size_t i = 0; i < n; i++) {
        sum += s->depth.item[i];
        depths->through += s->depth.item[i] > s->crowd->thin;
    }
    depths->pairs = n;
    if (n > 0) {
        depths->mean = sum / (double)n;
        depths->most_of_99 = s->depth.item[(size_t)(0.99 * (double)(n - 1))];
        depths->most = s->depth.item[n - 1];
    }
    look_at_walls(s->crowd, s->pose, depths);
    return TS_OK;
}

ts_status ts_depths_measure(const ts_crowd *crowd, const ts_pose3 *pose, ts_depths *depths, ts_error *error)
{
    sweep s = {.crowd = crowd, .pose = pose, .reach = reach_of(crowd)};
    *depths = (ts_depths){0};
    ts_status status = measure(&s, depths, error);
    ts_array_free(&s.depth);
    return status;
}
