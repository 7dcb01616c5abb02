/* SPDX-License-Identifier: MIT */
/* The direction of largest separation where a capsule or a cylinder is one of two.
 *
 * Apart, it is the direction between nearest points. Where the two overlap, or nearly touch, there is none, or a poor
 * one. Then B is moved along a first guess n until the two are clearly apart, by D, and the direction n' between their
 * nearest points there is taken instead. Moved, n' separates them at least as well as n:
 *
 *       s(n') + D n·n' ≥ s(n) + D     so     s(n') ≥ s(n) + D (1 − n·n'),
 *
 * and every such step climbs, until n' = n: a shortest way out, though perhaps not the shortest of all when solids
 * overlap deeply. */
#include "contact/touch_convex.h"

enum { CLIMB_STEPS = 40 };
/* Nearer than this, relative to the smaller of the two, they are drawn apart: the direction then has its digits. */
#define CLEARLY_APART 1e-3
/* How far they are drawn apart. */
#define DRAWN_APART 0.05

/* ---- First guess ---- */

typedef struct guess {
    ts_contest contest;
    const ts_convex *a, *b;
} guess;

static void guess_both_ways(guess *g, ts_vec3 d)
{
    double length = ts_vec3_length(d);
    if (!(length > 1e-9))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        ts_vec3 n = ts_vec3_scale(d, sign / length);
        ts_contest_enter(&g->contest, ts_convex_separation(g->a, g->b, n), n);
    }
}

static bool has_axis(const ts_convex *c)
{
    return !c->hull && c->solid->kind != TS_SOLID_BOX;
}

/* Normals of a solid's flat sides, and with an axis of the other, of an edge beside it. */
static void guess_sides(guess *g, const ts_convex *c, const ts_convex *other)
{
    ts_vec3 axis = ts_mat3_column(other->turn, 2);
    if (c->hull) {
        const ts_hull *h = c->hull;
        for (size_t f = 0; f < h->face_count; f++)
            guess_both_ways(g, ts_mat3_apply(c->turn, h->normal[f]));
        for (size_t e = 0; e < h->edge_count && has_axis(other); e++) {
            ts_vec3 d = ts_vec3_unit(ts_vec3_sub(h->vertex[h->edge[e][1]], h->vertex[h->edge[e][0]]));
            guess_both_ways(g, ts_vec3_cross(ts_mat3_apply(c->turn, d), axis));
        }
        return;
    }
    for (int i = has_axis(c) ? 2 : 0; i < 3; i++) {
        ts_vec3 d = ts_mat3_column(c->turn, i);
        guess_both_ways(g, d);
        if (has_axis(other))
            guess_both_ways(g, ts_vec3_cross(d, axis));
    }
}

static ts_vec3 first_guess(const ts_convex *a, const ts_convex *b)
{
    guess g = {{-HUGE_VAL, TS_CONTEST_EQUAL * (a->size + b->size), {0, 0, 0}, {0, 0, 0}}, a, b};
    ts_vec3 between = ts_vec3_sub(b->at, a->at);
    guess_sides(&g, a, b);
    guess_sides(&g, b, a);
    guess_both_ways(&g, between);
    for (int k = 0; k < 2; k++) {
        const ts_convex *c = k ? b : a;
        ts_vec3 axis = ts_mat3_column(c->turn, 2);
        if (has_axis(c))
            guess_both_ways(&g, ts_vec3_add_scaled(between, axis, -ts_vec3_dot(between, axis)));
    }
    return ts_contest_winner(&g.contest);
}

/* ---- Uphill ---- */

/* Steps shrink by a constant factor, and the same way is often best for many of them: as far on along a step as it
 * climbs. */
static void go_on(ts_convex_way *way, const ts_convex *a, const ts_convex *b, ts_vec3 step)
{
    ts_vec3 from = way->n;
    for (int far = 1; far <= 64; far *= 2) {
        ts_vec3 n = ts_vec3_unit(ts_vec3_add_scaled(from, step, far));
        double separation = ts_convex_separation(a, b, n);
        if (!(separation > way->separation))
            return;
        way->n = n;
        way->separation = separation;
    }
}

ts_convex_way ts_round_way(const ts_convex *a, const ts_convex *b, double reach)
{
    double skin = a->skin + b->skin, small = fmin(a->size, b->size);
    ts_gjk near = ts_gjk_find(a, b, (ts_vec3){0, 0, 0}, (ts_gjk_wish){TS_GJK_EXACT, reach + skin});
    ts_convex_way way = {near.n, near.distance - skin, near.distance > 0, near.point_a};
    if (way.separation > reach)
        return way;
    if (near.distance < CLEARLY_APART * small) {
        if (near.distance < 1e-9 * small)
            way.n = first_guess(a, b);
        way.separation = ts_convex_separation(a, b, way.n);
        ts_gjk_wish wish = {1e-6, HUGE_VAL};
        for (int i = 0; i < CLIMB_STEPS; i++) {
            double apart = fmax(-(way.separation + skin), 0) + DRAWN_APART * small;
            ts_gjk drawn = ts_gjk_find(a, b, ts_vec3_scale(way.n, apart), wish);
            double separation = ts_convex_separation(a, b, drawn.n);
            bool climbs = drawn.distance > 0 && separation > way.separation + 1e-11 * small;
            if (!climbs && wish.gap <= TS_GJK_EXACT)
                break;
            if (!climbs || 1 - ts_vec3_dot(drawn.n, way.n) < 1e-5)
                wish.gap = TS_GJK_EXACT;
            if (!climbs)
                continue;
            ts_vec3 step = ts_vec3_sub(drawn.n, way.n);
            way = (ts_convex_way){drawn.n, separation, true, drawn.point_a};
            go_on(&way, a, b, step);
        }
    }
    return way;
}
