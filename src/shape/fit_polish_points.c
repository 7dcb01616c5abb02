/* SPDX-License-Identifier: MIT */
/* The points at which all superquadrics are compared with the mesh. */
#include <math.h>

#include "shape/fit_polish.h"

static void add_point(ts_fit_polish *to, ts_vec3 p, ts_fit_side side, double weight)
{
    to->x[to->count] = p.x;
    to->y[to->count] = p.y;
    to->z[to->count] = p.z;
    to->side[to->count] = (int8_t)side;
    to->weight[to->count++] = weight;
}

typedef struct asked {
    const ts_fit_grid *grid;
    const ts_sdf *sdf;
    ts_sdf_rule rule;
    float *value;
} asked;

static void ask_row(void *context, int layer, int thread)
{
    const asked *a = context;
    const ts_fit_grid *g = a->grid;
    double x[TS_FIT_CELLS_MAX + 16], y[TS_FIT_CELLS_MAX + 16], z[TS_FIT_CELLS_MAX + 16], value[TS_FIT_CELLS_MAX + 16];
    (void)thread;
    for (int32_t j = 0; j < g->size[1]; j++) {
        for (int32_t i = 0; i < g->size[0]; i++) {
            const ts_vec3 p = ts_fit_node(g, i, j, layer);
            x[i] = p.x;
            y[i] = p.y;
            z[i] = p.z;
        }
        ts_sdf_ask(a->sdf, &a->rule, &(ts_sdf_points){(size_t)g->size[0], x, y, z}, &(ts_sdf_answers){.value = value});
        for (int32_t i = 0; i < g->size[0]; i++)
            a->value[ts_fit_index(g, i, j, layer)] = (float)value[i];
    }
}

/* Nodes on the wrong side, and some of the others; each stands for as many as were left out. `to` NULL: only counts. */
static void pick_nodes(const ts_fit *fit, const size_t each[2], double weight, size_t count[2], ts_fit_polish *to)
{
    const ts_fit_grid *g = &fit->grid;
    count[0] = count[1] = 0;
    for (int32_t k = 0; k < g->size[2]; k++)
        for (int32_t j = 0; j < g->size[1]; j++)
            for (int32_t i = 0; i < g->size[0]; i++) {
                const size_t at = ts_fit_index(g, i, j, k);
                const double d = (double)g->distance[at];
                if (fabs(d) < 0.3 * g->cell)
                    continue; /* points on the surface answer for these */
                const int right = (d < 0) == (g->depth[at] < 0);
                if (count[right]++ % each[right] != 0 || !to)
                    continue;
                /* a thin sheet far from the mesh is nowhere deep in the fit, and yet a large error */
                const double far = (double)g->away[at] / TS_FIT_LARGE,
                             own = weight * (1 + fmin(far * far, TS_FIT_LARGE_MOST));
                add_point(to, ts_fit_node(g, i, j, k), d < 0 ? TS_FIT_IN : TS_FIT_OUT, own * (double)each[right]);
            }
}

ts_status ts_fit_polish_points(ts_fit *fit, size_t wanted, uint64_t seed, ts_fit_polish *to, ts_error *error)
{
    ts_fit_grid *g = &fit->grid;
    TS_AUTO(ts_sdf_free_at) ts_sdf *sdf = NULL;
    TS_TRY(ts_sdf_create(fit->list.item, (size_t)fit->list.count, &sdf, error));
    ts_sdf_rule rule = ts_sdf_default_rule(sdf);
    rule.tau = fit->tau;
    ts_pool_run(fit->pool, g->size[2], ask_row, &(asked){g, sdf, rule, g->depth});
    const size_t all[2] = {1, 1};
    size_t count[2], each[2];
    pick_nodes(fit, all, 0, count, NULL);
    each[0] = count[0] / wanted + 1;
    each[1] = 3 * count[1] / (2 * wanted) + 1;
    const size_t most = wanted + count[0] / each[0] + count[1] / each[1] + 2;
    TS_TRY(ts_new_raw(&to->x, 4 * most, error));
    TS_TRY(ts_new_raw(&to->side, most, error));
    TS_TRY(ts_new_raw(&to->scale, most, error));
    to->y = to->x + most;
    to->z = to->y + most;
    to->weight = to->z + most;
    double *const column[3] = {to->x, to->y, to->z};
    TS_TRY(ts_fit_scatter(&fit->solid, wanted, seed, column, &to->surface_count, error));
    if (to->surface_count == 0)
        return ts_fail(error, TS_BAD_INPUT,
                       "the mesh has matter on both sides of its surface everywhere; mend the mesh");
    for (size_t i = 0; i < to->surface_count; i++)
        add_point(to, (ts_vec3){to->x[i], to->y[i], to->z[i]}, TS_FIT_ON, 1.0 / (double)to->surface_count);
    /* A bump of height D on area a costs a D² by points of its foot; by its nodes, a D³ / 3 over cell³: as much at D = 3 cells */
    const double share = g->cell * g->cell / (2 * fit->solid.area);
    pick_nodes(fit, each, share, count, to);
    return TS_OK;
}
