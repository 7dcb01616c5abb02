/* SPDX-License-Identifier: MIT */
#include "cspace/match.h"

#include <math.h>
#include <string.h>

#include "shape/outline.h"

/* Vertices that differ by no more than this share of the form's own radius are those of one form: twice the grain of
 * its hash. */
static const double vertex_slack = 2e-9;

bool ts_same_outline(const ts_outline *x, const ts_outline *y, double scale)
{
    const double slack = vertex_slack * ts_outline_get_mass(x).radius;
    if (x->contour_count != y->contour_count ||
        memcmp(x->begin, y->begin, (x->contour_count + 1) * sizeof *x->begin) != 0)
        return false;
    for (size_t i = 0; i < ts_outline_vertex_count(x); i++) {
        const ts_vertex *v = &x->vertex[i], *w = &y->vertex[i];
        if (!(fabs(v->x - scale * w->x) <= slack && fabs(v->y - scale * w->y) <= slack &&
              fabs(v->bulge - w->bulge) <= vertex_slack * fmax(1, fabs(v->bulge))))
            return false;
    }
    return true;
}

bool ts_map_is_of(const ts_map *map, ts_sized_outline a, ts_sized_outline b, bool *turned)
{
    const ts_pair *own = map->pair;
    double unit =
        fmax(a.scale * ts_outline_get_mass(a.outline).radius, b.scale * ts_outline_get_mass(b.outline).radius);
    double x = a.scale / unit, y = b.scale / unit;
    bool straight = ts_same_outline(own->a, a.outline, x) && ts_same_outline(own->b, b.outline, y);
    if (turned)
        *turned = !straight;
    return straight || (ts_same_outline(own->a, b.outline, y) && ts_same_outline(own->b, a.outline, x));
}

bool ts_map_fit(ts_map *map, const ts_pair *pair)
{
    bool turned;
    if (!ts_map_is_of(map, (ts_sized_outline){pair->a, 1}, (ts_sized_outline){pair->b, 1}, &turned))
        return false;
    if (turned != map->turned)
        ts_map_turn(map);
    map->pair->unit = pair->unit;
    map->info.radius_a = pair->radius_a * pair->unit;
    map->info.radius_b = pair->radius_b * pair->unit;
    return true;
}
