/* SPDX-License-Identifier: MIT */
/* Edges cut wherever they meet.
 *
 * Each round welds vertices that are one place, merges pieces that are one curve, and cuts where a vertex lies on an
 * edge or two edges cross. Edges that run along each other need no rule of their own: the ends of each cut the other,
 * and the parts in between become one piece that is run through twice (or, there and back, not at all: a spike).
 * Cutting moves an edge by less than `weld`, which may bring it onto another vertex; so it goes on until a round finds
 * nothing. */
#include <math.h>
#include <stdlib.h>

#include "shape/repair_work.h"

enum { ROUNDS_MAX = 24 };

ts_mend_curve ts_mend_edge_curve(const ts_mend *m, const ts_mend_edge *e)
{
    const ts_mend_vertex *a = &m->vertex.item[e->a], *b = &m->vertex.item[e->b];
    ts_segment s = {a->x, a->y, b->x, b->y, e->bulge};
    return ts_mend_curve_make(&s);
}

static ts_vec2 at(const ts_mend *m, uint32_t vertex)
{
    return (ts_vec2){m->vertex.item[vertex].x, m->vertex.item[vertex].y};
}

static bool same_place(const ts_mend *m, ts_vec2 p, uint32_t vertex)
{
    return ts_vec2_distance(p, at(m, vertex)) <= m->weld;
}

static ts_status tell(ts_mend *m, const ts_mend_edge *a, const ts_mend_edge *b, uint32_t vertex, ts_mend_kind kind,
                      ts_error *error)
{
    uint32_t first = a->contour < b->contour ? a->contour : b->contour;
    uint32_t second = a->contour < b->contour ? b->contour : a->contour;
    bool closing = m->source.item[a->source].closing || m->source.item[b->source].closing;
    m->fate[first].meets = m->fate[second].meets = true;
    return ts_array_push(&m->event, ((ts_mend_event){first, second, vertex, (uint8_t)kind, closing}), error);
}

/* ---- Welding ---- */

static uint32_t root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* One pass over all vertices that edges use. */
static ts_status find_same(ts_mend *m, uint32_t *parent, const uint32_t *used, size_t used_count, ts_mend_box *box,
                           ts_error *error)
{
    for (size_t i = 0; i < used_count; i++) {
        ts_vec2 p = at(m, used[i]);
        box[i] = (ts_mend_box){p.x, p.y, p.x, p.y};
    }
    ts_mend_tree tree;
    TS_TRY(ts_mend_tree_make(&tree, box, used_count, error));
    for (size_t i = 0; i < used_count; i++) {
        ts_vec2 p = at(m, used[i]);
        ts_mend_walk walk =
            ts_mend_tree_walk(&tree, (ts_mend_box){p.x - m->weld, p.y - m->weld, p.x + m->weld, p.y + m->weld});
        for (uint32_t j; (j = ts_mend_tree_next(&walk)) != TS_MEND_NONE;) {
            if (j <= i || !same_place(m, p, used[j]))
                continue;
            uint32_t a = root(parent, used[i]), b = root(parent, used[j]);
            parent[a > b ? a : b] = a > b ? b : a; /* drawn vertices come first: their place stays */
        }
    }
    ts_mend_tree_free(&tree);
    return TS_OK;
}

/* Contours that share a vertex meet there: told once for each welded pair of edges' begins. */
static ts_status weld_edges(ts_mend *m, uint32_t *parent, uint32_t *owner, bool *changed, ts_error *error)
{
    for (size_t i = 0; i < m->edge.count; i++) {
        ts_mend_edge *e = &m->edge.item[i];
        uint32_t a = root(parent, e->a), b = root(parent, e->b);
        if (a != e->a || b != e->b) {
            e->fresh = *changed = true;
            ts_mend_vertex *one = &m->vertex.item[a], *two = &m->vertex.item[b];
            one->halving = two->halving = false;
            one->cuts |= a != e->a;
            two->cuts |= b != e->b;
        }
        if (a == e->a && owner[a] == TS_MEND_NONE)
            owner[a] = (uint32_t)i;
    }
    for (size_t i = 0; i < m->edge.count; i++) {
        ts_mend_edge *e = &m->edge.item[i];
        uint32_t a = root(parent, e->a), b = root(parent, e->b);
        if (a != e->a && e->a < owner[m->vertex.count] && owner[a] != TS_MEND_NONE)
            TS_TRY(tell(m, &m->edge.item[owner[a]], e, a, TS_MEND_CROSS, error));
        e->a = a;
        e->b = b;
    }
    return TS_OK;
}

static ts_status weld(ts_mend *m, uint32_t old_count, bool *changed, ts_error *error)
{
    size_t n = m->vertex.count, used_count = 0;
    uint32_t *parent = ts_alloc_raw(n, sizeof *parent), *used = ts_alloc(n, sizeof *used);
    uint32_t *owner = ts_alloc_raw(n + 1, sizeof *owner);
    ts_mend_box *box = ts_alloc_raw(n, sizeof *box);
    ts_status status = TS_OK;
    *changed = false;
    if (!parent || !used || !owner || !box)
        status = ts_fail_memory(error, n * sizeof *box);
    if (status == TS_OK) {
        for (size_t i = 0; i < n; i++) {
            parent[i] = (uint32_t)i;
            owner[i] = TS_MEND_NONE;
        }
        owner[n] = old_count; /* only vertices from before: crossings have been told */
        for (size_t i = 0; i < m->edge.count; i++)
            used[m->edge.item[i].a] = used[m->edge.item[i].b] = 1;
        for (size_t i = 0; i < n; i++)
            if (used[i])
                used[used_count++] = (uint32_t)i;
        status = find_same(m, parent, used, used_count, box, error);
    }
    if (status == TS_OK)
        status = weld_edges(m, parent, owner, changed, error);
    ts_free(parent);
    ts_free(used);
    ts_free(owner);
    ts_free(box);
    return status;
}

/* ---- Merging ---- */

/* A piece and the bulge it has when run through from its lower to its higher vertex. */
typedef struct strand {
    uint32_t low, high, edge;
    double bulge;
} strand;

static int by_ends(const void *pa, const void *pb)
{
    const strand *a = pa, *b = pb;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    if (a->bulge != b->bulge)
        return a->bulge < b->bulge ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

static ts_status merge_into(ts_mend *m, uint32_t keep, uint32_t gone, ts_error *error)
{
    ts_mend_edge *a = &m->edge.item[keep], *b = &m->edge.item[gone];
    if (a->turns == 0) { /* what cancelled lives on in the next */
        ts_mend_edge swap = *a;
        *a = *b;
        *b = swap;
        b->turns = 0;
        return TS_OK;
    }
    int32_t turns = a->a == b->a ? b->turns : -b->turns;
    a->turns += turns;
    b->turns = 0;
    return tell(m, a, b, a->a, a->turns == 0 ? TS_MEND_BACK : TS_MEND_ALONG, error);
}

/* Pieces of no length go, pieces that are one curve become one. */
static ts_status merge(ts_mend *m, ts_error *error)
{
    strand *list;
    TS_TRY(ts_new_raw(&list, m->edge.count + 1, error));
    size_t n = 0;
    for (size_t i = 0; i < m->edge.count; i++) {
        const ts_mend_edge *e = &m->edge.item[i];
        if (e->a < e->b)
            list[n++] = (strand){e->a, e->b, (uint32_t)i, e->bulge};
        else if (e->a > e->b)
            list[n++] = (strand){e->b, e->a, (uint32_t)i, -e->bulge};
        else
            m->edge.item[i].turns = 0;
    }
    qsort(list, n, sizeof *list, by_ends);
    ts_status status = TS_OK;
    for (size_t i = 0, first = 0; i < n && status == TS_OK; i++) {
        bool fits = i > first && list[i].low == list[first].low && list[i].high == list[first].high;
        double chord = fits ? ts_vec2_distance(at(m, list[i].low), at(m, list[i].high)) : 0;
        if (fits && 0.5 * chord * (list[i].bulge - list[first].bulge) <= m->weld)
            status = merge_into(m, list[first].edge, list[i].edge, error);
        else
            first = i;
    }
    ts_free(list);
    size_t kept = 0;
    for (size_t i = 0; i < m->edge.count; i++)
        if (m->edge.item[i].turns != 0)
            m->edge.item[kept++] = m->edge.item[i];
    m->edge.count = kept;
    return status;
}

/* ---- Cutting ---- */

static ts_status add_cut(ts_mend *m, uint32_t edge, double t, uint32_t vertex, ts_error *error)
{
    if (m->cut.count >= TS_MEND_CUTS_MAX)
        return ts_fail(
            error, TS_BAD_INPUT,
            "the outline crosses itself more than %d times, the last time near (%g, %g); simplify the drawing",
            TS_MEND_CUTS_MAX / 2, ts_mend_place(m, vertex).x, ts_mend_place(m, vertex).y);
    return ts_array_push(&m->cut, ((ts_mend_cut){t, edge, vertex}), error);
}

/* Cuts edge `index` where an end of the other lies on it. */
static ts_status cut_at_end(ts_mend *m, uint32_t index, const ts_mend_curve *curve, uint32_t other, uint32_t vertex,
                            ts_error *error)
{
    const ts_mend_edge *e = &m->edge.item[index];
    double t;
    ts_vec2 p = at(m, vertex);
    if (vertex == e->a || vertex == e->b || !ts_mend_curve_near(curve, p, m->weld, &t))
        return TS_OK;
    if (same_place(m, p, e->a) || same_place(m, p, e->b))
        return TS_OK; /* the next weld's affair */
    TS_TRY(tell(m, e, &m->edge.item[other], vertex, TS_MEND_CROSS, error));
    m->vertex.item[vertex].halving = false;
    m->vertex.item[vertex].cuts = true;
    return add_cut(m, index, t, vertex, error);
}

/* Cuts both edges at p, a place on both. */
static ts_status cut_both(ts_mend *m, uint32_t i, uint32_t j, const ts_mend_curve curve[2], ts_vec2 p, ts_error *error)
{
    const ts_mend_edge *a = &m->edge.item[i], *b = &m->edge.item[j];
    double s, t;
    if (same_place(m, p, a->a) || same_place(m, p, a->b) || same_place(m, p, b->a) || same_place(m, p, b->b))
        return TS_OK; /* an end on the other edge: cut there */
    uint32_t shared[4] = {a->a, a->a, a->b, a->b}, match[4] = {b->a, b->b, b->a, b->b};
    for (int k = 0; k < 4; k++)
        if (shared[k] == match[k] && ts_mend_curve_together(&curve[0], &curve[1], at(m, shared[k]), p, m->weld))
            return TS_OK;
    if (!ts_mend_curve_near(&curve[0], p, m->weld, &s) || !ts_mend_curve_near(&curve[1], p, m->weld, &t))
        return TS_OK;
    uint32_t vertex = (uint32_t)m->vertex.count;
    TS_TRY(ts_array_push(&m->vertex, ((ts_mend_vertex){.x = p.x, .y = p.y, .cuts = true}), error));
    TS_TRY(tell(m, a, b, vertex, TS_MEND_CROSS, error));
    TS_TRY(add_cut(m, i, s, vertex, error));
    return add_cut(m, j, t, vertex, error);
}

static ts_status compare(ts_mend *m, uint32_t i, uint32_t j, ts_error *error)
{
    ts_mend_edge a = m->edge.item[i], b = m->edge.item[j];
    ts_mend_curve curve[2] = {ts_mend_edge_curve(m, &a), ts_mend_edge_curve(m, &b)};
    TS_TRY(cut_at_end(m, i, &curve[0], j, b.a, error));
    TS_TRY(cut_at_end(m, i, &curve[0], j, b.b, error));
    TS_TRY(cut_at_end(m, j, &curve[1], i, a.a, error));
    TS_TRY(cut_at_end(m, j, &curve[1], i, a.b, error));
    ts_vec2 p[2];
    int count = ts_mend_curve_cross(&curve[0], &curve[1], m->weld, p);
    for (int k = 0; k < count; k++)
        TS_TRY(cut_both(m, i, j, curve, p[k], error));
    return TS_OK;
}

/* All pairs of which one has changed since the last time. */
static ts_status compare_all(ts_mend *m, ts_error *error)
{
    size_t n = m->edge.count;
    ts_mend_box *box;
    TS_TRY(ts_new_raw(&box, n + 1, error));
    for (size_t i = 0; i < n; i++) {
        ts_mend_curve c = ts_mend_edge_curve(m, &m->edge.item[i]);
        box[i] = ts_mend_curve_box(&c);
    }
    ts_mend_tree tree;
    ts_status status = ts_mend_tree_make(&tree, box, n, error);
    if (status == TS_OK) {
        double w = m->weld;
        for (uint32_t i = 0; i < n && status == TS_OK; i++) {
            if (!m->edge.item[i].fresh)
                continue;
            ts_mend_walk walk =
                ts_mend_tree_walk(&tree, (ts_mend_box){box[i].x0 - w, box[i].y0 - w, box[i].x1 + w, box[i].y1 + w});
            for (uint32_t j; status == TS_OK && (j = ts_mend_tree_next(&walk)) != TS_MEND_NONE;)
                if (j > i || (j < i && !m->edge.item[j].fresh))
                    status = compare(m, i, j, error);
        }
        ts_mend_tree_free(&tree);
    }
    ts_free(box);
    for (size_t i = 0; i < n; i++)
        m->edge.item[i].fresh = false;
    return status;
}

static int by_edge(const void *pa, const void *pb)
{
    const ts_mend_cut *a = pa, *b = pb;
    if (a->edge != b->edge)
        return a->edge < b->edge ? -1 : 1;
    if (a->t != b->t)
        return a->t < b->t ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* The first piece takes the edge's place, the others go to the end. */
static ts_status apply_cuts(ts_mend *m, ts_error *error)
{
    qsort(m->cut.item, m->cut.count, sizeof *m->cut.item, by_edge);
    for (size_t i = 0, end; i < m->cut.count; i = end) {
        const ts_mend_edge whole = m->edge.item[m->cut.item[i].edge];
        double sweep = atan(whole.bulge), from = 0; /* a quarter of it */
        uint32_t begin = whole.a;
        for (end = i; end < m->cut.count && m->cut.item[end].edge == m->cut.item[i].edge; end++)
            ;
        for (size_t k = i; k <= end; k++) {
            double to = k < end ? m->cut.item[k].t : 1;
            ts_mend_edge part = whole;
            part.a = begin;
            part.b = k < end ? m->cut.item[k].vertex : whole.b;
            part.bulge = whole.bulge == 0 ? 0 : tan((to - from) * sweep);
            part.t0 = whole.t0 + from * (whole.t1 - whole.t0);
            part.t1 = k < end ? whole.t0 + to * (whole.t1 - whole.t0) : whole.t1;
            part.fresh = true;
            if (k == i)
                m->edge.item[m->cut.item[i].edge] = part;
            else
                TS_TRY(ts_array_push(&m->edge, part, error));
            begin = part.b;
            from = to;
        }
    }
    m->cut.count = 0;
    return TS_OK;
}

ts_status ts_mend_cross(ts_mend *m, ts_error *error)
{
    uint32_t old_count = (uint32_t)m->vertex.count;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        bool changed = true;
        for (int pass = 0; pass < ROUNDS_MAX && changed; pass++) /* a place that moved may have come near another */
            TS_TRY(weld(m, old_count, &changed, error));
        TS_TRY(merge(m, error));
        TS_TRY(compare_all(m, error));
        if (m->cut.count == 0)
            break;
        TS_TRY(apply_cuts(m, error));
    }
    return TS_OK; /* if it did not settle, the last check will say where */
}
