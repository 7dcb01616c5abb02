/* SPDX-License-Identifier: MIT */
/* Adding things to a scene of space; solids are in build_solid.c. As in build.c: all checks, then all room, then the change. */
#include "scene/build_space.h"

#include <math.h>
#include <string.h>

/* A double from the start: NAN itself is a float, and clang warns of the conversion. */
#define NOTHING ((double)NAN)
/* A view wider than this is no picture any more [rad]. */
#define VIEW_MAX 3.0

/* ---- Defaults ---- */

ts_space_def ts_default_space(void)
{
    return (ts_space_def){.gravity = {0, 0, -9.81}, .cookie = TS_COOKIE_SPACE};
}

ts_solid_def ts_default_solid(void)
{
    return (ts_solid_def){.cookie = TS_COOKIE_SOLID};
}

ts_body3_def ts_default_body3(void)
{
    return (ts_body3_def){.scale = 1, .attitude = {1, 0, 0, 0}, .cookie = TS_COOKIE_BODY3};
}

ts_wall3_def ts_default_wall3(void)
{
    return (ts_wall3_def){.kind = TS_WALL3_PLANE,
                          .size = {1, 1, 1},
                          .normal = {0, 0, 1},
                          .radius = 1,
                          .length = 1,
                          .scale = 1,
                          .attitude = {1, 0, 0, 0},
                          .cookie = TS_COOKIE_WALL3};
}

ts_drive3_def ts_default_drive3(void)
{
    return (ts_drive3_def){.kind = TS_DRIVE_VELOCITY,
                           .end = HUGE_VAL,
                           .pivot = {NOTHING, NOTHING, NOTHING},
                           .axis = {0, 0, 1},
                           .cookie = TS_COOKIE_DRIVE3};
}

ts_spring3_def ts_default_spring3(void)
{
    return (ts_spring3_def){.kind = TS_SPRING3_LINEAR, .cookie = TS_COOKIE_SPRING3};
}

ts_generator3_def ts_default_generator3(void)
{
    return (ts_generator3_def){.fill = TS_FILL_LATTICE,
                               .high = {1, 1, 1},
                               .jitter = 0.5,
                               .random_attitude = true,
                               .cookie = TS_COOKIE_GENERATOR3};
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
    for (int i = 0; i < count; i++)
        value[i] /= sqrt(square);
    return true;
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

static ts_status check_direction(const ts_check *c, const char *field, double direction[3])
{
    TS_TRY(ts_check_vector3(c, field, direction));
    if (!ts_build_unit(direction, 3))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "%s: the %s is zero; give a direction, such as (0, 0, 1)",
                          c->what, field);
    return TS_OK;
}

/* Whether two directions, of any length but zero, are the same or opposite but for rounding. */
static bool parallel(const double a[3], const double b[3])
{
    double p[3] = {a[0], a[1], a[2]}, q[3] = {b[0], b[1], b[2]};
    ts_build_unit(p, 3);
    ts_build_unit(q, 3);
    return fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) > 1 - 1e-12;
}

/* ---- The scene as one of space ---- */

static ts_status check_camera(const ts_check *c, const ts_camera *camera)
{
    TS_TRY(ts_check_vector3(c, "camera.position", camera->position));
    TS_TRY(ts_check_vector3(c, "camera.target", camera->target));
    TS_TRY(ts_check_vector3(c, "camera.up", camera->up));
    TS_TRY(ts_check_range(c, "camera.view", camera->view, 0, VIEW_MAX));
    const double *p = camera->position, *t = camera->target, *up = camera->up;
    double along[3] = {t[0] - p[0], t[1] - p[1], t[2] - p[2]};
    bool automatic = along[0] == 0 && along[1] == 0 && along[2] == 0;
    if (!automatic && (up[0] != 0 || up[1] != 0 || up[2] != 0) && parallel(along, up))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: the camera looks along its own up, (%g, %g, %g); give another direction that is up in "
                          "the picture",
                          c->what, up[0], up[1], up[2]);
    return TS_OK;
}

/* What of the plane a scene has already, or NULL. */
static const char *plane_things(const ts_scene *scene)
{
    return scene->shape.count > 0       ? "shapes"
           : scene->body.count > 0      ? "bodies"
           : scene->boundary.count > 0  ? "boundaries"
           : scene->drive.count > 0     ? "drives"
           : scene->generator.count > 0 ? "generators"
           : scene->given_map.count > 0 ? "contact maps"
                                        : NULL;
}

ts_status ts_scene_set_space(ts_scene *scene, const ts_space_def *def, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "space", error));
    ts_check c = {error, ts_scene_take_place(scene), "space"};
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SPACE, "ts_default_space"));
    const char *things = plane_things(scene);
    if (things)
        return ts_fail_at(
            error, TS_BAD_INPUT, c.place,
            "space: the scene has %s of the plane already; say that it is of space before anything is added", things);
    TS_TRY(ts_check_vector3(&c, "gravity", def->gravity));
    TS_TRY(check_camera(&c, &def->camera));
    scene->is_space = true;
    scene->dynamics.kind = "impact"; /* nothing else moves bodies in space */
    scene->space = *def;
    scene->space_place = c.place;
    return TS_OK;
}

bool ts_scene_is_space(const ts_scene *scene)
{
    return scene && scene->is_space;
}

/* ---- Bodies and walls ---- */

ts_status ts_build_scaled(const ts_check *c, const ts_scene *scene, int32_t solid, double scale)
{
    TS_TRY(ts_check_index(c, "solid", solid, scene->solid.count));
    TS_TRY(ts_check_positive(c, "scale", scale));
    double size = scene->solid.item[solid].size * scale;
    if (!(size >= TS_SOLID_SIZE_MIN && size <= TS_SOLID_SIZE_MAX))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "%s: scale %g makes it too small or too large to compute with", c->what, scale);
    return TS_OK;
}

ts_status ts_scene_add_body3(ts_scene *scene, const ts_body3_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "body", error));
    ts_check c = {error, ts_scene_take_place(scene), "body"};
    TS_TRY(ts_build_belongs(&c, scene, true));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_BODY3, "ts_default_body3"));
    ts_scene_body3 item = {*def, c.place};
    TS_TRY(ts_build_scaled(&c, scene, def->solid, def->scale));
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(ts_check_vector3(&c, "position", def->position));
    TS_TRY(ts_build_attitude(&c, "attitude", item.def.attitude));
    TS_TRY(ts_check_vector3(&c, "velocity", def->velocity));
    TS_TRY(ts_check_vector3(&c, "spin", def->spin));
    bool still = true;
    for (int i = 0; i < 3; i++)
        still = still && def->velocity[i] == 0 && def->spin[i] == 0;
    if (def->fixed && !still)
        return ts_fail_at(error, TS_BAD_INPUT, c.place,
                          "body: it is fixed but has a velocity; move it by a drive, or let it be free");
    if (scene->body3.count >= TS_PARTS_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, c.place, "body: a scene has at most %d", TS_PARTS_MAX);
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->body3, scene->body3.count + 1, error));
    TS_TRY(ts_build_text(scene, &item.def.name, error));
    int32_t i = (int32_t)scene->body3.count;
    scene->body3.item[scene->body3.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_BODY, i);
    if (index)
        *index = i;
    return TS_OK;
}

/* The fields of the wall's kind; others are not looked at. Directions become of unit length. */
static ts_status check_wall(const ts_check *c, const ts_scene *scene, ts_wall3_def *def)
{
    TS_TRY(ts_check_vector3(c, "point", def->point));
    switch (def->kind) {
    case TS_WALL3_PLANE:
        return check_direction(c, "normal", def->normal);
    case TS_WALL3_ROOM:
        for (int i = 0; i < 3; i++)
            TS_TRY(ts_check_positive(c, "size", def->size[i]));
        return TS_OK;
    case TS_WALL3_CYLINDER:
        TS_TRY(check_direction(c, "axis", def->normal));
        TS_TRY(ts_check_positive(c, "radius", def->radius));
        return ts_check_positive(c, "length", def->length);
    case TS_WALL3_SOLID:
        TS_TRY(ts_build_scaled(c, scene, def->solid, def->scale));
        return ts_build_attitude(c, "attitude", def->attitude);
    }
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      "wall: kind %d is unknown; choose a plane, a room, a cylinder or a solid", (int)def->kind);
}

ts_status ts_scene_add_wall3(ts_scene *scene, const ts_wall3_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "wall", error));
    ts_check c = {error, ts_scene_take_place(scene), "wall"};
    TS_TRY(ts_build_belongs(&c, scene, true));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_WALL3, "ts_default_wall3"));
    ts_scene_wall3 item = {*def, c.place};
    TS_TRY(ts_check_index(&c, "material", def->material, scene->material.count));
    TS_TRY(check_wall(&c, scene, &item.def));
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->wall3, scene->wall3.count + 1, error));
    TS_TRY(ts_build_text(scene, &item.def.name, error));
    int32_t i = (int32_t)scene->wall3.count;
    scene->wall3.item[scene->wall3.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_BOUNDARY, i);
    if (index)
        *index = i;
    return TS_OK;
}

/* ---- Drives ---- */

static ts_status check_keys(const ts_check *c, const ts_keyframe3 *key, size_t count)
{
    if (count < 2 || !key)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "drive: it has %zu keyframes; give at least 2",
                          key ? count : 0);
    for (size_t i = 0; i < count; i++) {
        TS_TRY(ts_check_not_negative(c, "a keyframe's time", key[i].time));
        TS_TRY(ts_check_vector3(c, "a keyframe's displacement", key[i].displacement));
        TS_TRY(ts_check_number(c, "a keyframe's angle", key[i].angle));
        if (i > 0 && !(key[i].time > key[i - 1].time))
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "drive: keyframe %zu is at %g s, not after the one before at %g s; sort them by time", i,
                              key[i].time, key[i - 1].time);
    }
    return TS_OK;
}

/* The fields of the drive's kind; others are not looked at. */
static ts_status check_motion(const ts_check *c, const ts_drive3_def *def)
{
    switch (def->kind) {
    case TS_DRIVE_ROTATION:
        return ts_check_number(c, "rate", def->rate);
    case TS_DRIVE_OSCILLATION:
        TS_TRY(ts_check_vector3(c, "amplitude", def->amplitude));
        TS_TRY(ts_check_number(c, "angle_amplitude", def->angle_amplitude));
        TS_TRY(ts_check_not_negative(c, "frequency", def->frequency));
        return ts_check_number(c, "phase", def->phase);
    case TS_DRIVE_KEYFRAMES:
        return check_keys(c, def->key, def->key_count);
    case TS_DRIVE_GATE:
        return TS_OK;
    case TS_DRIVE_VELOCITY:
        return ts_check_vector3(c, "velocity", def->velocity);
    }
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      "drive: kind %d is unknown; choose rotation, oscillation, keyframes, gate or velocity",
                      (int)def->kind);
}

static ts_status check_pivot(const ts_check *c, const double pivot[3])
{
    int missing = !!isnan(pivot[0]) + !!isnan(pivot[1]) + !!isnan(pivot[2]);
    if (missing == 3)
        return TS_OK;
    if (missing > 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "drive: a component of the pivot is not a number; give all three, or none");
    return ts_check_vector3(c, "pivot", pivot);
}

ts_status ts_scene_add_drive3(ts_scene *scene, const ts_drive3_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "drive", error));
    ts_check c = {error, ts_scene_take_place(scene), "drive"};
    TS_TRY(ts_build_belongs(&c, scene, true));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_DRIVE3, "ts_default_drive3"));
    ts_scene_drive3 item = {*def, c.place};
    TS_TRY(ts_build_span(&c, def->target, def->start, def->end));
    TS_TRY(check_pivot(&c, def->pivot));
    TS_TRY(check_direction(&c, "axis", item.def.axis));
    TS_TRY(check_motion(&c, def));
    TS_TRY(ts_array_reserve(&scene->drive3, scene->drive3.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    bool keys = def->kind == TS_DRIVE_KEYFRAMES;
    item.def.key = NULL;
    item.def.key_count = keys ? def->key_count : 0;
    ts_status status = ts_build_text(scene, &item.def.target, error);
    if (status == TS_OK && keys)
        status = ts_build_keep(scene, def->key, def->key_count, sizeof *def->key, &item.def.key, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    if (index)
        *index = (int32_t)scene->drive3.count;
    scene->drive3.item[scene->drive3.count++] = item;
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

ts_status ts_scene_add_spring3(ts_scene *scene, const ts_spring3_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "spring", error));
    ts_check c = {error, ts_scene_take_place(scene), "spring"};
    TS_TRY(ts_build_belongs(&c, scene, true));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SPRING3, "ts_default_spring3"));
    if (def->kind != TS_SPRING3_LINEAR && def->kind != TS_SPRING3_CUBIC)
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
    TS_TRY(ts_check_vector3(&c, "anchor_a", def->anchor_a));
    TS_TRY(ts_check_vector3(&c, "anchor_b", def->anchor_b));
    TS_TRY(ts_check_positive(&c, "stiffness", def->stiffness));
    TS_TRY(ts_check_not_negative(&c, "rest", def->rest));
    TS_TRY(ts_array_reserve(&scene->spring3, scene->spring3.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_spring3 item = {*def, c.place};
    ts_status status = ts_build_text(scene, &item.def.a, error);
    if (status == TS_OK)
        status = ts_build_text(scene, &item.def.b, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    if (index)
        *index = (int32_t)scene->spring3.count;
    scene->spring3.item[scene->spring3.count++] = item;
    return TS_OK;
}

/* ---- Generators ---- */

static ts_status check_generator(const ts_check *c, const ts_scene *scene, const ts_generator3_def *def)
{
    const double *low = def->low, *high = def->high;
    if (def->fill != TS_FILL_LATTICE && def->fill != TS_FILL_RANDOM)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: fill %d is unknown; choose lattice or random",
                          (int)def->fill);
    TS_TRY(ts_check_vector3(c, "low", low));
    TS_TRY(ts_check_vector3(c, "high", high));
    if (!(low[0] < high[0] && low[1] < high[1] && low[2] < high[2]))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its box goes from (%g, %g, %g) to (%g, %g, %g); give the lowest corner first, "
                          "then the highest",
                          low[0], low[1], low[2], high[0], high[1], high[2]);
    TS_TRY(ts_check_not_negative(c, "radius", def->radius));
    if (def->count == 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "generator: its count is 0; say how many bodies to place");
    if (def->count > TS_GENERATOR_COUNT_MAX)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: %zu bodies are more than the %u it may place; lower the count", def->count,
                          TS_GENERATOR_COUNT_MAX);
    TS_TRY(ts_build_mix(c, scene, scene->solid.count, def->mix, def->mix_count));
    for (size_t i = 0; i < def->mix_count; i++) {
        const ts_mix_entry *entry = &def->mix[i];
        bool table = entry->size == TS_SIZE_TABLE;
        if (table && entry->by_mass)
            return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                              "generator: shares by mass in a table of sizes are of the plane; give shares by number");
        TS_TRY(ts_build_scaled(c, scene, entry->shape, table ? entry->table[0].scale : entry->scale_min));
        TS_TRY(ts_build_scaled(c, scene, entry->shape,
                               table ? entry->table[entry->table_count - 1].scale : entry->scale_max));
    }
    TS_TRY(ts_check_not_negative(c, "gap", def->gap));
    TS_TRY(ts_check_range(c, "jitter", def->jitter, 0, 1));
    TS_TRY(ts_check_vector3(c, "velocity", def->velocity));
    TS_TRY(ts_check_not_negative(c, "velocity_spread", def->velocity_spread));
    bool moves = def->velocity[0] != 0 || def->velocity[1] != 0 || def->velocity[2] != 0 || def->velocity_spread != 0;
    if (def->fixed && moves)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "generator: its bodies are fixed but have a velocity; move them by a drive, or let them be "
                          "free");
    return TS_OK;
}

ts_status ts_scene_add_generator3(ts_scene *scene, const ts_generator3_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "generator", error));
    ts_check c = {error, ts_scene_take_place(scene), "generator"};
    TS_TRY(ts_build_belongs(&c, scene, true));
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_GENERATOR3, "ts_default_generator3"));
    TS_TRY(check_generator(&c, scene, def));
    TS_TRY(ts_build_name(&c, &scene->target_name, def->name));
    TS_TRY(ts_array_reserve(&scene->generator3, scene->generator3.count + 1, error));
    ts_arena_mark mark = ts_arena_here(&scene->arena);
    ts_scene_generator3 item = {*def, c.place};
    ts_status status = ts_build_keep_mix(scene, def->mix_count, &item.def.mix, error);
    if (status == TS_OK)
        status = ts_build_text(scene, &item.def.name, error);
    if (status != TS_OK) {
        ts_arena_rewind(&scene->arena, mark);
        return status;
    }
    int32_t i = (int32_t)scene->generator3.count;
    scene->generator3.item[scene->generator3.count++] = item;
    if (item.def.name)
        ts_names_add(&scene->target_name, item.def.name, TS_NAME_GENERATOR, i);
    if (index)
        *index = i;
    return TS_OK;
}
