/* SPDX-License-Identifier: MIT */
/* What a solid shows along a direction, and where two of these cover each other.
 *
 *     ┌────────┐          seen along n, the common region of two patches has as corners
 *     │ A  ●───┼───┐        ● corners of A that lie in B          feature 1 | corner
 *     │    │   │ B │        ● corners of B that lie in A                  2 | corner
 *     └────●───●   │        ● places where an edge crosses an edge        3 | both edges
 *          └───────┘      A lid has a circle for an edge, and for corners the four points a quarter turn apart of which the first has the
 *                         smallest gap.
 *
 * In coordinates (x, y, z) along (t1, t2, n), a flat patch with normal m has z = z₀ − (mₓ(x − x₀) + m_y(y − y₀))/m_z,
 * so that gap(x, y) = z_B − z_A. */
#include "contact/touch_convex.h"

/* ---- Patches ---- */

/* How clearly a face or an edge must beat the next: at 0.6, a cube shows a face until it is tilted by 38°. */
#define CLEAR_FACE 0.6
#define CLEAR_EDGE 0.5
/* Of a cylinder: cosine up from which it shows its lid, and sine up to which a line of its side. */
#define LID_ABOVE  0.8
#define SIDE_BELOW 0.35
/* Corners may lie this much below a merged face, relative to the hull's size (hull.h). */
#define FACE_FLAT 4e-6
/* Vertices that differ less in height are as far, likewise. */
#define AS_FAR 1e-8

static void show_points(ts_patch *patch, const ts_convex *c, int count, const ts_vec3 *local, const int32_t *id)
{
    patch->kind = count == 1 ? TS_PATCH_POINT : count == 2 ? TS_PATCH_SEGMENT : TS_PATCH_POLYGON;
    patch->count = count;
    for (int i = 0; i < count; i++) {
        patch->point[i] = ts_touch_world(c->at, c->turn, local[i]);
        patch->id[i] = (uint32_t)id[i];
    }
}

static void show_box(const ts_convex *c, ts_vec3 direction, ts_patch *patch)
{
    ts_vec3 local = ts_mat3_apply_transposed(c->turn, direction), point[4];
    const double d[3] = {fabs(local.x), fabs(local.y), fabs(local.z)};
    int corner = (local.x > 0 ? 1 : 0) | (local.y > 0 ? 2 : 0) | (local.z > 0 ? 4 : 0);
    int top = d[0] >= d[1] ? (d[0] >= d[2] ? 0 : 2) : (d[1] >= d[2] ? 1 : 2);
    int flat = d[0] <= d[1] ? (d[0] <= d[2] ? 0 : 2) : (d[1] <= d[2] ? 1 : 2);
    if (top == flat) /* all three the same */
        flat = (top + 1) % 3;
    int middle = 3 - top - flat, count = 1;
    int32_t id[4] = {corner, corner ^ (1 << flat), 0, 0};
    if (1 - d[top] <= CLEAR_FACE * (1 - d[middle])) {
        int u = 1 << ((top + 1) % 3), w = 1 << ((top + 2) % 3), base = corner & (1 << top);
        const int around[4] = {base, base | u, base | u | w, base | w};
        for (int k = 0; k < 4; k++)
            id[k] = around[base ? k : 3 - k];
        count = 4;
        patch->normal = ts_vec3_scale(ts_mat3_column(c->turn, top), base ? 1 : -1);
    } else if (d[flat] * d[flat] <= CLEAR_EDGE * d[middle] * d[middle]) {
        count = 2;
    }
    for (int k = 0; k < count; k++)
        point[k] = ts_touch_corner(c->solid->half, id[k]);
    show_points(patch, c, count, point, id);
}

/* A neighbour of vertex v that is as far along d, or −1: what is shown must not depend on which of the two was found
 * first. */
static int32_t equal_neighbour(const ts_convex *c, int32_t v, ts_vec3 d)
{
    const ts_hull *h = c->hull;
    for (int32_t k = h->neighbour_begin[v]; k < h->neighbour_begin[v + 1]; k++) {
        double fall = ts_vec3_dot(d, ts_vec3_sub(h->vertex[v], h->vertex[h->neighbour[k]]));
        if (fall <= AS_FAR * c->size)
            return h->neighbour[k];
    }
    return -1;
}

static bool face_has(const ts_convex *c, size_t f, int32_t v)
{
    return v < 0 || c->hull->offset[f] - ts_vec3_dot(c->hull->normal[f], c->hull->vertex[v]) <= FACE_FLAT * c->size;
}

/* The best aligned face with vertices v and u (if any), when it is clearly better than all others; else −1. */
static int32_t clear_face(const ts_convex *c, int32_t v, int32_t u, ts_vec3 d)
{
    const ts_hull *h = c->hull;
    double first = -2, second = -2;
    int32_t best = -1;
    for (size_t f = 0; f < h->face_count; f++) {
        double aligned = ts_vec3_dot(h->normal[f], d);
        if (aligned > first) {
            second = first;
            first = aligned;
            best = (int32_t)f;
        } else if (aligned > second) {
            second = aligned;
        }
    }
    bool clear = best >= 0 && first > 0.5 && 1 - first <= CLEAR_FACE * (1 - second);
    return clear && face_has(c, (size_t)best, v) && face_has(c, (size_t)best, u) ? best : -1;
}

/* The other end of the edge at vertex v that is most level, when it is clearly more so than the next; else −1. */
static int32_t clear_edge(const ts_hull *h, int32_t v, ts_vec3 d)
{
    double first = HUGE_VAL, second = HUGE_VAL;
    int32_t best = -1;
    for (int32_t k = h->neighbour_begin[v]; k < h->neighbour_begin[v + 1]; k++) {
        ts_vec3 e = ts_vec3_sub(h->vertex[h->neighbour[k]], h->vertex[v]);
        double rise = ts_vec3_dot(e, d), slope = rise * rise / ts_vec3_dot(e, e);
        if (slope < first) {
            second = first;
            first = slope;
            best = h->neighbour[k];
        } else if (slope < second) {
            second = slope;
        }
    }
    return first <= CLEAR_EDGE * second ? best : -1;
}

static void show_hull(const ts_convex *c, ts_vec3 direction, ts_patch *patch)
{
    const ts_hull *h = c->hull;
    ts_vec3 d = ts_mat3_apply_transposed(c->turn, direction), point[TS_PATCH_CORNERS];
    int32_t v = 0, id[TS_PATCH_CORNERS];
    ts_convex_support(c, direction, &v);
    int32_t equal = equal_neighbour(c, v, d), face = clear_face(c, v, equal, d);
    int count = 1;
    id[0] = v;
    if (face >= 0) {
        int corners = h->face_begin[face + 1] - h->face_begin[face];
        count = corners < TS_PATCH_CORNERS ? corners : TS_PATCH_CORNERS;
        for (int k = 0; k < count; k++)
            id[k] = h->corner[h->face_begin[face] + (int32_t)((int64_t)k * corners / count)];
        patch->normal = ts_mat3_apply(c->turn, h->normal[face]);
    } else {
        int32_t other = equal >= 0 ? equal : clear_edge(h, v, d);
        if (other >= 0) {
            id[0] = v < other ? v : other;
            id[1] = v < other ? other : v;
            count = 2;
        }
    }
    for (int k = 0; k < count; k++)
        point[k] = h->vertex[id[k]];
    show_points(patch, c, count, point, id);
}

static void show_capsule(const ts_convex *c, ts_vec3 direction, ts_patch *patch)
{
    double z = ts_vec3_dot(ts_mat3_column(c->turn, 2), direction), h = c->solid->half_length;
    const ts_vec3 end[2] = {{0, 0, -h}, {0, 0, h}};
    const int32_t id[2] = {0, 1};
    int one = z > 0;
    if (fabs(z) <= SIDE_BELOW)
        show_points(patch, c, 2, end, id);
    else
        show_points(patch, c, 1, &end[one], &id[one]);
}

static void show_cylinder(const ts_convex *c, ts_vec3 direction, ts_patch *patch)
{
    ts_vec3 d = ts_mat3_apply_transposed(c->turn, direction), axis = ts_mat3_column(c->turn, 2);
    double rho = hypot(d.x, d.y), h = c->solid->half_length, r = c->solid->radius, side = copysign(1, d.z);
    ts_vec3 out = rho > 0 ? (ts_vec3){r * d.x / rho, r * d.y / rho, 0} : (ts_vec3){r, 0, 0};
    const ts_vec3 end[2] = {{out.x, out.y, -h}, {out.x, out.y, h}};
    const int32_t id[2] = {0, 1};
    if (fabs(d.z) <= SIDE_BELOW) {
        show_points(patch, c, 2, end, id);
    } else if (fabs(d.z) < LID_ABOVE) {
        show_points(patch, c, 1, &end[d.z > 0], &id[d.z > 0]);
    } else {
        patch->kind = TS_PATCH_DISC;
        patch->count = 4;
        patch->radius = r;
        patch->normal = ts_vec3_scale(axis, side);
        patch->centre = ts_vec3_add_scaled(c->at, axis, side * h);
        patch->spare = ts_mat3_column(c->turn, 0);
        for (uint32_t k = 0; k < 4; k++)
            patch->id[k] = k + (d.z > 0 ? 4 : 0);
    }
}

void ts_patch_of(const ts_convex *convex, ts_vec3 direction, ts_patch *patch)
{
    patch->skin = convex->skin;
    patch->inner = 0;
    if (convex->hull)
        show_hull(convex, direction, patch);
    else if (convex->solid->kind == TS_SOLID_BOX)
        show_box(convex, direction, patch);
    else if (convex->solid->kind == TS_SOLID_CAPSULE)
        show_capsule(convex, direction, patch);
    else
        show_cylinder(convex, direction, patch);
}

/* ---- Seen along n ---- */

/* A patch in coordinates along (t1, t2, n). */
typedef struct seen_patch {
    ts_patch_kind kind;
    int count;
    uint64_t inner; /* sides that cross nothing */
    double side;    /* +1: A, shown along n; −1: B. So do its corners run about n */
    double skin;    /* of a point or a segment */
    ts_vec3 m;      /* its normal */
    ts_vec2 slope;  /* of z over (x, y) */
    ts_vec3 centre; /* of a disc */
    double radius;  /* of a disc */
    const uint32_t *id;
    ts_vec3 q[TS_PATCH_CORNERS];
} seen_patch;

typedef struct view {
    ts_vec3 t1, t2, n;
    double tolerance;
    const seen_patch *a, *b;
    ts_patch_meeting *meeting;
} view;

static ts_vec3 look(const view *v, ts_vec3 p)
{
    return (ts_vec3){ts_vec3_dot(v->t1, p), ts_vec3_dot(v->t2, p), ts_vec3_dot(v->n, p)};
}

static bool is_region(const seen_patch *s)
{
    return s->kind >= TS_PATCH_POLYGON;
}

static void see(const view *v, const ts_patch *patch, seen_patch *s)
{
    s->kind = patch->kind;
    s->count = patch->count;
    s->inner = patch->inner;
    s->id = patch->id;
    s->slope = (ts_vec2){0, 0};
    s->side = s == v->a ? 1 : -1;
    s->skin = patch->skin;
    if (is_region(s)) {
        s->m = look(v, patch->normal);
        s->slope = (ts_vec2){-s->m.x / s->m.z, -s->m.y / s->m.z};
    }
    if (s->kind == TS_PATCH_DISC) {
        s->centre = look(v, patch->centre);
        s->radius = patch->radius;
        return;
    }
    s->q[0] = s->q[1] = look(v, patch->point[0]);
    for (int i = 1; i < s->count; i++)
        s->q[i] = look(v, patch->point[i]);
}

/* The four corners of a lid: where the gap to a patch of that slope is smallest, and on from there. */
static void see_quarters(const view *v, const ts_patch *patch, ts_vec2 other_slope, seen_patch *s)
{
    double sign = s->side; /* the gap's own slope is B's less A's */
    ts_vec3 up = {sign * (other_slope.x - s->slope.x), sign * (other_slope.y - s->slope.y), 0};
    ts_touch_rim rim = ts_touch_rim_of(s->centre, s->m, s->radius, up, look(v, patch->spare));
    for (int i = 0; i < 4; i++)
        s->q[i] = rim.point[i];
}

/* How far the skin of a capsule reaches above its middle line, along n, at a distance `back` from the end that leads in
 * that direction: to its side, which is r/cos τ away for a tilt of τ, and near the end to the ball about it. */
static double skin_above(double r, double back, double sine)
{
    double cosine = sqrt(1 - sine * sine);
    if (back * cosine >= r * sine)
        return r / cosine;
    double across = back * cosine;
    return sqrt(r * r - across * across) - back * sine;
}

/* Where the outside of a patch is above (x, y); for a segment, above its point nearest to there. */
static double height(const seen_patch *s, double x, double y)
{
    if (is_region(s)) {
        ts_vec3 o = s->kind == TS_PATCH_DISC ? s->centre : s->q[0];
        return o.z + s->slope.x * (x - o.x) + s->slope.y * (y - o.y);
    }
    if (s->kind == TS_PATCH_POINT)
        return s->q[0].z + s->side * s->skin;
    ts_vec3 d = ts_vec3_sub(s->q[1], s->q[0]);
    double level = d.x * d.x + d.y * d.y;
    double t = level > 0 ? ((x - s->q[0].x) * d.x + (y - s->q[0].y) * d.y) / level : 0.5;
    t = fmin(fmax(t, 0), 1);
    double z = s->q[0].z + t * d.z;
    if (!(s->skin > 0))
        return z;
    double length = ts_vec3_length(d);
    bool second_leads = s->side * d.z > 0;
    return z + s->side * skin_above(s->skin, (second_leads ? 1 - t : t) * length, length > 0 ? fabs(d.z) / length : 0);
}

static void meet_at(const view *v, double x, double y, uint32_t feature)
{
    ts_patch_meeting *m = v->meeting;
    if (m->count == TS_PATCH_CONTACTS)
        return;
    double za = height(v->a, x, y), zb = height(v->b, x, y);
    ts_vec3 p = ts_vec3_add_scaled(ts_vec3_scale(v->t1, x), v->t2, y);
    m->contact[m->count++] = (ts_patch_contact){zb - za, ts_vec3_add_scaled(p, v->n, za), feature};
    m->least = fmin(m->least, zb - za);
}

/* ---- Names of places ---- */

static uint32_t name_corner(uint32_t side, uint32_t id)
{
    return side << 30 | (id & 0x3fffffffU);
}

/* Edge (i, j) of A and edge (k, l) of B. Small numbers are packed, so that names differ; large ones are mixed. */
static uint32_t name_crossing(uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    uint32_t a0 = i < j ? i : j, a1 = i < j ? j : i, b0 = k < l ? k : l, b1 = k < l ? l : k;
    if (a1 < 128 && b1 < 128)
        return 3U << 30 | a0 << 21 | a1 << 14 | b0 << 7 | b1;
    const uint32_t part[4] = {a0, a1, b0, b1};
    uint64_t mixed = 0;
    for (int n = 0; n < 4; n++)
        mixed = (mixed ^ mixed >> 29 ^ part[n]) * 0x9E3779B97F4A7C15U;
    return 3U << 30 | (uint32_t)(mixed >> 34);
}

/* ---- Corners that are covered ---- */

static bool covers(const seen_patch *s, double x, double y, double tolerance)
{
    if (s->kind == TS_PATCH_DISC) {
        ts_vec3 p = {x, y, height(s, x, y)};
        return ts_vec3_distance(p, s->centre) <= s->radius + tolerance;
    }
    for (int i = 0; i < s->count; i++) {
        const ts_vec3 *p = &s->q[i], *q = &s->q[i + 1 < s->count ? i + 1 : 0];
        double dx = q->x - p->x, dy = q->y - p->y;
        double left = s->side * (dx * (y - p->y) - dy * (x - p->x));
        if (left < 0 && left * left > tolerance * tolerance * (dx * dx + dy * dy))
            return false;
    }
    return true;
}

/* The point of a segment, or the only one of a point, that is nearest to p as seen along n. */
static ts_vec2 nearest_seen(const seen_patch *s, ts_vec3 p)
{
    ts_vec2 q = {s->q[0].x, s->q[0].y};
    if (s->kind == TS_PATCH_POINT)
        return q;
    ts_vec2 d = {s->q[1].x - q.x, s->q[1].y - q.y};
    double length = ts_vec2_dot(d, d);
    double t = length > 0 ? ((p.x - q.x) * d.x + (p.y - q.y) * d.y) / length : 0;
    return ts_vec2_add_scaled(q, d, fmin(fmax(t, 0), 1));
}

/* Whether corner q of a region lies on the other patch. On a line it does so where the region only touches it: where
 * that crosses, edges do. */
static bool is_met(const seen_patch *other, ts_vec3 q, double tolerance)
{
    if (is_region(other))
        return covers(other, q.x, q.y, tolerance);
    return ts_vec2_distance(nearest_seen(other, q), (ts_vec2){q.x, q.y}) <= tolerance;
}

static void meet_corners(const view *v)
{
    const seen_patch *a = v->a, *b = v->b;
    bool taken[TS_PATCH_CORNERS] = {false};
    for (int i = 0; i < a->count; i++)
        if (is_met(b, a->q[i], v->tolerance)) {
            meet_at(v, a->q[i].x, a->q[i].y, name_corner(1, a->id[i]));
            taken[i] = true;
        }
    for (int j = 0; j < b->count; j++) {
        bool same = false; /* as a corner of A */
        for (int i = 0; i < a->count; i++)
            same |= taken[i] && hypot(a->q[i].x - b->q[j].x, a->q[i].y - b->q[j].y) <= v->tolerance;
        if (!same && is_met(a, b->q[j], v->tolerance))
            meet_at(v, b->q[j].x, b->q[j].y, name_corner(2, b->id[j]));
    }
}

/* ---- Edges that cross ---- */

static int edge_count(const seen_patch *s)
{
    return s->kind == TS_PATCH_POLYGON ? s->count : s->kind == TS_PATCH_SEGMENT ? 1 : 0;
}

/* How far r lies to the left of the line from p to q. */
static double left_of(ts_vec3 p, ts_vec3 q, ts_vec3 r)
{
    double dx = q.x - p.x, dy = q.y - p.y, length = sqrt(dx * dx + dy * dy);
    return length > 0 ? (dx * (r.y - p.y) - dy * (r.x - p.x)) / length : 0;
}

/* One inside the other's both ends by more than the tolerance: what only touches is a corner's business. */
static void meet_edges(const view *v, int i, int j)
{
    const seen_patch *a = v->a, *b = v->b;
    int i1 = i + 1 < a->count ? i + 1 : 0, j1 = j + 1 < b->count ? j + 1 : 0;
    ts_vec3 p = a->q[i], q = a->q[i1], r = b->q[j], s = b->q[j1];
    double sr = left_of(p, q, r), ss = left_of(p, q, s), t = v->tolerance;
    if ((sr > -t && ss > -t) || (sr < t && ss < t))
        return;
    double sp = left_of(r, s, p), sq = left_of(r, s, q);
    if ((sp > -t && sq > -t) || (sp < t && sq < t))
        return;
    double u = sp / (sp - sq);
    meet_at(v, p.x + u * (q.x - p.x), p.y + u * (q.y - p.y), name_crossing(a->id[i], a->id[i1], b->id[j], b->id[j1]));
}

/* Where an edge of `s` crosses the rim of a lid: lifted into the lid's plane along n, both are in one plane. */
static void meet_rim(const view *v, const seen_patch *disc, const seen_patch *s)
{
    for (int i = 0; i < edge_count(s); i++) {
        int i1 = i + 1 < s->count ? i + 1 : 0;
        ts_vec3 p = {s->q[i].x, s->q[i].y, height(disc, s->q[i].x, s->q[i].y)};
        ts_vec3 q = {s->q[i1].x, s->q[i1].y, height(disc, s->q[i1].x, s->q[i1].y)};
        ts_vec3 d = ts_vec3_sub(q, p), e = ts_vec3_sub(p, disc->centre);
        double a = ts_vec3_dot(d, d), b = ts_vec3_dot(d, e), c = ts_vec3_dot(e, e) - disc->radius * disc->radius;
        double root = b * b - a * c, margin = a > 0 ? v->tolerance / sqrt(a) : 0;
        if (!(a > 0) || root <= 0)
            continue;
        for (uint32_t k = 0; k < 2; k++) {
            double t = (-b + (k ? 1 : -1) * sqrt(root)) / a;
            if (t <= margin || t >= 1 - margin)
                continue;
            uint32_t other = disc->id[0] + k;
            meet_at(v, p.x + t * d.x, p.y + t * d.y,
                    disc == v->a ? name_crossing(other, other, s->id[i], s->id[i1])
                                 : name_crossing(s->id[i], s->id[i1], other, other));
        }
    }
}

/* How far a point of A's rim, at an angle from its first quarter, lies outside of B's lid, as seen along n. */
static double rim_outside(const view *v, double phi, ts_vec3 *p)
{
    const seen_patch *a = v->a, *b = v->b;
    ts_vec3 u = ts_vec3_sub(a->q[0], a->centre), w = ts_vec3_sub(a->q[1], a->centre);
    *p = ts_vec3_add_scaled(ts_vec3_add_scaled(a->centre, u, cos(phi)), w, sin(phi));
    return ts_vec3_distance((ts_vec3){p->x, p->y, height(b, p->x, p->y)}, b->centre) - b->radius;
}

/* Where two rims cross. Seen askew they are ellipses, which cross up to four times: sampled, and halved. */
static void meet_rims(const view *v)
{
    enum { SAMPLES = 24 };
    double across = hypot(v->b->centre.x - v->a->centre.x, v->b->centre.y - v->a->centre.y);
    if (across > v->a->radius + v->b->radius)
        return;
    ts_vec3 p;
    double outside[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        outside[i] = rim_outside(v, 2 * TS_PI * i / SAMPLES, &p);
    for (int i = 0, k = 0; i < SAMPLES && k < 4; i++) {
        double from = outside[i], to = outside[(i + 1) % SAMPLES];
        if ((from > 0) == (to > 0) || fabs(from) <= v->tolerance || fabs(to) <= v->tolerance)
            continue; /* a quarter that only touches is there already */
        double low = 2 * TS_PI * i / SAMPLES, high = 2 * TS_PI * (i + 1) / SAMPLES;
        for (int step = 0; step < 50; step++) {
            double middle = 0.5 * (low + high);
            *((rim_outside(v, middle, &p) > 0) == (from > 0) ? &low : &high) = middle;
        }
        rim_outside(v, 0.5 * (low + high), &p);
        uint32_t id = v->a->id[0] + (uint32_t)k++;
        meet_at(v, p.x, p.y, name_crossing(id, id, v->b->id[0], v->b->id[0]));
    }
}

/* ---- Lines and points with each other ---- */

/* Sine of the angle below which two lines lie side by side and touch at both ends of what they share. */
#define SIDE_BY_SIDE 0.01

static bool meet_side_by_side(const view *v)
{
    const seen_patch *a = v->a, *b = v->b;
    ts_vec2 d = {a->q[1].x - a->q[0].x, a->q[1].y - a->q[0].y}, e = {b->q[1].x - b->q[0].x, b->q[1].y - b->q[0].y};
    double la = ts_vec2_length(d), lb = ts_vec2_length(e);
    if (fabs(ts_vec2_cross(d, e)) > SIDE_BY_SIDE * la * lb)
        return false;
    /* the mean line, so that neither is preferred */
    double sign = ts_vec2_dot(d, e) < 0 ? -1 : 1;
    ts_vec2 u = ts_vec2_unit(ts_vec2_add(ts_vec2_unit(d), ts_vec2_scale(ts_vec2_unit(e), sign)));
    double across = 0, at[4];
    for (int k = 0; k < 4; k++) {
        ts_vec3 q = k < 2 ? a->q[k] : b->q[k - 2];
        at[k] = q.x * u.x + q.y * u.y;
        across += 0.25 * ts_vec2_cross(u, (ts_vec2){q.x, q.y});
    }
    /* A runs up along u; so does B, but for the sign */
    int low = sign > 0 ? 2 : 3, high = 5 - low;
    int begin = at[0] >= at[low] ? 0 : low, end = at[1] <= at[high] ? 1 : high;
    for (int k = 0; k < 2; k++) {
        int which = k ? end : begin;
        if (k && at[end] - at[begin] <= v->tolerance)
            break;
        uint32_t name = which < 2 ? name_corner(1, a->id[which]) : name_corner(2, b->id[which - 2]);
        meet_at(v, at[which] * u.x - across * u.y, at[which] * u.y + across * u.x, name);
    }
    return true;
}

/* Points and segments that do not cross: the end that is nearest to the other, half-way between, since what n does not
 * carry is rounding. */
static void meet_ends(const view *v)
{
    double least = HUGE_VAL;
    ts_vec2 where = {0, 0};
    uint32_t name = 0;
    for (int side = 0; side < 2; side++) {
        const seen_patch *one = side ? v->b : v->a, *other = side ? v->a : v->b;
        for (int i = 0; i < one->count; i++) {
            ts_vec2 p = {one->q[i].x, one->q[i].y}, q = nearest_seen(other, one->q[i]);
            double d = ts_vec2_distance(p, q);
            if (one->kind > other->kind || d >= least - v->tolerance) /* a point has its name before a line's end */
                continue;
            least = d;
            where = ts_vec2_lerp(p, q, 0.5);
            name = name_corner(side ? 2 : 1, one->id[i]);
        }
    }
    meet_at(v, where.x, where.y, name);
}

void ts_patch_meet(ts_patch *a, ts_patch *b, ts_vec3 n, double tolerance, ts_patch_meeting *meeting)
{
    seen_patch sa, sb;
    view v = {.n = n, .tolerance = tolerance, .a = &sa, .b = &sb, .meeting = meeting};
    ts_vec3_tangents(n, &v.t1, &v.t2);
    meeting->count = 0;
    meeting->least = HUGE_VAL;
    see(&v, a, &sa);
    see(&v, b, &sb);
    if (sa.kind == TS_PATCH_DISC)
        see_quarters(&v, a, sb.slope, &sa);
    if (sb.kind == TS_PATCH_DISC)
        see_quarters(&v, b, sa.slope, &sb);

    if (!is_region(&sa) && !is_region(&sb)) {
        bool lines = sa.kind == TS_PATCH_SEGMENT && sb.kind == TS_PATCH_SEGMENT;
        if (lines && meet_side_by_side(&v))
            return;
        if (lines)
            meet_edges(&v, 0, 0);
        if (meeting->count == 0)
            meet_ends(&v);
        return;
    }
    meet_corners(&v);
    for (int i = 0; i < edge_count(&sa); i++)
        for (int j = 0; j < edge_count(&sb); j++)
            if (!(sa.inner >> i & 1) && !(sb.inner >> j & 1))
                meet_edges(&v, i, j);
    if (sa.kind == TS_PATCH_DISC && sb.kind == TS_PATCH_DISC)
        meet_rims(&v);
    else if (sa.kind == TS_PATCH_DISC)
        meet_rim(&v, &sa, &sb);
    else if (sb.kind == TS_PATCH_DISC)
        meet_rim(&v, &sb, &sa);
}
