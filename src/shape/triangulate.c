/* SPDX-License-Identifier: MIT */
#include "shape/triangulate.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define NONE UINT32_MAX

/* ---- Exact signs ---- */

/* Adds x to an expansion of n terms that do not overlap, smallest first; returns n + 1. */
static int grow(double *term, int n, double x)
{
    for (int i = 0; i < n; i++) {
        double sum = x + term[i], back = sum - x;
        term[i] = (x - (sum - back)) + (term[i] - back);
        x = sum;
    }
    term[n] = x;
    return n + 1;
}

static int exact_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c)
{
    const double p[6][2] = {{a.x, b.y}, {-a.x, c.y}, {-c.x, b.y}, {-a.y, b.x}, {a.y, c.x}, {c.y, b.x}};
    double term[12];
    int n = 0;
    for (int i = 0; i < 6; i++) {
        double product = p[i][0] * p[i][1];
        n = grow(term, n, fma(p[i][0], p[i][1], -product));
        n = grow(term, n, product);
    }
    while (n > 0 && term[n - 1] == 0)
        n--; /* the last term that is not zero outweighs all others */
    return n == 0 ? 0 : (term[n - 1] > 0) - (term[n - 1] < 0);
}

int ts_orientation(ts_vec2 a, ts_vec2 b, ts_vec2 c)
{
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), area = left - right;
    /* Shewchuk's bound on the rounding of the line above: (3 + 16 ε) ε */
    double bound = 3.3306690738754716e-16 * (fabs(left) + fabs(right));
    if (area > bound || -area > bound)
        return area > 0 ? 1 : -1;
    return exact_orientation(a, b, c);
}

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

/* A ring of the points of one contour; returns its first node. */
static uint32_t add_ring(cutter *c, size_t begin, size_t end)
{
    uint32_t last = NONE, first = c->count;
    for (size_t i = begin; i < end; i++)
        last = add_node(c, (uint32_t)i, last);
    return first;
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

/* Where the hole touches the ring already: a node at h, made if h lies within an edge; NONE when it does not touch. */
static uint32_t touching(cutter *c, uint32_t ring, uint32_t hole)
{
    ts_vec2 h = at(c, hole), into = at(c, c->node[hole].next);
    uint32_t i = ring;
    do {
        uint32_t next = c->node[i].next;
        if (same(at(c, i), h) && in_cone(c, i, into))
            return i;
        if (between(at(c, i), at(c, next), h))
            return add_node(c, c->node[hole].point, i);
        i = next;
    } while (i != ring);
    return NONE;
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

/* A node that the leftmost point of a hole sees: the left end of the edge that a ray meets, or, when something stands before it,
 * what stands nearest to the ray. Rounding may spoil that guess; then the nearest of all that can be seen. */
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
    uint32_t p = touching(c, ring, hole);
    bool apart = p == NONE;
    if (apart)
        p = find_bridge(c, ring, at(c, hole));
    if (p == NONE)
        return false;
    uint32_t after = c->node[p].next, last = c->node[hole].prev;
    /* touching: p takes the place of h, and the hole's ring comes back to a second copy of p */
    uint32_t enter = apart ? hole : c->node[hole].next;
    uint32_t back = apart ? add_node(c, c->node[hole].point, NONE) : last;
    if (apart) {
        c->node[last].next = back;
        c->node[back].prev = last;
    } else
        c->node[hole].cut = true;
    uint32_t copy = add_node(c, c->node[p].point, NONE);
    c->node[p].next = enter;
    c->node[enter].prev = p;
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

/* Puts the nodes that may stand in an ear's way into the grid: those at which the ring does not turn left. Cutting an ear can only
 * make a node turn left that did not before. */
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
    c->cell = ts_alloc_raw((size_t)side * side, sizeof *c->cell);
    if (!c->cell)
        return ts_fail_memory(error, (size_t)side * side * sizeof *c->cell);
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

/* ---- Pieces ---- */

typedef struct contour {
    size_t begin, end;
    double area;    /* signed */
    size_t piece;   /* hole: index of the outer contour around it */
    ts_vec2 corner; /* leftmost point */
} contour;

static contour look_at(const ts_vec2 *point, size_t begin, size_t end)
{
    contour it = {.begin = begin, .end = end, .corner = point[begin]};
    for (size_t i = begin; i < end; i++) {
        ts_vec2 p = point[i], q = point[i + 1 < end ? i + 1 : begin], o = point[begin];
        it.area += 0.5 * ((p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x));
        if (before(p, it.corner))
            it.corner = p;
    }
    return it;
}

/* Whether q lies inside of the contour or on it. */
static bool holds(const ts_vec2 *point, const contour *in, ts_vec2 q)
{
    bool inside = false;
    for (size_t i = in->begin; i < in->end; i++) {
        ts_vec2 a = point[i], b = point[i + 1 < in->end ? i + 1 : in->begin];
        if (same(a, q) || between(a, b, q))
            return true;
        if ((a.y > q.y) != (b.y > q.y) && (ts_orientation(a, b, q) > 0) == (b.y > a.y))
            inside = !inside;
    }
    return inside;
}

static int by_corner(const void *left, const void *right)
{
    const contour *a = left, *b = right;
    if (before(a->corner, b->corner))
        return -1;
    if (before(b->corner, a->corner))
        return 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Each hole belongs to the smallest outer contour that holds all of its points (touching is allowed, so one is not enough). */
static ts_status find_pieces(const ts_vec2 *point, contour *it, size_t count, ts_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t best = count;
        for (size_t j = 0; it[i].area < 0 && j < count; j++) {
            if (!(it[j].area > -it[i].area) || (best < count && it[best].area <= it[j].area))
                continue;
            size_t k = it[i].begin;
            while (k < it[i].end && holds(point, &it[j], point[k]))
                k++;
            if (k == it[i].end)
                best = j;
        }
        it[i].piece = it[i].area < 0 ? best : i;
        if (it[i].piece == count || it[i].area == 0)
            return ts_fail(error, TS_BAD_INPUT,
                           "contour %zu at (%g, %g) lies in no piece of the outline; outer contours run "
                           "counter-clockwise, holes clockwise within one",
                           i + 1, it[i].corner.x, it[i].corner.y);
    }
    return TS_OK;
}

static ts_status cut_piece(cutter *c, const contour *it, size_t count, size_t piece, ts_error *error)
{
    c->count = 0;
    uint32_t ring = add_ring(c, it[piece].begin, it[piece].end);
    size_t left = it[piece].end - it[piece].begin;
    for (size_t i = 0; i < count; i++) {
        if (it[i].area > 0 || it[i].piece != piece)
            continue;
        if (!join_hole(c, ring, add_ring(c, it[i].begin, it[i].end)))
            return ts_fail(error, TS_BAD_INPUT, "the hole at (%g, %g) crosses the outline; keep contours apart",
                           it[i].corner.x, it[i].corner.y);
        left = 0;
        uint32_t k = ring;
        do {
            left++;
            k = c->node[k].next;
        } while (k != ring);
    }
    TS_TRY(fill_grid(c, ring, error));
    if (!cut_ears(c, ring, left))
        return ts_fail(error, TS_BAD_INPUT, "the outline crosses or touches itself near (%g, %g); repair it",
                       it[piece].corner.x, it[piece].corner.y);
    return TS_OK;
}

ts_status ts_triangulate(const ts_vec2 *point, const size_t *begin, size_t contour_count, uint32_t **triangle,
                         size_t *triangle_count, ts_error *error)
{
    size_t n = begin[contour_count], most = n + 3 * contour_count;
    if (most > UINT32_MAX / 4)
        return ts_fail(error, TS_BAD_INPUT, "the outline has %zu points; at most %u are cut into triangles", n,
                       UINT32_MAX / 4);
    for (size_t i = 0; i < contour_count; i++)
        if (begin[i + 1] - begin[i] < 3)
            return ts_fail(error, TS_BAD_INPUT, "contour %zu has fewer than three corners", i + 1);
    cutter c = {.point = point};
    contour *it = ts_alloc(contour_count + 1, sizeof *it);
    c.node = ts_alloc_raw(most, sizeof *c.node);
    c.triangle = ts_alloc_raw(3 * most, sizeof *c.triangle);
    ts_status status = it && c.node && c.triangle ? TS_OK : ts_fail_memory(error, most * sizeof *c.node);
    if (status == TS_OK) {
        for (size_t i = 0; i < contour_count; i++)
            it[i] = look_at(point, begin[i], begin[i + 1]);
        qsort(it, contour_count, sizeof *it, by_corner);
        status = find_pieces(point, it, contour_count, error);
    }
    for (size_t i = 0; i < contour_count && status == TS_OK; i++)
        if (it[i].area > 0)
            status = cut_piece(&c, it, contour_count, i, error);
    ts_free(it);
    ts_free(c.node);
    ts_free(c.cell);
    if (status != TS_OK) {
        ts_free(c.triangle);
        return status;
    }
    *triangle = c.triangle;
    *triangle_count = c.triangle_count;
    return TS_OK;
}
