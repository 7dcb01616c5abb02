/* SPDX-License-Identifier: MIT */
#include "shape/mesh2_meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shape/triangulate.h"

/* A vertex made on an edge bends it by rounding, and may bring it to another: rounds after which that has always come
 * to an end. */
enum { ROUNDS_MOST = 8 };

static bool same(ts_vec2 a, ts_vec2 b)
{
    return a.x == b.x && a.y == b.y;
}

/* ---- Welding ---- */

typedef struct place {
    ts_vec2 at;
    size_t point;
} place;

static int by_place(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y)
        return a->at.y < b->at.y ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Each point moves to the first one, from the left, that stays and is near. */
static ts_status weld(ts_mesh2 *mesh, double reach, ts_error *error)
{
    size_t n = mesh->begin[mesh->contour_count];
    place *list;
    TS_TRY(ts_new_raw(&list, n + 1, error));
    for (size_t i = 0; i < n; i++)
        list[i] = (place){mesh->point[i], i};
    qsort(list, n, sizeof *list, by_place);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k-- > 0 && list[i].at.x - list[k].at.x <= reach;) {
            ts_vec2 to = mesh->point[list[k].point];
            if (same(to, list[k].at) && hypot(to.x - list[i].at.x, to.y - list[i].at.y) <= reach) {
                mesh->point[list[i].point] = to;
                break;
            }
        }
    ts_free(list);
    return TS_OK;
}

/* ---- Edges ---- */

typedef struct edge {
    ts_vec2 a, b;
    double x0, x1, y0, y1; /* box */
    size_t from;           /* index of a */
} edge;

static int by_left_end(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->x0 != b->x0)
        return a->x0 < b->x0 ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

/* A vertex to be made on an edge. */
typedef struct stop {
    size_t from; /* edge, by its first point */
    double along;
    ts_vec2 at;
} stop;
typedef TS_ARRAY(stop) stops;

static int by_edge(const void *left, const void *right)
{
    const stop *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    return (a->at.y > b->at.y) - (a->at.y < b->at.y);
}

/* p on e, within `reach` and not at its ends. */
static ts_status stop_at(const edge *e, ts_vec2 p, double reach, stops *list, bool *found, ts_error *error)
{
    if (p.x < e->x0 - reach || p.x > e->x1 + reach || p.y < e->y0 - reach || p.y > e->y1 + reach || same(p, e->a) ||
        same(p, e->b))
        return TS_OK;
    double dx = e->b.x - e->a.x, dy = e->b.y - e->a.y, length = hypot(dx, dy);
    double along = ((p.x - e->a.x) * dx + (p.y - e->a.y) * dy) / length;
    double off = fabs((p.y - e->a.y) * dx - (p.x - e->a.x) * dy) / length;
    if (!(along > 0 && along < length) || off > reach)
        return TS_OK;
    *found = true;
    return ts_array_push(list, ((stop){e->from, along, p}), error);
}

/* Where two edges cross within both. */
static ts_status stop_crossing(const edge *e, const edge *f, stops *list, ts_error *error)
{
    if (same(e->a, f->a) || same(e->a, f->b) || same(e->b, f->a) || same(e->b, f->b) ||
        ts_orientation(e->a, e->b, f->a) * ts_orientation(e->a, e->b, f->b) >= 0 ||
        ts_orientation(f->a, f->b, e->a) * ts_orientation(f->a, f->b, e->b) >= 0)
        return TS_OK;
    double ex = e->b.x - e->a.x, ey = e->b.y - e->a.y, fx = f->b.x - f->a.x, fy = f->b.y - f->a.y;
    double s = ((f->a.x - e->a.x) * fy - (f->a.y - e->a.y) * fx) / (ex * fy - ey * fx);
    ts_vec2 p = {e->a.x + s * ex, e->a.y + s * ey};
    double t = ((p.x - f->a.x) * fx + (p.y - f->a.y) * fy) / (fx * fx + fy * fy);
    if (!(s > 0 && s < 1) || same(p, e->a) || same(p, e->b) || same(p, f->a) || same(p, f->b))
        return TS_OK;
    TS_TRY(ts_array_push(list, ((stop){e->from, s * hypot(ex, ey), p}), error));
    return ts_array_push(list, ((stop){f->from, t * hypot(fx, fy), p}), error);
}

static ts_status stop_both(const edge *e, const edge *f, double reach, bool cross, stops *list, ts_error *error)
{
    bool found = false;
    TS_TRY(stop_at(e, f->a, reach, list, &found, error));
    TS_TRY(stop_at(f, e->a, reach, list, &found, error));
    TS_TRY(stop_at(e, f->b, reach, list, &found, error));
    TS_TRY(stop_at(f, e->b, reach, list, &found, error));
    return found || !cross ? TS_OK : stop_crossing(e, f, list, error);
}

static ts_status find_stops(const ts_mesh2 *mesh, double reach, bool cross, stops *list, ts_error *error)
{
    size_t n = mesh->begin[mesh->contour_count], count = 0;
    TS_AUTO_FREE edge *all = NULL;
    TS_TRY(ts_new_raw(&all, n + 1, error));
    for (size_t k = 0; k < mesh->contour_count; k++)
        for (size_t i = mesh->begin[k]; i < mesh->begin[k + 1]; i++) {
            ts_vec2 a = mesh->point[i], b = mesh->point[i + 1 < mesh->begin[k + 1] ? i + 1 : mesh->begin[k]];
            all[count++] = (edge){a, b, fmin(a.x, b.x), fmax(a.x, b.x), fmin(a.y, b.y), fmax(a.y, b.y), i};
        }
    qsort(all, count, sizeof *all, by_left_end);
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && all[k].x0 <= all[i].x1 + reach; k++)
            if (all[k].y0 <= all[i].y1 + reach && all[i].y0 <= all[k].y1 + reach)
                TS_TRY(stop_both(&all[i], &all[k], reach, cross, list, error));
    return TS_OK;
}

/* ---- All ---- */

/* The contours with these vertices made. */
static ts_status make_stops(ts_mesh2 *mesh, stops *list, ts_error *error)
{
    size_t n = mesh->begin[mesh->contour_count], next = 0, at = 0;
    ts_vec2 *point;
    TS_TRY(ts_new_raw(&point, n + list->count + 1, error));
    qsort(list->item, list->count, sizeof *list->item, by_edge);
    for (size_t k = 0, i = 0; k < mesh->contour_count; k++) {
        for (; i < mesh->begin[k + 1]; i++) {
            point[at++] = mesh->point[i];
            for (; next < list->count && list->item[next].from == i; next++)
                point[at++] = list->item[next].at;
        }
        mesh->begin[k + 1] = at; /* i has come there already */
    }
    ts_free(mesh->point);
    mesh->point = point;
    return TS_OK;
}

/* Neighbours that are the same point become one, and points at which a contour turns back on itself go; then contours
 * that are no more than two points. */
static void tidy(ts_mesh2 *mesh)
{
    size_t kept = 0, contours = 0, from = 0;
    for (size_t k = 0; k < mesh->contour_count; k++) {
        size_t end = mesh->begin[k + 1], first = kept;
        ts_vec2 *p = mesh->point;
        for (; from < end; from++) {
            p[kept++] = p[from];
            if (kept > first + 1 && same(p[kept - 1], p[kept - 2]))
                kept--;
            else if (kept > first + 2 && same(p[kept - 1], p[kept - 3]))
                kept -= 2;
        }
        while (kept > first + 1 && same(p[kept - 1], p[first]))
            kept--;
        if (kept < first + 3)
            kept = first;
        else
            mesh->begin[++contours] = kept;
    }
    mesh->contour_count = contours;
}

ts_status ts_mesh2_meet(ts_mesh2 *mesh, double reach, bool cross, ts_error *error)
{
    TS_TRY(weld(mesh, reach, error));
    tidy(mesh);
    for (int round = 0; round < ROUNDS_MOST; round++) {
        TS_AUTO_ARRAY stops list = {0};
        TS_TRY(find_stops(mesh, reach, cross, &list, error));
        if (list.count > 0)
            TS_TRY(make_stops(mesh, &list, error));
        size_t count = list.count;
        if (count == 0)
            break;
        TS_TRY(weld(mesh, 1e-3 * reach, error)); /* crossings at one place, computed from several edges */
        tidy(mesh);
    }
    return TS_OK;
}
