/* SPDX-License-Identifier: MIT */
/* Poses of two bodies, from the command line and from files. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/manifold.h"
#include "cli/subjects.h"
#include "scene/json.h"
#include "scene/units.h"

/* Larger files of poses are a slip. */
#define POSES_BYTES_MAX ((size_t)1 << 30)
#define NUMBERS_MAX     14

static const char *const forms =
    "three numbers x,y,z [m], then nothing, a quaternion w,x,y,z, or an axis x,y,z and an angle with its unit, as in "
    "0,0,0.2,0,0,1,45deg";

/* ---- Numbers ---- */

static bool has_unit(const char *text, size_t length)
{
    double ignored;
    return ts_parse_number(text, length, &ignored) != length;
}

ts_status ts_manifold_number(const char *text, size_t length, ts_quantity quantity, ts_place place, double *value,
                             ts_error *error)
{
    char copy[64];
    while (length > 0 && strchr(" \t\r", *text)) {
        text++;
        length--;
    }
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    if (length == 0 || length >= sizeof copy)
        return ts_fail_at(error, TS_BAD_INPUT, place, "a number is %s", length ? "too long" : "missing");
    if (!has_unit(text, length)) {
        ts_parse_number(text, length, value);
        return TS_OK;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    return ts_quantity_parse(copy, quantity, place, value, error);
}

/* Of one body, from 3 or 7 numbers; `turned`: the last four are an axis and an angle. */
static ts_status make_pose(const double *number, size_t count, bool turned, ts_place place, ts_manifold_pose *pose,
                           ts_error *error)
{
    ts_quat q = ts_quat_identity();
    if (count == 7) {
        const ts_vec3 axis = ts_vec3_of(number + 3);
        q = (ts_quat){number[3], number[4], number[5], number[6]};
        const double length = turned ? ts_vec3_length(axis) : sqrt(ts_quat_dot(q, q));
        if (!(length > 0) || !isfinite(length))
            return ts_fail_at(error, TS_BAD_INPUT, place,
                              turned ? "the axis of a pose has no length; give one such as 0,0,1"
                                     : "the quaternion of a pose has no length; 1,0,0,0 is a body that is not turned");
        if (!turned && fabs(length - 1) > 0.01)
            return ts_fail_at(error, TS_BAD_INPUT, place,
                              "the quaternion of a pose has length %g, not 1; give the angle behind an axis its unit, "
                              "as in 0,0,1,45deg",
                              length);
        q = turned ? ts_quat_from_axis_angle(axis, number[6]) : ts_quat_unit(q);
    }
    *pose = (ts_manifold_pose){{number[0], number[1], number[2]}, {q.w, q.x, q.y, q.z}};
    return TS_OK;
}

static const ts_manifold_pose at_origin = {{0, 0, 0}, {1, 0, 0, 0}};

static ts_status add_poses(ts_manifold_pose_array *to, const double *number, size_t count, const bool turned[2],
                           ts_place place, ts_error *error)
{
    ts_manifold_place_pair pair = {at_origin, at_origin};
    if (count != 3 && count != 7 && count != 14)
        return ts_fail_at(error, TS_BAD_INPUT, place, "a pose of B is %s; of A and B both, 14 numbers (this has %zu)",
                          forms, count);
    if (count == 14)
        TS_TRY(make_pose(number, 7, turned[0], place, &pair.a, error));
    TS_TRY(make_pose(count == 14 ? number + 7 : number, count == 14 ? 7 : count, count == 14 ? turned[1] : turned[0],
                     place, &pair.b, error));
    return ts_array_push(to, pair, error);
}

/* The numbers of a line: lengths, but angles where those of an attitude have a unit. */
static ts_status read_line(const char *line, size_t length, ts_place place, ts_manifold_pose_array *to, ts_error *error)
{
    double number[NUMBERS_MAX] = {0};
    bool turned[2] = {false, false};
    size_t count = 0;
    for (size_t begin = 0; begin <= length; count++) {
        const char *comma = memchr(line + begin, ',', length - begin);
        const size_t end = comma ? (size_t)(comma - line) : length;
        if (count < NUMBERS_MAX) {
            const bool angle = count % 7 == 6 && has_unit(line + begin, end - begin) &&
                               strspn(line + begin, " 0123456789.+-eE") < end - begin;
            turned[count / 7] = turned[count / 7] || angle;
            const ts_quantity quantity = angle           ? TS_QUANTITY_ANGLE
                                         : count % 7 < 3 ? TS_QUANTITY_LENGTH
                                                         : TS_QUANTITY_NONE;
            TS_TRY(ts_manifold_number(line + begin, end - begin, quantity, place, &number[count], error));
        }
        begin = end + 1;
    }
    return add_poses(to, number, count, turned, place, error);
}

ts_status ts_manifold_pose_parse(const char *text, ts_manifold_pose_array *to, ts_error *error)
{
    ts_error why;
    const ts_status status = read_line(text, strlen(text), (ts_place){NULL, 0, 0}, to, &why);
    if (status == TS_BAD_INPUT)
        return ts_fail(error, status, "--pose '%.100s': %s", text, why.message);
    if (status != TS_OK)
        *error = why;
    return status;
}

/* ---- Lines of JSON ---- */

static ts_status read_body(const ts_json_value *list, ts_manifold_pose *pose, ts_error *error)
{
    double number[7];
    size_t count = 0;
    const ts_place place = ts_json_place(list);
    if (list->kind != TS_JSON_ARRAY || (list->count != 3 && list->count != 7))
        return ts_fail_at(error, TS_BAD_INPUT, place, "a pose is a list of 3 or 7 numbers: x, y, z, and w, x, y, z");
    for (const ts_json_value *item = list->first; item; item = item->next) {
        if (item->kind != TS_JSON_NUMBER)
            return ts_fail_at(error, TS_BAD_INPUT, ts_json_place(item), "a pose is of numbers, not %s",
                              ts_json_kind_name(item->kind));
        number[count++] = item->number;
    }
    return make_pose(number, count, false, place, pose, error);
}

static ts_status read_object(const char *line, size_t length, ts_place place, ts_arena *arena,
                             ts_manifold_pose_array *to, ts_error *error)
{
    ts_json_value *root;
    ts_manifold_place_pair pair = {at_origin, at_origin};
    const ts_arena_mark mark = ts_arena_here(arena);
    ts_status status = ts_json_parse(arena, line, length, place.file, &root, error);
    const ts_json_value *a = status == TS_OK ? ts_json_get(root, "a") : NULL,
                        *b = status == TS_OK ? ts_json_get(root, "b") : NULL;
    if (status == TS_OK && !b)
        status = ts_fail(error, TS_BAD_INPUT,
                         "a line of poses is {\"a\": [x, y, z, w, x, y, z], \"b\": […]}; \"b\" is "
                         "missing");
    if (status == TS_OK && a)
        status = read_body(a, &pair.a, error);
    if (status == TS_OK)
        status = read_body(b, &pair.b, error);
    if (status == TS_OK)
        status = ts_array_push(to, pair, error);
    if (status == TS_BAD_INPUT) { /* the line's own number; each was parsed as if it were the first */
        const ts_error why = *error;
        status = ts_fail_at(error, status, place, "%s", why.message);
    }
    ts_arena_rewind(arena, mark);
    return status;
}

/* ---- Files ---- */

static ts_status read_lines(const char *name, const char *text, ts_manifold_pose_array *to, ts_error *error)
{
    ts_arena arena = {0};
    ts_status status = TS_OK;
    bool first = true;
    int number = 1;
    for (const char *at = text; *at && status == TS_OK; number++) {
        const size_t length = strcspn(at, "\n"), blank = strspn(at, " \t\r");
        const ts_place place = {name, number, 1};
        /* a first line of names, empty ones and those that begin with # are passed over */
        const bool names =
            first && (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_\"", at[blank]) != NULL);
        if (blank < length && at[blank] != '#') {
            if (at[blank] == '{')
                status = read_object(at, length, place, &arena, to, error);
            else if (!names)
                status = read_line(at, length, place, to, error);
            first = false;
        }
        at += length + (at[length] == '\n');
    }
    ts_arena_free(&arena);
    if (status == TS_OK && to->count == 0)
        return ts_fail(error, TS_BAD_INPUT, "%s has no poses; write x,y,z,w,x,y,z of B a line", name);
    return status;
}

ts_status ts_manifold_poses_read(const char *path, ts_manifold_pose_array *to, ts_error *error)
{
    TS_AUTO_FREE char *text = NULL;
    size_t size;
    const bool input = strcmp(path, "-") == 0;
    const char *name = input ? "standard input" : path;
    if (ts_is_folder(path))
        return ts_fail(error, TS_BAD_INPUT, "'%s' is a folder; give a file with --poses", path);
    if (!input && !ts_file_exists(path))
        return ts_fail(error, TS_BAD_INPUT, "there is no file '%s'; --poses wants one with a pose a line", path);
    TS_TRY(ts_file_read(input ? "/dev/stdin" : path, POSES_BYTES_MAX, &text, &size, error));
    if (strlen(text) != size)
        return ts_fail(error, TS_BAD_INPUT, "%s is no text; --poses wants CSV or a JSON object a line", name);
    return read_lines(name, text, to, error);
}
