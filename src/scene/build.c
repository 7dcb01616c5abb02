/* SPDX-License-Identifier: MIT */
/* Adding things to a scene. Each call checks everything first, then makes room for everything, and only then changes the
 * scene, so that a failure of any kind leaves it as it was. */
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "scene/sizes.h"

#define NAME_LENGTH_MAX 255
/* A disc smaller than this share of its shape is lost in the rounding of positions. */
#define DISC_SHARE_MIN 1e-9
/* The same of an edge of a polyline; its direction would be noise. */
#define EDGE_SHARE_MIN 1e-12
/* tan(sweep / 4) of an arc that comes back to where it began but for a millionth of a turn. */
#define BULGE_MAX 1e6

static ts_status check_arguments(const void *scene, const void *def, const char *what, ts_error *error)
{
    if (!scene || !def)
        return ts_fail(error, TS_BAD_INPUT, "%s: scene or definition is NULL; pass both", what);
    return TS_OK;
}

/* ---- Names ---- */

/* Whether a new thing may have this name; NULL may always. Makes room for it. */
static ts_status check_name(const ts_check *c, ts_names *names, const char *name)
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
static ts_status keep(ts_scene *scene, const void *data, size_t count, size_t size, void *copy, ts_error *error)
{
    void *block = ts_arena_alloc(&scene->arena, count, size);
    if (!block)
        return ts_fail_memory(error, count * size);
    memcpy(block, data, count * size);
    memcpy(copy, &block, sizeof block);
    return TS_OK;
}

static ts_status keep_text(ts_scene *scene, const char **text, ts_error *error)
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
    TS_TRY(check_arguments(scene, def, "default material", error));
    ts_check c = {error, ts_scene_take_place(scene), "default material"};
    TS_TRY(check_material(&c, def));
    scene->material.item[0].def = ts_material_inherit(def, &scene->material.item[0].def);
    scene->material.item[0].place = c.place;
    return TS_OK;
}

ts_status ts_scene_add_material(ts_scene *scene, const char *name, const ts_material_def *def, int32_t *index,
                                ts_error *error)
{
    TS_TRY(check_arguments(scene, def, "material", error));
    ts_check c = {error, ts_scene_take_place(scene), "material"};
    TS_TRY(check_material(&c, def));
    TS_TRY(check_name(&c, &scene->material_name, name));
    int32_t i = (int32_t)scene->material.count;
    if (i >= TS_MATERIALS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "material: a scene has at most %d; share some",
                          TS_MATERIALS_MAX);
    ts_scene_material item = {name, *def, c.place};
    TS_TRY(ts_array_reserve(&scene->material, scene->material.count + 1, error));
    TS_TRY(keep_text(scene, &item.name, error));
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
    TS_TRY(check_arguments(scene, def, "material pair", error));
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

/* ---- Shapes ---- */

/* Copies the discs into the arena, about their centre of mass and without those inside others. */
static ts_status keep_discs(ts_scene *scene, const ts_shape_def *def, ts_scene_shape *item, const ts_check *c)
{
    ts_status status = ts_discs_measure(def->disc, def->disc_count, &item->mass, c->error);
    if (status == TS_BAD_INPUT)
        return ts_fail_at(c->error, status, c->place,
                          "%s: its area or its moment of inertia is too small or too large to compute with; give radii "
                          "between 1e-70 m and 1e70 m",
                          c->what);
    TS_TRY(status);
    TS_TRY(keep(scene, def->disc, def->disc_count, sizeof *def->disc, &item->disc, c->error));
    for (size_t i = 0; i < def->disc_count; i++) {
        item->disc[i].x -= item->mass.x;
        item->disc[i].y -= item->mass.y;
    }
    item->disc_count = ts_discs_outermost(item->disc, def->disc_count);
    for (size_t i = 0; i < item->disc_count; i++)
        if (item->disc[i].radius < DISC_SHARE_MIN * item->mass.radius)
            return ts_fail_at(
                c->error, TS_BAD_INPUT, c->place,
                "%s: a disc of radius %g m is too small for a shape of radius %g m; give at least %g of it", c->what,
                item->disc[i].radius, item->mass.radius, DISC_SHARE_MIN);
    if (item->disc_count == 1) { /* without a rounding error: plain discs are a case of their own */
        item->disc[0].x = item->disc[0].y = 0;
        item->mass.radius = item->disc[0].radius;
    }
    return TS_OK;
}

ts_status ts_scene_add_shape(ts_scene *scene, const ts_shape_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(check_arguments(scene, def, "shape", error));
    ts_check c = {error, ts_scene_take_place(scene), "shape"};
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SHAPE, "ts_default_shape"));
    if (def->disc_count == 0 || !def->disc)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "shape: it has no discs; give at least one");
    if (def->disc_count > TS_SHAPE_DISCS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "shape: it has %zu discs; give at most %d", def->disc_count,
                          TS_SHAPE_DISCS_MAX);
    for (size_t i = 0; i < def->disc_count; i++) {
        TS_TRY(ts_check_number(&c, "a disc's x", def->disc[i].x));
        TS_TRY(ts_check_number(&c, "a disc's y", def->disc[i].y));
        TS_TRY(ts_check_positive(&c, "a disc's radius", def->disc[i].radius));
    }
    TS_TRY(check_name(&c, &scene->shape_name, def->name));
    TS_TRY(ts_array_reserve(&scene->shape, scene->shape.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_shape item = {.name = def->name, .place = c.place};
    ts_status status = keep_discs(scene, def, &item, &c);
    if (status == TS_OK)
        status = keep_text(scene, &item.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    int32_t i = (int32_t)scene->shape.count;
    scene->shape.item[scene->shape.count++] = item;
    if (item.name)
        ts_names_add(&scene->shape_name, item.name, TS_NAME_SHAPE, i);
    if (index)
        *index = i;
    return TS_OK;
}

ts_status ts_scene_add_disc(ts_scene *scene, double radius, int32_t *index, ts_error *error)
{
    ts_disc disc = {0, 0, radius};
    ts_shape_def def = ts_default_shape();
    def.disc = &disc;
    def.disc_count = 1;
    return ts_scene_add_shape(scene, &def, index, error);
}

/* The outline about its centre of mass, with the circle around it in place of discs. On failure nothing is left. */
static ts_status keep_outline(ts_scene *scene, const ts_outline *from, ts_scene_shape *item, const ts_check *c)
{
    ts_outline_mass mass = ts_outline_get_mass(from);
    double shift[2] = {-mass.centre[0], -mass.centre[1]};
    bool good = isnormal(mass.area) && isnormal(mass.inertia) && isnormal(mass.radius) && isnormal(1 / mass.area) &&
                isnormal(1 / mass.inertia);
    if (!good)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: its area or its moment of inertia is too small or too large to compute with; give it a "
                          "size between 1e-70 m and 1e70 m",
                          c->what);
    if (hypot(shift[0], shift[1]) > mass.radius / DISC_SHARE_MIN)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: it is drawn at (%g, %g), more than %g times its size from the origin, where its points "
                          "are too coarse; draw it nearer",
                          c->what, mass.centre[0], mass.centre[1], 1 / DISC_SHARE_MIN);
    ts_disc *around = ts_arena_alloc(&scene->arena, 1, sizeof *around);
    if (!around)
        return ts_fail_memory(c->error, sizeof *around);
    TS_TRY(ts_outline_place(from, 1, 0, shift, &item->outline, c->error));
    mass = ts_outline_get_mass(item->outline);
    *around = (ts_disc){0, 0, mass.radius};
    item->disc = around;
    item->disc_count = 1;
    item->mass = (ts_disc_union){.area = mass.area, .inertia = mass.inertia, .radius = mass.radius};
    return TS_OK;
}

ts_status ts_scene_add_outline(ts_scene *scene, const char *name, const ts_outline *outline, int32_t *index,
                               ts_error *error)
{
    TS_TRY(check_arguments(scene, outline, "outline", error));
    ts_check c = {error, ts_scene_take_place(scene), "outline"};
    TS_TRY(check_name(&c, &scene->shape_name, name));
    TS_TRY(ts_array_reserve(&scene->shape, scene->shape.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_shape item = {.name = name, .place = c.place};
    ts_status status = keep_text(scene, &item.name, error);
    if (status == TS_OK)
        status = keep_outline(scene, outline, &item, &c);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    int32_t i = (int32_t)scene->shape.count;
    scene->shape.item[scene->shape.count++] = item;
    if (item.name)
        ts_names_add(&scene->shape_name, item.name, TS_NAME_SHAPE, i);
    if (index)
        *index = i;
    return TS_OK;
}

/* ---- Bodies and boundaries ---- */

ts_status ts_scene_add_body(ts_scene *scene, const ts_body_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(check_arguments(scene, def, "body", error));
    ts_check c = {error, ts_scene_take_place(scene), "body"};
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
    TS_TRY(check_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->body, scene->body.count + 1, error));
    ts_scene_body item = {*def, c.place};
    TS_TRY(keep_text(scene, &item.def.name, error));
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
    TS_TRY(check_arguments(scene, def, "boundary", error));
    ts_check c = {error, ts_scene_take_place(scene), "boundary"};
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
    TS_TRY(check_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->boundary, scene->boundary.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_status status = TS_OK;
    if (def->kind == TS_BOUNDARY_POLYLINE)
        status = keep(scene, def->line.vertex, def->line.vertex_count, sizeof *def->line.vertex, &item.def.line.vertex,
                      error);
    else
        item.def.line = (ts_contour){0};
    if (status == TS_OK)
        status = keep_text(scene, &item.def.name, error);
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

ts_status ts_scene_add_drive(ts_scene *scene, const ts_drive_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(check_arguments(scene, def, "drive", error));
    ts_check c = {error, ts_scene_take_place(scene), "drive"};
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_DRIVE, "ts_default_drive"));
    if (!def->target || !def->target[0])
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "drive: it has no target; name a body, a boundary or a generator");
    TS_TRY(ts_check_not_negative(&c, "start", def->start));
    if (!(isinf(def->end) && def->end > 0))
        TS_TRY(ts_check_number(&c, "end", def->end));
    if (!(def->end > def->start))
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "drive: it ends at %g s, not after its start at %g s", def->end,
                          def->start);
    if (isnan(def->pivot[0]) != isnan(def->pivot[1]))
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "drive: one component of the pivot is not a number; give both");
    if (!isnan(def->pivot[0]))
        TS_TRY(ts_check_vector(&c, "pivot", def->pivot));
    TS_TRY(check_drive_kind(&c, def));
    TS_TRY(ts_array_reserve(&scene->drive, scene->drive.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_drive item = {*def, c.place};
    ts_status status = keep_text(scene, &item.def.target, error);
    if (status == TS_OK && def->kind == TS_DRIVE_KEYFRAMES)
        status = keep(scene, def->key, def->key_count, sizeof *def->key, &item.def.key, error);
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

/* ---- Generators ---- */

static ts_status check_mix(const ts_scene *scene, const ts_check *c, const ts_generator_def *def)
{
    double total = 0;
    if (def->mix_count == 0 || !def->mix)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its mix is empty; give at least one kind of grain");
    for (size_t i = 0; i < def->mix_count; i++) {
        const ts_mix_entry *entry = &def->mix[i];
        TS_TRY(ts_check_index(c, "shape", entry->shape, scene->shape.count));
        TS_TRY(ts_check_index(c, "material", entry->material, scene->material.count));
        TS_TRY(ts_check_not_negative(c, "a weight of the mix", entry->weight));
        if (entry->size == TS_SIZE_TABLE) {
            TS_TRY(ts_sizes_check(entry, c->place, c->error));
            total += entry->weight;
            continue;
        }
        TS_TRY(ts_check_positive(c, "a scale_min of the mix", entry->scale_min));
        TS_TRY(ts_check_positive(c, "a scale_max of the mix", entry->scale_max));
        if (entry->scale_max < entry->scale_min)
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "generator: scale_max %g of its mix is below scale_min %g; exchange them",
                              entry->scale_max, entry->scale_min);
        TS_TRY(ts_sizes_check(entry, c->place, c->error));
        total += entry->weight;
    }
    if (!(total > 0))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: all weights of its mix are 0; make one positive");
    return TS_OK;
}

static ts_status check_region(const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_vector(c, "a", def->a));
    if (def->region == TS_REGION_CIRCLE)
        return ts_check_positive(c, "radius", def->radius);
    if (def->region != TS_REGION_BOX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: region %d is unknown; choose a box or a circle",
                          (int)def->region);
    TS_TRY(ts_check_vector(c, "b", def->b));
    if (!(def->b[0] > def->a[0] && def->b[1] > def->a[1]))
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "generator: its box goes from (%g, %g) to (%g, %g); give the lower left corner first, then the "
            "upper right one",
            def->a[0], def->a[1], def->b[0], def->b[1]);
    return TS_OK;
}

/* How many grains: one of a count and a packing fraction. */
static ts_status check_count(const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_range(c, "packing", def->packing, 0, 1));
    if (def->packing > 0 && def->count > 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: count and packing both say how many grains there are; give one of them");
    if (def->packing == 0 && def->count == 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its count is 0; say how many grains to place");
    if (def->count > TS_GENERATOR_COUNT_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: %zu grains are more than the %u it may place; "
                          "lower the count",
                          def->count, TS_GENERATOR_COUNT_MAX);
    return TS_OK;
}

static ts_status check_line(const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_positive(c, "spacing", def->spacing));
    if (def->line.vertex_count < 2 || !def->line.vertex)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its line has %zu points; give at least 2",
                          def->line.vertex_count);
    if (def->line.vertex_count > TS_OUTLINE_EDGES_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its line has %zu points; give at most %d",
                          def->line.vertex_count, TS_OUTLINE_EDGES_MAX);
    for (size_t i = 0; i < def->line.vertex_count; i++) {
        TS_TRY(ts_check_number(c, "a point's x", def->line.vertex[i].x));
        TS_TRY(ts_check_number(c, "a point's y", def->line.vertex[i].y));
        TS_TRY(ts_check_range(c, "a point's bulge", def->line.vertex[i].bulge, -1e6, 1e6));
    }
    return TS_OK;
}

/* Copies the mix and its tables into the arena. The bounds of a table are its ends. */
static ts_status keep_mix(ts_scene *scene, ts_generator_def *def, ts_error *error)
{
    ts_mix_entry *mix;
    TS_TRY(keep(scene, def->mix, def->mix_count, sizeof *def->mix, &mix, error));
    def->mix = mix;
    for (size_t i = 0; i < def->mix_count; i++) {
        if (mix[i].size != TS_SIZE_TABLE)
            continue;
        TS_TRY(keep(scene, mix[i].table, mix[i].table_count, sizeof *mix[i].table, &mix[i].table, error));
        mix[i].scale_min = mix[i].table[0].scale;
        mix[i].scale_max = mix[i].table[mix[i].table_count - 1].scale;
    }
    return TS_OK;
}

static ts_status check_generator(const ts_scene *scene, const ts_check *c, const ts_generator_def *def)
{
    TS_TRY(ts_check_cookie(c, def->cookie, TS_COOKIE_GENERATOR, "ts_default_generator"));
    if (def->fill != TS_FILL_LATTICE && def->fill != TS_FILL_RANDOM && def->fill != TS_FILL_LINE)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: fill %d is unknown; choose lattice, random or line", (int)def->fill);
    TS_TRY(def->fill == TS_FILL_LINE ? check_line(c, def) : check_region(c, def));
    if (def->fill != TS_FILL_LINE)
        TS_TRY(check_count(c, def));
    TS_TRY(check_mix(scene, c, def));
    TS_TRY(ts_check_not_negative(c, "gap", def->gap));
    TS_TRY(ts_check_range(c, "jitter", def->jitter, 0, 1));
    TS_TRY(ts_check_vector(c, "velocity", def->velocity));
    TS_TRY(ts_check_not_negative(c, "velocity_spread", def->velocity_spread));
    if (def->fixed && (def->velocity[0] != 0 || def->velocity[1] != 0 || def->velocity_spread != 0))
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "generator: its grains are fixed but have a velocity; move them by a drive, or let them be free");
    return TS_OK;
}

ts_status ts_scene_add_generator(ts_scene *scene, const ts_generator_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(check_arguments(scene, def, "generator", error));
    ts_check c = {error, ts_scene_take_place(scene), "generator"};
    TS_TRY(check_generator(scene, &c, def));
    TS_TRY(check_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->generator, scene->generator.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_generator item = {*def, c.place};
    ts_status status = keep_mix(scene, &item.def, error);
    if (status == TS_OK && def->fill == TS_FILL_LINE)
        status = keep(scene, def->line.vertex, def->line.vertex_count, sizeof *def->line.vertex, &item.def.line.vertex,
                      error);
    if (status == TS_OK)
        status = keep_text(scene, &item.def.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    int32_t i = (int32_t)scene->generator.count;
    scene->generator.item[scene->generator.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_GENERATOR, i);
    if (index)
        *index = i;
    return TS_OK;
}
