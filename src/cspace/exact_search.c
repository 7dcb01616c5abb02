/* SPDX-License-Identifier: MIT */
/* The largest disc in the overlap: the lowest value of f(x) = max(φ_A(x), φ_B(x)).
 *
 * Inside, -f is the distance to the nearest edge of either outline, and where it is largest two or three edges are
 * equally near, or one arc all around. With few edges all such points can be listed (minimax.h). So boxes are halved
 * until few edges can be nearest anywhere in them:
 *
 *     box, and edges that can be nearest in it ─▶ few: try all pairs and threes of them
 *              ▲                             └──▶ many: halve ─┐
 *              └──── not farther from its centre than the nearest by more than its diameter, and
 *                    nearest + half the diameter > largest radius known ◀┘
 *
 * Nothing is left to chance: what is returned is the largest disc, up to rounding, as long as that takes a usual number
 * of boxes. */
#include <math.h>

#include "cspace/exact_parts.h"
#include "cspace/minimax.h"

static const double rounding = TS_EXACT_ROUNDING;

/* What distances of flat arcs may differ by from ways to reckon them. */
static const double alike = 2e-10;

enum {
    sites_most = 512,
    arena_size = 8192,
    nodes_most = 160,
    halvings_most = 120,
    active_most = 8,
    many_sites = 12,
    boxes_usual = 8192
};

/* An edge, or a re-entrant corner, in place. */
typedef struct site {
    ts_feature f;
    ts_vec2 p, q; /* ends of an edge */
    ts_vec2 way;  /* of a line: from p to q, of length 1; of an arc: from the centre to its middle */
    double span;  /* of a line: length; of an arc: cosine of half the angle that it spans */
    double sine;  /* of an arc: sine of that */
    bool corner, of_b;
} site;

/* A box in which the largest disc may have its centre. */
typedef struct node {
    ts_vec2 centre;
    double half_u, half_v;
    double most;      /* no disc about a point in it is larger */
    int begin, count; /* sites that can be nearest, in the arena; count -1: any */
    int end;          /* where the arena is free for its halves */
    int halvings;
    bool inside; /* it crosses no edge, and is inside */
} node;

typedef struct hunt {
    const ts_exact *exact;
    const ts_placing *q;
    double enough;
    ts_vec2 u;     /* boxes lie along it */
    double radius; /* the largest disc so far; 0: none */
    double floor;  /* some disc is at least this large */
    double spare;  /* boxes that could hold a disc larger by no more than this are left */
    int boxes;     /* looked at */
    ts_vec2 x;
    ts_vec2 gradient;
    bool strip;                   /* the disc lies between parallel faces, one of each outline, */
    ts_vec2 strip_way;            /* along this direction, */
    double strip_low, strip_high; /* on this stretch, from x */
    int site_count;
    site site[sites_most];
    int16_t arena[arena_size];
    int node_count;
    node node[nodes_most];
} hunt;

/* ---- Sites ---- */

static bool add_site(hunt *h, const ts_overlap_edge *which)
{
    const ts_rim *rim = which->of_b ? &h->exact->b : &h->exact->a;
    ts_rim_edge e = rim->edge[which->number];
    if (h->site_count + 2 > sites_most)
        return false;
    if (which->of_b)
        e = ts_edge_placed(&e, h->q->at, h->q->cosine, h->q->sine);
    site *s = &h->site[h->site_count++];
    *s = (site){.p = e.p, .q = e.q, .of_b = which->of_b};
    if (e.bulge != 0) {
        s->f = (ts_feature){e.c, e.r, e.bulge > 0 ? 1 : -1, e.p};
        s->way = e.middle;
        s->span = e.half;
        s->sine = e.sine;
    } else {
        ts_vec2 d = ts_vec2_sub(e.q, e.p);
        s->span = ts_vec2_length(d);
        s->way = ts_vec2_scale(d, 1 / s->span);
        ts_vec2 n = {s->way.y, -s->way.x};
        s->f = (ts_feature){.c = n, .r = ts_vec2_dot(n, e.p)};
    }
    if (which->corner)
        h->site[h->site_count++] =
            (site){.f = {e.p, 0, -1, e.p}, .p = e.p, .q = e.p, .corner = true, .of_b = which->of_b};
    return true;
}

static double site_distance(const site *s, ts_vec2 x)
{
    if (s->corner)
        return ts_vec2_distance(x, s->p);
    if (s->f.side == 0) {
        ts_vec2 d = ts_vec2_sub(x, s->p);
        double t = ts_vec2_dot(d, s->way);
        return t < 0 ? ts_vec2_length(d) : t > s->span ? ts_vec2_distance(x, s->q) : fabs(ts_vec2_cross(s->way, d));
    }
    ts_vec2 d = ts_vec2_sub(x, s->f.c);
    double length = ts_vec2_length(d);
    double along = ts_vec2_dot(d, s->way);
    if (s->span < 0.7 ? along >= s->span * length : along > 0 && fabs(ts_vec2_cross(d, s->way)) <= s->sine * length)
        return fabs(ts_feature_value(&s->f, x));
    double p2 = ts_vec2_length_squared(ts_vec2_sub(x, s->p)), q2 = ts_vec2_length_squared(ts_vec2_sub(x, s->q));
    return sqrt(p2 < q2 ? p2 : q2);
}

/* Whether no point within `reach` of x has its foot on the edge: then the edge beside it is nearer, or the corner
 * between them, which is a site of its own. */
static bool looks_past(const site *s, ts_vec2 x, double reach)
{
    if (s->corner)
        return false;
    ts_vec2 d = ts_vec2_sub(x, s->f.side == 0 ? s->p : s->f.c);
    double t = ts_vec2_dot(d, s->way);
    if (s->f.side == 0)
        return t < -reach || t > s->span + reach;
    return t < s->span * ts_vec2_length(d) - 2 * reach - 1e-15 * s->f.r;
}

/* All edges of an outline within `reach` of x. */
static bool gather_from(hunt *h, bool of_b, ts_vec2 x, double reach)
{
    const ts_rim *rim = of_b ? &h->exact->b : &h->exact->a;
    ts_vec2 y = of_b ? ts_placing_to_b(h->q, x) : x;
    for (size_t g = 0; g < rim->group_count; g++) {
        if (ts_vec2_distance(rim->group_about[g], y) - rim->group_around[g] > reach)
            continue;
        for (size_t i = ts_edge_group * g; i < rim->count && i < ts_edge_group * (g + 1); i++) {
            const ts_rim_edge *e = &rim->edge[i];
            if (ts_vec2_distance(e->about, y) - e->around > reach)
                continue;
            if (!add_site(h, &(ts_overlap_edge){(int32_t)i, of_b, e->corner}))
                return false;
        }
    }
    return true;
}

/* Sites as a list; those are left out that come no nearer to x than `most`. */
static void list_sites(hunt *h, node *n, ts_vec2 x, double most)
{
    n->begin = n->count = 0;
    for (int i = 0; i < h->site_count; i++)
        if (site_distance(&h->site[i], x) <= most)
            h->arena[n->count++] = (int16_t)i;
    n->end = n->count;
}

/* ---- Asking for f ---- */

double ts_exact_field(const ts_exact *e, const ts_placing *q, ts_vec2 x)
{
    double fa, fb;
    ts_vec2 y = ts_placing_to_b(q, x);
    ts_distance_query(e->distance_a, 1, &x.x, &x.y, &fa, NULL, NULL, NULL);
    ts_distance_query(e->distance_b, 1, &y.x, &y.y, &fb, NULL, NULL, NULL);
    return fa > fb ? fa : fb;
}

static ts_vec2 normal_of(const ts_distance *distance, const ts_rim *rim, ts_vec2 x)
{
    double f;
    ts_vec2 closest;
    int32_t number;
    ts_distance_query(distance, 1, &x.x, &x.y, &f, &closest.x, &closest.y, &number);
    const ts_rim_edge *e = &rim->edge[number];
    if (e->bulge != 0)
        return ts_vec2_scale(ts_vec2_unit(ts_vec2_sub(closest, e->c)), e->bulge > 0 ? 1 : -1);
    return ts_vec2_unit((ts_vec2){e->q.y - e->p.y, e->p.x - e->q.x});
}

void ts_exact_normals(const ts_exact *e, const ts_placing *q, ts_vec2 x, ts_vec2 *out_of_a, ts_vec2 *out_of_b)
{
    *out_of_a = normal_of(e->distance_a, &e->a, x);
    *out_of_b = ts_placing_turned(q, normal_of(e->distance_b, &e->b, ts_placing_to_b(q, x)));
}

/* ---- Few sites: all of their pairs and threes ---- */

static const site *site_of(const hunt *h, const node *n, int i)
{
    return &h->site[h->arena[n->begin + i]];
}

static double nearest(const hunt *h, const node *n, ts_vec2 x)
{
    double least = HUGE_VAL;
    for (int i = 0; i < n->count; i++) {
        double d = site_distance(site_of(h, n, i), x);
        least = d < least ? d : least;
    }
    return least;
}

static bool holds(const hunt *h, const node *n, ts_vec2 x)
{
    ts_vec2 d = ts_vec2_sub(x, n->centre);
    double slack = 1e-6 * (n->half_u + n->half_v) + 10 * rounding;
    return fabs(ts_vec2_dot(d, h->u)) <= n->half_u + slack && fabs(ts_vec2_cross(h->u, d)) <= n->half_v + slack;
}

/* How the largest disc changes with B's place: by the shares in which sites of A hold it. */
static ts_vec2 gradient_at(const hunt *h, const node *n, ts_vec2 x, double radius)
{
    ts_vec2 normal[active_most], g = {0, 0};
    double weight[active_most], of_a = 0;
    bool is_b[active_most];
    int count = 0;
    for (int i = 0; i < n->count && count < active_most; i++) {
        const site *s = site_of(h, n, i);
        ts_vec2 v = ts_feature_gradient(&s->f, x);
        /* of an edge whose end is nearest, the corner there is a site of its own */
        if (fabs(ts_feature_value(&s->f, x) + radius) > 100 * rounding ||
            site_distance(s, x) > radius + 100 * rounding || ts_vec2_length_squared(v) == 0)
            continue;
        normal[count] = v;
        is_b[count++] = s->of_b;
    }
    if (count < 2)
        return g;
    ts_minimax_weights(normal, count, weight);
    for (int i = 0; i < count; i++)
        if (!is_b[i]) {
            g = ts_vec2_add_scaled(g, normal[i], 2 * weight[i]);
            of_a += weight[i];
        }
    return of_a > 1 - 1e-9 || of_a < 1e-9 ? (ts_vec2){0, 0} : g;
}

/* Between parallel faces the disc may lie anywhere along the stretch where they face each other. */
static void note_strip(hunt *h, const node *n, ts_vec2 x, double radius)
{
    const site *face[2] = {NULL, NULL};
    for (int i = 0; i < n->count; i++) {
        const site *s = site_of(h, n, i);
        if (!s->corner && s->f.side == 0 && fabs(ts_feature_value(&s->f, x) + radius) <= 100 * rounding)
            face[s->of_b] = s;
    }
    h->strip = face[0] && face[1] && ts_vec2_dot(face[0]->way, face[1]->way) < 0 &&
               fabs(ts_vec2_cross(face[0]->way, face[1]->way)) < 1e-12;
    if (!h->strip)
        return;
    h->strip_way = face[0]->way;
    h->strip_low = -HUGE_VAL;
    h->strip_high = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        double p = ts_vec2_dot(ts_vec2_sub(face[k]->p, x), h->strip_way);
        double q = ts_vec2_dot(ts_vec2_sub(face[k]->q, x), h->strip_way);
        h->strip_low = fmax(h->strip_low, fmin(p, q));
        h->strip_high = fmin(h->strip_high, fmax(p, q));
    }
}

/* To the middle of that stretch, unless something else is in the way there. */
static void centre_on_strip(hunt *h)
{
    if (!h->strip || !(h->strip_low < h->strip_high))
        return;
    ts_vec2 middle = ts_vec2_add_scaled(h->x, h->strip_way, 0.5 * (h->strip_low + h->strip_high));
    if (ts_exact_field(h->exact, h->q, middle) <= 100 * rounding - h->radius)
        h->x = middle;
}

static void offer(hunt *h, const node *n, ts_vec2 x)
{
    if (!holds(h, n, x))
        return;
    double radius = nearest(h, n, x);
    if (!(radius > h->radius + rounding))
        return;
    /* points outside, and in pieces of the overlap whose sites are not these, show themselves */
    double f = ts_exact_field(h->exact, h->q, x);
    if (!(f <= alike - radius && f <= -0.5 * radius))
        return;
    h->radius = radius;
    h->floor = fmax(h->floor, radius);
    h->x = x;
    h->gradient = gradient_at(h, n, x, radius);
    note_strip(h, n, x, radius);
}

static void offer_all(hunt *h, const node *n, const ts_critical *c)
{
    for (int k = 0; k < c->count; k++)
        if (c->radius[k] > h->radius + rounding)
            offer(h, n, c->x[k]);
}

static double reach_of(const node *n)
{
    return sqrt(n->half_u * n->half_u + n->half_v * n->half_v);
}

static void try_all(hunt *h, const node *n)
{
    for (int i = 0; i < n->count; i++) {
        const ts_feature *f = &site_of(h, n, i)->f;
        if (f->side > 0 && f->r > h->radius + rounding)
            offer(h, n, f->c);
        for (int j = i + 1; j < n->count; j++) {
            ts_critical c = ts_critical_pair(f, &site_of(h, n, j)->f, n->centre);
            offer_all(h, n, &c);
        }
    }
    for (int i = 0; i < n->count; i++)
        for (int j = i + 1; j < n->count; j++)
            for (int k = j + 1; k < n->count; k++) {
                const ts_feature *three[3] = {&site_of(h, n, i)->f, &site_of(h, n, j)->f, &site_of(h, n, k)->f};
                ts_wanted wanted = {n->centre, 1.001 * reach_of(n), h->radius};
                ts_critical c = ts_critical_three(three, &wanted);
                offer_all(h, n, &c);
            }
}

/* ---- Many: halves ---- */

/* What is known of a box of which any site can be nearest: asks the outlines, and lists the sites if they are not too
 * many. False when no larger disc has its centre there. */
static bool survey(hunt *h, node *n)
{
    double f = ts_exact_field(h->exact, h->q, n->centre), reach = reach_of(n);
    n->most = fmin(n->most, reach - f);
    h->floor = fmax(h->floor, -f - 10 * rounding);
    if (!(n->most > h->radius + rounding))
        return false;
    double most = fabs(f) + 2 * reach;
    h->site_count = 0;
    if (gather_from(h, false, n->centre, most) && gather_from(h, true, n->centre, most))
        list_sites(h, n, n->centre, most);
    n->inside = f < -reach;
    return true;
}

/* The direction in which the distance to a straight edge grows, when all points within `reach` have their foot on
 * it. */
static bool faces_all(const site *s, ts_vec2 x, double reach, ts_vec2 *away)
{
    if (s->corner || s->f.side != 0)
        return false;
    double t = ts_vec2_dot(ts_vec2_sub(x, s->p), s->way);
    *away = ts_vec2_neg(s->f.c);
    return t >= reach && t <= s->span - reach;
}

/* A disc is no larger than the mean distance of two edges, and of edges that face each other that mean hardly changes
 * within a box: a bound for boxes in the middle of many-sided outlines, where many edges are nearly equally near. */
static double most_between_faces(const hunt *h, const node *n, const double *distance, double reach)
{
    ts_vec2 first, other;
    int nearest_face = -1;
    for (int i = 0; i < n->count; i++)
        if ((nearest_face < 0 || distance[i] < distance[nearest_face]) &&
            faces_all(site_of(h, n, i), n->centre, reach, &other)) {
            nearest_face = i;
            first = other;
        }
    double most = HUGE_VAL;
    for (int i = 0; i < n->count && nearest_face >= 0; i++)
        if (faces_all(site_of(h, n, i), n->centre, reach, &other))
            most = fmin(
                most, 0.5 * (distance[i] + distance[nearest_face] + reach * ts_vec2_length(ts_vec2_add(first, other))));
    return most;
}

/* The same for a half of a box, from the sites of the whole. `end`: where the arena is free. */
static bool narrow(hunt *h, node *n, int *end)
{
    double distance[sites_most], least = HUGE_VAL, reach = reach_of(n);
    for (int i = 0; i < n->count; i++) {
        distance[i] = site_distance(site_of(h, n, i), n->centre);
        least = distance[i] < least ? distance[i] : least;
    }
    n->most = fmin(n->most, least + reach);
    if (!(n->most > h->floor + rounding))
        return false;
    if (!n->inside && least > reach) { /* the box crosses no edge: all of it is in the piece of the overlap, or none */
        double f = ts_exact_field(h->exact, h->q, n->centre);
        if (f > alike - least)
            return false;
        n->inside = true;
        h->floor = fmax(h->floor, fmin(-f, least) - 10 * rounding);
    }
    if (n->inside && n->count > many_sites) {
        n->most = fmin(n->most, most_between_faces(h, n, distance, reach));
        if (!(n->most > h->floor + rounding))
            return false;
    }
    if (*end + n->count > arena_size) /* the whole's sites will do */
        return true;
    int kept = 0;
    for (int i = 0; i < n->count; i++)
        if (distance[i] <= least + 2 * reach && !looks_past(site_of(h, n, i), n->centre, reach + rounding))
            h->arena[*end + kept++] = h->arena[n->begin + i];
    n->begin = *end;
    n->count = kept;
    *end += kept;
    return true;
}

static node half_of(const hunt *h, const node *n, double sign)
{
    node part = *n;
    ts_vec2 way = h->u;
    double step = 0.5 * n->half_u;
    if (n->half_u >= n->half_v) {
        part.half_u = step;
    } else {
        way = ts_vec2_perp(way);
        part.half_v = step = 0.5 * n->half_v;
    }
    part.centre = ts_vec2_add_scaled(n->centre, way, sign * step);
    part.halvings++;
    return part;
}

/* The better half comes last, and is looked at first. */
static void push_halves(hunt *h, const node *n)
{
    node part[2] = {half_of(h, n, -1), half_of(h, n, 1)};
    bool keep[2];
    int end = n->end;
    for (int i = 0; i < 2; i++)
        keep[i] = n->count < 0 || narrow(h, &part[i], &end);
    part[0].end = part[1].end = end;
    int first = part[0].most <= part[1].most ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        int k = i == 0 ? first : 1 - first;
        if (keep[k] && h->node_count < nodes_most)
            h->node[h->node_count++] = part[k];
    }
}

/* Now and then the disc about the centre is taken for want of a better: what is less need not be looked at. */
static void divide(hunt *h, const node *n)
{
    if (n->count > 0 && n->halvings % 4 == 3)
        offer(h, n, n->centre);
    push_halves(h, n);
}

/* So many sites are few: more are taken where halving has not parted them. */
static int few_of(const node *n)
{
    return n->halvings < 24 ? 5 : n->halvings < 48 ? 8 : 16;
}

/* The centre of a box that is as small as rounding: very many sites are equally near, as in a polygon of very many
 * sides. */
static void settle_for_centre(hunt *h, const node *n)
{
    if (n->count >= 0) {
        offer(h, n, n->centre);
        return;
    }
    double radius = -ts_exact_field(h->exact, h->q, n->centre);
    if (radius > h->radius + rounding) {
        h->radius = radius;
        h->x = n->centre;
        h->gradient = (ts_vec2){0, 0};
        h->strip = false;
    }
}

/* No query takes for ever: after many boxes (two polygons of hundreds of sides, almost concentric) less precision will
 * do. */
static void lose_patience(hunt *h, const node *n)
{
    if (++h->boxes % boxes_usual == 0)
        h->spare = fmax(10 * h->spare, 1e-10);
    if (h->boxes >= boxes_usual)
        settle_for_centre(h, n);
}

static void search_box(hunt *h, node root)
{
    h->node_count = 1;
    h->node[0] = root;
    while (h->node_count > 0 && h->radius <= h->enough) {
        node n = h->node[--h->node_count];
        lose_patience(h, &n);
        if (!(n.most > h->radius + h->spare && n.most >= h->floor))
            continue;
        if (n.count < 0 && !survey(h, &n))
            continue;
        if (n.count >= 0 && n.count <= few_of(&n))
            try_all(h, &n);
        else if (n.halvings < halvings_most && reach_of(&n) > rounding)
            divide(h, &n);
        else
            settle_for_centre(h, &n);
    }
}

/* Edges of the overlap that come near the box. */
static void list_overlap(hunt *h, node *n, const ts_meeting *m)
{
    double reach = reach_of(n);
    h->site_count = 0;
    for (int i = 0; i < m->edge_count; i++) {
        const ts_overlap_edge *e = &m->edge[i];
        const ts_rim_edge *r = &(e->of_b ? &h->exact->b : &h->exact->a)->edge[e->number];
        ts_vec2 about = e->of_b ? ts_vec2_add(ts_placing_turned(h->q, r->about), h->q->at) : r->about;
        if (ts_vec2_distance(about, n->centre) > r->around + reach + rounding)
            continue;
        if (!add_site(h, e)) {
            n->count = -1;
            return;
        }
    }
    list_sites(h, n, n->centre, reach + 10 * rounding);
}

ts_low ts_exact_search(const ts_exact *exact, const ts_placing *q, const ts_meeting *m, double enough)
{
    hunt h;
    h.exact = exact;
    h.q = q;
    h.enough = -enough;
    h.radius = h.floor = 0;
    h.spare = rounding;
    h.strip = false;
    h.boxes = 0;
    for (int i = 0; i < m->box_count && h.radius <= h.enough; i++) {
        const ts_overlap_box *b = &m->box[i];
        node root = {.centre = b->centre, .half_u = b->half_u, .half_v = b->half_v, .most = HUGE_VAL, .count = -1};
        h.u = b->u;
        if (m->edge_count >= 0) {
            root.most = fmin(b->half_u, b->half_v) + 10 * rounding;
            if (!(root.most > h.radius + h.spare))
                continue;
            list_overlap(&h, &root, m);
        }
        search_box(&h, root);
    }
    if (h.radius <= 0)
        return (ts_low){.value = HUGE_VAL};
    centre_on_strip(&h);
    return (ts_low){h.x, -h.radius, h.gradient};
}
