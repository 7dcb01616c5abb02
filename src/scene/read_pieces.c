/* SPDX-License-Identifier: MIT */
/* Shapes of a scene of space: pieces, and compounds of them. Files have been turned into points and triangles already
 * (read_embed_mesh.c). */
#include <string.h>

#include "base/vec.h"
#include "scene/build.h"
#include "scene/read.h"

ts_status ts_read_attitude(const ts_reader *reader, const ts_json_value *value, const char *what, double attitude[4])
{
    static const ts_field field = {"attitude", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_ANY, 0, 0};
    if (!value)
        return TS_OK;
    if (value->kind == TS_JSON_OBJECT) {
        ts_attitude_values v = {0};
        TS_TRY(ts_read_object(reader, value, &ts_form_attitude, &v));
        if (!ts_build_unit(v.axis, 3))
            return ts_read_fail(reader, value,
                                "%s: the axis of its attitude is zero; give a direction, as in [0, 0, 1]", what);
        ts_quat q = ts_quat_from_axis_angle((ts_vec3){v.axis[0], v.axis[1], v.axis[2]}, v.angle);
        memcpy(attitude, (double[4]){q.w, q.x, q.y, q.z}, 4 * sizeof *attitude);
        return TS_OK;
    }
    const char *wanted = "a quaternion, [w, x, y, z], or an object of axis and angle";
    if (value->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, value, what, "attitude", wanted);
    if (value->count != 4)
        return ts_read_fail(reader, value, "%s: attitude wants %s, found %u numbers", what, wanted, value->count);
    const ts_json_value *item = value->first;
    bool zero = true;
    for (int i = 0; i < 4; i++, item = item->next) {
        TS_TRY(ts_read_number(reader, item, what, &field, &attitude[i]));
        zero = zero && attitude[i] == 0;
    }
    if (zero)
        return ts_read_fail(reader, value,
                            "%s: its attitude is zero, which is no rotation; [1, 0, 0, 0] leaves it as it is", what);
    return TS_OK;
}

/* ---- Pieces ---- */

/* What was mended in the file that a mesh was, for the shape that comes next. */
static ts_status read_notes(const ts_reader *reader, const ts_json_value *list, const char *what)
{
    if (!list)
        return TS_OK;
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, what, "notes"));
    for (const ts_json_value *item = list->first; item; item = item->next) {
        TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, what, "a note"));
        ts_scene_note note = {(int32_t)reader->scene->shape.count, item->text};
        TS_TRY(ts_build_text(reader->scene, &note.text, reader->error));
        TS_TRY(ts_array_push(&reader->scene->note, note, reader->error));
    }
    return TS_OK;
}

static ts_status read_mesh(const ts_reader *reader, const ts_json_value *node, const char *what, ts_piece_values *v)
{
    const ts_json_value *points = ts_json_get(node, "points"), *triangles = ts_json_get(node, "triangles");
    const ts_json_value *made = ts_json_get(node, "made");
    bool mesh = v->def.kind == TS_PIECE_MESH;
    if (v->cells > INT32_MAX)
        v->cells = INT32_MAX; /* the scene knows the limit, and says it */
    v->def.cells = (int)v->cells;
    if (made && (points || triangles || ts_json_get(node, "scale")))
        return ts_read_fail(reader, made, "%s: made stands beside points, triangles, a file or its scale; leave one",
                            what);
    if (made)
        return ts_read_made(reader, made, &v->def);
    if (!points)
        return ts_read_fail(reader, node, "%s: it wants %s, found none of them", what,
                            mesh ? "\"points\" and \"triangles\", a \"file\", or \"made\""
                                 : "\"points\" or a \"file\"");
    if (ts_json_get(node, "scale"))
        return ts_read_fail(reader, ts_json_get(node, "scale"),
                            "%s: scale is of the lengths of a file, but there is none; scale the points themselves",
                            what);
    if (mesh && !triangles)
        return ts_read_fail(reader, points, "%s: it has points but no \"triangles\"; add them, or make it a hull",
                            what);
    TS_TRY(ts_read_triples(reader, points, what, TS_QUANTITY_LENGTH, &v->def.point, &v->def.point_count));
    if (!mesh)
        return TS_OK;
    TS_TRY(read_notes(reader, ts_json_get(node, "notes"), what));
    return ts_read_triangles(reader, triangles, what, v->def.point_count, &v->def.triangle, &v->def.triangle_count);
}

static ts_status read_smooth(const ts_reader *reader, const ts_json_value *node, const char *what, ts_piece_values *v)
{
    ts_smooth_def *def = ts_arena_alloc(reader->arena, 1, sizeof *def);
    if (!def)
        return ts_fail_memory(reader->error, sizeof *def);
    *def = ts_default_smooth();
    def->vertices = (size_t)v->vertices;
    def->smoothing = v->smoothing;
    v->def.smooth = def;
    return ts_read_smooth(reader, node, what, def);
}

/* One piece, by the forms of shapes or of pieces of compounds. */
static ts_status read_piece(const ts_reader *reader, const ts_json_value *node, const ts_form *form, ts_piece_def *def)
{
    ts_piece_values v = {0};
    TS_TRY(ts_read_object(reader, node, form, &v));
    v.def.kind = (ts_piece_kind)form->value;
    v.def.vertices = (size_t)v.vertices;
    if (v.def.kind == TS_PIECE_SUPERQUADRIC)
        TS_TRY(ts_read_exponents(reader, ts_json_get(node, "exponents"), form->what, v.def.exponents));
    if (v.def.kind == TS_PIECE_SMOOTH)
        TS_TRY(read_smooth(reader, node, form->what, &v));
    if (v.def.kind == TS_PIECE_HULL || v.def.kind == TS_PIECE_MESH)
        TS_TRY(read_mesh(reader, node, form->what, &v));
    TS_TRY(ts_read_attitude(reader, ts_json_get(node, "attitude"), form->what, v.def.attitude));
    *def = v.def;
    return TS_OK;
}

static ts_status read_compound(const ts_reader *reader, const ts_json_value *node, const ts_form *form,
                               ts_piece_def **piece, size_t *count)
{
    TS_TRY(ts_read_object(reader, node, form, NULL));
    const ts_json_value *list = ts_json_get(node, "pieces");
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, form->what, "pieces"));
    if (list->count == 0)
        return ts_read_fail(reader, list, "%s: pieces is empty; give at least one", form->what);
    *piece = ts_arena_alloc(reader->arena, list->count, sizeof **piece);
    if (!*piece)
        return ts_fail_memory(reader->error, list->count * sizeof **piece);
    *count = 0;
    for (const ts_json_value *item = list->first; item; item = item->next) {
        const ts_form *chosen;
        TS_TRY(ts_read_kind(reader, item, "piece", ts_form_piece, TS_PIECE_FORM_COUNT, &chosen));
        TS_TRY(read_piece(reader, item, chosen, &(*piece)[(*count)++]));
    }
    return TS_OK;
}

ts_status ts_read_solid(const ts_reader *reader, const ts_json_value *node)
{
    const ts_form *form;
    ts_piece_def one = {0}, *piece = &one;
    ts_shape_def def = ts_default_shape();
    def.name = node->key;
    def.piece_count = 1;
    TS_TRY(ts_read_kind(reader, node, "shape", ts_form_solid, TS_SOLID_FORM_COUNT, &form));
    if (form == &ts_form_solid[TS_SOLID_FORM_COMPOUND])
        TS_TRY(read_compound(reader, node, form, &piece, &def.piece_count));
    else
        TS_TRY(read_piece(reader, node, form, &one));
    def.piece = piece;
    ts_scene_at(reader->scene, ts_json_place(node));
    return ts_scene_add_shape(reader->scene, &def, NULL, reader->error);
}
