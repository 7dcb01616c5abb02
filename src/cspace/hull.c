/* SPDX-License-Identifier: MIT */
#include "cspace/hull.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "shape/segment.h"

typedef TS_ARRAY(ts_hull2_piece) pieces;

static const double full = 2 * TS_PI, flattest = 1e-8;

static double wrapped(double angle)
{
    double a = angle - full * floor(angle / full);
    return a >= 0 && a < full ? a : 0;
}

static bool same(const ts_hull2_piece *a, const ts_hull2_piece *b)
{
    return a->c.x == b->c.x && a->c.y == b->c.y && a->r == b->r;
}

static ts_status push(pieces *to, double from, const ts_hull2_piece *piece, ts_error *error)
{
    if (to->count > 0 && same(&to->item[to->count - 1], piece))
        return TS_OK;
    return ts_array_push(to, ((ts_hull2_piece){from, piece->c, piece->r}), error);
}

/* ---- One edge ---- */

/* Each edge answers for its begin as well: a line that ends here begins as the next one. */
static ts_status put_edge(const ts_segment *s, ts_vec2 centre, pieces *to, ts_error *error)
{
    ts_vec2 begin = ts_vec2_sub((ts_vec2){s->x0, s->y0}, centre), end = ts_vec2_sub((ts_vec2){s->x1, s->y1}, centre);
    if (!(s->bulge > flattest))
        return push(to, 0, &(ts_hull2_piece){0, begin, 0}, error);
    /* an arc reaches farthest within, then at its end, and from straight behind on at its begin */
    ts_arc arc = ts_segment_arc(s);
    ts_hull2_piece part[3] = {{wrapped(arc.start), {arc.cx - centre.x, arc.cy - centre.y}, arc.radius},
                              {wrapped(arc.start + arc.sweep), end, 0},
                              {wrapped(arc.start + 0.5 * arc.sweep + TS_PI), begin, 0}};
    int first = 0; /* the one with the least direction; that before it spans 0 */
    for (int i = 1; i < 3; i++)
        if (part[i].from < part[first].from)
            first = i;
    TS_TRY(push(to, 0, &part[part[first].from > 0 ? (first + 2) % 3 : first], error));
    for (int i = 0; i < 3; i++)
        TS_TRY(push(to, part[(first + i) % 3].from, &part[(first + i) % 3], error));
    return TS_OK;
}

/* ---- The larger of two ---- */

/* Between two directions, in which each of both is one piece: they are equal at two directions at most. */
static ts_status put_larger(const ts_hull2_piece *a, const ts_hull2_piece *b, double low, double high, pieces *to,
                            ts_error *error)
{
    ts_vec2 across = ts_vec2_sub(a->c, b->c);
    double more = a->r - b->r, apart = ts_vec2_length(across), at[4] = {low};
    int count = 1;
    if (apart > fabs(more)) { /* |across| cos(ψ - way) = -more */
        double way = atan2(across.y, across.x), turn = acos(-more / apart);
        double x = wrapped(way - turn), y = wrapped(way + turn), first = fmin(x, y), second = fmax(x, y);
        if (first > low && first < high)
            at[count++] = first;
        if (second > at[count - 1] && second < high)
            at[count++] = second;
    }
    at[count] = high;
    for (int i = 0; i < count; i++) {
        double middle = 0.5 * (at[i] + at[i + 1]);
        double lead = across.x * cos(middle) + across.y * sin(middle) + more;
        TS_TRY(push(to, at[i], lead >= 0 ? a : b, error));
    }
    return TS_OK;
}

static double end_of(const pieces *p, size_t i)
{
    return i + 1 < p->count ? p->item[i + 1].from : full;
}

static ts_status merge(const pieces *a, const pieces *b, pieces *to, ts_error *error)
{
    size_t i = 0, j = 0;
    for (double low = 0; low < full;) {
        double end_a = end_of(a, i), end_b = end_of(b, j), high = fmin(end_a, end_b);
        if (high > low)
            TS_TRY(put_larger(&a->item[i], &b->item[j], low, high, to, error));
        i += end_a <= high && i + 1 < a->count;
        j += end_b <= high && j + 1 < b->count;
        low = high;
    }
    return TS_OK;
}

static ts_status envelope(const ts_segment *edge, size_t count, ts_vec2 centre, pieces *to, ts_error *error)
{
    if (count == 1)
        return put_edge(edge, centre, to, error);
    pieces a = {0}, b = {0};
    ts_status status = envelope(edge, count / 2, centre, &a, error);
    if (status == TS_OK)
        status = envelope(edge + count / 2, count - count / 2, centre, &b, error);
    if (status == TS_OK)
        status = merge(&a, &b, to, error);
    ts_array_free(&a);
    ts_array_free(&b);
    return status;
}

/* ---- All ---- */

static ts_status collect_edges(const ts_outline *outline, ts_segment **edge, size_t *count, ts_error *error)
{
    size_t contours = ts_outline_contour_count(outline), total = 0;
    for (size_t i = 0; i < contours; i++)
        total += ts_outline_get_contour(outline, i).vertex_count;
    ts_segment *all;
    TS_TRY(ts_new_raw(&all, total, error));
    *edge = all;
    *count = total;
    for (size_t i = 0; i < contours; i++) {
        ts_contour c = ts_outline_get_contour(outline, i);
        for (size_t k = 0; k < c.vertex_count; k++)
            *all++ = ts_contour_segment(&c, k);
    }
    return TS_OK;
}

ts_status ts_hull2_create(const ts_outline *outline, ts_hull2 *hull, ts_error *error)
{
    *hull = (ts_hull2){0};
    ts_outline_mass mass = ts_outline_get_mass(outline);
    ts_segment *edge;
    size_t count;
    TS_TRY(collect_edges(outline, &edge, &count, error));
    pieces made = {0};
    ts_status status = envelope(edge, count, (ts_vec2){mass.centre[0], mass.centre[1]}, &made, error);
    ts_free(edge);
    if (status == TS_OK)
        status = ts_array_push(&made, ((ts_hull2_piece){.from = full}), error);
    if (status != TS_OK) {
        ts_array_free(&made);
        return status;
    }
    *hull = (ts_hull2){made.count - 1, made.item};
    return TS_OK;
}

void ts_hull2_free(ts_hull2 *hull)
{
    ts_free(hull->piece);
    *hull = (ts_hull2){0};
}

size_t ts_hull2_find(const ts_hull2 *hull, double direction)
{
    size_t low = 0, high = hull->count; /* piece[low].from ≤ direction < piece[high].from */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (hull->piece[middle].from <= direction)
            low = middle;
        else
            high = middle;
    }
    return low;
}
