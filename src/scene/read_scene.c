/* SPDX-License-Identifier: MIT */
/* A resolved tree becomes a scene, one section after the other, through the same calls that a C user has. Each thing is
 * given its place first, so that compiling can still point at the line. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "scene/build.h"
#include "scene/read.h"

/* A section that is a list, or one that is an object of named things; a missing one is empty. */
static ts_status read_section(const ts_reader *reader, const ts_json_value *root, const char *key, ts_json_kind kind,
                              ts_status (*read)(const ts_reader *, const ts_json_value *))
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

ts_status ts_read_dimension(const ts_reader *reader, const ts_json_value *root, const ts_dimension **in)
{
    const ts_json_value *word = ts_json_get(root, "space");
    *in = &ts_in_plane;
    if (!word)
        return TS_OK;
    TS_TRY(ts_read_is(reader, word, TS_JSON_TEXT, "scene", "space"));
    if (strcmp(word->text, "space") == 0)
        *in = &ts_in_space;
    else if (strcmp(word->text, "plane") != 0)
        return ts_read_fail(reader, word, "scene: space is \"plane\" or \"space\", where bodies live");
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
    TS_TRY(ts_read_object(reader, output, &ts_form_output, settings));
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

static ts_status read_settings(const ts_reader *reader, const ts_json_value *root)
{
    const ts_json_value *version = ts_json_get(root, "touchstone");
    if (!version)
        return ts_read_fail(reader, root, "scene: it has no version of the format; add \"touchstone\": %d",
                            TS_SCENE_FORMAT);
    TS_TRY(ts_read_version(version, reader->error));
    ts_scene_values values = {ts_default_settings(), ts_default_space()};
    TS_TRY(ts_read_object(reader, root, &ts_form_scene, &values));
    if (reader->in == &ts_in_space)
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

static ts_status unknown_dynamics(const ts_reader *reader, const ts_json_value *kind)
{
    enum { MOST = 16 };
    const char *candidate[MOST];
    size_t count = 0;
    for (const ts_dynamics *d; count < MOST && (d = ts_dynamics_at(count)); count++)
        candidate[count] = d->name;
    char quote[TS_QUOTE_SIZE];
    ts_quote(kind->text, quote, sizeof quote);
    const char *nearest = ts_nearest_name(kind->text, candidate, count);
    if (nearest)
        return ts_read_fail(reader, kind, "dynamics: unknown kind \"%s\"; did you mean \"%s\"?", quote, nearest);
    return ts_read_fail(reader, kind, "dynamics: unknown kind \"%s\"; choose one of: %s", quote,
                        ts_dynamics_names((char[256]){0}, 256));
}

static ts_status read_dynamics(const ts_reader *reader, const ts_json_value *dynamics)
{
    if (!dynamics)
        return TS_OK;
    if (dynamics->kind != TS_JSON_OBJECT)
        return ts_read_fail(reader, dynamics, "dynamics: wanted an object, { … }, found %s",
                            ts_json_kind_name(dynamics->kind));
    const ts_dynamics *chosen = ts_dynamics_default(reader->in->axes);
    const ts_json_value *kind = ts_json_get(dynamics, "kind");
    if (kind) {
        TS_TRY(ts_read_is(reader, kind, TS_JSON_TEXT, "dynamics", "kind"));
        chosen = ts_dynamics_find(kind->text);
        if (!chosen)
            return unknown_dynamics(reader, kind);
    }
    ts_dynamics_form made;
    ts_dynamics_form_make(chosen, &made);
    for (const ts_json_value *member = dynamics->first; member; member = member->next)
        if (!ts_field_find(made.field, made.form.field_count, member->key) && ts_dynamics_of_key(member->key))
            return ts_dynamics_fail_key(&(ts_check){reader->error, ts_json_key_place(member), "dynamics", reader->in},
                                        chosen, member->key);
    ts_dynamics_values *values = ts_arena_alloc(reader->arena, 1, TS_DYNAMICS_PARAM + chosen->param_bytes);
    if (!values)
        return ts_fail_memory(reader->error, TS_DYNAMICS_PARAM + chosen->param_bytes);
    void *param = (char *)values + TS_DYNAMICS_PARAM;
    *values = (ts_dynamics_values){NULL, ts_default_material()};
    if (chosen->param_bytes > 0)
        memcpy(param, chosen->defaults, chosen->param_bytes);
    TS_TRY(ts_read_object(reader, dynamics, &made.form, values));
    ts_scene_at(reader->scene, ts_json_place(dynamics));
    const ts_check c = ts_build_check(reader->scene, "dynamics", reader->error);
    TS_TRY(ts_scene_put_dynamics(reader->scene, chosen, param, values->places, &c));
    ts_scene_at(reader->scene, ts_json_place(dynamics));
    return ts_scene_set_default_material(reader->scene, &values->material, reader->error);
}

/* ---- Materials ---- */

static ts_status read_material(const ts_reader *reader, const ts_json_value *item)
{
    ts_material_def def = ts_default_material();
    TS_TRY(ts_read_object(reader, item, &ts_form_material, &def));
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
    TS_TRY(ts_read_object(reader, item, &ts_form_material_pair, &def));
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

/* ---- Shapes ---- */

static ts_status read_plane_shapes(const ts_reader *reader, const ts_json_value *root)
{
    const ts_json_value *shapes = ts_json_get(root, "shapes");
    return shapes ? ts_read_shapes(reader, shapes) : TS_OK;
}

static ts_status read_solids(const ts_reader *reader, const ts_json_value *root)
{
    return read_section(reader, root, "shapes", TS_JSON_OBJECT, ts_read_solid);
}

static ts_status (*const read_shapes[])(const ts_reader *, const ts_json_value *) = {read_plane_shapes, read_solids};

/* ---- All of it ---- */

ts_status ts_read_scene(const ts_reader *with, const ts_json_value *root)
{
    ts_group *group = NULL;
    ts_reader own = *with, *reader = &own;
    size_t made = 0;
    own.group = &group;
    own.made = &made;
    TS_TRY(read_settings(reader, root));
    TS_TRY(read_dynamics(reader, ts_json_get(root, "dynamics")));
    TS_TRY(read_section(reader, root, "materials", TS_JSON_OBJECT, read_material));
    TS_TRY(read_section(reader, root, "material_pairs", TS_JSON_ARRAY, read_pair));
    TS_TRY(ts_read_map(reader, ts_json_get(root, "map")));
    TS_TRY(ts_read_manifold(reader, ts_json_get(root, "manifold")));
    TS_TRY(read_shapes[reader->in->axes - 2](reader, root));
    TS_TRY(read_section(reader, root, "bodies", TS_JSON_ARRAY, ts_read_body));
    TS_TRY(read_section(reader, root, "walls", TS_JSON_ARRAY, ts_read_wall));
    TS_TRY(read_section(reader, root, "springs", TS_JSON_ARRAY, ts_read_spring));
    TS_TRY(read_section(reader, root, "generators", TS_JSON_ARRAY, ts_read_generator));
    return read_section(reader, root, "drives", TS_JSON_ARRAY, ts_read_drive);
}
