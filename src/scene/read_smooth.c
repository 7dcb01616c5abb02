/* SPDX-License-Identifier: MIT */
/* Pieces of smooth bodies, as scenes and files of fitted bodies (smooth_file.h) spell them. */
#include <string.h>

#include "scene/read.h"
#include "scene/smooth.h"

ts_status ts_read_exponents(const ts_reader *reader, const ts_json_value *value, const char *what, double to[2])
{
    static const ts_field field = {"an exponent", TS_FIELD_NUMBER, TS_QUANTITY_NONE, TS_RANGE_POSITIVE, 0, 0};
    const char *wanted = "a list of two numbers, [along z, across]";
    if (!value)
        return TS_OK;
    if (value->kind != TS_JSON_ARRAY)
        return ts_read_mismatch(reader, value, what, "exponents", wanted);
    if (value->count != 2)
        return ts_read_fail(reader, value, "%s: exponents wants %s, found %u numbers", what, wanted, value->count);
    const ts_json_value *item = value->first;
    for (int i = 0; i < 2; i++, item = item->next) {
        TS_TRY(ts_read_number(reader, item, what, &field, &to[i]));
        if (!(to[i] >= TS_EXPONENT_MIN && to[i] <= TS_EXPONENT_MAX))
            return ts_read_fail(reader, item,
                                "%s: an exponent is %g; choose one from %g (a box) to %g (nearly an octahedron)", what,
                                to[i], TS_EXPONENT_MIN, TS_EXPONENT_MAX);
    }
    return TS_OK;
}

static ts_status read_points(const ts_reader *reader, const ts_json_value *node, const char *what, ts_smooth_piece *def)
{
    const ts_json_value *points = ts_json_get(node, "points"), *normals = ts_json_get(node, "normals");
    size_t count = 0;
    if (!points)
        return ts_read_fail(reader, node, "%s: it has no \"points\"; add them, with their normals, or name a \"file\"",
                            what);
    TS_TRY(ts_read_triples(reader, points, what, TS_QUANTITY_LENGTH, &def->point, &def->count));
    if (!normals && def->kind == TS_SMOOTH_CLOUD)
        return ts_read_fail(reader, points, "%s: it has points but no \"normals\"; add one for each, outwards", what);
    if (!normals)
        return TS_OK;
    TS_TRY(ts_read_triples(reader, normals, what, TS_QUANTITY_NONE, &def->normal, &count));
    if (count != def->count)
        return ts_read_fail(reader, normals, "%s: it has %zu points but %zu normals; give one for each", what,
                            def->count, count);
    return TS_OK;
}

static ts_status read_piece(const ts_reader *reader, const ts_json_value *node, ts_smooth_piece *def)
{
    const ts_form *form;
    ts_smooth_piece_values v = {0};
    TS_TRY(ts_read_kind(reader, node, "piece", ts_form_smooth, TS_SMOOTH_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, node, form, &v));
    v.def.kind = (ts_smooth_kind)form->value;
    if (v.file || v.scale > 0) /* files of a scene have been read before */
        return ts_read_fail(reader, ts_json_get(node, v.file ? "file" : "scale"),
                            "%s: %s is for clouds of a scene that come from a file; give points and normals here",
                            form->what, v.file ? "file" : "scale");
    if (v.def.kind == TS_SMOOTH_SUPERQUADRIC)
        TS_TRY(ts_read_exponents(reader, ts_json_get(node, "exponents"), form->what, v.def.exponents));
    else
        TS_TRY(read_points(reader, node, form->what, &v.def));
    TS_TRY(ts_read_attitude(reader, ts_json_get(node, "attitude"), form->what, v.def.attitude));
    *def = v.def;
    return TS_OK;
}

/* What is wrong with the piece itself is said where it stands. */
static ts_status check_piece(const ts_reader *reader, const ts_json_value *node, ts_smooth_piece *def)
{
    const ts_arena_mark mark = ts_arena_here(reader->arena);
    ts_primitive primitive;
    ts_error why;
    const ts_status status = ts_smooth_primitive(reader->arena, def, &primitive, &why);
    ts_arena_rewind(reader->arena, mark);
    return status == TS_OK ? TS_OK : ts_fail_at(reader->error, status, ts_json_place(node), "piece: %s", why.message);
}

ts_status ts_read_smooth(const ts_reader *reader, const ts_json_value *node, const char *what, ts_smooth_def *def)
{
    const ts_json_value *list = ts_json_get(node, "pieces"), *points = ts_json_get(node, "points"),
                        *triangles = ts_json_get(node, "triangles");
    if (!list)
        return ts_read_fail(reader, node, "%s: it has no \"pieces\"; add them", what);
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, what, "pieces"));
    if (list->count == 0)
        return ts_read_fail(reader, list, "%s: pieces is empty; give at least one", what);
    ts_smooth_piece *piece = ts_arena_alloc(reader->arena, list->count, sizeof *piece);
    if (!piece)
        return ts_fail_memory(reader->error, list->count * sizeof *piece);
    def->piece = piece;
    def->piece_count = list->count;
    bool added = false;
    for (const ts_json_value *item = list->first; item; item = item->next, piece++) {
        TS_TRY(read_piece(reader, item, piece));
        TS_TRY(check_piece(reader, item, piece));
        added = added || !piece->subtract;
    }
    if (!added)
        return ts_read_fail(reader, list,
                            "%s: all of its pieces are subtracted, which leaves no body; let at least one "
                            "be added",
                            what);
    if (!points && !triangles)
        return TS_OK;
    if (!points || !triangles)
        return ts_read_fail(reader, points ? points : triangles,
                            "%s: points and triangles are its mesh; give both, or neither", what);
    TS_TRY(ts_read_triples(reader, points, what, TS_QUANTITY_LENGTH, &def->point, &def->point_count));
    return ts_read_triangles(reader, triangles, what, def->point_count, &def->triangle, &def->triangle_count);
}
