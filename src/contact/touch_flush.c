/* SPDX-License-Identifier: MIT */
/* Flat faces of meshes that lie on other faces. Two cubes of twelve triangles that stand on each other have no vertex
 * within the other's face, and at their corners distances say nothing of which of two sides carries:
 *
 *         ┌──────────┐ B        ●  the contacts wanted: corners of what the two faces share, along the faces' normal
 *         │          │          ◀  what the distance of B's corner to A gives where it is nearest to A's side:
 *         ●──────────●─┐           it pushes B sideways, and does not carry it
 *         │ A        ◀ │
 *
 * Triangles of one mesh are set against those of the other, or against the face that a box or a hull shows to them:
 * where two are all but parallel and within reach, their common region gives contacts as for convex solids
 * (touch_patch.c). A side within a larger flat face is no edge, and crosses nothing. Small triangles are left out: their
 * vertices lie in the faces of the other (touch_mesh.c).
 *
 * Contacts by distance that belong to the faces so met are then taken out when they are the same contact, or when no
 * corner of that face can be touched from there: part of the face lies beyond the surface that they stand on. */
#include "contact/touch_convex.h"

/* Faces that are tilted against each other by less, as a sine, lie on each other. Vertices carry the others well. */
static const double tilt_most = 0.05;
/* Overlaps up to this share of the smaller ball that fits into one of the solids are those of two faces that touch. */
static const double deepest = 0.5;
/* Points this close are one, relative to the larger of two faces; and contacts this close are the same one. */
static const double same_point = 1e-9, same_contact = 0.02;
/* Cosine of normals of one contact: fields are interpolated across the edge beside it. */
static const double same_way = 0.97;
/* Overlaps deeper than this share of the ball are looked at: the far sides of two thin parts face each other, too. */
static const double deep = 0.01;

/* Features beside those of touch_mesh.c and touch_edge.c. */
#define FLUSH_FEATURE 0xe0000000U

typedef struct flush_job {
    const ts_touch_job *job;
    const ts_mesh_edges *of_a, *of_b; /* of_a: NULL where A is convex */
    ts_convex convex;                 /* A, then */
    double inner;                     /* of the smaller ball that fits into one of the two [m] */
    size_t begin, end;                /* of contacts by distance; those of faces are behind them */
} flush_job;

/* A face of A, or of B. Relative to A's origin. */
typedef struct flush_face {
    ts_patch patch;
    uint8_t hollow; /* bit k: side k of a triangle has a wall beside it */
    ts_vec3 centre; /* of its corners */
    double radius;  /* of all corners about it [m] */
} flush_face;

static void measure_face(flush_face *face)
{
    ts_vec3 sum = {0, 0, 0};
    for (int k = 0; k < face->patch.count; k++)
        sum = ts_vec3_add(sum, face->patch.point[k]);
    face->centre = ts_vec3_scale(sum, 1.0 / face->patch.count);
    face->radius = 0;
    for (int k = 0; k < face->patch.count; k++)
        face->radius = fmax(face->radius, ts_vec3_distance(face->patch.point[k], face->centre));
}

static void take_triangle(const flush_job *f, bool of_b, const ts_mesh_face *triangle, flush_face *to)
{
    const ts_touch_job *job = f->job;
    const ts_mesh *mesh = (of_b ? job->b : job->a)->mesh;
    const ts_mat3 turn = of_b ? job->turn_b : job->turn_a;
    const ts_vec3 at = of_b ? ts_vec3_sub(job->at_b, job->at_a) : (ts_vec3){0, 0, 0};
    to->patch.kind = TS_PATCH_POLYGON;
    to->patch.count = 3;
    to->patch.inner = triangle->inner;
    to->hollow = triangle->hollow;
    to->patch.skin = 0;
    to->patch.normal = ts_mat3_apply(turn, triangle->normal);
    for (int k = 0; k < 3; k++) {
        to->patch.id[k] = (uint32_t)triangle->corner[k];
        to->patch.point[k] = ts_touch_world(at, turn, mesh->vertex[triangle->corner[k]]);
    }
    measure_face(to);
}

/* ---- Contacts by distance ---- */

/* Whether a corner or a side of a face, at p, cannot be touched from there: `out`, which points into the solid that the
 * face bounds, leads away from the face. Beside a wall it can. Where faces overlap,
 * an edge that rises at a corner is met a little above it. */
static bool is_blocked(const flush_face *f, ts_vec3 p, ts_vec3 out, double overlap)
{
    const ts_patch *face = &f->patch;
    const double tolerance = 1e-6 * f->radius + 1.5 * overlap;
    for (int k = 0; k < face->count; k++) {
        const int before = (k + face->count - 1) % face->count;
        const ts_vec3 q = face->point[k], on = ts_vec3_sub(face->point[(k + 1) % face->count], q),
                      back = ts_vec3_sub(face->point[before], q), to = ts_vec3_sub(p, q);
        const double length = ts_vec3_length(on), along = ts_vec3_dot(to, on) / length;
        const bool wall = f->hollow >> k & 1;
        if (ts_vec3_length(to) <= tolerance)
            return !wall && !(f->hollow >> before & 1) &&
                   (ts_vec3_dot(out, on) < -tilt_most * length ||
                    ts_vec3_dot(out, back) < -tilt_most * ts_vec3_length(back));
        if (along > tolerance && along < length - tolerance &&
            ts_vec3_distance(to, ts_vec3_scale(on, along / length)) <= tolerance)
            return !wall && ts_vec3_dot(out, ts_vec3_cross(face->normal, on)) < -tilt_most * length;
    }
    return false;
}

/* Whether a point is above a face, or below it. */
static bool lies_over(const flush_face *f, ts_vec3 p)
{
    const ts_patch *face = &f->patch;
    for (int k = 0; k < face->count; k++) {
        const ts_vec3 q = face->point[k], on = ts_vec3_sub(face->point[(k + 1) % face->count], q);
        if (ts_vec3_dot(ts_vec3_cross(face->normal, on), ts_vec3_sub(p, q)) < -1e-6 * f->radius * ts_vec3_length(on))
            return false;
    }
    return true;
}

/* Whether the contacts of two faces that overlap so far, from `begin` on, stand for another one, or the faces forbid
 * it. */
static bool is_replaced(const flush_job *f, const ts_touch *c, const flush_face *a, const flush_face *b, ts_vec3 n,
                        size_t begin, double overlap)
{
    const ts_vec3 on_a = ts_vec3_sub(c->point_a, f->job->at_a), on_b = ts_vec3_sub(c->point_b, f->job->at_a);
    const double depth = ts_vec3_dot(n, ts_vec3_sub(on_a, a->patch.point[0])), size = fmax(a->radius, b->radius);
    if (is_blocked(a, on_a, ts_vec3_neg(c->normal), overlap) || is_blocked(b, on_b, c->normal, overlap))
        return true;
    if (ts_vec3_dot(c->normal, n) < same_way || fabs(depth) > overlap + tilt_most * size)
        return false;
    if (lies_over(a, on_a) && lies_over(b, on_b))
        return true;
    for (size_t i = begin; i < f->job->to->count; i++)
        if (ts_vec3_distance(c->point_a, f->job->to->item[i].point_a) <= same_contact * size)
            return true;
    return false;
}

static void take_out(flush_job *f, const flush_face *a, const flush_face *b, ts_vec3 n, size_t begin)
{
    ts_touch *item = f->job->to->item;
    double overlap = 0;
    for (size_t i = begin; i < f->job->to->count; i++)
        overlap = fmax(overlap, -item[i].gap);
    for (size_t i = f->begin; i < f->end; i++)
        if (is_replaced(f, &item[i], a, b, n, begin, overlap))
            item[i].gap = HUGE_VAL;
}

/* ---- Two faces ---- */

/* A's face is below B's there, and not their far sides, as of two plates that lie on each other the other way round:
 * what overlaps lies in the other solid. */
static bool is_overlap(const flush_job *f, ts_vec3 point_a, ts_vec3 point_b, double gap)
{
    int32_t none_a = -1, none_b = -1;
    return -gap <= deep * f->inner || (ts_touch_exact_other(f->job, true, point_b, &none_a).distance <= -0.25 * gap &&
                                       ts_touch_exact_other(f->job, false, point_a, &none_b).distance <= -0.25 * gap);
}

/* Names are mixed into what is left of a feature. */
static uint32_t flush_feature(uint32_t name)
{
    const uint32_t kind = name >> 30, low = name & 0x3fffffffU;
    return FLUSH_FEATURE | kind << 27 | ((low ^ low >> 27) & 0x7ffffffU);
}

/* One place may be a corner of several triangles, which are seen along normals of either face. */
static ts_status emit_once(const flush_job *f, const ts_patch_contact *c, ts_vec3 n, double tolerance)
{
    const ts_touch_job *job = f->job;
    const uint32_t feature = flush_feature(c->feature);
    const ts_vec3 point = ts_vec3_add(job->at_a, c->point_a);
    if (!is_overlap(f, point, ts_vec3_add_scaled(point, n, c->gap), c->gap))
        return TS_OK;
    for (size_t i = f->end; i < job->to->count; i++) {
        const ts_touch *met = &job->to->item[i];
        const double apart = ts_vec3_distance(met->point_a, point);
        if (ts_vec3_dot(met->normal, n) > 0 &&
            (apart <= tolerance || (met->feature == feature && apart <= same_contact * f->inner)))
            return TS_OK;
    }
    return ts_touch_emit(job, feature, c->gap, n, point);
}

/* Along the normal of the one that separates them most, as for convex solids. */
static ts_status meet_faces(flush_job *f, flush_face *a, flush_face *b)
{
    const ts_vec3 m = a->patch.normal, n = ts_vec3_neg(b->patch.normal);
    if (ts_vec3_dot(m, n) <= 0 || ts_vec3_length(ts_vec3_cross(m, n)) > tilt_most ||
        ts_vec3_distance(a->centre, b->centre) > a->radius + b->radius + f->job->reach)
        return TS_OK;
    const double tolerance = same_point * fmax(a->radius, b->radius),
                 away = ts_vec3_dot(m, ts_vec3_sub(b->centre, a->centre)), slack = tilt_most * (a->radius + b->radius);
    if (away > f->job->reach + slack || away < -deepest * f->inner - slack)
        return TS_OK;
    ts_patch_meeting by_a, by_b;
    ts_patch_meet(&a->patch, &b->patch, m, tolerance, &by_a);
    ts_patch_meet(&a->patch, &b->patch, n, tolerance, &by_b);
    const bool first = by_a.least >= by_b.least;
    const ts_patch_meeting *best = first ? &by_a : &by_b;
    if (best->count == 0 || best->least > f->job->reach || best->least < -deepest * f->inner)
        return TS_OK;
    const size_t begin = f->end;
    for (int i = 0; i < best->count; i++)
        TS_TRY(emit_once(f, &best->contact[i], first ? m : n, tolerance));
    if (f->job->to->count > begin)
        take_out(f, a, b, first ? m : n, begin);
    return TS_OK;
}

/* ---- All faces ---- */

typedef ts_status face_visit(flush_job *f, flush_face *a, const ts_mesh_face *triangle);

/* Triangles of B, or of A, that are long beside the other solid and whose clusters are within reach of a ball. */
static ts_status visit_faces(flush_job *f, bool of_b, ts_vec3 centre, double radius, flush_face *a, face_visit *visit)
{
    const ts_touch_job *job = f->job;
    const ts_mesh_edges *edges = of_b ? f->of_b : f->of_a;
    const ts_mesh_clusters *c = edges->face_clusters;
    const double least = (of_b ? job->a : job->b)->inner;
    const ts_vec3 local = of_b ? ts_touch_local(ts_vec3_sub(job->at_b, job->at_a), job->turn_b, centre)
                               : ts_mat3_apply_transposed(job->turn_a, centre);
    for (size_t i = 0; c && i < c->node_count;) {
        const ts_mesh_cluster *node = &c->node[i];
        const double longest = edges->face_longest[i], span = node->radius + longest;
        const bool out = longest <= least || ts_vec3_distance(node->centre, local) > radius + span + job->reach;
        for (uint32_t k = node->begin; !out && node->leaf && k < node->end; k++) {
            const ts_mesh_face *face = &edges->face[c->vertex[k]];
            if (face->longest > least && ts_vec3_length_squared(face->normal) > 0)
                TS_TRY(visit(f, a, face));
        }
        i = out ? node->next : i + 1;
    }
    return TS_OK;
}

static ts_status face_of_b(flush_job *f, flush_face *a, const ts_mesh_face *triangle)
{
    const ts_vec3 n = ts_vec3_neg(ts_mat3_apply(f->job->turn_b, triangle->normal));
    flush_face b;
    if (a && ts_vec3_dot(a->patch.normal, n) < 1 - tilt_most)
        return TS_OK;
    take_triangle(f, true, triangle, &b);
    if (a)
        return meet_faces(f, a, &b);
    flush_face shown; /* by a convex A */
    shown.hollow = 0;
    ts_patch_of(&f->convex, n, &shown.patch);
    if (shown.patch.kind != TS_PATCH_POLYGON)
        return TS_OK;
    measure_face(&shown);
    return meet_faces(f, &shown, &b);
}

static ts_status face_of_a(flush_job *f, flush_face *unused, const ts_mesh_face *triangle)
{
    (void)unused;
    flush_face a;
    take_triangle(f, false, triangle, &a);
    if (ts_touch_near_other(f->job, false, ts_vec3_add(f->job->at_a, a.centre)).distance >
        f->job->reach + TS_TOUCH_SLOPE * a.radius)
        return TS_OK;
    return visit_faces(f, true, a.centre, a.radius, &a, face_of_b);
}

ts_status ts_touch_flush(const ts_touch_job *job, size_t begin)
{
    const ts_solid *a = job->a, *b = job->b;
    const bool flat = a->kind == TS_SOLID_BOX || a->kind == TS_SOLID_HULL || (a->kind == TS_SOLID_MESH && a->edges);
    if (!flat || !b->edges || !(a->inner > 0) || !(b->inner > 0))
        return TS_OK;
    flush_job f = {.job = job,
                   .of_a = a->edges,
                   .of_b = b->edges,
                   .inner = fmin(a->inner, b->inner),
                   .begin = begin,
                   .end = job->to->count};
    if (a->kind == TS_SOLID_MESH) {
        const ts_mesh_cluster *all = b->edges->face_clusters ? &b->edges->face_clusters->node[0] : NULL;
        const ts_vec3 offset = ts_vec3_sub(job->at_b, job->at_a);
        if (all)
            TS_TRY(visit_faces(&f, false, ts_touch_world(offset, job->turn_b, all->centre),
                               all->radius + b->edges->face_longest[0], NULL, face_of_a));
    } else {
        f.convex = ts_convex_of(a, (ts_vec3){0, 0, 0}, job->turn_a);
        TS_TRY(visit_faces(&f, true, (ts_vec3){0, 0, 0}, ts_solid_radius(a), NULL, face_of_b));
    }
    size_t kept = begin;
    for (size_t i = begin; i < job->to->count; i++)
        if (job->to->item[i].gap < HUGE_VAL)
            job->to->item[kept++] = job->to->item[i];
    job->to->count = kept;
    return TS_OK;
}
