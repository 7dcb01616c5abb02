/* SPDX-License-Identifier: MIT */
/* Scratch memory of a step, allocated once. Nothing here outlives a step but the pair list, and that is a pure function
 * of the state (state.h): throwing a workspace away never changes a result. */
#pragma once

#include <math.h>

#include "base/clock.h"
#include "base/threads.h"
#include "contact/analytic.h"
#include "contact/carry.h"
#include "contact/pairs.h"
#include "state.h"
#include "warning.h"

/* Bodies that one task of a loop over bodies takes. A number of its own, so that partial results do not depend on the
 * number of threads; large enough to hide the cost of handing out a task (a quarter of a microsecond). */
#define TS_BODY_CHUNK 512

/* What a task reports of its bodies. */
typedef struct ts_chunk_report {
    double max_speed; /* fastest point of any body [m/s] */
    double max_drift; /* farthest that any point has moved since the pair list was made [m] */
    int64_t runaway;  /* a body whose motion makes no sense any more, or -1 */
    char padding[40]; /* one cache line each: tasks write these at the same time */
} ts_chunk_report;

/* What a block reports of its contacts. */
typedef struct ts_block_report {
    uint64_t contacts;
    double max_overlap;   /* deepest in this step [m] */
    double overlap_ratio; /* of that contact, to its smaller radius [1] */
    double lost[3];       /* energy: normal dashpots, tangential ones, sliding [J] */
    uint64_t queries;     /* candidates that were looked at */
    int64_t body;         /* the smaller one of that contact */
} ts_block_report;

/* The deepest overlap of a step. */
typedef struct ts_deepest {
    double overlap; /* [m] */
    double ratio;   /* to the smaller radius [1] */
    int64_t body;   /* the smaller one */
    uint64_t step;  /* number of the step, from 1: written when it has ended */
} ts_deepest;

/* Places that are open are wanted up to this gap: what two bodies go against each other before places are found again.
 * All 0: only those that touch. */
typedef struct ts_reach {
    double most;  /* at most the model's [m] */
    double least; /* of two that hardly move [m] */
    double time;  /* times the speed at which they move against each other [s] … */
    double fast;  /* … or so long, where that would be more than `most`: they are looked for again sooner */
} ts_reach;

struct ts_workspace {
    const ts_model *model;
    ts_pool *pool;
    ts_timers timers;
    const ts_analytic_kernels *analytic;
    const struct ts_advance_kernels *advance;
    const struct ts_feature_kernels *feature;

    ts_pairs pairs; /* written by find pairs */
    ts_reach reach; /* how far open places are found as well */

    /* parts in slot order, where they are when contacts are looked for: written by place */
    union {                    /* never both alive: */
        ts_frame2 *part;       /* (part_count) */
        ts_partners *partners; /* while pairs are looked for (part_count) */
    };
    uint8_t *material; /* of each slot; NULL when there is one material; written by find pairs */
    uint16_t *form;    /* of each slot; NULL when all are discs (contact/forms.h); written by find pairs */
    const uint8_t *held, *wall_held; /* pairs of the list, and of walls, that keep the records of their features as they
                                        are. NULL: none; set by a dynamics while it finds */
    struct ts_featured *featured;    /* contacts by features (contact/featured.h); NULL: there are none */
    double *path; /* how far each slot has gone since the list was made, turning by its radius included, to within
                              rounding (part_count) [m]; NULL when all are discs; written by place */
    union {       /* never both alive: */
        ts_wrench *wrench; /* sum of contact forces on each part (part_count): written by resolve */
        ts_spot *spot;     /* while pairs are looked for */
    };
    ts_wall_frame *wall;          /* walls at the middle of the step (wall_count): written by drive */
    ts_frame2 *wall_frame;        /* frames of the same (wall_count) */
    uint8_t *wall_material;       /* of the same (wall_count) */
    ts_wrench *block_wall_wrench; /* of each block (block_count · wall_count), added up in block order */
    ts_wrench *wall_wrench;       /* force on each wall in the last step (wall_count) */
    ts_vec3 (*push3)[2]; /* of space, for laws of one function: force on each body in this step and torque about
                                     its centre in the middle (body_count) [N, N·m]; else NULL */

    struct ts_pulls *pulls; /* what springs do in this step (pull.h): written by find pairs. NULL: nothing asks */

    size_t *driven; /* bodies that a script moves */
    size_t driven_count;

    ts_chunk_report *chunk; /* one a chunk of bodies */
    size_t chunk_count;
    ts_block_report *block; /* one a block of pairs */
    size_t block_capacity;

    ts_carry carry; /* springs on their way from an old list to a new one */

    /* what ts_find_contacts hands out */
    ts_contact_array contact;
    double *view_spring; /* springs of a list that was made for looking only: of pairs, then of wall pairs */
    size_t view_capacity;

    void *own; /* memory of the dynamics (dynamics.h); may be NULL */

    /* sums over all steps, for the summary */
    bool no_culling; /* ask the maps about every pair whose circles overlap; changes no result */
    uint64_t step_count, contact_sum, query_sum, rebuild_count;
    uint64_t light_sum;       /* contacts of smooth bodies that had too little weight for a hard row */
    ts_deepest deepest;       /* of the last step: written by resolve */
    double max_overlap;       /* deepest in any step since it was set to 0 [m] */
    double max_overlap_ratio; /* of that contact, to its smaller radius [1] */
    ts_tally tally[TS_STEP_WARNINGS];
};

/* Takes an overlap of this step, if it is the deepest. */
static inline void ts_note_overlap(ts_workspace *work, double overlap, double ratio, int64_t body)
{
    if (overlap > work->deepest.overlap)
        work->deepest = (ts_deepest){overlap, ratio, body, 0};
}

/* Pairs for the state's bodies moved on by h, at `time`: keeps the list, finds it again or makes it anew, with the
 * springs that belong to it. Afterwards work->pairs fits the state. *made: the slots changed. On failure the state is
 * as it was. */
ts_status ts_refresh_pairs(const ts_model *model, ts_state *state, ts_workspace *work, double time, double h,
                           bool *made, ts_error *error);
/* The same for looking only, at bodies where they are: the state is left alone; the springs are its own or the
 * workspace's. */
ts_status ts_view_pairs(const ts_model *model, const ts_state *state, ts_workspace *work, double time,
                        const double **spring, const double **wall_spring, ts_error *error);
/* Plane: walls, pairs and frames of the state as it stands, and the springs that belong to them. */
ts_status ts_plane_view(const ts_model *model, const ts_state *state, ts_workspace *work, const double **spring,
                        const double **wall_spring, ts_error *error);
/* Plane: whether a body in free flight keeps clear of other bodies and walls in the step whose middle is at `middle`. It
 * goes by bounding circles and by relative velocities, so bodies that fall side by side are clear of each other. */
typedef enum ts_clear_of {
    TS_CLEAR_OF_ALL,  /* of contact: needs no pairs in the list */
    TS_CLEAR_OF_JUMPS /* of jumping through: half-planes and circles are solid behind, and it may meet bodies that come
                         nearer by no more than their radius in the step */
} ts_clear_of;
bool ts_goes_clear(const ts_model *model, const ts_state *state, size_t body, double middle, ts_clear_of of);
/* The gap up to which places of two frames are wanted; A may be a wall [m]. */
static inline double ts_reach_of(const ts_reach *r, const ts_frame2 *a, const ts_frame2 *b, bool wall)
{
    const double x = wall ? b->x - a->x : 0, y = wall ? b->y - a->y : 0;
    const double vx = b->vx - (a->vx - a->spin * y), vy = b->vy - (a->vy + a->spin * x);
    const double turning = fabs(a->spin) * (wall ? b->radius : a->radius) + fabs(b->spin) * b->radius;
    const double speed = sqrt(vx * vx + vy * vy) + turning, far = r->least + r->time * speed;
    return far <= r->most ? far : fmin(r->most, r->least + r->fast * speed);
}
/* Whether work->pairs is the list that the state's springs belong to. */
bool ts_pairs_fit(const ts_workspace *work, const ts_state *state);

/* The contacts of the state as it stands, batch by batch, to a sink (dynamics/dynamics.h). */
ts_status ts_look(const ts_model *model, const ts_state *state, ts_workspace *work,
                  void (*sink)(void *context, const ts_contact *contact, int count), void *context, ts_error *error);

/* Phase timers; off unless switched on. */
void ts_workspace_time_phases(ts_workspace *work, bool on);
const ts_timers *ts_workspace_timers(const ts_workspace *work);
