/* SPDX-License-Identifier: MIT */
/* The result looked at afresh: only the contours that go out, with none of what was known while they were made. */
#include <math.h>

#include "shape/repair_work.h"

enum { MANY = 200 }; /* contours from which on rays are worth some preparation */

/* An edge of the result, or half of one. */
typedef struct side {
    ts_mend_curve curve;
    uint32_t contour;
} side;

typedef struct inspection {
    const ts_mend *m;
    TS_ARRAY(side) side;
    ts_mend_field field; /* the sides */
    double *area;        /* of each contour */
} inspection;

static ts_status add_side(inspection *in, const ts_segment *s, uint32_t contour, ts_error *error)
{
    side one = {ts_mend_curve_make(s), contour};
    in->area[contour] += ts_mend_curve_area(&one.curve);
    return ts_array_push(&in->side, one, error);
}

static ts_status take_sides(inspection *in, ts_error *error)
{
    const ts_mend *m = in->m;
    const ts_repaired *out = m->out;
    for (size_t i = 0; i + 1 < out->begin.count; i++) {
        size_t begin = out->begin.item[i], end = out->begin.item[i + 1];
        for (size_t k = begin; k < end; k++) {
            size_t next = k + 1 < end ? k + 1 : begin;
            const ts_vertex *p = &out->vertex.item[k], *q = &out->vertex.item[next];
            ts_segment s = {(p->x - m->centre_x) / m->scale, (p->y - m->centre_y) / m->scale,
                            (q->x - m->centre_x) / m->scale, (q->y - m->centre_y) / m->scale, p->bulge};
            if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->bulge) || end - begin < 2 ||
                (s.x0 == s.x1 && s.y0 == s.y1))
                return ts_fail(error, TS_BAD_INPUT,
                               "the outline shrinks to a point near (%g, %g); simplify the drawing there", p->x, p->y);
            uint32_t contour = (uint32_t)i;
            if (fabs(s.bulge) <= 1 + 1e-9) {
                TS_TRY(add_side(in, &s, contour, error));
                continue;
            }
            ts_segment half[2];
            ts_segment_halve(&s, half);
            TS_TRY(add_side(in, &half[0], contour, error));
            TS_TRY(add_side(in, &half[1], contour, error));
        }
    }
    return TS_OK;
}

static bool is_end(const ts_mend_curve *c, ts_vec2 p, double tolerance)
{
    return hypot(p.x - c->x0, p.y - c->y0) <= tolerance || hypot(p.x - c->x1, p.y - c->y1) <= tolerance;
}

/* Ends that the sides have in common, to the tolerance. */
static int shared_ends(const ts_mend_curve *a, const ts_mend_curve *b, double tolerance, ts_vec2 p[2])
{
    int n = 0;
    ts_vec2 end[2] = {{a->x0, a->y0}, {a->x1, a->y1}};
    for (int i = 0; i < 2; i++)
        if (ts_mend_curve_near(b, end[i], tolerance, NULL) || is_end(b, end[i], tolerance))
            p[n++] = end[i];
    return n;
}

/* Two sides that cross, or run along each other, beyond what rounding explains. */
static bool collide(const ts_mend_curve *a, const ts_mend_curve *b, double tolerance, ts_vec2 *where)
{
    ts_vec2 p[2], shared[2];
    int count = ts_mend_curve_cross(a, b, 1e-3 * tolerance, p), n = shared_ends(a, b, tolerance, shared);
    for (int i = 0; i < count; i++) {
        *where = p[i];
        bool fine = is_end(a, p[i], tolerance) || is_end(b, p[i], tolerance);
        for (int k = 0; k < n && !fine; k++)
            fine = ts_mend_curve_together(a, b, shared[k], p[i], tolerance);
        /* a touch in the middle of both is no crossing: beyond it each stays on its side of the other */
        if (!fine && a->bulge == 0 && b->bulge == 0)
            return true;
        if (!fine && count == 2)
            return true;
        if (!fine) {
            ts_vec2 end[2] = {{a->x0, a->y0}, {a->x1, a->y1}};
            bool left[2];
            for (int k = 0; k < 2; k++) {
                double dx = end[k].x - b->x0, dy = end[k].y - b->y0;
                double u = dx * b->ex + dy * b->ey, v = dy * b->ex - dx * b->ey;
                left[k] = b->square * (u * (u - b->chord) + v * v) - b->slope * v <= 0;
            }
            if (left[0] != left[1])
                return true;
        }
    }
    if (n == 2 && is_end(b, shared[0], tolerance) && is_end(b, shared[1], tolerance)) {
        *where = ts_mend_curve_middle(a);
        return ts_mend_curve_near(b, *where, 1e-2 * tolerance, NULL);
    }
    return false;
}

static ts_status check_crossings(inspection *in, ts_error *error)
{
    const ts_mend *m = in->m;
    double tolerance = fmax(TS_MEND_EDGE * m->extent, 10 * m->weld);
    for (uint32_t i = 0; i < in->side.count; i++) {
        ts_mend_walk walk = ts_mend_tree_walk(&in->field.tree, ts_mend_curve_box(&in->side.item[i].curve));
        for (uint32_t j; (j = ts_mend_tree_next(&walk)) != TS_MEND_NONE;) {
            ts_vec2 p;
            if (j <= i || !collide(&in->side.item[i].curve, &in->side.item[j].curve, tolerance, &p))
                continue;
            return ts_fail(
                error, TS_BAD_INPUT,
                "contours %u and %u of the mended outline still cross near (%g, %g); simplify the drawing there",
                in->side.item[i].contour + 1, in->side.item[j].contour + 1, m->centre_x + m->scale * p.x,
                m->centre_y + m->scale * p.y);
        }
    }
    return TS_OK;
}

/* No other side comes near p, a point of side `own`: a ray from there is sure of its count. */
static bool is_clear(const inspection *in, ts_vec2 p, uint32_t own, double tolerance)
{
    ts_mend_box around = {p.x - tolerance, p.y - tolerance, p.x + tolerance, p.y + tolerance};
    ts_mend_walk walk = ts_mend_tree_walk(&in->field.tree, around);
    for (uint32_t j; (j = ts_mend_tree_next(&walk)) != TS_MEND_NONE;)
        if (j != own && ts_mend_curve_near(&in->side.item[j].curve, p, tolerance, NULL))
            return false;
    return true;
}

typedef struct probe {
    uint32_t side;
    ts_mend_part part;
} probe;

/* A place on the sides first … last - 1, away from all others where that can be had. */
static probe choose_probe(const inspection *in, uint32_t first, uint32_t last, double tolerance)
{
    for (int part = 0; part < TS_MEND_PARTS; part++)
        for (uint32_t k = first; k < last; k++)
            if (is_clear(in, ts_mend_field_probe(&in->field, k, (ts_mend_part)part), k, tolerance))
                return (probe){k, (ts_mend_part)part};
    return (probe){first, TS_MEND_WHOLE};
}

/* The winding number to the left of a point of every contour is 1, and so 0 to its right: the inside is to the left of
 * every edge. */
static ts_status check_nesting(const inspection *in, ts_error *error)
{
    const ts_mend *m = in->m;
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i + 1 < m->out->begin.count; i++, first = last) {
        while (last < in->side.count && in->side.item[last].contour == i)
            last++;
        probe at = choose_probe(in, first, last, 10 * m->weld);
        if (ts_mend_field_left(&in->field, at.side, at.part, false) == 1 && in->area[i] != 0)
            continue;
        ts_vec2 p = ts_mend_field_probe(&in->field, at.side, at.part);
        return ts_fail(
            error, TS_BAD_INPUT,
            "contour %u of the mended outline, near (%g, %g), is neither an outer one nor a hole; simplify the "
            "drawing there",
            i + 1, m->centre_x + m->scale * p.x, m->centre_y + m->scale * p.y);
    }
    return TS_OK;
}

static int32_t get_side(const void *owner, uint32_t i, ts_mend_curve *curve)
{
    const inspection *in = owner;
    *curve = in->side.item[i].curve;
    return 1;
}

static ts_status inspect(inspection *in, ts_error *error)
{
    TS_TRY(take_sides(in, error));
    in->field = (ts_mend_field){.get = get_side, .owner = in, .margin = in->m->weld};
    TS_TRY(ts_mend_field_make(&in->field, in->side.count, in->m->out->begin.count > MANY, error));
    TS_TRY(check_crossings(in, error));
    TS_TRY(check_nesting(in, error));
    double area = 0;
    for (size_t i = 0; i + 1 < in->m->out->begin.count; i++)
        area += in->area[i];
    if (!(area > 0))
        return ts_fail(error, TS_BAD_INPUT, "the outline has no area left after mending; simplify the drawing");
    return TS_OK;
}

ts_status ts_mend_verify(const ts_mend *m, ts_error *error)
{
    inspection in = {.m = m};
    size_t n = m->out->begin.count;
    in.area = ts_alloc(n, sizeof *in.area);
    ts_status status = in.area ? inspect(&in, error) : ts_fail_memory(error, n * sizeof *in.area);
    ts_array_free(&in.side);
    ts_mend_field_free(&in.field);
    ts_free(in.area);
    return status;
}
