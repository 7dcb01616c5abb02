/* SPDX-License-Identifier: MIT */
#include "cspace/minimax.h"

#include <math.h>

/* Rounding, in the pair's unit: lengths that differ by less are equal. */
static const double rounding = 1e-13;

double ts_feature_value(const ts_feature *f, ts_vec2 x)
{
    if (f->side == 0)
        return ts_vec2_dot(f->c, x) - f->r;
    /* |x - c| - r = (|x - c|² - r²) / (|x - c| + r) */
    ts_vec2 d = ts_vec2_sub(x, f->p), w = ts_vec2_sub(x, f->c), sum = ts_vec2_add(w, ts_vec2_sub(f->p, f->c));
    double both = ts_vec2_length(w) + f->r;
    return both > 0 ? f->side * ts_vec2_dot(d, sum) / both : 0;
}

ts_vec2 ts_feature_gradient(const ts_feature *f, ts_vec2 x)
{
    return f->side == 0 ? f->c : ts_vec2_scale(ts_vec2_unit(ts_vec2_sub(x, f->c)), f->side);
}

static void list(ts_critical *found, ts_vec2 x, double radius)
{
    found->x[found->count] = x;
    found->radius[found->count++] = radius;
}

/* ---- Two features ---- */

/* Parallel lines that face each other: every point midway will do. */
static void between_lines(const ts_feature *f, const ts_feature *g, ts_vec2 near, ts_critical *found)
{
    if (ts_vec2_dot(f->c, g->c) > 0 || fabs(ts_vec2_cross(f->c, g->c)) > rounding)
        return;
    double a = ts_feature_value(f, near), b = ts_feature_value(g, near);
    list(found, ts_vec2_add_scaled(near, f->c, -0.5 * (a - b)), -0.5 * (a + b));
}

static void between_line_and_circle(const ts_feature *line, const ts_feature *circle, ts_critical *found)
{
    double off = ts_feature_value(line, circle->c), rho = 0.5 * (circle->side * off + circle->r);
    if (rho > 0)
        list(found, ts_vec2_add_scaled(circle->c, line->c, -circle->side * rho), circle->side * rho - off);
}

/* One within the other, about one centre: every point midway will do. */
static void between_rings(const ts_feature *f, const ts_feature *g, ts_vec2 near, ts_critical *found)
{
    if (f->side * g->side > 0)
        return;
    ts_vec2 way = ts_vec2_unit(ts_vec2_sub(near, f->c));
    if (way.x == 0 && way.y == 0)
        way.x = 1;
    list(found, ts_vec2_add_scaled(f->c, way, 0.5 * (f->r + g->r)), 0.5 * f->side * (f->r - g->r));
}

/* On the line through both centres, beyond (`sign` -1: before) the first of them. */
static void between_circles(const ts_feature *f, const ts_feature *g, ts_vec2 near, ts_critical *found)
{
    ts_vec2 across = ts_vec2_sub(g->c, f->c);
    double distance = ts_vec2_length(across), product = f->side * g->side;
    if (distance <= rounding) {
        between_rings(f, g, near, found);
        return;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        double t = 0.5 * (distance + sign * (f->r - product * g->r));
        if (sign * t >= 0 && -product * sign * (t - distance) >= 0)
            list(found, ts_vec2_add_scaled(f->c, across, t / distance), f->side * (f->r - sign * t));
    }
}

/* Midway again: what large radii cost. */
static void centre(const ts_feature *f, const ts_feature *g, ts_critical *found)
{
    for (int i = 0; i < found->count; i++) {
        ts_vec2 n = ts_feature_gradient(f, found->x[i]);
        double a = ts_feature_value(f, found->x[i]), b = ts_feature_value(g, found->x[i]);
        found->x[i] = ts_vec2_add_scaled(found->x[i], n, -0.5 * (a - b));
        found->radius[i] = -0.5 * (a + b);
    }
}

ts_critical ts_critical_pair(const ts_feature *f, const ts_feature *g, ts_vec2 near)
{
    ts_critical found = {.count = 0};
    if (f->side == 0 && g->side == 0)
        between_lines(f, g, near, &found);
    else if (f->side == 0)
        between_line_and_circle(f, g, &found);
    else if (g->side == 0)
        between_line_and_circle(g, f, &found);
    else
        between_circles(f, g, near, &found);
    centre(f, g, &found);
    return found;
}

/* ---- Three features ---- */

/* A disc as a point of space: its centre, and its radius as height. */
typedef struct point3 {
    double x, y, d;
} point3;

static point3 cross3(point3 a, point3 b)
{
    return (point3){a.y * b.d - a.d * b.y, a.d * b.x - a.x * b.d, a.x * b.y - a.y * b.x};
}

static double dot3(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y + a.d * b.d;
}

/* x² + y² - d²: the form in which discs that touch a circle make a cone */
static double form3(point3 a, point3 b)
{
    return a.x * b.x + a.y * b.y - a.d * b.d;
}

/* row · (x, y, d) = right: discs that touch a line; the difference of two circles' cones */
typedef struct plane {
    point3 row;
    double right;
} plane;

/* form3(u, u) + 2 half · u + level = 0: discs that touch a circle */
typedef struct cone {
    point3 half;
    double level;
} cone;

static cone cone_of(const ts_feature *f, ts_vec2 origin)
{
    ts_vec2 c = ts_vec2_sub(f->c, origin);
    double off = f->side * ts_feature_value(f, origin); /* |c| - r */
    return (cone){{-c.x, -c.y, f->r * f->side}, off * (off + 2 * f->r)};
}

static plane plane_between(const cone *a, const cone *b)
{
    point3 d = {2 * (b->half.x - a->half.x), 2 * (b->half.y - a->half.y), 2 * (b->half.d - a->half.d)};
    double length = sqrt(dot3(d, d)), scale = length > 0 ? 1 / length : 0;
    return (plane){{d.x * scale, d.y * scale, d.d * scale}, (a->level - b->level) * scale};
}

/* One step of Newton's method, which takes back what squares of large radii cost. */
static void refine(const ts_feature *const f[3], ts_vec2 *x, double *radius)
{
    double v0 = ts_feature_value(f[0], *x), r1 = ts_feature_value(f[1], *x) - v0, r2 = ts_feature_value(f[2], *x) - v0;
    ts_vec2 n = ts_feature_gradient(f[0], *x);
    ts_vec2 a = ts_vec2_sub(ts_feature_gradient(f[1], *x), n), b = ts_vec2_sub(ts_feature_gradient(f[2], *x), n);
    double determinant = ts_vec2_cross(a, b);
    if (fabs(determinant) > 1e-6) {
        ts_vec2 step = {(r2 * a.y - r1 * b.y) / determinant, (r1 * b.x - r2 * a.x) / determinant};
        if (ts_vec2_length_squared(step) < 1e-12)
            *x = ts_vec2_add(*x, step);
    }
    *radius = -ts_feature_value(f[0], *x);
}

static void meet(const ts_feature *const f[3], point3 u, const ts_wanted *wanted, ts_critical *found)
{
    const double blur = 1e-6; /* squares of radii up to some 1e5 cost as much */
    double reach = wanted->reach + blur;
    if (!(u.d > wanted->least - blur && u.x * u.x + u.y * u.y < reach * reach))
        return;
    ts_vec2 x = {wanted->near.x + u.x, wanted->near.y + u.y};
    double radius;
    refine(f, &x, &radius);
    /* squaring has let in discs on the far side of a centre */
    for (int i = 1; i < 3; i++)
        if (fabs(ts_feature_value(f[i], x) + radius) > 1e-7)
            return;
    list(found, x, radius);
}

/* The line in which two planes meet: a point of it and its direction, of length 1. */
static bool cut(const plane *a, const plane *b, point3 *at, point3 *way)
{
    point3 v = cross3(a->row, b->row);
    double square = dot3(v, v);
    if (square < 1e-28)
        return false;
    point3 p = cross3(b->row, v), q = cross3(v, a->row);
    double s = a->right / square, t = b->right / square, scale = 1 / sqrt(square);
    *at = (point3){s * p.x + t * q.x, s * p.y + t * q.y, s * p.d + t * q.d};
    *way = (point3){v.x * scale, v.y * scale, v.d * scale};
    return true;
}

static point3 along(point3 at, point3 way, double t)
{
    return (point3){at.x + t * way.x, at.y + t * way.y, at.d + t * way.d};
}

ts_critical ts_critical_three(const ts_feature *const f[3], const ts_wanted *wanted)
{
    ts_critical found = {.count = 0};
    plane side[3];
    cone round[3];
    int planes = 0, cones = 0;
    for (int i = 0; i < 3; i++) {
        if (f[i]->side == 0)
            side[planes++] = (plane){{f[i]->c.x, f[i]->c.y, 1}, -ts_feature_value(f[i], wanted->near)};
        else
            round[cones++] = cone_of(f[i], wanted->near);
    }
    for (int i = 1; i < cones; i++)
        side[planes++] = plane_between(&round[0], &round[i]);
    point3 at, way;
    if (!cut(&side[0], &side[1], &at, &way))
        return found;
    if (cones == 0) {
        double slope = dot3(side[2].row, way);
        if (fabs(slope) > 1e-14)
            meet(f, along(at, way, (side[2].right - dot3(side[2].row, at)) / slope), wanted, &found);
        return found;
    }
    double a = form3(way, way), b = form3(at, way) + dot3(round[0].half, way);
    double c = form3(at, at) + 2 * dot3(round[0].half, at) + round[0].level, left = b * b - a * c;
    if (!(left >= -1e-12 * (b * b + fabs(a * c)))) /* a double root may fall short of zero by rounding */
        return found;
    double q = -(b + copysign(sqrt(left > 0 ? left : 0), b));
    if (q != 0)
        meet(f, along(at, way, c / q), wanted, &found);
    if (fabs(a) > 1e-14)
        meet(f, along(at, way, q / a), wanted, &found);
    return found;
}

/* ---- Weights ---- */

/* On the segment from a to b: the share of b at which it comes nearest to zero. */
static double nearest_share(ts_vec2 a, ts_vec2 b)
{
    ts_vec2 d = ts_vec2_sub(b, a);
    double square = ts_vec2_length_squared(d), t = square > 0 ? -ts_vec2_dot(a, d) / square : 0;
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

double ts_minimax_weights(const ts_vec2 *n, int count, double *weight)
{
    int best[3] = {0, 0, 0};
    double share[3] = {1, 0, 0}, least = 1;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            double t = nearest_share(n[i], n[j]), length = ts_vec2_length(ts_vec2_lerp(n[i], n[j], t));
            if (length < least) {
                least = length;
                best[0] = i, best[1] = j, best[2] = j;
                share[0] = 1 - t, share[1] = t, share[2] = 0;
            }
        }
    for (int i = 0; i < count && least > rounding; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                double a = ts_vec2_cross(n[j], n[k]), b = ts_vec2_cross(n[k], n[i]), c = ts_vec2_cross(n[i], n[j]);
                double sum = a + b + c;
                if (!(a * sum > 0 && b * sum > 0 && c * sum > 0))
                    continue;
                least = 0;
                best[0] = i, best[1] = j, best[2] = k;
                share[0] = a / sum, share[1] = b / sum, share[2] = c / sum;
            }
    for (int i = 0; i < count; i++)
        weight[i] = 0;
    for (int i = 0; i < 3; i++)
        weight[best[i]] += share[i];
    return least;
}
