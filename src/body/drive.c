/* SPDX-License-Identifier: MIT */
/* Every kind of motion counts its time from `start`, so that moving the start moves the whole script. */
#include "body/drive.h"

/* Displacement and turn about the axis. */
typedef struct offset {
    ts_vec3 d;
    double angle;
} offset;

static ts_vec3 vec_of(const double v[3])
{
    return (ts_vec3){v[0], v[1], v[2]};
}

ts_motion ts_motion_of(const ts_drive_def *def)
{
    ts_motion motion = {.kind = def->kind,
                        .start = def->start,
                        .end = def->end,
                        .pivot = vec_of(def->pivot),
                        .axis = vec_of(def->axis)};
    switch (def->kind) { /* fields of other kinds were not checked */
    case TS_DRIVE_ROTATION:
        motion.rate = def->rate;
        break;
    case TS_DRIVE_OSCILLATION:
        motion.amplitude = vec_of(def->amplitude);
        motion.angle_amplitude = def->angle_amplitude;
        motion.frequency = def->frequency;
        motion.phase = def->phase;
        break;
    case TS_DRIVE_VELOCITY:
        motion.velocity = vec_of(def->velocity);
        break;
    case TS_DRIVE_KEYFRAMES:
    case TS_DRIVE_GATE:
        break;
    }
    return motion;
}

/* Without overflow or underflow on the way. */
static double length_of(ts_vec3 v)
{
    return hypot(hypot(v.x, v.y), v.z);
}

/* Time since the start, stopped at both ends. */
static double script_time(const ts_motion *m, double time)
{
    if (!(time > m->start))
        return 0;
    return (time < m->end ? time : m->end) - m->start;
}

static offset key_offset(const ts_keyframe *key)
{
    return (offset){vec_of(key->displacement), key->angle};
}

/* r (b - a) */
static offset change(double r, offset a, offset b)
{
    return (offset){ts_vec3_scale(ts_vec3_sub(b.d, a.d), r), r * (b.angle - a.angle)};
}

/* Velocity at keyframe i: of the chord between its neighbours; at rest at both ends. */
static offset key_velocity(const ts_motion *m, size_t i)
{
    if (i == 0 || i + 1 >= m->key_count)
        return (offset){0};
    const ts_keyframe *a = &m->key[i - 1], *b = &m->key[i + 1];
    return change(1 / (b->time - a->time), key_offset(a), key_offset(b));
}

/* The last keyframe but one that is not after `time`. */
static size_t key_segment(const ts_motion *m, double time)
{
    size_t low = 0, high = m->key_count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->key[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static offset keyframes_at(const ts_motion *m, double time)
{
    if (m->key_count == 0)
        return (offset){0};
    if (m->key_count == 1 || !(time > m->key[0].time))
        return key_offset(&m->key[0]);
    if (time >= m->key[m->key_count - 1].time)
        return key_offset(&m->key[m->key_count - 1]);
    size_t i = key_segment(m, time);
    double h = m->key[i + 1].time - m->key[i].time, s = (time - m->key[i].time) / h;
    offset p = key_offset(&m->key[i]), q = key_offset(&m->key[i + 1]), u = key_velocity(m, i),
           v = key_velocity(m, i + 1);
    /* cubic Hermite basis: p at s = 0, q at s = 1, with velocities u and v */
    double hq = s * s * (3 - 2 * s), hp = 1 - hq, hu = h * s * (1 - s) * (1 - s), hv = h * s * s * (s - 1);
    return (offset){{hp * p.d.x + hq * q.d.x + hu * u.d.x + hv * v.d.x,
                     hp * p.d.y + hq * q.d.y + hu * u.d.y + hv * v.d.y,
                     hp * p.d.z + hq * q.d.z + hu * u.d.z + hv * v.d.z},
                    hp * p.angle + hq * q.angle + hu * u.angle + hv * v.angle};
}

static offset motion_at(const ts_motion *m, double time)
{
    double t = script_time(m, time);
    switch (m->kind) {
    case TS_DRIVE_ROTATION:
        return (offset){{0, 0, 0}, m->rate * t};
    case TS_DRIVE_OSCILLATION: {
        double s = sin(2 * TS_PI * m->frequency * t + m->phase);
        return (offset){ts_vec3_scale(m->amplitude, s), m->angle_amplitude * s};
    }
    case TS_DRIVE_KEYFRAMES:
        return keyframes_at(m, t);
    case TS_DRIVE_VELOCITY:
        return (offset){ts_vec3_scale(m->velocity, t), 0};
    case TS_DRIVE_GATE:
        break;
    }
    return (offset){0};
}

ts_pose2 ts_motion_pose(const ts_motion *motion, ts_pose2 rest, double time)
{
    offset o = motion_at(motion, time);
    if (o.angle == 0) /* not by way of the pivot, which would round */
        return (ts_pose2){rest.x + o.d.x, rest.y + o.d.y, rest.angle};
    double angle = motion->axis.z < 0 ? -o.angle : o.angle;
    const ts_vec3 pivot = motion->pivot;
    ts_vec2 arm = ts_vec2_rotate((ts_vec2){rest.x - pivot.x, rest.y - pivot.y}, angle);
    return (ts_pose2){pivot.x + o.d.x + arm.x, pivot.y + o.d.y + arm.y, rest.angle + angle};
}

ts_pose3 ts_motion_pose3(const ts_motion *motion, ts_pose3 rest, double time)
{
    offset o = motion_at(motion, time);
    if (o.angle == 0) /* not by way of the pivot, which would round */
        return (ts_pose3){ts_vec3_add(rest.position, o.d), rest.quat};
    ts_quat turn = ts_quat_from_axis_angle(motion->axis, o.angle);
    ts_vec3 arm = ts_quat_apply(turn, ts_vec3_sub(rest.position, motion->pivot));
    return (ts_pose3){ts_vec3_add(ts_vec3_add(motion->pivot, o.d), arm), ts_quat_unit(ts_quat_mul(turn, rest.quat))};
}

void ts_motion_velocity(const ts_motion *motion, ts_pose3 rest, double time, double step, ts_vec3 *linear,
                        ts_vec3 *angular)
{
    ts_pose3 from = ts_motion_pose3(motion, rest, time), to = ts_motion_pose3(motion, rest, time + step);
    *linear = ts_vec3_scale(ts_vec3_sub(to.position, from.position), 1 / step);
    *angular = ts_vec3_scale(ts_quat_log(ts_quat_mul(to.quat, ts_quat_conjugate(from.quat))), 1 / step);
}

/* On a segment the velocity is a parabola, which stays in the hull of its Bézier points: u, 3c - u - v and v, where c
 * is the chord's velocity. */
static double keyframes_speed_bound(const ts_motion *m, double arm)
{
    double bound = 0;
    for (size_t i = 0; i + 1 < m->key_count; i++) {
        offset p = key_offset(&m->key[i]), q = key_offset(&m->key[i + 1]), u = key_velocity(m, i),
               v = key_velocity(m, i + 1);
        offset w = change(3 / (m->key[i + 1].time - m->key[i].time), p, q);
        w.d = ts_vec3_sub(ts_vec3_sub(w.d, u.d), v.d);
        w.angle = w.angle - u.angle - v.angle;
        double linear = fmax(ts_vec3_length(u.d), fmax(ts_vec3_length(w.d), ts_vec3_length(v.d)));
        double angular = fmax(fabs(u.angle), fmax(fabs(w.angle), fabs(v.angle)));
        bound = fmax(bound, linear + angular * arm);
    }
    return bound;
}

double ts_motion_speed_bound(const ts_motion *motion, ts_vec3 rest, double reach)
{
    double arm = length_of(ts_vec3_sub(rest, motion->pivot)) + reach;
    switch (motion->kind) {
    case TS_DRIVE_ROTATION:
        return fabs(motion->rate) * arm;
    case TS_DRIVE_OSCILLATION:
        return 2 * TS_PI * motion->frequency * (length_of(motion->amplitude) + fabs(motion->angle_amplitude) * arm);
    case TS_DRIVE_KEYFRAMES:
        return keyframes_speed_bound(motion, arm);
    case TS_DRIVE_VELOCITY:
        return length_of(motion->velocity);
    case TS_DRIVE_GATE:
        break;
    }
    return 0;
}
