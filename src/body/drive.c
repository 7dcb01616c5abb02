/* SPDX-License-Identifier: MIT */
/* Every kind of motion counts its time from `start`, so that moving the start moves the whole script. */
#include "body/drive.h"

/* Displacement and turn of a motion. */
typedef struct offset {
    ts_vec2 d;
    double angle;
} offset;

/* Time since the start, stopped at both ends. */
static double script_time(const ts_motion *m, double time)
{
    if (!(time > m->start))
        return 0;
    return (time < m->end ? time : m->end) - m->start;
}

static offset key_offset(const ts_keyframe *key)
{
    return (offset){{key->displacement[0], key->displacement[1]}, key->angle};
}

/* Velocity at keyframe i: of the chord between its neighbours; at rest at both ends. */
static offset key_velocity(const ts_motion *m, size_t i)
{
    if (i == 0 || i + 1 >= m->key_count)
        return (offset){0};
    const ts_keyframe *a = &m->key[i - 1], *b = &m->key[i + 1];
    double r = 1 / (b->time - a->time);
    return (offset){{r * (b->displacement[0] - a->displacement[0]), r * (b->displacement[1] - a->displacement[1])},
                    r * (b->angle - a->angle)};
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
    return (offset){
        {hp * p.d.x + hq * q.d.x + hu * u.d.x + hv * v.d.x, hp * p.d.y + hq * q.d.y + hu * u.d.y + hv * v.d.y},
        hp * p.angle + hq * q.angle + hu * u.angle + hv * v.angle};
}

static offset motion_at(const ts_motion *m, double time)
{
    double t = script_time(m, time);
    switch (m->kind) {
    case TS_DRIVE_ROTATION:
        return (offset){{0, 0}, m->rate * t};
    case TS_DRIVE_OSCILLATION: {
        double s = sin(2 * TS_PI * m->frequency * t + m->phase);
        return (offset){{m->amplitude_x * s, m->amplitude_y * s}, m->angle_amplitude * s};
    }
    case TS_DRIVE_KEYFRAMES:
        return keyframes_at(m, t);
    case TS_DRIVE_VELOCITY:
        return (offset){{m->vx * t, m->vy * t}, 0};
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
    ts_vec2 arm = ts_vec2_rotate((ts_vec2){rest.x - motion->pivot_x, rest.y - motion->pivot_y}, o.angle);
    return (ts_pose2){motion->pivot_x + o.d.x + arm.x, motion->pivot_y + o.d.y + arm.y, rest.angle + o.angle};
}

/* On a segment the velocity is a parabola, which stays in the hull of its Bézier points: u, 3c - u - v and v, where c is the
 * chord's velocity. */
static double keyframes_speed_bound(const ts_motion *m, double arm)
{
    double bound = 0;
    for (size_t i = 0; i + 1 < m->key_count; i++) {
        offset p = key_offset(&m->key[i]), q = key_offset(&m->key[i + 1]), u = key_velocity(m, i),
               v = key_velocity(m, i + 1);
        double r = 3 / (m->key[i + 1].time - m->key[i].time);
        offset w = {{r * (q.d.x - p.d.x) - u.d.x - v.d.x, r * (q.d.y - p.d.y) - u.d.y - v.d.y},
                    r * (q.angle - p.angle) - u.angle - v.angle};
        double linear = fmax(ts_vec2_length(u.d), fmax(ts_vec2_length(w.d), ts_vec2_length(v.d)));
        double angular = fmax(fabs(u.angle), fmax(fabs(w.angle), fabs(v.angle)));
        bound = fmax(bound, linear + angular * arm);
    }
    return bound;
}

double ts_motion_speed_bound(const ts_motion *motion, ts_pose2 rest, double reach)
{
    double arm = hypot(rest.x - motion->pivot_x, rest.y - motion->pivot_y) + reach;
    switch (motion->kind) {
    case TS_DRIVE_ROTATION:
        return fabs(motion->rate) * arm;
    case TS_DRIVE_OSCILLATION:
        return 2 * TS_PI * motion->frequency *
               (hypot(motion->amplitude_x, motion->amplitude_y) + fabs(motion->angle_amplitude) * arm);
    case TS_DRIVE_KEYFRAMES:
        return keyframes_speed_bound(motion, arm);
    case TS_DRIVE_VELOCITY:
        return hypot(motion->vx, motion->vy);
    case TS_DRIVE_GATE:
        break;
    }
    return 0;
}
