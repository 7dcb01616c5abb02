/* SPDX-License-Identifier: MIT */
/* Poses as vectors: the exponential of SE(3), s = (ρ, θ), and its derivative.
 *
 *     exp(s + δ) = exp(J δ) exp(s),  J = Σ ad(s)ⁿ / (n + 1)!,  ad(s)(v, ω) = (θ × v + ρ × ω, θ × ω)
 *
 * A pose that is moved by a twist (v, ω) of the world goes from p to p + v + ω × p and is turned by ω. */
#include <math.h>

#include "manifold/parts.h"

/* |θ| ≤ 2π: 6.3⁴⁰ / 41! < 1e-17 */
#define TERMS 40

static ts_vec3 theta_of(const double s[6])
{
    return (ts_vec3){s[3], s[4], s[5]};
}

/* V(θ) ρ = Σ θ×ⁿ ρ / (n + 1)!, or its inverse's closed form below. */
static ts_vec3 apply_v(ts_vec3 theta, ts_vec3 rho)
{
    ts_vec3 sum = rho, term = rho;
    for (int n = 1; n < TERMS; n++) {
        term = ts_vec3_scale(ts_vec3_cross(theta, term), 1.0 / (n + 1));
        sum = ts_vec3_add(sum, term);
    }
    return sum;
}

ts_manifold_pose ts_manifold_pose_exp(const double s[6])
{
    const ts_vec3 p = apply_v(theta_of(s), ts_vec3_of(s));
    const ts_quat q = ts_quat_exp(theta_of(s));
    return (ts_manifold_pose){{p.x, p.y, p.z}, {q.w, q.x, q.y, q.z}};
}

void ts_manifold_pose_log(const ts_manifold_pose *pose, double s[6])
{
    const double *a = pose->attitude;
    const double sign = a[0] < 0 ? -1 : 1; /* the shorter way */
    const ts_vec3 theta = ts_quat_log((ts_quat){sign * a[0], sign * a[1], sign * a[2], sign * a[3]});
    const ts_vec3 p = ts_vec3_of(pose->position);
    /* V⁻¹ p = p − ½ θ × p + c θ × (θ × p) */
    const double t = ts_vec3_length(theta), half = 0.5 * t;
    const double c = t < 1e-3 ? 1.0 / 12 + t * t / 720 : (1 - half * cos(half) / sin(half)) / (t * t);
    const ts_vec3 once = ts_vec3_cross(theta, p), twice = ts_vec3_cross(theta, once);
    const ts_vec3 rho = ts_vec3_add_scaled(ts_vec3_add_scaled(p, once, -0.5), twice, c);
    s[0] = rho.x, s[1] = rho.y, s[2] = rho.z;
    s[3] = theta.x, s[4] = theta.y, s[5] = theta.z;
}

void ts_manifold_pose_exp_vjp(const double s[6], const ts_manifold_pose_bar *bar, double s_bar[6])
{
    const ts_vec3 theta = theta_of(s), rho = ts_vec3_of(s), p = apply_v(theta, rho);
    ts_vec3 v = ts_vec3_of(bar->position), w = ts_vec3_add(ts_vec3_of(bar->turn), ts_vec3_cross(p, v));
    ts_vec3 v_sum = v, w_sum = w;
    for (int n = 1; n < TERMS; n++) { /* ad(s) transposed */
        const ts_vec3 next = ts_vec3_neg(ts_vec3_cross(theta, v));
        w = ts_vec3_scale(ts_vec3_neg(ts_vec3_add(ts_vec3_cross(rho, v), ts_vec3_cross(theta, w))), 1.0 / (n + 1));
        v = ts_vec3_scale(next, 1.0 / (n + 1));
        v_sum = ts_vec3_add(v_sum, v);
        w_sum = ts_vec3_add(w_sum, w);
    }
    s_bar[0] = v_sum.x, s_bar[1] = v_sum.y, s_bar[2] = v_sum.z;
    s_bar[3] = w_sum.x, s_bar[4] = w_sum.y, s_bar[5] = w_sum.z;
}
