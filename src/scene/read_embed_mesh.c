/* SPDX-License-Identifier: MIT */
/* Mesh files become part of a scene of space: points and triangles as base64 of little-endian numbers, doubles and
 * 32-bit integers, so that the scene that a run keeps has the same bits without the file. What was mended in it goes
 * along in "notes".
 *
 *     {"kind": "mesh", "file": "cup.stl", "scale": 1e-3}   ──▶   {"kind": "mesh", "points": "AAAA…", "triangles": "AQAA…"}
 *     {"kind": "hull", "file": "rock.obj"}                 ──▶   {"kind": "hull", "points": "AAAA…"}
 */
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/file.h"
#include "scene/read_embed.h"
#include "shape/mesh_read.h"

typedef struct embedding {
    const ts_reader *reader;
    const ts_json_value *root;
    size_t room; /* characters that may still be written */
} embedding;

/* Appends a member, or an item without a key, that is a text or holds something. */
static ts_json_value *add_value(embedding *e, ts_json_value *node, const ts_json_value *file, const char *key,
                                const char *text)
{
    ts_json_value *value = ts_embed_add(e->reader, ts_json_place(file), node, key, text ? TS_JSON_TEXT : TS_JSON_ARRAY);
    if (value)
        value->text = text;
    return value;
}

/* Appends a member whose text is the bytes. */
static ts_status add_bytes(embedding *e, ts_json_value *node, const ts_json_value *file, const char *key,
                           const unsigned char *bytes, size_t size)
{
    size_t length = ts_base64_length(size);
    if (length > e->room)
        return ts_read_fail(e->reader, file,
                            "mesh: with this file the scene's meshes are too large to become part of it, more than %zu "
                            "MB; use coarser ones",
                            TS_EMBED_TEXT_MAX / 4 * 3 / 1000000);
    char *text = ts_arena_alloc(e->reader->arena, length + 1, 1);
    if (!text || !add_value(e, node, file, key, text))
        return ts_fail_memory(e->reader->error, length + 1);
    ts_base64_encode(bytes, size, text);
    e->room -= length;
    return TS_OK;
}

/* Appends "notes": what was mended in the file, if anything was. */
static ts_status add_note(embedding *e, ts_json_value *node, const ts_json_value *file, const ts_mesh_report *report)
{
    char repairs[400];
    if (ts_mesh_report_repairs(report, repairs, sizeof repairs) == 0)
        return TS_OK;
    size_t size = strlen(file->text) + sizeof repairs + 3;
    char *text = ts_arena_alloc(e->reader->arena, size, 1);
    ts_json_value *list = text ? add_value(e, node, file, "notes", NULL) : NULL;
    if (!list)
        return ts_fail_memory(e->reader->error, size);
    snprintf(text, size, "%s: %s", file->text, repairs);
    return add_value(e, list, file, NULL, text) ? TS_OK : ts_fail_memory(e->reader->error, size);
}

/* Replaces the members "file" and "scale" by what the mesh has. */
static ts_status write_mesh(embedding *e, ts_json_value *node, const ts_json_value *file, const ts_mesh *mesh,
                            bool surface)
{
    size_t points = mesh->vertex_count * 24, triangles = surface ? mesh->triangle_count * 12 : 0;
    unsigned char *bytes = ts_alloc_raw(points + triangles + 1, 1), *to = bytes;
    if (!bytes)
        return ts_fail_memory(e->reader->error, points + triangles);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        to = ts_put_f64(to, mesh->vertex[i].x);
        to = ts_put_f64(to, mesh->vertex[i].y);
        to = ts_put_f64(to, mesh->vertex[i].z);
    }
    for (size_t i = 0; surface && i < 3 * mesh->triangle_count; i++)
        to = ts_put_u32(to, (uint32_t)mesh->triangle[i / 3][i % 3]);
    ts_json_remove(node, file);
    if (ts_json_get(node, "scale"))
        ts_json_remove(node, ts_json_get(node, "scale"));
    ts_status status = add_bytes(e, node, file, "points", bytes, points);
    if (status == TS_OK && surface)
        status = add_bytes(e, node, file, "triangles", bytes + points, triangles);
    ts_free(bytes);
    return status;
}

/* A shape or a piece of kind hull or mesh that names a file. */
static ts_status embed_mesh(embedding *e, ts_json_value *node, const ts_form *form, bool surface)
{
    const ts_json_value *file = ts_json_get(node, "file");
    ts_piece_values v = {.scale = 1};
    const char *path = NULL;
    if (!file)
        return TS_OK;
    TS_TRY(ts_read_object(e->reader, node, form, &v));
    if (ts_json_get(node, "points") || ts_json_get(node, "triangles") || ts_json_get(node, "made"))
        return ts_read_fail(e->reader, file, "%s: file stands beside points, triangles or made; leave one", form->what);
    TS_TRY(ts_embed_find(e->reader, e->root, file, form->what, &path));
    char *bytes = NULL;
    size_t size = 0;
    ts_mesh *mesh = NULL;
    ts_mesh_report report = {0};
    ts_error error;
    ts_status status = ts_file_read(path, TS_MESH_BYTES_MAX, &bytes, &size, &error);
    if (status == TS_OK) /* of a hull the points alone count, closed or not */
        status = surface ? ts_mesh_read(bytes, size, TS_MESH_AUTO, path, &report, &mesh, &error)
                         : ts_mesh_parse(bytes, size, TS_MESH_AUTO, path, &mesh, &error);
    ts_free(bytes);
    if (status != TS_OK) {
        char quote[TS_QUOTE_SIZE], what[TS_QUOTE_SIZE + 32];
        ts_quote(file->text, quote, sizeof quote);
        snprintf(what, sizeof what, "%s \"%s\"", form->what, quote);
        return ts_embed_fail(e->reader, file, what, status, &error);
    }
    ts_mesh_move(mesh, v.scale, (ts_pose3){{0, 0, 0}, {1, 0, 0, 0}});
    status = write_mesh(e, node, file, mesh, surface);
    if (status == TS_OK)
        status = add_note(e, node, file, &report);
    ts_mesh_free(mesh);
    return status;
}

static ts_status embed_piece(embedding *e, ts_json_value *node, const ts_form *form)
{
    const ts_json_value *kind = ts_json_get(node, "kind");
    const char *word = kind && kind->kind == TS_JSON_TEXT ? kind->text : "";
    if (strcmp(word, "hull") == 0)
        return embed_mesh(e, node, &form[TS_PIECE_HULL - 1], false);
    if (strcmp(word, "mesh") == 0)
        return embed_mesh(e, node, &form[TS_PIECE_MESH - 1], true);
    if (strcmp(word, "smooth") == 0)
        return ts_embed_smooth(e->reader, e->root, node, &form[TS_PIECE_SMOOTH - 1]);
    return TS_OK;
}

ts_status ts_embed_meshes(const ts_reader *reader, ts_json_value *root)
{
    embedding e = {reader, root, TS_EMBED_TEXT_MAX};
    ts_json_value *shapes = ts_json_get(root, "shapes");
    if (!shapes || shapes->kind != TS_JSON_OBJECT)
        return TS_OK; /* the reader of shapes will say what is wrong */
    for (ts_json_value *node = shapes->first; node; node = node->next) {
        TS_TRY(embed_piece(&e, node, ts_form_solid));
        ts_json_value *pieces = ts_json_get(node, "pieces");
        if (!pieces || pieces->kind != TS_JSON_ARRAY)
            continue;
        for (ts_json_value *piece = pieces->first; piece; piece = piece->next)
            TS_TRY(embed_piece(&e, piece, ts_form_piece));
    }
    return TS_OK;
}
