/* SPDX-License-Identifier: MIT */
/* The broad phase in space: which of many boxes overlap, whatever their sizes.
 *
 * The answer is exact: all pairs whose closed boxes share a point (boxes that just touch do), and no others. It is
 * sorted, so it is the same for any number of threads and does not depend on how it was found.
 *
 * Levels. Boxes are sorted by size into levels, each of which holds sizes within an octave, and each level has a grid
 * of its own with cells as wide as its largest box. A box stands in one cell only, that of its low corner:
 *
 *     level 0   [       ·       ][       ·       ]     low corners of boxes that overlap q lie between
 *     level 1   [   ][ · ][   ][   ][ · ][   ][ ]      q.low - reach  and  q.high,   reach: the level's largest box
 *     level 3   [][][·][][·][][][][·][][][][][][]
 *
 * so q looks into two or three cells along an axis of its own level, and into a block of cells of another. Of two
 * levels one looks into the other: the coarser one where it has few boxes, which is the rule in mixtures, otherwise the
 * finer one. Bounds are rounded the way the corners themselves are (a monotone function of them), so nothing is missed
 * by rounding, however far from the origin.
 *
 * Cells. A level's cells are an array, and as wide as keeps them in proportion to the boxes. Where that crowds boxes
 * into few cells (clusters far apart, a body that has flown away), rows of narrow cells are hashed into a table
 * instead: runs of 64 cells stay together, and boxes of other rows that come along fail the test or are dropped as
 * doubles. Both take memory in proportion to the boxes.
 *
 * Boxes that are infinite in some direction (planes, vessels) are held against every other box: meant for a few.
 *
 *     ts_near near = {0};
 *     TS_TRY(ts_near_find(&near, &(ts_near_query){.box = box, .count = n}, error));
 *     for (size_t k = 0; k < near.pair_count; k++) … near.pair[k].a, near.pair[k].b …
 *     ts_near_free(&near); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/threads.h"
#include "shape/mesh.h"

/* Sizes of 1 : 2^48 have levels of their own; finer boxes share the last. */
#define TS_NEAR_LEVELS_MAX 48
/* Cells are counted in 32 bits, and there may be several a box. */
#define TS_NEAR_BOXES_MAX ((size_t)INT32_MAX / 8)
/* More pairs than this are refused: bodies lie on top of each other, and memory would run out. */
#define TS_NEAR_PAIRS_MAX ((size_t)INT32_MAX)

typedef struct ts_near_query {
    const ts_box3 *box;     /* in the world; low ≤ high, may be infinite [m] (count) */
    size_t count;           /* at most TS_NEAR_BOXES_MAX */
    const uint8_t *passive; /* 1: fixed bodies and walls, no two of which are paired; NULL: none is (count) */
    const int32_t *group;   /* boxes of one group ≥ 0, parts of one body, are never paired; NULL: no groups (count) */
    ts_pool *pool;          /* NULL: one thread */
} ts_near_query;

typedef struct ts_near_pair {
    int32_t a, b; /* boxes, a < b */
} ts_near_pair;

/* A box in a slot: boxes of one cell lie side by side. One cache line. Low corner and, mirrored, high corner: p and q
 * overlap when no number of p's bound is above that of q's limit, {high, -low}. */
typedef struct ts_near_slot {
    double bound[6]; /* {low, -high} [m] */
    int32_t box;     /* its number */
    int32_t group;   /* ≥ 0, or a negative number of its own */
    int32_t passive; /* 0 or 1 */
    int32_t unused;
} ts_near_slot;
_Static_assert(sizeof(ts_near_slot) == 64, "a slot is a cache line");

/* A level and its grid. */
typedef struct ts_near_level {
    double low[3];       /* least low corner of its boxes [m] */
    double low_most[3];  /* greatest low corner [m] */
    double high[3];      /* greatest high corner [m] */
    double reach[3];     /* no box of it is larger [m] */
    double inv_cell[3];  /* cells per metre */
    double last[3];      /* number of the last cell along an axis, whole */
    size_t cell_begin;   /* its cells in cell_start */
    size_t cell_count;   /* 0: no boxes */
    bool sparse;         /* wider cells than its boxes need: as long as they are not crowded */
    size_t mask;         /* hashed: rows begin at hash & mask; 0: the cells are an array */
    int32_t slot_begin;  /* its boxes' slots … */
    int32_t slot_end;    /* … end before this one */
    uint64_t looks_into; /* bit l: its boxes look for theirs in level l */
} ts_near_level;

/* What one thread has found. */
typedef struct ts_near_found {
    _Alignas(64) TS_ARRAY(ts_near_pair) pair; /* a and b as they come; a box may find itself, and a pair twice */
    bool marked;                              /* there are passive boxes or groups */
    ts_status status;                         /* TS_OK, or why it gave up */
} ts_near_found;

/* Zeroed before its first use; memory grows with the largest query and is kept until ts_near_free. */
typedef struct ts_near {
    ts_near_pair *pair; /* a < b, ascending by a, then b (pair_count) */
    size_t pair_count;

    /* scratch */
    size_t pair_capacity;
    int level_count;
    ts_near_level level[TS_NEAR_LEVELS_MAX]; /* coarse to fine */
    TS_ARRAY(int32_t) bin;                   /* boxes of each size, an eighth of an octave each; then their levels */
    TS_ARRAY(uint8_t) level_of;              /* of each box */
    TS_ARRAY(uint32_t) cell_of;              /* of each box, within all levels' */
    TS_ARRAY(uint32_t) cell_start;           /* first slot of each cell */
    TS_ARRAY(ts_near_slot) slot;
    TS_ARRAY(int32_t) open;        /* boxes that have no finite size */
    TS_ARRAY(ts_near_found) found; /* of each thread */
    TS_ARRAY(size_t) run_begin;    /* where each thread's pairs of each run of boxes go (near_order.c) */
    TS_ARRAY(size_t) kept;         /* first pair of each run */
    TS_ARRAY(int32_t) partner;     /* b of each pair, by a */
    TS_ARRAY(int32_t) partners;    /* of each box: how many */
} ts_near;

/* Finds them. Boxes that are NaN or inside out are refused with their number (TS_BAD_INPUT). On failure there are no
 * pairs. */
ts_status ts_near_find(ts_near *near, const ts_near_query *query, ts_error *error);
void ts_near_free(ts_near *near);

/* Inside: what threads have found becomes the list (near_order.c). */
ts_status ts_near_order(ts_near *near, size_t box_count, ts_pool *pool, ts_error *error);
