/* SPDX-License-Identifier: MIT */
/* Inside the penalty law in space: its memory, shared by the step (penalty_space.c) and the contacts of tiles
 * (penalty_tiles.c). */
#pragma once

#include "dynamics/penalty_space.h"
#include "workspace.h"

/* Pairs of balls that are tested at once. */
#define TS_TESTED3 512

typedef TS_ARRAY(ts_history3) ts_history3_array;

typedef struct ts_tile_work3 {
    ts_history3_array ball[2],
        other[2]; /* before the step and after it: see ts_penalty3.now; ascending by pair, then feature */
    ts_block_report report;
    double most, sum;           /* squares of bodies' speeds [m²/s²]: of all, or of the balls that are placed ahead */
    uint8_t done[TS_TILE3 + 4]; /* balls that are placed ahead for the next step */
    bool all_done;
    int64_t runaway;  /* a body whose motion makes no sense any more, or -1 */
    ts_status status; /* of its contacts */
    ts_error error;
} ts_tile_work3;

/* What a thread needs. */
typedef struct ts_scratch3 {
    ts_batch3 batch;
    int32_t found[TS_TESTED3 + 4];
    ts_touch_array touch;
} ts_scratch3;

typedef struct ts_penalty3 {
    ts_verlet3 list;
    const ts_penalty3_kernels *kernel;
    ts_motion6 *motion;  /* of each frame: written by place */
    ts_ball_state *ball; /* of each slot; holds while `ahead`, and goes before the state's bodies then */
    uint8_t *material;   /* of each frame */
    TS_ARRAY(ts_wrench3) sum;
    ts_wrench3 *pull; /* of springs, on each slot */
    ts_wrench3 *wall; /* force on each wall in the last step */
    ts_tile_work3 *tile;
    ts_scratch3 *scratch; /* of each thread */
    size_t scratch_count;
    int now;    /* which of the two histories holds */
    bool fresh; /* the state's history goes before the tiles' */
    bool ahead; /* balls are placed for the state's step already */
} ts_penalty3;

/* Contacts of all tiles: sums of forces, springs after the step, reports. On failure the springs before it are still
 * there. */
ts_status ts_penalty3_resolve(ts_penalty3 *m, const ts_model *model, ts_pool *pool, ts_error *error);
/* Contacts as they are, with the forces that act now. */
ts_status ts_penalty3_look(ts_penalty3 *m, const ts_model *model, ts_contact_sink *sink, void *context,
                           ts_error *error);
/* How many springs tiles have, before a step (m->now) or after it (!m->now); those into records, and back. */
size_t ts_penalty3_history(const ts_penalty3 *m, int which);
ts_status ts_penalty3_gather(const ts_penalty3 *m, int which, ts_history_array *to, ts_error *error);
ts_status ts_penalty3_scatter(ts_penalty3 *m, const ts_history_array *from, ts_error *error);
