/* SPDX-License-Identifier: MIT */
/* What the parts of the fit share (superquadric_fit.h); nobody else includes it. Lengths are shares of the longest side of
 * the mesh's box, whose middle is the origin. */
#pragma once

#include "shape/fit_kernel.h"
#include "shape/mesh_tree.h"
#include "shape/superquadric_fit.h"

/* ---- The mesh and its grid ---- */

typedef enum ts_fit_state { TS_FIT_OUTSIDE = 0, TS_FIT_BARE, TS_FIT_COVERED } ts_fit_state;

/* Values at nodes, x fastest. */
typedef struct ts_fit_grid {
    ts_vec3 origin;
    double cell;
    int32_t size[3]; /* nodes */
    size_t count;    /* of all nodes */
    float *distance; /* signed, cut off at ± TS_FIT_BAND cells (count) */
    uint8_t *state;  /* ts_fit_state: inside nodes that some superquadric covers, or none does (count) */
    float *depth;    /* scratch: squared distance in cells (count) */
    float *away;     /* from the inside; 0 there (count) */
} ts_fit_grid;

#define TS_FIT_BAND 2.0

static inline ts_vec3 ts_fit_node(const ts_fit_grid *g, int32_t i, int32_t j, int32_t k)
{
    return (ts_vec3){g->origin.x + i * g->cell, g->origin.y + j * g->cell, g->origin.z + k * g->cell};
}
static inline size_t ts_fit_index(const ts_fit_grid *g, int32_t i, int32_t j, int32_t k)
{
    return ((size_t)k * (size_t)g->size[1] + (size_t)j) * (size_t)g->size[0] + (size_t)i;
}

/* A mesh in the fit's own scale, whose inside is where the tree says. */
typedef struct ts_fit_solid {
    ts_mesh *mesh;
    ts_mesh_tree *tree;
    bool flawed;    /* not closed, or crossing itself */
    ts_vec3 middle; /* own = (given − middle) / length */
    double length;
    double area; /* of its surface, in its own scale */
} ts_fit_solid;

ts_status ts_fit_solid_make(const ts_mesh *mesh, ts_fit_solid *solid, ts_error *error);
void ts_fit_solid_release(ts_fit_solid *solid);

/* `cells` along the longest side; 0: chosen. Refuses a mesh that encloses nothing that the grid could see. */
ts_status ts_fit_grid_make(const ts_fit_solid *solid, int cells, ts_pool *pool, ts_fit_grid *grid, ts_error *error);
void ts_fit_grid_release(ts_fit_grid *grid);
/* depth = squared distance to the nearest node that is not of this state, in cells. */
ts_status ts_fit_grid_depths(ts_fit_grid *grid, ts_fit_state of, ts_error *error);

/* Points on the surface, evenly by area; those inside of another part of a flawed mesh are left out. x, y, z: (at most
 * `wanted`). */
ts_status ts_fit_scatter(const ts_fit_solid *solid, size_t wanted, uint64_t seed, double *const to[3], size_t *count,
                         ts_error *error);

/* ---- Superquadrics ---- */

typedef struct ts_fit_list {
    ts_primitive item[TS_FIT_COUNT_MAX];
    int count;
} ts_fit_list;

typedef struct ts_fit_bounds {
    double size[2], exponent[2];
} ts_fit_bounds;

/* Moves along a step in its parameters (fit_kernel.h), within the bounds. */
void ts_fit_move(ts_primitive *primitive, const double step[TS_FIT_PARAMETERS], const ts_fit_bounds *bounds);
/* Whether the parameter is at a bound that `way` (−1 or 1) would cross. */
bool ts_fit_stuck(const ts_primitive *primitive, int parameter, double way, const ts_fit_bounds *bounds);

/* ---- The whole ---- */

typedef struct ts_fit {
    ts_fit_solid solid;
    ts_fit_grid grid;
    ts_fit_bounds bounds;
    double tau; /* of the union */
    ts_fit_list list;
    ts_pool *pool;
    const ts_fit_wish *wish;
} ts_fit;

/* fit_march.c: marks what the list covers, then adds superquadrics where the body is bare and at least `depth` cells
 * thick either way, until there are `most`. */
ts_status ts_fit_march(ts_fit *fit, int most, double depth, ts_error *error);
