/* SPDX-License-Identifier: MIT */
/* The signed distance's derivative, transposed, LANES points at a time: each block is worked out again, and then gone
 * through from its answers to its points and primitives.
 *
 * A blend (sdf_blend_lanes.h) of values u_k has weights w, slopes c_k = w_k q_k with q_k = 1 − (u_k − φ)/τ, and as published
 * q_k = 1. With v, C_k and W_k the adjoints of φ, c_k and w_k:
 *
 *     W'_k = W_k + C_k q_k,   M = Σ w W',   v' = v + Σ C w / τ
 *     adjoint of u_k = c_k v' − (w_k / τ) (C_k + W'_k − M)                  as published: w_k (v − (W'_k − M) / τ) */
#include "base/kernel.h"
#include "shape/sdf_blend_lanes.h"
#include "shape/sdf_vjp_lanes.h"

/* A block on its way back. */
typedef struct way_back {
    block b;
    superquadric kept[2][KEPT + 1];
    ts_primitive_bar *primitive;
    wide3 point;
} way_back;

/* ---- Primitives ---- */

/* Sums of all lanes, four by four: the order is the same for every width. */
TS_SIMD void add_lanes(const wide *from, double *to)
{
    for (int half = 0; half < LANES / 4; half++) {
        ts_f64x4 v[4];
        for (int i = 0; i < 4; i++) {
#if LANES == 8
            v[i] = half == 0 ? ts_f64x8_low(from[i]) : ts_f64x8_high(from[i]);
#else
            v[i] = from[i];
#endif
        }
        ts_f64x4_transpose(&v[0], &v[1], &v[2], &v[3]);
        ts_f64x4_store(to, ts_f64x4_load(to) + ((v[0] + v[1]) + (v[2] + v[3])));
    }
}

TS_SIMD void add_numbers(way_back *w, mode m, size_t k, const answer *bar, const handed *from)
{
    const ts_sdf_pack *p = &w->b.packs->pack[k];
    const answer *a = &w->b.answer[k];
    const wide3 away = {{w->b.x.v[0] - p->position[0], w->b.x.v[1] - p->position[1], w->b.x.v[2] - p->position[2]}};
    wide3 turn = plus(cross(from->point, away), cross(a->normal, bar->normal));
    if (m.gradient)
        turn = plus(turn, cross(a->gradient, bar->gradient));
    const bool sized = p->kind == TS_PRIMITIVE_SUPERQUADRIC;
    const wide zero = all(0);
    const wide number[12] = {sized ? from->size[0] : zero,
                             sized ? from->size[1] : zero,
                             sized ? from->size[2] : zero,
                             sized ? from->exponent[0] : zero,
                             sized ? from->exponent[1] : zero,
                             -from->point.v[0],
                             -from->point.v[1],
                             -from->point.v[2],
                             turn.v[0],
                             turn.v[1],
                             turn.v[2],
                             zero};
    ts_primitive_bar *to = &w->primitive[p->index];
    double sum[12] = {to->size.x,     to->size.y,     to->size.z, to->exponent[0], to->exponent[1], to->position.x,
                      to->position.y, to->position.z, to->turn.x, to->turn.y,      to->turn.z,      0};
    for (int i = 0; i < 12; i += 4)
        add_lanes(number + i, sum + i);
    *to = (ts_primitive_bar){
        {sum[0], sum[1], sum[2]}, {sum[3], sum[4]}, {sum[5], sum[6], sum[7]}, {sum[8], sum[9], sum[10]}};
}

/* The i-th that was found of a blend. */
TS_SIMD void primitive_vjp(way_back *w, mode m, int which, size_t i, const answer *bar)
{
    const size_t k = w->b.found[which][i];
    const ts_sdf_pack *p = &w->b.packs->pack[k];
    handed to;
    if (p->kind == TS_PRIMITIVE_POLYHEDRON) {
        polyhedron_vjp(p, &w->b.x, w->b.rule, bar, &to);
    } else if (p->kind == TS_PRIMITIVE_CLOUD) {
        cloud_vjp(p, &w->b.x, w->b.rule, bar, &to);
    } else {
        superquadric *s = &w->kept[which][i < KEPT ? i : KEPT];
        if (i >= KEPT) {
            superquadric_logs(&p, 1, w->b.x, s);
            superquadric_slope(p, s);
        }
        superquadric_vjp(p, s, w->b.rule->normal, bar, m, &to);
    }
    w->point = plus(w->point, to.point);
    if (m.numbers)
        add_numbers(w, m, k, bar, &to);
}

/* ---- Blends ---- */

/* One of the values that are blended, its vectors and their adjoints. */
typedef struct share {
    wide value, weight, by_slope, by_weight; /* C, W' */
} share;

/* Sums over all shares. */
typedef struct sums {
    wide blended, value_bar, mean;
} sums;

TS_SIMD share share_of(const block *b, mode m, wide value, wide weight, const answer *vectors, const answer *bar,
                       wide blended)
{
    share s = {value, weight, all(0), dot(bar->normal, vectors->normal)};
    if (!m.gradient)
        return s;
    s.by_slope = dot(bar->gradient, vectors->gradient);
    const wide q = b->rule->published ? all(1) : 1.0 - (value - blended) * (1 / b->rule->tau);
    s.by_weight = s.by_weight + s.by_slope * q;
    return s;
}
TS_SIMD void add_share(const block *b, const share *s, sums *to)
{
    to->mean += s->weight * s->by_weight;
    if (!b->rule->published)
        to->value_bar += s->weight * s->by_slope * (1 / b->rule->tau);
}
/* Its adjoints, from those of the blend. */
TS_SIMD answer share_bar(const block *b, const share *s, const sums *all_of, const answer *bar)
{
    const wide slope = blend_slope(b, s->weight, s->value, all_of->blended);
    const wide rest = b->rule->published ? s->by_weight - all_of->mean : s->by_slope + s->by_weight - all_of->mean;
    return (answer){slope * all_of->value_bar - s->weight * rest * (1 / b->rule->tau), scaled(bar->gradient, slope),
                    scaled(bar->normal, s->weight)};
}

/* All that was found of one blend. `bar`: adjoint of the blended value, gradient and normal. `also`, with its weight: one
 * more value, whose gradient is negated; its adjoints go to *also_bar. */
TS_SIMD_LARGE void blend_vjp(way_back *w, mode m, int which, wide blended, const answer *bar, const answer *also,
                             wide also_weight, answer *also_bar)
{
    const block *b = &w->b;
    const wide nothing = all(0);
    sums all_of = {blended, bar->value, nothing};
    share last = {nothing, nothing, nothing, nothing};
    for (size_t i = 0; i < b->found_count[which]; i++) {
        const size_t k = b->found[which][i];
        const share s = share_of(b, m, b->answer[k].value, b->weight[k], &b->answer[k], bar, blended);
        add_share(b, &s, &all_of);
    }
    if (also) {
        last = share_of(b, m, also->value, also_weight, also, bar, blended);
        add_share(b, &last, &all_of);
    }
    for (size_t i = 0; i < b->found_count[which]; i++) {
        const size_t k = b->found[which][i];
        if (!any((mask)(b->weight[k] > 0.0)))
            continue;
        const share s = share_of(b, m, b->answer[k].value, b->weight[k], &b->answer[k], bar, blended);
        const answer one = share_bar(b, &s, &all_of, bar);
        primitive_vjp(w, m, which, i, &one);
    }
    if (also)
        *also_bar = share_bar(b, &last, &all_of, bar);
}

TS_SIMD answer negated(answer a)
{
    const wide3 zero = none();
    return (answer){-a.value, minus(zero, a.gradient), minus(zero, a.normal)};
}

/* Back through a block that is solved, from the adjoints of its answers. */
TS_SIMD void solve_back(way_back *w, mode m, const answer *bar)
{
    block *b = &w->b;
    answer total = *bar;
    w->point = none();
    total.normal = unit_vjp(b->normal, b->inverse, bar->normal);
    if (b->packs->subtracted > 0) {
        /* all of the second blend is that of -φ₊ and φ_s, with the result negated */
        const answer turned_over = negated(total), sum = negated(b->sum);
        answer sum_bar;
        blend_vjp(w, m, 1, -b->total.value, &turned_over, &sum, b->weight_of_sum, &sum_bar);
        total = negated(sum_bar);
    }
    blend_vjp(w, m, 0, b->sum.value, &total, NULL, all(0), NULL);
}

/* ---- Questions ---- */

TS_SIMD wide3 load_bars(double *const from[3], size_t at, size_t count, mask nowhere)
{
    wide3 v;
    for (int i = 0; i < 3; i++)
        v.v[i] = either(nowhere, all(0), load_bar(from[i], at, count));
    return v;
}

TS_SIMD_LARGE void ask_back(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                            const ts_sdf_answers *bar, double *const point_bar[3], ts_primitive_bar *primitive_bar,
                            mode m)
{
    way_back w;
    w.primitive = primitive_bar;
    w.b.packs = packs;
    w.b.rule = rule;
    w.b.wanted = (wanted){m.gradient, true};
    open_block(&w.b);
    for (size_t i = 0; i < at->count; i += LANES) {
        const size_t left = at->count - i;
        w.b.x = (wide3){{load_some(at->x + i, left), load_some(at->y + i, left), load_some(at->z + i, left)}};
        const mask nowhere = lost(packs, w.b.x);
        for (int k = 0; k < 3; k++)
            w.b.x.v[k] = either(nowhere, all(0), w.b.x.v[k]);
        const answer bars = {either(nowhere, all(0), load_bar(bar->value, i, left)),
                             load_bars(bar->gradient, i, left, nowhere), load_bars(bar->normal, i, left, nowhere)};
        solve_block(&w.b, w.kept);
        solve_back(&w, m, &bars);
        for (int k = 0; k < 3; k++) {
            double *to = point_bar[k] + i;
            store_some(to, left, load_some(to, left) + either(nowhere, all((double)NAN), w.point.v[k]));
        }
    }
}

/* Adjoints of values alone: those of points are ∇φ times them. */
static void ask_first(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                      const ts_sdf_answers *bar, double *const point_bar[3])
{
    block b;
    b.packs = packs;
    b.rule = rule;
    b.wanted = (wanted){true, false};
    open_block(&b);
    for (size_t i = 0; i < at->count; i += LANES) {
        const size_t left = at->count - i;
        b.x = (wide3){{load_some(at->x + i, left), load_some(at->y + i, left), load_some(at->z + i, left)}};
        const wide v = either(lost(packs, b.x), all((double)NAN), load_bar(bar->value, i, left));
        solve_block(&b, NULL);
        for (int k = 0; k < 3; k++)
            store_some(point_bar[k] + i, left, load_some(point_bar[k] + i, left) + v * b.total.gradient.v[k]);
    }
}
/* Of values and normals, which is what contacts need. */
static void ask_normals(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                        const ts_sdf_answers *bar, double *const point_bar[3])
{
    ask_back(packs, rule, at, bar, point_bar, NULL, (mode){false, false});
}
static void ask_all(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                    const ts_sdf_answers *bar, double *const point_bar[3])
{
    ask_back(packs, rule, at, bar, point_bar, NULL, (mode){true, false});
}
static void ask_numbers(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                        const ts_sdf_answers *bar, double *const point_bar[3], ts_primitive_bar *primitive_bar)
{
    ask_back(packs, rule, at, bar, point_bar, primitive_bar, (mode){true, true});
}

static void ask_vjp(const ts_sdf_packs *packs, const ts_sdf_rule *rule, const ts_sdf_points *at,
                    const ts_sdf_answers *bar, double *const point_bar[3], ts_primitive_bar *primitive_bar)
{
    bool gradient = false, normal = false;
    for (int i = 0; i < 3; i++) {
        gradient |= bar->gradient[i] != NULL;
        normal |= bar->normal[i] != NULL;
    }
    if (primitive_bar)
        ask_numbers(packs, rule, at, bar, point_bar, primitive_bar);
    else if (gradient)
        ask_all(packs, rule, at, bar, point_bar);
    else if (normal)
        ask_normals(packs, rule, at, bar, point_bar);
    else
        ask_first(packs, rule, at, bar, point_bar);
}

const ts_sdf_vjp_kernels TS_KERNEL(ts_sdf_vjp) = {.ask_vjp = ask_vjp};
