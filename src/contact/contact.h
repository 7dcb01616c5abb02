/* SPDX-License-Identifier: MIT */
/* The contact record inside a step: what every geometry hands over, and all that a dynamics reads about shapes.
 *
 * Contacts travel in batches that fit the first-level cache: a geometry fills one, a dynamics empties it, and nothing
 * of it goes to main memory. (ts_contact in touchstone/sim.h is the same record for a user, with ids and forces.)
 *
 * A *frame* is a rigid reference: a part of a body with the position and velocity of the part's own centre, or a
 * wall.
 * Arms are relative to the frame's origin, so a dynamics need not know which point of a body the frame stands on:
 *
 *            A                 n ──▶               B
 *      (origin)───arm_a──▶• ◀── gap ──▶ •◀──arm_b───(origin)        gap < 0: the two overlap
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "touchstone/sim.h"

/* 64 records of 84 bytes are 5 KB: with the frames they touch they stay in a 32 KB first-level cache. A multiple of
 * 4. */
#define TS_BATCH 64

/* Bodies that are this near, of the smaller radius, touch: where contacts hold bodies exactly (impact) their gap is
 * nothing but rounding. */
#define TS_TOUCH_SLACK 1e-9

/* Contacts that pressed in the last step of an impact are listed for a user when they are open by no more than this, of
 * the smaller radius: twice the overlaps that impact leaves alone. */
#define TS_OPEN_MOST 1e-3

/* A frame has a body's layout: x, y, angle, radius, vx, vy, spin, inv_mass. Its velocity is that of its origin. */
typedef ts_body ts_frame2;

typedef struct ts_contact_batch {
    int count;                 /* 0 … TS_BATCH */
    int32_t a[TS_BATCH];       /* frame of A */
    int32_t b[TS_BATCH];       /* frame of B */
    int32_t history[TS_BATCH]; /* which candidate it is: index into the springs handed over with the batch */
    double gap[TS_BATCH];      /* signed distance [m] */
    double nx[TS_BATCH];       /* unit normal from A to B, world frame */
    double ny[TS_BATCH];
    double ax[TS_BATCH]; /* point on A, from A's origin, world axes [m] */
    double ay[TS_BATCH];
    double bx[TS_BATCH]; /* point on B, from B's origin, world axes [m] */
    double by[TS_BATCH];
    bool weighted; /* otherwise all weights are 1 and all couples 0 */
    /* How the gap grows: by weight · (motion of B along n, at the point) + couple · (turning of B against A). The
     * weight is below 1 where several places touch; where they push against each other it vanishes, and the couple is
     * all that is left. */
    double weight[TS_BATCH];
    double couple[TS_BATCH]; /* [m] */
    /* Where a pair touches at several places, each has a share of the pair's stiffness and damping
     * (contact/featured.h). */
    bool shared;            /* otherwise all have 1 */
    double share[TS_BATCH]; /* above 0 [1] */
    double ease[TS_BATCH]; /* dashpots have share · ease, so that a pair is damped at several places as it is at one */
} ts_contact_batch;

/* A candidate: two frames that may touch before the list is made anew. */
typedef struct ts_candidate {
    int32_t a; /* part slot, or face of a wall (without contact/faces.h the wall itself) */
    int32_t b; /* part slot */
} ts_candidate;

/* The force and torque on a frame about its origin. */
typedef struct ts_wrench {
    double fx, fy; /* [N] */
    double torque; /* [N·m] */
    double unused; /* four doubles are one vector register */
} ts_wrench;

/* Fills up the last vector with copies of the last contact, which are worked on but not used. Room is there: TS_BATCH
 * is a multiple of 4. */
static inline void ts_contact_batch_fill_up(ts_contact_batch *batch)
{
    for (int to = batch->count, from = to - 1; to % 4 != 0; to++) {
        batch->a[to] = batch->a[from];
        batch->b[to] = batch->b[from];
        batch->history[to] = batch->history[from];
        batch->gap[to] = batch->gap[from];
        batch->nx[to] = batch->nx[from];
        batch->ny[to] = batch->ny[from];
        batch->ax[to] = batch->ax[from];
        batch->ay[to] = batch->ay[from];
        batch->bx[to] = batch->bx[from];
        batch->by[to] = batch->by[from];
        if (batch->weighted)
            batch->weight[to] = batch->weight[from], batch->couple[to] = batch->couple[from];
        if (batch->shared)
            batch->share[to] = batch->share[from], batch->ease[to] = batch->ease[from];
    }
}
