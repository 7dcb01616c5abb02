/* SPDX-License-Identifier: MIT */
#include "manifold/edge_weights.h"
#include "base/kernel.h"
#include "base/wide.h"

/* Square of a sine below which a direction is lost. */
#define LOST 1e-24
#define TINY 1e-280
/* Below that |n₁ − n₂| two surfaces look the same way, and do not touch. */
#define FACING 0.5
/* Below that length of the mixed direction the sign of the normal is in doubt. */
#define IN_DOUBT 0.25

TS_SIMD ts_wide all(double a)
{
    return ts_wide_broadcast(a);
}

TS_SIMD ts_wide3 cross(ts_wide3 a, ts_wide3 b)
{
    return (ts_wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TS_SIMD ts_wide3 columns(double *const column[3], size_t at)
{
    return ts_wide3_load((const double *const *)column, at);
}

TS_SIMD void add(double *column, size_t at, ts_wide v)
{
    ts_wide_store(column + at, ts_wide_load(column + at) + v);
}

/* Adjoint of a in a · r, r = 1 / √(|a|² + …), from that of the unit vector u. */
TS_SIMD ts_wide3 unit_vjp(ts_wide3 u, ts_wide r, ts_wide3 bar)
{
    return ts_wide3_scale(ts_wide3_add_scaled(bar, u, -ts_wide3_dot(u, bar)), r);
}

/* ---- Gap and normal ---- */

/* 1 / |v| of |v|² where |v| ≥ least, and below that its Taylor polynomial in |v|²: so v / |v| fades to 0, and stays twice
 * continuously differentiable. `slope`: by |v|². */
TS_SIMD ts_wide fading(ts_wide square, double least, ts_wide *slope)
{
    const ts_wide z = square * (1 / (least * least)), r = all(1) / ts_wide_sqrt(square);
    const ts_wide_mask below = (ts_wide_mask)(square < least * least);
    const ts_wide low = (z * (z * 0.375 - 1.25) + 1.875) * (1 / least);
    const ts_wide low_slope = (z * 0.75 - 1.25) * (1 / (least * least * least));
    *slope = ts_wide_select(below, low_slope, r * r * r * -0.5);
    return ts_wide_select(below, low, r);
}
/* Adjoint of v in v · fading(|v|²). */
TS_SIMD ts_wide3 fading_vjp(ts_wide3 v, ts_wide factor, ts_wide slope, ts_wide3 bar)
{
    const ts_wide along = ts_wide3_dot(v, bar) * slope;
    return ts_wide3_add_scaled(ts_wide3_scale(bar, factor), v, along + along);
}

typedef struct facing {
    ts_wide3 apart;          /* e₂ − e₁ */
    ts_wide3 n1, n2, toward; /* toward: n₁ − n₂ */
    ts_wide3 clashing;       /* along it, of unit length or faded */
    ts_wide clash_per, clash_slope;
    ts_wide3 t1, t2, c, across;   /* c = t₁ × t₂; across: unit */
    ts_wide tt, across_per, sine; /* |t₁|² |t₂|², 1 / |c|, sin² of their angle */
    ts_wide sign, certain;        /* tanh(across · clashing / τ); how sure it is */
    ts_wide per;                  /* 1 / (sine + τ²) */
    ts_wide3 mixed, normal;       /* normal: along `mixed`, of unit length or faded */
    ts_wide normal_per, normal_slope, gap;
} facing;

/* As published: unit vector and length of e₂ − e₁, and the signs of both points. */
typedef struct published {
    ts_wide3 apart, unit, n1, n2;
    ts_wide per, length, sign1, sign2;
} published;

TS_SIMD void face(const ts_edge_weight_rule *rule, const ts_edge_weight_in *in, size_t at, facing *f)
{
    f->apart = ts_wide3_sub(columns(in->e2, at), columns(in->e1, at));
    f->n1 = columns(in->n1, at);
    f->n2 = columns(in->n2, at);
    f->toward = ts_wide3_sub(f->n1, f->n2);
    f->clash_per = fading(ts_wide3_dot(f->toward, f->toward), FACING, &f->clash_slope);
    f->clashing = ts_wide3_scale(f->toward, f->clash_per);
    f->t1 = columns(in->t1, at);
    f->t2 = columns(in->t2, at);
    f->c = cross(f->t1, f->t2);
    const ts_wide cc = ts_wide3_dot(f->c, f->c);
    f->tt = ts_wide3_dot(f->t1, f->t1) * ts_wide3_dot(f->t2, f->t2) + TINY;
    f->sine = cc / f->tt;
    f->across_per = all(1) / ts_wide_sqrt(cc + f->tt * LOST);
    f->across = ts_wide3_scale(f->c, f->across_per);
    f->sign = TS_WIDE_OP(tanh)(ts_wide3_dot(f->across, f->clashing) * (1 / rule->sign));
    /* where sin² is below the square of τ the edges are as good as parallel */
    const double parallel = rule->sign * rule->sign;
    f->per = all(1) / (f->sine + parallel);
    f->certain = (f->sine * f->sign * f->sign + parallel) * f->per;
    const ts_wide3 n = ts_wide3_add_scaled(ts_wide3_scale(f->across, f->sine * f->sign), f->clashing, all(parallel));
    f->mixed = ts_wide3_scale(n, f->per);
    f->normal_per = fading(ts_wide3_dot(f->mixed, f->mixed), IN_DOUBT, &f->normal_slope);
    f->normal = ts_wide3_scale(f->mixed, f->normal_per);
    f->gap = ts_wide3_dot(f->normal, f->apart);
}

TS_SIMD void face_vjp(const ts_edge_weight_rule *rule, const facing *f, size_t at, ts_wide gap_bar, ts_wide3 normal_bar,
                      ts_wide certain_bar, const ts_edge_weight_in *to)
{
    const double parallel = rule->sign * rule->sign;
    const ts_wide3 apart_bar = ts_wide3_scale(f->normal, gap_bar), none = {all(0), all(0), all(0)};
    ts_wide3_add_to(to->e2, at, apart_bar);
    ts_wide3_add_to(to->e1, at, ts_wide3_sub(none, apart_bar));
    const ts_wide3 mixed_bar = fading_vjp(f->mixed, f->normal_per, f->normal_slope,
                                          ts_wide3_add_scaled(normal_bar, f->apart, gap_bar)),
                   n_bar = ts_wide3_scale(mixed_bar, f->per);
    const ts_wide along = ts_wide3_dot(f->across, n_bar);
    const ts_wide sine_bar =
        f->sign * along - ts_wide3_dot(f->mixed, n_bar) + certain_bar * (f->sign * f->sign - f->certain) * f->per;
    const ts_wide sign_bar = f->sine * along + certain_bar * (f->sign + f->sign) * f->sine * f->per;
    const ts_wide turn_bar = sign_bar * (all(1) - f->sign * f->sign) * (1 / rule->sign);
    const ts_wide3 across_bar = ts_wide3_add_scaled(ts_wide3_scale(n_bar, f->sine * f->sign), f->clashing, turn_bar);
    const ts_wide3 clashing_bar = ts_wide3_add_scaled(ts_wide3_scale(n_bar, all(parallel)), f->across, turn_bar);
    const ts_wide3 toward_bar = fading_vjp(f->toward, f->clash_per, f->clash_slope, clashing_bar);
    ts_wide3_add_to(to->n1, at, toward_bar);
    ts_wide3_add_to(to->n2, at, ts_wide3_sub(none, toward_bar));
    const ts_wide tt_bar = -(sine_bar * f->sine / f->tt) -
                           f->across_per * f->across_per * ts_wide3_dot(f->across, across_bar) * (0.5 * LOST);
    const ts_wide3 c_bar =
        ts_wide3_add_scaled(unit_vjp(f->across, f->across_per, across_bar), f->c, (sine_bar + sine_bar) / f->tt);
    const ts_wide aa = ts_wide3_dot(f->t1, f->t1), bb = ts_wide3_dot(f->t2, f->t2);
    ts_wide3_add_to(to->t1, at, ts_wide3_add_scaled(cross(f->t2, c_bar), f->t1, (tt_bar + tt_bar) * bb));
    ts_wide3_add_to(to->t2, at, ts_wide3_add_scaled(cross(c_bar, f->t1), f->t2, (tt_bar + tt_bar) * aa));
}

TS_SIMD void face_published(const ts_edge_weight_rule *rule, const ts_edge_weight_in *in, size_t at, published *f)
{
    f->apart = ts_wide3_sub(columns(in->e2, at), columns(in->e1, at));
    f->n1 = columns(in->n1, at);
    f->n2 = columns(in->n2, at);
    const ts_wide square = ts_wide3_dot(f->apart, f->apart);
    f->length = ts_wide_sqrt(square);
    f->per = all(1) / ts_wide_sqrt(square + rule->least);
    f->unit = ts_wide3_scale(f->apart, f->per);
    f->sign1 = TS_WIDE_OP(tanh)(-ts_wide3_dot(f->n2, f->unit) * (1 / rule->sign));
    f->sign2 = TS_WIDE_OP(tanh)(ts_wide3_dot(f->n1, f->unit) * (1 / rule->sign));
}

TS_SIMD void face_published_vjp(const ts_edge_weight_rule *rule, const published *f, size_t at,
                                const ts_edge_weight_out *bar, const ts_edge_weight_in *to)
{
    const ts_wide gap1 = ts_wide_load(bar->gap1 + at), gap2 = ts_wide_load(bar->gap2 + at);
    const ts_wide3 normal1 = columns(bar->normal1, at), normal2 = columns(bar->normal2, at);
    const ts_wide3 none = {all(0), all(0), all(0)};
    const double per = 1 / rule->sign;
    const ts_wide a1 = (gap1 * f->length + ts_wide3_dot(normal1, f->unit)) * (all(1) - f->sign1 * f->sign1) * per;
    const ts_wide a2 = (gap2 * f->length + ts_wide3_dot(normal2, f->unit)) * (all(1) - f->sign2 * f->sign2) * per;
    ts_wide3 unit_bar = ts_wide3_add_scaled(ts_wide3_scale(normal1, f->sign1), normal2, f->sign2);
    unit_bar = ts_wide3_add_scaled(ts_wide3_add_scaled(unit_bar, f->n2, -a1), f->n1, a2);
    ts_wide3_add_to(to->n2, at, ts_wide3_scale(f->unit, -a1));
    ts_wide3_add_to(to->n1, at, ts_wide3_scale(f->unit, a2));
    const ts_wide length_bar = f->sign1 * gap1 + f->sign2 * gap2;
    const ts_wide3 apart_bar =
        ts_wide3_add_scaled(unit_vjp(f->unit, f->per, unit_bar), f->apart, length_bar / (f->length + TINY));
    ts_wide3_add_to(to->e2, at, apart_bar);
    ts_wide3_add_to(to->e1, at, ts_wide3_sub(none, apart_bar));
}

/* ---- Weights ---- */

static void weights(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                    const ts_edge_weight_out *out)
{
    for (size_t at = 0; at < count; at += TS_WIDE) {
        ts_wide certain = all(1);
        ts_wide3 n1, n2;
        if (rule->published) {
            published f;
            face_published(rule, in, at, &f);
            n1 = f.n1, n2 = f.n2;
            ts_wide_store(out->gap1 + at, f.sign1 * f.length);
            ts_wide_store(out->gap2 + at, f.sign2 * f.length);
            ts_wide3_store(out->normal1, at, ts_wide3_scale(f.unit, f.sign1));
            ts_wide3_store(out->normal2, at, ts_wide3_scale(f.unit, f.sign2));
        } else {
            facing f;
            face(rule, in, at, &f);
            n1 = f.n1, n2 = f.n2;
            certain = f.certain;
            ts_wide_store(out->gap1 + at, f.gap);
            ts_wide_store(out->gap2 + at, f.gap);
            ts_wide3_store(out->normal1, at, f.normal);
            ts_wide3_store(out->normal2, at, f.normal);
        }
        const ts_wide clash = TS_WIDE_OP(sigmoid)(-ts_wide3_dot(n1, n2) * (1 / rule->clash));
        const ts_wide inside1 = TS_WIDE_OP(sigmoid)(-ts_wide_load(in->depth1 + at) * (1 / rule->depth));
        const ts_wide inside2 = TS_WIDE_OP(sigmoid)(-ts_wide_load(in->depth2 + at) * (1 / rule->depth));
        const ts_wide common = ts_wide_load(in->colliding + at) * clash * certain;
        ts_wide_store(out->clash + at, clash * certain);
        ts_wide_store(out->inside1 + at, inside1);
        ts_wide_store(out->inside2 + at, inside2);
        ts_wide_store(out->weight1 + at, common * inside1 * ts_wide_load(in->near1 + at));
        ts_wide_store(out->weight2 + at, common * inside2 * ts_wide_load(in->near2 + at));
    }
}

/* Through the products; returns the adjoint of `certain`. */
TS_SIMD ts_wide products_vjp(const ts_edge_weight_rule *rule, size_t at, ts_wide3 n1, ts_wide3 n2, ts_wide certain,
                             const ts_edge_weight_in *in, const ts_edge_weight_out *bar, const ts_edge_weight_in *to)
{
    const ts_wide clash = TS_WIDE_OP(sigmoid)(-ts_wide3_dot(n1, n2) * (1 / rule->clash));
    const ts_wide inside1 = TS_WIDE_OP(sigmoid)(-ts_wide_load(in->depth1 + at) * (1 / rule->depth));
    const ts_wide inside2 = TS_WIDE_OP(sigmoid)(-ts_wide_load(in->depth2 + at) * (1 / rule->depth));
    const ts_wide near1 = ts_wide_load(in->near1 + at), near2 = ts_wide_load(in->near2 + at);
    const ts_wide w1 = ts_wide_load(bar->weight1 + at), w2 = ts_wide_load(bar->weight2 + at);
    const ts_wide colliding = ts_wide_load(in->colliding + at), common = colliding * clash * certain;
    const ts_wide sum = w1 * inside1 * near1 + w2 * inside2 * near2, one = all(1);
    add(to->colliding, at, sum * clash * certain);
    add(to->near1, at, w1 * common * inside1);
    add(to->near2, at, w2 * common * inside2);
    add(to->depth1, at, -(w1 * common * near1 * inside1 * (one - inside1) * (1 / rule->depth)));
    add(to->depth2, at, -(w2 * common * near2 * inside2 * (one - inside2) * (1 / rule->depth)));
    const ts_wide dot_bar = -(sum * colliding * certain * clash * (one - clash) * (1 / rule->clash));
    ts_wide3_add_to(to->n1, at, ts_wide3_scale(n2, dot_bar));
    ts_wide3_add_to(to->n2, at, ts_wide3_scale(n1, dot_bar));
    return sum * colliding * clash;
}

static void weights_vjp(const ts_edge_weight_rule *rule, size_t count, const ts_edge_weight_in *in,
                        const ts_edge_weight_out *bar, const ts_edge_weight_in *to)
{
    for (size_t at = 0; at < count; at += TS_WIDE)
        if (rule->published) {
            published f;
            face_published(rule, in, at, &f);
            products_vjp(rule, at, f.n1, f.n2, all(1), in, bar, to);
            face_published_vjp(rule, &f, at, bar, to);
        } else {
            facing f;
            face(rule, in, at, &f);
            const ts_wide certain_bar = products_vjp(rule, at, f.n1, f.n2, f.certain, in, bar, to);
            face_vjp(rule, &f, at, ts_wide_load(bar->gap1 + at) + ts_wide_load(bar->gap2 + at),
                     ts_wide3_add(columns(bar->normal1, at), columns(bar->normal2, at)), certain_bar, to);
        }
}

static void exps(size_t count, const double *x, double per, double *to)
{
    for (size_t at = 0; at < count; at += TS_WIDE)
        ts_wide_store(to + at, ts_wide_exp(ts_wide_load(x + at) * per));
}

const ts_edge_weight_kernels TS_KERNEL(ts_edge_weight) = {weights, weights_vjp, exps};
