/* SPDX-License-Identifier: MIT */
/* The largest disc in the overlap: the lowest value of f(x) = max(φ_A(x), φ_B(x)).
 *
 * f has many local minima. They are found by branch and bound on squares (f changes by no more than the way one goes, and between
 * two faces by less), and each is then settled by its features (minimax.h):
 *
 *     squares that may hold the minimum ─▶ halve ─▶ … until small beside the disc ─▶ one descent for each pair of nearest features
 *
 * The descent asks for f where the features known so far have their minimum; f either is what they say, and that is a minimum, or it
 * names another feature. */
#include <math.h>

#include "cspace/exact_parts.h"
#include "cspace/minimax.h"

static const double rounding = TS_EXACT_ROUNDING;
static const double diagonal = 1.4142135623730951;

enum { squares_most = 2048, pairs_most = 64 };

/* ---- Asking for f ---- */

/* Which part of an edge a closest point is: 1 and 2 its ends, 0 between them. */
static int part_of(const ts_rim_edge *e, double x, double y)
{
    return x == e->p.x && y == e->p.y ? 1 : x == e->q.x && y == e->q.y ? 2 : 0;
}

/* Two features in one number. */
static int64_t name_of_pair(int32_t a, int32_t b)
{
    return (int64_t)a << 32 | b;
}

/* f at a point, and the two features nearest to it. */
typedef struct look {
    double f;
    ts_feature a, b;
} look;

/* The feature that `closest` on an edge belongs to, in the outline's own frame. */
static ts_feature feature_of(const ts_rim *edges, int32_t number, ts_vec2 closest, double distance)
{
    const ts_rim_edge *e = &edges->edge[number];
    int part = part_of(e, closest.x, closest.y);
    if (part)
        return (ts_feature){closest, 0, distance < 0 ? -1 : 1, 3 * number + part};
    if (e->bulge != 0)
        return (ts_feature){e->c, e->r, e->bulge > 0 ? 1 : -1, 3 * number};
    ts_vec2 n = ts_vec2_unit((ts_vec2){e->q.y - e->p.y, e->p.x - e->q.x});
    return (ts_feature){n, ts_vec2_dot(n, e->p), 0, 3 * number};
}

static look look_at(const ts_exact *e, const ts_placing *q, ts_vec2 x)
{
    double fa, fb;
    int32_t edge_a, edge_b;
    ts_vec2 y = ts_placing_to_b(q, x), closest_a, closest_b;
    ts_distance_query(e->distance_a, 1, &x.x, &x.y, &fa, &closest_a.x, &closest_a.y, &edge_a);
    ts_distance_query(e->distance_b, 1, &y.x, &y.y, &fb, &closest_b.x, &closest_b.y, &edge_b);
    look l = {fa > fb ? fa : fb, feature_of(&e->a, edge_a, closest_a, fa), feature_of(&e->b, edge_b, closest_b, fb)};
    l.b.which = ~l.b.which;
    if (l.b.side == 0) {
        l.b.c = ts_placing_turned(q, l.b.c);
        l.b.r += ts_vec2_dot(l.b.c, q->at);
    } else {
        l.b.c = ts_vec2_add(ts_placing_turned(q, l.b.c), q->at);
    }
    return l;
}

static int64_t pair_of(const look *l)
{
    return name_of_pair(l->a.which, ~l->b.which);
}

/* ---- Down to a minimum ---- */

/* Features met on the way. */
typedef struct known {
    ts_feature feature[TS_MINIMAX_FEATURES];
    int count;
} known;

/* True when it is new. The one that matters least at x makes room. */
static bool learn(known *k, ts_feature f, ts_vec2 x)
{
    for (int i = 0; i < k->count; i++) {
        const ts_feature *g = &k->feature[i];
        if (g->which == f.which || (g->side == f.side && g->r == f.r && g->c.x == f.c.x && g->c.y == f.c.y &&
                                    ts_feature_of_b(g) == ts_feature_of_b(&f)))
            return false;
    }
    int at = k->count;
    if (at == TS_MINIMAX_FEATURES) {
        at = 0;
        for (int i = 1; i < k->count; i++)
            if (ts_feature_value(&k->feature[i], x) < ts_feature_value(&k->feature[at], x))
                at = i;
    } else {
        k->count++;
    }
    k->feature[at] = f;
    return true;
}

/* Features whose piece of the outline is not what is nearest at x, where f is less than they say. */
static void forget_wrong(known *k, ts_vec2 x, double f)
{
    int kept = 0;
    for (int i = 0; i < k->count; i++)
        if (ts_feature_value(&k->feature[i], x) <= f + 10 * rounding)
            k->feature[kept++] = k->feature[i];
    k->count = kept;
}

static ts_vec2 gradient_of(const known *k, const ts_minimax *m)
{
    ts_vec2 g = {0, 0};
    bool of_a = false, of_b = false;
    for (int i = 0; i < m->count; i++) {
        of_a |= !ts_feature_of_b(&k->feature[m->active[i]]);
        of_b |= ts_feature_of_b(&k->feature[m->active[i]]);
    }
    if (!of_a || !of_b) /* a disc within one outline alone: moving the other changes nothing */
        return g;
    for (int i = 0; i < m->count; i++) {
        const ts_feature *f = &k->feature[m->active[i]];
        if (!ts_feature_of_b(f))
            g = ts_vec2_add_scaled(g, ts_feature_gradient(f, m->x), 2 * m->weight[i]);
    }
    return g;
}

static bool has_reentrant(const known *k, const ts_minimax *m)
{
    for (int i = 0; i < m->count; i++)
        if (k->feature[m->active[i]].side < 0)
            return true;
    return false;
}

/* As far as the two nearest features tell: where a descent came to no end. */
static ts_vec2 gradient_guess(const look *l, ts_vec2 x)
{
    return ts_vec2_unit(ts_vec2_sub(ts_feature_gradient(&l->a, x), ts_feature_gradient(&l->b, x)));
}

/* One attempt; `best` is where it begins and gets where it ends. True when settled. */
static bool attempt(const ts_exact *e, const ts_placing *q, double radius, ts_low *best)
{
    const double widest = radius;
    look l = look_at(e, q, best->x);
    *best = (ts_low){best->x, l.f, gradient_guess(&l, best->x), pair_of(&l), false, false};
    known k = {.count = 0};
    learn(&k, l.a, best->x);
    learn(&k, l.b, best->x);
    for (int i = 0; i < 24 && radius > rounding; i++) {
        ts_minimax m;
        forget_wrong(&k, best->x, best->value);
        bool solved = ts_minimax_solve(k.feature, k.count, best->x, radius, &m);
        ts_vec2 to = solved ? m.x : ts_minimax_step(k.feature, k.count, best->x, radius);
        if (!solved && to.x == best->x.x && to.y == best->x.y) {
            radius *= 0.25;
            continue;
        }
        l = look_at(e, q, to);
        if (solved && fabs(l.f - m.value) <= 20 * rounding) {
            *best = (ts_low){to, l.f, gradient_of(&k, &m), pair_of(&l), true, has_reentrant(&k, &m)};
            return true;
        }
        if (solved && l.f < m.value)
            forget_wrong(&k, to, l.f);
        bool news = learn(&k, l.a, to);
        news |= learn(&k, l.b, to);
        if (l.f < best->value - rounding) {
            *best = (ts_low){to, l.f, gradient_guess(&l, to), pair_of(&l), false, false};
            radius = fmin(2 * radius, widest);
        } else if (!news || !solved) {
            radius *= 0.5;
        }
    }
    return false;
}

ts_low ts_exact_descend(const ts_exact *e, const ts_placing *q, ts_vec2 x, double radius)
{
    ts_low best = {.x = x};
    /* features that were met far away can lead in circles: then it begins afresh from where it is, with shorter steps */
    for (int i = 0; i < 4 && !attempt(e, q, radius, &best); i++)
        radius *= 0.25;
    return best;
}

/* ---- The search ---- */

typedef struct squares {
    double x[squares_most], y[squares_most]; /* centres */
    double f[squares_most];
    double least[squares_most]; /* f is no less in all of the square */
    int64_t pair[squares_most]; /* names of the nearest features */
    int count;
} squares;

typedef struct hunt {
    const ts_exact *exact;
    const ts_placing *q;
    ts_vec2 u; /* squares lie along it */
    ts_low best;
    int64_t tried[pairs_most];
    int tries[pairs_most]; /* how often */
    int tried_count;
} hunt;

/* The unit normal of an edge at a point whose nearest is the edge's inside, and whether that holds all around within `reach`. */
static bool face_of(const ts_rim_edge *e, double cx, double cy, double reach, ts_vec2 *normal)
{
    if (e->bulge != 0)
        return false;
    double along = ts_vec2_distance(e->p, (ts_vec2){cx, cy}), length = 2 * e->around;
    *normal = (ts_vec2){(e->q.y - e->p.y) / length, (e->p.x - e->q.x) / length};
    return along >= reach && length - along >= reach;
}

/* Inside both, with a face of each near: the larger of two signed distances is nowhere less than their mean, and that changes
 * slowly when the faces are nearly parallel. Whatever else is near can only make f larger. */
static double between_faces(double fa, double fb, ts_vec2 na, ts_vec2 nb, double reach)
{
    return 0.5 * (fa + fb - reach * ts_vec2_length(ts_vec2_add(na, nb)));
}

static void evaluate(const hunt *h, squares *s, double half)
{
    enum { tile = 64 };
    double bx[tile], by[tile], fa[tile], fb[tile], cax[tile], cay[tile], cbx[tile], cby[tile];
    int32_t ea[tile], eb[tile];
    const double reach = diagonal * half;
    for (int at = 0; at < s->count; at += tile) {
        int n = s->count - at < tile ? s->count - at : tile;
        for (int i = 0; i < n; i++) {
            ts_vec2 y = ts_placing_to_b(h->q, (ts_vec2){s->x[at + i], s->y[at + i]});
            bx[i] = y.x;
            by[i] = y.y;
        }
        ts_distance_query(h->exact->distance_a, (size_t)n, s->x + at, s->y + at, fa, cax, cay, ea);
        ts_distance_query(h->exact->distance_b, (size_t)n, bx, by, fb, cbx, cby, eb);
        for (int i = 0; i < n; i++) {
            const ts_rim_edge *a = &h->exact->a.edge[ea[i]], *b = &h->exact->b.edge[eb[i]];
            double f = fa[i] > fb[i] ? fa[i] : fb[i];
            s->f[at + i] = f;
            s->least[at + i] = f - reach;
            s->pair[at + i] =
                name_of_pair(3 * ea[i] + part_of(a, cax[i], cay[i]), 3 * eb[i] + part_of(b, cbx[i], cby[i]));
            ts_vec2 na, nb;
            if (f < -reach && face_of(a, cax[i], cay[i], reach, &na) && face_of(b, cbx[i], cby[i], reach, &nb))
                s->least[at + i] = fmax(f - reach, between_faces(fa[i], fb[i], na, ts_placing_turned(h->q, nb), reach));
        }
    }
}

/* A pair of features may have several minima near it: so many descents begin at squares with one name. */
enum { tries_most = 4 };

static int tries_of(const hunt *h, int64_t pair)
{
    for (int i = 0; i < h->tried_count; i++)
        if (h->tried[i] == pair)
            return h->tries[i];
    return 0;
}

static void count_tries(hunt *h, int64_t pair, int more)
{
    for (int i = 0; i < h->tried_count; i++)
        if (h->tried[i] == pair) {
            h->tries[i] += more;
            return;
        }
    if (h->tried_count < pairs_most) {
        h->tried[h->tried_count] = pair;
        h->tries[h->tried_count++] = more;
    }
}

static bool is_better(const ts_low *low, const ts_low *than)
{
    return low->value < than->value - rounding ||
           (low->settled && !than->settled && low->value <= than->value + rounding);
}

/* Settles the minimum near a square, unless that was done for its nearest features. */
static void settle(hunt *h, const squares *s, int i, double reach, bool last)
{
    if (tries_of(h, s->pair[i]) >= tries_most)
        return;
    ts_low m = ts_exact_descend(h->exact, h->q, (ts_vec2){s->x[i], s->y[i]}, 2 * reach);
    if (last && m.settled && m.pair == s->pair[i])
        count_tries(h, s->pair[i], tries_most);
    else
        count_tries(h, s->pair[i], 1);
    if (is_better(&m, &h->best))
        h->best = m;
}

/* Squares over the box; returns half their side. */
static double cover(hunt *h, const ts_overlap_box *box, squares *s)
{
    double width = 2 * box->half_u, height = 2 * box->half_v;
    double side = fmax(sqrt(width * height / 8), fmax(width, height) / 24);
    int nu = (int)ceil(width / side), nv = (int)ceil(height / side);
    nu = nu < 1 ? 1 : nu;
    nv = nv < 1 ? 1 : nv;
    ts_vec2 e1 = box->u, e2 = ts_vec2_perp(box->u);
    h->u = e1;
    s->count = 0;
    for (int i = 0; i < nu; i++)
        for (int j = 0; j < nv; j++) {
            double u = (i + 0.5 - 0.5 * nu) * side, v = (j + 0.5 - 0.5 * nv) * side;
            s->x[s->count] = box->centre.x + u * e1.x + v * e2.x;
            s->y[s->count++] = box->centre.y + u * e1.y + v * e2.y;
        }
    return 0.5 * side;
}

/* Squares that may still hold something lower, each as its four quarters. */
static void halve(const hunt *h, const squares *from, squares *to, double half)
{
    ts_vec2 e1 = ts_vec2_scale(h->u, 0.5 * half), e2 = ts_vec2_perp(e1);
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        if (from->least[i] >= h->best.value - rounding || to->count + 4 > squares_most)
            continue;
        for (int k = 0; k < 4; k++) {
            double u = k & 1 ? 1 : -1, v = k & 2 ? 1 : -1;
            to->x[to->count] = from->x[i] + u * e1.x + v * e2.x;
            to->y[to->count++] = from->y[i] + u * e1.y + v * e2.y;
        }
    }
}

static int lowest(const squares *s)
{
    int at = 0;
    for (int i = 1; i < s->count; i++)
        if (s->f[i] < s->f[at])
            at = i;
    return at;
}

static void search_box(hunt *h, const ts_overlap_box *box, double enough)
{
    squares level[2], *now = &level[0], *next = &level[1];
    double half = cover(h, box, now);
    for (;;) {
        evaluate(h, now, half);
        settle(h, now, lowest(now), diagonal * half, false);
        /* a disc as large as the best one is not missed by squares this small */
        bool small = half <= 0.25 * fabs(h->best.value) || half < 1e-6;
        if (small || h->best.value < enough)
            break;
        halve(h, now, next, half);
        half *= 0.5;
        if (next->count == 0)
            return;
        squares *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < now->count && h->best.value >= enough; i++)
        if (now->least[i] < h->best.value - rounding)
            settle(h, now, i, diagonal * half, true);
}

/* A descent that came to no end is taken up again. And discs held by re-entrant corners have lower neighbours behind slight
 * ridges: looks around on small circles. */
static void finish(hunt *h)
{
    enum { directions = 12, circles = 5 };
    static const double share[circles] = {0.0005, 0.002, 0.008, 0.03, 0.1};
    for (double reach = 0.1; !h->best.settled && reach > 1e-4; reach *= 0.3) {
        ts_low m = ts_exact_descend(h->exact, h->q, h->best.x, reach * fabs(h->best.value));
        if (is_better(&m, &h->best))
            h->best = m;
    }
    for (int round = 0; round < 8 && (h->best.bent || !h->best.settled); round++) {
        squares s = {.count = 0};
        for (int k = 0; k < circles; k++)
            for (int i = 0; i < directions; i++) {
                double angle = (i + 0.5 * k) * (6.283185307179586 / directions), r = share[k] * fabs(h->best.value);
                s.x[s.count] = h->best.x.x + r * cos(angle);
                s.y[s.count++] = h->best.x.y + r * sin(angle);
            }
        evaluate(h, &s, 0);
        int at = lowest(&s);
        if (s.f[at] >= h->best.value - rounding)
            return;
        ts_low m = ts_exact_descend(h->exact, h->q, (ts_vec2){s.x[at], s.y[at]}, 0.05 * fabs(h->best.value));
        if (!is_better(&m, &h->best))
            return;
        h->best = m;
    }
}

ts_low ts_exact_search(const ts_exact *exact, const ts_placing *q, const ts_overlap_box *box, int box_count,
                       double enough)
{
    hunt h = {.exact = exact, .q = q, .best = {.value = HUGE_VAL}};
    for (int i = 0; i < box_count && h.best.value >= enough; i++)
        search_box(&h, &box[i], enough);
    if (h.best.value >= enough)
        finish(&h);
    return h.best;
}
