/* SPDX-License-Identifier: MIT */
/* One edge of an outline: a line or a circular arc, as two end points and a bulge (touchstone/shape.h).
 *
 * The bulge survives every similarity unchanged (a mirror changes its sign), costs one number, and is exactly 0 for a
 * line. Where centre and radius are wanted they are worked out from it; nothing is stored twice. A nearly flat arc has
 * its centre far away, and whatever goes through there loses its digits: points, halves and areas are worked out from
 * the chord. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "base/vec.h"
#include "touchstone/shape.h"

typedef struct ts_segment {
    double x0, y0; /* begin */
    double x1, y1; /* end */
    double bulge;  /* tan(sweep / 4); 0: a line */
} ts_segment;

/* An arc seen from its centre: angle(t) = start + t · sweep, t in [0, 1]. */
typedef struct ts_arc {
    double cx, cy;
    double radius; /* positive */
    double start;  /* [rad] */
    double sweep;  /* [rad], positive: counter-clockwise, within ±2π */
} ts_arc;

/* The segment from p to q. */
static inline ts_segment ts_segment_between(const ts_vertex *p, const ts_vertex *q)
{
    return (ts_segment){p->x, p->y, q->x, q->y, p->bulge};
}

/* Edge i of a contour (n edges when closed, n - 1 when open). */
static inline ts_segment ts_contour_segment(const ts_contour *contour, size_t i)
{
    return ts_segment_between(&contour->vertex[i], &contour->vertex[i + 1 < contour->vertex_count ? i + 1 : 0]);
}

static inline size_t ts_contour_segment_count(const ts_contour *contour)
{
    return contour->open && contour->vertex_count > 0 ? contour->vertex_count - 1 : contour->vertex_count;
}

/* Only for a bulge that is not 0. The centre lies on the left of the chord for small positive bulges. */
static inline ts_arc ts_segment_arc(const ts_segment *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, b = s->bulge;
    double k = (1 - b * b) / (4 * b); /* centre = middle of the chord + k · (chord turned left) */
    ts_arc arc = {.cx = 0.5 * (s->x0 + s->x1) - k * dy, .cy = 0.5 * (s->y0 + s->y1) + k * dx};
    arc.radius = sqrt(dx * dx + dy * dy) * (1 + b * b) / (4 * fabs(b));
    arc.start = atan2(s->y0 - arc.cy, s->x0 - arc.cx);
    arc.sweep = 4 * atan(b);
    return arc;
}

/* The point at parameter t in [0, 1]; the ends come out exactly. Between them p + (q - p) turned by (t - 1) sweep / 2
 * and scaled by sin(t sweep / 2) / sin(sweep / 2): no detour over the centre. */
static inline ts_vec2 ts_segment_point(const ts_segment *s, double t)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, half = 2 * atan(s->bulge);
    if (t <= 0)
        return (ts_vec2){s->x0, s->y0};
    if (t >= 1)
        return (ts_vec2){s->x1, s->y1};
    if (s->bulge == 0)
        return (ts_vec2){s->x0 + t * dx, s->y0 + t * dy};
    double scale = fabs(half) < 1e-8 ? t : sin(t * half) * 0.5 * (1 / s->bulge + s->bulge);
    double c = scale * cos((t - 1) * half), q = scale * sin((t - 1) * half);
    return (ts_vec2){s->x0 + c * dx - q * dy, s->y0 + q * dx + c * dy};
}

/* The point at t = ½: the same to the bit when the segment is run through backward. */
static inline ts_vec2 ts_segment_middle(const ts_segment *s)
{
    return (ts_vec2){0.5 * (s->x0 + s->x1) + 0.5 * s->bulge * (s->y1 - s->y0),
                     0.5 * (s->y0 + s->y1) - 0.5 * s->bulge * (s->x1 - s->x0)};
}

/* The bulge of half an arc: tan(sweep / 8). */
static inline double ts_bulge_half(double bulge)
{
    return bulge / (1 + hypot(1, bulge));
}

/* Both halves. */
static inline void ts_segment_halve(const ts_segment *s, ts_segment half[2])
{
    ts_vec2 m = ts_segment_middle(s);
    double bulge = ts_bulge_half(s->bulge);
    half[0] = (ts_segment){s->x0, s->y0, m.x, m.y, bulge};
    half[1] = (ts_segment){m.x, m.y, s->x1, s->y1, bulge};
}

/* Up to this bulge power series, above it closed forms (of areas and moments of the cap between chord and arc). There a
 * closed form loses one digit at most, and the series ends after 30 terms. */
#define TS_BULGE_SERIES 0.5
/* Terms after which bulge²ᵏ is below rounding. */
int ts_bulge_series_terms(double bulge);

/* Area of the cap between chord and arc, for a chord of length 2: a cap over chord c has c²/4 times as much. With the
 * sign of the bulge: a dent takes away what a cap adds. */
double ts_bulge_area(double bulge);

/* Signed area of the cap: what the arc adds to the left of its chord. */
static inline double ts_segment_cap_area(const ts_segment *s)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0;
    return s->bulge == 0 ? 0 : 0.25 * (dx * dx + dy * dy) * ts_bulge_area(s->bulge);
}

/* Length along the segment: chord · (sweep/2) / sin(sweep/2), without the centre of a flat arc. */
static inline double ts_segment_length(const ts_segment *s)
{
    double chord = hypot(s->x1 - s->x0, s->y1 - s->y0), b = s->bulge;
    return b == 0 ? chord : chord * (1 + b * b) * (atan(b) / b);
}

/* A closed contour run through the other way, in place: left becomes right. */
void ts_vertices_reverse(ts_vertex *vertex, size_t count);

/* Unit tangent, in the direction of travel, at the begin (t = 0), the end (1) or between. (0, 0) for a point. */
static inline ts_vec2 ts_segment_tangent(const ts_segment *s, double t)
{
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0))
        return (ts_vec2){0, 0};
    /* the tangent turns evenly from -sweep/2 to +sweep/2 relative to the chord */
    double turn = (2 * t - 1) * 2 * atan(s->bulge), c = cos(turn), q = sin(turn);
    return (ts_vec2){(c * dx - q * dy) / length, (q * dx + c * dy) / length};
}
