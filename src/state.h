/* SPDX-License-Identifier: MIT */
/* Everything that changes during a run, and nothing else.
 *
 * The pair list itself is not here: it is a pure function of `reference` (contact/pairs.h), so a workspace that has
 * lost it, or never had it, finds the same pairs in the same order, and `spring[k]` belongs to pair k again. That is
 * what makes a restart, a copied state and another thread count give the same bits. */
#pragma once

#include <stdbool.h>

#include "model.h"

/* What a contact has been through, in the order of contacts, which in space is that of (a, b, key). Its numbers are the
 * dynamics' own, which names them in its header: up to four. */
typedef struct ts_history {
    int64_t a, b;
    uint64_t key;
    double value[4];
} ts_history;

typedef TS_ARRAY(ts_history) ts_history_array;

/* What such a contact did in the whole step: impulses on B, along its normal and across it, world frame [N·s]. */
typedef struct ts_impulses {
    double normal, tangent[3];
} ts_impulses;

typedef TS_ARRAY(ts_impulses) ts_impulses_array;

/* In ts_state.still: the body sleeps. */
#define TS_ASLEEP UINT32_MAX

/* A place as it was found, in the frames of its two bodies: soft-step goes on with it while it holds
 * (dynamics/soft_space_parts.h and, in the plane, dynamics/soft_map.h name the numbers). */
typedef struct ts_found {
    int64_t a, b; /* bodies; -1 - i: wall i */
    uint64_t key;
    double number[12];
} ts_found;

typedef TS_ARRAY(ts_found) ts_found_array;
typedef TS_ARRAY(ts_contact) ts_contact_array;

/* Where a body was when the pair list was made. */
typedef struct ts_reference {
    double x, y;  /* [m] */
    double angle; /* [rad] */
} ts_reference;

/* Poses of all bodies: those written down, or those that bodies will have after h of time at their velocities. */
typedef struct ts_poses {
    const ts_reference *reference; /* (body_count); NULL: use the bodies */
    const ts_body *body;           /* (body_count) */
    double h;                      /* [s] */
} ts_poses;

/* The arithmetic of advance.simd.c, to the bit. */
static inline ts_reference ts_pose_of(const ts_poses *poses, size_t i)
{
    if (poses->reference)
        return poses->reference[i];
    const ts_body *body = &poses->body[i];
    return (ts_reference){body->x + poses->h * body->vx, body->y + poses->h * body->vy,
                          body->angle + poses->h * body->spin};
}

/* Where energy went, and what was put in [J]. */
typedef struct ts_budget {
    double work;            /* done on the bodies by what is driven, and by moving overlapping ones apart */
    double lost_normal;     /* to normal dashpots, with what a spring gives up that may not pull */
    double lost_tangential; /* to tangential dashpots */
    double lost_friction;   /* to sliding */
} ts_budget;

struct ts_state {
    const ts_model *model;
    uint64_t step; /* taken since time 0; time = step · Δt */

    ts_body *body; /* (body_count): written by drive, advance */

    /* of a model of space; the plane's arrays are then empty */
    ts_body3 *body3; /* (body_count): written by drive, resolve, advance */
    /* Velocities that the next step begins with, plane: vx, vy, spin; space: velocity, angular momentum. Of a dynamics
     * whose own velocities are half a step off where contacts hold bodies (dynamics.h: hold); those of the bodies are
     * then at the time of their poses. NULL: they are the same (body_count · v_size): written by hold */
    double *onward;
    ts_history_array
        history; /* of contacts that were resolved in the last step, in both dimensions: written by resolve */
    ts_impulses_array impulses; /* soft-step in space: of each record of `history`; otherwise empty. Written likewise */

    /* the pair list's origin: written by find pairs */
    ts_reference *reference; /* (body_count) */
    double reference_time;   /* scripted walls stood where they are at this time [s] */
    double reference_skin;   /* how far apart parts were listed [m] */
    uint64_t reference_hash; /* of the above and of the list they gave; 0: no list was made yet */

    /* contact history, in the order of the pair list: written by resolve */
    size_t pair_count;
    size_t pair_capacity;
    double
        *spring; /* one number of the dynamics for each pair: a tangential spring [m], or 1 + index of its first record
                     * in history (pair_count) */
    size_t wall_count;
    size_t wall_capacity;
    double *wall_spring; /* of each pair of a wall and a part (wall_count) [m] */

    /* Soft-step: how far two may still move against each other before the places of `history` have to be found again;
     * 0: now [m]. Written by resolve. */
    double places_room;
    /* Soft-step with sleeping: for how many steps on end each body has been calm, or TS_ASLEEP (dynamics/soft_sleep.h).
     * Empty before the first step, and where nothing sleeps (body_count). Written by resolve; what is set by hand is 0. */
    TS_ARRAY(uint32_t) still;
    ts_found_array found; /* in space, while there is room, and of what was struck; in the plane, places by maps: of the
                           * last records */

    /* the energy budget since time 0: written by resolve. Nothing that moves depends on it. */
    ts_budget budget;

    /* Upper bound of how far any part has moved since `reference` [m]. A result never depends on it: it only saves
     * looking.
     * Not written to disk; infinite when unknown. */
    double drift_bound;
    uint64_t places_mark; /* of the step that wrote `history`: whose rows a workspace has. Not written to disk */
};

static inline double ts_time_of_step(const ts_model *model, uint64_t step)
{
    return (double)step * model->settings.time_step;
}

/* What may be wrong with the time step, and what to do; for messages. */
typedef struct ts_advice {
    char text[160];
} ts_advice;
ts_advice ts_step_advice(const ts_model *model);

/* Bodies that sleep. */
static inline size_t ts_state_asleep_count(const ts_state *state)
{
    size_t count = 0;
    for (size_t i = 0; i < state->still.count; i++)
        count += state->still.item[i] == TS_ASLEEP;
    return count;
}

/* The velocities of body i, as `onward` has them. */
static inline double *ts_state_motion(ts_state *state, size_t i)
{
    return state->body ? &state->body[i].vx : state->body3[i].velocity;
}
/* All bodies have the velocities that the next step begins with; and the other way round. */
void ts_state_let_go(ts_state *state);
void ts_state_keep_motion(ts_state *state);

/* Makes room for springs; keeps values. */
ts_status ts_state_reserve(ts_state *state, size_t pair_count, size_t wall_count, ts_error *error);
