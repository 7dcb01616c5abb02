/* SPDX-License-Identifier: MIT */
/* Distance queries, four edges or four points at a time. See distance_kernel.h. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd.h"
#include "shape/distance_kernel.h"

typedef int32_t i32x4 __attribute__((vector_size(16)));

/* Edges that leave a vertex without an angle between them are about x² apart at x from it, and rounding hides which is
 * nearer: so near to the vertex, in units of the extent, it is asked for the side. */
#define HAIR 6e-8

/* Points under way. */
typedef struct tile {
    double x[TS_DISTANCE_TILE], y[TS_DISTANCE_TILE];
    double out[TS_DISTANCE_TILE], cx[TS_DISTANCE_TILE], cy[TS_DISTANCE_TILE];
    int32_t edge[TS_DISTANCE_TILE];
} tile;

/* ---- Keys: squared distances that choose ---- */

TS_SIMD ts_i64x4 is_nan(ts_f64x4 a)
{
    return (ts_i64x4)(a != a); // NOLINT(misc-redundant-expression): only a NaN differs from itself
}

TS_SIMD ts_f64x4 line_key(ts_f64x4 ex, ts_f64x4 ey, ts_f64x4 dx, ts_f64x4 dy, ts_f64x4 inverse)
{
    ts_f64x4 t = (ex * dx + ey * dy) * inverse;
    t = ts_f64x4_min(ts_f64x4_max(t, ts_f64x4_broadcast(0)), ts_f64x4_broadcast(1));
    ts_f64x4 rx = ex - t * dx, ry = ey - t * dy;
    return rx * rx + ry * ry;
}

/* Between the normals at the ends? */
TS_SIMD ts_i64x4 within(ts_f64x4 t0, ts_f64x4 t1, ts_f64x4 b)
{
    ts_i64x4 after = (ts_i64x4)(t0 >= 0.0), before = (ts_i64x4)(t1 <= 0.0), wide = (ts_i64x4)(b * b > 1.0);
    return (after & before) | (wide & (after | before));
}

typedef struct curve {
    ts_f64x4 x0, y0, x1, y1, gx, gy, hx, hy, b, rho;
} curve;

TS_SIMD ts_f64x4 arc_key(const curve *c, ts_f64x4 px, ts_f64x4 py)
{
    ts_f64x4 ex = px - c->x0, ey = py - c->y0, fx = px - c->x1, fy = py - c->y1;
    ts_i64x4 in = within(ex * c->gy - ey * c->gx, fx * c->hy - fy * c->hx, c->b);
    ts_f64x4 ee = ex * ex + ey * ey, qx = c->b * ex - c->gx, qy = c->b * ey - c->gy;
    ts_f64x4 d = (c->b * ee - 2.0 * (ex * c->gx + ey * c->gy)) / (ts_f64x4_sqrt(qx * qx + qy * qy) + c->rho);
    return ts_f64x4_select(in, d * d, ts_f64x4_min(ee, fx * fx + fy * fy));
}

TS_SIMD ts_f64x4 line_block_key(const ts_line_block *block, ts_f64x4 px, ts_f64x4 py)
{
    return line_key(px - ts_f64x4_load(block->x), py - ts_f64x4_load(block->y), ts_f64x4_load(block->dx),
                    ts_f64x4_load(block->dy), ts_f64x4_load(block->inverse));
}

TS_SIMD ts_f64x4 arc_block_key(const ts_arc_block *block, ts_f64x4 px, ts_f64x4 py)
{
    curve c = {ts_f64x4_load(block->x0), ts_f64x4_load(block->y0), ts_f64x4_load(block->x1), ts_f64x4_load(block->y1),
               ts_f64x4_load(block->gx), ts_f64x4_load(block->gy), ts_f64x4_load(block->hx), ts_f64x4_load(block->hy),
               ts_f64x4_load(block->b),  ts_f64x4_load(block->rho)};
    return arc_key(&c, px, py);
}

/* ---- Choosing among few edges: lanes are points ---- */

TS_SIMD void take(ts_f64x4 key, int64_t edge, ts_f64x4 *best, ts_i64x4 *which)
{
    ts_i64x4 nearer = (ts_i64x4)(key < *best), id = {edge, edge, edge, edge};
    *best = ts_f64x4_min(key, *best);
    *which = (ts_i64x4)ts_f64x4_select(nearer, (ts_f64x4)id, (ts_f64x4)*which);
}

static void choose_few(const ts_distance *d, tile *t, int count)
{
    for (int k = 0; k < count; k += 4) {
        ts_f64x4 px = ts_f64x4_load(t->x + k), py = ts_f64x4_load(t->y + k), best = ts_f64x4_broadcast(HUGE_VAL);
        ts_i64x4 which = {0, 0, 0, 0};
        for (uint32_t i = 0; i < d->line_blocks; i++) {
            const ts_line_block *block = &d->line[i];
            for (int lane = 0; lane < 4; lane++)
                take(line_key(px - block->x[lane], py - block->y[lane], ts_f64x4_broadcast(block->dx[lane]),
                              ts_f64x4_broadcast(block->dy[lane]), ts_f64x4_broadcast(block->inverse[lane])),
                     4 * (int64_t)i + lane, &best, &which);
        }
        for (uint32_t i = 0; i < d->arc_blocks; i++) {
            const ts_arc_block *block = &d->arc[i];
            for (int lane = 0; lane < 4; lane++) {
                curve c = {ts_f64x4_broadcast(block->x0[lane]), ts_f64x4_broadcast(block->y0[lane]),
                           ts_f64x4_broadcast(block->x1[lane]), ts_f64x4_broadcast(block->y1[lane]),
                           ts_f64x4_broadcast(block->gx[lane]), ts_f64x4_broadcast(block->gy[lane]),
                           ts_f64x4_broadcast(block->hx[lane]), ts_f64x4_broadcast(block->hy[lane]),
                           ts_f64x4_broadcast(block->b[lane]),  ts_f64x4_broadcast(block->rho[lane])};
                take(arc_key(&c, px, py), 4 * (int64_t)(d->line_blocks + i) + lane, &best, &which);
            }
        }
        for (int lane = 0; lane < 4; lane++)
            t->edge[k + lane] = (int32_t)which[lane];
    }
}

/* ---- Choosing among many: lanes are edges ---- */

/* The nearest so far in each lane, and the block it came from. */
typedef struct nearest {
    ts_f64x4 key;
    ts_i64x4 block;
} nearest;

TS_SIMD void look_at_lines(const ts_distance *d, uint32_t begin, uint32_t count, ts_f64x4 px, ts_f64x4 py, nearest *n)
{
    for (uint32_t i = begin; i < begin + count; i++)
        take(line_block_key(&d->line[i], px, py), i, &n->key, &n->block);
}

TS_SIMD void look_at_arcs(const ts_distance *d, uint32_t begin, uint32_t count, ts_f64x4 px, ts_f64x4 py, nearest *n)
{
    for (uint32_t i = begin; i < begin + count; i++)
        take(arc_block_key(&d->arc[i], px, py), (int64_t)d->line_blocks + i, &n->key, &n->block);
}

/* The nearest edge of all lanes, the first of equally near ones. */
TS_SIMD int32_t nearest_edge(const nearest *n)
{
    ts_f64x4 swapped = __builtin_shufflevector(n->key, n->key, 2, 3, 0, 1), two = ts_f64x4_min(n->key, swapped);
    ts_f64x4 least = ts_f64x4_min(two, __builtin_shufflevector(two, two, 1, 0, 3, 2));
    int bits = ts_mask_bits(ts_f64x4_equal(n->key, least));
    int64_t block[4];
    memcpy(block, &n->block, sizeof block);
    int lane = __builtin_ctz((unsigned)bits | 8u);
    int32_t best = (int32_t)(4 * block[lane] + lane);
    for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
        lane = __builtin_ctz((unsigned)bits);
        int32_t other = (int32_t)(4 * block[lane] + lane);
        best = other < best ? other : best;
    }
    return best;
}

/* Outside of the grid: circles around groups of blocks tell which of them can be nearest. */
static int32_t choose_outside(const ts_distance *d, double x, double y)
{
    ts_f64x4 px = ts_f64x4_broadcast(x), py = ts_f64x4_broadcast(y), most = ts_f64x4_broadcast(HUGE_VAL);
    const double *gx = d->group, *gy = gx + d->group_padded, *gr = gy + d->group_padded;
    for (size_t i = 0; i < d->group_count; i += 4) {
        ts_f64x4 ex = px - ts_f64x4_load(gx + i), ey = py - ts_f64x4_load(gy + i);
        most = ts_f64x4_min(ts_f64x4_sqrt(ex * ex + ey * ey) + ts_f64x4_load(gr + i), most);
    }
    double bound = fmin(fmin(most[0], most[1]), fmin(most[2], most[3]));
    bound += 1e-12 * (bound + fabs(x) + fabs(y)); /* for rounding */
    nearest n = {ts_f64x4_broadcast(HUGE_VAL), {0, 0, 0, 0}};
    uint32_t line_groups = (d->line_blocks + TS_DISTANCE_GROUP - 1) / TS_DISTANCE_GROUP;
    for (size_t i = 0; i < d->group_count; i++) {
        double ex = x - gx[i], ey = y - gy[i];
        if (sqrt(ex * ex + ey * ey) - gr[i] > bound)
            continue;
        uint32_t group = (uint32_t)i, arcs = group >= line_groups;
        uint32_t begin = (group - (arcs ? line_groups : 0)) * TS_DISTANCE_GROUP;
        uint32_t left = (arcs ? d->arc_blocks : d->line_blocks) - begin;
        uint32_t count = left < TS_DISTANCE_GROUP ? left : TS_DISTANCE_GROUP;
        if (arcs)
            look_at_arcs(d, begin, count, px, py, &n);
        else
            look_at_lines(d, begin, count, px, py, &n);
    }
    return nearest_edge(&n);
}

static int32_t choose_listed(const ts_distance *d, const ts_distance_cell *cell, double x, double y)
{
    ts_f64x4 px = ts_f64x4_broadcast(x), py = ts_f64x4_broadcast(y);
    nearest n = {ts_f64x4_broadcast(HUGE_VAL), {0, 0, 0, 0}};
    const ts_distance_run *run = d->run + cell->begin, *arcs = run + cell->count, *end = arcs + (cell->listed - 1);
    for (; run < arcs; run++)
        look_at_lines(d, run->begin, run->count, px, py, &n);
    for (; run < end; run++)
        look_at_arcs(d, run->begin, run->count, px, py, &n);
    return nearest_edge(&n);
}

static void choose_in_grid(const ts_distance *d, tile *t, int count)
{
    int32_t index[TS_DISTANCE_TILE];
    ts_f64x4 last = ts_f64x4_broadcast((double)d->side - 1), zero = ts_f64x4_broadcast(0);
    for (int k = 0; k < count; k += 4) {
        ts_f64x4 fx = (ts_f64x4_load(t->x + k) - d->origin[0]) * d->per_length;
        ts_f64x4 fy = (ts_f64x4_load(t->y + k) - d->origin[1]) * d->per_length;
        ts_i64x4 in =
            (ts_i64x4)(fx >= 0.0) & (ts_i64x4)(fy >= 0.0) & (ts_i64x4)(fx < last + 1.0) & (ts_i64x4)(fy < last + 1.0);
        i32x4 ix = __builtin_convertvector(ts_f64x4_max(ts_f64x4_min(fx, last), zero), i32x4);
        i32x4 iy = __builtin_convertvector(ts_f64x4_max(ts_f64x4_min(fy, last), zero), i32x4);
        i32x4 cell = iy * d->side + ix;
        int inside = ts_mask_bits(in);
        for (int lane = 0; lane < 4; lane++)
            index[k + lane] = (inside >> lane) & 1 ? cell[lane] : -1;
    }
    for (int k = 0; k < count; k++) {
        if (index[k] < 0) {
            t->edge[k] = choose_outside(d, t->x[k], t->y[k]);
            continue;
        }
        const ts_distance_cell *cell = &d->cell[index[k]];
        if (cell->listed) {
            t->edge[k] = choose_listed(d, cell, t->x[k], t->y[k]);
            continue;
        }
        nearest n = {ts_f64x4_broadcast(HUGE_VAL), {0, 0, 0, 0}};
        look_at_lines(d, cell->begin, cell->count, ts_f64x4_broadcast(t->x[k]), ts_f64x4_broadcast(t->y[k]), &n);
        t->edge[k] = nearest_edge(&n);
    }
}

/* ---- Measuring: lanes are points, each with its edge ---- */

typedef struct edge4 {
    ts_f64x4 x0, y0, x1, y1, gx, gy, b, rho, n0x, n0y, n1x, n1y;
} edge4;

TS_SIMD edge4 load_edges(const ts_distance_edge *edge, const int32_t *index)
{
    const ts_distance_edge *a = &edge[index[0]], *b = &edge[index[1]], *c = &edge[index[2]], *d = &edge[index[3]];
    edge4 e;
    e.x0 = ts_f64x4_load(&a->x0), e.y0 = ts_f64x4_load(&b->x0);
    e.x1 = ts_f64x4_load(&c->x0), e.y1 = ts_f64x4_load(&d->x0);
    ts_f64x4_transpose(&e.x0, &e.y0, &e.x1, &e.y1);
    e.gx = ts_f64x4_load(&a->gx), e.gy = ts_f64x4_load(&b->gx);
    e.b = ts_f64x4_load(&c->gx), e.rho = ts_f64x4_load(&d->gx);
    ts_f64x4_transpose(&e.gx, &e.gy, &e.b, &e.rho);
    e.n0x = ts_f64x4_load(&a->n0x), e.n0y = ts_f64x4_load(&b->n0x);
    e.n1x = ts_f64x4_load(&c->n0x), e.n1y = ts_f64x4_load(&d->n0x);
    ts_f64x4_transpose(&e.n0x, &e.n0y, &e.n1x, &e.n1y);
    return e;
}

/* The side of some of four points is asked of the vertex. `bits` says of which, `at_end` whether of the edge's end,
 * `inner` of which the nearest point is only nearly the vertex. */
static void settle(const ts_distance *d, tile *t, int k, int bits, int at_end, int inner)
{
    for (; bits != 0; bits &= bits - 1) {
        int lane = __builtin_ctz((unsigned)bits);
        ts_distance_end at = {t->edge[k + lane], (at_end >> lane) & 1, (inner >> lane) & 1};
        bool left = ts_distance_settle(d, at, t->x[k + lane], t->y[k + lane], &t->edge[k + lane]);
        t->out[k + lane] = left ? -fabs(t->out[k + lane]) : fabs(t->out[k + lane]);
    }
}

/* Where the nearest point is a vertex: its distance, with the sign of the mean normal. NaN when the normal is. */
TS_SIMD ts_f64x4 vertex_distance(ts_f64x4 rx, ts_f64x4 ry, ts_f64x4 nx, ts_f64x4 ny)
{
    ts_f64x4 size = ts_f64x4_sqrt(rx * rx + ry * ry), dot = rx * nx + ry * ny;
    return ts_f64x4_select((ts_i64x4)(dot < 0.0), -size, size);
}

static void measure_lines(const ts_distance *d, tile *t, int count)
{
    for (int k = 0; k < count; k += 4) {
        edge4 e = load_edges(d->edge, t->edge + k);
        ts_f64x4 px = ts_f64x4_load(t->x + k), py = ts_f64x4_load(t->y + k);
        ts_f64x4 ex = px - e.x0, ey = py - e.y0, fx = px - e.x1, fy = py - e.y1;
        ts_f64x4 t0 = ex * e.gy - ey * e.gx, t1 = fx * e.gy - fy * e.gx;
        ts_i64x4 in = (ts_i64x4)(t0 >= 0.0) & (ts_i64x4)(t1 <= 0.0), begin = (ts_i64x4)(t0 < 0.0);
        ts_f64x4 rx = ts_f64x4_select(begin, ex, fx), ry = ts_f64x4_select(begin, ey, fy);
        ts_f64x4 nx = ts_f64x4_select(begin, e.n0x, e.n1x), ny = ts_f64x4_select(begin, e.n0y, e.n1y);
        ts_f64x4 from_line = 0.0 - 2.0 * (ex * e.gx + ey * e.gy), from_vertex = vertex_distance(rx, ry, nx, ny);
        ts_f64x4_store(t->out + k, ts_f64x4_select(in, from_line, from_vertex));
        ts_f64x4 along = 4.0 * t0; /* of g turned right, which is half a unit long: 2 t0 is a length */
        ts_f64x4_store(t->cx + k, ts_f64x4_select(in, e.x0 + along * e.gy, ts_f64x4_select(begin, e.x0, e.x1)));
        ts_f64x4_store(t->cy + k, ts_f64x4_select(in, e.y0 - along * e.gx, ts_f64x4_select(begin, e.y0, e.y1)));
        int odd = ts_mask_bits(is_nan(nx) & ~in);
        if (odd)
            settle(d, t, k, odd, ts_mask_bits(~begin), 0);
    }
}

static void measure_curves(const ts_distance *d, tile *t, int count)
{
    for (int k = 0; k < count; k += 4) {
        edge4 e = load_edges(d->edge, t->edge + k);
        ts_f64x4 px = ts_f64x4_load(t->x + k), py = ts_f64x4_load(t->y + k);
        ts_f64x4 ex = px - e.x0, ey = py - e.y0, fx = px - e.x1, fy = py - e.y1, dx = e.x1 - e.x0, dy = e.y1 - e.y0;
        ts_f64x4 hx = e.gx - e.b * dx, hy = e.gy - e.b * dy;
        ts_f64x4 t0 = ex * e.gy - ey * e.gx, t1 = fx * hy - fy * hx;
        ts_f64x4 ee = ex * ex + ey * ey, ff = fx * fx + fy * fy;
        ts_i64x4 in = within(t0, t1, e.b), begin = (ts_i64x4)(ee <= ff);
        /* on the curve */
        ts_f64x4 qx = e.b * ex - e.gx, qy = e.b * ey - e.gy, q = ts_f64x4_sqrt(qx * qx + qy * qy);
        ts_f64x4 from_curve = (e.b * ee - 2.0 * (ex * e.gx + ey * e.gy)) / (q + e.rho);
        ts_f64x4 cx = e.x0 + (e.rho * ex + from_curve * e.gx) / q, cy = e.y0 + (e.rho * ey + from_curve * e.gy) / q;
        ts_i64x4 central = (ts_i64x4)(q < 0.5 * e.rho);
        if (ts_mask_bits(central)) {                   /* there the above cancels, but the centre is not far away */
            ts_i64x4 at_centre = (ts_i64x4)(q == 0.0); /* all of the arc is nearest: take its middle */
            ts_f64x4 mx = e.x0 + (e.gx + e.rho * (qx / q)) / e.b, my = e.y0 + (e.gy + e.rho * (qy / q)) / e.b;
            mx = ts_f64x4_select(at_centre, e.x0 + 0.5 * (dx + e.b * dy), mx);
            my = ts_f64x4_select(at_centre, e.y0 + 0.5 * (dy - e.b * dx), my);
            cx = ts_f64x4_select(central, mx, cx);
            cy = ts_f64x4_select(central, my, cy);
            /* the same direction must say whether the foot is on the arc */
            ts_f64x4 u0 = e.b * (qx * e.gy - qy * e.gx), u1 = e.b * (qx * hy - qy * hx);
            in = (ts_i64x4)ts_f64x4_select(central, (ts_f64x4)within(u0, u1, e.b), (ts_f64x4)in);
        }
        /* at a vertex */
        ts_f64x4 rx = ts_f64x4_select(begin, ex, fx), ry = ts_f64x4_select(begin, ey, fy);
        ts_f64x4 nx = ts_f64x4_select(begin, e.n0x, e.n1x), ny = ts_f64x4_select(begin, e.n0y, e.n1y);
        ts_f64x4_store(t->out + k, ts_f64x4_select(in, from_curve, vertex_distance(rx, ry, nx, ny)));
        ts_f64x4_store(t->cx + k, ts_f64x4_select(in, cx, ts_f64x4_select(begin, e.x0, e.x1)));
        ts_f64x4_store(t->cy + k, ts_f64x4_select(in, cy, ts_f64x4_select(begin, e.y0, e.y1)));
        ts_f64x4 off = ts_f64x4_select(begin, t0, t1) / e.rho, r = ts_f64x4_abs(rx) + ts_f64x4_abs(ry);
        ts_i64x4 hair = (ts_i64x4)(off * off <= HAIR * HAIR * (1.0 + r));
        int odd = ts_mask_bits(is_nan(nx) & (~in | hair));
        if (odd)
            settle(d, t, k, odd, ts_mask_bits(~begin), ts_mask_bits(in));
    }
}

/* ---- The whole ---- */

/* Fills a tile; the last vector is filled up with copies. Returns whether some coordinate is not usable as it stands;
 * such a point becomes the centre for now. */
static bool fill_tile(const ts_distance *d, tile *t, int count, const double *x, const double *y)
{
    ts_f64x4 limit = ts_f64x4_broadcast(TS_DISTANCE_FAR);
    ts_f64x4 mx = ts_f64x4_broadcast(d->centre[0]), my = ts_f64x4_broadcast(d->centre[1]);
    int odd = 0, k = 0;
    for (; k + 4 <= count; k += 4) {
        ts_f64x4 px = ts_f64x4_load(x + k) * d->scale, py = ts_f64x4_load(y + k) * d->scale;
        ts_i64x4 fine = (ts_i64x4)(ts_f64x4_abs(px - mx) < limit) & (ts_i64x4)(ts_f64x4_abs(py - my) < limit);
        odd |= ts_mask_bits(~fine);
        ts_f64x4_store(t->x + k, ts_f64x4_select(fine, px, mx));
        ts_f64x4_store(t->y + k, ts_f64x4_select(fine, py, my));
    }
    for (; k < count; k++) {
        double px = x[k] * d->scale, py = y[k] * d->scale;
        bool fine = fabs(px - d->centre[0]) < TS_DISTANCE_FAR && fabs(py - d->centre[1]) < TS_DISTANCE_FAR;
        odd |= !fine;
        t->x[k] = fine ? px : d->centre[0];
        t->y[k] = fine ? py : d->centre[1];
    }
    for (; k % 4 != 0; k++) {
        t->x[k] = t->x[count - 1];
        t->y[k] = t->y[count - 1];
    }
    return odd != 0;
}

static void answer(const ts_distance *d, tile *t, int count)
{
    if (d->side == 0)
        choose_few(d, t, count);
    else
        choose_in_grid(d, t, count);
    if (d->arc_blocks == 0)
        measure_lines(d, t, count);
    else
        measure_curves(d, t, count);
    for (int k = 0; k < count; k += 4) {
        ts_f64x4_store(t->out + k, ts_f64x4_load(t->out + k) * d->unscale);
        ts_f64x4_store(t->cx + k, ts_f64x4_load(t->cx + k) * d->unscale);
        ts_f64x4_store(t->cy + k, ts_f64x4_load(t->cy + k) * d->unscale);
    }
}

/* NaN for a point that is no point; the direction alone counts of one that is very far away. */
static void answer_odd(const ts_distance *d, tile *t, int k, double x, double y)
{
    bool finite = isfinite(x) && isfinite(y);
    double cx = d->centre[0] * d->unscale, cy = d->centre[1] * d->unscale;
    double px = 0.5 * x - 0.5 * cx, py = 0.5 * y - 0.5 * cy,
           size = fmax(fabs(px), fabs(py)); /* halves do not overflow */
    if (finite && fabs(x * d->scale - d->centre[0]) < TS_DISTANCE_FAR &&
        fabs(y * d->scale - d->centre[1]) < TS_DISTANCE_FAR)
        return;
    t->out[k] = t->cx[k] = t->cy[k] = (double)NAN;
    t->edge[k] = -1;
    if (!finite)
        return;
    tile one;
    for (int i = 0; i < 4; i++) {
        one.x[i] = d->centre[0] + px / size * (0.5 * TS_DISTANCE_FAR);
        one.y[i] = d->centre[1] + py / size * (0.5 * TS_DISTANCE_FAR);
    }
    answer(d, &one, 4);
    t->cx[k] = one.cx[0];
    t->cy[k] = one.cy[0];
    t->edge[k] = one.edge[0];
    t->out[k] = copysign(hypot(x - one.cx[0], y - one.cy[0]), one.out[0]);
}

static void query(const ts_distance *d, size_t count, const double *x, const double *y, double *out, double *closest_x,
                  double *closest_y, int32_t *segment)
{
    tile t;
    for (size_t begin = 0; begin < count; begin += TS_DISTANCE_TILE) {
        size_t left = count - begin, size = left < TS_DISTANCE_TILE ? left : TS_DISTANCE_TILE;
        bool odd = fill_tile(d, &t, (int)size, x + begin, y + begin);
        answer(d, &t, (int)(size + 3) & ~3);
        for (size_t k = 0; odd && k < size; k++)
            answer_odd(d, &t, (int)k, x[begin + k], y[begin + k]);
        if (out)
            memcpy(out + begin, t.out, size * sizeof *out);
        if (closest_x)
            memcpy(closest_x + begin, t.cx, size * sizeof *closest_x);
        if (closest_y)
            memcpy(closest_y + begin, t.cy, size * sizeof *closest_y);
        for (size_t k = 0; segment && k < size; k++)
            segment[begin + k] = t.edge[k] < 0 ? -1 : d->original[t.edge[k]];
    }
}

/* ---- For the grid: lanes are the corners of a cell ---- */

TS_SIMD ts_f64x4 line_edge_key(const ts_distance_edge *e, ts_f64x4 px, ts_f64x4 py)
{
    ts_f64x4 ex = px - e->x0, ey = py - e->y0, fx = px - e->x1, fy = py - e->y1, d = 2.0 * (ex * e->gx + ey * e->gy);
    ts_i64x4 in = (ts_i64x4)(ex * e->gy - ey * e->gx >= 0.0) & (ts_i64x4)(fx * e->gy - fy * e->gx <= 0.0);
    return ts_f64x4_select(in, d * d, ts_f64x4_min(ex * ex + ey * ey, fx * fx + fy * fy));
}

TS_SIMD ts_f64x4 arc_edge_key(const ts_distance_edge *e, ts_f64x4 px, ts_f64x4 py)
{
    double hx = e->gx - e->b * (e->x1 - e->x0), hy = e->gy - e->b * (e->y1 - e->y0);
    curve c = {ts_f64x4_broadcast(e->x0), ts_f64x4_broadcast(e->y0), ts_f64x4_broadcast(e->x1),
               ts_f64x4_broadcast(e->y1), ts_f64x4_broadcast(e->gx), ts_f64x4_broadcast(e->gy),
               ts_f64x4_broadcast(hx),    ts_f64x4_broadcast(hy),    ts_f64x4_broadcast(e->b),
               ts_f64x4_broadcast(e->rho)};
    return arc_key(&c, px, py);
}

static void measure(const ts_distance_edge *edge, const int32_t *list, size_t count, const double corner[2][4],
                    double *out, size_t nearest_of[4])
{
    ts_f64x4 px = ts_f64x4_load(corner[0]), py = ts_f64x4_load(corner[1]), best = ts_f64x4_broadcast(HUGE_VAL);
    ts_i64x4 which = {0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const ts_distance_edge *e = &edge[list[i]];
        ts_f64x4 key = e->b == 0 ? line_edge_key(e, px, py) : arc_edge_key(e, px, py);
        take(key, (int64_t)i, &best, &which);
        ts_f64x4_store(out + 4 * i, ts_f64x4_sqrt(key));
    }
    for (int k = 0; k < 4; k++)
        nearest_of[k] = (size_t)which[k];
}

static size_t sieve(const int32_t *list, size_t count, const double *distance, const double limit[4][4], int32_t *to)
{
    ts_f64x4 a = ts_f64x4_load(limit[0]), b = ts_f64x4_load(limit[1]);
    ts_f64x4 c = ts_f64x4_load(limit[2]), d = ts_f64x4_load(limit[3]);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        ts_f64x4 at = ts_f64x4_load(distance + 4 * i);
        bool out = ts_mask_bits((ts_i64x4)(at > a)) == 15 || ts_mask_bits((ts_i64x4)(at > b)) == 15 ||
                   ts_mask_bits((ts_i64x4)(at > c)) == 15 || ts_mask_bits((ts_i64x4)(at > d)) == 15;
        to[left] = list[i];
        left += !out;
    }
    return left;
}

const ts_distance_kernels TS_KERNEL(ts_distance) = {query, measure, sieve};
