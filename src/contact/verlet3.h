/* SPDX-License-Identifier: MIT */
/* Neighbour list of bodies in space for forces that act at every step: a Verlet list in tiles.
 *
 * Bodies are put into *slots*, sorted along a space-filling curve by where the model has them at time 0. Bodies in
 * slots, then walls, are *frames*. Slots are cut into tiles of TS_TILE3. A tile owns the pairs whose first body is in
 * it, and sums their forces in memory of its own: one place for each of its bodies, and one for each *ghost*, a frame
 * of another tile that its pairs touch. A body's total is that of its own tile, then those of the tiles where it is a
 * ghost, in the order of tiles:
 *
 *     tile 0   [ own bodies | ghosts ]        tile 1   [ own bodies | ghosts ]        …
 *                              └──────── total of a body of tile 1 ─────┘
 *
 * So tiles can be worked on at the same time, and sums have one order. That order follows from slots and from which
 * pairs touch, not from when the list was made: pairs that do not touch add nothing. Keeping the list or making it anew
 * never changes a result.
 *
 * Pairs of centred balls (bodies or walls that are one sphere about their origin) are kept apart from all others: a
 * kernel tests them four at a time. */
#pragma once

#include "base/threads.h"
#include "contact/near.h"
#include "contact/touch.h"
#include "model.h"

#define TS_TILE3 1024

/* Where a frame is. For balls that is all that a contact needs. */
typedef struct ts_place3 {
    double x, y, z; /* [m] */
    double radius;  /* of a centred ball; below 0: something else [m] */
} ts_place3;

/* Two parts that may touch and are not two centred balls. */
typedef struct ts_pair3 {
    int32_t a, b;           /* frames; a < b, so that a is a body */
    int32_t part_a, part_b; /* of the model */
    int32_t to_b;           /* where b's force is summed */
} ts_pair3;

typedef struct ts_tile3 {
    size_t ball_begin, ball_end;   /* into ball_a, ball_b, ball_to */
    size_t other_begin, other_end; /* into other */
    int32_t sum_begin;             /* first of its sums: those of its own bodies, then ghosts … */
    int32_t sum_end;               /* … up to here */
} ts_tile3;

typedef struct ts_verlet3 {
    const ts_model *model;
    size_t body_count, frame_count, tile_count;

    /* fixed: written by ts_verlet3_create */
    int32_t *body_of;    /* of each slot (body_count) */
    int32_t *slot_of;    /* of each body (body_count) */
    int32_t *part_begin; /* of each body: its first part (body_count + 1) */
    double *radius;      /* of the ball about its origin that holds a frame; infinite: none does (frame_count) [m] */

    /* frames where contacts are looked for: written by whoever places them */
    ts_place3 *place;
    ts_pose3 *pose; /* of balls that are bodies the attitude is left out */
    uint8_t *present;
    bool *turning; /* turns, so that the box of a frame without a radius is everywhere */

    /* the list */
    bool listed;
    uint64_t list_count;       /* lists made so far */
    double skin;               /* how far a frame may go before the list is void [m] */
    double reach;              /* pairs that are open by less are listed as well: set before it is made [m] */
    double drift;              /* bound of how far any has gone since; infinite: not known [m] */
    ts_tile3 *tile;            /* (tile_count) */
    TS_ARRAY(int32_t) ball_a;  /* slot */
    TS_ARRAY(int32_t) ball_b;  /* frame */
    TS_ARRAY(int32_t) ball_to; /* where b's force is summed */
    TS_ARRAY(ts_pair3) other;
    size_t sum_count;
    TS_ARRAY(int32_t) ghost_begin; /* of each frame: its sums in other tiles (frame_count + 1) */
    TS_ARRAY(int32_t) ghost;       /* indices of sums, in the order of tiles */

    /* what the list was made for */
    ts_pose3 *listed_at;
    uint8_t *listed_present;
    bool *listed_open; /* its box was everywhere */

    /* scratch */
    ts_near near;
    ts_box3 *box; /* of each part that is there (part_count) */
    uint8_t *passive;
    int32_t *group, *box_frame, *box_part;
    int32_t *mark; /* of each frame: the last tile that made a ghost of it, and … */
    int32_t *mark_sum;
} ts_verlet3;

ts_status ts_verlet3_create(ts_verlet3 *v, const ts_model *model, ts_error *error);
void ts_verlet3_free(ts_verlet3 *v);
size_t ts_verlet3_bytes(const ts_verlet3 *v);

/* Whether the list is one for the frames as they are placed. `farther`: bound of how far any has gone since the last
 * call, infinite when it is not known [m]. */
bool ts_verlet3_holds(ts_verlet3 *v, double farther);
/* Makes it anew. `speed`: how far bodies go in a step, in the mean, by which the skin is chosen [m]. On failure
 * there is no list. */
ts_status ts_verlet3_make(ts_verlet3 *v, ts_pool *pool, double speed, ts_error *error);

/* A part where it stands. */
ts_placed_solid ts_verlet3_part(const ts_verlet3 *v, int32_t frame, int32_t part);
/* Local numbers of two parts among their bodies' and the feature, 16 : 16 : 32. */
uint64_t ts_verlet3_key(const ts_model *model, int32_t part_a, int32_t part_b, uint32_t feature);

/* Body of a frame; -1 - i: wall i. */
static inline int64_t ts_verlet3_owner(const ts_verlet3 *v, int32_t frame)
{
    return (size_t)frame < v->body_count ? v->body_of[frame] : -1 - (int64_t)((size_t)frame - v->body_count);
}
static inline int32_t ts_verlet3_frame(const ts_verlet3 *v, int64_t owner)
{
    return owner >= 0 ? v->slot_of[owner] : (int32_t)v->body_count + (int32_t)(-1 - owner);
}
