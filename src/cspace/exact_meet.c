/* SPDX-License-Identifier: MIT */
/* Where two boundaries come nearest, or where they cross.
 *
 * Edges are looked at group by group, then one by one, as far as circles around them let them matter. Crossings cut
 * both boundaries into chains; a chain that runs inside the other outline bounds a piece of the overlap, and chains
 * that meet at a crossing bound the same piece: so each piece gets a box. */
#include <math.h>

#include "cspace/exact_parts.h"

enum { crossings_most = ts_meeting_crossings };

typedef struct crossing {
    ts_vec2 at;
    int32_t edge[2]; /* of A, of B */
    double t[2];     /* where on it */
    double turn;     /* sine of the angle from B's boundary to A's: above 0 A's goes into B there, and B's out of A */
    int piece;       /* union-find: index of another crossing of the same piece, or its own */
} crossing;

typedef struct walk {
    const ts_exact *exact;
    const ts_placing *q;
    ts_meeting *meeting;
    bool crossing; /* looks for crossings, else for what is nearest */
    bool faces;    /* what is nearest are parallel faces */
    bool too_many;
    int cross_count;
    crossing cross[crossings_most];
} walk;

/* ---- Nearest or crossing edges ---- */

static void add_crossing(walk *w, ts_vec2 at, size_t a, size_t b, const ts_rim_edge *placed)
{
    if (w->cross_count == crossings_most) {
        w->too_many = true;
        return;
    }
    const ts_rim_edge *e = &w->exact->a.edge[a];
    w->cross[w->cross_count] =
        (crossing){.at = at,
                   .edge = {(int32_t)a, (int32_t)b},
                   .t = {ts_edge_parameter(e, at), ts_edge_parameter(placed, at)},
                   .turn = ts_vec2_cross(ts_edge_direction(placed, at), ts_edge_direction(e, at)),
                   .piece = w->cross_count};
    w->cross_count++;
}

/* Parallel faces: the middle of the stretch where they face each other, rather than one of its ends. */
static bool centre_on_faces(const ts_rim_edge *e, const ts_rim_edge *f, ts_vec2 *pa, ts_vec2 *pb)
{
    ts_vec2 d = ts_vec2_sub(e->q, e->p), g = ts_vec2_sub(f->q, f->p);
    double dd = ts_vec2_length_squared(d);
    if (e->bulge != 0 || f->bulge != 0 || fabs(ts_vec2_cross(d, g)) > 1e-12 * sqrt(dd * ts_vec2_length_squared(g)))
        return false;
    double t0 = ts_vec2_dot(ts_vec2_sub(f->p, e->p), d) / dd, t1 = ts_vec2_dot(ts_vec2_sub(f->q, e->p), d) / dd;
    double low = fmax(0, fmin(t0, t1)), high = fmin(1, fmax(t0, t1));
    if (!(low < high))
        return false;
    ts_vec2 middle = ts_vec2_lerp(e->p, e->q, 0.5 * (low + high));
    *pb = ts_vec2_add(*pb, ts_vec2_sub(middle, *pa));
    *pa = middle;
    return true;
}

static void compare(walk *w, size_t a, size_t b, const ts_rim_edge *placed)
{
    const ts_rim_edge *e = &w->exact->a.edge[a];
    ts_meeting *m = w->meeting;
    if (w->crossing) {
        ts_vec2 at[2];
        int count = ts_edge_crossings(e, placed, at);
        for (int i = 0; i < count; i++)
            add_crossing(w, at[i], a, b, placed);
        return;
    }
    ts_vec2 pa, pb;
    double distance = ts_edge_distance(e, placed, &pa, &pb);
    if (distance > m->distance + TS_EXACT_ROUNDING)
        return;
    /* at the end of a face its neighbour is as near: faces go before corners */
    bool faces = centre_on_faces(e, placed, &pa, &pb);
    if (distance < m->distance - TS_EXACT_ROUNDING || (faces && !w->faces) ||
        (faces == w->faces && distance < m->distance)) {
        m->distance = distance;
        m->a = pa;
        m->b = pb;
        w->faces = faces;
    }
}

/* Whether the edge's line or circle passes the circle of `radius` about x. */
static bool passes(const ts_rim_edge *e, ts_vec2 x, double radius)
{
    if (e->bulge == 0) {
        double twice = ts_vec2_cross(ts_vec2_sub(e->q, e->p), ts_vec2_sub(x, e->p));
        return fabs(twice) > 2 * e->around * radius;
    }
    double d2 = ts_vec2_length_squared(ts_vec2_sub(x, e->c)), out = e->r + radius, in = e->r - radius;
    return d2 > out * out || (in > 0 && d2 < in * in);
}

/* How near edges must come to matter. */
static double reach_of(const walk *w)
{
    return TS_EXACT_ROUNDING + (w->crossing ? 0 : w->meeting->distance);
}

static void compare_groups(walk *w, size_t ga, size_t gb)
{
    const ts_rim *ea = &w->exact->a, *eb = &w->exact->b;
    size_t end_a = ts_edge_group * (ga + 1), end_b = ts_edge_group * (gb + 1);
    end_a = end_a < ea->count ? end_a : ea->count;
    end_b = end_b < eb->count ? end_b : eb->count;
    for (size_t b = ts_edge_group * gb; b < end_b; b++) {
        const ts_rim_edge *f = &eb->edge[b];
        ts_vec2 about = ts_vec2_add(ts_placing_turned(w->q, f->about), w->q->at);
        double most = reach_of(w), sum = ea->group_around[ga] + f->around + most;
        if (ts_vec2_length_squared(ts_vec2_sub(ea->group_about[ga], about)) > sum * sum)
            continue;
        ts_rim_edge placed;
        bool is_placed = false; /* only when an edge of A comes near */
        for (size_t a = ts_edge_group * ga; a < end_a; a++) {
            const ts_rim_edge *e = &ea->edge[a];
            most = reach_of(w);
            sum = e->around + f->around + most;
            if (ts_vec2_length_squared(ts_vec2_sub(e->about, about)) > sum * sum || passes(e, about, f->around + most))
                continue;
            if (!is_placed)
                placed = ts_edge_placed(f, w->q->at, w->q->cosine, w->q->sine);
            is_placed = true;
            if (!passes(&placed, e->about, e->around + most))
                compare(w, a, b, &placed);
        }
    }
}

/* Distance of the groups' circles. */
static double between_groups(const walk *w, size_t ga, ts_vec2 about_b, double around_b)
{
    const ts_rim *a = &w->exact->a;
    return ts_vec2_distance(a->group_about[ga], about_b) - a->group_around[ga] - around_b;
}

/* All groups that come near enough, (first_a, first_b) first. */
static void compare_all(walk *w, size_t first_a, size_t first_b)
{
    const ts_rim *a = &w->exact->a, *b = &w->exact->b;
    compare_groups(w, first_a, first_b);
    for (size_t gb = 0; gb < b->group_count; gb++) {
        ts_vec2 about = ts_vec2_add(ts_placing_turned(w->q, b->group_about[gb]), w->q->at);
        for (size_t ga = 0; ga < a->group_count; ga++)
            if (!(ga == first_a && gb == first_b) && between_groups(w, ga, about, b->group_around[gb]) <= reach_of(w))
                compare_groups(w, ga, gb);
    }
}

static void walk_edges(walk *w, double band)
{
    const ts_rim *a = &w->exact->a, *b = &w->exact->b;
    ts_meeting *m = w->meeting;
    m->distance = HUGE_VAL;
    /* the nearest groups first: what is found there rules out the others */
    double nearest = HUGE_VAL;
    size_t first_a = 0, first_b = 0;
    for (size_t gb = 0; gb < b->group_count; gb++) {
        ts_vec2 about = ts_vec2_add(ts_placing_turned(w->q, b->group_about[gb]), w->q->at);
        for (size_t ga = 0; ga < a->group_count; ga++) {
            double least = between_groups(w, ga, about, b->group_around[gb]);
            if (least < nearest) {
                nearest = least;
                first_a = ga;
                first_b = gb;
            }
        }
    }
    if (nearest > band) {
        m->beyond = true;
        m->distance = nearest;
        return;
    }
    if (nearest <= 0) {
        w->crossing = true;
        compare_all(w, first_a, first_b);
        w->crossing = false;
    }
    if (w->cross_count == 0)
        compare_all(w, first_a, first_b);
    else
        m->a = m->b = w->cross[0].at;
}

/* ---- Pieces of the overlap ---- */

static int piece_of(crossing *c, int i)
{
    while (c[i].piece != i)
        i = c[i].piece = c[c[i].piece].piece;
    return i;
}

/* A chain of outline 0 (A) or 1 (B) from crossing `from` along the boundary to crossing `to`. */
typedef struct chain {
    int outline, from, to;
} chain;

static const ts_rim *edges_of(const walk *w, int outline)
{
    return outline == 0 ? &w->exact->a : &w->exact->b;
}

static ts_rim_edge edge_in_place(const walk *w, int outline, size_t i)
{
    const ts_rim_edge *e = &edges_of(w, outline)->edge[i];
    return outline == 0 ? *e : ts_edge_placed(e, w->q->at, w->q->cosine, w->q->sine);
}

/* The edge after i on its contour. */
static size_t edge_after(const ts_rim *edges, size_t i)
{
    for (size_t c = 0; c < edges->contour_count; c++)
        if (i + 1 == edges->begin[c + 1])
            return edges->begin[c];
    return i + 1;
}

/* A point between the ends of a chain. */
static ts_vec2 inside_chain(const walk *w, const chain *c)
{
    const crossing *from = &w->cross[c->from], *to = &w->cross[c->to];
    size_t edge = (size_t)from->edge[c->outline], last = (size_t)to->edge[c->outline];
    double t0 = from->t[c->outline], t1 = 1;
    if (edge == last && to->t[c->outline] > t0) {
        t1 = to->t[c->outline];
    } else if (t0 > 1 - 1e-9) {
        edge = edge_after(edges_of(w, c->outline), edge);
        t0 = 0;
        t1 = edge == last ? to->t[c->outline] : 1;
    }
    ts_rim_edge e = edge_in_place(w, c->outline, edge);
    return ts_edge_point(&e, 0.5 * (t0 + t1));
}

/* Corners of boxes under way, in the box's own directions. */
typedef struct extent {
    ts_vec2 u;
    double low_u, high_u, low_v, high_v;
} extent;

static void extend(extent *x, ts_vec2 p, double around)
{
    double u = ts_vec2_dot(p, x->u), v = ts_vec2_cross(x->u, p);
    x->low_u = fmin(x->low_u, u - around);
    x->high_u = fmax(x->high_u, u + around);
    x->low_v = fmin(x->low_v, v - around);
    x->high_v = fmax(x->high_v, v + around);
}

/* The part of an arc between two of its points: a shallow one is no farther from its chord than its middle is, and the
 * others are within a circle about their middle. */
static void extend_arc(extent *x, const ts_rim_edge *e, double t0, double t1)
{
    ts_vec2 p = ts_edge_point(e, t0), q = ts_edge_point(e, t1), middle = ts_edge_point(e, ts_edge_between(e, t0, t1));
    double quarter = ts_vec2_distance(p, middle); /* chord of half the part; the part is no farther from `middle` */
    extend(x, p, 0);
    extend(x, q, 0);
    if (e->bulge * e->bulge <= 1) {
        /* sagitta: within that distance of the chord */
        double sagitta = ts_vec2_distance(ts_vec2_lerp(p, q, 0.5), middle);
        extend(x, p, sagitta);
        extend(x, q, sagitta);
    } else {
        extend(x, middle, fmax(quarter, ts_vec2_distance(q, middle)));
    }
}

/* Edges that are cut by crossings may come twice. */
static void note_edge(ts_meeting *m, int outline, size_t i, double t0, double t1, bool corner)
{
    ts_overlap_edge e = {(int32_t)i, outline == 1, corner && t0 <= 0};
    for (int k = 0; k < m->edge_count && (t0 > 0 || t1 < 1); k++)
        if (m->edge[k].number == e.number && m->edge[k].of_b == e.of_b) {
            m->edge[k].corner |= e.corner;
            return;
        }
    if (m->edge_count == ts_meeting_edges)
        m->edge_count = -1;
    if (m->edge_count >= 0)
        m->edge[m->edge_count++] = e;
}

static void extend_edge(extent *x, const walk *w, int outline, size_t i, double t0, double t1)
{
    note_edge(w->meeting, outline, i, t0, t1, edges_of(w, outline)->edge[i].corner);
    ts_rim_edge e = edge_in_place(w, outline, i);
    if (e.bulge != 0) {
        extend_arc(x, &e, t0, t1);
    } else {
        extend(x, ts_edge_point(&e, t0), 0);
        extend(x, ts_edge_point(&e, t1), 0);
    }
}

static void extend_chain(extent *x, const walk *w, const chain *c)
{
    const crossing *from = &w->cross[c->from], *to = &w->cross[c->to];
    size_t edge = (size_t)from->edge[c->outline], last = (size_t)to->edge[c->outline];
    double t0 = from->t[c->outline], t1 = to->t[c->outline];
    if (edge == last && t1 > t0) {
        extend_edge(x, w, c->outline, edge, t0, t1);
        return;
    }
    extend_edge(x, w, c->outline, edge, t0, 1);
    for (edge = edge_after(edges_of(w, c->outline), edge); edge != last;
         edge = edge_after(edges_of(w, c->outline), edge))
        extend_edge(x, w, c->outline, edge, 0, 1);
    extend_edge(x, w, c->outline, last, 0, t1);
}

static void add_box(ts_meeting *m, const extent *x)
{
    if (m->box_count < 0 || m->box_count == ts_meeting_boxes) {
        m->box_count = -1;
        return;
    }
    double u = 0.5 * (x->low_u + x->high_u), v = 0.5 * (x->low_v + x->high_v);
    ts_vec2 across = ts_vec2_perp(x->u);
    m->box[m->box_count++] = (ts_overlap_box){{u * x->u.x + v * across.x, u * x->u.y + v * across.y},
                                              x->u,
                                              0.5 * (x->high_u - x->low_u),
                                              0.5 * (x->high_v - x->low_v)};
}

/* Order along the boundary of an outline. */
static bool comes_before(const crossing *c, const crossing *d, int outline)
{
    return c->edge[outline] != d->edge[outline] ? c->edge[outline] < d->edge[outline] : c->t[outline] < d->t[outline];
}

static size_t contour_of(const ts_rim *edges, size_t edge)
{
    size_t c = 0;
    while (edge >= edges->begin[c + 1])
        c++;
    return c;
}

/* Chains of one outline between neighbouring crossings of each contour; marks contours that have any. */
static int list_chains(const walk *w, int outline, chain *list)
{
    int order[crossings_most], count = 0;
    for (int i = 0; i < w->cross_count; i++) {
        int at = i;
        for (; at > 0 && comes_before(&w->cross[i], &w->cross[order[at - 1]], outline); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    const ts_rim *edges = edges_of(w, outline);
    for (int begin = 0, end; begin < w->cross_count; begin = end) {
        size_t contour = contour_of(edges, (size_t)w->cross[order[begin]].edge[outline]);
        for (end = begin + 1; end < w->cross_count; end++)
            if ((size_t)w->cross[order[end]].edge[outline] >= edges->begin[contour + 1])
                break;
        for (int i = begin; i < end; i++)
            list[count++] = (chain){outline, order[i], order[i + 1 < end ? i + 1 : begin]};
    }
    return count;
}

static bool is_inside(const walk *w, int outline, ts_vec2 x)
{
    double distance;
    if (outline == 0) {
        x = ts_placing_to_b(w->q, x);
        ts_distance_query(w->exact->distance_b, 1, &x.x, &x.y, &distance, NULL, NULL, NULL);
    } else {
        ts_distance_query(w->exact->distance_a, 1, &x.x, &x.y, &distance, NULL, NULL, NULL);
    }
    return distance < 0;
}

/* Where boundaries cross at an angle, amid edges, it shows which goes into the other; and both ends must say the
 * same. */
static bool chain_is_inside(const walk *w, const chain *c)
{
    const double clear = 1e-3, amid = 1e-6;
    const crossing *end[2] = {&w->cross[c->from], &w->cross[c->to]};
    bool known = true, inside[2];
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++)
            known = known && end[i]->t[k] > amid && end[i]->t[k] < 1 - amid;
        known = known && fabs(end[i]->turn) > clear;
        inside[i] = (end[i]->turn > 0) == ((c->outline == 0) == (i == 0));
    }
    if (known && inside[0] == inside[1])
        return inside[0];
    return is_inside(w, c->outline, inside_chain(w, c));
}

/* A box along the line from the first crossing of a piece to the farthest. */
static void box_piece(walk *w, int piece, const chain *list, int count)
{
    ts_vec2 from = w->cross[piece].at, way = {1, 0};
    double farthest = 0;
    for (int i = 0; i < w->cross_count; i++) {
        ts_vec2 d = ts_vec2_sub(w->cross[i].at, from);
        if (piece_of(w->cross, i) == piece && ts_vec2_length_squared(d) > farthest) {
            farthest = ts_vec2_length_squared(d);
            way = d;
        }
    }
    extent x = {ts_vec2_unit(way), HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; i++)
        if (piece_of(w->cross, list[i].from) == piece)
            extend_chain(&x, w, &list[i]);
    if (x.low_u <= x.high_u)
        add_box(w->meeting, &x);
}

/* Whether one chain comes to each crossing and one leaves it: where edges lie on each other, rounding decides what is
 * inside. */
static bool is_closed(const walk *w, const chain *list, int count)
{
    int8_t leaving[crossings_most] = {0}, coming[crossings_most] = {0};
    for (int i = 0; i < count; i++) {
        leaving[list[i].from]++;
        coming[list[i].to]++;
    }
    for (int i = 0; i < w->cross_count; i++)
        if (leaving[i] != 1 || coming[i] != 1)
            return false;
    return true;
}

static void box_pieces(walk *w)
{
    chain list[2 * crossings_most];
    int count = list_chains(w, 0, list), kept = 0;
    count += list_chains(w, 1, list + count);
    for (int i = 0; i < count; i++)
        if (chain_is_inside(w, &list[i])) {
            list[kept++] = list[i];
            w->cross[piece_of(w->cross, list[i].from)].piece = piece_of(w->cross, list[i].to);
        }
    if (!is_closed(w, list, kept)) {
        w->meeting->box_count = -1;
        return;
    }
    for (int i = 0; i < w->cross_count; i++)
        if (piece_of(w->cross, i) == i)
            box_piece(w, i, list, kept);
}

/* Contours without a crossing lie inside the other outline, or outside. */
static void box_whole_contours(walk *w)
{
    for (int outline = 0; outline < 2; outline++) {
        const ts_rim *edges = edges_of(w, outline);
        for (size_t c = 0; c < edges->contour_count; c++) {
            bool crossed = false;
            for (int i = 0; i < w->cross_count; i++)
                crossed |= contour_of(edges, (size_t)w->cross[i].edge[outline]) == c;
            if (crossed || !is_inside(w, outline, edge_in_place(w, outline, edges->begin[c]).p))
                continue;
            extent x = {{1, 0}, HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
            for (size_t i = edges->begin[c]; i < edges->begin[c + 1]; i++)
                extend_edge(&x, w, outline, i, 0, 1);
            add_box(w->meeting, &x);
        }
    }
}

void ts_exact_meet(const ts_exact *exact, const ts_placing *q, double band, ts_meeting *meeting)
{
    walk w;
    w.exact = exact;
    w.q = q;
    w.meeting = meeting;
    w.crossing = w.faces = w.too_many = false;
    w.cross_count = 0;
    meeting->apart = meeting->beyond = false;
    meeting->box_count = meeting->edge_count = 0;
    walk_edges(&w, band);
    if (meeting->beyond) {
        meeting->apart = true;
        return;
    }
    if (w.too_many) {
        meeting->box_count = -1;
        return;
    }
    box_whole_contours(&w);
    if (w.cross_count > 0) {
        box_pieces(&w);
    } else if (meeting->box_count == 0 && meeting->distance > TS_EXACT_ROUNDING) {
        meeting->apart = true;
        meeting->normal = ts_vec2_scale(ts_vec2_sub(meeting->b, meeting->a), 1 / meeting->distance);
    }
}
