/* SPDX-License-Identifier: MIT */
#include "manifold/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/simd_exp.h"
#include "manifold/parts.h"
#include "manifold/settle.h"

/* Points that a field is asked about together. */
enum { BATCH = TS_SETTLE_BATCH };
enum { EDGES = TS_MANIFOLD_TOUCH_EDGES, PAIRS = EDGES * EDGES };

/* Contacts of less activity are left out: their force would be lost beside that of others. */
static const double activity_least = 1e-3;
/* A point counts as inside as long as it is outside by no more than about so many τ. */
static const double inside_slack = 8;

/* Two ridges overlap along their common normal by no more than so many times what they are deep. */
static const double depths = 4;
/* Deeper vertices have distances to first order, over the length. */
static const double refined = 0.05;
/* Edges whose surface turns by less are no ridges: what they meet is met by vertices and lowest points [rad]. */
static const double blunt = 0.1;
/* sin² of the angle between two edges below which they are as good as parallel: their ends meet the other's faces. */
static const double parallel = 1e-3;

/* An edge counts until the common normal leans out of its two sides' by about this cosine. */
static const double lean = 0.05;

#define OTHER_SIDE TS_MANIFOLD_OTHER_SIDE
#define OF_EDGES   TS_MANIFOLD_OF_EDGES

/* The question, relative to where A stands. */
typedef struct question {
    const ts_sdf_body *body[2];
    bool hollow[2];
    ts_settle_body placed[2];
    const ts_manifold_options *options;
    ts_manifold_rule rule;
    ts_vec3 from, origin[2];
    ts_mat3 turn[2];
    double reach;
    ts_manifold_place_array *to; /* or */
    ts_manifold_sink *sink;
    void *user;
    ts_error *error;
} question;

static ts_vec3 to_local(const question *q, int body, ts_vec3 x)
{
    return ts_mat3_apply_transposed(q->turn[body], ts_vec3_sub(x, q->origin[body]));
}
static ts_vec3 to_world(const question *q, int body, ts_vec3 x)
{
    return ts_vec3_add(q->origin[body], ts_mat3_apply(q->turn[body], x));
}

/* What one field says at some points, in the frame of the question. */
typedef struct answers {
    double distance[BATCH]; /* to first order [m] */
    ts_vec3 normal[BATCH];
} answers;

static void ask(const question *q, int body, size_t count, const ts_vec3 *at, answers *to)
{
    ts_settle_ask(&q->placed[body], count, at, to->distance, to->normal);
}

static ts_status emit(const question *q, ts_manifold_place place)
{
    place.point_a = ts_vec3_add(q->from, place.point_a);
    place.point_b = ts_vec3_add(q->from, place.point_b);
    if (q->sink)
        return q->sink(q->user, &place);
    if (!q->to)
        return TS_OK;
    return ts_array_push(q->to, place, q->error);
}

/* ---- Vertices ---- */

/* How much nearer a surface may be than its vertices: of what is small beside their edges as much as an edge is long. */
static double margin_of(const question *q, int side)
{
    const ts_sdf_body *own = q->body[side], *other = q->body[1 - side];
    return ts_sdf_length(other->sdf) < 4 * own->longest ? own->longest : ts_settle_bulge(own) + ts_settle_bulge(other);
}

/* How far a point of a body's frame is from its box: its distance is no less. */
static double from_box(ts_box3 box, ts_vec3 p)
{
    const ts_vec3 out = ts_vec3_max(ts_vec3_max(ts_vec3_sub(box.low, p), ts_vec3_sub(p, box.high)), (ts_vec3){0, 0, 0});
    return ts_vec3_length(out);
}

static int by_gap(const void *x, const void *y)
{
    const ts_manifold_place *a = x, *b = y;
    if (a->gap != b->gap)
        return a->gap < b->gap ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/* Distances of points within reach to second order: φ is a distance on the surface only. */
static void refine(const question *q, int body, size_t count, const ts_vec3 *at, answers *a)
{
    size_t near[BATCH], many = 0;
    ts_vec3 point[BATCH], normal[BATCH];
    double distance[BATCH];
    const double deepest = refined * ts_sdf_length(q->body[body]->sdf);
    for (size_t i = 0; i < count; i++)
        if (a->distance[i] <= q->reach && a->distance[i] > -deepest) {
            near[many] = i;
            point[many++] = at[i];
        }
    if (many == 0)
        return;
    ts_settle_near(&q->placed[body], many, point, distance, normal);
    for (size_t k = 0; k < many; k++) {
        a->distance[near[k]] = distance[k];
        a->normal[near[k]] = normal[k];
    }
}

/* Whether one primitive of another body may touch this one in several places, so that its one lowest point is too few: where
 * something is taken away, or between primitives that have no lowest points of their own to meet it. */
static bool is_hollow(const ts_sdf_body *body)
{
    const size_t count = ts_sdf_count(body->sdf);
    for (size_t i = 0; i < count; i++) {
        const ts_primitive *p = ts_sdf_primitive(body->sdf, i);
        if (p->subtract || p->kind == TS_PRIMITIVE_CLOUD || (count > 1 && p->kind == TS_PRIMITIVE_POLYHEDRON))
            return true;
    }
    return false;
}

/* `found`: NULL for the first look, which leaves out round vertices; else those of them that nothing speaks for. */
static bool is_for_now(const question *q, int side, size_t vertex, const ts_settle_found *found)
{
    const ts_sdf_body *body = q->body[side];
    const bool later = body->round[vertex] && !q->hollow[1 - side];
    return found ? later && !ts_settle_speaks_for(found, body, vertex) : !later;
}

static ts_status flush_vertices(const question *q, int side, const ts_vec3 *at, const uint32_t *vertex, size_t count,
                                const ts_settle_found *found, double *distance)
{
    const bool wanted = q->options->sides != (side == 0 ? TS_MANIFOLD_B : TS_MANIFOLD_A);
    answers a;
    ask(q, 1 - side, count, at, &a);
    if (wanted)
        refine(q, 1 - side, count, at, &a);
    for (size_t i = 0; i < count; i++) {
        const double gap = a.distance[i];
        distance[vertex[i]] = gap;
        if (!wanted || !(gap <= q->reach) || !is_for_now(q, side, vertex[i], found))
            continue;
        const ts_vec3 other = ts_vec3_sub(at[i], ts_vec3_scale(a.normal[i], gap));
        TS_TRY(emit(q, (ts_manifold_place){gap, side == 0 ? ts_vec3_neg(a.normal[i]) : a.normal[i],
                                           side == 0 ? at[i] : other, side == 0 ? other : at[i], 1,
                                           q->body[side]->area[vertex[i]], vertex[i] | (side == 0 ? 0 : OTHER_SIDE)}));
    }
    return TS_OK;
}

/* Vertices of one body near the other; `distance`: at least so far they are from it (vertex_count). */
static ts_status touch_vertices(const question *q, int side, double *distance)
{
    const ts_mesh *mesh = q->body[side]->mesh;
    const ts_box3 box = ts_sdf_bounds(q->body[1 - side]->sdf);
    const double margin = margin_of(q, side);
    const size_t keep = q->options->keep_vertices[side], begin = q->to ? q->to->count : 0;
    ts_vec3 at[BATCH];
    uint32_t vertex[BATCH];
    size_t count = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const ts_vec3 p = to_world(q, side, mesh->vertex[i]);
        distance[i] = from_box(box, to_local(q, 1 - side, p));
        if (!(distance[i] <= q->reach + margin))
            continue;
        at[count] = p;
        vertex[count++] = (uint32_t)i;
        if (count == BATCH) {
            TS_TRY(flush_vertices(q, side, at, vertex, count, NULL, distance));
            count = 0;
        }
    }
    if (count > 0)
        TS_TRY(flush_vertices(q, side, at, vertex, count, NULL, distance));
    if (q->to && keep > 0 && q->to->count - begin > keep) {
        qsort(q->to->item + begin, q->to->count - begin, sizeof *q->to->item, by_gap);
        q->to->count = begin + keep;
    }
    return TS_OK;
}

/* ---- Edges ---- */

typedef struct candidate {
    double low; /* no point of the edge is nearer to the other body [m] */
    int32_t edge;
} candidate;

/* Inserts into a list of the `most` lowest, in order. */
static size_t insert(candidate *list, size_t count, size_t most, candidate c)
{
    if (count == most && !(c.low < list[count - 1].low))
        return count;
    size_t at = count < most ? count++ : count - 1;
    for (; at > 0 && c.low < list[at - 1].low; at--)
        list[at] = list[at - 1];
    list[at] = c;
    return count;
}

/* A distance changes by no more than the way along the edge. */
static size_t choose_edges(const question *q, int side, const double *distance, candidate list[EDGES])
{
    const ts_sdf_body *body = q->body[side];
    size_t keep = q->options->keep_edges[side], count = 0;
    keep = keep == 0 || keep > EDGES ? EDGES : keep;
    for (size_t i = 0; i < body->edge_count; i++) {
        const int32_t a = body->edge[i][0], b = body->edge[i][1];
        if (!(body->bend[i] > blunt) || (body->round[a] && body->round[b] && !q->hollow[1 - side]))
            continue;
        const double sum = distance[a] + distance[b];
        if (!(0.5 * sum <= q->reach + body->longest))
            continue;
        const double length = ts_vec3_distance(body->mesh->vertex[a], body->mesh->vertex[b]);
        const double low = 0.5 * (sum - length);
        if (low <= q->reach)
            count = insert(list, count, keep, (candidate){low, (int32_t)i});
    }
    return count;
}

/* Ends, nearest points and indicators of all pairs of candidates, then of those that count. */
typedef struct pairs {
    double p0[3][PAIRS], p1[3][PAIRS], q0[3][PAIRS], q1[3][PAIRS];
    double alpha1[PAIRS], alpha2[PAIRS], colliding[PAIRS], none[PAIRS], one[PAIRS];
    double e1[3][PAIRS], e2[3][PAIRS];
    int32_t edge1[PAIRS], edge2[PAIRS];
    /* of those that count */
    double t1[3][PAIRS], t2[3][PAIRS], n1[3][PAIRS], n2[3][PAIRS], inside[PAIRS];
    double gap[2][PAIRS], normal[2][3][PAIRS], weight[2][PAIRS], indicator[3][PAIRS];
} pairs;

static void put(double (*column)[PAIRS], size_t i, ts_vec3 v)
{
    column[0][i] = v.x, column[1][i] = v.y, column[2][i] = v.z;
}
static ts_vec3 get(double (*column)[PAIRS], size_t i)
{
    return (ts_vec3){column[0][i], column[1][i], column[2][i]};
}

/* Pairs that may cross: two points of them are no farther apart than reach, or than several times what either is deep. */
static size_t place_ends(const question *q, const candidate *const list[2], const size_t count[2], pairs *p)
{
    ts_vec3 end[2][EDGES][2], middle[2][EDGES];
    double half[2][EDGES];
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < count[s]; i++) {
            const ts_sdf_body *body = q->body[s];
            for (int e = 0; e < 2; e++)
                end[s][i][e] = to_world(q, s, body->mesh->vertex[body->edge[list[s][i].edge][e]]);
            middle[s][i] = ts_vec3_lerp(end[s][i][0], end[s][i][1], 0.5);
            half[s][i] = 0.5 * ts_vec3_distance(end[s][i][0], end[s][i][1]);
        }
    size_t n = 0;
    for (size_t k = 0; k < count[0]; k++)
        for (size_t l = 0; l < count[1]; l++) {
            const double deep = fmax(-fmin(list[0][k].low, list[1][l].low), 0),
                         far = half[0][k] + half[1][l] + q->reach + depths * deep;
            if (ts_vec3_length_squared(ts_vec3_sub(middle[0][k], middle[1][l])) > far * far)
                continue;
            put(p->p0, n, end[0][k][0]);
            put(p->p1, n, end[0][k][1]);
            put(p->q0, n, end[1][l][0]);
            put(p->q1, n, end[1][l][1]);
            p->edge1[n] = list[0][k].edge;
            p->edge2[n++] = list[1][l].edge;
        }
    return n;
}

#define COLUMNS(c)             \
    {                          \
        (c)[0], (c)[1], (c)[2] \
    }

static void find_nearest(const question *q, size_t n, pairs *p)
{
    const ts_edge_pairs ends = {n, COLUMNS(p->p0), COLUMNS(p->p1), COLUMNS(p->q0), COLUMNS(p->q1)};
    ts_edge_program(&q->rule.edge, &ends, p->alpha1, p->alpha2, p->colliding);
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n; i++) {
            p->e1[c][i] = p->p0[c][i] + p->alpha1[i] * (p->p1[c][i] - p->p0[c][i]);
            p->e2[c][i] = p->q0[c][i] + p->alpha2[i] * (p->q1[c][i] - p->q0[c][i]);
        }
}

/* Moves those pairs to the front that may have weight. */
static size_t gather(size_t n, pairs *p)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(p->colliding[i] > activity_least))
            continue;
        for (int c = 0; c < 3; c++) {
            p->t1[c][count] = p->p1[c][i] - p->p0[c][i];
            p->t2[c][count] = p->q1[c][i] - p->q0[c][i];
            p->e1[c][count] = p->e1[c][i];
            p->e2[c][count] = p->e2[c][i];
        }
        p->colliding[count] = p->colliding[i];
        p->edge1[count] = p->edge1[i];
        p->edge2[count++] = p->edge2[i];
    }
    return count;
}

/* Each point in its own body's field: onto the surface, then the normal there. */
static void find_normals(const question *q, int body, size_t count, double (*e)[PAIRS], double (*n)[PAIRS],
                         double *inside)
{
    const double per = 1 / q->rule.weight.depth;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        const size_t here = count - begin < BATCH ? count - begin : BATCH;
        ts_vec3 at[BATCH];
        answers a;
        for (size_t i = 0; i < here; i++)
            at[i] = get(e, begin + i);
        ask(q, body, here, at, &a);
        for (int k = 0; k < q->options->project; k++) {
            for (size_t i = 0; i < here; i++)
                at[i] = ts_vec3_sub(at[i], ts_vec3_scale(a.normal[i], a.distance[i]));
            ask(q, body, here, at, &a);
        }
        for (size_t i = 0; i < here; i++) {
            put(e, begin + i, at[i]);
            put(n, begin + i, a.normal[i]);
            if (q->options->safeguard)
                inside[begin + i] *= ts_sigmoid(inside_slack - a.distance[i] * per);
        }
    }
}

/* Two edges are the nearest parts of their bodies if each of the two points is in the other body, or no farther out than
 * the gap tells. That depends on nothing but the two: with the published choice among all edges that are near, the deeper
 * one of two crossings would lose to the other. */
static void find_inside(const question *q, int other, size_t count, double (*e)[PAIRS], const double *gap,
                        double *inside)
{
    const double per = 1 / q->rule.weight.depth;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        const size_t here = count - begin < BATCH ? count - begin : BATCH;
        ts_vec3 at[BATCH];
        answers a;
        for (size_t i = 0; i < here; i++)
            at[i] = get(e, begin + i);
        ask(q, other, here, at, &a);
        for (size_t i = 0; i < here; i++)
            inside[begin + i] *= ts_sigmoid(inside_slack + (fmax(gap[begin + i], 0) - a.distance[i]) * per);
    }
}

/* How far the direction out of a ridge lies between the normals of its two sides, in [0, 1]: within half of the angle that
 * the surface turns by. Two edges whose common normal does not are near each other, but beside the place of contact. */
static double between(ts_vec3 out, ts_vec3 middle, double bend)
{
    return fmin(fmax(1 + (ts_vec3_dot(out, middle) - cos(0.5 * bend)) / lean, 0), 1);
}

/* How far two edges are from parallel, in [0, 1]. */
static double crossing(ts_vec3 t1, ts_vec3 t2)
{
    const double cc = ts_vec3_length_squared(ts_vec3_cross(t1, t2)),
                 tt = ts_vec3_length_squared(t1) * ts_vec3_length_squared(t2);
    return cc / (cc + parallel * tt);
}

/* The number of a pair of edges in 30 bits: itself, or of very fine meshes a hash. */
static uint32_t name_of(uint64_t pair)
{
    return (uint32_t)(pair < OF_EDGES ? pair : pair * 0x9e3779b97f4a7c15U >> 34);
}

static ts_status emit_pairs(const question *q, size_t count, pairs *p)
{
    const ts_sdf_body *a = q->body[0], *b = q->body[1];
    for (size_t i = 0; i < count; i++) {
        const ts_vec3 out = get(p->normal[0], i);
        const double activity = p->inside[i] * p->weight[0][i] * crossing(get(p->t1, i), get(p->t2, i)) *
                                between(out, get(p->n1, i), a->bend[p->edge1[i]]) *
                                between(ts_vec3_neg(out), get(p->n2, i), b->bend[p->edge2[i]]);
        if (!(p->gap[0][i] <= q->reach) || !(activity > activity_least))
            continue;
        const ts_vec3 normal = get(p->normal[0], i), e1 = get(p->e1, i), e2 = get(p->e2, i);
        const ts_vec3 middle = ts_vec3_lerp(e1, e2, 0.5), half = ts_vec3_scale(normal, 0.5 * p->gap[0][i]);
        const int32_t *k = a->edge[p->edge1[i]], *l = b->edge[p->edge2[i]];
        const uint64_t name = (uint64_t)p->edge1[i] * b->edge_count + (uint64_t)p->edge2[i];
        TS_TRY(emit(q, (ts_manifold_place){p->gap[0][i], normal, ts_vec3_sub(middle, half), ts_vec3_add(middle, half),
                                           activity,
                                           0.25 * (a->area[k[0]] + a->area[k[1]] + b->area[l[0]] + b->area[l[1]]),
                                           OF_EDGES | name_of(name)}));
    }
    return TS_OK;
}

static ts_status touch_edges(const question *q, const double *const distance[2])
{
    candidate list[2][EDGES];
    size_t count[2];
    for (int s = 0; s < 2; s++) {
        count[s] = choose_edges(q, s, distance[s], list[s]);
        if (count[s] == 0)
            return TS_OK;
    }
    pairs p;
    const size_t near = place_ends(q, (const candidate *const[2]){list[0], list[1]}, count, &p);
    find_nearest(q, near, &p);
    const size_t n = gather(near, &p);
    for (size_t i = 0; i < n; i++)
        p.inside[i] = 1;
    find_normals(q, 0, n, p.e1, p.n1, p.inside);
    find_normals(q, 1, n, p.e2, p.n2, p.inside);
    /* what is published as `inside` and `nearest` is told by find_inside: −1e6 τ deep, and next to nothing else */
    for (size_t i = 0; i < n; i++) {
        p.none[i] = -1e6 * q->rule.weight.depth;
        p.one[i] = 1;
    }
    const ts_edge_weight_in in = {COLUMNS(p.e1), COLUMNS(p.e2), COLUMNS(p.t1), COLUMNS(p.t2),
                                  COLUMNS(p.n1), COLUMNS(p.n2), p.none,        p.none,
                                  p.colliding,   p.one,         p.one};
    const ts_edge_weight_out out = {p.gap[0],      p.gap[1],    COLUMNS(p.normal[0]), COLUMNS(p.normal[1]),
                                    p.weight[0],   p.weight[1], p.indicator[0],       p.indicator[1],
                                    p.indicator[2]};
    ts_edge_weights(&q->rule.weight, n, &in, &out);
    find_inside(q, 1, n, p.e1, p.gap[0], p.inside);
    find_inside(q, 0, n, p.e2, p.gap[0], p.inside);
    return emit_pairs(q, n, &p);
}

/* ---- Lowest points ---- */

/* Round vertices within reach whose primitive has no lowest point. */
static ts_status touch_left(const question *q, int side, const ts_settle_found *found, double *distance)
{
    const ts_sdf_body *body = q->body[side];
    for (size_t i = 0; i < body->mesh->vertex_count; i++) {
        const uint32_t vertex = (uint32_t)i;
        if (!(distance[i] <= q->reach) || !is_for_now(q, side, i, found))
            continue;
        const ts_vec3 at = to_world(q, side, body->mesh->vertex[i]);
        TS_TRY(flush_vertices(q, side, &at, &vertex, 1, found, distance));
    }
    return TS_OK;
}

/* Lowest points of one body against the other. */
typedef struct lowest {
    ts_settled at[TS_SETTLE_PARTS];
    bool both[TS_SETTLE_PARTS]; /* the other body has the same place */
    size_t count;
} lowest;

/* Places that both bodies have, as round ones do where they touch, are one: of two equal rows friction and restitution
 * would have to share what they do. */
static void join(const question *q, lowest *a, lowest *b)
{
    const double near = 1e-6 * fmin(ts_sdf_length(q->body[0]->sdf), ts_sdf_length(q->body[1]->sdf));
    size_t kept = 0;
    for (size_t k = 0; k < b->count; k++) {
        const ts_settled *s = &b->at[k];
        const ts_vec3 other = ts_vec3_add_scaled(s->point, s->normal, -s->distance);
        bool same = false;
        for (size_t i = 0; i < a->count && !same; i++) {
            same = ts_vec3_distance(a->at[i].point, other) <= near && fabs(a->at[i].distance - s->distance) <= near;
            a->both[i] = a->both[i] || same;
        }
        if (!same)
            b->at[kept++] = *s;
    }
    b->count = kept;
}

/* Where both bodies have one, each stands for half a patch. */
static ts_status emit_lowest(const question *q, int side, const lowest *list)
{
    const bool both = q->options->sides == TS_MANIFOLD_BOTH;
    const double patch = fmin(ts_settle_patch(q->body[0]), ts_settle_patch(q->body[1]));
    for (size_t i = 0; i < list->count; i++) {
        const ts_settled *s = &list->at[i];
        const double area = (both && !list->both[i] ? 0.5 : 1) * patch;
        const ts_vec3 other = ts_vec3_add_scaled(s->point, s->normal, -s->distance);
        TS_TRY(emit(q, (ts_manifold_place){s->distance, side == 0 ? ts_vec3_neg(s->normal) : s->normal,
                                           side == 0 ? s->point : other, side == 0 ? other : s->point, 1, area,
                                           s->part | TS_MANIFOLD_LOWEST | (side == 0 ? 0 : OTHER_SIDE)}));
    }
    return TS_OK;
}

static ts_status touch_lowest(const question *q, double *const distance[2])
{
    const ts_manifold_sides sides = q->options->sides;
    lowest list[2];
    ts_settle_found found[2];
    for (int s = 0; s < 2; s++) {
        const bool wanted = sides == TS_MANIFOLD_BOTH || sides == (s == 0 ? TS_MANIFOLD_A : TS_MANIFOLD_B);
        list[s].count = wanted ? ts_settle(&q->placed[s], ts_settle_rough, ts_settle_smooth, &q->placed[1 - s],
                                           distance[s], margin_of(q, s), q->reach, list[s].at)
                               : 0;
        memset(list[s].both, 0, sizeof list[s].both);
        found[s] = ts_settle_which(list[s].at, list[s].count);
    }
    join(q, &list[0], &list[1]);
    for (int s = 0; s < 2; s++) {
        TS_TRY(emit_lowest(q, s, &list[s]));
        TS_TRY(touch_left(q, s, &found[s], distance[s]));
    }
    return TS_OK;
}

/* ---- Both ---- */

/* Whether the balls around the two are farther apart than reach. */
static bool are_far(const question *q)
{
    ts_vec3 centre[2];
    double radius = 0;
    for (int s = 0; s < 2; s++) {
        const ts_box3 box = ts_sdf_bounds(q->body[s]->sdf);
        centre[s] = to_world(q, s, ts_vec3_lerp(box.low, box.high, 0.5));
        radius += 0.5 * ts_vec3_distance(box.low, box.high);
    }
    return ts_vec3_distance(centre[0], centre[1]) > radius + q->reach;
}

static ts_status touch_both(const ts_manifold_placed *a, const ts_manifold_placed *b,
                            const ts_manifold_options *options, double reach, ts_manifold_place_array *to,
                            ts_manifold_sink *sink, void *user, ts_error *error)
{
    question q = {.body = {a->body, b->body},
                  .options = options,
                  .from = a->at,
                  .origin = {{0, 0, 0}, ts_vec3_sub(b->at, a->at)},
                  .turn = {a->turn, b->turn},
                  .reach = reach,
                  .to = to,
                  .sink = sink,
                  .user = user,
                  .error = error};
    q.rule = ts_manifold_rule_of(q.body, options, &options->smoothing);
    for (int side = 0; side < 2; side++)
        q.hollow[side] = is_hollow(q.body[side]) || (options->sides == (side == 0 ? TS_MANIFOLD_B : TS_MANIFOLD_A) &&
                                                     ts_sdf_count(q.body[side]->sdf) > 1);
    for (int side = 0; side < 2; side++)
        q.placed[side] = (ts_settle_body){q.body[side], q.rule.field[side], q.origin[side], q.turn[side]};
    if (are_far(&q))
        return TS_OK;
    double distance[2][TS_SDF_BODY_VERTICES_MAX];
    for (int side = 0; side < 2; side++)
        TS_TRY(touch_vertices(&q, side, distance[side]));
    TS_TRY(touch_lowest(&q, (double *const[2]){distance[0], distance[1]}));
    return options->edges ? touch_edges(&q, (const double *const[2]){distance[0], distance[1]}) : TS_OK;
}

/* What is kept of many has to be known first. */
ts_status ts_manifold_touch_placed(const ts_manifold_placed *a, const ts_manifold_placed *b,
                                   const ts_manifold_options *options, double reach, ts_manifold_sink *sink, void *user,
                                   ts_error *error)
{
    if (options->keep_vertices[0] == 0 && options->keep_vertices[1] == 0)
        return touch_both(a, b, options, reach, NULL, sink, user, error);
    TS_AUTO_ARRAY ts_manifold_place_array found = {0};
    TS_TRY(touch_both(a, b, options, reach, &found, NULL, NULL, error));
    for (size_t i = 0; i < found.count; i++)
        TS_TRY(sink(user, &found.item[i]));
    return TS_OK;
}

ts_status ts_manifold_touch(const ts_sdf_body *a, ts_pose3 pose_a, const ts_sdf_body *b, ts_pose3 pose_b,
                            const ts_manifold_options *options, double reach, ts_manifold_place_array *to,
                            ts_error *error)
{
    return touch_both(&(ts_manifold_placed){a, pose_a.position, ts_quat_to_matrix(pose_a.quat)},
                      &(ts_manifold_placed){b, pose_b.position, ts_quat_to_matrix(pose_b.quat)}, options, reach, to,
                      NULL, NULL, error);
}
