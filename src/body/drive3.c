/* SPDX-License-Identifier: MIT */
#include "body/drive3.h"

ts_pose3 ts_motion3_pose(const ts_motion3 *motion, ts_pose3 rest, double time)
{
    const ts_pose2 origin = {0, 0, 0};
    ts_pose2 across = ts_motion_pose(&motion->across, origin, time);
    ts_vec3 d = {across.x, across.y, ts_motion_pose(&motion->along, origin, time).x};
    if (across.angle == 0) /* not by way of the pivot, which would round */
        return (ts_pose3){ts_vec3_add(rest.position, d), rest.quat};
    ts_quat turn = ts_quat_from_axis_angle(motion->axis, across.angle);
    ts_vec3 arm = ts_quat_apply(turn, ts_vec3_sub(rest.position, motion->pivot));
    return (ts_pose3){ts_vec3_add(ts_vec3_add(motion->pivot, d), arm), ts_quat_unit(ts_quat_mul(turn, rest.quat))};
}

void ts_motion3_velocity(const ts_motion3 *motion, ts_pose3 rest, double time, double step, ts_vec3 *linear,
                         ts_vec3 *angular)
{
    ts_pose3 from = ts_motion3_pose(motion, rest, time), to = ts_motion3_pose(motion, rest, time + step);
    *linear = ts_vec3_scale(ts_vec3_sub(to.position, from.position), 1 / step);
    *angular = ts_vec3_scale(ts_quat_log(ts_quat_mul(to.quat, ts_quat_conjugate(from.quat))), 1 / step);
}
