/* SPDX-License-Identifier: MIT */
#include "measure/kind.h"

#include "measure/amount.h"
#include "measure/columns.h"
#include "measure/snapshot.h"
#include "model.h"

/* The functions of a row. */
#define FUNCTIONS(in)                                                                                        \
    .describe = describe_##in, .region = ts_body_region_##in, .rotational = rotational_##in,                 \
    .principal = ts_stress_in_##in, .anisotropy = ts_fabric_in_##in, .side = side_##in, .along = along_##in, \
    .amounts = amounts_##in, .inside = inside_##in

/* ---- The plane ---- */

static void describe_plane(const ts_model *model, size_t i, const double inertia[9], ts_snapshot_body *body)
{
    body->shape = model->body_shape[i];
    body->scale = model->body_scale[i];
    body->volume = model->shape[body->shape].area * (body->scale * body->scale);
    body->inertia[2][2] = inertia[8];
}

static double rotational_plane(const ts_snapshot_body *body, double sum)
{
    return sum + 0.5 * body->inertia[2][2] * (body->spin[2] * body->spin[2]);
}

/* Twice the area of a, b and p: positive to the left of a → b. */
static double side_plane(const double *a, const double *b, const double *p)
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static double along_plane(const double *a, const double *b, const double *p)
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    return (dx * (p[0] - a[0]) + dy * (p[1] - a[1])) / (dx * dx + dy * dy);
}

static ts_status amounts_plane(ts_amount *amount, ts_error *error)
{
    return ts_edges_make(amount->snapshot, &amount->edges, error);
}

static double inside_plane(const ts_amount *amount, size_t i, const ts_region *box, double *off)
{
    (void)off; /* it is exact */
    return ts_edges_area(amount->snapshot, &amount->edges, i, box);
}

const ts_measure_kind ts_measure_plane = {.axes = 2,
                                          .turns = 1,
                                          .row = 0,
                                          .outlines = true,
                                          .groups = TS_MEASURE_ALL,
                                          .corners = "lower left corner, then its upper right",
                                          FUNCTIONS(plane)};

/* ---- Space ---- */

static void describe_space(const ts_model *model, size_t i, const double inertia[9], ts_snapshot_body *body)
{
    const ts_form3 *form = &model->form[model->body_form[i]];
    (void)inertia;
    body->shape = form->shape;
    body->scale = form->scale;
    body->volume = form->volume;
}

static double rotational_space(const ts_snapshot_body *body, double sum)
{
    for (int k = 0; k < 9; k++)
        sum += 0.5 * body->spin[k / 3] * body->inertia[k / 3][k % 3] * body->spin[k % 3];
    return sum;
}

/* Minus the way past the plane through a across a → b, times |b − a|: what has not crossed yet is positive. */
static double side_space(const double *a, const double *b, const double *p)
{
    return -((b[0] - a[0]) * (p[0] - a[0]) + (b[1] - a[1]) * (p[1] - a[1]) + (b[2] - a[2]) * (p[2] - a[2]));
}

static double along_space(const double *a, const double *b, const double *p)
{
    (void)a, (void)b, (void)p; /* the plane has no end */
    return 0;
}

static ts_status amounts_space(ts_amount *amount, ts_error *error)
{
    return ts_volumes_make(amount->snapshot, &amount->volumes, error);
}

static double inside_space(const ts_amount *amount, size_t i, const ts_region *box, double *off)
{
    return ts_volumes_inside(amount->snapshot, &amount->volumes, i, box, off);
}

const ts_measure_kind ts_measure_space = {.axes = 3,
                                          .turns = 3,
                                          .row = 1,
                                          .groups = TS_MEASURE_ALL & ~TS_MEASURE_REPOSE,
                                          .corners = "lowest corner, then its opposite",
                                          FUNCTIONS(space)};
