/* SPDX-License-Identifier: MIT */
/* One run of the study `everyday`, and what is measured of it.
 *
 * Whatever the size, gravity and place of a run, it is measured in the units and the frame of its file, where up is y in
 * the plane and z in space. "Since the beginning" is since the file's own poses: those of a scene whose bodies are
 * tilted and lifted at first are not counted as a way. Bodies are the file's; a floor that is a body is none. */
#pragma once

#include "record/energy_guard.h"
#include "study/everyday_scene.h"
#include "touchstone/sim.h"

typedef struct ts_everyday_run {
    ts_scene *scene;
    ts_model *model;
    ts_state *state;
    ts_workspace *work;
    double length, time; /* of the scene, over those of its file */
    ts_quat turn;        /* likewise */
    ts_vec3 shift;
    size_t count;     /* bodies of the file */
    ts_pose3 *begin;  /* where its bodies are in the file */
    ts_pose3 *late;   /* where they are one second before the end */
    double *reach;    /* bounding radius of each [m] */
    double *fell;     /* time when it was first turned by more than 0.3 rad; infinite: never [s] */
    double highest;   /* of body 0 after it was lowest for the first time [m] */
    double moved;     /* the farthest that any point of any body was, in the last second, from its place then [m] */
    double gate_time; /* when body 0 first was 1 m below its beginning; NaN: never [s] … */
    double gate_way;  /* … and how far from the vertical through the origin, along x or y [m] */
    ts_energy_guard guard; /* of energy from nowhere */
    double excess;         /* the largest there was [1] */
    double restitution;    /* NaN: the file's */
    bool space;
    char doubt[600]; /* what puts the result in doubt; "": nothing */
} ts_everyday_run;

/* Makes a run of a scene. ts_everyday_close frees it, whatever happened. */
ts_status ts_everyday_open(ts_everyday_run *run, const char *scene, const ts_everyday_change *change,
                           const char *dynamics, ts_error *error);
/* Runs it to its end. */
ts_status ts_everyday_finish(ts_everyday_run *run, ts_error *error);
void ts_everyday_close(ts_everyday_run *run);

typedef ts_status ts_everyday_measure(const ts_everyday_run *run, double *value, ts_error *error);

ts_everyday_measure ts_everyday_way;        /* how far body 0 has gone since the beginning [m] */
ts_everyday_measure ts_everyday_last_way;   /* how far the last body has [m] */
ts_everyday_measure ts_everyday_along;      /* how far body 0 has gone along x [m] */
ts_everyday_measure ts_everyday_strayed;    /* the farthest, along x, that any body but the first has gone [m] */
ts_everyday_measure ts_everyday_depth;      /* how far body 0 is below where it began [m] */
ts_everyday_measure ts_everyday_sinking;    /* how far the last one is [m] */
ts_everyday_measure ts_everyday_least_fall; /* how far every body is at least [m] */
ts_everyday_measure ts_everyday_most_fall;  /* … and at most [m] */
ts_everyday_measure ts_everyday_apex;       /* highest leap of body 0, of 10 cm, over its fall onto a floor at 0 [1] */
ts_everyday_measure ts_everyday_creep;      /* the farthest any point of any body was from its place a second ago [m] */
ts_everyday_measure ts_everyday_turn;       /* how far the last body has turned, up to π [rad] */
ts_everyday_measure ts_everyday_turned;     /* the farthest that any body has turned, up to π [rad] */
ts_everyday_measure ts_everyday_disorder;   /* bodies that did not fall over, or before the one ahead of them [1] */
ts_everyday_measure ts_everyday_speed;      /* of body 0 along x [m/s] */
ts_everyday_measure ts_everyday_rise;       /* of body 0 upwards [m/s] */
ts_everyday_measure ts_everyday_last_speed; /* of the last one along x [m/s] */
ts_everyday_measure ts_everyday_carried;    /* what wall 0 carries, of the weight of all bodies [1] */
ts_everyday_measure ts_everyday_gate_time;  /* when body 0 first was 1 m below its beginning [s] … */
ts_everyday_measure ts_everyday_gate_way;   /* … and how far from the vertical through the origin [m] */
ts_everyday_measure ts_everyday_overlap;    /* the deepest of all the run, of the smaller radius [1] */
