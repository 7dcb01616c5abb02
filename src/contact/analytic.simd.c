/* SPDX-License-Identifier: MIT */
/* Disc contacts, four at a time. See analytic.h.
 *
 * Two passes a batch: the first asks of every candidate whether it touches and compacts those that do, without a branch
 * (in a packing about half of the candidates touch, in no order that a predictor could learn); the second works out the
 * record of the touching ones in full vectors. */
#include "contact/analytic.h"

#include <math.h>

#include "base/kernel.h"
#include "base/simd.h"

/* x, y, angle, radius of four frames, as columns. */
typedef struct place4 {
    ts_f64x4 x, y, angle, radius;
} place4;

TS_SIMD place4 load_places(const ts_frame2 *part, int32_t i0, int32_t i1, int32_t i2, int32_t i3)
{
    place4 p = {ts_f64x4_load(&part[i0].x), ts_f64x4_load(&part[i1].x), ts_f64x4_load(&part[i2].x),
                ts_f64x4_load(&part[i3].x)};
    ts_f64x4_transpose(&p.x, &p.y, &p.angle, &p.radius);
    return p;
}

/* Which of four pairs touch: bit i for pair i. */
TS_SIMD int touching4(const ts_frame2 *part, const ts_candidate *pair, double open)
{
    place4 a = load_places(part, pair[0].a, pair[1].a, pair[2].a, pair[3].a);
    place4 b = load_places(part, pair[0].b, pair[1].b, pair[2].b, pair[3].b);
    ts_f64x4 dx = b.x - a.x, dy = b.y - a.y, reach = a.radius + b.radius + open;
    return ts_mask_bits(ts_f64x4_less(dx * dx + dy * dy, reach * reach));
}

/* Writes the numbers of the touching candidates to touching[] (room for count + 3) and returns how many. */
static int compact_touching(const ts_frame2 *part, const ts_candidate *pair, int count, double open, double *spring,
                            int32_t *touching)
{
    int found = 0;
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        int bits = touching4(part, pair + k, open);
        touching[found] = k;
        found += bits & 1;
        touching[found] = k + 1;
        found += (bits >> 1) & 1;
        touching[found] = k + 2;
        found += (bits >> 2) & 1;
        touching[found] = k + 3;
        found += (bits >> 3) & 1;
        /* a contact that opened loses its spring; that is rare, so the branch is cheap */
        ts_f64x4 s = ts_f64x4_load(spring + k);
        int held = ts_mask_bits((ts_i64x4)(s != 0.0));
        if (held & ~bits)
            for (int lane = 0; lane < 4; lane++)
                if (!((bits >> lane) & 1))
                    spring[k + lane] = 0;
    }
    for (; k < count; k++) {
        const ts_frame2 *a = &part[pair[k].a], *b = &part[pair[k].b];
        double dx = b->x - a->x, dy = b->y - a->y, reach = a->radius + b->radius + open;
        if (dx * dx + dy * dy < reach * reach)
            touching[found++] = k;
        else
            spring[k] = 0;
    }
    return found;
}

static void find_discs(const ts_frame2 *part, const ts_candidate *pair, int count, double open, double *spring,
                       ts_contact_batch *out)
{
    int32_t touching[TS_BATCH + 4];
    int found = compact_touching(part, pair, count, open, spring, touching);
    out->count = found;
    out->weighted = out->shared = false;
    if (found == 0)
        return;
    /* the last vector is filled up with copies of the last contact, which are worked on but not used */
    for (int k = found; k < found + 3; k++)
        touching[k] = touching[found - 1];

    for (int k = 0; k < found; k += 4) {
        for (int lane = 0; lane < 4; lane++) {
            out->a[k + lane] = pair[touching[k + lane]].a;
            out->b[k + lane] = pair[touching[k + lane]].b;
            out->history[k + lane] = touching[k + lane];
        }
        const int32_t *ia = out->a + k, *ib = out->b + k;
        place4 a = load_places(part, ia[0], ia[1], ia[2], ia[3]);
        place4 b = load_places(part, ib[0], ib[1], ib[2], ib[3]);
        ts_f64x4 dx = b.x - a.x, dy = b.y - a.y;
        ts_f64x4 distance = ts_f64x4_sqrt(dx * dx + dy * dy);
        /* coincident centres have no direction: any unit vector pushes them apart */
        ts_i64x4 apart = (ts_i64x4)(distance > 0.0);
        ts_f64x4 inverse = 1.0 / distance;
        ts_f64x4 nx = ts_f64x4_select(apart, dx * inverse, ts_f64x4_broadcast(1));
        ts_f64x4 ny = ts_f64x4_select(apart, dy * inverse, ts_f64x4_broadcast(0));
        ts_f64x4_store(out->gap + k, distance - (a.radius + b.radius));
        ts_f64x4_store(out->nx + k, nx);
        ts_f64x4_store(out->ny + k, ny);
        ts_f64x4_store(out->ax + k, a.radius * nx);
        ts_f64x4_store(out->ay + k, a.radius * ny);
        ts_f64x4_store(out->bx + k, -b.radius * nx);
        ts_f64x4_store(out->by + k, -b.radius * ny);
    }
}

/* Walls touch few parts, so one at a time is fast enough. */
static void find_walls(const ts_wall_frame *wall, const ts_frame2 *part, const ts_candidate *pair, int count,
                       double open, double *spring, ts_contact_batch *out)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        const ts_wall_frame *w = &wall[pair[k].a];
        const ts_frame2 *p = &part[pair[k].b];
        double dx = p->x - w->frame.x, dy = p->y - w->frame.y;
        double nx, ny, gap = ts_wall_gap(w, dx, dy, p->radius, &nx, &ny);
        if (!(gap < open) || w->absent) {
            spring[k] = 0;
            continue;
        }
        out->a[found] = pair[k].a;
        out->b[found] = pair[k].b;
        out->history[found] = k;
        out->gap[found] = gap;
        out->nx[found] = nx;
        out->ny[found] = ny;
        out->bx[found] = -p->radius * nx;
        out->by[found] = -p->radius * ny;
        /* the wall's point lies one gap before the part's: point_b - point_a = gap · n */
        out->ax[found] = dx + out->bx[found] - gap * nx;
        out->ay[found] = dy + out->by[found] - gap * ny;
        found++;
    }
    out->count = found;
    out->weighted = out->shared = false;
    ts_contact_batch_fill_up(out);
}

extern const ts_analytic_kernels TS_KERNEL(ts_analytic);
const ts_analytic_kernels TS_KERNEL(ts_analytic) = {find_discs, find_walls};
