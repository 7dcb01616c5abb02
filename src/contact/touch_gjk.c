/* SPDX-License-Identifier: MIT */
/* Nearest points of two convex sets: Gilbert, Johnson and Keerthi (1988).
 *
 * The set B − A of all differences is convex, and its point v nearest to the origin is the shortest way from A to B. v is sought in simplices of
 * up to four differences: the point farthest towards the origin is added, and what does not bear the new nearest point is dropped. It ends
 * when no difference lies nearer than v by more than rounding: then |v| is the distance, and v·w/|v| a bound of it from below. */
#include "contact/touch_convex.h"

enum { GJK_ITERATIONS = 128 };
typedef struct corner {
    ts_vec3 w, a, b; /* w = b − a */
    double weight;
} corner;

typedef struct simplex {
    int count;
    corner at[4];
} simplex;

static ts_vec3 simplex_point(const simplex *s)
{
    ts_vec3 v = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        v = ts_vec3_add_scaled(v, s->at[i].w, s->at[i].weight);
    return v;
}

/* The part of edge pq that is nearest to the origin. */
static simplex nearest_on_edge(const corner *p, const corner *q)
{
    ts_vec3 d = ts_vec3_sub(q->w, p->w);
    double length = ts_vec3_dot(d, d), t = length > 0 ? -ts_vec3_dot(p->w, d) / length : 0;
    simplex s = {1, {*p}};
    s.at[0].weight = 1;
    if (t >= 1) {
        s.at[0] = *q;
        s.at[0].weight = 1;
    } else if (t > 0) {
        s = (simplex){2, {*p, *q}};
        s.at[0].weight = 1 - t;
        s.at[1].weight = t;
    }
    return s;
}

static void keep_nearer(simplex *best, double *least, const simplex *candidate)
{
    ts_vec3 v = simplex_point(candidate);
    double d = ts_vec3_dot(v, v);
    if (d < *least) {
        *least = d;
        *best = *candidate;
    }
}

static simplex nearest_on_triangle(const corner *p, const corner *q, const corner *r)
{
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(q->w, p->w), ts_vec3_sub(r->w, p->w));
    double nn = ts_vec3_dot(n, n);
    /* areas of the three parts that the origin's foot makes, over the whole */
    double u = ts_vec3_dot(n, ts_vec3_cross(q->w, r->w)), v = ts_vec3_dot(n, ts_vec3_cross(r->w, p->w));
    double w = ts_vec3_dot(n, ts_vec3_cross(p->w, q->w)), sum = u + v + w;
    if (nn > 0 && u > 0 && v > 0 && w > 0) {
        simplex s = {3, {*p, *q, *r}};
        s.at[0].weight = u / sum;
        s.at[1].weight = v / sum;
        s.at[2].weight = w / sum;
        return s;
    }
    simplex best = nearest_on_edge(p, q), other = nearest_on_edge(q, r);
    ts_vec3 at = simplex_point(&best);
    double least = ts_vec3_dot(at, at);
    keep_nearer(&best, &least, &other);
    other = nearest_on_edge(r, p);
    keep_nearer(&best, &least, &other);
    return best;
}

/* True when the origin is inside; otherwise s becomes the nearest part. */
static bool nearest_in_tetrahedron(simplex *s)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    bool within = true;
    double least = INFINITY;
    simplex best = *s;
    for (int f = 0; f < 4; f++) {
        const corner *p = &s->at[face[f][0]], *q = &s->at[face[f][1]], *r = &s->at[face[f][2]];
        ts_vec3 n = ts_vec3_cross(ts_vec3_sub(q->w, p->w), ts_vec3_sub(r->w, p->w));
        double fourth = ts_vec3_dot(n, ts_vec3_sub(s->at[face[f][3]].w, p->w)), origin = -ts_vec3_dot(n, p->w);
        ts_vec3 d = ts_vec3_sub(s->at[face[f][3]].w, p->w);
        bool flat = fourth * fourth <= 1e-20 * ts_vec3_dot(n, n) * ts_vec3_dot(d, d); /* then signs are rounding */
        if (fourth * origin > 0 && !flat)
            continue;
        within = false;
        simplex candidate = nearest_on_triangle(p, q, r);
        keep_nearer(&best, &least, &candidate);
    }
    *s = best;
    return within;
}

/* Drops what does not bear the nearest point; true when the origin is inside. */
static bool reduce(simplex *s)
{
    switch (s->count) {
    case 1:
        s->at[0].weight = 1;
        return false;
    case 2:
        *s = nearest_on_edge(&s->at[0], &s->at[1]);
        return false;
    case 3:
        *s = nearest_on_triangle(&s->at[0], &s->at[1], &s->at[2]);
        return false;
    default:
        return nearest_in_tetrahedron(s);
    }
}

static bool has_corner(const simplex *s, ts_vec3 w)
{
    for (int i = 0; i < s->count; i++)
        if (s->at[i].w.x == w.x && s->at[i].w.y == w.y && s->at[i].w.z == w.z)
            return true;
    return false;
}

ts_gjk ts_gjk_find(const ts_convex *a, const ts_convex *b, ts_vec3 shift, ts_gjk_wish wish)
{
    ts_vec3 v = ts_vec3_add(ts_vec3_sub(b->at, a->at), shift);
    if (!(ts_vec3_dot(v, v) > 0))
        v = (ts_vec3){0, 0, 1};
    double size = a->size + b->size, nothing = 1e-30 * size * size, last = INFINITY, bound = -INFINITY;
    simplex s = {0}, kept = {0};
    int32_t hint_a = 0, hint_b = 0;
    ts_gjk out = {0};
    for (; out.iterations < GJK_ITERATIONS; out.iterations++) {
        corner c = {.a = ts_convex_support(a, v, &hint_a), .weight = 0};
        c.b = ts_vec3_add(ts_convex_support(b, ts_vec3_neg(v), &hint_b), shift);
        c.w = ts_vec3_sub(c.b, c.a);
        bound = fmax(bound, ts_vec3_dot(v, c.w) / ts_vec3_length(v));
        if (s.count > 0 && bound > wish.far)
            break;
        if (s.count > 0 && (last - ts_vec3_dot(v, c.w) <= wish.gap * last || has_corner(&s, c.w)))
            break;
        s.at[s.count++] = c;
        if (reduce(&s)) {
            if (!(bound > 1e-12 * size))
                return out;
            s = kept; /* a plane between the two is known: it was rounding */
            break;
        }
        v = simplex_point(&s);
        double now = ts_vec3_dot(v, v);
        if (now <= nothing)
            return out;
        if (now >= last) { /* rounding has the last word */
            s = kept;
            break;
        }
        last = now;
        kept = s;
    }
    v = simplex_point(&s);
    out.distance = ts_vec3_length(v);
    out.n = ts_vec3_scale(v, 1 / out.distance);
    for (int i = 0; i < s.count; i++) {
        out.point_a = ts_vec3_add_scaled(out.point_a, s.at[i].a, s.at[i].weight);
        out.point_b = ts_vec3_add_scaled(out.point_b, s.at[i].b, s.at[i].weight);
    }
    return out;
}
