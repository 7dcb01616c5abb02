/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "cspace/wall.h"
#include "shape/outline.h"

static ts_status check_piece(double length, double bulge, double thickness, ts_error *error)
{
    if (!(length > 0 && isfinite(length)))
        return ts_fail(error, TS_BAD_INPUT, "the edge of a wall is %g m long, but must be of positive, finite length",
                       length);
    if (!(thickness > 0 && isfinite(thickness)))
        return ts_fail(error, TS_BAD_INPUT, "a wall is %g m thick, but its thickness must be positive and finite",
                       thickness);
    if (!isfinite(bulge))
        return ts_fail(error, TS_BAD_INPUT, "the edge of a wall has the bulge %g, but it must be finite; 0 for a line",
                       bulge);
    double radius = bulge < 0 ? length * (1 + bulge * bulge) / (-4 * bulge) : HUGE_VAL;
    if (!(thickness < radius))
        return ts_fail(error, TS_BAD_INPUT,
                       "a wall is %g m thick, but bulges out with a radius of %g m; make it thinner than that",
                       thickness, radius);
    return TS_OK;
}

/* An edge without its end; beyond a half turn it is cut in two, which keeps bulges moderate. */
static size_t put_arc(ts_vertex *vertex, size_t count, const ts_segment *s)
{
    if (fabs(s->bulge) <= 1) {
        vertex[count++] = (ts_vertex){s->x0, s->y0, s->bulge};
        return count;
    }
    ts_segment half[2];
    ts_segment_halve(s, half);
    for (int i = 0; i < 2; i++)
        vertex[count++] = (ts_vertex){half[i].x0, half[i].y0, half[i].bulge};
    return count;
}

ts_status ts_wall_piece(double length, double bulge, double thickness, ts_outline **outline, double centre[2],
                        ts_error *error)
{
    *outline = NULL;
    TS_TRY(check_piece(length, bulge, thickness, error));
    /* the back of an arc has the same centre, and so the same bulge; its ends lie behind those of the front, across the
     * tangent */
    ts_segment front = {-0.5 * length, 0, 0.5 * length, 0, bulge};
    ts_vec2 begin = ts_segment_tangent(&front, 0), end = ts_segment_tangent(&front, 1);
    ts_segment back = {front.x0 + thickness * begin.y, front.y0 - thickness * begin.x, front.x1 + thickness * end.y,
                       front.y1 - thickness * end.x, bulge};
    ts_segment forth = {front.x1, front.y1, front.x0, front.y0, -bulge};
    ts_vertex vertex[6];
    size_t count = put_arc(vertex, 0, &back);
    vertex[count++] = (ts_vertex){back.x1, back.y1, 0};
    count = put_arc(vertex, count, &forth);
    vertex[count++] = (ts_vertex){front.x0, front.y0, 0};
    TS_TRY(ts_outline_adopt(&(ts_contour){vertex, count, false}, 1, NULL, 0, outline, error));
    ts_outline_mass mass = ts_outline_get_mass(*outline);
    centre[0] = mass.centre[0];
    centre[1] = mass.centre[1];
    return TS_OK;
}
