/* SPDX-License-Identifier: MIT */
/* Contacts that a step would strike: what touches at its end, or between discs on the way there, if nothing is done
 * about it.
 *
 *     frames in the workspace: where bodies would be at the end of the step ─▶ which candidates are struck
 *     the state: where bodies are at its beginning                          ─▶ gap, normal and point of each, there
 *
 * (outlines at pieces of walls, and discs that come to an edge in the step: as they are at the end, with the gap turned
 * back). For dynamics whose contacts are
 * looked for at the end of a step (model.h). */
#pragma once

#include "contact/featured.h"
#include "workspace.h"

typedef struct ts_hit {
    int64_t which;   /* number of the candidate in the list of pairs, or of walls */
    int32_t a;       /* body; -1 - i: wall i */
    int32_t b;       /* body */
    double gap;      /* at the beginning of the step, below 0: overlap [m] */
    double nx, ny;   /* unit normal from A to B */
    double px, py;   /* point of contact, world [m] */
    double weight;   /* how the gap grows: contact/contact.h */
    double couple;   /* [m] */
    double friction; /* μ [1] */
    bool curved;     /* of a disc and a wall that curves: `end` is known */
    double end;      /* gap where flight ends [m] */
    bool more;       /* another place of a pair that is struck, or one that is near: this one need not touch */
    /* of contacts by features (contact/featured.h) */
    bool featured;
    double reach;   /* it may close yet, if others are struck, when its gap at the end is below this [m] */
    uint64_t key;   /* which features */
    int32_t part_a; /* part, or -1 - i: wall i */
    int32_t part_b;
    int64_t which_end; /* of a wall: the end of the candidates that are of it and of the part */
    int64_t past;      /* its record in state->history; -1: none */
} ts_hit;

/* Strikes of each block of pairs; in the order of blocks they do not depend on threads. */
typedef struct ts_hit_list {
    ts_feature_contacts begin, end; /* scratch: places of one pair, then and there */
    ts_hit *item;
    size_t count, capacity;
    uint64_t queries;
    ts_status status; /* out of memory */
} ts_hit_list;

typedef struct ts_hits {
    ts_hit_list *block; /* (block_capacity) */
    size_t block_count, block_capacity;
    size_t count;        /* of all blocks */
    ts_wall_frame *wall; /* walls at the beginning of the step (wall_count) */
} ts_hits;

ts_status ts_hits_create(ts_hits *hits, const ts_model *model, ts_error *error);
void ts_hits_free(ts_hits *hits);
size_t ts_hits_bytes(const ts_hits *hits, const ts_model *model);

/* Finds them for the state's step, whose frames at the end are in `work`. */
ts_status ts_hits_find(ts_hits *hits, const ts_model *model, ts_state *state, ts_workspace *work, ts_error *error);
