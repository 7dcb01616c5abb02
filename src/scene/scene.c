/* SPDX-License-Identifier: MIT */
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cspace/map.h"
#include "cspace/map_file.h"
#include "manifold/parts.h"
#include "scene/build.h"
#include "touchstone/measure.h"

/* A double from the start: NAN itself is a float, and clang warns of the conversion. */
#define NOTHING ((double)NAN)

/* A view wider than this is no picture any more [rad]. */
#define VIEW_MAX 3.0

/* ---- Defaults ---- */

ts_settings ts_default_settings(void)
{
    return (ts_settings){
        .gravity = {0, -9.81}, .duration = 1, .seed = 1, .record_contacts = true, .cookie = TS_COOKIE_SETTINGS};
}

ts_material_def ts_default_material(void)
{
    return (ts_material_def){NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, TS_COOKIE_MATERIAL};
}

ts_shape_def ts_default_shape(void)
{
    return (ts_shape_def){.cookie = TS_COOKIE_SHAPE};
}

ts_body_def ts_default_body(void)
{
    return (ts_body_def){.scale = 1, .attitude = {1, 0, 0, 0}, .cookie = TS_COOKIE_BODY};
}

ts_wall_def ts_default_wall(void)
{
    return (ts_wall_def){.kind = TS_WALL_FLAT,
                         .normal = {NOTHING, NOTHING, NOTHING},
                         .radius = 1,
                         .length = 1,
                         .size = {1, 1, 1},
                         .scale = 1,
                         .attitude = {1, 0, 0, 0},
                         .cookie = TS_COOKIE_WALL};
}

ts_drive_def ts_default_drive(void)
{
    return (ts_drive_def){.kind = TS_DRIVE_VELOCITY,
                          .end = HUGE_VAL,
                          .pivot = {NOTHING, NOTHING, NOTHING},
                          .axis = {0, 0, 1},
                          .cookie = TS_COOKIE_DRIVE};
}

ts_spring_def ts_default_spring(void)
{
    return (ts_spring_def){.kind = TS_SPRING_LINEAR, .cookie = TS_COOKIE_SPRING};
}

ts_generator_def ts_default_generator(void)
{
    return (ts_generator_def){.fill = TS_FILL_RANDOM,
                              .region = TS_REGION_BOX,
                              .high = {1, 1, 1},
                              .radius = 1,
                              .length = 1,
                              .line = {.open = true},
                              .spacing = 1,
                              .jitter = 0.5,
                              .random_attitude = true,
                              .cookie = TS_COOKIE_GENERATOR};
}

ts_space_def ts_default_space(void)
{
    return (ts_space_def){.gravity = {0, 0, -9.81}, .cookie = TS_COOKIE_SPACE};
}

/* ---- Lifetime ---- */

ts_status ts_scene_create(ts_scene **scene, ts_error *error)
{
    if (!scene)
        return ts_fail(error, TS_BAD_INPUT, "scene: the address for the new scene is NULL; pass one");
    ts_scene *s;
    TS_TRY(ts_new(&s, 1, error));
    s->in = &ts_in_plane;
    s->settings = ts_default_settings();
    ts_scene_material material = {.name = "default",
                                  .def = {.density = 1000,
                                          .friction = 0.5,
                                          .restitution = 0.5,
                                          .stiffness = 0,
                                          .stiffness_ratio = 2.0 / 7,
                                          .normal_damping = NOTHING,
                                          .tangential_damping = NOTHING,
                                          .cookie = TS_COOKIE_MATERIAL}};
    ts_status status = ts_array_push(&s->material, material, error);
    if (status == TS_OK)
        status = ts_names_reserve(&s->material_name, error);
    if (status != TS_OK) {
        ts_scene_free(s);
        return status;
    }
    ts_names_add(&s->material_name, material.name, TS_NAME_MATERIAL, 0);
    *scene = s;
    return TS_OK;
}

void ts_scene_free(ts_scene *scene)
{
    if (!scene)
        return;
    ts_array_free(&scene->given_map);
    ts_array_free(&scene->material);
    ts_array_free(&scene->pair);
    for (size_t i = 0; i < scene->shape.count; i++)
        ts_outline_free(scene->shape.item[i].outline);
    ts_array_free(&scene->shape);
    ts_array_free(&scene->body);
    ts_array_free(&scene->wall);
    ts_array_free(&scene->drive);
    ts_array_free(&scene->spring);
    ts_array_free(&scene->generator);
    ts_array_free(&scene->note);
    ts_names_free(&scene->shape_name);
    ts_names_free(&scene->material_name);
    ts_names_free(&scene->target_name);
    ts_arena_free(&scene->arena);
    ts_free(scene);
}

/* ---- Places ---- */

void ts_scene_at(ts_scene *scene, ts_place place)
{
    /* a scene comes from one file, or a few read one after the other: the last name is nearly always the right one */
    const char *last = scene->last_file;
    if (place.file && !(last && strcmp(last, place.file) == 0)) {
        last = ts_arena_text(&scene->arena, place.file, strlen(place.file));
        scene->last_file = last; /* NULL when out of memory: then only the line is known */
    }
    scene->next_place = (ts_place){place.file ? last : NULL, place.line, place.column};
}

ts_place ts_scene_take_place(ts_scene *scene)
{
    ts_place place = scene->next_place;
    scene->next_place = (ts_place){0};
    return place;
}

/* ---- Settings ---- */

static ts_status check_measuring(const ts_check *c, const ts_settings *settings)
{
    const ts_measuring *m = &settings->measuring;
    const double *line = m->line,
                 box[6] = {m->region.x0, m->region.y0, m->region.x1, m->region.y1, m->region.z0, m->region.z1};
    bool no_box = true, no_line = true;
    for (int i = 0; i < 6; i++) {
        TS_TRY(ts_check_number(c, "measuring.region", box[i]));
        TS_TRY(ts_check_number(c, "measuring.line", line[i]));
        no_box = no_box && box[i] == 0;
        no_line = no_line && line[i] == 0;
    }
    if (settings->measures & ~(uint32_t)TS_MEASURE_OF_RUN)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "settings: measures holds a group that a run cannot record; choose from TS_MEASURE_OF_RUN");
    if (!no_box && (!(box[0] < box[2]) || !(box[1] < box[3])))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "settings: the region of the measures is empty; give left, bottom, right, top");
    if ((settings->measures & TS_MEASURE_FLOW) && no_line)
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "settings: the flow needs a line that grains cross; give two different points in measuring.line");
    if (m->rattlers < 0 || m->bins > 1000000 || !(m->share >= 0 && m->share < 1))
        return ts_fail_at(
            c->error, TS_BAD_INPUT, c->place,
            "settings: measuring has %d rattlers, %zu bins and a share of %g; give rattlers from 0 on, at "
            "most a million bins and a share below 1",
            m->rattlers, m->bins, m->share);
    return TS_OK;
}

ts_status ts_scene_set(ts_scene *scene, const ts_settings *settings, ts_error *error)
{
    if (!scene || !settings)
        return ts_fail(error, TS_BAD_INPUT, "settings: scene or settings is NULL; pass both");
    ts_check c = ts_build_check(scene, "settings", error);
    TS_TRY(ts_check_cookie(&c, settings->cookie, TS_COOKIE_SETTINGS, "ts_default_settings"));
    TS_TRY(ts_check_number(&c, "gravity", settings->gravity[0]));
    TS_TRY(ts_check_number(&c, "gravity", settings->gravity[1]));
    TS_TRY(ts_check_not_negative(&c, "time_step", settings->time_step));
    TS_TRY(ts_check_positive(&c, "duration", settings->duration));
    TS_TRY(ts_check_not_negative(&c, "skin", settings->skin));
    TS_TRY(ts_check_not_negative(&c, "frame_interval", settings->frame_interval));
    TS_TRY(ts_check_not_negative(&c, "energy_interval", settings->energy_interval));
    TS_TRY(check_measuring(&c, settings));
    scene->settings = *settings;
    scene->settings_place = c.place;
    return TS_OK;
}

ts_settings ts_scene_settings(const ts_scene *scene)
{
    return scene ? scene->settings : ts_default_settings();
}

/* ---- The scene as one of space ---- */

/* Whether two directions, of any length but zero, are the same or opposite but for rounding. */
static bool parallel(const double a[3], const double b[3])
{
    double p[3] = {a[0], a[1], a[2]}, q[3] = {b[0], b[1], b[2]};
    ts_build_unit(p, 3);
    ts_build_unit(q, 3);
    return fabs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) > 1 - 1e-12;
}

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

/* What a scene has already that a change of dimension would not fit, or NULL. */
static const char *things_of(const ts_scene *scene)
{
    return scene->shape.count > 0       ? "shapes"
           : scene->body.count > 0      ? "bodies"
           : scene->wall.count > 0      ? "walls"
           : scene->drive.count > 0     ? "drives"
           : scene->spring.count > 0    ? "springs"
           : scene->generator.count > 0 ? "generators"
           : scene->given_map.count > 0 ? "contact maps"
                                        : NULL;
}

ts_status ts_scene_set_space(ts_scene *scene, const ts_space_def *def, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "space", error));
    ts_check c = ts_build_check(scene, "space", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_SPACE, "ts_default_space"));
    const char *things = scene->in == &ts_in_space ? NULL : things_of(scene);
    if (things)
        return ts_fail_at(
            error, TS_BAD_INPUT, c.place,
            "space: the scene has %s of the plane already; say that it is of space before anything is added", things);
    TS_TRY(ts_check_vector3(&c, "gravity", def->gravity));
    TS_TRY(check_camera(&c, &def->camera));
    scene->in = &ts_in_space;
    scene->space = *def;
    scene->space_place = c.place;
    return TS_OK;
}

bool ts_scene_is_space(const ts_scene *scene)
{
    return scene && scene->in == &ts_in_space;
}

/* ---- Contact maps ---- */

ts_status ts_scene_set_map(ts_scene *scene, const ts_map_options *options, ts_error *error)
{
    if (!scene || !options)
        return ts_fail(error, TS_BAD_INPUT, "map: scene or options is NULL; pass both");
    ts_place place = ts_scene_take_place(scene);
    ts_map_options complete;
    ts_error why;
    ts_status status = ts_map_options_complete(options, &complete, &why);
    if (status != TS_OK)
        return ts_fail_at(error, status, place, "map: %s", why.message);
    scene->map = *options;
    return TS_OK;
}

ts_map_options ts_scene_map(const ts_scene *scene)
{
    return scene ? scene->map : (ts_map_options){0};
}

ts_status ts_scene_set_manifold(ts_scene *scene, const ts_manifold_options *options, ts_error *error)
{
    if (!scene || !options)
        return ts_fail(error, TS_BAD_INPUT, "manifold: scene or options is NULL; pass both");
    ts_place place = ts_scene_take_place(scene);
    ts_error why;
    ts_status status = ts_manifold_check_options(options, &why);
    if (status != TS_OK)
        return ts_fail_at(error, status, place, "%s", why.message);
    scene->manifold = *options;
    scene->manifold_place = place;
    return TS_OK;
}

ts_manifold_options ts_scene_manifold(const ts_scene *scene)
{
    return scene && scene->manifold.cookie != 0 ? scene->manifold : ts_manifold_default_options();
}

ts_status ts_scene_add_map(ts_scene *scene, const char *name, const void *bytes, size_t size, ts_error *error)
{
    if (!scene || !bytes)
        return ts_fail(error, TS_BAD_INPUT, "map: scene or bytes is NULL; pass both");
    ts_place place = ts_scene_take_place(scene);
    if (!scene->in->outlines)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "map: contact maps are of the plane, but the scene is of space; leave it out");
    if (size > TS_MAP_FILE_BYTES_MAX)
        return ts_fail_at(error, TS_BAD_INPUT, place,
                          "map: %zu bytes are too many for a map file, which has %zu at most; build a smaller one",
                          size, TS_MAP_FILE_BYTES_MAX);
    char number[32];
    snprintf(number, sizeof number, "map %zu", scene->given_map.count);
    const char *shown = name ? name : number;
    ts_given_map given = {.size = size, .place = place};
    given.name = ts_arena_text(&scene->arena, shown, strlen(shown));
    void *copy = given.name ? ts_arena_alloc(&scene->arena, size ? size : 1, 1) : NULL;
    if (!copy)
        return ts_fail_memory(error, size);
    memcpy(copy, bytes, size);
    given.bytes = copy;
    return ts_array_push(&scene->given_map, given, error);
}

/* ---- Finding ---- */

static int32_t find(const ts_names *names, ts_name_kind kind, const char *name)
{
    const ts_name *found = ts_names_find(names, name);
    return found && found->kind == kind ? found->index : -1;
}

int32_t ts_scene_find_shape(const ts_scene *scene, const char *name)
{
    return scene ? find(&scene->shape_name, TS_NAME_SHAPE, name) : -1;
}

int32_t ts_scene_find_material(const ts_scene *scene, const char *name)
{
    return scene ? find(&scene->material_name, TS_NAME_MATERIAL, name) : -1;
}

int32_t ts_scene_find_body(const ts_scene *scene, const char *name)
{
    return scene ? find(&scene->target_name, TS_NAME_BODY, name) : -1;
}

int32_t ts_scene_find_wall(const ts_scene *scene, const char *name)
{
    return scene ? find(&scene->target_name, TS_NAME_WALL, name) : -1;
}
