/* SPDX-License-Identifier: MIT */
/* One slice through pose space as pixels: B keeps its angle, its centre goes over the plane.
 *
 * Gaps are asked at the nodes of a lattice, every other pixel, and are linear between; lines of equal gap come from
 * marching squares on that lattice. Lengths are in the pair's unit. */
#pragma once

#include "cspace/map.h"
#include "record/draw_raster.h"

enum { TS_SLICE_PITCH = 2 }; /* pixels from node to node */

typedef struct ts_slice {
    double angle;       /* of B [rad] */
    double half;        /* half of the view's width; A's centre is in the middle */
    int side;           /* of the square picture [px], a multiple of TS_SLICE_PITCH */
    double touching[2]; /* where B is drawn: it touches A there */
    double *truth;      /* gap at nodes, row by row from the top (nodes²) */
    float *cover;       /* scratch (side²) */
} ts_slice;

/* Nodes a side. */
static inline int ts_slice_nodes(const ts_slice *slice)
{
    return slice->side / TS_SLICE_PITCH + 1;
}
static inline double ts_slice_scale(const ts_slice *slice) /* [px] of 1 */
{
    return slice->side / (2 * slice->half);
}

/* Gaps of one row of nodes; `map` NULL: of the exact gap. */
void ts_slice_ask(const ts_slice *slice, const ts_exact *exact, const ts_map *map, int row, double *gap);
/* Finds where B touches A, coming from the upper right: of some directions the one in which it stays nearest to the
 * middle. */
void ts_slice_touch(ts_slice *slice, const ts_exact *exact, const ts_pair *pair);

typedef struct ts_slice_ink {
    uint32_t paper, ink, inside, outside; /* 0xRRGGBB */
    double step;                          /* between lines of equal gap */
    double deepest, farthest;             /* gaps that get the full colours */
    double line;                          /* width of thin lines [px] */
} ts_slice_ink;

/* The colour of a gap. */
uint32_t ts_slice_gap_colour(const ts_slice_ink *ink, double gap);
/* The colour of an error (share of the unit), logarithmic from 1e-4 to 0.1. */
uint32_t ts_slice_error_colour(double error);
extern const double ts_slice_error_low, ts_slice_error_high;
/* Errors are shown in full where |gap| is below this, and faintly beyond. */
extern const double ts_slice_near;

/* The true gap in colours with lines of equal gap, A and B, into the square at (left, top). */
void ts_slice_paint_gap(const ts_slice *slice, const ts_pair *pair, const ts_slice_ink *ink, const ts_image *image,
                        int left, int top);
/* Any field at the nodes in colours with lines of equal value, all but that of 0. */
void ts_slice_paint_levels(const ts_slice *slice, const double *value, const ts_slice_ink *ink, const ts_image *image,
                           int left, int top);
/* |gap - truth| of a map in colours. */
void ts_slice_paint_error(const ts_slice *slice, const double *gap, const ts_slice_ink *ink, const ts_image *image,
                          int left, int top);
/* A line where `gap`, given at the nodes, is zero. */
void ts_slice_paint_zero(const ts_slice *slice, const double *gap, double width, uint32_t colour, const ts_image *image,
                         int left, int top);
