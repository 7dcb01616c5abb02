/* SPDX-License-Identifier: MIT */
#include "body/spring.h"

ts_spring_law ts_spring_law_at(const ts_spring *spring, double stretch)
{
    const double k = spring->stiffness, x = stretch;
    if (spring->kind == TS_SPRING_CUBIC)
        return (ts_spring_law){0.25 * k * x * x * x * x, k * x * x * x, 3 * k * x * x};
    return (ts_spring_law){0.5 * k * x * x, k * x, k};
}

/* The pull along the line from one anchor to the other. */
static ts_pull pull_between(const ts_spring *spring, ts_vec3 point_a, ts_vec3 point_b)
{
    ts_vec3 way = ts_vec3_sub(point_b, point_a);
    double length = ts_vec3_length(way), stretch = length - spring->rest;
    ts_pull pull = {.point_a = point_a, .point_b = point_b, .energy = 0.5 * spring->stiffness * stretch * stretch};
    /* ends that coincide pull nowhere: no direction is the right one */
    if (length > 0)
        pull.force = ts_vec3_scale(way, spring->stiffness * (stretch / length));
    if (spring->kind == TS_SPRING_CUBIC) { /* by the pull of a linear one */
        double x2 = 2 * pull.energy / spring->stiffness;
        pull.force = ts_vec3_scale(pull.force, x2);
        pull.energy *= 0.5 * x2;
    }
    return pull;
}

ts_pull ts_spring_pull(const ts_spring *spring, ts_pose3 a, ts_pose3 b)
{
    return pull_between(spring, ts_pose3_apply(a, spring->anchor_a), ts_pose3_apply(b, spring->anchor_b));
}

static ts_vec3 anchor_in_plane(const ts_body *body, ts_vec3 anchor, double ahead)
{
    ts_pose2 pose = {body->x + ahead * body->vx, body->y + ahead * body->vy, body->angle + ahead * body->spin};
    ts_vec2 p = ts_pose2_apply(pose, (ts_vec2){anchor.x, anchor.y});
    return (ts_vec3){p.x, p.y, 0};
}

ts_pull ts_spring_pull_in_plane(const ts_spring *spring, const ts_body *body, double ahead)
{
    ts_vec3 a = spring->a >= 0 ? anchor_in_plane(&body[spring->a], spring->anchor_a, ahead) : spring->anchor_a;
    return pull_between(spring, a, anchor_in_plane(&body[spring->b], spring->anchor_b, ahead));
}
