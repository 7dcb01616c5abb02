/* SPDX-License-Identifier: MIT */
/* Bodies, walls, springs, generators and drives of a scene of space. Its settings and materials are read as in the plane (read_scene.c),
 * its shapes in read_solid.c. */
#include <string.h>

#include "scene/read.h"

/* Refuses a direction that is zero. */
static ts_status check_direction(const ts_reader *reader, const ts_json_value *value, const char *what, const char *key,
                                 const double direction[3])
{
    if (value && direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
        return ts_read_fail(reader, value, "%s: the %s is zero; give a direction, as in [0, 0, 1]", what, key);
    return TS_OK;
}

/* Refuses corners of which the first is not below the second in all three. */
static ts_status check_corners(const ts_reader *reader, const ts_json_value *value, const char *what,
                               const double low[3], const double high[3])
{
    for (int i = 0; i < 3; i++)
        if (!(low[i] < high[i]))
            return ts_read_fail(reader, value, "%s: it is empty, %c goes from %g to %g; give the lower number first",
                                what, "xyz"[i], low[i], high[i]);
    return TS_OK;
}

static ts_status read_body(const ts_reader *reader, const ts_json_value *item)
{
    ts_body3_def def = ts_default_body3();
    TS_TRY(ts_read_object(reader, item, &ts_form_body3, &def));
    TS_TRY(ts_read_attitude(reader, ts_json_get(item, "attitude"), ts_form_body3.what, def.attitude));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_body3(reader->scene, &def, NULL, reader->error);
}

static ts_status read_wall(const ts_reader *reader, const ts_json_value *item)
{
    ts_wall3_values v = {.def = ts_default_wall3()};
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "boundary", ts_form_wall3, TS_WALL3_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &v));
    v.def.kind = (ts_wall3_kind)(form - ts_form_wall3 + 1);
    TS_TRY(check_direction(reader, ts_json_get(item, "normal"), form->what, "normal", v.def.normal));
    TS_TRY(check_direction(reader, ts_json_get(item, "axis"), form->what, "axis", v.def.normal));
    if (v.def.kind == TS_WALL3_ROOM) {
        TS_TRY(check_corners(reader, ts_json_get(item, "high"), form->what, v.low, v.high));
        for (int i = 0; i < 3; i++) {
            v.def.point[i] = v.low[i];
            v.def.size[i] = v.high[i] - v.low[i];
        }
    }
    TS_TRY(ts_read_attitude(reader, ts_json_get(item, "attitude"), form->what, v.def.attitude));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_wall3(reader->scene, &v.def, NULL, reader->error);
}

static ts_status read_spring(const ts_reader *reader, const ts_json_value *item)
{
    ts_spring3_def def = ts_default_spring3();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "spring", ts_form_spring3, TS_SPRING3_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_spring3_kind)(form - ts_form_spring3);
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_spring3(reader->scene, &def, NULL, reader->error);
}

/* ---- Generators ---- */

static ts_status read_box(const ts_reader *reader, const ts_json_value *box, ts_generator3_def *def)
{
    static const ts_field field = {"box", TS_FIELD_NUMBER, TS_QUANTITY_LENGTH, TS_RANGE_ANY, 0, 0};
    const char *wanted = "a list of six lengths, [x0, y0, z0, x1, y1, z1]";
    if (box->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, box, "region", "box", wanted);
    if (box->count != 6)
        return ts_read_fail(reader, box, "region: box wants %s, found %u", wanted, box->count);
    const ts_json_value *item = box->first;
    for (int i = 0; i < 6; i++, item = item->next)
        TS_TRY(ts_read_number(reader, item, "region", &field, i < 3 ? &def->low[i] : &def->high[i - 3]));
    return check_corners(reader, box, "region", def->low, def->high);
}

static ts_status read_region(const ts_reader *reader, const ts_json_value *region, ts_generator3_def *def)
{
    TS_TRY(ts_read_object(reader, region, &ts_form_region3, NULL));
    const ts_json_value *box = ts_json_get(region, "box"), *cylinder = ts_json_get(region, "cylinder");
    if (!box == !cylinder)
        return ts_read_fail(reader, region, "region: it wants either \"box\" or \"cylinder\", found %s",
                            box ? "both" : "neither");
    if (box)
        return read_box(reader, box, def);
    ts_cylinder_values v = {0};
    TS_TRY(ts_read_object(reader, cylinder, &ts_form_region_cylinder, &v));
    const double half[3] = {v.radius, v.radius, 0.5 * v.length};
    for (int i = 0; i < 3; i++) {
        def->low[i] = v.point[i] - half[i];
        def->high[i] = v.point[i] + half[i];
    }
    def->radius = v.radius;
    return check_corners(reader, cylinder, "region", def->low, def->high);
}

static ts_status read_generator(const ts_reader *reader, const ts_json_value *item)
{
    ts_generator3_def def = ts_default_generator3();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "generator", ts_form_generator3, TS_GENERATOR3_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.fill = (ts_fill_kind)(form - ts_form_generator3 + 1);
    TS_TRY(read_region(reader, ts_json_get(item, "region"), &def));
    TS_TRY(ts_read_count(reader, ts_json_get(item, "count"), form->what, &def.count));
    TS_TRY(ts_read_mix(reader, item, form->what, &def.mix, &def.mix_count));
    const ts_json_value *attitudes = ts_json_get(item, "attitudes");
    if (attitudes) {
        const char *word = attitudes->kind == TS_JSON_TEXT ? attitudes->text : "";
        def.random_attitude = strcmp(word, "random") == 0;
        if (!def.random_attitude && strcmp(word, "upright") != 0)
            return ts_read_fail(reader, attitudes, "%s: attitudes is \"random\" or \"upright\"", form->what);
    }
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_generator3(reader->scene, &def, NULL, reader->error);
}

/* ---- Drives ---- */

static ts_status read_drive(const ts_reader *reader, const ts_json_value *item)
{
    ts_drive3_def def = ts_default_drive3();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "drive", ts_form_drive3, TS_DRIVE_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_drive_kind)(form - ts_form_drive3 + 1);
    TS_TRY(check_direction(reader, ts_json_get(item, "axis"), form->what, "axis", def.axis));
    const ts_json_value *keys = ts_json_get(item, "keys");
    if (def.kind == TS_DRIVE_KEYFRAMES) {
        void *key = NULL;
        TS_TRY(ts_read_keyframes(reader, keys, &ts_form_keyframe3, sizeof *def.key, &key));
        def.key = key;
        def.key_count = keys->count;
    }
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_drive3(reader->scene, &def, NULL, reader->error);
}

ts_status ts_read_space(const ts_reader *reader, const ts_json_value *root)
{
    TS_TRY(ts_read_section(reader, root, "shapes", TS_JSON_OBJECT, ts_read_solid));
    TS_TRY(ts_read_section(reader, root, "bodies", TS_JSON_ARRAY, read_body));
    TS_TRY(ts_read_section(reader, root, "boundaries", TS_JSON_ARRAY, read_wall));
    TS_TRY(ts_read_section(reader, root, "springs", TS_JSON_ARRAY, read_spring));
    TS_TRY(ts_read_section(reader, root, "generators", TS_JSON_ARRAY, read_generator));
    return ts_read_section(reader, root, "drives", TS_JSON_ARRAY, read_drive);
}
