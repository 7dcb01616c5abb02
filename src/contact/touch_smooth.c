/* SPDX-License-Identifier: MIT */
/* Smooth bodies (B) against everything else (A).
 *
 *     vertices of B against A's distance            share: what part of a patch of the surface each stands for
 *     lowest points of B, one a primitive           where the surface is round (manifold/settle.h)
 *     ends and rims of A against φ of B             where A is sharp; corners and edges of polyhedra are touch_smooth_flat.c's
 *
 * A sphere has the points of B that are nearest to its centre, and nothing else. Two smooth bodies are manifold/touch.h's. */
#include "contact/touch_smooth_parts.h"
#include "manifold/touch.h"

#define LOWEST   TS_MANIFOLD_LOWEST
#define OF_A     TS_TOUCH_OF_A
#define WALL_BIT 26 /* which wall of a vessel: two bits */

enum { BATCH = TS_SETTLE_BATCH };

/* What B is asked against: A, or one wall of a vessel. */
typedef struct against {
    const ts_touch_job *job;
    int wall; /* of a vessel 0: barrel, 1 and 2: lids */
    ts_settle_body b;
} against;

/* ---- Distances of A ---- */

static ts_touch_near near_wall(const ts_solid *vessel, int wall, ts_vec3 p)
{
    if (wall == 0) {
        const double rho = hypot(p.x, p.y);
        return (ts_touch_near){vessel->radius - rho,
                               rho > 0 ? (ts_vec3){-p.x / rho, -p.y / rho, 0} : (ts_vec3){-1, 0, 0}, false};
    }
    const double side = wall == 2 ? 1 : -1;
    return (ts_touch_near){vessel->half_length - side * p.z, {0, 0, -side}, false};
}

static ts_touch_near near_a(const against *g, ts_vec3 point)
{
    const ts_touch_job *job = g->job;
    if (job->a->kind == TS_SOLID_VESSEL) {
        ts_touch_near near = near_wall(job->a, g->wall, ts_touch_local(job->at_a, job->turn_a, point));
        near.normal = ts_mat3_apply(job->turn_a, near.normal);
        return near;
    }
    const ts_touch_near near = ts_touch_near_other(job, true, point);
    int32_t triangle = -1;
    if (job->a->tree && near.distance <= job->reach && (near.bound || job->a->thin))
        return ts_touch_exact_other(job, true, point, &triangle);
    return near;
}

static void distances_of_a(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal)
{
    for (size_t i = 0; i < count; i++) {
        const ts_touch_near near = near_a(of, point[i]);
        distance[i] = near.distance;
        normal[i] = near.normal;
    }
}

/* ---- Places ---- */

ts_status ts_touch_emit_share(const ts_touch_job *job, uint32_t feature, double gap, ts_vec3 normal, ts_vec3 point_a,
                              double weight, double share)
{
    const size_t before = job->to->count;
    if (!(weight > 1e-3)) /* its force would be lost beside that of others */
        return TS_OK;
    TS_TRY(ts_touch_emit(job, feature, gap, normal, point_a));
    if (job->to->count > before) {
        job->to->item[before].weight = weight;
        job->to->item[before].share = share;
    }
    return TS_OK;
}

static ts_status emit(const ts_touch_job *job, uint32_t feature, double gap, ts_vec3 normal, ts_vec3 point_a,
                      double share)
{
    return ts_touch_emit_share(job, feature, gap, normal, point_a, 1, share);
}

static uint32_t feature_of(const against *g, uint32_t place)
{
    if (g->job->a->kind == TS_SOLID_VESSEL)
        return place | (uint32_t)(g->wall + 1) << WALL_BIT;
    return place | (g->job->a->kind == TS_SOLID_MESH ? TS_TOUCH_OTHER_SIDE : 0);
}

/* Points of A against φ, no more than a batch. */
static ts_status touch_points(const against *g, uint32_t first, size_t count, const ts_vec3 *point)
{
    double distance[BATCH];
    ts_vec3 normal[BATCH];
    ts_settle_smooth(&g->b, count, point, distance, normal);
    for (size_t i = 0; i < count; i++)
        TS_TRY(emit(g->job, OF_A | (first + (uint32_t)i), distance[i], ts_vec3_neg(normal[i]), point[i], 1));
    return TS_OK;
}

static ts_status touch_vertex(const against *g, size_t i, double share)
{
    const ts_touch_job *job = g->job;
    const ts_vec3 p = ts_touch_world(job->at_b, job->turn_b, job->b->smooth->mesh->vertex[i]);
    const ts_touch_near near = near_a(g, p);
    return emit(job, feature_of(g, (uint32_t)i), near.distance, near.normal,
                ts_vec3_add_scaled(p, near.normal, -near.distance), share);
}

/* Whether vertices where B is round wait for its lowest points to speak for them. Inside of what is hollow one primitive
 * may touch in several places, unless it bends more than the barrel around it. */
static bool is_open(const against *g)
{
    const ts_solid *a = g->job->a;
    if (a->kind == TS_SOLID_VESSEL && g->wall == 0)
        return a->radius * TS_SDF_ROUNDNESS > ts_sdf_length(g->b.body->sdf);
    return a->kind != TS_SOLID_MESH;
}

/* Vertices of B and its lowest points; round ones only where no lowest point speaks for them (manifold/settle.h). */
static ts_status touch_surface(const against *g, bool vertices)
{
    const ts_touch_job *job = g->job;
    const ts_sdf_body *body = job->b->smooth;
    const double patch = ts_settle_patch(body);
    double distance[TS_SDF_BODY_VERTICES_MAX];
    double least = HUGE_VAL;
    const bool open = is_open(g);
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        const ts_vec3 p = ts_touch_world(job->at_b, job->turn_b, body->mesh->vertex[i]);
        const ts_touch_near near = near_a(g, p);
        distance[i] = near.distance;
        least = fmin(least, near.distance);
        if (vertices && near.distance <= job->reach && !(open && body->round[i]))
            TS_TRY(touch_vertex(g, i, fmin(body->area[i] / patch, 1)));
    }
    if (!(least <= job->reach + body->longest))
        return TS_OK;
    const double margin = job->a->kind == TS_SOLID_PLANE ? ts_settle_bulge(body) : body->longest;
    ts_settled lowest[TS_SETTLE_PARTS];
    const size_t count = ts_settle(&g->b, distances_of_a, distances_of_a, g, distance, margin, job->reach, lowest);
    for (size_t i = 0; i < count; i++)
        TS_TRY(emit(job, feature_of(g, LOWEST | lowest[i].part), lowest[i].distance, lowest[i].normal,
                    ts_vec3_add_scaled(lowest[i].point, lowest[i].normal, -lowest[i].distance), 1));
    const ts_settle_found found = ts_settle_which(lowest, count);
    for (size_t i = 0; vertices && open && i < body->mesh->vertex_count; i++)
        if (distance[i] <= job->reach && body->round[i] && !ts_settle_speaks_for(&found, body, i))
            TS_TRY(touch_vertex(g, i, fmin(body->area[i] / patch, 1)));
    return TS_OK;
}

/* Whether B is out of reach by the ball around it. */
static bool is_far(const against *g)
{
    const ts_box3 box = ts_sdf_bounds(g->job->b->smooth->sdf);
    const ts_vec3 centre = ts_touch_world(g->job->at_b, g->job->turn_b, ts_vec3_lerp(box.low, box.high, 0.5));
    return near_a(g, centre).distance > g->job->reach + TS_TOUCH_SLOPE * 0.5 * ts_vec3_distance(box.low, box.high);
}

static against against_of(const ts_touch_job *job, int wall)
{
    return (against){job, wall, ts_settle_place(job->b->smooth, job->b->manifold, job->at_b, job->turn_b)};
}

ts_status ts_touch_sphere_smooth(const ts_touch_job *job)
{
    const against g = against_of(job, 0);
    return is_far(&g) ? TS_OK : touch_surface(&g, false);
}

ts_status ts_touch_plane_smooth(const ts_touch_job *job)
{
    const against g = against_of(job, 0);
    return is_far(&g) ? TS_OK : touch_surface(&g, true);
}

ts_status ts_touch_vessel_smooth(const ts_touch_job *job)
{
    for (int wall = 0; wall < 3; wall++) {
        const against g = against_of(job, wall);
        if (!is_far(&g))
            TS_TRY(touch_surface(&g, true));
    }
    return TS_OK;
}

/* Balls at both ends of its middle line. */
ts_status ts_touch_capsule_smooth(const ts_touch_job *job)
{
    const against g = against_of(job, 0);
    if (is_far(&g))
        return TS_OK;
    TS_TRY(touch_surface(&g, true));
    const ts_vec3 axis = ts_vec3_scale(ts_mat3_column(job->turn_a, 2), job->a->half_length);
    const ts_vec3 end[2] = {ts_vec3_sub(job->at_a, axis), ts_vec3_add(job->at_a, axis)};
    double distance[2];
    ts_vec3 normal[2];
    ts_settle_smooth(&g.b, 2, end, distance, normal);
    for (uint32_t i = 0; i < 2; i++)
        TS_TRY(emit(job, OF_A | i, distance[i] - job->a->radius, ts_vec3_neg(normal[i]),
                    ts_vec3_add_scaled(end[i], normal[i], -job->a->radius), 1));
    return TS_OK;
}

/* Each rim where it is lowest along the normal that B has below its middle, and at three quarters on from there. */
ts_status ts_touch_cylinder_smooth(const ts_touch_job *job)
{
    const against g = against_of(job, 0);
    if (is_far(&g))
        return TS_OK;
    TS_TRY(touch_surface(&g, true));
    const ts_vec3 axis = ts_mat3_column(job->turn_a, 2);
    ts_vec3 point[8];
    for (int end = 0; end < 2; end++) {
        const ts_vec3 centre = ts_vec3_add_scaled(job->at_a, axis, end ? job->a->half_length : -job->a->half_length);
        double distance;
        ts_vec3 up;
        ts_settle_smooth(&g.b, 1, &centre, &distance, &up);
        const ts_touch_rim rim = ts_touch_rim_of(centre, axis, job->a->radius, up, ts_mat3_column(job->turn_a, 0));
        for (int i = 0; i < 4; i++)
            point[4 * end + i] = rim.point[i];
    }
    return touch_points(&g, 0, 8, point);
}

ts_status ts_touch_mesh_smooth(const ts_touch_job *job)
{
    const against g = against_of(job, 0);
    if (is_far(&g))
        return TS_OK;
    TS_TRY(touch_surface(&g, true));
    return ts_touch_vertices_of_a(job);
}

/* ---- Two smooth bodies ---- */

typedef struct taking {
    const ts_touch_job *job;
    double patch; /* [m²] */
} taking;

static ts_status take(void *user, const ts_manifold_place *p)
{
    const taking *t = user;
    return ts_array_push(
        t->job->to,
        ((ts_touch){p->gap, p->normal, p->point_a, p->point_b, p->feature, p->activity, fmin(p->area / t->patch, 1)}),
        t->job->error);
}

ts_status ts_touch_smooth_smooth(const ts_touch_job *job)
{
    const ts_sdf_body *a = job->a->smooth, *b = job->b->smooth;
    const ts_manifold_options usual = ts_manifold_default_options();
    const ts_manifold_options *options = job->a->manifold ? job->a->manifold : job->b->manifold;
    taking t = {job, fmin(ts_settle_patch(a), ts_settle_patch(b))};
    return ts_manifold_touch_placed(&(ts_manifold_placed){a, job->at_a, job->turn_a},
                                    &(ts_manifold_placed){b, job->at_b, job->turn_b}, options ? options : &usual,
                                    job->reach, take, &t, job->error);
}
