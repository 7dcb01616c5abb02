/* SPDX-License-Identifier: MIT */
/* A resolved tree becomes a scene, one section after the other, through the same calls that a C user has. Each thing is
 * given its place first, so that compiling can still point at the line. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "scene/read.h"

ts_status ts_read_section(const ts_reader *reader, const ts_json_value *root, const char *key, ts_json_kind kind,
                          ts_read_item *read)
{
    const ts_json_value *section = ts_json_get(root, key);
    if (!section)
        return TS_OK;
    TS_TRY(ts_read_is(reader, section, kind, "scene", key));
    for (const ts_json_value *item = section->first; item; item = item->next)
        TS_TRY(read(reader, item));
    return TS_OK;
}

/* ---- The scene as a whole ---- */

ts_status ts_read_version(const ts_json_value *version, ts_error *error)
{
    if (version->kind == TS_JSON_NUMBER && version->number == TS_SCENE_FORMAT)
        return TS_OK;
    if (version->kind != TS_JSON_NUMBER)
        return ts_fail_at(error, TS_BAD_INPUT, ts_json_place(version),
                          "touchstone wants the version of the scene format, found %s; write \"touchstone\": %d",
                          ts_json_kind_name(version->kind), TS_SCENE_FORMAT);
    return ts_fail_at(error, TS_BAD_INPUT, ts_json_place(version),
                      "version %g of the scene format is not known here; this program reads version %d",
                      version->number, TS_SCENE_FORMAT);
}

/* Text, or a list of texts. */
static ts_status check_texts(const ts_reader *reader, const ts_json_value *value, const char *key)
{
    if (!value || value->kind == TS_JSON_TEXT)
        return TS_OK;
    if (value->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, value, "scene", key, "text or a list of texts");
    for (const ts_json_value *item = value->first; item; item = item->next)
        TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, "scene", key));
    return TS_OK;
}

/* Whether the scene is of space; "plane" is what it is by default. */
static ts_status read_space(const ts_reader *reader, const ts_json_value *space, bool *is_space)
{
    *is_space = false;
    if (!space)
        return TS_OK;
    TS_TRY(ts_read_is(reader, space, TS_JSON_TEXT, "scene", "space"));
    *is_space = strcmp(space->text, "space") == 0;
    if (!*is_space && strcmp(space->text, "plane") != 0)
        return ts_read_fail(reader, space, "scene: space is \"plane\" or \"space\", where bodies live");
    return TS_OK;
}

/* Makes the scene one of space. */
static ts_status set_space(const ts_reader *reader, const ts_json_value *root, ts_space_def *space)
{
    const ts_json_value *camera = ts_json_get(root, "camera");
    if (camera) {
        TS_TRY(ts_read_object(reader, camera, &ts_form_camera, &space->camera));
        const char *missing = !ts_json_get(camera, "target") ? "target" : "position";
        if (!ts_json_get(camera, "position") != !ts_json_get(camera, "target"))
            return ts_read_fail(reader, camera, "camera: it has no \"%s\"; give both position and target, or neither",
                                missing);
        const double *p = space->camera.position, *t = space->camera.target;
        if (ts_json_get(camera, "position") && p[0] == t[0] && p[1] == t[1] && p[2] == t[2])
            return ts_read_fail(reader, camera,
                                "camera: position and target are the same; move one of them, or leave "
                                "both out for a camera that frames everything");
    }
    ts_scene_at(reader->scene, ts_json_place(camera ? camera : ts_json_get(root, "space")));
    return ts_scene_set_space(reader->scene, space, reader->error);
}

static ts_status read_geometry(const ts_reader *reader, const ts_json_value *geometry)
{
    if (!geometry)
        return TS_OK;
    TS_TRY(ts_read_object(reader, geometry, &ts_form_geometry, NULL));
    const ts_json_value *kind = ts_json_get(geometry, "kind");
    TS_TRY(ts_read_is(reader, kind, TS_JSON_TEXT, "geometry", "kind"));
    if (strcmp(kind->text, "analytic") != 0)
        return ts_read_fail(reader, kind, "geometry: unknown kind; this version has \"analytic\"");
    return TS_OK;
}

static ts_status read_output(const ts_reader *reader, const ts_json_value *output, ts_settings *settings)
{
    if (!output)
        return TS_OK;
    TS_TRY(ts_read_object(reader, output, reader->scene->is_space ? &ts_form_output3 : &ts_form_output, settings));
    TS_TRY(ts_read_measures(reader, ts_json_get(output, "measures"), settings));
    const ts_json_value *rate = ts_json_get(output, "frame_rate");
    if (!rate)
        return TS_OK;
    if (ts_json_get(output, "frame_interval"))
        return ts_read_fail(reader, rate, "output: frame_rate and frame_interval say the same thing; give one of them");
    static const ts_field field = {"frame_rate", TS_FIELD_NUMBER, TS_QUANTITY_FREQUENCY, TS_RANGE_POSITIVE, 0, 0};
    double frequency;
    TS_TRY(ts_read_number(reader, rate, "output", &field, &frequency));
    settings->frame_interval = 1 / frequency;
    return TS_OK;
}

static bool knows(const ts_form *form, const char *key)
{
    for (size_t i = 0; i < form->field_count; i++)
        if (strcmp(form->field[i].key, key) == 0)
            return true;
    return false;
}

/* Who writes a key of the other kind of scene has most often forgotten to say which kind it is. */
static ts_status check_sections(const ts_reader *reader, const ts_json_value *root, bool is_space)
{
    const ts_form *own = is_space ? &ts_form_scene3 : &ts_form_scene,
                  *other = is_space ? &ts_form_scene : &ts_form_scene3;
    for (const ts_json_value *member = root->first; member; member = member->next)
        if (!knows(own, member->key) && knows(other, member->key))
            return ts_fail_at(reader->error, TS_BAD_INPUT, ts_json_key_place(member),
                              is_space
                                  ? "scene: \"%s\" is for scenes of the plane, but this one is of space; leave it out"
                                  : "scene: \"%s\" is for scenes of space; write \"space\": \"space\", or leave it out",
                              member->key);
    return TS_OK;
}

static ts_status read_settings(const ts_reader *reader, const ts_json_value *root)
{
    const ts_json_value *version = ts_json_get(root, "touchstone");
    if (!version)
        return ts_read_fail(reader, root, "scene: it has no version of the format; add \"touchstone\": %d",
                            TS_SCENE_FORMAT);
    TS_TRY(ts_read_version(version, reader->error));
    bool is_space;
    ts_space_values values = {ts_default_settings(), ts_default_space()};
    TS_TRY(read_space(reader, ts_json_get(root, "space"), &is_space));
    TS_TRY(check_sections(reader, root, is_space));
    TS_TRY(ts_read_object(reader, root, is_space ? &ts_form_scene3 : &ts_form_scene, &values));
    if (is_space)
        TS_TRY(set_space(reader, root, &values.space));
    const ts_json_value *title = ts_json_get(root, "title");
    if (title)
        TS_TRY(ts_read_is(reader, title, TS_JSON_TEXT, "scene", "title"));
    TS_TRY(check_texts(reader, ts_json_get(root, "notes"), "notes"));
    TS_TRY(read_geometry(reader, ts_json_get(root, "geometry")));
    TS_TRY(read_output(reader, ts_json_get(root, "output"), &values.settings));

    /* What compiling finds wrong with the settings is most often the time step. */
    const ts_json_value *step = ts_json_get(root, "time_step");
    ts_scene_at(reader->scene, ts_json_place(step ? step : root));
    return ts_scene_set(reader->scene, &values.settings, reader->error);
}

static ts_status read_dynamics(const ts_reader *reader, const ts_json_value *dynamics)
{
    if (!dynamics)
        return TS_OK;
    bool space = reader->scene->is_space;
    ts_dynamics_values values = {ts_default_dynamics(), ts_default_material()};
    if (space)
        values.def.kind = "impact";
    TS_TRY(ts_read_object(reader, dynamics, space ? &ts_form_dynamics3 : &ts_form_dynamics, &values));
    const ts_json_value *kind = ts_json_get(dynamics, "kind");
    if (kind) {
        TS_TRY(ts_read_is(reader, kind, TS_JSON_TEXT, "dynamics", "kind"));
        if (!ts_dynamics_find(kind->text))
            return ts_read_fail(reader, kind, "dynamics: unknown kind; choose one of: %s",
                                ts_dynamics_names((char[256]){0}, 256));
        values.def.kind = kind->text;
    }
    ts_scene_at(reader->scene, ts_json_place(dynamics));
    TS_TRY(ts_scene_set_dynamics(reader->scene, &values.def, reader->error));
    ts_scene_at(reader->scene, ts_json_place(dynamics));
    return ts_scene_set_default_material(reader->scene, &values.material, reader->error);
}

/* ---- Materials ---- */

static ts_status read_material(const ts_reader *reader, const ts_json_value *item)
{
    ts_material_def def = ts_default_material();
    TS_TRY(ts_read_object(reader, item, reader->scene->is_space ? &ts_form_material3 : &ts_form_material, &def));
    if (strcmp(item->key, "default") == 0)
        return ts_fail_at(reader->error, TS_BAD_INPUT, ts_json_key_place(item),
                          "material: \"default\" is what things without a material have; set it in \"dynamics\"");
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_material(reader->scene, item->key, &def, NULL, reader->error);
}

static ts_status read_pair(const ts_reader *reader, const ts_json_value *item)
{
    const char *what = ts_form_material_pair.what;
    ts_material_def def = ts_default_material();
    TS_TRY(
        ts_read_object(reader, item, reader->scene->is_space ? &ts_form_material_pair3 : &ts_form_material_pair, &def));
    const ts_json_value *between = ts_json_get(item, "between");
    if (between->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, between, what, "between", "a list of two materials");
    if (between->count != 2)
        return ts_read_fail(reader, between, "%s: between wants a list of two materials, found %u", what,
                            between->count);
    int32_t a, b;
    TS_TRY(ts_read_material(reader, between->first, what, &a));
    TS_TRY(ts_read_material(reader, between->first->next, what, &b));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_set_pair(reader->scene, a, b, &def, reader->error);
}

/* ---- Bodies, boundaries, drives ---- */

static ts_status read_body(const ts_reader *reader, const ts_json_value *item)
{
    ts_body_def def = ts_default_body();
    TS_TRY(ts_read_object(reader, item, &ts_form_body, &def));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_body(reader->scene, &def, NULL, reader->error);
}

static ts_status read_polyline(const ts_reader *reader, const ts_json_value *item, const char *what,
                               ts_boundary_def *def)
{
    ts_vertex *vertex;
    TS_TRY(ts_read_points(reader, ts_json_get(item, "points"), what, "points", 2, &vertex, &def->line.vertex_count));
    def->line.vertex = vertex;
    const ts_json_value *closed = ts_json_get(item, "closed");
    if (closed)
        TS_TRY(ts_read_is(reader, closed, TS_JSON_BOOLEAN, what, "closed"));
    def->line.open = !(closed && closed->boolean);
    return TS_OK;
}

/* Which side of an outline bodies stay on. */
static ts_status read_keep(const ts_reader *reader, const ts_json_value *keep, const char *what, ts_boundary_def *def)
{
    if (!keep)
        return TS_OK;
    def->inside = keep->kind == TS_JSON_TEXT && strcmp(keep->text, "inside") == 0;
    if (!def->inside && !(keep->kind == TS_JSON_TEXT && strcmp(keep->text, "outside") == 0))
        return ts_read_fail(reader, keep, "%s: keep is \"outside\" or \"inside\": where bodies stay", what);
    return TS_OK;
}

static ts_status read_boundary(const ts_reader *reader, const ts_json_value *item)
{
    ts_boundary_def def = ts_default_boundary();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "boundary", ts_form_boundary, TS_BOUNDARY_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_boundary_kind)(form - ts_form_boundary + 1);
    const ts_json_value *normal = ts_json_get(item, "normal");
    if (normal && def.normal[0] == 0 && def.normal[1] == 0)
        return ts_read_fail(reader, normal,
                            "half-plane: the normal is zero; give the direction towards the bodies, as in [0, 1]");
    if (def.kind == TS_BOUNDARY_POLYLINE)
        TS_TRY(read_polyline(reader, item, form->what, &def));
    if (def.kind == TS_BOUNDARY_OUTLINE)
        TS_TRY(read_keep(reader, ts_json_get(item, "keep"), form->what, &def));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_boundary(reader->scene, &def, NULL, reader->error);
}

ts_status ts_read_keyframes(const ts_reader *reader, const ts_json_value *keys, const ts_form *form, size_t size,
                            void **key)
{
    TS_TRY(ts_read_is(reader, keys, TS_JSON_ARRAY, "keyframes drive", "keys"));
    if (keys->count < 2)
        return ts_read_fail(reader, keys, "keyframes drive: keys has %u of them; give at least 2", keys->count);
    char *to = ts_arena_alloc(reader->arena, keys->count, size);
    if (!to)
        return ts_fail_memory(reader->error, keys->count * size);
    *key = to;
    double time = 0, before = 0;
    for (const ts_json_value *item = keys->first; item; item = item->next, before = time, to += size) {
        TS_TRY(ts_read_object(reader, item, form, to));
        memcpy(&time, to, sizeof time);
        if (item != keys->first && !(time > before))
            return ts_read_fail(reader, item,
                                "keyframe: its time, %g s, is not after the one before, %g s; sort them by time", time,
                                before);
    }
    return TS_OK;
}

static ts_status read_drive(const ts_reader *reader, const ts_json_value *item)
{
    ts_drive_def def = ts_default_drive();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "drive", ts_form_drive, TS_DRIVE_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_drive_kind)(form - ts_form_drive + 1);
    const ts_json_value *keys = ts_json_get(item, "keys");
    if (def.kind == TS_DRIVE_KEYFRAMES) {
        void *key = NULL;
        TS_TRY(ts_read_keyframes(reader, keys, &ts_form_keyframe, sizeof *def.key, &key));
        def.key = key;
        def.key_count = keys->count;
    }
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_drive(reader->scene, &def, NULL, reader->error);
}

ts_status ts_read_scene(const ts_reader *with, const ts_json_value *root)
{
    ts_group *group = NULL;
    ts_reader own = *with, *reader = &own;
    size_t made = 0;
    own.group = &group;
    own.made = &made;
    TS_TRY(read_settings(reader, root));
    TS_TRY(read_dynamics(reader, ts_json_get(root, "dynamics")));
    TS_TRY(ts_read_section(reader, root, "materials", TS_JSON_OBJECT, read_material));
    TS_TRY(ts_read_section(reader, root, "material_pairs", TS_JSON_ARRAY, read_pair));
    if (reader->scene->is_space)
        return ts_read_space(reader, root);
    TS_TRY(ts_read_map(reader, ts_json_get(root, "map")));
    const ts_json_value *shapes = ts_json_get(root, "shapes");
    if (shapes)
        TS_TRY(ts_read_shapes(reader, shapes));
    TS_TRY(ts_read_section(reader, root, "bodies", TS_JSON_ARRAY, read_body));
    TS_TRY(ts_read_section(reader, root, "boundaries", TS_JSON_ARRAY, read_boundary));
    TS_TRY(ts_read_section(reader, root, "generators", TS_JSON_ARRAY, ts_read_generator));
    return ts_read_section(reader, root, "drives", TS_JSON_ARRAY, read_drive);
}
