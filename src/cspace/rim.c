/* SPDX-License-Identifier: MIT */
#include "cspace/rim.h"

#include <math.h>

#include "base/memory.h"
#include "shape/outline.h"

/* ---- Making ---- */

/* An arc of a lesser bulge is a line: it is no farther off than half of that times its length. */
static const double flat = 1e-10;

static ts_rim_edge edge_of(const ts_segment *s)
{
    ts_rim_edge e = {.p = {s->x0, s->y0}, .q = {s->x1, s->y1}, .bulge = fabs(s->bulge) < flat ? 0 : s->bulge};
    e.about = ts_vec2_lerp(e.p, e.q, 0.5);
    e.around = 0.5 * ts_vec2_distance(e.p, e.q);
    if (e.bulge != 0) {
        ts_arc arc = ts_segment_arc(s);
        ts_vec2 chord = ts_vec2_sub(e.q, e.p);
        double b = s->bulge, height = fabs(b) * e.around;
        e.c = (ts_vec2){arc.cx, arc.cy};
        e.r = arc.radius;
        /* a positive bulge lies to the right of the chord */
        e.middle = ts_vec2_scale(ts_vec2_unit(ts_vec2_perp(chord)), b > 0 ? -1 : 1);
        e.half = (1 - b * b) / (1 + b * b);
        e.sine = 2 * fabs(b) / (1 + b * b);
        if (fabs(b) <= 1) { /* around the chord's middle, or around the circle */
            e.around = sqrt(e.around * e.around + height * height);
        } else {
            e.about = e.c;
            e.around = e.r;
        }
    }
    return e;
}

/* Direction of an edge at p (`end` -1) or at q (+1): the chord turned by half the sweep. */
static ts_vec2 tangent(const ts_rim_edge *e, double end)
{
    double b = e->bulge, c = 1 - b * b, s = end * 2 * b;
    ts_vec2 d = ts_vec2_unit(ts_vec2_sub(e->q, e->p));
    return (ts_vec2){(c * d.x - s * d.y) / (1 + b * b), (c * d.y + s * d.x) / (1 + b * b)};
}

/* Where the boundary turns right. A turn that is no more than rounding makes no corner. */
static void mark_corners(ts_rim_edge *edge, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ts_rim_edge *before = &edge[i > 0 ? i - 1 : count - 1];
        ts_vec2 d = tangent(before, 1), g = tangent(&edge[i], -1);
        double turn = ts_vec2_cross(d, g);
        edge[i].corner = turn < -1e-9 || (turn < 1e-9 && ts_vec2_dot(d, g) < 0);
    }
}

static void enclose_group(ts_rim *edges, size_t g)
{
    size_t begin = ts_edge_group * g, end = begin + ts_edge_group < edges->count ? begin + ts_edge_group : edges->count;
    ts_vec2 low = edges->edge[begin].p, high = low;
    for (size_t i = begin; i < end; i++) {
        low = ts_vec2_min(low, ts_vec2_min(edges->edge[i].p, edges->edge[i].q));
        high = ts_vec2_max(high, ts_vec2_max(edges->edge[i].p, edges->edge[i].q));
    }
    ts_vec2 about = ts_vec2_lerp(low, high, 0.5);
    double around = 0;
    for (size_t i = begin; i < end; i++)
        around = fmax(around, ts_vec2_distance(about, edges->edge[i].about) + edges->edge[i].around);
    edges->group_about[g] = about;
    edges->group_around[g] = around;
}

ts_status ts_rim_create(const ts_outline *outline, ts_rim *edges, ts_error *error)
{
    size_t count = ts_outline_vertex_count(outline), groups = (count + ts_edge_group - 1) / ts_edge_group;
    *edges = (ts_rim){.count = count, .group_count = groups, .contour_count = outline->contour_count};
    edges->edge = ts_alloc_raw(count, sizeof *edges->edge);
    edges->begin = ts_alloc_raw(outline->contour_count + 1, sizeof *edges->begin);
    edges->group_about = ts_alloc_raw(groups, sizeof *edges->group_about);
    edges->group_around = ts_alloc_raw(groups, sizeof *edges->group_around);
    if (!edges->edge || !edges->begin || !edges->group_about || !edges->group_around) {
        ts_rim_free(edges);
        return ts_fail_memory(error, count * sizeof *edges->edge);
    }
    size_t at = 0;
    for (size_t c = 0; c < outline->contour_count; c++) {
        ts_contour contour = ts_outline_get_contour(outline, c);
        edges->begin[c] = at;
        for (size_t i = 0; i < contour.vertex_count; i++) {
            ts_segment s = ts_contour_segment(&contour, i);
            edges->edge[at++] = edge_of(&s);
        }
        mark_corners(edges->edge + edges->begin[c], at - edges->begin[c]);
    }
    edges->begin[outline->contour_count] = at;
    for (size_t g = 0; g < groups; g++)
        enclose_group(edges, g);
    return TS_OK;
}

void ts_rim_free(ts_rim *edges)
{
    ts_free(edges->edge);
    ts_free(edges->begin);
    ts_free(edges->group_about);
    ts_free(edges->group_around);
    *edges = (ts_rim){0};
}

static ts_vec2 turn(ts_vec2 v, double cosine, double sine)
{
    return (ts_vec2){cosine * v.x - sine * v.y, sine * v.x + cosine * v.y};
}

ts_rim_edge ts_edge_placed(const ts_rim_edge *e, ts_vec2 shift, double cosine, double sine)
{
    ts_rim_edge f = *e;
    f.p = ts_vec2_add(turn(e->p, cosine, sine), shift);
    f.q = ts_vec2_add(turn(e->q, cosine, sine), shift);
    f.about = ts_vec2_add(turn(e->about, cosine, sine), shift);
    if (e->bulge != 0) {
        f.c = ts_vec2_add(turn(e->c, cosine, sine), shift);
        f.middle = turn(e->middle, cosine, sine);
    }
    return f;
}

/* ---- One edge ---- */

/* How far along the chord, from 0 to 1, the foot of x lies, cut to the ends. */
static double along_line(const ts_rim_edge *e, ts_vec2 x)
{
    ts_vec2 d = ts_vec2_sub(e->q, e->p);
    double t = ts_vec2_dot(ts_vec2_sub(x, e->p), d) / ts_vec2_length_squared(d);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* x moved straight onto the arc's circle; d from the centre to x. The way is |d| - r = (|d|² - r²) / (|d| + r), which
 * keeps its digits when the centre is far away. */
static ts_vec2 onto_circle(const ts_rim_edge *e, ts_vec2 x, ts_vec2 d, double length)
{
    ts_vec2 sum = ts_vec2_add(d, ts_vec2_sub(e->p, e->c));
    double way = ts_vec2_dot(ts_vec2_sub(x, e->p), sum) / (length + e->r);
    return ts_vec2_add_scaled(x, d, -way / length);
}

ts_vec2 ts_edge_nearest(const ts_rim_edge *e, ts_vec2 x)
{
    if (e->bulge == 0) {
        double t = along_line(e, x);
        return t <= 0 ? e->p : t >= 1 ? e->q : ts_vec2_lerp(e->p, e->q, t);
    }
    ts_vec2 d = ts_vec2_sub(x, e->c);
    double length = ts_vec2_length(d);
    if (length > 0 && ts_edge_meets(e, d, length))
        return onto_circle(e, x, d, length);
    return ts_vec2_length_squared(ts_vec2_sub(x, e->p)) <= ts_vec2_length_squared(ts_vec2_sub(x, e->q)) ? e->p : e->q;
}

double ts_edge_parameter(const ts_rim_edge *e, ts_vec2 x)
{
    if (e->bulge == 0)
        return along_line(e, x);
    /* with a the angle from the middle, tan(a/2) = sin a / (1 + cos a); at the ends it is the bulge */
    ts_vec2 chord = ts_vec2_sub(e->q, e->p);
    double along = ts_vec2_dot(ts_vec2_sub(x, ts_vec2_lerp(e->p, e->q, 0.5)), chord) / ts_vec2_length(chord);
    double t = 0.5 + 0.5 * along / (fabs(e->bulge) * (e->r + ts_vec2_dot(e->middle, ts_vec2_sub(x, e->c))));
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* In units of half the chord, with k = 2t - 1 and the bulge b: (1 + b²) k / (1 + k² b²) along it from its middle, and b
 * (1 - k²) / (1 + k² b²) to its right. */
ts_vec2 ts_edge_point(const ts_rim_edge *e, double t)
{
    if (e->bulge == 0)
        return ts_vec2_lerp(e->p, e->q, t);
    ts_vec2 half = ts_vec2_scale(ts_vec2_sub(e->q, e->p), 0.5), middle = ts_vec2_lerp(e->p, e->q, 0.5);
    double b = e->bulge, k = 2 * t - 1, per = 1 / (1 + k * k * b * b);
    middle = ts_vec2_add_scaled(middle, half, (1 + b * b) * k * per);
    return ts_vec2_add_scaled(middle, ts_vec2_perp(half), -b * (1 - k * k) * per);
}

/* Angles of t0 and t1 from the arc's middle have the tangents b k0 and b k1 of their halves; half of their mean is the
 * direction of the sum of the unit vectors along (1, b k0) and (1, b k1). */
double ts_edge_between(const ts_rim_edge *e, double t0, double t1)
{
    double b = e->bulge, k0 = 2 * t0 - 1, k1 = 2 * t1 - 1;
    double n0 = sqrt(1 + b * b * k0 * k0), n1 = sqrt(1 + b * b * k1 * k1);
    return 0.5 + 0.5 * (k0 * n1 + k1 * n0) / (n0 + n1);
}

ts_vec2 ts_edge_direction(const ts_rim_edge *e, ts_vec2 x)
{
    if (e->bulge == 0)
        return ts_vec2_unit(ts_vec2_sub(e->q, e->p));
    return ts_vec2_scale(ts_vec2_perp(ts_vec2_sub(x, e->c)), (e->bulge > 0 ? 1 : -1) / e->r);
}

/* ---- Two edges: distance ---- */

typedef struct way {
    double length2;
    ts_vec2 a, b;
} way;

static void take(way *best, ts_vec2 a, ts_vec2 b)
{
    double length2 = ts_vec2_length_squared(ts_vec2_sub(b, a));
    if (length2 < best->length2)
        *best = (way){length2, a, b};
}

/* From the inside of a line to the inside of an arc: along the line's normal through the centre. `swapped`: the arc is
 * the first. */
static void line_to_arc(const ts_rim_edge *line, const ts_rim_edge *arc, bool swapped, way *best)
{
    ts_vec2 foot = ts_edge_nearest(line, arc->c), d = ts_vec2_sub(foot, arc->c);
    double length = ts_vec2_length(d);
    if (length < arc->r || !ts_edge_meets(arc, d, length))
        return;
    ts_vec2 on_arc = onto_circle(arc, foot, d, length);
    take(best, swapped ? on_arc : foot, swapped ? foot : on_arc);
}

/* Between two arcs, along the line of centres. */
static void arc_to_arc(const ts_rim_edge *e, const ts_rim_edge *f, way *best)
{
    ts_vec2 d = ts_vec2_sub(f->c, e->c);
    double distance = ts_vec2_length(d);
    if (distance == 0)
        return;
    ts_vec2 u = ts_vec2_scale(d, 1 / distance);
    for (int k = 0; k < 4; k++) {
        ts_vec2 ue = k & 1 ? ts_vec2_neg(u) : u, uf = k & 2 ? ts_vec2_neg(u) : u;
        if (!ts_edge_meets(e, ue, 1) || !ts_edge_meets(f, uf, 1))
            continue;
        /* `nearest` mends what a far centre costs */
        ts_vec2 a = ts_edge_nearest(e, ts_vec2_add_scaled(e->c, ue, e->r));
        take(best, a, ts_edge_nearest(f, ts_vec2_add_scaled(f->c, uf, f->r)));
    }
}

double ts_edge_distance(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 *a, ts_vec2 *b)
{
    way best = {HUGE_VAL, e->p, f->p};
    take(&best, e->p, ts_edge_nearest(f, e->p));
    take(&best, e->q, ts_edge_nearest(f, e->q));
    take(&best, ts_edge_nearest(e, f->p), f->p);
    take(&best, ts_edge_nearest(e, f->q), f->q);
    if (e->bulge == 0 && f->bulge != 0)
        line_to_arc(e, f, false, &best);
    else if (e->bulge != 0 && f->bulge == 0)
        line_to_arc(f, e, true, &best);
    else if (e->bulge != 0)
        arc_to_arc(e, f, &best);
    *a = best.a;
    *b = best.b;
    return sqrt(best.length2);
}

/* ---- Two edges: crossings ---- */

static int lines_cross(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 *at)
{
    ts_vec2 d = ts_vec2_sub(e->q, e->p), g = ts_vec2_sub(f->q, f->p), w = ts_vec2_sub(f->p, e->p);
    double cross = ts_vec2_cross(d, g);
    if (cross == 0)
        return 0;
    double t = ts_vec2_cross(w, g) / cross, u = ts_vec2_cross(w, d) / cross;
    if (!(t >= 0 && t <= 1 && u >= 0 && u <= 1))
        return 0;
    *at = ts_vec2_add_scaled(e->p, d, t);
    return 1;
}

static int line_crosses_arc(const ts_rim_edge *line, const ts_rim_edge *arc, ts_vec2 at[2])
{
    ts_vec2 d = ts_vec2_sub(line->q, line->p), w = ts_vec2_sub(arc->c, line->p);
    double length2 = ts_vec2_length_squared(d), foot = ts_vec2_dot(w, d) / length2;
    double off = ts_vec2_cross(d, w), left = arc->r * arc->r * length2 - off * off;
    if (!(left >= 0))
        return 0;
    double half = sqrt(left) / length2;
    int count = 0;
    for (int k = -1; k <= 1; k += 2) {
        double t = foot + k * half;
        ts_vec2 x = ts_vec2_add_scaled(line->p, d, t);
        if (t >= 0 && t <= 1 && ts_edge_meets(arc, ts_vec2_sub(x, arc->c), arc->r))
            at[count++] = x;
    }
    return count;
}

static int arcs_cross(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 at[2])
{
    ts_vec2 d = ts_vec2_sub(f->c, e->c);
    double distance2 = ts_vec2_length_squared(d);
    if (distance2 == 0)
        return 0;
    double along = 0.5 * (1 + (e->r - f->r) * (e->r + f->r) / distance2);
    double left = e->r * e->r / distance2 - along * along;
    if (!(left >= 0))
        return 0;
    double aside = sqrt(left);
    int count = 0;
    for (int k = -1; k <= 1; k += 2) {
        ts_vec2 x = ts_vec2_add_scaled(ts_vec2_add_scaled(e->c, d, along), ts_vec2_perp(d), k * aside);
        if (ts_edge_meets(e, ts_vec2_sub(x, e->c), e->r) && ts_edge_meets(f, ts_vec2_sub(x, f->c), f->r))
            at[count++] = x;
    }
    return count;
}

int ts_edge_crossings(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 at[2])
{
    if (e->bulge == 0 && f->bulge == 0)
        return lines_cross(e, f, at);
    if (e->bulge == 0)
        return line_crosses_arc(e, f, at);
    if (f->bulge == 0)
        return line_crosses_arc(f, e, at);
    return arcs_cross(e, f, at);
}
