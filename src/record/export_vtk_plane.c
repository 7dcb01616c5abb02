/* SPDX-License-Identifier: MIT */
/* Grains, contacts and boundaries of the plane for VTK. A convex contour is one polygon; any other shape is its triangles, since a VTK
 * polygon can have no holes. */
#include <math.h>

#include "base/memory.h"
#include "record/export_vtk.h"

/* ---- Grains ---- */

static size_t grain_points(const ts_mesh2 *mesh)
{
    return mesh->begin[mesh->contour_count];
}
static size_t grain_cells(const ts_mesh2 *mesh)
{
    return mesh->convex ? mesh->contour_count : mesh->triangle_count;
}
static size_t grain_corners(const ts_mesh2 *mesh)
{
    return mesh->convex ? grain_points(mesh) : 3 * mesh->triangle_count;
}

/* Bodies that are there, one after the other: `mesh` is the shape's, NULL in the mode of points. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names that it declares */
#define EACH_GRAIN(v, i, mesh_)                          \
    for (size_t i = 0; i < (v)->header->body_count; i++) \
        if ((v)->frame.body[i].present)                  \
            for (const ts_mesh2 *mesh_ = mesh_of((v), i), *once = (const ts_mesh2 *)(v); once; once = NULL)
/* NOLINTEND(bugprone-macro-parentheses) */

static const ts_mesh2 *mesh_of(const ts_vtk *v, size_t body)
{
    return v->as_points ? NULL : &v->mesh[v->header->body[body].shape];
}

static void count_grains(ts_vtk *v)
{
    v->points = v->cells = v->corners = 0;
    EACH_GRAIN(v, i, mesh)
    {
        v->points += mesh ? grain_points(mesh) : 1;
        v->cells += mesh ? grain_cells(mesh) : 1;
        v->corners += mesh ? grain_corners(mesh) : 1;
    }
}

static void put_grain_points(ts_vtk *v)
{
    EACH_GRAIN(v, i, mesh)
    {
        const ts_frame_body *now = &v->frame.body[i];
        double scale = v->header->body[i].scale;
        double c = scale * cos(now->angle), s = scale * sin(now->angle);
        const ts_vec2 centre = {0, 0}, *p = mesh ? mesh->point : &centre;
        for (size_t k = 0; k < (mesh ? grain_points(mesh) : 1); k++) {
            ts_vtk_put_f64(v, now->x + c * p[k].x - s * p[k].y);
            ts_vtk_put_f64(v, now->y + s * p[k].x + c * p[k].y);
            ts_vtk_put_f64(v, 0);
        }
    }
}

static void put_grain_corners(ts_vtk *v)
{
    int64_t first = 0;
    EACH_GRAIN(v, i, mesh)
    {
        for (size_t k = 0; k < (mesh ? grain_corners(mesh) : 1); k++)
            ts_vtk_put_i64(v, first + (mesh && !mesh->convex ? (int64_t)mesh->triangle[k] : (int64_t)k));
        first += mesh ? (int64_t)grain_points(mesh) : 1;
    }
}

static void put_grain_offsets(ts_vtk *v)
{
    int64_t end = 0;
    EACH_GRAIN(v, i, mesh)
    {
        for (size_t k = 0; k < (mesh ? grain_cells(mesh) : 1); k++) {
            end += !mesh ? 1 : mesh->convex ? (int64_t)(mesh->begin[k + 1] - mesh->begin[k]) : 3;
            ts_vtk_put_i64(v, end);
        }
    }
}

/* A quantity of bodies, once for each cell of a grain. */
#define GRAIN_DATA(function, statements)                                  \
    static void function(ts_vtk *v)                                       \
    {                                                                     \
        EACH_GRAIN(v, i, mesh)                                            \
        {                                                                 \
            const ts_frame_body *now = &v->frame.body[i];                 \
            const ts_trajectory_body *made = &v->header->body[i];         \
            (void)now, (void)made;                                        \
            for (size_t k = 0; k < (mesh ? grain_cells(mesh) : 1); k++) { \
                statements;                                               \
            }                                                             \
        }                                                                 \
    }
GRAIN_DATA(put_body, ts_vtk_put_i64(v, (int64_t)i))
GRAIN_DATA(put_shape, ts_vtk_put_i32(v, made->shape))
GRAIN_DATA(put_material, ts_vtk_put_i32(v, made->material))
GRAIN_DATA(put_velocity, (ts_vtk_put_f32(v, (double)now->vx), ts_vtk_put_f32(v, (double)now->vy), ts_vtk_put_f32(v, 0)))
GRAIN_DATA(put_speed, ts_vtk_put_f32(v, hypot((double)now->vx, (double)now->vy)))
GRAIN_DATA(put_spin, ts_vtk_put_f32(v, (double)now->spin))
GRAIN_DATA(put_angle, ts_vtk_put_f64(v, now->angle))
GRAIN_DATA(put_radius, ts_vtk_put_f64(v, made->radius))
GRAIN_DATA(put_mass, ts_vtk_put_f64(v, made->mass))
GRAIN_DATA(put_fixed, putc(made->fixed ? 1 : 0, v->stream))

static const ts_vtk_array grain_data[] = {
    {"body", TS_VTK_INT64, 1, put_body},
    {"shape", TS_VTK_INT32, 1, put_shape},
    {"material", TS_VTK_INT32, 1, put_material},
    {"velocity", TS_VTK_FLOAT32, 3, put_velocity},
    {"speed", TS_VTK_FLOAT32, 1, put_speed},
    {"spin", TS_VTK_FLOAT32, 1, put_spin},
    {"angle", TS_VTK_FLOAT64, 1, put_angle},
    {"radius", TS_VTK_FLOAT64, 1, put_radius},
    {"mass", TS_VTK_FLOAT64, 1, put_mass},
    {"fixed", TS_VTK_UINT8, 1, put_fixed},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Contacts: from centre to centre, or from the point on the boundary ---- */

static void put_contact_points(ts_vtk *v)
{
    for (size_t i = 0; i < v->frame.contact_count; i++) {
        const ts_frame_contact *c = &v->frame.contact[i];
        const ts_frame_body *b = &v->frame.body[c->b];
        ts_vtk_put_f64(v, c->a < 0 ? c->point[0] : v->frame.body[c->a].x);
        ts_vtk_put_f64(v, c->a < 0 ? c->point[1] : v->frame.body[c->a].y);
        ts_vtk_put_f64(v, 0);
        ts_vtk_put_f64(v, b->x);
        ts_vtk_put_f64(v, b->y);
        ts_vtk_put_f64(v, 0);
    }
}

#define CONTACT_DATA(function, statement)                     \
    static void function(ts_vtk *v)                           \
    {                                                         \
        for (size_t i = 0; i < v->frame.contact_count; i++) { \
            const ts_frame_contact *c = &v->frame.contact[i]; \
            statement;                                        \
        }                                                     \
    }
CONTACT_DATA(put_contact_a, ts_vtk_put_i64(v, c->a))
CONTACT_DATA(put_contact_b, ts_vtk_put_i64(v, c->b))
CONTACT_DATA(put_gap, ts_vtk_put_f32(v, (double)c->gap))
CONTACT_DATA(put_normal_force,
             ts_vtk_put_f32(v, (double)c->force[0] * (double)c->normal[0] + (double)c->force[1] * (double)c->normal[1]))
CONTACT_DATA(put_tangential_force,
             ts_vtk_put_f32(v, (double)c->force[1] * (double)c->normal[0] - (double)c->force[0] * (double)c->normal[1]))
CONTACT_DATA(put_contact_point, (ts_vtk_put_f64(v, c->point[0]), ts_vtk_put_f64(v, c->point[1]), ts_vtk_put_f64(v, 0)))

static const ts_vtk_array contact_data[] = {
    {"a", TS_VTK_INT64, 1, put_contact_a},
    {"b", TS_VTK_INT64, 1, put_contact_b},
    {"gap", TS_VTK_FLOAT32, 1, put_gap},
    {"normal_force", TS_VTK_FLOAT32, 1, put_normal_force},
    {"tangential_force", TS_VTK_FLOAT32, 1, put_tangential_force},
    {"point", TS_VTK_FLOAT64, 3, put_contact_point},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Boundaries ---- */

static ts_status find_boundaries(ts_vtk *v, ts_error *error)
{
    ts_export_box box = TS_EXPORT_BOX_NONE;
    v->lines.point.count = v->lines.begin.count = 0;
    ts_export_box_add_frame(&box, v->header, &v->frame);
    ts_export_box_finish(&box);
    TS_ARRAY(size_t) owner = {0};
    ts_status status = TS_OK;
    for (size_t i = 0; i < v->header->boundary_count && status == TS_OK; i++) {
        const ts_frame_boundary *now = &v->frame.boundary[i];
        size_t first = v->lines.point.count;
        if (!now->present)
            continue;
        status = ts_export_boundary_lines(v->job, &v->frame, &box, i, true, &v->lines, error);
        for (size_t k = first; status == TS_OK && k < v->lines.point.count; k++)
            v->lines.point.item[k] = ts_pose2_apply((ts_pose2){now->x, now->y, now->angle}, v->lines.point.item[k]);
        while (status == TS_OK && owner.count < v->lines.begin.count)
            status = ts_array_push(&owner, i, error);
    }
    ts_free(v->owner);
    v->owner = owner.item;
    return status;
}

static void put_line_points(ts_vtk *v)
{
    for (size_t i = 0; i < v->lines.point.count; i++) {
        ts_vtk_put_f64(v, v->lines.point.item[i].x);
        ts_vtk_put_f64(v, v->lines.point.item[i].y);
        ts_vtk_put_f64(v, 0);
    }
}
static void put_line_offsets(ts_vtk *v)
{
    for (size_t i = 1; i <= v->lines.begin.count; i++)
        ts_vtk_put_i64(v, (int64_t)(i < v->lines.begin.count ? v->lines.begin.item[i] : v->lines.point.count));
}
static void put_line_owner(ts_vtk *v)
{
    for (size_t i = 0; i < v->lines.begin.count; i++)
        ts_vtk_put_i64(v, (int64_t)v->owner[i]);
}
static void put_line_material(ts_vtk *v)
{
    for (size_t i = 0; i < v->lines.begin.count; i++)
        ts_vtk_put_i32(v, v->header->boundary[v->owner[i]].material);
}

static const ts_vtk_array boundary_data[] = {
    {"boundary", TS_VTK_INT64, 1, put_line_owner},
    {"material", TS_VTK_INT32, 1, put_line_material},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

static const ts_vtk_layout grain_layout = {"Polys",
                                           {"Points", TS_VTK_FLOAT64, 3, put_grain_points},
                                           {"connectivity", TS_VTK_INT64, 1, put_grain_corners},
                                           {"offsets", TS_VTK_INT64, 1, put_grain_offsets},
                                           grain_data};
static const ts_vtk_layout point_layout = {"Verts",
                                           {"Points", TS_VTK_FLOAT64, 3, put_grain_points},
                                           {"connectivity", TS_VTK_INT64, 1, put_grain_corners},
                                           {"offsets", TS_VTK_INT64, 1, put_grain_offsets},
                                           grain_data};
static const ts_vtk_layout contact_layout = {"Lines",
                                             {"Points", TS_VTK_FLOAT64, 3, put_contact_points},
                                             {"connectivity", TS_VTK_INT64, 1, ts_vtk_put_counting},
                                             {"offsets", TS_VTK_INT64, 1, ts_vtk_put_line_offsets},
                                             contact_data};
static const ts_vtk_layout boundary_layout = {"Lines",
                                              {"Points", TS_VTK_FLOAT64, 3, put_line_points},
                                              {"connectivity", TS_VTK_INT64, 1, ts_vtk_put_counting},
                                              {"offsets", TS_VTK_INT64, 1, put_line_offsets},
                                              boundary_data};

/* ---- Files ---- */

static bool has_boundaries(const ts_vtk *v)
{
    return v->header->boundary_count > 0;
}

static ts_status prepare_grains(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = v->as_points ? &point_layout : &grain_layout;
    count_grains(v);
    return TS_OK;
}

static ts_status prepare_contacts(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &contact_layout;
    ts_vtk_count_contacts(v);
    return TS_OK;
}

static ts_status prepare_boundaries(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    *as = &boundary_layout;
    TS_TRY(find_boundaries(v, error));
    v->cells = v->lines.begin.count;
    v->points = v->corners = v->lines.point.count;
    return TS_OK;
}

const ts_vtk_part ts_vtk_plane_part[TS_VTK_PARTS] = {
    {"", "grains", NULL, prepare_grains},
    {"_contacts", "contacts", ts_vtk_has_contacts, prepare_contacts},
    {"_boundaries", "boundaries", has_boundaries, prepare_boundaries},
};
