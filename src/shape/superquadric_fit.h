/* SPDX-License-Identifier: MIT */
/* From a mesh to a smooth body: a union of superquadrics (primitive.h) whose blended surface (sdf.h) lies on the mesh.
 *
 *     mesh ──▶ signed distances on a grid, exact near the surface       (fit_grid.c)
 *          ──▶ marching primitives: where the body is thickest and not yet covered, a superquadric starts and grows until
 *              its truncated distances agree with the grid's            (fit_march.c)
 *          ──▶ while there are too many: the one whose loss, or the two whose merger, moves the surface least  (fit_reduce.c)
 *          ──▶ polish: all parameters of all superquadrics at once, least squares of the distance between the surfaces
 *                                                                       (fit_polish.c), after each change
 *
 *              ╭───╮ ╭─╮                ●───● ●─●
 *          ╭───╯   ╰─╯ ╰──╮    ──▶    ●───●   ●  ●──●        parts overlap: a seam costs nothing
 *          ╰──────────────╯           ●────────────●
 *
 * Marching primitives are those of Liu, Wu, Ruan and Chirikjian, "Marching-Primitives: Shape Abstraction from Signed
 * Distance Function" (CVPR 2023). The joint polish and the choice by surface error are what keeps thin parts.
 *
 * Inside is where the surface goes round a point more often than not, so a mesh may have holes, crossings and pieces
 * that are turned over. Deterministic: the same bits on any number of threads and by every instruction set. */
#pragma once

#include "base/threads.h"
#include "shape/mesh.h"
#include "shape/sdf.h"

#define TS_FIT_COUNT_MAX 128 /* superquadrics */
#define TS_FIT_CELLS_MIN 16
#define TS_FIT_CELLS_MAX 256

/* Told how far the fit has come: `done` from 0 to 1, `what` a few words. False: stop. */
typedef bool ts_fit_progress(void *user, double done, const char *what);

/* Zero is a good default for every field. */
typedef struct ts_fit_wish {
    int count;          /* superquadrics, at most; 0: as many as reach the errors below, up to 32 */
    int cells;          /* of the grid along the longest side; 0: some 300,000 cells in all */
    double mean, worst; /* errors that end the search when count is 0, as shares of the length; 0: 0.5 % and 4 % */
    ts_pool *pool;      /* may be NULL */
    ts_fit_progress *progress; /* may be NULL */
    void *progress_user;
} ts_fit_wish;

/* `mesh` may be any soup of triangles that encloses something, turned either way. TS_BAD_INPUT when it encloses nothing, or when a
 * number makes no sense; TS_INTERRUPTED when progress said so. `wish` may be NULL. */
ts_status ts_superquadric_fit(const ts_mesh *mesh, const ts_fit_wish *wish, ts_sdf **sdf, ts_error *error);

/* ---- How good it is ---- */

/* Lengths as shares of the longest side of the mesh's box. */
typedef struct ts_fit_errors {
    double overlap;                     /* volume of the intersection over that of the union (IoU) */
    double mean, worst;                 /* distance between both surfaces, the worse of both ways */
    double mean_to_body, worst_to_body; /* from points of the mesh to the surface of the body */
    double mean_to_mesh, worst_to_mesh; /* and back */
    double length;                      /* [m] */
    double volume, mesh_volume;         /* [m³] */
} ts_fit_errors;

typedef struct ts_fit_measure {
    int cells;     /* of the mesh that is laid over the body's surface to draw points from; 0: 160 */
    size_t points; /* on each surface; 0: 20,000 */
    size_t thrown; /* into the boxes, for volumes; 0: 100,000 */
    uint64_t seed; /* of all of them */
    ts_pool *pool; /* may be NULL */
} ts_fit_measure;

/* By points of its own, which the fit has not seen: exact distances to the mesh; distances to a fine mesh of the zero set,
 * whose vertices lie on it. Deterministic. `how` may be NULL. */
ts_status ts_fit_measure_errors(const ts_mesh *mesh, const ts_sdf *sdf, const ts_fit_measure *how,
                                ts_fit_errors *errors, ts_error *error);
