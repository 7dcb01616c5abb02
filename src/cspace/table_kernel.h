/* SPDX-License-Identifier: MIT */
/* What stands behind cspace/table.h: how coefficients lie in memory, and the kernel that reads them.
 *
 * A lattice has nodes (i, j, k) at x = (first_x + i) s, y = (first_y + j) s, angle = k t; the angle wraps around after
 * `angles` nodes. x and y are measured along A's mirror axis and across it, angles from where B's axis lies along A's.
 * So mirrors of the lattice at its axes and diagonals, and quarter turns, are symmetries of the pair wherever folding
 * makes use of them; nodes that such a map takes to each other have the same coefficient to the bit, and the spline
 * goes over the walls of the folded domain as smoothly as elsewhere.
 *
 * Column (j, k) keeps one run of nodes along x, one value after the other:
 *
 *     column (j, k)      ·  ·  ·  ●──●──●──●──●  ·  ·        value of node i is value[base[column] + i]
 *     its cells               [lo ───── hi]                  the cells that may be asked: all nodes that they need are there
 *
 * A cell is the box in which one set of nodes is in use: of a quadratic lattice the box about node (i, j, k), which
 * needs the 3 × 3 × 3 nodes around; of a linear one the box from node (i, j, k) to (i + 1, j + 1, k + 1), which needs
 * its 8 corners. One load of 4 bytes brings all nodes of a column that a cell needs (two loads when a value has two
 * bytes), so a query is nine or four loads and a little arithmetic. lo > hi: a column without cells. */
#pragma once

#include <stdint.h>

#include "cspace/table.h"

#define TS_LATTICE_WIDTH_MAX 255   /* lo and hi are bytes */
#define TS_LATTICE_ROWS_MAX  4096  /* in y */
#define TS_LATTICE_TURNS_MAX 65536 /* in the angle */
#define TS_LATTICE_EMPTY     255   /* lo of a column without cells; hi is then one of these: */
#define TS_LATTICE_FAR       0     /* poses there are too far apart */
#define TS_LATTICE_DEEP      1     /* or too deep */
#define TS_LATTICE_PAD       8     /* bytes behind the last value that may be read */

typedef struct ts_lattice {
    double spacing, turn;        /* s, t */
    int32_t width, rows, angles; /* nodes in x, y, angle; rows = 1: no y; angles = 1: no angle */
    int32_t first_x, first_y;    /* of node (0, 0, ·) */
    int32_t bits;                /* of a value: 8 or 16 */
    int32_t linear;              /* 1: linear, 0: quadratic */
    float middle, scale;         /* a value v stands for middle + scale v */
    size_t count;                /* values */
    int32_t *base;               /* (rows · angles), column j · angles + k */
    unsigned char *cell;         /* lo, hi of each column (2 rows · angles + TS_LATTICE_PAD) */
    unsigned char *value;        /* signed, little-endian (count · bits / 8 + TS_LATTICE_PAD) */
} ts_lattice;

struct ts_table {
    ts_table_form form; /* as it was made */
    double reach;       /* centres farther apart do not touch */
    double axis;        /* of A: the direction of the lattices' x */
    double origin;      /* the angle of B that is their 0 */
    bool reached;       /* by ts_table_fit: as good as it should be */
    bool open;          /* by ts_table_fit: pockets are open in it */
    ts_lattice gap, arm;
};

typedef struct ts_table_kernels {
    void (*query)(const ts_table *table, size_t count, ts_fields *fields);
} ts_table_kernels;

const ts_table_kernels *ts_table_choose(void);

/* table_fill.c: values from the exact gap */
typedef struct ts_table_job {
    const ts_exact *exact;
    const ts_pair *pair;
    const ts_fold *fold;
    ts_pool *pool;
    ts_table_progress *progress;
    void *user;
} ts_table_job;

ts_status ts_table_fill(const ts_table_job *job, ts_table *table, ts_error *error);
/* Frees what a lattice owns. */
void ts_lattice_free(ts_lattice *lattice);
/* Room for the columns (empty), and for `count` values once that is known. */
ts_status ts_lattice_columns(ts_lattice *lattice, ts_error *error);
ts_status ts_lattice_values(ts_lattice *lattice, size_t count, ts_error *error);
size_t ts_lattice_bytes(const ts_lattice *lattice);
