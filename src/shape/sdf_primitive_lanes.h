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

TS_SIMD wide3 into_frame(const ts_sdf_pack *p, wide3 x)
{
    return turned_back(p->turn, (wide3){{x.v[0] - p->position[0], x.v[1] - p->position[1], x.v[2] - p->position[2]}});
}

/* ---- Lower bounds without transcendental functions ---- */

/* With every p-norm between the largest and the Euclidean norm:  max |t_i| ≤ g, and norm[0] √((norm[1] |t_xy|)² + t_z²) ≤ g. */
TS_SIMD wide superquadric_bound(const ts_sdf_pack *p, wide3 y)
{
    const wide a = WIDE(abs)(y.v[0] * p->inverse[0]), b = WIDE(abs)(y.v[1] * p->inverse[1]),
               c = WIDE(abs)(y.v[2] * p->inverse[2]);
    const wide root = p->norm[0] * WIDE(sqrt)((p->norm[1] * p->norm[1]) * (a * a + b * b) + c * c);
    const wide least = (1 - 1e-12) * WIDE(max)(WIDE(max)(a, b), WIDE(max)(c, root));
    const wide bound = WIDE(sqrt)(dot(y, y)) * (1.0 - 1.0 / WIDE(max)(least, all(1e-6)));
    return WIDE(max)(bound, all(p->lowest));
}

/* φ is convex, and -ball at the centre of the largest ball; on the surface, 0 at no more than `reach` from there. The softened
 * maximum is below the true one by at most τ log N. */
TS_SIMD wide polyhedron_bound(const ts_sdf_pack *p, wide3 y, double tau)
{
    const wide3 d = {{y.v[0] - p->centre[0], y.v[1] - p->centre[1], y.v[2] - p->centre[2]}};
    const wide away = WIDE(sqrt)(dot(d, d)) * (1 / p->reach) - 1.0;
    return either((mask)(away > 0.0), p->ball * away, all(-p->ball)) - (tau * p->log_count + 1e-9 * p->reach);
}

TS_SIMD wide primitive_bound(const ts_sdf_pack *p, wide3 x, double tau)
{
    if (p->kind == TS_PRIMITIVE_CLOUD)
        return all(-HUGE_VAL);
    const wide3 y = into_frame(p, x);
    return p->kind == TS_PRIMITIVE_SUPERQUADRIC ? superquadric_bound(p, y) : polyhedron_bound(p, y, tau);
}

/* ---- Superquadrics ---- */

/* What value and derivatives share. */
typedef struct superquadric {
    wide3 y, t, square, log; /* in its frame: y, y/a, X, log X */
    wide u, v, w, a, b, f;   /* logarithms: see sdf_kernel.h */
    wide share[2][2];        /* of e^u and e^v in e^A, and of e^B and e^w in e^F */
    wide lambda, inverse;    /* λ, e^-λ */
    wide radius;             /* |y| */
    wide3 slope;             /* ∇λ */
} superquadric;

/* e^a + e^b = e^sum, and the shares of both in it. */
TS_SIMD wide add_logs(wide a, wide b, wide share[2])
{
    const wide e = WIDE(exp_core)(-WIDE(abs)(a - b)), large = 1.0 / (1.0 + e), small = e * large;
    const mask first = (mask)(a > b);
    share[0] = either(first, large, small);
    share[1] = either(first, small, large);
    return WIDE(max)(a, b) + WIDE(log1p_core)(e);
}

TS_SIMD void superquadric_logs(const ts_sdf_pack *const *p, wide3 x, superquadric *s)
{
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        s[g].y = into_frame(p[g], x);
        UNROLL
        for (int i = 0; i < 3; i++) {
            s[g].t.v[i] = s[g].y.v[i] * p[g]->inverse[i];
            s[g].square.v[i] = WIDE(min)(s[g].t.v[i] * s[g].t.v[i] + p[g]->soft[i], all(1e300));
        }
    }
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        UNROLL
        for (int i = 0; i < 3; i++)
            s[g].log.v[i] = WIDE(log_core)(s[g].square.v[i]);
    }
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        s[g].u = s[g].log.v[0] * p[g]->inverse_exponent[1];
        s[g].v = s[g].log.v[1] * p[g]->inverse_exponent[1];
        s[g].w = s[g].log.v[2] * p[g]->inverse_exponent[0];
        s[g].a = add_logs(s[g].u, s[g].v, s[g].share[0]);
    }
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        s[g].b = s[g].a * p[g]->ratio;
        s[g].f = add_logs(s[g].b, s[g].w, s[g].share[1]);
        s[g].lambda = s[g].f * p[g]->half;
    }
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        s[g].inverse = WIDE(exp_core)(-s[g].lambda);
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

TS_SIMD void superquadrics(const ts_sdf_pack *const p[GROUP], wide3 x, double soft, bool derive, answer *to[GROUP])
{
    superquadric s[GROUP];
    superquadric_logs(p, x, s);
    UNROLL
    for (int g = 0; g < GROUP; g++)
        to[g]->value = superquadric_value(p[g], &s[g]);
    if (!derive)
        return;
    UNROLL
    for (int g = 0; g < GROUP; g++) {
        wide slope, radial, inverse;
        superquadric_slope(p[g], &s[g]);
        superquadric_slopes(p[g], &s[g], &slope, &radial);
        to[g]->gradient = turned(p[g]->turn, plus(scaled(s[g].slope, slope), scaled(s[g].y, radial)));
        to[g]->normal = turned(p[g]->turn, superquadric_normal(p[g], &s[g], soft, &inverse));
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

static void polyhedron_answer(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, bool derive, answer *to)
{
    wide inverse;
    const polyhedron s = polyhedron_of(p, *x, rule);
    to->value = s.value;
    if (!derive)
        return;
    to->gradient = turned(p->turn, polyhedron_gradient(p, &s, rule));
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

static void cloud_answer(const ts_sdf_pack *p, const wide3 *x, const ts_sdf_rule *rule, bool derive, answer *to)
{
    wide inverse;
    const cloud s = cloud_of(p, *x);
    to->value = s.value;
    if (!derive)
        return;
    to->gradient = turned(p->turn, cloud_gradient(p, &s));
    to->normal = turned(p->turn, unit(s.normal, rule->normal, &inverse));
}
