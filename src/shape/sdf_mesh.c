/* SPDX-License-Identifier: MIT */
/* The mesh of a zero set: a lattice fine enough that no primitive is lost, marching tetrahedra, remeshing. */
#include "shape/mesh_iso.h"
#include "shape/primitive_parts.h"
#include "shape/remesh.h"

enum { VERTICES = 300, CELLS_LEAST = 48, CELLS_MOST = 400, FINER = 2, BATCH = 64 };

typedef struct surface {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
} surface;

static void values_at(void *user, const ts_vec3 *point, size_t count, double *value)
{
    const surface *s = user;
    double x[BATCH], y[BATCH], z[BATCH];
    for (size_t i = 0; i < count; i += BATCH) {
        const size_t some = count - i < BATCH ? count - i : BATCH;
        for (size_t k = 0; k < some; k++) {
            x[k] = point[i + k].x;
            y[k] = point[i + k].y;
            z[k] = point[i + k].z;
        }
        ts_sdf_ask(s->sdf, &s->rule, &(ts_sdf_points){some, x, y, z}, &(ts_sdf_answers){.value = value + i});
    }
}

/* In the body's box, with room for two cells, for what blending adds, and for `more` [m]. */
static ts_status march(surface *s, int cells, double more, ts_mesh **mesh, ts_error *error)
{
    const double length = ts_sdf_length(s->sdf);
    const double room =
        more + 2 * length / cells + (s->rule.published ? s->rule.tau * log((double)ts_sdf_count(s->sdf)) : 0);
    const ts_box3 tight = ts_sdf_bounds(s->sdf);
    const ts_box3 box = {ts_vec3_sub(tight.low, (ts_vec3){room, room, room}),
                         ts_vec3_add(tight.high, (ts_vec3){room, room, room})};
    return ts_mesh_iso_batch(values_at, s, box, cells, mesh, error);
}

/* How often the mesh winds around a point: the solid angles of its triangles (Van Oosterom and Strackee 1983). */
static double winding(const ts_mesh *mesh, ts_vec3 p)
{
    double sum = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        const ts_vec3 a = ts_vec3_sub(mesh->vertex[t[0]], p), b = ts_vec3_sub(mesh->vertex[t[1]], p);
        const ts_vec3 c = ts_vec3_sub(mesh->vertex[t[2]], p);
        const double x = ts_vec3_length(a), y = ts_vec3_length(b), z = ts_vec3_length(c);
        sum += 2 * atan2(ts_vec3_dot(a, ts_vec3_cross(b, c)),
                         x * y * z + ts_vec3_dot(a, b) * z + ts_vec3_dot(b, c) * x + ts_vec3_dot(c, a) * y);
    }
    return sum / (4 * TS_PI);
}

/* Somewhere inside of a primitive, in the body's frame. */
static ts_status point_within(const ts_primitive *p, ts_vec3 *point, ts_error *error)
{
    ts_vec3 centre = {0, 0, 0};
    double radius;
    if (p->kind == TS_PRIMITIVE_POLYHEDRON)
        TS_TRY(ts_polyhedron_ball(p, &centre, &radius, error));
    if (p->kind == TS_PRIMITIVE_CLOUD)
        for (size_t i = 0; i < p->count; i++)
            centre = ts_vec3_add_scaled(centre, p->point[i], 1 / (double)p->count);
    *point = ts_pose3_apply(p->pose, centre);
    return TS_OK;
}

/* Whether the middle of each primitive that lies in the body lies in the mesh. */
static ts_status find_lost(const surface *s, const ts_mesh *mesh, size_t *lost, ts_error *error)
{
    for (*lost = 0; *lost < ts_sdf_count(s->sdf); (*lost)++) {
        const ts_primitive *p = ts_sdf_primitive(s->sdf, *lost);
        ts_vec3 middle;
        if (p->subtract)
            continue;
        TS_TRY(point_within(p, &middle, error));
        if (ts_sdf_at(s->sdf, &s->rule, middle) < 0 && fabs(winding(mesh, middle)) < 0.5)
            return TS_OK;
    }
    return TS_OK;
}

static ts_status try_surface(surface *s, int cells, double more, ts_mesh **mesh, ts_error *error)
{
    ts_error reason = {0};
    TS_AUTO(ts_mesh_free_at) ts_mesh *found = NULL;
    size_t lost;
    const ts_status status = march(s, cells, more, &found, &reason);
    if (status != TS_OK)
        return ts_fail(error, status, "a smooth body has no surface, perhaps since nothing of it is left: %s",
                       reason.message);
    TS_TRY(find_lost(s, found, &lost, error));
    if (lost < ts_sdf_count(s->sdf))
        return ts_fail(
            error, TS_BAD_INPUT,
            "primitive %zu of a smooth body is a part of its own, too small for %d cells along the body; give "
            "more cells, or leave it out",
            lost + 1, cells);
    *mesh = ts_give(&found);
    return TS_OK;
}

/* On a lattice of `cells`, or of twice and four times as many when that finds nothing or loses a primitive. */
static ts_status find_surface(surface *s, int cells, ts_mesh **mesh, ts_error *error)
{
    ts_status status = TS_BAD_INPUT;
    for (int finer = 0; status == TS_BAD_INPUT && finer <= FINER && cells <= CELLS_MOST; finer++, cells *= 2)
        status = try_surface(s, cells, 0.1 * finer * ts_sdf_length(s->sdf), mesh, error);
    return status;
}

/* Edges of `vertices` are some cells long: the area is about 2.5 times the length squared. */
static int cells_for(size_t vertices)
{
    const double cells = 0.6 * sqrt((double)vertices);
    return cells > CELLS_LEAST ? (int)cells : CELLS_LEAST;
}

ts_status ts_sdf_mesh(const ts_sdf *sdf, const ts_sdf_rule *rule, const ts_sdf_mesh_wish *wish, ts_mesh **mesh,
                      ts_error *error)
{
    const ts_sdf_mesh_wish none = {0}, *w = wish ? wish : &none;
    const size_t vertices = w->vertices ? w->vertices : VERTICES;
    if (vertices < 4 || vertices > TS_SDF_BODY_VERTICES_MAX)
        return ts_fail(error, TS_BAD_INPUT, "a mesh of %zu vertices is wished for; wish for 4 to %d, such as %d",
                       vertices, TS_SDF_BODY_VERTICES_MAX, VERTICES);
    if (w->cells != 0 && (w->cells < 4 || w->cells > CELLS_MOST))
        return ts_fail(error, TS_BAD_INPUT, "a surface is to be found on %d cells; give 4 to %d, or 0 to choose",
                       w->cells, CELLS_MOST);
    if (!(rule->tau > 0 && isfinite(rule->tau)))
        return ts_fail(error, TS_BAD_INPUT, "the smoothing τ of a smooth body is %g m, but must be positive",
                       rule->tau);
    surface s = {sdf, *rule};
    TS_AUTO(ts_mesh_free_at) ts_mesh *first = NULL;
    TS_TRY(find_surface(&s, w->cells ? w->cells : cells_for(vertices), &first, error));
    return ts_remesh(first, sdf, rule, vertices, mesh, error);
}
