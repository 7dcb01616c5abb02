/* SPDX-License-Identifier: MIT */
/* Outlines that a few numbers describe. Their contours are clean by construction and are adopted as they are. */
#include "base/given.h"
#include "base/memory.h"
#include "shape/outline.h"

/* A full circle is two half circles: an arc that ends where it begins has no chord to stand on. */
static void put_circle(ts_vertex vertex[2], double radius, double bulge)
{
    vertex[0] = (ts_vertex){radius, 0, bulge};
    vertex[1] = (ts_vertex){-radius, 0, bulge};
}

static ts_status check_length(double length, const char *what, ts_error *error)
{
    if (length > 0 && isfinite(length))
        return TS_OK;
    return ts_fail(error, TS_BAD_INPUT, "%s is %g, but must be positive and finite", what, length);
}

ts_status ts_outline_disc(double radius, ts_outline **outline, ts_error *error)
{
    TS_GIVEN(outline, "disc", error);
    *outline = NULL;
    TS_TRY(check_length(radius, "the radius of a disc", error));
    ts_vertex vertex[2];
    put_circle(vertex, radius, 1);
    return ts_outline_adopt(&(ts_contour){vertex, 2, false}, 1, NULL, 0, outline, error);
}

ts_status ts_outline_ring(double outer, double inner, ts_outline **outline, ts_error *error)
{
    TS_GIVEN(outline, "ring", error);
    *outline = NULL;
    TS_TRY(check_length(outer, "the outer radius of a ring", error));
    TS_TRY(check_length(inner, "the inner radius of a ring", error));
    if (!(inner < outer))
        return ts_fail(error, TS_BAD_INPUT, "the inner radius of a ring is %g, but must be less than the outer one, %g",
                       inner, outer);
    ts_vertex vertex[4];
    put_circle(vertex, outer, 1);
    put_circle(vertex + 2, inner, -1); /* the hole runs clockwise */
    const ts_contour contour[2] = {{vertex, 2, false}, {vertex + 2, 2, false}};
    return ts_outline_adopt(contour, 2, NULL, 0, outline, error);
}

/* A rounded corner, or a sharp one: the arc goes from (x0, y0) to (x1, y1). One that begins where the last one ended,
 * within rounding, goes on from there: a stadium and a disc have no edges without length. */
static size_t put_corner(ts_vertex *vertex, size_t count, const double p[4], double speck)
{
    const double quarter = sqrt(2) - 1; /* tan(π/8) */
    bool joined = count > 0 && hypot(vertex[count - 1].x - p[0], vertex[count - 1].y - p[1]) <= speck;
    if (hypot(p[2] - p[0], p[3] - p[1]) <= speck) {
        vertex[count++] = (ts_vertex){p[0], p[1], 0};
        return count;
    }
    if (joined)
        count--;
    vertex[count++] = (ts_vertex){p[0], p[1], quarter};
    vertex[count++] = (ts_vertex){p[2], p[3], 0};
    return count;
}

ts_status ts_outline_box(double width, double height, double corner, ts_outline **outline, ts_error *error)
{
    TS_GIVEN(outline, "box", error);
    *outline = NULL;
    TS_TRY(check_length(width, "the width of a box", error));
    TS_TRY(check_length(height, "the height of a box", error));
    double x = 0.5 * width, y = 0.5 * height, c = corner;
    if (!(c >= 0) || !(c <= fmin(x, y)))
        return ts_fail(error, TS_BAD_INPUT,
                       "the corner radius of a box is %g, but must lie between 0 and half of the shorter side, %g",
                       corner, fmin(x, y));
    ts_vertex vertex[8];
    const double p[4][4] = {{x, y - c, x - c, y}, {c - x, y, -x, y - c}, {-x, c - y, c - x, -y}, {x - c, -y, x, c - y}};
    size_t count = 0;
    double speck = 1e-14 * fmin(x, y);
    for (int i = 0; i < 4; i++)
        count = put_corner(vertex, count, p[i], speck);
    /* the last corner may end where the first one began */
    if (count > 4 && hypot(vertex[count - 1].x - vertex[0].x, vertex[count - 1].y - vertex[0].y) <= speck)
        count--;
    return ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, outline, error);
}

ts_status ts_outline_regular(size_t sides, double radius, ts_outline **outline, ts_error *error)
{
    TS_GIVEN(outline, "regular polygon", error);
    *outline = NULL;
    TS_TRY(check_length(radius, "the radius of a regular polygon", error));
    if (sides < 3 || sides > TS_OUTLINE_EDGES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a regular polygon has %zu sides, but must have 3 to %d", sides,
                       TS_OUTLINE_EDGES_MAX);
    TS_AUTO_FREE ts_vertex *vertex = NULL;
    TS_TRY(ts_new_raw(&vertex, sides, error));
    for (size_t i = 0; i < sides; i++) {
        double angle = 2 * TS_PI * (double)i / (double)sides;
        vertex[i] = (ts_vertex){radius * cos(angle), radius * sin(angle), 0};
    }
    return ts_outline_adopt(&(ts_contour){vertex, sides, false}, 1, NULL, 0, outline, error);
}

/* Vertices of an arc about the origin from angle `from` to `to` without its end; beyond a half turn it is cut in two,
 * which keeps bulges moderate. */
static size_t put_arc(ts_vertex *vertex, size_t count, double radius, double from, double to)
{
    int pieces = fabs(to - from) > TS_PI ? 2 : 1;
    double bulge = tan((to - from) / (4 * pieces));
    for (int i = 0; i < pieces; i++) {
        double angle = from + (to - from) * i / pieces;
        vertex[count++] = (ts_vertex){radius * cos(angle), radius * sin(angle), bulge};
    }
    return count;
}

static ts_status check_bent_bar(double radius, double thickness, double angle, bool round_ends, ts_error *error)
{
    TS_TRY(check_length(radius, "the radius of a bent bar", error));
    TS_TRY(check_length(thickness, "the thickness of a bent bar", error));
    if (!(0.5 * thickness < radius))
        return ts_fail(error, TS_BAD_INPUT,
                       "a bent bar is %g thick, but must be thinner than twice the radius of its middle line, %g",
                       thickness, 2 * radius);
    if (!(angle > 0) || !(angle < 2 * TS_PI))
        return ts_fail(
            error, TS_BAD_INPUT,
            "a bent bar spans %g rad, but must span more than 0 and less than a full turn; for a full turn use a "
            "ring",
            angle);
    /* the way between the ends: from cap to cap, or between the inner corners of square ends */
    double opening = 2 * sin(fmax(TS_PI - 0.5 * angle, 0));
    double gap = round_ends ? radius * opening - thickness : (radius - 0.5 * thickness) * opening;
    if (angle > TS_PI && !(gap > 1e-12 * radius))
        return ts_fail(
            error, TS_BAD_INPUT,
            "the ends of a bent bar of radius %g, thickness %g and angle %g rad meet; make it thinner or shorter",
            radius, thickness, angle);
    return TS_OK;
}

ts_status ts_outline_arc(double radius, double thickness, double angle, bool round_ends, ts_outline **outline,
                         ts_error *error)
{
    TS_GIVEN(outline, "bent bar", error);
    *outline = NULL;
    TS_TRY(check_bent_bar(radius, thickness, angle, round_ends, error));
    ts_vertex vertex[6];
    double outer = radius + 0.5 * thickness, inner = radius - 0.5 * thickness, half = 0.5 * angle;
    double cap = round_ends ? 1 : 0;
    size_t count = put_arc(vertex, 0, outer, -half, half);
    vertex[count++] = (ts_vertex){outer * cos(half), outer * sin(half), cap};
    count = put_arc(vertex, count, inner, half, -half);
    vertex[count++] = (ts_vertex){inner * cos(half), -inner * sin(half), cap};
    return ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, outline, error);
}
