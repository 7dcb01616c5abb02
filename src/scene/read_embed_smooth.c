/* SPDX-License-Identifier: MIT */
/* Files of smooth bodies become part of a scene of space, as meshes do (read_embed_mesh.c). What has moved keeps its
 * place in the file, for messages.
 *
 *     {"kind": "smooth", "file": "drill.json"}                ──▶   {"kind": "smooth", "pieces": [ … ], "points": [ … ], "triangles": [ … ]}
 *     {"kind": "cloud", "file": "cup.stl", "scale": 1e-3}     ──▶   {"kind": "cloud", "points": [ … ], "normals": [ … ]} */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "scene/read_embed.h"
#include "scene/smooth_file.h"
#include "shape/mesh_read.h"

static ts_status fail_beside(const ts_reader *reader, const ts_json_value *node, const ts_form *form,
                             const char *const *key, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ts_json_get(node, key[i]))
            return ts_read_fail(reader, ts_json_get(node, key[i]), "%s: %s stands beside a file; leave one", form->what,
                                key[i]);
    return TS_OK;
}

/* `what` and the name of the file, for messages. */
static const char *describe(const ts_form *form, const ts_json_value *file, char *text, size_t capacity)
{
    char quote[TS_QUOTE_SIZE];
    snprintf(text, capacity, "%s \"%s\"", form->what, ts_quote(file->text, quote, sizeof quote));
    return text;
}

/* ---- Fitted files ---- */

/* With a wish for vertices or a smoothing of its own the body gets a new mesh. */
static ts_status embed_fitted(const ts_reader *reader, const ts_json_value *root, ts_json_value *node,
                              const ts_form *form)
{
    static const char *const beside[] = {"pieces", "points", "triangles"};
    const ts_json_value *file = ts_json_get(node, "file");
    const bool anew = ts_json_get(node, "vertices") || ts_json_get(node, "smoothing");
    const char *path = NULL;
    ts_json_value *fitted = NULL;
    ts_piece_values v = {0};
    ts_error error;
    char what[2 * TS_QUOTE_SIZE];
    TS_TRY(ts_read_object(reader, node, form, &v));
    TS_TRY(fail_beside(reader, node, form, beside, 3));
    TS_TRY(ts_embed_find(reader, root, file, form->what, &path));
    const ts_status status = ts_smooth_file_tree(reader->arena, path, &fitted, &error);
    if (status != TS_OK)
        return ts_embed_fail(reader, file, describe(form, file, what, sizeof what), status, &error);
    ts_json_remove(node, file);
    for (ts_json_value *member = fitted->first, *next; member; member = next) {
        next = member->next;
        const bool pieces = strcmp(member->key, "pieces") == 0, smoothing = strcmp(member->key, "smoothing") == 0;
        const bool mesh = strcmp(member->key, "points") == 0 || strcmp(member->key, "triangles") == 0;
        if (pieces || (mesh && !anew) || (smoothing && !ts_json_get(node, "smoothing")))
            ts_json_append(node, member);
    }
    return TS_OK;
}

/* ---- Clouds ---- */

/* The mean of the normals around each vertex, weighted by angles. */
static ts_status find_normals(const ts_mesh *mesh, ts_vec3 **normal, ts_error *error)
{
    TS_TRY(ts_new(normal, mesh->vertex_count, error));
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        for (int k = 0; k < 3; k++) {
            const ts_vec3 p = mesh->vertex[t[k]], u = ts_vec3_sub(mesh->vertex[t[(k + 1) % 3]], p),
                          v = ts_vec3_sub(mesh->vertex[t[(k + 2) % 3]], p), n = ts_vec3_cross(u, v);
            const double sine = ts_vec3_length(n), angle = atan2(sine, ts_vec3_dot(u, v));
            if (sine > 0)
                (*normal)[t[k]] = ts_vec3_add_scaled((*normal)[t[k]], n, angle / sine);
        }
    }
    for (size_t i = 0; i < mesh->vertex_count; i++)
        (*normal)[i] = ts_vec3_unit((*normal)[i]);
    return TS_OK;
}

/* Appends a list of triples, from its end. */
static ts_status add_triples(const ts_reader *reader, ts_json_value *node, ts_place place, const char *key,
                             const ts_vec3 *v, size_t count)
{
    ts_json_value *list = ts_embed_add(reader, place, node, key, TS_JSON_ARRAY);
    ts_json_value **end = list ? &list->first : NULL;
    for (size_t i = 0; end && i < count; i++) {
        const double number[3] = {v[i].x, v[i].y, v[i].z};
        ts_json_value *item = ts_embed_add(reader, place, NULL, NULL, TS_JSON_ARRAY);
        for (int k = 0; item && k < 3; k++) {
            ts_json_value *value = ts_embed_add(reader, place, item, NULL, TS_JSON_NUMBER);
            if (value)
                value->number = number[k];
            item = value ? item : NULL;
        }
        if (!item)
            return ts_fail_memory(reader->error, count * sizeof *v);
        *end = item;
        end = &item->next;
        list->count++;
    }
    return list ? TS_OK : ts_fail_memory(reader->error, sizeof *list);
}

static ts_status embed_cloud(const ts_reader *reader, const ts_json_value *root, ts_json_value *node)
{
    static const char *const beside[] = {"points", "normals"};
    const ts_form *form = &ts_form_smooth[TS_SMOOTH_CLOUD - 1];
    const ts_json_value *file = ts_json_get(node, "file");
    const ts_place place = ts_json_place(file);
    const char *path = NULL;
    ts_smooth_piece_values v = {.scale = 1};
    ts_error error;
    char what[2 * TS_QUOTE_SIZE];
    TS_AUTO_FREE char *bytes = NULL;
    TS_AUTO_FREE ts_vec3 *normal = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    size_t size = 0;
    TS_TRY(ts_read_object(reader, node, form, &v));
    TS_TRY(fail_beside(reader, node, form, beside, 2));
    TS_TRY(ts_embed_find(reader, root, file, form->what, &path));
    ts_status status = ts_file_read(path, TS_MESH_BYTES_MAX, &bytes, &size, &error);
    if (status == TS_OK)
        status = ts_mesh_read(bytes, size, TS_MESH_AUTO, path, NULL, &mesh, &error);
    if (status == TS_OK)
        status = find_normals(mesh, &normal, &error);
    if (status != TS_OK)
        return ts_embed_fail(reader, file, describe(form, file, what, sizeof what), status, &error);
    ts_mesh_move(mesh, v.scale, ts_pose3_identity());
    ts_json_remove(node, file);
    if (ts_json_get(node, "scale"))
        ts_json_remove(node, ts_json_get(node, "scale"));
    TS_TRY(add_triples(reader, node, place, "points", mesh->vertex, mesh->vertex_count));
    return add_triples(reader, node, place, "normals", normal, mesh->vertex_count);
}

/* ---- Both ---- */

ts_status ts_embed_smooth(const ts_reader *reader, const ts_json_value *root, ts_json_value *node, const ts_form *form)
{
    if (ts_json_get(node, "file"))
        return embed_fitted(reader, root, node, form);
    const ts_json_value *pieces = ts_json_get(node, "pieces");
    if (!pieces || pieces->kind != TS_JSON_ARRAY)
        return TS_OK; /* the reader of shapes will say what is wrong */
    for (ts_json_value *piece = pieces->first; piece; piece = piece->next) {
        const ts_json_value *kind = ts_json_get(piece, "kind");
        if (kind && kind->kind == TS_JSON_TEXT && strcmp(kind->text, "cloud") == 0 && ts_json_get(piece, "file"))
            TS_TRY(embed_cloud(reader, root, piece));
    }
    return TS_OK;
}
