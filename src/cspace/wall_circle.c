/* SPDX-License-Identifier: MIT */
/* The farthest point of a grain from the centre of a circle around it, and its mean over angles of the grain (wall.h).
 *
 * Seen from the grain the circle's centre is z. Turned by τ, the grain reaches
 *
 *     F(τ) = max over parts k of f_k(τ),    f_k(τ) = |turned c_k - z| + r_k,    arcs only where their normals point away from z
 *
 * away. Each f_k is smooth; F is pieced together from a few of them. An arc begins or ceases to count at angles in
 * closed form; the window is cut there, and inside of each cut the upper envelope of smooth functions is found, two at
 * a time. Where they meet is only needed to rounding: F is continuous, so an error there counts twice in the value. */
#include <math.h>
#include <stdint.h>

#include "cspace/wall_parts.h"

enum { few = 32, deepest = 48, rounds = 60 };

/* One window: what may be farthest in it, and the integrals so far. */
typedef struct window {
    const ts_wall_map *map;
    ts_vec2 z;
    size_t count; /* of parts to look at */
    bool all;     /* too many for the list: all of them */
    uint32_t list[few];
    ts_rot2 within;   /* a turn inside the present cut: which arcs count there */
    double distance;  /* integral of F */
    ts_vec2 gradient; /* and of its gradient */
} window;

static const ts_wall_part *part_at(const window *w, size_t i)
{
    return &w->map->part[w->all ? i : w->list[i]];
}

/* Of angles in the window, at most TS_WALL_SMOOTHING_MAX / 2: a few terms of the power series are exact to rounding. */
static ts_rot2 turn_by(double angle)
{
    const double z = angle * angle;
    double c = -1.0 / 3628800 + z * (1.0 / 479001600), s = -1.0 / 39916800 + z * (1.0 / 6227020800);
    c = 1 - z * (1.0 / 2 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320 + z * c))));
    s = 1 - z * (1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040 - z * (1.0 / 362880 + z * s))));
    return (ts_rot2){c, angle * s};
}

static ts_vec2 turned(ts_rot2 by, ts_vec2 v)
{
    return (ts_vec2){by.c * v.x - by.s * v.y, by.s * v.x + by.c * v.y};
}

/* From z to a corner or to the centre of an arc. */
static ts_vec2 way_to(const ts_wall_part *part, ts_vec2 z, ts_rot2 by)
{
    return ts_vec2_sub(turned(by, part->c), z);
}

static double value(const ts_wall_part *part, ts_vec2 z, ts_rot2 by)
{
    return ts_vec2_length(way_to(part, z, by)) + part->r;
}

/* df/dτ; never more than the smaller of |c| and |z|. */
static double growth(const ts_wall_part *part, ts_vec2 z, ts_rot2 by)
{
    ts_vec2 at = turned(by, part->c);
    double length = ts_vec2_distance(at, z);
    return length > 0 ? ts_vec2_cross(z, at) / length : 0;
}

/* Whether the farthest point of an arc's circle is on the arc. */
static bool counts(const ts_wall_part *part, ts_vec2 z, ts_rot2 by)
{
    if (part->r == 0)
        return true;
    ts_vec2 way = way_to(part, z, by);
    return ts_vec2_dot(way, turned(by, part->middle)) >= part->limit * ts_vec2_length(way);
}

static const ts_wall_part *farthest(const window *w, ts_rot2 by)
{
    const ts_wall_part *best = NULL;
    double most = -1;
    for (size_t i = 0; i < w->count; i++) {
        const ts_wall_part *part = part_at(w, i);
        double f = value(part, w->z, by);
        if (f > most && counts(part, w->z, w->within)) {
            most = f;
            best = part;
        }
    }
    return best ? best : part_at(w, 0);
}

/* ---- Integrals ---- */

/* Gauss and Legendre, five points on [-1/2, 1/2]. */
static void integrate(window *w, const ts_wall_part *part, double from, double to)
{
    static const double place[5] = {-0.45308992296933200, -0.26923465505284155, 0, 0.26923465505284155,
                                    0.45308992296933200};
    static const double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                     0.11846344252809454};
    double span = to - from, middle = 0.5 * (from + to);
    for (int i = 0; i < 5; i++) {
        ts_vec2 way = way_to(part, w->z, turn_by(middle + span * place[i]));
        double length = ts_vec2_length(way), share = span * weight[i];
        w->distance += share * (length + part->r);
        w->gradient = ts_vec2_add_scaled(w->gradient, ts_vec2_unit(way), share);
    }
}

/* ---- Which part is farthest, from angle to angle ---- */

/* What has a zero between a and b: f - g, or the growth of both. */
typedef double difference(const ts_wall_part *f, const ts_wall_part *g, ts_vec2 z, double at);

static double lead(const ts_wall_part *f, const ts_wall_part *g, ts_vec2 z, double at)
{
    ts_rot2 by = turn_by(at);
    return value(f, z, by) - value(g, z, by);
}

static double lead_growth(const ts_wall_part *f, const ts_wall_part *g, ts_vec2 z, double at)
{
    ts_rot2 by = turn_by(at);
    return growth(f, z, by) - growth(g, z, by);
}

/* Regula falsi that halves the weight of an end that stays (Illinois). Without a change of sign: the end that is nearer
 * to 0. */
static double zero_of(difference *what, const ts_wall_part *f, const ts_wall_part *g, ts_vec2 z, const double ends[2])
{
    double a = ends[0], b = ends[1], at_a = what(f, g, z, a), at_b = what(f, g, z, b);
    if (!((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0)))
        return fabs(at_a) < fabs(at_b) ? a : b;
    for (int i = 0; i < rounds; i++) {
        double c = b - at_b * (b - a) / (at_b - at_a);
        if (!(c > fmin(a, b) && c < fmax(a, b)))
            return b;
        double at_c = what(f, g, z, c);
        if (at_c == 0)
            return c;
        if ((at_c < 0) != (at_b < 0)) {
            a = b;
            at_a = at_b;
        } else {
            at_a *= 0.5;
        }
        b = c;
        at_b = at_c;
    }
    return b;
}

/* A part that overtakes `part` and falls back again between a and b, the angle at which it leads most; NULL: none
 * does. */
static const ts_wall_part *overtakes(const window *w, const ts_wall_part *part, double a, double b, double *at)
{
    for (size_t i = 0; i < w->count; i++) {
        const ts_wall_part *other = part_at(w, i);
        if (other == part || !(lead_growth(other, part, w->z, a) > 0 && lead_growth(other, part, w->z, b) < 0) ||
            !counts(other, w->z, w->within))
            continue;
        *at = zero_of(lead_growth, other, part, w->z, (double[2]){a, b});
        if (*at > a && *at < b && lead(other, part, w->z, *at) > 0)
            return other;
    }
    return NULL;
}

typedef struct mark {
    double at;
    const ts_wall_part *part; /* farthest there */
} mark;

static void add_between(window *w, mark a, mark b, int depth)
{
    double middle;
    if (!(b.at > a.at))
        return;
    if (depth == 0) { /* so many changes lie closer than rounding */
        integrate(w, a.part, a.at, b.at);
        return;
    }
    if (a.part == b.part) {
        if (w->count > 1 && overtakes(w, a.part, a.at, b.at, &middle)) {
            mark m = {middle, farthest(w, turn_by(middle))};
            add_between(w, a, m, depth - 1);
            add_between(w, m, b, depth - 1);
        } else {
            integrate(w, a.part, a.at, b.at);
        }
        return;
    }
    middle = zero_of(lead, a.part, b.part, w->z, (double[2]){a.at, b.at});
    const ts_wall_part *third = farthest(w, turn_by(middle));
    double most = value(third, w->z, turn_by(middle));
    bool two = third == a.part || third == b.part ||
               !(most - value(a.part, w->z, turn_by(middle)) > 4e-16 * most); /* or all three meet here */
    add_between(w, a, (mark){middle, two ? a.part : third}, depth - 1);
    add_between(w, (mark){middle, two ? b.part : third}, b, depth - 1);
}

/* ---- The window ---- */

/* Corners and arcs that may be farthest somewhere in the window, from the middle of which F may fall and another
 * rise. */
static void choose_parts(window *w)
{
    const ts_wall_map *map = w->map;
    const ts_rot2 none = {1, 0};
    double most = 0;
    for (size_t i = 0; i < map->part_count; i++) {
        double f = value(&map->part[i], w->z, none);
        if (f > most && counts(&map->part[i], w->z, none))
            most = f;
    }
    double least = most * (1 - 1e-14) - map->width * fmin(map->reach, ts_vec2_length(w->z));
    for (size_t i = 0; i < map->part_count && !w->all; i++)
        if (value(&map->part[i], w->z, none) >= least) {
            if (w->count < few)
                w->list[w->count++] = (uint32_t)i;
            else
                w->all = true;
        }
    if (w->all)
        w->count = map->part_count;
}

/* The first angle after `after` at which an arc begins or ceases to count, or `end`: z × turned e = c × e, e the normal
 * there. */
static double next_cut(const window *w, double after, double end)
{
    double size = ts_vec2_length(w->z), facing = atan2(w->z.y, w->z.x);
    for (size_t i = 0; i < w->count; i++) {
        const ts_wall_part *part = part_at(w, i);
        for (int k = 0; k < 2 && part->r > 0; k++) {
            if (!(fabs(part->across[k]) < size))
                continue;
            double turn = asin(part->across[k] / size), from = facing - part->end[k];
            double at[2] = {remainder(from + turn, 2 * TS_PI), remainder(from + TS_PI - turn, 2 * TS_PI)};
            for (int j = 0; j < 2; j++)
                if (at[j] > after && at[j] < end)
                    end = at[j];
        }
    }
    return end;
}

ts_wall_far ts_wall_farthest(const ts_wall_map *map, ts_vec2 z)
{
    window w = {.map = map, .z = z, .within = {1, 0}};
    choose_parts(&w);
    if (map->width == 0) {
        const ts_wall_part *part = farthest(&w, w.within);
        return (ts_wall_far){value(part, z, w.within), ts_vec2_unit(way_to(part, z, w.within))};
    }
    const double end = 0.5 * map->width;
    if (w.count == 1) {
        integrate(&w, part_at(&w, 0), -end, end);
    } else {
        for (double a = -end; a < end;) {
            double b = next_cut(&w, a, end);
            w.within = turn_by(0.5 * (a + b));
            add_between(&w, (mark){a, farthest(&w, turn_by(a))}, (mark){b, farthest(&w, turn_by(b))}, deepest);
            a = b;
        }
    }
    return (ts_wall_far){w.distance / map->width, ts_vec2_scale(w.gradient, 1 / map->width)};
}
