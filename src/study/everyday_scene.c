/* SPDX-License-Identifier: MIT */
#include "study/everyday_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "scene/json.h"
#include "scene/read.h"

/* How things are turned, moved and scaled. */
typedef struct frame {
    bool space;
    double length, time; /* factors */
    ts_quat turn;
    ts_vec3 shift;
} frame;

/* ---- Values of the tree ---- */

static ts_vec3 vector_of(const ts_json_value *value)
{
    double x[3] = {0};
    size_t n = 0;
    for (const ts_json_value *item = value ? value->first : NULL; item && n < 3; item = item->next)
        x[n++] = item->number;
    return (ts_vec3){x[0], x[1], x[2]};
}

/* A list keeps its number of items: two in the plane. */
static void set_vector(ts_json_value *value, ts_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    size_t n = 0;
    for (ts_json_value *item = value->first; item && n < 3; item = item->next)
        item->number = x[n++];
}

/* Sets a member of an object, or appends an item to a list (key NULL), from its text. */
static ts_status put(ts_arena *arena, ts_json_value *to, const char *key, const char *text, ts_json_value **value,
                     ts_error *error)
{
    ts_json_value *made, *old = key ? ts_json_get(to, key) : NULL;
    TS_TRY(ts_json_parse(arena, text, strlen(text), "a variant", &made, error));
    made->key = key;
    if (old)
        ts_json_remove(to, old);
    ts_json_append(to, made);
    if (value)
        *value = made;
    return TS_OK;
}

/* The angle of the plane, or the quaternion of space, that a body or a wall has; not turned if it does not say. */
static ts_quat attitude_of(const ts_json_value *thing)
{
    const ts_json_value *angle = ts_json_get(thing, "angle"), *attitude = ts_json_get(thing, "attitude");
    if (angle)
        return ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle->number);
    if (!attitude)
        return ts_quat_identity();
    if (attitude->kind == TS_JSON_OBJECT)
        return ts_quat_from_axis_angle(vector_of(ts_json_get(attitude, "axis")),
                                       ts_json_get(attitude, "angle")->number);
    const ts_json_value *w = attitude->first;
    const ts_vec3 v = {w->next->number, w->next->next->number, w->next->next->next->number};
    return ts_quat_unit((ts_quat){w->number, v.x, v.y, v.z});
}

static double angle_of(ts_quat q)
{
    return 2 * atan2(q.z, q.w);
}

static ts_status set_attitude(ts_arena *arena, ts_json_value *thing, bool space, ts_quat q, ts_error *error)
{
    char text[128];
    if (space)
        snprintf(text, sizeof text, "[%.17g, %.17g, %.17g, %.17g]", q.w, q.x, q.y, q.z);
    else
        snprintf(text, sizeof text, "%.17g", angle_of(q));
    return put(arena, thing, space ? "attitude" : "angle", text, NULL, error);
}

/* ---- Moving and scaling ---- */

/* Scales every number within; of a point of an outline with a bulge all but that. */
static void scale(ts_json_value *value, double by, bool space)
{
    if (value->kind == TS_JSON_NUMBER)
        value->number *= by;
    else if (value->kind == TS_JSON_ARRAY) {
        int n = 0;
        for (ts_json_value *item = value->first; item; item = item->next, n++)
            if (space || n < 2 || item->kind != TS_JSON_NUMBER)
                scale(item, by, space);
    }
}

static bool is_one_of(const char *key, const char *const *list)
{
    while (*list && strcmp(*list, key) != 0)
        list++;
    return *list;
}

static void scale_shapes(ts_json_value *value, const frame *f)
{
    static const char *const lengths[] = {"radius", "width", "height", "size",  "corner",   "length",
                                          "points", "at",    "outer",  "inner", "position", NULL};
    for (ts_json_value *member = value->first; member; member = member->next)
        if (member->key && is_one_of(member->key, lengths))
            scale(member, f->length, f->space);
        else if (member->kind == TS_JSON_OBJECT || member->kind == TS_JSON_ARRAY)
            scale_shapes(member, f);
}

static void move_vector(ts_json_value *value, const frame *f, double by, bool shifted)
{
    const ts_vec3 v = ts_vec3_scale(ts_quat_apply(f->turn, vector_of(value)), by);
    set_vector(value, shifted ? ts_vec3_add(v, f->shift) : v);
}

/* A body, a wall or a drive. */
static ts_status move_thing(ts_arena *arena, ts_json_value *thing, const frame *f, ts_error *error)
{
    static const char *const points[] = {"position", "low", "high", "pivot", NULL};
    static const char *const times[] = {"start", "end", NULL};
    for (ts_json_value *member = thing->first; member; member = member->next)
        if (is_one_of(member->key, points))
            move_vector(member, f, f->length, true);
        else if (strcmp(member->key, "points") == 0)
            for (ts_json_value *point = member->first; point; point = point->next)
                move_vector(point, f, f->length, true);
        else if (strcmp(member->key, "normal") == 0)
            move_vector(member, f, 1, false);
        else if (strcmp(member->key, "velocity") == 0)
            move_vector(member, f, f->length / f->time, false);
        else if (strcmp(member->key, "spin") == 0 && f->space)
            move_vector(member, f, 1 / f->time, false);
        else if (strcmp(member->key, "spin") == 0)
            member->number /= f->time;
        else if (is_one_of(member->key, times))
            member->number *= f->time;
    if (!ts_json_get(thing, "shape"))
        return TS_OK;
    return set_attitude(arena, thing, f->space, ts_quat_mul(f->turn, attitude_of(thing)), error);
}

/* ---- Changes ---- */

/* The turn of the first wall, from a level one. */
static ts_quat slope_of(const ts_json_value *wall, bool space)
{
    const ts_vec3 up = {0, !space, space}, normal = ts_vec3_unit(vector_of(ts_json_get(wall, "normal")));
    const ts_vec3 axis = ts_vec3_cross(up, normal);
    return ts_quat_from_axis_angle(axis, atan2(ts_vec3_length(axis), ts_vec3_dot(up, normal)));
}

static ts_status change_floor(ts_arena *arena, ts_json_value *root, const ts_everyday_kind *kind, ts_quat slope,
                              ts_error *error)
{
    ts_json_value *walls = ts_json_get(root, "walls"), *old = ts_json_item(walls, 0), *made;
    const frame f = {kind->space, 1, 1, slope, vector_of(ts_json_get(old, "position"))};
    ts_json_remove(walls, old);
    if (kind->shape)
        TS_TRY(put(arena, ts_json_get(root, "shapes"), "floor", kind->shape, NULL, error));
    const char *body = kind->space ? "{\"shape\": \"floor\", \"position\": [0, 0, -0.5], \"fixed\": true}"
                                   : "{\"shape\": \"floor\", \"position\": [0, -0.5], \"fixed\": true}";
    TS_TRY(put(arena, kind->wall ? walls : ts_json_get(root, "bodies"), NULL, kind->wall ? kind->wall : body, &made,
               error));
    return move_thing(arena, made, &f, error);
}

/* Tilts bodies at random, and stretches heights so that tilted bodies that lay on each other do not overlap. */
static ts_status loosen(ts_arena *arena, ts_json_value *bodies, const ts_everyday_change *c, ts_error *error)
{
    ts_random random = ts_random_make(c->seed, 1);
    const double stretch = 1 + c->tilt * ts_random_next_range(&random, 1.5, 3);
    for (ts_json_value *body = bodies->first; body; body = body->next) {
        ts_json_value *position = ts_json_get(body, "position");
        ts_vec3 at = vector_of(position), axis = {0, 0, 1};
        if (c->space) {
            at.z *= stretch;
            axis = (ts_vec3){ts_random_next_normal(&random), ts_random_next_normal(&random), 0};
        } else
            at.y *= stretch;
        set_vector(position, at);
        const ts_quat tilt = ts_quat_from_axis_angle(axis, c->tilt * ts_random_next_range(&random, -1, 1));
        TS_TRY(set_attitude(arena, body, c->space, ts_quat_mul(tilt, attitude_of(body)), error));
    }
    return TS_OK;
}

static ts_status move_scene(ts_arena *arena, ts_json_value *root, const frame *f, ts_error *error)
{
    static const char *const lists[] = {"walls", "bodies", "drives", NULL};
    if (!ts_json_get(root, "gravity"))
        TS_TRY(put(arena, root, "gravity", f->space ? "[0, 0, -9.81]" : "[0, -9.81]", NULL, error));
    for (ts_json_value *member = root->first; member; member = member->next)
        if (strcmp(member->key, "gravity") == 0)
            move_vector(member, f, f->length / (f->time * f->time), false);
        else if (strcmp(member->key, "duration") == 0)
            member->number *= f->time;
        else if (strcmp(member->key, "shapes") == 0)
            scale_shapes(member, f);
        else if (is_one_of(member->key, lists))
            for (ts_json_value *thing = member->first; thing; thing = thing->next)
                TS_TRY(move_thing(arena, thing, f, error));
    return TS_OK;
}

ts_status ts_everyday_write(const char *scene, const ts_everyday_change *c, char **text, size_t *length, ts_quat *turn,
                            ts_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s.json", scene, c->space ? "-space" : "");
    const ts_text_file *file = ts_everyday_files;
    while (file < ts_everyday_files + ts_everyday_file_count && strcmp(file->name, name) != 0)
        file++;
    if (file == ts_everyday_files + ts_everyday_file_count)
        return ts_fail(error, TS_BAD_INPUT, "there is no scene %.100s", name);
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root;
    TS_TRY(ts_json_parse(&arena, file->text, file->length, file->name, &root, error));

    for (int i = 0; i < TS_EVERYDAY_EDITS && c->edit[i][0]; i++)
        TS_TRY(ts_read_override(&arena, root, c->edit[i], error));
    *turn = ts_quat_dot(c->turn, c->turn) > 0 ? c->turn : ts_quat_identity();
    if (c->tilt > 0)
        TS_TRY(loosen(&arena, ts_json_get(root, "bodies"), c, error));
    if (c->body)
        TS_TRY(put(&arena, ts_json_get(root, "shapes"), c->shape, c->body->shape, NULL, error));
    if (c->floor) {
        const ts_quat slope = slope_of(ts_json_item(ts_json_get(root, "walls"), 0), c->space);
        if (c->floor->upright)
            *turn = ts_quat_conjugate(slope);
        TS_TRY(change_floor(&arena, root, c->floor, slope, error));
    }
    const double size = c->size > 0 ? c->size : 1, pull = c->pull > 0 ? c->pull : 1;
    TS_TRY(move_scene(&arena, root, &(frame){c->space, size, sqrt(size / pull), *turn, c->shift}, error));
    return ts_json_write(root, text, length, error);
}
