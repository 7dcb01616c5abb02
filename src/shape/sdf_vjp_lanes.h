/* SPDX-License-Identifier: MIT */
/* Transposed derivatives of one primitive at LANES points: from the adjoints of its value, gradient and normal to those of
 * the point and of the primitive's own numbers.
 *
 * A superquadric's φ depends on the point y by λ and r = ½ |y|² alone, and its unit normal is that of h = κ e^{2λ} ∇λ. With
 * adjoints v, g and m of φ, ∇φ and h, what is to be differentiated is one number:
 *
 *     Ψ  = v φ + φ_λ (g·∇λ) + φ_r (g·y) + κ e^{2λ} (m·∇λ)
 *     dΨ = Λ dλ + d·d(∇λ) + R dr + φ_r g·dy                    d = φ_λ g + κ e^{2λ} m
 *
 * d·∇λ is the rate λ' of λ along d. So logarithms and their rates go forward together, as sdf_kernel.h has them, and
 * Λ λ + λ' goes back through both. That costs neither a logarithm nor an exponential. */
#pragma once

#include "shape/sdf_primitive_lanes.h"

/* Which adjoints are not zero, and which are wanted; constants wherever it is asked. */
typedef struct mode {
    bool gradient; /* of gradients */
    bool numbers;  /* of the primitives' numbers */
} mode;

/* Adjoints that a primitive hands on, in the body's frame. */
typedef struct handed {
    wide3 point;
    wide size[3], exponent[2];
    wide3 turn;
} handed;

/* ---- Superquadrics ---- */

/* Derivatives of φ by λ, by r, and in the core by its length c. */
typedef struct slopes {
    wide l, r, ll, lr, rr, c, lc, rc;
} slopes;

TS_SIMD void core_slopes(const ts_sdf_pack *p, const superquadric *s, mask inside, slopes *to)
{
    const core k = core_of(p, s);
    const double c = p->core;
    const wide per = 1.0 / k.length, rest2 = k.rest * k.rest, four = 4.0 * k.s;
    const wide q_curve = all(-2 * TS_SDF_P2 / TS_SDF_CORE);
    /* of the length: by s, twice by s, by c, by both */
    const wide by_s = (-1.5 * c * c) * rest2 * per, by_c = c * (rest2 * k.rest) * per;
    const wide by_ss = ((3 * c * c) * k.rest - by_s * by_s) * per, by_sc = -((3 * c) * rest2 + by_c * by_s) * per;
    const wide first = by_s * k.q + k.length * k.q_slope;
    const wide second = by_ss * k.q + 2.0 * by_s * k.q_slope + k.length * q_curve;
    const wide none = all(0);
    to->l = either(inside, four * first, to->l);
    to->ll = either(inside, four * (4.0 * first + four * second), to->ll);
    to->r = either(inside, k.q * per, to->r);
    to->rr = either(inside, -(k.q * per * per * per), to->rr);
    to->lr = either(inside, four * per * (k.q_slope - k.q * by_s * per), to->lr);
    to->c = either(inside, by_c * k.q, none);
    to->lc = either(inside, four * (by_sc * k.q + by_c * k.q_slope), none);
    to->rc = either(inside, -(k.q * by_c * per * per), none);
}

TS_SIMD slopes slopes_of(const ts_sdf_pack *p, const superquadric *s)
{
    slopes k;
    const wide per = 1.0 / s->radius;
    k.l = s->radius * s->inverse;
    k.ll = -k.l;
    k.r = (1.0 - s->inverse) * per;
    k.lr = s->inverse * per;
    k.rr = -(k.r * per * per);
    k.c = k.lc = k.rc = all(0);
    const mask inside = in_core(s);
    if (any(inside))
        core_slopes(p, s, inside, &k);
    return k;
}

/* Logarithms, and their rates, as they are differentiated: adjoints of both. */
typedef struct log_bars {
    wide value[3], rate[3]; /* of log X and of its rate */
    wide exponent[2];
} log_bars;

/* Back through Λ λ + λ'. `rate`: of log X, along d. */
TS_SIMD void logs_vjp(const ts_sdf_pack *p, const superquadric *s, wide lambda_bar, const wide rate[3], bool numbers,
                      log_bars *to)
{
    const double e1 = p->inverse_exponent[0], e2 = p->inverse_exponent[1];
    const wide u1 = rate[0] * e2, v1 = rate[1] * e2, w1 = rate[2] * e1;
    const wide a1 = s->share[0][0] * u1 + s->share[0][1] * v1, b1 = a1 * p->ratio;
    const wide bend = s->share[1][0] * s->share[1][1] * (b1 - w1) * p->half, f_bar = lambda_bar * p->half;
    const wide b_bar = f_bar * s->share[1][0] + bend, w_bar = f_bar * s->share[1][1] - bend;
    const wide b1_bar = s->share[1][0] * p->half, w1_bar = s->share[1][1] * p->half;
    const wide a_bar = b_bar * p->ratio, a1_bar = b1_bar * p->ratio;
    const wide turn = a1_bar * (s->share[0][0] * s->share[0][1]) * (u1 - v1);
    const wide u_bar = a_bar * s->share[0][0] + turn, v_bar = a_bar * s->share[0][1] - turn;
    const wide u1_bar = a1_bar * s->share[0][0], v1_bar = a1_bar * s->share[0][1];
    to->value[0] = u_bar * e2;
    to->value[1] = v_bar * e2;
    to->value[2] = w_bar * e1;
    to->rate[0] = u1_bar * e2;
    to->rate[1] = v1_bar * e2;
    to->rate[2] = w1_bar * e1;
    if (!numbers)
        return;
    const wide f1 = s->share[1][0] * b1 + s->share[1][1] * w1, ratio_bar = b_bar * (s->a * TS_LN2) + b1_bar * a1;
    const wide by_e1 = w_bar * (s->w * TS_LN2) + w1_bar * w1 + ratio_bar * p->ratio;
    const wide by_e2 = (u_bar * s->u + v_bar * s->v) * TS_LN2 + u1_bar * u1 + v1_bar * v1;
    to->exponent[0] = 0.5 * (lambda_bar * (s->f * TS_LN2) + f1) - by_e1 * e1;
    to->exponent[1] = ratio_bar * e1 - by_e2 * e2;
}

/* What the logarithms hand to half axes and, by the softening of coordinate planes, to exponents. */
TS_SIMD void numbers_vjp(const ts_sdf_pack *p, const superquadric *s, const log_bars *log, wide3 d, wide3 half_slope,
                         handed *to)
{
    wide soft_bar[3];
    UNROLL
    for (int i = 0; i < 3; i++) {
        const wide along = 2.0 * log->rate[i] * d.v[i] * half_slope.v[i], per = 1.0 / s->square.v[i];
        to->size[i] = -2.0 * (log->value[i] * s->t.v[i] * half_slope.v[i] + along * (p->soft[i] * per) * p->inverse[i]);
        soft_bar[i] = (log->value[i] - along) * per;
    }
    to->exponent[0] = log->exponent[0] + p->soft_slope[0] * (soft_bar[0] + soft_bar[1] + soft_bar[2]);
    to->exponent[1] = log->exponent[1] + p->soft_slope[1] * (soft_bar[0] + soft_bar[1]);
}

/* Of a superquadric with its slope. `bar`: adjoints in the body's frame. */
TS_SIMD_LARGE void superquadric_vjp(const ts_sdf_pack *p, const superquadric *s, double soft, const answer *bar,
                                    mode how, handed *to)
{
    const slopes k = slopes_of(p, s);
    const wide grow = 1.0 / (s->inverse * s->inverse);
    wide inverse;
    const wide3 n = superquadric_normal(p, s, soft, &inverse);
    const wide3 m = unit_vjp(n, inverse, turned_back(p->turn, bar->normal));
    const wide scale_bar = grow * dot(m, s->slope);
    wide lambda_bar = bar->value * k.l + 2.0 * p->scale * scale_bar, r_bar = bar->value * k.r, c_bar = bar->value * k.c;
    wide3 g = none(), d = scaled(m, p->scale * grow), half_slope;
    if (how.gradient) {
        g = turned_back(p->turn, bar->gradient);
        const wide along = dot(g, s->slope), across = dot(g, s->y);
        d = plus(d, scaled(g, k.l));
        lambda_bar += along * k.ll + across * k.lr;
        r_bar += along * k.lr + across * k.rr;
        c_bar += along * k.lc + across * k.rc;
    }
    wide rate[3];
    UNROLL
    for (int i = 0; i < 3; i++) {
        half_slope.v[i] = s->t.v[i] * p->inverse[i] / s->square.v[i]; /* of log X, by y */
        rate[i] = 2.0 * half_slope.v[i] * d.v[i];
    }
    log_bars log;
    logs_vjp(p, s, lambda_bar, rate, how.numbers, &log);
    wide3 y_bar = scaled(s->y, r_bar);
    if (how.gradient)
        y_bar = plus(y_bar, scaled(g, k.r));
    UNROLL
    for (int i = 0; i < 3; i++) {
        const wide curve = p->inverse[i] * p->inverse[i] / s->square.v[i] - 2.0 * half_slope.v[i] * half_slope.v[i];
        y_bar.v[i] += 2.0 * (half_slope.v[i] * log.value[i] + log.rate[i] * d.v[i] * curve);
    }
    to->point = turned(p->turn, y_bar);
    if (!how.numbers)
        return;
    numbers_vjp(p, s, &log, d, half_slope, to);
    UNROLL
    for (int i = 0; i < 3; i++)
        to->size[i] += c_bar * p->core_slope[i] + scale_bar * (1.0 / 3);
}

/* ---- Polyhedra ---- */

static void polyhedron_vjp(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, const answer *bar, handed *to)
{
    const polyhedron s = polyhedron_of(p, *x, rule);
    const double per = 1 / rule->tau;
    wide inverse;
    const wide3 n = unit(s.normal, rule->normal, &inverse);
    const wide3 m = unit_vjp(n, inverse, turned_back(p->turn, bar->normal)), g = turned_back(p->turn, bar->gradient);
    const wide mean = dot(m, s.normal) + dot(g, polyhedron_gradient(p, &s, rule));
    const wide value_bar = rule->published ? bar->value : bar->value - dot(g, s.normal) * per;
    wide3 y_bar = none();
    for (size_t i = 0; i < p->count; i++) {
        const wide d = plane_distance(p, i, s.y), w = plane_weight(&s, d, rule->tau);
        const wide3 plane = {{all(p->normal[0][i]), all(p->normal[1][i]), all(p->normal[2][i])}};
        const wide by_g = dot(g, plane), by_m = dot(m, plane);
        wide d_bar;
        if (rule->published)
            d_bar = w * (value_bar + (by_m + by_g - mean) * per);
        else {
            const wide q = 1.0 + (d - s.value) * per;
            d_bar = w * (q * value_bar + (by_g + by_m + by_g * q - mean) * per);
        }
        y_bar = plus(y_bar, scaled(plane, d_bar));
    }
    to->point = turned(p->turn, y_bar);
}

/* ---- Clouds ---- */

/* v φ + g·∇φ + m·E n, with k = g·(p − E p): its derivative is v E n + E[f (p − E p) + k n] / width², where
 * f = n·(g + m) + (d − φ) (v + k / width²). */
static void cloud_vjp(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, const answer *bar, handed *to)
{
    const cloud s = cloud_of(p, *x);
    wide inverse;
    const wide3 n = unit(s.normal, rule->normal, &inverse);
    const wide3 m = unit_vjp(n, inverse, turned_back(p->turn, bar->normal)), g = turned_back(p->turn, bar->gradient);
    const wide3 both = plus(g, m);
    wide3 sum = none();
    for (size_t i = 0; i < p->count; i++) {
        const wide e = cloud_weight(p, from_point(p, i, s.y), s.nearest), d = plane_distance(p, i, s.y) - s.value;
        const wide3 plane = {{all(p->normal[0][i]), all(p->normal[1][i]), all(p->normal[2][i])}};
        const wide3 off = {
            {p->point[0][i] - s.point.v[0], p->point[1][i] - s.point.v[1], p->point[2][i] - s.point.v[2]}};
        const wide k = dot(g, off), f = dot(both, plane) + d * (bar->value + k * p->precision);
        sum = plus(sum, scaled(plus(scaled(off, f), scaled(plane, k)), e));
    }
    to->point = turned(p->turn, plus(scaled(s.normal, bar->value), scaled(sum, p->precision / s.sum)));
}
