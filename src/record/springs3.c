/* SPDX-License-Identifier: MIT */
#include "record/springs3.h"

#include <math.h>

/* Of the smaller body's bounding radius. */
static const double width_share = 0.25;

static bool end_of(const ts_frame *frame, int32_t body, ts_vec3 anchor, ts_vec3 *end)
{
    *end = body < 0 ? anchor : ts_pose3_apply(frame->body[body].pose, anchor);
    return ts_vec3_is_finite(*end) && (body < 0 || frame->body[body].present);
}

bool ts_springs3_ends(const ts_trajectory_header *header, const ts_frame *frame, size_t spring, ts_vec3 end[2])
{
    const ts_spring *s = &header->spring[spring];
    bool there_a = end_of(frame, s->a, s->anchor_a, &end[0]), there_b = end_of(frame, s->b, s->anchor_b, &end[1]);
    return there_a && there_b;
}

double ts_springs3_width(const ts_trajectory_header *header, size_t spring)
{
    const ts_spring *s = &header->spring[spring];
    double radius = header->body[s->b].radius;
    if (s->a >= 0)
        radius = fmin(radius, header->body[s->a].radius);
    return width_share * radius;
}

ts_pose3 ts_springs3_pose(ts_vec3 a, ts_vec3 b)
{
    const ts_vec3 z = {0, 0, 1}, along = ts_vec3_unit(ts_vec3_sub(b, a)), axis = ts_vec3_cross(z, along);
    const double sine = ts_vec3_length(axis);
    ts_pose3 pose = {ts_vec3_lerp(a, b, 0.5), ts_quat_identity()};
    if (sine > 0) /* straight down is as good as straight up */
        pose.quat = ts_quat_from_axis_angle(axis, atan2(sine, along.z));
    return pose;
}
