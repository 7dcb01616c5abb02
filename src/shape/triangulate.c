/* SPDX-License-Identifier: MIT */
#include "shape/triangulate.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE UINT32_MAX

/* ---- The polygon: a ring of nodes, in which bridges make some points appear twice ---- */

typedef struct node {
    uint32_t point, prev, next;
    uint32_t below; /* next node of the same cell of the grid */
    bool cut;       /* no longer in the ring */
} node;

typedef struct cutter {
    const ts_vec2 *point;
    node *node;
    uint32_t count; /* nodes in use */
    uint32_t *triangle;
    size_t triangle_count;
    uint32_t *cell; /* first node of each cell of the grid, of nodes that are not convex (columns · rows) */
    uint32_t columns, rows;
    ts_vec2 low, scale; /* corner of the grid; cells a unit of length */
} cutter;

static ts_vec2 at(const cutter *c, uint32_t i)
{
    return c->point[c->node[i].point];
}
static bool same(ts_vec2 a, ts_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}
/* By x, then by y. */
static bool before(ts_vec2 a, ts_vec2 b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}
static int turn(const cutter *c, uint32_t i)
{
    return ts_orientation(at(c, c->node[i].prev), at(c, i), at(c, c->node[i].next));
}

static uint32_t add_node(cutter *c, uint32_t point, uint32_t after)
{
    uint32_t i = c->count++;
    node *n = &c->node[i];
    *n = (node){.point = point, .prev = i, .next = i, .below = NONE};
    if (after != NONE) {
        n->prev = after;
        n->next = c->node[after].next;
        c->node[n->next].prev = i;
        c->node[after].next = i;
    }
    return i;
}

/* The points of one contour as a ring; node i is point i. */
static void add_ring(cutter *c, size_t begin, size_t end)
{
    uint32_t last = NONE;
    for (size_t i = begin; i < end; i++)
        last = add_node(c, (uint32_t)i, last);
}

/* ---- Bridges ---- */

/* Whether a point lies on the inner side of both edges at a node, near to it. */
static bool in_cone(const cutter *c, uint32_t i, ts_vec2 to)
{
    ts_vec2 a = at(c, c->node[i].prev), p = at(c, i), b = at(c, c->node[i].next);
    bool left_in = ts_orientation(a, p, to) > 0, left_out = ts_orientation(p, b, to) > 0;
    return ts_orientation(a, p, b) > 0 ? left_in && left_out : left_in || left_out;
}

/* p lies on the open segment ab. */
static bool between(ts_vec2 a, ts_vec2 b, ts_vec2 p)
{
    if (same(a, p) || same(b, p) || ts_orientation(a, b, p) != 0)
        return false;
    return before(a, b) ? before(a, p) && before(p, b) : before(b, p) && before(p, a);
}

/* Whether the segment from `from` to a node meets nothing of the ring on its way. */
static bool sees(const cutter *c, ts_vec2 from, uint32_t target)
{
    ts_vec2 to = at(c, target);
    if (!in_cone(c, target, from))
        return false;
    uint32_t i = target;
    do {
        ts_vec2 a = at(c, i), b = at(c, c->node[i].next);
        i = c->node[i].next;
        if (between(from, to, a))
            return false;
        if (same(a, to) || same(b, to) || same(a, from) || same(b, from))
            continue;
        if (ts_orientation(from, to, a) * ts_orientation(from, to, b) < 0 &&
            ts_orientation(a, b, from) * ts_orientation(a, b, to) <= 0)
            return false;
    } while (i != target);
    return true;
}

/* The edge that a ray from h to the left meets first, as the node at its begin; NONE when there is none. */
static uint32_t first_hit(const cutter *c, uint32_t ring, ts_vec2 h)
{
    uint32_t best = NONE, i = ring;
    double best_x = -DBL_MAX;
    do {
        ts_vec2 a = at(c, i), b = at(c, c->node[i].next);
        /* the interior lies to the right of what is met, so the edge runs down */
        if (a.y >= h.y && b.y <= h.y && a.y != b.y) {
            double x = a.x + (h.y - a.y) * (b.x - a.x) / (b.y - a.y);
            if (x <= h.x && x > best_x) {
                best_x = x;
                best = i;
            }
        }
        i = c->node[i].next;
    } while (i != ring);
    return best;
}

/* A node that the leftmost point of a hole sees: the left end of the edge that a ray meets, or, when something stands
 * before it, what stands nearest to the ray. Rounding may spoil that guess; then the nearest of all that can be
 * seen. */
static uint32_t find_bridge(const cutter *c, uint32_t ring, ts_vec2 h)
{
    uint32_t hit = first_hit(c, ring, h), guess = NONE, i;
    if (hit != NONE) {
        uint32_t other = c->node[hit].next;
        guess = before(at(c, other), at(c, hit)) ? other : hit;
        ts_vec2 p = at(c, guess);
        double side = p.y >= h.y ? 1 : -1, steep = (h.x - p.x) > 0 ? side * (p.y - h.y) / (h.x - p.x) : DBL_MAX;
        i = ring;
        do {
            ts_vec2 r = at(c, i);
            double slope = side * (r.y - h.y) / (h.x - r.x);
            if (r.x < h.x && slope >= 0 && (slope < steep || (slope == steep && r.x >= at(c, guess).x)) &&
                ts_orientation(at(c, hit), at(c, other), r) >= 0 && in_cone(c, i, h)) {
                guess = i;
                steep = slope;
            }
            i = c->node[i].next;
        } while (i != ring);
        if (before(at(c, guess), h) && sees(c, h, guess))
            return guess;
    }
    uint32_t best = NONE;
    double nearest = DBL_MAX;
    i = ring;
    do {
        ts_vec2 r = at(c, i);
        double distance = hypot(r.x - h.x, r.y - h.y);
        if (distance < nearest && before(r, h) && sees(c, h, i)) {
            nearest = distance;
            best = i;
        }
        i = c->node[i].next;
    } while (i != ring);
    return best;
}

static uint32_t leftmost(const cutter *c, uint32_t ring)
{
    uint32_t best = ring;
    for (uint32_t i = c->node[ring].next; i != ring; i = c->node[i].next)
        if (before(at(c, i), at(c, best)))
            best = i;
    return best;
}

/* ring … p → h … hole … h' → p' … : the hole becomes a part of the ring. */
static bool join_hole(cutter *c, uint32_t ring, uint32_t hole)
{
    hole = leftmost(c, hole);
    uint32_t p = find_bridge(c, ring, at(c, hole));
    if (p == NONE)
        return false;
    /* a hole that meets itself there passes its point more than once: the bridge comes from one side */
    for (uint32_t i = c->node[hole].next, end = hole; i != end; i = c->node[i].next)
        if (same(at(c, i), at(c, hole)) && in_cone(c, i, at(c, p)))
            hole = i;
    uint32_t after = c->node[p].next, last = c->node[hole].prev;
    uint32_t back = add_node(c, c->node[hole].point, NONE), copy = add_node(c, c->node[p].point, NONE);
    c->node[last].next = back;
    c->node[back].prev = last;
    c->node[p].next = hole;
    c->node[hole].prev = p;
    c->node[back].next = copy;
    c->node[copy].prev = back;
    c->node[copy].next = after;
    c->node[after].prev = copy;
    return true;
}

/* ---- Ears ---- */

static uint32_t column_of(const cutter *c, double x)
{
    double k = (x - c->low.x) * c->scale.x;
    return k > 0 ? (k < c->columns ? (uint32_t)k : c->columns - 1) : 0;
}
static uint32_t row_of(const cutter *c, double y)
{
    double k = (y - c->low.y) * c->scale.y;
    return k > 0 ? (k < c->rows ? (uint32_t)k : c->rows - 1) : 0;
}

/* Puts the nodes that may stand in an ear's way into the grid: those at which the ring does not turn left. Cutting an
 * ear can only make a node turn left that did not before. */
static ts_status fill_grid(cutter *c, uint32_t ring, ts_error *error)
{
    ts_vec2 low = at(c, ring), high = low;
    size_t blocking = 0;
    uint32_t i = ring;
    do {
        ts_vec2 p = at(c, i);
        low = (ts_vec2){fmin(low.x, p.x), fmin(low.y, p.y)};
        high = (ts_vec2){fmax(high.x, p.x), fmax(high.y, p.y)};
        blocking += turn(c, i) <= 0;
        i = c->node[i].next;
    } while (i != ring);
    uint32_t side = (uint32_t)sqrt((double)blocking) + 1;
    ts_free(c->cell);
    TS_TRY(ts_new_raw(&c->cell, (size_t)side * side, error));
    memset(c->cell, 0xff, (size_t)side * side * sizeof *c->cell);
    c->columns = c->rows = side;
    c->low = low;
    c->scale = (ts_vec2){high.x > low.x ? side / (high.x - low.x) : 0, high.y > low.y ? side / (high.y - low.y) : 0};
    i = ring;
    do {
        if (turn(c, i) <= 0) {
            uint32_t *cell = &c->cell[(size_t)row_of(c, at(c, i).y) * side + column_of(c, at(c, i).x)];
            c->node[i].below = *cell;
            *cell = i;
        }
        i = c->node[i].next;
    } while (i != ring);
    return TS_OK;
}

/* r lies in the closed triangle, but not at a corner. */
static bool in_the_way(const ts_vec2 t[3], ts_vec2 r)
{
    return ts_orientation(t[0], t[1], r) >= 0 && ts_orientation(t[1], t[2], r) >= 0 &&
           ts_orientation(t[2], t[0], r) >= 0 && !same(r, t[0]) && !same(r, t[1]) && !same(r, t[2]);
}

static bool is_ear(const cutter *c, uint32_t ear)
{
    if (turn(c, ear) <= 0)
        return false;
    ts_vec2 t[3] = {at(c, c->node[ear].prev), at(c, ear), at(c, c->node[ear].next)};
    double x0 = fmin(fmin(t[0].x, t[1].x), t[2].x), x1 = fmax(fmax(t[0].x, t[1].x), t[2].x);
    double y0 = fmin(fmin(t[0].y, t[1].y), t[2].y), y1 = fmax(fmax(t[0].y, t[1].y), t[2].y);
    uint32_t left = column_of(c, x0), right = column_of(c, x1), top = row_of(c, y1);
    for (uint32_t row = row_of(c, y0); row <= top; row++)
        for (uint32_t column = left; column <= right; column++)
            for (uint32_t i = c->cell[(size_t)row * c->columns + column]; i != NONE; i = c->node[i].below) {
                ts_vec2 r = at(c, i);
                if (!c->node[i].cut && r.x >= x0 && r.x <= x1 && r.y >= y0 && r.y <= y1 && in_the_way(t, r))
                    return false;
            }
    return true;
}

/* Cuts ears until a triangle is left; false when a whole round finds none. */
static bool cut_ears(cutter *c, uint32_t ring, size_t left)
{
    uint32_t i = ring;
    for (size_t idle = 0; left >= 3;) {
        node *n = &c->node[i];
        if (!is_ear(c, i)) {
            if (++idle > left)
                return false;
            i = n->next;
            continue;
        }
        uint32_t *t = &c->triangle[3 * c->triangle_count++];
        t[0] = c->node[n->prev].point;
        t[1] = n->point;
        t[2] = c->node[n->next].point;
        c->node[n->prev].next = n->next;
        c->node[n->next].prev = n->prev;
        n->cut = true;
        left--;
        idle = 0;
        i = c->node[n->next].next; /* leaving one out makes fewer long thin triangles */
    }
    return true;
}

/* ---- Where contours meet ---- */

/* An edge at a point where several contours, or parts of one, meet. */
typedef struct spoke {
    ts_vec2 hub, end;
    uint32_t node; /* at the hub */
    bool out;      /* it leaves the hub; else it comes in */
    bool paired;
} spoke;

static bool upper(const spoke *s)
{
    return s->end.y > s->hub.y || (s->end.y == s->hub.y && s->end.x > s->hub.x);
}
/* Clockwise. */
static int by_direction(const void *left, const void *right)
{
    const spoke *a = left, *b = right;
    if (upper(a) != upper(b))
        return upper(a) ? 1 : -1;
    int turned = ts_orientation(a->hub, a->end, b->end);
    if (turned != 0)
        return turned > 0 ? 1 : -1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->out - b->out;
}

/* Goes on from the edge that comes in as `in` along the one that goes out as `out`. `next`: where nodes went before. */
static void go_on(cutter *c, spoke *in, spoke *out, const uint32_t *next)
{
    uint32_t to = next[out->node];
    in->paired = out->paired = true;
    c->node[in->node].next = to;
    c->node[to].prev = in->node;
}

/* At a point that is passed several times, each edge that comes in goes on, clockwise through the inside, to the first
 * that goes out. So rings part where the inside does, and join where only the outside hangs together: afterwards no two
 * rings of one piece of the inside have a point in common. `order`: room for as many spokes. */
static void pair_up(cutter *c, spoke *list, size_t n, const uint32_t *next, uint32_t *order)
{
    qsort(list, n, sizeof *list, by_direction);
    /* there and back again along the same edge: that bounds nothing */
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && !list[i].paired && ts_orientation(list[i].hub, list[i].end, list[j].end) == 0;
             j++)
            if (!list[j].paired && list[i].out != list[j].out && same(list[i].end, list[j].end))
                go_on(c, list[i].out ? &list[j] : &list[i], list[i].out ? &list[i] : &list[j], next);
    size_t open = 0;
    for (size_t k = 0; k < 2 * n; k++) { /* twice around: what is open at the end is closed from the begin */
        spoke *s = &list[k % n];
        if (s->paired)
            continue;
        if (!s->out && k < n)
            order[open++] = (uint32_t)k;
        else if (s->out && open > 0)
            go_on(c, &list[order[--open]], s, next);
    }
}

typedef struct place {
    ts_vec2 at;
    uint32_t node;
} place;

static int by_place(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (!same(a->at, b->at))
        return before(a->at, b->at) ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Drops nodes at which a ring turns back on itself. */
static void drop_spikes(cutter *c, uint32_t n)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t prev = c->node[i].prev, next = c->node[i].next, after = c->node[next].next;
            if (c->node[i].cut || !same(at(c, prev), at(c, next)))
                continue;
            /* the tip and one of the two nodes beside it, which are the same point */
            c->node[i].cut = c->node[next].cut = more = true;
            c->node[prev].cut = prev == next || after == prev; /* nothing is left of the ring */
            c->node[prev].next = after;
            c->node[after].prev = prev;
        }
    }
}

/* Makes rings that bound the inside piece by piece out of those of the contours. */
static ts_status untangle(cutter *c, uint32_t n, ts_error *error)
{
    size_t bytes = n * (sizeof(place) + 2 * sizeof(spoke) + 3 * sizeof(uint32_t));
    place *list = ts_alloc_raw(bytes, 1);
    if (!list)
        return ts_fail_memory(error, bytes);
    spoke *star = (spoke *)(list + n);
    uint32_t *next = (uint32_t *)(star + 2 * (size_t)n), *order = next + n;
    for (uint32_t i = 0; i < n; i++) {
        list[i] = (place){at(c, i), i};
        next[i] = c->node[i].next;
    }
    qsort(list, n, sizeof *list, by_place);
    bool met = false;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && same(list[i].at, list[end].at);)
            end++;
        if (end == i + 1)
            continue;
        size_t count = 0;
        for (size_t k = i; k < end; k++) {
            uint32_t here = list[k].node;
            /* where it comes from and goes to are points that stay, whatever becomes of the links */
            star[count++] = (spoke){list[k].at, at(c, c->node[here].prev), here, false, false};
            star[count++] = (spoke){list[k].at, at(c, next[here]), here, true, false};
        }
        pair_up(c, star, count, next, order);
        met = true;
    }
    if (met)
        drop_spikes(c, n);
    ts_free(list);
    return TS_OK;
}

/* ---- Pieces ---- */

typedef struct contour {
    uint32_t ring;  /* its leftmost node */
    ts_vec2 corner; /* where that is */
    double area;    /* signed */
    size_t piece;   /* hole: index of the outer contour around it */
} contour;

static contour look_at(const cutter *c, uint32_t ring)
{
    ring = leftmost(c, ring);
    ts_vec2 o = at(c, ring);
    contour it = {.ring = ring, .corner = o};
    uint32_t i = ring;
    do {
        ts_vec2 p = at(c, i), q = at(c, c->node[i].next);
        it.area += 0.5 * ((p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x));
        i = c->node[i].next;
    } while (i != ring);
    return it;
}

/* Whether q lies inside of the ring or on it. */
static bool holds(const cutter *c, uint32_t ring, ts_vec2 q)
{
    bool inside = false;
    uint32_t i = ring;
    do {
        ts_vec2 a = at(c, i), b = at(c, c->node[i].next);
        if (same(a, q) || between(a, b, q))
            return true;
        if ((a.y > q.y) != (b.y > q.y) && (ts_orientation(a, b, q) > 0) == (b.y > a.y))
            inside = !inside;
        i = c->node[i].next;
    } while (i != ring);
    return inside;
}

static bool holds_ring(const cutter *c, uint32_t ring, uint32_t other)
{
    uint32_t i = other;
    do {
        if (!holds(c, ring, at(c, i)))
            return false;
        i = c->node[i].next;
    } while (i != other);
    return true;
}

static int by_corner(const void *left, const void *right)
{
    const contour *a = left, *b = right;
    if (!same(a->corner, b->corner))
        return before(a->corner, b->corner) ? -1 : 1;
    return (a->ring > b->ring) - (a->ring < b->ring);
}

/* Rings in order from left to right. */
static ts_status find_rings(cutter *c, contour **list, size_t *count, ts_error *error)
{
    uint32_t n = c->count;
    bool *seen = ts_alloc(n, sizeof *seen);
    contour *it = ts_alloc_raw((size_t)n / 3 + 1, sizeof *it); /* none has fewer than three nodes */
    *list = it;
    *count = 0;
    if (!seen || !it) {
        ts_free(seen);
        return ts_fail_memory(error, n * sizeof *it);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (seen[i] || c->node[i].cut)
            continue;
        for (uint32_t k = i; !seen[k]; k = c->node[k].next)
            seen[k] = true;
        it[(*count)++] = look_at(c, i);
    }
    ts_free(seen);
    qsort(it, *count, sizeof *it, by_corner);
    return TS_OK;
}

/* Each hole belongs to the smallest outer contour that holds all of its points (other pieces may touch it, so one is
 * not enough). */
static ts_status find_pieces(const cutter *c, contour *it, size_t count, bool lenient, ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t best = count;
        for (size_t j = 0; it[i].area < 0 && j < count; j++)
            if (it[j].area > -it[i].area && !(best < count && it[best].area <= it[j].area) &&
                holds_ring(c, it[j].ring, it[i].ring))
                best = j;
        it[i].piece = it[i].area < 0 ? best : i;
        if (!lenient && (it[i].piece == count || it[i].area == 0))
            return ts_fail(error, TS_BAD_INPUT,
                           "the contour at (%g, %g) lies in no piece of the outline; outer contours run "
                           "counter-clockwise, holes clockwise within one",
                           it[i].corner.x, it[i].corner.y);
    }
    return TS_OK;
}

static ts_status cut_piece(cutter *c, const contour *it, size_t count, size_t piece, ts_error *error)
{
    uint32_t ring = it[piece].ring, k = ring;
    for (size_t i = 0; i < count; i++)
        if (it[i].area < 0 && it[i].piece == piece && !join_hole(c, ring, it[i].ring))
            return ts_fail(error, TS_BAD_INPUT, "the hole at (%g, %g) crosses the outline; keep contours apart",
                           it[i].corner.x, it[i].corner.y);
    size_t left = 0;
    do {
        left++;
        k = c->node[k].next;
    } while (k != ring);
    TS_TRY(fill_grid(c, ring, error));
    if (!cut_ears(c, ring, left))
        return ts_fail(error, TS_BAD_INPUT, "the outline crosses itself near (%g, %g); repair it", it[piece].corner.x,
                       it[piece].corner.y);
    return TS_OK;
}

static ts_status cut_all(cutter *c, bool lenient, ts_error *error)
{
    TS_AUTO_FREE contour *it = NULL;
    size_t count;
    TS_TRY(untangle(c, c->count, error));
    TS_TRY(find_rings(c, &it, &count, error));
    TS_TRY(find_pieces(c, it, count, lenient, error));
    for (size_t i = 0; i < count; i++)
        if (it[i].area > 0)
            TS_TRY(cut_piece(c, it, count, i, error));
    return TS_OK;
}

static ts_status triangulate(const ts_vec2 *point, const size_t *begin, size_t contour_count, bool lenient, cutter *c,
                             ts_error *error)
{
    /* a hole takes three points, and two nodes and triangles more */
    size_t n = begin[contour_count], most = 2 * n + 1;
    if (most > UINT32_MAX / 4)
        return ts_fail(error, TS_BAD_INPUT, "the outline has %zu points; at most %u are cut into triangles", n,
                       UINT32_MAX / 8);
    for (size_t i = 0; i < contour_count; i++)
        if (begin[i + 1] - begin[i] < 3)
            return ts_fail(error, TS_BAD_INPUT, "contour %zu has fewer than three corners", i + 1);
    c->point = point;
    TS_TRY(ts_new_raw(&c->node, most, error));
    TS_TRY(ts_new_raw(&c->triangle, 3 * most, error));
    for (size_t i = 0; i < contour_count; i++)
        add_ring(c, begin[i], begin[i + 1]);
    return cut_all(c, lenient, error);
}

ts_status ts_triangulate(const ts_vec2 *point, const size_t *begin, size_t contour_count, bool lenient,
                         ts_triangles *out, ts_error *error)
{
    cutter c = {0};
    ts_status status = triangulate(point, begin, contour_count, lenient, &c, error);
    ts_free(c.node);
    ts_free(c.cell);
    if (status != TS_OK) {
        ts_free(c.triangle);
        return status;
    }
    *out = (ts_triangles){c.triangle, c.triangle_count};
    return TS_OK;
}
