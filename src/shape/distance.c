/* SPDX-License-Identifier: MIT */
#include "shape/distance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/kernel.h"
#include "base/memory.h"
#include "shape/distance_kernel.h"

TS_KERNEL_CHOOSER(ts_distance_kernels, ts_distance)

/* Below this turn's half cosine a corner is a spike, whose mean normal says too little about the side. */
#define SPIKE 0.05
/* Directions that differ by less are one direction; then curvature tells which edge is nearer. Beside a vertex angles
 * matter less. */
#define SAME_DIRECTION 1e-12
#define SAME_INNER     1e-7

/* ---- Edges ---- */

/* Bounds of all segments, as centre and a radius about it. An arc stays within max(1, |b|) half chords of the chord's
 * middle. */
typedef struct bounds {
    double low[2], high[2];
} bounds;

static bounds segment_bounds(const ts_segment *s)
{
    double reach = s->bulge == 0 ? 0 : 0.5 * fmax(1, fabs(s->bulge)) * hypot(s->x1 - s->x0, s->y1 - s->y0);
    double mx = 0.5 * s->x0 + 0.5 * s->x1, my = 0.5 * s->y0 + 0.5 * s->y1;
    if (reach > 0)
        return (bounds){{mx - reach, my - reach}, {mx + reach, my + reach}};
    return (bounds){{fmin(s->x0, s->x1), fmin(s->y0, s->y1)}, {fmax(s->x0, s->x1), fmax(s->y0, s->y1)}};
}

static bounds join(bounds a, bounds b)
{
    return (bounds){{fmin(a.low[0], b.low[0]), fmin(a.low[1], b.low[1])},
                    {fmax(a.high[0], b.high[0]), fmax(a.high[1], b.high[1])}};
}

static ts_segment scaled(const ts_segment *s, double scale)
{
    /* + 0 makes one zero of two */
    return (ts_segment){s->x0 * scale + 0, s->y0 * scale + 0, s->x1 * scale + 0, s->y1 * scale + 0, s->bulge};
}

static bool has_length(const ts_segment *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0;
    return isnormal(dx * dx + dy * dy);
}

/* A segment without length has no direction: it counts as a line, and only as its ends. */
static bool is_line(const ts_segment *s)
{
    return s->bulge == 0 || !has_length(s);
}

static ts_distance_edge make_edge(const ts_segment *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, b = s->bulge;
    ts_distance_edge e = {s->x0, s->y0, s->x1,       s->y1,       (double)NAN, (double)NAN,
                          0,     0.5,   (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (!has_length(s))
        return e;
    if (b == 0) {
        double half = 0.5 / sqrt(dx * dx + dy * dy);
        e.gx = -half * dy;
        e.gy = half * dx;
    } else {
        double w = 0.25 * (1 - b) * (1 + b);
        e.b = b;
        e.gx = 0.5 * b * dx - w * dy;
        e.gy = 0.5 * b * dy + w * dx;
        e.rho = sqrt(e.gx * e.gx + e.gy * e.gy);
    }
    return e;
}

/* The edge's tangent of length 1 in the direction of travel, at its begin (0) or end (1); NaN without a length. */
static ts_vec2 end_tangent(const ts_distance_edge *e, int end)
{
    double b = end ? e->b : 0, hx = e->gx - b * (e->x1 - e->x0), hy = e->gy - b * (e->y1 - e->y0);
    return (ts_vec2){hy / e->rho, -hx / e->rho};
}

static void fill_line(ts_line_block *block, int lane, const ts_distance_edge *e)
{
    double dx = e->x1 - e->x0, dy = e->y1 - e->y0;
    bool long_enough = e->gx == e->gx;
    block->x[lane] = e->x0;
    block->y[lane] = e->y0;
    block->dx[lane] = long_enough ? dx : 0;
    block->dy[lane] = long_enough ? dy : 0;
    block->inverse[lane] = long_enough ? 1 / (dx * dx + dy * dy) : 0;
}

static void fill_arc(ts_arc_block *block, int lane, const ts_distance_edge *e)
{
    block->x0[lane] = e->x0;
    block->y0[lane] = e->y0;
    block->x1[lane] = e->x1;
    block->y1[lane] = e->y1;
    block->gx[lane] = e->gx;
    block->gy[lane] = e->gy;
    block->hx[lane] = e->gx - e->b * (e->x1 - e->x0);
    block->hy[lane] = e->gy - e->b * (e->y1 - e->y0);
    block->b[lane] = e->b;
    block->rho[lane] = e->rho;
}

/* Sorts segments into lines and arcs, whole blocks of each. The room is there. */
static void fill_edges(ts_distance *d, const ts_segment *segment, size_t count)
{
    size_t place[2] = {0, 4 * (size_t)d->line_blocks}, end[2] = {place[1], d->edge_count};
    for (size_t i = 0; i < count; i++) {
        ts_segment s = scaled(&segment[i], d->scale);
        size_t at = place[!is_line(&s)]++;
        d->edge[at] = make_edge(&s);
        d->original[at] = (int32_t)i;
    }
    for (int kind = 0; kind < 2; kind++)
        for (size_t at = place[kind]; at < end[kind]; at++) {
            d->edge[at] = d->edge[at - 1];
            d->original[at] = d->original[at - 1];
        }
    for (size_t at = 0; at < d->edge_count; at++)
        if (at / 4 < d->line_blocks)
            fill_line(&d->line[at / 4], (int)(at % 4), &d->edge[at]);
        else
            fill_arc(&d->arc[at / 4 - d->line_blocks], (int)(at % 4), &d->edge[at]);
}

/* ---- Vertices ---- */

typedef struct place {
    double x, y;
    int32_t original, end; /* sorted by these as well, so that the order is one */
} place;

static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->original != q->original)
        return p->original < q->original ? -1 : 1;
    return (p->end > q->end) - (p->end < q->end);
}

static bool is_copy(const ts_distance *d, size_t edge)
{
    return edge % 4 != 0 && d->original[edge] == d->original[edge - 1];
}

static void set_normal(ts_distance_edge *edge, int32_t end, double nx, double ny)
{
    ts_distance_edge *e = &edge[end / 2];
    *(end % 2 ? &e->n1x : &e->n0x) = nx;
    *(end % 2 ? &e->n1y : &e->n0y) = ny;
}

/* The mean normal of a vertex where one edge ends and one begins, without a spike. Others keep NaN. */
static void mean_normal(ts_distance *d, const int32_t *end, size_t count)
{
    if (count != 2 || (end[0] + end[1]) % 2 == 0)
        return;
    ts_vec2 s = end_tangent(&d->edge[end[0] / 2], end[0] % 2), t = end_tangent(&d->edge[end[1] / 2], end[1] % 2);
    double nx = s.y + t.y, ny = -(s.x + t.x), size = sqrt(nx * nx + ny * ny);
    if (!(size > 2 * SPIKE))
        return;
    set_normal(d->edge, end[0], nx / size, ny / size);
    set_normal(d->edge, end[1], nx / size, ny / size);
}

static ts_status find_vertices(ts_distance *d, ts_error *error)
{
    place *p;
    TS_TRY(ts_new_raw(&p, d->end_count, error));
    size_t count = 0;
    for (size_t i = 0; i < d->edge_count; i++) {
        if (is_copy(d, i))
            continue;
        const ts_distance_edge *e = &d->edge[i];
        p[count++] = (place){e->x0, e->y0, d->original[i], (int32_t)(2 * i)};
        p[count++] = (place){e->x1, e->y1, d->original[i], (int32_t)(2 * i + 1)};
    }
    qsort(p, count, sizeof *p, by_place);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && p[end].x == p[begin].x && p[end].y == p[begin].y; end++) {
            d->end[end] = p[end].end;
            d->end_place[p[end].end] = (int32_t)begin;
        }
        mean_normal(d, d->end + begin, end - begin);
    }
    ts_free(p);
    for (size_t i = 0; i < d->edge_count; i++)
        if (is_copy(d, i)) {
            d->edge[i] = d->edge[i - 1];
            d->end_place[2 * i] = d->end_place[2 * i - 2];
            d->end_place[2 * i + 1] = d->end_place[2 * i - 1];
        }
    return TS_OK;
}

/* How an edge at a vertex lies to the direction r in which p is seen from there. */
typedef struct aspect {
    ts_vec2 tangent; /* away from the vertex */
    double off;      /* 0 when r is perpendicular to the edge, up to |r| when it points away from it */
    double side;     /* positive: p is to the left */
    double towards;  /* curvature towards p */
    double size;     /* |r|, about */
} aspect;

static aspect see(const ts_distance *d, int32_t end, double x, double y)
{
    const ts_distance_edge *e = &d->edge[end / 2];
    ts_vec2 t = end_tangent(e, end % 2);
    double rx = x - (end % 2 ? e->x1 : e->x0), ry = y - (end % 2 ? e->y1 : e->y0), side = t.x * ry - t.y * rx;
    double away = end % 2 ? -1 : 1, along = away * (t.x * rx + t.y * ry);
    return (aspect){{away * t.x, away * t.y}, -along, side, (side > 0 ? e->b : -e->b) / e->rho, fabs(rx) + fabs(ry)};
}

/* Where the vertex itself is nearest, the edge that is nearest in angle decides. Where several have the same direction
 * there, or beside the vertex its own, the one that bends most towards p. Straight behind a cusp nothing has a side;
 * there the answer is the same as beside it. */
/* NOLINTNEXTLINE(misc-no-recursion): once, to a point that has a side */
bool ts_distance_settle(const ts_distance *d, ts_distance_end at, double x, double y, int32_t *edge)
{
    size_t begin = (size_t)d->end_place[2 * at.edge + at.end], end = begin;
    aspect best = see(d, 2 * at.edge + at.end, x, y);
    ts_vec2 own = best.tangent;
    double least = DBL_MAX;
    for (; end < d->end_count && (size_t)d->end_place[d->end[end]] == begin; end++)
        least = fmin(least, see(d, d->end[end], x, y).off);
    bool found = at.inner;
    for (size_t i = begin; i < end; i++) {
        aspect a = see(d, d->end[i], x, y);
        double apart = at.inner ? fabs(own.x * a.tangent.y - own.y * a.tangent.x) : (a.off - least) / a.size;
        if (!(apart <= (at.inner ? SAME_INNER : SAME_DIRECTION)))
            continue;
        if (found && (a.towards < best.towards || (a.towards == best.towards && a.off >= best.off)))
            continue;
        found = true;
        best = a;
        if (!at.inner)
            *edge = d->end[i] / 2;
    }
    if (fabs(best.side) <= SAME_DIRECTION * best.size && fabs(best.off) > 0.5 * best.size) {
        const ts_distance_edge *e = &d->edge[at.edge];
        double vx = at.end ? e->x1 : e->x0, vy = at.end ? e->y1 : e->y0;
        return ts_distance_settle(d, at, vx - best.tangent.y, vy + best.tangent.x, edge);
    }
    return best.side > 0;
}

/* ---- Groups ---- */

static void fill_groups(ts_distance *d)
{
    size_t line_groups = (d->line_blocks + TS_DISTANCE_GROUP - 1) / TS_DISTANCE_GROUP;
    double *x = d->group, *y = x + d->group_padded, *radius = y + d->group_padded;
    for (size_t i = 0; i < d->group_padded; i++) {
        bool arcs = i >= line_groups;
        size_t begin = 4 * (arcs ? d->line_blocks + (i - line_groups) * TS_DISTANCE_GROUP : i * TS_DISTANCE_GROUP);
        size_t stop = arcs ? d->edge_count : 4 * (size_t)d->line_blocks, end = begin + 4 * TS_DISTANCE_GROUP;
        if (i >= d->group_count) {
            x[i] = x[i - 1];
            y[i] = y[i - 1];
            radius[i] = radius[i - 1];
            continue;
        }
        bounds box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
        for (size_t k = begin; k < end && k < stop; k++) {
            const ts_distance_edge *e = &d->edge[k];
            box = join(box, segment_bounds(&(ts_segment){e->x0, e->y0, e->x1, e->y1, e->b}));
        }
        x[i] = 0.5 * (box.low[0] + box.high[0]);
        y[i] = 0.5 * (box.low[1] + box.high[1]);
        radius[i] = 0.5 * (1 + 1e-12) * hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]);
    }
}

/* ---- Making ---- */

static ts_status allocate(ts_distance *d, ts_error *error)
{
    size_t groups = (d->line_blocks + TS_DISTANCE_GROUP - 1) / TS_DISTANCE_GROUP +
                    (d->arc_blocks + TS_DISTANCE_GROUP - 1) / TS_DISTANCE_GROUP;
    d->group_count = groups;
    d->group_padded = (groups + 3) / 4 * 4;
    TS_TRY(ts_new(&d->edge, d->edge_count, error));
    TS_TRY(ts_new(&d->original, d->edge_count, error));
    TS_TRY(ts_new(&d->line, d->line_blocks + 1, error));
    TS_TRY(ts_new(&d->arc, d->arc_blocks + 1, error));
    TS_TRY(ts_new(&d->end, d->end_count, error));
    TS_TRY(ts_new(&d->end_place, 2 * d->edge_count, error));
    TS_TRY(ts_new(&d->group, 3 * d->group_padded, error));
    return TS_OK;
}

/* The middle of everything, and the radius of a circle about it. */
static double find_extent(const ts_segment *segment, size_t count, double scale, double centre[2])
{
    bounds box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < count; i++) {
        ts_segment s = scaled(&segment[i], scale);
        box = join(box, segment_bounds(&s));
    }
    centre[0] = 0.5 * box.low[0] + 0.5 * box.high[0];
    centre[1] = 0.5 * box.low[1] + 0.5 * box.high[1];
    double corner = 0.5 * hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]), radius = 0;
    for (size_t i = 0; i < count; i++) {
        ts_segment s = scaled(&segment[i], scale);
        double far = fmax(hypot(s.x0 - centre[0], s.y0 - centre[1]), hypot(s.x1 - centre[0], s.y1 - centre[1]));
        double bow = 0.5 * fabs(s.bulge) * hypot(s.x1 - s.x0, s.y1 - s.y0); /* sagitta */
        radius = fmax(radius, far + bow);
    }
    return fmin(radius, corner);
}

static ts_status fill(ts_distance *d, const ts_segment *segment, size_t count, ts_error *error)
{
    double radius = find_extent(segment, count, 1, d->centre);
    int exponent = 0;
    if (isfinite(radius))
        frexp(radius, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
    d->scale = ldexp(1, -exponent);
    d->unscale = ldexp(1, exponent);
    size_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        ts_segment s = scaled(&segment[i], d->scale);
        lines += is_line(&s);
    }
    d->line_blocks = (uint32_t)((lines + 3) / 4);
    d->arc_blocks = (uint32_t)((count - lines + 3) / 4);
    d->edge_count = 4 * ((size_t)d->line_blocks + d->arc_blocks);
    d->end_count = 2 * count;
    TS_TRY(allocate(d, error));
    fill_edges(d, segment, count);
    TS_TRY(find_vertices(d, error));
    fill_groups(d);
    radius = find_extent(segment, count, d->scale, d->centre);
    return d->edge_count > TS_DISTANCE_FEW ? ts_distance_build_grid(d, radius, error) : TS_OK;
}

ts_status ts_distance_create(const ts_segment *segment, size_t count, ts_distance **distance, ts_error *error)
{
    *distance = NULL;
    if (count == 0 || count > INT32_MAX / 32)
        return ts_fail(error, TS_BAD_INPUT, "distances to %zu edges are asked for; give from 1 to %d", count,
                       INT32_MAX / 32);
    TS_AUTO(ts_distance_free_at) ts_distance *d = NULL;
    TS_TRY(ts_new(&d, 1, error));
    d->kernel = ts_distance_choose();
    TS_TRY(fill(d, segment, count, error));
    *distance = ts_give(&d);
    return TS_OK;
}

void ts_distance_free(ts_distance *distance)
{
    if (!distance)
        return;
    ts_free(distance->edge);
    ts_free(distance->original);
    ts_free(distance->line);
    ts_free(distance->arc);
    ts_free(distance->end);
    ts_free(distance->end_place);
    ts_free(distance->group);
    ts_free(distance->cell);
    ts_free(distance->run);
    ts_free(distance);
}

size_t ts_distance_bytes(const ts_distance *distance)
{
    const ts_distance *d = distance;
    return sizeof *d + d->edge_count * (sizeof *d->edge + sizeof *d->original + 2 * sizeof *d->end_place) +
           d->line_blocks * sizeof *d->line + d->arc_blocks * sizeof *d->arc + d->end_count * sizeof *d->end +
           3 * d->group_padded * sizeof *d->group + (size_t)d->side * (size_t)d->side * sizeof *d->cell +
           d->run_count * sizeof *d->run;
}

void ts_distance_query(const ts_distance *distance, size_t count, const double *x, const double *y, double *out,
                       double *closest_x, double *closest_y, int32_t *segment)
{
    distance->kernel->query(distance, count, x, y, out, closest_x, closest_y, segment);
}
