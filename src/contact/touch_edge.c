/* SPDX-License-Identifier: MIT */
/* Long edges of meshes: where along them the other solid is nearest. Two beams that cross meet far from all vertices.
 *
 *     distance along the edge of a mesh, from one vertex to the other
 *
 *      ╲            ╱       ╲                 ╱
 *       ╲          ╱         ╲               ╱
 *        ╲        ╱           ╲             ╱
 *         ╲__●__╱              ●___________●
 *      across an edge          across a face: at both ends of what lies on it
 *
 * A contact stands wherever the distance stops falling or begins to rise. To a convex solid it is a convex function, so that slopes at both ends
 * tell whether there is one, and halving finds it; along a field edges are cut into parts of two cells first. An edge that lies on a face all along
 * has its two vertices and no more.
 *
 * Contacts of an edge are numbered in their order along it, those where the distance stops falling by themselves. Numbers of parts would not last:
 * a contact that slides, or an edge whose length is rounded otherwise in the next step, would have others, and impulses begin with nothing.
 *
 * Inside of a sharp edge, the distance has a crease: left and right of it the normals of two faces, m and n. What parts two edges is the sum of these
 * in which the slopes along the edge cancel: it stands across both edges. The gap along it is the distance over the sum's length.
 *
 * Where edges are short, vertices see the other soon enough: as deep as half of an edge's length times tan δ/2 of the turn δ that the other's
 * edges take. Edges for which this is a quarter of the ball that fits into the other, or less, are not looked along. */
#include "contact/touch_parts.h"

#define PARTS_MAX 128 /* of an edge */
/* Features of edges, beside those of vertices: the edge, the how manieth of its contacts, and of which of two kinds. */
#define EDGE_FEATURE 0x40000000U
#define EDGES_MAX    ((size_t)1 << 22)

/* Slopes below are none: what lies so flat touches all along. Fields are off by so much. */
static const double level = 0.01;
/* Contacts closer than this share of a part are one. */
static const double together = 0.02;
/* Contacts so near to an end, as a share of the edge, are the vertex's own. */
static const double at_end = 0.01;
/* Normals that cancel more than this belong to two sides of something thin, which the edge has gone through. */
static const double cancelled = 0.2;

/* An edge of A, or of B, in the world. */
typedef struct edge_job {
    const ts_touch_job *job;
    bool of_b;
    ts_vec3 from, to;
    ts_vec3 along;    /* unit */
    double length;    /* [m] */
    double most;      /* gaps above are none of its contacts [m] */
    int32_t triangle; /* of the other mesh, where it was last near; −1: not known */
    uint32_t feature;
    uint32_t found[2]; /* contacts at which the distance stops falling, and those at which it begins to rise */
} edge_job;

static ts_vec3 point_at(const edge_job *e, double t)
{
    return ts_vec3_lerp(e->from, e->to, t);
}

/* Exact: a field is off where edges meet, at creases. */
static ts_touch_near near_at(edge_job *e, double t)
{
    return ts_touch_exact_other(e->job, e->of_b, point_at(e, t), &e->triangle);
}

static double slope_of(const edge_job *e, ts_touch_near near)
{
    return ts_vec3_dot(near.normal, e->along);
}

/* −1: the distance falls there, 1: it rises, 0: neither. */
static int trend_of(double slope)
{
    return slope < -level ? -1 : slope > level ? 1 : 0;
}

static int trend_at(edge_job *e, double t)
{
    return trend_of(slope_of(e, near_at(e, t)));
}

/* Of an interval at whose low end trends are below `trend` and at whose high end they are not: where that changes. */
static void halve(edge_job *e, int trend, double *low, double *high)
{
    for (int step = 0; step < 24; step++) {
        double middle = 0.5 * (*low + *high);
        *(trend_at(e, middle) < trend ? low : high) = middle;
    }
}

static ts_status emit(edge_job *e, double t, int which, ts_touch_near near)
{
    if (t < at_end || t > 1 - at_end || near.bound || near.distance > e->most)
        return TS_OK;
    ts_vec3 point = point_at(e, t);
    const uint32_t feature = e->feature + 2 * e->found[which]++ + (uint32_t)which;
    if (e->of_b)
        return ts_touch_emit(e->job, feature, near.distance, near.normal,
                             ts_vec3_add_scaled(point, near.normal, -near.distance));
    return ts_touch_emit(e->job, feature, near.distance, ts_vec3_neg(near.normal), point);
}

/* At a crease or a bottom between `low`, where it falls, and `high`, where it rises. */
static ts_status emit_bottom(edge_job *e, double low, double high)
{
    ts_touch_near m = near_at(e, low), n = near_at(e, high);
    double falls = -slope_of(e, m), rises = slope_of(e, n);
    ts_vec3 sum =
        ts_vec3_scale(ts_vec3_add(ts_vec3_scale(m.normal, rises), ts_vec3_scale(n.normal, falls)), 1 / (falls + rises));
    double length = ts_vec3_length(sum), distance = 0.5 * (m.distance + n.distance);
    if (!(length > cancelled))
        return TS_OK;
    return emit(e, 0.5 * (low + high), 0,
                (ts_touch_near){distance / length, ts_vec3_scale(sum, 1 / length), m.bound || n.bound});
}

/* What a convex function that has these values and slopes at the ends of an interval is at least in between: where its tangents meet. */
static double least_between(double f, double slope_f, double g, double slope_g, double width)
{
    return f + slope_f * (g - f - slope_g * width) / (slope_f - slope_g);
}

/* A part of an edge along which distances are taken for convex. */
static ts_status touch_part(edge_job *e, double low, double high)
{
    const ts_touch_near at_low = near_at(e, low), at_high = near_at(e, high);
    const double slope_low = slope_of(e, at_low), slope_high = slope_of(e, at_high);
    const int first = trend_of(slope_low), last = trend_of(slope_high);
    if (first >= last ||
        least_between(at_low.distance, slope_low, at_high.distance, slope_high, (high - low) * e->length) > e->most)
        return TS_OK;
    double falling = low, level_from = low, level_to = high, rising = high;
    if (first < 0) {
        level_from = high;
        halve(e, 0, &falling, &level_from);
    }
    if (first < 0 && trend_at(e, level_from) > 0)
        return emit_bottom(e, falling, level_from);
    if (last > 0) {
        level_to = level_from;
        halve(e, 1, &level_to, &rising);
    }
    if (first < 0 && last > 0 && level_to - level_from < together * (high - low)) {
        double middle = 0.5 * (level_from + level_to);
        return emit(e, middle, 0, near_at(e, middle));
    }
    if (first < 0)
        TS_TRY(emit(e, level_from, 0, near_at(e, level_from)));
    return last > 0 ? emit(e, level_to, 1, near_at(e, level_to)) : TS_OK;
}

static double rough_distance(const edge_job *e, double t)
{
    return ts_touch_near_other(e->job, e->of_b, point_at(e, t)).distance;
}

/* Whether both of its vertices touch, and hold it, so that there is no need to look; else contacts are to be nearer than the farther one, or the edge lies along a face. */
static bool is_held(edge_job *e)
{
    const double vertices = fmax(near_at(e, 0).distance, near_at(e, 1).distance) - level * e->length;
    e->most = fmin(e->job->reach, vertices);
    return vertices <= 0;
}

static ts_status touch_parts(edge_job *e)
{
    const ts_solid *other = e->of_b ? e->job->a : e->job->b;
    bool asked = false;
    int parts = 1;
    if (rough_distance(e, 0.5) > e->job->reach + TS_TOUCH_SLOPE * 0.5 * e->length)
        return TS_OK;
    if (other->kind == TS_SOLID_MESH)
        parts = (int)fmin(ceil(e->length / (2 * ts_mesh_field_get_info(other->field).cell)), PARTS_MAX);
    double before = rough_distance(e, 0);
    for (int i = 0; i < parts; i++) {
        const double low = (double)i / parts, high = (double)(i + 1) / parts, after = rough_distance(e, high);
        /* at its lowest if it fell as steeply as it can, and rose again */
        const double least = 0.5 * (before + after - TS_TOUCH_SLOPE * e->length / parts);
        before = after;
        if (least > e->job->reach)
            continue;
        if (!asked && is_held(e))
            return TS_OK;
        asked = true;
        TS_TRY(touch_part(e, low, high));
    }
    return TS_OK;
}

/* Edges of a mesh that are longer see too little of a solid by their vertices. */
static double longest_left_out(const ts_solid *other)
{
    const double sharp = other->kind == TS_SOLID_MESH      ? (other->edges ? other->edges->sharp : 1)
                         : other->kind == TS_SOLID_CAPSULE ? 0.5 /* round: an edge as long as its radius */
                                                           : 1;
    return sharp > 0 ? 0.5 * other->inner / sharp : HUGE_VAL;
}

ts_status ts_touch_edges(const ts_touch_job *job, bool of_b)
{
    const ts_solid *solid = of_b ? job->b : job->a, *other = of_b ? job->a : job->b;
    const ts_vec3 at = of_b ? job->at_b : job->at_a;
    const ts_mat3 turn = of_b ? job->turn_b : job->turn_a;
    const ts_mesh_edges *edges = solid->edges;
    const double least = longest_left_out(other);
    if (!edges || edges->count == 0 || edges->longest <= least)
        return TS_OK;
    const ts_mesh_clusters *c = edges->clusters;
    for (size_t i = 0; i < c->node_count;) {
        const ts_mesh_cluster *node = &c->node[i];
        const double distance = ts_touch_near_other(job, of_b, ts_touch_world(at, turn, node->centre)).distance;
        const bool far = distance > job->reach + TS_TOUCH_SLOPE * (node->radius + 0.5 * edges->longest);
        for (uint32_t k = node->begin; !far && node->leaf && k < node->end; k++) {
            const size_t index = c->vertex[k];
            const ts_vec3 from = solid->mesh->vertex[edges->edge[index].a],
                          to = solid->mesh->vertex[edges->edge[index].b];
            edge_job e = {job, of_b, ts_touch_world(at, turn, from), ts_touch_world(at, turn, to), .triangle = -1};
            /* the same in all steps, whatever rounding does to turned ends: parts are counted by it */
            e.length = ts_vec3_distance(from, to);
            if (e.length <= least || index >= EDGES_MAX)
                continue;
            e.along = ts_vec3_scale(ts_vec3_sub(e.to, e.from), 1 / e.length);
            e.feature = (of_b ? TS_TOUCH_OTHER_SIDE : 0) | EDGE_FEATURE | ((uint32_t)index * 2 * PARTS_MAX);
            TS_TRY(touch_parts(&e));
        }
        i = far ? node->next : i + 1;
    }
    return TS_OK;
}
