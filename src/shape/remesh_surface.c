/* SPDX-License-Identifier: MIT */
#include "shape/remesh_work.h"

/* Points that are asked for together; steps of one of them; times that a step is halved. */
enum { BATCH = 64, STEPS = 60 };

static void ask_batch(const ts_remesh_work *w, const ts_vec3 *point, size_t count, double *value, ts_vec3 *gradient)
{
    double x[BATCH], y[BATCH], z[BATCH], g[3][BATCH];
    for (size_t i = 0; i < count; i++) {
        x[i] = point[i].x;
        y[i] = point[i].y;
        z[i] = point[i].z;
    }
    const ts_sdf_answers to = {.value = value, .gradient = {g[0], g[1], g[2]}};
    ts_sdf_ask(w->sdf, &w->rule, &(ts_sdf_points){count, x, y, z}, &to);
    for (size_t i = 0; i < count; i++)
        gradient[i] = (ts_vec3){g[0][i], g[1][i], g[2][i]};
}

void ts_remesh_off(const ts_remesh_work *w, const ts_vec3 *point, size_t count, double *off)
{
    ts_vec3 gradient[BATCH];
    ask_batch(w, point, count, off, gradient);
    for (size_t i = 0; i < count; i++)
        off[i] /= fmax(1, ts_vec3_length(gradient[i]));
}

/* One point on its way: the best place so far, and the step that is tried from there. */
typedef struct walk {
    ts_vec3 at, step, gradient;
    double value; /* at `at`; NaN before the first answer */
    ts_spot *spot;
} walk;

/* Newton's step along the gradient, `reach` long at most. */
static ts_vec3 newton(double value, ts_vec3 gradient, double reach)
{
    const double square = ts_vec3_length_squared(gradient), length = fabs(value) / sqrt(square);
    return square > 0 ? ts_vec3_scale(gradient, -value / square * (length > reach ? reach / length : 1))
                      : (ts_vec3){0, 0, 0};
}

/* Takes the answer at at + step in: a new step from there if |φ| fell, half of the old one otherwise. False: done. */
static bool go_on(const ts_remesh_work *w, walk *p, double value, ts_vec3 gradient, double reach)
{
    if (!(fabs(p->value) <= fabs(value))) {
        p->at = ts_vec3_add(p->at, p->step);
        p->value = value;
        p->gradient = gradient;
        p->step = newton(value, gradient, reach);
    } else
        p->step = ts_vec3_scale(p->step, 0.5);
    return isfinite(value) && fabs(p->value) > w->tolerance;
}

static void arrive(const ts_remesh_work *w, const walk *p, double reach)
{
    if (fabs(p->value) <= w->tolerance && ts_vec3_distance(p->at, p->spot->at) <= reach)
        *p->spot = (ts_spot){p->at, ts_vec3_unit(p->gradient), p->spot->size};
    else
        p->spot->normal = (ts_vec3){0, 0, 0};
}

static void project_batch(const ts_remesh_work *w, ts_spot *spot, size_t count, double reach)
{
    walk active[BATCH];
    ts_vec3 at[BATCH], gradient[BATCH];
    double value[BATCH];
    size_t left = count;
    for (size_t i = 0; i < count; i++)
        active[i] = (walk){.at = spot[i].at, .value = (double)NAN, .spot = &spot[i]};
    for (int step = 0; step < STEPS && left; step++) {
        for (size_t i = 0; i < left; i++)
            at[i] = ts_vec3_add(active[i].at, active[i].step);
        ask_batch(w, at, left, value, gradient);
        size_t still = 0;
        for (size_t i = 0; i < left; i++)
            if (go_on(w, &active[i], value[i], gradient[i], reach))
                active[still++] = active[i];
            else
                arrive(w, &active[i], reach);
        left = still;
    }
    for (size_t i = 0; i < left; i++)
        arrive(w, &active[i], reach);
}

void ts_remesh_project(const ts_remesh_work *w, ts_spot *spot, size_t count, double reach)
{
    for (size_t i = 0; i < count; i += BATCH)
        project_batch(w, spot + i, count - i < BATCH ? count - i : BATCH, reach);
}

bool ts_remesh_project_one(const ts_remesh_work *w, ts_spot *spot, double reach)
{
    project_batch(w, spot, 1, reach);
    return ts_vec3_length_squared(spot->normal) > 0;
}

ts_remesh_look ts_remesh_look_at(const ts_spot *a, const ts_spot *b, const ts_spot *c)
{
    ts_remesh_look look = {ts_vec3_unit(ts_remesh_area(a->at, b->at, c->at)), ts_remesh_quality(a->at, b->at, c->at),
                           0};
    look.facing = fmax(ts_vec3_dot(look.normal, a->normal),
                       fmax(ts_vec3_dot(look.normal, b->normal), ts_vec3_dot(look.normal, c->normal)));
    return look;
}

bool ts_remesh_fits(const ts_remesh_look *now, const ts_remesh_look *before, const ts_remesh_guard *guard)
{
    return ts_vec3_dot(now->normal, before->normal) >= guard->turn && now->quality > 0 &&
           now->quality >= fmin(guard->quality, before->quality) && now->facing >= fmin(guard->facing, before->facing);
}
