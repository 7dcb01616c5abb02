/* SPDX-License-Identifier: MIT */
/* What stands behind shape/distance.h: the arithmetic of one edge, and how edges lie in memory.
 *
 * One formula serves lines and arcs. Let d = p1 - p0 be the chord, b the bulge, and
 *
 *     g = b (centre - p0) = b d / 2 + (1 - b²) / 4 · (d turned left),      ρ = |g| = |b| · radius.
 *
 * Unlike centre and radius, g and ρ stay finite when the arc becomes a line. For a point p with e = p - p0:
 *
 *     signed distance      (b e·e - 2 e·g) / (|b e - g| + ρ)      that is ±(|p - centre| - radius) without its cancellation
 *     foot                 p0 + (ρ e + distance · g) / |b e - g|
 *     tangent at p0, p1    g and h = g - b d turned right; p is between the normals at the ends when it is after p0 and
 *                          before p1 along them (for sweeps above π: after or before)
 *
 * For b = 0 any multiple of g will do; lines have |g| = 1/2, so that the distance is just -2 e·g.
 *
 * Choosing and measuring are two steps. First a cheap key (squared distance) finds the nearest edge; then that edge
 * alone gives distance, foot and side. Where the nearest point is a vertex, the edge found is either of its two, as
 * rounding will have it; that does not matter, because the side comes from the vertex: from the mean of the normals of
 * its two edges, or, where more edges meet or the corner is a spike, from the edge that is nearest in angle to the
 * direction of p (ts_distance_settle).
 *
 * Which edges to look at: the plane around the shape is cut into cells, and a cell names runs of blocks of four
 * edges. An edge may be left out when a known point a of the boundary is nearer throughout the cell. D²(p) - |p -
 * a|² is a minimum of linear functions of p, so it is concave, and looking at the four corners of the cell is
 * enough. Points outside of all cells look at circles around groups of edges first. Cells of a fixed size cost a
 * build that grows with their number, but no search; lists copied into each cell would save a few blocks but cost a
 * hundred times the memory. */
#pragma once

#include "shape/distance.h"

#define TS_DISTANCE_FEW   16 /* up to so many edges there is no grid: all are looked at, four points at a time */
#define TS_DISTANCE_GROUP 16 /* blocks in a group */
#define TS_DISTANCE_TILE  64 /* points that go through the steps together */
#define TS_DISTANCE_FAR \
    1e8 /* of points farther away, in units of the extent, only the direction counts: no digit is lost */

/* All coordinates are scaled by a power of two, so that the extent is about 1. */
typedef struct ts_distance_edge {
    double x0, y0, x1, y1;
    double gx, gy, b, rho;     /* as above; g is NaN for an edge without length */
    double n0x, n0y, n1x, n1y; /* mean normal at begin and end, to the right; NaN: ask settle */
} ts_distance_edge;

/* What choosing needs of four edges. */
typedef struct ts_line_block {
    double x[4], y[4], dx[4], dy[4];
    double inverse[4]; /* 1 / |d|²; 0 for an edge without length */
} ts_line_block;
typedef struct ts_arc_block {
    double x0[4], y0[4], x1[4], y1[4];
    double gx[4], gy[4], hx[4], hy[4], b[4], rho[4];
} ts_arc_block;

/* Blocks to look at. Either one run of line blocks, or runs named elsewhere. */
typedef struct ts_distance_cell {
    uint32_t begin;  /* first block, or first run */
    uint16_t count;  /* blocks, or runs of line blocks */
    uint16_t listed; /* 0: one run; else 1 + runs of arc blocks, which follow those of lines */
} ts_distance_cell;
typedef struct ts_distance_run {
    uint32_t begin, count;
} ts_distance_run;

typedef struct ts_distance_kernels ts_distance_kernels;

/* Edges are numbered anew: lines first, filled up to whole blocks with copies of the last one, then arcs likewise. */
struct ts_distance {
    const ts_distance_kernels *kernel;
    double scale, unscale; /* to the units in here, and back; powers of two */
    double centre[2];      /* of the shape */
    size_t edge_count;     /* with the copies */
    uint32_t line_blocks, arc_blocks;
    ts_distance_edge *edge; /* (edge_count) */
    int32_t *original;      /* number that the caller knows (edge_count) */
    ts_line_block *line;    /* (line_blocks) */
    ts_arc_block *arc;      /* (arc_blocks) */
    /* vertices: ends of edges (2 · edge + 0 for the begin, 1 for the end), sorted so that those of one place stand
     * together */
    int32_t *end;       /* (end_count) */
    size_t end_count;   /* copies are not in it */
    int32_t *end_place; /* where the ends of the same place begin in `end` (2 · edge_count) */
    /* groups, for points outside of the grid */
    size_t group_count; /* line blocks first; no group has both */
    double *group;      /* x, y, radius of circles: (3 · group_padded), each a multiple of 4 */
    size_t group_padded;
    /* grid */
    int32_t side;                 /* cells; 0: no grid */
    double origin[2], per_length; /* corner, 1 / size of a cell */
    ts_distance_cell *cell;       /* (side²) */
    ts_distance_run *run;
    size_t run_count;
};

struct ts_distance_kernels {
    void (*query)(const ts_distance *d, size_t count, const double *x, const double *y, double *out, double *closest_x,
                  double *closest_y, int32_t *segment);
    /* For the grid: distances of four corners from each edge of a list, out[4 · i + corner], and who is nearest to
     * each. */
    void (*measure)(const ts_distance_edge *edge, const int32_t *list, size_t count, const double corner[2][4],
                    double *out, size_t nearest[4]);
    /* Copies those edges to `to` that are not, for any of four limits, beyond it at all corners. Returns how many. */
    size_t (*sieve)(const int32_t *list, size_t count, const double *distance, const double limit[4][4], int32_t *to);
};

/* The side on which a point lies whose nearest point is an end of an edge, or nearly so: true for the left. `edge` gets
 * the edge that decided, when the end itself is nearest. */
typedef struct ts_distance_end {
    int32_t edge;
    int end;    /* 0: begin, 1: end */
    bool inner; /* the nearest point lies beside the end, but rounding hides on which of the edges there */
} ts_distance_end;
bool ts_distance_settle(const ts_distance *d, ts_distance_end at, double x, double y, int32_t *edge);

const ts_distance_kernels *ts_distance_choose(void);

/* Fills d->side … d->run from edges and blocks. */
ts_status ts_distance_build_grid(ts_distance *d, double radius, ts_error *error);
