/* SPDX-License-Identifier: MIT */
#include "scene/overlap.h"

#include <math.h>

#include "scene/generate.h"
#include "shape/segment.h"

/* Points of the boundary are this many of its own sizes apart; of boundaries that are long for their area no more than
 * about POINTS_MAX are taken besides the corners. */
#define SPACING       0.25
#define POINTS_MAX    20000
#define CIRCLE_POINTS 64

/* What is done with a point of a boundary, in world coordinates. */
typedef void point_sink(void *context, ts_vec2 point);

static double perimeter_of(const ts_outline *outline)
{
    double perimeter = 0;
    for (size_t i = 0; i < ts_outline_contour_count(outline); i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        for (size_t k = 0; k < contour.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&contour, k);
            perimeter += ts_segment_length(&s);
        }
    }
    return perimeter;
}

double ts_placed_size(const ts_placed_shape *p)
{
    const ts_shape *shape = p->shape;
    if (!shape->outline) {
        double least = shape->disc[0].radius;
        for (size_t i = 1; i < shape->disc_count; i++)
            least = fmin(least, shape->disc[i].radius);
        return p->scale * least;
    }
    return p->scale * 2 * shape->area / perimeter_of(shape->outline);
}

static ts_vec2 to_world(const ts_placed_shape *p, ts_vec2 local)
{
    return ts_pose2_apply(p->pose, ts_vec2_scale(local, p->scale));
}

/* How far points along the boundary of an outline are apart, at scale 1 [m]. */
static double spacing_of(const ts_shape *shape)
{
    double perimeter = perimeter_of(shape->outline);
    return fmax(SPACING * 2 * shape->area / perimeter, perimeter / POINTS_MAX);
}

static void walk_boundary(const ts_placed_shape *p, point_sink *sink, void *context)
{
    const ts_shape *shape = p->shape;
    for (size_t i = 0; !shape->outline && i < shape->disc_count; i++)
        for (int k = 0; k < CIRCLE_POINTS; k++) {
            double angle = 2 * M_PI * k / CIRCLE_POINTS, r = shape->disc[i].radius;
            sink(context, to_world(p, (ts_vec2){shape->disc[i].x + r * cos(angle), shape->disc[i].y + r * sin(angle)}));
        }
    if (!shape->outline)
        return;
    double spacing = spacing_of(shape);
    for (size_t i = 0; i < ts_outline_contour_count(shape->outline); i++) {
        ts_contour contour = ts_outline_get_contour(shape->outline, i);
        for (size_t k = 0; k < contour.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&contour, k);
            int count = (int)fmax(1, ceil(ts_segment_length(&s) / spacing));
            for (int j = 0; j < count; j++)
                sink(context, to_world(p, ts_segment_point(&s, (double)j / count)));
        }
    }
}

typedef struct depth_probe {
    const ts_placed_shape *in; /* a shape, or */
    const ts_wall *wall;       /* a wall */
    double deepest;
    ts_vec2 at;
} depth_probe;

static double distance_from(const ts_placed_shape *p, ts_vec2 world)
{
    ts_vec2 local = ts_vec2_scale(ts_pose2_apply_inverse(p->pose, world), 1 / p->scale);
    double nearest = HUGE_VAL;
    if (p->shape->outline)
        ts_outline_distance(p->shape->outline, 1, &local.x, &local.y, &nearest, NULL, NULL);
    else
        for (size_t i = 0; i < p->shape->disc_count; i++) {
            const ts_disc *disc = &p->shape->disc[i];
            nearest = fmin(nearest, hypot(local.x - disc->x, local.y - disc->y) - disc->radius);
        }
    return p->scale * nearest;
}

static void probe_point(void *context, ts_vec2 point)
{
    depth_probe *probe = context;
    if (probe->in) { /* most points lie outside of the circle around it */
        double reach = probe->in->scale * probe->in->shape->radius;
        if (hypot(point.x - probe->in->pose.x, point.y - probe->in->pose.y) > reach)
            return;
    }
    double depth = -(probe->in ? distance_from(probe->in, point) : ts_wall_distance(probe->wall, point.x, point.y, 0));
    if (depth > probe->deepest) {
        probe->deepest = depth;
        probe->at = point;
    }
}

double ts_placed_overlap(const ts_placed_shape *a, const ts_placed_shape *b, ts_vec2 *at)
{
    depth_probe probe = {.in = b, .deepest = -HUGE_VAL};
    walk_boundary(a, probe_point, &probe);
    probe.in = a;
    walk_boundary(b, probe_point, &probe);
    *at = probe.at;
    return probe.deepest;
}

typedef struct near_probe {
    const ts_placed_shape *of;
    double least; /* distance that points must keep [m] */
    bool near;
} near_probe;

static void probe_near(void *context, ts_vec2 point)
{
    near_probe *probe = context;
    double reach = probe->of->scale * probe->of->shape->radius + probe->least;
    if (!probe->near && hypot(point.x - probe->of->pose.x, point.y - probe->of->pose.y) < reach)
        probe->near = distance_from(probe->of, point) < probe->least;
}

bool ts_placed_apart(const ts_placed_shape *a, const ts_placed_shape *b, double gap)
{
    if (a->shape->outline && !b->shape->outline)
        return ts_placed_apart(b, a, gap);
    near_probe probe = {.of = b};
    for (size_t i = 0; !a->shape->outline && i < a->shape->disc_count; i++) {
        const ts_disc *disc = &a->shape->disc[i];
        probe.least = a->scale * disc->radius + gap;
        probe_near(&probe, to_world(a, (ts_vec2){disc->x, disc->y}));
    }
    if (!a->shape->outline)
        return !probe.near;
    /* no point of a's boundary is farther than half a spacing from one that is asked; and b is not within a */
    probe.least = 0.5 * a->scale * spacing_of(a->shape) + gap;
    walk_boundary(a, probe_near, &probe);
    near_probe within = {.of = a, .least = gap};
    for (size_t i = 0; i < ts_outline_contour_count(b->shape->outline); i++) {
        const ts_vertex *v = ts_outline_get_contour(b->shape->outline, i).vertex;
        probe_near(&within, to_world(b, (ts_vec2){v->x, v->y}));
    }
    return !probe.near && !within.near;
}

/* Holds a piece of a polyline, in world coordinates, against the body: what is out of its reach is passed over as a
 * whole. */
static void probe_line(const ts_segment *s, double spacing, depth_probe *probe)
{
    ts_vec2 middle = ts_segment_middle(s);
    double length = ts_segment_length(s), reach = probe->in->scale * probe->in->shape->radius;
    if (hypot(middle.x - probe->in->pose.x, middle.y - probe->in->pose.y) - 0.5 * length > reach)
        return;
    if (length > spacing) {
        ts_segment half[2];
        ts_segment_halve(s, half);
        probe_line(&half[0], spacing, probe);
        probe_line(&half[1], spacing, probe);
        return;
    }
    probe_point(probe, (ts_vec2){s->x0, s->y0});
    probe_point(probe, middle);
    probe_point(probe, (ts_vec2){s->x1, s->y1});
}

/* A polyline has no side that is solid: the body lies across it where the line runs through the body. */
static double across(const ts_placed_shape *body, const ts_wall *wall, ts_vec2 *at)
{
    depth_probe probe = {.in = body, .deepest = -HUGE_VAL};
    ts_pose2 frame = {wall->pose.position.x, wall->pose.position.y, atan2(wall->ny, wall->nx)};
    double spacing = SPACING * ts_placed_size(body);
    for (size_t i = 0; i < wall->line_count; i++)
        for (size_t k = 0; k < ts_contour_segment_count(&wall->line[i]); k++) {
            ts_segment s = ts_contour_segment(&wall->line[i], k);
            ts_vec2 p = ts_pose2_apply(frame, (ts_vec2){s.x0, s.y0}), q = ts_pose2_apply(frame, (ts_vec2){s.x1, s.y1});
            probe_line(&(ts_segment){p.x, p.y, q.x, q.y, s.bulge}, spacing, &probe);
        }
    *at = probe.at;
    return probe.deepest;
}

double ts_placed_beyond(const ts_placed_shape *a, const ts_wall *wall, ts_vec2 *at)
{
    if (wall->kind == TS_WALL_POLYLINE)
        return across(a, wall, at);
    depth_probe probe = {.wall = wall, .deepest = -HUGE_VAL};
    walk_boundary(a, probe_point, &probe);
    *at = probe.at;
    return probe.deepest;
}
