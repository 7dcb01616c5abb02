/* SPDX-License-Identifier: MIT */
/* What soft_space.c and soft_space_find.c share. */
#pragma once

#include "contact/verlet3.h"
#include "dynamics/dynamics.h"
#include "dynamics/soft.h"
#include "dynamics/soft_colour.h"
#include "dynamics/soft_sleep.h"
#include "dynamics/soft_space.h"
#include "workspace.h"

/* What contacts in space keep, on B, along the normal and across it, world frame: forces of the last sub-step, as far as
 * they last, in ts_history.value [N], and impulses of the whole step in ts_impulses [N·s] (state.h). What was struck and
 * has left has no force any more; it is kept for those who look, and nothing that moves depends on it. */
enum { TS_SOFT3_NORMAL, TS_SOFT3_TANGENT, TS_SOFT3_SUM_NORMAL = 4, TS_SOFT3_SUM_TANGENT, TS_SOFT3_VALUES = 8 };

/* What places that hold keep in ts_found.number (state.h): points and normal or axis in their bodies' frames, radii, and
 * how it goes along: 1 of_b + 2 axial + 4 (round + 1) + 16 rim, and TS_FOUND_GONE of one that was struck in the step but
 * is none of its last finding; what its weight is below 1 by, in parts of TS_SOFT3_WEIGHTS, counts 256 each. */
enum { TS_FOUND_GONE = 128, TS_FOUND_WEIGHT = 256, TS_SOFT3_WEIGHTS = 65536 };
enum { TS_FOUND_A = 0, TS_FOUND_B = 3, TS_FOUND_NORMAL = 6, TS_FOUND_RA = 9, TS_FOUND_RB, TS_FOUND_HOW };

/* A place where two frames touch, or may before places are found again. */
typedef struct ts_soft3_place {
    int32_t a, b; /* frames, a < b */
    uint64_t key; /* ts_verlet3_key */
    /* as in ts_soft3_form */
    ts_vec3 la, lb, n;
    double ra, rb, of_b, round, axial;
    int rim; /* 1 … 4: on a rim, so many quarter turns less 1 from the point that reaches farthest; 0: on none */
    ts_vec3 rim_centre, rim_axis;
    double friction, restitution;
    double weight; /* how much of a contact it is, in whole parts of TS_SOFT3_WEIGHTS */
    double value[TS_SOFT3_VALUES];
    ts_touch touch; /* world frame, as found */
} ts_soft3_place;

typedef TS_ARRAY(ts_soft3_place) ts_soft3_places;

static inline double ts_soft3_rim_cos(const ts_soft3_place *p)
{
    return (p->rim == 1) - (p->rim == 3);
}
static inline double ts_soft3_rim_sin(const ts_soft3_place *p)
{
    return (p->rim == 2) - (p->rim == 4);
}

/* One of a task's places. */
typedef struct ts_soft3_found {
    const ts_soft3_place *place;
} ts_soft3_found;

/* What a place has been through: as the state keeps it, but by frames. */
typedef struct ts_soft3_past {
    int32_t a, b;
    uint64_t key;
    double value[TS_SOFT3_VALUES]; /* sums: of this step, or of the last one where it rests or the step begins */
} ts_soft3_past;

/* What one task finds. */
typedef struct ts_soft3_chunk {
    ts_soft3_places list;
    ts_status status;
    ts_error error;
} ts_soft3_chunk;

typedef struct ts_soft3_inertia {
    double m[6]; /* of the inverse, world frame: xx, yy, zz, xy, xz, yz */
} ts_soft3_inertia;

typedef struct ts_soft3_wrench {
    ts_vec3 force, torque;
} ts_soft3_wrench;

typedef struct ts_soft3 {
    const ts_soft3_kernels *kernels;
    ts_verlet3 list;
    size_t frame_count; /* of the list, and one that stands still */

    /* of each frame */
    ts_soft3_velocity *velocity, *before;
    ts_soft3_pose *pose;
    double *inv_mass; /* of what sleeps 0 */
    ts_soft3_inertia *inv_inertia;
    ts_vec3 *spin; /* with which sub-steps began */
    uint8_t *material;
    uint8_t *falls; /* moves in sub-steps; all others that can move fly (body/flight.h) */
    uint8_t *goes;  /* falls, or is driven */
    uint8_t *sleeps;
    uint8_t *rests; /* sleeps, or cannot move and stands still, where something sleeps */

    double *restitution; /* of each pair of materials */
    ts_body3 *saved;     /* bodies at the beginning of the step */
    ts_soft3_wrench *wall;
    double work;       /* of what is driven on bodies, of the step [J] */
    double step;       /* of a sub-step of this step [s] */
    uint64_t touching; /* places of the last finding */

    /* places */
    ts_soft3_chunk *chunk;
    size_t chunk_count;
    ts_touch_array *touch; /* of each thread */
    size_t touch_count;
    ts_soft3_places place;          /* by (a, b, key) */
    TS_ARRAY(ts_soft3_past) past;   /* likewise */
    TS_ARRAY(int32_t) past_begin;   /* of each frame as A */
    TS_ARRAY(ts_soft3_found) order; /* scratch */

    /* rows */
    ts_colouring colours;
    TS_ARRAY(ts_soft3_group) group;
    TS_ARRAY(ts_soft3_form) form;
    TS_ARRAY(ts_soft3_row) row;
    TS_ARRAY(ts_soft3_sum) sum;
    int32_t group_begin[TS_COLOURS + 1]; /* the first of each colour */
    bool bounces;
    uint64_t rows_of; /* state->places_mark of the state whose places and rows these are; 0: of none */

    ts_soft_sleep sleep;
    ts_soft_heat heat;
    double *speed; /* of the fastest point of each body, where bodies may sleep */
} ts_soft3;

/* How far open places are that count [m]: between `least` and `most`, by how two bodies move. */
typedef struct ts_soft3_reach {
    double least, most;
    double time; /* for which places are found, and a little more [s] */
    double fall; /* how far gravity brings what can move towards what cannot in it [m] */
} ts_soft3_reach;

/* Fills m->place with those that are open by less than `reach`, with what they have been through (m->past). Frames are
 * placed, and the list is one for them. Not those of two that rest: they keep what the state has of them. */
ts_status ts_soft3_find(ts_soft3 *m, const ts_model *model, ts_workspace *work, ts_soft3_reach reach, ts_error *error);

/* A bound of how fast those go against each other that are apart by at most `reach`, which is the list's or less: not
 * which others are listed counts. */
double ts_soft3_approach(const ts_soft3 *m, double reach);

/* Whether nothing is done about a pair: what can move of it sleeps. */
static inline bool ts_soft3_pair_rests(const ts_soft3 *m, int32_t a, int32_t b)
{
    return m->rests[a] && m->rests[b];
}

/* Places to the state, in which those of pairs that rest stay, and but for the `first` finding of a step those that were
 * struck in it and are gone. Afterwards: only those that rest, or were struck. */
ts_status ts_soft3_note(const ts_soft3 *m, ts_found_array *to, bool first, ts_error *error);
void ts_soft3_forget(const ts_soft3 *m, ts_found_array *found);
/* Adds those of the state to m->place, with what they have been through (m->past). */
ts_status ts_soft3_restore(ts_soft3 *m, const ts_model *model, const ts_found_array *from, bool gone, ts_error *error);

/* Whether one of the first `count` places is this one. They are those of a finding, in order. */
bool ts_soft3_has_place(const ts_soft3 *m, size_t count, int32_t a, int32_t b, uint64_t key);

/* m->past from the state and back. */
ts_status ts_soft3_recall(ts_soft3 *m, const ts_state *from, ts_error *error);
/* Of the places as they stand, of what rests, and but for the `first` finding of a step of what was struck in it. */
ts_status ts_soft3_keep(ts_soft3 *m, bool first, ts_error *error);
void ts_soft3_write(const ts_soft3 *m, ts_state *to); /* which has room for it */

static inline ts_pose3 ts_soft3_pose_of(const ts_soft3 *m, int32_t frame)
{
    const ts_soft3_pose *p = &m->pose[frame];
    return (ts_pose3){{p->x, p->y, p->z}, {p->qw, p->qx, p->qy, p->qz}};
}
/* The same place with its two local numbers of parts swapped. */
static inline uint64_t ts_soft3_swapped(uint64_t key)
{
    return (key << 16 & 0xffff000000000000u) | (key >> 48 & 0xffff) << 32 | (key & 0xffffffffu);
}

/* The farthest that two have gone against each other in the step, at most: bodies were at m->saved [m]. */
double ts_soft3_gone(const ts_soft3 *m, const ts_model *model, const ts_state *state);

/* soft_space_span.c. A bound of the fastest that two can go against each other [m/s]. */
double ts_soft3_fastest(const ts_soft3 *m);
/* The list of pairs that are open by less than `reach`, for frames as they are placed. What it has beyond them never
 * counts. The second: for those that touch or nearly do, with the reach that it chose. */
ts_status ts_soft3_list(ts_soft3 *m, ts_workspace *work, double reach, ts_error *error);
ts_status ts_soft3_list_now(ts_soft3 *m, ts_workspace *work, double *reach, ts_error *error);
/* How many of `left` sub-steps bodies may take before places are found again, how far open those places are that count
 * till then, and the list of pairs. What is farther apart than listed does not meet by then, at the speeds of the two
 * fastest of all; what is nearer goes no farther than the dynamics' `way`. */
ts_status ts_soft3_span(const ts_model *model, ts_workspace *work, int64_t left, double h, int64_t *span,
                        ts_soft3_reach *reach, ts_error *error);
