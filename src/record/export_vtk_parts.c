/* SPDX-License-Identifier: MIT */
/* Bodies, contacts, walls and springs for VTK. A convex contour of the plane is one polygon; any other shape is its
 * triangles, since a VTK polygon can have no holes. Walls are lines in the plane and triangles in space. */
#include <math.h>

#include "base/memory.h"
#include "record/export_vtk.h"
#include "record/springs3.h"

/* ---- Surfaces: of bodies, or of walls in space ---- */

/* What is drawn of an item, and where, when it is there. */
typedef struct surface {
    const ts_mesh2 *flat; /* plane; without either it is one point */
    const ts_mesh *mesh;  /* space */
    ts_pose3 pose;
    double scale;
    bool there;
} surface;

static surface body_surface(const ts_vtk *v, size_t i)
{
    const ts_trajectory_body *made = &v->header->body[i];
    const ts_frame_body *now = &v->frame.body[i];
    surface s = {.pose = now->pose, .scale = made->scale, .there = now->present};
    if (!v->as_points && v->solids.flat)
        s.flat = &v->solids.flat[made->shape];
    else if (!v->as_points)
        s.mesh = v->solids.shape[made->shape];
    return s;
}

static surface wall_surface(const ts_vtk *v, size_t i)
{
    const ts_frame_wall *now = &v->frame.wall[i];
    return (surface){
        .mesh = v->solids.wall[i], .pose = now->pose, .scale = 1, .there = now->present && v->solids.wall[i]};
}

typedef surface surface_of(const ts_vtk *v, size_t i);

static size_t points_of(const surface *s)
{
    return !s->there ? 0 : s->flat ? s->flat->begin[s->flat->contour_count] : s->mesh ? s->mesh->vertex_count : 1;
}
static size_t cells_of(const surface *s)
{
    if (s->there && s->flat)
        return s->flat->convex ? s->flat->contour_count : s->flat->triangle_count;
    return !s->there ? 0 : s->mesh ? s->mesh->triangle_count : 1;
}
/* Corners of cell k. */
static size_t corners_of(const surface *s, size_t k)
{
    if (s->flat && s->flat->convex)
        return s->flat->begin[k + 1] - s->flat->begin[k];
    return s->flat || s->mesh ? 3 : 1;
}

static void count(ts_vtk *v, size_t items, surface_of *of)
{
    v->points = v->cells = v->corners = 0;
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        size_t cells = cells_of(&s);
        v->points += points_of(&s);
        v->cells += cells;
        for (size_t k = 0; k < cells; k++)
            v->corners += corners_of(&s, k);
    }
}

static void put_vec3(ts_vtk *v, ts_vec3 p)
{
    ts_vtk_put_f64(v, p.x);
    ts_vtk_put_f64(v, p.y);
    ts_vtk_put_f64(v, p.z);
}

static void put_points(ts_vtk *v, size_t items, surface_of *of)
{
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        for (size_t k = 0, n = points_of(&s); k < n; k++) {
            ts_vec3 p = s.mesh   ? s.mesh->vertex[k]
                        : s.flat ? (ts_vec3){s.flat->point[k].x, s.flat->point[k].y, 0}
                                 : (ts_vec3){0, 0, 0};
            put_vec3(v, ts_pose3_apply(s.pose, ts_vec3_scale(p, s.scale)));
        }
    }
}

static void put_corners(ts_vtk *v, size_t items, surface_of *of)
{
    int64_t first = 0;
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        bool triangles = s.mesh || (s.flat && !s.flat->convex);
        size_t n = triangles ? 3 * cells_of(&s) : points_of(&s);
        for (size_t k = 0; k < n; k++)
            ts_vtk_put_i64(v, first + (s.mesh      ? (int64_t)s.mesh->triangle[k / 3][k % 3]
                                       : triangles ? (int64_t)s.flat->triangle[k]
                                                   : (int64_t)k));
        first += (int64_t)points_of(&s);
    }
}

static void put_offsets(ts_vtk *v, size_t items, surface_of *of)
{
    int64_t end = 0;
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        for (size_t k = 0, n = cells_of(&s); k < n; k++) {
            end += (int64_t)corners_of(&s, k);
            ts_vtk_put_i64(v, end);
        }
    }
}

/* ---- Bodies ---- */

/* Of all bodies, or of all walls in space. */
#define SURFACES(what, count_of, of)             \
    static void put_##what##_points(ts_vtk *v)   \
    {                                            \
        put_points(v, v->header->count_of, of);  \
    }                                            \
    static void put_##what##_corners(ts_vtk *v)  \
    {                                            \
        put_corners(v, v->header->count_of, of); \
    }                                            \
    static void put_##what##_offsets(ts_vtk *v)  \
    {                                            \
        put_offsets(v, v->header->count_of, of); \
    }
SURFACES(body, body_count, body_surface)
SURFACES(wall, wall_count, wall_surface)

static void put_floats(ts_vtk *v, const float value[3])
{
    for (int k = 0; k < 3; k++)
        ts_vtk_put_f32(v, (double)value[k]);
}

static void put_attitude_of(ts_vtk *v, ts_quat q)
{
    ts_vtk_put_f64(v, q.w);
    ts_vtk_put_f64(v, q.x);
    ts_vtk_put_f64(v, q.y);
    ts_vtk_put_f64(v, q.z);
}

static double length_of(const float value[3])
{
    return ts_vec3_length((ts_vec3){(double)value[0], (double)value[1], (double)value[2]});
}

/* A quantity of bodies, once for each of their cells. */
#define BODY_DATA(function, statement)                                 \
    static void function(ts_vtk *v)                                    \
    {                                                                  \
        for (size_t i = 0; i < v->header->body_count; i++) {           \
            const ts_frame_body *now = &v->frame.body[i];              \
            const ts_trajectory_body *made = &v->header->body[i];      \
            surface s = body_surface(v, i);                            \
            (void)now, (void)made;                                     \
            for (size_t k = 0, cells = cells_of(&s); k < cells; k++) { \
                statement;                                             \
            }                                                          \
        }                                                              \
    }
BODY_DATA(put_body, ts_vtk_put_i64(v, (int64_t)i))
BODY_DATA(put_shape, ts_vtk_put_i32(v, made->shape))
BODY_DATA(put_material, ts_vtk_put_i32(v, made->material))
BODY_DATA(put_velocity, put_floats(v, now->velocity))
BODY_DATA(put_speed, ts_vtk_put_f32(v, length_of(now->velocity)))
BODY_DATA(put_spin, put_floats(v, now->spin))
BODY_DATA(put_spin_z, ts_vtk_put_f32(v, (double)now->spin[2]))
BODY_DATA(put_angle, ts_vtk_put_f64(v, now->angle))
BODY_DATA(put_attitude, put_attitude_of(v, now->pose.quat))
BODY_DATA(put_radius, ts_vtk_put_f64(v, made->radius))
BODY_DATA(put_mass, ts_vtk_put_f64(v, made->mass))
BODY_DATA(put_fixed, putc(made->fixed ? 1 : 0, v->stream))

static const ts_vtk_array body_data[] = {
    {"body", TS_VTK_INT64, 1, put_body, 0},
    {"shape", TS_VTK_INT32, 1, put_shape, 0},
    {"material", TS_VTK_INT32, 1, put_material, 0},
    {"velocity", TS_VTK_FLOAT32, 3, put_velocity, 0},
    {"speed", TS_VTK_FLOAT32, 1, put_speed, 0},
    {"spin", TS_VTK_FLOAT32, 1, put_spin_z, 2},
    {"spin", TS_VTK_FLOAT32, 3, put_spin, 3},
    {"angle", TS_VTK_FLOAT64, 1, put_angle, 2},
    {"attitude", TS_VTK_FLOAT64, 4, put_attitude, 3},
    {"radius", TS_VTK_FLOAT64, 1, put_radius, 0},
    {"mass", TS_VTK_FLOAT64, 1, put_mass, 0},
    {"fixed", TS_VTK_UINT8, 1, put_fixed, 0},
    {0},
};

/* ---- Lines of two points each ---- */

/* Corners that are simply the points in order. */
static void put_counting(ts_vtk *v)
{
    for (size_t i = 0; i < v->corners; i++)
        ts_vtk_put_i64(v, (int64_t)i);
}
static void put_pair_offsets(ts_vtk *v)
{
    for (size_t i = 1; i <= v->cells; i++)
        ts_vtk_put_i64(v, 2 * (int64_t)i);
}

static void put_single_offsets(ts_vtk *v)
{
    for (size_t i = 1; i <= v->cells; i++)
        ts_vtk_put_i64(v, (int64_t)i);
}

/* ---- Contacts: from centre to centre, or from the point on the wall ---- */

static void put_contact_points(ts_vtk *v)
{
    for (size_t i = 0; i < v->frame.contact_count; i++) {
        const ts_frame_contact *c = &v->frame.contact[i];
        put_vec3(v, c->a < 0 ? (ts_vec3){c->point[0], c->point[1], c->point[2]} : v->frame.body[c->a].pose.position);
        put_vec3(v, v->frame.body[c->b].pose.position);
    }
}

double ts_export_tangential_plane(const ts_frame_contact *c)
{
    return (double)c->force[1] * (double)c->normal[0] - (double)c->force[0] * (double)c->normal[1];
}

double ts_export_tangential_space(const ts_frame_contact *c)
{
    double normal = ts_frame_normal_force(c), sum = 0;
    for (int k = 0; k < 3; k++) {
        double t = (double)c->force[k] - normal * (double)c->normal[k];
        sum += t * t;
    }
    return sqrt(sum);
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
CONTACT_DATA(put_normal_force, ts_vtk_put_f32(v, ts_frame_normal_force(c)))
CONTACT_DATA(put_tangential_force, ts_vtk_put_f32(v, v->header->kind->tangential(c)))
CONTACT_DATA(put_force, put_floats(v, c->force))
CONTACT_DATA(put_normal, put_floats(v, c->normal))
CONTACT_DATA(put_weight, ts_vtk_put_f32(v, (double)c->weight))
CONTACT_DATA(put_key, ts_vtk_put_i64(v, (int64_t)c->key))
CONTACT_DATA(put_contact_point, put_vec3(v, (ts_vec3){c->point[0], c->point[1], c->point[2]}))

static const ts_vtk_array contact_data[] = {
    {"a", TS_VTK_INT64, 1, put_contact_a, 0},
    {"b", TS_VTK_INT64, 1, put_contact_b, 0},
    {"gap", TS_VTK_FLOAT32, 1, put_gap, 0},
    {"normal_force", TS_VTK_FLOAT32, 1, put_normal_force, 0},
    {"tangential_force", TS_VTK_FLOAT32, 1, put_tangential_force, 0},
    {"force", TS_VTK_FLOAT32, 3, put_force, 0},
    {"point", TS_VTK_FLOAT64, 3, put_contact_point, 0},
    {"normal", TS_VTK_FLOAT32, 3, put_normal, 0},
    {"weight", TS_VTK_FLOAT32, 1, put_weight, 0},
    {"key", TS_VTK_INT64, 1, put_key, 0},
    {0},
};

/* ---- Walls in the plane: curves ---- */

static ts_status find_lines(ts_vtk *v, ts_error *error)
{
    const ts_box3 box = ts_export_box_of(v->header, &v->frame);
    v->lines.point.count = v->lines.begin.count = 0;
    TS_AUTO_ARRAY TS_ARRAY(size_t) owner = {0};
    for (size_t i = 0; i < v->header->wall_count; i++) {
        const ts_frame_wall *now = &v->frame.wall[i];
        size_t first = v->lines.point.count;
        if (!now->present)
            continue;
        TS_TRY(ts_export_wall_lines(v->job, &v->frame, &box, i, true, &v->lines, error));
        for (size_t k = first; k < v->lines.point.count; k++)
            v->lines.point.item[k] = ts_pose2_apply((ts_pose2){now->pose.position.x, now->pose.position.y, now->angle},
                                                    v->lines.point.item[k]);
        while (owner.count < v->lines.begin.count)
            TS_TRY(ts_array_push(&owner, i, error));
    }
    ts_free(v->owner);
    v->owner = ts_give(&owner.item);
    return TS_OK;
}

static void put_line_points(ts_vtk *v)
{
    for (size_t i = 0; i < v->lines.point.count; i++)
        put_vec3(v, (ts_vec3){v->lines.point.item[i].x, v->lines.point.item[i].y, 0});
}
static void put_line_offsets(ts_vtk *v)
{
    for (size_t i = 1; i <= v->lines.begin.count; i++)
        ts_vtk_put_i64(v, (int64_t)(i < v->lines.begin.count ? v->lines.begin.item[i] : v->lines.point.count));
}

/* A quantity of walls, once for each cell of their surfaces or for each of their curves. */
#define WALL_DATA(function, put, value)                              \
    static void function(ts_vtk *v)                                  \
    {                                                                \
        for (size_t k = 0; k < v->lines.begin.count; k++) {          \
            size_t i = v->owner[k];                                  \
            put(v, value);                                           \
        }                                                            \
        for (size_t i = 0; i < v->solids.wall_count; i++) {          \
            surface s = wall_surface(v, i);                          \
            for (size_t k = 0, cells = cells_of(&s); k < cells; k++) \
                put(v, value);                                       \
        }                                                            \
    }
WALL_DATA(put_wall, ts_vtk_put_i64, (int64_t)i)
WALL_DATA(put_wall_material, ts_vtk_put_i32, v->header->wall[i].material)

static const ts_vtk_array wall_data[] = {
    {"wall", TS_VTK_INT64, 1, put_wall, 0},
    {"material", TS_VTK_INT32, 1, put_wall_material, 0},
    {0},
};

/* ---- Springs: from anchor to anchor ---- */

#define FOR_SPRINGS(statement)                                \
    for (size_t i = 0; i < v->header->spring_count; i++) {    \
        const ts_spring *s = &v->header->spring[i];           \
        ts_vec3 end[2];                                       \
        (void)s;                                              \
        if (ts_springs3_ends(v->header, &v->frame, i, end)) { \
            statement;                                        \
        }                                                     \
    }
#define SPRING_DATA(function, statement) \
    static void function(ts_vtk *v)      \
    {                                    \
        FOR_SPRINGS(statement)           \
    }

static double stretch_of(const ts_spring *s, const ts_vec3 end[2])
{
    return ts_vec3_distance(end[0], end[1]) - s->rest;
}

static double pull_of(const ts_spring *s, const ts_vec3 end[2])
{
    double x = stretch_of(s, end);
    return s->stiffness * (s->kind == TS_SPRING_CUBIC ? x * x * x : x);
}

SPRING_DATA(put_spring_points, (put_vec3(v, end[0]), put_vec3(v, end[1])))
SPRING_DATA(put_spring, ts_vtk_put_i64(v, (int64_t)i))
SPRING_DATA(put_spring_a, ts_vtk_put_i64(v, s->a))
SPRING_DATA(put_spring_b, ts_vtk_put_i64(v, s->b))
SPRING_DATA(put_stretch, ts_vtk_put_f64(v, stretch_of(s, end)))
SPRING_DATA(put_pull, ts_vtk_put_f64(v, pull_of(s, end)))

static const ts_vtk_array spring_data[] = {
    {"spring", TS_VTK_INT64, 1, put_spring, 0}, {"a", TS_VTK_INT64, 1, put_spring_a, 0},
    {"b", TS_VTK_INT64, 1, put_spring_b, 0},    {"stretch", TS_VTK_FLOAT64, 1, put_stretch, 0},
    {"pull", TS_VTK_FLOAT64, 1, put_pull, 0},   {0},
};

/* ---- Files ---- */

#define LAYOUT(kind, points, corners, offsets, data)                                                   \
    {                                                                                                  \
        kind, {"Points", TS_VTK_FLOAT64, 3, points, 0}, {"connectivity", TS_VTK_INT64, 1, corners, 0}, \
            {"offsets", TS_VTK_INT64, 1, offsets, 0}, data, false                                      \
    }
static const ts_vtk_layout body_layout =
    LAYOUT("Polys", put_body_points, put_body_corners, put_body_offsets, body_data);
static const ts_vtk_layout point_layout =
    LAYOUT("Verts", put_body_points, put_body_corners, put_body_offsets, body_data);
static const ts_vtk_layout contact_layout =
    LAYOUT("Lines", put_contact_points, put_counting, put_pair_offsets, contact_data);
/* The same at their own points, for glyphs. */
static const ts_vtk_layout contact_point_layout = {"Verts",
                                                   {"Points", TS_VTK_FLOAT64, 3, put_contact_point, 0},
                                                   {"connectivity", TS_VTK_INT64, 1, put_counting, 0},
                                                   {"offsets", TS_VTK_INT64, 1, put_single_offsets, 0},
                                                   contact_data,
                                                   true};
static const ts_vtk_layout wall_layout =
    LAYOUT("Polys", put_wall_points, put_wall_corners, put_wall_offsets, wall_data);
static const ts_vtk_layout line_layout = LAYOUT("Lines", put_line_points, put_counting, put_line_offsets, wall_data);
static const ts_vtk_layout spring_layout =
    LAYOUT("Lines", put_spring_points, put_counting, put_pair_offsets, spring_data);

static bool has_contacts(const ts_vtk *v)
{
    return v->header->has_contacts;
}
static bool has_contact_points(const ts_vtk *v)
{
    return v->job->contacts;
}
static bool has_walls(const ts_vtk *v)
{
    return v->header->wall_count > 0;
}
static bool has_springs(const ts_vtk *v)
{
    return v->header->spring_count > 0;
}

static ts_status prepare_bodies(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = v->as_points ? &point_layout : &body_layout;
    count(v, v->header->body_count, body_surface);
    return TS_OK;
}

static ts_status prepare_contacts(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &contact_layout;
    v->cells = v->frame.contact_count;
    v->points = v->corners = 2 * v->cells;
    return TS_OK;
}

static ts_status prepare_contact_points(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &contact_point_layout;
    v->cells = v->points = v->corners = v->frame.contact_count;
    return TS_OK;
}

static ts_status prepare_walls(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    if (v->solids.wall) {
        *as = &wall_layout;
        count(v, v->header->wall_count, wall_surface);
        return TS_OK;
    }
    *as = &line_layout;
    TS_TRY(find_lines(v, error));
    v->cells = v->lines.begin.count;
    v->points = v->corners = v->lines.point.count;
    return TS_OK;
}

static ts_status prepare_springs(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &spring_layout;
    v->cells = 0;
    FOR_SPRINGS(v->cells++)
    v->points = v->corners = 2 * v->cells;
    return TS_OK;
}

const ts_vtk_part ts_vtk_part_of[TS_VTK_PARTS] = {
    {"", "bodies", NULL, prepare_bodies},
    {"_contacts", "contacts", has_contacts, prepare_contacts},
    {"_walls", "walls", has_walls, prepare_walls},
    {"_springs", "springs", has_springs, prepare_springs},
    {"_contact_points", "contact points", has_contact_points, prepare_contact_points},
};
