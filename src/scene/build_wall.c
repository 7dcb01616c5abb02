/* SPDX-License-Identifier: MIT */
/* Adding walls to a scene. */
#include <math.h>

#include "scene/build.h"

/* An edge of a polyline that is shorter than this share of it has a direction made of rounding. */
#define EDGE_SHARE_MIN 1e-12
/* tan(sweep / 4) of an arc that comes back to where it began but for a millionth of a turn. */
#define BULGE_MAX 1e6

/* Numbers that can be computed with, and no edge without a length. */
static ts_status check_polyline(const ts_check *c, const ts_contour *line)
{
    if (!line->vertex || line->vertex_count < 2)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: a polyline has %zu points; give at least 2", c->what,
                          line->vertex ? line->vertex_count : 0);
    if (line->vertex_count > TS_OUTLINE_EDGES_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: a polyline has %zu points; give at most %d", c->what,
                          line->vertex_count, TS_OUTLINE_EDGES_MAX);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < line->vertex_count; i++) {
        const ts_vertex *v = &line->vertex[i];
        TS_TRY(ts_check_vector3(c, "a point of the polyline", (double[3]){v->x, v->y, 0}));
        TS_TRY(ts_check_range(c, "a bulge of the polyline", v->bulge, -BULGE_MAX, BULGE_MAX));
        low[0] = fmin(low[0], v->x);
        low[1] = fmin(low[1], v->y);
        high[0] = fmax(high[0], v->x);
        high[1] = fmax(high[1], v->y);
    }
    double size = fmax(hypot(high[0] - low[0], high[1] - low[1]), fmax(fabs(low[0] + high[0]), fabs(low[1] + high[1])));
    for (size_t i = 0; i < ts_contour_segment_count(line); i++) {
        ts_segment s = ts_contour_segment(line, i);
        if (hypot(s.x1 - s.x0, s.y1 - s.y0) > EDGE_SHARE_MIN * size)
            continue;
        bool back = i + 1 == line->vertex_count;
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: points %zu and %zu of the polyline are the same, (%g, %g); leave one out%s", c->what, i,
                          back ? 0 : i + 1, s.x0, s.y0, back ? ": a closed one goes back to its first by itself" : "");
    }
    return TS_OK;
}

/* A shape as a wall: an outline in the plane, any shape in space. */
static ts_status check_shape(const ts_scene *scene, const ts_check *c, ts_wall_def *def)
{
    TS_TRY(ts_build_scaled(c, scene, def->shape, def->scale));
    TS_TRY(ts_build_turn(c, def->angle, def->attitude));
    const ts_scene_shape *shape = &scene->shape.item[def->shape];
    if (def->kind == TS_WALL_OUTLINE && !shape->outline)
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "%s: its shape \"%.100s\" is made of discs; name one that is an outline, such as a polygon, or "
            "make it a fixed body",
            c->what, shape->name ? shape->name : "");
    return TS_OK;
}

/* Where a flat wall or the axis of a cylinder points to; not given: up. */
static ts_status check_normal(const ts_check *c, const char *field, double normal[3])
{
    const int missing = !!isnan(normal[0]) + !!isnan(normal[1]) + !!isnan(normal[2]);
    if (missing == 3) {
        for (int i = 0; i < 3; i++)
            normal[i] = i == c->in->axes - 1;
    } else if (missing == 3 - c->in->axes && isnan(normal[2])) { /* the rest of a default */
        normal[2] = 0;
    } else if (missing > 0) {
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: a component of the %s is not a number; give all of them, or none: then it points up",
                          c->what, field);
    }
    return ts_build_direction(c, field, normal);
}

static ts_status check_room(const ts_check *c, const ts_wall_def *def)
{
    for (int i = 0; i < 3; i++)
        TS_TRY(ts_check_positive(c, "size", def->size[i]));
    return TS_OK;
}

/* The fields of the wall's kind; others are not looked at. Directions become of unit length. */
static ts_status check_wall(const ts_check *c, const ts_scene *scene, ts_wall_def *def)
{
    switch (def->kind) {
    case TS_WALL_FLAT:
        return check_normal(c, "normal", def->normal);
    case TS_WALL_CIRCLE:
        TS_TRY(ts_build_belongs(c, &ts_in_plane));
        return ts_check_positive(c, "radius", def->radius);
    case TS_WALL_POLYLINE:
        TS_TRY(ts_build_belongs(c, &ts_in_plane));
        return check_polyline(c, &def->line);
    case TS_WALL_OUTLINE:
        TS_TRY(ts_build_belongs(c, &ts_in_plane));
        return check_shape(scene, c, def);
    case TS_WALL_ROOM:
        TS_TRY(ts_build_belongs(c, &ts_in_space));
        return check_room(c, def);
    case TS_WALL_CYLINDER:
        TS_TRY(ts_build_belongs(c, &ts_in_space));
        TS_TRY(check_normal(c, "axis", def->normal));
        TS_TRY(ts_check_positive(c, "radius", def->radius));
        return ts_check_positive(c, "length", def->length);
    case TS_WALL_SOLID:
        TS_TRY(ts_build_belongs(c, &ts_in_space));
        return check_shape(scene, c, def);
    }
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "wall: kind %d is unknown; choose a flat one, %s",
                      (int)def->kind, c->in->walls);
}

ts_status ts_scene_add_wall(ts_scene *scene, const ts_wall_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "wall", error));
    ts_check c = ts_build_check(scene, "wall", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_WALL, "ts_default_wall"));
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(ts_build_vector(&c, "position", def->position));
    ts_scene_wall item = {*def, c.place};
    TS_TRY(check_wall(&c, scene, &item.def));
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->wall, scene->wall.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_status status = TS_OK;
    if (def->kind == TS_WALL_POLYLINE)
        status = ts_build_keep(scene, def->line.vertex, def->line.vertex_count, sizeof *def->line.vertex,
                               &item.def.line.vertex, error);
    else
        item.def.line = (ts_contour){0};
    if (status == TS_OK)
        status = ts_build_text(scene, &item.def.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    ts_build_index(&scene->target_name, item.def.name, TS_NAME_WALL, scene->wall.count, index);
    scene->wall.item[scene->wall.count++] = item;
    return TS_OK;
}
