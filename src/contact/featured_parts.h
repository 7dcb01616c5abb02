/* SPDX-License-Identifier: MIT */
/* What featured.c keeps of pairs between steps, and featured_batches.c reads. All of it is scratch. */
#pragma once

#include "contact/feature_lanes.h"
#include "contact/featured.h"

/* What was found of a pair. Two lists of keys, each for poses near the one at which it was made:
 *
 *     found   the keys that may touch once the pair has moved by `margin`
 *     near    those of them that may touch once it has moved by `near_margin`, which is less: asked in every step */
typedef struct ts_featured_entry {
    double x, y, angle;   /* of B in A's frame, when keys were found */
    double reach, margin; /* they hold for [m]; margin < 0: nothing was found yet */
    double arm;           /* turning by 1 rad counts as moving by this [m] */
    double near_x, near_y, near_angle, near_margin;
    double near_until;    /* near keys hold for this list until the paths of both have added up to this [m] */
    uint32_t first;       /* of both lists, in the block's pools */
    uint32_t count, room; /* of keys found */
    uint32_t near_count;
    int32_t a, b, block; /* of a pair: its parts, and where its keys are */
    bool rivals;         /* some of those near may hide others */
} ts_featured_entry;

/* Marks a key of the pool of near ones: a point on a line that contact/feature_lanes.h can ask. */
#define TS_FEATURE_PLAIN (UINT64_C(1) << 61)

/* Keys of pairs, one after the other. */
typedef struct ts_featured_pool {
    TS_ARRAY(uint64_t) found, near;
    TS_ARRAY(uint64_t) rival; /* of each near key: bit j for the pair's near key j, which may hide it */
} ts_featured_pool;

typedef struct ts_featured_block {
    ts_featured_pool pool; /* of the block's pairs and walls */
    ts_feature_contacts contact;
    ts_history_array record; /* of this step, in the order of the list */
    ts_status status;
} ts_featured_block;

struct ts_featured {
    double (*turn)[2]; /* cosine and sine of each slot's angle (part_count) */
    size_t part_count;
    ts_featured_entry *pair, *wall; /* (pair_capacity), (wall_capacity) */
    size_t pair_capacity, wall_capacity;
    size_t pair_count;
    ts_featured_block *block; /* (block_capacity) */
    size_t block_count, block_capacity;
    const ts_history_array *past; /* what the list's springs refer to */
    /* from one list to the next: entries of pairs by their part A, with their keys */
    uint32_t *row; /* (part_count + 2) */
    TS_ARRAY(ts_featured_entry) carried;
    ts_featured_pool carried_pool;
};

/* Rounding of paths and displacements. */
#define TS_FEATURED_SURE (1 - 1e-9)

/* The pair's entry, with keys near that hold for this pose and `reach`. `gone`: the paths of both parts in this list;
 * infinite: not known. *left: how far points of one shape must move against the other before there are others. */
ts_status ts_featured_refresh(const ts_workspace *work, const ts_featured_pair *pair, const ts_relative *a_in_b,
                              const ts_relative *b_in_a, double reach, double way, double gone,
                              const ts_featured_entry **entry, double *left);
