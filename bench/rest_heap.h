/* SPDX-License-Identifier: MIT */
/* Part of the bench `rest`: heaps, as every program gets them.
 *
 *     ▏ #  #  # ▕    Equal bodies of 1 m begin at rest on a grid, each turned at random, over a floor between walls as
 *     ▏  #  #  #▕    wide as the grid: in the plane two, in space four. Density 1000, friction 0.4, restitution 0.
 *     ▏##_#_#_##▕
 *
 *     hash       four bars of 1.0 × 0.1 m at ±0.2 m           plane, pitch 1.15 m
 *     octagons   regular, 1 m across its corners              likewise
 *     discs      of 1 m, away from the grid by up to 0.07 m,  likewise
 *                or they would stand on top of each other
 *     boxes      cubes of 1 m                                 space, pitch 1.75 m
 *     hulls      regular dodecahedra, 1 m across corners      space, pitch 1.05 m */
#pragma once

#include "rest_depths.h"
#include "shape/hull.h"
#include "touchstone/scene.h"

typedef enum ts_heap_kind { TS_HEAP_HASH, TS_HEAP_OCTAGONS, TS_HEAP_DISCS, TS_HEAP_BOXES, TS_HEAP_HULLS } ts_heap_kind;

#define TS_HEAP_DENSITY  1000.0
#define TS_HEAP_FRICTION 0.4
#define TS_HEAP_GRAVITY  9.81

typedef struct ts_heap {
    ts_heap_kind kind;
    int dimension;
    double width, height; /* of the grid: width that of the bin [m] */
    double mass;          /* of a body [kg] */
    ts_vec3 inertia;      /* about its axes, which are principal; in the plane z alone [kg m²] */
    ts_outline *outline;  /* of the plane */
    ts_hull *hull;        /* of hulls */
    ts_convex *piece;     /* of a body */
    ts_bound wall[5];
    ts_crowd crowd; /* of all this, to measure overlaps */
    ts_pose3 *pose; /* where bodies begin (crowd.count) */
} ts_heap;

/* ts_heap_free frees it, whatever happened. Hulls need Qhull: without it TS_UNSUPPORTED. */
ts_status ts_heap_make(ts_heap_kind kind, size_t count, uint64_t seed, ts_heap *heap, ts_error *error);
void ts_heap_free(ts_heap *heap);
/* "hash", "octagons", … */
const char *ts_heap_name(ts_heap_kind kind);
/* The heap as a scene, with defaults for all that the kind of dynamics leaves to choose. */
ts_status ts_heap_scene(const ts_heap *heap, const char *dynamics, ts_scene **scene, ts_error *error);
/* Kinetic energy, of moving and turning, over the mass [J/kg]. */
double ts_heap_energy(const ts_heap *heap, const ts_pose3 *pose, const ts_twist3 *rate);
