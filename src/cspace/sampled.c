/* SPDX-License-Identifier: MIT */
/* The published method asks both distance fields at every point of a lattice. Here the same lattice is searched by
 * blocks: the larger of two distances changes by no more than a point moves, so a block whose middle is larger than the
 * least value so far by more than the block's half diagonal holds no minimum and is left out. What comes out is the
 * same point, to the bit; some fifty times fewer points are asked. */
#include "cspace/sampled.h"

#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/vec.h"

enum { GRID_MAX = 4096, SPLIT = 8, BATCH = SPLIT * SPLIT };

/* Distances are good to some 1e-15; a block must be worse by more than this to be left out. */
static const double slack = 1e-12;
/* Nearest points of A and B that are closer than this have no reliable direction; the normal then comes from
 * differences of the fields, over this much more. */
static const double close = 1e-7, probe = 1e-5;
/* Refining stops when the minimum is known to within this share of the grid's spacing. */
static const double sharp = 1e-9;

struct ts_sampled {
    const ts_pair *pair;
    int32_t grid;
    bool refine;
};

/* One query: B's frame, and the lattice over the smallest box that holds both bounding circles. Point (i, j) stands at
 * low + (i, j) · step. */
typedef struct scan {
    const ts_pair *pair;
    double x, y, cosine, sine;
    double low_x, low_y, step_x, step_y;
    int32_t grid;
    /* the least value so far; ties go to the first point, row by row from below */
    double least;
    int64_t index;
} scan;

/* ---- The two fields ---- */

/* φ_A and φ_B at points of A's frame. */
static void ask(const scan *s, size_t count, const double *px, const double *py, double *a, double *b)
{
    double qx[BATCH], qy[BATCH];
    for (size_t k = 0; k < count; k++) {
        double dx = px[k] - s->x, dy = py[k] - s->y;
        qx[k] = s->cosine * dx + s->sine * dy;
        qy[k] = s->cosine * dy - s->sine * dx;
    }
    ts_outline_distance(s->pair->a, count, px, py, a, NULL, NULL);
    ts_outline_distance(s->pair->b, count, qx, qy, b, NULL, NULL);
}

static double larger_at(const scan *s, double x, double y)
{
    double a, b;
    ask(s, 1, &x, &y, &a, &b);
    return fmax(a, b);
}

static void nearest_at(const scan *s, ts_vec2 at, ts_vec2 *on_a, ts_vec2 *on_b)
{
    double dx = at.x - s->x, dy = at.y - s->y, distance;
    double qx = s->cosine * dx + s->sine * dy, qy = s->cosine * dy - s->sine * dx, bx, by;
    ts_outline_distance(s->pair->a, 1, &at.x, &at.y, &distance, &on_a->x, &on_a->y);
    ts_outline_distance(s->pair->b, 1, &qx, &qy, &distance, &bx, &by);
    *on_b = (ts_vec2){s->x + s->cosine * bx - s->sine * by, s->y + s->sine * bx + s->cosine * by};
}

/* ---- The best point of the grid ---- */

static ts_vec2 lattice_point(const scan *s, int64_t i, int64_t j)
{
    return (ts_vec2){s->low_x + s->step_x * (double)i, s->low_y + s->step_y * (double)j};
}

typedef struct block {
    int32_t i, j, width, height; /* first point, and points a side */
    double value;                /* at the middle, point (i + width / 2, j + height / 2) */
} block;

/* The least that any point of a block can have. */
static double bound(const scan *s, const block *b)
{
    /* the middle is never nearer to the high end than to the low one */
    int across = b->width / 2, along = b->height / 2;
    return b->value - hypot(across * s->step_x, along * s->step_y) - slack;
}

/* Cuts a block into up to SPLIT × SPLIT, asks at their middles, and keeps them in the order of their values. */
static size_t split_block(scan *s, const block *whole, block part[BATCH])
{
    int32_t width = (whole->width + SPLIT - 1) / SPLIT, height = (whole->height + SPLIT - 1) / SPLIT;
    double px[BATCH] = {0}, py[BATCH] = {0}, a[BATCH], b[BATCH];
    block unsorted[BATCH];
    size_t count = 0;
    for (int32_t j = 0; j < whole->height; j += height)
        for (int32_t i = 0; i < whole->width; i += width) {
            block *p = &unsorted[count];
            *p = (block){.i = whole->i + i, .j = whole->j + j};
            p->width = whole->width - i < width ? whole->width - i : width;
            p->height = whole->height - j < height ? whole->height - j : height;
            ts_vec2 middle = lattice_point(s, p->i + p->width / 2, p->j + p->height / 2);
            px[count] = middle.x;
            py[count++] = middle.y;
        }
    ask(s, count, px, py, a, b);
    for (size_t k = 0; k < count; k++) {
        block p = unsorted[k];
        p.value = fmax(a[k], b[k]);
        int64_t index = (int64_t)(p.j + p.height / 2) * s->grid + p.i + p.width / 2;
        if (p.value < s->least || (p.value == s->least && index < s->index)) {
            s->least = p.value;
            s->index = index;
        }
        size_t at = k;
        for (; at > 0 && part[at - 1].value > p.value; at--)
            part[at] = part[at - 1];
        part[at] = p;
    }
    return count;
}

/* Its depth is the logarithm of the grid to the base SPLIT: 4 at most. */
static void search_block(scan *s, const block *whole)
{
    block part[BATCH];
    size_t count = split_block(s, whole, part);
    for (size_t k = 0; k < count; k++)
        if ((part[k].width > 1 || part[k].height > 1) && bound(s, &part[k]) <= s->least)
            search_block(s, &part[k]);
}

/* ---- Down to the minimum ---- */

/* The larger distance as a function of a step from a centre, and the best seen of all. */
typedef struct descent {
    const scan *s;
    ts_vec2 centre, best;
    double value;
} descent;

static double value_at(descent *d, double u, double v)
{
    ts_vec2 at = {d->centre.x + u, d->centre.y + v};
    double value = larger_at(d->s, at.x, at.y);
    if (value < d->value) {
        d->value = value;
        d->best = at;
    }
    return value;
}

/* Golden section: the least over v in [-room, room] of value_at(u, v); with `outer` over u, where each value is itself
 * the least over v. Safe on the kinks of a maximum, where steps along axes or gradients stall. For convex outlines the
 * function is convex and this cannot miss. */
static double golden(descent *d, double u, double room, double inner_room, bool outer)
{
    const double share = 0.6180339887498949;
    double low = -room, high = room, p = high - share * (high - low), q = low + share * (high - low);
    double at_p = outer ? golden(d, p, inner_room, 0, false) : value_at(d, u, p);
    double at_q = outer ? golden(d, q, inner_room, 0, false) : value_at(d, u, q);
    double stop = sharp * room;
    while (high - low > stop) {
        if (at_p <= at_q) {
            high = q;
            q = p;
            at_q = at_p;
            p = high - share * (high - low);
            at_p = outer ? golden(d, p, inner_room, 0, false) : value_at(d, u, p);
        } else {
            low = p;
            p = q;
            at_p = at_q;
            q = low + share * (high - low);
            at_q = outer ? golden(d, q, inner_room, 0, false) : value_at(d, u, q);
        }
    }
    return fmin(at_p, at_q);
}

/* Follows the minimum while it lies at the rim of the neighbourhood. */
static ts_vec2 descend(const scan *s, ts_vec2 from)
{
    double room_x = 2 * s->step_x, room_y = 2 * s->step_y;
    descent d = {.s = s, .best = from, .value = s->least};
    for (int round = 0; round < 16; round++) {
        d.centre = d.best;
        golden(&d, 0, room_x, room_y, true);
        if (fabs(d.best.x - d.centre.x) < 0.9 * room_x && fabs(d.best.y - d.centre.y) < 0.9 * room_y)
            break;
    }
    return d.best;
}

/* ---- Answers ---- */

static void set_scan(scan *s, const ts_sampled *sampled, double x, double y, double angle)
{
    const ts_pair *pair = sampled->pair;
    double ra = pair->radius_a, rb = pair->radius_b;
    *s = (scan){.pair = pair, .x = x, .y = y, .cosine = cos(angle), .sine = sin(angle), .grid = sampled->grid};
    s->low_x = fmin(-ra, x - rb);
    s->low_y = fmin(-ra, y - rb);
    s->step_x = (fmax(ra, x + rb) - s->low_x) / (s->grid - 1);
    s->step_y = (fmax(ra, y + rb) - s->low_y) / (s->grid - 1);
    s->least = HUGE_VAL;
}

/* Unit vector from A to B: along the two nearest points, or, where these coincide, up the one field and down the other.
 * Zero when neither gives a direction. */
static ts_vec2 normal_of(const scan *s, ts_vec2 at, ts_vec2 on_a, ts_vec2 on_b, double gap)
{
    ts_vec2 n = ts_vec2_scale(ts_vec2_sub(on_b, on_a), gap < 0 ? -1 : 1);
    if (!(ts_vec2_length(n) > close)) {
        double px[4] = {at.x + probe, at.x - probe, at.x, at.x}, py[4] = {at.y, at.y, at.y + probe, at.y - probe};
        double a[4], b[4];
        ask(s, 4, px, py, a, b);
        n = (ts_vec2){(a[0] - a[1] - (b[0] - b[1])) / probe, (a[2] - a[3] - (b[2] - b[3])) / probe};
    }
    double length = ts_vec2_length(n);
    return length > close ? ts_vec2_scale(n, 1 / length) : (ts_vec2){0, 0};
}

void ts_sampled_query(const void *field, size_t count, ts_fields *fields)
{
    const ts_sampled *sampled = field;
    for (size_t k = 0; k < count; k++) {
        scan s;
        set_scan(&s, sampled, fields->x[k], fields->y[k], fields->angle[k]);
        search_block(&s, &(block){.width = s.grid, .height = s.grid});
        ts_vec2 at = lattice_point(&s, s.index % s.grid, s.index / s.grid), on_a, on_b;
        if (sampled->refine)
            at = descend(&s, at);
        double a, b;
        ask(&s, 1, &at.x, &at.y, &a, &b);
        nearest_at(&s, at, &on_a, &on_b);
        double gap = sampled->refine ? 2 * fmax(a, b) : a + b;
        ts_vec2 n = normal_of(&s, at, on_a, on_b, gap), middle = ts_vec2_scale(ts_vec2_add(on_a, on_b), 0.5);
        fields->gap[k] = gap;
        fields->gx[k] = n.x;
        fields->gy[k] = n.y;
        fields->gangle[k] = ts_vec2_cross(ts_vec2_sub(on_b, (ts_vec2){s.x, s.y}), n);
        fields->arm[k] = ts_vec2_dot(middle, n);
    }
}

ts_status ts_sampled_create(const ts_pair *pair, int32_t grid, bool refine, ts_sampled **sampled, ts_error *error)
{
    *sampled = NULL;
    if (grid < 2 || grid > GRID_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a grid of %d points a side cannot be used; choose 2 to %d (201 is usual)",
                       (int)grid, GRID_MAX);
    ts_sampled *made;
    TS_TRY(ts_new(&made, 1, error));
    *made = (ts_sampled){pair, grid, refine};
    *sampled = made;
    return TS_OK;
}

void ts_sampled_free(ts_sampled *sampled)
{
    ts_free(sampled);
}
