/* SPDX-License-Identifier: MIT */
/* Bodies, contacts and walls in space for VTK: surfaces as triangles, or one vertex a body with its radius and attitude, for glyphs. */
#include <math.h>

#include "record/export_vtk.h"
#include "record/springs3.h"

/* ---- Surfaces: of bodies or of walls that are there ---- */

/* What is drawn of item i, NULL for nothing; and where, when it is there. */
typedef struct surface {
    const ts_mesh *mesh; /* NULL: one point */
    ts_pose3 pose;
    double scale;
    bool there;
} surface;

static surface body_surface(const ts_vtk *v, size_t i)
{
    const ts_trajectory_space *space = v->header->space;
    const ts_form3 *form = &space->form[space->body[i].form];
    const ts_frame_body3 *now = &v->frame.body3[i];
    return (surface){v->as_points ? NULL : v->solids.shape[form->shape], now->pose, form->scale, now->present};
}

static surface wall_surface(const ts_vtk *v, size_t i)
{
    const ts_frame_wall3 *now = &v->frame.wall3[i];
    return (surface){v->solids.wall[i], now->pose, 1, now->present && v->solids.wall[i]};
}

typedef surface surface_of(const ts_vtk *v, size_t i);

static size_t cells_of(const surface *s)
{
    return !s->there ? 0 : s->mesh ? s->mesh->triangle_count : 1;
}

static void count(ts_vtk *v, size_t items, surface_of *of)
{
    v->points = v->cells = v->corners = 0;
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        size_t cells = cells_of(&s);
        v->cells += cells;
        v->corners += s.mesh ? 3 * cells : cells;
        v->points += s.mesh && s.there ? s.mesh->vertex_count : cells;
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
        if (!s.there)
            continue;
        if (!s.mesh)
            put_vec3(v, s.pose.position);
        for (size_t k = 0; s.mesh && k < s.mesh->vertex_count; k++)
            put_vec3(v, ts_pose3_apply(s.pose, ts_vec3_scale(s.mesh->vertex[k], s.scale)));
    }
}

static void put_corners(ts_vtk *v, size_t items, surface_of *of)
{
    int64_t first = 0;
    for (size_t i = 0; i < items; i++) {
        surface s = of(v, i);
        if (!s.there)
            continue;
        if (!s.mesh)
            ts_vtk_put_i64(v, first);
        for (size_t k = 0; s.mesh && k < 3 * s.mesh->triangle_count; k++)
            ts_vtk_put_i64(v, first + s.mesh->triangle[k / 3][k % 3]);
        first += s.mesh ? (int64_t)s.mesh->vertex_count : 1;
    }
}

static void put_offsets(ts_vtk *v)
{
    int64_t each = (int64_t)(v->cells ? v->corners / v->cells : 0); /* all are triangles, or all are points */
    for (size_t i = 1; i <= v->cells; i++)
        ts_vtk_put_i64(v, each * (int64_t)i);
}

/* ---- Bodies ---- */

static void put_body_points(ts_vtk *v)
{
    put_points(v, v->header->space->body_count, body_surface);
}
static void put_body_corners(ts_vtk *v)
{
    put_corners(v, v->header->space->body_count, body_surface);
}

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
        const ts_trajectory_space *space = v->header->space;           \
        for (size_t i = 0; i < space->body_count; i++) {               \
            const ts_frame_body3 *now = &v->frame.body3[i];            \
            const ts_trajectory_body3 *made = &space->body[i];         \
            surface s = body_surface(v, i);                            \
            (void)now, (void)made;                                     \
            for (size_t k = 0, cells = cells_of(&s); k < cells; k++) { \
                statement;                                             \
            }                                                          \
        }                                                              \
    }
BODY_DATA(put_body, ts_vtk_put_i64(v, (int64_t)i))
BODY_DATA(put_shape, ts_vtk_put_i32(v, space->form[made->form].shape))
BODY_DATA(put_material, ts_vtk_put_i32(v, made->material))
BODY_DATA(put_velocity, put_floats(v, now->velocity))
BODY_DATA(put_speed, ts_vtk_put_f32(v, length_of(now->velocity)))
BODY_DATA(put_spin, put_floats(v, now->spin))
BODY_DATA(put_attitude, put_attitude_of(v, now->pose.quat))
BODY_DATA(put_radius, ts_vtk_put_f64(v, made->radius))
BODY_DATA(put_mass, ts_vtk_put_f64(v, made->mass))
BODY_DATA(put_fixed, putc(made->fixed ? 1 : 0, v->stream))

static const ts_vtk_array body_data[] = {
    {"body", TS_VTK_INT64, 1, put_body},
    {"shape", TS_VTK_INT32, 1, put_shape},
    {"material", TS_VTK_INT32, 1, put_material},
    {"velocity", TS_VTK_FLOAT32, 3, put_velocity},
    {"speed", TS_VTK_FLOAT32, 1, put_speed},
    {"spin", TS_VTK_FLOAT32, 3, put_spin},
    {"attitude", TS_VTK_FLOAT64, 4, put_attitude},
    {"radius", TS_VTK_FLOAT64, 1, put_radius},
    {"mass", TS_VTK_FLOAT64, 1, put_mass},
    {"fixed", TS_VTK_UINT8, 1, put_fixed},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Contacts: from centre to centre, or from the point on the wall ---- */

static void put_contact_points(ts_vtk *v)
{
    for (size_t i = 0; i < v->frame.contact_count; i++) {
        const ts_frame_contact3 *c = &v->frame.contact3[i];
        put_vec3(v, c->a < 0 ? (ts_vec3){c->point[0], c->point[1], c->point[2]} : v->frame.body3[c->a].pose.position);
        put_vec3(v, v->frame.body3[c->b].pose.position);
    }
}

static double normal_force(const ts_frame_contact3 *c)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (double)c->force[k] * (double)c->normal[k];
    return sum;
}

/* The length of what is left of the force along the surface. */
static double tangential_force(const ts_frame_contact3 *c)
{
    double normal = normal_force(c), sum = 0;
    for (int k = 0; k < 3; k++) {
        double t = (double)c->force[k] - normal * (double)c->normal[k];
        sum += t * t;
    }
    return sqrt(sum);
}

#define CONTACT_DATA(function, statement)                       \
    static void function(ts_vtk *v)                             \
    {                                                           \
        for (size_t i = 0; i < v->frame.contact_count; i++) {   \
            const ts_frame_contact3 *c = &v->frame.contact3[i]; \
            statement;                                          \
        }                                                       \
    }
CONTACT_DATA(put_contact_a, ts_vtk_put_i64(v, c->a))
CONTACT_DATA(put_contact_b, ts_vtk_put_i64(v, c->b))
CONTACT_DATA(put_gap, ts_vtk_put_f32(v, (double)c->gap))
CONTACT_DATA(put_normal_force, ts_vtk_put_f32(v, normal_force(c)))
CONTACT_DATA(put_tangential_force, ts_vtk_put_f32(v, tangential_force(c)))
CONTACT_DATA(put_force, put_floats(v, c->force))
CONTACT_DATA(put_contact_point, put_vec3(v, (ts_vec3){c->point[0], c->point[1], c->point[2]}))

static const ts_vtk_array contact_data[] = {
    {"a", TS_VTK_INT64, 1, put_contact_a},
    {"b", TS_VTK_INT64, 1, put_contact_b},
    {"gap", TS_VTK_FLOAT32, 1, put_gap},
    {"normal_force", TS_VTK_FLOAT32, 1, put_normal_force},
    {"tangential_force", TS_VTK_FLOAT32, 1, put_tangential_force},
    {"force", TS_VTK_FLOAT32, 3, put_force},
    {"point", TS_VTK_FLOAT64, 3, put_contact_point},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Walls ---- */

static void put_wall_points(ts_vtk *v)
{
    put_points(v, v->header->space->wall_count, wall_surface);
}
static void put_wall_corners(ts_vtk *v)
{
    put_corners(v, v->header->space->wall_count, wall_surface);
}

#define WALL_DATA(function, statement)                                 \
    static void function(ts_vtk *v)                                    \
    {                                                                  \
        const ts_trajectory_space *space = v->header->space;           \
        for (size_t i = 0; i < space->wall_count; i++) {               \
            surface s = wall_surface(v, i);                            \
            for (size_t k = 0, cells = cells_of(&s); k < cells; k++) { \
                statement;                                             \
            }                                                          \
        }                                                              \
    }
WALL_DATA(put_wall, ts_vtk_put_i64(v, (int64_t)i))
WALL_DATA(put_wall_material, ts_vtk_put_i32(v, space->wall[i].material))

static const ts_vtk_array wall_data[] = {
    {"wall", TS_VTK_INT64, 1, put_wall},
    {"material", TS_VTK_INT32, 1, put_wall_material},
    {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Springs: from anchor to anchor ---- */

#define FOR_SPRINGS(statement)                            \
    const ts_trajectory_space *space = v->header->space;  \
    for (size_t i = 0; i < space->spring_count; i++) {    \
        const ts_spring *s = &space->spring[i];           \
        ts_vec3 end[2];                                   \
        (void)s;                                          \
        if (ts_springs3_ends(space, &v->frame, i, end)) { \
            statement;                                    \
        }                                                 \
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
    {"spring", TS_VTK_INT64, 1, put_spring}, {"a", TS_VTK_INT64, 1, put_spring_a},
    {"b", TS_VTK_INT64, 1, put_spring_b},    {"stretch", TS_VTK_FLOAT64, 1, put_stretch},
    {"pull", TS_VTK_FLOAT64, 1, put_pull},   {NULL, TS_VTK_FLOAT32, 0, NULL},
};

/* ---- Files ---- */

static const ts_vtk_layout body_layout = {"Polys",
                                          {"Points", TS_VTK_FLOAT64, 3, put_body_points},
                                          {"connectivity", TS_VTK_INT64, 1, put_body_corners},
                                          {"offsets", TS_VTK_INT64, 1, put_offsets},
                                          body_data};
static const ts_vtk_layout point_layout = {"Verts",
                                           {"Points", TS_VTK_FLOAT64, 3, put_body_points},
                                           {"connectivity", TS_VTK_INT64, 1, put_body_corners},
                                           {"offsets", TS_VTK_INT64, 1, put_offsets},
                                           body_data};
static const ts_vtk_layout contact_layout = {"Lines",
                                             {"Points", TS_VTK_FLOAT64, 3, put_contact_points},
                                             {"connectivity", TS_VTK_INT64, 1, ts_vtk_put_counting},
                                             {"offsets", TS_VTK_INT64, 1, ts_vtk_put_line_offsets},
                                             contact_data};
static const ts_vtk_layout wall_layout = {"Polys",
                                          {"Points", TS_VTK_FLOAT64, 3, put_wall_points},
                                          {"connectivity", TS_VTK_INT64, 1, put_wall_corners},
                                          {"offsets", TS_VTK_INT64, 1, put_offsets},
                                          wall_data};

static const ts_vtk_layout spring_layout = {"Lines",
                                            {"Points", TS_VTK_FLOAT64, 3, put_spring_points},
                                            {"connectivity", TS_VTK_INT64, 1, ts_vtk_put_counting},
                                            {"offsets", TS_VTK_INT64, 1, ts_vtk_put_line_offsets},
                                            spring_data};

static bool has_springs(const ts_vtk *v)
{
    return v->header->space->spring_count > 0;
}

static bool has_walls(const ts_vtk *v)
{
    return v->header->space->wall_count > 0;
}

static ts_status prepare_bodies(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = v->as_points ? &point_layout : &body_layout;
    count(v, v->header->space->body_count, body_surface);
    return TS_OK;
}

static ts_status prepare_contacts(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &contact_layout;
    ts_vtk_count_contacts(v);
    return TS_OK;
}

static ts_status prepare_walls(ts_vtk *v, const ts_vtk_layout **as, ts_error *error)
{
    (void)error;
    *as = &wall_layout;
    count(v, v->header->space->wall_count, wall_surface);
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

const ts_vtk_part ts_vtk_space_part[TS_VTK_PARTS] = {
    {"", "bodies", NULL, prepare_bodies},
    {"_contacts", "contacts", ts_vtk_has_contacts, prepare_contacts},
    {"_walls", "walls", has_walls, prepare_walls},
    {"_springs", "springs", has_springs, prepare_springs},
};
