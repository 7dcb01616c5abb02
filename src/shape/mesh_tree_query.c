/* SPDX-License-Identifier: MIT */
/* Questions to a tree over triangles: the nearest point, the winding number, the first meeting with a ray. */
#include <assert.h>

#include "shape/mesh_tree.h"
#include "shape/mesh_tree_parts.h"

enum { TIES = 6 };

static const double rounding =
    1e-14; /* of a distance, over the extent of all coordinates in it: some fifty times what it is at least */
static const double cosine_min = 1e-4; /* of the angle between r and a normal: below, the sign is not trusted */
static const double dipole_far = 4;    /* in radii of a node: its triangles may be taken together */

/* ---- The nearest point of one triangle ---- */

typedef enum feature { FACE, EDGE, VERTEX } feature;

typedef struct foot {
    ts_vec3 point;
    double squared;   /* of the distance */
    feature kind;     /* what of the triangle holds the point */
    int32_t number;   /* edge, vertex: which of the triangle; once it is a candidate, of all. Face: the triangle */
    int32_t triangle; /* as in the tree */
} foot;

static foot on_vertex(const ts_mesh_tree *tree, int32_t t, int k, ts_vec3 p)
{
    ts_vec3 q = tree->triangle[t].corner[k], r = ts_vec3_sub(p, q);
    return (foot){q, ts_vec3_dot(r, r), VERTEX, k, t};
}

/* On edge k, at `s` of the way. */
static foot on_edge(const ts_mesh_tree *tree, int32_t t, int k, double s, ts_vec3 p)
{
    const ts_vec3 *c = tree->triangle[t].corner;
    ts_vec3 a = c[k], b = c[(k + 1) % 3];
    ts_vec3 q = ts_vec3_add_scaled(a, ts_vec3_sub(b, a), s), r = ts_vec3_sub(p, q);
    return (foot){q, ts_vec3_dot(r, r), EDGE, k, t};
}

/* Nearest point of the edge, ends included. */
static foot of_edge(const ts_mesh_tree *tree, int32_t t, int k, ts_vec3 p)
{
    const ts_vec3 *c = tree->triangle[t].corner;
    ts_vec3 a = c[k], u = ts_vec3_sub(c[(k + 1) % 3], a);
    double way = ts_vec3_dot(ts_vec3_sub(p, a), u), all = ts_vec3_dot(u, u);
    if (way <= 0)
        return on_vertex(tree, t, k, p);
    return way >= all ? on_vertex(tree, t, (k + 1) % 3, p) : on_edge(tree, t, k, way / all, p);
}

/* Of a triangle without area: it is its edges. */
static foot of_edges(const ts_mesh_tree *tree, int32_t t, ts_vec3 p)
{
    foot best = of_edge(tree, t, 0, p);
    for (int k = 1; k < 3; k++) {
        foot other = of_edge(tree, t, k, p);
        if (other.squared < best.squared)
            best = other;
    }
    return best;
}

/* Which feature is nearest follows from the products of the edges with p − corner: a vertex when p is behind both of
 * its edges, an edge when p is between its ends and beyond it, else the face (Ericson, Real-time collision detection,
 * 5.1.5). His areas by products of products would lose the square of a thin triangle's proportions to rounding; these
 * lose the proportions. */
static foot of_triangle(const ts_mesh_tree *tree, int32_t t, ts_vec3 p)
{
    ts_vec3 n = tree->triangle[t].normal;
    if (n.x == 0 && n.y == 0 && n.z == 0)
        return of_edges(tree, t, p);
    const ts_vec3 *c = tree->triangle[t].corner;
    ts_vec3 u = ts_vec3_sub(c[1], c[0]), v = ts_vec3_sub(c[2], c[0]);
    ts_vec3 r0 = ts_vec3_sub(p, c[0]), r1 = ts_vec3_sub(p, c[1]), r2 = ts_vec3_sub(p, c[2]);
    double u0 = ts_vec3_dot(u, r0), v0 = ts_vec3_dot(v, r0);
    if (u0 <= 0 && v0 <= 0)
        return on_vertex(tree, t, 0, p);
    double u1 = ts_vec3_dot(u, r1), v1 = ts_vec3_dot(v, r1);
    if (u1 >= 0 && v1 <= u1)
        return on_vertex(tree, t, 1, p);
    double area2 =
        ts_vec3_dot(n, ts_vec3_cross(u, r0)); /* weight of corner 2, but for a factor; below zero beyond edge 0 */
    if (area2 <= 0 && u0 >= 0 && u1 <= 0)
        return on_edge(tree, t, 0, u0 / (u0 - u1), p);
    double u2 = ts_vec3_dot(u, r2), v2 = ts_vec3_dot(v, r2);
    if (v2 >= 0 && u2 <= v2)
        return on_vertex(tree, t, 2, p);
    double area1 = ts_vec3_dot(n, ts_vec3_cross(r0, v));
    if (area1 <= 0 && v0 >= 0 && v2 <= 0)
        return on_edge(tree, t, 2, v2 / (v2 - v0), p);
    double area0 = ts_vec3_dot(n, ts_vec3_cross(ts_vec3_sub(v, u), r1)), from1 = v1 - u1, from2 = u2 - v2;
    if (area0 <= 0 && from1 >= 0 && from2 >= 0)
        return on_edge(tree, t, 1, from1 / (from1 + from2), p);
    /* by rounding, points near a corner may be beyond an edge and still come here */
    area0 = area0 > 0 ? area0 : 0;
    area1 = area1 > 0 ? area1 : 0;
    area2 = area2 > 0 ? area2 : 0;
    double sum = area0 + area1 + area2;
    if (!(sum > 0))
        return of_edges(tree, t, p);
    ts_vec3 q = ts_vec3_add_scaled(ts_vec3_add_scaled(c[0], u, area1 / sum), v, area2 / sum), r = ts_vec3_sub(p, q);
    return (foot){q, ts_vec3_dot(r, r), FACE, t, t};
}

/* ---- The nearest of all ---- */

/* All features that may be nearest, as far as rounding tells. */
typedef struct search {
    const ts_mesh_tree *tree;
    ts_vec3 p;
    double slack; /* of a distance that rounding leaves open [m] */
    double best;  /* squared distance */
    double limit; /* what is farther (squared) is out */
    double reach; /* the same for kernels */
    foot tie[TIES];
    int count;
    bool crowded; /* there were more */
} search;

/* Of two on the same feature. Which triangle of several is told must not depend on the order in which they are met. */
static bool precedes(const ts_mesh_tree *tree, const foot *x, const foot *y)
{
    return x->squared < y->squared ||
           (x->squared == y->squared && tree->feature[x->triangle].triangle < tree->feature[y->triangle].triangle);
}

static void improve(search *s, double squared)
{
    double d = sqrt(squared) * (1 + rounding) + s->slack;
    s->best = squared;
    s->limit = d * d;
    d += s->slack * (TS_MESH_TREE_MISS / rounding);
    s->reach = d * d;
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if (s->tie[i].squared <= s->limit)
            s->tie[kept++] = s->tie[i];
    s->crowded = s->crowded && kept > 0;
    s->count = kept;
}

static void offer(search *s, foot *f)
{
    if (!(f->squared <= s->limit))
        return;
    const ts_mesh_tree_features *of = &s->tree->feature[f->triangle];
    f->number = f->kind == FACE ? f->triangle : f->kind == EDGE ? of->edge[f->number] : of->vertex[f->number];
    if (f->squared < s->best)
        improve(s, f->squared);
    for (int i = 0; i < s->count; i++)
        if (s->tie[i].kind == f->kind && s->tie[i].number == f->number) {
            if (precedes(s->tree, f, &s->tie[i]))
                s->tie[i] = *f;
            return;
        }
    if (s->count < TIES) {
        s->tie[s->count++] = *f;
        return;
    }
    s->crowded = true;
    int worst = 0;
    for (int i = 1; i < TIES; i++)
        if (precedes(s->tree, &s->tie[worst], &s->tie[i]))
            worst = i;
    if (precedes(s->tree, f, &s->tie[worst]))
        s->tie[worst] = *f;
}

static double outside_by(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0;
}

static double box_squared(const ts_box3 *box, ts_vec3 p)
{
    double x = outside_by(p.x, box->low.x, box->high.x), y = outside_by(p.y, box->low.y, box->high.y),
           z = outside_by(p.z, box->low.z, box->high.z);
    return x * x + y * y + z * z;
}

typedef struct waiting {
    int32_t node;
    double squared; /* distance of its box */
} waiting;

static void descend(search *s)
{
    const ts_mesh_tree *tree = s->tree;
    waiting stack[TS_MESH_TREE_DEPTH_MAX + 2];
    int height = 0;
    stack[height++] = (waiting){0, box_squared(&tree->node[0].box, s->p)};
    while (height > 0) {
        waiting w = stack[--height];
        if (w.squared > s->limit)
            continue;
        const ts_mesh_tree_node *node = &tree->node[w.node];
        for (int32_t k = 0; k < node->count; k += 4) {
            int near = tree->kernel->near(&tree->block[node->block + k / 4], s->p, s->reach);
            for (int32_t lane = 0; lane < 4 && k + lane < node->count; lane++)
                if (near >> lane & 1) {
                    foot f = of_triangle(tree, node->first + k + lane, s->p);
                    offer(s, &f);
                }
        }
        if (node->count > 0)
            continue;
        const ts_mesh_tree_node *child = &tree->node[node->first];
        waiting x = {node->first, box_squared(&child[0].box, s->p)};
        waiting y = {node->first + 1, box_squared(&child[1].box, s->p)};
        assert(height + 2 <= TS_MESH_TREE_DEPTH_MAX + 2);
        stack[height++] = x.squared < y.squared ? y : x;
        stack[height++] = x.squared < y.squared ? x : y;
    }
}

static ts_vec3 normal_of(const ts_mesh_tree *tree, const foot *f)
{
    return f->kind == FACE   ? tree->triangle[f->number].normal
           : f->kind == EDGE ? tree->edge_normal[f->number]
                             : tree->vertex_normal[f->number];
}

/* 1 outside, −1 inside, 0 when the features do not say so clearly. */
static int side_of(const search *s)
{
    int side = 0;
    for (int i = 0; i < s->count; i++) {
        const foot *f = &s->tie[i];
        double way = ts_vec3_dot(normal_of(s->tree, f), ts_vec3_sub(s->p, f->point));
        int own = way > 0 ? 1 : -1;
        if (!(fabs(way) > cosine_min * sqrt(f->squared)) || (side != 0 && own != side))
            return 0;
        side = own;
    }
    return s->crowded ? 0 : side;
}

static ts_mesh_nearest answer(const search *s)
{
    const foot *f = &s->tie[0];
    for (int i = 1; i < s->count; i++)
        if (precedes(s->tree, &s->tie[i], f))
            f = &s->tie[i];
    double d = sqrt(f->squared);
    ts_vec3 r = ts_vec3_sub(s->p, f->point), n = normal_of(s->tree, f);
    int side = s->tree->flawed ? 0 : side_of(s);
    if (side == 0 && d <= s->slack) /* on the surface: either sign is right */
        side = ts_vec3_dot(n, r) < 0 ? -1 : 1;
    if (side == 0)
        side = ts_mesh_tree_winding(s->tree, s->p) > 0.5 ? -1 : 1;
    if (d > s->slack || (n.x == 0 && n.y == 0 && n.z == 0))
        n = d > 0 ? ts_vec3_scale(r, side / d) : (ts_vec3){0, 0, 1};
    return (ts_mesh_nearest){side * d, f->point, n, s->tree->feature[f->triangle].triangle};
}

ts_mesh_nearest ts_mesh_tree_nearest_from(const ts_mesh_tree *tree, ts_vec3 point, int32_t triangle)
{
    double size = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    search s = {.tree = tree, .p = point, .best = HUGE_VAL, .limit = HUGE_VAL, .reach = HUGE_VAL};
    s.slack = rounding * fmax(tree->extent, size);
    if (triangle >= 0 && (size_t)triangle < tree->triangle_count) {
        foot f = of_triangle(tree, tree->place[triangle], point);
        offer(&s, &f);
    }
    descend(&s);
    if (s.count == 0) /* the point is not finite */
        return (ts_mesh_nearest){(double)NAN, point, {0, 0, 0}, -1};
    return answer(&s);
}

ts_mesh_nearest ts_mesh_tree_nearest(const ts_mesh_tree *tree, ts_vec3 point)
{
    return ts_mesh_tree_nearest_from(tree, point, -1);
}

/* ---- Winding number ---- */

/* The solid angle of a triangle seen from p, > 0 when p is behind it (Van Oosterom and Strackee, 1983). */
static double solid_angle(const ts_mesh_tree_triangle *t, ts_vec3 p)
{
    ts_vec3 a = ts_vec3_sub(t->corner[0], p), b = ts_vec3_sub(t->corner[1], p), c = ts_vec3_sub(t->corner[2], p);
    double x = ts_vec3_length(a), y = ts_vec3_length(b), z = ts_vec3_length(c);
    double up = ts_vec3_dot(a, ts_vec3_cross(b, c));
    double down = x * y * z + ts_vec3_dot(a, b) * z + ts_vec3_dot(b, c) * x + ts_vec3_dot(c, a) * y;
    return up == 0 ? 0 : 2 * atan2(up, down);
}

double ts_mesh_tree_winding(const ts_mesh_tree *tree, ts_vec3 point)
{
    int32_t stack[TS_MESH_TREE_DEPTH_MAX + 2];
    int height = 0;
    double sum = 0;
    stack[height++] = 0;
    while (height > 0) {
        int32_t i = stack[--height];
        const ts_mesh_tree_node *node = &tree->node[i];
        const ts_mesh_tree_dipole *dipole = &tree->dipole[i];
        ts_vec3 r = ts_vec3_sub(dipole->centre, point);
        double squared = ts_vec3_dot(r, r), near = dipole_far * dipole->radius;
        if (squared > near * near) {
            sum += ts_vec3_dot(dipole->moment, r) / (squared * sqrt(squared));
            continue;
        }
        for (int32_t k = node->first; k < node->first + node->count; k++)
            sum += solid_angle(&tree->triangle[k], point);
        if (node->count > 0)
            continue;
        assert(height + 2 <= TS_MESH_TREE_DEPTH_MAX + 2);
        stack[height++] = node->first + 1;
        stack[height++] = node->first;
    }
    return sum / (4 * TS_PI);
}
