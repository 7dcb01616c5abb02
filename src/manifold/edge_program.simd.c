/* SPDX-License-Identifier: MIT */
#include "manifold/edge_program.h"
#include "base/kernel.h"
#include "base/wide.h"

/* Added to squares of lengths, so that an edge or triangle of no size has finite quotients. */
#define TINY 1e-280
/* Least determinant of a program, over the product of its diagonal: below it edges are parallel, without λ, or triangles
 * flat. There is no free minimum then, and the sides have a minimum of the same cost. */
#define LEAST_DETERMINANT 1e-14
#define LEAST             1e-300

/* ---- Comparisons and clipping to [0, 1] ----
 *
 * One exponential serves both ends of [0, 1]. With S = e^(-x/τ), T = e^((x - 1)/τ) and c = S T = e^(-1/τ):
 *
 *     P = e^((|x - ½| - ½)/τ)         is the larger of S and T; c / P is the other one, nothing where τ is small
 *     [x > 0] [x < 1]                 1 / ((1 + S) (1 + T)) = 1 / (1 + c + P + c / P)
 *     clip = softplus difference      min(max(x, 0), 1) ± τ log((1 + min(P, 1/P)) / (1 + c / P)),   + where x < ½
 *     its derivative                  (1 - c) / ((1 + S) (1 + T)) */

TS_SIMD ts_wide all(double a)
{
    return ts_wide_broadcast(a);
}

/* x against 0 and 1. */
typedef struct bounds {
    ts_wide far, near; /* P and c / P */
    ts_wide within;    /* [x > 0] [x < 1] */
} bounds;

/* Exponents of 2 beyond which a comparison is certain. */
#define CERTAIN 1000.0

TS_SIMD bounds compare(ts_wide x, double tau, double c, bool hard)
{
    const ts_wide one = all(1), zero = all(0);
    if (hard)
        return (bounds){zero, zero, ts_wide_select((ts_wide_mask)(x >= zero) & (ts_wide_mask)(x <= one), one, zero)};
    const ts_wide from = TS_WIDE_OP(abs)(x - 0.5) - 0.5;
    bounds b;
    b.far = TS_WIDE_OP(exp2_core)(ts_wide_min(from * (TS_LOG2_E / tau), all(CERTAIN)));
    b.near = c / b.far;
    b.within = 1.0 / (((1 + c) + b.far) + b.near);
    return b;
}

/* log(a / b) for b ≤ a ≤ 2 b. */
TS_SIMD ts_wide log_ratio(ts_wide a, ts_wide b)
{
    const ts_wide_mask upper = (ts_wide_mask)(a > b * 1.4142135623730951);
    const ts_wide low = ts_wide_select(upper, b + b, b), s = (a - low) / (a + low), z = s * s, w = z * z;
    const ts_wide even = w * (TS_LOG_2 + w * (TS_LOG_4 + w * TS_LOG_6));
    const ts_wide odd = z * ((TS_LOG_1 + w * TS_LOG_3) + (w * w) * (TS_LOG_5 + w * TS_LOG_7));
    return s * (2.0 + (even + odd)) + ts_wide_select(upper, all(TS_LN2), all(0));
}

/* x clipped, and the derivative. */
TS_SIMD ts_wide clip(ts_wide x, double tau, double c, bool hard, ts_wide *slope)
{
    const ts_wide one = all(1), zero = all(0);
    const ts_wide sharp = ts_wide_min(ts_wide_max(x, zero), one);
    if (hard) {
        *slope = ts_wide_select((ts_wide_mask)(x > zero) & (ts_wide_mask)(x < one), one, zero);
        return sharp;
    }
    const ts_wide from = TS_WIDE_OP(abs)(x - 0.5) - 0.5;
    const ts_wide far = TS_WIDE_OP(exp2_core)(ts_wide_min(from * (TS_LOG2_E / tau), all(CERTAIN))), back = 1.0 / far;
    *slope = (1 - c) / (((1 + c) + far) + c * back);
    const ts_wide more = log_ratio(1.0 + ts_wide_min(far, back), 1.0 + c * back) * tau;
    return sharp + ts_wide_select((ts_wide_mask)(x < 0.5), more, -more);
}

/* Shares of the least of some costs: a softmin, or one over how many are least. Costs enter one by one, each compared with
 * the least one before it, which takes one exponential less than there are costs. */
TS_SIMD void least(const ts_wide *cost, int count, double tau, bool hard, ts_wide *share)
{
    const ts_wide one = all(1), zero = all(0);
    ts_wide low = cost[0], sum = one;
    share[0] = one;
    for (int i = 1; i < count; i++) {
        const ts_wide off = cost[i] - low;
        const ts_wide_mask less = (ts_wide_mask)(off < zero);
        const ts_wide e = hard ? ts_wide_select((ts_wide_mask)(off == zero), one, zero)
                               : TS_WIDE_OP(exp2_core)(-TS_WIDE_OP(abs)(off) * (TS_LOG2_E / tau));
        const ts_wide before = ts_wide_select(less, e, one);
        share[i] = ts_wide_select(less, one, e);
        for (int k = 0; k < i; k++)
            share[k] *= before;
        sum = sum * before + share[i];
        low = ts_wide_min(low, cost[i]);
    }
    const ts_wide per = one / sum;
    for (int i = 0; i < count; i++)
        share[i] *= per;
}

/* Adjoints of the costs from those of the shares. */
TS_SIMD void least_vjp(const ts_wide *share, const ts_wide *bar, int count, double tau, bool hard, ts_wide *cost_bar)
{
    ts_wide mean = all(0);
    for (int i = 0; i < count; i++)
        mean += share[i] * bar[i];
    for (int i = 0; i < count; i++)
        cost_bar[i] = hard ? all(0) : share[i] * (mean - bar[i]) * (1 / tau);
}

/* A rule, and e^(-1/τ) of its comparisons. */
typedef struct ends {
    ts_edge_rule rule;
    double inside, clip;
} ends;

TS_SIMD ends ends_of(const ts_edge_rule *rule, bool hard)
{
    ends e = {*rule, 0, 0};
    e.rule.hard = hard;
    if (!hard) {
        e.inside = ts_exp(-1 / rule->inside);
        e.clip = ts_exp(-1 / rule->clip);
    }
    return e;
}

/* ---- Two edges ---- */

enum { SIDES = 4 };

typedef struct program {
    ts_wide3 t1, t2, d;         /* directions, p₀ − q₀ */
    ts_wide q1, q2, q3, c1, c2; /* ½ (q₁ α₁² + 2 q₂ α₁ α₂ + q₃ α₂²) + c₁ α₁ + c₂ α₂ */
    ts_wide det, u1, u2;        /* free minimum */
    ts_wide x[SIDES], y[SIDES], slope[SIDES], share[SIDES]; /* of the sides α₁ = 1, α₁ = 0, α₂ = 1, α₂ = 0 */
    bounds in1, in2;
    ts_wide within, a1, a2; /* minimum on the sides */
} program;

TS_SIMD void solve(const ends *to, const ts_edge_pairs *pairs, size_t at, program *p)
{
    const ts_edge_rule *rule = &to->rule;
    const ts_wide3 p0 = ts_wide3_load(pairs->p0, at), q0 = ts_wide3_load(pairs->q0, at);
    p->t1 = ts_wide3_sub(ts_wide3_load(pairs->p1, at), p0);
    p->t2 = ts_wide3_sub(ts_wide3_load(pairs->q1, at), q0);
    p->d = ts_wide3_sub(p0, q0);
    const ts_wide lambda = all(rule->centre), half = all(0.5), one = all(1);
    const ts_wide q1 = p->q1 = ts_wide3_dot(p->t1, p->t1) + (lambda + TINY);
    const ts_wide q3 = p->q3 = ts_wide3_dot(p->t2, p->t2) + (lambda + TINY);
    const ts_wide q2 = p->q2 = -ts_wide3_dot(p->t1, p->t2);
    const ts_wide c1 = p->c1 = ts_wide3_dot(p->d, p->t1) - half * lambda;
    const ts_wide c2 = p->c2 = -ts_wide3_dot(p->d, p->t2) - half * lambda;
    const ts_wide det = q1 * q3 - q2 * q2, low = q1 * q3 * LEAST_DETERMINANT + LEAST;
    const ts_wide_mask parallel = (ts_wide_mask)(det < low);
    p->det = ts_wide_max(det, low);
    const ts_wide per = one / p->det, per1 = -one / q1, per3 = -one / q3;
    p->u1 = (q2 * c2 - q3 * c1) * per;
    p->u2 = (q2 * c1 - q1 * c2) * per;
    p->in1 = compare(p->u1, rule->inside, to->inside, rule->hard);
    p->in2 = compare(p->u2, rule->inside, to->inside, rule->hard);
    p->within = ts_wide_select(parallel, all(0), p->in1.within * p->in2.within);

    p->x[0] = (q2 + c2) * per3;
    p->x[1] = c2 * per3;
    p->x[2] = (q2 + c1) * per1;
    p->x[3] = c1 * per1;
    ts_wide *y = p->y, cost[SIDES];
    for (int i = 0; i < SIDES; i++)
        y[i] = clip(p->x[i], rule->clip, to->clip, rule->hard, &p->slope[i]);
    cost[0] = half * (q1 + y[0] * (q2 + q2 + q3 * y[0])) + c1 + c2 * y[0];
    cost[1] = y[1] * (half * q3 * y[1] + c2);
    cost[2] = half * (q3 + y[2] * (q2 + q2 + q1 * y[2])) + c2 + c1 * y[2];
    cost[3] = y[3] * (half * q1 * y[3] + c1);
    least(cost, SIDES, rule->minimum, rule->hard, p->share);
    const ts_wide *s = p->share;
    p->a1 = s[0] * one + s[2] * y[2] + s[3] * y[3];
    p->a2 = s[2] * one + s[0] * y[0] + s[1] * y[1];
}

TS_SIMD void edges_with(const ends *to, const ts_edge_pairs *pairs, double *alpha1, double *alpha2, double *within)
{
    for (size_t at = 0; at < pairs->count; at += TS_WIDE) {
        program p;
        solve(to, pairs, at, &p);
        ts_wide_store(alpha1 + at, p.a1 + p.within * (p.u1 - p.a1));
        ts_wide_store(alpha2 + at, p.a2 + p.within * (p.u2 - p.a2));
        ts_wide_store(within + at, p.within);
    }
}

/* Compiled twice, so that no comparison is decided in the loop. */
static void edges(const ts_edge_rule *rule, const ts_edge_pairs *pairs, double *alpha1, double *alpha2, double *within)
{
    const ends hard = ends_of(rule, true), smooth = ends_of(rule, false);
    if (rule->hard)
        edges_with(&hard, pairs, alpha1, alpha2, within);
    else
        edges_with(&smooth, pairs, alpha1, alpha2, within);
}

/* Of the program's coefficients. */
typedef struct program_bar {
    ts_wide q1, q2, q3, c1, c2;
} program_bar;

/* The minima along the sides: from the adjoint of their mean. */
TS_SIMD void sides_vjp(const ts_edge_rule *rule, const program *p, ts_wide a1_bar, ts_wide a2_bar, program_bar *to)
{
    const ts_wide *y = p->y, *s = p->share, half = all(0.5);
    const ts_wide share_bar[SIDES] = {a1_bar + a2_bar * y[0], a2_bar * y[1], a2_bar + a1_bar * y[2], a1_bar * y[3]};
    ts_wide cost_bar[SIDES], x_bar[SIDES];
    least_vjp(s, share_bar, SIDES, rule->minimum, rule->hard, cost_bar);
    const ts_wide *k = cost_bar;
    to->q1 += half * (k[0] + y[2] * y[2] * k[2] + y[3] * y[3] * k[3]);
    to->q3 += half * (k[2] + y[0] * y[0] * k[0] + y[1] * y[1] * k[1]);
    to->q2 += y[0] * k[0] + y[2] * k[2];
    to->c1 += k[0] + y[2] * k[2] + y[3] * k[3];
    to->c2 += k[2] + y[0] * k[0] + y[1] * k[1];
    x_bar[0] = p->slope[0] * (s[0] * a2_bar + (p->q2 + p->q3 * y[0] + p->c2) * k[0]) / p->q3;
    x_bar[1] = p->slope[1] * (s[1] * a2_bar + (p->q3 * y[1] + p->c2) * k[1]) / p->q3;
    x_bar[2] = p->slope[2] * (s[2] * a1_bar + (p->q2 + p->q1 * y[2] + p->c1) * k[2]) / p->q1;
    x_bar[3] = p->slope[3] * (s[3] * a1_bar + (p->q1 * y[3] + p->c1) * k[3]) / p->q1;
    /* x = −(…) / q: over q already */
    to->q2 -= x_bar[0] + x_bar[2];
    to->c2 -= x_bar[0] + x_bar[1];
    to->c1 -= x_bar[2] + x_bar[3];
    to->q3 -= x_bar[0] * p->x[0] + x_bar[1] * p->x[1];
    to->q1 -= x_bar[2] * p->x[2] + x_bar[3] * p->x[3];
}

/* The free minimum. Where the determinant is cut off its adjoints are 0. */
TS_SIMD void free_vjp(const program *p, ts_wide u1_bar, ts_wide u2_bar, program_bar *to)
{
    const ts_wide n1 = u1_bar / p->det, n2 = u2_bar / p->det;
    const ts_wide det = -(n1 * p->u1 + n2 * p->u2);
    to->q1 += det * p->q3 - n2 * p->c2;
    to->q3 += det * p->q1 - n1 * p->c1;
    to->q2 += n1 * p->c2 + n2 * p->c1 - (det + det) * p->q2;
    to->c1 += n2 * p->q2 - n1 * p->q3;
    to->c2 += n1 * p->q2 - n2 * p->q1;
}

/* d/dx of [x > 0] [x < 1] over its value: (S − T) / ((1 + S) (1 + T) τ). */
TS_SIMD ts_wide within_slope(const ts_edge_rule *rule, bounds in, ts_wide x)
{
    const ts_wide apart = (in.far - in.near) * in.within * (1 / rule->inside);
    return rule->hard ? all(0) : ts_wide_select((ts_wide_mask)(x < 0.5), apart, -apart);
}

static void edges_vjp(const ts_edge_rule *rule, const ts_edge_pairs *pairs, const double *alpha1_bar,
                      const double *alpha2_bar, const double *within_bar, const ts_edge_pairs_bar *to)
{
    const ends e = ends_of(rule, rule->hard);
    for (size_t at = 0; at < pairs->count; at += TS_WIDE) {
        program p;
        solve(&e, pairs, at, &p);
        const ts_wide b1 = ts_wide_load(alpha1_bar + at), b2 = ts_wide_load(alpha2_bar + at);
        const ts_wide rest = all(1) - p.within;
        /* within · its adjoint, which is what derivatives of `within` come with: u may be large where it vanishes */
        const ts_wide in = p.within * (ts_wide_load(within_bar + at) + b1 * (p.u1 - p.a1) + b2 * (p.u2 - p.a2));
        program_bar bar = {all(0), all(0), all(0), all(0), all(0)};
        sides_vjp(rule, &p, rest * b1, rest * b2, &bar);
        free_vjp(&p, p.within * b1 + in * within_slope(rule, p.in1, p.u1),
                 p.within * b2 + in * within_slope(rule, p.in2, p.u2), &bar);
        const ts_wide3 t1 = ts_wide3_add_scaled(
            ts_wide3_sub(ts_wide3_scale(p.t1, bar.q1 + bar.q1), ts_wide3_scale(p.t2, bar.q2)), p.d, bar.c1);
        const ts_wide3 t2 =
            ts_wide3_sub(ts_wide3_sub(ts_wide3_scale(p.t2, bar.q3 + bar.q3), ts_wide3_scale(p.t1, bar.q2)),
                         ts_wide3_scale(p.d, bar.c2));
        const ts_wide3 d = ts_wide3_sub(ts_wide3_scale(p.t1, bar.c1), ts_wide3_scale(p.t2, bar.c2));
        const ts_wide3 none = {all(0), all(0), all(0)};
        ts_wide3_add_to(to->p1, at, t1);
        ts_wide3_add_to(to->p0, at, ts_wide3_sub(d, t1));
        ts_wide3_add_to(to->q1, at, t2);
        ts_wide3_add_to(to->q0, at, ts_wide3_sub(none, ts_wide3_add(d, t2)));
    }
}

/* ---- A vertex and a triangle ---- */

enum { CORNERS = 3 };

typedef struct foot {
    ts_wide3 side[CORNERS], from[CORNERS]; /* of corner i: to the next corner, and to the vertex */
    ts_wide square[CORNERS], x[CORNERS], y[CORNERS], slope[CORNERS], share[CORNERS];
    ts_wide3 apart[CORNERS]; /* vertex − its foot on a side */
    ts_wide e11, e12, e22, r1, r2, det, s, t;
    bounds in[CORNERS]; /* of s, t, 1 − s − t */
    ts_wide within;
    ts_wide3 free, bound; /* from the first corner */
} foot;

TS_SIMD void solve_face(const ends *to, const ts_face_pairs *pairs, size_t at, foot *f)
{
    const ts_edge_rule *rule = &to->rule;
    const ts_wide3 v = ts_wide3_load(pairs->v, at);
    const ts_wide3 corner[CORNERS] = {ts_wide3_load(pairs->a, at), ts_wide3_load(pairs->b, at),
                                      ts_wide3_load(pairs->c, at)};
    const ts_wide half = all(0.5), one = all(1);
    ts_wide cost[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        f->side[i] = ts_wide3_sub(corner[(i + 1) % CORNERS], corner[i]);
        f->from[i] = ts_wide3_sub(v, corner[i]);
        f->square[i] = ts_wide3_dot(f->side[i], f->side[i]) + TINY;
        f->x[i] = ts_wide3_dot(f->from[i], f->side[i]) / f->square[i];
        f->y[i] = clip(f->x[i], rule->clip, to->clip, rule->hard, &f->slope[i]);
        f->apart[i] = ts_wide3_add_scaled(f->from[i], f->side[i], -f->y[i]);
        cost[i] = half * ts_wide3_dot(f->apart[i], f->apart[i]);
    }
    least(cost, CORNERS, rule->minimum, rule->hard, f->share);
    /* Σ share · foot − a = (v − a) − Σ share · (v − foot) */
    f->bound = f->from[0];
    for (int i = 0; i < CORNERS; i++)
        f->bound = ts_wide3_add_scaled(f->bound, f->apart[i], -f->share[i]);

    const ts_wide3 e1 = f->side[0], e2 = ts_wide3_sub(corner[2], corner[0]);
    f->e11 = f->square[0];
    f->e12 = ts_wide3_dot(e1, e2);
    f->e22 = ts_wide3_dot(e2, e2) + TINY;
    f->r1 = ts_wide3_dot(f->from[0], e1);
    f->r2 = ts_wide3_dot(f->from[0], e2);
    const ts_wide det = f->e11 * f->e22 - f->e12 * f->e12, low = f->e11 * f->e22 * LEAST_DETERMINANT + LEAST;
    const ts_wide_mask flat = (ts_wide_mask)(det < low);
    f->det = ts_wide_max(det, low);
    const ts_wide per = one / f->det;
    f->s = (f->e22 * f->r1 - f->e12 * f->r2) * per;
    f->t = (f->e11 * f->r2 - f->e12 * f->r1) * per;
    f->in[0] = compare(f->s, rule->inside, to->inside, rule->hard);
    f->in[1] = compare(f->t, rule->inside, to->inside, rule->hard);
    f->in[2] = compare(one - f->s - f->t, rule->inside, to->inside, rule->hard);
    f->within = ts_wide_select(flat, all(0), f->in[0].within * f->in[1].within * f->in[2].within);
    f->free = ts_wide3_add_scaled(ts_wide3_scale(e1, f->s), e2, f->t);
}

TS_SIMD void faces_with(const ends *to, const ts_face_pairs *pairs, double *const point[3], double *within)
{
    for (size_t at = 0; at < pairs->count; at += TS_WIDE) {
        foot f;
        solve_face(to, pairs, at, &f);
        const ts_wide3 more = ts_wide3_scale(ts_wide3_sub(f.free, f.bound), f.within);
        ts_wide3_store(point, at, ts_wide3_add(ts_wide3_load(pairs->a, at), ts_wide3_add(f.bound, more)));
        ts_wide_store(within + at, f.within);
    }
}

static void faces(const ts_edge_rule *rule, const ts_face_pairs *pairs, double *const point[3], double *within)
{
    const ends hard = ends_of(rule, true), smooth = ends_of(rule, false);
    if (rule->hard)
        faces_with(&hard, pairs, point, within);
    else
        faces_with(&smooth, pairs, point, within);
}

static void faces_vjp(const ts_edge_rule *rule, const ts_face_pairs *pairs, const double *const point_bar[3],
                      const double *within_bar, const ts_face_pairs_bar *to)
{
    const ends e = ends_of(rule, rule->hard);
    for (size_t at = 0; at < pairs->count; at += TS_WIDE) {
        foot f;
        solve_face(&e, pairs, at, &f);
        const ts_wide one = all(1), zero = all(0);
        const ts_wide3 none = {zero, zero, zero}, bar = ts_wide3_load(point_bar, at);
        ts_wide3 v_bar = none, corner_bar[CORNERS] = {bar, none, none};
        /* the foot in the plane */
        const ts_wide3 e1 = f.side[0], e2 = ts_wide3_sub(none, f.side[2]), free_bar = ts_wide3_scale(bar, f.within);
        const ts_wide in =
            f.within * (ts_wide_load(within_bar + at) + ts_wide3_dot(bar, ts_wide3_sub(f.free, f.bound)));
        const ts_wide last = in * within_slope(rule, f.in[2], one - f.s - f.t);
        const ts_wide s = ts_wide3_dot(free_bar, e1) + in * within_slope(rule, f.in[0], f.s) - last;
        const ts_wide t = ts_wide3_dot(free_bar, e2) + in * within_slope(rule, f.in[1], f.t) - last;
        const ts_wide ns = s / f.det, nt = t / f.det, det = -(ns * f.s + nt * f.t);
        const ts_wide e11 = nt * f.r2 + det * f.e22, e22 = ns * f.r1 + det * f.e11;
        const ts_wide e12 = -(ns * f.r2 + nt * f.r1) - (det + det) * f.e12;
        const ts_wide r1 = ns * f.e22 - nt * f.e12, r2 = nt * f.e11 - ns * f.e12;
        ts_wide3 e1_bar = ts_wide3_scale(free_bar, f.s), e2_bar = ts_wide3_scale(free_bar, f.t);
        e1_bar = ts_wide3_add_scaled(ts_wide3_add_scaled(e1_bar, e1, e11 + e11), e2, e12);
        e2_bar = ts_wide3_add_scaled(ts_wide3_add_scaled(e2_bar, e2, e22 + e22), e1, e12);
        e1_bar = ts_wide3_add_scaled(e1_bar, f.from[0], r1);
        e2_bar = ts_wide3_add_scaled(e2_bar, f.from[0], r2);
        ts_wide3 from_bar = ts_wide3_add_scaled(ts_wide3_scale(e1, r1), e2, r2);
        /* the feet on the sides */
        const ts_wide3 bound_bar = ts_wide3_scale(bar, one - f.within);
        ts_wide share_bar[CORNERS], cost_bar[CORNERS];
        for (int i = 0; i < CORNERS; i++)
            share_bar[i] = -ts_wide3_dot(bound_bar, f.apart[i]);
        least_vjp(f.share, share_bar, CORNERS, rule->minimum, rule->hard, cost_bar);
        from_bar = ts_wide3_add(from_bar, bound_bar);
        for (int i = 0; i < CORNERS; i++) {
            const ts_wide3 apart_bar =
                ts_wide3_sub(ts_wide3_scale(f.apart[i], cost_bar[i]), ts_wide3_scale(bound_bar, f.share[i]));
            const ts_wide x_bar = -f.slope[i] * ts_wide3_dot(apart_bar, f.side[i]) / f.square[i];
            ts_wide3 side_bar = ts_wide3_scale(apart_bar, -f.y[i]);
            side_bar = ts_wide3_add_scaled(side_bar, f.from[i], x_bar);
            side_bar = ts_wide3_add_scaled(side_bar, f.side[i], -(x_bar + x_bar) * f.x[i]);
            const ts_wide3 start_bar = ts_wide3_add_scaled(apart_bar, f.side[i], x_bar); /* of v − corner */
            v_bar = ts_wide3_add(v_bar, start_bar);
            corner_bar[i] = ts_wide3_sub(corner_bar[i], ts_wide3_add(start_bar, side_bar));
            corner_bar[(i + 1) % CORNERS] = ts_wide3_add(corner_bar[(i + 1) % CORNERS], side_bar);
        }
        v_bar = ts_wide3_add(v_bar, from_bar);
        corner_bar[0] = ts_wide3_sub(corner_bar[0], ts_wide3_add(from_bar, ts_wide3_add(e1_bar, e2_bar)));
        corner_bar[1] = ts_wide3_add(corner_bar[1], e1_bar);
        corner_bar[2] = ts_wide3_add(corner_bar[2], e2_bar);
        ts_wide3_add_to(to->v, at, v_bar);
        ts_wide3_add_to(to->a, at, corner_bar[0]);
        ts_wide3_add_to(to->b, at, corner_bar[1]);
        ts_wide3_add_to(to->c, at, corner_bar[2]);
    }
}

const ts_edge_kernels TS_KERNEL(ts_edge) = {edges, edges_vjp, faces, faces_vjp};
