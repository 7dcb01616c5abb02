/* SPDX-License-Identifier: MIT */
/* Tables: many poses at a time. See table_kernel.h for what lies where.
 *
 * Three passes a batch: in double precision, four poses at a time, from coordinates to cells and fractions; in single
 * precision, pose by pose, the sums over nodes, with four nodes along x side by side; last, what is beyond the band.
 * (Tried: eight poses side by side and gathers, 45 ns where this takes 30; AMD's gathers are no faster than single
 * loads.) Fractions come from double coordinates, so a result has no jumps of its own when a pose moves by less than
 * single precision could tell. The same operations in the same order make a result on every instruction set, so the
 * kernels agree to the bit. */
#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "base/simd.h"
#include "cspace/table_kernel.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef float f32x4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t i32x4_anywhere __attribute__((vector_size(16), aligned(4), may_alias));

/* Cells and fractions of a batch on one lattice. */
typedef struct cells {
    _Alignas(64) int32_t i[TS_FIELD_BATCH], j[TS_FIELD_BATCH], k[TS_FIELD_BATCH];
    _Alignas(64) float x[TS_FIELD_BATCH], y[TS_FIELD_BATCH], a[TS_FIELD_BATCH];
} cells;

/* Gap and its slopes, in units of nodes and values; the arm. */
typedef struct sums {
    _Alignas(64) float gap[TS_FIELD_BATCH][4]; /* gap, in x, in y, in the angle */
    _Alignas(64) float arm[TS_FIELD_BATCH];
    _Alignas(64) float beyond[TS_FIELD_BATCH];  /* nodes along x from the nearest cell of the column */
    _Alignas(64) int32_t where[TS_FIELD_BATCH]; /* one of these: */
} sums;
enum { WITHIN = 0, ASIDE = 1, FAR = 2, DEEP = 3 };

/* ---- Cells ---- */

/* Adding this to a double leaves its nearest whole number in the low bits: half to even, for sizes below 2^31 here. */
static const double rounder = 6755399441055744.0;

/* Nearest whole number and the rest. NaN and what is too large become `limit`, so that whatever comes is a number. */
TS_SIMD ts_f64x4 split(ts_f64x4 u, double limit, ts_f64x4 *whole)
{
    u = ts_f64x4_max(ts_f64x4_min(u, ts_f64x4_broadcast(limit)), ts_f64x4_broadcast(-limit));
    *whole = (u + rounder) - rounder;
    return u - *whole;
}

TS_SIMD void put(int32_t *index, float *fraction, ts_f64x4 whole, ts_f64x4 rest)
{
    *(i32x4_anywhere *)index = __builtin_convertvector(whole, i32x4);
    *(f32x4_anywhere *)fraction = __builtin_convertvector(rest, f32x4);
}

/* Poses as the lattices see them. */
typedef struct poses {
    _Alignas(64) double x[TS_FIELD_BATCH], y[TS_FIELD_BATCH], angle[TS_FIELD_BATCH];
    double cosine, sine; /* of A's axis */
} poses;

static void turn_poses(const ts_table *table, size_t count, const ts_fields *f, poses *out)
{
    const double c = out->cosine = cos(table->axis), s = out->sine = sin(table->axis), origin = table->origin;
    for (size_t p = 0; p < count; p += 4) {
        ts_f64x4 x = ts_f64x4_load(f->x + p), y = ts_f64x4_load(f->y + p);
        ts_f64x4_store(out->x + p, s == 0 ? x : c * x + s * y);
        ts_f64x4_store(out->y + p, s == 0 ? y : c * y - s * x);
        ts_f64x4_store(out->angle + p, ts_f64x4_load(f->angle + p) - origin);
    }
}

static void find_cells(const ts_lattice *l, size_t count, const poses *at, cells *out)
{
    /* a linear cell begins at its node, a quadratic one half a node before it */
    const double shift = l->linear ? 0.5 : 0, per_x = 1 / l->spacing, per_turn = 1 / l->turn;
    const double angles = l->angles, per_period = 1 / angles, first_x = l->first_x, first_y = l->first_y;
    const ts_f64x4 none = ts_f64x4_broadcast(0);
    for (size_t p = 0; p < count; p += 4) {
        ts_f64x4 whole, rest = split(ts_f64x4_load(at->x + p) * per_x - shift, 1e6, &whole);
        put(out->i + p, out->x + p, whole - first_x, rest);
        if (l->rows > 1) {
            rest = split(ts_f64x4_load(at->y + p) * per_x - shift, 1e6, &whole);
            put(out->j + p, out->y + p, whole - first_y, rest);
        } else
            put(out->j + p, out->y + p, none, none);
        if (l->angles > 1) {
            ts_f64x4 turns, u = split(ts_f64x4_load(at->angle + p) * per_turn * per_period, 1e6, &turns) * angles;
            rest = split(u - shift, 1e6, &whole);
            whole = ts_f64x4_select((ts_i64x4)(whole < 0.0), whole + angles, whole);
            put(out->k + p, out->a + p, whole, rest);
        } else
            put(out->k + p, out->a + p, none, none);
    }
}

/* ---- Sums ---- */

/* Four nodes of a run, from `at` on. */
TS_SIMD f32x4 read_nodes(const ts_lattice *l, int bits, int32_t at)
{
    i32x4 v;
    if (bits == 8) {
        const unsigned char *p = l->value + at;
#if defined(__SSE4_1__)
        int32_t four;
        memcpy(&four, p, sizeof four);
        v = (i32x4)_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four));
#else
        v = (i32x4){(int8_t)p[0], (int8_t)p[1], (int8_t)p[2], (int8_t)p[3]};
#endif
    } else {
        const unsigned char *p = l->value + 2 * (ptrdiff_t)at;
#if defined(__SSE4_1__)
        int64_t four;
        memcpy(&four, p, sizeof four);
        v = (i32x4)_mm_cvtepi16_epi32(_mm_cvtsi64_si128(four));
#else
        for (int n = 0; n < 4; n++)
            v[n] = (int16_t)(uint16_t)(p[2 * n] | p[2 * n + 1] << 8);
#endif
    }
    return __builtin_convertvector(v, f32x4);
}

TS_SIMD f32x4 all(float v)
{
    return (f32x4){v, v, v, v};
}

/* Quadratic B-splines of the nodes before, at and after, at distance f from the middle one; and their slopes. The
 * fourth node that a load brings along has no weight. */
TS_SIMD f32x4 weigh(float f)
{
    return (f32x4){0.125F, 0.75F, 0.125F, 0} +
           all(f) * ((f32x4){-0.5F, 0, 0.5F, 0} + all(f) * (f32x4){0.5F, -1, 0.5F, 0});
}
TS_SIMD f32x4 weigh_slope(float f)
{
    return (f32x4){-0.5F, 0, 0.5F, 0} + all(f) * (f32x4){1, -2, 1, 0};
}
#define EACH(v, n) __builtin_shufflevector(v, v, n, n, n, n)

/* Sums of the four lanes of each, side by side. */
TS_SIMD f32x4 sum_lanes(f32x4 a, f32x4 b, f32x4 c, f32x4 d)
{
    f32x4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    f32x4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/* Where a pose stands in its column: at the end of the last cell that may be asked when it is beyond. */
typedef struct place {
    int32_t row, turn; /* of the column */
    int32_t i;
    float x, beyond;
    int32_t where;
} place;

TS_SIMD place find_place(const ts_lattice *l, const cells *c, size_t p)
{
    place o = {c->j[p], c->k[p], c->i[p], c->x[p], 0, WITHIN};
    if ((uint32_t)o.row >= (uint32_t)l->rows) {
        o.where = FAR;
        return o;
    }
    const unsigned char *cell = l->cell + 2 * ((ptrdiff_t)o.row * l->angles + o.turn);
    const int32_t lo = cell[0], hi = cell[1];
    if (o.i >= lo && o.i <= hi)
        return o;
    if (lo > hi) {
        o.where = hi == TS_LATTICE_DEEP ? DEEP : FAR;
        return o;
    }
    const int32_t at = o.i < lo ? lo : hi;
    const float x = o.i < lo ? -0.5F : 0.5F;
    o.beyond = (float)(o.i - at) + (o.x - x);
    o.i = at;
    o.x = x;
    o.where = ASIDE;
    return o;
}

TS_SIMD void sum_quadratic(const ts_lattice *l, int bits, const cells *c, size_t p, sums *out)
{
    const place o = find_place(l, c, p);
    out->where[p] = o.where;
    out->beyond[p] = o.beyond;
    if (o.where > ASIDE) {
        *(f32x4_anywhere *)out->gap[p] = all(0);
        return;
    }
    /* columns of the three rows and the three angles; a lattice of one row or one angle has the same one three times */
    const int32_t angles = l->angles, last = angles - 1;
    const int32_t row[3] = {o.row > 0 ? o.row - 1 : o.row, o.row, o.row + 1 < l->rows ? o.row + 1 : o.row};
    const int32_t turn[3] = {o.turn > 0 ? o.turn - 1 : last, o.turn, o.turn < last ? o.turn + 1 : 0};
    const f32x4 wx = weigh(o.x), dx = weigh_slope(o.x), wy = weigh(c->y[p]), dy = weigh_slope(c->y[p]);
    const f32x4 wa = weigh(c->a[p]), da = weigh_slope(c->a[p]);
    const f32x4 wa0 = EACH(wa, 0), wa1 = EACH(wa, 1), wa2 = EACH(wa, 2);
    const f32x4 da0 = EACH(da, 0), da1 = EACH(da, 1), da2 = EACH(da, 2);
    f32x4 value[3], slope[3]; /* of the three rows: summed over angles, and the slope in the angle */
    for (int y = 0; y < 3; y++) {
        const int32_t *base = l->base + (ptrdiff_t)row[y] * angles;
        const f32x4 v0 = read_nodes(l, bits, base[turn[0]] + o.i - 1),
                    v1 = read_nodes(l, bits, base[turn[1]] + o.i - 1),
                    v2 = read_nodes(l, bits, base[turn[2]] + o.i - 1);
        value[y] = v0 * wa0 + v1 * wa1 + v2 * wa2;
        slope[y] = v0 * da0 + v1 * da1 + v2 * da2;
    }
    const f32x4 wy0 = EACH(wy, 0), wy1 = EACH(wy, 1), wy2 = EACH(wy, 2);
    const f32x4 v = value[0] * wy0 + value[1] * wy1 + value[2] * wy2;
    const f32x4 va = slope[0] * wy0 + slope[1] * wy1 + slope[2] * wy2;
    const f32x4 vy = value[0] * EACH(dy, 0) + value[1] * EACH(dy, 1) + value[2] * EACH(dy, 2);
    *(f32x4_anywhere *)out->gap[p] = sum_lanes(v * wx, v * dx, vy * wx, va * wx);
}

TS_SIMD void sum_linear(const ts_lattice *l, const cells *c, size_t p, sums *out)
{
    const place o = find_place(l, c, p);
    if (o.where > ASIDE) {
        out->arm[p] = 0;
        return;
    }
    const int32_t *base = l->base + (ptrdiff_t)o.row * l->angles, *next = o.row + 1 < l->rows ? base + l->angles : base;
    const int32_t turn = o.turn + 1 < l->angles ? o.turn + 1 : 0;
    const f32x4 y = all(c->y[p] + 0.5F), a = all(c->a[p] + 0.5F);
    const f32x4 v00 = read_nodes(l, 8, base[o.turn] + o.i), v01 = read_nodes(l, 8, base[turn] + o.i);
    const f32x4 v10 = read_nodes(l, 8, next[o.turn] + o.i), v11 = read_nodes(l, 8, next[turn] + o.i);
    const f32x4 v0 = v00 + a * (v01 - v00), v1 = v10 + a * (v11 - v10), v = v0 + y * (v1 - v0);
    out->arm[p] = v[0] + (o.x + 0.5F) * (v[1] - v[0]);
}

/* ---- Beyond the band ---- */

/* Away from A's centre; the direction at the centre itself is any. */
static double outward(double x, double y, double *nx, double *ny)
{
    double r = sqrt(x * x + y * y);
    bool known = r > 0 && r <= 1e300;
    *nx = known ? x / r : 1;
    *ny = known ? y / r : 0;
    return known ? r : 0;
}

/* `slope`: of the gap along the lattice's x. */
static void go_beyond(const ts_table *table, size_t p, const sums *sum, double slope, ts_fields *f)
{
    const double deep = table->form.deep, far = table->form.far, s = table->form.spacing;
    const double beyond = (double)sum->beyond[p];
    int where = sum->where[p];
    double nx, ny, r = outward(f->x[p], f->y[p], &nx, &ny);
    const double most = fmax(far, r - table->reach);
    if (where == ASIDE) {
        if (f->gap[p] <= 0) { /* goes on falling */
            f->gap[p] += fmax(fmin(slope * beyond * s, 0), -2 * table->reach);
            return;
        }
        f->gap[p] += fmax(slope * beyond, fabs(beyond)) * s; /* grows until it is as large as it gets */
        if (f->gap[p] < most)
            return;
        where = FAR;
    }
    if (where == WITHIN) {
        if (f->gap[p] < 0) { /* deep inside, where values stop */
            f->gx[p] = nx, f->gy[p] = ny, f->gangle[p] = 0;
            return;
        }
        bool known = f->gap[p] <= far + s; /* values do not stop yet: a direction is there */
        f->gap[p] = fmin(f->gap[p], most);
        if (known)
            return;
        where = FAR;
    }
    f->gap[p] = where == FAR ? most : -deep;
    f->gx[p] = nx, f->gy[p] = ny, f->gangle[p] = 0;
    f->arm[p] = 0.5 * fmin(r, table->reach + f->gap[p]);
}

/* From nodes and values to lengths. The arm is kept as what it is more than that of a point midway between the centres:
 * that part does not jump with the normal as the whole does. */
static void finish(const ts_table *table, size_t count, const poses *at, const sums *s, ts_fields *f)
{
    const ts_lattice *gap = &table->gap, *arm = &table->arm;
    const double middle = (double)gap->middle, scale = (double)gap->scale, per_x = scale / gap->spacing;
    const double per_turn = scale / gap->turn, arm_middle = (double)arm->middle, arm_scale = (double)arm->scale;
    for (size_t p = 0; p < count; p++) {
        f->gap[p] = middle + scale * (double)s->gap[p][0];
        double along = per_x * (double)s->gap[p][1], across = per_x * (double)s->gap[p][2];
        f->gx[p] = at->cosine * along - at->sine * across;
        f->gy[p] = at->sine * along + at->cosine * across;
        f->gangle[p] = per_turn * (double)s->gap[p][3];
    }
    if (gap->rows == 1) /* a disc: no torque about its centre */
        for (size_t p = 0; p < count; p++)
            f->gy[p] = f->x[p] > gap->spacing ? -f->gangle[p] / f->x[p] : 0;
    for (size_t p = 0; p < count; p++) {
        double square = f->gx[p] * f->gx[p] + f->gy[p] * f->gy[p], most = table->reach + table->form.far;
        double along = (f->x[p] * f->gx[p] + f->y[p] * f->gy[p]) / sqrt(square + 1e-30);
        along = along < most ? along : most; /* NaN as well */
        along = along > -most ? along : -most;
        f->arm[p] = arm_middle + arm_scale * (double)s->arm[p] + 0.5 * along;
    }
}

static void query(const ts_table *table, size_t count, ts_fields *fields)
{
    const ts_lattice *gap = &table->gap, *arm = &table->arm;
    const double per_x = (double)gap->scale / gap->spacing;
    poses at;
    cells c, d;
    sums s;
    /* the last four are filled up: find_cells takes four at a time */
    for (size_t p = count; p % 4 != 0; p++)
        fields->x[p] = fields->y[p] = fields->angle[p] = 0;
    turn_poses(table, count, fields, &at);
    find_cells(gap, count, &at, &c);
    find_cells(arm, count, &at, &d);
    if (gap->bits == 8)
        for (size_t p = 0; p < count; p++)
            sum_quadratic(gap, 8, &c, p, &s);
    else
        for (size_t p = 0; p < count; p++)
            sum_quadratic(gap, 16, &c, p, &s);
    for (size_t p = 0; p < count; p++)
        sum_linear(arm, &d, p, &s);
    finish(table, count, &at, &s, fields);
    for (size_t p = 0; p < count; p++)
        if (s.where[p] != WITHIN || fields->gap[p] < -table->form.deep - gap->spacing ||
            fields->gap[p] > table->form.far)
            go_beyond(table, p, &s, per_x * (double)s.gap[p][1], fields);
}

const ts_table_kernels TS_KERNEL(ts_table) = {.query = query};
