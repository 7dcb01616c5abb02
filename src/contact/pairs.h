/* SPDX-License-Identifier: MIT */
/* The broad phase: which parts may touch before the next list is made.
 *
 * A list holds every pair of parts whose discs are nearer than a *skin*, and stays good until some part has moved half
 * of it. It is exact: it never misses a pair. It is a pure function of the model and of the reference poses, in content
 * and in order, whatever the number of threads: state.h says why.
 *
 * Grids. Parts are sorted into a hierarchy of grids by size: level l has cells of width c_0 / 2^l, and a part belongs
 * to the finest level whose cells are as wide as its diameter plus the skin. So parts that may touch are in
 * neighbouring cells of the coarser part's level, and a mixture of sizes 1 : 100 costs seven levels, not 10^4 parts in
 * a cell.
 *
 *     strip s    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁   one row of level 0; across the longer side of the region
 *       level 0  [   ·   ][   ·   ][   ·  ]
 *       level 1  [ · ][ · ][   ][ · ][ ·  ]  two rows a strip
 *
 * Slots. Parts are numbered anew by (strip, level, row, column, id); slot order is memory order, so neighbours in space
 * are near in memory. Cells beyond the region's edge are folded into the last one, which keeps neighbours neighbours;
 * the region covers the bulk of the parts, so that one that flies away costs nothing.
 *
 * Blocks and colours. Whole strips are gathered into blocks. A pair belongs to the block of the part that found it, and
 * its other part is at most one strip away, so the pairs of one block touch only parts of that block and its two
 * neighbours. Blocks of one colour (every second one when pairs only look forward, every third one otherwise) share no
 * part: they are worked on in parallel, adding forces without locks, and the sums come in one order for any number of
 * threads. */
#pragma once

#include "base/threads.h"
#include "contact/analytic.h"
#include "contact/contact.h"
#include "state.h"

/* Finest grid: a 1 : 1000 mixture still gets its own level for the smallest. */
#define TS_LEVELS_MAX 11

/* One level of the grid. */
typedef struct ts_level {
    double inv_cell;   /* cells per metre */
    int32_t columns;   /* along a strip */
    int32_t rows;      /* across all strips: strip_count · 2^level */
    size_t cell_begin; /* first cell of this level within a strip */
    size_t part_count; /* parts of this level */
} ts_level;

typedef struct ts_grid {
    double origin[2]; /* along the strips, across them [m] */
    int across;       /* which coordinate goes across the strips: 0 = x, 1 = y */
    int32_t strip_count;
    size_t cells_a_strip; /* of all levels */
    int level_count;
    ts_level level[TS_LEVELS_MAX];
} ts_grid;

/* Where a part is, in slot order, while pairs are looked for. */
typedef struct ts_spot {
    double x, y;
    double radius;
    int32_t body; /* owner */
    uint8_t level;
    bool movable;
    bool absent; /* its gate is open */
} ts_spot;

/* Partners that a part found, between counting pairs and writing them: a packing of equal discs has three each. */
#define TS_PARTNERS_KEPT 15
typedef struct ts_partners {
    int32_t count;                     /* found; only the first TS_PARTNERS_KEPT are kept */
    int32_t partner[TS_PARTNERS_KEPT]; /* slots */
} ts_partners;

_Static_assert(sizeof(ts_partners) == sizeof(ts_frame2), "the two share memory: see workspace.h");
_Static_assert(sizeof(ts_spot) == sizeof(ts_wrench), "the two share memory: see workspace.h");

typedef struct ts_pairs {
    /* slots */
    int32_t *part_of_slot; /* (part_count) */
    int32_t *slot_of_part; /* (part_count) */

    /* blocks */
    int32_t block_count;
    int32_t colour_count; /* 2 or 3 */
    int32_t *block_slot;  /* first slot of each block (block_count + 1) */
    size_t *block_pair;   /* first pair of each block (block_count + 1) */
    size_t *block_wall;   /* first wall pair of each block (block_count + 1) */

    /* candidates, block by block */
    size_t pair_count, pair_capacity;
    ts_candidate *pair; /* part slot, part slot */
    size_t wall_count, wall_capacity;
    ts_candidate *wall; /* face of a wall (contact/faces.h), part slot */

    /* of each pair, where parts have forms (contact/forms.h): pairs stand by map in each block, and a pair's first form
     * is not after its second */
    uint16_t *map; /* (pair_count) */
    double *until; /* no contact before the paths of both (workspace.h) add up to this [m]: written by find contacts */
    ts_candidate *sorting; /* scratch */
    size_t form_capacity;

    double skin;             /* how far apart parts may be and be listed: set before a list is made [m] */
    uint64_t reference_hash; /* of the poses that this list was made for; 0: none */
    double extent;           /* no part was farther than this from any wall's origin [m] */
    double reach; /* no body's coordinates, turned angle times radius among them, add up to more than this [m] */

    /* scratch */
    ts_wall_frame *wall_then; /* walls where the list has them (wall_count) */
    ts_grid grid;
    uint32_t *cell_of_part; /* (part_count) */
    int32_t *cell_start;    /* first slot of each cell, level by level (cell_count + 1) */
    size_t cell_capacity;
    size_t block_capacity;
    size_t bytes; /* on the heap */
} ts_pairs;

ts_status ts_pairs_create(ts_pairs *pairs, const ts_model *model, ts_error *error);
void ts_pairs_free(ts_pairs *pairs);

/* Makes the list for bodies at `poses` and walls at `time`. `spot` and `partners` are scratch (part_count). On failure
 * (out of memory) the list is void. */
ts_status ts_pairs_build(ts_pairs *pairs, const ts_model *model, const ts_poses *poses, double time, ts_spot *spot,
                         ts_partners *partners, ts_pool *pool, ts_error *error);

/* Puts pairs in the order of their maps, block by block; for models with forms (group.c). */
ts_status ts_pairs_group(ts_pairs *pairs, const ts_model *model, ts_pool *pool, ts_error *error);

/* A wall at `time + part · step`, with the even motion that takes it from where it is at `time` to where it is at
 * `time + step`. Driven bodies move the same way. step > 0, part in [0, 1]. */
void ts_wall_at(const ts_model *model, size_t wall, double time, double step, double part, ts_wall_frame *at);
/* A wall at `time`, seen as the middle of a step: what pair lists are made for. */
void ts_wall_around(const ts_model *model, size_t wall, double time, ts_wall_frame *at);
/* Whether a gated body takes part at a time. */
bool ts_body_absent(const ts_model *model, size_t body, double time);
/* How many gates, of bodies and walls, have opened or closed by `time`: the list is made anew when it changes. */
size_t ts_gate_epoch(const ts_model *model, double time);
