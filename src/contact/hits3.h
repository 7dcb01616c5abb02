/* SPDX-License-Identifier: MIT */
/* Contacts in space that a step would hit, and those that touch as things stand (hits.h is the plane's).
 *
 *     boxes of parts ─▶ broad phase (near.h) ─▶ pairs ─▶ narrow phase (touch.h) at the beginning of the step ─▶ gap, normal, point
 *
 * A contact is struck when its gap, carried on by the rates of the flight without impulses, is gone at the end of the
 * step: which contacts count is a matter of the end, where they are and which way they push one of the beginning. Two
 * balls are looked at where they would really be, and on the way where they pass each other.
 *
 * Impulses send bodies elsewhere: a box that meets the floor with a corner turns, and others come down faster than they
 * would have. So contacts that are not struck, but would be if both went farther by as much as they go anyway
 * (TS_LIKELY), or by a tenth of what they measure (TS_UNLIKELY), are found as well, for whoever knows the impulses. Not
 * between balls, which turn nothing towards each other, nor where a mesh takes part, which has too many places for
 * that.
 *
 * The list of pairs is made for boxes that are wider by a skin, the wider the quicker a body is, up to a radius or so,
 * and kept while nothing has left its own. What all bodies do together, as a layer that is thrown up does, brings none
 * of them nearer to another: boxes go along with the bodies' mean. The list is a superset of what can be struck, in an
 * order that is that of parts: keeping it, or not, never changes a contact or its place in the list. */
#pragma once

#include "base/clock.h"
#include "base/threads.h"
#include "contact/near.h"
#include "contact/touch.h"
#include "state.h"

/* How a contact stands without impulses. */
typedef enum ts_meeting3 { TS_CLOSING, TS_LIKELY, TS_UNLIKELY, TS_APART } ts_meeting3;

typedef struct ts_hit3 {
    int64_t a;      /* body; -1 - i: wall i */
    int64_t b;      /* body */
    uint64_t key;   /* which pieces of the two, and which place of theirs: local numbers 16 : 16, feature 32 */
    double gap;     /* at the beginning of the step, below 0: overlap [m] */
    ts_vec3 normal; /* unit, from A to B */
    ts_vec3 point;  /* of contact: half-way between the surfaces [m] */
    ts_meeting3 how;
    double weight; /* how much of a contact it is, in [0, 1] */
    double share;  /* what part of a patch it stands for (touch.h) */
} ts_hit3;

typedef TS_ARRAY(ts_hit3) ts_hit3_array;

/* The local number of a contact's piece, of A (0) or B (1), by its key. */
static inline uint64_t ts_hit3_piece(uint64_t key, int side)
{
    return key >> (side ? 32 : 48) & 0xffff;
}

/* The order that contacts stand in, by what they are of: below 0, 0 (the same place of the same pair) or above 0. It is
 * that of parts, by the first of the two and then by the second; walls come after all bodies, and are A. */
int ts_hit3_compare(const ts_hit3 *s, const ts_hit3 *t);

/* What a task found, or why it did not. */
typedef struct ts_found3 {
    ts_hit3_array hit;
    uint64_t light; /* struck, but of less weight than the dynamics takes */
    ts_status status;
    ts_error error; /* where the status is not TS_OK */
} ts_found3;

/* Where a wall or a scripted body is at the beginning of a step, and how it moves in it. */
typedef struct ts_frame3 {
    ts_pose3 pose;
    ts_vec3 velocity, spin; /* world frame [m/s], [rad/s] */
    double motion;          /* the farthest that any point of it goes in a step of free flight [m] */
    double blow;  /* how much farther it may go if it is struck; 0 of balls, meshes and what scripts move [m] */
    double reach; /* how far it may stray from the common way then [m] */
    bool present; /* false while a gate holds it away */
    bool sent;    /* farther than it was looked for, by an impulse: written by ts_hits3_send */
} ts_frame3;

/* All that a pair of balls needs, in a cache line. */
typedef struct ts_ball3 {
    ts_vec3 position;
    double radius; /* below 0: the frame is no ball about its origin */
    ts_vec3 way;   /* of its centre in a step of free flight [m] */
    double skin;   /* how far it may leave the common way before the list has to be made anew [m] */
} ts_ball3;

typedef struct ts_hits3 {
    ts_frame3 *frame;   /* bodies, then walls (body_count + wall_count): written by ts_hits3_place */
    ts_ball3 *ball;     /* likewise; skins are written with the list */
    ts_vec3 mean_way;   /* of bodies that can move: likewise */
    double step;        /* [s]: likewise */
    ts_hit3_array any;  /* with those that are not struck, in order */
    ts_hit3_array kept; /* scratch: those of bodies that were not sent on */
    ts_hit3_array hit;  /* some of them, in the same order: written by ts_hits3_choose */

    /* the list of pairs and what it was made for */
    ts_near near;
    bool listed;
    ts_pose3 *listed_at; /* frames when the list was made (body_count + wall_count) */
    bool *listed_present;

    /* scratch */
    ts_box3 *box; /* of each part (part_count) */
    uint8_t *passive;
    int32_t *group;
    int32_t *part;         /* those that are there, in order (part_count) */
    int32_t *ball_of;      /* of each of those: its frame if that is a ball, else -1 (part_count) */
    ts_found3 *found;      /* of each task */
    ts_touch_array *touch; /* of each thread */
    size_t found_count, touch_count;
    uint64_t query_count, list_count, light_count;
} ts_hits3;

ts_status ts_hits3_create(ts_hits3 *hits, const ts_model *model, ts_error *error);
void ts_hits3_free(ts_hits3 *hits);
size_t ts_hits3_bytes(const ts_hits3 *hits, const ts_model *model);

/* Where everything is at the beginning of the state's step, and how it would go on. */
void ts_hits3_place(ts_hits3 *hits, const ts_model *model, const ts_state *state);
/* The same, with poses that are later by `ahead` [s]; velocities and spins stay those of the beginning. A body that
 * cannot fly on stays where it is. */
void ts_hits3_place_ahead(ts_hits3 *hits, const ts_model *model, const ts_state *state, double ahead);
/* Those that the step strikes: `look` false; those that touch now: true. After ts_hits3_place. Fills hits->any;
 * ts_hits3_choose is next. */
ts_status ts_hits3_find(ts_hits3 *hits, const ts_model *model, ts_pool *pool, ts_timers *timers, bool look,
                        ts_error *error);
/* Fills hits->hit with those that stand like this, or closer. */
ts_status ts_hits3_choose(ts_hits3 *hits, ts_meeting3 most, ts_error *error);
/* An impulse sends a body this much farther than flight alone [m]: the next search looks for others so far off. Returns
 * whether the last one did not; for balls and meshes none does. */
bool ts_hits3_send(ts_hits3 *hits, const ts_model *model, size_t body, double way);
/* Looks once more at bodies that were sent on; contacts of the others stay as they are in hits->any. Then nobody is
 * sent on any more. */
ts_status ts_hits3_find_sent(ts_hits3 *hits, const ts_model *model, ts_pool *pool, ts_timers *timers, ts_error *error);
