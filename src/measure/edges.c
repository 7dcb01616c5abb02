/* SPDX-License-Identifier: MIT */
#include "measure/edges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/given.h"
#include "measure/solids.h"
#include "shape/discs.h"
#include "shape/outline.h"

/* ---- Making ---- */

static void push(ts_edges *edges, ts_edge edge)
{
    if (edges->status == TS_OK)
        edges->status = ts_array_push(&edges->edge, edge, edges->error);
}

static void push_disc_arc(void *context, const ts_disc *disc, double from, double to)
{
    push(context, (ts_edge){.arc = {disc->x, disc->y, disc->radius, from, to - from}});
}

static ts_contour contour_of(const ts_outline *outline, size_t i)
{
    return (ts_contour){outline->vertex + outline->begin[i], outline->begin[i + 1] - outline->begin[i], false};
}

static ts_status add_shape(ts_edges *edges, const ts_snapshot_shape *shape, ts_error *error)
{
    if (!shape->outline) {
        TS_TRY(ts_discs_arcs(shape->disc, shape->disc_count, push_disc_arc, edges, error));
        return edges->status;
    }
    for (size_t i = 0; i < shape->outline->contour_count; i++) {
        ts_contour contour = contour_of(shape->outline, i);
        for (size_t k = 0; k < ts_contour_segment_count(&contour); k++) {
            ts_segment segment = ts_contour_segment(&contour, k);
            push(edges, (ts_edge){.line = segment});
        }
    }
    return edges->status;
}

ts_status ts_edges_make(const ts_snapshot *snapshot, ts_edges *edges, ts_error *error)
{
    *edges = (ts_edges){.error = error};
    TS_TRY(ts_new(&edges->begin, snapshot->shape_count + 1, error));
    for (size_t i = 0; i < snapshot->shape_count; i++) {
        ts_status status = add_shape(edges, &snapshot->shape[i], error);
        edges->begin[i + 1] = edges->edge.count;
        if (status != TS_OK) {
            ts_edges_free(edges);
            return status;
        }
    }
    return TS_OK;
}

void ts_edges_free(ts_edges *edges)
{
    ts_array_free(&edges->edge);
    ts_free(edges->begin);
    edges->begin = NULL;
}

/* ---- Placing ---- */

/* Where a body's own frame lies in the world: p ↦ scale · turned(p) + (x, y). */
typedef struct placement {
    double x, y, c, s, angle, scale;
} placement;

/* Turned and scaled, but still about the body's own centre. */
static placement turn_of(const ts_snapshot_body *body)
{
    return (placement){0, 0, cos(body->angle), sin(body->angle), body->angle, body->scale};
}

static ts_vec2 place(const placement *at, double x, double y)
{
    return (ts_vec2){at->x + at->scale * (at->c * x - at->s * y), at->y + at->scale * (at->s * x + at->c * y)};
}

static ts_edge place_edge(const placement *at, const ts_edge *edge)
{
    ts_edge placed = *edge;
    ts_vec2 p = place(at, edge->line.x0, edge->line.y0), q = place(at, edge->line.x1, edge->line.y1);
    placed.line = (ts_segment){p.x, p.y, q.x, q.y, edge->line.bulge};
    if (edge->arc.radius > 0) {
        ts_vec2 centre = place(at, edge->arc.cx, edge->arc.cy);
        placed.arc =
            (ts_arc){centre.x, centre.y, at->scale * edge->arc.radius, edge->arc.start + at->angle, edge->arc.sweep};
    }
    return placed;
}

/* ---- Area ---- */

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* An arc of an outline over its chord. With w = tan(φ / 2) / bulge, φ the angle from the arc's middle, w from −1 to 1,
 *
 *     point(w) = middle + [ half w (1 + b²) + out b (1 − w²) ] / (1 + b² w²)
 *
 * half: half the chord, out: the same turned right. No centre and no radius, so nothing cancels however flat the arc
 * is, and where it meets an upright or level line is a quadratic equation in w. */
typedef struct bow {
    ts_segment end;
    double x, y, hx, hy, b;
} bow;

static bow bow_of(const ts_segment *s)
{
    return (bow){*s,      0.5 * (s->x0 + s->x1), 0.5 * (s->y0 + s->y1), 0.5 * (s->x1 - s->x0), 0.5 * (s->y1 - s->y0),
                 s->bulge};
}

static ts_vec2 bow_point(const bow *a, double w)
{
    if (w <= -1)
        return (ts_vec2){a->end.x0, a->end.y0};
    if (w >= 1)
        return (ts_vec2){a->end.x1, a->end.y1};
    double below = 1 + a->b * w * (a->b * w), along = w * (1 + a->b * a->b) / below, out = a->b * (1 - w * w) / below;
    return (ts_vec2){a->x + along * a->hx + out * a->hy, a->y + along * a->hy - out * a->hx};
}

/* Adds the roots of u w² + v w + t = 0 that lie in (−1, 1). A double root is a line that touches: no way in. */
static int add_roots(double *cut, int count, double u, double v, double t)
{
    double rest = v * v - 4 * u * t;
    if (!(rest > 0))
        return count;
    double q = -0.5 * (v + copysign(sqrt(rest), v));
    const double root[2] = {q / u, t / q}; /* infinite where u is 0: the other one is that of the line */
    for (int i = 0; i < 2; i++)
        if (fabs(root[i]) < 1)
            cut[count++] = root[i];
    return count;
}

static void sort(double *value, int count)
{
    for (int i = 1; i < count; i++) {
        double v = value[i];
        int k = i;
        for (; k > 0 && value[k - 1] > v; k--)
            value[k] = value[k - 1];
        value[k] = v;
    }
}

/* Along a line clamp(x) is linear between the places where x is x0 and x1. */
static double line_area(const ts_segment *line, const ts_region *box)
{
    double dx = line->x1 - line->x0, dy = line->y1 - line->y0;
    if (dy == 0)
        return 0;
    double low = clamp(((dy > 0 ? box->y0 : box->y1) - line->y0) / dy, 0, 1);
    double high = clamp(((dy > 0 ? box->y1 : box->y0) - line->y0) / dy, 0, 1);
    double t[4] = {low, high, low, high};
    if (dx != 0) {
        t[2] = clamp((box->x0 - line->x0) / dx, low, high);
        t[3] = clamp((box->x1 - line->x0) / dx, low, high);
    }
    sort(t, 4);
    double area = 0;
    for (int i = 0; i < 3; i++) {
        double a = clamp(line->x0 + t[i] * dx, box->x0, box->x1), b = clamp(line->x0 + t[i + 1] * dx, box->x0, box->x1);
        area += (t[i + 1] - t[i]) * dy * (0.5 * (a + b) - box->x0);
    }
    return area;
}

/* (ψ − sin ψ cos ψ) / sin² ψ: four times the area of a circular segment with half angle ψ over the square of its
 * chord. */
static double cap(double psi)
{
    double sine = sin(psi), z = psi * psi, q = sine != 0 ? psi / sine : 1;
    if (z > 0.01)
        return (psi - sine * cos(psi)) / (sine * sine);
    return q * q * psi * (2 / 3.0 + z * (-2 / 15.0 + z * (4 / 315.0 + z * (-2 / 2835.0 + z * (4 / 155925.0)))));
}

/* ∫ (clamp(x) − x0) dy from u to v, where neither clamp nor box is entered or left: a trapezium and a cap. */
static double bow_piece(const bow *a, const ts_region *box, double u, double v)
{
    ts_vec2 p = bow_point(a, u), q = bow_point(a, v), middle = bow_point(a, 0.5 * (u + v));
    if (middle.x < box->x0 || middle.y < box->y0 || middle.y > box->y1)
        return 0;
    double dx = q.x - p.x, dy = q.y - p.y;
    if (middle.x > box->x1)
        return (box->x1 - box->x0) * dy;
    double psi = atan2(a->b * (v - u), 1 + a->b * u * (a->b * v));
    return (0.5 * (p.x + q.x) - box->x0) * dy + 0.25 * (dx * dx + dy * dy) * cap(psi);
}

static double bow_area(const ts_segment *segment, const ts_region *box)
{
    bow a = bow_of(segment);
    if (fabs(a.b) > 1) { /* more than a half circle: its two halves */
        ts_vec2 top = bow_point(&a, 0);
        double b = a.b / (1 + hypot(1, a.b));
        return bow_area(&(ts_segment){segment->x0, segment->y0, top.x, top.y, b}, box) +
               bow_area(&(ts_segment){top.x, top.y, segment->x1, segment->y1, b}, box);
    }
    double cut[10] = {-1, 1}, area = 0;
    int count = 2;
    for (int i = 0; i < 2; i++) {
        double dx = a.x - (i ? box->x1 : box->x0), dy = a.y - (i ? box->y1 : box->y0), k = 1 + a.b * a.b;
        count = add_roots(cut, count, a.b * (a.b * dx - a.hy), a.hx * k, dx + a.b * a.hy);
        count = add_roots(cut, count, a.b * (a.b * dy + a.hx), a.hy * k, dy - a.b * a.hx);
    }
    sort(cut, count);
    for (int i = 0; i + 1 < count; i++)
        area += bow_piece(&a, box, cut[i], cut[i + 1]);
    return area;
}

enum { CUTS_MAX = 18 }; /* four lines meet a circle eight times, and a sweep of a full turn twice there; and its ends */

/* Adds the angles low < angle + 2πk < high. */
static int add_cut(double *cut, int count, double angle, double low, double high)
{
    double a = angle + 2 * TS_PI * ceil((low - angle) / (2 * TS_PI));
    while (a < high && count < CUTS_MAX) {
        if (a > low)
            cut[count++] = a;
        a += 2 * TS_PI;
    }
    return count;
}

/* The same for an arc of a disc, from angle u to angle v. Discs are no larger than the shape, so their centre is
 * near. */
static double arc_piece(const ts_arc *arc, const ts_region *box, double u, double v)
{
    double middle = 0.5 * (u + v), r = arc->radius;
    double x = arc->cx + r * cos(middle), y = arc->cy + r * sin(middle);
    if (x < box->x0 || y < box->y0 || y > box->y1)
        return 0;
    double sines = sin(v) - sin(u);
    if (x > box->x1)
        return (box->x1 - box->x0) * r * sines;
    return (arc->cx - box->x0) * r * sines + r * r * (0.5 * (v - u) + 0.25 * (sin(2 * v) - sin(2 * u)));
}

static double arc_area(const ts_arc *arc, const ts_region *box)
{
    double low = fmin(arc->start, arc->start + arc->sweep), high = low + fabs(arc->sweep);
    double cut[CUTS_MAX];
    int count = 0;
    cut[count++] = low;
    cut[count++] = high;
    const double across[2] = {(box->x0 - arc->cx) / arc->radius, (box->x1 - arc->cx) / arc->radius};
    const double up[2] = {(box->y0 - arc->cy) / arc->radius, (box->y1 - arc->cy) / arc->radius};
    for (int i = 0; i < 2; i++) {
        if (fabs(across[i]) < 1) {
            count = add_cut(cut, count, acos(across[i]), low, high);
            count = add_cut(cut, count, -acos(across[i]), low, high);
        }
        if (fabs(up[i]) < 1) {
            count = add_cut(cut, count, asin(up[i]), low, high);
            count = add_cut(cut, count, TS_PI - asin(up[i]), low, high);
        }
    }
    sort(cut, count);
    double area = 0;
    for (int i = 0; i + 1 < count; i++)
        area += arc_piece(arc, box, cut[i], cut[i + 1]);
    return arc->sweep < 0 ? -area : area;
}

double ts_edges_area(const ts_snapshot *snapshot, const ts_edges *edges, size_t i, const ts_region *box)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    double r = body->radius;
    if (body->position[0] + r <= box->x0 || body->position[0] - r >= box->x1 || body->position[1] + r <= box->y0 ||
        body->position[1] - r >= box->y1)
        return 0;
    if (body->position[0] - r >= box->x0 && body->position[0] + r <= box->x1 && body->position[1] - r >= box->y0 &&
        body->position[1] + r <= box->y1)
        return body->volume;
    /* About the body's centre, in a box no larger than about the body: nothing is lost to far away origins and
     * borders. */
    placement at = turn_of(body);
    ts_region near = {fmax(box->x0 - body->position[0], -2 * r),
                      fmax(box->y0 - body->position[1], -2 * r),
                      fmin(box->x1 - body->position[0], 2 * r),
                      fmin(box->y1 - body->position[1], 2 * r),
                      0,
                      0};
    double area = 0;
    for (size_t k = edges->begin[body->shape]; k < edges->begin[body->shape + 1]; k++) {
        ts_edge edge = place_edge(&at, &edges->edge.item[k]);
        area += edge.arc.radius > 0    ? arc_area(&edge.arc, &near)
                : edge.line.bulge != 0 ? bow_area(&edge.line, &near)
                                       : line_area(&edge.line, &near);
    }
    /* where a grain only just reaches in or out, rounding; what is more than that is no business of a clamp */
    double rounding = 1e-12 * r * r;
    return area < 0 && area > -rounding                            ? 0
           : area > body->volume && area < body->volume + rounding ? body->volume
                                                                   : area;
}

/* ---- Tops ---- */

static double line_top(const ts_segment *line, double x0, double x1)
{
    double dx = line->x1 - line->x0, low = fmin(line->x0, line->x1), high = fmax(line->x0, line->x1);
    if (high < x0 || low > x1)
        return -HUGE_VAL;
    if (dx == 0)
        return fmax(line->y0, line->y1);
    double u = clamp((x0 - line->x0) / dx, 0, 1), v = clamp((x1 - line->x0) / dx, 0, 1), dy = line->y1 - line->y0;
    return line->y0 + fmax(u * dy, v * dy);
}

/* Among the ends, the places where it is level, and those on the two upright lines. */
static double bow_top(const ts_segment *segment, double x0, double x1)
{
    bow a = bow_of(segment);
    double w[10] = {-1, 1}, k = 1 + a.b * a.b, top = -HUGE_VAL;
    int level = add_roots(w, 2, a.hy * a.b * a.b, -2 * a.hx * a.b, -a.hy), count = level;
    for (int i = 0; i < 2; i++) {
        double dx = a.x - (i ? x1 : x0);
        count = add_roots(w, count, a.b * (a.b * dx - a.hy), a.hx * k, dx + a.b * a.hy);
    }
    for (int i = 0; i < count; i++) {
        ts_vec2 p = bow_point(&a, w[i]);
        if (i >= level || (p.x >= x0 && p.x <= x1))
            top = fmax(top, p.y);
    }
    return top;
}

static double arc_top(const ts_arc *arc, double x0, double x1)
{
    double low = fmin(arc->start, arc->start + arc->sweep), high = low + fabs(arc->sweep), top = -HUGE_VAL;
    const double side[2] = {(x0 - arc->cx) / arc->radius, (x1 - arc->cx) / arc->radius};
    double cut[CUTS_MAX] = {low, high};
    int level = add_cut(cut, 2, TS_PI / 2, low, high), count = level;
    for (int i = 0; i < 2; i++)
        if (fabs(side[i]) < 1) {
            count = add_cut(cut, count, acos(side[i]), low, high);
            count = add_cut(cut, count, -acos(side[i]), low, high);
        }
    for (int i = 0; i < count; i++) {
        double x = arc->cx + arc->radius * cos(cut[i]);
        if (i >= level || (x >= x0 && x <= x1))
            top = fmax(top, arc->cy + arc->radius * sin(cut[i]));
    }
    return top;
}

double ts_edges_top(const ts_snapshot *snapshot, const ts_edges *edges, size_t i, double x0, double x1)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    placement at = turn_of(body);
    double top = -HUGE_VAL;
    x0 -= body->position[0];
    x1 -= body->position[0];
    for (size_t k = edges->begin[body->shape]; k < edges->begin[body->shape + 1]; k++) {
        ts_edge edge = place_edge(&at, &edges->edge.item[k]);
        top = fmax(top, edge.arc.radius > 0    ? arc_top(&edge.arc, x0, x1)
                        : edge.line.bulge != 0 ? bow_top(&edge.line, x0, x1)
                                               : line_top(&edge.line, x0, x1));
    }
    return body->position[1] + top;
}

/* ---- Boxes ---- */

static const ts_region nothing = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};

static void include(ts_region *box, double x, double y, double radius)
{
    box->x0 = fmin(box->x0, x - radius);
    box->y0 = fmin(box->y0, y - radius);
    box->x1 = fmax(box->x1, x + radius);
    box->y1 = fmax(box->y1, y + radius);
}

static void include_region(ts_region *box, const ts_region *one)
{
    include(box, one->x0, one->y0, 0);
    include(box, one->x1, one->y1, 0);
    box->z0 = fmin(box->z0, one->z0);
    box->z1 = fmax(box->z1, one->z1);
}

/* Ends, and where the tangent is upright or level: h b² w² + 2 o b w − h = 0, h and o of half the chord and its
 * right. */
static void include_segment(ts_region *box, const ts_segment *segment)
{
    bow a = bow_of(segment);
    double w[4];
    int count = 0;
    include(box, segment->x0, segment->y0, 0);
    include(box, segment->x1, segment->y1, 0);
    if (a.b == 0)
        return;
    count = add_roots(w, count, a.hx * a.b * a.b, 2 * a.hy * a.b, -a.hx);
    count = add_roots(w, count, a.hy * a.b * a.b, -2 * a.hx * a.b, -a.hy);
    for (int i = 0; i < count; i++) {
        ts_vec2 p = bow_point(&a, w[i]);
        include(box, p.x, p.y, 0);
    }
}

ts_region ts_body_region_plane(const ts_snapshot *snapshot, size_t i)
{
    const ts_snapshot_body *body = &snapshot->body[i];
    const ts_snapshot_shape *shape = &snapshot->shape[body->shape];
    placement at = turn_of(body);
    ts_region box = nothing;
    for (size_t k = 0; !shape->outline && k < shape->disc_count; k++) {
        ts_vec2 centre = place(&at, shape->disc[k].x, shape->disc[k].y);
        include(&box, centre.x, centre.y, body->scale * shape->disc[k].radius);
    }
    for (size_t k = 0; shape->outline && k < shape->outline->contour_count; k++) {
        ts_contour contour = contour_of(shape->outline, k);
        for (size_t j = 0; j < ts_contour_segment_count(&contour); j++) {
            ts_edge edge = {.line = ts_contour_segment(&contour, j)}, placed = place_edge(&at, &edge);
            include_segment(&box, &placed.line);
        }
    }
    return (ts_region){body->position[0] + box.x0,
                       body->position[1] + box.y0,
                       body->position[0] + box.x1,
                       body->position[1] + box.y1,
                       0,
                       0};
}

static bool shape_is_there(const ts_snapshot *snapshot, size_t i)
{
    return snapshot->body[i].shape >= 0 && (size_t)snapshot->body[i].shape < snapshot->shape_count;
}

ts_region ts_snapshot_region(const ts_snapshot *snapshot)
{
    ts_region box = nothing;
    for (size_t i = 0; snapshot && i < snapshot->body_count; i++)
        if (ts_is_grain(&snapshot->body[i]) && shape_is_there(snapshot, i)) {
            ts_region one = ts_kind_of(snapshot)->region(snapshot, i);
            include_region(&box, &one);
        }
    return box.x0 <= box.x1 ? box : (ts_region){0};
}

ts_status ts_need_plane(const ts_snapshot *snapshot, const char *what, ts_error *error)
{
    TS_TRY(ts_snapshot_check(snapshot, error));
    return ts_kind_of(snapshot)->outlines
               ? TS_OK
               : ts_fail(error, TS_UNSUPPORTED, "%s is measured in the plane only; these bodies are in space", what);
}

ts_status ts_region_given(const ts_snapshot *snapshot, const ts_region *given, ts_region *region, ts_error *error)
{
    TS_TRY(ts_snapshot_check(snapshot, error));
    if (!given) {
        *region = ts_snapshot_region(snapshot);
        return TS_OK;
    }
    bool sane = true;
    char from[96] = "", to[96] = "";
    for (int k = 0; k < ts_dimension_of(snapshot); k++) {
        double low = ts_region_low(given, k), high = ts_region_high(given, k);
        sane = sane && isfinite(low) && isfinite(high) && low < high;
        snprintf(from + strlen(from), sizeof from - strlen(from), "%s%g", k ? ", " : "", low);
        snprintf(to + strlen(to), sizeof to - strlen(to), "%s%g", k ? ", " : "", high);
    }
    if (!sane)
        return ts_fail(error, TS_BAD_INPUT, "the region from (%s) to (%s) is empty; give its %s", from, to,
                       ts_kind_of(snapshot)->corners);
    *region = *given;
    return TS_OK;
}

ts_status ts_bins_given(const ts_snapshot *snapshot, const ts_bins *bins, ts_region *region, ts_error *error)
{
    TS_GIVEN(bins, "profile", error);
    if (bins->count < 1)
        return ts_fail(error, TS_BAD_INPUT, "a profile of no bin was asked for; give at least one");
    return ts_region_given(snapshot, bins->region, region, error);
}

ts_region ts_bin_region(const ts_snapshot *snapshot, const ts_region *region, const ts_bins *bins, size_t k)
{
    ts_region bin = *region;
    double n = (double)bins->count, begin = (double)k / n, end = (double)(k + 1) / n;
    int axis = ts_bin_axis(snapshot, bins);
    double low = ts_region_low(region, axis), extent = ts_region_high(region, axis) - low;
    *(axis == 0 ? &bin.x0 : axis == 1 ? &bin.y0 : &bin.z0) = low + begin * extent;
    *(axis == 0 ? &bin.x1 : axis == 1 ? &bin.y1 : &bin.z1) = low + end * extent;
    return bin;
}

size_t ts_bin_of(const ts_snapshot *snapshot, const ts_region *region, const ts_bins *bins, const double point[3])
{
    int axis = ts_bin_axis(snapshot, bins);
    double low = ts_region_low(region, axis), share = (point[axis] - low) / (ts_region_high(region, axis) - low);
    double k = floor(share * (double)bins->count);
    return !(k > 0) ? 0 : k < (double)bins->count ? (size_t)k : bins->count - 1;
}
