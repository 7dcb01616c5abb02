/* SPDX-License-Identifier: MIT */
/* Records from fields, four at a time. See query.h and touchstone/map.h.
 *
 * With d = x_B - x_A, n the normal, t the tangent (n turned by +90°) and m the common contact point:
 *
 *     turn_a = -turn_b - slope d × n           arm_b = arm_a - d · n           closed here, whatever the field's errors
 *
 *     m - x_B = arm_b n + lever t              turn_b = (m - x_B) × slope n = -slope lever, so that both turns are those of a force
 *                                              along n at m
 *
 * Where two places push against each other the slope is small, and that lever would lie far outside of B: it is cut at
 * B's radius. Where the slope is 0 there is no normal at all; the line of centres stands in for it, and the lever is
 * 0. */
#include "cspace/query.h"

#include "base/kernel.h"
#include "base/simd_trig.h"

/* ---- Relative poses ---- */

TS_SIMD void relative4(double unit, const ts_map_pose *pose, size_t i, ts_fields *fields, ts_query_frame *frame)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0);
    ts_f64x4 ax = ts_f64x4_load(pose[0].a), ay = ts_f64x4_load(pose[1].a);
    ts_f64x4 angle_a = ts_f64x4_load(pose[2].a), unused = ts_f64x4_load(pose[3].a);
    ts_f64x4 bx = ts_f64x4_load(pose[0].b), by = ts_f64x4_load(pose[1].b);
    ts_f64x4 angle_b = ts_f64x4_load(pose[2].b), scale = ts_f64x4_load(pose[3].b);
    ts_f64x4_transpose(&ax, &ay, &angle_a, &unused);
    ts_f64x4_transpose(&bx, &by, &angle_b, &scale);
    scale = ts_f64x4_select((ts_i64x4)(scale == 0.0), ts_f64x4_broadcast(1), scale); /* not given: as they are */
    ts_f64x4 length = unit * scale, per_length = 1.0 / length, dx = bx - ax, dy = by - ay, c, s;
    ts_f64x4_sincos(angle_a, &s, &c);
    ts_f64x4 x = (c * dx + s * dy) * per_length, y = (c * dy - s * dx) * per_length, angle = angle_b - angle_a;
    /* a field is never asked about a pose that is no pose */
    ts_f64x4 size = ts_f64x4_abs(x) + ts_f64x4_abs(y) + ts_f64x4_abs(angle);
    ts_i64x4 good =
        (ts_i64x4)(size < (double)INFINITY) & (ts_i64x4)(scale > 0.0) & (ts_i64x4)(scale < (double)INFINITY);
    ts_f64x4_store(fields->x + i, ts_f64x4_select(good, x, zero));
    ts_f64x4_store(fields->y + i, ts_f64x4_select(good, y, zero));
    ts_f64x4_store(fields->angle + i, ts_f64x4_select(good, angle, zero));
    ts_f64x4_store(frame->cosine + i, c);
    ts_f64x4_store(frame->sine + i, s);
    ts_f64x4_store(frame->across_x + i, dx);
    ts_f64x4_store(frame->across_y + i, dy);
    ts_f64x4_store(frame->length + i, length);
    ts_f64x4_store(frame->bad + i, ts_f64x4_select(good, zero, ts_f64x4_broadcast((double)NAN)));
}

/* The last few stand in a vector of their own, filled up with copies. */
static void relative(double unit, size_t count, const ts_map_pose *pose, ts_fields *fields, ts_query_frame *frame)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        relative4(unit, pose + i, i, fields, frame);
    if (i == count)
        return;
    ts_map_pose last[4];
    for (size_t k = 0; k < 4; k++)
        last[k] = pose[i + k < count ? i + k : count - 1];
    relative4(unit, last, i, fields, frame);
}

/* ---- Records ---- */

/* Four columns into four records, from `first` of each on. */
TS_SIMD void store_columns(ts_map_contact *to, size_t first, ts_f64x4 a, ts_f64x4 b, ts_f64x4 c, ts_f64x4 d)
{
    ts_f64x4_transpose(&a, &b, &c, &d);
    ts_f64x4_store((double *)&to[0] + first, a);
    ts_f64x4_store((double *)&to[1] + first, b);
    ts_f64x4_store((double *)&to[2] + first, c);
    ts_f64x4_store((double *)&to[3] + first, d);
}
_Static_assert(sizeof(ts_map_contact) == 12 * sizeof(double), "three rows of four");
_Static_assert(sizeof(ts_map_pose) == 7 * sizeof(double), "a load from b reaches the scale");

TS_SIMD void records4(double radius_b, const ts_map_pose *pose, size_t i, const ts_fields *fields,
                      const ts_query_frame *frame, ts_map_contact *contact)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), one = ts_f64x4_broadcast(1);
    ts_f64x4 c = ts_f64x4_load(frame->cosine + i), s = ts_f64x4_load(frame->sine + i);
    ts_f64x4 dx = ts_f64x4_load(frame->across_x + i), dy = ts_f64x4_load(frame->across_y + i);
    ts_f64x4 length = ts_f64x4_load(frame->length + i), bad = ts_f64x4_load(frame->bad + i);
    ts_f64x4 gx = ts_f64x4_load(fields->gx + i), gy = ts_f64x4_load(fields->gy + i);
    ts_f64x4 gap = ts_f64x4_load(fields->gap + i) * length + bad;
    ts_f64x4 bx = ts_f64x4_make(pose[0].b[0], pose[1].b[0], pose[2].b[0], pose[3].b[0]);
    ts_f64x4 by = ts_f64x4_make(pose[0].b[1], pose[1].b[1], pose[2].b[1], pose[3].b[1]);

    /* the normal: the gradient's direction in the world, or else that of the centres, or else x */
    ts_f64x4 slope = ts_f64x4_sqrt(gx * gx + gy * gy) + bad;
    ts_i64x4 steep = (ts_i64x4)(slope > 0.0);
    ts_f64x4 vx = ts_f64x4_select(steep, c * gx - s * gy, dx), vy = ts_f64x4_select(steep, s * gx + c * gy, dy);
    ts_f64x4 size = ts_f64x4_select(steep, slope, ts_f64x4_sqrt(dx * dx + dy * dy));
    ts_i64x4 none = (ts_i64x4)(size == 0.0);
    ts_f64x4 per_size = 1.0 / size;
    ts_f64x4 nx = ts_f64x4_select(none, one, vx * per_size) + bad,
             ny = ts_f64x4_select(none, zero, vy * per_size) + bad;

    ts_f64x4 along = dx * nx + dy * ny;
    ts_f64x4 turn_b = ts_f64x4_load(fields->gangle + i) * length + bad;
    ts_f64x4 turn_a = -turn_b - slope * (dx * ny - dy * nx);
    ts_f64x4 arm_a = ts_f64x4_load(fields->arm + i) * length, arm_b = arm_a - along;
    ts_f64x4 radius = radius_b * length;
    ts_f64x4 lever = ts_f64x4_select(steep, -turn_b / slope, zero);
    lever = ts_f64x4_min(ts_f64x4_max(lever, -radius), radius);
    ts_f64x4 mx = bx + (arm_b * nx - lever * ny), my = by + (arm_b * ny + lever * nx);
    ts_f64x4 hx = 0.5 * gap * nx, hy = 0.5 * gap * ny;
    store_columns(contact, 0, gap, nx, ny, slope);
    store_columns(contact, 4, turn_a, turn_b, arm_a + bad, arm_b + bad);
    store_columns(contact, 8, mx - hx, my - hy, mx + hx, my + hy);
}

static void records(double radius_b, size_t count, const ts_map_pose *pose, const ts_fields *fields,
                    const ts_query_frame *frame, ts_map_contact *contact)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        records4(radius_b, pose + i, i, fields, frame, contact + i);
    if (i == count)
        return;
    ts_map_pose last[4];
    ts_map_contact made[4];
    for (size_t k = 0; k < 4; k++)
        last[k] = pose[i + k < count ? i + k : count - 1];
    records4(radius_b, last, i, fields, frame, made);
    for (size_t k = i; k < count; k++)
        contact[k] = made[k - i];
}

extern const ts_query_kernels TS_KERNEL(ts_query);
const ts_query_kernels TS_KERNEL(ts_query) = {relative, records};
