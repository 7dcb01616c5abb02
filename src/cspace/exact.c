/* SPDX-License-Identifier: MIT */
/* Half the gap is the least value of f(x) = max(φ_A(x), φ_B(x)): apart, at the middle of the shortest way between the outlines;
 * overlapping, at the centre of the largest disc in the overlap. f has many local minima. They are found by branch and bound
 * on squares (f changes by no more than the way one goes), and each is then settled exactly by its features (minimax.h):
 *
 *     squares that may hold the minimum ─▶ halve ─▶ … until small ─▶ one descent for each pair of nearest features
 *
 * The descent asks for f where the features known so far have their minimum; f either is what they say, and that is a minimum, or it
 * names another feature. */
#include "cspace/exact.h"

#include <math.h>

#include "base/memory.h"
#include "cspace/minimax.h"
#include "shape/outline.h"

/* Rounding, in the pair's unit. */
static const double rounding = 1e-13;
/* Squares are halved until their half side is this small. */
static const double smallest = 1.0 / 64;

enum { squares_most = 2048, pairs_most = 64 };

struct ts_exact {
    const ts_pair *pair;
    const ts_distance *distance_a, *distance_b;
    ts_segment *segment_a, *segment_b; /* numbered as the distances number them */
};

/* ---- Making ---- */

static ts_status list_segments(const ts_outline *outline, ts_segment **segment, ts_error *error)
{
    size_t count = ts_outline_vertex_count(outline), at = 0;
    *segment = ts_alloc_raw(count, sizeof **segment);
    if (!*segment)
        return ts_fail_memory(error, count * sizeof **segment);
    for (size_t c = 0; c < outline->contour_count; c++) {
        ts_contour contour = ts_outline_get_contour(outline, c);
        for (size_t i = 0; i < contour.vertex_count; i++)
            (*segment)[at++] = ts_contour_segment(&contour, i);
    }
    return TS_OK;
}

ts_status ts_exact_create(const ts_pair *pair, ts_exact **exact, ts_error *error)
{
    *exact = NULL;
    ts_exact *e = ts_alloc(1, sizeof *e);
    if (!e)
        return ts_fail_memory(error, sizeof *e);
    e->pair = pair;
    e->distance_a = pair->a->distance;
    e->distance_b = pair->b->distance;
    ts_status status = list_segments(pair->a, &e->segment_a, error);
    if (status == TS_OK)
        status = list_segments(pair->b, &e->segment_b, error);
    if (status != TS_OK) {
        ts_exact_free(e);
        return status;
    }
    *exact = e;
    return TS_OK;
}

void ts_exact_free(ts_exact *exact)
{
    if (!exact)
        return;
    ts_free(exact->segment_a);
    ts_free(exact->segment_b);
    ts_free(exact);
}

/* ---- Asking for f ---- */

/* B's place. */
typedef struct pose {
    ts_vec2 at;
    double cosine, sine;
} pose;

static ts_vec2 to_b(const pose *q, ts_vec2 x)
{
    ts_vec2 d = ts_vec2_sub(x, q->at);
    return (ts_vec2){q->cosine * d.x + q->sine * d.y, q->cosine * d.y - q->sine * d.x};
}

static ts_vec2 turned(const pose *q, ts_vec2 v)
{
    return (ts_vec2){q->cosine * v.x - q->sine * v.y, q->sine * v.x + q->cosine * v.y};
}

/* Which part of a segment a closest point is: 1 and 2 its ends, 0 between them. */
static int part_of(const ts_segment *s, double x, double y)
{
    return x == s->x0 && y == s->y0 ? 1 : x == s->x1 && y == s->y1 ? 2 : 0;
}

/* f at a point, and the two features nearest to it. */
typedef struct look {
    double a, b; /* φ_A, φ_B */
    int32_t edge_a, edge_b;
    ts_vec2 closest_a, closest_b; /* each in its own outline's frame */
} look;

static double look_value(const look *l)
{
    return l->a > l->b ? l->a : l->b;
}

static look look_at(const ts_exact *e, const pose *q, ts_vec2 x)
{
    look l;
    ts_vec2 y = to_b(q, x);
    ts_distance_query(e->distance_a, 1, &x.x, &x.y, &l.a, &l.closest_a.x, &l.closest_a.y, &l.edge_a);
    ts_distance_query(e->distance_b, 1, &y.x, &y.y, &l.b, &l.closest_b.x, &l.closest_b.y, &l.edge_b);
    return l;
}

/* The feature that `closest` on segment `edge` belongs to, in the outline's own frame. */
static ts_feature feature_of(const ts_segment *segment, int32_t edge, ts_vec2 closest, double distance)
{
    const ts_segment *s = &segment[edge];
    int part = part_of(s, closest.x, closest.y);
    if (part)
        return (ts_feature){closest, 0, distance < 0 ? -1 : 1, 3 * edge + part};
    if (s->bulge != 0) {
        ts_arc arc = ts_segment_arc(s);
        return (ts_feature){{arc.cx, arc.cy}, arc.radius, s->bulge > 0 ? 1 : -1, 3 * edge};
    }
    ts_vec2 n = ts_vec2_unit((ts_vec2){s->y1 - s->y0, s->x0 - s->x1});
    return (ts_feature){n, n.x * s->x0 + n.y * s->y0, 0, 3 * edge};
}

static ts_feature feature_of_a(const ts_exact *e, const look *l)
{
    return feature_of(e->segment_a, l->edge_a, l->closest_a, l->a);
}

static ts_feature feature_of_b(const ts_exact *e, const pose *q, const look *l)
{
    ts_feature f = feature_of(e->segment_b, l->edge_b, l->closest_b, l->b);
    f.which = ~f.which;
    if (f.side == 0) {
        f.c = turned(q, f.c);
        f.r += ts_vec2_dot(f.c, q->at);
    } else {
        f.c = ts_vec2_add(turned(q, f.c), q->at);
    }
    return f;
}

/* Two features in one number. */
static int64_t name_of_pair(int32_t a, int32_t b)
{
    return (int64_t)a << 32 | b;
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

typedef struct minimum {
    ts_vec2 x;
    double value;     /* f there */
    ts_vec2 gradient; /* of 2 f in B's place; zero when not settled */
    int64_t pair;     /* the nearest features */
    bool settled;     /* its features say that it is a minimum */
} minimum;

static ts_vec2 gradient_of(const known *k, const ts_minimax *m)
{
    ts_vec2 g = {0, 0};
    for (int i = 0; i < m->count; i++) {
        const ts_feature *f = &k->feature[m->active[i]];
        if (!ts_feature_of_b(f))
            g = ts_vec2_add_scaled(g, ts_feature_gradient(f, m->x), 2 * m->weight[i]);
    }
    return g;
}

static minimum descend(const ts_exact *e, const pose *q, ts_vec2 x, double radius)
{
    look l = look_at(e, q, x);
    ts_feature a = feature_of_a(e, &l), b = feature_of_b(e, q, &l);
    minimum best = {.x = x, .value = look_value(&l), .pair = name_of_pair(a.which, ~b.which)};
    known k = {.count = 0};
    learn(&k, a, x);
    learn(&k, b, x);
    const double widest = radius;
    for (int i = 0; i < 60 && radius > rounding; i++) {
        ts_minimax m;
        forget_wrong(&k, best.x, best.value);
        bool solved = ts_minimax_solve(k.feature, k.count, best.x, radius, &m);
        ts_vec2 to = m.x;
        if (!solved) {
            to = ts_minimax_step(k.feature, k.count, best.x, radius);
            if (to.x == best.x.x && to.y == best.x.y) {
                radius *= 0.25;
                continue;
            }
        }
        l = look_at(e, q, to);
        a = feature_of_a(e, &l);
        b = feature_of_b(e, q, &l);
        double f = look_value(&l);
        if (solved && fabs(f - m.value) <= 20 * rounding)
            return (minimum){to, f, gradient_of(&k, &m), name_of_pair(a.which, ~b.which), true};
        if (solved && f < m.value)
            forget_wrong(&k, to, f);
        bool better = f < best.value - rounding;
        bool news = learn(&k, a, to);
        news |= learn(&k, b, to);
        if (better) {
            best.x = to;
            best.value = f;
            best.pair = name_of_pair(a.which, ~b.which);
            radius = fmin(2 * radius, widest);
        } else if (!news || !solved) {
            radius *= 0.5;
        }
    }
    return best;
}

/* ---- The search ---- */

typedef struct square {
    double x[squares_most], y[squares_most]; /* centres */
    double f[squares_most];
    int64_t pair[squares_most]; /* the nearest features' names in one number */
    int count;
} squares;

typedef struct hunt {
    const ts_exact *exact;
    pose q;
    double band;
    minimum best;
    int64_t tried[pairs_most];
    int tried_count;
} hunt;

static void evaluate(const hunt *h, squares *s, int begin)
{
    enum { tile = 64 };
    double bx[tile], by[tile], fa[tile], fb[tile], cax[tile], cay[tile], cbx[tile], cby[tile];
    int32_t ea[tile], eb[tile];
    for (int at = begin; at < s->count; at += tile) {
        int n = s->count - at < tile ? s->count - at : tile;
        for (int i = 0; i < n; i++) {
            ts_vec2 y = to_b(&h->q, (ts_vec2){s->x[at + i], s->y[at + i]});
            bx[i] = y.x;
            by[i] = y.y;
        }
        ts_distance_query(h->exact->distance_a, (size_t)n, s->x + at, s->y + at, fa, cax, cay, ea);
        ts_distance_query(h->exact->distance_b, (size_t)n, bx, by, fb, cbx, cby, eb);
        for (int i = 0; i < n; i++) {
            s->f[at + i] = fa[i] > fb[i] ? fa[i] : fb[i];
            int part_a = part_of(&h->exact->segment_a[ea[i]], cax[i], cay[i]);
            int part_b = part_of(&h->exact->segment_b[eb[i]], cbx[i], cby[i]);
            s->pair[at + i] = name_of_pair(3 * ea[i] + part_a, 3 * eb[i] + part_b);
        }
    }
}

static bool was_tried(const hunt *h, int64_t pair)
{
    for (int i = 0; i < h->tried_count; i++)
        if (h->tried[i] == pair)
            return true;
    return false;
}

static void mark_tried(hunt *h, int64_t pair)
{
    if (h->tried_count < pairs_most && !was_tried(h, pair))
        h->tried[h->tried_count++] = pair;
}

/* Settles the minimum near a square, unless one with the same nearest features was. */
static void settle(hunt *h, ts_vec2 x, int64_t pair, double radius, bool last)
{
    if (was_tried(h, pair))
        return;
    minimum m = descend(h->exact, &h->q, x, radius);
    if (m.settled)
        mark_tried(h, m.pair);
    if (last)
        mark_tried(h, pair); /* from a large square the way may lead past other minima */
    if (m.value < h->best.value - rounding || (m.settled && !h->best.settled && m.value <= h->best.value + rounding))
        h->best = m;
}

/* The box that holds the minimum, in a frame along the line of centres: both outlines lie within their circles, and f there is at
 * most `f`. */
typedef struct box {
    double u0, u1, v;
} box;

static box box_of_circles(double distance, double ra, double rb)
{
    double along = distance > 0 ? (distance * distance + ra * ra - rb * rb) / (2 * distance) : -1;
    bool lens = along > 0 && along < distance && along < ra;
    return (box){fmax(-ra, distance - rb), fmin(ra, distance + rb),
                 lens ? sqrt(ra * ra - along * along) : fmin(ra, rb)};
}

/* Squares over the box; returns half their side. */
static double cover(const hunt *h, squares *s)
{
    const ts_pair *p = h->exact->pair;
    double distance = ts_vec2_length(h->q.at), more = fmax(h->best.value, 0) + rounding;
    ts_vec2 e1 = distance > 0 ? ts_vec2_scale(h->q.at, 1 / distance) : (ts_vec2){1, 0}, e2 = ts_vec2_perp(e1);
    box b = box_of_circles(distance, p->radius_a + more, p->radius_b + more);
    double width = b.u1 - b.u0, height = 2 * b.v;
    double side = fmax(sqrt(width * height / 24), fmax(width, height) / 40);
    int nu = (int)ceil(width / side), nv = (int)ceil(height / side);
    nu = nu < 1 ? 1 : nu;
    nv = nv < 1 ? 1 : nv;
    for (int i = 0; i < nu; i++)
        for (int j = 0; j < nv; j++) {
            double u = 0.5 * (b.u0 + b.u1) + (i + 0.5 - 0.5 * nu) * side, v = (j + 0.5 - 0.5 * nv) * side;
            s->x[s->count] = u * e1.x + v * e2.x;
            s->y[s->count++] = u * e1.y + v * e2.y;
        }
    return 0.5 * side;
}

/* Squares that may still hold something lower, each as its four quarters. In a frame of its own the grid need not be
 * parallel to the axes: quarters lie along them all the same, and half a diagonal covers either. */
static void halve(const hunt *h, const squares *from, squares *to, double half)
{
    double reach = 1.4142135623730951 * half, q = 0.5 * half;
    double distance = ts_vec2_length(h->q.at);
    ts_vec2 e1 = distance > 0 ? ts_vec2_scale(h->q.at, 1 / distance) : (ts_vec2){1, 0}, e2 = ts_vec2_perp(e1);
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        if (from->f[i] - reach >= h->best.value - rounding || to->count + 4 > squares_most)
            continue;
        for (int k = 0; k < 4; k++) {
            double u = k & 1 ? q : -q, v = k & 2 ? q : -q;
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

static void search(hunt *h)
{
    const ts_pair *p = h->exact->pair;
    squares level[2];
    level[0].count = level[1].count = 0;
    double distance = ts_vec2_length(h->q.at);
    double share = distance > 0 ? fmin(fmax(0.5 * (1 + (p->radius_a - p->radius_b) / distance), 0), 1) : 0;
    ts_vec2 middle = ts_vec2_scale(h->q.at, share);
    look l = look_at(h->exact, &h->q, middle);
    h->best = (minimum){.x = middle, .value = look_value(&l)};
    double half = cover(h, &level[0]);
    squares *now = &level[0], *next = &level[1];
    evaluate(h, now, 0);
    for (;;) {
        int low = lowest(now);
        double reach = 1.4142135623730951 * half;
        if (2 * (fmin(now->f[low], h->best.value) - reach) > h->band || 2 * h->best.value < -h->band)
            return; /* beyond the band */
        settle(h, (ts_vec2){now->x[low], now->y[low]}, now->pair[low], 2 * reach, half <= smallest);
        if (half <= smallest)
            break;
        halve(h, now, next, half);
        half *= 0.5;
        if (next->count == 0)
            return;
        evaluate(h, next, 0);
        squares *swap = now;
        now = next;
        next = swap;
    }
    double reach = 1.4142135623730951 * half;
    for (int i = 0; i < now->count; i++)
        if (now->f[i] - reach < h->best.value - rounding)
            settle(h, (ts_vec2){now->x[i], now->y[i]}, now->pair[i], 2 * reach, true);
}

ts_exact_contact ts_exact_at(const ts_exact *exact, double x, double y, double angle, double band)
{
    hunt h = {.exact = exact, .q = {{x, y}, cos(angle), sin(angle)}, .band = band};
    search(&h);
    ts_vec2 m = h.best.x, g = h.best.gradient;
    if (!h.best.settled) { /* as far as the two nearest points tell */
        look l = look_at(exact, &h.q, m);
        ts_feature a = feature_of_a(exact, &l), b = feature_of_b(exact, &h.q, &l);
        g = ts_vec2_unit(ts_vec2_sub(ts_feature_gradient(&a, m), ts_feature_gradient(&b, m)));
    }
    ts_vec2 lever = ts_vec2_sub(m, h.q.at);
    return (ts_exact_contact){
        2 * h.best.value, {g.x, g.y, ts_vec2_cross(lever, g)}, ts_vec2_dot(m, ts_vec2_unit(g)), {m.x, m.y}};
}

void ts_exact_query(const void *exact, size_t count, ts_fields *fields)
{
    for (size_t i = 0; i < count; i++) {
        ts_exact_contact c = ts_exact_at(exact, fields->x[i], fields->y[i], fields->angle[i], HUGE_VAL);
        fields->gap[i] = c.gap;
        fields->gx[i] = c.gradient[0];
        fields->gy[i] = c.gradient[1];
        fields->gangle[i] = c.gradient[2];
        fields->arm[i] = c.arm;
    }
}
