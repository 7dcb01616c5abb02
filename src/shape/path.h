/* SPDX-License-Identifier: MIT */
/* Paths as drawings and fonts have them, lines, arcs and Bézier curves, and their way to lines and arcs.
 *
 * A curve becomes a chain of biarcs: pairs of arcs that meet with one tangent, so that a smooth curve stays smooth and
 * normals do not jump. They stay within the tolerance of the curve; halving it costs a quarter more arcs.
 *
 * A curve is halved, by its parameter, until each part fits: what is symmetric stays so, which a search for the fewest
 * arcs from one end would not grant. What is straight becomes a line, with a bulge of exactly 0. */
#pragma once

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"
#include "shape/segment.h"

typedef enum ts_path_kind {
    TS_PATH_LINE,   /* to p[2] */
    TS_PATH_ARC,    /* circular, to p[2], with `bulge` */
    TS_PATH_CUBIC,  /* Bézier with control points p[0], p[1], to p[2] */
    TS_PATH_ELLIPSE /* elliptic, to p[2]: centre p[0]; p[1] is the radius (a vector) a quarter turn after the one to the
                     * start, as a circle's affine image has it; `bulge` holds the sweep in that circle [rad] */
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

/* A line, arc or curve starts at the pen: at the end of the piece before, or at the start of a subpath that was closed
 * (then a new subpath begins there). A path begins with a move. Pieces beyond TS_OUTLINE_EDGES_MAX are refused. */
ts_status ts_path_move(ts_path *path, ts_vec2 to, ts_error *error);
ts_status ts_path_line(ts_path *path, ts_vec2 to, ts_error *error);
ts_status ts_path_arc(ts_path *path, double bulge, ts_vec2 to, ts_error *error);
ts_status ts_path_quadratic(ts_path *path, ts_vec2 control, ts_vec2 to, ts_error *error);
ts_status ts_path_cubic(ts_path *path, ts_vec2 control0, ts_vec2 control1, ts_vec2 to, ts_error *error);
ts_status ts_path_ellipse(ts_path *path, ts_vec2 centre, ts_vec2 quarter, double sweep, ts_vec2 to, ts_error *error);
ts_status ts_path_close(ts_path *path, ts_error *error); /* the pen goes back to the subpath's start */
void ts_path_free(ts_path *path);

/* Half of the diagonal of the box around all end and control points (the middle, of an arc; of an ellipse the corners
 * of the box that its two radii span); 0 for an empty path. */
double ts_path_extent(const ts_path *path);

/* Contours of lines and arcs within `tolerance` (a length, not 0) of the path. `out`'s arrays are the caller's:
 * ts_path_contours_free. Subpaths without a piece are left out. A contour is open when its subpath was not closed and
 * does not end where it began; an end that misses the start by rounding alone is taken for it. */
typedef struct ts_path_contours {
    ts_vertex *vertex;
    ts_contour *contour; /* (count), pointing into vertex */
    size_t count;
} ts_path_contours;
ts_status ts_path_flatten(const ts_path *path, double tolerance, ts_path_contours *out, ts_error *error);
void ts_path_contours_free(ts_path_contours *contours);
