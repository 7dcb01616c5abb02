/* SPDX-License-Identifier: MIT */
/* A trajectory's header, written. One pass counts its bytes, the next writes them: the same lines do both. */
#include <string.h>

#include "placed.h"
#include "record/trajectory_format.h"
#include "touchstone/version.h"

typedef struct sink {
    ts_append *log; /* NULL: only count */
    uint64_t bytes;
    ts_status status;
    ts_error *error;
    unsigned char scratch[8];
} sink;

static unsigned char *room(sink *to, size_t size)
{
    to->bytes += size;
    unsigned char *at = to->log && to->status == TS_OK ? ts_append_room(to->log, size, to->error) : to->scratch;
    if (!at)
        to->status = TS_IO;
    return at ? at : to->scratch;
}

static void u32(sink *to, uint32_t value)
{
    ts_put_u32(room(to, 4), value);
}
static void u64(sink *to, uint64_t value)
{
    ts_put_u64(room(to, 8), value);
}
static void f64(sink *to, const double *value, int count)
{
    for (int k = 0; k < count; k++)
        ts_put_f64(room(to, 8), value[k]);
}
static void vec3(sink *to, ts_vec3 v)
{
    f64(to, (const double[]){v.x, v.y, v.z}, 3);
}
static void pose(sink *to, ts_pose3 p)
{
    vec3(to, p.position);
    f64(to, (const double[]){p.quat.w, p.quat.x, p.quat.y, p.quat.z}, 4);
}

/* NULL is "". */
static void text(sink *to, const char *value)
{
    size_t length = value ? strnlen(value, UINT32_MAX) : 0;
    u32(to, (uint32_t)length);
    to->bytes += length;
    if (to->log && to->status == TS_OK)
        to->status = ts_append_bytes(to->log, value, length, to->error);
}

/* ---- Of the plane ---- */

static void put_contour(sink *to, const ts_contour *contour)
{
    u64(to, contour->vertex_count);
    u32(to, contour->open);
    for (size_t k = 0; k < contour->vertex_count; k++)
        f64(to, (const double[]){contour->vertex[k].x, contour->vertex[k].y, contour->vertex[k].bulge}, 3);
}

static void put_shapes(sink *to, const ts_model *model)
{
    for (size_t i = 0; i < model->shape_count; i++) {
        const ts_shape *shape = &model->shape[i];
        text(to, shape->name);
        u64(to, shape->disc_count);
        for (size_t k = 0; k < shape->disc_count; k++)
            f64(to, (const double[]){shape->disc[k].x, shape->disc[k].y, shape->disc[k].radius}, 3);
        f64(to, (const double[]){shape->area, shape->inertia}, 2);
        size_t count = shape->outline ? shape->outline->contour_count : 0;
        u64(to, count);
        for (size_t k = 0; k < count; k++) {
            ts_contour contour = ts_outline_get_contour(shape->outline, k);
            put_contour(to, &contour);
        }
    }
}

static void put_plane_walls(sink *to, const ts_model *model)
{
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        text(to, wall->name);
        u32(to, (uint32_t)wall->kind);
        u32(to, (uint32_t)wall->material);
        f64(to, (const double[]){wall->pose.position.x, wall->pose.position.y, wall->nx, wall->ny, wall->radius}, 5);
        u64(to, wall->line_count);
        for (size_t k = 0; k < wall->line_count; k++)
            put_contour(to, &wall->line[k]);
    }
}

/* ---- Of space ---- */

static void put_hull(sink *to, const ts_hull *hull)
{
    const int32_t corners = hull->face_begin[hull->face_count];
    u64(to, hull->vertex_count);
    u64(to, hull->face_count);
    u64(to, (uint64_t)corners);
    for (size_t i = 0; i < hull->vertex_count; i++)
        vec3(to, hull->vertex[i]);
    for (size_t i = 0; i < hull->face_count; i++)
        u32(to, (uint32_t)(hull->face_begin[i + 1] - hull->face_begin[i]));
    for (int32_t i = 0; i < corners; i++)
        u32(to, (uint32_t)hull->corner[i]);
}

static void put_mesh(sink *to, const ts_mesh *mesh)
{
    u64(to, mesh->vertex_count);
    u64(to, mesh->triangle_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        vec3(to, mesh->vertex[i]);
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        u32(to, (uint32_t)mesh->triangle[i / 3][i % 3]);
}

/* Where `item` stands among the hulls or meshes. Pieces refer to them in order, so the place after the one last
 * found comes first. */
static uint32_t place_of(const void *item, const ts_model *model, ts_solid_kind kind, size_t *hint)
{
    const size_t count = kind == TS_SOLID_HULL ? model->hull_count : model->mesh_count;
    for (size_t i = 0; i < count; i++) {
        size_t at = (*hint + i) % count;
        const void *own = kind == TS_SOLID_HULL ? (const void *)model->hull[at] : (const void *)model->mesh[at].mesh;
        if (own == item) {
            *hint = at + 1;
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

static void put_pieces(sink *to, const ts_model *model, size_t begin, size_t count, size_t hint[2])
{
    u64(to, count);
    for (size_t i = begin; i < begin + count; i++) {
        const ts_solid *solid = &model->piece[i].solid;
        u32(to, (uint32_t)solid->kind);
        u32(to, solid->kind == TS_SOLID_HULL   ? place_of(solid->hull, model, solid->kind, &hint[0])
                : solid->kind == TS_SOLID_MESH ? place_of(solid->mesh, model, solid->kind, &hint[1])
                                               : UINT32_MAX);
        f64(to, (const double[]){solid->radius, solid->half_length}, 2);
        vec3(to, solid->half);
        pose(to, model->piece[i].pose);
    }
}

static void put_forms(sink *to, const ts_model *model, size_t hint[2])
{
    for (size_t i = 0; i < model->hull_count; i++)
        put_hull(to, model->hull[i]);
    for (size_t i = 0; i < model->mesh_count; i++)
        put_mesh(to, model->mesh[i].mesh);
    for (size_t i = 0; i < model->form_count; i++) {
        const ts_form3 *form = &model->form[i];
        u32(to, (uint32_t)form->shape);
        f64(to, (const double[]){form->scale, form->radius, form->volume}, 3);
        for (int row = 0; row < 3; row++) /* xx xy xz yy yz zz */
            f64(to, form->inertia.m[row] + row, 3 - row);
        put_pieces(to, model, form->piece_begin, form->piece_count, hint);
    }
}

static void put_space_walls(sink *to, const ts_model *model, size_t hint[2])
{
    for (size_t i = 0; i < model->wall_count; i++) {
        const ts_wall *wall = &model->wall[i];
        text(to, wall->name);
        u32(to, (uint32_t)wall->source);
        u32(to, (uint32_t)wall->material);
        pose(to, wall->pose);
        put_pieces(to, model, wall->piece_begin, wall->piece_count, hint);
    }
}

static void put_springs(sink *to, const ts_model *model)
{
    if (model->spring_count == 0)
        return;
    u64(to, model->spring_count);
    for (size_t i = 0; i < model->spring_count; i++) {
        const ts_spring *s = &model->spring[i];
        u32(to, (uint32_t)s->kind);
        u32(to, (uint32_t)s->a); /* -1: the world */
        u32(to, (uint32_t)s->b);
        vec3(to, s->anchor_a);
        vec3(to, s->anchor_b);
        f64(to, (const double[]){s->stiffness, s->rest}, 2);
    }
}

/* ---- All ---- */

static void put_bodies(sink *to, const ts_model *model)
{
    for (size_t i = 0; i < model->body_count; i++) {
        u32(to, (uint32_t)(model->dimension == 3 ? model->body_form[i] : model->body_shape[i]));
        u32(to, model->body_material[i]);
        if (model->dimension == 2)
            f64(to, &model->body_scale[i], 1);
        f64(to, (const double[]){ts_model_radius(model, i), model->mass[i]}, 2);
        u32(to, !ts_model_moves(model, i));
    }
}

static void put_head(sink *to, const ts_model *model, const char *title)
{
    const ts_vec3 gravity = model->gravity;
    text(to, ts_version());
    text(to, title);
    u64(to, model->hash);
    f64(to, (const double[]){model->settings.time_step, model->settings.duration, model->settings.frame_interval}, 3);
    f64(to, (const double[]){gravity.x, gravity.y, gravity.z}, model->dimension);
    if (model->dimension == 3) {
        f64(to, model->camera.position, 3);
        f64(to, model->camera.target, 3);
        f64(to, model->camera.up, 3);
        f64(to, &model->camera.view, 1);
    }
    u64(to, model->material_count);
    u64(to, model->shape_count);
    if (model->dimension == 3) {
        u64(to, model->hull_count);
        u64(to, model->mesh_count);
        u64(to, model->form_count);
    }
    u64(to, model->wall_count);
    u64(to, model->body_count);
    for (size_t i = 0; i < model->material_count; i++)
        text(to, model->material_name ? model->material_name[i] : NULL);
}

static void put_all(sink *to, const ts_model *model, const char *title)
{
    size_t hint[2] = {0, 0};
    put_head(to, model, title);
    if (model->dimension == 2) {
        put_shapes(to, model);
        put_plane_walls(to, model);
        put_bodies(to, model);
        put_springs(to, model);
        return;
    }
    for (size_t i = 0; i < model->shape_count; i++)
        text(to, model->shape[i].name);
    put_forms(to, model, hint);
    put_space_walls(to, model, hint);
    put_bodies(to, model);
    put_springs(to, model);
}

uint64_t ts_trajectory_header_bytes(const ts_model *model, const char *title)
{
    sink count = {0};
    put_all(&count, model, title);
    return count.bytes;
}

ts_status ts_trajectory_put_header(ts_append *log, const ts_model *model, const char *title, ts_error *error)
{
    sink to = {.log = log, .error = error};
    put_all(&to, model, title);
    return to.status;
}
