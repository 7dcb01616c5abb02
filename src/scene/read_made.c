/* SPDX-License-Identifier: MIT */
/* Meshes of a scene file that are made by rule (shape/mesh_make.h). They need no file, so a scene keeps them as they
 * are written. */
#include <string.h>

#include "scene/read.h"
#include "shape/mesh_make.h"

/* Finer ones would take minutes, or all memory; a scene is not trusted with that. */
enum { detail_most = 256, along_most = 1200, dolls_most = 20 };
/* Triangles of all of them together. */
enum { triangles_most = 5000000 };

/* A count of cells: `usual` when it is not given. */
static ts_status count_cells(const ts_reader *reader, const ts_json_value *node, const ts_form *form, const char *key,
                             uint64_t given, int usual, int *cells)
{
    const ts_json_value *value = ts_json_get(node, key);
    uint64_t most = strcmp(key, "detail") == 0 ? detail_most : along_most;
    *cells = usual;
    if (!value)
        return TS_OK;
    if (given > most)
        return ts_read_fail(reader, value, "%s: %s is %.0f; give at most %.0f", form->what, key, (double)given,
                            (double)most);
    *cells = (int)given;
    return TS_OK;
}

static ts_status make_doll(const ts_reader *reader, const ts_json_value *node, const ts_form *form,
                           const ts_made_values *v, ts_mesh **mesh, ts_error *error, ts_status *made)
{
    const ts_json_value *part = ts_json_get(node, "part");
    const char *word = !part ? "whole" : part->kind == TS_JSON_TEXT ? part->text : "";
    bool whole = strcmp(word, "whole") == 0, upper = strcmp(word, "upper") == 0;
    if (!whole && !upper && strcmp(word, "lower") != 0)
        return ts_read_fail(reader, part, "%s: part is \"whole\", \"lower\" or \"upper\"", form->what);
    if (v->number >= dolls_most)
        return ts_read_fail(reader, ts_json_get(node, "number"), "%s: number is %.0f; give 0, the outermost, to %d",
                            form->what, (double)v->number, dolls_most - 1);
    ts_doll doll = {.height = v->length, .hollow = v->hollow, .slack = v->slack};
    TS_TRY(count_cells(reader, node, form, "detail", v->detail, 24, &doll.cells));
    TS_TRY(count_cells(reader, node, form, "around", v->around, 48, &doll.sectors));
    *made = whole ? ts_mesh_make_doll_whole(&doll, (int)v->number, mesh, error)
                  : ts_mesh_make_doll(&doll, (int)v->number, upper, mesh, error);
    return TS_OK;
}

/* `made` is what the maker says; its error is still without a place. */
static ts_status make(const ts_reader *reader, const ts_json_value *node, const ts_form *form, const ts_made_values *v,
                      ts_mesh **mesh, ts_error *error, ts_status *made)
{
    int detail = 0, along = 0, around = 0;
    int usual[TS_MADE_FORM_COUNT] = {
        [TS_MADE_FORM_BOX] = 4, [TS_MADE_FORM_SPHERE] = 16, [TS_MADE_FORM_TEAPOT] = 96, [TS_MADE_FORM_BUNNY] = 64};
    ptrdiff_t which = form - ts_form_made;
    if (which == TS_MADE_FORM_DOLL)
        return make_doll(reader, node, form, v, mesh, error, made);
    TS_TRY(count_cells(reader, node, form, "detail", v->detail, usual[which], &detail));
    TS_TRY(count_cells(reader, node, form, "along", v->along, 96, &along));
    TS_TRY(count_cells(reader, node, form, "around", v->around, 24, &around));
    switch (which) {
    case TS_MADE_FORM_BOX:
        *made = ts_mesh_make_box((ts_vec3){0.5 * v->size[0], 0.5 * v->size[1], 0.5 * v->size[2]}, detail, mesh, error);
        break;
    case TS_MADE_FORM_SPHERE:
        *made = ts_mesh_make_icosphere(v->radius, detail, mesh, error);
        break;
    case TS_MADE_FORM_TORUS:
        *made = ts_mesh_make_torus(v->ring, v->tube, along, around, mesh, error);
        break;
    case TS_MADE_FORM_TREFOIL:
        *made = ts_mesh_make_trefoil(v->length, v->tube, along, around, mesh, error);
        break;
    case TS_MADE_FORM_TEAPOT:
        *made = ts_mesh_make_teapot(v->length, detail, mesh, error);
        break;
    default:
        *made = ts_mesh_make_bunny(v->length, detail, mesh, error);
        break;
    }
    return TS_OK;
}

/* The mesh as points and triangles of a piece. */
static ts_status keep(const ts_reader *reader, const ts_mesh *mesh, ts_piece_def *def)
{
    double(*point)[3] = ts_arena_alloc(reader->arena, mesh->vertex_count, sizeof *point);
    int32_t(*triangle)[3] = ts_arena_alloc(reader->arena, mesh->triangle_count, sizeof *triangle);
    if (!point || !triangle)
        return ts_fail_memory(reader->error, mesh->vertex_count * sizeof *point);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        point[i][0] = mesh->vertex[i].x;
        point[i][1] = mesh->vertex[i].y;
        point[i][2] = mesh->vertex[i].z;
    }
    memcpy(triangle, mesh->triangle, mesh->triangle_count * sizeof *triangle);
    def->point = (const double(*)[3])point;
    def->point_count = mesh->vertex_count;
    def->triangle = (const int32_t(*)[3])triangle;
    def->triangle_count = mesh->triangle_count;
    return TS_OK;
}

ts_status ts_read_made(const ts_reader *reader, const ts_json_value *node, ts_piece_def *def)
{
    const ts_form *form;
    ts_made_values v = {0};
    ts_mesh *mesh = NULL;
    ts_error error;
    ts_status made = TS_OK;
    TS_TRY(ts_read_kind(reader, node, "made", ts_form_made, TS_MADE_FORM_COUNT, &form));
    TS_TRY(ts_read_object(reader, node, form, &v));
    TS_TRY(make(reader, node, form, &v, &mesh, &error, &made));
    if (made == TS_OUT_OF_MEMORY && reader->error)
        *reader->error = error;
    else if (made != TS_OK)
        return ts_fail_at(reader->error, made, ts_json_place(node), "%s: %s", form->what, error.message);
    if (made != TS_OK)
        return made;
    *reader->made += mesh->triangle_count;
    ts_status status =
        *reader->made > triangles_most
            ? ts_read_fail(reader, node, "%s: with it more than %d triangles are made by rule; choose less detail",
                           form->what, triangles_most)
            : keep(reader, mesh, def);
    ts_mesh_free(mesh);
    return status;
}
