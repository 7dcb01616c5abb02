/* SPDX-License-Identifier: MIT */
/* Shapes of a scene file that are outlines: the simple ones by their makers, and polygons, into which drawings and
 * glyphs have been turned already (read_embed.c). */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "scene/read.h"

/* ---- Polygons ---- */

/* A lens of two arcs has two points, everything else three. */
enum { points_least = 2 };

static ts_status read_contour(const ts_reader *reader, const ts_json_value *list, const char *key, ts_contour *to)
{
    ts_vertex *vertex = NULL;
    size_t count = 0;
    if (list->count > TS_OUTLINE_EDGES_MAX)
        return ts_read_fail(reader, list, "polygon: %s has %u points; give at most %d", key, list->count,
                            TS_OUTLINE_EDGES_MAX);
    TS_TRY(ts_read_points(reader, list, "polygon", key, points_least, &vertex, &count));
    *to = (ts_contour){vertex, count, false};
    return TS_OK;
}

static ts_status read_contours(const ts_reader *reader, const ts_json_value *list, const char *key, ts_contour *to)
{
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, "polygon", key));
    for (const ts_json_value *item = list->first; item; item = item->next)
        TS_TRY(read_contour(reader, item, key, to++));
    return TS_OK;
}

/* A failure of the shape code, told at the place of the value that it is about. */
static ts_status pass_on(const ts_reader *reader, const ts_json_value *value, const char *what, ts_status status,
                         const ts_error *error)
{
    if (status == TS_OUT_OF_MEMORY && reader->error)
        *reader->error = *error;
    else if (status != TS_OK)
        return ts_fail_at(reader->error, status, ts_json_place(value), "%s: %s", what, error->message);
    return status;
}

/* Gives an outline the notes that stand in the scene: repairs of the drawing that the polygon was made of. */
static ts_status add_notes(const ts_reader *reader, const ts_json_value *node, ts_outline **outline)
{
    const ts_json_value *list = ts_json_get(node, "notes");
    if (!list)
        return TS_OK;
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, "polygon", "notes"));
    size_t own = ts_outline_note_count(*outline), count = own;
    const char **note = ts_arena_alloc(reader->arena, own + list->count + 1, sizeof *note);
    ts_contour *contour = ts_arena_alloc(reader->arena, ts_outline_contour_count(*outline), sizeof *contour);
    if (!note || !contour)
        return ts_fail_memory(reader->error, (own + list->count + 1) * sizeof *note);
    for (size_t i = 0; i < own; i++)
        note[i] = ts_outline_get_note(*outline, i);
    for (const ts_json_value *item = list->first; item; item = item->next) {
        TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, "polygon", "a note"));
        note[count++] = item->text;
    }
    for (size_t i = 0; i < ts_outline_contour_count(*outline); i++)
        contour[i] = ts_outline_get_contour(*outline, i);
    ts_outline *noted = NULL;
    ts_error error;
    ts_status status = ts_outline_adopt(contour, ts_outline_contour_count(*outline), note, count, &noted, &error);
    if (status != TS_OK)
        return pass_on(reader, node, "polygon", status, &error);
    ts_outline_free(*outline);
    *outline = noted;
    return TS_OK;
}

static ts_status read_polygon(const ts_reader *reader, const ts_json_value *node, ts_outline **outline)
{
    const ts_json_value *points = ts_json_get(node, "points"), *holes = ts_json_get(node, "holes"),
                        *contours = ts_json_get(node, "contours");
    if (!points == !contours)
        return ts_read_fail(reader, node, "polygon: it wants either \"points\" or \"contours\", found %s",
                            points ? "both" : "neither");
    if (contours && holes)
        return ts_read_fail(reader, holes, "polygon: holes stands beside contours; make them contours too");
    const ts_json_value *list = contours ? contours : holes;
    size_t count = (points ? 1 : 0) + (list && list->kind == TS_JSON_ARRAY ? list->count : 0);
    ts_contour *contour = ts_arena_alloc(reader->arena, count + 1, sizeof *contour);
    if (!contour)
        return ts_fail_memory(reader->error, (count + 1) * sizeof *contour);
    if (points)
        TS_TRY(read_contour(reader, points, "points", contour));
    if (list)
        TS_TRY(read_contours(reader, list, contours ? "contours" : "holes", contour + (points ? 1 : 0)));
    if (count == 0)
        return ts_read_fail(reader, contours, "polygon: contours is empty; give at least one");
    /* even-odd, so that nobody needs to think about the direction of holes */
    ts_error error;
    ts_outline *made = NULL;
    ts_status status = ts_outline_create(contour, count, TS_RULE_EVEN_ODD, &made, &error);
    if (status != TS_OK)
        return pass_on(reader, points ? points : contours, "polygon", status, &error);
    status = add_notes(reader, node, &made);
    if (status == TS_OK)
        *outline = made;
    else
        ts_outline_free(made);
    return status;
}

/* ---- The simple ones ---- */

static ts_status read_ends(const ts_reader *reader, const ts_json_value *ends, bool *round_ends)
{
    *round_ends = ends && ends->kind == TS_JSON_TEXT && strcmp(ends->text, "round") == 0;
    if (ends && !*round_ends && !(ends->kind == TS_JSON_TEXT && strcmp(ends->text, "square") == 0))
        return ts_read_fail(reader, ends, "arc: ends is \"square\" or \"round\"");
    return TS_OK;
}

ts_status ts_read_outline(const ts_reader *reader, const ts_json_value *node, const ts_form *form, ts_outline **outline)
{
    ts_outline_values v = {0};
    ts_error error;
    bool round_ends = false;
    ts_status status = TS_BAD_INPUT;
    TS_TRY(ts_read_object(reader, node, form, &v));
    switch (form - ts_form_shape) {
    case TS_SHAPE_FORM_RING:
        status = ts_outline_ring(v.outer, v.inner, outline, &error);
        break;
    case TS_SHAPE_FORM_BOX:
        status = ts_outline_box(v.width, v.height, v.corner, outline, &error);
        break;
    case TS_SHAPE_FORM_REGULAR:
        if (v.sides < 3 || v.sides > TS_OUTLINE_EDGES_MAX)
            return ts_read_fail(reader, ts_json_get(node, "sides"), "regular polygon: it has %.0f sides; give 3 to %d",
                                (double)v.sides, TS_OUTLINE_EDGES_MAX);
        status = ts_outline_regular((size_t)v.sides, v.radius, outline, &error);
        break;
    case TS_SHAPE_FORM_ARC:
        TS_TRY(read_ends(reader, ts_json_get(node, "ends"), &round_ends));
        status = ts_outline_arc(v.radius, v.thickness, v.angle, round_ends, outline, &error);
        break;
    default:
        return read_polygon(reader, node, outline);
    }
    return pass_on(reader, node, form->what, status, &error);
}
