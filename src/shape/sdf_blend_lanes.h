/* SPDX-License-Identifier: MIT */
/* Union and subtraction of primitives at LANES points.
 *
 *     union          w_l ∝ exp(-φ_l / τ),              φ₊ = Σ w_l φ_l
 *     subtraction    w_k ∝ exp(v_k / τ),               φ  = Σ w_k v_k       v = φ₊ and -φ_s of all that is subtracted
 *     normals        Σ w n, with plain weights: never negative ones
 *
 * Σ w φ is the log-sum-exp with τ times the entropy of the weights added back: -τ log Σ exp(-φ_l/τ) + τ H(w). Where
 * primitives tie, and where one is alone, it is exactly the minimum. No blend can be that and grow with each φ_l, too: for
 * two, (a + b)/2 + h(a - b) would need h(0) = 0, |h'| ≤ ½ and h(d) → -|d|/2, which -|d|/2 alone fulfils, with its kink. Here
 * ∂φ/∂φ_l = w_l (1 - (φ_l - φ)/τ) lies between -0.1 and 1.1 for two, and φ is above the minimum by up to 0.28 τ.
 *
 * Weights below exp(-TS_SDF_CUT) of the largest are zero. So a primitive whose lower bound (sdf_primitive_lanes.h) is that far
 * above another's value has no part in the answer, and is left out without changing a bit. */
#pragma once

#include <string.h>

#include "shape/sdf_primitive_lanes.h"

/* All primitives at one block of points. */
typedef struct block {
    const ts_sdf_packs *packs;
    const ts_sdf_rule *rule;
    wide3 x;
    bool derive;
    uint64_t found[TS_SDF_PRIMITIVES_MAX / 64]; /* which have answers */
    wide lower[TS_SDF_PRIMITIVES_MAX];
    answer answer[TS_SDF_PRIMITIVES_MAX];
    wide weight[TS_SDF_PRIMITIVES_MAX]; /* within the union, or within the subtraction */
    /* union and all */
    answer sum, total;  /* normals are not yet of unit length */
    wide weight_of_sum; /* of the union in the subtraction */
    wide3 normal;       /* of unit length */
    wide inverse;       /* one over the root under it */
} block;

TS_SIMD bool has(const block *b, size_t i)
{
    return (b->found[i / 64] >> (i % 64)) & 1;
}

/* Primitives `item`: answers, in groups of superquadrics. */
TS_SIMD void evaluate(block *b, const size_t *item, size_t count)
{
    const ts_sdf_pack *p[GROUP];
    answer *to[GROUP];
    for (size_t i = 0; i < GROUP; i++) {
        const size_t k = item[i < count ? i : 0];
        p[i] = &b->packs->pack[k];
        to[i] = &b->answer[k];
        b->found[k / 64] |= (uint64_t)1 << (k % 64);
    }
    superquadrics(p, b->x, b->rule->normal, b->derive, to);
}

/* One that is no superquadric. */
TS_SIMD void evaluate_other(block *b, size_t k)
{
    const ts_sdf_pack *p = &b->packs->pack[k];
    b->found[k / 64] |= (uint64_t)1 << (k % 64);
    if (p->kind == TS_PRIMITIVE_POLYHEDRON)
        polyhedron_answer(p, &b->x, b->rule, b->derive, &b->answer[k]);
    else
        cloud_answer(p, &b->x, b->rule, b->derive, &b->answer[k]);
}

/* Answers for all of begin … end whose lower bound is not above the limit in every lane. `falling`: whatever is found lowers
 * the limit. */
TS_SIMD void evaluate_near(block *b, size_t begin, size_t end, wide limit, bool falling)
{
    const double cut = TS_SDF_CUT * b->rule->tau;
    size_t waiting[GROUP], count = 0;
    for (size_t k = begin; k < end; k++) {
        if (has(b, k) || (!b->rule->everything && !any((mask)(b->lower[k] <= limit))))
            continue;
        if (b->packs->pack[k].kind != TS_PRIMITIVE_SUPERQUADRIC) {
            evaluate_other(b, k);
            if (falling)
                limit = WIDE(min)(b->answer[k].value + cut, limit);
            continue;
        }
        waiting[count++] = k;
        if (count < GROUP)
            continue;
        evaluate(b, waiting, count);
        for (size_t i = 0; falling && i < count; i++)
            limit = WIDE(min)(b->answer[waiting[i]].value + cut, limit);
        count = 0;
    }
    if (count)
        evaluate(b, waiting, count);
}

/* Begins with the one whose bound is least, so that the others are compared with a small value. */
TS_SIMD void evaluate_added(block *b)
{
    const size_t count = b->packs->added;
    size_t first = 0;
    double least = HUGE_VAL;
    for (size_t k = 0; k < count && !b->rule->everything; k++) {
        b->lower[k] = primitive_bound(&b->packs->pack[k], b->x, b->rule->tau);
        const double low = smallest(b->lower[k]);
        if (low < least) {
            least = low;
            first = k;
        }
    }
    if (b->packs->pack[first].kind == TS_PRIMITIVE_SUPERQUADRIC)
        evaluate(b, &first, 1);
    else
        evaluate_other(b, first);
    evaluate_near(b, 0, count, b->answer[first].value + TS_SDF_CUT * b->rule->tau, true);
}

TS_SIMD void evaluate_subtracted(block *b)
{
    const size_t begin = b->packs->added, end = begin + b->packs->subtracted;
    for (size_t k = begin; k < end && !b->rule->everything; k++)
        b->lower[k] = primitive_bound(&b->packs->pack[k], b->x, b->rule->tau);
    evaluate_near(b, begin, end, TS_SDF_CUT * b->rule->tau - b->sum.value, false);
}

/* e^(-(value - top)/τ), 0 beyond the cut. Adds it to *sum, and e times the difference to *lift. */
TS_SIMD wide add_weight(wide value, wide top, double tau, wide *sum, wide *lift)
{
    const wide d = value - top;
    const mask off = (mask)(d > TS_SDF_CUT * tau);
    const wide e = either(off, all(0), WIDE(exp_core)(d * (-1 / tau)));
    *sum += e;
    *lift += e * either(off, all(0), d);
    return e;
}

/* The softened minimum of begin … end, and of *also (NULL: no more): its value, and all weights. */
TS_SIMD wide blend(block *b, size_t begin, size_t end, const wide *also, wide *weight_of_also)
{
    const double tau = b->rule->tau;
    wide top = also ? *also : all(HUGE_VAL), sum = all(0), lift = all(0);
    for (size_t k = begin; k < end; k++)
        if (has(b, k))
            top = WIDE(min)(b->answer[k].value, top);
    if (also)
        *weight_of_also = add_weight(*also, top, tau, &sum, &lift);
    for (size_t k = begin; k < end; k++)
        if (has(b, k))
            b->weight[k] = add_weight(b->answer[k].value, top, tau, &sum, &lift);
    const wide share = 1.0 / sum;
    for (size_t k = begin; k < end; k++)
        if (has(b, k))
            b->weight[k] = b->weight[k] * share;
    if (also)
        *weight_of_also = *weight_of_also * share;
    return top + (b->rule->published ? -tau * WIDE(log_core)(sum) : lift * share);
}

/* ∂ blend / ∂ value, for its weight */
TS_SIMD wide blend_slope(const block *b, wide weight, wide value, wide blended)
{
    return b->rule->published ? weight : weight * (1.0 - (value - blended) * (1 / b->rule->tau));
}

/* Gradient and normal of the softened minimum of begin … end. */
TS_SIMD void blend_vectors(const block *b, size_t begin, size_t end, wide blended, wide3 *gradient, wide3 *normal)
{
    for (size_t k = begin; k < end; k++)
        if (has(b, k)) {
            const answer *a = &b->answer[k];
            *gradient = plus(*gradient, scaled(a->gradient, blend_slope(b, b->weight[k], a->value, blended)));
            *normal = plus(*normal, scaled(a->normal, b->weight[k]));
        }
}

/* Works out all of a block whose packs, rule, x and derive are set. */
TS_SIMD void solve_block(block *b)
{
    const size_t added = b->packs->added, end = added + b->packs->subtracted;
    memset(b->found, 0, sizeof b->found);
    evaluate_added(b);
    b->sum.value = blend(b, 0, added, NULL, NULL);
    b->sum.gradient = b->sum.normal = none();
    if (b->derive)
        blend_vectors(b, 0, added, b->sum.value, &b->sum.gradient, &b->sum.normal);
    b->total = b->sum;
    if (end > added) {
        /* the maximum of φ₊ and all -φ_s is minus the minimum of -φ₊ and all φ_s */
        const wide negated = -b->sum.value;
        evaluate_subtracted(b);
        const wide blended = blend(b, added, end, &negated, &b->weight_of_sum);
        b->total.value = -blended;
        if (b->derive) {
            wide3 gradient = none(), normal = none();
            blend_vectors(b, added, end, blended, &gradient, &normal);
            b->total.gradient =
                minus(scaled(b->sum.gradient, blend_slope(b, b->weight_of_sum, negated, blended)), gradient);
            b->total.normal = minus(scaled(b->sum.normal, b->weight_of_sum), normal);
        }
    }
    b->normal = unit(b->total.normal, b->rule->normal, &b->inverse);
}

/* Where a coordinate is not finite, or beyond all bodies. */
TS_SIMD mask lost(const ts_sdf_packs *packs, wide3 x)
{
    const wide far = WIDE(max)(WIDE(abs)(x.v[0]), WIDE(max)(WIDE(abs)(x.v[1]), WIDE(abs)(x.v[2])));
    const wide sum = x.v[0] + x.v[1] + x.v[2];
    return ~((mask)(far < packs->far) & (mask)(sum == sum));
}
