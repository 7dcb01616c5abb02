/* SPDX-License-Identifier: MIT */
/* Bodies, walls, springs and drives of a scene file. */
#include <string.h>

#include "scene/read.h"

ts_status ts_read_body(const ts_reader *reader, const ts_json_value *item)
{
    ts_body_def def = ts_default_body();
    TS_TRY(ts_read_object(reader, item, &ts_form_body, &def));
    TS_TRY(ts_read_attitude(reader, ts_json_get(item, "attitude"), ts_form_body.what, def.attitude));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_body(reader->scene, &def, NULL, reader->error);
}

/* ---- Walls ---- */

/* Which side of an outline bodies stay on. */
static ts_status read_keep(const ts_reader *reader, const ts_json_value *keep, const char *what, ts_wall_def *def)
{
    if (!keep)
        return TS_OK;
    def->inside = keep->kind == TS_JSON_TEXT && strcmp(keep->text, "inside") == 0;
    if (!def->inside && !(keep->kind == TS_JSON_TEXT && strcmp(keep->text, "outside") == 0))
        return ts_read_fail(reader, keep, "%s: keep is \"outside\" or \"inside\": where bodies stay", what);
    return TS_OK;
}

/* Refuses a direction that is zero. */
static ts_status check_direction(const ts_reader *reader, const ts_json_value *value, const char *what,
                                 const double direction[3])
{
    for (int i = 0; i < reader->in->axes; i++)
        if (!value || direction[i] != 0)
            return TS_OK;
    return ts_read_fail(reader, value, "%s: the %s is zero; give a direction, as in [%s]", what, value->key,
                        reader->in->up);
}

ts_status ts_read_corners(const ts_reader *reader, const ts_json_value *value, const char *what, const double low[3],
                          const double high[3])
{
    for (int i = 0; i < reader->in->axes; i++)
        if (!(low[i] < high[i]))
            return ts_read_fail(reader, value, "%s: it is empty, %c goes from %g to %g; give the lower number first",
                                what, "xyz"[i], low[i], high[i]);
    return TS_OK;
}

ts_status ts_read_wall(const ts_reader *reader, const ts_json_value *item)
{
    ts_wall_values v = {.def = ts_default_wall()};
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "wall", ts_form_wall, TS_WALL_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &v));
    v.def.kind = (ts_wall_kind)form->value;
    TS_TRY(check_direction(reader, ts_json_get(item, "normal"), form->what, v.def.normal));
    TS_TRY(check_direction(reader, ts_json_get(item, "axis"), form->what, v.def.normal));
    if (v.def.kind == TS_WALL_POLYLINE)
        TS_TRY(ts_read_line(reader, item, form->what, &v.def.line));
    if (v.def.kind == TS_WALL_OUTLINE)
        TS_TRY(read_keep(reader, ts_json_get(item, "keep"), form->what, &v.def));
    if (v.def.kind == TS_WALL_ROOM) {
        TS_TRY(ts_read_corners(reader, ts_json_get(item, "high"), form->what, v.low, v.high));
        for (int i = 0; i < 3; i++) {
            v.def.position[i] = v.low[i];
            v.def.size[i] = v.high[i] - v.low[i];
        }
    }
    TS_TRY(ts_read_attitude(reader, ts_json_get(item, "attitude"), form->what, v.def.attitude));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_wall(reader->scene, &v.def, NULL, reader->error);
}

/* ---- Springs ---- */

ts_status ts_read_spring(const ts_reader *reader, const ts_json_value *item)
{
    ts_spring_def def = ts_default_spring();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "spring", ts_form_spring, TS_SPRING_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_spring_kind)form->value;
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_spring(reader->scene, &def, NULL, reader->error);
}

/* ---- Drives ---- */

static ts_status read_keyframes(const ts_reader *reader, const ts_json_value *keys, ts_drive_def *def)
{
    TS_TRY(ts_read_is(reader, keys, TS_JSON_ARRAY, "keyframes drive", "keys"));
    if (keys->count < 2)
        return ts_read_fail(reader, keys, "keyframes drive: keys has %u of them; give at least 2", keys->count);
    ts_keyframe *key = ts_arena_alloc(reader->arena, keys->count, sizeof *key);
    if (!key)
        return ts_fail_memory(reader->error, keys->count * sizeof *key);
    def->key = key;
    def->key_count = keys->count;
    for (const ts_json_value *item = keys->first; item; item = item->next, key++) {
        TS_TRY(ts_read_object(reader, item, &ts_form_keyframe, key));
        if (item != keys->first && !(key->time > key[-1].time))
            return ts_read_fail(reader, item,
                                "keyframe: its time, %g s, is not after the one before, %g s; sort them by time",
                                key->time, key[-1].time);
    }
    return TS_OK;
}

ts_status ts_read_drive(const ts_reader *reader, const ts_json_value *item)
{
    ts_drive_def def = ts_default_drive();
    const ts_form *form;
    TS_TRY(ts_read_kind(reader, item, "drive", ts_form_drive, TS_DRIVE_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, item, form, &def));
    def.kind = (ts_drive_kind)form->value;
    TS_TRY(check_direction(reader, ts_json_get(item, "axis"), form->what, def.axis));
    if (def.kind == TS_DRIVE_KEYFRAMES)
        TS_TRY(read_keyframes(reader, ts_json_get(item, "keys"), &def));
    ts_scene_at(reader->scene, ts_json_place(item));
    return ts_scene_add_drive(reader->scene, &def, NULL, reader->error);
}
