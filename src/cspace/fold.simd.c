/* SPDX-License-Identifier: MIT */
/* Folding four poses at a time. See fold.h.
 *
 * All is worked out in angles first; one sine and cosine at the end make the one turn, or mirror, that takes (x, y) to
 * where it is folded to. With u the direction from A's axis a, P = 2π / n_A, K = R(ψ) or R(ψ) · (mirror at the x axis):
 *
 *     turn      by -m P                     ψ = -m P              u → u - m P        angle → angle + ψ         (mod 2π / n_B)
 *     mirror    at the axis a + m P / 2     ψ = 2 a + m P         u → m P - u        angle → ψ - 2 b - angle
 *
 *     exchange of equal outlines: q⁻¹ = (-R(-angle) x, -angle) has the direction u + π - angle. With w = (angle - π) mod P it
 *     is u - w but for turns of P, and folded it is
 *
 *     u ≥ w     (u - w, -angle)             ψ → ψ - w
 *     u < w     (w - u, angle)              ψ → 2 a + w - ψ, mirrored once more     where there are mirrors
 *               (u - w + P, -angle)         ψ → ψ - w + P                           where there are none
 *
 *     Of the two poses the one with 2 u ≤ w is kept: in both cases one has it and the other has not. Without mirrors, the one with
 *     angle ≤ P / 2.
 *
 * Going back, a gradient (g, t) at the folded pose x, from K and t alone:
 *
 *     g → Kᵀ g       t → ± t, the sign that of det K                      arm → arm
 *     exchanged      t → ∓ (t + x × g): a turn of A instead of B          arm → x · g / |g| - arm: as seen from the other centre
 */
#include "cspace/fold.h"

#include "base/kernel.h"
#include "base/simd_trig.h"
#include "base/vec.h"

/* What all poses of a call share. */
typedef struct plan {
    double axis, twice_b;        /* a; 2 b */
    double step, per_step, turn; /* of directions: P / 2 with mirrors, else P; its inverse; P */
    double period, per_period;   /* of angles */
    double half_turn;            /* π mod period */
} plan;

/* Between the passes of a call: each is a loop of its own, since one long chain of dependent operations would leave the
 * processor waiting, and several short ones overlap. */
typedef struct passes {
    double direction[TS_FIELD_BATCH]; /* u before folding */
    double psi[TS_FIELD_BATCH], flip[TS_FIELD_BATCH], swapped[TS_FIELD_BATCH], angle[TS_FIELD_BATCH];
} passes;

static plan make_plan(const ts_fold *fold)
{
    plan p = {.axis = fold->axis_a, .twice_b = 2 * fold->axis_b, .step = fold->sector, .period = fold->period};
    p.turn = fold->mirror ? 2 * p.step : p.step;
    p.per_step = p.step > 0 ? 1 / p.step : 0;
    p.per_period = p.period > 0 ? 1 / p.period : 0;
    p.half_turn = fold->turns_b % 2 ? 0.5 * p.period : 0;
    return p;
}

/* Into [0, period). */
TS_SIMD ts_f64x4 wrap(ts_f64x4 angle, double period, double per_period)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0);
    ts_f64x4 r = angle - ts_f64x4_floor(angle * per_period) * period;
    r = ts_f64x4_select((ts_i64x4)(r < 0.0), r + period, r);
    r = ts_f64x4_select((ts_i64x4)(r >= period), r - period, r);
    /* what is left outside is not finite, or too large to have an angle */
    return ts_f64x4_select((ts_i64x4)(r >= 0.0) & (ts_i64x4)(r < period), r, zero);
}

typedef struct turned {
    ts_f64x4 psi, flip, swapped, angle;
} turned;

/* Equal outlines: the pose or its inverse. `u` is the folded direction. */
TS_SIMD void exchange4(const ts_fold *fold, const plan *p, ts_f64x4 u, turned *t)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0);
    /* angles lie in [0, period) already, so wrapping is one choice */
    ts_f64x4 w = t->angle - p->half_turn, angle = p->period - t->angle;
    w = ts_f64x4_select((ts_i64x4)(w < 0.0), w + p->period, w);
    angle = ts_f64x4_select((ts_i64x4)(angle < p->period), angle, zero);
    ts_i64x4 before = (ts_i64x4)(u < w), swap;
    ts_f64x4 psi = t->psi - w, flip = t->flip;
    if (fold->mirror) {
        swap = (ts_i64x4)(2.0 * u > w);
        psi = ts_f64x4_select(before, 2 * p->axis + w - t->psi, psi);
        flip = ts_f64x4_select(before, -flip, flip);
        angle = ts_f64x4_select(before, t->angle, angle);
    } else {
        swap = (ts_i64x4)(t->angle > 0.5 * p->period);
        psi = psi + ts_f64x4_select(before, ts_f64x4_broadcast(p->turn), zero);
    }
    t->psi = ts_f64x4_select(swap, psi, t->psi);
    t->flip = ts_f64x4_select(swap, flip, t->flip);
    t->angle = ts_f64x4_select(swap, angle, t->angle);
    t->swapped = ts_f64x4_select(swap, ts_f64x4_broadcast(1), zero);
}

/* Which turn or mirror folds a pose of direction u, and its angle afterwards. */
TS_SIMD turned turn4(const ts_fold *fold, const plan *p, ts_f64x4 u, ts_f64x4 angle)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), one = ts_f64x4_broadcast(1);
    turned t = {.flip = one, .swapped = zero, .angle = zero};
    if (fold->turns_a == 0) {
        t.psi = -u;
    } else {
        ts_f64x4 k = ts_f64x4_floor(u * p->per_step), m = k;
        if (fold->mirror)
            m = ts_f64x4_floor(0.5 * (k + 1.0));
        ts_f64x4 by = m * p->turn;
        ts_i64x4 odd = (ts_i64x4)(m + m > k) & -(int64_t)fold->mirror;
        t.psi = ts_f64x4_select(odd, 2 * p->axis + by, -by);
        t.flip = ts_f64x4_select(odd, -one, one);
        u = t.flip * (u - by);
    }
    if (fold->turns_b > 0) {
        ts_f64x4 back = ts_f64x4_select((ts_i64x4)(t.flip < 0.0), ts_f64x4_broadcast(p->twice_b), zero);
        t.angle = wrap(t.flip * angle + (t.psi - back), p->period, p->per_period);
    }
    if (fold->exchange)
        exchange4(fold, p, u, &t);
    return t;
}

/* Rows of ts_folding from columns. */
TS_SIMD void store_foldings(ts_folding *to, const turned *t, ts_f64x4 c, ts_f64x4 s, const ts_f64x4 pose[3])
{
    ts_f64x4 flip = t->flip, swapped = t->swapped, x = pose[0], y = pose[1], angle = pose[2], spare = c;
    ts_f64x4_transpose(&c, &s, &flip, &swapped);
    ts_f64x4_transpose(&x, &y, &angle, &spare);
    ts_f64x4_store(&to[0].cosine, c);
    ts_f64x4_store(&to[0].x, x);
    ts_f64x4_store(&to[1].cosine, s);
    ts_f64x4_store(&to[1].x, y);
    ts_f64x4_store(&to[2].cosine, flip);
    ts_f64x4_store(&to[2].x, angle);
    ts_f64x4_store(&to[3].cosine, swapped);
    ts_f64x4_store(&to[3].x, spare);
}

/* Poses pass, but for the angle. */
TS_SIMD void pass4(const plan *p, ts_fields *f, size_t i, ts_folding *folding)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), one = ts_f64x4_broadcast(1);
    const ts_f64x4 pose[3] = {ts_f64x4_load(f->x + i), ts_f64x4_load(f->y + i), ts_f64x4_load(f->angle + i)};
    const turned t = {zero, one, zero, zero};
    ts_f64x4_store(f->angle + i, wrap(pose[2] + TS_PI, p->period, p->per_period) - TS_PI);
    store_foldings(folding, &t, one, zero, pose);
}

/* The last pass: the turn itself. */
TS_SIMD void place4(const ts_fold *fold, const passes *w, ts_fields *f, size_t i, ts_folding *folding)
{
    const ts_f64x4 pose[3] = {ts_f64x4_load(f->x + i), ts_f64x4_load(f->y + i), ts_f64x4_load(f->angle + i)};
    const turned t = {ts_f64x4_load(w->psi + i), ts_f64x4_load(w->flip + i), ts_f64x4_load(w->swapped + i),
                      ts_f64x4_load(w->angle + i)};
    ts_f64x4 c, s, y = t.flip * pose[1];
    ts_f64x4_sincos(t.psi, &s, &c);
    if (fold->turns_a == 0) {
        ts_f64x4_store(f->x + i, ts_f64x4_sqrt(pose[0] * pose[0] + y * y));
        ts_f64x4_store(f->y + i, ts_f64x4_broadcast(0));
    } else {
        ts_f64x4_store(f->x + i, c * pose[0] - s * y);
        ts_f64x4_store(f->y + i, s * pose[0] + c * y);
    }
    ts_f64x4_store(f->angle + i, t.angle);
    store_foldings(folding, &t, c, s, pose);
}

static void apply(const ts_fold *fold, size_t count, ts_fields *fields, ts_folding *folding)
{
    const plan p = make_plan(fold);
    passes w;
    /* the last vector is filled up with copies, which are worked on but not used */
    size_t whole = count / 4 * 4, end = (count + 3) / 4 * 4;
    for (size_t k = count; k < end; k++) {
        fields->x[k] = fields->x[count - 1];
        fields->y[k] = fields->y[count - 1];
        fields->angle[k] = fields->angle[count - 1];
    }
    ts_folding last[4];
    if (!fold->active) {
        for (size_t i = 0; i < end; i += 4)
            pass4(&p, fields, i, i < whole ? folding + i : last);
    } else {
        for (size_t i = 0; i < end; i += 4) {
            ts_f64x4 direction = ts_f64x4_atan2(ts_f64x4_load(fields->y + i), ts_f64x4_load(fields->x + i));
            ts_f64x4_store(w.direction + i, direction - p.axis);
        }
        for (size_t i = 0; i < end; i += 4) {
            turned t = turn4(fold, &p, ts_f64x4_load(w.direction + i), ts_f64x4_load(fields->angle + i));
            ts_f64x4_store(w.psi + i, t.psi);
            ts_f64x4_store(w.flip + i, t.flip);
            ts_f64x4_store(w.swapped + i, t.swapped);
            ts_f64x4_store(w.angle + i, t.angle);
        }
        for (size_t i = 0; i < end; i += 4)
            place4(fold, &w, fields, i, i < whole ? folding + i : last);
    }
    for (size_t k = whole; k < count; k++)
        folding[k] = last[k - whole];
}

TS_SIMD void undo4(const ts_fold *fold, ts_fields *f, size_t i, const ts_folding *folding)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0);
    ts_f64x4 c = ts_f64x4_load(&folding[0].cosine), s = ts_f64x4_load(&folding[1].cosine);
    ts_f64x4 flip = ts_f64x4_load(&folding[2].cosine), swapped = ts_f64x4_load(&folding[3].cosine);
    ts_f64x4 x0 = ts_f64x4_load(&folding[0].x), y0 = ts_f64x4_load(&folding[1].x);
    ts_f64x4 angle0 = ts_f64x4_load(&folding[2].x), spare = ts_f64x4_load(&folding[3].x);
    ts_f64x4_transpose(&c, &s, &flip, &swapped);
    ts_f64x4_transpose(&x0, &y0, &angle0, &spare);
    if (fold->active) {
        ts_f64x4 x = ts_f64x4_load(f->x + i), y = ts_f64x4_load(f->y + i), arm = ts_f64x4_load(f->arm + i);
        ts_f64x4 gx = ts_f64x4_load(f->gx + i), gy = ts_f64x4_load(f->gy + i), t = ts_f64x4_load(f->gangle + i);
        if (fold->turns_b == 0)
            t = zero;
        if (fold->turns_a == 0) {
            /* no torque about A: t + x gy = 0 (ts_fold_slide) */
            const ts_f64x4 most = ts_f64x4_broadcast(TS_FOLD_SLOPE_MOST);
            ts_f64x4 slide = ts_f64x4_min(ts_f64x4_max(t / x, -most), most);
            slide = ts_f64x4_select((ts_i64x4)(x > 0.0), slide, zero);
            gy = -slide;
            t = slide * x;
        }
        if (fold->exchange) {
            ts_i64x4 swap = (ts_i64x4)(swapped > 0.0);
            ts_f64x4 slope = ts_f64x4_sqrt(gx * gx + gy * gy);
            ts_f64x4 apart = ts_f64x4_select((ts_i64x4)(slope > 0.0), (x * gx + y * gy) / slope, zero);
            t = ts_f64x4_select(swap, -(t + (x * gy - y * gx)), t);
            arm = ts_f64x4_select(swap, apart - arm, arm);
        }
        ts_f64x4_store(f->gx + i, c * gx + s * gy);
        ts_f64x4_store(f->gy + i, flip * (c * gy - s * gx));
        ts_f64x4_store(f->gangle + i, flip * t);
        ts_f64x4_store(f->arm + i, arm);
    }
    ts_f64x4_store(f->x + i, x0);
    ts_f64x4_store(f->y + i, y0);
    ts_f64x4_store(f->angle + i, angle0);
}

static void undo(const ts_fold *fold, size_t count, ts_fields *fields, const ts_folding *folding)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        undo4(fold, fields, i, folding + i);
    if (i == count)
        return;
    ts_folding last[4];
    for (size_t k = 0; k < 4; k++)
        last[k] = folding[i + k < count ? i + k : count - 1];
    undo4(fold, fields, i, last);
}

extern const ts_fold_kernels TS_KERNEL(ts_fold);
const ts_fold_kernels TS_KERNEL(ts_fold) = {apply, undo};
