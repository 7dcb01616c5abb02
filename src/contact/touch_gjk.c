/* SPDX-License-Identifier: MIT */
/* Nearest points of two convex sets: Gilbert, Johnson and Keerthi (1988).
 *
 * The set B − A of all differences is convex, and its point v nearest to the origin is the shortest way from A to B. v
 * is sought in simplices of up to four differences: the point farthest towards the origin is added, and what does not
 * bear the new nearest point is dropped. It ends when no difference lies nearer than v by more than rounding: then |v|
 * is the distance, and v·w/|v| a bound of it from below. */
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

/* A point of a simplex: which corners bear it, and how much each. */
typedef struct borne {
    int count, at[3];
    double weight[3];
    double square; /* of its distance from the origin */
} borne;

static borne bear(const simplex *s, borne b)
{
    ts_vec3 v = {0, 0, 0};
    for (int i = 0; i < b.count; i++)
        v = ts_vec3_add_scaled(v, s->at[b.at[i]].w, b.weight[i]);
    b.square = ts_vec3_dot(v, v);
    return b;
}

/* The point of edge pq that is nearest to the origin. */
static borne nearest_on_edge(const simplex *s, int p, int q)
{
    ts_vec3 a = s->at[p].w, d = ts_vec3_sub(s->at[q].w, a);
    double length = ts_vec3_dot(d, d), t = length > 0 ? -ts_vec3_dot(a, d) / length : 0;
    if (t <= 0)
        return bear(s, (borne){1, {p, 0, 0}, {1, 0, 0}, 0});
    if (t >= 1)
        return bear(s, (borne){1, {q, 0, 0}, {1, 0, 0}, 0});
    return bear(s, (borne){2, {p, q, 0}, {1 - t, t, 0}, 0});
}

static borne nearest_on_triangle(const simplex *s, int i, int j, int k)
{
    ts_vec3 p = s->at[i].w, q = s->at[j].w, r = s->at[k].w;
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(q, p), ts_vec3_sub(r, p));
    /* areas of the three parts that the origin's foot makes, over the whole */
    double u = ts_vec3_dot(n, ts_vec3_cross(q, r)), v = ts_vec3_dot(n, ts_vec3_cross(r, p));
    double w = ts_vec3_dot(n, ts_vec3_cross(p, q)), sum = u + v + w;
    if (u > 0 && v > 0 && w > 0)
        return bear(s, (borne){3, {i, j, k}, {u / sum, v / sum, w / sum}, 0});
    borne best = nearest_on_edge(s, i, j), other = nearest_on_edge(s, j, k);
    best = other.square < best.square ? other : best;
    other = nearest_on_edge(s, k, i);
    return other.square < best.square ? other : best;
}

/* True when the origin is inside; otherwise *best is the nearest point. */
static bool nearest_in_tetrahedron(const simplex *s, borne *best)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    bool within = true;
    for (int f = 0; f < 4; f++) {
        ts_vec3 p = s->at[face[f][0]].w, q = s->at[face[f][1]].w, r = s->at[face[f][2]].w;
        ts_vec3 n = ts_vec3_cross(ts_vec3_sub(q, p), ts_vec3_sub(r, p));
        ts_vec3 d = ts_vec3_sub(s->at[face[f][3]].w, p);
        double fourth = ts_vec3_dot(n, d), origin = -ts_vec3_dot(n, p);
        bool flat = fourth * fourth <= 1e-20 * ts_vec3_dot(n, n) * ts_vec3_dot(d, d); /* then signs are rounding */
        if (fourth * origin > 0 && !flat)
            continue;
        borne candidate = nearest_on_triangle(s, face[f][0], face[f][1], face[f][2]);
        if (within || candidate.square < best->square)
            *best = candidate;
        within = false;
    }
    return within;
}

/* Drops what does not bear the nearest point; true when the origin is inside. */
static bool reduce(simplex *s)
{
    borne best = {1, {0, 0, 0}, {1, 0, 0}, 0};
    if (s->count == 2)
        best = nearest_on_edge(s, 0, 1);
    else if (s->count == 3)
        best = nearest_on_triangle(s, 0, 1, 2);
    else if (s->count == 4 && nearest_in_tetrahedron(s, &best))
        return true;
    /* corners may come in any order: each is taken out before its place is filled */
    simplex kept = {.count = best.count};
    for (int i = 0; i < best.count; i++) {
        kept.at[i] = s->at[best.at[i]];
        kept.at[i].weight = best.weight[i];
    }
    *s = kept;
    return false;
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
    double size = a->size + b->size, nothing = 1e-30 * size * size, last = HUGE_VAL, bound = -HUGE_VAL;
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
