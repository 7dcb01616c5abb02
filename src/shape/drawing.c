/* SPDX-License-Identifier: MIT */
#include "shape/drawing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "shape/outline.h"
#include "shape/repair.h"

#define NOTES_MAX 100
/* Shares of the extent. Below, arcs come near what doubles can tell apart; above, a drawing is not to be recognised. */
#define TOLERANCE_DEFAULT 1e-4
#define TOLERANCE_MIN     1e-9
#define TOLERANCE_MAX     0.1
/* Areas, and squares of lengths, have to stay within the range of a double. */
#define EXTENT_MIN 1e-150
#define EXTENT_MAX 1e150

/* ---- Notes ---- */

static ts_status push_note(ts_drawing *drawing, const char *text, ts_error *error)
{
    for (size_t i = 0; i < drawing->note.count; i++)
        if (strcmp(drawing->note.item[i], text) == 0)
            return TS_OK;
    if (drawing->note.count >= NOTES_MAX) {
        drawing->notes_left_out++;
        return TS_OK;
    }
    char *copy = ts_copy_text(text);
    if (!copy)
        return ts_fail_memory(error, strlen(text) + 1);
    if (ts_array_push(&drawing->note, copy, error) != TS_OK) {
        ts_free(copy);
        return TS_OUT_OF_MEMORY;
    }
    return TS_OK;
}

ts_status ts_drawing_note(ts_drawing *drawing, ts_error *error, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return push_note(drawing, text, error);
}

/* ---- Parts to contours ---- */

/* Whether a contour is straight: it bounds nothing. Crossings may make a signed area of 0 of what is a shape, so that
 * is no test. */
static bool is_flat(const ts_contour *contour)
{
    const ts_vertex *v = contour->vertex;
    ts_vec2 far = {0, 0};
    for (size_t i = 0; i < contour->vertex_count; i++) {
        ts_vec2 d = {v[i].x - v[0].x, v[i].y - v[0].y};
        bool edge = i + 1 < contour->vertex_count || !contour->open;
        if (edge && v[i].bulge != 0)
            return false;
        if (hypot(d.x, d.y) > hypot(far.x, far.y))
            far = d;
    }
    double length = hypot(far.x, far.y);
    if (!(length > 0))
        return true;
    ts_vec2 along = {far.x / length, far.y / length};
    for (size_t i = 0; i < contour->vertex_count; i++)
        if (fabs(along.x * (v[i].y - v[0].y) - along.y * (v[i].x - v[0].x)) > 1e-12 * length)
            return false;
    return true;
}

/* Twice the area that a contour goes round, signed: chords, and the segments between them and arcs. */
static double signed_area(const ts_contour *contour)
{
    double sum = 0;
    for (size_t i = 0; i < contour->vertex_count; i++) {
        ts_segment s = ts_contour_segment(contour, i);
        double x = contour->vertex[0].x, y = contour->vertex[0].y;
        sum += (s.x0 - x) * (s.y1 - y) - (s.x1 - x) * (s.y0 - y) + 2 * ts_segment_cap_area(&s);
    }
    return sum;
}

/* Which way round a drawing goes is its own affair (TrueType's outer contours run clockwise, and so do SVG's circles):
 * turned about as a whole it means the same by either rule, and nobody needs a note of that. */
static void orient(ts_path_contours *contours, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += signed_area(&contours->contour[i]);
    for (size_t i = 0; sum < 0 && i < count; i++)
        ts_vertices_reverse(contours->vertex + (contours->contour[i].vertex - contours->vertex),
                            contours->contour[i].vertex_count);
}

/* A failed repair, told with the part's name and place. */
static ts_status fail_in_part(const ts_drawing_part *part, ts_status status, const ts_error *inner, ts_error *error)
{
    const char *colon = part->name[0] ? ": " : "";
    if (status == TS_OUT_OF_MEMORY)
        return ts_fail_memory(error, 0);
    return ts_fail_at(error, status, part->place, "%s%s%.900s", part->name, colon, inner->message);
}

/* Whether a note of ts_repair tells of a contour that was turned round: by the even-odd rule nobody need care. */
static bool is_of_direction(const char *note)
{
    const char *end = ": reversed";
    size_t length = strlen(note), tail = strlen(end);
    return length >= tail && strcmp(note + length - tail, end) == 0;
}

/* The part's contours, repaired by its own rule; `out` comes zeroed and stays empty when it has no area. */
static ts_status repair_part(ts_drawing *drawing, const ts_drawing_part *part, double tolerance, ts_repaired *out,
                             ts_error *error)
{
    ts_path path = {.piece = {.item = drawing->path.piece.item, .count = drawing->path.piece.count},
                    .subpath = {.item = drawing->path.subpath.item + part->subpath_begin,
                                .count = part->subpath_end - part->subpath_begin}};
    ts_path_contours contours;
    ts_error inner = {0};
    ts_status status = ts_path_flatten(&path, tolerance, &contours, &inner);
    if (status != TS_OK)
        return fail_in_part(part, status, &inner, error);

    size_t kept = 0;
    for (size_t i = 0; i < contours.count; i++)
        if (!is_flat(&contours.contour[i]))
            contours.contour[kept++] = contours.contour[i];
    const char *colon = part->name[0] ? ": " : "";
    if (kept < contours.count)
        status = ts_drawing_note(drawing, error, "%s%s%s no area: ignored", part->name, colon,
                                 kept > 0 ? "a subpath has" : "it has");
    if (status == TS_OK && kept > 0) {
        orient(&contours, kept);
        status = ts_repair(contours.contour, kept, part->rule, out, &inner);
        if (status != TS_OK)
            fail_in_part(part, status, &inner, error);
    }
    ts_path_contours_free(&contours);
    bool many = drawing->part.count > 1;
    for (size_t i = 0; status == TS_OK && i < out->note.count; i++)
        if (part->rule != TS_RULE_EVEN_ODD || !is_of_direction(out->note.item[i]))
            status =
                ts_drawing_note(drawing, error, "%s%s%s", many ? part->name : "", many ? colon : "", out->note.item[i]);
    return status;
}

/* ---- All together ---- */

typedef struct collected {
    ts_repaired all; /* contours of all parts */
    size_t parts;    /* that have any */
    TS_ARRAY(ts_contour) contour;
} collected;

static void collected_free(collected *c)
{
    ts_repaired_free(&c->all);
    ts_array_free(&c->contour);
}

static ts_status collect_part(collected *c, const ts_repaired *from, ts_error *error)
{
    size_t count = from->begin.count > 0 ? from->begin.count - 1 : 0, base = c->all.vertex.count;
    if (base + from->vertex.count > TS_OUTLINE_EDGES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "the outline has more than %d edges; simplify it or raise the tolerance",
                       TS_OUTLINE_EDGES_MAX);
    for (size_t i = 0; i < count; i++)
        TS_TRY(ts_array_push(&c->all.begin, base + from->begin.item[i], error));
    for (size_t i = 0; i < from->vertex.count; i++)
        TS_TRY(ts_array_push(&c->all.vertex, from->vertex.item[i], error));
    c->parts += count > 0;
    return TS_OK;
}

/* Turns contours over, y up; the interior stays on the left. */
static void turn_over(ts_repaired *r, size_t count)
{
    for (size_t i = 0; i < r->vertex.count; i++) {
        r->vertex.item[i].y = -r->vertex.item[i].y;
        r->vertex.item[i].bulge = -r->vertex.item[i].bulge;
    }
    for (size_t i = 0; i < count; i++) {
        size_t begin = r->begin.item[i], end = i + 1 < count ? r->begin.item[i + 1] : r->vertex.count;
        ts_vertices_reverse(r->vertex.item + begin, end - begin);
    }
}

/* Contours that point into r. begin has `count` entries and perhaps the end. */
static ts_status list_contours(collected *c, const ts_repaired *r, size_t count, ts_error *error)
{
    c->contour.count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t begin = r->begin.item[i], end = i + 1 < count ? r->begin.item[i + 1] : r->vertex.count;
        ts_contour contour = {.vertex = r->vertex.item + begin, .vertex_count = end - begin};
        TS_TRY(ts_array_push(&c->contour, contour, error));
    }
    return TS_OK;
}

static ts_status unite(ts_drawing *drawing, collected *c, ts_repaired *united, const char *name, ts_outline **outline,
                       ts_error *error)
{
    /* a note may say why: text that was not converted, lines without an area */
    const char *why = drawing->note.count > 0 ? drawing->note.item[0] : NULL;
    if (c->parts == 0)
        return ts_fail(error, TS_BAD_INPUT, "%s has no closed path that is visible and has an area; draw one%s%.400s%s",
                       name, why ? " (" : "", why ? why : "", why ? ")" : "");
    TS_TRY(list_contours(c, &c->all, c->all.begin.count, error));
    if (c->parts > 1) {
        TS_TRY(ts_repair(c->contour.item, c->contour.count, TS_RULE_NONZERO, united, error));
        TS_TRY(list_contours(c, united, united->begin.count > 0 ? united->begin.count - 1 : 0, error));
        for (size_t i = 0; i < united->note.count; i++) {
            /* advice about holes, in parentheses, is for the contours of one path */
            int length = (int)strcspn(united->note.item[i], "\n");
            const char *advice = strstr(united->note.item[i], " (a hole");
            length = advice ? (int)(advice - united->note.item[i]) : length;
            TS_TRY(ts_drawing_note(drawing, error, "all together: %.*s", length, united->note.item[i]));
        }
    }
    if (drawing->y_down)
        turn_over(c->parts > 1 ? united : &c->all, c->contour.count);
    if (drawing->notes_left_out > 0 && drawing->note.count == NOTES_MAX) {
        char *last = ts_alloc(64, 1);
        if (!last)
            return ts_fail_memory(error, 64);
        snprintf(last, 64, "and %zu more notes", drawing->notes_left_out + 1);
        ts_free(drawing->note.item[NOTES_MAX - 1]);
        drawing->note.item[NOTES_MAX - 1] = last;
    }
    return ts_outline_adopt(c->contour.item, c->contour.count, (const char *const *)drawing->note.item,
                            drawing->note.count, outline, error);
}

ts_status ts_drawing_outline(ts_drawing *drawing, const ts_outline_options *options, const char *name,
                             ts_outline **outline, ts_error *error)
{
    double share = options && options->tolerance != 0 ? options->tolerance : TOLERANCE_DEFAULT;
    if (!(share >= TOLERANCE_MIN && share <= TOLERANCE_MAX))
        return ts_fail(error, TS_BAD_INPUT, "the tolerance is %g of the extent; give a share from %g to %g", share,
                       TOLERANCE_MIN, TOLERANCE_MAX);
    double extent = ts_path_extent(&drawing->path);
    if (drawing->path.piece.count > 0 && extent > 0 && !(extent >= EXTENT_MIN && extent <= EXTENT_MAX))
        return ts_fail(error, TS_BAD_INPUT,
                       "%s is %g across, beyond what can be computed with; scale it to between %g and %g", name,
                       2 * extent, EXTENT_MIN, EXTENT_MAX);

    TS_AUTO(collected_free) collected c = {0};
    TS_AUTO(ts_repaired_free) ts_repaired united = {0};
    for (size_t i = 0; i < drawing->part.count; i++) {
        TS_AUTO(ts_repaired_free) ts_repaired one = {0};
        TS_TRY(repair_part(drawing, &drawing->part.item[i], share * extent, &one, error));
        TS_TRY(collect_part(&c, &one, error));
    }
    return unite(drawing, &c, &united, name, outline, error);
}

void ts_drawing_free(ts_drawing *drawing)
{
    for (size_t i = 0; i < drawing->note.count; i++)
        ts_free(drawing->note.item[i]);
    ts_array_free(&drawing->note);
    ts_array_free(&drawing->part);
    ts_path_free(&drawing->path);
}
