/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <string.h>

#include "shape/svg.h"

/* Radii that differ by less, of their size, or from a right angle, are a circle's: files have rounded matrices. */
#define ROUND 1e-9
/* A coordinate beyond this cannot be computed with. */
#define COORDINATE_MAX 1e150

static ts_vec2 map_vector(const ts_svg_pen *pen, ts_vec2 v)
{
    return (ts_vec2){pen->matrix.a * v.x + pen->matrix.c * v.y, pen->matrix.b * v.x + pen->matrix.d * v.y};
}

static ts_vec2 map_point(const ts_svg_pen *pen, ts_vec2 p)
{
    ts_vec2 v = map_vector(pen, p);
    return (ts_vec2){v.x + pen->matrix.e, v.y + pen->matrix.f};
}

static ts_status check(ts_vec2 p, ts_error *error)
{
    if (fabs(p.x) <= COORDINATE_MAX && fabs(p.y) <= COORDINATE_MAX)
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "a point comes to lie at (%g, %g); keep coordinates below %g", p.x, p.y,
                   COORDINATE_MAX);
}

ts_status ts_svg_move(ts_svg_pen *pen, ts_vec2 to, ts_error *error)
{
    ts_vec2 p = map_point(pen, to);
    TS_TRY(check(p, error));
    pen->at = pen->start = to;
    return ts_path_move(pen->path, p, error);
}

ts_status ts_svg_line(ts_svg_pen *pen, ts_vec2 to, ts_error *error)
{
    ts_vec2 p = map_point(pen, to);
    TS_TRY(check(p, error));
    pen->at = to;
    return ts_path_line(pen->path, p, error);
}

ts_status ts_svg_cubic(ts_svg_pen *pen, ts_vec2 control0, ts_vec2 control1, ts_vec2 to, ts_error *error)
{
    ts_vec2 p[3] = {map_point(pen, control0), map_point(pen, control1), map_point(pen, to)};
    for (int i = 0; i < 3; i++)
        TS_TRY(check(p[i], error));
    pen->at = to;
    return ts_path_cubic(pen->path, p[0], p[1], p[2], error);
}

ts_status ts_svg_quadratic(ts_svg_pen *pen, ts_vec2 control, ts_vec2 to, ts_error *error)
{
    ts_vec2 p[2] = {map_point(pen, control), map_point(pen, to)};
    for (int i = 0; i < 2; i++)
        TS_TRY(check(p[i], error));
    pen->at = to;
    return ts_path_quadratic(pen->path, p[0], p[1], error);
}

/* cos and sin where a multiple of a quarter turn is exact. */
static ts_rot2 rotation(double angle)
{
    ts_rot2 r = {cos(angle), sin(angle)};
    if (fabs(r.c) < 1e-15)
        return (ts_rot2){0, copysign(1, r.s)};
    if (fabs(r.s) < 1e-15)
        return (ts_rot2){copysign(1, r.c), 0};
    return r;
}

ts_status ts_svg_conic(ts_svg_pen *pen, ts_vec2 centre, ts_vec2 v, double sweep, ts_vec2 to, ts_error *error)
{
    ts_vec2 c = map_point(pen, centre), end = map_point(pen, to);
    ts_vec2 s = map_vector(pen, v), u = map_vector(pen, ts_vec2_sub(pen->at, centre));
    double size = fmax(ts_vec2_length(u), ts_vec2_length(s));
    TS_TRY(check(c, error));
    TS_TRY(check(end, error));
    TS_TRY(check(u, error));
    TS_TRY(check(s, error));
    bool round =
        fabs(ts_vec2_length(u) - ts_vec2_length(s)) <= ROUND * size && fabs(ts_vec2_dot(u, s)) <= ROUND * size * size;
    /* half turns of a circle; quarters of an ellipse, between which its curvature changes one way */
    double most = round ? TS_PI : 0.5 * TS_PI;
    int count = (int)ceil(fabs(sweep) / most - 1e-9);
    count = count < 1 ? 1 : count;
    double step = sweep / count;
    double bulge = fabs(fabs(step) - TS_PI) < 1e-15 ? copysign(1, step) : tan(step / 4);
    bulge = ts_vec2_cross(u, s) < 0 ? -bulge : bulge;
    for (int i = 1; i <= count; i++) {
        ts_rot2 r = rotation(step * i), q = rotation(step * (i - 1));
        ts_vec2 p = i == count ? end : ts_vec2_add_scaled(ts_vec2_add_scaled(c, u, r.c), s, r.s);
        ts_vec2 quarter = ts_vec2_add_scaled(ts_vec2_scale(u, -q.s), s, q.c);
        TS_TRY(round ? ts_path_arc(pen->path, bulge, p, error)
                     : ts_path_ellipse(pen->path, c, quarter, step, p, error));
    }
    pen->at = to;
    return TS_OK;
}

/* Decimals of a number that is good to `grain`, counted from the decade `unit` (a power of ten); 10 for more than 9:
 * not rounded by a program. */
static int decimals(double x, double unit, double grain)
{
    double scaled = fabs(x) / unit, off = grain / unit;
    for (int count = 0; count < 10; count++) {
        if (fabs(scaled - nearbyint(scaled)) <= off)
            return count;
        scaled *= 10;
        off *= 10;
    }
    return 10;
}

/* By how much of its radii an arc's chord may fall short of a diameter and still be meant as one.
 *
 * The centre lies as far from the chord as the square root of that: a circle of two half arcs, written with 6 digits,
 * would have its centres apart by a 500th of its radius, and with all 16 digits by 1e-8 of it. So a half circle it is
 * when the digits do not tell: those of doubles, or, when all numbers are rounded to few decimals, half of the last
 * decimal of each end and radius. A shortfall that 5 digits would show is always taken at its word. */
static double half_circle_slack(const ts_svg_pen *pen, ts_svg_arc arc, ts_vec2 to)
{
    double least = fmin(fabs(arc.rx), fabs(arc.ry)), unit = pow(10, floor(log10(least)));
    double far = fmax(fmax(fabs(pen->at.x), fabs(pen->at.y)), fmax(fabs(to.x), fabs(to.y)));
    double grain = 64 * DBL_EPSILON * fmax(far, least), slack = 1e-12 + grain / least; /* relative commands add up */
    const double number[] = {arc.rx, arc.ry, pen->at.x, pen->at.y, to.x, to.y};
    int most = 0;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        int count = decimals(number[i], unit, grain);
        most = count > most ? count : most;
    }
    if (most < 10)
        slack = fmax(slack, 1.25 * pow(10, -most) * unit / least);
    return fmin(slack, 2e-5);
}

/* Centre and angles from end points and flags, as the appendix of SVG works them out: in a frame where the ellipse is
 * the unit circle. */
ts_status ts_svg_arc_to(ts_svg_pen *pen, ts_svg_arc arc, ts_vec2 to, ts_error *error)
{
    double rx = fabs(arc.rx), ry = fabs(arc.ry);
    ts_vec2 half = ts_vec2_scale(ts_vec2_sub(pen->at, to), 0.5);
    if (half.x == 0 && half.y == 0)
        return TS_OK;
    if (!(rx > 0) || !(ry > 0))
        return ts_svg_line(pen, to, error);
    double angle = remainder(arc.turn, 360) * (TS_PI / 180);
    ts_rot2 turn = {cos(angle), sin(angle)};
    ts_vec2 h = ts_rot2_apply_inverse(turn, half);
    double grow = hypot(h.x / rx, h.y / ry);
    bool half_circle = grow >= 1 - half_circle_slack(pen, arc, to);
    if (half_circle) { /* too small to reach: as large as need be; or just so */
        rx *= grow;
        ry *= grow;
    }
    ts_vec2 p = {h.x / rx, h.y / ry}; /* the start; the end is -p; the centre lies across, at k */
    double square = fmin(1, ts_vec2_length_squared(p));
    if (!(square > 1e-16))
        return ts_svg_line(pen, to, error); /* a chord that is nothing against the radius: flat to 1e-9 of it */
    double k = half_circle ? 0 : sqrt((1 - square) / square);
    ts_vec2 m = ts_vec2_scale(ts_vec2_perp(p), arc.large == arc.positive ? 1 : -1);
    m = ts_vec2_scale(m, k);
    ts_vec2 from = ts_vec2_sub(p, m); /* unit vectors from the centre */
    double sweep = 2 * atan2(1, k);   /* the smaller one: half of it has tangent 1 / k */
    sweep = arc.large ? 2 * TS_PI - sweep : sweep;
    sweep = arc.positive ? sweep : -sweep;
    ts_vec2 middle = ts_vec2_scale(ts_vec2_add(pen->at, to), 0.5);
    ts_vec2 centre = ts_vec2_add(middle, ts_rot2_apply(turn, (ts_vec2){rx * m.x, ry * m.y}));
    ts_vec2 v = ts_rot2_apply(turn, (ts_vec2){-rx * from.y, ry * from.x});
    return ts_svg_conic(pen, centre, v, sweep, to, error);
}

ts_status ts_svg_close(ts_svg_pen *pen, ts_error *error)
{
    pen->at = pen->start;
    return ts_path_close(pen->path, error);
}

/* ---- Basic shapes ---- */

typedef struct shape {
    const ts_svg_tree *tree;
    const ts_svg_node *node;
    const double *view;
    ts_svg_pen *pen;
} shape;

static ts_status read_length(const shape *s, const char *attribute, double *value, ts_error *error)
{
    bool across = strchr(attribute, 'x') || strcmp(attribute, "width") == 0;
    double whole = across ? s->view[0] : s->view[1];
    if (strcmp(attribute, "r") == 0)
        whole = sqrt((s->view[0] * s->view[0] + s->view[1] * s->view[1]) / 2);
    return ts_svg_length(s->tree, s->node, attribute, whole, value, error);
}

/* A length that may not be negative; NAN stays: not given. */
static ts_status read_size(const shape *s, const char *attribute, double *value, ts_error *error)
{
    TS_TRY(read_length(s, attribute, value, error));
    if (*value < 0)
        return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(s->tree, s->node),
                          "\"%s\" of <%s> is negative, %g; give a positive length", attribute, s->node->tag, *value);
    return TS_OK;
}

static ts_status draw_ellipse(const shape *s, ts_vec2 centre, double rx, double ry, ts_error *error)
{
    ts_vec2 start = {centre.x + rx, centre.y};
    TS_TRY(ts_svg_move(s->pen, start, error));
    TS_TRY(ts_svg_conic(s->pen, centre, (ts_vec2){0, ry}, 2 * TS_PI, start, error));
    return ts_svg_close(s->pen, error);
}

static ts_status draw_round(const shape *s, bool *empty, ts_error *error)
{
    double x = 0, y = 0, rx = (double)NAN, ry = (double)NAN;
    TS_TRY(read_length(s, "cx", &x, error));
    TS_TRY(read_length(s, "cy", &y, error));
    if (s->node->kind == TS_SVG_CIRCLE) {
        TS_TRY(read_size(s, "r", &rx, error));
        ry = rx;
    } else {
        TS_TRY(read_size(s, "rx", &rx, error));
        TS_TRY(read_size(s, "ry", &ry, error));
        rx = isnan(rx) ? ry : rx;
        ry = isnan(ry) ? rx : ry;
    }
    *empty = !(rx > 0) || !(ry > 0);
    return *empty ? TS_OK : draw_ellipse(s, (ts_vec2){x, y}, rx, ry, error);
}

static ts_status draw_rect(const shape *s, bool *empty, ts_error *error)
{
    double x = 0, y = 0, w = 0, h = 0, rx = (double)NAN, ry = (double)NAN;
    TS_TRY(read_length(s, "x", &x, error));
    TS_TRY(read_length(s, "y", &y, error));
    TS_TRY(read_size(s, "width", &w, error));
    TS_TRY(read_size(s, "height", &h, error));
    TS_TRY(read_size(s, "rx", &rx, error));
    TS_TRY(read_size(s, "ry", &ry, error));
    *empty = !(w > 0) || !(h > 0);
    if (*empty)
        return TS_OK;
    rx = isnan(rx) ? ry : rx;
    ry = isnan(ry) ? rx : ry;
    rx = rx > 0 && ry > 0 ? fmin(rx, w / 2) : 0;
    ry = rx > 0 ? fmin(ry, h / 2) : 0;

    /* from the top edge round by the right: each edge, and the corner after it */
    const ts_vec2 corner[4] = {{x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}};
    const ts_vec2 along[4] = {{rx, 0}, {0, ry}, {-rx, 0}, {0, -ry}}; /* by which an edge ends before its corner */
    ts_svg_pen *pen = s->pen;
    TS_TRY(ts_svg_move(pen, ts_vec2_add(corner[3], along[0]), error));
    for (int i = 0; i < 4; i++) {
        ts_vec2 before = ts_vec2_sub(corner[i], along[i]), after = ts_vec2_add(corner[i], along[(i + 1) % 4]);
        if (i < 3 || rx > 0)
            TS_TRY(ts_svg_line(pen, before, error));
        if (rx > 0)
            TS_TRY(ts_svg_conic(pen, ts_vec2_add(before, along[(i + 1) % 4]), along[i], 0.5 * TS_PI, after, error));
    }
    return ts_svg_close(pen, error);
}

static ts_status draw_points(const shape *s, bool *empty, ts_error *error)
{
    ts_svg_scan scan;
    size_t count = 0;
    if (ts_svg_scan_open(&scan, s->tree, s->node, "points") && strcmp(scan.text, "none") == 0)
        scan.at = scan.length;
    for (ts_svg_skip(&scan, false); !ts_svg_at_end(&scan); count++) {
        ts_vec2 p;
        TS_TRY(ts_svg_number(&scan, &p.x, error));
        ts_svg_skip(&scan, true);
        if (ts_svg_at_end(&scan))
            return ts_fail_at(error, TS_BAD_INPUT, ts_svg_node_place(s->tree, s->node),
                              "\"points\" of <%s> has an x without a y at its end; give pairs", s->node->tag);
        TS_TRY(ts_svg_number(&scan, &p.y, error));
        ts_svg_skip(&scan, true);
        TS_TRY(count == 0 ? ts_svg_move(s->pen, p, error) : ts_svg_line(s->pen, p, error));
    }
    *empty = count < 3;
    return count > 0 && s->node->kind == TS_SVG_POLYGON ? ts_svg_close(s->pen, error) : TS_OK;
}

ts_status ts_svg_basic_shape(const ts_svg_tree *tree, const ts_svg_node *node, const double view[2], ts_svg_pen *pen,
                             bool *empty, ts_error *error)
{
    shape s = {tree, node, view, pen};
    *empty = true;
    switch (node->kind) {
    case TS_SVG_RECT:
        return draw_rect(&s, empty, error);
    case TS_SVG_CIRCLE:
    case TS_SVG_ELLIPSE:
        return draw_round(&s, empty, error);
    case TS_SVG_POLYGON:
    case TS_SVG_POLYLINE:
        return draw_points(&s, empty, error);
    default:
        return TS_OK;
    }
}
