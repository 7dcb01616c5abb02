/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "shape/remesh_work.h"

/* What a share of the edge's length that the middle of a diagonal lies off the surface counts, in units of the triangles'
 * quality; outside of the body twice. */
static const double off_cost = 4;
/* Least gain of a flip, so that two diagonals do not take turns. */
static const double gain = 1e-3;
/* Cosine between two triangles, above which both of their diagonals lie off the surface alike. */
static const double flat = 0.95;
/* Of a flip, and of the triangles that a split makes. */
static const ts_remesh_guard allowed = {.turn = 0.2, .facing = 0.2, .quality = 0.05};
enum { FLIP_ROUNDS = 10 };

typedef struct edge {
    double length;
    int32_t side, from, to; /* the side's ends when it was listed: another pair now means that it has changed */
} edge;
typedef TS_ARRAY(edge) edge_array;

static int by_length(const void *x, const void *y)
{
    const edge *p = x, *q = y;
    if (p->length != q->length)
        return p->length < q->length ? -1 : 1;
    return (p->side > q->side) - (p->side < q->side);
}

/* Edges with low < length < high, shortest first. */
static ts_status list_edges(const ts_remesh_work *w, double low, double high, edge_array *list, ts_error *error)
{
    list->count = 0;
    for (int32_t h = 0; h < (int32_t)w->from.count; h++) {
        if (!ts_side_first(w, h))
            continue;
        const double length = ts_side_length(w, h);
        if (length > low && length < high)
            TS_TRY(ts_array_push(list, ((edge){length, h, ts_side_from(w, h), ts_side_to(w, h)}), error));
    }
    if (list->count)
        qsort(list->item, list->count, sizeof *list->item, by_length);
    return TS_OK;
}

static bool unchanged(const ts_remesh_work *w, const edge *e)
{
    return ts_side_from(w, e->side) == e->from && ts_side_to(w, e->side) == e->to &&
           ts_side_length(w, e->side) == e->length;
}

/* ---- Split ---- */

static bool may_split(const ts_remesh_work *w, int32_t h, const ts_spot *middle)
{
    for (int i = 0; i < 2; i++) {
        const int32_t s = i ? w->twin.item[h] : h;
        const ts_spot *a = &w->spot.item[ts_side_from(w, s)], *b = &w->spot.item[ts_side_to(w, s)];
        const ts_spot *c = &w->spot.item[ts_side_across(w, s)];
        ts_remesh_look before = ts_remesh_look_at(a, b, c);
        before.quality *= 0.5;
        const ts_remesh_look first = ts_remesh_look_at(a, middle, c), second = ts_remesh_look_at(middle, b, c);
        if (!ts_remesh_fits(&first, &before, &allowed) || !ts_remesh_fits(&second, &before, &allowed))
            return false;
    }
    return true;
}

ts_status ts_remesh_split_pass(ts_remesh_work *w, double above, size_t most, ts_error *error)
{
    TS_AUTO_ARRAY edge_array list = {0};
    TS_TRY(list_edges(w, above, HUGE_VAL, &list, error));
    for (size_t i = list.count; i-- > 0 && w->vertices < most;) {
        const edge *e = &list.item[i];
        if (!unchanged(w, e))
            continue;
        const ts_spot *a = &w->spot.item[e->from], *b = &w->spot.item[e->to];
        ts_spot middle = {.at = ts_vec3_lerp(a->at, b->at, 0.5), .size = 0.5 * (a->size + b->size)};
        if (ts_remesh_project_one(w, &middle, 0.5 * ts_vec3_distance(a->at, b->at)) && may_split(w, e->side, &middle))
            TS_TRY(ts_remesh_split(w, e->side, middle, error));
    }
    return TS_OK;
}

/* ---- Collapse ---- */

/* The triangles around the start of `h`, but for the two at the edge, when it moves to `spot`. */
static bool may_move_end(const ts_remesh_work *w, int32_t h, const ts_spot *spot, const ts_remesh_guard *guard)
{
    const int32_t twin = w->twin.item[h];
    for (int32_t i = ts_side_around(w, h); i != h; i = ts_side_around(w, i)) {
        const ts_spot *a = &w->spot.item[ts_side_from(w, i)], *b = &w->spot.item[ts_side_to(w, i)];
        const ts_spot *c = &w->spot.item[ts_side_across(w, i)];
        if (ts_vec3_distance(spot->at, b->at) > 0.5 * guard->longest * (spot->size + b->size))
            return false;
        if (i / 3 == twin / 3)
            continue;
        const ts_remesh_look now = ts_remesh_look_at(spot, b, c), before = ts_remesh_look_at(a, b, c);
        if (!ts_remesh_fits(&now, &before, guard))
            return false;
    }
    return true;
}

/* Whether a normal is like those of an edge's ends: the middle of an edge of a rim may be projected onto a face. */
static bool between(ts_vec3 normal, ts_vec3 a, ts_vec3 b)
{
    return ts_vec3_dot(normal, ts_vec3_unit(ts_vec3_add(a, b))) > 0.7;
}

static double to_segment(ts_vec3 p, ts_vec3 a, ts_vec3 b)
{
    const ts_vec3 u = ts_vec3_sub(b, a);
    const double square = ts_vec3_dot(u, u), t = square > 0 ? ts_vec3_dot(ts_vec3_sub(p, a), u) / square : 0;
    return ts_vec3_distance(p, ts_vec3_lerp(a, b, fmin(fmax(t, 0), 1)));
}

/* What is cut off: how far the ends lie from the edges that `spot` will have, to the neighbours of either. */
static double cut_off(const ts_remesh_work *w, int32_t h, const ts_spot *spot)
{
    const ts_vec3 end[2] = {w->spot.item[ts_side_from(w, h)].at, w->spot.item[ts_side_to(w, h)].at};
    double least[2] = {HUGE_VAL, HUGE_VAL};
    for (int s = 0; s < 2; s++) {
        const int32_t first = s ? w->twin.item[h] : h;
        for (int32_t i = ts_side_around(w, first); i != first; i = ts_side_around(w, i))
            for (int k = 0; k < 2; k++)
                least[k] = fmin(least[k], to_segment(end[k], spot->at, w->spot.item[ts_side_to(w, i)].at));
    }
    return fmax(least[0], least[1]);
}

/* Where the edge's vertex may lie: in its middle or at one of its ends, where the least is cut off. */
static bool find_place(const ts_remesh_work *w, const edge *e, const ts_remesh_guard *guard, ts_spot *spot)
{
    const ts_spot *a = &w->spot.item[e->from], *b = &w->spot.item[e->to];
    const double size = fmin(a->size, b->size);
    double least = guard->loss * size * w->length;
    bool found = false;
    for (int i = 0; i < 3; i++) {
        ts_spot place = i == 0 ? (ts_spot){.at = ts_vec3_lerp(a->at, b->at, 0.5)} : i == 1 ? *a : *b;
        place.size = size;
        if (i == 0 && !(ts_remesh_project_one(w, &place, ts_vec3_distance(a->at, b->at)) &&
                        between(place.normal, a->normal, b->normal)))
            continue;
        const double loss = cut_off(w, e->side, &place);
        if (loss >= least || !may_move_end(w, e->side, &place, guard) ||
            !may_move_end(w, w->twin.item[e->side], &place, guard))
            continue;
        least = loss;
        *spot = place;
        found = true;
    }
    return found;
}

ts_status ts_remesh_collapse_pass(ts_remesh_work *w, double below, const ts_remesh_guard *guard, size_t least,
                                  ts_error *error)
{
    TS_AUTO_ARRAY edge_array list = {0};
    TS_TRY(list_edges(w, -1, below, &list, error));
    for (size_t i = 0; i < list.count && w->vertices > least; i++) {
        const edge *e = &list.item[i];
        ts_spot spot;
        if (unchanged(w, e) && ts_remesh_may_collapse(w, e->side) && find_place(w, e, guard, &spot))
            ts_remesh_collapse(w, e->side, spot);
    }
    return TS_OK;
}

/* ---- Flip ---- */

/* What a diagonal counts for lying off the surface by `off`. */
static double cost(ts_vec3 a, ts_vec3 b, double off)
{
    const double length = ts_vec3_distance(a, b);
    return off_cost * (off > 0 ? 2 * off : -off) / (length > 0 ? length : 1);
}

/* The diagonal from a to b gives way to the one from c to d: (a, b, c) and (b, a, d) to (a, d, c) and (d, b, c). */
static bool flip_gains(const ts_remesh_work *w, int32_t h)
{
    const ts_spot *a = &w->spot.item[ts_side_from(w, h)], *b = &w->spot.item[ts_side_to(w, h)];
    const ts_spot *c = &w->spot.item[ts_side_across(w, h)], *d = &w->spot.item[ts_side_across(w, w->twin.item[h])];
    const ts_remesh_look old[2] = {ts_remesh_look_at(a, b, c), ts_remesh_look_at(b, a, d)};
    const ts_remesh_look new[2] = {ts_remesh_look_at(a, d, c), ts_remesh_look_at(d, b, c)};
    const ts_remesh_look before = {ts_vec3_unit(ts_vec3_add(old[0].normal, old[1].normal)),
                                   fmin(old[0].quality, old[1].quality), fmin(old[0].facing, old[1].facing)};
    if (!ts_remesh_fits(&new[0], &before, &allowed) || !ts_remesh_fits(&new[1], &before, &allowed))
        return false;
    const double better = fmin(new[0].quality, new[1].quality) - before.quality - gain;
    if (better <= 0 && ts_vec3_dot(old[0].normal, old[1].normal) > flat)
        return false;
    double off[2];
    const ts_vec3 middle[2] = {ts_vec3_lerp(a->at, b->at, 0.5), ts_vec3_lerp(c->at, d->at, 0.5)};
    ts_remesh_off(w, middle, 2, off);
    return better - cost(c->at, d->at, off[1]) + cost(a->at, b->at, off[0]) > 0;
}

void ts_remesh_flip_pass(ts_remesh_work *w)
{
    bool changed = true;
    for (int round = 0; round < FLIP_ROUNDS && changed; round++) {
        changed = false;
        for (int32_t h = 0; h < (int32_t)w->from.count; h++)
            if (ts_side_first(w, h) && ts_remesh_may_flip(w, h) && flip_gains(w, h)) {
                ts_remesh_flip(w, h);
                changed = true;
            }
    }
}
