/* SPDX-License-Identifier: MIT */
/* Paths as drawings and fonts have them, lines, arcs and Bézier curves, and their way to lines and arcs.
 *
 * A curve becomes a chain of biarcs: pairs of arcs that meet with one tangent, so that a smooth curve stays smooth and normals
 * do not jump. They stay within the tolerance of the curve; halving it costs a quarter more arcs. */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"
#include "shape/segment.h"

typedef enum ts_path_kind {
    TS_PATH_LINE,  /* to p[2] */
    TS_PATH_ARC,   /* circular, to p[2], with `bulge` */
    TS_PATH_CUBIC  /* Bézier with control points p[0], p[1], to p[2] */
} ts_path_kind;

typedef struct ts_path_piece {
    ts_path_kind kind;
    ts_vec2 p[3];
    double bulge;
} ts_path_piece;

/* A subpath: where it begins, its pieces, whether it was closed. */
typedef struct ts_subpath {
    ts_vec2 start;
    size_t piece_begin, piece_end; /* into ts_path.piece */
    bool closed;
} ts_subpath;

typedef struct ts_path {
    TS_ARRAY(ts_path_piece) piece;
    TS_ARRAY(ts_subpath) subpath;
} ts_path;

ts_status ts_path_move(ts_path *path, ts_vec2 to, ts_error *error);
ts_status ts_path_line(ts_path *path, ts_vec2 to, ts_error *error);
ts_status ts_path_arc(ts_path *path, double bulge, ts_vec2 to, ts_error *error);
ts_status ts_path_quadratic(ts_path *path, ts_vec2 control, ts_vec2 to, ts_error *error);
ts_status ts_path_cubic(ts_path *path, ts_vec2 control0, ts_vec2 control1, ts_vec2 to, ts_error *error);
ts_status ts_path_close(ts_path *path, ts_error *error); /* the pen goes back to the subpath's start */
void ts_path_free(ts_path *path);

/* Half of the diagonal of the box around all end and control points; 0 for an empty path. */
double ts_path_extent(const ts_path *path);

/* Contours of lines and arcs within `tolerance` (a length) of the path. `out`'s arrays are the caller's:
 * ts_path_contours_free. */
typedef struct ts_path_contours {
    ts_vertex *vertex;
    ts_contour *contour; /* (count), pointing into vertex */
    size_t count;
} ts_path_contours;
ts_status ts_path_flatten(const ts_path *path, double tolerance, ts_path_contours *out, ts_error *error);
void ts_path_contours_free(ts_path_contours *contours);
