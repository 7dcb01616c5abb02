/* SPDX-License-Identifier: MIT */
#include "shape/discs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* An interval of angles on a circle, 0 <= from <= to <= 2π. */
typedef struct arc {
    double from, to;
} arc;

/* Integrals over the region to the left of the arcs summed so far. */
typedef struct moments {
    double area, x, y; /* ∫ 1, ∫ x, ∫ y */
    double polar;      /* ∫ x² + y² */
} moments;

/* ∫ cosⁿ from angle u to angle v, n = 0 … 4; sines are those of angles turned by a quarter. */
static void cosine_powers(double u, double v, double c[5])
{
    double su = sin(u), sv = sin(v);
    double s2 = sin(2 * v) - sin(2 * u), s4 = sin(4 * v) - sin(4 * u);
    c[0] = v - u;
    c[1] = sv - su;
    c[2] = 0.5 * (v - u) + 0.25 * s2;
    c[3] = (sv - sv * sv * sv / 3) - (su - su * su * su / 3);
    c[4] = 0.375 * (v - u) + 0.25 * s2 + s4 / 32;
}

static void add_arc(moments *m, const ts_disc *d, arc a)
{
    double x = d->x, y = d->y, r = d->radius, c[5], s[5];
    cosine_powers(a.from, a.to, c);
    cosine_powers(a.from - 0.5 * TS_PI, a.to - 0.5 * TS_PI, s); /* cos(t - π/2) = sin t */
    /* ½∮ x dy - y dx,  ½∮ x² dy,  -½∮ y² dx,  ⅓∮ x³ dy - y³ dx  with  x = cx + r cos t, y = cy + r sin t */
    m->area += 0.5 * r * (r * c[0] + x * c[1] + y * s[1]);
    m->x += 0.5 * r * (x * x * c[1] + 2 * x * r * c[2] + r * r * c[3]);
    m->y += 0.5 * r * (y * y * s[1] + 2 * y * r * s[2] + r * r * s[3]);
    m->polar += r / 3 *
                (x * x * x * c[1] + 3 * x * x * r * c[2] + 3 * x * r * r * c[3] + r * r * r * c[4] + y * y * y * s[1] +
                 3 * y * y * r * s[2] + 3 * y * r * r * s[3] + r * r * r * s[4]);
}

/* Appends what disc b covers of circle a; no disc lies inside another. Returns the new count. */
static size_t add_covered(const ts_disc *a, const ts_disc *b, arc *covered, size_t count)
{
    double dx = b->x - a->x, dy = b->y - a->y, d = hypot(dx, dy);
    if (!(d < a->radius + b->radius))
        return count;
    /* half the chord between the circles' crossings: the same bits for (a, b) as for (b, a), so that the arcs of the
     * two end in the same points even where they barely touch and an arc cosine would lose half of its digits */
    double sum = a->radius + b->radius, difference = a->radius - b->radius;
    double chord = sqrt(fmax((sum + d) * (sum - d) * ((d + difference) * (d - difference)), 0)) / (2 * d);
    double along = 0.5 * (d + difference * (sum / d)); /* from a's centre to the chord */
    double half = atan2(chord, along), from = atan2(dy, dx) - half, to = from + 2 * half;
    if (from < 0) {
        from += 2 * TS_PI;
        to += 2 * TS_PI;
    }
    if (to > 2 * TS_PI) {
        covered[count++] = (arc){0, to - 2 * TS_PI};
        to = 2 * TS_PI;
    }
    covered[count++] = (arc){fmin(from, to), to};
    return count;
}

static int by_start(const void *a, const void *b)
{
    double u = ((const arc *)a)->from, v = ((const arc *)b)->from;
    return (u > v) - (u < v);
}

/* Hands over the arcs that bound the union, none of whose discs lies inside another. `covered` has room for 2 ·
 * count. */
static void visit_arcs(const ts_disc *disc, size_t count, arc *covered, ts_disc_arc_sink *sink, void *context)
{
    for (size_t i = 0; i < count; i++) {
        size_t covered_count = 0;
        for (size_t j = 0; j < count; j++)
            if (j != i)
                covered_count = add_covered(&disc[i], &disc[j], covered, covered_count);
        if (covered_count > 1)
            qsort(covered, covered_count, sizeof *covered, by_start);
        double at = 0; /* everything before it is done */
        for (size_t k = 0; k < covered_count; k++) {
            if (covered[k].from > at)
                sink(context, &disc[i], at, covered[k].from);
            at = fmax(at, covered[k].to);
        }
        if (at < 2 * TS_PI)
            sink(context, &disc[i], at, 2 * TS_PI);
    }
}

static void add_arc_to(void *context, const ts_disc *disc, double from, double to)
{
    add_arc(context, disc, (arc){from, to});
}

/* The integrals of the union, likewise. */
static moments integrate(const ts_disc *disc, size_t count, arc *covered)
{
    moments m = {0};
    visit_arcs(disc, count, covered, add_arc_to, &m);
    return m;
}

static bool is_inside(const ts_disc *a, const ts_disc *b)
{
    return hypot(a->x - b->x, a->y - b->y) + a->radius <= b->radius;
}

size_t ts_discs_outermost(ts_disc *disc, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool inside = false;
        for (size_t j = 0; j < kept && !inside; j++)
            inside = is_inside(&disc[i], &disc[j]);
        if (inside)
            continue;
        /* it may hold some that were kept before it */
        size_t left = 0;
        for (size_t j = 0; j < kept; j++)
            if (!is_inside(&disc[j], &disc[i]))
                disc[left++] = disc[j];
        disc[left] = disc[i];
        kept = left + 1;
    }
    return kept;
}

/* Moves and scales the discs: p -> (p - origin) / scale. */
static void map_discs(ts_disc *disc, size_t count, double x, double y, double scale)
{
    for (size_t i = 0; i < count; i++)
        disc[i] = (ts_disc){(disc[i].x - x) / scale, (disc[i].y - y) / scale, disc[i].radius / scale};
}

static ts_status measure(ts_disc *disc, size_t count, arc *covered, ts_disc_union *out, ts_error *error)
{
    /* to a box of half-width 1 about the origin, so that no power of a length overflows */
    ts_vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        ts_vec2 p = {disc[i].x, disc[i].y}, r = {disc[i].radius, disc[i].radius};
        low = ts_vec2_min(low, ts_vec2_sub(p, r));
        high = ts_vec2_max(high, ts_vec2_add(p, r));
    }
    double x = 0.5 * (low.x + high.x), y = 0.5 * (low.y + high.y);
    double scale = 0.5 * fmax(high.x - low.x, high.y - low.y);
    map_discs(disc, count, x, y, scale);
    count = ts_discs_outermost(disc, count);

    /* first the centroid, then all about it: the second moment would lose digits otherwise */
    moments m = integrate(disc, count, covered);
    double cx = m.x / m.area, cy = m.y / m.area;
    if (count == 1) {
        cx = disc[0].x;
        cy = disc[0].y;
    }
    map_discs(disc, count, cx, cy, 1);
    m = integrate(disc, count, covered);
    double radius = 0;
    for (size_t i = 0; i < count; i++)
        radius = fmax(radius, hypot(disc[i].x, disc[i].y) + disc[i].radius);

    ts_disc_union result = {m.area * scale * scale, x + cx * scale, y + cy * scale,
                            m.polar * scale * scale * scale * scale, radius * scale};
    bool good = isnormal(result.area) && result.area > 0 && isnormal(result.inertia) && result.inertia > 0 &&
                isnormal(result.radius) && isfinite(result.x) && isfinite(result.y);
    if (!good)
        return ts_fail(
            error, TS_BAD_INPUT,
            "discs: the area or second moment of their union is too small or too large to compute with; give "
            "radii of a size between 1e-70 m and 1e70 m");
    *out = result;
    return TS_OK;
}

ts_status ts_discs_measure(const ts_disc *disc, size_t count, ts_disc_union *out, ts_error *error)
{
    if (count == 0)
        return ts_fail(error, TS_BAD_INPUT, "discs: there are none; give at least one");
    ts_disc *copy = ts_alloc_raw(count, sizeof *copy);
    arc *covered = ts_alloc_raw(2 * count, sizeof *covered);
    ts_status status;
    if (copy && covered) {
        memcpy(copy, disc, count * sizeof *copy);
        status = measure(copy, count, covered, out, error);
    } else {
        status = ts_fail_memory(error, count * (sizeof *copy + 2 * sizeof *covered));
    }
    ts_free(copy);
    ts_free(covered);
    return status;
}

ts_status ts_discs_arcs(const ts_disc *disc, size_t count, ts_disc_arc_sink *sink, void *context, ts_error *error)
{
    ts_disc *copy = ts_alloc_raw(count, sizeof *copy);
    arc *covered = ts_alloc_raw(2 * count, sizeof *covered);
    bool good = copy && covered;
    if (good) {
        memcpy(copy, disc, count * sizeof *copy);
        visit_arcs(copy, ts_discs_outermost(copy, count), covered, sink, context);
    }
    ts_free(copy);
    ts_free(covered);
    return good ? TS_OK : ts_fail_memory(error, count * (sizeof *copy + 2 * sizeof *covered));
}
