/* SPDX-License-Identifier: MIT */
/* Triangles that meet. Most pairs whose boxes touch are told apart by a plane between them, of which it is certain,
 * rounding included, that it has one on either side: any plane will do, so it costs nothing to guess. Only where no
 * guess fits do exact signs decide. */
#include <float.h>
#include <math.h>

#include "shape/mesh_repair_work.h"
#include "shape/orientation3.h"
#include "shape/triangulate.h"

enum { PAIRS_MAX = 1000 }; /* so many are enough to be told of */

typedef struct triangle {
    ts_vec3 p[3];
} triangle;

/* ---- Exact ---- */

/* Without the coordinate that the normal has most of. */
static ts_vec2 drop(ts_vec3 p, int axis)
{
    return axis == 0 ? (ts_vec2){p.y, p.z} : axis == 1 ? (ts_vec2){p.z, p.x} : (ts_vec2){p.x, p.y};
}

/* The sign of the triangle's area in the plane without this coordinate. */
static int area_sign(const triangle *t, int axis)
{
    return ts_orientation(drop(t->p[0], axis), drop(t->p[1], axis), drop(t->p[2], axis));
}

/* A coordinate without which the triangle still has an area. */
static int axis_of(const triangle *t)
{
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(t->p[1], t->p[0]), ts_vec3_sub(t->p[2], t->p[0]));
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (int k = 0; k < 3; k++, axis = (axis + 1) % 3)
        if (area_sign(t, axis) != 0)
            return axis;
    return axis; /* a triangle without any; those have been dealt with */
}

static bool segments_meet(ts_vec2 p, ts_vec2 q, ts_vec2 a, ts_vec2 b)
{
    int pa = ts_orientation(p, q, a), pb = ts_orientation(p, q, b);
    int ap = ts_orientation(a, b, p), aq = ts_orientation(a, b, q);
    if (pa == 0 && pb == 0 && ap == 0 && aq == 0) /* on one line: do they overlap along both axes? */
        return fmax(fmin(p.x, q.x), fmin(a.x, b.x)) <= fmin(fmax(p.x, q.x), fmax(a.x, b.x)) &&
               fmax(fmin(p.y, q.y), fmin(a.y, b.y)) <= fmin(fmax(p.y, q.y), fmax(a.y, b.y));
    return pa * pb <= 0 && ap * aq <= 0;
}

/* All five points are in one plane. */
static bool flat_meet(ts_vec3 p, ts_vec3 q, const triangle *t)
{
    int axis = axis_of(t), turn = area_sign(t, axis);
    ts_vec2 u = drop(p, axis), v = drop(q, axis);
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        ts_vec2 a = drop(t->p[k], axis), b = drop(t->p[(k + 1) % 3], axis);
        if (segments_meet(u, v, a, b))
            return true;
        inside = inside && ts_orientation(a, b, u) * turn >= 0;
    }
    return inside;
}

/* The segment pq and the triangle have a point in common; ends and edges count. */
static bool segment_meets(ts_vec3 p, ts_vec3 q, const triangle *t)
{
    int above = ts_orientation3(t->p[0], t->p[1], t->p[2], p), below = ts_orientation3(t->p[0], t->p[1], t->p[2], q);
    if (above * below > 0)
        return false;
    if (above == 0 && below == 0)
        return flat_meet(p, q, t);
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        int side = ts_orientation3(p, q, t->p[k], t->p[(k + 1) % 3]);
        left += side > 0;
        right += side < 0;
    }
    return left == 0 || right == 0;
}

/* All on one side of the other's plane. */
static bool beside(const triangle *s, const triangle *t)
{
    int side = ts_orientation3(t->p[0], t->p[1], t->p[2], s->p[0]);
    return side != 0 && side == ts_orientation3(t->p[0], t->p[1], t->p[2], s->p[1]) &&
           side == ts_orientation3(t->p[0], t->p[1], t->p[2], s->p[2]);
}

static bool triangles_meet(const triangle *s, const triangle *t)
{
    if (beside(s, t) || beside(t, s))
        return false;
    for (int k = 0; k < 3; k++)
        if (segment_meets(s->p[k], s->p[(k + 1) % 3], t) || segment_meets(t->p[k], t->p[(k + 1) % 3], s))
            return true;
    return false;
}

/* ---- Planes in between, where one is certain ---- */

typedef struct range {
    double low, high;
} range;

/* Of w · (p − origin), rounding included. */
static range reach(const ts_vec3 *p, int count, ts_vec3 origin, ts_vec3 w)
{
    range r = {HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < count; k++) {
        ts_vec3 d = ts_vec3_times(w, ts_vec3_sub(p[k], origin));
        double value = d.x + d.y + d.z, slack = 8 * DBL_EPSILON * (fabs(d.x) + fabs(d.y) + fabs(d.z));
        r.low = value - slack < r.low ? value - slack : r.low;
        r.high = value + slack > r.high ? value + slack : r.high;
    }
    return r;
}

static bool apart_along(const triangle *s, const triangle *t, ts_vec3 w)
{
    range a = reach(s->p, 3, s->p[0], w), b = reach(t->p, 3, s->p[0], w);
    return a.high < b.low || b.high < a.low;
}

static ts_vec3 normal_of(const triangle *t)
{
    return ts_vec3_cross(ts_vec3_sub(t->p[1], t->p[0]), ts_vec3_sub(t->p[2], t->p[0]));
}

/* Triangles without a common vertex are surely apart: seen along their planes, or along an edge in one of them. */
static bool apart(const triangle *s, const triangle *t)
{
    ts_vec3 n = normal_of(s), m = normal_of(t);
    if (apart_along(s, t, n) || apart_along(s, t, m))
        return true;
    for (int k = 0; k < 3; k++)
        if (apart_along(s, t, ts_vec3_cross(n, ts_vec3_sub(s->p[(k + 1) % 3], s->p[k]))) ||
            apart_along(s, t, ts_vec3_cross(m, ts_vec3_sub(t->p[(k + 1) % 3], t->p[k]))))
            return true;
    return false;
}

/* The plane through their common vertex, p[0] of both, has the rest of them on either side. */
static bool apart_at(const triangle *s, const triangle *t, ts_vec3 w)
{
    range a = reach(s->p + 1, 2, s->p[0], w), b = reach(t->p + 1, 2, s->p[0], w);
    return (a.low > 0 && b.high < 0) || (b.low > 0 && a.high < 0);
}

/* Two triangles with one common vertex surely have nothing else: between the middles of their angles, or between two of
 * their edges. */
static bool fan_apart(const triangle *s, const triangle *t)
{
    ts_vec3 e[2], f[2];
    /* without roots first: large fans have many pairs, of triangles of about the same size */
    if (apart_at(s, t, ts_vec3_sub(ts_vec3_add(s->p[1], s->p[2]), ts_vec3_add(t->p[1], t->p[2]))))
        return true;
    for (int k = 0; k < 2; k++) {
        e[k] = ts_vec3_unit(ts_vec3_sub(s->p[k + 1], s->p[0]));
        f[k] = ts_vec3_unit(ts_vec3_sub(t->p[k + 1], t->p[0]));
    }
    if (apart_at(s, t, ts_vec3_sub(ts_vec3_add(e[0], e[1]), ts_vec3_add(f[0], f[1]))))
        return true;
    ts_vec3 n = normal_of(s), m = normal_of(t);
    if (apart_at(s, t, ts_vec3_sub(ts_vec3_unit(n), ts_vec3_unit(m))))
        return true;
    ts_vec3 up = ts_vec3_add(ts_vec3_unit(n), ts_vec3_unit(m));
    for (int k = 0; k < 4; k++)
        if (apart_at(s, t, ts_vec3_cross(ts_vec3_add(e[k / 2], f[k % 2]), up)))
            return true;
    return false;
}

/* ---- Pairs ---- */

/* The triangle with corner k first. */
static triangle corners(const ts_mesh_mend *m, int32_t i, int k)
{
    const int32_t *c = m->mesh->triangle[i];
    return (triangle){{m->point[c[k]], m->point[c[(k + 1) % 3]], m->point[c[(k + 2) % 3]]}};
}

/* Two triangles on the same edge lie one on the other. `i` and `k`: the corners that they do not share. */
static bool is_folded(const triangle *s, int i, const triangle *t, int k)
{
    ts_vec3 a = s->p[(i + 1) % 3], b = s->p[(i + 2) % 3], c = s->p[i], d = t->p[k], e = ts_vec3_sub(b, a);
    ts_vec3 n = ts_vec3_cross(e, ts_vec3_sub(c, a)), m = ts_vec3_cross(e, ts_vec3_sub(d, a));
    if (ts_vec3_dot(n, m) < -1e-6 * ts_vec3_length(n) * ts_vec3_length(m))
        return false; /* on either side of the edge, as they should be */
    if (ts_orientation3(a, b, c, d) != 0)
        return false;
    int axis = axis_of(s);
    return ts_orientation(drop(a, axis), drop(b, axis), drop(c, axis)) ==
           ts_orientation(drop(a, axis), drop(b, axis), drop(d, axis));
}

/* Seen along the edge pq, x lies between a and b, counter-clockwise from a. (That x is not on one of them is_folded
 * knows.) */
static bool is_between(ts_vec3 p, ts_vec3 q, ts_vec3 a, ts_vec3 b, ts_vec3 x)
{
    int turn = ts_orientation3(p, q, a, b);
    if (turn == 0)
        return ts_orientation3(p, q, a, x) > 0;
    if (turn > 0)
        return ts_orientation3(p, q, a, x) > 0 && ts_orientation3(p, q, x, b) > 0;
    return !(ts_orientation3(p, q, b, x) > 0 && ts_orientation3(p, q, x, a) > 0);
}

/* The corner across a half-edge. */
static ts_vec3 tip(const ts_mesh_mend *m, int32_t half)
{
    return m->point[m->mesh->triangle[half / 3][(half + 2) % 3]];
}

/* Two sheets have these edges at the same place: do they go through each other there? */
static bool sheets_cross(const ts_mesh_mend *m, int32_t half, int32_t other)
{
    const int32_t *c = m->mesh->triangle[half / 3];
    ts_vec3 p = m->point[c[half % 3]], q = m->point[c[(half + 1) % 3]];
    ts_vec3 a = tip(m, half), b = tip(m, m->twin[half]);
    return is_between(p, q, a, b, tip(m, other)) != is_between(p, q, a, b, tip(m, m->twin[other]));
}

static bool pair_meets(const ts_mesh_mend *m, int32_t i, int32_t j)
{
    const int32_t *a = m->mesh->triangle[i], *b = m->mesh->triangle[j];
    int shared = 0, sum_a = 0, sum_b = 0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            if (m->place[a[k]] == m->place[b[l]]) {
                shared++;
                sum_a += k;
                sum_b += l;
            }
    /* one is shared: it is `sum`; two are: the third is 3 - sum */
    triangle s = corners(m, i, shared == 1 ? sum_a : 0), t = corners(m, j, shared == 1 ? sum_b : 0);
    if (shared == 0)
        return !apart(&s, &t) && triangles_meet(&s, &t);
    if (shared == 1)
        return !fan_apart(&s, &t) && (segment_meets(s.p[1], s.p[2], &t) || segment_meets(t.p[1], t.p[2], &s));
    if (shared > 2)
        return true;
    int32_t half = 3 * i + (4 - sum_a) % 3, other = 3 * j + (4 - sum_b) % 3; /* across from the third */
    return is_folded(&s, 3 - sum_a, &t, 3 - sum_b) || (m->twin[half] != other && sheets_cross(m, half, other));
}

static ts_vec3 middle(const ts_vec3 *point, const int32_t *corner)
{
    return ts_vec3_scale(ts_vec3_add(ts_vec3_add(point[corner[0]], point[corner[1]]), point[corner[2]]), 1.0 / 3);
}

static ts_status find_pairs(const ts_mesh_mend *m, const ts_mesh_boxes *tree, ts_mesh_hits *hits, ts_error *error)
{
    ts_mesh_places found = {0};
    for (size_t i = 0; i < tree->count && found.count < PAIRS_MAX; i++) {
        TS_TRY(ts_mesh_boxes_find(tree, tree->box[i], i + 1, hits, error));
        for (size_t k = 0; k < hits->count; k++)
            if (pair_meets(m, tree->order[i], tree->order[hits->item[k]]))
                ts_mesh_add_place(&found, middle(m->mesh->vertex, m->mesh->triangle[tree->order[i]]));
    }
    if (found.count > 0)
        return ts_fail_at(error, TS_BAD_INPUT, (ts_place){.file = m->name},
                          "the surface crosses or touches itself: %zu%s pair%s of triangles, near %s; unite "
                          "overlapping parts, keep others apart",
                          found.count, found.count >= PAIRS_MAX ? " or more" : "", found.count == 1 ? "" : "s",
                          found.text);
    return TS_OK;
}

/* ---- Pieces inside of others ---- */

/* Whether the edge, seen along x, passes the point to the right of y, at its height z. Ends and points on it are
 * decided as if the point were a little to the right, and still less higher: the same for both triangles on the
 * edge. */
static bool passes(ts_vec3 a, ts_vec3 b, ts_vec3 p)
{
    if ((a.z > p.z) == (b.z > p.z))
        return false;
    ts_vec3 low = a.z < b.z ? a : b, high = a.z < b.z ? b : a;
    return ts_orientation((ts_vec2){low.y, low.z}, (ts_vec2){high.y, high.z}, (ts_vec2){p.y, p.z}) > 0;
}

/* The ray from p along x goes through the triangle. */
static bool ray_meets(const triangle *t, ts_vec3 p)
{
    bool covers = false;
    for (int k = 0; k < 3; k++)
        covers ^= passes(t->p[k], t->p[(k + 1) % 3], p);
    if (!covers)
        return false;
    /* p is behind a plane that faces along x: its normal's x has the sign of the area seen along x */
    return ts_orientation3(t->p[0], t->p[1], t->p[2], p) * area_sign(t, 0) < 0;
}

static ts_status find_inside(const ts_mesh_mend *m, const ts_mesh_boxes *tree, bool *inside, ts_mesh_hits *hits,
                             ts_error *error)
{
    int32_t done = 0; /* pieces are numbered in the order of their first triangles */
    for (size_t i = 0; i < m->mesh->triangle_count; i++) {
        if (m->piece[i] != done)
            continue;
        ts_vec3 p = middle(m->point, m->mesh->triangle[i]), far = {HUGE_VAL, p.y, p.z};
        TS_TRY(ts_mesh_boxes_find(tree, (ts_box3){p, far}, 0, hits, error));
        inside[done] = false;
        for (size_t k = 0; k < hits->count; k++) {
            int32_t other = tree->order[hits->item[k]];
            triangle t = corners(m, other, 0);
            inside[done] ^= m->piece[other] != done && ray_meets(&t, p);
        }
        done++;
    }
    return TS_OK;
}

ts_status ts_mesh_check_crossings(ts_mesh_mend *m, bool *inside, ts_error *error)
{
    ts_mesh_boxes tree;
    ts_mesh_hits hits = {0};
    TS_TRY(ts_mesh_boxes_make(&tree, m->point, m->mesh, error));
    ts_status status = find_pairs(m, &tree, &hits, error);
    if (status == TS_OK)
        status = find_inside(m, &tree, inside, &hits, error);
    ts_array_free(&hits);
    ts_mesh_boxes_free(&tree);
    return status;
}
