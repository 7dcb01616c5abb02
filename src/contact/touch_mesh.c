/* SPDX-License-Identifier: MIT */
/* Meshes: vertices against the other's distance, in both directions.
 *
 *         ●──●──●──●    A's vertices, at which B's distance field is asked          feature: the vertex
 *        ╱ ▼  ▼  ▼  ╲
 *     ──────▲──────▲──  B's vertices, at which A's field is asked                   feature: 2³¹ + the vertex
 *
 * A contact's gap is the field's value and its normal the field's gradient. A body that is no mesh has its own
 * distance, and in place of vertices its corners, the balls along a capsule's middle line, and the lowest points of a
 * cylinder's rims.
 *
 * What long edges meet between vertices is found by touch_edge.c, and flat faces that lie on each other by
 * touch_flush.c.
 *
 * Vertices come in clusters (mesh_clusters.h); those whose ball is out of reach are skipped with all that hangs on
 * them. Beyond the grid of a field distances are only bounded from below: there the exact tree is asked (mesh_tree.h),
 * as must be for balls larger than the field's margin, and of meshes so thin that they lie between the field's nodes. A
 * solid without a tree has no contacts there. */
#include "contact/touch_parts.h"

/* What is done with the vertices of a mesh that stands at `at`. */
typedef struct vertex_visit {
    const ts_touch_job *job;
    bool mesh_is_b;
    /* at least how far from the other solid; all in the world's frame */
    double (*clearance)(const ts_touch_job *job, bool mesh_is_b, ts_vec3 point);
    ts_status (*vertex)(const ts_touch_job *job, bool mesh_is_b, uint32_t index, ts_vec3 point);
} vertex_visit;

static ts_status visit_vertices(const vertex_visit *visit)
{
    const ts_touch_job *job = visit->job;
    const ts_solid *solid = visit->mesh_is_b ? job->b : job->a;
    ts_vec3 at = visit->mesh_is_b ? job->at_b : job->at_a;
    ts_mat3 turn = visit->mesh_is_b ? job->turn_b : job->turn_a;
    const ts_mesh *mesh = solid->mesh;
    const ts_mesh_clusters *c = solid->clusters;
    if (!c) {
        for (size_t i = 0; i < mesh->vertex_count; i++)
            TS_TRY(visit->vertex(job, visit->mesh_is_b, (uint32_t)i, ts_touch_world(at, turn, mesh->vertex[i])));
        return TS_OK;
    }
    for (size_t i = 0; i < c->node_count;) {
        const ts_mesh_cluster *node = &c->node[i];
        ts_vec3 centre = ts_touch_world(at, turn, node->centre);
        bool far = visit->clearance(job, visit->mesh_is_b, centre) > job->reach + TS_TOUCH_SLOPE * node->radius;
        for (uint32_t k = node->begin; !far && node->leaf && k < node->end; k++) {
            uint32_t v = c->vertex[k];
            TS_TRY(visit->vertex(job, visit->mesh_is_b, v, ts_touch_world(at, turn, mesh->vertex[v])));
        }
        i = far ? node->next : i + 1;
    }
    return TS_OK;
}

/* ---- Walls ---- */

static double plane_clearance(const ts_touch_job *job, bool mesh_is_b, ts_vec3 point)
{
    (void)mesh_is_b;
    return ts_vec3_dot(ts_mat3_column(job->turn_a, 2), ts_vec3_sub(point, job->at_a));
}

static ts_status plane_vertex(const ts_touch_job *job, bool mesh_is_b, uint32_t index, ts_vec3 point)
{
    (void)mesh_is_b;
    return ts_touch_plane_ball(job, index, point, 0);
}

ts_status ts_touch_plane_mesh(const ts_touch_job *job)
{
    return visit_vertices(&(vertex_visit){job, true, plane_clearance, plane_vertex});
}

static double vessel_clearance(const ts_touch_job *job, bool mesh_is_b, ts_vec3 point)
{
    (void)mesh_is_b;
    ts_vec3 p = ts_touch_local(job->at_a, job->turn_a, point);
    return fmin(job->a->radius - hypot(p.x, p.y), job->a->half_length - fabs(p.z));
}

static ts_status vessel_vertex(const ts_touch_job *job, bool mesh_is_b, uint32_t index, ts_vec3 point)
{
    (void)mesh_is_b;
    return ts_touch_vessel_ball(job, index, point, 0);
}

ts_status ts_touch_vessel_mesh(const ts_touch_job *job)
{
    return visit_vertices(&(vertex_visit){job, true, vessel_clearance, vessel_vertex});
}

/* ---- Solids ---- */

ts_touch_near ts_touch_near_other(const ts_touch_job *job, bool of_b, ts_vec3 point)
{
    ts_vec3 at = of_b ? job->at_a : job->at_b;
    ts_mat3 turn = of_b ? job->turn_a : job->turn_b;
    ts_touch_near near = ts_touch_nearest(of_b ? job->a : job->b, ts_touch_local(at, turn, point));
    near.normal = ts_mat3_apply(turn, near.normal);
    return near;
}

/* Beyond its field, a mesh still has its exact distance. */
static ts_touch_near near_by_tree(const ts_touch_job *job, bool of_b, ts_vec3 point, int32_t *triangle)
{
    ts_vec3 at = of_b ? job->at_a : job->at_b;
    ts_mat3 turn = of_b ? job->turn_a : job->turn_b;
    ts_mesh_nearest nearest =
        ts_mesh_tree_nearest_from((of_b ? job->a : job->b)->tree, ts_touch_local(at, turn, point), *triangle);
    *triangle = nearest.triangle;
    return (ts_touch_near){nearest.distance, ts_mat3_apply(turn, nearest.normal), false};
}

ts_touch_near ts_touch_exact_other(const ts_touch_job *job, bool of_b, ts_vec3 point, int32_t *triangle)
{
    if (!(of_b ? job->a : job->b)->tree)
        return ts_touch_near_other(job, of_b, point);
    return near_by_tree(job, of_b, point, triangle);
}

static bool is_thin(const ts_solid *solid)
{
    return solid->thin && solid->tree;
}

/* How far the field of a thin mesh may be off. */
static double field_error(const ts_solid *solid)
{
    return ts_mesh_field_get_info(solid->field).cell;
}

/* A ball about a point of A, or of B, against the other. */
static ts_status ball_against(const ts_touch_job *job, bool of_b, uint32_t feature, ts_vec3 centre, double radius)
{
    const ts_solid *other = of_b ? job->a : job->b;
    ts_touch_near near = ts_touch_near_other(job, of_b, centre);
    if (near.bound && (near.distance - radius > job->reach || !other->tree))
        return TS_OK;
    int32_t triangle = -1;
    if (near.bound || (is_thin(other) && near.distance - radius <= job->reach + field_error(other)))
        near = near_by_tree(job, of_b, centre, &triangle);
    double gap = near.distance - radius;
    if (of_b)
        return ts_touch_emit(job, feature, gap, near.normal, ts_vec3_add_scaled(centre, near.normal, -near.distance));
    ts_vec3 normal = ts_vec3_neg(near.normal);
    return ts_touch_emit(job, feature, gap, normal, ts_vec3_add_scaled(centre, normal, radius));
}

static double solid_clearance(const ts_touch_job *job, bool mesh_is_b, ts_vec3 point)
{
    const ts_solid *other = mesh_is_b ? job->a : job->b;
    return ts_touch_near_other(job, mesh_is_b, point).distance - (is_thin(other) ? field_error(other) : 0);
}

static ts_status solid_vertex(const ts_touch_job *job, bool mesh_is_b, uint32_t index, ts_vec3 point)
{
    return ball_against(job, mesh_is_b, index | (mesh_is_b ? TS_TOUCH_OTHER_SIDE : 0), point, 0);
}

static ts_status visit_solid(const ts_touch_job *job, bool mesh_is_b)
{
    TS_TRY(visit_vertices(&(vertex_visit){job, mesh_is_b, solid_clearance, solid_vertex}));
    return ts_touch_edges(job, mesh_is_b);
}

ts_status ts_touch_vertices_of_a(const ts_touch_job *job)
{
    return visit_solid(job, false);
}

/* The distance of its centre. A ball so large that this lies beyond the field, of a mesh without a tree, is asked at
 * the mesh's vertices. */
ts_status ts_touch_sphere_mesh(const ts_touch_job *job)
{
    ts_touch_near near = ts_touch_near_other(job, false, job->at_a);
    if (!near.bound || job->b->tree)
        return ball_against(job, false, 0, job->at_a, job->a->radius);
    return near.distance - job->a->radius > job->reach ? TS_OK : visit_solid(job, true);
}

ts_status ts_touch_mesh_mesh(const ts_touch_job *job)
{
    const size_t begin = job->to->count;
    TS_TRY(visit_solid(job, false));
    TS_TRY(visit_solid(job, true));
    return ts_touch_flush(job, begin);
}

/* ---- Points of what is no mesh ---- */

/* Balls along the middle line, no farther apart than their radius, but 33 at most. */
static ts_status capsule_balls(const ts_touch_job *job)
{
    double h = job->a->half_length, r = job->a->radius;
    ts_vec3 axis = ts_mat3_column(job->turn_a, 2);
    int parts = h > 0 ? (int)fmin(ceil(2 * h / r), 32) : 0;
    for (int i = 0; i <= parts; i++) {
        double z = parts > 0 ? h * (2 * i - parts) / parts : 0; /* the same from both ends */
        TS_TRY(ball_against(job, false, (uint32_t)i, ts_vec3_add_scaled(job->at_a, axis, z), r));
    }
    return TS_OK;
}

/* A rim of a cylinder A against the field of B. */
typedef struct rim_search {
    const ts_touch_job *job;
    ts_vec3 centre;
} rim_search;

static ts_vec3 rim_point(const rim_search *r, double phi)
{
    double radius = r->job->a->radius;
    ts_vec3 p = ts_vec3_add_scaled(r->centre, ts_mat3_column(r->job->turn_a, 0), radius * cos(phi));
    return ts_vec3_add_scaled(p, ts_mat3_column(r->job->turn_a, 1), radius * sin(phi));
}

/* Whether the distance grows with the angle there. */
static bool rim_rises(const rim_search *r, double phi)
{
    ts_vec3 p = rim_point(r, phi), out = ts_vec3_sub(p, r->centre);
    ts_vec3 along = ts_vec3_cross(ts_mat3_column(r->job->turn_a, 2), out);
    return ts_vec3_dot(ts_touch_near_other(r->job, false, p).normal, along) > 0;
}

/* The angle at which a rim is nearest: the best of 16, made better between its neighbours until the last bit; 0 when
 * all are equal but for what floats round off. */
static double rim_nearest(const rim_search *r)
{
    enum { SAMPLES = 16 };
    const double apart = 2 * TS_PI / SAMPLES;
    double least = HUGE_VAL, most = -HUGE_VAL;
    int best = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double d = ts_touch_near_other(r->job, false, rim_point(r, apart * i)).distance;
        best = d < least ? i : best;
        least = fmin(least, d);
        most = fmax(most, d);
    }
    if (most - least <= 1e-5 * r->job->a->radius)
        return 0;
    double low = apart * (best - 1), high = apart * (best + 1);
    for (int step = 0; step < 50; step++) {
        double middle = 0.5 * (low + high);
        *(rim_rises(r, middle) ? &high : &low) = middle;
    }
    return 0.5 * (low + high);
}

/* Each rim where it is nearest to the mesh, and at three quarters on from there. */
static ts_status cylinder_rims(const ts_touch_job *job)
{
    ts_vec3 axis = ts_mat3_column(job->turn_a, 2);
    for (uint32_t end = 0; end < 2; end++) {
        rim_search rim = {job, ts_vec3_add_scaled(job->at_a, axis, end ? job->a->half_length : -job->a->half_length)};
        if (ts_touch_near_other(job, false, rim.centre).distance > job->reach + TS_TOUCH_SLOPE * job->a->radius)
            continue;
        double phi = rim_nearest(&rim);
        for (uint32_t i = 0; i < 4; i++)
            TS_TRY(ball_against(job, false, 4 * end + i, rim_point(&rim, phi + 0.5 * TS_PI * i), 0));
    }
    return TS_OK;
}

static ts_status solid_points(const ts_touch_job *job)
{
    const ts_solid *a = job->a;
    if (a->kind == TS_SOLID_CAPSULE)
        return capsule_balls(job);
    if (a->kind == TS_SOLID_CYLINDER)
        return cylinder_rims(job);
    size_t count = a->kind == TS_SOLID_BOX ? 8 : a->hull->vertex_count;
    for (size_t i = 0; i < count; i++) {
        ts_vec3 p = a->kind == TS_SOLID_BOX ? ts_touch_corner(a->half, (int)i) : a->hull->vertex[i];
        TS_TRY(ball_against(job, false, (uint32_t)i, ts_touch_world(job->at_a, job->turn_a, p), 0));
    }
    return TS_OK;
}

ts_status ts_touch_convex_mesh(const ts_touch_job *job)
{
    const size_t begin = job->to->count;
    TS_TRY(solid_points(job));
    TS_TRY(visit_solid(job, true));
    return ts_touch_flush(job, begin);
}
