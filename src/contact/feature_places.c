/* SPDX-License-Identifier: MIT */
/* Where features touch. See features.h. */
#include <math.h>

#include "contact/feature_grid.h"
#include "contact/features.h"

#define cone_rounding TS_FEATURE_CONE_ROUNDING
#define shallow       TS_FEATURE_SHALLOW
/* By how much the end of an arc that goes over into a line may be off the deepest direction and still touch
 * (features.c: slack). */
static const double slack_cosine = 0.8775825618903728; /* cos 0.5 */

/* A point as seen from an edge. */
typedef struct stand {
    double height; /* of the point above the edge [m] */
    double nx, ny; /* normal of the edge */
    double over;   /* how far its foot lies beyond the end [m]; ≤ 0: on the edge */
    double beyond; /* what is allowed there (features.h) */
} stand;

static inline bool stand_at_line(const ts_feature_edge *e, double x, double y, stand *s)
{
    double dx = x - e->x, dy = y - e->y, along = dx * e->tx + dy * e->ty;
    double before = e->low - along, after = along - e->high;
    s->height = dx * e->nx + dy * e->ny;
    s->nx = e->nx;
    s->ny = e->ny;
    s->over = before > after ? before : after;
    s->beyond = before > after ? e->beyond[0] : e->beyond[1];
    return true;
}

/* False: at the centre, which has no nearest point. */
static bool stand_at_arc(const ts_feature_edge *e, double x, double y, stand *s)
{
    double dx = x - e->x, dy = y - e->y, distance = sqrt(dx * dx + dy * dy);
    if (!(distance > 0))
        return false;
    double ux = dx / distance, uy = dy / distance;
    s->height = e->radius - distance;
    s->nx = -ux;
    s->ny = -uy;
    s->over = 0;
    s->beyond = 0;
    if (ux * e->tx + uy * e->ty >= e->low)
        return true;
    double to[2];
    for (int i = 0; i < 2; i++)
        to[i] = hypot(ux - e->end[i][0], uy - e->end[i][1]);
    s->over = e->radius * fmin(to[0], to[1]);
    s->beyond = e->beyond[to[0] < to[1] ? 0 : 1];
    return true;
}

static inline bool stand_at(const ts_feature_edge *e, double x, double y, stand *s)
{
    return e->radius > 0 ? stand_at_arc(e, x, y, s) : stand_at_line(e, x, y, s);
}

/* How far a foot may lie beyond the end. In an inner angle that does not depend on the depth: a place there begins and
 * ends with no depth. */
static inline double over_most(const stand *s, double tolerance, double most)
{
    const double depth = s->height < 0 ? -s->height : 0;
    if (s->beyond >= 1)
        return depth > 0 ? tolerance + s->beyond * most : tolerance;
    const double over = s->beyond * depth;
    return depth > most ? tolerance : tolerance + (over < most ? over : most);
}

/* A bound of that for all depths up to `depth`. */
static inline double over_bound(const stand *s, double depth, double most)
{
    return s->beyond >= 1 ? s->beyond * most : fmin(s->beyond * fmax(depth, 0), most);
}

static inline double depth_most(double thickness_a, double thickness_b)
{
    return 0.5 * (thickness_a + thickness_b);
}

/* A direction of the edge's frame, turned into the point's. */
static inline double along_in(const ts_relative *to, double x, double y, double px, double py)
{
    return (to->c * x + to->s * y) * px + (to->c * y - to->s * x) * py;
}

/* Whether a place is as deep as it says: what is not shallow has its point inside the owner, and of an arc, which has
 * no sides that would tell where it came from, not much less deep. (x, y): the point on the other's surface. */
static bool is_within(const ts_features *owner, double depth, const ts_feature_point *p, double x, double y)
{
    if (!owner->solid || depth <= shallow * p->thickness)
        return true;
    double px = x / owner->scale, py = y / owner->scale, distance;
    ts_distance_query(owner->solid, 1, &px, &py, &distance, NULL, NULL, NULL);
    return p->radius > 0 ? -10 * owner->scale * distance > depth - shallow * p->thickness : distance < 0;
}

/* Whether a side of a corner at (x, y), the way back from it, passes over an edge into the shape. */
static bool goes_back(const ts_feature_edge *over, const ts_feature_point *p, const ts_relative *to, double x, double y,
                      double tolerance)
{
    const double dx = x - over->x, dy = y - over->y, height = dx * over->nx + dy * over->ny;
    const double back = sqrt(fmax(1 - p->cosine * p->cosine, 0));
    for (int side = -1; side <= 1; side += 2) {
        /* (-back, ± cosine) in the axes of the middle normal */
        const double px = -back * p->middle_x - side * p->cosine * p->middle_y,
                     py = -back * p->middle_y + side * p->cosine * p->middle_x,
                     down = -along_in(to, over->nx, over->ny, px, py);
        if (!(down > 0))
            continue;
        const double along = dx * over->tx + dy * over->ty + height / down * along_in(to, over->tx, over->ty, px, py);
        if (along >= over->low - tolerance && along <= over->high + tolerance)
            return true;
    }
    return false;
}

/* Edges over which the way from a foot to its point may lead. */
typedef enum way { WAY_NOT, WAY_OUT, WAY_IN } way;

/* How the way from a foot to its point passes over an edge. A point that lies on the edge has come in over it.
 * `joined`: the edge ends in a corner at which that of the foot ends. */
static way way_over(const ts_feature_edge *over, double fx, double fy, double x, double y, bool joined,
                    double tolerance)
{
    const double at_foot = (fx - over->x) * over->nx + (fy - over->y) * over->ny,
                 at_point = (x - over->x) * over->nx + (y - over->y) * over->ny;
    const bool out = at_foot < -tolerance && at_point > tolerance,
               in = !joined && at_foot > tolerance && at_point < tolerance;
    if (!out && !in)
        return WAY_NOT;
    const double part = fmin(at_foot / (at_foot - at_point), 1), px = fx + part * (x - fx), py = fy + part * (y - fy);
    const double along = (px - over->x) * over->tx + (py - over->y) * over->ty;
    return along < over->low - tolerance || along > over->high + tolerance ? WAY_NOT : out ? WAY_OUT : WAY_IN;
}

/* Whether a corner at (x, y) has come over the edge that it is behind: the way from its foot lies inside the shape.
 * What is shallow may have passed through a thin tip, which then lies across the corner. */
static bool is_reached(const ts_features *owner, const ts_feature_edge *e, const ts_feature_point *p,
                       const ts_relative *to, const stand *s, double x, double y, double tolerance)
{
    const double depth = -s->height;
    const bool deep = depth > shallow * p->thickness, inner = s->beyond >= 1, sharp = e->lean > 0;
    if (!owner->solid || !(depth > 0) || (!deep && !sharp) ||
        (e->radius == 0 && (depth * e->lean <= -s->over || inner) && depth <= e->sure))
        return true;
    if (!is_within(owner, depth, p, x, y))
        return false;
    const double fx = x - s->height * s->nx, fy = y - s->height * s->ny;
    ts_feature_visit visit = ts_feature_visit_begin(owner, 0.5 * (x + fx), 0.5 * (y + fy), 0.5 * depth + tolerance);
    for (int32_t k; (k = ts_feature_visit_next(owner, &visit)) >= 0;) {
        const ts_feature_edge *over = &owner->edge[k];
        if ((size_t)k >= owner->edge_count || over == e || over->radius > 0)
            continue;
        const bool joined = (over->corner[0] >= 0 && over->corner[0] == e->corner[1]) ||
                            (over->corner[1] >= 0 && over->corner[1] == e->corner[0]);
        way is = way_over(over, fx, fy, x, y, joined, tolerance);
        if (is == WAY_NOT && joined && sharp && s->over > 0) /* beyond the tip */
            is = (x - over->x) * over->nx + (y - over->y) * over->ny > tolerance ? WAY_OUT : WAY_NOT;
        if (is == WAY_IN || (is == WAY_OUT && (deep || !goes_back(over, p, to, x, y, tolerance))))
            return false;
    }
    return true;
}

/* What a point has to say to an edge. */
typedef struct answer {
    double gap, nx, ny, fx, fy; /* foot on the edge */
    double x, y;                /* the point that touches, before its radius is taken off */
} answer;

/* An end of an arc in the edge's frame. */
static void end_of_arc(const ts_feature_point *p, const ts_relative *to, int end, double *x, double *y)
{
    double px = p->x + p->radius * p->end[end][0], py = p->y + p->radius * p->end[end][1];
    *x = to->c * px - to->s * py + to->dx;
    *y = to->s * px + to->c * py + to->dy;
}

/* Whether a point faces an edge; of an arc that does so with an end alone, *x, *y and *radius become that end's. */
static bool faces(const ts_feature_point *p, const ts_feature_edge *e, const ts_relative *to, double *x, double *y,
                  double *radius, stand *s)
{
    if (-along_in(to, s->nx, s->ny, p->middle_x, p->middle_y) >= p->loose - cone_rounding)
        return true;
    if (p->radius == 0 || !(p->goes_on[0] || p->goes_on[1]))
        return false;
    double at[2];
    for (int i = 0; i < 2; i++)
        at[i] = -along_in(to, s->nx, s->ny, p->end[i][0], p->end[i][1]);
    int end = at[0] > at[1] ? 0 : 1;
    if (!p->goes_on[end] || at[end] < slack_cosine)
        return false;
    end_of_arc(p, to, end, x, y);
    *radius = 0;
    return stand_at(e, *x, *y, s);
}

static ts_facing point_on_edge(const ts_feature_point *p, const ts_features *owner, const ts_feature_edge *e,
                               const ts_relative *to, double tolerance, bool follow, answer *out)
{
    double x = to->c * p->x - to->s * p->y + to->dx, y = to->s * p->x + to->c * p->y + to->dy, radius = p->radius;
    stand s;
    if (!stand_at(e, x, y, &s))
        return TS_APART_FROM;
    bool facing = faces(p, e, to, &x, &y, &radius, &s);
    *out = (answer){s.height - radius, s.nx, s.ny, x - s.height * s.nx, y - s.height * s.ny, x, y};
    if (follow)
        return TS_FACING;
    if (s.over > over_most(&s, tolerance, owner->beyond_most) || !(-out->gap < depth_most(p->thickness, e->thickness)))
        return TS_APART_FROM;
    if (!facing)
        return TS_BEHIND;
    if (p->radius == 0)
        return is_reached(owner, e, p, to, &s, x, y, tolerance) ? TS_FACING : TS_APART_FROM;
    return p->cosine < -1 || is_within(owner, -out->gap, p, x - radius * s.nx, y - radius * s.ny) ? TS_FACING
                                                                                                  : TS_APART_FROM;
}

/* Whether a corner that is deep behind an arc, or an arc behind an arc, is inside: that of B in A where it is a corner,
 * else that of A in B. */
static bool points_within(const ts_feature_point *p, const ts_features *a, const ts_feature_point *q,
                          const ts_features *b, const ts_relative *to, const answer *out)
{
    if (q->radius == 0) {
        const double x = q->x - to->dx, y = q->y - to->dy;
        return is_within(a, -out->gap, q, to->c * x + to->s * y, to->c * y - to->s * x);
    }
    return p->cosine < -1 || is_within(b, -out->gap, p, out->fx + out->gap * out->nx, out->fy + out->gap * out->ny);
}

/* `p` is in the frame that `to` leads out of, `q` in that it leads to. */
static ts_facing point_on_point(const ts_feature_point *p, const ts_features *from, const ts_features *owner,
                                const ts_feature_point *q, const ts_relative *to, bool follow, answer *out)
{
    double x = to->c * p->x - to->s * p->y + to->dx - q->x, y = to->s * p->x + to->c * p->y + to->dy - q->y;
    double distance = sqrt(x * x + y * y);
    if (!(distance > 0)) {
        *out = (answer){-p->radius - q->radius,         q->middle_x, q->middle_y, q->x + q->radius * q->middle_x,
                        q->y + q->radius * q->middle_y, q->x,        q->y};
        return TS_APART_FROM;
    }
    double nx = x / distance, ny = y / distance;
    *out = (answer){distance - p->radius - q->radius, nx, ny, q->x + q->radius * nx, q->y + q->radius * ny, 0, 0};
    if (follow)
        return TS_FACING;
    if (nx * q->middle_x + ny * q->middle_y < q->cosine - cone_rounding ||
        !(-out->gap < depth_most(p->thickness, q->thickness)) || !points_within(p, from, q, owner, to, out))
        return TS_APART_FROM;
    if (-along_in(to, nx, ny, p->middle_x, p->middle_y) >= p->cosine - cone_rounding)
        return TS_FACING;
    return p->radius == 0 && q->radius > 0 ? TS_BEHIND : TS_APART_FROM;
}

static ts_facing ask(const ts_features *a, const ts_features *b, const ts_relative *a_in_b, const ts_relative *b_in_a,
                     uint64_t key, bool follow, ts_feature_contact *place)
{
    const uint32_t i = ts_feature_a(key), j = ts_feature_b(key);
    answer out = {0};
    ts_facing is = TS_APART_FROM;
    place->key = key;
    switch (ts_feature_side(key)) {
    case TS_SIDE_POINT_A:
        is = point_on_edge(&a->point[i], b, &b->edge[j], a_in_b, b->tolerance + a->tolerance, follow, &out);
        break;
    case TS_SIDE_POINTS:
        is = point_on_point(&a->point[i], a, b, &b->point[j], a_in_b, follow, &out);
        break;
    default: {
        is = point_on_edge(&b->point[j], a, &a->edge[i], b_in_a, b->tolerance + a->tolerance, follow, &out);
        /* from A's frame to B's; B's own point is the foot plus gap · n */
        double fx = out.fx + out.gap * out.nx, fy = out.fy + out.gap * out.ny;
        place->gap = out.gap;
        place->nx = a_in_b->c * out.nx - a_in_b->s * out.ny;
        place->ny = a_in_b->s * out.nx + a_in_b->c * out.ny;
        place->x = a_in_b->c * fx - a_in_b->s * fy + a_in_b->dx;
        place->y = a_in_b->s * fx + a_in_b->c * fy + a_in_b->dy;
        return is;
    }
    }
    place->gap = out.gap;
    place->nx = -out.nx;
    place->ny = -out.ny;
    place->x = out.fx;
    place->y = out.fy;
    return is;
}

ts_facing ts_feature_contact_at(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                                const ts_relative *b_in_a, uint64_t key, ts_feature_contact *place)
{
    return ask(a, b, a_in_b, b_in_a, key, false, place);
}

void ts_feature_contact_follow(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                               const ts_relative *b_in_a, uint64_t key, ts_feature_contact *place)
{
    ask(a, b, a_in_b, b_in_a, key, true, place);
}

/* ---- Candidates ---- */

typedef struct search {
    double reach, margin, turn;
    uint64_t *key;
    size_t room, count;
} search;

/* Whether a point may come to touch an edge. */
static bool may_touch_edge(const search *s, const ts_feature_point *p, const ts_feature_edge *e, const ts_relative *to,
                           double tolerance, double beyond)
{
    double x = to->c * p->x - to->s * p->y + to->dx, y = to->s * p->x + to->c * p->y + to->dy;
    stand at;
    if (!stand_at(e, x, y, &at))
        return true;
    /* of an arc an end may touch as well, which is no nearer to the edge than the deepest point is */
    if (at.height - p->radius > s->reach + s->margin)
        return false;
    /* the centre of an arc may be far from its points, and moves farther when they turn */
    const double m = s->margin + s->turn * p->radius, limit = depth_most(p->thickness, e->thickness) + m;
    if (p->radius == 0 || !(p->goes_on[0] || p->goes_on[1])) {
        if (p->radius - at.height > limit)
            return false;
        if (at.over > tolerance + over_bound(&at, fmax(-at.height, 0) + m, beyond) + m * (1 + (e->radius > 0)))
            return false;
        return true;
    }
    return -at.height - p->radius <= limit;
}

static bool may_touch_point(const search *s, const ts_feature_point *p, const ts_feature_point *q,
                            const ts_relative *to)
{
    double x = to->c * p->x - to->s * p->y + to->dx - q->x, y = to->s * p->x + to->c * p->y + to->dy - q->y;
    double distance = sqrt(x * x + y * y), gap = distance - p->radius - q->radius;
    if (p->radius == 0 && q->radius == 0 && !(s->reach > 0))
        return false;
    if (gap > s->reach + s->margin || -gap > depth_most(p->thickness, q->thickness) + s->margin)
        return false;
    if (distance < 4 * s->margin)
        return true;
    double nx = x / distance, ny = y / distance, loose = cone_rounding + s->turn + 2 * s->margin / distance;
    if (nx * q->middle_x + ny * q->middle_y < q->cosine - loose)
        return false;
    return (p->radius == 0 && q->radius > 0) || -along_in(to, nx, ny, p->middle_x, p->middle_y) >= p->cosine - loose;
}

/* Into its place in the order: features come nearly in order. */
static void add_key(search *s, uint64_t key)
{
    if (s->count < s->room) {
        size_t at = s->count;
        for (; at > 0 && s->key[at - 1] > key; at--)
            s->key[at] = s->key[at - 1];
        s->key[at] = key;
    }
    s->count++;
}

/* The points of one shape against the features of another; `to` leads from the points' frame to the other's. */
static void look(search *s, const ts_features *from, const ts_features *onto, const ts_relative *to, bool a_has_points)
{
    const double tolerance = from->tolerance + onto->tolerance;
    for (size_t i = 0; i < from->point_count; i++) {
        const ts_feature_point *p = &from->point[i];
        double x = to->c * p->x - to->s * p->y + to->dx, y = to->s * p->x + to->c * p->y + to->dy;
        /* how far from the point an edge may be that it touches */
        double deepest = depth_most(p->thickness, onto->thickest);
        double reach = fmax(p->radius + s->reach, deepest - p->radius) + s->margin + tolerance;
        if (p->goes_on[0] || p->goes_on[1])
            reach = fmax(reach, p->radius + deepest + s->margin);
        double far = onto->radius + reach;
        if (x * x + y * y > far * far)
            continue;
        ts_feature_visit visit = ts_feature_visit_begin(onto, x, y, reach + onto->inner_most);
        for (int32_t k; (k = ts_feature_visit_next(onto, &visit)) >= 0;) {
            const size_t edge = (size_t)k;
            if (edge < onto->edge_count) {
                if (may_touch_edge(s, p, &onto->edge[edge], to, tolerance, onto->beyond_most))
                    add_key(s, a_has_points ? ts_feature_key(TS_SIDE_POINT_A, (uint32_t)i, (uint32_t)edge)
                                            : ts_feature_key(TS_SIDE_POINT_B, (uint32_t)edge, (uint32_t)i));
            } else if (a_has_points && may_touch_point(s, p, &onto->point[edge - onto->edge_count], to)) {
                add_key(s, ts_feature_key(TS_SIDE_POINTS, (uint32_t)i, (uint32_t)(edge - onto->edge_count)));
            }
        }
    }
}

size_t ts_feature_candidates(const ts_features *a, const ts_features *b, const ts_relative *a_in_b,
                             const ts_relative *b_in_a, double reach, double margin, double turn, uint64_t *key,
                             size_t room)
{
    search s = {reach, margin, turn, key, room, 0};
    look(&s, a, b, a_in_b, true);
    look(&s, b, a, b_in_a, false);
    return s.count;
}

/* ---- Bounds ---- */

static void bounds_at_edge(const ts_feature_point *p, const ts_features *owner, const ts_feature_edge *e,
                           const ts_relative *to, double tolerance, double reach, double arm, double *touch,
                           double *face)
{
    double x = to->c * p->x - to->s * p->y + to->dx, y = to->s * p->x + to->c * p->y + to->dy;
    stand s;
    *touch = *face = 0;
    if (!stand_at(e, x, y, &s))
        return;
    /* of an arc an end may touch as well, which is no nearer to the edge than the deepest point is */
    const double gap = s.height - p->radius;
    *touch = *face = fmax(gap - reach, 0);
    if (p->radius > 0 || e->radius > 0)
        return;
    /* the foot must come to the edge, and what is too deep must become less */
    const double most = over_bound(&s, -s.height, owner->beyond_most);
    *touch = fmax(*touch, (s.over - tolerance - most) / (s.beyond < 1 ? 1 + s.beyond : 1));
    *touch = fmax(*touch, -gap - depth_most(p->thickness, e->thickness));
    /* and the normal into the cone: a cosine changes by no more than the angle does */
    *face = fmax(*touch, arm * (p->loose - cone_rounding + along_in(to, s.nx, s.ny, p->middle_x, p->middle_y)));
}

void ts_feature_bounds(const ts_features *a, const ts_features *b, const ts_relative *a_in_b, const ts_relative *b_in_a,
                       uint64_t key, double reach, double arm, double *touch, double *face)
{
    const uint32_t i = ts_feature_a(key), j = ts_feature_b(key);
    const double tolerance = a->tolerance + b->tolerance;
    if (ts_feature_side(key) == TS_SIDE_POINT_A) {
        bounds_at_edge(&a->point[i], b, &b->edge[j], a_in_b, tolerance, reach, arm, touch, face);
    } else if (ts_feature_side(key) == TS_SIDE_POINT_B) {
        bounds_at_edge(&b->point[j], a, &a->edge[i], b_in_a, tolerance, reach, arm, touch, face);
    } else {
        ts_feature_contact place;
        ts_feature_contact_follow(a, b, a_in_b, b_in_a, key, &place);
        *touch = *face = fmax(place.gap - reach, 0);
    }
}

/* ---- Choosing ---- */

/* Whether two places have a point in common. */
static bool share_point(uint64_t p, uint64_t q)
{
    const unsigned of_p = ts_feature_side(p), of_q = ts_feature_side(q);
    return (of_p != TS_SIDE_POINT_B && of_q != TS_SIDE_POINT_B && ts_feature_a(p) == ts_feature_a(q)) ||
           (of_p != TS_SIDE_POINT_A && of_q != TS_SIDE_POINT_A && ts_feature_b(p) == ts_feature_b(q));
}

/* The two edges of places of one point; false: they are not edges of one shape. */
static bool edges_of(const ts_features *a, const ts_features *b, uint64_t p, uint64_t q, const ts_feature_edge *edge[2])
{
    const unsigned side = ts_feature_side(p);
    if (side == TS_SIDE_POINTS || side != ts_feature_side(q))
        return false;
    edge[0] = side == TS_SIDE_POINT_A ? &b->edge[ts_feature_b(p)] : &a->edge[ts_feature_a(p)];
    edge[1] = side == TS_SIDE_POINT_A ? &b->edge[ts_feature_b(q)] : &a->edge[ts_feature_a(q)];
    return true;
}

/* Whether two places of one point are those of an inner angle: both count. */
static bool meet_inside(const ts_features *a, const ts_features *b, uint64_t p, uint64_t q)
{
    const ts_feature_edge *edge[2];
    if (!edges_of(a, b, p, q, edge))
        return false;
    const int32_t other = (int32_t)(ts_feature_side(q) == TS_SIDE_POINT_A ? ts_feature_b(q) : ts_feature_a(q));
    return edge[0]->inner[0] == other || edge[0]->inner[1] == other;
}

/* Whether two surfaces with these outward normals and feet lie as two sides of something convex: each foot behind the
 * other. */
static bool convex(double nx, double ny, double mx, double my, double dx, double dy, double tolerance)
{
    return nx * dx + ny * dy <= tolerance && mx * dx + my * dy >= -tolerance;
}

/* Lines that differ by less in direction are parallel [sine]. */
static const double same_line = 1e-6;

/* Whether a corner that lies behind two lines does so as behind two sides of something that stands out. Of a hollow one
 * point is nearest to the corner; with one foot on its edge the other lies beyond its own edge, farther the deeper the
 * corner is. */
static bool stands_out(const ts_features *a, const ts_features *b, const ts_feature_contact *p,
                       const ts_feature_contact *q, double tolerance)
{
    const ts_feature_edge *e[2];
    if (!(p->gap < 0 && q->gap < 0) || !edges_of(a, b, p->key, q->key, e) || e[0]->radius > 0 || e[1]->radius > 0)
        return false;
    const ts_feature_point *point =
        ts_feature_side(p->key) == TS_SIDE_POINT_A ? &a->point[ts_feature_a(p->key)] : &b->point[ts_feature_b(p->key)];
    const double sine = e[0]->nx * e[1]->ny - e[0]->ny * e[1]->nx, cosine = e[0]->nx * e[1]->nx + e[0]->ny * e[1]->ny;
    if (point->radius > 0 || fabs(sine) < same_line)
        return false;
    /* the corner in the frame of the edges, from its heights above both */
    const double h0 = e[0]->x * e[0]->nx + e[0]->y * e[0]->ny + p->gap,
                 h1 = e[1]->x * e[1]->nx + e[1]->y * e[1]->ny + q->gap, x = (h0 * e[1]->ny - h1 * e[0]->ny) / sine,
                 y = (h1 * e[0]->nx - h0 * e[1]->nx) / sine;
    double over[2];
    for (int i = 0; i < 2; i++) {
        const double along = (x - e[i]->x) * e[i]->tx + (y - e[i]->y) * e[i]->ty;
        over[i] = fmax(e[i]->low - along, along - e[i]->high) + tolerance;
    }
    return over[0] + cosine * fmax(over[1], 0) < -q->gap * fabs(sine) ||
           over[1] + cosine * fmax(over[0], 0) < -p->gap * fabs(sine);
}

static bool stand_for_one(const ts_features *a, const ts_features *b, const ts_feature_contact *p,
                          const ts_feature_contact *q, double tolerance)
{
    if (!share_point(p->key, q->key) || meet_inside(a, b, p->key, q->key))
        return false;
    const unsigned side_p = ts_feature_side(p->key), side_q = ts_feature_side(q->key);
    if (side_p != TS_SIDE_POINT_B && side_q != TS_SIDE_POINT_B && ts_feature_a(p->key) == ts_feature_a(q->key) &&
        convex(-p->nx, -p->ny, -q->nx, -q->ny, q->x - p->x, q->y - p->y, tolerance))
        return true;
    if (side_p == TS_SIDE_POINT_A || side_q == TS_SIDE_POINT_A || ts_feature_b(p->key) != ts_feature_b(q->key))
        return stands_out(a, b, p, q, tolerance);
    const double dx = (q->x - q->gap * q->nx) - (p->x - p->gap * p->nx),
                 dy = (q->y - q->gap * q->ny) - (p->y - p->gap * p->ny);
    return convex(p->nx, p->ny, q->nx, q->ny, dx, dy, tolerance) || stands_out(a, b, p, q, tolerance);
}

/* Normals that differ by more belong to two corners that have passed each other, not to two ends of a face [cosine]. */
static const double same_way = 0.7;

static bool is_end(const ts_feature_edge *e, uint32_t point)
{
    return e->corner[0] == (int32_t)point || e->corner[1] == (int32_t)point;
}

/* Whether a corner of each shape and an edge at the corner of the other are two places: one overlap, seen from both
 * sides, once each corner lies behind the other's edge. */
static bool may_pass(const ts_features *a, const ts_features *b, uint64_t p, uint64_t q)
{
    if (ts_feature_side(p) == TS_SIDE_POINT_B)
        return ts_feature_side(q) == TS_SIDE_POINT_A && may_pass(a, b, q, p);
    return ts_feature_side(p) == TS_SIDE_POINT_A && ts_feature_side(q) == TS_SIDE_POINT_B &&
           is_end(&a->edge[ts_feature_a(q)], ts_feature_a(p)) && is_end(&b->edge[ts_feature_b(p)], ts_feature_b(q));
}

static bool have_passed(const ts_features *a, const ts_features *b, const ts_feature_contact *p,
                        const ts_feature_contact *q)
{
    return p->nx * q->nx + p->ny * q->ny < same_way && may_pass(a, b, p->key, q->key);
}

bool ts_feature_are_rivals(const ts_features *a, const ts_features *b, uint64_t p, uint64_t q)
{
    return (share_point(p, q) && !meet_inside(a, b, p, q)) || may_pass(a, b, p, q);
}

/* A surface that only hides is on the far side of a bar where normals are farther apart than this [cosine]. */
static const double far_side = -0.7;

bool ts_feature_may_hide(const ts_features *a, const ts_features *b, uint64_t hider, uint64_t place)
{
    const ts_feature_edge *e[2];
    if (!share_point(hider, place) || meet_inside(a, b, hider, place))
        return false;
    return !edges_of(a, b, hider, place, e) || e[0]->radius > 0 || e[1]->radius > 0 ||
           e[0]->nx * e[1]->nx + e[0]->ny * e[1]->ny > far_side - cone_rounding;
}

/* All places of a pair. */
typedef struct all_places {
    const ts_features *a, *b;
    const ts_feature_contact *place;
    size_t count;
    double tolerance;
} all_places;

/* Whether the surface that a point lies behind, by a place that only hides, touches the other shape at a real place
 * that is less deep than `gap`: with another point, or with a corner at its end. */
static bool touches_elsewhere(const all_places *all, const ts_feature_contact *hider, double gap)
{
    const unsigned side = ts_feature_side(hider->key);
    const uint32_t fa = ts_feature_a(hider->key), fb = ts_feature_b(hider->key);
    for (size_t i = 0; i < all->count; i++) {
        const uint64_t key = all->place[i].key;
        const unsigned of = ts_feature_side(key);
        if ((key & TS_FEATURE_HIDES) || !(all->place[i].gap > gap))
            continue;
        if (side == TS_SIDE_POINT_A && ((of == TS_SIDE_POINT_A && ts_feature_b(key) == fb) ||
                                        (of != TS_SIDE_POINT_A && is_end(&all->b->edge[fb], ts_feature_b(key)))))
            return true;
        if (side == TS_SIDE_POINT_B && ((of == TS_SIDE_POINT_B && ts_feature_a(key) == fa) ||
                                        (of != TS_SIDE_POINT_B && is_end(&all->a->edge[fa], ts_feature_a(key)))))
            return true;
        if (side == TS_SIDE_POINTS && of != TS_SIDE_POINT_A && ts_feature_b(key) == fb)
            return true;
    }
    return false;
}

bool ts_feature_contact_hides(const ts_features *a, const ts_features *b, const ts_feature_contact *place, size_t count,
                              const ts_feature_contact *p, const ts_feature_contact *q)
{
    const all_places all = {a, b, place, count, a->tolerance + b->tolerance};
    if (q->key & TS_FEATURE_HIDES)
        return p->nx * q->nx + p->ny * q->ny > far_side && stand_for_one(a, b, p, q, all.tolerance) &&
               touches_elsewhere(&all, q, p->gap);
    return stand_for_one(a, b, p, q, all.tolerance) || have_passed(a, b, p, q);
}

double ts_feature_rank(const ts_features *a, const ts_features *b, uint64_t key, double gap)
{
    const bool corners = ts_feature_side(key) == TS_SIDE_POINTS && a->point[ts_feature_a(key)].radius == 0 &&
                         b->point[ts_feature_b(key)].radius == 0;
    return corners ? gap - (a->tolerance + b->tolerance) : gap;
}

/* Marks a contact that is hidden, in its key. */
#define HIDDEN (UINT64_C(1) << 63)

size_t ts_feature_contacts_choose(const ts_features *a, const ts_features *b, ts_feature_contact *place, size_t count)
{
    for (size_t i = 0; i < count && count > 1; i++) {
        const double own = ts_feature_rank(a, b, place[i].key, place[i].gap);
        for (size_t j = 0; j < count; j++) {
            const double rank = j != i ? ts_feature_rank(a, b, place[j].key, place[j].gap) : -HUGE_VAL;
            if ((rank > own || (rank == own && j < i)) &&
                ts_feature_contact_hides(a, b, place, count, &place[i], &place[j])) {
                place[i].key |= HIDDEN;
                break;
            }
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!(place[i].key & (HIDDEN | TS_FEATURE_HIDES)))
            place[kept++] = place[i];
    return kept;
}
