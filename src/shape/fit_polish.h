/* SPDX-License-Identifier: MIT */
/* All superquadrics at once: the blended φ at points of the mesh's surface, and the side of points away from it.
 *
 *     on the surface   r = φ / |∇φ|               the distance of the surfaces there, to first order
 *     outside          r = min(φ / |∇φ|, 0)       nothing where φ has the right sign
 *     inside           r = max(φ / |∇φ|, 0)
 *
 *     cost  J = Σ w ρ(r),   ρ = r² (1 + min(r² / R², M))         r > 0: a lost part weighs more than its area
 *                           ρ = r², linear from r = -B on        r < 0: no union reaches the walls of a deep cavity
 *
 * by Levenberg–Marquardt steps, |∇φ| and the blend's weights held during each. A point feels the few superquadrics that
 * are blended there, so the normal matrix has blocks for neighbours only; conjugate gradients solve it. */
#pragma once

#include "shape/fit_parts.h"

/* Blended at a point, at most. */
#define TS_FIT_ACTIVE     4

#define TS_FIT_LARGE      0.01 /* R: parts that are bare by more weigh more */
#define TS_FIT_LARGE_MOST 30.0 /* M */

typedef enum ts_fit_side { TS_FIT_ON = 0, TS_FIT_OUT = 1, TS_FIT_IN = -1 } ts_fit_side;

/* The points, and all superquadrics there. */
typedef struct ts_fit_polish {
    ts_fit *fit;
    size_t count, surface_count;    /* points: those of the surface come first */
    double *x, *y, *z, *weight;     /* Σ weight = 1 on the surface (count) */
    int8_t *side;                   /* ts_fit_side (count) */
    double *value;                  /* φ of superquadrics, one column after another (slots · count) */
    ts_primitive *key;              /* whose values a column holds, so that a trial can be undone (slots) */
    int slots, next, columns;       /* room for columns: twice as many as superquadrics, which there were at first */
    int16_t slot[TS_FIT_COUNT_MAX]; /* column of each superquadric of the list */
    double *scale;                  /* 1 / |∇φ| (count) */
    struct ts_fit_step *step;       /* scratch */
} ts_fit_polish;

/* Points on the surface, and nodes of the grid: all (a share of them, when they are many) on the wrong side of the
 * fit as it stands, some of the others. */
ts_status ts_fit_polish_make(ts_fit *fit, size_t surface_points, uint64_t seed, ts_fit_polish *polish, ts_error *error);
/* Fills in points, their sides and weights (fit_polish_points.c). */
ts_status ts_fit_polish_points(ts_fit *fit, size_t wanted, uint64_t seed, ts_fit_polish *to, ts_error *error);
void ts_fit_polish_release(ts_fit_polish *polish);

/* Steps in the parameters of those that are `free` (fit->list.count; NULL: all). Returns the cost that is reached. */
double ts_fit_polish_run(ts_fit_polish *polish, const bool *free, int steps);
/* Values of all superquadrics at all points, after the list has been changed; returns the cost. */
double ts_fit_polish_refresh(ts_fit_polish *polish);
/* What the cost would be without one of them, about; after ts_fit_polish_run or _refresh. */
double ts_fit_polish_cost_without(const ts_fit_polish *polish, int index);
/* Over the points of the surface: the mean of |r|, and the largest; shares of the length. */
void ts_fit_polish_errors(const ts_fit_polish *polish, double *mean, double *worst);
/* Whether both are the smallest two within reach of each other at some point of the surface. */
bool ts_fit_polish_meet(const ts_fit_polish *polish, int a, int b);
