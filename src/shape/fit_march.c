/* SPDX-License-Identifier: MIT */
/* Marching primitives: superquadrics one by one, each where the body is thickest among what is still bare.
 *
 *     depth of what is bare ──▶ its deepest regions (26-connected nodes above a share of the largest depth)
 *                           ──▶ an ellipsoid of the moments of each ──▶ fit_local.c lets it grow
 *                           ──▶ what lies within it is covered */
#include <math.h>
#include <string.h>

#include "shape/fit_eigen.h"
#include "shape/fit_local.h"

#define LEVEL       0.6 /* of the largest depth: what is deeper begins a region */
#define NODES_LEAST 4   /* that a superquadric must cover anew */
#define ROUNDS_MAX  400 /* of all: a cap that is not met */

/* ---- What is covered ---- */

/* Nodes of `from` within a superquadric become `to`; returns how many. */
static ts_status cover(ts_fit *fit, const ts_primitive *primitive, size_t *covered, ts_error *error)
{
    ts_fit_grid *g = &fit->grid;
    ts_fit_nodes nodes = {0};
    size_t count = 0;
    ts_status status = ts_fit_nodes_near(g, primitive, 0.1, 1, SIZE_MAX, &nodes, error);
    if (status == TS_OK)
        ts_fit_nodes_ask(&nodes, primitive, false);
    for (size_t i = 0; status == TS_OK && i < nodes.count; i++) {
        uint8_t *state = &g->state[nodes.index[i]];
        /* half a cell more: what is left between two surfaces is no place for a third */
        if (*state == TS_FIT_BARE && nodes.value[i] < 0.5 * g->cell) {
            *state = TS_FIT_COVERED;
            count++;
        }
    }
    ts_fit_nodes_free(&nodes);
    *covered = count;
    return status;
}

/* ---- Regions ---- */

typedef struct region {
    size_t count, deepest; /* nodes; index of the deepest one */
    double sum[3], square[6];
} region;

static void add_node(region *r, double x, double y, double z)
{
    const double p[3] = {x, y, z};
    for (int i = 0, n = 0; i < 3; i++) {
        r->sum[i] += p[i];
        for (int j = i; j < 3; j++)
            r->square[n++] += p[i] * p[j];
    }
    r->count++;
}

/* The nodes around `first` at this depth or deeper, 26-connected. They are taken out of `depth`. */
static region flood(ts_fit_grid *g, size_t first, float least, int32_t *stack)
{
    const int32_t nx = g->size[0], ny = g->size[1];
    region r = {.deepest = first};
    size_t height = 0;
    float top = g->depth[first];
    stack[height++] = (int32_t)first;
    g->depth[first] = -g->depth[first];
    while (height > 0) {
        const int32_t at = stack[--height];
        const int32_t x = at % nx, y = at / nx % ny, z = at / nx / ny;
        if (-g->depth[at] > top) {
            top = -g->depth[at];
            r.deepest = (size_t)at;
        }
        add_node(&r, x, y, z);
        /* nodes of a region are inside, and the margin of the grid is not: neighbours exist */
        for (int32_t k = z - 1; k <= z + 1; k++)
            for (int32_t j = y - 1; j <= y + 1; j++)
                for (int32_t i = x - 1; i <= x + 1; i++) {
                    const size_t n = ts_fit_index(g, i, j, k);
                    if (g->depth[n] >= least) {
                        g->depth[n] = -g->depth[n];
                        stack[height++] = (int32_t)n;
                    }
                }
    }
    return r;
}

/* The ellipsoid of the same moments, thicker by the depth at which the region was cut. */
static ts_primitive ellipsoid(const ts_fit *fit, const region *r, double level)
{
    const ts_fit_grid *g = &fit->grid;
    const double n = (double)r->count;
    double mean[3], value[3];
    ts_mat3 moment, axes;
    for (int i = 0; i < 3; i++)
        mean[i] = r->sum[i] / n;
    for (int i = 0, k = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            moment.m[i][j] = moment.m[j][i] = r->square[k++] / n - mean[i] * mean[j];
    ts_fit_diagonalise(moment, value, &axes);
    double size[3];
    for (int i = 0; i < 3; i++) {
        const double half = (sqrt(fmax(5 * value[i], 0)) + level) * g->cell;
        size[i] = fmin(fmax(half, fit->bounds.size[0]), fit->bounds.size[1]);
    }
    return (ts_primitive){
        .kind = TS_PRIMITIVE_SUPERQUADRIC,
        .pose = {{g->origin.x + mean[0] * g->cell, g->origin.y + mean[1] * g->cell, g->origin.z + mean[2] * g->cell},
                 ts_quat_from_matrix(axes)},
        .size = ts_vec3_of(size),
        .exponent = {1, 1},
    };
}

/* ---- The march ---- */

static ts_status try_region(ts_fit *fit, const region *r, double level, bool *added, ts_error *error)
{
    ts_primitive primitive = ellipsoid(fit, r, level);
    size_t covered;
    TS_TRY(ts_fit_local(fit, &primitive, error));
    TS_TRY(cover(fit, &primitive, &covered, error));
    *added = covered >= NODES_LEAST;
    if (*added)
        fit->list.item[fit->list.count++] = primitive;
    if (fit->grid.state[r->deepest] == TS_FIT_BARE) { /* it walked away: do not start there again */
        const size_t row = (size_t)fit->grid.size[0], layer = row * (size_t)fit->grid.size[1];
        for (int k = -1; k <= 1; k++)
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    uint8_t *state =
                        &fit->grid
                             .state[(size_t)((ptrdiff_t)r->deepest + i + j * (ptrdiff_t)row + k * (ptrdiff_t)layer)];
                    *state = *state == TS_FIT_BARE ? TS_FIT_COVERED : *state;
                }
    }
    return TS_OK;
}

static ts_status march_once(ts_fit *fit, int most, double least, int32_t *stack, bool *more, ts_error *error)
{
    ts_fit_grid *g = &fit->grid;
    float top = 0;
    TS_TRY(ts_fit_grid_depths(g, TS_FIT_BARE, error));
    for (size_t i = 0; i < g->count; i++)
        top = g->depth[i] > top ? g->depth[i] : top;
    *more = top >= (float)(least * least) && fit->list.count < most;
    const float cut = (float)(LEVEL * LEVEL) * top;
    for (size_t i = 0; *more && i < g->count && fit->list.count < most; i++) {
        if (g->depth[i] < cut)
            continue;
        const region r = flood(g, i, cut, stack);
        bool added;
        /* a region of the same sweep may have been covered meanwhile */
        if (g->state[r.deepest] == TS_FIT_BARE)
            TS_TRY(try_region(fit, &r, LEVEL * sqrt((double)top), &added, error));
    }
    return TS_OK;
}

ts_status ts_fit_march(ts_fit *fit, int most, double depth, ts_error *error)
{
    ts_fit_grid *g = &fit->grid;
    TS_AUTO_FREE int32_t *stack = NULL;
    TS_TRY(ts_new_raw(&stack, g->count, error));
    for (size_t i = 0; i < g->count; i++)
        g->state[i] = g->distance[i] < 0 ? TS_FIT_BARE : TS_FIT_OUTSIDE;
    for (int i = 0; i < fit->list.count; i++) {
        size_t covered;
        TS_TRY(cover(fit, &fit->list.item[i], &covered, error));
    }
    bool more = true;
    for (int round = 0; more && round < ROUNDS_MAX; round++)
        TS_TRY(march_once(fit, most, depth, stack, &more, error));
    return TS_OK;
}
