/* SPDX-License-Identifier: MIT */
/* Sweeps over contacts of space, which have two tangents: four at a time, that share no body (impact_swept.h,
 * impact_sweeps.c). */
#include "base/kernel.h"
#include "base/simd.h"
#include "dynamics/impact_swept.h"

#define DOF TS_SPACE_DOF

/* Two numbers, from and to any address: velocities are written as they will be read, by four and by two, or reading
 * would wait. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* Velocities of four blocks, one number of all four beside the other. */
typedef struct blocks {
    ts_f64x4 v[DOF];
} blocks;

/* What cannot be moved has rows of zeros. */
static const double at_rest[DOF];

TS_SIMD blocks load_blocks(const int32_t *block, const double *w)
{
    const double *of[4];
    blocks b;
    for (int l = 0; l < 4; l++)
        of[l] = block[l] >= 0 ? w + (size_t)block[l] * DOF : at_rest;
    for (int l = 0; l < 4; l++)
        b.v[l] = ts_f64x4_load(of[l]);
    ts_f64x4_transpose(&b.v[0], &b.v[1], &b.v[2], &b.v[3]);
    const ts_f64x4 even = {of[0][4], of[0][5], of[2][4], of[2][5]}, odd = {of[1][4], of[1][5], of[3][4], of[3][5]};
    b.v[4] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    b.v[5] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    return b;
}

TS_SIMD void store_blocks(const int32_t *block, blocks b, double *w)
{
    const ts_f64x4 even = __builtin_shufflevector(b.v[4], b.v[5], 0, 4, 2, 6),
                   odd = __builtin_shufflevector(b.v[4], b.v[5], 1, 5, 3, 7);
    const two rest[4] = {__builtin_shufflevector(even, even, 0, 1), __builtin_shufflevector(odd, odd, 0, 1),
                         __builtin_shufflevector(even, even, 2, 3), __builtin_shufflevector(odd, odd, 2, 3)};
    ts_f64x4_transpose(&b.v[0], &b.v[1], &b.v[2], &b.v[3]);
    for (int l = 0; l < 4; l++)
        if (block[l] >= 0) {
            double *to = w + (size_t)block[l] * DOF;
            ts_f64x4_store(to, b.v[l]);
            *(two *)(to + 4) = rest[l];
        }
}

/* Rates along a row. */
TS_SIMD ts_f64x4 along(const double (*row)[4], const blocks *a, const blocks *b)
{
    ts_f64x4 in_a = ts_f64x4_load(row[0]) * a->v[0], in_b = ts_f64x4_load(row[DOF]) * b->v[0];
    for (int d = 1; d < DOF; d++) {
        in_a += ts_f64x4_load(row[d]) * a->v[d];
        in_b += ts_f64x4_load(row[DOF + d]) * b->v[d];
    }
    return in_a + in_b;
}

typedef struct impulses {
    ts_f64x4 n, t, x;
} impulses;

#define GET(name) ts_f64x4_load(f->name)

/* Impulses that stop contacts altogether: W · them = −rate, by elimination. Of no use where W is singular. */
TS_SIMD impulses hold(const ts_swept4 *f, impulses rate)
{
    impulses i;
    const ts_f64x4 t = -rate.t + GET(lt) * rate.n;
    i.x = (-rate.x + GET(lx) * rate.n - GET(mx) * t) * GET(over[2]);
    i.t = (t - GET(left_tx) * i.x) * GET(over[1]);
    i.n = (-rate.n - GET(nt) * i.t - GET(nx) * i.x) * GET(over[0]);
    return i;
}

/* (t, x) back into the disc |·| ≤ most. */
TS_SIMD void into_disc(ts_f64x4 most, ts_f64x4 *t, ts_f64x4 *x)
{
    const ts_f64x4 square = *t * *t + *x * *x;
    const ts_f64x4 part =
        ts_f64x4_select((ts_i64x4)(square > most * most), most / ts_f64x4_sqrt(square), ts_f64x4_broadcast(1));
    *t *= part;
    *x *= part;
}

/* Contacts that slide, from the friction that they have: λ follows from the normal rate, z goes downhill and back into
 * its disc,
 *
 *     λ = −(r + nt z + nx z') / nn        (z, z') ← the nearest of |·| ≤ μ λ to (z, z') − step · slip
 *
 * which ends where friction is μ λ straight against the slip. Where W is round, as for balls, the first turn is the
 * last; elsewhere the next sweep goes on from where this one ends, so that few turns will do. */
#define TURNS 2
TS_SIMD impulses slide(const ts_swept4 *f, impulses rate, impulses i)
{
    const ts_f64x4 none = ts_f64x4_broadcast(0);
    const ts_f64x4 nt = GET(nt), nx = GET(nx), tx = GET(tx), over = GET(over[0]), mu = GET(mu), step = GET(step);
    for (int turn = 0; turn < TURNS; turn++) {
        const ts_f64x4 lambda = ts_f64x4_max(-(rate.n + nt * i.t + nx * i.x) * over, none);
        const ts_f64x4 s = rate.t + nt * lambda + GET(tt) * i.t + tx * i.x,
                       s_x = rate.x + nx * lambda + tx * i.t + GET(xx) * i.x;
        i.t -= step * s;
        i.x -= step * s_x;
        into_disc(mu * lambda, &i.t, &i.x);
    }
    /* the bound is that of the λ that goes with it, as nearly as it may be */
    i.n = ts_f64x4_max(-(rate.n + nt * i.t + nx * i.x) * over, none);
    into_disc(mu * i.n, &i.t, &i.x);
    return i;
}

TS_SIMD impulses choose(ts_i64x4 mask, impulses yes, impulses no)
{
    return (impulses){ts_f64x4_select(mask, yes.n, no.n), ts_f64x4_select(mask, yes.t, no.t),
                      ts_f64x4_select(mask, yes.x, no.x)};
}

/* Coulomb's law for each of four contacts while all others stay. `live`: those whose islands are not done. Returns by
 * how much each changed a rate of its own. */
TS_SIMD ts_f64x4 treat(ts_swept4 *f, ts_i64x4 live, double *w)
{
    const ts_f64x4 none = ts_f64x4_broadcast(0), nn = GET(nn);
    const impulses had = {GET(lambda), GET(z), GET(z_across)};
    blocks a = load_blocks(f->a, w), b = load_blocks(f->b, w);
    impulses rate = {.n = GET(drift) + along(f->row[0], &a, &b)};
    live &= (ts_i64x4)(nn > 0) & ((ts_i64x4)(rate.n < 0) | (ts_i64x4)(had.n != 0));
    if (ts_mask_bits(live) == 0) /* open, as many are */
        return none;
    rate.t = GET(slip) + along(f->row[1], &a, &b);
    rate.x = GET(slip_across) + along(f->row[2], &a, &b);
    /* without their own */
    rate.n -= nn * had.n + GET(nt) * had.t + GET(nx) * had.x;
    rate.t -= GET(nt) * had.n + GET(tt) * had.t + GET(tx) * had.x;
    rate.x -= GET(nx) * had.n + GET(tx) * had.t + GET(xx) * had.x;
    const impulses held = hold(f, rate);
    const ts_f64x4 most = GET(mu) * held.n;
    const ts_i64x4 sticks = (ts_i64x4)(GET(over[2]) > 0) & (ts_i64x4)(held.n >= 0) &
                            (ts_i64x4)(held.t * held.t + held.x * held.x <= most * most);
    impulses now = held;
    if (ts_mask_bits(sticks & live) != ts_mask_bits(live))
        now = choose(sticks, held, slide(f, rate, had));
    const ts_i64x4 pressed = (ts_i64x4)(rate.n < 0) | (ts_i64x4)(had.n > 0);
    now = choose(pressed, now, (impulses){none, none, none});
    now = choose(live, now, had);
    const impulses more = {now.n - had.n, now.t - had.t, now.x - had.x};
    for (int d = 0; d < DOF; d++) {
        a.v[d] += GET(row[0][d]) * more.n + GET(row[1][d]) * more.t + GET(row[2][d]) * more.x;
        b.v[d] += GET(row[0][DOF + d]) * more.n + GET(row[1][DOF + d]) * more.t + GET(row[2][DOF + d]) * more.x;
    }
    store_blocks(f->a, a, w);
    store_blocks(f->b, b, w);
    ts_f64x4_store(f->lambda, now.n);
    ts_f64x4_store(f->z, now.t);
    ts_f64x4_store(f->z_across, now.x);
    return ts_f64x4_max(ts_f64x4_abs(nn * more.n),
                        ts_f64x4_max(ts_f64x4_abs(GET(tt) * more.t), ts_f64x4_abs(GET(xx) * more.x)));
}

static void sweep(const ts_impact_work *work, ts_impact_part part, bool backwards, double *w)
{
    ts_impact_island *of = work->islands.item;
    ts_f64x4 change = ts_f64x4_broadcast(0);
    int32_t now = -1; /* the island that `change` is of */
    for (size_t i = 0; i <= part.count; i++) {
        const bool end = i == part.count;
        ts_swept4 *f = end ? NULL : ts_swept4_at(work, part.start + (backwards ? part.count - 1 - i : i));
        const int32_t *own = end ? NULL : f->island;
        const bool same = !end && own[0] == own[1] && own[0] == own[2] && own[0] == own[3];
        if (now >= 0 && !(same && own[0] == now)) {
            for (int l = 0; l < 4; l++)
                if (change[l] > 0)
                    ts_island_changes(&of[now], change[l]);
            change = ts_f64x4_broadcast(0);
            now = -1;
        }
        if (end || (same && of[own[0]].done))
            continue;
        ts_i64x4 live = {-1, -1, -1, -1};
        for (int l = 0; l < 4 && !same; l++)
            live[l] = of[own[l]].done ? 0 : -1;
        const ts_f64x4 by = treat(f, live, w);
        if (same) {
            change = ts_f64x4_max(change, by);
            now = own[0];
            continue;
        }
        for (int l = 0; l < 4; l++)
            if (by[l] > 0)
                ts_island_changes(&of[own[l]], by[l]);
    }
}

extern const ts_sweep_kernels TS_KERNEL(ts_sweep);
const ts_sweep_kernels TS_KERNEL(ts_sweep) = {sweep};
