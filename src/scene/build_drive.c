/* SPDX-License-Identifier: MIT */
/* Adding drives to a scene. */
#include <math.h>

#include "scene/build.h"

static ts_status check_keyframes(const ts_check *c, const ts_drive_def *def)
{
    if (def->key_count < 2 || !def->key)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "drive: it has %zu keyframes; give at least 2",
                          def->key ? def->key_count : 0);
    for (size_t i = 0; i < def->key_count; i++) {
        TS_TRY(ts_check_not_negative(c, "a keyframe's time", def->key[i].time));
        TS_TRY(ts_build_vector(c, "a keyframe's displacement", def->key[i].displacement));
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
        TS_TRY(ts_build_vector(c, "amplitude", def->amplitude));
        TS_TRY(ts_check_number(c, "angle_amplitude", def->angle_amplitude));
        TS_TRY(ts_check_not_negative(c, "frequency", def->frequency));
        return ts_check_number(c, "phase", def->phase);
    case TS_DRIVE_KEYFRAMES:
        return check_keyframes(c, def);
    case TS_DRIVE_GATE:
        return TS_OK;
    case TS_DRIVE_VELOCITY:
        return ts_build_vector(c, "velocity", def->velocity);
    }
    return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                      "drive: kind %d is unknown; choose rotation, oscillation, keyframes, gate or velocity",
                      (int)def->kind);
}

/* What all drives have: a target, and a span of time. */
static ts_status check_span(const ts_check *c, const char *target, double start, double end)
{
    if (!target || !target[0])
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "drive: it has no target; name a body, a wall or a generator");
    TS_TRY(ts_check_not_negative(c, "start", start));
    if (!(isinf(end) && end > 0))
        TS_TRY(ts_check_number(c, "end", end));
    if (!(end > start))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place, "drive: it ends at %g s, not after its start at %g s", end,
                          start);
    return TS_OK;
}

/* All three numbers, or none; in the plane x and y say which. */
static ts_status check_pivot(const ts_check *c, double pivot[3])
{
    for (int i = c->in->axes; i < 3; i++)
        if (isnan(pivot[i]) && !(isnan(pivot[0]) && isnan(pivot[1])))
            pivot[i] = 0;
    int missing = !!isnan(pivot[0]) + !!isnan(pivot[1]) + !!isnan(pivot[2]);
    if (missing == 3)
        return TS_OK;
    if (missing > 0)
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "drive: a component of the pivot is not a number; give all of them, or none");
    return ts_build_vector(c, "pivot", pivot);
}

static ts_status check_axis(const ts_check *c, double axis[3])
{
    TS_TRY(ts_check_vector3(c, "axis", axis));
    if (!ts_build_unit(axis, 3))
        return ts_fail_at(c->error, TS_BAD_INPUT, c->place,
                          "drive: the axis is zero; give a direction, such as (0, 0, 1)");
    for (int i = 0; i < 3 - c->in->turns; i++)
        if (axis[i] != 0)
            return ts_fail_at(
                c->error, TS_BAD_INPUT, c->place,
                "drive: its axis leaves the plane; give (0, 0, 1) or (0, 0, -1), or call ts_scene_set_space "
                "first");
    return TS_OK;
}

ts_status ts_scene_add_drive(ts_scene *scene, const ts_drive_def *def, int32_t *index, ts_error *error)
{
    TS_TRY(ts_build_arguments(scene, def, "drive", error));
    ts_check c = ts_build_check(scene, "drive", error);
    TS_TRY(ts_check_cookie(&c, def->cookie, TS_COOKIE_DRIVE, "ts_default_drive"));
    ts_scene_drive item = {*def, c.place};
    TS_TRY(check_span(&c, def->target, def->start, def->end));
    TS_TRY(check_pivot(&c, item.def.pivot));
    TS_TRY(check_axis(&c, item.def.axis));
    TS_TRY(check_drive_kind(&c, def));
    TS_TRY(ts_array_reserve(&scene->drive, scene->drive.count + 1, error));
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
    ts_build_index(NULL, NULL, TS_NAME_NONE, scene->drive.count, index);
    scene->drive.item[scene->drive.count++] = item;
    return TS_OK;
}
