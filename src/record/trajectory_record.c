/* SPDX-License-Identifier: MIT */
/* Walls, bodies and contacts of a frame, to bytes and from untrusted bytes. */
#include <math.h>

#include "record/trajectory_format.h"
#include "scene/scene.h"

/* An attitude's length may be off by rounding, not by more. */
static const double unit_tolerance = 1e-6;

ts_record_sizes ts_record_sizes_of(int dimension, bool gates)
{
    return dimension == 3 ? (ts_record_sizes){57, (size_t)80 + gates, 76}
                          : (ts_record_sizes){25, (size_t)36 + gates, 68};
}

bool ts_record_is_sane(double value)
{
    return fabs(value) <= TS_MAGNITUDE_MAX;
}

/* ---- Numbers ---- */

static void u64(ts_record *r, uint64_t *value)
{
    if (r->to)
        r->to = ts_put_u64(r->to, *value);
    else
        *value = ts_take_u64(&r->from);
}

static void flag(ts_record *r, bool *value)
{
    if (r->to)
        r->to = ts_put_u8(r->to, *value);
    else
        *value = ts_take_u8(&r->from) != 0;
}

/* In space numbers are bounded as well as finite: attitudes are products of them. */
static void f64(ts_record *r, double *value)
{
    if (r->to) {
        r->to = ts_put_f64(r->to, *value);
        return;
    }
    *value = ts_take_f64(&r->from);
    r->sane = r->sane && (r->dimension == 3 ? ts_record_is_sane(*value) : isfinite(*value));
}

static void f32(ts_record *r, float *value, int count)
{
    for (int k = 0; k < count; k++) {
        if (r->to) {
            r->to = ts_put_f32(r->to, value[k]);
            continue;
        }
        value[k] = ts_take_f32(&r->from);
        r->sane = r->sane && isfinite(value[k]);
    }
}

/* ---- Poses ---- */

void ts_record_pose(ts_record *r, ts_pose3 *pose)
{
    ts_quat *q = &pose->quat;
    double *const number[7] = {&pose->position.x, &pose->position.y, &pose->position.z, &q->w, &q->x, &q->y, &q->z};
    for (int k = 0; k < 7; k++)
        f64(r, number[k]);
    /* whatever rounding it has is left as it is */
    r->sane = r->sane && fabs(ts_quat_dot(*q, *q) - 1) <= 2 * unit_tolerance;
}

/* A pose of the plane is x, y and an angle that counts turns. */
static void pose_of(ts_record *r, ts_pose3 *pose, double *angle)
{
    if (r->dimension == 3) {
        ts_record_pose(r, pose);
        return;
    }
    f64(r, &pose->position.x);
    f64(r, &pose->position.y);
    f64(r, angle);
    if (!r->to)
        pose->quat = (ts_quat){cos(0.5 * *angle), 0, 0, sin(0.5 * *angle)};
}

/* ---- Records ---- */

void ts_record_wall(ts_record *r, ts_frame_wall *wall)
{
    pose_of(r, &wall->pose, &wall->angle);
    flag(r, &wall->present);
}

void ts_record_body(ts_record *r, ts_frame_body *body)
{
    pose_of(r, &body->pose, &body->angle);
    f32(r, body->velocity, r->dimension);
    f32(r, r->dimension == 3 ? body->spin : body->spin + 2, r->dimension == 3 ? 3 : 1);
    if (r->gates)
        flag(r, &body->present);
    else
        body->present = true;
}

void ts_record_contact(ts_record *r, ts_frame_contact *c)
{
    uint64_t a = (uint64_t)c->a, b = (uint64_t)c->b;
    u64(r, &a);
    u64(r, &b);
    c->a = (int64_t)a;
    c->b = (int64_t)b;
    u64(r, &c->key);
    for (int k = 0; k < r->dimension; k++)
        f64(r, &c->point[k]);
    f32(r, &c->gap, 1);
    f32(r, c->normal, r->dimension);
    f32(r, c->force, r->dimension);
    if (r->dimension == 3) { /* neither is recorded */
        c->weight = 1;
        return;
    }
    f32(r, &c->spring, 1);
    f32(r, &c->weight, 1);
}
