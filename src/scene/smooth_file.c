/* SPDX-License-Identifier: MIT */
#include "scene/smooth_file.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "scene/read.h"
#include "scene/smooth.h"

#define VERSION_KEY "touchstone_smooth"
#define WHAT        "smooth body"

/* ---- Reading ---- */

static const ts_field field[] = {
    {VERSION_KEY, TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, TS_FIELD_REQUIRED, 0},
    {"notes", TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, 0, 0},
    TS_KEY(ts_smooth_def, "smoothing", smoothing, NUMBER, NONE, POSITIVE, 0),
    {"pieces", TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, TS_FIELD_REQUIRED, 0},
    {"points", TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, TS_FIELD_REQUIRED, 0},
    {"triangles", TS_FIELD_CUSTOM, TS_QUANTITY_NONE, TS_RANGE_ANY, TS_FIELD_REQUIRED, 0},
};
static const ts_form form = {"smooth_file", WHAT, NULL, field, sizeof field / sizeof *field, TS_FIELD_SPACE, 0};

static ts_status check_version(const ts_reader *reader, const ts_json_value *root)
{
    const ts_json_value *version = ts_json_get(root, VERSION_KEY);
    if (root->kind != TS_JSON_OBJECT || !version)
        return ts_read_fail(reader, root,
                            WHAT ": this is no file of a smooth body; one begins with {\"" VERSION_KEY "\": %d, …}",
                            TS_SMOOTH_FILE_FORMAT);
    if (version->kind != TS_JSON_NUMBER)
        return ts_read_mismatch(reader, version, WHAT, VERSION_KEY, "the version of the format, a number");
    if (version->number != TS_SMOOTH_FILE_FORMAT)
        return ts_fail_at(reader->error, TS_UNSUPPORTED, ts_json_place(version),
                          WHAT ": it has version %g, but this program reads version %d; write it again with this one",
                          version->number, TS_SMOOTH_FILE_FORMAT);
    return TS_OK;
}

static ts_status check_notes(const ts_reader *reader, const ts_json_value *list)
{
    if (!list)
        return TS_OK;
    TS_TRY(ts_read_is(reader, list, TS_JSON_ARRAY, WHAT, "notes"));
    for (const ts_json_value *item = list->first; item; item = item->next)
        TS_TRY(ts_read_is(reader, item, TS_JSON_TEXT, WHAT, "a note"));
    return TS_OK;
}

static ts_status build(const ts_reader *reader, const ts_json_value *root, ts_sdf_body **body)
{
    ts_smooth_def def = ts_default_smooth();
    ts_error why;
    TS_TRY(check_version(reader, root));
    TS_TRY(ts_read_object(reader, root, &form, &def));
    TS_TRY(check_notes(reader, ts_json_get(root, "notes")));
    TS_TRY(ts_read_smooth(reader, root, WHAT, &def));
    const ts_status status = ts_smooth_create(&def, body, &why);
    if (status == TS_OUT_OF_MEMORY && reader->error)
        *reader->error = why;
    else if (status != TS_OK) /* what is left to find is in the mesh, or concerns all of it */
        return ts_fail_at(reader->error, status, ts_json_place(ts_json_get(root, "triangles")), WHAT ": %s",
                          why.message);
    return status;
}

ts_status ts_smooth_file_parse(const char *text, size_t length, const char *name, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    ts_json_value *root = NULL;
    *body = NULL;
    TS_TRY(ts_json_parse(&arena, text, length, name, &root, error));
    const ts_reader reader = {.in = &ts_in_space, .arena = &arena, .error = error};
    return build(&reader, root, body);
}

ts_status ts_smooth_file_tree(ts_arena *arena, const char *path, ts_json_value **root, ts_error *error)
{
    TS_AUTO_FREE char *text = NULL;
    TS_AUTO(ts_sdf_body_free_at) ts_sdf_body *body = NULL;
    size_t length;
    TS_TRY(ts_file_read(path, TS_SMOOTH_FILE_BYTES_MAX, &text, &length, error));
    TS_TRY(ts_json_parse(arena, text, length, path, root, error));
    const ts_reader reader = {.in = &ts_in_space, .arena = arena, .error = error};
    return build(&reader, *root, &body);
}

ts_status ts_smooth_file_read(const char *path, ts_sdf_body **body, ts_error *error)
{
    TS_AUTO_FREE char *text = NULL;
    size_t length;
    *body = NULL;
    TS_TRY(ts_file_read(path, TS_SMOOTH_FILE_BYTES_MAX, &text, &length, error));
    return ts_smooth_file_parse(text, length, path, body, error);
}

/* ---- Writing: a tree, and its text ---- */

typedef struct writer {
    ts_arena *arena;
    bool full; /* a value could not be had */
} writer;

/* Lists that grow at their end without a walk. */
typedef struct list {
    ts_json_value *value, **end;
} list;

static ts_json_value *value_of(writer *w, ts_json_kind kind)
{
    ts_json_value *value = ts_json_new(w->arena, (ts_place){0});
    if (value)
        value->kind = kind;
    else
        w->full = true;
    return value;
}

static list begin(writer *w, ts_json_kind kind)
{
    ts_json_value *value = value_of(w, kind);
    return (list){value, value ? &value->first : NULL};
}

static void append(list *to, const char *key, ts_json_value *value)
{
    if (!to->end || !value)
        return;
    value->key = key;
    *to->end = value;
    to->end = &value->next;
    to->value->count++;
}

static ts_json_value *number(writer *w, double x)
{
    ts_json_value *value = value_of(w, TS_JSON_NUMBER);
    if (value)
        value->number = x;
    return value;
}

static ts_json_value *numbers(writer *w, const double *x, int count)
{
    list to = begin(w, TS_JSON_ARRAY);
    for (int i = 0; i < count; i++)
        append(&to, NULL, number(w, x[i]));
    return to.value;
}

static ts_json_value *triples(writer *w, const ts_vec3 *v, size_t count)
{
    list to = begin(w, TS_JSON_ARRAY);
    for (size_t i = 0; i < count; i++)
        append(&to, NULL, numbers(w, (const double[3]){v[i].x, v[i].y, v[i].z}, 3));
    return to.value;
}

static ts_json_value *words(writer *w, const char *text)
{
    ts_json_value *value = value_of(w, TS_JSON_TEXT);
    if (value)
        value->text = text;
    return value;
}

/* A note may name a file, and that any bytes: those that are no UTF-8 become question marks. */
static ts_json_value *note_of(writer *w, const char *text)
{
    char *copy = ts_arena_text(w->arena, text, strlen(text));
    w->full = w->full || !copy;
    for (char *at = copy; at && *at;) {
        const size_t length = ts_utf8_length(at);
        if (length == 0)
            *at = '?';
        at += length > 0 ? length : 1;
    }
    return words(w, copy);
}

static ts_json_value *piece(writer *w, const ts_primitive *p)
{
    static const char *const kind[TS_PRIMITIVE_KINDS] = {"superquadric", "polyhedron", "cloud"};
    const ts_vec3 at = p->pose.position;
    const ts_quat q = p->pose.quat;
    list to = begin(w, TS_JSON_OBJECT);
    append(&to, "kind", words(w, kind[p->kind]));
    if (p->subtract) {
        ts_json_value *yes = value_of(w, TS_JSON_BOOLEAN);
        if (yes)
            yes->boolean = true;
        append(&to, "subtract", yes);
    }
    append(&to, "position", numbers(w, (const double[3]){at.x, at.y, at.z}, 3));
    append(&to, "attitude", numbers(w, (const double[4]){q.w, q.x, q.y, q.z}, 4));
    if (p->kind == TS_PRIMITIVE_SUPERQUADRIC) {
        append(&to, "size", numbers(w, (const double[3]){p->size.x, p->size.y, p->size.z}, 3));
        append(&to, "exponents", numbers(w, p->exponent, 2));
        return to.value;
    }
    if (p->kind == TS_PRIMITIVE_CLOUD)
        append(&to, "width", number(w, p->width));
    append(&to, "points", triples(w, p->point, p->count));
    append(&to, "normals", triples(w, p->normal, p->count));
    return to.value;
}

static ts_json_value *tree(writer *w, const ts_sdf_body *body, const char *const *note, size_t note_count)
{
    list root = begin(w, TS_JSON_OBJECT), notes = begin(w, TS_JSON_ARRAY), pieces = begin(w, TS_JSON_ARRAY),
         triangles = begin(w, TS_JSON_ARRAY);
    append(&root, VERSION_KEY, number(w, TS_SMOOTH_FILE_FORMAT));
    for (size_t i = 0; i < note_count; i++)
        append(&notes, NULL, note_of(w, note[i]));
    if (note_count > 0)
        append(&root, "notes", notes.value);
    append(&root, "smoothing", number(w, ts_sdf_smoothing(body->sdf)));
    for (size_t i = 0; i < ts_sdf_count(body->sdf); i++)
        append(&pieces, NULL, piece(w, ts_sdf_primitive(body->sdf, i)));
    append(&root, "pieces", pieces.value);
    append(&root, "points", triples(w, body->mesh->vertex, body->mesh->vertex_count));
    for (size_t i = 0; i < body->mesh->triangle_count; i++) {
        const int32_t *t = body->mesh->triangle[i];
        append(&triangles, NULL, numbers(w, (const double[3]){t[0], t[1], t[2]}, 3));
    }
    append(&root, "triangles", triangles.value);
    return root.value;
}

ts_status ts_smooth_file_text(const ts_sdf_body *body, const char *const *note, size_t note_count, char **text,
                              size_t *length, ts_error *error)
{
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    writer w = {.arena = &arena};
    const ts_json_value *root = tree(&w, body, note, note_count);
    if (w.full)
        return ts_fail_memory(error, sizeof *root);
    return ts_json_write(root, text, length, error);
}

ts_status ts_smooth_file_write(const char *path, const ts_sdf_body *body, const char *const *note, size_t note_count,
                               ts_error *error)
{
    TS_AUTO_FREE char *text = NULL;
    size_t length;
    TS_TRY(ts_smooth_file_text(body, note, note_count, &text, &length, error));
    return ts_file_write(path, text, length, error);
}
