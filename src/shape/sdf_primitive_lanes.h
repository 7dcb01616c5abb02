/* SPDX-License-Identifier: MIT */
/* Value, gradient and unit normal of one primitive at LANES points (formulas: sdf_kernel.h). All results in the body's frame. */
#pragma once

#include "shape/sdf_kernel.h"
#include "shape/sdf_lanes.h"

/* Superquadrics that are worked out side by side, so that each hides the latency of the others. */
#define GROUP 2

typedef struct answer {
    wide value;
    wide3 gradient, normal;
} answer;

/* What is asked for beside values; a constant wherever it is asked. */
typedef struct wanted {
    bool gradient, normal;
} wanted;

TS_SIMD wide3 into_frame(const ts_sdf_pack *p, wide3 x)
{
    return turned_back(p->turn, (wide3){{x.v[0] - p->position[0], x.v[1] - p->position[1], x.v[2] - p->position[2]}});
}

/* ---- Bounds without transcendental functions ---- */

/* φ of a primitive is no less than `low`, and no more than `high`. */
typedef struct bounds {
    wide low, high;
} bounds;

/* 1/√x or less, by no more than RSQRT_OFF of it: a first guess from the exponent, and a step of Newton's method. */
#define RSQRT_OFF 0.0018
TS_SIMD wide rsqrt_below(wide x)
{
    const wide y = (wide)(0x5fe6eb50c7b537a9 - ((mask)x >> 1));
    return y * (1.5 - (0.5 * x) * (y * y));
}

/* g lies between multiples of the Euclidean norm of t, and is at least its largest coordinate: see
 * square_least and square_most (sdf_kernel.h). φ = |y| (1 - 1/g) grows with g; in the core it lies between `lowest` and 0. */
TS_SIMD bounds superquadric_bounds(const ts_sdf_pack *p, wide3 x)
{
    const wide3 d = {{x.v[0] - p->position[0], x.v[1] - p->position[1], x.v[2] - p->position[2]}};
    wide3 t;
    UNROLL
    for (int i = 0; i < 3; i++)
        t.v[i] = p->fold[i][0] * d.v[0] + p->fold[i][1] * d.v[1] + p->fold[i][2] * d.v[2];
    const wide a = t.v[0] * t.v[0], b = t.v[1] * t.v[1], c = t.v[2] * t.v[2], ab = a + b;
    const wide root = p->square_least[0] * (p->square_least[1] * ab + c);
    const wide least = WIDE(max)(WIDE(max)(a, b), WIDE(max)(c, root));
    const wide most = p->square_most[0] * (p->square_most[1] * (ab + (p->soft[0] + p->soft[1])) + (c + p->soft[2]));
    const wide square = dot(d, d), near = square * rsqrt_below(square), far = near * (1 + RSQRT_OFF);
    const wide low = 1.0 - (1 + RSQRT_OFF) * rsqrt_below(least), high = 1.0 - rsqrt_below(most);
    const mask inside = (mask)(least < TS_SDF_CORE * TS_SDF_CORE * (1 + 1e-9));
    return (bounds){either(inside, all(p->lowest), WIDE(max)(WIDE(min)(near * low, far * low), all(p->lowest))),
                    either(inside, all(0), WIDE(max)(near * high, far * high))};
}

/* φ is convex, and -ball at the centre of the largest ball; on the surface, 0 at no more than `reach` from there. It grows by no
 * more than the distance. The softened maximum is off the true one by at most τ log N. */
TS_SIMD bounds polyhedron_bounds(const ts_sdf_pack *p, wide3 x, double tau)
{
    const wide3 y = into_frame(p, x);
    const wide3 d = {{y.v[0] - p->centre[0], y.v[1] - p->centre[1], y.v[2] - p->centre[2]}};
    const wide length = WIDE(sqrt)(dot(d, d)), away = length * (1 / p->reach) - 1.0;
    const double slack = tau * p->log_count + 1e-9 * p->reach;
    return (bounds){either((mask)(away > 0.0), p->ball * away, all(-p->ball)) - slack, length - p->ball + slack};
}

TS_SIMD bounds primitive_bounds(const ts_sdf_pack *p, wide3 x, double tau)
{
    if (p->kind == TS_PRIMITIVE_SUPERQUADRIC)
        return superquadric_bounds(p, x);
    if (p->kind == TS_PRIMITIVE_POLYHEDRON)
        return polyhedron_bounds(p, x, tau);
    return (bounds){all(-HUGE_VAL), all(HUGE_VAL)};
}

/* ---- Superquadrics ---- */

/* What value and derivatives share. */
typedef struct superquadric {
    wide3 y, t, square, log;       /* in its frame: y, y/a, X, log X */
    wide u, v, w, a, b, f, lambda; /* logarithms to the base 2: see sdf_kernel.h */
    wide share[2][2];              /* of e^u and e^v in e^A, and of e^B and e^w in e^F */
    wide inverse;                  /* e^-λ */
    wide radius;                   /* |y| */
    wide3 slope;                   /* ∇λ */
} superquadric;

/* 2^a + 2^b = 2^sum, and the shares of both in it. */
TS_SIMD wide add_logs(wide a, wide b, wide share[2])
{
    const wide e = WIDE(exp2_core)(-WIDE(abs)(a - b)), sum = 1.0 + e;
    /* 1 + e is at most √2, or is halved; the quotient of its logarithm and 1 / (1 + e) share a division */
    const mask upper = (mask)(e > 0.41421356237309503);
    const wide f = either(upper, (e - 1.0) * 0.5, e), below = 2.0 + f, per = 1.0 / (sum * below);
    const wide large = below * per, small = e * large;
    const mask first = (mask)(a > b);
    share[0] = either(first, large, small);
    share[1] = either(first, small, large);
    return (WIDE(max)(a, b) + either(upper, all(1), all(0))) + log2_of_quotient(f * (sum * per));
}

/* Logarithms of three numbers with one division. */
TS_SIMD wide3 log2_three(wide3 x)
{
    wide3 f, k, below, log;
    UNROLL
    for (int i = 0; i < 3; i++) {
        f.v[i] = WIDE(log_split)(x.v[i], &k.v[i]) - 1.0;
        below.v[i] = 2.0 + f.v[i];
    }
    const wide two = below.v[0] * below.v[1], per = 1.0 / (two * below.v[2]), other = per * below.v[2];
    const wide3 inverse = {{other * below.v[1], other * below.v[0], per * two}};
    UNROLL
    for (int i = 0; i < 3; i++)
        log.v[i] = k.v[i] + log2_of_quotient(f.v[i] * inverse.v[i]);
    return log;
}

/* Of `count` at once, at most GROUP. */
TS_SIMD void superquadric_logs(const ts_sdf_pack *const *p, int count, wide3 x, superquadric *s)
{
    UNROLL
    for (int g = 0; g < count; g++) {
        s[g].y = into_frame(p[g], x);
        UNROLL
        for (int i = 0; i < 3; i++) {
            s[g].t.v[i] = s[g].y.v[i] * p[g]->inverse[i];
            s[g].square.v[i] = WIDE(min)(s[g].t.v[i] * s[g].t.v[i] + p[g]->soft[i], all(1e300));
        }
    }
    UNROLL
    for (int g = 0; g < count; g++)
        s[g].log = log2_three(s[g].square);
    UNROLL
    for (int g = 0; g < count; g++) {
        s[g].u = s[g].log.v[0] * p[g]->inverse_exponent[1];
        s[g].v = s[g].log.v[1] * p[g]->inverse_exponent[1];
        s[g].w = s[g].log.v[2] * p[g]->inverse_exponent[0];
        s[g].a = add_logs(s[g].u, s[g].v, s[g].share[0]);
    }
    UNROLL
    for (int g = 0; g < count; g++) {
        s[g].b = s[g].a * p[g]->ratio;
        s[g].f = add_logs(s[g].b, s[g].w, s[g].share[1]);
        s[g].lambda = s[g].f * p[g]->half;
    }
    UNROLL
    for (int g = 0; g < count; g++) {
        s[g].inverse = WIDE(exp2_core)(-s[g].lambda);
        s[g].radius = WIDE(sqrt)(dot(s[g].y, s[g].y));
    }
}

/* s of the core, and L and Q = 1 - P(s)/core there. */
typedef struct core {
    wide s, rest, length, q, q_slope;
} core;

TS_SIMD core core_of(const ts_sdf_pack *p, const superquadric *s)
{
    core k;
    wide r = s->inverse * TS_SDF_CORE;
    r = 1.0 / (r * r);
    k.s = WIDE(min)(r * r, all(1)); /* beyond the core nothing of this counts */
    k.rest = 1.0 - k.s;
    k.length = WIDE(sqrt)(s->radius * s->radius + (p->core * p->core) * (k.rest * k.rest * k.rest));
    k.q = 1.0 - (TS_SDF_P0 + k.s * (TS_SDF_P1 + k.s * TS_SDF_P2)) * (1 / TS_SDF_CORE);
    k.q_slope = (TS_SDF_P1 + k.s * (2 * TS_SDF_P2)) * (-1 / TS_SDF_CORE);
    return k;
}
TS_SIMD mask in_core(const superquadric *s)
{
    return (mask)(s->inverse > 1 / TS_SDF_CORE);
}

TS_SIMD wide superquadric_value(const ts_sdf_pack *p, const superquadric *s)
{
    const wide value = s->radius * (1.0 - s->inverse);
    const mask inside = in_core(s);
    if (!any(inside))
        return value;
    const core k = core_of(p, s);
    return either(inside, k.length * k.q, value);
}

/* ∇φ = slope ∇λ + radial y */
TS_SIMD void superquadric_slopes(const ts_sdf_pack *p, const superquadric *s, wide *slope, wide *radial)
{
    *slope = s->radius * s->inverse;
    *radial = (1.0 - s->inverse) / s->radius;
    const mask inside = in_core(s);
    if (any(inside)) {
        const core k = core_of(p, s);
        const wide bend = (-1.5 * p->core * p->core) * (k.rest * k.rest) / k.length;
        *slope = either(inside, 4.0 * k.s * (bend * k.q + k.length * k.q_slope), *slope);
        *radial = either(inside, k.q / k.length, *radial);
    }
}

/* ∇λ, with the shares of the three coordinates in f */
TS_SIMD wide3 superquadric_shares(const superquadric *s)
{
    return (wide3){{s->share[1][0] * s->share[0][0], s->share[1][0] * s->share[0][1], s->share[1][1]}};
}
TS_SIMD void superquadric_slope(const ts_sdf_pack *p, superquadric *s)
{
    const wide3 share = superquadric_shares(s);
    UNROLL
    for (int i = 0; i < 3; i++)
        s->slope.v[i] = share.v[i] * (s->t.v[i] * p->inverse[i] / s->square.v[i]);
}
/* h = scale · ½ ∇g² points along ∇f, and vanishes at the centre. */
TS_SIMD wide3 superquadric_normal(const ts_sdf_pack *p, const superquadric *s, double soft, wide *inverse)
{
    return unit(scaled(s->slope, p->scale / (s->inverse * s->inverse)), soft, inverse);
}

/* `keep` (NULL: not wanted) gets all that the answers were made of. */
TS_SIMD_LARGE void superquadrics(const ts_sdf_pack *const *p, int count, wide3 x, double soft, wanted w,
                                 answer *const *to, superquadric *const *keep)
{
    superquadric s[GROUP];
    superquadric_logs(p, count, x, s);
    UNROLL
    for (int g = 0; g < count; g++)
        to[g]->value = superquadric_value(p[g], &s[g]);
    if (!w.gradient && !w.normal)
        return;
    UNROLL
    for (int g = 0; g < count; g++) {
        wide slope, radial, inverse;
        superquadric_slope(p[g], &s[g]);
        if (w.gradient) {
            superquadric_slopes(p[g], &s[g], &slope, &radial);
            to[g]->gradient = turned(p[g]->turn, plus(scaled(s[g].slope, slope), scaled(s[g].y, radial)));
        }
        if (w.normal)
            to[g]->normal = turned(p[g]->turn, superquadric_normal(p[g], &s[g], soft, &inverse));
        if (keep)
            *keep[g] = s[g];
    }
}

/* ---- Polyhedra ---- */

TS_SIMD wide plane_distance(const ts_sdf_pack *p, size_t i, wide3 y)
{
    return p->normal[0][i] * y.v[0] + p->normal[1][i] * y.v[1] + p->normal[2][i] * y.v[2] - p->offset[i];
}

/* Maximum over planes, softened: highest distance, sum of e^((d - highest)/τ), and means under these weights. */
typedef struct polyhedron {
    wide3 y;
    wide highest, sum, value;
    wide3 normal; /* mean */
} polyhedron;

TS_SIMD wide plane_weight(const polyhedron *s, wide d, double tau)
{
    return WIDE(exp_core)((d - s->highest) * (1 / tau)) / s->sum;
}

TS_SIMD polyhedron polyhedron_of(const ts_sdf_pack *p, wide3 x, const ts_sdf_rule *rule)
{
    polyhedron s = {.y = into_frame(p, x), .sum = all(0), .normal = none()};
    wide lift = all(0);
    s.highest = plane_distance(p, 0, s.y);
    for (size_t i = 1; i < p->count; i++)
        s.highest = WIDE(max)(plane_distance(p, i, s.y), s.highest);
    for (size_t i = 0; i < p->count; i++) {
        const wide d = plane_distance(p, i, s.y) - s.highest, e = WIDE(exp_core)(d * (1 / rule->tau));
        s.sum += e;
        lift += e * d;
        UNROLL
        for (int k = 0; k < 3; k++)
            s.normal.v[k] += e * p->normal[k][i];
    }
    s.normal = scaled(s.normal, 1.0 / s.sum);
    s.value = s.highest + (rule->published ? rule->tau * WIDE(log_core)(s.sum) : lift / s.sum);
    return s;
}

TS_SIMD wide3 polyhedron_gradient(const ts_sdf_pack *p, const polyhedron *s, const ts_sdf_rule *rule)
{
    if (rule->published)
        return s->normal;
    wide3 gradient = none();
    for (size_t i = 0; i < p->count; i++) {
        const wide d = plane_distance(p, i, s->y);
        const wide c = plane_weight(s, d, rule->tau) * (1.0 + (d - s->value) * (1 / rule->tau));
        UNROLL
        for (int k = 0; k < 3; k++)
            gradient.v[k] += c * p->normal[k][i];
    }
    return gradient;
}

static void polyhedron_answer(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, wanted w, answer *to)
{
    wide inverse;
    const polyhedron s = polyhedron_of(p, *x, rule);
    to->value = s.value;
    if (w.gradient)
        to->gradient = turned(p->turn, polyhedron_gradient(p, &s, rule));
    if (w.normal)
        to->normal = turned(p->turn, unit(s.normal, rule->normal, &inverse));
}

/* ---- Clouds ---- */

/* Means under Gaussian weights about y; weights are relative to that of the nearest point. */
typedef struct cloud {
    wide3 y;
    wide nearest, sum, value;
    wide3 normal, point;
} cloud;

TS_SIMD wide3 from_point(const ts_sdf_pack *p, size_t i, wide3 y)
{
    return (wide3){{y.v[0] - p->point[0][i], y.v[1] - p->point[1][i], y.v[2] - p->point[2][i]}};
}
TS_SIMD wide cloud_weight(const ts_sdf_pack *p, wide3 away, wide nearest)
{
    return WIDE(exp_core)((nearest - dot(away, away)) * (0.5 * p->precision));
}

TS_SIMD cloud cloud_of(const ts_sdf_pack *p, wide3 x)
{
    cloud s = {.y = into_frame(p, x), .sum = all(0), .value = all(0), .normal = none(), .point = none()};
    s.nearest = all(HUGE_VAL);
    for (size_t i = 0; i < p->count; i++) {
        const wide3 away = from_point(p, i, s.y);
        s.nearest = WIDE(min)(dot(away, away), s.nearest);
    }
    for (size_t i = 0; i < p->count; i++) {
        const wide e = cloud_weight(p, from_point(p, i, s.y), s.nearest);
        s.sum += e;
        s.value += e * plane_distance(p, i, s.y);
        UNROLL
        for (int k = 0; k < 3; k++) {
            s.normal.v[k] += e * p->normal[k][i];
            s.point.v[k] += e * p->point[k][i];
        }
    }
    const wide share = 1.0 / s.sum;
    s.value = s.value * share;
    s.normal = scaled(s.normal, share);
    s.point = scaled(s.point, share);
    return s;
}

/* ∇φ = E n + Cov(n·(y - p), p) / width² */
TS_SIMD wide3 cloud_gradient(const ts_sdf_pack *p, const cloud *s)
{
    wide3 spread = none();
    for (size_t i = 0; i < p->count; i++) {
        const wide e = cloud_weight(p, from_point(p, i, s->y), s->nearest) * (plane_distance(p, i, s->y) - s->value);
        UNROLL
        for (int k = 0; k < 3; k++)
            spread.v[k] += e * (p->point[k][i] - s->point.v[k]);
    }
    return plus(s->normal, scaled(spread, p->precision / s->sum));
}

static void cloud_answer(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, wanted w, answer *to)
{
    wide inverse;
    const cloud s = cloud_of(p, *x);
    to->value = s.value;
    if (w.gradient)
        to->gradient = turned(p->turn, cloud_gradient(p, &s));
    if (w.normal)
        to->normal = turned(p->turn, unit(s.normal, rule->normal, &inverse));
}
