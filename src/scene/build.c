/* SPDX-License-Identifier: MIT */
/* Adding materials, bodies and springs to a scene; walls, drives, shapes and generators are in files of their own. */
#include "scene/build.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"

#define NAME_LENGTH_MAX 255

ts_status ts_build_arguments(const void *scene, const void *def, const char *what, ts_error *error)
{
    if (!scene || !def)
        return ts_fail(error, TS_BAD_INPUT, "%s: scene or definition is NULL; pass both", what);
    return TS_OK;
}

ts_check ts_build_check(ts_scene *scene, const char *what, ts_error *error)
{
    return (ts_check){error, ts_scene_take_place(scene), what, scene->in};
}

ts_status ts_build_vector(const ts_check *c, const char *field, const double value[3])
{
    TS_TRY(ts_check_vector3(c, field, value));
    for (int i = c->in->axes; i < 3; i++)
        if (value[i] != 0)
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "%s: %c of %s is %g, but the scene is of %s; make it 0, or call ts_scene_set_space first",
                              c->what, "xyz"[i], field, value[i], c -> in -> name);
    return TS_OK;
}

ts_status ts_build_belongs(const ts_check *c, const ts_dimension *to)
{
    if (c->in == to)
        return TS_OK;
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: it is one of %s, but the scene is of %s; %s", c->what,
                      to->name, c->in->name, to->remedy);
}

/* ---- Names ---- */

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

void ts_build_index(ts_names *names, const char *name, ts_name_kind kind, size_t i, int32_t *index)
{
    if (name)
        ts_names_add(names, name, kind, (int32_t)i);
    if (index)
        *index = (int32_t)i;
}

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

/* ---- Directions ---- */

bool ts_build_unit(double *value, int count)
{
    /* divided by the largest component first, tiny and huge ones neither vanish nor overflow */
    double largest = 0, square = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(value[i]));
    if (!(largest > 0))
        return false;
    for (int i = 0; i < count; i++) {
        value[i] /= largest;
        square += value[i] * value[i];
    }
    double length = count == 2 ? hypot(value[0], value[1]) : sqrt(square);
    for (int i = 0; i < count; i++)
        value[i] /= length;
    return true;
}

ts_status ts_build_direction(const ts_check *c, const char *field, double direction[3])
{
    TS_TRY(ts_build_vector(c, field, direction));
    if (!ts_build_unit(direction, c->in->axes))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: the %s is zero; give a direction, such as (%s)",
                          c->what, field, c->in->up);
    return TS_OK;
}

ts_status ts_build_attitude(const ts_check *c, const char *field, double attitude[4])
{
    TS_TRY(ts_check_number(c, field, attitude[0]));
    TS_TRY(ts_check_vector3(c, field, attitude + 1));
    if (!ts_build_unit(attitude, 4))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: its %s is zero, which is no rotation; (1, 0, 0, 0) leaves it as it is", c->what, field);
    return TS_OK;
}

ts_status ts_build_turn(const ts_check *c, double angle, double attitude[4])
{
    TS_TRY(ts_check_number(c, "angle", angle));
    TS_TRY(ts_build_attitude(c, "attitude", attitude));
    if (c->in->turns == 1 ? attitude[0] == 1 : angle == 0)
        return TS_OK;
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: in %s it is turned by its %s; give that, and leave the %s",
                      c->what, c->in->name, c->in->turned_by, c->in->still);
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
    ts_check c = ts_build_check(scene, "default material", error);
    TS_TRY(check_material(&c, def));
    scene->material.item[0].def = ts_material_inherit(def, &scene->material.item[0].def);
    scene->material.item[0].place = c.place;
    return TS_OK;
}

ts_status ts_scene_add_material(ts_scene *scene, const char *name, const ts_material_def *def, int32_t *index,
                                ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "material", error));
    ts_check c = ts_build_check(scene, "material", error);
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
    ts_build_index(&scene->material_name, item.name, TS_NAME_MATERIAL, (size_t)i, index);
    return TS_OK;
}

ts_status ts_scene_set_pair(ts_scene *scene, int32_t material_a, int32_t material_b, const ts_material_def *def,
                            ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "material pair", error));
    ts_check c = ts_build_check(scene, "material pair", error);
    TS_TRY(check_material(&c, def));
    TS_TRY(ts_check_index(&c, "material", material_a, scene->material.count));
    TS_TRY(ts_check_index(&c, "material", material_b, scene->material.count));
    int32_t a = material_a < material_b ? material_a : material_b,
            b = material_a < material_b ? material_b : material_a;
    ts_material_pair item = {a, b, *def, c.place};
    for (size_t i = 0; i < scene->pair.count; i++)
        if (scene->pair.item[i].a == a && scene->pair.item[i].b == b) {
            item.def = ts_material_inherit(def, &scene->pair.item[i].def);
            scene->pair.item[i] = item;
            return TS_OK;
        }
    return ts_array_push(&scene->pair, item, error);
}

/* ---- Bodies ---- */

ts_status ts_build_scaled(const ts_check *c, const ts_scene *scene, int32_t shape, double scale)
{
    TS_TRY(ts_check_index(c, "shape", shape, scene->shape.count));
    TS_TRY(ts_check_positive(c, "scale", scale));
    const ts_scene_shape *s = &scene->shape.item[shape];
    const double size = s->size * scale;
    if (!(size >= c->in->size_min && size <= c->in->size_max))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: scale %g makes it too small or too large to compute with", c->what, scale);
    return TS_OK;
}

static ts_status check_spin(const ts_check *c, const double spin[3])
{
    TS_TRY(ts_check_vector3(c, "spin", spin));
    for (int i = 0; i < 3 - c->in->turns; i++)
        if (spin[i] != 0)
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "%s: its spin is (%g, %g, %g), but in %s bodies turn about z alone; give (0, 0, spin)",
                              c->what, spin[0], spin[1], spin[2], c->in->name);
    return TS_OK;
}

ts_status ts_scene_add_body(ts_scene *scene, const ts_body_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "body", error));
    ts_check c = ts_build_check(scene, "body", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_BODY, "ts_default_body"));
    ts_scene_body item = {*def, c.place};
    TS_TRY(ts_build_scaled(&c, scene, def->shape, def->scale));
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(ts_build_vector(&c, "position", def->position));
    TS_TRY(ts_build_turn(&c, def->angle, item.def.attitude));
    TS_TRY(ts_build_vector(&c, "velocity", def->velocity));
    TS_TRY(check_spin(&c, def->spin));
    bool still = true;
    for (int i = 0; i < 3; i++)
        still = still && def->velocity[i] == 0 && def->spin[i] == 0;
    if (def->fixed && !still)
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "body: it is fixed but has a velocity; move it by a drive, or let it be free");
    if (scene->body.count >= TS_PARTS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "body: a scene has at most %d", TS_PARTS_MAX);
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->body, scene->body.count + 1, error));
    TS_TRY(ts_build_text(scene, &item.def.name, error));
    ts_build_index(&scene->target_name, item.def.name, TS_NAME_BODY, scene->body.count, index);
    scene->body.item[scene->body.count++] = item;
    return TS_OK;
}

/* ---- Springs ---- */

/* A body of that name is there already. */
static ts_status check_end(const ts_check *c, const ts_scene *scene, const char *name)
{
    if (ts_scene_find_body(scene, name) >= 0)
        return TS_OK;
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      "spring: there is no body named \"%.100s\"; add it before the spring", name);
}

ts_status ts_scene_add_spring(ts_scene *scene, const ts_spring_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "spring", error));
    ts_check c = ts_build_check(scene, "spring", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SPRING, "ts_default_spring"));
    if (def->kind != TS_SPRING_LINEAR && def->kind != TS_SPRING_CUBIC)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "spring: kind %d is unknown; choose linear or cubic",
                          (int)def->kind);
    if (!def->b)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "spring: it has no body B; name one, A may be the world");
    if (def->a)
        TS_TRY(check_end(&c, scene, def->a));
    TS_TRY(check_end(&c, scene, def->b));
    if (def->a && strcmp(def->a, def->b) == 0)
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "spring: both its ends are at body \"%.100s\"; name two bodies, or one and the world",
                          def->b);
    TS_TRY(ts_build_vector(&c, "anchor_a", def->anchor_a));
    TS_TRY(ts_build_vector(&c, "anchor_b", def->anchor_b));
    TS_TRY(ts_check_positive(&c, "stiffness", def->stiffness));
    TS_TRY(ts_check_not_negative(&c, "rest", def->rest));
    TS_TRY(ts_array_reserve(&scene->spring, scene->spring.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_spring item = {*def, c.place};
    ts_status status = ts_build_text(scene, &item.def.a, error);
    if (status == TS_OK)
        status = ts_build_text(scene, &item.def.b, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    ts_build_index(NULL, NULL, TS_NAME_NONE, scene->spring.count, index);
    scene->spring.item[scene->spring.count++] = item;
    return TS_OK;
}
