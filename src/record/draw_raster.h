/* SPDX-License-Identifier: MIT */
/* Shapes into pixels, by distance.
 *
 * A pixel's share of a shape is taken from the signed distance d of its centre to the shape's edge [px], negative
 * inside:
 *
 *     share = clamp(½ - d)             an edge is one pixel soft, wherever it lies between pixels
 *     rim   = share where d > -width   a darker band inside the edge
 *
 * The distance to a union is the smallest of the distances, so a cluster of discs has a rim around it and none inside.
 * One such pass does what filling and stroking a path does in two, several times as fast.
 *
 * Coordinates are pixels from the upper left corner of the image, y down; the centre of the first pixel is (½, ½). All
 * calls touch rows y0 … y1-1 only, so that bands of one image can be drawn on several threads, with the same result. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shape/outline.h"
#include "touchstone/scene.h"

typedef struct ts_image {
    uint32_t *pixel; /* 0x00RRGGBB */
    size_t stride;   /* pixels from row to row */
    int width, height;
} ts_image;

/* Rows of an image that a call may write. */
typedef struct ts_rows {
    int y0, y1;
} ts_rows;

typedef struct ts_raster_disc {
    double x, y, radius; /* [px] */
} ts_raster_disc;

/* A line with round ends. */
typedef struct ts_raster_stroke {
    double x0, y0, x1, y1, width; /* [px] */
    uint32_t colour;
    double opacity; /* 0 to 1 */
} ts_raster_stroke;

typedef struct ts_ink {
    uint32_t fill, rim;
    double rim_width; /* [px]; 0: none */
    double opacity;   /* of the whole, 0 to 1 */
} ts_ink;

/* How the solid side of walls looks: an edge line, then hatching that fades with depth. */
typedef struct ts_wall_ink {
    uint32_t paper, solid, hatch, edge;
    double edge_width;   /* [px] */
    double hatch_period; /* [px] */
    double hatch_width;  /* [px] */
    double fade;         /* depth at which only paper is left [px] */
    double top;          /* rows over which walls come out of the paper at the upper edge [px]; 0: none */
} ts_wall_ink;

typedef struct ts_raster_wall {
    ts_wall_kind kind;
    double x, y;              /* [px]; hatching moves with it */
    double nx, ny;            /* unit, towards the free side, y down */
    double radius;            /* of a polyline or an outline: bounding circle [px] */
    double angle;             /* by which it, or a circle's hatching, is turned, y down [rad] */
    double scale;             /* polyline, outline: pixels of one of its own units of length */
    const ts_distance *reach; /* polyline, outline: negative in the solid of an outline */
    double half_width;        /* polyline [px] */
    bool solid_outside;       /* outline: bodies are inside */
} ts_raster_wall;

/* An outline, placed. */
typedef struct ts_raster_outline {
    const ts_outline *outline;
    double x, y;         /* its origin [px] */
    double scale;        /* pixels of one of its own units of length */
    double cosine, sine; /* of its angle, y up */
    double reach;        /* bounding radius about the origin [px] */
} ts_raster_outline;

/* The union of discs. `row` is scratch for image->width numbers. Discs smaller than a pixel are drawn as pale ones of a
 * pixel. */
void ts_raster_discs(const ts_image *image, ts_rows rows, const ts_raster_disc *disc, size_t count, const ts_ink *ink,
                     double *row);
/* An outline that is more than a pixel. */
void ts_raster_outline_fill(const ts_image *image, ts_rows rows, const ts_raster_outline *placed, const ts_ink *ink);
void ts_raster_line(const ts_image *image, ts_rows rows, const ts_raster_stroke *stroke);
/* The union of the walls' solid sides, over paper: every pixel of the rows is written. */
void ts_raster_walls(const ts_image *image, ts_rows rows, const ts_raster_wall *wall, size_t count,
                     const ts_wall_ink *ink, double *row);
/* Averages factor × factor pixels of `from` into one of `to`; rows are those of `to`. */
void ts_raster_shrink(const ts_image *from, const ts_image *to, ts_rows rows, int factor);
