/* SPDX-License-Identifier: MIT */
#include "shape/remesh_work.h"

/* How far normals may turn apart along an edge of full size, as the length of their difference along the edge: 0.8 is 47°
 * on a circle, which leaves at least 8 vertices around it. */
static const double turn_most = 0.8;
/* The smallest size, and how much sizes of neighbours may differ. */
static const double size_least = 0.4, step_most = 0.25;
enum { SMOOTHINGS = 3 };

/* Only where the surface is convex: in a crease between two parts no edge would be short enough. */
static double size_at(const ts_remesh_work *w, int32_t vertex)
{
    const ts_spot *a = &w->spot.item[vertex];
    const int32_t first = w->out.item[vertex];
    double sharpest = 0; /* curvature along an edge [1/m] */
    int32_t h = first;
    do {
        const ts_spot *b = &w->spot.item[ts_side_to(w, h)];
        const ts_vec3 along = ts_vec3_sub(b->at, a->at);
        const double square = ts_vec3_length_squared(along);
        if (square > 0)
            sharpest = fmax(sharpest, ts_vec3_dot(ts_vec3_sub(b->normal, a->normal), along) / square);
        h = ts_side_around(w, h);
    } while (h != first);
    return fmin(fmax(turn_most / (sharpest * w->length), size_least), 1);
}

/* No vertex much above its neighbours. */
static void smooth(ts_remesh_work *w)
{
    for (size_t side = 0; side < w->from.count; side++) {
        const int32_t h = (int32_t)side;
        if (ts_side_from(w, h) < 0)
            continue;
        ts_spot *a = &w->spot.item[ts_side_from(w, h)];
        a->size = fmin(a->size, w->spot.item[ts_side_to(w, h)].size + step_most);
    }
}

void ts_remesh_size_pass(ts_remesh_work *w)
{
    for (size_t v = 0; v < w->spot.count; v++)
        if (w->out.item[v] >= 0)
            w->spot.item[v].size = size_at(w, (int32_t)v);
    for (int i = 0; i < SMOOTHINGS; i++)
        smooth(w);
}

double ts_remesh_area_of(const ts_remesh_work *w)
{
    double sum = 0;
    for (size_t h = 0; h < w->from.count; h += 3) {
        if (w->from.item[h] < 0)
            continue;
        const ts_spot *a = &w->spot.item[w->from.item[h]], *b = &w->spot.item[w->from.item[h + 1]];
        const ts_spot *c = &w->spot.item[w->from.item[h + 2]];
        const double size = (a->size + b->size + c->size) / 3;
        sum += 0.5 * ts_vec3_length(ts_remesh_area(a->at, b->at, c->at)) / (size * size);
    }
    return sum;
}
