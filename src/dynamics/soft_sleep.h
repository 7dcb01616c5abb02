/* SPDX-License-Identifier: MIT */
/* Sleeping: islands at rest are neither moved nor worked on (soft.h has the method; plane and space share this).
 *
 *     island    bodies that can move, linked by contacts that press and by springs; walls, and bodies that cannot move,
 *               link nothing
 *     calm      a body all of whose points were slower than `speed` in the last step; otherwise it is lively
 *     asleep    once all bodies of an island were calm for `steps` steps: velocities are 0, poses stay, and contacts
 *               keep the impulses that they have, with which they go on when they wake
 *
 * A whole island wakes when something that is awake presses on one of its bodies or is joined to it by a spring, or
 * when something lively is so near that places are listed for the two. What is driven and moves is lively. Until such a
 * link shows, what sleeps is for others like a body that cannot move.
 *
 * Everything follows from the state, in which still[] is kept (state.h), and islands do not depend on the order of
 * links: the same bits on any number of threads, and after a restart. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "state.h"

/* What bodies that cannot move, and walls, are in links. */
enum { TS_LINK_FIXED = -1, TS_LINK_DRIVEN = -2 }; /* at rest, and moving */

/* Two that touch, or have places that may close. */
typedef struct ts_soft_link {
    int32_t a, b; /* bodies that can move, asleep or not, or one of those above */
    bool presses;
} ts_soft_link;

typedef struct ts_soft_sleep {
    bool on;
    double speed;                /* of calm bodies, at most [m/s] */
    uint32_t steps;              /* after which they fall asleep */
    size_t asleep;               /* bodies that sleep in this step */
    TS_ARRAY(ts_soft_link) link; /* filled in by plane and space before each call, in any order; emptied by it */
    int32_t *root;               /* scratch: union-find over bodies */
    uint8_t *stirred;            /* scratch: of each root */
} ts_soft_sleep;

ts_status ts_soft_sleep_open(ts_soft_sleep *s, const ts_model *model, ts_error *error);
void ts_soft_sleep_close(ts_soft_sleep *s);
size_t ts_soft_sleep_bytes(const ts_soft_sleep *s, const ts_model *model);

/* At the beginning of a step: counts what sleeps. Where gates open or close, nothing does any more. */
ts_status ts_soft_sleep_begin(ts_soft_sleep *s, ts_state *state, ts_error *error);
/* Wakes islands by their links. Those of islands that sleep must be among them. Returns how many bodies woke. */
size_t ts_soft_wake(ts_soft_sleep *s, ts_state *state);
/* At the end of a step: counts calm steps, and lets islands fall asleep. speed[i]: of the fastest point of body i [m/s].
 * Returns how many bodies did; their velocities are the caller's to change. */
size_t ts_soft_fall_asleep(ts_soft_sleep *s, ts_state *state, const double *speed);

static inline bool ts_soft_asleep(const ts_state *state, int64_t body)
{
    return body >= 0 && (size_t)body < state->still.count && state->still.item[body] == TS_ASLEEP;
}
