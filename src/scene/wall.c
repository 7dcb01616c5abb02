/* SPDX-License-Identifier: MIT */
#include "scene/wall.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/faces.h"

/* Room for contours of `vertex_count` vertices in all: the first one's vertices are the block of all of them. */
static ts_status take_lines(ts_wall *wall, size_t count, size_t vertex_count, ts_vertex **vertex, size_t *bytes,
                            ts_error *error)
{
    wall->line = ts_alloc(count, sizeof *wall->line);
    *vertex = ts_alloc(vertex_count, sizeof **vertex);
    if (!wall->line || !*vertex) {
        ts_free(*vertex);
        return ts_fail_memory(error, count * sizeof *wall->line + vertex_count * sizeof **vertex);
    }
    wall->line[0].vertex = *vertex;
    wall->line_count = count;
    *bytes += count * sizeof *wall->line + vertex_count * sizeof **vertex;
    return TS_OK;
}

void ts_wall_free(ts_wall *wall)
{
    if (wall->line) {
        void *block;
        memcpy(&block, &wall->line[0].vertex, sizeof block); /* it was made here: const only for readers */
        ts_free(block);
    }
    ts_free(wall->line);
    ts_distance_free(wall->reach);
}

static ts_status take_outline(const ts_scene *scene, const ts_wall_def *def, ts_wall *wall, size_t *bytes,
                              ts_error *error)
{
    const ts_outline *outline = scene->shape.item[def->shape].outline;
    ts_vertex *to;
    TS_TRY(take_lines(wall, ts_outline_contour_count(outline), ts_outline_vertex_count(outline), &to, bytes, error));
    ts_rot2 turn = ts_rot2_from_angle(def->angle);
    for (size_t k = 0; k < wall->line_count; k++) {
        ts_contour from = ts_outline_get_contour(outline, k);
        memcpy(to, from.vertex, from.vertex_count * sizeof *to);
        if (def->inside)
            ts_vertices_reverse(to, from.vertex_count);
        for (size_t i = 0; i < from.vertex_count; i++) {
            ts_vec2 p = ts_rot2_apply(turn, (ts_vec2){def->scale * to[i].x, def->scale * to[i].y});
            to[i].x = p.x;
            to[i].y = p.y;
        }
        wall->line[k] = (ts_contour){to, from.vertex_count, false};
        to += from.vertex_count;
    }
    return TS_OK;
}

static ts_status take_polyline(const ts_wall_def *def, ts_wall *wall, size_t *bytes, ts_error *error)
{
    ts_vertex *to;
    TS_TRY(take_lines(wall, 1, def->line.vertex_count, &to, bytes, error));
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < ts_contour_segment_count(&def->line); k++) {
        ts_segment s = ts_contour_segment(&def->line, k);
        double from[2], up[2];
        ts_segment_box(&s, from, up);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], from[axis]);
            high[axis] = fmax(high[axis], up[axis]);
        }
    }
    wall->pose.position.x = 0.5 * (low[0] + high[0]);
    wall->pose.position.y = 0.5 * (low[1] + high[1]);
    for (size_t i = 0; i < def->line.vertex_count; i++)
        to[i] = (ts_vertex){def->line.vertex[i].x - wall->pose.position.x,
                            def->line.vertex[i].y - wall->pose.position.y, def->line.vertex[i].bulge};
    if (def->line.open) /* no edge begins there */
        to[def->line.vertex_count - 1].bulge = 0;
    wall->line[0] = (ts_contour){to, def->line.vertex_count, def->line.open};
    return TS_OK;
}

/* How far the segment gets from the origin. */
static double farthest(const ts_segment *s)
{
    double ends = fmax(hypot(s->x0, s->y0), hypot(s->x1, s->y1));
    if (s->bulge == 0)
        return ends;
    /* the circle's farthest point, if the arc comes by there */
    ts_arc arc = ts_segment_arc(s);
    double from = arc.sweep > 0 ? arc.start : arc.start + arc.sweep;
    double ahead = fmod(atan2(arc.cy, arc.cx) - from, 2 * TS_PI);
    ahead += ahead < 0 ? 2 * TS_PI : 0;
    return ahead <= fabs(arc.sweep) ? fmax(ends, hypot(arc.cx, arc.cy) + arc.radius) : ends;
}

/* Distance and bounding circle of the lines. */
static ts_status measure_lines(ts_wall *wall, size_t *bytes, ts_error *error)
{
    size_t count = 0, at = 0;
    for (size_t k = 0; k < wall->line_count; k++)
        count += ts_contour_segment_count(&wall->line[k]);
    ts_segment *segment;
    TS_TRY(ts_new_raw(&segment, count, error));
    for (size_t k = 0; k < wall->line_count; k++)
        for (size_t i = 0; i < ts_contour_segment_count(&wall->line[k]); i++) {
            segment[at] = ts_contour_segment(&wall->line[k], i);
            double far = farthest(&segment[at]);
            wall->radius = fmax(wall->radius, far);
            at++;
        }
    ts_status status = ts_distance_create(segment, count, &wall->reach, error);
    ts_free(segment);
    TS_TRY(status);
    *bytes += ts_distance_bytes(wall->reach);
    return TS_OK;
}

ts_status ts_wall_set_lines(const ts_scene *scene, const ts_wall_def *def, ts_wall *wall, size_t *bytes,
                            ts_error *error)
{
    wall->nx = 1;
    wall->ny = 0;
    if (def->kind == TS_WALL_OUTLINE)
        TS_TRY(take_outline(scene, def, wall, bytes, error));
    else
        TS_TRY(take_polyline(def, wall, bytes, error));
    return measure_lines(wall, bytes, error);
}
