/* SPDX-License-Identifier: MIT */
/* Pieces that bound the inside, joined to loops.
 *
 *        2 │ 1          A ray from the middle of a piece tells the winding numbers on both of its sides. Around the vertices where
 *      ────●────        it ends they pass from piece to piece, each changing them by as often as it is run through; large
 *        1 │ 0          drawings need one ray only for all pieces that hang together, and some more to check.
 *
 * A piece is kept when one side is inside and the other is not, and run through with the inside on its left. Where
 * several kept pieces meet, the boundary goes on along the same corner of the inside; a loop is cut off as soon as the
 * walk comes back to a vertex, so that no contour touches itself. */
#include <math.h>
#include <stdlib.h>

#include "shape/repair_work.h"

/* ---- Who meets where ---- */

/* Pieces at each vertex, both ends counted. */
typedef struct stars {
    uint32_t *begin; /* (vertices + 1) */
    uint32_t *edge;  /* (2 · edges) */
} stars;

static void stars_free(stars *s)
{
    ts_free(s->begin);
    ts_free(s->edge);
}

/* Direction in which a piece leaves a vertex, as seen at `distance` from it: pieces that leave along one tangent differ
 * there, when their ends are not on each other. */
static double leave_angle(const ts_mend_curve *c, bool from_b, double distance)
{
    double sign = from_b ? -1 : 1, b = sign * c->bulge;
    double half = asin(fmin(distance * 2 * fabs(b) / (c->chord * (1 + b * b)), 1));
    return atan2(sign * c->ey, sign * c->ex) - 2 * atan(b) + copysign(half, b);
}

typedef struct spoke {
    double angle; /* in (-π, π] */
    ts_mend_curve curve;
    uint32_t edge;
    bool from_b;
} spoke;

static int by_angle(const void *pa, const void *pb)
{
    const spoke *a = pa, *b = pb;
    if (a->angle != b->angle)
        return a->angle < b->angle ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Whether b, which seems to come after a, comes before it half the way to where the shorter of the two ends (where they
 * may meet). */
static bool is_swapped(const spoke *a, const spoke *b)
{
    double reach = 0.5 * fmin(a->curve.chord, b->curve.chord);
    double turn = leave_angle(&b->curve, b->from_b, reach) - leave_angle(&a->curve, a->from_b, reach);
    return remainder(turn, 2 * TS_PI) < 0;
}

/* Puts the pieces at a vertex in counter-clockwise order. */
static void sort_star(const ts_mend *m, uint32_t vertex, uint32_t *edge, uint32_t degree, spoke *list)
{
    double shortest = HUGE_VAL;
    for (uint32_t i = 0; i < degree; i++) {
        const ts_mend_edge *e = &m->edge.item[edge[i]];
        list[i] = (spoke){0, ts_mend_edge_curve(m, e), edge[i], e->b == vertex};
        shortest = fmin(shortest, list[i].curve.chord);
    }
    for (uint32_t i = 0; i < degree; i++)
        list[i].angle = remainder(leave_angle(&list[i].curve, list[i].from_b, 0.5 * shortest), 2 * TS_PI);
    qsort(list, degree, sizeof *list, by_angle);
    /* near the vertex rounding may have the better of pieces that leave along one tangent */
    bool swapped = true;
    for (uint32_t pass = 0; pass < degree && swapped; pass++) {
        swapped = false;
        for (uint32_t i = 0; i + 1 < degree; i++)
            if (list[i + 1].angle - list[i].angle < 1e-4 && is_swapped(&list[i], &list[i + 1])) {
                spoke other = list[i];
                list[i] = list[i + 1];
                list[i + 1] = other;
                swapped = true;
            }
    }
    for (uint32_t i = 0; i < degree; i++)
        edge[i] = list[i].edge;
}

static ts_status sort_stars(const ts_mend *m, stars *s, ts_error *error)
{
    uint32_t most = 0;
    for (size_t v = 0; v < m->vertex.count; v++)
        most = m->vertex.item[v].degree > most ? m->vertex.item[v].degree : most;
    spoke *list;
    TS_TRY(ts_new_raw(&list, (size_t)most + 1, error));
    for (uint32_t v = 0; v < m->vertex.count; v++)
        if (m->vertex.item[v].degree > 2)
            sort_star(m, v, &s->edge[s->begin[v]], m->vertex.item[v].degree, list);
    ts_free(list);
    return TS_OK;
}

static ts_status stars_make(ts_mend *m, stars *s, ts_error *error)
{
    size_t n = m->vertex.count;
    s->begin = ts_alloc(n + 2, sizeof *s->begin);
    s->edge = ts_alloc_raw(2 * m->edge.count + 1, sizeof *s->edge);
    if (!s->begin || !s->edge) {
        stars_free(s);
        return ts_fail_memory(error, n * sizeof *s->begin);
    }
    for (size_t i = 0; i < m->edge.count; i++) {
        s->begin[m->edge.item[i].a + 2]++;
        s->begin[m->edge.item[i].b + 2]++;
    }
    for (size_t v = 0; v < n; v++) {
        m->vertex.item[v].degree = s->begin[v + 2];
        s->begin[v + 2] += s->begin[v + 1];
    }
    for (size_t i = 0; i < m->edge.count; i++) {
        s->edge[s->begin[m->edge.item[i].a + 1]++] = (uint32_t)i;
        s->edge[s->begin[m->edge.item[i].b + 1]++] = (uint32_t)i;
    }
    ts_status status = sort_stars(m, s, error);
    if (status != TS_OK)
        stars_free(s);
    return status;
}

/* ---- Winding ---- */

typedef struct winding {
    ts_mend *m;
    stars star;
    ts_mend_field field;
    int64_t *left;   /* winding number to the left of a → b; UNKNOWN before (edges) */
    uint32_t *queue; /* vertices to pass it on at (vertices) */
    bool *queued;    /* (vertices) */
} winding;

#define UNKNOWN INT64_MIN
enum {
    EACH_MAX = 1000, /* up to so many pieces every one gets a ray of its own: that costs nothing yet */
    MANY = 200,      /* contours from which on rays are worth some preparation */
    SPOTS = 300      /* rays that check the others */
};

static bool is_inside(const ts_mend *m, int64_t wind)
{
    return m->rule == TS_RULE_EVEN_ODD ? (wind & 1) != 0 : wind != 0;
}

static int32_t get_piece(const void *owner, uint32_t i, ts_mend_curve *curve)
{
    const ts_mend *m = owner;
    *curve = ts_mend_edge_curve(m, &m->edge.item[i]);
    return m->edge.item[i].turns;
}

/* The winding number to the left of piece `index`; when careful, what most rays say that start at three places of it
 * and go both ways. */
static int64_t cast(const winding *w, uint32_t index, bool careful)
{
    int64_t said[2 * TS_MEND_PARTS];
    int count = 0, best = 0, most = 0;
    for (int part = 0; part < TS_MEND_PARTS; part++)
        for (int longer = 0; longer < 2; longer++) {
            said[count++] = ts_mend_field_left(&w->field, index, (ts_mend_part)part, longer);
            if (!careful)
                return said[0];
        }
    for (int i = 0; i < count; i++) {
        int votes = 0;
        for (int k = 0; k < count; k++)
            votes += said[k] == said[i];
        best = votes > most ? i : best;
        most = votes > most ? votes : most;
    }
    return said[best];
}

/* Around a vertex one of whose pieces is known: the left of each is the right of the next, counter-clockwise. */
static void pass_on(const winding *w, uint32_t vertex)
{
    const ts_mend *m = w->m;
    const uint32_t *edge = &w->star.edge[w->star.begin[vertex]];
    uint32_t degree = m->vertex.item[vertex].degree, known = 0;
    while (known < degree && w->left[edge[known]] == UNKNOWN)
        known++;
    if (known == degree)
        return;
    const ts_mend_edge *e = &m->edge.item[edge[known]];
    int64_t face = e->a == vertex ? w->left[edge[known]] : w->left[edge[known]] - e->turns;
    for (uint32_t k = 1; k < degree; k++) {
        uint32_t i = edge[(known + k) % degree];
        e = &m->edge.item[i];
        bool leaves = e->a == vertex;
        if (w->left[i] == UNKNOWN)
            w->left[i] = leaves ? face + e->turns : face;
        face = leaves ? face + e->turns : face - e->turns;
    }
}

/* All that hangs together with piece `index`, which is known. */
static void flood(const winding *w, uint32_t index)
{
    const ts_mend *m = w->m;
    size_t head = 0, tail = 0;
    uint32_t end[2] = {m->edge.item[index].a, m->edge.item[index].b};
    for (int i = 0; i < 2; i++) {
        w->queue[tail++] = end[i];
        w->queued[end[i]] = true;
    }
    while (head < tail) {
        uint32_t v = w->queue[head++];
        pass_on(w, v);
        for (uint32_t i = w->star.begin[v]; i < w->star.begin[v] + m->vertex.item[v].degree; i++) {
            const ts_mend_edge *e = &m->edge.item[w->star.edge[i]];
            uint32_t next = e->a == v ? e->b : e->a;
            if (!w->queued[next]) {
                w->queued[next] = true;
                w->queue[tail++] = next;
            }
        }
    }
}

typedef struct size_rank {
    double chord;
    uint32_t edge;
} size_rank;

static int by_size(const void *pa, const void *pb)
{
    const size_rank *a = pa, *b = pb;
    if (a->chord != b->chord)
        return a->chord > b->chord ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Rays from the pieces in `order`, longest first: their middle is far from any vertex. Unless `each` is set, pieces
 * that hang together share one. */
static void cast_from(winding *w, const size_rank *order, size_t n, bool each, bool careful)
{
    for (size_t i = 0; i < n; i++)
        w->left[i] = UNKNOWN;
    for (size_t i = 0; i < n; i++) {
        if (w->left[order[i].edge] != UNKNOWN)
            continue;
        w->left[order[i].edge] = cast(w, order[i].edge, careful);
        if (!each)
            flood(w, order[i].edge);
    }
}

/* A few of them can be cast again, and must give the same. */
static bool spot_check(const winding *w, const size_rank *order, size_t n)
{
    for (size_t k = 0; k < SPOTS; k++) {
        uint32_t i = order[k * n / SPOTS].edge;
        if (cast(w, i, false) != w->left[i])
            return false;
    }
    return true;
}

static ts_status cast_all(winding *w, bool careful, ts_error *error)
{
    size_t n = w->m->edge.count;
    size_rank *order;
    TS_TRY(ts_new_raw(&order, n + 1, error));
    for (size_t i = 0; i < n; i++) {
        ts_mend_curve c = ts_mend_edge_curve(w->m, &w->m->edge.item[i]);
        order[i] = (size_rank){c.chord, (uint32_t)i};
    }
    qsort(order, n, sizeof *order, by_size);
    bool each = careful || n <= EACH_MAX;
    cast_from(w, order, n, each, careful);
    if (!each && !spot_check(w, order, n))
        cast_from(w, order, n, true, false);
    ts_free(order);
    return TS_OK;
}

static ts_status judge_all(winding *w, bool careful, ts_error *error)
{
    w->field = (ts_mend_field){.get = get_piece, .owner = w->m, .margin = w->m->weld};
    TS_TRY(ts_mend_field_make(&w->field, w->m->edge.count, w->m->contour_count > MANY, error));
    return cast_all(w, careful, error);
}

/* ---- Walking ---- */

typedef struct walker {
    ts_mend *m;
    const stars *star;
    int8_t *keep;    /* 1: inside left of a → b; -1: right; 0: on both or neither, or used up (edges) */
    uint32_t *place; /* where the walk left a vertex, from 1; 0: not on it (vertices) */
    TS_ARRAY(ts_mend_step) path;
} walker;

/* The kept piece by which to go on from `vertex` after `last` (NULL: any); TS_MEND_NONE: there is none. Clockwise from
 * where we came: through the inside, to the first piece out. */
static uint32_t next_piece(const walker *k, uint32_t vertex, const ts_mend_step *last)
{
    const ts_mend *m = k->m;
    const uint32_t *edge = &k->star->edge[k->star->begin[vertex]];
    uint32_t degree = m->vertex.item[vertex].degree, at = 0;
    while (last && at < degree && edge[at] != last->edge)
        at++;
    for (uint32_t i = 1; i <= degree; i++) {
        uint32_t next = edge[(at + degree - i) % degree];
        const ts_mend_edge *e = &m->edge.item[next];
        if (k->keep[next] != 0 && (k->keep[next] > 0 ? e->a : e->b) == vertex)
            return next;
    }
    return TS_MEND_NONE;
}

static ts_status cut_off_loop(walker *k, size_t from, ts_error *error)
{
    ts_mend *m = k->m;
    ts_mend_loop loop = {m->step.count, 0, 0};
    for (size_t i = from; i < k->path.count; i++) {
        ts_mend_step s = k->path.item[i];
        const ts_mend_edge *e = &m->edge.item[s.edge];
        k->place[s.back ? e->b : e->a] = 0;
        ts_mend_curve c = ts_mend_edge_curve(m, e);
        loop.area += s.back ? -ts_mend_curve_area(&c) : ts_mend_curve_area(&c);
        TS_TRY(ts_array_push(&m->step, s, error));
    }
    loop.end = m->step.count;
    k->path.count = from;
    return ts_array_push(&m->loop, loop, error);
}

static ts_status walk_from(walker *k, uint32_t vertex, ts_error *error)
{
    const ts_mend *m = k->m;
    for (;;) {
        const ts_mend_step *last = k->path.count > 0 ? &k->path.item[k->path.count - 1] : NULL;
        uint32_t edge = next_piece(k, vertex, last);
        if (edge == TS_MEND_NONE && k->path.count == 0)
            return TS_OK;
        if (edge == TS_MEND_NONE) {
            ts_vec2 p = ts_mend_place(m, vertex);
            return ts_fail(error, TS_BAD_INPUT,
                           "contour %u is too tangled near (%g, %g) to tell inside from outside; simplify the drawing "
                           "there",
                           m->edge.item[last->edge].contour + 1, p.x, p.y);
        }
        ts_mend_step step = {edge, k->keep[edge] < 0};
        k->keep[edge] = 0;
        TS_TRY(ts_array_push(&k->path, step, error));
        k->place[vertex] = (uint32_t)k->path.count;
        vertex = step.back ? m->edge.item[edge].a : m->edge.item[edge].b;
        if (k->place[vertex] > 0)
            TS_TRY(cut_off_loop(k, k->place[vertex] - 1, error));
    }
}

/* ---- From pieces to the outline ---- */

static ts_mend_edge step_edge(const ts_mend *m, ts_mend_step s)
{
    ts_mend_edge e = m->edge.item[s.edge];
    if (s.back) {
        ts_mend_edge r = e;
        r.a = e.b;
        r.b = e.a;
        r.bulge = -e.bulge;
        r.t0 = e.t1;
        r.t1 = e.t0;
        return r;
    }
    return e;
}

/* One curve in place of two that go on into each other; false when they do not. */
static bool join(const ts_mend *m, const ts_mend_edge *a, const ts_mend_edge *b, ts_mend_edge *joined)
{
    const ts_mend_vertex *v = &m->vertex.item[a->b];
    bool curved = a->bulge != 0;
    if (a->a == b->b || curved != (b->bulge != 0) || (curved && (a->bulge > 0) != (b->bulge > 0)))
        return false;
    double quarter = atan(a->bulge) + atan(b->bulge);
    if (fabs(quarter) > 0.4 * TS_PI && !(v->halving && a->source == b->source))
        return false;
    *joined = *a;
    joined->b = b->b;
    joined->bulge = curved ? tan(quarter) : 0;
    joined->t1 = b->t1;
    if (a->source == b->source && a->t1 != b->t0)
        return false;
    if (a->source == b->source && fabs(b->t1 - a->t0) == 1) /* whole again: the bits as drawn */
        joined->bulge = b->t1 > a->t0 ? m->source.item[a->source].bulge : -m->source.item[a->source].bulge;
    /* All of it must lie on the new curve: any two arcs with one tangent have at least the place where they join
     * there. */
    ts_mend_curve ca = ts_mend_edge_curve(m, a), cb = ts_mend_edge_curve(m, b), c = ts_mend_edge_curve(m, joined);
    ts_vec2 probe[3] = {{v->x, v->y}, ts_mend_curve_middle(&ca), ts_mend_curve_middle(&cb)};
    for (int i = 0; i < 3; i++) {
        double dx = probe[i].x - c.x0, dy = probe[i].y - c.y0, u = dx * c.ex + dy * c.ey, w = dy * c.ex - dx * c.ey;
        double f = c.square * (u * (u - c.chord) + w * w) - c.slope * w;
        if (!(c.chord > 0) || !(fabs(f) <= 2 * m->weld * (1 + c.bulge * c.bulge)))
            return false;
        if (curved ? w * c.bulge > 0 : !(u > 0 && u < c.chord))
            return false;
    }
    return true;
}

/* The vertex between two steps says nothing: it halves an arc, or something ended there that is gone now. */
static bool may_go(const ts_mend *m, uint32_t vertex)
{
    const ts_mend_vertex *v = &m->vertex.item[vertex];
    return v->halving || v->cuts || v->degree > 2;
}

/* Replaces the loop's pieces (n of them in `e`) by longer ones; returns how many are left, at least 2. */
static size_t simplify(const ts_mend *m, ts_mend_edge *e, size_t n)
{
    size_t kept = 0, left = n;
    ts_mend_edge joined;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && left > 2 && may_go(m, e[i].a) && join(m, &e[kept - 1], &e[i], &joined)) {
            e[kept - 1] = joined;
            left--;
        } else {
            e[kept++] = e[i];
        }
    }
    if (kept > 2 && may_go(m, e[0].a) && join(m, &e[kept - 1], &e[0], &joined)) {
        e[0] = joined;
        kept--;
    }
    return kept;
}

static ts_status put_loop(ts_mend *m, ts_mend_edge *e, size_t n, ts_error *error)
{
    n = simplify(m, e, n);
    size_t first = 0;
    for (size_t i = 1; i < n; i++)
        if (e[i].a < e[first].a)
            first = i;
    TS_TRY(ts_array_push(&m->out->begin, m->out->vertex.count, error));
    for (size_t i = 0; i < n; i++) {
        const ts_mend_edge *at = &e[(first + i) % n];
        ts_vec2 p = ts_mend_place(m, at->a);
        TS_TRY(ts_array_push(&m->out->vertex, ((ts_vertex){p.x, p.y, at->bulge}), error));
    }
    return TS_OK;
}

/* Loops that are thinner than can be told from nothing, or specks. */
static bool is_sliver(const ts_mend *m, const ts_mend_loop *loop)
{
    double length = 0, reach = 0;
    uint32_t first = m->edge.item[m->step.item[loop->begin].edge].a;
    for (size_t i = loop->begin; i < loop->end; i++) {
        ts_mend_curve c = ts_mend_edge_curve(m, &m->edge.item[m->step.item[i].edge]);
        length += c.chord;
        reach = fmax(reach, hypot(c.x0 - m->vertex.item[first].x, c.y0 - m->vertex.item[first].y));
        ts_vec2 p = ts_mend_curve_middle(&c);
        reach = fmax(reach, hypot(p.x - m->vertex.item[first].x, p.y - m->vertex.item[first].y));
    }
    return fabs(loop->area) <= 4 * m->weld * length || reach < 0.5 * TS_MEND_SPECK * m->extent;
}

static uint32_t lowest(const ts_mend *m, const ts_mend_loop *loop)
{
    uint32_t low = TS_MEND_NONE;
    for (size_t i = loop->begin; i < loop->end; i++) {
        ts_mend_step s = m->step.item[i];
        uint32_t v = s.back ? m->edge.item[s.edge].b : m->edge.item[s.edge].a;
        low = v < low ? v : low;
    }
    return low;
}

typedef struct rank {
    uint32_t vertex, loop;
} rank;

static int by_vertex(const void *pa, const void *pb)
{
    const rank *a = pa, *b = pb;
    if (a->vertex != b->vertex)
        return a->vertex < b->vertex ? -1 : 1;
    return (a->loop > b->loop) - (a->loop < b->loop);
}

/* Loops in the order of the contours that they come from. */
static ts_status put_loops(ts_mend *m, ts_error *error)
{
    size_t n = m->loop.count, slivers = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length = m->loop.item[i].end - m->loop.item[i].begin;
        most = length > most ? length : most;
    }
    rank *order = ts_alloc_raw(n + 1, sizeof *order);
    ts_mend_edge *e = ts_alloc_raw(most + 1, sizeof *e);
    ts_status status = order && e ? TS_OK : ts_fail_memory(error, most * sizeof *e);
    if (status == TS_OK) {
        for (size_t i = 0; i < n; i++)
            order[i] = (rank){lowest(m, &m->loop.item[i]), (uint32_t)i};
        qsort(order, n, sizeof *order, by_vertex);
    }
    for (size_t i = 0; i < n && status == TS_OK; i++) {
        ts_mend_loop *loop = &m->loop.item[order[i].loop];
        if (is_sliver(m, loop)) {
            slivers++;
            loop->area = 0;
            continue;
        }
        for (size_t k = loop->begin; k < loop->end; k++)
            e[k - loop->begin] = step_edge(m, m->step.item[k]);
        status = put_loop(m, e, loop->end - loop->begin, error);
    }
    ts_free(order);
    ts_free(e);
    TS_TRY(status);
    TS_TRY(ts_array_push(&m->out->begin, m->out->vertex.count, error));
    if (slivers == 0)
        return TS_OK;
    return ts_mend_note(m, error, "%zu sliver%s left by overlapping edges dropped", slivers, slivers > 1 ? "s" : "");
}

/* ---- All of it ---- */

static ts_status walk_all(winding *w, ts_error *error)
{
    ts_mend *m = w->m;
    walker k = {.m = m, .star = &w->star};
    k.keep = ts_alloc_raw(m->edge.count + 1, sizeof *k.keep);
    k.place = ts_alloc(m->vertex.count + 1, sizeof *k.place);
    ts_status status = k.keep && k.place ? TS_OK : ts_fail_memory(error, m->vertex.count * sizeof *k.place);
    for (size_t i = 0; i < m->edge.count && status == TS_OK; i++) {
        const ts_mend_edge *e = &m->edge.item[i];
        ts_mend_fate *fate = &m->fate[e->contour];
        k.keep[i] = (int8_t)(is_inside(m, w->left[i]) - is_inside(m, w->left[i] - e->turns));
        fate->pieces++;
        fate->kept += k.keep[i] != 0;
        fate->reversed += k.keep[i] < 0;
    }
    for (uint32_t v = 0; v < m->vertex.count && status == TS_OK; v++)
        status = walk_from(&k, v, error);
    ts_array_free(&k.path);
    ts_free(k.keep);
    ts_free(k.place);
    return status;
}

ts_status ts_mend_stitch(ts_mend *m, bool careful, ts_error *error)
{
    winding w = {.m = m};
    TS_TRY(stars_make(m, &w.star, error));
    w.left = ts_alloc_raw(m->edge.count + 1, sizeof *w.left);
    w.queue = ts_alloc_raw(m->vertex.count + 1, sizeof *w.queue);
    w.queued = ts_alloc(m->vertex.count + 1, sizeof *w.queued);
    bool room = w.left && w.queue && w.queued;
    ts_status status = room ? judge_all(&w, careful, error) : ts_fail_memory(error, m->edge.count * sizeof *w.left);
    if (status == TS_OK)
        status = walk_all(&w, error);
    if (status == TS_OK)
        status = put_loops(m, error);
    stars_free(&w.star);
    ts_mend_field_free(&w.field);
    ts_free(w.left);
    ts_free(w.queue);
    ts_free(w.queued);
    return status;
}
