/* SPDX-License-Identifier: MIT */
#include "cspace/minimax.h"

#include <math.h>

/* Rounding, in the pair's unit: values that differ by less are equal. */
static const double rounding = 1e-13;

double ts_feature_value(const ts_feature *f, ts_vec2 x)
{
    return f->side == 0 ? ts_vec2_dot(f->c, x) - f->r : f->side * (ts_vec2_distance(x, f->c) - f->r);
}

ts_vec2 ts_feature_gradient(const ts_feature *f, ts_vec2 x)
{
    return f->side == 0 ? f->c : ts_vec2_scale(ts_vec2_unit(ts_vec2_sub(x, f->c)), f->side);
}

/* Second derivative along the level set. */
static double curvature(const ts_feature *f, ts_vec2 x)
{
    return f->side == 0 ? 0 : f->side / ts_vec2_distance(x, f->c);
}

/* ---- Two features, gradients opposite ---- */

/* Parallel lines that face each other: every point midway will do; the one nearest to x is taken. */
static bool between_lines(const ts_feature *f, const ts_feature *g, ts_vec2 *x)
{
    if (ts_vec2_dot(f->c, g->c) > 0 || fabs(ts_vec2_cross(f->c, g->c)) > rounding)
        return false;
    double off = 0.5 * (ts_feature_value(f, *x) - ts_feature_value(g, *x));
    *x = ts_vec2_add_scaled(*x, f->c, -off);
    return true;
}

static bool between_line_and_circle(const ts_feature *line, const ts_feature *circle, ts_vec2 *x)
{
    double rho = 0.5 * (circle->side * ts_feature_value(line, circle->c) + circle->r);
    *x = ts_vec2_add_scaled(circle->c, line->c, -circle->side * rho);
    return rho > 0;
}

/* On the line through both centres, beyond (`sign` -1: before) the first of them. */
static bool between_circles(const ts_feature *f, const ts_feature *g, double sign, ts_vec2 *x)
{
    ts_vec2 across = ts_vec2_sub(g->c, f->c);
    double distance = ts_vec2_length(across);
    if (distance <= rounding)
        return false;
    double product = f->side * g->side, t = 0.5 * (distance + sign * (f->r - product * g->r));
    *x = ts_vec2_add_scaled(f->c, across, t / distance);
    return sign * t > 0 && -product * sign * (t - distance) > 0;
}

/* ---- Three features ---- */

/* The point where all three are equal, by Newton's method from *x. */
static bool among_three(const ts_feature *const f[3], ts_vec2 *x)
{
    for (int i = 0; i < 12; i++) {
        double v0 = ts_feature_value(f[0], *x);
        double r1 = ts_feature_value(f[1], *x) - v0, r2 = ts_feature_value(f[2], *x) - v0;
        ts_vec2 n = ts_feature_gradient(f[0], *x);
        ts_vec2 a = ts_vec2_sub(ts_feature_gradient(f[1], *x), n), b = ts_vec2_sub(ts_feature_gradient(f[2], *x), n);
        double determinant = ts_vec2_cross(a, b);
        if (fabs(determinant) < 1e-9)
            return false;
        ts_vec2 step = {(r2 * a.y - r1 * b.y) / determinant, (r1 * b.x - r2 * a.x) / determinant};
        *x = ts_vec2_add(*x, step);
        if (ts_vec2_length_squared(step) < rounding * rounding)
            return true;
        if (!(ts_vec2_length_squared(*x) < 1e6))
            return false;
    }
    return false;
}

/* ---- Choosing ---- */

typedef struct search {
    const ts_feature *feature;
    int count;
    ts_vec2 from;
    double radius;
    ts_minimax *best;
    bool found;
} search;

/* Whether x is a local minimum with these active features, and better than the best so far. */
static void consider(search *s, ts_vec2 x, int count, const int *active)
{
    if (!(ts_vec2_distance(x, s->from) <= s->radius))
        return;
    double value = ts_feature_value(&s->feature[active[0]], x);
    if (s->found && value >= s->best->value)
        return;
    ts_minimax m = {.x = x, .value = value, .count = count};
    ts_vec2 n[3];
    for (int i = 0; i < count; i++) {
        m.active[i] = active[i];
        n[i] = ts_feature_gradient(&s->feature[active[i]], x);
    }
    if (count == 1) { /* the centre of a disc */
        m.weight[0] = 1;
    } else if (count == 2) {
        double bend = curvature(&s->feature[active[0]], x) + curvature(&s->feature[active[1]], x);
        if (!(bend >= -1e-9)) /* a saddle: along the level sets it goes down */
            return;
        m.weight[0] = m.weight[1] = 0.5;
    } else {
        double w0 = ts_vec2_cross(n[1], n[2]), w1 = ts_vec2_cross(n[2], n[0]), w2 = ts_vec2_cross(n[0], n[1]);
        double sum = w0 + w1 + w2;
        m.weight[0] = w0 / sum, m.weight[1] = w1 / sum, m.weight[2] = w2 / sum;
        for (int i = 0; i < 3; i++)
            if (!(m.weight[i] >= -1e-12))
                return;
        /* nearly a pair: what holds the third side is so slight that it is a saddle but for a hair */
        for (int i = 0; i < 3; i++) {
            double bend =
                curvature(&s->feature[active[(i + 1) % 3]], x) + curvature(&s->feature[active[(i + 2) % 3]], x);
            if (m.weight[i] < 1e-3 && bend < -1e-9)
                return;
        }
    }
    for (int i = 0; i < s->count; i++)
        if (ts_feature_value(&s->feature[i], x) > value + 10 * rounding)
            return;
    *s->best = m;
    s->found = true;
}

static void consider_pair(search *s, int i, int j)
{
    const ts_feature *f = &s->feature[i], *g = &s->feature[j];
    const int active[2] = {i, j};
    ts_vec2 x = s->from;
    if (f->side == 0 && g->side == 0) {
        if (between_lines(f, g, &x))
            consider(s, x, 2, active);
    } else if (f->side == 0 || g->side == 0) {
        if (f->side == 0 ? between_line_and_circle(f, g, &x) : between_line_and_circle(g, f, &x))
            consider(s, x, 2, active);
    } else {
        for (int sign = -1; sign <= 1; sign += 2)
            if (between_circles(f, g, sign, &x))
                consider(s, x, 2, active);
    }
}

bool ts_minimax_solve(const ts_feature *feature, int count, ts_vec2 x, double radius, ts_minimax *solution)
{
    search s = {feature, count, x, radius, solution, false};
    for (int i = 0; i < count; i++)
        if (feature[i].side > 0 && feature[i].r > 0)
            consider(&s, feature[i].c, 1, &i);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            consider_pair(&s, i, j);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                const ts_feature *three[3] = {&feature[i], &feature[j], &feature[k]};
                const int active[3] = {i, j, k};
                ts_vec2 at = x;
                if (among_three(three, &at))
                    consider(&s, at, 3, active);
            }
    return s.found;
}

/* ---- A step ---- */

static double largest(const ts_feature *feature, int count, ts_vec2 x)
{
    double top = -HUGE_VAL;
    for (int i = 0; i < count; i++)
        top = fmax(top, ts_feature_value(&feature[i], x));
    return top;
}

static void prefer(const ts_feature *feature, int count, ts_vec2 x, ts_vec2 *best, double *value)
{
    double here = largest(feature, count, x);
    if (here < *value) {
        *value = here;
        *best = x;
    }
}

ts_vec2 ts_minimax_step(const ts_feature *feature, int count, ts_vec2 x, double radius)
{
    ts_vec2 best = x;
    double value = largest(feature, count, x);
    for (int i = 0; i < count; i++) {
        ts_vec2 n = ts_feature_gradient(&feature[i], x);
        prefer(feature, count, ts_vec2_add_scaled(x, n, -radius), &best, &value);
        /* on the circle, where two of them are equal */
        for (int j = i + 1; j < count; j++) {
            ts_vec2 d = ts_vec2_sub(n, ts_feature_gradient(&feature[j], x));
            double length = ts_vec2_length(d);
            double off = (ts_feature_value(&feature[j], x) - ts_feature_value(&feature[i], x)) / length;
            if (!(fabs(off) < radius))
                continue;
            ts_vec2 foot = ts_vec2_add_scaled(x, d, off / length);
            double along = sqrt(radius * radius - off * off) / length;
            prefer(feature, count, ts_vec2_add_scaled(foot, ts_vec2_perp(d), along), &best, &value);
            prefer(feature, count, ts_vec2_add_scaled(foot, ts_vec2_perp(d), -along), &best, &value);
        }
    }
    return best;
}
