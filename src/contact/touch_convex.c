/* SPDX-License-Identifier: MIT */
#include "contact/touch_convex.h"

#include "shape/hull.h"

/* Points of a patch this close are one, relative to the sizes of the two: polyhedra's directions are exact, others' are
 * found by iteration. */
#define SAME_POINT       1e-9
#define SAME_POINT_ROUND 1e-6
/* A set of contacts is whole when its smallest gap is the separation, to this. */
#define SAME_GAP 1e-6
/* Nearer than this, the direction between nearest points has lost too many digits. */
#define TOO_NEAR 1e-9

/* ---- Support ---- */

ts_vec3 ts_convex_support(const ts_convex *convex, ts_vec3 direction, int32_t *hint)
{
    const ts_solid *s = convex->solid;
    ts_vec3 d = ts_mat3_apply_transposed(convex->turn, direction), p = {0, 0, 0};
    if (convex->hull) {
        int32_t v = ts_hull_support(convex->hull, d, hint ? *hint : 0);
        p = convex->hull->vertex[v];
        if (hint)
            *hint = v;
    } else if (s->kind == TS_SOLID_BOX) {
        p = ts_touch_corner(s->half, (d.x > 0 ? 1 : 0) | (d.y > 0 ? 2 : 0) | (d.z > 0 ? 4 : 0));
    } else {
        p.z = d.z > 0 ? s->half_length : -s->half_length;
        double rho = sqrt(d.x * d.x + d.y * d.y);
        if (s->kind == TS_SOLID_CYLINDER && rho > 0) {
            p.x = s->radius * d.x / rho;
            p.y = s->radius * d.y / rho;
        }
    }
    return ts_touch_world(convex->at, convex->turn, p);
}

double ts_convex_separation(const ts_convex *a, const ts_convex *b, ts_vec3 n)
{
    ts_vec3 pa = ts_convex_support(a, n, NULL), pb = ts_convex_support(b, ts_vec3_neg(n), NULL);
    return ts_vec3_dot(n, ts_vec3_sub(pb, pa)) - a->skin - b->skin;
}

static double size_of(const ts_solid *solid, const ts_hull *hull)
{
    if (hull) {
        double most = 0;
        for (size_t i = 0; i < hull->vertex_count; i++) {
            ts_vec3 d = ts_vec3_sub(hull->vertex[i], hull->centre);
            most = fmax(most, ts_vec3_dot(d, d));
        }
        return sqrt(most);
    }
    return solid->kind == TS_SOLID_BOX ? ts_vec3_length(solid->half) : solid->radius + solid->half_length;
}

ts_convex ts_convex_of(const ts_solid *solid, ts_vec3 at, ts_mat3 turn)
{
    const ts_hull *hull = solid->kind == TS_SOLID_HULL ? solid->hull : NULL;
    double skin = solid->kind == TS_SOLID_CAPSULE ? solid->radius : 0;
    return (ts_convex){solid, hull, at, turn, skin, size_of(solid, hull)};
}

typedef struct convex_pair {
    const ts_touch_job *job;
    ts_convex a, b; /* relative to A's origin */
    double size;
    double same; /* points this close are one [m] */
} convex_pair;

static convex_pair pair_of(const ts_touch_job *job)
{
    const ts_vec3 here = {0, 0, 0};
    convex_pair pair = {job, ts_convex_of(job->a, here, job->turn_a),
                        ts_convex_of(job->b, ts_vec3_sub(job->at_b, job->at_a), job->turn_b), 0, 0};
    pair.size = pair.a.size + pair.b.size;
    pair.same = SAME_POINT * pair.size;
    return pair;
}

/* ---- Points ---- */

static ts_status emit_meeting(const convex_pair *pair, ts_vec3 n, const ts_patch_meeting *meeting)
{
    for (int i = 0; i < meeting->count; i++) {
        const ts_patch_contact *c = &meeting->contact[i];
        TS_TRY(ts_touch_emit(pair->job, c->feature, c->gap, n, ts_vec3_add(pair->job->at_a, c->point_a)));
    }
    return TS_OK;
}

static void meet_along(const convex_pair *pair, ts_vec3 n, ts_patch_meeting *meeting)
{
    ts_patch a, b;
    ts_patch_of(&pair->a, n, &a);
    ts_patch_of(&pair->b, ts_vec3_neg(n), &b);
    ts_patch_meet(&a, &b, n, pair->same, meeting);
}

static bool is_whole(const convex_pair *pair, const ts_patch_meeting *meeting, double separation)
{
    return meeting->least <= separation + SAME_GAP * pair->size;
}

/* One contact between two points of the bare solids: where patches do not show what is nearest. */
static ts_status emit_witness(const convex_pair *pair, ts_vec3 n, double separation, ts_vec3 bare_a)
{
    return ts_touch_emit(pair->job, 0, separation, n,
                         ts_vec3_add(pair->job->at_a, ts_vec3_add_scaled(bare_a, n, pair->a.skin)));
}

/* Contacts along a direction that is known to be the best. */
static ts_status emit_along(const convex_pair *pair, ts_convex_way way)
{
    ts_patch_meeting meeting;
    meet_along(pair, way.n, &meeting);
    TS_TRY(emit_meeting(pair, way.n, &meeting));
    if (is_whole(pair, &meeting, way.separation))
        return TS_OK;
    if (way.has_point)
        return emit_witness(pair, way.n, way.separation, way.point_a);
    /* half-way between the two deepest points, so that neither solid is preferred */
    ts_vec3 a = ts_convex_support(&pair->a, way.n, NULL), b = ts_convex_support(&pair->b, ts_vec3_neg(way.n), NULL);
    double bare = way.separation + pair->a.skin + pair->b.skin;
    ts_vec3 middle = ts_vec3_scale(ts_vec3_add(a, ts_vec3_add_scaled(b, way.n, -bare)), 0.5);
    return emit_witness(pair, way.n, way.separation, middle);
}

/* Contacts along the best of the directions that separate polyhedra. When the two are apart this is the shortest
 * distance only if the nearest points lie in what they show along it; else corners or edges are nearest, and these GJK
 * finds. */
static ts_status emit_polyhedra(const convex_pair *pair, ts_convex_way way)
{
    if (way.separation > pair->job->reach)
        return TS_OK;
    if (way.separation <= 0)
        return emit_along(pair, way);
    ts_patch_meeting meeting;
    meet_along(pair, way.n, &meeting);
    if (is_whole(pair, &meeting, way.separation))
        return emit_meeting(pair, way.n, &meeting);
    ts_gjk near = ts_gjk_find(&pair->a, &pair->b, (ts_vec3){0, 0, 0}, (ts_gjk_wish){TS_GJK_EXACT, pair->job->reach});
    if (near.distance > pair->job->reach)
        return TS_OK;
    if (near.distance < TOO_NEAR * pair->size)
        return emit_along(pair, way);
    meet_along(pair, near.n, &meeting);
    TS_TRY(emit_meeting(pair, near.n, &meeting));
    return is_whole(pair, &meeting, near.distance) ? TS_OK : emit_witness(pair, near.n, near.distance, near.point_a);
}

/* ---- Pairs ---- */

ts_status ts_touch_box_box(const ts_touch_job *job)
{
    convex_pair pair = pair_of(job);
    return emit_polyhedra(&pair, ts_sat_boxes(&pair.a, &pair.b, job->reach));
}

ts_status ts_touch_hulls(const ts_touch_job *job)
{
    convex_pair pair = pair_of(job);
    ts_box_hull box;
    if (job->a->kind == TS_SOLID_BOX) {
        ts_box_hull_make(job->a->half, &box);
        pair.a.hull = &box.hull;
    }
    return emit_polyhedra(&pair, ts_sat_hulls(&pair.a, &pair.b, job->reach));
}

ts_status ts_touch_round(const ts_touch_job *job)
{
    convex_pair pair = pair_of(job);
    pair.same = SAME_POINT_ROUND * pair.size;
    ts_convex_way way = ts_round_way(&pair.a, &pair.b, job->reach);
    return way.separation > job->reach ? TS_OK : emit_along(&pair, way);
}
