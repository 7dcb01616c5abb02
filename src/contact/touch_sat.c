/* SPDX-License-Identifier: MIT */
/* The direction of largest separation of two polyhedra.
 *
 * It is the normal of a face of the set B − A: that of a face of A, of a face of B, or of an edge of each. Two edges
 * make a face of B − A when their arcs on the sphere of normals cross, which rules out nearly all pairs (Gregorius
 * 2013). Faces win ties over edges, since nearly parallel edges have a poor normal; among equals the mean is taken. */
#include "contact/touch_convex.h"

/* Sine below which two edges are parallel: their normal would have lost six digits. */
#define SAT_PARALLEL 1e-6

void ts_contest_enter(ts_contest *c, double separation, ts_vec3 n)
{
    if (separation > c->best + c->equal || isinf(c->best)) {
        c->first = c->sum = n;
        c->best = separation;
    } else if (separation >= c->best - c->equal) {
        c->sum = ts_vec3_add(c->sum, n);
        c->best = fmax(c->best, separation);
    }
}

ts_vec3 ts_contest_winner(const ts_contest *c)
{
    return ts_vec3_length(c->sum) > 0.1 ? ts_vec3_unit(c->sum) : c->first;
}

static ts_convex_way decide(const ts_contest *face, const ts_contest *edge, const ts_convex *a, const ts_convex *b)
{
    ts_vec3 n = ts_contest_winner(edge->best > face->best + face->equal ? edge : face);
    return (ts_convex_way){.n = n, .separation = ts_convex_separation(a, b, n)};
}

ts_convex_way ts_sat_boxes(const ts_convex *a, const ts_convex *b, double reach)
{
    const double equal = TS_CONTEST_EQUAL * (a->size + b->size);
    const double ha[3] = {a->solid->half.x, a->solid->half.y, a->solid->half.z};
    const double hb[3] = {b->solid->half.x, b->solid->half.y, b->solid->half.z};
    ts_contest face = {-HUGE_VAL, equal, {0, 0, 0}, {0, 0, 0}}, edge = face;
    ts_vec3 d = ts_vec3_sub(b->at, a->at), axis_a[3], axis_b[3];
    double c[3][3], absolute[3][3], da[3], db[3];
    for (int i = 0; i < 3; i++) {
        axis_a[i] = ts_mat3_column(a->turn, i);
        axis_b[i] = ts_mat3_column(b->turn, i);
        da[i] = ts_vec3_dot(d, axis_a[i]);
        db[i] = ts_vec3_dot(d, axis_b[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c[i][j] = ts_vec3_dot(axis_a[i], axis_b[j]);
            absolute[i][j] = fabs(c[i][j]);
        }
    for (int i = 0; i < 3; i++) {
        double wide = ha[i] + hb[0] * absolute[i][0] + hb[1] * absolute[i][1] + hb[2] * absolute[i][2];
        ts_contest_enter(&face, fabs(da[i]) - wide, ts_vec3_scale(axis_a[i], copysign(1, da[i])));
        wide = hb[i] + ha[0] * absolute[0][i] + ha[1] * absolute[1][i] + ha[2] * absolute[2][i];
        ts_contest_enter(&face, fabs(db[i]) - wide, ts_vec3_scale(axis_b[i], copysign(1, db[i])));
    }
    if (face.best > reach)
        return (ts_convex_way){.n = face.first, .separation = face.best};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            /* l = a_i × b_j in coordinates of A's and B's frames: products of what is known already */
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double sine = sqrt(c[i1][j] * c[i1][j] + c[i2][j] * c[i2][j]);
            if (sine < SAT_PARALLEL)
                continue;
            double along = da[i2] * c[i1][j] - da[i1] * c[i2][j];
            double wide = ha[i1] * absolute[i2][j] + ha[i2] * absolute[i1][j] + hb[j1] * absolute[i][j2] +
                          hb[j2] * absolute[i][j1];
            double separation = (fabs(along) - wide) / sine;
            if (separation < edge.best - equal || separation <= face.best + equal)
                continue;
            ts_vec3 l = ts_vec3_scale(ts_vec3_cross(axis_a[i], axis_b[j]), copysign(1 / sine, along));
            ts_contest_enter(&edge, separation, l);
        }
    if (edge.best > reach)
        return (ts_convex_way){.n = edge.first, .separation = edge.best};
    return decide(&face, &edge, a, b);
}

/* ---- Hulls ---- */

/* The radius of a ball about a hull's centre that it holds. */
static double inner_radius(const ts_hull *h)
{
    double least = HUGE_VAL;
    for (size_t f = 0; f < h->face_count; f++)
        least = fmin(least, h->offset[f] - ts_vec3_dot(h->normal[f], h->centre));
    return fmax(least, 0);
}

/* Normals of A's faces, outwards; `sign` −1 when `a` is really B. B holds a ball about its centre: a face that this is
 * too near to is no good. */
static void contend_faces(ts_contest *c, const ts_convex *a, const ts_convex *b, double sign)
{
    int32_t hint = 0;
    double inner = inner_radius(b->hull);
    ts_vec3 centre = ts_touch_local(a->at, a->turn, ts_touch_world(b->at, b->turn, b->hull->centre));
    for (size_t f = 0; f < a->hull->face_count; f++) {
        if (ts_vec3_dot(a->hull->normal[f], centre) - a->hull->offset[f] - inner < c->best - c->equal)
            continue;
        ts_vec3 n = ts_mat3_apply(a->turn, a->hull->normal[f]);
        ts_vec3 p = ts_convex_support(b, ts_vec3_neg(n), &hint);
        double separation = ts_vec3_dot(n, ts_vec3_sub(p, a->at)) - a->hull->offset[f];
        ts_contest_enter(c, separation, ts_vec3_scale(n, sign));
    }
}

/* An edge of A as seen from B's frame. */
typedef struct seen_edge {
    ts_vec3 p, d;         /* a point and the direction */
    ts_vec3 n0, n1, turn; /* normals of its two faces, and n1 × n0 */
} seen_edge;

static void contend_edge_pair(ts_contest *c, const seen_edge *e, const ts_convex *b, const int32_t *f, ts_vec3 centre_a)
{
    const ts_hull *h = b->hull;
    /* arcs (n0, n1) and (−m0, −m1): each must have its ends on the two sides of the other's great circle, on the same
     * half of the sphere */
    ts_vec3 m0 = ts_vec3_neg(h->normal[f[2]]), m1 = ts_vec3_neg(h->normal[f[3]]);
    double s0 = ts_vec3_dot(m0, e->turn), s1 = ts_vec3_dot(m1, e->turn);
    if (s0 * s1 >= 0)
        return;
    ts_vec3 turn = ts_vec3_cross(m1, m0);
    double t0 = ts_vec3_dot(e->n0, turn), t1 = ts_vec3_dot(e->n1, turn);
    if (t0 * t1 >= 0 || s0 * t1 <= 0)
        return;
    ts_vec3 q = h->vertex[f[0]], d = ts_vec3_sub(h->vertex[f[1]], q), n = ts_vec3_cross(e->d, d);
    double nn = ts_vec3_dot(n, n);
    if (nn <= SAT_PARALLEL * SAT_PARALLEL * ts_vec3_dot(e->d, e->d) * ts_vec3_dot(d, d))
        return;
    double outwards = ts_vec3_dot(n, ts_vec3_sub(e->p, centre_a));
    n = ts_vec3_scale(n, copysign(1 / sqrt(nn), outwards));
    double separation = ts_vec3_dot(n, ts_vec3_sub(q, e->p));
    if (separation >= c->best - c->equal)
        ts_contest_enter(c, separation, ts_mat3_apply(b->turn, n));
}

/* No direction between normals n0 and n1 of an edge at p separates its solid from another by more than this: that one
 * holds a ball about c, so that s(n) ≤ n·(c − p) − r. Between, n·d is at most that of the better end over the cosine of
 * half the angle. */
static double edge_bound(ts_vec3 n0, ts_vec3 n1, ts_vec3 p, ts_vec3 c, double r)
{
    ts_vec3 d = ts_vec3_sub(c, p);
    double most = fmax(ts_vec3_dot(n0, d), ts_vec3_dot(n1, d));
    double half = sqrt(fmax(0.5 * (1 + ts_vec3_dot(n0, n1)), 1e-12));
    return (most > 0 ? most / half : most) - r;
}

enum { EDGE_BLOCK = 256 };

/* All edges of A with a block of B's; `least` is what an edge must beat. */
static void contend_edges(ts_contest *c, const ts_convex *a, const ts_convex *b, double least)
{
    ts_mat3 turn = ts_mat3_mul(ts_mat3_transpose(b->turn), a->turn);
    ts_vec3 at = ts_touch_local(b->at, b->turn, a->at);
    const ts_hull *h = a->hull, *k = b->hull;
    ts_vec3 centre = ts_touch_world(at, turn, h->centre);
    double inner_a = inner_radius(h), inner_b = inner_radius(k);
    for (size_t block = 0; block < k->edge_count; block += EDGE_BLOCK) {
        size_t kept[EDGE_BLOCK], kept_count = 0;
        for (size_t j = block; j < k->edge_count && j < block + EDGE_BLOCK; j++) {
            const int32_t *f = k->edge[j];
            if (edge_bound(k->normal[f[2]], k->normal[f[3]], k->vertex[f[0]], centre, inner_a) >= least)
                kept[kept_count++] = j;
        }
        for (size_t i = 0; i < h->edge_count; i++) {
            const int32_t *f = h->edge[i];
            seen_edge e;
            e.p = ts_touch_world(at, turn, h->vertex[f[0]]);
            e.n0 = ts_mat3_apply(turn, h->normal[f[2]]);
            e.n1 = ts_mat3_apply(turn, h->normal[f[3]]);
            if (edge_bound(e.n0, e.n1, e.p, k->centre, inner_b) < least)
                continue;
            e.d = ts_mat3_apply(turn, ts_vec3_sub(h->vertex[f[1]], h->vertex[f[0]]));
            e.turn = ts_vec3_cross(e.n1, e.n0);
            for (size_t j = 0; j < kept_count; j++)
                contend_edge_pair(c, &e, b, k->edge[kept[j]], centre);
        }
    }
}

ts_convex_way ts_sat_hulls(const ts_convex *a, const ts_convex *b, double reach)
{
    const double equal = TS_CONTEST_EQUAL * (a->size + b->size);
    ts_contest face = {-HUGE_VAL, equal, {0, 0, 0}, {0, 0, 0}}, edge = face;
    contend_faces(&face, a, b, 1);
    if (face.best <= reach)
        contend_faces(&face, b, a, -1);
    if (face.best > reach)
        return (ts_convex_way){.n = face.first, .separation = face.best};
    contend_edges(&edge, a, b, face.best);
    if (edge.best > reach)
        return (ts_convex_way){.n = edge.first, .separation = edge.best};
    return decide(&face, &edge, a, b);
}

/* ---- A box as a hull ---- */

void ts_box_hull_make(ts_vec3 half, ts_box_hull *box)
{
    box->hull = (ts_hull){box->vertex, 8,         box->corner, box->face_begin, box->normal,          box->offset,
                          6,           box->edge, 12,          box->neighbour,  box->neighbour_begin, {0, 0, 0}};
    const double h[3] = {half.x, half.y, half.z};
    for (int v = 0; v < 8; v++) {
        box->vertex[v] = ts_touch_corner(half, v);
        box->neighbour_begin[v] = 3 * v;
        for (int i = 0; i < 3; i++)
            box->neighbour[3 * v + i] = v ^ (1 << i);
    }
    box->neighbour_begin[8] = 24;
    int edges = 0;
    for (int f = 0; f < 6; f++) { /* face 2 i + 1 is + along axis i */
        int i = f / 2, u = 1 << ((i + 1) % 3), w = 1 << ((i + 2) % 3), base = f & 1 ? 1 << i : 0;
        const int around[4] = {base, base | u, base | u | w, base | w};
        for (int k = 0; k < 4; k++)
            box->corner[4 * f + k] = around[f & 1 ? k : 3 - k];
        double n[3] = {0, 0, 0};
        n[i] = f & 1 ? 1 : -1;
        box->normal[f] = (ts_vec3){n[0], n[1], n[2]};
        box->offset[f] = h[i];
        box->face_begin[f] = 4 * f;
    }
    box->face_begin[6] = 24;
    for (int v = 0; v < 8; v++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            if (v & (1 << i))
                continue;
            box->edge[edges][0] = v;
            box->edge[edges][1] = v | 1 << i;
            box->edge[edges][2] = 2 * j + (v >> j & 1);
            box->edge[edges++][3] = 2 * k + (v >> k & 1);
        }
}
