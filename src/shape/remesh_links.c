/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "shape/remesh_work.h"

typedef struct link {
    int32_t low, high, side;
} link;

static int by_vertices(const void *x, const void *y)
{
    const link *p = x, *q = y;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return (p->side > q->side) - (p->side < q->side);
}

/* Pairs the sides of all triangles. */
static ts_status pair_sides(ts_remesh_work *w, ts_error *error)
{
    const size_t count = w->from.count;
    TS_AUTO_FREE link *list = NULL;
    TS_TRY(ts_new_raw(&list, count, error));
    for (size_t i = 0; i < count; i++) {
        const int32_t h = (int32_t)i, a = ts_side_from(w, h), b = ts_side_to(w, h);
        list[i] = (link){a < b ? a : b, a < b ? b : a, h};
    }
    qsort(list, count, sizeof *list, by_vertices);
    for (size_t i = 0; i < count; i += 2) {
        const link *p = &list[i], *q = i + 1 < count ? &list[i + 1] : p;
        const bool more = i + 2 < count && p->low == list[i + 2].low && p->high == list[i + 2].high;
        if (p == q || p->low != q->low || p->high != q->high || more || p->low == p->high ||
            ts_side_from(w, p->side) == ts_side_from(w, q->side))
            return ts_fail(
                error, TS_BAD_INPUT,
                "the mesh to be remeshed is not closed and oriented at the edge from vertex %d to vertex %d; "
                "repair it",
                (int)p->low, (int)p->high);
        w->twin.item[p->side] = q->side;
        w->twin.item[q->side] = p->side;
    }
    return TS_OK;
}

ts_status ts_remesh_begin(ts_remesh_work *w, const ts_mesh *mesh, ts_error *error)
{
    const size_t sides = 3 * mesh->triangle_count, vertices = mesh->vertex_count;
    TS_TRY(ts_array_reserve(&w->from, sides, error));
    TS_TRY(ts_array_reserve(&w->twin, sides, error));
    TS_TRY(ts_array_reserve(&w->spot, vertices, error));
    TS_TRY(ts_array_reserve(&w->out, vertices, error));
    w->from.count = w->twin.count = sides;
    w->spot.count = w->out.count = w->vertices = vertices;
    for (size_t v = 0; v < vertices; v++) {
        w->spot.item[v] = (ts_spot){mesh->vertex[v], {0, 0, 0}, 1};
        w->out.item[v] = -1;
    }
    for (size_t h = 0; h < sides; h++) {
        w->from.item[h] = mesh->triangle[h / 3][h % 3];
        w->out.item[w->from.item[h]] = (int32_t)h;
    }
    TS_TRY(pair_sides(w, error));
    size_t reached = 0; /* by walks around vertices: all sides, if each vertex has one fan of triangles */
    for (size_t v = 0; v < vertices; v++) {
        if (w->out.item[v] < 0)
            return ts_fail(error, TS_BAD_INPUT, "vertex %zu of the mesh to be remeshed has no triangle; leave it out",
                           v);
        reached += (size_t)ts_remesh_valence(w, (int32_t)v);
    }
    if (reached != sides)
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh to be remeshed touches itself in a vertex; give each sheet a vertex of its own");
    return TS_OK;
}

void ts_remesh_end(ts_remesh_work *w)
{
    ts_array_free(&w->from);
    ts_array_free(&w->twin);
    ts_array_free(&w->spot);
    ts_array_free(&w->out);
}

void ts_remesh_compact(ts_remesh_work *w)
{
    int32_t vertices = 0, sides = 0;
    for (size_t v = 0; v < w->spot.count; v++)
        if (w->out.item[v] >= 0) {
            w->spot.item[vertices] = w->spot.item[v];
            w->out.item[v] = vertices++; /* its new number for now */
        }
    for (size_t t = 0; t < w->from.count; t += 3) {
        if (w->from.item[t] < 0)
            continue;
        for (int32_t k = 0; k < 3; k++) {
            /* a twin that has moved left its new number here, below `sides`; one that has not gets ours */
            const int32_t here = sides + k, twin = w->twin.item[t + (size_t)k];
            w->from.item[here] = w->out.item[w->from.item[t + (size_t)k]];
            w->twin.item[twin] = here;
            if (twin < sides)
                w->twin.item[here] = twin;
        }
        sides += 3;
    }
    w->from.count = w->twin.count = (size_t)sides;
    w->spot.count = w->out.count = (size_t)vertices;
    for (int32_t h = 0; h < sides; h++)
        w->out.item[w->from.item[h]] = h;
}

ts_status ts_remesh_give(const ts_remesh_work *w, ts_mesh **mesh, ts_error *error)
{
    TS_TRY(ts_mesh_create(w->spot.count, w->from.count / 3, mesh, error));
    for (size_t v = 0; v < w->spot.count; v++)
        (*mesh)->vertex[v] = w->spot.item[v].at;
    for (size_t h = 0; h < w->from.count; h++)
        (*mesh)->triangle[h / 3][h % 3] = w->from.item[h];
    return TS_OK;
}

int ts_remesh_valence(const ts_remesh_work *w, int32_t vertex)
{
    const int32_t first = w->out.item[vertex];
    int count = 0;
    int32_t h = first;
    do {
        count++;
        h = ts_side_around(w, h);
    } while (h != first);
    return count;
}

static bool has_edge(const ts_remesh_work *w, int32_t a, int32_t b)
{
    const int32_t first = w->out.item[a];
    int32_t h = first;
    do {
        if (ts_side_to(w, h) == b)
            return true;
        h = ts_side_around(w, h);
    } while (h != first);
    return false;
}

bool ts_remesh_may_collapse(const ts_remesh_work *w, int32_t h)
{
    const int32_t b = ts_side_to(w, h), g = w->twin.item[h];
    if (ts_remesh_valence(w, ts_side_across(w, h)) <= 3 || ts_remesh_valence(w, ts_side_across(w, g)) <= 3)
        return false;
    int common = 0; /* neighbours of both ends: those across the edge, and no others */
    int32_t i = h;
    do {
        const int32_t neighbour = ts_side_to(w, i);
        common += neighbour != b && has_edge(w, b, neighbour);
        i = ts_side_around(w, i);
    } while (i != h);
    return common == 2;
}

bool ts_remesh_may_flip(const ts_remesh_work *w, int32_t h)
{
    const int32_t g = w->twin.item[h];
    return ts_remesh_valence(w, ts_side_from(w, h)) > 3 && ts_remesh_valence(w, ts_side_to(w, h)) > 3 &&
           !has_edge(w, ts_side_across(w, h), ts_side_across(w, g));
}

static void pair(ts_remesh_work *w, int32_t g, int32_t h)
{
    w->twin.item[g] = h;
    w->twin.item[h] = g;
}

ts_status ts_remesh_split(ts_remesh_work *w, int32_t h, ts_spot spot, ts_error *error)
{
    TS_TRY(ts_array_reserve(&w->from, w->from.count + 6, error));
    TS_TRY(ts_array_reserve(&w->twin, w->twin.count + 6, error));
    TS_TRY(ts_array_push(&w->spot, spot, error));
    const ts_status status = ts_array_push(&w->out, -1, error);
    if (status != TS_OK) {
        w->spot.count--;
        return status;
    }
    const int32_t g = w->twin.item[h], n = ts_side_next(h), p = ts_side_prev(g);
    const int32_t b = ts_side_to(w, h), c = ts_side_across(w, h), d = ts_side_across(w, g);
    const int32_t m = (int32_t)w->spot.count - 1, s = (int32_t)w->from.count, t = s + 3;
    w->from.count += 6;
    w->twin.count += 6;
    const int32_t corner[6] = {m, b, c, b, m, d}; /* the halves at b: (m, b, c) and (b, m, d) */
    for (int i = 0; i < 6; i++)
        w->from.item[s + i] = corner[i];
    pair(w, s + 1, w->twin.item[n]);
    pair(w, t + 2, w->twin.item[p]);
    pair(w, s + 2, n);
    pair(w, t + 1, p);
    pair(w, s, t);
    w->from.item[n] = m; /* (a, m, c) */
    w->from.item[g] = m; /* (m, a, d) */
    w->out.item[m] = g;
    w->out.item[b] = s + 1;
    w->vertices++;
    return TS_OK;
}

void ts_remesh_collapse(ts_remesh_work *w, int32_t h, ts_spot spot)
{
    const int32_t g = w->twin.item[h], a = ts_side_from(w, h), b = ts_side_to(w, h);
    const int32_t c = ts_side_across(w, h), d = ts_side_across(w, g);
    int32_t i = g;
    do {
        w->from.item[i] = a;
        i = ts_side_around(w, i);
    } while (i != g);
    const int32_t from_c = w->twin.item[ts_side_next(h)], from_a = w->twin.item[ts_side_prev(h)];
    const int32_t from_d = w->twin.item[ts_side_next(g)], to_d = w->twin.item[ts_side_prev(g)];
    pair(w, from_c, from_a);
    pair(w, from_d, to_d);
    for (int32_t k = 0; k < 3; k++)
        w->from.item[h / 3 * 3 + k] = w->from.item[g / 3 * 3 + k] = -1;
    w->out.item[a] = from_a;
    w->out.item[c] = from_c;
    w->out.item[d] = from_d;
    w->out.item[b] = -1;
    w->spot.item[a] = spot;
    w->vertices--;
}

void ts_remesh_flip(ts_remesh_work *w, int32_t h)
{
    const int32_t g = w->twin.item[h], s = h / 3 * 3, t = g / 3 * 3;
    const int32_t a = ts_side_from(w, h), b = ts_side_to(w, h), c = ts_side_across(w, h), d = ts_side_across(w, g);
    const int32_t bc = w->twin.item[ts_side_next(h)], ca = w->twin.item[ts_side_prev(h)];
    const int32_t ad = w->twin.item[ts_side_next(g)], db = w->twin.item[ts_side_prev(g)];
    const int32_t first[3] = {a, d, c}, second[3] = {d, b, c};
    for (int32_t k = 0; k < 3; k++) {
        w->from.item[s + k] = first[k];
        w->from.item[t + k] = second[k];
    }
    pair(w, s, ad);
    pair(w, s + 1, t + 2);
    pair(w, s + 2, ca);
    pair(w, t, db);
    pair(w, t + 1, bc);
    w->out.item[a] = s;
    w->out.item[d] = t;
    w->out.item[c] = s + 2;
    w->out.item[b] = t + 1;
}
