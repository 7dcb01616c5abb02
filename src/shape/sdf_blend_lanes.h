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
 * above another's upper bound has no part in the answer, and is left out without changing a bit. Which ones are needed is
 * known before any of them is worked out: no branch waits for an answer, and they overlap. */
#pragma once

#include "shape/sdf_primitive_lanes.h"

/* All primitives at one block of points. */
typedef struct block { // NOLINT(clang-analyzer-optin.performance.Padding): there is one
    const ts_sdf_packs *packs;
    const ts_sdf_rule *rule;
    wide3 x;
    wanted wanted;
    double cut;                                             /* weights end there [m] */
    size_t found_count[2], found[2][TS_SDF_PRIMITIVES_MAX]; /* those that count: added and subtracted ones */
    wide lower[TS_SDF_PRIMITIVES_MAX];
    answer answer[TS_SDF_PRIMITIVES_MAX];
    wide weight[TS_SDF_PRIMITIVES_MAX]; /* within the union, or within the subtraction */
    /* union and all */
    answer sum, total;  /* normals are not yet of unit length */
    wide weight_of_sum; /* of the union in the subtraction */
    wide3 normal;       /* of unit length */
    wide inverse;       /* one over the root under it */
} block;

/* How many superquadrics of a blend are kept on request. */
#define KEPT 16

/* Answers for all that was found, superquadrics in groups. The first ones are kept (NULL: not wanted; KEPT and one to spare). */
TS_SIMD_LARGE void evaluate(block *b, int which, superquadric *kept)
{
    const ts_sdf_pack *waiting[GROUP];
    answer *to[GROUP];
    superquadric *keep[GROUP] = {NULL};
    int count = 0;
    for (size_t i = 0; i < b->found_count[which]; i++) {
        const size_t k = b->found[which][i];
        const ts_sdf_pack *p = &b->packs->pack[k];
        if (p->kind == TS_PRIMITIVE_POLYHEDRON) {
            polyhedron_answer(p, &b->x, b->rule, b->wanted, &b->answer[k]);
        } else if (p->kind == TS_PRIMITIVE_CLOUD) {
            cloud_answer(p, &b->x, b->rule, b->wanted, &b->answer[k]);
        } else {
            waiting[count] = p;
            if (kept)
                keep[count] = &kept[i < KEPT ? i : KEPT];
            to[count++] = &b->answer[k];
        }
        if (count == GROUP) {
            superquadrics(waiting, GROUP, b->x, b->rule->normal, b->wanted, to, kept ? keep : NULL);
            count = 0;
        }
    }
    for (int i = 0; i < count; i++)
        superquadrics(waiting + i, 1, b->x, b->rule->normal, b->wanted, to + i, kept ? keep + i : NULL);
}

/* Those of begin … end whose lower bound is not above the limit in every lane. */
TS_SIMD void find_near(block *b, int which, size_t begin, size_t end, wide limit)
{
    size_t count = 0;
    for (size_t k = begin; k < end; k++) {
        b->found[which][count] = k;
        count += b->rule->everything || any((mask)(b->lower[k] <= limit));
    }
    b->found_count[which] = count;
}

TS_SIMD void find_added(block *b)
{
    wide limit = all(HUGE_VAL);
    for (size_t k = 0; k < b->packs->added && !b->rule->everything; k++) {
        const bounds of = primitive_bounds(&b->packs->pack[k], b->x, b->rule->tau);
        b->lower[k] = of.low;
        limit = WIDE(min)(of.high, limit);
    }
    find_near(b, 0, 0, b->packs->added, limit + b->cut);
}

TS_SIMD void find_subtracted(block *b)
{
    const size_t begin = b->packs->added, end = begin + b->packs->subtracted;
    for (size_t k = begin; k < end && !b->rule->everything; k++)
        b->lower[k] = primitive_bounds(&b->packs->pack[k], b->x, b->rule->tau).low;
    find_near(b, 1, begin, end, b->cut - b->sum.value);
}

/* e^(-(value - top)/τ), 0 beyond the cut. Adds it to *sum, and e times the difference to *lift. */
TS_SIMD wide add_weight(const block *b, wide value, wide top, wide *sum, wide *lift)
{
    const wide d = value - top;
    const mask off = (mask)(d > b->cut);
    const wide e = either(off, all(0), WIDE(exp_core)(d * (-1 / b->rule->tau)));
    *sum += e;
    *lift += e * either(off, all(0), d);
    return e;
}

/* The softened minimum of all that was found, and of *also (NULL: no more): its value, and all weights. */
TS_SIMD wide blend(block *b, int which, const wide *also, wide *weight_of_also)
{
    const size_t *found = b->found[which], count = b->found_count[which];
    wide top = also ? *also : all(HUGE_VAL), sum = all(0), lift = all(0);
    for (size_t i = 0; i < count; i++)
        top = WIDE(min)(b->answer[found[i]].value, top);
    if (also)
        *weight_of_also = add_weight(b, *also, top, &sum, &lift);
    for (size_t i = 0; i < count; i++)
        b->weight[found[i]] = add_weight(b, b->answer[found[i]].value, top, &sum, &lift);
    const wide share = 1.0 / sum;
    for (size_t i = 0; i < count; i++)
        b->weight[found[i]] = b->weight[found[i]] * share;
    if (also)
        *weight_of_also = *weight_of_also * share;
    return top + (b->rule->published ? -b->rule->tau * WIDE(log_core)(sum) : lift * share);
}

/* ∂ blend / ∂ value, for its weight */
TS_SIMD wide blend_slope(const block *b, wide weight, wide value, wide blended)
{
    return b->rule->published ? weight : weight * (1.0 - (value - blended) * (1 / b->rule->tau));
}

/* Gradient and normal of the softened minimum. */
TS_SIMD_LARGE void blend_vectors(const block *b, int which, wide blended, wide3 *gradient, wide3 *normal)
{
    for (size_t i = 0; i < b->found_count[which]; i++) {
        const size_t k = b->found[which][i];
        const answer *a = &b->answer[k];
        if (b->wanted.gradient)
            *gradient = plus(*gradient, scaled(a->gradient, blend_slope(b, b->weight[k], a->value, blended)));
        if (b->wanted.normal)
            *normal = plus(*normal, scaled(a->normal, b->weight[k]));
    }
}

/* A block whose packs, rule and wanted are set is ready for points. */
TS_SIMD void open_block(block *b)
{
    b->cut = (b->rule->everything ? TS_SDF_CUT_NOTHING : TS_SDF_CUT) * b->rule->tau;
    b->found_count[0] = b->found_count[1] = 0;
}

/* Works out all of an open block whose x is set. `kept` (NULL: not wanted): superquadrics of both blends. */
TS_SIMD_LARGE void solve_block(block *b, superquadric (*kept)[KEPT + 1])
{
    find_added(b);
    evaluate(b, 0, kept ? kept[0] : NULL);
    b->sum.value = blend(b, 0, NULL, NULL);
    b->sum.gradient = b->sum.normal = none();
    if (b->wanted.gradient || b->wanted.normal)
        blend_vectors(b, 0, b->sum.value, &b->sum.gradient, &b->sum.normal);
    b->total = b->sum;
    if (b->packs->subtracted > 0) {
        /* the maximum of φ₊ and all -φ_s is minus the minimum of -φ₊ and all φ_s */
        const wide negated = -b->sum.value;
        find_subtracted(b);
        evaluate(b, 1, kept ? kept[1] : NULL);
        const wide blended = blend(b, 1, &negated, &b->weight_of_sum);
        b->total.value = -blended;
        if (b->wanted.gradient || b->wanted.normal) {
            wide3 gradient = none(), normal = none();
            blend_vectors(b, 1, blended, &gradient, &normal);
            b->total.gradient =
                minus(scaled(b->sum.gradient, blend_slope(b, b->weight_of_sum, negated, blended)), gradient);
            b->total.normal = minus(scaled(b->sum.normal, b->weight_of_sum), normal);
        }
    }
    if (b->wanted.normal)
        b->normal = unit(b->total.normal, b->rule->normal, &b->inverse);
}

/* Where a coordinate is not finite, or beyond all bodies. */
TS_SIMD mask lost(const ts_sdf_packs *packs, wide3 x)
{
    const wide far = WIDE(max)(WIDE(abs)(x.v[0]), WIDE(max)(WIDE(abs)(x.v[1]), WIDE(abs)(x.v[2])));
    const wide sum = x.v[0] + x.v[1] + x.v[2];
    /* NOLINTNEXTLINE(misc-redundant-expression): only a NaN differs from itself */
    return ~((mask)(far < packs->far) & (mask)(sum == sum));
}
