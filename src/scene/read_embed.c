/* SPDX-License-Identifier: MIT */
/* Files become part of the scene: a shape that names a drawing or a font is replaced in the tree by the polygon, with
 * arcs, that the file holds, a table of sizes by its points, and map files by their bytes.
 *
 *     "gear": {"kind": "svg", "file": "gear.svg", …}      ──▶  "gear": {"kind": "polygon", "contours": [[[x, y, bulge], …], …]}
 *     "word": {"kind": "text", "text": "TOT", …}          ──▶  "word/T": polygon, "word/O": polygon,
 *                                                              "word": {"kind": "group", "members": {"word/T": 2, "word/O": 1}}
 *     "map": {"files": ["TT.tsmap"]}                      ──▶  "map": {"data": {"TT.tsmap": "iVRTTQ0K…"}}
 *
 * So all that follows knows one kind of outline, and the scene that a run folder keeps needs no file beside it and
 * gives the same bits on a machine with another version of the font library. What was mended in a drawing goes along in
 * "notes". */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/text.h"
#include "cspace/map_file.h"
#include "scene/read_embed.h"
#include "scene/sizes.h"

/* Different letters of one text. */
#define LETTERS_MAX 1000
/* Bytes of a file with a table of sizes. */
#define SIZE_FILE_MAX 1000000
/* Map files: more than all pairs of a hundred shapes. Each name is compared with those before it. */
#define MAP_FILES_MAX 10000
/* Characters of all map files together as text: one file of the largest size fits in, and leaves room for the rest
 * of a scene. */
#define MAP_TEXT_MAX TS_EMBED_TEXT_MAX
/* A coarser one would not look like the drawing. */
#define TOLERANCE_MAX 0.1

/* ---- Files ---- */

ts_status ts_embed_fail(const ts_reader *reader, const ts_json_value *value, const char *what, ts_status status,
                        const ts_error *error)
{
    if (status == TS_OK)
        return status;
    if (status == TS_OUT_OF_MEMORY || (error->line > 0 && status == TS_BAD_INPUT)) {
        if (reader->error)
            *reader->error = *error;
        return status;
    }
    if (status == TS_IO || status == TS_CORRUPT) /* the scene names a file that is of no use */
        status = TS_BAD_INPUT;
    return ts_fail_at(reader->error, status, ts_json_place(value), "%s: %s", what, error->message);
}

ts_status ts_embed_find(const ts_reader *reader, const ts_json_value *root, const ts_json_value *path, const char *what,
                        const char **found)
{
    char home[PATH_MAX] = ".";
    const char *file = path->line > 0 && path->file ? path->file : root->file;
    bool is_text = reader->from_text && root->file && strcmp(file, root->file) == 0;
    if (!is_text && file && ts_path_folder(file, home, sizeof home) >= sizeof home)
        return ts_read_fail(reader, path, "%s: the path of the scene is too long", what);
    return ts_read_find(reader, path, what, home, found, NULL);
}

/* ---- Building the tree ---- */

ts_json_value *ts_embed_add(const ts_reader *reader, ts_place place, ts_json_value *to, const char *key,
                            ts_json_kind kind)
{
    ts_json_value *value = ts_json_new(reader->arena, place);
    if (!value)
        return NULL;
    value->kind = kind;
    value->key = key;
    if (key) {
        value->key_line = value->line;
        value->key_column = value->column;
    }
    if (to)
        ts_json_append(to, value);
    return value;
}

typedef struct builder {
    const ts_reader *reader;
    ts_place place;   /* of all that is made */
    const char *kind; /* of the shape with letters, for messages */
} builder;

static ts_json_value *add(const builder *b, ts_json_value *to, const char *key, ts_json_kind kind)
{
    return ts_embed_add(b->reader, b->place, to, key, kind);
}

/* ts_json_append walks the list; long ones are built at the end that is known. */
static void append_after(ts_json_value *list, ts_json_value **last, ts_json_value *value)
{
    *(*last ? &(*last)->next : &list->first) = value;
    *last = value;
    list->count++;
}

static bool add_text(const builder *b, ts_json_value *to, const char *key, const char *text)
{
    ts_json_value *value = add(b, to, key, TS_JSON_TEXT);
    if (value)
        value->text = ts_arena_text(b->reader->arena, text, strlen(text));
    return value && value->text;
}

static bool add_number(const builder *b, ts_json_value *to, const char *key, double number)
{
    ts_json_value *value = add(b, to, key, TS_JSON_NUMBER);
    if (value)
        value->number = number;
    return value;
}

static ts_json_value *make_contour(const builder *b, const ts_contour *contour)
{
    ts_json_value *list = add(b, NULL, NULL, TS_JSON_ARRAY), *last = NULL;
    for (size_t i = 0; list && i < contour->vertex_count; i++) {
        const ts_vertex *v = &contour->vertex[i];
        ts_json_value *point = add(b, NULL, NULL, TS_JSON_ARRAY);
        if (!point || !add_number(b, point, NULL, v->x) || !add_number(b, point, NULL, v->y) ||
            (v->bulge != 0 && !add_number(b, point, NULL, v->bulge)))
            return NULL;
        append_after(list, &last, point);
    }
    return list;
}

/* Makes `node` the polygon. */
static ts_status write_polygon(const builder *b, const ts_outline *outline, ts_json_value *node)
{
    node->kind = TS_JSON_OBJECT;
    node->first = NULL;
    node->count = 0;
    bool good = add_text(b, node, "kind", "polygon");
    ts_json_value *contours = good ? add(b, node, "contours", TS_JSON_ARRAY) : NULL, *last = NULL;
    good = contours != NULL;
    for (size_t i = 0; good && i < ts_outline_contour_count(outline); i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        ts_json_value *list = make_contour(b, &contour);
        good = list != NULL;
        if (good)
            append_after(contours, &last, list);
    }
    size_t notes = ts_outline_note_count(outline);
    ts_json_value *list = good && notes > 0 ? add(b, node, "notes", TS_JSON_ARRAY) : NULL;
    for (size_t i = 0; list && good && i < notes; i++)
        good = add_text(b, list, NULL, ts_outline_get_note(outline, i));
    return good && (notes == 0 || list) ? TS_OK : ts_fail_memory(b->reader->error, 0);
}

/* ---- Drawings ---- */

typedef struct extent {
    double low[2], high[2];
} extent;

static void include_point(extent *box, double x, double y)
{
    box->low[0] = fmin(box->low[0], x);
    box->low[1] = fmin(box->low[1], y);
    box->high[0] = fmax(box->high[0], x);
    box->high[1] = fmax(box->high[1], y);
}

static void include_segment(extent *box, const ts_segment *s)
{
    include_point(box, s->x0, s->y0);
    if (s->bulge == 0)
        return;
    ts_arc arc = ts_segment_arc(s);
    for (int quarter = 0; quarter < 4; quarter++) { /* where the arc goes farthest right, up, left, down */
        double angle = quarter * M_PI / 2;
        double along = arc.sweep > 0 ? angle - arc.start : arc.start - angle;
        along -= 2 * M_PI * floor(along / (2 * M_PI));
        if (along < fabs(arc.sweep))
            include_point(box, arc.cx + (quarter % 2 ? 0 : arc.radius * (1 - quarter)),
                          arc.cy + (quarter % 2 ? arc.radius * (2 - quarter) : 0));
    }
}

static extent box_around(const ts_outline *outline)
{
    extent around = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < ts_outline_contour_count(outline); i++) {
        ts_contour contour = ts_outline_get_contour(outline, i);
        for (size_t k = 0; k < contour.vertex_count; k++) {
            ts_segment s = ts_contour_segment(&contour, k);
            include_segment(&around, &s);
        }
    }
    return around;
}

/* How much a drawing is to be scaled: so that it gets the size that is asked for, or the one that it says it has. */
static ts_status find_scale(const ts_reader *reader, const ts_json_value *node, const ts_outline_values *v,
                            const ts_outline *outline, double *scale)
{
    int given = (v->width > 0) + (v->height > 0) + (v->radius > 0);
    if (given > 1)
        return ts_read_fail(reader, node,
                            "drawing: width, height and radius each say how large it is; give one of them");
    if (given == 0 && !(*scale > 0))
        return ts_read_fail(reader, node,
                            "drawing: the file does not say how large it is; give its \"width\", \"height\" or the "
                            "\"radius\" of the circle around it");
    extent around = box_around(outline);
    if (v->width > 0)
        *scale = v->width / (around.high[0] - around.low[0]);
    else if (v->height > 0)
        *scale = v->height / (around.high[1] - around.low[1]);
    else if (v->radius > 0)
        *scale = v->radius / ts_outline_get_mass(outline).radius;
    return TS_OK;
}

static ts_status check_tolerance(const ts_reader *reader, const ts_json_value *node, const ts_outline_values *v)
{
    if (v->tolerance > TOLERANCE_MAX)
        return ts_read_fail(reader, ts_json_get(node, "tolerance"),
                            "shape: tolerance is %g, a share of the shape's extent; give at most %g", v->tolerance,
                            TOLERANCE_MAX);
    return TS_OK;
}

static ts_status embed_scaled(const builder *b, const ts_outline *outline, double scale, ts_json_value *node)
{
    ts_outline *placed = NULL;
    ts_error error;
    ts_status status = ts_outline_place(outline, scale, 0, (double[2]){0, 0}, &placed, &error);
    if (status != TS_OK)
        return ts_embed_fail(b->reader, node, "shape", status, &error);
    status = write_polygon(b, placed, node);
    ts_outline_free(placed);
    return status;
}

static ts_status embed_svg(const ts_reader *reader, const ts_json_value *root, ts_json_value *node)
{
    builder b = {reader, ts_json_place(node), NULL};
    ts_outline_values v = {0};
    const char *path = NULL;
    const ts_json_value *file = ts_json_get(node, "file");
    TS_TRY(ts_read_object(reader, node, &ts_form_shape[TS_SHAPE_FORM_SVG], &v));
    TS_TRY(check_tolerance(reader, node, &v));
    TS_TRY(ts_embed_find(reader, root, file, "drawing", &path));
    ts_outline_options options = {.tolerance = v.tolerance, .id = v.id};
    ts_outline *outline = NULL;
    ts_error error;
    double scale = 0;
    ts_status status = ts_outline_read_svg(path, &options, &outline, &scale, &error);
    if (status != TS_OK)
        return ts_embed_fail(reader, file, "drawing", status, &error);
    status = find_scale(reader, node, &v, outline, &scale);
    if (status == TS_OK)
        status = embed_scaled(&b, outline, scale, node);
    ts_outline_free(outline);
    return status;
}

/* ---- Glyphs ---- */

static bool is_blank(uint32_t code)
{
    return code <= 0x20 || code == 0x7f || code == 0xa0 || (code >= 0x2000 && code <= 0x200d) || code == 0x3000;
}

/* A glyph as a polygon in `node`; `font` is where the scene names the font, `path` where that lies. */
static ts_status embed_letter(const builder *b, const ts_json_value *font, const char *path, const ts_outline_values *v,
                              const char *letter, ts_json_value *node)
{
    size_t bytes;
    uint32_t code = ts_utf8_decode(letter, &bytes);
    ts_outline_options options = {.tolerance = v->tolerance};
    ts_outline *outline = NULL;
    ts_error error;
    ts_status status = ts_outline_read_glyph(path, code, &options, &outline, NULL, &error);
    if (status != TS_OK) {
        /* a message about one character has its number only; who wrote a text looks for the character */
        char quote[TS_QUOTE_SIZE], what[TS_QUOTE_SIZE + 16];
        bool of_letter = status == TS_BAD_INPUT && strstr(error.message, "U+");
        ts_quote(letter, quote, sizeof quote);
        snprintf(what, sizeof what, "%s%s%s%s", b->kind, of_letter ? ": \"" : "", of_letter ? quote : "",
                 of_letter ? "\"" : "");
        return ts_embed_fail(b->reader, font, what, status, &error);
    }
    status = embed_scaled(b, outline, v->height, node);
    ts_outline_free(outline);
    return status;
}

static ts_status embed_glyph(const ts_reader *reader, const ts_json_value *root, ts_json_value *node)
{
    builder b = {reader, ts_json_place(node), "glyph"};
    ts_outline_values v = {0};
    const char *path = NULL;
    size_t bytes;
    TS_TRY(ts_read_object(reader, node, &ts_form_shape[TS_SHAPE_FORM_GLYPH], &v));
    TS_TRY(check_tolerance(reader, node, &v));
    const ts_json_value *character = ts_json_get(node, "character");
    ts_utf8_decode(v.character, &bytes);
    if (v.character[bytes]) {
        char quote[TS_QUOTE_SIZE];
        return ts_read_fail(reader, character,
                            "glyph: \"%s\" is more than one character; give one, or use the kind \"text\"",
                            ts_quote(v.character, quote, sizeof quote));
    }
    const ts_json_value *font = ts_json_get(node, "font");
    TS_TRY(ts_embed_find(reader, root, font, "glyph", &path));
    return embed_letter(&b, font, path, &v, v.character, node);
}

/* ---- Texts ---- */

typedef struct letter {
    char text[5]; /* UTF-8 */
    int count;    /* how often it occurs */
} letter;

/* The different visible characters of a text, in the order in which they first occur. */
static ts_status list_letters(const ts_reader *reader, const ts_json_value *value, letter *list, size_t *count)
{
    *count = 0;
    size_t bytes;
    for (const char *at = value->text; *at; at += bytes) {
        letter one = {.count = 1};
        uint32_t code = ts_utf8_decode(at, &bytes);
        memcpy(one.text, at, bytes);
        if (is_blank(code))
            continue;
        size_t i = 0;
        while (i < *count && strcmp(list[i].text, one.text) != 0)
            i++;
        if (i < *count)
            list[i].count++;
        else if (*count == LETTERS_MAX)
            return ts_read_fail(reader, value, "text: it has more than %d different characters; split it", LETTERS_MAX);
        else
            list[(*count)++] = one;
    }
    if (*count == 0)
        return ts_read_fail(reader, value, "text: it has no visible character; write something");
    return TS_OK;
}

/* "NAME/c" in the arena, unless there is such a shape already. */
static ts_status name_letter(const ts_reader *reader, const ts_json_value *shapes, const ts_json_value *node,
                             const letter *one, const char **name)
{
    size_t length = strlen(node->key) + strlen(one->text) + 1;
    char *text = ts_arena_alloc(reader->arena, length + 1, 1);
    if (!text)
        return ts_fail_memory(reader->error, length + 1);
    memcpy(text, node->key, strlen(node->key));
    text[strlen(node->key)] = '/';
    memcpy(text + strlen(node->key) + 1, one->text, strlen(one->text));
    const ts_json_value *taken = ts_json_get(shapes, text);
    if (taken) {
        char quote[TS_QUOTE_SIZE];
        return ts_fail_at(reader->error, TS_BAD_INPUT, ts_json_key_place(taken),
                          "shape: \"%s\" is the name of a letter of the text \"%.60s\"; choose another",
                          ts_quote(text, quote, sizeof quote), node->key);
    }
    *name = text;
    return TS_OK;
}

/* Puts the letters before `node`, which becomes their group. `link` is what points to it. */
static ts_status embed_text(const ts_reader *reader, const ts_json_value *root, ts_json_value *shapes,
                            ts_json_value **link)
{
    ts_json_value *node = *link;
    builder b = {reader, ts_json_place(node), "text"};
    ts_outline_values v = {0};
    const char *path = NULL;
    size_t count;
    TS_TRY(ts_read_object(reader, node, &ts_form_shape[TS_SHAPE_FORM_TEXT], &v));
    TS_TRY(check_tolerance(reader, node, &v));
    const ts_json_value *text = ts_json_get(node, "text"), *font = ts_json_get(node, "font");
    TS_TRY(ts_read_is(reader, text, TS_JSON_TEXT, "text", "text"));
    TS_TRY(ts_embed_find(reader, root, font, "text", &path));
    letter *list = ts_arena_alloc(reader->arena, LETTERS_MAX, sizeof *list);
    ts_json_value *members = add(&b, NULL, "members", TS_JSON_OBJECT);
    if (!list || !members)
        return ts_fail_memory(reader->error, LETTERS_MAX * sizeof *list);
    TS_TRY(list_letters(reader, text, list, &count));
    for (size_t i = 0; i < count; i++) {
        const char *name = NULL;
        TS_TRY(name_letter(reader, shapes, node, &list[i], &name));
        ts_json_value *shape = add(&b, NULL, name, TS_JSON_OBJECT);
        if (!shape || !add_number(&b, members, name, list[i].count))
            return ts_fail_memory(reader->error, sizeof *shape);
        TS_TRY(embed_letter(&b, font, path, &v, list[i].text, shape));
        shape->next = node;
        *link = shape;
        link = &shape->next;
        shapes->count++;
    }
    node->first = NULL;
    node->count = 0;
    if (!add_text(&b, node, "kind", "group"))
        return ts_fail_memory(reader->error, 0);
    ts_json_append(node, members);
    return TS_OK;
}

/* ---- Tables of sizes ---- */

/* The member "file" of a table becomes its "points". */
static ts_status embed_table(const ts_reader *reader, const ts_json_value *root, ts_json_value *table)
{
    static const char what[] = "table of sizes";
    ts_json_value *file = ts_json_get(table, "file");
    const ts_json_value *other = ts_json_get(table, "points") ? ts_json_get(table, "points") : ts_json_get(table, "of");
    if (!file)
        return TS_OK;
    TS_TRY(ts_read_is(reader, file, TS_JSON_TEXT, what, "file"));
    if (other)
        return ts_read_fail(reader, other, "%s: %s stands beside file, which says it already; remove one of them", what,
                            other->key);
    const char *path = NULL;
    char *text = NULL;
    size_t length = 0, count = 0;
    ts_size_step *step = NULL;
    bool of_diameter = false;
    ts_error error;
    TS_TRY(ts_embed_find(reader, root, file, what, &path));
    ts_status status = ts_file_read(path, SIZE_FILE_MAX, &text, &length, &error);
    if (status == TS_OK)
        status = ts_size_table_parse(text, length, path, &step, &count, &of_diameter, &error);
    ts_free(text);
    if (status != TS_OK)
        return ts_embed_fail(reader, file, what, status, &error);

    builder b = {reader, ts_json_place(file), NULL};
    ts_json_value *last = NULL;
    file->key = "points";
    file->kind = TS_JSON_ARRAY;
    file->first = NULL;
    file->count = 0;
    bool good = !of_diameter || add_text(&b, table, "of", "diameter");
    for (size_t i = 0; good && i < count; i++) {
        ts_json_value *point = add(&b, NULL, NULL, TS_JSON_ARRAY);
        good = point && add_number(&b, point, NULL, step[i].scale) && add_number(&b, point, NULL, step[i].share);
        if (good)
            append_after(file, &last, point);
    }
    ts_free(step);
    return good ? TS_OK : ts_fail_memory(reader->error, count * sizeof *step);
}

/* The "scale" of a generator or of an entry of its mix, when it is a table. */
static ts_status embed_scale(const ts_reader *reader, const ts_json_value *root, const ts_json_value *object)
{
    ts_json_value *scale = object->kind == TS_JSON_OBJECT ? ts_json_get(object, "scale") : NULL;
    const ts_json_value *kind = scale && scale->kind == TS_JSON_OBJECT ? ts_json_get(scale, "kind") : NULL;
    bool table = kind && kind->kind == TS_JSON_TEXT && strcmp(kind->text, "table") == 0;
    return table ? embed_table(reader, root, scale) : TS_OK;
}

static ts_status embed_sizes(const ts_reader *reader, const ts_json_value *root)
{
    const ts_json_value *generators = ts_json_get(root, "generators");
    if (!generators || generators->kind != TS_JSON_ARRAY)
        return TS_OK;
    for (const ts_json_value *item = generators->first; item; item = item->next) {
        TS_TRY(embed_scale(reader, root, item));
        const ts_json_value *mix = item->kind == TS_JSON_OBJECT ? ts_json_get(item, "mix") : NULL;
        for (const ts_json_value *entry = mix && mix->kind == TS_JSON_ARRAY ? mix->first : NULL; entry;
             entry = entry->next)
            TS_TRY(embed_scale(reader, root, entry));
    }
    return TS_OK;
}

/* ---- Map files ---- */

/* A file's bytes as text, in the arena. */
static ts_status read_map_file(const ts_reader *reader, const ts_json_value *root, const ts_json_value *item,
                               size_t *room, char **text)
{
    const char *path = NULL;
    char *bytes = NULL;
    size_t size = 0;
    ts_error error;
    TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, "map", "an entry of files"));
    TS_TRY(ts_embed_find(reader, root, item, "map", &path));
    ts_status status = ts_file_read(path, TS_MAP_FILE_BYTES_MAX, &bytes, &size, &error);
    if (status != TS_OK)
        return ts_embed_fail(reader, item, "map", status, &error);
    size_t length = ts_base64_length(size);
    if (length > *room)
        status = ts_read_fail(reader, item,
                              "map: with this file the scene's map files are too large to become part of it, more than "
                              "%zu MB; build smaller ones (bytes)",
                              MAP_TEXT_MAX / 4 * 3 / 1000000);
    else if (!(*text = ts_arena_alloc(reader->arena, length + 1, 1)))
        status = ts_fail_memory(reader->error, length + 1);
    else
        ts_base64_encode(bytes, size, *text);
    *room -= status == TS_OK ? length : 0;
    ts_free(bytes);
    return status;
}

/* The member "files" of "map" becomes "data": the bytes of each, under the name that the scene gives it. */
static ts_status embed_maps(const ts_reader *reader, const ts_json_value *root)
{
    ts_json_value *map = ts_json_get(root, "map"), *files = ts_json_get(map, "files"), *data = ts_json_get(map, "data");
    if (!files)
        return TS_OK;
    TS_TRY(ts_read_is(reader, files, TS_JSON_ARRAY, "map", "files"));
    if (files->count > MAP_FILES_MAX)
        return ts_read_fail(reader, files, "map: files names %u of them; give at most %d", files->count, MAP_FILES_MAX);
    if (data)
        return ts_read_fail(reader, files,
                            "map: files stands beside data, which is what files become; remove one of them");
    builder b = {reader, ts_json_place(files), NULL};
    data = add(&b, NULL, "data", TS_JSON_OBJECT);
    size_t room = MAP_TEXT_MAX;
    for (const ts_json_value *item = files->first; data && item; item = item->next) {
        char *text = NULL, quote[TS_QUOTE_SIZE];
        TS_TRY(read_map_file(reader, root, item, &room, &text));
        if (ts_json_get(data, item->text))
            return ts_read_fail(reader, item, "map: files names \"%s\" twice; remove one of them",
                                ts_quote(item->text, quote, sizeof quote));
        b.place = ts_json_place(item); /* where an error shall point to, when the scene is compiled */
        ts_json_value *value = add(&b, data, item->text, TS_JSON_TEXT);
        if (!value)
            return ts_fail_memory(reader->error, sizeof *value);
        value->text = text;
    }
    if (!data)
        return ts_fail_memory(reader->error, sizeof *data);
    ts_json_remove(map, files);
    if (data->count > 0)
        ts_json_append(map, data);
    return TS_OK;
}

static ts_status embed_outlines(const ts_reader *reader, ts_json_value *root)
{
    TS_TRY(embed_maps(reader, root));
    ts_json_value *shapes = ts_json_get(root, "shapes");
    if (!shapes || shapes->kind != TS_JSON_OBJECT)
        return TS_OK; /* the reader of shapes will say what is wrong */
    for (ts_json_value **link = &shapes->first, *node; (node = *link) != NULL;) {
        const ts_json_value *kind = ts_json_get(node, "kind");
        if (kind && kind->kind == TS_JSON_TEXT) {
            if (strcmp(kind->text, "svg") == 0)
                TS_TRY(embed_svg(reader, root, node));
            else if (strcmp(kind->text, "glyph") == 0)
                TS_TRY(embed_glyph(reader, root, node));
            else if (strcmp(kind->text, "text") == 0)
                TS_TRY(embed_text(reader, root, shapes, link));
        }
        link = &node->next; /* behind the letters, if any were put before it */
    }
    return TS_OK;
}

ts_status ts_read_embed(const ts_reader *reader, ts_json_value *root)
{
    static ts_status (*const embed_shapes[])(const ts_reader *, ts_json_value *) = {embed_outlines, ts_embed_meshes};
    TS_TRY(embed_sizes(reader, root));
    return embed_shapes[reader->in->axes - 2](reader, root);
}
