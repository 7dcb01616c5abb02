/* SPDX-License-Identifier: MIT */
/* Walls, bodies and contacts of a frame, to bytes and from untrusted bytes. */
#include <math.h>

#include "record/trajectory_format.h"

/* An attitude's length may be off by rounding, not by more. */
static const double unit_tolerance = 1e-6;

void ts_record_pose(ts_archive *a, ts_pose3 *pose)
{
    ts_vec3 *p = &pose->position;
    ts_quat *q = &pose->quat;
    ts_archive_each(a, (double *const[]){&p->x, &p->y, &p->z, &q->w, &q->x, &q->y, &q->z}, 7);
    /* whatever rounding it has is left as it is */
    a->sane = a->sane && fabs(ts_quat_dot(*q, *q) - 1) <= 2 * unit_tolerance;
}

void ts_record_pose_space(ts_archive *a, ts_pose3 *pose, double *angle)
{
    (void)angle;
    ts_record_pose(a, pose);
}

void ts_record_pose_plane(ts_archive *a, ts_pose3 *pose, double *angle)
{
    ts_archive_each(a, (double *const[]){&pose->position.x, &pose->position.y, angle}, 3);
    if (!a->to)
        pose->quat = (ts_quat){cos(0.5 * *angle), 0, 0, sin(0.5 * *angle)};
}

void ts_record_wall(ts_archive *a, const ts_record_kind *kind, ts_frame_wall *wall)
{
    kind->pose(a, &wall->pose, &wall->angle);
    ts_archive_flag(a, &wall->present);
}

void ts_record_body(ts_archive *a, const ts_record_kind *kind, bool gates, ts_frame_body *body)
{
    kind->pose(a, &body->pose, &body->angle);
    ts_archive_f32(a, body->velocity, kind->axes);
    ts_archive_f32(a, body->spin + 3 - kind->turns, kind->turns);
    if (gates)
        ts_archive_flag(a, &body->present);
    else
        body->present = true;
}

void ts_record_contact(ts_archive *a, const ts_record_kind *kind, bool weights, ts_frame_contact *c)
{
    ts_archive_i64(a, &c->a);
    ts_archive_i64(a, &c->b);
    ts_archive_u64(a, &c->key);
    ts_archive_f64(a, c->point, kind->axes);
    ts_archive_f32(a, &c->gap, 1);
    ts_archive_f32(a, c->normal, kind->axes);
    ts_archive_f32(a, c->force, kind->axes);
    if (kind->weighs)
        ts_archive_f32(a, &c->spring, 1);
    if (kind->weighs || weights)
        ts_archive_f32(a, &c->weight, 1);
    else
        c->weight = 1;
}
