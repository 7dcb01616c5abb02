/* SPDX-License-Identifier: MIT */
/* See feature_lanes.h. */
#include "contact/feature_lanes.h"

#include <stddef.h>

#include "base/kernel.h"
#include "base/simd.h"
#include "base/simd_trig.h"

_Static_assert(offsetof(ts_feature_point, cosine) == 7 * sizeof(double), "lanes load points as two vectors");
_Static_assert(offsetof(ts_feature_edge, nx) == 11 * sizeof(double), "lanes load edges as three vectors");
_Static_assert(sizeof(ts_feature_stance) == 12 * sizeof(double), "lanes load sides as three vectors");

/* Four columns of four rows. */
typedef struct rows4 {
    ts_f64x4 a, b, c, d;
} rows4;

TS_SIMD rows4 load_rows(const double *r0, const double *r1, const double *r2, const double *r3)
{
    rows4 r = {ts_f64x4_load(r0), ts_f64x4_load(r1), ts_f64x4_load(r2), ts_f64x4_load(r3)};
    ts_f64x4_transpose(&r.a, &r.b, &r.c, &r.d);
    return r;
}

#define ROWS(of, member) load_rows(&l0->of->member, &l1->of->member, &l2->of->member, &l3->of->member)

static void ask(const ts_feature_lane *lane, int count, ts_feature_answers *out)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), one = ts_f64x4_broadcast(1);
    for (int w = 0; w < 2; w++)
        out->facing[w] = out->behind[w] = out->unsure[w] = 0;
    for (int k = 0; k < count; k += 4) {
        const int last = count - 1 - k;
        const ts_feature_lane *l0 = lane + k, *l1 = l0 + (last < 1 ? last : 1), *l2 = l0 + (last < 2 ? last : 2),
                              *l3 = l0 + (last < 3 ? last : 3);
        rows4 to = ROWS(side, to.c), p = ROWS(point, x), e = ROWS(edge, x);
        const ts_f64x4 c = to.a, s = to.b;
        ts_f64x4 x = c * p.a - s * p.b + to.c, y = s * p.a + c * p.b + to.d;
        /* height above the line and the foot's place on it; its normal is (ty, -tx) */
        const ts_f64x4 nx = e.d, ny = -e.c;
        ts_f64x4 dx = x - e.a, dy = y - e.b, along = dx * e.c + dy * e.d, height = dx * nx + dy * ny;
        rows4 ends = ROWS(edge, low), more = ROWS(point, loose), limit = ROWS(side, tolerance);
        ts_f64x4 before = ends.a - along, after = along - ends.b;
        ts_i64x4 first = ts_f64x4_less(after, before);
        ts_f64x4 over = ts_f64x4_select(first, before, after), beyond = ts_f64x4_select(first, ends.c, ends.d);
        /* how far beyond the end it may lie */
        ts_f64x4 depth = ts_f64x4_max(-height, zero), most = limit.b;
        ts_i64x4 inner = ts_f64x4_less_equal(one, beyond);
        ts_f64x4 allowed = ts_f64x4_select(ts_f64x4_less(most, depth), zero, ts_f64x4_min(beyond * depth, most));
        ts_f64x4 inside = ts_f64x4_select(ts_f64x4_less(zero, depth), beyond * most, zero);
        allowed = limit.a + ts_f64x4_select(inner, inside, allowed);
        ts_i64x4 on = ts_f64x4_less_equal(over, allowed);
        ts_f64x4 inward = -((c * nx + s * ny) * p.c + (c * ny - s * nx) * p.d);
        ts_i64x4 faces = ts_f64x4_less_equal(more.a - TS_FEATURE_CONE_ROUNDING, inward);
        ts_f64x4 gap = height - more.c;
        /* not deeper than allowed; and where it faces the edge it must be reached from there inside the shape, of which
         * a line may be sure */
        rows4 behind = ROWS(edge, sure);
        on = on & ts_f64x4_less(-gap, 0.5 * (more.b + behind.b));
        ts_i64x4 corner = ts_f64x4_equal(more.c, zero), sharp = corner & ts_f64x4_less(zero, behind.c);
        ts_i64x4 known = corner & (ts_f64x4_less_equal(depth * behind.c, -over) | inner);
        ts_f64x4 sure = ts_f64x4_select(sharp, zero, TS_FEATURE_SHALLOW * more.b);
        sure = ts_f64x4_select(known, ts_f64x4_max(sure, behind.a), sure);
        ts_i64x4 unsure = faces & ts_f64x4_less(sure, -gap);
        /* in world axes */
        rows4 owner = ROWS(side, c);
        ts_f64x4 fx = x - height * nx, fy = y - height * ny;
        ts_f64x4 wx = owner.a * nx - owner.b * ny, wy = owner.b * nx + owner.a * ny, onto = (0.5 * limit.c + 0.5) * gap;
        ts_f64x4_store(out->gap + k, gap);
        ts_f64x4_store(out->nx + k, limit.c * wx);
        ts_f64x4_store(out->ny + k, limit.c * wy);
        ts_f64x4_store(out->x + k, (owner.a * fx - owner.b * fy) + owner.c + onto * wx);
        ts_f64x4_store(out->y + k, (owner.b * fx + owner.a * fy) + owner.d + onto * wy);
        const int lanes = last < 3 ? (2 << last) - 1 : 15, word = k / 64, shift = k % 64;
        const int is = ts_mask_bits(on & ts_f64x4_less(gap, limit.d)) & lanes;
        const int is_facing = is & ts_mask_bits(faces), is_unsure = is_facing & ts_mask_bits(unsure);
        out->facing[word] |= (uint64_t)(is_facing & ~is_unsure) << shift;
        out->behind[word] |= (uint64_t)(is & ~is_facing) << shift;
        out->unsure[word] |= (uint64_t)is_unsure << shift;
    }
}

/* The least share of a contact in its pair's stiffness: so small that its force is nothing, large enough to divide
 * by. */
static const double share_least = 1e-9;

/* The springs of a pair's places that push the same way store ½ k D² together, where D is the norm (Σ d⁸)^⅛ of their
 * depths: hardly more than the deepest, smooth, and an energy, so that no way round a tilt gains any. Its slope is k w
 * d with
 *
 *     w = d⁶ / D⁶            one place: 1;  two that are equally deep: 0.59 each
 *
 * Places at right angles, or against each other, do not share. Together they are W = Σw times as stiff as one, 1.19 for
 * two: dashpots that are √W times as strong keep the damping ratio, and with it the restitution. */
static void share(ts_contact_batch *batch, const uint8_t *begin, int count)
{
    const ts_f64x4 zero = ts_f64x4_broadcast(0), one = ts_f64x4_broadcast(1);
    double nx[TS_BATCH + 4], ny[TS_BATCH + 4], part[TS_BATCH + 4], power[TS_BATCH + 4], sum[TS_BATCH + 4],
        parts[TS_BATCH + 4];
    for (int k = 0; k < batch->count; k += 4) {
        ts_f64x4 d = ts_f64x4_max(-ts_f64x4_load(batch->gap + k), zero), d2 = d * d, d4 = d2 * d2;
        ts_f64x4_store(nx + k, ts_f64x4_load(batch->nx + k));
        ts_f64x4_store(ny + k, ts_f64x4_load(batch->ny + k));
        ts_f64x4_store(part + k, d4 * d2);
        ts_f64x4_store(power + k, d4 * d4);
    }
    /* the last vector of a pair also writes to the next one, which is done later */
    for (int p = 0; p < count; p++) {
        const int first = begin[p], end = begin[p + 1];
        for (int i = first; i < end; i += 4) {
            ts_f64x4 x = ts_f64x4_load(nx + i), y = ts_f64x4_load(ny + i), all = zero, whole = zero;
            for (int j = first; j < end; j++) {
                ts_f64x4 along = ts_f64x4_max(x * nx[j] + y * ny[j], zero);
                all = all + along * power[j];
                whole = whole + along * part[j];
            }
            ts_f64x4_store(sum + i, all);
            ts_f64x4_store(parts + i, whole);
        }
        if (end == first + 1)
            part[first] = sum[first] = parts[first] = 1;
    }
    for (int k = 0; k < batch->count; k += 4) {
        ts_f64x4 all = ts_f64x4_load(sum + k), root = ts_f64x4_sqrt(all), to_sixth = root * ts_f64x4_sqrt(root),
                 whole = ts_f64x4_load(parts + k);
        ts_f64x4 share = ts_f64x4_load(part + k) / to_sixth;
        share = ts_f64x4_max(share, ts_f64x4_broadcast(share_least));
        const ts_i64x4 pushes = (ts_i64x4)(all > 0.0);
        ts_f64x4_store(batch->share + k, ts_f64x4_select(pushes, share, one));
        ts_f64x4_store(batch->ease + k, ts_f64x4_select(pushes, ts_f64x4_sqrt(to_sixth / whole), one));
    }
}

static void turn(const ts_frame2 *part, size_t count, double (*to)[2])
{
    for (size_t k = 0; k < count; k += 4) {
        ts_f64x4 angle = ts_f64x4_broadcast(0), c, s;
        const size_t lanes = count - k < 4 ? count - k : 4;
        for (size_t i = 0; i < lanes; i++)
            angle[i] = part[k + i].angle;
        ts_f64x4_sincos(angle, &s, &c);
        for (size_t i = 0; i < lanes; i++) {
            to[k + i][0] = c[i];
            to[k + i][1] = s[i];
        }
    }
}

extern const ts_feature_kernels TS_KERNEL(ts_feature);
const ts_feature_kernels TS_KERNEL(ts_feature) = {ask, share, turn};
