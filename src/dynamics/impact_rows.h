/* SPDX-License-Identifier: MIT */
/* Contacts become rows over blocks (body/block.h), the same way in the plane and in space; and what a step of impact
 * does the same way in both before and after it is resolved. */
#pragma once

#include "body/block.h"
#include "dynamics/impact_memory.h"
#include "dynamics/problem.h"
#include "pull.h"
#include "workspace.h"

/* Bodies that can move and are struck, in the order in which they come up. */
typedef struct ts_impact_blocks {
    const ts_block_ops *ops;
    TS_ARRAY(ts_block) block;
    int32_t *number;    /* of each body: its block (body_count) */
    uint64_t *numbered; /* in which instant it got that (body_count) */
    uint64_t now;
} ts_impact_blocks;

/* Fills in where a body (or wall −1 − i) stands, how it moves and its mass factor. Returns what ops->scale takes of
 * its turning. */
typedef ts_vec3 ts_impact_frame(const void *context, int64_t owner, ts_block *block);

typedef struct ts_impact_setting {
    ts_impact_frame *frame;
    const void *context;
    ts_vec3 gravity;    /* [m/s²] */
    const double *pull; /* what springs add to velocities in half a step (pull.h); NULL: nothing */
    double time_step;   /* [s] */
} ts_impact_setting;

/* One side of a contact. */
typedef struct ts_impact_side {
    int32_t number;        /* of its block; -1: nothing can move it */
    const ts_block *block; /* the block, or `own` */
    ts_block own;
} ts_impact_side;

/* A contact as rows see it. */
typedef struct ts_impact_place {
    double gap;      /* at the beginning of the step [m] */
    ts_vec3 normal;  /* unit, from A to B */
    ts_vec3 point;   /* [m] */
    ts_vec3 tangent; /* unit, at right angles to the normal; in space a second one is at right angles to both */
    double weight;   /* how the gap grows: contact/contact.h */
    double couple;   /* plane, about z [m] */
    double friction; /* μ */
    double size;     /* the smaller body's radius [m] */
    bool waits;      /* it counts only when it closes faster than its gap allows (impact.h) */
} ts_impact_place;

ts_status ts_impact_blocks_create(ts_impact_blocks *blocks, const ts_block_ops *ops, size_t body_count,
                                  ts_error *error);
void ts_impact_blocks_free(ts_impact_blocks *blocks);
size_t ts_impact_blocks_bytes(const ts_impact_blocks *blocks, size_t body_count);

/* Room for so many contacts; an empty instant. */
ts_status ts_impact_begin(ts_impact_scratch *scratch, ts_impact_blocks *blocks, size_t contacts, ts_error *error);
/* Both sides of a contact; bodies that can move become blocks, with w and flight in the hand. */
void ts_impact_find_sides(ts_impact_scratch *scratch, ts_impact_blocks *blocks, const ts_impact_setting *setting,
                          int64_t a, int64_t b, ts_impact_side side[2]);
/* Where impulses act: between two bodies half-way, so that both feel the same and momentum is kept; on a body that meets
 * something which nothing can move at its own surface, where it will touch. That is so far along the normal from the
 * middle of the gap. */
static inline double ts_impact_aside(const ts_impact_side side[2], double gap)
{
    return side[0].number < 0 ? 0.5 * gap : side[1].number < 0 ? -0.5 * gap : 0;
}
/* Adds the contact's rows and all that goes with them, as number scratch->count. */
void ts_impact_add(ts_impact_scratch *scratch, const ts_impact_blocks *blocks, const ts_impact_setting *setting,
                   const ts_impact_side side[2], const ts_impact_place *touch);
/* The last contact's surface bends towards the body: by this, the gap at the end of flight differs from what rates tell
 * (≤ 0) [m]. */
void ts_impact_bend(ts_impact_scratch *scratch, double time_step, double bend);
/* Takes the last contact back, and with it the blocks from number `before` on, which came up with it. */
void ts_impact_drop(ts_impact_scratch *scratch, ts_impact_blocks *blocks, size_t before);

/* What springs do in the step, as a setting takes it. */
static inline const double *ts_impact_pull_of(const ts_workspace *work)
{
    return work->pulls ? work->pulls->half : NULL;
}

/* The rules of a step, but for what is of one dimension. */
ts_impact_rules ts_impact_rules_of(const ts_model *model, const ts_state *state, const ts_workspace *work,
                                   uint64_t stream);
/* After a step was resolved: energies, sums, the deepest overlap and what is in doubt. */
void ts_impact_book(ts_impact_scratch *scratch, const ts_impact_blocks *blocks, const ts_impact_energy *energy,
                    size_t contacts, ts_state *state, ts_workspace *work);

/* How far a block's body is moved at once: apart from others, and for being struck late. */
void ts_impact_way(const ts_impact_scratch *scratch, const ts_impact_blocks *blocks, size_t i, ts_vec3 *way,
                   ts_vec3 *turn);
/* The work that moving it apart takes against springs [J]. */
double ts_impact_lift(const ts_impact_scratch *scratch, const ts_impact_blocks *blocks, const ts_workspace *work,
                      size_t i);

/* The instant as a problem by itself (problem.h), before it is resolved. */
ts_status ts_impact_copy_problem(const ts_impact_scratch *scratch, const ts_impact_blocks *blocks,
                                 const ts_impact_rules *rules, double time, ts_problem *to, ts_error *error);
