/* SPDX-License-Identifier: MIT */
/* Compiling shapes into features. See features.h; places.c asks them. */
#include "contact/features.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "contact/feature_grid.h"
#include "shape/segment.h"

/* Edges that differ in direction by less make no corner [rad]. */
static const double tangent_most = 1e-5;
/* Arcs flatter than this are lines: they rise over their chord by half of it, and their centre is too far away to keep
 * digits. */
static const double bulge_least = 1e-7;
/* By how much the cone of a corner is widened against edges [rad]: a face of a box that overlaps by a tenth of its
 * length at one end still has both ends in the wall when it is tilted by 0.1. A corner sharper than `sharp` is widened
 * by less, down to `slack_least`: turned by a right angle it would count on the wrong side of a thin wall. */
static const double slack = 0.5, sharp = 1.48, slack_least = 0.09;
/* How far a foot may lie beyond the end of an edge, of the depth of the point, at a corner, where the two corners of
 * two faces that end together may pass each other. In an inner angle it does not depend on the depth: what is pressed
 * into it has its feet beyond both edges. */
static const double beyond_corner = 1e-3, beyond_inner = 1;
/* … but no farther than this share of the size of the shape, since what is deep in an inner angle is inside only near
 * it; and at a corner only where the point is no deeper than that. */
static const double beyond_most = 0.03;
/* In an inner angle between acute tips it is more times that: they are thin, so that others come deep into it. */
static const double beyond_tips = 4;
/* Rounding of feet, of the size of the shape. */
static const double rounding = 1e-9;

/* ---- Building ---- */

typedef struct builder {
    ts_features *to;
    const ts_distance *solid;
    double scale, size;
    size_t point_room, edge_room;
} builder;

/* How thick the shape is behind (x, y), looking along the unit vector (dx, dy) into it: twice the distance from the
 * boundary where that is largest first. */
static double thickness_at(const builder *b, double x, double y, double dx, double dy)
{
    double best = 0;
    if (!b->solid)
        return 0;
    double s = b->size / 1024;
    while (s < 2 * b->size) {
        double px = x + s * dx, py = y + s * dy, distance;
        ts_distance_query(b->solid, 1, &px, &py, &distance, NULL, NULL, NULL);
        if (!(-distance > best))
            break;
        best = -distance;
        s *= 1.125;
    }
    return 2 * best;
}

static ts_status grow(builder *b, ts_error *error)
{
    ts_features *f = b->to;
    if (f->point_count == b->point_room) {
        size_t room = 2 * b->point_room + 8;
        ts_feature_point *grown = ts_realloc(f->point, f->point_count * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        f->point = grown;
        b->point_room = room;
    }
    if (f->edge_count == b->edge_room) {
        size_t room = 2 * b->edge_room + 8;
        ts_feature_edge *grown = ts_realloc(f->edge, f->edge_count * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return ts_fail_memory(error, room * sizeof *grown);
        f->edge = grown;
        b->edge_room = room;
    }
    return TS_OK;
}

/* Where two edges meet: by how much the direction turns to the left [rad]. */
static double turn_at(const ts_segment *in, const ts_segment *out, bool end_of_line)
{
    if (end_of_line)
        return TS_PI;
    ts_vec2 u = ts_segment_tangent(in, 1), v = ts_segment_tangent(out, 0);
    return atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y);
}

static void add_corner(builder *b, const ts_segment *in, double turn)
{
    ts_vec2 u = ts_segment_tangent(in, 1);
    double half = 0.5 * turn, c = cos(half), s = sin(half);
    /* the normal of the edge that comes in, (u.y, -u.x), turned by half */
    double mx = c * u.y + s * u.x, my = s * u.y - c * u.x;
    double wide = half + fmax(fmin(slack, sharp - half), slack_least);
    ts_feature_point p = {.x = b->scale * in->x1,
                          .y = b->scale * in->y1,
                          .middle_x = mx,
                          .middle_y = my,
                          .cosine = c,
                          .loose = cos(fmin(wide, TS_PI)),
                          .thickness = b->scale * thickness_at(b, in->x1, in->y1, -mx, -my)};
    b->to->point[b->to->point_count++] = p;
}

/* `joins`: whether another convex arc goes on from its begin and its end; then that one's cone does, too. */
static void add_arc(builder *b, const ts_segment *s, const double turn[2], const bool joins[2])
{
    ts_arc arc = ts_segment_arc(s);
    double half = 0.5 * fabs(arc.sweep), at = arc.start + 0.5 * arc.sweep, mx = cos(at), my = sin(at);
    ts_vec2 middle = ts_segment_middle(s);
    const double end[2] = {arc.start, arc.start + arc.sweep};
    if (s->bulge > 0) {
        ts_feature_point p = {
            .x = b->scale * arc.cx,
            .y = b->scale * arc.cy,
            .radius = b->scale * arc.radius,
            .middle_x = mx,
            .middle_y = my,
            .cosine = cos(half),
            .loose = cos(half),
            .goes_on = {fabs(turn[0]) <= tangent_most && !joins[0], fabs(turn[1]) <= tangent_most && !joins[1]},
            .thickness = b->scale * thickness_at(b, middle.x, middle.y, -mx, -my)};
        for (int i = 0; i < 2; i++) {
            p.end[i][0] = cos(end[i]), p.end[i][1] = sin(end[i]);
        }
        b->to->point[b->to->point_count++] = p;
        return;
    }
    ts_feature_edge e = {.x = b->scale * arc.cx,
                         .y = b->scale * arc.cy,
                         .tx = mx,
                         .ty = my,
                         .radius = b->scale * arc.radius,
                         .low = cos(half),
                         .thickness = b->scale * thickness_at(b, middle.x, middle.y, mx, my)};
    for (int i = 0; i < 2; i++) {
        e.end[i][0] = cos(end[i]), e.end[i][1] = sin(end[i]);
        e.beyond[i] = turn[i] > tangent_most ? beyond_corner : turn[i] < -tangent_most ? beyond_inner : 0;
    }
    b->to->edge[b->to->edge_count++] = e;
}

static void add_line(builder *b, const ts_segment *s, const double turn[2])
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length = hypot(dx, dy);
    ts_feature_edge e = {.x = b->scale * s->x0,
                         .y = b->scale * s->y0,
                         .tx = dx / length,
                         .ty = dy / length,
                         .nx = dy / length,
                         .ny = -dx / length,
                         .high = b->scale * length};
    for (int i = 1; i < 4; i++)
        e.thickness =
            fmax(e.thickness, b->scale * thickness_at(b, s->x0 + 0.25 * i * dx, s->y0 + 0.25 * i * dy, -e.nx, -e.ny));
    for (int i = 0; i < 2; i++) {
        e.beyond[i] = turn[i] > tangent_most ? beyond_corner : turn[i] < -tangent_most ? beyond_inner : 0;
    }
    b->to->edge[b->to->edge_count++] = e;
}

/* The contour's segments as the outline of something: an open line, or one of which both sides count, comes back the
 * other way. Segments without length are left out. */
typedef struct walk {
    const ts_contour *contour;
    size_t count; /* of segments one way */
    bool backward;
} walk;

static ts_segment segment_of(const walk *w, size_t i)
{
    if (!w->backward)
        return ts_contour_segment(w->contour, i);
    ts_segment s = ts_contour_segment(w->contour, w->count - 1 - i);
    return (ts_segment){s.x1, s.y1, s.x0, s.y0, -s.bulge};
}

static bool is_real(const ts_segment *s)
{
    return s->x0 != s->x1 || s->y0 != s->y1;
}

typedef TS_ARRAY(ts_segment) segments;

static ts_status collect(segments *to, const ts_contour *contour, bool backward, ts_error *error)
{
    walk w = {contour, ts_contour_segment_count(contour), backward};
    for (size_t i = 0; i < w.count; i++) {
        ts_segment s = segment_of(&w, i);
        if (is_real(&s))
            TS_TRY(ts_array_push(to, s, error));
    }
    return TS_OK;
}

/* Two edges meet in an inner angle: where the first ends the second begins. */
static void meet(ts_features *f, size_t first, size_t second)
{
    f->edge[first].inner[1] = (int32_t)second;
    f->edge[second].inner[0] = (int32_t)first;
}

/* One closed run of segments. `ends`: the segments after which an open line turns back; SIZE_MAX: none. */
static ts_status add_run(builder *b, const segments *run, const size_t ends[2], ts_error *error)
{
    const size_t first_edge = b->to->edge_count;
    int32_t corner = -1;    /* at the end of the segment before */
    size_t last = SIZE_MAX; /* the latest segment that is an edge */
    for (size_t i = 0; i < run->count; i++) {
        const size_t edge = b->to->edge_count;
        size_t before = i > 0 ? i - 1 : run->count - 1, after = i + 1 < run->count ? i + 1 : 0;
        const ts_segment *s = &run->item[i];
        double turn[2] = {turn_at(&run->item[before], s, before == ends[0] || before == ends[1]),
                          turn_at(s, &run->item[after], i == ends[0] || i == ends[1])};
        TS_TRY(grow(b, error));
        if (fabs(s->bulge) < bulge_least)
            add_line(b, s, turn);
        else
            add_arc(b, s, turn,
                    (const bool[2]){run->item[before].bulge >= bulge_least, run->item[after].bulge >= bulge_least});
        TS_TRY(grow(b, error));
        if (b->to->edge_count > edge) {
            ts_feature_edge *e = &b->to->edge[edge];
            e->corner[0] = corner;
            e->corner[1] = e->inner[0] = e->inner[1] = -1;
            if (i > 0 && turn[0] < -tangent_most && edge > first_edge && last == i - 1)
                meet(b->to, edge - 1, edge);
            last = i;
        }
        corner = -1;
        if (turn[1] > tangent_most) {
            corner = (int32_t)b->to->point_count;
            add_corner(b, s, turn[1]);
            if (b->to->edge_count > edge)
                b->to->edge[edge].corner[1] = corner;
        }
    }
    if (b->to->edge_count > first_edge && run->item[0].bulge < bulge_least) {
        /* the first segment begins where the last one ends */
        const size_t end = run->count - 1;
        b->to->edge[first_edge].corner[0] = corner;
        if (last == end && end > 0 &&
            turn_at(&run->item[end], &run->item[0], end == ends[0] || end == ends[1]) < -tangent_most)
            meet(b->to, b->to->edge_count - 1, first_edge);
    }
    return TS_OK;
}

static ts_status add_contour(builder *b, const ts_contour *contour, segments *run, ts_error *error)
{
    const size_t none[2] = {SIZE_MAX, SIZE_MAX};
    run->count = 0;
    TS_TRY(collect(run, contour, false, error));
    if (run->count == 0)
        return TS_OK;
    if (b->solid)
        return add_run(b, run, none, error);
    if (contour->open) {
        const size_t there = run->count - 1;
        TS_TRY(collect(run, contour, true, error));
        return add_run(b, run, (const size_t[2]){there, run->count - 1}, error);
    }
    TS_TRY(add_run(b, run, none, error));
    run->count = 0;
    TS_TRY(collect(run, contour, true, error));
    return add_run(b, run, none, error);
}

/* Shapes with more features have no sure depths: finding them takes the square of that. */
static const size_t sure_most = 4096;

/* Right angles are acute by rounding [cosine]. */
static const double lean_least = 1e-6;

/* How deep below a line another feature begins, with its foot on the line; infinite: nowhere. */
static double depth_of_line(const ts_feature_edge *e, const ts_feature_edge *other, double low, double high,
                            double tolerance)
{
    double u[2], t[2];
    for (int i = 0; i < 2; i++) {
        double dx = other->x + i * other->high * other->tx - e->x, dy = other->y + i * other->high * other->ty - e->y;
        u[i] = dx * e->tx + dy * e->ty;
        t[i] = -dx * e->nx - dy * e->ny;
    }
    /* where it enters and leaves the strip below the line */
    double from = 0, to = 1, du = u[1] - u[0];
    if (fabs(du) < tolerance) {
        if (fmax(u[0], u[1]) <= low || fmin(u[0], u[1]) >= high)
            return HUGE_VAL;
    } else {
        const double a = (low - u[0]) / du, b = (high - u[0]) / du;
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
        if (from >= to)
            return HUGE_VAL;
    }
    const double one = t[0] + from * (t[1] - t[0]), other_one = t[0] + to * (t[1] - t[0]);
    return fmax(one, other_one) > tolerance ? fmax(fmin(one, other_one), 0) : HUGE_VAL; /* or it lies above */
}

/* The same for an arc, of which the whole circle counts. */
static double depth_of_circle(const ts_feature_edge *e, double x, double y, double radius, double low, double high)
{
    const double dx = x - e->x, dy = y - e->y, u = dx * e->tx + dy * e->ty, t = -dx * e->nx - dy * e->ny;
    return u + radius <= low || u - radius >= high || t + radius < 0 ? HUGE_VAL : fmax(t - radius, 0);
}

/* Cotangent of an acute corner in which two lines meet; 0: they do not, or it is not acute. */
static double lean_of(const ts_feature_edge *e, const ts_feature_edge *other)
{
    if (other->radius > 0 || !((e->corner[0] >= 0 && e->corner[0] == other->corner[1]) ||
                               (e->corner[1] >= 0 && e->corner[1] == other->corner[0])))
        return 0;
    const double cosine = -(e->nx * other->nx + e->ny * other->ny), sine = fabs(e->nx * other->ny - e->ny * other->nx);
    return cosine > lean_least && sine > 0 ? cosine / sine : 0;
}

static void find_sure_depths(ts_features *f)
{
    if (!f->solid)
        for (size_t i = 0; i < f->edge_count; i++)
            f->edge[i].sure = HUGE_VAL; /* there is no inside */
    if (!f->solid || f->edge_count + f->point_count > sure_most)
        return;
    for (size_t i = 0; i < f->edge_count; i++) {
        ts_feature_edge *e = &f->edge[i];
        if (e->radius > 0)
            continue;
        for (size_t j = 0; j < f->edge_count; j++)
            e->lean = fmax(e->lean, j != i ? lean_of(e, &f->edge[j]) : 0);
        for (int end = 0; end < 2 && e->lean > 0; end++)
            if (e->beyond[end] >= 1) {
                e->beyond[end] = beyond_tips;
                f->inner_most = beyond_tips * f->beyond_most;
            }
        /* in an inner angle feet lie beyond the end as well */
        const double tolerance = 10 * f->tolerance;
        const double low = e->beyond[0] >= 1 ? -e->beyond[0] * f->beyond_most - tolerance : tolerance;
        const double high = e->high + (e->beyond[1] >= 1 ? e->beyond[1] * f->beyond_most + tolerance : -tolerance);
        e->sure = HUGE_VAL;
        for (size_t j = 0; j < f->edge_count; j++) {
            const ts_feature_edge *other = &f->edge[j];
            const double lean = j != i ? lean_of(e, other) : 0;
            if (lean > 0) /* from the middle, for feet that are nearer to the other end */
                e->sure = fmin(e->sure, 0.5 * e->high / lean);
            else if (j != i)
                e->sure =
                    fmin(e->sure, other->radius > 0 ? depth_of_circle(e, other->x, other->y, other->radius, low, high)
                                                    : depth_of_line(e, other, low, high, tolerance));
        }
        for (size_t j = 0; j < f->point_count; j++)
            if (f->point[j].radius > 0)
                e->sure =
                    fmin(e->sure, depth_of_circle(e, f->point[j].x, f->point[j].y, f->point[j].radius, low, high));
    }
}

static void measure(ts_features *f)
{
    for (size_t i = 0; i < f->point_count; i++)
        f->thickest = fmax(f->thickest, f->point[i].thickness);
    for (size_t i = 0; i < f->edge_count; i++)
        f->thickest = fmax(f->thickest, f->edge[i].thickness);
}

ts_status ts_features_create(const ts_contour *contour, size_t count, const ts_distance *solid, double scale,
                             ts_features **features, ts_error *error)
{
    *features = NULL;
    ts_features *f = ts_alloc(1, sizeof *f);
    if (!f)
        return ts_fail_memory(error, sizeof *f);
    double size = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < ts_contour_segment_count(&contour[c]); i++) {
            ts_segment s = ts_contour_segment(&contour[c], i);
            ts_vec2 m = ts_segment_middle(&s);
            size = fmax(size, fmax(hypot(s.x0, s.y0), hypot(s.x1, s.y1)));
            /* no point of an arc is farther from its middle than an end is, nor than its diameter */
            if (s.bulge != 0)
                size = fmax(size, hypot(m.x, m.y) + fmin(hypot(s.x0 - m.x, s.y0 - m.y), 2 * ts_segment_arc(&s).radius));
        }
    builder b = {.to = f, .solid = solid, .scale = scale, .size = size};
    f->solid = solid;
    f->scale = scale;
    f->radius = scale * size;
    f->tolerance = rounding * f->radius;
    f->beyond_most = f->inner_most = beyond_most * f->radius;
    segments run = {0};
    ts_status status = TS_OK;
    for (size_t c = 0; c < count && status == TS_OK; c++)
        status = add_contour(&b, &contour[c], &run, error);
    ts_array_free(&run);
    if (status == TS_OK && f->point_count + f->edge_count >= TS_FEATURES_MAX)
        status = ts_fail(error, TS_BAD_INPUT, "an outline has %zu edges and corners; give at most %u",
                         f->point_count + f->edge_count, TS_FEATURES_MAX - 1);
    if (status == TS_OK) {
        measure(f);
        find_sure_depths(f);
        status = ts_feature_grid_create(f, error);
    }
    if (status != TS_OK) {
        ts_features_free(f);
        return status;
    }
    *features = f;
    return TS_OK;
}

/* ---- Shapes of one feature ---- */

static ts_status single(const ts_feature_point *point, const ts_feature_edge *edge, double radius,
                        ts_features **features, ts_error *error)
{
    ts_features *f = ts_alloc(1, sizeof *f);
    *features = NULL;
    if (!f)
        return ts_fail_memory(error, sizeof *f);
    f->point = ts_alloc(1, sizeof *f->point);
    f->edge = ts_alloc(1, sizeof *f->edge);
    if (!f->point || !f->edge) {
        ts_features_free(f);
        return ts_fail_memory(error, sizeof *f->point + sizeof *f->edge);
    }
    if (point)
        f->point[f->point_count++] = *point;
    if (edge)
        f->edge[f->edge_count++] = *edge;
    f->radius = radius;
    f->tolerance = isfinite(radius) ? rounding * radius : 0;
    measure(f);
    *features = f;
    return TS_OK;
}

ts_status ts_features_disc(double radius, ts_features **features, ts_error *error)
{
    return single(
        &(ts_feature_point){.radius = radius, .middle_x = 1, .cosine = -2, .loose = -2, .thickness = 2 * radius}, NULL,
        radius, features, error);
}

ts_status ts_features_half_plane(ts_features **features, ts_error *error)
{
    return single(NULL,
                  &(ts_feature_edge){.tx = -1,
                                     .ny = 1,
                                     .low = -HUGE_VAL,
                                     .high = HUGE_VAL,
                                     .sure = HUGE_VAL,
                                     .thickness = HUGE_VAL,
                                     .corner = {-1, -1},
                                     .inner = {-1, -1}},
                  HUGE_VAL, features, error);
}

ts_status ts_features_hollow(double radius, ts_features **features, ts_error *error)
{
    return single(
        NULL,
        &(ts_feature_edge){
            .tx = 1, .radius = radius, .low = -2, .thickness = HUGE_VAL, .corner = {-1, -1}, .inner = {-1, -1}},
        HUGE_VAL, features, error);
}

void ts_features_free(ts_features *f)
{
    if (!f)
        return;
    ts_feature_grid_free(f->grid);
    ts_free(f->point);
    ts_free(f->edge);
    ts_free(f);
}

size_t ts_features_bytes(const ts_features *f)
{
    return f ? sizeof *f + f->point_count * sizeof *f->point + f->edge_count * sizeof *f->edge +
                   ts_feature_grid_bytes(f->grid)
             : 0;
}
