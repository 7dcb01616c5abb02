/* SPDX-License-Identifier: MIT */
/* Adding things to a scene; shapes and generators are in build_shape.c and build_generator.c, bodies in space in
 * build_space.c. Each call checks everything
 * first, then makes room for everything, and only then changes the scene, so that a failure of any kind leaves it as it
 * was. */
#include "scene/build.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"

#define NAME_LENGTH_MAX 255
/* An edge of a polyline that is shorter than this share of it has a direction made of rounding. */
#define EDGE_SHARE_MIN 1e-12
/* tan(sweep / 4) of an arc that comes back to where it began but for a millionth of a turn. */
#define BULGE_MAX 1e6

ts_status ts_build_arguments(const void *scene, const void *def, const char *what, ts_error *error)
{
    if (!scene || !def)
        return ts_fail(error, TS_BAD_INPUT, "%s: scene or definition is NULL; pass both", what);
    return TS_OK;
}

ts_status ts_build_belongs(const ts_check *c, const ts_scene *scene, bool of_space)
{
    if (scene->is_space == of_space)
        return TS_OK;
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      of_space
                          ? "%s: it is one of space, but the scene is of the plane; call ts_scene_set_space first"
                          : "%s: it is one of the plane, but the scene is of space; add what touchstone/space.h has",
                      c->what);
}

/* ---- Names ---- */

/* Whether a new thing may have this name; NULL may always. Makes room for it. */
ts_status ts_build_name(const ts_check *c, ts_names *names, const char *name)
{
    if (!name)
        return TS_OK;
    if (!name[0])
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: the name is empty; leave it out or give one", c->what);
    if (strnlen(name, NAME_LENGTH_MAX + 1) > NAME_LENGTH_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: the name \"%.20s…\" is longer than %d bytes; shorten it", c->what, name,
                          NAME_LENGTH_MAX);
    if (ts_names_find(names, name))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: the name \"%s\" is taken already; choose another",
                          c->what, name);
    return ts_names_reserve(names, c->error);
}

/* A copy of `size` bytes in the scene's arena. */
ts_status ts_build_keep(ts_scene *scene, const void *data, size_t count, size_t size, void *copy, ts_error *error)
{
    void *block = ts_arena_alloc(&scene->arena, count, size);
    if (!block)
        return ts_fail_memory(error, count * size);
    memcpy(block, data, count * size);
    memcpy(copy, &block, sizeof block);
    return TS_OK;
}

ts_status ts_build_text(ts_scene *scene, const char **text, ts_error *error)
{
    if (!*text)
        return TS_OK;
    const char *copy = ts_arena_text(&scene->arena, *text, strlen(*text));
    if (!copy)
        return ts_fail_memory(error, strlen(*text) + 1);
    *text = copy;
    return TS_OK;
}

/* ---- Materials ---- */

static ts_status check_material(const ts_check *c, const ts_material_def *def)
{
    TS_TRY(ts_check_cookie(c, def->cookie, TS_COOKIE_MATERIAL, "ts_default_material"));
    if (!isnan(def->density))
        TS_TRY(ts_check_positive(c, "density", def->density));
    if (!isnan(def->friction))
        TS_TRY(ts_check_not_negative(c, "friction", def->friction));
    if (!isnan(def->restitution))
        TS_TRY(ts_check_range(c, "restitution", def->restitution, 0, 1));
    if (!isnan(def->stiffness))
        TS_TRY(ts_check_not_negative(c, "stiffness", def->stiffness));
    if (!isnan(def->stiffness_ratio))
        TS_TRY(ts_check_not_negative(c, "stiffness_ratio", def->stiffness_ratio));
    if (!isnan(def->normal_damping))
        TS_TRY(ts_check_not_negative(c, "normal_damping", def->normal_damping));
    if (!isnan(def->tangential_damping))
        TS_TRY(ts_check_not_negative(c, "tangential_damping", def->tangential_damping));
    if (!isnan(def->restitution) && !isnan(def->normal_damping))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: restitution and normal_damping both say how much an impact loses; give one of them",
                          c->what);
    return TS_OK;
}

ts_status ts_scene_set_default_material(ts_scene *scene, const ts_material_def *def, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "default material", error));
    ts_check c = {error, ts_scene_take_place(scene), "default material"};
    TS_TRY(check_material(&c, def));
    scene->material.item[0].def = ts_material_inherit(def, &scene->material.item[0].def);
    scene->material.item[0].place = c.place;
    return TS_OK;
}

ts_status ts_scene_add_material(ts_scene *scene, const char *name, const ts_material_def *def, int32_t *index,
                                ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "material", error));
    ts_check c = {error, ts_scene_take_place(scene), "material"};
    TS_TRY(check_material(&c, def));
    TS_TRY(ts_build_name(&c, &scene->material_name, name));
    int32_t i = (int32_t)scene->material.count;
    if (i >= TS_MATERIALS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "material: a scene has at most %d; share some",
                          TS_MATERIALS_MAX);
    ts_scene_material item = {name, *def, c.place};
    TS_TRY(ts_array_reserve(&scene->material, scene->material.count + 1, error));
    TS_TRY(ts_build_text(scene, &item.name, error));
    scene->material.item[scene->material.count++] = item;
    if (item.name)
        ts_names_add(&scene->material_name, item.name, TS_NAME_MATERIAL, i);
    if (index)
        *index = i;
    return TS_OK;
}

ts_status ts_scene_set_pair(ts_scene *scene, int32_t material_a, int32_t material_b, const ts_material_def *def,
                            ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "material pair", error));
    ts_check c = {error, ts_scene_take_place(scene), "material pair"};
    TS_TRY(check_material(&c, def));
    TS_TRY(ts_check_index(&c, "material", material_a, scene->material.count));
    TS_TRY(ts_check_index(&c, "material", material_b, scene->material.count));
    int32_t a = material_a < material_b ? material_a : material_b,
            b = material_a < material_b ? material_b : material_a;
    ts_scene_pair item = {a, b, *def, c.place};
    for (size_t i = 0; i < scene->pair.count; i++)
        if (scene->pair.item[i].a == a && scene->pair.item[i].b == b) {
            item.def = ts_material_inherit(def, &scene->pair.item[i].def);
            scene->pair.item[i] = item;
            return TS_OK;
        }
    return ts_array_push(&scene->pair, item, error);
}

/* ---- Bodies and boundaries ---- */

ts_status ts_scene_add_body(ts_scene *scene, const ts_body_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "body", error));
    ts_check c = {error, ts_scene_take_place(scene), "body"};
    TS_TRY(ts_build_belongs(&c, scene, false));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_BODY, "ts_default_body"));
    TS_TRY(ts_check_index(&c, "shape", def->shape, scene->shape.count));
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(ts_check_positive(&c, "scale", def->scale));
    TS_TRY(ts_check_vector(&c, "position", def->position));
    TS_TRY(ts_check_number(&c, "angle", def->angle));
    TS_TRY(ts_check_vector(&c, "velocity", def->velocity));
    TS_TRY(ts_check_number(&c, "spin", def->spin));
    if (def->fixed && (def->velocity[0] != 0 || def->velocity[1] != 0 || def->spin != 0))
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "body: it is fixed but has a velocity; move it by a drive, or let it be free");
    if (scene->body.count >= TS_PARTS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "body: a scene has at most %d", TS_PARTS_MAX);
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->body, scene->body.count + 1, error));
    ts_scene_body item = {*def, c.place};
    TS_TRY(ts_build_text(scene, &item.def.name, error));
    int32_t i = (int32_t)scene->body.count;
    scene->body.item[scene->body.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_BODY, i);
    if (index)
        *index = i;
    return TS_OK;
}

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
        TS_TRY(ts_check_vector(c, "a point of the polyline", (double[2]){v->x, v->y}));
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

static ts_status check_outline_wall(const ts_scene *scene, const ts_check *c, const ts_boundary_def *def)
{
    TS_TRY(ts_check_index(c, "shape", def->shape, scene->shape.count));
    TS_TRY(ts_check_positive(c, "scale", def->scale));
    TS_TRY(ts_check_number(c, "angle", def->angle));
    const ts_scene_shape *shape = &scene->shape.item[def->shape];
    if (!shape->outline)
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "%s: its shape \"%.100s\" is made of discs; name one that is an outline, such as a polygon, or "
            "make it a fixed body",
            c->what, shape->name ? shape->name : "");
    double radius = shape->mass.radius * def->scale;
    if (!isnormal(radius) || radius > TS_MAGNITUDE_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: scale %g makes it too small or too large to compute with", c->what, def->scale);
    return TS_OK;
}

ts_status ts_scene_add_boundary(ts_scene *scene, const ts_boundary_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "boundary", error));
    ts_check c = {error, ts_scene_take_place(scene), "boundary"};
    TS_TRY(ts_build_belongs(&c, scene, false));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_BOUNDARY, "ts_default_boundary"));
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(ts_check_vector(&c, "point", def->point));
    ts_scene_boundary item = {*def, c.place};
    if (def->kind == TS_BOUNDARY_HALF_PLANE) {
        TS_TRY(ts_check_vector(&c, "normal", def->normal));
        /* hypot and the division by the larger component keep tiny and huge normals exact */
        double size = fmax(fabs(def->normal[0]), fabs(def->normal[1]));
        if (!(size > 0))
            return ts_fail_at(error, TS_BAD_INPUT, c.place,
                              "boundary: the normal is zero; give the direction towards the bodies, such as (0, 1)");
        double x = def->normal[0] / size, y = def->normal[1] / size, length = hypot(x, y);
        item.def.normal[0] = x / length;
        item.def.normal[1] = y / length;
    } else if (def->kind == TS_BOUNDARY_CIRCLE) {
        TS_TRY(ts_check_positive(&c, "radius", def->radius));
    } else if (def->kind == TS_BOUNDARY_POLYLINE) {
        TS_TRY(check_polyline(&c, &def->line));
    } else if (def->kind == TS_BOUNDARY_OUTLINE) {
        TS_TRY(check_outline_wall(scene, &c, def));
    } else {
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "boundary: kind %d is unknown; choose a half-plane, a circle, a polyline or an outline",
                          (int)def->kind);
    }
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->boundary, scene->boundary.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_status status = TS_OK;
    if (def->kind == TS_BOUNDARY_POLYLINE)
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
    int32_t i = (int32_t)scene->boundary.count;
    scene->boundary.item[scene->boundary.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_BOUNDARY, i);
    if (index)
        *index = i;
    return TS_OK;
}

/* ---- Drives ---- */

static ts_status check_keyframes(const ts_check *c, const ts_drive_def *def)
{
    if (def->key_count < 2 || !def->key)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "drive: it has %zu keyframes; give at least 2",
                          def->key_count);
    for (size_t i = 0; i < def->key_count; i++) {
        TS_TRY(ts_check_not_negative(c, "a keyframe's time", def->key[i].time));
        TS_TRY(ts_check_vector(c, "a keyframe's displacement", def->key[i].displacement));
        TS_TRY(ts_check_number(c, "a keyframe's angle", def->key[i].angle));
        if (i > 0 && !(def->key[i].time > def->key[i - 1].time))
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "drive: keyframe %zu is at %g s, not after the one before at %g s; sort them by time", i,
                              def->key[i].time, def->key[i - 1].time);
    }
    return TS_OK;
}

/* The fields of the drive's kind; others are not looked at. */
static ts_status check_drive_kind(const ts_check *c, const ts_drive_def *def)
{
    switch (def->kind) {
    case TS_DRIVE_ROTATION:
        return ts_check_number(c, "rate", def->rate);
    case TS_DRIVE_OSCILLATION:
        TS_TRY(ts_check_vector(c, "amplitude", def->amplitude));
        TS_TRY(ts_check_number(c, "angle_amplitude", def->angle_amplitude));
        TS_TRY(ts_check_not_negative(c, "frequency", def->frequency));
        return ts_check_number(c, "phase", def->phase);
    case TS_DRIVE_KEYFRAMES:
        return check_keyframes(c, def);
    case TS_DRIVE_GATE:
        return TS_OK;
    case TS_DRIVE_VELOCITY:
        return ts_check_vector(c, "velocity", def->velocity);
    }
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      "drive: kind %d is unknown; choose rotation, oscillation, keyframes, gate or velocity",
                      (int)def->kind);
}

ts_status ts_build_span(const ts_check *c, const char *target, double start, double end)
{
    if (!target || !target[0])
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "drive: it has no target; name a body, a boundary or a generator");
    TS_TRY(ts_check_not_negative(c, "start", start));
    if (!(isinf(end) && end > 0))
        TS_TRY(ts_check_number(c, "end", end));
    if (!(end > start))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "drive: it ends at %g s, not after its start at %g s", end,
                          start);
    return TS_OK;
}

ts_status ts_scene_add_drive(ts_scene *scene, const ts_drive_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "drive", error));
    ts_check c = {error, ts_scene_take_place(scene), "drive"};
    TS_TRY(ts_build_belongs(&c, scene, false));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_DRIVE, "ts_default_drive"));
    TS_TRY(ts_build_span(&c, def->target, def->start, def->end));
    if (isnan(def->pivot[0]) != isnan(def->pivot[1]))
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "drive: one component of the pivot is not a number; give both");
    if (!isnan(def->pivot[0]))
        TS_TRY(ts_check_vector(&c, "pivot", def->pivot));
    TS_TRY(check_drive_kind(&c, def));
    TS_TRY(ts_array_reserve(&scene->drive, scene->drive.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_drive item = {*def, c.place};
    ts_status status = ts_build_text(scene, &item.def.target, error);
    if (status == TS_OK && def->kind == TS_DRIVE_KEYFRAMES)
        status = ts_build_keep(scene, def->key, def->key_count, sizeof *def->key, &item.def.key, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    if (def->kind != TS_DRIVE_KEYFRAMES) {
        item.def.key = NULL;
        item.def.key_count = 0;
    }
    if (index)
        *index = (int32_t)scene->drive.count;
    scene->drive.item[scene->drive.count++] = item;
    return TS_OK;
}
