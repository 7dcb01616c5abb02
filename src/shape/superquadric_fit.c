/* SPDX-License-Identifier: MIT */
#include "shape/superquadric_fit.h"

#include <math.h>
#include <string.h>

#include "base/kernel.h"
#include "shape/fit_reduce.h"

TS_KERNEL_CHOOSER(ts_fit_kernels, ts_fit)

#define DEPTH       1.9 /* cells: what is thinner comes after a polish has shown what it lacks */
#define DEPTH_LEAST 1.0
#define SPARE       1.6 /* so many times the wished count are found at first, and some */
#define SPARE_MORE  8
#define TAU         0.003 /* of the length: that of ts_sdf_default_rule */
#define MEAN        0.005 /* errors that end the search for a count */
#define WORST       0.04
#define WON         0.98 /* of the cost: what a move has to leave at most, or the search for better places ends */

/* Points on the surface while superquadrics are chosen, then, and at last. */
enum { POINTS_TRIAL = 3000, POINTS = 5000, POINTS_LAST = 10000 };
enum { COUNT_DEFAULT = 32, STEPS = 8, STEPS_LAST = 8, ROUNDS_LAST = 4, MOVES_MAX = 4, MOVE = 3 };

/* ---- Stages ---- */

/* About where the time goes: shares of all of it, at the end of each stage. */
static const double until_grid = 0.05, until_march = 0.2, until_reduce = 0.6, until_moves = 0.9;

static ts_status tell(const ts_fit *fit, double done, const char *what, ts_error *error)
{
    const ts_fit_wish *w = fit->wish;
    if (w->progress && !w->progress(w->progress_user, done, what))
        return ts_fail(error, TS_INTERRUPTED, "the fit was stopped");
    return TS_OK;
}

static ts_status polish(ts_fit *fit, size_t points, uint64_t seed, int steps, double *cost, ts_error *error)
{
    TS_AUTO(ts_fit_polish_release) ts_fit_polish polish = {0};
    TS_TRY(ts_fit_polish_make(fit, points, seed, &polish, error));
    *cost = ts_fit_polish_run(&polish, NULL, steps);
    return TS_OK;
}

/* Down to `count`; or, where `most` of errors are given, to as few as keep to them. */
static ts_status reduce(ts_fit *fit, int count, const double most[2], const double share[2], ts_error *error)
{
    TS_AUTO(ts_fit_polish_release) ts_fit_polish polish = {0};
    TS_TRY(ts_fit_polish_make(fit, POINTS_TRIAL, 1, &polish, error));
    const int first = fit->list.count, last = most ? 1 : count;
    while (fit->list.count > last) {
        const ts_fit_list before = fit->list;
        const double done = (double)(first - fit->list.count) / (first - last);
        TS_TRY(tell(fit, share[0] + (share[1] - share[0]) * done, "merging", error));
        double cost, mean, worst;
        TS_TRY(ts_fit_reduce(&polish, &cost, error));
        ts_fit_polish_errors(&polish, &mean, &worst);
        if (most && fit->list.count < count && (mean > most[0] || worst > most[1])) {
            fit->list = before;
            break;
        }
    }
    return TS_OK;
}

/* Adds a few where the body is still bare, and takes as many away elsewhere, while that helps. */
static ts_status move_some(ts_fit *fit, ts_error *error)
{
    const int count = fit->list.count, more = count + MOVE < TS_FIT_COUNT_MAX ? count + MOVE : TS_FIT_COUNT_MAX;
    double least;
    TS_TRY(polish(fit, POINTS, 1, STEPS, &least, error));
    ts_fit_list best = fit->list;
    for (int k = 0; k < MOVES_MAX; k++) {
        double cost = 0;
        const double share[2] = {until_reduce + (until_moves - until_reduce) * k / MOVES_MAX,
                                 until_reduce + (until_moves - until_reduce) * (k + 1) / MOVES_MAX};
        TS_TRY(tell(fit, share[0], "looking for better places", error));
        TS_TRY(ts_fit_march(fit, more, DEPTH_LEAST, error));
        TS_TRY(polish(fit, POINTS, 1, STEPS, &cost, error));
        TS_TRY(reduce(fit, count, NULL, share, error));
        TS_TRY(polish(fit, POINTS, 1, STEPS, &cost, error));
        const bool won = cost < WON * least;
        if (cost < least) {
            best = fit->list;
            least = cost;
        }
        fit->list = best;
        if (!won)
            break;
    }
    return TS_OK;
}

/* With other points each time: nodes that the last steps have got wrong are among them. */
static ts_status polish_last(ts_fit *fit, ts_error *error)
{
    for (int k = 0; k < ROUNDS_LAST; k++) {
        TS_TRY(tell(fit, until_moves + (1 - until_moves) * k / ROUNDS_LAST, "polishing", error));
        TS_AUTO(ts_fit_polish_release) ts_fit_polish polish = {0};
        TS_TRY(ts_fit_polish_make(fit, POINTS_LAST, 2 + (uint64_t)k, &polish, error));
        ts_fit_polish_run(&polish, NULL, STEPS_LAST);
        if (k + 1 == ROUNDS_LAST)
            ts_fit_drop_idle(&polish);
    }
    return TS_OK;
}

static ts_status run(ts_fit *fit, ts_error *error)
{
    const ts_fit_wish *w = fit->wish;
    const int count = w->count > 0 ? w->count : COUNT_DEFAULT;
    const int most = (int)fmin(SPARE * count + SPARE_MORE, TS_FIT_COUNT_MAX);
    const double errors[2] = {w->mean > 0 ? w->mean : MEAN, w->worst > 0 ? w->worst : WORST};
    double cost;
    TS_TRY(tell(fit, until_grid, "marching", error));
    TS_TRY(ts_fit_march(fit, most, DEPTH, error));
    if (fit->list.count == 0) /* a thin body */
        TS_TRY(ts_fit_march(fit, most, 0, error));
    if (fit->list.count == 0)
        return ts_fail(error, TS_BAD_INPUT, "no superquadric finds room in the mesh; ask for more cells");
    TS_TRY(polish(fit, POINTS, 1, STEPS, &cost, error));
    TS_TRY(tell(fit, 0.5 * (until_grid + until_march), "marching", error));
    TS_TRY(ts_fit_march(fit, most, DEPTH_LEAST, error));
    TS_TRY(polish(fit, POINTS, 1, STEPS, &cost, error));
    TS_TRY(reduce(fit, count, w->count > 0 ? NULL : errors, (const double[2]){until_march, until_reduce}, error));
    TS_TRY(move_some(fit, error));
    TS_TRY(polish_last(fit, error));
    return tell(fit, 1, "", error);
}

static ts_status check(const ts_fit_wish *w, ts_error *error)
{
    if (w->count < 0 || w->count > TS_FIT_COUNT_MAX)
        return ts_fail(error, TS_BAD_INPUT, "%d superquadrics are wished for, but 1 to %d are possible", w->count,
                       TS_FIT_COUNT_MAX);
    if (w->cells != 0 && (w->cells < TS_FIT_CELLS_MIN || w->cells > TS_FIT_CELLS_MAX))
        return ts_fail(error, TS_BAD_INPUT, "a grid of %d cells is wished for, but %d to %d are possible", w->cells,
                       TS_FIT_CELLS_MIN, TS_FIT_CELLS_MAX);
    if (!(w->mean >= 0 && w->mean < 1 && w->worst >= 0 && w->worst < 1))
        return ts_fail(error, TS_BAD_INPUT, "errors of %g and %g of the length are wished for; give shares below 1",
                       w->mean, w->worst);
    return TS_OK;
}

static ts_status finish(const ts_fit *fit, ts_sdf **sdf, ts_error *error)
{
    ts_fit_list list = fit->list;
    for (int i = 0; i < list.count; i++) {
        ts_primitive *p = &list.item[i];
        p->size = ts_vec3_scale(p->size, fit->solid.length);
        p->pose.position = ts_vec3_add_scaled(fit->solid.middle, p->pose.position, fit->solid.length);
    }
    return ts_sdf_create(list.item, (size_t)list.count, sdf, error);
}

ts_status ts_superquadric_fit(const ts_mesh *mesh, const ts_fit_wish *wish, ts_sdf **sdf, ts_error *error)
{
    static const ts_fit_wish plain = {0};
    ts_fit *fit = NULL;
    *sdf = NULL;
    wish = wish ? wish : &plain;
    TS_TRY(check(wish, error));
    TS_TRY(ts_new(&fit, 1, error));
    fit->wish = wish;
    fit->pool = fit->wish->pool;
    fit->tau = TAU;
    ts_status status = tell(fit, 0, "distances", error);
    if (status == TS_OK)
        status = ts_fit_solid_make(mesh, &fit->solid, error);
    if (status == TS_OK)
        status = ts_fit_grid_make(&fit->solid, fit->wish->cells, fit->pool, &fit->grid, error);
    if (status == TS_OK) {
        fit->bounds = (ts_fit_bounds){{0.4 * fit->grid.cell, 1}, {TS_EXPONENT_MIN, TS_EXPONENT_MAX}};
        status = run(fit, error);
    }
    if (status == TS_OK)
        status = finish(fit, sdf, error);
    ts_fit_grid_release(&fit->grid);
    ts_fit_solid_release(&fit->solid);
    ts_free(fit);
    return status;
}
