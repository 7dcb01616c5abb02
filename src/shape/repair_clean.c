/* SPDX-License-Identifier: MIT */
/* From contours as drawn to vertices and edges in the frame of the work. */
#include <math.h>

#include "shape/outline.h"
#include "shape/repair_work.h"

/* ---- Numbers and frame ---- */

static ts_status check_numbers(const ts_mend *m, ts_error *error)
{
    size_t edges = 0;
    for (size_t i = 0; i < m->contour_count; i++)
        edges += m->contour[i].vertex_count;
    if (edges > TS_OUTLINE_EDGES_MAX)
        return ts_fail(error, TS_BAD_INPUT,
                       "the outline has %zu edges, but at most %d are allowed; simplify the drawing, or give a larger "
                       "tolerance",
                       edges, TS_OUTLINE_EDGES_MAX);
    for (size_t i = 0; i < m->contour_count; i++)
        for (size_t k = 0; k < m->contour[i].vertex_count; k++) {
            ts_vertex v = m->contour[i].vertex[k];
            if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.bulge))
                return ts_fail(
                    error, TS_BAD_INPUT,
                    "contour %zu, vertex %zu: (%g, %g) with bulge %g is not made of finite numbers; correct it", i + 1,
                    k + 1, v.x, v.y, v.bulge);
        }
    return TS_OK;
}

static void widen(ts_mend_box *box, double x, double y)
{
    *box = (ts_mend_box){fmin(box->x0, x), fmin(box->y0, y), fmax(box->x1, x), fmax(box->y1, y)};
}

static const ts_mend_box NOTHING = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

/* Box of an edge; that of an arc of more than a half circle by its halves. */
static void widen_by_edge(ts_mend_box *box, const ts_segment *s)
{
    widen(box, s->x0, s->y0);
    widen(box, s->x1, s->y1);
    if (s->bulge == 0)
        return;
    ts_segment half[2];
    ts_segment_halve(s, half);
    for (int i = 0; i < 2; i++) {
        ts_mend_curve c = ts_mend_curve_make(&half[i]);
        ts_mend_box b = ts_mend_curve_box(&c);
        widen(box, b.x0, b.y0);
        widen(box, b.x1, b.y1);
    }
}

static ts_status choose_frame(ts_mend *m, ts_error *error)
{
    ts_mend_box box = NOTHING;
    for (size_t i = 0; i < m->contour_count; i++) {
        const ts_contour *c = &m->contour[i];
        if (c->vertex_count == 1)
            widen(&box, c->vertex[0].x, c->vertex[0].y);
        for (size_t k = 0; k < ts_contour_segment_count(c); k++) {
            ts_segment s = ts_contour_segment(c, k);
            widen_by_edge(&box, &s);
        }
    }
    if (!(box.x0 <= box.x1))
        return ts_fail(error, TS_BAD_INPUT, "the outline is empty; give at least one contour");
    double extent = fmax(box.x1 - box.x0, box.y1 - box.y0);
    double far = fmax(fmax(fabs(box.x0), fabs(box.x1)), fmax(fabs(box.y0), fabs(box.y1)));
    if (extent == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the outline has no area: contour 1 near (%g, %g) is a single point; draw an outline", box.x0,
                       box.y0);
    if (!(extent < 1e150 && far < 1e150 && extent > 1e-150))
        return ts_fail(error, TS_BAD_INPUT,
                       "the outline is %g across and reaches %g from the origin, which is too small or too large to "
                       "compute with; scale the drawing",
                       extent, far);
    int exponent;
    (void)frexp(extent, &exponent);
    m->scale = ldexp(1, exponent - 1);
    m->centre_x = 0.5 * (box.x0 + box.x1);
    m->centre_y = 0.5 * (box.y0 + box.y1);
    m->extent = extent / m->scale;
    /* far from the origin the drawing's own numbers are coarser */
    double grain = 16 * 0x1p-52 * far / m->scale;
    m->weld = fmax(TS_MEND_WELD * m->extent, grain);
    if (m->weld > 1e-7 * m->extent)
        return ts_fail(error, TS_BAD_INPUT,
                       "the outline is %g across but %g from the origin, so its coordinates have too few digits left; "
                       "draw it nearer to the origin",
                       extent, far);
    return TS_OK;
}

/* ---- One contour ---- */

/* A vertex in the frame of the work and what stands for the edge that begins there. */
typedef struct point {
    ts_mend_vertex v;
    double bulge;
    double t0, t1; /* part of the source */
    uint32_t source;
} point;

typedef struct points {
    TS_ARRAY(point) list;
} points;

static ts_mend_vertex vertex_of(const ts_mend *m, ts_vertex v)
{
    return (ts_mend_vertex){.x = (v.x - m->centre_x) / m->scale,
                            .y = (v.y - m->centre_y) / m->scale,
                            .out_x = v.x,
                            .out_y = v.y,
                            .drawn = true};
}

static ts_status add_source(ts_mend *m, double bulge, bool closing, uint32_t *source, ts_error *error)
{
    *source = (uint32_t)m->source.count;
    return ts_array_push(&m->source, ((ts_mend_source){bulge, closing}), error);
}

/* Vertices with arcs of at most a half circle; one that closes an open contour is added. */
static ts_status take_points(ts_mend *m, size_t index, points *p, ts_error *error)
{
    const ts_contour *c = &m->contour[index];
    size_t edges = ts_contour_segment_count(c);
    for (size_t k = 0; k < c->vertex_count; k++) {
        bool closing = k >= edges;
        double b = closing ? 0 : c->vertex[k].bulge;
        point at = {.v = vertex_of(m, c->vertex[k]), .bulge = b, .t0 = 0, .t1 = 1};
        TS_TRY(add_source(m, b, closing, &at.source, error));
        if (fabs(b) <= 1 + 1e-9) {
            TS_TRY(ts_array_push(&p->list, at, error));
            continue;
        }
        ts_segment s = ts_contour_segment(c, k);
        ts_vec2 middle = ts_segment_middle(&s);
        point half = {.v = vertex_of(m, (ts_vertex){middle.x, middle.y, 0}),
                      .bulge = ts_bulge_half(b),
                      .t0 = 0.5,
                      .t1 = 1,
                      .source = at.source};
        half.v.halving = true;
        at.bulge = half.bulge;
        at.t1 = 0.5;
        TS_TRY(ts_array_push(&p->list, at, error));
        TS_TRY(ts_array_push(&p->list, half, error));
    }
    return TS_OK;
}

static double distance(const point *a, const point *b)
{
    return hypot(b->v.x - a->v.x, b->v.y - a->v.y);
}

/* Snaps or closes the end of an open contour. */
static ts_status close_end(ts_mend *m, size_t index, points *p, ts_error *error)
{
    size_t n = p->list.count;
    if (!m->contour[index].open || n < 2)
        return TS_OK;
    double gap = distance(&p->list.item[n - 1], &p->list.item[0]);
    ts_mend_vertex at = p->list.item[n - 1].v;
    bool snap = gap <= TS_MEND_SPECK * m->extent && n > 2;
    if (snap)
        p->list.count--; /* the last edge ends in the first vertex now */
    if (gap <= TS_MEND_SAME * m->extent)
        return TS_OK;
    return ts_mend_note(m, error, "contour %zu was open by %g at (%g, %g): %s", index + 1, gap * m->scale, at.out_x,
                        at.out_y, snap ? "snapped shut" : "closed with a straight line");
}

/* Drops edges that are shorter than the eye and the arithmetic can see. */
static ts_status drop_short(ts_mend *m, size_t index, points *p, ts_error *error)
{
    size_t kept = 0, dropped = 0, n = p->list.count;
    point *q = p->list.item;
    double same = fmax(TS_MEND_SAME * m->extent, 0.01 * m->weld), least = fmax(TS_MEND_EDGE * m->extent, 4 * m->weld);
    for (size_t k = 0; k < n; k++) {
        if (kept > 0) {
            double length = distance(&q[kept - 1], &q[k]);
            if (length <= least) { /* the edge that would end here goes; the next one begins where it began */
                dropped += length > same;
                point was = q[kept - 1];
                q[kept - 1] = q[k];
                if (!was.v.halving || q[k].v.halving) /* drawn vertices stay where they are */
                    q[kept - 1].v = was.v;
                continue;
            }
        }
        q[kept++] = q[k];
    }
    while (kept > 1) {
        double length = distance(&q[kept - 1], &q[0]);
        if (length > least)
            break;
        dropped += length > same;
        kept--;
    }
    p->list.count = kept;
    if (dropped == 0)
        return TS_OK;
    return ts_mend_note(m, error, "contour %zu: %zu edge%s shorter than %g dropped", index + 1, dropped,
                        dropped > 1 ? "s" : "", least * m->scale);
}

/* Why a contour cannot bound anything; NULL when it may. */
static const char *flaw(const ts_mend *m, size_t index, const points *p)
{
    if (p->list.count < 2)
        return "has fewer than two distinct points";
    bool straight = true;
    ts_mend_box box = NOTHING;
    for (size_t k = 0; k < p->list.count; k++) {
        const point *a = &p->list.item[k], *b = &p->list.item[k + 1 < p->list.count ? k + 1 : 0];
        straight &= a->bulge == 0;
        ts_segment s = {a->v.x, a->v.y, b->v.x, b->v.y, a->bulge};
        widen_by_edge(&box, &s);
    }
    if (p->list.count == 2 && straight)
        return m->contour[index].open ? "is a single line" : "goes to and fro along one line";
    if (fmax(box.x1 - box.x0, box.y1 - box.y0) < TS_MEND_SPECK * m->extent)
        return "is a speck, less than a millionth of the drawing";
    return NULL;
}

static ts_status take_edges(ts_mend *m, size_t index, const points *p, ts_error *error)
{
    uint32_t first = (uint32_t)m->vertex.count;
    size_t n = p->list.count;
    for (size_t k = 0; k < n; k++) {
        const point *at = &p->list.item[k];
        TS_TRY(ts_array_push(&m->vertex, at->v, error));
        ts_mend_edge e = {.a = first + (uint32_t)k,
                          .b = first + (uint32_t)(k + 1 < n ? k + 1 : 0),
                          .bulge = at->bulge,
                          .t0 = at->t0,
                          .t1 = at->t1,
                          .source = at->source,
                          .contour = (uint32_t)index,
                          .turns = 1,
                          .fresh = true};
        TS_TRY(ts_array_push(&m->edge, e, error));
        m->vertex.item[m->vertex.count - 1].drawn = !at->v.halving;
    }
    for (size_t k = 0; k < n; k++) {
        ts_mend_curve c = ts_mend_edge_curve(m, &m->edge.item[m->edge.count - n + k]);
        m->fate[index].area += ts_mend_curve_area(&c);
    }
    return TS_OK;
}

static ts_status clean_contour(ts_mend *m, size_t index, points *p, ts_error *error)
{
    p->list.count = 0;
    const ts_contour *c = &m->contour[index];
    TS_TRY(take_points(m, index, p, error));
    bool line = c->open && p->list.count < 3 && (p->list.count < 2 || p->list.item[0].bulge == 0);
    if (!line) {
        TS_TRY(close_end(m, index, p, error));
        TS_TRY(drop_short(m, index, p, error));
    }
    const char *why = line ? "is a single line" : flaw(m, index, p);
    if (!why)
        return take_edges(m, index, p, error);
    m->fate[index].dropped = true;
    if (c->vertex_count == 0)
        return ts_mend_note(m, error, "contour %zu is empty: dropped", index + 1);
    return ts_mend_note(m, error, "contour %zu near (%g, %g) %s: dropped", index + 1, c->vertex[0].x, c->vertex[0].y,
                        why);
}

/* Why nothing at all remains: said of the first contour. */
static ts_status refuse_empty(const ts_mend *m, ts_error *error)
{
    const ts_contour *c = &m->contour[0];
    size_t i = 0;
    while (i + 1 < m->contour_count && c->vertex_count == 0)
        c = &m->contour[++i];
    bool line = c->open && c->vertex_count < 3;
    return ts_fail(error, TS_BAD_INPUT, "the outline has no area: contour %zu near (%g, %g) %s; draw a closed outline",
                   i + 1, c->vertex[0].x, c->vertex[0].y,
                   line                   ? "is a single line"
                   : m->contour_count > 1 ? "and all others bound nothing"
                                          : "bounds nothing");
}

ts_status ts_mend_clean(ts_mend *m, ts_error *error)
{
    if (m->contour_count == 0)
        return ts_fail(error, TS_BAD_INPUT, "the outline is empty; give at least one contour");
    TS_TRY(check_numbers(m, error));
    TS_TRY(choose_frame(m, error));
    points p = {0};
    ts_status status = TS_OK;
    for (size_t i = 0; i < m->contour_count && status == TS_OK; i++)
        status = clean_contour(m, i, &p, error);
    ts_array_free(&p.list);
    TS_TRY(status);
    return m->edge.count > 0 ? TS_OK : refuse_empty(m, error);
}
