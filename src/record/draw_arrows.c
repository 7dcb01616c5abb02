/* SPDX-License-Identifier: MIT */
#include "record/draw_arrows.h"

#include <math.h>

#include "shape/hull.h"

enum { CORNERS = 24 };

/* Shares of the shaft's width: radius of the dot at the foot, radius and length of the head. */
static const double dot_radius = 1.05, head_radius = 1.5, head_length = 4;
/* The head is at most this share of an arrow, and shrinks with it. */
static const double head_share = 0.6;

/* A cone of height 1 about z, from z = 0. */
static ts_status make_cone(ts_hull **cone, ts_error *error)
{
    ts_vec3 corner[CORNERS + 1] = {{0, 0, 1}};
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2 * TS_PI * i / CORNERS, radius = head_radius / head_length;
        corner[i + 1] = (ts_vec3){radius * cos(angle), radius * sin(angle), 0};
    }
    return ts_hull_create(corner, CORNERS + 1, cone, error);
}

ts_status ts_arrows_reserve(ts_arrows *arrows, size_t count, ts_error *error)
{
    if (!arrows->cone)
        TS_TRY(make_cone(&arrows->cone, error));
    arrows->dot = (ts_solid){.kind = TS_SOLID_SPHERE, .radius = 1};
    arrows->head = (ts_solid){.kind = TS_SOLID_HULL, .hull = arrows->cone};
    arrows->shaft.count = 0;
    return ts_array_reserve(&arrows->shaft, count, error);
}

/* From z to the unit vector `way` the short way. */
static ts_quat turn_to(ts_vec3 way)
{
    const ts_vec3 axis = ts_vec3_cross((ts_vec3){0, 0, 1}, way);
    if (ts_vec3_length(axis) < 1e-12)
        return ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, way.z > 0 ? 0 : TS_PI);
    return ts_quat_from_axis_angle(axis, atan2(ts_vec3_length(axis), way.z));
}

/* `way`: unit; `like` has the colour. */
static ts_status add_shaft(ts_arrows *arrows, ts_vec3 from, ts_vec3 way, double length, double width, ts_thing like,
                           ts_thing_array *things, ts_error *error)
{
    ts_solid *shaft = &arrows->shaft.item[arrows->shaft.count++];
    *shaft = (ts_solid){.kind = TS_SOLID_CAPSULE, .radius = 0.5 * width, .half_length = 0.5 * length};
    like.scale = 1;
    like.solid = shaft;
    like.pose = (ts_pose3){ts_vec3_add_scaled(from, way, 0.5 * length), turn_to(way)};
    return ts_array_push(things, like, error);
}

static bool has_room(const ts_arrows *arrows)
{
    return arrows->shaft.count < arrows->shaft.capacity;
}

ts_status ts_arrows_line(ts_arrows *arrows, ts_vec3 from, ts_vec3 to, double width, ts_colour colour,
                         ts_thing_array *things, ts_error *error)
{
    const double length = ts_vec3_distance(from, to);
    if (!(length > 0) || !isfinite(length) || !has_room(arrows))
        return TS_OK;
    return add_shaft(arrows, from, ts_vec3_unit(ts_vec3_sub(to, from)), length, width, (ts_thing){.colour = colour},
                     things, error);
}

ts_status ts_arrows_add(ts_arrows *arrows, const ts_arrow *arrow, ts_thing_array *things, ts_error *error)
{
    const double length = ts_vec3_length(arrow->way);
    ts_thing like = {.pose = {arrow->from, ts_quat_identity()}, .colour = arrow->colour};
    if (!ts_vec3_is_finite(arrow->from) || !isfinite(length) || !(arrow->width > 0))
        return TS_OK;
    like.solid = &arrows->dot;
    like.scale = dot_radius * arrow->width;
    TS_TRY(ts_array_push(things, like, error));
    if (!(length > 0) || !has_room(arrows))
        return TS_OK;
    const ts_vec3 way = ts_vec3_scale(arrow->way, 1 / length);
    const double head = fmin(head_length * arrow->width, head_share * length);
    TS_TRY(add_shaft(arrows, arrow->from, way, length - head, arrow->width, like, things, error));
    like.solid = &arrows->head;
    like.scale = head;
    like.pose = (ts_pose3){ts_vec3_add_scaled(arrow->from, way, length - head), turn_to(way)};
    return ts_array_push(things, like, error);
}

void ts_arrows_release(ts_arrows *arrows)
{
    ts_array_free(&arrows->shaft);
    ts_hull_free(arrows->cone);
    arrows->cone = NULL;
}
