/* SPDX-License-Identifier: MIT */
/* How good a fit is, by points that the fit has not seen. */
#include <math.h>

#include "base/random.h"
#include "shape/fit_parts.h"
#include "shape/mesh_iso.h"

enum { CELLS = 112, POINTS = 20000, THROWN = 100000, SOME = 512 };

typedef struct body {
    const ts_sdf *sdf;
    ts_sdf_rule rule;
} body;

static double value_of(void *user, ts_vec3 point)
{
    const body *b = user;
    return ts_sdf_at(b->sdf, &b->rule, point);
}

/* A fine mesh of the zero set. */
static ts_status lay_mesh(body *b, int cells, ts_mesh **mesh, ts_error *error)
{
    ts_box3 box = ts_sdf_bounds(b->sdf);
    const double more = 0.02 * ts_sdf_length(b->sdf);
    box.low = ts_vec3_sub(box.low, (ts_vec3){more, more, more});
    box.high = ts_vec3_add(box.high, (ts_vec3){more, more, more});
    return ts_mesh_iso(value_of, b, box, cells, mesh, error);
}

/* ---- Distances ---- */

typedef struct way {
    const ts_mesh_tree *to;
    double *point[3];
    double *distance;
    size_t count;
} way;

static void go_some(void *context, int task, int thread)
{
    const way *w = context;
    const size_t from = (size_t)task * SOME, end = from + SOME < w->count ? from + SOME : w->count;
    (void)thread;
    for (size_t i = from; i < end; i++)
        w->distance[i] =
            fabs(ts_mesh_tree_nearest(w->to, (ts_vec3){w->point[0][i], w->point[1][i], w->point[2][i]}).distance);
}

static ts_status go(const ts_fit_solid *from, const ts_mesh_tree *to, const ts_fit_measure *how, double *mean,
                    double *worst, ts_error *error)
{
    const size_t points = how->points > 0 ? how->points : POINTS;
    TS_AUTO_FREE double *column = NULL;
    TS_TRY(ts_new_raw(&column, 4 * points, error));
    way w = {.to = to, .distance = column + 3 * points};
    for (size_t k = 0; k < 3; k++)
        w.point[k] = column + k * points;
    TS_TRY(ts_fit_scatter(from, points, how->seed + 77, w.point, &w.count, error));
    ts_pool_run(how->pool, (int)((w.count + SOME - 1) / SOME), go_some, &w);
    *mean = *worst = 0;
    for (size_t i = 0; i < w.count; i++) {
        *mean += w.distance[i] / (double)w.count;
        *worst = fmax(*worst, w.distance[i]);
    }
    return TS_OK;
}

/* ---- Volumes ---- */

typedef struct throwing {
    const body *body;
    const ts_mesh_tree *tree;
    ts_box3 box;
    size_t count, points;
    uint64_t seed;
    uint32_t (*hit)[2]; /* in both, in one at least; per task */
    uint32_t (*own)[2]; /* in the body, in the mesh */
} throwing;

static void throw_some(void *context, int task, int thread)
{
    const throwing *t = context;
    const size_t from = (size_t)task * SOME, end = from + SOME < t->count ? from + SOME : t->count;
    const ts_vec3 span = ts_vec3_sub(t->box.high, t->box.low);
    (void)thread;
    for (size_t i = from; i < end; i++) {
        const ts_vec3 u = {ts_random_uniform(t->seed, 11, 3 * i), ts_random_uniform(t->seed, 11, 3 * i + 1),
                           ts_random_uniform(t->seed, 11, 3 * i + 2)};
        const ts_vec3 p = ts_vec3_add(t->box.low, ts_vec3_times(span, u));
        const bool a = ts_sdf_at(t->body->sdf, &t->body->rule, p) < 0;
        const bool b = ts_mesh_tree_nearest(t->tree, p).distance < 0;
        t->hit[task][0] += a && b;
        t->hit[task][1] += a || b;
        t->own[task][0] += a;
        t->own[task][1] += b;
    }
}

static ts_status throw_points(const body *b, const ts_fit_solid *solid, const ts_fit_measure *how,
                              ts_fit_errors *errors, ts_error *error)
{
    throwing t = {.body = b, .tree = solid->tree, .seed = how->seed, .count = how->thrown > 0 ? how->thrown : THROWN};
    t.box = ts_box3_join(ts_sdf_bounds(b->sdf), ts_mesh_bounds(solid->mesh));
    const size_t tasks = (t.count + SOME - 1) / SOME;
    TS_AUTO_FREE uint32_t(*hit)[2] = NULL;
    TS_TRY(ts_new(&hit, 2 * tasks, error));
    t.hit = hit;
    t.own = hit + tasks;
    ts_pool_run(how->pool, (int)tasks, throw_some, &t);
    double sum[4] = {0};
    for (size_t i = 0; i < tasks; i++)
        for (int k = 0; k < 4; k++)
            sum[k] += k < 2 ? hit[i][k] : hit[tasks + i][k - 2];
    const ts_vec3 span = ts_vec3_sub(t.box.high, t.box.low);
    const double share = span.x * span.y * span.z / (double)t.count;
    errors->overlap = sum[1] > 0 ? sum[0] / sum[1] : 0;
    errors->volume = sum[2] * share;
    errors->mesh_volume = sum[3] * share;
    return TS_OK;
}

/* ---- All of it ---- */

/* The body in the scale of the mesh's own fit. */
static ts_status scaled(const ts_sdf *sdf, const ts_fit_solid *solid, ts_sdf **to, ts_error *error)
{
    const size_t count = ts_sdf_count(sdf);
    TS_AUTO_FREE ts_primitive *own = NULL;
    TS_TRY(ts_new(&own, count, error));
    for (size_t i = 0; i < count; i++) {
        own[i] = *ts_sdf_primitive(sdf, i);
        if (own[i].kind != TS_PRIMITIVE_SUPERQUADRIC)
            return ts_fail(error, TS_UNSUPPORTED, "errors are measured of bodies of superquadrics only");
        own[i].size = ts_vec3_scale(own[i].size, 1 / solid->length);
        own[i].pose.position = ts_vec3_scale(ts_vec3_sub(own[i].pose.position, solid->middle), 1 / solid->length);
    }
    return ts_sdf_create(own, count, to, error);
}

static ts_status measure(ts_fit_solid *solid, const ts_sdf *sdf, const ts_fit_measure *how, ts_fit_errors *errors,
                         ts_error *error)
{
    TS_AUTO(ts_sdf_free_at) ts_sdf *own = NULL;
    TS_TRY(scaled(sdf, solid, &own, error));
    body b = {own, ts_sdf_default_rule(own)};
    TS_AUTO(ts_fit_solid_release) ts_fit_solid surface = {0};
    TS_TRY(lay_mesh(&b, how->cells > 0 ? how->cells : CELLS, &surface.mesh, error));
    TS_TRY(ts_mesh_tree_create(surface.mesh, &surface.tree, error));
    TS_TRY(go(solid, surface.tree, how, &errors->mean_to_body, &errors->worst_to_body, error));
    TS_TRY(go(&surface, solid->tree, how, &errors->mean_to_mesh, &errors->worst_to_mesh, error));
    TS_TRY(throw_points(&b, solid, how, errors, error));
    errors->mean = fmax(errors->mean_to_body, errors->mean_to_mesh);
    errors->worst = fmax(errors->worst_to_body, errors->worst_to_mesh);
    errors->length = solid->length;
    errors->volume *= solid->length * solid->length * solid->length;
    errors->mesh_volume *= solid->length * solid->length * solid->length;
    return TS_OK;
}

ts_status ts_fit_measure_errors(const ts_mesh *mesh, const ts_sdf *sdf, const ts_fit_measure *how,
                                ts_fit_errors *errors, ts_error *error)
{
    static const ts_fit_measure plain = {0};
    *errors = (ts_fit_errors){0};
    TS_AUTO(ts_fit_solid_release) ts_fit_solid solid = {0};
    TS_TRY(ts_fit_solid_make(mesh, &solid, error));
    return measure(&solid, sdf, how ? how : &plain, errors, error);
}
