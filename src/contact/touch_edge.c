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
 * A contact stands wherever the distance stops falling or begins to rise. To a convex solid it is a convex function, so
 * that slopes at both ends tell whether there is one, and where their tangents meet is mostly the place; along a field
 * edges are cut into parts of two cells first. An edge that lies on a face all along has its two vertices and no more.
 *
 * Contacts of an edge are numbered in their order along it, those where the distance stops falling by themselves.
 * Numbers of parts would not last: a contact that slides, or an edge whose length is rounded otherwise in the next
 * step, would have others, and impulses begin with nothing.
 *
 * Inside of a sharp edge, the distance has a crease: left and right of it the normals of two faces, m and n. What parts
 * two edges is the sum of these in which the slopes along the edge cancel: it stands across both edges. The gap along
 * it is the distance over the sum's length.
 *
 * Where edges are short, vertices see the other soon enough: as deep as half of an edge's length times tan δ/2 of the
 * turn δ that the other's edge takes; of many blunt ones, as of something round, it is their sum. Edges for which this
 * is a quarter of the ball that fits into the other, or less, are not looked along.
 *
 * Where sides of both are flush, the distance at a point of an edge is that to the side, which says nothing of what
 * lies below: only corners carry there, by the field. */
#include "contact/touch_parts.h"

#define PARTS_MAX    (1 << 20) /* of an edge */
#define CONTACTS_MAX 128       /* of each kind, of an edge */
#define NARROW_MAX \
    72 /* questions about a place: each third one halves what is left, so that 24 halvings are among them */
/* Features of edges, beside those of vertices: the edge, the how manieth of its contacts, and of which of two kinds. */
#define EDGE_FEATURE 0x40000000U
#define EDGES_MAX    ((size_t)1 << 21) /* the bit above is that of faces (touch_flush.c) */

/* Slopes below are none: what lies so flat touches all along. Fields are off by so much. */
static const double level = 0.01;
/* Contacts closer than this share of a part, or than a quarter of the ball that fits into the other solid, are one. */
static const double together = 0.02;
/* Distances that are off two tangents by less than this share of the edge's length are both of them: rounding. */
static const double straight = 1e-11;
/* Contacts so near to an end, as a share of the edge, are the vertex's own, if that is no farther than a quarter of
 * that ball, either. */
static const double at_end = 0.01;
/* Other edges count as no sharper than this, tan δ/2: one that is folded would make all of a mesh's edges long. */
static const double sharpest = 20;

/* A place along an edge. */
typedef struct place {
    double t;           /* 0 … 1 */
    ts_touch_near near; /* there */
    double slope;       /* of the distance along the edge */
} place;

/* An edge of A, or of B, in the world. */
typedef struct edge_job {
    const ts_touch_job *job;
    bool of_b;
    const ts_field_info *field; /* of the other mesh; NULL: it is none */
    ts_vec3 from, to;
    ts_vec3 along;    /* unit */
    double length;    /* [m] */
    double small;     /* a quarter of the ball that fits into the other solid [m] */
    double deepest;   /* what is deeper has gone through: as thick as both are [m] */
    double screen;    /* reach, and how far a field may be off [m] */
    double most;      /* gaps above are none of its contacts [m] */
    int32_t triangle; /* of the other mesh, where it was last near; −1: not known */
    uint32_t feature;
    uint32_t found[2]; /* contacts at which the distance stops falling, and those at which it begins to rise */
    place end[2];
    bool known[2]; /* whether `end` is */
} edge_job;

static ts_vec3 point_at(const edge_job *e, double t)
{
    return ts_vec3_lerp(e->from, e->to, t);
}

/* Exact: a field is off where edges meet, at creases. */
static place place_at(edge_job *e, double t)
{
    const ts_touch_near near = ts_touch_exact_other(e->job, e->of_b, point_at(e, t), &e->triangle);
    return (place){t, near, ts_vec3_dot(near.normal, e->along)};
}

/* Border i of so many parts. Those at the ends may be asked for again. */
static place border_at(edge_job *e, int i, int parts)
{
    const int end = i == parts;
    if (i > 0 && i < parts)
        return place_at(e, (double)i / parts);
    if (!e->known[end])
        e->end[end] = place_at(e, end);
    e->known[end] = true;
    return e->end[end];
}

/* −1: the distance falls there, 1: it rises, 0: neither. */
static int trend_of(double slope)
{
    return slope < -level ? -1 : slope > level ? 1 : 0;
}

/* Where the tangents at the ends of an interval meet, and how far it is there at least if the distance is convex.
 * Slopes are not to be equal. */
static double tangents_meet(const edge_job *e, const place *low, const place *high, double *least)
{
    const double width = (high->t - low->t) * e->length, f = low->near.distance, g = high->near.distance;
    const double along = (g - f - high->slope * width) / (low->slope - high->slope);
    *least = f + low->slope * along;
    return low->t + along / e->length;
}

/* Of an interval at whose low end trends are below `trend` and at whose high end they are not: where that changes.
 * Between two flat faces the distance is two straight lines, and they meet there; where it is round, a secant of its
 * slope comes near. */
static void narrow(edge_job *e, int trend, place *low, place *high)
{
    const double shortest = (high->t - low->t) * 0x1p-24;
    for (int step = 0; step < NARROW_MAX && high->t - low->t > shortest; step++) {
        const double width = high->t - low->t;
        double least, t = tangents_meet(e, low, high, &least);
        if (step % 3 == 1)
            t = low->t + width * low->slope / (low->slope - high->slope);
        const bool inside = step % 3 < 2 && t > low->t && t < high->t;
        const place at = place_at(e, inside ? t : low->t + 0.5 * width);
        if (inside && step % 3 == 0 && fabs(at.near.distance - least) <= straight * e->length) {
            low->t = high->t = t;
            low->near.distance = high->near.distance = at.near.distance;
            return;
        }
        *(trend_of(at.slope) < trend ? low : high) = at;
    }
}

static ts_status emit(edge_job *e, double t, int which, ts_touch_near near)
{
    const double end = fmin(at_end, e->small / e->length);
    if (t < end || t > 1 - end || near.bound || near.distance > e->most || e->found[which] == CONTACTS_MAX)
        return TS_OK;
    ts_vec3 point = point_at(e, t);
    const uint32_t feature = e->feature + 2 * e->found[which]++ + (uint32_t)which;
    if (e->of_b)
        return ts_touch_emit(e->job, feature, near.distance, near.normal,
                             ts_vec3_add_scaled(point, near.normal, -near.distance));
    return ts_touch_emit(e->job, feature, near.distance, ts_vec3_neg(near.normal), point);
}

/* At a crease or a bottom between `low`, where it falls, and `high`, where it rises. */
static ts_status emit_bottom(edge_job *e, const place *low, const place *high)
{
    const ts_touch_near m = low->near, n = high->near;
    double falls = -low->slope, rises = high->slope;
    ts_vec3 sum =
        ts_vec3_scale(ts_vec3_add(ts_vec3_scale(m.normal, rises), ts_vec3_scale(n.normal, falls)), 1 / (falls + rises));
    double length = ts_vec3_length(sum), distance = 0.5 * (m.distance + n.distance);
    if (!(length > 0) || -distance > e->deepest * length)
        return TS_OK;
    return emit(e, 0.5 * (low->t + high->t), 0,
                (ts_touch_near){distance / length, ts_vec3_scale(sum, 1 / length), m.bound || n.bound});
}

/* A part of an edge along which distances are taken for convex. */
static ts_status touch_part(edge_job *e, const place *from, const place *to)
{
    const int first = trend_of(from->slope), last = trend_of(to->slope);
    double least = 0;
    if (first < last)
        tangents_meet(e, from, to, &least);
    if (first >= last || least > e->most)
        return TS_OK;
    place falling = *from, level_from = *from, level_to = *to, rising = *to;
    if (first < 0) {
        level_from = *to;
        narrow(e, 0, &falling, &level_from);
    }
    if (first < 0 && trend_of(level_from.slope) > 0)
        return emit_bottom(e, &falling, &level_from);
    if (last > 0) {
        level_to = level_from;
        narrow(e, 1, &level_to, &rising);
    }
    if (first < 0 && last > 0 && level_to.t - level_from.t < fmin(together * (to->t - from->t), e->small / e->length)) {
        const double middle = 0.5 * (level_from.t + level_to.t);
        return emit(e, middle, 0, place_at(e, middle).near);
    }
    if (first < 0)
        TS_TRY(emit(e, level_from.t, 0, level_from.near));
    return last > 0 ? emit(e, level_to.t, 1, level_to.near) : TS_OK;
}

static double rough_distance(const edge_job *e, double t)
{
    return ts_touch_near_other(e->job, e->of_b, point_at(e, t)).distance;
}

/* Whether both of its vertices touch, and hold it, so that there is no need to look; else contacts are to be nearer
 * than the farther one, or the edge lies along a face. */
static bool is_held(edge_job *e, int parts)
{
    const double off = e->field ? e->field->cell : 0, lying = fmin(level * e->length, e->small);
    e->most = e->job->reach;
    /* a field is off by half a cell at worst: vertices of long edges are mostly so far that this does not matter */
    if (parts > 1 && fmax(rough_distance(e, 0), rough_distance(e, 1)) - off - lying > e->most)
        return false;
    const double vertices = fmax(border_at(e, 0, 1).near.distance, border_at(e, 1, 1).near.distance) - lying;
    e->most = fmin(e->most, vertices);
    return vertices <= 0;
}

/* Cuts off what is not between `low` and `high` along one axis. */
static void clip_axis(double from, double to, double low, double high, double range[2])
{
    const double way = to - from;
    if (way != 0) {
        range[0] = fmax(range[0], ((way > 0 ? low : high) - from) / way);
        range[1] = fmin(range[1], ((way > 0 ? high : low) - from) / way);
    } else if (from < low || from > high) {
        range[1] = -1;
    }
}

/* What of it is within reach of the box around the other mesh: `range[0]` to `range[1]`, if that is not less. */
static void clip(const edge_job *e, ts_box3 box, double range[2])
{
    const ts_touch_job *job = e->job;
    const ts_vec3 at = e->of_b ? job->at_a : job->at_b;
    const ts_mat3 turn = e->of_b ? job->turn_a : job->turn_b;
    const ts_vec3 p = ts_touch_local(at, turn, e->from), q = ts_touch_local(at, turn, e->to);
    clip_axis(p.x, q.x, box.low.x - job->reach, box.high.x + job->reach, range);
    clip_axis(p.y, q.y, box.low.y - job->reach, box.high.y + job->reach, range);
    clip_axis(p.z, q.z, box.low.z - job->reach, box.high.z + job->reach, range);
}

/* Goes along its parts, over those that cannot be within reach, as far as the distance allows. */
static ts_status touch_parts(edge_job *e, int parts, int begin, int end)
{
    const double part = TS_TOUCH_SLOPE * e->length / parts, reach = e->screen;
    place to = {.t = -1};
    bool asked = false;
    double before = rough_distance(e, (double)begin / parts);
    for (int i = begin; i < end; i++) {
        if (before - reach >= 2 * part) {
            i += (int)fmin((before - reach) / part, end - i) - 1;
            before = i + 1 < end ? rough_distance(e, (double)(i + 1) / parts) : 0;
            continue;
        }
        const double after = rough_distance(e, (double)(i + 1) / parts);
        /* at its lowest if it fell as steeply as it can, and rose again */
        const double least = 0.5 * (before + after - part);
        before = after;
        if (least > reach)
            continue;
        if (!asked && is_held(e, parts))
            return TS_OK;
        asked = true;
        const place from = to.t == (double)i / parts ? to : border_at(e, i, parts);
        to = border_at(e, i + 1, parts);
        TS_TRY(touch_part(e, &from, &to));
    }
    return TS_OK;
}

/* Another mesh is looked at in parts of two cells of its field. */
static ts_status touch_edge(edge_job *e)
{
    double range[2] = {0, 1};
    const int parts = e->field ? (int)fmin(ceil(e->length / (2 * e->field->cell)), PARTS_MAX) : 1;
    if (e->field)
        clip(e, e->field->box, range);
    if (!(range[0] <= range[1]) || rough_distance(e, 0.5 * (range[0] + range[1])) >
                                       e->screen + TS_TOUCH_SLOPE * 0.5 * (range[1] - range[0]) * e->length)
        return TS_OK;
    return touch_parts(e, parts, (int)floor(range[0] * parts), (int)ceil(range[1] * parts));
}

/* Edges of a mesh that are longer see too little of a solid by their vertices. What has many blunt edges turns as much
 * in all as one that is sharp. */
static double longest_left_out(const ts_solid *other)
{
    const double sharp = other->edges                      ? fmin(fmax(other->edges->sharp, 1), sharpest)
                         : other->kind == TS_SOLID_CAPSULE ? 0.5 /* round: an edge as long as its radius */
                                                           : 1;
    return 0.5 * other->inner / sharp;
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
    ts_field_info field = {0};
    if (other->kind == TS_SOLID_MESH)
        field = ts_mesh_field_get_info(other->field);
    const double screen = job->reach + 0.5 * field.cell; /* a field is off by half a cell at worst */
    const ts_mesh_clusters *c = edges->clusters;
    for (size_t i = 0; i < c->node_count;) {
        const ts_mesh_cluster *node = &c->node[i];
        const double distance = 2 * edges->half[i] > least
                                    ? ts_touch_near_other(job, of_b, ts_touch_world(at, turn, node->centre)).distance
                                    : HUGE_VAL;
        const bool far = distance > screen + TS_TOUCH_SLOPE * (node->radius + edges->half[i]);
        for (uint32_t k = node->begin; !far && node->leaf && k < node->end; k++) {
            const size_t index = c->vertex[k];
            const ts_vec3 from = solid->mesh->vertex[edges->edge[index].a],
                          to = solid->mesh->vertex[edges->edge[index].b];
            /* the same in all steps, whatever rounding does to turned ends: parts are counted by it */
            const double length = ts_vec3_distance(from, to),
                         away = ts_vec3_distance(ts_vec3_lerp(from, to, 0.5), node->centre);
            if (length <= least || index >= EDGES_MAX || distance > screen + TS_TOUCH_SLOPE * (away + 0.5 * length))
                continue;
            edge_job e = {.job = job,
                          .of_b = of_b,
                          .field = other->kind == TS_SOLID_MESH ? &field : NULL,
                          .from = ts_touch_world(at, turn, from),
                          .to = ts_touch_world(at, turn, to),
                          .length = length,
                          .small = 0.25 * other->inner,
                          .deepest = solid->inner + other->inner,
                          .screen = screen,
                          .triangle = -1};
            e.along = ts_vec3_scale(ts_vec3_sub(e.to, e.from), 1 / length);
            e.feature = (of_b ? TS_TOUCH_OTHER_SIDE : 0) | EDGE_FEATURE | ((uint32_t)index * 2 * CONTACTS_MAX);
            TS_TRY(touch_edge(&e));
        }
        i = far ? node->next : i + 1;
    }
    return TS_OK;
}
