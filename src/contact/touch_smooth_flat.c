/* SPDX-License-Identifier: MIT */
/* Smooth bodies (B) against boxes and hulls (A): by faces, edges and corners of A, and vertices of B.
 *
 *          ╭───╮                 face     the lowest point of B over the plane of a face, where it lies over that face
 *          ╰─x─╯                 edge     the point of an edge that is deepest in φ, where the normal there lies between the
 *       ┌────────┐x                       normals of its two faces
 *       │   A    ╱╲  B           corner   φ there
 *       └────────┘               vertex   of B, A's distance there
 *
 * The distance of a polyhedron has kinks inside, so that its least value on the surface of B jumps from face to face. Each
 * of these places moves smoothly instead. How far one of them counts goes smoothly to 0 where another takes over. */
#include "contact/touch_smooth_parts.h"
#include "manifold/touch.h"

/* A lowest point counts less as it comes to lie beside its face, and an edge's as its ends are as deep: over this much, over
 * the length. */
static const double fade = 1e-3;
/* A place under a face counts until another face is so many times nearer. */
static const double depths = 1.5;
/* An edge counts until the normal leans out of the two faces' by this sine. */
static const double lean = 0.05;

enum { BATCH = TS_SETTLE_BATCH, SAMPLES = 11, STEPS = 6 };

typedef struct flat_job {
    const ts_touch_job *job;
    ts_settle_body b;
    double length;      /* of B [m] */
    double *near;       /* of each vertex of B from A [m] */
    ts_vec3 *vertex;    /* world frame */
    double *over_plane; /* of each vertex of B [m] */
} flat_job;

/* ---- Box or hull ---- */

static size_t face_count(const ts_solid *a)
{
    return a->kind == TS_SOLID_BOX ? 6 : a->hull->face_count;
}

/* Face f of a box has its normal along axis f / 2, outwards below 0 for even f. */
static ts_vec3 face_normal(const ts_solid *a, size_t f)
{
    if (a->kind == TS_SOLID_HULL)
        return a->hull->normal[f];
    const double side = f & 1 ? 1 : -1;
    return (ts_vec3){f / 2 == 0 ? side : 0, f / 2 == 1 ? side : 0, f / 2 == 2 ? side : 0};
}
static double face_offset(const ts_solid *a, size_t f)
{
    if (a->kind == TS_SOLID_HULL)
        return a->hull->offset[f];
    return f / 2 == 0 ? a->half.x : f / 2 == 1 ? a->half.y : a->half.z;
}

static size_t corner_count(const ts_solid *a)
{
    return a->kind == TS_SOLID_BOX ? 8 : a->hull->vertex_count;
}
static ts_vec3 corner_of(const ts_solid *a, size_t i)
{
    return a->kind == TS_SOLID_BOX ? ts_touch_corner(a->half, (int)i) : a->hull->vertex[i];
}

typedef struct ridge {
    ts_vec3 from, to, normal[2]; /* its ends, and normals of its two faces, world frame */
} ridge;

/* Edge e of a box: along axis e / 4, at the corners whose bits of the other two axes are those of e % 4. */
static void box_edge(size_t e, size_t end[2], size_t face[2])
{
    const size_t axis = e / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const size_t bits = (e & 1) << u | (e >> 1 & 1) << v;
    end[0] = bits;
    end[1] = bits | (size_t)1 << axis;
    face[0] = 2 * u + (e & 1);
    face[1] = 2 * v + (e >> 1 & 1);
}

static size_t edge_count(const ts_solid *a)
{
    return a->kind == TS_SOLID_BOX ? 12 : a->hull->edge_count;
}
static ridge ridge_of(const ts_touch_job *job, size_t e)
{
    const ts_solid *a = job->a;
    size_t end[2], face[2];
    if (a->kind == TS_SOLID_BOX) {
        box_edge(e, end, face);
    } else {
        for (int i = 0; i < 2; i++) {
            end[i] = (size_t)a->hull->edge[e][i];
            face[i] = (size_t)a->hull->edge[e][2 + i];
        }
    }
    return (ridge){
        ts_touch_world(job->at_a, job->turn_a, corner_of(a, end[0])),
        ts_touch_world(job->at_a, job->turn_a, corner_of(a, end[1])),
        {ts_mat3_apply(job->turn_a, face_normal(a, face[0])), ts_mat3_apply(job->turn_a, face_normal(a, face[1]))}};
}

/* ---- Faces ---- */

typedef struct plane {
    ts_vec3 normal; /* world frame */
    double offset;
} plane;

static double over(const plane *p, ts_vec3 point)
{
    return ts_vec3_dot(p->normal, point) - p->offset;
}

static void distances_over(const void *of, size_t count, const ts_vec3 *point, double *distance, ts_vec3 *normal)
{
    const plane *p = of;
    for (size_t i = 0; i < count; i++) {
        distance[i] = over(p, point[i]);
        normal[i] = p->normal;
    }
}

/* How far a point is from lying over or under a face: outside of the others, or so deep that another is the way out. */
static double beside(double distance, double over_face)
{
    return fmax((distance > 0 ? 1 : depths) * distance - over_face, 0);
}

static ts_status touch_face(const flat_job *t, size_t f, bool *apart)
{
    const ts_touch_job *job = t->job;
    const ts_sdf_body *body = t->b.body;
    plane p = {ts_mat3_apply(job->turn_a, face_normal(job->a, f)), 0};
    p.offset = face_offset(job->a, f) + ts_vec3_dot(p.normal, job->at_a);
    double least = HUGE_VAL, near = HUGE_VAL;
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        t->over_plane[i] = over(&p, t->vertex[i]);
        if (t->over_plane[i] < least) {
            least = t->over_plane[i];
            near = t->near[i];
        }
    }
    /* distances change by no more than the way, and no point of B is farther than an edge from a vertex */
    *apart = least > job->reach + body->longest;
    if (*apart || near - least > 2 * body->longest + fade * t->length)
        return TS_OK;
    ts_settled found[TS_SETTLE_PARTS];
    const size_t count =
        ts_settle(&t->b, distances_over, distances_over, &p, t->over_plane, ts_settle_bulge(body), job->reach, found);
    for (size_t i = 0; i < count; i++) {
        const double away = beside(ts_touch_near_other(job, true, found[i].point).distance, found[i].distance);
        TS_TRY(ts_touch_emit_share(job, TS_MANIFOLD_LOWEST | (uint32_t)(f & 0xffff) << 8 | found[i].part,
                                   found[i].distance, p.normal,
                                   ts_vec3_add_scaled(found[i].point, p.normal, -found[i].distance),
                                   fmax(1 - away / (fade * t->length), 0), 1));
    }
    return TS_OK;
}

/* ---- Edges ---- */

/* How far a normal out of A lies between those of two faces, in [0, 1]. */
static double between(ts_vec3 normal, const ts_vec3 face[2])
{
    double part = 1;
    for (int i = 0; i < 2; i++) {
        const ts_vec3 up = ts_vec3_add_scaled(face[1 - i], face[i], -ts_vec3_dot(face[0], face[1]));
        const double sine = ts_vec3_dot(normal, up) / fmax(ts_vec3_length(up), 1e-12);
        part *= fmin(fmax(1 + sine / lean, 0), 1);
    }
    return part;
}

/* The part of an edge within a ball; false: none. */
static bool clip(const ridge *r, ts_vec3 centre, double radius, double range[2])
{
    const ts_vec3 d = ts_vec3_sub(r->to, r->from), o = ts_vec3_sub(r->from, centre);
    const double a = ts_vec3_length_squared(d), b = ts_vec3_dot(o, d), c = ts_vec3_length_squared(o) - radius * radius,
                 root = b * b - a * c;
    if (!(root >= 0) || !(a > 0))
        return false;
    range[0] = fmax((-b - sqrt(root)) / a, 0);
    range[1] = fmin((-b + sqrt(root)) / a, 1);
    return range[0] < range[1];
}

/* Where on an edge φ is least: from the mean of samples that are about as deep as the deepest one, by Newton's method with
 * a least curvature, as in settle.c. */
static double deepest_on(const flat_job *t, const ridge *r, const double range[2], const double *sample, size_t count)
{
    const ts_vec3 along = ts_vec3_sub(r->to, r->from);
    const double size = ts_vec3_length(along), h = 1e-4 * t->length / size;
    double least = HUGE_VAL, sum = 0, mean = 0;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, sample[i]);
    const double spacing = (range[1] - range[0]) * size / (double)(count - 1),
                 soft = fmax(fade * t->length, 0.1 * spacing);
    for (size_t i = 0; i < count; i++) {
        const double weight = exp((least - sample[i]) / soft);
        sum += weight;
        mean += weight * (range[0] + (range[1] - range[0]) * (double)i / (double)(count - 1));
    }
    double s = mean / sum;
    for (int k = 0; k < STEPS; k++) {
        const ts_vec3 at[2] = {ts_vec3_add_scaled(r->from, along, s), ts_vec3_add_scaled(r->from, along, s + h)};
        double distance[2];
        ts_vec3 normal[2];
        ts_settle_ask(&t->b, 2, at, distance, normal);
        const double slope = ts_vec3_dot(normal[0], along), bend = (ts_vec3_dot(normal[1], along) - slope) / h,
                     least_bend = 0.25 * size * size / t->length;
        s = fmin(fmax(s - slope / hypot(bend, least_bend), range[0]), range[1]);
    }
    return s;
}

static ts_status touch_edge(const flat_job *t, size_t e)
{
    const ts_touch_job *job = t->job;
    const ridge r = ridge_of(job, e);
    const ts_box3 box = ts_sdf_bounds(t->b.body->sdf);
    double range[2];
    if (!clip(&r, ts_touch_world(job->at_b, job->turn_b, ts_vec3_lerp(box.low, box.high, 0.5)),
              0.5 * ts_vec3_distance(box.low, box.high) + job->reach, range))
        return TS_OK;
    ts_vec3 point[SAMPLES + 2], normal[SAMPLES + 2];
    double distance[SAMPLES + 2];
    for (int i = 0; i < SAMPLES; i++)
        point[i] = ts_vec3_lerp(r.from, r.to, range[0] + (range[1] - range[0]) * i / (SAMPLES - 1));
    point[SAMPLES] = r.from;
    point[SAMPLES + 1] = r.to;
    ts_settle_ask(&t->b, SAMPLES + 2, point, distance, normal);
    double least = HUGE_VAL;
    for (int i = 0; i < SAMPLES; i++)
        least = fmin(least, distance[i]);
    const double size = ts_vec3_distance(r.from, r.to), spacing = (range[1] - range[0]) * size / (SAMPLES - 1);
    if (!(least <= job->reach + spacing))
        return TS_OK;
    const double s = deepest_on(t, &r, range, distance, SAMPLES);
    const ts_vec3 at = ts_vec3_lerp(r.from, r.to, s);
    double gap;
    ts_vec3 out;
    ts_settle_smooth(&t->b, 1, &at, &gap, &out);
    const double below = fmin(distance[SAMPLES], distance[SAMPLES + 1]) - gap;
    const double weight = between(ts_vec3_neg(out), r.normal) * -expm1(-fmax(below, 0) / (fade * t->length));
    return ts_touch_emit_share(job, TS_TOUCH_OF_A | 0x08000000U | (uint32_t)e, gap, ts_vec3_neg(out), at, weight, 1);
}

/* ---- All ---- */

static ts_status touch_corners(const flat_job *t)
{
    const ts_touch_job *job = t->job;
    const size_t count = corner_count(job->a);
    for (size_t begin = 0; begin < count; begin += BATCH) {
        ts_vec3 point[BATCH], normal[BATCH];
        double distance[BATCH];
        const size_t here = count - begin < BATCH ? count - begin : BATCH;
        for (size_t i = 0; i < here; i++)
            point[i] = ts_touch_world(job->at_a, job->turn_a, corner_of(job->a, begin + i));
        ts_settle_smooth(&t->b, here, point, distance, normal);
        for (size_t i = 0; i < here; i++)
            TS_TRY(ts_touch_emit_share(job, TS_TOUCH_OF_A | (uint32_t)(begin + i), distance[i], ts_vec3_neg(normal[i]),
                                       point[i], 1, 1));
    }
    return TS_OK;
}

/* Round ones leave it to faces, edges and corners, which have its lowest points. */
static ts_status touch_vertices(const flat_job *t)
{
    const ts_touch_job *job = t->job;
    const ts_sdf_body *body = t->b.body;
    const double patch = ts_settle_patch(body);
    bool deep[TS_SETTLE_PARTS] = {false}; /* primitives */
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        t->vertex[i] = ts_touch_world(job->at_b, job->turn_b, body->mesh->vertex[i]);
        t->near[i] = ts_touch_near_other(job, true, t->vertex[i]).distance;
        if (body->part[i] < TS_SETTLE_PARTS)
            deep[body->part[i]] |= ts_settle_is_deep(body, t->near[i]);
    }
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        if (!(t->near[i] <= job->reach) || (body->round[i] && body->part[i] < TS_SETTLE_PARTS && !deep[body->part[i]]))
            continue;
        const ts_touch_near near = ts_touch_near_other(job, true, t->vertex[i]);
        TS_TRY(ts_touch_emit_share(job, (uint32_t)i, near.distance, near.normal,
                                   ts_vec3_add_scaled(t->vertex[i], near.normal, -near.distance), 1,
                                   fmin(body->area[i] / patch, 1)));
    }
    return TS_OK;
}

ts_status ts_touch_polyhedron_smooth(const ts_touch_job *job)
{
    const ts_settle_body b = ts_settle_place(job->b->smooth, job->b->manifold, job->at_b, job->turn_b);
    const ts_box3 box = ts_sdf_bounds(b.body->sdf);
    const ts_vec3 centre = ts_touch_world(job->at_b, job->turn_b, ts_vec3_lerp(box.low, box.high, 0.5));
    if (ts_touch_near_other(job, true, centre).distance > job->reach + 0.5 * ts_vec3_distance(box.low, box.high))
        return TS_OK;
    double near[TS_SDF_BODY_VERTICES_MAX], over_plane[TS_SDF_BODY_VERTICES_MAX];
    ts_vec3 vertex[TS_SDF_BODY_VERTICES_MAX];
    const flat_job t = {job, b, ts_sdf_length(b.body->sdf), near, vertex, over_plane};
    TS_TRY(touch_vertices(&t));
    bool apart = false;
    for (size_t f = 0; !apart && f < face_count(job->a); f++)
        TS_TRY(touch_face(&t, f, &apart));
    for (size_t e = 0; !apart && e < edge_count(job->a); e++)
        TS_TRY(touch_edge(&t, e));
    return apart ? TS_OK : touch_corners(&t);
}
