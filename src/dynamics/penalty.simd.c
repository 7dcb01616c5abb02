/* SPDX-License-Identifier: MIT */
/* The penalty law, four contacts at a time. See penalty.h. */
#include "dynamics/penalty.h"

#include "base/kernel.h"
#include "base/simd.h"
#include "dynamics/penalty_lanes.h"

typedef struct velocity4 {
    ts_f64x4 x, y, spin, inv_mass;
} velocity4;

TS_SIMD velocity4 load_velocities(const ts_frame2 *frame, const int32_t *index)
{
    velocity4 v = {ts_f64x4_load(&frame[index[0]].vx), ts_f64x4_load(&frame[index[1]].vx),
                   ts_f64x4_load(&frame[index[2]].vx), ts_f64x4_load(&frame[index[3]].vx)};
    ts_f64x4_transpose(&v.x, &v.y, &v.spin, &v.inv_mass);
    return v;
}

/* sign · a with the sign of s */
TS_SIMD ts_f64x4 with_sign(ts_f64x4 a, ts_f64x4 s)
{
    const ts_i64x4 sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    return (ts_f64x4)((ts_i64x4)ts_f64x4_abs(a) | ((ts_i64x4)s & sign));
}

/* Adds rows 0 … lanes-1 of (x, y, torque) to the wrenches. */
TS_SIMD void scatter(ts_wrench *wrench, const int32_t *index, int lanes, ts_f64x4 x, ts_f64x4 y, ts_f64x4 torque)
{
    ts_f64x4 row[4] = {x, y, torque, ts_f64x4_broadcast(0)};
    ts_f64x4_transpose(&row[0], &row[1], &row[2], &row[3]);
    for (int lane = 0; lane < lanes; lane++) {
        double *w = &wrench[index[lane]].fx;
        ts_f64x4_store(w, ts_f64x4_load(w) + row[lane]);
    }
}

static void apply(const ts_penalty_task *task, const ts_contact_batch *batch, double *spring, double *force)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), half = ts_f64x4_broadcast(0.5), one = ts_f64x4_broadcast(1);
    const bool one_law = task->material_count == 1;
    /* dashpots cost a root and a division: skip them when there are none */
    const bool damped = !one_law || is_damped(task->law);
    law4 law = same_law(task->law);
    ts_f64x4 lost_normal = zero, lost_tangential = zero, lost_friction = zero;
    const ts_f64x4 dt = ts_f64x4_broadcast(task->time_step);

    for (int k = 0; k < batch->count; k += 4) {
        int lanes = batch->count - k < 4 ? batch->count - k : 4;
        int32_t a[4], b[4], h[4];
        for (int lane = 0; lane < 4; lane++) {
            int from = k + (lane < lanes ? lane : lanes - 1);
            a[lane] = batch->a[from];
            b[lane] = batch->b[from];
            h[lane] = batch->history[from];
        }
        if (!one_law)
            law = load_laws(task->law, task->material_count, task->material_a, a, task->material_b, b);
        velocity4 va = load_velocities(task->frame_a, a);
        velocity4 vb = load_velocities(task->frame_b, b);
        ts_f64x4 nx = ts_f64x4_load(batch->nx + k), ny = ts_f64x4_load(batch->ny + k);
        ts_f64x4 gap = ts_f64x4_load(batch->gap + k);

        /* arms to the common point, midway between the two surface points */
        ts_f64x4 mx = half * gap * nx, my = half * gap * ny;
        ts_f64x4 ax = ts_f64x4_load(batch->ax + k) + mx, ay = ts_f64x4_load(batch->ay + k) + my;
        ts_f64x4 bx = ts_f64x4_load(batch->bx + k) - mx, by = ts_f64x4_load(batch->by + k) - my;

        /* velocity of B against A at that point; tangent t = n turned by +90° */
        ts_f64x4 ux = (vb.x - vb.spin * by) - (va.x - va.spin * ay);
        ts_f64x4 uy = (vb.y + vb.spin * bx) - (va.y + va.spin * ax);
        ts_f64x4 vn = ux * nx + uy * ny;
        ts_f64x4 vt = uy * nx - ux * ny;

        /* how fast the gap grows, and the force that acts on it: along n, at the point, its weight's share; the rest
         * is a couple */
        ts_f64x4 rate = vn, weight = one, couple = zero;
        if (batch->weighted) {
            weight = ts_f64x4_load(batch->weight + k);
            couple = ts_f64x4_load(batch->couple + k);
            rate = weight * vn + couple * (vb.spin - va.spin);
        }
        const ts_f64x4 inverse = va.inv_mass + vb.inv_mass;
        ts_f64x4 kn = law.kn, kt = law.kt, inv_kt = law.inv_kt, cn = zero, ct = zero;
        if (damped) {
            const dashpots4 c = dashpots_of_step(&law, inverse, dt);
            cn = c.cn * steps_since_touch(gap, rate, dt);
            ct = c.ct;
        }
        if (batch->shared) {
            const ts_f64x4 share = ts_f64x4_load(batch->share + k), eased = share * ts_f64x4_load(batch->ease + k);
            kn = kn * share;
            kt = kt * share;
            inv_kt = inv_kt / share;
            cn = cn * eased;
            ct = ct * eased;
        }
        ts_f64x4 elastic = -kn * gap, push = elastic - cn * rate;
        if (!task->may_pull)
            push = ts_f64x4_max(push, zero);
        ts_f64x4 fn = batch->weighted ? weight * push : push;

        /* trial spring; then Coulomb's bound: stick, partial slip or full slip */
        ts_f64x4 before = ts_f64x4_gather(spring, h), s = before + vt * dt;
        ts_f64x4 damping = ct * vt;
        ts_f64x4 pull = kt * s + damping;
        ts_f64x4 bound = law.friction * ts_f64x4_abs(fn);
        ts_i64x4 slips = ts_f64x4_less(bound, ts_f64x4_abs(pull));
        ts_i64x4 slides = ts_f64x4_less(bound, ts_f64x4_abs(damping));
        ts_f64x4 limit = with_sign(bound, pull);
        ts_f64x4 ft = ts_f64x4_select(slips, limit, pull);
        s = ts_f64x4_select(slips, (limit - damping) * inv_kt, s);
        ft = ts_f64x4_select(slides, with_sign(bound, vt), ft);
        s = ts_f64x4_select(slides, zero, s);

        /* f = f_n n - f_t t on B */
        ts_f64x4 fx = fn * nx + ft * ny, fy = fn * ny - ft * nx;
        if (force) {
            for (int lane = 0; lane < lanes; lane++) {
                force[2 * (k + lane)] = fx[lane];
                force[2 * (k + lane) + 1] = fy[lane];
            }
            continue;
        }
        for (int lane = 0; lane < lanes; lane++)
            spring[h[lane]] = s[lane];
        /* where the energy goes: penalty.h */
        ts_f64x4 mean_rate = rate + half * dt * fn * weight * inverse;
        ts_f64x4 sheared = ft * vt * dt - half * kt * (s * s - before * before);
        ts_f64x4 viscous = ts_f64x4_select(slides, zero, damping * vt * dt);
        ts_f64x4 rubbed = ts_f64x4_select((ts_i64x4)(slips | slides), sheared - viscous, zero);
        lost_normal = lost_normal + first_lanes((elastic - push) * mean_rate * dt, lanes);
        lost_tangential = lost_tangential + first_lanes(viscous, lanes);
        lost_friction = lost_friction + first_lanes(rubbed, lanes);
        ts_f64x4 torque_a = ay * fx - ax * fy, torque_b = bx * fy - by * fx;
        if (batch->weighted) {
            torque_a -= push * couple;
            torque_b += push * couple;
        }
        scatter(task->wrench_a, a, lanes, -fx, -fy, torque_a);
        scatter(task->wrench_b, b, lanes, fx, fy, torque_b);
    }
    if (task->lost) {
        task->lost[0] += ts_f64x4_sum(lost_normal);
        task->lost[1] += ts_f64x4_sum(lost_tangential);
        task->lost[2] += ts_f64x4_sum(lost_friction);
    }
}

extern const ts_penalty_kernels TS_KERNEL(ts_penalty);
const ts_penalty_kernels TS_KERNEL(ts_penalty) = {apply};
