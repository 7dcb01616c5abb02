/* SPDX-License-Identifier: MIT */
/* Outlines in memory, and their mass properties.
 *
 * By Green's theorem the integrals over the interior are sums over the edges. An edge gives what its chord gives, and
 * an arc adds the cap between chord and arc:
 *
 *        p ────m──── q       a = half of the chord, b = bulge, m = its middle, n = unit normal to the right of p → q
 *         ╲    │n   ╱        area of the cap          a² A(b)
 *          `‧.__.‧´          its moment along n       a³ S(b), about m
 *                            its polar moment         a⁴ J(b), about m
 *
 *     2 b² A = (1 + b²)² atan b - b (1 - b²)      S = 2/3 - H A      J = (1 + 3H²) A / 2 - H      H = (1 - b²) / (2b)
 *
 * A and J have the sign of b, S has none: a dent takes away what a cap adds. For a small bulge the closed forms are
 * small differences of large numbers; their power series have no such trouble, and converge for |b| < 1. */
#include "shape/outline.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "base/memory.h"
#include "base/release.h"
#include "shape/repair.h"

/* ---- Mass ---- */

/* A sum that remembers what rounding took from it (Neumaier): 100 000 edges cost no digits. */
typedef struct sum {
    double value, rest;
} sum;

static void add(sum *s, double x)
{
    double t = s->value + x;
    s->rest += fabs(s->value) >= fabs(x) ? (s->value - t) + x : (x - t) + s->value;
    s->value = t;
}

static double total(const sum *s)
{
    return s->value + s->rest;
}

/* Integrals over the interior. */
typedef struct moments {
    sum area, x, y; /* ∫ 1, ∫ x, ∫ y */
    sum polar;      /* ∫ x² + y² */
} moments;

/* A(b), S(b), J(b) of the head comment. */
typedef struct cap {
    double area, moment, polar;
} cap;

static cap cap_of(double b)
{
    cap c = {.area = ts_bulge_area(b)};
    if (fabs(b) > TS_BULGE_SERIES) {
        double h = 0.5 * (1 / b - b); /* distance of the centre from the chord */
        c.moment = 2.0 / 3 - h * c.area;
        c.polar = 0.5 * (1 + 3 * h * h) * c.area - h;
        return c;
    }
    /* with n = 2k:  S = Σ (-1)ᵏ 4n bⁿ / ((n+3)(n+1)(n-1)(n-3)),
     * J = -Σ (-1)ᵏ 4 (n² - 2n + 3) bⁿ⁻¹ / ((n+3)(n+1)(n-1)(n-3)(n-5)),  k = 1, 2, …; the last terms first */
    double q = -b * b;
    for (int k = ts_bulge_series_terms(b); k >= 1; k--) {
        double n = 2 * k, d = (n + 1) * (n - 1) * (n - 3);
        c.moment = c.moment * q - 4 * n / ((n + 3) * d);
        c.polar = c.polar * q + 4 * (n * n - 2 * n + 3) / ((n + 3) * (n - 5) * d);
    }
    c.moment *= b * b;
    c.polar *= b;
    return c;
}

/* What one edge contributes; coordinates are relative to the origin of the moments. */
static void add_edge(moments *m, const ts_segment *s)
{
    double x0 = s->x0, y0 = s->y0, x1 = s->x1, y1 = s->y1;
    double cross = x0 * y1 - x1 * y0;
    add(&m->area, cross / 2);
    add(&m->x, cross * (x0 + x1) / 6);
    add(&m->y, cross * (y0 + y1) / 6);
    add(&m->polar, cross * (x0 * x0 + x0 * x1 + x1 * x1 + y0 * y0 + y0 * y1 + y1 * y1) / 12);
    if (s->bulge == 0)
        return;
    cap c = cap_of(s->bulge);
    double mx = 0.5 * (x0 + x1), my = 0.5 * (y0 + y1);
    double nx = 0.5 * (y1 - y0), ny = -0.5 * (x1 - x0); /* a·n */
    double a2 = nx * nx + ny * ny;
    add(&m->area, a2 * c.area);
    add(&m->x, a2 * (c.area * mx + c.moment * nx));
    add(&m->y, a2 * (c.area * my + c.moment * ny));
    add(&m->polar, a2 * (a2 * c.polar + 2 * c.moment * (mx * nx + my * ny) + c.area * (mx * mx + my * my)));
}

static ts_segment relative_to(ts_segment s, ts_vec2 origin)
{
    return (ts_segment){s.x0 - origin.x, s.y0 - origin.y, s.x1 - origin.x, s.y1 - origin.y, s.bulge};
}

static moments integrate(const ts_contour *contour, size_t count, ts_vec2 origin)
{
    moments m = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ts_contour_segment_count(&contour[i]); k++) {
            ts_segment s = relative_to(ts_contour_segment(&contour[i], k), origin);
            add_edge(&m, &s);
        }
    return m;
}

/* The farthest point of an edge from the origin. On an arc it is an end, or the point of the circle straight beyond the
 * centre; that one is as far away as a diameter, so that no flat arc with a huge radius can come in here. */
static double edge_reach(const ts_segment *s)
{
    double reach = fmax(hypot(s->x0, s->y0), hypot(s->x1, s->y1));
    if (s->bulge == 0)
        return reach;
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, b = s->bulge, k = (1 / b - b) / 4;
    double cx = 0.5 * (s->x0 + s->x1) - k * dy, cy = 0.5 * (s->y0 + s->y1) + k * dx;
    double r = hypot(dx, dy) * fabs(1 / b + b) / 4, d = hypot(cx, cy);
    if (!(d > 0) || !isfinite(d))
        return reach;
    /* on the arc, which lies to the right of its chord when b > 0? */
    double px = cx + r * (cx / d) - s->x0, py = cy + r * (cy / d) - s->y0;
    return (dx * py - dy * px) * b < 0 ? fmax(reach, d + r) : reach;
}

/* The middle of the vertices' box: a local origin, so that a shape far away keeps its digits. */
static ts_vec2 middle(const ts_contour *contour, size_t count)
{
    ts_vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < contour[i].vertex_count; k++) {
            const ts_vertex *v = &contour[i].vertex[k];
            low = (ts_vec2){fmin(low.x, v->x), fmin(low.y, v->y)};
            high = (ts_vec2){fmax(high.x, v->x), fmax(high.y, v->y)};
        }
    return (ts_vec2){0.5 * low.x + 0.5 * high.x, 0.5 * low.y + 0.5 * high.y};
}

ts_outline_mass ts_contours_mass(const ts_contour *contour, size_t count)
{
    /* about the box's middle for the centre, then about that centre: the shift to the true one is then next to
     * nothing */
    ts_vec2 origin = middle(contour, count);
    moments m = integrate(contour, count, origin);
    origin.x += total(&m.x) / total(&m.area);
    origin.y += total(&m.y) / total(&m.area);
    m = integrate(contour, count, origin);
    double area = total(&m.area), x = total(&m.x) / area, y = total(&m.y) / area;
    ts_outline_mass mass = {.area = area, .centre = {origin.x + x, origin.y + y}};
    mass.inertia = total(&m.polar) - area * (x * x + y * y);
    ts_vec2 centre = {mass.centre[0], mass.centre[1]};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < ts_contour_segment_count(&contour[i]); k++) {
            ts_segment s = relative_to(ts_contour_segment(&contour[i], k), centre);
            mass.radius = fmax(mass.radius, edge_reach(&s));
        }
    return mass;
}

/* ---- Making and freeing ---- */

static ts_status check_contours(const ts_contour *contour, size_t count, ts_error *error)
{
    if (!contour || count == 0)
        return ts_fail(error, TS_BAD_INPUT, "an outline needs at least one contour, but none was given");
    size_t edges = 0;
    for (size_t i = 0; i < count; i++) {
        if (contour[i].open || contour[i].vertex_count < 2)
            return ts_fail(error, TS_BAD_INPUT,
                           "contour %zu is not closed; give it two vertices or more, and no open end", i + 1);
        for (size_t k = 0; k < contour[i].vertex_count; k++) {
            const ts_vertex *v = &contour[i].vertex[k];
            if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->bulge))
                return ts_fail(error, TS_BAD_INPUT,
                               "vertex %zu of contour %zu is (%g, %g) with bulge %g; all must be finite", k + 1, i + 1,
                               v->x, v->y, v->bulge);
        }
        edges += contour[i].vertex_count;
        if (edges > TS_OUTLINE_EDGES_MAX)
            return ts_fail(error, TS_BAD_INPUT,
                           "the outline has more than %d edges; simplify it, or read it with a larger tolerance",
                           TS_OUTLINE_EDGES_MAX);
    }
    return TS_OK;
}

static ts_status copy_notes(ts_outline *o, const char *const *note, size_t count, ts_error *error)
{
    if (!note || count == 0)
        return TS_OK;
    TS_TRY(ts_new(&o->note, count, error));
    for (; o->note_count < count; o->note_count++) {
        o->note[o->note_count] = ts_copy_text(note[o->note_count]);
        if (!o->note[o->note_count])
            return ts_fail_memory(error, strlen(note[o->note_count]) + 1);
    }
    return TS_OK;
}

static ts_status copy_contours(ts_outline *o, const ts_contour *contour, size_t count, ts_error *error)
{
    size_t vertices = 0;
    for (size_t i = 0; i < count; i++)
        vertices += contour[i].vertex_count;
    TS_TRY(ts_new(&o->begin, count + 1, error));
    TS_TRY(ts_new(&o->vertex, vertices, error));
    o->contour_count = count;
    for (size_t i = 0; i < count; i++) {
        memcpy(o->vertex + o->begin[i], contour[i].vertex, contour[i].vertex_count * sizeof *o->vertex);
        o->begin[i + 1] = o->begin[i] + contour[i].vertex_count;
    }
    return TS_OK;
}

static ts_status index_edges(ts_outline *o, ts_error *error)
{
    size_t count = ts_outline_vertex_count(o), at = 0;
    TS_AUTO_FREE ts_segment *segment = NULL;
    TS_TRY(ts_new_raw(&segment, count, error));
    for (size_t i = 0; i < o->contour_count; i++) {
        ts_contour c = ts_outline_get_contour(o, i);
        for (size_t k = 0; k < c.vertex_count; k++)
            segment[at++] = ts_contour_segment(&c, k);
    }
    return ts_distance_create(segment, count, &o->distance, error);
}

static ts_status fill(ts_outline *o, const ts_contour *contour, size_t count, ts_error *error)
{
    o->mass = ts_contours_mass(contour, count);
    const ts_outline_mass *m = &o->mass;
    if (!(m->area > 0) || !(m->inertia > 0) || !(m->radius > 0) || !isfinite(m->area) || !isfinite(m->inertia) ||
        !isfinite(m->radius) || !isfinite(m->centre[0]) || !isfinite(m->centre[1]))
        return ts_fail(
            error, TS_BAD_INPUT,
            "the outline's area is %g and its inertia %g, but both must be positive and finite; outer contours "
            "run counter-clockwise, holes clockwise",
            m->area, m->inertia);
    TS_TRY(copy_contours(o, contour, count, error));
    return index_edges(o, error);
}

ts_status ts_outline_adopt(const ts_contour *contour, size_t count, const char *const *note, size_t note_count,
                           ts_outline **outline, ts_error *error)
{
    *outline = NULL;
    TS_TRY(check_contours(contour, count, error));
    TS_AUTO(ts_outline_free_at) ts_outline *o = NULL;
    TS_TRY(ts_new(&o, 1, error));
    TS_TRY(fill(o, contour, count, error));
    TS_TRY(copy_notes(o, note, note_count, error));
    *outline = ts_give(&o);
    return TS_OK;
}

static ts_status adopt_repaired(const ts_repaired *r, ts_outline **outline, ts_error *error)
{
    size_t count = r->begin.count > 0 ? r->begin.count - 1 : 0;
    TS_AUTO_FREE ts_contour *contour = NULL;
    TS_TRY(ts_new(&contour, count + 1, error));
    for (size_t i = 0; i < count; i++)
        contour[i] = (ts_contour){.vertex = r->vertex.item + r->begin.item[i],
                                  .vertex_count = r->begin.item[i + 1] - r->begin.item[i]};
    return ts_outline_adopt(contour, count, (const char *const *)r->note.item, r->note.count, outline, error);
}

ts_status ts_outline_create(const ts_contour *contour, size_t count, ts_fill_rule rule, ts_outline **outline,
                            ts_error *error)
{
    TS_GIVEN(outline, "outline", error);
    *outline = NULL;
    if (!contour && count > 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "outline: the argument contour is NULL, but count is %zu; pass the contours", count);
    for (size_t i = 0; i < count; i++)
        if (!contour[i].vertex && contour[i].vertex_count > 0)
            return ts_fail(error, TS_BAD_INPUT,
                           "outline: vertex of contour %zu is NULL, but vertex_count is %zu; give the vertices", i + 1,
                           contour[i].vertex_count);
    TS_AUTO(ts_repaired_free) ts_repaired repaired = {0};
    TS_TRY(ts_repair(contour, count, rule, &repaired, error));
    return adopt_repaired(&repaired, outline, error);
}

ts_status ts_outline_place(const ts_outline *from, double scale, double angle, const double shift[2],
                           ts_outline **outline, ts_error *error)
{
    TS_GIVEN(outline, "outline", error);
    *outline = NULL;
    TS_GIVEN(from, "outline", error);
    TS_GIVEN(shift, "outline", error);
    if (!(scale > 0) || !isfinite(scale))
        return ts_fail(error, TS_BAD_INPUT, "the scale of an outline is %g, but must be positive and finite", scale);
    if (!isfinite(angle) || !isfinite(shift[0]) || !isfinite(shift[1]))
        return ts_fail(error, TS_BAD_INPUT,
                       "an outline is to be turned by %g and shifted by (%g, %g); all must be finite", angle, shift[0],
                       shift[1]);
    size_t count = ts_outline_vertex_count(from);
    TS_AUTO_FREE ts_vertex *vertex = NULL;
    TS_AUTO_FREE ts_contour *contour = NULL;
    TS_TRY(ts_new_raw(&vertex, count, error));
    TS_TRY(ts_new(&contour, from->contour_count, error));
    double c = scale * cos(angle), s = scale * sin(angle);
    for (size_t i = 0; i < count; i++) {
        ts_vertex v = from->vertex[i];
        vertex[i] = (ts_vertex){c * v.x - s * v.y + shift[0], s * v.x + c * v.y + shift[1], v.bulge};
    }
    for (size_t i = 0; i < from->contour_count; i++)
        contour[i] =
            (ts_contour){.vertex = vertex + from->begin[i], .vertex_count = from->begin[i + 1] - from->begin[i]};
    return ts_outline_adopt(contour, from->contour_count, (const char *const *)from->note, from->note_count, outline,
                            error);
}

void ts_outline_free(ts_outline *outline)
{
    if (!outline)
        return;
    for (size_t i = 0; i < outline->note_count; i++)
        ts_free(outline->note[i]);
    ts_free(outline->note);
    ts_distance_free(outline->distance);
    ts_free(outline->vertex);
    ts_free(outline->begin);
    ts_free(outline);
}

/* ---- Asking ---- */

ts_outline_mass ts_outline_get_mass(const ts_outline *outline)
{
    return outline ? outline->mass : (ts_outline_mass){0};
}

size_t ts_outline_contour_count(const ts_outline *outline)
{
    return outline ? outline->contour_count : 0;
}

ts_contour ts_outline_get_contour(const ts_outline *outline, size_t index)
{
    if (!outline || index >= outline->contour_count)
        return (ts_contour){0};
    return (ts_contour){.vertex = outline->vertex + outline->begin[index],
                        .vertex_count = outline->begin[index + 1] - outline->begin[index]};
}

size_t ts_outline_note_count(const ts_outline *outline)
{
    return outline ? outline->note_count : 0;
}

const char *ts_outline_get_note(const ts_outline *outline, size_t index)
{
    return outline && index < outline->note_count ? outline->note[index] : NULL;
}

static void put_nan(double *out, size_t i)
{
    if (out)
        out[i] = (double)NAN;
}

void ts_outline_distance(const ts_outline *outline, size_t count, const double *x, const double *y, double *distance,
                         double *closest_x, double *closest_y)
{
    bool known = outline && x && y;
    for (size_t i = 0; i < count;) {
        size_t end = i; /* a run of finite points goes to the kernel as one */
        while (known && end < count && isfinite(x[end]) && isfinite(y[end]))
            end++;
        if (end > i)
            ts_distance_query(outline->distance, end - i, x + i, y + i, distance ? distance + i : NULL,
                              closest_x ? closest_x + i : NULL, closest_y ? closest_y + i : NULL, NULL);
        if (end < count) {
            put_nan(distance, end);
            put_nan(closest_x, end);
            put_nan(closest_y, end);
            end++;
        }
        i = end;
    }
}

/* ---- Straight edges ---- */

/* More straight edges than this are a tolerance by mistake. */
#define FLAT_EDGES_MAX 10000000

/* Into how many chords an edge is cut so that none is farther than `tolerance` from its arc, nor spans more than a
 * quarter turn (a disc stays at least a square). A chord that spans δ is r (1 - cos δ/2) = 2 r sin² δ/4 away. */
static double chord_count(const ts_segment *s, double tolerance)
{
    double b = fabs(s->bulge), chord = hypot(s->x1 - s->x0, s->y1 - s->y0), sweep = 4 * atan(b);
    if (0.5 * b * chord <= tolerance && sweep <= TS_PI / 2)
        return 1;
    double r = chord * (1 / b + b) / 4;
    double step = fmin(4 * asin(sqrt(fmin(tolerance / (2 * r), 0.5))), TS_PI / 2);
    return fmax(ceil(sweep / step * (1 - 4 * DBL_EPSILON)), 1);
}

ts_status ts_outline_flatten(const ts_outline *outline, double tolerance, ts_vec2 **point, size_t **begin,
                             ts_error *error)
{
    *point = NULL;
    *begin = NULL;
    if (!(tolerance > 0) || !isfinite(tolerance))
        return ts_fail(error, TS_BAD_INPUT, "the tolerance for straight edges is %g, but must be positive and finite",
                       tolerance);
    double count = 0;
    for (size_t i = 0; i < outline->contour_count; i++) {
        ts_contour c = ts_outline_get_contour(outline, i);
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k);
            count += chord_count(&s, tolerance);
        }
    }
    if (!(count <= FLAT_EDGES_MAX))
        return ts_fail(error, TS_BAD_INPUT,
                       "a tolerance of %g would cut the outline into %.3g straight edges, but %d is the most; raise it",
                       tolerance, count, FLAT_EDGES_MAX);
    ts_vec2 *p = ts_alloc_raw((size_t)count, sizeof *p);
    size_t *b = ts_alloc(outline->contour_count + 1, sizeof *b);
    if (!p || !b) {
        ts_free(p);
        ts_free(b);
        return ts_fail_memory(error, (size_t)count * sizeof *p + (outline->contour_count + 1) * sizeof *b);
    }
    size_t at = 0;
    for (size_t i = 0; i < outline->contour_count; i++) {
        ts_contour c = ts_outline_get_contour(outline, i);
        for (size_t k = 0; k < c.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&c, k);
            size_t chords = (size_t)chord_count(&s, tolerance);
            for (size_t j = 0; j < chords; j++)
                p[at++] = ts_segment_point(&s, (double)j / (double)chords);
        }
        b[i + 1] = at;
    }
    *point = p;
    *begin = b;
    return TS_OK;
}
