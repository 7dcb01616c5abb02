/* SPDX-License-Identifier: MIT */
#include "cspace/clearance.h"

#include <math.h>

#include "cspace/map.h"

/* What rounding takes from an exact gap, in the pair's unit: distances of flat arcs differ by 2e-10 (exact_search.c),
 * and a pose by some 1e-16 of its own size. */
static const double exact_rounding = 1e-9;

static const ts_clearance nothing = {HUGE_VAL, 0, 0, HUGE_VAL};

/* Quadratic B-splines with values of the exact gap g as coefficients: S(q) is the mean of g over nodes N(q) that lie
 * about q.
 *
 *     loss   each coordinate of N has mean q and variance (spacing / 2)². N - q moves B alone, so |S - g| is at most the mean of
 *            |N - q|, e = width / √2 + R_B turn / 2: and S falls by m + 2 e at most.
 *     rate   ∂S/∂x is a mean of differences of g between neighbours over their distance, which are at most 1, and so are those in
 *            y; those in the angle at most R_B. A turn of A moves B by |x| and turns it as well: (√2 |x| + R_B) / R_A. */
static ts_clearance of_smooth(const ts_smoothed *s, const ts_pair *pair)
{
    const double root2 = 1.4142135623730951;
    const double off = s->width / root2 + 0.5 * pair->radius_b * s->turn;
    ts_clearance c = {.margin = exact_rounding, .loss = 2 * off + exact_rounding};
    /* from about there on the loss is the better bound; and |x| is bounded where the gap is */
    c.cap = 2 * c.loss;
    double apart = pair->reach + c.cap + off;
    c.rate = fmax(root2, (root2 * apart + pair->radius_b) / pair->radius_a);
    return c;
}

ts_clearance ts_exact_clearance(double unit)
{
    return (ts_clearance){1, HUGE_VAL, exact_rounding * unit, exact_rounding * unit};
}

static ts_clearance of_field(const ts_map *map)
{
    if (map->info.kind == TS_MAP_TABLE)
        return ts_table_clearance(map->table, &map->fold, map->pair);
    if (map->info.kind != TS_MAP_EXACT)
        return nothing;
    if (map->query == ts_smoothed_query)
        return of_smooth(&map->smooth, map->pair);
    return ts_exact_clearance(1);
}

ts_clearance ts_map_clearance(const ts_map *map)
{
    ts_clearance c = of_field(map);
    const double unit = map->pair->unit;
    c.cap *= unit;
    c.margin *= unit;
    c.loss *= unit;
    return c;
}
