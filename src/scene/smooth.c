/* SPDX-License-Identifier: MIT */
#include "scene/smooth.h"

#include <string.h>

#include "base/given.h"
#include "scene/smooth_file.h"
#include "shape/hull.h"
#include "shape/superquadric.h"

/* Of coordinates [m]: products of three stay finite. */
#define LENGTH_MAX 1e30
/* A mesh that is farther off its surface, over the length, belongs to another body. */
#define OFF_MOST 0.25
#define COOKIE   0x736d6f6f
/* Vertices of a mesh, unless it is told, and at least; points that are asked about together. */
enum { VERTICES = 300, VERTICES_LEAST = 8, BATCH = 64 };

/* ---- Pieces ---- */

static ts_vec3 *copy(ts_arena *arena, const double (*from)[3], size_t count)
{
    ts_vec3 *to = ts_arena_alloc(arena, count, sizeof *to);
    for (size_t i = 0; to && i < count; i++)
        to[i] = (ts_vec3){from[i][0], from[i][1], from[i][2]};
    return to;
}

/* The planes of the hull of a primitive's points. */
static ts_status hull_planes(ts_arena *arena, ts_primitive *p, ts_error *error)
{
    for (size_t i = 0; i < p->count; i++)
        if (!ts_vec3_is_finite(p->point[i]))
            return ts_fail(error, TS_BAD_INPUT, "point %zu of a polyhedron is not finite; leave it out", i + 1);
    TS_AUTO(ts_hull_free_at) ts_hull *hull = NULL;
    TS_TRY(ts_hull_create(p->point, p->count, &hull, error));
    p->count = hull->face_count;
    p->point = ts_arena_alloc(arena, p->count, sizeof *p->point);
    p->normal = ts_arena_alloc(arena, p->count, sizeof *p->normal);
    if (!p->point || !p->normal)
        return ts_fail_memory(error, p->count * sizeof *p->point);
    for (size_t i = 0; i < p->count; i++) {
        p->normal[i] = hull->normal[i];
        p->point[i] = hull->vertex[hull->corner[hull->face_begin[i]]];
    }
    return TS_OK;
}

/* All zero: not turned. Of unit length, which a quaternion that has it already keeps bit for bit. */
static ts_quat attitude_of(const double q[4])
{
    const ts_quat given = {q[0], q[1], q[2], q[3]};
    return fabs(ts_quat_dot(given, given) - 1) < 1e-6 ? given : ts_quat_unit(given);
}

ts_status ts_smooth_primitive(ts_arena *arena, const ts_smooth_piece *piece, ts_primitive *primitive, ts_error *error)
{
    const double *at = piece->position, *q = piece->attitude;
    ts_primitive p = {
        .subtract = piece->subtract,
        .pose = {{at[0], at[1], at[2]}, attitude_of(q)},
        .size = {piece->size[0], piece->size[1], piece->size[2]},
        .exponent = {piece->exponents[0], piece->exponents[1]},
        .width = piece->width,
    };
    p.kind =
        (ts_primitive_kind)(piece->kind - TS_SMOOTH_SUPERQUADRIC); /* in the same order; others are refused below */
    if (piece->kind != TS_SMOOTH_SUPERQUADRIC && piece->point && piece->count > 0) {
        p.count = piece->count;
        p.point = copy(arena, piece->point, p.count);
        p.normal = piece->normal ? copy(arena, piece->normal, p.count) : NULL;
        if (!p.point || (piece->normal && !p.normal))
            return ts_fail_memory(error, p.count * sizeof *p.point);
        if (piece->kind == TS_SMOOTH_POLYHEDRON && !p.normal)
            TS_TRY(hull_planes(arena, &p, error));
    }
    TS_TRY(ts_primitive_check(&p, error));
    *primitive = p;
    return TS_OK;
}

/* ---- Bodies ---- */

ts_status ts_smooth_distance(const ts_smooth_def *def, ts_sdf **sdf, ts_error *error)
{
    TS_AUTO(ts_arena_free) ts_arena arena = {0};
    TS_AUTO(ts_sdf_free_at) ts_sdf *made = NULL;
    ts_primitive *primitive = ts_arena_alloc(&arena, def->piece_count + 1, sizeof *primitive);
    if (!primitive)
        return ts_fail_memory(error, def->piece_count * sizeof *primitive);
    for (size_t i = 0; i < def->piece_count; i++)
        TS_TRY(ts_smooth_primitive(&arena, &def->piece[i], &primitive[i], error));
    TS_TRY(ts_sdf_create(primitive, def->piece_count, &made, error));
    if (def->smoothing != 0)
        TS_TRY(ts_sdf_set_smoothing(made, def->smoothing, error));
    *sdf = ts_give(&made);
    return TS_OK;
}

static ts_status check_triangle(const ts_smooth_def *def, size_t index, ts_error *error)
{
    const int32_t *t = def->triangle[index];
    for (int k = 0; k < 3; k++)
        if (t[k] < 0 || (size_t)t[k] >= def->point_count)
            return ts_fail(error, TS_BAD_INPUT, "triangle %zu of its mesh has corner %d, but its points are 0 to %zu",
                           index, (int)t[k], def->point_count - 1);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
        return ts_fail(error, TS_BAD_INPUT, "triangle %zu of its mesh has one corner twice, (%d, %d, %d); leave it out",
                       index, (int)t[0], (int)t[1], (int)t[2]);
    return TS_OK;
}

ts_status ts_smooth_own_mesh(const ts_smooth_def *def, ts_mesh **mesh, ts_error *error)
{
    if (!def->point || !def->triangle || def->point_count < 4 || def->triangle_count < 4)
        return ts_fail(error, TS_BAD_INPUT,
                       "its mesh has %zu points and %zu triangles; give a closed surface, of at least 4 of each",
                       def->point ? def->point_count : 0, def->triangle ? def->triangle_count : 0);
    if (def->point_count > TS_SDF_BODY_VERTICES_MAX || def->triangle_count > 4 * TS_SDF_BODY_VERTICES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "its mesh has %zu points and %zu triangles; keep to %d points",
                       def->point_count, def->triangle_count, TS_SDF_BODY_VERTICES_MAX);
    TS_AUTO(ts_mesh_free_at) ts_mesh *made = NULL;
    TS_TRY(ts_mesh_create(def->point_count, def->triangle_count, &made, error));
    for (size_t i = 0; i < def->point_count; i++) {
        made->vertex[i] = (ts_vec3){def->point[i][0], def->point[i][1], def->point[i][2]};
        const double far = fmax(fabs(def->point[i][0]), fmax(fabs(def->point[i][1]), fabs(def->point[i][2])));
        if (!ts_vec3_is_finite(made->vertex[i]) || far > LENGTH_MAX)
            return ts_fail(error, TS_BAD_INPUT, "point %zu of its mesh is not finite, or very far; mend it", i);
    }
    for (size_t i = 0; i < def->triangle_count; i++) {
        TS_TRY(check_triangle(def, i, error));
        memcpy(made->triangle[i], def->triangle[i], sizeof made->triangle[i]);
    }
    *mesh = ts_give(&made);
    return TS_OK;
}

ts_status ts_smooth_surface(const ts_smooth_def *def, const ts_sdf *sdf, ts_mesh **mesh, ts_error *error)
{
    const ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    const ts_primitive *first = ts_sdf_primitive(sdf, 0);
    const size_t wished = def->vertices ? def->vertices : VERTICES;
    if (wished < VERTICES_LEAST || wished > TS_SDF_BODY_VERTICES_MAX)
        return ts_fail(error, TS_BAD_INPUT,
                       "%zu vertices are wished for the mesh of a smooth body; wish for %d to %d, such as %d", wished,
                       VERTICES_LEAST, TS_SDF_BODY_VERTICES_MAX, VERTICES);
    if (ts_sdf_count(sdf) == 1 && first->kind == TS_PRIMITIVE_SUPERQUADRIC)
        return ts_superquadric_mesh(first, wished, mesh, error);
    return ts_sdf_mesh(sdf, &rule, &(ts_sdf_mesh_wish){.vertices = wished}, mesh, error);
}

ts_status ts_smooth_create(const ts_smooth_def *def, ts_smooth **body, ts_error *error)
{
    TS_GIVEN(def, "smooth body", error);
    TS_GIVEN(body, "smooth body", error);
    *body = NULL;
    if (def->cookie != COOKIE)
        return ts_fail(error, TS_BAD_INPUT, "smooth body: it is not set; begin with ts_default_smooth()");
    if (def->piece_count > 0)
        TS_GIVEN(def->piece, "smooth body", error);
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_AUTO(ts_mesh_free_at) ts_mesh *mesh = NULL;
    TS_TRY(ts_smooth_distance(def, &sdf, error));
    if (def->point || def->triangle)
        TS_TRY(ts_smooth_own_mesh(def, &mesh, error));
    else
        TS_TRY(ts_smooth_surface(def, sdf, &mesh, error));
    TS_TRY(ts_sdf_body_create(sdf, mesh, body, error));
    sdf = NULL, mesh = NULL; /* the body has them */
    const double off = (*body)->off / ts_sdf_length((*body)->sdf);
    if (def->point && !(off <= OFF_MOST)) {
        ts_sdf_body_free(*body);
        *body = NULL;
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh of a smooth body lies up to %.3g%% of its length off its pieces' surface; keep to "
                       "%.3g%%, or leave the mesh out",
                       100 * off, 100 * OFF_MOST);
    }
    return TS_OK;
}

/* ---- Programs ---- */

ts_smooth_def ts_default_smooth(void)
{
    return (ts_smooth_def){.cookie = COOKIE};
}

ts_status ts_smooth_load(const char *path, ts_smooth **body, ts_error *error)
{
    TS_GIVEN(path, "smooth body", error);
    TS_GIVEN(body, "smooth body", error);
    return ts_smooth_file_read(path, body, error);
}

ts_status ts_smooth_save(const ts_smooth *body, const char *path, const char *const *note, size_t note_count,
                         ts_error *error)
{
    TS_GIVEN(body, "smooth body", error);
    TS_GIVEN(path, "smooth body", error);
    for (size_t i = 0; i < note_count; i++)
        if (!note || !note[i])
            return ts_fail(error, TS_BAD_INPUT, "smooth body: note %zu is NULL; pass a text", i);
    return ts_smooth_file_write(path, body, note, note_count, error);
}

void ts_smooth_free(ts_smooth *body)
{
    ts_sdf_body_free(body);
}

ts_smooth_info ts_smooth_get_info(const ts_smooth *body)
{
    return (ts_smooth_info){.pieces = ts_sdf_count(body->sdf),
                            .vertices = body->mesh->vertex_count,
                            .triangles = body->mesh->triangle_count,
                            .edges = body->edge_count,
                            .length = ts_sdf_length(body->sdf),
                            .smoothing = ts_sdf_smoothing(body->sdf),
                            .off = body->off};
}

ts_smooth_piece ts_smooth_get_piece(const ts_smooth *body, size_t index)
{
    const ts_primitive *p = ts_sdf_primitive(body->sdf, index);
    const ts_vec3 at = p->pose.position;
    const ts_quat q = p->pose.quat;
    return (ts_smooth_piece){.kind = (ts_smooth_kind)((int)p->kind + TS_SMOOTH_SUPERQUADRIC),
                             .subtract = p->subtract,
                             .size = {p->size.x, p->size.y, p->size.z},
                             .exponents = {p->exponent[0], p->exponent[1]},
                             .position = {at.x, at.y, at.z},
                             .attitude = {q.w, q.x, q.y, q.z},
                             .point = (const double(*)[3])(const void *)p->point, /* three doubles each */
                             .normal = (const double(*)[3])(const void *)p->normal,
                             .count = p->count,
                             .width = p->width};
}

void ts_smooth_get_mesh(const ts_smooth *body, double (*vertex)[3], int32_t (*triangle)[3], int32_t (*edge)[2])
{
    const ts_mesh *mesh = body->mesh;
    for (size_t i = 0; vertex && i < mesh->vertex_count; i++) {
        vertex[i][0] = mesh->vertex[i].x;
        vertex[i][1] = mesh->vertex[i].y;
        vertex[i][2] = mesh->vertex[i].z;
    }
    if (triangle)
        memcpy(triangle, mesh->triangle, mesh->triangle_count * sizeof *triangle);
    if (edge && body->edge_count > 0)
        memcpy(edge, body->edge, body->edge_count * sizeof *edge);
}

void ts_smooth_ask(const ts_smooth *body, size_t count, const double (*point)[3], double *value, double (*gradient)[3],
                   double (*normal)[3])
{
    const ts_sdf_rule rule = ts_sdf_default_rule(body->sdf);
    for (size_t begin = 0; begin < count; begin += BATCH) {
        double column[10][BATCH];
        const size_t here = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < here; i++)
            for (int c = 0; c < 3; c++)
                column[c][i] = point[begin + i][c];
        ts_sdf_answers to = {.value = column[3]};
        for (int c = 0; c < 3; c++) {
            to.gradient[c] = gradient ? column[4 + c] : NULL;
            to.normal[c] = normal ? column[7 + c] : NULL;
        }
        ts_sdf_ask(body->sdf, &rule, &(ts_sdf_points){here, column[0], column[1], column[2]}, &to);
        for (size_t i = 0; i < here; i++) {
            if (value)
                value[begin + i] = column[3][i];
            for (int c = 0; c < 3 && gradient; c++)
                gradient[begin + i][c] = column[4 + c][i];
            for (int c = 0; c < 3 && normal; c++)
                normal[begin + i][c] = column[7 + c][i];
        }
    }
}
